"""The appearance of an SDF link and its sensors: materials, OGRE scripts, sensors."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import pytest
import trimesh

import converters
from converters.context import Options
from ir.pose import compose, rotate
from ir.types import Material, Sensor, Vec4
from tests.formats.sdf_links import refusal, scene_of, survives, told
from tests.formats.sdf_text import BOX, converted, faults, joint, link, matrix, put, rules, sdf, seen, xml
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.reports import complete, of_rule

FORWARD, RIGHT_ANGLE = (0.0, 0.0, -1.0), math.pi / 2
RED: Vec4 = (1.0, 0.0, 0.0, 1.0)
BLACK: Vec4 = (0.0, 0.0, 0.0, 1.0)


def visual(material: str, name: str = "v") -> str:
    return f'<visual name="{name}">{BOX}<material>{material}</material></visual>'


def material_of(folder: Path, text: str) -> Material:
    (material,) = scene_of(folder, visual(text)).materials.values()
    return material


# ------------------------------------------------------------------------------------------------------------ materials


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<diffuse>1 0 0 1</diffuse>", {"rgba": RED, "ambient": BLACK}),
        ("<diffuse>1 0 0</diffuse>", {"rgba": RED, "ambient": BLACK}),
        ("<ambient>1 0 0 1</ambient>", {"rgba": BLACK, "ambient": RED}),
        ("<ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse>", {"rgba": RED}),
        ("<ambient>1 0 0 1</ambient><diffuse>0 0 1 0.5</diffuse>", {"rgba": (0.0, 0.0, 1.0, 0.5), "ambient": RED}),
        ("<diffuse>1 0 0 1</diffuse><specular>1 0 0 1</specular>", {"rgba": RED, "ambient": BLACK, "specular": RED}),
        ("<diffuse>1 0 0 1</diffuse><emissive>1 0 0 1</emissive>", {"rgba": RED, "ambient": BLACK, "emissive": RED}),
        ("<diffuse>1 0 0 1</diffuse><shininess>30</shininess>", {"rgba": RED, "ambient": BLACK, "shininess": 30.0}),
        (
            "<diffuse>1 0 0 1</diffuse><double_sided>1</double_sided>",
            {"rgba": RED, "ambient": BLACK, "double_sided": True},
        ),
        (
            "<diffuse>1 0 0 1</diffuse><pbr><metal><metalness>0.2</metalness><roughness>0.7</roughness></metal></pbr>",
            {"rgba": RED, "ambient": BLACK, "metallic": 0.2, "roughness": 0.7},
        ),
        (  # metal.sdf: both are 0.5 where nothing is said
            "<diffuse>1 0 0 1</diffuse><pbr><metal><environment_map>e.dds</environment_map></metal></pbr>",
            {"rgba": RED, "ambient": BLACK, "metallic": 0.5, "roughness": 0.5},
        ),
    ],
)
def test_a_material_is_read_and_written(text: str, said: dict[str, Any], tmp_path: Path) -> None:
    found = material_of(tmp_path, text)
    assert found == Material(name=found.name, **said)
    survives(tmp_path, visual(text))


def test_a_material_that_says_nothing_is_black(tmp_path: Path) -> None:
    assert material_of(tmp_path, "").rgba == (0.0, 0.0, 0.0, 1.0)
    assert "sdf/material-black" in rules(told(tmp_path, visual("")))
    assert scene_of(tmp_path, f'<visual name="v">{BOX}</visual>').materials == {}


def test_one_look_is_one_material(tmp_path: Path) -> None:
    same = "<diffuse>1 0 0 1</diffuse>"
    scene = scene_of(tmp_path, visual(same, "v") + visual(same, "w") + visual("<diffuse>0 1 0 1</diffuse>", "x"))
    keys = [geom.material for geom in scene.bodies["a"].geoms]
    assert keys[0] == keys[1] != keys[2]
    assert len(scene.materials) == 2


def test_an_albedo_map_stays_with_the_glossiness_that_goes_with_it(tmp_path: Path) -> None:
    put(tmp_path, "no image", "t.png")
    flow = "<pbr><specular><albedo_map>t.png</albedo_map><glossiness>.3</glossiness></specular></pbr>"
    text = sdf(link("l", inner=visual(flow)), "1.6")
    report, path = converted(tmp_path, text, "out.sdf", Options(sdf_version="1.9"))
    assert [each.tag for each in xml(path).find(".//pbr").iter()] == ["pbr", "specular", "albedo_map", "glossiness"]
    assert not [each for each in report.findings if each.action in ("carried", "approximated", "dropped")]


@pytest.mark.parametrize("flow", ["metal", "specular"])
def test_the_albedo_map_of_either_workflow_is_the_texture(flow: str, tmp_path: Path) -> None:
    put(tmp_path, "no image", "wood.png")
    text = f"<pbr><{flow}><albedo_map>wood.png</albedo_map></{flow}></pbr>"
    scene = scene_of(tmp_path, visual(text))
    (material,) = scene.materials.values()
    assert scene.assets[material.texture].uri == "wood.png"
    assert scene.assets[material.texture].file == str(tmp_path / "wood.png")


def test_a_normal_map_shader_needs_its_map(tmp_path: Path) -> None:
    text = '<diffuse>1 0 0 1</diffuse><shader type="normal_map_tangent_space">%s</shader>'
    assert faults(told(tmp_path, visual(text % ""))) == ["sdf/element-missing"]
    assert faults(told(tmp_path, visual(text % "<normal_map>n.png</normal_map>"))) == []


SCRIPT = """// material Commented { technique { pass { diffuse 1 1 1 1 } } }
abstract material Base { technique { pass { ambient 0.1 0.1 0.1 1
  diffuse 0.2 0.4 0.6 1.0 } } }
