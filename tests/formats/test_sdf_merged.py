"""What the frame of a merged model moves with, judged by libsdformat: its canonical link, and the order of links."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert, read
from converters.context import InputError
from ir.types import WORLD
from tests.formats.sdf_text import codes, link, put, sdf, seen
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
