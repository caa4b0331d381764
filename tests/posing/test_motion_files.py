"""--trajectory: files of every type, and the errors for bad ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from converters.context import InputError
from converters.posing import clips, positions
from ir.scene import Scene
from ir.types import Dof, DofKind, Mimic
from tests.files import saved
from tests.posing.chains import moved, no_motion, scene_of, tells

CSV = "time,a,b\n0,0,0\n0.5,0.25,-0.1\n2,-0.5,0.2\n"
LIST = json.dumps(
    [
        {"time": 0, "positions": {"a": 0, "b": 0}},
        {"time": 0.5, "positions": {"b": -0.1, "a": 0.25}},
        {"time": 2, "positions": {"a": -0.5, "b": 0.2}},
    ]
)
POINTS = json.dumps(
    {
        "joints": ["a", "b"],
        "points": [
            {"time_from_start": 0, "positions": [0, 0]},
            {"time_from_start": 0.5, "positions": [0.25, -0.1]},
            {"time_from_start": 2.0, "positions": [-0.5, 0.2]},
        ],
    }
)
ROS1 = """joint_names: [b, a]
points:
- positions: [0, 0]
  time_from_start: {secs: 0, nsecs: 0}
- positions: [-0.1, 0.25]
  velocities: []
  time_from_start:
    secs: 0
    nsecs: 500000000
- {positions: [0.2, -0.5], time_from_start: {secs: 2}}
"""
ROS2 = "trajectory:\n  header: {}\n  " + ROS1.replace("secs:", "sec:").replace("nsec:", "nanosec:").replace(
    "\n", "\n  "
)

DISPLAY = json.dumps({"model_id": "limb", "trajectory": [{"joint_trajectory": json.loads(POINTS)}]})
FRAMES = json.dumps({"joint_names": ["b", "a"], "times": [0, 0.5, 2], "frames": [[0, 0], [-0.1, 0.25], [0.2, -0.5]]})
STATES = """header: {stamp: {sec: 1700000000, nanosec: 250000000}}
name: [a]
position: [0]
---
header: {stamp: {sec: 1700000000, nanosec: 750000000}}
name: [b, a]
position: [-0.1, 0.25]
---
header: {stamp: {sec: 1700000002, nanosec: 250000000}}
name: [a, b]
position: [-0.5, 0.2]
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.json", DISPLAY),
        ("m.json", FRAMES),
        ("m.csv", CSV),
        ("m.csv", CSV.replace(",", ";").replace("\n", "\r\n")),
        ("m.csv", "# a remark\n" + CSV.replace("0.25", "0.25rad").replace("-0.1", "-10cm")),
        ("m.csv", CSV.replace("\n", ",\n")),
        ("m.csv", "# a remark, and more\n" + CSV.replace(",", "\t")),
        ("m.json", LIST),
        ("m.json", POINTS),
        ("m.yaml", LIST),
        ("m.yaml", POINTS),
        ("m.yaml", ROS1),
        ("m.yml", ROS2 + "\n---\n"),
        ("m.json", json.dumps({"goal": {"trajectory": json.loads(POINTS)}})),
    ],
)
def test_every_kind_of_file_gives_the_same_motion(limb: Scene, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, newline="")
    (clip,) = clips(limb, moved(str(path), pose=("d=1.5",)))
    assert clip.name == "m"
    assert clip.times.tolist() == [0.0, 0.5, 2.0] or len(clip.times) > 3, "a turn of 0.75 * 2 rad needs a sample more"
    for time, a, b in ((0.0, 0.0, 0.0), (0.5, 0.25, -0.1), (2.0, -0.5, 0.2)):
        (row,) = np.flatnonzero(clip.times == time)
        found = {dof: track[row].tolist() for dof, track in clip.positions.items()}
        assert found == {"a": [a], "b": [b], "c": pytest.approx([2 * a + 0.1]), "d": [1.5]}
    assert list(clip.positions) == ["a", "b", "c", "d"]


