"""The rays of a lidar become MuJoCo rangefinders with Gazebo's directions, and one lidar again on the way back."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert, read
from converters.mjcf.relations.lidars import FEW
from tests.converters.lying import lying, unexplained
from tests.formats.sdf_text import converted, joint, link, put, sdf, seen
from tests.formats.uncarried import bare
from tests.oracles import in_mujoco, sdf_elements
from tests.oracles.in_mujoco import at_rest
from tests.reports import explained, of_rule

SWEEPS = {
    "wide": (5, -1.0, 1.5, 1, 0.0, 0.0),
    "round": (36, -np.pi, np.pi, 1, 0.0, 0.0),
    "turn": (9, 0.0, 6.28, 1, 0.0, 0.0),
    "rows": (4, -0.5, 0.7, 3, -0.4, 0.3),
    "falling": (2, -3.5, -3.0, 2, 0.3, -0.2),
    "beam": (1, -0.2, 0.1, 1, 0.0, 0.0),
    "fan": (1, 0.0, 0.0, 4, -0.3, 0.3),
    "many": (90, -1.5, 1.5, 2, -0.1, 0.1),
}
POSE = "0.1 0.2 0.3 0.4 -0.5 0.6"


def lidar(name: str, sweep: tuple[float, ...], far: float = 10, word: str = "lidar", kind: str = "gpu_lidar") -> str:
    def side(tag: str, count: float, first: float, last: float) -> str:
        angles = f"<min_angle>{first!r}</min_angle><max_angle>{last!r}</max_angle>"
        return f"<{tag}><samples>{count}</samples><resolution>1</resolution>{angles}</{tag}>"

    scan = side("horizontal", *sweep[:3]) + (side("vertical", *sweep[3:]) if sweep[3] > 1 else "")
    noise = "<noise><type>gaussian</type><stddev>0.02</stddev></noise>"
    inner = f"<{word}><scan>{scan}</scan><range><min>0.1</min><max>{far}</max></range>{noise}</{word}>"
    return f'<sensor name="{name}" type="{kind}"><pose>{POSE}</pose>{inner}</sensor>'


def rays_of(sweep: tuple[float, ...]) -> np.ndarray:
    """Return the directions of Gazebo's rays in the sensor frame: (Rz(yaw) Ry(-pitch) x, MultiRayShape.cc)."""

    def spread(count: float, first: float, last: float) -> np.ndarray:
        return np.linspace(first, last, int(count)) if count > 1 else np.zeros(1)

    pitch, yaw = np.meshgrid(spread(*sweep[3:]), spread(*sweep[:3]), indexing="ij")
    found = np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)
    return np.stack(found, axis=-1).reshape(-1, 3)


@pytest.mark.parametrize("word", ["lidar", "ray"])
@pytest.mark.parametrize("kind", ["gpu_lidar", "lidar", "ray", "gpu_ray"])
def test_what_a_lidar_says_besides_stands_beside_its_rays(kind: str, word: str, tmp_path: Path) -> None:
    """Of the two elements <lidar> and <ray>, libsdformat reads one."""
    said = lidar("eye", SWEEPS["wide"], word=word, kind=kind)
    said = said.replace("</max>", "</max><resolution>0.015</resolution>").replace(
        "<stddev>", "<mean>0.1</mean><stddev>"
    )
    source = put(tmp_path, sdf(link("a", inner=said)))
    wanted = seen(source)["links"]["a"]["measures"]["eye"]
    assert "<resolution>0.015<" in wanted and "<mean>0.1<" in wanted
    for target, options in (("there.urdf", Options()), ("there.sdf", Options(sdf_version="1.8"))):
        explained(convert(source, tmp_path / target, options=options))
        assert seen(tmp_path / target)["links"]["a"]["measures"]["eye"] == wanted


