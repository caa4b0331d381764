"""Change the structure of a real model: elements are removed, duplicated, moved and misspelt, unknown ones are
inserted.

Elements unknown to a format must be named in the report if the target cannot contain them; for all others the promise
is that of mutation: the output changes, or the report names them.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from tests.corpus.mutation import SILENT, bad, converting, how_named, judge, unheard
from tests.oracles.plain_urdf import elements, written_name

Elements = list[etree._Element]
Change = Callable[[etree._Element, Elements, random.Random], str | None]
"""Changes an element of a document, of which all others are given; returns the place to judge (None: impossible)."""
UNKNOWN = "unheard_of"
LARGEST = 200
"""Maximum number of elements that are moved: a whole robot inside its mesh shows no more than a link there."""


def restructure(
    path: str, source: str, target: str, limit: int, seed: int = 0, folders: Sequence[str] = ()
) -> dict[str, Any]:
    """Make that many changes, drawn by seed; the result and folders are those of mutation.mutate."""
    outcomes: Counter[str] = Counter()
    silent: list[str] = []
    dice = random.Random(f"{seed} {Path(path).name}")
    with converting(path, target, folders) as (root, converted):
        baseline = converted()
        if isinstance(baseline, str):
            return {"outcomes": {"not converted": 1}, "silent": [baseline], "places": 0}
        content = copy.deepcopy(list(root))
        for _ in range(limit):
            how, (before, after) = _changed(root, dice)
            now = converted()
            outcome = judge(after, baseline, now)
            if unheard(outcome) and not isinstance(now, str) and not unheard(how_named(before, baseline, now)):
                outcome = "was named"
            if how in STRANGE and source != target and not isinstance(now, str):
                told = how_named(after, baseline, now)
                outcome = f"{SILENT}, though unknown" if unheard(told) else told
            outcomes[outcome.partition(":")[0]] += 1
            if bad(outcome):
                silent.append(f"{outcome}: {before} {how}: {after}")
            root[:] = copy.deepcopy(content)
    return {"outcomes": dict(outcomes), "silent": silent, "places": limit}


def _changed(root: etree._Element, dice: random.Random) -> tuple[str, tuple[str, str]]:
    """Return how a document was changed, the former place of the element, and the place to judge."""
    every = [element for element in root.iter(etree.Element) if element is not root]
    while True:
        how = dice.choice([*CHANGES])
        element = dice.choice(every)
        before = _place(element)
        after = CHANGES[how](element, every, dice)
        if after is not None:
            return how, (before, after)


def _place(element: etree._Element) -> str:
    """Return the path of an element, in the form of reports."""
    steps = []
    while (parent := element.getparent()) is not None:
        name = written_name(element)
        alike = [each for each in elements(parent) if written_name(each) == name]
        steps.append(f"{name}[{alike.index(element) + 1}]")
        element = parent
    return "/".join([f"/{written_name(element)}", *reversed(steps)])


def _taken_out(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    if _default(element) or any(_same_thing(element, other) for other in every):
        return None
    place = _place(element)
    element.getparent().remove(element)
    return place


def _default(element: etree._Element) -> bool:
    """Whether an <origin>, <dynamics> or <axis> of URDF, or a text of SDF, has its default value."""
    said, name = list(element.attrib.values()), written_name(element)
    if name == "axis" and said:
        return [_meant(value) for value in said] == [[1, 0, 0]]
    if name not in ("origin", "dynamics"):
        said = [element.text] if element.text and not said else []
    return bool(said) and not any(any(_meant(value)) for value in said)


def _same_thing(element: etree._Element, other: etree._Element) -> bool:
    """Whether another element says the same of an item with that name: links may repeat the colour of a material."""
    if other is element or (other.tag, other.attrib) != (element.tag, element.attrib):
        return False
    one, two = element.getparent(), other.getparent()
    return one.get("name") is not None and (one.tag, one.get("name")) == (two.tag, two.get("name"))


def _doubled(element: etree._Element, every: Elements, dice: random.Random) -> str:
    element.addnext(twin := copy.deepcopy(element))
    return _place(twin)


def _put_elsewhere(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    if sum(1 for _ in element.iter()) > LARGEST:
        return None
    host = dice.choice(every)
    host.insert(dice.randint(0, len(host)), twin := copy.deepcopy(element))
    return _place(twin)


def _moved(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    host = dice.choice(every)
    if host is element.getparent() or host is element or element in host.iterancestors():
        return None
    host.append(element)
    return _place(element)


def _exchanged(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    """Give an attribute the value of another one, unless both are the same number."""
    other = dice.choice(every)
    if not element.attrib or not other.attrib:
        return None
    name, value = dice.choice([*element.attrib]), dice.choice([*other.attrib.values()])
    if ":" in name or _meant(element.attrib[name]) == _meant(value):
        return None
    element.set(name, value)
    return f"{_place(element)}/@{name}"


def _meant(value: str) -> Sequence[object]:
    try:
        return [float(word) for word in value.split()]
    except ValueError:
        return value.strip()


def _misspelt(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    return _renamed(element, f"X{element.tag}")


def _of_another_vocabulary(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    return _renamed(element, f"{{urn:{UNKNOWN}}}{element.tag}")


def _renamed(element: etree._Element, name: str) -> str | None:
    """Rename the element, unless it contains a <geometry>, which is geometry of a link under any name."""
    if str(element.tag).startswith("{") or element.find("geometry") is not None:
        return None
    element.tag = name
    return _place(element)


def _misspelt_attribute(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    name = dice.choice([*element.attrib] or [":"])
    if ":" in name:
        return None
    given = dict(element.attrib)
    element.attrib.clear()
    element.attrib.update({f"X{key}" if key == name else key: value for key, value in given.items()})
    return f"{_place(element)}/@X{name}"


def _unknown_element(element: etree._Element, every: Elements, dice: random.Random) -> str:
    return _place(etree.SubElement(element, UNKNOWN, value="1"))


def _unknown_attribute(element: etree._Element, every: Elements, dice: random.Random) -> str:
    element.set(UNKNOWN, "1")
    return f"{_place(element)}/@{UNKNOWN}"


def _unknown_text(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    if element.text and element.text.strip():
        return None
    element.text = UNKNOWN
    return f"{_place(element)}/text()"


STRANGE: dict[str, Change] = {
    "misspelt": _misspelt,
    "of another vocabulary": _of_another_vocabulary,
    "an attribute misspelt": _misspelt_attribute,
    "an unknown element in it": _unknown_element,
    "an unknown attribute of it": _unknown_attribute,
    "text in it": _unknown_text,
}
"""Changes whose result no format knows."""
CHANGES: dict[str, Change] = {
    "taken out": _taken_out,
    "doubled": _doubled,
    "put elsewhere, too": _put_elsewhere,
    "moved": _moved,
    "with the value of another": _exchanged,
    **STRANGE,
}
