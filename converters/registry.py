"""Formats as records of functions, found through the entry-point group kinegraph.formats.

The built-in ones stand there, too; a conversion between them needs no look at what is installed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from converters.context import Context, InputError, Options, Output, Reader, Writer
from converters.strangers import READ, WRITTEN, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from numpy import float64, int64
    from numpy.typing import NDArray

    from ir.diff import Difference
    from ir.scene import Scene
    from ir.types import Actuator, Asset, Shape

GROUP = "kinegraph.formats"
OWN = ("gltf", "mjcf", "png", "sdf", "urdf", "xacro")
"""The formats of this distribution, each FORMAT of the package of that name."""
HEAD = 65536
"""Bytes that tell the format of a file."""
ENDS = tuple(filter(None, (os.sep, os.altsep)))
"""What the name of a folder may end in."""


class Loss(Struct, frozen=True):
    """Why a difference that the audit found is there: a row of a format's table. It can neither hide nor create one.

    fields are addresses without names, a comma and a space between them, with * as wildcard (joint.dofs.velocity); each
    may end in the kind of difference ("asset absent", "asset extra", "asset.uri different", "* underflow": of numbers
    that are too small), of an extra in the path of its element ("joint.extras.sdf/physics/ode"); called.KIND is a
    name that was written otherwise (carried.called); severity and action are those of the finding ("": as computed).
    """

    fields: str
    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""

    def patterns(self) -> list[str]:
        """The addresses, one by one."""
        return self.fields.split(", ")


def renamed(form: str) -> Loss:
    """The row of a format for what has another name than its author gave it."""
    reason = "renamed: another thing has this name already, or the name is reserved"
    return Loss("*.label", f"{form}/renamed", reason, "note")


def unframed(form: str) -> Loss:
    """The row of a format whose joints have no frame of their own, which SDFormat lays where it likes."""
    reason = "a joint has no frame of its own here: its motion is converted, and the rest of its frame is not"
    return Loss("joint.mount", f"{form}/joint-frame", reason, "note")


MadeMesh = tuple[str, bytes, tuple[float, float, float]]
"""A mesh that is made: a name for it, its content as OBJ, and the scale at which it is what it stands for."""


class Fits(Struct, frozen=True, kw_only=True):
    """What a target can hold: selects the passes (converters.passes)."""

    options: frozenset[str] = frozenset()
    """Options (converters.context) that are about some targets alone, and about this one; NAME=VALUE: with that value
    alone."""
    mark: str = ""
    """Key of the notation that scenes of the format bear: they hold only what it has."""
    mark_fades: bool = False
    """A document that carries data bears the mark only where that data says so."""
    free_inside_tree: bool = False
    screws: bool = True
    balls: bool = True
    slide_anchors: bool = True
    plane_normals: bool = True
    planes: bool = True
    needs_inertia: bool = False
    possible_inertia: bool = False
    needs_base: str | None = None
    static: bool = False
    """A model may be said to stand still as a whole, whatever joints it has."""
    open_root: bool = False
    parent_child_collide: bool = False
    empty_range_is_unlimited: bool = False
    actuators: bool = False
    held: HoldingControl | None = None
    """(actuator, its length) -> controls and activations by which it keeps that length; None of one that keeps none."""
    transmissions: bool = False
    simulator_terms: bool = False
    gazebo: str = ""
    """Format of the extras that hold what only Gazebo knows of a joint; "" where the target has no place for it."""
    blocks: str = ""
    """Format of the <gazebo> blocks that the target has for Gazebo alone; "" where it has none."""
    kinematic_links: bool = False
    """A body that nothing holds may be one that somebody moves without forces."""
    moved_without_joint: bool = False
    """What somebody moves without forces stands below the world, and no joint holds it."""
    sensors_see: bool = True
    """A camera may be a sensor."""
    wrench_sites: bool = False
    """Force and torque are measured at a site of the child of the joint, in the axes of the site."""
    names_are_shared: bool = False
    spare: Callable[[str], str] = lambda name: name
    """A name in the stead of one that the target keeps for itself; any other as it is."""
    frames: bool = True
    empty_links_are_frames: Callable[[Options], bool] = lambda options: False
    loop_joints: bool = True
    single: Callable[[Scene], Scene] = lambda scene: scene
    """The scene with chains of links in the place of joints that the target does not have."""
    mimics: Callable[[Options], bool] = lambda options: True
    """Whether a joint may follow another, as the user wants the target written."""
    constraints: bool = False
    bodies_collide: bool | None = None
    """Whether bodies of one model collide with each other where nothing is said; None: each reader has its own way."""
    masks: tuple[int, int] | None = None
    """Category and collide (ir.types.Surface) of a geom that says neither, where the format has them."""
    worlds: bool = False
    """A document may say what acts on all bodies: gravity, wind."""
    combine: str | None = None
    """How the frictions of two geoms make one (ir.types.Surface.combine), "" where each says it; None: not known."""
    contact_dimensions: bool = False
    """Friction of twisting and rolling acts where a geom asks for it by condim; one that is silent has some."""
    material_names: bool = True
    """A material is known by a name, and not only by what shows it."""
    covers: bool = False
    """What a document says of the look of a mesh shows in place of what the mesh file says."""
    transparency: bool = False
    submeshes: bool = False
    height_fields: bool = False
    half_sizes: bool = False
    meshed: Callable[[Shape, bool], Sequence[MadeMesh]] | None = None
    joined: Callable[[Asset], bytes] | None = None
    """(shape, whether it collides) -> meshes for one that is lacking; a mesh of parts -> OBJ of one (of one: empty)."""
    highlight: float | None = None
    """How bright the highlight of a material is that says nothing of it; None: nobody has said so."""
    magnetic: tuple[float, float, float] | None = None
    timestep: float | None = None
    """The field of a world that says none, and its time step in seconds."""
    bright: frozenset[str] = frozenset()
    """Fields of colours (ir.types.Material, Light) that may be beyond 1."""
    one_file: bool = False
    """Meshes and images are inside the document, and no other file beside it."""
    physical_looks: bool = False
    """Materials have a roughness in place of a shininess, and images for more than their colour."""
    images_apart: bool = False  # of roughness and of metal


Load = Callable[["Asset"], Iterable[tuple["NDArray[float64]", "NDArray[int64]"]]]
"""A mesh asset -> its parts as (vertices (n, 3) in metres, faces (m, 3)); passes know no file format."""
HoldingControl = Callable[["Actuator", float], tuple[tuple[float, ...], tuple[float, ...]] | None]


class Target(Struct, frozen=True, kw_only=True):
    """What a scene is made to fit: what its format holds, and what the user asked for."""

    fits: Fits
    options: Options = field(default_factory=Options)
    load: Load = lambda asset: ()


class Pass(Struct, frozen=True, kw_only=True):
    """A change of the scene that some target needs. apply returns the very same scene where there is nothing to do.

    rule and reason say why it acts. Every difference the pass makes is computed and gets that reason; severity and
    action are as those of a Loss.
    """

    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""
    apply: Callable[[Scene, Target], Scene]
    wanted: Callable[[Target], bool] = lambda target: True
    asked: bool = False
    """The user may ask for it: it runs on scenes of the target format, too."""
    told: bool = False
    """What it did stands in the output, also where its reader does not look: in glTF, for engines beside the graph."""
    chosen: Callable[[Options], str] = lambda options: ""
    """The option by which the user has chosen what it does, "" where nobody has: what is chosen goes on to other
    formats, and is undone on the way back to the first one alone (converters.carried.asked)."""
    acts: frozenset[str] = frozenset()
    """Options whose result it brings about: where it changes nothing they have none (converters.report.idle)."""
    lacking: bool = False
    """It acts on what the target has in no form: a scene of the target holds that only where an edit has brought it."""
    added: bool = False
    """Of what an edit brought into a scene of the target it is about what was not there at all: a link that has another
    mass is no other link."""
    spreads: Callable[[Scene, Scene, Load], Scene] | None = None
    """What an edit that was brought into a document of its format (the second scene) says of all that nobody edited: it
    is not undone on the way back."""
    moves: bool = False
    """What it takes away stands elsewhere in the scene that it makes: there it is looked for in the output, too."""
    silent: bool = False
    """What it adds is what the source says elsewhere, or means by its silence: what of that is not in the output is a
    loss."""
    whole: bool = False
    """All that it changes comes back as it was, or nothing of it: entities that it changes (values: what it changes of
    them)."""
    values: bool = False
    each: bool = False
    """So does what it changes of each geom."""


class Ran(Struct, frozen=True, kw_only=True):
    """A pass that ran (cause), and what it changed: a later difference at the same place is its doing.

    moved: groups of places in a patch (ir.patches.grouped) of what it took away and of what stands in its stead
    (Pass.moves): the latter has to be found in the output, and the former comes back as it was only while the latter is
    as it was written.
    """

    cause: Pass
    differences: tuple[Difference, ...]
    moved: tuple[tuple[tuple[str, ...], ...], ...] = ()
    whole: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Groups of places in a patch: of all that it changed (Pass.whole), or of a geom each (Pass.each)."""
    option: str = ""
    """By which the user has chosen what it did (Pass.chosen)."""
    chosen: tuple[tuple[str, ...], ...] = ()
    """Places in a patch of all that it changed, where somebody has."""
    choice: Mapping[str, str] = field(default_factory=dict)
    """The patch that makes the change once more."""


