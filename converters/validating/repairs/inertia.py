"""Repairs of masses and tensors: from the geometry where there is some, else the nearest physically possible values."""

from __future__ import annotations

from msgspec.structs import replace

from converters.passes import inertia as masses
from converters.validating.inertia import DENSE, LIGHT
from converters.validating.repairs.job import RepairJob
from converters.validating.solids import Solids
from ir.inertia import principal
from ir.kinematics import moving_bodies
from ir.mapping import map_bodies
from ir.pose import multiply
from ir.scene import Scene
from ir.types import Body, Inertial, Pose

TENSORS = ("INERTIA-PD", "INERTIA-TRI", "INERTIA-PLACEHOLDER", "INERTIA-SIGN")
MASSES = ("INERTIA-DENSITY", "INERTIA-MASS")
INERTIA = ("INERTIA-NONE", *MASSES, *TENSORS, "MJCF-MASSLESS")


def from_hulls(scene: Scene, job: RepairJob) -> Scene:
    return _from_geometry(scene, job, hulls=True)


def from_solids(scene: Scene, job: RepairJob) -> Scene:
    return _from_geometry(scene, job, hulls=False)


def _from_geometry(scene: Scene, job: RepairJob, hulls: bool) -> Scene:
    """Compute wrong tensors from the geometry and the mass, and wrong masses from the density."""
    wrong, dense = job.owners(*TENSORS), job.owners(*MASSES)
    if job.target.options.missing_inertia == "geometry":
        dense |= _massless(scene, job)
    found = masses.computed(scene, sorted((wrong | dense) & set(scene.bodies)), job.target.options, job.target.load)
    solids = Solids(scene)

    def sound(body: Body) -> Body:
        if body.name not in found or found[body.name][1] is not hulls:
            return body
        made = found[body.name][0]
        mass = body.inertial.mass if body.inertial is not None else 0.0
        unit = solids.solid(body).unit
        density = mass / unit.mass if unit is not None and unit.mass > 0.0 else DENSE
        kept = mass > 0.0 and (body.name not in dense or LIGHT <= density <= DENSE)
        return replace(body, inertial=masses.scaled(made, mass) if kept else made)

    return map_bodies(scene, sound)


def _massless(scene: Scene, job: RepairJob) -> set[str]:
    """Return the moving bodies without inertia. In MuJoCo, bodies with geoms have one."""
    if job.format == "mjcf":
        return job.owners("MJCF-MASSLESS")
    return {name for name in moving_bodies(scene) if scene.body(name).inertial is None}


INSIDE = 1e-6
"""Fraction taken off a moment that equals the sum of the others: readers that rotate the axes round it up."""


def _inside(inertial: Inertial) -> Inertial:
    rotation, moments = principal(inertial.tensor)
    a, b, c = sorted(moments)
    most = (a + b) * (1 - INSIDE)
    if c <= most:
        return inertial
    first, second, third = (min(moment, most) for moment in moments)
    pose = Pose(inertial.pose.pos, multiply(inertial.pose.rot, rotation))
    return replace(inertial, tensor=(first, second, third, 0.0, 0.0, 0.0), pose=pose)


def possible(scene: Scene, job: RepairJob) -> Scene:
    """Repair what the geometry does not determine: the nearest possible tensor, and just enough mass to move."""
    target = replace(
        job.target,
        fits=replace(job.target.fits, needs_inertia=True),
        options=replace(job.target.options, missing_inertia="minimal"),
    )
    given = scene
    for each in (masses.REPAIR, masses.FILL):
        scene = each.apply(scene, target)
    if job.format == "mjcf":
        ours = job.owners(*INERTIA)
        scene = map_bodies(scene, lambda body: body if body.name in ours else given.body(body.name))
    flat = job.owners("INERTIA-PD")

    def thick(body: Body) -> Body:
        inertial = body.inertial
        if inertial is None or not inertial.mass > 0.0:
            return body
        made = masses.minimal(inertial) if body.name in flat else inertial
        if made is not given.body(body.name).inertial:
            made = _inside(made)
        return body if made == inertial else replace(body, inertial=made)

    return map_bodies(scene, thick)
