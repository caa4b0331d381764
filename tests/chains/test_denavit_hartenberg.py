"""Chains as elementary transforms and Denavit-Hartenberg rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from converters.chains.denavit_hartenberg import NoChainError, chain, drawn, elementary, modified, residual, standard
from converters.chains.workspace import chain_to
from converters.convert import read

PLANAR = """<robot name="planar"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="q1" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="q2" type="{}"><parent link="b"/><child link="c"/><origin xyz="{}" rpy="{}"/><axis xyz="{}"/></joint>
<joint name="t" type="{}"><parent link="c"/><child link="d"/><origin xyz="1 0 0"/></joint></robot>"""


def planar(path: Path, *values: str):
    path.write_text(PLANAR.format(*values))
    return read(path)


def test_the_planar_arm_is_that_of_the_textbook(tmp_path: Path):
    scene = planar(tmp_path / "r.urdf", "continuous", "1 0 0", "0 0 0", "0 0 1", "fixed")
    root, joints = chain_to(scene, "d")
    steps = chain(joints)
    assert root == "a"
    assert elementary(steps) == [("Rz", "q1"), ("tx", 1.0), ("Rz", "q2"), ("tx", 1.0)]
    table = standard(steps)
    assert [(row.dof.name, row.theta, row.d, row.a, row.alpha) for row in table.rows] == [
        ("q1", 0.0, 0.0, 1.0, 0.0),
        ("q2", 0.0, 0.0, 1.0, 0.0),
    ]
    assert np.array_equal(table.base, np.eye(4))
    assert np.array_equal(table.tool, np.eye(4))


@pytest.mark.parametrize("kind", ["continuous", "prismatic"])
@pytest.mark.parametrize("axis", ["0 0 1", "0 0 -1", "1 0 0", "0.3 -0.5 0.7", "0 1 0"])
@pytest.mark.parametrize("origin", ["0 0 0", "1 0 0", "0.1 0.2 0.3"])
def test_rows_reach_where_the_robot_reaches(tmp_path: Path, kind: str, axis: str, origin: str):
    path = tmp_path / "r.urdf"
    planar(path, "continuous", origin, "0.4 0 0.2", axis, "continuous")
    if kind == "prismatic":
        limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n<joint name="t"'
        path.write_text(
            path.read_text()
            .replace('"q2" type="continuous"', '"q2" type="prismatic"')
            .replace('</joint>\n<joint name="t"', limit)
        )
    scene = read(path)
    root, joints = chain_to(scene, "d")
    table = standard(chain(joints))
    assert residual(drawn(scene), root, "d", table) < 1e-12
    assert residual(drawn(scene), root, "d", modified(table)) < 1e-12


def test_what_has_no_rows_is_told(tmp_path: Path):
    scene = planar(tmp_path / "r.urdf", "floating", "0 0 0", "0 0 0", "0 0 1", "fixed")
    with pytest.raises(NoChainError, match="q2"):
        chain(chain_to(scene, "d")[1])
    with pytest.raises(NoChainError, match="nothing in the chain moves"):
        standard([])
