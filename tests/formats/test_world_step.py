"""The time step of a world that says none: that of its format, said wherever that of the target is another one."""

from pathlib import Path

import pytest
from lxml import etree

from converters.convert import read
from tests.formats.sdf_text import converted, put
from tests.oracles.in_mujoco import mujoco_model

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
    """It moves as the world does into which it is put."""
    source = put(tmp_path, f"<mujoco><worldbody>{BODY}</worldbody></mujoco>", "source.xml")
    _, there = converted(tmp_path, source, "there.sdf")
    root = etree.parse(there).getroot()
    assert root.find("model") is not None and root.find(".//physics") is None
