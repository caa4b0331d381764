"""From format to format and back through a third: every difference has a reason, and the source comes back."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import mujoco
import pytest
import trimesh
from PIL import Image

from converters import Options, convert
from converters.convert import read
from ir.diff import differences
from tests.files import saved
from tests.formats.sdf_links import TETRAHEDRON
from tests.reports import explained

SUFFIXES = {"urdf": ".urdf", "sdf": ".sdf", "mjcf": ".xml", "gltf": ".glb"}
TWICE = f"o a\n{TETRAHEDRON}o b\n{TETRAHEDRON.replace('v 1', 'v 2')}"
SOURCES = {
    "urdf": """<robot name="r"><link name="a">
  <visual><geometry><mesh filename="one/m.obj" scale="2 2 2"/></geometry></visual>
  <collision><geometry><mesh filename="two/m.obj"/></geometry></collision></link>
  <link name="b"><visual><geometry><mesh filename="both.obj"/></geometry></visual>
  <collision><geometry><mesh filename="both.obj"/></geometry></collision></link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>
""",
    "sdf": """<sdf version="1.9"><model name="m"><link name="a">
  <visual name="v"><geometry><mesh><uri>one/m.obj</uri></mesh></geometry><material><pbr><metal>
  <albedo_map>one/i.png</albedo_map><roughness_map>two/i.png</roughness_map></metal></pbr></material></visual>
  <visual name="w"><geometry><mesh><uri>two/m.obj</uri></mesh></geometry></visual>
  <collision name="c"><geometry><mesh><uri>both.obj</uri></mesh></geometry></collision></link></model></sdf>
""",
    "mjcf": """<mujoco><asset><mesh name="n" file="one/m.obj" scale="2 2 2"/><mesh file="one/m.obj" scale=".5 1 1"/>
  <mesh name="o" file="two/m.obj"/><texture name="t" type="2d" file="two/i.png"/><material name="k" texture="t"/>
  </asset><worldbody><body name="a"><joint name="j"/><geom name="g" type="mesh" mesh="n"/>
  <geom name="h" type="mesh" mesh="m" pos="1 0 0" material="k"/><geom name="i" type="mesh" mesh="o"/></body></worldbody>
  </mujoco>
