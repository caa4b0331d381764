"""The order in which simulators count bodies (and with them coordinates), drives, measurements, cameras and states."""

from __future__ import annotations

from ir.diff import Difference
from ir.scene import Scene

COUNTED = ("tendon", "actuator", "sensor", "keyframe")
"""Tables whose order means something."""


def orders(scene: Scene) -> dict[str, list[str]]:
    """Kind -> the names of its entities as they are counted: bodies depth first (Scene.walk), cameras in each body."""
    bodies = [body.name for _, body in scene.walk()]
    cameras = [camera.name for name in sorted(bodies) for camera in scene.body(name).cameras]
    found = {"body": bodies, "camera": cameras, "constraint": [*scene.constraints]}
    return found | {kind: [*scene.tables[kind]] for kind in COUNTED}


def reordered(scene: Scene, found: Scene) -> list[Difference]:
    """Where entities that two scenes have stand in another order in the second: the names of each such kind."""
    ours, theirs = orders(scene), orders(found)
    wrong: list[Difference] = []
    for kind, names in ours.items():
        if names == theirs[kind]:
            continue
        here, there = {*names}, {*theirs[kind]}
        before, after = (name for name in names if name in there), (name for name in theirs[kind] if name in here)
        if (one := tuple(before)) != (other := tuple(after)):
            wrong.append(Difference(("order", kind), f"order.{kind}", "different", one, other, None))
    return wrong
