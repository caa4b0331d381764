"""Tests of real models are parametrised by name; the models are looked up once, during collection."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.corpus.models import Model, models, readable
from tests.corpus.mutate import chosen
from tests.corpus.sdf_models import converted, sdf_models, search
from tests.corpus.srdf_checks import pairs
from tests.oracles.server import Server, lasting

MUTATED = 4
RICH = (
    "drake/examples/acrobot/Acrobot_no_collision.urdf",
    "example-robot-data/bolt_description/robots/bolt.urdf",
    "example-robot-data/xarm_description/urdf/xarm7.urdf",
    "pybullet/quadruped/spirit40.urdf",
    "pybullet/racecar/racecar.urdf",
)
"""URDFs with the most kinds of elements and attributes among those with small meshes."""
SMALL = 10_000
"""Size in bytes up to which an SRDF is small."""
EVERY = 14
"""Drake takes a second per model: the table uses all models, the suite only some."""


@cache
def _readable(folders: tuple[str, ...]) -> list[Model]:
    return readable(models(folders))[0]


@cache
def _sdf(folders: tuple[str, ...]) -> list[Model]:
    return sdf_models(folders)


@cache
def _small_sdf(folders: tuple[str, ...]) -> list[Model]:
    return chosen(converted(model for model in _sdf(folders) if model.path.stat().st_size < 20_000), MUTATED)


@cache
def _pairs(folders: tuple[str, ...]) -> list[tuple[Model, Path]]:
    return pairs(folders)


def _size(pair: tuple[Model, Path]) -> int:
    return pair[1].stat().st_size


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`model`: every second URDF that Pinocchio reads, since many are variants of others, or each with --corpus.
    `mutated`: a few rich ones. `sdf_model`, `mutated_sdf`: SDF files. `srdf_pair`: the longest of the SRDFs of one
    robot, which are nearly equal."""
    folders = tuple(metafunc.config.getoption("--corpus", default=None) or ())
    for name in {"sdf_model", "mutated_sdf"} & set(metafunc.fixturenames):
        files = _small_sdf(folders) if name == "mutated_sdf" else _sdf(folders)
        metafunc.parametrize(name, files, ids=[model.name for model in files])
    for name in {"srdf_pair", "small_srdf"} & set(metafunc.fixturenames):
        known = _pairs(folders)
        if name == "srdf_pair" and not folders:
            known = list(
                {model.name.partition("/")[0]: (model, srdf) for model, srdf in sorted(known, key=_size)}.values()
            )
        if name == "small_srdf":
            known = [pair for pair in known if pair[1].stat().st_size < SMALL and pair[0].path.stat().st_size < 50_000]
            known = known[:: max(1, len(known) // MUTATED)][:MUTATED]
        metafunc.parametrize(name, known, ids=[model.name for model, _ in known])
    wanted = {"model", "mutated", "sampled"} & set(metafunc.fixturenames)
    if not wanted:
        return
    found = _readable(folders)
    if "model" in wanted:
        some = found if folders else found[::3]
        metafunc.parametrize("model", some, ids=[model.name for model in some])
    if "sampled" in wanted:
        sample = found[::EVERY]
        metafunc.parametrize("sampled", sample, ids=[model.name for model in sample])
    if "mutated" in wanted:
        small = [model for model in found if model.name in RICH]
        metafunc.parametrize("mutated", small, ids=[model.name for model in small])


@pytest.fixture(scope="session")
def worker() -> Server:
    """The process that converts and runs the engines; it is restarted after a crash."""
    return lasting("tests.corpus.worker")


@pytest.fixture(scope="session")
def search_folders(request: pytest.FixtureRequest) -> list[str]:
    """Folders in which the models that SDF files include are searched."""
    return [str(folder) for folder in search(request.config.getoption("--corpus", default=None) or ())]
