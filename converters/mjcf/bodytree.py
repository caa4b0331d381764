"""The body tree of an MJCF file: bodies, their joints, inertia, geoms and sites."""

from __future__ import annotations

from dataclasses import dataclass

from converters.mjcf.compiler import Settings, read_orientation, read_pose, unit
from converters.mjcf.defaults import MAIN, Defaults, Resolved
from converters.mjcf.tables import ANGLES, DOF_NUMBERS, FAR, GROUPS
from converters.source.text import numbers
from converters.source.xml import Node
from ir.pose import from_z_to
from ir.scene import Scene
from ir.types import (
    WORLD,
    Body,
    Box,
    Capsule,
    Cylinder,
    Dof,
    DofKind,
    Ellipsoid,
    Frame,
    Geom,
    Inertial,
    Joint,
    Mesh,
    Parameters,
    Plane,
    Pose,
    Role,
    Shape,
    Sphere,
    Surface,
    Tensor,
    Vec3,
)

KINDS = {"hinge": DofKind.HINGE, "slide": DofKind.SLIDE, "ball": DofKind.BALL, "free": DofKind.FREE}
SHAPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh")


@dataclass(slots=True)
class _Open:
    """A body whose content has been read, waiting for its extras: children are completed first."""

    node: Node
    name: str
    parent: str | None
    pose: Pose
    dofs: tuple[Dof, ...]
    inertial: Inertial | None
    geoms: tuple[Geom, ...]
    frames: tuple[Frame, ...]
    gravity: float


class _Reader:
    """What reading a body needs to know of the whole file."""

    def __init__(self, scene: Scene, settings: Settings, defaults: Defaults, scales: dict[str, Vec3]) -> None:
        self.scene = scene
        self.settings = settings
        self.defaults = defaults
        self.scales = scales
        self.counts: dict[str, int] = {}
        self.taken: dict[str, set[str]] = {}

    def name(self, node: Node, kind: str, stem: str) -> tuple[str, str | None]:
        """The name, or one made up from the parent's, with the label that says so."""
        name = node.get("name")
        taken = self.taken.setdefault(kind, set())
        if name and name not in taken:
            taken.add(name)
            return name, None
        if name:
            raise node.fail(f"two elements <{node.tag}> are named {name!r}")
        while True:
            count = self.counts[stem] = self.counts.get(stem, -1) + 1
            made = f"{stem}_{count}"
            if made not in taken:
                taken.add(made)
                return made, ""


def read_bodies(root: Node, scene: Scene, settings: Settings, defaults: Defaults) -> None:
    """Fill the scene with the content of every worldbody. Iterative: chains of ten thousand bodies are real."""
    reader = _Reader(scene, settings, defaults, _scales(root, defaults))
    opened: list[_Open] = []
    stack: list[tuple[Node, str | None, str]] = [(node, None, MAIN) for node in reversed(root.children("worldbody"))]
    while stack:
        node, parent, childclass = stack.pop()
        childclass = node.get("childclass") or childclass
        if childclass not in defaults.classes:
            raise node.fail(f"<{node.tag}> names the default class {childclass!r}, which does not exist")
        body = _open(reader, node, parent, childclass)
        opened.append(body)
        stack.extend((child, body.name, childclass) for child in reversed(node.children("body")))
    extras = [body.node.rest() for body in reversed(opened)][::-1]
    for body, rest in zip(opened, extras, strict=True):
        if body.parent is None and WORLD in scene.graph and scene.body(WORLD) != Body(name=WORLD):
            body.geoms, body.frames = (*scene.body(WORLD).geoms, *body.geoms), (*scene.body(WORLD).frames, *body.frames)
            scene.graph.nodes[WORLD]["body"] = Body(name=WORLD)
        scene.add_body(
            Body(
                name=body.name,
                inertial=body.inertial,
                geoms=body.geoms,
                frames=body.frames,
                gravity=body.gravity,
                source=body.node.source,
                extras=rest,
            )
        )
        if body.parent is not None:
            name = body.dofs[0].name if len(body.dofs) == 1 else f"{'joint' if body.dofs else 'weld'}_{body.name}"
            scene.add_joint(
                Joint(
                    name=name,
                    parent=body.parent,
                    child=body.name,
                    pose=body.pose,
                    dofs=body.dofs,
                    source=body.node.source,
                )
            )


def _scales(root: Node, defaults: Defaults) -> dict[str, Vec3]:
    scales: dict[str, Vec3] = {}
    for section in root.children("asset"):
        for node in section.children("mesh"):
            scale = defaults.of(node).vector("scale", 3)
            if scale is not None:
                file = node.attrs.get("file", "")
                name = node.attrs.get("name") or file.rpartition("/")[2].rpartition(".")[0]
                scales[name] = (scale[0], scale[1], scale[2])
    return scales