/* material Hidden
{ } */
material Wood/Plank : Base
{
  technique
  {
    pass
    {
      specular 0.5 0.25 0.125 1 25
      texture_unit { texture plank.png }
    }
  }
}
material "Quoted" { technique { pass { diffuse 3 -1 0 1 } } }
material Vertex { technique { pass { diffuse vertexcolour } } }
material Loop : Loop { technique { pass { diffuse 1 0 0 } } }
material Cut { technique { pass { diffuse 1 0
"""


def scripted(name: str, uri: str = "materials/scripts") -> str:
    return f"<script><uri>{uri}</uri><name>{name}</name></script>"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    put(tmp_path, SCRIPT, "materials/scripts/all.material")
    put(tmp_path, "no image", "materials/textures/plank.png")
    return tmp_path


@pytest.mark.parametrize("uri", ["materials/scripts", "materials/scripts/all.material", "materials/scripts/"])
def test_a_script_is_looked_up_with_what_it_inherits(uri: str, scripts: Path) -> None:
    scene = scene_of(scripts, visual(scripted("Wood/Plank", uri)))
    (material,) = scene.materials.values()
    assert (material.rgba, material.specular) == ((0.2, 0.4, 0.6, 1.0), (0.5, 0.25, 0.125, 1.0))
    assert material.texture is not None
    assert scene.assets[material.texture].file == str(scripts / "materials/textures/plank.png")


@pytest.mark.parametrize(
    ("name", "rgba"),
    [("Quoted", (1.0, 0.0, 0.0, 1.0)), ("Loop", RED), ("Gazebo/Red", RED), ("Gazebo/Grey", (0.7, 0.7, 0.7, 1.0))],
)
def test_names_of_scripts_mean_colours(name: str, rgba: Vec4, scripts: Path) -> None:
    assert material_of(scripts, scripted(name)).rgba == rgba


def test_the_names_of_gazebo_need_no_file(tmp_path: Path) -> None:
    uri = "file://media/materials/scripts/gazebo.material"
    assert material_of(tmp_path, scripted("Gazebo/Blue", uri)).rgba == (0.0, 0.0, 1.0, 1.0)
    assert "sdf/material-script" not in rules(told(tmp_path, visual(scripted("Gazebo/Blue", uri))))


def test_what_the_document_says_counts_more_than_its_script(scripts: Path) -> None:
    material = material_of(scripts, f"<diffuse>1 0 0 1</diffuse>{scripted('Wood/Plank')}")
    assert material.rgba == RED
    assert material.specular == (0.5, 0.25, 0.125, 1.0)


@pytest.mark.parametrize("name", ["QQQ", "Commented", "Hidden", "Gazebo/QQQ"])
def test_a_script_that_is_not_there_is_told_and_kept(name: str, scripts: Path) -> None:
    report, path = converted(scripts, sdf(link("a", inner=visual(scripted(name)))), "again.sdf")
    assert "sdf/material-script" in rules(report)
    assert scripted(name).replace("><", ">\n<").splitlines()[1] in path.read_text()


def test_a_script_that_is_no_more_than_a_name_is_told_by_that(tmp_path: Path) -> None:
    """The form from before SDFormat had a URI next to the name."""
    report = told(tmp_path, visual("<script>Gazebo/Red</script>"))
    said = {each.before for rule in ("sdf/material-script", "sdf/element-invalid") for each in of_rule(report, rule)}
    assert said == {"Gazebo/Red"}


@pytest.mark.parametrize("target", ["out.xml", "out.urdf", "out.glb"])
def test_a_script_that_is_not_there_makes_nothing_black(target: str, scripts: Path) -> None:
    source = put(scripts, sdf(link("a", inner=visual(scripted("Gazebo/QQQ")))))
    report, path = converted(scripts, source, target)
    assert rules(report) & {"sdf/material-script", "sdf/material-black"} == {"sdf/material-script"}
    if target == "out.xml":
        model = mujoco_model(path)
        assert (model.nmat, model.geom_rgba.tolist()) == (0, [[0.5, 0.5, 0.5, 1.0]])
    if target == "out.urdf":
        assert xml(path).find(".//material") is None
    _, again = converted(scripts, path, "again.sdf")
    _, direct = converted(scripts, source, "direct.sdf")
    assert again.read_bytes() == direct.read_bytes()


@pytest.mark.parametrize("uri", ["../..", "/", "/dev/zero", "a" * 5000, "model://QQQ/materials", "http://QQQ.invalid/"])
def test_scripts_elsewhere_are_not_looked_at(uri: str, scripts: Path) -> None:
    report = told(scripts / "materials", visual(scripted("Wood/Plank", uri)))
    assert "sdf/material-script" in rules(report)


def test_numbers_of_a_script_are_numbers(tmp_path: Path) -> None:
    put(tmp_path, "material M { technique { pass { ambient 1 0 0 \n diffuse nan 0 0 1 \n } } }", "m.material")
    assert material_of(tmp_path, scripted("M", "m.material")).rgba == (1.0, 0.0, 0.0, 1.0)


def test_comments_of_a_script_that_do_not_end_hide_the_rest_at_once(tmp_path: Path) -> None:
    text = "material M { technique { pass { diffuse 1 0 0 1 } } }\n" + "/* " * 40_000
    put(tmp_path, text, "m.material")
    started = time.process_time()
    assert material_of(tmp_path, scripted("M", "m.material")).rgba == RED
    assert time.process_time() - started < 3


def test_a_script_without_a_name_or_a_place_is_a_fault(tmp_path: Path) -> None:
    for text in ("<script><uri>x</uri></script>", "<script><name>Gazebo/Red</name></script>", "<script/>"):
        assert "sdf/element-invalid" in faults(told(tmp_path, visual(text)))


# -------------------------------------------------------------------------------------------------------------- sensors


def sensor_of(folder: Path, inner: str, kind: str = "camera", pose: str = "") -> Sensor:
    text = f'<sensor name="s" type="{kind}">{pose}{inner}</sensor>'
    return scene_of(folder, text).tables["sensor"]["s"]


CAMERA = """<camera name="eye"><pose>0.1 0 0 0 0 0</pose><horizontal_fov>1.2</horizontal_fov>
<image><width>640</width><height>480</height><format>L8</format></image><clip><near>0.02</near><far>50</far></clip></camera>"""


@pytest.mark.parametrize(
    ("pose", "place", "looks"),
    [
        ("", (0.1, 0.0, 0.0), (1.0, 0.0, 0.0)),
        (f"<pose>0 0 1 0 0 {RIGHT_ANGLE}</pose>", (0.0, 0.1, 1.0), (0.0, 1.0, 0.0)),
        (f"<pose>0 0 1 {RIGHT_ANGLE} 0 {RIGHT_ANGLE}</pose>", (0.0, 0.1, 1.0), (0.0, 1.0, 0.0)),
    ],
)
def test_a_camera_looks_along_x(pose: str, place: Any, looks: Any, tmp_path: Path) -> None:
    sensor = sensor_of(tmp_path, CAMERA, pose=pose)
    whole = compose(sensor.pose, sensor.camera.pose)
    assert whole.pos == pytest.approx(place, abs=1e-15)
    assert rotate(whole.rot, FORWARD) == pytest.approx(looks, abs=1e-15)
    upright = rotate(sensor.pose.rot, (0.0, 0.0, 1.0))
    assert rotate(whole.rot, (0.0, 1.0, 0.0)) == pytest.approx(upright, abs=1e-15)
    survives(tmp_path, f'<sensor name="s" type="camera">{pose}{CAMERA}</sensor>')


def test_what_a_camera_says(tmp_path: Path) -> None:
    camera = sensor_of(tmp_path, CAMERA).camera
    assert (camera.width, camera.height, camera.near, camera.far) == (640, 480, 0.02, 50.0)
    assert (camera.name, camera.pixel_format) == ("eye", "L8")
    assert camera.fov_y == pytest.approx(2 * math.atan(math.tan(0.6) * 0.75), rel=1e-15)


def test_a_camera_that_says_nothing_has_defaults(tmp_path: Path) -> None:
    camera = sensor_of(tmp_path, "<camera/>").camera
    assert (camera.width, camera.height, camera.near, camera.far) == (320, 240, 0.1, 100.0)
    assert camera.fov_y == pytest.approx(2 * math.atan(math.tan(1.047 / 2) * 0.75), rel=1e-15)


@pytest.mark.parametrize("holder", ["link", "joint"])
def test_a_camera_stands_in_the_frame_that_its_pose_names(holder: str, tmp_path: Path) -> None:
    """libsdformat places a frame with the same pose where MuJoCo has the camera."""
    pose = '<pose relative_to="f">1 2 3 0.1 0.2 0.3</pose>'
    sensor = f'<sensor name="s" type="camera"><pose>0 0 1 0 0 1</pose><camera name="eye">{pose}</camera></sensor>'
    frame = f'<frame name="f"><pose>5 0 0 0 0 1.5</pose></frame><frame name="same">{pose}</frame>'
    inner = {holder: sensor}
    turning = "<axis><xyz>0 0 1</xyz></axis>" + inner.get("joint", "")
    arms = (
        link("a", "1 0 0 0 0.3 0", inner.get("link", "")) + link("b", "0 4 0 0 0 0.5") + joint("j", "a", "b", turning)
    )
    source = put(tmp_path, sdf(arms + frame))
    place = matrix(seen(source)["frames"]["same"]["pose"])
    _, path = converted(tmp_path, source, "out.xml")
    _, data = drawn(path)
    assert data.cam_xpos[0] == pytest.approx(place[:3, 3], abs=1e-12)
    looks = data.cam_xmat[0].reshape(3, 3)
    assert -looks[:, 2] == pytest.approx(place[:3, 0], abs=1e-12)
    assert looks[:, 1] == pytest.approx(place[:3, 2], abs=1e-12)
    _, back = converted(tmp_path, path, "back.sdf")
    again = converters.read(back)
    assert again.tables["sensor"] == converters.read(source).tables["sensor"]


def test_a_camera_in_no_frame_is_told(tmp_path: Path) -> None:
    text = '<sensor name="s" type="camera"><camera><pose relative_to="QQQ">1 2 3 0 0 0</pose></camera></sensor>'
    assert faults(told(tmp_path, text)) == ["sdf/pose-relative-to-invalid"]


@pytest.mark.parametrize("angle", ["3.5", "4.0", "6.283186"])
def test_a_view_that_no_flat_picture_has_is_kept(angle: str, tmp_path: Path) -> None:
    """libsdformat accepts views of up to a full turn; MuJoCo and URDF accept none of half a turn or more."""
    inner = f"<camera><horizontal_fov>{angle}</horizontal_fov></camera>"
    source = put(tmp_path, sdf(link("a", inner=f'<sensor name="s" type="wideanglecamera">{inner}</sensor>')))
    assert seen(source)["links"]["a"]["sensors"] == 1
    for target in ("out.urdf", "out.xml", "out.sdf"):
        report, path = converted(tmp_path, source, target)
        if target == "out.urdf":
            assert [each.text for each in xml(path).iter("horizontal_fov")] == [angle]
        if target == "out.xml":
            assert mujoco_model(path).cam_fovy[0] < 180
            assert any(angle in finding.before for finding in report.findings if finding.where == "sensor/s")
        _, back = converted(tmp_path, path, "back.sdf")
        assert [each.text for each in xml(back).iter("horizontal_fov")] == [angle]
        assert seen(back)["links"]["a"]["sensors"] == 1


def test_an_image_has_whole_pixels(tmp_path: Path) -> None:
    inner = "<camera><image><width>320.7</width><height>240.2</height></image></camera>"
    camera = sensor_of(tmp_path, inner).camera
    assert (camera.width, camera.height) == (320, 240)
    assert camera.fov_y == sensor_of(tmp_path, "<camera/>").camera.fov_y
    report = told(tmp_path, f'<sensor name="s" type="camera">{inner}</sensor>')
    assert [(each.before, each.after) for each in of_rule(report, "sdf/camera-image")] == [("320.7 240.2", "")]


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("<image><width>0</width></image>", "at least one pixel"),
        ("<image><height>1e9</height></image>", "at least one pixel"),
        ("<horizontal_fov>0</horizontal_fov>", "no valid angle of view"),
        ("<horizontal_fov>-1</horizontal_fov>", "no valid angle of view"),
        ("<clip><far>inf</far></clip>", "'inf' is not finite"),
    ],
)
def test_no_camera_has_this(inner: str, message: str, tmp_path: Path) -> None:
    found = refusal(tmp_path, f'<sensor name="s" type="camera"><camera>{inner}</camera></sensor>')
    assert message in found


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("ray", "lidar"),
        ("gpu_ray", "gpu_lidar"),
        ("gps", "navsat"),
        ("depth", "depth_camera"),
        ("rgbd", "rgbd_camera"),
        ("imu", "imu"),
        ("sonar", "sonar"),
        ("none", "none"),
    ],
)
def test_sensors_have_one_word_each(kind: str, word: str, tmp_path: Path) -> None:
    inner = "<update_rate>30</update_rate><topic>/t</topic>"
    sensor = sensor_of(tmp_path, inner, kind)
    assert (sensor.kind, sensor.body, sensor.rate, sensor.camera) == (word, "a", 30.0, None)
    assert "<topic>/t</topic>" in [extra.text for extra in sensor.extras]
    survives(tmp_path, f'<sensor name="s" type="{word}">{inner}</sensor>')


def test_a_sensor_of_no_known_type_is_told(tmp_path: Path) -> None:
    inner = '<sensor name="s" type="QQQ"/>'
    assert faults(told(tmp_path, inner)) == ["sdf/attribute-invalid"]
    assert sensor_of(tmp_path, "<update_rate>0</update_rate>", "imu").rate is None


# --------------------------------------------------------------------------------------------------------------- lights


def test_a_colour_without_a_name_is_the_same_colour(tmp_path: Path) -> None:
    """SDFormat has no material names: reported once per material, and no geom is reported to look different."""
    source = tmp_path / "painted.urdf"
    visual = '<visual name="{}"><geometry><box size="1 1 1"/></geometry><material name="paint"/></visual>'
    source.write_text(
        '<robot name="painted"><material name="paint"><color rgba="0.2 0.4 0.6 1"/></material><link name="base">'
        f"{visual.format('left')}{visual.format('right')}</link></robot>"
    )
    found = converters.convert(source, tmp_path / "painted.sdf").findings
    assert [(each.rule, each.action, each.where) for each in found if "material" in each.where] == [
        ("sdf/material-name", "carried", "material/paint.name")
    ]


@pytest.mark.parametrize("name", ["out.urdf", "out.xml"])
def test_a_look_whose_other_geom_has_no_shape_is_not_taken_for_what_is_seen_through(tmp_path: Path, name: str):
    """Two visuals look alike; the one that is written is transparent, and therefore has a material of its own."""
    empty = '<visual name="e"><material><diffuse>1 0 0 1</diffuse></material><geometry><empty/></geometry></visual>'
    seen_through = visual("<diffuse>1 0 0 1</diffuse>").replace(
        "<material>", "<transparency>0.5</transparency><material>"
    )
    source = put(tmp_path, sdf(link("a", inner=empty + seen_through)))
    report, path = converted(tmp_path, source, name)
    assert "looks/transparency" in rules(report)
    _, back = converted(tmp_path, path, "back.sdf")
    materials = [[visual.find("material/diffuse").text for visual in xml(it).iter("visual")] for it in (source, back)]
    assert materials[0] == materials[1] and xml(back).find(".//transparency").text == "0.5"


@pytest.mark.parametrize("name", ["out.urdf", "out.glb"])
def test_what_a_mesh_is_seen_through_counts_once_on_a_way_through_mjcf(tmp_path: Path, name: str):
    """Either in the material that the document gives the mesh, or as the transparency of the visual."""
    (tmp_path / "box.stl").write_bytes(trimesh.creation.box().export(file_type="stl"))
    mesh = "<geometry><mesh><uri>box.stl</uri></mesh></geometry>"
    inner = f'<visual name="v"><transparency>0.75</transparency>{mesh}</visual>'
    _, path = converted(tmp_path, sdf(link("a", inner=inner)), "out.xml")
    converted(tmp_path, path, name)
    scene = converters.read(tmp_path / name)
    (geom,) = (each for body in scene.bodies.values() for each in body.geoms)
    look = scene.materials.get(geom.material or "")
    alpha = look.rgba[3] if look is not None and look.rgba is not None else 1.0
    assert alpha * (1 - geom.transparency) == pytest.approx(0.25)


def test_what_is_only_rough_is_no_metal(tmp_path: Path) -> None:
    """SDFormat's default of <metalness> is one half."""
    (tmp_path / "rough.xml").write_text(
        '<mujoco><asset><material name="m" rgba=".4 .2 .1 1" roughness=".25"/></asset>'
        '<worldbody><body><geom size="1" material="m"/></body></worldbody></mujoco>'
    )
    complete(converters.convert(tmp_path / "rough.xml", tmp_path / "rough.sdf"))
    written = (tmp_path / "rough.sdf").read_text()
    assert "<metalness>0</metalness>" in written
    assert "<roughness>0.25</roughness>" in written
