"""python -m tests.corpus.view_table FOLDER [--count N] [-o FILE.md]: pages of real models in headless Chromium.

Each model of a folder becomes a page; a page passes if it has no errors, requests nothing, and every link has the pose
of ir.kinematics, at rest and at two random configurations. --count takes that many of each format, evenly.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from converters.context import InputError
from converters.convert import load
from converters.discovery import find
from converters.reading import interpreted
from converters.registry import detect
from converters.viewer import view
from ir.kinematics import random_configuration
from ir.scene import Scene
from tests.oracles.in_viewer import misplaced, viewed

CLOSE = 1e-5
SEEDS = (1, 2)
AT_ONCE = 12


def chosen(folder: Path, count: int) -> Iterator[tuple[str, Path]]:
    """Yield models with the names of their formats, at most `count` of each."""
    kinds: dict[str, list[Path]] = {}
    for each in find(folder):
        path = folder / each.model
        if not each.part and not each.refused:
            kind = "xacro" if path.suffix == ".xacro" else detect(str(path), path.read_bytes()[:65536]).name
            kinds.setdefault(kind, []).append(path)
    for kind, paths in sorted(kinds.items()):
        for path in paths[:: max(1, len(paths) // count)][:count]:
            yield kind, path


def made(path: Path, page: Path) -> tuple[Scene | None, str]:
    """Return the scene of a model whose page was written, or why there is none."""
    try:
        page.write_text(view(path)[0])
        return interpreted(load(path)), ""
    except InputError as error:
        return None, f"refused: {error}"


def looked(models: list[tuple[str, Path]], folder: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield the result for each model, in words; "" if everything passes."""
    scenes, asked = [], []
    for number, (kind, path) in enumerate(models):
        page = folder / f"{number}.html"
        scene, why = made(path, page)
        if scene is None:
            yield kind, path, why
            continue
        poses = [random_configuration(scene, seed) for seed in SEEDS]
        configurations = [{dof: list(value) for dof, value in pose.items()} for pose in poses]
        asked.append({"file": str(page), "steps": [["worlds", configurations, 0]], "width": 400, "height": 300})
        scenes.append((kind, path, scene, poses))
    for (kind, path, scene, poses), answer in zip(scenes, viewed(asked), strict=True):
        faults = [*answer["errors"], *(f"asks for {each}" for each in answer["requests"])]
        for drawn, pose in zip(answer["seen"][0] if answer["seen"] else (), poses, strict=False):
            faults += [f"{body} is apart by {far:.2g}" for body, far in misplaced(scene, pose, drawn) if far > CLOSE]
        yield kind, path, "; ".join(faults[:3])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.view_table", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10**6, metavar="N")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    lines = []
    models = chosen(options.folder, options.count)
    while some := list(islice(models, AT_ONCE)):
        with tempfile.TemporaryDirectory() as text:
            for kind, path, fault in looked(some, Path(text)):
                word = "held" if not fault else "refused" if fault.startswith("refused") else "failed"
                totals.setdefault(kind, Counter())[word] += 1
                if fault:
                    lines.append(f"{path.relative_to(options.folder)}: {fault}")
                    print(lines[-1], flush=True)
    table = ["| format | held | refused | failed |", "|---|---:|---:|---:|"]
    table += [
        f"| {kind} | {' | '.join(str(each[w]) for w in ('held', 'refused', 'failed'))} |"
        for kind, each in totals.items()
    ]
    print("\n".join(table))
    if options.output:
        options.output.write_text("\n".join([*table, "", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