def _open(reader: _Reader, node: Node, parent: str | None, childclass: str) -> _Open:
    if parent is None:
        name = WORLD
        pose, inertial, gravity = Pose(), None, 1.0
        dofs: tuple[Dof, ...] = ()
    else:
        name, _ = reader.name(node, "body", f"{parent}_body")
        if name == WORLD:
            raise node.fail("the name 'world' belongs to the world body")
        plain = Resolved(node, [], MAIN)
        pose = read_pose(plain, reader.settings)
        dofs = tuple(_read_joint(reader, joint, name, childclass) for joint in node.children("joint", "freejoint"))
        inertial = _read_inertial(reader, node)
        gravity = 1.0 - (node.number("gravcomp") or 0.0)
    massive = inertial is not None or parent is None
    geoms = tuple(_read_geom(reader, geom, name, childclass, massive) for geom in node.children("geom"))
    frames = tuple(_read_site(reader, site, name, childclass) for site in node.children("site"))
    return _Open(node, name, parent, pose, dofs, inertial, geoms, frames, gravity)


def _read_joint(reader: _Reader, node: Node, body: str, childclass: str) -> Dof:
    if node.tag == "freejoint":
        return Dof(name=reader.name(node, "joint", f"{body}_free")[0], kind=DofKind.FREE)
    element = reader.defaults.of(node, childclass)
    settings = reader.settings
    word = element.get("type") or "hinge"
    if word not in KINDS:
        raise node.fail(f"<joint type={word!r}> must be one of {', '.join(KINDS)}")
    kind = KINDS[word]
    name = reader.name(node, "joint", f"{body}_joint")[0]
    turning = kind is not DofKind.SLIDE
    values: dict[str, float] = {}
    curves: Parameters = ()
    for attribute, field, default in DOF_NUMBERS:
        given = element.vector(attribute)
        if given is not None:
            value = given[0]
            if len(given) > 1:  # a polynomial of the speed or the angle
                curves += ((attribute, element.get(attribute) or ""),)
            values[field] = settings.angle(value) if turning and attribute in ANGLES else value
        else:
            values[field] = default
    lower, upper, parameters = _range(element, settings, turning)
    parameters += curves
    force = element.vector("actuatorfrcrange", 2)
    if force is not None and -force[0] != force[1]:
        parameters += (("actuatorfrcrange", element.get("actuatorfrcrange") or ""),)
    axis: Vec3 = (0.0, 0.0, 1.0)
    if kind in (DofKind.HINGE, DofKind.SLIDE):
        axis = unit(node, "axis", element.triple("axis") or axis)
    anchor = element.triple("pos") if kind is not DofKind.FREE else None
    return Dof(
        name=name,
        kind=kind,
        axis=axis,
        anchor=anchor or (0.0, 0.0, 0.0),
        lower=lower,
        upper=upper,
        effort=max(map(abs, force)) if force is not None else None,
        parameters=parameters,
        **values,  # type: ignore[arg-type]
    )


def _range(element: Resolved, settings: Settings, turning: bool) -> tuple[float | None, float | None, Parameters]:
    """MuJoCo limits a joint whose range is not empty, unless it is told otherwise; then the range is a parameter."""
    given = element.vector("range", 2)
    limited = element.flag("limited")
    if given is None:
        return None, None, ()
    lower, upper = (settings.angle(value) for value in given) if turning else given
    if limited is None and settings.autolimits:
        if lower < upper:
            return (None if lower <= -FAR else lower, None if upper >= FAR else upper, ())
        return None, None, (("range", numbers((lower, upper))),)
    if limited:
        return lower, upper, ()
    return None, None, (("limited", "false"), ("range", numbers((lower, upper))))


def _read_inertial(reader: _Reader, body: Node) -> Inertial | None:
    node = body.child("inertial")
    if node is None:
        return None
    element = Resolved(node, [], MAIN)
    pos = element.triple("pos")
    mass = node.number("mass")
    if pos is None or mass is None:
        raise node.fail("<inertial> needs pos and mass")
    diagonal, full = element.triple("diaginertia"), node.vector("fullinertia", 6)
    if (diagonal is None) == (full is None):
        raise node.fail("<inertial> needs either diaginertia or fullinertia")
    xx, yy, zz, xy, xz, yz = full if full is not None else (*(diagonal or ()), 0.0, 0.0, 0.0)
    tensor: Tensor = (xx, yy, zz, xy, xz, yz)
    pose = Pose(pos, read_orientation(element, reader.settings))
    return Inertial(mass=mass, tensor=tensor, pose=pose)


def _weight(element: Resolved, massive: bool) -> tuple[float | None, float | None]:
    """Density and mass. Beside an inertial they say nothing, and stay where they are; a default of 0 says it itself."""
    if massive:
        for default in element.defaults:
            if default.attrs.get("density") == "0":
                default.get("density")
        return None, None
    density = element.number("density")
    return 1000.0 if density is None else density or None, element.number("mass")


