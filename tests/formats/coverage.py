"""Measured coverage of a format: read a small document that contains one item, and check the result for the item.

An item is an element or an attribute, named by its path: robot/link/visual, robot/link/visual/@name. It is

- mapped: the reader uses it, and it is in the graph;
- carried: the reader does not use it; it is kept as it is, and comes back;
- meaningless: the format gives it no meaning at its place; it is kept like carried items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from converters.audit.output import compared
from converters.carried.restore import apply_carried
from converters.context import Output, ReaderContext, WriterContext
from converters.format import Format, Ran, Target
from converters.passes import prepare
from converters.source.tree import Element, fragment, serialise
from converters.source.xml import Document, Node
from ir.diff import Difference, compare
from ir.folds import fold
from ir.scene import Scene

GOLDEN = Path(__file__).parents[1] / "golden"
V = TypeVar("V")
Find = Callable[[str], tuple[str | None, str]]
MAPPED, CARRIED, MEANINGLESS = "mapped", "carried", "meaningless"


@dataclass(frozen=True, slots=True)
class Setting:
    """How items are inserted into a base document.

    values are attribute values, keyed by the last steps of the path (joint/@type, @type); the first match is used.
    needs are the attributes without which an element would be invalid; rivals are attributes that exclude each other;
    alone are elements that replace others, such as all below geometry.
    """

    values: Mapping[str, str]
    needs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rivals: tuple[frozenset[str], ...] = ()
    alone: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def value(self, path: str) -> str:
        return _by_end(path, self.values, "1")

    def placed(self, base: str, path: str) -> Placed:
        """Return the base document with the item in it; elements on its path are created where the base has none."""
        root = fragment(base)
        item = path
        path, _, value = item.partition("=")
        element, steps = root, path.split("/")
        attribute = steps.pop().removeprefix("@") if "@" in path else None
        for number, step in enumerate(steps[1:], 2):
            found = element.find(step)
            if found is None:
                others = _by_end("/".join(steps[:number]), self.alone, ())
                element.content = [
                    item for item in element.content if not isinstance(item, Element) or item.tag not in others
                ]
                needs = _by_end("/".join(steps[:number]), self.needs, {})
                found = element.add(step, dict(needs))
            element = found
        if attribute is not None:
            others = {name for rivals in self.rivals if attribute in rivals for name in rivals}
            element.attrs = {name: value for name, value in element.attrs.items() if name not in others}
            element.attrs[attribute] = value or self.value(path)
        return Placed(item, serialise(root), tuple(steps), attribute)


def _by_end(path: str, table: Mapping[str, V], otherwise: V) -> V:
    """Return the entry whose key matches the end of the path with the most steps."""
    steps = path.split("/")
    return next((table[key] for start in range(len(steps)) if (key := "/".join(steps[start:])) in table), otherwise)


@dataclass(frozen=True, slots=True)
class Placed:
    """A document that contains one item."""

    path: str
    text: str
    steps: tuple[str, ...]
    attribute: str | None

    @property
    def value(self) -> str | None:
        return located(fragment(self.text), self)


def located(root: Element, placed: Placed) -> str | None:
    """Return the value of the item (for an element, its tag) in a document, None if it is missing."""
    element: Element | None = root
    for step in placed.steps[1:]:
        element = element.find(step) if element is not None else None
    if element is None:
        return None
    return element.tag if placed.attribute is None else element.attrs.get(placed.attribute)


def lacking(placed: Placed) -> str:
    """Return the document without the attribute."""
    root = element = fragment(placed.text)
    for step in placed.steps[1:]:
        element = next(item for item in element.elements() if item.tag == step)
    element.attrs = {name: value for name, value in element.attrs.items() if name != placed.attribute}
    return serialise(root)


def read(text: str, form: Format, find: Find = lambda uri: (None, "")) -> tuple[Scene, Document]:
    """Return the scene and the tracked document; every item of the source is accounted for."""
    assert form.read is not None
    context = ReaderContext(file=f"model{form.suffixes[0]}", folder=Path("/nowhere"), find=find)
    scene = form.read(text.encode(), context)
    (document,) = context.documents
    document.totals()
    assert isinstance(document, Document)
    return scene, document


def classed(document: Document, placed: Placed) -> str:
    """Return the class that the account of the document gives the item."""
    node: Node | None = document.root
    above: list[Node] = []
    for step in placed.steps[1:]:
        assert node is not None
        above.append(node)
        node = next(item for item in node.elements() if item.tag == step)
    assert node is not None
    names = [*placed.steps[1:], *([f"@{placed.attribute}"] if placed.attribute else [])]
    for owner, name in zip([*above, node], names, strict=False):
        if owner.rules and owner.rules.get(name):
            return MEANINGLESS
    if not all(each.visited for each in [*above, node]):
        return CARRIED
    asked = placed.attribute is None or node.has_read(placed.attribute)
    return MAPPED if asked else CARRIED


@dataclass(frozen=True, slots=True)
class Trip:
    """A scene written in a format and read again: the differences without carried data, and those with it."""

    scene: Scene
    fitted: Scene
    output: Output
    steps: tuple[Ran, ...]
    native: list[Difference]
    lasting: list[Difference]


def trip(scene: Scene, to: Format, source: Format) -> Trip:
    """Do what converters.convert does, without files."""
    assert to.write is not None and to.read is not None
    folder = Path("/nowhere")
    target = folder / f"out{to.suffixes[0]}"
    context = WriterContext(file="model", folder=folder, asset_folder="out_assets", target=target, source=source.name)
    context.original = scene
    interpreting = () if source.name == to.name else source.passes()
    prepared, steps = prepare(scene, Target(fits=to.fits), interpreting)
    output = to.write(prepared, context)
    reading = ReaderContext(file=str(target), folder=folder, beside=output.files, written=True)
    again = to.read(output.document, reading)
    native, patch, _ = compared(scene, again, fold(again, output.folds), output.folds, named=True)
    if patch and to.carry is not None:
        output = to.carry(output, patch)
        again = to.read(output.document, reading)
    _, again, stale = apply_carried(again)
    assert stale == []
    return Trip(scene, prepared, output, steps, native, compare(scene, again)[0])


def same(a: Scene, b: Scene) -> bool:
    """Whether two scenes are equal, apart from the order of the document."""
    return not compare(a, b)[0] and a.notation == b.notation


def golden(name: str, found: Mapping[str, str], update: bool) -> str:
    """Return the expected result for a format as text; --update replaces it by what was found."""
    path = GOLDEN / f"coverage_{name}.txt"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(listed(found))
    return path.read_text()


def listed(found: Mapping[str, str]) -> str:
    return "".join(f"{path} {kind}\n" for path, kind in sorted(found.items()))


def recorded(name: str) -> dict[str, str]:
    """Return path -> class from the golden file."""
    lines = (GOLDEN / f"coverage_{name}.txt").read_text().splitlines()
    return dict(line.split(" ") for line in lines)


def attributes(element: str, names: Iterable[str]) -> list[str]:
    """Return the paths of an element and its attributes."""
    return [element, *(f"{element}/@{name}" for name in names)]


def wrongs(wrong: Mapping[str, str]) -> str:
    """Return what is wrong with each path, one per line."""
    return "\n".join(f"{path}: {what}" for path, what in sorted(wrong.items()))
