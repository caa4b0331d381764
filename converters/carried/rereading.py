"""An output that is read back by the reader of its own format, before any of it is on the disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from converters.carried.addressed import Plan
from converters.context import Context, Faults, Output
from converters.format import Format
from converters.ways import absolute
from ir.scene import Scene


def reread(
    output: Output, to: Format, context: Context, scene: Scene, faults: Faults, strict: bool = True
) -> tuple[Context, Callable[[], Scene]]:
    """(the context in which an output is read back, a function that reads it): none of its files is there yet, and what
    will not be is noted (carried.addressed).

    scene is what was written. faults takes what is wrong; strict: what programs refuse is told.
    """
    assert to.read is not None
    assert context.target is not None
    folder = context.target.parent

    models = {absolute(each.file) for each in scene.assets.values() if each.kind == "model" and each.file}

    def find_model(uri: str) -> tuple[str | None, str]:
        there = absolute(folder / uri)
        return (str(there), "relative") if there in models else context.find_model(uri)

    again = Context(
        file=str(context.target),
        folder=folder,
        find=Plan(output.files, folder, context.options.ros_package).find,
        find_model=find_model,
        beside=output.files,
        written=True,
        again=to.fits.mark not in scene.notation,
        strict=strict,
        faults=faults,
    )
    return again, partial(to.read, output.document, again)
