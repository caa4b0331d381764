"""Springs, dampers and armatures of MJCF joints in other formats, compared with MuJoCo's compiler."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters import convert
from converters.convert import read
from converters.report.model import Action
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_expands, sdformat_reads
from tests.reports import complete, of_rule

BOX = '<geom type="box" size=".1 .2 .3" pos=".2 0 .1" mass="3"/>'
DAMPED = f"""<body name="a"><joint name="s" type="slide" axis="0 1 0" springdamper=".3 .8" stiffness="100" damping=".5"
    armature="1.5" group="3"/>{BOX}
  <body name="b" pos=".3 0 .1"><joint name="h" axis="0 1 0" ref=".4" springdamper=".2 .5" springref=".1"/>{BOX}
   <body name="c"><joint name="plain" axis="0 0 1" stiffness="7" damping="2"/>{BOX}</body></body></body>
  <body name="f" pos="3 0 0"><freejoint name="free"/>{BOX}
   <body name="g"><joint name="tail" axis="0 0 1" springdamper=".1 1" frictionloss="2"/>{BOX}</body></body>"""
NAMES = ("s", "h", "plain", "tail")
COMPILERS = {"": "", "settotalmass": 'settotalmass="100"', "bounds": 'boundmass="4" boundinertia=".5"'}


def written(folder: Path, bodies: str, compiler: str = "", more: str = "") -> Path:
    path = folder / "m.xml"
    path.write_text(
        f'<mujoco><compiler angle="radian" {compiler}/><worldbody>{bodies}</worldbody>{more}</mujoco>', "utf-8"
    )
    return path


def compiled(path: Path) -> dict[str, tuple[float, float]]:
    """Return joint -> stiffness and damping in MuJoCo."""
    model = mujoco_model(path)
    joints = [model.joint(number) for number in range(model.njnt)]
    return {each.name: (each.stiffness[0], model.dof_damping[each.dofadr[0]]) for each in joints}


def in_sdf(path: Path) -> dict[str, tuple[float, float]]:
    joints = etree.parse(path).iter("joint")
    said = {each.get("name"): each.find("axis/dynamics") for each in joints if each.find("axis") is not None}
    words = ("spring_stiffness", "damping")
    return {
        name: tuple(float(each.findtext(word, "0")) if each is not None else 0.0 for word in words)
        for name, each in said.items()
    }


def in_urdf(path: Path) -> dict[str, tuple[float, float]]:
    """Return joint -> stiffness, from the block of the joint, and damping."""
    root = etree.parse(path).getroot()
    blocks = {each.get("reference"): each for each in root.findall("gazebo")}
    return {
        each.get("name"): (
            float(blocks[each.get("name")].findtext("springStiffness", "0")) if each.get("name") in blocks else 0.0,
            float(each.find("dynamics").get("damping")) if each.find("dynamics") is not None else 0.0,
        )
        for each in root.findall("joint")
    }


@pytest.mark.parametrize("compiler", COMPILERS.values(), ids=COMPILERS.keys())
def test_springdamper_is_what_mujoco_compiles(tmp_path: Path, compiler: str) -> None:
    source = written(tmp_path, DAMPED, compiler)
    expected = compiled(source)
    assert expected["s"][0] != 100
    for target, found in (("m.sdf", in_sdf), ("m.urdf", in_urdf)):
        report = complete(convert(source, tmp_path / target))
        said = found(tmp_path / target)
        assert [said[name] for name in NAMES] == [pytest.approx(expected[name], rel=1e-9) for name in NAMES]
        told = of_rule(report, "mjcf/springdamper")
        assert {finding.action for finding in told} == {Action.DERIVED}
        assert not [each for each in report.findings if each not in told and "springdamper" in each.before]


def test_a_model_with_springdamper_comes_back_as_it_was(tmp_path: Path) -> None:
    source = written(tmp_path, DAMPED)
    for through in ("m.sdf", "m.urdf", "m.glb", "m2.xml"):
        convert(source, tmp_path / through)
        complete(convert(tmp_path / through, tmp_path / "back.xml"))
        assert read(tmp_path / "back.xml") == read(source)
        back = etree.parse(tmp_path / "back.xml")
        assert [each.get("springdamper") for each in back.iter("joint")] == [".3 .8", ".2 .5", None, ".1 1"]


@pytest.mark.parametrize(
    ("through", "path", "word"),
    [
        ("m.sdf", "//joint[@name='s']/axis/dynamics/spring_stiffness", ""),
        ("m.urdf", "//gazebo[@reference='s']/springStiffness", ""),
        ("m.urdf", "//joint[@name='s']/dynamics", "damping"),
    ],
)
def test_an_edited_spring_is_one_that_acts(tmp_path: Path, through: str, path: str, word: str) -> None:
    source = written(tmp_path, DAMPED)
    convert(source, tmp_path / through)
    tree = etree.parse(tmp_path / through)
    (element,) = tree.xpath(path)
    if word:
        element.set(word, "7")
    else:
        element.text = "7"
    tree.write(tmp_path / through)
    report = convert(tmp_path / through, tmp_path / "back.xml")
    assert any("joint/a.dofs.0" in each.where or "gazebo" in each.where for each in of_rule(report, "carried/stale"))
    before, after = compiled(source), compiled(tmp_path / "back.xml")
    stiffness, damping = before["s"]
    assert after["s"] == pytest.approx((stiffness, 7.0) if word else (7.0, damping), rel=1e-9)
    assert after["h"] == pytest.approx(before["h"], rel=1e-9)
    joint = etree.parse(tmp_path / "back.xml").find(".//joint[@name='s']")
    assert joint.get("springdamper") is None


ARMED = {
    "tendon": '<tendon><fixed armature="2"><joint joint="s" coef="1"/></fixed></tendon>',
    "actuator of a tendon": '<tendon><fixed name="t"><joint joint="s" coef="1"/></fixed></tendon>'
    '<actuator><motor tendon="t" armature="2"/></actuator>',
}


@pytest.mark.parametrize("more", ARMED.values(), ids=ARMED.keys())
def test_springdamper_is_kept_where_the_graph_does_not_know_all_of_the_inertia(tmp_path: Path, more: str) -> None:
    source = written(tmp_path, DAMPED, more=more)
    mujoco_model(source)
    report = complete(convert(source, tmp_path / "m.sdf"))
    assert of_rule(report, "mjcf/springdamper") == []
    assert sum("springdamper" in finding.before for finding in of_rule(report, "sdf/joint-parameters")) == 3
    assert read(tmp_path / "m.sdf") == read(source)


def test_armature_and_damping_of_an_actuator_are_those_of_its_joint(tmp_path: Path) -> None:
    """The compiler's matrix contains them, multiplied by the square of the gear; so it gives springdamper."""
    more = """<actuator><motor joint="s" armature="2" damping=".5"/><motor joint="plain" gear="-3" armature=".25"/>
      <motor joint="plain" damping=".5"/><motor joint="h" damping="1 2"/></actuator>"""
    source = written(tmp_path, DAMPED, more=more)
    model, expected = mujoco_model(source), compiled(source)
    complete(convert(source, tmp_path / "m.sdf"))
    root, found = etree.parse(tmp_path / "m.sdf"), in_sdf(tmp_path / "m.sdf")
    rotors = {each.get("name"): each.findtext("{*}rotor_inertia") for each in root.iter("joint")}
    assert rotors["s"] == "3.5" and rotors["plain"] == "2.25"
    bare = model.dof_M0.copy()
    model.actuator_armature[:] = 0.0
    mujoco.mj_setConst(model, mujoco.MjData(model))
    gained = [float((bare - model.dof_M0)[model.joint(name).dofadr[0]]) for name in ("s", "plain")]
    assert gained == pytest.approx([2.0, 2.25])
    assert found["s"] == pytest.approx((expected["s"][0], expected["s"][1] + 0.5), rel=1e-9)
    assert found["plain"] == (7.0, 2.5)
    assert found["h"] == pytest.approx(expected["h"], rel=1e-9)
    for name in ("m.sdf", "m.urdf", "m.glb"):
        complete(convert(source, tmp_path / name))
        convert(tmp_path / name, tmp_path / "back.xml")
        assert read(tmp_path / "back.xml") == read(source)
    edited = (tmp_path / "m.sdf").read_text().replace(">2.25<", ">4<")
    convert(saved(tmp_path / "e.sdf", edited), tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").dof_M0[2] == pytest.approx(bare[2] + 1.75)


# ------------------------------------------------------------------------------------------------------- split joints

SPLIT = """<body name="b"><joint name="x" type="slide" axis="1 0 0" stiffness="30" armature=".7"/>
  <joint name="y" axis="0 0 1" stiffness="5" armature=".4" damping="2"/>
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>"""
BALL = """<body name="b"><joint name="q" type="ball" stiffness="30"/>
  <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>"""
MEASURED = """<?xml version="1.0"?><sdf version="1.9"><model name="m"><link name="a"/>
  <link name="b"><pose>0 0 1 0 0 0</pose></link><link name="c"><pose>0 0 2 0 0 0</pose></link>
  <joint name="q" type="ball"><parent>a</parent><child>b</child><sensor name="ft" type="force_torque">
    <force_torque><frame>child</frame></force_torque></sensor></joint>
  <joint name="u" type="universal"><parent>b</parent><child>c</child>
    <axis><xyz>1 0 0</xyz><dynamics><spring_stiffness>3</spring_stiffness></dynamics></axis>
    <axis2><xyz>0 1 0</xyz><dynamics><spring_stiffness>4</spring_stiffness></dynamics></axis2>
    <sensor name="seen" type="force_torque"><force_torque><frame>parent</frame></force_torque></sensor></joint>
  </model></sdf>"""


def springs(urdf: Path) -> dict[str, float]:
    """Return joint -> the stiffness in its block; each block must reference an existing link or joint."""
    root = etree.parse(urdf).getroot()
    there = {each.get("name") for tag in ("link", "joint") for each in root.findall(tag)}
    blocks = root.findall("gazebo")
    assert {each.get("reference") for each in blocks} <= there
    found = [each for each in blocks if each.find("springStiffness") is not None]
    return {each.get("reference"): float(each.findtext("springStiffness")) for each in found}


def in_gazebo(urdf: Path) -> dict[str, float]:
    """Return joint -> stiffness as libsdformat reads it from the URDF; it omits links below 1e-6 kg."""
    heavier = urdf.with_name("heavier.urdf")
    heavier.write_text(urdf.read_text().replace('"1e-14"', '"1"').replace('"2e-15"', '"1"'))
    joints = etree.fromstring(sdformat_expands(heavier)["document"]).iter("joint")
    found = {each.get("name"): each.findtext("axis/dynamics/spring_stiffness") for each in joints}
    return {name: float(text) for name, text in found.items() if text is not None}


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [(SPLIT, {"x": 30.0, "y": 5.0}), (BALL, {"q_RX": 30.0, "q_RY": 30.0, "q_RZ": 30.0})],
    ids=["two", "ball"],
)
def test_each_joint_of_a_chain_has_its_spring(tmp_path: Path, bodies: str, expected: dict[str, float]) -> None:
    source = written(tmp_path, bodies)
    complete(convert(source, tmp_path / "m.urdf"))
    assert springs(tmp_path / "m.urdf") == in_gazebo(tmp_path / "m.urdf") == expected
    complete(convert(tmp_path / "m.urdf", tmp_path / "back.xml"))
    assert read(tmp_path / "back.xml") == read(source)
    assert compiled(tmp_path / "back.xml") == compiled(source)


