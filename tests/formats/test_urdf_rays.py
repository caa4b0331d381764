"""The <ray> of a URDF sensor is a lidar in Gazebo, rangefinders in MuJoCo, and itself on the way back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from tests.formats.sdf_text import converted, put, seen
from tests.formats.test_lidars import rays_of
from tests.oracles import in_mujoco
from tests.oracles.in_mujoco import at_rest
from tests.reports import explained, of_rule

LINK = '<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
EYE = """<sensor name="eye" update_rate="20"><origin xyz="0.1 0.2 0.3"/><parent link="a"/>
  <camera><image width="640" height="480" format="RGB8" hfov="1.5" near="0.01" far="50"/></camera></sensor>"""
WIDE = '<horizontal samples="5" resolution="1" min_angle="-1" max_angle="1.5"/>'
SAID = {
    "all": WIDE + '<vertical samples="1" resolution="1" min_angle="0" max_angle="0"/>',
    "some": '<horizontal samples="5" min_angle="-1" max_angle="1.5"/>',
    "rows": WIDE + '<vertical samples="3" min_angle="-0.2" max_angle="0.3"/>',
    "one": '<vertical samples="1"/>',
}


def source(folder: Path, ray: str) -> Path:
    laser = f'<sensor name="laser" update_rate="10"><parent link="a"/><ray>{ray}</ray></sensor>'
    return put(folder, f'<robot name="r">{LINK}</link>{EYE}{laser}</robot>', "robot.urdf")


def test_gazebo_has_the_rays(tmp_path: Path) -> None:
    report, path = converted(tmp_path, source(tmp_path, SAID["rows"]), "there.sdf")
    (told,) = of_rule(report, "sdf/reach")
    assert (told.where, told.before, told.after) == ("sensor/laser.scan.far", "0", "1000")
    assert not of_rule(report, "sdf/foreign-element")
    seen(path)
    lidar = etree.parse(path).find(".//lidar")
    said = [[sweep.findtext(tag) for tag in ("samples", "min_angle", "max_angle")] for sweep in lidar.find("scan")]
    assert [[float(word) for word in sweep] for sweep in said] == [[5, -1, 1.5], [3, -0.2, 0.3]]
    assert [float(lidar.findtext(f"range/{tag}")) for tag in ("min", "max")] == [0, 1000]


def test_mujoco_measures_along_the_rays_without_end(tmp_path: Path) -> None:
    report, path = converted(tmp_path, source(tmp_path, SAID["rows"]), "there.xml")
    explained(report)
    model = in_mujoco.mujoco_model(path)
    data = at_rest(model)
    found = [data.site(int(site)).xmat[2::3] for site in model.sensor_objid]
    assert np.array(found) == pytest.approx(rays_of((5, -1, 1.5, 3, -0.2, 0.3)), abs=1e-9)
    assert set(model.sensor_cutoff) == {0.0}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("way", ["sdf", "xml", "glb"])
def test_the_words_of_the_author_come_back(way: str, said: str, tmp_path: Path) -> None:
    ours = source(tmp_path, SAID[said])
    _, plain = converted(tmp_path, ours, "plain.urdf")
    _, there = converted(tmp_path, ours, f"there.{way}")
    report, home = converted(tmp_path, there, "home.urdf")
    assert not report.findings
    assert home.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize(
    "ray",
    [
        WIDE.replace('"1"', '"2"'),
        WIDE.replace('"5"', '"many"'),
        WIDE.replace('"5"', '"0"'),
        WIDE.replace('"-1"', '"nan"'),
        "<horizontal/>",
    ],
)
def test_other_rays_are_carried(ray: str, tmp_path: Path) -> None:
    report, there = converted(tmp_path, source(tmp_path, ray), "there.sdf")
    assert [each.where for each in of_rule(report, "sdf/foreign-element")] == ["sensor/laser.extras.ray[1]"]
    _, home = converted(tmp_path, there, "home.urdf")
    assert ray in home.read_text()


def test_an_edit_of_the_rays_has_the_words_of_the_author(tmp_path: Path) -> None:
    _, there = converted(tmp_path, source(tmp_path, SAID["some"]), "there.sdf")
    there.write_text(there.read_text().replace("<samples>5</samples>", "<samples>7</samples>"))
    report, home = converted(tmp_path, there, "home.urdf")
    assert not report.findings
    assert '<horizontal samples="7" min_angle="-1" max_angle="1.5"/>' in home.read_text()


def test_an_edit_that_urdf_has_no_word_for_is_said_to_gazebo_and_the_other_sensor_stays(tmp_path: Path) -> None:
    _, there = converted(tmp_path, source(tmp_path, SAID["some"]), "there.sdf")
    there.write_text(there.read_text().replace("<max>1000</max>", "<max>30</max>"))
    report, home = converted(tmp_path, there, "home.urdf")
    assert "sensor/laser" in {each.where for each in of_rule(report, "sdf/gazebo-words")}
    root = etree.parse(home).getroot()
    assert [each.get("name") for each in root.findall("sensor")] == ["eye"]
    assert root.findtext("gazebo/sensor/lidar/range/max") == "30"
