"""What a format, a pass and a reason for a loss are: the records that converters.registry finds, and that readers,
writers, passes and the audit are made of."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from converters.context import Context, Options, Output, Reader, Writer

if TYPE_CHECKING:
    from ir.arrays import Floats, Ints
    from ir.diff import Difference
    from ir.scene import Address, Scene
    from ir.types import Actuator, Asset, Body, Dof, Geom, Joint, Sensor, Shape

V = TypeVar("V")


class Held:
    """The scene that an output is held against, with what the rows of tables look up in it, found once."""

    def __init__(
        self,
        scene: Scene,
        fitted: Scene | None = None,
        options: Options | None = None,
        lost: Mapping[Address, object] | None = None,
        noted: Container[str] = (),
        gained: Mapping[Address, object] | None = None,
    ) -> None:
        self.scene = scene
        self.fitted = fitted or scene
        """The scene as the passes made it, which was written."""
        self.options = options or Options()
        self.lost = lost or {}
        """What the output does not have, by its address: shapes, too, for which others stand."""
        self.gained = gained or {}
        """What the output has and the scene does not, or has otherwise, by its address."""
        self.noted = noted
        """Of what the reader or the writer tells that it is not in the output: addresses, as in a finding."""
        self._some: dict[tuple[str, Callable[[Geom], bool]], bool] = {}
        self._once: dict[Callable[[Held], Any], Any] = {}

    def once(self, found: Callable[[Held], V]) -> V:
        """What a function finds in the whole of the scenes, found once: rows are asked for each difference."""
        if found not in self._once:
            self._once[found] = found(self)
        answer: V = self._once[found]
        return answer

    def some(self, body: Body, holds: Callable[[Geom], bool]) -> bool:
        """Whether this holds of a geom of a body."""
        key = body.name, holds
        if key not in self._some:
            self._some[key] = any(map(holds, body.geoms))
        return self._some[key]

    @cached_property
    def dofs(self) -> Mapping[str, tuple[Joint, Dof]]:
        """As Scene.dofs."""
        return self.scene.dofs()

    @cached_property
    def geoms(self) -> Mapping[tuple[str, str], Geom]:
        """Every geom, by (its body, its own name)."""
        return _geoms(self.scene)

    @cached_property
    def written(self) -> Mapping[tuple[str, str], Geom]:
        """The same of the scene as the passes made it."""
        return self.geoms if self.fitted is self.scene else _geoms(self.fitted)

    @cached_property
    def shown(self) -> Mapping[str, Sequence[Address]]:
        """Material -> the geoms that are seen, and written with it."""
        from ir.gathering import gathered
        from ir.types import Role

        return gathered(
            (geom.material, ("body", body, "geoms", name))
            for (body, name), geom in self.written.items()
            if geom.material is not None and geom.shape is not None and geom.role in Role.SEEN
        )

    @cached_property
    def shaped(self) -> Mapping[str, Sequence[Address]]:
        """Asset -> the geoms that are written with the whole of its shape."""
        from ir.gathering import gathered
        from ir.types import HeightField, Mesh

        return gathered(
            (geom.shape.asset, ("body", body, "geoms", name))
            for (body, name), geom in self.written.items()
            if isinstance(geom.shape, (Mesh, HeightField)) and not getattr(geom.shape, "submesh", None)
        )


def _geoms(scene: Scene) -> dict[tuple[str, str], Geom]:
    return {(body.name, geom.name): geom for body in scene.bodies.values() for geom in body.geoms}


class Loss(Struct, frozen=True):
    """The reason for a difference that the audit found: a row of a format's table. It can neither hide nor create one.

    fields are the addresses that the row explains, without names: "joint.dofs.velocity, joint.dofs.effort". * stands
    for any text. An address may go on with

    - the kind of difference: "asset absent", "asset extra", "asset.uri different"; "* underflow" is a number too small
      for the target;
    - for an extra, the path of its element: "joint.extras.sdf/physics/ode".

    "called.KIND" explains a name that the output says otherwise (converters.audit.names). severity and action are
    those of the finding; action "" leaves it as computed. when: whether the reason is that of a difference of the
    scene, where the address alone does not tell (converters.report.reasons).
    """

    fields: str
    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""
    when: Callable[[Difference, Held], bool] | None = None

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
"""A mesh made for a shape: a name for it, an OBJ file, and the scale (x, y, z) at which that has the size of the shape.
"""


class Fits(Struct, frozen=True, kw_only=True):
    """What a format can hold. By this a target selects the passes (converters.passes): a pass runs where something is
    lacking."""

    options: frozenset[str] = frozenset()
    """Options (converters.context) that matter only to some targets, and to this one. "NAME=VALUE" names an option that
    does so with that value alone."""
    mark: str = ""
    """Key of the notation that every scene read from this format has. Such a scene holds only what the format can say:
    it needs no passes on the way back."""
    mark_fades: bool = False
    """Other programs that save a document take the mark away: the carried data of a document says again whether it has
    it."""

    counts: bool = False
    """Programs count bodies, drives, measurements and states in the order in which they stand in a document."""

    # how things stand and move
    free_inside_tree: bool = False
    """A free joint may hold a body below another body."""
    screws: bool = True
    balls: bool = True
    slide_anchors: bool = True
    """A sliding joint has a place of its own, though its motion does not depend on it."""
    needs_base: str | None = None
    """How a root stands ("fixed", "floating") of which nothing is said: the format has no third way."""
    open_root: bool = False
    """A document may leave open whether its root is held: whoever reads it decides."""
    static: bool = False
    """A model may be said to stand still as a whole, whatever joints it has."""
    kinematic_links: bool = False
    """A body that nothing holds may be one that somebody moves without forces."""
    moved_without_joint: bool = False
    """What somebody moves without forces stands below the world, and no joint holds it."""
    loop_joints: bool = True
    """A joint may close a loop of bodies."""
    constraints: bool = False
    """Equations between joints or bodies (ir.types.Constraint)."""
    mimics: Callable[[Options], bool] = lambda options: True
    """Whether a joint may follow another, as the user wants the target written (--sdf-version)."""
    single: Callable[[Scene], Scene] = lambda scene: scene
    """The scene with chains of links in place of the joints of several axes that the format does not have."""
    empty_range_is_unlimited: bool = False
    """Equal limits mean no limits: a joint with one position has to be held there otherwise."""
    frames: bool = True
    """There are frames that are no links."""
    frame_ids: Callable[[Options], bool] = lambda options: False
    """Whether sensors say what their messages name as their frame."""
    empty_links_are_frames: Callable[[Options], bool] = lambda options: False
    """Whether a link without mass that is held fast becomes a frame."""

    # masses, drives, sensors
    needs_inertia: bool = False
    """A body that moves must have a mass and an inertia."""
    possible_inertia: bool = False
    """An inertia that no body can have is refused."""
    actuators: bool = False
    """Drives are actuators, and not transmissions of joints."""
    held: HoldingControl | None = None
    """(actuator, its length) -> the controls and activations with which it holds that length; None for an actuator that
    cannot."""
    transmissions: bool = False
    """Drives are transmissions of joints, with control interfaces."""
    sensors_see: bool = True
    """A camera may be a sensor."""
    camera_rot: tuple[float, float, float, float] | None = None
    """How a sensor that sees is turned against its camera, whose place is that of the sensor; None: as it says."""
    wrench_sites: bool = False
    """Force and torque are measured at a site of the child of the joint, in the axes of the site."""

    # contacts
    parent_child_collide: bool = False
    """A body and its parent may collide, or not, as the document says."""
    bodies_collide: bool | None = None
    """Whether bodies of one model collide where nothing is said; None: each program decides for itself."""
    masks: tuple[int, int] | None = None
    """The bits (category, collide; ir.types.Surface) of a geom that says none, where the format has bits."""
    combine: str | None = None
    """How the frictions of two geoms make one (ir.types.Surface.combine); "" where each geom says it, None where that
    is not known."""
    across: float | None = None
    """The friction across the direction of the first one, where a document says that alone; None: the same."""
    surfaces: tuple[tuple[str, float], ...] = ()
    """Fields of surfaces that the format refuses below 0, and the most that it takes."""
    contact_dimensions: bool = False
    """condim: friction of twisting and rolling acts only where a geom asks for it."""

    # what simulators and worlds say
    simulator_terms: bool = False
    """Damping, springs, contacts, sensors and the like are words of the format itself."""
    gazebo: str = ""
    """Format of the extras that hold what only Gazebo knows of a joint; "" where there is no place for it."""
    blocks: str = ""
    """Format of the <gazebo> blocks of a document; "" where it has none."""
    says: Callable[[Sensor], bool] = lambda sensor: False
    """Whether its own element says all of a sensor; otherwise a block does, which others may read."""
    worlds: bool = False
    """A document may say what acts on all bodies: gravity, wind."""
    magnetic: tuple[float, float, float] | None = None
    """The magnetic field of a world that says none, in tesla."""
    timestep: float | None = None
    """The time step of a world that says none, in seconds."""

    # names
    names_are_shared: bool = False
    """Links, joints and frames of one model have their names from one pool: no two may be called the same."""
    spare: Callable[[str], str] = lambda name: name
    """Another name in place of one that the format reserves; any other name as it is."""

    # shapes and looks
    plane_normals: bool = True
    """A plane has a normal of its own; else it is turned."""
    planes: bool = True
    half_sizes: bool = False
    """Sizes are written as their halves. The half of the smallest numbers is none."""
    meshed: Callable[[Shape, bool], Sequence[MadeMesh]] | None = None
    """(shape, whether it collides) -> meshes in place of a shape that the format does not have; None: it has all."""
    joined: Callable[[Asset], bytes] | None = None
    """A mesh file of several parts -> one OBJ; of one part: nothing. None: such files are as good as others."""
    submeshes: bool = False
    """A geom may show one part of a mesh file."""
    height_fields: bool = False
    material_names: bool = True
    """A material has a name, and several geoms may share it."""
    covers: bool = False
    """A material of the document shows in place of the looks that are in the mesh file."""
    transparency: bool = False
    """A visual may be transparent besides what its colour says."""
    highlight: float | None = None
    """How bright the highlight of a material is that says nothing of it; None where that is not specified."""
    bright: frozenset[str] = frozenset()
    """Fields of colours (ir.types.Material, Light) that may be beyond 1."""
    physical_looks: bool = False
    """Materials have a roughness in place of a shininess, and images for more than their colour."""
    images_apart: bool = False
    """The images of roughness and of metalness are two."""
    one_file: bool = False
    """Meshes and images are inside the document: no other file lies beside it."""


Load = Callable[["Asset"], Iterable[tuple["Floats", "Ints"]]]
"""A mesh asset -> its parts as (vertices (n, 3) in metres, faces (m, 3)); passes know no file format."""
HoldingControl = Callable[["Actuator", float], tuple[tuple[float, ...], tuple[float, ...]] | None]


class Target(Struct, frozen=True, kw_only=True):
    """What a scene is made to fit: what its format holds, and what the user asked for."""

    fits: Fits
    options: Options = field(default_factory=Options)
    load: Load = lambda asset: ()
    find: Callable[[str], tuple[str | None, str]] = lambda uri: (None, "")
    """As Context.find of the source."""


class Pass(Struct, frozen=True, kw_only=True):
    """A change of the scene that some target needs.

    apply returns the very same scene where there is nothing to do. It says nothing of what it does: every difference
    between the two scenes is computed, and gets the rule and the reason of the pass. severity and action are those of
    a Loss.
    """

    rule: str
    reason: str
    severity: str = "warning"
    action: str = ""
    apply: Callable[[Scene, Target], Scene]
    wanted: Callable[[Target], bool] = lambda target: True

    # on which scenes it runs
    asked: bool = False
    """It runs on scenes of the target format, too: an option asks for it."""
    lacking: bool = False
    """It acts on what the target has no form for at all. A scene of the target holds that only where an edit brought
    it, and there it runs as well."""
    added: bool = False
    """Where an edit brought something into a scene of the target, it acts on what is wholly new there, and not on what
    has another value: a link with another mass is no new link."""
    spreads: Callable[[Scene, Scene, Load], Scene] | None = None
    """(scene, the edited document) -> the scene with what edits of the document, which is of the format of this pass,
    mean for all that nobody edited. It is not undone on the way back."""

    # what the options have to do with it
    chosen: Callable[[Options], str] = lambda options: ""
    """The option by which the user chose what it does, "" where nobody did. What is chosen goes on to other formats,
    and is undone only on the way back to the first one (converters.carried.earlier_choices)."""
    acts: frozenset[str] = frozenset()
    """Options whose effect it brings about: where it changes nothing, they had none (converters.report.idle)."""

    # how the audit takes what it changes
    told: bool = False
    """What it did stands in the output although its reader does not look there (in glTF, for other engines): the
    finding is told all the same."""
    moves: bool = False
    """What it takes away stands elsewhere in the scene that it makes: there it is looked for in the output, too."""
    silent: bool = False
    """What it adds is what the source means anyway, said or unsaid: if the output does not have it, that is a loss."""

    # what of it comes back
    whole: bool = False
    """All entities that it changes come back as they were, or none of them."""
    values: bool = False
    """With whole: the values that it changes, and not the entities as wholes."""
    each: bool = False
    """All that it changes of one geom comes back as it was, or nothing of that; another geom is another matter."""


class Ran(Struct, frozen=True, kw_only=True):
    """A pass that ran (cause), and what it changed: a later difference at the same place is its doing.

    The groups are of places in the patch that undoes it (ir.patches.grouped).
    """

    cause: Pass
    differences: tuple[Difference, ...]
    moved: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Where the pass moves something: what it took away, and what stands in its stead. The latter has to be found in
    the output; the former comes back only while the latter is as it was written."""
    whole: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """What comes back together or not at all (Pass.whole, Pass.each)."""
    option: str = ""
    """The option by which the user chose what it did (Pass.chosen)."""
    chosen: tuple[tuple[str, ...], ...] = ()
    """All places that it changed, where somebody chose it."""
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
    stood in front of its names (converters.one_model)."""
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
