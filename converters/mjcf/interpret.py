"""What MJCF leaves to its compiler, said in the terms of the graph when a scene goes to another format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from converters.mjcf import made
from converters.mjcf.aims import AIMED
from converters.mjcf.devices import DEVICE, MOVED
from converters.mjcf.drives import EFFORT, PLAIN
from converters.mjcf.fields import FIELDS
from converters.mjcf.friction import FRICTION
from converters.mjcf.looks import COLOURS, LOOKS, PLAIN_GREY
from converters.mjcf.made import making, said_by
from converters.mjcf.tables import COMPILERS, GROUPS
from converters.passes.contacts import colliding, masked
from converters.passes.kinematic import freed
from converters.passes.looks import fading
from converters.registry import Load, Pass, Target
from converters.source.text import plain_numbers
from ir.inertia import combine, of_shape
from ir.names import unique
from ir.pose import compose, conjugate, normalise, rotate
from ir.scene import Scene
from ir.types import WORLD, Asset, Body, Geom, HeightField, Inertial, Mesh, Plane, Pose, Tensor, Vec3

if TYPE_CHECKING:
    from converters.mjcf.inertia import Faces, Points

WATER = 1000.0
UNTURNED = (1.0, 0.0, 0.0, 0.0)
LEAST = 1e-15
"""kg; lighter geoms do not count."""


class _Compiler:
    """What <compiler> says for each body: that of the model, or of the model that is attached there."""

    def __init__(self, scene: Scene) -> None:
        self.own = said_by(scene.extras, "compiler")
        self.attached: dict[str, dict[str, str]] = {}
        try:
            noted = json.loads(scene.notation.get(COMPILERS, "{}"))
            self.attached = {name: {key: str(text) for key, text in said.items()} for name, said in noted.items()}
        except (ValueError, AttributeError):  # somebody has edited it
            self.attached = {}

    def of(self, body: Body) -> dict[str, str]:
        return self.attached.get(body.name, self.own)


def _numbers(text: str | None, size: int) -> tuple[float, ...] | None:
    values = plain_numbers(text) if text is not None else None
    return values if values is not None and len(values) == size else None


# -------------------------------------------------------------------------------------------------------------- meshes


class _Meshes:
    """Geometry of mesh assets as MuJoCo sees it: turned and shifted by the asset, scaled. Each is opened once."""

    def __init__(self, scene: Scene, load: Load) -> None:
        self.scene = scene
        self.load = load
        self.found: dict[tuple[str, Vec3], tuple[Points, Faces] | None] = {}
        self.bare: dict[str, Points | None] = {}

    def of(self, mesh: Mesh) -> tuple[Points, Faces] | None:
        key = (mesh.asset, mesh.scale)
        if key not in self.found:
            self.found[key] = self._of(self.scene.assets[mesh.asset], mesh.scale)
        return self.found[key]

    def _of(self, asset: Asset, scale: Vec3) -> tuple[Points, Faces] | None:
        import numpy as np

        raw = self.raw(asset)
        if raw is None:
            return None
        points, faces = raw
        shift, turn = _reference(asset)
        moved = points - np.array(shift)
        if turn != UNTURNED:
            from ir.pose import matrix

            moved = moved @ matrix(turn)
        moved = moved * np.array(scale)
        if scale[0] * scale[1] * scale[2] < 0:
            faces = faces[:, ::-1]
        if _mode(asset) == "convex" or not len(faces):
            from ir.hull import hull

            faces = hull(moved)
        return (moved, faces) if len(faces) else None

    def raw(self, asset: Asset) -> tuple[Points, Faces] | None:
        """As the file or the document has it, in single precision as MuJoCo; without faces where the hull is meant."""
        import numpy as np

        bare = self.corners(asset)
        own = made.inline(said_by(asset.extras)) if not asset.uri else None
        own = own if bare is None else (bare, np.zeros((0, 3), np.int64))
        parts = [own] if own is not None else list(self.load(asset))
        if not parts:
            return None
        starts = np.cumsum([0, *(len(points) for points, _ in parts)])
        with np.errstate(over="ignore"):
            points = np.concatenate([points for points, _ in parts]).astype(np.float32).astype(np.float64)
        if not np.isfinite(points).all():
            return None
        if own is None:
            starts = starts[: made.of_first(asset, len(parts))]
        faces = np.concatenate([faces + start for (_, faces), start in zip(parts, starts, strict=False)])
        return points, faces

    def corners(self, asset: Asset) -> Points | None:
        """Of a file without faces."""
        if asset.name not in self.bare:
            self.bare[asset.name] = made.corners(asset.file) if asset.uri else None
        return self.bare[asset.name]


def _reference(asset: Asset) -> tuple[Vec3, tuple[float, float, float, float]]:
    said = dict(asset.parameters)
    x, y, z = _numbers(said.get("refpos"), 3) or (0.0, 0.0, 0.0)
    quat = _numbers(said.get("refquat"), 4)
    try:
        return (x, y, z), normalise((quat[0], quat[1], quat[2], quat[3])) if quat else UNTURNED
    except ValueError:
        return (x, y, z), UNTURNED


def _shaped(scene: Scene, target: Target) -> Scene:
    """Meshes where their asset puts them, and shapes in place of meshes that only lend their size."""
    meshes = _Meshes(scene, target.load)
    compiler = _Compiler(scene)
    table: dict[str, Asset] = {}
    changed = {}
    for body in scene.bodies.values():
        geoms = tuple(_held(_shape(geom, scene, meshes, compiler.of(body)), meshes, table) for geom in body.geoms)
        if any(new is not old for new, old in zip(geoms, body.geoms, strict=True)):
            changed[body.name] = replace(body, geoms=geoms)
    if not changed and not table:
        return scene
    assets = [table.pop(name, asset) for name, asset in scene.assets.items()]
    return scene.evolve(
        bodies=[changed.get(body.name, body) for body in scene.bodies.values()],
        tables={"asset": [*assets, *table.values()]},
    )


def _shape(geom: Geom, scene: Scene, meshes: _Meshes, compiler: dict[str, str]) -> Geom:
    mesh = geom.shape
    if not isinstance(mesh, Mesh):
        return geom
    asset = scene.assets[mesh.asset]
    if not mesh.fit:
        shift, turn = _reference(asset)
        if (shift == (0.0, 0.0, 0.0) and turn == UNTURNED) or _skewed(asset, mesh.scale):
            return geom
        back = conjugate(turn)
        x, y, z = rotate(back, shift)
        sx, sy, sz = mesh.scale
        return replace(geom, pose=compose(geom.pose, Pose((-sx * x, -sy * y, -sz * z), back)))
    found = meshes.of(mesh)
    if found is None:
        return replace(geom, shape=replace(mesh, fit=""))
    from converters.mjcf.inertia import fitted

    aabb = compiler.get("fitaabb") == "true"
    (scale,) = _numbers(said_by(geom.extras).get("fitscale"), 1) or (1.0,)
    made = fitted(*found, _mode(asset), mesh.fit, aabb, scale)
    if made is None:
        return replace(geom, shape=replace(mesh, fit=""))
    return replace(geom, shape=made[0], pose=compose(geom.pose, made[1]))


def _skewed(asset: Asset, scale: Vec3) -> bool:
    """Whether a mesh is turned before it is scaled by different factors, which no pose of a geom can say."""
    return _reference(asset)[1] != UNTURNED and not scale[0] == scale[1] == scale[2]


def _held(geom: Geom, meshes: _Meshes, table: dict[str, Asset]) -> Geom:
    """The geom with geometry that a file can hold; the assets that are made for that go into the table."""
    shape = geom.shape
    if isinstance(shape, HeightField):
        asset = meshes.scene.assets[shape.asset]
        if asset.name not in table and (not asset.uri or asset.file is not None):
            grid = made.heights(said_by(asset.extras), asset.file)
            if grid is not None:
                from converters.assets.heights import square_image

                table[asset.name] = making(asset, square_image(grid))
        return geom
    if not isinstance(shape, Mesh):
        return geom
    asset = meshes.scene.assets[shape.asset]
    skewed = _skewed(asset, shape.scale)
    if asset.uri and not skewed and meshes.corners(asset) is None:
        return geom
    name = unique(f"{asset.name}_turned", meshes.scene.assets) if skewed else asset.name
    if name not in table:
        content = _obj(asset, meshes, skewed)
        if content is None:
            return geom
        table[name] = making(replace(asset, name=name, label=None), content)
        if skewed:
            parameters = tuple(item for item in asset.parameters if item[0] not in ("refpos", "refquat"))
            table[name] = replace(table[name], parameters=parameters, uri="", extras=())
    return replace(geom, shape=replace(shape, asset=name)) if skewed else geom


def _obj(asset: Asset, meshes: _Meshes, turned: bool) -> bytes | None:
    """The mesh as OBJ, in the frame of its file; turned: where the asset moves it, but not scaled."""
    from converters.assets.obj_text import obj_text
    from converters.assets.parts import MeshPart

    found = meshes.of(Mesh(asset=asset.name)) if turned else meshes.raw(asset)
    if found is None:
        return None
    points, faces = found
    if not len(faces):
        from ir.hull import hull

        faces = hull(points)
    if not len(faces):
        return None
    uvs = made.texcoords(said_by(asset.extras), len(points)) if not asset.uri else None
    return obj_text(
        MeshPart(name=asset.name, vertices=points, faces=faces, uvs=uvs, uv_faces=None if uvs is None else faces)
    )


def _mode(asset: Asset) -> str:
    mode = dict(asset.parameters).get("inertia", "legacy")
    if mode == "legacy" and not asset.uri and made.surface(said_by(asset.extras)):
        return "shell"
    return mode


SHAPES = Pass(
    rule="mjcf/mesh-reference",
    reason="MJCF moves a mesh by its asset (refpos, refquat) or fits a shape to it; here that is said by the geom",
    severity="note",
    apply=_shaped,
)


# ------------------------------------------------------------------------------------------------------------- inertia


def _weighed(scene: Scene, target: Target) -> Scene:
    """Every body with the inertia that MuJoCo compiles."""
    rules = _Compiler(scene)
    meshes = _Meshes(scene, target.load)
    changed: dict[str, Body] = {}
    for body in scene.bodies.values():
        compiler = rules.of(body)
        mode = compiler.get("inertiafromgeom", "auto")
        low, high = _numbers(compiler.get("inertiagrouprange"), 2) or (0.0, 5.0)
        if body.name == WORLD or mode == "false" or (body.inertial is not None and mode != "true"):
            continue
        parts = [
            part
            for geom in body.geoms
            if low <= _group(geom) <= high and (part := _of_geom(geom, scene, meshes, body, compiler)) is not None
        ]
        if parts:
            changed[body.name] = replace(body, inertial=combine(parts))
    _bound(scene, rules, changed)
    if not changed:
        return scene
    return scene.evolve(bodies=[changed.get(body.name, body) for body in scene.bodies.values()])


def _group(geom: Geom) -> int:
    return geom.group if geom.group is not None else GROUPS.get(geom.role, GROUPS[""])


def _of_geom(geom: Geom, scene: Scene, meshes: _Meshes, body: Body, compiler: dict[str, str]) -> Inertial | None:
    """In the frame of the body."""
    geom = _shape(geom, scene, meshes, compiler) if isinstance(geom.shape, Mesh) and geom.shape.fit else geom
    density = geom.density if geom.density is not None else 0.0 if body.inertial is None else WATER
    unit = _unit(geom, scene, meshes)
    if unit is None:
        return None
    size, centre, tensor = unit
    mass = geom.mass if geom.mass is not None else density * size
    if not mass > LEAST or not size > 0:
        return None
    xx, yy, zz, xy, xz, yz = (each * mass / size for each in tensor)
    inertial = Inertial(mass=mass, tensor=(xx, yy, zz, xy, xz, yz), pose=Pose(centre))
    return replace(inertial, pose=compose(geom.pose, inertial.pose))


def _unit(geom: Geom, scene: Scene, meshes: _Meshes) -> tuple[float, Vec3, Tensor] | None:
    """Volume or area, centre, and the tensor at a density of 1, in the frame of the geom."""
    from converters.mjcf.inertia import of_mesh, of_shell

    shape = geom.shape
    if shape is None or isinstance(shape, Plane):
        return None
    if isinstance(shape, Mesh):
        found = meshes.of(shape)
        return of_mesh(*found, _mode(scene.assets[shape.asset])) if found is not None else None
    if isinstance(shape, HeightField):
        x, y, z = shape.size
        from ir.types import Box

        shape = Box(size=(x, y, z + shape.base))
    if said_by(geom.extras).get("shellinertia") == "true":
        shell = of_shell(shape)
        if shell is None:
            return None
        area, (a, b, c) = shell
        return area, (0.0, 0.0, 0.0), (area * a, area * b, area * c, 0.0, 0.0, 0.0)
    solid = of_shape(shape, 1.0)
    return (solid.mass, solid.pose.pos, solid.tensor) if solid is not None else None


def _bound(scene: Scene, rules: _Compiler, changed: dict[str, Body]) -> None:
    from converters.mjcf.inertia import bounded

    for body, inertial in list(_inertials(scene, changed, True)):
        compiler = rules.of(body)
        (mass,) = _numbers(compiler.get("boundmass"), 1) or (0.0,)
        (moment,) = _numbers(compiler.get("boundinertia"), 1) or (0.0,)
        balance = compiler.get("balanceinertia") == "true"
        if mass > 0 or moment > 0 or (balance and body.inertial is not None):
            new = bounded(inertial, mass, moment, balance)
            if new is not body.inertial:
                changed[body.name] = replace(body, inertial=new)
    (total,) = _numbers(rules.own.get("settotalmass"), 1) or (-1.0,)
    whole = sum(inertial.mass for _, inertial in _inertials(scene, changed, False))
    if total > 0 and whole > 0:
        share = total / whole
        for body, inertial in list(_inertials(scene, changed, False)):
            xx, yy, zz, xy, xz, yz = (share * each for each in inertial.tensor)
            new = replace(inertial, mass=share * inertial.mass, tensor=(xx, yy, zz, xy, xz, yz))
            changed[body.name] = replace(body, inertial=new)


def _inertials(scene: Scene, changed: dict[str, Body], every: bool) -> Iterator[tuple[Body, Inertial]]:
    nothing = Inertial(mass=0.0, tensor=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for name in scene.bodies:
        body = changed.get(name, scene.body(name))
        if name != WORLD and (body.inertial is not None or every):
            yield body, body.inertial or nothing


INERTIA = Pass(
    rule="mjcf/inferred-inertia",
    reason="MuJoCo infers what is not said from the geoms, and applies the bounds of its compiler",
    severity="note",
    action="derived",
    apply=_weighed,
)


MOCAP = Pass(
    rule="mjcf/mocap",
    reason="what MuJoCo moves without forces (mocap) has no joint; here nothing holds it, and it is kinematic",
    severity="note",
    wanted=lambda target: target.fits.kinematic_links,
    apply=freed,
)


def passes() -> tuple[Pass, ...]:
    masks = masked(1, 1, "mjcf/default-masks")
    return (
        INERTIA,
        SHAPES,
        FIELDS,
        LOOKS,
        COLOURS,
        PLAIN_GREY,
        fading((1.0, 0.0, 0.0), None, "mjcf/default-attenuation"),
        MOCAP,
        PLAIN,
        EFFORT,
        FRICTION,
        masks,
        colliding("mjcf/self-collide"),
        AIMED,
        MOVED,
        DEVICE,
    )
