"""The pipeline: findings of the audit, carried data, and files on disk."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import trimesh
from msgspec.structs import replace

from converters import registry
from converters.context import InputError, Options, Output, WriterContext
from converters.convert import convert, no_collection, read, write
from converters.report.model import Action, exit_code
from tests.conftest import MADE
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

ROBOT = """<robot name="r">
  <link name="a"/>
  <link name="b" QQQ="1">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0.1" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="1 2 3" rpy="0.1 0.2 1.5708"/><geometry><box size="1 2 3"/></geometry></visual>
    <collision_checking><geometry><sphere radius="1"/></geometry></collision_checking>
  </link>
  <joint name="j" type="revolute">
    <origin xyz="0 0 1" rpy="0 1.5708 0"/><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="5" velocity="3"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    return saved(tmp_path / "robot.urdf", ROBOT)


def test_a_report_is_printed_short_and_saved_in_every_form(robot: Path):
    report = convert(robot, robot.parent / "out.xml")
    last = str(report).splitlines()[-1]
    assert repr(report) == f"<Report {last}>" and last.startswith(f"{robot} -> ") and "--report" not in str(report)
    for suffix, start in ((".json", "{"), (".sarif", "{"), (".md", "#"), (".html", "<!doctype html>")):
        report.save(robot.parent / f"loss{suffix}")
        assert (robot.parent / f"loss{suffix}").read_text().lower().startswith(start)
    with pytest.raises(ValueError, match="a report file ends in"):
        report.save("loss.txt")


@pytest.mark.parametrize(
    ("word", "file", "begins"),
    [
        ("gltf", "robot.glb", b"glTF"),
        ("GLB", "robot.glb", b"glTF"),
        (".gltf", "robot.gltf", b"{"),
        ("xml", "robot.xml", b"<mujoco"),
        ("world", "robot.world", b"<sdf"),
    ],
)
def test_a_suffix_names_the_format_and_the_file(robot: Path, word: str, file: str, begins: bytes):
    convert(robot, f"{robot.parent}/out/", target=word)
    assert (robot.parent / "out" / file).read_bytes().split(b"?>\n")[-1].startswith(begins)
    convert(robot, robot.parent / "bare", target=word)
    assert (robot.parent / "bare").read_bytes().split(b"?>\n")[-1].startswith(begins)


@pytest.mark.parametrize("ends", ["", "/"])
def test_a_folder_takes_files_that_are_named_after_the_model(robot: Path, ends: str):
    folder = robot.parent / "out"
    if not ends:
        folder.mkdir()
    for target, name in (("mjcf", "robot.xml"), ("sdf", "model.sdf")):
        assert convert(robot, f"{folder}{ends}", target=target).target.path == str(folder / name)
    write(read(robot), f"{folder}{ends}", target="urdf")
    assert sorted(path.name for path in folder.iterdir()) == ["model.config", "model.sdf", "r.urdf", "robot.xml"]


def test_a_name_that_says_another_format_than_the_user_is_told(robot: Path):
    for name, target, told in (("out.sdf", "mjcf", [".sdf"]), ("out.xml", "mjcf", []), ("out.model", "mjcf", [])):
        report = explained(convert(robot, robot.parent / name, target=target))
        assert [each.before for each in of_rule(report, "document/suffix")] == told
        assert mujoco_model(robot.parent / name).njnt == 1, "MuJoCo goes by the content"
        convert(robot.parent / name, robot.parent / "back.urdf")  # and so do we
        assert read(robot.parent / "back.urdf") == read(robot)


def test_one_sentence_about_a_folder_from_every_door(robot: Path):
    from converters.present import check_present

    said = set()
    for door in (check_present, read, lambda path: convert(path, robot.parent / "out.xml")):
        with pytest.raises(InputError) as refused:
            door(robot.parent)
        said.add(str(refused.value))
    hint = "kinegraph batch converts all models of a folder"
    assert said == {f"{robot.parent}: is a folder, not a model file; name a file, such as {robot}; {hint}"}


def test_there_and_back_gives_the_same_scene_and_the_same_text(robot: Path):
    folder = robot.parent
    convert(robot, folder / "robot.xml")
    convert(folder / "robot.xml", folder / "back.urdf")
    convert(robot, folder / "straight.urdf")
    assert read(folder / "back.urdf") == read(robot)
    assert (folder / "back.urdf").read_bytes() == (folder / "straight.urdf").read_bytes()


