"""Files written next to an output: each mesh and image has its own. Judged by lxml, trimesh and Pillow."""

from __future__ import annotations

import json
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from struct import pack
from tempfile import NamedTemporaryFile
from time import process_time

import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.assets.arranged import arranged
from converters.assets.beside import _libraries, _sides
from converters.assets.damaged import damage
from converters.assets.meshes.parts import side_files
from converters.assets.resolve import Resolver
from converters.context import Options
from converters.convert import convert
from tests.converters.meshes import write
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained, of_rule

INLINE = "0 0 0  2 0 0  0 2 0  0 0 2"
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
FACES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 2/1 3/1 4/1\nf 1/1 4/1 3/1\n"
URDF = """<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>"""
MJCF = """<mujoco><compiler meshdir="{folder}"/>
<asset><mesh name="base" vertex="{inline}"/><mesh name="x" file="{file}"/></asset>
<worldbody><body name="b">
<geom name="g1" type="mesh" mesh="base"/><geom name="g2" type="mesh" mesh="x"/>
</body></worldbody></mujoco>"""
NAMED = {".urdf": "//collision/geometry/mesh/@filename", ".sdf": "//collision/geometry/mesh/uri/text()"}


def image(colour: str, kind: str = "PNG") -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (2, 2), colour).save(buffer, kind)
    return buffer.getvalue()


def widths(output: Path) -> list[float]:
    """Return the length of each collision mesh along x."""
    names = [str(name) for name in etree.parse(output).xpath(NAMED[output.suffix])]
    return [float(trimesh.load_mesh(output.parent / name).extents[0]) for name in names]


@pytest.mark.parametrize("suffix", NAMED)
@pytest.mark.parametrize("file", ["base.obj", "Base.OBJ"])
@pytest.mark.parametrize("folder", ["../from", "robot_assets"])
def test_a_mesh_that_is_made_and_one_that_is_there_are_two(suffix: str, file: str, folder: str, tmp_path: Path) -> None:
    there = write(tmp_path / "to" / folder / file, TETRAHEDRON)
    source = write(tmp_path / "to" / "robot.xml", MJCF.format(inline=INLINE, file=file, folder=folder))
    report = explained(convert(source, tmp_path / "to" / f"robot{suffix}"))
    assert not any(finding.rule in ("urdf/shape", "sdf/mesh-file") for finding in report.findings)
    assert widths(tmp_path / "to" / f"robot{suffix}") == [2.0, 1.0]
    assert there.read_text() == TETRAHEDRON


def test_the_library_of_a_made_mesh_is_not_that_of_a_file(tmp_path: Path) -> None:
    write(tmp_path / "base.mtl", "newmtl red\nKd 1 0 0\n")
    write(tmp_path / "base.obj", "mtllib base.mtl\nusemtl red\n" + TETRAHEDRON)
    source = write(tmp_path / "robot.xml", MJCF.format(inline=INLINE, file="base.obj", folder=""))
    convert(source, tmp_path / "to" / "robot.sdf")
    assert widths(tmp_path / "to" / "robot.sdf") == [2.0, 1.0]
    assert (tmp_path / "to" / "robot_assets" / "base.mtl").read_text() == "newmtl red\nKd 1 0 0\n"


def test_an_image_inside_a_file_and_one_beside_it_are_two(tmp_path: Path) -> None:
    def embedded(data: bytes, kind: str) -> str:
        return f"data:{kind};base64,{b64encode(data).decode()}"

    corners = pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + pack("<6f", 0, 0, 1, 0, 0, 1)
    write(tmp_path / "a.png", image("red"))
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "p", "mesh": 0}, {"name": "q", "mesh": 1}],
        "buffers": [{"byteLength": 60, "uri": embedded(corners, "application/octet-stream")}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
        ],
        "images": [{"name": "a", "uri": embedded(image("blue"), "image/png")}, {"name": "b", "uri": "a.png"}],
        "textures": [{"source": 0}, {"source": 1}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": index}}} for index in (0, 1)],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": index}]} for index in (0, 1)
        ],
    }
    output = tmp_path / "to" / "robot.sdf"
    convert(write(tmp_path / "robot.gltf", json.dumps(document)), output)
    maps = [str(name) for name in etree.parse(output).xpath("//albedo_map/text()")]
    colours = [Image.open(output.parent / name).convert("RGB").getpixel((0, 0)) for name in maps]
    assert colours == [(0, 0, 255), (255, 0, 0)]


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("library", "line", "texture", "looked"),
    [
        ("looks.mtl", "map_Kd {}", "my tex.png", "my tex.png"),
        ("looks.mtl", "map_kd -s 1 1 1 -clamp on {}", "my tex.png", "my tex.png"),
        ("my looks.mtl", "  MAP_KD   {}  ", "tex.png", "tex.png"),
        ("looks.mtl", "map_Kd {}", "textures/tex.png", r"C:\\users\\me\\tex.png"),
        ("looks.mtl", "map_Kd {}", "Tex.PNG", "tex.png"),
        ("looks.mtl", "bump -bm 0.5 {}", "rough surface.png", "rough surface.png"),
    ],
)
def test_what_a_mesh_names_goes_where_it_goes(
    library: str, line: str, texture: str, looked: str, tmp_path: Path
) -> None:
    write(tmp_path / "from" / texture, image("red"))
    write(tmp_path / "from" / library, f"newmtl red\n{line.format(looked)}\n")
    write(tmp_path / "from" / "x.obj", f"mtllib {library}\nusemtl red\n{FACES}")
    convert(write(tmp_path / "from" / "r.urdf", URDF.format("x.obj")), tmp_path / "to" / "r.sdf")
    assert files(tmp_path / "to" / "r_assets") == {"x.obj", library, texture}


