"""A model with a random sequence of conversions, with random options at each step: each step is explained, and the
tools of the format load the result."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from converters.context import InputError, Options
from converters.convert import convert
from converters.report.model import Action
from tests.corpus.via_checks import NAMES, loaded
from tests.oracles.verdict import Verdicts

OFTEN = 4
"""An option is set once in that many draws."""
DRAWN: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "": {
        "base": ("fixed", "floating"),
        "missing_inertia": ("geometry",),
        "density": (7800.0,),
        "meshes": ("copy", "reference"),
        "carry": (False,),
        "carried": (False,),
        "find_srdf": (False,),
        "audit": (False,),
    },
    "urdf": {
        "base": ("open",),
        "sites": ("links",),
        "urdf_version": ("1.0", "1.1", "1.2"),
        "ros_package": ("robot",),
        "separator": ("_", "/"),
        "urdfdom_materials": (True,),
    },
    "sdf": {"sdf_version": ("1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12")},
    "mjcf": {"scene": (True,)},
    "gltf": {
        "physics": ("khr-2025", "omi", "none"),
        "hierarchy": ("flat",),
        "compress": ("quantize", "draco"),
        "segments": (3, 17),
        "trajectory": ("sweep",),
    },
}
"""Values of options other than the default: for any target format, and for a particular one."""


def drawn(draw: random.Random, target: str) -> dict[str, Any]:
    """Return options for a conversion to a format."""
    table = {**DRAWN[""], **DRAWN[target]}
    return {name: draw.choice(values) for name, values in table.items() if draw.randrange(OFTEN) == 0}


def wander(path: str, folders: list[str], source: str, steps: int, seed: int) -> dict[str, Any]:
    """Return the verdicts of one model. A failure lists all steps that led to it, with the options of each."""
    verdicts = Verdicts()
    draw = random.Random(f"{seed} {Path(path).name}")
    sane = not loaded(Path(path), source)
    here, form, said = Path(path), source, ""
    near = tuple(map(Path, [*folders, *Path(path).parents[:2]]))  # where files are that a model elsewhere refers to
    with tempfile.TemporaryDirectory(prefix="kinegraph-ways-") as folder:
        for step in range(1, steps + 1):
            criterion = f"step {step}"
            target = draw.choice([*NAMES])
            options = drawn(draw, target)
            said += f" > {target} {options or ''}"
            place = Path(folder) / str(step) / NAMES[target]
            try:
                report = convert(
                    here, place, source=form, target=target, options=Options(resource_paths=near, **options)
                )
            except InputError as error:
                verdicts.excuse(criterion, f"refused: {error.message}{said}")
                break
            verdicts.good(criterion)
            for each in report.findings:
                if each.action is Action.UNEXPLAINED:
                    verdicts.fail(criterion, f"{each.where} {each.before} {each.after}{said}")
            complaint = loaded(place, target)
            if complaint:
                (verdicts.fail if sane else verdicts.excuse)(criterion, f"{complaint}{said}")
            here, form = place, target
    return {"criteria": verdicts.criteria, "seconds": {}}
