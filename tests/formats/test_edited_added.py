"""What an edit adds to an output is adapted to the target, and what it is attached to stays."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree

from converters import convert
from converters.context import Options
from tests.formats.test_edited_parts import back
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf, check_urdf_3
from tests.reports import explained, of_rule, stale

FRAMES = """<sdf version="1.9"><model name="m">
<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<frame name="f" attached_to="a"><pose>0 0 0.3 0 0 0</pose></frame>
<frame name="tool0" attached_to="b"><pose>0 0 0.1 0 0 0</pose></frame></model></sdf>"""
SITE = """<mujoco><worldbody><body name="a"/><body name="b" pos="1 0 0"><joint name="j"/><geom size="0.1"/>
<site name="tool0" pos="0 0 0.1"/></body></worldbody></mujoco>"""
PART = """<link name="cam"><inertial><mass value="0.2"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="cj" type="fixed"><parent link="tool0"/><child link="cam"/></joint></robot>"""
HUNG = ("</robot>", PART)
MOVED = (r'(<joint name="f_joint".*?<parent link=)"a"', r'\1"tool0"')


def where(path: Path, body: str) -> list[float]:
    """Return the pose of a body in the world, by MuJoCo or libsdformat."""
    if path.suffix == ".sdf":
        found = sdformat_reads(path)
        assert found["errors"] == []
        places = {name.rpartition("::")[2]: frame["pose"] for name, frame in found["frames"].items()}
        places |= {name.rpartition("::")[2]: link["pose"] for name, link in found["links"].items()}
        return list(places[body][:3])
    _, data = drawn(path)
    return list(data.body(body).xpos)


@pytest.mark.parametrize(
    ("source", "edit", "body", "place"),
    [("s.sdf", HUNG, "cam", [1, 0, 0.1]), ("s.sdf", MOVED, "f", [1, 0, 0.4]), ("s.xml", HUNG, "cam", [1, 0, 0.1])],
)
@pytest.mark.parametrize("target", ["t.xml", "t.sdf", "t.urdf"])
def test_what_hangs_on_the_link_of_a_frame_is_where_it_hangs(
    source: str, edit: tuple[str, str], body: str, place: list[float], target: str, tmp_path: Path
) -> None:
    (tmp_path / source).write_text(FRAMES if source.endswith("sdf") else SITE)
    written, report = back(tmp_path, tmp_path / source, "w.urdf", [edit], target, Options(sites="links"))
    if target == "t.urdf":
        assert check_urdf(written) is None
        convert(written, written := tmp_path / "u.xml")
    np.testing.assert_allclose(where(written, body), place, atol=1e-9)
    assert min(stale(report)).split(".frames.")[0] in ("body/a", "body/b")


URDF = '<robot name="r"><link name="a"/></robot>'
MJCF = """<mujoco model="m"><worldbody>
<body name="a"><joint name="j"/><geom name="g" size="0.1"/></body></worldbody></mujoco>"""
SDF = """<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
HEAVY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


TURNS = {"revolute"}


def in_world(text: str) -> tuple[str, str]:
    return "</worldbody>", f"{text}</worldbody>"


def on_a(text: str) -> tuple[str, str]:
    """Return an edit that adds text to the body a, which is written last."""
    return r'(<body name="a"[^>]*?)/?>', rf"\1>{text}" + "</body>"


def in_robot(text: str) -> tuple[str, str]:
    return "</robot>", f"{text}</robot>"


def in_model(text: str) -> tuple[str, str]:
    return r"</model>", f"{text}</model>"


def joint(kind: str, name: str = "f") -> str:
    axis = '<axis xyz="1 0 0"/>' if kind == "continuous" else ""
    return f'<joint name="{name}" type="{kind}"><parent link="a"/><child link="c"/>{axis}</joint>'


@pytest.mark.parametrize(
    ("edit", "types", "shapes"),
    [
        (in_world('<geom type="plane" size="1 1 1"/>'), ["fixed"], {"box"}),
        (in_world('<body name="b"><freejoint/><geom size="0.1"/></body>'), ["fixed", "floating"], {"sphere"}),
        (in_world('<body name="b" mocap="true"><geom size="0.1"/></body>'), ["fixed", "fixed"], {"sphere"}),
        (in_world('<geom type="capsule" size="0.1 0.2"/>'), ["fixed"], {"cylinder", "sphere"}),
        (in_world('<geom type="ellipsoid" size="0.1 0.2 0.3"/>'), ["fixed"], {"mesh"}),
        (on_a('<body name="b"><joint type="ball"/><geom size="0.1"/></body>'), ["continuous"] * 3, {"sphere"}),
    ],
)
def test_what_is_added_in_mjcf_is_made_to_fit_the_urdf_it_came_from(
    edit: tuple[str, str], types: list[str], shapes: set[str], tmp_path: Path
) -> None:
    (tmp_path / "s.urdf").write_text(URDF)
    written, _ = back(tmp_path, tmp_path / "s.urdf", "w.xml", [edit], "back.urdf")
    assert check_urdf_3(written) is None
    root = etree.parse(written)
    assert sorted(root.xpath("//joint/@type")) == types
    assert {each.tag for each in root.xpath("//geometry/*")} == shapes


