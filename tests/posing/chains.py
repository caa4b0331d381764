"""Chains of bodies, and poses and motions requested for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.context import InputError, Options, WriterContext
from converters.posing import clips, positions
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, Joint, Pose


def scene_of(*dofs: Dof | tuple[Dof, ...]) -> Scene:
    """Return a chain; the joint of a body has the name of its only dof."""
    scene = Scene("chain")
    before = WORLD
    for number, each in enumerate(dofs):
        several = each if isinstance(each, tuple) else (each,)
        scene.add_body(Body(name=f"b{number}"))
        name = several[0].name if len(several) == 1 else f"joint{number}"
        scene.add_joint(Joint(name=name, parent=before, child=f"b{number}", pose=Pose((0.0, 0.0, 1.0)), dofs=several))
        before = f"b{number}"
    return scene


def posed(*pose: str, clamp: bool = False, trajectory: tuple[str, ...] = ()) -> WriterContext:
    return WriterContext(file="model", folder=Path(), options=Options(pose=pose, clamp=clamp, trajectory=trajectory))


def moved(*trajectory: str, pose: tuple[str, ...] = (), clamp: bool = False) -> WriterContext:
    return posed(*pose, clamp=clamp, trajectory=trajectory)


def no_pose(scene: Scene, *pose: str) -> InputError:
    """Return the error for an impossible pose."""
    with pytest.raises(InputError) as caught:
        positions(scene, posed(*pose))
    return caught.value


def no_motion(scene: Scene, *words: str) -> InputError:
    """Return the error for an impossible motion."""
    with pytest.raises(InputError) as caught:
        clips(scene, moved(*words))
    return caught.value


def tells(error: InputError, said: str, path: Path, line: int) -> None:
    """Assert that an error contains this text and the line of a file."""
    assert said in str(error)
    assert error.source is not None
    assert (error.source.file, error.source.line) == (str(path), line)
