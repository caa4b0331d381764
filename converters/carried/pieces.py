"""The pieces of carried data (Scene.carried), which is JSON text by key: what each is about, and how it is decoded.

A key such as body/NAME, order/KIND or scene is an entry of the patch that turns what a document says into the scene
that it was made of (ir.diff.compare). All other keys are those of EMPTY.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ir.derivations import Derivation

EMPTY: Mapping[str, str] = {
    # what the document has as several things, or under other names
    "folds": "{}",  # kind -> one thing in the scene -> its parts in the document (ir.seals.Folds)
    "seals": "{}",  # KIND/WHOLE -> fingerprint of what the parts must still say (ir.seals)
    "renamed": "{}",  # kind -> old name -> new name, after an edit (carried.drives)
    "loose": "[]",  # references that were dangling in the source (ir.grounds.dangling_references)
    # what counts together of the patch (carried.patch)
    "moved": "[]",  # places that a pass changed, each with the place to which it moved that
    "together": "[]",  # places that are restored together or not at all
    "beside": "[]",  # a place, what must exist beside it, the fingerprint of that (ir.patches.Companion)
    "derived": "[]",  # what was made, what it was made of, fingerprints of the former (ir.derivations)
    "asked": "{}",  # option of the user -> places that undo its effect (carried.earlier_choices)
    # files of assets, by asset
    "parts": "{}",  # its parts, if the document contains it as parts of itself (assets.inside)
    "places": "{}",  # where its file was put (carried.output_files)
    "stamps": "{}",  # the stamp of its file, and those of what was made of it (assets.stamps)
    # how edits are recognised (ir.brought)
    "written": '""',  # checksums of everything that was written
    "brought": "{}",  # keys of what edits had brought before that conversion
}
"""Key -> the JSON of a piece that is not there."""


def piece(carried: Mapping[str, str], key: str) -> Any:
    """A piece (EMPTY), decoded."""
    return json.loads(carried.get(key, EMPTY[key]))


def derivations(carried: Mapping[str, str]) -> list[Derivation]:
    """The piece "derived"."""
    return [
        Derivation([*map(tuple, made)], [*map(tuple, made_of)], checks)
        for made, made_of, checks in piece(carried, "derived")
    ]


def entry(carried: Mapping[str, str], key: str) -> Any:
    """An entry of the patch, decoded; {} if it has none of this key: nothing is changed there."""
    return json.loads(carried.get(key, "{}"))
