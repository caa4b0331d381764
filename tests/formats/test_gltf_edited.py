"""Changes by others in a document of Kinegraph, beyond poses and triangles, arrive in the format it is converted to."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
import trimesh
from lxml import etree

from converters.context import InputError
from converters.convert import convert, read
from tests.corpus.edits import MADE
from tests.corpus.gltf_edits import Document, edits
from tests.formats.gltf_arm import ARM, BODIES, SHAPES, as_gltf, back, by_name, edited, told
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import of_rule

# ------------------------------------------------------------------------------------------------------------- physics


def test_masses_limits_drives_and_shapes_of_physics_arrive(arm: Path):
    def change(document: dict[str, Any]) -> None:
        motion = by_name(document, "upper")["extensions"][BODIES]["motion"]
        motion |= {"mass": 7.5, "centerOfMass": [0, 0, 0.2]}
        physics = document["extensions"][BODIES]
        (joint,) = physics["physicsJoints"]
        joint["limits"][-1]["max"] = 1.25
        joint["drives"][0] |= {"stiffness": 30.0, "damping": 0.9, "maxForce": 8.0}
        physics["physicsMaterials"][0 if physics["physicsMaterials"][0]["dynamicFriction"] == 0.8 else 1] |= {
            "staticFriction": 0.4,
            "dynamicFriction": 0.4,
        }
        shapes = document["extensions"][SHAPES]["shapes"]
        next(each for each in shapes if each["type"] == "cylinder")["cylinder"] |= {
            "radiusTop": 0.2,
            "radiusBottom": 0.2,
        }

    changed = edited(arm, change)
    found = told(changed, arm.with_name("back.xml"))
    assert set(found) == {"body/upper.inertial", "geom/bar", "joint/turn"}
    assert (found["body/upper.inertial"].before[:9], found["body/upper.inertial"].after[:9]) == (
        "mass: 2.0",
        "mass: 7.5",
    )
    model = back(arm.with_name("back.xml"))
    assert model.body("upper").mass[0] == 7.5
    assert model.body("upper").ipos == pytest.approx([0, 0, 0.2])
    assert model.jnt_range[0] == pytest.approx([-1, 1.25])
    assert model.geom("bar").size[:2] == pytest.approx([0.2, 0.5])
    assert model.geom("bar").friction[0] == 0.4
    assert model.actuator_gainprm[0][0] == 30.0
    assert model.actuator_forcerange[0] == pytest.approx([-8, 8])
    told(changed, arm.with_name("again.gltf"))
    again = json.loads(arm.with_name("again.gltf").read_bytes())
    assert again["extensions"][BODIES]["physicsJoints"][0]["limits"][-1]["max"] == 1.25
    assert by_name(again, "upper")["extensions"][BODIES]["motion"]["mass"] == 7.5
    assert complaints(khronos_reads([arm.with_name("again.gltf")])[0]) == []


def test_a_motor_that_holds_nothing_leaves_the_spring_to_the_joint(arm: Path):
    source = arm.with_name("free.xml")
    source.write_text(ARM.replace('<position name="servo" joint="turn" kp="10" forcerange="-5 5"/>', ""))
    convert(source, arm)

    def change(document: dict[str, Any]) -> None:
        drive = document["extensions"][BODIES]["physicsJoints"][0]["drives"][0]
        drive |= {"damping": 0.9, "stiffness": 4.0, "positionTarget": 0.0}

    assert set(told(edited(arm, change), arm.with_name("back.xml"))) == {"joint/turn"}
    model = back(arm.with_name("back.xml"))
    assert (float(model.dof_damping[0]), float(model.jnt_stiffness[0])) == (0.9, 4.0)


SPRUNG = """<mujoco model="sprung"><compiler angle="radian"/>
<asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body name="bar">
<joint name="turn" axis="0 1 0" ref="0.1" stiffness="3" springref=".3" range="-1 2"/>
<geom name="tip" type="mesh" mesh="t"/></body></worldbody></mujoco>"""


def of_physics(document: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the physics data of the draft under this key, which only one node has."""
    (found,) = [each for node in document["nodes"] if (each := node.get("extensions", {}).get(BODIES, {}).get(key))]
    return found


def the_joint(document: dict[str, Any]) -> dict[str, Any]:
    return document["extensions"][BODIES]["physicsJoints"][0]


