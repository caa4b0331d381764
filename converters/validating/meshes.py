"""Files referenced by a model: whether they are found, how, and whether their content is valid."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from converters.assets.meshes.stl_head import HEADER, binary_faces
from converters.carried.files import ORIGINAL
from converters.source.text import six_digits
from converters.validating.model import Breach, CheckedModel, broken_rule
from converters.validating.rules import ERROR
from converters.validating.solids import MeshFacts
from ir.types import Asset, Geom, Mesh, Role

ADVISED, MOST = 1000, 200_000
"""Faces of a collision mesh: the limit advised by ROS, and MuJoCo's limit for an STL file."""
LEAST, SMALL = 1e-15, 1e-13
"""Cubic metres below which MuJoCo refuses a mesh, and of the bounding box below which the volume is computed."""
VAST = 50.0
"""Metres: longer than any link."""
GUESSED = ("ancestor", "basename", "package-dropped", "trimmed", "descendant")
"""Rules of converters.assets.resolve that guess where a package is."""
CASELESS = "-ignoring-case"
HEAD = 8192

_UNIT = re.compile(rb"""<unit[^<>]*?meter\s*=\s*["']([^"']+)["']""")
_UP = re.compile(rb"<up_axis>\s*Y_UP")


def check(model: CheckedModel) -> Iterator[Breach]:
    scene = model.scene
    told_already = {note.where for note in model.reading.context.notes if note.rule == ORIGINAL}
    for asset in scene.assets.values():
        if f"asset/{asset.name}" not in told_already:
            yield from _found(asset, model.format)
        if asset.kind == "mesh" and _in_words(asset):
            severity = ERROR if model.format == "mjcf" else ""
            yield broken_rule("MESH-ASCII", "asset", asset, f"{asset.uri} is an ASCII STL", severity)
    told: set[str] = set()
    for body in scene.bodies.values():
        seen = {geom.shape for geom in body.geoms if geom.role == Role.VISUAL and isinstance(geom.shape, Mesh)}
        for geom in body.geoms:
            if isinstance(geom.shape, Mesh) and geom.shape.asset in scene.assets:
                asset = scene.assets[geom.shape.asset]
                where = f"body/{body.name}.geoms.{geom.name}"
                yield from _used(model, geom, geom.shape, asset, where, told)
                if geom.role == Role.COLLISION and geom.shape in seen:
                    message = f"{asset.uri} is used as visual and as collision"
                    yield Breach(rule="MESH-SAME", where=where, message=message, source=geom.source)


def guessed(rule: str) -> bool:
    """Whether a rule of converters.assets.resolve relies on folder names only."""
    return rule.partition("-with")[0] in GUESSED


def _found(asset: Asset, kind: str) -> Iterator[Breach]:
    where = f"asset/{asset.name}"
    if asset.file is None:
        if asset.uri:
            message = f"{asset.uri}: {asset.rule or 'not found: correct the path'}"
            yield Breach(rule="MESH-MISSING", where=where, message=message, source=asset.source)
        return
    severity = ERROR if kind == "mjcf" else ""  # MuJoCo opens the path exactly as written (user_objects.cc)
    if asset.rule.endswith(CASELESS):
        message = f"{asset.uri} is {Path(asset.file).name}"
        yield Breach(rule="MESH-CASE", where=where, message=message, source=asset.source, severity=severity)
    elif guessed(asset.rule):
        message = f"{asset.uri} was found by the rule {asset.rule!r}: {asset.file}"
        yield Breach(rule="MESH-HEUR", where=where, message=message, source=asset.source, severity=severity)
    if asset.kind == "mesh" and asset.file.lower().endswith(".dae"):
        yield from _collada(asset, where)


def _collada(asset: Asset, where: str) -> Iterator[Breach]:
    assert asset.file is not None
    try:
        with Path(asset.file).open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return  # reported when the mesh is opened
    unit = _UNIT.search(head)
    if unit is not None and unit[1].strip(b"0") not in (b"1", b"1."):
        message = f"{asset.uri} is in units of {unit[1].decode('ascii', 'replace')} m"
        yield Breach(rule="MESH-UNIT", where=where, message=message, source=asset.source)
    if _UP.search(head):
        yield Breach(rule="MESH-UP", where=where, message=f"{asset.uri} has y up", source=asset.source)


def _in_words(asset: Asset) -> bool:
    """Whether an STL is text, determined from its size."""
    if not asset.file or not asset.file.lower().endswith(".stl"):
        return False
    file = Path(asset.file)
    with file.open("rb") as opened:
        return binary_faces(opened.read(HEADER), file.stat().st_size) is None


def _used(model: CheckedModel, geom: Geom, mesh: Mesh, asset: Asset, where: str, told: set[str]) -> Iterator[Breach]:
    """Yield what is wrong with a mesh as used by a geom; what is wrong with the file itself only once (told)."""

    def breach(rule: str, message: str, severity: str = "") -> Breach:
        return Breach(rule=rule, where=where, message=message, source=geom.source, severity=severity)

    def first(what: str) -> bool:
        known = f"{what} {asset.name}" in told
        told.add(f"{what} {asset.name}")
        return not known

    scale, suffix = mesh.scale, Path(asset.uri).suffix.lower()
    if min(scale) < 0.0:
        yield breach("MESH-SCALE", "the scale is negative: the mesh is mirrored, and inside out to some")
    elif max(scale) > min(scale) * (1 + 1e-9) and model.format == "urdf":
        yield breach("MESH-SCALE", f"the scale {six_digits(scale)} is another along each axis")
    if suffix == ".dae" and first("dae"):
        yield breach("MESH-FORMAT", f"{asset.uri}: MuJoCo reads no DAE")
    if geom.collides and suffix in (".stl", ".dae") and first("drake"):
        yield breach("MESH-FORMAT", f"{asset.uri}: Drake collides only with OBJ, VTK and glTF")
    if asset.file is None and not asset.made:
        return
    facts = model.solids.facts(asset.name)
    if not facts.error:
        yield from _of_content(model, geom, mesh, asset, facts, breach, first)
    elif first("error"):
        yield breach("MESH-READ", facts.error)


def _of_content(
    model: CheckedModel,
    geom: Geom,
    mesh: Mesh,
    asset: Asset,
    facts: MeshFacts,
    breach: Callable[..., Breach],
    first: Callable[[str], bool],
) -> Iterator[Breach]:
    """Yield what is wrong with the faces and the size of a readable mesh."""
    if geom.collides and facts.faces > ADVISED:
        worse = facts.faces > MOST and Path(asset.uri).suffix.lower() == ".stl"
        yield breach("MESH-FACES", f"{asset.uri} has {facts.faces} faces", ERROR if worse else "")
    sides = [abs(s) * (high - low) for s, low, high in zip(mesh.scale, facts.low, facts.high, strict=True)]
    if model.format == "mjcf" and math.prod(sides) < SMALL and ("inertia", "shell") not in asset.parameters:
        solid = model.solids.unit(asset.name, mesh.scale) if ("inertia", "convex") not in asset.parameters else None
        volume = math.prod(sides) if solid is None else solid.mass
        if volume < LEAST and first("tiny"):
            message = f"{asset.name}: a mesh of {volume:.3g} m^3 is refused by MuJoCo, but with inertia='shell'"
            yield breach("MJCF-INVALID", message)
    if max(sides) > VAST and model.format in ("urdf", "gltf"):
        yield breach("MESH-SCALE", f"{asset.uri} is {max(sides):.3g} m long: millimetres?")
