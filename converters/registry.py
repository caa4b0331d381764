"""Formats as records of functions, found through the entry-point group kinegraph.formats; the built-in ones take the same road."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from pathlib import PurePath

from converters.context import InputError, Output, Reader, Writer

GROUP = "kinegraph.formats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Why a difference that the audit found is there: a row of a format's table. It can neither hide nor create one.

    field is an address without names, with * as wildcard (joint.dofs.velocity); severity and action are what the finding gets
    (action "" keeps what the audit computed).
    """

    field: str
    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """What a target can hold: selects the passes (converters.passes)."""

    free_inside_tree: bool = False
    needs_inertia: bool = False
    needs_base: str | None = None
    parent_child_collide: bool = False
    reserved_names: frozenset[str] = frozenset()
    actuators: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format. claims looks at the first bytes when several formats share a suffix; functions import their own dependencies.

    carry embeds carried data (address -> JSON text) into a written document; the reader finds it as scene.carried.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    claims: Callable[[bytes], bool]
    read: Reader | None = None
    write: Writer | None = None
    carry: Callable[[Output, Mapping[str, str]], Output] | None = None
    losses: Callable[[], tuple[Loss, ...]] = tuple
    fits: Fits = field(default_factory=Fits)


@cache
def formats() -> Mapping[str, Format]:
    """Every known format by name. Raises ValueError when two installed packages offer the same name."""
    found: dict[str, Format] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in found:
            raise ValueError(f"two installed packages offer the format {entry.name!r}; the second is {entry.value}")
        found[entry.name] = entry.load()
    return found


def named(name: str) -> Format:
    """The format of that name; InputError lists what is known."""
    try:
        return formats()[name]
    except KeyError:
        raise InputError(f"unknown format {name!r}; known are {', '.join(formats())}") from None


def detect(path: str, head: bytes | None = None) -> Format:
    """The format of a file by its suffix, then by its first bytes (head; None for a file that is still to be written)."""
    suffix = PurePath(path).suffix.lower()
    fitting = [format for format in formats().values() if suffix in format.suffixes]
    if head is not None:
        claimed = [format for format in fitting or formats().values() if format.claims(head)]
        fitting = claimed or fitting
    if not fitting:
        known = ", ".join(f"{suffix} ({format.name})" for format in formats().values() for suffix in format.suffixes)
        raise InputError(f"{path}: cannot tell the format; known suffixes are {known}. Say it with --from or --to")
    return fitting[0]