def test_a_table_of_numpy_has_the_movable_dofs_in_order(tmp_path: Path) -> None:
    scene = scene_of(
        Dof(name="ball", kind=DofKind.BALL),
        Dof(name="lead", kind=DofKind.HINGE),
        Dof(name="tail", kind=DofKind.HINGE, mimic=Mimic(dof="lead")),
    )
    for kind, order in (("f8", "C"), ("f4", "F")):
        table = np.array([[0, 1, 0, 0, 0, 0.5], [1, 0, 2, 0, 0, 0.25]], dtype=kind, order=order)
        np.save(tmp_path / "m.npy", table)
        (clip,) = clips(scene, moved(str(tmp_path / "m.npy")))
        assert clip.positions["ball"][0].tolist() == [1, 0, 0, 0]
        assert clip.positions["ball"][-1].tolist() == [0, 1, 0, 0]
        assert clip.positions["tail"][[0, -1], 0].tolist() == [0.5, 0.25]


def test_coordinates_of_a_ball_have_columns_of_their_own(tmp_path: Path) -> None:
    scene = scene_of(Dof(name="ball", kind=DofKind.BALL), Dof(name="base", kind=DofKind.FREE))
    head = "time," + ",".join([f"ball[{n}]" for n in (3, 0, 1, 2)] + [f"base[{n}]" for n in range(7)])
    (tmp_path / "m.csv").write_text(f"{head}\n0,0,2,0,0,1,2,3,0,0,0,5\n")
    (tmp_path / "m.json").write_text('[{"time": 0, "positions": {"ball": [1, 0, 0, 0], "base": "1 2 3 0 0 0 1"}}]')
    for name in ("m.csv", "m.json"):
        (clip,) = clips(scene, moved(str(tmp_path / name)))
        assert clip.positions["ball"].tolist() == [[1, 0, 0, 0]]
        assert clip.positions["base"].tolist() == [[1, 2, 3, 0, 0, 0, 1]]


def test_names_of_clips_are_given_or_taken_from_the_file(limb: Scene, tmp_path: Path) -> None:
    path = saved(tmp_path / "wave.csv", CSV)
    found = clips(limb, moved(f"hello={path}", str(path), str(path), "sweep", f"show={'sweep'}"))
    assert [clip.name for clip in found] == ["hello", "wave", "wave_2", "sweep", "show"]
    assert clips(limb, moved()) == ()


# ---------------------------------------------------------------------------------------------------------- bad input


