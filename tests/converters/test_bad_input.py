"""Whatever the input is: exit code 2, one line on stderr with the place, no file left behind, no traceback, in bounded
time.

The command runs in its own process; where limits apply, it is started anew, as by a user.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from converters.commands.program import kinegraph as cli
from converters.context import InputError
from converters.deliver import document_path
from converters.destination import check
from tests.command import forked

LIMIT = 5.0
"""Limit in seconds for each of these."""
ROBOT = b'<?xml version="1.0"?>\n<robot name="r">\n%s</robot>\n'
JOINT = b'<joint name="%s" type="fixed"><parent link="%s"/><child link="%s"/></joint>\n'


def links(*names: bytes) -> bytes:
    return b"".join(b'<link name="%s"/>\n' % name for name in names)


def laughs() -> bytes:
    rows = [b'<!ENTITY l%d "%s">\n' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 12)]
    return b'<!DOCTYPE robot [\n<!ENTITY l0 "QQQ">\n' + b"".join(rows) + b']>\n<robot name="&l11;"/>\n'


def revolute(limit: bytes) -> bytes:
    joint = b'<joint name="j" type="revolute">\n<parent link="a"/><child link="b"/>\n%s\n</joint>\n' % limit
    return ROBOT % (links(b"a", b"b") + joint)


BAD: dict[str, tuple[bytes, int]] = {
    "internal entity": (b'<!DOCTYPE robot [\n<!ENTITY e "x">\n]>\n<robot name="&e;"/>\n', 2),
    "external entity": (
        b'<!DOCTYPE robot [\n<!ENTITY e SYSTEM "file:///etc/passwd">\n]>\n<robot name="r">&e;</robot>\n',
        2,
    ),
    "parameter entity": (
        b'<!DOCTYPE robot [\n<!ENTITY % e SYSTEM "http://QQQ.invalid/">\n%e;\n]>\n<robot name="r"/>\n',
        2,
    ),
    "billion laughs": (laughs(), 2),
    "missing child link": (ROBOT % (links(b"a") + JOINT % (b"j", b"a", b"QQQ")), 4),
    "missing parent link": (ROBOT % (links(b"a") + JOINT % (b"j", b"QQQ", b"a")), 4),
    "two parents": (ROBOT % (links(b"a", b"b", b"c") + JOINT % (b"j", b"a", b"c") + JOINT % (b"k", b"b", b"c")), 7),
    "cycle": (ROBOT % (links(b"a", b"b") + JOINT % (b"j", b"a", b"b") + JOINT % (b"k", b"b", b"a")), 0),
    "detached cycle": (ROBOT % (links(b"r", b"a", b"b") + JOINT % (b"j", b"a", b"b") + JOINT % (b"k", b"b", b"a")), 0),
    "self parent": (ROBOT % (links(b"a") + JOINT % (b"j", b"a", b"a")), 4),
    "duplicate link": (ROBOT % links(b"a", b"a"), 4),
    "duplicate joint": (ROBOT % (links(b"a", b"b", b"c") + JOINT % (b"j", b"a", b"b") + JOINT % (b"j", b"b", b"c")), 7),
    "nan": (revolute(b'<limit lower="nan" upper="1" effort="1" velocity="1"/>'), 7),
    "not a number": (revolute(b'<origin xyz="0 zero 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'), 7),
    "too few numbers": (revolute(b'<origin xyz="0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'), 7),
    "commas": (revolute(b'<origin xyz="0,1 0,2 0,3"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'), 7),
    "zero axis": (revolute(b'<axis xyz="0 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'), 7),
    "unknown joint type": (ROBOT % (links(b"a", b"b") + (JOINT % (b"j", b"a", b"b")).replace(b"fixed", b"QQQ")), 5),
    "deep nesting": (ROBOT % (b"<a>" * 100_000 + b"</a>" * 100_000), 3),
    "deep nesting without an end": (b'<robot name="r">\n' + b"<a>\n" * 100_000, 0),
    "no links": (ROBOT % b"", 2),
    "empty": (b"", 1),
    "only white space": (b"\n\n\n", 0),
    "text": (b"a robot, please\n", 1),
    "binary": (bytes(random.Random(7).randrange(256) for _ in range(4096)), 0),
    "zip": (b"PK\x03\x04" + b"\0" * 100, 0),
    "NUL inside": (ROBOT % b'<link name="a\0b"/>', 3),
    "not its declared encoding": (b'<?xml version="1.0" encoding="ascii"?>\n<robot name="m\xc3\xbc"/>\n', 2),
    "half of UTF-16": ((ROBOT % links(b"a")).decode().encode("utf-16")[:-31], 0),
    "another root": (b'<?xml version="1.0"?>\n<scene version="1.7"/>\n', 2),
    "junk after the root": (ROBOT % links(b"a") + b"<robot/>", 5),
    "duplicate attribute": (ROBOT % b'<link name="a" name="b"/>', 3),
}
"""What is wrong -> the file, and the line that the message must name (0: any)."""

SLOW_START = {"env": os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}}


def kinegraph(*arguments: str, cwd: Path, limits: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in its own process; with limits, in a newly started one."""
    if limits is None:
        return forked(*arguments, cwd=cwd)
    # a limit on files would cut the bytecode short that others then load
    command = [sys.executable, "-B", "-m", "converters", *arguments]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False, preexec_fn=limits, **SLOW_START
    )


