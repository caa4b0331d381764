"""What MuJoCo asks of bodies and of relations: told where it refuses a model."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from tests.validating import demands_of_bodies as bodies, demands_of_relations as relations
from tests.validating.by_mujoco import errors, refused, taken


@pytest.mark.parametrize(("rule", "text"), [*bodies.REFUSED, *relations.REFUSED])
def test_what_mujoco_refuses_is_told_once(rule: str, text: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path) == [rule]


@pytest.mark.parametrize("text", [*bodies.TAKEN, *relations.TAKEN])
def test_what_mujoco_takes_is_no_error(text: str, tmp_path: Path) -> None:
    assert taken(text, tmp_path) == []


@pytest.mark.parametrize("inertia", ["", 'inertia="exact"', 'inertia="shell"'])
@pytest.mark.parametrize("scale", [1e-3, 1e-4, 1e-5, 1e-6])
def test_a_mesh_of_almost_no_volume_is_told(scale: float, inertia: str, tmp_path: Path) -> None:
    corners, sides = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4"
    (tmp_path / "m.obj").write_text(f"{corners}\n{sides}\n")
    asset = f'<asset><mesh name="m" file="m.obj" scale="{scale} {scale} {scale}" {inertia}/></asset>'
    text = f'<mujoco>{asset}<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    path = tmp_path / "in.xml"
    path.write_text(text)
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        assert errors(path) == ["MJCF-INVALID"]
    else:
        assert errors(path) == []
