"""Models after several conversions: through another format, and away from their original files."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.comparing import compare
from converters.context import Options
from converters.convert import convert, read
from converters.report.model import Action
from tests.files import saved
from tests.formats.gltf_made import CORNERS, Made
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.mjcf_against_mjcf import names as named
from tests.reports import explained

POINTS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
FACES = "f {0} {2} {1}\nf {0} {1} {3}\nf {0} {3} {2}\nf {1} {2} {3}\n"
WHOLE = POINTS + FACES.format(1, 2, 3, 4)
TWO = f"mtllib m.mtl\no a\n{POINTS}usemtl red\n{FACES.format(1, 2, 3, 4)}o b\n" + (
    f"{POINTS.replace('1', '2')}usemtl blue\n{FACES.format(5, 6, 7, 8)}"
)
LIBRARY = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"
ASSETS = """<asset>
<mesh name="typed" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale=".1 .1 .1"/>
<mesh file="shown.obj" scale=".1 .1 .1"/><mesh file="unused.obj"/>
<hfield name="hills" file="hills.png" size="1 1 .1 .1"/>
<texture type="2d" file="shown.png"/><texture type="skybox" file="sky.png" gridsize="1 1"/>
<texture name="unused" type="2d" file="plain.jpg"/>
<material name="worn" texture="shown"/><material name="not worn" texture="unused"/>
<model name="arm" file="arm.xml"/>
</asset>"""
TREE = """<worldbody><geom type="hfield" hfield="hills"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0"/><geom type="mesh" mesh="typed" material="worn"/>
<geom type="mesh" mesh="shown" pos=".3 0 0"/><frame pos="0 .5 0"><attach model="arm" body="upper" prefix="l_"/></frame>
</body></worldbody>"""
ARM = '<mujoco><worldbody><body name="upper"><joint name="k"/><geom size=".1"/></body></worldbody></mujoco>'


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """An MJCF model with files of every kind, some of which are not visible."""
    source = tmp_path / "source"
    source.mkdir()
    for name in ("shown", "unused"):
        (source / f"{name}.obj").write_text(WHOLE)
    pictures = np.arange(64, dtype=np.uint8).reshape(8, 8)
    for name in ("hills.png", "shown.png", "sky.png"):
        Image.fromarray(pictures).convert("L" if name == "hills.png" else "RGB").save(source / name)
    Image.new("RGB", (4, 4), (200, 10, 10)).save(source / "unused.png")
    (source / "unused.png").rename(source / "plain.jpg")  # a PNG by another name, as MuJoCo takes it
    (source / "arm.xml").write_text(ARM)
    (source / "stage.xml").write_text(f"<mujoco>{ASSETS.replace('plain.jpg', 'plain.png')}{TREE}</mujoco>")
    (source / "plain.jpg").rename(source / "plain.png")
    return source / "stage.xml"


@pytest.mark.parametrize(("suffix", "compress"), [("glb", "none"), ("gltf", "none"), ("glb", "quantize")])
def test_an_mjcf_comes_whole_out_of_a_gltf_that_has_gone_elsewhere(
    tmp_path: Path, stage: Path, suffix: str, compress: str
):
    before = mujoco_model(stage)
    explained(convert(stage, tmp_path / "sent" / f"model.{suffix}", options=Options(compress=compress)))
    shutil.move(tmp_path / "sent", tmp_path / "received")
    stage.parent.rename(tmp_path / "gone")
    target = tmp_path / "back" / "model.xml"
    explained(convert(tmp_path / "received" / f"model.{suffix}", target))
    shutil.rmtree(tmp_path / "received")
    after = mujoco_model(target)
    for kind in ("body", "joint", "geom", "mesh", "hfield", "texture", "material"):
        assert named(after, kind) == named(before, kind), kind
    near = 1e-6 if compress == "none" else 1e-3  # sixteen bits of the extent
    assert after.body_inertia == pytest.approx(before.body_inertia, rel=near)
    assert after.geom_rbound == pytest.approx(before.geom_rbound, rel=near)
    assert after.tex_data == pytest.approx(before.tex_data)
    assert after.hfield_data == pytest.approx(before.hfield_data)
    assert [each.what for each in compare(tmp_path / "gone" / "stage.xml", target) if each.by and each.by > near] == []


@pytest.fixture
def split(tmp_path: Path) -> Path:
    """The MJCF of a URDF whose mesh had to be split into two files; the original is deleted."""
    (tmp_path / "m.obj").write_text(TWO)
    (tmp_path / "m.mtl").write_text(LIBRARY)
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.obj"/></geometry></visual>'
        '<collision><geometry><mesh filename="c/m.stl"/></geometry></collision></link></robot>'
    )
    (tmp_path / "c").mkdir()
    tetrahedron = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1))]
    tetrahedron += [((0, 0, 0), (0, 0, 1), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    data = b"".join(np.array([(0, 0, 0), *each], "<f4").tobytes() + b"\0\0" for each in tetrahedron)
    (tmp_path / "c" / "m.stl").write_bytes(bytes(80) + np.uint32(4).tobytes() + data)
    convert(tmp_path / "r.urdf", tmp_path / "sent" / "r.xml")
    (tmp_path / "r.urdf").rename(tmp_path / "sent" / "was.urdf")
    (tmp_path / "m.obj").unlink()
    return tmp_path / "sent" / "r.xml"


def test_a_split_mesh_whose_original_is_gone_has_its_address_again_in_the_format_it_came_from(split: Path):
    report = convert(split, split.parents[1] / "back" / "r.urdf")
    told = [(found.where, found.before, found.action) for found in report.findings if "original" in found.rule]
    assert told == [("asset/m", "m.obj", Action.NOTED)]
    assert (split.parents[1] / "back" / "r.urdf").read_text().count('filename="m.obj"') == 1


@pytest.mark.parametrize("name", ["r.xml", "r.sdf", "r.glb"])
def test_elsewhere_its_parts_stand_for_it(split: Path, name: str):
    target = split.parents[1] / "back" / name
    explained(convert(split, target))
    scene = read(target)
    seen = [geom for geom in scene.body("a").geoms if geom.role == "visual"]
    assert sorted(scene.materials[geom.material].rgba for geom in seen) == [(0, 0, 1, 1), (1, 0, 0, 1)]
    assert compare(split, target) == []
    if name == "r.xml":
        assert mujoco_model(target).nmesh == 3
    if name == "r.sdf":
        assert sdformat_reads(target)["errors"] == []


@pytest.mark.parametrize("scale", ["1 1 1", "-0.5 2 -1"])
def test_a_mesh_is_compared_with_its_parts_together(tmp_path: Path, scale: str):
    """For one model the file of the only mesh is found, for the other only the parts of the mesh."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "m.obj").write_text(TWO)
    (tmp_path / "own" / "m.mtl").write_text(LIBRARY)
    shape = f'<geometry><mesh filename="m.obj" scale="{scale}"/></geometry>'
    text = f'<robot name="r"><link name="a"><visual>{shape}</visual><collision>{shape}</collision></link></robot>'
    convert(saved(tmp_path / "own" / "r.urdf", text), tmp_path / "sent" / "r.glb")
    (tmp_path / "own").rename(tmp_path / "gone")
    arrived = tmp_path / "back" / "r.xml"
    convert(tmp_path / "sent" / "r.glb", arrived)
    shutil.rmtree(tmp_path / "sent")
    assert compare(tmp_path / "gone" / "r.urdf", arrived) == []
    assert compare(arrived, tmp_path / "gone" / "r.urdf") == []
    (part,) = (each for each in (tmp_path / "back").rglob("*.obj") if "v 2" in each.read_text())
    part.write_text(part.read_text().replace("v 2", "v 3"))
    found = compare(tmp_path / "gone" / "r.urdf", arrived)
    assert {each.where for each in found} == {"body/a.a_visual_0.bounds", "body/a.a_collision_0.bounds"}


