"""Names of files that are no models here: URLs, archives, shapes, formats of others."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath

from converters.context import InputError

USD, SHAPES = (".usd", ".usda", ".usdc", ".usdz"), (".stl", ".obj", ".dae", ".ply", ".step", ".stp", ".fbx")
WEBOTS, SCENES = (".wbt", ".proto"), (".blend", ".unity", ".prefab", ".ttt", ".ttm")
NO_USD = "is USD, which is not read: take the URDF or MJCF that it was made of, or let Isaac Sim export URDF"
SYSTEM = ("/dev", "/dev/fd")
POINTER = b"version https://git-lfs"
STAND_INS = {
    POINTER: "is a pointer of Git LFS, and the file itself is not here yet: run `git lfs pull` in its repository",
    **dict.fromkeys(
        (b"<!doctype html", b"<html"), "is a web page, which servers send in place of a missing file: fetch it again"
    ),
}
"""Placeholders for files, by their first bytes in lower case."""
HEADS = {
    POINTER: STAND_INS[POINTER],
    b"PK\x03\x04": "is a ZIP archive: unpack it, and name the model in it",
    b"\x1f\x8b": "is compressed by gzip: unpack it, and name the model in it",
    b"PXR-USDC": NO_USD,
    b"#usda ": NO_USD,
    b"#VRML_SIM ": "is a file of Webots, which is not read: let Webots export URDF",
}
"""Other files, by their first bytes."""
READ = {
    ".mjb": "is a model compiled by MuJoCo (MJB), which only MuJoCo reads: take the MJCF that it was made of",
    **dict.fromkeys(USD, NO_USD),
    **dict.fromkeys(WEBOTS, HEADS[b"#VRML_SIM "]),
    **dict.fromkeys(SCENES, "is a scene that only its own program reads: let that export .glb or URDF"),
    **dict.fromkeys(SHAPES, "is a shape and no robot: name a model that shows it, or save it as .glb"),
}
WRITTEN = {
    ".mjb": "is what MuJoCo compiles of an MJCF: write that (.xml)",
    **dict.fromkeys(USD, "is USD, which is not written: Isaac Sim and Isaac Lab import URDF (.urdf) and MJCF (.xml)"),
    **dict.fromkeys(WEBOTS, "is a file of Webots, which is not written: urdf2webots makes a PROTO of a URDF (.urdf)"),
    **dict.fromkeys(
        SCENES,
        "is a scene that only its own program writes: Blender imports .glb, Unity .urdf (URDF Importer) and "
        ".glb, CoppeliaSim .urdf",
    ),
    **dict.fromkeys(SHAPES, "holds a shape and no robot: write glTF (.glb), which holds all of its shapes"),
}
"""Other files, by their suffixes."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+:)/")


def unknown(path: str, head: bytes | None, suited: bool, guest: bool) -> None:
    """Raise InputError for a file that is known not to be of a format here, by its name or its first bytes (None: still
    to be written). suited: a format accepts files of its name or content; guest: it is a format of another package."""
    kind = next((said for start, said in HEADS.items() if (head or b"").startswith(start) and not guest), "")
    named = (WRITTEN if head is None else READ).get(PurePath(path).suffix.lower(), "")
    if kind:
        from ir.types import Source

        raise InputError(kind if kind == NO_USD else named or kind, Source(path, 1, "/"))
    if named and not suited:
        raise InputError(f"{path}: {named}")


def stand_in(data: bytes) -> str:
    """What an unreadable mesh or image file really is, if it is a placeholder; "" for any other."""
    if not data:
        return "is empty: fetch or export it again"
    head = data[:64].lstrip().lower()
    return next((said for start, said in STAND_INS.items() if head.startswith(start)), "")


def local(path: Path) -> None:
    """Raise InputError for a URL, which would be taken as a folder with a strange name."""
    found = _URL.match(str(path))
    if found is None or Path(found[1]).is_dir():
        return
    rest = str(path)[len(found[1]) :]
    if found[1].lower() == "file:":
        raise InputError(f"{found[1]}//{rest}: is a URL: name the path {rest}")
    raise InputError(f"{found[1]}/{rest}: is a URL: name a path; kinegraph batch takes folders that are URLs")


def output_place(path: Path) -> None:
    """Raise InputError for an impossible output: a URL, stdout, and files of the operating system, such as the link
    /dev/stdout, which would be replaced by a file."""
    local(path)
    if path == Path("-"):
        raise InputError(f"{path}: stdout is not written: what is written appears whole or not at all; name a file")
    folder = os.path.realpath(path.parent)
    if folder in SYSTEM or folder.startswith("/proc/"):
        raise InputError(f"{path}: is no place for files: what is written appears whole or not at all; name a file")


def entries(folder: Path) -> list[Path]:
    """The contents of a folder, sorted; nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a file; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError:
        return b""
