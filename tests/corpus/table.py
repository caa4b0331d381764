"""python -m tests.corpus.table [--corpus DIR]... [--only TEXT] [--list] [-o FILE.md]

Every promise of the conversion URDF <-> MJCF, measured on every real model that Pinocchio reads: how many keep it, and
each exception with its cause. Folders can also be given in the environment variable KINEGRAPH_CORPUS.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import Model, models, readable
from tests.corpus.sdf_models import sdf_models
from tests.oracles.server import Task, spread
from tests.oracles.verdict import EXCUSED, FAILED, GOOD

MEANING = {
    "converts": "URDF -> MJCF converts",
    "explained": "no unexplained difference in URDF -> MJCF",
    "loads": "MuJoCo loads the MJCF",
    "links": "every link is a body of that name",
    "poses": "poses of all links at 10 random configurations within 1e-9 of Pinocchio",
    "limits": "limits, effort, damping and friction equal",
    "inertia": "mass, centre of mass and tensor of each link within 1e-9",
    "mass": "total mass within 1e-9 relative",
    "matrix": "mass matrix within 1e-9 relative of Pinocchio",
    "visuals": "every visual is there, same extent, its colour or texture",
    "triangles": "triangles of the visual meshes as in the files",
    "collisions": "every collision is there, same extent and triangles",
    "urdf": "URDF -> URDF converts, nothing unexplained",
    "same urdf": "URDF -> URDF is the same, element for element",
    "second write": "the second write is byte-identical",
    "check_urdf": "check_urdf accepts the URDF written, without complaint",
    "through mjcf": "URDF -> MJCF -> URDF is byte-identical with URDF -> URDF",
    "same through mjcf": "URDF -> MJCF -> URDF is the same, element for element",
    "defaults": "URDFs keep even what says no more than its absence (identity origins, scale 1 1 1)",
    "conservation": "lxml counts the items that the report counts, read + ignored + unread",
    "places": "every place that the report names exists",
    "lines": "every line that the report names holds that element",
}


SOURCES = {"urdf": models, "sdf": sdf_models, "mjcf": mjcf_models}
"""Maps a format to the function that finds its models."""
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "--source": {"action": "append", "choices": SOURCES, "help": "models of this format only"},
    "--corpus": {"action": "append", "default": [], "metavar": "DIR"},
    "--only": {"default": "", "metavar": "TEXT", "help": "models whose name contains this (mostly with every message)"},
    "--criterion": {"action": "append", "default": [], "help": "tell exceptions of these criteria only"},
    "--every": {"type": int, "default": 1, "metavar": "N", "help": "one model of N"},
    "--excuses": {"action": "store_true", "help": "tell also where there was nothing to compare"},
}


def shared_options(table: str, doc: str | None, *more: str, processes: int = 1) -> argparse.ArgumentParser:
    """Return a parser with the options of every table, and those of OPTIONS that this one (a module of this folder) has
    in addition; time is measured from here."""
    parser = argparse.ArgumentParser(prog=f"python -m tests.corpus.{table}", description=doc)
    for name in ("--corpus", "--only", *more):
        parser.add_argument(name, **OPTIONS[name])
    parser.add_argument("--processes", type=int, default=processes)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    parser.set_defaults(start=time.perf_counter(), criterion=[], excuses=False, every=1)
    return parser


def chosen(
    options: argparse.Namespace, sources: Mapping[str, Callable[..., list[Model]]] = SOURCES
) -> list[tuple[str, Model]]:
    """Return format and model of those selected by --source, --only and --every."""
    return [
        (name, model)
        for name in options.source or sources
        for model in sources[name](options.corpus)
        if options.only in model.name
    ][:: options.every]


def main() -> None:
    parser = shared_options("table", __doc__, "--criterion", "--excuses", processes=2)
    parser.add_argument("--list", action="store_true", help="print the models and end")
    options = parser.parse_args()
    candidates = [model for model in models(options.corpus) if options.only in model.name]
    reads, refused = readable(candidates)
    if options.list:
        for model in reads:
            print(model.name, model.path)
        return
    order = sorted(reads, key=lambda model: -model.path.stat().st_size)
    tasks: list[Task] = [("everything", {"path": str(model.path)}) for model in order]
    title = f"{len(reads)} URDFs that Pinocchio reads ({len(refused)} more that it refuses)."
    finish(options, title, answers(options, reads, tasks), MEANING)


DIED = "converts"
"""The criterion that fails for a model without an answer of a worker, whether it is a promise of the table or not."""


def answers(options: argparse.Namespace, models: list[Model], tasks: list[Task]) -> dict[str, Any]:
    """Return the worker's result for each model, by name, with a progress message for each if --only is used; a crash
    of the worker is a failure of the criterion DIED."""
    names = {str(model.path): model.name for model in models}
    results: dict[str, Any] = {}
    for number, (task, answer) in enumerate(spread("tests.corpus.worker", tasks, options.processes, timeout=180), 1):
        name = names[task[1]["path"]]
        if isinstance(answer, Exception):
            message = str(answer).strip().splitlines()[-1]
            answer = {
                "criteria": {DIED: {"verdict": FAILED, "excuses": [], "failures": [f"worker: {message}"]}},
                "seconds": {},
            }
            if options.only:
                print(str(task), answer, file=sys.stderr)
        results[name] = answer
        if options.only:
            print(name, {key: round(value, 3) for key, value in answer["seconds"].items()})
        elif sys.stderr.isatty():
            sys.stderr.write(f"\r{number}/{len(tasks)} {name[-60:]:60}")
    return results


def summary(title: str, results: Mapping[str, Any], excuses: bool, only: list[str], promises: Mapping[str, str]) -> str:
    """Return the table in Markdown, then every exception, grouped by cause."""
    lines = [title, ""]
    lines += ["| | kept | nothing (or not all) to compare | failed | not reached |", "|---|---:|---:|---:|---:|"]
    for criterion, meaning in promises.items():
        verdicts = Counter(
            result["criteria"].get(criterion, {"verdict": "-"})["verdict"] for result in results.values()
        )
        lines.append(f"| {meaning} | {verdicts[GOOD]} | {verdicts[EXCUSED]} | {verdicts[FAILED]} | {verdicts['-']} |")
    clean = sum(
        not any(verdict["verdict"] == FAILED for verdict in result["criteria"].values()) for result in results.values()
    )
    lines += [f"| **everything at once** | **{clean}** | | **{len(results) - clean}** | |", ""]
    slow = sorted(results, key=lambda name: -sum(results[name]["seconds"].values()))[:5]
    lines.append("Slowest: " + ", ".join(f"{name} {sum(results[name]['seconds'].values()):.1f} s" for name in slow))
    sections = [("failures", "Failures")] + ([("excuses", "Nothing, or not all, to compare")] if excuses else [])
    for key, heading in sections:
        lines += ["", f"## {heading}", ""]
        for criterion, meaning in {DIED: "an answer", **promises}.items():
            if only and criterion not in only:
                continue
            causes: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for name in sorted(results):
                for message in results[name]["criteria"].get(criterion, {}).get(key, ()):
                    if message != "...":
                        causes[cause(message)].append((name, message))
            if causes:
                lines += [f"### {criterion}: {meaning}", ""]
            for _, hits in sorted(causes.items(), key=lambda item: -len({name for name, _ in item[1]})):
                files = list(dict.fromkeys(name for name, _ in hits))
                lines.append(f"- **{len(files)} models**: {hits[0][1]}")
                lines += [f"  - {', '.join(files[:40])}{' ...' if len(files) > 40 else ''}"]
                lines += [f"  - {message}" for _, message in hits[1:3]]
            if causes:
                lines.append("")
    return "\n".join(lines)


def finish(options: argparse.Namespace, title: str, results: Mapping[str, Any], promises: Mapping[str, str]) -> None:
    """Print the table of these promises with the time it took, and write it to a file if one is given. What could not
    be compared is listed if asked for, if a file is given, and with --only."""
    excuses = options.excuses or bool(options.only) or options.output is not None
    text = summary(title, results, excuses, options.criterion, promises)
    text += f"\n{len(results)} models in {time.perf_counter() - options.start:.0f} s.\n"
    sys.stderr.write("\n")
    print(text)
    if options.output:
        options.output.write_text(text, encoding="utf-8")


def cause(message: str) -> str:
    """Return a message without details of one file: names, numbers, places."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", message)
    text = re.sub(r"/[\w:.\-]+(\[\d+\])?(/[@\w:.\-()]+(\[\d+\])?)*", "/…", text)
    text = re.sub(r"\([^)]*\)", "(…)", text)
    text = re.sub(r"\S+\.(stl|STL|dae|obj|urdf|xml|sdf|world)\b", "FILE", text)
    return re.sub(r"-?\d[\d.e+\-]*", "N", text)[:70]


if __name__ == "__main__":
    main()
