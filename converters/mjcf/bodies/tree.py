"""The body tree of an MJCF model."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from converters.faults import sure
from converters.mjcf.bodies.containers import class_of, elements_of_body, keep_models, name_attached
from converters.mjcf.bodies.geoms import read_geom, read_site
from converters.mjcf.bodies.joints import read_joint
from converters.mjcf.bodies.views import read_camera, read_light
from converters.mjcf.document.attributes import pose_attributes
from converters.mjcf.document.compiler import FORMS, aligns_free, inertial_settings, read_orientation, read_pose
from converters.mjcf.document.copies import copy_name
from converters.mjcf.document.defaults import MAIN, Resolved
from converters.mjcf.document.loading import MjcfLoading, Nesting, Part
from converters.mjcf.document.scaling import sized_pose
from converters.mjcf.tables import FLEX
from converters.source.shadow import shadow
from converters.source.tree import fragment, serialise
from converters.source.xml import Node
from ir.names import Spares, unique
from ir.pose import compose
from ir.types import (
    IDENTITY,
    WORLD,
    Body,
    Camera,
    Dof,
    DofKind,
    Extra,
    Frame,
    Geom,
    Inertial,
    Joint,
    Light,
    Mesh,
    Parameters,
    Pose,
    Tensor,
)

TURNED = frozenset(FORMS) - {"quat"}
"""Attributes that give an orientation by axes, or depending on <compiler>."""


class _Open(Struct):
    """A body whose content has been read and whose extras are pending: children are completed first."""

    nodes: list[Node]
    part: Part
    name: str
    label: str | None
    parent: str | None
    pose: Pose = IDENTITY
    dofs: list[Dof] = field(default_factory=list)
    inertial: Inertial | None = None
    geoms: list[Geom] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    gravity: float = 1.0
    kinematic: bool = False
    soft: list[Extra] = field(default_factory=list)
    """Each <flexcomp> in the body; index: the number of bodies and flexcomps before it."""
    places: dict[str, Nesting] = field(default_factory=dict)
    """Places of cameras and lights, by name."""


def read_bodies(loading: MjcfLoading, part: Part) -> dict[str, dict[str, str]]:
    """Add the content of every worldbody; return the bodies whose <compiler> differs from that of the model.

    Iterative, because chains of ten thousand bodies occur.
    """
    name_attached(loading, part)
    worlds = part.root.children("worldbody")
    world = _Open(worlds, part, WORLD, None, None)
    opened: list[_Open] = []
    place = Nesting(IDENTITY, MAIN, "", part)
    stack = [item for node in worlds for item in _read_contents(loading, world, node, place)][::-1]
    while stack:
        node, here, parent = stack.pop()
        body = _open_body(loading, node, here, parent)
        opened.append(body)
        inside = here._replace(pose=IDENTITY, childclass=class_of(node, here))
        stack += reversed(_read_contents(loading, body, node, inside))
    keep_models(loading, part.root)
    loading.parts.sort(key=lambda each: each.way)
    for body in opened:
        node = body.nodes[0]
        if body.parent == WORLD and not body.dofs and node.attrs.get("mocap") == "true":  # elsewhere MuJoCo refuses it
            body.kinematic = node.get("mocap") == "true"
    _tell_aligned(loading, opened)
    for body in reversed(opened):
        loading.rest(body.nodes[0])
    spares = Spares(loading.taken.get("joint", ()))
    for body in (world, *opened):
        _add(loading, body, spares)
    return _compilers(part, opened)


def _tell_aligned(loading: MjcfLoading, opened: list[_Open]) -> None:
    """Report free bodies without children whose frame MuJoCo aligns with their inertia (align, alignfree)."""
    parents = {body.parent for body in opened}
    for body in opened:
        if body.name in parents or [dof.kind for dof in body.dofs] != [DofKind.FREE]:
            continue
        said = dict(body.dofs[0].parameters).get("align", "auto")
        if (aligns_free(body.part.root) if said == "auto" else said == "true") and not _is_in_frame_of_inertia(body):
            loading.context.note(
                "mjcf/free-frame",
                f"body/{body.name}",
                "MuJoCo moves the frame of this body to its centre of mass and principal axes (align, alignfree): "
                "keyframes, anchors and sensors are relative to that; here they are relative to the frame as "
                "written",
                body.nodes[0].source,
                action="approximated",
                elsewhere=True,
            )


def _is_in_frame_of_inertia(body: _Open) -> bool:
    """Whether the written frame is that of the inertia."""
    weighing = [body.inertial] if body.inertial is not None and not body.part.settings.from_geoms else body.geoms
    return len(weighing) == 1 and weighing[0].pose == IDENTITY and not _axes_may_differ(weighing[0])


def _axes_may_differ(weight: Inertial | Geom) -> bool:
    """Whether its principal axes may differ from those of its frame."""
    return isinstance(weight.shape, Mesh) if isinstance(weight, Geom) else any(weight.tensor[3:])


def _compilers(part: Part, opened: list[_Open]) -> dict[str, dict[str, str]]:
    own = inertial_settings(part.root)
    found = {part.root: own}
    for body in opened:
        if body.part.root not in found:
            found[body.part.root] = inertial_settings(body.part.root)
    return {body.name: found[body.part.root] for body in opened if found[body.part.root] != own}


def _add(loading: MjcfLoading, body: _Open, spares: Spares) -> None:
    scene = loading.scene
    scene.add_body(
        Body(
            name=body.name,
            label=body.label,
            inertial=body.inertial,
            geoms=tuple(body.geoms),
            frames=tuple(body.frames),
            cameras=tuple(replace(each, parameters=_view_parameters(loading, body, each)) for each in body.cameras),
            lights=tuple(replace(each, parameters=_view_parameters(loading, body, each)) for each in body.lights),
            gravity=body.gravity,
            kinematic=body.kinematic,
            source=body.nodes[0].source if body.nodes else None,
            extras=(*(extra for node in body.nodes for extra in loading.rest(node)), *_flexcomp_extras(body)),
        )
    )
    if body.parent is None:
        return
    made = f"{'joint' if body.dofs else 'weld'}_{body.name}"
    name = body.dofs[0].name if len(body.dofs) == 1 else spares.of(made)
    scene.add_joint(
        Joint(
            name=name,
            parent=body.parent,
            child=body.name,
            pose=body.pose,
            dofs=tuple(body.dofs),
            source=body.nodes[0].source,
        )
    )


def _plain_extra(node: Node, place: Nesting) -> Extra:
    """Return the element as an extra of its body: not in a frame, posed by pos and quat, with names of the whole model.

    The caller sets its index among siblings; the element is not marked as read.
    """
    extra = node.whole()
    pose = read_pose(Resolved(shadow(node), [], MAIN), place.part.settings)
    if place.size is None:
        pose = place.inside(pose)
    else:  # MuJoCo scales neither the element nor, for it, the frames around it
        above = node.parent
        while above is not None and above.tag in ("frame", "replicate"):
            if above.tag == "frame":
                pose = compose(read_pose(Resolved(shadow(above), [], MAIN), place.part.settings), pose)
            above = above.parent
    names = {name: f"{place.part.prefix}{text}" for name, text in node.attrs.items() if name == "name" and text}
    names |= {name: place.part.called(name, text) for name, text in node.attrs.items() if name == "material"}
    if place.pose is IDENTITY and names.items() <= node.attrs.items() and not TURNED & node.attrs.keys():
        return extra
    element = fragment(extra.text)
    kept = {name: text for name, text in element.attrs.items() if name not in ("pos", *FORMS)}
    element.attrs = kept | names | pose_attributes(pose)
    return replace(extra, text=serialise(element))


def _flexcomp_extras(body: _Open) -> list[Extra]:
    """Return each <flexcomp>, with an index after all leaf elements of the body."""
    leaves = len([*body.dofs, *body.geoms, *body.frames, *body.cameras, *body.lights]) + (body.inertial is not None)
    return [replace(extra, index=leaves + extra.index) for extra in body.soft]


def _view_parameters(loading: MjcfLoading, body: _Open, view: Camera | Light) -> Parameters:
    """Return the parameters of a camera or light; its target body may be one of an attached model, or a copy."""
    place = body.places[view.name]
    return tuple(
        (
            name,
            copy_name(loading, place, "body", text)
            if name == "target" and text != WORLD
            else place.part.called(name, text),
        )
        for name, text in view.parameters
    )


def _open_body(loading: MjcfLoading, node: Node, place: Nesting, parent: str) -> _Open:
    node.visit()
    name, label = loading.name(node, f"{parent}_body", place)
    if name == WORLD:
        node.wrong("name", "the name 'world' belongs to the world body", "NAME-RESERVED")
        name = unique(name, loading.taken.setdefault("body given", set()))
        loading.taken["body given"].add(name)
    pose = place.inside(sized_pose(read_pose(Resolved(node, [], MAIN), place.part.settings), place.size))
    gravity = 1.0 - (node.number("gravcomp") or 0.0)
    return _Open([node], place.part, name, label, parent, pose=pose, gravity=gravity)


def _read_contents(loading: MjcfLoading, body: _Open, node: Node, place: Nesting) -> list[tuple[Node, Nesting, str]]:
    """Read the content of a body; return the bodies in it as (node, place, parent)."""
    children = []
    items = elements_of_body(loading, node, place)
    own = (item for item in items if item[1].copy == place.copy)  # MuJoCo does not replicate an <inertial>
    inertial = next((item for item in own if item[0].tag == "inertial"), None)
    if inertial is not None and body.parent is not None:
        body.inertial = inertial[0].attempt(_read_inertial, *inertial)
    massive = body.inertial is not None or body.parent is None
    for child, here in items:
        match child.tag:
            case "body":
                children.append((child, here, body.name))
            case "joint" | "freejoint" if body.parent is not None:
                body.dofs.append(read_joint(loading, child, body.name, here))
            case "geom":
                body.geoms.append(read_geom(loading, child, body.name, massive, here))
            case "site":
                body.frames.append(read_site(loading, child, body.name, here))
            case "flexcomp" if not here.copy:
                before = len(children) + len(body.soft)
                body.soft.append(replace(_plain_extra(child, here), path=f"{FLEX}[{len(body.soft) + 1}]", index=before))
            case "camera":
                element, (name, label) = _named_element(loading, child, body, here)
                body.cameras.append(read_camera(element, name, label, here.part.settings, here.pose))
            case "light":
                element, (name, label) = _named_element(loading, child, body, here)
                body.lights.append(read_light(element, name, label, here.pose))
    return children


def _named_element(
    loading: MjcfLoading, node: Node, body: _Open, place: Nesting
) -> tuple[Resolved, tuple[str, str | None]]:
    name = loading.name(node, f"{body.name}_{node.tag}", place)
    body.places[name[0]] = place
    return place.part.defaults.of(node.visit(), place.childclass), name


def _read_inertial(node: Node, place: Nesting) -> Inertial:
    node.visit()
    element = Resolved(node, [], MAIN)
    pos = element.triple("pos")
    mass = node.number("mass")
    diagonal, full = element.triple("diaginertia"), node.vector("fullinertia", 6)
    if not {"pos", "mass"} <= node.attrs.keys():
        node.refuse("<inertial> needs pos and mass", "XML-REQUIRED")
    if diagonal is not None and full is not None:
        node.refuse("<inertial> needs either diaginertia or fullinertia", "XML-ONE-OF")
    pos, mass = sure(pos), sure(mass)
    xx, yy, zz, xy, xz, yz = full if full is not None else (*(diagonal or (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0)
    tensor: Tensor = (xx, yy, zz, xy, xz, yz)
    pose = place.inside(Pose(pos, read_orientation(element, place.part.settings)))
    return Inertial(mass=mass, tensor=tensor, pose=pose)
