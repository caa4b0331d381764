"""What an MJCF converted from a URDF must share with it: MuJoCo on one side, Pinocchio and plain lxml on the other."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin

from tests.oracles import in_mujoco, in_pinocchio, plain_urdf
from tests.oracles.plain_urdf import Robot
from tests.oracles.shapes_against_mjcf import EXACT, Shapes, close
from tests.oracles.verdict import Naming, Verdicts

CONFIGURATIONS = 10


def compare(urdf: Path, xml: Path, verdicts: Verdicts, named: Naming) -> None:
    """Fill the verdicts loads, links, poses, limits, inertia, mass, matrix, visuals, triangles and collisions.

    named returns whether the report of the conversion names a place of the source.
    """
    try:
        model = in_mujoco.mujoco_model(xml)
    except ValueError as error:
        verdicts.fail("loads", str(error).strip().replace("\n", " "))
        return
    verdicts.good("loads")
    robot = plain_urdf.load(urdf)
    _Comparison(robot, in_pinocchio.pinocchio_model(urdf), model, verdicts, named).run()


class _Comparison:
    def __init__(
        self, robot: Robot, source: pin.Model, model: mujoco.MjModel, verdicts: Verdicts, named: Naming
    ) -> None:
        self.robot = robot
        self.source = source
        self.model = model
        self.data = mujoco.MjData(model)
        self.verdicts = verdicts
        self.named = named
        self.bodies = {name: in_mujoco.body(model, name) for name in robot.links}
        self.moving = [
            joint for joint in robot.joints.values() if not joint.fixed and self.bodies.get(joint.child) is not None
        ]

    def run(self) -> None:
        self.links()
        self.limits()
        self.inertia()
        self.mass()
        self.motion()
        shapes = Shapes(self.robot, self.model, self.bodies, self.verdicts, self.named)
        shapes.compare("visuals", in_mujoco.VISUAL)
        shapes.compare("collisions", in_mujoco.COLLISION)

    # ---------------------------------------------------------------- structure

    def links(self) -> None:
        self.verdicts.good("links")
        for name, body in self.bodies.items():
            if body is None:
                self.verdicts.fail("links", f"link {name!r} is no body")

    def limits(self) -> None:
        self.verdicts.good("limits")
        for joint in self.moving:
            if joint.kind in ("floating", "planar"):
                continue
            index = in_mujoco.joint(self.model, joint.name)
            if index is None:
                self.verdicts.fail("limits", f"joint {joint.name!r} does not exist by that name")
                continue
            self._range(joint, index)
            self._effort(joint, index)
            dof = int(self.model.jnt_dofadr[index])
            for what, expected, found in (
                (
                    "damping",
                    joint.damping,
                    self.model.dof_damping[dof, 0] if self.model.dof_damping.ndim > 1 else self.model.dof_damping[dof],
                ),
                ("friction", joint.friction, self.model.dof_frictionloss[dof]),
            ):
                if expected >= 0 and not close(float(found), expected):
                    self.verdicts.fail(
                        "limits", f"{what} of joint {joint.name!r}: expected {expected!r}, got {float(found)!r}"
                    )

    def _range(self, joint: plain_urdf.Joint, index: int) -> None:
        limited = bool(self.model.jnt_limited[index])
        lower, upper = (float(value) for value in self.model.jnt_range[index])
        got = f"[{lower!r}, {upper!r}]" if limited else "unlimited"
        if joint.kind == "continuous":
            if limited:
                self.verdicts.fail("limits", f"continuous joint {joint.name!r} is limited to {got}")
        elif joint.lower is None or joint.upper is None:
            self.verdicts.excuse("limits", f"joint {joint.name!r} gives no limits")
        elif joint.lower < joint.upper:
            if not limited or not close(lower, joint.lower) or not close(upper, joint.upper):
                if not limited and max(abs(joint.lower), abs(joint.upper)) >= 1e9:
                    return
                self.verdicts.fail(
                    "limits", f"joint {joint.name!r}: expected [{joint.lower!r}, {joint.upper!r}], got {got}"
                )
        elif self.named(f"{joint.place}/limit[1]/@lower") or self.named(f"{joint.place}/limit[1]/@upper"):
            self.verdicts.excuse(
                "limits", f"joint {joint.name!r} has lower {joint.lower:g} >= upper {joint.upper:g}: {got}"
            )
        else:
            text = f"joint {joint.name!r} has lower {joint.lower:g} >= upper {joint.upper:g}, became {got}"
            self.verdicts.fail("limits", f"{text}, not in the report")

    def _effort(self, joint: plain_urdf.Joint, index: int) -> None:
        limited = bool(self.model.jnt_actfrclimited[index])
        lower, upper = (float(value) for value in self.model.jnt_actfrcrange[index])
        effort = joint.effort or 0.0
        if effort > 0 and not (limited and close(lower, -effort) and close(upper, effort)):
            got = f"[{lower!r}, {upper!r}]" if limited else "none"
            self.verdicts.fail("limits", f"effort of joint {joint.name!r}: expected {effort!r}, got {got}")
        if effort == 0 and limited:
            self.verdicts.fail("limits", f"effort of joint {joint.name!r}: expected none, got [{lower!r}, {upper!r}]")

    # ---------------------------------------------------------------- inertia

    def inertia(self) -> None:
        """Compare every link separately: mass, centre of mass and tensor in the axes of the link."""
        self.verdicts.good("inertia")
        light = {link for links in self._light().values() for link in links}
        for name, link in self.robot.links.items():
            body = self.bodies[name]
            if link.mass is None or body is None:
                continue
            if body == 0:
                self.verdicts.excuse("inertia", f"root {name!r} is the world, which has no mass")
            elif name in light:
                self.verdicts.excuse("inertia", f"link {name!r} is moved and has {_weight(link)}")
            else:
                self._link_inertia(link, body)

    def _link_inertia(self, link: plain_urdf.Link, body: int) -> None:
        assert link.mass is not None
        mass = float(self.model.body_mass[body])
        if link.invalid and not (close(mass, link.mass) and self._tensor_error(link, body) <= EXACT):
            self.verdicts.excuse("inertia", f"link {link.name!r} has {link.invalid}")
            return
        if not close(mass, link.mass):
            self.verdicts.fail("inertia", f"mass of {link.name!r}: expected {link.mass!r}, got {mass!r}")
            return
        com = self.model.body_ipos[body]
        if link.mass > 0 and np.abs(com - link.com).max() > EXACT:
            self.verdicts.fail("inertia", f"centre of mass of {link.name!r}: expected {link.com}, got {com}")
        error = self._tensor_error(link, body)
        if error > EXACT:
            self.verdicts.fail("inertia", f"tensor of {link.name!r} is off by {error:.1e} relative")

    def _tensor_error(self, link: plain_urdf.Link, body: int) -> float:
        """Return the error relative to the largest entry; NaN is an error."""
        scale = max(float(np.abs(link.tensor).max()), 1e-300)
        error = float(np.abs(in_mujoco.body_tensor(self.model, body) - link.tensor).max()) / scale
        return error if error == error else float("inf")

    def _light(self) -> dict[str, list[str]]:
        """Return moving joint -> what it moves, if nothing of that has both mass and extent."""
        return {
            joint: links
            for joint, links in self.robot.moving().items()
            if not any(self.robot.links[link].solid for link in links)
        }

    def mass(self) -> None:
        """Compare the total mass. A mass may be invented only for what moves and has none."""
        invalid = [link for link in self.robot.links.values() if link.mass is not None and not link.mass >= 0]
        light = {
            joint: links
            for joint, links in self._light().items()
            if not any((self.robot.links[link].mass or 0) >= 1e-15 for link in links)
        }
        expected = sum(
            link.mass for name, link in self.robot.links.items() if link.mass is not None and self.bodies[name]
        )
        found = float(self.model.body_mass.sum())
        if invalid:
            self.verdicts.excuse("mass", f"link {invalid[0].name!r} has mass {invalid[0].mass}")
        elif light:
            joint, links = next(iter(light.items()))
            self.verdicts.excuse("mass", f"what joint {joint!r} moves has {_weight(self.robot.links[links[0]])}")
        elif not close(found, expected):
            self.verdicts.fail("mass", f"expected {expected!r} kg, got {found!r}")
        else:
            self.verdicts.good("mass")

    def _unmatched(self) -> str | None:
        """Return why the mass matrix of the source cannot be that of any engine that inverts it."""
        for joint, links in self.robot.moving().items():
            for link in links:
                if self.robot.links[link].invalid:
                    return f"what joint {joint!r} moves has {self.robot.links[link].invalid}"
        for joint, links in self._light().items():
            return f"what joint {joint!r} moves has {_weight(self.robot.links[links[0]])}"
        return None

    # ---------------------------------------------------------------- motion

    def motion(self) -> None:
        """Compare poses of all links and the mass matrix at random configurations."""
        self.verdicts.good("poses")
        cause = self._unmatched()
        matrices = True
        self.verdicts.good("matrix")
        tilted = [joint.name for joint in self.moving if joint.kind == "planar" and abs(joint.axis[2]) < 1 - 1e-12]
        if tilted and matrices:
            self.verdicts.excuse("matrix", f"Pinocchio takes the axis of the planar joint {tilted[0]!r} for z")
            matrices = False
        for sample in range(CONFIGURATIONS):
            coordinates = self._coordinates(np.random.default_rng(sample), tilted)
            q = in_pinocchio.configuration(self.source, coordinates)
            expected = in_pinocchio.link_poses(self.source, q)
            jacobian = self._drive(coordinates, expected)
            if not self._poses(expected, sample) or jacobian is None:
                self.verdicts.excuse("matrix", "links or joints are not where they should be")
                return
            if matrices and not self._matrix(q, jacobian, cause):
                return

    def _coordinates(self, random: np.random.Generator, still: list[str]) -> dict[str, tuple[float, ...]]:
        found: dict[str, tuple[float, ...]] = {}
        for joint in self.moving:
            if joint.name in still:
                found[joint.name] = (0.0, 0.0, 0.0)
            elif joint.kind == "planar":
                found[joint.name] = tuple(random.uniform(-1, 1, 3))
            elif joint.kind == "floating":
                quaternion = random.normal(size=4)
                found[joint.name] = (*random.uniform(-1, 1, 3), *(quaternion / np.linalg.norm(quaternion)))
            else:
                bounds = [joint.lower or 0.0, joint.upper or 0.0] if joint.kind != "continuous" else [-math.pi, math.pi]
                low, high = sorted(float(np.clip(bound, -10, 10)) for bound in bounds)
                found[joint.name] = (random.uniform(low, high),)
        return found

    def _drive(self, coordinates: dict[str, tuple[float, ...]], expected: dict[str, np.ndarray]) -> np.ndarray | None:
        """Set qpos; return the matrix J with v_pinocchio = J v_mujoco, None if a joint is missing."""
        model, qpos = self.model, self.data.qpos
        qpos[:] = model.qpos0
        jacobian = np.zeros((self.source.nv, model.nv))
        complete = True
        for joint in self.moving:
            values = coordinates[joint.name]
            column = self.source.joints[self.source.getJointId(joint.name)].idx_v
            body = self.bodies[joint.child]
            assert body is not None
            if joint.kind not in ("planar", "floating"):
                index = in_mujoco.joint(model, joint.name)
                if index is None:
                    complete = False
                    continue
                qpos[model.jnt_qposadr[index]] = values[0]
                jacobian[column, model.jnt_dofadr[index]] = 1.0
                continue
            found = in_mujoco.joints_of(model, body)
            kinds = [int(model.jnt_type[index]) for index in found]
            if kinds == [in_mujoco.FREE]:
                self._free(found[0], expected[joint.child], jacobian, column)
            elif joint.kind == "floating" and kinds == [in_mujoco.SLIDE] * 3 + [in_mujoco.BALL]:
                self._slides(found[:3], values, values[3:], jacobian, column)
                start = model.jnt_qposadr[found[3]]
                qpos[start : start + 4] = values[6], *values[3:6]
                jacobian[column + 3 : column + 6, model.jnt_dofadr[found[3]] :][:, :3] = np.eye(3)
            elif joint.kind == "planar" and kinds == [in_mujoco.SLIDE] * 2 + [in_mujoco.HINGE]:
                half = values[2] / 2
                self._slides(found[:2], values, (0.0, 0.0, math.sin(half), math.cos(half)), jacobian, column)
                sign = 1.0 if model.jnt_axis[found[2]][2] > 0 else -1.0
                qpos[model.jnt_qposadr[found[2]]] = sign * values[2]
                jacobian[column + 2, model.jnt_dofadr[found[2]]] = sign
            else:
                self.verdicts.fail("poses", f"{joint.kind} joint {joint.name!r} became joints of the kinds {kinds}")
                complete = False
        if not complete:
            self.verdicts.fail("poses", "joints are missing, see limits")
        return jacobian if complete else None

    def _free(self, index: int, pose: np.ndarray, jacobian: np.ndarray, column: int) -> None:
        start, dof = self.model.jnt_qposadr[index], self.model.jnt_dofadr[index]
        self.data.qpos[start : start + 3] = pose[:3, 3]
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(pose[:3, :3]).ravel())
        self.data.qpos[start + 3 : start + 7] = quaternion
        jacobian[column : column + 3, dof : dof + 3] = pose[:3, :3].T
        jacobian[column + 3 : column + 6, dof + 3 : dof + 6] = np.eye(3)

    def _slides(
        self, indices: list[int], values: tuple[float, ...], xyzw: tuple[float, ...], jacobian: np.ndarray, column: int
    ) -> None:
        """Slides come before the rotation: Pinocchio measures the same velocity in the moved axes."""
        turned = in_mujoco.matrix(np.array([xyzw[3], *xyzw[:3]]))
        count = len(indices)
        axes = np.array([self.model.jnt_axis[index] for index in indices])[:, :count]
        for index, value in zip(indices, np.linalg.solve(axes.T, np.array(values[:count])), strict=True):
            self.data.qpos[self.model.jnt_qposadr[index]] = value
        for number, index in enumerate(indices):
            jacobian[column : column + count, self.model.jnt_dofadr[index]] = turned[:count, :count].T @ axes[number]

    def _poses(self, expected: dict[str, np.ndarray], sample: int) -> bool:
        found = in_mujoco.poses(self.model, self.data)
        reach = max(1.0, max((float(np.abs(pose[:3, 3]).max()) for pose in expected.values()), default=1.0))
        right = True
        for name, body in self.bodies.items():
            if body is None or name not in expected:
                right = right and body is not None
                continue
            error = np.abs(found[body] - expected[name])
            if not (error[:3, 3].max() <= EXACT * reach and error[:3, :3].max() <= EXACT):
                far, turned = error[:3, 3].max(), error[:3, :3].max()
                self.verdicts.fail(
                    "poses", f"link {name!r} is off by {far:.1e} m and {turned:.1e} in rotation (sample {sample})"
                )
                right = False
        return right

    def _matrix(self, q: np.ndarray, jacobian: np.ndarray, cause: str | None) -> bool:
        """cause excuses a matrix that differs; if it is equal, nothing is excused."""
        if self.source.nv != self.model.nv:
            self.verdicts.fail("matrix", f"expected {self.source.nv} degrees of freedom, got {self.model.nv}")
            return False
        expected = jacobian.T @ in_pinocchio.mass_matrix(self.source, q) @ jacobian
        found = in_mujoco.mass_matrix(self.model, self.data)
        scale = np.sqrt(np.abs(np.diag(expected)))
        error = np.abs(found - expected) / np.maximum(np.outer(scale, scale), 1e-300)
        if error.size and error.max() > EXACT:
            row, column = np.unravel_index(int(error.argmax()), error.shape)
            names = [
                mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, int(self.model.dof_jntid[dof]))
                for dof in (row, column)
            ]
            text = f"at ({names[0]}, {names[1]}) expected {expected[row, column]!r}, got {found[row, column]!r}"
            if cause:
                self.verdicts.excuse("matrix", cause)
            else:
                self.verdicts.fail("matrix", f"{text}: {error.max():.1e} relative")
            return False
        return True


def _weight(link: plain_urdf.Link) -> str:
    if link.mass is None:
        return "no inertial"
    least = np.linalg.eigvalsh(link.tensor)[0] if np.isfinite(link.tensor).all() else np.nan  # nan: it says none
    return f"mass {link.mass:g}, inertia {least:.2g}"
