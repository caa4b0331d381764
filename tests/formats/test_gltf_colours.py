"""Vertex colours of mesh files and of foreign glTF: glTF shows them, and other formats report them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import DracoPy
import numpy as np
import pytest

from converters.context import Options
from converters.convert import convert, read
from tests.formats.gltf_made import CORNERS, FACES, Made
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.plain_gltf import Plain, plain_gltf
from tests.reports import explained, of_rule

DISPLAY = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 64, 32]]) / 255
"""The displayed colour of each corner of the tetrahedron."""
LINEAR = np.where(DISPLAY <= 0.04045, DISPLAY / 12.92, ((DISPLAY + 0.055) / 1.055) ** 2.4)
TOLD = "not taken from the mesh file: vertex colours"
MATERIAL = '<material name="m"><color rgba="0.2 0.3 0.4 1"/></material>'


def ply(per_face: bool = False) -> str:
    bytes_of = [" ".join(map(str, row)) for row in np.rint(DISPLAY * 255).astype(int).tolist()]
    colour = "".join(f"property uchar {name}\n" for name in ("red", "green", "blue"))
    vertices = [*map("{} {} {}".format, *CORNERS.T.tolist())]
    faces = [f"3 {a} {b} {c}" for a, b, c in FACES.tolist()]
    tables = (
        (vertices, [*map("{} {}".format, faces, bytes_of)])
        if per_face
        else ([*map("{} {}".format, vertices, bytes_of)], faces)
    )
    said = ("", colour) if per_face else (colour, "")
    head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n" + said[0]
    head += "element face 4\nproperty list uchar int vertex_indices\n" + said[1] + "end_header\n"
    return head + "\n".join([*tables[0], *tables[1]]) + "\n"


def obj(most: float) -> str:
    rows = np.hstack([CORNERS, DISPLAY * most]).tolist()
    lines = [f"v {' '.join(map(repr, row))}" for row in rows]
    return "\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES.tolist())]) + "\n"


def dae() -> str:
    numbers = {"p": (CORNERS, "XYZ"), "c": (np.hstack([DISPLAY, np.ones((4, 1))]), "RGBA")}
    sources = "".join(
        f'<source id="{key}"><float_array id="{key}a" count="{table.size}">'
        + " ".join(map(repr, table.ravel().tolist()))
        + f'</float_array><technique_common><accessor source="#{key}a" count="4" stride="{len(names)}">'
        + "".join(f'<param name="{name}" type="float"/>' for name in names)
        + "</accessor></technique_common></source>"
        for key, (table, names) in numbers.items()
    )
    corners = " ".join(f"{n} {n}" for n in FACES.ravel().tolist())
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
      <library_geometries><geometry id="g"><mesh>{sources}<vertices id="v"><input semantic="POSITION" source="#p"/>
      </vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
      <input semantic="COLOR" source="#c" offset="1"/><p>{corners}</p></triangles></mesh></geometry>
      </library_geometries>
      <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
      </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def glb(alpha: bool = False, **look: object) -> bytes:
    table = np.hstack([LINEAR, [[0.5]] * 4]) if alpha else LINEAR
    made = Made(materials=[look]) if look else Made()
    members = {"material": 0} if look else {}
    attributes = {"COLOR_0": made.array(table.astype(np.float32))}
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(attributes=attributes, **members))))
    return made.glb()


FILES = {"vertex.ply": ply(), "shares.obj": obj(1.0), "bytes.obj": obj(255.0), "part.dae": dae(), "part.glb": glb()}


def urdf(folder: Path, mesh: str, tag: str = "visual", more: str = "") -> Path:
    path = folder / "robot.urdf"
    shape = f'<geometry><mesh filename="{mesh}"/></geometry>'
    path.write_text(f'<robot name="r"><link name="l"><{tag}>{shape}{more}</{tag}></link></robot>')
    return path


def saved(folder: Path, name: str) -> str:
    content = FILES[name]
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def colours(path: Path) -> dict[tuple[float, ...], tuple[float, ...]]:
    """Return corner in the world -> its colour, multiplied by that of the material; empty without vertex colours."""
    assert complaints(khronos_reads([path])[0]) == []
    document = plain_gltf(path)
    node, world = next((node, world) for node, world in document.nodes() if "mesh" in node)
    (primitive,) = document.document["meshes"][node["mesh"]]["primitives"]
    if "COLOR_0" not in primitive["attributes"]:
        return {}
    look = document.document["materials"][primitive["material"]]["pbrMetallicRoughness"]
    factor = look.get("baseColorFactor", [1, 1, 1, 1])
    places, said = _table(document, primitive, "POSITION"), _table(document, primitive, "COLOR_0")
    points = np.round(places @ world[:3, :3].T + world[:3, 3], 3) + 0.0
    return {
        tuple(point): tuple(a * b for a, b in zip(row, factor, strict=False))
        for point, row in zip(points.tolist(), said.tolist(), strict=True)
    }


def _table(document: Plain, primitive: dict[str, Any], name: str) -> np.ndarray:
    """Return the values of an attribute, which may be compressed by Draco."""
    packed = primitive.get("extensions", {}).get("KHR_draco_mesh_compression")
    if packed is None:
        return document.array(primitive["attributes"][name])
    view = document.document["bufferViews"][packed["bufferView"]]
    content = DracoPy.decode(document.buffers[0][view.get("byteOffset", 0) :][: view["byteLength"]])
    found = {each["unique_id"]: each["data"] for each in content.attributes}
    return np.asarray(found[packed["attributes"][name]])


def same(found: dict[tuple[float, ...], tuple[float, ...]], factor: float = 1.0) -> bool:
    assert {*found} == {tuple(row) for row in CORNERS.tolist()}
    for point, colour in zip(CORNERS.tolist(), LINEAR, strict=True):
        assert found[tuple(point)][:3] == pytest.approx(tuple(colour * factor), abs=1e-4)
    return True


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("compress", ["none", "quantize", "draco"])
def test_colours_of_a_mesh_file_are_those_of_the_glb(tmp_path: Path, name: str, compress: str) -> None:
    """Also with a material in the URDF: there the materials of the file take precedence."""
    source = urdf(tmp_path, saved(tmp_path, name), more=MATERIAL)
    report = explained(convert(source, tmp_path / "robot.glb", options=Options(compress=compress)))
    assert same(colours(tmp_path / "robot.glb"))
    assert of_rule(report, "assets/mesh-content") == []


def test_colours_of_faces_are_those_of_their_corners(tmp_path: Path) -> None:
    (tmp_path / "part.ply").write_text(ply(per_face=True))
    convert(urdf(tmp_path, "part.ply"), tmp_path / "robot.glb")
    assert complaints(khronos_reads([tmp_path / "robot.glb"])[0]) == []
    document = plain_gltf(tmp_path / "robot.glb")
    (primitive,) = document.document["meshes"][0]["primitives"]
    said, (points, faces) = document.array(primitive["attributes"]["COLOR_0"]), document.triangles(primitive)
    assert points[faces] == pytest.approx(CORNERS[FACES])
    assert said[faces] == pytest.approx(np.repeat(LINEAR[:, None], 3, axis=1), abs=1e-6)


def test_some_corners_of_an_obj_may_have_none(tmp_path: Path) -> None:
    """They are white, and a comment after a corner is not a colour."""
    lines = obj(1.0).splitlines()
    lines[3] = "v 0 0 3 # the tip"
    (tmp_path / "part.obj").write_text("\n".join(lines))
    convert(urdf(tmp_path, "part.obj"), tmp_path / "robot.glb")
    found = colours(tmp_path / "robot.glb")
    assert found[0.0, 0.0, 3.0] == (1.0, 1.0, 1.0)
    assert found[1.0, 0.0, 0.0] == pytest.approx((0.0, 1.0, 0.0))


def test_what_only_collides_or_has_looks_of_the_model_shows_none(tmp_path: Path) -> None:
    mesh = saved(tmp_path, "vertex.ply")
    convert(urdf(tmp_path, mesh, "collision"), tmp_path / "robot.glb")
    document = plain_gltf(tmp_path / "robot.glb").document
    assert all("COLOR_0" not in each["primitives"][0]["attributes"] for each in document["meshes"])
    look = "<material><diffuse>1 0 0 1</diffuse></material>"
    visual = f'<visual name="v"><geometry><mesh><uri>{mesh}</uri></mesh></geometry>{look}</visual>'
    for said, shown in ((look, False), ("", True)):
        text = visual.replace(look, said)
        (tmp_path / "m.sdf").write_text(
            f'<sdf version="1.9"><model name="m"><link name="l">{text}</link></model></sdf>'
        )
        report = convert(tmp_path / "m.sdf", tmp_path / "m.glb")
        assert bool(colours(tmp_path / "m.glb")) is shown
        assert of_rule(report, "assets/mesh-content") == []


@pytest.mark.parametrize("kind", ["obj", "dae"])
def test_beside_a_material_of_the_file_they_are_not_shown_and_told(tmp_path: Path, kind: str) -> None:
    """RViz and Gazebo ignore them: a real KUKA has orange arms whose vertices are orange, too."""
    (tmp_path / "part.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "part.obj").write_text(
        obj(1.0).replace("f ", "usemtl red\nf ", 1).replace("v ", "mtllib part.mtl\nv ", 1)
    )
    effect = (
        "<profile_COMMON><technique sid='t'><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique>"
    )
    looks = f"""<library_effects><effect id="e">{effect}</profile_COMMON></effect></library_effects>
      <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>"""
    bound = """<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>
      </technique_common></bind_material></instance_geometry>"""
    text = (
        dae()
        .replace("<library_geometries>", f"{looks}<library_geometries>")
        .replace("<triangles", '<triangles material="s"')
    )
    (tmp_path / "part.dae").write_text(text.replace('<instance_geometry url="#g"/>', bound))
    report = explained(convert(urdf(tmp_path, f"part.{kind}"), tmp_path / "robot.glb"))
    assert colours(tmp_path / "robot.glb") == {}
    (material,) = plain_gltf(tmp_path / "robot.glb").document["materials"]
    assert material["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0, 0, 1]
    assert [each.reason for each in of_rule(report, "assets/mesh-content")] == [TOLD]


@pytest.mark.parametrize("target", ["robot.xml", "robot.sdf", "robot.urdf"])
@pytest.mark.parametrize("name", ["vertex.ply", "part.glb"])
def test_other_formats_tell_of_them(tmp_path: Path, name: str, target: str) -> None:
    """A part of a GLB becomes an OBJ; a PLY is copied with its colours."""
    source = tmp_path / saved(tmp_path, name)
    source = source if source.suffix == ".glb" else urdf(tmp_path, name)
    report = explained(convert(source, tmp_path / "out" / target))
    told = of_rule(report, "assets/mesh-content")
    if name == "vertex.ply" and target != "robot.xml":
        assert told == []
        assert [*(tmp_path / "out").rglob("*.ply")] or target == "robot.urdf"
        return
    assert [(each.action, each.reason) for each in told] == [("dropped", TOLD)]
    if name == "part.glb":
        assert {"/meshes/0/primitives/0", "/accessors/0", "/bufferViews/0"} <= {each.path for each in told[0].sources}


@pytest.mark.parametrize("mode", ["OPAQUE", "BLEND"])
def test_a_glb_of_others_keeps_its_colours(tmp_path: Path, mode: str) -> None:
    """They multiply the colour of its material; alpha is used where the material is transparent."""
    look = {"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.5, 0.5, 1]}, "alphaMode": mode, "name": "half"}
    (tmp_path / "scene.glb").write_bytes(glb(alpha=True, **look))
    report = explained(convert(tmp_path / "scene.glb", tmp_path / "out.glb"))
    found = colours(tmp_path / "out.glb")
    up = {(x, -z + 0.0, y) for x, y, z in CORNERS.tolist()}  # y up becomes z up
    assert {*found} == up
    said = {(x, -z + 0.0, y): tuple(row * 0.5) for (x, y, z), row in zip(CORNERS.tolist(), LINEAR, strict=True)}
    assert all(found[point][:3] == pytest.approx(colour, abs=1e-6) for point, colour in said.items())
    assert {colour[3:] for colour in found.values()} == ({(0.5,)} if mode == "BLEND" else {()})
    (material,) = plain_gltf(tmp_path / "out.glb").document["materials"]
    assert material.get("alphaMode", "OPAQUE") == mode
    assert [each.where for each in report.findings if "accessors" in each.where or "COLOR" in each.where] == []


def test_a_glb_keeps_them_where_the_mesh_file_is_gone(tmp_path: Path) -> None:
    source = urdf(tmp_path, saved(tmp_path, "vertex.ply"))
    convert(source, tmp_path / "robot.glb")
    (tmp_path / "vertex.ply").unlink()
    convert(tmp_path / "robot.glb", tmp_path / "again.glb")
    assert same(colours(tmp_path / "again.glb"))
    report = convert(tmp_path / "robot.glb", tmp_path / "robot.xml")
    assert [each.reason for each in of_rule(report, "assets/mesh-content")] == [TOLD]


@pytest.mark.parametrize("packed", [True, False])
def test_colours_that_draco_holds_are_read_and_others_stay_where_they_are(tmp_path: Path, packed: bool) -> None:
    """In a compressed mesh, uncompressed values belong to other corners."""
    bytes_of = np.rint(LINEAR * 255).astype(np.uint8)
    data = DracoPy.encode(CORNERS, FACES, quantization_bits=0, preserve_order=True, colors=bytes_of if packed else None)
    ids = {each["attribute_type"]: each["unique_id"] for each in DracoPy.decode(data).attributes}
    name = "KHR_draco_mesh_compression"
    made = Made(extensionsUsed=[name], extensionsRequired=[name])
    bounds = {"min": CORNERS.min(axis=0).tolist(), "max": CORNERS.max(axis=0).tolist()}
    attributes = {"POSITION": made.add("accessors", {"componentType": 5126, "count": 4, "type": "VEC3"} | bounds)}
    said = {"componentType": 5121, "count": 4, "type": "VEC3", "normalized": True}
    said |= {} if packed else {"bufferView": made.view(bytes_of.tobytes() + bytes(4))}
    attributes["COLOR_0"] = made.add("accessors", said)
    corners = made.add("accessors", {"componentType": 5123, "count": 12, "type": "SCALAR"})
    inner = {
        "bufferView": made.view(data),
        "attributes": {"POSITION": ids[0]} | ({"COLOR_0": ids[2]} if packed else {}),
    }
    primitive = {"attributes": attributes, "indices": corners, "extensions": {name: inner}}
    made.scene(made.node(name="part", mesh=made.mesh(primitive)))
    (tmp_path / "scene.glb").write_bytes(made.glb())
    report = explained(convert(tmp_path / "scene.glb", tmp_path / "out.glb"))
    found = colours(tmp_path / "out.glb")
    left = [each for each in report.findings if "COLOR_0" in each.before or "COLOR_0" in each.where]
    assert (bool(found), bool(left)) == (packed, not packed)
    for (x, y, z), row in zip(CORNERS.tolist() if packed else [], bytes_of / 255, strict=False):
        assert found[x, -z + 0.0, y] == pytest.approx(tuple(row), abs=1e-6)


def test_the_last_digits_of_the_colour_of_a_light_have_their_reason(tmp_path: Path) -> None:
    """Colours of lights are converted to linear and back, like those of materials."""
    lamp = '<light name="lamp" diffuse="0.3333333333333333 0.8 0.1"/>'
    (tmp_path / "lit.xml").write_text(f"<mujoco><worldbody>{lamp}</worldbody></mujoco>")
    report = explained(convert(tmp_path / "lit.xml", tmp_path / "lit.glb"))
    assert [each.where for each in of_rule(report, "gltf/colour")] == ["body/world.lights.lamp.diffuse"]


def dyed(*rows: tuple[float, ...], **look: object) -> bytes:
    """Return a part whose corners have these linear colours, as trimesh writes it; `look`: its material, if any."""
    made = Made(materials=[look]) if look else Made()
    attributes = {"COLOR_0": made.array(np.array([*rows, *[rows[-1]] * (4 - len(rows))], dtype=np.float32))}
    members = {"material": 0} if look else {}
    made.scene(made.node(name="part", mesh=made.mesh(made.primitive(attributes=attributes, **members))))
    return made.glb()


HALF = {"pbrMetallicRoughness": {"baseColorFactor": [0.5, 1.0, 1.0, 1.0]}, "name": "half"}
RED = (1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("name", ["out.urdf", "out.sdf", "out.xml", "out.glb"])
@pytest.mark.parametrize(
    ("rows", "look", "shown"),
    [
        ([RED], {}, RED),
        ([(0.5, 0.5, 0.5)], {}, (0.735357, 0.735357, 0.735357, 1.0)),
        ([(0.5, 1.0, 0.0, 0.5)], HALF, (0.537099, 1.0, 0.0, 1.0)),
        ([(0.0, 0.0, 1.0, 0.5)], {"alphaMode": "BLEND"}, (0.0, 0.0, 1.0, 0.5)),
    ],
)
def test_one_colour_of_all_corners_is_that_of_a_material(
    tmp_path: Path, rows: list[tuple[float, ...]], look: dict[str, object], shown: tuple[float, ...], name: str
) -> None:
    source = tmp_path / "in.glb"
    source.write_bytes(dyed(*rows, **look))
    report = convert(source, tmp_path / name)
    explained(report)
    assert not [each for each in report.findings if each.reason == TOLD]
    for path in (source, tmp_path / name):
        scene = read(path)
        (geom,) = scene.geoms()
        assert scene.look_of(geom).rgba == pytest.approx(shown, abs=1e-5)
    if name == "out.glb":
        assert complaints(khronos_reads([tmp_path / name])[0]) == []
        document = plain_gltf(tmp_path / name).document
        assert "COLOR_0" not in document["meshes"][0]["primitives"][0]["attributes"]
        assert document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"][:3] == pytest.approx(
            [a * b for a, b in zip(rows[0], (0.5, 1, 1) if look is HALF else (1, 1, 1), strict=False)], abs=1e-4
        )


def test_a_mesh_file_of_one_colour_brings_it_along(tmp_path: Path) -> None:
    (tmp_path / "m.glb").write_bytes(dyed(RED))
    convert(urdf(tmp_path, "m.glb"), tmp_path / "out.xml")
    assert [tuple(row) for row in mujoco_model(tmp_path / "out.xml").mat_rgba.tolist()] == [RED]


def test_corners_of_several_colours_stay_what_they_are(tmp_path: Path) -> None:
    source = tmp_path / "in.glb"
    source.write_bytes(dyed(RED, (0.0, 1.0, 0.0, 1.0)))
    assert len(colours(convert(source, tmp_path / "out.glb") and tmp_path / "out.glb")) == 4
    assert [each.reason for each in of_rule(convert(source, tmp_path / "out.xml"), "assets/mesh-content")] == [TOLD]
