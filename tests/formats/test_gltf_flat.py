"""A glTF with all bodies at one level (--hierarchy flat): they are posed as in engines, at rest and in motion; the
graph comes back whole, and readers without it find the same robot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert, load
from converters.gltf.scene import layout
from converters.report.model import Action, Report
from ir.pose import compose
from ir.types import Pose
from tests.files import saved
from tests.formats.gltf_arm import by_name, edited, told
from tests.formats.gltf_written import UP
from tests.formats.test_gltf_forms import PUSHED, TETRAHEDRON, same_motion, without_graph
from tests.oracles.in_havok import havok_moves
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import Plain, local, plain_gltf
from tests.reports import explained, of_rule

ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>
  <link name="upper"><inertial><origin xyz="0 0 .2"/><mass value="2"/>
      <inertia ixx="0.2" iyy="0.3" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 .2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual></link>
  <link name="lower"><inertial><origin xyz="0 0 .3" rpy="0.1 0.2 0.3"/><mass value="1"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rail"><inertial><mass value="0.5"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><visual name="tip"><geometry><sphere radius="0.02"/></geometry></visual></link>
  <joint name="shoulder" type="revolute"><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><parent link="base"/>
    <child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="1"/></joint>
  <joint name="elbow" type="continuous"><origin xyz="0 0 0.4" rpy="0 0 0.7"/><parent link="upper"/>
    <child link="lower"/><axis xyz="1 0 0"/></joint>
  <joint name="slide" type="prismatic"><origin xyz="0 0.1 0.5" rpy="0 1 0"/><parent link="lower"/>
    <child link="rail"/><axis xyz="0 0.6 0.8"/><limit lower="0" upper="0.4" effort="10" velocity="1"/></joint>
  <joint name="mount" type="fixed"><origin xyz="0 0 0.1"/><parent link="rail"/><child link="tool"/></joint>
</robot>
"""
ANCHORED = """<mujoco><worldbody><body name="door" pos="1 0 0" quat=".9 .1 0 .2">
  <joint name="hinge" axis="0 0 1" pos="-1 0.5 0"/><joint name="tilt" axis="1 0 0" pos="-1 0.5 0"/>
  <geom type="box" size="1 .1 1"/><body name="knob" pos=".5 0 0"><joint name="turn" axis="0 1 0" pos="0.1 0 0"/>
  <geom size=".1"/></body></body></worldbody></mujoco>"""


def flat(folder: Path, text: str = ARM, name: str = "flat.glb", **options: Any) -> tuple[Path, Report]:
    folder.mkdir(exist_ok=True)
    (folder / "foot.obj").write_text(TETRAHEDRON)
    source = saved(folder / ("r.urdf" if text.startswith("<robot") else "r.xml"), text)
    settings = {"hierarchy": "flat", "meshes": "embed", **options}
    return folder / name, explained(convert(source, folder / name, options=Options(**settings)))


def holders(document: dict[str, Any]) -> dict[str, str]:
    """Return, for each body, the parent node in the visible scene."""
    nodes = document["nodes"]
    found: dict[str, str] = {}
    stack = [*document["scenes"][0]["nodes"]]
    while stack:
        at = nodes[stack.pop()]
        for child in at.get("children", ()):
            stack.append(child)
            if nodes[child]["extras"]["kinegraph_kind"] == "body":
                found[nodes[child]["name"]] = at["name"]
    return found


def model_of(folder: Path) -> mujoco.MjModel:
    """Return MuJoCo's reading of the source, including static bodies."""
    source = next(path for path in (folder / "r.xml", folder / "r.urdf") if path.exists())
    if source.suffix == ".urdf":
        text = source.read_text().replace(
            "</robot>", '<mujoco><compiler fusestatic="false" balanceinertia="true"/></mujoco></robot>'
        )
        return mujoco.MjModel.from_xml_string(text)
    return mujoco_model(source)


