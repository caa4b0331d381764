"""What carried data depends on: the things it refers to must still exist when it is applied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ir.diff import Difference
from ir.patches import leaves, removal
from ir.refs import Reference, collected, declared, entities, names_in, references, resolve
from ir.scene import TABLES, Address, Scene, address
from ir.scopes import DELIMITER
from ir.types import Dof, Entity, Joint, Value


def dangling_references(scene: Scene, found: Iterable[Difference]) -> list[str]:
    """The dangling references of a scene (KIND NAME), and empty models, that a patch of these differences reproduces:
    they are dangling in the source, too."""
    owners = {
        difference.path[:2]: None
        for difference in found
        if difference.kind != "extra" and isinstance(difference.before, (Value, str, tuple))
    }
    names: dict[str, set[str]] = {}
    lost: list[str] = []
    for kind, name in owners:
        entity = _entity(scene, kind, name)
        for reference in references(entity) if entity is not None else ():
            if _plainly(scene, reference):
                continue
            names = names or declared(scene)
            if resolve(names, reference.kind, reference.name) is None:
                lost.append(f"{reference.kind} {reference.name}")
    lost += [f"scope {name}" for name in _hollow(scene) if ("scope", name) in owners]
    return sorted(set(lost))


def without_ground(
    restored: Scene, folded: Scene, carried: Mapping[str, str], known: Collection[str], edited: Collection[Address]
) -> list[Address]:
    """The places of a patch that brought a reference to something missing, removed something that is still referred to,
    or removed a reference to something that was to be removed and stays, since it was edited; or a model of which
    nothing is left.

    folded is the scene before the patch. known is the result of dangling_references, edited are places where the patch
    did not apply (ir.restore.restore).
    """
    each = [(kind, entity, *names_in(entity)) for kind, entity in entities(restored)]
    names = collected(name for _, _, given, _ in each for name in given)
    known = set(known)
    before: dict[str, set[str]] = {}
    found: list[Address] = []
    for kind, entity, _, meant in each:
        for path, wanted, name in meant:
            if resolve(names, wanted, name) is not None or f"{wanted} {name}" in known:
                continue
            before = before or declared(folded)
            gone = resolve(before, wanted, name)
            taken = f"{gone}/{name}"
            if gone is not None and removal(carried.get(taken, "")):
                found.append((taken,))
            else:
                found += _bringing(_key(kind, entity), path, carried)
    found += _ends(restored, folded, carried, edited)
    found += _leaving(restored, folded, carried)
    emptied = sorted(f"scope/{name}" for name in _hollow(restored) if f"scope {name}" not in known)
    found += [(key,) for key in emptied if key in carried]
    return list(dict.fromkeys(found))


def _ends(restored: Scene, folded: Scene, carried: Mapping[str, str], edited: Collection[Address]) -> Iterator[Address]:
    """The places that remove an end of a joint which is gone as well, but not because of the patch."""
    for joint in folded.joints.values():
        (key,) = address(joint)
        if joint.name not in restored.joints and (key not in carried or (removal(carried[key]) and (key,) in edited)):
            yield from (
                (place,) for end in (joint.parent, joint.child) if removal(carried.get(place := f"body/{end}", ""))
            )


def _leaving(restored: Scene, folded: Scene, carried: Mapping[str, str]) -> Iterator[Address]:
    """The places that remove the use of a row of a table that stays: if a colour was edited, it is to be seen."""
    rows = {f"{kind}/{name}" for kind in TABLES for name in restored.tables[kind]}
    kept = {key for key, text in carried.items() if removal(text) and key in rows}
    names = declared(folded) if kept else {}
    for kind, entity in entities(folded) if kept else ():
        for path, wanted, name in references(entity):
            if f"{resolve(names, wanted, name)}/{name}" in kept:
                yield from _bringing(_key(kind, entity), path, carried)


def _hollow(scene: Scene) -> set[str]:
    """Paths of models without bodies, directly or nested."""
    hollow = scene.tables["scope"].keys() - {""}
    for path in {body.scope for body in scene.bodies.values()} if hollow else ():
        while path:
            hollow.discard(path)
            path = path.rpartition(DELIMITER)[0]
    return hollow


def _entity(scene: Scene, kind: str, name: str) -> Value | None:
    if kind == "body":
        return scene.body(name) if name in scene.bodies else None
    if kind in ("joint", "loop"):
        return scene.joints.get(name)
    if kind == "constraint":
        return scene.constraints.get(name)
    if kind == "dof":
        return _dof_of_joint(scene, name)
    return scene.tables[kind].get(name) if kind in TABLES else None


def _dof_of_joint(scene: Scene, name: str) -> Dof | None:
    """A dof with the name of its joint, as most have."""
    joint = scene.joints.get(name)
    return next((dof for dof in joint.dofs if dof.name == name), None) if joint is not None else None


def _plainly(scene: Scene, reference: Reference) -> bool:
    """Whether a reference leads somewhere, as far as this is found without a list of all names."""
    return any(_entity(scene, kind, reference.name) is not None for kind in reference.kind.split("|"))


def _key(kind: str, entity: Entity) -> str:
    return address(entity)[0] if isinstance(entity, Joint) else f"{kind}/{entity.name}"


def _bringing(key: str, path: str, carried: Mapping[str, str]) -> Iterator[Address]:
    """The places of a patch that add something there."""
    for place in leaves({key: carried[key]} if key in carried else {}):
        dotted = ".".join(place[1:])
        if not dotted or f"{path}.".startswith(f"{dotted}."):
            yield place
