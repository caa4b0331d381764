"""Frames that scale the size and mass of their contents (MuJoCo 4), against MuJoCo."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
import trimesh

from converters.convert import convert, read, write
from converters.mjcf.writing.rendering import render
from converters.source.tree import serialise
from converters.validating import validate
from tests.files import saved
from tests.oracles.in_mujoco import body_tensor, mujoco_model
from tests.reports import explained, of_rule

HEAD = """<mujoco model="m"><compiler angle="radian"/><default><default class="c">
<geom solimp=".9 .95 .002" friction=".7"/><joint damping=".5" range="-1 1"/></default></default>
<asset><mesh name="m" file="m.stl" scale=".1 .1 .1"/>
<mesh name="s" file="s.stl" scale=".1 .2 .1" inertia="shell"/></asset><worldbody>"""
INSIDE = """<body name="a" pos=".1 .2 .3">
<joint name="h" pos=".1 0 0" axis="0 1 0" stiffness="1 .1" frictionloss=".1" armature=".01" actuatorfrcrange="-1 1"/>
<geom type="mesh" mesh="m"/><geom type="mesh" mesh="s" pos="1 0 0" density="3"/>
<geom type="box" size=".1 .2 .3" mass="2"/>
<geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".02" margin=".01" gap=".002"/>
<site name="p" size=".01" pos=".1 .1 .1"/><site type="box" size=".01"/><site type="capsule"/><site/>
<body name="b" pos="0 0 1" euler="0 0 1"><joint name="l" type="slide" axis="1 0 0" stiffness="2" armature=".3" ref=".1"
 frictionloss=".2" margin=".01" actuatorfrcrange="-3 3"/>
