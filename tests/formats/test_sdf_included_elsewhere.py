"""An SDF written where some included models are missing: those found stay included, the rest is written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters import convert
from converters.context import Options, WriterContext
from converters.report.text import total
from converters.sdf import writer
from converters.sdf.writing.files import Addresses
from converters.source.tree import Element
from ir.diff import Difference
from tests.formats.sdf_text import joint, link, put, seen

MERGED = ' merge="true"'
PARTS = {
    "a link": link("l_%s"),
    "several": link("l_%s") + link("k_%s") + joint("j_%s", "l_%s", "k_%s") + '<frame name="f_%s"/>',
    "a plugin": link("l_%s") + '<plugin name="p_%s" filename="libp.so"/>',
    "another model": link("l_%s") + '<model name="in_%s"><link name="i"/></model>',
}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list with one entry for each candidate document that a writer has read back before it chose one."""
    unlike, found = writer._differences, list[int]()

    def counted(root: Element, addresses: Addresses, context: WriterContext) -> list[Difference]:
        found.append(1)
        return unlike(root, addresses, context)

    monkeypatch.setattr(writer, "_differences", counted)
    return found


def model(folder: Path, name: str, inner: str) -> None:
    put(folder, f'<sdf version="1.9"><model name="{name}">{inner.replace("%s", name)}</model></sdf>', "model.sdf")
    put(folder, '<model><sdf version="1.9">model.sdf</sdf></model>', "model.config")


def includes(names: list[str], attrs: str = "") -> str:
    return "".join(f"<include{attrs}><uri>model://{name}</uri></include>" for name in names)


def named(path: Path) -> list[str]:
    """Return the models that a document includes, in order, without carried data."""
    pieces = path.read_text().partition("<kinegraph:")[0].split("<uri>model://")[1:]
    return [piece.partition("<")[0] for piece in pieces]


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("attrs", ["", MERGED], ids=["whole", "merged"])
@pytest.mark.parametrize("near", [["n0", "n1", "n2"], ["n0"], []], ids=len)
def test_what_is_found_stays_included(
    near: list[str], attrs: str, part: str, tmp_path: Path, readings: list[int]
) -> None:
    here, far = tmp_path / "here", tmp_path / "far"
    for name in near:
        model(here / name, name, part)
    for name in ("f0", "f1"):
        model(far / name, name, part)
    text = includes(["f0", *near, "f1"], attrs)
    world = f'<world name="w"><model name="m">{link("a")}{text}</model><model name="z">{link("a")}</model></world>'
    source = put(here, f'<sdf version="1.9">{world}</sdf>')
    options = Options(resource_paths=(far,))
    there = tmp_path / "there" / "out.sdf"
    assert "nothing lost" in total(convert(source, there, options=options))
    assert len(readings) < 4
    assert named(there) == ["f0", "f1"]
    assert seen(there, far)["links"].keys() == seen(source, here, far)["links"].keys()
    back = here / "back.sdf"
    convert(there, back, options=options)
    assert named(back) == named(source)


@pytest.mark.parametrize("attrs", ["", MERGED], ids=["whole", "merged"])
def test_many_that_are_not_found_cost_no_more_readings(attrs: str, tmp_path: Path, readings: list[int]) -> None:
    names = [f"part{number}" for number in range(12)]
    for name in names:
        model(tmp_path / "here" / name, name, PARTS["several"])
    inside = includes(names, attrs)
    world = f'<world name="w"><model name="m">{link("a")}{inside}</model></world>'
    source = put(tmp_path / "here", f'<sdf version="1.9">{world}</sdf>')
    there = tmp_path / "there" / "out.sdf"
    assert "nothing lost" in total(convert(source, there))
    assert len(readings) < 4 and not named(there)
    convert(there, tmp_path / "here" / "back.sdf")
    assert named(tmp_path / "here" / "back.sdf") == names


def test_another_model_of_that_name_is_not_what_was_included(tmp_path: Path) -> None:
    """From the place of the output, another model is found instead of that of the source."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, length in ((here, "1"), (there, "2")):
        model(folder / "same", "same", link("l", pose=f"{length} 0 0 0 0 0"))
    model(here / "own", "own", link("l"))
    model(tmp_path / "far" / "far", "far", link("l"))
    inside = includes(["same", "own", "far"])
    source = put(here, f'<sdf version="1.9"><world name="w">{inside}</world></sdf>')
    options = Options(resource_paths=(tmp_path / "far",))
    out = there / "out.sdf"
    assert "nothing lost" in total(convert(source, out, options=options))
    assert named(out) == ["far"]
    assert seen(out, there, tmp_path / "far")["links"] == seen(source, here, tmp_path / "far")["links"]


def test_lights_are_included_like_models(tmp_path: Path) -> None:
    for place in ("here", "far"):
        light = f'<light name="{place}" type="point"><pose>0 0 3 0 0 0</pose></light>'
        put(tmp_path / place / place, f'<sdf version="1.9">{light}</sdf>', "model.sdf")
        put(tmp_path / place / place, '<model><sdf version="1.9">model.sdf</sdf></model>', "model.config")
    source = put(tmp_path / "here", f'<sdf version="1.9"><world name="w">{includes(["here", "far"])}</world></sdf>')
    options = Options(resource_paths=(tmp_path / "far",))
    there = tmp_path / "there" / "out.sdf"
    assert "nothing lost" in total(convert(source, there, options=options))
    assert named(there) == ["far"]
    assert there.read_text().partition("<kinegraph:")[0].count("<light") == 1
    convert(there, tmp_path / "here" / "back.sdf", options=options)
    assert named(tmp_path / "here" / "back.sdf") == ["here", "far"]


@pytest.mark.parametrize("scheme", ["model://", ""], ids=["by scheme", "by name"])
@pytest.mark.parametrize("way", ["world.sdf", "robot.xml"], ids=["at once", "by way of MJCF"])
def test_what_lies_near_the_source_alone_is_said_plainly(way: str, scheme: str, tmp_path: Path) -> None:
    """Next to the source the model is found and included; from anywhere else it is not, so that it is written out."""
    model(tmp_path / "near" / "part", "part", link("l"))
    world = f'<sdf version="1.9"><world name="w"><include><uri>{scheme}part</uri></include></world></sdf>'
    source = put(tmp_path / "near" / "worlds", world)
    between = source if way == "world.sdf" else source.parent / way
    if between != source:
        convert(source, between)
    there = tmp_path / "far" / "from" / "all" / "out.sdf"
    convert(between, there)
    assert "<include" not in there.read_text().partition("<kinegraph:")[0]
    assert seen(there)["links"].keys() == seen(source, tmp_path / "near")["links"].keys()
    back = source.parent / "back.sdf"
    convert(there, back)
    assert f"<uri>{scheme}part</uri>" in back.read_text().partition("<kinegraph:")[0]
