"""Sizes and masses in the glTF acceptance list: a robot of meshes in any unit, open meshes, and states beyond a limit
that the user did not ask for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from converters.context import InputError, Options
from converters.convert import convert
from tests.files import saved
from tests.formats.test_gltf_acceptance_rest import SOLID, dae, stl
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

PARTS = {
    "base": (dae("0.001", "Z_UP", 100.0), 1.0, (-0.05, -0.1, 0.0)),
    "left": (stl(SOLID * 22), 0.001, (0.0, 0.1, 0.0)),
    "right": (stl(SOLID * 22), 0.001, (0.0, -0.144, 0.0)),
    "sensor": (dae("0.0254", "Y_UP", 0.5), 1.0, (0.05, 0.0, 0.1)),
    "mast": (dae("0.01", "Y_UP", 2.0), 3.0, (-0.1, 0.0, 0.2)),
}
"""Links of a wheeled robot like a Turtlebot: a mesh, the scale in the URDF, and the position. The mesh, the scale or
both give the unit; all are tetrahedra with legs of 1 : 2 : 3."""
BOX = np.array([[-0.1, -0.144, 0.0], [0.0627, 0.144, 0.38]])
"""Bounds in metres: from mast to sensor, from wheel to wheel, from the ground to the top of the mast."""


def waffle(folder: Path) -> Path:
    links, joints = "", ""
    for name, (mesh, scale, place) in PARTS.items():
        file = folder / f"{name}.{'dae' if isinstance(mesh, str) else 'stl'}"
        file.write_bytes(mesh.encode() if isinstance(mesh, str) else mesh)
        shape = f'<geometry><mesh filename="{file.name}" scale="{scale} {scale} {scale}"/></geometry>'
        links += f'<link name="{name}"><visual>{shape}</visual><collision>{shape}</collision></link>'
        origin = f'<origin xyz="{" ".join(map(str, place))}"/><parent link="root"/><child link="{name}"/>'
        joints += f'<joint name="to_{name}" type="fixed">{origin}</joint>'
    return saved(folder / "robot.urdf", f'<robot name="waffle"><link name="root"/>{links}{joints}</robot>')


def upright(document: Path) -> np.ndarray:
    """Return the smallest and largest corner (2, 3) of everything visible, z up, as trimesh reads it."""
    least, largest = trimesh.load_scene(document).bounds
    return np.array([[least[0], -largest[2], least[1]], [largest[0], -least[2], largest[1]]])


TURNED = """<mujoco><worldbody><body name="arm"><joint name="j" axis="0 0 1" range="-60 60"/>
<geom size="0.1" pos="1 0 0"/></body></worldbody><keyframe><key name="{}" qpos="1.5"/></keyframe></mujoco>"""


def test_9_a_state_of_the_source_beyond_a_limit_is_shown_and_no_other(tmp_path: Path) -> None:
    """Whether it is the pose of the model or a clip; a state that the user asks for is refused, or clamped."""
    (tmp_path / "stands.xml").write_text(TURNED.format("as_drawn"))
    explained(convert(tmp_path / "stands.xml", tmp_path / "stands.glb"))
    middle = upright(tmp_path / "stands.glb").mean(axis=0)
    assert middle == pytest.approx([np.cos(1.5), np.sin(1.5), 0], abs=1e-3)
    explained(convert(saved(tmp_path / "far.xml", TURNED.format("far")), tmp_path / "far.glb"))
    document = plain_gltf(tmp_path / "far.glb")
    (clip,) = document.document["animations"]
    assert clip["name"] == "pose:far"
    x, y, z, w = document.array(clip["samplers"][0]["output"])[-1]
    assert 2 * np.arctan2(np.linalg.norm([x, y, z]), w) == pytest.approx(1.5, abs=1e-6)
    with pytest.raises(InputError, match="outside the limits of 'j'"):
        convert(tmp_path / "far.xml", tmp_path / "other.glb", options=Options(pose=("far",)))


def test_22_a_robot_of_meshes_in_any_unit_is_as_large_as_it_is(tmp_path: Path) -> None:
    source = waffle(tmp_path)
    for target in ("robot.glb", "robot.xml", "robot.sdf", "again.urdf"):
        explained(convert(source, tmp_path / "out" / target))
    assert upright(tmp_path / "out" / "robot.glb") == pytest.approx(BOX, abs=1e-6)
    assert np.ptp(BOX, axis=0).max() < 0.6
    model, data = drawn(tmp_path / "out" / "robot.xml")
    corners = [
        model.mesh_vert[at : at + model.mesh_vertnum[mesh]] @ data.geom_xmat[geom].reshape(3, 3).T
        + data.geom_xpos[geom]
        for geom, mesh in enumerate(model.geom_dataid)
        if (at := model.mesh_vertadr[mesh]) >= 0
    ]
    bounds = [np.vstack(corners).min(axis=0), np.vstack(corners).max(axis=0)]
    assert np.array(bounds) == pytest.approx(BOX, abs=1e-6)
    for other in ("robot.sdf", "again.urdf"):
        convert(tmp_path / "out" / other, tmp_path / "last.glb", options=Options(carried=False))
        assert upright(tmp_path / "last.glb") == pytest.approx(BOX, abs=1e-6)


@pytest.mark.parametrize("target", ["robot.glb", "robot.xml", "robot.sdf"])
def test_26_an_open_mesh_weighs_what_its_hull_does_and_that_is_told(tmp_path: Path, target: str) -> None:
    """The other one is closed: for it, only the origin of its inertia is reported."""
    (tmp_path / "open.stl").write_bytes(stl(SOLID[:-1]))
    (tmp_path / "closed.stl").write_bytes(stl(SOLID))
    links = "".join(
        f'<link name="{name}"><collision><geometry><mesh filename="{name}.stl"/></geometry></collision></link>'
        for name in ("open", "closed")
    )
    joint = '<joint name="j" type="continuous"><parent link="open"/><child link="closed"/></joint>'
    (tmp_path / "robot.urdf").write_text(f'<robot name="r">{links}{joint}</robot>')
    options = Options(missing_inertia="geometry", density=600, base="floating")
    report = explained(convert(tmp_path / "robot.urdf", tmp_path / target, options=options))
    hull = trimesh.convex.convex_hull(SOLID[:-1].reshape(-1, 3))
    assert not trimesh.Trimesh(SOLID[:-1].reshape(-1, 3), np.arange(9).reshape(3, 3)).is_watertight
    assert [each.where for each in of_rule(report, "inertia/hull")] == ["body/open.inertial"]
    assert [each.where for each in of_rule(report, "inertia/missing")] == ["body/closed.inertial"]
    if target == "robot.xml":
        model = mujoco_model(tmp_path / target)
        assert model.body_mass[1:] == pytest.approx([600 * hull.volume] * 2, rel=1e-9)
        assert model.body_inertia[1] == pytest.approx(np.sort(600 * hull.principal_inertia_components)[::-1], rel=1e-9)
    elif target == "robot.glb":
        nodes = plain_gltf(tmp_path / target).document["nodes"]
        motions = [said for node in nodes if (said := node.get("extensions", {}).get(BODIES, {}).get("motion"))]
        assert [each["mass"] for each in motions] == pytest.approx([600 * hull.volume] * 2, rel=1e-9)


BODIES = "KHR_physics_rigid_bodies"