<inertial pos=".1 0 0" mass="2" diaginertia=".1 .2 .25"/><geom size=".1"/><camera name="k" pos="0 1 0"/>
<light name="t" pos="0 1 0" range="3" attenuation="1 .5 .2" bulbradius=".1"/><light name="u" pos="0 0 1"/>
<camera name="o" projection="orthographic" fovy="3"/>
<camera name="f" focal=".1 .1" sensorsize=".2 .2" principal=".01 0" resolution="10 10" ipd=".1"/></body>
<replicate count="2" offset="1 0 0"><body name="r"><joint name="q" type="ball" damping="2" range="0 1"/>
<geom size=".1"/></body></replicate></body>"""
FRAMES = [
    "",
    'scale="2"',
    'scale=".5" scaling="geometry"',
    'massscale="3"',
    'scale="2" massscale="5" childclass="c"',
    'scale="3 3 3" scaling="geometry" massscale="1" childclass="c"',
]


@pytest.fixture(autouse=True)
def meshes(tmp_path: Path) -> None:
    for name in ("m", "s"):
        trimesh.creation.icosahedron().export(tmp_path / f"{name}.stl")


def model(frame: str, inner: str = "") -> str:
    frames = f'<frame pos="1 2 3" euler="0 .5 0" {frame}><frame pos=".1 0 0" {inner}>{INSIDE}</frame></frame>'
    return f'{HEAD}{frames}<body name="n"><joint name="nn"/><geom size=".1"/></body></worldbody></mujoco>'


def differing(one: mujoco.MjModel, other: mujoco.MjModel) -> list[str]:
    """Return the differing arrays of a model, except those that the compiler derives from corners and their order."""
    names = [name for name in dir(one) if not name.startswith(("_", "mesh_", "bvh_", "key_", "vis", "name", "text"))]
    arrays = {name: value for name in names if isinstance(value := getattr(one, name), np.ndarray)}
    return [
        name
        for name, value in arrays.items()
        if value.dtype.kind == "f" and not np.allclose(value, getattr(other, name), rtol=1e-6, atol=1e-9)
    ]


@pytest.mark.parametrize("inner", ["", 'scale=".5" scaling="geometry"', 'scale="2" massscale=".5"'])
@pytest.mark.parametrize("frame", FRAMES)
def test_each_number_is_what_mujoco_makes_of_it(frame: str, inner: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "m.xml", model(frame, inner))
    scene = read(source)
    scene.notation["mjcf:spelling"] = ""  # as it was understood, without the words of the author
    write(scene, tmp_path / "plain.xml")
    assert "massscale" not in (tmp_path / "plain.xml").read_text()
    models = [mujoco_model(tmp_path / name) for name in ("m.xml", "plain.xml")]
    assert differing(*models) == []


@pytest.mark.parametrize("through", ["urdf", "sdf"])
@pytest.mark.parametrize("frame", FRAMES)
def test_bodies_weigh_the_same_in_other_formats_and_the_author_gets_his_frame_back(
    frame: str, through: str, tmp_path: Path
) -> None:
    source = saved(tmp_path / "m.xml", model(frame))
    report = explained(convert(source, tmp_path / f"out.{through}"))
    assert not of_rule(report, "mjcf/unknown") and not of_rule(report, "mjcf/frame-scale")
    theirs = mujoco_model(source)
    document = (tmp_path / f"out.{through}").read_text().replace("kinegraph:", "other:")
    (tmp_path / f"other.{through}").write_text(document)  # as any other tool has it
    bare = read(tmp_path / f"other.{through}")
    for index in range(1, theirs.nbody):
        inertial = bare.body(theirs.body(index).name or "a_body_0").inertial
        assert inertial is not None
        assert inertial.mass == pytest.approx(theirs.body_mass[index], rel=1e-6)
        assert np.allclose(sum(inertial.tensor[:3]), np.trace(body_tensor(theirs, index)), rtol=1e-6)
    convert(tmp_path / f"out.{through}", tmp_path / "back.xml")
    again = mujoco_model(tmp_path / "back.xml")
    assert differing(theirs, again) == []
    assert frame in (tmp_path / "back.xml").read_text()


def test_what_is_beside_the_tree_is_told(tmp_path: Path) -> None:
    more = '<actuator><motor name="x" joint="h" forcerange="-1 1"/><motor name="y" joint="nn"/></actuator>'
    source = saved(tmp_path / "m.xml", model('scale="2"').replace("</mujoco>", f"{more}</mujoco>"))
    assert not of_rule(convert(source, tmp_path / "same.xml"), "mjcf/frame-scale-relation")
    (told,) = of_rule(explained(convert(source, tmp_path / "out.urdf")), "mjcf/frame-scale-relation")
    assert (told.action, told.before, told.count) == ("approximated", "<motor>", 1)


SOFT = """<deformable>
<flex name="f" dim="1" body="n b" element="0 1"/><flex name="o" dim="1" body="n" vertex="0 0 0 1 0 0" element="0 1"/>
<skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>"""


def test_what_is_soft_is_told_too(tmp_path: Path) -> None:
    source = saved(tmp_path / "m.xml", model('scale="2"').replace("</mujoco>", f"{SOFT}</mujoco>"))
    mujoco_model(source)
    told = of_rule(explained(convert(source, tmp_path / "out.glb")), "mjcf/frame-scale-relation")
    assert sorted(str(each.before) for each in told) == ["<flex>", "<skin>"] and {each.count for each in told} == {1}


@pytest.mark.parametrize("inside", ["{}", '<frame pos="5 0 0" euler="0 0 1">{}</frame>'])
def test_a_flexible_part_is_not_scaled(inside: str, tmp_path: Path) -> None:
    shape = '<flexcomp name="f" pos="1 0 0" type="grid" count="2 1 1" spacing=".1 .1 .1" dim="1" mass="1"/>'
    frame = f'<frame scale="2" pos="10 0 0"><geom size=".1"/>{inside.format(shape)}</frame>'
    source = saved(tmp_path / "m.xml", f'<mujoco><compiler angle="radian"/><worldbody>{frame}</worldbody></mujoco>')
    (tmp_path / "plain.xml").write_text(serialise(render(read(source))))
    assert np.allclose(mujoco_model(tmp_path / "plain.xml").body_pos, mujoco_model(source).body_pos)


@pytest.mark.parametrize("frame", ['scale="1 2 3" scaling="geometry"', 'scale="0"', 'scale="2" scaling="none"'])
def test_a_frame_that_stretches_is_told(frame: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "m.xml", model(frame))
    (told,) = of_rule(explained(convert(source, tmp_path / "out.urdf")), "mjcf/frame-scale")
    assert told.action == "approximated" and told.before == frame.replace('"', "'")


@pytest.mark.parametrize(("frame", "told"), [('scale="2"', 0), ('scale="1 2 3" scaling="geometry"', 1)])
def test_a_frame_that_mujoco_takes_breaks_no_rule(frame: str, told: int, tmp_path: Path) -> None:
    source = tmp_path / "m.xml"
    source.write_text(model(frame).replace("</mujoco>", '<actuator><motor joint="h"/></actuator></mujoco>'))
    if told:
        with pytest.raises(ValueError, match="scale"):
            mujoco_model(source)
    else:
        mujoco_model(source)
    assert len([breach for breach in validate(source).breaches if breach.rule == "READ-OTHER"]) == told


SIZES = (
    '<geom type="mesh" mesh="m"/><frame scale="2"><body name="a"><geom type="mesh" mesh="m"/>'
    '<frame scale="3"><geom type="mesh" mesh="m"/></frame></body></frame>',
    '<frame scale="2"><frame scale="3"><geom type="mesh" mesh="m"/></frame><geom type="mesh" mesh="m"/></frame>',
    '<frame scale="2"><geom type="mesh" mesh="m"/></frame><frame scale="3"><geom type="mesh" mesh="m"/></frame>',
)


@pytest.mark.parametrize("inside", SIZES)
@pytest.mark.parametrize("middle", ["xml", "urdf", "sdf"])
def test_frames_around_a_mesh_of_several_sizes_are_written_as_they_were(
    tmp_path: Path, inside: str, middle: str
) -> None:
    away = tmp_path / "away"
    source, between, back = tmp_path / "in.xml", away / f"between.{middle}", away / "back" / "out.xml"
    back.parent.mkdir(parents=True)
    source.write_text(f'<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody>{inside}</worldbody></mujoco>')
    convert(source, between)
    convert(between, back)
    (world,) = ElementTree.parse(back).getroot().iter("worldbody")
    assert [(each.tag, each.attrib) for each in world.iter()] == [
        (each.tag, each.attrib) for each in ElementTree.fromstring(f"<worldbody>{inside}</worldbody>").iter()
    ]
    assert not differing(mujoco_model(source), mujoco_model(back))
