"""`validate --fix`: repair the model, write it in its own format, and validate the result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from converters.assets.uris import package_folders
from converters.context import InputError, Options
from converters.convert import SUFFIX, make
from converters.deliver import deliver
from converters.format import Target
from converters.reading import Reading, loaded, source_files
from converters.registry import format_named
from converters.report.values import show
from converters.validating.model import Breach
from converters.validating.repairs import REPAIRS
from converters.validating.repairs.job import Repair, RepairJob
from converters.validating.rules import OPT_IN, SAFE, TABLE
from converters.validating.run import Verdict, fix, validate
from ir.diff import Difference, differences
from ir.gathering import gathered
from ir.scene import Scene


class Fix(Struct, frozen=True, kw_only=True):
    """One difference between the model as read and as written, and the rules whose breaches it repairs."""

    rules: tuple[str, ...]
    where: str
    before: str
    after: str
    reason: str = ""


class Fixed(Struct, frozen=True, kw_only=True):
    """files: the files written, the document first. repaired: breaches that are no longer in the output.

    notes: remarks on the name of the output.
    """

    files: tuple[str, ...]
    changes: tuple[Fix, ...]
    repaired: tuple[Breach, ...]
    after: Verdict
    notes: tuple[str, ...] = ()


def repair(verdict: Verdict, out: str | Path, *, everything: bool = False, options: Options | None = None) -> Fixed:
    """Write the model with its safe repairs, or all of them, to out and validate that.

    Raises InputError, and writes nothing, where the model breaks rules that cannot be repaired (in this way).
    """
    reading = _repairable(verdict, everything)
    options = options or Options()
    to = format_named(verdict.format)
    breaches = (*verdict.breaches, *verdict.following)
    job = RepairJob(format=to.name, target=Target(fits=to.fits, options=options, load=loaded), breaches=breaches)
    broken = {breach.rule for breach in breaches}
    scene, changes = reading.scene, _opened(reading.scene, broken)
    for each in REPAIRS:
        asked = (each.fix == SAFE or everything) and (not each.formats or to.name in each.formats)
        if asked and (broken.intersection(each.rules) or _always(each)):
            changed = each.apply(scene, job)
            if changed is not scene:
                places = _broken_places(breach for breach in breaches if breach.rule in each.rules)
                changes += [
                    _change(difference, _answered(difference, each, places), each.reason)
                    for difference in differences(scene, changed)
                ]
                scene = changed
    filled = replace(options, missing_inertia="minimal", density=Options().density, total_mass=None)
    made = make(replace(reading, scene=scene, format=to), out, target=to.name, options=filled)
    files = deliver(made.output, made.path, source_files(reading))
    packages = package_folders((asset.uri, asset.file) for asset in reading.scene.assets.values())
    found = {**packages, **options.packages}  # which might not be found from the folder of the output
    after = validate(made.path, source=to.name, options=replace(options, packages=found))
    rest = {(breach.rule, breach.where) for breach in after.breaches}
    repaired = tuple(breach for breach in verdict.breaches if (breach.rule, breach.where) not in rest)
    notes = tuple(f"it is {each.after}, and {each.reason}" for each in made.findings if each.rule == SUFFIX)
    return Fixed(files=files, changes=tuple(changes), repaired=repaired, after=after, notes=notes)


def _always(each: Repair) -> bool:
    """Whether a repair is always applied: a model without any inertia breaks no rule, but cannot be simulated."""
    return "INERTIA-NONE" in each.rules


def _opened(scene: Scene, broken: set[str]) -> list[Fix]:
    """Return how the reader changed surplus joints: the first joint of a link remains in the tree, the others close
    loops.

    URDF cannot express those; they are kept for formats that can.
    """
    rules = tuple(rule for rule in ("TREE-2PARENTS", "TREE-CYCLE") if rule in broken)
    reason = "URDF is a tree: kept as the joint of a loop, which SDF and MJCF get back"
    loops = [*scene.loops] if rules else []
    return [Fix(rules=rules, where=f"loop/{name}", before="in the tree", after="kept", reason=reason) for name in loops]


def _repairable(verdict: Verdict, everything: bool) -> Reading:
    breaches = (*verdict.breaches, *verdict.following)
    faults = [breach for breach in breaches if breach.where == "document" and _stops(breach)]
    allowed = (SAFE, OPT_IN) if everything else (SAFE,)
    hopeless = [breach for breach in faults if fix(breach) not in allowed]
    if verdict.reading is None or not verdict.complete or hopeless:
        worst = (hopeless or faults or list(verdict.breaches))[0]
        way = "--fix all repairs it" if fix(worst) == OPT_IN else "only its author can repair it"
        more = f" (and {len(hopeless) - 1} more such)" if len(hopeless) > 1 else ""
        raise InputError(f"nothing was written: {worst.rule}: {worst.message}: {way}{more}", worst.source)
    return verdict.reading


def _broken_places(breaches: Iterable[Breach]) -> Mapping[str, list[tuple[str, str]]]:
    """Return owner of a place -> the places and rules of the breaches there."""
    places = ((_address(breach.where), breach.rule) for breach in breaches)
    return gathered((place.partition(".")[0], (place, rule)) for place, rule in places)


def _answered(difference: Difference, each: Repair, broken: Mapping[str, list[tuple[str, str]]]) -> tuple[str, ...]:
    """Return the rules repaired by a change: those broken at its place, else above or below it, else at its owner, else
    anywhere (broken: _broken_places)."""
    place = _address(difference.where)
    own = broken.get(place.partition(".")[0], [])
    for some in (
        {rule for where, rule in own if where == place},
        {rule for where, rule in own if f"{where}.".startswith(f"{place}.") or f"{place}.".startswith(f"{where}.")},
        {rule for _, rule in own},
    ):
        if some:
            return tuple(rule for rule in each.rules if rule in some)
    anywhere = {rule for places in broken.values() for _, rule in places}
    return tuple(rule for rule in each.rules if rule in anywhere) or each.rules[:1]


_BETWEEN = re.compile(r"\.extras(?=\.)|\.dofs\.\d+")


def _address(where: str) -> str:
    """Return the address without the parts that exist only in the graph between an owner and its part."""
    return _BETWEEN.sub("", where)


def _stops(breach: Breach) -> bool:
    """Whether a breach stops a conversion."""
    return TABLE[breach.rule].severity == "error" and not breach.rule.startswith(("MJCF-UNKNOWN", "MJCF-GONE"))


def _change(difference: Difference, rules: tuple[str, ...], reason: str) -> Fix:
    before, after = show(difference.before), show(difference.after)
    return Fix(rules=rules, where=difference.where, before=before, after=after, reason=reason)