def test_the_image_of_a_copied_mesh_shows(tmp_path: Path) -> None:
    write(tmp_path / "from" / "my tex.png", image("red"))
    write(tmp_path / "from" / "looks.mtl", "newmtl red\nmap_Kd my tex.png\n")
    write(tmp_path / "from" / "x.obj", f"mtllib looks.mtl\nusemtl red\n{FACES}")
    convert(write(tmp_path / "from" / "r.urdf", URDF.format("x.obj")), tmp_path / "to" / "r.sdf")
    shown = trimesh.load_mesh(tmp_path / "to" / "r_assets" / "x.obj").visual.material.image
    assert shown.convert("RGB").getpixel((0, 0)) == (255, 0, 0)


def test_a_mesh_one_folder_below_that_of_the_file_system_brings_its_library() -> None:
    with (
        NamedTemporaryFile(dir="/tmp", suffix=".mtl") as library,
        NamedTemporaryFile(dir="/tmp", suffix=".obj") as mesh,
    ):
        write(Path(mesh.name), f"mtllib {Path(library.name).name}\n{FACES}")
        assert list(_sides(Path(mesh.name))) == [Path(library.name)]


def test_a_model_in_the_folder_of_the_file_system_is_no_crash() -> None:
    assert Resolver(Path("/x.urdf"), environ={}).find("no such mesh.stl")[0] is None
    assert side_files(Path("/"))("no such image.png") is None


def test_images_of_a_collada_file_go_with_it(tmp_path: Path) -> None:
    write(tmp_path / "from" / "materials" / "textures" / "a & b.png", image("red"))
    named = "<init_from>file:///home/me/a%20&amp;%20b.png</init_from>"
    mesh = f"<COLLADA version='1.4.1'><library_images><image id='i'>{named}</image></library_images></COLLADA>"
    write(tmp_path / "from" / "meshes" / "x.dae", mesh)
    convert(write(tmp_path / "from" / "r.urdf", URDF.format("meshes/x.dae")), tmp_path / "to" / "r.sdf")
    assert files(tmp_path / "to" / "r_assets") == {"meshes/x.dae", "materials/textures/a & b.png"}


def test_libraries_that_name_each_other_are_no_loop(tmp_path: Path) -> None:
    write(tmp_path / "from" / "a.mtl", "newmtl a\nmap_Ka b.mtl\n")
    write(tmp_path / "from" / "b.mtl", "newmtl b\nmap_Ka a.mtl\n")
    write(tmp_path / "from" / "x.obj", f"mtllib a.mtl\nusemtl a\n{FACES}")
    convert(write(tmp_path / "from" / "r.urdf", URDF.format("x.obj")), tmp_path / "to" / "r.sdf")
    assert files(tmp_path / "to" / "r_assets") == {"x.obj", "a.mtl", "b.mtl"}


def test_blank_lines_are_searched_in_time(tmp_path: Path) -> None:
    mesh = write(tmp_path / "from" / "x.obj", "\n" * 300_000 + " " * 300_000 + FACES + "<init_from>" * 30_000)
    write(tmp_path / "from" / "y.dae", "<init_from>" + " " * 300_000)
    started = process_time()
    assert list(_sides(mesh)) == list(_sides(tmp_path / "from" / "y.dae")) == []
    assert process_time() - started < 5


