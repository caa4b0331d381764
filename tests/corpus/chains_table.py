"""python -m tests.corpus.chains_table [--corpus DIR]... [--only TEXT] [--source urdf|sdf|mjcf]... [-o FILE.md]

Every serial chain from a root to a leaf of every real model: its elementary transforms and its Denavit-Hartenberg rows
agree with forward kinematics, both of Kinegraph and of an engine (Pinocchio for URDF, MuJoCo for MJCF).
"""

from __future__ import annotations

from tests.corpus.sdf_models import search
from tests.corpus.table import answers, chosen, finish, shared_options
from tests.oracles.server import Task

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
    options = shared_options("chains_table", __doc__, "--source", "--excuses").parse_args()
    known = [model for _, model in chosen(options)]
    folders = [str(folder) for folder in search(options.corpus)]
    tasks: list[Task] = [("chains", {"path": str(model.path), "folders": folders}) for model in known]
    results = answers(options, known, tasks)
    count = sum(result.get("count", 0) for result in results.values())
    worst = max((result.get("worst", 0.0) for result in results.values()), default=0.0)
    title = f"{len(known)} models, {count} chains with rows, the largest residual {worst:.3g} of the size of its chain."
    finish(options, title, results, MEANING)


if __name__ == "__main__":
    main()
