"""Height field images that a conversion made, edited next to the document: the edits are used and reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from converters import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

MODEL = """<mujoco><asset><hfield name="rough" {} size="1 2 .5 .1"/></asset><worldbody>
<geom type="hfield" hfield="rough"/><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
SOURCES = {"inline": 'nrow="3" ncol="3" elevation="0 1 2 3 4 5 6 7 8"', "binary": 'file="h.bin"'}


@pytest.mark.parametrize("source", SOURCES)
def test_an_image_that_was_made_of_a_field_and_changed_since_is_the_field(tmp_path: Path, source: str) -> None:
    heights = np.arange(9, dtype="<f4").tobytes()
    (tmp_path / "h.bin").write_bytes(np.array([3, 3], dtype="<i4").tobytes() + heights)
    convert(saved(tmp_path / "a.xml", MODEL.format(SOURCES[source])), tmp_path / "there.sdf")
    convert(tmp_path / "there.sdf", tmp_path / "same.xml")
    data = [mujoco_model(tmp_path / name).hfield_data.tolist() for name in ("a.xml", "same.xml")]
    assert data[0] == data[1]
    (made,) = (tmp_path / "there_assets").glob("*.png")
    Image.fromarray(np.linspace(255, 0, 25).reshape(5, 5).astype(np.uint8)).save(made)
    report = explained(convert(tmp_path / "there.sdf", tmp_path / "back.xml"))
    assert [each.where.rpartition(".")[2] for each in of_rule(report, "carried/stale")] == ["world_geom_0"]
    model = mujoco_model(tmp_path / "back.xml")
    (field,) = {int(number) for number in model.geom_dataid if number >= 0}
    at = model.hfield_adr[field]
    shown = model.hfield_data[at : at + 25].reshape(5, 5)[::-1]
    assert shown == pytest.approx(np.linspace(1, 0, 25).reshape(5, 5), abs=0.01)
