"""Edits of the parts into which one object was split arrive as edited; unedited parts are merged again."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert
from converters.report.model import Report
from tests.conftest import MADE
from tests.oracles import plain_urdf
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_pinocchio import pinocchio_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import explained, of_rule, stale

BODY = '<mujoco model="m"><worldbody><body name="b"><joint name="j"/>{}</body></worldbody></mujoco>'
BOX = BODY.format('<geom name="g" type="box" size="1 1 1" rgba="1 0 0 1"/>')
LEG = BODY.format('<geom name="leg" type="capsule" size="0.05 0.2" rgba="1 0 0 1"/>')


def back(
    folder: Path,
    source: str | Path,
    through: str,
    edits: list[tuple[str, Any]],
    target: str = "back.xml",
    options: Options | None = None,
) -> tuple[Path, Report]:
    """Convert the source, edit that (pattern, replacement), convert it to a third format; return path and report."""
    if isinstance(source, str):
        (folder / "source.xml").write_text(source)
        source = folder / "source.xml"
    written = folder / through
    convert(source, written, options=options)
    text = written.read_text()
    for pattern, other in edits:
        text, count = re.subn(pattern, other, text, flags=re.DOTALL)
        assert count, pattern
    written.write_text(text)
    report = explained(convert(written, folder / target))
    return folder / target, report


def elements(path: Path, name: str) -> list[etree._Element]:
    return plain_urdf.parse(path).findall(f".//{name}")


def solids(path: Path) -> dict[str, list[float]]:
    """Return size and position of the colliding geoms of a document, read by MuJoCo."""
    model = mujoco_model(path)
    found = [model.geom(index) for index in range(model.ngeom)]
    return {geom.name: [*geom.size, *geom.pos] for geom in found if geom.contype[0]}


@pytest.mark.parametrize(
    ("through", "edit", "size", "place"),
    [
        ("w.urdf", (r"(<collision.*?)2 2 2", r"\g<1>3 3 3"), 1.5, 0),
        ("w.urdf", (r"(<visual.*?)2 2 2", r"\g<1>3 3 3"), 1, 0),
        ("w.urdf", (r"(<collision[^>]*>)", r'\g<1><origin xyz="0 0 5"/>'), 1, 5),
        ("w.sdf", (r"(<collision.*?)2 2 2", r"\g<1>3 3 3"), 1.5, 0),
        ("w.sdf", (r"(<visual[^>]*>)", r"\g<1><pose>0 0 1 0 0 0</pose>"), 1, 0),
    ],
)
def test_half_of_a_pair_that_is_edited_is_a_geom_of_its_own(
    tmp_path: Path, through: str, edit: tuple[str, str], size: float, place: float
) -> None:
    written, report = back(tmp_path, BOX, through, [edit])
    (solid,) = solids(written).values()
    assert solid == [size, size, size, 0, 0, place]
    model = mujoco_model(written)
    assert model.ngeom == 2
    assert model.body("b").mass == pytest.approx(8000)  # as the edited document says, and not by two geoms
    assert stale(report) == {"body/b.geoms.g", "body/b.inertial"}


@pytest.mark.parametrize("target", ["again.urdf", "again.sdf"])
def test_the_edited_half_of_a_pair_is_in_every_format(tmp_path: Path, target: str) -> None:
    written, report = back(tmp_path, BOX, "w.urdf", [(r"(<collision.*?)2 2 2", r"\g<1>3 3 3")], target)
    root = etree.parse(written)
    said = {
        tag: "".join(root.xpath(f"//{tag}//box/@size | //{tag}//box/size/text()")) for tag in ("visual", "collision")
    }
    assert said == {"visual": "2 2 2", "collision": "3 3 3"}
    assert stale(report) == {"body/b.geoms.g", "body/b.inertial"}


@pytest.mark.parametrize("through", ["w.urdf", "w.sdf"])
def test_a_pair_that_is_edited_alike_is_one_geom(tmp_path: Path, through: str) -> None:
    written, report = back(tmp_path, BOX, through, [("2 2 2", "3 3 3")])
    assert solids(written) == {"g": [1.5, 1.5, 1.5, 0, 0, 0]}
    model = mujoco_model(written)
    assert (model.ngeom, model.body_mass[1]) == (1, 8000), "the document says 8 t, and it was not edited"
    assert stale(report) == {"body/b.inertial"}


@pytest.mark.parametrize("target", ["back.xml", "back.sdf", "back.urdf"])
@pytest.mark.parametrize(
    ("through", "edit", "mass"),
    [
        ("w.urdf", ('(<(?:visual|collision) name=")g', r"\1shell"), 8000),
        ("w.sdf", ('(<(?:visual|collision) name=")g', r"\1shell"), 8000),
        ("w.sdf", ("2 2 2", "3 3 3"), 8000),
        ("w.urdf", ('xyz="0 1 0"|<visual name="g">', r'\g<0><origin xyz="0 0 1"/>'), 8000),
        ("w.urdf", ("<inertial>.*?</inertial>", ""), 0),
        ("w.sdf", ("<mass>8000</mass>", "<mass>7</mass>"), 7),
    ],
)
def test_a_body_weighs_what_the_edited_document_says(
    tmp_path: Path, through: str, edit: tuple[str, str], mass: float, target: str
) -> None:
    """The author gives no mass and MuJoCo computes it from the geom, as long as the geom is what was written."""
    written, report = back(tmp_path, BOX, through, [edit], target)
    assert stale(report)
    if target == "back.sdf":
        found = etree.parse(written).findtext(".//mass")
        assert (sdformat_reads(written)["errors"], float(found or "nan")) == ([], mass)
        return
    if target == "back.urdf":
        weighed = sum(each.mass for each in pinocchio_model(written).inertias)
        assert weighed == pytest.approx(mass)
        return
    assert mujoco_model(written).body("b").mass == pytest.approx(mass, abs=2e-6)


def test_the_colour_of_a_pair_is_that_of_the_half_that_is_seen(tmp_path: Path) -> None:
    written, report = back(tmp_path, BOX, "w.urdf", [('rgba="1 0 0 1"', 'rgba="0 1 0 1"')])
    model = mujoco_model(written)
    assert model.ngeom == 1
    np.testing.assert_allclose(model.geom("g").rgba, [0, 1, 0, 1])
    assert stale(report) == set()


@pytest.mark.parametrize(
    ("edit", "sizes"),
    [
        ((r"(<collision.*)", lambda found: found[0].replace('radius="0.05"', 'radius="0.09"')), {0.09}),
        ((r'<sphere radius="0.05"', '<sphere radius="0.5"'), {0.05, 0.5}),
        ((r"(<collision[^>]*>\s*)(?=<geometry>)", r'\g<1><origin xyz="0 0 5"/>'), {0.05}),
    ],
)
def test_the_parts_of_a_capsule_that_are_edited_stand_as_they_are(tmp_path: Path, edit, sizes: set[float]) -> None:
    written, report = back(tmp_path, LEG, "w.urdf", [edit])
    found = solids(written)
    assert len(found) == 3
    assert {size[0] for size in found.values()} == sizes
    assert max(size[-1] for size in found.values()) == (5 if sizes == {0.05} else 0.2)
    assert stale(report) == {"body/b.geoms.leg", "body/b.inertial"}


SHADE = "<cast_shadows>false</cast_shadows>"
FEW = "<max_contacts>3</max_contacts>"
GLOW = "<lighting>false</lighting>"


@pytest.mark.parametrize(
    ("edit", "tag", "places"),
    [
        ((r"(<visual[^>]*>)", rf"\1{SHADE}"), "cast_shadows", ["visual"]),
        ((r"(<visual[^>]*>)", r"\1<visibility_flags>2</visibility_flags>"), "visibility_flags", ["visual"]),
        ((r"(<visual[^>]*>)", r"\1<plugin name='p' filename='p'/>"), "plugin", ["visual"]),
        ((r"(<material[^>]*>)", rf"\1{GLOW}"), "lighting", ["material"]),
        ((r"(<collision[^>]*>)", rf"\1{FEW}"), "max_contacts", ["collision"]),
        ((r"(<collision[^>]*>)", r"\1<laser_retro>9</laser_retro>"), "laser_retro", ["collision"]),
    ],
)
def test_what_is_added_to_one_half_of_a_pair_is_said_of_that_half(
    tmp_path: Path, edit: tuple[str, str], tag: str, places: list[str]
) -> None:
    written, report = back(tmp_path, BOX, "w.sdf", [edit])
    model = mujoco_model(written)
    assert model.body("b").mass == pytest.approx(8000)
    assert "body/b.geoms.g" in stale(report)
    convert(tmp_path / "w.sdf", tmp_path / "same.sdf")
    convert(written, tmp_path / "again.sdf")
    for name in ("same.sdf", "again.sdf"):
        assert sdformat_reads(tmp_path / name)["errors"] == []
        found = etree.parse(tmp_path / name).findall(f".//{tag}")
        assert [each.getparent().tag for each in found] == places


TOUCHED = f"""<sdf version="1.9"><model name="m"><link name="l">
<visual name="v">{SHADE}<geometry><sphere><radius>.2</radius></sphere></geometry></visual>
<collision name="c">{FEW}<geometry><sphere><radius>.1</radius></sphere></geometry></collision></link></model></sdf>"""


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        ((r'(name="v" )class="visual"', r'\1class="collision"'), ["body/l.geoms.v.extras.cast_shadows[1]"]),
        ((r'(name="c" )class="collision"', r'\1class="visual"'), ["body/l.geoms.c.extras.max_contacts[1]"]),
        ((r'(name="v" )class="visual"', r"\1"), []),
        ((r'(name="c" )class="collision"', r"\1"), []),
    ],
)
def test_what_is_said_of_one_role_is_not_written_of_another(
    tmp_path: Path, edit: tuple[str, str], told: list[str]
) -> None:
    (tmp_path / "s.sdf").write_text(TOUCHED)
    written, report = back(tmp_path, tmp_path / "s.sdf", "w.xml", [edit], "back.sdf")
    assert sdformat_reads(written)["errors"] == []
    assert [each.where for each in of_rule(report, "sdf/version")] == told
    found = [*elements(written, "cast_shadows"), *elements(written, "max_contacts")]
    assert len(found) == 2 - len(told)
    assert {(each.tag, each.getparent().tag) for each in found} <= {
        ("cast_shadows", "visual"),
        ("max_contacts", "collision"),
    }
    convert(written, tmp_path / "again.xml")
    convert(tmp_path / "again.xml", tmp_path / "again.sdf")
    assert (tmp_path / "again.sdf").read_bytes() == written.read_bytes()


@pytest.mark.parametrize(
    ("geom", "alpha"),
    [
        ('<geom name="g" type="box" size="1 1 1" rgba="1 0 0 1"/>', 0.5),
        ('<geom name="g" type="box" size="1 1 1" rgba="1 0 0 .5" contype="0" conaffinity="0"/>', 0.25),
    ],
)
def test_a_transparency_that_is_added_is_in_the_colour(tmp_path: Path, geom: str, alpha: float) -> None:
    edit = (r"(<visual[^>]*>)", r"\1<transparency>0.5</transparency>")
    written, report = back(tmp_path, BODY.format(geom), "w.sdf", [edit])
    model = mujoco_model(written)
    assert model.ngeom == 1
    np.testing.assert_allclose(model.geom("g").rgba, [1, 0, 0, alpha])
    told = {each.where: each.action for each in of_rule(report, "looks/transparency")}
    assert told["body/b.geoms.g.transparency"] == "carried"
    convert(written, tmp_path / "again.sdf")
    assert [each.text for each in elements(tmp_path / "again.sdf", "transparency")] == ["0.5"]
    convert(tmp_path / "w.sdf", tmp_path / "third.urdf")  # where it is carried, and the colour is what is seen
    report = convert(tmp_path / "third.urdf", tmp_path / "third.xml")
    np.testing.assert_allclose(mujoco_model(tmp_path / "third.xml").geom("g").rgba, [1, 0, 0, alpha])
    explained(report)


def test_a_capsule_that_is_not_edited_is_one_in_its_own_colour(tmp_path: Path) -> None:
    written, report = back(tmp_path, LEG, "w.urdf", [])
    assert solids(written) == {"leg": [0.05, 0.2, 0, 0, 0, 0]}
    assert report.findings == ()
    assert "rgba" in written.read_text()


@pytest.mark.parametrize("part", ["visual", "collision"])
@pytest.mark.parametrize(
    "digits", [('xyz="[^"]*"', 'xyz="0.5 0 0"'), ("-1.5707963267948966", "-1.570796"), ("-17", "-18")]
)
def test_a_capsule_collides_though_one_half_of_it_has_lost_digits(
    part: str, digits: tuple[str, str], tmp_path: Path
) -> None:
    model = BODY.format('<geom name="leg" type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>')
    pattern = rf'(<{part} name="leg[^"]*cap2">[^<]*<origin [^/]*?){digits[0]}'
    written, report = back(tmp_path, model, "w.urdf", [(pattern, rf"\g<1>{digits[1]}")])
    assert np.allclose(solids(written)["leg"], [0.05, 0.25, 0, 0.25, 0, 0])
    assert report.findings == ()


def test_the_colour_of_the_parts_of_a_capsule_is_that_of_the_capsule(tmp_path: Path) -> None:
    written, report = back(tmp_path, LEG, "w.urdf", [('rgba="1 0 0 1"', 'rgba="0 1 0 1"')])
    model = mujoco_model(written)
    assert model.ngeom == 1
    np.testing.assert_allclose(model.geom("leg").rgba, [0, 1, 0, 1])
    assert stale(report) == set()


@pytest.mark.parametrize(
    ("edit", "visuals", "says"),
    [
        ((r'(name="v_1"[^>]*?)pos="0 0 0.5"', r'\g<1>pos="0 0 5"'), 2, 'xyz="0 0 5"'),
        ((r'<geom name="v_1"[^>]*>', ""), 1, "two_materials_0.obj"),
        ((r'rgba="1 0 0 1"', 'rgba="0 1 0 1"'), 2, 'rgba="0 1 0 1"'),
    ],
)
def test_a_part_of_a_mesh_that_is_edited_is_a_mesh_of_its_own(
    tmp_path: Path, edit: tuple[str, str], visuals: int, says: str
) -> None:
    written, report = back(tmp_path, MADE / "feature_mesh_parts.urdf", "w.xml", [edit], "back.urdf")
    assert len(elements(written, "visual")) == visuals
    assert says in written.read_text()
    assert stale(report)


def test_a_mesh_whose_parts_are_not_edited_is_one(tmp_path: Path) -> None:
    shutil.copytree(MADE / "meshes", tmp_path / "meshes")
    written, report = back(tmp_path, MADE / "feature_mesh_parts.urdf", "w.xml", [], "back.urdf")
    assert len(elements(written, "visual")) == len(elements(written, "collision")) == 1
    assert stale(report) == set()


@pytest.mark.parametrize(
    ("edit", "names"),
    [
        ((r"<gyro ", '<gyro cutoff="3" user="1 2" '), {"cutoff", "user", "3", "1 2"}),
        ((r"<site ", '<site rgba="1 0 0 1" '), {"1 0 0 1"}),
    ],
)
def test_what_one_sensor_of_several_has_alone_is_not_lost(
    tmp_path: Path, edit: tuple[str, str], names: set[str]
) -> None:
    written, report = back(tmp_path, MADE / "feature_sdf_standing.sdf", "w.xml", [edit], "back.sdf")
    assert "sensor/s" in stale(report)
    text = written.read_text()
    assert all(name in text for name in names)
    told = {
        finding.where for finding in report.findings if finding.rule == "mjcf/device" and finding.action == "carried"
    }
    assert told == {"sensor/s_accelerometer", "sensor/s_gyro", "sensor/s_framequat"}


def test_noise_of_the_parts_of_a_sensor_is_that_of_the_sensor(tmp_path: Path) -> None:
    edits = [(r"<gyro ", '<gyro noise="0.5" ')]
    written, report = back(tmp_path, MADE / "feature_sdf_standing.sdf", "w.xml", edits, "back.sdf")
    assert stale(report) == set()
    assert etree.parse(written).xpath("//imu/angular_velocity/x/noise/stddev/text()") == ["0.5"]


TWO = """
<mujoco model="m"><worldbody>
 <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>
 <body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body>
