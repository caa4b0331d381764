"""The serial chain to a link as text and as data: elementary transforms, and Denavit-Hartenberg rows of both kinds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from converters.context import InputError, Options
from converters.convert import read
from converters.kinematics import NoChainError, Table, chain, elementary, modified, residual, standard
from converters.sequence import spelt
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Pose

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

ILL = 5e-3
"""Axes that are parallel but for an angle of less sine (a rounded pi): their common normal is far away."""
DIGITS, NOTHING = 6, 1e-12
"""Of numbers for people: how many digits, and what rounding leaves of a zero."""


def described(
    src: Path,
    tips: tuple[str, ...] = (),
    *,
    source: str | None = None,
    options: Options | None = None,
    ets: str | None = None,
) -> list[dict[str, Any]]:
    """A dict for each tip (each leaf of the tree, where none is named): root, tip, transforms, standard, modified.

    Lengths in metres, angles in radians, matrices row by row. Instead of the tables `why` says why there are none. ets
    is one of converters.sequence.DIALECTS, in which the transforms are spelt as well.
    Raises InputError for a model that cannot be read and for a tip that it does not have.
    """
    scene = read(src, source=source, options=options)
    for tip in tips:
        if tip == WORLD or tip not in scene.bodies:
            raise InputError(f"{src}: there is no link {tip!r}")
    found = [_one(scene, tip) for tip in tips or leaves(scene)]
    for each in found if ets is not None else ():
        if "why" not in each:
            each["ets"] = spelt(each["transforms"], each["standard"]["rows"], str(ets))
    return found


def leaves(scene: Scene) -> tuple[str, ...]:
    """The bodies that carry no other."""
    return tuple(name for name in scene.bodies if name != WORLD and not any(True for _ in scene.child_joints(name)))


def _one(scene: Scene, tip: str) -> dict[str, Any]:
    try:
        root, steps = chain(scene, tip)
        found: dict[str, Any] = {"root": root, "tip": tip, "transforms": [list(each) for each in elementary(steps)]}
        table = standard(steps)
    except NoChainError as error:
        return {"tip": tip, "why": str(error)}
    return found | {
        "standard": _table(table),
        "modified": _table(modified(table)),
        "residual": residual(scene, root, tip, table),
        "pure": _nothing(table.base) and _nothing(table.tool),
        "ill_conditioned": table.sine < ILL,
        "smallest_sine": table.sine if math.isfinite(table.sine) else None,
    }


def size(steps: list[Pose | Dof]) -> float:
    """Metres from end to end of a chain that is stretched, at least one: what residuals are a share of."""
    return max(1.0, sum(math.hypot(*(step.pos if isinstance(step, Pose) else step.anchor)) for step in steps))


def _nothing(matrix: NDArray[float64]) -> bool:
    """Whether a transform is the identity, but for rounding."""
    return all(
        abs(value - (1.0 if row == column else 0.0)) <= NOTHING
        for row, line in enumerate(matrix.tolist())
        for column, value in enumerate(line)
    )


def _table(table: Table) -> dict[str, Any]:
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
            "follows": _follows(row.dof),
        }
        for row in table.rows
    ]
    return {"base": table.base.tolist(), "rows": rows, "tool": table.tool.tolist()}


def _follows(dof: Dof) -> list[Any] | None:
    """Leader, multiplier and offset of a dof that mimics another."""
    mimic = dof.mimic
    return None if mimic is None else [mimic.dof, mimic.multiplier, mimic.offset - mimic.multiplier * mimic.reference]


def show(found: list[dict[str, Any]]) -> None:
    """Print the chains."""
    from rich.console import Console
    from rich.table import Table as Grid

    console = Console(soft_wrap=True)
    for each in found:
        if "why" in each:
            console.print(f"{each['tip']}: {each['why']}", markup=False)
            continue
        steps = " ".join(f"{kind}({_number(value)})" for kind, value in each["transforms"])
        console.print(f"{each['root']} -> {each['tip']}: {steps or 'nothing between them'}", markup=False)
        if "ets" in each:
            names = ", ".join(f"{name} = {joint}" for name, joint in each["ets"]["coordinates"].items())
            console.print(f"  {each['ets']['text']}", *([f"  {names}"] if names else []), sep="\n", markup=False)
        if each["ill_conditioned"]:
            sine = f"{each['smallest_sine']:.{DIGITS}g}"
            console.print(
                f"  neighbouring axes are parallel but for an angle of sine {sine}: a rounded pi?", markup=False
            )
        for kind in ("standard", "modified"):
            grid = Grid("joint", "theta", "d", "a", "alpha", title=f"{kind} Denavit-Hartenberg", title_justify="left")
            for row in each[kind]["rows"]:
                cells = {name: _number(row[name]) for name in ("theta", "d", "a", "alpha")}
                cells[row["moves"]] = f"q + {cells[row['moves']]}" if row[row["moves"]] else "q"
                grid.add_row(row["joint"], *cells.values())
            console.print(grid)
            for row in each[kind]["rows"] if kind == "standard" else ():
                if row["follows"] is not None:
                    leader, multiplier, offset = row["follows"]
                    text = f"  {row['joint']} = {_number(multiplier)} * {leader} + {_number(offset)}"
                    console.print(text, markup=False)
            for name in ("base", "tool"):
                lines = "; ".join(" ".join(_number(value) for value in line) for line in each[kind][name][:3])
                console.print(f"  {name}: {lines}", markup=False)


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.{DIGITS}g}" if abs(value) > NOTHING else "0"
