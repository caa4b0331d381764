"""What collides in MuJoCo (the hull of a mesh, the ground of a field), and what pulls a joint, in other formats."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree
from PIL import Image

from converters.context import Options
from converters.convert import convert, read
from ir.types import Mesh
from tests.files import saved
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

BODIES = "KHR_physics_rigid_bodies"
DENT = '<mesh name="dent" vertex="0 0 0 1 0 0 0 1 0 0 0 1 .2 .2 .2" face="0 2 1 0 1 3 0 3 2 1 2 4 2 3 4 3 1 4"/>'
"""A tetrahedron with a dent."""
TOUCHING = (
    '<body name="b"><joint/><geom name="both" type="mesh" mesh="dent"/>'
    '<geom name="hit" type="mesh" mesh="dent" pos="2 0 0" group="3"/>'
    '<geom name="seen" type="mesh" mesh="dent" pos="4 0 0" contype="0" conaffinity="0"/>'
    '<geom name="ball" type="sphere" mesh="dent" pos="6 0 0"/></body>'
)


def model(asset: str, world: str, more: str = "") -> str:
    return f'<mujoco model="m"><asset>{asset}</asset><worldbody>{world}</worldbody>{more}</mujoco>'


@pytest.fixture
def touching(tmp_path: Path) -> Path:
    return saved(tmp_path / "m.xml", model(DENT, TOUCHING))


def test_a_mesh_that_collides_is_its_hull(touching: Path):
    shapes = {geom.name: geom.shape for geom in read(touching).body("b").geoms}
    hulls = {name: shape.hull for name, shape in shapes.items() if isinstance(shape, Mesh)}
    assert hulls == {"both": True, "hit": True, "seen": False, "ball": False}
    report = convert(touching, touching.with_name("again.xml"))
    assert report.findings == ()
    again = etree.parse(touching.with_name("again.xml"), etree.XMLParser(remove_blank_text=True))
    assert etree.tostring(again.getroot()) == etree.tostring(etree.parse(touching).getroot())


def test_urdf_declares_what_collides_convex(touching: Path):
    out = touching.with_name("m.urdf")
    report = convert(touching, out)
    root = etree.parse(out).getroot()
    found = {each.get("name"): len(each.xpath(".//*[local-name()='declare_convex']")) for each in root.iter("visual")}
    assert found == {"both": 0, "seen": 0, "ball": 0}
    found = {
        each.get("name"): len(each.xpath(".//*[local-name()='declare_convex']")) for each in root.iter("collision")
    }
    assert found == {"both_collision": 1, "hit": 1, "ball_collision": 0}
    assert not [each for each in report.findings if each.where.endswith("shape.hull")]
    convert(out, touching.with_name("back.xml"))
    assert read(touching.with_name("back.xml")).body("b") == read(touching).body("b")


@pytest.mark.parametrize(("version", "said"), [("1.9", 0), ("1.11", 2)])
def test_sdf_says_the_hull_since_its_version(touching: Path, version: str, said: int):
    out = touching.with_name("m.sdf")
    report = convert(touching, out, options=Options(sdf_version=version))
    root = etree.parse(out).getroot()
    assert len(root.findall(".//collision/geometry/mesh[@optimization='convex_hull']")) == said
    assert root.findall(".//visual/geometry/mesh[@optimization]") == []
    assert sum(each.count for each in of_rule(report, "sdf/hull")) == 2 - said
    assert not of_rule(report, "unexplained/body.geoms.shape.hull")
    if version == "1.9":
        assert sdformat_reads(out)["errors"] == []
    convert(out, touching.with_name("back.xml"))
    assert read(touching.with_name("back.xml")).body("b") == read(touching).body("b")


def test_gltf_has_a_hull_where_mujoco_has_one(touching: Path):
    hills = '<hfield name="h" nrow="3" ncol="3" elevation="2 0 2 0 0 0 2 0 2" size="1 1 .3 .1"/>'
    touching.write_text(model(DENT + hills, f'<geom name="ground" type="hfield" hfield="h"/>{TOUCHING}'))
    convert(touching, touching.with_name("m.glb"))
    document = plain_gltf(touching.with_name("m.glb")).document
    found = {
        node["extras"]["kinegraph_name"]: node["extensions"][BODIES]["collider"]["geometry"].get("convexHull", False)
        for node in document["nodes"]
        if "collider" in node.get("extensions", {}).get(BODIES, {})
    }
    assert found == {"both": True, "hit": True, "ball": False, "ground": False}  # a field keeps its valleys


def test_a_urdf_is_told_once_that_mujoco_takes_hulls(tmp_path: Path):
    trimesh.creation.torus(1, 0.2).export(tmp_path / "ring.stl")
    collision = '<collision><geometry><mesh filename="ring.stl"/></geometry></collision>'
    link = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{link}{collision * 3}</link></robot>')
    report = convert(tmp_path / "r.urdf", tmp_path / "r.xml")
    (told,) = of_rule(report, "mjcf/hull")
    assert (told.action, told.severity, told.count) == ("derived", "note", 3)
    compiled = mujoco_model(tmp_path / "r.xml")
    assert compiled.mesh_graphadr[0] >= 0  # MuJoCo has made a hull of it
    convert(tmp_path / "r.xml", tmp_path / "back.urdf")
    assert "declare_convex" not in (tmp_path / "back.urdf").read_text()


# ------------------------------------------------------------------------------------------------------ height fields


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    heights = np.random.default_rng(3).integers(40, 200, (20, 30)).astype(np.uint8)
    Image.fromarray(heights).save(tmp_path / "h.png")
    field = '<hfield name="h" file="h.png" size="2 1 .5 .1"/>'
    return saved(tmp_path / "m.xml", model(field, '<geom name="g" type="hfield" hfield="h" pos="1 2 3"/>'))


def test_an_image_of_heights_becomes_a_terrain_of_gazebo(ground: Path):
    out = ground.parent / "sdf" / "m.sdf"
    report = convert(ground, out)
    assert not of_rule(report, "assets/unreadable")
    (told,) = of_rule(report, "sdf/height-image")
    assert (told.action, told.before) == ("approximated", "h.png")
    assert sdformat_reads(out)["errors"] == []
    uris = {each.text for each in etree.parse(out).getroot().iterfind(".//heightmap/uri")}
    pixels = np.asarray(Image.open(out.parent / uris.pop())).astype(float) / 65535
    assert not uris
    assert pixels.shape == (33, 33)
    theirs = mujoco_model(ground).hfield_data.reshape(20, 30)[::-1]  # of MuJoCo the near side comes first
    assert np.allclose(pixels[[0, 0, -1, -1], [0, -1, 0, -1]], theirs[[0, 0, -1, -1], [0, -1, 0, -1]], atol=1e-4)
    assert abs(pixels.mean() - theirs.mean()) < 0.02
    convert(out, ground.parent / "back" / "m.xml")
    again = mujoco_model(ground.parent / "back" / "m.xml")
    assert np.array_equal(again.hfield_data, mujoco_model(ground).hfield_data)


@pytest.mark.parametrize(("lowest", "made"), [(0, False), (40, True)])
def test_an_image_of_the_size_that_gazebo_takes_is_stretched_where_it_has_no_black(
    ground: Path, lowest: int, made: bool
):
    heights = np.random.default_rng(3).integers(40, 200, (17, 17)).astype(np.uint8)
    heights[3, 4] = lowest
    Image.fromarray(heights).save(ground.with_name("h.png"))
    out = ground.parent / "sdf" / "m.sdf"
    assert bool(of_rule(convert(ground, out), "sdf/height-image")) is made
    (image,) = {each.text for each in etree.parse(out).getroot().iterfind(".//heightmap/uri")}
    assert np.asarray(Image.open(out.parent / image)).min() == 0


def test_a_height_field_is_a_mesh_in_urdf(ground: Path):
    out = ground.with_name("m.urdf")
    report = convert(ground, out)
    (told,) = [each for each in of_rule(report, "mjcf/height-field") if each.action == "approximated"]
    assert told.where == "body/world.geoms.g.shape"
    link = etree.parse(out).getroot().find("link")
    file = ground.parent / link.find("collision/geometry/mesh").get("filename")
    mesh = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="m" file="{file}" inertia="shell"/></asset>'
        '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    compiled = mujoco_model(ground)
    hit = np.zeros(1, np.int32)

    def seen(model: mujoco.MjModel, x: float, y: float, z: float) -> float:
        """Return the distance to the ground below."""
        data = at_rest(model)
        far: float = mujoco.mj_ray(model, data, [x, y, z], [0.0, 0.0, -1.0], None, 1, -1, hit)
        return far

    for x, y in np.random.default_rng(4).uniform((-1.9, -0.9), (1.9, 0.9), (50, 2)).tolist():
        far = seen(mesh, x, y, 9.0)
        assert far > 0
        assert (
            abs(far - seen(compiled, x + 1, y + 2, 12.0)) < 2e-2
        )  # the diagonals of the squares may run the other way
    convert(out, ground.with_name("back.xml"))
    assert np.array_equal(mujoco_model(ground.with_name("back.xml")).hfield_data, compiled.hfield_data)


# ------------------------------------------------------------------------------------------------------------- drives


def test_a_spring_and_an_actuator_are_one_drive_that_rests_where_both_do(tmp_path: Path):
    body = (
        '<body name="b"><joint name="j" stiffness="5" springref="10" damping="2"/><geom size=".1" pos="0 0 .1"/></body>'
    )
    more = '<actuator><position name="a" joint="j" kp="30" kv="1"/></actuator><option gravity="0 0 0"/>'
    report = convert(saved(tmp_path / "m.xml", model("", body, more)), tmp_path / "m.glb")
    document = plain_gltf(tmp_path / "m.glb").document
    (joint,) = document["extensions"][BODIES]["physicsJoints"]
    (drive,) = joint["drives"]
    assert (drive["stiffness"], drive["damping"]) == (35, 3)
    compiled = mujoco_model(tmp_path / "m.xml")
    data = mujoco.MjData(compiled)
    for _ in range(5000):
        mujoco.mj_step(compiled, data)
    assert drive["positionTarget"] == pytest.approx(data.qpos[0], abs=1e-6)
    assert [each.where for each in of_rule(report, "gltf/actuator")] == ["actuator/a"]
    convert(tmp_path / "m.glb", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml").tables == read(tmp_path / "m.xml").tables


SCALED = """<robot name="r"><link name="l"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual name="sound"><geometry><mesh filename="bin.stl"/></geometry></visual>
<visual name="other"><geometry><mesh filename="bin.stl" scale="{0}"/></geometry></visual>
<collision name="hit"><geometry><mesh filename="bin.stl"{1}/></geometry></collision></link></robot>"""


@pytest.mark.parametrize("hit", [False, True])
@pytest.mark.parametrize(
    ("scale", "shown"), [("0 0 0", 0), ("1 1 0", 1), ("1e-5 1e-5 1e-5", 1), ("1e-4 1e-4 1e-4", 1), ("-1 2 3", 1)]
)
def test_a_mesh_scaled_to_nothing_leaves_the_others_as_they_are(scale: str, shown: int, hit: bool, tmp_path: Path):
    trimesh.creation.box((0.1, 0.2, 0.3)).export(tmp_path / "bin.stl")
    source = saved(tmp_path / "r.urdf", SCALED.format(scale, f' scale="{scale}"' if hit else ""))
    report = convert(source, tmp_path / "out" / "r.xml")
    model = mujoco_model(tmp_path / "out" / "r.xml")
    names = {model.geom(index).name for index in range(model.ngeom)}
    assert names == {"sound"} | ({"other"} if shown else set()) | ({"hit"} if shown or not hit else set())
    assert len(of_rule(report, "assets/degenerate")) == 1 - shown
    assert sum(finding.count for finding in of_rule(report, "mjcf/geom-not-written")) == (1 - shown) * (1 + hit)
    convert(tmp_path / "out" / "r.xml", tmp_path / "back.urdf")
    given = [mesh.get("scale") for mesh in etree.parse(tmp_path / "back.urdf").iter("mesh")]
    scales = [each and [*map(float, each.split())] for each in given]
    expected = [*map(float, scale.split())]
    assert scales == [None, expected, expected if hit else None]


@pytest.mark.parametrize("said", ["", ' content_type="image/vnd.mujoco.hfield"'])
@pytest.mark.parametrize("through", ["urdf", "sdf", "glb"])
def test_a_file_of_heights_of_mujoco_comes_back_as_it_is(through: str, said: str, tmp_path: Path):
    """A glTF is one file: it contains the image of the heights."""
    heights = np.random.default_rng(5).random((4, 6)).astype("<f4")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "h.bin").write_bytes(np.array(heights.shape, "<i4").tobytes() + heights.tobytes())
    source = tmp_path / "there" / "m.xml"
    source.write_text(
        model(f'<hfield name="h" file="h.bin" size="2 1 .5 .1"{said}/>', '<geom type="hfield" hfield="h"/>')
    )
    theirs = mujoco_model(source)
    report = explained(convert(source, tmp_path / "way" / f"m.{through}"))
    assert bool(of_rule(report, "mjcf/height-image")) == (through == "sdf")
    (tmp_path / "there").rename(tmp_path / "gone")
    (tmp_path / "way").rename(tmp_path / "moved")
    again = explained(convert(tmp_path / "moved" / f"m.{through}", tmp_path / "back" / "m.xml"))
    ours = mujoco_model(tmp_path / "back" / "m.xml")
    assert np.array_equal(ours.hfield_size, theirs.hfield_size)
    if through == "glb":
        (told,) = of_rule(again, "carried/inside")
        assert (told.action, told.before) == ("noted", "h.bin")
    else:
        assert np.array_equal(ours.hfield_data, theirs.hfield_data)
        assert (ours.hfield_nrow[0], ours.hfield_ncol[0]) == (4, 6)


@pytest.fixture
def round_hull(tmp_path: Path) -> Path:
    trimesh.creation.icosphere(subdivisions=2).export(tmp_path / "ball.obj")
    return tmp_path / "m.xml"


@pytest.mark.parametrize("total", ["", '<compiler settotalmass="7"/>'], ids=["plain", "total"])
@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
def test_what_mujoco_weighs_of_a_hull_with_fewer_corners_is_told(round_hull: Path, suffix: str, total: str):
    asset = '<mesh name="cut" file="ball.obj" inertia="convex" maxhullvert="8"/><mesh name="whole" file="ball.obj" '
    asset += 'scale="2 2 2" inertia="convex" maxhullvert="500"/>'
    world = '<body name="a"><joint/><geom type="mesh" mesh="cut"/></body>'
    world += '<body name="b" pos="3 0 0"><joint/><geom type="mesh" mesh="whole"/></body>'
    world += '<body name="c" pos="6 0 0"><joint/><geom type="box" mesh="cut"/></body>'
    round_hull.write_text(model(asset, world, total))
    compiled, target = mujoco_model(round_hull), round_hull.with_suffix(f".{suffix}")
    report = explained(convert(round_hull, target))
    told = {each.where for each in of_rule(report, "mjcf/cut-hull") if each.action == "approximated"}
    plain = read(target, options=Options(carried=False))
    masses = {name: plain.body(name).inertial.mass for name in "abc"}
    unlike = {name for name in "abc" if masses[name] != pytest.approx(compiled.body(name).mass[0], rel=1e-6)}
    assert unlike == ({"a", "b", "c"} if total else {"a", "c"})
    assert {f"body/{name}.inertial" for name in unlike} <= told
    assert any(where.startswith("body/c.geoms.") for where in told)
    assert total or not any(where.startswith("body/b") for where in told)
    back = convert(target, round_hull.with_name("back.xml"))
    assert explained(back) and mujoco_model(round_hull.with_name("back.xml")).body("a").mass == compiled.body("a").mass


TETRAHEDRON = "v {0} 0 0\nv {1} 0 0\nv {0} 1 0\nv {0} 0 1\n"
FACES = "f {0} {2} {1}\nf {0} {1} {3}\nf {0} {3} {2}\nf {1} {2} {3}\n"
SPREAD = "".join(
    f"o part{number}\n{TETRAHEDRON.format(2 * number, 2 * number + 1)}"
    f"{FACES.format(*range(4 * number + 1, 4 * number + 5))}"
    for number in range(2)
)
"""An OBJ of two tetrahedra, 1 m apart."""
HULL = '<mesh optimization="convex_hull"><uri>m.obj</uri></mesh>'
CONVEX = '<mesh filename="m.obj"><drake:declare_convex/></mesh>'
HIT = '<link name="a"><collision name="c"><geometry>{}</geometry></collision></link>'
WHOLE = {
    "m.sdf": f'<sdf version="1.11"><model name="m">{HIT.format(HULL)}</model></sdf>',
    "m.urdf": f'<robot name="m" xmlns:drake="d">{HIT.format(CONVEX)}</robot>',
}


@pytest.mark.parametrize("name", WHOLE)
def test_one_hull_of_a_file_of_several_parts_is_one(tmp_path: Path, name: str):
    (tmp_path / "m.obj").write_text(SPREAD)
    source = saved(tmp_path / name, WHOLE[name])
    report = convert(source, tmp_path / "out" / "m.xml")
    explained(report)
    assert len(of_rule(report, "shapes/hull")) == 2
    compiled = mujoco_model(tmp_path / "out" / "m.xml")
    (hit,) = [number for number in range(compiled.ngeom) if compiled.geom_contype[number]]
    assert 2 * max(compiled.geom_aabb[hit][3:]) > 2.9
    again = convert(tmp_path / "out" / "m.xml", tmp_path / "back" / name)
    explained(again)
    assert read(tmp_path / "back" / name).body("a").geoms[0].shape.hull