def test_files_of_folders_that_have_nothing_in_common_tell_nothing_of_the_machine() -> None:
    ours, theirs = Path("/home/me/robots/meshes"), Path("/opt/ros/share/arm/meshes")
    placed = arranged({ours / "a.dae": [ours / "img" / "a.png"], theirs / "b.stl": [], theirs / "c.stl": []})
    assert [*placed.values()] == ["meshes/a.dae", "meshes/img/a.png", "meshes_1/b.stl", "meshes_1/c.stl"]
    together = arranged({ours / "a.dae": [], ours.parent / "other" / "b.dae": []})
    assert [*together.values()] == ["meshes/a.dae", "other/b.dae"]
    crossing = arranged({Path("/meshes/a.dae"): [Path("/images/a.png")]})
    assert [*crossing.values()] == ["meshes/a.dae", "images/a.png"]


def test_lines_of_an_obj_that_name_libraries_and_no_others() -> None:
    said = (
        b"mtllib a.mtl\n# mtllib b.mtl\n \tmtllib\tc d.mtl\r\nmtllibs e.mtl\nv 0 0 mtllib f.mtl\nmtllib g.mtl mtllib h"
    )
    assert [*_libraries(said)] == [b"a.mtl", b"c d.mtl", b"g.mtl mtllib h"]
    assert [*_libraries(b"mtllib " * 3)] == [b"mtllib mtllib "]
    start = process_time()
    assert [*_libraries(b"v mtllib " * 1_000_000)] == []
    assert process_time() - start < 2, "a line is looked at once"


BINARY = bytes(80) + pack("<I", 2) + bytes(100)
DAMAGED = {
    "cut.stl": BINARY[:-1],
    "solid.stl": b"solid" + BINARY[5:-1],
    "empty.stl": b"",
    "picture.stl": image("red"),
    "empty.obj": b"",
    "binary.obj": BINARY,
    "pointer.dae": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "stl.dae": BINARY,
    "cut.glb": b"glTF" + pack("<II", 2, 99) + bytes(20),
    "mesh.glb": BINARY,
    "list.gltf": b"[]",
    "mesh.ply": TETRAHEDRON.encode(),
    "corners.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\n",
    "nothing.stl": bytes(84),
    "words.stl": b"solid a\nendsolid a\n",
    "cloud.ply": b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 0\nend_header\n0\n",
}
FACELESS = ("corners.obj", "nothing.stl", "words.stl", "cloud.ply")


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("target", ["there/b.urdf", "b.urdf", "b.sdf"])
def test_a_mesh_file_that_nobody_can_read_is_told_where_it_is_named_without_being_read(
    tmp_path: Path, name: str, target: str
):
    (tmp_path / name).write_bytes(DAMAGED[name])
    (tmp_path / "a.urdf").write_text(URDF.format(name))
    (tmp_path / "there").mkdir()
    report = explained(convert(tmp_path / "a.urdf", tmp_path / target))
    (told,) = of_rule(report, "assets/damaged")
    assert (told.before, told.action) == (name, "noted")
    assert told.reason.endswith("the mesh has no faces") == (name in FACELESS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.stl", BINARY),
        ("b.stl", b"solid" + BINARY[5:]),
        ("c.stl", b" solid a\nfacet normal 0 0 1"),
        ("longer.stl", BINARY + b"more"),
        ("a.dae", b"\xef\xbb\xbf<COLLADA/>"),
        ("b.dae", "<COLLADA/>".encode("utf-16")),
        ("a.obj", TETRAHEDRON.encode()),
        ("b.obj", TETRAHEDRON.encode("utf-16")),
        ("a.ply", b"ply\nformat ascii 1.0\n"),
        ("a.gltf", b"\n {}"),
        ("a.glb", b"glTF" + pack("<II", 2, 20) + bytes(8)),
    ],
)
def test_the_first_bytes_of_a_mesh_file_may_be_any_of_these(name: str, data: bytes):
    assert damage(Path(name).suffix, data, len(data)) == ""


