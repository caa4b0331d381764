"""Which files are models, and which are parts of others."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from converters.assets.folders import package_name
from converters.batch import entries
from converters.batch.entries import cause
from converters.batch.plan import jobs
from converters.batch.totals import reasons, tally
from converters.context import InputError, Options
from converters.discovery import Found, find
from converters.reading import read
from tests.batch.folders import MJCF, SDF, batch, counts, urdf, write
from tests.files import saved


def models(root: Path, **settings: object) -> list[str]:
    return [item.model for item in find(root, **settings) if not item.part and not item.refused]


def parts(root: Path) -> dict[str, str]:
    return {item.model: item.part for item in find(root) if item.part}


def test_models_are_told_by_suffix_and_by_the_root_of_xml(tmp_path: Path):
    write(
        tmp_path,
        {
            "a/robot.urdf": urdf(),
            "a/as_xml.xml": "<!-- <mujoco/> -->\n<?xml-stylesheet x?>" + urdf(),
            "b/scene.xml": MJCF,
            "b/other.mjcf": MJCF,
            "c/box.sdf": SDF,
            "c/park.world": SDF,
            "d/scene.gltf": "{}",
            "d/scene.glb": "glTF",
            "e/package.xml": "<package><name>x</name></package>",
            "e/start.launch": "<launch/>",
            "e/words.xml": "robot mujoco sdf",
            "e/nothing.xml": "",
            "f/note.txt": "<robot/>",
            ".git/robot.urdf": urdf(),
            "__pycache__/robot.urdf": urdf(),
        },
    )
    (tmp_path / "e" / "wide.xml").write_bytes(MJCF.encode("utf-16"))
    found = (
        "a/as_xml.xml a/robot.urdf b/other.mjcf b/scene.xml c/box.sdf c/park.world d/scene.glb d/scene.gltf "
        "e/nothing.xml e/wide.xml"
    )
    assert models(tmp_path) == found.split()


def test_files_that_a_root_includes_are_parts(tmp_path: Path):
    write(
        tmp_path,
        {
            "scene.xml": '<mujoco><include file="robot.xml"/><!-- <include file="spare.xml"/> --></mujoco>',
            "robot.xml": "<mujoco><include file='deep/arm.xml'/></mujoco>",
            "deep/arm.xml": MJCF,
            "spare.xml": MJCF,
            "shared.xml": "<mujocoinclude/>",
            "ring_a.xml": '<mujoco><include file="ring_b.xml"/></mujoco>',
            "ring_b.xml": '<mujoco><include file="ring_a.xml"/></mujoco>',
            "self.xml": '<mujoco><include file="self.xml"/></mujoco>',
        },
    )
    assert models(tmp_path) == ["ring_a.xml", "ring_b.xml", "scene.xml", "self.xml", "spare.xml"]
    assert parts(tmp_path) == {
        "deep/arm.xml": "it is included by robot.xml",
        "robot.xml": "it is included by scene.xml",
        "shared.xml": "it is a part for other files (<mujocoinclude>)",
    }


def test_what_is_left_out_includes_nothing(tmp_path: Path):
    write(tmp_path, {"scene.xml": '<mujoco><include file="robot.xml"/></mujoco>', "robot.xml": MJCF})
    assert models(tmp_path, exclude=["scene*"]) == ["robot.xml"]


def test_a_model_folder_is_one_model(tmp_path: Path):
    listed = "<sdf version='1.4'>model-1_4.sdf</sdf><sdf version='1.9'>model.sdf</sdf>"
    write(
        tmp_path,
        {
            "box/model.config": f"<model>{listed}</model>",
            "box/model.sdf": SDF,
            "box/model-1_4.sdf": SDF,
            "box/other.sdf": SDF,
            "empty/model.config": "<model><sdf>nothing.sdf</sdf></model>",
            "broken/model.config": "<model><sdf",
        },
    )
    found = {item.model: item for item in find(tmp_path)}
    assert found["box/model.sdf"] == Found("box/model.sdf", packaged=True)
    assert found["box/model-1_4.sdf"].part == "it is another version of box/model.sdf"
    assert found["box/other.sdf"] == Found("box/other.sdf")
    assert "it lists no model file that is there" in found["empty/model.config"].refused
    assert "well-formed" in found["broken/model.config"].refused


def test_a_gltf_that_a_robot_names_is_a_mesh(tmp_path: Path):
    write(tmp_path, {"robot.urdf": urdf(mesh="meshes/link.glb"), "meshes/link.glb": "glTF", "scene.glb": "glTF"})
    assert models(tmp_path) == ["robot.urdf", "scene.glb"]
    assert parts(tmp_path) == {"meshes/link.glb": "it is a mesh of robot.urdf"}


@pytest.mark.parametrize("text", ["{}", "'{}'", '"{}"', "<uri>{}</uri>", "<uri>\n  {}\t</uri>"])
def test_a_mesh_is_named_in_quotes_or_in_an_element(tmp_path: Path, text: str):
    named = text.format("meshes/My Link.GLB")
    robot = f"<robot>{named if named.startswith('<') else f'<x file={named}/>'}</robot>"
    write(tmp_path, {"robot.urdf": robot, "meshes/My Link.GLB": "glTF"})
    assert list(parts(tmp_path)) == ([] if text == "{}" else ["meshes/My Link.GLB"])


def test_long_texts_are_searched_in_time(tmp_path: Path):
    corners = "0 " * 500_000
    mesh = f'<mujoco><asset><mesh name="m" vertex="{corners}"/></asset>{corners}</mujoco>'
    write(tmp_path, {"robot.xml": mesh, "scene.glb": "glTF"})
    started = process_time()
    assert models(tmp_path) == ["robot.xml", "scene.glb"]
    assert cause("robot.xml:3: the name is " + "a" * 500_000) == cause("it.xml:4: the name is " + "a" * 600_000)
    assert cause("a." * 500_000) == ("a." * 80)
    assert entries._PATH.sub("…", "a." * 50_000 + " in b/c and /d/e.f:") == "a." * 50_000 + " in … and …:"
    assert process_time() - started < 5


@pytest.mark.parametrize(
    "begun", ["<!--", "<?", "<include ", "<xacro:macro ", "<xacro:include ", "<name>", "<name>   ", "<name "]
)
def test_what_begins_again_and_again_and_never_ends_is_searched_in_time(tmp_path: Path, begun: str):
    """Otherwise such a file would keep a whole batch waiting, and a package.xml each conversion, for minutes."""
    often = begun * 20_000
    robot = f"<robot><link name='a'/>{often}</robot>"
    write(tmp_path, {"robot.urdf.xacro": robot, "scene.xml": f"<mujoco>{often}</mujoco>"})
    write(tmp_path, {"package.xml": f"{often}<name>{' ' * 20_000}"})
    started = process_time()
    assert models(tmp_path) == ["robot.urdf.xacro", "scene.xml"]
    assert package_name(tmp_path) is None
    assert process_time() - started < 2


def test_numbers_of_one_model_are_left_out_and_digits_of_words_stay():
    assert cause("a.urdf:3: <mass> is -1.5e-3, and 2 of ros2_control") == "<mass> is N, and N of ros2_control"


def test_xacro_that_others_use_is_a_part(tmp_path: Path):
    name = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    macro = '<xacro:macro name="m"><link name="l"/></xacro:macro>'
    write(
        tmp_path,
        {
            "pkg/package.xml": "<package><name>pkg</name></package>",
            "pkg/urdf/robot.urdf.xacro": f'<robot {name}><xacro:include filename="$(find pkg)/urdf/parts.xacro"/>'
            '<xacro:include filename="near.xacro"/><xacro:include filename="colours.urdf"/>'
            '<xacro:include filename="hand.urdf"/><xacro:m/></robot>',
            "pkg/urdf/colours.urdf": f'<robot {name}><material name="black"><color rgba="0 0 0 1"/></material></robot>',
            "pkg/urdf/hand.urdf": '<robot name="hand"><link name="palm"/></robot>',
            "pkg/urdf/parts.xacro": f'<robot {name}>{macro}<link name="x"/></robot>',
            "pkg/urdf/near.xacro": f"<robot {name}>{macro}<xacro:m/></robot>",
            "pkg/urdf/lonely.xacro": f"<robot {name}>{macro}</robot>",
            "pkg/urdf/whole.xacro": f'<robot {name}><link name="x"/></robot>',
            "pkg/urdf/wraps.xacro": f'<robot {name}><xacro:include filename="whole.xacro"/></robot>',
        },
    )
    assert models(tmp_path) == ["pkg/urdf/hand.urdf", "pkg/urdf/robot.urdf.xacro", "pkg/urdf/wraps.xacro"]
    assert parts(tmp_path)["pkg/urdf/colours.urdf"] == "it is included by pkg/urdf/robot.urdf.xacro"
    assert parts(tmp_path)["pkg/urdf/lonely.xacro"] == "it only defines what others use"
    assert parts(tmp_path)["pkg/urdf/near.xacro"] == "it is included by pkg/urdf/robot.urdf.xacro"


def test_an_srdf_goes_with_its_urdf(tmp_path: Path):
    srdf = '<robot name="arm"/>'
    write(tmp_path, {"arm.urdf": urdf(), "arm.srdf": srdf, "config/arm.srdf.xacro": srdf, "srdf/other.srdf": srdf})
    assert models(tmp_path) == ["arm.urdf"]
    assert parts(tmp_path) == {"config/arm.srdf.xacro": "it is the SRDF of a robot, and goes with its URDF"}


def test_links_that_lead_in_circles_and_outputs_are_passed_over(tmp_path: Path):
    write(tmp_path, {"a/robot.urdf": urdf(), "out/a/robot.urdf": urdf(), "reports/x.urdf": urdf()})
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "a" / "linked.urdf").symlink_to("robot.urdf")
    (tmp_path / "a" / "gone.urdf").symlink_to("nowhere.urdf")
    without = [tmp_path / "out", tmp_path / "reports"]
    assert models(tmp_path, without=without) == ["a/gone.urdf", "a/linked.urdf", "a/robot.urdf"]


def test_globs_are_of_names_and_of_paths(tmp_path: Path):
    write(tmp_path, {f"{folder}/{name}.urdf": urdf() for folder in ("a/x", "b") for name in ("one", "two")})
    assert models(tmp_path, include=["one.*"]) == ["a/x/one.urdf", "b/one.urdf"]
    assert models(tmp_path, include=["b/*"]) == ["b/one.urdf", "b/two.urdf"]
    assert models(tmp_path, include=["*.urdf"], exclude=["x"]) == ["b/one.urdf", "b/two.urdf"]
    assert models(tmp_path, exclude=["a/*/one.urdf", "two*"]) == ["b/one.urdf"]


def test_models_of_one_format(tmp_path: Path):
    write(tmp_path, {"a.urdf": urdf(), "b.sdf": SDF, "c.xml": MJCF, "d.xml": urdf()})
    assert models(tmp_path, origin="urdf", options=Options()) == ["a.urdf", "d.xml"]


def test_a_folder_that_cannot_be_read_is_accounted_for(tmp_path: Path):
    write(tmp_path / "src", {"a/robot.urdf": urdf(), "closed/robot.urdf": urdf()})
    (tmp_path / "src" / "a" / "secret.urdf").write_text(urdf())
    (tmp_path / "src" / "a" / "secret.urdf").chmod(0)
    (tmp_path / "src" / "closed").chmod(0)
    try:
        done = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf", "--jobs", "1", bound=True)
    finally:
        (tmp_path / "src" / "closed").chmod(0o755)
    assert done.returncode == 2
    assert counts(done.stdout) == {
        "found": 3, "converted": 1, "without losses": 0, "with losses": 1, "files not found": 1, "failed": 2,
        "skipped": 0,
    }  # fmt: skip
    assert "closed/: the folder cannot be read: Permission denied" in done.stderr
    assert "a/secret.urdf: Permission denied" in done.stderr


def test_what_another_batch_has_written_is_no_source(tmp_path: Path):
    write(tmp_path, {"bot.urdf": urdf("bot")})
    batch(tmp_path, tmp_path / "sdf", "--to", "sdf")
    run = batch(tmp_path, tmp_path / "mjcf", "--to", "mjcf")
    assert (counts(run.stdout)["converted"], counts(run.stdout)["skipped"]) == (1, 1)
    (inner,) = find(tmp_path / "sdf")
    assert (inner.model, inner.part) == ("bot.sdf", "")


@pytest.mark.parametrize("to", ["mjcf", "urdf", "sdf", "gltf"])
def test_no_two_models_share_an_output(to: str):
    names = "a/robot.urdf a/robot.sdf a/robot.xml a/Robot.mjcf a/robot.urdf.xml a/robot.urdf.xacro b/robot.urdf"
    names += " b/robot_assets/x.urdf c/arm.urdf.xacro c/arm.sdf c/model.sdf"
    found = [Found(name, packaged=name == "c/model.sdf") for name in names.split()]
    planned = jobs(found, to)
    assert [job.model for job in planned] == sorted(names.split())
    targets = [job.target.casefold() for job in planned]
    assert len(set(targets)) == len(targets)
    assert jobs(found[::-1], to) == planned
    own = {job.model: job.target for job in planned}
    assert own["b/robot.urdf"].startswith("b/robot.urdf.")  # b/robot_assets/ is a folder of models
    if to == "sdf":
        assert own["c/model.sdf"] == "c/model.sdf"
        assert own["c/arm.sdf"] == "c/arm.sdf.sdf"


def test_xacro_loses_both_of_its_suffixes():
    found = ("a/arm.urdf.xacro", "a/leg.xacro", "a/hand.v2.urdf", "a/toe.v2.xacro")
    planned = jobs([Found(model) for model in found], "mjcf")
    assert [job.target for job in planned] == ["a/arm.xml", "a/hand.v2.xml", "a/leg.xml", "a/toe.v2.xml"]


def test_a_failure_of_one_model_is_told_in_full_and_those_of_several_by_what_they_share() -> None:
    said = {"a/x.urdf": "$SRC/a/x.urdf:3: no such file: $SRC/a/y.xacro", "b.urdf": "$SRC/b.urdf:7: the mass is -1"}
    said["c.urdf"] = "$SRC/c.urdf:9: the mass is -2"
    rows = [(model, {"status": "failed", "cause": cause(text), "message": text}, "") for model, text in said.items()]
    told = reasons(tally(iter(rows), None))
    assert told == [(2, "the mass is N  (b.urdf)"), (1, "a/x.urdf:3: no such file: a/y.xacro")]


def test_a_folder_is_told_with_a_model_that_is_no_part_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    saved(tmp_path / "package.xml", "<package><name>p</name><depend>xacro</depend></package>")
    saved(tmp_path / "keys.xml", "<mujoco><keyframe/></mujoco>")
    saved(tmp_path / "scene.xml", '<mujoco><include file="keys.xml"/><worldbody/></mujoco>')
    saved(
        tmp_path / "urdf/arm.xacro",
        '<robot xmlns:xacro="x"><xacro:macro name="m"><link name="a"/></xacro:macro></robot>',
    )
    saved(tmp_path / "a.xacro", '<robot xmlns:xacro="x"><link name="a"/></robot>')
    saved(tmp_path / "b.urdf.xacro", '<robot name="b" xmlns:xacro="x"><xacro:include filename="a.xacro"/></robot>')
    for folder in (tmp_path, Path()):
        with pytest.raises(InputError, match=r"such as \S*b.urdf.xacro;"):
            read(folder)
    (tmp_path / "b.urdf.xacro").unlink()
    (tmp_path / "a.xacro").unlink()
    with pytest.raises(InputError, match=r"such as \S*/scene.xml;"):
        read(tmp_path)
    (tmp_path / "scene.xml").unlink()
    (tmp_path / "keys.xml").unlink()
    with pytest.raises(InputError, match=r"name a file$"):
        read(tmp_path)


def test_what_a_mesh_wants_beside_it_is_not_asked_for_by_packages(tmp_path: Path) -> None:
    mesh = '<visual><geometry><mesh filename="a.obj"/></geometry></visual>'
    obj = "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n"
    write(tmp_path / "src", {"r.urdf": f'<robot name="r"><link name="a">{mesh}</link></robot>', "a.obj": obj})
    lines = batch(tmp_path / "src", tmp_path / "out", "--to", "glb").stdout.splitlines()
    at = lines.index("files not found         1")
    assert lines[at + 1].split(maxsplit=1) == ["1", "of them wanted beside the mesh that names them"]
    assert "--package" not in "\n".join(lines)


def test_a_model_that_is_not_found_counts_once_in_its_package(tmp_path: Path) -> None:
    world = '<sdf version="1.9"><world name="w"><include><uri>model://sun</uri></include></world></sdf>'
    write(tmp_path / "src", {"w.sdf": world, "v.sdf": world})
    lines = batch(tmp_path / "src", tmp_path / "out", "--to", "sdf").stdout.splitlines()
    assert [line.split()[:4] for line in lines if line.startswith("files not found")] == [
        ["files", "not", "found", "2"]
    ]
    assert [line.split() for line in lines if "--package sun" in line] == [["2", "--package", "sun=DIR"]]
