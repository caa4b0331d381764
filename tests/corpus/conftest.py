"""Every test of a real model is given one by name; the models are looked up once, when tests are collected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.corpus.models import Model, models, readable
from tests.corpus.mutate import chosen
from tests.oracles.server import Server

MUTATED = 6


@cache
def _readable(folders: tuple[str, ...]) -> list[Model]:
    return readable(models(folders))[0]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`model`: each URDF that Pinocchio reads. `mutated`: a few small ones."""
    wanted = {"model", "mutated"} & set(metafunc.fixturenames)
    if not wanted:
        return
    found = _readable(tuple(metafunc.config.getoption("--corpus", default=None) or ()))
    if "model" in wanted:
        metafunc.parametrize("model", found, ids=[model.name for model in found])
    if "mutated" in wanted:
        small = chosen([model for model in found if model.path.stat().st_size < 20_000], MUTATED)
        metafunc.parametrize("mutated", small, ids=[model.name for model in small])


@pytest.fixture(scope="session")
def worker() -> Iterator[Server]:
    """The process that converts and asks the engines; it comes back after a crash."""
    with Server("tests.corpus.worker") as server:
        yield server
