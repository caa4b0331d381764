"""Elements of <gazebo> blocks with unusual spelling or duplicates: the result is as libsdformat has it for a URDF."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from tests.formats.test_urdf_gazebo import robot, to_sdf
from tests.oracles.in_sdformat import sdformat_expands
from tests.reports import explained

FLAGS = {"gravity": "true", "static": "false", "self_collide": "false"}
SURFACE = {"mu": "1", "mu2": "1", "kp": "1e12", "kd": "1", "min_depth": "0", "max_vel": "0.01", "slip1": "0"}
UNSAID = FLAGS | SURFACE | {"laser_retro": "0", "max_contacts": "10"}


def first(root: etree._Element, tag: str) -> object:
    """Return the value of the first element with this tag; the default if it is missing."""
    text = next((each.text or "" for each in root.iter(tag)), "").strip() or UNSAID.get(tag, "")
    flag = {"1": True, "true": True, "0": False, "false": False}.get(text)
    return float(text) if tag not in FLAGS else flag


def holds(folder: Path, blocks: str, tag: str) -> None:
    theirs = etree.fromstring(sdformat_expands(robot(folder, blocks))["document"].encode())
    assert first(to_sdf(folder, blocks)[0], tag) == first(theirs, tag)


@pytest.mark.parametrize("word", ["turnGravityOff", "selfCollide", "static"])
@pytest.mark.parametrize(
    "said", ["yes", "Yes", "TRUE", "1", " true ", " false ", "T", "2", "", "maybe", "no", "False", "0", "0.0"]
)
def test_a_flag_in_any_spelling(tmp_path: Path, word: str, said: str) -> None:
    reference = "" if word == "static" else ' reference="base"'
    tag = {"turnGravityOff": "gravity", "selfCollide": "self_collide"}.get(word, word)
    holds(tmp_path, f"<gazebo{reference}><{word}>{said}</{word}></gazebo>", tag)
    holds(tmp_path, f'<gazebo{reference}><{word} value="{said}"/></gazebo>', tag)


def test_an_element_that_is_copied_empty_says_nothing(tmp_path: Path) -> None:
    holds(tmp_path, '<gazebo reference="base"><gravity></gravity></gazebo>', "gravity")


TWICE = {
    "gravity": (
        "<gravity>false</gravity>",
        "<gravity>true</gravity>",
        "<turnGravityOff>true</turnGravityOff>",
        "<turnGravityOff>false</turnGravityOff>",
    ),
    "self_collide": (
        "<self_collide>true</self_collide>",
        "<self_collide>false</self_collide>",
        "<selfCollide>true</selfCollide>",
        "<selfCollide>false</selfCollide>",
    ),
    "linear": (
        "<velocity_decay><linear>0.25</linear></velocity_decay>",
        "<velocity_decay><linear>0.5</linear></velocity_decay>",
        "<dampingFactor>0.75</dampingFactor>",
        "<dampingFactor>0.125</dampingFactor>",
    ),
    "kp": (
        "<kp>1</kp>",
        "<kp>2</kp>",
        "<collision><surface><contact><ode><kp>3</kp></ode></contact></surface></collision>",
        "<collision><surface><contact><ode><kp>4</kp></ode></contact></surface></collision>",
    ),
}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("tag", "words"), [(tag, (a, b)) for tag, said in TWICE.items() for a in said for b in said if a != b]
)
def test_of_what_is_said_twice_the_same_counts(tmp_path: Path, tag: str, words: tuple[str, str], apart: bool) -> None:
    between = '</gazebo><gazebo reference="base">' if apart else ""
    holds(tmp_path, f'<gazebo reference="base">{between.join(words)}</gazebo>', tag)


@pytest.mark.parametrize(
    "parts",
    [
        ("<static>true</static><static>false</static>",),
        ("<static>true</static>", "<static>false</static>"),
        ("<static>false</static>", "<static>true</static>"),
        ("<static>true</static>", '<plugin name="p" filename="p.so"/>'),
        ('<plugin name="p" filename="p.so"/>', "<static>true</static>"),
        ("<static>true</static>", ""),
    ],
)
def test_a_model_stands_still_if_its_last_block_says_so(tmp_path: Path, parts: tuple[str, ...]) -> None:
    holds(tmp_path, "".join(f"<gazebo>{part}</gazebo>" for part in parts), "static")


CONTACT = {
    "mu": ("<mu1>0.5</mu1>", "<mu1>2</mu1>", "<mu2>0.5</mu2>", "<mu1>0.5</mu1><mu2>0.25</mu2>", "<kp>1e5</kp>"),
    "kp": ("<kp>1e5</kp>", "<kd>3</kd>"),
    "kd": ("<kd>3</kd>", "<kp>1e5</kp>"),
    "min_depth": ("<minDepth>0.125</minDepth>", "<kp>1e5</kp>"),
    "max_vel": ("<maxVel>0.125</maxVel>", "<kp>1e5</kp>"),
    "slip1": ("<mu1>0.5</mu1>",),
    "laser_retro": ("<laserRetro>7</laserRetro>",),
    "max_contacts": ("<maxContacts>4</maxContacts>",),
}
CONTACT["mu2"] = CONTACT["mu"]


@pytest.mark.parametrize(("tag", "said"), [(tag, said) for tag, words in CONTACT.items() for said in words])
def test_a_word_of_contact_on_its_own(tmp_path: Path, tag: str, said: str) -> None:
    """mu1 alone does not give a friction in the other direction, and vice versa."""
    holds(tmp_path, f'<gazebo reference="base">{said}</gazebo>', tag)


def test_a_sensor_of_a_block_replaces_one_of_the_same_name_and_place_whatever_that_ends_in(tmp_path: Path) -> None:
    block = '<sensor name="imu_0" type="imu"><always_on>1</always_on><update_rate>100</update_rate></sensor>'
    sensor = '<sensor name="imu_0" type="accelerometer"><parent link="base"/></sensor>'
    root, report = to_sdf(tmp_path, f'<gazebo reference="base">{block}</gazebo>{sensor}')
    explained(report)
    assert [(each.get("name"), each.get("type")) for each in root.iter("sensor")] == [("imu_0", "imu")]