def stands(model: mujoco.MjModel, values: dict[str, float]) -> dict[str, np.ndarray]:
    data = mujoco.MjData(model)
    for name, value in values.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    mujoco.mj_forward(model, data)
    found = {}
    for number in range(1, model.nbody):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[number].reshape(3, 3), data.xpos[number]
        found[model.body(number).name] = pose
    return found


def worlds(document: Plain) -> dict[str, np.ndarray]:
    nodes = document.nodes()
    return {node["name"]: world for node, world in nodes if node["extras"]["kinegraph_kind"] == "body"}


def test_every_body_of_an_engine_hangs_on_the_model_and_what_is_rigid_with_one_on_that(tmp_path: Path):
    """A massless link is part of the body it is attached to, and engines do not move it by itself."""
    target, _ = flat(tmp_path)
    assert complaints(khronos_reads([target])[0]) == []
    assert holders(plain_gltf(target).document) == {
        "base": "arm", "upper": "arm", "lower": "arm", "rail": "arm", "tool": "rail",
    }  # fmt: skip


@pytest.mark.parametrize("text", [ARM, ANCHORED], ids=["arm", "anchored"])
@pytest.mark.parametrize("compress", ["none", "quantize"])
def test_bodies_stand_where_mujoco_has_them(tmp_path: Path, text: str, compress: str):
    joints = ("shoulder", "elbow", "slide") if text == ARM else ("hinge", "tilt", "turn")
    random = np.random.default_rng(3)
    for number in range(4):
        values = dict(zip(joints, random.uniform(0, 0.4, 3).tolist(), strict=True))
        pose = tuple(f"{name}={value!r}" for name, value in values.items())
        target, _ = flat(tmp_path, text, f"{number}.glb", pose=pose, compress=compress)
        found = worlds(plain_gltf(target))
        for name, expected in stands(model_of(tmp_path), values).items():
            assert np.abs(found[name] - expected).max() < 1e-9, name


@pytest.mark.parametrize("text", [ARM, ANCHORED, PUSHED], ids=["arm", "anchored", "walker"])
@pytest.mark.parametrize("target", ["xml", "urdf", "sdf"])
def test_the_graph_comes_back_whole(tmp_path: Path, text: str, target: str):
    source, report = flat(tmp_path, text)
    assert {each.action for each in of_rule(report, "gltf/flat")} <= {Action.CARRIED}
    back = explained(convert(source, tmp_path / "back" / f"it.{target}"))
    assert {each.rule for each in back.findings} & {"gltf/edited", "gltf/saved", "carried/stale"} == set()
    first = tmp_path / ("r.urdf" if text == ARM else "r.xml")
    convert(first, tmp_path / "straight" / f"it.{target}")
    assert (tmp_path / "back" / f"it.{target}").read_text() == (tmp_path / "straight" / f"it.{target}").read_text()


@pytest.mark.parametrize("form", ["khr", "khr-2025", "omi"])
@pytest.mark.parametrize("text", [ARM, PUSHED], ids=["arm", "walker"])
def test_whoever_knows_no_graph_finds_the_same_tree(tmp_path: Path, text: str, form: str):
    found = []
    for hierarchy in ("nested", "flat"):
        source, _ = flat(tmp_path, text, f"{hierarchy}.gltf", hierarchy=hierarchy, physics=form)
        explained(convert(without_graph(source), tmp_path / hierarchy / "it.xml"))
        found.append(mujoco_model(tmp_path / hierarchy / "it.xml"))
    assert [model.njnt for model in found] == [3, 3]
    same_motion(*found)


# ----------------------------------------------------------------------------------------------------------- motions

MOVE = "time,{}\n0,0,0,0\n0.5,1.5,2.9,0.4\n2,-1.9,-3.0,0.1\n"


def _animated(folder: Path, text: str) -> tuple[Plain, dict[str, Any], tuple[str, ...], Path]:
    joints = ("shoulder", "elbow", "slide") if text == ARM else ("hinge", "tilt", "turn")
    (folder / "move.csv").write_text(MOVE.format(",".join(joints)))
    target, _ = flat(folder, text, trajectory=(str(folder / "move.csv"),))
    document = plain_gltf(target)
    (clip,) = (each for each in document.document["animations"] if each["name"] == "move")
    return document, clip, joints, target


