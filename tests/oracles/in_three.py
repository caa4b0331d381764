"""glTF as three.js shows it, in a headless Chromium without a network.

Chromium comes from Debian's package; if it is not installed, apt-get fetches it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.oracles.node import asked, installed

ADVICE = "install Chromium (Debian: apt-get install chromium)"


def three_shows(requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each request {"file", "out", "view", "width", "height", "clip", "time", "scene", "background"}: all but file are
    optional.

    view is {"from", "to", "fovy"} in a z-up world, in degrees; out is a PNG to write. The answers are {"worlds": {body:
    16 numbers, column by column, in three's world}, "clips": [{"name", "duration"}], "errors"}.
    """
    program = installed(Path(__file__).parent / "three") / "judge.js"
    return asked(program, (json.dumps(request) for request in requests), [chromium()])


@cache
def chromium() -> str:
    """Return the browser. Raises RuntimeError with what to install."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
            if shutil.which("apt-get") is None or subprocess.run(command, capture_output=True).returncode != 0:
                raise RuntimeError(ADVICE)
        found = shutil.which("chromium")
    if found is None:
        raise RuntimeError(ADVICE)
    return found


def three_saves(source: Path, target: Path, *, scenes: bool) -> None:
    """Save a GLB without images with GLTFExporter, as GLTFLoader has read it: all scenes, or only the default one.

    Raises RuntimeError if either fails.
    """
    program = installed(Path(__file__).parent / "three") / "save.js"
    asked(program, [json.dumps({"source": str(source), "target": str(target), "all": scenes})])
