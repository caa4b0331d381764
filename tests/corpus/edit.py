"""python -m tests.corpus.edit [--through urdf|sdf|mjcf|gltf]... [--sample N] [--seed N] [--only TEXT] [--place TEXT]
                              [-o FILE.md] [MODEL]...

Converts each model to another format, edits every place of the output in turn, converts it back, and counts the results
of the edits. Without MODEL: the models of corpus/made.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from tests.corpus.edits import FORMATS, made
from tests.corpus.outcomes import tell
from tests.oracles.server import spread


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.edit", description=__doc__)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    parser.add_argument("--through", action="append", choices=FORMATS, help="the format that is edited (all of them)")
    parser.add_argument("--sample", type=int, help="so many edits of each document instead of all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", metavar="TEXT", help="models whose name contains this")
    parser.add_argument("--place", metavar="TEXT", help="edits whose name contains this")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    start = time.perf_counter()
    models = [path.resolve() for path in options.models or made() if options.only is None or options.only in path.name]
    asked = {"limit": options.sample, "seed": options.seed, "only": options.place}
    through = options.through or FORMATS
    tasks = [("edit", {"path": str(path), "through": form} | asked) for path in models for form in through]
    total: Counter[str] = Counter()
    lines: list[str] = []
    for task, answer in spread("tests.corpus.worker", tasks, options.processes, timeout=3600):
        if isinstance(answer, Exception):
            answer = {"outcomes": {"worker died": 1}, "wrong": [f"{task[1]}: {str(answer).strip()}"]}
        total.update(answer["outcomes"])
        lines += answer["wrong"]
        for line in answer["wrong"]:
            print(line, flush=True)
    heading = f"Edits of {len(models)} models through {', '.join(through)}: {sum(total.values())} conversions, "
    heading += f"{len(lines)} wrong, in {time.perf_counter() - start:.0f} s"
    tell(heading, total, "conversions", lines, options.output)


if __name__ == "__main__":
    main()
