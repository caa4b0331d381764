"""Friction with one coefficient in a format, and two in the author's: an edit of the one applies to both."""

from __future__ import annotations

from collections.abc import Mapping

from converters.carried.pieces import entry, piece
from ir.addresses import value_at
from ir.patches import ACROSS, patch_at, removes, without_places
from ir.plain import as_json, fingerprint, has_fingerprint
from ir.scene import Address, Scene


def follow_friction_edits(carried: Mapping[str, str], folded: Scene) -> tuple[dict[str, str], list[Address]]:
    """(the carried data of a document, in which the friction across equals that along if an edit of the document
    changed the latter; addresses of the old one, if it was different)."""
    kept, lost, left = dict(carried), list[Address](), []
    for place, address, check in piece(kept, "beside"):
        whole = entry(kept, place[0]) if place[-1] == ACROSS else {}
        patch, now = patch_at(whole, place[1:-1]), value_at(folded, address)
        if place[-1] != ACROSS or has_fingerprint(now, check) or removes(patch_at(whole, place[1:])):
            left.append([place, address, check])
            continue
        if isinstance(patch, dict) and not has_fingerprint(patch[ACROSS][0], check):
            lost.append(tuple(place))
        if isinstance(patch, dict) and now is not None:
            patch[ACROSS] = [now]
            kept[place[0]] = as_json(whole)
            left.append([place, address, fingerprint(now)])
        else:  # friction is not given, so none is given across either
            kept = without_places(kept, [tuple(place)])
    return kept | {"beside": as_json(left)}, lost
