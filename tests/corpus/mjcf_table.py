"""python -m tests.corpus.mjcf_table [--corpus DIR]... [--only TEXT] [--to mjcf|urdf|sdf] [--every N] [-o FILE.md]

Every promise of reading MJCF and of writing it again, measured on every real file: how many keep it, and each
exception with its cause.
"""

from __future__ import annotations

from pathlib import Path

from tests.corpus.mjcf_models import mjcf_models
from tests.corpus.models import Model
from tests.corpus.table import answers, finish, shared_options
from tests.oracles.server import Task

MEANING = {
    "converts": "the check itself ran",
    "mjcf": "MJCF -> MJCF converts",
    "verdict": "what MuJoCo accepts is accepted",
    "explained": "no unexplained difference in MJCF -> MJCF",
    "loads": "MuJoCo loads the MJCF written",
    "counts": "as many bodies, coordinates, sensors ... as compiled from the source",
    "names": "every name is there, in its order",
    "poses": "poses of all bodies at 10 random qpos within 1e-9",
    "matrix": "mass matrix at 10 random qpos within 1e-9 relative",
    "inertia": "mass, centre of mass and tensor of each body within 1e-9",
    "joints": "joints: types, axes, limits, springs, damping ...",
    "geoms": "geoms: shapes, places, masks, friction ...",
    "frames": "sites",
    "views": "cameras and lights",
    "contacts": "contact pairs and excludes",
    "equalities": "equality constraints",
    "tendons": "tendons and what they wrap around",
    "actuators": "actuators",
    "sensors": "sensors",
    "keyframes": "keyframes",
    "custom": "custom numbers, tuples and plugins",
    "soft": "height fields, skins and flexible bodies",
    "looks": "materials and textures",
    "settings": "option, statistic, visual",
    "rollout": "one second of simulation ends within 1e-6",
    "second write": "the second write is byte-identical",
    "urdf": "MJCF -> URDF converts",
    "urdf explained": "no unexplained difference in MJCF -> URDF",
    "urdf poses": "poses of all bodies at 10 random configurations as Pinocchio sees them",
    "urdf matrix": "mass matrix as Pinocchio sees it",
    "through urdf": "MJCF -> URDF -> MJCF compiles to the same model",
    "sdf": "MJCF -> SDF converts",
    "sdf explained": "no unexplained difference in MJCF -> SDF",
    "sdf loads": "libsdformat loads the SDF without an error",
    "sdf poses": "poses of all bodies at 10 random configurations as Drake sees them",
    "sdf matrix": "mass matrix as Drake sees it",
    "through sdf": "MJCF -> SDF -> MJCF compiles to the same model",
    "conservation": "lxml counts the items that the report counts, read + ignored + unread",
    "places": "every place that the report names exists",
    "lines": "every line that the report names holds that element",
}


def root(model: Model) -> Path:
    """Return the folder of the corpus to which a model belongs."""
    return model.path.parents[len(Path(model.name).parts) - 2]


def main() -> None:
    parser = shared_options("mjcf_table", __doc__, "--criterion", "--excuses", "--every")
    parser.add_argument("--to", choices=("mjcf", "urdf", "sdf"), default="", help="leave out the other targets")
    options = parser.parse_args()
    models = [model for model in mjcf_models(options.corpus) if options.only in model.name]
    models = models[:: options.every]
    tasks: list[Task] = [
        ("mjcf", {"path": str(model.path), "only": options.to, "folder": str(root(model))}) for model in models
    ]
    finish(options, f"{len(models)} MJCF files.", answers(options, models, tasks), MEANING)


if __name__ == "__main__":
    main()
