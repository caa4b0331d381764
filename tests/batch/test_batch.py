"""Whole folders, from the command line to the bytes on disk."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import etree

from converters import convert
from converters.batch.reports import Merged
from converters.paths import short_way
from converters.report.model import exit_code
from tests.batch.folders import MJCF, SDF, batch, command, counts, environment, outputs, robots, stl, tree, urdf, write
from tests.oracles.in_mujoco import mujoco_model


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return robots(tmp_path_factory.mktemp("batch") / "src")


@pytest.fixture(scope="module")
def done(source: Path) -> Path:
    """The folder of an undisturbed batch in one process, with its report in out/report."""
    out = source.parent / "out"
    run = batch(source, out, "--to", "mjcf", "--jobs", "1", "--report", out / "report")
    assert run.returncode == 2, run.stderr
    assert counts(run.stdout)["converted"] == 10
    assert counts(run.stdout)["failed"] == 1
    assert run.stdout.endswith(f"report: {out}/report/index.html\n")
    return out


def test_bytes_do_not_depend_on_the_number_of_processes(source: Path, done: Path, tmp_path: Path):
    run = batch(source, tmp_path / "out", "--to", "mjcf", "--jobs", "3", "--report", tmp_path / "out" / "report")
    assert run.returncode == 2
    assert tree(tmp_path / "out") == tree(done)


def test_the_tree_is_kept_and_loads_in_mujoco_from_anywhere(done: Path, tmp_path: Path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(done, moved)
    found = {path.relative_to(moved).as_posix() for path in moved.rglob("*.xml")}
    assert found == {"box/model.xml", "pendulum.xml", *(f"arm_{number}/arm.xml" for number in range(8))}
    for name in found:
        assert mujoco_model(moved / name).nbody >= 2
    single = tmp_path / "single"
    shutil.copytree(done / "arm_3", single)
    assert mujoco_model(single / "arm.xml").nmesh == 1


def test_equal_meshes_are_one_file_on_the_disk(done: Path):
    meshes = sorted(done.glob("arm_*/arm_assets/*.obj"))
    assert len(meshes) == 8
    assert len({path.stat().st_ino for path in meshes}) == 1
    assert not (done / ".kinegraph" / "stage").exists()
    assert meshes[0].stat().st_nlink == 8


def test_the_merged_report_accounts_for_everything(done: Path):
    merged = json.loads((done / "report" / "report.json").read_text())
    totals = merged["totals"]
    assert totals["found"] == totals["converted"] + totals["failed"] + totals["skipped"] == 11
    assert [item["model"] for item in merged["models"]] == sorted(item["model"] for item in merged["models"])
    by_model = {item["model"]: item for item in merged["models"]}
    assert by_model["broken/robot.urdf"]["status"] == "failed"
    assert by_model["broken/robot.urdf"]["message"].startswith("broken/robot.urdf:1: not well-formed XML")
    arm = by_model["arm_0/arm.urdf"]
    assert arm["target"] == "arm_0/arm.xml"
    assert arm["report"] == json.loads((done / "report" / "models" / "arm_0" / "arm.urdf.json").read_text())
    assert arm["report"]["source"]["files"] == ["arm_0/arm.urdf", "arm_0/meshes/link.stl"]
    assert totals["carried"] == sum(
        item["report"]["totals"]["carried"] for item in merged["models"] if item["status"] == "converted"
    )
    sarif = json.loads((done / "report" / "report.sarif").read_text())
    (run,) = sarif["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    findings = sum(len(item["report"]["findings"]) for item in merged["models"] if item["status"] == "converted")
    assert len(run["results"]) == findings + 1
    (failed,) = [result for result in run["results"] if result["ruleId"] == "batch/not-converted"]
    assert failed["level"] == "error"


@pytest.mark.parametrize(
    ("message", "place"), [("a/part.xml:3:8: no", ("a/part.xml", 3)), ("out of memory", ("a/bot.xml", 1))]
)
def test_a_failure_stands_in_sarif_where_its_message_says(message: str, place: tuple[str, int], tmp_path: Path):
    with Merged(tmp_path / "r.sarif") as merged:
        merged.add("a/bot.xml", {"status": "failed", "message": message}, b"")
    ((failed,),) = (run["results"] for run in json.loads((tmp_path / "r.sarif").read_text())["runs"])
    physical = failed["locations"][0]["physicalLocation"]
    assert (physical["artifactLocation"]["uri"], physical["region"]["startLine"]) == place


# ----------------------------------------------------------------------------------------- resuming


def again(source: Path, out: Path, *options: str | Path) -> tuple[int, str]:
    """Resume; return how many models were converted again, and the messages."""
    run = batch(source, out, "--to", "mjcf", "--jobs", "1", "--resume", *options)
    assert run.returncode in (0, 1, 2), run.stderr
    return sum(" converted " in line for line in run.stderr.splitlines()), run.stderr


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two arms, a scene, and their conversions."""
    source = tmp_path / "src"
    for name in ("one", "two"):
        write(source, {f"{name}/arm.urdf": urdf(name), f"{name}/meshes/link.stl": stl()})
    write(source, {"scene/scene.xml": '<mujoco><include file="part.xml"/></mujoco>', "scene/part.xml": MJCF})
    assert batch(source, tmp_path / "out", "--to", "mjcf", "--jobs", "1").returncode == 0
    return source, tmp_path / "out"


