"""Whether two models are the same robot, and where they differ."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from converters.commands.program import kinegraph
from converters.comparing import NOT_COMPARED, compare, compare_in, refusal
from converters.comparing.contacts import contacts
from converters.context import InputError, Options
from converters.convert import convert
from converters.reading import load
from ir.scene import Scene
from ir.types import Body, Geom, Joint, Sphere, Surface
from tests.conftest import ROOT
from tests.files import saved
from tests.formats.gltf_written import ARM
from tests.oracles.in_mujoco import mujoco_model


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    return saved(tmp_path / "arm.urdf", ARM)


@pytest.mark.parametrize("name", ["other.xml", "other.sdf", "other.glb", "other.urdf"])
def test_a_robot_is_its_own_conversion(arm: Path, name: str):
    convert(arm, arm.with_name(name))
    assert compare(arm, arm.with_name(name)) == []
    assert compare(arm.with_name(name), arm) == []


CHANGES = {
    'lower="-2"': ('lower="-1.9998"', {"limits"}, "joint/shoulder.lower"),
    'upper="5"': ('upper="5.0005"', {"limits"}, "joint/shoulder.upper"),
    'xyz="0.1 0 0.2"': ('xyz="0.1001 0 0.2"', {"poses"}, "body/upper.position"),
    'rpy="0.3 0 0"': ('rpy="0.3001 0 0"', {"poses", "gravity torques"}, "body/upper.rotation"),
    'mass value="2"': ('mass value="2.0002"', {"masses", "mass matrix", "gravity torques"}, "body/upper.mass"),
    'ixy="0.01"': ('ixy="0.0101"', {"inertias"}, "body/upper.inertia"),
    'iyy="0.3"': ('iyy="0.30001"', {"inertias", "mass matrix"}, "body/upper.inertia"),
    'damping="0.5"': ('damping="0.5001"', {"joints"}, "joint/shoulder.damping"),
    'multiplier="2"': ('multiplier="2.0001"', {"joints", "poses"}, "joint/follow.mimic"),
    'size="0.1 0.1 0.3"': ('size="0.1 0.1 0.3001"', {"geometry"}, "body/upper.second.size"),
    'sphere radius="0.1"': ('sphere radius="0.1001"', {"geometry"}, "body/upper.upper_collision_0.radius"),
    'rgba=".5 .5 .5 .5"': ('rgba=".5 .5 .5001 .5"', {"colours"}, "body/base.base_visual_0.colour"),
}


@pytest.mark.parametrize("old", CHANGES)
def test_a_number_changed_by_a_ten_thousandth_is_named(arm: Path, old: str):
    new, aspects, where = CHANGES[old]
    other = arm.with_name("other.urdf")
    assert ARM.count(old) == 1
    other.write_text(ARM.replace(old, new))
    found = compare(arm, other)
    assert aspects <= {each.what for each in found}
    assert where in {each.where for each in found}
    assert all(each.by is None or each.by > 0 for each in found)


@pytest.mark.parametrize("target", ["other.xml", "other.sdf"])
def test_an_edit_of_the_conversion_is_named_too(arm: Path, target: str):
    convert(arm, arm.with_name(target))
    text = arm.with_name(target).read_text()
    edited = re.sub(r'(mass="2"|<mass>2</mass>)', lambda match: match[0].replace("2", "2.0002"), text, count=1)
    assert edited != text
    arm.with_name(target).write_text(edited)
    assert "body/upper.mass" in {each.where for each in compare(arm, arm.with_name(target))}


def test_structure(arm: Path):
    other = arm.with_name("other.urdf")
    other.write_text(ARM.replace('name="finger"', 'name="claw"').replace('link="finger"', 'link="claw"'))
    found = [(each.where, each.first, each.second) for each in compare(arm, other) if each.what == "structure"]
    assert found == [("body/finger", "there", "missing"), ("body/claw", "missing", "there")]


def test_the_command_tells_and_exits(arm: Path):
    convert(arm, arm.with_name("same.sdf"))
    other = saved(arm.with_name("other.urdf"), ARM.replace('mass value="2"', 'mass value="2.0002"'))
    runner = CliRunner()
    same = runner.invoke(kinegraph, ["compare", str(arm), str(arm.with_name("same.sdf"))], standalone_mode=False)
    assert same.return_value == 0 and "the same: structure" in same.output
    unlike = runner.invoke(kinegraph, ["compare", str(arm), str(other), "--json"], standalone_mode=False)
    assert unlike.return_value == 1
    document = json.loads(unlike.output)
    assert document["schema_version"] == 1 and not document["equal"]
    assert [each for each in document["differences"] if each["where"] == "body/upper.mass"] == [
        {"what": "masses", "where": "body/upper.mass", "first": 2.0, "second": 2.0002, "by": pytest.approx(0.0002)}
    ]


@pytest.mark.parametrize("name", ["arm[/b]", "arm[red]"])
def test_names_are_shown_as_they_are(tmp_path: Path, name: str):
    """What looks like markup is shown like any other name; control characters are escaped."""
    more = f'<link name="{name}"/><joint name="j" type="fixed"><parent link="base"/><child link="{name}"/></joint>'
    files = [tmp_path / "one[b].urdf", tmp_path / "two\x1b[31m.urdf"]
    for file, text in zip(files, ("", more), strict=True):
        file.write_text(f'<robot name="r"><link name="base"/>{text}</robot>')
    result = CliRunner().invoke(kinegraph, ["compare", *map(str, files)], standalone_mode=False)
    assert result.return_value == 1 and result.exception is None
    shown = result.output.replace("\n", "")
    assert f"body/{name}" in shown and "one[b].urdf" in shown and "two\\x1b[31m.urdf" in shown


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
@pytest.mark.parametrize("target", ["other.xml", "other.sdf", "other.glb"])
def test_engines_see_one_robot_in_its_conversion(arm: Path, engine: str, target: str):
    convert(arm, arm.with_name(target))
    assert compare_in(engine, arm, arm.with_name(target), samples=3) == []


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
def test_engines_see_what_was_changed(arm: Path, engine: str):
    other = arm.with_name("other.urdf")
    other.write_text(
        ARM.replace('mass value="2"', 'mass value="2.0002"').replace('xyz="0.1 0 0.2"', 'xyz="0.1001 0 0.2"')
    )
    found = {(each.what, each.where) for each in compare_in(engine, arm, other, samples=3)}
    assert ("masses", "body/upper.mass") in found
    assert ("poses", "body/upper") in found
    assert any(what == "mass matrix" for what, _ in found)
    assert any(what == "gravity torques" for what, _ in found)


def test_an_engine_that_nobody_knows(arm: Path):
    with pytest.raises(InputError, match="mujoco, pinocchio, drake"):
        compare_in("bullet", arm, arm)


@pytest.mark.parametrize(
    ("old", "new", "what", "where"),
    [
        ('pos="0 0 1"', 'pos="0 0 1.0001"', "joints", "joint/f.position"),
        ('quat="1 0 0 0"', 'quat="1 1e-4 0 0"', "joints", "joint/f.rotation"),
        ('gravcomp=".5"', 'gravcomp=".5001"', "masses", "body/b.gravity"),
        ('mass="0" diaginertia="1', 'mass="0" diaginertia="1.0001', "inertias", "body/c.inertia"),
    ],
)
def test_where_a_free_root_starts_and_what_weighs_nothing(tmp_path: Path, old: str, new: str, what: str, where: str):
    text = (
        '<mujoco><worldbody><body name="b" pos="0 0 1" quat="1 0 0 0" gravcomp=".5"><freejoint name="f"/>'
        '<geom size=".1"/><body name="c"><inertial pos="0 0 0" mass="0" diaginertia="1 1 1"/></body></body>'
        "</worldbody></mujoco>"
    )
    assert text.count(old) == 1
    (tmp_path / "first.xml").write_text(text)
    (tmp_path / "second.xml").write_text(text.replace(old, new))
    assert (what, where) in [
        (each.what, each.where) for each in compare(tmp_path / "first.xml", tmp_path / "second.xml")
    ]


def test_transparency_without_a_colour(tmp_path: Path):
    text = (
        '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>'
        "<sphere><radius>1</radius></sphere></geometry><transparency>0.5</transparency></visual></link></model></sdf>"
    )
    (tmp_path / "first.sdf").write_text(text)
    (tmp_path / "second.sdf").write_text(text.replace("0.5", "0.5001"))
    (found,) = compare(tmp_path / "first.sdf", tmp_path / "second.sdf")
    assert (found.what, found.where, found.by) == ("colours", "body/l.v.transparency", pytest.approx(1e-4))


BOT = """<robot name="bot">{links}
<joint name="j1" type="revolute"><origin xyz="0 0 .2"/><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/></joint></robot>""".format(
    links="".join(
        f'<link name="{name}"><inertial><mass value="1"/>'
        '<inertia ixx=".01" ixy="0" ixz="0" iyy=".01" iyz="0" izz=".01"/></inertial>'
        '<collision><geometry><sphere radius=".05"/></geometry></collision></link>'
        for name in ("base", "upper")
    )
)


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
def test_an_engine_tells_what_it_looked_at_and_nothing_else_is_the_same(tmp_path: Path, engine: str, capfd):
    first, second = tmp_path / "first.urdf", tmp_path / "second.urdf"
    first.write_text(BOT)
    told = {}
    for what, old, new in (
        ("limits", 'upper="1"', 'upper="1.0001"'),
        ("inertias", 'ixx=".01"', 'ixx=".0101"'),
        ("geometry", 'radius=".05"', 'radius=".9"'),
    ):
        second.write_text(BOT.replace(old, new, 1))
        arguments = ["compare", str(first), str(second), "--engine", engine, "--samples", "1"]
        text = CliRunner().invoke(kinegraph, arguments, standalone_mode=False)
        found = CliRunner().invoke(kinegraph, [*arguments, "--json"], standalone_mode=False)
        document = json.loads(found.stdout)
        told[what] = {each["what"] for each in document["differences"]}
        assert text.return_value == found.return_value == (0 if document["equal"] else 1)
        same = next(line for line in text.stdout.splitlines() if line.startswith("the same: "))
        assert same == "the same: " + ", ".join(each for each in document["compared"] if each not in told[what])
        assert "colours" in document["not_compared"] and "colours" not in document["compared"]
        assert document["compared"].count("geometry") + list(document["not_compared"]).count("geometry") == 1
    assert told["limits"] == {"limits"} and told["inertias"] == {"inertias"}
    assert told["geometry"] == ({"geometry"} if engine == "mujoco" else set())
    assert "WARNING" not in capfd.readouterr().err


PAIR = """<mujoco><worldbody>
<body name="a"><joint name="j" axis="0 1 0"/><geom name="g" type="box" size=".1 .1 .1"/></body>
<body name="b" pos="1 0 0"><joint name="k" axis="0 1 0"/><geom name="h" type="box" size=".1 .1 .1"/></body>
</worldbody>
<equality><connect name="c" body1="a" body2="b" anchor=".5 0 0"/><joint name="e" joint1="j" joint2="k" polycoef="0 2"/>
<weld name="w" body1="a" body2="b" active="false"/></equality>
<contact><exclude body1="a" body2="b"/></contact></mujoco>"""


@pytest.mark.parametrize(
    ("old", "new", "what", "where"),
    [
        ('anchor=".5 0 0"', 'anchor=".5 0 1e-4"', "constraints", "constraint/c.anchor"),
        ('polycoef="0 2"', 'polycoef="0 2.0002"', "constraints", "constraint/e.coefficients"),
        ('active="false"', 'active="true"', "constraints", "constraint/w.active"),
        ('<connect name="c" body1="a" body2="b" anchor=".5 0 0"/>', "", "constraints", "constraint/c"),
        ('<exclude body1="a" body2="b"/>', "", "contacts", "contact/a, b"),
        ('<exclude body1="a" body2="b"/>', '<exclude body1="a" body2="world"/>', "contacts", "contact/a, world"),
        ('name="h"', 'name="h" contype="2"', "contacts", "body/b.h.masks"),
    ],
)
def test_what_holds_between_bodies_is_compared(tmp_path: Path, old: str, new: str, what: str, where: str):
    first, second = tmp_path / "first.xml", tmp_path / "second.xml"
    first.write_text(PAIR)
    second.write_text(PAIR.replace(old, new))
    assert (what, where) in [(each.what, each.where) for each in compare(first, second)]
    for name in ("other.urdf", "other.sdf", "other.glb", "other.xml"):
        convert(first, tmp_path / name)
        assert compare(first, tmp_path / name) == []


def test_a_spring_that_only_gazebo_is_told_of(arm: Path):
    """MuJoCo gets a different stiffness, so that the robots differ."""

    block = '<gazebo reference="shoulder"><springStiffness>{}</springStiffness></gazebo></robot>'
    files = []
    for stiffness in ("5.5", "500"):
        files.append(arm.with_name(f"spring{stiffness}.urdf"))
        files[-1].write_text(ARM.replace("</robot>", block.format(stiffness)))
        convert(files[-1], files[-1].with_suffix(".xml"))
        model = mujoco_model(files[-1].with_suffix(".xml"))
        assert model.jnt_stiffness[model.joint("shoulder").id] == pytest.approx(float(stiffness))
        assert compare(files[-1], files[-1].with_suffix(".xml")) == []
    (found,) = compare(*files)
    assert (found.what, found.where, found.first, found.second) == ("joints", "joint/shoulder.stiffness", 5.5, 500.0)


def test_neighbours_that_one_format_lets_collide_are_no_difference(tmp_path: Path):
    """MuJoCo filters parent and child unless the parent is fixed: an exclude states what URDF implies."""
    convert(saved(tmp_path / "bot.urdf", BOT), tmp_path / "bot.xml")
    text = (tmp_path / "bot.xml").read_text()
    plain = re.sub(r"<custom>.*</custom>", "", text, flags=re.DOTALL)
    assert "<exclude" in plain and "kinegraph" not in plain
    (tmp_path / "plain.xml").write_text(plain)
    assert [each for each in compare(tmp_path / "bot.urdf", tmp_path / "plain.xml") if each.what == "contacts"] == []
    (tmp_path / "free.xml").write_text(re.sub(r"<exclude[^>]*>", "", plain))
    assert "contacts" in {each.what for each in compare(tmp_path / "plain.xml", tmp_path / "free.xml")}


@pytest.mark.parametrize(
    ("parent", "told"), [("world", ["body/a, body/b"]), ("a", [])], ids=["side by side", "one weld"]
)
def test_what_stands_on_the_world_is_not_welded_to_what_stands_beside_it(parent: str, told: list[str]):
    """Bodies of one weld are ignored, like neighbours: the world does not weld together what is fixed to it."""
    scenes = Scene("touching"), Scene("passing")
    for scene, category in zip(scenes, (1, 2), strict=True):
        for name, above, mask in (("a", "world", 1), ("b", parent, category)):
            geom = Geom(
                name=f"g{name}",
                role="collision",
                shape=Sphere(radius=1.0),
                surface=Surface(category=mask, collide=mask),
            )
            scene.add_body(Body(name=name, geoms=(geom,)))
            scene.add_joint(Joint(name=f"to {name}", parent=above, child=name))
    assert [each.where for each in contacts(*scenes, True, True)] == told


def test_what_is_not_compared_is_said(arm: Path):
    result = CliRunner().invoke(kinegraph, ["compare", str(arm), str(arm)], standalone_mode=False)
    assert result.output.splitlines()[-1].startswith("not compared: transmissions, ")  # one line
    assert result.output.splitlines()[-1].endswith(" more (--json tells all)")
    document = json.loads(CliRunner().invoke(kinegraph, ["compare", str(arm), str(arm), "--json"]).stdout)
    assert any("sensors" in each for each in document["not_compared"]) and all(document["not_compared"].values())
    assert len(set(document["compared"])) == len(document["compared"]), "each aspect is told once"


@pytest.mark.parametrize("name", ["m.urdf", "m.sdf", "m.glb"])
def test_what_other_programs_do_not_see_counts_unless_it_is_left_out(tmp_path: Path, name: str):
    """None of these formats has tendons: it comes back only through carried data or the embedded graph."""
    source = tmp_path / "m.xml"
    source.write_text(
        '<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>'
        '<tendon><fixed armature="0.5"><joint joint="j" coef="1"/></fixed></tendon></mujoco>'
    )
    convert(source, tmp_path / name)
    both = [str(source), str(tmp_path / name)]
    assert CliRunner().invoke(kinegraph, ["compare", *both], standalone_mode=False).return_value == 0
    assert compare(source, tmp_path / name) == []
    plain = CliRunner().invoke(kinegraph, ["compare", "--native", *both, "--json"], standalone_mode=False)
    assert plain.return_value == 1
    assert "tendon" in plain.stdout
    engine = compare_in("mujoco", *both, options=Options(carried=False))
    assert {"mass matrix", "structure"} & {each.what for each in engine}
    assert compare_in("mujoco", *both) == []


def test_several_reports_of_one_conversion_are_written(arm: Path):
    paths = [arm.with_name("a.json"), arm.with_name("b.md")]
    arguments = ["convert", str(arm), str(arm.with_name("o.xml"))]
    CliRunner().invoke(kinegraph, [*arguments, "--report", str(paths[0]), "--report", str(paths[1])])
    assert json.loads(paths[0].read_text())["target"]["format"] == "mjcf"
    assert paths[1].read_text().startswith("# ")


WORLD = """<sdf version="1.9"><world name="w">{}</world></sdf>"""
ONE = """<model name="{0}"><link name="l"><inertial><mass>{1}</mass></inertial></link></model>"""


@pytest.mark.parametrize("engine", [[], ["--engine", "drake"]])
def test_one_model_of_several_is_compared_where_it_is_named(tmp_path: Path, engine: list[str]):
    first, second = tmp_path / "a.sdf", tmp_path / "b.sdf"
    first.write_text(WORLD.format(ONE.format("x", 1) + ONE.format("y", 2)))
    second.write_text(WORLD.format(ONE.format("z", 5) + ONE.format("x", 1) + ONE.format("y", 3)))

    def code(*more: str) -> int:
        return (
            CliRunner()
            .invoke(kinegraph, ["compare", str(first), str(second), *engine, *more], standalone_mode=False)
            .return_value
        )

    assert code() == 1
    assert code("--model", "x") == 0
    assert code("--model", "y") == 1


@pytest.mark.parametrize("lacking", [0, 1])
def test_a_model_that_one_of_two_files_lacks_is_told_with_that_file(tmp_path: Path, lacking: int):
    paths = [tmp_path / "a.xml", tmp_path / "b.xml"]
    for index, path in enumerate(paths):
        name = "other" if index == lacking else "x"
        path.write_text(f'<mujoco><worldbody><body name="{name}"><geom size=".1"/></body></worldbody></mujoco>')
    found = CliRunner().invoke(kinegraph, ["compare", *map(str, paths), "--model", "x"])
    assert str(found.exception) == f"{paths[lacking]}:1: --model x: there is no such model; there is other"


LOOKS = """<mujoco><asset>
<texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="8" height="8"/>
<material name="m" texture="t" specular="0.3" shininess="0.25" emission="0.5" reflectance="0.1" metallic="0.2"
roughness="0.4" texrepeat="2 3"/></asset><worldbody><body name="b"><site name="s" pos="1 0 0"/><joint name="j"/>
<geom name="g" type="box" size="1 1 1" material="m"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('specular="0.3"', 'specular="0.4"', "body/b.g.specular"),
        ('shininess="0.25"', 'shininess="0.5"', "body/b.g.shininess"),
        ('emission="0.5"', 'emission="0.6"', "body/b.g.emissive"),
        ('reflectance="0.1"', 'reflectance="0.2"', "body/b.g.reflectance"),
        ('metallic="0.2"', 'metallic="0.3"', "body/b.g.metallic"),
        ('roughness="0.4"', 'roughness="0.5"', "body/b.g.roughness"),
        ('texrepeat="2 3"', 'texrepeat="2 4"', "body/b.g.repeat"),
        ('rgb2="0 1 0"', 'rgb2="0 1 1"', "body/b.g.pixels"),
        ('pos="1 0 0"', 'pos="5 0 0"', "body/b.s.position"),
    ],
)
def test_looks_and_frames_are_compared(tmp_path: Path, old: str, new: str, where: str):
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(LOOKS)
    second.write_text(LOOKS.replace(old, new))
    assert LOOKS.count(old) == 1 and [each.where for each in compare(first, second)] == [where]
    for name in ("a.sdf", "a.urdf", "a.glb"):
        convert(first, tmp_path / name)
        assert compare(first, tmp_path / name) == []
        assert where in {each.where for each in compare(second, tmp_path / name)}, name


