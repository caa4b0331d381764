"""What a reader or a writer is given, what it returns, and the one exception for wrong input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypedDict, TypeVar, Unpack

from msgspec import Struct, StructMeta, field
from msgspec.structs import force_setattr

from converters import choices

if TYPE_CHECKING:
    from ir.arrays import Array, Floats
    from ir.diff import Difference
    from ir.scene import Scene
    from ir.types import Asset, Material, Source


class InputError(Exception):
    """The input cannot be converted. The message says what is wrong and what to do; source says where.

    rule is the rule of `kinegraph validate` that the input breaks, "" where none is known.
    """

    def __init__(self, message: str, source: Source | None = None, rule: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.source.file}:{self.source.line}: {self.message}" if self.source else self.message


def near(name: str, known: Iterable[str]) -> str:
    """What may have been meant by a name that is not known, as the end of a message; "" where nothing is known."""
    from difflib import get_close_matches

    some = list(dict.fromkeys(known))
    found = get_close_matches(name[:100], some[:5000], n=3, cutoff=0.6)
    if found:
        return f"; did you mean {', '.join(found)}?"
    there = f"; there {'is' if len(some) == 1 else 'are'}"
    return f"{there} {', '.join(some[:8])}{' and others' if len(some) > 8 else ''}" if some else ""


class ToldError(InputError):
    """A part cannot be read because of something that is wrong and has been told: it is left out without a word."""


T = TypeVar("T")
P = ParamSpec("P")


def sure(value: T | None) -> T:
    """What a document gives for certain, unless it is wrong, has been told, and all faults are gathered (ToldError)."""
    if value is None:
        raise ToldError("told already")
    return value


MOST_FAULTS = 1000
"""Of one model that are kept; the others are counted."""


class Placed(Protocol):
    """An element of a document, which knows where it stands."""

    @property
    def source(self) -> Source: ...


class Faults:
    """Where readers bring what is wrong with a document: the first is raised, or all of them are gathered.

    A reader that goes on takes what is wrong as not said, or leaves the element out: nothing that is made of a document
    with faults is ever converted.
    """

    __slots__ = ("_places", "found", "gathered", "left", "more", "seen")

    def __init__(self, *, gathered: bool = False) -> None:
        self.gathered = gathered
        self.found: list[InputError] = []
        self.more = 0
        """How many there are beyond those that are kept."""
        self.left: list[tuple[Source, InputError]] = []
        """Elements that were left out, each with what is wrong."""
        self.seen: set[int] = set()
        self._places: set[int] = set()

    def stands_at(self, place: Source) -> bool:
        """Whether something was refused at this very place."""
        return hash((place.file, place.line, *place.turn)) in self._places

    def refuse(self, error: InputError) -> None:
        """Raise the error, or keep it. One that is met again, in a class that many elements have, is one."""
        if not self.gathered:
            raise error
        if isinstance(error, ToldError):
            return
        place = hash((error.source.file, error.source.line, *error.source.turn)) if error.source is not None else 0
        key = hash((error.message, place))
        if key in self.seen:
            return
        self.seen.add(key)
        self._places.add(place)
        if len(self.found) < MOST_FAULTS:
            self.found.append(error)
        else:
            self.more += 1

    def attempt(self, node: Placed, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """What is made of an element; None where that cannot be, and faults are gathered."""
        try:
            return read(*arguments, **named)
        except InputError as error:
            self.refuse(error)
            if len(self.left) < MOST_FAULTS:
                self.left.append((node.source, error))
            return None


class _Known(StructMeta):
    """Refuses options that are none, before msgspec does, with what may have been meant."""

    if not TYPE_CHECKING:  # who checks types has the signature

        def __call__(self, *others: Any, **named: Any) -> Any:
            for name in named.keys() - set(self.__struct_fields__):
                hint = choices.ELSEWHERE.get(name)
                raise InputError(f"there is no option {name!r}{f': say {hint}' if hint else near(name, choices.KINDS)}")
            return super().__call__(*others, **named)


class Options(Struct, frozen=True, kw_only=True, metaclass=_Known):
    """What the user asked for; names and meaning as on the command line. Paths may be texts, and one may stand for
    several: whoever reads an option finds paths, and tuples of them.

    `kinegraph convert --help` tells what each does; --arg is arguments here, --no-srdf find_srdf=False, --no-carry
    carry=False, --no-audit audit=False, and compare --native carried=False. Raises InputError for an option that there
    is not, and for what one cannot be (converters.choices).
    """

    packages: Mapping[str, str | Path] = field(default_factory=dict)
    resource_paths: Sequence[str | Path] = ()
    base: choices.Base = "keep"
    missing_inertia: choices.MissingInertia = "minimal"
    density: float = 1000.0
    """kg/m^3 of what has no mass, where its inertia follows from its geometry; water unless said otherwise."""
    total_mass: float | None = None
    """kg of the whole model: what is left of it is shared by volume among what has no mass."""
    meshes: choices.Meshes = "auto"
    ros_package: str | None = None
    """URDF: files in it are named package://NAME/…, counted from the folder of that package above the output, or from
    the folder of the output where there is none."""
    scene: bool = False
    """MJCF gets a second file, NAME_scene.xml, with a floor, a light and a sky around the model."""
    sites: choices.Sites = "keep"
    """links: a site or mount is a link of its own where the target has no frames."""
    urdf_version: choices.UrdfVersion | None = None
    urdfdom_materials: bool = False
    """Of several materials of one name in a URDF the first counts, as it does to urdfdom and RViz."""
    sdf_version: str | None = None
    model: str | None = None
    separator: str = "::"
    """Between the names of nested models, in URDF."""
    pose: Sequence[str] = ()
    pose_name: str | None = None
    """A state of the model by its name, over which pose goes. Where the model has none of that name, pose is called so.
    """
    clamp: bool = False
    trajectory: Sequence[str] = ()
    srdf: str | Path | None = None
    find_srdf: bool = True
    """An SRDF that lies beside a model is read with it, and one is written."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Values of the arguments of a xacro."""
    compress: choices.Compress = "none"
    physics: choices.Physics = "khr"
    """What says in glTF what moves, weighs and collides: KHR_physics_rigid_bodies of January 2026, or as it was before,
    OMI_physics_body, or nothing."""
    hierarchy: choices.Hierarchy = "nested"
    """flat: the nodes of bodies stand side by side in glTF, each where it is in the world."""
    segments: int = 48
    """Corners of the circles of shapes that become triangles in glTF."""
    size: tuple[int, int] = (800, 600)
    view: choices.View = "iso"
    show: choices.Show = "visual"
    audit: bool = True
    carry: bool = True
    """What the target has no place for is put where other programs do not look; else it is dropped."""
    carried: bool = True
    """What an earlier conversion carried in the document counts; else it is read as other programs read it."""

    def __post_init__(self) -> None:
        for name, (what, fits) in choices.KINDS.items():
            value = getattr(self, name)
            if not fits(value):
                raise InputError(f"{name} cannot be {value!r}: it is {what}")
        force_setattr(self, "packages", {name: Path(folder) for name, folder in self.packages.items()})
        force_setattr(self, "resource_paths", tuple(map(Path, _several(self.resource_paths))))
        force_setattr(self, "srdf", None if self.srdf is None else Path(self.srdf))
        force_setattr(self, "size", tuple(self.size))
        for name in ("pose", "trajectory"):
            force_setattr(self, name, _several(getattr(self, name)))

    @property
    def posed(self) -> bool:
        """Whether the user asks for a pose."""
        return bool(self.pose) or self.pose_name is not None


