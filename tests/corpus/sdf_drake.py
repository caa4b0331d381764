"""SDF -> URDF of articulated models: Drake's reading of the URDF compared with Drake's reading of the SDF."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from converters.context import InputError, Options
from converters.convert import read
from converters.format import Fits, Target
from converters.passes.loops import TURNED_ROUND
from converters.passes.still import STATIC
from ir import dynamics, kinematics
from ir.joints import Dof, DofKind, Joint
from ir.scene import Scene
from tests.corpus.checks import Case, judged
from tests.oracles import in_pinocchio, plain_urdf
from tests.oracles.drake_bones import NAMESAKE, bones
from tests.oracles.drake_motion import Refused, drake_moves
from tests.oracles.in_urdfdom import check_urdf

DRAKE = ("urdf", "explained", "check_urdf", "pinocchio", "drake loads", "drake poses", "drake matrix", "mimic")
TOLERANCE = 1e-9
SAMPLES = 10
TURNS = ("_RX", "_RY", "_RZ")
SLIDE = "_T"
Array = np.ndarray[Any, np.dtype[np.float64]]


def sdf_to_urdf(path: str, folders: Sequence[str]) -> dict[str, Any]:
    """Check one model; without verdicts if nothing in it moves, or it cannot be read."""
    search = [Path(folder) for folder in folders]
    options = Options(resource_paths=tuple(search))
    try:
        scene = read(path, options=options)
    except InputError:
        return {"criteria": {}, "seconds": {}}
    if not any(dof.kind is not DofKind.FREE for _, dof in scene.dofs().values()):
        return {"criteria": {}, "seconds": {}}
    return judged(path, [lambda case: _check(case, scene, search)], options)


def _check(case: Case, scene: Scene, folders: list[Path]) -> None:
    written = case.work / "robot.urdf"
    report = case.convert("urdf", case.path, written)
    if report is None:
        return
    case.explained("explained", report)
    case.verdicts.good("check_urdf")
    complaint = check_urdf(written)
    if complaint:
        case.verdicts.fail("check_urdf", complaint)
    target = Target(fits=Fits(), options=case.options)
    turned = TURNED_ROUND.apply(STATIC.apply(scene, target), target)
    moves = _Moves(turned, scene, written)
    for name in moves.missing:
        case.verdicts.fail("urdf", f"no joint {name!r}")
    if moves.missing:
        return
    dice = np.random.default_rng(11)
    samples = [{name: float(dice.uniform(-1, 1)) for name in moves.axes} for _ in range(SAMPLES)]
    _in_pinocchio(case, turned, moves, written, samples)
    _in_drake(case, moves, written, folders, samples)
    _mimics(case, scene, written)


class _Moves:
    """How a configuration of the scene is expressed in the URDF: one number for each rotating or sliding axis.

    A ball joint has three axes of its own there, a screw one, and a slide that follows it.
    """

    def __init__(self, scene: Scene, source: Scene, written: Path) -> None:
        """scene is the source as a tree: joints that pointed inwards are reversed."""
        self.joints: dict[str, Joint] = {}
        """Joints of the tree, by name."""
        self.axes: dict[str, tuple[Joint, Dof]] = {}
        """Maps the name of a joint in the URDF to its joint and dof in the scene."""
        for joint in scene.joints.values():
            if joint.closes_loop or not joint.dofs or joint.dofs[0].kind is DofKind.FREE:
                continue
            self.joints[joint.name] = joint
            for dof in joint.dofs:
                names = [f"{dof.name}{turn}" for turn in TURNS] if dof.kind is DofKind.BALL else [dof.name]
                self.axes.update(dict.fromkeys(names, (joint, dof)))
        self.urdf = {
            str(joint.get("name")): (str(joint.find("parent").get("link")), str(joint.find("child").get("link")))
            for joint in plain_urdf.parse(written).findall("joint")
        }
        self.missing = [name for name in self.axes if name not in self.urdf]
        self.turned = {name for name, joint in self.joints.items() if joint.parent != source.joints[name].parent}
        self.loops = {joint.name for joint in scene.joints.values() if joint.closes_loop}
        self.floating = [
            joint.child
            for joint in scene.joints.values()
            if len(joint.dofs) == 1
            and joint.dofs[0].kind is DofKind.FREE
            and not joint.closes_loop
            and ("world", joint.child) in self.urdf.values()  # the one free root at the origin is held by nothing there
        ]

    def said(self, q: Mapping[str, float]) -> dict[str, list[float]]:
        """Return the coordinates of the joints of the URDF."""
        values = {name: [value] for name, value in q.items()}
        for name, (_, dof) in self.axes.items():
            if dof.kind is DofKind.SCREW:
                values[f"{name}{SLIDE}"] = [q[name] * (dof.pitch or 0.0)]
        return values

    def meant(self, q: Mapping[str, float]) -> dict[str, list[float]]:
        """Return the same in the joints of the scene: nine numbers of a rotation matrix for a ball."""
        return {
            name: list(self.rotation(joint, q).ravel()) if _is_ball(joint) else [q[dof.name] for dof in joint.dofs]
            for name, joint in self.joints.items()
        }

    def rotation(self, joint: Joint, q: Mapping[str, float]) -> Array:
        """Return the rotation of a ball's child along its own axes at zero; reversed joints as the source has them."""
        turn = self.turn(joint, q)
        frame = _matrix(joint.pose.rot)
        return frame @ turn.T @ frame.T if joint.name in self.turned else turn

    def turn(self, joint: Joint, q: Mapping[str, float]) -> Array:
        """Return the rotation of the child of a ball of the tree."""
        return _product([_about(index, q[f"{joint.dofs[0].name}{TURNS[index]}"]) for index in range(3)])

    def rates(self, joint: Joint, q: Mapping[str, float]) -> Array:
        """Columns: angular velocity of the child in the parent, along the child's axes at zero, for the three rates."""
        angles = [q[f"{joint.dofs[0].name}{TURNS[index]}"] for index in range(3)]
        first, second = _about(0, angles[0]), _about(0, angles[0]) @ _about(1, angles[1])
        rates = np.column_stack([np.eye(3)[0], first[:, 1], second[:, 2]])
        frame = _matrix(joint.pose.rot)
        return -frame @ self.turn(joint, q).T @ rates if joint.name in self.turned else rates


