"""python -m tests.corpus.ways_table [--corpus DIR]... [--steps N] [--seed S] [--only TEXT] [--every N] [-o FILE.md]

Every real model takes a random sequence of conversions, with random options at each step: nothing stays unexplained,
and the tools of each format load the result. A seed and a name define the sequence.
"""

from __future__ import annotations

from tests.corpus.gltf_models import gltf_models
from tests.corpus.sdf_models import search
from tests.corpus.table import SOURCES, answers, chosen, finish, shared_options
from tests.oracles.server import Task


def main() -> None:
    parser = shared_options("ways_table", __doc__, "--criterion", "--excuses", "--every", processes=2)
    parser.add_argument("--source", action="append", choices=(*SOURCES, "gltf"), help="models of this format only")
    parser.add_argument("--steps", type=int, default=3, metavar="N", help="conversions of each model in turn")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    options = parser.parse_args()
    found = chosen(options, {**SOURCES, "gltf": gltf_models})
    folders = [str(folder) for folder in search(options.corpus)]
    shared = {"folders": folders, "steps": options.steps, "seed": options.seed}
    tasks: list[Task] = [("wander", {"path": str(model.path), "source": name, **shared}) for name, model in found]
    results = answers(options, [model for _, model in found], tasks)
    meaning = {f"step {step}": f"conversion {step} of {options.steps}" for step in range(1, options.steps + 1)}
    finish(options, f"{len(found)} models, seed {options.seed}.", results, meaning)


if __name__ == "__main__":
    main()