def test_a_mesh_that_is_not_found_does_not_take_the_name_of_another(tmp_path: Path, split: Path):
    """The collision mesh is written as m.obj, which is not the visual mesh of that name."""
    for file in split.parent.glob("**/*_[01].obj"):
        file.unlink()
    convert(split, tmp_path / "there" / "r.sdf")
    scene = read(tmp_path / "there" / "r.sdf")
    (visual,) = (geom for geom in scene.body("a").geoms if geom.role == "visual")
    assert scene.assets[visual.shape.asset].file is None


def test_a_glb_of_others_that_was_split_is_whole_again_in_a_glb(tmp_path: Path):
    """glTF cannot reference an unavailable file, although the model came from it."""
    made = Made()
    looks = [made.add("materials", {"pbrMetallicRoughness": {"baseColorFactor": [red, 0, 0, 1]}}) for red in (0, 1)]
    shape = made.mesh(made.primitive(material=looks[0]), made.primitive(corners=CORNERS * 2, material=looks[1]))
    made.scene(made.node(name="thing", mesh=shape))
    convert(saved(tmp_path / "theirs.glb", made.glb()), tmp_path / "sent" / "m.xml")
    (tmp_path / "theirs.glb").unlink()
    explained(convert(tmp_path / "sent" / "m.xml", tmp_path / "back" / "m.glb"))
    shapes = trimesh.load_scene(tmp_path / "back" / "m.glb").dump()
    assert sorted(len(shape.faces) for shape in shapes) == [4, 4]
    assert max(shape.bounds[1].max() for shape in shapes) == pytest.approx(6.0)


