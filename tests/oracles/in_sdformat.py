"""SDF as libsdformat 12 reads it: a small program on top of it, built once and kept in the temporary folder.

The library and a compiler come from Debian's packages. If they are not installed, they are fetched: by apt-get install
for root, otherwise downloaded and unpacked into the temporary folder. Without them these tests fail.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.oracles.server import Lines

SOURCE = Path(__file__).parent / "sdformat" / "checker.cpp"
PACKAGES = ("libsdformat-dev", "g++")
ADVICE = f"install libsdformat 12 and a C++ compiler (Debian: apt-get install {' '.join(PACKAGES)})"
INCLUDED = ("sdformat-12*", "ignition/math6", "ignition/utils1", "ignition/cmake2")
LINKED = ("-lsdformat12", "-lignition-math6")


def sdformat_reads(path: Path, folders: Iterable[Path] = ()) -> dict[str, Any]:
    """Return libsdformat's reading of a file; folders are where `model://name` and bare names are searched.

    {"links": {path: ...}, "joints": ..., "frames": ..., "errors": [{"code", "where", "message"}]}. Poses are seven
    numbers (x y z qw qx qy qz) in the world, or in the root of a model file. The "measures" of a link are its sensors
    by name, as elements with every default. Raises RuntimeError if libsdformat crashes or does not end.
    """
    return _asked("read", path, folders)


def sdformat_expands(path: Path, folders: Iterable[Path] = ()) -> dict[str, Any]:
    """Return {"document": the text of the file with all its includes expanded, "errors": as above}.

    Raises RuntimeError likewise.
    """
    return _asked("document", path, folders)


def descriptions() -> Path:
    """Return the folder in which libsdformat describes its versions, one folder each, and the conversion of each
    version to the next. Raises RuntimeError as checker does."""
    return checker()[1].root / "usr/share/sdformat12"


def _asked(word: str, path: Path, folders: Iterable[Path]) -> dict[str, Any]:
    question = "\t".join((word, ":".join(str(folder) for folder in folders), str(path.absolute())))
    assert question.count("\t") == 2 and "\n" not in question
    answer: dict[str, Any] = json.loads(_checking().answer(os.fsencode(question)).decode(errors="replace"))
    if answer.get("died") == signal.SIGALRM:
        raise RuntimeError(f"libsdformat does not end on {path}")
    if "died" in answer:
        raise RuntimeError(f"libsdformat died of {answer['died']} on {path}")
    return answer


@cache
def _checking() -> Lines:
    program, tools = checker()
    lines = Lines(program, variables=tools.variables)
    atexit.register(lines.close)
    return lines


@cache
def checker() -> tuple[str, Tools]:
    """Return the program, and the library that it needs. Raises RuntimeError with what to install."""
    kept = Path(tempfile.gettempdir()) / f"kinegraph-sdformat-{os.getuid()}"
    kept.mkdir(mode=0o700, exist_ok=True)
    program = kept / f"checker-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]}"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tools = _tools(Path("/"), kept)
        if not program.is_file():
            _build(tools, program)
    return str(program), tools


@dataclass(frozen=True)
class Tools:
    """The places of a compiler and the library."""

    root: Path
    compiler: str
    includes: tuple[Path, ...]

    @property
    def libraries(self) -> list[Path]:
        return [folder for folder in (self.root / "usr/lib").glob("*-linux-gnu") if folder.is_dir()]

    @property
    def variables(self) -> dict[str, str]:
        if self.root == Path("/"):
            return {}
        return {"LD_LIBRARY_PATH": ":".join(str(folder) for folder in self.libraries)}


def _tools(root: Path, kept: Path) -> Tools:
    found = _present(root) or _present(kept / "root")
    if found is not None:
        return found
    fetched = root if os.geteuid() == 0 else kept / "root"
    problem = _installed() if fetched == root else _unpacked(fetched)
    found = _present(fetched)
    if found is None:
        raise RuntimeError(f"{ADVICE}: it could not be fetched: {problem}")
    return found


def _present(root: Path) -> Tools | None:
    includes = tuple(path for pattern in INCLUDED for path in (root / "usr/include").glob(pattern))
    compilers = [name for name in ("c++", "g++", "clang++") if shutil.which(name)]
    compilers += [str(path) for path in (root / "usr/bin").glob("*-linux-gnu-g++*")]
    headers = any((path / "sdf/sdf.hh").is_file() for path in includes)
    return Tools(root, compilers[0], includes) if headers and compilers else None


def _build(tools: Tools, program: Path) -> None:
    work = program.with_suffix(".part")
    command = [tools.compiler, "-std=c++17", "-O1", *(f"-I{path}" for path in tools.includes), str(SOURCE)]
    for folder in tools.libraries if tools.root != Path("/") else ():
        command += [f"-L{folder}", f"-Wl,-rpath-link,{folder}"]
    command += ["-o", str(work), *LINKED]
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | tools.variables)
    if run.returncode != 0:
        raise RuntimeError(f"{ADVICE}: {SOURCE.name} does not compile: {run.stderr[-2000:]}")
    work.replace(program)


def _installed() -> str:
    """Install the packages; return the end of the error message of apt-get."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES]
    return _first_success([[install], [["apt-get", "update", "-qq"], install]], quiet, None)


def _unpacked(folder: Path) -> str:
    """Download the packages with their dependencies, and unpack them into the folder; return the end of an error."""
    folder.mkdir(exist_ok=True)
    listed = ["apt-get", "install", "--simulate", "-y", "-qq", "--no-install-recommends", *PACKAGES]
    try:
        run = subprocess.run(listed, capture_output=True, text=True)
    except OSError as error:
        return str(error)
    names = [line.split()[1] for line in run.stdout.splitlines() if line.startswith("Inst ")]
    if not names:
        return run.stderr[-500:]
    problem = _first_success([[["apt-get", "download", "-qq", *names]]], dict(os.environ), folder)
    for package in sorted(folder.glob("*.deb")):
        problem = _first_success([[["dpkg", "-x", str(package), str(folder)]]], dict(os.environ), None) or problem
        package.unlink()
    return problem


def _first_success(ways: list[list[list[str]]], variables: dict[str, str], folder: Path | None) -> str:
    """Run the commands of each alternative until one succeeds: "" then, otherwise the end of the last error."""
    problem = ""
    for commands in ways:
        for command in commands:
            try:
                run = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=folder)
            except OSError as error:
                return str(error)
            problem = run.stderr[-500:] if run.returncode != 0 else ""
        if not problem:
            return ""
    return problem