def test_what_joints_of_a_chain_lack_is_told(tmp_path: Path) -> None:
    report = complete(convert(written(tmp_path, SPLIT), tmp_path / "m.urdf"))
    told = {(each.where, each.before, each.action) for each in of_rule(report, "urdf/joint-dynamics")}
    armatures = [(f"joint/joint_b.dofs.{index}.armature", value) for index, value in enumerate(("0.7", "0.4"))]
    assert told == {(*each, Action.CARRIED) for each in armatures}


def test_each_joint_of_a_chain_has_its_rotor_in_sdf(tmp_path: Path) -> None:
    report = complete(convert(written(tmp_path, SPLIT), tmp_path / "m.sdf"))
    assert not of_rule(report, "sdf/armature")
    rotors = etree.parse(tmp_path / "m.sdf").iter("{http://drake.mit.edu}rotor_inertia")
    found = {joint.get("name"): each.text for each in rotors if (joint := each.getparent()) is not None}
    assert sorted(found.values()) == ["0.4", "0.7"]
    complete(convert(tmp_path / "m.sdf", tmp_path / "back.xml"))
    assert compiled(tmp_path / "back.xml") == compiled(tmp_path / "m.xml")


def test_a_hinge_that_is_moved_to_the_origin_of_its_link_tells_what_it_lacks(tmp_path: Path) -> None:
    hinge = SPLIT.replace('type="slide" axis="1 0 0"', 'pos="0 .1 0"').partition('<joint name="y"')
    source = written(tmp_path, hinge[0] + hinge[2].partition("/>")[2])
    report = complete(convert(source, tmp_path / "m.urdf"))
    assert [each.before for each in of_rule(report, "urdf/joint-dynamics")] == ["0.7"]
    assert springs(tmp_path / "m.urdf") == {"x": 30.0}
    assert read(tmp_path / "m.urdf") == read(source)


