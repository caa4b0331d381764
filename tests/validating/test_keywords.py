"""The words that attributes of MJCF take, as MuJoCo takes them."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest

from converters.mjcf.schema import keywords, schema
from converters.validating import validate

ENDS = 'body1="b" body2="b"'
NEEDED = {
    "asset/hfield": 'name="n" nrow="2" ncol="2" size="1 1 1 1"',
    "asset/material": 'name="n"',
    "asset/mesh": 'name="n"',
    "asset/texture": 'name="n" builtin="flat" width="2" height="2"',
    "body/flexcomp": 'name="n"',
    "body/flexcomp/edge": "",
    "body/geom": 'size="1 1 1"',
    "deformable/flex": 'name="n" body="b" element="0 1 2"',
    "equality/connect": 'body1="b" anchor="0 0 0"',
    "equality/weld": 'body1="b"',
    "sensor/contact": "",
    "sensor/distance": ENDS,
    "sensor/fromto": ENDS,
    "sensor/insidesite": 'site="s" objname="b"',
    "sensor/normal": ENDS,
    "sensor/rangefinder": 'site="s"',
    "sensor/user": 'dim="1"',
}
"""What MuJoCo asks for before it looks at a word."""
UNSAFE = ("asset/model",)
"""MuJoCo ends the process."""


def complaint(path: str, name: str, word: str) -> str:
    """What MuJoCo says of a document with one element that has this attribute."""
    above, _, tag = path.rpartition("/")
    outer = [part for part in above.replace("body", "worldbody/body", 1).split("/") if part]
    if path == "body":
        outer = ["worldbody"]
    given = re.sub(rf'(^|\s){name}="[^"]*"', "", NEEDED.get(path, ""))
    if name == "reftype":
        given += ' refname="b" objtype="body" objname="b"'
    holders = {"flexcomp": 'flexcomp name="f"', "flex": f"flex {NEEDED['deformable/flex']}"}
    starts = "".join(f"<{holders.get(part, part)}>" for part in outer)
    ends = "".join(f"</{part}>" for part in reversed(outer))
    text = f"<mujoco>{starts}<{tag} {given} {name}={word!r}/>{ends}</mujoco>"
    try:
        mujoco.MjModel.from_xml_string(text)
    except (ValueError, RuntimeError) as error:
        return str(error)
    return ""


def test_each_word_is_taken_and_no_other():
    wrong = []
    rows = [(path, name, words) for path, known in keywords().items() for name, (words, _) in known.items()]
    for path, name, words in rows:
        taken = {word for word in words if "keyword" not in complaint(path, name, word)}
        if taken != words or "keyword" not in complaint(path, name, "another"):
            wrong.append((path, name, words - taken, complaint(path, name, "another")))
    assert wrong == []


def test_no_attribute_that_takes_words_is_forgotten():
    forgotten = [
        (path, name)
        for path, names in schema().items()
        for name in names
        if path not in (*UNSAFE, ".") and name not in keywords().get(path, {})
        if "invalid keyword" in complaint(path, name, "another")
    ]
    assert forgotten == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '<geom type="Box" size="1 1 1"/>',
            "MuJoCo takes one of box, capsule, cylinder, ellipsoid, hfield, mesh, plane, sdf, sphere here",
        ),
        ('<frame><site type=""/></frame>', "MuJoCo takes one of box"),
        ('<camera output="rgb depths"/>', "MuJoCo takes one of depth"),
        ('<camera output="rgb depth"/>', ""),
    ],
)
def test_a_word_in_other_letters_is_told(tmp_path: Path, text: str, said: str):
    source = tmp_path / "m.xml"
    source.write_text(f"<mujoco>\n<worldbody>{text}</worldbody></mujoco>")
    told = [breach for breach in validate(source).breaches if breach.rule == "MJCF-KEYWORD"]
    assert [breach.source.line for breach in told] == [2] * bool(said)
    assert all(breach.message.startswith(said) for breach in told)