@pytest.mark.parametrize("name", SWEEPS)
def test_rangefinders_point_where_the_rays_of_gazebo_do(name: str, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=lidar("eye", SWEEPS[name]))))
    report, path = converted(tmp_path, source, "there.xml")
    assert not of_rule(report, "mjcf/sensor")
    model = in_mujoco.mujoco_model(path)
    data = at_rest(model)
    kinds = model.sensor_type == mujoco.mjtSensor.mjSENS_RANGEFINDER
    sites = data.site_xmat.reshape(-1, 3, 3)[model.sensor_objid[kinds]]
    assert "<replicate" not in path.read_text() or SWEEPS[name][0] <= FEW
    held = data.site("eye").xmat.reshape(3, 3)
    assert sites[:, :, 2] @ held == pytest.approx(rays_of(SWEEPS[name]), abs=1e-9)
    assert ({*model.sensor_cutoff[kinds]}, {*model.sensor_noise[kinds]}) == ({10.0}, {0.02})
    for target in ("xml", "urdf", "glb", "sdf"):
        _, path = converted(tmp_path, source, f"there.{target}")
        _, back = converted(tmp_path, path, "back.sdf")
        assert list(sdf_elements.differences(source, back)) == []
        assert read(back) == read(source)
    seen(tmp_path / "back.sdf")


@pytest.mark.parametrize("word", ["lidar", "ray"])
@pytest.mark.parametrize("kind", ["ray", "gpu_ray", "lidar", "gpu_lidar"])
def test_the_words_of_the_author_stay(kind: str, word: str, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=lidar("eye", SWEEPS["rows"], word=word, kind=kind))))
    for target in ("sdf", "xml", "urdf"):
        _, path = converted(tmp_path, source, f"there.{target}")
        _, back = converted(tmp_path, path, "back.sdf")
        assert list(sdf_elements.differences(source, back)) == []


def test_mujoco_measures_how_far_a_wall_is(tmp_path: Path) -> None:
    wall = '<collision name="c"><geometry><box><size>0.2 90 90</size></box></geometry></collision>'
    model = link("a", inner=lidar("eye", (3, -0.5, 0.5, 1, 0, 0), far=3.5).replace(POSE, "0 0 0 0 0 0"))
    model += link("w", "3.1 0 0 0 0 0", wall) + joint("j", "a", "w", "", "fixed")
    _, path = converted(tmp_path, sdf(model), "there.xml")
    found = at_rest(in_mujoco.mujoco_model(path)).sensordata
    assert found == pytest.approx([3 / np.cos(0.5), 3.0, 3 / np.cos(0.5)], abs=1e-9)


