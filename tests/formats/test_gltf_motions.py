"""A pose and motions in a file of Kinegraph: next to the physics, and restored when it is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from converters.context import Motion, Options
from converters.convert import convert, load, read
from converters.gltf.scene.positions import positions_over
from converters.gltf.writing.animation import animations
from converters.posing import Clip
from converters.report.model import Report
from converters.viewer.view import view
from ir.kinematics import forward
from ir.types import Joint, Pose
from tests.bench.robots import chain
from tests.files import saved
from tests.formats.gltf_arm import by_name
from tests.formats.gltf_written import ARM, UP, as_matrix
from tests.formats.test_gltf_graph import edit, parts, through
from tests.formats.test_gltf_havok import START, TURNING, angles, expected, joint, link, moved, period, robot
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_three import three_shows
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

POSE = ("shoulder=60deg", "grip=0.01")
WALK = "time,shoulder,grip\n0,0,0.02\n1,2.5,0.01\n2,-1.5,0.03\n"


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "walk.csv").write_text(WALK)
    return tmp_path / "arm.urdf"


def to(source: Path, name: str, **options: Any) -> tuple[Path, Report]:
    target = source.with_name(name)
    return target, convert(source, target, options=Options(**options))


def told(report: Report, rule: str) -> list[tuple[str, str]]:
    explained(report)
    return [(finding.action, finding.where) for finding in of_rule(report, rule)]


def clips(path: Path) -> dict[str, list[tuple[int, str, np.ndarray[Any, Any]]]]:
    """Return, for each animation, the node, the path and the samples of each channel."""
    document = plain_gltf(path)
    return {
        clip["name"]: [
            (
                each["target"]["node"],
                each["target"]["path"],
                document.array(clip["samplers"][each["sampler"]]["output"]),
            )
            for each in clip["channels"]
        ]
        for clip in document.document.get("animations", [])
    }


# ------------------------------------------------------------------------------------------------------------- physics


def test_a_motion_leaves_the_physics_alone(arm: Path):
    still, moving = to(arm, "still.glb")[0], to(arm, "moving.glb", trajectory=("sweep",))[0]
    one, other = plain_gltf(still).document, plain_gltf(moving).document
    assert "KHR_physics_rigid_bodies" in other["extensionsUsed"]
    assert other["extensions"] == one["extensions"]
    assert [each.get("extensions") for each in other["nodes"]] == [each.get("extensions") for each in one["nodes"]]
    assert [each["name"] for each in other["animations"]] == ["sweep"]


def test_an_animated_pendulum_swings_in_havok(tmp_path: Path):
    mass, down, inertia = 2.0, 0.4, 0.05
    text = robot(
        link("bob", mass, down, (0.09, inertia, 0.07)), joint("hinge", "revolute", "base", "bob", "0.1 0.2 1", TURNING)
    )
    way = moved(tmp_path, text, 8.0, pose=(f"hinge={START}",), trajectory=("sweep",))["bob"]
    assert "animations" in plain_gltf(tmp_path / "robot.glb").document
    assert period(angles(way)) == pytest.approx(expected(inertia + mass * down**2, mass * 9.81 * down), rel=0.01)


# --------------------------------------------------------------------------------------------------------------- poses


def worlds(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    answer = three_shows([{"file": str(path)}])[0]
    assert answer["errors"] == []
    return {name: np.reshape(numbers, (4, 4)).T for name, numbers in answer["worlds"].items()}


def test_the_pose_of_a_file_is_a_keyframe_and_stays_what_is_shown(arm: Path):
    posed, report = to(arm, "posed.glb", pose=POSE)
    assert told(report, "pose/keyframe") == [("derived", "keyframe/as_drawn")]
    there = dict(read(posed).tables["keyframe"]["as_drawn"].positions)
    assert there == {"shoulder": (math.pi / 3,), "grip": (0.01,), "follow": (pytest.approx(0.025),)}
    again, report = to(posed, "again.glb")
    assert told(report, "pose/keyframe") == []
    wanted = forward(read(arm), {name: value[0] for name, value in there.items()})
    for file in (posed, again):
        for name, place in worlds(file).items():
            assert np.abs(place - UP @ as_matrix(wanted[name])).max() < 1e-5
    assert parts(posed)[0]["nodes"] == parts(again)[0]["nodes"]


def test_mujoco_has_the_pose_of_a_file_and_it_comes_back_from_there(arm: Path):
    posed = to(arm, "posed.glb", pose=POSE)[0]
    target = to(posed, "posed.xml")[0]
    model = mujoco_model(target)
    key = model.key("as_drawn")
    assert key.qpos[model.joint("shoulder").qposadr[0]] == pytest.approx(math.pi / 3)
    assert key.qpos[model.joint("grip").qposadr[0]] == pytest.approx(0.01)
    back = to(target, "back.glb")[0]
    assert by_name(parts(back)[0], "upper")["rotation"] == by_name(parts(posed)[0], "upper")["rotation"]


def test_a_picture_and_a_page_of_a_posed_file_show_the_pose(arm: Path):
    posed = to(arm, "posed.glb", pose=POSE)[0]
    asked, shown, straight = (
        np.asarray(Image.open(to(source, name, size=(80, 60), **options)[0]))
        for source, name, options in ((arm, "a.png", {"pose": POSE}), (posed, "b.png", {}), (arm, "c.png", {}))
    )
    assert np.abs(asked.astype(int) - shown).max() <= 2 < np.abs(asked.astype(int) - straight).max()
    assert f'"shoulder":[{math.pi / 3!r}]' in view(posed)[0].replace(" ", "")


def elements(path: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return tags and attributes of a URDF without carried data."""
    found = [(str(each.tag), sorted(each.attrib.items())) for each in etree.parse(path).getroot().iter()]
    return [each for each in found if "carried" not in each[0]]


