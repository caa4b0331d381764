"""A writer whose output differs from the scene: the audit reads the output back and has to detect it.

One value, name or element of the document is changed, as by an error in one statement of a writer. If the reader then
finds another scene, something has to be unexplained.
"""

from __future__ import annotations

import copy
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lxml import etree
from msgspec.structs import replace

from converters import registry
from converters.context import InputError, Options, Output, WriterContext
from converters.convert import convert
from converters.reading import read
from converters.report.model import Action
from ir.diff import differences
from ir.scene import Scene
from tests.corpus.mutation import SUFFIXES

TRIES = 200
"""Number of attempts to find a change that is possible in a document."""
NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?")
Elements = list[etree._Element]
Slip = Callable[[etree._Element, Elements, random.Random], str | None]
"""Breaks an element of a document, of which all are given; returns what it did (None: impossible)."""


def sabotage(path: str, target: str, limit: int, seed: int) -> dict[str, Any]:
    """Make that many errors of a writer, one at a time; return counts of outcomes, and each undetected error.

    Without carried data, which restores itself if the document around it is broken.
    """
    outcomes: Counter[str] = Counter()
    unheard: list[str] = []
    dice = random.Random(f"{seed} {Path(path).name}")
    options = Options(carry=False)
    with tempfile.TemporaryDirectory(prefix="kinegraph-sabotage-") as folder:
        written = Path(folder) / f"robot{SUFFIXES[target]}"
        try:
            convert(path, written, target=target, options=options)
            straight = read(written, source=target)
        except InputError as error:
            return {"outcomes": {"not converted": 1}, "silent": [str(error)], "places": 0}
        for _ in range(limit):
            how: list[str] = []
            try:
                with broken(target, lambda root, how=how: how.append(_slip(root, dice))):
                    report = convert(path, written, target=target, options=options)
                heard = any(each.action is Action.UNEXPLAINED for each in report.findings)
                said = [] if heard else differences(straight, read(written, source=target))
            except InputError:
                outcomes["refused"] += 1
                continue
            outcomes["heard" if heard else "unheard" if said else "means the same"] += 1
            unheard += [f"{how[-1]}: {said[0].path} {said[0].before!r:.60} -> {said[0].after!r:.60}"] if said else []
    return {"outcomes": dict(outcomes), "silent": unheard, "places": limit}


@contextmanager
def broken(target: str, slip: Callable[[etree._Element], object]) -> Iterator[None]:
    """Within this context the writer of an XML format breaks its documents."""
    formats = {each: registry.format_named(each) for each in SUFFIXES}
    own, usual = formats[target], registry._own

    def lying(scene: Scene, context: WriterContext) -> Output:
        assert own.write is not None
        output = own.write(scene, context)
        root = etree.fromstring(output.document, etree.XMLParser(huge_tree=True, recover=True))
        slip(root)
        return replace(output, document=etree.tostring(root))

    registry._own = lambda: formats | {target: replace(own, write=lying)}
    try:
        yield
    finally:
        registry._own = usual


def _slip(root: etree._Element, dice: random.Random) -> str:
    every = [element for element in root.iter(etree.Element) if element is not root]
    for _ in range(TRIES if every else 0):
        name = dice.choice([*SLIPS])
        element = dice.choice(every)
        where = f"<{element.tag} {' '.join(f'{key}={value!r:.40}' for key, value in element.items())}>"
        above = element.getparent()
        said = SLIPS[name](element, every, dice)
        if said is not None:
            return f"{name} {said} of {where} in <{above.tag} {above.get('name', '')}>"
    return "nothing"


def _forgotten(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    if not element.attrib:
        return None
    key = dice.choice([*element.attrib])
    del element.attrib[key]
    return str(key)


def _number(change: Callable[[float], float]) -> Slip:
    def slip(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
        words = [(key, value.split()) for key, value in (*element.items(), ("", element.text or ""))]
        numbers = [(key, found) for key, found in words if found and all(map(NUMBER.fullmatch, found))]
        if not numbers:
            return None
        key, found = dice.choice(numbers)
        place = dice.randrange(len(found))
        found[place] = repr(change(float(found[place])))
        _say(element, key, " ".join(found))
        return key or "text"

    return slip


def _exchanged(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    other = dice.choice([each for each in every if each.tag == element.tag])
    both = [key for key in element.attrib if key in other.attrib and element.get(key) != other.get(key)]
    both += [""] if (element.text or "").strip() and (other.text or "").strip() else []
    if not both:
        return None
    key = dice.choice(both)
    one, two = _said(element, key), _said(other, key)
    _say(element, key, two)
    _say(other, key, one)
    return f"{key or 'text'} (with {two:.40})"


def _left_out(element: etree._Element, every: Elements, dice: random.Random) -> str:
    element.getparent().remove(element)
    return ""


def _twice(element: etree._Element, every: Elements, dice: random.Random) -> str:
    element.addnext(copy.deepcopy(element))
    return ""


def _elsewhere(element: etree._Element, every: Elements, dice: random.Random) -> str | None:
    above = element.getparent()
    hosts = [each for each in every if each.tag == above.tag and each is not above]
    if not hosts:
        return None
    host = dice.choice(hosts)
    if host is element or element in host.iterancestors():
        return None
    host.append(element)
    return f"to {host.get('name', '')}"


def _said(element: etree._Element, key: str) -> str:
    return str(element.get(key) if key else element.text)


def _say(element: etree._Element, key: str, value: str) -> None:
    if key:
        element.set(key, value)
    else:
        element.text = value


SLIPS: dict[str, Slip] = {
    "forgets": _forgotten,
    "negates": _number(lambda value: -value),
    "adds to": _number(lambda value: value * 1.5 + 0.25),
    "exchanges": _exchanged,
    "leaves out": _left_out,
    "says twice": _twice,
    "says elsewhere": _elsewhere,
}
"""The possible errors."""
