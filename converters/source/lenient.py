"""Documents that are not well-formed XML, but accepted by the parsers of robot models in use: decoded and repaired.

Line numbers do not change.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from converters.context import InputError, ReaderContext
from ir.types import Source

_DECLARATION = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_START = b"<?xml"
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_UNMARKED = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)")
_TAG = re.compile(r"""<[A-Za-z_](?:[^<>"']|"[^"<]*(?:<[^"\n]*)?"|'[^'<]*(?:<[^'\n]*)?')*>""")
_END = re.compile(r"</[^\W\d][\w:.-]*\s*>")
CONTROLS = dict.fromkeys((*range(1, 9), *range(14, 32), 0xFFFE, 0xFFFF), "\ufffd") | dict.fromkeys((11, 12), " ")
"""Characters that XML cannot contain, and their replacements: vertical tabs and form feeds become blanks."""
_REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_JOINED = re.compile(r"""(=\s*(?:"[^"]*"|'[^']*'))(?=[A-Za-z_:])""")


def decode(data: bytes, context: ReaderContext) -> str:
    """The text of the file: byte order mark, then declared encoding, then UTF-8, then Windows-1252 with a note.

    White space before the XML declaration and NUL bytes at the end are removed, with a note; the line count is kept.
    """
    start = Source(context.file, 1, "/")
    mark, encoding = encoded(data)
    data = data[len(mark) :]
    if data[:200].lstrip().startswith(_START) and not _spells(encoding):
        reason = (
            "the declared encoding is unknown, or not that of this file; parsers of robot models ignore it, and "
            "read UTF-8"
        )
        context.note("xml/encoding", "document", reason, start, before=encoding, after="UTF-8")
        encoding = "utf-8"
    try:
        text = data.decode(encoding)
        if encoding != "utf-8":
            text.encode()
    except UnicodeDecodeError as error:
        if encoding.lower().replace("_", "-") != "utf-8":
            line = data[: error.start].count(b"\n") + 1
            here = Source(context.file, line, "/")
            raise InputError(f"byte {error.start} is not {encoding}", here, "XML-WF") from None
        text = data.decode("cp1252", errors="replace")
        context.note(
            "xml/encoding", "document", "undeclared 8-bit encoding", start, before="not UTF-8", after="Windows-1252"
        )
    except UnicodeEncodeError as error:
        here = Source(context.file, error.object[: error.start].count("\n") + 1, "/")
        raise InputError(f"half a character, written in {encoding}", here, "XML-WF") from None
    if text.endswith("\0"):
        text = text.rstrip("\0")
        context.note("xml/malformed", "document", "taken off", start, before="NUL bytes at the end")
    if "\0" in text:  # otherwise expat would take the document for UTF-16
        here = Source(context.file, text[: text.index("\0")].count("\n") + 1, "/")
        raise InputError("not well-formed XML: a NUL character: this is no text", here, "XML-WF")
    place = _declaration(text)
    if place > 0:
        head, end, tail = text[place:].partition("?>")
        text = text[:place] + "\n" * head.count("\n") + " " * len(end) + tail  # not needed any more; keeps line numbers
        what = "a comment" if text[:place].strip() else "white space"
        context.note("xml/malformed", "document", "taken off", start, before=f"{what} before the XML declaration")
    return text


def _spells(encoding: str) -> bool:
    """Whether an XML declaration that was found can be written in this encoding."""
    try:
        return _START.decode(encoding) == _START.decode()
    except (LookupError, UnicodeError):
        return False


def encoded(data: bytes) -> tuple[bytes, str]:
    """The byte order mark of a file (empty if there is none) and the name of its encoding."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return mark, name
    declared = _DECLARATION.match(data[:200])
    if declared:
        return b"", declared[1].decode("ascii")
    return b"", _UNMARKED.get(data[:2], "utf-8")  # XML 1.0, appendix F.1


def _declaration(text: str) -> int:
    """The offset of the XML declaration, after white space and comments; -1 if there is none."""
    place = 0
    while True:
        while place < len(text) and text[place].isspace():
            place += 1
        if not text.startswith("<!--", place):
            return place if text.startswith("<?xml", place) else -1
        end = text.find("-->", place)
        if end < 0:
            return -1
        place = end + 3


def repair(text: str) -> str:
    """The text with undefined entities, bare ampersands and `<` in attributes as plain text, without `--` inside
    comments, with white space between attributes, without control characters and XML declaration. Nothing else is
    changed."""
    if text.startswith("<?xml"):
        head, end, tail = text.partition("?>")
        text = "\n" * head.count("\n") + " " * len(end) + tail
    text = _REFERENCE.sub(_allowed, _with_plain_comments(text).translate(CONTROLS))
    text = _TAG.sub(lambda match: _plain(_JOINED.sub(r"\1 ", match[0])), text)
    return _ENTITY.sub("&amp;", text)


def _allowed(reference: re.Match[str]) -> str:
    """A character reference, or the replacement of one that XML cannot contain."""
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return CONTROLS.get(code, reference[0])


def _plain(tag: str) -> str:
    """A tag without `<` in its attributes."""
    return _QUOTED.sub(lambda match: match[0].replace("<", "&lt;"), tag) if "<" in tag[1:] else tag


def _with_plain_comments(text: str) -> str:
    """The text without `--` inside comments. No regular expression: it would be quadratic in unclosed comments."""
    parts = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[done : start + 4], re.sub("-(?=-)|-$", "- ", text[start + 4 : end]), "-->"]
        done = end + 3
    return "".join([*parts, text[done:]])


def surplus_end(text: str, error: expat.ExpatError) -> str:
    """The end tag at the place of an error; "" if something else is there."""
    lines = re.split(r"\r\n|[\r\n]", text)
    tag = _END.match(lines[error.lineno - 1], error.offset - 1) if error.lineno <= len(lines) and error.offset else None
    return tag[0] if tag else ""


def malformed(error: expat.ExpatError, context: ReaderContext) -> InputError:
    """The message about a document that cannot be repaired."""
    return InputError(why(error), Source(context.file, error.lineno, "/"), "XML-WF")


def why(error: expat.ExpatError) -> str:
    """What is wrong with the markup, as a sentence."""
    reason = expat.errors.messages.get(error.code, str(error))
    return f"not well-formed XML: {_REASONS.get(reason, reason)} (column {error.offset + 1})"


_REASONS = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "the file is cut off before its end, or holds no element",
    expat.errors.XML_ERROR_TAG_MISMATCH: "an element is not closed by its own end tag",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "the file is cut off inside a tag",
    expat.errors.XML_ERROR_INVALID_TOKEN: (
        "this is no valid markup: a value without quotes, or a stray <, & or end tag?"
    ),
    expat.errors.XML_ERROR_SYNTAX: "there is text outside of the root element",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "there is something after the end of the root element",
}
"""Messages of expat, and clearer words for them."""
