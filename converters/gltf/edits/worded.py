"""glTF-specific extras (ours.words) that were added or changed in a document of ours.

An extra that is gone stays as in the graph, because programs drop extras and extensions they do not know. It is
reported with the other unexplained changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from converters.gltf.edits.baseline import Editor
from converters.gltf.ours import words
from converters.gltf.ours.canonical import Canonical, views_of
from converters.gltf.scene.views import ITEM, camera_of, lamp_of
from converters.source.json import JsonObject
from ir.plain import as_json
from ir.scene import Scene
from ir.types import Body, Camera, Entity, Extra, Frame, Geom, Light

REASON = "properties of it that only glTF has were changed"
LOADED = ("name", "gltfExtensions")
"""Members that the loader of three.js adds to extras, and its exporter writes; they are not edits of the user."""
Owner = TypeVar("Owner", bound=Entity)


def edited_words(editor: Editor, scene: Scene) -> Scene:
    """Return the scene with the extras that the document has now; notes report the changes."""
    looks = [
        look
        if name in editor.inside.dyes
        else _with_edited_extras(editor, f"material/{name}", look, editor.materials.get(name), words.of_material)
        for name, look in scene.materials.items()
    ]
    bodies = [_edited_body(editor, body) for body in scene.bodies.values()]
    return scene.evolve(bodies=bodies, tables={"material": looks}, extras=_edited_document_extras(editor, scene.extras))


def _edited_body(editor: Editor, body: Body) -> Body:
    leaves = editor.tree.leaves

    def hung(kind: str, item: Owner) -> Owner:
        leaf = leaves.get((kind, item.name))
        return (
            item if leaf is None else _with_edited_extras(editor, f"{kind}/{item.name}", item, leaf.node, words.of_node)
        )

    def viewed(kind: str, item: Owner, find: Callable[[JsonObject, JsonObject], JsonObject | None]) -> Owner:
        leaf = leaves.get((kind, item.name))
        entry, made = None if leaf is None else find(leaf.node, editor.root), hung(kind, item)
        return _with_edited_extras(
            editor, f"{kind}/{item.name}", made, entry, lambda node: words.of_entry(node, item.name), ITEM
        )

    made = _with_edited_extras(editor, f"body/{body.name}", body, editor.tree.nodes.get(body.name), words.of_node)
    geoms: tuple[Geom, ...] = tuple([hung("geom", geom) for geom in body.geoms])
    frames: tuple[Frame, ...] = tuple([hung("frame", frame) for frame in body.frames])
    cameras: tuple[Camera, ...] = tuple([viewed("camera", camera, camera_of) for camera in body.cameras])
    lights: tuple[Light, ...] = tuple([viewed("light", light, lamp_of) for light in body.lights])
    return replace(made, geoms=geoms, frames=frames, cameras=cameras, lights=lights)


def _with_edited_extras(
    editor: Editor,
    where: str,
    owner: Owner,
    node: JsonObject | None,
    read: Callable[[JsonObject], Iterable[Extra]],
    start: str = "",
) -> Owner:
    """Return the owner of extras with those of its item in the document, where they have changed. start: prefix of
    their paths relative to those of the item."""
    if node is None or not editor.touched(node) or editor.is_new(node):
        return owner
    said = [each for each in read(node) if editor.differs(node, each.path.removeprefix(start))]
    extras, told = words.taken(owner.extras, words.without(LOADED, said, owner.extras))
    for before, extra in told:
        inner = words.members_of(before, replace(extra, path=extra.path.removeprefix(start)))
        editor.tell(where, _json_text(before), extra.text, REASON, (node, inner))
    return replace(owner, extras=extras) if told else owner


def _edited_document_extras(editor: Editor, extras: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """Return the extras of the document; an item of the document is explained if nothing else in it was changed."""
    if not {"asset", "scenes/0"} & editor.changed:
        return extras
    made, told = words.taken(extras, words.of_document(editor.root))
    items, meant = words.earlier(editor.root, extras), editor.inside.meant
    work = Canonical(editor.root.members, views_of(editor.root.members, ()))
    for before, extra in told:
        name, part = ("asset", "asset") if extra.path.startswith("asset/") else ("scenes", "scenes/0")
        item = items["asset"] if name == "asset" else items["scenes"][0]
        same = work.digest(name, item) in meant.get(name, "").split()[:1]
        editor.tell("scene", _json_text(before), extra.text, REASON, *([part] if same else []))
    return made


def _json_text(value: Any) -> str:
    return "" if value is None else as_json(value)
