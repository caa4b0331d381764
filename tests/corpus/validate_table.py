"""python -m tests.corpus.validate_table [--kind urdf|urdf-3|sdf|mjcf|gltf]... [--only TEXT] [--repair] [DIR]...

`kinegraph validate` against check_urdf (6; urdf-3: 3.0.1), libsdformat, MuJoCo and the Khronos validator: which of them
accepts which model, on every model of the installed distributions and of the folders; each class of disagreement with
its reason, and each model without one.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from tests.corpus.gltf_models import gltf_models
from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import Model, models
from tests.corpus.sdf_models import sdf_models, search
from tests.oracles.server import DiedError, Server

FIND: dict[str, Callable[[Iterable[str]], list[Model]]] = {
    "urdf": models,
    "urdf-3": models,
    "sdf": sdf_models,
    "mjcf": mjcf_models,
    "gltf": gltf_models,
}
LONGEST = 120.0
"""Timeout in seconds for one model."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.validate_table", description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="DIR")
    parser.add_argument("--kind", action="append", choices=tuple(FIND), help="only models of this format")
    parser.add_argument("--only", default="", metavar="TEXT", help="models whose name contains this")
    parser.add_argument("--repair", action="store_true", help="instead: --fix all of each URDF, loaded by the engines")
    options = parser.parse_args()
    with Server("tests.corpus.worker") as server:
        if options.repair:
            repairs([model for model in models(options.folders) if options.only in model.name], server)
            return
        for kind in options.kind or FIND:
            found = [model for model in FIND[kind](options.folders) if options.only in model.name]
            table(kind, found, [str(folder) for folder in search(options.folders)], server)


def table(kind: str, found: list[Model], folders: list[str], server: Server) -> None:
    """Print the classes of one format, and every model that disagrees without a reason."""
    classes: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for model in found:
        try:
            answer = server.ask("validate", timeout=LONGEST, path=str(model.path), kind=kind, folders=folders)
        except (DiedError, RuntimeError) as error:
            answer = {"class": "no answer", "why": str(error).strip().splitlines()[-1], "reason": ""}
        classes[answer["class"]] += 1
        if answer["class"].startswith("both"):
            continue
        reasons[answer["class"]][f"{answer['reason'] or 'NO REASON'} [{answer['why'][:60]}]"] += 1
        if not answer["reason"]:
            print(f"{kind}: {model.name}: {answer['class']}: {answer['why']}", flush=True)
    print(f"\n{kind}: {len(found)} models: {dict(classes)}", flush=True)
    for name, counts in reasons.items():
        for reason, count in counts.most_common():
            print(f"  {count:4} {name}: {reason}", flush=True)


def repairs(found: list[Model], server: Server) -> None:
    """Print how many of the repaired models pass each criterion, and which do not."""
    passed: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for model in found:
        try:
            answer = server.ask("repaired", timeout=2 * LONGEST, path=str(model.path), drake=True, meshes=True)
        except (DiedError, RuntimeError) as error:
            answer = {"no answer": str(error).strip().splitlines()[-1]}
        for criterion, complaint in answer.items():
            asked[criterion] += 1
            passed[criterion] += not complaint
            if complaint:
                print(f"{model.name}: {criterion}: {complaint[:300]}", flush=True)
    for criterion, count in asked.items():
        print(f"  {passed[criterion]:4} of {count} {criterion}", flush=True)


if __name__ == "__main__":
    main()
