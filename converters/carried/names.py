"""Links and joints of a document that were renamed since it was written: their carried data follows.

A link is recognised if a name that is in the carried data, and not in the document, makes it the very link that was
written (ir.brought.written_checksums); so is a joint. The document is read with those names, and gets its own at the
end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice, product
from typing import TypeVar

from msgspec.structs import replace

from converters.carried.pieces import piece
from converters.source.tree import fragment, serialise
from ir.brought import edited_entities, has_checksum, sums_of, was_written
from ir.compound import CHAIN, chain_joints, join_chains
from ir.folds import RENAMED, fold_names
from ir.mapping import map_bodies, map_table
from ir.refs import Renames, declared, rename
from ir.scene import Scene, address
from ir.scopes import DELIMITER, bare, join
from ir.seals import wholes
from ir.types import Block, Body, Joint

Named = TypeVar("Named", Body, Joint)

MOST = 10_000
"""Largest number of names that are tried, of all links and joints together."""
LONGEST = 250
"""Largest length of a name that is split: it has as many parts as the square of that."""
_NAME = re.compile(r'(?<=["@])[^"@\\:,{}\[\]][^"@\\]*')
"""A possible name: a text, or the end of a step in a note on spelling (converters.source.spelling); not what is between
two texts."""
KINDS = ("body", "joint")
DRIVEN = "joint_name"
"""Parameter of a controller of Gazebo: the joint that it drives."""
_DRIVEN = re.compile(f"<{DRIVEN}>([^<]*)<")
_MODEL = re.compile(r'"target":"([^"\\]*)"')
"""The subject of a carried block: the nested model that contains it, if there is one."""


def as_written(native: Scene, known: str) -> tuple[Scene, Renames]:
    """The document with the names that links and joints had when it was written, and the present names.

    They are known by the author's names, if the document was written with others (ir.folds).
    """
    folds = piece(native.carried, "folds")
    given = {kind: folds[kind] for kind in RENAMED if folds.get(kind)}
    own = {kind: {part: [name] for part, name in wholes(given, kind).items()} for kind in given}
    bodies = wholes(given, "body")
    chains = {bodies.get(body, body): links for body, links in folds.get(CHAIN, {}).items()}
    scene, found = _with_old_names(fold_names(native, given), native.carried, known, chains)
    return fold_names(scene, own), found


def _with_old_names(
    scene: Scene, carried: Mapping[str, str], known: str, chains: Mapping[str, Sequence[str]]
) -> tuple[Scene, Renames]:
    """The same (as_written) of a document with the author's names; chains as in ir.compound."""
    found: dict[str, dict[str, str]] = {}
    sums, left = sums_of(known), MOST
    new = edited_entities(scene, known)
    named = any(key.startswith(("body/", "joint/")) for key in new)
    said = sorted({name for each in carried.items() for name in _possible_names(*each)}) if named else []
    folds = chains if named else {}
    for kind in KINDS:
        while True:  # a mimic joint is recognised only after the joint that it follows
            # joints are recognised by their child body: one that was added had no earlier name
            asked = {key for key, added in new.items() if kind == "body" or not added}.difference(
                map("joint/".__add__, folds)
            )
            own: dict[str, str] = {}
            if any(key.startswith(f"{kind}/") for key in asked):
                own, left = _known_again(scene, kind, said, asked, sums, left, found.get("body", {}))
            if not own:
                break
            found[kind] = found.get(kind, {}) | own
            scene = rename(scene, kind, {now: was for was, now in own.items()})
            new = edited_entities(scene, known)
            if kind == "joint":
                dofs, scene = _dofs_too(scene, own)
                found["dof"] = found.get("dof", {}) | dofs
    chained = _joints_of_chains(scene, folds, said, new, sums, left)
    if chained:
        found["joint"] = found.get("joint", {}) | chained
        dofs, scene = _dofs_too(rename(scene, "joint", {now: was for was, now in chained.items()}), chained)
        found["dof"] = found.get("dof", {}) | dofs
    blocks = _blocks_renamed(scene, {name: now for kind in KINDS for name, now in found.get(kind, {}).items()}, sums)
    kept = (key.removeprefix("block/") for key, text in carried.items() if _DRIVEN.search(text))
    if about := {name: name for name in kept if found} | {each.name: name for name, each in blocks.items()}:
        found["block"] = about
    if blocks:
        scene = map_table(scene, "block", lambda block: blocks.get(block.name, block))
    return scene, {kind: own for kind, own in found.items() if own}


