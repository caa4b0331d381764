"""A page of `kinegraph view` in a headless Chromium that opens it from disk, without a network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.oracles.in_three import chromium
from tests.oracles.node import asked, installed


def viewed(requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each request {"file", "steps", "fragment", "out", "width", "height", "dark", "patience"}: all but file may be absent.

    A step is [kind, ...words]: evaluate, press, type, focus, click, point, select, wait, picture, worlds, axe. The
    answers are {"seen": what each step gave, "errors", "requests": addresses beyond the page, "first": seconds}. With
    patience (s) the page may be of any program, "first" is its first frame with all the "triangles" it will have.
    """
    program = installed(Path(__file__).parent / "viewer") / "judge.js"
    return asked(program, (json.dumps(request) for request in requests), [chromium()])
