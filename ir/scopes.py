"""Nested models: a scope is named by its path, and so is what it holds; the root scope has the name ""."""

from __future__ import annotations

from collections.abc import Container

from ir.scene import Scene
from ir.types import WORLD, Body, Frame, Joint

DELIMITER = "::"


def join(path: str, name: str) -> str:
    """The name in the scene of what a scope calls so."""
    return f"{path}{DELIMITER}{name}" if path else name


def bare(name: str, path: str) -> str:
    """A name as it is said inside a scope."""
    return name.removeprefix(path + DELIMITER) if path else name


def within(inner: str, outer: str) -> bool:
    """Whether a scope is another one, or nested in it."""
    return not outer or inner == outer or inner.startswith(outer + DELIMITER)


def paths(scene: Scene) -> set[str]:
    """All scopes, also those of which only the path of a body tells."""
    found = {"", *scene.tables["scope"]}
    for path in {body.scope for body in scene.bodies.values()}:
        while path not in found:
            found.add(path)
            path = path.rpartition(DELIMITER)[0]
    return found


def of_joint(joint: Joint, scene: Scene, known: Container[str]) -> str:
    """The innermost scope that sees both ends, not deeper than the name of the joint says. known: paths(scene)."""
    ends = [scene.body(name).scope for name in (joint.parent, joint.child) if name != WORLD]
    path = joint.name.rpartition(DELIMITER)[0]
    path = path if path in known else ends[-1]
    while path and not all(within(end, path) for end in ends):
        path = path.rpartition(DELIMITER)[0]
    return path


def of_frame(frame: Frame, body: Body, scene: Scene, known: Container[str]) -> str:
    """The scope in the name of a frame, where that sees the body: a frame may hold on to a link of a model inside, and
    one of a static model on to the world."""
    path = frame.name.rpartition(DELIMITER)[0]
    seen = within(body.scope, path) or (body.name == WORLD and _still(path, scene))
    return path if path in known and seen else body.scope


def _still(path: str, scene: Scene) -> bool:
    """Whether a scope, or one around it, is static."""
    scopes = scene.tables["scope"]
    while path in scopes and path and not scopes[path].static:
        path = scopes[path].parent
    return path in scopes and scopes[path].static
