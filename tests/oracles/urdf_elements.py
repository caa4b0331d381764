"""Whether a URDF read and written again is the same, element by element. Shares no code with the product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from tests.oracles.plain_urdf import elements, find, parse, written_attributes, written_name

STRUCTURE = {
    "link",
    "joint",
    "visual",
    "collision",
    "inertial",
    "mimic",
    "transmission",
    "gazebo",
    "safety_controller",
    "calibration",
}
"""Elements that a writer may not invent."""
OPTIONAL = {"origin", "axis", "dynamics"}
"""Elements that mean the same as their absence if all their values are defaults."""
DEFAULTS = {
    ("origin", "xyz"): (0.0, 0.0, 0.0),
    ("origin", "rpy"): (0.0, 0.0, 0.0),
    ("axis", "xyz"): (1.0, 0.0, 0.0),
    ("dynamics", "damping"): (0.0,),
    ("dynamics", "friction"): (0.0,),
    ("limit", "lower"): (0.0,),
    ("limit", "upper"): (0.0,),
    ("limit", "effort"): (0.0,),
    ("limit", "velocity"): (0.0,),
    ("mimic", "multiplier"): (1.0,),
    ("mimic", "offset"): (0.0,),
    ("mesh", "scale"): (1.0, 1.0, 1.0),
    ("safety_controller", "soft_lower_limit"): (0.0,),
    ("safety_controller", "soft_upper_limit"): (0.0,),
    ("safety_controller", "k_position"): (0.0,),
}


@dataclass(frozen=True)
class Difference:
    """path is the place in the original (of the parent, for something added)."""

    path: str
    what: str
    default: bool = False
    """What is missing was equal to its default."""

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


def differences(original: Path, written: Path) -> Iterator[Difference]:
    """Yield what the written file lacks or changes of the original, and what it adds beyond defaults."""
    a, b = parse(original), parse(written)
    same_file = _same_file(original, written)
    if written_name(a) != written_name(b):
        yield Difference("/", f"root {written_name(a)} became {written_name(b)}")
        return
    stack = [(a, b, f"/{written_name(a)}")]
    while stack:
        ours, theirs, path = stack.pop()
        yield from _attributes(ours, theirs, path, same_file)
        yield from _texts(ours, theirs, path)
        groups: dict[str, list[etree._Element]] = {}
        for child in elements(theirs):
            groups.setdefault(written_name(child), []).append(child)
        taken: dict[str, int] = {}
        for child in elements(ours):
            name = written_name(child)
            position = taken[name] = taken.get(name, 0) + 1
            place = f"{path}/{name}[{position}]"
            if position > len(groups.get(name, [])):
                yield Difference(place, "is gone", default=name in OPTIONAL and _is_default(child))
            else:
                stack.append((child, groups[name][position - 1], place))
        for name, children in groups.items():
            for extra in children[taken.get(name, 0) :]:
                if not _is_default(extra):
                    yield Difference(
                        path, f"<{name}> was made up: {etree.tostring(extra, with_tail=False)[:120].decode()}"
                    )


def _attributes(
    ours: etree._Element, theirs: etree._Element, path: str, same_file: Callable[[str, str], bool]
) -> Iterator[Difference]:
    expected, found = written_attributes(ours), written_attributes(theirs)
    tag = written_name(ours)
    for name, value in expected.items():
        if name not in found:
            yield Difference(
                f"{path}/@{name}", f"{value!r} is gone", default=_values(value) == DEFAULTS.get((tag, name), ())
            )
        elif not same_text(value, found[name]) and not (name == "filename" and same_file(value, found[name])):
            yield Difference(f"{path}/@{name}", f"{value!r} became {found[name]!r}")
    for name, value in found.items():
        if name not in expected and _values(value) != DEFAULTS.get((tag, name)):
            yield Difference(path, f"attribute {name}={value!r} was made up")


def _texts(ours: etree._Element, theirs: etree._Element, path: str) -> Iterator[Difference]:
    a, b = (" ".join("".join(element.xpath("text()")).split()) for element in (ours, theirs))
    if a != b and not same_text(a, b):
        yield Difference(f"{path}/text()", f"{a[:80]!r} became {b[:80]!r}")


def _values(text: str) -> tuple[float, ...] | None:
    try:
        return tuple(float(token) for token in text.split())
    except ValueError:
        return None


def same_text(a: str, b: str) -> bool:
    """Whether both are the same words, or the same doubles."""
    if a.split() == b.split():
        return True
    ours, theirs = _values(a), _values(b)
    return ours is not None and bool(ours) and ours == theirs


def _is_default(element: etree._Element) -> bool:
    tag = written_name(element)
    if tag in STRUCTURE or elements(element) or (element.text or "").strip():
        return False
    return all(_values(value) == DEFAULTS.get((tag, name), ()) for name, value in written_attributes(element).items())


def _same_file(original: Path, written: Path) -> Callable[[str, str], bool]:
    """A file may have been copied next to the output: then its bytes are compared, not its name."""

    def same(a: str, b: str) -> bool:
        source, copy = find(a, original), written.parent / b
        return source is not None and copy.is_file() and source.read_bytes() == copy.read_bytes()

    return same