def test_a_writer_that_forgets_something_is_found_out(robot: Path, monkeypatch: pytest.MonkeyPatch):
    mjcf = registry.format_named("mjcf")

    def forgetful(scene: object, context: WriterContext) -> Output:
        output = mjcf.write(scene, context)
        return replace(output, document=output.document.replace(b' frictionloss="0.25"', b""))

    broken = {"urdf": registry.format_named("urdf"), "mjcf": replace(mjcf, write=forgetful)}
    monkeypatch.setattr(registry, "_own", lambda: broken)
    report = convert(robot, robot.parent / "out.xml")
    (finding,) = [found for found in report.findings if found.action is Action.UNEXPLAINED]
    assert finding.rule == "unexplained/joint.dofs.friction"
    assert (finding.where, finding.before) == ("joint/j.dofs.0.friction", "0.25")
    assert finding.sources[0].line == 8
    assert exit_code(report) == 3
    assert (robot.parent / "out.xml").exists()


def test_without_carried_data_the_same_loss_is_dropped(robot: Path, monkeypatch: pytest.MonkeyPatch):
    deaf = {"urdf": registry.format_named("urdf"), "mjcf": replace(registry.format_named("mjcf"), carry=None)}
    monkeypatch.setattr(registry, "_own", lambda: deaf)
    report = convert(robot, robot.parent / "out.xml")
    actions = {finding.rule: finding.action for finding in report.findings}
    assert actions["mjcf/velocity-limit"] is Action.DROPPED


def test_every_loss_has_its_place_in_the_source(robot: Path):
    report = convert(robot, robot.parent / "out.xml")
    places = {finding.rule: [(source.line, source.path) for source in finding.sources] for finding in report.findings}
    assert places["mjcf/foreign-element"] == [(3, "/robot/link[2]/@QQQ")]
    assert places["mjcf/velocity-limit"] == [(8, "/robot/joint[1]")]


def test_an_edit_of_the_converted_file_wins_over_what_is_carried(robot: Path):
    out = robot.parent / "robot.xml"
    convert(robot, out)
    text = out.read_text()
    mass = re.search(r'mass="2"', text)
    assert mass is not None
    out.write_text(text.replace('mass="2"', 'mass="7"').replace('range="-1 1"', 'range="-1 0.5"'))
    scene = read(out)
    assert scene.body("b").inertial.mass == 7
    assert scene.joints["j"].dofs[0].upper == 0.5
    assert scene.joints["j"].dofs[0].velocity == 3
    report = convert(out, robot.parent / "back.urdf")
    assert "body/b.inertial" in [finding.where for finding in of_rule(report, "carried/stale")]


def test_damaged_carried_data_is_an_error_with_a_hint(robot: Path):
    out = robot.parent / "robot.xml"
    convert(robot, out)
    out.write_text(re.sub("data='.*'", "data='{'", out.read_text()))
    with pytest.raises(InputError, match="carried data"):
        read(out)


GREAT = "1" + 400 * "0"


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("joint/b", '{"dofs":{"0":{"velocity":[1e999]}}}'),
        ("joint/b", '{"dofs":{"0":{"velocity":[NaN]}}}'),
        ("joint/b", f'{{"dofs":{{"0":{{"velocity":[{GREAT}]}}}}}}'),
        ("joint/b", '{"pose":[{"rot":[0,0,0,0]}]}'),
        ("joint/b", '{"pose":[{"rot":[1e308,1e308,1e308,1e308]}]}'),
        ("body/b", '{"extras":[[{"format":"urdf","path":"more","text":"&lt;more>\\ud800&lt;/more>"}]]}'),
        ("body/b", '{"extras":[[{"format":"urdf","path":"more","text":"no element"}]]}'),
        ("body/b", '{"\\ud800":[1]}'),
        ("body/b", '{"self_collide":["no"]}'),
        ("body/b", '{"self_collide":[true,"1","2"]}'),
        ("body/b", '{"extras":[{}]}'),
        ("order/body", "{}"),
        ("scene", '{"notation":[{"urdf_version":5}]}'),
        ("scene", '{"notation":[[]]}'),
        ("scene", "[" * 3000 + "]" * 3000),
        ("scene", '["notation"]'),
        ("scene", '"notation"'),
        ("actuator/m", '[{"name":"m","kind":"motor","gear":[],"dof":"j"}]'),
        ("sensor/eye", f'[{{"name":"eye","kind":"camera","body":"b","camera":{{"name":"eye","height":{GREAT}}}}}]'),
        (
            "constraint/e",
            '[{"name":"e","parent":"b","child":"b","spec":{"type":"Couple","first":"j","coefficients":[]}}]',
        ),
    ],
)
def test_carried_data_that_nobody_could_have_written_is_damaged(key: str, data: str, tmp_path: Path):
    body = '<body name="b"><joint name="j"/><geom size="1"/></body>'
    custom = f"<custom><text name='kinegraph:{key}' data='{data}'/></custom>"
    source = saved(tmp_path / "r.xml", f"<mujoco><worldbody>{body}</worldbody>{custom}</mujoco>")
    with pytest.raises(InputError, match="the carried data of an earlier conversion is damaged"):
        convert(source, tmp_path / "r.urdf")
    assert not (tmp_path / "r.urdf").exists()


