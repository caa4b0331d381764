"""glTF as Babylon.js reads it and its physics engine Havok moves it, in Node.js."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracles.node import asked, installed


def havok_moves(files: Iterable[Path], seconds: float, step: float = 1 / 240) -> list[dict[str, np.ndarray[Any, Any]]]:
    """For each GLB, return the motion of each body that has one: (steps, 7), position and rotation x y z w in the world
    of glTF (y up), after each step. Gravity is 9.81 downwards; bodies start at rest with the poses of their nodes."""
    program = installed(Path(__file__).parent / "havok") / "swing.js"
    requests = (json.dumps({"file": str(file), "seconds": seconds, "step": step}) for file in files)
    return [{name: np.array(way) for name, way in found["bodies"].items()} for found in asked(program, requests)]