def asked(options: Options | None) -> Options:
    """The options, or those that hold where there are none. Raises InputError for what is none."""
    if options is not None and not isinstance(options, Options):
        raise InputError(f"options are converters.Options(…), and not {options!r}")
    return options or USUAL


def as_path(path: str | Path) -> Path:
    """A path that can be one. Raises InputError."""
    text = str(path)
    if not text or "\0" in text:
        raise InputError("the name of a file is empty" if not text else f"{text!r}: no file has a NUL in its name")
    return Path(path)


def _several(value: Any) -> tuple[Any, ...]:
    """What may be one or several; a text is one."""
    return (value,) if isinstance(value, (str, Path)) else tuple(value)


USUAL = Options()
"""Those of who asks for nothing: to make them, and see whether they can be, takes a fortieth of a small conversion."""


class Counted(Protocol):
    """A source document that can be recounted: see converters.source.xml.Document."""

    file: str
    format: str

    def totals(self) -> tuple[int, int, int, int]:
        """(source_items, read, ignored, unread)."""
        ...

    def numbers(self) -> Iterator[tuple[Source, tuple[float, ...]]]:
        """Every value that is nothing but numbers, with its place."""
        ...


class Note(Struct, frozen=True, kw_only=True):
    """Something a reader did on purpose that leaves a trace: an approximation or a repair of the source."""

    rule: str
    where: str
    before: str = ""
    after: str = ""
    reason: str = ""
    action: str = "repaired"
    severity: str = "warning"
    elsewhere: bool = False
    """It is about other formats alone: in its own the document stays as it is."""
    source: Source | None = None


