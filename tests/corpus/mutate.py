"""python -m tests.corpus.mutate [--source urdf|sdf|mjcf|gltf] [--target mjcf|urdf|sdf|gltf] [--robots N] [--sample N]
                                [--structure] [--corpus DIR]... [--only TEXT] [-o FILE]

Changes every attribute (and text, or member) of N robots in turn, and counts the outcomes.
--structure: instead, elements (of a glTF: members) are removed, duplicated, moved and misspelt, and unknown ones are
inserted, as many as --sample.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.corpus import mutation
from tests.corpus.gltf_models import gltf_models
from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import Model, models, readable
from tests.corpus.outcomes import tell
from tests.corpus.sdf_models import converted, sdf_models, search
from tests.oracles import plain_urdf
from tests.oracles.server import spread

LEAST = 60
"""Minimum number of attributes and texts of a file that is used."""
MOST = 6000
PLACES = 100
"""Number of structural changes per robot, unless --sample gives another one."""


def chosen(candidates: list[Model], count: int) -> list[Model]:
    """Return that many robots, of as many families as possible; always the same ones."""
    families: dict[str, list[Model]] = {}
    for model in candidates:
        root = plain_urdf.parse(model.path)
        if LEAST <= sum(1 for _ in mutation.places(root)) <= MOST:
            families.setdefault("/".join(model.name.split("/")[:2]), []).append(model)
    picked: list[Model] = []
    while len(picked) < count and any(families.values()):
        for family in sorted(families):
            if families[family] and len(picked) < count:
                picked.append(families[family].pop(0))
    return sorted(picked)


def candidates_of(source: str, corpus: list[str]) -> list[Model]:
    """Return the real models of a format that can be converted at all."""
    if source == "gltf":
        return gltf_models(corpus)
    if source == "urdf":
        return readable(models(corpus))[0]
    return converted(sdf_models(corpus) if source == "sdf" else mjcf_models(corpus))


def _asked(options: argparse.Namespace, folders: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the task of the worker for each robot, and its arguments in addition to the path."""
    xml = {"folders": folders} if options.source != "gltf" else {}
    asked = {"target": options.target, "limit": options.sample, "seed": options.seed}
    if not options.structure:
        return ("mutate" if xml else "mutate_gltf"), asked | xml
    asked["limit"] = options.sample or PLACES
    return ("restructure", asked | xml | {"source": options.source}) if xml else ("restructure_gltf", asked)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.mutate", description=__doc__)
    parser.add_argument("--robots", type=int, default=40)
    parser.add_argument("--sample", type=int, help="so many places of each robot instead of all")
    parser.add_argument("--source", choices=["urdf", "sdf", "mjcf", "gltf"], default="urdf")
    parser.add_argument("--target", choices=sorted(mutation.SUFFIXES), default="mjcf")
    parser.add_argument("--structure", action="store_true", help="change elements instead of attributes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", action="append", default=[], metavar="DIR")
    parser.add_argument("--only", metavar="TEXT", help="robots whose name contains this")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    start = time.perf_counter()
    candidates = candidates_of(options.source, options.corpus)
    folders = [str(folder) for folder in search(options.corpus)] if options.source == "sdf" else []
    if options.only:
        candidates = [model for model in candidates if options.only in model.name]
    whole = options.only or options.source == "gltf"
    robots = candidates if whole else chosen(candidates, options.robots)
    by_path = {str(model.path): model.name for model in robots}
    ask, asked = _asked(options, folders)
    tasks = [(ask, {"path": path} | asked) for path in by_path]
    total: Counter[str] = Counter()
    lines: list[str] = []
    for task, answer in spread("tests.corpus.worker", tasks, options.processes, timeout=3600):
        name = by_path[task[1]["path"]]
        if isinstance(answer, Exception):
            answer = {"outcomes": {"worker died": 1}, "silent": [str(answer).strip()], "places": 0}
        total.update(answer["outcomes"])
        print(f"{name}: {answer['places']} places, {answer['outcomes']}", flush=True)
        lines += [f"{name}: {line}" for line in answer["silent"]]
        for line in answer["silent"][:20]:
            print("   ", line, flush=True)
        if len(answer["silent"]) > 20:
            print(f"    ... and {len(answer['silent']) - 20} more", flush=True)
    heading = f"Mutation of {len(robots)} robots, {options.source} -> {options.target}: "
    heading += f"{sum(total.values())} places in {time.perf_counter() - start:.0f} s"
    tell(heading, total, "places", lines, options.output)


if __name__ == "__main__":
    main()
