"""python -m tests.corpus.any_scene [--scenes N] [--way WAY]...

Converts random scenes with everything that a scene can contain (tests.furnished) to a target and on to another one, and
counts what is unexplained and what engines refuse. Not part of the suite: the scenes depend on the modules that a
process has loaded, and a rare scene still has an unexplained difference.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
from hypothesis import HealthCheck, Phase, given, settings

from converters import InputError, convert, write
from converters.context import Options
from converters.report.model import Report
from ir.scene import Scene
from tests.furnished import furnished
from tests.oracles.in_sdformat import sdformat_reads

WAYS = {
    "urdf": {},
    "urdf 1.2": {"urdf_version": "1.2"},
    "sdf": {},
    "sdf 1.6": {"sdf_version": "1.6"},
    "xml": {},
    "glb": {},
    "glb omi": {"physics": "omi"},
    "glb flat": {"hierarchy": "flat"},
}


def _unexplained(report: Report) -> Iterator[str]:
    return (f"{each.rule}: {each.where}" for each in report.findings if each.action == "unexplained")


def wrongs(scene: Scene, way: str) -> Iterator[str]:
    """Yield what is wrong with a conversion of a scene, and with a further one of its output."""
    target = way.partition(" ")[0]
    with TemporaryDirectory() as folder:
        out = Path(folder) / f"r.{target}"
        try:
            yield from _unexplained(write(scene, out, options=Options(**WAYS[way])))
            if target == "xml":
                mujoco.MjModel.from_xml_path(str(out))
            if target == "sdf":
                yield from sdformat_reads(out)["errors"]
            yield from _unexplained(convert(out, Path(folder) / f"back.{'xml' if target == 'sdf' else 'sdf'}"))
        except (InputError, ValueError) as error:
            yield f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.any_scene", description=__doc__)
    parser.add_argument("--scenes", type=int, default=50, help="of each way")
    parser.add_argument("--way", action="append", choices=WAYS)
    options = parser.parse_args()
    for way in options.way or WAYS:
        found = _tried(way, options.scenes)
        good = found.pop("", 0)
        print(f"{way}: {good} of {good + found.total()} hold", flush=True)
        for line, count in found.most_common():
            print(f"    {count} {line}", flush=True)


def _tried(way: str, scenes: int) -> Counter[str]:
    """Return counts of the first error of each of that many scenes, "" for none."""
    found: Counter[str] = Counter()

    @settings(
        max_examples=scenes,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(scene=furnished())
    def drawn(scene: Scene) -> None:
        found[next(wrongs(scene, way), "")] += 1

    drawn()
    return found


if __name__ == "__main__":
    main()