def test_only_what_is_missing_or_changed_is_done_again(pair: tuple[Path, Path]):
    source, out = pair
    assert again(source, out)[0] == 0
    (source / "one" / "arm.urdf").write_text(urdf("one", length=2))
    assert again(source, out)[0] == 1
    assert "0 0 2" in (out / "one" / "arm.xml").read_text()
    (source / "two" / "meshes" / "link.stl").write_text(stl(0.2))
    assert again(source, out)[0] == 1
    (source / "scene" / "part.xml").write_text(MJCF.replace("0.1", "0.3"))
    assert again(source, out)[0] == 1
    assert "0.3" in (out / "scene" / "scene.xml").read_text()
    (out / "two" / "arm.xml").unlink()
    (out / "one" / "arm_assets" / "link.obj").write_text("o spoilt")
    assert again(source, out)[0] == 2
    assert "spoilt" not in (out / "one" / "arm_assets" / "link.obj").read_text()
    os.utime(source / "one" / "arm.urdf")
    assert again(source, out)[0] == 0
    assert again(source, out, "--base", "floating")[0] == 3
    assert again(source, out, "--base", "floating")[0] == 0


def test_a_file_that_was_missing_counts_when_it_comes(tmp_path: Path):
    source, out = write(tmp_path / "src", {"arm.urdf": urdf()}), tmp_path / "out"
    assert batch(source, out, "--to", "mjcf", "--jobs", "1").returncode == 0
    assert again(source, out)[0] == 0
    write(source, {"meshes/link.stl": stl()})
    assert again(source, out)[0] == 1
    assert mujoco_model(out / "arm.xml").nmesh == 1


def test_an_srdf_counts_when_it_comes_changes_and_goes(tmp_path: Path):
    state = '<robot name="arm"><group_state name="{}"/></robot>'
    source, out = write(tmp_path / "src", {"urdf/arm.urdf": urdf(mesh=None)}), tmp_path / "out"
    assert batch(source, out, "--to", "mjcf", "--jobs", "1").returncode == 0
    for name in ("up", "down"):
        write(source, {"srdf/arm.srdf": state.format(name)})
        assert again(source, out)[0] == 1
        assert again(source, out)[0] == 0
        assert mujoco_model(out / "urdf" / "arm.xml").key(0).name == name
    assert again(source, out, "--no-srdf")[0] == 1
    assert mujoco_model(out / "urdf" / "arm.xml").nkey == 0
    (source / "srdf" / "arm.srdf").unlink()
    assert again(source, out)[0] == 1
    assert sorted(outputs(out)) == ["urdf/arm.xml"]


def test_what_is_no_longer_written_goes_away_unless_somebody_has_changed_it(tmp_path: Path):
    source, out = tmp_path / "src", tmp_path / "out"
    write(source, {"arm.urdf": urdf(), "meshes/link.stl": stl(), "bob.xml": MJCF})
    assert batch(source, out, "--to", "mjcf", "--jobs", "1").returncode == 0
    assert (out / "arm_assets" / "link.obj").is_file()
    write(source, {"arm.urdf": urdf(mesh=None), "bob.urdf": urdf(mesh=None)})
    (out / "bob.xml").write_text("mine now")
    assert again(source, out)[0] == 3
    assert sorted(outputs(out)) == ["arm.xml", "bob.urdf.xml", "bob.xml", "bob.xml.xml"]
    assert (out / "bob.xml").read_text() == "mine now"


def test_reports_that_are_asked_for_later_are_made(pair: tuple[Path, Path], tmp_path: Path):
    source, out = pair
    assert again(source, out, "--report", tmp_path / "report")[0] == 3
    first = tree(tmp_path / "report")
    assert again(source, out, "--report", tmp_path / "report")[0] == 0
    assert tree(tmp_path / "report") == first


