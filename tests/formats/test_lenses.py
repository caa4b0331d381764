"""Camera lenses: focal lengths and a principal point in pixels, in MuJoCo, SDFormat and glTF.

A point of the world is projected by K in the image of SDFormat (Hartley and Zisserman, 6.1), and by the frustum of
MuJoCo's renderer in the image of MJCF.
"""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from converters.convert import convert, write
from converters.reading import read
from tests.files import saved
from tests.formats.mjcf_tree import plainly
from tests.formats.sdf_text import link, put, sdf
from tests.oracles.in_mujoco import drawn, mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import comes_back, complete, explained, of_rule

POINTS = np.array([[0.1, 0.2, -1.0], [-0.3, 0.1, -2.0], [0.0, 0.0, -1.0], [0.4, -0.35, -1.5]])
"""Points in the frame of a camera that looks along -z."""
BACKS = ("xml", "urdf", "glb")
SIZE = (640, 480)

LENSES = {
    "oblong": ((500, 510, 320, 240), "<s>0</s>"),
    "aside": ((500, 500, 333.7, 220), ""),
    "both": ((612.5, 487.25, 301.3, 251.9), ""),
    "square": ((500, 500, 320, 240), "<s>0</s>"),
}


def pinhole(numbers: tuple[float, ...]) -> np.ndarray:
    """Return the projection of the points by K, in pixels from the upper left corner."""
    fx, fy, cx, cy = numbers
    return np.array([(cx + fx * x / -z, cy - fy * y / -z) for x, y, z in POINTS])


def rendered(path: Path) -> np.ndarray:
    """Return the projection of the points by MuJoCo's renderer, in pixels from the upper left corner."""
    model, data = drawn(path)
    view, scene = mujoco.MjvCamera(), mujoco.MjvScene(model, 100)
    view.type, view.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, model.camera("c").id
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, view, mujoco.mjtCatBit.mjCAT_ALL, scene)
    eye = scene.camera[0]
    half = eye.frustum_width or eye.frustum_top * SIZE[0] / SIZE[1]  # 0: pixels are square (mjvGLCamera)
    left, right = eye.frustum_center - half, eye.frustum_center + half
    found = []
    for x, y, z in POINTS * (eye.frustum_near / -POINTS[:, 2:]):
        assert z == pytest.approx(-eye.frustum_near)
        across, down = (x - left) / (right - left), (eye.frustum_top - y) / (eye.frustum_top - eye.frustum_bottom)
        found.append((across * SIZE[0], down * SIZE[1]))
    return np.array(found)


def camera(lens: str, kind: str = "camera", angle: str = "") -> str:
    image = f"<image><width>{SIZE[0]}</width><height>{SIZE[1]}</height></image>"
    inner = f'<camera name="eye">{angle}{image}{lens and f"<lens>{lens}</lens>"}</camera>'
    return sdf(f'<model name="m">{link("a", inner=f"""<sensor name="c" type="{kind}">{inner}</sensor>""")}</model>')


def intrinsics(numbers: tuple[float, ...], more: str = "", tag: str = "intrinsics", prefix: str = "") -> str:
    words = ("fx", "fy", "cx", "cy")
    said = "".join(f"<{prefix}{word}>{value}</{prefix}{word}>" for word, value in zip(words, numbers, strict=True))
    return f"<{tag}>{said}{more}</{tag}>"


def said(path: Path) -> list[tuple[float, ...]]:
    """Return the lenses of an SDF, or of any document with such elements, such as a URDF with blocks."""
    found = etree.parse(path).iterfind(".//intrinsics")
    return [tuple(float(each.findtext(word)) for word in ("fx", "fy", "cx", "cy")) for each in found]


def lines(path: Path) -> list[tuple[str, str]]:
    """Return the elements and texts of a document."""
    return [(str(each.tag), (each.text or "").strip()) for each in etree.parse(path).iter(etree.Element)]


@pytest.mark.parametrize("name", LENSES)
def test_intrinsics_of_sdformat_are_those_of_mujoco(name: str, tmp_path: Path):
    numbers, more = LENSES[name]
    source = put(tmp_path, camera(intrinsics(numbers, more)))
    report = complete(convert(source, tmp_path / "out.xml"))
    assert rendered(tmp_path / "out.xml") == pytest.approx(pinhole(numbers), abs=2e-4)
    model = mujoco_model(tmp_path / "out.xml")
    assert model.cam_fovy[0] == pytest.approx(np.degrees(2 * np.arctan2(240, numbers[1])), rel=1e-6)
    if name != "square":  # that is an angle and nothing else
        focal = model.cam_intrinsic[0][:2] / model.cam_sensorsize[0] * SIZE
        assert focal == pytest.approx(numbers[:2], rel=1e-6)
    assert bool(of_rule(report, "mjcf/camera-sensor")) == (name != "square")
    assert {each.where.rpartition(".")[2] for each in report.findings if ".cameras." in each.where} <= {
        "c", "near", "far", "pixel_format", "sensor_size"
    }  # fmt: skip


