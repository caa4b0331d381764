"""What came from glTF keeps the meaning of glTF in another format: the graph that comes back knows its origin."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import convert, read
from converters.context import Options
from ir.diff import differences
from tests.files import saved
from tests.formats.gltf_made import CORNERS, FACES, Made
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained

PHYSICS, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"


def ball(name: str, x: float) -> dict[str, object]:
    said = {"motion": {"mass": 2.0}, "collider": {"geometry": {"shape": 0}}}
    return {"name": name, "translation": [x, 1, 0], "extensions": {PHYSICS: said}}


DOCUMENT = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "extensionsUsed": [SHAPES, PHYSICS],
    "extensions": {SHAPES: {"shapes": [{"type": "sphere", "sphere": {"radius": 0.5}}]}},
    "nodes": [ball("a", 0.0), ball("b", 1.5)],
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return saved(tmp_path / "m.gltf", json.dumps(DOCUMENT))


@pytest.mark.parametrize("through", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb"])
def test_a_way_through_another_format_says_what_the_straight_one_says(
    source: Path, through: str, target: str, tmp_path: Path
) -> None:
    (tmp_path / "straight").mkdir()
    explained(convert(source, tmp_path / f"w.{through}"))
    for start, end in (
        (source, tmp_path / "straight" / f"r.{target}"),
        (tmp_path / f"w.{through}", tmp_path / f"r.{target}"),
    ):
        explained(convert(start, end))
    plain = Options(carried=False)
    ways = [read(folder / f"r.{target}", options=plain) for folder in (tmp_path / "straight", tmp_path)]
    assert [each.path for each in differences(*ways) if not each.field.startswith("asset")] == []


def test_bodies_of_a_gltf_collide_after_a_way_through_sdformat(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "w.sdf")
    assert set(etree.parse(tmp_path / "w.sdf").xpath("//self_collide/text()")) == {"true"}
    convert(tmp_path / "w.sdf", tmp_path / "r.xml")
    model = mujoco_model(tmp_path / "r.xml")
    data = mujoco.MjData(model)
    data.qpos[7] = data.qpos[0] + 0.6
    mujoco.mj_forward(model, data)
    assert (model.nbody, data.ncon) == (3, 1)
    convert(tmp_path / "w.sdf", tmp_path / "r.urdf")
    assert set(etree.parse(tmp_path / "r.urdf").xpath("//gazebo/self_collide/text()")) == {"true"}


def test_what_a_gltf_does_not_say_of_looks_stays_what_its_specification_says(tmp_path: Path) -> None:
    """White, metallic 1, roughness 1, visible from the front only (glTF 2.0, 5.19, 5.22 and 3.9.6)."""
    made = Made(materials=[{"name": "silent"}])
    plain, silent = made.mesh(), made.mesh(made.primitive(CORNERS, FACES[:2], material=0))
    made.scene(made.node(mesh=plain, name="a"), made.node(mesh=silent, name="b"))
    convert(saved(tmp_path / "m.glb", made.glb()), tmp_path / "r.glb")
    document = plain_gltf(tmp_path / "r.glb").document
    rough = {"baseColorFactor": [1.0] * 4, "metallicFactor": 1.0, "roughnessFactor": 1.0}
    for look in document["materials"]:
        said = {key: look["pbrMetallicRoughness"].get(key, usual) for key, usual in rough.items()}
        assert (said, look.get("doubleSided", False)) == (rough, False)
    assert {primitive.get("material") for mesh in document["meshes"] for primitive in mesh["primitives"]} == {0, 1}
