"""Inertia and surfaces of a link of SDF, read and written again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import converters
from converters.sdf.parts.moments import accepts
from converters.validating import validate
from ir.types import Inertial, Surface, Tensor
from tests.formats.sdf_links import BOX, TETRAHEDRON, body_of, geom_of, survives, survives_as_text, told
from tests.formats.sdf_text import converted, faults, link, put, rules, sdf
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.recount import items
from tests.reports import of_rule


@pytest.mark.parametrize("suffix", ["sdf", "urdf", "xml", "gltf"])
def test_a_text_ends_at_a_comment_as_libsdformat_has_it(tmp_path: Path, suffix: str) -> None:
    inertia = "<inertia><ixx>0.<!-- ? -->25</ixx><iyy><!-- tall -->0.25 <!-- m --></iyy><izz>0.25</izz></inertia>"
    source = put(tmp_path, sdf(link("a", inner=f"<inertial><mass>1.5<!-- was -->7</mass>{inertia}</inertial>")))
    out, back = tmp_path / f"out.{suffix}", tmp_path / "back.sdf"
    report = converters.convert(source, out)
    converters.convert(out, back)
    links = [sdformat_reads(path)["links"]["a"] for path in (source, back)]
    assert links[0] == links[1]
    assert (links[0]["mass"], links[0]["tensor"][:3]) == (1.5, [0.0, 0.25, 0.25])
    assert "<mass>1.5<!---->7</mass>" in back.read_text()
    assert report.read + report.ignored + report.unread == report.source_items == items(source)
    told = {place.path for finding in report.findings for place in finding.sources}
    assert suffix in ("sdf", "gltf") or any(path.endswith("/mass[1]/text()[2]") for path in told)


def test_silence_is_one_kilogram(tmp_path: Path) -> None:
    inertial = body_of(tmp_path, "").inertial
    assert (inertial.mass, inertial.tensor) == (1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    assert "sdf/inertial-default" in rules(told(tmp_path, ""))
    assert "sdf/inertial-default" not in rules(told(tmp_path, "<inertial/>"))
    half = body_of(tmp_path, "<inertial><inertia><ixx>0.1</ixx></inertia></inertial>").inertial
    assert (half.mass, half.tensor) == (1.0, (0.1, 1.0, 1.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("target", ["again.sdf", "m.xml", "m.urdf"])
def test_nobody_asks_what_a_static_model_weighs(tmp_path: Path, target: str) -> None:
    text = sdf(link("a")).replace("<link", "<static>true</static><link", 1)
    report, _ = converted(tmp_path, text, target)
    assert "sdf/inertial-default" not in rules(report)
    assert not [each for each in validate(tmp_path / "source.sdf").breaches if each.rule.startswith("INERTIA")]


def test_an_inertial_is_read_and_written(tmp_path: Path) -> None:
    moments = "<ixx>0.1</ixx><ixy>0.01</ixy><ixz>0.02</ixz><iyy>0.2</iyy><iyz>0.03</iyz><izz>0.25</izz>"
    inner = f"<inertial><pose>1 2 3 0.1 0 0</pose><mass>4</mass><inertia>{moments}</inertia></inertial>"
    inertial = body_of(tmp_path, inner).inertial
    assert (inertial.mass, inertial.tensor) == (4.0, (0.1, 0.2, 0.25, 0.01, 0.02, 0.03))
    assert inertial.pose.pos == (1.0, 2.0, 3.0)
    survives(tmp_path, inner)


@pytest.mark.parametrize(
    "inner",
    [
        "<mass>-1</mass>",
        "<inertia><ixx>5</ixx></inertia>",
        "<inertia><ixx>-1</ixx><iyy>-1</iyy><izz>-1</izz></inertia>",
    ],
)
def test_what_no_body_has_is_kept_and_told(inner: str, tmp_path: Path) -> None:
    assert faults(told(tmp_path, f"<inertial>{inner}</inertial>")) == ["sdf/link-inertia-invalid"]
    survives_as_text(tmp_path)


@pytest.mark.parametrize(
    ("attrs", "density", "mass"),
    [
        ("", "", 6000.0),
        ("<density>2</density>", "", 12.0),
        ("<density>2</density>", "<density>4</density>", 24.0),
        ("<mass>12</mass>", "", 12.0),
        ("<density>2</density><mass>3</mass>", "<density>4</density>", 3.0),
    ],
)
def test_inertia_is_computed_from_collisions(attrs: str, density: str, mass: float, tmp_path: Path) -> None:
    shown = '<visual name="v"><geometry><sphere/></geometry></visual>'
    collision = f'<collision name="c"><pose>0 0 1 0 0 0</pose>{density}{BOX}</collision>'
    inertial = body_of(tmp_path, f'<inertial auto="true">{attrs}</inertial>{collision}{shown}', "1.11").inertial
    assert inertial.mass == pytest.approx(mass, rel=1e-14)
    assert inertial.pose.pos == pytest.approx((0.0, 0.0, 1.0), abs=1e-14)
    unit = (13 / 12, 10 / 12, 5 / 12, 0.0, 0.0, 0.0)
    assert inertial.tensor == pytest.approx(tuple(mass * value for value in unit), rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("most", ["", "<density>100</density>"])
def test_a_density_of_nothing_weighs_nothing(most: str, tmp_path: Path) -> None:
    """Drake computes the same mass."""
    boxes = "".join(
        f'<collision name="c{density}"><pose>{density} 0 0 0 0 0</pose><density>{density}</density>{BOX}</collision>'
        for density in (0, 500)
    )
    inner = f'<inertial auto="true">{most}</inertial>{boxes}'
    assert body_of(tmp_path, inner, "1.11").inertial.mass == pytest.approx(3000.0, rel=1e-14)
    assert drake_reads(tmp_path / "source.sdf")["masses"]["a"] == pytest.approx(3000.0, rel=1e-12)


def test_inertia_is_computed_from_a_mesh(tmp_path: Path) -> None:
    put(tmp_path, TETRAHEDRON, "part.obj")
    mesh = '<collision name="c"><geometry><mesh><uri>part.obj</uri></mesh></geometry></collision>'
    inertial = body_of(tmp_path, f'<inertial auto="true"><density>6</density></inertial>{mesh}', "1.11").inertial
    assert inertial.mass == pytest.approx(1.0, rel=1e-12)
    assert inertial.pose.pos == pytest.approx((0.25, 0.25, 0.25), rel=1e-12)


def test_nothing_to_compute_from_is_told(tmp_path: Path) -> None:
    inner = f'<inertial auto="true"/><visual name="v">{BOX}</visual>'
    assert faults(told(tmp_path, inner, "1.11")) == ["sdf/element-missing"]
    assert body_of(tmp_path, inner, "1.11").inertial.mass == 1.0


def test_a_mesh_that_is_not_there_is_no_fault_of_the_document(tmp_path: Path) -> None:
    mesh = '<collision name="c"><geometry><mesh><uri>gone.obj</uri></mesh></geometry></collision>'
    report = told(tmp_path, f'<inertial auto="true"/>{mesh}', "1.11")
    assert "sdf/auto-unread" in {finding.rule for finding in report.findings}
    assert faults(report) == []


def test_a_link_of_another_format_without_mass_is_written_without_mass(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text('<robot name="r"><link name="a"/></robot>')
    converters.convert(tmp_path / "r.urdf", tmp_path / "r.sdf", target="sdf")
    text = (tmp_path / "r.sdf").read_text()
    assert "<mass>0</mass>" in text
    assert "<ixx>0</ixx>" in text


SURFACE = """<surface>
<friction><ode><mu>0.8</mu><mu2>0.6</mu2><fdir1>0 1 0</fdir1><slip1>0.1</slip1><slip2>0.2</slip2></ode>
<torsional><coefficient>0.3</coefficient></torsional><bullet><rolling_friction>0.4</rolling_friction></bullet></friction>
<bounce><restitution_coefficient>0.5</restitution_coefficient></bounce>
<contact><ode><kp>1e6</kp><kd>10</kd><max_vel>0.7</max_vel><min_depth>0.001</min_depth></ode>
<collide_bitmask>0x0F</collide_bitmask><category_bitmask>3</category_bitmask>
<collide_without_contact>true</collide_without_contact></contact></surface>"""


def test_a_surface_is_read_and_written(tmp_path: Path) -> None:
    surface = geom_of(tmp_path, BOX + SURFACE, "collision").surface
    forces = {"stiffness": 1e6, "damping": 10.0, "max_velocity": 0.7, "min_depth": 0.001, "restitution": 0.5}
    sliding = {"mu": 0.8, "mu2": 0.6, "fdir1": (0.0, 1.0, 0.0), "slip1": 0.1, "slip2": 0.2}
    turning = {"torsional_coefficient": 0.3, "rolling": 0.4, "contactless": True}
    assert surface == Surface(**forces, **sliding, **turning, collide=15, category=3)
    survives(tmp_path, f'<collision name="g">{BOX}{SURFACE}</collision>')


@pytest.mark.parametrize(
    ("contact", "collide", "category"),
    [
        ("<collide_bitmask>6</collide_bitmask>", 6, 6),
        ("<collide_bitmask>65537</collide_bitmask>", 1, 1),
        ("<category_bitmask>6</category_bitmask>", None, 6),
        ("<collide_bitmask>0</collide_bitmask><category_bitmask>1</category_bitmask>", 0, 1),
    ],
)
def test_masks_have_sixteen_bits_and_a_category_follows(
    contact: str, collide: int | None, category: int, tmp_path: Path
) -> None:
    surface = geom_of(tmp_path, f"{BOX}<surface><contact>{contact}</contact></surface>", "collision").surface
    assert (surface.collide, surface.category) == (collide, category)


def test_a_surface_that_says_nothing_is_none(tmp_path: Path) -> None:
    assert geom_of(tmp_path, BOX, "collision").surface is None
    assert geom_of(tmp_path, f"{BOX}<surface><friction/></surface>", "collision").surface is None


def test_what_auto_overwrites_and_what_it_does_not_count_is_told(tmp_path: Path) -> None:
    said = "<pose>1 2 3 0 0 0</pose><inertia><ixx>5</ixx></inertia>"
    report = told(tmp_path, f'<inertial auto="true">{said}</inertial><collision name="c">{BOX}</collision>', "1.11")
    assert len(of_rule(report, "sdf/auto-overwritten")) == 2
    mesh = '<collision name="m"><geometry><mesh><uri>none.obj</uri></mesh></geometry></collision>'
    shapes = f'<collision name="c">{BOX}</collision>{mesh}'
    report = told(tmp_path, f'<inertial auto="true"/>{shapes}', "1.11")
    assert [each.before for each in of_rule(report, "sdf/auto-unread")] == ["m"]


def moments(tensor: Tensor) -> str:
    words = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), tensor, strict=True)
    return "<inertia>" + "".join(f"<{word}>{value!r}</{word}>" for word, value in words) + "</inertia>"


def at_the_edge(chance: np.random.Generator, kind: int) -> Tensor:
    """Return a tensor whose largest moment is about the sum of the others, or of which two nearly agree."""
    a, b = chance.uniform(0, 1, 2)
    near = 1 + 10.0 ** -chance.integers(9, 17)
    moments = [(a, b, a + b), (a, b, (a + b) * near), (a, a * near, 1e-9), (a, a, a), (a, b, 1e-17)][kind]
    turn, _ = np.linalg.qr(np.eye(3) + chance.normal(size=(3, 3)) * 10.0 ** -chance.integers(0, 12))
    whole = turn @ np.diag(moments) @ turn.T * 10.0 ** chance.integers(-12, 3)
    xx, yy, zz, xy, xz, yz = (float(whole[each]) for each in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return xx, yy, zz, xy, xz, yz


def test_what_libsdformat_takes_for_possible(tmp_path: Path) -> None:
    chance = np.random.default_rng(7)
    tensors = [at_the_edge(chance, number % 5) for number in range(60)]
    inner = [f"<inertial><mass>1</mass>{moments(each)}</inertial>" for each in tensors]
    path = put(tmp_path, sdf("".join(link(f"l{number}", inner=text) for number, text in enumerate(inner))))
    errors = [each["message"] for each in sdformat_reads(path)["errors"]]
    refused = [number for number in range(60) if any(f" l{number} " in message for message in errors)]
    assert 10 < len(refused) < 50
    assert refused == [number for number, each in enumerate(tensors) if not accepts(Inertial(mass=1.0, tensor=each))]
    assert faults(converters.convert(path, tmp_path / "out.sdf")).count("sdf/link-inertia-invalid") == len(refused)


def test_a_possible_inertia_is_written_so_that_libsdformat_takes_it(tmp_path: Path) -> None:
    said = 'ixx="1.09317111513898e-07" iyy="1.10835075609816e-15" izz="1.09317110675672e-07" '
    said += 'ixy="-9.31929125413026e-13" ixz="-3.36065188387015e-16" iyz="1.43669784789342e-12"'
    inertial = f'<inertial><origin xyz=".1 0 0"/><mass value=".5"/><inertia {said}/></inertial>'
    source = put(tmp_path, f'<robot name="r"><link name="a">{inertial}</link></robot>', "source.urdf")
    assert not accepts(converters.read(source).bodies["a"].inertial)
    report, out = converted(tmp_path, source, "out.sdf")
    assert sdformat_reads(out)["errors"] == []
    assert faults(report) == []
    _, back = converted(tmp_path, out, "back.urdf")
    assert converters.read(back).bodies["a"].inertial == converters.read(source).bodies["a"].inertial
