"""MJCF reader."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.mjcf.assets.elements import read_assets, read_flexible, settle_sizes
from converters.mjcf.bodies.tree import read_bodies
from converters.mjcf.document.compiler import mark_used, read_settings
from converters.mjcf.document.copies import mark
from converters.mjcf.document.defaults import Defaults
from converters.mjcf.document.demands import note_refused
from converters.mjcf.document.dialect import note_unlimited_ranges, to_current_words
from converters.mjcf.document.files import name_files
from converters.mjcf.document.include import UNFOUND, assemble
from converters.mjcf.document.loading import MjcfLoading, Part
from converters.mjcf.relations.constraints import Followed
from converters.mjcf.relations.demands import note_refused_defaults, note_refused_relations
from converters.mjcf.relations.keyframes import read_attached, read_keyframes
from converters.mjcf.relations.option import read_option, tell_overridden
from converters.mjcf.relations.sections import read_relations
from converters.mjcf.tables import COMPILERS, FORMAT, SECTIONS, SPELLING, TEXT_PREFIX
from converters.mjcf.writing.rendering import spelling
from converters.source.carried import verify_checksum
from converters.source.parsing import NAMESPACE, parse
from converters.source.xml import Node, joined_source
from ir.mapping import map_dofs
from ir.plain import as_json
from ir.scene import Scene
from ir.types import Dof, Source

MISSING = frozenset({"REF-MISSING", "MJCF-CLASS"})
"""Rules about names of things that are not in the document."""
MOST_BESIDE, LARGEST_BESIDE = 100, 2**20
"""How many files beside a refused one are searched for an <include> of it, and their size in bytes."""
ATTACHED = f"{FORMAT}:attached"
"""Format of extras from attached models, which are not part of the document itself."""


def read(data: bytes, context: ReaderContext) -> Scene:
    """Return the model that an MJCF document describes, with notes on its author's spelling.

    Raises InputError, with the line, if it is not MJCF.
    """
    try:
        return _read(data, context)
    except InputError as error:
        hint = _whereabouts(data, context) if error.rule in MISSING else ""
        if not hint:
            raise
        raise InputError(f"{error.message}; {hint}", error.source, error.rule) from error
    except (ArithmeticError, ValueError) as error:  # numbers too large or too small to compute with
        place = Source(context.file, 1, "/mujoco")
        raise InputError(
            f"this model contains numbers that are too large or too small to compute with: {error}", place
        ) from error


def _whereabouts(data: bytes, context: ReaderContext) -> str:
    """A hint at where a name may be that is not in the document: in an included file that is not there, or in a file
    that includes this one; "" if neither is known."""
    missing = (f"{note.before} may have it, but {note.reason}" for note in context.notes if note.rule == UNFOUND)
    return next(missing, "") or _includer(Path(context.file), data)


def _includer(file: Path, data: bytes) -> str:
    """A hint at the file that includes this one, or that there may be one; "" for a model of its own."""
    beside = sorted(file.parent.glob("*.xml"))[:MOST_BESIDE] if file.is_file() else []
    said = re.compile(rb"<include\b[^<>]*\bfile\s*=\s*[\"'](\./)?" + re.escape(file.name.encode()) + rb"[\"']")
    for each in beside:
        if each.is_file() and each.stat().st_size < LARGEST_BESIDE and said.search(each.read_bytes()):
            return f"{each.name} includes this file: convert that one"
    return "" if b"<body" in data else "this file has no bodies: if another file includes it, convert that one"


def _read(data: bytes, context: ReaderContext) -> Scene:
    scene, part = parse_scene(data, context)
    if not context.again:
        _tell_refused(scene, context, data)
        tell_overridden(part.root, context)
    if not all(error.rule == "NAME-DUP" for error in context.faults.found):
        scene.notation[SPELLING] = ""  # a faulty document cannot be written as it was
    elif not context.again and (context.bare or _native(scene.carried)):
        scene.notation[SPELLING] = spelling(scene, part)
    return scene


def _native(carried: Mapping[str, str]) -> bool:
    """Whether a document is in the words of its author, by what it carries: nothing but addresses, or those words."""
    return all(key.startswith("asset/") for key in carried) or f'"{SPELLING}"' in carried.get("scene", "")


def _tell_refused(scene: Scene, context: ReaderContext, data: bytes) -> None:
    """Report what MuJoCo refuses in a document. It is kept as written."""
    from converters.mjcf.meaning.body_demands import note_refused_bodies
    from converters.mjcf.relations.references import note_dangling_names

    note_dangling_names(scene, context, partial(_whereabouts, data, context))
    note_refused_relations(scene, context)
    note_refused_bodies(scene, context)


def parse_scene(data: bytes, context: ReaderContext, whole: bool = True, told: bool = True) -> tuple[Scene, Part]:
    """Return the scene of a document, without spelling notes, and its part.

    whole: with the keyframes of attached models. told: report what MuJoCo refuses in it.
    """
    root = parse(data, context, FORMAT, "mujoco", SECTIONS).root
    assemble(root, context)
    to_current_words(root, context)
    part = Part(root, read_settings(root), Defaults(root))
    name_files(part, context)
    scene = Scene(root.get("model") or "")
    loading = MjcfLoading(context, scene)
    loading.reserve(root)
    for section in root.children("custom"):
        _read_carried(section, scene, context)
    verify_checksum(scene, context)
    read_assets(loading, part)
    compilers = read_bodies(loading, part)
    read_flexible(loading, part)
    settle_sizes(scene)
    read_option(root.children("option"), scene)
    mimics: dict[str, Followed] = {}
    read_relations(loading, part, mimics)
    read_keyframes(root.children("keyframe"), scene)
    if whole:
        _read_attached_keyframes(loading, part)
    for each in loading.parts:  # it is declared in this document, in case the other can no longer be attached
        part.settings.used.update(each.settings.used & {"autolimits"})
    marked: set[Node] = set()
    for each in (part, *loading.parts):
        if each.root not in marked:
            if not each.settings.autolimits:
                note_unlimited_ranges(each.root, each.defaults, context)
            if told:
                note_refused(each.root, each.defaults, each.settings.autolimits, context)
                note_refused_defaults(each.defaults, context)
        marked.add(each.root)
        mark_used(each.root, each.settings)
    attached = (extra for document, _ in loading.opened.values() for extra in document.root.rest())
    extras = (*root.rest(), *(replace(extra, format=ATTACHED) for extra in attached))
    if mimics:
        scene = map_dofs(scene, lambda dof: _with_mimic(dof, mimics))
    scene.notation |= {name: uri for name, uri in root.document.namespaces.items() if uri != NAMESPACE}
    if compilers:
        scene.notation[COMPILERS] = as_json(compilers)
    scene.extras = extras
    return scene, part


def _read_attached_keyframes(loading: MjcfLoading, part: Part) -> None:
    """Read keyframes of attached models, which are vectors over a whole model: each model is first read by itself."""
    alone: dict[Node, Scene] = {}
    for each in loading.parts:
        sections = each.root.children("keyframe")
        if each.root is part.root or not sections:
            continue
        if each.root not in alone:
            file = each.root.document.file
            context = _context_of_attached(loading.context, Path(file))
            alone[each.root] = parse_scene(loading.context.content(file), context, whole=False, told=False)[0]
        called = partial(_name_in_attached, loading, each.prefix)
        read_attached(loading.scene, alone[each.root], each.prefix, called)
        for node in sections:
            mark(node)


def _context_of_attached(context: ReaderContext, file: Path) -> ReaderContext:
    """Return the context of an attached model: its files are relative to its own file."""

    def find_model(uri: str) -> tuple[str | None, str]:
        found = context.find_model(str((file.parent / uri).absolute()))
        return found if found[0] is not None else context.find_model(uri)

    if isinstance(context.beside.get(str(file)), bytes):
        above, files = file.parent.as_posix(), context.beside.items()
        context = replace(context, beside={posixpath.relpath(name, above): data for name, data in files})
    return context.of_file(str(file), folder=file.parent, find_model=find_model, documents=[], notes=[])


def _name_in_attached(loading: MjcfLoading, prefix: str, kind: str, name: str) -> str:
    """Return the name of an object of an attached model; of several copies that of the first."""
    whole = f"{prefix}{name}"
    return whole + next(iter(loading.suffixes.get((kind, whole), ("",))))


def _with_mimic(dof: Dof, followers: dict[str, Followed]) -> Dof:
    found = followers.get(dof.name)
    if found is None or dof.source is None:
        return dof
    return replace(dof, mimic=found.mimic, source=joined_source(dof.source, found.source))


def _read_carried(section: Node, scene: Scene, context: ReaderContext) -> None:
    for node in section.elements():
        if node.tag == "text" and node.attrs.get("name", "").startswith(TEXT_PREFIX):
            data = node.visit().attempt(node.need, "data")
            if data is not None:
                key = node.need("name").removeprefix(TEXT_PREFIX)
                scene.carried[key] = str(data)
                context.pieces[key] = node.source
