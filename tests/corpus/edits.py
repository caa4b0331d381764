"""Edit the output of a conversion, and convert it back: the edit must arrive, or the report must name it.

The promise is that of converters/README.md: edits survive. A model is converted from A to B; each attribute, text and
element of B that is not carried data is changed or deleted in turn, and the edited B is converted to A and to B again.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from converters.context import InputError, Options, ReaderContext
from converters.convert import convert
from converters.passes.compound import LINK
from converters.registry import format_named
from converters.report.model import Action, Finding, Report
from ir.diff import differences
from ir.refs import declared, rename
from ir.scene import Address, Scene
from ir.types import Role
from tests.corpus import gltf_edits
from tests.corpus.mutation import SUFFIXES, Edit, Output, convert_bytes, different, judge, places
from tests.oracles.plain_urdf import elements, written_name

MADE = Path(__file__).parents[2] / "corpus" / "made"
FORMATS = ("urdf", "sdf", "mjcf", "gltf")
FINE = ("arrived", "says the same", "told", "refused")
CARRIED = ("custom", "kinegraph:carried", "kinegraph:graph")
"""Elements with carried data, which are not edited."""

SPEAKS = {
    "geom": ("body", "asset", "material"),
    "camera": ("body", "sensor"),
    "light": ("body",),
    "frame": ("body",),
    "joint": ("joint", "actuator"),
    "body": ("body", "joint", "asset", "material"),
}
"""Maps the kind of a finding's place to other kinds that may differ as well."""
RENAMED = "the node was renamed"
Before = tuple[Output, Sequence[Scene]]
Change = tuple[Sequence[Scene], Sequence[Scene]]
"""The readings of a document before an edit, and after it."""


def made() -> list[Path]:
    """Return the models of corpus/made that can be converted, except the xacro."""
    paths = sorted(MADE.glob("*.*"))
    return [path for path in paths if path.suffix in (".urdf", ".sdf", ".xml") and not path.name.startswith("error")]


class Tree:
    """An XML document that is edited."""

    def __init__(self, data: bytes) -> None:
        self.root = etree.fromstring(data, etree.XMLParser(huge_tree=True, recover=True))

    def edits(self, dice: random.Random) -> Iterator[Edit]:
        return edits(self.root, dice)

    def data(self) -> bytes:
        return etree.tostring(self.root, xml_declaration=True, encoding="utf-8")


def edits(root: etree._Element, dice: random.Random) -> Iterator[Edit]:
    """Yield changes of every attribute and text, and deletions of every attribute and element, except carried data."""
    for place in places(root):
        if is_carried(place.path):
            continue
        value = place.value
        changed = different(value, place.name or written_name(place.element), dice)
        how = f"{value.strip()[:60]!r} -> {changed.strip()[:60]!r}"
        yield Edit(place.path, how, lambda place=place, value=value, changed=changed: _put(place, value, changed))
        if place.name is not None:
            yield Edit(place.path, "deleted", lambda place=place: _drop(place.element, str(place.name)))
    stack = [(root, f"/{written_name(root)}")]
    while stack:
        element, path = stack.pop()
        taken: Counter[str] = Counter()
        for child in elements(element):
            name = written_name(child)
            taken[name] += 1
            inner = f"{path}/{name}[{taken[name]}]"
            if is_carried(inner):
                continue
            yield Edit(inner, "deleted", lambda child=child: _remove(child))
            stack.append((child, inner))


def is_carried(path: str) -> bool:
    steps = path.split("/")
    return len(steps) > 2 and steps[2].partition("[")[0] in CARRIED


def _put(place: Any, value: str, changed: str) -> Callable[[], None]:
    place.put(changed)
    return lambda: place.put(value)


def _drop(element: etree._Element, name: str) -> Callable[[], None]:
    before = list(element.attrib.items())
    del element.attrib[name]

    def back() -> None:
        element.attrib.clear()
        for key, value in before:
            element.set(key, value)

    return back


def _remove(child: etree._Element) -> Callable[[], None]:
    parent = child.getparent()
    assert parent is not None
    index, tail = parent.index(child), child.tail
    child.tail = None
    parent.remove(child)

    def back() -> None:
        parent.insert(index, child)
        child.tail = tail

    return back


