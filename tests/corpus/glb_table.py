"""python -m tests.corpus.glb_table [--source urdf|sdf|mjcf] [--corpus DIR]... [--only TEXT] [--every N] [--saves]
    [-o FILE.md]

Every promise of writing GLB, measured on every real model: how many keep it, and each exception. With --saves, instead:
what is left of the graph in files that other tools have opened and saved.
"""

from __future__ import annotations

from tests.corpus.models import readable
from tests.corpus.sdf_models import converted
from tests.corpus.table import SOURCES, answers, finish, shared_options
from tests.oracles.server import Task

MEANING = {
    "glb": "converts to GLB",
    "explained": "no unexplained difference",
    "khronos": "gltf-validator: no error, no warning",
    "names": "every link is a node of that name",
    "poses": "node worlds within 1e-6 of Pinocchio (URDF) or MuJoCo (MJCF) at 10 random configurations given by --pose",
    "triangles": "number of triangles and extent of each visual as in its file",
    "colours": "every colour and texture of a visual",
    "back": "source -> GLB -> source is source -> source, byte for byte",
}
SAVES = {
    "glb": "converts to GLB",
    "copied": "gltf-transform copy: the graph is the same, or each difference is told",
    "pruned": "gltf-transform dedup and prune: likewise",
    "instances": "gltf-transform dedup and instance: likewise",
    "flattened": "gltf-transform flatten: likewise",
    "joined": "gltf-transform dedup, flatten and join: likewise",
    "welded": "gltf-transform weld: likewise",
    "quantised": "gltf-transform quantize: likewise",
    "trimesh": "trimesh load and export: likewise",
    "pygltflib": "pygltflib load and save: likewise",
}


def main() -> None:
    parser = shared_options("glb_table", __doc__, "--criterion", "--every", processes=2)
    parser.add_argument("--source", choices=SOURCES, default="urdf")
    parser.add_argument("--saves", action="store_true", help="judge what other tools leave of a GLB")
    parser.set_defaults(excuses=True)
    options = parser.parse_args()
    found = SOURCES[options.source](options.corpus)
    found = readable(found)[0] if options.source == "urdf" else converted(found)
    models = [model for model in found if options.only in model.name][:: options.every]
    tasks: list[Task] = [("saves" if options.saves else "to_glb", {"path": str(model.path)}) for model in models]
    title = f"{len(models)} {options.source.upper()} files."
    finish(options, title, answers(options, models, tasks), SAVES if options.saves else MEANING)


if __name__ == "__main__":
    main()
