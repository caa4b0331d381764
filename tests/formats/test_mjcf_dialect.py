"""Spellings of older versions of MuJoCo, and unknown attributes and elements."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import InputError, convert, read
from converters.report.model import Action, Report
from converters.validating import validate
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

OLD = """<mujoco model="old">
  <compiler %s/>
  <option %s timestep="0.001">
    <flag %s/>
  </option>
  <default class="mine">
    <geom friction="2 .1 .1"/>
    <default class="small"><geom size=".1"/></default>
  </default>
  <asset>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <mesh name="hull" inertia="convex" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <camera name="c" %s fovy="3"/>
    <body name="a" childclass="mine">
      <joint name="j" range="-30 30" %s/>
      <geom name="g" class="small"/>
      <geom name="m" type="mesh" mesh="tetra"/>
    </body>
  </worldbody>
</mujoco>
"""
BEFORE = (
    'exactmeshinertia="true" convexhull="false"',
    'collision="all" apirate="50" mpr_iterations="30" mpr_tolerance="1e-5"',
    'passive="disable" sensornoise="enable"',
    'orthographic="true"',
    'actuatorforcerange="-2 2" actuatorforcelimited="true"',
)
NOW = (
    "",
    'ccd_iterations="30" ccd_tolerance="1e-5"',
    'spring="disable" damper="disable"',
    'projection="orthographic"',
    'actuatorfrcrange="-2 2" actuatorfrclimited="true"',
)
GONE = {
    "exactmeshinertia": "3.2.5",
    "convexhull": "3.2.5",
    "collision": "3.0",
    "apirate": "3.3.7",
    "mpr_iterations": "3.2.3",
    "mpr_tolerance": "3.2.3",
    "passive": "3.3.6",
    "sensornoise": "3.1.4",
    "orthographic": "3.5",
    "actuatorforcerange": "3.0",
    "actuatorforcelimited": "3.0",
    "class": "3",
}


def saved(folder: Path, text: str, name: str = "m.xml") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def world(inside: str, beside: str = "") -> str:
    return f"<mujoco>\n{beside}\n<worldbody><body name='b'>\n{inside}\n<geom size='1'/></body></worldbody></mujoco>"


def told(report: Report, rule: str) -> list[tuple[str, Action]]:
    return [(finding.before, finding.action) for finding in of_rule(report, rule)]


def compiled(path: Path) -> bytes:
    """Return a model as MuJoCo compiles it, without its name and paths."""
    model = mujoco_model(path)
    fields = ("body_mass", "body_inertia", "geom_size", "geom_friction", "jnt_actfrcrange", "jnt_actfrclimited")
    fields += ("cam_projection", "cam_fovy", "jnt_range", "mesh_vert")
    opt = (model.opt.ccd_iterations, model.opt.ccd_tolerance, model.opt.disableflags, model.opt.timestep)
    return repr([getattr(model, field).tolist() for field in fields] + list(opt)).encode()


def test_old_spellings_become_those_of_today_and_each_names_its_version(tmp_path: Path):
    source = saved(tmp_path, OLD % BEFORE)
    with pytest.raises(ValueError, match="Schema violation"):
        mujoco_model(source)
    out = tmp_path / "out.xml"
    report = convert(source, out)
    told = {finding.before.split()[1].partition("=")[0]: finding for finding in report.findings}
    assert {finding.rule for finding in report.findings} == {"mjcf/old-spelling"}
    assert {finding.action for finding in report.findings} == {Action.REPAIRED}
    assert set(told) == set(GONE)
    assert all(f"MuJoCo {version}" in told[name].reason for name, version in GONE.items())
    lines = source.read_text().splitlines()
    for name, finding in told.items():
        (place,) = finding.sources
        assert name in lines[place.line - 1]
        assert str(place.path).endswith(f"/@{name}")
    today = (OLD % NOW).replace('"mine"', '"main"').replace('name="tetra"', 'name="tetra" inertia="exact"')
    assert compiled(out) == compiled(saved(tmp_path / "today", today))


def test_items_of_a_document_in_old_words_are_counted_as_they_stand(tmp_path: Path):
    source = saved(tmp_path, OLD % BEFORE)
    report = convert(source, tmp_path / "out.xml")
    count = sum(1 + len(element.attrib) for element in etree.parse(source).iter())
    assert report.source_items == report.read + report.ignored + report.unread == count


def test_a_document_in_the_words_of_today_is_written_as_it_is_and_nothing_is_told(tmp_path: Path):
    source = saved(tmp_path, OLD % BEFORE)
    once, twice = tmp_path / "once.xml", tmp_path / "twice.xml"
    convert(source, once)
    report = convert(once, twice)
    assert report.findings == ()
    assert twice.read_bytes() == once.read_bytes()


def test_old_words_come_back_from_other_formats_in_those_of_today(tmp_path: Path):
    source = saved(tmp_path, OLD % BEFORE)
    out, back = tmp_path / "out.xml", tmp_path / "back.xml"
    convert(source, out)
    explained(convert(source, tmp_path / "m.urdf"))
    convert(tmp_path / "m.urdf", back)
    assert compiled(back) == compiled(out)
    assert read(back) == read(out)


def test_a_name_that_only_a_composite_makes_is_explained(tmp_path: Path):
    cable = "<composite type='cable' count='5 1 1'><geom type='capsule' size='.1 .1'/></composite>"
    for inside, said in ((cable, True), ("", False)):
        weld = "<equality><weld body1='B_last'/></equality>"
        with pytest.raises(InputError, match="'B_last', which does not exist") as refusal:
            convert(saved(tmp_path, world(inside, weld)), tmp_path / "out.urdf")
        assert ("a <composite> makes is not read" in refusal.value.message) == said


@pytest.mark.parametrize("part", ["<geom size='1'/>", "<body><geom size='1'/></body>", "<site name='s'/>", "<thing/>"])
def test_of_a_file_for_the_body_of_another_it_is_told_what_to_convert(tmp_path: Path, part: str):
    report = convert(saved(tmp_path, f"<mujoco>{part}</mujoco>"), tmp_path / "out.urdf")
    (finding,) = of_rule(report, "mjcf/unknown")
    assert ("another file includes this one" in finding.reason) == (part != "<thing/>")


@pytest.mark.parametrize(
    ("inside", "beside", "rule", "before", "reason"),
    [
        ("<geom size='1' typ='box'/>", "", "mjcf/unknown", "<geom typ='box'>", "no such attribute"),
        ("<thing/>", "", "mjcf/unknown", "<thing>", "allows no such element in <body>"),
        (
            "<composite type='cable' count='3 1 1'><geom size='.1'/></composite>",
            "",
            "mjcf/removed",
            "<composite>",
            "MuJoCo 4.0: a <flexcomp>",
        ),
        ("", "<option collision='predefined'/>", "mjcf/removed", "<option collision='predefined'>", "MuJoCo 3.0"),
        (
            "",
            "<asset><mesh name='t' builtin='torus' params='1'/></asset>",
            "mjcf/keyword",
            "<mesh builtin='torus'>",
            "supertorus",
        ),
    ],
)
def test_what_mujoco_refuses_is_kept_and_told(
    tmp_path: Path, inside: str, beside: str, rule: str, before: str, reason: str
):
    source = saved(tmp_path, world(inside, beside))
    with pytest.raises(ValueError):
        mujoco_model(source)
    report = convert(source, tmp_path / "out.xml")
    assert told(report, rule) == [(before, Action.IGNORED)]
    (finding,) = report.findings
    assert reason in finding.reason
    assert finding.sources[0].line == (2 if beside else 4)
    tag = before[1:-1].split("=")[0].split()
    kept = etree.parse(tmp_path / "out.xml").iter(tag[0])
    assert any(len(tag) == 1 or tag[1] in element.attrib for element in kept)
    assert any(reason in breach.message and breach.source is not None for breach in validate(source).breaches)


@pytest.mark.parametrize(
    ("joint", "beside", "accepted"),
    [
        ("range='-1 1'", "", False),
        ("range='-1 1' limited='auto'", "", False),
        ("actuatorfrcrange='-1 1'", "", False),
        ("range='-1 1' limited='false'", "", True),
        ("range='-1 1' limited='true'", "", True),
        ("range='0 0'", "", True),
        ("class='c'", "<default><default class='c'><joint range='-1 1'/></default></default>", False),
        ("class='c' limited='true'", "<default><default class='c'><joint range='-1 1'/></default></default>", True),
        ("range='-1 1'", "<default><joint limited='false'/></default>", True),
        ("", "<actuator><motor joint='j' ctrlrange='-1 1'/></actuator>", False),
        ("", "<actuator><motor joint='j' forcerange='-1 1' forcelimited='true'/></actuator>", True),
        ("", "<default><position ctrlrange='-1 1'/></default><actuator><position joint='j'/></actuator>", False),
        ("", "<tendon><fixed range='0 1'><joint joint='j' coef='1'/></fixed></tendon>", False),
        (
            "",
            "<default><tendon range='0 1'/></default><tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>",
            False,
        ),
    ],
)
def test_a_range_that_nobody_calls_a_limit_is_told_where_mujoco_refuses_it(
    tmp_path: Path, joint: str, beside: str, accepted: bool
):
    text = world(f"<joint name='j' {joint}/>", f"<compiler autolimits='false'/>{beside}")
    source = saved(tmp_path, text)
    try:
        mujoco_model(source)
        loads = True
    except ValueError as error:
        assert "autolimits" in str(error)
        loads = False
    assert loads is accepted
    report = convert(source, tmp_path / "out.xml")
    assert [action for _, action in told(report, "mjcf/limited")] == [Action.IGNORED] * (not accepted)
    assert len(report.findings) == (not accepted)


def test_an_old_gap_cannot_be_told_from_a_new_one(tmp_path: Path):
    new = "<geom size='1' margin='.1' gap='0'/><geom size='1' gap='.1'/><geom size='1' margin='.1' gap='.2'/>"
    source = saved(tmp_path, world(f"<geom size='1' margin='.1' gap='.1'/>{new}"))
    report = convert(source, tmp_path / "out.xml")
    assert told(report, "mjcf/gap") == [("<geom gap='.1'>", Action.NOTED)]  # it acts, in another way
    assert len(report.findings) == 1


def test_a_file_that_is_attached_stays_as_it_is_and_the_report_says_so(tmp_path: Path):
    inner = (
        "<mujoco><compiler convexhull='true'/><worldbody><body name='i'><geom size='1'/></body></worldbody></mujoco>"
    )
    saved(tmp_path, inner, "inner.xml")
    text = "<mujoco><asset><model name='i' file='inner.xml'/></asset><worldbody>%s</worldbody></mujoco>"
    source = saved(tmp_path, text % "<attach model='i' body='i' prefix='p'/>")
    report = convert(source, tmp_path / "out.xml")
    assert told(report, "mjcf/removed") == [("<compiler convexhull='true'>", Action.IGNORED)]
    (finding,) = report.findings
    assert finding.sources[0].file == str(tmp_path / "inner.xml")
    assert "the attached file stays as it is" in finding.reason
    assert report.source.files == (str(source), str(tmp_path / "inner.xml"))  # each once, also an asset that is read


def test_inside_a_frame_mujoco_passes_over_unknown_words(tmp_path: Path):
    source = saved(tmp_path, world("<frame><site name='s' colour='1'/></frame>"))
    mujoco_model(source)
    report = convert(source, tmp_path / "out.xml")
    (finding,) = report.findings
    assert (finding.before, "ignores" in finding.reason) == ("<site colour='1'>", True)


def test_beside_the_worldbody_mujoco_asks_nothing_of_what_it_passes_over(tmp_path: Path):
    inside = "<body name='a' childclass='none'><geom/><site class='none'/><joint type='ball' range='1 0'/></body>"
    source = saved(tmp_path, world("<geom size='1'/>", beside=inside))
    mujoco_model(source)
    report = convert(source, tmp_path / "out.xml")
    assert [(each.rule, each.sources[0].line) for each in report.findings] == [("mjcf/unknown", 2)]
    assert "ignores it there" in report.findings[0].reason


def test_an_attribute_without_a_number_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    inside = '<joint range="" axis=""/><geom size=".1" density="" pos="" euler=" "/><site pos="" xyaxes=""/>'
    source = tmp_path / "in.xml"
    source.write_text(
        '<mujoco><option o_solref=""/><default><geom pos="1 2 3" friction=""/></default>'
        f'<worldbody><body pos="">{inside}</body></worldbody></mujoco>'
    )
    report = convert(source, tmp_path / "out.xml")
    assert sum(finding.count for finding in report.findings) == 10
    assert {finding.rule for finding in report.findings} == {"mjcf/empty"}
    assert compiled(tmp_path / "out.xml") == compiled(source)
    assert [breach.rule for breach in validate(source).breaches] == ["READ-OTHER"] * 10
