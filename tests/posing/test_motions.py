"""--trajectory: samples dense enough for players, the sweep, limits."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from converters.context import InputError, Options, WriterContext
from converters.posing import Clip, clips, sampling
from ir.kinematics import configuration, forward
from ir.pose import conjugate, multiply
from ir.scene import Scene
from ir.types import Body, Dof, DofKind, Mimic
from tests.files import saved
from tests.posing.chains import moved, no_motion, scene_of


def turn_between(scene: Scene, clip: Clip) -> float:
    """Return the largest angle in radians by which any body rotates in its parent between neighbouring samples."""
    worst = 0.0
    before: dict[str, tuple[float, ...]] | None = None
    for row in range(len(clip.times)):
        poses = forward(scene, {name: track[row].tolist() for name, track in clip.positions.items()})
        now = {}
        for joint in scene.joints.values():
            now[joint.name] = multiply(conjugate(poses[joint.parent].rot), poses[joint.child].rot)
        if before is not None:
            for name, rotation in now.items():
                cosine = min(1.0, abs(sum(x * y for x, y in zip(rotation, before[name], strict=True))))
                worst = max(worst, 2 * math.acos(cosine))
        before = now
    return worst


def test_a_long_turn_is_cut_into_short_ones(tmp_path: Path) -> None:
    scene = scene_of(Dof(name="a", kind=DofKind.HINGE), Dof(name="s", kind=DofKind.SLIDE))
    path = saved(tmp_path / "m.csv", "time,a,s\n1,0,0\n2,270deg,100\n")
    (clip,) = clips(scene, moved(str(path)))
    assert clip.times == pytest.approx(np.linspace(1.0, 2.0, 6))
    assert clip.positions["a"][:, 0] == pytest.approx(np.linspace(0.0, math.radians(270), 6))
    assert clip.positions["s"][:, 0] == pytest.approx(np.linspace(0.0, 100.0, 6))
    assert turn_between(scene, clip) <= math.pi / 3 + 1e-6


def test_steps_that_are_short_enough_stay_as_they_are(tmp_path: Path) -> None:
    scene = scene_of(Dof(name="a", kind=DofKind.HINGE))
    path = saved(tmp_path / "m.csv", "time,a\n0,0\n1,60deg\n3,120deg\n")
    (clip,) = clips(scene, moved(str(path)))
    assert clip.times.tolist() == [0.0, 1.0, 3.0]


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_no_body_turns_more_than_sixty_degrees_at_once(seed: int) -> None:
    dice = np.random.default_rng(seed)
    scene = scene_of(
        Dof(name="ball", kind=DofKind.BALL),
        Dof(name="free", kind=DofKind.FREE),
        Dof(name="hinge", kind=DofKind.HINGE, axis=(0.6, 0.0, 0.8)),
        Dof(name="geared", kind=DofKind.SCREW, pitch=0.1, mimic=Mimic(dof="hinge", multiplier=-3.0)),
    )
    rows = 4
    table = np.column_stack(
        [np.cumsum(dice.random(rows) + 0.1), dice.normal(size=(rows, 11)), dice.normal(size=rows) * 4]
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/m.npy", table)
        (clip,) = clips(scene, moved(f"{folder}/m.npy"))
    assert turn_between(scene, clip) <= math.pi / 3 + 1e-6
    assert np.all(np.diff(clip.times) > 0)
    for time, *values in table.tolist():
        (row,) = np.flatnonzero(clip.times == time)
        quaternion = np.array(values[:4]) / np.linalg.norm(values[:4])
        assert abs(quaternion @ clip.positions["ball"][row]) == pytest.approx(1.0)
        assert clip.positions["hinge"][row].tolist() == [values[11]]
    for row in range(len(clip.times)):
        some = {name: clip.positions[name][row].tolist() for name in ("ball", "free", "hinge")}
        assert configuration(scene, some)["geared"] == pytest.approx(tuple(clip.positions["geared"][row]))
    for name in ("ball", "free"):
        assert np.linalg.norm(clip.positions[name][:, -4:], axis=1) == pytest.approx(1.0)


def test_a_rotation_goes_the_short_way_round_at_constant_speed(tmp_path: Path) -> None:
    scene = scene_of(Dof(name="ball", kind=DofKind.BALL))
    half = math.radians(170) / 2
    np.save(tmp_path / "m.npy", np.array([[0, 1, 0, 0, 0], [1, -math.cos(half), 0, 0, -math.sin(half)]]))
    (clip,) = clips(scene, moved(str(tmp_path / "m.npy")))
    angles = 2 * np.arctan2(clip.positions["ball"][:, 3], clip.positions["ball"][:, 0])
    assert angles == pytest.approx(np.radians(170) * clip.times)
    assert len(clip.times) == 4


# -------------------------------------------------------------------------------------------------------------- sweep


def test_the_sweep_moves_each_joint_in_turn_through_its_range(limb: Scene) -> None:
    (clip,) = clips(limb, moved("sweep", pose=("b=0.3",)))
    assert clip.name == "sweep"
    assert turn_between(limb, clip) <= math.pi / 3 + 1e-6
    for name, low, rest, high in (("a", -1.0, 0.0, 1.0), ("b", -0.5, 0.3, 0.5), ("d", -math.pi, 0.0, math.pi)):
        track = clip.positions[name][:, 0]
        assert (track[0], track[-1]) == (rest, rest)
        assert (track.min(), track.max()) == pytest.approx((low, high))
        assert np.argmin(track) < np.argmax(track), "to the lower end first"
    assert clip.positions["c"] == pytest.approx(2 * clip.positions["a"] + 0.1)
    moving = np.stack([np.abs(np.diff(clip.positions[name][:, 0])) > 0 for name in "abd"])
    assert moving.sum(axis=0).max() == 1, "one at a time"
    assert clip.times[-1] == pytest.approx(6.0), "two seconds each"


def test_the_sweep_respects_one_sided_limits_and_leaves_the_base_alone() -> None:
    scene = scene_of(
        Dof(name="base", kind=DofKind.FREE),
        Dof(name="low", kind=DofKind.SLIDE, lower=-0.2),
        Dof(name="high", kind=DofKind.HINGE, upper=0.5),
        Dof(name="stuck", kind=DofKind.HINGE, lower=0.0, upper=0.0),
        Dof(name="ball", kind=DofKind.BALL),
    )
    (clip,) = clips(scene, moved("sweep"))
    assert np.ptp(clip.positions["base"], axis=0).tolist() == [0.0] * 7
    assert (clip.positions["low"].min(), clip.positions["low"].max()) == pytest.approx((-0.2, 1.8))
    assert (clip.positions["high"].min(), clip.positions["high"].max()) == pytest.approx((0.5 - 2 * math.pi, 0.5))
    assert not clip.positions["stuck"].any()
    swung = 2 * np.degrees(np.arcsin(np.abs(clip.positions["ball"][:, 1:]).max(axis=0)))
    assert swung == pytest.approx([45.0, 45.0, 45.0])


def test_the_sweep_takes_limits_that_are_none_for_none() -> None:
    far = 999999.0
    scene = scene_of(
        Dof(name="wheel", kind=DofKind.HINGE, lower=-far, upper=far),
        Dof(name="rail", kind=DofKind.SLIDE, lower=-far, upper=far),
    )
    (clip,) = clips(scene, moved("sweep"))
    assert (clip.positions["wheel"].min(), clip.positions["wheel"].max()) == pytest.approx((-math.pi, math.pi))
    assert (clip.positions["rail"].min(), clip.positions["rail"].max()) == pytest.approx((-1.0, 1.0))


def test_the_sweep_of_a_model_that_does_not_move_is_a_single_sample() -> None:
    scene = Scene("still")
    scene.add_body(Body(name="b"))
    (clip,) = clips(scene, moved("sweep"))
    assert (clip.times.tolist(), clip.positions) == ([0.0], {})


# -------------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("word", ["a\x01=sweep", "\udcff=sweep", "\udcff.csv"])
def test_a_name_that_no_text_holds_is_refused(limb: Scene, tmp_path: Path, word: str) -> None:
    with pytest.raises(InputError, match=r"a motion cannot be called .*NAME=FILE"):
        clips(limb, WriterContext(file="", folder=tmp_path, options=Options(trajectory=word)))


def test_a_motion_that_turns_for_ever_is_refused(limb: Scene, tmp_path: Path) -> None:
    path = saved(tmp_path / "m.csv", "time,d\n0,0\n1,1e12\n")
    assert "that is too far to show" in str(no_motion(limb, str(path)))


def test_a_motion_that_memory_should_not_hold_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_of(*[Dof(name=f"j{number}", kind=DofKind.HINGE, lower=-0.5, upper=0.5) for number in range(30)])
    (tmp_path / "m.csv").write_text("time,j0\n" + "".join(f"{time},0\n" for time in range(40)))
    assert clips(scene, moved("sweep", str(tmp_path / "m.csv")))
    monkeypatch.setattr(sampling, "MOST_NUMBERS", 1000)
    for word in ("sweep", str(tmp_path / "m.csv")):
        assert "samples of 30 joints are more than 1000 numbers" in str(no_motion(scene, word))


def test_a_follower_moves_past_its_own_limits_as_it_does_in_a_pose(tmp_path: Path) -> None:
    scene = scene_of(
        Dof(name="a", kind=DofKind.HINGE),
        Dof(name="c", kind=DofKind.HINGE, lower=-1.0, upper=1.0, mimic=Mimic(dof="a", multiplier=2.0)),
    )
    (tmp_path / "m.csv").write_text("time,a,c\n0,0,0\n1,0.75,1.5\n")
    (clip,) = clips(scene, moved(str(tmp_path / "m.csv")))
    assert clip.positions["c"].max() == 1.5


def test_clamp_takes_the_nearest_of_every_sample_and_says_so(limb: Scene, tmp_path: Path) -> None:
    path = saved(tmp_path / "m.csv", "time,a,c\n0,0,0.1\n1,1.25,2.1\n2,3,2.1\n3,0,0.1\n")
    used = moved(str(path), clamp=True)
    (clip,) = clips(limb, used)
    assert clip.positions["a"].max() == 1.0
    assert clip.positions["c"].max() == pytest.approx(2.1), "followers follow what was clamped"
    assert [(note.rule, note.before, note.after, note.reason) for note in used.notes] == [
        ("pose/clamped", "3", "1", "2 of 4 samples of a trajectory are outside the limits, -1 to 1 rad")
    ]
    assert used.notes[0].source is not None
    assert used.notes[0].source.line == 3
