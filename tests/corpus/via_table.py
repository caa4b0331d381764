"""python -m tests.corpus.via_table [--corpus DIR]... [--source urdf|sdf|mjcf]... [--only TEXT] [--every N] [-o FILE.md]

Every real model is converted to each format through each other one: the tools of the format load the result, and it
still is the same model.
"""

from __future__ import annotations

from tests.corpus.sdf_models import search
from tests.corpus.table import answers, chosen, finish, shared_options
from tests.corpus.via_checks import NAMES
from tests.oracles.server import Task

MEANING = {"converts": "the model is converted to each format at once"} | {
    f"{target} by {way}": f"{target} by way of {way}: loaded, and the same" for way in NAMES for target in NAMES
}


def main() -> None:
    options = shared_options("via_table", __doc__, "--source", "--every").parse_args()
    found = chosen(options)
    folders = [str(folder) for folder in search(options.corpus)]
    tasks: list[Task] = [
        ("went", {"path": str(model.path), "folders": folders, "source": name}) for name, model in found
    ]
    results = answers(options, [model for _, model in found], tasks)
    reached = {criterion for result in results.values() for criterion in result["criteria"]}
    meaning = {criterion: text for criterion, text in MEANING.items() if criterion in reached}
    finish(options, f"{len(found)} models.", results, meaning)


if __name__ == "__main__":
    main()
