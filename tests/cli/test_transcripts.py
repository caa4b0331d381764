"""Transcripts: commands as typed and their output. A bug report becomes a test by pasting it into a file here.

    % kinegraph formats            a command; kinegraph, cat and ls are known
    name  title                    its standard output
    2> kinegraph: no such file     its standard error
    => 2                           its exit code, if it is not 0
    %% a remark

Commands of one file run one after the other in a fresh folder with a copy of corpus/made as made/. `pytest --update`
rewrites the files.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from converters.cli import main

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Run:
    """A remark (command "") or a command, and everything below it up to the next."""

    line: str
    output: str

    def __str__(self) -> str:
        return f"{self.line}\n{self.output}"


def parse(text: str) -> list[Run]:
    pieces = re.split(r"(?m)^(%%? ?.*)\n", text)
    assert not pieces[0].strip(), "a transcript starts with a remark (%%) or a command (%)"
    return [Run(line, output) for line, output in zip(pieces[1::2], pieces[2::2], strict=True)]


def run(command: str) -> str:
    """Run a command and return its output in the form of a transcript."""
    name, *arguments = shlex.split(command)
    out, err, code = io.StringIO(), io.StringIO(), 0
    if name == "kinegraph":
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main(arguments)
        code = int(ended.value.code or 0)
    elif name == "cat":
        out.write("".join(Path(argument).read_text() for argument in arguments))
    elif name == "ls":
        out.write("".join(f"{path.name}\n" for path in sorted(Path(*arguments).iterdir())))
    else:
        raise AssertionError(f"transcripts know kinegraph, cat and ls, not {name}")
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    lines += [f"2> {line}".rstrip() for line in err.getvalue().splitlines()]
    lines += [f"=> {code}"] if code else []
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.txt")))
def test_transcript(name: str, tmp_path: Path, made: Path, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    path = HERE / name
    shutil.copytree(made, tmp_path / "made")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")  # help is as wide as the terminal
    for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH"):
        monkeypatch.delenv(variable, raising=False)
    expected = parse(path.read_text())
    actual = [item if item.line.startswith("%%") else Run(item.line, f"{run(item.line[1:])}\n") for item in expected]
    if update:
        changed = "".join(map(str, actual)).rstrip() + "\n"
        if changed != path.read_text():
            path.write_text(changed)
            print(f"updated {os.path.relpath(path)}")
        return
    for before, after in zip(expected, actual, strict=True):
        assert f"{before.line}\n{before.output.rstrip()}" == f"{after.line}\n{after.output.rstrip()}"
