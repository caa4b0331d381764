"""The softness of joint limits: <stiffness> and <dissipation> of SDFormat, stiffness and damping of glTF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from converters import read
from converters.comparing import compare
from converters.convert import convert
from ir.types import Stop
from tests.formats.gltf_arm import edited, told
from tests.formats.gltf_bodies import BODIES, HINGE, one, pendulum
from tests.formats.gltf_made import left, scene_of
from tests.formats.sdf_text import axis, joint, limit, link, put, sdf, xml
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule


def stopped(inner: str) -> str:
    return link("base") + link("arm") + joint("turn", "base", "arm", axis(inner=limit(-1, 1, inner)))


def bound(path: Path) -> dict[str, Any]:
    """Return the only limit of a glTF output whose minimum and maximum differ."""
    limits = [
        entry
        for each in plain_gltf(path).document["extensions"][BODIES]["physicsJoints"]
        for entry in each["limits"]
        if entry.get("min") != entry.get("max")
    ]
    (found,) = limits
    return found


def soft(**members: Any) -> list[dict[str, Any]]:
    return [*HINGE, {"angularAxes": [0], "min": -1, "max": 0.5} | members]


@pytest.mark.parametrize(
    ("inner", "stop"),
    [
        ("<stiffness>500</stiffness><dissipation>0.2</dissipation>", Stop(stiffness=500.0, dissipation=0.2)),
        ("<stiffness>500</stiffness>", Stop(stiffness=500.0, dissipation=1.0)),
        ("<dissipation>0.2</dissipation>", Stop(stiffness=1e8, dissipation=0.2)),
        ("<stiffness>1e8</stiffness><dissipation>1</dissipation>", None),
        ("", None),
    ],
)
def test_a_stop_of_sdformat(tmp_path: Path, inner: str, stop: Stop | None):
    scene = read(put(tmp_path, sdf(stopped(inner))))
    held = scene.joints["turn"]
    assert (held.extras, held.dofs[0].stop) == ((), stop)


@pytest.mark.parametrize("inner", ["<stiffness>500</stiffness>", "<stiffness>100000000</stiffness>"])
def test_sdformat_says_it_again_as_its_author_did(tmp_path: Path, inner: str):
    explained(convert(put(tmp_path, sdf(stopped(inner))), tmp_path / "b.sdf"))
    (found,) = xml(tmp_path / "b.sdf").iter("limit")
    assert [each.tag for each in found] == ["lower", "upper", "stiffness"]


def test_the_stiffness_of_a_stop_is_that_of_a_limit_of_gltf(tmp_path: Path):
    said = "<stiffness>500</stiffness><dissipation>0</dissipation>"
    source = put(tmp_path, sdf(stopped(said)))
    explained(convert(source, tmp_path / "a.glb"))
    assert bound(tmp_path / "a.glb") == {"angularAxes": [0], "min": -1.0, "max": 1.0, "stiffness": 500.0}


def test_dissipation_is_no_damping(tmp_path: Path):
    """Only Simbody reads it: the force depends on the depth, not on the speed only (Hunt and Crossley)."""
    source = put(tmp_path, sdf(stopped("<stiffness>500</stiffness>")))
    report = explained(convert(source, tmp_path / "a.glb"))
    assert "damping" not in bound(tmp_path / "a.glb")
    assert [(each.action, each.where) for each in of_rule(report, "gltf/stop")] == [
        ("approximated", "joint/turn.dofs.0.stop.dissipation")
    ]


def test_a_limit_of_gltf_is_a_stop(tmp_path: Path):
    scene = scene_of(pendulum({"limits": soft(stiffness=500, damping=3)}))
    assert one(scene, "bob")[1].stop == Stop(stiffness=500.0, damping=3.0)
    assert not left(scene)


@pytest.mark.parametrize("target", ["b.glb", "b.sdf", "b.xml", "b.urdf"])
def test_a_limit_of_gltf_comes_back(tmp_path: Path, target: str):
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": soft(stiffness=500, damping=3)}).glb())
    explained(convert(tmp_path / "a.glb", tmp_path / target))
    explained(convert(tmp_path / target, tmp_path / "c.glb"))
    assert bound(tmp_path / "c.glb") == {
        "angularAxes": [0],
        "min": -1.0,
        "max": 0.5,
        "stiffness": 500.0,
        "damping": 3.0,
    }


@pytest.mark.parametrize(("damping", "findings"), [(0.0, 0), (3.0, 1)])
def test_in_sdformat_the_damping_of_a_limit_has_no_place(tmp_path: Path, damping: float, findings: int):
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": soft(stiffness=500, damping=damping)}).glb())
    report = explained(convert(tmp_path / "a.glb", tmp_path / "b.sdf"))
    (found,) = xml(tmp_path / "b.sdf").iter("limit")
    assert (found.findtext("stiffness"), found.findtext("dissipation")) == ("500", "0")
    assert [each.action for each in of_rule(report, "sdf/stop")] == ["carried"] * findings


@pytest.mark.parametrize("target", ["b.xml", "b.urdf"])
def test_other_formats_tell_that_their_bounds_are_hard(tmp_path: Path, target: str):
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": soft(stiffness=500)}).glb())
    report = explained(convert(tmp_path / "a.glb", tmp_path / target))
    rule = {"b.xml": "mjcf/stop", "b.urdf": "urdf/stop"}[target]
    assert [each.action for each in of_rule(report, rule)] == ["carried"]


def test_of_two_limits_of_an_axis_none_says_how_hard_it_is():
    limits = [*soft(stiffness=500), {"angularAxes": [0], "min": -2, "stiffness": 20}]
    scene = scene_of(pendulum({"limits": limits}))
    assert one(scene, "bob")[1].stop is None
    kept = {path for path in left(scene) if path.endswith("stiffness")}
    assert {path.rsplit("/", 2)[-2] for path in kept} == {"2", "3"}


def test_the_cone_of_a_ball_gives_way(tmp_path: Path):
    cone = {"angularAxes": [0, 1, 2], "max": 0.5, "stiffness": 50.0, "damping": 2.0}
    (tmp_path / "a.glb").write_bytes(pendulum({"limits": [HINGE[0], cone]}).glb())
    explained(convert(tmp_path / "a.glb", tmp_path / "b.glb"))
    assert bound(tmp_path / "b.glb") == cone


def test_a_stop_that_was_edited_counts(tmp_path: Path):
    source = put(tmp_path, sdf(stopped("")))
    explained(convert(source, tmp_path / "a.gltf"))

    def change(document: dict[str, Any]) -> None:
        limits = document["extensions"][BODIES]["physicsJoints"][0]["limits"]
        next(each for each in limits if each["min"] != each["max"])["stiffness"] = 70

    told(edited(tmp_path / "a.gltf", change), tmp_path / "b.sdf")
    (found,) = xml(tmp_path / "b.sdf").iter("limit")
    assert (found.findtext("stiffness"), found.findtext("dissipation")) == ("70", "0")
    assert json.loads((tmp_path / "a.gltf").read_text())["asset"]["version"] == "2.0"


@pytest.mark.parametrize(
    ("inner", "where"), [("", "joint/turn.stop"), ("<stiffness>501</stiffness>", "joint/turn.stop.stiffness")]
)
def test_with_other_stops_it_is_another_robot(tmp_path: Path, inner: str, where: str):
    soft = put(tmp_path, sdf(stopped("<stiffness>500</stiffness>")))
    other = put(tmp_path, sdf(stopped(inner)), "other.sdf")
    assert [each.where for each in compare(soft, other)] == [where]
    assert compare(soft, soft) == []
