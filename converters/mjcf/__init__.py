"""MJCF, the model format of MuJoCo 4 (2.x and 3.x spellings are read as well)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from converters.registry import Fits, Format, Loss

if TYPE_CHECKING:
    from collections.abc import Mapping

    from converters.context import Context, Output
    from ir.scene import Scene


def _read(data: bytes, context: Context) -> Scene:
    from converters.mjcf.reader import read

    return read(data, context)


def _write(scene: Scene, context: Context) -> Output:
    from converters.mjcf.writer import write

    return write(scene, context)


def _carry(output: Output, carried: Mapping[str, str]) -> Output:
    from converters.mjcf.writer import carry

    return carry(output, carried)


def _losses() -> tuple[Loss, ...]:
    from converters.mjcf.tables import LOSSES

    return LOSSES


FORMAT = Format(
    name="mjcf",
    title="MJCF (MuJoCo)",
    suffixes=(".xml", ".mjcf"),
    claims=lambda head: b"<mujoco" in head,
    read=_read,
    write=_write,
    carry=_carry,
    losses=_losses,
    fits=Fits(
        needs_inertia=True,
        needs_base="fixed",
        parent_child_collide=True,
        empty_range_is_unlimited=True,
        actuators=True,
        simulator_terms=True,
    ),
)
