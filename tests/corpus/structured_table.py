"""python -m tests.corpus.structured_table [--kind urdf|sdf|mjcf]... [--first N] [--count N]

Random robots (structured.py) are converted to each format, and from there to each other one, with and without carried
data. Engines must read the same poses and the same mass matrix from source and result, and nothing in a report may be
unexplained.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Set
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from converters.comparing import compare
from converters.comparing.readings import ENGINES, Engine, Seen
from converters.context import InputError, Options
from converters.convert import convert
from converters.report.model import Action
from tests.corpus.structured import ROBOTS, written
from tests.files import saved
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import of_rule

NAMES = {"urdf": "robot.urdf", "sdf": "robot.sdf", "mjcf": "robot.xml", "gltf": "robot.glb"}
JUDGES = {reader.format: reader for reader in ENGINES.values()}
NEAR, PRINTED = 1e-9, 2e-5
"""Tolerances in metres, and relative to the largest mass; where libsdformat prints its includes with six digits."""
DRAKE = ("form one or more loops", "already has joint", "(revolute2) not supported", "(screw) not supported")
"""Messages of Drake for what it does not support in SDFormat."""
MASSLESS = "frames/massless-link"
"""The rule of findings about massless links that become frames in SDFormat."""
LOOPS = ("<connect ", "<weld ")
"""Elements that close a loop: for other readers another joint of it may be the one that closes it."""


class _Source(Struct, frozen=True):
    kind: str
    seed: int
    path: Path
    engine: Engine | None
    """None if its engine does not support its content."""
    near: float
    loops: bool


def complaints(kind: str, seed: int, folder: Path) -> list[str]:
    """Return what is wrong with all conversions of a robot; they are written into the folder."""
    path = written(kind, seed, folder / "source")
    texts = [file.read_text() for file in path.parent.iterdir()]
    engine = _engine(kind, _whole(path) if kind == "sdf" else path)
    if any('type="screw"' in text for text in texts):
        engine = None  # a hinge and a slide elsewhere, which engines move apart
    near = PRINTED if kind == "sdf" and len(texts) > 1 else NEAR
    loops = any(mark in text for text in texts for mark in LOOPS)
    source = _Source(kind, seed, path, engine, near, loops)
    return [f"{kind} {seed}: {each}" for carry in (True, False) for each in _ways(source, folder / str(carry), carry)]


def _whole(path: Path) -> Path:
    """Write an SDFormat document with everything that it includes, as libsdformat expands it."""
    found = sdformat_expands(path, [path.parent])
    assert not found["errors"], found["errors"]
    return saved(path.parent.parent / "whole.sdf", found["document"])


def _engine(kind: str, path: Path) -> Engine | None:
    """Return a model as its engine reads it, with the names of joints and bodies within their models."""
    try:
        found = JUDGES[kind].read(path, {})
    except (ValueError, RuntimeError) as error:
        if any(words in str(error) for words in DRAKE):
            return None
        raise
    whole = {_plain(name): name for name in found.joints}

    def at(values: dict[str, float]) -> Seen:
        seen = found.at({whole[name]: value for name, value in values.items()})
        return replace(seen, poses={_plain(name): pose for name, pose in seen.poses.items()})

    return replace(found, joints={_plain(name): bounds for name, bounds in found.joints.items()}, at=at)


def _plain(name: str) -> str:
    return name.rsplit("::")[-1]


def _ways(source: _Source, folder: Path, carry: bool) -> Iterator[str]:
    for middle, name in NAMES.items():
        between = folder / middle / name
        told: set[str] = set()
        yield from _went(source, source.path, between, middle, carry, middle, told)
        for target, last in NAMES.items():
            if target == middle or not between.exists() or (middle == "gltf" and not carry):
                continue
            arrived, way = folder / f"{middle}-{target}" / last, f"{target} by {middle}"
            yield from _went(source, between, arrived, target, carry, way, told.copy())
            if carry and target == source.kind and arrived.exists():
                for each in compare(source.path, arrived, samples=1):
                    yield f"{way}: {each.what} of {each.where} is apart by {each.by}"


def _went(source: _Source, path: Path, target: Path, to: str, carry: bool, way: str, told: set[str]) -> Iterator[str]:
    """told: links that became frames by an earlier report; those of this report are added."""
    said = way if carry else f"{way}, bare"
    try:
        report = convert(path, target, options=Options(base="fixed", carry=carry))
    except InputError as error:
        yield f"{said}: refused: {error}"
        return
    for finding in report.findings:
        if finding.action is Action.UNEXPLAINED:
            yield f"{said}: unexplained: {finding.where} {finding.before[:60]} {finding.after[:60]}"
    told.update(_plain(each.before.removeprefix("body ")) for each in of_rule(report, MASSLESS))
    if source.engine is None or to not in JUDGES or (source.loops and not carry):
        return
    other = _engine(to, target)
    if other is not None:
        renamed = not carry and to == "sdf" and source.kind == "sdf"  # "::" is no part of a name there
        yield from (f"{said}: {each}" for each in _unlike(source, other, renamed, told))


def _unlike(source: _Source, other: Engine, renamed: bool, told: Set[str]) -> Iterator[str]:
    assert source.engine is not None
    dice, names = random.Random(source.seed), [name for name in source.engine.joints if name in other.joints]
    for _ in range(2):
        values = {name: dice.uniform(-1.0, 1.0) for name in names}
        first, second = source.engine.at(values), other.at(values)
        missing = first.poses.keys() - second.poses.keys() - told
        if missing and renamed:
            return
        if missing:
            yield f"bodies are missing: {sorted(missing)}"
            return
        by = max(
            (
                float(np.abs(pose - second.poses[name]).max())
                for name, pose in first.poses.items()
                if name in second.poses
            ),
            default=0.0,
        )
        if by > source.near:
            yield f"poses are apart by {by:g}"
        one, two = (
            seen.matrix[np.ix_(places, places)]
            for engine, seen in ((source.engine, first), (other, second))
            for places in [[[*engine.joints].index(name) for name in names]]
        )
        share = float(np.abs(one - two).max() / max(np.abs(one).max(), 1e-9)) if names else 0.0
        if share > source.near:
            yield f"mass matrices are apart by {share:g} of the largest number"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.structured_table", description=__doc__)
    parser.add_argument("--kind", action="append", choices=[*ROBOTS], help="formats of the robots (all)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first seed")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="robots of each format")
    options = parser.parse_args()
    total = 0
    for kind in options.kind or ROBOTS:
        for seed in range(options.first, options.first + options.count):
            with tempfile.TemporaryDirectory(prefix="kinegraph-structured-") as folder:
                found = complaints(kind, seed, Path(folder))
            total += len(found)
            for each in found:
                print(each, flush=True)
    print(f"{options.count * len(options.kind or ROBOTS)} robots, {total} complaints")


if __name__ == "__main__":
    main()
