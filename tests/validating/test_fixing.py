"""--fix writes a valid output, reports its changes, and changes nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree

import converters
from converters.context import InputError, Options
from converters.validating import Verdict, validate
from converters.validating.fixing import Fixed, repair
from converters.validating.repairs import REPAIRS
from converters.validating.rules import NONE, OPT_IN, SAFE, TABLE
from converters.validating.run import fix
from converters.validating.show import show
from ir.diff import differences
from tests.files import saved
from tests.ir.engines import symmetric
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import reads
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.in_urdfdom import check_urdf
from tests.validating.cases import CASES, ROUND, SECOND
from tests.validating.models import BOX, INERTIAL, LIMIT, MJCF, SDF, URDF, Case
from tests.validating.test_rules import judged

GEOMETRY = Options(missing_inertia="geometry")
REPAIRED = [case for case in CASES if TABLE[case.rule].fix != NONE]


def rules(verdict: Verdict) -> set[str]:
    return {breach.rule for breach in verdict.breaches}


@pytest.mark.parametrize("case", REPAIRED, ids=lambda case: case.rule)
def test_what_a_rule_says_is_repaired_is(case: Case, tmp_path: Path):
    verdict = judged(case, case.firing, tmp_path)
    everything = TABLE[case.rule].fix == OPT_IN
    out = tmp_path / "out" / verdict.path.rpartition("/")[2]
    fixed = repair(verdict, out, everything=everything, options=GEOMETRY)
    assert case.rule not in rules(fixed.after)
    assert case.rule in {breach.rule for breach in fixed.repaired}
    assert not [breach.rule for breach in fixed.after.breaches if fix(breach) == SAFE], "a second run finds nothing"


@pytest.mark.parametrize("case", REPAIRED, ids=lambda case: case.rule)
def test_changes_are_those_that_are_told(case: Case, tmp_path: Path):
    """Each difference between the model as read and the output as read is in the list of changes."""
    verdict = judged(case, case.firing, tmp_path)
    out = tmp_path / verdict.path.rpartition("/")[2].replace("m.", "out.")
    fixed = repair(verdict, out, everything=TABLE[case.rule].fix == OPT_IN, options=GEOMETRY)
    assert verdict.reading is not None
    told = [change.where for change in fixed.changes]
    found = differences(verdict.reading.scene, converters.read(out))
    silent = [each.where for each in found if not any(_about(each.where, place) for place in told)]
    assert [where for where in silent if "extras" not in where and not where.startswith("asset/")] == []


def _about(where: str, told: str) -> bool:
    """Whether one place is the same as the other or inside it; a renamed joint is found by its body."""
    return where.startswith(told) or told.startswith(where) or where.partition(".")[2] == told.partition(".")[2] != ""


def test_an_axis_of_length_one_leaves_nothing_to_carry(tmp_path: Path):
    path = saved(tmp_path / "m.urdf", URDF.replace('axis xyz="0 0 1"', 'axis xyz="0 0 2"'))
    repair(validate(path), tmp_path / "out.urdf")
    written = (tmp_path / "out.urdf").read_text()
    assert 'axis xyz="0 0 1"' in written and "carried" not in written


def test_safe_repairs_leave_what_the_model_means(tmp_path: Path):
    path = saved(tmp_path / "m.urdf", URDF.replace(LIMIT, f"{LIMIT}<limit lower='0'/>", 1).replace(INERTIAL, "", 1))
    fixed = repair(validate(path), tmp_path / "out.urdf")
    before, after = converters.read(path), converters.read(tmp_path / "out.urdf")
    assert [each.where for each in differences(before, after)] == ["joint/turn.extras.limit[2]"]
    assert [change.where for change in fixed.changes] == ["joint/turn.extras.limit[2]"]
    assert "INERTIA-NONE" in rules(fixed.after)


BROKEN = f"""<robot>
  <link name="base">{"<visual>" + BOX + "</visual>"}</link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial>
    <collision>{BOX}</collision></link>
  <link name="arm"/>
  <link name="hand"><visual><geometry><sphere radius="0"/></geometry></visual><visual>{BOX}</visual></link>
  <link name="far"><collision>{BOX}</collision></link>
  <joint name="hand" type="Revolute"><parent link="arm"/><child link="hand"/>
    <limit lower="1" upper="-1" effort="-3" velocity="0"/></joint>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 2"/></joint>
  <joint name="loop" type="fixed"><parent link="hand"/><child link="arm"/></joint>
  <joint name="self" type="fixed"><parent link="hand"/><child link="hand"/></joint>
  <joint name="turn" type="prismatic"><parent link="hand"/><child link="far"/>
    <limit lower=" 0" upper="inf" effort="1" velocity="1"/></joint>
  <joint name="end" type="fixed"><parent link="hand"/><child link="tip"/></joint>
  <transmission name="t"><type>x/SimpleTransmission</type><joint name="none"/></transmission>
