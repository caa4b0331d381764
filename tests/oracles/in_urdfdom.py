"""check_urdf of the cmeel-urdfdom wheel. Its exit code is not enough: a link cut short leaves only a message."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from importlib.metadata import distribution
from pathlib import Path


@cache
def _program() -> tuple[Path, Path]:
    found = distribution("cmeel-urdfdom")
    file = next(file for file in found.files or () if file.as_posix().endswith("cmeel.prefix/bin/check_urdf"))
    program = Path(str(found.locate_file(file))).resolve()
    return program, program.parents[1] / "lib"


def check_urdf(path: Path, timeout: float = 10.0) -> str | None:
    """None when urdfdom accepts the whole file, else what it complains about."""
    program, libraries = _program()
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
    try:
        run = subprocess.run(
            [program, path], capture_output=True, text=True, timeout=timeout, env=environment, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return f"no answer after {timeout:g} s"
    complaints = [line for line in run.stderr.splitlines() if line.startswith("Error:")]
    if run.returncode == 0 and not complaints:
        return None
    return "; ".join(complaints) or run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}"
