"""Copies of source elements. They are not counted: the report counts the original once, however often it is used."""

from __future__ import annotations

from converters.source.xml import Document, Node


def shadow(node: Node, attrs: dict[str, str] | None = None) -> Node:
    """A copy of an element, at the place of the original. attrs: its attributes, if they are different."""
    document = Document(node.file, node.document.format, node.document.faults)
    said = dict(node.attrs if attrs is None else attrs)
    top = document.root = Node(node.tag, said, document, node.parent, node.line, node.position, node.turn)
    document.moved[top] = str(node)
    stack = [(node, top)]
    while stack:
        old, new = stack.pop()
        for item in old.content:
            if isinstance(item, Node):
                child = Node(item.tag, dict(item.attrs), document, new, item.line, item.position, item.turn)
                new.content.append(child)
                stack.append((item, child))
            else:
                new.content.append(item)
    return top
