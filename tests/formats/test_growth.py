"""The cost of a conversion is linear in the size of the document: files, frames, and unread content."""

from __future__ import annotations

import gc
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from converters.context import ReaderContext
from converters.convert import convert
from converters.gltf.ours.members import _flatten
from converters.mjcf.relations.constraints import _is_plain_following
from converters.reading import load
from converters.source.parsing import parse, release
from converters.source.respelling import _insert
from converters.source.tree import Element
from converters.source.xml import Document
from ir.folds import fold, renamed_materials
from ir.scene import Scene
from ir.types import Asset, Body, Couple, Dof, DofKind, Geom, Material, Mesh, Role
from tests.formats.test_mjcf_growth import steps

if TYPE_CHECKING:
    from _typeshed import TraceFunction

ROBOT = '<robot name="r"><link name="base"/>%s</robot>'
SEEN = """<link name="l%d"><visual><geometry><mesh filename="m%d.stl"/></geometry></visual></link>
<joint name="j%d" type="fixed"><parent link="base"/><child link="l%d"/></joint>"""
GEOM = '<geom size=".1"/>'


def many(text: str, count: int, each: Callable[[int], str]) -> str:
    return text.replace("%s", "\n".join(map(each, range(count))))


def corner(size: float) -> bytes:
    """Return an STL with four faces; the number of bytes is the same for every size."""
    a, b, c, o = (size, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    faces = [(o, b, a), (o, c, b), (o, a, c), (a, b, c)]
    rows = [struct.pack("<12fH", 0.0, 0.0, 0.0, *sum(face, ()), 0) for face in faces]
    return b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(rows)


def operations(work: Callable[[], object]) -> int:
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 looks for it when tracing begins
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


DOCUMENTS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "frames": (
        "a.xml",
        "o.xml",
        lambda n: many(
            "<mujoco><worldbody>%s</worldbody></mujoco>",
            n,
            lambda i: f'<frame name="f{i}" pos="1 0 0"><body>{GEOM}</body></frame>',
        ),
    ),
    "files of one size": ("a.urdf", "o.xml", lambda n: many(ROBOT, n, lambda i: SEEN % (i, i, i, i))),
}
"""File, output, and a function that returns the document with n items."""


@pytest.mark.parametrize("what", DOCUMENTS)
def test_four_times_as_many_cost_four_times_as_much(what: str, tmp_path: Path) -> None:
    """A constant part reduces the ratio; one quadratic walk increases it."""
    name, output, text = DOCUMENTS[what]
    found: list[int] = []
    for count in (80, 320):
        for number in range(count if ".stl" in text(1) else 0):
            (tmp_path / f"m{number}.stl").write_bytes(corner(1.0 + number))
        (tmp_path / name).write_text(text(count))
        if not found:
            convert(tmp_path / name, tmp_path / "first" / output)  # imports as well
        found.append(steps(tmp_path / name, tmp_path / str(count) / output))
    assert found[1] < 4.4 * found[0]


def test_declared_prefixes_are_not_all_looked_at_again_for_each() -> None:
    """Counted in operations of the interpreter: a loop on one line counts as one line, however often it runs."""
    costs: list[int] = []
    for count in (80, 320):
        text = many(ROBOT, count, lambda i: f'<a xmlns:n{i}="u{i}" n{i}:x="1"/>')
        costs.append(
            operations(lambda text=text: parse(text.encode(), ReaderContext(file="a.urdf", folder=Path()), "urdf"))
        )
    assert costs[1] < 4.4 * costs[0]


def test_names_that_nobody_asks_for_take_no_bits(tmp_path: Path) -> None:
    """One bit for each of n names would need a number of n bits per name: quadratic memory."""
    names = " ".join(f'a{number}="1"' for number in range(1000))
    (tmp_path / "a.urdf").write_text(f'<robot name="r"><link name="base" {names}/></robot>')
    (document,) = load(tmp_path / "a.urdf").context.documents
    assert isinstance(document, Document)
    assert len(document.bits) < 100


def test_coordinates_are_counted_once_for_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from converters.validating import mjcf, validate

    asked: list[Dof] = []
    monkeypatch.setattr(mjcf, "coordinate_size", lambda dof: asked.append(dof) or 1)
    files = [f'<include file="{number}.xml"/>' for number in range(9)]
    for number in range(9):
        (tmp_path / f"{number}.xml").write_text(
            f'<mujocoinclude><body><joint/><geom size="{number + 1}"/></body></mujocoinclude>'
        )
    (tmp_path / "a.xml").write_text(f"<mujoco><worldbody>{''.join(files)}</worldbody></mujoco>")
    validate(tmp_path / "a.xml")
    assert len(asked) == 9


