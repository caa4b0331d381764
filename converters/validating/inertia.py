"""Masses and inertia tensors: what is impossible for any body, and what is implausible for this body."""

from __future__ import annotations

import math
from collections.abc import Iterator

from converters.validating.model import Breach, CheckedModel
from converters.validating.notes import of_problem
from converters.validating.rules import ERROR, WARNING
from ir.check import Problem
from ir.inertia import principal, triangle_defect
from ir.pose import body_tensor
from ir.types import WORLD, Body, Geom, Inertial, Mesh, Tensor

TRIANGLE = 1e-6
"""Tolerance relative to the largest moment, for the rounding of digits in the document."""
LIGHT, DENSE = 20.0, 25_000.0
"""kg/m^3: foam, and more than osmium has."""
THIN, WIDE = 0.1, 3.0
"""Bounds of the radius of gyration, relative to half the diagonal of the link."""
PLACEHOLDERS = (0.001, 0.01, 0.1, 1.0)
DEFAULT = "sdf/inertial-default"
CLEAR = 0.05
"""Products of inertia smaller than this fraction of the moments are ignored when comparing signs."""


def check(model: CheckedModel) -> Iterator[Breach]:
    bodies = model.physical.bodies
    some = any(body.inertial is not None for body in bodies.values())
    for problem in model.problems:
        body = bodies.get(problem.where.partition("/")[2].partition(".inertial")[0])
        if body is not None and body.name != WORLD:
            yield from _of_problem(problem, body, some, model.format)
    silent = {note.where for note in model.reading.context.notes if note.rule == DEFAULT}
    still = {name for name, scope in model.scene.tables["scope"].items() if scope.static}
    for body in model.scene.bodies.values():
        inertial = body.inertial
        if f"body/{body.name}.inertial" in silent or f"body/{body.name}" in silent or body.scope in still:
            continue  # not given, or not needed
        if inertial is not None and inertial.mass > 0.0 and all(map(math.isfinite, inertial.tensor)):
            yield from _plausible(model, body, inertial)


def _of_problem(problem: Problem, body: Body, some: bool, form: str) -> Iterator[Breach]:
    """Yield a problem of the graph as a breach of a rule; some: whether any body has an inertia."""
    inertial = body.inertial
    match problem.rule:
        case "model/negative-mass":
            yield of_problem(problem, "INERTIA-MASS")
        case "model/not-positive-definite":
            yield of_problem(problem, "INERTIA-PD", ERROR if problem.severity == "error" else WARNING)
        case "model/triangle-inequality":
            if inertial is not None and triangle_defect(inertial.tensor) > TRIANGLE:
                yield of_problem(problem, "INERTIA-TRI")
        case "model/massless" if form == "mjcf":
            if all(geom.shape is not None and not isinstance(geom.shape, Mesh) and _sound(geom) for geom in body.geoms):
                yield of_problem(problem, "MJCF-MASSLESS")  # the mass of a mesh or a plugin is not known here
        case "model/massless" if inertial is not None and inertial.mass == 0.0:
            yield of_problem(problem, "INERTIA-MASS", WARNING)
        case "model/massless" if inertial is None and some:
            yield of_problem(problem, "INERTIA-NONE")


def _sound(geom: Geom) -> bool:
    """Whether the mass and density of a geom are not negative, which its reader reports."""
    return min(geom.mass or 0.0, geom.density or 0.0) >= 0.0


def _plausible(model: CheckedModel, body: Body, inertial: Inertial) -> Iterator[Breach]:
    def breach(rule: str, message: str) -> Breach:
        return Breach(rule=rule, where=f"body/{body.name}.inertial", message=message, source=body.source)

    a, b, c = inertial.tensor[:3]
    if a == b == c and a in PLACEHOLDERS and inertial.tensor[3:] == (0.0, 0.0, 0.0):
        yield breach("INERTIA-PLACEHOLDER", f"ixx, iyy and izz are all {a:g} kg m^2, as in a placeholder")
    solid = model.solids.solid(body)
    largest = max(principal(inertial.tensor)[1])
    if solid.radius > 0.0 and largest > 0.0:
        gyration = math.sqrt(largest / inertial.mass)
        if not THIN * solid.radius <= gyration <= WIDE * solid.radius:
            shown = f"a radius of gyration of {gyration:.3g} m in a link that reaches {solid.radius:.3g} m"
            yield breach("INERTIA-DENSITY", shown)
            return
    if solid.unit is not None and solid.unit.mass > 0.0:
        density = inertial.mass / solid.unit.mass
        if not LIGHT <= density <= DENSE:
            yield breach("INERTIA-DENSITY", f"{inertial.mass:g} kg in its volume are {density:.3g} kg/m^3")
        if _mirrored(body_tensor(inertial), body_tensor(solid.unit), density):
            yield breach("INERTIA-SIGN", "its products of inertia are those of the geometry with the other sign")


def _mirrored(said: Tensor, unit: Tensor, density: float) -> bool:
    """Whether the products have the sign that CAD programs export: plus the integral of x y dm."""
    made = [value * density for value in unit]
    size = max(map(abs, made[:3]))
    if max(map(abs, made[3:])) < CLEAR * size or max(map(abs, said[3:])) < CLEAR * max(map(abs, said[:3])):
        return False
    return math.dist(said[3:], [-value for value in made[3:]]) < 0.1 * math.dist(said[3:], made[3:])
