"""Writers that put something else into an output than the scene says, and what the report tells of it.

A conversion without a lie is explained; with the lie, it must have an unexplained difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert, registry
from converters.context import Output, WriterContext
from converters.report.model import Action, Report
from ir.scene import Scene
from tests.files import saved
from tests.formats.sdf_links import TETRAHEDRON
from tests.reports import explained

SUFFIXES = {"<mujoco": ".xml", "<robot": ".urdf", "<sdf": ".sdf"}
MESH = """<robot name="m"><link name="a">
  <visual name="v"><origin xyz="0 0 0.5"/><geometry><mesh filename="two.obj"/></geometry></visual></link></robot>
"""
TWO = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no a\nf 1 3 2\nf 1 2 4\no b\nf 1 4 3\nf 2 3 4\n"
Change = Callable[[dict[str, Any]], None]
"""A change of a document of glTF."""


def lying_with(change: Callable[[Output], Output], target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the writer of a format produce a changed output from now on."""
    own = registry.format_named(target)

    def lying(scene: Scene, context: WriterContext) -> Output:
        assert own.write is not None
        return change(own.write(scene, context))

    formats = {each: registry.format_named(each) for each in ("urdf", "mjcf", "sdf", "gltf")}
    monkeypatch.setattr(registry, "_own", lambda: formats | {target: replace(own, write=lying)})


def lying(written: str, wrong: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the writer of a format write other text into its document, or into the SRDF beside it."""

    def change(output: Output) -> Output:
        document, count = re.subn(written, wrong, output.document.decode(), flags=re.DOTALL)
        files = dict(output.files)
        for name, held in files.items():
            if isinstance(held, bytes) and name.endswith(".srdf"):
                text, more = re.subn(written, wrong, held.decode(), flags=re.DOTALL)
                files[name], count = text.encode(), count + more
        assert count, output.document.decode()
        return replace(output, document=document.encode(), files=files)

    lying_with(change, target, monkeypatch)


def lying_beside(end: str, written: bytes, wrong: bytes, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the writer of a format put other text into the files with this end of their names."""

    def change(output: Output) -> Output:
        held = {name: each if isinstance(each, bytes) else each.read_bytes() for name, each in output.files.items()}
        files = {
            name: re.sub(written, wrong, each, flags=re.DOTALL) for name, each in held.items() if name.endswith(end)
        }
        assert any(files[name] != held[name] for name in files)
        return replace(output, files={**output.files, **files})

    lying_with(change, target, monkeypatch)


def lying_about(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change all documents of glTF written from now on, with digests that match the change."""
    from converters.gltf.data.plain import plain

    def changed(document: Any) -> dict[str, Any]:
        members: dict[str, Any] = plain(document)
        change(members)
        return members

    monkeypatch.setattr("converters.gltf.writer.plain", changed)


def unexplained(report: Report) -> set[tuple[str, str]]:
    return {(each.rule, each.before) for each in report.findings if each.action is Action.UNEXPLAINED}


def rules(report: Report) -> set[str]:
    """Return the rules of what is unexplained, without the word."""
    return {rule.removeprefix("unexplained/") for rule, _ in unexplained(report)}


def converted(source: str, target: str, folder: Path, name: str) -> Report:
    """Return the report of a document, beside which there are meshes and an image."""
    path = saved(folder / f"r{next(suffix for start, suffix in SUFFIXES.items() if source.startswith(start))}", source)
    meshes = {
        "solid": TETRAHEDRON,
        "solidity": TETRAHEDRON,
        "other": TETRAHEDRON.replace("v 1", "v 2"),
        "dyed": f"mtllib two.mtl\no s\nusemtl a\n{TETRAHEDRON}",
        "two": f"mtllib two.mtl\n{TWO.replace('o ', 'usemtl ')}",
    }
    for each, text in meshes.items():
        (folder / f"{each}.obj").write_text(text)
    (folder / "two.mtl").write_text("newmtl a\nKa 0.3 0.1 0.2\nKd 0.8 0.6 0.4\nnewmtl b\nKd 0.2 0.3 0.4\n")
    Image.new("L", (3, 3), 9).save(folder / "heightmap.png")
    return convert(path, folder / name, target=target)


def rules_of_lie(
    source: str, target: str, written: str, wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> set[str]:
    """Return the rules of what is unexplained (rules) where the writer writes other text, and only then."""
    explained(converted(source, target, folder, "right"))
    lying(written, wrong, target, monkeypatch)
    return rules(converted(source, target, folder, "wrong"))