def spent() -> float:
    """Return the processor time in seconds of all ended children, which does not depend on the load of the machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def refused(result: subprocess.CompletedProcess[str], folder: Path, left: list[str]) -> str:
    """Return the only message of a command that refused its input."""
    assert result.returncode == 2, (result.returncode, result.stderr[-2000:])
    assert "Traceback" not in result.stderr
    (line,) = result.stderr.splitlines()
    assert line.startswith("kinegraph: ")
    assert len(line) < 500
    assert sorted(path.name for path in folder.iterdir()) == left
    return line


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_with_its_place(what: str, tmp_path: Path) -> None:
    data, line = BAD[what]
    (tmp_path / "robot.urdf").write_bytes(data)
    started = time.monotonic()
    message = refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=tmp_path), tmp_path, ["robot.urdf"])
    assert time.monotonic() - started < LIMIT
    place = re.match(r"kinegraph: robot\.urdf:(\d+)(?::\d+)?: \S", message)
    assert place, message
    assert line in (0, int(place[1])), message


@pytest.mark.parametrize(("name", "cuts"), [("feature_wheeled.urdf", 200), ("feature_sdf_world.sdf", 100)])
def test_a_model_cut_off_anywhere_is_refused(
    name: str, cuts: int, tmp_path: Path, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, to allow many cuts; what main does around it is covered by other tests."""
    from converters.cli import main

    whole = (made / name).read_bytes().rstrip()
    for size in random.Random(5).sample(range(len(whole)), cuts):
        (tmp_path / name).write_bytes(whole[:size])
        with pytest.raises(SystemExit) as ended:
            main(["convert", str(tmp_path / name), str(tmp_path / "out.xml")])
        (line,) = capsys.readouterr().err.splitlines()
        assert ended.value.code == 2
        assert re.match(rf"kinegraph: .*{name}:\d+(:\d+)?: ", line), line
        assert [path.name for path in tmp_path.iterdir()] == [name]


def test_memory_stays_bounded(tmp_path: Path) -> None:
    """1 GiB of address space is plenty for a file of 2 kB."""
    (tmp_path / "robot.urdf").write_bytes(laughs())

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=tmp_path, limits=limits), tmp_path, ["robot.urdf"])


