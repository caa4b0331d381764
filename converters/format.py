"""The records that describe a format (Format, with Fits: what it can hold), a pass (Pass) and the reason for a loss
(Loss). converters.registry finds the formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from converters.context import Options, Output, Reader, ReaderContext, Writer

if TYPE_CHECKING:
    from converters.facts import Facts
    from ir.arrays import Floats, Ints
    from ir.diff import Difference
    from ir.scene import Scene
    from ir.types import Actuator, Asset, Inertial, Sensor, Shape

V = TypeVar("V")


class Loss(Struct, frozen=True):
    """The reason for a difference that the audit found: a row of a format's table. It can neither hide nor create one.

    fields are the addresses that the row explains, without names: "joint.dofs.velocity, joint.dofs.effort". * matches
    any text. An address may be followed by

    - the kind of difference: "asset absent", "asset extra", "asset.uri different"; "* underflow" is a number too small
    for the target;

    - for an extra, the path of its element: "joint.extras.sdf/physics/ode".

    "called.KIND" explains a changed name (converters.audit.names). severity and action are those of the finding; action
    "" leaves it as computed. when is the condition under which the row explains a difference, if the address alone does
    not tell (converters.report.reasons).
    """

    fields: str
    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""
    when: Callable[[Difference, Facts], bool] | None = None

    def patterns(self) -> list[str]:
        """The addresses, one by one."""
        return self.fields.split(", ")


def renamed(form: str) -> Loss:
    """The row of a format that explains a name which the writer had to change."""
    reason = "renamed: the name is taken, or reserved"
    return Loss("*.label", f"{form}/renamed", reason, "note")


def unframed(form: str) -> Loss:
    """The row of a format whose joints have no frame of their own; in SDFormat they do."""
    reason = "joints have no frame of their own in the target: the motion is converted, the rest of the frame is not"
    return Loss("joint.mount", f"{form}/joint-frame", reason, "note")


MadeMesh = tuple[str, bytes, tuple[float, float, float]]
"""A mesh made for a shape: a name for it, an OBJ file, and the scale (x, y, z) at which it has the size of the
shape."""


class Fits(Struct, frozen=True, kw_only=True):
    """What a format can hold: this selects the passes that a scene needs on the way to it (Pass.wanted)."""

    options: frozenset[str] = frozenset()
    """Options (converters.context) that only have an effect on some targets, including this one. "NAME=VALUE": only
    with that value."""
    mark: str = ""
    """Key of Scene.notation that every scene read from this format has. Such a scene contains nothing that the format
    cannot express: on the way back it needs no passes."""
    mark_fades: bool = False
    """Programs that save a document remove the mark: carried data repeats it."""

    counts: bool = False
    """Programs number bodies, actuators, sensors and coordinates by their order in the document."""

    # kinematics
    free_inside_tree: bool = False
    """A free joint may hold a body below another body."""
    screws: bool = True
    balls: bool = True
    slide_anchors: bool = True
    """A sliding joint has an anchor, though its motion does not depend on it."""
    needs_base: str | None = None
    """"fixed" or "floating": the default of a root, in a format that cannot leave it open."""
    open_root: bool = False
    """A document may leave open whether its root is fixed or floats: its reader decides."""
    static: bool = False
    """A model as a whole may be static, whatever joints it has."""
    kinematic_links: bool = False
    """A body without a joint may be kinematic: moved from outside, without forces."""
    moved_without_joint: bool = False
    """A kinematic body is a child of the world without a joint (mocap of MJCF)."""
    loop_joints: bool = True
    """A joint may close a loop of bodies."""
    constraints: bool = False
    """Equations between joints or bodies (ir.types.Constraint)."""
    mimics: Callable[[Options], bool] = lambda options: True
    """Whether a joint may follow another, in the version that the user asks for (--sdf-version)."""
    single: Callable[[Scene], Scene] = lambda scene: scene
    """The scene with chains of links in place of joints of several axes that the format does not have."""
    empty_range_is_unlimited: bool = False
    """Equal limits mean no limits: a joint with a single position has to be fixed in another way."""
    frames: bool = True
    """Frames need not be links."""
    frame_ids: Callable[[Options], bool] = lambda options: False
    """A sensor names the frame of its messages."""
    empty_links_are_frames: Callable[[Options], bool] = lambda options: False
    """A massless link that is welded to another becomes a frame."""

    # masses, drives, sensors
    needs_inertia: bool = False
    """A body that moves must have a mass and an inertia."""
    accepts_inertia: Callable[[Inertial], bool] | None = None
    """Physically impossible inertia is refused, and whatever this function does not accept."""
    actuators: bool = False
    """Joints are driven by actuators (MJCF)."""
    held: HoldingControl | None = None
    """(actuator, its length) -> the controls and activations that hold it there; None for an actuator that cannot hold
    a length."""
    transmissions: bool = False
    """Joints are driven by transmissions with command interfaces (URDF)."""
    sensors_see: bool = True
    """A camera may be a sensor."""
    camera_rot: tuple[float, float, float, float] | None = None
    """The rotation of a camera in the frame of its sensor, if the format fixes it and puts both at one place; None:
    given in the document."""
    wrench_sites: bool = False
    """Force and torque are measured at a site of the child link, in the axes of the site."""

    # contacts
    parent_child_collide: bool = False
    """Whether the format can say if a body and its parent collide."""
    bodies_collide: bool | None = None
    """Whether bodies of one model collide by default; None: that depends on the program."""
    masks: tuple[int, int] | None = None
    """The default masks of a geom (category, collide; ir.types.Surface), in a format that has masks."""
    combine: str | None = None
    """How the frictions of two geoms are combined (ir.types.Surface.combine); "" if each geom sets it, None if it is
    not known."""
    across: float | None = None
    """The default of the second friction (mu2) if a document only gives the first; None: the same."""
    surfaces: tuple[tuple[str, float], ...] = ()
    """Fields of surfaces that must not be negative, each with its largest value."""
    contact_dimensions: bool = False
    """Torsional and rolling friction act only where a geom asks for them (condim)."""

    # settings of simulators and worlds
    simulator_terms: bool = False
    """Damping, springs, contacts, sensors and the like have elements of their own in the format."""
    gazebo: str = ""
    """Format of the extras of a joint that contain settings for Gazebo; "" if there is no place for them."""
    blocks: str = ""
    """Format of the <gazebo> blocks of a document; "" where it has none."""
    says: Callable[[Sensor], bool] = lambda sensor: False
    """Whether the <sensor> element of the format can express all of a sensor; else a block contains it, too."""
    worlds: bool = False
    """A document may set what acts on all bodies: gravity, wind, a magnetic field."""
    magnetic: tuple[float, float, float] | None = None
    """The default magnetic field of a world, in tesla."""
    timestep: float | None = None
    """The default time step of a world, in seconds."""

    # names
    names_are_shared: bool = False
    """Links, joints and frames of one model share one name space."""
    spare: Callable[[str], str] = lambda name: name
    """A replacement for a reserved name; any other name unchanged."""

    # shapes and looks
    plane_normals: bool = True
    """A plane may have any normal; else its normal is z, and its pose rotates it."""
    planes: bool = True
    half_sizes: bool = False
    """Sizes are written as half sizes: the half of the smallest double is 0."""
    meshed: Callable[[Shape, bool], Sequence[MadeMesh]] | None = None
    """(shape, whether it collides) -> meshes that replace a shape that the format lacks; None: it lacks none."""
    seen_mesh: tuple[str, str] | None = None
    """A parameter of mesh files that no colliding geom has, unless its bounding box is smaller than least_mesh (cubic
    metres): programs refuse a flat or tiny one otherwise."""
    least_mesh: float = 0.0
    joined: Callable[[Asset], bytes] | None = None
    """A mesh file of several parts -> one OBJ (of one part: b""). None: the format accepts such files."""
    submeshes: bool = False
    """A geom may show one part of a mesh file."""
    height_fields: bool = False
    material_names: bool = True
    """A material has a name, and several geoms may share it."""
    covers: bool = False
    """A material of the document overrides the looks of the mesh file."""
    transparency: bool = False
    """A visual has a transparency beside the alpha of its colour."""
    highlight: float | None = None
    """The default specular brightness of a material; None if it is not specified."""
    light_factors: bool = False
    """The intensity of a light is a factor of its colours."""
    bright: frozenset[str] = frozenset()
    """Fields of colours (ir.types.Material, Light) that may exceed 1."""
    physical_looks: bool = False
    """Materials are physically based: roughness in place of shininess, and images for more than the colour."""
    images_apart: bool = False
    """Roughness and metalness are separate images."""
    one_file: bool = False
    """Meshes are inside the document, and images may be: meshes are compared by corners, not with an OBJ beside it."""


Load = Callable[["Asset"], Iterable[tuple["Floats", "Ints"]]]
"""A mesh asset -> its parts as (vertices (n, 3) in metres, faces (m, 3)); passes know no file format."""
HoldingControl = Callable[["Actuator", float], tuple[tuple[float, ...], tuple[float, ...]] | None]


class Target(Struct, frozen=True, kw_only=True):
    """The arguments of passes beside the scene: what the target format can hold, and the options of the user."""

    fits: Fits
    options: Options = field(default_factory=Options)
    load: Load = lambda asset: ()
    find: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """As Context.find of the source."""


class Pass(Struct, frozen=True, kw_only=True):
    """A change of the scene that some targets need.

    apply returns the same scene object if there is nothing to do. What it changed is computed by comparing the two
    scenes; each difference gets the rule and the reason of the pass. severity and action are as in a Loss.
    """

    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""
    apply: Callable[[Scene, Target], Scene]
    wanted: Callable[[Target], bool] = lambda target: True

    # when it runs
    asked: bool = False
    """It also runs on scenes of the target format, since an option of the user asks for it."""
    lacking: bool = False
    """It handles what the target cannot hold at all. A scene of the target only contains that if an edit brought it,
    and on such a scene the pass runs as well."""
    added: bool = False
    """On an edited scene of the target it only handles new entities, not changed ones: a link with another mass is no
    new link."""
    spreads: Callable[[Scene, Scene, Load], Scene] | None = None
    """(scene, the edited document, load) -> the scene with the consequences of edits for everything that was not
    edited, in the format of this pass. They are not undone on the way back."""

    # how options affect it
    chosen: Callable[[Options], str] = lambda options: ""
    """The option by which the user chose what it does, or "". A choice also holds for further formats, and is only
    undone on the way back to the first one (converters.carried.earlier_choices)."""
    acts: frozenset[str] = frozenset()
    """Options that act through this pass: if it changes nothing they had no effect (converters.report.idle)."""

    # how the audit treats its changes
    told: bool = False
    """What it did is reported although our reader does not find it in the output (in glTF it is for other engines)."""
    moves: bool = False
    """It moves what it removes to another place in the scene: the audit looks for it there."""
    silent: bool = False
    """What it adds is in effect in the source (a default, what follows from other values, what a joint has of which it
    makes several): it is a loss if the output does not have it."""

    # what is restored on the way back
    whole: bool = False
    """On the way back all entities that it changed are restored, or none of them."""
    values: bool = False
    """With whole: only the values that it changed, not the whole entities."""
    each: bool = False
    """As whole, for each geom by itself."""


class Ran(Struct, frozen=True, kw_only=True):
    """A pass that ran (cause), and what it changed: it is the reason of a later difference at the same place.

    The groups are places in the patch that undoes it (ir.patches.grouped).
    """

    cause: Pass
    differences: tuple[Difference, ...]
    moved: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """If the pass moves something: what it removed and where it put it. The latter must be in the output; the former is
    only restored as long as the latter is unchanged."""
    whole: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Places that are restored together or not at all (Pass.whole, Pass.each)."""
    option: str = ""
    """The option by which the user chose what it did (Pass.chosen)."""
    chosen: tuple[tuple[str, ...], ...] = ()
    """All places that it changed, if the user chose it."""
    choice: Mapping[str, str] = field(default_factory=dict)
    """The patch that repeats the change."""


