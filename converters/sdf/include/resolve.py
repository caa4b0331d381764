"""<include>: find the file of a URI, in local folders only, and choose the model in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from converters.assets.fuel import is_fuel
from converters.assets.resolve import AMBIGUOUS
from converters.context import ReaderContext
from converters.sdf.document.demands import note_refused, trim
from converters.sdf.document.loading import Included, SdfLoading
from converters.sdf.document.values import merges, text
from converters.sdf.include.package import CONFIG, newest_document
from converters.sdf.include.params import make_changes
from converters.sdf.tables import FORMAT, NEWEST, OLDEST, Version, version_of, version_text
from converters.source.files import MAX_BYTES
from converters.source.parsing import parse
from converters.source.text import NUMBER, words
from converters.source.tree import Element
from converters.source.xml import Document, Node

DEEPEST = 32
"""The maximum depth of nested includes."""
MOST = 5_000
"""The maximum number of files included by one document; files that include each other twice double at every level."""
ROOTS = ("sdf", "gazebo")
TOPS = ("model", "actor", "light")
UNMERGEABLE = "MERGE_INCLUDE_UNSUPPORTED"
WORLD_MERGE: Version = (1, 10)
ROBOT = "robot"
"""The root element of a URDF."""


def open_document(data: bytes, context: ReaderContext) -> tuple[Document, Version]:
    """Parse an SDF file; return the document and its version. Raises InputError for anything but SDF."""
    document = parse(data, context, FORMAT)
    root = document.root
    if root.tag not in ROOTS:
        raise root.fail(f"the root element is <{root.tag}>, not <sdf>")
    _tidy(root, context)
    version = _version(document, context)
    note_refused(root, version, context)
    return document, version


def _tidy(root: Node, context: ReaderContext) -> None:
    """Remove what libsdformat ignores: blanks around attribute values, and commas after the numbers of poses."""
    trim(root)
    for node in root.below():
        said = node.own_text() if node.tag == "pose" else ""
        given = words(said)
        plain = [word.rstrip(",") for word in given]
        if plain != given and all(map(NUMBER.match, plain)):
            after = " ".join(plain)
            node.content[node.content.index(node.first_text() or "")] = after
            reason = "commas after the numbers of a pose: libsdformat ignores them"
            context.note("sdf/comma", "document", reason, node.source, before=said, after=after, severity="note")


def _version(document: Document, context: ReaderContext) -> Version:
    root = document.root
    word = root.get("version")
    version = version_of(word)
    place = root.place("version") if word is not None else root.source
    if version is None:
        if root.tag == "sdf":
            reason = "an SDF file needs a version (FILE_READ); read as the newest"
            context.note("sdf/file-read", "scene", reason, place, before=word or "", severity="error")
        return NEWEST if root.tag == "sdf" else (1, 2)
    if not OLDEST <= version <= NEWEST:
        reason = f"versions {version_text(OLDEST)} to {version_text(NEWEST)} are known; read as the newest"
        context.note("sdf/version", "scene", reason, place, before=word or "")
        version = NEWEST
    return version


def find_include(node: Node, files: tuple[str, ...], loading: SdfLoading) -> Included | None:
    """Return the included model with the <include>'s changes; None if missing: an error is noted, and the element
    stays.

    The result is cached per element. Raises InputError for files that include each other.
    """
    if node not in loading.brought:
        loading.brought[node] = _included_before_changes(node, files, loading)
    return loading.brought[node]


def _included_before_changes(node: Node, files: tuple[str, ...], loading: SdfLoading) -> Included | None:
    child = node.peek("uri", "filename")
    uri = uri_of(node)
    where = f"include/{uri}"
    if not uri:
        loading.fault("ATTRIBUTE_MISSING", where, "an <include> needs a <uri>; it is left as it is", node.source)
        return None
    path, why = model_file(uri, Path(node.document.file).parent, loading)
    if path is None:
        way = "gz fuel download puts it where it is found" if is_fuel(uri) else "say where with --resource-path DIR"
        reason = f"the included model was not found; it is left as it is: {why or way}"
        loading.fault("URI_LOOKUP", where, reason, node.source, uri, "noted")
        return None
    real = str(path.resolve())
    if real in files:
        files = (*files, real)
        names = {file: Path(file).name for file in files}
        alike = len({*names.values()}) < len(names)  # most models are in a file model.sdf
        chain = " -> ".join("/".join(Path(file).parts[-2:]) if alike else names[file] for file in files)
        raise node.fail(f"the files include each other in a circle: {chain}")
    if len(files) > DEEPEST:
        raise node.fail(f"more than {DEEPEST} files include each other in a row")
    document = _included_document(path, node, where, loading)
    if document is None:
        return None
    included = _version(document, loading.context)
    note_refused(document.root, included, loading.context)
    top = _top_element(document, where, uri, node, loading)
    if top is None:
        return None
    node.visit()
    text(node, "uri" if child is None or child.tag == "uri" else "filename")
    brought = Included(top.visit(), included, (*files, real))
    make_changes(node, brought.node, lambda inner: find_include(inner, brought.files, loading), loading)
    return brought


def uri_of(include: Element) -> str:
    """Return the URI of an <include>; "" if it gives none."""
    named = next((item for item in include.elements() if item.tag in ("uri", "filename")), None)
    text = named.own_text() if named is not None else ""
    return text or include.attrs.get("filename", "") or include.attrs.get("uri", "")


def _included_document(path: Path, node: Node, where: str, loading: SdfLoading) -> Document | None:
    """Return the document of an SDF file, or the SDF made from a URDF; None for any other file. Raises InputError."""
    data = _content_within_bounds(path, node, loading)
    context = loading.context.of_file(str(path), folder=path.parent, documents=[])
    document = parse(data, context, FORMAT)
    if document.root.tag == ROBOT:
        from converters.sdf.include.urdf import sdf_of_urdf

        document, notes = sdf_of_urdf(path, data, loading)
        loading.context.notes += notes
        return document
    if document.root.tag not in ROOTS:
        reason = f"the included file is <{document.root.tag}>, neither SDFormat nor URDF; the element is left as it is"
        loading.context.note("sdf/included-format", where, reason, node.source, before=path.name, action="ignored")
        return None
    _tidy(document.root, loading.context)
    loading.context.documents.append(document)
    loading.included.append(document)
    return document


def _content_within_bounds(path: Path, node: Node, loading: SdfLoading) -> bytes:
    """Return the content of a file, counting it towards the limits on included files. Raises InputError."""
    try:
        loading.size += path.stat().st_size
        if len(loading.included) >= MOST or loading.size > MAX_BYTES:
            raise node.fail(f"the document includes more than {MOST} files or {MAX_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise node.fail(f"the included file {path} cannot be read: {error.strerror or error}") from error


def _top_element(document: Document, where: str, uri: str, node: Node, loading: SdfLoading) -> Node | None:
    """Return the included model or light, the first of several; None if there is none, or for an actor."""
    found = [item for tag in TOPS for item in document.root.findall(tag)]
    if not found:
        loading.fault("ELEMENT_MISSING", where, "the included file has no model and no light", node.source, uri)
        return None
    if len(found) > 1:
        reason = "an included file contains one model; the first one is used (ELEMENT_INCORRECT_TYPE)"
        loading.context.note("sdf/element-incorrect-type", where, reason, found[1].source, before=uri, severity="error")
    if found[0].tag != "actor":
        return found[0]
    if merges(node):
        loading.fault(UNMERGEABLE, where, unmergeable(found[0], False, NEWEST), node.source, uri)
    return None


def unmergeable(top: Element, world: bool, version: Version) -> str:
    """Return why an <include> cannot merge the included model into its parent model or world; "" if it can."""
    if top.tag != "model":
        return f"only a model can be merged, and this is <{top.tag}>"
    if world and version < WORLD_MERGE:
        return "worlds accept merged models since SDF 1.10: here it stays a model of its own"
    if world and any(item.tag in ("link", "gripper") for item in top.elements()):
        return "a world cannot contain links and grippers: here it stays a model of its own"
    return ""


def model_file(uri: str, folder: Path, loading: SdfLoading) -> tuple[Path | None, str]:
    """Return the file of a model: the file at the URI, or the newest one listed in the model.config of that folder. If
    there is none, the second value gives a reason other than "not found", if any."""
    if (uri, folder) not in loading.models:
        loading.models[uri, folder] = _model_file(uri, folder, loading)
    return loading.models[uri, folder]


def _model_file(uri: str, folder: Path, loading: SdfLoading) -> tuple[Path | None, str]:
    if "://" in uri:
        return _first_found((uri, f"{uri.rstrip('/')}/{CONFIG}"), loading)
    for path in (folder / uri / CONFIG, folder / uri):
        place = loading.at(path)
        if place is not None:
            return _document_in_folder(place), ""
    if Path(uri).is_absolute() or ".." in Path(uri).parts:
        return None, ""
    return _first_found((f"model://{uri.rstrip('/')}/{CONFIG}", f"model://{uri}"), loading)


def _first_found(addresses: Iterable[str], loading: SdfLoading) -> tuple[Path | None, str]:
    several = ""
    for address in addresses:
        found, why = loading.context.find_model(address)
        if found is not None:
            return _document_in_folder(Path(found)), ""
        several = why if AMBIGUOUS in why else several
    return None, several


def _document_in_folder(path: Path) -> Path | None:
    return newest_document(path) if path.name == CONFIG else path