</worldbody><equality><connect name="c" body1="a" body2="b" anchor="0.5 0 0"/></equality></mujoco>
"""


def test_what_held_a_body_that_is_deleted_goes_with_it(tmp_path: Path) -> None:
    written, report = back(tmp_path, TWO, "w.sdf", [(r'<link name="b">.*?</link>', "")])
    model = mujoco_model(written)
    assert (model.nbody, model.neq) == (2, 0)
    assert sum(finding.count for finding in of_rule(report, "carried/stale")) == 3


def test_what_drove_a_joint_that_is_renamed_drives_it(tmp_path: Path) -> None:
    source = BODY.format('<geom size=".1"/>').replace(
        "</worldbody>", '</worldbody><actuator><motor name="m" joint="j"/></actuator>'
    )
    written, report = back(tmp_path, source, "w.sdf", [('<joint name="j"', '<joint name="k"')])
    model = mujoco_model(written)
    assert (model.njnt, model.joint(0).name, model.nu) == (1, "k", 1)
    assert not of_rule(report, "carried/stale")


@pytest.mark.parametrize("shape", ["cone", "polyline"])
def test_a_mesh_that_stood_for_a_shape_stays_with_the_geom_that_is_renamed(tmp_path: Path, shape: str) -> None:
    source = MADE / "feature_sdf_shapes.sdf"
    written, _ = back(tmp_path, source, "w.xml", [(rf'(<geom [^>]*)name="{shape}"', r'\g<1>name="hat"')], "back.sdf")
    root = etree.parse(written)
    assert root.xpath("//collision[@name='hat']//uri | //visual[@name='hat']//uri")


def test_parts_are_one_shape_where_their_body_has_another_name(tmp_path: Path) -> None:
    edit = ('<link name="base"', '<link name="seat"')
    written, _ = back(tmp_path, MADE / "feature_sdf_standing.sdf", "w.urdf", [edit])
    assert {name: mujoco.mjtGeom(kind).name for name, kind in _kinds(written)} == {
        "cone": "mjGEOM_MESH",
        "v": "mjGEOM_CAPSULE",
        "v_1": "mjGEOM_BOX",
    }


def _kinds(path: Path) -> list[tuple[str, int]]:
    model = mujoco_model(path)
    return [(model.geom(index).name, model.geom_type[index]) for index in range(model.ngeom)]


def test_a_material_is_defined_where_the_geom_that_did_so_has_no_shape_any_more(tmp_path: Path) -> None:
    edit = (r'(name="base_visual_1">\s*<geometry>).*?(</geometry>)', r"\1\2")
    written, _ = back(tmp_path, MADE / "feature_materials.urdf", "w.sdf", [edit], "back.urdf")
    colours = {each.get("name"): each.find("color") for each in elements(written, "material")}
    assert colours["inline"] is not None
    assert colours["inline"].get("rgba") == "1 0 0 0.5"


@pytest.mark.parametrize("target", ["back.xml", "back.sdf", "back.urdf"])
def test_a_height_field_has_its_image_where_what_holds_it_was_renamed(tmp_path: Path, target: str) -> None:
    Image.fromarray(np.array([[0, 128, 255], [64, 0, 32], [9, 200, 0]], np.uint8)).save(tmp_path / "hill.png")
    source = '<mujoco><asset><hfield name="rough" file="hill.png" size="1 1 .5 .1"/></asset><worldbody>'
    source += '<geom type="hfield" hfield="rough"/></worldbody></mujoco>'
    edits = [('<link name="ground"', '<link name="soil"'), ('<model name="ground"', '<model name="soil"')]
    written, _ = back(tmp_path, source, "w.sdf", edits, target)
    if target == "back.xml":
        assert mujoco_model(written).hfield_nrow.tolist() == [3]
    else:
        (image,) = {each.text or each.get("filename") for each in elements(written, "uri") + elements(written, "mesh")}
        assert (tmp_path / str(image)).is_file()


@pytest.mark.parametrize(
    ("default", "geoms", "edit"),
    [
        (
            '<geom rgba=".9 .7 .1 1"/>',
            '<geom name="g" size="1" rgba="1 0 0 1"/><geom name="h" size=".2"/>',
            (r"<diffuse>1 0 0 1", "<diffuse>0 1 0 1"),
        ),
        (
            '<geom rgba=".9 .7 .1 1"/><default class="c"><geom rgba="1 0 0 1"/></default>',
            '<geom name="g" size="1" class="c"/><geom name="h" size=".2"/>',
            (r"<diffuse>1 0 0 1", "<diffuse>0 1 0 1"),
        ),
    ],
)
def test_a_default_colour_that_an_edit_takes_away_is_written_where_it_shows(
    tmp_path: Path, default: str, geoms: str, edit: tuple[str, str]
) -> None:
    source = BODY.format(geoms).replace("<worldbody>", f"<default>{default}</default><worldbody>")
    written, report = back(tmp_path, source, "w.sdf", [edit])
    model = mujoco_model(written)
    geom = model.geom("g")
    np.testing.assert_allclose(model.mat(geom.matid[0]).rgba if geom.matid[0] >= 0 else geom.rgba, [0, 1, 0, 1])
    np.testing.assert_allclose(model.geom("h").rgba, [0.9, 0.7, 0.1, 1])
    assert {each.rule for each in report.findings} <= {"carried/stale", "mjcf/material"}
    plain, report = back(tmp_path, source, "v.sdf", [], "plain.xml")
    assert next(each.get("rgba") for each in plain_urdf.parse(plain).findall(".//default/geom")) == ".9 .7 .1 1"
    assert report.findings == ()


SCRIPTED = """<visual name="v{0}"><cast_shadows>false</cast_shadows><geometry><box><size>1 1 {0}</size></box></geometry>
<material><script><uri>file://materials/scripts/own.material</uri><name>own/mud</name></script></material></visual>"""
MUD = "material own/mud {\n technique {\n pass {\n diffuse .5 .5 .5 1\n specular .2 .2 .2 1 12\n }\n }\n}"


def test_a_material_that_gets_a_name_of_its_own_takes_nothing_from_those_that_keep_theirs(tmp_path: Path) -> None:
    """SDFormat has no material names: one that the reader invents may be the name of another."""
    (tmp_path / "box/materials/scripts").mkdir(parents=True)
    (tmp_path / "box/materials/scripts/own.material").write_text(MUD)
    visuals = "".join(SCRIPTED.format(number) for number in (1, 2, 3))
    source = tmp_path / "box/m.sdf"
    source.write_text(f'<sdf version="1.5"><model name="m"><link name="a">{visuals}</link></model></sdf>')
    edit = (r'(<visual name="a_v1">.*?)"v1_material"', r'\g<1>"own"')
    written, _ = back(tmp_path, source, "w.urdf", [edit], "back.sdf")
    assert [each.text for each in elements(written, "specular")] == ["0.2 0.2 0.2 1"] * 2