def _read_geom(reader: _Reader, node: Node, body: str, childclass: str, massive: bool) -> Geom:
    """Masses of geoms count only in bodies without an inertial; a density of 0 says that there is none."""
    element = reader.defaults.of(node, childclass)
    contype, conaffinity, group = (element.number(name) for name in ("contype", "conaffinity", "group"))
    masks = (1 if contype is None else int(contype), 1 if conaffinity is None else int(conaffinity))
    shown = 0 if group is None else int(group)
    role = _role(masks, shown, element.class_name)
    natural = (0, 0) if role not in (Role.COLLISION, Role.BOTH) else (1, 1)
    density, mass = _weight(element, massive)
    name, label = reader.name(node, "geom", f"{body}_geom")
    material = element.get("material")
    if material is not None and material not in reader.scene.materials:
        raise node.fail(f"<geom> names the material {material!r}, which does not exist")
    shape, pose = _read_shape(reader, element)
    return Geom(
        name=name,
        label=label,
        role=role,
        shape=shape,
        pose=pose,
        material=material,
        surface=_read_surface(element, masks if masks != natural else None),
        density=density,
        mass=mass,
        group=None if shown == GROUPS.get(role, GROUPS[""]) else shown,
        source=node.source,
        extras=node.rest(),
    )


def _role(masks: tuple[int, int], group: int, class_name: str) -> str:
    """What collides is for collision, and seen too when its group is shown.

    What neither collides nor is shown has the role that its class names.
    """
    if masks != (0, 0):
        return Role.COLLISION if group >= GROUPS[Role.COLLISION] else Role.BOTH
    return class_name if group >= GROUPS[""] and class_name != MAIN else Role.VISUAL


def _read_surface(element: Resolved, masks: tuple[int, int] | None) -> Surface | None:
    friction = element.vector("friction")
    parameters = tuple(
        (name, value)
        for name in ("solref", "solimp", "condim", "priority", "margin", "gap")
        if (value := element.get(name)) is not None
    )
    if friction is None and masks is None and not parameters:
        return None
    values = dict(zip(("mu", "torsional", "rolling"), friction or (), strict=False))
    return Surface(
        category=masks[0] if masks else None,
        collide=masks[1] if masks else None,
        parameters=parameters,
        **values,  # type: ignore[arg-type]
    )


def _read_shape(reader: _Reader, element: Resolved) -> tuple[Shape | None, Pose]:
    """Full sizes; fromto gives length, place and direction, its z axis pointing from the second point to the first."""
    word = element.look("type") or "sphere"
    if word not in SHAPES:  # kept as it stands
        return None, read_pose(element, reader.settings)
    element.get("type")
    if word == "mesh":
        mesh = element.get("mesh") or ""
        if mesh not in reader.scene.assets:
            raise element.node.fail(f"<geom> names the mesh {mesh!r}, which does not exist")
        shape: Shape = Mesh(asset=mesh, scale=reader.scales.get(mesh, (1.0, 1.0, 1.0)))
        return shape, read_pose(element, reader.settings)
    a, b, c = element.leading("size", (0.0, 0.0, 0.0))
    ends = element.vector("fromto", 6) if word in ("capsule", "cylinder", "box", "ellipsoid") else None
    if ends is not None:
        pose, half = _between(ends)
        b, c = (half, c) if word in ("capsule", "cylinder") else (a, half)
    else:
        pose = read_pose(element, reader.settings)
    match word:
        case "sphere":
            shape = Sphere(radius=a)
        case "capsule":
            shape = Capsule(radius=a, length=2 * b)
        case "cylinder":
            shape = Cylinder(radius=a, length=2 * b)
        case "box":
            shape = Box(size=(2 * a, 2 * b, 2 * c))
        case "ellipsoid":
            shape = Ellipsoid(radii=(a, b, c))
        case _:
            shape = Plane(size=(2 * a, 2 * b), spacing=c or 1.0)
    return shape, pose


def _between(ends: tuple[float, ...]) -> tuple[Pose, float]:
    x, y, z = (ends[axis] - ends[axis + 3] for axis in range(3))
    middle = tuple((ends[axis] + ends[axis + 3]) / 2 for axis in range(3))
    return Pose((middle[0], middle[1], middle[2]), from_z_to((x, y, z))), (x * x + y * y + z * z) ** 0.5 / 2


def _read_site(reader: _Reader, node: Node, body: str, childclass: str) -> Frame:
    element = reader.defaults.of(node, childclass)
    name, label = reader.name(node, "site", f"{body}_site")
    pose = read_pose(element, reader.settings)
    return Frame(name=name, label=label, pose=pose, role="site", source=node.source, extras=node.rest())
