"""Random scenes (tests.furnished): a conversion has a reason for all that it loses of them, and engines take what is
written."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from converters import convert, write
from converters.context import Options
from ir.scene import Scene
from tests.furnished import furnished
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained
from tests.strategies import scenes

WAYS = {
    "urdf": {},
    "urdf 1.2": {"urdf_version": "1.2"},
    "sdf": {},
    "sdf 1.6": {"sdf_version": "1.6"},
    "xml": {},
    "glb": {},
    "glb omi": {"physics": "omi"},
    "glb flat": {"hierarchy": "flat"},
}
FEW = settings(
    max_examples=8, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
)


def converted(scene: Scene, way: str, back: str) -> None:
    target = way.partition(" ")[0]
    with TemporaryDirectory() as folder:
        out = Path(folder) / f"r.{target}"
        explained(write(scene, out, options=Options(**WAYS[way])))
        if target == "xml":
            mujoco.MjModel.from_xml_path(str(out))
        if target == "sdf":
            assert sdformat_reads(out)["errors"] == []
        explained(convert(out, Path(folder) / f"back.{back}"))


@pytest.mark.parametrize("way", WAYS)
@FEW
@given(scene=furnished())
def test_a_scene_with_everything_loses_nothing_without_a_reason(way: str, scene: Scene):
    converted(scene, way, "xml" if way == "sdf" else "sdf")


@pytest.mark.parametrize("way", ["urdf", "sdf", "xml", "glb"])
@FEW
@given(scene=scenes())
def test_a_plain_scene_loses_nothing_without_a_reason(way: str, scene: Scene):
    converted(scene, way, "urdf")
