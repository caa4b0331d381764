"""python -m tests.corpus.items [--source urdf|sdf|mjcf]... [--target urdf|sdf|mjcf|gltf]... [--no-carry] [--seed N]

Every element and attribute of a schema, in a small document of its own, is changed, and removed. The output must
change, or the report must name the place. Most of them are rare in real models.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from converters.context import Options
from tests.corpus.mutation import SUFFIXES, Place, bad, convert_bytes, judge, places
from tests.corpus.values import different
from tests.formats import mjcf_items, sdf_items, urdf_items
from tests.oracles.plain_urdf import written_name

LISTS: dict[str, Any] = {"urdf": urdf_items, "sdf": sdf_items, "mjcf": mjcf_items}
SAME = (
    "robot/@version",
    "sdf/world/physics/@default",
    "mujoco/worldbody/body/attach/@body",
    "mujoco/worldbody/body/geom/@type=sphere",
    "mujoco/worldbody/body/joint/@type=hinge",
    "mujoco/default/geom/@size",
)
"""Items equal to their default or without effect: the only physics profile, an attached model of one body, the default
shapes and joints, a third size of a sphere, a version that changes no meaning."""

LENGTHY = ("xyaxes", "light/direction")
"""Vectors whose length does not affect the direction; nor does the component of a second axis along the first."""


def tried(source: str, target: str, path: str, folder: Path, options: Options, seed: int = 0) -> Iterator[str]:
    """Yield for each change of one item its outcome (mutation.judge), with the change after it."""
    placed = LISTS[source].placed(path)
    root = etree.fromstring(placed.text.encode())
    element = root
    for step in placed.steps[1:]:
        element = next(each for each in element if isinstance(each.tag, str) and written_name(each) == step)
    file = folder / f"model{SUFFIXES[source]}"

    def converted() -> Any:
        return convert_bytes(etree.tostring(root), file, file, folder / "out" / f"robot{SUFFIXES[target]}", options)

    baseline = converted()
    if isinstance(baseline, str):
        yield f"{baseline}: {path} as it is"
        return
    mine = [each for each in places(root) if each.element is element]
    for place in mine:
        if place.path.rpartition("/")[2] == (f"@{placed.attribute}" if placed.attribute else "text()"):
            before = place.value
            for changed in _changed(place, path, random.Random(seed)):
                yield f"{judge(place.path, baseline, converted())}: {path} {before!r} -> {changed!r}"
    above = element.getparent()
    if placed.attribute is None and above is not None and (mine or len(element)):
        number = sum(1 for each in element.itersiblings(element.tag, preceding=True)) + 1
        whole = f"{_path(above)}/{written_name(element)}[{number}]"
        position = above.index(element)
        above.remove(element)
        yield f"{judge(whole, baseline, converted())}: {path} left away"
        above.insert(position, element)


def _changed(place: Place, path: str, draw: random.Random) -> Iterator[str | None]:
    """Yield the document with another value of an attribute or a text, and without the attribute."""
    value = place.value
    other = different(value, place.name or written_name(place.element), draw, {value})
    if not path.endswith(LENGTHY):
        place.put(other)
        yield other
    if place.name is not None:
        del place.element.attrib[place.name]
        yield None
    place.put(value)


def _path(element: etree._Element) -> str:
    """Return the path of an element in the form of mutation.places."""
    above = element.getparent()
    if above is None:
        return f"/{written_name(element)}"
    number = sum(1 for each in element.itersiblings(element.tag, preceding=True)) + 1
    return f"{_path(above)}/{written_name(element)}[{number}]"


def measured(
    source: str, target: str, carry: bool = True, seed: int = 0, paths: Collection[str] | None = None
) -> tuple[Counter[str], list[str]]:
    """Return counts of outcomes, and the unreported losses and crashes. paths: only these items."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kinegraph-items-") as text:
        folder = Path(text)
        if source == "sdf":
            sdf_items.Place(folder)
        for path in LISTS[source].items() if paths is None else paths:
            for outcome in tried(source, target, path, folder, Options(carry=carry), seed):
                outcomes[outcome.partition(":")[0]] += 1
                if path not in SAME and bad(outcome) and not outcome.startswith("report changed"):
                    wrong.append(outcome)
    return outcomes, wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.items", description=__doc__)
    parser.add_argument("--source", action="append", choices=[*LISTS])
    parser.add_argument("--target", action="append", choices=[*SUFFIXES])
    parser.add_argument("--no-carry", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for source in options.source or LISTS:
        for target in options.target or SUFFIXES:
            outcomes, wrong = measured(source, target, not options.no_carry, options.seed)
            said = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
            print(f"{source} -> {target}: {outcomes.total()} changes, {len(wrong)} unheard: {said}", *wrong, sep="\n  ")


if __name__ == "__main__":
    main()
