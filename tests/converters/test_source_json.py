"""The tracked cursor over JSON: what is read, what is left, source places, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest

from converters.context import InputError, ReaderContext
from converters.faults import Faults
from converters.source.json import JsonDocument
from converters.source.json_parsing import parse

TEXT = b"""{
  "asset": {"version": "2.0", "extras": {"a": [1, {"b": 2}]}},
  "nodes": [
    {"name": "base", "mesh": 0, "scale": [1, 2, 3]},
    {
      "name": "arm", "unknown": {"deep": [1, 2]}
    }
  ],
  "odd/na~me": true
}"""


def document(data: bytes = TEXT) -> JsonDocument:
    return parse(data, ReaderContext(file="robot.gltf", folder=Path()), "gltf")


def test_what_is_asked_for_is_read_and_the_rest_is_left_with_its_place() -> None:
    read = document()
    root = read.root
    asset = root.child("asset")
    assert asset is not None
    assert asset.text("version") == "2.0"
    base, arm = root.children("nodes")
    assert (base.text("name"), base.index("mesh", 1), base.vector("scale", 3)) == ("base", 0, (1.0, 2.0, 3.0))
    arm.ignore("unknown", "gltf/no-meaning")
    found = {(extra.path, extra.text, extra.items, extra.rule) for node in (base, arm) for extra in node.rest()}
    assert found == {("name", '"arm"', 1, ""), ("unknown", '{"deep":[1,2]}', 2, "gltf/no-meaning")}
    left = root.rest()
    assert [(extra.path, extra.text, extra.items) for extra in left] == [
        ("asset/extras", '{"a":[1,{"b":2}]}', 3),
        ("odd~1na~0me", "true", 1),
    ]
    assert [(extra.source.line, extra.source.path) for extra in left if extra.source] == [
        (2, "/asset/extras"),
        (9, "/odd~1na~0me"),
    ]
    assert arm.place("unknown").line == 6
    assert arm.source.line == 5
    assert read.totals() == (13, 6, 2, 5)


def test_totals_refuse_to_lie() -> None:
    read = document()
    read.root.children("nodes")[0].rest()
    with pytest.raises(AssertionError, match="13 items"):
        read.totals()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not well-formed JSON"),
        (b'{"a": 1,\n "b" 2}', "robot.gltf:2: not well-formed JSON"),
        (b"[1]", "no object"),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": 1, "a": 2}', "'a' twice"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a": ' + b"[" * 250 + b"]" * 250 + b"}", "nested too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too many digits"),
    ],
)
def test_what_is_no_document_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        document(data)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda node: node.text("mesh"), "must be a string"),
        (lambda node: node.index("mesh", 0), "only 0"),
        (lambda node: node.integer("name"), "whole number"),
        (lambda node: node.number("name"), "must hold numbers"),
        (lambda node: node.vector("scale", 4), "array of 4 numbers"),
        (lambda node: node.boolean("mesh"), "true or false"),
        (lambda node: node.child("mesh"), "must be an object"),
        (lambda node: node.children("scale"), "array of objects"),
    ],
)
def test_a_value_of_another_kind_is_told_with_its_place(ask: Any, message: str) -> None:
    with pytest.raises(InputError, match=rf"robot\.gltf:4: /nodes/0/.*{message}"):
        ask(document().root.children("nodes")[0])


def test_a_number_too_large_is_not_finite() -> None:
    with pytest.raises(InputError, match="not finite"):
        document(b'{"a": 1e999}').root.number("a")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=20,
)


@hypothesis.given(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), st.sampled_from([None, 1]))
def test_every_line_and_every_count_is_true(value: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    read = document(text.encode())
    for key in value:
        line = read.root.place(key).line
        assert json.dumps(key) in text.split("\n")[line - 1]
    read.root.rest()
    counted = 0

    def hook(pairs: list[tuple[str, Any]]) -> None:
        nonlocal counted
        counted += len(pairs)

    json.loads(text, object_pairs_hook=hook)
    nulls = sum(each is None for each in value.values())  # what is left over as a whole is unread with all in it
    assert read.totals() == (counted, 0, nulls, counted - nulls)


def test_a_null_says_nothing_and_is_passed_over() -> None:
    read = document(b'{"nodes": [{"name": null, "rotation": null, "mesh": null}]}')
    (node,) = read.root.children("nodes")
    assert (node.text("name"), node.vector("rotation", 4), node.index("mesh", 1)) == (None, None, None)
    assert not node.rest()
    items, asked, ignored, unread = read.totals()
    assert (items, ignored, unread) == (asked + ignored + unread, 3, 0)


class Searched(str):
    """A text that counts how often it is searched."""

    __slots__ = ("times",)
    times: int

    def __contains__(self, part: object) -> bool:
        self.times += 1
        return str(part) in str(self)


def test_a_text_of_one_line_is_looked_through_once_however_many_places_are_asked_for() -> None:
    text = Searched(json.dumps({"points": [0] * 100}))
    text.times = 0
    read = JsonDocument("a.json", "gltf", text, json.loads(text), Faults())
    assert {read.line(f"/points/{number}") for number in range(100)} == {1}
    assert text.times <= 1
