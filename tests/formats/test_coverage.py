"""Executable coverage: for each item of a format there is a document, and the item is mapped, or carried and restored.

The lists of elements and attributes are external: the schema in the trimesh wheel, and the one MuJoCo prints.
tests/golden/coverage_*.txt contain the class of each item.
"""

from __future__ import annotations

from functools import cache
from html import unescape

import pytest

from converters.context import InputError
from converters.format import Format
from converters.mjcf.tables import SPELLING as MJCF_SPELLING
from converters.registry import format_named
from converters.source.tree import fragment
from converters.urdf.tables import SPELLING as URDF_SPELLING
from ir.scene import Scene
from tests import matrix
from tests.formats import mjcf_items, urdf_items
from tests.formats.coverage import (
    CARRIED,
    MAPPED,
    Placed,
    classed,
    golden,
    lacking,
    listed,
    located,
    read,
    same,
    trip,
    wrongs,
)

URDF, MJCF = format_named("urdf"), format_named("mjcf")


RESPELLED = {
    ("robot/link/visual/origin/@quat_xyzw", None): "0 1 0 0",
    ("robot/joint/origin/@quat_xyzw", None): "0 1 0 0",
    ("robot/joint/limit/@drake:acceleration", None): "1",
}
"""Items that the output spells differently with the same meaning: rpy, and acceleration where the version has it."""


@pytest.fixture(scope="module")
def urdf() -> tuple[dict[str, str], dict[str, str]]:
    """Return path -> class, and path -> error."""
    found: dict[str, str] = {}
    wrong: dict[str, str] = {}
    for path in urdf_items.items():
        placed = urdf_items.placed(path)
        try:
            scene, document = read(placed.text, URDF)
            found[path] = classed(document, placed)
            done = trip(scene, URDF, URDF)
            value, written = placed.value, located(fragment(done.output.document.decode()), placed)
            written = RESPELLED.get((path, written), written)
            if done.lasting or done.native:
                wrong[path] = f"lost {[each.where for each in done.lasting or done.native]}"
            elif found[path] == MAPPED and not tells(scene, placed, lacking(placed), URDF):
                wrong[path] = "read, but the graph is the same without it"
            elif not equal(value, written):
                wrong[path] = f"{found[path]}, but {value!r} came back as {written!r}"
        except Exception as error:  # whatever it is, it is told of this item, with all the others
            wrong[path] = f"{type(error).__name__}: {error}"
    return found, wrong


def equal(a: str | None, b: str | None) -> bool:
    """Whether both are the same text or the same numbers."""
    if a == b or a is None or b is None:
        return a == b
    try:
        return [float(word) for word in a.split()] == [float(word) for word in b.split()]
    except ValueError:
        return False


@pytest.fixture(scope="module")
def mjcf() -> tuple[dict[str, str], dict[str, str]]:
    found: dict[str, str] = {}
    wrong: dict[str, str] = {}
    kinds: dict[str, list[tuple[str, Scene]]] = {}
    for path in mjcf_items.items():
        placed = mjcf_items.placed(path)
        try:
            scene, document = read(placed.text, MJCF)
            alike = kinds.setdefault(path.partition("=")[0], []) if "=" in path else []
            other = next((each for each in alike if same(scene, each[1])), None)
            alike.append((path, scene))
            kind = found[path] = classed(document, placed)
            done = trip(scene, MJCF, MJCF)
            if done.lasting:
                wrong[path] = f"lost {[each.where for each in done.lasting]}"
            elif kind == MAPPED and not tells(scene, placed, mjcf_items.without(path), MJCF):
                wrong[path] = "read, but the graph is the same without it"
            elif other is not None:
                wrong[path] = f"the graph is that of {other[0]}"
            elif kind == CARRIED and not kept(placed, done.output.document.decode()):
                wrong[path] = "not in the output"
        except Exception as error:  # whatever it is, it is told of this item, with all the others
            wrong[path] = f"{type(error).__name__}: {error}"
    return found, wrong


NEUTRAL = ("mujoco/worldbody/body/joint/@type=hinge", "mujoco/default/@class")
"""Items that mean the same whether they are written or not."""


def tells(scene: Scene, placed: Placed, other: str, form: Format) -> bool:
    """Whether the graph differs between the document and the other one, which lacks the attribute; always true for an
    element. Notes on the author's spelling are not compared, because they always differ."""
    if placed.attribute is None or placed.path in NEUTRAL or placed.text == other:
        return True
    try:
        return not same(_unspelt(scene), _unspelt(_read(other, form)))
    except InputError:
        return True


def _unspelt(scene: Scene) -> Scene:
    bare = scene.evolve()
    bare.notation = {key: value for key, value in scene.notation.items() if key not in (URDF_SPELLING, MJCF_SPELLING)}
    return bare


@cache
def _read(text: str, form: Format) -> Scene:
    """Read a document, cached: many attributes leave the same document when removed."""
    return read(text, form)[0]


def kept(placed: Placed, text: str) -> bool:
    """Whether carried data is in the output, in its place or in a text that contains it."""
    plain = unescape(text).replace('\\"', '"')
    if placed.attribute is None:
        return f"<{placed.steps[-1]}" in plain
    forms = (f'{placed.attribute}="{placed.value}"', f'@{placed.attribute}","text":"{placed.value}"')
    return any(form in plain for form in forms)


def test_everything_of_urdf_is_mapped_or_carried_and_comes_back(urdf: tuple[dict[str, str], dict[str, str]]):
    assert urdf[1] == {}, wrongs(urdf[1])


def test_everything_of_mjcf_is_mapped_or_carried_and_comes_back(mjcf: tuple[dict[str, str], dict[str, str]]):
    assert mjcf[1] == {}, wrongs(mjcf[1])


def test_the_coverage_of_urdf_is_the_recorded_one(urdf: tuple[dict[str, str], dict[str, str]], update: bool):
    assert listed(urdf[0]) == golden("urdf", urdf[0], update)


def test_the_coverage_of_mjcf_is_the_recorded_one(mjcf: tuple[dict[str, str], dict[str, str]], update: bool):
    assert listed(mjcf[0]) == golden("mjcf", mjcf[0], update)


def test_the_matrix_in_the_readme_is_that_of_today():
    text = matrix.README.read_text()
    assert matrix.updated(text) == text, "run python -m tests.matrix"