def test_the_image_of_a_height_field_goes_on_from_a_glb(tmp_path: Path):
    source = tmp_path / "source"
    source.mkdir()
    Image.fromarray(np.arange(25, dtype=np.uint8).reshape(5, 5) * 5 + 50).save(source / "hills.png")
    shape = "<geometry><heightmap><uri>hills.png</uri><size>2 2 1</size></heightmap></geometry>"
    link = f'<link name="l"><collision name="c">{shape}</collision></link>'
    (source / "hills.sdf").write_text(f'<sdf version="1.9"><model name="m">{link}</model></sdf>')
    convert(source / "hills.sdf", tmp_path / "sent" / "m.glb")
    source.rename(tmp_path / "gone")
    names = ("m.urdf", "m.xml", "m.sdf")
    for name in names:
        explained(convert(tmp_path / "sent" / "m.glb", tmp_path / "back" / name))
    shutil.rmtree(tmp_path / "sent")
    for name in names:
        assert compare(tmp_path / "gone" / "hills.sdf", tmp_path / "back" / name) == [], name


@pytest.mark.parametrize("way", ["m.glb", "m.glb m.sdf", "m.glb m.urdf", "m.urdf m.glb"])
def test_what_the_author_wrote_in_several_sections_does_not_name_files_that_are_gone(tmp_path: Path, way: str):
    source = tmp_path / "source"
    (source / "meshes").mkdir(parents=True)
    (source / "meshes" / "one.obj").write_text(WHOLE)
    (source / "model.xml").write_text(
        '<mujoco><asset><material name="m"/></asset><worldbody>'
        '<body name="b"><geom type="mesh" mesh="one" mass="1"/></body>'
        '</worldbody><compiler angle="radian"/><asset><mesh name="one" file="meshes/one.obj"/></asset></mujoco>'
    )
    before = mujoco_model(source / "model.xml")
    last = source / "model.xml"
    for number, name in enumerate(way.split()):
        target = tmp_path / f"sent{number}" / name
        convert(last, target)
        last.parent.rename(tmp_path / f"gone{number}")
        last = target
    explained(convert(last, tmp_path / "back" / "m.xml"))
    after = mujoco_model(tmp_path / "back" / "m.xml")
    assert after.body_inertia == pytest.approx(before.body_inertia, rel=1e-6)


SEEN_THROUGH = """<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>1</mass></inertial>
<visual name="v"><transparency>0.3</transparency><geometry><mesh><uri>m.stl</uri></mesh></geometry></visual>
</link></model></sdf>"""


@pytest.mark.parametrize("way", ["r.xml", "r.urdf", "r.xml r.urdf", "r.xml r.glb", "r.urdf r.xml r.glb", "r.glb r.xml"])
def test_what_a_mesh_without_colours_is_seen_through_comes_back(tmp_path: Path, way: str):
    """White with an alpha, which other formats use instead, is not a material of the mesh."""
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "m.stl")
    last = saved(tmp_path / "m.sdf", SEEN_THROUGH)
    for name in (*way.split(), "back.sdf"):
        convert(last, tmp_path / name)
        last = tmp_path / name
    visual = etree.parse(last).find("model/link/visual")
    assert visual is not None
    assert [visual.findtext("transparency"), visual.find("material")] == ["0.3", None]


@pytest.mark.parametrize("suffix", [".sdf", ".xml", ".glb"])
def test_a_root_beside_what_is_held_in_the_world_stays_open(suffix: str, tmp_path: Path) -> None:
    inertia = '<inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/>'
    links = "".join(
        f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial></link>' for name in ("base", "arm")
    )
    mount = '<joint name="mount" type="fixed"><parent link="world"/><child link="base"/></joint>'
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="world"/>{links}{mount}</robot>')
    there = tmp_path / f"r{suffix}"
    convert(source, there)
    report = convert(there, tmp_path / "back.urdf")
    assert "carried/stale" not in {finding.rule for finding in report.findings}
    assert [*read(tmp_path / "back.urdf").joints] == ["mount"]


@pytest.mark.parametrize("ways", [("sdf", "urdf"), ("sdf", "gltf"), ("urdf", "sdf"), ("gltf", "sdf", "urdf")])
def test_the_grey_of_mujoco_is_no_look_that_a_mesh_file_has(tmp_path: Path, ways: tuple[str, ...]):
    """A geom without a material comes back without one, in its frame, whatever it got in between."""
    (tmp_path / "b.obj").write_text(WHOLE)
    frame = '<frame pos="0 0 1"><geom name="g" type="mesh" mesh="b"/></frame>'
    text = f'<mujoco><asset><mesh file="b.obj"/></asset><worldbody><body name="a">{frame}</body></worldbody></mujoco>'
    document = saved(tmp_path / "m.xml", text)
    for number, way in enumerate((*ways, "xml")):
        written = tmp_path / str(number) / f"m.{way}"
        explained(convert(document, written))
        document = written
    assert mujoco_model(document).nmat == 0
    assert [each.tag for each in etree.parse(document).find("worldbody/body")] == ["frame"]