@pytest.mark.parametrize(
    ("sweep", "resolution", "rule"),
    [
        ((3000, -1.0, 1.0, 1, 0.0, 0.0), 1, "mjcf/sensor"),
        ((3, 1.0, 1.0, 1, 0.0, 0.0), 1, "mjcf/sensor"),
        ((3, -1.0, 1.0, 1, 0.0, 0.0), 2, "mjcf/sensor"),
        ((3, 1.0, -1.0, 1, 0.0, 0.0), 1, "mjcf/sensor"),
    ],
)
def test_a_lidar_that_is_no_such_rays_is_carried(
    sweep: tuple[float, ...], resolution: int, rule: str, tmp_path: Path
) -> None:
    text = lidar("eye", sweep).replace("<resolution>1<", f"<resolution>{resolution}<")
    source = put(tmp_path, sdf(link("a", inner=text)))
    report, path = converted(tmp_path, source, "there.xml")
    assert [each.where for each in of_rule(report, rule)] == ["sensor/eye"]
    assert in_mujoco.mujoco_model(path).nsensor == 0
    _, back = converted(tmp_path, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []


@pytest.mark.parametrize("sweep", ["wide", "rows", "beam"])
def test_rays_have_names_that_nothing_else_has(sweep: str, tmp_path: Path) -> None:
    others = "".join(f'<sensor name="eye_{end}" type="magnetometer"/>' for end in ("0", "1_2"))
    frames = "".join(f'<frame name="eye_ray{end}"/>' for end in ("", "_0", "_1_2"))
    source = put(tmp_path, sdf(link("a", inner=lidar("eye", SWEEPS[sweep]) + others) + frames))
    report, path = converted(tmp_path, source, "there.xml")
    assert not [each.where for each in of_rule(report, "mjcf/sensor")]
    model = in_mujoco.mujoco_model(path)
    assert model.nsensor == len(rays_of(SWEEPS[sweep])) + 2
    _, back = converted(tmp_path, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []


def test_no_other_sensor_is_copied_with_the_rays(tmp_path: Path) -> None:
    """MuJoCo would copy the sensor of the geom c with the first copy of a ray, as there is a geom c_1."""
    touch = '<sensor name="bump" type="contact"><contact><collision>c</collision></contact></sensor>'
    shapes = "".join(
        f'<collision name="{name}"><geometry><box><size>1 1 1</size></box></geometry></collision>'
        for name in ("c", "d")
    )
    text = sdf(
        link("a", inner=shapes + touch) + link("b", inner=shapes + lidar("eye", SWEEPS["wide"])) + joint("j", "a", "b")
    )
    _, path = converted(tmp_path, text, "there.xml")
    model = in_mujoco.mujoco_model(path)
    assert sorted(model.sensor(index).name for index in range(model.nsensor)) == [
        "bump",
        *(f"eye_{index}" for index in range(5)),
    ]


@pytest.mark.parametrize("mean", ["0", "0.0", "0.5"])
def test_noise_around_zero_is_that_of_mujoco(mean: str, tmp_path: Path) -> None:
    noise = f'<noise type="gaussian"><mean>{mean}</mean><stddev>0.01</stddev></noise>'
    axes = "".join(f"<{axis}>{noise}</{axis}>" for axis in "xyz")
    imu = f'<sensor name="i" type="imu"><imu><angular_velocity>{axes}</angular_velocity></imu></sensor>'
    eye = lidar("eye", SWEEPS["beam"]).replace("<stddev>", f"<mean>{mean}</mean><stddev>")
    source = put(tmp_path, sdf(link("a", inner=eye + imu)))
    report, path = converted(tmp_path, source, "there.xml")
    about = [each for each in of_rule(report, "mjcf/foreign-element") if "noise" in each.where]
    model = in_mujoco.mujoco_model(path)
    if float(mean):
        assert about
    else:
        assert not about
        assert (model.sensor("eye").noise, model.sensor("i_gyro").noise) == (0.02, 0.01)
    _, back = converted(tmp_path, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []


def test_an_edit_of_the_reach_arrives_and_one_of_the_rays_is_told(tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=lidar("eye", SWEEPS["rows"]))))
    _, path = converted(tmp_path, source, "there.xml")
    text = path.read_text()
    path.write_text(text.replace('cutoff="10"', 'cutoff="20"'))
    _, back = converted(tmp_path, path, "back.sdf")
    assert "<max>20</max>" in back.read_text()
    path.write_text(text.replace('count="4"', 'count="3"'))
    report, back = converted(tmp_path, path, "back.sdf")
    assert of_rule(report, "carried/stale")
    assert "<samples>4" not in back.read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'<rangefinder name="eye_1"[^>]*/>', ""),
        (r'euler="0 0 [\d.]+"', 'euler="0 0 0.3"'),
        ('cutoff="10"', 'cutoff="9"'),
        (r'(<site name="eye_ray_1" quat="[^"]*")', r'\1 pos="0 0 1"'),
        (r'(<site name="eye") pos="0.1', r'\1 pos="0.2'),
        (r'(<frame) pos="0.1', r'\1 pos="0.2'),
    ],
)
def test_rays_that_a_writer_forgets_or_turns_are_heard(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = put(tmp_path, sdf(link("a", inner=lidar("eye", SWEEPS["rows"]))))
    explained(convert(source, tmp_path / "right.xml"))

    lying(old, new, "mjcf", monkeypatch)
    assert unexplained(convert(source, tmp_path / "away.xml"))


def test_many_rays_measure_as_often_as_their_lidar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a robot with two scanners of 818 rays, a MuJoCo step takes 40 times as long if they measure at each step."""
    said = lidar("eye", SWEEPS["many"]).replace("<pose>", "<update_rate>10</update_rate><pose>", 1)
    few = lidar("ear", SWEEPS["rows"]).replace("<pose>", "<update_rate>10</update_rate><pose>", 1)
    source = put(tmp_path, sdf(link("a", inner=said + few)))
    report, path = converted(tmp_path, source, "there.xml")
    assert [finding.where for finding in of_rule(report, "mjcf/sensor-rate")] == ["sensor/ear.rate"]
    model = in_mujoco.mujoco_model(path)
    often = {model.sensor(index).name[:3]: model.sensor_interval[index, 0] for index in range(model.nsensor)}
    assert often == {"eye": 0.1, "ear": 0.0}
    for target in ("urdf", "sdf"):
        _, back = converted(tmp_path, path, f"back.{target}")
        assert "<update_rate>10</update_rate>" in back.read_text()
    lying(' interval="0.1" nsample="1"', "", "mjcf", monkeypatch)
    assert unexplained(convert(source, tmp_path / "away.xml"))


@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_a_rangefinder_is_a_lidar_of_one_ray_elsewhere(target: str, tmp_path: Path) -> None:
    text = """<mujoco model="m"><worldbody><site name="still"/>
      <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/><site name="s" pos=".1 .2 .3" euler="10 20 30"/>
      <body name="b" pos="1 0 0"><joint name="j"/><geom size=".1"/><site name="t" zaxis="1 1 0"/></body></body>
      </worldbody><sensor><rangefinder name="one" site="s" cutoff="7" noise=".1"/><rangefinder name="two" site="t"/>
      <rangefinder name="fixed" site="still"/><rangefinder name="more" site="s" data="dist normal"/></sensor></mujoco>
    """
    source = put(tmp_path, text, "source.xml")
    report, path = converted(tmp_path, source, f"there.{target}")
    if target == "sdf":
        seen(path)
        assert {each.where for each in of_rule(report, "sdf/sensor")} == {"sensor/fixed", "sensor/more"}
    _, back = converted(tmp_path, bare(path), "plain.xml")
    ours, theirs = ((model := in_mujoco.mujoco_model(each), at_rest(model)) for each in (source, back))
    for name, far in (("one", 7.0), ("two", 1000.0)):
        (model, data), (other, there) = ours, theirs
        mine, other_one = model.sensor(name), other.sensor(name)
        pose, pose_there = data.site(mine.objid[0]), there.site(other_one.objid[0])
        assert pose_there.xpos == pytest.approx(pose.xpos, abs=1e-9)
        assert pose_there.xmat[2::3] == pytest.approx(pose.xmat[2::3], abs=1e-9)
        assert (other_one.cutoff[0], other_one.noise[0]) == (far, mine.noise[0])
    _, same = converted(tmp_path, path, "same.xml")
    assert read(same) == read(source)


FAN = """<mujoco model="m"><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1"/>
  <frame pos=".1 .2 .3" euler="10 20 30"><replicate count="{}" euler="0 0 {}">
  <site name="s" euler="{} 0 0"/></replicate></frame><site name="t"/></body></worldbody>
  <sensor><rangefinder name="r" site="s" cutoff="7"/><rangefinder name="more" site="t"/></sensor></mujoco>
"""


@pytest.mark.parametrize("target", ["sdf", "urdf"])
@pytest.mark.parametrize(
    ("count", "step", "tilt", "lidars"), [(36, 10, 90, 2), (5, -30, 90, 2), (4, 15, 60, 5), (2, 10, 90, 3)]
)
def test_rangefinders_that_sweep_evenly_are_one_lidar(
    count: int, step: int, tilt: int, lidars: int, target: str, tmp_path: Path
) -> None:
    """Those on a cone are not: Gazebo's rays of one row are in a plane."""
    source = put(tmp_path, FAN.format(count, step, tilt), "source.xml")
    _, path = converted(tmp_path, source, f"there.{target}")
    assert path.read_text().count('type="gpu_lidar"') == lidars
    _, back = converted(tmp_path, bare(path), "plain.xml")
    found = []
    for each in (source, back):
        model = in_mujoco.mujoco_model(each)
        data = at_rest(model)
        sites = model.sensor_objid[: model.nsensor]
        found.append((data.site_xmat[sites].reshape(-1, 3, 3)[:, :, 2], data.site_xpos[sites]))
    for ours, theirs in zip(*found, strict=True):
        assert theirs == pytest.approx(ours, abs=1e-9)
    _, same = converted(tmp_path, path, "same.xml")
    assert read(same) == read(source)
