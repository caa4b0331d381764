"""A file made from another one that is missing on the way back, or a made file that was changed: the made file is used
instead, which is reported. Meshes are judged by trimesh."""

from __future__ import annotations

import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters import Options, convert
from converters.report.model import Report
from tests.converters.meshes import INSTANCE, dae
from tests.files import saved
from tests.reports import of_rule

ROBOT = """<robot name="r"><link name="a"><visual><geometry><mesh filename="meshes/{0}"/></geometry></visual>
<collision><geometry><mesh filename="meshes/{0}"/></geometry></collision></link></robot>"""
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
FACES = f'<triangles count="4">{INPUT}<p>0 1 2 0 1 3 0 2 3 1 2 3</p></triangles>'
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MADE = "carried/made-file"
PAINT = """<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert>
<diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="k"><instance_effect url="#e"/></material></library_materials>"""
PAINTED = """<node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="m" target="#k"/></technique_common></bind_material></instance_geometry></node>"""


def moved(folder: Path, name: str, content: str) -> Path:
    """Convert a robot with this mesh to MJCF, and move it with its files to where nothing else is found."""
    (folder / "source" / "meshes").mkdir(parents=True)
    (folder / "source" / "meshes" / name).write_text(content)
    convert(saved(folder / "source" / "r.urdf", ROBOT.format(name)), folder / "out" / "r.xml")
    shutil.copytree(folder / "out", folder / "far" / "moved")
    return folder / "far" / "moved" / "r.xml"


def told(report: Report) -> list[tuple[str, str]]:
    return [(each.where, each.before) for each in of_rule(report, MADE)]


