"""XML text as a document of nodes: what expat reports, and what lenient parsers accept in addition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from xml.parsers import expat

from converters.context import InputError, ReaderContext
from converters.source.files import MAX_BYTES, MAX_ELEMENTS
from converters.source.lenient import decode, malformed, repair, surplus_end
from converters.source.tree import UNDECLARED, Comment, Section, feed, filling
from converters.source.xml import MAX_DEPTH, Document, Node
from ir.types import Source

NO_SECTIONS: Mapping[str, str] = {}
FRAGMENT = "mujocoinclude"
"""The root of a file that is included in MJCF files."""
NAMESPACE = "https://kinegraph.dev/carried"
PREFIX = "xmlns:kinegraph"
"""The declaration of our own namespace. Programs that save a document may give it another prefix."""


def parse(
    data: bytes,
    context: ReaderContext,
    dialect: str,
    root: str | None = None,
    sections: Mapping[str, str] = NO_SECTIONS,
) -> Document:
    """Parse a source file and register it with the context.

    sections: elements in which a CDATA section is another form of an attribute, and that attribute.

    Raises InputError, with the line, for anything that is not safe XML. What lenient parsers of robot models accept is
    accepted as well, with a note: undeclared prefixes, blank lines before the XML declaration, `--` in comments,
    undefined entities (kept as text), `<` in attributes, trailing NUL bytes, undeclared 8-bit encodings, unknown
    encodings, an end tag after the end of the root element.
    """
    if len(data) > MAX_BYTES:
        message = f"{len(data)} bytes are more than the limit of {MAX_BYTES >> 20} MiB"
        raise InputError(message, Source(context.file, 1, "/"), "XML-SIZE")
    if not data.strip():
        raise InputError("the file is empty", Source(context.file, 1, "/"), "FILE-READ")
    text = decode(data, context)
    document = Document(context.file, dialect, context.faults)
    try:
        _build(text, document, context, sections)
    except expat.ExpatError as error:
        repaired = repair(text)
        if repaired == text:
            raise malformed(error, context) from None
        document = Document(context.file, dialect, context.faults)
        try:
            _build(repaired, document, context, sections)
        except expat.ExpatError as again:
            raise malformed(again, context) from None
        context.note(
            "xml/malformed",
            "document",
            "not well-formed XML; read as lenient parsers do",
            Source(context.file, error.lineno, "/"),
            before=str(error),
        )
    if context.places:
        _trace(document, context.places)
    if root is not None and document.root.tag != root:
        what = "a part for other files, which <include> it: convert one of those"
        what = what if document.root.tag == FRAGMENT else "a file of another kind"
        found = f"the root element is <{document.root.tag}>, not <{root}>: this is {what}"
        raise document.root.fail(found, "XML-ROOT")
    document.root.visited = True
    context.documents.append(document)
    return document


def _trace(document: Document, places: Sequence[tuple[str, int]]) -> None:
    """Give the elements the places from which they were generated."""
    stack = [document.root]
    for file, line in places:
        if not stack:
            return
        node = stack.pop()
        node.line = line
        if file != document.file:
            document.files[node] = file
        stack.extend(reversed(node.elements()))


HANDLERS = tuple(name for name in dir(expat.XMLParserType) if name.endswith("Handler"))
"""Names of what a parser calls."""


def release(documents: Iterable[object]) -> None:
    """Release the trees of documents that are not needed any more; their places stay valid.

    A tree is a reference cycle, and a conversion collects no garbage (convert.no_collection): each tree would be kept
    to the end.
    """
    for document in documents:
        if isinstance(document, Document):
            document.gone.clear()
            for node in [*document.root.below()]:
                node.content.clear()


def _build(text: str, document: Document, context: ReaderContext, sections: Mapping[str, str]) -> None:
    """Run expat without namespace processing: names stay as written, lines are exact, entities are never expanded."""
    stack: list[Node] = []
    parser = filling(stack)
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    prefixes = _Prefixes(document, text.count("xmlns"))
    quoting = bool(sections) and "<![CDATA[" in text
    counts: list[dict[str, int] | None] = [None]
    total = count()

    def start(tag: str, attrs: dict[str, str]) -> None:
        if prefixes.left or prefixes.ours:
            tag, attrs = prefixes.resolved(tag, attrs, not stack)
        seen = counts[-1]
        if seen is None:
            seen = counts[-1] = {}
        position = seen[tag] = seen.get(tag, 0) + 1
        turn = next(total)
        parent = stack[-1] if stack else None
        node = Node(tag, attrs, document, parent, parser.CurrentLineNumber, position, turn)
        if parent is None:
            document.root = node
        else:
            parent.content.append(node)
        if len(stack) >= MAX_DEPTH:
            raise _fault(parser, context, f"elements are nested deeper than {MAX_DEPTH}", "XML-SIZE")
        if turn >= MAX_ELEMENTS:
            raise _fault(parser, context, f"there are more than {MAX_ELEMENTS} elements", "XML-SIZE")
        stack.append(node)
        counts.append(None)
        if quoting:  # elsewhere a CDATA section is part of the text around it
            parser.StartCdataSectionHandler = begin if tag in sections else None

    def end(tag: str) -> None:
        stack.pop()
        counts.pop()
        if quoting:
            parser.StartCdataSectionHandler = None

    begun: list[str] = []

    def comment(data: str) -> None:
        if stack:
            stack[-1].content.append(Comment(data))
        else:
            begun.append(data)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = comment
    begin = _quoted(parser, stack, sections)
    _tell_others(parser, document, begun, context)
    try:
        feed(parser, text)
    except expat.ExpatError as error:
        ended = not stack and next(total) > 0
        surplus = surplus_end(text, error) if ended else ""
        if not surplus:
            raise
        reason = "parsers of robot models stop at a surplus end tag: nothing after it is read"
        context.note("xml/malformed", "document", reason, Source(context.file, error.lineno, "/"), before=surplus)
    for name in HANDLERS:
        setattr(parser, name, None)  # breaks the reference cycle of parser and handlers


class _Prefixes:
    """Namespace declarations. left: how many are still to come; ours: further prefixes of our own namespace."""

    __slots__ = ("document", "left", "ours")

    def __init__(self, document: Document, left: int) -> None:
        self.document = document
        self.left = left
        self.ours: set[str] = set()

    def resolved(self, tag: str, attrs: dict[str, str], top: bool) -> tuple[str, dict[str, str]]:
        """The names of an element (top: the root) and its attributes with the usual prefix of our namespace, without
        declarations that hold for the whole document."""
        if self.left:
            names = self._declared(attrs, top)
            self.left -= len(names)
            known = self.document.namespaces
            self.ours.update(name[6:] for name in names if name != PREFIX and known.get(name) == NAMESPACE)
        if not self.ours:
            return tag, attrs
        return _own_prefixed(tag, self.ours), {_own_prefixed(name, self.ours): value for name, value in attrs.items()}

    def _declared(self, attrs: dict[str, str], top: bool) -> list[str]:
        """Declarations of an element. The document keeps them, and the element only those that are different in it."""
        names = [name for name in attrs if name == "xmlns" or name.startswith("xmlns:")]
        known = self.document.namespaces
        for name in names:
            if attrs[name].startswith(UNDECLARED):
                del attrs[name]
                continue
            if top or name != "xmlns":
                known.setdefault(name, attrs[name])
            if known.get(name) == attrs[name]:
                del attrs[name]
            else:
                self.document.declares = True
        return names


def _own_prefixed(name: str, ours: Collection[str]) -> str:
    """A name with the usual prefix of our namespace, if it has another prefix of it."""
    prefix, _, rest = name.partition(":")
    return f"{PREFIX[6:]}:{rest}" if prefix in ours else name


def _quoted(parser: expat.XMLParserType, stack: Sequence[Node], sections: Mapping[str, str]) -> Callable[[], None]:
    """The handler of a CDATA section in an element of one of these tags: its text becomes that attribute."""
    characters = parser.CharacterDataHandler

    def begin() -> None:
        parser.CharacterDataHandler = quoted
        parser.EndCdataSectionHandler = close

    def quoted(data: str) -> None:
        node = stack[-1]
        name = sections[node.tag]
        if name in node.attrs:  # given twice, which readers of the format refuse
            node.content.append(data)
        else:
            node.attrs[name] = Section(data)

    def close() -> None:
        parser.CharacterDataHandler = characters
        parser.EndCdataSectionHandler = None

    return begin


def _tell_others(parser: expat.XMLParserType, document: Document, begun: list[str], context: ReaderContext) -> None:
    """Handle what is neither element nor text: it is reported and not kept, and entities are refused. begun: the
    comments outside the root so far."""

    def passed_over(rule: str, before: str, reason: str) -> None:
        place = Source(context.file, parser.CurrentLineNumber, "/")
        context.note(rule, "document", reason, place, before=before, action="ignored", severity="note")

    def instruction(target: str, data: str) -> None:
        if begun or hasattr(document, "root"):  # at the very beginning it is only a declaration
            reason = "a processing instruction has no meaning here and is not kept"
            passed_over("xml/instruction", f"<?{target} {data}?>", reason)

    def doctype(name: str, system: str | None, public: str | None, subset: int) -> None:
        begun.append(name)
        passed_over("xml/doctype", name, "a document type declaration has no meaning here and is not read")

    def declaration(name: str, *rest: object) -> None:
        message = f"entity {name!r} is declared here; entities are refused: write the text itself"
        raise _fault(parser, context, message, "XML-ENT")

    def skipped(name: str, parameter: bool) -> None:
        raise _fault(parser, context, f"entity &{name}; is not defined", "XML-ENT")

    parser.ProcessingInstructionHandler = instruction
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = declaration
    parser.SkippedEntityHandler = skipped


def _fault(parser: expat.XMLParserType, context: ReaderContext, message: str, rule: str) -> InputError:
    return InputError(message, Source(context.file, parser.CurrentLineNumber, "/"), rule)