PHYSICS: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]], dict[str, Any]]] = {
    "gravity": ("body/bar.inertial", lambda document: of_physics(document, "motion"), {"gravityFactor": 0.5}),
    "hull": ("geom/tip", lambda document: of_physics(document, "collider")["geometry"], {"convexHull": False}),
    "spring": ("joint/turn", lambda document: the_joint(document)["drives"][0], {"positionTarget": 1.0}),
    "stop": ("joint/turn", lambda document: the_joint(document)["limits"][-1], {"stiffness": 50.0, "damping": 5.0}),
    "bounce": (
        "geom/tip",
        lambda document: document["extensions"][BODIES]["physicsMaterials"][0],
        {"restitution": 0.5},
    ),
}


@pytest.mark.parametrize("name", PHYSICS)
def test_what_was_changed_of_physics_is_told_once_and_written_again(tmp_path: Path, name: str):
    where, part, change = PHYSICS[name]
    document = edited(as_gltf(SPRUNG, tmp_path / "sprung.gltf"), lambda document: part(document).update(change))
    assert set(told(document, tmp_path / "again.gltf")) == {where}
    again = part(json.loads((tmp_path / "again.gltf").read_bytes()))
    assert {key: again.get(key, False) for key in change} == change
    assert set(told(document, tmp_path / "back.xml")) == {where}
    model = back(tmp_path / "back.xml")
    assert model.body_gravcomp[1] == change.get("gravityFactor", 0.0)
    assert model.qpos_spring[0] == pytest.approx(change.get("positionTarget", 0.2) + 0.1)


@pytest.mark.parametrize("key", ["maxForce", "stiffness", "damping"])
def test_a_drive_that_was_set_below_zero_is_refused(arm: Path, key: str):
    def change(document: dict[str, Any]) -> None:
        document["extensions"][BODIES]["physicsJoints"][0]["drives"][0][key] = -1.0

    with pytest.raises(InputError, match=f"/drives/0/{key} must not be below 0"):
        read(edited(arm, change))


@pytest.mark.parametrize("name", ["feature_drake.urdf", "feature_gazebo_link.urdf", "feature_sdf_surface.sdf"])
def test_what_passes_made_of_the_source_is_no_edit(name: str, tmp_path: Path):
    """Friction of a dialect, a spring in a block: the document contains them, but the embedded graph does not."""
    convert(MADE / name, tmp_path / "made.gltf")

    def annotate(document: dict[str, Any]) -> None:
        entries = [each for table in document["extensions"].values() for items in table.values() for each in items]
        for each in (*document["nodes"], *entries):
            each["author"] = "somebody"

    found = told(edited(tmp_path / "made.gltf", annotate), tmp_path / f"back{Path(name).suffix}")
    assert set(found) == {"scene"}
    convert(tmp_path / "made.gltf", tmp_path / f"same{Path(name).suffix}")
    assert (tmp_path / f"back{Path(name).suffix}").read_bytes() == (tmp_path / f"same{Path(name).suffix}").read_bytes()


def test_a_shape_that_was_fitted_to_a_mesh_is_no_edit(tmp_path: Path):
    """The document shows the capsule where MuJoCo puts it, and the embedded graph has the mesh."""
    (tmp_path / "fitted.xml").write_text(
        """<mujoco><asset><mesh name="m" vertex="0 0 0  3 0 0  0 1 0  0 0 1  3 1 1"/></asset><worldbody><body name="b">
        <geom name="g" type="capsule" mesh="m"/></body></worldbody></mujoco>"""
    )
    convert(tmp_path / "fitted.xml", tmp_path / "fitted.gltf")

    def other(document: dict[str, Any]) -> None:
        document["asset"]["copyright"] = "another one's"

    assert set(told(edited(tmp_path / "fitted.gltf", other), tmp_path / "back.xml")) == {"scene"}
    assert back(tmp_path / "back.xml").geom_type[0] == mujoco.mjtGeom.mjGEOM_CAPSULE


def test_a_collider_that_was_moved_is_moved(arm: Path):
    def change(document: dict[str, Any]) -> None:
        by_name(document, "bar/collider")["translation"] = [0.0, 0.25, 0.0]

    assert set(told(edited(arm, change), arm.with_name("back.xml"))) == {"geom/bar"}
    assert back(arm.with_name("back.xml")).geom("bar").pos == pytest.approx([0, 0.25, 0])