def test_a_torn_journal_costs_what_is_torn(pair: tuple[Path, Path]):
    source, out = pair
    before = tree(out)
    journal = out / ".kinegraph" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-9])
    assert again(source, out)[0] == 1
    assert tree(out) == before


def test_what_a_xacro_includes_counts(tmp_path: Path):
    """The files are opened by the process that expands it; a package may be found elsewhere next time."""
    head = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x">'
    include = "<xacro:include filename='$(find parts)/z.xacro'/><xacro:include filename='y.xacro'/>"
    source = write(tmp_path / "src", {"x.urdf.xacro": f"{head}{include}<link name='l'/></robot>"})
    write(source, {"y.xacro": f"{head}<link name='q'/></robot>"})
    for place in ("one", "two"):
        write(tmp_path / place / "parts", {"z.xacro": f"{head}<link name='of_{place}'/></robot>"})
        write(tmp_path / place / "parts", {"package.xml": "<package><name>parts</name></package>"})
    out = tmp_path / "out"

    def run(path: str) -> tuple[int, set[str]]:
        found = subprocess.run(
            command(source, out, "--to", "urdf", "--jobs", "1", "--resume"),
            capture_output=True,
            text=True,
            env=environment(ROS_PACKAGE_PATH=path),
        )
        links = etree.parse(str(out / "x.urdf")).getroot().iterfind("link")
        return " converted " in found.stderr, {link.get("name", "") for link in links}

    one, both = f"{tmp_path}/one", f"{tmp_path}/two:{tmp_path}/one"
    assert run(one) == (True, {"l", "q", "of_one"})
    assert run(one) == (False, {"l", "q", "of_one"})
    write(source, {"y.xacro": f"{head}<link name='r'/></robot>"})
    assert run(one) == (True, {"l", "r", "of_one"})
    assert run(both) == (True, {"l", "r", "of_two"})
    write(tmp_path / "two" / "parts", {"z.xacro": f"{head}<link name='s'/></robot>"})
    assert run(both) == (True, {"l", "r", "s"})
    assert run(both)[0] is False


def test_what_is_left_of_models_that_are_gone_is_told(pair: tuple[Path, Path]):
    source, out = pair
    shutil.rmtree(source / "one")
    (source / "two" / "arm.urdf").rename(source / "two" / "leg.urdf")
    run = batch(source, out, "--to", "mjcf", "--resume", "--dry-run")
    assert [line.split(None, 1)[0] for line in run.stdout.splitlines()] == [
        "gone",
        "skip",
        "unchanged",
        "gone",
        "convert",
    ]
    assert "one/arm.xml is left of it" in run.stdout
    for _ in range(2):
        run = batch(source, out, "--to", "mjcf", "--resume")
        assert "left over" in run.stdout and counts(run.stdout)["left over"] == 2
        assert "one/arm.xml  (one/arm.urdf)" in run.stdout and "two/arm.xml  (two/arm.urdf)" in run.stdout
        assert (out / "one" / "arm.xml").exists() and (out / "two" / "leg.xml").exists()
    part = batch(source, out, "--to", "mjcf", "--resume", "--include", "leg.urdf")
    assert counts(part.stdout)["left over"] == 2, "what is passed over this time is not gone"
    (out / "one" / "arm.xml").unlink()
    (out / "two" / "arm.xml").unlink()
    assert "left over" not in batch(source, out, "--to", "mjcf", "--resume").stdout


def test_a_pipe_that_is_named_like_a_model_keeps_nobody_waiting(tmp_path: Path):
    source = write(tmp_path / "src", {"arm.urdf": urdf(mesh=None)})
    for name in ("p.urdf", "q.xml", "r.xacro"):
        os.mkfifo(source / name)
    run = batch(source, tmp_path / "out", "--to", "mjcf", "--dry-run")
    assert [line.split()[1] for line in run.stdout.splitlines()] == ["arm.urdf", "p.urdf", "r.xacro"]
    run = batch(source, tmp_path / "out", "--to", "mjcf")
    assert run.returncode == 2 and (counts(run.stdout)["converted"], counts(run.stdout)["failed"]) == (1, 2)
    assert "p.urdf: is not a regular file" in run.stderr


