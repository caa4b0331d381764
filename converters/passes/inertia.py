"""Inertia that a target refuses: impossible tensors are repaired, moving bodies without mass get a minimal inertia."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from converters.context import InputError, Options
from converters.format import Load, Pass, Target
from ir.inertia import combine, of_hull, of_mesh, of_shape, principal
from ir.mapping import map_bodies
from ir.pose import compose, multiply
from ir.scene import Scene
from ir.types import WORLD, Body, Geom, Inertial, Mesh, Pose, Role

MASS = 1e-6
"""kg; like MOMENT, small compared with any real link, and large compared with 1e-15, below which engines refuse it."""
MOMENT = 1e-9
"""kg m^2."""
LEAST = 1.5e-15
"""kg or kg m^2; half as much again as the limit below which MuJoCo refuses a moving body."""
MOST = 1e90
"""kg, kg m^2 or m: shapes with larger numbers in their inertia are ignored."""
TRACE = 1e-12
"""kg, for moments of inertia without a mass: negligible for any link, but Drake would take a missing mass as 1 kg."""


def _repair(scene: Scene, target: Target) -> Scene:
    least = 0.0 if target.fits.needs_inertia else TRACE  # if an inertia is needed, the mass is filled in, too
    return _with_bodies(
        scene,
        {
            body.name: replace(body, inertial=_nearest_possible(body.inertial, least))
            for body in scene.bodies.values()
            if body.inertial
        },
    )


def _with_bodies(scene: Scene, bodies: dict[str, Body]) -> Scene:
    """The scene with these bodies in place of those of the same names."""
    if all(body == scene.body(name) for name, body in bodies.items()):
        return scene
    return map_bodies(scene, lambda body: bodies.get(body.name, body))


def _nearest_possible(inertial: Inertial, least: float) -> Inertial:
    """The nearest possible mass distribution: no negative moment, none larger than the sum of the others.

    Violations by rounding only are left to the writer.
    """
    _, moments = principal(inertial.tensor)
    a, b, c = sorted(moments)
    if inertial.mass == 0.0 and c > 0.0:
        inertial = replace(inertial, mass=least)
    if inertial.mass >= 0 and a >= 0.0 and c <= (a + b) * (1 + 1e-9):
        return inertial
    return _with_moments(replace(inertial, mass=max(inertial.mass, 0.0)), 0.0)


def _with_moments(inertial: Inertial, floor: float) -> Inertial:
    """Moments raised to the minimum and limited to the sum of the others; about the same axes."""
    rotation, moments = principal(inertial.tensor)
    raised = [max(moment, floor) for moment in moments]
    a, b, c = sorted(raised)
    if a + b > 0:
        raised = [min(moment, a + b) for moment in raised]
    elif c > 0:  # a single positive moment is impossible: raise the others to half of it
        raised = [max(moment, c / 2) for moment in raised]
    pose = Pose(inertial.pose.pos, multiply(inertial.pose.rot, rotation))
    return replace(inertial, tensor=(raised[0], raised[1], raised[2], 0.0, 0.0, 0.0), pose=pose)


REPAIR = Pass(
    rule="inertia/impossible",
    reason="physically impossible inertia (negative, moments without a mass, or one moment larger than the sum "
    "of the others); the nearest possible one is used",
    action="repaired",
    wanted=lambda target: target.fits.needs_inertia or target.fits.accepts_inertia is not None,
    apply=_repair,
)


def _along_axes(scene: Scene, target: Target) -> Scene:
    accepts = target.fits.accepts_inertia
    refused = {
        body.name: replace(body, inertial=_with_moments(body.inertial, 0.0))
        for body in scene.bodies.values()
        if body.inertial and accepts is not None and not accepts(body.inertial)
    }
    return _with_bodies(scene, refused)


AXES = Pass(
    rule="inertia/axes",
    reason="the target computes principal moments with fewer digits, and refuses this inertia as impossible: it is "
    "written along its principal axes, with no moment larger than the sum of the others",
    action="derived",
    severity="note",
    wanted=lambda target: target.fits.accepts_inertia is not None,
    apply=_along_axes,
)


def _fill_moving(scene: Scene, target: Target) -> Scene:
    return filled(scene, (joint.child for joint in scene.joints.values() if joint.dofs and not joint.closes_loop))


def filled(scene: Scene, moving: Iterable[str]) -> Scene:
    """Moving bodies get what they lack themselves, unless a body welded to them has a mass and lacks the moments."""
    borne = _carried_bodies(scene, (name for name, body in scene.bodies.items() if _heavy(body, scene)))
    weighing = (name for name, body in scene.bodies.items() if body.inertial and body.inertial.mass > LEAST)
    massive = _carried_bodies(scene, weighing)
    lacking = (scene.body(massive.get(name, name)) for name in moving if name not in borne)
    return _with_bodies(
        scene, {body.name: replace(body, inertial=minimal(_inertial_in_target(body))) for body in lacking}
    )


def _geometric(hulls: bool) -> Callable[[Scene, Target], Scene]:
    """Missing inertia computed from geometry: only where a convex hull replaces an open mesh, or everywhere."""

    def apply(scene: Scene, target: Target) -> Scene:
        found = _from_shapes(scene, target)
        made = {name: inertial for name, (inertial, hulled) in found.items() if hulled or not hulls}
        return _with_bodies(scene, {name: replace(scene.body(name), inertial=each) for name, each in made.items()})

    return apply


def _asked(target: Target) -> bool:
    return target.options.missing_inertia == "geometry" and "missing_inertia" in target.fits.options


def _from_shapes(scene: Scene, target: Target) -> dict[str, tuple[Inertial, bool]]:
    """Inertia of bodies that have none, or one of nothing but zeros; a mass that is said stays (see computed). Where
    the target infers none from geoms, what these say has done all it can: some count for nothing (inertiagrouprange).
    """
    options, load = target.options, target.load
    weightless, flat = [], {}
    for body in scene.bodies.values():
        inertial = body.inertial
        if body.name == WORLD or (inertial is not None and max(principal(inertial.tensor)[1]) > LEAST):
            continue
        if inertial is None and target.fits.needs_inertia and _heavy(body, scene):
            continue
        if inertial is not None and inertial.mass > LEAST:
            flat[body.name] = inertial.mass
        else:
            weightless.append(body.name)
    made = computed(scene, flat, replace(options, total_mass=None), load)
    massive = {name: (scaled(inertial, flat[name]), open_) for name, (inertial, open_) in made.items()}
    return massive | computed(scene, weightless, options, load)


def computed(scene: Scene, names: Iterable[str], options: Options, load: Load) -> dict[str, tuple[Inertial, bool]]:
    """Inertia of bodies from their geometry, if they have any, and whether a convex hull replaced an open mesh.

    At the density of the options, or at the one at which the whole model has the total mass of the options. Raises
    InputError if the other bodies already weigh as much.
    """
    names = [*names]
    found = {name: made for name in names if (made := _from_geometry(scene, scene.body(name), load)) is not None}
    density = options.density
    if options.total_mass is not None and found:
        rest = options.total_mass - _mass(scene, frozenset(names), load)
        if rest <= 0.0:
            raise InputError(
                f"a total mass of {options.total_mass:g} kg leaves nothing for these bodies: the others already "
                "weigh as much"
            )
        density = rest / sum(inertial.mass for inertial, _ in found.values())
    return {name: (scaled(inertial, inertial.mass * density), hulled) for name, (inertial, hulled) in found.items()}


def _mass(scene: Scene, names: frozenset[str], load: Load) -> float:
    """The mass in kg of all other bodies; without an inertia, a body has the masses or densities of its geoms."""
    others = (body for body in scene.bodies.values() if body.name not in names)
    return sum(
        body.inertial.mass if body.inertial is not None else sum(_weight(geom, scene, load) for geom in body.geoms)
        for body in others
        if body.name != WORLD
    )


def _weight(geom: Geom, scene: Scene, load: Load) -> float:
    if geom.mass is not None or not geom.density:
        return geom.mass or 0.0
    return geom.density * sum(part.mass for part in _of_geom(geom, scene, load)[0])


def scaled(inertial: Inertial, mass: float) -> Inertial:
    """The inertia of the same body made of a heavier or lighter material."""
    share = mass / inertial.mass
    xx, yy, zz, xy, xz, yz = (share * entry for entry in inertial.tensor)
    return replace(inertial, mass=mass, tensor=(xx, yy, zz, xy, xz, yz))


def _heavy(body: Body, scene: Scene) -> bool:
    """Whether the target accepts the mass of a body. A mesh with a given mass or density is taken to be heavy enough,
    if it is available."""
    for geom in body.geoms if body.inertial is None else ():
        asset = scene.mesh_of(geom.shape) if _says_mass(geom) else None
        if asset is not None and (asset.file or asset.made):
            return True
    inertial = _inertial_in_target(body)
    return inertial is not None and inertial.mass > LEAST and min(principal(inertial.tensor)[1]) > LEAST


def _says_mass(geom: Geom) -> bool:
    return bool(geom.density if geom.mass is None else geom.mass)


def _inertial_in_target(body: Body) -> Inertial | None:
    """The given inertia, or the one that the target computes from geoms with a mass or density; without meshes."""
    if body.inertial is not None:
        return body.inertial
    parts = []
    for geom in filter(_says_mass, body.geoms):
        part = of_shape(geom.shape, geom.density or 1.0) if geom.shape is not None else None
        if part is not None:
            parts.append(_placed(part if geom.mass is None else scaled(part, geom.mass), geom.pose))
    return combine(parts) if parts else None


def _carried_bodies(scene: Scene, having: Iterable[str]) -> dict[str, str]:
    """Bodies that have something, themselves or by a body that is welded to them, and which body has it."""
    found = {name: name for name in having}
    for joint, body in reversed(list(scene.walk())):
        if body.name in found and joint is not None and not joint.dofs:
            found.setdefault(joint.parent, found[body.name])
    return found


def minimal(inertial: Inertial | None) -> Inertial:
    """The inertia raised to the minimum that engines accept; larger values are kept."""
    if inertial is None:
        return Inertial(mass=MASS, tensor=(MOMENT, MOMENT, MOMENT, 0.0, 0.0, 0.0))
    moments = principal(inertial.tensor)[1]
    if min(moments) <= LEAST:
        inertial = _with_moments(inertial, max(1e-6 * max(moments), MOMENT))
    return inertial if inertial.mass > LEAST else replace(inertial, mass=MASS)


def _from_geometry(scene: Scene, body: Body, load: Load) -> tuple[Inertial, bool] | None:
    """The inertia of the collision geoms, else the visual ones, at 1 kg/m^3; and whether a hull replaced a mesh."""
    for roles in (Role.COLLIDING, Role.SEEN):
        found = [_of_geom(geom, scene, load) for geom in body.geoms if geom.role in roles]
        parts = [part for masses, _ in found for part in masses]
        if parts:
            return combine(parts), any(hulled for _, hulled in found)
    return None


def _of_geom(geom: Geom, scene: Scene, load: Load) -> tuple[list[Inertial], bool]:
    """The inertia of a geom at 1 kg/m^3, part by part in the frame of the body, and whether a hull replaced a part."""
    if geom.shape is None:
        return [], False
    if not isinstance(geom.shape, Mesh):
        found, hulled = [of_shape(geom.shape, 1.0)], False
    else:
        scale = geom.shape.scale
        meshes = [*load(scene.assets[geom.shape.asset])]
        solid = [of_mesh(vertices, faces, scale, 1.0) for vertices, faces in meshes]
        hulled = None in solid
        found = [
            part if part is not None else of_hull(vertices, scale, 1.0)
            for part, (vertices, _) in zip(solid, meshes, strict=True)
        ]
    placed = [_placed(part, geom.pose) for part in found if part is not None and part.mass > 0]
    return [part for part in placed if _computable(part)], hulled


def _computable(part: Inertial) -> bool:
    """Whether sums and products of the numbers of an inertia are finite."""
    return all(abs(value) <= MOST for value in (part.mass, *part.tensor, *part.pose.pos))


def _placed(inertial: Inertial, pose: Pose) -> Inertial:
    return replace(inertial, pose=compose(pose, inertial.pose))


HULLS = Pass(
    rule="inertia/hull",
    reason="a mesh of the body is not closed: its inertia is that of the convex hull",
    action="derived",
    wanted=_asked,
    apply=_geometric(hulls=True),
    asked=True,
    told=True,
    chosen=lambda options: "missing_inertia",
    acts=frozenset({"density", "total_mass"}),
)

SOLIDS = replace(
    HULLS,
    rule="inertia/missing",
    reason="a body without mass, or without moments of inertia, gets those of its geometry, as --missing-inertia asks",
    apply=_geometric(hulls=False),
)

FILL = Pass(
    rule="inertia/missing",
    reason="a body without mass, or without moments of inertia, gets tiny ones: the target needs both for "
    "whatever moves (--missing-inertia geometry: those of its geometry, where it has some)",
    action="derived",
    wanted=lambda target: target.fits.needs_inertia,
    apply=_fill_moving,
)