def test_a_collider_that_was_moved_and_scaled_is_moved_and_the_scale_is_told(arm: Path):
    def change(document: dict[str, Any]) -> None:
        shown = next(
            each
            for each in document["nodes"]
            if each.get("extras", {}).get("kinegraph_kind") == "collider"
            and each["extras"]["kinegraph_name"] == "plate"
        )
        shown |= {"translation": [0.5, 0, 0], "scale": [2, 2, 2]}

    source = edited(arm, change)
    report = convert(source, arm.with_name("out.xml"))
    told = [(each.action, each.before, each.after) for each in report.findings if each.where == "geom/plate"]
    assert ("dropped", "scale: 1 1 1", "scale: 2.0 2.0 2.0") in told and len(told) == 2
    assert mujoco_model(arm.with_name("out.xml")).geom("plate").pos[0] == pytest.approx(0.5)


def test_a_document_that_an_earlier_version_wrote_is_read_as_it_was(arm: Path):
    """Its digests have one entry for all extensions."""

    def older(document: dict[str, Any]) -> None:
        for holder in (document["scenes"][0], document["nodes"][0]):
            inside = json.loads(holder["extras"]["kinegraph"])
            digests = inside["digests"]
            inside["digests"] = {key: value for key, value in digests.items() if "/" not in key}
            inside.pop("made", None)
            holder["extras"]["kinegraph"] = json.dumps(inside)

    def heavier(document: dict[str, Any]) -> None:
        older(document)
        by_name(document, "upper")["extensions"][BODIES]["motion"]["mass"] = 7.5

    assert "body/upper.inertial" not in told(edited(arm, older), arm.with_name("back.xml"))
    assert "body/upper.inertial" in told(edited(arm, heavier), arm.with_name("back.xml"))
    assert back(arm.with_name("back.xml")).body("upper").mass[0] == 7.5


@pytest.mark.parametrize("bad", [700, -1, "first"])
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("bar/collider", "collider/physicsMaterial"),
        ("bar/collider", "collider/collisionFilter"),
        ("bar/collider", "collider/geometry/shape"),
        ("turn/parent", "joint/joint"),
    ],
)
def test_a_number_that_is_not_in_its_table_is_refused(arm: Path, name: str, path: str, bad: object):
    def change(document: dict[str, Any]) -> None:
        *steps, key = path.split("/")
        holder = by_name(document, name)["extensions"][BODIES]
        for step in steps:
            holder = holder[step]
        holder[key] = bad

    with pytest.raises(InputError, match=rf"/nodes/\d+/extensions/{BODIES}/{path} (refers to|must be|is -1)"):
        convert(edited(arm, change), arm.with_name("back.xml"))


# ------------------------------------------------------------------------------------------------- cameras and lights


def test_cameras_lights_and_frames_that_were_moved_are_moved(arm: Path):
    def change(document: dict[str, Any]) -> None:
        for name, place in (("eye", [0, 0.5, 0]), ("tip", [0, 0, 0.6]), ("lamp", [0, 0, 2])):
            by_name(document, name)["translation"] = place
        document["cameras"][0]["perspective"]["yfov"] = 0.5613323129985823  # no number of degrees is this one
        document["extensions"]["KHR_lights_punctual"]["lights"][0]["spot"]["outerConeAngle"] = 0.25

    found = told(edited(arm, change), arm.with_name("back.xml"))
    assert set(found) == {"camera/eye", "frame/tip", "light/lamp"}
    model = back(arm.with_name("back.xml"))
    assert model.cam("eye").pos == pytest.approx([0, 0.5, 0])
    assert model.cam("eye").fovy == pytest.approx(np.degrees(0.5613323129985823))
    assert model.site("tip").pos == pytest.approx([0, 0, 0.6])
    assert model.light("lamp").pos == pytest.approx([0, 0, 2])
    assert model.light("lamp").cutoff == pytest.approx(np.degrees(0.25))


def without(document: dict[str, Any], name: str) -> None:
    number = document["nodes"].index(by_name(document, name))
    above = next(each for each in document["nodes"] if number in each.get("children", ()))
    above["children"].remove(number)