# ------------------------------------------------------------------------------- dry runs, bad folders


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(pair: tuple[Path, Path], tmp_path: Path):
    source, out = pair
    run = batch(source, tmp_path / "new", "--to", "sdf", "--dry-run")
    assert run.returncode == 0
    assert [line.split() for line in run.stdout.splitlines()] == [
        ["convert", "one/arm.urdf", "one/arm.sdf"],
        ["skip", "scene/part.xml", "it", "is", "included", "by", "scene/scene.xml"],
        ["convert", "scene/scene.xml", "scene/scene.sdf"],
        ["convert", "two/arm.urdf", "two/arm.sdf"],
    ]
    assert not (tmp_path / "new").exists()
    (source / "one" / "arm.urdf").write_text(urdf("new"))
    before = tree(out, without=())
    run = batch(source, out, "--to", "mjcf", "--dry-run", "--resume")
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["again", "skip", "unchanged", "unchanged"]
    assert tree(out, without=()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "out"), "nowhere: there is no such folder"),
        (("src/one.urdf", "out"), "use `kinegraph convert` for one model"),
        (("src", "src"), "outputs would mix"),
        (("src", "."), "outputs would mix"),
        (("src", "src/one.urdf"), "is not a folder"),
        (("empty", "out"), "there is no model in this folder"),
        (("src", "out", "--include", "two*"), "no model in this folder that --include and --exclude let through"),
        (("src", "out", "--report", "src"), "reports would mix"),
        (("src", "out", "--report", "src/one.urdf"), "is not a folder"),
        (("src", "out", "--max-memory", "lots"), "is not a size such as 512M or 4G"),
        (("src", "out", "--from", "QQQ"), "unknown format 'QQQ'"),
        (("src", "out", "--scheduler", "tcp://127.0.0.1:1"), "there is no Dask scheduler at this address"),
        (("src", "qqq://host/out"), "qqq://host/out: Protocol not known: qqq"),
        (("zip://robots.zip", "out"), "zip://robots.zip: Is a directory; what is in an archive is zip://::robots.zip"),
    ],
    ids=lambda value: value[-1].replace("/", " ") if isinstance(value, tuple) else "",
)
def test_folders_that_cannot_be_are_told(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write(tmp_path, {"src/one.urdf": urdf(mesh=None), "empty/readme.txt": ""})
    monkeypatch.chdir(tmp_path)
    before = tree(tmp_path)
    run = batch(*arguments, "--to", "mjcf")
    assert run.returncode == 2
    assert message in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr
    left = {name: data for name, data in tree(tmp_path).items() if not name.startswith("out/.kinegraph/")}
    assert left == before


def test_a_folder_that_cannot_be_written_ends_it_before_it_begins(tmp_path: Path):
    source = robots(tmp_path / "src", 1)
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o555)
    run = batch(source, tmp_path / "out", "--to", "mjcf", bound=True)
    assert (run.returncode, run.stderr) == (2, f"kinegraph: {tmp_path / 'out' / '.kinegraph'}: Permission denied\n")


def test_outputs_inside_the_source_are_no_models(tmp_path: Path):
    source = write(tmp_path, {"one.urdf": urdf(mesh=None)})
    for _ in range(2):
        run = batch(source, source / "out", "--to", "urdf", "--report", source / "report")
        assert counts(run.stdout)["found"] == 1


def test_names_that_are_no_text(tmp_path: Path):
    source = tmp_path / "src"
    names = ["line\nbreak", os.fsdecode(b"caf\xe9"), "<script>", "a b ' \" & %41", "ünïcode"]
    for name in names:
        write(source, {f"{name}/arm.urdf": urdf(), f"{name}/meshes/link.stl": stl(), f"{name}.urdf": urdf(mesh=None)})
    options = ("--to", "mjcf", "--jobs", "1", "--report", tmp_path / "report")
    run = batch(source, tmp_path / "out", *options)
    assert run.returncode == 0, run.stderr
    assert counts(run.stdout)["converted"] == 10
    for name in names:
        assert (tmp_path / "out" / name / "arm.xml").is_file()
        assert (tmp_path / "report" / "models" / f"{name}.urdf.html").is_file()
    assert json.loads((tmp_path / "report" / "report.json").read_text())["totals"]["converted"] == 10
    page = (tmp_path / "report" / "index.html").read_text()
    assert "<script>/" not in page
    assert "caf%E9/arm.urdf.html" in page
    before = tree(tmp_path / "out")
    run = batch(source, tmp_path / "out", *options, "--resume")
    assert counts(run.stdout)["converted"] == 10
    assert " converted " not in run.stderr
    assert tree(tmp_path / "out") == before


