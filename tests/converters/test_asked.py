"""Options have their effect for every target, or the report says that they have none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from msgspec.structs import replace

from converters.choices import Base
from converters.context import Options
from converters.convert import convert, read
from converters.inspection import document
from converters.report.model import Action, Report
from tests.files import saved
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import comes_back, complete, explained, of_rule

BODIES = "KHR_physics_rigid_bodies"
GEOMETRY = Options(missing_inertia="geometry", total_mass=50.0)
HEAVY = """<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""
ARM = f"""<robot name="arm"><link name="a">{HEAVY}</link>
<link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
STATIC = """<sdf version="1.9"><model name="m"><static>true</static><link name="a"><collision name="c"><geometry><box>
<size>1 1 1</size></box></geometry></collision></link></model></sdf>"""
INFERRED = """<mujoco><worldbody><body name="a"><geom type="box" size=".5 .5 .5" density="20"/><body name="b"><joint/>
<geom type="box" size=".5 .5 .5" mass="0"/><body name="c"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><joint/>
</body></body></body></worldbody></mujoco>"""


def motions(path: Path) -> dict[str, Any]:
    """Return node -> motion in the physics of a GLB."""
    data = path.read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    said = [(node["name"], node.get("extensions", {}).get(BODIES, {})) for node in document["nodes"]]
    return {name: each["motion"] for name, each in said if "motion" in each}


def masses(path: Path) -> dict[str, float]:
    """Return the masses of the bodies in kg, read by other programs than Kinegraph."""
    if path.suffix == ".glb":
        return {name: each["mass"] for name, each in motions(path).items()}
    if path.suffix == ".xml":
        model = mujoco_model(path)
        return {model.body(number).name: float(model.body_mass[number]) for number in range(1, model.nbody)}
    return {name: mass for name, mass in drake_reads(path)["masses"].items() if name in "abc"}


def told(report: Report, rule: str) -> list[tuple[str, str, str]]:
    found = of_rule(report, rule)
    return [(each.where, each.before, each.action.value) for each in found]


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb"])
def test_missing_inertia_is_that_of_the_geometry_in_every_format_that_holds_some(suffix: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "in.urdf", ARM)
    report = convert(source, tmp_path / f"out.{suffix}", options=GEOMETRY)
    assert masses(tmp_path / f"out.{suffix}") == pytest.approx({"a": 2.0, "b": 48.0})
    assert told(report, "inertia/missing") == [("body/b.inertial", "", "derived")]
    assert report.total(Action.UNEXPLAINED) == 0 and told(report, "options/idle") == []
    comes_back(source, tmp_path / f"out.{suffix}")
    without = convert(source, tmp_path / f"plain.{suffix}")
    assert (told(without, "inertia/missing") != []) == (suffix == "xml")  # MuJoCo alone refuses what weighs nothing


def test_what_mujoco_infers_from_geoms_is_not_missing_and_counts_in_the_total(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.xml", INFERRED)
    report = convert(source, tmp_path / "out.xml", options=GEOMETRY)
    assert masses(tmp_path / "out.xml") == pytest.approx({"a": 20.0, "b": 27.0, "c": 3.0})
    assert told(report, "inertia/missing") == [("body/b.inertial", "", "derived")]
    comes_back(source, tmp_path / "out.xml")


@pytest.mark.parametrize(("base", "held"), [("floating", False), ("fixed", True)])
def test_how_the_root_is_asked_to_stand_in_physics_of_gltf_is_told(base: str, held: bool, tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="a">{}<geom size=".1"/></body></worldbody></mujoco>"""
    source = saved(tmp_path / "in.xml", text.format("<freejoint/>" if held else ""))
    report = convert(source, tmp_path / "out.glb", options=Options(base=base))
    assert motions(tmp_path / "out.glb").get("a", {"isKinematic": True}).get("isKinematic", False) is held
    ((where, _, action),) = told(report, "base/asked")
    assert where.startswith("joint/") and action in ("derived", "carried")
    assert read(tmp_path / "out.glb") == read(source)


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_what_is_moved_without_forces_is_no_root_that_stands_anyhow(base: Base, tmp_path: Path) -> None:
    bodies = """<body name="hand" mocap="true"><geom size=".1"/></body>
      <body name="arm"><geom size=".1"/></body><body name="cube"><freejoint/><geom size=".1"/></body>"""
    source = saved(tmp_path / "in.xml", f'<mujoco model="m"><worldbody>{bodies}</worldbody></mujoco>')
    explained(convert(source, tmp_path / "out.xml", options=Options(base=base)))
    model = mujoco_model(tmp_path / "out.xml")
    assert (model.nmocap, model.njnt) == (1, 2 if base == "floating" else 0)
    explained(convert(source, tmp_path / "out.sdf", options=Options(base=base)))
    joints = sdformat_reads(tmp_path / "out.sdf")["joints"].values()
    assert "m::hand" not in {joint["child"] for joint in joints}


