"""Inertia that MuJoCo's compiler infers from geoms, with its groups, bounds and totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from converters.format import Fits, Pass, Target
from converters.mjcf.assets.meshes import MeshGeometry, inertia_mode
from converters.mjcf.assets.moments import mujoco_moments, of_shell
from converters.mjcf.document.extras import Rules, said_by
from converters.mjcf.meaning.shapes import shape_of
from converters.mjcf.tables import COMPILERS, GROUPS
from converters.passes.inertia import FILL, filled
from converters.source.text import so_many_numbers
from ir.inertia import bounded, combine, of_shape
from ir.mapping import map_bodies
from ir.pose import compose
from ir.scene import Scene
from ir.types import WORLD, Body, Box, Extra, Geom, HeightField, Inertial, Mesh, Plane, Pose, Tensor, Vec3

WATER = 1000.0
LEAST = 1e-15
"""kg; geoms with less mass are ignored."""
ROUNDED = 1e-13
"""Relative tolerance of the total mass, within which the model is not rescaled."""


def _with_compiled_inertias(scene: Scene, target: Target) -> Scene:
    """Return the scene with the inertia that MuJoCo compiles for every body."""
    rules = Rules(scene)
    changed = _bodies_weighed_by_geoms(scene, target, rules)
    _raise_to_bounds(scene, rules, changed)
    _scale_to_total_mass(scene, rules, changed)
    found = map_bodies(scene, lambda body: changed.get(body.name, body))
    over = tuple(("scene", "extras", extra.path) for extra in scene.extras if _overrules_inertias(extra))
    return found.evolve(origins={(f"body/{name}", "inertial"): over for name in changed}) if changed and over else found


def _bodies_weighed_by_geoms(scene: Scene, target: Target, rules: Rules) -> dict[str, Body]:
    """Return the bodies whose inertia is inferred from their geoms."""
    meshes = MeshGeometry(scene, target.load)
    found: dict[str, Body] = {}
    for body in scene.bodies.values():
        compiler = rules.of(body)
        weights = (
            _inertial_of_geom(geom, scene, meshes, body, compiler) for geom in counting(body, compiler, scene.brought)
        )
        parts = [part for part in weights if part is not None]
        if parts:
            found[body.name] = replace(body, inertial=combine(parts))
    return found


def _with_attached_weighed(scene: Scene, target: Target) -> Scene:
    """Write the inertia of bodies of attached models whose compilers have other rules, if a model can no longer be
    attached because its file is missing or an edit was made. The rules of the own compiler that would change these
    values are removed."""
    if COMPILERS not in scene.notation or target.fits.mark not in scene.notation:
        return scene
    gone = any(asset.kind == "model" and asset.file is None for asset in scene.assets.values())
    if not gone and not scene.brought:
        return scene
    rules = Rules(scene)
    inferred = _bodies_weighed_by_geoms(scene, target, rules)
    changed = dict(inferred)
    _raise_to_bounds(scene, rules, changed)
    strict = rules.own.get("inertiafromgeom") == "true"
    apart = {
        name: body
        for name, body in changed.items()
        if strict or name in rules.attached or body is not inferred.get(name)
    }
    found = map_bodies(scene, lambda body: apart.get(body.name, body))
    kept = tuple(
        extra for extra in scene.extras if not _overrules_inertias(extra) or extra.path.endswith("/@settotalmass")
    )
    notes = {name: text for name, text in scene.notation.items() if name != COMPILERS}
    return found.evolve(extras=kept, notation=notes)


def counting(body: Body, compiler: Mapping[str, str], brought: Mapping[str, bool] | None = None) -> list[Geom]:
    """Return the geoms that give a body its inertia; none if its inertial is used, as in a body added by an edit."""
    mode = compiler.get("inertiafromgeom", "auto")
    low, high = so_many_numbers(compiler.get("inertiagrouprange"), 2) or (0.0, 5.0)
    said = body.inertial is not None and (mode != "true" or (brought or {}).get(f"body/{body.name}", False))
    if body.name == WORLD or mode == "false" or said:
        return []
    return [geom for geom in body.geoms if low <= _group_of(geom) <= high]


def _with_free_roots_weighed(scene: Scene, target: Target) -> Scene:
    """Set the minimum inertia for free roots without any mass in MuJoCo, in a document of its own. One with an
    unsupported shape may have mass and is not changed."""
    if target.fits.mark not in scene.notation:
        return scene
    roots = {joint.child for joint in scene.child_joints(WORLD) if joint.free}
    known = (name for name in roots if all(geom.shape is not None for geom in scene.body(name).geoms))
    weighed = map_bodies(_with_compiled_inertias(scene, target), lambda body: replace(body, geoms=()))
    full = filled(weighed, known)
    made = {name: full.body(name).inertial for name in full.bodies if full.body(name) is not weighed.body(name)}
    return map_bodies(scene, lambda body: replace(body, inertial=made[body.name]) if body.name in made else body)


def _tell_cut_hulls(scene: Scene, target: Target) -> Scene:
    """Apply the full hull where MuJoCo limits its vertices: to the inertia of bodies (of all if their total mass is
    given), and to shapes fitted to a mesh. Only its own qhull determines which vertices are used."""
    meshes = MeshGeometry(scene, target.load)
    shown = {geom.name: geom.shape for geom in scene.geoms()}
    for shape in shown.values():
        if isinstance(shape, Mesh) and meshes.limited(scene.assets[shape.asset]):
            meshes.of(shape)
    if not meshes.cut:
        return scene
    cut = {name for name, shape in shown.items() if isinstance(shape, Mesh) and shape.asset in meshes.cut}
    rules, weighed = Rules(scene), _with_compiled_inertias(scene, target)
    (total,) = so_many_numbers(rules.own.get("settotalmass"), 1) or (-1.0,)

    def changed(body: Body) -> Body:
        if body.name == WORLD or (total <= 0 and not any(geom.name in cut for geom in body.geoms)):
            new = body
        else:
            new = replace(body, inertial=weighed.body(body.name).inertial)
        geoms = (
            shape_of(geom, scene, meshes, rules.of(body)) if _is_fitted_to_cut_hull(geom, cut) else geom
            for geom in body.geoms
        )
        return (
            replace(new, geoms=tuple(geoms)) if any(_is_fitted_to_cut_hull(geom, cut) for geom in body.geoms) else new
        )

    return map_bodies(scene, changed).evolve(origins=weighed.origins)


def _is_fitted_to_cut_hull(geom: Geom, cut: set[str]) -> bool:
    """Whether a geom has a shape that is fitted to such a mesh."""
    return geom.name in cut and isinstance(geom.shape, Mesh) and bool(geom.shape.fit)


def _overrules_inertias(extra: Extra) -> bool:
    """Whether the compiler overrides given inertias: an edited inertia should take effect."""
    path, _, name = extra.path.rpartition("/@")
    return path.startswith("compiler[") and (name in BOUNDS or (name, extra.text) == ("inertiafromgeom", "true"))


BOUNDS = frozenset({"settotalmass", "boundmass", "boundinertia", "balanceinertia"})


def _group_of(geom: Geom) -> int:
    return geom.group if geom.group is not None else GROUPS.get(geom.role, GROUPS[""])


def _inertial_of_geom(
    geom: Geom, scene: Scene, meshes: MeshGeometry, body: Body, compiler: dict[str, str]
) -> Inertial | None:
    """Return the inertia of a geom in the frame of the body."""
    geom = shape_of(geom, scene, meshes, compiler) if isinstance(geom.shape, Mesh) and geom.shape.fit else geom
    density = geom.density if geom.density is not None else 0.0 if body.inertial is None else WATER
    unit = _moments_of_unit(geom, scene, meshes)
    if unit is None:
        return None
    size, centre, tensor = unit
    mass = geom.mass if geom.mass is not None else density * size
    if not mass > LEAST or not size > 0:
        return None
    xx, yy, zz, xy, xz, yz = (each * mass / size for each in tensor)
    inertial = Inertial(mass=mass, tensor=(xx, yy, zz, xy, xz, yz), pose=Pose(centre))
    return replace(inertial, pose=compose(geom.pose, inertial.pose))


def _moments_of_unit(geom: Geom, scene: Scene, meshes: MeshGeometry) -> tuple[float, Vec3, Tensor] | None:
    """Return volume or area, centre, and the tensor at a density of 1, in the frame of the geom."""
    shape = geom.shape
    if shape is None or isinstance(shape, Plane):
        return None
    if isinstance(shape, Mesh):
        found = meshes.of(shape)
        return mujoco_moments(*found, inertia_mode(scene.assets[shape.asset])) if found is not None else None
    if isinstance(shape, HeightField):
        x, y, z = shape.size
        shape = Box(size=(x, y, z / 2 + shape.base))  # whatever the heights are (measured, MuJoCo 4)
    if said_by(geom.extras).get("shellinertia") == "true":
        shell = of_shell(shape)
        if shell is None:
            return None
        area, (a, b, c) = shell
        return area, (0.0, 0.0, 0.0), (area * a, area * b, area * c, 0.0, 0.0, 0.0)
    solid = of_shape(shape, 1.0)
    return (solid.mass, solid.pose.pos, solid.tensor) if solid is not None else None


def _raise_to_bounds(scene: Scene, rules: Rules, changed: dict[str, Body]) -> None:
    """Raise values that are below the bounds of the compiler."""
    for body, inertial in list(_bodies_with_inertials(scene, changed, True)):
        compiler = rules.of(body)
        (mass,) = so_many_numbers(compiler.get("boundmass"), 1) or (0.0,)
        (moment,) = so_many_numbers(compiler.get("boundinertia"), 1) or (0.0,)
        balance = compiler.get("balanceinertia") == "true"
        if mass > 0 or moment > 0 or (balance and body.inertial is not None):
            new = bounded(inertial, mass, moment, balance)
            if new is not body.inertial:
                changed[body.name] = replace(body, inertial=new)


def _scale_to_total_mass(scene: Scene, rules: Rules, changed: dict[str, Body]) -> None:
    """Scale the inertias to the total mass that the compiler sets."""
    (total,) = so_many_numbers(rules.own.get("settotalmass"), 1) or (-1.0,)
    whole = sum(inertial.mass for _, inertial in _bodies_with_inertials(scene, changed, False))
    if total > 0 and whole > 0 and abs(whole - total) > ROUNDED * total:
        share = total / whole
        for body, inertial in list(_bodies_with_inertials(scene, changed, False)):
            xx, yy, zz, xy, xz, yz = (share * each for each in inertial.tensor)
            new = replace(inertial, mass=share * inertial.mass, tensor=(xx, yy, zz, xy, xz, yz))
            changed[body.name] = replace(body, inertial=new)


def _bodies_with_inertials(scene: Scene, changed: dict[str, Body], every: bool) -> Iterator[tuple[Body, Inertial]]:
    """Yield the bodies and their inertias; every: also bodies without an inertial. Of these MuJoCo uses the pose in the
    parent, as plain numbers, as the centre of mass in the body itself."""
    for name in scene.bodies:
        body = changed.get(name, scene.body(name))
        if name != WORLD and (body.inertial is not None or every):
            joint = scene.joint_of(name)
            place = joint.pose if joint is not None else Pose()
            yield body, body.inertial or Inertial(mass=0.0, tensor=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), pose=place)


INERTIA = Pass(
    rule="mjcf/inferred-inertia",
    reason="MuJoCo infers missing inertia from the geoms, and applies the bounds of its compiler",
    severity="note",
    action="derived",
    apply=_with_compiled_inertias,
    lacking=True,
    spreads=lambda scene, _, load: _with_compiled_inertias(scene, Target(fits=Fits(), load=load)),
)

CUT = Pass(
    rule="mjcf/cut-hull",
    reason="MuJoCo computes mass, and fits shapes, from a convex hull of at most maxhullvert vertices chosen "
    "by its qhull; here the whole hull is used, which is larger",
    action="approximated",
    apply=_tell_cut_hulls,
    lacking=True,
)

APART = Pass(
    rule="mjcf/attached-inertia",
    reason="the compiler settings of an attached model apply to its bodies; here the resulting masses are written",
    severity="note",
    action="derived",
    apply=_with_attached_weighed,
    lacking=True,
)

LET_GO = replace(
    FILL, wanted=lambda target: target.options.base == "floating", apply=_with_free_roots_weighed, asked=True
)
