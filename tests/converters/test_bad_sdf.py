"""Malicious SDF: exit code 2 and one line with the place, or a finding; nothing left behind, no traceback.

The command runs in its own process.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from tests.converters.test_bad_input import LIMIT, kinegraph, laughs, refused, spent
from tests.oracles.in_sdformat import sdformat_reads

LINK = '<link name="a"/>'


def sdf(body: str, version: str = "1.9") -> str:
    """Return a document with its content from line 2 on."""
    return f'<sdf version="{version}">\n{body}\n</sdf>\n'


def model(body: str, attrs: str = "") -> str:
    """Return a document with one model, its content from line 3 on."""
    return sdf(f'<model name="m"{attrs}>\n{body}\n</model>')


def geometry(body: str, kind: str = "visual") -> str:
    """Return a model with the content of <geometry> on line 4."""
    return model(f'<link name="a"><{kind} name="g"><geometry>\n{body}\n</geometry></{kind}></link>')


def joint(inner: str, kind: str = "revolute", ends: str = "<parent>a</parent><child>b</child>") -> str:
    """Return a model with the content of the joint on line 4."""
    return model(f'{LINK}<link name="b"/><joint name="j" type="{kind}">{ends}\n{inner}\n</joint>')


def hung(inner: str) -> str:
    """Return a model with content of a link on line 4."""
    return model(f'<link name="a">\n{inner}\n</link>')


def included(uri: str) -> str:
    return model(f"{LINK}\n<include><uri>{uri}</uri></include>")


def nested(depth: int) -> str:
    return sdf("".join(f'<model name="m{n}">\n' for n in range(depth)) + LINK + "</model>" * depth)


AUTO = (
    '<inertial auto="true">%s</inertial><collision name="c"><geometry><box><size>%s</size></box></geometry></collision>'
)
BITS = (
    '<collision name="c"><geometry><box/></geometry><surface><contact><collide_bitmask>%s</collide_bitmask></contact>'
)
MU = '<collision name="c"><geometry><box/></geometry><surface><friction><ode><mu>%s</mu></ode></friction></surface>'

CAMERA = '<sensor name="s" type="camera"><camera>%s</camera></sensor>'
ROTOR = "<drake:rotor_inertia>1</drake:rotor_inertia><drake:gear_ratio>1e308</drake:gear_ratio>"
SHINY = '<visual name="v"><geometry><box/></geometry><material><shininess>%s</shininess></material></visual>'
RING = '<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>'
ROUND = '<link name="a"><pose relative_to="b"/></link><link name="b"><pose relative_to="a"/></link>'

BALLS = """<sdf version="1.11"><model name="m">
<link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="j" type="ball"><parent>a</parent><child>b</child></joint>
<joint name="k" type="ball"><parent>a</parent><child>c</child></joint>