@pytest.mark.parametrize("target", ["out/b.urdf", "out/b.sdf", "out/b.xml"])
def test_files_that_only_case_tells_apart_do_not_lie_on_each_other_on_any_disk(tmp_path: Path, target: str):
    for folder in ("Parts", "parts", "out"):
        (tmp_path / folder).mkdir()
    links = ""
    for number, name in enumerate(("Parts/Arm.obj", "Parts/arm.obj", "parts/Arm.obj"), 1):
        (tmp_path / name).write_text(f"mtllib {Path(name).stem}.mtl\nusemtl m\n{scaled(number)}")
        (tmp_path / name).with_suffix(".mtl").write_text(f"newmtl m\nKd 0 0 0.{number}\n")
        geometry = f'<geometry><mesh filename="{name}"/></geometry>'
        links += f'<link name="l{number}"><visual>{geometry}</visual><collision>{geometry}</collision></link>'
        ends = f'<parent link="l1"/><child link="l{number}"/>'
        links += f'<joint name="j{number}" type="fixed">{ends}</joint>' if number > 1 else ""
    (tmp_path / "a.urdf").write_text(f'<robot name="r">{links}</robot>')
    explained(convert(tmp_path / "a.urdf", tmp_path / target))
    files = [str(path.relative_to(tmp_path)).casefold() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) == len({*files})
    if not target.endswith(".xml"):
        assert widths(tmp_path / target) == [1.0, 2.0, 3.0]
    report = explained(convert(tmp_path / target, tmp_path / "back.urdf"))
    assert [each for each in report.findings if each.action in ("dropped", "approximated")] == []
    assert widths(tmp_path / "back.urdf") == [1.0, 2.0, 3.0]


def test_files_of_an_mjcf_that_only_case_tells_apart_do_not_lie_on_each_other_on_any_disk(tmp_path: Path):
    (tmp_path / "out").mkdir()
    for number, name in enumerate(("Arm.obj", "arm.obj"), 1):
        (tmp_path / name).write_text(scaled(number))
    meshes = '<mesh name="x" file="Arm.obj"/><mesh name="y" file="arm.obj"/>'
    geoms = '<geom type="mesh" mesh="x"/><geom type="mesh" mesh="y"/>'
    (tmp_path / "a.xml").write_text(f"<mujoco><asset>{meshes}</asset><worldbody>{geoms}</worldbody></mujoco>")
    explained(convert(tmp_path / "a.xml", tmp_path / "out/b.xml"))
    files = [str(path).casefold() for path in (tmp_path / "out").rglob("*.obj")]
    assert len({*files}) == 2
    sizes = [mujoco_model(tmp_path / name).geom_aabb[:, 3].tolist() for name in ("a.xml", "out/b.xml")]
    assert sizes[0] == sizes[1]


def scaled(number: int) -> str:
    return TETRAHEDRON.replace("1 0 0", f"{number} 0 0")


def test_a_material_library_leads_to_an_image_that_stays_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From any working directory: no path goes up from the root."""
    monkeypatch.chdir("/")
    write(tmp_path / "t.png", image("red"))
    shown = f'<mesh name="m" vertex="{INLINE}" texcoord="0 0 1 0 0 1 1 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>'
    assets = f'<asset>{shown}<texture name="t" type="2d" file="t.png"/><material name="k" texture="t"/></asset>'
    geom = '<worldbody><geom type="mesh" mesh="m" material="k"/></worldbody>'
    source = write(tmp_path / "m.xml", f"<mujoco>{assets}{geom}</mujoco>")
    explained(convert(source, tmp_path / "b" / "m.urdf", options=Options(meshes="reference")))
    (library,) = (tmp_path / "b" / "m_assets").glob("*.mtl")
    assert (library.parent / library.read_text().partition("map_Kd ")[2].strip()).resolve() == tmp_path / "t.png"


def test_an_mjcf_names_meshes_where_they_lie_and_what_is_made_of_others_beside_itself(tmp_path: Path) -> None:
    write(tmp_path / "from" / "x.obj", TETRAHEDRON)
    write(tmp_path / "from" / "two.obj", f"o a\n{TETRAHEDRON}o b\n{FACES}")
    link = '<link name="{0}"><visual><geometry><mesh filename="{0}.obj"/></geometry></visual></link>'
    joint = '<joint name="j" type="fixed"><parent link="x"/><child link="two"/></joint>'
    text = f'<robot name="r">{link.format("x")}{link.format("two")}{joint}</robot>'
    source = write(tmp_path / "from" / "m.urdf", text)
    target = tmp_path / "to" / "m.xml"
    report = explained(convert(source, target, options=Options(meshes="reference")))
    assert of_rule(report, "mjcf/asset-reference") and of_rule(report, "mjcf/asset-place")
    files = etree.parse(target).xpath("//mesh/@file")
    assert sorted(map(str, files)) == ["../from/x.obj", "m_assets/two_0.obj", "m_assets/two_1.obj"]
    assert sorted(path.name for path in (tmp_path / "to" / "m_assets").iterdir()) == ["two_0.obj", "two_1.obj"]
    assert mujoco_model(target).nmesh == 3
