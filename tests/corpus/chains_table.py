"""python -m tests.corpus.chains_table [--corpus DIR]... [--only TEXT] [--source urdf|sdf|mjcf]... [-o FILE.md]

Every serial chain from a root to a leaf, of every real model: its elementary transforms and its Denavit-Hartenberg rows
reach where forward kinematics reaches, ours and that of an engine (Pinocchio for URDF, MuJoCo for MJCF).
"""

from __future__ import annotations

import time

from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import models
from tests.corpus.sdf_models import sdf_models, search
from tests.corpus.table import answers, finish, shared_options, summary
from tests.oracles.server import Task

SOURCES = {"urdf": models, "sdf": sdf_models, "mjcf": mjcf_models}
MEANING = {
    "converts": "the check itself ran",
    "reads": "the model is read",
    "chains": "every leaf has rows (the others: floating, ball or nothing that moves)",
    "elementary": "elementary transforms within 1e-9 of the size of the chain",
    "standard": "standard rows within 1e-9",
    "modified": "modified rows within 1e-9",
    "engine": "standard rows within 1e-9 of the engine",
    "conditioned": "no axes that are parallel but for less than 5e-3",
}


def main() -> None:
    parser = shared_options("chains_table", __doc__, "--excuses")
    parser.add_argument("--source", action="append", choices=SOURCES)
    options = parser.parse_args()
    start = time.perf_counter()
    known = [
        model
        for name in options.source or SOURCES
        for model in SOURCES[name](options.corpus)
        if options.only in model.name
    ]
    folders = [str(folder) for folder in search(options.corpus)]
    tasks: list[Task] = [("chains", {"path": str(model.path), "folders": folders}) for model in known]
    results = answers(known, tasks, options.processes, verbose=False)
    count = sum(result.get("count", 0) for result in results.values())
    worst = max((result.get("worst", 0.0) for result in results.values()), default=0.0)
    title = f"{len(known)} models, {count} chains with rows, the largest residual {worst:.3g} of the size of its chain."
    text = summary(title, results, options.excuses or options.output is not None, [], MEANING)
    finish(text, len(known), start, options.output)


if __name__ == "__main__":
    main()