@pytest.mark.parametrize("bodies", [SPLIT, BALL], ids=["two", "ball"])
def test_an_edited_spring_of_a_chain_is_one_that_acts(tmp_path: Path, bodies: str) -> None:
    convert(written(tmp_path, bodies), tmp_path / "m.urdf")
    tree = etree.parse(tmp_path / "m.urdf")
    first, *others = expected = springs(tmp_path / "m.urdf")
    tree.xpath(f"//gazebo[@reference='{first}']/springStiffness")[0].text = "7"
    tree.write(tmp_path / "m.urdf")
    convert(tmp_path / "m.urdf", tmp_path / "back.xml")
    assert {name: stiffness for name, (stiffness, _) in compiled(tmp_path / "back.xml").items()} == {
        first: 7.0,
        **{name: expected[name] for name in others},
    }


def test_sensors_and_springs_of_joints_that_a_urdf_splits(tmp_path: Path) -> None:
    source = saved(tmp_path / "m.sdf", MEASURED)
    complete(convert(source, tmp_path / "m.urdf"))
    assert springs(tmp_path / "m.urdf") == {"u": 3.0, "u_axis2": 4.0}
    root = etree.parse(tmp_path / "m.urdf").getroot()
    held = {each.getparent().get("reference"): each.get("name") for each in root.findall("gazebo/sensor")}
    assert held == {"q_RZ": "ft"}
    complete(convert(tmp_path / "m.urdf", tmp_path / "back.sdf"))
    assert read(tmp_path / "back.sdf") == read(source)


