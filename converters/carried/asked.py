"""What a user chose in an earlier conversion (--base, --missing-inertia geometry): on the way back to the first format
it is undone, like all that conversion made; to every other one it goes on, as all readers of the document see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from converters.context import Options
from converters.format import Pass, Ran
from ir.restore import restore
from ir.scene import Address, Scene

RULE = "asked/kept"
REASON = (
    "an earlier conversion was asked for this (--{}), and so the source says it; it is undone on the way back to the "
    "format which that conversion began with"
)


def asked(steps: Iterable[Ran], patch: Mapping[str, str]) -> dict[str, list[Address]]:
    """Options that the user chose, and the places in the patch of an output that undo what they did."""
    found: dict[str, list[Address]] = {}
    for step in steps:
        places = [place for place in step.chosen if place[0] in patch]
        if places:
            found.setdefault(step.option, []).extend(places)
    return found


def choices(steps: Iterable[Ran]) -> dict[str, dict[str, str]]:
    """Options that the user chose, and the patches that bring about what they did."""
    found: dict[str, dict[str, str]] = {}
    for step in steps:
        if step.option:
            found.setdefault(step.option, {}).update(step.choice)
    return found


def chosen(scene: Scene, patches: Mapping[str, Mapping[str, str]]) -> Scene:
    """A scene with what such patches put into it, as whoever opens the document finds it."""
    for patch in patches.values():
        scene = restore(scene, patch)[0]
    return scene


def kept(patches: Mapping[str, Mapping[str, str]], options: Options) -> Iterator[Pass]:
    """The passes that apply such patches, by the options that were chosen; none for one that is chosen anew."""
    usual = Options()
    for option, patch in patches.items():
        if patch and getattr(options, option, None) == getattr(usual, option, None):
            yield _kept(option, patch)


def _kept(option: str, patch: Mapping[str, str]) -> Pass:
    return Pass(
        rule=RULE,
        reason=REASON.format(option.replace("_", "-")),
        severity="note",
        action="derived",
        apply=lambda scene, target: restore(scene, patch)[0],
        asked=True,
        told=True,
        chosen=lambda options: option,
    )
