"""Names of nested models with another separator than `::`, which ROS tools may not accept in names of frames."""

from __future__ import annotations

import re

from converters.context import InputError
from ir.names import Spares, block_name
from ir.refs import declared, rename
from ir.scene import Scene
from ir.scopes import DELIMITER
from ir.types import WORLD

KINDS = ("body", "joint", "dof", "frame")
WORD = re.compile(r"[^\s<>&\"'\x00-\x1f\ud800-\udfff]{1,16}")


Folds = dict[str, dict[str, list[str]]]


def with_separator(scene: Scene, separator: str) -> tuple[Scene, Folds]:
    """Return the scene with that text instead of `::` in names, and the folds that undo it on reading (ir.folds).

    If two names become equal, the second gets a number. Raises InputError for a text that cannot be in a name.
    """
    if separator == DELIMITER:
        return scene, {}
    if not WORD.fullmatch(separator):
        raise InputError(f"--separator {separator!r}: one to sixteen characters, no white space, quotes, <, > or &")
    folds: Folds = {}
    given: dict[str, str] = {}
    names = declared(scene)
    for kind in KINDS:
        found = [name for name in names.get(kind, ()) if DELIMITER in name and name != WORLD]
        spares = Spares((*names.get(kind, ()), *given.values()))
        for name in sorted(found):
            if name not in given:  # a joint and its axis that share a name keep sharing one
                given[name] = spares.of(name.replace(DELIMITER, separator))
        if found:
            mapping = {name: given[name] for name in found}
            scene = rename(scene, kind, mapping)
            folds[kind] = {name: [new] for name, new in mapping.items()}
    return _blocks(scene, given, folds)


def _blocks(scene: Scene, given: dict[str, str], folds: Folds) -> tuple[Scene, Folds]:
    """Also rename blocks named after their targets, as a reader of the document names them."""
    mapping = {}
    old = {new: name for name, new in given.items()}
    for block in scene.tables["block"].values():
        called = block_name(block.dialect, old.get(block.target, ""))
        if block.target in old and block.name.startswith(called):
            mapping[block.name] = block_name(block.dialect, block.target) + block.name.removeprefix(called)
    if mapping:
        scene = rename(scene, "block", mapping)
        folds["block"] = {name: [new] for name, new in mapping.items()}
    return scene, folds
