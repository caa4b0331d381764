"""An edited armature where the author gives a rotor behind a gear: the rotor changes, the gear stays.

Judged by Drake, whose elements these are, and by MuJoCo.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

from converters import convert
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import complete

URDF = """<robot name="m" xmlns:drake="http://drake.mit.edu"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute">
<parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="3" velocity="2"/></joint>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="j"/><actuator name="j">{}
</actuator></transmission></robot>"""
SDF = """<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit><lower>-1</lower>
<upper>1</upper><effort>3</effort></limit></axis>{}</joint></model></sdf>"""
WORDS = {"rotor": "drake:rotor_inertia", "gear": "drake:gear_ratio"}


def source(folder: Path, form: str, said: str) -> Path:
    """Return a source with `said`: rotors and gears with their numbers (rotor 0.01 gear 5)."""
    words = said.split()
    pairs = [(WORDS[word], value) for word, value in zip(words[::2], words[1::2], strict=True)]
    texts = [f'<{tag} value="{value}"/>' if form == "urdf" else f"<{tag}>{value}</{tag}>" for tag, value in pairs]
    return saved(folder / f"in.{form}", (URDF if form == "urdf" else SDF).format("".join(texts)))


def drake(path: Path) -> tuple[float, float]:
    """Return the rotor inertia and the gear ratio of the actuator of j, as Drake reads them."""
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    plant.Finalize()
    actuator = plant.GetJointActuatorByName("j")
    return actuator.default_rotor_inertia(), actuator.default_gear_ratio()


@pytest.mark.parametrize("armature", ["7", None], ids=["another", "none"])
@pytest.mark.parametrize(
    ("said", "gear"), [("rotor 0.01 gear 5", 5.0), ("rotor 0.5 rotor 2", 1.0), ("gear -3 rotor 2 gear 8", -3.0)]
)
@pytest.mark.parametrize("form", ["urdf", "sdf"])
def test_an_edited_armature_is_another_rotor_behind_the_same_gear(
    tmp_path: Path, form: str, said: str, gear: float, armature: str | None
) -> None:
    path = source(tmp_path, form, said)
    convert(path, tmp_path / "m.xml")
    tree = etree.parse(tmp_path / "m.xml")
    (joint,) = tree.xpath("//joint[@name='j']")
    assert float(joint.get("armature")) == pytest.approx(drake(path)[0] * gear**2)
    joint.attrib.pop("armature")
    if armature:
        joint.set("armature", armature)
    tree.write(tmp_path / "m.xml")
    back = tmp_path / f"back.{form}"
    report = complete(convert(tmp_path / "m.xml", back))
    assert not [each for each in report.findings if each.where.endswith(".armature")]
    assert drake(back) == pytest.approx((float(armature or 0) / gear**2, gear))
    convert(back, tmp_path / "again.xml")
    assert mujoco_model(tmp_path / "again.xml").dof_armature[-1] == pytest.approx(float(armature or 0))


@pytest.mark.parametrize("other", ["urdf", "sdf"])
@pytest.mark.parametrize("form", ["urdf", "sdf"])
def test_a_rotor_that_is_edited_elsewhere_is_seen_through_the_gear_of_the_author(
    tmp_path: Path, form: str, other: str
) -> None:
    convert(source(tmp_path, form, "rotor 0.01 gear 5"), tmp_path / "m.xml")
    convert(tmp_path / "m.xml", tmp_path / f"m.{other}")
    text = (tmp_path / f"m.{other}").read_text()
    edited = (
        text.replace(">0.25<", ">1<")
        .replace(">0.01<", ">0.04<")
        .replace('"0.01"', '"0.04"')
        .replace('rotor_inertia value="0.25"', 'rotor_inertia value="1"')
    )
    assert edited != text or (form, other) == ("sdf", "urdf")  # which has no drive to say it in
    complete(convert(saved(tmp_path / f"m.{other}", edited), tmp_path / f"back.{form}"))
    if edited != text:
        assert drake(tmp_path / f"back.{form}") == pytest.approx((0.04, 5.0))


def test_a_gear_that_hides_every_rotor_hides_an_edited_one_and_that_is_told(tmp_path: Path) -> None:
    convert(source(tmp_path, "sdf", "rotor 2 gear 0"), tmp_path / "m.xml")
    text = (tmp_path / "m.xml").read_text()
    (tmp_path / "m.xml").write_text(text.replace('name="j"', 'name="j" armature="7"', 1))
    report = convert(tmp_path / "m.xml", tmp_path / "back.sdf")
    assert [each.where for each in report.findings if each.where.endswith(".armature")] == ["joint/j.dofs.0.armature"]