SCOPE = ("scope/pair", '"pos":[1.0,0.0,0.0]', '"pos":{"1.25":3}')
LABEL = ("body/pair::left", '["left"]', "7")


@pytest.mark.parametrize(
    ("suffix", "key", "old", "new"),
    [
        ("urdf", "joint/pair::hung", '"dofs":[[', '"dofs":{"1.25":[['),
        ("urdf", "joint/pair::hung", '"anchor":[0.0,0.0,1.0]', '"anchor":"x"'),
        ("urdf", "physics/physics", "[0.0,0.0,-9.8]", "7"),
        ("urdf", "folds", '{"chain":', '{{"chain":'),
        ("urdf", *LABEL),
        ("urdf", *SCOPE),
        ("xml", *LABEL),
        ("xml", *SCOPE),
    ],
)
def test_a_damaged_piece_of_carried_data_is_named_where_it_stands(
    suffix: str, key: str, old: str, new: str, tmp_path: Path
):
    path = tmp_path / f"r.{suffix}"
    convert(MADE / "feature_sdf_several_roots.sdf", path)
    lines = path.read_text().splitlines()
    (line,) = (n for n, text in enumerate(lines) if re.search(rf'(key="|"kinegraph:){key}"', text))
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new)
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"what it says of '{key}' cannot be read") as refused:
        convert(path, tmp_path / "back.sdf")
    assert refused.value.source is not None
    assert refused.value.source.line == line + 1


def test_an_equation_of_joints_that_carried_data_says_to_follow_each_other_ends(tmp_path: Path):
    bodies = "".join(f'<body name="{n}"><joint name="j{n}"/><geom size="1"/></body>' for n in "123")
    follow = '{"dofs":{"0":{"mimic":[{"dof":"j%s"}]}}}'
    texts = "".join(f"<text name='kinegraph:joint/{a}' data='{follow % b}'/>" for a, b in ("12", "21"))
    equation = '<equality><joint name="e" joint1="j3" joint2="j1"/></equality>'
    source = tmp_path / "r.xml"
    source.write_text(f"<mujoco><worldbody>{bodies}</worldbody>{equation}<custom>{texts}</custom></mujoco>")
    explained(convert(source, tmp_path / "r.urdf"))
    assert read(tmp_path / "r.urdf") == read(source)


def test_the_same_input_gives_the_same_bytes(robot: Path):
    first, second = (robot.parent / name / "robot.xml" for name in ("first", "second"))
    for out in (first, second):
        convert(robot, out)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb"])
def test_without_the_audit_the_output_and_what_is_told_are_the_same(robot: Path, suffix: str):
    audited, not_audited = robot.parent / "a" / f"r.{suffix}", robot.parent / "b" / f"r.{suffix}"
    whole = explained(convert(robot, audited))
    half = explained(convert(robot, not_audited, options=Options(audit=False)))
    assert whole.audited and not half.audited
    told = [[(each.rule, each.action, each.where) for each in report.findings] for report in (whole, half)]
    assert told[0] == told[1]
    assert audited.read_bytes() == not_audited.read_bytes()


