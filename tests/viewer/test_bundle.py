"""The committed script is the result of its sources and the lock file, and its types are correct."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from converters.viewer.page import WEB
from tests.oracles.node import installed, node


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """The sources next to the packages of the lock file."""
    locked = tmp_path / "viewer-build"
    locked.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WEB / name, locked)
    place = tmp_path / "web"
    shutil.copytree(WEB, place)
    (place / "node_modules").symlink_to(installed(locked) / "node_modules")
    return place


def test_the_bundle_is_what_the_lock_file_builds(workshop: Path):
    subprocess.run([node(), "build.js", "again.js"], cwd=workshop, check=True)
    assert (workshop / "again.js").read_bytes() == (WEB / "bundle.js").read_bytes()


def test_the_types_hold(workshop: Path):
    command = [node(), "node_modules/typescript/bin/tsc", "-p", "."]
    done = subprocess.run(command, cwd=workshop, capture_output=True, text=True, check=False)
    assert done.stdout == "" and done.returncode == 0


def test_versions_are_exact():
    packages = json.loads((WEB / "package.json").read_text())
    assert all(version[0].isdigit() for version in (packages["dependencies"] | packages["devDependencies"]).values())


def test_the_licence_of_what_is_bundled_lies_beside_it():
    assert "three.js authors" in (WEB / "LICENSE.three.txt").read_text()
    assert "</script" not in (WEB / "bundle.js").read_text() and "<!--" not in (WEB / "bundle.js").read_text()


def linted(workshop: Path) -> subprocess.CompletedProcess[str]:
    command = [
        node(),
        "node_modules/eslint/bin/eslint.js",
        "--max-warnings",
        "0",
        "src",
        "build.js",
        "eslint.config.js",
    ]
    return subprocess.run(command, cwd=workshop, capture_output=True, text=True, check=False)


def test_the_linter_has_nothing_to_say(workshop: Path):
    done = linted(workshop)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with (workshop / "src" / "dom.js").open("a") as file:
        file.write("const unused = 1;\ndocument.body.innerHTML = location.hash;\n")
    found = linted(workshop).stdout
    assert "no-unused-vars" in found and "only ever text" in found