def test_utf_16_is_read(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_bytes((ROBOT % links(b"a")).decode().encode("utf-16"))
    result = kinegraph("convert", "robot.urdf", "out.urdf", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr


@pytest.fixture
def robot(tmp_path: Path, made: Path) -> Path:
    shutil.copy(made / "feature_wheeled.urdf", tmp_path / "robot.urdf")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.urdf", "out.xml"), "nothing.urdf: there is no such file"),
        (("robot.urfd", "out.xml"), "robot.urfd: there is no such file; did you mean robot.urdf?"),
        (("ROBOT.URDF", "out.xml"), "ROBOT.URDF: there is no such file; did you mean robot.urdf?"),
        (("folder.urdf", "out.xml"), "folder.urdf: is a folder"),
        (("dangling.urdf", "out.xml"), "dangling.urdf: is a link to QQQ, which does not exist"),
        (("circle.urdf", "out.xml"), "circle.urdf: is a link to circle.urdf, which leads back to the link itself"),
        (("/dev/null", "out.xml", "--from", "urdf"), "/dev/null: is not a regular file"),
        (("robot.urdf", "folder.urdf"), "folder.urdf: is a folder"),
        (("robot.urdf", "/dev/full", "--to", "mjcf"), "/dev/full: is no place for files"),
        (("robot.urdf", "-", "--to", "sdf"), "-: stdout is not written"),
        (("robot.urdf", "robot.urdf/out.xml"), "robot.urdf is not a folder"),
        (("robot.urdf", "out.xml", "--from", "QQQ"), "unknown format 'QQQ'"),
        (("robot.urdf", "out.xml", "--to", "gbl"), "unknown format 'gbl'"),
        (("robot.urdf", "out.QQQ"), "out.QQQ: cannot tell the format"),
        (("robot.urdf", "out.xml", "--from", "mjcf"), "robot.urdf:2: "),
        (("robot.txt", "out.xml"), "robot.txt: "),
    ],
)
def test_files_that_cannot_be_what_they_are_asked_to_be(arguments: tuple[str, ...], message: str, robot: Path) -> None:
    (robot / "folder.urdf").mkdir()
    (robot / "dangling.urdf").symlink_to("QQQ")
    (robot / "circle.urdf").symlink_to("circle.urdf")
    if "robot.txt" in arguments:
        (robot / "robot.txt").write_bytes(b"QQQ")
    left = sorted(path.name for path in robot.iterdir())
    assert message in refused(kinegraph("convert", *arguments, cwd=robot), robot, left)


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_link_of_the_machine_is_not_replaced_by_an_output(place: str, robot: Path) -> None:
    """If the shell redirected it to a regular file, the link leads to that file. Nothing is written here."""
    with (robot / "log").open("wb") as log:
        kept = os.dup(1)
        os.dup2(log.fileno(), 1)
        try:
            assert Path(place).is_file()
            with pytest.raises(InputError, match="is no place for files"):
                check(robot / "robot.urdf", Path(place))
            with pytest.raises(InputError, match="is no place for files"):
                document_path(place, None, "robot")
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def test_an_srdf_in_the_place_of_its_robot_is_told(robot: Path) -> None:
    group = '<group name="arm"><chain base_link="a" tip_link="b"/></group>'
    (robot / "robot.srdf").write_text(f'<robot name="r">{group}</robot>')
    done = kinegraph("convert", "robot.srdf", "out.xml", cwd=robot)
    assert (done.returncode, "name the URDF that it is about, and this one with --srdf" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["convert huge.urdf out.xml", "validate huge.urdf", "inspect huge.urdf"])
def test_a_file_of_gigabytes_is_refused_unread(command: str, robot: Path) -> None:
    with (robot / "huge.urdf").open("wb") as file:
        file.truncate(3 << 30)
    limits = lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))  # noqa: E731
    done = kinegraph(*command.split(), cwd=robot, limits=limits)
    assert (done.returncode, "3221225472 bytes are no document of a robot" in done.stderr) == (2, True), done.stderr


def test_a_home_that_the_shell_left_behind_an_equals_sign_is_found(
    robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(robot))
    (robot / "bot").mkdir()
    names = (str(robot / "robot.urdf"), str(robot / "out.xml"))
    done = CliRunner().invoke(cli, ["convert", *names, "-q", "--package", "bot=~/bot"], standalone_mode=False)
    assert done.return_value == 0, done.output


def test_a_name_that_shares_its_ending_alone_is_not_offered(robot: Path) -> None:
    (robot / "error_axis_zero.urdf").write_text("<robot/>")
    left = ["error_axis_zero.urdf", "robot.urdf"]
    assert "did you mean" not in refused(kinegraph("convert", "torso.urdf", "out.xml", cwd=robot), robot, left)


def test_of_files_of_one_name_the_one_that_ends_alike_is_offered(robot: Path) -> None:
    for name in ("robots.sdf", "robots.urdf", "robots.xml"):
        (robot / name).write_text("<robot/>")
    for asked, meant in (("robot_s.xml", "robots.xml"), ("ROBOTS.URDF", "robots.urdf")):
        done = kinegraph("convert", asked, "out.urdf", cwd=robot)
        assert f"did you mean {meant}?" in done.stderr, asked


@pytest.mark.parametrize(
    ("output", "report", "said"),
    [
        ("/proc/QQQ.xml", "a.json", "/proc takes no new files: No such file or directory"),
        ("out.xml", "/proc/QQQ.json", "/proc takes no new files: No such file or directory"),
        ("ring/QQQ.xml", "a.json", "ring is a link to ring, which leads back to the link itself"),
        ("out.xml", "ring/QQQ.json", "ring is a link to ring, which leads back to the link itself"),
        ("gone/QQQ.xml", "a.json", "gone is a link to nowhere, which does not exist"),
        ("out.xml", "gone/QQQ.json", "gone is a link to nowhere, which does not exist"),
    ],
)
def test_a_place_that_takes_no_files_is_told_before_anything_is_written(
    output: str, report: str, said: str, robot: Path
) -> None:
    (robot / "ring").symlink_to("ring")
    (robot / "gone").symlink_to("nowhere")
    before = sorted(path.name for path in robot.iterdir())
    done = kinegraph("convert", "robot.urdf", output, "--report", report, cwd=robot)
    assert done.returncode == 2
    what = ("the output", output) if "QQQ" in output else ("the report", report)
    assert done.stderr == f"kinegraph: {what[1]}: {what[0]} cannot be written there: {said}\n"
    assert sorted(path.name for path in robot.iterdir()) == before