def test_a_posed_file_gives_its_urdf_back(arm: Path):
    direct = to(arm, "direct.urdf")[0]
    posed = to(arm, "posed.glb", pose=POSE)[0]
    back, report = to(posed, "back.urdf")
    assert report.findings == ()
    assert elements(back) == elements(direct)
    state = etree.parse(back.with_suffix(".srdf")).find("group_state")
    assert state is not None
    assert state.get("name") == "as_drawn"
    assert {each.get("name"): float(each.get("value") or "") for each in state} == {
        "shoulder": math.pi / 3,
        "grip": 0.01,
        "follow": pytest.approx(0.025),
    }


def test_words_of_a_pose_come_before_what_is_drawn(arm: Path):
    posed = to(arm, "posed.glb", pose=POSE)[0]
    again, report = to(posed, "again.glb", pose=("grip=0.02",))
    assert told(report, "pose/keyframe") == [("derived", "keyframe/as_drawn")]
    there = dict(read(again).tables["keyframe"]["as_drawn"].positions)
    assert there == {"shoulder": (math.pi / 3,), "grip": (0.02,), "follow": (pytest.approx(0.045),)}


def test_what_is_moved_in_a_posed_file_moves_from_there(arm: Path):
    posed, other = to(arm, "posed.glb", pose=POSE)[0], to(arm, "other.glb", pose=("shoulder=0.2",))[0]

    def move(document: dict[str, Any]) -> None:
        by_name(document, "upper")["rotation"] = by_name(parts(other)[0], "upper")["rotation"]

    there = dict(read(edit(posed, move)).tables["keyframe"]["as_drawn"].positions)
    assert there["shoulder"] == (pytest.approx(0.2, abs=1e-6),)
    assert there["grip"] == (0.01,)


def test_a_limit_that_excludes_zero_is_told(arm: Path):
    arm.write_text(ARM.replace('lower="-2"', 'lower="0.5"'))
    _, report = to(arm, "arm.glb")
    assert told(report, "pose/limit") == [("derived", "joint/grip"), ("derived", "joint/shoulder")]


# ------------------------------------------------------------------------------------------------------------- motions


def test_motions_of_a_file_are_written_again(arm: Path):
    first, _ = to(arm, "first.glb", trajectory=(f"walk={arm.with_name('walk.csv')}",))
    again, report = to(first, "again.glb")
    one, other = clips(first), clips(again)
    assert one.keys() == other.keys() == {"walk"}
    for (node, path, rows), (node_, path_, rows_) in zip(one["walk"], other["walk"], strict=True):
        assert (node, path) == (node_, path_)
        assert np.abs(rows - rows_).max() < 1e-6
    assert told(report, "gltf/motion") == []
    assert "walk" in view(first)[0]


def motion(path: Path) -> Motion:
    (found,) = load(path).context.motions
    return found


def at(times: np.ndarray[Any, Any], motion: Motion, name: str) -> np.ndarray[Any, Any]:
    return np.interp(times, motion.times, motion.tracks[name][:, 0])


