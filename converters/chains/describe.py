"""The serial chain to a link as text and as data: elementary transforms, and Denavit-Hartenberg rows of both kinds."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from converters.chains.denavit_hartenberg import (
    Configuration,
    DhTable,
    NoChainError,
    chain,
    drawn,
    elementary,
    modified,
    residual,
    standard,
)
from converters.chains.sequence import spelt
from converters.chains.workspace import chain_to, dof_rows as listed, follows, reach, tip_pose
from converters.context import InputError, Note, Options
from converters.convert import load
from converters.faults import did_you_mean
from ir.arrays import Floats, np
from ir.kinematics import forward
from ir.names import Spares
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, DofKind, Joint

if TYPE_CHECKING:
    from rich.console import Console

ILL = 5e-3
"""Sine below which axes are reported as nearly parallel (a rounded pi): their common normal is far away."""
DIGITS, NOTHING = 6, 1e-12
"""Significant digits in text output, and the magnitude below which a number is rounding of zero."""


def described(
    src: Path,
    tips: tuple[str, ...] = (),
    *,
    source: str | None = None,
    options: Options | None = None,
    ets: str | None = None,
) -> list[dict[str, Any]]:
    """A dict for each tip, a link or a frame (each leaf of the tree, where none is named): root, tip, joints, pose,
    reach (of converters.chains.workspace), transforms, standard, modified.

    Lengths in metres, angles in radians, matrices row by row. The pose is that of options.pose, or at rest; notes are
    what was to be said of it. Instead of the tables `why` says why there are none. ets is one of
    converters.chains.sequence.DIALECTS, in which the transforms are spelt as well.
    Raises InputError for a model that cannot be read, for a tip that it does not have and for a pose that cannot be.
    """
    reading = load(src, source=source, options=options)
    scene = _with_tips(reading.scene, tips)
    for tip in tips:
        if tip == WORLD or tip not in scene.bodies:
            known = [name for name in (*scene.bodies, *scene.frames()) if name != WORLD]
            raise InputError(f"{src}: there is no link or frame {tip!r}{did_you_mean(tip, known)}")
    from converters.posing import positions

    told = len(reading.context.notes)
    values = positions(scene, reading.context)
    notes = [_note(note) for note in reading.context.notes[told:]]
    poses = forward(scene, values)
    dofs = {name: dof for name, (_, dof) in scene.dofs().items()}
    states = drawn(scene)
    with np.errstate(over="ignore", invalid="ignore"):  # non-finite results are reported where they are used
        found = [_one(tip, *chain_to(scene, tip), dofs, (values, poses), states) for tip in tips or leaves(scene)]
    for each in found:
        each["notes"] = notes
    for each in found if ets is not None else ():
        if "why" not in each:
            each["ets"] = spelt(each["transforms"], each["standard"]["rows"], str(ets))
    return found


def _with_tips(scene: Scene, tips: Iterable[str]) -> Scene:
    """The scene with a link, welded to its body, at each of these frames (sites of MJCF)."""
    frames, names = scene.frames(), Spares(scene.joints)
    bodies, joints = [*scene.bodies.values()], [*scene.joints.values()]
    for tip in dict.fromkeys(tips):
        if tip in frames and tip not in scene.bodies:
            body, frame = frames[tip]
            bodies.append(Body(name=tip))
            joints.append(Joint(name=names.of(f"{tip}_joint"), parent=body.name, child=tip, pose=frame.pose))
    return scene.evolve(bodies=bodies, joints=joints)


def _note(note: Note) -> str:
    place = f"{note.source.file}:{note.source.line}: " if note.source is not None else ""
    return f"{place}{note.where}: {note.reason}"


def leaves(scene: Scene) -> tuple[str, ...]:
    """Return the bodies without children."""
    return tuple(name for name in scene.bodies if name != WORLD and not any(True for _ in scene.child_joints(name)))


def _one(
    tip: str,
    root: str,
    joints: Sequence[Joint],
    dofs: Mapping[str, Dof],
    now: Configuration,
    states: Sequence[Configuration],
) -> dict[str, Any]:
    """now: configuration whose pose is reported; states: configurations over which the largest residual is taken."""
    values, poses = now
    coordinates = {dof.name: list(values[dof.name]) for joint in joints for dof in joint.dofs}
    common: dict[str, Any] = {
        "root": root,
        "tip": tip,
        "joints": listed(joints),
        "pose": {"coordinates": coordinates} | tip_pose(poses, root, tip),
        "reach": reach(dofs, joints),
    }
    try:
        steps = chain(joints)
        table = standard(steps)
        left = residual(states, root, tip, table)
        if not math.isfinite(left):
            raise NoChainError("its numbers are larger than can be computed with")
    except NoChainError as error:
        return common | {"why": str(error)}
    return common | {
        "transforms": [list(each) for each in elementary(steps)],
        "standard": _table(table),
        "modified": _table(modified(table)),
        "residual": left,
        "pure": _nothing(table.base) and _nothing(table.tool),
        "ill_conditioned": table.sine < ILL,
        "smallest_sine": table.sine if math.isfinite(table.sine) else None,
    }


def _nothing(matrix: Floats) -> bool:
    """Whether a transform is the identity, except for rounding."""
    return bool((np.abs(matrix - np.eye(4)) <= NOTHING).all())


def _table(table: DhTable) -> dict[str, Any]:
    rows = [
        {
            "joint": row.dof.name,
            "moves": "d" if row.dof.kind is DofKind.SLIDE else "theta",
            "theta": row.theta,
            "d": row.d,
            "a": row.a,
            "alpha": row.alpha,
            "lower": row.dof.lower,
            "upper": row.dof.upper,
            "follows": follows(row.dof),
        }
        for row in table.rows
    ]
    return {"base": table.base.tolist(), "rows": rows, "tool": table.tool.tolist()}


def show(found: list[dict[str, Any]]) -> None:
    """Print the chains."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 10_000
    console = Console(soft_wrap=True, width=width, markup=False)

    def line(text: str) -> None:
        console.print(text)

    for each in found:
        if "why" in each:
            line(f"{each['root']} -> {each['tip']}: {each['why']}")
        else:
            steps = " ".join(f"{kind}({_number(value)})" for kind, value in each["transforms"])
            line(f"{each['root']} -> {each['tip']}: {steps or 'nothing between them'}")
        if "ets" in each:
            names = ", ".join(f"{name} = {joint}" for name, joint in each["ets"]["coordinates"].items())
            console.print(f"  {each['ets']['text']}", *([f"  {names}"] if names else []), sep="\n")
        _motion(console, each)
        if "why" not in each:
            _tables(console, each)