TURN = "joint_names: [a]\npoints: [{time: 0, positions: [0.5]}]\n"


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("m.csv", "", 1, "holds no motion"),
        (
            "m.csv",
            "a,b\n1,2\n",
            1,
            "the first line names the columns, time,JOINT,JOINT...: the first must be time, not 'a'",
        ),
        ("m.csv", "time\n1\n", 1, "names no joint"),
        ("m.csv", "time,a\n", 1, "holds no sample"),
        ("m.csv", "time,a\n0,1\n1\n", 3, "has 1 column, not the 2 of the first row"),
        ("m.csv", "time,a\n0,1,5\n", 2, "'5' is in no column: the first row names 2"),
        ("m.csv", "time,a,\n0,1,\n1,1,,7\n", 3, "'7' is in no column: the first row names 2"),
        ("m.csv", "time,,a\n0,1,0\n", 1, "column 2 has no name"),
        ("m.csv", "time,a\n0,1\n1,x\n", 3, "'x' is not a number"),
        ("m.csv", "time,a\n0,1\n1,nan\n", 3, "'nan' is not a finite number"),
        ("m.csv", "time;a\n0;0,25\n", 2, "'0,25' is not a number: decimals have a point, 0.25"),
        ("m.csv", "time,a\n0,1_0\n", 2, "'1_0' is not a number"),
        ("m.csv", "time,a\n0,1\n-inf,0\n", 3, "'-inf' is not a finite number"),
        ("m.csv", "time,a\n0,0\n\n# remark\n0,1\n", 5, "the time 0 s does not come after 0 s"),
        ("m.csv", "time,a\n2,0\n1,1\n", 3, "the time 1 s does not come after 2 s"),
        ("m.csv", "time,a\n-1,0\n1,1\n", 2, "before the beginning"),
        ("m.csv", "time,a\n0,0\n1e300,1\n", 3, "the time 1e+300 s is after 1e+12 s"),
        ("m.csv", "time,aa\n0,0\n", 1, "there is no joint 'aa'"),
        ("m.csv", "time,a,a\n0,0,0\n", 1, "'a' appears twice"),
        ("m.csv", "time,a[1]\n0,0\n", 1, "it has only 1 coordinate"),
        ("m.csv", "time,a\n0,0\n1,1.5\n", 3, "'a' is 1.5 at 1 s, outside its limits, -1 to 1 rad"),
        ("m.csv", "time,a,c\n0,0,0.1\n1,0.5,0.1\n", 3, "'c' follows 'a' and is 1.1 at 1 s, not 0.1; leave it out"),
        ("m.json", "{}", 1, "must be a list of {time, positions}"),
        ("m.json", "[]", 1, "holds no sample"),
        ("m.json", "[1]", 1, "a sample must have positions"),
        ("m.json", '[{"time": 0}]', 1, "a sample must have positions"),
        ("m.json", '[{"positions": {"a": 1}}]', 1, "a sample has no time"),
        ("m.json", '[{"time": 0, "positions": 1}]', 1, "positions must be a mapping"),
        ("m.json", '[{"time": 0, "positions": {"a": 1}},\n{"time": 1, "positions": {"b": 1}}]', 2, "the same joints"),
        ("m.json", '[{"time": [], "positions": {"a": 1}}]', 1, "a time is a number"),
        ("m.json", '[{"time": {"sec": 0.5}, "positions": {"a": 1}}]', 1, "whole seconds and nanoseconds"),
        ("m.json", '[{"name": ["a", "a"], "position": [0, 1], "header": {"stamp": 0}}]', 1, "names a joint twice"),
        ("m.json", '[{"name": ["a"], "position": [0], "header": {"stamp": 1e300}}]', 1, "a time is a number"),
        ("m.json", '[{"time": 0, "positions": {"a": [1, 2]}}]', 1, "'a' takes 1 number, not 2"),
        ("m.json", '[{"time": 0, "positions": {"a": {}}}]', 1, "a must be a list"),
        ("m.yaml", "points: []\n", 1, "joint_names must be a list of names"),
        ("m.yaml", "joint_names: [[a]]\npoints: []\n", 1, "joint_names must be a list of names"),
        ("m.yaml", "joint_names: [a]\npoints: 1\n", 2, "points must be a list"),
        ("m.yaml", "joint_names: [a]\npoints:\n- {time: 0, positions: [1, 2]}\n", 3, "has 2 positions for 1 joint"),
        ("m.yaml", "joint_names: [a]\npoints:\n- {time: 0, positions: [[1]]}\n", 3, "a position must be a number"),
        ("m.yaml", "joint_names: [a]\npoints:\n- {time: 0, positions: 1}\n", 3, "positions must be a list"),
        ("m.json", FRAMES.replace("0.5, ", ""), 1, "has 3 frames and 2 times"),
        ("m.json", '[{"time": {"sec": [1]}, "positions": {"a": 1}}]', 1, "whole seconds and nanoseconds"),
        ("m.yaml", "", 1, "holds no motion"),
        ("m.yaml", "a: *b\n", 1, "the alias *b is not read here"),
        ("m.yaml", f"{TURN}---\n---\n{TURN}", 5, "a second document begins: give each motion a file of its own"),
    ],
)
def test_a_bad_file_is_said_with_its_line(
    limb: Scene, tmp_path: Path, name: str, text: str, line: int, said: str
) -> None:
    path = saved(tmp_path / name, text)
    tells(no_motion(limb, str(path)), said, path, line)


def test_a_file_of_another_kind_is_refused(limb: Scene, tmp_path: Path) -> None:
    assert "ends in .csv, .json, .yaml, .yml, .npy, .npz, or the word sweep" in str(no_motion(limb, "motion.bag"))
    assert "there is no such file" in str(no_motion(limb, str(tmp_path / "no.csv")))
    assert "there is no such file" in str(no_motion(limb, str(tmp_path / "no.npy")))


