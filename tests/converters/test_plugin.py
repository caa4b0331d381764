"""A format of another package: that of the README as printed, one with a defect, one that does not load."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from converters.registry import GROUP, OWN
from tests.conftest import ROOT
from tests.oracles.in_mujoco import mujoco_model

DONE = subprocess.CompletedProcess[str]
ROBOT = ROOT / "corpus" / "made" / "feature_wheeled.urdf"


def example() -> str:
    return code_of(ROOT / "converters" / "README.md")


def code_of(page: Path) -> str:
    """Return all Python examples of a page, concatenated."""
    return "".join(re.findall(r"(?s)```python\n(.*?)```", page.read_text()))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site folder with a package that declares the format of the README."""
    (tmp_path / "own_lines-0.1.dist-info").mkdir()
    for name, text in (
        ("METADATA", "Metadata-Version: 2.1\nName: own-lines\nVersion: 0.1\n"),
        ("entry_points.txt", "[kinegraph.formats]\nlines = lines:FORMAT\n"),
    ):
        (tmp_path / "own_lines-0.1.dist-info" / name).write_text(text)
    (tmp_path / "lines.py").write_text(example())
    return tmp_path


def kinegraph(site: Path, *arguments: str) -> DONE:
    env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{site}"}
    command = [sys.executable, "-m", "converters", *arguments]
    return subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, check=False)


def test_the_formats_of_this_package_are_those_that_it_offers() -> None:
    offered = {entry.name: entry.value for entry in distribution("kinegraph").entry_points if entry.group == GROUP}
    assert offered == {name: f"converters.{name}:FORMAT" for name in OWN}


def test_the_format_of_the_readme_is_read_written_and_told_of(site: Path) -> None:
    assert "lines   links and welds, a line each" in re.sub(" {2,}", "   ", kinegraph(site, "formats").stdout)
    done = kinegraph(site, "convert", str(ROBOT), "out.lines")
    assert done.returncode == 0 and "dropped: lines/no-place (9): a line names" in done.stderr, done.stderr
    assert (site / "out.lines").read_text().splitlines()[0] == "link base_link"
    done = kinegraph(site, "convert", "out.lines", "out.urdf")
    assert done.stderr == "out.lines -> out.urdf: nothing lost\n"
    (site / "bad.lines").write_text("link a\nQQQ\n")
    assert kinegraph(site, "inspect", "bad.lines").stderr.startswith("kinegraph: bad.lines:2: 'QQQ' is neither")


def test_a_defect_of_a_format_of_others_is_not_ours(site: Path) -> None:
    (site / "lines.py").write_text(example().replace("pos=", "QQQ="))
    (site / "a.lines").write_text("link a\nlink b\nweld j a b 0 0 1\n")
    done = kinegraph(site, "convert", "a.lines", "a.urdf")
    said = "kinegraph: a defect of the format 'lines', which another package brings, please report it: TypeError: "
    assert (done.returncode, done.stderr.startswith(said)) == (2, True), done.stderr


def test_a_format_that_does_not_load_is_named_and_stands_in_no_way(site: Path) -> None:
    (site / "lines.py").write_text("import QQQ_nowhere\n")
    done = kinegraph(site, "formats")
    said = "kinegraph: the format 'lines' of the package own-lines cannot be loaded (lines:FORMAT): ModuleNotFoundError"
    assert (done.returncode, done.stderr.startswith(said)) == (2, True), done.stderr
    assert kinegraph(site, "convert", str(ROBOT), "out.xml").returncode == 0


def test_the_graph_is_changed_as_its_readme_shows(tmp_path: Path) -> None:

    (tmp_path / "robot.urdf").write_text(ROBOT.read_text())
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code_of(ROOT / "ir" / "README.md")]
    subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True)
    model = mujoco_model(tmp_path / "heavier.xml")
    assert (model.body("base_link").mass, model.joint("wheel_joint").damping) == (12.5, 0.5)
    lamp = mujoco_model(tmp_path / "lamp.urdf")
    assert (lamp.body("arm").mass, lamp.joint("hinge").range.tolist()) == (2.0, [-1.5, 1.5])