def _known_again(
    scene: Scene,
    kind: str,
    said: Iterable[str],
    new: Collection[str],
    sums: Mapping[str, str],
    left: int,
    bodies: Mapping[str, str],
) -> tuple[dict[str, str], int]:
    """Names of bodies, or joints, when they were written -> present names; and how many names may still be tried. said:
    names in the carried data; new: keys of what differs from what was written; bodies: the same of bodies, for joints
    that are named after these (a weld of MJCF, a floating root of SDFormat)."""
    there = declared(scene)[kind]
    keys = {name: f"body/{name}" for name in scene.bodies}
    if kind == "joint":
        keys = {name: address(joint)[0] for name, joint in scene.joints.items()}
    old = [name for name in said if name not in there and (kind == "joint" or has_checksum(f"body/{name}", sums))]
    pairs: list[tuple[str, str]] = []
    known, names = {*said}, {*old}
    for name, key in keys.items():
        if key in new and left > 0:
            held = scene.joints[name].child if kind == "joint" else ""
            guesses = [name.replace(bodies[held], held)] if held in bodies else []
            for guess in islice(chain(guesses, _names_without_affixes(name, names)), left):
                left -= guess not in known
                if guess not in there and _is_as_written(scene, kind, name, guess, sums):
                    pairs.append((guess, name))
                    break
            else:
                if len(old) <= left:
                    left -= len(old)
                    pairs += [(each, name) for each in old if _is_as_written(scene, kind, name, each, sums)]
    once = [Counter(ends) for ends in zip(*pairs, strict=True)]
    found = {was: now for was, now in pairs if once[0][was] == once[1][now] == 1}  # ambiguous copies are left out
    return found, max(left, 0)


def _names_without_affixes(name: str, said: Set[str]) -> Iterator[str]:
    """Possible old names of something that got a prefix or a suffix: names contained in the new one, the longest first,
    then all its beginnings and ends."""
    if len(name) > LONGEST:
        return
    inside = {name[start:stop] for stop in range(1, len(name) + 1) for start in range(stop)} if said else set()
    yield from sorted(inside & said, key=lambda each: (-len(each), each))
    for length in range(len(name) - 1, 0, -1):
        yield from (name[-length:], name[:length])


def _dofs_too(scene: Scene, joints: Mapping[str, str]) -> tuple[dict[str, str], Scene]:
    """Old names of dofs that have the names of joints, or names derived from these -> present names; the scene with the
    former."""
    there, held = declared(scene)["dof"], scene.joints
    whole = {old: now for old, now in joints.items() if now in there}
    axes = (_dofs_called_after_joint(held[old], now, old) for old, now in joints.items() if old in held)
    whole |= {old: now for each in axes for now, old in each.items()}
    found = {old: now for old, now in whole.items() if old not in there}
    return found, rename(scene, "dof", {now: old for old, now in found.items()})


def _joints_of_chains(
    scene: Scene,
    folds: Mapping[str, Sequence[str]],
    said: Iterable[str],
    new: Collection[str],
    sums: Mapping[str, str],
    left: int,
) -> dict[str, str]:
    """The same (_known_again) of the joints of each chain (folds: ir.compound.chains), which is recognised as one
    joint.

    Each link in between begins with the name of the joint that holds it.
    """
    there = declared(scene)["joint"]
    old = [name for name in said if name not in there]
    found: dict[str, dict[str, str]] = {}
    for likely in (True, False):  # first, for all chains, names contained in the new ones; then any other
        for body, links in folds.items():
            joints = chain_joints(scene, body, links) if f"joint/{body}" in new and body not in found else None
            whole = join_chains(scene, {body: links}).joint_of(body) if joints else None
            if joints is None or whole is None:
                continue
            now = [joint.name for joint in joints]
            held = [*([name for name in old if link.startswith(name)] for link in links), old]
            then = [
                [name, *(each for each in some if not likely or each in name)]
                for name, some in zip(now, held, strict=True)
            ]
            affixed = zip(*(_names_without_affixes(name, frozenset()) for name in now), strict=False) if likely else ()
            for names in islice(chain(affixed, product(*then)), left):
                left -= 1
                called = dict(zip(now, names, strict=True))
                if was_written(f"joint/{body}", _with_joint_names(whole, called), sums):
                    found[body] = {was: name for name, was in called.items() if was != name}
                    break
    return {was: name for each in found.values() for was, name in each.items()}


def _with_joint_names(joint: Joint, names: Mapping[str, str]) -> Joint:
    """A joint with other names for itself and its dofs."""
    dofs = tuple(replace(dof, name=names.get(dof.name, dof.name)) for dof in joint.dofs)
    return replace(joint, name=names.get(joint.name, joint.name), dofs=dofs)