def played(document: Plain, clip: dict[str, Any], time: float) -> dict[str, np.ndarray]:
    """Return the world matrices of bodies at a time, by glTF 3.11 (LINEAR: linear interpolation, and slerp)."""
    nodes = [dict(node) for node in document.document["nodes"]]
    for channel in clip["channels"]:
        sampler = clip["samplers"][channel["sampler"]]
        times, rows = document.array(sampler["input"])[:, 0], document.array(sampler["output"])
        at = min(max(int(np.searchsorted(times, time, side="right")) - 1, 0), len(times) - 2)
        part = (time - times[at]) / (times[at + 1] - times[at])
        one, other = rows[at], rows[at + 1]
        value = (1 - part) * one + part * other
        if channel["target"]["path"] == "rotation":
            other = other * (1 if one @ other >= 0 else -1)
            angle = np.arccos(min(one @ other / np.linalg.norm(one) / np.linalg.norm(other), 1.0))
            if angle > 1e-6:
                value = (np.sin((1 - part) * angle) * one + np.sin(part * angle) * other) / np.sin(angle)
        nodes[channel["target"]["node"]][channel["target"]["path"]] = value.tolist()
    return worlds(Plain({**document.document, "nodes": nodes}, document.buffers))


@pytest.mark.parametrize("text", [ARM, ANCHORED], ids=["arm", "anchored"])
def test_between_two_samples_bodies_are_where_mujoco_has_them(tmp_path: Path, text: str):
    document, clip, joints, _ = _animated(tmp_path, text)
    model = model_of(tmp_path)
    keys = [(0.0, np.zeros(3)), (0.5, np.array([1.5, 2.9, 0.4])), (2.0, np.array([-1.9, -3.0, 0.1]))]
    for time in np.random.default_rng(5).uniform(0, 2, 300):
        (start, before), (end, after) = keys[:2] if time < 0.5 else keys[1:]
        now = before + (after - before) * (time - start) / (end - start)
        expected = stands(model, dict(zip(joints, now.tolist(), strict=True)))
        for name, world in played(document, clip, float(time)).items():
            if name in expected:
                assert np.linalg.norm(world[:3, 3] - expected[name][:3, 3]) < 1e-4, (name, time)
                assert np.abs(world - expected[name]).max() < 2e-4, (name, time)
    assert len(clip["channels"]) <= 2 * 4
    assert len(document.array(clip["samplers"][0]["input"])) < 1000


def test_three_plays_it(tmp_path: Path):
    _, _, joints, target = _animated(tmp_path, ARM)
    model = model_of(tmp_path)
    requests = [{"file": str(target), "clip": "move", "time": time} for time in (0.123, 0.25, 0.777)]
    for request, answer in zip(requests, three_shows(requests), strict=True):
        time = float(str(request["time"]))
        first, last = np.array([1.5, 2.9, 0.4]), np.array([-1.9, -3.0, 0.1])
        now = first * time / 0.5 if time < 0.5 else first + (last - first) * (time - 0.5) / 1.5
        assert answer["errors"] == []
        for name, expected in stands(model, dict(zip(joints, now.tolist(), strict=True))).items():
            found = np.reshape(answer["worlds"][name], (4, 4)).T
            assert np.abs(found - UP @ expected).max() < 2e-4, name


def test_a_motion_comes_back_as_one_of_the_joints(tmp_path: Path):
    _, _, joints, target = _animated(tmp_path, ARM)
    found = {each.name: each for each in load(target).context.motions}["move"]
    assert set(found.tracks) == set(joints)
    for number, name in enumerate(joints):
        wanted = np.interp(found.times, [0, 0.5, 2], [0, (1.5, 2.9, 0.4)[number], (-1.9, -3.0, 0.1)[number]])
        assert np.abs(found.tracks[name][:, 0] - wanted).max() < 1e-5


