"""python -m tests.corpus.gltf_table [--corpus DIR]... [--only TEXT] [-o FILE.md]

Every promise of reading glTF, measured on files that nobody's robot tool wrote: how many keep it, and each exception.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tests.corpus.gltf_models import gltf_models
from tests.corpus.table import answers, finish, summary
from tests.oracles.server import Task

MEANING = {
    "converts": "the check itself ran",
    "reads": "it is read, or refused with file and line",
    "conservation": "json counts the members that the reader counts: read + ignored + unread",
    "triangles": "as many triangles as trimesh finds",
    "bounds": "the box of all triangles is that of trimesh, with y turned to z",
    "urdf": "glTF -> URDF converts, nothing unexplained",
    "links": "check_urdf and Pinocchio accept the URDF",
    "sdf": "glTF -> SDF converts, nothing unexplained",
    "mjcf": "glTF -> MJCF converts, nothing unexplained",
    "loads": "MuJoCo loads the MJCF",
    "glb": "glTF -> GLB converts, nothing unexplained",
    "validator": "the validator of Khronos has nothing against the GLB",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.gltf_table", description=__doc__)
    parser.add_argument("--corpus", action="append", default=[], metavar="DIR")
    parser.add_argument("--only", metavar="TEXT", help="files whose name contains this; with every message")
    parser.add_argument("--criterion", action="append", default=[], help="tell exceptions of these criteria only")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--excuses", action="store_true", help="tell also where there was nothing to compare")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    start = time.perf_counter()
    models = [model for model in gltf_models(options.corpus) if not options.only or options.only in model.name]
    tasks: list[Task] = [("read_gltf", {"path": str(model.path)}) for model in models]
    results = answers(models, tasks, options.processes, verbose=bool(options.only))
    excuses = options.excuses or bool(options.only) or options.output is not None
    text = summary(f"{len(models)} glTF files.", results, excuses, options.criterion, MEANING)
    finish(text, len(models), start, options.output)


if __name__ == "__main__":
    main()