def test_bad_tables_of_numpy_are_refused(limb: Scene, tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    for table, said in (
        (np.zeros((2, 3)), "has 3 columns; time and the 3 coordinates of this model would be 4 (a, b, d)"),
        (np.zeros(4), "must hold rows of numbers"),
        (np.zeros((2, 4), dtype=complex), "must hold rows of numbers, not complex128"),
        (np.zeros((2, 4), dtype="S3"), "must hold rows of numbers"),
        (np.zeros((0, 4)), "holds no motion"),
        (np.zeros((2, 4)), "the time 0 s does not come after 0 s"),
        (np.array([[0, 0, np.nan, 0]]), "row 1, column 3 is not a finite number"),
        (np.array([[0, 2.0, 0, 0]]), "'a' is 2 at 0 s, outside its limits"),
    ):
        np.save(path, table)
        assert said in str(no_motion(limb, str(path)))


def test_a_table_with_objects_is_never_unpickled(limb: Scene, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (Path(tmp_path / "sprung"),))

    np.save(tmp_path / "m.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    assert "no table of numpy" in str(no_motion(limb, str(tmp_path / "m.npy")))
    assert not (tmp_path / "sprung").exists()


def test_a_table_that_promises_more_than_it_has_is_refused_at_once(limb: Scene, tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    np.save(path, np.zeros((2, 4)))
    whole = path.read_bytes()
    for data in (
        whole[:20],
        whole[:-8],
        b"",
        b"\x93NUMPY\x09\x09",
        whole.replace(b"(2, 4)", b"(9**9,)"),
        whole.replace(b"(2, 4)", b"(999999999999, 4)").replace(b"            ", b"", 1),
    ):
        path.write_bytes(data)
        error = str(no_motion(limb, str(path)))
        assert "no table of numpy" in error
        assert " at 0x" not in error


# --------------------------------------------------------------------------------------------------------- mutilation

SEEDS = {
    ".csv": (CSV, "a,0.5\nb,0.2\n", "time,a,b\n0,0.5,0.2\n"),
    ".json": (LIST, POINTS, '{"a": 0.5, "b": [0.2]}', '{"name": ["a"], "position": [0.1]}'),
    ".yaml": (ROS1, ROS2, "a: 0.5\nb: [0.2]\n", "name: [a]\nposition: [0.1]\n"),
    ".srdf": ('<robot><group_state name="s" group="g"><joint name="a" value="0.5"/></group_state></robot>',),
    ".npy": (),
}
PIECES = (
    b"",
    b"\0",
    b"\xff",
    b"-",
    b"e9",
    b"nan",
    b"[",
    b"{",
    b"]",
    b'"',
    b"'",
    b",",
    b":",
    b"\n",
    b"&a *a",
    b"!!set ",
    b"<",
    b"%",
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(SEEDS)), st.integers(0, 2**32 - 1))
def test_a_mutilated_file_is_read_or_refused(suffix: str, seed: int) -> None:
    import io
    import random
    import tempfile

    dice = random.Random(seed)
    if suffix == ".npy":
        buffer = io.BytesIO()
        np.save(buffer, np.array([[0.0, 0, 0, 0], [1, 0.5, 0.2, 9]]))
        data = bytearray(buffer.getvalue())
    else:
        data = bytearray(dice.choice(SEEDS[suffix]).encode())
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(data) + 1)
        stop = min(len(data), start + dice.choice((0, 1, 1, 2, 10)))
        data[start:stop] = dice.choice(PIECES) if dice.random() < 0.8 else bytes([dice.randrange(256)])
    scene = scene_of(
        Dof(name="a", kind=DofKind.HINGE, lower=-1.0, upper=1.0),
        Dof(name="b", kind=DofKind.SLIDE, lower=-0.5, upper=0.5),
        Dof(name="d", kind=DofKind.HINGE),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/m{suffix}"
        Path(path).write_bytes(data)
        for used in (moved(path), moved(pose=(f"{path}:s" if suffix == ".srdf" else path,))):
            try:
                values = positions(scene, used)
                (*some,) = clips(scene, used)
            except InputError as error:
                assert str(error).strip()
                continue
            assert all(np.isfinite(value).all() for value in values.values())
            assert all(np.isfinite(track).all() for clip in some for track in clip.positions.values())


# ------------------------------------------------------------------------------------------ logs, archives, the rest


def test_a_log_of_joint_states_holds_what_a_message_does_not_name(limb: Scene, tmp_path: Path) -> None:
    (tmp_path / "log.yaml").write_text(STATES)
    (tmp_path / "log.json").write_text(json.dumps(list(yaml.safe_load_all(STATES))))
    for name in ("log.yaml", "log.json"):
        (clip,) = clips(limb, moved(str(tmp_path / name)))
        for time, a, b in ((0.0, 0.0, -0.1), (0.5, 0.25, -0.1), (2.0, -0.5, 0.2)):
            (row,) = np.flatnonzero(clip.times == time)
            assert (clip.positions["a"][row, 0], clip.positions["b"][row, 0]) == (a, b)
    (tmp_path / "log.yaml").write_text(STATES.replace("1700000002", "1600000000"))
    assert "does not come after" in str(no_motion(limb, str(tmp_path / "log.yaml")))
    (tmp_path / "log.yaml").write_text(STATES.replace("position: [0]", "position: [0, 1]"))
    assert "names 1 joint and has 2 positions" in str(no_motion(limb, str(tmp_path / "log.yaml")))


def test_an_archive_of_numpy_is_a_motion(limb: Scene, tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    t, q = np.array([0, 0.5, 2]), np.array([[0, 0], [-0.1, 0.25], [0.2, -0.5]])
    np.savez_compressed(path, t=t, q=q, names=np.array(["b", "a"]))
    (clip,) = clips(limb, moved(str(path)))
    (row,) = np.flatnonzero(clip.times == 0.5)
    assert (clip.positions["a"][row, 0], clip.positions["b"][row, 0]) == (0.25, -0.1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"names": np.array(["b", "x"])}, "m.npz:1: there is no joint 'x'"),
        ({"names": np.array(["b", "b"])}, "appears twice"),
        ({"names": np.array(["b", "a"], dtype=object)}, "no archive of t, q, names"),
        ({"names": np.array(["b"])}, "must be numbers"),
        ({"q": np.zeros((2, 2))}, "must be numbers"),
        ({"t": np.array([0, 1, 1])}, "does not come after"),
        ({"t": np.array([0, 1, np.nan])}, "not finite"),
        ({"t": np.array([]), "q": np.zeros((0, 2))}, "holds no motion"),
    ],
)
def test_a_bad_archive_is_refused(limb: Scene, tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    whole = {"t": np.array([0, 0.5, 2]), "q": np.zeros((3, 2)), "names": np.array(["b", "a"])} | changed
    np.savez(tmp_path / "m.npz", **whole)
    assert said in str(no_motion(limb, str(tmp_path / "m.npz")))
    (tmp_path / "m.npz").write_bytes(b"PK no archive")
    assert "no archive" in str(no_motion(limb, str(tmp_path / "m.npz")))


def test_what_an_archive_holds_besides_positions_is_told(limb: Scene, tmp_path: Path) -> None:
    t, q, names = np.array([0, 0.5]), np.zeros((2, 2)), np.array(["b", "a"])
    np.savez(tmp_path / "m.npz", t=t, q=q, dq=q, names=names)
    used = moved(str(tmp_path / "m.npz"))
    clips(limb, used)
    assert [(note.rule, note.before) for note in used.notes] == [("pose/unused", "m: dq")]


def test_what_a_trajectory_says_besides_positions_is_told(limb: Scene, tmp_path: Path) -> None:
    inside = json.loads(POINTS)
    inside["points"][1]["velocities"] = [1, 2]
    inside["header"] = {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": ""}
    inside["points"][0]["velocites"] = [1, 2]
    more = {"joint_trajectory": inside, "multi_dof_joint_trajectory": {"points": [{"transforms": []}]}}
    (tmp_path / "m.json").write_text(json.dumps({"trajectory": [more]}))
    used = moved(str(tmp_path / "m.json"))
    clips(limb, used)
    assert {(note.rule, note.before, note.action) for note in used.notes} == {
        ("pose/unused", "m: velocites", "ignored"),
        ("pose/unused", "m: velocities", "ignored"),
        ("pose/unused", "m: multi_dof_joint_trajectory", "ignored"),
    }
    (tmp_path / "m.json").write_text(json.dumps({"trajectory": [more, more]}))
    assert "holds 2 trajectories" in str(no_motion(limb, str(tmp_path / "m.json")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,ball\n0,1\n", "'ball' has 4 coordinates; their columns are "),
        ("time,ball[0],ball[1]\n0,1,0\n", "'ball' has 4 coordinates, and 2 columns"),
        ("time,ball[0],ball[1],ball[2],ball[3]\n0,0,0,0,0\n", "a quaternion of 'ball' has no direction"),
    ],
)
def test_a_turn_takes_all_of_its_coordinates(arm: Scene, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    assert said in str(no_motion(arm, str(tmp_path / "m.csv")))
