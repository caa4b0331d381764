"""Making unique names."""

from __future__ import annotations

from collections.abc import Container, Iterable


def unique(name: str, taken: Container[str], first: int = 1) -> str:
    """The name itself or, if it is taken, the name with the first free number: name_1, name_2 ..."""
    if name not in taken:
        return name
    number = first
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def may_come_of(name: str, wanted: str) -> bool:
    """Whether unique may have returned this name for the wanted one."""
    rest = name.removeprefix(wanted)
    return name.startswith(wanted) and (not rest or (rest[0] == "_" and rest[1:].isdecimal()))


def label_of(name: str, authored: str | None) -> str | None:
    """The label of a thing with this name: None if its author used the same name, else the author's name ("": none)."""
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
    """A count with its noun: 1 body, 2 bodies."""
    return f"{count} {_SINGULAR.get(things, things.removesuffix('s')) if count == 1 else things}"


def block_name(dialect: str, target: str = "") -> str:
    """The name of a block of simulator text (ir.types.Block) about a body or a joint, which has no name of its own: not
    a number, since other blocks may be added or removed."""
    return f"{dialect}_{target}" if target else dialect


class Spares:
    """Unique names, in time independent of the number of similar names. taken is not changed."""

    __slots__ = ("_next", "_taken")

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._taken

    def of(self, name: str, first: int = 1) -> str:
        """The name, or a numbered one as unique returns it; it is taken from now on."""
        found = unique(name, self._taken, self._next.get(name, first))
        if found != name:
            self._next[name] = int(found.removeprefix(f"{name}_")) + 1
        self._taken.add(found)
        return found