"""
FOLLOWER = """<joint name="l" type="revolute"><parent>a</parent><child>d</child>
<axis><mimic joint="j"/></axis></joint>"""
FAST = "".join(f"<{tag}>1e200</{tag}>" for tag in ("multiplier", "offset", "reference"))
TOO_FAST = f"""<joint name="l" type="revolute"><parent>a</parent><child>d</child><axis/></joint>
<joint name="n" type="revolute"><parent>d</parent><child>e</child><axis><mimic joint="l">{FAST}</mimic></axis></joint>
<link name="e"/>"""
GEARBOX = """<joint name="l" type="gearbox"><parent>b</parent><child>c</child>
<gearbox_reference_body>a</gearbox_reference_body></joint>"""

SCRIPT = "<script><uri>__default__</uri><name>n</name></script>"
SCRIPT = f'<visual name="v"><geometry><sphere/></geometry><material>{SCRIPT}</material></visual>'
BAD: dict[str, tuple[str, int]] = {
    "models nested 10 000 deep": (nested(10_000), 259),
    "elements nested 100 000 deep": (model("<a>" * 100_000 + "</a>" * 100_000), 3),
    "elements nested without an end": (model("<a>\n" * 100_000), 0),
    "links nested 100 000 deep": (model('<link name="a">' * 100_000), 3),
    "entities that multiply": (laughs().decode(), 2),
    "an entity": ('<!DOCTYPE sdf [\n<!ENTITY e SYSTEM "file:///etc/passwd">\n]>\n<sdf version="1.9">&e;</sdf>', 2),
    "broken XML": (model("<link name='a'><visual></link>"), 3),
    "NUL": (model('<link name="a\0b"/>'), 3),
    "a file that is empty": ("", 1),
    "text": ("a robot, please", 1),
    "an unknown root": ('<?xml version="1.0"?>\n<QQQ/>\n', 2),
    "two links of one name": (model(f"{LINK}\n{LINK}"), 4),
    "two joints of one name": (joint("</joint><joint name='j' type='fixed'><parent>a</parent><child>b</child>"), 4),
    "two models of one name": (sdf('<world name="w">\n' + f'<model name="m">{LINK}</model>\n' * 2 + "</world>"), 4),
    "a link without a name": (model("<link/>"), 3),
    "a model without a name": (sdf(f"<model>{LINK}</model>"), 2),
    "a link named world": (model('<link name="world"/>'), 3),
    "a reserved name": (model('<link name="__root__"/>'), 3),
    "a name with two colons": (model('<link name="a::b"/>'), 3),
    "a model without a link": (model(""), 2),
    "a truth that is none": (model(f"{LINK}\n<static>yes</static>"), 4),
    "a pose with NaN": (model(f"{LINK}\n<pose>0 nan 0 0 0 0</pose>"), 4),
    "a pose out of sight": (model(f"{LINK}\n<pose>1e308 0 0 0 0 0</pose>"), 4),
    "a mass of NaN": (hung("<inertial><mass>nan</mass></inertial>"), 4),
    "an infinite mass": (hung("<inertial><mass>inf</mass></inertial>"), 4),
    "an infinite moment": (hung("<inertial><inertia><ixx>1e999</ixx></inertia></inertial>"), 4),
    "an infinite density": (hung(AUTO % ("<density>inf</density>", "1 1 1")), 4),
    "a volume that overflows": (hung(AUTO % ("", "1e200 1e200 1e200")), 4),
    "a size of NaN": (geometry("<box><size>1 1 nan</size></box>"), 4),
    "an infinite size": (geometry("<box><size>inf 1 1</size></box>"), 4),
    "an infinite radius": (geometry("<sphere><radius>inf</radius></sphere>"), 4),
    "an infinite plane": (geometry("<plane><size>inf inf</size></plane>"), 4),
    "a normal of zeros": (geometry("<plane><normal>0 0 0</normal></plane>"), 4),
    "an infinite height map": (geometry("<heightmap><uri>a.png</uri><size>1 inf 1</size></heightmap>"), 4),
    "a mesh scaled to infinity": (geometry("<mesh><uri>a.stl</uri><scale>1 1 inf</scale></mesh>"), 4),
    "an outline of NaN": (geometry("<polyline><point>0 nan</point></polyline>"), 4),
    "an infinite height": (geometry("<polyline><point>0 0</point><height>inf</height></polyline>"), 4),
    "a coefficient without bound": (hung(f"{MU % 'inf'}</collision>"), 4),
    "a mask of 5 000 digits": (hung(f"{BITS % ('9' * 5000)}</surface></collision>"), 4),
    "a number of 100 000 letters": (hung(f"<inertial><mass>{'z' * 100_000}</mass></inertial>"), 4),
    "an image of no pixel": (hung(CAMERA % "<image><width>0</width></image>"), 4),
    "a view of a negative angle": (hung(CAMERA % "<horizontal_fov>-1</horizontal_fov>"), 4),
    "an infinite rate": (hung('<sensor name="s" type="imu"><update_rate>inf</update_rate></sensor>'), 4),
    "an infinite light": (hung('<light name="l"><attenuation><range>inf</range></attenuation></light>'), 4),
    "a light of no type": (hung('<light name="l" type="QQQ"/>'), 4),
    "an infinite shininess": (hung(SHINY % "inf"), 4),
    "a limit of NaN": (joint("<axis><xyz>0 0 1</xyz><limit><lower>nan</lower></limit></axis>"), 4),
    "an infinite spring": (joint("<axis><dynamics><spring_stiffness>inf</spring_stiffness></dynamics></axis>"), 4),
    "an infinite pitch": (joint("<screw_thread_pitch>inf</screw_thread_pitch>", "screw"), 4),
    "a pitch that overflows": (joint("<thread_pitch>1e-320</thread_pitch>", "screw"), 4),
    "a joint that follows too fast": (BALLS + TOO_FAST + "</model></sdf>", 7),
    "a gear that overflows": (joint(ROTOR), 3),
    "infinite gravity": (sdf('<world name="w">\n<gravity>0 0 -inf</gravity></world>'), 3),
    "an infinite time step": (
        sdf('<world name="w">\n<physics><max_step_size>inf</max_step_size></physics></world>'),
        3,
    ),
}
"""What is wrong -> the file, and the line that the message must name (0: any)."""


@pytest.mark.parametrize("what", BAD)
def test_bad_sdf_is_refused_with_its_place(what: str, tmp_path: Path) -> None:
    text, line = BAD[what]
    (tmp_path / "robot.sdf").write_text(text)
    started = spent()
    message = refused(kinegraph("convert", "robot.sdf", "out.xml", cwd=tmp_path), tmp_path, ["robot.sdf"])
    assert spent() - started < LIMIT
    place = re.match(r"kinegraph: robot\.sdf:(\d+)(?::\d+)?: \S", message)
    assert place, message
    assert line in (0, int(place[1])), message


TOLD: dict[str, tuple[str, str, int]] = {
    "an include above": (included("../../etc/passwd"), "uri-lookup", 4),
    "an include with an absolute path": (included("/etc/passwd"), "uri-lookup", 4),
    "an include of a file": (included("file:///etc/passwd"), "uri-lookup", 4),
    "an include of the web": (included("http://QQQ.invalid/m"), "uri-lookup", 4),
    "an include of a model above": (included("model://../../etc/passwd"), "uri-lookup", 4),
    "an include of a device": (included("file:///dev/zero"), "uri-lookup", 4),
    "an include of the folder": (included("."), "uri-lookup", 4),
    "an include of nothing": (included(""), "attribute-missing", 4),
    "an include with a long name": (included("a" * 100_000), "uri-lookup", 4),
    "two actors of one name": (
        sdf('<world name="w"><actor name="p"/>\n<actor name="p"/></world>'),
        "duplicate-name",
        3,
    ),
    "a script without a file": (hung(SCRIPT), "element-invalid", 4),
    "a mesh without a file": (geometry("<mesh/>"), "element-missing", 4),
    "a joint of no type": (joint("", "QQQ"), "attribute-invalid", 3),
    "a joint without a parent": (joint("", "fixed", "<child>b</child>"), "element-missing", 3),
    "a joint to nowhere": (joint("", "fixed", "<parent>QQQ</parent><child>b</child>"), "joint-parent-link-invalid", 3),
    "a joint to itself": (joint("", "fixed", "<parent>b</parent><child>b</child>"), "joint-parent-same-as-child", 3),
    "a joint that holds the world": (
        joint("", ends="<parent>b</parent><child>world</child>"),
        "joint-child-link-invalid",
        3,
    ),
    "an axis of zeros": (joint("<axis><xyz>0 0 0</xyz></axis>"), "element-invalid", 3),
    "an axis too short": (joint("<axis><xyz>0 0 9e-7</xyz></axis>"), "element-invalid", 3),
    "a joint that follows itself": (
        joint('<axis><xyz>0 0 1</xyz><mimic joint="j"/></axis>'),
        "joint-axis-mimic-invalid",
        4,
    ),
    "a joint that follows a ball": (BALLS + FOLLOWER + "</model></sdf>", "joint-axis-mimic-invalid", 7),
    "a gearbox on balls": (BALLS + GEARBOX + "</model></sdf>", "gearbox", 6),
    "a frame in a circle": (model(f"{LINK}\n{RING}"), "frame-attached-to-cycle", 4),
    "poses in a circle": (model(ROUND), "pose-relative-to-cycle", 3),
    "a pose in no frame": (model('<link name="a"><pose relative_to="QQQ"/></link>'), "pose-relative-to-invalid", 3),
    "a canonical link that is none": (model(LINK, ' canonical_link="QQQ"'), "model-canonical-link-invalid", 2),
    "a placement frame that is none": (model(LINK, ' placement_frame="QQQ"'), "model-placement-frame-invalid", 2),
    "a sensor of no type": (hung('<sensor name="s" type="QQQ"/>'), "attribute-invalid", 4),
    "a body that cannot be": (hung("<inertial><mass>-1</mass></inertial>"), "link-inertia-invalid", 4),
    "a density below nothing": (hung(AUTO % ("<density>-1</density>", "1 1 1")), "link-inertia-invalid", 4),
    "one name for a link and a joint": (joint("").replace('name="j"', 'name="a"'), "duplicate-name", 3),
    "two models in a file": (
        sdf(f'<model name="m">{LINK}</model>\n<model name="n">{LINK}</model>'),
        "element-incorrect-type",
        3,
    ),
    "a version of 5 000 digits": (model(LINK).replace("1.9", f"{'1' * 5000}.0"), "file-read", 1),
    "no version": (f'<sdf>\n<model name="m">{LINK}</model></sdf>', "file-read", 1),
}
"""What is wrong -> the file, the rule of the finding, and its line."""


@pytest.mark.parametrize("what", TOLD)
def test_what_is_wrong_with_a_part_is_told(what: str, tmp_path: Path) -> None:
    text, rule, line = TOLD[what]
    (tmp_path / "robot.sdf").write_text(text)
    started = spent()
    result = kinegraph("convert", "robot.sdf", "out.sdf", cwd=tmp_path)
    assert spent() - started < LIMIT
    assert result.returncode == 0, result.stderr[-2000:]
    assert "Traceback" not in result.stderr
    assert f"sdf/{rule}" in result.stdout + result.stderr
    assert f"robot.sdf:{line}: " in result.stdout + result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.sdf", "robot.sdf"]


def test_a_placement_frame_needs_a_pose(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(model(LINK))
    (tmp_path / "robot.sdf").write_text(included("part.sdf</uri><placement_frame>a</placement_frame><uri>"))
    line = refused(kinegraph("convert", "robot.sdf", "out.xml", cwd=tmp_path), tmp_path, ["part.sdf", "robot.sdf"])
    assert re.match(r"kinegraph: robot\.sdf:4: .*MODEL_PLACEMENT_FRAME_INVALID", line), line


def test_placement_frames_that_hang_on_each_other_are_a_circle(tmp_path: Path) -> None:
    """libsdformat refuses such a document, because it can resolve neither frame."""
    for name, other in ("MN", "NM"):
        frame = f'<frame name="f{name}"><pose relative_to="_merged__{other}__model__"/></frame>'
        inner = f'<model name="{name}"><link name="l{name}"/>{frame}</model>'
        (tmp_path / f"{name}.sdf").write_text(sdf(inner))
    includes = "".join(
        f'<include merge="true"><uri>{name}.sdf</uri><pose>0 0 0 0 0 0</pose>'
        f"<placement_frame>f{name}</placement_frame></include>\n"
        for name in "MN"
    )
    (tmp_path / "robot.sdf").write_text(model(f"{LINK}\n{includes}"))
    assert sdformat_reads(tmp_path / "robot.sdf")["errors"]
    result = kinegraph("convert", "robot.sdf", "out.urdf", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("(POSE_RELATIVE_TO_CYCLE)") == 1


def test_a_chain_that_only_a_loop_holds_is_turned_round(tmp_path: Path) -> None:
    """Each of its joints once: from the loop at its end to the root, which has no parent."""
    links = "".join(f'<link name="{name}"/>\n' for name in "abcdef")
    ends = [("a", "f"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")]
    rows = "<joint name='{0}{1}' type='revolute'><parent>{0}</parent><child>{1}</child></joint>\n"
    (tmp_path / "robot.sdf").write_text(model(links + "".join(rows.format(*pair) for pair in ends)))
    result = kinegraph("convert", "robot.sdf", "out.urdf", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    joints = etree.parse(tmp_path / "out.urdf").getroot().findall("joint")
    found = {joint.find("child").get("link"): joint.find("parent").get("link") for joint in joints}
    assert found == {"f": "a", "e": "f", "d": "e", "c": "d", "b": "c"}


@pytest.mark.parametrize("where", ["world", "model", "link", "visual"])
def test_unknown_elements_cost_what_they_weigh(where: str, tmp_path: Path) -> None:
    """Each is put back in its place; searching from the start for each of them took minutes."""
    many = "<x/>\n" * 20_000
    shown = f'<visual name="v"><geometry><box/></geometry>{many if where == "visual" else ""}</visual>'
    part = f'<link name="a">{shown}{many if where == "link" else ""}</link>{many if where == "model" else ""}'
    world = f'<world name="w"><model name="m">{part}</model>{many if where == "world" else ""}</world>'
    (tmp_path / "robot.sdf").write_text(sdf(world))
    started = spent()
    result = kinegraph("convert", "robot.sdf", "out.sdf", cwd=tmp_path)
    assert spent() - started < 3 * LIMIT
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "out.sdf").read_text().count("<x/>") == 20_000
