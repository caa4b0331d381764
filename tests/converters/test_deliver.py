"""A file that is on disk already, byte for byte, stays; others are replaced, except for input files.

Judged by MuJoCo, trimesh and lxml, and the bytes on disk.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh
from lxml import etree
from msgspec.structs import replace

from converters.context import InputError, Options, Output
from converters.convert import convert, read
from converters.deliver import deliver
from converters.destination import save
from converters.reading import changed_file, load
from tests.conftest import ROOT
from tests.converters.meshes import write
from tests.converters.test_report_lies import lying_with, unexplained
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
URDF = f"""<robot name="r"><link name="a">{INERTIAL}
<visual><geometry><mesh filename="{{0}}/base.stl"/></geometry></visual>
<collision><geometry><mesh filename="{{0}}/base.obj"/></geometry></collision></link></robot>"""
BOX = '<robot name="r"><link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>'
MESH = "robot_assets/base.obj"
SRDF = '<robot name="r"><group name="g"><link name="a"/></group></robot>'


def delivered(folder: Path, files: dict[str, bytes | Path]) -> dict[str, int]:
    """Return file -> its inode number."""
    deliver(Output(document=b"<robot/>", files=files), folder / "r.urdf")
    return {name: os.lstat(folder / name).st_ino for name in files}


@pytest.mark.parametrize("copied", [False, True])
def test_a_file_that_is_there_stays_and_another_gives_way(tmp_path: Path, copied: bool):
    def given(name: str, data: bytes) -> bytes | Path:
        place = saved(tmp_path / f"{name}.bin", data)
        return place if copied else data

    out = tmp_path / "out"
    large = bytes(3 << 20)
    first = delivered(out, {"a/same": given("same", large), "a/other": given("other", large)})
    (tmp_path / "elsewhere").write_bytes(b"x")
    (out / "a" / "link").symlink_to(tmp_path / "elsewhere")
    files = {
        "a/same": given("same", large),
        "a/other": given("other", large[:-1] + b"1"),
        "a/link": given("link", b"x"),
    }
    second = delivered(out, files)
    assert second["a/same"] == first["a/same"]
    assert second["a/other"] != first["a/other"]
    assert (out / "a" / "other").read_bytes()[-1:] == b"1"
    assert not (out / "a" / "link").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"x"
    assert sorted(path.name for path in out.iterdir()) == ["a", "r.urdf"]


def test_a_file_that_cannot_be_read_gives_way(tmp_path: Path):
    first = delivered(tmp_path / "out", {"a": b"1"})
    (tmp_path / "out" / "a").chmod(0)
    again = delivered(tmp_path / "out", {"a": b"1"})
    assert (tmp_path / "out" / "a").read_bytes() == b"1"
    assert again == first or os.geteuid() != 0


def content(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def meshes(folder: Path) -> None:
    """Write a box that MuJoCo cannot read as it is, and a sphere of another size that it can, with the same stem."""
    folder.mkdir(parents=True)
    trimesh.creation.box((1, 1, 1)).export(folder / "base.stl", file_type="stl_ascii")
    trimesh.creation.icosphere(radius=9).export(folder / "base.obj", include_normals=False)


def radii(path: Path) -> dict[str, float]:
    """Return the bounding radius of the geoms of an MJCF: of the colliding one and of the visual one."""
    model = mujoco_model(path)
    kinds = ("seen" if not model.geom_contype[i] else "collides" for i in range(model.ngeom))
    return {kind: float(model.geom_rbound[i]) for i, kind in enumerate(kinds)}


def test_a_mesh_that_is_made_never_takes_the_place_of_one_of_the_source(tmp_path: Path):
    meshes(tmp_path / "robot_assets")
    source = write(tmp_path / "robot.urdf", URDF.format("robot_assets"))
    before = content(tmp_path)
    for _ in range(2):
        explained(convert(source, tmp_path / "robot.xml"))
        assert content(tmp_path).items() >= before.items()
        found = radii(tmp_path / "robot.xml")
        assert found["collides"] > 9 > 1 > found["seen"]
    scene = read(source)
    explained(convert(tmp_path / "robot.xml", source))  # what is read there is what would be written
    assert read(source) == scene
    assert before.items() - content(tmp_path).items() == {("robot.urdf", before["robot.urdf"])}


def test_nor_that_of_a_mesh_of_another_output(tmp_path: Path):
    meshes(tmp_path / "source")
    source, out = write(tmp_path / "source" / "robot.urdf", URDF.format(".")), tmp_path / "out"
    explained(convert(source, out / "robot.sdf"))
    explained(convert(source, out / "robot.xml"))
    uri = etree.parse(out / "robot.sdf").findtext(".//collision//uri")
    assert trimesh.load_mesh(out / str(uri)).extents[0] > 17
    assert radii(out / "robot.xml")["collides"] > 9


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_what_is_written_may_be_read_by_whom_the_system_lets(tmp_path: Path, mask: int):
    meshes(tmp_path / "source")
    source = write(tmp_path / "source" / "robot.urdf", URDF.format("."))
    former = os.umask(mask)
    try:
        convert(source, tmp_path / "out" / "robot.xml")
        save(tmp_path / "report.json", "{}")
    finally:
        os.umask(former)
    made = [tmp_path / "report.json", *(path for path in (tmp_path / "out").rglob("*") if path.is_file())]
    assert {path.name: path.stat().st_mode & 0o777 for path in made} == {path.name: 0o666 & ~mask for path in made}


def include(folder: Path) -> tuple[Path, Path, Options]:
    write(folder / "panda.xml", '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>')
    return write(folder / "scene.xml", '<mujoco><include file="panda.xml"/></mujoco>'), folder / "panda.xml", Options()


def itself(folder: Path) -> tuple[Path, Path, Options]:
    source = write(folder / "robot_scene.xml", include(folder)[1].read_text())
    return source, folder / "robot.xml", Options(scene=True)


def macros(folder: Path) -> tuple[Path, Path, Options]:
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    write(folder / "sizes.urdf", f'{head}<xacro:property name="size" value="1"/></robot>')
    text = f'{head}<xacro:include filename="sizes.urdf"/><link name="a${{size}}"/></robot>'
    return write(folder / "r.urdf.xacro", text), folder / "sizes.urdf", Options()


@pytest.mark.parametrize("case", [include, itself, macros])
def test_no_document_that_is_read_is_overwritten(case: Callable[[Path], tuple[Path, Path, Options]], tmp_path: Path):
    source, output, options = case(tmp_path)
    before = content(tmp_path)
    with pytest.raises(InputError, match="is read by this conversion and would be overwritten: give the output anoth"):
        convert(source, output, options=options)
    assert content(tmp_path) == before
    explained(convert(source, tmp_path / f"other{output.suffix}", options=options))
    assert content(tmp_path).items() > before.items()


@pytest.mark.parametrize("link", ["robot_assets", "robot_assets/a"])
def test_nothing_is_written_behind_a_link_that_leads_out_of_the_folder(tmp_path: Path, link: str):
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (out / link).parent.mkdir(parents=True)
    (out / link).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(InputError, match="leads out of the folder of the output"):
        delivered(out, {"robot_assets/a/b.stl": b"x"})
    assert not list(elsewhere.iterdir())
    assert [each.name for each in out.iterdir()] == ["robot_assets"]


def test_a_link_inside_the_folder_is_followed(tmp_path: Path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "robot_assets").symlink_to("meshes", target_is_directory=True)
    delivered(tmp_path, {"robot_assets/b.stl": b"x"})
    assert (tmp_path / "meshes" / "b.stl").read_bytes() == b"x"
    assert (tmp_path / "robot_assets").is_symlink()


def test_a_link_to_what_is_read_is_not_taken_away_and_a_hard_link_is_nothing_else(tmp_path: Path):
    source, panda, _ = include(tmp_path)
    (tmp_path / "link.xml").symlink_to(panda)
    write(source, '<mujoco><include file="link.xml"/></mujoco>')
    for output in (tmp_path / "link.xml", panda):
        with pytest.raises(InputError, match="is read by this conversion"):
            convert(source, output)
    text = panda.read_bytes()
    os.link(panda, tmp_path / "hard.xml")
    explained(convert(source, tmp_path / "hard.xml"))
    assert panda.read_bytes() == text != (tmp_path / "hard.xml").read_bytes()
    assert (tmp_path / "link.xml").is_symlink()


def dressed(folder: Path) -> Path:
    """Write an SDF that gives its mesh a material, with a mesh that has one, too."""
    meshes(folder / "robot_assets")
    write(folder / "robot_assets" / "base.mtl", "newmtl green\nKd 0 1 0\n")
    write(folder / MESH, f"mtllib base.mtl\nusemtl green\n{(folder / MESH).read_text()}")
    uri = f"<geometry><mesh><uri>{MESH}</uri></mesh></geometry>"
    visual = f'<visual name="v">{uri}<material><diffuse>1 0 0 1</diffuse></material></visual>'
    model = f'<sdf version="1.9"><model name="m"><link name="b">{visual}</link></model></sdf>'
    return write(folder / "robot.sdf", model)


def test_looks_are_not_taken_from_a_mesh_of_the_source(tmp_path: Path):
    source = dressed(tmp_path)
    before, scene = content(tmp_path), read(source)
    explained(convert(source, tmp_path / "robot.urdf"))
    assert content(tmp_path).items() > before.items()
    mesh = str(etree.parse(tmp_path / "robot.urdf").xpath("string(//mesh/@filename)"))
    assert b"usemtl" not in (tmp_path / mesh).read_bytes()
    assert len(trimesh.load_mesh(tmp_path / mesh).faces) == len(trimesh.load_mesh(tmp_path / MESH).faces)
    source.unlink()
    explained(convert(tmp_path / "robot.urdf", source))
    assert read(source) == scene


def test_a_folder_is_no_place_for_a_file(tmp_path: Path):
    source = write(tmp_path / "r.urdf", BOX)
    write(tmp_path / "r.srdf", SRDF)
    kept = write(tmp_path / "out" / "robot.srdf" / "mine.txt", "mine")
    with pytest.raises(FileExistsError, match="no regular file"):
        convert(source, tmp_path / "out" / "robot.urdf")
    assert content(tmp_path / "out") == {"robot.srdf/mine.txt": b"mine"}
    assert kept.is_file()


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
@pytest.mark.parametrize("at", range(4))
def test_an_interruption_leaves_everything_as_it_was(
    at: int, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    delivered(tmp_path / "out", {"a": b"1", "sub/b": b"1"})
    before, kept, steps = content(tmp_path), os.replace, []

    def replaced(old: str, new: str) -> None:
        steps.append(new)
        assert (tmp_path / "out" / "r.urdf").is_file()
        if len(steps) == at + 1:
            raise error
        kept(old, new)

    monkeypatch.setattr(os, "replace", replaced)
    with pytest.raises(error):
        deliver(
            Output(document=b"<robot name=''/>", files={"a": b"2", "sub/b": b"2", "new/deep/c": b"3"}),
            tmp_path / "out" / "r.urdf",
        )
    assert content(tmp_path) == before
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a", "r.urdf", "sub"]


def test_folders_made_for_an_output_that_failed_go_again(tmp_path: Path):
    with pytest.raises(InputError, match=f"^{tmp_path}/gone: cannot be copied beside the output: No such file"):
        deliver(Output(document=b"", files={"a": tmp_path / "gone"}), tmp_path / "new" / "deep" / "r.urdf")
    assert not [*tmp_path.iterdir()]


def test_a_link_that_leads_to_itself_is_no_folder(tmp_path: Path):
    (tmp_path / "ring").symlink_to("ring")
    with pytest.raises(NotADirectoryError, match="ring is not a folder"):
        deliver(Output(document=b""), tmp_path / "ring" / "r.urdf")
    assert [path.name for path in tmp_path.iterdir()] == ["ring"]


def test_what_a_killed_process_left_of_a_report_is_cleared_by_the_next_one(tmp_path: Path):
    left = tmp_path / ".loss.json.part"
    left.mkdir()
    (left / "document").write_bytes(b"{")
    save(tmp_path / "loss.json", "{}")
    assert content(tmp_path) == {"loss.json": b"{}"}


def test_names_as_long_as_file_systems_take_them_can_be_written(tmp_path: Path):
    name = f"{'x' * 240}.urdf"
    explained(convert(write(tmp_path / "r.urdf", BOX), tmp_path / "out" / name))
    assert [path.name for path in (tmp_path / "out").iterdir()] == [name]
    assert read(tmp_path / "out" / name) == read(tmp_path / "r.urdf")


def killed(folder: Path, after: str) -> None:
    """Convert into folder/robot.xml in a process that is killed (SIGKILL) as soon as it has renamed this file."""
    code = (
        "import os, signal, converters.deliver as deliver\n"
        "replace = os.replace\n"
        f"def moved(a, b):\n    replace(a, b)\n    if b.endswith({after!r}): os.kill(os.getpid(), signal.SIGKILL)\n"
        "os.replace = moved\n"
        "from converters.cli import entry; entry()"
    )
    command = [sys.executable, "-c", code, "convert", "robot.urdf", "out/robot.xml"]
    done = subprocess.run(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == -signal.SIGKILL


def test_what_a_killed_conversion_left_is_cleared_by_the_next_one(tmp_path: Path):
    meshes(tmp_path / "meshes")
    source = write(tmp_path / "robot.urdf", URDF.format("meshes"))
    killed(tmp_path, ".obj")
    assert [path.name for path in (tmp_path / "out").glob(".*")] == [".robot.xml.part"]
    explained(convert(source, tmp_path / "out" / "robot.xml"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["robot.xml", "robot_assets"]


@pytest.mark.parametrize("what", ["in use", "of somebody", "a link", "a file"])
def test_a_temporary_folder_that_is_not_left_over_stays(tmp_path: Path, what: str):
    """Another process converts to the same output at the same time, or the folder contains other files."""
    there, lock = tmp_path / "out" / ".r.urdf.part", None
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "0").write_bytes(b"x")
    (tmp_path / "out").mkdir()
    if what == "a link":
        there.symlink_to(elsewhere)
    elif what == "a file":
        there.write_bytes(b"x")
    else:
        there.mkdir()
        (there / ("0" if what == "in use" else "thesis.tex")).write_bytes(b"x")
    if what == "in use":
        lock = os.open(there, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    before = content(tmp_path)
    delivered(tmp_path / "out", {"a": b"1"})
    assert content(tmp_path).items() >= before.items()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".r.urdf.part", "a", "r.urdf"]
    if lock is not None:
        os.close(lock)


@pytest.fixture
def changing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Path], None]], Path]:
    """Give a function that makes a model of a mesh, on which the audit begins only after what it is given changed the
    mesh, in the first conversion."""
    module = sys.modules[convert.__module__]
    audit = module.audit_output
    mesh = tmp_path / "x.obj"
    mesh.write_text("mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl a\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    (tmp_path / "x.mtl").write_text("newmtl a\nKd 1 0 0\n")
    visual = '<visual><geometry><mesh filename="x.obj"/></geometry></visual>'
    source = saved(tmp_path / "m.urdf", f'<robot name="r"><link name="a">{visual}</link></robot>')

    def arrange(change: Callable[[Path], None]) -> Path:
        pending = [change]

        def late(*given: object) -> object:
            if pending:
                pending.pop()(mesh)
            return audit(*given)

        monkeypatch.setattr(module, "audit_output", late)
        return source

    return arrange


def _empty_later(mesh: Path) -> None:
    time.sleep(0.05)  # the time of a file is that of the kernel's last tick, up to 10 ms ago
    mesh.write_text("")


def _replace_by_an_older_file(mesh: Path) -> None:
    time.sleep(0.05)
    other = mesh.with_suffix(".new")
    other.write_text("")
    os.utime(other, (0, 0))
    other.replace(mesh)


@pytest.mark.parametrize("change", [_empty_later, _replace_by_an_older_file])
def test_a_file_that_changes_under_a_conversion_is_told_and_is_no_defect(
    tmp_path: Path, changing: Callable[[Callable[[Path], None]], Path], change: Callable[[Path], None]
) -> None:
    source = changing(change)
    with pytest.raises(InputError, match=r"x\.obj: the file was changed while it was read: convert it again"):
        convert(source, tmp_path / "out" / "m.xml")
    assert not (tmp_path / "out").exists()


def test_a_file_that_changes_within_the_first_tick_is_told_and_is_no_defect(
    tmp_path: Path, changing: Callable[[Callable[[Path], None]], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tick is as long as the test, so that the times of all files seem to be from before the reading."""
    module = sys.modules[convert.__module__]
    monkeypatch.setattr(module, "TICK", 3600.0)
    monkeypatch.setattr(sys.modules[load.__module__], "time", lambda: time.time() + 60)
    source = changing(lambda mesh: mesh.write_bytes(b"") and None)
    with pytest.raises(InputError, match="this or another file was changed while it was read: convert it again"):
        convert(source, tmp_path / "out" / "m.xml")
    assert not (tmp_path / "out").exists()


def test_files_written_just_before_a_conversion_excuse_no_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = saved(tmp_path / "m.urdf", '<robot name="r"><link name="a"/></robot>')
    reading = load(source)
    lying_with(lambda output: replace(output, document=output.document.replace(b'"a"', b'"b"')), "mjcf", monkeypatch)
    monkeypatch.setattr(sys.modules[convert.__module__], "TICK", 3600.0)
    assert changed_file(reading, reading.begun) is None
    assert unexplained(convert(source, tmp_path / "out" / "m.xml"))


def test_a_file_dated_to_the_future_excuses_no_defect(tmp_path: Path) -> None:
    source = saved(tmp_path / "m.urdf", '<robot name="r"><link name="a"/></robot>')
    os.utime(source, (0, time.time() + 3600))
    time.sleep(0.05)
    reading = load(source)
    assert changed_file(reading, reading.begun) is None
    os.utime(source, (0, time.time()))
    assert changed_file(reading, reading.begun) == str(source)