def _is_ball(joint: Joint) -> bool:
    return joint.dofs[0].kind is DofKind.BALL


def _product(parts: list[Array]) -> Array:
    whole: Array = np.eye(3)
    for part in parts:
        whole = whole @ part
    return whole


def _about(axis: int, angle: float) -> Array:
    one, two = [index for index in range(3) if index != axis]
    sign = -1.0 if axis == 1 else 1.0
    turn = np.eye(3)
    turn[one, one] = turn[two, two] = math.cos(angle)
    turn[one, two], turn[two, one] = -sign * math.sin(angle), sign * math.sin(angle)
    return turn


def _matrix(quat: Sequence[float]) -> Array:
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


# ------------------------------------------------------------------------------------------------------------ Pinocchio


def _in_pinocchio(
    case: Case, scene: Scene, moves: _Moves, written: Path, samples: Sequence[Mapping[str, float]]
) -> None:
    """Compare Kinegraph's kinematics and dynamics of the SDF with Pinocchio's reading of the URDF."""
    case.verdicts.good("pinocchio")
    try:
        model = in_pinocchio.pinocchio_model(written)
    except ValueError as error:
        case.verdicts.fail("pinocchio", str(error).strip()[-300:])
        return
    place = plain_urdf.gazebo_place(written)
    for q in samples:
        ours = {name: value for joint in moves.joints.values() for name, value in _coordinates(moves, joint, q)}
        poses = kinematics.forward(scene, ours)
        said = {name: tuple(values) for name, values in moves.said(q).items()}
        position = in_pinocchio.configuration(model, said)
        theirs = {name: place @ pose for name, pose in in_pinocchio.link_poses(model, position).items()}
        for name, pose in poses.items():
            if name == "world":
                continue
            whole = np.eye(4)
            whole[:3, :3], whole[:3, 3] = _matrix(pose.rot), pose.pos
            if name not in theirs:
                case.verdicts.fail("pinocchio", f"no link {name!r}")
            elif not np.allclose(whole, theirs[name], rtol=TOLERANCE, atol=TOLERANCE):
                case.verdicts.fail("pinocchio", f"{name!r} stands elsewhere")
        names, matrix = dynamics.mass_matrix(scene, ours)
        first = {name.partition("[")[0]: index for index, name in reversed(list(enumerate(names)))}
        blocks_ours, blocks_theirs = [], []
        whole_theirs = in_pinocchio.mass_matrix(model, position)
        for joint in moves.joints.values():
            for dof in joint.dofs:
                if dof.kind is DofKind.BALL:
                    continue  # seen in Drake
                blocks_ours.append(_column(len(names), {first[dof.name]: 1.0}))
                columns = {model.joints[model.getJointId(dof.name)].idx_v: 1.0}
                if dof.kind is DofKind.SCREW:
                    columns[model.joints[model.getJointId(f"{dof.name}{SLIDE}")].idx_v] = dof.pitch or 0.0
                blocks_theirs.append(_column(len(whole_theirs), columns))
        problem = _unequal(matrix, blocks_ours, whole_theirs, blocks_theirs)
        if problem:
            case.verdicts.fail("pinocchio", problem)