def test_files_of_other_outputs_in_the_asset_folder_stay(tmp_path: Path):
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.obj"/></geometry></visual></link></robot>'
    )
    folder = tmp_path / "out" / "r_assets"
    folder.mkdir(parents=True)
    (folder / "precious.obj").write_text("mine")
    convert(tmp_path / "r.urdf", tmp_path / "out" / "r.xml")
    assert sorted(path.name for path in folder.iterdir()) == ["m.obj", "precious.obj"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["r.xml", "r_assets"]


def test_a_mesh_that_moved_with_the_output_is_found_there(tmp_path: Path):
    test_files_of_other_outputs_in_the_asset_folder_stay(tmp_path)
    (tmp_path / "m.obj").unlink()
    (asset,) = read(tmp_path / "out" / "r.xml").assets.values()
    assert asset.uri == "m.obj"
    assert asset.file == str(tmp_path / "out" / "r_assets" / "m.obj")


def test_carried_data_is_readable_json_for_each_entity(robot: Path):
    convert(robot, robot.parent / "robot.xml")
    carried = dict(
        re.findall(r"<text name=\"kinegraph:([^\"]*)\" data='([^']*)'", (robot.parent / "robot.xml").read_text())
    )
    assert json.loads(carried["joint/b"])["dofs"] == {"0": {"velocity": [3.0]}}


@pytest.fixture
def split(tmp_path: Path) -> Path:
    """A robot with a mesh that MJCF has in two files."""
    (tmp_path / "m.obj").write_text(two_objects(1))
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.obj"/></geometry></visual></link></robot>'
    )
    return tmp_path


def two_objects(size: int) -> str:
    face = "f {0} {1} {2}\nf {0} {1} {3}\nf {0} {2} {3}\nf {1} {2} {3}\n"
    corners = f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n"
    return f"o a\n{corners}{face.format(1, 2, 3, 4)}o b\n{corners}{face.format(5, 6, 7, 8)}"


@pytest.mark.parametrize("way", ["r.glb", "r.xml"])
@pytest.mark.parametrize("changed", [True, False])
def test_another_file_at_the_address_of_a_mesh_is_not_the_mesh(split: Path, way: str, changed: bool):
    """The converted mesh is used, as read by trimesh, which is reported; the original file while it is unchanged."""
    convert(split / "r.urdf", split / "out" / way)
    (split / "out" / "m.obj").write_text(two_objects(7 if changed else 1))
    (split / "m.obj").unlink()
    report = convert(split / "out" / way, split / "back" / "r.sdf")
    told = [found.reason for found in report.findings if found.rule in ("carried/inside", "carried/original-file")]
    assert len(told) == changed
    assert all("is not the one that was converted" in reason for reason in told)
    shown = re.findall("<uri>(.*?)</uri>", (split / "back" / "r.sdf").read_text())
    sizes = [trimesh.load_mesh((split / "back" / uri).resolve()).bounds.max() for uri in shown]
    assert sizes and set(sizes) == {1.0}


def test_a_mesh_that_was_split_and_whose_file_is_gone_is_reported(split: Path, tmp_path: Path):
    convert(tmp_path / "r.urdf", tmp_path / "out" / "r.xml")
    (tmp_path / "m.obj").unlink()
    for target, action in (("r.urdf", "noted"), ("r.sdf", "approximated")):
        report = convert(tmp_path / "out" / "r.xml", tmp_path / "back" / target)
        (found,) = of_rule(report, "carried/original-file")
        assert (found.where, found.before, found.action) == ("asset/m", "m.obj", action), target
        assert target == "r.sdf" or "its file is not found from here" in found.reason
    assert 'filename="m.obj"' in (tmp_path / "back" / "r.urdf").read_text()
    assert (tmp_path / "back" / "r.sdf").read_text().count("<mesh>") == 2


def test_boxes_for_flat_parts_stay_with_the_parts_of_a_mesh_whose_file_is_gone(tmp_path: Path):
    """MuJoCo gets a thin box for each flat colliding part; without the mesh only the box is left of it."""
    flat = "o c\nv 0 0 2\nv 1 0 2\nv 0 1 2\nf 9 10 11\n"
    (tmp_path / "m.obj").write_text(two_objects(1) + "\n" + flat)
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="m.obj"/></geometry></collision></link>'
        "</robot>"
    )
    convert(tmp_path / "r.urdf", tmp_path / "out" / "r.xml")
    (tmp_path / "m.obj").unlink()
    convert(tmp_path / "out" / "r.xml", tmp_path / "back" / "r.sdf")
    convert(tmp_path / "out" / "r.xml", tmp_path / "back" / "r.urdf")
    found = (tmp_path / "back" / "r.sdf").read_text()
    assert (found.count("<mesh>"), found.count("<box>")) == (2, 1)
    assert "<box" not in (tmp_path / "back" / "r.urdf").read_text()


