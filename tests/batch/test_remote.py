"""Sources and destinations that are URLs: an S3 server on this machine, memory://, file://."""

from __future__ import annotations

import functools
import http.server
import io
import os
import threading
from pathlib import Path

import pytest

from converters.batch.remote import fetched
from converters.batch.run import Wanted, batch as run_here
from converters.context import InputError, Options
from tests.batch.folders import batch, counts, outputs, put, robots, stored, told, urdf, write


def test_from_s3_to_s3_gives_the_same_bytes_and_resumes(bucket: str, tmp_path: Path):
    source = robots(tmp_path / "src", 3)
    local = batch(source, tmp_path / "out", "--to", "mjcf", "--report", tmp_path / "local")
    put(source, f"{bucket}/src")
    here = ("--to", "mjcf", "--report", tmp_path / "remote")
    run = batch(f"{bucket}/src", f"{bucket}/out", *here)
    assert run.returncode == 2, run.stderr
    assert told(run.stdout) == told(local.stdout)
    assert stored(f"{bucket}/out") == outputs(tmp_path / "out")
    for name in ("report.json", "report.sarif"):
        assert (tmp_path / "remote" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()

    import boto3

    boto3.client("s3").delete_object(Bucket=bucket.removeprefix("s3://"), Key="out/pendulum.xml")
    put(write(tmp_path / "new", {"arm_1/arm.urdf": urdf("new")}), f"{bucket}/src")
    run = batch(f"{bucket}/src", f"{bucket}/out", *here, "--resume")
    assert run.returncode == 2, run.stderr
    assert sorted(line.split()[2] for line in run.stderr.splitlines() if " converted " in line) == [
        "arm_1/arm.urdf",
        "pendulum.xml",
    ]
    assert counts(run.stdout)["converted"] == 5
    assert sorted(stored(f"{bucket}/out")) == sorted(outputs(tmp_path / "out"))


def test_one_side_may_be_a_url(bucket: str, tmp_path: Path):
    source = robots(tmp_path / "src", 2)
    batch(source, tmp_path / "out", "--to", "mjcf")
    assert batch(source, f"{bucket}/there", "--to", "mjcf").returncode == 2
    assert stored(f"{bucket}/there") == outputs(tmp_path / "out")
    put(source, f"{bucket}/src")
    assert batch(f"{bucket}/src", (tmp_path / "back").as_uri(), "--to", "mjcf").returncode == 2
    assert outputs(tmp_path / "back") == outputs(tmp_path / "out")
    run = batch(f"{bucket}/src", tmp_path / "never", "--to", "mjcf", "--dry-run")
    assert run.stdout.count("convert") == 5
    assert not (tmp_path / "never").exists()


def test_memory_to_memory(tmp_path: Path):
    import fsspec

    source = robots(tmp_path / "src", 2)
    batch(source, tmp_path / "out", "--to", "mjcf")
    fsspec.filesystem("memory").store.clear()
    put(source, "memory://src")
    code, table = run_here("memory://src", "memory://out", "mjcf", Options(), Wanted(resume=True))
    assert code == 2
    assert counts(table)["converted"] == 4
    assert stored("memory://out") == outputs(tmp_path / "out")
    code, table = run_here("memory://src", "memory://out", "mjcf", Options(), Wanted(resume=True))
    assert "4 of them unchanged since the last run" in table
    assert stored("memory://out") == outputs(tmp_path / "out")


def test_what_is_not_there_is_told(bucket: str, tmp_path: Path):
    for url in (f"{bucket}/nothing", "s3://nobody/src", "memory://nothing"):
        with pytest.raises((InputError, OSError), match=r"nothing|nobody|bucket"):
            run_here(url, str(tmp_path / "out"), "mjcf", Options(), Wanted())
    run = batch("s3://nobody/src", tmp_path / "out", "--to", "mjcf")
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


def test_names_of_a_web_server_are_those_of_its_files(tmp_path: Path):
    """Models with blanks and umlauts in the names of their files; links that lead out of the folder are not fetched."""

    class Server(http.server.SimpleHTTPRequestHandler):
        def list_directory(self, path: str | os.PathLike[str]) -> io.BytesIO | None:
            page = super().list_directory(path)
            return page and io.BytesIO(page.read().replace(b"ninechars", b"%2e%2e%2f"))

        def log_message(self, *_: object) -> None:
            return None

    write(tmp_path / "src", {"mein roboter/größe.urdf": urdf(), "ninechars.urdf": urdf(), "a%20b.urdf": urdf()})
    here = functools.partial(Server, directory=str(tmp_path / "src"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), here) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        fetched(f"http://127.0.0.1:{server.server_port}/", tmp_path / "copy")
        server.shutdown()
    assert sorted(outputs(tmp_path / "copy")) == ["a%20b.urdf", "mein roboter/größe.urdf"]
    assert not (tmp_path / ".urdf").exists()
