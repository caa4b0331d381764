"""Friction that a format has once for all directions, and its author for two: who edits the one has said so of both."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ir.addresses import at
from ir.patches import ACROSS, inner, removes, without
from ir.plain import as_json, is_known, known
from ir.scene import Address, Scene


def follow_friction_edits(carried: Mapping[str, str], folded: Scene) -> tuple[dict[str, str], list[Address]]:
    """(what a document carries, in which the friction across is that along where an edit of the document changed this;
    addresses of what it was, where it was another)."""
    kept, lost, left = dict(carried), list[Address](), []
    for place, address, check in json.loads(kept.get("beside", "[]")):
        whole = json.loads(kept.get(place[0], "{}")) if place[-1] == ACROSS else {}
        patch, now = inner(whole, place[1:-1]), at(folded, address)
        if place[-1] != ACROSS or is_known(now, check) or removes(inner(whole, place[1:])):
            left.append([place, address, check])
            continue
        if isinstance(patch, dict) and not is_known(patch[ACROSS][0], check):
            lost.append(tuple(place))
        if isinstance(patch, dict) and now is not None:
            patch[ACROSS] = [now]
            kept[place[0]] = as_json(whole)
            left.append([place, address, known(now)])
        else:  # as of all that say nothing
            kept = without(kept, [tuple(place)])
    return kept | {"beside": as_json(left)}, lost
