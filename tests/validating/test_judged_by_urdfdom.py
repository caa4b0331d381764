"""A URDF compared with urdfdom, Pinocchio and MuJoCo: what they refuse is an error or a warning with its place, what
they accept is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.convert import convert
from converters.reading import read
from converters.validating import validate
from converters.validating.rules import INFO
from converters.validating.run import severity
from tests.files import saved
from tests.oracles.in_pinocchio import reads
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained
from tests.validating.by_mujoco import errors

ENDS = '<parent link="a"/><child link="b"/>'
RATES = 'effort="1" velocity="1"'


def put(folder: Path, data: str | bytes) -> Path:
    return saved(folder / "r.urdf", data)


def jointed(inside: str, kind: str = "fixed") -> str:
    joint = f'<joint name="j" type="{kind}">{ENDS}{inside}</joint>'
    return f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>'


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("LIMIT-FIXED", jointed('<limit lower="1e" upper="1" effort="1" velocity="1"/>')),
        ("LIMIT-FIXED", jointed('<limit effort="" velocity="1"/>')),
        ("LIMIT-FIXED", jointed('<limit effort="1" velocity="inf"/>')),
        ("LIMIT-FIXED", jointed('<limit effort="1"/>')),
        ("LIMIT-FIXED", jointed('<dynamics damping="x"/>')),
        ("LIMIT-FIXED", jointed("<dynamics/>")),
        ("LIMIT-FIXED", jointed('<safety_controller k_position="1"/>')),
        ("LIMIT-FIXED", jointed('<safety_controller k_velocity="one"/>')),
        ("LIMIT-FIXED", jointed('<calibration rising="x"/>')),
        ("MIMIC-USELESS", jointed('<mimic multiplier="1"/>')),
        ("MIMIC-USELESS", jointed('<mimic joint="j" offset="1_0"/>')),
        ("LIMIT-FIXED", jointed('<limit lower="nan" effort="1" velocity="1"/>', "floating")),
        ("LIMIT-CONT", jointed(f'<axis xyz="0 0 1"/><limit lower="nan" {RATES}/>', "continuous")),
        ("LIMIT-CONT", jointed(f'<axis xyz="0 0 1"/><limit upper="" {RATES}/>', "continuous")),
    ],
)
def test_what_has_no_use_and_urdfdom_refuses_all_the_same_is_an_error(rule: str, text: str, tmp_path: Path) -> None:
    path = put(tmp_path, text)
    assert check_urdf(path) is not None
    assert errors(path) == [rule]
    explained(convert(path, tmp_path / "r.xml"))


@pytest.mark.parametrize(
    "text",
    [
        jointed('<limit lower="-1e3" upper="+.5" effort="1" velocity="1"/>'),
        jointed('<dynamics damping="1"/><calibration rising="1."/><safety_controller k_velocity="1"/>'),
        jointed('<mimic joint="j"/>'),
        jointed(f'<axis xyz="0 0 1"/><limit lower="1" upper="2" {RATES}/>', "continuous"),
    ],
)
def test_what_has_no_use_and_urdfdom_takes_is_no_error(text: str, tmp_path: Path) -> None:
    path = put(tmp_path, text)
    assert check_urdf(path) is None
    assert errors(path) == []


def test_a_mimic_of_nobody_is_told_and_comes_back(tmp_path: Path) -> None:
    path = put(tmp_path, jointed('<axis xyz="0 0 1"/><mimic joint="" multiplier="2"/>', "continuous"))
    assert check_urdf(path) is None
    assert errors(path) == ["MIMIC-MISSING"]
    convert(path, tmp_path / "out.xml")
    convert(tmp_path / "out.xml", tmp_path / "out.urdf")
    assert '<mimic joint="" multiplier="2"/>' in (tmp_path / "out.urdf").read_text()


PLAIN = '<robot name="r"><link name="a" note="x"/></robot>'
DECLARED = '<?xml version="1.0" encoding="{}"?>'


@pytest.mark.parametrize(
    ("rule", "data"),
    [
        ("XML-ENC", PLAIN.encode("utf-16-le")),
        ("XML-ENC", (DECLARED.format("utf-16") + PLAIN).encode("utf-16-be")),
        ("XML-PI", f"{PLAIN}<?tool x?>".encode()),
        ("XML-PI", f"<!-- x --><?tool x?>{PLAIN}".encode()),
    ],
)
def test_what_is_read_though_the_parsers_of_robots_do_not_is_told(rule: str, data: bytes, tmp_path: Path) -> None:
    path = put(tmp_path, data)
    assert check_urdf(path) is not None and reads(path) is not None
    (told,) = [each for each in validate(path).breaches if severity(each) != INFO]
    assert told.rule == rule and told.source is not None
    convert(path, tmp_path / "out.urdf")
    assert check_urdf(tmp_path / "out.urdf") is None


@pytest.mark.parametrize(
    ("told", "data"),
    [
        (["XML-LENIENT"], PLAIN.replace('"x"', '"a < b"').encode()),
        (["XML-LENIENT"], PLAIN.replace('"x"', "'1 <2 <\"3'").encode()),
        (["XML-LENIENT"], PLAIN.replace('"x"', '"\x01\x1f&#8;&#x1B;"').encode()),
        (["XML-LENIENT"], f"{PLAIN}<!-- a page \x0c -->".encode()),
        (["XML-ENC"], (DECLARED.format("UFT-8") + PLAIN.replace('"x"', '"é"')).encode()),
        (["XML-ENC"], (DECLARED.format("hex") + PLAIN).encode()),
        ([], (DECLARED.format("UTF8") + PLAIN).encode()),
        ([], f"<?tool x?>{PLAIN}".encode()),
    ],
)
def test_markup_that_the_parsers_of_robots_take_is_read(told: list[str], data: bytes, tmp_path: Path) -> None:
    path = put(tmp_path, data)
    assert check_urdf(path) is None and reads(path) is None
    assert {each.rule for each in validate(path).breaches if severity(each) != INFO} == set(told)
    assert set(read(path).bodies) == {"world", "a"}
    convert(path, tmp_path / "out.urdf")
    assert check_urdf(tmp_path / "out.urdf") is None


BOX = '<geometry><box size="1 1 1"/></geometry>'


@pytest.mark.parametrize(
    ("rule", "inside"),
    [
        ("MAT-NONAME", f"<visual>{BOX}<material/></visual>"),
        ("MAT-NONAME", f'<visual>{BOX}<material><color rgba=""/></material></visual>'),
    ],
)
def test_looks_that_urdfdom_refuses_are_errors(rule: str, inside: str, tmp_path: Path) -> None:
    path = put(tmp_path, f'<robot name="r"><link name="a">{inside}</link></robot>')
    assert check_urdf(path) is not None
    assert errors(path) == [rule]


@pytest.mark.parametrize(
    "inside",
    [
        f'<visual>{BOX}<material name="m"><color rgba=""/></material></visual>',
        f'<visual>{BOX}<material name="m"><color rgba="0.5"/></material></visual>',
        f'<visual>{BOX}<material name=""/></visual>',
        '<collision_checking><geometry><cylinder length="1"/></geometry></collision_checking>',
        '<collision_checking><geometry><box size="inf 1 1"/></geometry></collision_checking>',
        '<collision_checking><geometry><sphere radius=""/></geometry></collision_checking>',
    ],
)
def test_what_is_no_look_and_no_shape_comes_back_as_it_was(inside: str, tmp_path: Path) -> None:
    path = put(tmp_path, f'<robot name="r"><link name="a">{inside}</link></robot>')
    assert check_urdf(path) is None
    for name in ("again.urdf", "m.xml", "m.sdf", "m.glb"):
        explained(convert(path, tmp_path / name))
        convert(tmp_path / name, tmp_path / "back.urdf")
        assert check_urdf(tmp_path / "back.urdf") is None
        assert inside.partition("<geometry>")[2].replace(" ", "") in (tmp_path / "back.urdf").read_text().replace(
            "\n", ""
        ).replace(" ", "")


@pytest.mark.parametrize("inside", ['<color rgba=""/>', '<color rgba="0.5"/>'])
def test_a_global_material_without_a_colour_comes_back_as_it_was(inside: str, tmp_path: Path) -> None:
    shown = f'<link name="a"><visual>{BOX}<material name="m"/></visual></link>'
    path = put(tmp_path, f'<robot name="r"><material name="m">{inside}</material>{shown}</robot>')
    assert check_urdf(path) is None
    for name in ("again.urdf", "m.xml", "m.sdf"):
        explained(convert(path, tmp_path / name))
        convert(tmp_path / name, tmp_path / "back.urdf")
        assert check_urdf(tmp_path / "back.urdf") is None
        assert inside in (tmp_path / "back.urdf").read_text()


def test_a_tab_that_is_written_as_a_reference_is_told(tmp_path: Path) -> None:
    path = put(
        tmp_path, f'<robot name="r"><link name="a"><visual><origin xyz="1&#9;0 0"/>{BOX}</visual></link></robot>'
    )
    assert check_urdf(path) is not None
    (told,) = [each for each in validate(path).breaches if severity(each) != INFO]
    assert told.rule == "NUM-SEP" and told.source is not None and told.source.line == 1