class Format(Struct, frozen=True, kw_only=True):
    """A format.

    claims looks at the first bytes when several formats share a suffix. Functions import their own dependencies.
    carry embeds carried data (address -> JSON text) into a written document; the reader finds it as scene.carried.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    claims: Callable[[bytes], bool]
    read: Reader | None = None
    write: Writer | None = None
    carry: Callable[[Output, Mapping[str, str]], Output] | None = None
    losses: Callable[[], tuple[Loss, ...]] = tuple
    passes: Callable[[], tuple[Pass, ...]] = tuple
    """What this format's own dialects mean in terms of the graph. They run before a scene of it goes to another one."""
    blocks: Callable[[], tuple[Pass, ...]] = tuple
    """What this format can say in the <gazebo> blocks of a target (Fits.blocks) that has no words of its own for it.

    They run after the passes of the source format, whichever that is.
    """
    fits: Fits = field(default_factory=Fits)
    older: Callable[[], tuple[Pass, ...]] = tuple
    """What makes a scene fit the version, or the documents, that the user asks for. They run last, before it is written
    in this format."""
    knows: Callable[[str, str], bool] = lambda owner, name: True
    """Whether an element may have a child of that name (an attribute: with an @ in front), by the specification."""
    alone: Callable[[Scene, str], Scene] = lambda scene, path: scene
    """A scene of the format that had more than one model, and has one now: what it says of the document. path is what
    stood in front of its names (converters.chosen)."""
    expand: Callable[[bytes, Context], tuple[bytes, Sequence[tuple[str, int]]]] | None = None
    """What a document stands for that is a program: the text, and the file and line of each of its elements."""
    looks: str = "file"
    """Whose looks show where a mesh file has some (converters.assets.shown)."""
    srdf: bool = False
    """A model may come with an SRDF."""
    asks: frozenset[str] = frozenset()
    """Options that are about some sources alone, and about this one."""
    poses: bool = False
    """The writer itself shows the configuration and the motion that the user asks for (converters.posing)."""
    picture: bool = False
    """What is written shows the model and holds nothing of it: nothing can be read back, and nothing is audited."""
    folder: str = ""
    """Name of the document in a folder that is a model as a whole; "" where the format has no such folders."""
    enter: Callable[[Path], Path | None] = lambda path: None
    """The document that a folder, or the file that describes one, stands for; None when it is no model."""


