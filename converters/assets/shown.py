"""Whose looks show, those that the model says or those that a mesh file brings along: a rule of each source format.

- "file": those of the file, as in RViz; what it leaves open takes those of the model.
- "model": those of the model where it says any, as in Gazebo (gz-sim sets the <material> of a visual on its mesh).
- "model alone": nobody looks into the file for them, as in MuJoCo, which reads no material library.

Where an edit gave a look to a geom in a document of a format in which that goes over the file (overlaid), it does so
everywhere: that of the model shows there, be the rule of the format that the model comes from what it may.
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
"""Suffix -> what is in files of that kind that have looks."""
_DYED = {
    ".ply": re.compile(rb"^property\s+\w+\s+(?:diffuse_)?red\b", re.MULTILINE),
    ".obj": re.compile(rb"^[ \t]*v(?:[ \t]+\S+){6}", re.MULTILINE),
    ".dae": re.compile(rb"semantic\s*=\s*[\"']COLOR\b"),
    ".glb": re.compile(rb'"COLOR_0"'),
}
_DYED[".gltf"] = _DYED[".glb"]
"""Suffix -> what is in files of that kind whose vertices have colours: one for all of them is a look."""


def overlay_key(geom: Geom) -> str:
    """The key (Scene.brought) by which a scene says that the look of a geom goes over that of its mesh file."""
    return f"look/{geom.name}"


def shown_file_look(look: PartMaterial | None, geom: Geom, scene: Scene, rule: str) -> PartMaterial | None:
    """The look that the mesh file gives to a part of a geom, where it shows."""
    return None if look is None or geom.role == Role.COLLISION or _model(geom, scene, rule) else look


def shows_vertex_colours(geom: Geom, scene: Scene, rule: str) -> bool:
    """Whether the colours that a mesh file gives to vertices show on a geom: like its looks, and, where it is a part of
    another file, with the material that it has there."""
    asset = scene.mesh_of(geom.shape)
    if asset is None or geom.role == Role.COLLISION:
        return False
    return bool(inside.part_of(asset)) or not _model(geom, scene, rule)


def _model(geom: Geom, scene: Scene, rule: str) -> bool:
    """Whether a geom shows the looks that the model gives."""
    look = scene.look_of(geom)
    over = rule == MODEL or (bool(scene.brought) and overlay_key(geom) in scene.brought)
    return rule == ALONE or (over and look is not None and not look.blank)


def meshes_without_shown_looks(scene: Scene, rule: str) -> frozenset[str]:
    """Mesh assets whose own looks show nowhere, since the model says others."""
    if rule == FILE and not scene.brought:
        return frozenset()
    used = [(geom, geom.shape.asset) for geom in scene.geoms() if isinstance(geom.shape, Mesh)]
    bare = {asset for geom, asset in used if geom.role in Role.SEEN and not _model(geom, scene, rule)}
    return frozenset(asset for _, asset in used if asset not in bare)


def covered_files(scene: Scene, rule: str) -> dict[str, bool]:
    """Files of meshes over which the model's looks show somewhere, each with whether it is so wherever it is seen; a
    mesh that is a part of another file, and has the looks that it has there, by the name of its asset."""
    found: dict[str, set[bool]] = {}
    for geom in scene.geoms():
        asset = scene.mesh_of(geom.shape)
        if asset is not None and asset.file and geom.role in Role.SEEN:
            key = asset.name if inside.part_of(asset) else asset.file
            found.setdefault(key, set()).add(_model(geom, scene, rule))
    return {key: all(how) for key, how in found.items() if any(how)}


def veiled_geoms(scene: Scene, rule: str) -> Iterator[tuple[str, Geom, Path]]:
    """Geoms of which the model says how far one sees through them: the body, and the mesh file whose own looks show."""
    for body in scene.bodies.values():
        for geom in body.geoms:
            look = scene.look_of(geom)
            if look is None or look.veil == 1.0 or geom.role not in Role.SEEN or _model(geom, scene, rule):
                continue
            asset = scene.mesh_of(geom.shape)
            if asset is not None and asset.file and not inside.part_of(asset) and brings_looks(Path(asset.file)):
                yield body.name, geom, Path(asset.file)


def may_have_looks(asset: Asset) -> bool:
    """Whether the file of a mesh may say anything of colours or images: what is inside another file has the looks that
    the graph gives it, unless it brings those that it has there."""
    if asset.made or asset.file is None or inside.part_of(asset):
        return bool(asset.made) or inside.LOOKS in dict(asset.parameters)
    path = Path(asset.file)
    return brings_looks(path) or _has(path, _DYED)


def brings_looks(path: Path) -> bool:
    """Whether a mesh file says anything of colours or images. Raises OSError."""
    return _has(path, _BROUGHT)


def _has(path: Path, patterns: Mapping[str, re.Pattern[bytes]]) -> bool:
    pattern = patterns.get(path.suffix.lower())
    return pattern is not None and pattern.search(path.read_bytes()) is not None


def without_looks(path: Path) -> bytes:
    """An OBJ file without the lines that say how it looks. Raises OSError."""
    return _LOOKS.sub(b"", path.read_bytes())
