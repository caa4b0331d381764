"""Requirements of MuJoCo 4 for joints of a body, and for actuators, tendons, sensors and keyframes, that depend on
referenced objects (measured). It refuses models that violate them, which a finding reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from converters.context import ReaderContext
from converters.mjcf.document.defaults import Defaults
from converters.mjcf.document.faults import COUNT, MISSING, NAME, RANGE, REFUSED, note_fault
from converters.mjcf.relations.keyframes import vectors
from converters.mjcf.relations.laws import MUSCLE, Said
from converters.mjcf.relations.motors import electric, values
from converters.mjcf.relations.sensor_demands import sensor_demands
from converters.mjcf.relations.target_demands import JOINED, Demand, Known, delay_demands, known_of
from converters.source.text import counted, first, words
from converters.source.xml import Node
from ir.kinematics import velocity_size
from ir.refs import extras
from ir.scene import Scene
from ir.types import WORLD, Actuator, Box, Capsule, DofKind, Ellipsoid, Joint, Keyframe, Plane, Tendon, TendonPoint

STATELESS, SEVERAL = ("none",), ("user", "dcmotor", "pid")
"""Dynamics types without activation, and those with several."""
MOST_DOFS = 6
BENT = "no armature where a tendon wraps around a geom"
STRAIGHT = (Box, Capsule, Ellipsoid, Plane)
"""Shapes around which a tendon cannot wrap."""


def note_refused_relations(scene: Scene, context: ReaderContext) -> None:
    """Report the relations of a scene that MuJoCo refuses. They are kept as written."""
    known = known_of(scene)._replace(stretched=_finds_muscle_lengths(context))
    asks: Mapping[str, Callable[[Any, Known], Iterator[Demand]]] = {
        "joint": _joint_demands,
        "actuator": _actuator_demands,
        "tendon": _tendon_demands,
        "sensor": sensor_demands,
        "keyframe": _keyframe_demands(scene),
        "constraint": JOINED["constraint"],
    }
    for kind, asked in asks.items():
        for name, entity in _table_of_kind(scene, kind).items():
            for rule, said in asked(entity, known):
                note_fault(context, rule, f"{kind}/{name}", said, entity.source)


def _finds_muscle_lengths(context: ReaderContext) -> bool:
    """Whether MuJoCo computes the lengths of muscles: the last <lengthrange> of a compiler is used."""
    documents: list[Any] = [*context.documents]
    compilers = (compiler for document in documents for compiler in document.root.findall("compiler"))
    modes = [each.attrs.get("mode") for compiler in compilers for each in compiler.findall("lengthrange")]
    return modes[-1:] != ["none"]


def _table_of_kind(scene: Scene, kind: str) -> Mapping[str, Any]:
    edges: Mapping[str, Mapping[str, Any]] = {"joint": scene.joints, "constraint": scene.constraints}
    return edges.get(kind) or scene.tables.get(kind, {})


# -------------------------------------------------------------------------------------------------------------- joints


def _joint_demands(joint: Joint, _: Known) -> Iterator[Demand]:
    kinds = [dof.kind for dof in joint.dofs]
    among = "of the degrees of freedom of a body"
    if sum(map(velocity_size, joint.dofs)) > MOST_DOFS:
        yield REFUSED, f"{among} there are at most {MOST_DOFS}"
    elif DofKind.FREE in kinds and joint.parent != WORLD:
        yield REFUSED, f"{among} a free joint must be on a child of the world"
    if DofKind.BALL in kinds and any(kind is not DofKind.SLIDE for kind in kinds[kinds.index(DofKind.BALL) + 1 :]):
        yield REFUSED, f"{among} no rotation may follow a ball"


# ------------------------------------------------------------------------------------------------------------ actuators


def _actuator_demands(actuator: Actuator, known: Known) -> Iterator[Demand]:
    said = dict(actuator.parameters)
    yield from _transmission_demands(actuator, said, known)
    yield from delay_demands(said)
    yield from JOINED["actuator"](actuator, known)
    if actuator.kind in KINDS:
        yield from KINDS[actuator.kind](actuator, said)
    if actuator.kind == "muscle" or "muscle" in (said.get("gaintype"), said.get("biastype")):
        yield from _muscle_length_demands(actuator, said, known)


def _muscle_length_demands(actuator: Actuator, said: Mapping[str, str], known: Known) -> Iterator[Demand]:
    """Yield missing length ranges of a muscle."""
    low, high = (*counted(said.get("lengthrange")), 0.0, 0.0)[:2]
    dof = known.dof(actuator.dof)
    if known.stretched and not low < high and dof is not None and dof.lower is None and dof.upper is None:
        yield MISSING, "a muscle needs a lengthrange, or a joint with limits"


def _transmission_demands(actuator: Actuator, said: Mapping[str, str], known: Known) -> Iterator[Demand]:
    over = actuator.transmission
    crank = over == "slidercrank"
    for name in ("cranklength", "slidersite"):
        if name in said and not crank:
            yield REFUSED, f"{name} needs a slider-crank transmission"
    if "refsite" in said and over != "site":
        yield REFUSED, "refsite needs a site transmission"
    if crank and "slidersite" not in said:
        yield MISSING, "a crank needs a slidersite"
    elif crank and first(said.get("cranklength")) <= 0.0:
        yield MISSING, "the length of a crank must be above 0"
    for name in ("armature", "damping"):
        if any(counted(said.get(name))) and over not in ("joint", "jointinparent", "tendon"):
            yield REFUSED, f"{name} needs a joint or tendon transmission"
    tendon = known.tendons.get(actuator.target or "") if over == "tendon" else None
    if tendon is not None and any(counted(said.get("armature"))) and _wraps(tendon):
        yield REFUSED, BENT


def _general_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    count, dynamics = first(said.get("actdim"), -1.0), said.get("dyntype", "none")
    if count > 1.0 and dynamics not in SEVERAL:
        yield REFUSED, f"only dyntype {', '.join(SEVERAL)} allows actdim above 1"
    elif count > 0.0 and dynamics in STATELESS:
        yield REFUSED, "without an activation (dyntype none) actdim must not be above 0"
    elif count == 0.0 and dynamics not in STATELESS and dynamics not in SEVERAL:
        yield REFUSED, "with an activation actdim must not be 0"
    for kind, name, usual in (("gaintype", "gainprm", "1"), ("biastype", "biasprm", "0")):
        if said.get(kind) == "muscle":
            low, high, _, *more = (*counted(said.get(name, usual)), *[0.0] * len(FIBRE))[: len(FIBRE)]
            scale, shortest, longest, *fast = more
            yield from _fibre_demands((low, high), (shortest, longest), (scale, *fast))


FIBRE = ("range", "range", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")
"""Parameters of the gain and the bias of a muscle, in order."""
POSITIVE = ("scale", "vmax", "fpmax", "fvmax")


def _fibre_demands(span: Sequence[float], reach: Sequence[float], others: Sequence[float]) -> Iterator[Demand]:
    """Yield faults of muscle parameters; others: the values of POSITIVE."""
    if not span[0] < span[1]:
        yield RANGE, "the range of a muscle must be increasing"
    if not reach[0] < 1.0 < reach[1]:
        yield RANGE, "lmin of a muscle must be below 1, and lmax above 1"
    for name, value in zip(POSITIVE, others, strict=True):
        if value <= 0.0:
            yield REFUSED, f"{name} of a muscle must be above 0"


def _one_sided_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    low, high = actuator.control_range or (0.0, 0.0)
    if not low < high:
        yield RANGE, "it needs a limited ctrlrange"


def _muscle_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    span = (*counted(said.get("range", MUSCLE["range"])), 0.0, 0.0)[:2]
    reach = [first(said.get(name), float(MUSCLE[name])) for name in ("lmin", "lmax")]
    others = [abs(first(said.get(name), 1.0)) for name in POSITIVE]  # a negative value counts as not given
    yield from _fibre_demands(span, reach, others)
    if first(said.get("tausmooth")) < 0.0:
        yield REFUSED, "tausmooth must not be below 0"


def note_refused_defaults(defaults: Defaults, context: ReaderContext) -> None:
    """Report motors of default classes that MuJoCo refuses, even if they are not used."""
    said: dict[Node, Mapping[str, str]] = {}
    for kinds in defaults.classes.values() if context.strict else ():
        line, fresh = kinds.get("general"), list[Node]()
        while line is not None and line[0] not in said:
            fresh.append(line[0])
            line = line[1]
        whole: Mapping[str, str] = said[line[0]] if line is not None else {}
        for node in reversed(fresh):
            motor = node.tag == "dcmotor"
            whole = said[node] = {**whole, **node.attrs} if motor else whole
            for rule, text in _coil_demands(whole) if motor else ():
                note_fault(context, rule, "document", f"{text}, in a default class as well", node.source)


def _coil_demands(said: Mapping[str, str]) -> Iterator[Demand]:
    constant, resistance = electric({name: Said(text) for name, text in said.items()})
    inputs = set(words(said.get("input", "voltage")))
    if resistance <= 0.0:
        yield MISSING, "a motor needs a resistance above 0, or a nominal point that gives it"
    if constant <= 0.0 and inputs != {"none"}:
        yield MISSING, "a motor needs a constant above 0: motorconst, or a nominal point that gives it"


def _dcmotor_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    own = {name: Said(text) for name, text in said.items()}
    inputs = set(words(said.get("input", "voltage")))
    yield from _coil_demands(said)
    if min(values(own, "motorconst")) < 0.0 or min(values(own, "inductance")) < 0.0:
        yield REFUSED, "constants and inductances of a motor must not be below 0"
    warmth, capacity, slowness, *_ = values(own, "thermal")
    if (warmth or capacity or slowness) and sum(value > 0.0 for value in (warmth, capacity, slowness)) < 2:
        yield MISSING, "the thermal model of a motor needs two of resistance, capacity and time constant, above 0"
    gain, integral, damping, slew, *_ = values(own, "controller")
    if (gain or integral or damping or slew > 0.0) and not inputs & {"pos", "vel", "ff"}:
        yield MISSING, "a controller needs an input: pos, vel or ff"
    elif integral and "pos" not in inputs:
        yield MISSING, "integral control needs the input pos"


def _pid_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    inputs = set(words(said.get("input", "pos vel")))
    if (first(said.get("ki")) or first(said.get("slewmax"))) and "pos" not in inputs:
        yield MISSING, "integral control and a bounded rate need the input pos"
    if first(said.get("ki")) < 0.0:
        yield REFUSED, "ki must not be below 0"


def _orientation_demands(actuator: Actuator, said: Mapping[str, str]) -> Iterator[Demand]:
    if actuator.transmission == "site" and "refsite" not in said:
        yield MISSING, "with a site transmission it needs a refsite"
    if actuator.force_range is not None and actuator.force_range[0] != 0.0:
        yield RANGE, "its forcerange must begin at 0"


KINDS: Mapping[str, Callable[[Actuator, Mapping[str, str]], Iterator[Demand]]] = {
    "general": _general_demands,
    "damper": _one_sided_demands,
    "adhesion": _one_sided_demands,
    "muscle": _muscle_demands,
    "dcmotor": _dcmotor_demands,
    "pid": _pid_demands,
    "orientation": _orientation_demands,
}
"""Kind of actuator -> its requirements."""

# -------------------------------------------------------------------------------------------------- tendons, keyframes


def _tendon_demands(tendon: Tendon, known: Known) -> Iterator[Demand]:
    if tendon.armature > 0.0 and _wraps(tendon):
        yield REFUSED, BENT
    for point in tendon.points:
        if point.kind == "geom" and isinstance(known.shapes.get(point.target), STRAIGHT):
            yield (
                REFUSED,
                f"a tendon can wrap around spheres and cylinders only, and the geom {point.target!r} is neither",
            )
    yield from JOINED["tendon"](tendon, known)
    if tendon.kind == "fixed":
        if not tendon.points:
            yield MISSING, "a tendon needs at least one joint"
        times = Counter(point.target for point in tendon.points)
        yield from ((REFUSED, f"the joint {name!r} appears twice") for name, count in times.items() if count > 1)
        return
    branches: list[list[TendonPoint]] = [[]]
    for point in tendon.points:
        if point.kind != "pulley":
            branches[-1].append(point)
            continue
        branches.append([])
        if point.value is None:
            yield MISSING, "a pulley needs a divisor"
    if len(branches) > 1 and not branches[0]:  # a path may begin with a pulley
        del branches[0]
    for branch in branches:
        yield from _cord_demands(branch)
    for side in sorted({point.side for point in tendon.points if point.side}):
        if side not in known.sites:
            yield NAME, f"<geom> names the site {side!r}, which does not exist"


def _cord_demands(points: Sequence[TendonPoint]) -> Iterator[Demand]:
    """Yield faults of a branch without pulleys."""
    kinds = [point.kind for point in points]
    if len(points) < 2:
        yield MISSING, "a tendon needs at least two sites, and two on each side of a pulley"
    elif "geom" in (kinds[0], kinds[-1]) or ("geom", "geom") in pairwise(kinds):
        yield MISSING, "a geom of a tendon must be between two sites"
    for one, other in pairwise(points):
        if one == other and one.kind == "site":
            yield REFUSED, f"the site {one.target!r} appears twice in a row"


def _wraps(tendon: Tendon) -> bool:
    return any(point.kind == "geom" for point in tendon.points)


def _keyframe_demands(scene: Scene) -> Callable[[Keyframe, Known], Iterator[Demand]]:
    most = vectors(scene)
    if any(name == "plastic" for key in scene.tables["keyframe"].values() for name, _ in key.parameters):
        most |= {} if any("flex" in extra.path for *_, extra in extras(scene)) else {"plastic": 0}

    def asked(key: Keyframe, known: Known) -> Iterator[Demand]:
        for name, text in key.parameters:
            count = len(counted(text))
            if name in most and count > most[name]:
                yield COUNT, f"{name} takes {most[name]} numbers at most, not {count}"

    return asked
