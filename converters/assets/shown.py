"""Which materials are shown, those of the model or those of a mesh file: a rule of each source format.

- "file": those of the file, as in RViz; parts without one get those of the model.
- "model": those of the model where it has any, as in Gazebo (gz-sim sets the <material> of a visual on its mesh).
- "model alone": those of the file are never read, as in MuJoCo, which reads no material library.

Where an edit gave a geom a look in a format in which that overrides the file's (overlaid), the model's look is shown
there, whatever the rule of the source format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from converters.assets import inside
from ir.scene import Scene
from ir.types import Asset, Geom, Mesh, Role

if TYPE_CHECKING:
    from converters.assets.meshes.parts import PartMaterial

FILE, MODEL, ALONE = "file", "model", "model alone"
_LOOKS = re.compile(rb"^[ \t]*(?:mtllib|usemtl)\b.*\n?", re.MULTILINE)
_BROUGHT = {".dae": re.compile(rb"<(?:\w+:)?instance_material\b"), ".glb": re.compile(rb'"materials"')}
_BROUGHT |= {".obj": _LOOKS, ".gltf": _BROUGHT[".glb"]}
"""Suffix -> pattern found in files of that kind that have materials."""
_DYED = {
    ".ply": re.compile(rb"^property\s+\w+\s+(?:diffuse_)?red\b", re.MULTILINE),
    ".obj": re.compile(rb"^[ \t]*v(?:[ \t]+\S+){6}", re.MULTILINE),
    ".dae": re.compile(rb"semantic\s*=\s*[\"']COLOR\b"),
    ".glb": re.compile(rb'"COLOR_0"'),
}
_DYED[".gltf"] = _DYED[".glb"]
"""Suffix -> pattern found in files of that kind with vertex colours; a single colour of all vertices is a material."""


def overlay_key(geom: Geom) -> str:
    """Return the key in Scene.brought which declares that a geom's look overrides that of its mesh file."""
    return f"look/{geom.name}"


def shown_file_look(look: PartMaterial | None, geom: Geom, scene: Scene, rule: str) -> PartMaterial | None:
    """Return the look that the mesh file gives to a part of a geom, if it is shown; else None."""
    return None if look is None or geom.role == Role.COLLISION or _model(geom, scene, rule) else look


def shows_vertex_colours(geom: Geom, scene: Scene, rule: str) -> bool:
    """Whether a mesh file's vertex colours are shown on a geom: where the file's materials are, and always for an
    embedded mesh."""
    asset = scene.mesh_of(geom.shape)
    if asset is None or geom.role == Role.COLLISION:
        return False
    return bool(inside.part_of(asset)) or not _model(geom, scene, rule)


def _model(geom: Geom, scene: Scene, rule: str) -> bool:
    """Whether a geom is shown with the look of the model."""
    look = scene.look_of(geom)
    over = rule == MODEL or (bool(scene.brought) and overlay_key(geom) in scene.brought)
    return rule == ALONE or (over and look is not None and not look.blank)


def meshes_without_shown_looks(scene: Scene, rule: str) -> frozenset[str]:
    """Return the mesh assets whose own materials are never shown, because the model overrides them."""
    if rule == FILE and not scene.brought:
        return frozenset()
    used = [(geom, geom.shape.asset) for geom in scene.geoms() if isinstance(geom.shape, Mesh)]
    bare = {asset for geom, asset in used if geom.seen and not _model(geom, scene, rule)}
    return frozenset(asset for _, asset in used if asset not in bare)


def covered_files(scene: Scene, rule: str) -> dict[str, bool]:
    """Return the mesh files over which the model's looks are shown on any geom -> whether they are on every visible
    one; an embedded mesh is keyed by the name of its asset."""
    found: dict[str, set[bool]] = {}
    for geom in scene.geoms():
        asset = scene.mesh_of(geom.shape)
        if asset is not None and asset.file and geom.seen:
            key = asset.name if inside.part_of(asset) else asset.file
            found.setdefault(key, set()).add(_model(geom, scene, rule))
    return {key: all(how) for key, how in found.items() if any(how)}


def veiled_geoms(scene: Scene, rule: str) -> Iterator[tuple[str, Geom, Path]]:
    """Yield geoms with a transparency set by the model but shown with their file's looks: body, geom and file."""
    for body in scene.bodies.values():
        for geom in body.geoms:
            look = scene.look_of(geom)
            if look is None or look.veil == 1.0 or not geom.seen or _model(geom, scene, rule):
                continue
            asset = scene.mesh_of(geom.shape)
            if asset is not None and asset.file and not inside.part_of(asset) and brings_looks(Path(asset.file)):
                yield body.name, geom, Path(asset.file)


def may_have_looks(asset: Asset) -> bool:
    """Whether a mesh's file may set colours or images. An embedded mesh has the looks of the graph, unless it uses the
    materials of the file it is embedded in."""
    if asset.made or asset.file is None or inside.part_of(asset):
        return bool(asset.made) or inside.LOOKS in dict(asset.parameters)
    path = Path(asset.file)
    return brings_looks(path) or _has(path, _DYED)


def brings_looks(path: Path) -> bool:
    """Whether a mesh file sets colours or images by materials. Raises OSError."""
    return _has(path, _BROUGHT)


def _has(path: Path, patterns: Mapping[str, re.Pattern[bytes]]) -> bool:
    pattern = patterns.get(path.suffix.lower())
    return pattern is not None and pattern.search(path.read_bytes()) is not None


def without_looks(path: Path) -> bytes:
    """Return an OBJ file without the lines that set materials. Raises OSError."""
    return _LOOKS.sub(b"", path.read_bytes())
