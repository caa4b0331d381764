"""Physics in glTF in every form of --physics: complete in the graph, the same robot without it, edits detected, and
what a form cannot express reported."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.convert import convert
from converters.gltf.scene.forms import FORMS
from converters.report.model import Action, Report
from tests.formats.gltf_arm import BODIES, SHAPES, by_name, edited, told
from tests.formats.gltf_bodies import LOCKED
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule

OMI = ["OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"]
USED = {"khr": [SHAPES, BODIES], "khr-2025": [SHAPES, BODIES], "omi": OMI, "none": []}
TETRAHEDRON = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
ROBOT = """<mujoco model="walker"><compiler angle="radian"/><asset><mesh name="foot" file="foot.obj"/></asset>
<worldbody>
<geom name="floor" type="plane" size="0 0 1"/>
<body name="trunk" pos="0 0 1"><freejoint name="root"/><inertial pos="0 .01 0" mass="5" diaginertia=".1 .2 .25"/>
<geom name="box" type="box" size=".2 .1 .05" friction="0.8"/>
<geom name="rod" type="capsule" size=".03 .2" pos="0 0 .1"/>
<body name="thigh" pos=".1 0 -.1" quat=".9 .1 .3 0"><joint name="hip" axis="0 .6 .8" range="-1 .5" damping=".3"/>
<inertial pos="0 0 -.1" quat=".8 .6 0 0" mass="2" diaginertia=".03 .02 .04"/>
<geom name="bar" type="cylinder" size=".04 .15" pos="0 0 -.15" quat=".7 .7 .1 0"/><geom name="cap" size=".05"/>
<body name="slide" pos="0 0 -.3"><joint name="leg" type="slide" axis="0 0 1" range="-.1 .2" stiffness="40"/>
<inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/><geom name="foot" type="mesh" mesh="foot"/>
</body></body></body></worldbody></mujoco>
"""
COMPARED = """jnt_type jnt_axis jnt_pos jnt_range jnt_limited jnt_stiffness qpos_spring dof_damping body_mass
body_inertia body_ipos geom_type geom_size geom_pos geom_contype geom_conaffinity"""
PUSHED = ROBOT.replace("</mujoco>", '<contact><exclude body1="trunk" body2="slide"/></contact></mujoco>')


def made(folder: Path, form: str, suffix: str = ".glb", text: str = ROBOT, **options: Any) -> tuple[Path, Report]:
    (folder / "foot.obj").write_text(TETRAHEDRON)
    source, target = folder / "walker.xml", folder / f"{form}{suffix}"
    source.write_text(text)
    return target, explained(convert(source, target, options=Options(physics=form, meshes="embed", **options)))


def without_graph(path: Path) -> Path:
    """Write a .gltf without the embedded graph, as another program might."""

    def stripped(document: dict[str, Any]) -> None:
        for holder in (*document["scenes"], *document["nodes"]):
            holder.pop("extras", None)

    return edited(path, stripped).rename(path.with_name(f"bare_{path.name}"))


@pytest.mark.parametrize("form", USED)
@pytest.mark.parametrize("compress", ["none", "quantize"])
def test_a_form_is_what_the_validator_takes_and_says_its_extensions(tmp_path: Path, form: str, compress: str):
    target, _ = made(tmp_path, form, ".gltf", PUSHED, compress=compress)
    assert complaints(khronos_reads([target])[0]) == []
    document = json.loads(target.read_bytes())
    assert sorted(each for each in document.get("extensionsUsed", ()) if "physics" in each or "shapes" in each) == (
        sorted(USED[form])
    )
    said = {name for node in document["nodes"] for name in node.get("extensions", {})} - {"KHR_lights_punctual"}
    assert said == {each for each in USED[form] if "shape" not in each}


@pytest.mark.parametrize("form", USED)
@pytest.mark.parametrize("target", ["xml", "urdf", "sdf"])
def test_the_graph_inside_is_whole_in_every_form(tmp_path: Path, form: str, target: str):
    source, _ = made(tmp_path, form, ".gltf", PUSHED)
    report = explained(convert(source, tmp_path / "back" / f"it.{target}"))
    assert {each.rule for each in report.findings} & {"gltf/edited", "gltf/saved", "carried/stale"} == set()
    convert(tmp_path / "walker.xml", tmp_path / "straight" / f"it.{target}")
    assert (tmp_path / "back" / f"it.{target}").read_text() == (tmp_path / "straight" / f"it.{target}").read_text()


def same_motion(one: mujoco.MjModel, other: mujoco.MjModel) -> None:
    """Check that two models have equal bodies, joints, masses and shapes, and equal poses at random positions."""
    assert [one.body(n).name for n in range(one.nbody)] == [other.body(n).name for n in range(other.nbody)]
    for name in COMPARED.split():
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9), name
    random_ = np.random.default_rng(1)
    for _ in range(10):
        position = random_.uniform(-1, 1, one.nq)
        states = []
        for model in (one, other):
            data = mujoco.MjData(model)
            data.qpos[:] = position
            mujoco.mj_forward(model, data)
            whole = np.zeros((model.nv, model.nv))
            mujoco.mj_fullM(model, data, whole)
            states.append((data.xpos.copy(), data.xmat.copy(), data.geom_xpos.copy(), whole))
        for ours, theirs in zip(*states, strict=True):
            assert np.abs(ours - theirs).max() < 1e-9


@pytest.mark.parametrize("form", ["khr-2025", "omi"])
def test_programs_that_know_no_graph_find_the_same_robot_in_mjcf(tmp_path: Path, form: str):
    flat = ROBOT.replace('<geom name="floor" type="plane" size="0 0 1"/>', "").replace(' friction="0.8"', "")
    models = []
    for each in ("khr", form):
        source = without_graph(made(tmp_path, each, ".gltf", flat)[0])
        explained(convert(source, tmp_path / each / "it.xml"))
        models.append(mujoco_model(tmp_path / each / "it.xml"))
    assert (models[0].njnt, models[0].ngeom) == (3, 10)
    same_motion(*models)


@pytest.mark.parametrize("form", ["khr-2025", "omi"])
def test_programs_that_know_no_graph_find_the_same_robot_in_urdf_and_sdf(tmp_path: Path, form: str):
    documents = {}
    for each in ("khr", form):
        source = without_graph(made(tmp_path, each, ".gltf")[0]).rename(tmp_path / "bare.gltf")
        for suffix in ("urdf", "sdf"):
            target = tmp_path / each / f"it.{suffix}"
            explained(convert(source, target))
            documents[each, suffix] = target
    ours, theirs = (pinocchio_model(documents[each, "urdf"], "free") for each in ("khr", form))
    assert [*ours.names] == [*theirs.names]
    assert ours.lowerPositionLimit == pytest.approx(theirs.lowerPositionLimit, abs=1e-9)
    assert ours.upperPositionLimit == pytest.approx(theirs.upperPositionLimit, abs=1e-9)
    for one, other in zip(ours.inertias, theirs.inertias, strict=True):
        assert one.matrix() == pytest.approx(other.matrix(), abs=1e-9)
    assert [sdformat_reads(documents[each, "sdf"])["errors"] for each in ("khr", form)] == [[], []]
    if form == "khr-2025":
        for suffix in ("urdf", "sdf"):
            assert documents["khr", suffix].read_text() == documents[form, suffix].read_text()


def test_before_2026_a_collider_names_the_node_that_shows_the_mesh_where_it_stands(tmp_path: Path):
    target, _ = made(tmp_path, "khr-2025", ".gltf", compress="quantize")
    document = json.loads(target.read_bytes())
    collider = by_name(document, "foot/collider")
    geometry = collider["extensions"][BODIES]["collider"]["geometry"]
    assert geometry.keys() == {"node", "convexHull"}
    shown = document["nodes"][geometry["node"]]
    assert shown["name"] == "foot" and "mesh" in shown
    assert {key: collider.get(key) for key in ("translation", "rotation", "scale")} == {
        key: shown.get(key) for key in ("translation", "rotation", "scale")
    }
    holders = [each["name"] for each in document["nodes"] if geometry["node"] in each.get("children", ())]
    assert holders == ["slide"]


def test_what_omi_says(tmp_path: Path):
    """OMI_physics_shape: the height of a capsule includes its caps, and meshes are shapes; OMI_physics_body: motions
    have a type; OMI_physics_joint: the table is that of KHR."""
    target, _ = made(tmp_path, "omi", ".gltf")
    document = json.loads(target.read_bytes())
    shapes = document["extensions"]["OMI_physics_shape"]["shapes"]
    capsule = by_name(document, "rod/collider")["extensions"]["OMI_physics_body"]["collider"]
    assert shapes[capsule["shape"]] == {"type": "capsule", "capsule": {"radius": 0.03, "height": 0.46}}
    foot = by_name(document, "foot/collider")["extensions"]["OMI_physics_body"]["collider"]
    convex = shapes[foot["shape"]]
    assert convex["type"] == "convex"
    assert document["meshes"][convex["convex"]["mesh"]]["primitives"]
    motion = by_name(document, "thigh")["extensions"]["OMI_physics_body"]["motion"]
    assert (motion["type"], motion["mass"]) == ("dynamic", 2.0)
    (tied,) = (each for each in document["nodes"] if each["name"] == "hip/parent")
    joint = tied["extensions"]["OMI_physics_joint"]
    assert document["nodes"][joint["connectedNode"]]["name"] == "hip/child"
    limits = document["extensions"]["OMI_physics_joint"]["physicsJoints"][joint["joint"]]["limits"]
    assert {"linearAxes": [0, 1, 2], **LOCKED} in limits
    assert {"angularAxes": [0], "min": -1.0, "max": 0.5} in limits


@pytest.mark.parametrize(
    ("text", "rule", "places"),
    [
        (ROBOT, "gltf/omi-plane", {"body/world.geoms.floor.shape.bounded"}),
        (ROBOT, "gltf/omi-contact", {"body/trunk.geoms.box.surface.mu"}),
        (PUSHED, "gltf/omi-contact", {"contact/trunk slide"}),
    ],
)
def test_what_omi_has_no_words_for_is_told(tmp_path: Path, text: str, rule: str, places: set[str]):
    _, report = made(tmp_path, "omi", text=text)
    assert places <= {each.where for each in of_rule(report, rule)}
    assert of_rule(made(tmp_path, "khr", text=text)[1], rule) == []


def test_a_body_that_says_no_mass_weighs_a_kilogram_in_omi(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/></joint></robot>'
    )
    report = explained(convert(tmp_path / "r.urdf", tmp_path / "r.glb", options=Options(physics="omi")))
    assert [(each.where, each.action) for each in of_rule(report, "gltf/omi-mass")] == [
        ("body/b.inertial", Action.APPROXIMATED)
    ]


def test_without_physics_the_report_tells_what_stands_in_the_graph_alone(tmp_path: Path):
    _, report = made(tmp_path, "none")
    found = of_rule(report, "gltf/no-physics")
    assert {each.action for each in found} == {Action.CARRIED}
    assert {each.where for each in found} >= {
        "body/trunk.inertial",
        "body/trunk.geoms.rod.shape",
        "joint/hip.dofs",
        "joint/leg.dofs",
    }


def _lower(document: dict[str, Any]) -> None:
    for entry in document["extensions"]["OMI_physics_shape"]["shapes"]:
        entry.get("capsule", {})["height"] = 1.0


def _elsewhere(document: dict[str, Any]) -> None:
    by_name(document, "foot/collider")["extensions"][BODIES]["collider"]["geometry"]["node"] = 0


def _untyped(document: dict[str, Any]) -> None:
    by_name(document, "thigh")["extensions"]["OMI_physics_body"]["motion"]["type"] = "static"


@pytest.mark.parametrize(
    ("form", "wrong", "address"),
    [
        ("omi", _lower, "draft-omi.body.geoms.shape.length"),
        ("omi", _untyped, "draft-omi.body.kinematic"),
        ("khr-2025", _elsewhere, "draft.body.geoms.shape"),
    ],
)
def test_what_a_form_says_otherwise_has_no_reason(
    tmp_path: Path, form: str, wrong: Callable[[Any], None], address: str, monkeypatch: pytest.MonkeyPatch
):
    own = FORMS[form].say

    def lying(document: dict[str, Any]) -> dict[str, Any]:
        said = own(document)
        wrong(said)
        return said

    monkeypatch.setattr("converters.gltf.writer.FORMS", {form: replace(FORMS[form], say=lying)})
    (tmp_path / "foot.obj").write_text(TETRAHEDRON)
    (tmp_path / "walker.xml").write_text(ROBOT)
    report = convert(tmp_path / "walker.xml", tmp_path / "it.glb", options=Options(physics=form))
    assert f"unexplained/{address}" in {each.rule for each in report.findings if each.action is Action.UNEXPLAINED}


def test_a_file_without_physics_is_not_said_to_have_some(tmp_path: Path):
    (tmp_path / "foot.obj").write_text(TETRAHEDRON)
    (tmp_path / "walker.xml").write_text(ROBOT)
    report = convert(tmp_path / "walker.xml", tmp_path / "it.glb", options=Options(physics="none"))
    said = {each.reason.split()[0] for each in report.findings if each.rule in ("gltf/joint", "gltf/inertia")}
    assert said == {"glTF"}


# ------------------------------------------------------------------------------------------------------------- edits


def _heavier(document: dict[str, Any]) -> None:
    (said,) = by_name(document, "thigh")["extensions"].values()
    said["motion"]["mass"] = 3.0


def _bounds(document: dict[str, Any]) -> list[dict[str, Any]]:
    joints = next(each["physicsJoints"] for each in document["extensions"].values() if "physicsJoints" in each)
    return [each for joint in joints for each in joint["limits"] if each.get("min") == -1.0]


def _wider(document: dict[str, Any]) -> None:
    _bounds(document)[0]["max"] = 0.75


def _thicker(document: dict[str, Any]) -> None:
    shapes = next(each["shapes"] for each in document["extensions"].values() if "shapes" in each)
    (capsule,) = (each["capsule"] for each in shapes if each["type"] == "capsule")
    capsule["height"] += 0.2


def _aside(document: dict[str, Any]) -> None:
    by_name(document, "box/collider")["translation"] = [0.3, 0, 0]


@pytest.mark.parametrize("form", ["khr", "khr-2025", "omi"])
@pytest.mark.parametrize(
    ("change", "place", "seen"),
    [
        (_heavier, "body/thigh.inertial", lambda model: model.body("thigh").mass[0] == 3.0),
        (_wider, "joint/hip", lambda model: model.joint("hip").range[1] == 0.75),
        (_thicker, "geom/rod", lambda model: abs(model.geom("rod").size[1] - 0.3) < 1e-9),
        (_aside, "geom/box", lambda model: model.geom("box").pos[0] == 0.3),
    ],
)
def test_an_edit_is_seen_in_every_form(
    tmp_path: Path, form: str, change: Callable[[dict[str, Any]], None], place: str, seen: Callable[[Any], bool]
):
    source, _ = made(tmp_path, form, ".gltf")
    path = edited(source, change)
    assert set(told(path, tmp_path / "back.xml")) == {place}
    model = mujoco_model(tmp_path / "back.xml")
    assert seen(model)
    assert model.geom("box").friction[0] == 0.8
    assert model.geom("floor").type[0] == mujoco.mjtGeom.mjGEOM_PLANE


def test_omi_that_another_program_took_out_leaves_the_joints_in_the_graph(tmp_path: Path):
    source, _ = made(tmp_path, "omi", ".gltf")

    def bare(document: dict[str, Any]) -> None:
        for holder in (document, *document["nodes"]):
            for name in OMI:
                holder.get("extensions", {}).pop(name, None)
        document["extensionsUsed"] = [each for each in document["extensionsUsed"] if each not in OMI]

    assert told(edited(source, bare), tmp_path / "back.xml") == {}
    assert mujoco_model(tmp_path / "back.xml").njnt == 3


WRONG: list[Any] = [None, -1, 99, 1e308, True, "x", [], {}, [0], [{}], {"a": 1}, {"type": "convex"}]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield (*path, key)
        yield from _places(each, (*path, key))


@pytest.mark.parametrize("form", ["khr-2025", "omi"])
def test_physics_that_somebody_has_broken_is_read_or_refused(tmp_path: Path, form: str):
    source, _ = made(tmp_path, form, ".gltf")
    document = json.loads(source.read_bytes())
    places = [path for path in _places(document) if "extensions" in path or path[-1] in ("nodes", "extensionsUsed")]
    random_ = random.Random(1)
    for path in random_.sample(places, 60):
        broken = copy.deepcopy(document)
        *above, key = path
        holder = broken
        for step in above:
            holder = holder[step]
        holder[key] = random_.choice(WRONG)
        (tmp_path / "broken.gltf").write_text(json.dumps(broken))
        try:
            explained(convert(tmp_path / "broken.gltf", tmp_path / "broken.xml", options=Options(audit=False)))
        except InputError as error:
            assert error.source is not None
