"""Malicious MJCF: exit code 2 and one line with the place, or a result; nothing left behind, no traceback.

The real command runs in its own process where that matters; most run in this one, to save time.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from converters.cli import main
from converters.context import InputError
from converters.convert import convert
from converters.validating import validate
from tests.converters.test_bad_input import LIMIT, kinegraph, refused
from tests.files import saved
from tests.reports import explained

BODY = '<body><joint/><geom size="1"/></body>'
TARGETS = ("out.xml", "out.urdf", "out.sdf")


def world(content: str, before: str = "") -> str:
    """Return a document with its worldbody from line 4 on, and `before` in line 2."""
    return f"<mujoco>\n{before}\n<worldbody>\n{content}\n</worldbody>\n</mujoco>\n"


def meshed(attrs: str, geom: str = 'type="mesh"') -> str:
    return world(f'<body><joint/><geom {geom} mesh="m"/></body>', f'<asset><mesh name="m" {attrs}/></asset>')


BAD: dict[str, tuple[str, int]] = {
    "nothing": ("", 1),
    "blank": ("\n\n", 0),
    "text": ("a robot, please\n", 1),
    "half a tag": ("<mujoco", 1),
    "entities": ('<!DOCTYPE m [\n<!ENTITY a "x">\n]>\n<mujoco model="&a;"/>', 2),
    "so many copies": (world('<replicate count="1000000000"><geom size="1"/></replicate>'), 4),
    "less than no copies": (world('<replicate count="-3"><geom size="1"/></replicate>'), 4),
    "not a number of copies": (world('<replicate count="nan"><geom size="1"/></replicate>'), 4),
    "copies of copies": (
        world(
            '<replicate count="99"><replicate count="99"><replicate count="99">'
            "<site/></replicate></replicate></replicate>"
        ),
        4,
    ),
    "copies of nothing": (world('<replicate count="99999"><replicate count="99999"/></replicate>'), 4),
    "copies forty deep": (world('<replicate count="2">' * 40 + "<site/>" + "</replicate>" * 40), 4),
    "attached twice, thirty times over": (
        world(
            '<body name="b0"/>'
            + "".join(
                f'<body name="b{i + 1}"><attach body="b{i}" prefix="x"/><attach body="b{i}" prefix="y"/></body>'
                for i in range(30)
            )
        ),
        4,
    ),
    "a model in itself": (
        world('<attach model="m" prefix="p"/>', '<asset><model name="m" file="robot.xml"/></asset>'),
        0,
    ),
    "includes itself": ('<mujoco>\n<include file="robot.xml"/>\n</mujoco>', 2),
    "a size of NaN": (world('<body><geom size="nan"/></body>'), 4),
    "a place of NaN": (world('<body pos="nan 0 0"><geom size="1"/></body>'), 4),
    "an infinite mass": (world('<body><joint/><inertial pos="0 0 0" mass="inf" diaginertia="1 1 1"/></body>'), 4),
    "a turn of nothing": (world('<body quat="0 0 0 0"/>'), 4),
    "an axis of nothing": (world('<body><joint axis="0 0 0"/><geom size="1"/></body>'), 4),
    "half of three angles": (world('<body euler="1 2"/>'), 4),
    "two names": (world('<body name="a"/>\n<body name="a"/>'), 5),
    "a mesh that is not there": (world('<body><geom type="mesh" mesh="q"/></body>'), 4),
    "a class that is not there": (world('<body><geom class="q" size="1"/></body>'), 4),
    "a class twice": (world("", '<default><default class="a"/><default class="a"/></default>'), 2),
    "damaged by hand": (world(BODY, '<custom><text name="kinegraph:scene" data="{"/></custom>'), 2),
}
"""What is wrong -> the file, and the line that the message must name (0: any)."""


@pytest.mark.parametrize("what", BAD)
def test_bad_mjcf_is_refused_with_its_place(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, line = BAD[what]
    (tmp_path / "robot.xml").write_text(text)
    started = time.process_time()
    with pytest.raises(SystemExit) as ended:
        main(["convert", str(tmp_path / "robot.xml"), str(tmp_path / "out.urdf")])
    assert time.process_time() - started < LIMIT
    assert ended.value.code == 2
    (message,) = capsys.readouterr().err.splitlines()
    place = re.match(r"kinegraph: .*?robot\.xml:(\d+)(?::\d+)?: \S", message)
    assert place, message
    assert line in (0, int(place[1])), message
    assert len(message) < 500 + len(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["robot.xml"]


CARRIED = "<custom><text name=\"kinegraph:%s\" data='%s'/></custom>"
ODD: dict[str, str] = {
    "nothing in it": "<mujoco/>",
    "a field without end": world(
        '<geom type="hfield" hfield="h"/>',
        '<asset><hfield name="h" nrow="1000000000" ncol="1000000000" size="1 1 1 1"/></asset>',
    ),
    "a field of nothing": world(
        '<geom type="hfield" hfield="h"/>', '<asset><hfield name="h" nrow="-1" ncol="0" size="1 1 1 1"/></asset>'
    ),
    "a field beyond numbers": world(
        '<geom type="hfield" hfield="h"/>',
        '<asset><hfield name="h" nrow="2" ncol="2" elevation="1e308 -1e308 0 0" size="1 1 1 1"/></asset>',
    ),
    "a picture without end": world(
        '<geom size="1" material="m"/>',
        '<asset><texture name="t" builtin="checker" type="2d" width="1000000000" height="1000000000"/>'
        '<material name="m" texture="t"/></asset>',
    ),
    "an old grid of millions": world(
        '<body><composite type="grid" count="1000000 100000 1000" spacing="1"><geom size=".1"/></composite></body>'
    ),
    "an old cable": world(
        '<body><composite type="cable" count="20 1 1" size="1"><geom type="capsule" size=".1"/></composite></body>'
    ),
    "soft things of millions": world(
        '<body><flexcomp name="f" type="grid" count="100000 100000 1000" spacing="1 1 1" dim="3"/></body>'
    ),
    "places that are none": world(BODY, CARRIED % ("places", '{"a":1}')),
    "spelling that is none": world(BODY, CARRIED % ("scene", '{"notation":[{"mjcf:spelling":"{{{"}]}')),
    "spelling of nothing": world(
        BODY, CARRIED % ("scene", '{"notation":[{"mjcf:spelling":"{\\"\\":[[\\"@\\",3,4]]}"}]}')
    ),
    "ten thousand frames": world("<frame>" * 10_000 + "</frame>" * 10_000),
    "a file that is no mesh": meshed('file="/dev/zero"'),
    "a folder for a mesh": meshed('file="."'),
    "a ball of a billion": meshed('builtin="sphere" params="1e9"'),
    "a ball of NaN": meshed('builtin="sphere" params="nan"'),
    "corners beyond numbers": meshed('vertex="0 0 0 1e300 0 0 0 1e300 0 0 0 1e300"'),
    "many corners": meshed(f'vertex="{" ".join(str(i * 7919 % 10007) for i in range(60_000))}"'),
    "a mesh of no size": meshed('vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0 0 0"'),
    "included from above": '<mujoco><include file="../../../../etc/passwd"/></mujoco>',
    "included from a device": '<mujoco><include file="/dev/zero"/></mujoco>',
    "many of one body": world("<body><joint/>" + '<geom size=".1"/>' * 2000 + "</body>"),
    "joints in a circle": world(
        '<body><joint name="a"/><geom size="1"/><body><joint name="b"/><geom size="1"/></body></body>',
        '<equality><joint joint1="a" joint2="b"/><joint joint1="b" joint2="a"/></equality>',
    ),
}
"""Unusual input that is no reason to refuse the rest, or that is refused."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("what", ODD)
def test_odd_mjcf_ends_soon(what: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(ODD[what])
    started = time.process_time()
    try:
        report = convert(tmp_path / "robot.xml", tmp_path / target)
    except InputError as error:
        assert re.search(r"robot\.xml:\d+: \S", str(error)), error
        assert [path.name for path in tmp_path.iterdir()] == ["robot.xml"]
    else:
        explained(report)
        assert (tmp_path / target).is_file()
    assert time.process_time() - started < LIMIT


def test_the_command_itself_says_one_line(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(BAD["so many copies"][0])
    line = refused(kinegraph("convert", "robot.xml", "out.urdf", cwd=tmp_path), tmp_path, ["robot.xml"])
    assert re.match(r"kinegraph: robot\.xml:4: <replicate count=", line), line


@pytest.mark.parametrize("named", ["../secret.xml", "%s/secret.xml", "link.xml"])
@pytest.mark.parametrize("how", ['<include file="%s"/>', '<asset><model name="m" file="%s"/></asset>'])
def test_documents_elsewhere_are_not_read(how: str, named: str, tmp_path: Path) -> None:
    deep = tmp_path / "1/2/3/4/5/6"
    deep.mkdir(parents=True)
    (tmp_path / "secret.xml").write_text('<mujoco><worldbody><body name="QQQ"/></worldbody></mujoco>')
    (deep / "link.xml").symlink_to(tmp_path / "secret.xml")
    uri = named % tmp_path if "%" in named else named.replace("../", "../" * 6)
    attach = '<attach model="m" prefix="p"/>' if "model" in how else ""
    convert(saved(deep / "robot.xml", world(attach, how % uri)), deep / "out.urdf")
    assert 'name="QQQ"' not in (deep / "out.urdf").read_text()
    assert 'name="pQQQ"' not in (deep / "out.urdf").read_text()


def test_a_model_cut_off_anywhere_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = world(BODY * 3, "<option/><asset/><default/>").rstrip().encode()
    for size in random.Random(5).sample(range(len(whole)), 60):
        (tmp_path / "robot.xml").write_bytes(whole[:size])
        with pytest.raises(SystemExit) as ended:
            main(["convert", str(tmp_path / "robot.xml"), str(tmp_path / "out.urdf")])
        (line,) = capsys.readouterr().err.splitlines()
        assert ended.value.code == 2
        assert re.match(r"kinegraph: .*robot\.xml:\d+(:\d+)?: ", line), line
        assert [path.name for path in tmp_path.iterdir()] == ["robot.xml"]


@pytest.mark.parametrize("count", ["1000000000", "9" * 5000])
def test_copies_that_are_refused_are_not_made_where_all_faults_are_told(count: str, tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(world(f'<replicate count="{count}"><geom size="1"/></replicate>'))
    started = time.process_time()
    verdict = validate(tmp_path / "robot.xml")
    assert time.process_time() - started < LIMIT
    assert "<replicate count=" in verdict.breaches[0].message


ATTACHING = """<mujoco model="m{0}"><asset><model name="n" file="m{1}.xml"/></asset><worldbody><body name="b">
<geom size=".1"/><attach model="n" body="b" prefix="a_"/><attach model="n" body="b" prefix="b_"/></body></worldbody>
</mujoco>"""


def test_models_that_each_attach_the_next_one_twice_are_bounded(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"m{number}.xml").write_text(ATTACHING.format(number, number + 1))
    (tmp_path / "m30.xml").write_text(world('<body name="b"><geom size=".1"/></body>'))
    started = time.process_time()
    with pytest.raises(InputError, match=r"m\d+\.xml:1: <attach>: more than 2000 models are attached"):
        convert(tmp_path / "m0.xml", tmp_path / "out.urdf")
    assert "more than 2000 models" in validate(tmp_path / "m0.xml").breaches[0].message
    assert time.process_time() - started < 2 * LIMIT