def test_a_file_of_another_kind_is_told_as_such(robot: Path) -> None:
    for name, content, words in (
        ("empty.glb", b"", "empty.glb:1: not well-formed JSON: the file is empty"),
        ("noise.glb", b"\x9a\xff\x00", "noise.glb:1: not UTF-8, as JSON must be"),
        (
            "page.xml",
            b"<html/>",
            "page.xml:1: the root element is <html>, not <mujoco>: this is a file of another kind",
        ),
        (
            "part.xml",
            b"<mujocoinclude/>",
            "part.xml:1: the root element is <mujocoinclude>, not <mujoco>: this is a part",
        ),
        ("loud.urdf", b'<ROBOT name="r"><gazebo/></ROBOT>', "loud.urdf:1: the root element is <ROBOT>, not <robot>"),
    ):
        (robot / name).write_bytes(content)
        assert words in refused(kinegraph("convert", name, "out.urdf", cwd=robot), robot, [name, "robot.urdf"])
        (robot / name).unlink()


def test_a_full_disk_leaves_nothing_behind(robot: Path) -> None:
    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    line = refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=robot, limits=limits), robot, ["robot.urdf"])
    assert line == "kinegraph: out.xml: File too large"


def test_a_report_for_which_there_is_no_room_is_told_beside_the_model(robot: Path) -> None:
    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    done = kinegraph("convert", "robot.urdf", "out.urdf", "--report", "loss.html", cwd=robot, limits=limits)
    assert done.returncode == 2
    said = [
        "robot.urdf -> out.urdf: nothing lost",
        "kinegraph: out.urdf is written, and its report is not: loss.html: ",
    ]
    assert done.stderr == f"{said[0]}\n{said[1]}File too large\n"
    assert sorted(path.name for path in robot.iterdir()) == ["out.urdf", "robot.urdf"]


def test_a_full_standard_output_is_an_error(robot: Path) -> None:
    command = [sys.executable, "-m", "converters", "inspect", "robot.urdf"]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            command, cwd=robot, stdout=full, stderr=subprocess.PIPE, text=True, check=False, **SLOW_START
        )
    assert result.returncode == 2
    assert result.stderr == "kinegraph: No space left on device\n"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("formats",), 0),
        (("convert", "robot.urdf", "out.xml"), 0),
        (("convert", "robot.urdf", "out.xml", "--package", "no"), 2),
        (("compare", "robot.urdf", "robot.urdf"), 0),
        (("compare", "robot.urdf", "heavier.urdf"), 1),
    ],
)
@pytest.mark.parametrize("closed", [False, True], ids=["nobody reads", "nothing is open"])
def test_a_reader_who_is_gone_changes_no_exit_code(
    robot: Path, command: tuple[str, ...], code: int, closed: bool
) -> None:
    (robot / "heavier.urdf").write_text((robot / "robot.urdf").read_text().replace('<mass value="', '<mass value="1'))

    def close() -> None:
        os.close(1)
        os.close(2)

    reader, pipe = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "converters", *command]
    start = close if closed else None
    done = subprocess.run(
        line, cwd=robot, stdout=pipe, stderr=pipe, text=True, check=False, preexec_fn=start, **SLOW_START
    )
    os.close(pipe)
    assert done.returncode == code


def like_anybody() -> None:
    """Drop root's right to read and write everything: prctl(PR_CAPBSET_DROP) before exec."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


def test_what_may_not_be_read_or_written_is_refused(robot: Path) -> None:
    (robot / "robot.urdf").chmod(0)
    refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=robot, limits=like_anybody), robot, ["robot.urdf"])
    (robot / "robot.urdf").chmod(0o644)
    robot.chmod(0o555)
    refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=robot, limits=like_anybody), robot, ["robot.urdf"])
    robot.chmod(0o755)


def test_an_existing_output_survives_a_failure(robot: Path) -> None:
    (robot / "out.xml").write_text("precious")
    (robot / "robot.urdf").write_text("<robot")
    refused(kinegraph("convert", "robot.urdf", "out.xml", cwd=robot), robot, ["out.xml", "robot.urdf"])
    assert (robot / "out.xml").read_text() == "precious"
