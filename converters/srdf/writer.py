"""The graph -> SRDF; in the source's spelling if there is one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from converters.context import ReaderContext, WriterContext
from converters.format import Pass
from converters.source.respelling import apply_notes
from converters.source.tree import Element, document
from converters.srdf.reader import read_document
from converters.srdf.rendering import render
from converters.srdf.tables import FORMAT, SPELLING, virtual_type
from ir.diff import Difference, differences
from ir.scene import Scene

TABLES = ("group", "end_effector", "approximation", "keyframe", "contact")
"""Tables of a scene that SRDF can express."""


def without_srdf_joints(scene: Scene) -> Scene:
    """Return the scene without the joints that only the SRDF has; the same object if there are none."""
    kept = [joint for joint in scene.joints.values() if virtual_type(joint) is None]
    return scene if len(kept) == len(scene.joints) else scene.evolve(joints=kept)


def write_document(scene: Scene, written: Scene, names: Mapping[str, str], context: WriterContext) -> bytes | None:
    """Return the SRDF of a scene; None if it would be empty. written is the scene as the URDF has it.

    names maps bodies to links with another name.
    """
    plain = render(scene, written, names)
    notes = scene.notation.get(SPELLING)
    if notes is None and not plain.content:
        return None
    root = apply_notes(plain, notes, lambda changed: _differences(changed, scene, context)) if notes else plain
    return document(root)


def _without_document(scene: Scene) -> Scene:
    """Return the scene without the data that an SRDF contains; the same object if there are none.

    Pairs of geoms that collide stay, and so do joints that only the SRDF has.
    """
    said = [joint for joint in scene.joints.values() if joint.passive or joint.properties]
    pairs = [rule for rule in scene.tables["contact"].values() if rule.include]
    gone = [table for table in TABLES if len(scene.tables[table]) > len(pairs if table == "contact" else ())]
    kept = tuple(extra for extra in scene.extras if extra.format != FORMAT)
    if not said and not gone and len(kept) == len(scene.extras):
        return scene
    silent = {joint.name: replace(joint, passive=False, properties=()) for joint in said}
    return scene.evolve(
        joints=[silent.get(joint.name, joint) for joint in scene.joints.values()],
        tables={table: pairs if table == "contact" else () for table in gone},
        extras=kept,
    )


LEFT = Pass(
    rule="urdf/planning",
    reason="it belongs in an SRDF, and none is written (--no-srdf)",
    wanted=lambda target: not target.options.find_srdf,
    apply=lambda scene, target: _without_document(scene),
    asked=True,
)


def passes() -> tuple[Pass, ...]:
    """Return the passes for a scene whose SRDF is not to be written."""
    return (LEFT,)


def _differences(root: Element, scene: Scene, context: WriterContext) -> list[Difference]:
    """Return where a document differs from the scene."""
    bare = _without_document(without_srdf_joints(scene)).evolve(tables=dict.fromkeys(TABLES, ()))
    reading = ReaderContext(file=context.file, folder=context.folder, options=context.options, again=True)
    return differences(scene, read_document(document(root), bare, reading))