def test_what_stands_still_in_a_motion_has_none(tmp_path: Path):
    (tmp_path / "move.csv").write_text("time,elbow\n0,0\n1,1\n")
    target, _ = flat(tmp_path, trajectory=(str(tmp_path / "move.csv"),), pose=("shoulder=0.4",))
    (found,) = (each for each in load(target).context.motions)
    assert set(found.tracks) == {"elbow"}


@pytest.mark.parametrize(("hierarchy", "function"), [("flat", "forward"), ("nested", "placement")])
def test_a_body_that_is_written_elsewhere_has_no_reason(
    tmp_path: Path, hierarchy: str, function: str, monkeypatch: pytest.MonkeyPatch
):
    own = getattr(layout, function)
    aside = Pose((0.0, 0.001, 0.0))

    def lying(*arguments: Any) -> Any:
        made = own(*arguments)
        if isinstance(made, Pose):
            return compose(made, aside) if arguments[0].child == "lower" else made
        return {name: compose(pose, aside) if name == "lower" else pose for name, pose in made.items()}

    monkeypatch.setattr(layout, function, lying)
    (tmp_path / "r.urdf").write_text(ARM)
    report = convert(tmp_path / "r.urdf", tmp_path / "r.glb", options=Options(hierarchy=hierarchy))
    found = {each.where for each in report.findings if each.action is Action.UNEXPLAINED}
    assert "body/lower.pose" in found


# ------------------------------------------------------------------------------------------------------------- edits


def _turned(document: dict[str, Any]) -> None:
    """Move the lower arm; what is attached to it stays."""
    by_name(document, "lower")["translation"] = [0.5, 0.25, 0.75]


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (_turned, {"joint/elbow", "joint/slide"}),
        (lambda document: by_name(document, "rail").update(translation=[1, 2, 3]), {"joint/slide"}),
    ],
)
def test_a_body_that_somebody_moves_stands_there_and_all_others_stay(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], places: set[str]
):
    source, _ = flat(tmp_path, name="flat.gltf")
    path = edited(source, change)
    found = told(path, tmp_path / "back.xml")
    assert set(found) == places
    if "joint/elbow" in places:
        assert "its own was not" in found["joint/slide"].reason
    shown = worlds(plain_gltf(path))
    for name, pose in stands(mujoco_model(tmp_path / "back.xml"), {}).items():
        assert np.abs(shown[name] - pose).max() < 1e-9, name


# ------------------------------------------------------------------------------------------------------------ engines


def test_it_falls_in_havok_as_the_nested_one_does(tmp_path: Path):
    ways = []
    for hierarchy in ("nested", "flat"):
        target, _ = flat(tmp_path, name=f"{hierarchy}.glb", hierarchy=hierarchy, pose=("shoulder=0.5", "elbow=0.3"))
        ways.append(havok_moves([target], 0.5)[0])
    assert ways[0].keys() == ways[1].keys() == {"upper", "lower", "rail"}
    for name, way in ways[0].items():
        assert np.ptp(way, axis=0).max() > 0.05
        assert np.abs(way - ways[1][name]).max() < 2e-3, name  # single precision, and bodies in another order


def test_without_a_word_nodes_are_nested(tmp_path: Path):
    target, _ = flat(tmp_path, name="it.gltf", hierarchy="nested")
    assert holders(json.loads(target.read_bytes()))["rail"] == "lower"
    assert local(by_name(json.loads(target.read_bytes()), "rail"))[:3, 3] == pytest.approx([0, 0.1, 0.5])


def test_a_sweep_of_a_model_without_joints_moves_nothing(tmp_path: Path):
    text = '<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>'
    path, _ = flat(tmp_path / "still", text, trajectory=("sweep",))
    assert not plain_gltf(path).document.get("animations")
    assert complaints(khronos_reads([path])[0]) == []