def edit(path: str, through: str, limit: int | None = None, seed: int = 0, only: str | None = None) -> dict[str, Any]:
    """Return counts of outcomes, and a message for each lost edit. through: the format B. limit: number of edits, drawn
    by seed; None: all.

    only: edits whose name contains this.
    """
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    source = Path(path)
    home = next(name for name, suffix in SUFFIXES.items() if suffix == source.suffix)
    with tempfile.TemporaryDirectory(prefix="kinegraph-edits-") as folder:
        written = Path(folder) / f"written{SUFFIXES[through]}"
        try:
            convert(source, written, target=through)
        except InputError as error:
            return {"outcomes": {f"not converted: {error}": 1}, "wrong": [], "edits": 0}
        data = written.read_bytes()
        document = gltf_edits.Document(data, written.parent) if through == "gltf" else Tree(data)
        ends = {form: Path(folder) / f"back_{form}{SUFFIXES[form]}" for form in dict.fromkeys((home, through))}
        before = {form: _done(data, written, end) for form, end in ends.items()}
        said = _said(data, written, through)
        found = list(document.edits(random.Random(f"{seed}/{source.name}/{through}")))
        if only is not None:
            found = [each for each in found if only in each.name]
        if limit is not None and len(found) > limit:
            found = random.Random(f"{seed}/{source.name}").sample(found, limit)
        for each in found:
            back = each.do()
            changed = document.data()
            for form, end in ends.items():
                outcome = _judged(each, changed, written, end, before[form], said)
                outcomes[outcome.partition(":")[0]] += 1
                if not outcome.startswith(FINE):
                    wrong.append(f"{source.name} -> {through} -> {form}: {each.name}: {outcome}")
            back()
    return {"outcomes": dict(outcomes), "wrong": wrong, "edits": len(found)}


def _done(data: bytes, written: Path, end: Path) -> Before:
    made = convert_bytes(data, written, written, end, Options())
    assert not isinstance(made, str), made
    form = made[0].target.format
    return made, _said(made[1], end, form)


def said_to_all(data: bytes, path: Path, form: str) -> Scene:
    """Return what a document contains for all programs, without its carried data."""
    read = format_named(form).read
    assert read is not None
    scene = read(data, ReaderContext(file=str(path), folder=path.parent, written=True))
    scene.carried.clear()
    return scene


@lru_cache(maxsize=2)  # an edited document goes to two formats
def _said(data: bytes, path: Path, form: str) -> Sequence[Scene]:
    """Return the reading of a document with Kinegraph's marks, and for glTF also the one without them."""
    found = [said_to_all(data, path, form)]
    plain = gltf_edits.plainly(data, path) if form == "gltf" else None
    return [*found, plain] if plain is not None else found


def _more(one: Sequence[Scene], other: Sequence[Scene]) -> Mapping[str, int]:
    """Return how many more items of each kind either reading has in one document than in the other."""
    pairs = [(_counted(first), _counted(second)) for first, second in zip(one, other, strict=False)]
    return {kind: max(0, *(first[kind] - second[kind] for first, second in pairs)) for kind in pairs[0][0]}


