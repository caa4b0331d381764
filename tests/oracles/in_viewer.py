"""A page of `kinegraph view` in a headless Chromium that opens it from disk, without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ir.kinematics import forward
from ir.pose import matrix
from ir.scene import Scene
from tests.oracles.in_three import chromium
from tests.oracles.node import asked, installed


def viewed(requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each request {"file", "steps", "fragment", "out", "width", "height", "dark", "patience"}, all but file optional.

    A step is [kind, ...words]: evaluate, press, type, focus, click, point, select, wait, picture, worlds, axe. The
    answers are {"seen": the result of each step, "errors", "requests": addresses outside the page, "first": seconds}.
    With patience (s) the page may be of any program, and "first" is its first frame with the final number of
    "triangles".
    """
    program = installed(Path(__file__).parent / "viewer") / "judge.js"
    return asked(program, (json.dumps(request) for request in requests), [chromium()])


def misplaced(scene: Scene, pose: Mapping[str, Any], drawn: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield how far the matrix of each body is from that of the graph; infinity if one of the two lacks it."""
    poses = forward(scene, pose)
    for body in sorted(set(poses) ^ set(drawn)):
        yield body, float("inf")
    for body in set(poses) & set(drawn):
        wanted = np.eye(4)
        wanted[:3, :3], wanted[:3, 3] = matrix(poses[body].rot), poses[body].pos
        yield body, float(np.abs(np.reshape(drawn[body], (4, 4)).T - wanted).max())
