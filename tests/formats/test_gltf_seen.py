"""Emission of glTF materials, and cameras, as other formats and engines have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import pytest
from lxml import etree

from converters.convert import convert
from tests.files import saved
from tests.formats.gltf_made import Made
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import complete, of_rule

STRENGTH = "KHR_materials_emissive_strength"
Look = tuple[list[float], float]
"""emissiveFactor, and emissiveStrength."""


def glowing(*looks: Look) -> Made:
    made = Made(extensionsUsed=[STRENGTH])
    for number, (factor, strength) in enumerate(looks):
        said: dict[str, Any] = {"extensions": {STRENGTH: {"emissiveStrength": strength}}} if strength != 1 else {}
        made.add("materials", {"name": f"m{number}", "emissiveFactor": factor, **said})
        made.node(name=f"n{number}", mesh=made.mesh(made.primitive(material=number)))
    made.scene(*range(len(looks)))
    return made


def light(material: dict[str, Any]) -> list[float]:
    """Return the linear emission of a material (KHR_materials_emissive_strength)."""
    strength = material.get("extensions", {}).get(STRENGTH, {}).get("emissiveStrength", 1.0)
    return [strength * value for value in material["emissiveFactor"]]


def test_a_strength_multiplies_light_and_not_display_colours(tmp_path: Path):
    looks: list[Look] = [([0.2] * 3, 2), ([0.4] * 3, 1), ([1, 0.5, 0], 3), ([0.1, 0.2, 0.3], 2)]
    complete(convert(saved(tmp_path / "a.glb", glowing(*looks).glb()), tmp_path / "b.glb"))
    for material, (factor, strength) in zip(plain_gltf(tmp_path / "b.glb").document["materials"], looks, strict=True):
        assert light(material) == pytest.approx([strength * value for value in factor], rel=1e-9)
    report = complete(convert(tmp_path / "a.glb", tmp_path / "a.xml"))
    shares = {look.name: float(look.emission[0]) for look in map(mujoco_model(tmp_path / "a.xml").mat, range(4))}
    bright = 1.055 * 0.4 ** (1 / 2.4) - 0.055
    assert shares["m0"] == pytest.approx(bright) and shares["m1"] == pytest.approx(bright)
    assert shares["m2"] == pytest.approx(sum(1.055 * value ** (1 / 2.4) - 0.055 for value in (3, 1.5)) / 3)
    told = [each for each in report.findings if ".emissive" in each.where]
    assert {(each.where, each.rule, each.action) for each in told} == {
        (f"material/{name}.emissive", "mjcf/material", "approximated") for name in ("m2", "m3")
    }


def test_light_beyond_the_brightest_colour_is_told_where_there_is_none(tmp_path: Path):
    (tmp_path / "a.glb").write_bytes(glowing(([1, 0.5, 0], 3), ([0.2] * 3, 4)).glb())
    report = complete(convert(tmp_path / "a.glb", tmp_path / "a.sdf"))
    assert sdformat_reads(tmp_path / "a.sdf")["errors"] == []
    glows = [each.text for each in etree.parse(tmp_path / "a.sdf").iter("emissive")]
    assert glows[0] == "1 1 0 1"
    assert float(glows[1].split()[0]) == pytest.approx(1.055 * 0.8 ** (1 / 2.4) - 0.055)
    assert [each.where for each in of_rule(report, "looks/colour")] == ["material/m0.emissive"]
    for name in ("a.glb", "b.glb"):  # and what comes back from there is as bright as it was
        complete(convert(tmp_path / ("a.glb" if name == "a.glb" else "a.sdf"), tmp_path / "c" / name))
        first = plain_gltf(tmp_path / "c" / name).document["materials"][0]
        assert light(first) == pytest.approx([3, 1.5, 0])


FLAT = """<mujoco model="o"><worldbody><geom size=".1"/><camera name="set" projection="orthographic" fovy="6"/>
<camera name="usual" projection="orthographic"/>
<camera name="wide" projection="orthographic" fovy="1" resolution="300 200"/></worldbody></mujoco>"""


def seen(path: Path) -> dict[str, float]:
    """Return the visible height of orthographic cameras, by name."""
    model = mujoco_model(path)
    assert set(model.cam_projection.tolist()) == {int(mujoco.mjtProjection.mjPROJ_ORTHOGRAPHIC)}
    return {model.camera(number).name: model.cam_fovy[number] for number in range(model.ncam)}


def test_what_an_orthographic_camera_sees_is_a_length_that_goes_both_ways(tmp_path: Path):
    report = complete(convert(saved(tmp_path / "a.xml", FLAT), tmp_path / "a.gltf"))
    assert {each.where.rpartition(".")[2] for each in report.findings if ".cameras." in each.where} <= {
        "near", "far", "width", "height"
    }  # fmt: skip
    document = plain_gltf(tmp_path / "a.gltf").document
    sizes = {each["name"]: each["orthographic"] for each in document["cameras"]}
    assert {name: (each["xmag"], each["ymag"]) for name, each in sizes.items()} == {
        "set": (3, 3), "usual": (22.5, 22.5), "wide": (0.75, 0.5)
    }  # fmt: skip
    for way in ("a.gltf", "a.urdf", "a.sdf"):
        complete(convert(tmp_path / "a.xml", tmp_path / way))
        complete(convert(tmp_path / way, tmp_path / "back.xml"))
        assert seen(tmp_path / "back.xml") == {"set": 6, "usual": 45, "wide": 1} == seen(tmp_path / "a.xml")
    sizes["set"]["ymag"] = 2
    complete(convert(saved(tmp_path / "edited.gltf", json.dumps(document)), tmp_path / "edited.xml"))
    assert seen(tmp_path / "edited.xml") == {"set": 4, "usual": 45, "wide": 1}


def test_an_orthographic_camera_of_others_sees_in_mujoco_what_it_saw(tmp_path: Path):
    made = Made()
    made.add("cameras", {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1.5, "znear": 0.1, "zfar": 9}})
    made.scene(made.node(name="eye", camera=0))
    report = complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "a.xml"))
    assert seen(tmp_path / "a.xml") == {"eye": 3}
    assert [each.where for each in of_rule(report, "mjcf/foreign-element")] == [
        "scene/extras.cameras/0/orthographic/xmag"
    ]


@pytest.mark.parametrize(
    "flat", [{"xmag": 2, "znear": 0.1, "zfar": 9}, {"xmag": 2, "ymag": 0, "znear": 0.1, "zfar": 9}]
)
def test_what_mujoco_makes_of_an_orthographic_camera_that_does_not_say_what_it_sees_is_told(
    tmp_path: Path, flat: dict[str, float]
):
    made = Made()
    made.add("cameras", {"type": "orthographic", "orthographic": flat})
    made.scene(made.node(name="eye", camera=0))
    report = complete(convert(saved(tmp_path / "a.glb", made.glb()), tmp_path / "a.xml"))
    (finding,) = of_rule(report, "mjcf/camera-span")
    assert seen(tmp_path / "a.xml") == {"eye": float(finding.after)}
