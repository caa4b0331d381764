"""The tracked cursor: everything in a document is exactly one of read, ignored or left over."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters.context import InputError, ReaderContext
from converters.convert import convert
from converters.source.bits import MOST
from converters.source.parsing import parse
from converters.source.tree import Element, document, fragment, restore, serialise
from converters.source.xml import MAX_DEPTH
from ir.types import Extra
from tests.reports import explained


def context() -> ReaderContext:
    return ReaderContext(file="made.urdf", folder=Path())


def read(text: str | bytes):
    return parse(text.encode() if isinstance(text, str) else text, context(), "urdf")


def test_what_nobody_asked_for_is_left_over_with_its_place():
    made = read('<robot name="r"><link name="a" QQQ="1"><visual/><collision_checking/></link></robot>')
    root = made.root
    root.get("name")
    (link,) = root.children("link")
    link.get("name")
    link.child("visual")
    extras = link.rest()
    assert [(extra.path, extra.text) for extra in extras] == [
        ("@QQQ", "1"),
        ("collision_checking[1]", "<collision_checking/>"),
    ]
    assert extras[0].source is not None and extras[0].source.path == "/robot/link[1]/@QQQ"
    assert extras[1].index == 1
    assert root.rest() == ()
    assert made.totals() == (7, 5, 0, 2)


def test_a_second_occurrence_of_a_single_child_is_left_over():
    made = read("<joint><axis xyz='1 0 0'/><axis xyz='0 1 0'/></joint>")
    axis = made.root.child("axis")
    assert axis is not None and axis.vector("xyz", 3) == (1.0, 0.0, 0.0)
    assert [extra.path for extra in made.root.rest()] == ["axis[2]"]


def test_ignored_content_is_counted_apart_and_kept():
    made = read('<joint type="fixed"><axis xyz="1 0 0"/></joint>')
    made.root.get("type")
    made.root.ignore("axis", "urdf/fixed-axis")
    (extra,) = made.root.rest()
    assert extra.rule == "urdf/fixed-axis"
    assert made.totals() == (4, 2, 2, 0)


def test_an_item_that_is_neither_read_nor_collected_is_our_own_fault():
    made = read('<robot name="r"/>')
    with pytest.raises(AssertionError, match="2 items"):
        made.totals()


def test_counts_agree_with_those_of_lxml():
    text = '<a x="1"><!-- c -->t<b y="2" z="3">u<![CDATA[<v>]]></b> tail <b/> <b>&#160;</b>&#160;\n</a>'
    made = read(text)
    made.root.rest()
    tree = etree.fromstring(text)
    expected = int(tree.xpath("count(//*) + count(//@*) + count(//text()[normalize-space()])"))
    assert made.totals()[0] == expected


def test_a_text_ends_where_a_comment_or_an_element_begins():
    document = read(b"<a><b>1<!-- x -->2</b><c>\n<!-- y -->3 </c><d>4<e/>5</d><f><e/>6</f></a>")
    root = document.root
    nodes = [root.child(tag) for tag in "bcdf"]
    assert [node.text() for node in nodes if node is not None] == ["1", "3", "4", ""]
    left = [(extra.path, extra.text) for extra in root.rest()]
    rest = [("b[1]/text()[2]", "2"), ("d[1]/e[1]", "<e/>"), ("d[1]/text()[2]", "5"), ("f[1]/e[1]", "<e/>")]
    assert left == [*rest, ("f[1]/text()", "6")]
    assert document.totals() == (13, 8, 0, 5)


def test_a_later_text_goes_back_behind_the_first_and_never_in_its_place():
    extra = Extra(format="t", path="b[1]/text()[2]", text="2")
    whole, silent = fragment("<a><b>1</b></a>"), fragment("<a><b/></a>")
    for element in (whole, silent):
        restore(element, [extra], "t")
    assert [serialise(whole), serialise(silent)] == ["<a><b>1<!---->2</b></a>", "<a><b/></a>"]


def test_a_long_text_is_one_item():
    made = read(f"<a>{'x y' * 50_000}&amp;{'z' * 50_000}</a>")
    assert [len(extra.text) for extra in made.root.rest()] == [200_001]
    assert made.totals() == (2, 1, 0, 1)


def test_lines_are_exact_beyond_65534():
    made = read("<robot>" + "\n" * 70_000 + "<link/>\n<link/></robot>")
    assert [node.line for node in made.root.children("link")] == [70_001, 70_002]


def test_undeclared_prefixes_are_kept_as_written():
    made = read('<gazebo><sensor:camera name="c"><x/></sensor:camera></gazebo>')
    (extra,) = made.root.rest()
    assert extra.text == '<sensor:camera name="c"><x/></sensor:camera>'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<a>\n <b name=x/></a>", "2: not well-formed XML: this is no valid markup: a value without quotes, or"),
        ("robot\n<a/>", "1: not well-formed XML: there is text outside of the root element"),
        ("<a/>\n<b/>", "2: not well-formed XML: there is something after the end of the root element"),
    ],
)
def test_broken_markup_is_told_in_words_that_help(text: str, why: str):
    with pytest.raises(InputError, match=why):
        read(text)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("\n\n<?xml version='1.0'?><robot/>", "white space"),
        ("<!-- so --><?xml version='1.0'?><robot/>", "a comment"),
        ("<robot/>\0\0", "NUL"),
        ("<robot><!-- a -- b --></robot>", "well-formed"),
        ("<robot name='&theta;'/>", "well-formed"),
        ("<robot name='a'version='1.0'/>", "well-formed"),
        ("<robot/>\n\n</robot>\n", "</robot>"),
        ("<robot></robot></link> <<< &", "</link>"),
        ("<robot name='&theta;'/><!-- ü --></ü:robot >\r\n<link", "</ü:robot >"),
    ],
)
def test_what_lenient_parsers_take_is_read_with_a_note(text: str, note: str):
    given = context()
    made = parse(text.encode(), given, "urdf")
    assert made.root.tag == "robot"
    assert any(note in found.before + found.reason for found in given.notes)


@pytest.mark.parametrize("text", ["<robot/></ robot>", "<robot></link>", "</robot>", "<robot/><robot/></robot>"])
def test_an_end_tag_elsewhere_is_still_refused(text: str):
    with pytest.raises(InputError, match="not well-formed"):
        parse(text.encode(), context(), "urdf")


def test_an_undefined_entity_stays_text():
    given = context()
    assert parse(b"<robot name='&theta;'/>", given, "urdf").root.get("name") == "&theta;"


@pytest.mark.parametrize(
    ("said", "read"),
    [("a\x01\x1f", "a\ufffd\ufffd"), ("&#1;&#x1B;", "\ufffd\ufffd"), ("a\x0b\x0cb", "a  b"), ("&#x41;\x02", "A\ufffd")],
)
def test_characters_that_no_xml_holds_are_marked(said: str, read: str):
    given = context()
    made = parse(f"<robot>\n<!-- \x01 --><link name='{said}'/></robot>".encode(), given, "urdf")
    (link,) = made.root.elements()
    assert (link.get("name"), link.source.line) == (read, 2)
    assert [found.rule for found in given.notes] == ["xml/malformed"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("<robot>\n<link></robot>", 2, "not closed"),
        ("", 1, "the file is empty"),
        ("<!-- no element -->", 1, "cut off before its end"),
        ("<robot>\n\n<link", 3, "cut off"),
        ('<!DOCTYPE r [\n<!ENTITY x "y">]><robot/>', 2, "entities are refused"),
        ('<!DOCTYPE r [\n<!ENTITY x SYSTEM "/etc/passwd">]><robot>&x;</robot>', 2, "entities are refused"),
        ("<a>" * (MAX_DEPTH + 1), 1, "nested deeper"),
    ],
)
def test_unsafe_or_broken_xml_is_refused_with_its_line(text: str, line: int, message: str):
    with pytest.raises(InputError, match=message) as caught:
        read(text)
    assert caught.value.source is not None and caught.value.source.line == line


@pytest.mark.parametrize(
    "text", ["1_0", "nan", "inf", "1e400", "0,1", "٣", "0x1", "1\u00a02", "1\u00a0", "\u00a01", "1\u2003", ""]
)
def test_what_is_no_number_is_refused(text: str):
    made = read(f"<mass value='{text}'/>")
    with pytest.raises(InputError, match=r"made\.urdf:1: <mass value>"):
        made.root.number("value")


def test_a_xacro_expression_is_told_as_one():
    with pytest.raises(InputError, match="expand the file first"):
        read('<mass value="${m}"/>').root.number("value")


@pytest.mark.parametrize("text", ["1", "+1", ".5", "1.", "-1e-3", " 1 "])
def test_what_is_a_number_is_read(text: str):
    assert read(f"<mass value='{text}'/>").root.number("value") == float(text)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_decoded(encoding: str):
    made = read('<robot name="é"/>'.encode(encoding))
    assert made.root.get("name") == "é"


@pytest.mark.parametrize(
    ("encoding", "text", "message"),
    [
        ("unicode_escape", b"<robot name='\\ud800'/>", "half a character, written in unicode_escape"),
        ("utf-7", b"<robot name='+2AA-'/>", "half a character, written in utf-7"),
    ],
)
def test_encodings_that_give_no_text_are_refused(encoding: str, text: bytes, message: str):
    with pytest.raises(InputError, match=message):
        read(b"<?xml version='1.0' encoding='%s'?>" % encoding.encode() + text)


@pytest.mark.parametrize("encoding", ["undefined", "hex", "rot13", "punycode", "UFT-8", "utf16", "utf-16", "utf-32"])
def test_what_is_no_encoding_or_not_that_of_the_file_is_read_as_utf_8(encoding: str):
    made = read(b"<?xml version='1.0' encoding='%s'?><robot name='\xc3\xa9'/>" % encoding.encode())
    assert made.root.get("name") == "é"


def test_a_file_that_is_no_text_is_refused_as_that():
    with pytest.raises(InputError, match="a NUL character: this is no text"):
        read(b"PK\x03\x04\x14\x00\x00robot.urdf")


def test_a_prefix_that_means_something_else_in_an_element_is_declared_there():
    source = """<robot xmlns="u:r" xmlns:p="u:1" name="r"><p:x v="1"/><link xmlns:p="u:2" name="a"><p:x v="2"/></link>