def _coordinates(moves: _Moves, joint: Joint, q: Mapping[str, float]) -> Iterator[tuple[str, Any]]:
    if _is_ball(joint):
        yield joint.dofs[0].name, _quaternion(moves.turn(joint, q))
    else:
        yield from ((dof.name, q[dof.name]) for dof in joint.dofs)


def _quaternion(turn: Array) -> tuple[float, ...]:
    import pinocchio as pin

    x, y, z, w = pin.Quaternion(turn).coeffs()
    return (float(w), float(x), float(y), float(z))


# ---------------------------------------------------------------------------------------------------------------- Drake


def _in_drake(
    case: Case, moves: _Moves, written: Path, folders: list[Path], samples: Sequence[Mapping[str, float]]
) -> None:
    try:
        ours = drake_moves(written, folders, [moves.said(q) for q in samples])
    except Refused as error:
        case.verdicts.fail("drake loads", str(error))
        return
    case.verdicts.good("drake loads")
    theirs = _source(case, moves, folders, samples)
    if theirs is None:
        return
    case.verdicts.good("drake poses")
    case.verdicts.good("drake matrix")
    for q, mine, other in zip(samples, ours["at"], theirs["at"], strict=True):
        for name, pose in other["bodies"].items():
            if name not in mine["bodies"]:
                case.verdicts.fail("drake poses", f"no link {name!r}")
            elif not np.allclose(mine["bodies"][name], pose, rtol=TOLERANCE, atol=TOLERANCE):
                off = float(np.abs(np.subtract(mine["bodies"][name], pose)).max())
                case.verdicts.fail("drake poses", f"{name!r} stands elsewhere, off by {off:.3g}")
        columns, others = [], []
        for joint in moves.joints.values():
            mine_columns, other_columns = _columns(moves, joint, q, ours, mine, theirs, other)
            columns += mine_columns
            others += other_columns
        for child in moves.floating:
            columns += _base(child, ours, len(mine["matrix"]))
            others += _base(child, theirs, len(other["matrix"]))
        problem = _unequal(np.array(mine["matrix"]), columns, np.array(other["matrix"]), others)
        if problem:
            case.verdicts.fail("drake matrix", problem)


def _source(
    case: Case, moves: _Moves, folders: list[Path], samples: Sequence[Mapping[str, float]]
) -> dict[str, Any] | None:
    """Return Drake's reading of the SDF; without one the poses are excused."""
    answer = reading(case, moves.joints, moves.loops, folders, [moves.meant(q) for q in samples])
    if isinstance(answer, str):
        case.verdicts.excuse("drake poses", answer)
        return None
    return answer


def reading(
    case: Case, joints: Iterable[str], loops: set[str], folders: list[Path], samples: list[dict[str, list[float]]]
) -> dict[str, Any] | str:
    """Return Drake's reading of the SDF, or if it refuses that, of a copy with its poses and masses only; otherwise why
    there is none.

    samples: coordinates of these joints, as drake_moves takes them.
    """
    wanted, problem = [*joints], ""
    path, places = case.path, folders
    for whole in (True, False):
        if not whole:
            if b"experimental:params" in case.path.read_bytes():
                return f"Drake refuses the source, and a copy would not change what it includes: {problem}"
            path, places = bones(case.path, folders, case.work / "bones", loops)
        try:
            found = drake_moves(path, places, [])["joints"]
            called = _called(wanted, found)
            lost = sorted(set(wanted) - called.keys())
            if lost:
                return f"Drake has no joint {lost[0]!r} in the source"
            said = [{called[name]: values for name, values in sample.items()} for sample in samples]
            answer = drake_moves(path, places, said)
            names = {theirs: ours for ours, theirs in called.items()}
            answer["joints"] = {names.get(name, name): joint for name, joint in answer["joints"].items()}
            return answer
        except Refused as error:
            problem = str(error)
    return f"Drake refuses the source: {problem}"


