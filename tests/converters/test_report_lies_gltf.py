"""Rows of glTF: what a writer loses or changes at an address with legitimate losses is not explained by them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from converters import convert
from converters.context import Options
from converters.gltf import writer
from converters.gltf.ours.graph import Inside
from tests.converters.lying import lying_about, rules
from tests.files import saved
from tests.formats.sdf_links import TETRAHEDRON
from tests.reports import explained

Members = dict[str, Any]

ROBOT = """<mujoco model="r"><asset><mesh name="part" file="part.obj"/>
  <texture name="wood" type="2d" file="wood.png"/><material name="wooden" texture="wood"/>
  <material name="red" rgba="0.8 0.1 0.2 1" emission="0.5" metallic="0.3" roughness="0.4"/>
  <material name="blue" rgba="0.1 0.2 0.8 1"/><material name="dull" rgba="0.3 0.3 0.2 1"/></asset>
  <worldbody><geom name="floor" type="plane" size="2 3 1" pos="0 0 -0.1" material="blue"/>
  <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" range="-40 40" damping="0.2"/>
    <geom name="ball" size="0.2" material="red" friction="0.7"/>
    <geom name="crate" type="box" size="1 1 1" material="wooden"/>
    <geom name="bare" type="box" size="0.1 0.2 0.3"/><geom name="meshed" type="mesh" mesh="part" material="dull"/>
    <geom name="ghost" type="cylinder" size="0.1 0.2" rgba="0 1 0 0.5" contype="0" conaffinity="0" group="2"/>
    <site name="tip" pos="0.1 0.2 0.3"/><camera name="eye" pos="0 0 2" fovy="60"/>
    <body name="b" pos="0.5 0 0"><joint name="k" axis="0 0 1"/><geom name="end" size="0.1"/></body></body>
  <body name="c"><geom name="stand" size="0.1"/></body>
  <light name="lamp" pos="0 0 3" dir="0 0 -1" diffuse="0.2 0.4 0.6" cutoff="30"/></worldbody></mujoco>
