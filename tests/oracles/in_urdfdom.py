"""check_urdf of the cmeel-urdfdom wheel, and the older one of Debian.

Its exit code is not sufficient: a truncated link causes only a message.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

PACKAGE = "liburdfdom-tools"


@cache
def _program() -> tuple[Path, Path]:
    found = distribution("cmeel-urdfdom")
    file = next(file for file in found.files or () if file.as_posix().endswith("cmeel.prefix/bin/check_urdf"))
    program = Path(str(found.locate_file(file))).resolve()
    return program, program.parents[1] / "lib"


def check_urdf(path: Path, timeout: float = 10.0) -> str | None:
    """Return None if urdfdom 6 accepts the whole file, otherwise its complaint."""
    program, libraries = _program()
    return _asked(program, path, timeout, {"LD_LIBRARY_PATH": str(libraries)})


def check_urdf_3(path: Path) -> str | None:
    """Return the same for urdfdom 3.0.1, which Debian ships and many robots run: it supports only URDF 1.0.

    Raises RuntimeError if the tool is neither installed nor can be fetched by apt-get.
    """
    return _asked(_debian(), path, 10.0, {})


@cache
def _debian() -> Path:
    program = Path("/usr/bin/check_urdf")
    if not program.exists():
        subprocess.run(["apt-get", "install", "-qq", "--yes", PACKAGE], capture_output=True, check=False)
    if not program.exists():
        raise RuntimeError(f"install check_urdf 3 (Debian: apt-get install {PACKAGE})")
    return program


def _asked(program: Path, path: Path, timeout: float, variables: dict[str, str]) -> str | None:
    try:
        run = subprocess.run(
            [program, path],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=os.environ | variables,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return f"no answer after {timeout:g} s"
    complaints = [line for line in run.stderr.splitlines() if line.startswith("Error:")]
    if run.returncode == 0 and not complaints:
        return None
    return "; ".join(complaints) or run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}"
