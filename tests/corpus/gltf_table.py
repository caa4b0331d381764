"""python -m tests.corpus.gltf_table [--corpus DIR]... [--only TEXT] [-o FILE.md]

Every promise of reading glTF, measured on files that no robotics tool wrote: how many keep it, and each exception.
"""

from __future__ import annotations

from tests.corpus.gltf_models import gltf_models
from tests.corpus.table import answers, finish, shared_options
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
    parser = shared_options("gltf_table", __doc__, "--criterion", "--excuses")
    options = parser.parse_args()
    models = [model for model in gltf_models(options.corpus) if options.only in model.name]
    tasks: list[Task] = [("read_gltf", {"path": str(model.path)}) for model in models]
    finish(options, f"{len(models)} glTF files.", answers(options, models, tasks), MEANING)


if __name__ == "__main__":
    main()
