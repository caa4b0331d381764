"""Making names that are not taken."""

from __future__ import annotations

from collections.abc import Container, Iterable


def unique(name: str, taken: Container[str], first: int = 1) -> str:
    """The name itself or, when it is taken, with the first free number behind it: name_1, name_2 ..."""
    if name not in taken:
        return name
    number = first
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def may_come_of(name: str, wanted: str) -> bool:
    """Whether it may be what unique has given for the wanted name."""
    rest = name.removeprefix(wanted)
    return name.startswith(wanted) and (not rest or (rest[0] == "_" and rest[1:].isdecimal()))


def label_of(name: str, authored: str | None) -> str | None:
    """The label of what is called name here: None where its author says the same, else what he says ("": nothing)."""
    return None if name == authored else authored or ""


def with_article(word: str) -> str:
    """A word with its article: a box, an ellipsoid."""
    return f"{'an' if word[:1] in 'aeio' else 'a'} {word}"


_SINGULAR = {
    "bodies": "body",
    "meshes": "mesh",
    "degrees of freedom": "degree of freedom",
    "other geometries": "other geometry",
    "physics": "physics",
}


def so_many(count: int, things: str) -> str:
    """How many things there are: 1 body, 2 bodies."""
    return f"{count} {_SINGULAR.get(things, things.removesuffix('s')) if count == 1 else things}"


def block_name(dialect: str, target: str = "") -> str:
    """What a block of simulator text (ir.types.Block) about a body or a joint is called, which has no name of its own:
    not by its number, since others may come and go."""
    return f"{dialect}_{target}" if target else dialect


class Spares:
    """Free names, in time that does not grow with how many have asked for one like it. taken is not changed."""

    __slots__ = ("_next", "_taken")

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._taken

    def of(self, name: str, first: int = 1) -> str:
        """The name, or as unique; nobody gets it again."""
        found = unique(name, self._taken, self._next.get(name, first))
        if found != name:
            self._next[name] = int(found.removeprefix(f"{name}_")) + 1
        self._taken.add(found)
        return found
