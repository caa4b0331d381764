"""More of the glTF acceptance list: foreign scenes, mesh files on their way to a target, pictures without a GPU."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.assets.meshes.files import load as load_mesh
from converters.comparing import compare
from converters.convert import convert, read
from ir.inertia import of_mesh
from tests.converters.meshes import stl
from tests.converters.test_assets_collada import BOUND, LIBRARIES, TWO_MATERIALS, dae as collada
from tests.corpus.models import models
from tests.files import saved
from tests.formats.gltf_made import CORNERS, Made
from tests.oracles import plain_urdf
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import plain_gltf

TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


def robot(folder: Path, *meshes: str) -> Path:
    """Return a robot with one link per mesh."""
    links = "".join(
        f'<link name="l{n}"><visual><geometry><mesh filename="{mesh}"/></geometry></visual></link>'
        for n, mesh in enumerate(meshes)
    )
    joints = "".join(
        f'<joint name="j{n}" type="fixed"><parent link="l0"/><child link="l{n}"/></joint>'
        for n in range(1, len(meshes))
    )
    return saved(folder / "robot.urdf", f'<robot name="r">{links}{joints}</robot>')


def ascii_stl(corners: np.ndarray[Any, Any]) -> str:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*point) for point in face)
        + "endloop\nendfacet\n"
        for face in corners
    )
    return f"solid s\n{facets}endsolid s\n"


def dae(meter: str, up: str, size: float, material: str = "") -> str:
    """Return COLLADA of a tetrahedron with legs of `size` units."""
    points = " ".join(str(size * value) for value in CORNERS.ravel().tolist())
    indices = " ".join(str(index) for face in TETRAHEDRON for index in face)
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
    <asset><unit meter="{meter}"/><up_axis>{up}</up_axis></asset>{material}
    <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">{points}</float_array>
    <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles></mesh></geometry>
    </library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
    </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


SOLID = CORNERS[np.array(TETRAHEDRON)]


def test_19_everything_in_a_scene_that_no_robot_has_is_in_the_report(tmp_path: Path):
    made = Made(
        cameras=[{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}],
        skins=[{"joints": [0]}],
        animations=[{"name": "walk", "channels": [], "samplers": []}],
        extensionsUsed=["KHR_lights_punctual"],
        extensions={"KHR_lights_punctual": {"lights": [{"type": "point"}]}},
    )
    face = made.mesh(made.primitive(targets=[{"POSITION": made.array(CORNERS)}]), weights=[0.5])
    lamp = made.node(name="lamp", extensions={"KHR_lights_punctual": {"light": 0}})
    eye = made.node(name="eye", camera=0)
    made.scene(made.node(name="bone", mesh=face, skin=0, children=[lamp, eye]))
    made.scene(made.node(name="elsewhere", mesh=made.mesh()))
    source = saved(tmp_path / "scene.glb", made.glb())
    report = convert(source, tmp_path / "scene.urdf")
    told = " ".join(f"{each.rule} {each.where} {each.before} {each.reason}" for each in report.findings)
    for word in ("skin", "targets", "weights", "eye", "lamp", "animations", "scenes"):
        assert word in told, word
    assert [body.name for body in read(source).bodies.values() if body.geoms] == ["bone"]
    lost = [each for each in report.findings if each.action in ("carried", "dropped", "approximated")]
    places = {source.path for each in lost for source in each.sources if "/bufferViews/" not in source.path}
    assert places == {
        *("/nodes/2/skin", "/skins", "/meshes/0/primitives/0/targets", "/meshes/0/weights", "/accessors/0"),
        *("/cameras/0", "/extensions/KHR_lights_punctual/lights/0", "/animations"),
        *("/scenes/1", "/nodes/3", "/meshes/1", "/accessors/3", "/accessors/4"),
    }


@pytest.mark.parametrize(("meter", "size"), [("1", 1), ("0.01", 100), ("0.001", 1000), ("0.0254", 1 / 0.0254)])
@pytest.mark.parametrize("up", ["Y_UP", "Z_UP"])
def test_22_the_same_thing_in_any_unit_is_the_same_mesh(tmp_path: Path, meter: str, size: float, up: str):
    (part,) = load_mesh(saved(tmp_path / "part.dae", dae(meter, up, size))).parts
    assert part.vertices[part.faces] == pytest.approx(SOLID, rel=1e-12)


def test_24_broken_files_are_named_and_the_others_arrive(tmp_path: Path):
    effect = '<effect id="e"><profile_COMMON><technique sid="t"/></profile_COMMON></effect>'
    looks = f"""<library_effects>{effect}</library_effects>
      <library_materials><material id="m"><instance_effect url="#gone"/></material></library_materials>"""
    (tmp_path / "good.dae").write_text(dae("1", "Z_UP", 1, looks))
    (tmp_path / "cut.dae").write_text(dae("1", "Z_UP", 1)[:300])
    (tmp_path / "tail.dae").write_text(dae("1", "Z_UP", 1) + "</what>")
    (tmp_path / "empty.stl").write_bytes(bytes(80))
    (tmp_path / "leg.dae").write_text(collada(BOUND, libraries=LIBRARIES, primitives=TWO_MATERIALS))
    source = robot(tmp_path, "cut.dae", "empty.stl", "good.dae", "tail.dae", "leg.dae")
    report = convert(source, tmp_path / "robot.glb")
    told = {each.before: each.rule for each in report.findings if each.rule.startswith("assets/")}
    broken = {"cut.dae": "assets/unreadable", "empty.stl": "assets/unreadable", "tail.dae": "assets/mesh-content"}
    broken["leg.dae"] = "assets/mesh-content"
    absent = {"texture '../textures/wood.png' of material 'Wood'": "assets/missing-look"}  # as of a real leg
    assert told == broken | absent
    lines = dict(enumerate(source.read_text().splitlines(), 1))
    places = {each.before: lines[each.sources[0].line] for each in report.findings if each.before in broken}
    assert all(name in line for name, line in places.items()) and places.keys() == broken.keys()
    document = plain_gltf(tmp_path / "robot.glb")
    assert {node["name"].partition("_")[0] for node, _ in document.nodes() if "mesh" in node} == {"l2", "l3", "l4"}


def test_25_meshes_of_every_kind_reach_mujoco_with_all_their_faces(tmp_path: Path):
    Image.new("RGB", (4, 4), (200, 30, 30)).save(tmp_path / "paint.tif")
    (tmp_path / "plain.stl").write_text(ascii_stl(SOLID))
    (tmp_path / "part.dae").write_text(dae("1", "Z_UP", 1))
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in [*CORNERS.tolist(), *(CORNERS + 5).tolist()])
    faces = ["".join(f"f {a + n}/1 {b + n}/2 {c + n}/3\n" for a, b, c in TETRAHEDRON) for n in (1, 5)]
    (tmp_path / "two.mtl").write_text("newmtl paint\nmap_Kd paint.tif\n")
    (tmp_path / "two.obj").write_text(
        f"mtllib two.mtl\n{corners}vt 0 0\nvt 1 0\nvt 0 1\nusemtl paint\no first\n{faces[0]}o second\n{faces[1]}"
    )
    convert(robot(tmp_path, "plain.stl", "part.dae", "two.obj"), tmp_path / "robot.xml")
    model = mujoco_model(tmp_path / "robot.xml")
    shown = [int(model.geom_dataid[n]) for n in range(model.ngeom)]
    assert sum(int(model.mesh_facenum[n]) for n in shown) == 4 + 4 + 8
    assert model.ntex == 1


@pytest.mark.corpus
def test_26_masses_of_closed_meshes_are_those_of_mujoco():
    """Fifty closed STL files of real robots, at the density of water."""
    found = sorted(
        {
            str(shape.file)
            for model in models()
            if model.name.startswith("example-robot-data")
            for link in plain_urdf.load(model.path).links.values()
            for shape in (*link.visuals, *link.collisions)
            if shape.file is not None and shape.file.suffix.lower() == ".stl" and shape.file.stat().st_size < 500_000
        }
    )
    compared = 0
    for name in found:
        data = Path(name).read_bytes()
        loaded = trimesh.load_mesh(name)
        if (
            not loaded.is_watertight
            or loaded.volume <= 0
            or 84 + 50 * struct.unpack_from("<I", data, 80)[0] != len(data)
        ):
            continue
        (part,) = load_mesh(Path(name)).parts
        ours = of_mesh(part.vertices, part.faces)
        if ours is None:  # closed only where corners that lie close are one
            continue
        text = (
            '<mujoco><asset><mesh name="m" file="m.stl" inertia="exact"/></asset><worldbody><body><freejoint/>'
            '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
        )
        try:
            model = mujoco.MjModel.from_xml_string(text, {"m.stl": data})
        except ValueError:  # thinner than MuJoCo lets a mesh be
            continue
        tensor = np.array(ours.tensor)
        moments = np.linalg.eigvalsh(
            [[tensor[0], tensor[3], tensor[4]], [tensor[3], tensor[1], tensor[5]], [tensor[4], tensor[5], tensor[2]]]
        )
        assert ours.mass == pytest.approx(float(model.body_mass[1]), rel=2e-3), name
        assert moments == pytest.approx(np.sort(model.body_inertia[1]), rel=2e-3, abs=1e-12), name
        compared += 1
        if compared == 50:
            break
    assert compared == 50


def test_27_copied_meshes_are_the_same_bytes_and_other_units_are_not_copied(tmp_path: Path):
    (tmp_path / "a.stl").write_bytes(stl(SOLID))
    (tmp_path / "b.dae").write_text(dae("0.001", "Z_UP", 1000))
    convert(robot(tmp_path, "a.stl", "b.dae"), tmp_path / "out" / "robot.xml")
    digests = {
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert hashlib.sha256((tmp_path / "a.stl").read_bytes()).hexdigest() in digests
    assert hashlib.sha256((tmp_path / "b.dae").read_bytes()).hexdigest() not in digests
    model = mujoco_model(tmp_path / "out" / "robot.xml")
    assert model.mesh_vert.max() - model.mesh_vert.min() < 10  # in metres


def test_30_a_picture_needs_no_library_of_graphics(tmp_path: Path):
    """100 000 triangles, in a process that never loads OpenGL, in less than 3 s of processor time."""
    side = np.linspace(0, 1, 225)
    x, y = np.meshgrid(side, side)
    points = np.stack([x, y, 0.2 * np.sin(6 * x) * np.cos(6 * y)], axis=-1)
    lower = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:]], axis=2).reshape(-1, 3, 3)
    upper = np.stack([points[:-1, :-1], points[1:, 1:], points[1:, :-1]], axis=2).reshape(-1, 3, 3)
    (tmp_path / "field.stl").write_bytes(stl(np.concatenate([lower, upper])))
    program = (
        "import sys, time, converters\n"
        "start = time.process_time()\n"
        "converters.convert(sys.argv[1], sys.argv[2])\n"
        "print(time.process_time() - start)\n"
        "print([line.split()[-1] for line in open('/proc/self/maps') if any(name in line for name in "
        "('libGL', 'libEGL', 'OSMesa', 'libX11'))])\n"
    )
    command = [sys.executable, "-c", program, str(robot(tmp_path, "field.stl")), str(tmp_path / "robot.png")]
    seconds, libraries = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    assert libraries == "[]"
    assert float(seconds) < 3.0
    with Image.open(tmp_path / "robot.png") as picture:
        assert len(picture.getcolors(1 << 20) or range(1 << 20)) > 100


def test_a_height_field_takes_its_image_along(tmp_path: Path):
    """In another folder it is the same field in every format; its image is used by no material."""
    here, away = tmp_path / "here", tmp_path / "away"
    here.mkdir()
    away.mkdir()
    Image.fromarray(np.arange(40, 40 + 25 * 6, 6, dtype=np.uint8).reshape(5, 5)).save(here / "hills.png")
    field = "<geometry><heightmap><uri>hills.png</uri><size>2 2 1</size></heightmap></geometry>"
    link = f'<link name="a"><visual name="v">{field}</visual><collision name="c">{field}</collision></link>'
    (here / "m.sdf").write_text(f'<sdf version="1.9"><model name="m"><static>true</static>{link}</model></sdf>')
    convert(here / "m.sdf", away / "m.glb")
    assert compare(here / "m.sdf", away / "m.glb") == []
    assert complaints(khronos_reads([away / "m.glb"])[0]) == []
    (here / "hills.png").rename(here / "gone")
    convert(away / "m.glb", away / "m.urdf")
    convert(away / "m.glb", away / "back.sdf")
    (here / "gone").rename(here / "hills.png")
    assert compare(here / "m.sdf", away / "m.urdf") == []
    assert compare(here / "m.sdf", away / "back.sdf") == []
    assert sdformat_reads(away / "back.sdf")["errors"] == []
    place = etree.parse(away / "back.sdf").findtext(".//heightmap/uri")
    assert (away / place).read_bytes() == (here / "hills.png").read_bytes()
