"""The arguments and results of readers and writers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from msgspec import Struct, StructMeta, field
from msgspec.structs import force_setattr, replace

from converters import choices
from converters.faults import Faults, InputError as InputError, did_you_mean

if TYPE_CHECKING:
    from ir.arrays import Array, Floats
    from ir.diff import Difference
    from ir.scene import Scene
    from ir.types import Asset, Material, Source


class _Known(StructMeta):
    """Refuses unknown options before msgspec does, with a suggestion."""

    if not TYPE_CHECKING:  # type checkers use the generated signature

        def __call__(self, *others: Any, **named: Any) -> Any:
            for name in named.keys() - set(self.__struct_fields__):
                hint = choices.ELSEWHERE.get(name)
                meant = f": say {hint}" if hint else did_you_mean(name, choices.KINDS)
                raise InputError(f"there is no option {name!r}{meant}")
            return super().__call__(*others, **named)


class Options(Struct, frozen=True, kw_only=True, metaclass=_Known):
    """What the user asks for; names and meaning as on the command line. A path may be given as a text, and one path,
    pose or trajectory in place of several: the fields contain paths and tuples.

    `kinegraph convert --help` tells what each does; --arg is arguments here, --no-srdf find_srdf=False, --no-carry
    carry=False, --no-audit audit=False, and compare --native carried=False. Raises InputError for unknown options and
    for invalid values (converters.choices).
    """

    packages: Mapping[str, str | Path] = field(default_factory=dict)
    resource_paths: Sequence[str | Path] = ()
    base: choices.Base = "keep"
    missing_inertia: choices.MissingInertia = "minimal"
    density: float = 1000.0
    """kg/m^3, of bodies whose inertia is computed from their geometry."""
    total_mass: float | None = None
    """kg, of the whole model: what the other bodies leave of it is distributed by volume to bodies without mass."""
    meshes: choices.Meshes = "auto"
    ros_package: str | None = None
    """URDF: files in it are named package://NAME/…, relative to the folder of that package above the output, or to the
    folder of the output if there is none."""
    scene: bool = False
    """MJCF gets a second file, NAME_scene.xml, with a floor, a light and a sky around the model."""
    sites: choices.Sites = "keep"
    """links: if the target has no frames, a site becomes a link of its own."""
    urdf_version: choices.UrdfVersion | None = None
    urdfdom_materials: bool = False
    """Of several materials of one name in a URDF the first is used, as in urdfdom and RViz."""
    sdf_version: str | None = None
    model: str | None = None
    separator: str = "::"
    """The separator of names of nested models in URDF."""
    pose: Sequence[str] = ()
    pose_name: str | None = None
    """The name of a state of the model, which pose modifies. If the model has none of that name, it is the name of the
    new state."""
    clamp: bool = False
    trajectory: Sequence[str] = ()
    srdf: str | Path | None = None
    find_srdf: bool = True
    """An SRDF beside a model is read with it, and one is written."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Values of the arguments of a xacro."""
    compress: choices.Compress = "none"
    physics: choices.Physics = "khr"
    """The physics extension of glTF: KHR_physics_rigid_bodies of January 2026, or as it was before, OMI_physics_body,
    or none."""
    hierarchy: choices.Hierarchy = "nested"
    """flat: the nodes of all bodies are siblings in glTF, with their poses in the world."""
    segments: int = 48
    """Corners of the circles of shapes that are tessellated in glTF."""
    size: tuple[int, int] = (800, 600)
    view: choices.View = "iso"
    show: choices.Show = "visual"
    audit: bool = True
    carry: bool = True
    """What the target cannot hold is stored where other programs do not look; False: it is dropped."""
    carried: bool = True
    """Data that an earlier conversion stored in the source is applied; False: the source is read as other programs read
    it."""

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


def checked_options(options: Options | None) -> Options:
    """The options, or the defaults for None. Raises InputError for anything else."""
    if options is not None and not isinstance(options, Options):
        raise InputError(f"options are converters.Options(…), and not {options!r}")
    return options or USUAL


def as_path(path: str | Path) -> Path:
    """The path. Raises InputError for an empty one, and for one with a NUL character."""
    text = str(path)
    if not text or "\0" in text:
        raise InputError("the name of a file is empty" if not text else f"{text!r}: no file has a NUL in its name")
    return Path(path)


def _several(value: Any) -> tuple[Any, ...]:
    """A tuple of one value or of several; a text or a path is one value."""
    return (value,) if isinstance(value, (str, Path)) else tuple(value)


USUAL = Options()
"""The default options, created once: checking them takes a fortieth of a small conversion."""


