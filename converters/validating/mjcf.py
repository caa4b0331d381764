"""What MuJoCo refuses although each word is known: long keyframes, masses and meshes that are too small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import eq
from pathlib import Path
from typing import Any

from converters.assets.textures import pixels
from converters.mjcf.assets.meshes import MeshGeometry, inertia_mode
from converters.mjcf.assets.moments import mujoco_moments
from converters.mjcf.document.extras import said_by
from converters.mjcf.meaning.body_demands import LEAST
from converters.mjcf.tables import FACE
from converters.source.text import so_many_numbers
from converters.validating.inertia import TRIANGLE
from converters.validating.model import Breach, CheckedModel, broken_rule
from ir.arrays import np
from ir.inertia import principal
from ir.kinematics import coordinate_size
from ir.scene import Scene
from ir.types import Body, Mesh, Vec3

ROUNDED = 1e-13
"""Error of the principal moments, relative to the largest, when computed from a full tensor."""


def check(model: CheckedModel) -> Iterator[Breach]:
    if model.format != "mjcf":
        return
    documents: list[Any] = [*model.reading.context.documents]
    soft = any("flexcomp" in extra.path for body in model.scene.bodies.values() for extra in body.extras)
    if not soft:  # only MuJoCo knows how many coordinates a flexcomp has
        yield from _keyframes(documents, model.scene)
    yield from _drawn(model.scene)
    yield from _flat(model)
    yield from _around(model.scene)
    yield from _light(model)
    yield from _unequal(model)


def _drawn(scene: Scene) -> Iterator[Breach]:
    """Yield breaches for meshes with vertices in the document, at every scale at which they are used."""
    meshes = MeshGeometry(scene, lambda asset: [])
    sizes: dict[str, set[Vec3]] = {}
    for shape in (geom.shape for geom in scene.geoms()):
        if isinstance(shape, Mesh):
            sizes.setdefault(shape.asset, set()).add(shape.scale)
    for name, asset in scene.assets.items():
        given = meshes.raw(asset) if asset.kind == "mesh" and not asset.uri else None
        if given is None or len(given[0]) < 4:  # fewer vertices are reported separately
            continue
        x, y, z = so_many_numbers(dict(asset.parameters).get("scale"), 3) or (1.0, 1.0, 1.0)
        scales = sizes.get(name, {(x, y, z)})
        said = next((each for scale in sorted(scales) if all(scale) and (each := _lacks(meshes, name, scale))), "")
        if said:
            yield broken_rule("MJCF-INVALID", "asset", asset, f"{name}: a mesh {said} is refused by MuJoCo")


def _flat(model: CheckedModel) -> Iterator[Breach]:
    """Yield breaches for colliding meshes whose vertices are in one plane, so that they have no hull (measured: only
    where this is exact, before scaling). One with the inertia of a solid is reported for its volume instead."""
    meshes = MeshGeometry(model.scene, lambda asset: [])
    colliding = (geom.shape for geom in model.scene.geoms() if geom.collides)
    used = {shape.asset: None for shape in colliding if isinstance(shape, Mesh) and not shape.fit}
    for asset in (model.scene.assets[name] for name in used if name in model.scene.assets):
        if inertia_mode(asset) != "shell":
            continue
        if asset.uri:
            facts = model.solids.facts(asset.name)
            flat = facts.faces > 0 and any(map(eq, facts.low, facts.high))
        else:
            given = meshes.raw(asset)
            flat = given is not None and bool((given[0].min(axis=0) == given[0].max(axis=0)).any())
        if flat:
            yield broken_rule("MJCF-INVALID", "asset", asset, f"{asset.name}: a flat mesh collides: MuJoCo refuses it")


def _around(scene: Scene) -> Iterator[Breach]:
    """Yield breaches for cube textures whose sides are not square."""
    for asset in scene.assets.values():
        cube = asset.kind == FACE or (asset.kind == "texture" and dict(asset.parameters).get("type", "2d") != "2d")
        size = _pixels(asset.file) if cube and asset.file else None
        rows, columns = so_many_numbers(said_by(asset.extras).get("gridsize"), 2) or (1.0, 1.0)
        if size is None or min(rows, columns) < 1.0:
            continue
        width, height = size
        if width * rows != height * columns or width % columns or height % rows:
            message = f"{asset.uri}: {width} x {height} pixels are no square sides of a cube (else type='2d')"
            yield broken_rule("MJCF-INVALID", "asset", asset, message)


def _pixels(file: str) -> tuple[int, int] | None:
    try:
        with Path(file).open("rb") as opened:
            return pixels(opened.read(24))
    except OSError:
        return None  # reported when the image is opened


def _lacks(meshes: MeshGeometry, name: str, scale: Vec3) -> str:
    """Return which required property a mesh lacks; "" if none."""
    asset = meshes.scene.assets[name]
    found, weighed = meshes.of(Mesh(asset=name, scale=scale)), inertia_mode(asset)
    if found is None:
        return "whose corners have no hull"
    area = mujoco_moments(*found, "shell")
    if area is None or area[0] <= LEAST:
        return f"of {area[0] if area else 0.0:.3g} m^2"
    volume = mujoco_moments(*found, weighed) if weighed != "shell" else area
    if volume is None or volume[0] <= LEAST:
        return f"of {volume[0] if volume else 0.0:.3g} m^3, but with inertia='shell',"
    points, faces = found
    if weighed == "exact" and _signed(points[faces]) < 0.0:
        return "whose triangles look inwards, but with another inertia than 'exact',"
    return ""


def _signed(corners: Any) -> float:
    """Return six times the volume inside triangles (n, 3, 3), in m^3; negative where they face inwards."""
    return float(np.linalg.det(corners).sum())


def _light(model: CheckedModel) -> Iterator[Breach]:
    """Yield breaches for moving bodies too light or too small. Bodies welded to one may have what it lacks."""
    scene = model.physical
    for joint in scene.joints.values():
        body = scene.body(joint.child)
        inertial = body.inertial
        if not joint.dofs or inertial is None or any(not each.dofs for each in scene.child_joints(body.name)):
            continue
        small = inertial != model.scene.body(body.name).inertial and _is_all_known(body, scene)
        if 0.0 < inertial.mass <= LEAST or (small and 0.0 <= min(principal(inertial.tensor)[1]) <= LEAST):
            message = f"{body.name} moves, and has a mass or a moment of inertia of no more than {LEAST:g}"
            yield broken_rule("MJCF-INVALID", "body", body, message)


def _unequal(model: CheckedModel) -> Iterator[Breach]:
    """Yield breaches for declared moments whose largest exceeds the sum of the others by no more than rounding: MuJoCo
    has no tolerance for that. For a full tensor it computes the moments with a rounding error."""
    for body in model.scene.bodies.values():
        inertial = body.inertial
        if inertial is None or model.physical.body(body.name).inertial != inertial:
            continue
        least, middle, largest = sorted(principal(inertial.tensor)[1])
        excess = largest - (least + middle)
        if (ROUNDED * largest if any(inertial.tensor[3:]) else 0.0) < excess <= TRIANGLE * largest:
            message = f"the largest moment exceeds the sum of the others by {excess:.1g} kg m^2: MuJoCo refuses it"
            yield broken_rule("MJCF-INVALID", "body", body, message)


def _is_all_known(body: Body, scene: Scene) -> bool:
    """Whether the shape of every geom of a body is known."""
    shapes = [geom.shape for geom in body.geoms]
    return None not in shapes and all(
        asset.file is not None or not asset.uri
        for asset in (scene.assets[shape.asset] for shape in shapes if isinstance(shape, Mesh))
    )


def _keyframes(documents: Iterable[Any], scene: Scene) -> Iterator[Breach]:
    """Yield breaches for keyframes that are too long; MuJoCo pads shorter ones."""
    count = sum(coordinate_size(dof) for joint in scene.joints.values() for dof in joint.dofs)
    for section in (section for document in documents for section in document.root.findall("keyframe")):
        for key in section.elements():
            given = len(key.attrs.get("qpos", "").split())
            if given > count:
                message = f"qpos has {given} numbers, the model {count}"
                where = f"keyframe/{key.attrs.get('name', '')}"
                yield Breach(rule="MJCF-KEYFRAME", where=where, message=message, source=key.place("qpos"))