def _effects(one: Sequence[Scene], other: Sequence[Scene]) -> set[tuple[int, Address]]:
    """Return where the readings differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return {(number, each.path) for number, pair in pairs for each in differences(*pair)}


def _counted(scene: Scene) -> Mapping[str, int]:
    """Return the numbers of items that no edit of another item may remove."""
    bodies = [body for body in scene.bodies.values() if body.inertial != LINK]  # without those inside of a chain
    cameras = sum(len(body.cameras) for body in scene.bodies.values())
    counts = {"body": len(bodies), "dof": len(scene.dofs()), "sensor": len(scene.tables["sensor"]) + cameras}
    geoms = [geom.role for body in scene.bodies.values() for geom in body.geoms if geom.shape is not None]
    solid = sum(role in (Role.COLLISION, Role.BOTH) for role in geoms)
    return counts | {"collision": solid, "visual": sum(role in (Role.VISUAL, Role.BOTH) for role in geoms)}


def _judged(each: Edit, changed: bytes, written: Path, end: Path, before: Before, said: Sequence[Scene]) -> str:
    """Return the outcome of an edit. No native content may disappear beyond what the edit itself removed."""
    baseline, was = before
    now = convert_bytes(changed, written, written, end, Options())
    if isinstance(now, str):
        return _refused(now, end)
    form = now[0].source.format
    new = new_findings(now[0], baseline[0])
    faults = [finding for finding in new if finding.action is Action.UNEXPLAINED]
    if faults:
        return f"unexplained: {faults[0].where} {faults[0].before[:40]!r} {faults[0].after[:40]!r}"
    result, says = _said(now[1], end, now[0].target.format), _said(changed, written, form)
    places = {each.where for pair in zip(said, says, strict=False) for each in differences(*pair)}
    how = judge(each.path, baseline, now)
    named = any(_about(finding, each.path) or _of(finding, places) for finding in new)
    wrong = None if named else _miscounted((was, result), (said, says), new)
    if wrong:
        return wrong
    effects = _effects(said, says)
    others = _others(was[0], result[0], {path[:2] for _, path in effects}, new)
    if others and form == "gltf" and not each.path.startswith(gltf_edits.TRIANGLES):
        return f"changed, too: {', '.join(others)}"
    if not effects:
        return "says the same"
    if how == "output changed":
        return "arrived"
    if "named" in how or named:
        return f"told: {how}"
    missed = _effects(result, says)
    left = {each for each in effects if each in missed or each[0] >= len(result)}
    return f"silent: {how}" if left else "says the same"


def _miscounted(end: Change, document: Change, new: Sequence[Finding]) -> str | None:
    """Return what is lost or duplicated in the result (end), unreported, beyond what the edit did in the document."""
    said, says = document
    took, gave = _more(said, says), _more(says, said)
    was, now = (_counted(readings[0]) for readings in end)
    there = _counted(says[0])
    spoken = {kind for kind in now if any(_speaks(finding, kind) for finding in new)}
    if any(len(path) == 2 and path[0] == "body" for _, path in _effects(said, says)):
        spoken.add("sensor")  # a body was renamed: what was carried for it goes with it
    for kind, count in now.items():
        if kind in spoken:
            continue
        if count < min(there[kind], was[kind] - took[kind]):
            return f"lost: {was[kind] - count} of {kind}, where the edit took {took[kind]}"
        most = max(there[kind], was[kind] + gave[kind])  # a whole that is parts now is as many as the document has
        if kind not in ("body", "dof") and count > most:
            return f"doubled: {count - was[kind]} of {kind} more, where the edit gave {gave[kind]}"
    return None


def _others(was: Scene, now: Scene, edited: set[Address], new: Sequence[Finding]) -> list[str]:
    """Return differences of a result that were neither edited nor reported; without an edit, all of them."""
    named = _renamed(was, new)  # a format may have no place for a name, and then it has the old one
    found = {each.path[:2] for each in differences(was, now)} - edited
    found &= {each.path[:2] for each in differences(named, now)}
    spoken = (
        {finding.where.partition("/")[0] for finding in new if finding.rule != "carried/stale"} if edited else set()
    )
    told = {kind for word in spoken for kind in SPEAKS.get(word, (word,))}
    return sorted("/".join(path) for path in found if path[0] not in told)


def _renamed(scene: Scene, new: Sequence[Finding]) -> Scene:
    """Return the scene with the new names from findings; references follow."""
    for each in new:
        if each.reason != RENAMED or each.action is not Action.DERIVED:
            continue
        of = each.where.partition("/")[0]
        for kind in (of, "dof") if of == "joint" else (of,):
            if each.before in declared(scene)[kind]:
                scene = rename(scene, kind, {each.before: each.after})
    return scene


def _refused(how: str, end: Path) -> str:
    """Return the refusal, marked as false if it is about a document that the user has not seen."""
    false = how.startswith("refused") and (end.name in how or "carried data of an earlier conversion" in how)
    return f"false refusal: {how}" if false else how


def _about(finding: Finding, path: str) -> bool:
    """Whether a finding is about a place or what contains it (a finding of stale carried data is not)."""
    above = {path.rsplit("/", depth)[0] for depth in range(4)} - {path.split("/")[0]}
    return any(
        source.path == path or (source.path in above and (source.path.count("/") > 1 or source.path == "/asset"))
        for source in finding.sources
    )


def _of(finding: Finding, places: Collection[str]) -> bool:
    """Whether a finding reports the result of an edited item at another place than that of the edit."""
    return finding.where in places and finding.rule != "carried/stale"


def _speaks(finding: Finding, kind: str) -> bool:
    """Whether a finding is about the loss of an item of this kind, which was itself not edited."""
    if kind in ("visual", "collision"):
        return finding.rule == "assets/missing" or (
            (".geoms." in finding.where or finding.where.startswith("geom/")) and finding.rule != "carried/stale"
        )
    if kind == "dof":
        kind = "joint"
    return finding.where.startswith(f"{kind}/") and finding.rule != "carried/stale"


def new_findings(now: Report, before: Report) -> list[Finding]:
    known = {_key(finding) for finding in before.findings}
    return [finding for finding in now.findings if _key(finding) not in known]


def _key(finding: Finding) -> tuple[str, ...]:
    return finding.rule, finding.action, finding.where, finding.before, finding.after
