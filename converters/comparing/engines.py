"""Two models as an independent engine reads them: each is converted to the format of the engine.

Engines are optional (kinegraph[engines]): MuJoCo reads MJCF, Pinocchio URDF, Drake SDFormat.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from converters.assets.uris import package_folders
from converters.comparing.difference import ASPECTS, TOLERANCE, Unlike, differing_numbers, each_once, one_sided
from converters.comparing.models import Columns, dynamics
from converters.comparing.readings import ENGINES, Engine, EngineReader, Folders, Quantities
from converters.context import InputError, Options
from converters.convert import convert, write
from converters.reading import Reading, load
from converters.registry import HEAD, detect
from ir.arrays import Floats, np

SPELT = ":spelling"
"""Suffix of keys of the notation that contain how an author spelled a document, including its includes."""


def looked_at(engine: str) -> tuple[str, ...]:
    """The aspects that an engine compares. Raises InputError for an unknown engine."""
    return tuple(aspect for aspect in ASPECTS if aspect in _reader_of_engine(engine).aspects)


def passed_over(engine: str) -> Mapping[str, str]:
    """Properties that compare_in ignores with this engine, and why. Raises InputError for an unknown engine."""
    reader = _reader_of_engine(engine)
    aspects = [aspect for aspect in ASPECTS if aspect not in reader.aspects]
    return dict.fromkeys((*aspects, *reader.blind), f"{engine} is not asked")


def compare_in(
    engine: str,
    first: str | Path,
    second: str | Path,
    *,
    source: str | None = None,
    options: Options | None = None,
    tolerance: float = TOLERANCE,
    samples: int = 10,
) -> list[Unlike]:
    """Where an engine sees two models differ, in the aspects of looked_at.

    Raises InputError for an unknown engine or one that is not installed, and for a model that it refuses.
    """
    _reader_of_engine(engine)
    options = replace(options or Options(), audit=False)
    with tempfile.TemporaryDirectory(prefix="kinegraph-compare-") as folder:
        models = [
            _opened(engine, Path(path), Path(folder) / side, source, options)
            for side, path in (("first", first), ("second", second))
        ]
        (a, unseen), (b, others) = models
        if unseen or others:
            a, b = (replace(each, rows=_without_meshes(each.rows)) for each in (a, b))
        return list(_differences(a, b, tolerance, samples))


def refusal(engine: str, path: Path, form: str, reading: Reading | None = None) -> str:
    """The objection of an engine to a file of its format, "" if it accepts it.

    reading tells where the files that it names were found.

    Raises InputError for an engine that is unknown or not installed, and for a file of another format.
    """
    reader = _reader_of_engine(engine)
    if form != reader.format:
        others = [name for name, each in ENGINES.items() if each.format == form]
        do = f"ask {', '.join(others)}" if others else f"convert it to {reader.format} first"
        raise InputError(f"{path}: this is {form}, and {engine} is asked about {reader.format}: {do}")
    try:
        reader.read(path, _folders(reading) if reading is not None else {})
    except ImportError as error:
        raise InputError(_missing(engine, error)) from None
    except (ValueError, RuntimeError, MemoryError) as error:
        return " ".join(str(error).split())
    return ""


def _missing(engine: str, error: ImportError) -> str:
    return f"the engine {engine} is not installed ({error}): pip install 'kinegraph[engines]'"


def _reader_of_engine(engine: str) -> EngineReader:
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}; known are {', '.join(ENGINES)}")
    return ENGINES[engine]


def _opened(engine: str, path: Path, folder: Path, source: str | None, options: Options) -> tuple[Engine, bool]:
    """The model, and whether files of it are missing."""
    target, suffix, read = ENGINES[engine].format, ENGINES[engine].suffix, ENGINES[engine].read
    file, unseen = path, False
    with path.open("rb") as opened:
        head = opened.read(HEAD)
    if detect(str(path), head).name != target or source not in (None, target) or options.model is not None:
        file = folder / f"model{suffix}"
        report = convert(path, file, source=source, target=target, options=options)
        unseen = any(finding.rule == "assets/missing" for finding in report.findings)
    elif ENGINES[engine].plain and len((reading := load(path, source=source, options=options)).context.documents) > 1:
        file = folder / f"model{suffix}"
        notation = {key: text for key, text in reading.scene.notation.items() if not key.endswith(SPELT)}
        write(reading.scene.evolve(notation=notation), file, target=target, options=options)
    try:
        return read(file, {}), unseen
    except ImportError as error:
        raise InputError(_missing(engine, error)) from None
    except (ValueError, RuntimeError, MemoryError) as error:
        raise InputError(f"{path}: {engine} does not take it: {' '.join(str(error).split())[:300]}") from None


def _folders(reading: Reading) -> Folders:
    """The folders of the packages and models of which files were found."""
    return package_folders((uri, file) for uri, (file, _) in reading.answers.items())


def _differences(a: Engine, b: Engine, tolerance: float, samples: int) -> Iterator[Unlike]:
    yield from one_sided("structure", a.bodies, b.bodies, "body")
    yield from one_sided("structure", a.joints, b.joints, "joint")
    yield from _rows(a, b, tolerance)
    yield from each_once(_motion(a, b, tolerance, samples))


def _motion(a: Engine, b: Engine, tolerance: float, samples: int) -> Iterator[Unlike]:
    """Poses of bodies, mass matrix and gravity torques at random configurations."""
    common = [name for name in a.joints if name in b.joints]
    places = [{name: place for place, name in enumerate(each.joints)} for each in (a, b)]
    rows, columns = ([each[name] for name in common] for each in places)
    dice = random.Random(0)
    for _ in range(samples):
        values = {name: dice.uniform(*a.joints[name]) for name in common}
        ours, theirs = a.at(values), b.at(values)
        for name, pose in ours.poses.items():
            other = theirs.poses.get(name)
            if other is not None and (by := _gap(pose, other, tolerance)) is not None:
                yield Unlike("poses", f"body/{name}", pose.tolist(), other.tolist(), by)
        if common:
            dense = ours.matrix[np.ix_(rows, rows)], theirs.matrix[np.ix_(columns, columns)]
            first, second = (Columns(each.diagonal(), each.__getitem__) for each in dense)
            yield from dynamics(common, (first, second), (ours.forces[rows], theirs.forces[columns]), tolerance)


def _without_meshes(rows: Quantities) -> Quantities:
    return {key: row for key, row in rows.items() if key[1] != "geometry" or " mesh " not in key[2]}


def _rows(a: Engine, b: Engine, tolerance: float) -> Iterator[Unlike]:
    shared = {f"body/{name}" for name in a.bodies if name in b.bodies}
    shared |= {f"joint/{name}" for name in a.joints if name in b.joints}
    for key in dict.fromkeys((*a.rows, *b.rows)):
        owner, what, part = key
        ours, theirs = a.rows.get(key), b.rows.get(key)
        if owner not in shared:
            continue
        if ours is None or theirs is None:
            one, other = ("there" if row is not None else "missing" for row in (ours, theirs))
            yield Unlike(what, f"{owner}.{part}", one, other)
            continue
        share, unit = max(tolerance, ours.share), max(ours.unit, theirs.unit)
        yield from differing_numbers(what, f"{owner}.{part}", ours.numbers, theirs.numbers, share, unit)


def _gap(a: Floats, b: Floats, tolerance: float) -> float | None:
    worst = float(np.abs(a - b).max())
    return worst if worst > tolerance * max(1.0, float(np.abs(a).max())) else None
