"""Contents of merged models: what is kept of them, and which steps of a document give it without the <include>."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from converters.sdf.document.loading import SdfLoading
from converters.sdf.document.values import pose_node, raw_pose, text
from converters.sdf.models.models import KINDS, Model, all_models, pose_text, tell_overridden
from converters.sdf.tables import FORMAT, Version
from converters.source.tree import Element, step
from converters.source.xml import Node
from ir.types import Extra

INCLUDE = f"{FORMAT}:include"
"""Format of extras from included files, which are not part of the document itself."""
_INSIDE = re.compile(r"(?:^|/)include\[\d+\]/")
LAST = 1 << 30
"""Position of an element after all others."""


def survives(tag: str) -> bool:
    """Whether an element without a meaning here is kept in a merge: a gripper, or an element of another program. An
    attribute of the model is not."""
    return tag == "gripper" or (":" in tag and not tag.startswith("@"))


def merged_rest(model: Model) -> Iterator[Extra]:
    """Yield the extras of models merged into this one: those that libsdformat keeps become extras of its own element,
    after all others."""
    counts: Counter[str] = Counter(item.tag for item in model.node.elements()) if model.node is not None else Counter()
    for merged in model.proxies.values():
        for extra in merged.node.rest() if merged.node is not None else ():
            tag, _ = step(extra.path.partition("/")[0])
            if "/" not in extra.path and survives(tag):
                counts[tag] += 1
                yield replace(extra, path=f"{tag}[{counts[tag]}]", index=LAST)
            else:
                yield replace(extra, format=INCLUDE)


def rest_outside(extras: Iterable[Extra]) -> Iterator[Extra]:
    """Yield extras of a document; those inside an <include> are marked as not part of it, where the included model
    replaces the <include>."""
    for extra in extras:
        yield replace(extra, format=INCLUDE) if _INSIDE.search(extra.path) else extra


def came_merged(parent: Model, base: str, proxy: str) -> bool:
    """Whether an item with this base came from a merged model, directly or through one merged into that."""
    while base != proxy and base in parent.proxies:
        base = parent.proxies[base].beneath
    return base == proxy


def merging_includes(loading: SdfLoading) -> dict[Node, tuple[Node, Version]]:
    """Return, for each included element, its <include> and the version of the file."""
    return {each.node: (include, each.version) for include, each in loading.brought.items() if each is not None}


def name_and_place_of_light(
    light: Node, brought: Mapping[Node, tuple[Node, Version]], loading: SdfLoading
) -> tuple[str, Node]:
    """Return the name of a light of a world and the element with its pose: those of an <include> override those of the
    light itself. brought: as returned by merging_includes."""
    name, own = light.get("name") or "", pose_node(light)
    if light not in brought:
        return name, light
    include, version = brought[light]
    called, placed = text(include, "name"), pose_node(include)
    if called:
        tell_overridden(f"light/{called}.name", name, called, light, loading)
    if placed is not None and own is not None:
        tell_overridden(f"light/{called or name}.pose", pose_text(own), pose_text(placed), own, loading)
        raw_pose(light, version)
    return called or name, light if placed is None else include


def include_steps(root: Model, loading: SdfLoading) -> dict[Element, list[str]]:
    """Return, for each <include>, the steps (converters.source.spelling) of the contents written out in its place."""
    found: dict[Element, list[str]] = {}
    for include, each in loading.brought.items():
        if each is not None and each.node.tag == "light":
            found[include] = [f"light@{text(include, 'name') or each.node.attrs.get('name', '')}"]
    for model in all_models(root):
        if model.include is not None:
            found[model.include] = [f"model@{model.name}"]
        for way, base in _steps_in_scope(model) if model.proxies else ():
            while base in model.proxies:
                merged = model.proxies[base]
                if merged.include is not None:
                    found.setdefault(merged.include, []).append(way)
                base = merged.beneath
    return found


def _steps_in_scope(model: Model) -> Iterator[tuple[str, str]]:
    """Yield the steps of the contents of a model's scope, each with the frame that replaces the model frame for it."""
    for tag, table in KINDS.items():
        yield from ((f"{tag}@{name}", item.base) for name, item in getattr(model, table).items())
    yield from ((f"model@{each.name}", each.beneath) for each in model.models)
    for name, merged in model.proxies.items():
        yield f"frame@{name}", name
        inside = merged.node.elements() if merged.node is not None else ()
        plugins = (*merged.plugins, *(item for item in inside if item.tag == "plugin"))
        yield from ((f"plugin@{item.attrs['name']}", name) for item in plugins if "name" in item.attrs)
        others = (item for item in inside if survives(item.tag))
        yield from (("@".join((item.tag, *filter(None, (item.attrs.get("name"),)))), name) for item in others)


def rest_of_document(model: Model, root: Node) -> Iterator[Extra]:
    """Yield merged_rest of the model or world of a document, as extras of the document."""
    node = model.node
    spot = ""
    if node is not None and node.parent is root:
        alike = root.findall(node.tag)
        spot = f"{node.tag}[{alike.index(node) + 1}]/"
    for extra in merged_rest(model):
        if extra.format == FORMAT and (spot or node is root):
            yield replace(extra, path=spot + extra.path)
        else:  # the document itself is an <include>
            yield replace(extra, format=INCLUDE)
