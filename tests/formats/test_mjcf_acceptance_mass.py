"""Further requirements of an MJCF reader: meshes and masses in every other format."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert
from ir.kinematics import forward
from ir.pose import compose, matrix
from ir.types import Mesh
from tests.formats.mjcf_tree import stl
from tests.formats.test_mjcf_acceptance_list import saved, uncarried
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.reports import of_rule


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf"])
def test_a_geom_that_names_a_mesh_and_no_type_is_a_sphere(target: str, tmp_path: Path) -> None:
    (tmp_path / "m.stl").write_bytes(stl())
    path = saved(tmp_path, '<asset><mesh file="m.stl"/></asset><worldbody><geom mesh="m"/></worldbody>')
    convert(path, tmp_path / target)
    geom = next(body.geoms[0] for body in uncarried(tmp_path / target).bodies.values() if body.geoms)
    assert getattr(geom.shape, "radius", None) == pytest.approx(mujoco_model(path).geom_size[0, 0], rel=1e-6)


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf"])
def test_a_mesh_stands_where_its_author_put_its_file(target: str, tmp_path: Path) -> None:
    (tmp_path / "m.stl").write_bytes(stl(shift=(5, -3, 2)))
    path = saved(
        tmp_path,
        """<asset><mesh file="m.stl"/></asset><worldbody><body name="b" pos="1 0 0"><joint/>
        <geom name="g" type="mesh" mesh="m" pos=".1 .2 .3" euler="10 20 30"/></body></worldbody>""",
    )
    convert(path, tmp_path / target)
    model, data = drawn(path)
    theirs = data.geom_xpos[0] + model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T
    scene = uncarried(tmp_path / target)
    geom = scene.body("b").geoms[0]
    assert isinstance(geom.shape, Mesh)
    assert geom.pose.pos == pytest.approx((0.1, 0.2, 0.3), abs=1e-12)
    at = compose(forward(scene)["b"], geom.pose)
    raw = np.frombuffer((tmp_path / "m.stl").read_bytes()[84:], np.uint8).reshape(-1, 50)
    corners = np.ascontiguousarray(raw[:, 12:48]).view("<f4").reshape(-1, 3)
    ours = corners @ np.array(matrix(at.rot)).T + at.pos
    assert np.linalg.norm(theirs[:, None] - ours[None], axis=-1).min(axis=1).max() < 1e-6


@pytest.mark.parametrize(("groups", "copies"), [("0 5", 2), ("3 3", 1)])
@pytest.mark.parametrize("target", ["out.urdf", "out.sdf"])
def test_what_is_seen_weighs_as_well_unless_its_group_is_left_out(
    groups: str, copies: int, target: str, tmp_path: Path
) -> None:
    path = saved(
        tmp_path,
        f"""<compiler inertiagrouprange="{groups}"/><worldbody><body name="b"><joint/>
        <geom size=".3" group="2" contype="0" conaffinity="0"/><geom size=".3" group="3"/></body></worldbody>""",
    )
    convert(path, tmp_path / target)
    inertial = uncarried(tmp_path / target).body("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(copies * 1000 * 4 / 3 * math.pi * 0.3**3, rel=1e-12)
    assert inertial.mass == pytest.approx(mujoco_model(path).body_mass[1], rel=1e-12)


@pytest.mark.parametrize(("mode", "mass"), [("legacy", 3000), ("convex", 3500), ("exact", 3000), ("shell", 14000)])
def test_a_prism_weighs_what_its_mode_says(mode: str, mass: float, tmp_path: Path) -> None:
    (tmp_path / "m.stl").write_bytes(stl())
    path = saved(
        tmp_path,
        f"""<asset><mesh file="m.stl" inertia="{mode}"/></asset>
        <worldbody><body name="b"><joint/><geom type="mesh" mesh="m"/></body></worldbody>""",
    )
    convert(path, tmp_path / "out.urdf")
    inertial = uncarried(tmp_path / "out.urdf").body("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(mass, rel=1e-6)
    assert mujoco_model(path).body_mass[1] == pytest.approx(inertial.mass, rel=1e-9)


def test_a_mass_of_the_class_wins_over_a_density_of_the_element(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        """<default><geom mass="7"/></default>
        <worldbody><body name="b"><joint/><geom size="1" density="1"/></body></worldbody>""",
    )
    convert(path, tmp_path / "out.urdf")
    inertial = uncarried(tmp_path / "out.urdf").body("b").inertial
    assert inertial is not None
    assert inertial.mass == 7 == mujoco_model(path).body_mass[1]


@pytest.mark.parametrize("target", ["out.urdf", "out.sdf"])
def test_what_mujoco_does_not_weigh_has_the_inertia_of_its_shapes_where_that_is_asked_for(
    target: str, tmp_path: Path
) -> None:
    path = saved(
        tmp_path,
        """<compiler inertiagrouprange="0 2"/><worldbody><body name="b"><joint/><geom size=".3"/>
        <body name="c"><geom type="box" size=".5 .5 .5" group="3"/></body></body></worldbody>""",
    )
    assert mujoco_model(path).body_mass[2] == 0
    report = convert(path, tmp_path / target, options=Options(missing_inertia="geometry", density=2.0))
    inertial = uncarried(tmp_path / target).body("c").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(2.0)
    assert [finding.where for finding in of_rule(report, "inertia/missing")] == ["body/c.inertial"]