def test_names_that_collide_after_the_change_of_suffix(tmp_path: Path):
    write(tmp_path / "src", {"robot.urdf": urdf(), "meshes/link.stl": stl(), "robot.sdf": SDF, "robot.xml": MJCF})
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf")
    assert run.returncode == 0
    found = sorted(outputs(tmp_path / "out"))
    assert found == ["robot.sdf.xml", "robot.urdf.xml", "robot.urdf_assets/link.obj", "robot.xml.xml"]
    assert mujoco_model(tmp_path / "out" / "robot.urdf.xml").nmesh == 1


def test_a_suffix_names_the_outputs(tmp_path: Path):
    write(tmp_path / "src", {"robot.urdf": urdf(), "meshes/link.stl": stl()})
    assert batch(tmp_path / "src", tmp_path / "out", "--to", ".gltf").returncode == 0
    assert sorted(outputs(tmp_path / "out")) == ["robot.gltf", "robot_assets/buffer.bin"]


def test_a_model_folder_becomes_one(tmp_path: Path):
    source = robots(tmp_path / "src.v1", 1)
    run = batch(source, tmp_path / "out", "--to", "sdf", "--include", "model.sdf", "--include", "*.urdf")
    assert run.returncode == 2
    found = set(outputs(tmp_path / "out"))
    assert {"box/model.sdf", "box/model.config", "arm_0/arm.sdf"} <= found
    assert not any(name.startswith("pendulum") for name in found)


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--fail-on", "carried"), 1), (("--strict",), 0)])
def test_the_exit_code_is_the_largest_of_the_models(options: tuple[str, ...], code: int, tmp_path: Path):
    write(tmp_path / "src", {"arm.urdf": urdf(mesh=None), "bob.xml": MJCF})
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf", "--jobs", "1", *options)
    assert run.returncode == code
    assert counts(run.stdout)["with losses"] == 1


def test_a_file_that_nobody_finds_counts_for_the_exit_code_as_in_convert(tmp_path: Path):
    source = write(tmp_path / "src", {"arm.urdf": urdf()})
    run = batch(source, tmp_path / "out", "--to", "urdf", "--jobs", "1", "--fail-on", "dropped")
    assert counts(run.stdout)["without losses"] == 1
    assert run.returncode == exit_code(convert(source / "arm.urdf", tmp_path / "arm.urdf"), "dropped") == 1


def test_options_of_convert_reach_every_model(tmp_path: Path):
    write(tmp_path / "src", {"arm.urdf": urdf(mesh="package://far/link.stl"), "bob.urdf": urdf(mesh=None)})
    write(tmp_path / "far", {"link.stl": stl()})
    package = f"far={tmp_path / 'far'}"
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf", "--package", package, "--base", "floating")
    assert run.returncode == 0
    for name in ("arm", "bob"):
        assert "<freejoint" in (tmp_path / "out" / f"{name}.xml").read_text()
    assert (tmp_path / "out" / "arm_assets" / "link.obj").is_file()


def test_a_terminal_gets_a_bar(tmp_path: Path):
    source = robots(tmp_path / "src", 2)
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        command(source, tmp_path / "out", "--to", "mjcf", "--jobs", "1"),
        stderr=theirs,
        stdout=subprocess.PIPE,
        env=environment(TERM="xterm"),
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        shown += data
    os.close(ours)
    out, _ = run.communicate(timeout=60)
    assert run.returncode == 2
    assert b"5/5" in shown
    place = short_way(str(source / "broken/robot.urdf"), os.curdir)
    assert f"failed {place}:1: not well-formed XML".encode() in shown
    assert counts(out.decode())["converted"] == 4


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 1), (("--fail-on", "dropped"), 1)])
def test_a_file_that_is_not_found_counts_as_it_does_for_one_model(
    options: tuple[str, ...], code: int, tmp_path: Path
) -> None:
    mesh = '<visual><geometry><mesh filename="package://gone/a.stl"/></geometry></visual>'
    write(tmp_path / "src", {"r.urdf": f'<robot name="r"><link name="a">{mesh}</link></robot>'})
    fail_on = "approximated" if "--strict" in options else options[-1] if options else None
    assert exit_code(convert(tmp_path / "src" / "r.urdf", tmp_path / "one.urdf"), fail_on) == code
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "urdf", *options, "--report", tmp_path / "report")
    assert run.returncode == code
    assert run.stderr.splitlines()[0] == "[1/1] converted r.urdf -> r.urdf: nothing lost; 1 file not found"
    assert [line.split()[3] for line in run.stdout.splitlines() if line.startswith("files not found")] == ["1"]
    assert "                        1  --package gone=DIR" in run.stdout.splitlines()
    assert "1 file not found" in (tmp_path / "report" / "index.html").read_text()