<deep xmlns="u:deep"><p:x/></deep><same xmlns="u:r" xmlns:p="u:1"/></robot>"""
    made = read(source)
    assert made.namespaces == {"xmlns": "u:r", "xmlns:p": "u:1"}
    root = Element("robot", {**made.namespaces, "name": str(made.root.get("name"))})
    restore(root, made.root.rest(), "urdf")
    ours, theirs = etree.fromstring(document(root)), etree.fromstring(source)
    assert [(each.tag, dict(each.attrib)) for each in ours.iter()] == [
        (each.tag, dict(each.attrib)) for each in theirs.iter()
    ]
    assert made.totals()[0] == theirs.xpath("count(//*) + count(//@*)")


@pytest.mark.parametrize("suffix", ["urdf", "xml", "sdf"])
def test_declarations_of_a_urdf_come_back(suffix: str, tmp_path: Path):
    source = tmp_path / "r.urdf"
    inner = '<p:x xmlns:p="u:2" v="2"/>'
    source.write_text(
        f'<robot xmlns="u:r" name="r" xmlns:p="u:1"><p:x v="1"/>{inner}<link name="a">{inner}</link></robot>'
    )
    explained(convert(source, tmp_path / f"o.{suffix}"))
    explained(convert(tmp_path / f"o.{suffix}", tmp_path / "b.urdf"))
    ours, theirs = (etree.parse(path).getroot() for path in (tmp_path / "b.urdf", source))
    assert [(each.tag, dict(each.attrib)) for each in ours.iter()] == [
        (each.tag, dict(each.attrib)) for each in theirs.iter()
    ]


def test_extras_go_back_to_their_place():
    source = '<link name="a"><x/><visual/><y k="v">t</y><visual><z/></visual></link>'
    made = read(source)
    made.root.get("name")
    made.root.children("visual")
    extras = made.root.rest()
    written = Element("link", {"name": "a"})
    written.add("visual")
    written.add("visual")
    restore(written, extras, "urdf")
    assert serialise(written) == source


def test_written_text_reads_back_as_it_was():
    element = Element("a", {"x": "1 < 2 & \"q\" 'p'\n\t"})
    element.add("b").content.append("t < u")
    element.add("c", {"json": '{"k":[1]}'})
    assert serialise(fragment(serialise(element))) == serialise(element)
    tree = etree.fromstring(document(element))
    assert tree.get("x") == "1 < 2 & \"q\" 'p'\n\t" and tree[1].get("json") == '{"k":[1]}'


def test_mixed_content_is_not_indented():
    element = fragment("<a><b>text<c/>tail</b><d/></a>")
    assert document(element).decode().splitlines()[1:] == ["<a>", "  <b>text<c/>tail</b>", "  <d/>", "</a>"]


def attributes(count: int) -> str:
    return " ".join(f'a{number}="1"' for number in range(count))


def test_what_nobody_asks_for_takes_no_bits():
    """The bit of the n-th name is a number of n bits: for 60 000 names they took 600 MB."""
    made = read(f'<robot name="r"><link name="a" {attributes(MOST + 1)}/></robot>')
    made.root.get("name")
    (link,) = made.root.children("link")
    link.get("name")
    assert len(link.rest()) == MOST + 1
    assert len(made.bits) == 1


def test_a_document_of_which_too_many_names_are_read_is_refused():
    (link,) = read(f"<robot><link {attributes(MOST + 1)}/></robot>").root.children("link")
    with pytest.raises(InputError, match=r"made.urdf:1: attributes of more than 4096 names are read"):
        for name in link.attrs:
            link.get(name)
