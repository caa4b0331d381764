"""What a reading of one MJCF model knows so far: the scene, names given out, and the documents that make the model."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from converters.context import Context, InputError
from converters.mjcf.document.compiler import CompilerSettings
from converters.mjcf.document.defaults import Defaults
from converters.mjcf.document.scaling import Scale
from converters.source.shadow import shadow
from converters.source.xml import Document, Node
from ir.pose import compose
from ir.scene import Scene
from ir.types import IDENTITY, Extra, Pose, Vec3, Vec4

LONGEST = 60
"""Letters of a parent's name that a name made from it repeats; a chain of unnamed bodies stays linear."""
MOST = 50_000
"""Elements that <replicate> and <attach> may make: more would be a bomb, not a robot."""
MOST_COPIES = 100_000
"""Which one <replicate> may ask for; of an empty one there are no elements."""


Copy = tuple[int, ...]
"""Of each replication around something, from outside: which one it is, and the number of the copy."""


class Part(Struct):
    """One document with what its elements mean: the model itself, or a model attached to it under a prefix."""

    root: Node
    settings: CompilerSettings
    defaults: Defaults
    folder: str = ""
    """Of the document, relative to that of the model itself; "" for the latter, else with a slash behind."""
    prefix: str = ""
    lender: str = ""
    """The prefix under which its assets are: what a model attaches of itself has no assets of its own."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind of asset and its name here -> its name in the scene."""
    scales: dict[str, Vec3] = field(default_factory=dict)
    fields: dict[str, Vec4] = field(default_factory=dict)
    """Name of a height field -> its size: half extents x and y, height, thickness of the base."""
    way: tuple[int, ...] = ()
    """Which <attach> of the model it comes by, and which of each model in between."""
    models: dict[str, Part] = field(default_factory=dict)
    """Models that <asset> names, each with the prefix of the attachment that asked for it: prefix + NUL + name."""

    nameless: str = ""
    """The last geom that has no name, which is what MuJoCo takes an empty one for."""

    def called(self, kind: str, name: str) -> str:
        """What an asset is called outside of this document that is named in it as written here."""
        return self.lender + name if (kind, name) in self.names else name


class Nesting(NamedTuple):
    """How an element stands in its body: the frame around it, the class it inherits, and what is put to its name."""

    pose: Pose
    childclass: str
    suffix: str
    part: Part
    way: tuple[int, ...] = ()
    """As that of its part."""
    copy: Copy = ()
    size: Scale | None = None
    """What the frames around it make of its numbers; None: nothing."""

    def inside(self, pose: Pose) -> Pose:
        """A pose in the frame around the element as one in the body."""
        return pose if self.pose is IDENTITY else compose(self.pose, pose)


class MjcfLoading(Struct):
    """Passed to every function that reads a part of the model."""

    context: Context
    scene: Scene
    taken: dict[str, set[str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    rests: dict[Node, tuple[Extra, ...]] = field(default_factory=dict)
    attached: dict[str, Document] = field(default_factory=dict)
    """Documents that are attached, by file."""
    opened: dict[str, tuple[Document, list[str]]] = field(default_factory=dict)
    """Documents that were looked into, by file, each with the files that it includes."""
    named: set[str] = field(default_factory=set)
    """Files of models whose own files have whole addresses by now."""
    parts: list[Part] = field(default_factory=list)
    """Attached models, and this one under the prefixes of what it attaches of itself."""
    turns: dict[Node, dict[tuple[str, int], int]] = field(default_factory=dict)
    """Root of a document -> the place in its file of each <attach> -> which one it is."""
    known: set[tuple[Node, str]] = field(default_factory=set)
    """Roots and prefixes of the parts."""
    used: set[Node] = field(default_factory=set)
    """Elements that were attached once: the next time it is a copy of them."""
    suffixes: dict[tuple[str, str], dict[str, Copy]] = field(default_factory=dict)
    """Kind and name of a thing that was replicated -> what was put to it, one by one, with the copy that it is in."""
    sized: set[tuple[str, str]] = field(default_factory=set)
    """Kinds and names of what stands in a frame that has a size."""
    replications: int = 0
    models: int = 0
    """How often a model was made a part of another one; two that each attach the next double at every step."""
    made: int = 0
    looks: dict[object, str] = field(default_factory=dict)
    """Materials that geoms define on the spot."""

    def rest(self, node: Node) -> tuple[Extra, ...]:
        """What nobody asked for inside an element; copies of an element share it, since it is counted once."""
        found = self.rests.get(node)
        if found is None:
            found = self.rests[node] = node.rest()
        return found

    def reserve(self, root: Node) -> None:
        """Keep the names that elements have from those that are made up."""
        for node in root.below():
            name = node.attrs.get("name")
            if name:
                self.taken.setdefault(KINDS.get(node.tag, ""), set()).add(name)

    def name(self, node: Node, stem: str, place: Nesting) -> tuple[str, str | None]:
        """The name, or one made up from the parent's, with the label that says so. Refuses a second of its name."""
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
        """So many elements more. Raises InputError when there are too many."""
        self.made += more
        if self.made > MOST:
            raise too_many(node)


def too_many(node: Node) -> InputError:
    """The error of copies without end."""
    return node.fail(f"<replicate> and <attach> make more than {MOST} elements", "XML-SIZE")


KINDS = {tag: tag for tag in ("body", "joint", "geom", "site", "camera", "light")} | {"freejoint": "joint"}
