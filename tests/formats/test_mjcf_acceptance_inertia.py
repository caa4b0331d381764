"""Geoms and inertia against MuJoCo: what it compiles is what is read, written again, and written to URDF."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.convert import convert, read
from ir.pose import matrix
from ir.types import WORLD, Mesh, Sphere
from tests.formats.mjcf_tree import PRISM, body, check, check_again, check_inertia, meant, saved, stl
from tests.oracles.in_mujoco import matrix as rotation, mujoco_model
from tests.reports import explained


@pytest.mark.parametrize("shell", ["false", "true"])
@pytest.mark.parametrize("shape", ["sphere", "capsule", "cylinder", "box", pytest.param("ellipsoid", id="ellipsoid")])
def test_inertia_of_a_single_geom(shape: str, shell: str, tmp_path: Path):
    geom = f"<geom type='{shape}' size='.1 .25 .37' pos='.1 .2 .3' euler='10 20 30' shellinertia='{shell}'/>"
    path = saved(tmp_path, body(geom))
    check_inertia(path, read(path), 1e-6 if (shape, shell) == ("ellipsoid", "true") else 1e-9)


@pytest.mark.parametrize(
    "compiler",
    [
        "",
        'inertiagrouprange="3 3"',
        'boundmass="2000" boundinertia="500"',
        'inertiafromgeom="true"',
        'settotalmass="10"',
        'balanceinertia="true"',
    ],
)
def test_settings_of_the_compiler_about_mass(compiler: str, tmp_path: Path):
    inner = """<geom size=".3" group="2" contype="0" conaffinity="0"/><geom size=".3" group="3"/>
      <geom type="box" size=".1 .2 .3" pos="0 0 1" mass="7" density="1" group="3"/>
      <body name="c"><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/><geom size=".2" group="3"/></body>"""
    path = saved(tmp_path, body(inner, f"<compiler {compiler}/>"))
    check_inertia(path, read(path))
    check_again(path, tmp_path)


@pytest.mark.parametrize("inner", ["", '<geom size=".1" mass="0" pos="0 0 1"/>'])
def test_a_body_of_no_mass_that_is_given_some_has_it_where_mujoco_has_it(inner: str, tmp_path: Path):
    """Not at its origin: the coordinates of its position in the parent are used as the centre of mass."""
    empty = f'<geom size=".1"/><body name="empty" pos=".1 .2 .3" euler="0 30 0">{inner}</body>'
    path = saved(tmp_path, body(empty, '<compiler boundmass="1e-3" boundinertia="1e-5"/>'))
    check_inertia(path, read(path))
    check_again(path, tmp_path)


def test_the_order_of_a_full_inertia(tmp_path: Path):
    scene = check(tmp_path, body("<inertial pos='1 2 3' mass='2' fullinertia='3 4 5 .1 .2 .3'/><geom size='1'/>"))
    assert scene.body("b").inertial.tensor == (3.0, 4.0, 5.0, 0.1, 0.2, 0.3)


@pytest.mark.parametrize("mode", ["legacy", "convex", "exact", "shell"])
def test_inertia_of_a_mesh(mode: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl())
    asset = f"<asset><mesh name='m' file='m.stl' inertia='{mode}' scale='1 2 .5'/></asset>"
    path = saved(tmp_path, body("<joint/><geom type='mesh' mesh='m' pos='.1 .2 .3' euler='10 20 30'/>", asset))
    check_inertia(path, read(path), 1e-7)
    check_again(path, tmp_path)


@pytest.mark.parametrize(
    "asset", ['refpos="1 2 3"', 'refquat="1 1 0 0"', 'refpos="1 2 3" refquat="1 2 3 4" scale="2 2 2"']
)
def test_a_mesh_that_its_asset_moves_stands_there_in_urdf(asset: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl())
    path = saved(
        tmp_path,
        body(
            "<joint/><geom type='mesh' mesh='m' pos='.1 .2 .3' euler='10 20 30'/>",
            f"<asset><mesh name='m' file='m.stl' {asset}/></asset>",
        ),
    )
    model = mujoco_model(path)
    (geom,) = meant(read(path)).body("b").geoms
    assert isinstance(geom.shape, Mesh)
    corners = np.array([[x, y, z] for x, y in PRISM for z in (0.0, 1.0)]) * geom.shape.scale
    found = corners @ matrix(geom.pose.rot).T + np.array(geom.pose.pos)
    there = model.mesh_vert @ rotation(model.geom_quat[0]).T + model.geom_pos[0]
    for corner in there:
        assert np.linalg.norm(found - corner, axis=1).min() < 1e-6
    explained(convert(path, tmp_path / "out.urdf"))
    assert read(tmp_path / "out.urdf") == read(path)


@pytest.mark.parametrize("aabb", ["false", "true"])
@pytest.mark.parametrize("kind", ["", "sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_a_shape_is_fitted_to_a_mesh(kind: str, aabb: str, tmp_path: Path):
    (tmp_path / "m.stl").write_bytes(stl(3.0))
    outer = f"<compiler fitaabb='{aabb}'/><asset><mesh name='m' file='m.stl'/></asset>"
    said = f"type='{kind}'" if kind else ""
    path = saved(tmp_path, body(f"<geom {said} mesh='m' pos='.1 .2 .3' size='9 9 9' fitscale='.9'/>", outer))
    model = mujoco_model(path)
    scene = read(path)
    shape = meant(scene).body("b").geoms[0].shape
    assert not isinstance(shape, Mesh)
    if isinstance(shape, Sphere):
        assert shape.radius == pytest.approx(model.geom_size[0][0], rel=1e-6)
    check_inertia(path, scene, 1e-6)
    check_again(path, tmp_path)


def test_inline_meshes_and_height_fields_come_back(tmp_path: Path):
    outer = """<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
      <hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 2 3"/>
      <mesh name="ball" builtin="sphere" params="2"/></asset>"""
    inner = "<geom type='mesh' mesh='tet'/><body name='c'><geom type='mesh' mesh='ball'/></body>"
    text = body(inner, outer).replace("<worldbody>", "<worldbody><geom type='hfield' hfield='h'/>")
    path = saved(tmp_path, text)
    check_again(path, tmp_path)
    assert read(path).body(WORLD).geoms[0].shape.size == (2.0, 2.0, 1.0)