class NoteDetails(TypedDict, total=False):
    """What a note may say besides (fields of Note)."""

    before: str
    after: str
    action: str
    severity: str
    elsewhere: bool


class Beside(Struct, frozen=True):
    """What stands beside a model in its world: paths of other models, and where the links, frames and blocks stand that
    have no path in front of their names either."""

    models: tuple[str, ...]
    places: frozenset[Source]


class Motion(Struct, frozen=True, eq=False):
    """Samples of a motion: times (n,) in seconds, coordinates (n, k) by dof (radians, metres; BALL w x y z, FREE
    x y z w x y z). slight: of dofs that move by so little that nobody can tell by the bodies."""

    name: str
    times: Floats
    tracks: Mapping[str, Floats]
    slight: Mapping[str, Floats] = field(default_factory=dict)


class Sample(Struct, frozen=True, eq=False):
    """Of a part of a mesh: how many triangles and vertices it has, the corners (k, 3, 3) of some, in metres, how far
    they reach, sums (s, 4) of all its vertices and of the corners of all its triangles, and the first rows and the last
    ones of its faces (m, 3), and of the tables of its normals and texture coordinates where it has such. Which these
    are, converters.assets.meshes.sampled tells.

    normals (k, 3, 3), uvs (k, 3, 2) and colours (k, 3, 4) are those of the same corners, where the part has such.
    material: as the file has it (PartMaterial of converters.assets.meshes.parts).
    """

    name: str
    triangles: int
    vertices: int
    corners: Array
    reach: float
    vertex_sums: Array
    corner_sums: Array
    face_rows: Array
    normals: Array | None = None
    uvs: Array | None = None
    colours: Array | None = None
    material: Any = None
    normal_rows: Array | None = None
    uv_rows: Array | None = None


Ledger = dict[tuple[str, str], tuple[Sample, ...]]
"""By the path of a file and the part of it that is meant (assets.inside.key), the parts of the mesh."""


