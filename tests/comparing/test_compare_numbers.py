"""Every number of a model, changed by 1/10 000, is named, except those listed in NOT_COMPARED."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from converters.comparing import compare, compare_in
from converters.comparing.difference import NOT_COMPARED
from converters.comparing.models import differences
from converters.convert import convert, read
from ir import dynamics
from tests.conftest import MADE
from tests.formats.gltf_written import ARM

SHARE = 1e-4
SILENT = {
    "safety_controller": "soft limits, calibration, limits of acceleration and jerk",
    "calibration": "soft limits, calibration, limits of acceleration and jerk",
    "transmission": "transmissions, actuators, hardware",
    "gazebo": "physics and blocks for one simulator",
    "sensor": "sensors, cameras, lights",
    "robot": "name",
}
"""Maps elements whose numbers are not compared to the reason."""
RATES = ("acceleration", "deceleration", "jerk")
MODELS = [
    *("feature_joint_dynamics", "feature_mimic_chain", "feature_rotated_inertial", "feature_shapes", "feature_planar2"),
    *("feature_wheeled", "feature_materials", "feature_joint_types", "feature_gimbal_rpy", "feature_mesh_tetrahedron"),
]


def changes(text: str) -> list[tuple[str, str]]:
    """Return (place, document) for each number of a URDF, changed separately; zeros are replaced by the increment."""
    root = etree.fromstring(text.encode())
    found = []
    for element in root.iter(etree.Element):
        above = {element.tag, *(each.tag for each in element.iterancestors())} - {"robot"}
        if above & set(SILENT) or element.tag == "robot":
            continue
        for name, value in list(element.attrib.items()):
            words = value.split()
            if name in (*RATES, "name", "link", "joint") or not words or not all(map(_number, words)):
                continue
            for index, word in enumerate(words):
                number = float(word)
                if (
                    element.tag == "axis"
                    and number
                    and not any(float(each) for each in words[:index] + words[index + 1 :])
                ):
                    continue  # its length
                moved = number * (1 - SHARE) if number else SHARE
                element.set(name, " ".join([*words[:index], repr(moved), *words[index + 1 :]]))
                place = f"{root.getroottree().getpath(element)}/@{name}[{index}]"
                found.append((place, etree.tostring(root).decode()))
            element.set(name, value)
    return found


def _number(word: str) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", word) is not None


@pytest.mark.parametrize("name", ["arm", *MODELS])
def test_a_changed_number_is_named(tmp_path: Path, name: str):
    text = ARM if name == "arm" else (MADE / f"{name}.urdf").read_text()
    (tmp_path / "meshes").symlink_to(MADE / "meshes")
    first, second = tmp_path / "first.urdf", tmp_path / "second.urdf"
    first.write_text(text)
    every = changes(text)
    assert len(every) > 3
    unnamed = []
    for place, document in every:
        second.write_text(document)
        if not compare(first, second, samples=2):
            unnamed.append(place)
    assert unnamed == []
    assert set(SILENT.values()) <= set(NOT_COMPARED)


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake"])
@pytest.mark.parametrize("name", ["feature_planar2", "feature_wheeled", "feature_rotated_inertial"])
def test_engines_agree_with_the_comparison(tmp_path: Path, engine: str, name: str):
    """A robot and its conversions are equal for both; with another mass they differ for both."""
    source = MADE / f"{name}.urdf"
    for target in ("other.xml", "other.sdf", "other.glb", "other.urdf"):
        convert(source, tmp_path / target)
        assert compare(source, tmp_path / target) == [], target
        assert compare_in(engine, source, tmp_path / target, samples=2) == [], target


def test_each_model_is_posed_once_for_each_configuration(monkeypatch: pytest.MonkeyPatch):
    """Poses, mass matrix and torques share it: for thousands of links this takes most of the time."""
    asked: list[object] = []
    forward = dynamics.forward
    monkeypatch.setattr(dynamics, "forward", lambda *given: asked.append(given) or forward(*given))
    scene = read(MADE / "feature_planar2.urdf")
    assert list(differences(scene, scene, samples=3)) == []
    assert len(asked) == 2 * 3


def test_links_in_another_order_are_the_same_robot(tmp_path: Path):
    root = etree.fromstring((MADE / "feature_wheeled.urdf").read_bytes())
    for element in reversed([each for each in root if each.tag in ("link", "joint")]):
        root.append(element)
    (tmp_path / "other.urdf").write_bytes(etree.tostring(root))
    assert compare(MADE / "feature_wheeled.urdf", tmp_path / "other.urdf") == []
    for tensor in root.findall("link/inertial/inertia"):
        for axis in ("ixx", "iyy", "izz"):
            tensor.set(axis, str(2 * float(tensor.get(axis))))
    (tmp_path / "other.urdf").write_bytes(etree.tostring(root))
    told = {each.what for each in compare(MADE / "feature_wheeled.urdf", tmp_path / "other.urdf")}
    assert {"inertias", "mass matrix"} <= told