def test_what_one_of_two_looks_leaves_open_is_no_difference(tmp_path: Path):
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(LOOKS)
    second.write_text(LOOKS.replace('specular="0.3" ', "").replace('<site name="s" pos="1 0 0"/>', ""))
    assert compare(first, second) == []
    assert any("highlights, light, metal and roughness that only" in each for each in NOT_COMPARED)
    assert any("sites that only one" in each for each in NOT_COMPARED)


def test_the_ends_of_a_loop_of_isaac(tmp_path: Path):
    """If the ends coincide, moving one opens the loop; if they do not, no loop is closed, which is stated."""
    text = (ROOT / "corpus" / "made" / "feature_isaac.urdf").read_text()
    closed = text.replace('xyz="-0.5 0 0"', 'xyz="0.5 0 0"')
    opened = closed.replace('xyz="0.5 0 0"', 'xyz="0.6 0 0"', 1)
    further = closed.replace('xyz="0.5 0 0"', 'xyz="0.7 0 0"', 1)
    for name, each in (("closed", closed), ("opened", opened), ("further", further)):
        (tmp_path / f"{name}.urdf").write_text(each)
    assert "loop/loop" in {each.where for each in compare(tmp_path / "closed.urdf", tmp_path / "opened.urdf")}
    assert compare(tmp_path / "opened.urdf", tmp_path / "further.urdf") == []
    assert any("<loop_joint>" in each for each in NOT_COMPARED)