@pytest.mark.parametrize(
    ("through", "edit", "motions", "geoms"),
    [
        ("w.urdf", in_robot(f'<link name="c">{HEAVY}</link>' + joint("floating")), 7, 1),
        ("w.urdf", in_robot('<link name="c"/>' + joint("continuous")), 2, 1),
        (
            "w.sdf",
            in_model("<link name='c'/><joint name='f' type='screw'><parent>a</parent><child>c</child></joint>"),
            3,
            1,
        ),
        (
            "w.sdf",
            in_model(
                "<link name='c'><collision name='c'><geometry><polyline><point>0 0</point><point>1 0</point>"
                "<point>1 1</point><height>0.5</height></polyline></geometry></collision></link>"
            ),
            7,
            2,
        ),
        (
            "w.sdf",
            in_model(
                "<link name='c'><visual name='c'><geometry><plane><normal>0 0 1</normal><size>1 1</size></plane>"
                "</geometry></visual></link>"
            ),
            7,
            1,
        ),
    ],
)
def test_what_is_added_elsewhere_is_made_to_fit_the_mjcf_it_came_from(
    through: str, edit: tuple[str, str], motions: int, geoms: int, tmp_path: Path
) -> None:
    edit = (edit[0] if through == "w.urdf" else r"</model>(?!.*</model>.*</model>)", edit[1])
    written, _ = back(tmp_path, MJCF, through, [edit])
    model = mujoco_model(written)
    assert (model.nv, model.ngeom) == (motions, geoms)
    assert '<geom name="g" size="0.1"/>' in written.read_text()  # what nobody edited is as its author wrote it


def test_a_transmission_that_is_added_drives_its_joint(tmp_path: Path) -> None:
    drive = (
        '<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="j">'
        "<hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
        '<actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>'
    )
    written, _ = back(tmp_path, MJCF, "w.urdf", [in_robot(drive)])
    assert mujoco_model(written).actuator_gear[:, 0].tolist() == [50]


@pytest.mark.parametrize(
    ("through", "edit", "links", "kinds"),
    [
        (
            "w.urdf",
            in_robot(f'<link name="c">{HEAVY}</link>' + joint("floating")),
            6,
            {"prismatic", "ball", "revolute"},
        ),
        ("w.urdf", in_robot(f'<link name="c">{HEAVY}</link>' + joint("fixed", "c")), 3, {"fixed"} | TURNS),
        ("w.xml", in_world('<geom type="plane" size="1 1 1"/>'), 3, TURNS),
    ],
)
def test_what_is_added_elsewhere_is_made_to_fit_the_sdf_it_came_from(
    through: str, edit: tuple[str, str], links: int, kinds: set[str], tmp_path: Path
) -> None:
    (tmp_path / "s.sdf").write_text(SDF)
    written, _ = back(tmp_path, tmp_path / "s.sdf", through, [edit], "back.sdf")
    found = sdformat_reads(written)
    assert found["errors"] == []
    assert len(found["links"]) == links
    assert {each["type"] for each in found["joints"].values()} == kinds


def test_what_an_edit_added_is_known_after_another_conversion(tmp_path: Path) -> None:
    """MJCF to URDF, edited, to URDF again: the massless link is still known not to be the author's."""
    edit = in_robot('<link name="c"/>' + joint("continuous"))
    written, _ = back(tmp_path, MJCF, "w.urdf", [edit], "again.urdf")
    convert(written, tmp_path / "back.xml")
    assert mujoco_model(tmp_path / "back.xml").nv == 2