def test_cameras_and_lights_that_were_taken_out_are_gone(arm: Path):
    def change(document: dict[str, Any]) -> None:
        without(document, "eye")
        without(document, "lamp")

    assert set(told(edited(arm, change), arm.with_name("back.xml"))) == {"camera/eye", "light/lamp"}
    model = back(arm.with_name("back.xml"))
    assert (model.ncam, model.nlight, model.nsite, model.nsensor) == (0, 0, 1, 1)


def test_a_sensor_whose_camera_was_taken_out_or_moved_is_so_too(tmp_path: Path):
    document = tmp_path / "sensors.gltf"
    convert(MADE / "feature_sdf_sensors.sdf", document)

    def move(plain: dict[str, Any]) -> None:
        by_name(plain, "eye")["translation"] = [0.3, 0, 0]

    assert set(told(edited(document, move), tmp_path / "moved.sdf")) == {"camera/eye"}
    assert sdformat_reads(tmp_path / "moved.sdf")["errors"] == []
    pose = etree.parse(tmp_path / "moved.sdf").findtext(".//sensor[@name='eye']/pose")
    assert [float(word) for word in str(pose).split()] == pytest.approx([0.3, 0, 0, 0, 0.2, 0])

    assert set(told(edited(document, lambda plain: without(plain, "eye")), tmp_path / "out.sdf")) == {"camera/eye"}
    assert sdformat_reads(tmp_path / "out.sdf")["errors"] == []
    names = [each.get("name") for each in etree.parse(tmp_path / "out.sdf").iter("sensor")]
    assert names == ["scan", "balance", "touch", "load"]


# --------------------------------------------------------------------------------------------------------------- nodes


def test_a_node_that_was_copied_is_there_twice(arm: Path):
    """Modelling programs copy it with its extras. A copy in the second scene collides."""

    def change(document: dict[str, Any]) -> None:
        nodes = document["nodes"]
        for number in [index for index, each in enumerate(nodes) if each["extras"]["kinegraph_kind"] == "geom"]:
            if nodes[number]["name"] == "plate":
                nodes.append({**nodes[number], "name": "plate.001", "translation": [0.0, 1.0, 0.0]})
                above = next(each for each in nodes if number in each.get("children", ()))
                above["children"].append(len(nodes) - 1)

    changed = edited(arm, change)
    (found,) = told(changed, arm.with_name("back.urdf")).values()
    assert (found.where, found.count) == ("geom/plate.001", 2)
    root = etree.parse(arm.with_name("back.urdf")).getroot()
    assert [len(root.findall(f"link[@name='base']/{kind}")) for kind in ("visual", "collision")] == [2, 2]
    told(changed, arm.with_name("back.xml"))
    model = back(arm.with_name("back.xml"))
    assert model.ngeom == 4
    assert model.geom("plate").pos == pytest.approx([0, 0, 0])


def test_nodes_in_another_order_are_the_same_model(arm: Path):
    """As trimesh writes it: every node keeps its pose."""
    name = "put last, and all others in front of it turned round"
    document = Document(arm.read_bytes(), arm.parent)
    (change,) = (each for _, how, each in edits(document.now, random.Random(0)) if how == name)
    changed = edited(arm, change)
    before, after = (
        sorted(graph.get(node)[0].round(9).tolist() for node in graph.nodes_geometry)
        for graph in (trimesh.load_scene(path).graph for path in (arm, changed))
    )
    assert len(before) == 2
    assert before == after
    told(changed, arm.with_name("back.xml"))
    convert(arm, arm.with_name("same.xml"))
    assert arm.with_name("back.xml").read_bytes() == arm.with_name("same.xml").read_bytes()


@pytest.mark.parametrize("name", ["arm", "upper", "plate", "eye"])
def test_a_node_that_lost_its_marks_is_what_it_is_called(arm: Path, name: str):
    """Where no other node has that mark; otherwise the node of this name is another object."""

    def forget(document: dict[str, Any]) -> None:
        del by_name(document, name)["extras"]

    assert set(told(edited(arm, forget), arm.with_name("back.xml"))) == {"scene"}
    convert(arm, arm.with_name("same.xml"))
    assert arm.with_name("back.xml").read_bytes() == arm.with_name("same.xml").read_bytes()

    def add(document: dict[str, Any]) -> None:
        node = {key: value for key, value in by_name(document, name).items() if key not in ("extras", "children")}
        document["nodes"].append(node)
        by_name(document, "upper")["children"].append(len(document["nodes"]) - 1)

    told(edited(arm, add), arm.with_name("more.xml"))
    one, more = (back(arm.with_name(name)) for name in ("same.xml", "more.xml"))
    assert (more.nbody, more.ngeom) == (one.nbody, one.ngeom + (name == "plate"))
    assert (more.ncam, more.nsite) == (one.ncam + (name == "eye"), one.nsite + (name == "arm"))