def test_materials_of_one_name_are_looked_up_once() -> None:
    def painted(count: int) -> Scene:
        scene, numbers = Scene("s"), range(count)
        geoms = [Geom(name=f"g{n}", role=Role.VISUAL, shape=None, material=f"m{n}") for n in numbers]
        scene.add_body(Body(name="b", geoms=tuple(geoms)))
        for n in numbers:
            scene.add("material", Material(name=f"m{n}", label="m"))
        return scene

    costs: list[int] = []
    for count in (80, 320):
        scene = painted(count)
        names = list(scene.materials)
        costs.append(operations(lambda scene=scene, names=names: renamed_materials(names, scene, scene)))
        assert renamed_materials(names, scene, scene) == []
    assert costs[1] < 4.4 * costs[0]


def test_a_circle_of_mimics_is_found_without_going_along_it_for_each() -> None:
    dof = Dof(name="", kind=DofKind.HINGE)

    def chain(count: int) -> bool:
        known: Any = SimpleNamespace(dofs={f"j{n}": (None, dof) for n in range(count)})
        leaders: dict[str, str] = {}
        for n in range(1, count):
            first, second = f"j{n}", f"j{n - 1}"
            assert _is_plain_following(Couple(first=first, second=second), known, leaders)
            leaders[first] = second
        return _is_plain_following(Couple(first="j0", second=f"j{count - 1}"), known, leaders)

    assert not chain(4)
    assert operations(lambda: chain(320)) < 4.4 * operations(lambda: chain(80))


def test_children_that_come_back_in_order_are_not_counted_anew_for_each() -> None:
    def put(count: int) -> Element:
        top, end = Element("top"), (0, 0)
        for n in range(count):
            top.content.append("text" if n % 3 else Element("old"))
        for n in range(count):
            end = _insert(top, Element(f"n{n}"), 2 * n, end)
        return top

    tags = [child.tag for child in put(6).elements()]
    assert tags == ["n0", "old", "n1", "old", "n2", "n3", "n4", "n5"]
    assert operations(lambda: put(320)) < 4.4 * operations(lambda: put(80))


@pytest.mark.parametrize("name", ["o.xml", "o.sdf", "o.urdf"])
def test_an_output_that_was_read_back_is_let_go(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The garbage collector is off during a conversion, so that reference cycles would stay."""
    (tmp_path / "a.urdf").write_text(many(ROBOT, 50, lambda i: SEEN % (i, i, i, i)))
    others: list[Document] = []
    plain = Document.__init__

    def counting(document: Document, file: str, *rest: Any) -> None:
        plain(document, file, *rest)
        if not file.endswith("a.urdf"):
            others.append(document)

    monkeypatch.setattr(Document, "__init__", counting)
    convert(tmp_path / "a.urdf", tmp_path / name)
    assert others
    assert [document.root.content for document in others] == [[]] * len(others)


def test_a_document_that_is_let_go_leaves_no_circles_of_its_size() -> None:
    text = many(ROBOT, 200, lambda i: f'<link name="l{i}"/>').encode()
    gc.collect()
    gc.disable()
    try:
        release([parse(text, ReaderContext(file="a.urdf", folder=Path()), "urdf")])
        assert gc.collect() < 30
    finally:
        gc.enable()


def test_parts_of_one_thing_are_not_all_looked_at_again_for_each() -> None:
    """A mesh of many groups: folding its parts into one again, and the members of its primitives."""

    def folded(count: int) -> Callable[[], object]:
        names = [f"m_{number}" for number in range(count)]
        geoms = tuple(Geom(name=name, role=Role.VISUAL, shape=Mesh(asset=name)) for name in names)
        assets = [Asset(name=name, uri="m.obj") for name in names]
        scene = Scene("s").evolve(bodies=[Body(name="a", geoms=geoms)], tables={"asset": assets})
        return lambda: fold(scene, {"geom": {"m": names}, "asset": {"m": names}})

    def spread(count: int) -> Callable[[], object]:
        item = {"primitives": [{"attributes": {"POSITION": number}} for number in range(count)]}
        return lambda: _flatten(item, "", {})

    for work in (folded, spread):
        work(2)()  # imports as well
        few, many = (operations(work(count)) for count in (100, 400))
        assert many < 4.4 * few
