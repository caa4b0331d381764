"""Nested models: a scope is named by its path, and so are its contents; the root scope has the name ""."""

from __future__ import annotations

from collections.abc import Container

from ir.scene import Scene
from ir.types import WORLD, Body, Frame, Joint

DELIMITER = "::"


def join(path: str, name: str) -> str:
    """The name in the scene of a name inside a scope."""
    return f"{path}{DELIMITER}{name}" if path else name


def bare(name: str, path: str) -> str:
    """A name of the scene as it is written inside a scope."""
    return name.removeprefix(path + DELIMITER) if path else name


def within(inner: str, outer: str) -> bool:
    """Whether a scope is another one, or nested in it."""
    return not outer or inner == outer or inner.startswith(outer + DELIMITER)


def paths(scene: Scene) -> set[str]:
    """All scopes, including those that occur only in the path of a body."""
    found = {"", *scene.tables["scope"]}
    for path in {body.scope for body in scene.bodies.values()}:
        while path not in found:
            found.add(path)
            path = path.rpartition(DELIMITER)[0]
    return found


def of_joint(joint: Joint, scene: Scene, known: Container[str]) -> str:
    """The innermost scope that sees both ends, at most as deep as the name of the joint. known: paths(scene)."""
    ends = [scene.body(name).scope for name in (joint.parent, joint.child) if name != WORLD]
    path = joint.name.rpartition(DELIMITER)[0]
    path = path if path in known else ends[-1]
    while path and not all(within(end, path) for end in ends):
        path = path.rpartition(DELIMITER)[0]
    return path


def of_frame(frame: Frame, body: Body, scene: Scene, known: Container[str]) -> str:
    """The scope in the name of a frame, if it sees the body: a frame may be attached to a link of a nested model, and a
    frame of a static model to the world."""
    path = frame.name.rpartition(DELIMITER)[0]
    seen = within(body.scope, path) or (body.name == WORLD and _still(path, scene))
    return path if path in known and seen else body.scope


def _still(path: str, scene: Scene) -> bool:
    """Whether a scope, or an enclosing one, is static."""
    scopes = scene.tables["scope"]
    while path in scopes and path and not scopes[path].static:
        path = scopes[path].parent
    return path in scopes and scopes[path].static