class Counted(Protocol):
    """A source document that can be recounted: see converters.source.xml.Document."""

    file: str
    format: str

    def totals(self) -> tuple[int, int, int, int]:
        """(source_items, read, ignored, unread)."""
        ...

    def numbers(self) -> Iterator[tuple[Source, tuple[float, ...]]]:
        """The places of all values that consist of numbers only, with the numbers."""
        ...


MESH_LOOK = "assets/mesh-look"
"""The rule of notes about looks of a mesh that the target cannot hold, while it holds the mesh."""


class Note(Struct, frozen=True, kw_only=True):
    """A report of a reader or a writer: a repair, an approximation, a file that was not found."""

    rule: str
    where: str
    before: str = ""
    after: str = ""
    reason: str = ""
    action: str = "repaired"
    severity: str = "warning"
    elsewhere: bool = False
    """It only matters if the output has another format: in its own format the document stays as it is."""
    source: Source | None = None


class NoteDetails(TypedDict, total=False):
    """Further fields of Note."""

    before: str
    after: str
    action: str
    severity: str
    elsewhere: bool


class Beside(Struct, frozen=True):
    """What a world contains beside one of its models: the paths of other models, and the places of links, frames and
    blocks whose names have no path prefix."""

    models: tuple[str, ...]
    places: frozenset[Source]


class Motion(Struct, frozen=True, eq=False):
    """Samples of a motion: times (n,) in seconds, coordinates (n, k) by dof (radians, metres; BALL w x y z, FREE x y z
    w x y z). slight: the coordinates of dofs that move too little to be visible in the poses of bodies."""

    name: str
    times: Floats
    tracks: Mapping[str, Floats]
    slight: Mapping[str, Floats] = field(default_factory=dict)


class SampledCorners(Struct, frozen=True, eq=False):
    """Some triangles of a part of a mesh file: corners (k, 3, 3), in metres, with their normals (k, 3, 3), uvs
    (k, 3, 2) and colours (k, 3, 4) if the part has such; reach is the largest of their coordinates. sums (s, 4) are
    weighted sums of the corners of all triangles."""

    corners: Array
    reach: float
    sums: Array
    normals: Array | None
    uvs: Array | None
    colours: Array | None


class SampledTables(Struct, frozen=True, eq=False):
    """Weighted sums (s, 4) of all vertices of a part of a mesh file, the sides of its bounding box (3,), and the first
    and the last rows of its tables of faces (m, 3), normals and texture coordinates."""

    vertex_sums: Array
    sides: Array
    faces: Array
    normals: Array | None
    uvs: Array | None


class Sample(Struct, frozen=True, eq=False):
    """A digest of a part of a mesh file, to recognise it in an output (converters.assets.meshes.sampled): by its
    corners inside a document (glTF), by its tables in an OBJ beside one; None where the target does not need them.

    material: a PartMaterial of converters.assets.meshes.parts.
    """

    name: str
    triangles: int
    vertices: int
    material: Any
    corners: SampledCorners | None
    tables: SampledTables | None


Ledger = dict[tuple[str, str], tuple[Sample, ...]]
"""(path of a mesh file, key of the mesh in it (assets.inside.key)) -> the parts of the mesh."""


class DocumentCheck(Struct, frozen=True):
    """What the reader of an output that is read back can tell of it (converters.gltf.audit)."""

    shown: Callable[[Scene, Ledger, str, Sequence[Motion]], Iterator[Difference]]
    """(the scene that was written, the ledger of mesh files, looks, the motions to be played) -> differences in what
    programs draw and play."""
    drafted: Callable[[Scene], Scene] | None = None
    """(the scene that was written) -> the scene that programs see which read the draft physics extensions."""
    draft: str = "draft"
    """The beginning of the addresses, in losses.txt, of what such programs miss."""


class Context(Struct, kw_only=True):
    """What readers and writers share. file names the source in messages; folder is its folder."""

    file: str
    folder: Path
    options: Options = USUAL
    find: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """uri -> (path of the file or None, rule that found it or reason why not): find of converters.assets.resolve."""
    find_model: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """As find, for models that a model includes; also used while an output is read back."""
    notes: list[Note] = field(default_factory=list)

    def note(
        self, rule: str, where: str, reason: str = "", source: Source | None = None, **more: Unpack[NoteDetails]
    ) -> None:
        """Report what was repaired, left out, or read in a noteworthy way."""
        self.notes.append(Note(rule=rule, where=where, reason=reason, source=source, **more))

    def missing(self, name: str, uri: str, reason: str, source: Source | None) -> None:
        """Note that the file of an asset was not found; an empty reason means that it was not looked for."""
        if uri and reason:
            where = f"asset/{name}"
            self.note("assets/missing", where, reason, source, before=uri, action="noted")