@pytest.mark.parametrize("name", LENSES)
@pytest.mark.parametrize("back", BACKS)
def test_intrinsics_come_back_from_everywhere(name: str, back: str, tmp_path: Path):
    source = put(tmp_path, camera(intrinsics(*LENSES[name])))
    complete(convert(source, tmp_path / f"out.{back}"))
    complete(convert(tmp_path / f"out.{back}", tmp_path / "back.sdf"))
    assert lines(tmp_path / "back.sdf")[: len(lines(source))] == lines(source)


@pytest.mark.parametrize("name", ["oblong", "aside", "both"])
def test_a_gltf_has_the_angle_and_the_report_the_rest(name: str, tmp_path: Path):
    numbers, _ = LENSES[name]
    report = complete(convert(put(tmp_path, camera(intrinsics(numbers))), tmp_path / "out.gltf"))
    (seen,) = plain_gltf(tmp_path / "out.gltf").document["cameras"]
    assert seen["perspective"]["yfov"] == pytest.approx(2 * np.arctan2(240, numbers[1]))
    assert seen["perspective"]["aspectRatio"] == pytest.approx(640 / 480 * numbers[1] / numbers[0])
    pixels, axis = of_rule(report, "gltf/camera-pixels"), of_rule(report, "gltf/camera-axis")
    assert [each.action for each in pixels] == ["carried"] * (numbers[0] != numbers[1])
    assert [each.action for each in axis] == ["approximated"] * (numbers[2:] != (320, 240))


