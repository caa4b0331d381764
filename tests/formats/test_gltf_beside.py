"""What others put into an item of a document of Kinegraph is reported, also when another change of the item is used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converters.context import Options
from converters.convert import convert
from converters.report.model import Finding
from tests.formats.gltf_arm import SHAPES, by_name, edited
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

Document = dict[str, Any]
LIGHTS = "KHR_lights_punctual"


def node(name: str) -> Callable[[Document], Document]:
    return lambda document: by_name(document, name)


def item(*path: str | int) -> Callable[[Document], Document]:
    def found(document: Document) -> Document:
        value: Any = document
        for step in path:
            value = value[step]
        assert isinstance(value, dict)
        return value

    return found


MOVED = {"translation": [0.1, 0.2, 0.3]}
PUT: dict[str, tuple[Callable[[Document], Document], Document, Document, str]] = {
    "body": (node("upper"), MOVED, {"skin": 0}, "skin"),
    "geom": (node("bar"), MOVED, {"weights": [0.5]}, "weights"),
    "frame": (node("tip"), MOVED, {"scale": [2, 2, 2]}, "scale"),
    "camera": (node("eye"), MOVED, {"foo": 1}, "foo"),
    "light": (node("lamp"), MOVED, {"foo": 1}, "foo"),
    "look": (item("materials", 0), {"emissiveFactor": [1, 0, 0]}, {"foo": 1}, "foo"),
    "lens": (item("cameras", 0, "perspective"), {"yfov": 0.5}, {"foo": 1}, "foo"),
    "lamp": (item("extensions", LIGHTS, "lights", 0), {"intensity": 9}, {"foo": 1}, "foo"),
    "shape": (item("extensions", SHAPES, "shapes", 0, "box"), {"size": [1, 2, 3]}, {"extras": {"a": 1}}, "extras"),
}
"""An item, a change of it that is used, and what is added besides; the member that this adds."""


@pytest.mark.parametrize("kind", PUT)
def test_what_was_put_beside_a_change_that_counts_is_told(arm: Path, kind: str) -> None:
    found, counts, put, member = PUT[kind]
    alone = explained(convert(edited(arm, lambda document: found(document).update(counts)), arm.with_name("one.xml")))
    both = explained(
        convert(edited(arm, lambda document: found(document).update(counts | put)), arm.with_name("both.xml"))
    )
    told, more = of_rule(alone, "gltf/edited"), of_rule(both, "gltf/edited")
    assert told and all(each.action == "derived" for each in told)
    assert [each.where for each in more if each.action == "derived"] == [each.where for each in told]
    (left,) = [each for each in more if each.action == "dropped"]
    (source,) = left.sources
    assert member in source.path.split("/") or source.path.endswith("/0")  # of a shape the whole item


MEMBERS: dict[str, tuple[Callable[[Document], Document], Document, Document, str]] = {
    "name of a camera": (item("cameras", 0), {"perspective": {"yfov": 0.5, "znear": 0.01}}, {"name": "x"}, ""),
    "name of a light": (item("extensions", LIGHTS, "lights", 0), {"intensity": 9}, {"name": "x"}, ""),
    "sides of another camera": (
        item("cameras", 0, "perspective"),
        {"yfov": 0.5},
        {"aspectRatio": 2.0},
        "perspective/aspectRatio",
    ),
    "name of a material": (item("materials", 0), {"emissiveFactor": [1, 0, 0]}, {"name": "x"}, ""),
    "name of a mesh": (item("meshes", 0), {"primitives": []}, {"name": "x"}, "name"),
    "normals": (
        item("meshes", 0, "primitives", 0),
        {"material": 1},
        {"attributes": {"POSITION": 0}},
        "primitives/attributes/NORMAL",
    ),
    "scale of a collider": (node("bar/collider"), MOVED, {"scale": [1, 1, 2]}, ""),
    "place of a joint": (
        node("upper"),
        MOVED,
        {"extras": {"kinegraph_kind": "body", "kinegraph_name": "upper", "kinegraph_joint": "world"}},
        "",
    ),
}
"""An item, a change of it that is used, another one that is not; the member that the report names, "" for any."""


@pytest.mark.parametrize("kind", MEMBERS)
def test_each_of_two_changes_of_one_item_is_told(arm: Path, kind: str) -> None:
    found, counts, more, member = MEMBERS[kind]

    def report_of(change: Document) -> tuple[Finding, ...]:
        path = edited(arm, lambda document: found(document).update(change))
        return tuple(of_rule(explained(convert(path, arm.with_name("back.xml"))), "gltf/edited"))

    reports = [report_of(change) for change in (counts, more, counts | more)]
    first, second, both = (
        {(each.where, each.reason, source.path) for each in told for source in each.sources} for told in reports
    )
    assert first and second and not first & second
    assert len(both) >= len(first | second)
    assert any(path.endswith(member) for where, _, path in both if where == "scene" or not member)


def test_both_sides_are_shown_beside_another_colour(arm: Path) -> None:
    def change(document: Document) -> None:
        look = document["materials"][0]
        look["doubleSided"] = not look.get("doubleSided", False)
        look["pbrMetallicRoughness"]["baseColorFactor"] = [0, 1, 0, 1]

    path = edited(arm, change)
    (told,) = of_rule(explained(convert(path, arm.with_name("back.gltf"))), "gltf/edited")
    assert "double_sided" in told.after and "rgba" in told.after
    before, after = (
        plain_gltf(each).document["materials"][0].get("doubleSided") for each in (path, arm.with_name("back.gltf"))
    )
    assert before == after


def test_an_older_document_without_digests_of_members_is_read(arm: Path) -> None:
    """The change that is used is as in the document; what else changed in the item is unknown, which is reported."""

    def older(document: Document) -> None:
        for holder in (document["scenes"][0], document["nodes"][0]):
            extras = holder["extras"]
            inside = json.loads(extras["kinegraph"])
            del inside["members"]
            extras["kinegraph"] = json.dumps(inside)

    explained(report := convert(edited(arm, older), arm.with_name("out.xml")))
    assert of_rule(report, "gltf/edited") == []

    def moved(document: Document) -> None:
        older(document)
        by_name(document, "tip").update(MOVED)

    report = explained(convert(edited(arm, moved), arm.with_name("out.xml")))
    assert [(each.where, each.action) for each in of_rule(report, "gltf/edited")] == [
        ("frame/tip", "derived"),
        ("scene", "dropped"),
    ]


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("target", ["out.glb", "out.sdf", "out.xml", "out.urdf"])
def test_alpha_that_became_a_mask_is_one(arm: Path, target: str, colour: bool) -> None:
    """On its own, and together with another colour; where the format has no mask that is reported."""

    def mask(document: Document) -> None:
        look = document["materials"][0]
        look |= {"alphaMode": "MASK", "alphaCutoff": 0.25}
        if colour:
            look["pbrMetallicRoughness"]["baseColorFactor"] = [0, 1, 0, 1]

    report = explained(convert(edited(arm, mask), arm.with_name(target)))
    (told,) = of_rule(report, "gltf/edited")
    assert "0.25" in told.after and told.action == "derived"
    if target == "out.glb":
        looks = plain_gltf(arm.with_name(target)).document["materials"]
        assert [(each["alphaMode"], each["alphaCutoff"]) for each in looks if "alphaCutoff" in each] == [("MASK", 0.25)]
    else:
        assert any("MASK" in each.before and each.action in ("carried", "dropped") for each in report.findings)


def test_what_a_copy_of_the_graph_says_otherwise_is_found_by_comparison(arm: Path) -> None:
    def change(document: Document) -> None:
        extras = document["nodes"][0]["extras"]
        extras["kinegraph"] = extras["kinegraph"].replace('"damping":0.3', '"damping":0.25', 1)

    report = explained(convert(edited(arm, change), arm.with_name("out.xml")))
    assert [(each.where, each.before, each.after) for each in of_rule(report, "gltf/edited")] == [
        ("joint/turn.dofs.0.damping", "0.25", "0.3")
    ]


@pytest.mark.parametrize("inner", [("samplers", 0), ("channels", 0), ("channels", 0, "target")])
def test_what_was_put_into_an_animation_of_ours_is_told(arm: Path, inner: tuple[str | int, ...]) -> None:
    moving = arm.with_name("moving.gltf")
    convert(arm, moving, options=Options(trajectory=("sweep",)))
    path = edited(moving, lambda document: item("animations", 0, *inner)(document).update({"foo": 1}))
    (told,) = of_rule(explained(convert(path, arm.with_name("back.xml"))), "gltf/edited")
    assert told.action == "dropped"
    assert told.sources[0].path == "/".join(["/animations/0", *map(str, inner), "foo"])
