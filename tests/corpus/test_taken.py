"""What a reader marks as read is in the graph or in a note: changing it changes one of them.

Notes on the author's spelling are not considered: they restore everything, also what was neither kept nor reported.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from converters.context import InputError
from converters.reading import load
from ir.diff import differences
from ir.scene import Scene
from tests.conftest import MADE
from tests.corpus.mutation import SUFFIXES, different, kind_of, places
from tests.corpus.structured import written

KINDS = ("urdf", "sdf", "mjcf")
SEEDS = range(3)
MOST = 2
TRIES = 12
"""A direction of twice the length is the same direction: then another of its numbers is changed."""
WITHOUT_EFFECT = {
    "feature_wiki_link.urdf: /robot/link[1]/inertial[1]/origin[1]/@rpy": "its moments are those of a sphere",
    "feature_sdf_world.sdf: /sdf/world[1]/physics[1]/@default": "it is the only profile",
    "feature_sdf_1_4.sdf: /sdf/model[1]/joint[1]/axis[1]/limit[1]/lower[1]/text()": "1e16 and more is no limit",
    "feature_sdf_1_4.sdf: /sdf/model[1]/joint[1]/axis[1]/limit[1]/upper[1]/text()": "1e16 and more is no limit",
    "/mujoco/compiler[1]/@autolimits": "every range of these robots says that it limits",
}
Said = tuple[Scene, dict[str, str], list[tuple[str, ...]]]


def said(path: Path, kind: str) -> Said | str:
    """Return all results of reading; if it is refused, the message."""
    try:
        reading = load(path, source=kind)
    except InputError as error:
        return error.message
    notation = {key: value for key, value in reading.scene.notation.items() if not key.endswith(":spelling")}
    notes = [(note.rule, note.where, note.before, note.after, note.reason) for note in reading.context.notes]
    return reading.scene, notation, notes


def unheard(path: Path, kind: str, often: Counter[str] | None = None) -> list[str]:
    """Return the places of a document whose change has no effect on the result of reading. The file is overwritten.

    often: how many places of each kind were changed before, in other documents: MOST are enough. None: all are changed.
    """
    before = said(path, kind)
    assert not isinstance(before, str), before
    dice = random.Random(path.name)
    document = etree.parse(path)
    found: list[str] = []
    for place in places(document.getroot()):
        if often is not None:
            often[kind_of(place)] += 1
            if often[kind_of(place)] > MOST:
                continue
        value = place.value
        for _ in range(TRIES):
            place.put(different(value, place.name or "", dice))
            document.write(path, encoding="utf-8")
            after = said(path, kind)
            if isinstance(after, str) or after[1:] != before[1:] or differences(before[0], after[0]):
                break
        else:
            found.append(f"{path.name}: {place.path}")
        place.put(value)
    return found


def _parses(path: Path) -> bool:
    """Whether it is XML for other parsers: Kinegraph's readers also accept some invalid files."""
    try:
        etree.parse(path)
    except (etree.XMLSyntaxError, OSError):
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_the_made_models_is_read_and_forgotten(kind: str, tmp_path: Path) -> None:
    shutil.copytree(MADE, tmp_path / "made")
    paths = [path for path in (tmp_path / "made").glob(f"[!e]*{SUFFIXES[kind]}") if _parses(path)]
    assert len(paths) > 5
    assert [
        place for path in sorted(paths) for place in unheard(path, kind) if not place.endswith(tuple(WITHOUT_EFFECT))
    ] == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_random_robots_is_read_and_forgotten(kind: str, tmp_path: Path) -> None:
    found: list[str] = []
    often = Counter[str]()
    for seed in SEEDS:
        (tmp_path / str(seed)).mkdir()
        model = written(kind, seed, tmp_path / str(seed))
        found += unheard(model.rename(model.with_name(f"{seed}{model.suffix}")), kind, often)
    assert [place for place in found if not place.endswith(tuple(WITHOUT_EFFECT))] == []
