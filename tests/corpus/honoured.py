"""python -m tests.corpus.honoured [--through urdf|sdf|mjcf]... [--to urdf|sdf|mjcf]... [--sample N] [--only TEXT]
                                  [MODEL]...

An edit of an output without carried data (--no-carry) must have the same effect in one with carried data. Each model is
converted to another format both ways; each attribute, text and element of that is changed, deleted, copied, exchanged
with the next one of its kind, or renamed together with its references; both are converted to the format of the model
(or --to), and the results are compared without carried data. What the edit changes in one and not in the other is
listed, with the findings that report it. Without MODEL: the models of corpus/made.
"""

from __future__ import annotations

import argparse
import copy
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from converters.context import InputError, Options
from converters.convert import convert
from ir.diff import Difference, differences
from ir.scene import Scene
from tests.corpus.edits import CARRIED, Tree, is_carried, made, new_findings, said_to_all
from tests.corpus.mutation import SUFFIXES, Edit, Output, convert_bytes, sampled
from tests.oracles.plain_urdf import elements, written_name

XML = ("urdf", "sdf", "mjcf")
_LONE = "visual collision geom site sensor camera light exclude pair motor position velocity key frame plugin"
LONE = frozenset(_LONE.split())
"""Elements of which another one may be added, with a name of its own."""


class First(random.Random):
    """Random numbers that make the same edit of the same place, whatever was edited before."""

    def randrange(self, *_: object, **__: object) -> int:
        return 0


def arranged(root: etree._Element) -> Iterator[Edit]:
    """Yield edits: elements copied, exchanged with the previous one of the tag, and renamed with their references."""
    names: dict[str, str] = {}
    stack = [(root, f"/{written_name(root)}")]
    while stack:
        element, path = stack.pop()
        taken: Counter[str] = Counter()
        before: etree._Element | None = None
        for child in elements(element):
            tag = written_name(child)
            taken[tag] += 1
            inner = f"{path}/{tag}[{taken[tag]}]"
            if is_carried(inner):
                continue
            if name := child.get("name"):
                names.setdefault(name, inner)
                if tag in LONE:
                    yield Edit(inner, "copied", lambda child=child: _copied(child))
            if before is not None and written_name(before) == tag:
                yield Edit(inner, "exchanged", lambda one=before, other=child: _exchanged(one, other))
            before = child
            stack.append((child, inner))
    for name, path in names.items():
        yield Edit(path, f"renamed, from {name}", lambda name=name: _renamed(root, name))


def _copied(child: etree._Element) -> Callable[[], None]:
    twin = copy.deepcopy(child)
    twin.set("name", f"{child.get('name')}_copy")
    child.addnext(twin)
    return lambda: child.getparent().remove(twin)


def _exchanged(one: etree._Element, other: etree._Element) -> Callable[[], None]:
    def swap() -> None:
        parent = one.getparent()
        first, second = sorted((one, other), key=parent.index)
        places = parent.index(first), parent.index(second)
        parent.remove(second)
        parent.remove(first)
        parent.insert(places[0], second)
        parent.insert(places[1], first)

    swap()
    return swap


def _renamed(root: etree._Element, name: str) -> Callable[[], None]:
    done: list[tuple[etree._Element, str | None]] = []
    for element in root.iter(etree.Element):
        if any(written_name(each) in CARRIED for each in (element, *element.iterancestors())):
            continue
        done += [(element, key) for key, value in element.attrib.items() if value == name]
        done += [(element, None)] if element.text and element.text.strip() == name else []

    def put(text: str) -> None:
        for element, key in done:
            if key is None:
                element.text = text
            else:
                element.set(key, text)

    put(f"{name}_r")
    return lambda: put(name)


