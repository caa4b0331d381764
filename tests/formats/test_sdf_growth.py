"""The cost of converting SDF or URDF is linear in the size of the model, also if all names are alike."""

from __future__ import annotations

import cmath
from pathlib import Path

import pytest

from converters.context import Options
from converters.convert import convert
from converters.reading import read
from converters.sdf.models import frames
from ir.types import WORLD, Pose
from tests.formats.sdf_text import BOX, link, sdf
from tests.formats.test_mjcf_growth import steps

STATIC = '<model name="s"><static>1</static><link name="a"/></model>'
JOINED = """<model name="m%d"><link name="b"/></model>
<joint name="j%d" type="revolute"><parent>s::a</parent><child>m%d::b</child><axis><xyz>0 0 1</xyz></axis></joint>"""
GEAR = """<link name="l%d"/><joint name="j%d" type="revolute"><parent>base</parent><child>l%d</child>
<axis><xyz>0 0 1</xyz></axis></joint><joint name="g%d" type="gearbox"><parent>first</parent><child>l%d</child>
<gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>base</gearbox_reference_body></joint>"""
GEARED = """<link name="base"/><link name="first"/><joint name="j" type="revolute"><parent>base</parent>
<child>first</child><axis><xyz>0 0 1</xyz></axis></joint>%s"""
ROBOT = '<robot name="r"><link name="base"/>%s</robot>'
HINGE = '<joint name="j%d" type="fixed"><parent link="base"/><child link="l%d"/></joint>'
PAINTED = """<link name="l%d"><visual><geometry><sphere radius="1"/></geometry>
<material name="m"><color rgba="0 0 0 0.%d"/></material></visual></link>"""
EMPTY = '<link name="l%d"/><joint name="j%d" type="fixed"><parent link="l%p"/><child link="l%d"/></joint>'
MANY = {
    "visuals": ("a.sdf", sdf("%s"), link("l%d", inner=f'<visual name="visual">{BOX}</visual>')),
    "sensors": ("a.sdf", sdf("%s"), link("l%d", inner='<sensor name="imu" type="imu"/>')),
    "plugins": ("a.sdf", sdf("%s"), link("l%d", inner='<plugin name="p" filename="q"/>')),
    "gears": ("a.sdf", sdf(GEARED), GEAR),
    "joined": ("a.sdf", f'<sdf version="1.10"><world name="w">{STATIC}%s</world></sdf>', JOINED),
    "transmissions": ("a.urdf", ROBOT, '<transmission name="t"><type>x</type></transmission>'),
    "materials": ("a.urdf", ROBOT, PAINTED + HINGE),
    "empty links": ("a.urdf", '<robot name="r"><link name="l-1"/>%s</robot>', EMPTY),
}
"""File, document, and the item that is repeated in it: %d is its number, %p that of the one before."""
TO_SDF = [what for what, (file, _, _) in MANY.items() if file == "a.sdf" or what == "empty links"]


def _numbered(each: str, index: int) -> str:
    return each.replace("%d", str(index)).replace("%p", str(index - 1))


@pytest.mark.parametrize(
    ("what", "target"), [*((what, "out.xml") for what in MANY), *((what, "out.sdf") for what in TO_SDF)]
)
def test_four_times_as_many_cost_four_times_as_much(what: str, target: str, tmp_path: Path) -> None:
    """A constant part reduces the ratio; one quadratic walk increases it."""
    name, text, each = MANY[what]
    options = Options(sdf_version="1.9") if what == "joined" and target == "out.sdf" else None
    found = []
    for count in (60, 240):
        source = tmp_path / name
        source.write_text(text.replace("%s", "\n".join(_numbered(each, index) for index in range(count))))
        if not found:
            convert(source, tmp_path / "first" / target, options=options)  # imports as well
        found.append(steps(source, tmp_path / str(count) / target, options))
    assert found[1] < 4.4 * found[0]


FRAME = '<frame name="f%d" attached_to="f%d"><pose>0.1 0 0 0 0 0.3</pose></frame>'


def test_frames_in_a_row_are_not_all_gone_through_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    composed = 0
    plain = frames.compose

    def counting(*poses: Pose) -> Pose:
        nonlocal composed
        composed += 1
        return plain(*poses)

    monkeypatch.setattr(frames, "compose", counting)
    costs = []
    for count in (300, 1200):
        row = "".join(FRAME % (number, number + 1) for number in range(count))
        (tmp_path / "a.sdf").write_text(sdf(f'{link("l")}{row}<frame name="f{count}" attached_to="l"/>'))
        composed = 0
        (body,) = (body for name, body in read(tmp_path / "a.sdf").bodies.items() if name != WORLD)
        costs.append(composed)
        places = {frame.name: complex(*frame.pose.pos[:2]) for frame in body.frames}
        for steps_down in (1, 63, 64, 65, count):
            turned = 0.1 * (1 - cmath.exp(0.3j * steps_down)) / (1 - cmath.exp(0.3j))
            assert abs(places[f"f{count - steps_down}"] - turned) < 1e-9
    assert costs[1] < 4.4 * costs[0]