</robot>
"""


@pytest.fixture
def broken(tmp_path: Path) -> tuple[Verdict, Fixed]:
    path = saved(tmp_path / "broken.urdf", BROKEN)
    verdict = validate(path)
    return verdict, repair(verdict, tmp_path / "out.urdf", everything=True, options=GEOMETRY)


def test_all_faults_of_a_document_are_found_at_once(broken: tuple[Verdict, Fixed]):
    wanted = {"NAME-DUP-LINK", "NAME-DUP-JOINT", "TREE-2PARENTS", "TREE-SELF", "TREE-MISSING-LINK", "NAME-ROBOT"}
    assert wanted <= rules(broken[0])
    assert broken[0].complete


def test_engines_load_what_was_repaired(broken: tuple[Verdict, Fixed]):
    """Acceptance test 40 of the URDF reference: urdfdom, Pinocchio, MuJoCo and Drake."""
    out = Path(broken[1].files[0])
    assert broken[1].after.exit_code in (0, 1)
    assert not [breach for breach in broken[1].after.breaches if breach.rule.startswith(("TREE", "NAME", "LIMIT-O"))]
    assert check_urdf(out) is None
    assert reads(out) is None
    assert mujoco_model(out).njnt == 3
    assert {"base", "arm", "hand", "far", "tip"} <= set(drake_reads(out)["bodies"])


def test_a_second_run_has_nothing_to_do(broken: tuple[Verdict, Fixed], tmp_path: Path):
    again = repair(broken[1].after, tmp_path / "again.urdf", everything=True, options=GEOMETRY)
    assert again.changes == ()


def test_what_cannot_be_repaired_is_not_written(tmp_path: Path):
    path = saved(tmp_path / "m.urdf", URDF.replace('xyz="0 0 1"', 'xyz="0 0 one"', 1))
    with pytest.raises(InputError, match=r"nothing was written: NUM-PARSE.*only its author"):
        repair(validate(path), tmp_path / "out.urdf", everything=True)
    path.write_text(URDF.replace('name="end"', 'name="bend"', 1))
    with pytest.raises(InputError, match=r"NAME-DUP-JOINT.*--fix all"):
        repair(validate(path), tmp_path / "out.urdf")
    assert not (tmp_path / "out.urdf").exists()


def test_moments_that_no_body_has_are_those_of_the_nearest_one_that_engines_take(tmp_path: Path):
    """No geometry gives better ones. Readers rotate oblique axes, and rounding must not invalidate the result."""
    tensor = '<inertia ixx="1" iyy="1.2" izz="4" ixy="0.3" ixz="0.2" iyz="-0.4"/>'
    inertial = f'<inertial><origin xyz="0.1 0 0" rpy="0.3 0.2 0.1"/><mass value="2"/>{tensor}</inertial>'
    joint = f'<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>{LIMIT}</joint>'
    path, out = tmp_path / "m.urdf", tmp_path / "out.urdf"
    path.write_text(f'<robot name="r"><link name="a"/><link name="b">{inertial}</link>{joint}</robot>')
    verdict = validate(path)
    assert "INERTIA-TRI" in rules(verdict)
    with pytest.raises(ValueError, match="inertia"):
        mujoco_model(path)
    fixed = repair(verdict, out, everything=True)
    assert not {rule for rule in rules(fixed.after) if rule.startswith("INERTIA")}
    made = converters.read(out).body("b").inertial
    assert made is not None and made.mass == 2.0
    first, second, third = sorted(np.linalg.eigvalsh(symmetric(made.tensor)))
    given = np.linalg.eigvalsh([[1, 0.3, 0.2], [0.3, 1.2, -0.4], [0.2, -0.4, 4]])
    assert (first, second) == pytest.approx(tuple(given[:2]))
    assert 0 < first + second - third < 1e-5
    assert mujoco_model(out).nbody == 2, "MuJoCo makes its root a part of the world"
    assert drake_reads(out)["joints"]


def test_an_open_mesh_weighs_what_its_hull_does(tmp_path: Path):
    """A cube of 0.2 m without its lid, at 500 kg/m^3; then with a mass for which the model has 20 kg."""
    corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {' '.join(map(str, face))}" for face in faces]
    (tmp_path / "open.obj").write_text("\n".join(lines))
    path = tmp_path / "m.urdf"
    text = URDF.replace(INERTIAL, "", 1)
    head, upper, rest = text.partition('<link name="upper">')
    path.write_text(head + upper + rest.replace(BOX, '<geometry><mesh filename="open.obj"/></geometry>', 2))
    for options, mass in ((Options(missing_inertia="geometry", density=500.0), 4.0), (None, 12.0)):
        wanted = options or Options(missing_inertia="geometry", total_mass=20.0)
        fixed = repair(validate(path), tmp_path / "out.urdf", everything=True, options=wanted)
        inertial = converters.read(tmp_path / "out.urdf").body("upper").inertial
        assert inertial is not None
        assert inertial.mass == pytest.approx(mass)
        assert inertial.tensor[:3] == pytest.approx([mass * 0.04 / 6] * 3)
        (told,) = [change for change in fixed.changes if change.where == "body/upper.inertial"]
        assert "convex hull" in told.reason


def test_every_repair_is_of_a_rule_that_says_so():
    for each in REPAIRS:
        assert {TABLE[rule].fix for rule in each.rules} == {each.fix}


def test_packages_are_found_from_another_place(tmp_path: Path):
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    (tmp_path / "arm" / "meshes" / "b.obj").write_bytes(ROUND)
    path = tmp_path / "arm" / "m.urdf"
    path.write_text(URDF.replace(BOX, '<geometry><mesh filename="package://arm/meshes/b.obj"/></geometry>', 1))
    fixed = repair(validate(path), tmp_path / "elsewhere" / "out.urdf")
    assert "MESH-MISSING" not in rules(fixed.after)


def test_a_file_that_was_guessed_goes_along(tmp_path: Path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "b.obj").write_bytes(ROUND)
    path = tmp_path / "m.urdf"
    path.write_text(URDF.replace(BOX, '<geometry><mesh filename="package://lost/meshes/b.obj"/></geometry>', 1))
    fixed = repair(validate(path), tmp_path / "elsewhere" / "out.urdf")
    assert [Path(file).name for file in fixed.files] == ["out.urdf", "b.obj"]
    assert not {"MESH-MISSING", "MESH-HEUR"} & rules(validate(fixed.files[0]))


def test_an_address_that_leads_nowhere_from_the_output_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Only the folder of the source has it: an Ogre script, which keeps its address."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "x.material").write_text("material X { technique { pass { diffuse 1 0 0 1 } } }")
    look = "<material><script><uri>scripts</uri><name>X</name></script></material></visual>"
    verdict = validate(saved(tmp_path / "m.sdf", SDF.replace("</visual>", look, 1)))
    assert "SDF-MATERIAL-SCRIPT" not in rules(verdict)
    for folder, told in ((tmp_path, 0), (tmp_path / "elsewhere", 1)):
        fixed = repair(verdict, folder / "out.sdf")
        show(verdict, fixed)
        lines = [line for line in capsys.readouterr().out.splitlines() if "SDF-MATERIAL-SCRIPT" in line]
        assert [line.startswith(f"{folder}/out.sdf:") for line in lines] == [True] * told


def test_repairing_a_gltf_again_finds_nothing_more(tmp_path: Path):
    """Its embedded content is not a file of another document."""
    path = saved(tmp_path / "0.glb", trimesh.creation.box().export(file_type="glb"))
    for index in (1, 2, 3):
        repair(validate(path), tmp_path / f"{index}.glb")
        path.unlink()
        path = tmp_path / f"{index}.glb"
        assert "CARRIED-FILE" not in rules(validate(path))


MJCF_FAULTS = (
    ('<geom name="h" type="box" size="0.1 0.1 0.1"/>', ""),
    ('<geom name="h"', '<inertial pos="0 0 0" mass="1" diaginertia="1 1 5"/><geom name="h"'),
    ('<geom name="h"', '<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1.5"/><geom name="h"'),
    ('name="g" type="box" size="0.1 0.1 0.1"', 'name="g" type="box" size="0.1 0 0.1"'),
)


@pytest.mark.parametrize(("old", "new"), MJCF_FAULTS)
def test_mujoco_takes_an_mjcf_that_was_repaired(old: str, new: str, tmp_path: Path):
    path = saved(tmp_path / "m.xml", MJCF.replace(old, new, 1))
    with pytest.raises(ValueError):
        mujoco_model(path)
    fixed = repair(validate(path), tmp_path / "out.xml", everything=True, options=GEOMETRY)
    assert mujoco_model(tmp_path / "out.xml").nbody == 3
    assert fixed.after.exit_code == 0
    sound = converters.read(tmp_path / "out.xml").body("upper")
    assert sound.inertial is None or "size" in old, "what MuJoCo works out by itself is left to it"


@pytest.mark.parametrize(("old", "new"), [("<izz>0.0533", "<izz>5"), ("<mass>8", "<mass>-8")])
def test_libsdformat_takes_an_sdf_that_was_repaired(old: str, new: str, tmp_path: Path):
    path = saved(tmp_path / "m.sdf", SDF.replace(old, new))
    assert sdformat_reads(path)["errors"]
    repair(validate(path), tmp_path / "out.sdf", everything=True, options=GEOMETRY)
    assert sdformat_reads(tmp_path / "out.sdf")["errors"] == []


def test_of_two_shapes_of_an_sdf_the_one_that_counts_stays(tmp_path: Path):
    path = tmp_path / "m.sdf"
    path.write_text(SDF.replace("</box></geometry>", "</box><sphere><radius>9</radius></sphere></geometry>", 1))
    verdict = validate(path)
    fixed = repair(verdict, tmp_path / "out.sdf")
    assert {breach.rule for breach in fixed.repaired} == rules(verdict) - rules(fixed.after) == {"GEOM-COUNT"}
    shapes = [[shape.tag for shape in each] for each in etree.parse(tmp_path / "out.sdf").iter("geometry")]
    assert shapes == [["box"]] * 4


FOREIGN = (
    ('name="end" type="fixed"', 'name="end" type="ball"', "several roots|type|spherical|Two root links"),
    ('name="end" type="fixed"', 'name="end" type="spherical"', "type|spherical"),
    (f"<collision>{BOX}", '<collision><geometry><plane normal="0 0 1"/></geometry>', "plane"),
    (f"<collision>{BOX}", '<collision><geometry><cone radius="1" length="1"/></geometry>', "cone"),
    (f"<collision>{BOX}", '<collision><geometry><drake:ellipsoid a="1" b="1" c="2"/></geometry>', "ellipsoid"),
)


@pytest.mark.parametrize(("old", "new", "complaint"), FOREIGN)
def test_urdfdom_takes_what_only_a_dialect_has(old: str, new: str, complaint: str, tmp_path: Path):
    """A ball becomes three joints, a plane a thin box, other shapes a mesh."""
    path = tmp_path / "m.urdf"
    path.write_text(URDF.replace(old, new, 1).replace("<robot ", '<robot xmlns:drake="https://drake.mit.edu/" ', 1))
    assert re.search(complaint, check_urdf(path) or "")
    fixed = repair(validate(path), tmp_path / "out.urdf", everything=True, options=GEOMETRY)
    assert rules(fixed.after) <= {"MESH-FACES", "MESH-SCALE", "MESH-SAME"}
    out = Path(fixed.files[0])
    assert check_urdf(out) is None
    assert mujoco_model(out).nv == (5 if "end" in old else 2)
    assert reads(out) is None
    assert {"base_link", "upper", "lower", "tip"} <= set(drake_reads(out)["bodies"])


def test_drake_takes_two_motors_of_one_name_and_a_follower_of_a_weld(tmp_path: Path):
    for text in (
        URDF.replace("</robot>", f"{SECOND.format('motor')}</robot>"),
        URDF.replace('mimic joint="turn"', 'mimic joint="end"'),
    ):
        path = saved(tmp_path / "m.urdf", text)
        with pytest.raises(RuntimeError, match=r"motor|mimic"):
            drake_reads(path)
        fixed = repair(validate(path), tmp_path / "out.urdf", everything=True, options=GEOMETRY)
        assert fixed.after.exit_code == 0
        assert drake_reads(tmp_path / "out.urdf")["bodies"]


def test_a_change_is_told_with_the_rule_that_it_answers(tmp_path: Path):
    (tmp_path / "in.urdf").write_text(
        f"""<robot name="r"><link name="a">{INERTIAL}<visual><geometry>{BOX}</geometry></visual>
        <collision><geometry>{BOX}</geometry><material name="red"/></collision></link><link name="b">{INERTIAL}</link>
        <joint name="j" type="fixed"><parent link="a"/><child link="b"/>{LIMIT}</joint></robot>"""
    )
    fixed = repair(validate(tmp_path / "in.urdf"), tmp_path / "out.urdf")
    told = {change.where: change.rules for change in fixed.changes}
    assert told == {
        "body/a.geoms.a_collision_0.extras.material[1]": ("MAT-COLLISION",),
        "joint/j.extras.limit[1]": ("LIMIT-FIXED",),
    }


def test_a_block_that_libsdformat_refuses_hinders_no_repair_of_the_rest(tmp_path: Path):
    source = saved(tmp_path / "r.urdf", URDF.replace("<mu1>0.5<", "<sensor name='s' type='sixth'/><mu1>0.5<"))
    fixed = repair(validate(source), tmp_path / "out.urdf", everything=True)
    assert "EXT-GZ-BLOCK" in [breach.rule for breach in fixed.after.breaches]


@pytest.mark.parametrize("colour", ["[0.1 0.2 0.3 1. ]", "0,1 0,2 0,3 1", ""])
def test_a_colour_that_is_none_is_taken_out(tmp_path: Path, colour: str):
    """urdfdom complains about it, and its intended value is unknown."""
    look = f'<material name="grey"><color rgba="{colour}"/></material>'
    path = saved(tmp_path / "m.urdf", URDF.replace('<material name="grey"/>', look, 1))
    assert [each.rule for each in validate(path).breaches if each.rule.startswith("MAT-")] == ["MAT-RGBA"]
    fixed = repair(validate(path), tmp_path / "out.urdf")
    assert [each.rule for each in fixed.repaired] == ["MAT-RGBA"]
    assert check_urdf(tmp_path / "out.urdf") is None