""",
}


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """A folder with meshes and images, two of which have the same name, and a mesh of two parts."""
    for number, name in enumerate(("one", "two")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "m.obj").write_text(TETRAHEDRON.replace("v 1", f"v {1 + number}"))
        Image.new("RGB", (2, 2), ("red", "blue")[number]).save(folder / "i.png")
    (tmp_path / "both.obj").write_text(TWICE)
    return tmp_path


WAYS = [(home, *way) for home in SOURCES for way in permutations([each for each in SUFFIXES if each != home], 2)]


@pytest.mark.parametrize(("home", "first", "second"), WAYS)
@pytest.mark.parametrize("gone", [False, True], ids=["there", "gone"])
def test_home_by_a_third_format(home: str, first: str, second: str, gone: bool, there: Path) -> None:
    """gone: the source of each conversion is removed before the next one."""
    path = source = saved(there / f"r{SUFFIXES[home]}", SOURCES[home])
    scene = read(source)
    for number, form in enumerate((first, second, home)):
        made = there / f"to{number}" / f"r{SUFFIXES[form]}"
        explained(convert(path, made))
        if gone:
            for each in (*there.rglob("*.obj"), *there.rglob("*.png"), *there.rglob("*.glb")):
                if made.parent not in each.parents:
                    each.unlink()
        path = made
    if home == "mjcf":
        assert mujoco.MjModel.from_xml_path(str(path)).ngeom == 3
    lost = {asset.uri for asset in read(path).assets.values() if asset.file is None}
    own = {asset.uri for asset in scene.assets.values()}
    assert lost <= own | {"r.glb#/images/1"}  # of the map of roughness MJCF holds nothing but the address
    if not gone:
        assert not lost
        fields = {each.field for each in differences(scene, read(path))}
        assert fields <= {"asset.uri", "asset.parameters", "asset.label"}


def test_a_colour_that_gazebo_shows_instead_does_not_come_home(there: Path) -> None:
    """In SDFormat a <gazebo> block paints what is white in the URDF and in MJCF, after any conversions."""
    shown = '<visual><geometry><mesh filename="one/m.obj"/></geometry><material name="white"/></visual>'
    white = '<material name="white"><color rgba="1 1 1 1"/></material>'
    block = '<gazebo reference="a"><material>Gazebo/Black</material></gazebo>'
    saved(there / "one" / "m.obj", f"mtllib m.mtl\nusemtl k\n{TETRAHEDRON}")
    saved(there / "one" / "m.mtl", "newmtl k\nKd .5 .5 .5\n")
    path = saved(there / "r.urdf", f'<robot name="r">{white}<link name="a">{shown}</link>{block}</robot>')
    for name, rgba in (("r.sdf", "0 0 0 1"), ("r.xml", "1 1 1 1"), ("r.urdf", "1 1 1 1")):
        made = there / f"to_{name}" / name
        explained(convert(path, made))
        assert rgba in made.read_text()
        path = made
    assert read(path).materials == read(there / "r.urdf").materials


def test_the_image_of_a_mesh_that_is_gone_lies_beside_what_stands_for_it(there: Path) -> None:
    """It has a Gazebo address, which stays in the document, but which a material library cannot contain."""
    saved(there / "model.config", "<model><name>box</name><sdf>model.sdf</sdf></model>")
    uvs = TETRAHEDRON.replace("f ", "vt 0 0\nf ", 1).replace("f 1 3 2", "f 1/1 3/1 2/1")
    saved(there / "one" / "m.obj", uvs)
    look = "<pbr><metal><albedo_map>model://box/one/i.png</albedo_map></metal></pbr>"
    visual = "<geometry><mesh><uri>model://box/one/m.obj</uri></mesh></geometry>"
    shown = f'<visual name="v">{visual}<material><diffuse>1 1 1 1</diffuse>{look}</material></visual>'
    model = f'<model name="m"><link name="a">{shown}</link></model>'
    source = saved(there / "model.sdf", f'<sdf version="1.9">{model}</sdf>')
    found = Options(packages={"box": there})
    explained(convert(source, there / "a" / "r.glb", options=found))
    (there / "one" / "m.obj").unlink()
    explained(convert(there / "a" / "r.glb", there / "b" / "r.sdf", options=found))
    beside = there / "b" / "r_assets"
    assert "map_Kd i.png" in (beside / "m.mtl").read_text()
    assert (beside / "i.png").read_bytes() == (there / "one" / "i.png").read_bytes()


def test_the_image_of_a_second_definition_that_does_not_count_is_no_asset(there: Path) -> None:
    """It stays as written if the first definition names a file inside a GLB, or one next to the output."""
    look = '<material name="k"><texture filename="one/i.png"/></material>'
    shown = '<visual><geometry><box size="1 1 1"/></geometry><material name="k"/></visual>'
    source = saved(there / "r.urdf", f'<robot name="r">{look}{look}<link name="a">{shown}</link></robot>')
    explained(convert(source, there / "a" / "r.glb"))
    (there / "one" / "i.png").unlink()
    explained(convert(there / "a" / "r.glb", there / "b" / "r.urdf"))
    image = str(there / "b" / "r_assets" / "i.png")
    assert [asset.file for asset in read(there / "b" / "r.urdf").assets.values()] == [image]


def test_what_is_said_of_a_mesh_is_said_of_its_parts(there: Path) -> None:
    """MJCF has two meshes for one, the mesh is missing, and then SDFormat has two collisions."""
    surface = "<surface><bounce><restitution_coefficient>.5</restitution_coefficient><threshold>2</threshold></bounce>"
    shape = f"<geometry><mesh><uri>both.obj</uri></mesh></geometry>{surface}</surface>"
    path = saved(there / "r.sdf", f'<sdf version="1.9"><model name="m"><link name="a"><collision name="c">{shape}')
    path.write_text(path.read_text() + "</collision></link></model></sdf>")
    for name in ("r.xml", "r.glb", "r.sdf"):
        made = there / f"to_{name}" / name
        explained(convert(path, made))
        (there / "both.obj").unlink(missing_ok=True)
        path = made
    text = path.read_text()
    assert text.count("<collision ") == text.count("<threshold>2<") == text.count("_coefficient>0.5<") == 2


def test_a_file_that_is_found_by_search_is_not_what_was_written(
    there: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The author's address leads to the original file (--resource-path), but the mesh is the one from the GLB."""
    trimesh.creation.box().export(there / "two" / "b.stl")
    (there / "in").mkdir()
    for name, file in (("n", "../one/m.obj"), ("o", "../two/b.stl")):
        asset = f'<asset><mesh name="{name}" file="{file}"/><material name="of_{name}"/></asset>'
        saved(there / "in" / f"{name}.xml", f"<mujocoinclude>{asset}<default/></mujocoinclude>")
    geoms = '<worldbody><geom type="mesh" mesh="n"/><geom type="mesh" mesh="o"/></worldbody>'
    path = saved(there / "in" / "r.xml", f'<mujoco><include file="n.xml"/><include file="o.xml"/>{geoms}</mujoco>')
    far, folders = tmp_path_factory.mktemp("far"), [there, there / "in"]
    for name in ("r.glb", "r.sdf", "r.xml"):
        made = far / f"to_{name}" / name
        explained(convert(path, made, options=Options(resource_paths=folders if name == "r.xml" else [])))
        path = made
    assert all(asset.file and far / "to_r.xml" in Path(asset.file).parents for asset in read(path).assets.values())


def test_the_spelling_of_the_author_names_no_file_that_lies_elsewhere_now(
    there: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A visual without a name is recognised by all of its text, which contains the address."""
    shape = "<geometry><mesh><uri>one/m.obj</uri></mesh></geometry>"
    link = f'<link name="a"><visual>{shape}</visual></link>'
    path = saved(there / "r.sdf", f'<sdf version="1.9"><model name="m">{link}</model></sdf>')
    far = tmp_path_factory.mktemp("far")
    for name in ("r.glb", "r.sdf"):
        made = far / f"to_{name}" / name
        explained(convert(path, made))
        path = made
    assert "<uri>r_assets/m.obj</uri>" in path.read_text()


def test_looks_that_a_mesh_has_inside_a_glb_are_its_own(there: Path) -> None:
    visual = '<visual><geometry><mesh filename="one/m.obj"/></geometry></visual>'
    source = saved(there / "r.urdf", f'<robot name="r"><link name="l">{visual}</link></robot>')
    saved(there / "one" / "m.mtl", "newmtl k\nKd 1 0 0\n")
    saved(there / "one" / "m.obj", f"mtllib m.mtl\nusemtl k\n{TETRAHEDRON}")
    explained(convert(source, there / "a" / "r.glb"))
    (there / "one" / "m.obj").unlink()
    explained(convert(there / "a" / "r.glb", there / "b" / "r.xml"))
    (colour,) = mujoco.MjModel.from_xml_path(str(there / "b" / "r.xml")).mat_rgba.tolist()
    assert colour == [1, 0, 0, 1]
