"""Whether what a report says about an output is true of the output. Judged by lxml."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree
from msgspec.structs import replace

from converters.commands.program import kinegraph
from converters.context import Options
from converters.convert import convert
from converters.report.ignored import REASONS
from converters.report.markdown import markdown
from converters.report.model import Action, End, Finding, Report, Severity
from converters.report.page import html
from converters.report.text import WIDTH, short, text
from converters.validating.notes import EXTRAS
from converters.validating.run import validate
from tests.files import saved
from tests.reports import explained, of_rule

BARE = Options(carry=False)
INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
GAZEBO = (
    f'<robot name="r"><link name="a"><inertial><mass value="1"/>{INERTIA}</inertial><collision><geometry>'
    '<sphere radius="1"/></geometry></collision></link><gazebo reference="a"><mu1>0.9</mu1><mu2>0.8</mu2></gazebo>'
    '<gazebo><plugin name="p" filename="libp.so"><topic>t</topic></plugin></gazebo></robot>'
)
TWO = (
    '<mujoco><worldbody><body name="arm"><geom size=".1"/>'
    '<body name="hand" pos="0 0 1"><joint name="bend" axis="1 0 0"/><joint name="turn" axis="0 0 1" pos="0 .1 0"/>'
    '<geom size=".1"/></body></body></worldbody></mujoco>'
)


def actions(report: Report, rule: str) -> set[Action]:
    return {finding.action for finding in of_rule(report, rule)}


@pytest.mark.parametrize("options", [Options(), BARE], ids=["carried", "bare"])
def test_a_gazebo_block_that_is_said_in_sdf_is_not_told_as_gone(tmp_path: Path, options: Options) -> None:
    source, target = tmp_path / "r.urdf", tmp_path / "r.sdf"
    source.write_text(GAZEBO)
    report = explained(convert(source, target, options=options))
    written = etree.parse(target)
    assert written.findtext(".//friction/ode/mu") == "0.9" and written.findtext(".//friction/ode/mu2") == "0.8"
    assert written.findtext(".//plugin[@filename='libp.so']/topic") == "t"
    assert actions(report, "gazebo/interpreted") == {Action.DERIVED}
    assert [finding.where for finding in report.findings if finding.action is Action.DROPPED] == []


def test_of_a_gazebo_block_what_sdf_cannot_say_is_still_told_as_gone(tmp_path: Path) -> None:
    source, target = tmp_path / "r.urdf", tmp_path / "r.sdf"
    source.write_text(GAZEBO.replace("<mu1>", "<nobodyKnows>7</nobodyKnows><mu1>"))
    report = explained(convert(source, target, options=BARE))
    assert "nobodyKnows" not in target.read_text()
    gone = [finding for finding in report.findings if finding.action is Action.DROPPED]
    assert ["nobodyKnows" in finding.before for finding in gone] == [True]


RUBBING = {
    ".xml": '<mujoco><worldbody><body name="a"><joint name="j" stiffness="2"/><geom name="c" size=".1" '
    'friction=".7 .1 0"/></body></worldbody></mujoco>',
    ".sdf": '<sdf version="1.9"><model name="m"><link name="a"><gravity>0</gravity><enable_wind>1</enable_wind>'
    '<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry><surface><friction><ode><mu>0.7</mu>'
    '</ode></friction></surface></collision><sensor name="s" type="imu"><update_rate>5</update_rate></sensor></link>'
    "</model></sdf>",
}


@pytest.mark.parametrize("options", [Options(), BARE], ids=["carried", "bare"])
@pytest.mark.parametrize(("suffix", "rule"), [(".xml", "sdf/gazebo-words"), (".sdf", "sdf/gazebo-block")])
def test_what_a_gazebo_block_of_the_output_says_is_not_told_as_gone(
    tmp_path: Path, suffix: str, rule: str, options: Options
) -> None:
    source, target = tmp_path / f"r{suffix}", tmp_path / "r.urdf"
    source.write_text(RUBBING[suffix])
    report = explained(convert(source, target, options=options))
    assert etree.parse(target).findtext("gazebo[@reference='a']/mu1") == "0.7"
    assert actions(report, rule) == ({Action.CARRIED, Action.DERIVED} if options.carry else {Action.DERIVED})
    gone = [each.where for each in report.findings if each.action is Action.DROPPED and "surface" in each.where]
    twisting = suffix == ".xml" and not options.carry
    assert gone == (["body/a.geoms.c.surface.rolling", "body/a.geoms.c.surface.torsional"] if twisting else [])


@pytest.mark.parametrize("options", [Options(), BARE], ids=["carried", "bare"])
@pytest.mark.parametrize(("suffix", "rule"), [(".urdf", "urdf/joint-split"), (".sdf", "sdf/joint-chain")])
def test_a_joint_that_is_a_chain_is_told_in_one_sentence_and_not_as_gone(
    tmp_path: Path, suffix: str, rule: str, options: Options
) -> None:
    source, target = tmp_path / "r.xml", tmp_path / f"r{suffix}"
    source.write_text(TWO)
    report = explained(convert(source, target, options=options))
    (told,) = (finding for finding in of_rule(report, rule) if finding.action is not Action.DERIVED)
    chain = told.after.removeprefix("chain ").split(", ")
    joints = {joint.get("name") for joint in etree.parse(target).iter("joint")}
    assert told.action is Action.APPROXIMATED and told.before == "joint joint_hand"
    offset = ["joint_hand_offset"] if suffix == ".urdf" else []  # a joint of SDFormat may stand beside its link
    assert chain == ["bend", "turn", *offset] and joints >= set(chain)
    others = [each.rule for each in report.findings if each.where.startswith("joint/joint_hand.") and each != told]
    assert others == []


def test_what_the_joints_of_a_chain_lack_is_told_beside_it(tmp_path: Path) -> None:
    source = saved(tmp_path / "r.xml", TWO.replace('name="bend"', 'name="bend" armature=".5"'))
    report = explained(convert(source, tmp_path / "r.urdf", options=BARE))
    assert [(each.action, each.before) for each in of_rule(report, "urdf/joint-dynamics")] == [(Action.DROPPED, "0.5")]


@pytest.mark.parametrize("suffix", [".xml", ".sdf", ".urdf"])
@pytest.mark.parametrize("options", [Options(), BARE], ids=["carried", "bare"])
def test_a_file_that_was_put_beside_the_output_is_no_loss(
    made: Path, tmp_path: Path, suffix: str, options: Options
) -> None:
    report = convert(made / "feature_mesh_tetrahedron.urdf", tmp_path / f"r{suffix}", options=options)
    places = [finding for finding in report.findings if finding.where.endswith(".uri")]
    assert {finding.action for finding in places} == {Action.DERIVED}


def test_an_inertia_that_is_read_as_it_stands_is_not_told_as_repaired(made: Path, tmp_path: Path) -> None:
    report = convert(made / "warning_sdf_inertia.sdf", tmp_path / "r.urdf")
    found = of_rule(report, "sdf/link-inertia-invalid")
    assert {(each.action, each.severity) for each in found} == {(Action.IGNORED, Severity.ERROR)}
    assert report.total(Action.REPAIRED) == 0


@pytest.mark.parametrize(
    ("kind", "inside", "reason"),
    [
        ("fixed", '<axis xyz="0 0 1"/>', "a fixed joint does not move: its <axis> has no effect"),
        ("fixed", '<limit effort="1" velocity="1"/>', "a fixed joint does not move: its <limit> has no effect"),
        ("fixed", '<dynamics damping="1"/>', "a fixed joint does not move: its <dynamics> has no effect"),
        ("fixed", '<mimic joint="k"/>', "a fixed joint does not move: its <mimic> has no effect"),
        (
            "continuous",
            '<axis xyz="0 0 1"/><limit effort="1" velocity="1" lower="1"/>',
            "a continuous joint turns without limits: its lower limit has no effect, except in Drake",
        ),
    ],
)
def test_what_means_nothing_in_the_source_is_told_so(kind: str, inside: str, reason: str, tmp_path: Path) -> None:
    joint = f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{inside}</joint>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>')
    rule = "urdf/fixed-joint" if kind == "fixed" else "urdf/continuous-limit"
    for name in ("r.xml", "r.sdf", "r.glb"):
        (found,) = of_rule(convert(source, tmp_path / name), rule)
        assert found.reason == reason
    (breach,) = (each for each in validate(source).breaches if "effect" in each.message)
    assert breach.message == reason


@pytest.mark.parametrize("target", ["urdf", "sdf"])
def test_what_means_nothing_on_a_free_joint_of_mujoco_is_told_so(target: str, tmp_path: Path) -> None:
    inside = '<joint type="free" ref="1" springref="2" range="0 1"/><geom size=".1"/>'
    text = f'<mujoco model="m"><worldbody><body name="a">{inside}</body></worldbody></mujoco>'
    report = convert(saved(tmp_path / "m.xml", text), tmp_path / f"m.{target}", options=Options(base="floating"))
    (found,) = (each for each in report.findings if each.where.startswith("joint/") and each.action == Action.CARRIED)
    assert found.reason.startswith("in MuJoCo a ball or free joint has no reference position")
    assert found.severity == Severity.NOTE
    convert(tmp_path / f"m.{target}", tmp_path / "back.xml")
    convert(tmp_path / "m.xml", tmp_path / "same.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "same.xml").read_bytes()


@pytest.mark.parametrize("kind", ["fixed", "ball", "revolute"])
def test_an_axis_without_effect_in_sdf_is_told_so(kind: str, tmp_path: Path) -> None:
    axes = "".join(f"<{tag}><xyz>0 1 0</xyz></{tag}>" for tag in ("axis", "axis2"))
    joint = f'<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{axes}</joint>'
    text = f'<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>{joint}</model></sdf>'
    report = convert(saved(tmp_path / "m.sdf", text), tmp_path / "m.xml")
    lost = [each for each in report.findings if ".extras." in each.where]
    assert {each.rule for each in lost} == {"sdf/second-axis" if kind == "revolute" else f"sdf/{kind}-joint"}
    assert all("has no effect" in each.reason for each in lost) and lost


def test_whatever_a_reader_ignores_has_a_reason_of_its_own() -> None:
    """The rules are those that validate knows, too."""
    rules = {row.note for row in EXTRAS}
    assert rules <= REASONS.keys()
    said = {rule for rule in REASONS if rule.startswith("urdf/")}
    assert all("{}" in REASONS[rule] for rule in said - {"urdf/empty-texture", "urdf/link-origin", "urdf/link-type"})


@pytest.mark.parametrize(
    ("document", "rule", "words"),
    [
        ("g.gltf", "gltf/generator", "names the program"),
        ("r.urdf", "urdf/limit-version", "since version 1.2"),
        ("r.urdf", "urdf/link-origin", "placed by the joint"),
    ],
)
def test_what_has_no_effect_for_a_reason_of_its_own_is_told_with_it(
    tmp_path: Path, document: str, rule: str, words: str
) -> None:
    saved(
        tmp_path / "g.gltf",
        '{"asset":{"version":"2.0","generator":"g"},"nodes":[{"name":"n"}],"scenes":[{"nodes":[0]}]}',
    )
    joint = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
    limit = '<limit lower="0" upper="1" effort="1" velocity="1" jerk="3"/></joint>'
    links = '<link name="a"><origin xyz="0 0 1"/></link><link name="b"/>'
    saved(tmp_path / "r.urdf", f'<robot name="r">{links}{joint}{limit}</robot>')
    (found,) = of_rule(convert(tmp_path / document, tmp_path / "out.xml"), rule)
    assert words in found.reason
    assert "no meaning" not in found.reason


@pytest.mark.parametrize("options", [Options(), BARE], ids=["carried", "bare"])
def test_what_means_nothing_is_told_as_kept_only_where_the_output_has_it(tmp_path: Path, options: Options) -> None:
    fixed = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a"/><link name="b"/>{fixed}</robot>')
    for name in ("out.urdf", "out.sdf"):  # SDFormat has a frame instead of a link without mass, and no such joint
        (found,) = of_rule(convert(source, tmp_path / name, options=options), "urdf/fixed-joint")
        assert found.action is Action.IGNORED
        assert ("kept" in found.reason) == bool(found.after) == name.endswith(".urdf")


def test_of_two_properties_with_one_value_each_is_named(tmp_path: Path) -> None:
    """The restitution of a collision is not hidden by its second friction, which is also lost and also 0.5."""
    bounce = "<bounce><restitution_coefficient>0.5</restitution_coefficient></bounce>"
    surface = f"<surface>{bounce}<friction><ode><mu>1</mu><mu2>0.5</mu2></ode></friction></surface>"
    geometry = "<geometry><sphere><radius>1</radius></sphere></geometry>"
    link = f'<link name="a"><collision name="c">{geometry}{surface}</collision></link>'
    source = saved(tmp_path / "r.sdf", f'<sdf version="1.9"><model name="r">{link}</model></sdf>')
    found = of_rule(convert(source, tmp_path / "r.xml"), "mjcf/surface")
    lost = [(each.where.rpartition(".")[2], each.before, each.count) for each in found]
    assert lost == [("mu2", "0.5", 1), ("restitution", "0.5", 1)]


@pytest.mark.parametrize("name", ["r.urdf", "r.sdf", "r.glb"])
def test_a_name_that_the_author_did_not_give_is_no_loss(tmp_path: Path, name: str) -> None:
    source = tmp_path / "r.xml"
    source.write_text('<mujoco><worldbody><body name="a"><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    found = [each for each in convert(source, tmp_path / name).findings if each.where.endswith("name")]
    assert [(each.where, each.before, each.action) for each in found] == [("scene/name", "", Action.DERIVED)]


def told(*findings: tuple[str, str, str, str]) -> Report:
    """Return a report of findings: where, before, after, reason."""
    rows = (
        Finding(
            rule="a/rule",
            action=Action.APPROXIMATED,
            severity=Severity.WARNING,
            where=where,
            before=before,
            after=after,
            reason=reason,
        )
        for where, before, after, reason in findings
    )
    end = End(path="r.urdf", format="urdf")
    return Report(version="1", source=end, target=replace(end, path="r.xml"), findings=tuple(rows))


def test_lines_for_people_have_six_digits_and_quotations_all() -> None:
    report = told(
        ("body/a", "0.6400000000000001 1", "0.5235987755982988 1", "x"),
        ("body/b", "1.0000000001", "1.0000000002", "x"),
        ("body/c", "<mass>0.123456789</mass>", "", "x"),
        ("body/d", "meshes/v1.2345678.stl", "1.6708525436100334e-08", "x"),
        ("body/e", "[0.9999999,1.0000000]", "", "x"),
    )
    lines = [line.partition(": ")[2] for line in text(report).splitlines()[1:6]]
    assert lines == [
        "0.64 1 -> 0.523599 1",
        "1.0000000001 -> 1.0000000002",
        "<mass>0.123456789</mass>",
        "meshes/v1.2345678.stl -> 1.67085e-08",
        "[0.9999999,1]",
    ]


@pytest.mark.parametrize("form", [text, markdown, html])
def test_a_sentence_that_findings_share_stands_once_above_them(form: Callable[[Report], str]) -> None:
    first, second = "the first reason", "the second reason"
    shown = form(told(*((f"body/{name}", "1", "2", first if name in "ac" else second) for name in "abcd")))
    assert shown.count(first) == shown.count(second) == 1
    places = [shown.index(word) for word in (first, "body/a", "body/c", second, "body/b", "body/d")]
    assert places == sorted(places)


def test_nested_models_are_told_by_one_rule(made: Path, tmp_path: Path) -> None:
    for suffix, rule in ((".urdf", "urdf/scope"), (".glb", "gltf/scope"), (".xml", "mjcf/scope")):
        report = explained(convert(made / "feature_sdf_nested.sdf", tmp_path / f"r{suffix}"))
        scoped = {each.rule for each in report.findings if each.where.endswith(".scope") or each.where[:6] == "scope/"}
        assert scoped == {rule}


@pytest.mark.parametrize("content", [None, b"no mesh"])
def test_inspect_says_which_masses_are_not_in_its_sum_and_misses_no_painted_image(
    tmp_path: Path, content: bytes | None
) -> None:
    source = tmp_path / "r.xml"
    files = '<texture name="grid" type="2d" builtin="checker" width="8" height="8"/><mesh name="m" file="m.stl"/>'
    whole = TWO.replace("<worldbody>", f"<asset>{files}</asset><worldbody>")
    source.write_text(
        whole.replace("</worldbody>", '<body><geom size="1"/><geom type="mesh" mesh="m"/></body></worldbody>')
    )
    if content is not None:
        (tmp_path / "m.stl").write_bytes(content)
    shown = CliRunner().invoke(kinegraph, ["inspect", str(source)]).output
    assert shown.endswith(" kg and the mass of the shapes of 1 body\n") and "; 0 kg" not in shown
    assert "grid" not in shown and ("missing" in shown) == (content is None)


def test_compare_does_not_call_the_same_what_only_one_of_them_has(tmp_path: Path) -> None:
    first, second = tmp_path / "a.xml", tmp_path / "b.xml"
    first.write_text(TWO)
    second.write_text(TWO.replace('"hand"', '"claw"'))
    shown = CliRunner().invoke(kinegraph, ["compare", str(first), str(second)]).output
    assert "the same as far as both have the body or joint: " in shown


def test_of_a_long_address_both_ends_are_shown() -> None:
    address = "package://robot_description/meshes/ur5/visual/long_names/forearm_v2.dae"
    assert len(short(address)) == WIDTH
    assert short(address).startswith("package://") and short(address).endswith("/forearm_v2.dae")
    assert short("many words " * 9).startswith("many words many") and short("many words " * 9).endswith("…")


def test_a_thing_with_extra_elements_is_shown_by_its_name_and_these(tmp_path: Path) -> None:
    site = '<site name="tip" pos="0 0 1" rgba="1 0 0 1"/>'
    body = f'<body name="b"><joint name="j"/><geom size=".1"/>{site}</body>'
    source = saved(tmp_path / "m.xml", f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    (found,) = of_rule(convert(source, tmp_path / "m.urdf"), "urdf/frame")
    assert found.before.startswith("frame tip with @rgba 1 0 0 1; {")
    assert '"pos": [0.0, 0.0, 1.0]' in found.before


def test_a_file_with_two_names_is_told_as_there(tmp_path: Path) -> None:
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    saved(tmp_path / "part.obj", corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    meshes = (
        '<mesh name="left" file="part.obj"/><mesh name="right" file="part.obj"/><mesh name="spare" file="part.obj"/>'
    )
    geoms = '<geom type="mesh" mesh="left"/><geom type="mesh" mesh="right" pos="2 0 0"/>'
    world = f'<worldbody><body name="b"><joint/>{geoms}</body></worldbody>'
    report = convert(saved(tmp_path / "m.xml", f"<mujoco><asset>{meshes}</asset>{world}</mujoco>"), tmp_path / "m.urdf")
    (named,) = {each.severity for each in of_rule(report, "urdf/asset-name")}
    assert named == "note"
    assert "asset/spare" in {each.where for each in of_rule(report, "urdf/asset")}
    assert not {each.where for each in of_rule(report, "urdf/asset-name")} & {"asset/spare"}
