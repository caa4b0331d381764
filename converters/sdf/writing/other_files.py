"""Files that an SDFormat document names but the graph does not have: further maps of materials, skins, sounds ...

If the output is in another folder, they are copied to where the document expects them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path, PurePosixPath

from converters.context import Note, WriterContext
from converters.source.tree import Element

HOLDERS = {
    "filename": ("animation", "skin"),
    "texture": ("projector",),
    "uri": ("audio_source",),
    "diffuse": ("texture",),
    "normal": ("texture",),
}
"""Elements whose text is a file name -> their possible parents; also all elements whose name ends in _map."""
MORE = ("color_range_image", "cubemap_uri")


def other_files(root: Element, taken: Container[str], context: WriterContext) -> tuple[dict[str, Path], list[Note]]:
    """Return files by the relative path that the document gives them, except those that are taken; and notes of those
    not found."""
    files: dict[str, Path] = {}
    notes: list[Note] = []
    if context.target is None:
        return files, notes
    away = context.target.parent.resolve() != context.folder.resolve()
    for place in dict.fromkeys(_addresses_in(root)):
        path = PurePosixPath(place)
        if place in taken or not path.name or path.is_absolute() or ".." in path.parts or "://" in place:
            continue
        found, rule = context.find(place)
        if found is None:
            reason = f"what names it stays as it is: {rule}"
            notes.append(Note(rule="assets/missing", where="document", before=place, reason=reason, action="noted"))
        elif away:
            files[place] = Path(found)
    return files, notes


def _addresses_in(root: Element) -> Iterator[str]:
    for element in root.below():
        for child in element.content:
            if isinstance(child, Element):
                word = child.tag
                if word.endswith("_map") or word in MORE or element.tag in HOLDERS.get(word, ()):
                    yield child.own_text().strip()