def test_the_ground_does_not_float(tmp_path: Path) -> None:
    bodies = """<body name="ground"><body name="floor"><geom type="plane" size="9 9 1"/></body></body>
      <body name="robot" pos="0 0 1"><geom size=".1"/></body>"""
    source = saved(tmp_path / "in.xml", f'<mujoco model="m"><worldbody>{bodies}</worldbody></mujoco>')
    for suffix in (".xml", ".sdf", ".glb"):
        explained(convert(source, tmp_path / f"out{suffix}", options=Options(base="floating")))
    assert mujoco_model(tmp_path / "out.xml").body_jntnum.tolist() == [0, 0, 0, 1]
    joints = sdformat_reads(tmp_path / "out.sdf")["joints"].values()
    assert {joint["child"].removeprefix("m::") for joint in joints} == {"ground", "floor"}
    assert motions(tmp_path / "out.glb").keys() == {"robot"}


def test_a_static_model_that_is_to_float_is_not_static(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.sdf", STATIC)
    report = convert(source, tmp_path / "out.sdf", options=Options(base="floating"))
    assert etree.parse(tmp_path / "out.sdf").find(".//static") is None
    assert [each.action for each in of_rule(report, "base/asked")]
    explained(report)
    comes_back(source, tmp_path / "out.sdf")


@pytest.mark.parametrize(
    ("options", "suffix", "said"),
    [
        (Options(scene=True), "urdf", "--scene"),
        (Options(sdf_version="9.9"), "urdf", "--sdf-version 9.9"),
        (Options(compress="draco"), "xml", "--compress draco"),
        (Options(meshes="copy"), "glb", "--meshes copy"),
        (Options(meshes="reference"), "glb", "--meshes reference"),
        (Options(meshes="embed"), "png", "--meshes embed"),
        (Options(carry=False), "glb", "--no-carry"),
        (Options(size=(10, 20)), "sdf", "--size 10x20"),
        (Options(missing_inertia="geometry"), "png", "--missing-inertia geometry"),
    ],
)
def test_an_option_about_another_format_is_told_to_do_nothing(
    options: Options, suffix: str, said: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "in.urdf", ARM)
    report = convert(source, tmp_path / f"out.{suffix}", options=options)
    assert told(report, "options/idle") == [("document", said, "noted")]
    assert told(convert(source, tmp_path / f"plain.{suffix}"), "options/idle") == []
    if suffix != "png":
        document = (tmp_path / f"out.{suffix}").read_bytes()
        assert document == (tmp_path / f"plain.{suffix}").read_bytes()


LIGHT = HEAVY.replace("1", "0")
WEIGHTS = [
    (Options(missing_inertia="geometry", total_mass=50.0), "--total-mass 50"),
    (Options(missing_inertia="geometry", density=5.0), "--density 5"),
]


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize(("options", "said"), WEIGHTS)
@pytest.mark.parametrize("inertial", [HEAVY, LIGHT])
def test_how_heavy_geometry_is_where_all_has_a_mass_is_told_to_do_nothing(
    inertial: str, options: Options, said: str, suffix: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "in.urdf", ARM.replace('<link name="b">', f'<link name="b">{inertial}'))
    report = convert(source, tmp_path / f"out.{suffix}", options=options)
    assert told(report, "options/idle") == [("document", said, "noted")]
    assert masses(tmp_path / f"out.{suffix}") == pytest.approx({"a": 2.0, "b": 2.0})
    convert(source, tmp_path / f"plain.{suffix}", options=Options(missing_inertia="geometry"))
    assert (tmp_path / f"out.{suffix}").read_bytes() == (tmp_path / f"plain.{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize(("options", "said"), WEIGHTS)
def test_it_does_what_it_says_where_something_has_no_mass(
    options: Options, said: str, suffix: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "in.urdf", ARM)
    report = convert(source, tmp_path / f"out.{suffix}", options=options)
    assert masses(tmp_path / f"out.{suffix}") == pytest.approx({"a": 2.0, "b": 48.0 if options.total_mass else 5.0})
    assert told(report, "options/idle") == []
    without = convert(source, tmp_path / f"plain.{suffix}", options=replace(options, missing_inertia="minimal"))
    assert told(without, "options/idle") == [("document", said, "noted")]


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml", "glb", "png"])
def test_a_clamp_where_nothing_is_posed_is_told_to_do_nothing(suffix: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "in.urdf", ARM)
    report = convert(source, tmp_path / f"out.{suffix}", options=Options(clamp=True))
    assert told(report, "options/idle") == [("document", "--clamp", "noted")]
    for asked in (Options(clamp=True, pose=("j=1",)), Options(clamp=True, trajectory=("sweep",))):
        posed = convert(source, tmp_path / f"posed.{suffix}", options=asked)
        assert told(posed, "options/idle") == []


@pytest.mark.parametrize("between", ["urdf", "sdf", "xml", "glb"])
@pytest.mark.parametrize("last", ["urdf", "sdf", "xml"])
def test_an_inertia_that_was_asked_for_goes_on_to_every_format_but_the_first(
    between: str, last: str, tmp_path: Path
) -> None:
    """A GLB from CAD gets its masses in the conversion to the first other format, and has them in the next."""
    convert(saved(tmp_path / "in.urdf", ARM), tmp_path / "in.glb")
    plain = tmp_path / "in.glb"
    convert(plain, tmp_path / f"first.{between}", options=GEOMETRY)
    report = convert(tmp_path / f"first.{between}", tmp_path / f"last.{last}")
    if last == "urdf":  # that is what the GLB was made of
        convert(plain, tmp_path / "straight.urdf")
        assert (tmp_path / "last.urdf").read_bytes() == (tmp_path / "straight.urdf").read_bytes()
        return
    assert masses(tmp_path / f"last.{last}") == pytest.approx({"a": 2.0, "b": 48.0})
    assert told(report, "asked/kept") == [("body/b.inertial", "", "derived")]
    complete(report)
    convert(tmp_path / f"last.{last}", tmp_path / "third.sdf")
    assert masses(tmp_path / "third.sdf") == pytest.approx({"a": 2.0, "b": 48.0})
    comes_back(tmp_path / "in.urdf", tmp_path / "third.sdf")


def test_an_inertia_is_asked_for_anew(tmp_path: Path) -> None:
    convert(saved(tmp_path / "in.urdf", ARM), tmp_path / "first.sdf", options=GEOMETRY)
    report = convert(tmp_path / "first.sdf", tmp_path / "last.xml", options=replace(GEOMETRY, total_mass=12.0))
    assert masses(tmp_path / "last.xml") == pytest.approx({"a": 2.0, "b": 10.0})
    assert told(report, "asked/kept") == told(report, "options/idle") == []


@pytest.mark.parametrize("between", ["sdf", "xml", "glb"])
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_how_the_root_was_asked_to_stand_goes_on_to_every_format_but_the_first(
    base: str, between: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "in.urdf", ARM.replace('<link name="b">', f'<link name="b">{HEAVY}'))
    convert(source, tmp_path / f"first.{between}", options=Options(base=base))
    chosen = convert(source, tmp_path / "first.xml", options=Options(base=base))
    assert "as --base asks" in next(each.reason for each in of_rule(chosen, "base/chosen"))
    report = convert(tmp_path / f"first.{between}", tmp_path / "last.xml")
    model = mujoco_model(tmp_path / "last.xml")
    assert model.nq == (8 if base == "floating" else 1)
    assert [action for _, _, action in told(report, "asked/kept")] == ["derived"]
    assert told(report, "base/chosen") == [] and report.total(Action.UNEXPLAINED) == 0
    other = "fixed" if base == "floating" else "floating"
    again = convert(tmp_path / "last.xml", tmp_path / "other.xml", options=Options(base=other))
    model = mujoco_model(tmp_path / "other.xml")
    assert model.nq == (8 if other == "floating" else 1)
    assert told(again, "asked/kept") == [] and again.total(Action.UNEXPLAINED) == 0
    comes_back(source, tmp_path / "last.xml")


def test_the_other_way_round_goes_on_as_well(tmp_path: Path) -> None:
    """A fixed model that an option made floating."""
    source = saved(tmp_path / "in.sdf", STATIC)
    convert(source, tmp_path / "first.xml", options=Options(base="floating"))
    report = convert(tmp_path / "first.xml", tmp_path / "last.xml")
    assert mujoco_model(tmp_path / "last.xml").nq == 7
    assert told(report, "asked/kept") and report.total(Action.UNEXPLAINED) == 0
    comes_back(source, tmp_path / "last.xml")


def test_an_inertia_that_was_asked_for_and_edited_is_the_edited_one(tmp_path: Path) -> None:
    convert(saved(tmp_path / "in.urdf", ARM), tmp_path / "first.sdf", options=GEOMETRY)
    text = (tmp_path / "first.sdf").read_text()
    assert text.count("<mass>48</mass>") == 1
    (tmp_path / "first.sdf").write_text(text.replace("<mass>48</mass>", "<mass>7</mass>"))
    convert(tmp_path / "first.sdf", tmp_path / "last.xml")
    assert masses(tmp_path / "last.xml") == pytest.approx({"a": 2.0, "b": 7.0})


def test_inspect_shows_what_was_asked_for(tmp_path: Path) -> None:
    convert(saved(tmp_path / "in.urdf", ARM), tmp_path / "out.xml", options=replace(GEOMETRY, base="floating"))
    found = document(tmp_path / "out.xml")
    assert found["total_mass"] == pytest.approx(50.0)
    assert [(each["child"], each["kind"]) for each in found["joints"]] == [("a", "free"), ("b", "hinge")]


def test_an_argument_for_what_is_no_xacro_is_told_as_one_that_a_xacro_does_not_ask_for(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.urdf", ARM)
    report = convert(source, tmp_path / "out.urdf", options=Options(arguments={"a": "1"}))
    assert (told(report, "xacro/argument"), told(report, "options/idle")) == ([("document", "a", "noted")], [])


def test_a_root_that_floats_by_choice_and_that_a_loop_holds_goes_on_as_its_author_has_it(tmp_path: Path):
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    weld = '<joint name="w" type="fixed"><parent>world</parent><child>b</child></joint>'
    tie = f'<joint name="tie" type="revolute"><parent>a</parent><child>b</child>{axis}</joint>'
    links = '<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>'
    text = f'<sdf version="1.9"><model name="m">{links}{weld}{tie}</model></sdf>'
    source = saved(tmp_path / "m.sdf", text)
    explained(convert(source, tmp_path / "free.sdf", options=Options(base="floating")))
    for target in ("r.xml", "r.urdf", "r.glb"):
        explained(convert(tmp_path / "free.sdf", tmp_path / target))
    assert [each.name for each in read(tmp_path / "r.xml").joints.values() if each.closes_loop] == ["tie"]


HEAVIER = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
NOTHING = '<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>'
TORUS = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="t"/></plugin></extension><asset>
<mesh name="t"><plugin instance="t"/></mesh></asset><worldbody><body name="a"><geom type="sdf" mesh="t">
<plugin instance="t"/></geom></body></worldbody></mujoco>"""


@pytest.mark.parametrize("inertial", [NOTHING, ""])
def test_a_root_without_mass_that_is_let_go_gets_the_least(inertial: str, tmp_path: Path) -> None:
    """As in robosuite's robots, which are fixed to the world."""
    arm = '<body name="arm"><joint/><geom size=".1"/></body>'
    text = f'<mujoco><worldbody><body name="base">{inertial}{arm}</body></worldbody></mujoco>'
    report = convert(saved(tmp_path / "in.xml", text), tmp_path / "out.xml", options=Options(base="floating"))
    explained(report)
    assert 0 < mujoco_model(tmp_path / "out.xml").body("base").mass[0] < 1e-5
    assert told(report, "inertia/missing")


GROUPED = '<mujoco><compiler inertiagrouprange="{}"/>{}<worldbody>{}</worldbody></mujoco>'
BALL = '<geom size=".1" group="3"/>'
MESHES = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'


@pytest.mark.parametrize(
    ("counting", "assets", "bodies", "least"),
    [
        ("0 1", "", f'<body name="a">{BALL}</body>', ["a"]),
        ("0 3", "", f'<body name="a">{BALL}</body>', []),
        ("0 1", MESHES, '<body name="a"><geom type="mesh" mesh="m" group="2"/></body>', ["a"]),
        ("0 1", MESHES, '<body name="a"><geom type="mesh" mesh="m"/></body>', []),
        ("0 1", "", f'<body name="a">{BALL}<body name="b"><geom size=".1"/></body></body>', []),
        ("0 1", "", f'<body name="a"><body name="b">{BALL}</body></body>', ["a"]),
    ],
)
def test_a_root_that_is_let_go_gets_the_least_where_mujoco_weighs_none_of_its_geoms(
    counting: str, assets: str, bodies: str, least: list[str], tmp_path: Path
) -> None:
    """As in models of Metaworld, where groups select the geoms used for the mass."""
    source = saved(tmp_path / "in.xml", GROUPED.format(counting, assets, bodies))
    report = convert(source, tmp_path / "out.xml", options=Options(base="floating"))
    explained(report)
    found = masses(tmp_path / "out.xml")
    assert [name for name, mass in found.items() if 0 < mass < 1e-5] == least
    assert [where for where, _, _ in told(report, "inertia/missing")] == [f"body/{name}.inertial" for name in least]


def test_what_a_plugin_shapes_stays_where_its_root_is_let_go(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.xml", TORUS)
    report = convert(source, tmp_path / "out.xml", options=Options(base="floating"))
    explained(report)
    assert masses(tmp_path / "out.xml") == masses(source)
    assert not told(report, "inertia/missing")


@pytest.mark.parametrize("suffix", ["xml", "urdf"])
def test_what_lets_a_root_go_is_not_called_a_weld(suffix: str, tmp_path: Path) -> None:
    """A body fixed to the world has no joint in MJCF, and no name for one."""
    body = f'<body name="a">{HEAVIER}<body name="b">{HEAVIER}<joint name="j"/></body></body>'
    source = saved(tmp_path / "in.xml", f'<mujoco model="m"><worldbody>{body}</worldbody></mujoco>')
    explained(convert(source, tmp_path / f"out.{suffix}", options=Options(base="floating")))
    joints = etree.parse(tmp_path / f"out.{suffix}").iter("joint", "freejoint")
    assert "a_free" in [each.get("name") for each in joints]