def test_what_stands_still_has_samples_where_it_moves_alone(arm: Path):
    """Otherwise the size of a sweep would grow with the square of the number of joints."""
    walk = "time,shoulder,grip\n0,0,0.02\n1,0,0.01\n2,0,0.01\n3,0,0.01\n4,0,0.01\n5,0.5,0.01\n6,0.5,0.01\n7,0.5,0.01\n"
    (arm.with_name("walk.csv")).write_text(walk + "8,0.5,0.01\n9,0.5,0.01\n")
    first, report = to(arm, "first.glb", trajectory=(f"walk={arm.with_name('walk.csv')}",))
    told(report, "gltf/motion")
    assert sorted({len(rows) for *_, rows in clips(first)["walk"]}) == [3, 9]
    found = motion(first)
    assert found.times.tolist() == [*range(10)]
    assert found.tracks["grip"][:, 0] == pytest.approx([0.02, *[0.01] * 9], abs=1e-7)
    assert found.tracks["shoulder"][:, 0] == pytest.approx([*[0.0] * 5, *[0.5] * 5], abs=1e-6)


def test_a_motion_that_another_program_thinned_out_is_the_same(arm: Path):
    rows = [f"{n / 50},{math.sin(n / 30)},{0.02 + n / 1e4 if n < 80 else 0.028}" for n in range(200)]
    (arm.with_name("walk.csv")).write_text("time,shoulder,grip\n" + "\n".join(rows) + "\n")
    first, _ = to(arm, "first.glb", trajectory=(f"walk={arm.with_name('walk.csv')}",))
    thinned = first.with_name("thinned.glb")
    through("resample", first, thinned)
    lengths = {len(rows) for *_, rows in clips(thinned)["walk"]}
    assert len(lengths) > 1
    assert max(lengths) < 200
    one, other = motion(first), motion(thinned)
    for name in ("shoulder", "grip"):
        assert at(one.times, other, name) == pytest.approx(one.tracks[name][:, 0], abs=5e-4)
    assert told(to(thinned, "again.glb")[1], "gltf/motion") == []


def test_a_motion_that_starts_past_half_a_turn_is_the_one_that_was_asked_for(tmp_path: Path):
    """A rotation does not count whole turns: reading it back gives one turn less."""
    text = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
    (tmp_path / "r.urdf").write_text(text + '<child link="b"/><axis xyz="0 0 1"/></joint></robot>')
    (tmp_path / "m.csv").write_text("time,j\n0,4\n1,7\n2,4.5\n")
    made, report = to(tmp_path / "r.urdf", "r.glb", trajectory=(str(tmp_path / "m.csv"),))
    assert list(clips(made)) == ["m"]
    assert told(report, "gltf/motion") == []


def test_motions_of_a_file_are_told_where_nothing_moves(arm: Path):
    first, _ = to(arm, "first.glb", trajectory=(f"walk={arm.with_name('walk.csv')}",))
    for name in ("robot.xml", "robot.urdf", "robot.sdf", "robot.png"):
        assert told(to(first, name)[1], "pose/motion") == [("dropped", "document")]


def test_a_joint_of_several_dofs_and_a_far_axis_come_back_as_a_motion(tmp_path: Path):
    text = """<mujoco><worldbody><body name="door" pos="1 0 0">
      <joint name="hinge" type="hinge" axis="0 0 1" pos="-1 0.5 0"/><joint name="tilt" axis="1 0 0" pos="-1 0.5 0"/>
      <geom type="box" size="1 .1 1"/></body><body name="ball" pos="0 0 3"><freejoint name="free"/>
      <geom size=".1"/><body name="head"><joint name="neck" type="ball"/><geom size=".2"/></body></body>
      </worldbody></mujoco>"""
    (tmp_path / "robot.xml").write_text(text)
    heads = ["time", "hinge", "tilt", *(f"free[{n}]" for n in range(7)), *(f"neck[{n}]" for n in range(4))]
    (tmp_path / "move.csv").write_text(
        ",".join(heads) + "\n0,0,0,0,0,3,1,0,0,0,1,0,0,0\n1,2,1,1,2,3,0.8,0.6,0,0,0.6,0,0.8,0\n"
    )
    first, _ = to(tmp_path / "robot.xml", "first.glb", trajectory=(str(tmp_path / "move.csv"),))
    again, report = to(first, "again.glb")
    assert told(report, "gltf/motion") == []
    assert len(clips(first)["move"]) >= 4
    for (node, path, rows), (node_, path_, rows_) in zip(clips(first)["move"], clips(again)["move"], strict=True):
        assert (node, path) == (node_, path_)
        assert np.minimum(np.abs(rows - rows_).max(axis=1), np.abs(rows + rows_).max(axis=1)).max() < 1e-6


