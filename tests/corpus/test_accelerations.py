"""Accelerations of a released robot in MuJoCo equal those of the engines of the other formats.

At ten random states each, without contacts, limits, couplings and drives, which differ between engines.
"""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from lxml import etree
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

from converters.context import Options
from converters.convert import convert
from tests.corpus.models import files_of
from tests.oracles.in_mujoco import mujoco_model

OFF = ("CONTACT", "LIMIT", "EQUALITY", "ACTUATION", "FRICTIONLOSS")
MASS = """<inertial><pose>.1 .2 .3 .4 .5 .6</pose><mass>2</mass>
<inertia><ixx>.2</ixx><iyy>.3</iyy><izz>.4</izz></inertia></inertial>"""
SPRING = "<spring_stiffness>7</spring_stiffness><spring_reference>.4</spring_reference>"
SDF = """<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m">{0}
<joint name="j" type="revolute"><pose>0 0 .2 1 0 0</pose><parent>a</parent><child>b</child><axis><xyz>1 2 3</xyz>
<dynamics><damping>.6</damping>{1}</dynamics></axis><drake:rotor_inertia>.3</drake:rotor_inertia></joint>
<joint name="k" type="prismatic"><parent>b</parent><child>c</child><axis><xyz>0 1 1</xyz></axis></joint>
<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>"""
LINK = '<link name="{0}"><pose>0 {1} .3 0 .2 {1}</pose>{2}</link>'
pytestmark = pytest.mark.corpus


def let_go(model: mujoco.MjModel, q: dict[str, float], v: dict[str, float]) -> dict[str, float]:
    """Return joint -> acceleration, for joints of one axis."""
    data = mujoco.MjData(model)
    for name in q:
        joint = model.joint(name)
        data.qpos[joint.qposadr], data.qvel[joint.dofadr] = q[name], v[name]
    mujoco.mj_forward(model, data)
    return {name: float(data.qacc[model.joint(name).dofadr[0]]) for name in q}


def in_mujoco(source: Path, folder: Path) -> mujoco.MjModel:
    convert(source, folder / "out.xml", options=Options(base="fixed"))
    model = mujoco_model(folder / "out.xml")
    for each in OFF:
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{each}"))
    return model


@pytest.mark.parametrize("name", ["double_pendulum.urdf", "solo12.urdf", "ur5_robot.urdf", "xarm7.urdf"])
def test_a_urdf_falls_as_in_pinocchio(name: str, tmp_path: Path) -> None:
    source = next(path for inside, path in files_of("example-robot-data") if inside.endswith(f"/{name}"))
    damping = {
        str(joint.get("name")): float(said.get("damping", "0"))
        for joint in etree.parse(source).iterfind("./joint")
        for said in joint.iterfind("dynamics")
    }
    model, other = in_mujoco(source, tmp_path), pin.buildModelFromUrdf(str(source))
    data, dice = other.createData(), np.random.default_rng(3)
    joints = {other.names[index]: other.joints[index] for index in range(1, other.njoints)}
    assert len(joints) == model.nv
    for _ in range(10):
        q = {each: float(dice.uniform(-1.5, 1.5)) for each in joints}
        v = {each: float(dice.uniform(-1, 1)) for each in joints}
        at, moving, torque = pin.neutral(other), np.zeros(other.nv), np.zeros(other.nv)
        for each, joint in joints.items():
            at[joint.idx_q : joint.idx_q + joint.nq] = q[each] if joint.nq == 1 else (np.cos(q[each]), np.sin(q[each]))
            moving[joint.idx_v] = v[each]
            torque[joint.idx_v] = -damping.get(each, 0.0) * v[each]
        wanted = pin.aba(other, data, at, moving, torque)
        found = let_go(model, q, v)
        gaps = [abs(found[each] - wanted[joint.idx_v]) for each, joint in joints.items()]
        assert max(gaps) < 1e-9 * np.abs(wanted).max()


@pytest.mark.parametrize("spring", ["", SPRING])
def test_an_sdf_falls_as_in_drake(spring: str, tmp_path: Path) -> None:
    """With damping, a spring, a rotor, and links offset from their joints."""
    source = tmp_path / "in.sdf"
    source.write_text(SDF.format("".join(LINK.format(name, k, MASS) for k, name in enumerate("abc")), spring))
    model = in_mujoco(source, tmp_path)
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(source)
    plant.Finalize()
    model.opt.gravity[:] = plant.gravity_field().gravity_vector()
    context, dice = plant.CreateDefaultContext(), np.random.default_rng(3)
    places = {name: plant.GetJointByName(name).velocity_start() for name in "jk"}
    for _ in range(10):
        q, v = ({name: float(dice.uniform(-1.5, 1.5)) for name in "jk"} for _ in range(2))
        plant.SetPositions(context, [q[name] for name in sorted(places, key=places.__getitem__)])
        plant.SetVelocities(context, [v[name] for name in sorted(places, key=places.__getitem__)])
        wanted = plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions() :]
        found = let_go(model, q, v)
        assert max(abs(found[name] - wanted[at]) for name, at in places.items()) < 1e-9 * np.abs(wanted).max()