def test_what_libsdformat_leaves_out_of_a_urdf_is_told(tmp_path: Path) -> None:
    below = BALL.replace('"b"', '"c"').replace('"q"', '"r"').replace('type="ball"', 'pos="0 .1 0"')
    source = written(tmp_path, f"{SPLIT.removesuffix('</body>')}{below}</body>")
    report = complete(convert(source, tmp_path / "m.urdf"))
    told = of_rule(report, "urdf/chain-link")
    assert {(each.where, each.action) for each in told} == {(f"body/{name}_link", Action.DERIVED) for name in "xr"}
    assert {"less than 1e-6 kg" in each.reason for each in told} == {True}
    text = (tmp_path / "m.urdf").read_text()
    for mass, left in (("1e-14", {"world"}), ("9e-7", {"world"}), ("2e-6", {"world", "x_link", "b", "r_link"})):
        (tmp_path / "other.urdf").write_text(text.replace('"1e-14"', f'"{mass}"').replace('"2e-15"', '"1e-6"'))
        assert {"world", *sdformat_reads(tmp_path / "other.urdf")["links"]} == left
    convert(source, tmp_path / "m.sdf")
    assert {"b", "c", "x_link"} <= sdformat_reads(tmp_path / "m.sdf")["links"].keys()


def test_a_damping_ratio_of_a_servo_is_the_damping_that_the_compiler_gives_it(tmp_path: Path) -> None:
    """Gazebo gets it in terms of the joint; the armature of an actuator counts."""
    servos = """<actuator><position name="p" joint="s" kp="5" gear="-2" dampratio="1.2" timeconst=".1"/>
      <position name="q" joint="h" kp="7" dampratio=".5" armature=".3"/>
      <position name="r" joint="tail" dampratio="1"/>
      <position name="t" joint="plain" kp="4" dampratio="0"/></actuator>"""
    source = written(tmp_path, DAMPED.replace('springdamper=".3 .8"', ""), more=servos)
    model = mujoco_model(source)
    names = [model.actuator(number).name for number in range(model.nu)]
    gears = model.actuator_gear[:, 0]
    wanted = {name: -model.actuator_biasprm[k, 2] * gears[k] ** 2 for k, name in enumerate(names)}
    assert wanted["p"] > 1 < wanted["q"] and not wanted["t"]
    complete(convert(source, tmp_path / "m.sdf"))
    plugins = list(etree.parse(tmp_path / "m.sdf").iter("plugin"))
    assert [float(each.findtext("d_gain", "")) for each in plugins] == pytest.approx(list(wanted.values()), rel=1e-9)
    for name in ("m.sdf", "m.urdf", "m.glb"):
        complete(convert(source, tmp_path / name))
        convert(tmp_path / name, tmp_path / "back.xml")
        assert read(tmp_path / "back.xml") == read(source)


