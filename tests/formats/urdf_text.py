"""Small URDF documents for tests, and the results of reading and writing them."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from converters.context import Options, Output, ReaderContext, WriterContext
from converters.urdf.reader import read
from converters.urdf.writer import write
from ir.scene import Scene

FOLDER = Path("/nowhere")


def context(**options: object) -> WriterContext:
    return WriterContext(file="model.urdf", folder=FOLDER, options=Options(**options))


def robot(*parts: str, head: str = 'name="r"') -> str:
    return f"<robot {head}>{''.join(parts)}</robot>"


def arm(joint: str, kind: str = "revolute", name: str = "j") -> str:
    """Two links a and b with one joint between them."""
    ends = '<parent link="a"/><child link="b"/>'
    return robot('<link name="a"/><link name="b"/>', f'<joint name="{name}" type="{kind}">{ends}{joint}</joint>')


def scene_of(text: str | bytes) -> Scene:
    return noted(text)[0]


def noted(text: str | bytes) -> tuple[Scene, list[str]]:
    """Return the scene, and the rules of the notes of reading; every item of the source is accounted for."""
    used = ReaderContext(file="model.urdf", folder=FOLDER)
    scene = read(text if isinstance(text, bytes) else text.encode(), used)
    for document in used.documents:
        document.totals()
    return scene, [note.rule for note in used.notes]


def output_of(scene: Scene, **options: object) -> Output:
    return write(scene, context(**options))


def element_of(scene: Scene, **options: object) -> etree._Element:
    """Return the written document, parsed by lxml."""
    return etree.fromstring(output_of(scene, **options).document)


def again(text: str | bytes) -> etree._Element:
    """Read, write, and parse the result with lxml."""
    return element_of(scene_of(text))


def stable(text: str | bytes) -> Scene:
    """Assert that writing and reading again changes nothing, and that a second writing gives the same bytes."""
    scene = scene_of(text)
    first = output_of(scene).document
    back = scene_of(first)
    assert back == scene
    assert back.notation == scene.notation
    assert output_of(back).document == first
    return scene
