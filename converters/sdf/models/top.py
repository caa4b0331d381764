"""Choose which world or model of a document is read."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from converters.context import ReaderContext
from converters.faults import did_you_mean
from converters.sdf.document.loading import SdfLoading
from converters.sdf.include.resolve import open_document
from converters.sdf.models.models import all_models, collect, ground_models, unscoped_models
from converters.source.xml import Node
from ir.scene import Scene

TOPS = ("world", "model")


def choose_top(root: Node, data: bytes, context: ReaderContext) -> Node:
    """Return the world or model to read: the one with the requested name, or the one that contains it; else the first,
    worlds before models. Raises InputError if the requested name is not found."""
    found = [item for tag in TOPS for item in root.findall(tag)]
    if context.options.model is not None:
        found = _tops_asked_for(context.options.model, found, root, data, context)
    _check_tops(root, context)
    if not found:
        return root
    others = [item for item in found[1:] if item.tag == "model" or item.tag == found[0].tag]
    code = "ELEMENT_INCORRECT_TYPE" if found[0].tag == "model" else ""
    reason = f"a file contains one of them; the first is read, this one is kept as it is ({code or 'see --model'})"
    for item in others:
        context.note(
            "sdf/element-incorrect-type" if code else "sdf/several-worlds",
            "scene",
            reason,
            item.source,
            before=item.attrs.get("name", ""),
            action="ignored",
            severity="error" if code else "warning",
        )
    return found[0]


def _tops_asked_for(wanted: str, tops: list[Node], root: Node, data: bytes, context: ReaderContext) -> list[Node]:
    """Return the worlds and models of that name; if there are none, those that contain a model of that name."""
    named = [item for item in tops if item.attrs.get("name") == wanted]
    if named:
        return named
    inside, absent = _names_of_models(data, context)
    named = [item for item, models in zip(tops, inside, strict=True) if wanted in models]
    if not named:
        there = [
            name for item, models in zip(tops, inside, strict=True) for name in (item.attrs.get("name", ""), *models)
        ]
        rest = f"; what the file includes of {', '.join(absent)} was not found" if absent else ""
        raise root.fail(f"there is no world or model named {wanted!r}{did_you_mean(wanted, there)}{rest}")
    return named


def _check_tops(root: Node, context: ReaderContext) -> None:
    """Check that a document has one model, light or actor beside its worlds, whose names must be unique."""
    single = [item for item in root.elements() if item.tag in ("light", "actor", "model")]
    others = [item for item in single[1:] if item.tag != "model" or single[0].tag != "model"]
    worlds = Counter(item.attrs.get("name") for item in root.findall("world"))
    twice = [name for name, count in worlds.items() if count > 1]
    for item in others:
        reason = "a file contains one model, light or actor (ELEMENT_INCORRECT_TYPE)"
        context.note("sdf/element-incorrect-type", "scene", reason, item.source, severity="error")
    if twice:
        reason = f"two worlds are named {twice[0]!r} (DUPLICATE_NAME)"
        context.note("sdf/duplicate-name", "scene", reason, root.source, severity="error")


def _names_of_models(data: bytes, context: ReaderContext) -> tuple[list[list[str]], list[str]]:
    """Return the names of the models in each world or model of a document, found by a separate reading because includes
    add some; and the URIs that were not found."""
    aside = replace(context, documents=[], notes=[])
    document, version = open_document(data, aside)
    tops = [item for tag in TOPS for item in document.root.findall(tag)]
    roots = [collect(top, top.tag == "world", version, SdfLoading(aside, Scene(""))) for top in tops]
    absent = dict.fromkeys(note.before for note in aside.notes if note.rule == "sdf/uri-lookup")
    names = [
        [
            *(model.name for model in unscoped_models(root)),
            *(name for name, _ in ground_models(root)),
            *(model.path for model in all_models(root) if model.path),
        ]
        for root in roots
    ]
    return names, [*absent]
