"""Whatever goes wrong inside a command is one message and an exit code, never a traceback."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import converters
from converters.cli import main
from converters.context import InputError
from converters.failures import unaddressed
from converters.report.model import Action, End, Finding, Report, Severity
from ir.types import Source
from tests.conftest import ROOT
from tests.files import saved

Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `kinegraph convert` with a conversion that raises or returns what is given; return exit code and stderr."""
    (tmp_path / "robot.urdf").write_text("<robot/>")
    monkeypatch.chdir(tmp_path)

    def run(outcome: BaseException | Report, *options: str) -> tuple[int, str]:
        def convert(*arguments: object, **settings: object) -> Report:
            if isinstance(outcome, Report):
                return outcome
            raise outcome

        monkeypatch.setattr(converters, "convert", convert)
        with pytest.raises(SystemExit) as ended:
            main(["convert", "robot.urdf", "robot.xml", *options])
        return int(ended.value.code or 0), capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("is wrong", Source("robot.urdf", 7, "/robot")), 2, "robot.urdf:7: is wrong"),
        (InputError("is wrong\nin two lines"), 2, "is wrong in two lines"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "QQQ"), 2, "QQQ: No such file or directory"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left on device"),
        (
            UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
            2,
            "byte 0 is not utf-8: save the file as UTF-8",
        ),
        (RecursionError(), 2, "the model is nested too deeply to be converted"),
        (MemoryError(), 2, "out of memory: the model or one of its meshes is too large for this machine"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_failure_is_one_message(command: Command, error: BaseException, code: int, message: str) -> None:
    ended, err = command(error)
    assert ended == code
    assert err.strip() == f"kinegraph: {message}"


def test_a_file_is_named_from_the_current_folder(command: Command) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", str(Path.cwd() / "out"))
    assert command(refused) == (2, "kinegraph: out: Permission denied\n")


def test_warnings_of_libraries_are_not_for_users(tmp_path: Path) -> None:
    (tmp_path / "far.stl").write_text(
        "solid x\nfacet normal 0 0 1\nouter loop\nvertex 3e38 0 0\nvertex 0 3e38 0\n"
        "vertex 0 0 -3e38\nendloop\nendfacet\nendsolid\n"
    )
    (tmp_path / "far.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="far.stl" scale="1e300 1 1"/></geometry>'
        "</visual></link></robot>"
    )
    command = [sys.executable, "-m", "converters", "convert", "far.urdf", "far.png"]
    shown = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert shown.returncode == 0
    assert "Warning" not in shown.stderr


def test_a_defect_of_ours_is_no_conversion_with_findings(command: Command) -> None:
    ended, err = command(AssertionError("QQQ"))
    assert ended == 2
    (line,) = err.splitlines()
    assert line.startswith("kinegraph: a defect of kinegraph, please report it: AssertionError: QQQ (test_failures.py:")


def test_no_address_in_memory_is_told() -> None:
    """The same input gives the same output, but memory addresses differ from run to run."""
    error = OSError("cannot identify image file <_io.BytesIO object at 0x7f87da932930>")
    assert unaddressed(error) == "cannot identify image file"
    assert unaddressed(OSError("<joint> at 0x1 and <a> stay")) == "<joint> at 0x1 and <a> stay"


def test_a_disk_that_is_full_before_a_batch_begins_is_told_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import converters.batch.run as run

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(run, "batch", full)
    with pytest.raises(SystemExit):
        main(["batch", str(tmp_path), f"{tmp_path}/out", "--to", "mjcf"])
    assert capsys.readouterr().err == f"kinegraph: {tmp_path}/out: No space left on device\n"


def report(action: Action) -> Report:
    end = End(path="robot.urdf", format="urdf")
    severity = Severity.ERROR if action is Action.UNEXPLAINED else Severity.WARNING
    found = Finding(rule="a/b", action=action, severity=severity, where="body/a", before="1")
    return Report(version="0", source=end, target=end, findings=(found,))


@pytest.mark.parametrize(
    ("action", "options", "code"),
    [
        (Action.CARRIED, (), 0),
        (Action.CARRIED, ("--strict",), 0),
        (Action.CARRIED, ("--strict", "--fail-on", "carried"), 1),
        (Action.APPROXIMATED, ("--strict", "--fail-on", "dropped"), 1),
        (Action.APPROXIMATED, ("--fail-on", "dropped"), 0),
        (Action.DROPPED, ("--fail-on", "dropped"), 1),
        (Action.DROPPED, (), 0),
        (Action.UNEXPLAINED, (), 3),
        (Action.UNEXPLAINED, ("--strict",), 3),
    ],
)
def test_the_exit_code_follows_the_findings(
    command: Command, action: Action, options: tuple[str, ...], code: int
) -> None:
    ended, err = command(report(action), *options, "--report", "loss.sarif")
    assert ended == code
    assert err.splitlines()[-1].endswith("; details: loss.sarif")
    assert Path("loss.sarif").is_file()
    assert sorted(path.name for path in Path().iterdir()) == ["loss.sarif", "robot.urdf"]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(
    variables: dict[str, str], coloured: bool, made: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("sys.stderr", Terminal())
    source = str(made / "feature_joint_dynamics.urdf")
    for arguments in (["convert", source, str(tmp_path / "a.xml")], ["validate", source]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert ("\x1b[" in sys.stderr.getvalue()) == coloured
    assert ("\x1b[" in sys.stdout.getvalue()) == coloured


BOX = '<robot name="r"><link name="l"/></robot>'


@pytest.mark.parametrize(
    ("source", "output", "said"),
    [
        ("robot.urdf", "s3://bucket/robot.xml", "s3://bucket/robot.xml: is a URL: name a path; kinegraph batch takes"),
        ("robot.urdf", "file:///tmp/QQQ.xml", "file:///tmp/QQQ.xml: is a URL: name the path /tmp/QQQ.xml"),
        ("https://QQQ.invalid/a.urdf", "a.xml", "https://QQQ.invalid/a.urdf: is a URL: name a path; "),
        ("robot.zip", "a.xml", "robot.zip:1: is a ZIP archive: unpack it, and name the model in it"),
        ("zipped.urdf", "a.xml", "zipped.urdf:1: is a ZIP archive: unpack it, and name the model in it"),
        ("pointer.urdf", "a.xml", "pointer.urdf:1: is a pointer of Git LFS, and the file itself is not here yet: run"),
        ("robot.usdz", "a.xml", "robot.usdz:1: is USD, which is not read: take the URDF or MJCF"),
        ("robot.mjb", "a.xml", "robot.mjb: is a model compiled by MuJoCo (MJB), which only MuJoCo reads: take "),
        ("robot.stl", "a.xml", "robot.stl: is a shape and no robot: name a model that shows it, or save it as .glb"),
        ("robot.urdf", "robot.usd", "robot.usd: is USD, which is not written: Isaac Sim and Isaac Lab import URDF"),
        ("robot.urdf", "robot.proto", "robot.proto: is a file of Webots, which is not written: urdf2webots"),
        ("robot.urdf", "robot.blend", "robot.blend: is a scene that only its own program writes: Blender "),
        ("text.usd", "a.xml", "text.usd:1: is USD, which is not read: take the URDF or MJCF"),
        ("world.wbt", "a.xml", "world.wbt:1: is a file of Webots, which is not read: let Webots export URDF"),
        ("robot.urdf", "out/", "out/: is a folder; name a file for the output, or say the format with --to"),
        ("robot.urdf", "a.xml --to usd", "'usd' is USD, which is not written: "),
        ("robot.urdf", "a.xml --to .USD", "'.USD' is USD, which is not written: "),
        (
            "robot.urdf",
            "a.xml --to gazebo",
            "unknown format 'gazebo'; known are gltf, mjcf, png, sdf, urdf; did you mean",
        ),
        (
            "robot.urdf",
            "a.urdf.xacro",
            "xacro (ROS) can be read but not written; what can be written is gltf, mjcf, png, ",
        ),
        (
            "robot.urdf",
            "- --to mjcf",
            "-: stdout is not written: what is written appears whole or not at all; name a file",
        ),
        ("robot.urdf", "robot.obj", "robot.obj: holds a shape and no robot: write glTF (.glb), which "),
    ],
)
def test_what_is_no_model_here_is_told_as_what_it_is(
    source: str, output: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_text(BOX)
    for name in ("robot.zip", "zipped.urdf", "robot.usdz"):
        with zipfile.ZipFile(name, "w") as archive:
            archive.writestr("robot.urdf", BOX)
    Path("robot.mjb").write_bytes(b"\x01\x02\x03")
    Path("robot.stl").write_bytes(b"solid")
    Path("text.usd").write_text("#usda 1.0")
    Path("world.wbt").write_text("#VRML_SIM R2025a utf8")
    Path("pointer.urdf").write_text("version https://git-lfs.github.com/spec/v1")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as ended:
        main(["convert", source, *output.split()])
    assert (ended.value.code, capsys.readouterr().err.startswith(f"kinegraph: {said}")) == (2, True)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_model_in_a_file_of_another_name_is_read_for_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "robot.stl").write_text(BOX)
    assert converters.read(tmp_path / "robot.stl").name == "r"


def test_a_report_and_an_output_of_python_go_to_no_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_text(BOX)
    with pytest.raises(InputError, match=r"^s3://bucket/robot.xml: is a URL"):
        converters.convert("robot.urdf", "s3://bucket/robot.xml")
    with pytest.raises(SystemExit):
        main(["convert", "robot.urdf", "robot.xml", "--report", "s3://bucket/loss.html"])
    Path("http:").mkdir()  # whoever has such a folder means it
    converters.convert("robot.urdf", "http:/robot.xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["http:", "robot.urdf"]


def test_a_folder_that_is_gone_while_one_is_in_it_is_told(tmp_path: Path) -> None:
    source = saved(tmp_path / "robot.urdf", BOX)
    there = tmp_path / "there"
    there.mkdir()
    code = f"import os; os.chdir({str(there)!r}); os.rmdir({str(there)!r}); from converters.cli import main; main()"
    command = [sys.executable, "-P", "-c", code, "convert", str(source), "out.xml"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    said = "kinegraph: the folder in which the command runs is gone: change into one that exists"
    assert (done.returncode, done.stderr.strip()) == (2, said)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_ends_a_command_leaves_nothing_half_written(number: signal.Signals, tmp_path: Path) -> None:
    """The signal arrives twice while the temporary folder exists: just before files are renamed."""
    source = saved(tmp_path / "robot.urdf", BOX)
    code = (
        "import os, sys, converters.deliver as deliver\n"
        f"def move(*_):\n    for _ in range(2):\n        os.kill(os.getpid(), {number:d})\n"
        "deliver._move = move\n"
        "from converters.cli import entry; entry()"
    )
    command = [sys.executable, "-c", code, "convert", str(source), str(tmp_path / "out" / "robot.xml")]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    said = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
    assert (done.returncode, done.stderr.strip()) == (128 + number, f"kinegraph: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["robot.urdf"]


@pytest.mark.parametrize("module", ["click", "converters.context", "msgspec"])
def test_ctrl_c_while_modules_load_is_no_traceback(module: str, tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(BOX)
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from converters.cli import entry; entry()"
    )
    command = [sys.executable, "-P", "-c", code, "convert", "robot.urdf", "robot.xml"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "kinegraph: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["robot.urdf"]


def test_what_nohup_has_a_command_ignore_it_ignores(tmp_path: Path) -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "import converters.commands.formats as asked, converters.cli as cli\n"
        "told = asked.say_json\n"
        "asked.say_json = lambda *all: (os.kill(os.getpid(), signal.SIGHUP), told(*all))\n"
        "cli.entry()"
    )
    command = [sys.executable, "-c", code, "formats", "--json"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_what_windows_lacks_all_but_batch_runs(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(BOX)
    commands = [
        ["convert", "robot.urdf", "robot.xml"],
        ["convert", "robot.xml", "robot.glb"],
        ["convert", "robot.glb", "model.sdf"],
        ["convert", "model.sdf", "robot.png"],
        ["compare", "robot.urdf", "model.sdf"],
        ["validate", "robot.urdf", "--fix", "fixed.urdf"],
        ["inspect", "robot.urdf"],
        ["view", "robot.urdf"],
        ["batch", ".", "out", "--to", "mjcf"],
    ]
    code = (
        "import signal, sys; sys.modules.update(fcntl=None, resource=None); del signal.SIGHUP\n"
        "import converters.cli\n"
        f"for command in {commands}:\n"
        "    sys.argv[1:] = command\n"
        "    try: converters.cli.entry()\n"
        "    except SystemExit as end: print('code', end.code, file=sys.stderr, flush=True)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    codes = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("code ")]
    assert codes == ["0"] * 8 + ["2"], done.stderr
    *_, said, _ = done.stderr.splitlines()
    assert said == "kinegraph: batch does not run on Windows: use it in WSL, or convert the models one by one"


@pytest.mark.parametrize("words, completed", [
    ("convert a b --to ", {"gltf", "mjcf", "png", "sdf", "urdf"}),
    ("convert a b --from g", {"gltf"}),
    ("convert a b --from p", set[str]()),
    ("view a --to M", {"mjcf"}),
    ("batch a b --to u", {"urdf"}),
])  # fmt: skip
def test_the_tab_key_completes_formats_that_can_be_read_or_written(words: str, completed: set[str]):
    given = f"kinegraph {words}"
    told = {"COMP_WORDS": given, "COMP_CWORD": str(given.count(" ")), "_KINEGRAPH_COMPLETE": "bash_complete"}
    code = "import sys; from converters.cli import entry; sys.argv = ['kinegraph']; entry()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | told, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {line.removeprefix("plain,") for line in done.stdout.split()} == completed
