"""The tree of a model drawn as SVG: links as boxes, joints as labels on the lines between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from ir.scene import Scene
from ir.types import WORLD, DofKind, Joint

ROW, HEIGHT = 34.0, 24.0
"""Pixels between rows, and the height of a box."""
CORNER = 6.0
"""Radius in pixels of the corners of lines to other rows."""
GAP, MARGIN = 36.0, 20.0
"""Pixels of a line beside the name of its joint, and of the margin."""
LETTER, SMALL, PADDING = 7.2, 6.4, 12.0
"""Width of a character of a link and of a joint, and of the padding of a box."""
LONGEST = 32
"""Characters of a name that a box shows; the whole name is a tooltip."""
DEEPEST = 9
"""Largest number of links in a row; deeper ones are drawn below as a tree of their own: pages are higher than wide."""

COLOURS = {
    "weld": "#7a828c",
    DofKind.HINGE: "#1f6feb",
    DofKind.SLIDE: "#1a7f37",
    DofKind.SCREW: "#8250df",
    DofKind.BALL: "#bf3989",
    DofKind.FREE: "#bc4c00",
    "several": "#9a6700",
}
"""Colours of joints on white and, lighter, on black; their kinds are also written."""
WORDS = {"weld": "fixed", "several": "several axes"}

STYLE = """
  text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328 }
  .page { fill: #ffffff } .box { fill: #f6f8fa; stroke: #57606a } .root .box { stroke-width: 2 }
  .line { fill: none; stroke-width: 1.6 } .joint { font-size: 10.5px } .loop { stroke-dasharray: 5 4 }
  .quiet { fill: #57606a; font-size: 10.5px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 } .box { fill: #161b22; stroke: #8b949e } .quiet { fill: #8b949e }
    .joint, .line { filter: brightness(1.5) }
  }
"""


class LinkBox(Struct):
    """A link with its position. column counts from the left; more is set if a tree that is too deep was cut there."""

    name: str
    joint: Joint | None
    column: int
    x: float = 0.0
    y: float = 0.0
    more: str = ""


def svg(scene: Scene) -> str:
    """An SVG document. Linear in the links, and no row is longer than DEEPEST links; every name is escaped."""
    boxes, loops = _boxes(scene)
    _place(boxes)
    places = {box.name: box for box in reversed(boxes)}
    wide = max((box.x + _box_width(box) for box in boxes), default=MARGIN) + MARGIN
    high = max((box.y for box in boxes), default=0.0) + HEIGHT / 2 + MARGIN
    kinds = dict.fromkeys(kind(box.joint) for box in boxes if box.joint is not None)
    legend = [*_legend(kinds, high)]
    high += ROW if kinds else 0.0
    wide = max(wide, MARGIN + sum(_width(_word_of_kind(each)) + 44 for each in kinds) + MARGIN)
    size = f'width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}"'
    title = _title(f"{scene.name or 'model'}: {len(scene.bodies) - 1} links, {len(scene.joints)} joints")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>',
        f"<title>{title}</title><style>{STYLE}</style>",
        f'<rect class="page" width="{wide:.0f}" height="{high:.0f}"/>',
        *_lines(boxes),
        *_loops(loops, places),
        *(text for box in boxes for text in _drawn(box)),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def kind(joint: Joint) -> str:
    """The kind of a joint in the drawing."""
    if len(joint.dofs) != 1:
        return "several" if joint.dofs else "weld"
    return joint.dofs[0].kind


def _word_of_kind(name: str) -> str:
    return WORDS.get(name, str(name))


# -------------------------------------------------------------------------------------------------------------- placing


def _boxes(scene: Scene) -> tuple[list[LinkBox], list[Joint]]:
    """Links in the order of the tree, children below their parents, and the joints that close loops."""
    boxes: list[LinkBox] = []
    held = next(scene.child_joints(WORLD), None) is not None
    tops: deque[str] = deque([*([WORLD] if held or scene.body(WORLD).geoms else []), *scene.roots()])
    seen: set[str] = set()
    while tops:
        top = tops.popleft()
        stack: list[tuple[Joint | None, str, int]] = [(None, top, 0)]
        while stack:
            joint, name, column = stack.pop()
            box = LinkBox(name, joint, column, more=f"{name} (from above)" if name in seen else "")
            seen.add(name)
            boxes.append(box)
            children = list(scene.child_joints(name))
            if children and column == DEEPEST:
                box.more = f"{name} (see below)"
                tops.append(name)
                continue
            stack += [(child, child.child, column + 1) for child in reversed(children)]
    return boxes, [*scene.loops.values()]


def _place(boxes: list[LinkBox]) -> None:
    """The first child is beside its parent, each other one in a row of its own: rows never cross.

    The children of a link are below each other, at a distance that leaves room for the longest name of their joints.
    """
    gaps: dict[str, float] = {}
    for box in boxes:
        if box.joint is not None:
            width = SMALL * len(_short(box.joint.name)) + GAP
            gaps[box.joint.parent] = max(gaps.get(box.joint.parent, 0.0), width)
    starts: dict[str, LinkBox] = {}
    row = -1
    last: LinkBox | None = None
    for box in boxes:
        parent = starts.get(box.joint.parent) if box.joint is not None else None
        if parent is None or parent is not last:
            row += 1
        box.x = MARGIN if parent is None else parent.x + _box_width(parent) + gaps[parent.name]
        box.y = MARGIN + HEIGHT / 2 + row * ROW
        starts[box.name] = last = box


# -------------------------------------------------------------------------------------------------------------- drawing


def _lines(boxes: Iterable[LinkBox]) -> Iterator[str]:
    """From the right of a parent to the left of its child, with the name of the joint."""
    start: dict[str, LinkBox] = {}
    for box in boxes:
        if box.joint is None:
            start[box.name] = box
            continue
        parent = start[box.joint.parent]
        start[box.name] = box
        colour = COLOURS[kind(box.joint)]
        x, end = parent.x + _box_width(parent), box.x
        bend = x + 14
        if box.y == parent.y:
            way = f"M{x:.1f} {parent.y:.1f}H{end:.1f}"
        else:
            way = (
                f"M{x:.1f} {parent.y:.1f}H{bend - CORNER:.1f}q{CORNER} 0 {CORNER} {CORNER}"
                f"V{box.y - CORNER:.1f}q0 {CORNER} {CORNER} {CORNER}H{end:.1f}"
            )
        yield f'<path class="line" stroke="{colour}" d="{way}"/>'
        label = _short(box.joint.name)
        yield (
            f'<text class="joint" x="{bend + 8:.1f}" y="{box.y - 5:.1f}" style="fill:{colour}">{escape(label)}'
            f"<title>{_title(_joint_text(box.joint))}</title></text>"
        )


def _drawn(box: LinkBox) -> Iterator[str]:
    top = box.y - HEIGHT / 2
    named = quoteattr("root" if box.joint is None and not box.more else "link")
    yield (
        f'<g class={named}><rect class="box" x="{box.x:.1f}" y="{top:.1f}" width="{_box_width(box):.1f}" '
        f'height="{HEIGHT:.0f}" rx="5"/><text{" class=" + quoteattr("quiet") if box.more else ""} '
        f'x="{box.x + PADDING / 2:.1f}" y="{box.y + 4:.1f}">{escape(_short(box.more or box.name, LONGEST + 13))}'
        f"<title>{_title(box.name)}</title></text></g>"
    )


def _loops(loops: Iterable[Joint], places: dict[str, LinkBox]) -> Iterator[str]:
    """Joints that close loops, dashed, behind the boxes."""
    for joint in loops:
        first, second = places.get(joint.parent), places.get(joint.child)
        if first is None or second is None:
            continue
        x, end = first.x + _box_width(first) / 2, second.x + _box_width(second) / 2
        side = max(x, end) + 40
        way = f"M{x:.1f} {first.y:.1f}C{side:.1f} {first.y:.1f} {side:.1f} {second.y:.1f} {end:.1f} {second.y:.1f}"
        colour = COLOURS[kind(joint)]
        yield f'<path class="line loop" stroke="{colour}" d="{way}"><title>{_title(_joint_text(joint))}</title></path>'


def _legend(kinds: Iterable[str], top: float) -> Iterator[str]:
    x = MARGIN
    for name in kinds:
        yield f'<path class="line" stroke="{COLOURS[name]}" d="M{x:.1f} {top:.1f}h26"/>'
        yield f'<text class="quiet" x="{x + 32:.1f}" y="{top + 4:.1f}">{escape(_word_of_kind(name))}</text>'
        x += _width(_word_of_kind(name)) + 44


def _joint_text(joint: Joint) -> str:
    parts = [f"{joint.name}: {_word_of_kind(kind(joint))}"]
    for dof in joint.dofs:
        if dof.lower is not None and dof.upper is not None:
            parts.append(f"{dof.lower:.6g} to {dof.upper:.6g}{' m' if dof.kind is DofKind.SLIDE else ' rad'}")
        if dof.mimic is not None:
            parts.append(f"follows {dof.mimic.dof}")
    return ", ".join(parts)


def _width(text: str) -> float:
    return LETTER * len(text) + PADDING


def _box_width(box: LinkBox) -> float:
    return _width(_short(box.more or box.name, LONGEST + 13))


def _short(text: str, most: int = LONGEST) -> str:
    """One line of a name, without characters that XML cannot contain."""
    flat = "".join(char if char.isprintable() else "?" for char in text)
    return flat if len(flat) <= most else f"{flat[: max(most - 1, 1)]}…"


def _title(text: str) -> str:
    return escape(_short(text, 1000))