# --------------------------------------------------------------------------------------------------------------- looks


def test_looks_that_were_changed_arrive(arm: Path):
    source = arm.with_name("plain.urdf")
    shape, look = '<geometry><box size="1 1 1"/></geometry>', '<material name="red"><color rgba="1 0 0 1"/></material>'
    source.write_text(f'<robot name="r"><link name="a"><visual>{shape}{look}</visual></link></robot>')
    convert(source, arm)

    def change(document: dict[str, Any]) -> None:
        document["materials"][0]["pbrMetallicRoughness"] |= {"metallicFactor": 0.5, "roughnessFactor": 0.25}
        document["materials"][0]["emissiveFactor"] = [0, 0, 1]

    changed = edited(arm, change)
    (found,) = told(changed, arm.with_name("again.gltf")).values()
    assert found.where == "material/red"
    again = json.loads(arm.with_name("again.gltf").read_bytes())["materials"][0]
    assert (again["pbrMetallicRoughness"]["metallicFactor"], again["emissiveFactor"]) == (0.5, [0, 0, 1])
    assert complaints(khronos_reads([arm.with_name("again.gltf")])[0]) == []
    told(changed, arm.with_name("back.xml"))
    assert back(arm.with_name("back.xml")).mat_metallic[0] == pytest.approx(0.5)


def test_what_is_seen_through_is_no_edit_of_a_colour(tmp_path: Path):
    document = tmp_path / "seen.gltf"
    convert(MADE / "feature_sdf_materials.sdf", document)

    def other(plain: dict[str, Any]) -> None:
        plain["asset"]["minVersion"] = "2.0"

    assert set(told(edited(document, other), tmp_path / "back.sdf")) == {"scene"}
    convert(document, tmp_path / "same.sdf")
    assert (tmp_path / "back.sdf").read_bytes() == (tmp_path / "same.sdf").read_bytes()

    def fade(plain: dict[str, Any]) -> None:
        look = next(each for each in plain["materials"] if each["name"] == "scripted_material")
        assert look["pbrMetallicRoughness"]["baseColorFactor"][3] == 0.5
        look["pbrMetallicRoughness"]["baseColorFactor"] = [0, 1, 0, 0.25]

    assert (
        "(0.0, 1.0, 0.0, 0.5)"
        in told(edited(document, fade), tmp_path / "back.sdf")["material/scripted_material"].after
    )


def test_a_light_that_is_off_has_no_intensity_and_shines_once_it_has(tmp_path: Path):
    lights = '<light name="off" active="false"/><light name="dim" active="false" intensity="3"/><light name="on"/>'
    (tmp_path / "l.xml").write_text(f'<mujoco model="l"><worldbody>{lights}</worldbody></mujoco>')
    report = convert(tmp_path / "l.xml", tmp_path / "l.gltf")
    document = json.loads((tmp_path / "l.gltf").read_bytes())
    entries = document["extensions"]["KHR_lights_punctual"]["lights"]
    assert {each["name"]: each.get("intensity") for each in entries} == {"off": 0, "dim": 0, "on": None}
    dark = {finding.where: finding.action for finding in of_rule(report, "gltf/light-off")}
    assert dark == {"body/world.lights.off.intensity": "derived", "body/world.lights.dim.intensity": "approximated"}
    convert(tmp_path / "l.gltf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(tmp_path / "l.xml")

    def change(document: dict[str, Any]) -> None:
        document["extensions"]["KHR_lights_punctual"]["lights"][1]["intensity"] = 5.0

    assert set(told(edited(tmp_path / "l.gltf", change), tmp_path / "lit.xml")) == {"light/dim"}
    model = back(tmp_path / "lit.xml")
    assert [int(model.light(name).active[0]) for name in ("off", "dim", "on")] == [0, 1, 1]
    assert model.light_intensity[model.light("dim").id] == 5