def off_the_joints(document: dict[str, Any], clip: dict[str, Any]) -> None:
    clip["channels"][0]["target"]["node"] = document["nodes"].index(by_name(document, "base"))


ODD: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "moves nodes that no joint moves": off_the_joints,
    "moves more than the places of nodes": lambda _, clip: clip["channels"][0]["target"].update(path="scale"),
    "goes from sample to sample by STEP": lambda _, clip: clip["samplers"][0].update(interpolation="STEP"),
    "has no channels": lambda _, clip: clip.update(channels=[]),
    "of this one do not increase": lambda _, clip: clip["samplers"][0].update(input=clip["samplers"][0]["output"]),
    "are not as many as its times": lambda _, clip: clip["samplers"][0].update(output=clip["samplers"][0]["input"]),
    "moves nodes that have a scale": lambda document, _: by_name(document, "upper").update(scale=[2, 2, 2]),
}


@pytest.mark.parametrize("why", ODD)
def test_an_animation_that_no_joint_makes_is_told(arm: Path, why: str):
    first, _ = to(arm, "first.glb", trajectory=("sweep",))
    report = to(edit(first, lambda document: ODD[why](document, document["animations"][0])), "again.glb")[1]
    (found,) = of_rule(report, "gltf/motion")
    assert (found.action, found.where, found.before) == ("dropped", "document", "sweep")
    assert why in found.reason
    explained(report)


def test_a_motion_in_which_nothing_moves_is_told(arm: Path):
    (arm.with_name("still.csv")).write_text("time,shoulder\n0,0\n1,0\n")
    target, report = to(arm, "still.glb", trajectory=(str(arm.with_name("still.csv")),))
    assert told(report, "gltf/motion") == [("dropped", "motion/still")]
    assert clips(target) == {}


def test_a_motion_of_a_joint_with_more_axes_than_a_turn_has_is_told(tmp_path: Path):
    hinges = "".join(f'<joint name="j{n}" axis="0 0 1" range="0 1"/>' for n in range(5))
    text = f'<mujoco><worldbody><body name="b">{hinges}<geom size="1"/></body></worldbody></mujoco>'
    (tmp_path / "robot.xml").write_text(text)
    first, report = to(tmp_path / "robot.xml", "first.glb", trajectory=("sweep",))
    assert told(report, "gltf/motion") == [("dropped", "motion/sweep")]
    explained(report)
    (found,) = of_rule(to(first, "again.glb")[1], "gltf/motion")
    assert "in this one 'joint_b' moves as it cannot" in found.reason


