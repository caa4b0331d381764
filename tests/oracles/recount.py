"""Conservation recounted with lxml: each element, attribute and non-blank text once; and places that resolve."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree

from tests.oracles.plain_urdf import elements, parse, written_attributes, written_name

STEP = re.compile(r"^(?P<name>[^\[\]]+)(\[(?P<position>\d+)\])?$")


def items(path: Path) -> int:
    """Return the number of elements, attributes and non-blank texts of a document."""
    root = parse(path)
    counts = (root.xpath(f"count({what})") for what in ("//*", "//@*", "//text()[normalize-space()]"))
    return int(sum(float(count) for count in counts))


def resolve(root: etree._Element, path: str) -> str | None:
    """Return None if an absolute positional path exists, otherwise the step at which it fails."""
    steps = path.split("/")
    if steps[0] != "" or len(steps) < 2:
        return f"{path} is not absolute"
    if steps == ["", ""]:
        return None
    if STEP.sub(r"\g<name>", steps[1]) != written_name(root):
        return f"{path}: the root is {written_name(root)}"
    element = root
    for number, step in enumerate(steps[2:], 2):
        if step.startswith("@"):
            last = number == len(steps) - 1
            return None if last and step[1:] in written_attributes(element) else f"{path}: no attribute {step}"
        if step == "text()" or step.startswith("text()["):
            return None if any(text.strip() for text in element.xpath("text()")) else f"{path}: no text"
        match = STEP.match(step)
        if match is None:
            return f"{path}: {step} is no step"
        among = elements(element, match["name"])
        position = int(match["position"] or 1)
        if not 1 <= position <= len(among):
            return f"{path}: no {step}"
        element = among[position - 1]
    return None


def line_is_right(lines: list[str], path: str, line: int) -> bool:
    """Whether the line of a finding contains the start of the element (or the attribute) of its path."""
    steps = [step for step in path.split("/") if step]
    if not steps:
        return True
    name = next((step for step in reversed(steps) if not step.startswith(("@", "text()"))), steps[0])
    tag = "<" + STEP.sub(r"\g<name>", name)
    if not 1 <= line <= len(lines):
        return False
    text = lines[line - 1]
    return tag in text or (steps[-1].startswith("@") and steps[-1][1:] in text)