def lazy(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when it is first called: a record of a format weighs nothing."""

    def call(*arguments: object) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call


@cache
def formats() -> Mapping[str, Format]:
    """Every known format by name. Raises ValueError when two installed packages offer the same name, and ImportError
    for one that cannot be loaded."""
    found: dict[str, Format] = {}
    for entry in sorted(_entries(), key=lambda entry: entry.name):
        if entry.name in found:
            raise ValueError(f"two installed packages offer the format {entry.name!r}; the second is {entry.value}")
        found[entry.name] = _loaded(entry)
    return found


@cache
def _own() -> Mapping[str, Format]:
    """The formats of this distribution: looking through all that is installed takes longer than most conversions."""
    return {name: import_module(f"converters.{name}").FORMAT for name in OWN}


def _entries() -> EntryPoints:
    from importlib.metadata import entry_points  # brings a reader of mail and of archives: 5 % of a small conversion

    return entry_points(group=GROUP)


def _loaded(entry: EntryPoint) -> Format:
    try:
        found: Format = entry.load()
    except Exception as error:  # whatever a package of others raises on import
        owner = f" of the package {entry.dist.name}" if entry.dist is not None else ""
        what = f"{type(error).__name__}: {error}"
        raise ImportError(f"the format {entry.name!r}{owner} cannot be loaded ({entry.value}): {what}") from error
    return found


def guest(modules: Iterable[str]) -> str:
    """The format of another package that has one of these modules; "" where none has."""
    tops = {module.partition(".")[0] for module in modules}
    others = (entry for entry in _entries() if entry.name not in OWN)
    return next((entry.name for entry in others if entry.module.partition(".")[0] in tops), "")


def entered(path: Path) -> Path:
    """The document of a model folder (or of the file that describes it); any other path as it is."""
    if path.is_dir() or path.suffix == ".config":
        return next((found for each in formats().values() if (found := each.enter(path)) is not None), path)
    return path


def titled(src: Path) -> str:
    """What a file made of a model is named after: the model, and of a folder that is one the folder."""
    folders = {each.folder for each in _own().values() if each.folder}
    return (src.name in folders and src.absolute().parent.name) or stem(src.name)


def stem(name: str) -> str:
    """The name of a model file without what says its format: robot of robot.urdf.xacro."""
    path = PurePath(name.removesuffix(".xacro"))
    return path.stem if path.suffix in (".urdf", PurePath(name).suffix) else path.name


def marked(notation: Mapping[str, str]) -> Format | None:
    """The format whose mark a scene bears, by the notation of it; None for none that is known."""
    return next((each for each in _own().values() if each.fits.mark and each.fits.mark in notation), None)


def blocks(target: Format) -> tuple[Pass, ...]:
    """The passes that say something in blocks of a target; none where it has no blocks."""
    return tuple(each for known in _own().values() for each in known.blocks()) if target.fits.blocks else ()


def format_named(name: str, able: Literal["read", "write"] | None = None) -> Format:
    """The format of that name, or of that suffix, which then comes first of its suffixes.

    glb is the format gltf that writes .glb, .gltf the same that writes .gltf. Raises InputError, which lists the
    formats that can be read or written and names what may be meant.
    """
    if not isinstance(name, str):
        raise InputError(f"a format is named by a text, as 'urdf', and not by {name!r}")
    word = name.lower()
    found = _own().get(word) or formats().get(name) or _ending(f".{word.removeprefix('.')}")
    if found is None:
        from difflib import get_close_matches

        known = [each for each, form in formats().items() if able is None or getattr(form, able) is not None]
        stranger = (READ if able == "read" else WRITTEN).get(f".{word.removeprefix('.')}")
        if stranger is not None:
            raise InputError(f"{name!r} {stranger}")
        titles = (each for each in known if word in formats()[each].title.lower())
        alike = [*titles, *get_close_matches(word, known, n=1)]
        hint = f"; did you mean {alike[0]}?" if alike else ""
        raise InputError(f"unknown format {name!r}; known are {', '.join(known)}{hint}")
    if able == "read":
        readable(found)
    if able == "write":
        writable(found)
    return found


def _ending(suffix: str) -> Format | None:
    """The format that has a suffix, with it as the first, and no folders where they are named otherwise; or None."""
    found = suffixed(Path(f"_{suffix}"))
    if found is None or found.suffixes[0] == suffix:
        return found
    return replace(found, suffixes=tuple(dict.fromkeys((suffix, *found.suffixes))), folder="")


def readable(form: Format) -> Reader:
    """The reader of a format. Raises InputError where it has none."""
    if form.read is None:
        raise InputError(f"{form.title} can be written but not read")
    return form.read


def writable(form: Format) -> Writer:
    """The writer of a format. Raises InputError where it has none, or what it writes can be neither read nor seen."""
    if form.write is None or (form.read is None and not form.picture):
        able = (each.name for each in formats().values() if each.write is not None)
        raise InputError(f"{form.title} can be read but not written; what can be written is {', '.join(able)}")
    return form.write


def detect(path: str, head: bytes | None = None) -> Format:
    """The format of a file by its suffix, then by its first bytes.

    head holds these bytes; it is None for a file that is still to be written.
    """
    found = _detect(_own(), path, head) or _detect(formats(), path, head)
    unknown(path, head, found is not None, found is not None and found.name not in _own())
    if found is None:
        rows = (each for each in formats().values() if (each.read if head is not None else each.write) is not None)
        known = ", ".join(f"{suffix} ({each.name})" for each in rows for suffix in each.suffixes)
        if head is None and (path.endswith(ENDS) or Path(path).is_dir()):
            raise InputError(f"{path}: is a folder; name a file for the output, or say the format with --to")
        do = "say it with --from" if head is not None else "end the name in one of these, or say it with --to"
        raise InputError(f"{path}: cannot tell the format; known suffixes are {known}: {do}")
    return found


def suffixed(path: Path) -> Format | None:
    """The format whose files are named so; None where that is no format's."""
    return _detect(_own(), str(path), None) or _detect(formats(), str(path), None)


def _detect(known: Mapping[str, Format], path: str, head: bytes | None) -> Format | None:
    suffix = PurePath(path).suffix.lower()
    fitting = [each for each in known.values() if suffix in each.suffixes]
    likely = fitting[0] if fitting else None
    if head is None:
        return likely
    claiming = (each for each in (*fitting, *known.values()) if each.claims(head))
    return next(claiming, likely)  # a suffix promises little: .xml may hold any of them
