"""Files that only MJCF uses, from a GLB that contains them through a format that does not name them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image

from converters.convert import convert
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
BODY = '<body name="a"><joint name="j"/><geom size="0.1"/></body>'
HEIGHTS = '<hfield name="h" file="h.png" size="1 1 1 0.1"/>'
FITTED = '<body><joint/><geom type="mesh" mesh="m" mass="1"/><geom type="sphere" mesh="n" mass="1"/></body>'
MODELS = {
    "a cloth": ("", BODY + '<flexcomp name="f" type="mesh" file="m.obj" dim="2" mass="1" rigid="true"/>'),
    "a mesh that nothing shows": ('<mesh name="m" file="m.obj"/>', BODY),
    "a mesh to which a shape is fitted": ('<mesh name="m" file="m.obj"/><mesh name="n" file="n.obj"/>', FITTED),
    "heights": (HEIGHTS, BODY + '<geom type="hfield" hfield="h"/>'),
    "heights that nothing shows": (HEIGHTS, BODY),
}
COUNTS = ("nmesh", "nmeshvert", "nmeshface", "nhfield", "nhfielddata", "nflex", "nflexvert", "ngeom")


@pytest.mark.parametrize("by", ["urdf", "sdf"])
@pytest.mark.parametrize("name", MODELS)
def test_what_a_glb_holds_for_mjcf_comes_through(tmp_path: Path, name: str, by: str):
    """Neither the source nor the GLB exists any more when MuJoCo loads the last model."""
    assets, world = MODELS[name]
    source = tmp_path / "source"
    source.mkdir()
    for file in ("m.obj", "n.obj"):
        (source / file).write_text(OBJ)
    Image.new("L", (3, 3), 100).save(source / "h.png")
    (source / "a.xml").write_text(f"<mujoco><asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>")
    first = mujoco_model(source / "a.xml")
    explained(convert(source / "a.xml", tmp_path / "held" / "a.glb"))
    shutil.rmtree(source)
    explained(convert(tmp_path / "held" / "a.glb", tmp_path / "between" / f"b.{by}"))
    shutil.rmtree(tmp_path / "held")
    explained(convert(tmp_path / "between" / f"b.{by}", tmp_path / "last" / "c.xml"))
    last = mujoco_model(tmp_path / "last" / "c.xml")
    assert {key: getattr(last, key) for key in COUNTS} == {key: getattr(first, key) for key in COUNTS}
