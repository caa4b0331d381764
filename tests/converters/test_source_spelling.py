"""Notes on spelling: the author's spelling comes back where its meaning is unchanged."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest

from converters.source.respelling import apply_notes
from converters.source.spelling import spell, spell_parts
from converters.source.tree import Element, fragment, serialise
from ir.diff import Difference

CASES = {
    "nothing to note": ("<a x='1'><b/></a>", "<a x='1'><b/></a>"),
    "another attribute": ("<a x='1' y='2'/>", "<a x='1'/>"),
    "an attribute less": ("<a/>", "<a x='1'/>"),
    "another word": ("<a><b>true</b></a>", "<a><b>1</b></a>"),
    "a default written out": ("<a><p>0 0 0</p><b/></a>", "<a><b/></a>"),
    "a default left out": ("<a><b/></a>", "<a><p>0 0 0</p><b/></a>"),
    "another order": ("<a><c/><b/><b name='x'/></a>", "<a><b/><b name='x'/><c/></a>"),
    "several alike": ("<a><u>1</u><u>two</u><u>3</u></a>", "<a><u>1</u><u>2</u></a>"),
    "added among several, in another order": ("<a><d/><b/><n/><c/></a>", "<a><b/><c/><d/></a>"),
    "text between, one element less": ("<a>x<b/>y<c/>z</a>", "<a><d/>xy<b/>z<c/></a>"),
    "text between, in another order": ("<a><b/>so<c/>and<d/></a>", "<a><d/>so<b/>and<c/></a>"),
    "deep": ("<a><b name='x'><c><d k='v'/></c></b></a>", "<a><b name='x'><c><d/><e/></c></b></a>"),
}


def respelled(root: Element, notes: str) -> Element:
    """Return the document with every applicable note, whatever it means then."""
    return apply_notes(root, notes, lambda changed: [])


@pytest.mark.parametrize("name", CASES)
def test_the_words_of_the_author_come_back(name: str) -> None:
    source, written = (fragment(text) for text in CASES[name])
    notes = spell(source, written)
    assert bool(notes) is (name != "nothing to note")
    assert serialise(respelled(written, notes)) == serialise(source)


def test_another_text_for_the_same_numbers_is_no_note() -> None:
    assert spell(fragment("<a x='1.0'> 1e0  2.50</a>"), fragment("<a x='1'>1 2.5</a>")) == ""


def test_an_edit_wins_over_the_note() -> None:
    notes = spell(fragment("<a><v>yes</v><w k='old'/></a>"), fragment("<a><v>1</v><w k='2'/></a>"))
    edited = fragment("<a><v>0</v><w k='3'/></a>")
    assert serialise(respelled(edited, notes)) == '<a><v>0</v><w k="3"/></a>'
    parted = spell(fragment("<a>so<b/>much</a>"), fragment("<a>somuch<b/></a>"))
    assert serialise(respelled(fragment("<a>solittle<b/></a>"), parted)) == "<a>solittle<b/></a>"


def test_numbers_that_went_through_another_format_are_still_the_same() -> None:
    notes = spell(fragment("<a><v u='deg'>180</v></a>"), fragment("<a><v>3.141592653589793</v></a>"))
    again = fragment("<a><v>3.1415926535897927</v></a>")
    assert serialise(respelled(again, notes)) == '<a><v u="deg">180</v></a>'


def test_a_new_element_keeps_its_place_behind_its_neighbour() -> None:
    notes = spell(fragment("<a><c/><b/></a>"), fragment("<a><b/><c/></a>"))
    edited = fragment("<a><b/><new/><c/></a>")
    assert serialise(respelled(edited, notes)) == "<a><c/><b/><new/></a>"


def test_notes_that_would_change_the_meaning_are_left_out() -> None:
    source = fragment("<a><x k='1'/><y k='1'/><z k='1'/></a>")
    written = fragment("<a><x/><y/><z/></a>")
    tried: list[str] = []

    def unlike(root: Element) -> list[Difference]:
        tried.append(serialise(root))
        return [Difference(("y",), "y", "extra", None, "1", None)] if 'y k="1"' in tried[-1] else []

    assert serialise(apply_notes(written, spell(source, written), unlike)) == '<a><x k="1"/><y/><z k="1"/></a>'
    assert len(tried) <= 7
    assert serialise(written) == "<a><x/><y/><z/></a>"


def test_a_text_stays_before_the_comment_that_it_is_said_before():
    """libsdformat reads the first of the texts that a comment separates."""
    source, written = (fragment(f"<a>{x}<k>0.5<!-- so --><b/></k></a>") for x in ("<c/>", ""))
    assert serialise(respelled(written, spell(source, written))) == serialise(source)
    source, written = (fragment(f"<k>{x}</k>") for x in ("0.5<!-- so --><b/><c/>", "0.5<!-- so --><c/><b/>"))
    assert serialise(respelled(written, spell(source, written))) == serialise(source)


def test_what_is_noted_of_one_thing_is_left_out_together():
    """A pose and its frame have a meaning only together."""
    source = fragment("<a><x name='f' at='1'/><x name='g' at='1'/><y k='1'/></a>")
    written = fragment("<a><x name='f'><p/></x><x name='g'><p/></x><y/></a>")

    def unlike(root: Element) -> list[Difference]:
        wrong = "y" if root.elements()[2].attrs else ""
        for item in root.elements()[:2]:
            if bool(item.attrs.get("at")) is bool(item.elements()):
                wrong = item.attrs["name"]
        return [Difference((wrong,), wrong, "extra", None, "1", None)] if wrong else []

    said = serialise(apply_notes(written, spell(source, written), unlike))
    assert said == '<a><x name="f" at="1"/><x name="g" at="1"/><y/></a>'


def test_of_what_was_edited_the_notes_are_left_out_and_all_others_stay() -> None:
    """However many depend on each other, such as elements and their class."""
    names = [f"n{number}" for number in range(300)]
    source = fragment("<a><d/>" + "".join(f"<x name='{name}' of='d'/>" for name in names) + "</a>")
    written = fragment("<a>" + "".join(f"<x name='{name}' k='1'/>" for name in names) + "</a>")
    edited, readings = {"n7", "n200"}, list[Element]()

    def unlike(root: Element) -> list[Difference]:
        readings.append(root)
        known = root.find("d") is not None
        of = (item.attrs["name"] for item in root.elements() if item.attrs.get("of"))
        wrong = (name for name in of if name in edited or not known)
        return [Difference(("body", "b", "geoms", name, "k"), "", "different", "1", "2", None) for name in wrong]

    said = apply_notes(written, spell(source, written), unlike)
    assert [item.attrs["name"] for item in said.elements()[1:] if "of" not in item.attrs] == ["n7", "n200"]
    assert len(readings) <= 9


@pytest.mark.parametrize(("count", "most"), [(300, 162), (30_000, 5)])
def test_the_larger_a_document_is_the_less_often_it_is_read(count: int, most: int) -> None:
    source = fragment("<a>" + "<x k='1'/>" * count + "</a>")
    written = fragment("<a>" + "<x/>" * count + "</a>")
    readings: list[int] = []

    def unlike(root: Element) -> list[Difference]:
        readings.append(sum("k" in item.attrs for item in root.elements()))
        return [Difference(("y",), "y", "extra", None, str(readings[-1]), None)] if readings[-1] else []

    assert serialise(apply_notes(written, spell(source, written), unlike)) == serialise(written)
    assert 2 <= len(readings) <= most


def _trees() -> st.SearchStrategy[Element]:
    words = st.sampled_from(["1", "2.5", "true", "a b"])
    attrs = st.dictionaries(st.sampled_from(["name", "k", "l"]), words, max_size=2)

    def element(children: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
        def build(tag: str, attributes: dict[str, str], inside: list[Element]) -> Element:
            made = Element(tag, attributes)
            made.content.extend(inside)
            return made

        return st.builds(build, st.sampled_from("abc"), attrs, st.lists(children, max_size=4))

    return st.recursive(st.builds(Element, st.sampled_from("abc"), attrs), element, max_leaves=20)


@hypothesis.given(_trees(), _trees())
def test_any_tree_can_be_noted_against_any_other(source: Element, written: Element) -> None:
    written.tag = source.tag
    written = respelled(written, spell(source, written))
    assert spell(source, written) == ""
    assert _values(source) == _values(written)


def _values(root: Element) -> list[object]:
    found: list[object] = []
    stack = [root]
    while stack:
        element = stack.pop()
        found.append((element.tag, sorted(element.attrs.items()), len(element.content)))
        stack.extend(item for item in element.content if isinstance(item, Element))
    return found


def test_what_lies_deeper_than_any_robot_is_not_noted() -> None:
    """Notes are a JSON tree, whose depth Python limits like that of calls."""
    source, written = (fragment("<a>" * 2000 + f"<b x='{x}'/>" + "</a>" * 2000) for x in "12")
    assert spell(source, written) == ""


@pytest.mark.parametrize(
    ("edited", "found"),
    [
        ("", "<m><w><b name='x' k='2.0'/></w><o/><w><b name='y' k='3.0'/><c/></w><n/><w/></m>"),
        ("k='3'", "<m><w><b name='x' k='2.0'/></w><o/><w><b name='y' k='4'/><c/></w><n/><w/></m>"),
        ("<b name='y' k='3'/>", "<m><w><b name='x' k='2.0'/><c/></w><o/><n/><w/></m>"),
    ],
)
def test_what_several_sections_say_is_noted_thing_by_thing(edited: str, found: str) -> None:
    plain = "<m><w><b name='x' k='2'/><b name='y' k='3'/><c/></w><n/><o/></m>"
    source = "<m><w><b name='x' k='2.0'/></w><o/><w><b name='y' k='3.0'/><c/></w><n/><w/></m>"
    source, found = source.replace("2.0", "two"), found.replace("2.0", "two")
    notes = spell_parts(fragment(source), fragment(plain))
    now = plain.replace(edited, "k='4'" if edited.startswith("k") else "") if edited else plain
    assert serialise(respelled(fragment(now), notes)) == serialise(fragment(found.replace("3.0", "3")))


@pytest.mark.parametrize(
    ("old", "new"),
    [("<b name='x'>", "<b name='z'>"), ("<b name='x'><c name='k' v='1'/></b>", "<c name='k' v='1'/><b name='x'/>")],
)
def test_what_stands_in_something_of_another_name_or_place_is_known(old: str, new: str) -> None:
    plain = "<a><b name='x'><c name='k' v='1'/></b><b name='y'/></a>"
    notes = spell(fragment(plain.replace("v='1'", "v='one'").replace("name='y'", "name='y' w='2'")), fragment(plain))
    now = plain.replace(old, new)
    wanted = now.replace("v='1'", "v='one'").replace("name='y'", "name='y' w='2'")
    assert serialise(respelled(fragment(now), notes)) == serialise(fragment(wanted))