MJCF = """<mujoco><worldbody><body name="b"><geom size=".1"/><camera name="c" {}/></body></worldbody></mujoco>"""
VIEWS = {
    "metres": 'resolution="640 480" sensorsize=".004 .003" focal=".005 .007" principal=".0001 .0002"',
    "pixels": 'resolution="640 480" sensorsize=".004 .003" focalpixel="500.7 502.3" principalpixel="13.7 -4.3"',
    "some of both": 'resolution="640 480" sensorsize=".004 .003" focal=".005 .005" focalpixel="0 700"',
    "two ways": 'resolution="640 480" sensorsize=".004 .003" focal="9 9" focalpixel="500 700"',
    "square": 'resolution="640 480" sensorsize=".004 .003" focal=".005 .005"',
    "no image": 'sensorsize=".004 .002" focal=".005 .006"',
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("target", ["sdf", "urdf"])
def test_a_lens_of_mujoco_is_that_of_sdformat(view: str, target: str, tmp_path: Path):
    source = saved(tmp_path / "a.xml", MJCF.format(VIEWS[view]))
    complete(convert(source, tmp_path / f"out.{target}"))
    lenses = said(tmp_path / f"out.{target}")
    if view == "square":
        (angle,) = etree.parse(tmp_path / f"out.{target}").iterfind(".//horizontal_fov")
        focal = 320 / np.tan(float(angle.text) / 2)
        lenses = [(focal, focal, 320, 240)]
    (lens,) = lenses
    if view == "no image":  # that of SDFormat has 320 by 240 pixels
        lens = tuple(2 * number for number in lens)
    assert pinhole(lens) == pytest.approx(rendered(source), abs=2e-4)
    if target == "sdf":
        assert not sdformat_reads(tmp_path / "out.sdf")["errors"]
    complete(comes_back(source, tmp_path / f"out.{target}"))


@pytest.mark.parametrize("view", ['sensorsize=".004 .003" focal="0 .005"', 'sensorsize=".004 .003"'])
def test_a_lens_that_shows_nothing_stays_as_it_is_written(view: str, tmp_path: Path):
    (tmp_path / "a.xml").write_text(MJCF.format(view))
    assert mujoco_model(tmp_path / "a.xml").ncam == 1
    complete(convert(tmp_path / "a.xml", tmp_path / "out.sdf"))
    assert not said(tmp_path / "out.sdf")
    complete(convert(tmp_path / "out.sdf", tmp_path / "back.xml"))
    before, after = (etree.parse(tmp_path / name).find(".//camera").attrib for name in ("a.xml", "back.xml"))
    assert dict(before) == dict(after)


def test_a_lens_overrides_the_angle_beside_it_and_that_is_told(tmp_path: Path):
    """camera.sdf: the focal lengths override horizontal_fov."""
    lens = intrinsics((500, 500, 320, 240))
    same = f"<horizontal_fov>{2 * np.arctan2(320, 500)!s}</horizontal_fov>"
    for angle, count in ((same, 0), ("<horizontal_fov>1.2</horizontal_fov>", 1)):
        report = complete(convert(put(tmp_path, camera(lens, angle=angle)), tmp_path / "out.xml"))
        assert [each.action for each in of_rule(report, "sdf/lens")] == ["ignored"] * count
        assert mujoco_model(tmp_path / "out.xml").cam_fovy[0] == pytest.approx(np.degrees(2 * np.arctan2(240, 500)))
        complete(convert(tmp_path / "out.xml", tmp_path / "back.sdf"))
        assert re.findall("<horizontal_fov>.*</horizontal_fov>", (tmp_path / "back.sdf").read_text()) == [angle]


def test_a_lens_beside_another_angle_is_written_without_its_spelling(tmp_path: Path):
    lens = intrinsics((500, 500, 320, 240))
    scene = read(put(tmp_path, camera(lens, angle="<horizontal_fov>1.2</horizontal_fov>"))).evolve(notation={})
    write(scene, tmp_path / "plain.sdf")
    assert said(tmp_path / "plain.sdf") == [(500, 500, 320, 240)]
    assert etree.parse(tmp_path / "plain.sdf").find(".//horizontal_fov").text == "1.2"


def test_a_projection_overrides_intrinsics_and_that_is_told(tmp_path: Path):
    """camera.sdf: p_fx overrides fx, and so on."""
    first, second = intrinsics((400, 400, 320, 240)), intrinsics((500, 520, 310, 250), "<tx>0</tx>", "projection", "p_")
    source = put(tmp_path, camera(first + second))
    report = complete(convert(source, tmp_path / "out.xml"))
    assert rendered(tmp_path / "out.xml") == pytest.approx(pinhole((500, 520, 310, 250)), abs=2e-4)
    assert [each.action for each in of_rule(report, "sdf/projection")] == ["ignored"]
    complete(convert(tmp_path / "out.xml", tmp_path / "back.sdf"))
    assert sorted(lines(tmp_path / "back.sdf")[: len(lines(source))]) == sorted(lines(source))


def test_the_baseline_of_a_stereo_camera_does_not_change_its_lens(tmp_path: Path):
    """Only <projection> has tx: an <intrinsics> beside it would have no effect."""
    numbers = (500, 510, 333.7, 220)
    lens = intrinsics(numbers, "<tx>-35</tx>", "projection", "p_")
    scene = read(put(tmp_path, camera(lens))).evolve(notation={})
    write(scene, tmp_path / "plain.sdf")
    assert said(tmp_path / "plain.sdf") == []
    assert read(tmp_path / "plain.sdf").tables["sensor"] == scene.tables["sensor"]


def test_an_image_of_one_pixel_is_told(tmp_path: Path):
    text = camera("").replace("<width>640<", "<width>1<").replace("<height>480<", "<height>1<")
    report = complete(convert(put(tmp_path, text), tmp_path / "out.xml"))
    assert sum(each.count for each in of_rule(report, "mjcf/camera-size")) == 2


def test_a_skew_is_told_and_comes_back(tmp_path: Path):
    source = put(tmp_path, camera(intrinsics((500, 510, 320, 240), "<s>2</s>")))
    report = complete(convert(source, tmp_path / "out.xml"))
    assert any("<s>2</s>" in each.before for each in report.findings)
    complete(convert(tmp_path / "out.xml", tmp_path / "back.sdf"))
    assert lines(tmp_path / "back.sdf")[: len(lines(source))] == lines(source)


@pytest.mark.parametrize(
    "lens", [intrinsics((0, 500, 320, 240)), "<intrinsics><fx>wide</fx></intrinsics>", "<type>stereographic</type>"]
)
def test_what_is_no_lens_leaves_the_angle(lens: str, tmp_path: Path):
    report = complete(convert(put(tmp_path, camera(lens)), tmp_path / "out.xml"))
    across = mujoco_model(tmp_path / "out.xml").cam_fovy[0]
    assert across == pytest.approx(np.degrees(2 * np.arctan(np.tan(1.047 / 2) * 0.75)))
    assert any("<lens>" in each.before for each in report.findings)


def test_a_camera_of_wide_angle_has_no_such_lens(tmp_path: Path):
    """camera.sdf: intrinsics cannot be used with one."""
    source = put(tmp_path, camera(intrinsics((500, 510, 320, 240)), "wide_angle_camera"))
    (sensor,) = read(source).tables["sensor"].values()
    assert sensor.camera is not None and sensor.camera.aspect is None
    assert any(extra.path.startswith("camera[1]/lens[1]") for extra in sensor.extras)


def test_who_edits_the_lens_in_the_mjcf_has_edited_it(tmp_path: Path):
    complete(convert(put(tmp_path, camera(intrinsics(*LENSES["oblong"]))), tmp_path / "out.xml"))
    text = (tmp_path / "out.xml").read_text()
    assert 'focalpixel="500 510"' in text
    (tmp_path / "out.xml").write_text(text.replace('focalpixel="500 510"', 'focalpixel="600 650"', 1))
    report = explained(convert(tmp_path / "out.xml", tmp_path / "back.sdf"))
    assert {each.where for each in report.findings if each.action == "dropped"} == {"sensor/c"}
    assert said(tmp_path / "back.sdf") == [(600, 650, 320, 240)]


def test_what_the_camera_of_a_sensor_loses_is_told(tmp_path: Path):
    """MuJoCo clips all views equally."""
    report = complete(convert(put(tmp_path, camera("")), tmp_path / "out.xml"))
    assert {each.where for each in of_rule(report, "mjcf/camera-clip")} == {
        "body/m::a.cameras.c.near", "body/m::a.cameras.c.far"
    }  # fmt: skip


@pytest.mark.parametrize("fovy", ["0", "-3", "1e-9", "1e-300"])
@pytest.mark.parametrize("target", ["sdf", "urdf", "glb"])
def test_a_camera_that_sees_nothing_stops_no_conversion(fovy: str, target: str, tmp_path: Path):
    """MuJoCo accepts all of them."""
    (tmp_path / "a.xml").write_text(MJCF.format(f'fovy="{fovy}"'))
    assert mujoco_model(tmp_path / "a.xml").ncam == 1
    complete(convert(tmp_path / "a.xml", tmp_path / f"out.{target}"))
    if target == "sdf":
        assert not sdformat_reads(tmp_path / "out.sdf")["errors"]
    complete(convert(tmp_path / f"out.{target}", tmp_path / "back.xml"))
    assert float(etree.parse(tmp_path / "back.xml").find(".//camera").get("fovy")) == float(fovy)


@pytest.mark.parametrize("numbers", [("1e300", "500"), ("1e-300", "1e300"), ("1e13", "500"), ("20000", "20000")])
def test_lenses_of_any_size_stay(numbers: tuple[str, str], tmp_path: Path):
    source = put(tmp_path, camera(f"<intrinsics><fx>{numbers[0]}</fx><fy>{numbers[1]}</fy></intrinsics>"))
    for back in BACKS:
        complete(convert(source, tmp_path / f"out.{back}"))
        complete(convert(tmp_path / f"out.{back}", tmp_path / "back.sdf"))
        assert lines(tmp_path / "back.sdf")[: len(lines(source))] == lines(source)
    write(read(source).evolve(notation={}), tmp_path / "plain.sdf")
    assert not sdformat_reads(tmp_path / "plain.sdf")["errors"]


@pytest.mark.parametrize("lens", ["", 'focal="1 .7"', 'focalpixel="9 7"'])
@pytest.mark.parametrize(("above", "own"), [("fovy='3'", "sensorsize='2 3'"), ("sensorsize='2 3'", "fovy='.5'")])
def test_a_sensor_says_how_much_an_orthographic_camera_sees(lens: str, above: str, own: str, tmp_path: Path) -> None:
    """Whether a class sets the width itself, or a camera of that class does."""
    seen = f"<default><camera projection='orthographic' {above} {lens}/></default>"
    path = saved(tmp_path / "in.xml", f"<mujoco>{seen}<worldbody><camera {own} resolution='8 6'/></worldbody></mujoco>")
    scene = read(path)
    (camera,) = scene.body("world").cameras
    ours, theirs = plainly(path, scene)
    assert [camera.span] == pytest.approx(theirs.cam_fovy, rel=1e-6)
    assert np.array_equal(theirs.cam_fovy, ours.cam_fovy)


@pytest.mark.parametrize("angle", ["1e-320", "1e-306", "1e-11"])
def test_an_angle_that_no_lens_has_is_the_least(angle: str, tmp_path: Path) -> None:
    """Its focal length would be infinite or impossible."""
    (tmp_path / "m.xml").write_text(
        f'<mujoco><worldbody><camera name="c" fovy="{angle}"/><geom size="1"/></worldbody></mujoco>'
    )
    assert mujoco_model(tmp_path / "m.xml").ncam == 1
    assert of_rule(explained(convert(tmp_path / "m.xml", tmp_path / "m.sdf")), "sdf/camera")
    assert sdformat_reads(tmp_path / "m.sdf")["errors"] == []
    camera = f"<camera><horizontal_fov>{angle}</horizontal_fov></camera>"
    (tmp_path / "s.sdf").write_text(sdf(link("a", inner=f'<sensor name="s" type="camera">{camera}</sensor>')))
    explained(convert(tmp_path / "s.sdf", tmp_path / "out.sdf"))
