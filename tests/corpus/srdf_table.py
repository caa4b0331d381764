"""python -m tests.corpus.srdf_table [--corpus DIR]... [--only TEXT] [--mutate] [-o FILE.md]

Every promise about SRDF, measured on every SRDF of example-robot-data and of the folders. --mutate changes each
attribute and text of each, one by one, and reports the outcomes.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.corpus.srdf_checks import MEANING, pairs
from tests.corpus.table import finish, shared_options
from tests.oracles.server import Task, spread

TARGETS = ("urdf", "mjcf", "sdf")


def main() -> None:
    parser = shared_options("srdf_table", __doc__)
    parser.add_argument("--mutate", action="store_true")
    parser.add_argument("--limit", type=int, help="places changed in each SRDF")
    parser.set_defaults(excuses=True)
    options = parser.parse_args()
    found = [(model, srdf) for model, srdf in pairs(options.corpus) if options.only in model.name]
    if options.mutate:
        _mutated(found, options.processes, options.limit)
        return
    names = {str(srdf): model.name for model, srdf in found}
    tasks: list[Task] = [("srdf_robot", {"path": str(model.path), "srdf": str(srdf)}) for model, srdf in found]
    results: dict[str, Any] = {}
    for task, answer in spread("tests.corpus.worker", tasks, options.processes, timeout=300):
        if isinstance(answer, Exception):
            verdict = {"verdict": "failed", "excuses": [], "failures": [f"worker: {answer}"]}
            answer = {"criteria": {"converts": verdict}, "seconds": {}}
        results[names[task[1]["srdf"]]] = answer
    finish(options, f"{len(results)} SRDFs of real robots.", results, MEANING)


def _mutated(found: list[Any], processes: int, limit: int | None) -> None:
    tasks: list[Task] = [
        ("mutate", {"path": str(model.path), "srdf": str(srdf), "target": target, "limit": limit})
        for model, srdf in found
        for target in TARGETS
    ]
    outcomes: Counter[str] = Counter()
    silent = 0
    for task, answer in spread("tests.corpus.worker", tasks, processes, timeout=3600):
        if isinstance(answer, Exception):
            print(task[1]["srdf"], answer, file=sys.stderr)
            continue
        outcomes.update(answer["outcomes"])
        silent += len(answer["silent"])
        for line in answer["silent"]:
            print(Path(task[1]["srdf"]).name, task[1]["target"], line)
    print(f"{sum(outcomes.values())} places in {len(tasks)} conversions: {dict(outcomes)}; lost silently: {silent}")


if __name__ == "__main__":
    main()
