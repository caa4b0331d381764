"""Masses and moments of bodies from other programs: values left to the engine are computed from the colliders."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from converters.assets.inside import LINEAR, MARK
from converters.gltf.foreign.bodies import GltfLoading
from converters.gltf.foreign.physics import AWAY, RigidMotion
from converters.gltf.scene.nodes import LENGTH, LONG, UNIT, Linear
from converters.source.text import six_digits
from ir.arrays import np
from ir.pose import compose
from ir.types import IDENTITY, Body, Geom, Inertial, Mesh, Pose, Role

MOMENTS, MASS = "gltf/inertia", "gltf/mass"
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def colliders(loading: GltfLoading) -> dict[str, list[Geom]]:
    """Return, by body and in its frame, the shapes that collide as part of it: its own, and those of descendants
    without a motion of their own."""
    found: dict[str, list[Geom]] = {}
    owners: dict[str, tuple[str, Pose]] = {}
    for name, draft in loading.drafts.items():
        if draft.above is None or draft.node in loading.rigid.motions:
            owners[name] = name, IDENTITY
        else:
            top, pose = owners[draft.above]
            owners[name] = top, compose(pose, draft.pose)
        top, pose = owners[name]
        solid = (geom for geom in draft.geoms if geom.role == Role.COLLISION)
        found.setdefault(top, []).extend(replace(geom, pose=compose(pose, geom.pose)) for geom in solid)
    return found


def with_motion(body: Body, number: int | None, solid: Sequence[Geom], loading: GltfLoading) -> Body:
    """Return the body of a node with its motion applied; solid are the shapes that collide as part of it."""
    motion = loading.rigid.motions.get(number) if number is not None else None
    if motion is None or number is None:
        return body
    inertial = _inertial_of_motion(motion, body, solid, loading.places[number].linear, loading)
    return replace(body, inertial=inertial, kinematic=motion.kinematic and not motion.still, gravity=motion.gravity)


def _inertial_of_motion(
    motion: RigidMotion, body: Body, solid: Sequence[Geom], linear: Linear, loading: GltfLoading
) -> Inertial | None:
    """Return mass, centre and moments; if not given, those of the colliders at this mass, as engines compute them.

    None without a mass: the one an engine chooses depends on a density that is not in the document.
    """
    if motion.mass is None:
        if not motion.kinematic:
            reason = "the mass is not given, and engines choose one: here the body has none (see --missing-inertia)"
            _tell_of_inertia(body, loading, reason, MASS, "approximated")
        return body.inertial
    centre = linear.of(motion.centre) if motion.centre is not None else None
    if motion.moments is not None:
        a, b, c = motion.moments
        if motion.endless:
            reason = "a moment of 0 is infinite: here it is the sum of the two others where both are given, more than "
            reason += f"which no body has, else that of the mass {AWAY:g} m away"
            after = six_digits(motion.moments)
            _tell_of_inertia(body, loading, reason, action="approximated", after=after)
        if abs(sum(value * value for value in motion.turn) - 1.0) > UNIT:
            loading.context.note(
                LONG, f"body/{body.name}.inertial", LENGTH, body.source, before=six_digits(motion.turn)
            )
        pose = Pose(centre or (0.0, 0.0, 0.0), motion.axes)
        return Inertial(mass=motion.mass, tensor=(a, b, c, 0.0, 0.0, 0.0), pose=pose)
    whole, hulled = _inertial_of_geoms(solid, loading)
    if whole is None or whole.mass <= 0:
        _tell_of_inertia(
            body, loading, "the moments of inertia are not given, and no collider has a volume: here they are zero"
        )
        return Inertial(mass=motion.mass, tensor=NOTHING, pose=Pose(centre or (0.0, 0.0, 0.0)))
    factor = motion.mass / whole.mass
    a, b, c, d, e, f = (value * factor for value in whole.tensor)
    stands = ", with hulls for meshes that are not closed" if hulled else ""
    _tell_of_inertia(
        body, loading, f"the moments of inertia are not given: those of the colliders at this mass{stands}"
    )
    pose = whole.pose if centre is None else replace(whole.pose, pos=centre)
    return Inertial(mass=motion.mass, tensor=(a, b, c, d, e, f), pose=pose)


def _tell_of_inertia(
    body: Body, loading: GltfLoading, reason: str, rule: str = MOMENTS, action: str = "derived", after: str = ""
) -> None:
    loading.context.note(rule, f"body/{body.name}.inertial", reason, body.source, after=after, action=action)


def _inertial_of_geoms(geoms: Sequence[Geom], loading: GltfLoading) -> tuple[Inertial | None, bool]:
    """Return the inertia of shapes at a density of 1, and whether a hull is used for an open mesh; None if nothing has
    a volume."""
    from ir.inertia import combine, of_shape

    parts, hulled = [], False
    for geom in geoms:
        if geom.shape is None:
            continue
        if isinstance(geom.shape, Mesh):
            found, open_ = _inertial_of_mesh(geom.shape, loading)
            hulled |= open_
        else:
            found = of_shape(geom.shape, 1.0)
        if found is not None and found.mass > 0:
            parts.append(replace(found, pose=compose(geom.pose, found.pose)))
    return (combine(parts) if parts else None), hulled


def _inertial_of_mesh(shape: Mesh, loading: GltfLoading) -> tuple[Inertial | None, bool]:
    """Return the inertia of a primitive, or of its hull if that collides or it is open; and whether it is open."""
    from ir.inertia import of_hull, of_mesh

    asset = loading.scene.assets[shape.asset]
    _, mesh, _, primitive = asset.uri.partition(MARK)[2].split("/")
    node = loading.surfaces.meshes[int(mesh)].children("primitives")[int(primitive)]
    arrays = loading.surfaces.arrays(node, f"asset/{shape.asset}")
    assert arrays is not None  # the geom was made of them
    corners = arrays.positions
    text = dict(asset.parameters).get(LINEAR)
    if text is not None:
        corners = corners @ np.array([float(word) for word in text.split()]).reshape(3, 3).T
    if not shape.hull:
        found = of_mesh(corners, arrays.faces, shape.scale, 1.0)
        if found is not None:
            return found, False
    return of_hull(corners, shape.scale, 1.0), not shape.hull
