"""The keywords and numbers that MJCF attributes accept, compared with MuJoCo."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest

from converters import convert
from converters.mjcf.document.schema import Figures, figures, keywords, schema
from converters.report.model import Action, Severity
from converters.validating import validate
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model

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
"""Attributes that MuJoCo requires before it checks a keyword."""
UNSAFE = ("asset/model",)
"""MuJoCo terminates the process for these."""


def complaint(path: str, name: str, word: str) -> str:
    """Return MuJoCo's message for a document with one element that has this attribute."""
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
            "MuJoCo allows one of box, capsule, cylinder, ellipsoid, hfield, mesh, plane, sdf, sphere here",
        ),
        ('<frame><site type=""/></frame>', "MuJoCo allows one of box"),
        ('<camera output="rgb depths"/>', "MuJoCo allows one of depth"),
        ('<camera output="rgb depth"/>', ""),
    ],
)
def test_a_word_in_other_letters_is_told(tmp_path: Path, text: str, said: str):
    source = saved(tmp_path / "m.xml", f"<mujoco>\n<worldbody>{text}</worldbody></mujoco>")
    told = [breach for breach in validate(source).breaches if breach.rule == "MJCF-KEYWORD"]
    assert [breach.source.line for breach in told] == [2] * bool(said)
    assert all(breach.message.startswith(said) for breach in told)


# -------------------------------------------------------------------------------------------------------------- numbers


def said_of_numbers(path: str, name: str, text: str) -> str:
    """Return MuJoCo's complaint about the numbers of an attribute: bad format, too much or not enough data, or ""."""
    said = complaint(path, name, text)
    if re.search(rf"(bad format in|problem reading) attribute '{name}'", said):
        return "bad format"
    count = re.search(rf"attribute '{name}' (has too much|does not have enough) data", said)
    return count[1] if count else ""


def measured(path: str, name: str, known: Figures) -> bool:
    def given(count: int) -> str:
        return said_of_numbers(path, name, " ".join(["1"] * count))

    return (
        said_of_numbers(path, name, "abc") == "bad format"
        and (said_of_numbers(path, name, "0.5") == "bad format") == known.whole
        and given(known.least) == ""
        and (known.least == 1 or given(known.least - 1) == "does not have enough")
        and given(known.most + 1 if known.most else 39) == ("has too much" if known.most else "")
    )


def test_each_attribute_takes_so_many_numbers():
    rows = [(path, name, known) for path, named in figures().items() for name, known in named.items()]
    assert len(rows) > 1000
    assert [row for row in rows if not measured(*row)] == []


def test_no_attribute_that_takes_numbers_is_forgotten():
    forgotten = [
        (path, name)
        for path, names in schema().items()
        for name in names
        if path not in (*UNSAFE, ".") and name not in figures().get(path, {})
        if said_of_numbers(path, name, "abc")
    ]
    assert forgotten == []


NUMBERS = ["0x1F", "-0X1.8p-1", "1.", "+.5", "inf", "nan", "1e-400", "", "\t1\n"]
NO_NUMBERS = ["abc", "1e", "1,5", "1_0", "1 2", "1e400", "\u00a01", "1\u00a0", "\u0663", "1d3", "0b1"]


@pytest.mark.parametrize("word", NUMBERS + NO_NUMBERS)
def test_a_default_that_nothing_uses_says_numbers_as_mujoco_takes_them(tmp_path: Path, word: str):
    source = tmp_path / "m.xml"
    text = word.replace("\t", "&#9;").replace("\n", "&#10;")
    source.write_text(
        f'<mujoco>\n<default><default class="unused">\n<joint armature="{text}"/></default></default></mujoco>'
    )
    told = [(breach.rule[:4], breach.source.line) for breach in validate(source).breaches]
    assert told == [("NUM-", 3)] * (word in NO_NUMBERS) + [("READ", 3)] * (word == "")
    refused: list[str] = []
    try:
        mujoco_model(source)
    except ValueError as error:
        refused.append(str(error))
    assert len(refused) == (word in NO_NUMBERS) and all("line 3" in message for message in refused)


@pytest.mark.parametrize("text", ['<geom size="1" solref="0.02\u00a01"/>', "<site rgba=\"'0 0 1 0'\"/>"])
def test_settings_that_are_no_numbers_are_told_and_kept(tmp_path: Path, text: str):
    source, again = tmp_path / "m.xml", tmp_path / "again.xml"
    source.write_text(f"<mujoco>\n<worldbody>{text}</worldbody></mujoco>")
    with pytest.raises(ValueError, match="bad format"):
        mujoco_model(source)
    (breach,) = [breach for breach in validate(source).breaches if breach.rule.startswith("NUM-")]
    assert breach.source.line == 2
    (finding,) = convert(source, again).findings
    assert (finding.rule, finding.action, finding.severity) == ("mjcf/number", Action.IGNORED, Severity.ERROR)
    assert text in again.read_text()
