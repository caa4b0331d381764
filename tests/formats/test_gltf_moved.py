"""Moved meshes: those of our glTF for files that MJCF moves or fits, and those of nodes outside the scene."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree

from converters.context import InputError, Options
from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_arm import BODIES, by_name, edited
from tests.formats.gltf_made import CORNERS, Made
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.reports import complete, of_rule

TURN = 'refpos=".1 .2 .3" refquat="1 .2 .3 .4"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mesh that no rotation maps onto itself."""
    (tmp_path / "a").mkdir()
    pole = trimesh.creation.box((0.1, 0.1, 0.6)).apply_translation((0.1, 0.2, 0.3))
    corner = trimesh.util.concatenate([trimesh.creation.box((0.4, 0.1, 0.1)), pole])
    corner.export(tmp_path / "a" / "corner.stl")
    return tmp_path


def write(folder: Path, mesh: str, geoms: str) -> Path:
    path = folder / "a" / "r.xml"
    path.write_text(
        f'<mujoco><asset><mesh name="m" file="corner.stl" inertia="convex" {mesh}/></asset><worldbody>'
        f'<body name="b" pos="0 0 1"><freejoint/>{geoms}</body></worldbody></mujoco>'
    )
    return path


def brought(path: Path, name: str, **options: str) -> Path:
    """Convert a model to glTF in a folder that lacks the mesh file of the model; return the path."""
    complete(convert(path, path.with_name(name), options=Options(**options)))
    target = path.parent.parent / "elsewhere" / name
    target.parent.mkdir()
    path.with_name(name).rename(target)
    return target


def same(one: mujoco.MjModel, other: mujoco.MjModel, share: float = 1e-6) -> None:
    """Check that both MuJoCo models have the same poses, types and masses of geoms and bodies."""
    assert one.geom_type.tolist() == other.geom_type.tolist()
    for field in ("geom_pos", "geom_quat", "geom_aabb", "body_mass", "body_ipos", "body_inertia"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=share, abs=share), field


def test_a_mesh_that_has_no_name_gets_none_where_its_file_is_called_so(folder: Path):
    """MuJoCo names it after its file. A file whose name is not valid on every system is written under another name."""
    files = ("corner", "a corner", "CORNER")
    for name in files[1:]:
        (folder / "a" / f"{name}.stl").write_bytes((folder / "a" / "corner.stl").read_bytes())
    meshes = "".join(f'<mesh file="{name}.stl"/>' for name in files)
    geoms = "".join(f'<geom type="mesh" mesh="{name}"/>' for name in files)
    path = saved(folder / "a" / "r.xml", f"<mujoco><asset>{meshes}</asset><worldbody>{geoms}</worldbody></mujoco>")
    back = brought(path, "r.glb").with_name("back.xml")
    complete(convert(back.with_name("r.glb"), back))
    model = mujoco_model(back)
    assert [model.mesh(number).name for number in range(model.nmesh)] == list(files)
    there = [(mesh.get("name"), Path(mesh.get("file", "")).stem) for mesh in etree.parse(back).iterfind("asset/mesh")]
    assert [name for name, _ in there] == [
        None if name == stem else name for name, (_, stem) in zip(files, there, strict=True)
    ]
    assert [name for name, _ in there].count(None) == 1


@pytest.mark.parametrize("compress", ["none", "quantize"])
@pytest.mark.parametrize("mesh", [TURN, f'{TURN} scale="2 2 2"', 'refpos=".1 0 .3" scale="1 2 3"', ""])
def test_a_mesh_that_its_asset_moves_comes_back_from_elsewhere(folder: Path, mesh: str, compress: str):
    path = write(folder, mesh, '<geom name="g" type="mesh" mesh="m" pos=".5 0 0" euler="10 20 30"/>')
    target = brought(path, "r.glb", compress=compress)
    complete(convert(target, target.with_name("back.xml")))
    same(mujoco_model(target.with_name("back.xml")), mujoco_model(path), 1e-6 if compress == "none" else 1e-3)
    written = etree.parse(target.with_name("back.xml")).find("asset/mesh")
    assert written is not None
    said = etree.fromstring(f"<mesh {mesh}/>")
    assert [written.get(key) for key in ("refpos", "refquat", "scale")] == [
        said.get(key) for key in ("refpos", "refquat", "scale")
    ]
    complete(convert(target, target.with_name("back.urdf")))
    found = etree.parse(target.with_name("back.urdf")).find("link/visual/geometry/mesh")
    assert found is not None and (target.parent / found.get("filename", "")).is_file()


