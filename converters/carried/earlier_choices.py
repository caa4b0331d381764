"""Choices of a user in an earlier conversion (--base, --missing-inertia geometry).

They are undone on the way back to the first format, like everything that a conversion made. They hold for every other
format: all other readers of the document see their effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from converters.context import USUAL, Options
from converters.format import Pass, Ran
from ir.restore import restore
from ir.scene import Address, Scene

RULE = "asked/kept"
REASON = (
    "an option of an earlier conversion (--{}) caused this in the source; it is undone on the way back "
    "to the format with which that conversion began"
)


def chosen_places(steps: Iterable[Ran], patch: Mapping[str, str]) -> dict[str, list[Address]]:
    """Option of the user -> the places in the patch of an output that undo its effect, without things of which a later
    pass made something else, as of a root that was attached to another tree."""
    found: dict[str, list[Address]] = {}
    later: set[str] = set()
    for step in reversed(tuple(steps)):
        places = [place for place in step.chosen if place[0] in patch and place[0] not in later]
        if places:
            found.setdefault(step.option, []).extend(places)
        later |= {place[0] for group in step.whole for place in group}
    return found


def choice_patches(steps: Iterable[Ran]) -> dict[str, dict[str, str]]:
    """Option of the user -> the patch that repeats its effect."""
    found: dict[str, dict[str, str]] = {}
    for step in steps:
        if step.option:
            found.setdefault(step.option, {}).update(step.choice)
    return found


def with_choices(scene: Scene, patches: Mapping[str, Mapping[str, str]]) -> Scene:
    """The scene with the effects of such choices."""
    for patch in patches.values():
        scene = restore(scene, patch)[0]
    return scene


def choice_passes(patches: Mapping[str, Mapping[str, str]], options: Options) -> Iterator[Pass]:
    """The passes that apply such patches; none for an option that is given again."""
    for option, patch in patches.items():
        if patch and getattr(options, option, None) == getattr(USUAL, option, None):
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