class Context(Struct, kw_only=True):
    """One conversion as a reader or writer sees it. file names the source in messages; folder is where it lies."""

    file: str
    folder: Path
    options: Options = USUAL
    find: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """uri -> (path of the file or None, rule that found it or reason why not): find of converters.assets.resolve."""
    find_model: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """As find, for models that a model includes: asked for while an output is read back, too."""
    asset_folder: str = "assets"
    """Name of the folder beside the output that takes meshes and textures."""
    packaged: bool = False
    """For a writer: the document goes into a folder of its own, which is the model."""
    looks: str = "file"
    """For a writer: whose looks show where a mesh file has some (converters.assets.shown), as the source has it."""
    source: str = ""
    """For a writer: the format that the scene came from."""
    original: Scene | None = None
    """For a writer: the scene as it was read, before it was made to fit."""
    target: Path | None = None
    """For a writer: the file that will be written, for paths relative to it."""
    suffix: str = ""
    """For a writer: that of target where it is one of the format, else the first that the format has."""
    beside: Mapping[str, bytes | Path] = field(default_factory=dict)
    """Files that belong to the document and are not on the disk yet: those of an output that is read back."""
    written: bool = False
    """For a reader: an output is read back; all files of it are in beside, and none of them on the disk."""
    bare: bool = False
    """For a reader: nobody asks what an earlier conversion carried in the document, beyond what it says to all."""
    again: bool = False
    """For a reader: an output of ours is read back, of a scene from another format; nobody asks how it is spelled."""
    ours: bool = False
    """Whether an earlier conversion left something in the document that was read."""
    strict: bool = True
    """For a reader: what the programs refuse that the format is for is told."""
    unscoped: Mapping[str, Beside] = field(default_factory=dict)
    """Models of a world whose names have no path in front, and what stands beside each."""
    grounds: Mapping[str, str] = field(default_factory=dict)
    """Models that were written for what stands in the world itself, and the link of each."""
    places: Sequence[tuple[str, int]] = ()
    """For a document that was generated: (file, line) that each of its elements comes from, in document order."""
    pieces: dict[str, Source] = field(default_factory=dict)
    """Where each piece of what an earlier conversion carried stands in the document (keys of Scene.carried)."""
    spare: Scene | None = None
    """What is read, where files are needed that the source names and nobody finds (converters.carried.restore). For a
    writer: the same where it is what is written."""
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Options, and the patches that put into the scene what the user chose by them (converters.carried.asked): for a
    writer in this conversion, else in an earlier one."""
    split: Mapping[str, Sequence[Asset]] = field(default_factory=dict)
    """Meshes that are not found as one, and the parts that stand for them."""
    worn: Mapping[str, tuple[Material, Asset | None]] = field(default_factory=dict)
    """Meshes whose files have lost the looks that they had in the source, and the look, with its image, that the
    document shows instead."""
    order: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The places of names in a document that was edited after it was converted (ir.brought.order)."""
    document: Scene | None = None
    """Such a document as it stands, in the names of what it was made of."""
    drafted: Callable[[Scene], Scene] | None = None
    """From the reader of an output: the scene that was written -> as programs see it that know the drafts in it."""
    draft: str = "draft"
    """How addresses of what these programs miss begin, in rows of tables."""
    shown: Callable[[Scene, Ledger, str, Sequence[Motion]], Iterator[Difference]] | None = None
    """From the reader of an output: the scene that was written, what was read of mesh files, whose looks show (looks),
    and what was to be played -> what is shown otherwise than reasons of losses are about."""
    motions: Sequence[Motion] = ()
    """What the source plays: the graph has no place for it."""
    documents: list[Counted] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    """Files that were read besides and are no documents: those of which a xacro was made."""
    packages: dict[str, Path] = field(default_factory=dict)
    """Folders of the packages that a xacro has asked for."""
    notes: list[Note] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    """Takes what is wrong with the document."""

    def refuse(self, error: InputError) -> None:
        """Raise the error; where faults are gathered keep it, and the reader makes something of what it has."""
        self.faults.refuse(error)

    def note(
        self, rule: str, where: str, reason: str = "", source: Source | None = None, **more: Unpack[NoteDetails]
    ) -> None:
        """Leave a trace of what was repaired, left out or taken in a way worth telling."""
        self.notes.append(Note(rule=rule, where=where, reason=reason, source=source, **more))

    def content(self, file: str) -> bytes:
        """What a file holds that belongs to the document, also before it is on the disk. Raises OSError."""
        beside = self.beside.get(file)
        return beside if isinstance(beside, bytes) else Path(file).read_bytes()

    def missing(self, name: str, uri: str, reason: str, source: Source | None) -> None:
        """The file of an asset was looked for and not found; nothing is said where nobody looks (reason is empty)."""
        if uri and reason:
            where = f"asset/{name}"
            self.note("assets/missing", where, reason, source, before=uri, action="noted")


class Output(Struct, frozen=True, kw_only=True):
    """What a writer returns: the main document, and side files (relative path -> bytes, or the path of a file to copy).

    folds say what the writer had to spell as several things: {"geom": {name: [parts]}, "asset": {name: [parts]}}. On
    reading, the parts become one again (ir.folds.fold). notes are what only the writing of assets can know.
    """

    document: bytes
    files: Mapping[str, bytes | Path] = field(default_factory=dict)
    folds: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    origins: Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """As Scene.origins: what stands in the document in the stead of something else."""
    notes: tuple[Note, ...] = ()
    motions: Sequence[Motion] = ()
    """What the document is to play, of the dofs that move in it: its reader shall find them (carried.motions)."""


class Reader(Protocol):
    def __call__(self, data: bytes, context: Context) -> Scene: ...


class Writer(Protocol):
    def __call__(self, scene: Scene, context: Context) -> Output: ...
