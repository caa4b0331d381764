"""URDF, versions 1.0 to 1.2, with the dialects that robots use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from converters.registry import Fits, Format, Loss, Pass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from converters.context import Context, Output
    from ir.scene import Scene


def _read(data: bytes, context: Context) -> Scene:
    from converters.urdf.reader import read

    return read(data, context)


def _write(scene: Scene, context: Context) -> Output:
    from converters.urdf.writer import write

    return write(scene, context)


def _carry(output: Output, carried: Mapping[str, str]) -> Output:
    from converters.urdf.writer import carry

    return carry(output, carried)


def _losses() -> tuple[Loss, ...]:
    from converters.urdf.tables import LOSSES

    return LOSSES


def _passes() -> tuple[Pass, ...]:
    from converters.urdf.gazebo import PASS

    return (PASS,)


FORMAT = Format(
    name="urdf",
    title="URDF (ROS)",
    suffixes=(".urdf", ".xml"),
    claims=lambda head: b"<robot" in head,
    read=_read,
    write=_write,
    carry=_carry,
    losses=_losses,
    passes=_passes,
    fits=Fits(free_inside_tree=True),
)