@pytest.mark.parametrize("target", ["back.urdf", "back.sdf", "back.glb", "back.xml"])
def test_a_mesh_that_was_made_of_one_that_is_gone_stands_for_it(target: str, tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    shutil.rmtree(tmp_path / "source")
    report = convert(source, tmp_path / "back" / target)
    assert told(report) == [("asset/m", "meshes/m.dae")]
    (found,) = of_rule(report, MADE)
    assert "not found from here" in found.reason and found.after.endswith("m.obj")


def test_a_copy_is_the_mesh(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.obj", OBJ)
    shutil.rmtree(tmp_path / "source")
    report = convert(source, tmp_path / "back" / "back.urdf")
    assert (source.parent / "r_assets" / "m.obj").read_text() == OBJ
    assert told(report) == []


def test_nothing_is_told_of_a_mesh_that_is_found(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    shutil.copytree(tmp_path / "source" / "meshes", source.parent / "meshes")
    assert told(convert(source, tmp_path / "back" / "back.urdf")) == []


def test_another_mesh_at_its_address_is_not_the_mesh(tmp_path: Path) -> None:
    source = moved(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    other = source.parent / "meshes" / "m.dae"
    other.parent.mkdir()
    other.write_text(dae(f"<node>{INSTANCE}</node>", primitives=FACES, unit='<unit name="inch" meter="1"/>'))
    report = convert(source, source.parent / "back.urdf")
    assert told(report) == [("asset/m", "meshes/m.dae")]
    assert "is not the one that was converted" in of_rule(report, MADE)[0].reason
    assert "_assets/m.obj" in (source.parent / "back.urdf").read_text()


TWO = f"o one\n{OBJ}o two\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n"
CORNERS = (0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3)
LARGER = OBJ.replace("v 1 0 0", "v 2 0 0")


def robot(folder: Path, name: str, content: str) -> Path:
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / name).write_text(content)
    return saved(folder / "r.urdf", ROBOT.format(name))


def widths(urdf: Path, role: str) -> list[float]:
    """Return the widths of the meshes that a URDF has in a role."""
    files = [mesh.get("filename", "") for mesh in etree.parse(urdf).findall(f".//{role}//mesh")]
    return sorted(float(trimesh.load(urdf.parent / file, force="mesh").extents[0]) for file in files)


def widths_after(file: Path) -> list[float]:
    """Return the widths of the visual meshes in a URDF converted from a file."""
    convert(file, file.with_name("plain.urdf"))
    return widths(file.with_name("plain.urdf"), "visual")


def test_a_part_of_a_mesh_that_somebody_has_changed_counts(tmp_path: Path) -> None:
    convert(robot(tmp_path, "m.obj", TWO), tmp_path / "out.xml")
    assert widths_after(tmp_path / "out.xml") == [6.0]
    (tmp_path / "out_assets" / "m_1.obj").write_text(LARGER)
    report = convert(tmp_path / "out.xml", tmp_path / "back.urdf")
    assert widths(tmp_path / "back.urdf", "visual") == [1.0, 2.0]
    assert "asset/m" in {each.where for each in of_rule(report, "carried/stale")}


def test_what_collides_in_an_sdf_and_somebody_has_changed_collides(tmp_path: Path) -> None:
    source = robot(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=FACES))
    convert(source, tmp_path / "out.sdf")
    seen = widths_after(tmp_path / "out.sdf")
    (tmp_path / "out_assets" / "m_collision.obj").write_text(LARGER)
    report = convert(tmp_path / "out.sdf", tmp_path / "back.urdf")
    assert widths(tmp_path / "back.urdf", "visual") == seen
    assert widths(tmp_path / "back.urdf", "collision") == [2.0]
    (told,) = of_rule(report, "carried/stale")
    assert told.where == "body/a.geoms.a_collision_0"


def test_a_shape_whose_mesh_somebody_has_changed_is_that_mesh(tmp_path: Path) -> None:
    shape = "<geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry>"
    model = f'<sdf version="1.9"><model name="m"><link name="l"><visual name="v">{shape}</visual></link></model></sdf>'
    convert(saved(tmp_path / "m.sdf", model), tmp_path / "out.urdf")
    (made,) = (tmp_path / "out_assets").iterdir()
    made.write_text(LARGER)
    report = convert(tmp_path / "out.urdf", tmp_path / "back.sdf")
    assert etree.parse(tmp_path / "back.sdf").findtext(".//visual//uri") == f"out_assets/{made.name}"
    assert [each.where for each in of_rule(report, "carried/stale")] == ["body/l.geoms.v"]


@pytest.mark.parametrize("changed", [False, True])
def test_the_image_of_a_terrain_that_somebody_has_changed_counts(changed: bool, tmp_path: Path) -> None:
    Image.fromarray(np.arange(0, 200, 2, dtype=np.uint8).reshape(10, 10)).save(tmp_path / "h.png")
    field = '<asset><hfield name="h" file="h.png" size="5 5 2 .1"/></asset>'
    body = '<worldbody><geom type="hfield" hfield="h"/></worldbody>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{field}{body}</mujoco>")
    convert(tmp_path / "m.xml", tmp_path / "out.sdf")
    if changed:
        terrain = Image.fromarray(np.arange(0, 250, 10, dtype=np.uint8).reshape(5, 5))
        terrain.save(tmp_path / "out_assets" / "h_terrain.png")
    convert(tmp_path / "out.sdf", tmp_path / "far" / "back.xml", options=Options(meshes="copy"))
    (image,) = (tmp_path / "far" / "back_assets").iterdir()
    with Image.open(image) as found:
        assert found.size == ((5, 5) if changed else (10, 10))


def test_the_image_of_a_mesh_that_somebody_has_changed_in_an_mjcf_shows(tmp_path: Path) -> None:
    source = robot(
        tmp_path, "m.obj", "mtllib m.mtl\nvt 0 0\nvt 1 0\nusemtl look\n" + OBJ.replace("f 1 3 2", "f 1/1 3/2 2/1")
    )
    (tmp_path / "meshes" / "m.mtl").write_text("newmtl look\nKd 1 1 1\nmap_Kd red.png\n")
    Image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "meshes" / "red.png")
    convert(source, tmp_path / "out.xml")
    Image.new("RGB", (2, 2), (0, 255, 0)).save(tmp_path / "out_assets" / "red.png")
    report = convert(tmp_path / "out.xml", tmp_path / "far" / "back.urdf")
    back = etree.parse(tmp_path / "far" / "back.urdf")
    with Image.open(tmp_path / "far" / back.find("./material/texture").get("filename")) as image:
        assert image.convert("RGB").getpixel((0, 0)) == (0, 255, 0)
    assert "mtllib" not in (tmp_path / "far" / back.find(".//visual//mesh").get("filename")).read_text()
    assert [each.where for each in of_rule(report, "carried/stale")] == ["material/m_look"]


def test_two_outputs_in_one_folder_keep_the_files_that_were_made_for_them(tmp_path: Path) -> None:
    looks = '<input semantic="TEXCOORD" source="#uv" offset="1"/>'
    corners = " ".join(f"{corner} {corner % 3}" for corner in CORNERS)
    faces = f'<triangles count="4">{INPUT}{looks}<p>{corners}</p></triangles>'
    source = robot(tmp_path, "m.dae", dae(f"<node>{INSTANCE}</node>", primitives=faces))
    convert(source, tmp_path / "r.xml")
    (made,) = (tmp_path / "r_assets").iterdir()
    before = made.read_bytes()
    assert b"vt " in before
    convert(source, tmp_path / "r.sdf")
    assert made.read_bytes() == before


def test_two_files_of_one_content_are_both_there_by_two_formats(tmp_path: Path) -> None:
    """Visual and collision are equal files in two folders, as in Romeo, and the source is not available."""
    shapes = ""
    red = dae(PAINTED, libraries=PAINT, primitives=FACES.replace("count", 'material="m" count'))
    for role in ("visual", "collision"):
        saved(tmp_path / "source" / role / "m.dae", red)
        shapes += f'<{role}><geometry><mesh filename="{role}/m.dae"/></geometry></{role}>'
    source = saved(tmp_path / "source" / "r.urdf", f'<robot name="r"><link name="a">{shapes}</link></robot>')
    convert(source, tmp_path / "one.xml")
    shutil.rmtree(tmp_path / "source")
    convert(tmp_path / "one.xml", tmp_path / "two.sdf")
    report = convert(tmp_path / "two.sdf", tmp_path / "again.xml")
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "again.xml")).ngeom == 2
    assert told(report) == [("asset/m", "visual/m.dae"), ("asset/m_1", "collision/m.dae")]
