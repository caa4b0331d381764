"""python -m tests.corpus.sdf_table [--others | --drake | --urdf] [--corpus DIR]... [--only TEXT] [-o FILE.md]

Every promise of reading and writing SDF, measured on every real file: how many keep it, and each exception.
"""

from __future__ import annotations

from tests.corpus.models import models as urdf_models, readable
from tests.corpus.sdf_checks import OTHERS
from tests.corpus.sdf_models import sdf_models, search
from tests.corpus.table import answers, finish, shared_options
from tests.oracles.server import Task

MEANING = {
    "converts": "the check itself ran",
    "verdict": "accepted or faulted as libsdformat 12 does",
    "sdf": "SDF -> SDF converts",
    "explained": "no unexplained difference in SDF -> SDF",
    "same sdf": "SDF -> SDF is the same, element for element",
    "second write": "the second write is byte-identical",
    "libsdformat": "libsdformat has nothing against the output that it had not against the source",
    "poses": "poses of links, joints, frames; ends, axes, limits, masses: as libsdformat sees them in the source",
    "drake": "poses, masses and mass matrix at 3 configurations as Drake sees them in the source",
    "conservation": "lxml counts the items that the report counts, read + ignored + unread",
    "places": "every place that the report names exists",
    "lines": "every line that the report names holds that element",
    "urdf": "SDF -> URDF converts",
    "urdf explained": "no unexplained difference in SDF -> URDF",
    "check_urdf": "check_urdf and Pinocchio accept the URDF",
    "urdf poses": "every link stands in Pinocchio where it does in libsdformat",
    "urdf masses": "every link weighs the same",
    "back from urdf": "SDF -> URDF -> SDF is the same, element for element",
    "mjcf": "SDF -> MJCF converts",
    "mjcf explained": "no unexplained difference in SDF -> MJCF",
    "loads": "MuJoCo loads the MJCF",
    "mjcf poses": "every link stands in MuJoCo where it does in libsdformat",
    "mjcf masses": "every link weighs the same in MuJoCo",
    "back from mjcf": "SDF -> MJCF -> SDF is the same, element for element",
}

BY_DRAKE = {
    "urdf": "SDF -> URDF converts, every axis is a joint of its name",
    "explained": "no unexplained difference in SDF -> URDF",
    "check_urdf": "check_urdf accepts the URDF",
    "pinocchio": "Pinocchio loads it: link poses and mass matrix at 10 random configurations as in the graph",
    "drake loads": "Drake loads it",
    "drake poses": "link poses at 10 random configurations within 1e-9 of Drake's reading of the SDF",
    "drake matrix": "mass matrix within 1e-9 relative of Drake's reading of the SDF",
    "mimic": "every mimic is there, its reference in the offset",
}

FROM_URDF = {
    "sdf": "URDF -> SDF converts",
    "explained": "no unexplained difference in URDF -> SDF",
    "libsdformat": "libsdformat 12 loads it without complaint",
    "blocks": "sensors and plugins of <gazebo> blocks as libsdformat's own import has them",
    "names": "every link and joint is there by name",
    "drake": "Drake loads it with a SceneGraph",
    "poses": "poses of all links at 3 random configurations within 1e-9 of Pinocchio's reading of the URDF",
    "matrix": "mass matrix within 1e-9 relative",
    "back": "URDF -> SDF -> URDF is URDF -> URDF, byte for byte",
}


def main() -> None:
    parser = shared_options("sdf_table", __doc__, "--criterion", "--excuses", processes=2)
    parser.add_argument("--others", action="store_true", help="SDF -> URDF and MJCF instead of SDF -> SDF")
    parser.add_argument("--drake", action="store_true", help="SDF -> URDF of what moves, Drake against Drake, instead")
    parser.add_argument("--urdf", action="store_true", help="URDF -> SDF instead")
    options = parser.parse_args()
    found = readable(urdf_models(options.corpus))[0] if options.urdf else sdf_models(options.corpus)
    models = [model for model in found if options.only in model.name]
    looked_up = {} if options.urdf else {"folders": [str(folder) for folder in search(options.corpus)]}
    asks = {"urdf_to_sdf": options.urdf, "sdf_to_others": options.others, "sdf_to_urdf": options.drake}
    ask = next((name for name, asked in asks.items() if asked), "sdf")
    tasks: list[Task] = [(ask, {"path": str(model.path), **looked_up}) for model in models]
    results = answers(options, models, tasks)
    meaning = {name: text for name, text in MEANING.items() if (name in OTHERS) == options.others}
    kind = "URDFs that Pinocchio reads" if options.urdf else "SDF files"
    meaning = FROM_URDF if options.urdf else BY_DRAKE if options.drake else meaning
    if options.drake:
        results = {name: result for name, result in results.items() if result["criteria"]}
        kind = "articulated SDF files"
    finish(options, f"{len(results)} {kind}.", results, meaning)


if __name__ == "__main__":
    main()