def _motion(console: Console, each: dict[str, Any]) -> None:
    """Print the joints of a chain, the pose of its tip, and its reach."""
    from rich.table import Column, Table

    if each["joints"]:
        heads = ("joint", "type", "axis", "limits", "velocity", "effort", "follows")
        grid = Table(*(Column(head, overflow="fold") for head in heads), title="joints", title_justify="left")
        for row in each["joints"]:
            if row["dof"] is None:
                grid.add_row(row["joint"], row["type"])
                continue
            numbers = ("none" if row[name] is None else _number(row[name]) for name in ("velocity", "effort"))
            axis = "" if row["axis"] is None else _numbers(row["axis"])
            grid.add_row(row["dof"], row["type"], axis, _limits(row), *numbers, _led(row["follows"]))
        console.print(grid)
    pose = each["pose"]
    at = ", ".join(f"{name} = {_numbers(value)}" for name, value in pose["coordinates"].items())
    lines = [f"at {at}:" if at else "the tip:"]
    units = {"xyz": "xyz (m)", "rpy": "rpy (rad)", "quaternion": "quaternion (w x y z)"}
    lines += [f"  {said}: {_numbers(pose[name])}" for name, said in units.items()]
    lines.append(f"  matrix: {'; '.join(map(_numbers, pose['matrix']))}")
    lines += [f"  {note}" for note in each["notes"]]
    far = each["reach"]
    if far["bound"] is None:
        lines.append("reach: nothing limits it")
    else:
        seen = f"; {_number(far['seen'])} m seen in {far['samples']} poses" if far["seen"] is not None else ""
        lines.append(f"reach: at most {_number(far['bound'])} m (the ways from axis to axis, stretched out){seen}")
    console.print("\n".join(lines))


def _tables(console: Console, each: dict[str, Any]) -> None:
    from rich.table import Column, Table

    if each["ill_conditioned"]:
        sine = f"{each['smallest_sine']:.{DIGITS}g}"
        console.print(f"  neighbouring axes are parallel but for an angle of sine {sine}: a rounded pi?")
    for kind in ("standard", "modified"):
        heads = ("joint", "theta", "d", "a", "alpha", "qlim")
        columns = (Column(head, overflow="fold") for head in heads)
        grid = Table(*columns, title=f"{kind} Denavit-Hartenberg", title_justify="left")
        for row in each[kind]["rows"]:
            cells = {name: _number(row[name]) for name in ("theta", "d", "a", "alpha")}
            cells[row["moves"]] = f"q{_added(row[row['moves']])}"
            grid.add_row(row["joint"], *cells.values(), _limits(row))
        console.print(grid)
        for name in ("base", "tool"):
            lines = "; ".join(map(_numbers, each[kind][name][:3]))
            console.print(f"  {name}: {lines}")
    pure = "yes" if each["pure"] else "no, it takes the base or the tool"
    left = f"{each['residual']:.1g}" if each["residual"] >= NOTHING else f"under {NOTHING:g}"
    console.print(f"pure: {pure}; residual {left}")


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.{DIGITS}g}" if abs(value) > NOTHING else "0"


def _numbers(values: list[float]) -> str:
    return " ".join(map(_number, values))


def _added(value: float) -> str:
    """Return a constant with its sign, to follow what it is added to; "" for zero."""
    text = _number(abs(value))
    return "" if text == "0" else f" {'-' if value < 0 else '+'} {text}"


def _limits(row: dict[str, Any]) -> str:
    low, high = (_number(value) if value is not None else None for value in (row["lower"], row["upper"]))
    return "none" if low is None and high is None else f"[{low or '-inf'}, {high or 'inf'}]"


def _led(follows: list[Any] | None) -> str:
    if follows is None:
        return ""
    leader, multiplier, offset = follows
    return f"{_number(multiplier)} * {leader}{_added(offset)}"
