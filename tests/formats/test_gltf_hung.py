"""Nodes of a document of Kinegraph that others have reparented, added or removed: what matters reaches the engine, and
the rest is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert
from converters.report.model import Finding
from ir.pose import compose
from ir.types import Pose
from tests.formats.gltf_arm import ARM, BODIES, Change, as_gltf, back, by_name, edited
from tests.oracles.in_mujoco import drawn
from tests.reports import explained, of_rule

Document = dict[str, Any]
LEANING = ARM.replace('pos="0 0 0.5"', 'pos="0.1 0.2 0.5" quat="0.8 0 0.6 0"').replace(
    'size="0.1 0.5"', 'size="0.1 0.5" pos="0 0.3 0"'
)


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return as_gltf(LEANING, tmp_path / "arm.gltf")


def told(arm: Path, change: Change) -> list[Finding]:
    report = explained(convert(edited(arm, change), arm.with_name("back.xml")))
    return of_rule(report, "gltf/edited")


def cut(document: Document, name: str) -> int:
    """Detach a node from its parent and return its number."""
    number: int = document["nodes"].index(by_name(document, name))
    for node in document["nodes"]:
        if number in node.get("children", ()):
            node["children"].remove(number)
    return number


def placed(node: Document) -> Pose:
    (a, b, c), (x, y, z, w) = node.get("translation", (0, 0, 0)), node.get("rotation", (0, 0, 0, 1))
    return Pose((a, b, c), (w, x, y, z))


def stands(path: Path, geom: str) -> list[float]:
    _, data = drawn(path)
    return [*data.geom(geom).xpos, *data.geom(geom).xmat]


def test_a_geom_that_was_hung_on_another_body_is_there(arm: Path):
    def change(document: Document) -> None:
        by_name(document, "base")["children"].append(cut(document, "bar"))

    found = told(arm, change)
    model = back(arm.with_name("back.xml"))
    assert model.body(int(model.geom("bar").bodyid[0])).name == "base"
    assert stands(arm.with_name("back.xml"), "bar")[:3] == pytest.approx([0, 0.3, 0])
    assert [(each.where, each.before, each.after) for each in found] == [
        ("geom/bar", "upper: 0 0.3 0 1 0 0 0", "base: 0 0.3 0 1 0 0 0")
    ]


@pytest.mark.parametrize(("onto", "body"), [("base", "base"), ("arm", "upper")])
def test_a_geom_that_was_hung_elsewhere_stands_where_it_is_seen(arm: Path, onto: str, body: str):
    """Directly below the model, where programs put what they flatten, it still belongs to its body."""

    def change(document: Document) -> None:
        node = by_name(document, "bar")
        pose = compose(placed(by_name(document, "upper")), placed(node))
        by_name(document, onto)["children"].append(cut(document, "bar"))
        w, x, y, z = pose.rot
        node |= {"translation": [*pose.pos], "rotation": [x, y, z, w]}

    before = stands(arm.with_name("arm.xml"), "bar")
    assert told(arm, change)
    assert stands(arm.with_name("back.xml"), "bar") == pytest.approx(before)
    model = back(arm.with_name("back.xml"))
    assert model.body(int(model.geom("bar").bodyid[0])).name == body


def test_a_collider_that_was_hung_elsewhere_is_told(arm: Path):
    def change(document: Document) -> None:
        by_name(document, "base")["children"].append(cut(document, "bar/collider"))

    found = told(arm, change)
    assert all(each.action == "dropped" for each in found)
    paths = {source.path for each in found for source in each.sources}
    assert "/nodes/4/children" in paths


def test_what_else_an_added_node_says_is_told_and_comes_back(arm: Path):
    def change(document: Document) -> None:
        document["nodes"].append(
            {"mesh": 0, "name": "box", "extensions": {BODIES: {"motion": {"mass": 3}}}, "extras": {"colour": "red"}}
        )
        by_name(document, "base")["children"].append(len(document["nodes"]) - 1)

    assert [(each.where, each.action) for each in told(arm, change)] == [("geom/box", "derived")]
    report = convert(edited(arm, change), arm.with_name("back.xml"))
    lost = {each.where: each.action for each in report.findings if ".extras." in each.where}
    assert lost == {
        f"body/base.geoms.box.extras.extensions/{BODIES}": "carried",
        "body/base.geoms.box.extras.extras/colour": "carried",
    }


def test_what_was_put_beside_the_model_is_told_once(arm: Path):
    def change(document: Document) -> None:
        document["nodes"].append({"mesh": 0, "name": "box", "translation": [1, 0, 0]})
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)

    assert [(each.where, each.action) for each in told(arm, change)] == [("geom/box", "derived")]


def test_the_scale_of_a_mesh_is_told(tmp_path: Path):
    from trimesh.creation import box

    box((1, 2, 3)).export(tmp_path / "m.stl")
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="m.stl"/></geometry></visual></link></robot>'
    )
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf")
    path = edited(tmp_path / "r.gltf", lambda document: by_name(document, "l_visual_0").update(scale=[2, 1, 1]))
    found = of_rule(convert(path, tmp_path / "back.urdf"), "gltf/edited")[0]
    assert (found.before, found.after) == ("0 0 0 1 0 0 0, scale 1 1 1", "0 0 0 1 0 0 0, scale 2 1 1")
