"""Inputs: real robots that need no transcoding, adapted for MuJoCo's own import, and chains of any length."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from tests.files import saved
from tests.oracles import plain_urdf

ROBOTS = (
    "example-robot-data/ur_description/urdf/ur5_robot.urdf",
    "example-robot-data/talos_data/robots/talos_left_arm.urdf",
    "example-robot-data/talos_data/robots/talos_reduced.urdf",
    "example-robot-data/tiago_description/robots/tiago.urdf",
    "example-robot-data/solo_description/robots/solo12.urdf",
    "example-robot-data/iris_description/robots/iris_simple.urdf",
    "rtb-data/xacro/abb_irb140_description/urdf/irb140.urdf",
    "rtb-data/xacro/unimation_puma560_description/urdf/puma560_robot.urdf",
    "pybullet/kuka_iiwa/model.urdf",
    "pybullet/franka_panda/panda.urdf",
    "pybullet/a1/a1.urdf",
)
COLLADA = (
    "example-robot-data/ur_description/urdf/ur5_robot.urdf",
    "example-robot-data/baxter_description/urdf/baxter.urdf",
    "rtb-data/xacro/kuka_description/kuka_kr16/urdf/kr16_2.urdf",
)
"""Robots whose visuals are DAE."""


def loadable(source: Path, folder: Path) -> Path:
    """Write a copy that MuJoCo's own import can read and that keeps what Kinegraph keeps: visuals and fixed links.

    Meshes are next to it, inertia is balanced. Raises ValueError if the robot has meshes that MuJoCo cannot read.
    """
    root = plain_urdf.parse(source)
    taken: dict[Path, str] = {}
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    for mesh in list(root.iter("mesh")):
        found = plain_urdf.find(mesh.get("filename", ""), source)
        if found is None:
            shape = mesh.getparent().getparent()
            shape.getparent().remove(shape)
            continue
        if found.suffix.lower() not in (".stl", ".obj"):
            raise ValueError(f"{found.name} would be transcoded")
        if found not in taken:
            taken[found] = f"meshes/{len(taken)}_{found.name}"
            shutil.copyfile(found, folder / taken[found])
        mesh.set("filename", taken[found])
    for old in root.findall("mujoco"):
        root.remove(old)
    settings = {"discardvisual": "false", "fusestatic": "false", "strippath": "false", "balanceinertia": "true"}
    settings |= {"boundmass": "1e-9", "boundinertia": "1e-12"}
    etree.SubElement(etree.SubElement(root, "mujoco"), "compiler", settings)
    return saved(folder / "robot.urdf", etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def floor(source: Path, folder: Path) -> Callable[[], object]:
    """Return the minimum work of any converter: parse, touch every attribute, copy the meshes, write a document."""

    def run() -> None:
        root = etree.parse(str(source)).getroot()
        files = set()
        for element in root.iter(etree.Element):
            for key, value in element.attrib.items():
                if key == "filename":
                    files.add(value)
        folder.mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(sorted(files)):
            mesh = source.parent / name
            if mesh.is_file():
                shutil.copyfile(mesh, folder / f"{number}{mesh.suffix}")
        (folder / "robot.xml").write_bytes(etree.tostring(root))

    return run


def chain(links: int) -> bytes:
    """Return a URDF of that many links in a row, each with inertia, a visual, a collision and a limited hinge."""
    parts = [
        '<?xml version="1.0"?>\n<robot name="chain">\n <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>\n'
    ]
    for index in range(links):
        parts.append(
            f' <link name="link_{index}">\n'
            '  <inertial><origin xyz="0 0 0.05" rpy="0 0.1 0"/><mass value="1.5"/>'
            '<inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.012" iyz="0" izz="0.005"/></inertial>\n'
            '  <visual><origin xyz="0 0 0.05" rpy="0 0 0"/><geometry><cylinder radius="0.02" length="0.1"/></geometry>'
            '<material name="grey"/></visual>\n'
            '  <collision><origin xyz="0 0 0.05" rpy="0 0 0"/><geometry><box size="0.04 0.04 0.1"/></geometry>'
            "</collision>\n"
            " </link>\n"
        )
    for index in range(1, links):
        parts.append(
            f' <joint name="joint_{index}" type="revolute"><origin xyz="0 0 0.1" rpy="0.1 0 0.2"/>'
            f'<parent link="link_{index - 1}"/><child link="link_{index}"/><axis xyz="0 1 0"/>'
            '<limit lower="-1.5" upper="1.5" effort="10" velocity="2"/>'
            '<dynamics damping="0.1" friction="0.2"/></joint>\n'
        )
    return "".join([*parts, "</robot>\n"]).encode()
