"""SDFormat shapes that other formats express by a mesh or at another place, judged by MuJoCo, Pinocchio and lxml."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pinocchio
import pytest
import trimesh
from lxml import etree

from converters.assets.meshes.files import load
from converters.report.model import Report
from tests.formats.sdf_text import converted, link, put, rules, sdf, xml
from tests.formats.test_sdf_acceptance_rest import grey
from tests.oracles.in_mujoco import at_rest, mujoco_model
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import comes_back, of_rule

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
CORNER = ((0, 0), (0, 3), (1, 3), (1, 1), (3, 1), (3, 0))
STAR = ((1, 0), (0.3, 0.2), (0, 1), (-0.2, 0.2), (-1, 0), (-0.2, -0.2), (0, -1), (0.2, -0.2))
CONE = "<cone><radius>.1</radius><length>.3</length></cone>"
INERTIAL = "<inertial><mass>2</mass><inertia><ixx>3</ixx><iyy>4</iyy><izz>5</izz></inertia></inertial>"


def polyline(points: tuple[tuple[float, float], ...], height: float = 0.5) -> str:
    inner = "".join(f"<point>{x} {y}</point>" for x, y in points)
    return f"<polyline>{inner}<height>{height}</height></polyline>"


def shown(shape: str) -> str:
    inner = f"<geometry>{shape}</geometry>"
    return f'{INERTIAL}<visual name="v">{inner}</visual><collision name="c">{inner}</collision>'


def back(tmp_path: Path, source: Path, path: Path) -> None:
    """Check that the conversion back gives the model that is written from the source itself."""
    _, direct = converted(tmp_path, source, "direct.sdf")
    _, again = converted(tmp_path, path, "again.sdf")
    texts = [etree.tostring(xml(place)[0], exclusive=True, method="c14n") for place in (again, direct)]
    assert texts[0].replace(b"again_assets/", b"") == texts[1]  # an image lies beside either document


def met(path: Path, points: list[tuple[float, float, float]]) -> list[bool]:
    """Return whether a small ball at each point has a contact, by MuJoCo."""
    found = []
    for point in points:
        spec = mujoco.MjSpec.from_file(str(path))
        ball = spec.worldbody.add_body(pos=point)
        ball.add_freejoint()
        ball.add_geom(size=[0.01, 0, 0])
        model = spec.compile()
        data = at_rest(model)
        found.append(bool(data.ncon))
    return found


def told(report: Report, place: str) -> str:
    (finding,) = (each for each in report.findings if each.where == place or place in each.where)
    return finding.rule


@pytest.mark.parametrize(
    ("points", "pieces", "inside", "outside"),
    [
        (SQUARE, 1, [(0.5, 0.5, 0.2), (0.9, 0.1, 0.45)], [(1.1, 0.5, 0.2), (0.5, 0.5, 0.6)]),
        (CORNER, 2, [(0.5, 2.5, 0.2), (2.5, 0.5, 0.2), (0.5, 0.5, 0.2)], [(1.2, 1.2, 0.2), (2, 2, 0.2)]),
        (STAR, 4, [(0.8, 0, 0.2), (0, -0.8, 0.2), (0, 0, 0.2)], [(0.4, 0.4, 0.2), (-0.4, 0.4, 0.2)]),
    ],
)
def test_a_polyline_collides_in_mujoco_as_it_is(
    points: tuple[tuple[float, float], ...],
    pieces: int,
    inside: list[tuple[float, float, float]],
    outside: list[tuple[float, float, float]],
    tmp_path: Path,
) -> None:
    source = put(tmp_path, sdf(link("a", inner=shown(polyline(points)))))
    report, mjcf = converted(tmp_path, source, "out.xml")
    assert "mjcf/geom-not-written" not in rules(report)
    model = mujoco_model(mjcf)
    assert (model.ngeom, model.body_mass[1]) == (pieces + 1, 2)
    assert sorted(model.body_inertia[1]) == [3, 4, 5]
    assert met(mjcf, inside) == [True] * len(inside)
    assert met(mjcf, outside) == [False] * len(outside)
    assert {finding.rule for finding in report.findings if finding.action == "approximated"} == {"shapes/mesh"}
    back(tmp_path, source, mjcf)


def test_a_polyline_is_a_mesh_in_urdf(tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=shown(polyline(CORNER)))))
    report, urdf = converted(tmp_path, source, "out.urdf")
    (place,) = {mesh.get("filename") for mesh in xml(urdf).iter("mesh")}
    model = pinocchio.buildModelFromUrdf(str(urdf))
    for kind in (pinocchio.GeometryType.VISUAL, pinocchio.GeometryType.COLLISION):
        assert pinocchio.buildGeomFromUrdf(model, str(urdf), kind, package_dirs=[str(tmp_path)]).ngeoms == 1
    (part,) = load(tmp_path / str(place)).parts
    corners = part.vertices[part.faces]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume == pytest.approx(5 * 0.5)
    assert "urdf/geom" not in rules(report)
    back(tmp_path, source, urdf)


def test_a_cone_collides_in_mujoco(tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=shown(CONE)), "1.11"))
    report, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert (model.ngeom, model.nmesh, model.body_mass[1]) == (2, 1, 2)
    assert met(mjcf, [(0, 0, 0.14), (0.08, 0, -0.14)]) == [True, True]
    assert met(mjcf, [(0.08, 0, 0.14), (0, 0, 0.18)]) == [False, False]
    assert told(report, "body/a.geoms.c.shape") == "shapes/mesh"
    back(tmp_path, source, mjcf)


@pytest.mark.parametrize("shape", [polyline(((0, 0), (1, 0), (2, 0))), polyline(SQUARE, 0)])
def test_a_polyline_that_holds_nothing_is_left_out_and_told(shape: str, tmp_path: Path) -> None:
    source = put(tmp_path, sdf(link("a", inner=shown(shape))))
    for name, rule in (("out.xml", "mjcf/geom-not-written"), ("out.urdf", "urdf/geom")):
        report, path = converted(tmp_path, source, name)
        assert rule in rules(report)
        back(tmp_path, source, path)


def test_a_field_of_heights_is_at_its_offset(tmp_path: Path) -> None:
    grey(tmp_path / "hills.png", [[0, 100], [100, 200]])
    shape = "<geometry><heightmap><uri>hills.png</uri><size>10 10 2</size><pos>3 0 -1</pos></heightmap></geometry>"
    inner = f'<visual name="v"><pose>0 1 0 0 0 1.5707963267948966</pose>{shape}</visual>'
    inner += f'<collision name="c">{shape}</collision>'
    source = put(tmp_path, sdf("<static>true</static>" + link("a", inner=inner)))
    report, mjcf = converted(tmp_path, source, "out.xml")
    model = mujoco_model(mjcf)
    assert {model.geom(index).name: model.geom_pos[index].round(9).tolist() for index in range(2)} == {
        "v": [0, 4, -1],
        "c": [3, 0, -1],
    }
    assert {each.rule for each in report.findings if "pos" in each.where.rpartition("c.")[2]} == {"sdf/heightmap"}
    back(tmp_path, source, mjcf)
    _, urdf = converted(tmp_path, source, "out.urdf")
    assert xml(urdf).xpath("//collision/origin/@xyz") == ["3 0 -1"]
    back(tmp_path, source, urdf)
    _, glb = converted(tmp_path, source, "out.glb")
    back(tmp_path, source, glb)
    _, bare = converted(tmp_path, glb, "other.xml")
    again = mujoco_model(bare)
    assert np.allclose(again.geom_pos, model.geom_pos)


def test_a_shape_that_nobody_knows_has_a_true_reason(tmp_path: Path) -> None:
    text = '<robot name="r"><link name="a"><visual><geometry><BOX/></geometry></visual></link></robot>'
    source = put(tmp_path, text, "r.urdf")
    for name, rule, words in (
        ("out.xml", "mjcf/geom-not-written", "its shape is not known"),
        ("out.sdf", "sdf/geom", "its shape is not known"),
    ):
        report, path = converted(tmp_path, source, name)
        (found,) = of_rule(report, rule)
        assert words in found.reason and found.action == "carried"
        comes_back(source, path)


@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_the_colour_of_a_capsule_in_urdf_has_no_reason_of_another_role(tag: str, tmp_path: Path) -> None:
    look = "<material><diffuse>1 0 0 1</diffuse></material>" if tag == "visual" else ""
    shape = "<geometry><capsule><radius>0.1</radius><length>0.5</length></capsule></geometry>"
    source = put(tmp_path, sdf(link("a", inner=f'<{tag} name="v">{shape}{look}</{tag}>')))
    report, urdf = converted(tmp_path, source, "out.urdf")
    assert check_urdf(urdf) is None
    colours = [str(colour) for colour in xml(urdf).xpath("link/visual/material/color/@rgba")]
    assert colours == ["1 0 0 1"] * (3 if look else 0)
    told = [finding for finding in report.findings if finding.where.endswith(".material")]
    assert all(finding.rule == "urdf/geom-material" and "one of each" in finding.reason for finding in told)
    back(tmp_path, source, urdf)


@pytest.mark.parametrize("name", ["m.urdf", "m.xml"])
def test_an_stl_that_is_seen_and_collides_is_no_approximation(name: str, tmp_path: Path) -> None:
    trimesh.creation.icosphere(2).export(tmp_path / "a.stl")
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    shape = '<geometry><mesh filename="a.stl"/></geometry>'
    urdf = f'<robot name="m"><link name="a">{mass}<visual>{shape}</visual><collision>{shape}</collision></link></robot>'
    body = '<body><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom name="g" type="mesh" mesh="a"/></body>'
    mjcf = f'<mujoco model="m"><asset><mesh name="a" file="a.stl"/></asset><worldbody>{body}</worldbody></mujoco>'
    source = put(tmp_path, urdf if name == "m.urdf" else mjcf, name)
    report, path = converted(tmp_path, source, "out/m.sdf")
    assert not [each for each in report.findings if each.action == "approximated"]
    drawn, collides = (
        trimesh.load_mesh(path.parent / etree.parse(str(path)).findtext(f".//{kind}//uri"), process=False).triangles
        for kind in ("visual", "collision")
    )
    theirs = trimesh.load_mesh(tmp_path / "a.stl", process=False).triangles
    assert np.array_equal(drawn, theirs) and np.array_equal(np.float32(collides), np.float32(theirs))
