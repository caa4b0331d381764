"""python -m tests.bench [--runs N] [--quick] [--only abcd] [-o FILE.md]: a Markdown table of ratios with goals."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.bench import measures
from tests.bench.robots import COLLADA, ROBOTS, loadable
from tests.bench.sides import HEADER, Row
from tests.corpus.models import models


def robots() -> dict[str, Path]:
    """Return those of ROBOTS that are installed and need no transcoding, by a short name."""
    import tempfile

    paths = {model.name: model.path for model in models()}
    found = {}
    for name in ROBOTS:
        if name not in paths:
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                loadable(paths[name], Path(folder))
        except ValueError:
            continue
        found[name] = paths[name]
    return found


def rows(only: str, runs: int, quick: bool) -> Iterator[Row]:
    chosen = robots()
    if "a" in only:
        yield from measures.start_up(runs * 2)
    if "b" in only:
        for name in list(chosen)[: 1 if quick else 3]:
            yield from measures.whole_process(chosen[name], Path(name).name, runs * 2)
    if "c" in only:
        for name in list(chosen)[: 2 if quick else None]:
            yield from measures.in_process(chosen[name], "/".join(Path(name).parts[1:2] + Path(name).parts[-1:]), runs)
        paths = {model.name: model.path for model in models()}
        for name in [name for name in COLLADA if name in paths][: 1 if quick else None]:
            yield from measures.collada(paths[name], Path(name).name, runs)
    if "d" in only:
        yield from measures.growth((100, 1000) if quick else (100, 1000, 10_000), runs)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="fewer robots, shorter chains")
    parser.add_argument("--only", default="abcd", metavar="abcd", help="start-up, whole process, in process, growth")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    lines = [measures.machine(), "", HEADER]
    print("\n".join(lines), flush=True)
    for row in rows(options.only, options.runs, options.quick):
        lines.append(str(row))
        print(row, flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