def _blocks_renamed(scene: Scene, renamed: Mapping[str, str], sums: Mapping[str, str]) -> dict[str, Block]:
    """Blocks about renamed things, as they were written; renamed: old names -> new names."""
    table: Mapping[str, Block] = scene.tables["block"]
    then = {now: was for was, now in renamed.items()}
    about = (each for each in table.items() if each[1].target in renamed or (renamed and _may_drive_joints(each[1])))
    made = {name: _block_under_new_names(each, then) for name, each in about}
    return {name: each for name, each in made.items() if was_written(f"block/{each.name}", each, sums)}


def _may_drive_joints(block: Block) -> bool:
    """Whether a block may be a controller of joints (source.controllers), which names them in its text."""
    return any(f"<{DRIVEN}>" in extra.text for extra in block.extras)


def _block_under_new_names(block: Block, names: Mapping[str, str]) -> Block:
    """A block with another name of its subject: in its own name, in its first tag, as the joint that it drives.

    names: before -> after.
    """
    name = block.name
    for before, after in names.items():
        if block.target in (before, after) and name.endswith(f"_{before}"):
            name = name.removesuffix(before) + after
            break
    extras = []
    for extra in block.extras:
        element = fragment(extra.text)
        element.attrs = {key: names.get(text, text) for key, text in element.attrs.items()}
        for driven in element.findall(DRIVEN):
            driven.content = [
                _joint_named_in_block(each, block.target, names) if isinstance(each, str) else each
                for each in driven.content
            ]
        extras.append(replace(extra, text=serialise(element)))
    return replace(block, name=name, extras=tuple(extras))


def _joint_named_in_block(name: str, target: str, names: Mapping[str, str]) -> str:
    """A joint as a block names it: relative to the model that contains it, if that is the target of the block."""
    whole = join(target, name)
    return bare(names[whole], target) if whole in names else names.get(name, name)


def as_called(scene: Scene, names: Renames) -> Scene:
    """The scene with the names of the document, marked as brought by an edit."""
    origins, told = scene.origins, dict(scene.brought)
    own = names.get("block", {})
    renamed = {was: now for kind in KINDS for was, now in names.get(kind, {}).items()}
    if own:
        scene = map_table(
            scene, "block", lambda block: _block_under_new_names(block, renamed) if block.name in own else block
        )
    for kind in (*KINDS, "dof"):
        each, there = names.get(kind, {}), declared(scene)[kind]
        scene = rename(scene, kind, {was: now for was, now in each.items() if was in there and now not in there})
    bodies, now = names.get("body", {}), {*names.get("body", {}).values(), *names.get("joint", {}).values()}
    if any(DELIMITER in name for name in now):
        labelled = [_with_local_label(joint, now) for joint in scene.joints.values()]
        scene = map_bodies(scene, lambda body: _with_local_label(body, now)).evolve(joints=labelled)
    keys = {f"{kind}/{was}": f"{kind}/{now}" for was, now in bodies.items() for kind in KINDS}
    scene.brought = {keys.get(key, key): added for key, added in told.items()}
    scene.brought |= {f"body/{now}": False for now in bodies.values()}
    owners = {**scene.joints} | {name: joint for name, (joint, _) in scene.dofs().items()}
    joints = (owners[name] for name in names.get("joint", {}).values() if name in owners)
    scene.brought |= {address(joint)[0]: False for joint in joints}
    scene.origins = origins
    return scene


def _with_local_label(entity: Named, now: Collection[str]) -> Named:
    """An entity that got a name in a nested model (now) has the last part of it as its label."""
    known = entity.label and entity.name in now
    return replace(entity, label=entity.name.rpartition(DELIMITER)[2]) if known else entity


def _possible_names(key: str, text: str) -> list[str]:
    """Possible names in the carried data."""
    driven = _DRIVEN.findall(text)
    models = _MODEL.findall(text) if driven else ()
    return [key.partition("/")[2], *_NAME.findall(text), *(join(*each) for each in product(models, driven))]


def _is_as_written(scene: Scene, kind: str, now: str, name: str, sums: Mapping[str, str]) -> bool:
    """Whether something with this name is what was written."""
    if kind == "body":
        return was_written(f"body/{name}", replace(scene.body(now), name=name, geoms=()), sums)
    joint = scene.joints[now]
    return was_written(
        address(joint)[0], _with_joint_names(joint, {now: name, **_dofs_called_after_joint(joint, now, name)}), sums
    )


def _dofs_called_after_joint(joint: Joint, now: str, name: str) -> dict[str, str]:
    """The dofs of a joint that are named after it (the axes of a universal one) -> their names if the joint has this
    name."""
    return {dof.name: name + dof.name.removeprefix(now) for dof in joint.dofs if dof.name.startswith(now)}