def test_two_files_that_became_one_on_the_way_are_two_again(tmp_path: Path):
    facets = "".join(
        f"facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n"
        for a, b, c in (
            ("0 0 0", "1 0 0", "0 1 0"),
            ("0 0 0", "1 0 0", "0 0 1"),
            ("0 0 0", "0 1 0", "0 0 1"),
            ("1 0 0", "0 1 0", "0 0 1"),
        )
    )
    source = tmp_path / "deep" / "down" / "source"
    source.mkdir(parents=True)
    for name in ("left", "right"):
        (source / f"{name}.stl").write_text(f"solid\n{facets}endsolid\n")
    shapes = "".join(
        f'<visual><geometry><mesh filename="{name}.stl"/></geometry></visual>' for name in ("left", "right")
    )
    (source / "robot.urdf").write_text(f'<robot name="r"><link name="a">{shapes}</link></robot>')
    convert(source / "robot.urdf", tmp_path / "there" / "robot.xml")
    assert [file.name for file in (tmp_path / "there" / "robot_assets").iterdir()] == ["left.obj"]
    report = convert(tmp_path / "there" / "robot.xml", tmp_path / "back" / "robot.urdf")
    assert not report.total(Action.APPROXIMATED)
    written = (tmp_path / "back" / "robot.urdf").read_text()
    assert re.findall(r'filename="([^"]*)"', written) == ["robot_assets/left.obj", "robot_assets/right.obj"]
    assert len({file.read_bytes() for file in (tmp_path / "back" / "robot_assets").iterdir()}) == 1


def test_joints_that_follow_each_other_in_a_circle_are_told(tmp_path: Path):
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="{leader}"/></joint>'
        for name, parent, child, leader in (("one", "a", "b", "two"), ("two", "b", "c", "one"))
    )
    source = saved(tmp_path / "circle.urdf", f'<robot name="circle">{links}{joints}</robot>')
    for target in ("xml", "sdf", "urdf"):
        report = convert(source, tmp_path / f"out.{target}")
        assert exit_code(report) == 0, target
        mimics = [found for found in report.findings if "mimic" in found.where]
        assert bool(mimics) is (target != "urdf")
    convert(tmp_path / "out.xml", tmp_path / "back.urdf")
    assert (tmp_path / "back.urdf").read_bytes() == (tmp_path / "out.urdf").read_bytes()
    report = convert(
        source, tmp_path / "swept.xml", options=Options(trajectory=("sweep",), pose=("one=0.5", "two=0.2"))
    )
    assert of_rule(explained(report), "pose/motion")
    assert mujoco_model(tmp_path / "swept.xml").key_qpos.tolist() == [[0.5, 0.2]]


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml"])
def test_without_carrying_nothing_is_in_an_output_that_others_pass_over(tmp_path: Path, suffix: str) -> None:
    for name in ("feature_mjcf_actuators.xml", "feature_sdf_standing.sdf", "feature_wheeled.urdf"):
        source, plain = MADE / name, tmp_path / f"plain.{suffix}"
        full = convert(source, tmp_path / f"full.{suffix}")
        report = convert(source, plain, options=Options(carry=False))
        assert b"kinegraph" not in plain.read_bytes()
        actions = {finding.action for finding in report.findings}
        assert not {Action.CARRIED, Action.UNEXPLAINED} & actions
        carried = [each for each in full.findings if each.action is Action.CARRIED]
        hidden = [each for each in carried if not each.rule.startswith("sdf/gazebo-")]  # a block says it to Gazebo, too
        assert report.total(Action.DROPPED) >= sum(each.count for each in hidden)


def test_a_scene_that_came_from_no_file_is_told_as_one(robot: Path, tmp_path: Path) -> None:
    assert str(write(read(robot), tmp_path / "out.urdf")) == f"a scene -> {tmp_path / 'out.urdf'}: nothing lost"


@pytest.fixture
def collecting() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("collecting")
@pytest.mark.parametrize("before", [True, False])
def test_garbage_is_collected_afterwards_where_it_was_before(before: bool):
    (gc.enable if before else gc.disable)()
    with pytest.raises(InputError), no_collection():
        assert not gc.isenabled()
        raise InputError("a conversion ends")
    assert gc.isenabled() is before
