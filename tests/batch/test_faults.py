"""Crashes, hangs, lack of memory, full disks, signals, kill -9: their cost, and that no output is ever incomplete."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

import pytest

from tests.batch.folders import (
    MJCF,
    batch,
    command,
    counts,
    documents,
    environment,
    outputs,
    robots,
    stl,
    tree,
    urdf,
    write,
)

KILLS = 6
NAMED = re.compile(rb'file="([^"]+)"')


def faulty(word: str, mesh: str | None = None) -> str:
    return f"{word}\n{urdf(mesh=mesh)}".replace("robot", "bot")


def started(source: Path, out: Path) -> tuple[subprocess.Popen[str], IO[str]]:
    """Start a batch to MJCF in one process; return it and its stderr."""
    call = command(source, out, "--to", "mjcf", "--jobs", "1")
    process = subprocess.Popen(call, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    return process, process.stderr


def assert_whole(out: Path, full: dict[str, bytes]) -> int:
    """Return the number of documents; assert that each is complete and has all its files, with the right bytes."""
    found = outputs(out)
    documents = [name for name in found if name.endswith(".xml")]
    for name in documents:
        assert found[name] == full[name]
        folder = Path(name).parent / next(iter(re.findall(rb'meshdir="([^"]*)"', full[name])), b"").decode()
        for side in NAMED.findall(full[name]):
            path = str(folder / side.decode())
            assert found[path] == full[path]
    assert {name for name in found if ".part" in name} == set()
    return len(documents)


def test_one_bad_file_costs_itself_alone(tmp_path: Path):
    source, out, mark = tmp_path / "src", tmp_path / "out", tmp_path / "mark"
    bad = {"crash": "SIGKILL", "segfault": "SIGSEGV", "hang": "there was no result after 3 s, twice"}
    bad |= {"vanish": "No such file or directory", "bug": "a defect of the format 'faulty', which another package "}
    write(source, {f"{word}.faulty": faulty(word) for word in bad})
    write(source, {"once.faulty": faulty(f"crash-once {mark}"), "good.xml": MJCF, "tired.faulty": faulty("eat")})
    write(source, {"slow.faulty": faulty(f"hang-once {mark}2")})
    limits = ("--timeout", "3", "--max-memory", "300M")
    run = batch(source, out, "--to", "mjcf", "--jobs", "2", "--report", tmp_path / "report", *limits, anew=True)
    assert run.returncode == 2
    assert sorted(outputs(out)) == ["good.xml", "once.xml", "slow.xml"]
    failed = [line.split("failed ", 1)[1] for line in run.stderr.splitlines() if "failed" in line]
    told = {Path(line.partition(":")[0]).name.partition(".")[0]: line for line in failed}
    for word, message in bad.items():
        assert message in told[word]
    assert "memory" in told["tired"]
    assert "twice" in told["tired"]
    assert "twice" not in told["bug"]
    numbers = counts(run.stdout)
    assert (numbers["found"], numbers["converted"], numbers["failed"]) == (9, 3, 6)
    assert len(run.stderr.splitlines()) == 9
    assert "the process that converted it ended by itself (SIGSEGV), twice" in run.stdout
    assert (tmp_path / "report" / "models" / "crash.faulty.html").is_file()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = robots(tmp_path_factory.mktemp("kill") / "src", 10)
    for number in range(3):
        write(folder, {f"slow_{number}.faulty": faulty("slow 0.02", "arm_0/meshes/link.stl")})
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path) -> tuple[dict[str, bytes], float]:
    """The tree of an undisturbed batch, and its duration in seconds."""
    out = source.parent / "whole"
    start = time.monotonic()
    run = batch(source, out, "--to", "mjcf", "--jobs", "2")
    assert counts(run.stdout)["converted"] == 15
    return tree(out), time.monotonic() - start


def test_after_kill_9_at_any_moment_resuming_gives_the_same_tree(
    source: Path, undisturbed: tuple[dict[str, bytes], float], tmp_path: Path
):
    whole, duration = undisturbed
    moments = random.Random(20)
    halves = []
    for number in range(KILLS):
        out = tmp_path / str(number)
        process = subprocess.Popen(
            command(source, out, "--to", "mjcf", "--jobs", "2"),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if number % 2:  # half of the moments lie between the first output and the last
            end = time.monotonic() + 30
            while process.poll() is None and not documents(out) and time.monotonic() < end:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.15 * duration))
        else:
            time.sleep(moments.uniform(0, duration))
        process.kill()
        process.wait()
        halves.append(assert_whole(out, whole))
        run = batch(source, out, "--to", "mjcf", "--jobs", "2", "--resume")
        assert run.returncode == 2, run.stderr
        assert tree(out) == whole
        shutil.rmtree(out)
    assert any(0 < count < 15 for count in halves), halves


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_it_in_order(
    number: signal.Signals, source: Path, undisturbed: tuple[dict[str, bytes], float], tmp_path: Path
):
    process, said = started(source, tmp_path / "out")
    for _ in range(3):
        assert said.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    numbers = counts(out)
    assert numbers["found"] == numbers["converted"] + numbers["failed"] + numbers["not reached"] == 16
    assert numbers["not reached"] > 0
    assert "run again with --resume" in out
    assert assert_whole(tmp_path / "out", undisturbed[0]) == numbers["converted"]
    assert sorted(path.name for path in (tmp_path / "out" / ".kinegraph").iterdir()) == ["journal.jsonl", "lock"]
    batch(source, tmp_path / "out", "--to", "mjcf", "--resume")
    assert tree(tmp_path / "out") == undisturbed[0]


def test_what_an_earlier_batch_did_is_not_counted_by_one_that_was_stopped(source: Path, tmp_path: Path):
    out = tmp_path / "out"
    assert counts(batch(source, out, "--to", "sdf", "--jobs", "2").stdout)["converted"] == 15
    process, said = started(source, out)
    seen = [said.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    told, rest = process.communicate(timeout=30)
    numbers = counts(told)
    assert numbers["converted"] + numbers["failed"] == len(seen) + len(rest.splitlines()) < 16
    assert numbers["found"] == numbers["converted"] + numbers["failed"] + numbers["not reached"] == 16


def test_a_worker_that_somebody_kills_costs_nothing(
    source: Path, undisturbed: tuple[dict[str, bytes], float], tmp_path: Path
):
    process, said = started(source, tmp_path / "out")
    said.readline()
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 2
    assert children
    assert tree(tmp_path / "out") == undisturbed[0]


def test_no_process_outlives_a_batch_that_was_killed(tmp_path: Path):
    source = write(tmp_path / "src", {"slow.faulty": faulty("hang"), "other.faulty": faulty("hang")})
    process = subprocess.Popen(
        command(source, tmp_path / "out", "--to", "mjcf", "--jobs", "2"), env=environment(), stderr=subprocess.DEVNULL
    )
    children: list[str] = []
    end = time.monotonic() + 30
    while len(children) < 2 and time.monotonic() < end:
        time.sleep(0.05)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    time.sleep(0.3)
    process.kill()
    process.wait()
    end = time.monotonic() + 10
    while any(_running(child) for child in children) and time.monotonic() < end:
        time.sleep(0.02)
    assert len(children) == 2
    assert not any(_running(child) for child in children)


def _running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_full_disk_is_told_and_what_is_there_is_whole(tmp_path: Path):
    """On a small tmpfs in its own mount namespace; without namespaces, with a limit on the file size."""
    source, full, out = tmp_path / "src", tmp_path / "full", tmp_path / "out"
    for number in range(6):
        sizes = "".join(
            stl(0.1 + (number * 40 + part) * 1e-9).replace("solid t", f"solid {part}") for part in range(40)
        )
        write(source, {f"arm_{number}/arm.urdf": urdf(), f"arm_{number}/meshes/link.stl": sizes})
    assert batch(source, full, "--to", "mjcf").returncode == 0
    size = sum(len(data) for data in outputs(full).values())
    out.mkdir()
    script = 'mount -t tmpfs -o size="$0" tmpfs "$1" && shift 3 && "$@"; code=$?; cp -r "$OUT" "$COPY"; exit $code'
    kept = tmp_path / "kept"
    inside = ["sh", "-c", script, f"{size // 2048}k", str(out), "--", "--"]
    own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    arguments = command(source, out, "--to", "mjcf", "--jobs", "1")
    variables = environment(OUT=str(out), COPY=str(kept), PYTHONDONTWRITEBYTECODE="1")
    run = subprocess.run([*own, *inside, *arguments], capture_output=True, text=True, env=variables, timeout=60)
    if not kept.exists():
        limit = max(len(data) for name, data in outputs(full).items() if name.endswith(".obj")) - 1

        def bound() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        run = subprocess.run(arguments, capture_output=True, text=True, env=variables, timeout=60, preexec_fn=bound)
        shutil.copytree(out, kept)
    assert run.returncode == 2, run.stderr
    assert "Traceback" not in run.stderr
    assert re.search("No space left on device|File too large", run.stderr)
    assert assert_whole(kept, outputs(full)) < 6
    run = batch(source, kept, "--to", "mjcf", "--resume")
    assert run.returncode == 0, run.stderr
    assert outputs(kept) == outputs(full)
