"""A real Dask scheduler and two workers on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.batch.folders import (
    batch,
    command,
    counts,
    documents,
    environment,
    outputs,
    put,
    robots,
    stored,
    told,
    tree,
    urdf,
    write,
)

QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info", "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}


@dataclass
class Cluster:
    """The address and the workers, without nannies: a worker that is killed is not restarted."""

    address: str
    workers: list[subprocess.Popen[bytes]]
    scheduler: subprocess.Popen[bytes]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    log = tmp_path / "scheduler.log"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    variables = environment(**QUIET)
    with log.open("wb") as out:
        scheduler = subprocess.Popen([*dask, *options], stderr=out, stdout=out, env=variables)
    processes = [scheduler]
    try:
        address = _address(log)
        options = ["--no-nanny", "--no-dashboard", "--nthreads", "1", "--local-directory", str(tmp_path / "dask")]
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, *options]
        workers = [
            subprocess.Popen(worker, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=variables)
            for _ in range(2)
        ]
        processes += workers
        _wait_for(address, 2)
        yield Cluster(address, workers, scheduler)
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def _address(log: Path) -> str:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = re.search(r"tcp://127\.0\.0\.1:\d+", log.read_text())
        if found is not None:
            return found[0]
        time.sleep(0.05)
    raise RuntimeError(f"the scheduler does not say its address: {log.read_text()}")


def _wait_for(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=60)


def test_a_cluster_gives_the_same_bytes_and_survives_the_loss_of_a_worker(
    bucket: str, cluster: Cluster, tmp_path: Path
):
    source, there = robots(tmp_path / "src", 6), tmp_path / "there"
    for number in range(6):
        write(source, {f"slow_{number}.faulty": f"slow 0.2\n{urdf(mesh=None)}".replace("robot", "bot")})
    write(source, {"crash.faulty": "crash\n"})
    local = batch(source, tmp_path / "here", "--to", "mjcf", "--report", tmp_path / "here" / "report")
    assert counts(local.stdout)["converted"] == 14
    process = subprocess.Popen(
        command(source, there, "--to", "mjcf", "--scheduler", cluster.address, "--report", there / "report"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while documents(there) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 2, err
    assert [line for line in err.splitlines() if not line.startswith("[")] == []
    assert told(out) == told(local.stdout)
    assert tree(there) == tree(tmp_path / "here")
    assert outputs(there)
    run = batch(source, there, "--to", "mjcf", "--scheduler", cluster.address, "--resume")
    assert "14 of them unchanged" in run.stdout
    put(source, f"{bucket}/src")
    few = ("--to", "mjcf", "--exclude", "*.faulty", "--scheduler", cluster.address)
    run = batch(f"{bucket}/src", f"{bucket}/out", *few)
    assert run.returncode == 2, run.stderr
    local = outputs(tmp_path / "here").items()
    kept = {name: data for name, data in local if not name.startswith(("slow", "report"))}
    assert stored(f"{bucket}/out") == kept

    write(source, {"hang.faulty": "hang\n"})
    process = subprocess.Popen(
        command(source, there, "--to", "mjcf", "--scheduler", cluster.address, "--resume"),
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("[1/")
    cluster.scheduler.kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.splitlines()[-1] == "kinegraph: the Dask scheduler is gone; run again with --resume when it is back"
    assert "Traceback" not in err
    assert tree(there).keys() >= tree(tmp_path / "here").keys() - {"report/index.html"}
