"""What writing a scene as models requires: poses of everything, and the contents of each model."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct, field

from converters.sdf.parts.sensors import KNOWN
from converters.sdf.tables import FORMAT, JOINTS, TYPES, Version
from converters.sdf.writing.files import Addresses
from ir.kinematics import circles
from ir.names import Spares
from ir.pose import compose, invert
from ir.scene import Origins, Scene
from ir.scopes import DELIMITER, of_frame, of_joint, within
from ir.types import IDENTITY, WORLD, Block, Body, Frame, Joint, Pose, Scope, Sensor


class Sheet(Struct):
    """What writing models requires to know of the whole scene, and the resulting folds."""

    scene: Scene
    addresses: Addresses
    version: Version
    native: bool
    world: bool
    """Whether the document is a world, which contains the models."""
    name: str
    """Name of the model with everything that is in no scope of its own."""
    older: bool
    """Whether the version is not that of the source: newer elements cannot be written."""
    chains: dict[str, list[str]] = field(default_factory=dict)
    folds: dict[str, list[str]] = field(default_factory=dict)
    collisions: dict[str, list[str]] = field(default_factory=dict)
    """Geom -> names of its collisions in its link."""
    origins: Origins = field(default_factory=dict)
    ground: str = ""
    """Name of the link with the geoms of the world itself; "" for none."""
    taken: Spares = field(default_factory=Spares)
    poses: dict[str, Pose] = field(default_factory=dict)
    inner: dict[str, Pose] = field(default_factory=dict)
    """Poses of bodies in the frame of their model, free of rounding by the model's own pose."""
    scopes: dict[str, Scope] = field(default_factory=dict)
    apart: set[str] = field(default_factory=set)
    """The models beside the one that the world is made around."""
    places: dict[str, Pose] = field(default_factory=dict)
    bodies: dict[str, list[Body]] = field(default_factory=dict)
    joints: dict[str, list[Joint]] = field(default_factory=dict)
    sensors: dict[str, list[Sensor]] = field(default_factory=dict)
    blocks: dict[str, list[Block]] = field(default_factory=dict)
    circling: set[str] = field(default_factory=set)
    """Dofs that follow each other in a circle, which SDFormat refuses."""
    leaders: dict[str, tuple[str, str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """Types of two-axis joints, as in the source."""
    frames: dict[str | None, list[tuple[Frame, Body]]] = field(default_factory=dict)
    """Frames of each model; under None those of the world that belong to no model."""

    @property
    def inhabited(self) -> bool:
        """Whether the outermost model has links, or joints if the source is another format: a world is written around
        it."""
        return bool(self.bodies.get("") or (self.joints.get("") and not self.native))


def survey_scene(sheet: Sheet) -> None:
    """Compute poses and the contents of each model."""
    _find_poses(sheet)
    _nest_models(sheet)
    sheet.apart = _models_beside(sheet)
    _find_poses_in_models(sheet)
    _share_contents(sheet)


def _find_poses(sheet: Sheet) -> None:
    for joint, body in sheet.scene.walk():
        pose = joint.pose if joint is not None else IDENTITY
        if joint is not None and joint.parent != WORLD:
            pose = compose(sheet.poses[joint.parent], pose)
        sheet.poses[body.name] = pose if body.name != WORLD else IDENTITY


def _find_poses_in_models(sheet: Sheet) -> None:
    for joint, body in sheet.scene.walk():
        if body.name == WORLD:
            continue
        beside = joint is not None and joint.parent != WORLD and sheet.scene.body(joint.parent).scope == body.scope
        if joint is not None and beside:
            sheet.inner[body.name] = compose(sheet.inner[joint.parent], joint.pose)
        else:
            sheet.inner[body.name] = inside(sheet.places[body.scope], sheet.poses[body.name])


def inside(scope: Pose, pose: Pose) -> Pose:
    """Return a pose in the frame of a model; both are given in the world."""
    if pose == scope:
        return IDENTITY
    return pose if scope == IDENTITY else compose(invert(scope), pose)


def _nest_models(sheet: Sheet) -> None:
    """Collect the models in reading order, including those known only from the path of a body."""
    scopes: dict[str, Scope] = dict(sheet.scene.tables["scope"])
    for body in sheet.scene.bodies.values():
        path = body.scope
        missing = []
        while path and path not in scopes:
            missing.append(path)
            path = path.rpartition(DELIMITER)[0]
        for name in reversed(missing):
            scopes[name] = Scope(name=name, parent=name.rpartition(DELIMITER)[0])
    if "" not in scopes:
        scopes = {"": Scope(name=""), **scopes}
    same = sheet.native and not sheet.older
    sheet.scopes = _in_reading_order(scopes if same else _without_empty_models(scopes, sheet.scene))
    for path, scope in sheet.scopes.items():
        above = sheet.places.get(scope.parent, IDENTITY) if path else IDENTITY
        sheet.places[path] = compose(above, scope.pose) if scope.pose != IDENTITY else above


def _without_empty_models(scopes: Mapping[str, Scope], scene: Scene) -> dict[str, Scope]:
    """Return the models without non-static ones that contain no link: no reader of SDFormat accepts these."""
    kept = {body.scope for body in scene.bodies.values()} | {path for path, scope in scopes.items() if scope.static}
    for path in [*kept]:
        while path in scopes and (path := scopes[path].parent):
            kept.add(path)
    return {path: scope for path, scope in scopes.items() if not path or path in kept}


def _in_reading_order(scopes: Mapping[str, Scope]) -> dict[str, Scope]:
    """Return the models in depth-first order, parents first."""
    inside: dict[str, list[str]] = {}
    for path, scope in scopes.items():
        if path:
            inside.setdefault(scope.parent if scope.parent in scopes else "", []).append(path)
    order, stack = dict[str, Scope](), [""]
    while stack:
        path = stack.pop()
        order[path] = scopes[path]
        stack.extend(reversed(inside.get(path, ())))
    return order


def _models_beside(sheet: Sheet) -> set[str]:
    """Return the models beside the one that the world is made around: they were edited into such a world, and no joint
    attaches them to anything outside."""
    if sheet.native or not sheet.world or sheet.places[""] != IDENTITY:
        return set()
    tops: dict[str, str] = {}
    for path, scope in sheet.scopes.items():  # outer models come first
        tops[path] = tops.get(scope.parent) or path
    scene, joints = sheet.scene, sheet.scene.joints.values()
    ends = [
        [tops.get(scene.body(end).scope, "") for end in (joint.parent, joint.child)]
        for joint in joints
        if joint.parent != WORLD
    ]
    ends += [
        ["", tops.get(scene.body(joint.child).scope, "")] for joint in joints if _is_in_outermost_model(joint, sheet)
    ]
    tied = {top for pair in ends if pair[0] != pair[1] for top in pair}
    return {*tops.values()} - tied - {""}


def _is_in_outermost_model(joint: Joint, sheet: Sheet) -> bool:
    """Whether a joint is written in the outermost model."""
    return not _is_implied(joint, sheet) and not of_joint(joint, sheet.scene, sheet.scopes)


def _share_contents(sheet: Sheet) -> None:
    """Assign bodies, frames and joints to models, and sensors and blocks to their owners."""
    scene = sheet.scene
    for body in scene.bodies.values():
        if body.name != WORLD:
            sheet.bodies.setdefault(body.scope, []).append(body)
    sheet.circling.update(name for circle in circles(scene) for name in circle)
    sheet.types |= json.loads(scene.notation.get(TYPES, "{}"))
    for joint in _joints_in_order(scene):
        for index, dof in enumerate(joint.dofs):
            sheet.leaders[dof.name] = (joint.name, "axis" if index == 0 else "axis2")
        if not _is_implied(joint, sheet):
            sheet.joints.setdefault(of_joint(joint, scene, sheet.scopes), []).append(joint)
    for body in scene.bodies.values():
        for frame in body.frames:
            sheet.frames.setdefault(_scope_of_frame(frame, body, sheet), []).append((frame, body))
    for sensor in scene.tables["sensor"].values():
        holder = sensor.target if sensor.target in scene.joints else sensor.body
        if holder is not None and (sheet.native or sensor.kind in KNOWN or not sensor.kind):
            sheet.sensors.setdefault(holder, []).append(sensor)
    for block in scene.tables["block"].values():
        if block.dialect == FORMAT:
            sheet.blocks.setdefault(block.target, []).append(block)


def _joints_in_order(scene: Scene) -> list[Joint]:
    """Return the joints in document order; new ones last."""
    order: dict[str, int] = {name: place for place, name in enumerate(json.loads(scene.notation.get(JOINTS, "[]")))}
    return sorted(scene.joints.values(), key=lambda joint: order.get(joint.name, len(order)))


def _is_implied(joint: Joint, sheet: Sheet) -> bool:
    """Whether a root joint is implicit in SDFormat: free, or a weld because its model is static."""
    if joint.parent != WORLD:
        return False
    if joint.free:
        return True
    scope = sheet.scopes.get(sheet.scene.body(joint.child).scope)
    return not joint.dofs and scope is not None and scope.static and joint.name.endswith("_weld")


def _scope_of_frame(frame: Frame, body: Body, sheet: Sheet) -> str | None:
    """Return the model of a frame; None if it belongs to the world."""
    path = of_frame(frame, body, sheet.scene, sheet.scopes)
    made = sheet.inhabited and not sheet.native
    if body.name == WORLD:
        return path or None
    if path or not sheet.world or not body.scope:
        return body.scope if sheet.version < (1, 8) and sheet.older else path
    if DELIMITER in frame.name or sheet.version < (1, 8):
        return body.scope
    return path if made and not any(within(body.scope, model) for model in sheet.apart) else None