class Written:
    """A model in another format, with carried data or without, and its conversions to the final formats."""

    def __init__(self, source: Path, folder: Path, through: str, carry: bool) -> None:
        self.path = folder / f"written{SUFFIXES[through]}"
        convert(source, self.path, target=through, options=Options(carry=carry))
        self.tree = Tree(self.path.read_bytes())
        found = [*self.tree.edits(First()), *arranged(self.tree.root)]
        self.edits = {each.name: each for each in reversed(found)}
        self.audit = carry

    def at(self, form: str) -> tuple[Output, Scene] | str:
        """Return the conversion of the current document to a format with its native content, or how it was refused."""
        end = self.path.with_name(f"end_{form}{SUFFIXES[form]}")
        done = convert_bytes(self.tree.data(), self.path, self.path, end, Options(audit=self.audit))
        return done if isinstance(done, str) else (done, said_to_all(done[1], end, form))


def honoured(path: Path, through: str, ends: list[str], limit: int | None) -> tuple[Counter[str], list[str]]:
    """Return counts of outcomes, and each edit whose effect is missing or incomplete with carried data."""
    outcomes: Counter[str] = Counter()
    lines: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kinegraph-honoured-") as folder:
        try:
            carrying, bare = (Written(path, Path(folder) / str(carry), through, carry) for carry in (True, False))
        except InputError as error:
            return Counter({f"not converted: {error}": 1}), []
        before = {form: (carrying.at(form), bare.at(form)) for form in ends}
        both = [each for name, each in carrying.edits.items() if name in bare.edits]
        for each in sampled(both, limit, 0):
            undo = each.do(), bare.edits[each.name].do()
            for form in ends:
                outcome = _judged(before[form], carrying.at(form), bare.at(form))
                outcomes[outcome.partition(":")[0]] += 1
                if ":" in outcome:
                    lines.append(f"{path.name} -> {through} -> {form}: {each.name}: {outcome}")
            for back in undo:
                back()
    return outcomes, lines


State = tuple[Output, Scene] | str


def _judged(before: tuple[State, State], carrying: State, bare: State) -> str:
    was, plain = before
    if isinstance(was, str) or isinstance(plain, str) or isinstance(bare, str):
        return "refused in any case"
    wanted = [*differences(plain[1], bare[1])]
    if not wanted:
        return "no effect in any case"
    if isinstance(carrying, str):
        return f"refused beside what is carried: {carrying}"
    got = {(each.path, each.field) for each in differences(was[1], carrying[1])}
    off = {(each.path, each.field) for each in differences(carrying[1], bare[1])}
    missed = [each for each in wanted if (each.path, each.field) in off and not _changed(each, got)]
    if not missed:
        return "honoured"
    told = sorted({f"{each.rule} {each.where}" for each in new_findings(carrying[0][0], was[0][0])})
    how = ("in part" if got else "not at all") + (", told" if told else ", SILENT")
    what = f"{'/'.join(missed[0].path)} {missed[0].before!r:.60} -> {missed[0].after!r:.60}"
    return f"{how}: {len(missed)} of {len(wanted)}, {what}; {', '.join(told[:2])}"


def _changed(wanted: Difference, got: set[tuple[tuple[str, ...], str]]) -> bool:
    """Whether something changed at a place, above it, or below it."""
    return any(path[: len(wanted.path)] == wanted.path[: len(path)] for path, _ in got)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.honoured", description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    parser.add_argument("--through", action="append", choices=XML, help="the format that is edited (all others)")
    parser.add_argument("--to", action="append", choices=XML, help="the format of the result (that of the model)")
    parser.add_argument("--sample", type=int, help="so many edits of each document, of all kinds, instead of all")
    parser.add_argument("--only", metavar="TEXT", help="models whose name contains this")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for path in options.models or [path for path in made() if options.only is None or options.only in path.name]:
        home = next(form for form, suffix in SUFFIXES.items() if suffix == path.suffix)
        for through in options.through or [form for form in XML if form != home]:
            outcomes, lines = honoured(path.resolve(), through, options.to or [home], options.sample)
            total += outcomes
            for line in lines:
                print(line, flush=True)
            print(f"{path.name} -> {through}: {dict(outcomes)}", flush=True)
    print(f"{sum(total.values())} in all: {dict(total)}")


if __name__ == "__main__":
    main()
