"""What an output carries beside the patch that undoes all its differences: which places belong together, and checksums
by which later edits are recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from converters.carried.earlier_choices import chosen_places
from converters.carried.pieces import entry
from converters.format import Format, Ran
from converters.registry import marked_format
from ir.brought import unseen_edits, written_checksums
from ir.derivations import derived_places, groups_with_origins
from ir.diff import notation_patch
from ir.patches import companions, linked_places
from ir.plain import as_json
from ir.scene import Origins, Scene


def checksums(patch: Mapping[str, str], scene: Scene, folded: Scene, to: Format) -> dict[str, str]:
    """For a scene from another format: checksums of everything that was written, by which later edits are recognised;
    and what earlier edits brought, if the document does not show it."""
    if not patch or marked_format(scene.notation) in (None, to):
        return {}
    known = {"brought": as_json(found)} if (found := unseen_edits(scene, folded)) else {}
    return {"written": as_json(written_checksums(folded, scene.brought))} | known


def notation(patch: Mapping[str, str], scene: Scene, folded: Scene, to: Format) -> dict[str, str]:
    """The notation of the scene, if other programs that save the document remove the mark of its format."""
    fades = to.fits.mark_fades and to.fits.mark in scene.notation
    if not fades or all(key.startswith("asset/") for key in patch):
        return {}
    said = notation_patch(scene.notation, folded.notation)
    return {"scene": as_json({**entry(patch, "scene"), "notation": said})}


def groups(patch: Mapping[str, str], folded: Scene, origins: Origins, steps: Sequence[Ran]) -> dict[str, str]:
    """The places of a patch that are only valid together with others, or with something in the document
    (carried.edits).

    folded is the scene of the document with its folds made; origins tells what was made of what.
    """
    moved = [group for step in steps for group in step.moved]
    whole = [group for step in steps for group in step.whole]
    grouped = {"moved": groups_with_origins(origins, moved), "together": [*whole, *linked_places(patch)]}
    found: dict[str, Sequence[object] | Mapping[str, object]] = {
        key: [known for group in each if (known := [place for place in group if place[0] in patch])]
        for key, each in grouped.items()
    }
    found |= {"derived": derived_places(origins, folded, patch), "beside": companions(patch, folded)}
    found |= {"asked": chosen_places(steps, patch)}
    return {key: as_json(value) for key, value in found.items() if value}
