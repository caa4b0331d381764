"""<frame>, <replicate> and <attach>: containers that place other elements and do not appear in the graph."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from converters.mjcf.assets.elements import read_assets
from converters.mjcf.assets.meshes import inertia_mode
from converters.mjcf.document.compiler import from_euler, read_pose, read_settings
from converters.mjcf.document.copies import mark
from converters.mjcf.document.defaults import MAIN, Defaults, Resolved
from converters.mjcf.document.dialect import to_current_words
from converters.mjcf.document.files import name_files
from converters.mjcf.document.include import assemble
from converters.mjcf.document.loading import MOST_COPIES, MjcfLoading, Nesting, Part
from converters.mjcf.document.scaling import ATTRIBUTES, STRETCHED, Scale, read_size, scaled, sized_pose, times
from converters.mjcf.document.schema import misread
from converters.mjcf.tables import INCLUDED, SECTIONS
from converters.paths import way_to
from converters.source.parsing import parse
from converters.source.shadow import shadow
from converters.source.xml import Document, Node
from ir.names import unique
from ir.pose import transform
from ir.types import IDENTITY, Asset, Pose

MOST_PARTS = 2000
"""Maximum number of attachments, each with its own prefix; the relations are read again for every one."""
DEEPEST = 40
"""Maximum depth of nested attachments; deeper ones are treated as circular."""


def elements_of_body(loading: MjcfLoading, node: Node, place: Nesting) -> list[tuple[Node, Nesting]]:
    """Return the elements of a body in document order, with containers expanded and copies repeated."""
    found: list[tuple[Node, Nesting]] = []
    stack = [(child, place) for child in reversed(node.elements())]
    while stack:
        child, here = stack.pop()
        if child.tag == "frame":
            stack += [*_children(child, _in_frame(loading, child, here))][::-1]
        elif child.tag == "replicate":
            copies = _copies(loading, child, here)
            items = [*_children(child, copies[0])]
            items += [(shadow(each), copy) for copy in copies[1:] for each in child.elements()]
            stack += reversed(items)
        elif child.tag == "attach":
            stack += (child.attempt(lambda node, at: list(_attached(loading, node, at)), child, here) or [])[::-1]
        else:
            if here.suffix or here.way:
                loading.count(child)
            found.append((child if here.size is None else _scaled_node(loading, child, here, here.size), here))
    return found


def _children(node: Node, place: Nesting) -> Iterator[tuple[Node, Nesting]]:
    return ((child, place) for child in node.elements())


def class_of(node: Node, place: Nesting) -> str:
    """Return the default class that the content of an element inherits. Refuses a missing class."""
    given = node.get("childclass")
    name = place.childclass if given is None else given
    if name not in place.part.defaults.classes:
        node.refuse(f"<{node.tag}> names the default class {name!r}, which does not exist", "MJCF-CLASS")
        return place.childclass if place.childclass in place.part.defaults.classes else MAIN
    place.part.defaults.use(name)
    return name


def _in_frame(loading: MjcfLoading, node: Node, place: Nesting) -> Nesting:
    node.visit()
    pose = sized_pose(read_pose(Resolved(node, [], MAIN), place.part.settings), place.size)
    size, known = read_size(node, place.size)
    if not known:
        loading.context.note(
            STRETCHED,
            "document",
            "MuJoCo scales or refuses what is in this frame; it is read at the size that is written",
            node.source,
            before=" ".join(f"{name}={node.attrs[name]!r}" for name in ATTRIBUTES if name in node.attrs),
            action="approximated",
            elsewhere=True,
        )
    return place._replace(pose=place.inside(pose), childclass=class_of(node, place), size=size)


def _scaled_node(loading: MjcfLoading, node: Node, place: Nesting, size: Scale) -> Node:
    part = place.part
    shell = False
    if node.tag == "geom":
        element = part.defaults.of(node, place.childclass)
        asset = loading.scene.assets.get(part.names.get(("mesh", element.look("mesh") or ""), ""))
        shell = element.look("shellinertia") == "true" or (asset is not None and inertia_mode(asset) == "shell")
    found = scaled(node, size, part.defaults, place.childclass, shell)
    if found is not node:
        mark(node)
    return found


def _count(node: Node) -> int:
    text = node.need("count")
    fault, rule = misread("body/replicate", "count", text)
    if fault or len(text.split()) != 1:
        raise node.fail(f"<replicate count={text!r}>: {fault or 'one whole number'}", rule or "NUM-COUNT")
    count = int(text)
    if not 0 < count <= MOST_COPIES:
        raise node.fail(f"<replicate count={text!r}> must be above zero, and no more than {MOST_COPIES}", "NUM-RANGE")
    return count


def _copies(loading: MjcfLoading, node: Node, place: Nesting) -> list[Nesting]:
    """Return the place of each copy: moved by the offset in the previous frame, rotated by k times the angles."""
    node.visit()
    count = node.attempt(_count, node) or 1
    loading.count(node, count)
    separator = node.get("sep") or ""
    x, y, z = node.vector("offset", 3) or (0.0, 0.0, 0.0)
    x, y, z = times((x, y, z), place.size)
    a, b, c = node.vector("euler", 3) or (0.0, 0.0, 0.0)
    childclass = class_of(node, place)
    digits = len(str(count))  # as MuJoCo: ten copies are 00 to 09
    pose, places = IDENTITY, []
    loading.replications += 1
    for number in range(count):
        suffix = f"{separator}{number:0{digits}d}{place.suffix}"
        copy = (*place.copy, loading.replications, number)
        places.append(place._replace(pose=place.inside(pose), childclass=childclass, suffix=suffix, copy=copy))
        turned = from_euler(((number + 1) * a, (number + 1) * b, (number + 1) * c), place.part.settings)
        pose = Pose(transform(pose, (x, y, z)), turned)
    return places


# -------------------------------------------------------------------------------------------------------------- attach


def _attached(loading: MjcfLoading, node: Node, place: Nesting) -> Iterator[tuple[Node, Nesting]]:
    """Yield a body, a frame or the whole of another model (or of this one), with a prefix on all names.

    If the target is not found, the element is kept and a finding is added.
    """
    model, body, frame = (node.attrs.get(name) for name in ("model", "body", "frame"))
    if len(place.way) >= DEEPEST:
        raise node.fail("<attach> runs in a circle", "MJCF-ATTACH")
    part = _part_attached(loading, node, place)
    found = _target(part, body, frame, node if model is None else None) if part is not None else None
    if part is None or found is None:
        wanted = f"model {model!r}" if part is None else f"body {body!r}" if body else f"frame {frame!r}"
        loading.context.note(
            "mjcf/attach-missing",
            "document",
            "what is to be attached here was not found; the element stays as it is",
            node.source,
            before=wanted,
            action="dropped",
            severity="error",
        )
        return
    node.visit()
    for name in ("model", "body", "frame", "prefix"):
        node.get(name)
    if model is None:
        loading.used |= set(found)  # attached from this document, where it stays as well
    way = (*place.way, _turn(loading, place.part.root, node))
    if (part.root, part.prefix) not in loading.known:
        part.way = way
        loading.known.add((part.root, part.prefix))
        loading.parts.append(part)
        if len(loading.parts) > MOST_PARTS:
            raise node.fail(f"<attach>: more than {MOST_PARTS} models are attached", "XML-SIZE")
    for top in found:
        for above in top.above():
            above.visit()
        if top in loading.used:
            top = shadow(top)
            if model is None:
                _end_before(top, node)
        loading.used.add(top)
        inner = place._replace(part=part, childclass=_class_above(top), way=way)
        if top.tag == "worldbody":
            top.visit()
            yield from _children(top, inner)
        else:
            yield top, inner


def _part_attached(loading: MjcfLoading, node: Node, place: Nesting) -> Part | None:
    """The model that an <attach> names, or this one, with the prefix of all its names; None where it is not found."""
    model, prefix = node.attrs.get("model"), node.attrs.get("prefix") or ""
    part = place.part if model is None else _model(loading, place.part, model, prefix)
    whole = place.part.prefix + prefix  # that of the model is another one inside what this model attaches of itself
    return part if part is None or (model is not None and part.prefix == whole) else replace(part, prefix=whole)


def _end_before(top: Node, node: Node) -> None:
    """Remove an element and all that follows it from a copy of an ancestor: MuJoCo has read no more at that point."""
    here = next((each for each in top.below() if (each.file, each.turn) == (node.file, node.turn)), top)
    kept = 0
    while here is not top:
        above = here.parent
        assert above is not None
        del above.content[above.content.index(here) + kept :]
        here, kept = above, 1


def _turn(loading: MjcfLoading, root: Node, node: Node) -> int:
    """Return the index of this <attach> in its document, by which MuJoCo orders attached models."""
    if root not in loading.turns:
        attaches = (each for each in root.below() if each.tag == "attach")
        loading.turns[root] = {(each.file, each.turn): turn for turn, each in enumerate(attaches)}
    return loading.turns[root].get((node.file, node.turn), 0)


def _target(part: Part, body: str | None, frame: str | None, before: Node | None) -> list[Node] | None:
    """Return the nodes to attach, or None; before: a node of the same document before which the target must begin."""
    if body is None and frame is None:
        return part.root.children("worldbody")
    tag, name = ("body", body) if body is not None else ("frame", frame)
    stack: list[Node] = part.root.findall("worldbody")[::-1]
    while stack:
        node = stack.pop()
        if node.tag == tag and node.attrs.get("name") == name:
            return [node]
        if before is not None and (node.file, node.turn) == (before.file, before.turn):
            return None
        stack.extend(reversed(node.elements()) if node.tag != "replicate" else ())  # names in there get suffixes
    return None


def _class_above(node: Node) -> str:
    return next((name for above in node.above() if (name := above.attrs.get("childclass"))), MAIN)


def name_attached(loading: MjcfLoading, part: Part, above: tuple[str, ...] = ()) -> None:
    """Register in a model the names of the assets of all models that it attaches. above: the files that contain it."""
    if next(_models(part.root), None) is None:
        return
    worlds = part.root.findall("worldbody")
    for node in (each for world in worlds for each in world.below() if each.tag == "attach"):
        if node.attrs.get("model"):
            node.attempt(_model, loading, part, node.attrs["model"], node.attrs.get("prefix") or "", above)


def _model(
    loading: MjcfLoading, owner: Part, name: str, prefix: str, above: tuple[str, ...] | None = None
) -> Part | None:
    """Return the model of that name under that prefix, and add its assets; None if it is not found."""
    key = f"{prefix}\0{name}"
    if key in owner.models:
        return owner.models[key]
    place = next((item for item in _models(owner.root) if _has_model_name(loading, item, name)), None)
    found = _file_of_model(loading, place) if place is not None else None
    if place is None or found is None:
        return None
    loading.models += 1
    if loading.models > MOST_PARTS:
        raise place.fail(f"<attach>: more than {MOST_PARTS} models are attached", "XML-SIZE")
    place.visit()
    place.get("name")
    uri = place.need("file")
    document = _document_of_model(loading, place, found)
    if found not in loading.attached:
        loading.attached[found] = document
        _keep_document(loading, place, uri, found, name)
        for other in loading.opened[found][1]:
            address = posixpath.join(posixpath.dirname(uri), way_to(other, Path(found).parent))
            _keep_document(loading, place, posixpath.normpath(address), other, Path(other).stem, ((INCLUDED, ""),))
    root = loading.attached[found].root
    folder = uri.rpartition("/")[0]
    part = owner.models[key] = Part(
        root,
        replace(read_settings(root), strippath=owner.settings.strippath),  # strippath of the whole model is used
        Defaults(root),
        folder=f"{folder}/" if folder else "",
        prefix=owner.prefix + prefix,
        lender=owner.lender + prefix,
    )
    if found not in loading.named:
        loading.named.add(found)
        name_files(part, loading.context)
    read_assets(loading, part)
    if above is not None and found not in above:
        name_attached(loading, part, (*above, found))
    for (kind, own), there in part.names.items():
        owner.names.setdefault((kind, f"{prefix}{own}"), there)
    return part


def keep_models(loading: MjcfLoading, root: Node) -> None:
    """Add the documents that a model references but never attaches: MuJoCo opens them all the same."""
    for node in _models(root):
        found = _file_of_model(loading, node) if not node.visited else None
        if found is not None:
            uri = node.visit().need("file")
            _keep_document(loading, node, uri, found, node.get("name") or Path(uri).stem)


def _has_model_name(loading: MjcfLoading, node: Node, name: str) -> bool:
    """Whether a <model> has this name; without a name it has the one of the model in its file."""
    own = node.attrs.get("name")
    if own:
        return own == name
    found = _file_of_model(loading, node)
    return (
        found is not None and _document_of_model(loading, node, found).root.attrs.get("model", "MuJoCo Model") == name
    )


def _file_of_model(loading: MjcfLoading, node: Node) -> str | None:
    uri = node.attrs.get("file", "")
    beside = loading.context.beside.get(posixpath.normpath(uri))
    if isinstance(beside, bytes):
        return posixpath.normpath(uri)
    return str(beside) if isinstance(beside, Path) else loading.context.find_model(uri)[0]


def _document_of_model(loading: MjcfLoading, node: Node, found: str) -> Document:
    if found in loading.opened:
        return loading.opened[found][0]
    if len(loading.opened) > DEEPEST:
        raise node.fail("<model>: too many models are attached to each other", "XML-SIZE")
    try:
        data = loading.context.content(found)
    except OSError as error:
        raise node.fail(f"<model>: {found}: {error.strerror or error}", "MJCF-ATTACH") from error
    documents = loading.context.documents
    document = parse(data, loading.context.of_file(found), node.document.format, "mujoco", SECTIONS)
    before = len(documents)
    assemble(document.root, loading.context)
    to_current_words(document.root, loading.context, attached=True)
    loading.opened[found] = document, [other.file for other in documents[before:]]
    return document


def _keep_document(
    loading: MjcfLoading, node: Node, uri: str, file: str, stem: str, said: tuple[tuple[str, str], ...] = ()
) -> None:
    """Add a document as an asset, so that it is copied with the model."""
    assets = loading.scene.tables["asset"]
    name = unique(stem, assets)
    label = stem if name != stem else None
    source = node.source
    assets[name] = Asset(name=name, label=label, uri=uri, kind="model", file=file, parameters=said, source=source)


def _models(root: Node) -> Iterator[Node]:
    return (node for section in root.findall("asset") for node in section.findall("model"))
