"""The time step of a world that gives none: the default of its format, written wherever that of the target differs."""

from pathlib import Path

import pytest
from lxml import etree

from converters.convert import convert, read
from tests.files import saved
from tests.formats.sdf_text import converted, put
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

BODY = '<body name="b"><freejoint/><geom size="1"/></body>'
WORLDS = {
    "a lamp": f'<worldbody><light pos="0 0 3"/>{BODY}</worldbody>',
    "a floor": f'<worldbody><geom type="plane" size="1 1 1"/>{BODY}</worldbody>',
    "a view": f'<worldbody><camera name="c"/>{BODY}</worldbody>',
    "settings": f'<option gravity="0 0 -5"/><worldbody>{BODY}</worldbody>',
    "nothing": "",
}


@pytest.mark.parametrize("inner", WORLDS.values(), ids=WORLDS.keys())
def test_a_world_of_mjcf_moves_in_its_steps_in_sdf(tmp_path: Path, inner: str) -> None:
    source = put(tmp_path, f"<mujoco>{inner}</mujoco>", "source.xml")
    _, there = converted(tmp_path, source, "there.sdf")
    world = etree.parse(there).find("world")
    assert world is not None
    assert world.findtext("physics/max_step_size") == str(mujoco_model(source).opt.timestep)
    _, back = converted(tmp_path, there, "back.xml")
    assert read(back) == read(source)


def test_a_model_has_no_step(tmp_path: Path) -> None:
    """It uses the time step of the world in which it is placed."""
    source = put(tmp_path, f"<mujoco><worldbody>{BODY}</worldbody></mujoco>", "source.xml")
    _, there = converted(tmp_path, source, "there.sdf")
    root = etree.parse(there).getroot()
    assert root.find("model") is not None and root.find(".//physics") is None


def test_what_a_profile_says_stays_in_a_world_of_another_name(tmp_path: Path) -> None:
    """It is in the document itself, and not only in the carried notes on the author's spelling."""
    said = "<max_step_size>0.002</max_step_size><real_time_factor>2</real_time_factor><ode><solver><iters>50</iters>"
    profile = f'<physics name="p" type="bullet">{said}</solver></ode></physics>'
    world = f'<sdf version="1.9"><world name="w">{profile}<model name="m"><link name="a"/></model></world></sdf>'
    convert(saved(tmp_path / "w.sdf", world), tmp_path / "w.urdf")
    text = (tmp_path / "w.urdf").read_text().replace('name="w"', 'name="other"', 1)
    explained(convert(saved(tmp_path / "w.urdf", text), tmp_path / "back.sdf"))
    back = etree.parse(tmp_path / "back.sdf").find("world")
    assert back.get("name") == "other"
    (physics,) = back.findall("physics")
    found = [physics.findtext(path) for path in ("max_step_size", "real_time_factor", "ode/solver/iters")]
    assert (found, physics.get("name"), physics.get("type")) == (["0.002", "2", "50"], "p", "bullet")