class ReaderContext(Context, kw_only=True):
    """The reading of one document: how it is read, then what its reader finds beside the scene."""

    # how it is read
    bare: bool = False
    """Only read what other programs read, not what an earlier conversion carried."""
    strict: bool = True
    """Note what the programs of this format refuse."""
    written: bool = False
    """The document is an output that is read back, with all of its files in beside."""
    beside: Mapping[str, bytes | Path] = field(default_factory=dict)
    """Files of an output that is read back, which are not on the disk yet."""
    again: bool = False
    """The document is an output, made from another format: its spelling need not be noted."""
    carrying: bool = True
    """What the document carries for the way back is wanted, too."""
    places: Sequence[tuple[str, int]] = ()
    """For a document expanded from a xacro: the (file, line) of each element, in document order."""
    faults: Faults = field(default_factory=Faults)
    """What is wrong with the document."""

    # what is found
    documents: list[Counted] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    """Further files that were read: those that a xacro includes."""
    packages: dict[str, Path] = field(default_factory=dict)
    """Packages that a xacro looked up -> their folders."""
    unscoped: Mapping[str, Beside] = field(default_factory=dict)
    """Models of a world whose names have no path prefix -> what the world contains beside each."""
    grounds: Mapping[str, str] = field(default_factory=dict)
    """Models that an earlier conversion wrote for geoms of the world itself -> the link of each."""
    motions: Sequence[Motion] = ()
    """Animations of the source, for which the graph has no place."""
    pieces: dict[str, Source] = field(default_factory=dict)
    """Keys of Scene.carried -> the place of that piece of carried data in the document."""
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """As Restored.asked, from the graph in a GLB."""
    check: DocumentCheck | None = None
    """Of a GLB that is read back."""

    def of_file(self, file: str, **changes: Any) -> ReaderContext:
        """The context for a further file of the model, which is as it lies on the disk, not expanded from a xacro."""
        return replace(self, file=file, places=(), **changes)

    def refuse(self, error: InputError) -> None:
        """Raise the error, or keep it if faults are gathered: then the reader goes on without the value."""
        self.faults.refuse(error)

    def content(self, file: str) -> bytes:
        """The content of a file of the document, also of an output that is not on disk yet. Raises OSError."""
        beside = self.beside.get(file)
        return beside if isinstance(beside, bytes) else Path(file).read_bytes()


class WriterContext(Context, kw_only=True):
    """The writing of one scene; file and folder are still those of the source."""

    source: str = ""
    """The format from which the scene came."""
    original: Scene | None = None
    """The scene as it was read, before the passes."""
    looks: str = "file"
    """As Reading.looks."""
    motions: Sequence[Motion] = ()
    """As ReaderContext.motions."""
    worn: Mapping[str, tuple[Material, Asset | None]] = field(default_factory=dict)
    """As Restored.worn."""
    spare: bool = False
    """The scene is Restored.spare."""
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """As Restored.asked, for this conversion."""
    target: Path | None = None
    """The file that will be written, for paths relative to it."""
    suffix: str = ""
    """The suffix of target if the format has it, else the first of the format."""
    asset_folder: str = "assets"
    """Name of the folder for meshes and textures beside the output."""
    packaged: bool = False
    """The document goes into a model folder of its own (model.config)."""


def for_writing(context: Context, **more: Any) -> WriterContext:
    """The context for writing what was read with this one, without its notes."""
    shared = {name: getattr(context, name) for name in ("file", "folder", "options", "find", "find_model")}
    return WriterContext(**shared | more)


class Output(Struct, frozen=True, kw_only=True):
    """What a writer returns: the main document, and side files (relative path -> bytes, or the path of a file to copy).

    folds tell what the writer had to write as several things: {"geom": {name: [parts]}, "asset": {name: [parts]}}. On
    reading, the parts become one again (ir.folds.fold). notes are those of the writing of assets.
    """

    document: bytes
    files: Mapping[str, bytes | Path] = field(default_factory=dict)
    folds: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    origins: Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """As Scene.origins: things of the document that replace something else."""
    notes: tuple[Note, ...] = ()
    motions: Sequence[Motion] = ()
    """The motions that the document plays; the audit looks for them (audit.motions)."""


class Reader(Protocol):
    def __call__(self, data: bytes, context: ReaderContext) -> Scene: ...


class Writer(Protocol):
    def __call__(self, scene: Scene, context: WriterContext) -> Output: ...
