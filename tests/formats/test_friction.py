"""How the frictions of two surfaces are combined: the smaller in Gazebo, the larger in MuJoCo unless one geom has the
higher priority; glTF materials give the rule themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import pytest
from pydrake.multibody.plant import CalcContactFrictionFromSurfaceProperties, CoulombFriction

from converters.context import Options
from converters.convert import convert
from converters.report.model import Action
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.formats.sdf_text import converted, put
from tests.formats.uncarried import bare
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import comes_back, complete, of_rule

BODIES, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
USUAL = 1.0
SILENT = (
    """<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>"""
)
FRICTIONS: dict[str, float | None] = {"ice": 0.05, "silent": None, "rubber": 2.0, "wood": 0.5, "oil": 0.0, "glue": 3.0}
SLIPPERY = 1e-5
"""The minimum friction of a contact in MuJoCo (mjMINMU)."""


def ball(mu: float | None) -> str:
    said = "" if mu is None else f"<surface><friction><ode><mu>{mu}</mu><mu2>{mu}</mu2></ode></friction></surface>"
    return f'<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry>{said}</collision>'


def balls(frictions: dict[str, float | None]) -> str:
    """Return balls at one place, each a model of its own."""
    models = (f'<model name="{name}"><link name="l">{ball(mu)}</link></model>' for name, mu in frictions.items())
    return f'<sdf version="1.9"><world name="w">{"".join(models)}</world></sdf>'


def loose(frictions: dict[str, float | None], more: str = "") -> str:
    said = {name: "" if mu is None else f'friction="{mu}"' for name, mu in frictions.items()}
    bodies = (f'<body name="{name}"><freejoint/><geom size="1" {it} {more}/></body>' for name, it in said.items())
    return f"<mujoco><worldbody>{''.join(bodies)}</worldbody></mujoco>"


def rubbing(path: Path) -> dict[frozenset[str], float]:
    """Return the friction of each pair of bodies in contact, by MuJoCo."""
    model, data = drawn(path)
    found = {}
    for contact in data.contact:
        ends = (model.body(model.geom_bodyid[geom]).name.partition("::")[0] for geom in contact.geom)
        found[frozenset(ends)] = float(contact.friction[0])
    return found


def materials(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    return document.get("extensions", {}).get(BODIES, {}).get("physicsMaterials", [])


def test_the_smaller_friction_counts_in_mujoco(tmp_path: Path):
    source = put(tmp_path, balls(FRICTIONS))
    report, path = converted(tmp_path, source, "out.xml")
    values = {name: USUAL if mu is None else mu for name, mu in FRICTIONS.items()}
    found = rubbing(path)
    assert len(found) == 15
    for pair, friction in found.items():
        assert friction == pytest.approx(max(min(values[name] for name in pair), SLIPPERY))
    (told,) = {finding.action for finding in of_rule(complete(report), "contacts/priority")}
    assert told is Action.DERIVED
    _, back = converted(tmp_path, path, "back.sdf")
    _, own = converted(tmp_path, source, "own.sdf")
    assert back.read_bytes() == own.read_bytes()
    assert b"kinegraph" not in back.read_bytes()


def test_a_box_of_ice_slides_as_far_as_in_gazebo(tmp_path: Path):
    """m a = 3 - 0.05 * 9, from rest for a second."""
    plane = "<geometry><plane><normal>0 0 1</normal><size>10 10</size></plane></geometry>"
    box = "<geometry><box><size>.2 .2 .2</size></box></geometry>"
    mu = ball(0.05).partition("</geometry>")[2]
    mass = "<inertial><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz></inertia></inertial>"
    world = f"""<sdf version="1.9"><world name="w"><gravity>3 0 -9</gravity><model name="g"><static>true</static>
    <link name="g"><collision name="c">{plane}</collision></link></model><model name="ice"><pose>0 0 .1 0 0 0</pose>
    <link name="b">{mass}<collision name="c">{box}{mu}</link></model></world></sdf>"""
    _, path = converted(tmp_path, world, "out.xml")
    model = mujoco_model(path)
    data = mujoco.MjData(model)
    while data.time < 1:
        mujoco.mj_step(model, data)
    assert data.body("ice::b").xpos[0] == pytest.approx((3 - 0.05 * 9) / 2, rel=0.02)


def test_a_friction_along_one_direction_alone_is_one_across_and_told(tmp_path: Path):
    (tmp_path / "m.sdf").write_text(balls({"ice": 0.05}).replace("<mu2>0.05</mu2>", ""))
    report = complete(convert(tmp_path / "m.sdf", tmp_path / "m.xml"))
    assert [(each.where, each.before) for each in of_rule(report, "mjcf/surface")] == [
        ("body/ice::l.geoms.c.surface.mu2", "1")
    ]
    convert(tmp_path / "m.sdf", tmp_path / "m.urdf")
    assert "<mu2>1<" in (tmp_path / "m.urdf").read_text()


def test_where_all_rub_as_usual_there_are_no_priorities(tmp_path: Path):
    report, path = converted(tmp_path, balls({"a": 1.0, "b": None}), "out.xml")
    assert of_rule(report, "contacts/priority") == []
    assert b"priority" not in path.read_bytes()


def test_the_rule_of_drake_is_told_and_the_smaller_friction_is_nearer(tmp_path: Path):
    said = '<drake:proximity_properties xmlns:drake="http://drake.mit.edu"><drake:mu_dynamic{}</drake:proximity_properties>'
    text = balls({"a": None, "b": None}).replace(
        "</geometry>", "</geometry>" + said.format(">0.2</drake:mu_dynamic>"), 1
    )
    source = put(tmp_path, text)
    report, path = converted(tmp_path, source, "out.xml")
    (told,) = of_rule(complete(report), "mjcf/friction-combine")
    assert (told.action, told.before, told.count) == (Action.APPROXIMATED, "harmonic", 1)
    drake = CalcContactFrictionFromSurfaceProperties(CoulombFriction(0.2, 0.2), CoulombFriction(1, 1))
    (found,) = rubbing(path).values()
    assert found == 0.2 < drake.dynamic_friction() == pytest.approx(2 * 0.2 / 1.2)
    assert abs(drake.dynamic_friction() - found) < abs(drake.dynamic_friction() - USUAL)
    _, back = converted(tmp_path, path, "back.sdf")
    _, own = converted(tmp_path, source, "own.sdf")
    assert back.read_bytes() == own.read_bytes()
    same = put(tmp_path, text.replace(">0.2<", ">1.0<"), "same.sdf")
    report, path = converted(tmp_path, same, "same.xml")
    assert of_rule(report, "mjcf/friction-combine") == [] and rubbing(path) == {frozenset("ab"): 1.0}
    links = "".join(
        f'<link name="{name}"><collision><geometry><sphere radius="1"/></geometry>{more}</collision></link>'
        for name, more in (("a", said.format(' value="0.2"/>')), ("b", ""))
    )
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    source = put(tmp_path, f'<robot name="r">{links}{joint}</robot>', "r.urdf")
    for name, rule in (("r.xml", "mjcf/friction-combine"), ("r.sdf", "sdf/friction-combine")):
        report, path = converted(tmp_path, source, name)
        assert [each.before for each in of_rule(complete(report), rule)] == ["harmonic"]
        _, back = converted(tmp_path, path, "back.urdf")
        _, own = converted(tmp_path, source, "own.urdf")
        assert back.read_bytes() == own.read_bytes()


def test_a_world_of_bullet_multiplies(tmp_path: Path):
    world = '<world name="w"><physics name="p" type="bullet"><max_step_size>0.002</max_step_size></physics>'
    source = put(tmp_path, balls({"a": 0.5, "b": 0.8}).replace('<world name="w">', world))
    _, path = converted(tmp_path, source, "out.glb")
    assert {(each["dynamicFriction"], each["frictionCombine"]) for each in materials(path)} == {
        (0.5, "multiply"),
        (0.8, "multiply"),
    }
    report, path = converted(tmp_path, source, "out.xml")
    assert rubbing(path) == {frozenset("ab"): 0.5}  # 0.4 in Bullet, 0.8 without priorities
    (told,) = of_rule(complete(report), "mjcf/friction-combine")
    assert (told.before, told.count) == ("multiply", 2)
    for document in (path, tmp_path / "out.glb"):
        _, back = converted(tmp_path, document, "back.sdf")
        _, own = converted(tmp_path, source, "own.sdf")
        assert back.read_bytes() == own.read_bytes()


def test_a_product_that_is_nearer_to_the_larger_friction_gets_no_priorities(tmp_path: Path):
    world = '<world name="w"><physics name="p" type="bullet"><max_step_size>0.002</max_step_size></physics>'
    source = put(tmp_path, balls({"a": 0.9, "b": 1.6}).replace('<world name="w">', world))
    report, path = converted(tmp_path, source, "out.xml")
    assert rubbing(path) == {frozenset("ab"): 1.6}  # 1.44 in Bullet
    assert [each.before for each in of_rule(complete(report), "mjcf/friction-combine")] == ["multiply"]


def test_a_caster_of_a_urdf_slides_on_the_floor_of_a_scene(tmp_path: Path):
    inertia = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    shape = '<collision><geometry><sphere radius=".1"/></geometry></collision>'
    block = '<gazebo reference="base"><mu1>0</mu1><mu2>0</mu2></gazebo>'
    robot = f'<robot name="r"><link name="base">{inertia}{shape}</link>%s</robot>'
    source, bare = put(tmp_path, robot % block, "r.urdf"), put(tmp_path, robot % "", "bare.urdf")
    complete(convert(source, tmp_path / "r.xml", options=Options(base="floating")))
    model = mujoco_model(tmp_path / "r.xml")
    assert model.geom_priority.tolist() == [1] and model.geom_friction[0, 0] == 0
    convert(bare, tmp_path / "bare.xml")
    assert mujoco_model(tmp_path / "bare.xml").geom_priority.tolist() == [0]
    for name in ("r.xml", "r.glb"):
        convert(source, tmp_path / name)
        comes_back(source, tmp_path / name)
    assert [each["frictionCombine"] for each in materials(tmp_path / "r.glb")] == ["minimum"]


def test_the_rule_of_mujoco_is_told_where_the_target_has_another(tmp_path: Path):
    source = put(tmp_path, loose({"a": 0.5, "b": 2.0}), "m.xml")
    report, path = converted(tmp_path, source, "out.sdf")
    (told,) = of_rule(complete(report), "sdf/friction-combine")
    assert (told.action, told.before, told.after, told.count) == (Action.APPROXIMATED, "maximum", "", 2)
    _, back = converted(tmp_path, path, "back.xml")
    _, own = converted(tmp_path, source, "own.mjcf")
    assert back.read_bytes() == own.read_bytes()
    report, path = converted(tmp_path, source, "out.urdf")
    assert any("uses the smaller" in finding.reason for finding in complete(report).findings)
    for text in (loose({"a": 0.5, "b": 0.5}), loose({"a": None, "b": None})):
        report, _ = converted(tmp_path, put(tmp_path, text, "m.xml"), "out.sdf")
        assert of_rule(report, "sdf/friction-combine") == []


def test_priorities_that_give_the_smaller_friction_say_what_gazebo_does(tmp_path: Path):
    text = loose({"a": 0.5, "b": 2.0}).replace('"0.5"', '"0.5" priority="1"')
    report, _ = converted(tmp_path, put(tmp_path, text, "m.xml"), "out.sdf")
    assert of_rule(report, "sdf/friction-combine") == []
    (told,) = of_rule(complete(report), "sdf/contact-solver")
    assert "priority" in told.before and "priority" in told.reason
    convert(tmp_path / "m.xml", tmp_path / "m.glb")
    assert {each["frictionCombine"] for each in materials(tmp_path / "m.glb")} == {"minimum"}


@pytest.mark.parametrize(("name", "word"), [("s.sdf", "minimum"), ("s.xml", "maximum")])
def test_materials_of_gltf_say_the_rule(name: str, word: str, tmp_path: Path):
    """All materials give it: of two with different rules, average would take precedence over minimum."""
    frictions = {"a": 0.5, "b": None}
    source = put(tmp_path, balls(frictions) if name == "s.sdf" else loose(frictions), name)
    _, path = converted(tmp_path, source, "out.glb")
    found = {(each["dynamicFriction"], each["frictionCombine"]) for each in materials(path)}
    assert found == {(0.5, word), (1.0, word)}
    _, back = converted(tmp_path, path, f"back{source.suffix}")
    _, own = converted(tmp_path, source, f"own{source.suffix}")
    assert back.read_bytes() == own.read_bytes()


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("s.sdf", balls({"a": None, "b": 1.0}), {(1.0, "minimum")}),
        ("s.xml", loose({"a": None, "b": 1.0}), {(1.0, "maximum")}),
        ("s.urdf", SILENT, set()),
    ],
)
def test_silence_that_means_one_is_said_where_it_means_another(
    name: str, text: str, found: set[tuple[float, str]], tmp_path: Path
):
    """A glTF collider without a material has 0.6 and the average of two; a URDF gives no friction."""
    source = put(tmp_path, text, name)
    report, path = converted(tmp_path, source, "out.glb")
    assert {(each["dynamicFriction"], each["frictionCombine"]) for each in materials(path)} == found
    assert [each for each in complete(report).findings if "friction" in each.rule] == []
    _, back = converted(tmp_path, path, f"back{source.suffix}")
    _, own = converted(tmp_path, source, f"own{source.suffix}")
    assert back.read_bytes() == own.read_bytes()


def colliders(folder: Path, said: list[dict[str, Any] | None]) -> Path:
    """Return a foreign document with two balls at one place, with a material for each that is given."""
    tables = {
        BODIES: {"physicsMaterials": [each or {} for each in said]},
        SHAPES: {"shapes": [{"type": "sphere", "sphere": {"radius": 1}}]},
    }
    made = Made(extensionsUsed=[BODIES, SHAPES], extensions=tables)
    rubbed = [{} if each is None else {"physicsMaterial": number} for number, each in enumerate(said)]
    inner = {"motion": {"mass": 1, "inertiaDiagonal": [1, 1, 1]}}
    nodes = [
        made.node(name=name, extensions={BODIES: {**inner, "collider": {"geometry": {"shape": 0}, **rubs}}})
        for name, rubs in zip("ab", rubbed, strict=True)
    ]
    made.scene(*nodes)
    return saved(folder / "foreign.glb", made.glb())


@pytest.mark.parametrize("word", ["minimum", "maximum", "multiply", "average", None])
def test_words_of_gltf_in_mujoco_and_gazebo(word: str | None, tmp_path: Path):
    more = {} if word is None else {"frictionCombine": word}
    said = [{"staticFriction": mu, "dynamicFriction": mu, **more} for mu in (0.5, 2.0)]
    source = colliders(tmp_path, said)
    report, path = converted(tmp_path, source, "out.xml")
    exact = {"minimum": 0.5, "maximum": 2.0}
    if word in exact:
        assert rubbing(path) == {frozenset("ab"): exact[word]}
    told = {finding.action for finding in of_rule(complete(report), "mjcf/friction-combine")}
    assert told == (set() if word in exact else {Action.APPROXIMATED})
    report, _ = converted(tmp_path, source, "out.sdf")
    told = {finding.action for finding in of_rule(complete(report), "sdf/friction-combine")}
    assert told == (set() if word == "minimum" else {Action.APPROXIMATED})
    convert(source, tmp_path / "again.glb")
    assert [each.get("frictionCombine") for each in materials(tmp_path / "again.glb")] == [word, word]


@pytest.mark.parametrize("said", [None, {"restitution": 0.5}])
def test_a_collider_that_says_no_friction_has_that_of_the_draft(said: dict[str, Any] | None, tmp_path: Path):
    source = colliders(tmp_path, [said, None])
    for name in ("out.xml", "out.sdf", "out.urdf"):
        report, path = converted(tmp_path, source, name)
        assert [each for each in complete(report).findings if "combine" in each.rule] == []
        engine = converted(tmp_path, bare(path), f"{path.suffix[1:]}.xml")[1] if path.suffix == ".sdf" else path
        assert path.suffix == ".urdf" or rubbing(engine) == {frozenset("ab"): 0.6}
        convert(path, tmp_path / f"{name}.glb")
        assert {each["dynamicFriction"] for each in materials(tmp_path / f"{name}.glb")} == {0.6}
    blocks = sdformat_expands(tmp_path / "out.urdf")["document"]
    assert blocks.count("<mu>0.6") == 2


def test_who_takes_the_material_from_a_collider_leaves_that_of_the_draft(tmp_path: Path):
    _, path = converted(tmp_path, balls({"a": 0.5, "b": 2.0}), "out.gltf")
    document = json.loads(path.read_text())
    for node in document["nodes"]:
        node.get("extensions", {}).get(BODIES, {}).get("collider", {}).pop("physicsMaterial", None)
    path.write_text(json.dumps(document))
    _, back = converted(tmp_path, path, "back.xml")
    assert set(rubbing(back).values()) == {0.6}


def test_an_edit_of_the_rule_in_our_own_document_comes_back(tmp_path: Path):
    _, path = converted(tmp_path, balls({"a": 0.5, "b": 2.0}), "out.gltf")
    path.write_text(path.read_text().replace('"minimum"', '"maximum"'))
    report, back = converted(tmp_path, path, "back.xml")
    assert set(rubbing(back).values()) == {2.0}
    assert "maximum" in str([finding.after for finding in report.findings])