def test_a_mesh_that_its_asset_turns_and_stretches_or_that_lends_its_size_is_itself_again(folder: Path):
    """The document shows another mesh, or a box; the file is embedded as well."""
    geoms = '<geom name="g" type="mesh" mesh="m"/><geom name="h" type="box" mesh="m" pos="1 0 0"/>'
    path = write(folder, f'{TURN} scale="1 2 3"', geoms)
    target = brought(path, "r.glb")
    complete(convert(target, target.with_name("back.xml")))
    same(mujoco_model(target.with_name("back.xml")), mujoco_model(path))


def test_a_geom_that_was_moved_shows_its_mesh_where_it_was_moved_to(folder: Path):
    path = write(folder, TURN, '<geom name="g" type="mesh" mesh="m" pos=".5 0 0"/>')
    target = brought(path, "r.gltf")
    path.parent.joinpath("r_assets").rename(target.with_name("r_assets"))

    def change(document: dict[str, object]) -> None:
        node = by_name(document, "g")
        node["translation"] = [value + 1 for value in node["translation"]]

    complete(convert(edited(target, change), target.with_name("back.xml")))
    model, before = mujoco_model(target.with_name("back.xml")), mujoco_model(path)
    assert model.geom_pos == pytest.approx(before.geom_pos + 1, abs=1e-6)
    assert np.abs(model.geom_quat) == pytest.approx(np.abs(before.geom_quat), abs=1e-6)


def test_a_mesh_that_collides_may_be_that_of_a_node_outside_the_scene(tmp_path: Path):
    """In the draft until 2026 such a node gave the mesh and nothing else."""
    shapes = "KHR_implicit_shapes"
    made = Made(extensionsUsed=[BODIES, shapes])
    aside = made.node(name="aside", mesh=made.mesh(), translation=[3, 0, 0], scale=[2, 1, 1])
    said = {"motion": {"mass": 1}, "collider": {"geometry": {"node": aside, "convexHull": True}}}
    made.scene(made.node(name="x", translation=[0, 1, 0], extensions={BODIES: said}))
    report = complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "a.xml"))
    assert [(each.where, each.action) for each in of_rule(report, "gltf/shape")] == [("body/x", "approximated")]
    model, data = drawn(tmp_path / "a.xml")
    stand = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    expected = {(round(x, 4), round(-z, 4) + 0.0, round(y + 1, 4)) for x, y, z in CORNERS.tolist()}
    assert {(round(x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0) for x, y, z in stand.tolist()} == expected
    made.root["nodes"][aside].pop("mesh")
    (tmp_path / "b.glb").write_bytes(made.glb())
    with pytest.raises(InputError, match="node 0, which has no mesh"):
        convert(tmp_path / "b.glb", tmp_path / "b.xml")


@pytest.mark.parametrize("through", ["urdf", "sdf", "xml"])
def test_a_mesh_that_a_node_shears_goes_through_that_once(tmp_path: Path, through: str):
    """Through a file made of it, and through a glTF of Kinegraph that contains that file."""
    made = Made()
    turned = made.node(name="turned", mesh=made.mesh(), rotation=[0, 0, 0.6, 0.8])
    made.scene(made.node(name="top", scale=[0.1, 0.2, 0.3], children=[turned]))
    (tmp_path / "a.glb").write_bytes(made.glb())
    names = ["a.glb", f"b.{through}", "c.glb", "d.xml"]
    for source, target in pairwise(names):
        complete(convert(tmp_path / source, tmp_path / target))
    model, data = drawn(tmp_path / "d.xml")
    stand = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    turn = np.array([[0.28, -0.96, 0], [0.96, 0.28, 0], [0, 0, 1]])
    x, y, z = (CORNERS @ turn.T * [0.1, 0.2, 0.3]).T
    expected = np.stack([x, -z, y], axis=1)
    assert stand[np.lexsort(stand.round(5).T)] == pytest.approx(expected[np.lexsort(expected.round(5).T)], abs=1e-6)