def test_an_engine_finds_what_a_world_includes_where_we_do(tmp_path: Path):
    link = '<link name="l"><inertial><mass>{}</mass></inertial></link>'
    joint = '<joint name="j" type="revolute"><parent>l</parent><child>k</child><axis><xyz>0 0 1</xyz></axis></joint>'
    box = tmp_path / "models" / "box"
    box.mkdir(parents=True)
    (box / "model.config").write_text('<model><name>box</name><sdf version="1.9">model.sdf</sdf></model>')
    include = "<include><uri>model://box</uri><name>{0}</name><pose>{0} 0 0 0 0 0</pose></include>"
    links = link.format(1) + link.format(2).replace('"l"', '"k"')
    (box / "model.sdf").write_text(f'<sdf version="1.9"><model name="box">{links}{joint}</model></sdf>')
    world, other = tmp_path / "world.sdf", tmp_path / "other.sdf"
    world.write_text(f'<sdf version="1.9"><world name="w">{include.format(1)}{include.format(2)}</world></sdf>')
    convert(world, tmp_path / "world.xml")
    assert compare_in("drake", world, world, samples=1) == []
    assert compare_in("drake", world, tmp_path / "world.xml", samples=1) == []
    other.write_text(world.read_text().replace("<pose>1 ", "<pose>1.5 "))
    found = {(each.what, each.where) for each in compare_in("drake", world, other, samples=1)}
    assert found == {("poses", "body/1::l"), ("poses", "body/1::k")}
    world.write_text(world.read_text().replace("model://box", "model://box/model.sdf"))
    assert refusal("drake", world, "sdf", load(world)) == ""


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_the_axis_of_a_joint_that_cannot_move_is_compared_though_nothing_shows_it(tmp_path: Path, kind: str):
    limit = '<limit lower="0" upper="0" effort="1" velocity="1"/>'
    ends = f'<parent link="a"/><child link="b"/><origin rpy="0.3 0.2 0.1"/>{limit}'
    joint = f'<joint name="j" type="{kind}">{ends}<axis xyz="{{}}"/></joint>'
    text = f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>'
    for name, axis in (("one", "0 1 0"), ("two", "0 0 1")):
        (tmp_path / f"{name}.urdf").write_text(text.format(axis))
    one = tmp_path / "one.urdf"
    assert [each.where for each in compare(one, tmp_path / "two.urdf")] == ["joint/j.axis"]
    for form in ("sdf", "xml", "glb"):
        convert(one, tmp_path / f"out.{form}")
        assert [each.where for each in compare(one, tmp_path / f"out.{form}") if "axis" in each.where] == []
