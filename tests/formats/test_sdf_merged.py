"""The body to which the frame of a merged model is attached (canonical link, order of links); judged by libsdformat."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert, read
from converters.context import InputError
from ir.types import WORLD
from tests.formats.sdf_text import codes, faults, link, put, sdf, seen
from tests.reports import of_rule

FLAG = '<frame name="flag"><pose>0 0 1 0 0 0</pose></frame>'
IN = f'<model name="in"><pose>1 0 0 0 0 0</pose>{link("x")}</model>'
TWO = '<include merge="true"><uri>two.sdf</uri><name>two</name><pose>0 0 5 0 0 0</pose></include>'
PARTS = {
    "links of its own": FLAG + link("x"),
    "a nested model alone": FLAG + IN,
    "a nested model, and a link after it": FLAG + IN + link("y"),
    "one that is merged into it, and a link after that": FLAG + TWO + link("z"),
    "one that is merged into it alone": FLAG + TWO,
    "a nested model, one that is merged": FLAG + IN + TWO,
    "static": FLAG + link("x") + "<static>true</static>",
}
MERGE = '<include merge="true"><uri>part.sdf</uri><name>part</name><pose>0 3 0 0 0 0</pose></include>'
PLACES = {
    "after a link": link("base") + MERGE + '<frame name="mine"/>',
    "before a link": '<frame name="mine"/>' + MERGE + link("base"),
    "in a nested model": link("base") + f'<model name="n">{MERGE}</model><frame name="mine"/>',
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_frames_move_with_the_links_that_libsdformat_sees(tmp_path: Path, part: str, place: str) -> None:
    put(tmp_path, sdf(link("p") + link("q")), "two.sdf")
    put(tmp_path, sdf(part), "part.sdf")
    source = put(tmp_path, sdf(place))
    theirs = seen(source)
    scene = read(source)
    own = {frame.name: body.name for body in scene.bodies.values() for frame in body.frames if body.name != WORLD}
    assert own == {name: frame["body"] for name, frame in theirs["frames"].items()}
    assert [name for name in scene.bodies if name != WORLD] == list(theirs["links"])


def test_a_canonical_link_that_is_not_there_is_told_of_the_merged_model(tmp_path: Path) -> None:
    put(tmp_path, sdf(FLAG + link("x"), attrs=' canonical_link="none"'), "part.sdf")
    source = put(tmp_path, sdf(link("base") + MERGE))
    report = convert(source, tmp_path / "out.urdf")
    (told,) = of_rule(report, "sdf/model-canonical-link-invalid")
    assert [(Path(place.file).name, place.line) for place in told.sources] == [("part.sdf", 2)]
    assert {frame.name: body.name for body in read(source).bodies.values() for frame in body.frames}["flag"] == "x"


def test_two_merged_models_of_one_name_are_refused(tmp_path: Path) -> None:
    put(tmp_path, sdf(link("x")), "part.sdf")
    put(tmp_path, sdf(link("y")), "two.sdf")
    source = put(
        tmp_path, sdf(link("base") + "\n" + MERGE + "\n" + TWO.replace("<name>two</name>", "<name>part</name>"))
    )
    assert codes(source) == {2}
    with pytest.raises(InputError, match=r"source.sdf:6: two models that are merged into 'm' are named 'part'"):
        read(source)


def test_a_circle_of_model_folders_is_told_by_the_folders(tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        include = f"\n<include><uri>model://{other}</uri></include>"
        put(tmp_path / name, sdf(link("x") + include), "model.sdf")
        (tmp_path / name / "model.config").write_text('<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>')
    with pytest.raises(InputError, match=r"circle: one/model\.sdf -> two/model\.sdf -> one/model\.sdf"):
        read(tmp_path / "one" / "model.sdf")


WORLDLY = '<frame name="f"/><model name="in"><link name="z"/></model>'


@pytest.mark.parametrize(
    ("inner", "tag", "whole", "version", "told"),
    [
        ("", "light", "world", "1.10", True),
        ("", "light", "model", "1.9", True),
        ("", "actor", "world", "1.9", True),
        ("", "actor", "model", "1.9", True),
        (WORLDLY, "model", "world", "1.9", True),
        (WORLDLY, "model", "world", "1.10", False),
        (WORLDLY + link("a"), "model", "world", "1.10", True),
        (WORLDLY + link("a"), "model", "model", "1.9", False),
    ],
)
def test_what_cannot_be_merged_is_told_and_stays_what_it_is(
    tmp_path: Path, inner: str, tag: str, whole: str, version: str, told: bool
) -> None:
    """libsdformat 12 does not support merged models in worlds (SDF 1.10 does, for models without links)."""
    kind = ' type="point"' if tag == "light" else ""
    put(tmp_path, f'<sdf version="1.9"><{tag} name="part"{kind}>{inner}</{tag}></sdf>', "part.sdf")
    rest = link("base") if whole == "model" else f'<model name="other">{link("base")}</model>'
    text = f'<sdf version="{version}"><{whole} name="top">{MERGE}{rest}</{whole}></sdf>'
    source = put(tmp_path, text.replace(' relative_to=""', ""))
    assert (31 in codes(source)) == (told or whole == "world")
    report = convert(source, tmp_path / "out.urdf")
    assert len(of_rule(report, "sdf/merge-include-unsupported")) == told
    bodies = [name for name in read(source).bodies if name != WORLD]
    if tag == "model":
        inside = ["part::in::z", *(["part::a"] if "a" in inner and told else [])] if told else None
        assert bodies[0] in (inside or ["in::z", "a"])
    else:
        assert bodies == ["base" if whole == "model" else "other::base"]


CHOICE = f"""{link("a")}{link("b")}<frame name="t" attached_to="b"/><frame name="mine"/>
<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
<model name="sub">{link("x")}<frame name="fr" attached_to="x"/></model>"""


@pytest.mark.parametrize("named", ["b", "t", "j", "sub", "sub::x", "sub::fr", "sub::__model__"])
def test_a_model_moves_with_any_frame_that_it_names(tmp_path: Path, named: str) -> None:
    """libsdformat 12 accepts more than links."""
    source = put(tmp_path, sdf(CHOICE, attrs=f' canonical_link="{named}"'))
    theirs = {name: frame["body"] for name, frame in seen(source)["frames"].items()}
    scene = read(source)
    assert {frame.name: body.name for body in scene.bodies.values() for frame in body.frames} == theirs
    assert scene.tables["scope"][""].canonical == theirs["mine"]
    for target in ("new.sdf", "out.urdf"):
        assert faults(convert(source, tmp_path / target)) == []
    convert(tmp_path / "out.urdf", tmp_path / "back.sdf")
    assert read(tmp_path / "back.sdf") == scene


@pytest.mark.parametrize("named", ["__model__", "mine"])
def test_a_model_cannot_move_with_itself(tmp_path: Path, named: str) -> None:
    source = put(tmp_path, sdf(CHOICE, attrs=f' canonical_link="{named}"'))
    assert 23 in codes(source)
    assert of_rule(convert(source, tmp_path / "out.urdf"), "sdf/frame-attached-to-cycle")
