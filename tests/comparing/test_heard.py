"""What `compare` reports besides differences, for both models: options without effect, missing files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from converters.commands.program import kinegraph
from converters.comparing.show import titles
from tests.conftest import ROOT

BOX = '<link name="base"><visual><geometry><box size="%s 1 1"/></geometry></visual></link>'
XACRO = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x"><xacro:arg name="len" default="0.3"/>
{BOX % "$(arg len)"}</robot>"""
MESHES = ROOT / "corpus" / "made" / "feature_mesh_missing.urdf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.urdf.xacro").write_text(XACRO)
    (tmp_path / "x.urdf").write_text(f'<robot name="x">{BOX % 0.3}</robot>')
    return tmp_path


@pytest.mark.parametrize(
    ("first", "second", "argument", "told"),
    [
        ("x.urdf.xacro", "x.urdf.xacro", "lne", "--arg lne: the xacro does not ask for an argument of this name"),
        ("x.urdf.xacro", "x.urdf", "lne", "--arg lne: the xacro does not ask for an argument of this name"),
        ("x.urdf", "x.urdf", "len", "--arg len: only xacro files have arguments"),
        ("x.urdf", "x.urdf.xacro", "len", ""),
    ],
)
def test_an_argument_that_acts_on_neither_model_is_told(
    folder: Path, first: str, second: str, argument: str, told: str
) -> None:
    run = CliRunner().invoke(
        kinegraph,
        ["compare", str(folder / first), str(folder / second), "--arg", f"{argument}:=0.3"],
        standalone_mode=False,
    )
    assert not run.return_value
    assert run.stderr.startswith(told)
    assert run.stderr.count("\n") == bool(told)


@pytest.mark.parametrize("command", ["inspect", "view", "validate"])
def test_an_argument_that_does_nothing_is_told_by_each_command(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name, argument in (("x.urdf", "len"), ("x.urdf.xacro", "lne")):
        run = CliRunner().invoke(kinegraph, [command, name, "--arg", f"{argument}:=0.3"], standalone_mode=False)
        assert argument in run.output, name


@pytest.mark.parametrize(
    ("command", "told"), [("inspect", "missing model: model://QQQ_table"), ("view", "1 file not found")]
)
def test_a_model_that_is_included_and_not_found_is_told_by_each_command(
    folder: Path, command: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    box = '<model name="m"><link name="l"/></model><include><uri>model://QQQ_table</uri></include>'
    (folder / "w.sdf").write_text(f'<sdf version="1.9"><world name="w">{box}</world></sdf>')
    run = CliRunner().invoke(kinegraph, [command, "w.sdf"], standalone_mode=False)
    assert told in run.output


def test_two_versions_of_a_file_are_told_apart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, size in (("old", 1), ("new", 2)):
        (folder / version / "src").mkdir(parents=True)
        (folder / version / "src" / "x.urdf").write_text(f'<robot name="x">{BOX % size}</robot>')
    monkeypatch.chdir(folder)
    run = CliRunner().invoke(kinegraph, ["compare", "old/src/x.urdf", "new/src/x.urdf"], standalone_mode=False)
    heads = [line.split("┃") for line in run.stdout.splitlines() if "where" in line]
    assert [[head.strip() for head in each] for each in heads] == [
        ["where", "old/…/x.urdf", "new/…/x.urdf", "apart by"]
    ]
    assert titles(Path("a/x.urdf"), Path("b/x.urdf")) == ("a/x.urdf", "b/x.urdf")
    assert titles(Path("a/x.urdf"), Path("b/y.urdf")) == ("x.urdf", "y.urdf")
    assert titles(Path("a/x.urdf"), Path("a/x.urdf")) == ("x.urdf", "x.urdf")


def test_files_that_are_not_found_are_told() -> None:
    run = CliRunner().invoke(kinegraph, ["compare", str(MESHES), str(MESHES)], standalone_mode=False)
    assert (run.return_value, run.stderr.count("\n")) == (0, 1)
    assert "files that are not found are compared by their address: package://QQQ_nowhere/base.stl" in run.stderr


def test_meshes_that_are_not_found_are_compared_by_their_address(tmp_path: Path) -> None:
    text = MESHES.read_text()
    (tmp_path / "a.urdf").write_text(text)
    (tmp_path / "b.urdf").write_text(text.replace("/base.stl", "/other.stl"))
    run = CliRunner().invoke(
        kinegraph, ["compare", str(tmp_path / "a.urdf"), str(tmp_path / "b.urdf")], standalone_mode=False
    )
    assert run.return_value == 1
    assert "package://QQQ_nowhere/other.stl" in run.stdout


@pytest.mark.parametrize(("other", "told"), [("base", ""), ("trunk", "no body has the same name in both: ")])
def test_models_without_a_body_in_common_are_told(folder: Path, other: str, told: str) -> None:
    """If nothing can be compared, no difference is found."""
    (folder / "y.urdf").write_text(f'<robot name="x">{BOX % 0.4}</robot>'.replace("base", other))
    names = [str(folder / "x.urdf"), str(folder / "y.urdf")]
    run = CliRunner().invoke(kinegraph, ["compare", *names], standalone_mode=False)
    assert run.return_value == 1
    assert run.stderr.startswith(told) and run.stderr.count("\n") == bool(told)
