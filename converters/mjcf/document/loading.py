"""State while reading an MJCF model: the scene, assigned names, and the documents that make up the model."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from converters.context import InputError, ReaderContext
from converters.mjcf.document.compiler import CompilerSettings
from converters.mjcf.document.defaults import Defaults
from converters.mjcf.document.scaling import Scale
from converters.source.shadow import shadow
from converters.source.xml import Document, Node
from ir.pose import compose
from ir.scene import Scene
from ir.types import IDENTITY, Extra, Pose, Vec3, Vec4

LONGEST = 60
"""Maximum length of a parent's name in a generated name, so that chains of unnamed bodies need linear space."""
MOST = 50_000
"""Maximum number of elements that <replicate> and <attach> may make, against exponential input."""
MOST_COPIES = 100_000
"""Maximum count of one <replicate>; an empty one makes no elements."""


Copy = tuple[int, ...]
"""For each enclosing replication, outermost first: its number, and the index of the copy."""


class Part(Struct):
    """One document with its settings and names: the model itself, or a model attached to it under a prefix."""

    root: Node
    settings: CompilerSettings
    defaults: Defaults
    folder: str = ""
    """Folder of the document relative to that of the model; "" for the latter, otherwise with a trailing slash."""
    prefix: str = ""
    lender: str = ""
    """Prefix of its assets: a part that a model attaches of itself has no assets of its own."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind of asset and its name here -> its name in the scene."""
    scales: dict[str, Vec3] = field(default_factory=dict)
    fields: dict[str, Vec4] = field(default_factory=dict)
    """Name of a height field -> its size: half extents x and y, height, thickness of the base."""
    way: tuple[int, ...] = ()
    """Index of the <attach> that adds it, for the model and each model in between."""
    models: dict[str, Part] = field(default_factory=dict)
    """Models that <asset> references, by the prefix of the attachment and the name: prefix + NUL + name."""

    nameless: str = ""
    """The last geom without a name, to which MuJoCo resolves an empty name."""

    def called(self, kind: str, name: str) -> str:
        """Return the name outside of this document of an asset that is named in it as written here."""
        return self.lender + name if (kind, name) in self.names else name


class Nesting(NamedTuple):
    """The position of an element in its body: surrounding frame, inherited class, and prefix and suffix of its name."""

    pose: Pose
    childclass: str
    suffix: str
    part: Part
    way: tuple[int, ...] = ()
    """As in its part."""
    copy: Copy = ()
    size: Scale | None = None
    """Scale of the surrounding frames; None: unscaled."""

    def inside(self, pose: Pose) -> Pose:
        """Transform a pose in the surrounding frame to one in the body."""
        return pose if self.pose is IDENTITY else compose(self.pose, pose)


class MjcfLoading(Struct):
    """State that is passed to every function that reads a part of the model."""

    context: ReaderContext
    scene: Scene
    taken: dict[str, set[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    rests: dict[Node, tuple[Extra, ...]] = field(default_factory=dict)
    attached: dict[str, Document] = field(default_factory=dict)
    """Attached documents, by file."""
    opened: dict[str, tuple[Document, list[str]]] = field(default_factory=dict)
    """Parsed documents of models, by file, each with the files that it includes."""
    named: set[str] = field(default_factory=set)
    """Files of models whose file references have been made full addresses."""
    parts: list[Part] = field(default_factory=list)
    """Attached models, and this model under the prefixes with which it attaches parts of itself."""
    turns: dict[Node, dict[tuple[str, int], int]] = field(default_factory=dict)
    """Root of a document -> position in its file of each <attach> -> its index."""
    known: set[tuple[Node, str]] = field(default_factory=set)
    """Roots and prefixes of the parts."""
    used: set[Node] = field(default_factory=set)
    """Elements that have been attached once: they are copied when attached again."""
    suffixes: dict[tuple[str, str], dict[str, Copy]] = field(default_factory=dict)
    """Kind and name of a replicated object -> the suffixes of its copies in order, each with its copy."""
    sized: set[tuple[str, str]] = field(default_factory=set)
    """Kinds and names of objects in scaled frames."""
    replications: int = 0
    models: int = 0
    """Number of attached models; models that each attach the next one twice double it at every step."""
    made: int = 0
    looks: dict[object, str] = field(default_factory=dict)
    """Materials made for geoms with their own colour."""

    def rest(self, node: Node) -> tuple[Extra, ...]:
        """Return the unread content of an element; copies of it share the result, because it is counted once."""
        found = self.rests.get(node)
        if found is None:
            found = self.rests[node] = node.rest()
        return found

    def reserve(self, root: Node) -> None:
        """Reserve the names of elements, so that generated names differ."""
        for node in root.below():
            name = node.attrs.get("name")
            if name:
                self.taken.setdefault(KINDS.get(node.tag, ""), set()).add(name)

    def name(self, node: Node, stem: str, place: Nesting) -> tuple[str, str | None]:
        """Return the name and the label, which is "" for a name generated from the parent's. Refuses a duplicate."""
        kind = KINDS[node.tag]
        given = self.taken.setdefault(f"{kind} given", set())
        name = node.get("name")
        if name:
            whole = f"{place.part.prefix}{name}{place.suffix}"
            if whole in given:
                node.refuse(f"two elements <{node.tag}> are named {whole!r}", "NAME-DUP")
                made = self.name(shadow(node, {}), whole, place)[0]
                if whole == name:
                    node.attrs["name"] = made
                return made, None
            given.add(whole)
            if place.size is not None:
                self.sized.add((kind, whole))
            if place.suffix:
                self.suffixes.setdefault((kind, f"{place.part.prefix}{name}"), {}).setdefault(place.suffix, place.copy)
            return whole, None
        taken = self.taken.setdefault(kind, set())
        if len(stem) > LONGEST:
            stem = kind
        while True:
            count = self.counts[stem] = self.counts.get(stem, -1) + 1
            made = f"{stem}_{count}"
            if made not in taken and made not in given:
                given.add(made)
                return made, ""

    def count(self, node: Node, more: int = 1) -> None:
        """Count made elements. Raises InputError if there are too many."""
        self.made += more
        if self.made > MOST:
            raise too_many(node)


def too_many(node: Node) -> InputError:
    """Return the error for too many copies."""
    return node.fail(f"<replicate> and <attach> make more than {MOST} elements", "XML-SIZE")


KINDS = {tag: tag for tag in ("body", "joint", "geom", "site", "camera", "light")} | {"freejoint": "joint"}