def test_what_three_hinges_lack_of_a_ball_is_told(tmp_path: Path) -> None:
    ball = '<joint name="ball" type="ball" {} damping=".3" armature=".2" stiffness="3"/>'
    for pos in ("", 'pos=".1 0 0"'):
        source = written(tmp_path, f'<body name="a">{ball.format(pos)}{BOX}</body>')
        report = complete(convert(source, tmp_path / "m.urdf"))
        lost = [each for each in report.findings if each.aspect == "joint.armature"]
        assert lost and {each.before for each in lost} == {"0.2"}
        assert all("only near zero" in each.reason for each in of_rule(report, "joints/compound"))


def test_what_a_compiler_computes_and_a_target_lacks_is_told(tmp_path: Path) -> None:
    inner = f'<body name="b"><joint name="ball" type="ball" springdamper=".1 1"/>{BOX}</body>'
    more = '<actuator><general joint="j" gear="3" armature="2" biastype="affine" biasprm="1 2 3"/></actuator>'
    source = written(tmp_path, f'<body name="a"><joint name="j"/>{BOX}{inner}</body>', more=more)
    assert mujoco_model(source).joint("ball").stiffness[0] > 0
    report = complete(convert(source, tmp_path / "m.sdf"))
    assert [each.where for each in of_rule(report, "sdf/joint-dynamics")] == ["joint/ball.dofs.0.stiffness"]
    report = complete(convert(source, tmp_path / "m.urdf"))  # a drive that is no motor or servo has no transmission
    (lost,) = [each for each in of_rule(report, "urdf/joint-dynamics") if each.aspect == "joint.armature"]
    assert (lost.where, lost.before) == ("joint/j.dofs.0.armature", "18")
