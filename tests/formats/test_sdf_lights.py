"""Lights of SDF, read and written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import pytest

import converters
from converters.context import Options
from ir.pose import rotate
from ir.types import Light
from tests.formats.sdf_links import body_of, refusal, survives, told
from tests.formats.sdf_text import link, put, rules
from tests.formats.test_sdf_looks import FORWARD, RIGHT_ANGLE
from tests.reports import complete, of_rule


def light_of(folder: Path, inner: str, attrs: str = 'type="spot"') -> Light:
    (light,) = body_of(folder, f'<light name="l" {attrs}>{inner}</light>').lights
    return light


@pytest.mark.parametrize(
    ("direction", "shines"),
    [
        ("", (0.0, 0.0, -1.0)),
        ("<direction>0 0 0</direction>", (0.0, 0.0, -1.0)),
        ("<direction>0 0 1</direction>", (0.0, 0.0, 1.0)),
        ("<direction>3 0 -4</direction>", (0.6, 0.0, -0.8)),
        ("<direction>1e-320 0 0</direction>", (1.0, 0.0, 0.0)),
        ("<direction>0 1e308 0</direction>", (0.0, 1.0, 0.0)),
    ],
)
def test_the_direction_of_a_light_is_in_its_pose(direction: str, shines: Any, tmp_path: Path) -> None:
    light = light_of(tmp_path, f"<pose>1 2 3 0 0 0</pose>{direction}")
    assert light.pose.pos == (1.0, 2.0, 3.0)
    assert rotate(light.pose.rot, FORWARD) == pytest.approx(shines, abs=1e-12)


def test_the_direction_turns_with_the_light(tmp_path: Path) -> None:
    light = light_of(tmp_path, f"<pose>0 0 0 0 0 {RIGHT_ANGLE}</pose><direction>1 0 0</direction>")
    assert rotate(light.pose.rot, FORWARD) == pytest.approx((0.0, 1.0, 0.0), abs=1e-15)


LAMP = """<pose>0 0 2 0 0 0</pose><cast_shadows>true</cast_shadows><intensity>0.5</intensity>
<diffuse>1 0.5 0.25 1</diffuse><specular>0.1 0.2 0.3 1</specular>
<attenuation><range>7</range><constant>0.2</constant><linear>0.3</linear><quadratic>0.4</quadratic></attenuation>
<direction>0 0.6 -0.8</direction>
<spot><inner_angle>0.4</inner_angle><outer_angle>1</outer_angle><falloff>0</falloff></spot>"""


def test_a_spot_has_half_angles(tmp_path: Path) -> None:
    light = light_of(tmp_path, LAMP)
    assert (light.kind, light.inner, light.outer, light.range) == ("spot", 0.2, 0.5, 7.0)
    assert light.attenuation == (0.2, 0.3, 0.4)
    assert (light.diffuse, light.specular) == ((1.0, 0.5, 0.25), (0.1, 0.2, 0.3))
    assert (light.power, light.cast_shadows) == (0.5, True)
    survives(tmp_path, f'<light name="l" type="spot">{LAMP}</light>')


def test_a_light_that_says_nothing(tmp_path: Path) -> None:
    light = light_of(tmp_path, "", "")
    assert (light.kind, light.cast_shadows, light.range, light.attenuation) == ("point", False, None, None)
    assert (light.inner, light.outer) == (None, None)
    assert light_of(tmp_path, "<attenuation/>").attenuation == (1.0, 1.0, 0.0)


def test_the_alpha_of_a_light_is_told(tmp_path: Path) -> None:
    for tag in ("diffuse", "specular"):
        text = f'<light name="l" type="point"><{tag}>1 0 0 0.5</{tag}></light>'
        (found,) = of_rule(told(tmp_path, text), "sdf/light-alpha")
        assert (found.before, found.action, found.where) == ("1 0 0 0.5", "ignored", "light/l")
        assert "sdf/light-alpha" not in rules(told(tmp_path, text.replace("0.5", "1")))


def test_no_light_has_this(tmp_path: Path) -> None:
    assert "type 'QQQ'" in refusal(tmp_path, '<light name="l" type="QQQ"/>')
    assert "'inf' is not finite" in refusal(tmp_path, '<light name="l"><intensity>inf</intensity></light>')


def test_lights_of_a_world_stand_in_it(tmp_path: Path) -> None:
    sun = f'<light name="sun" type="directional">{LAMP}</light>'
    model = f'<model name="m">{link("a")}</model>'
    text = f'<sdf version="1.9"><world name="w">{sun}{model}</world></sdf>'
    scene = converters.read(put(tmp_path, text))
    (light,) = scene.body("world").lights
    assert (light.name, light.kind, light.pose.pos) == ("sun", "directional", (0.0, 0.0, 2.0))


def test_lights_of_a_world_keep_what_only_sdf_knows_in_another_version(tmp_path: Path) -> None:
    lamp = f'<light name="lamp" type="spot">{LAMP.replace("<falloff>0", "<falloff>0.8")}</light>'
    source = put(
        tmp_path, f'<sdf version="1.5"><world name="w">{lamp}<model name="m">{link("a")}</model></world></sdf>'
    )
    report = converters.convert(source, tmp_path / "newer.sdf", options=Options(sdf_version="1.8"))
    assert "<falloff>0.8</falloff>" in (tmp_path / "newer.sdf").read_text()
    assert "sdf/version" not in rules(report)
    complete(report)


def test_what_shines_from_everywhere_has_no_cone_in_mujoco(tmp_path: Path) -> None:
    sun = '<light name="sun" type="directional"><direction>0 0 -1</direction></light>'
    text = f'<sdf version="1.9"><world name="w">{sun}<model name="m">{link("a")}</model></world></sdf>'
    report = converters.convert(put(tmp_path, text), tmp_path / "m.xml")
    assert "mjcf/light-cone" not in rules(report)
    assert "mjcf/light-cone" in rules(
        converters.convert(put(tmp_path, text.replace("directional", "spot")), tmp_path / "m.xml")
    )


@pytest.mark.parametrize("cutoff", ["", "45", "30"])
@pytest.mark.parametrize("kind", ["directional", "spot"])
def test_the_cone_of_a_light_of_mujoco_stays_as_it_is_said(tmp_path: Path, kind: str, cutoff: str) -> None:
    said = f' cutoff="{cutoff}"' if cutoff else ""
    (tmp_path / "m.xml").write_text(
        f'<mujoco><worldbody><light name="l" type="{kind}"{said}/><body><geom size="1"/></body></worldbody></mujoco>'
    )
    for name in ("same.xml", "m.sdf", "back.xml"):
        source = tmp_path / ("m.sdf" if name == "back.xml" else "m.xml")
        report = converters.convert(source, tmp_path / name)
        complete(report)
    before = converters.read(tmp_path / "m.xml").body("world").lights
    for name in ("same.xml", "back.xml"):
        assert [each.outer for each in converters.read(tmp_path / name).body("world").lights] == [before[0].outer]
        assert (f'cutoff="{cutoff}"' in (tmp_path / name).read_text()) is bool(cutoff)


def test_an_include_that_brings_a_light_says_its_name_and_its_place(tmp_path: Path) -> None:
    """SDFormat: <include><name> and <pose> override those of the included file."""
    (tmp_path / "lamp").mkdir()
    (tmp_path / "lamp" / "model.config").write_text("<model><name>lamp</name><sdf>model.sdf</sdf></model>")
    light = f'<light name="lamp" type="spot">{LAMP}</light>'
    (tmp_path / "lamp" / "model.sdf").write_text(f'<sdf version="1.9">{light}</sdf>')
    other = "<include><uri>lamp</uri><name>other</name><pose>4 5 6 0 0 0</pose></include>"
    source = put(
        tmp_path, f'<sdf version="1.9"><world name="w"><include><uri>lamp</uri></include>{other}</world></sdf>'
    )
    for out in ("same.sdf", "o.xml", "o.glb"):
        complete(converters.convert(source, tmp_path / out))
        found = {light.name: light.pose.pos for light in converters.read(tmp_path / out).body("world").lights}
        assert found == {"lamp": (0.0, 0.0, 2.0), "other": (4.0, 5.0, 6.0)}, out


SUN = '<light name="sun" type="directional"><diffuse>0.8 0.4 0.2 1</diffuse><specular>0.2 0.2 0.2 1</specular>'
SUN += "<intensity>1.5</intensity></light>"


def test_the_intensity_of_sdf_is_a_factor_and_that_of_others_is_in_candela(tmp_path: Path) -> None:
    """MuJoCo's renderer draws the colours of lights and ignores intensities; glTF's colours do not exceed 1."""
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{SUN}<model name="m">{link("a")}</model></world></sdf>')
    for suffix in ("xml", "gltf"):
        report = converters.convert(source, tmp_path / f"sun.{suffix}")
        assert of_rule(report, "looks/light-power")
        back = tmp_path / f"back_{suffix}.sdf"
        converters.convert(tmp_path / f"sun.{suffix}", back)
        assert "<intensity>1.5</intensity>" in back.read_text()
    (lamp,) = mujoco.MjModel.from_xml_path(str(tmp_path / "sun.xml")).light_diffuse
    assert lamp == pytest.approx((1.2, 0.6, 0.3))
    (shone,) = json.loads((tmp_path / "sun.gltf").read_bytes())["extensions"]["KHR_lights_punctual"]["lights"]
    assert shone["intensity"] == 1.5


def test_candela_are_no_factor(tmp_path: Path) -> None:
    source = tmp_path / "lamp.xml"
    body = '<body name="b"><geom size="1"/><light name="l" intensity="500"/><light name="m" intensity="0"/></body>'
    source.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    (found,) = of_rule(converters.convert(source, tmp_path / "lamp.sdf"), "sdf/light-unit")
    assert (found.where, found.before, found.action) == ("body/b.lights.l.intensity", "500", "carried")
    assert not found.after
    report = converters.convert(source, tmp_path / "lamp.urdf")
    assert all("candela" in each.reason for each in of_rule(report, "sdf/gazebo-words"))
    for suffix in ("sdf", "urdf"):
        assert "<intensity>" not in (tmp_path / f"lamp.{suffix}").read_text()
        converters.convert(tmp_path / f"lamp.{suffix}", tmp_path / f"{suffix}.xml")
        assert 'intensity="500"' in (tmp_path / f"{suffix}.xml").read_text()
    converters.convert(source, tmp_path / "lamp.gltf")
    lamps = json.loads((tmp_path / "lamp.gltf").read_bytes())["extensions"]["KHR_lights_punctual"]["lights"]
    assert [each.get("intensity") for each in lamps] == [500.0, None]