@pytest.mark.parametrize("far", ["far.sdf", "far.urdf", "far.gltf"])
def test_what_an_edit_changed_is_no_addition_after_another_conversion(far: str, tmp_path: Path) -> None:
    """A link with another mass still collides with its fixed parent, as in the author's MJCF."""
    geom = '<geom size="0.1"/>'
    body = f'<body name="a">{geom}<body name="b"><joint name="j"/>{geom}</body></body>'
    (tmp_path / "m.xml").write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    convert(tmp_path / "m.xml", tmp_path / "w.urdf")
    text = (tmp_path / "w.urdf").read_text()
    (tmp_path / "w.urdf").write_text(re.sub(r'(<link name="b">.*?mass value=)"[^"]*"', r'\1"7"', text, flags=re.DOTALL))
    convert(tmp_path / "w.urdf", tmp_path / far)
    convert(tmp_path / far, tmp_path / "back.xml")
    model = mujoco_model(tmp_path / "back.xml")
    assert model.body("b").mass[0] == 7
    assert model.nexclude == 0


WEIGHED = """<mujoco><compiler {}/><worldbody><body name="a"><joint name="j"/>
<geom name="g" type="box" size="0.1 0.1 0.1" density="5"/><body name="b"><joint name="k"/>
<geom name="h" type="box" size="0.1 0.1 0.1" density="15"/></body></body></worldbody></mujoco>"""


SOLID = f"""<link name="c">{HEAVY}<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="cj" type="continuous"><parent link="a"/><child link="c"/></joint></robot>"""


@pytest.mark.parametrize(
    ("compiler", "edit", "masses"),
    [
        ('inertiafromgeom="true"', (r'(<link name="a">.*?mass value=)"[^"]*"', r'\1"3"'), {"a": 3, "b": 0.12}),
        ('inertiafromgeom="true"', (r'(name="|link=")a"', r'\1arm"'), {"arm": 0.04, "b": 0.12}),
        ('inertiafromgeom="true"', (r"(<collision.*?)0.2 0.2 0.2", r"\1 1 1 1"), {"a": 0.04, "b": 0.12}),
        ('inertiafromgeom="true"', (r"</robot>", SOLID), {"a": 0.04, "b": 0.12, "c": 1}),
        ('settotalmass="8"', (r'(<link name="a">.*?mass value=)"[^"]*"', r'\1"3"'), {"a": 3, "b": 6}),
    ],
)
def test_a_mass_that_is_edited_counts_whatever_the_compiler_was_told(
    compiler: str, edit: tuple[str, str], masses: dict[str, float], tmp_path: Path
) -> None:
    written, report = back(tmp_path, WEIGHED.format(compiler), "w.urdf", [edit])
    model = mujoco_model(written)
    assert {model.body(index).name: model.body(index).mass[0] for index in range(1, model.nbody)} == pytest.approx(
        masses
    )
    assert bool(stale(report)) is ("arm" not in masses), "another name takes nothing away"
    assert (compiler not in written.read_text()) is ("arm" not in masses)
    assert check_urdf(tmp_path / "w.urdf") is None
    plain, report = back(tmp_path, WEIGHED.format(compiler), "v.urdf", [], "plain.xml")
    assert compiler in plain.read_text()
    assert stale(report) == set()


@pytest.mark.parametrize("target", ["t.urdf", "t.sdf"])
def test_a_link_that_is_added_weighs_what_it_says_whatever_the_compiler_was_told(target: str, tmp_path: Path) -> None:
    solid = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>'
    edit = in_robot(f'<link name="c">{HEAVY}'.replace('value="1"', 'value="2"') + solid + joint("continuous"))
    written, _ = back(tmp_path, WEIGHED.format('inertiafromgeom="true"'), "w.urdf", [edit], target)
    masses = etree.parse(written).xpath("//mass/@value | //mass/text()")
    assert sorted(map(float, masses)) == pytest.approx([0.04, 0.12, 2])
    if target == "t.sdf":
        assert sdformat_reads(written)["errors"] == []
    else:
        assert check_urdf_3(written) is None


