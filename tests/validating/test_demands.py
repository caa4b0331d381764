"""Requirements of MuJoCo and libsdformat beyond keywords and numbers: reported if and only if they refuse a model."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from lxml import etree

from converters.context import InputError
from converters.convert import convert
from converters.validating import validate
from converters.validating.rules import ERROR, NONE, SAFE
from converters.validating.run import fix, severity
from tests.files import saved
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule
from tests.validating.by_mujoco import errors, refused, taken

JOINT = '<joint name="j"/>'
GEOM = '<geom size=".1"/>'
SITE = '<site name="s"/><site name="t" pos="0 0 1"/>'


def world(*inside: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{''.join(inside)}</worldbody>{after}</mujoco>"


def body(*inside: str, before: str = "", after: str = "") -> str:
    return world(f'<body name="b">{"".join(inside)}</body>', before=before, after=after)


def acted(actuator: str, joint: str = JOINT) -> str:
    return body(joint, GEOM, SITE, after=f"<actuator>{actuator}</actuator>")


def tied(equality: str) -> str:
    return body(JOINT, GEOM, SITE, after=f"<equality>{equality}</equality>")


def pulled(tendon: str) -> str:
    return body(JOINT, GEOM, SITE, before="<asset><material name='m'/></asset>", after=f"<tendon>{tendon}</tendon>")


def shaped(geom: str, before: str = "") -> str:
    return body(JOINT, f"<geom {geom}/>", before=before)


def made(texture: str) -> str:
    return world(GEOM, before=f'<asset><texture name="t" builtin="flat" {texture}/></asset>')


def usual(element: str) -> str:
    return f"<default>{element}</default>"


INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
WIRE = '<{} {}><site site="s"/><site site="t"/></{}>'


def measured(sensor: str) -> str:
    inside = '<joint name="j"/><geom name="g" size="1"/><site name="s"/>'
    return f'<mujoco><worldbody><body name="b">{inside}</body></worldbody><sensor>{sensor}</sensor></mujoco>'


REFUSED = [
    ("LIMIT-ORDER", body('<joint limited="true"/>', GEOM)),
    ("LIMIT-ORDER", body('<joint type="slide" limited="true" range="1 1"/>', GEOM)),
    ("LIMIT-ORDER", body("<joint/>", GEOM, before=usual('<joint limited="true" range="2 1"/>'))),
    ("LIMIT-ORDER", body('<joint actuatorfrclimited="true"/>', GEOM)),
    ("LIMIT-ORDER", body('<joint type="ball" range="-40 20"/>', GEOM)),
    ("LIMIT-ORDER", body('<joint type="ball"/>', GEOM, before=usual('<joint range="-40 20"/>'))),
    ("LIMIT-ORDER", acted('<motor joint="j" ctrllimited="true"/>')),
    ("LIMIT-ORDER", acted('<position joint="j" forcelimited="true"/>')),
    ("LIMIT-ORDER", acted('<general joint="j" dyntype="integrator" actlimited="true"/>')),
    ("LIMIT-ORDER", pulled('<fixed limited="true"><joint joint="j" coef="1"/></fixed>')),
    ("LIMIT-ORDER", pulled('<fixed actuatorfrclimited="true"><joint joint="j" coef="1"/></fixed>')),
    ("XML-REQUIRED", acted('<motor name="m"/>')),
    ("XML-REQUIRED", acted('<adhesion ctrlrange="0 1"/>')),
    ("XML-REQUIRED", pulled('<fixed><joint joint="j"/></fixed>')),
    ("XML-REQUIRED", tied('<connect body1="b"/>')),
    ("GEOM-DIM", shaped('type="capsule" size=".1"')),
    ("GEOM-DIM", shaped('type="box" size=".1 .1"')),
    ("GEOM-DIM", shaped('type="ellipsoid"')),
    ("GEOM-DIM", world('<geom type="plane" size="1"/>')),
    ("GEOM-DIM", shaped('type="capsule" size="-1 1"')),
    ("GEOM-DIM", shaped('type="sphere" size="-0"')),
    ("GEOM-DIM", shaped('type="cylinder" size="1 0"')),
    ("GEOM-DIM", shaped('type="ellipsoid" size="1 1"', usual('<geom size="1 1 0"/>'))),
    ("GEOM-DIM", shaped('type="capsule" fromto="0 0 0 0 0 1" size="0"')),
    ("GEOM-DIM", world('<geom type="plane" size="1 1 0"/>')),
    ("GEOM-DIM", world(GEOM, '<site size="0"/>')),
    ("GEOM-DIM", world(GEOM, "<site/>", before=usual('<site type="box" size="1 1 -1"/>'))),
    ("NUM-RANGE", made('type="2d" width="8" height="9007199254740993"')),
    ("NUM-RANGE", shaped('size="1" contype="2147483648"')),
    ("NUM-RANGE", shaped('size="1" priority="-2147483649"')),
    ("NUM-RANGE", world(GEOM, before='<option iterations="99999999999999999999999"/>')),
    ("XML-REQUIRED", made('type="2d" height="8"')),
    ("XML-REQUIRED", made('type="2d" width="8"')),
    ("XML-REQUIRED", made('type="cube" height="8"')),
    ("XML-ONE-OF", shaped('type="capsule" pos="0 0 1" fromto="0 0 0 0 0 1" size=".1"')),
    ("XML-ONE-OF", shaped('type="box" fromto="0 0 0 0 0 1" size=".1"', usual('<geom pos="0 0 1"/>'))),
    ("XML-ONE-OF", world(GEOM, '<site type="capsule" pos="0 0 1" fromto="0 0 0 0 0 1" size=".1"/>')),
    ("XML-ONE-OF", world(GEOM, '<camera fovy="1" sensorsize="1 1"/>')),
    ("XML-REQUIRED", world(GEOM, '<camera sensorsize="1 0" focal="1 1"/>')),
    ("MJCF-INVALID", world(GEOM, '<camera sensorsize="1 1" resolution="0 9" focalpixel="3 3"/>')),
    ("XML-ONE-OF", world(GEOM, '<body name="b"><geom size="1"/></body><attach body="b" frame="f" prefix="p"/>')),
    ("XML-ONE-OF", acted('<position joint="j" kv="1" dampratio="1"/>')),
    ("XML-ONE-OF", world(GEOM, before='<size memory="1M" njmax="9"/>')),
    ("XML-REQUIRED", world(GEOM, '<camera focal="1 1"/>')),
    ("XML-REQUIRED", world(GEOM, "<camera/>", before=usual('<camera principal="0 1"/>'))),
    ("NUM-COUNT", world(GEOM, '<site rgba="1 2"/>')),
    ("NUM-COUNT", body('<joint stiffness="1 2 3 4 5 6 7 8 9"/>', GEOM)),
    ("REF-MISSING", world(GEOM, '<site material="no"/>')),
    ("REF-MISSING", world(GEOM, "<site/>", before=usual('<site material="no"/>'))),
    ("REF-MISSING", pulled(WIRE.format("spatial", 'material="no"', "spatial"))),
    ("REF-MISSING", world(GEOM, '<light mode="targetbody" target="no"/>')),
    ("REF-MISSING", world(GEOM, '<camera target="no"/>')),
    ("REF-MISSING", measured('<gyro site="no"/>')),
    ("REF-MISSING", measured('<jointpos joint="b"/>')),
    ("REF-MISSING", measured('<tendonpos tendon="no"/>')),
    ("REF-MISSING", measured('<actuatorpos actuator="no"/>')),
    ("REF-MISSING", measured('<distance geom1="g" geom2="no"/>')),
    ("REF-MISSING", measured('<framepos objtype="site" objname="s" reftype="geom" refname="no"/>')),
    ("REF-MISSING", measured('<user objtype="joint" objname="no" dim="1"/>')),
    ("REF-MISSING", measured('<insidesite site="s" objtype="body" objname="no"/>')),
    ("MJCF-INVALID", shaped('fromto="0 0 0 0 0 1" size="1"')),
    ("MJCF-INVALID", world(GEOM, '<site fromto="0 0 0 0 0 1" size="1"/>')),
    ("MJCF-INVALID", shaped('size="1 1"', usual('<geom fromto="0 0 0 0 0 1"/>'))),
    ("MJCF-INVALID", world(GEOM, '<camera fovy="180"/>')),
    ("MJCF-INVALID", body('<joint type="free"/>', GEOM, before=usual('<joint springyield="1"/>'))),
    ("XML-REQUIRED", world('<geom type="hfield"/>')),
    ("XML-ONE-OF", body(JOINT, '<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="0 0 0"/>')),
    ("MJCF-INVALID", world(JOINT, GEOM)),
    ("MJCF-INVALID", world(f"<frame>{JOINT}</frame>", GEOM)),
    ("MJCF-INVALID", world("<freejoint/>", GEOM)),
    ("MJCF-INVALID", world(INERTIAL, GEOM)),
    ("MJCF-INVALID", body(JOINT, INERTIAL, INERTIAL)),
    ("MJCF-INVALID", body(JOINT, GEOM, before=usual("<geom/><geom/>"))),
    (
        "MJCF-INVALID",
        body(JOINT, GEOM, before=usual('<default class="a"><joint/><geom/><joint damping="1"/></default>')),
    ),
    ("MJCF-INVALID", body(GEOM, before='<visual><global fovy="30"/><map/><global azimuth="1"/></visual>')),
    ("MJCF-INVALID", body(GEOM, before="<option><flag/><flag/></option>")),
    ("MJCF-INVALID", world(GEOM, before='<statistic extent="-1"/>')),
    ("MJCF-INVALID", world(GEOM, before='<statistic extent="0"/>')),
]
TAKEN = [
    world(GEOM, '<camera focal="0 0"/>', '<camera sensorsize="1 1"/>'),
    world(GEOM, '<camera resolution="0 0"/>', '<camera sensorsize="1 0" resolution="-1 0"/>'),
    world(GEOM, '<camera sensorsize="1 1"/>', before=usual('<camera focal="1 1" fovy="30"/>')),
    body('<joint limited="true" range="0 1"/>', GEOM),
    body('<joint range="-1 1"/>', GEOM, before=usual('<joint limited="true"/>')),
    body('<joint type="ball" limited="true"/>', GEOM),
    body('<joint type="ball" range="0 30"/>', GEOM),
    body('<joint type="ball" limited="false" range="-40 20"/>', GEOM),
    body('<joint type="ball" range="20 10"/>', GEOM),
    body('<joint type="free" limited="true" range="-1 2"/>', GEOM),
    body("<freejoint/>", GEOM, before=usual('<joint range="-40 20" limited="true" springyield="1"/>')),
    shaped('type="box" size="1 1 1"', usual('<geom fromto="0 0 0 0 0 1"/>')),
    acted('<position joint="j" ctrllimited="true" inheritrange="1"/>', '<joint name="j" range="-1 1"/>'),
    acted('<motor name="m" site="s"/>'),
    acted('<motor joint="j"/>').replace(
        "<worldbody>", usual('<motor ctrllimited="true" ctrlrange="0 1"/>') + "<worldbody>"
    ),
    tied('<weld body1="b"/>'),
    tied('<connect body1="b" anchor="0 0 0"/>'),
    tied('<connect site1="s" site2="t"/>'),
    shaped('type="capsule" size=".1"', usual('<geom size=".1 .2"/>')),
    shaped('type="box" fromto="0 0 0 0 0 1" size=".1"'),
    shaped('type="capsule" fromto="0 0 0 0 0 1" size="1"', usual('<geom size="1 1"/>')),
    shaped('size="1" priority="-2147483648" contype="2147483647"'),
    world('<geom type="plane" size="0 0 1"/>', '<site size="1 0 0"/>'),
    shaped('type="ellipsoid" fromto="0 0 0 0 0 1" size=".1"'),
    shaped('type="capsule" quat="1 0 0 0" fromto="0 0 0 0 0 1" size=".1"'),
    shaped('type="box" mesh="m"', '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'),
    world(GEOM, '<site type="capsule" size=".1"/>', '<site size=".1"/>'),
    world(GEOM, before=usual('<site material="no"/>')),
    world(GEOM, '<light mode="targetbody" target="world"/>', '<camera mode="targetbody"/>'),
    measured('<jointpos joint="j"/><gyro site="s"/><subtreecom body="world"/>'),
    measured('<user objtype="joint" objname="j" dim="1"/><insidesite site="s" objtype="geom" objname="g"/>'),
    world(GEOM, '<site material="m"/>', before='<asset><material name="m"/></asset>'),
    pulled(WIRE.format("spatial", 'material="m"', "spatial")),
    made('type="skybox" width="8"'),
    body(JOINT, INERTIAL, f"<frame>{INERTIAL}</frame>"),
    body(JOINT, f"<frame>{INERTIAL}{INERTIAL}</frame>"),
    body(GEOM, before=f"<option><flag/></option><option><flag/></option>{usual('<geom/>')}{usual('<geom/>')}"),
    world(f"<frame><body>{JOINT}{GEOM}</body></frame>"),
    world(GEOM, before='<frame pos="0 0 1"/>'),
    world(GEOM, before='<body name="no"/>'),
]


@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_what_mujoco_refuses_is_told_by_validate_and_by_a_conversion(rule: str, text: str, tmp_path: Path) -> None:
    assert refused(text, tmp_path).count(rule) == 1


@pytest.mark.parametrize("equality", ['<connect site1="s" active="false"/>', "<weld/>"])
def test_what_stops_the_reader_is_told_once(equality: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must be specified"):
        mujoco.MjModel.from_xml_string(tied(equality))
    path = saved(tmp_path / "in.xml", tied(equality))
    assert errors(path).count("XML-REQUIRED") == len(errors(path)) == 1
    with pytest.raises(InputError):
        convert(path, tmp_path / "out.xml")


@pytest.mark.parametrize("text", TAKEN)
def test_what_mujoco_takes_is_no_error(text: str, tmp_path: Path) -> None:
    assert taken(text, tmp_path) == []


def test_what_an_include_brings_is_held_against_the_defaults_of_the_whole(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text("<mujocoinclude><geom type='capsule' size='.1'/></mujocoinclude>")
    path = tmp_path / "in.xml"
    for sizes, found in ((".1 .2", []), (".1", ["GEOM-DIM"])):
        path.write_text(body(JOINT, "<include file='part.xml'/>", before=usual(f'<geom size="{sizes}"/>')))
        assert errors(path) == found


# ------------------------------------------------------------------------------------------------------------ SDFormat

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
CAMERA = """<sensor name="c" type="camera"><camera><horizontal_fov>1</horizontal_fov><image><width>8</width>
<height>8</height></image><clip><near>.1</near><far>9</far></clip><noise><type>{}</type></noise></camera></sensor>"""
EMITTER = '<particle_emitter name="e" type="box">{}</particle_emitter>'
PAIR = '<link name="k"/><joint name="j" type="fixed"><parent>l</parent><child>k</child>'
TURNS = PAIR.replace("fixed", "revolute")
IN_MODEL = "<use_parent_model_frame>true</use_parent_model_frame>"
MESH = '<visual name="v"><geometry><mesh>{}</mesh></geometry></visual>'


ROUGH = f'<collision name="c">{BOX}<surface><friction>{{}}</friction></surface></collision>'
SEEING = '<sensor name="s" type="camera"><camera>{}</camera></sensor>'
META = '<visual name="u"><geometry><empty/></geometry><meta><layer>{}</layer></meta></visual>'
PLANE = "<geometry><plane><size>{}</size></plane></geometry>"
SOUND = '<sensor name="s" type="air_pressure"><air_pressure><pressure><noise{}/></pressure></air_pressure></sensor>'


NAMED = (
    f'<visual name="%s">{BOX}</visual>',
    f'<collision name="%s">{BOX}</collision>',
    '<sensor name="%s" type="imu"/>',
    '<light name="%s" type="point"/>',
)


def within(inside: str) -> str:
    return f'<sdf version="1.9"><world name="w">{inside}</world></sdf>'


def linked(inside: str, beside: str = "", version: str = "1.9") -> str:
    return f'<sdf version="{version}"><model name="m"><link name="l">{inside}</link>{beside}</model></sdf>'


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("SDF-ATTRIBUTE-MISSING", linked(f"<collision>{BOX}</collision>")),
        ("SDF-ATTRIBUTE-MISSING", linked(f"<collision>{BOX}</collision>", version="1.4")),
        ("SDF-ATTRIBUTE-MISSING", linked(f"<visual>{BOX}</visual>")),
        ("SDF-ATTRIBUTE-MISSING", linked(f'<visual name="">{BOX}</visual>')),
        ("SDF-ATTRIBUTE-MISSING", linked('<sensor type="imu"/>')),
        ("SDF-ATTRIBUTE-MISSING", linked('<light type="point"/>')),
        ("SDF-ATTRIBUTE-MISSING", linked('<light name="a"/>')),
        ("SDF-ATTRIBUTE-MISSING", linked('<particle_emitter name="a"/>')),
        ("SDF-ATTRIBUTE-MISSING", linked("<projector/>")),
        ("SDF-ATTRIBUTE-MISSING", linked("", "<gripper/>")),
        ("SDF-ATTRIBUTE-MISSING", linked("", '<plugin name="p"/>')),
        ("SDF-ATTRIBUTE-MISSING", linked('<sensor name="s" type="imu"><plugin name="p" filename=""/></sensor>')),
        ("SDF-ATTRIBUTE-MISSING", '<sdf version="1.9"><world name="w"><gui><plugin name="p"/></gui></world></sdf>'),
        ("SDF-ATTRIBUTE-MISSING", '<sdf version="1.9"><world name="w"><actor/></world></sdf>'),
        ("SDF-ELEMENT-INVALID", linked(MESH.format("<uri>a.stl</uri><uri/>"))),
        ("SDF-ELEMENT-INVALID", linked(CAMERA.format("x"))),
        ("SDF-ELEMENT-INVALID", linked("", "<allow_auto_disable>maybe</allow_auto_disable>")),
        ("SDF-ELEMENT-INVALID", linked(f'<collision name="c">{BOX}<max_contacts>x</max_contacts></collision>')),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<rate>q</rate>"))),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<rate>1e400</rate>"))),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<color_end>1 0 2</color_end>"))),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<particle_size>1 2</particle_size>"))),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<pose>1 2 3</pose>"))),
        ("SDF-ELEMENT-INVALID", linked('<battery name="b"><voltage/></battery>')),
        ("SDF-ELEMENT-INVALID", linked("", f"{PAIR}<axis><xyz>0 0</xyz></axis></joint>")),
        ("SDF-ELEMENT-INVALID", linked("", f"{TURNS}<axis><limit><lower>-1e400</lower></limit></axis></joint>")),
        ("SDF-ELEMENT-INVALID", linked(ROUGH.format("<torsional><coefficient>-1</coefficient></torsional>"))),
        ("SDF-ELEMENT-INVALID", linked(ROUGH.format("<bullet><friction>-0.5</friction></bullet>"))),
        ("SDF-ELEMENT-INVALID", linked(ROUGH.format("<ode><mu2>-1</mu2></ode>"), version="1.4")),
        ("SDF-ELEMENT-INVALID", linked(EMITTER.format("<rate>-inf</rate>"))),
        ("SDF-ELEMENT-INVALID", linked(SEEING.format("<clip><near>1</near><far>.05</far></clip>"))),
        ("SDF-ELEMENT-INVALID", linked(SEEING.format("<horizontal_fov>7</horizontal_fov>"))),
        ("SDF-ELEMENT-INVALID", linked(SEEING.format("<lens><env_texture_size>3</env_texture_size></lens>"))),
        ("SDF-ELEMENT-INVALID", linked(SEEING.format('<save enabled="yes"><path>p</path></save>'))),
        ("SDF-ELEMENT-INVALID", linked(META.format("5000000000"))),
        ("SDF-ELEMENT-INVALID", linked(META.format("\u0663"))),
        ("SDF-ATTRIBUTE-MISSING", linked("<include/>")),
        ("SDF-ATTRIBUTE-MISSING", linked("<inertial><include><name>i</name></include></inertial>")),
        ("SDF-ATTRIBUTE-MISSING", linked("", "<gripper name='g'><include/></gripper>")),
        ("SDF-ATTRIBUTE-MISSING", within("<scene><include/></scene>")),
        ("SDF-ELEMENT-INVALID", within("<state world_name='w'><real_time>x</real_time></state>")),
        ("SDF-ELEMENT-INVALID", within("<scene><sky><clouds><humidity>1.5x</humidity></clouds></sky></scene>")),
        ("SDF-ELEMENT-INVALID", within("<gui fullscreen='yes'/>")),
        ("SDF-ATTRIBUTE-MISSING", within("<atmosphere/>")),
        ("SDF-ATTRIBUTE-MISSING", within("<physics/>")),
        ("SDF-ATTRIBUTE-MISSING", within("<gui><camera/></gui>")),
        ("SDF-ATTRIBUTE-MISSING", linked(SOUND.format(""))),
        ("SDF-ELEMENT-INVALID", linked("", f"{TURNS}<axis/></joint>", version="1.4")),
        ("SDF-ELEMENT-INVALID", linked("", f"{TURNS}<axis>{IN_MODEL}</axis></joint>", version="1.6")),
        *(
            ("SDF-RESERVED-NAME", linked(text % name, version=version))
            for version in ("1.6", "1.9")
            for name in ("__x__", "world")
            for text in NAMED
        ),
        *(("SDF-RESERVED-NAME", linked(text % "a::b")) for text in (*NAMED, '<battery name="%s"/>')),
        ("SDF-RESERVED-NAME", linked("", '<frame name="a::b"/>')),
        ("SDF-RESERVED-NAME", linked("", '<frame name="__x__"/>', version="1.6")),
        ("SDF-RESERVED-NAME", within('<physics name="world" type="ode"/>')),
    ],
)
def test_what_libsdformat_refuses_is_an_error(rule: str, text: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "in.sdf", text)
    assert sdformat_reads(path)["errors"]
    found = [
        breach for breach in validate(path).breaches if severity(breach) == ERROR and breach.rule != "MESH-MISSING"
    ]
    assert [breach.rule for breach in found] == [rule]
    assert found[0].source is not None


@pytest.mark.parametrize(
    "text",
    [
        linked(f'<collision name="c">{BOX}</collision><light name="a" type="point"/>'),
        linked("", '<plugin name="p" filename="f"><visual/><plugin/></plugin>'),
        linked("", "<mine><visual/><plugin/></mine>"),
        linked("", '<a:mine xmlns:a="urn:a"><visual/></a:mine>'),
        linked(
            f'<collision name="c">{BOX}</collision><sensor name="s" type="contact"><contact><collision>c</collision>'
            "</contact></sensor>"
        ),
        linked(CAMERA.format("gaussian")),
        linked(CAMERA.format("none")),
        linked("", "<allow_auto_disable/><enable_wind>TRUE</enable_wind>"),
        linked(EMITTER.format("<rate>1 or 2</rate><duration>inf</duration><color_end>1 0 .5</color_end>")),
        linked(EMITTER.format("<particle_size>1 2 3 4</particle_size><pose>1 2 3 0 0 0</pose>")),
        linked("", f"{TURNS}<axis><limit><lower>-inf</lower><upper>1e300</upper></limit></axis></joint>"),
        linked(ROUGH.format("<torsional><coefficient>0</coefficient></torsional><ode><mu>1e9</mu></ode>")),
        linked(SEEING.format("<noise><type>gaussian</type><stddev>-1</stddev></noise>")),
        linked(SEEING.format("<clip><near>0</near><far>.1</far></clip><horizontal_fov>6.283186</horizontal_fov>")),
        linked(f"<visual name='v'>{PLANE.format('-1 -1')}</visual>" + META.format("-2147483648")),
        within("<state world_name='w'><real_time>-1 5.5 x</real_time></state>"),
        linked(SOUND.format(' type="none"')),
        linked("", f"{TURNS}<axis/></joint>", version="1.5"),
        linked("<mine><include/></mine>", '<plugin name="p" filename="f"><include/></plugin>'),
        linked("", '<plugin name="a::b" filename="f"/><plugin name="__x__" filename="f"/>'),
        linked('<battery name="__x__"/><visual name="a:b"><geometry><empty/></geometry></visual>'),
        linked(NAMED[0] % "a::b", version="1.7"),
        linked("", f"{TURNS}<axis/></joint>"),
    ],
)
def test_what_libsdformat_takes_is_no_error(text: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "in.sdf", text)
    assert sdformat_reads(path)["errors"] == []
    assert errors(path) == []


def elements(path: Path) -> str:
    return etree.canonicalize(path.read_text(), strip_text=True)


REFUSED = (
    ("sdf/attribute-missing", "<visual>", linked(f"<visual>{BOX}</visual>")),
    ("sdf/attribute-missing", "<light name='a'>", linked('<light name="a"/>')),
    ("sdf/element-invalid", "<type>", linked(CAMERA.format("x"))),
)


@pytest.mark.parametrize(("rule", "said", "text"), REFUSED)
def test_a_conversion_says_what_libsdformat_refuses(rule: str, said: str, text: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "in.sdf", text)
    report = explained(convert(path, tmp_path / "out.sdf"))
    assert sdformat_reads(tmp_path / "out.sdf")["errors"]
    assert elements(path) == elements(tmp_path / "out.sdf")
    (told,) = of_rule(report, rule)
    assert told.before == said and "libsdformat 12 refuses the file" in told.reason
    assert told.sources
    convert(path, tmp_path / "out.xml")
    convert(tmp_path / "out.xml", tmp_path / "back.sdf")
    assert elements(path) == elements(tmp_path / "back.sdf")


def test_what_an_include_brings_is_told_with_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(linked(f"<visual>{BOX}</visual>"))
    path = tmp_path / "in.sdf"
    path.write_text('<sdf version="1.9"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>')
    report = convert(path, tmp_path / "out.sdf")
    (told,) = of_rule(report, "sdf/attribute-missing")
    assert [Path(place.file).name for place in told.sources] == ["part.sdf"]


@pytest.mark.parametrize("file", ["", ' filename="f.so"'])
def test_a_plugin_of_a_urdf_without_a_file_is_told_and_not_written_in_sdf(file: str, tmp_path: Path) -> None:
    path = tmp_path / "in.urdf"
    path.write_text(f'<robot name="r"><link name="l"/><gazebo><plugin name="p"{file}/></gazebo></robot>')
    report = convert(path, tmp_path / "out.sdf")
    assert bool(of_rule(report, "sdf/block-refused")) == (not file)
    assert not sdformat_reads(tmp_path / "out.sdf")["errors"]
    explained(report)
    convert(tmp_path / "out.sdf", tmp_path / "back.urdf")
    assert elements(path) == elements(tmp_path / "back.urdf")
    assert not of_rule(convert(path, tmp_path / "out.xml"), "sdf/attribute-missing")


def test_an_included_urdf_is_held_against_the_rules_of_urdf_and_not_repaired_from_outside(tmp_path: Path) -> None:
    joint = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'
    arm, world = tmp_path / "arm.urdf", tmp_path / "world.sdf"
    arm.write_text(f'<robot name="arm"><link name="a"/><link name="b"/>\n{joint}</robot>')
    world.write_text('<sdf version="1.9"><world name="w"><include><uri>arm.urdf</uri></include></world></sdf>')
    (alone,), (inside,) = (
        [each for each in validate(path).breaches if each.rule == "LIMIT-REQ"] for path in (arm, world)
    )
    assert alone.source is not None and inside.source is not None
    assert (inside.source.line, inside.source.path) == (alone.source.line, alone.source.path)
    assert (fix(alone), fix(inside), severity(inside)) == (SAFE, NONE, ERROR)
