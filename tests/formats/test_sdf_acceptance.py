"""Requirements 1 to 12 of an SDFormat reader and writer: frames, axes and poses, judged by engines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree

import converters
from converters.context import InputError, Options
from converters.report.model import Severity
from tests.formats.sdf_text import (
    BOX,
    axis,
    codes,
    converted,
    faults,
    in_mjcf,
    in_urdf,
    joint,
    limit,
    link,
    matrix,
    put,
    same_motion,
    sdf,
    seen,
    xml,
)
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import of_rule

QUARTER = "0 0 0 0 0 1.5707963267948966"
TURNED = link("a") + link("b", f"1 2 3 {QUARTER[6:]}")


def urdf_axis(path: Path) -> np.ndarray:
    (found,) = xml(path).xpath("joint[@name='j']/axis/@xyz")
    return np.array([float(word) for word in str(found).split()])


def axes(found: dict[str, Any]) -> list[float]:
    return [number for joint in found["joints"].values() for axis in joint["axes"] for number in axis["xyz"]]


@pytest.mark.parametrize(("version", "expected"), [("1.4", (0, -1, 0)), ("1.5", (1, 0, 0)), ("1.9", (1, 0, 0))])
def test_01_the_axis_of_sdf_1_4_is_in_the_frame_of_the_model(version: str, expected: tuple[int, ...], tmp_path: Path):
    source = put(tmp_path, sdf(TURNED + joint("j", "a", "b", axis("1 0 0")), version))
    assert seen(source)["joints"]["j"]["axes"][0]["xyz"] == pytest.approx(expected, abs=1e-12)
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert urdf_axis(urdf) == pytest.approx(np.array(expected), abs=1e-12)
    same_motion(tmp_path, source, ["j"])


def test_02_an_axis_expressed_in_another_frame_is_turned_not_copied(tmp_path: Path):
    text = axis("1 0 0", attrs=' expressed_in="__model__"')
    source = put(tmp_path, sdf(TURNED + joint("j", "a", "b", text)))
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert urdf_axis(urdf) == pytest.approx(np.array([0, -1, 0]), abs=1e-12)
    same_motion(tmp_path, source, ["j"])


@pytest.mark.parametrize("version", ["1.3", "1.4", "1.5", "1.6"])
@pytest.mark.parametrize(
    ("said", "expected"), [("true", (0, -1, 0)), ("1", (0, -1, 0)), ("false", (1, 0, 0)), ("", (1, 0, 0))]
)
def test_03_use_parent_model_frame(version: str, said: str, expected: tuple[int, ...], tmp_path: Path):
    text = axis("1 0 0", f"<use_parent_model_frame>{said}</use_parent_model_frame>")
    source = put(tmp_path, sdf(TURNED + joint("j", "a", "b", text), version))
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert urdf_axis(urdf) == pytest.approx(np.array(expected), abs=1e-12)
    same_motion(tmp_path, source, ["j"])


@pytest.mark.parametrize("said", ["", "false", "true"])
@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6"])
def test_03_an_axis_of_an_older_document_may_name_a_frame(version: str, said: str, tmp_path: Path):
    """The attribute is new in 1.7; libsdformat reads it in any version, unless use_parent_model_frame overrides it."""
    inner = f"<use_parent_model_frame>{said}</use_parent_model_frame>" if said else ""
    links = link("a", "0 0 0 0 0 0.3") + TURNED.partition("</link>")[2]
    text = axis("1 0 0", inner + limit(-1, 1), ' expressed_in="a"')
    source = put(tmp_path, sdf(links + joint("j", "a", "b", text), version))
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert urdf_axis(urdf) == pytest.approx(np.array(seen(source)["joints"]["j"]["axes"][0]["xyz"]), abs=1e-12)
    for other in ("1.6", "1.9"):
        _, again = converted(tmp_path, source, "out.sdf", Options(sdf_version=other))
        assert axes(seen(again)) == pytest.approx(axes(seen(source)), abs=1e-12)
    wrong = put(tmp_path, sdf(links + joint("j", "a", "b", axis("1 0 0", "", ' expressed_in="nowhere"')), "1.6"))
    assert faults(converted(tmp_path, wrong, "out.urdf")[0]) == ["sdf/joint-axis-expressed-in-invalid"]


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.7", "1.9"])
@pytest.mark.parametrize(
    "attrs", ['frame="a"', 'frame="a" relative_to="f"', 'relative_to="f" frame="a"', 'frame="" relative_to="f"']
)
def test_03_the_frame_of_a_pose_counts_up_to_1_6_and_over_another(version: str, attrs: str, tmp_path: Path):
    """1_7.convert of libsdformat; a newer document has no such attribute."""
    links = link("a", "0 0 0 0 0 0.3") + f'<link name="b"><pose {attrs}>1 0 0 0 0 0.5</pose></link>'
    frame = '<frame name="f"><pose>0 2 0 0 0 0</pose></frame>'
    inner = f"<pose {attrs}>0 1 0 0 0 0</pose>" + axis("1 0 0", limit(-1, 1))
    source = put(tmp_path, sdf(links + frame + joint("j", "a", "b", inner), version))
    _, mjcf = converted(tmp_path, source, "out.xml")
    expected = {name: matrix(found["pose"]) for name, found in seen(source)["links"].items()}
    found = in_mjcf(mjcf, {})
    for name, pose in expected.items():
        assert found[name] == pytest.approx(pose, abs=1e-12)
    if version < "1.7":  # Drake refuses an attribute that its version has not
        same_motion(tmp_path, source, ["j"])
    _, back = converted(tmp_path, mjcf, "back.sdf")
    report, other = converted(tmp_path, source, "other.sdf", Options(sdf_version="1.6" if version >= "1.7" else "1.9"))
    assert seen(other)["links"]["b"]["pose"] == pytest.approx(seen(source)["links"]["b"]["pose"], abs=1e-12)
    assert bool(of_rule(report, "sdf/pose-frame")) == (version >= "1.7" and 'frame="a"' in attrs)
    assert xml(back).xpath("//link[@name='b']/pose")[0].attrib == xml(source).xpath("//link[@name='b']/pose")[0].attrib


def test_04_a_joint_whose_child_is_a_frame_turns_there(tmp_path: Path):
    frame = '<frame name="f" attached_to="b"><pose>0.5 0 0.25 0.3 0 0</pose></frame>\n'
    body = link("a") + link("b", "1 2 3 0 0.4 0", f'<visual name="v">{BOX}</visual>') + frame
    source = put(tmp_path, sdf(body + joint("j", "a", "f", axis("0 1 0"))))
    same_motion(tmp_path, source, ["j"])
    _, urdf = converted(tmp_path, source, "out.urdf")
    still, turned = (in_urdf(urdf, {"j": value})["b"] for value in (0.0, 1.0))
    anchor = matrix(seen(source)["frames"]["f"]["pose"]) @ np.array([0, 0, 0, 1])
    assert turned @ np.linalg.inv(still) @ anchor == pytest.approx(anchor, abs=1e-12)


def test_05_the_anchor_of_a_joint_survives_urdf(tmp_path: Path):
    frame = '<frame name="f" attached_to="a"><pose>0.1 -0.7 0.2 0.3 0.2 0.1</pose></frame>\n'
    inner = '<pose relative_to="f">0.01 0.02 0.03 0.4 0.5 0.6</pose>' + axis("0 1 0")
    source = put(tmp_path, sdf(link("a") + link("b", "1 2 3 0 0.4 0") + frame + joint("j", "a", "b", inner)))
    _, urdf = converted(tmp_path, source, "out.urdf")
    _, back = converted(tmp_path, urdf, "back.sdf")
    assert seen(back)["joints"]["j"]["pose"] == pytest.approx(seen(source)["joints"]["j"]["pose"], abs=1e-12)
    same_motion(tmp_path, source, ["j"])


def test_06_every_visual_moves_as_in_the_source(tmp_path: Path):
    visual = f'<visual name="v"><pose>0.1 0.2 0.3 0.1 0.2 0.3</pose>{BOX}</visual>'
    links = link("a", inner=visual) + link("b", "0.3 0.2 1 0.5 0.4 0.3", visual) + link("c", "0 1 1 0 0.2 0", visual)
    joints = joint("j", "a", "b", "<pose>0.1 0 0 0 0 0.2</pose>" + axis("1 0 0"))
    joints += joint("k", "b", "c", '<pose relative_to="a">0 0.1 0 0.3 0 0</pose>' + axis("0 1 0"), "prismatic")
    source = put(tmp_path, sdf(links + joints))
    same_motion(tmp_path, source, ["j", "k"], samples=20)
    for target in ("out.urdf", "out.xml"):
        _, path = converted(tmp_path, source, target)
        places = xml(path).xpath("link/visual/origin" if target == "out.urdf" else "//body/geom")
        assert len(places) == 3
        for place in places:
            at = place.get("xyz") or place.get("pos")
            assert [float(word) for word in at.split()] == pytest.approx([0.1, 0.2, 0.3], abs=1e-12)


def test_07_a_frame_moves_with_what_it_is_attached_to(tmp_path: Path):
    frames = '<frame name="f" attached_to="b"><pose>1 0 0 0 0 0</pose></frame>\n'
    frames += '<frame name="g" attached_to="b"><pose relative_to="a">1 0 0 0 0 0</pose></frame>\n'
    source = put(tmp_path, sdf(TURNED + frames + joint("j", "a", "b")))
    expected = seen(source)["frames"]
    assert (expected["f"]["body"], expected["g"]["body"]) == ("b", "b")
    _, path = converted(tmp_path, source, "out.xml")
    still, turned = in_mjcf(path, {}), in_mjcf(path, {"j": 0.7})
    for name in ("f", "g"):
        assert still[name] == pytest.approx(matrix(expected[name]["pose"]), abs=1e-12)
        assert turned[name] == pytest.approx(turned["b"] @ np.linalg.inv(still["b"]) @ still[name], abs=1e-12)
    assert still["g"][:3, 3] == pytest.approx([1, 0, 0], abs=1e-12)


def test_08_placement_frames(tmp_path: Path):
    tip = '<frame name="tip" attached_to="a"><pose>0 1 0 0 0 0</pose></frame>\n'
    inner = f'<model name="inner" placement_frame="tip"><pose>0 0 3 0 0 0</pose>{link("a")}{tip}</model>'
    source = put(tmp_path, sdf(inner))
    assert seen(source)["links"]["inner::a"]["pose"][:3] == pytest.approx([0, -1, 3])
    _, path = converted(tmp_path, source, "out.xml")
    assert in_mjcf(path, {})["inner::a"][:3, 3] == pytest.approx([0, -1, 3], abs=1e-12)

    put(tmp_path, sdf(link("a") + tip), "part.sdf")
    include = "<include><uri>part.sdf</uri><name>p</name><placement_frame>tip</placement_frame>{}</include>"
    source = put(tmp_path, sdf(include.format("<pose>0 0 3 0 0 0</pose>")), "whole.sdf")
    _, path = converted(tmp_path, source, "whole.xml")
    assert in_mjcf(path, {})["p::a"][:3, 3] == pytest.approx([0, -1, 3], abs=1e-12)
    source = put(tmp_path, sdf(include.format("")), "poseless.sdf")
    with pytest.raises(InputError, match="MODEL_PLACEMENT_FRAME_INVALID"):
        converters.read(source)
    assert codes(source, tmp_path)


def test_08_an_include_with_a_pose_leaves_the_placement_frame_of_the_model(tmp_path: Path):
    mark = '<frame name="mark" attached_to="a"><pose>0 0 -0.1 0 0 0.5</pose></frame>\n'
    text = (
        f'<model name="part" placement_frame="mark"><pose>9 9 9 0 0 0</pose>{link("a", "0 0 0.2 0 0 0")}{mark}</model>'
    )
    put(tmp_path, f'<sdf version="1.9">{text}</sdf>', "part.sdf")
    include = "<include><uri>part.sdf</uri><name>p</name>{}</include>"
    merge = include.format("<pose>0 0 1 0 0 0</pose>").replace("<include", '<include merge="true"')
    for body, name, place in (
        (include.format("<pose>0 0 1 0 0 0</pose>"), "p::a", [0, 0, 1.1]),
        (include.format("<pose>0 0 1 0 0 0</pose><placement_frame>a</placement_frame>"), "p::a", [0, 0, 1]),
        (include.format(""), "p::a", [9, 9, 9.1]),
        (merge, "a", [0, 0, 1.1]),
    ):
        source = put(tmp_path, sdf(link("base") + body), "whole.sdf")
        pose = seen(source, tmp_path)["links"][name]["pose"]
        assert pose[:3] == pytest.approx(place)
        _, path = converted(tmp_path, source, "whole.xml")
        assert in_mjcf(path, {})[name] == pytest.approx(matrix(pose), abs=1e-12)
        _, back = converted(tmp_path, path, "back.sdf")
        texts = [etree.canonicalize(file.read_text(), strip_text=True) for file in (back, source)]
        assert texts[0] == texts[1]


def test_09_each_broken_frame_is_told_once_and_the_rest_converts(tmp_path: Path):
    frames = "".join(
        f'<frame name="{name}" {attribute}><pose{more}>0 0 1 0 0 0</pose></frame>\n'
        for name, attribute, more in (
            ("p", 'attached_to="q"', ""),
            ("q", 'attached_to="p"', ""),
            ("self", 'attached_to="self"', ""),
            ("lost", "", ' relative_to="QQQ"'),
            ("good", 'attached_to="b"', ""),
        )
    )
    source = put(tmp_path, sdf(TURNED + frames + joint("j", "a", "b")))
    assert codes(source) >= {23, 25}
    report, path = converted(tmp_path, source, "out.xml")
    told = {finding.where for finding in report.findings if finding.severity is Severity.ERROR}
    assert {place.split("/")[-1] for place in told} == {"p", "self", "lost"}
    assert len(faults(report)) == 3
    found = in_mjcf(path, {})
    assert found["b"] == pytest.approx(matrix([1, 2, 3, math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)]), abs=1e-12)
    assert found["good"][:3, 3] == pytest.approx([1, 2, 4], abs=1e-12)


@pytest.mark.parametrize("canonical", ["b", "c"])
def test_10_the_canonical_link_is_not_the_root(canonical: str, tmp_path: Path):
    links = link("b", "0 0 1 0 0 0") + link("a") + link("c", "0 1 1 0 0 0")
    joints = joint("j", "a", "b") + joint("k", "b", "c", axis("1 0 0"))
    source = put(tmp_path, sdf(links + joints, attrs=f' canonical_link="{canonical}"'))
    same_motion(tmp_path, source, ["j", "k"], ("urdf", "xml"))
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert check_urdf(urdf) is None
    root = xml(urdf)
    held = {str(name) for name in root.xpath("joint[@type!='floating']/child/@link")}
    assert held == {"b", "c"}


def test_12_degrees_and_quaternions(tmp_path: Path):
    turned = math.pi / 6, -math.pi / 4, math.pi / 3
    plain = f"1 2 3 {turned[0]!r} {turned[1]!r} {turned[2]!r}"
    want = seen(put(tmp_path, sdf(link("a", plain))))["links"]["a"]["pose"]
    w, x, y, z = want[3:]
    spelled = {
        "degrees": '<pose degrees="true">1 2 3 30 -45 60</pose>',
        "quaternion": f'<pose rotation_format="quat_xyzw">1 2 3 {x!r} {y!r} {z!r} {w!r}</pose>',
    }
    for name, text in spelled.items():
        source = put(tmp_path, sdf(link("a", inner=text)), f"{name}.sdf")
        for target, poses in ((f"{name}.urdf", in_urdf), (f"{name}.xml", in_mjcf)):
            _, path = converted(tmp_path, source, target)
            assert poses(path, {})["a"] == pytest.approx(matrix(want), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<pose degrees="true" rotation_format="quat_xyzw">0 0 0 0 0 0 1</pose>', "degrees"),
        ("<pose>0 0 0 0 0</pose>", "6 numbers"),
        ("<pose>0 0 0 0 0 0 1</pose>", "6 numbers"),
        ('<pose rotation_format="quat_xyzw">0 0 0 0 0 1</pose>', "7 numbers"),
    ],
)
def test_12_poses_that_are_none_are_refused_with_their_line(text: str, what: str, tmp_path: Path):
    source = put(tmp_path, sdf(f'<link name="a">\n{text}\n</link>'))
    assert codes(source)
    with pytest.raises(InputError, match=what) as caught:
        converters.read(source)
    assert caught.value.source is not None
    assert caught.value.source.line == 4