FLOOR = """<mujoco model="m"><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="a" pos="0 0 1">
<freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_the_model_that_a_world_was_made_around_may_be_moved_renamed_and_filled(tmp_path: Path) -> None:
    frame = '<frame name="f"><pose>0 0 2 0 0 0</pose></frame>'
    edit = (r'<model name="m"([^>]*)>', rf'<model name="zz"\1><pose>1 2 3 0 0 0</pose>{frame}')
    written, report = back(tmp_path, FLOOR, "w.sdf", [edit])
    found = sdformat_reads(tmp_path / "w.sdf")
    assert found["links"]["zz::a"]["pose"][:3] == [1, 2, 4]
    assert found["frames"]["zz::f"]["pose"][:3] == [1, 2, 5]
    model = mujoco_model(written)
    assert model.names.startswith(b"zz\0")
    assert model.body("a").pos.tolist() == [1, 2, 4]
    assert model.site("f").bodyid == model.body("a").id
    assert model.site("f").pos.tolist() == [0, 0, 1]
    assert stale(report)
    plain, report = back(tmp_path, FLOOR, "v.sdf", [], "plain.xml")
    assert report.findings == ()
    assert mujoco_model(plain).nsite == 0


@pytest.mark.parametrize(
    ("through", "edit"),
    [
        ("w.sdf", (r'(<joint name="j" type="\w+">)', r"\1<pose>0.1 0 0 0 0 0</pose>")),
        ("w.xml", (r'(<joint name="j")', r'\1 pos="0.1 0 0"')),
    ],
)
@pytest.mark.parametrize(
    ("more", "name"),
    [
        ('<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>', "lower"),
        ('<axis xyz="0 0 1" rpy="0 0 0"/>', "rpy"),
    ],
)
def test_what_urdf_says_beside_stands_at_the_joint_of_the_chain(
    more: str, name: str, through: str, edit: tuple[str, str], tmp_path: Path
) -> None:
    between = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
    links = "".join(f'<link name="{each}">{HEAVY}</link>' for each in "ab")
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{links}{between}{more}</joint></robot>')
    written, report = back(tmp_path, tmp_path / "s.urdf", through, [edit], "back.urdf")
    assert check_urdf(written) is None
    assert etree.parse(written).xpath(f"//joint[@name='j']/*/@{name}")
    assert {finding.rule for finding in report.findings if "extras" in finding.where} == {"urdf/joint-split"}


@pytest.mark.parametrize(
    ("through", "edit"),
    [
        (
            "w.urdf",
            (
                r'type="continuous">(.*?)</joint>',
                r'type="revolute">\1<limit lower="-1" upper="1.1" effort="1" velocity="1"/></joint>',
            ),
        ),
        (
            "w.sdf",
            (r'type="continuous">(.*?<axis>)', r'type="revolute">\1<limit><lower>-1</lower><upper>1.1</upper></limit>'),
        ),
    ],
)
def test_a_joint_without_limits_may_be_given_some(through: str, edit: tuple[str, str], tmp_path: Path) -> None:
    free = MJCF.replace('name="j"', 'name="j" limited="false" armature="0.5"')
    written, report = back(tmp_path, free, through, [edit])
    model = mujoco_model(written)
    assert model.joint("j").limited[0]
    assert model.joint("j").range.tolist() == pytest.approx([-1, 1.1])
    assert model.dof_armature[0] == 0.5
    assert "mjcf/empty-range" not in {finding.rule for finding in report.findings}
    assert stale(report) == {"joint/a.dofs.0.parameters.limited"}
    plain, _ = back(tmp_path, free, f"v{through[1:]}", [], "plain.xml")
    assert 'limited="false"' in plain.read_text()


def test_what_is_said_beside_a_mimic_goes_with_it(tmp_path: Path) -> None:
    links = "".join(f'<link name="{each}">{HEAVY}</link>' for each in "abc")
    lead = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
    mimic = '<mimic joint="j" multiplier="2" note="x"/>'
    (tmp_path / "s.urdf").write_text(
        f'<robot name="r">{links}{lead}{joint("continuous").replace("</joint>", f"{mimic}</joint>")}</robot>'
    )
    edit = (r'(joint|joint name)="j"', r'\1="jj"')
    written, report = back(tmp_path, tmp_path / "s.urdf", "w.sdf", [edit], "back.urdf")
    assert check_urdf(written) is None
    (mimic,) = etree.parse(written).xpath("//mimic")
    assert (mimic.get("joint"), mimic.get("multiplier"), mimic.get("note")) == ("jj", "2", "x")
    assert stale(report) == set()
    plain, report = back(tmp_path, tmp_path / "s.urdf", "v.sdf", [], "plain.urdf")
    assert etree.parse(plain).xpath("//mimic/@note") == ["x"]
    for through, word in (("w.xml", r"<joint joint1[^>]*>"), ("u.sdf", r"(?s)<mimic .*?</mimic>|<drake:mimic[^>]*>")):
        written, report = back(tmp_path, tmp_path / "s.urdf", through, [(word, "")], f"{through}.urdf")
        assert check_urdf(written) is None
        assert "mimic" not in written.read_text()
        assert [where for where in stale(report) if "mimic" in where] == ["joint/c.extras.mimic[1]/@note"]


@pytest.mark.parametrize("target", ["xml", "sdf", "gltf"])
def test_a_mimic_that_has_no_meaning_comes_back(tmp_path: Path, target: str) -> None:
    """A joint of three axes does not follow another one; where it is split, its axes are carried as one."""
    links = "".join(f'<link name="{each}">{HEAVY}</link>' for each in "abc")
    lead = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
    planar = joint("planar").replace("</joint>", '<mimic joint="j" multiplier="2"/></joint>')
    (tmp_path / "s.urdf").write_text(f'<robot name="r">{links}{lead}{planar}</robot>')
    plain, _ = back(tmp_path, tmp_path / "s.urdf", f"v.{target}", [], "plain.urdf")
    assert etree.parse(plain).xpath("//joint[@type='planar']/mimic/@multiplier") == ["2"]


PLUGIN = """<robot name="g"><link name="l"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<gazebo><plugin name="control" filename="librc.so"><ns>/r</ns></plugin></gazebo></robot>"""
MORE = '<plugin name="more" filename="m.so"/></model>'


@pytest.mark.parametrize(
    ("edit", "plugins"),
    [
        (("<ns>/r", "<ns>/q"), [("control", "/q")]),
        (('name="control" filename="librc.so"', 'filename="librc.so" name="control"'), [("control", "/r")]),
        (("</model>", MORE), [("more", None), ("control", "/r")]),
        (('filename="librc.so"', 'filename="other.so"'), [("control", "/r")]),
    ],
)
def test_a_plugin_of_a_model_is_one_of_the_urdf_whoever_edits_it(
    tmp_path: Path, edit: tuple[str, str], plugins: list[tuple[str, str | None]]
) -> None:
    source, sdf, urdf = (tmp_path / name for name in ("in.urdf", "there.sdf", "back.urdf"))
    source.write_text(PLUGIN)
    convert(source, sdf)
    text = sdf.read_text()
    assert text.count(edit[0]) == 1
    sdf.write_text(text.replace(*edit))
    assert sdformat_reads(sdf)["errors"] == []
    report = explained(convert(sdf, urdf))
    found = [(each.get("name"), each.findtext("ns")) for each in etree.parse(urdf).findall("gazebo/plugin")]
    assert sorted(found) == sorted(plugins)
    assert of_rule(report, "urdf/block") == []
    check_urdf(urdf)
    (tmp_path / "plain.urdf").write_text(re.sub(r"<kinegraph:.*\n", "", urdf.read_text()))
    convert(tmp_path / "plain.urdf", tmp_path / "again.sdf")  # what anybody else finds in it
    again = etree.parse(tmp_path / "again.sdf").findall("model/plugin")
    assert sorted((each.get("name"), each.findtext("ns")) for each in again) == sorted(plugins)


def test_meshes_of_several_folders_are_found_whatever_the_compiler_was_told(tmp_path: Path) -> None:
    said = 'strippath="true" meshdir="far"'
    (tmp_path / "in.xml").write_text(SITE.replace("<worldbody>", f"<compiler {said}/><worldbody>"))
    shown = ""
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        trimesh.creation.box().export(tmp_path / name / f"{name}.stl")
        shown += f'<visual><geometry><mesh filename="{name}/{name}.stl"/></geometry></visual>'
    (tmp_path / "out").mkdir()
    found, report = back(tmp_path, tmp_path / "in.xml", "w.urdf", [(r"</link>", f"{shown}</link>")], "out/t.xml")
    assert mujoco_model(found).nmesh == 2
    assert {"compiler[1]/@strippath", "compiler[1]/@meshdir"} <= {
        each.where.partition("extras.")[2] for each in report.findings if each.action == "carried"
    }


@pytest.mark.parametrize("owner", ["model", "world"])
@pytest.mark.parametrize("word", ["<enable_wind>true</enable_wind>", "<mine:x xmlns:mine='u'>3</mine:x>"])
def test_what_is_added_to_a_world_that_a_conversion_made_stays(owner: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "in.xml").write_text(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="a"><freejoint/><geom size=".1"/></body>'
        "</worldbody></mujoco>"
    )
    convert(tmp_path / "in.xml", tmp_path / "there.sdf")
    tree = etree.parse(tmp_path / "there.sdf")
    (link,) = tree.xpath("//link[@name='a']")
    home = link.getparent() if owner == "model" else link.getparent().getparent()
    home.append(etree.fromstring(word))
    tree.write(tmp_path / "edited.sdf")
    for through in ("sdf", "xml", "urdf", "glb"):
        explained(convert(tmp_path / "edited.sdf", tmp_path / f"on.{through}"))
        explained(convert(tmp_path / f"on.{through}", tmp_path / "out.sdf"))
        (link,) = etree.parse(tmp_path / "out.sdf").xpath("//link[@name='a']")
        home = link.getparent() if owner == "model" else link.getparent().getparent()
        assert home.find(etree.fromstring(word).tag) is not None
