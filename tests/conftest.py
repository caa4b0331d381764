"""Options of the test run: --update rewrites expected outputs, so that a change of behaviour shows in review."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
MADE = ROOT / "corpus" / "made"
"""The folder of the small hand-written models."""

# Who runs the tests in the background may have them ignore Ctrl-C, and with them every command that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where this is set, each of hundreds of commands that the tests start would compile the whole program again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# On some disks it takes milliseconds to remove a file, and tests make and remove a hundred thousand in `tmp_path`.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# How fast a machine is, and what else it does, is nothing that a test may fail for.
settings.register_profile("kinegraph", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kinegraph")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite golden files and transcripts with what the code says now"
    )
    parser.addoption(
        "--corpus", action="append", metavar="DIR", help="a folder with more real models; may be given several times"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update") and os.environ.get("CI"):
        raise pytest.UsageError("--update is refused where CI is set: expected outputs are changed by people")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the house rules first: each tool takes as long as a hundred tests, and no process should wait for it."""
    items.sort(key=lambda item: item.path.name != "test_house.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collected items stay to the end: scanning them in each garbage collection takes a tenth of the total time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process neighbouring tests, so that what a module prepares for all its tests is prepared once."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def made() -> Path:
    return MADE