"""


def named(items: list[Members], name: str) -> Members:
    return next(item for item in items if item.get("name") == name)


def of_material(name: str, **change: Any) -> Callable[[Members], None]:
    """Return a change of a material; members of pbrMetallicRoughness are set there."""

    def lie(members: Members) -> None:
        entry = named(members["materials"], name)
        for key, value in change.items():
            inside = entry["pbrMetallicRoughness"] if key.endswith(("Factor", "ColorTexture")) else entry
            inside[key] = value
        entry["emissiveFactor"] = entry["pbrMetallicRoughness"].pop("emissiveFactor", entry.get("emissiveFactor"))
        if entry["emissiveFactor"] is None:
            del entry["emissiveFactor"]

    return lie


def of_node(name: str, **change: Any) -> Callable[[Members], None]:
    """Return a change of the members of a node."""

    def lie(members: Members) -> None:
        node = named(members["nodes"], name)
        extras = node["extras"] | change.pop("extras", {})
        node |= change | {"extras": extras}

    return lie


def hung(kind: str, below: str, **said: Any) -> Callable[[Members], None]:
    """Return a change that adds a node of a kind below another node."""

    def lie(members: Members) -> None:
        extras = {"kinegraph_kind": kind, "kinegraph_name": "more"} | said.pop("extras", {})
        members["nodes"].append({"name": "more", "extras": extras} | said)
        named(members["nodes"], below).setdefault("children", []).append(len(members["nodes"]) - 1)

    return lie


def worn(geom: str, material: str) -> Callable[[Members], None]:
    """Return a change that gives a geom another material of the document."""

    def lie(members: Members) -> None:
        mesh = members["meshes"][named(members["nodes"], geom)["mesh"]]
        mesh["primitives"][0]["material"] = members["materials"].index(named(members["materials"], material))

    return lie


def without_image(members: Members) -> None:
    del named(members["materials"], "wooden")["pbrMetallicRoughness"]["baseColorTexture"]


def elsewhere(members: Members) -> None:
    """Attach a body to another body, with its transform unchanged."""
    number = members["nodes"].index(named(members["nodes"], "b"))
    for node in members["nodes"]:
        node["children"] = [child for child in node.get("children", []) if child != number]
    named(members["nodes"], "c")["children"].append(number)


def heavier(members: Members) -> None:
    for node in members["nodes"]:
        motion = node.get("extensions", {}).get("KHR_physics_rigid_bodies", {}).get("motion")
        if motion is not None:
            motion["mass"] = 3.0


def seen_from(members: Members) -> None:
    members["cameras"][0]["perspective"]["znear"] = 0.5


def wider(members: Members) -> None:
    members["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["innerConeAngle"] = 0.2


FLAT = Options(hierarchy="flat")


@pytest.mark.parametrize(
    ("lie", "address", "options"),
    [
        (of_material("red", baseColorFactor=[0.0, 0.0, 1.0, 1.0]), "material.rgba", Options()),
        (of_material("red", baseColorFactor=[0.6, 0.01, 0.03, 0.5]), "material.rgba", Options()),
        (of_material("red", emissiveFactor=[0.0, 0.0, 1.0]), "material.emissive", Options()),
        (of_material("red", emissiveFactor=None), "material.emissive", Options()),
        (of_material("red", metallicFactor=0.9), "material.metallic", Options()),
        (of_material("red", roughnessFactor=0.9), "material.roughness", Options()),
        (of_material("blue", metallicFactor=0.9), "material.metallic", Options()),
        (of_material("blue", emissiveFactor=[0.0, 0.0, 1.0]), "material.emissive", Options()),
        (of_material("blue", alphaMode="MASK"), "material.parameters", Options()),
        (of_material("dull", baseColorFactor=[1.0, 0.0, 0.0, 1.0]), "shown.body.geoms.rgba", Options()),
        (worn("ball", "blue"), "body.geoms.material", Options()),
        (of_material("grey", baseColorFactor=[1.0, 0.0, 0.0, 1.0]), "shown.body.geoms.rgba", Options()),
        (worn("ball", "blue"), "shown.body.geoms.rgba", Options()),
        (worn("bare", "red"), "body.geoms.material", Options()),
        (worn("meshed", "blue"), "shown.body.geoms.rgba", Options(compress="draco")),
        (without_image, "shown.body.geoms.texture", Options()),
        (hung("geom", "b", mesh=0, extras={"kinegraph_role": "visual"}), "body.geoms", Options()),
        (hung("frame", "a"), "body.frames", Options()),
        (hung("light", "a"), "body.lights", Options()),
        (hung("body", "a"), "body", Options()),
        (of_node("tip", translation=[0.1, 0.3, 0.3]), "body.frames.pose.pos", Options()),
        (of_node("tip", rotation=[0.0, 0.0, 1.0, 0.0]), "body.frames.pose.rot", Options()),
        (of_node("floor", translation=[0.0, 0.0, -0.2]), "body.geoms.pose.pos", Options()),
        (of_node("ghost", extras={"kinegraph_role": "collision"}), "body.geoms.role", Options()),
        (of_node("meshed", scale=[2.0, 1.0, 1.0]), "body.geoms.shape.scale", Options()),
        (elsewhere, "joint.parent", FLAT),
        (heavier, "draft-omi.body.inertial.mass", Options(physics="omi")),
        (seen_from, "body.cameras.near", Options()),
        (wider, "body.lights.inner", Options()),
    ],
)
def test_what_a_writer_of_gltf_breaks_has_no_reason(
    lie: Callable[[Members], None], address: str, options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    Image.new("RGB", (2, 2), "red").save(tmp_path / "wood.png")
    (tmp_path / "part.obj").write_text(TETRAHEDRON)
    explained(convert(saved(tmp_path / "r.xml", ROBOT), tmp_path / "right.glb", options=options))
    lying_about(lie, monkeypatch)
    assert address in rules(convert(tmp_path / "r.xml", tmp_path / "wrong.glb", options=options))


DRIVEN = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/></body></worldbody>
  <actuator><motor name="m" joint="j"/></actuator></mujoco>"""


def test_a_mesh_file_has_no_material_of_the_name_of_another(tmp_path: Path):
    """The report about grey of a robot is about that material, and not about the grey of a mesh file."""
    (tmp_path / "part.obj").write_text(f"mtllib part.mtl\nusemtl grey\n{TETRAHEDRON}")
    (tmp_path / "part.mtl").write_text("newmtl grey\nKd 0.9 0.9 0.9\n")
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="part.obj"/></geometry></visual>'
        '<visual><geometry><box size="1 1 1"/></geometry><material name="grey"><color rgba="0.2 0.2 0.2 1"/></material>'
        "</visual></link></robot>"
    )
    report = explained(convert(tmp_path / "r.urdf", tmp_path / "r.glb"))
    assert [each for each in report.findings if each.where == "material/grey.rgba"] == []


def test_what_the_graph_inside_a_gltf_has_lost_has_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    explained(convert(saved(tmp_path / "r.xml", DRIVEN), tmp_path / "right.glb"))
    own = writer.embedded

    def forgetting(inside: Inside) -> str:
        return own(replace(inside, scene=inside.scene.evolve(tables={"actuator": ()})))

    monkeypatch.setattr(writer, "embedded", forgetting)
    assert "actuator" in rules(convert(tmp_path / "r.xml", tmp_path / "wrong.glb"))


def test_a_material_that_is_but_a_name_shows_as_the_mesh_file_does(tmp_path: Path):
    (tmp_path / "part.obj").write_text(f"mtllib part.mtl\nusemtl grey\n{TETRAHEDRON}")
    (tmp_path / "part.mtl").write_text("newmtl grey\nKd 0.9 0.8 0.7\n")
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="part.obj"/></geometry>'
        '<material name="named"/></visual></link></robot>'
    )
    report = explained(convert(tmp_path / "r.urdf", tmp_path / "r.glb"))
    assert "gltf/own-looks" in {each.rule for each in report.findings}