class SizeLimit(Struct, frozen=True):
    """The largest document that the reader of a format accepts, and lower bounds of what things need in it, by which a
    model that is too large is refused before it is written."""

    most: int
    unit: str
    body: int
    inertial: int
    moving: int
    """A joint with degrees of freedom."""
    geom: int

    def lower_bound(self, scene: Scene) -> int:
        """A size that no document of the scene falls below, in this unit."""
        bodies, joints = scene.bodies.values(), scene.joints.values()
        weighed, moving = sum(each.inertial is not None for each in bodies), sum(bool(each.dofs) for each in joints)
        geoms = sum(geom.seen or geom.collides for geom in scene.geoms())
        return self.body * len(bodies) + self.inertial * weighed + self.moving * moving + self.geom * geoms


class Format(Struct, frozen=True, kw_only=True):
    """A format.

    claims looks at the first bytes when several formats share a suffix. Functions import their own dependencies. carry
    embeds carried data (address -> JSON text) into a written document; the reader finds it as scene.carried.
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
    """Passes that express the dialects and defaults of a document of this format in terms of the graph. They run before
    a scene of it goes to another format."""
    blocks: Callable[[], tuple[Pass, ...]] = tuple
    """Passes that write into the <gazebo> blocks of a target (Fits.blocks) what it has no element for, in the terms of
    this format. They run after the passes of the source format, whichever that is."""
    fits: Fits = field(default_factory=Fits)
    size_limit: SizeLimit | None = None
    older: Callable[[], tuple[Pass, ...]] = tuple
    """Passes that fit a scene to the requested version of this format. They run last."""
    knows: Callable[[str, str], bool] = lambda owner, name: True
    """Whether an element may have a child of that name (an attribute: with an @ in front), by the specification."""
    alone: Callable[[Scene, str], Scene] = lambda scene, path: scene
    """(scene of one model that was taken out of several, its former name prefix) -> the scene of a document with this
    model only (converters.one_model)."""
    expand: Callable[[bytes, ReaderContext], tuple[bytes, Sequence[tuple[str, int]]]] | None = None
    """For a format that is a program (xacro): the text to which a document expands, and the file and line of each
    element of it."""
    looks: str = "file"
    """Whose looks are shown if a mesh file has some (converters.assets.shown)."""
    srdf: bool = False
    """A model may come with an SRDF."""
    asks: frozenset[str] = frozenset()
    """Options that only have an effect on some sources, including this one."""
    poses: bool = False
    """The writer applies --pose and --trajectory itself (converters.posing); for others a pose becomes a keyframe."""
    picture: bool = False
    """The output is a picture, which cannot be read back: nothing is audited."""
    folder: str = ""
    """Name of the document in a model folder (model.sdf); "" if the format has no such folders."""
    enter: Callable[[Path], Path | None] = lambda path: None
    """(model folder, or its model.config) -> the document to read; None if it is no model of this format."""
