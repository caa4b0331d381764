"""Renamed nodes in a document of ours: the bodies, geoms etc. that they represent are renamed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from converters.gltf.data.extensions import CHILD, PARENT
from converters.gltf.edits.baseline import Editor
from converters.gltf.ours.graph import RULE, part_of
from converters.gltf.ours.marks import mark
from converters.gltf.scene.layout import JOINT
from converters.source.json import JsonObject
from ir.gathering import gathered
from ir.refs import Renames, declared, rename
from ir.scene import Scene
from ir.scopes import DELIMITER
from ir.types import WORLD, Dof, Entity

LEAVES = ("geom", "frame", "camera", "light")
ENDS = ("", PARENT, CHILD, "/collider")
"""Possible suffixes after the name of a thing in the name of a node."""
LONG = 55
"""Length in bytes beyond which some programs truncate names."""
OTHERWISE = "the node was renamed: the names of the graph inside are kept"
ANOTHER = "the node was renamed, but another thing has that name"
SEVERAL = "the nodes of the joint have different names"
PROGRAM = "programs derive such a name from the one that it had: it is ignored"
ELSEWHERE = "the node has the name of something in another model: a thing stays in its own model"
NAMELESS = "the node has no name any more: the one that it had is kept"

E = TypeVar("E", bound=Entity | Dof)


def renamed_things(editor: Editor) -> Renames:
    """Return the renamed things: kind -> old name -> new name. Notes report these, and new names that are ignored."""
    names: dict[str, dict[str, str]] = {}
    first: dict[tuple[str, str], JsonObject] = {}
    reasons: dict[tuple[str, str], str] = {}
    scopes = editor.scene.tables["scope"]
    there = declared(editor.scene) | {"material": {*editor.palette.scene.materials}}
    spoken = {node.text("name") for table in ("nodes", "materials") for node in editor.root.children(table)}
    for kind, old, given in _names_given(editor):
        new, node = next(((name, node) for name, node in given if name != old), (old, None))
        if node is None or old not in there[kind]:
            continue
        several = len({name for name, _ in given} - {old}) > 1
        reason = SEVERAL if several else NAMELESS if not new else PROGRAM if _made_by_programs(new, old, spoken) else ""
        path = old[: old.rfind(DELIMITER) + len(DELIMITER)] if DELIMITER in old else ""
        if path.removesuffix(DELIMITER) in scopes:
            new = path + new.removeprefix(path)
            reason = reason or (ELSEWHERE if DELIMITER in new.removeprefix(path) else "")
        if reason:
            reasons[kind, old] = reason
        else:
            names.setdefault(kind, {})[old], first[kind, old] = new, node
    for kind, mapping in names.items():
        for old in _clashing(mapping, there[kind] | (there["dof"] if kind == "joint" else set())):
            reasons[kind, old] = ANOTHER
            del mapping[old]
        for old, new in mapping.items():
            source, reason = first[kind, old].source, "the node was renamed"
            editor.context.note(RULE, f"{kind}/{new}", reason, source, before=old, after=new, action="derived")
    _explain_names(editor, names, reasons)
    return names


def _names_given(editor: Editor) -> Iterator[tuple[str, str, Sequence[tuple[str, JsonObject]]]]:
    """Yield the kind and name of things in the graph, and the names that their nodes have now."""
    tree = editor.tree
    joints: dict[str, list[tuple[str, JsonObject]]] = {}
    for name, node in tree.nodes.items():
        yield "body", name, [(node.text("name") or "", node)]
        joint, said = editor.scene.joint_of(name), tree.joints.get(name)
        if joint is not None and said is not None:
            joints.setdefault(joint.name, []).append((said, node))
    for (kind, name), leaf in tree.leaves.items():
        if kind in LEAVES:
            yield kind, name, [(leaf.node.text("name") or "", leaf.node)]
    for name in editor.former_names.values():
        yield "material", name, [(editor.materials[name].text("name") or "", editor.materials[name])]
    for node in editor.root.children("nodes"):
        kind, name = mark(node)
        if kind == "joint":
            label = node.text("name") or ""
            end = next((end for end in ENDS[1:3] if label.endswith(end)), "")
            joints.setdefault(name, []).append((label.removesuffix(end), node))
    for name, given in joints.items():
        yield "joint", name, given


def _made_by_programs(new: str, old: str, spoken: set[str | None]) -> bool:
    """Whether programs derive this name from the old one: truncated, without reserved characters, or with a numeric
    suffix because another node has that name."""
    plain = re.sub(r"[\[\].:/]", "", re.sub(r"\s", "_", old))
    stem = re.sub(r"[._]\d+$", "", new)
    twin = stem in (old, plain) and (old in spoken or plain in spoken)
    return new == plain or twin or (len(stem.encode()) >= LONG and old.startswith(stem))


def _clashing(mapping: Mapping[str, str], there: set[str]) -> list[str]:
    """Return the old names of things that cannot have their new name, because another thing has or keeps it."""
    wanted = gathered((new, old) for old, new in mapping.items())
    found = [
        old
        for new, olds in wanted.items()
        for old in olds
        if new == WORLD or len(olds) > 1 or (new in there and new not in mapping)
    ]
    refused = {*found}
    for old in found:  # found grows: keeping one name refuses others that want it
        more = [each for each in wanted.get(old, ()) if each not in refused]
        refused.update(more)
        found += more
    return found


def _explain_names(editor: Editor, names: Renames, reasons: Mapping[tuple[str, str], str]) -> None:
    """Mark accepted name changes as explained; note those that are ignored."""
    for node, member, kind, old, now in _renamed_nodes(editor):
        if old in names.get(kind, {}):
            editor.explained.add(f"{part_of(node)}/{member}")
        else:
            reason = reasons.get((kind, old), OTHERWISE)
            editor.tell(f"{kind}/{old}", old, str(now), reason, (node, (member,)), action="dropped")


def _renamed_nodes(editor: Editor) -> Iterator[tuple[JsonObject, str, str, str, object]]:
    """Yield renamed nodes and materials: the node, the member with the name, the kind of thing it names, the old name
    and the new one."""
    copies = {leaf.node.pointer for leaf in editor.tree.strangers}
    for number, node in enumerate(editor.root.children("nodes")):
        kind, name = mark(node)
        if f"nodes/{number}" not in editor.changed or not kind or node.pointer in copies:
            continue
        joint = editor.scene.joint_of(name) if kind == "body" and name in editor.scene.bodies else None
        if editor.differs(node, "name"):
            yield node, "name", kind, name, node.members.get("name", "")
        if joint is not None and editor.differs(node, f"extras/{JOINT}"):
            yield node, f"extras/{JOINT}", "joint", joint.name, node.members["extras"].get(JOINT, "")
    for old in editor.former_names.values():
        yield editor.materials[old], "name", "material", old, editor.materials[old].members.get("name", "")


def with_names(scene: Scene, names: Renames) -> Scene:
    """Return the scene with new names, which also replace the authors' names (labels). Missing things are ignored."""
    there = declared(scene)
    fresh: dict[str, set[str]] = {}
    rules = _renamed_rules(scene, names.get("body", {}))
    for kind, mapping in {**names, "dof": names.get("joint", {}), "contact": rules}.items():
        known = {old: new for old, new in mapping.items() if old in there[kind]}
        scene, fresh[kind] = rename(scene, kind, known), {*known.values()}

    def bare(kind: str, items: Sequence[E]) -> tuple[E, ...]:
        new = fresh.get(kind, set())
        return tuple(replace(item, label=_local_label(item)) if item.name in new else item for item in items)

    bodies = [
        replace(body, **{f"{kind}s": bare(kind, getattr(body, f"{kind}s")) for kind in LEAVES})
        for body in scene.bodies.values()
    ]
    joints = [replace(joint, dofs=bare("dof", joint.dofs)) for joint in scene.joints.values()]
    return scene.evolve(bodies=bare("body", bodies), joints=bare("joint", joints))


def _renamed_rules(scene: Scene, bodies: Mapping[str, str]) -> dict[str, str]:
    """Return new names for contact rules that readers named after their two bodies."""
    rules = scene.tables["contact"]
    made: dict[str, str] = {}
    for rule in rules.values():
        pair = rule.first, rule.second
        ends, now = (f"_{a}_{b}" for a, b in (pair, [bodies.get(name, name) for name in pair]))
        if rule.label == "" and ends != now and rule.name.endswith(ends):
            made[rule.name] = rule.name.removesuffix(ends) + now
    refused = {*_clashing(made, {*rules})}
    return {old: new for old, new in made.items() if old not in refused}


def _local_label(item: Entity | Dof) -> str | None:
    """Return the label of a thing in a nested model: its local name there. None for others, or if it has no label."""
    path, _, name = item.name.rpartition(DELIMITER)
    return name if path and item.label else None
