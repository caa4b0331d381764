"""Whether an SDF file written again is the same, element by element and in the same order, numbers by value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from lxml import etree

from tests.oracles.plain_urdf import elements, parse, written_attributes, written_name
from tests.oracles.urdf_elements import Difference, same_text


def differences(original: Path, written: Path) -> Iterator[Difference]:
    """Yield every element, attribute and text that differs, with its place in the original."""
    a, b = parse(original), parse(written)
    if written_name(a) != written_name(b):
        yield Difference("/", f"root {written_name(a)} became {written_name(b)}")
        return
    stack = [(a, b, f"/{written_name(a)}")]
    while stack:
        ours, theirs, path = stack.pop()
        yield from _attributes(ours, theirs, path)
        said, found = _text(ours), _text(theirs)
        if not same_text(said, found):
            yield Difference(f"{path}/text()", f"{said[:100]!r} became {found[:100]!r}")
        mine, others = elements(ours), elements(theirs)
        names, written_names = [written_name(item) for item in mine], [written_name(item) for item in others]
        if names != written_names:
            yield Difference(path, _reordered(names, written_names))
        taken: dict[str, int] = {}
        by_name: dict[str, list[etree._Element]] = {}
        for item in others:
            by_name.setdefault(written_name(item), []).append(item)
        for item in mine:
            name = written_name(item)
            position = taken[name] = taken.get(name, 0) + 1
            if position <= len(by_name.get(name, ())):
                stack.append((item, by_name[name][position - 1], f"{path}/{name}[{position}]"))


def _reordered(names: list[str], found: list[str]) -> str:
    if sorted(names) == sorted(found):
        first = next(place for place, (a, b) in enumerate(zip_longest(names, found)) if a != b)
        return f"children in another order: <{names[first]}> became <{found[first]}>"
    gone = [name for name in dict.fromkeys(names) if names.count(name) > found.count(name)]
    new = [name for name in dict.fromkeys(found) if found.count(name) > names.count(name)]
    return f"gone: {', '.join(gone) or 'nothing'}; made up: {', '.join(new) or 'nothing'}"


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.xpath("text()")).split())


def _attributes(ours: etree._Element, theirs: etree._Element, path: str) -> Iterator[Difference]:
    expected, found = written_attributes(ours), written_attributes(theirs)
    for name in expected.keys() | found.keys():
        if name not in found:
            yield Difference(f"{path}/@{name}", f"{expected[name]!r} is gone")
        elif name not in expected:
            yield Difference(path, f"attribute {name}={found[name]!r} was made up")
        elif not same_text(expected[name], found[name]):
            yield Difference(f"{path}/@{name}", f"{expected[name]!r} became {found[name]!r}")
