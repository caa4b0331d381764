"""Models that are posed and moved."""

from __future__ import annotations

import pytest

from ir.scene import Scene
from ir.types import Dof, DofKind, Mimic
from tests.posing.chains import scene_of

LIMITS = {"lower": -1.5, "upper": 1.5}


@pytest.fixture
def arm() -> Scene:
    return scene_of(
        Dof(name="shoulder", kind=DofKind.HINGE, axis=(0.0, 1.0, 0.0), **LIMITS),
        Dof(name="lift", kind=DofKind.SLIDE, lower=0.1, upper=0.5),
        Dof(name="ball", kind=DofKind.BALL),
        (
            Dof(name="pan", kind=DofKind.HINGE, axis=(0.0, 0.0, 1.0), **LIMITS),
            Dof(name="tilt", kind=DofKind.HINGE, axis=(1.0, 0.0, 0.0), **LIMITS),
        ),
        Dof(name="finger", kind=DofKind.SLIDE, lower=0.0, upper=0.04),
        Dof(name="thumb", kind=DofKind.SLIDE, mimic=Mimic(dof="finger", multiplier=-2.0, offset=0.01, reference=0.005)),
        Dof(name="wheel", kind=DofKind.HINGE, zero=0.25),
    )


@pytest.fixture
def limb() -> Scene:
    return scene_of(
        Dof(name="a", kind=DofKind.HINGE, axis=(0.0, 1.0, 0.0), lower=-1.0, upper=1.0),
        Dof(name="b", kind=DofKind.SLIDE, axis=(1.0, 0.0, 0.0), lower=-0.5, upper=0.5),
        Dof(name="c", kind=DofKind.HINGE, mimic=Mimic(dof="a", multiplier=2.0, offset=0.1)),
        Dof(name="d", kind=DofKind.HINGE),
    )
