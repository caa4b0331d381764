"""Each rule fires where it should, and does not for a similar document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import pytest

import converters
from converters.context import InputError
from converters.validating import Verdict, validate
from converters.validating.notes import of_error
from converters.validating.rules import TABLE
from tests.files import saved
from tests.formats.gltf_made import shown
from tests.validating.cases import CASES, ROUND
from tests.validating.models import BOX, CLEAN, SUFFIX, URDF, Case, Changes

PART = b"<sdf version='1.9'><model name='part'><link name='x'/></model></sdf>"
APART = {
    "ENGINE",
    "FILE-READ",
    "CARRIED-STALE",
    "CARRIED-FILE",
    "STATE-LIMITS",
    "GLTF-SLACK",
    "GLTF-SKIN",
    "GLTF-PHYSICS",
    "GLTF-EDITED",
}
"""Rules that need more than a changed document: they have tests of their own."""


def judged(case: Case, changes: Changes, folder: Path) -> Verdict:
    """Return the verdict on a model with changes."""
    for name, data in {"part.sdf": PART, **case.files}.items():
        (folder / name).write_bytes(data)
    path = saved(folder / f"m{SUFFIX[case.format]}", case.text(changes))
    return validate(path)


def rules(verdict: Verdict) -> list[str]:
    return [breach.rule for breach in verdict.breaches]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_fires(case: Case, tmp_path: Path):
    verdict = judged(case, case.firing, tmp_path)
    assert case.rule in rules(verdict)
    breach = next(breach for breach in verdict.breaches if breach.rule == case.rule)
    assert breach.message
    assert breach.source is not None
    assert Path(breach.source.file).is_file()
    assert verdict.exit_code == 2 if TABLE[case.rule].unreadable else verdict.exit_code in (0, 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_is_silent(case: Case, tmp_path: Path):
    assert case.rule not in rules(judged(case, case.silent, tmp_path))


@pytest.mark.parametrize("name", CLEAN)
def test_the_clean_models_are_clean(name: str, tmp_path: Path):
    path = saved(tmp_path / f"m{SUFFIX[name]}", CLEAN[name])
    verdict = validate(path)
    assert [(breach.rule, breach.message) for breach in verdict.breaches] == []
    assert verdict.exit_code == 0


def test_an_angle_is_told_with_the_digits_that_are_off(tmp_path: Path):
    path = saved(tmp_path / "r.urdf", URDF.replace('rpy="0.1 0 0"', 'rpy="1.570796327 0 0"', 1))
    (said,) = [each.message for each in validate(path).breaches if each.rule == "ROT-SNAP"]
    assert said == "1.570796327 is 2.1e-10 rad off a quarter turn"


def test_every_rule_has_its_cases():
    assert {case.rule for case in CASES} | APART == set(TABLE)


def test_mjcf_has_the_schema_that_mujoco_prints():
    from converters.mjcf.document.schema import once, schema
    from tests.formats.mjcf_items import LINE

    found: dict[str, set[str]] = {}
    above: list[str] = []
    single: set[str] = set()
    for line in mujoco.mj_printSchema(False, True).splitlines():
        match = LINE.match(line)
        if match is not None:
            above[len(match[1]) // 3 :] = [match[2].replace("(world)body", "body")]
        path = "/".join(above[1:]) or "."
        single |= {path} if match is not None and f"{match[2]} (?)" in line else set()
        found.setdefault(path, set()).update((match[3] if match is not None else line).split())
    apart = {"body/frame", "body/replicate"}
    assert {path: set(names) for path, names in schema().items() if path not in apart} == found
    assert once() == single


def test_what_has_no_place_is_a_file_that_cannot_be_read():
    assert of_error(InputError("no such thing"), "urdf").rule == "FILE-READ"
    assert TABLE["FILE-READ"].unreadable


def test_what_an_edit_left_of_carried_data_is_told(tmp_path: Path):
    source = saved(tmp_path / "m.sdf", CLEAN["sdf"])
    out = tmp_path / "out.urdf"
    converters.convert(source, out)
    out.write_text(
        out.read_text().replace('effort="10"', 'effort="11"').replace('velocity="1000000000"', 'velocity="3"')
    )
    assert "CARRIED-STALE" in rules(validate(out))


def test_a_mesh_of_the_original_that_is_gone_is_told(tmp_path: Path):
    (tmp_path / "b.obj").write_bytes(ROUND)
    source = saved(tmp_path / "m.urdf", URDF.replace(BOX, '<geometry><mesh filename="b.obj"/></geometry>', 1))
    converters.convert(source, tmp_path / "out" / "m.glb")
    (tmp_path / "b.obj").unlink()
    assert "CARRIED-FILE" in rules(validate(tmp_path / "out" / "m.glb"))


def test_a_mesh_that_was_split_is_missed_once_and_is_no_fault_of_the_output(tmp_path: Path):
    """The parts exist; only the way back needs the file that they were made of."""
    faces = ROUND.splitlines()[-len(ROUND.splitlines()) // 3 :]
    (tmp_path / "b.obj").write_bytes(b"\n".join((b"o first", ROUND, b"o second", *faces)))
    source = saved(tmp_path / "m.urdf", URDF.replace(BOX, '<geometry><mesh filename="b.obj"/></geometry>', 1))
    converters.convert(source, tmp_path / "out" / "m.xml")
    (tmp_path / "b.obj").unlink()
    found = rules(validate(tmp_path / "out" / "m.xml"))
    assert "CARRIED-FILE" in found and "MESH-MISSING" not in found


def glb(tmp_path: Path, changes: dict[str, Any]) -> Verdict:
    document = json.loads(CLEAN["gltf"]) | changes
    path = saved(tmp_path / "m.gltf", json.dumps(document))
    return validate(path)


def test_a_skin_is_told(tmp_path: Path):
    nodes = [{"name": "a", "mesh": 0, "skin": 0}, {"name": "b"}]
    changes = {"nodes": nodes, "skins": [{"joints": [1]}], "scenes": [{"nodes": [0, 1]}]}
    assert "GLTF-SKIN" in rules(glb(tmp_path, changes))


@pytest.mark.parametrize(("factor", "told"), [(1.0, False), (1000.0, True)])
def test_a_gltf_in_millimetres_is_told(tmp_path: Path, factor: float, told: bool):
    """glTF is in metres (3.4), but CAD programs write millimetres."""
    made = shown()
    made.root["nodes"][0]["scale"] = [factor] * 3
    (tmp_path / "m.glb").write_bytes(made.glb())
    assert ("MESH-SCALE" in rules(validate(tmp_path / "m.glb"))) is told


def test_a_shape_that_is_said_in_part_is_told(tmp_path: Path):
    physics = {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}}}}
    cone = {"type": "cylinder", "cylinder": {"height": 1, "radiusBottom": 0.5, "radiusTop": 0.2}}
    changes = {
        "nodes": [{"name": "a", "mesh": 0, "extensions": physics}],
        "extensionsUsed": ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"],
        "extensions": {"KHR_implicit_shapes": {"shapes": [cone]}},
    }
    assert "GLTF-PHYSICS" in rules(glb(tmp_path, changes))


def test_an_edited_glb_of_ours_is_told(tmp_path: Path):
    source = saved(tmp_path / "m.urdf", URDF)
    out = tmp_path / "m.gltf"
    converters.convert(source, out)
    assert "GLTF-EDITED" not in rules(validate(out))
    document = json.loads(out.read_text())
    node = next(node for node in document["nodes"] if node.get("name") == "upper")
    node["translation"] = [0.5, 0.5, 0.5]
    out.write_text(json.dumps(document))
    assert "GLTF-EDITED" in rules(validate(out))


def test_a_buffer_that_is_longer_than_it_says_is_told(tmp_path: Path):
    data = json.loads(CLEAN["gltf"])
    long = data["buffers"][0]["uri"] + "AAAA"
    assert "GLTF-SLACK" in rules(glb(tmp_path, {"buffers": [{"byteLength": 36, "uri": long}]}))


def test_a_mass_near_the_largest_number_is_judged(tmp_path: Path):
    """Products of inertia of 1e308 are compared with those of the geometry; their squares overflow."""
    turned = '<collision><origin xyz="0 0 0" rpy="1 2 3"/><geometry><box size="1 2 3"/></geometry></collision>'
    inertia = '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
    link = f'<link name="a"><inertial><mass value="1e308"/>{inertia}</inertial>{turned}</link>'
    path = saved(tmp_path / "r.urdf", f'<robot name="r">{link}</robot>')
    assert "INERTIA-DENSITY" in rules(validate(path))
