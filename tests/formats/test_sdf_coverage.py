"""Executable coverage of SDFormat 1.12: for each element and attribute a document is converted to every format and
back.

tests/golden/coverage_sdf.txt contains the class of each after reading, coverage_sdf_to_*.txt the result in the other
formats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from converters.context import InputError
from converters.registry import format_named
from converters.report.findings import Comparison, findings
from converters.report.model import Action
from converters.sdf.tables import SPELLING
from converters.source.tree import Element, fragment
from converters.source.xml import Document
from ir.diff import Difference, compare
from ir.scene import Scene
from tests.formats import sdf_items
from tests.formats.coverage import MAPPED, Placed, Trip, golden, listed, located, wrongs
from tests.oracles import in_mujoco

SDF = format_named("sdf")
TARGETS = ("urdf", "mjcf")
WORST = (Action.UNEXPLAINED, Action.DROPPED, Action.APPROXIMATED, Action.CARRIED)

RESPELLED = frozenset({"sdf/@version"})
"""Items that are not in the graph, because they are notation: they come back nevertheless."""
NEUTRAL = frozenset({"sdf/world/physics/@default", "sdf/world/physics/@name"})
"""Items with the same meaning whether written or not: a single physics profile is the default, and names are labels."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> sdf_items.Place:
    return sdf_items.Place(tmp_path_factory.mktemp("items"))


def comes_back(done: Trip, found: Placed) -> str:
    """Return what is wrong with the document of SDF -> SDF, "" for nothing."""
    if done.lasting or done.native:
        return f"lost {[each.where for each in done.lasting or done.native]}"
    root = fragment(done.output.document.decode())
    if found.attribute is None:
        said, written = inside(fragment(found.text), found), inside(root, found)
    else:
        said, written = located(fragment(found.text), found), located(root, found)
    return "" if said == written else f"{said!r} came back as {written!r}"


def inside(root: object, found: Placed) -> str | None:
    """Return the text of the element of an item, None if it is missing."""
    element = root
    for step in found.steps[1:]:
        assert isinstance(element, Element)
        element = element.find(step)
        if element is None:
            return None
    assert isinstance(element, Element)
    return "".join(item for item in element.content if isinstance(item, str)).strip()


def tells(place: sdf_items.Place, scene: Scene, path: str) -> bool:
    """Whether the graph differs without the item; always true for an element that contains others."""
    if path in NEUTRAL | RESPELLED or (sdf_items.items()[path] == "element" and "@" not in path):
        return True
    try:
        other, _ = place.read(sdf_items.without(path).encode(), SDF)
    except InputError:
        return True
    return bool(compare(scene, other)[0]) or meaning(scene) != meaning(other)


def meaning(scene: Scene) -> dict[str, str]:
    return {key: value for key, value in scene.notation.items() if key != SPELLING}


Found = tuple[dict[str, str], dict[str, str]]
"""Path -> class, and path -> error."""


def every(judge: Callable[[str, Found], None]) -> Found:
    found: Found = ({}, {})
    for path in sdf_items.items():
        try:
            judge(path, found)
        except Exception as error:  # whatever it is, it is told of this item, with all the others
            found[1][path] = f"{type(error).__name__}: {error}"
    return found


Held = Callable[[str], tuple[Placed, Scene, Document]]


@pytest.fixture(scope="module")
def held(place: sdf_items.Place) -> Held:
    """A cached function that returns an item in its document, and the result of reading it."""

    @cache
    def found(path: str) -> tuple[Placed, Scene, Document]:
        item = sdf_items.placed(path)
        return item, *place.read(item.text.encode(), SDF)

    return found


@pytest.fixture(scope="module")
def own(place: sdf_items.Place, held: Held) -> Found:
    def judge(path: str, found: Found) -> None:
        item, scene, document = held(path)
        kind = found[0][path] = sdf_items.classed(document, item)
        wrong = comes_back(sdf_items.through(place, scene, SDF), item)
        if wrong:
            found[1][path] = f"{kind}: {wrong}"
        elif kind == MAPPED and not tells(place, scene, path):
            found[1][path] = "read, but the graph is the same without it"

    return every(judge)


@pytest.fixture(scope="module", params=TARGETS)
def other(request: pytest.FixtureRequest, place: sdf_items.Place, held: Held) -> tuple[str, Found]:
    """The format, and the result of each item in it."""
    to = format_named(request.param)
    plain: dict[str, frozenset[tuple[str, ...]]] = {}

    def judge(path: str, found: Found) -> None:
        _, scene, _ = held(path)
        done = sdf_items.through(place, scene, to)
        if to.name == "mjcf":
            in_mujoco.takes(done.output)
        top = path.split("/")[1] if path.count("/") and "@" not in path[:5] else "model"
        if top not in plain:
            base = f'<sdf version="{sdf_items.VERSION}">{sdf_items.BASES[top]}</sdf>'
            plain[top] = places(sdf_items.through(place, place.read(base.encode(), SDF)[0], to).native)
        own = [each for each in done.native if key(each) not in plain[top] and each.kind != "extra"]
        told = findings(
            scene, Comparison(native=own, lasting=done.lasting), done.steps, to.losses(), fitted=done.fitted
        )
        actions = {each.action for each in told}
        kind = next((action for action in WORST if action in actions), None)
        found[0][path] = kind.value if kind is not None else MAPPED
        if done.lasting or kind in (Action.UNEXPLAINED, Action.DROPPED):
            found[1][path] = f"{kind}: {[(each.rule, each.where) for each in told][:3]}"

    return to.name, every(judge)


def key(difference: Difference) -> tuple[str, ...]:
    return (*difference.path, difference.kind)


def places(differences: list[Difference]) -> frozenset[tuple[str, ...]]:
    return frozenset(map(key, differences))


def test_everything_of_sdf_is_mapped_or_carried_and_comes_back(own: Found):
    assert own[1] == {}, wrongs(own[1])


def test_the_coverage_of_sdf_is_the_recorded_one(own: Found, update: bool):
    assert listed(own[0]) == golden("sdf", own[0], update)


def test_nothing_of_sdf_is_lost_in_another_format(other: tuple[str, Found]):
    name, found = other
    assert found[1] == {}, f"{name}: {wrongs(found[1])}"


def test_what_becomes_of_sdf_in_another_format_is_recorded(other: tuple[str, Found], update: bool):
    name, found = other
    assert listed(found[0]) == golden(f"sdf_to_{name}", found[0], update)


def test_the_list_is_what_files_may_hold():
    """Only names, each below one that is also listed."""
    items = sdf_items.items()
    assert len(items) > 850
    assert all(path.rpartition("/")[0] in items or path == "sdf" for path in items)
    assert Path(sdf_items.LIST).read_text() == "".join(f"{path} {kind}\n" for path, kind in sorted(items.items()))