def _called(names: Iterable[str], found: Iterable[str]) -> dict[str, str]:
    """Return Drake's joints by our names: it assigns a joint between two nested models to one of them."""
    called = {name.removesuffix(NAMESAKE): name for name in found}
    bare: dict[str, list[str]] = {}
    for name in called.values():
        bare.setdefault(name.rpartition("::")[2], []).append(name)
    for name in names:
        alike = bare.get(name.rpartition("::")[2], [])
        if name not in called and len(alike) == 1:
            called[name] = alike[0]
    return called


def _columns(
    moves: _Moves, joint: Joint, q: Mapping[str, float], ours: Any, mine: Any, theirs: Any, other: Any
) -> tuple[list[Array], list[Array]]:
    """Return the velocities of the URDF, and of the SDF, for a unit rate of each axis of a joint."""
    width, length = len(mine["matrix"]), len(other["matrix"])
    info = theirs["joints"][joint.name]
    start = info["velocity"][0]
    columns, others = [], []
    for index, dof in enumerate(joint.dofs):
        if dof.kind is DofKind.BALL:
            frame = np.reshape(info["after"], (4, 4))[:3, :3]
            rates = frame.T @ moves.rates(joint, q)
            for number, turn in enumerate(TURNS):
                columns.append(_column(width, {ours["joints"][f"{dof.name}{turn}"]["velocity"][0]: 1.0}))
                others.append(_column(length, {start + row: float(rates[row, number]) for row in range(3)}))
            continue
        own = {ours["joints"][dof.name]["velocity"][0]: 1.0}
        if dof.kind is DofKind.SCREW:
            own[ours["joints"][f"{dof.name}{SLIDE}"]["velocity"][0]] = dof.pitch or 0.0
        columns.append(_column(width, own))
        others.append(_column(length, {start + index: 1.0}))
    return columns, others


def _base(child: str, answer: Any, length: int) -> list[Array]:
    """Return the six velocities of a floating body; Drake has them along the world axes for either file."""
    start, count = next(
        joint["velocity"]
        for joint in answer["joints"].values()
        if joint["child"] == child and joint["type"] == "quaternion_floating"
    )
    return [_column(length, {start + index: 1.0}) for index in range(count)]


def _column(length: int, entries: Mapping[int, float]) -> Array:
    column = np.zeros(length)
    for index, value in entries.items():
        column[index] = value
    return column


def _unequal(ours: Array, columns: list[Array], theirs: Array, others: list[Array]) -> str | None:
    """Return why two mass matrices differ over the axes, relative to the largest entry, or None."""
    if not columns:
        return None
    a, b = np.column_stack(columns), np.column_stack(others)
    one, other = a.T @ ours @ a, b.T @ theirs @ b
    scale = np.abs(other).max()
    off = float(np.abs(one - other).max())
    return f"off by {off / scale:.3g} relative" if off > TOLERANCE * scale else None


# ---------------------------------------------------------------------------------------------------------------- mimic


def _mimics(case: Case, scene: Scene, written: Path) -> None:
    """Check that every mimic of the SDF is in the URDF, with its reference included in the offset."""
    said = {
        str(joint.get("name")): mimic
        for joint in plain_urdf.parse(written).findall("joint")
        if (mimic := joint.find("mimic")) is not None
    }
    for name, (joint, dof) in scene.dofs().items():
        if dof.mimic is None or joint.closes_loop:
            continue
        case.verdicts.good("mimic")
        offset = dof.mimic.offset - dof.mimic.multiplier * dof.mimic.reference
        found = said.get(name)
        if found is None:
            case.verdicts.fail("mimic", f"{name!r} follows nothing")
        elif found.get("joint") != dof.mimic.dof:
            case.verdicts.fail("mimic", f"{name!r} follows {found.get('joint')!r}")
        elif not np.allclose(
            [float(found.get("multiplier", 1)), float(found.get("offset", 0))],
            [dof.mimic.multiplier, offset],
            rtol=1e-12,
            atol=1e-12,
        ):
            case.verdicts.fail("mimic", f"{name!r} follows otherwise")
