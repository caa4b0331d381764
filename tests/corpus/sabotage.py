"""python -m tests.corpus.sabotage [--source urdf|sdf|mjcf]... [--target urdf|sdf|mjcf]... [--slips N] [--seed S]
                                  [--corpus DIR]... [--only TEXT] [--every N] [-o FILE]

Breaks the writers: in each of N conversions of each real model one value, name or element of the output is changed.
Counts what the audit detects.
"""

from __future__ import annotations

from collections import Counter

from tests.corpus.outcomes import tell
from tests.corpus.table import chosen, shared_options
from tests.oracles.server import Task, spread

TARGETS = ("urdf", "sdf", "mjcf")


def main() -> None:
    parser = shared_options("sabotage", __doc__, "--source", "--every", processes=2)
    parser.add_argument("--target", action="append", choices=TARGETS, help="break the writer of this format only")
    parser.add_argument("--slips", type=int, default=30, metavar="N", help="of each model and target")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    options = parser.parse_args()
    names = {str(model.path): model.name for _, model in chosen(options)}
    targets = options.target or TARGETS
    asked = {"limit": options.slips, "seed": options.seed}
    tasks: list[Task] = [("sabotage", {"path": path, "target": target} | asked) for path in names for target in targets]
    total: Counter[str] = Counter()
    lines: list[str] = []
    for (_, task), answer in spread("tests.corpus.worker", tasks, options.processes, timeout=600):
        if isinstance(answer, Exception):
            answer = {"outcomes": {"worker died": 1}, "silent": [str(answer).strip()], "places": 0}
        total.update(answer["outcomes"])
        if answer["places"] or "worker died" in answer["outcomes"]:
            found = [f"{names[task['path']]} -> {task['target']}: {line}" for line in answer["silent"]]
            print(*found, sep="\n", end="\n" if found else "", flush=True)
            lines += found
    tell(
        f"{sum(total.values())} slips of writers, {len(names)} models, seed {options.seed}",
        total,
        "slips",
        lines,
        options.output,
    )


if __name__ == "__main__":
    main()
