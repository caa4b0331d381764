"""The document of a scene in plain spelling, and how the source's spelling differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from converters.context import ReaderContext, WriterContext, for_writing
from converters.passes.fields import worldly
from converters.sdf.models.joints import with_sdf_joints
from converters.sdf.models.world import write_world
from converters.sdf.tables import FORMAT, TOP, VERSION, Version, version_text
from converters.sdf.writing.files import Addresses
from converters.sdf.writing.models import write_scopes
from converters.sdf.writing.sheet import Sheet
from converters.sdf.writing.versions import written_version
from converters.source.carried import CARRIED
from converters.source.spelling import spell
from converters.source.tree import Element, is_element, restore
from converters.source.xml import Node
from ir.compound import chains
from ir.scene import Scene
from ir.types import WORLD


def spelling(scene: Scene, source: Node, brings: Mapping[Element, Iterable[str]], context: ReaderContext) -> str:
    """Return notes on how the source document differs from what would be written of its scene.

    brings: <include> -> steps of its contents (converters.sdf.models.merged.include_steps).
    """
    plain = for_writing(context)
    root, _ = render(scene, Addresses(scene, plain, True), written_version(None, scene), plain)
    own = Element(source.tag, source.attrs)
    own.content = [item for item in source.content if not is_element(item, CARRIED)]
    return spell(own, root, brings)


def render(
    scene: Scene, addresses: Addresses, version: Version, context: WriterContext, older: bool = False
) -> tuple[Element, Sheet]:
    """Return the document in plain spelling, and the sheet it was written from.

    older: the version is not that of the source, which may contain newer elements.
    """
    native = VERSION in scene.notation
    given = scene
    scene = with_sdf_joints(scene, native)
    root = Element("sdf", {"version": version_text(version)})
    in_folder = context.packaged
    whole = scene.notation.get(TOP) != "model" or _is_world_by_edit(scene) if native else worldly(scene, not in_folder)
    place = context.target
    title = place.parent.absolute().name if place is not None and in_folder else place.stem if place else ""
    name = scene.name or (title if title != WORLD else "") or "model"
    top = root
    if whole and scene.notation.get(TOP) != FORMAT:
        top = root.add("world", {"name": name if name != WORLD else f"{name}_1"})
        write_world(top, dict(scene.tables["physics"]))
    sheet = Sheet(scene, addresses, version, native, whole, name, older, chains(given, scene))
    write_scopes(top, sheet)
    restore(root, scene.extras, FORMAT)
    return root, sheet


def _is_world_by_edit(scene: Scene) -> bool:
    """Whether an edit of another document added something to the world itself, which a model cannot contain, or left
    nothing of the model."""
    if scene.brought and len(scene.bodies) == 1:
        return True
    return any(f"geom/{geom.name}" in scene.brought for geom in scene.body(WORLD).geoms) or (
        f"body/{WORLD}" in scene.brought and worldly(scene)
    )
