"""Bodies of Kinegraph that others have attached to another body of the same document are children of that."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from converters.convert import convert, read
from tests.formats.gltf_arm import Change, as_gltf, back, by_name, edited, told
from tests.formats.test_gltf_hung import Document, cut
from tests.oracles.in_khronos import complaints, khronos_reads
from tests.oracles.in_mujoco import drawn

CHAIN = """<mujoco model="chain"><compiler angle="radian"/><worldbody>
<body name="a" pos="0 0 1"><geom name="ga" size="0.1"/>
<body name="b" pos="0.1 0 0.2" euler="0.3 0 0"><joint name="jb" axis="0 1 0" range="-1 2" limited="true" damping="0.3"/>
<geom name="gb" type="box" size="0.1 0.2 0.1"/>
<body name="c" pos="0 0.4 0"><joint name="jc" type="slide" axis="1 0 0"/><geom name="gc" size="0.1"/>
<body name="d" pos="0 0 0.3"><geom name="gd" size="0.1"/><site name="tip"/></body></body></body></body>
<body name="loose" pos="1 0 0"><freejoint/><geom name="gl" size="0.1"/></body></worldbody>
<actuator><position name="servo" joint="jc" kp="10"/></actuator>
<sensor><framepos name="where" objtype="site" objname="tip"/></sensor></mujoco>"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    return as_gltf(CHAIN, tmp_path / "chain.gltf")


def hang(document: Document, name: str, onto: str) -> None:
    number = cut(document, name)
    by_name(document, onto).setdefault("children", []).append(number)


def parents(path: Path) -> dict[str, str]:
    model = back(path)
    return {model.body(n).name: model.body(int(model.body_parentid[n])).name for n in range(1, model.nbody)}


def poses(path: Path) -> np.ndarray:
    _, data = drawn(path)
    return np.array([[*data.geom(name).xpos, *data.geom(name).xmat] for name in ("ga", "gb", "gc", "gd", "gl")])


def test_a_body_that_was_hung_on_another_one_is_held_by_it(chain: Path):
    found = told(edited(chain, lambda document: hang(document, "c", "a")), chain.with_name("back.xml"))
    assert {where: (each.before, each.after) for where, each in found.items()} == {"joint/jc": ("b", "a")}
    assert parents(chain.with_name("back.xml")) == {"a": "world", "b": "a", "c": "a", "d": "c", "loose": "world"}
    model = back(chain.with_name("back.xml"))
    assert model.body("c").pos == pytest.approx([0, 0.4, 0])
    assert (model.joint("jb").range[1], model.joint("jc").type[0]) == (2, mujoco.mjtJoint.mjJNT_SLIDE)
    assert (model.nu, model.nsensor) == (1, 1)
    again = chain.with_name("again.gltf")
    told(chain.with_name("edited.gltf"), again)
    assert complaints(khronos_reads([again])[0]) == []
    assert told(again, chain.with_name("again.xml")) == {}
    assert parents(chain.with_name("again.xml")) == parents(chain.with_name("back.xml"))


def test_a_body_that_was_hung_elsewhere_where_it_stood_stands_there(chain: Path):
    convert(chain, chain.with_name("same.xml"))
    before, b, a = poses(chain.with_name("same.xml")), (0.1, 0.0, 0.2), np.cos(0.15)

    def change(document: Document) -> None:
        hang(document, "c", "a")
        turn = np.array([[1, 0, 0], [0, np.cos(0.3), -np.sin(0.3)], [0, np.sin(0.3), np.cos(0.3)]])
        by_name(document, "c")["translation"] = (np.array(b) + turn @ [0, 0.4, 0]).tolist()
        by_name(document, "c")["rotation"] = [np.sin(0.15), 0, 0, a]

    found = told(edited(chain, change), chain.with_name("back.xml"))
    assert set(found) == {"joint/jc"}
    assert poses(chain.with_name("back.xml")) == pytest.approx(before, abs=1e-6)
    assert parents(chain.with_name("back.xml"))["c"] == "a"


def test_bodies_that_were_exchanged_hold_each_other_the_other_way_round(chain: Path):
    def change(document: Document) -> None:
        for name, onto in (("d", "b"), ("c", "d")):
            hang(document, name, onto)

    assert set(told(edited(chain, change), chain.with_name("back.xml"))) == {"joint/jc", "joint/weld_d"}
    assert parents(chain.with_name("back.xml")) == {"a": "world", "b": "a", "d": "b", "c": "d", "loose": "world"}


def _on_the_model(document: Document) -> None:
    document["nodes"][0]["children"].append(cut(document, "c"))


def _round(document: Document) -> None:
    """The former parent of b is now below b, and nothing defines what b is attached to."""
    document["nodes"][0]["children"].append(cut(document, "b"))
    hang(document, "a", "c")


def _dissolved(document: Document) -> None:
    """As done by programs that remove nodes without visible content."""
    cut(document, "c")
    by_name(document, "b")["children"] += by_name(document, "c").pop("children")


def _floating(document: Document) -> None:
    hang(document, "loose", "d")


@pytest.mark.parametrize("change", [_on_the_model, _round, _dissolved, _floating])
def test_where_nobody_says_who_holds_a_body_it_stays_and_that_is_told(chain: Path, change: Change):
    convert(chain, chain.with_name("same.xml"))
    found = told(edited(chain, change), chain.with_name("back.xml"))
    assert any(each.action == "dropped" for each in found.values())
    assert parents(chain.with_name("back.xml")) == parents(chain.with_name("same.xml"))


def test_a_link_that_was_hung_elsewhere_is_the_child_of_another_one_in_all_formats(tmp_path: Path):
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joints = "".join(
        f'<joint name="{p}{c}" type="continuous"><parent link="{p}"/><child link="{c}"/><axis xyz="0 1 0"/></joint>'
        for p, c in ("ab", "bc")
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    convert(tmp_path / "r.urdf", tmp_path / "r.gltf")
    changed = edited(tmp_path / "r.gltf", lambda document: hang(document, "c", "a"))
    for target in ("back.urdf", "back.sdf", "back.gltf"):
        assert set(told(changed, tmp_path / target)) == {"joint/bc"}
        joint = read(tmp_path / target).joints["bc"]
        assert (joint.parent, joint.child, len(joint.dofs)) == ("a", "c", 1)