LOOP = """<sdf version="1.9"><model name="m"><static>false</static><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="k" type="revolute"><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="l" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""


@pytest.mark.parametrize("audit", [True, False])
def test_what_moves_in_a_loop_has_no_node_and_that_is_told(tmp_path: Path, audit: bool):
    (tmp_path / "loop.sdf").write_text(LOOP)
    (tmp_path / "move.csv").write_text("time,j,l\n0,0,0\n1,1,0.5\n")
    _, report = to(tmp_path / "loop.sdf", "loop.glb", trajectory=(str(tmp_path / "move.csv"),), audit=audit)
    assert told(report, "gltf/motion") == [("dropped", "motion/move.l")]


@pytest.mark.parametrize("broken", [True, False])
def test_a_writer_that_moves_nodes_otherwise_is_found_out(arm: Path, monkeypatch: pytest.MonkeyPatch, broken: bool):
    """The writer cannot report what it did wrong: the motions are read back."""

    def wrong(clips: Sequence[Clip], *others: Any) -> Any:
        halves = [{name: track / 2 for name, track in clip.positions.items()} for clip in clips]
        made = animations([replace(clip, positions=half) for clip, half in zip(clips, halves, strict=True)], *others)
        return made if broken else []

    monkeypatch.setattr("converters.gltf.writer.animations", wrong)
    _, report = to(arm, "wrong.glb", trajectory=("sweep",))
    assert of_rule(report, "unexplained/motion.tracks" if broken else "unexplained/motion")


def test_a_motion_that_other_angles_make_as_well_is_the_one_that_was_asked_for(tmp_path: Path):
    """The middle one of three axes turns by more than 90 degrees: adding half a turn to each is the same rotation."""
    axes = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
    joints = "".join(f'<joint name="{name}" axis="{axis}"/>' for name, axis in axes.items())
    text = f'<mujoco><worldbody><body name="b">{joints}<geom size=".1"/></body></worldbody></mujoco>'
    (tmp_path / "r.xml").write_text(text)
    (tmp_path / "m.csv").write_text("time,x,y,z\n0,0,0,0\n1,0.3,2,0.4\n2,0.2,2.8,0.1\n")
    made, report = to(tmp_path / "r.xml", "r.glb", trajectory=(str(tmp_path / "m.csv"),))
    assert list(clips(made)) == ["m"]
    assert told(report, "gltf/motion") == []


FAR = """<body name="a" pos="{}"><joint name="s" type="slide" axis="1 0 0.3"/><geom size="0.1"/>
<body name="b" pos="0 0.1 0"><joint name="h" axis="0 1 0" pos="0.1 0.2 0.3"/><joint name="t" type="slide"/>
<geom size="0.1"/></body></body>"""
FALLEN = '<body name="a"><freejoint name="f"/><geom size="0.1"/></body>'


@pytest.mark.parametrize(
    ("bodies", "state"),
    [
        (FALLEN, "1 0.7 -24370.4 1 0 0 0"),
        (FALLEN + FAR.replace('"a"', '"c"').format("0 0 0"), "100000.7 0 0 1 0 0 0 0.1 0.2 0.3"),
        (FAR.format("100000.7 0.7 24370.4"), "0.123 0.2 0.3"),
    ],
)
def test_what_moves_far_away_is_as_exact_as_single_precision_is(bodies: str, state: str, tmp_path: Path):
    key = f'<keyframe><key name="k" qpos="{state}"/></keyframe>'
    source = saved(tmp_path / "m.xml", f"<mujoco><worldbody>{bodies}</worldbody>{key}</mujoco>")
    for hierarchy in ("nested", "flat"):
        explained(to(source, f"{hierarchy}.glb", hierarchy=hierarchy)[1])


def test_a_joint_is_solved_only_where_it_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In a sweep each joint moves alone: the work grows with the number of joints, not with its square."""
    counts = []
    for size in (10, 20):
        solved: list[int] = []

        def counted(joint: Joint, drawn: Pose, values: Any, solved: list[int] = solved) -> Any:
            solved.append(np.broadcast(*drawn.pos, *drawn.rot).size)
            return positions_over(joint, drawn, values)

        monkeypatch.setattr("converters.gltf.ours.motions.positions_over", counted)
        source = saved(tmp_path / f"chain_{size}.urdf", chain(size))
        explained(convert(source, tmp_path / "out.glb", options=Options(trajectory=("sweep",))))
        assert len(solved) == size - 1, "all samples of a joint at once"
        counts.append(sum(solved) / (size - 1))
    assert 0 < counts[1] < 1.2 * counts[0]


@pytest.mark.parametrize("pitch", ["0.1", "-2"])
def test_a_screw_is_told_by_its_turns_and_the_way_along_its_axis(pitch: str, tmp_path: Path):
    """More than a turn, which rotations alone do not tell. The motion is read back, and goes on to another document."""
    links = "".join(f'<link name="{name}"><pose>0 0 {at} 0 0 0</pose></link>' for at, name in enumerate("ab"))
    axis = "<axis><xyz>0 0.6 0.8</xyz></axis>"
    joint = f'<joint name="s" type="screw"><pose>1 0 0 0 0 0</pose><parent>a</parent><child>b</child>{axis}'
    thread = f"<screw_thread_pitch>{pitch}</screw_thread_pitch></joint>"
    text = f'<sdf version="1.9"><model name="m">{links}{joint}{thread}</model></sdf>'
    (tmp_path / "m.csv").write_text("time,s\n0,0\n1,20\n2,-5\n")
    made, report = to(saved(tmp_path / "r.sdf", text), "r.glb", trajectory=(str(tmp_path / "m.csv"),))
    assert told(report, "gltf/motion") == []
    (motion,) = load(made).context.motions
    track = motion.tracks["s"][:, 0]
    assert np.abs([track.max() - 20, track[0], track[-1] + 5]).max() < 1e-3
    again, report = to(made, "again.glb")
    assert told(report, "gltf/motion") == [] and list(clips(again)) == ["m"]
