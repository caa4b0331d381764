"""Each possible difference of two models is reported in its own terms, and nothing else except its consequences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters.comparing import compare

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
MESHES = {
    "one.obj": TRIANGLE,
    "two.obj": TRIANGLE + "v 1 1 0\nf 2 4 3\n",
    "wide.obj": TRIANGLE.replace("v 1 0", "v 2 0"),
    "bad.obj": "v 0 x\n",
}

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
URDF = f"""<robot name="r"><link name="a">%s</link><link name="b"/><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>{LIMIT}%s</joint>
<joint name="k" type="revolute"><parent link="a"/><child link="c"/>{LIMIT}</joint></robot>"""


def urdf(visual: str = "", joint: str = "") -> str:
    return URDF % (visual, joint)


def shown(mesh: str, scale: str = "1 1 1") -> str:
    return urdf(f'<visual><geometry><mesh filename="{mesh}" scale="{scale}"/></geometry></visual>')


def box(name: str, height: str) -> str:
    return urdf(f'<visual name="{name}"><geometry><box size="1 1 {height}"/></geometry></visual>')


def sdf(link: str = "", limit: str = "", loop: str = "") -> str:
    return f"""<sdf version="1.10"><model name="m"><link name="a">{link}</link><link name="b"/><link name="c"/>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child>
    <axis><xyz>0 0 1</xyz><limit>{limit}</limit></axis></joint>
    {loop}<joint name="k" type="fixed"><parent>a</parent><child>c</child></joint></model></sdf>"""


def loop(kind: str = "revolute", axis: str = "<axis><xyz>0 0 1</xyz></axis>", parent: str = "c") -> str:
    return sdf(loop=f'<joint name="l" type="{kind}"><parent>{parent}</parent><child>b</child>{axis}</joint>')


def outline(*points: str) -> str:
    said = "".join(f"<point>{point}</point>" for point in points)
    return sdf(f'<visual name="v"><geometry><polyline>{said}<height>1</height></polyline></geometry></visual>')


def mjcf(more: str = "") -> str:
    return f"""<mujoco><worldbody><body name="a"><joint name="j" axis="0 0 1"/><geom name="ga" size=".1"/>
    <body name="b" pos="1 0 0"><joint name="k"/><geom name="gb" size=".1"/></body></body>
    <body name="c" pos="3 0 0"><freejoint name="f"/><geom name="gc" size=".1"/></body></worldbody>{more}</mujoco>"""


def tied(word: str, more: str = "") -> str:
    return mjcf(f'<equality><{word} name="e" body1="a" body2="c" {more}/></equality>')


VISUAL = "body/a.a_visual_0"
CORNERS = ["0 0", "1 0", "1 1", "0 1"]
FEW, ALL = [[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 0], [1, 1], [0, 1]]
STIFF, SOFT = "<stiffness>3</stiffness>", "<stiffness>2</stiffness>"
ALONG_Y = "<axis><xyz>0 1 0</xyz></axis>"
PAIR = '<contact><pair geom1="ga" geom2="gc"/></contact>'
CASES: dict[str, tuple[str, str, str, list[tuple[str, str, Any, Any]]]] = {
    "shapes of other names, in their order": (
        "a.urdf",
        box("x", "1"),
        box("y", "2"),
        [("geometry", "body/a.x.size", [1, 1, 1], [1, 1, 2])],
    ),
    "triangles": ("a.urdf", shown("one.obj"), shown("two.obj"), [("geometry", f"{VISUAL}.triangles", 1, 2)]),
    "bounds": (
        "a.urdf",
        shown("one.obj"),
        shown("wide.obj"),
        [("geometry", f"{VISUAL}.bounds", (0, 0, 0, 1, 1, 0), (0, 0, 0, 2, 1, 0))],
    ),
    "the same bounds by another scale": ("a.urdf", shown("one.obj", "2 1 1"), shown("wide.obj"), []),
    "scale": (
        "a.urdf",
        shown("one.obj"),
        shown("one.obj", "2 1 1"),
        [("geometry", f"{VISUAL}.scale", (1, 1, 1), (2, 1, 1))],
    ),
    "a file that is not found": (
        "a.urdf",
        shown("one.obj"),
        shown("no.obj"),
        [("geometry", f"{VISUAL}.mesh", "1 triangles", "the file is not found")],
    ),
    "a file that cannot be read": (
        "a.urdf",
        shown("bad.obj"),
        shown("one.obj"),
        [("geometry", f"{VISUAL}.mesh", "cannot be read: bad.obj", "1 triangles")],
    ),
    "two files that are not found": (
        "a.urdf",
        shown("no.obj"),
        shown("none.obj"),
        [("geometry", f"{VISUAL}.mesh", "no.obj", "none.obj")],
    ),
    "corners": ("a.sdf", outline(*CORNERS[:3]), outline(*CORNERS), [("geometry", "body/a.v.points", FEW, ALL)]),
    "who leads": ("a.urdf", urdf(joint='<mimic joint="k"/>'), urdf(), [("joints", "joint/j.mimic", "k", "none")]),
    "how stiff a stop is": ("a.sdf", sdf(limit=STIFF), sdf(limit=SOFT), [("joints", "joint/j.stop.stiffness", 3, 2)]),
    "whether a stop gives way": ("a.sdf", sdf(limit=STIFF), sdf(), [("joints", "joint/j.stop", 3, "none")]),
    "kinematic": ("a.sdf", sdf("<kinematic>1</kinematic>"), sdf(), [("masses", "body/a.kinematic", True, False)]),
    "the axis of a loop": ("a.sdf", loop(), loop(axis=ALONG_Y), [("constraints", "loop/l.axis", (0, 0, 1), (0, 1, 0))]),
    "the ends of a loop": ("a.sdf", loop(), loop(parent="a"), [("constraints", "loop/l.ends", "c, b", "a, b")]),
    "the kind of a loop": ("a.sdf", loop(), loop("ball", axis=""), [("joints", "joint/l.kind", "hinge", "ball")]),
    "the kind of a constraint": (
        "a.xml",
        tied("connect", 'anchor="0 0 0"'),
        tied("weld"),
        [("constraints", "constraint/e.kind", "connect", "weldto")],
    ),
    "a pair that is asked for": ("a.xml", mjcf(PAIR), mjcf(), [("contacts", "contact/ga, gc", "asked for", "no rule")]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_difference_is_told(tmp_path: Path, name: str):
    file, first, second, told = CASES[name]
    for mesh, text in MESHES.items():
        (tmp_path / mesh).write_text(text)
    (tmp_path / file).write_text(first)
    (tmp_path / f"other_{file}").write_text(second)
    found = compare(tmp_path / file, tmp_path / f"other_{file}")
    assert [(each.what, each.where, each.first, each.second) for each in found if each.what != "poses"] == told


def test_two_files_that_cannot_be_read_are_the_same_where_their_bytes_are(tmp_path: Path) -> None:
    for folder, text in (("one", "v 0 x\n"), ("same", "v 0 x\n"), ("other", "v 1 x\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bad.obj").write_text(text)
        (tmp_path / folder / "a.urdf").write_text(shown("bad.obj"))
    one, same, other = (tmp_path / folder / "a.urdf" for folder in ("one", "same", "other"))
    assert compare(one, same) == []
    (found,) = compare(one, other)
    assert found.where == f"{VISUAL}.mesh"
    assert found.first.startswith("cannot be read: bad.obj (") and found.first != found.second
