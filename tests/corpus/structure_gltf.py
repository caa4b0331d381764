"""Change the structure of a real glTF: members are removed, duplicated, exchanged and misspelt, unknown ones are
inserted.

The promises are those of structure, and one more: whatever the Khronos validator calls an error is refused, or reported
by `validate`.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from converters.validating import validate
from converters.validating.run import INFO, severity
from tests.corpus.mutation import SILENT, bad, how_named, judge, unheard
from tests.corpus.mutation_gltf import Member, changing, everything
from tests.corpus.structure import UNKNOWN
from tests.oracles.in_khronos import khronos_reads

Change = Callable[[Member, list[Member], random.Random], str | None]
"""Changes a member of a document, of which all others are given; returns the place to judge (None: impossible)."""
OTHERS: tuple[Any, ...] = ("text", 7, -1, 1.5, True, [], [0], {}, {"a": 1}, [[]], 2**40, "")
"""Values of other types, and numbers out of any range."""
ALONE = "Khronos alone"


def restructure_gltf(path: str, target: str, limit: int, seed: int = 0) -> dict[str, Any]:
    """Make that many changes, drawn by seed; the result is that of mutation_gltf.mutate_gltf."""
    outcomes: Counter[str] = Counter()
    silent: list[str] = []
    dice = random.Random(f"{seed} {Path(path).name}")
    with changing(path, target) as (document, source, converted):
        baseline = converted()
        if isinstance(baseline, str):
            return {"outcomes": {"not converted": 1}, "silent": [], "places": 0}
        errors, breaches, content = _errors(source), _breaches(source), copy.deepcopy(document)
        for _ in range(limit):
            how, place, after = _changed(document, dice)
            now = converted()
            found = judge(after, baseline, now, root=0)
            if unheard(found) and not isinstance(now, str) and not unheard(how_named(place, baseline, now, 0)):
                found = "was named"
            if how in STRANGE and not isinstance(now, str) and "output" not in found:
                told = how_named(after, baseline, now, 0)
                found = f"{SILENT}, though unknown" if unheard(told) else told
            more = _errors(source) - errors
            if more and not bad(found) and not _breaches(source) - breaches:
                found = f"{ALONE}: {', '.join(sorted(more))}"
            outcomes[found.partition(":")[0]] += 1
            if bad(found) or found.startswith(ALONE):
                silent.append(f"{found}: {place} {how}: {after}")
            document.clear()
            document.update(copy.deepcopy(content))
    return {"outcomes": dict(outcomes), "silent": silent, "places": limit}


def _errors(path: Path) -> set[str]:
    """Return what Khronos calls an error."""
    (answer,) = khronos_reads([path])
    return {f"{each['code']} {each.get('pointer', '')}" for each in answer["messages"] if each["severity"] == 0}


def _breaches(path: Path) -> set[tuple[str, str, str]]:
    """Return errors and warnings of validate."""
    return {(each.rule, each.where, each.message) for each in validate(path).breaches if severity(each) != INFO}


def _changed(document: Any, dice: random.Random) -> tuple[str, str, str]:
    """Return how a document was changed, the former place of the member, and the place to judge."""
    every = [member for member in everything(document) if member.key != "kinegraph"]
    while True:
        how = dice.choice([*CHANGES])
        member = dice.choice(every)
        after = CHANGES[how](member, every, dice)
        if after is not None:
            return how, member.path, after


def _taken_out(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if member.key in ("min", "max") or member.path.startswith("/extensionsUsed/"):
        return None  # they say once more what the document says without them
    del member.holder[member.key]
    return member.path


def _doubled(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if not isinstance(member.holder, list) or isinstance(member.value, str):
        return None  # lists of words are sets
    member.holder.append(copy.deepcopy(member.value))
    return f"{member.path.rpartition('/')[0]}/{len(member.holder) - 1}"


def _moved(member: Member, every: list[Member], dice: random.Random) -> str | None:
    host = dice.choice(every)
    if not isinstance(host.value, dict) or not isinstance(member.holder, dict) or member.key in host.value:
        return None
    if (host.path + "/").startswith(member.path + "/"):
        return None
    host.value[member.key] = member.holder.pop(member.key)
    return f"{host.path}/{str(member.key).replace('/', '~1')}"


def _exchanged(member: Member, every: list[Member], dice: random.Random) -> str | None:
    alike = [each for each in every if each.key == member.key and each.value != member.value]
    if not alike:
        return None
    other = dice.choice(alike)
    if other.path.startswith(member.path) or member.path.startswith(other.path):
        return None
    mine, theirs = member.value, other.value
    member.put(theirs)
    other.put(mine)
    return member.path


def _of_another_type(member: Member, every: list[Member], dice: random.Random) -> str | None:
    value = dice.choice(OTHERS)
    if value == member.value:
        return None
    member.put(copy.deepcopy(value))
    return member.path


def _out_of_range(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if type(member.value) is not int:
        return None
    member.put(member.value + dice.choice((-1, 1, 2, 1000, -1000)))
    return member.path


def _undeclared(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if not isinstance(member.value, dict) or member.key == "extensions":
        return None
    member.value.setdefault("extensions", {})["EXT_unheard_of"] = {"value": 1}
    return f"{member.path}/extensions/EXT_unheard_of"


def _misspelt(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if not isinstance(member.holder, dict):
        return None
    member.holder[f"X{member.key}"] = member.holder.pop(member.key)
    parent = member.path.rpartition("/")[0]
    return f"{parent}/X{str(member.key).replace('/', '~1')}"


def _unknown(member: Member, every: list[Member], dice: random.Random) -> str | None:
    if not isinstance(member.value, dict):
        return None
    member.value[UNKNOWN] = 1
    return f"{member.path}/{UNKNOWN}"


STRANGE: dict[str, Change] = {
    "misspelt": _misspelt,
    "an extension in it that nobody declared": _undeclared,
    "an unknown member in it": _unknown,
}
"""Changes whose result no format knows."""
CHANGES: dict[str, Change] = {
    "taken out": _taken_out,
    "doubled": _doubled,
    "moved": _moved,
    "exchanged": _exchanged,
    "of another type": _of_another_type,
    "another number": _out_of_range,
    **STRANGE,
}
