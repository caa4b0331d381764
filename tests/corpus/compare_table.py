"""python -m tests.corpus.compare_table [--corpus DIR]... [--source FORMAT]... [--engine E]... [--numbers] [-o FILE.md]

Every real robot is compared with its own conversion to each format: by `kinegraph compare`, and as engines read both.
With --numbers it is compared with itself instead, with some numbers of each kind changed by 1/10 000, one at a time.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from converters.comparing import compare, compare_in
from converters.context import InputError, Options
from converters.convert import convert
from tests.corpus.sdf_models import search
from tests.corpus.table import answers, chosen, finish, shared_options
from tests.oracles.server import Task
from tests.oracles.verdict import Verdicts

TARGETS = {"urdf": "other.urdf", "sdf": "other.sdf", "mjcf": "other.xml", "gltf": "other.glb"}
ENGINES = ("mujoco", "pinocchio", "drake")
MEANING = {
    "converts": "the model is read, and the check ran",
    **{target: f"compare finds no difference from its conversion to {target}" for target in TARGETS},
    **{engine: f"nor does {engine}, in any of them" for engine in ENGINES},
}

NUMBERS = {"converts": "the model is read, and the check ran", "named": "each changed number is named at its place"}


def compared(path: str, folders: list[str], engines: list[str]) -> dict[str, Any]:
    """Return the verdicts of one model."""
    verdicts = Verdicts()
    options = Options(resource_paths=tuple(Path(folder) for folder in folders), find_srdf=False)
    with tempfile.TemporaryDirectory(prefix="kinegraph-compared-") as folder:
        for target, name in TARGETS.items():
            place = Path(folder) / name
            try:
                convert(path, place, options=options)
                found = compare(path, place, options=options, samples=3)
            except InputError as error:
                verdicts.excuse("converts", str(error))
                break
            verdicts.good("converts")
            verdicts.good(target)
            for each in found[:3]:
                verdicts.fail(target, f"{each.what}: {each.where}: {each.first} {each.second} {each.by}")
            for engine in engines:
                _engine(verdicts, engine, Path(path), place, options)
    return {"criteria": verdicts.criteria, "seconds": {}}


def _engine(verdicts: Verdicts, engine: str, path: Path, place: Path, options: Options) -> None:
    try:
        found = compare_in(engine, path, place, options=options, samples=2)
    except InputError as error:
        verdicts.excuse(engine, str(error))
        return
    verdicts.good(engine)
    for each in found[:3]:
        verdicts.fail(engine, f"{place.name}: {each.what}: {each.where}: {each.by}")


def main() -> None:
    parser = shared_options("compare_table", __doc__, "--source", "--every")
    parser.add_argument("--engine", action="append", choices=ENGINES, default=[])
    parser.add_argument("--numbers", action="store_true", help="changed numbers, instead of conversions")
    options = parser.parse_args()
    found = chosen(options)
    known = [model for _, model in found]
    folders = [str(folder) for folder in search(options.corpus)]
    tasks: list[Task] = [
        ("named", {"path": str(model.path), "folders": folders, "source": name})
        if options.numbers
        else ("compared", {"path": str(model.path), "folders": folders, "engines": options.engine})
        for name, model in found
    ]
    results = answers(options, known, tasks)
    title = f"{len(known)} models."
    if options.numbers:
        title += f" {sum(result.get('changes', 0) for result in results.values())} numbers changed."
    finish(options, title, results, NUMBERS if options.numbers else MEANING)


if __name__ == "__main__":
    main()
