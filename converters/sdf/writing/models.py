"""Models with their links, joints and frames, as elements."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from converters.assets.solids import capsule_parts, solid
from converters.sdf.document.values import put, spare_name, write_pose
from converters.sdf.document.vocabulary import knows
from converters.sdf.models.following import write_drake, write_mimic
from converters.sdf.models.joints import type_of, write_armature, write_axis
from converters.sdf.parts.geoms import ROLES, Look, write_geom
from converters.sdf.parts.inertial import write_inertial
from converters.sdf.parts.lights import write_light
from converters.sdf.parts.sensors import write_sensor, write_view
from converters.sdf.parts.shapes import writable
from converters.sdf.tables import BARE, FORMAT, FRAMES, HULLS, MIMICS, PITCHES, UNNAMED, Version
from converters.sdf.writing.sheet import Sheet, survey_scene
from converters.source.text import inverse_text, turn_of
from converters.source.tree import Element, fragment, restore
from ir.names import Spares, unique
from ir.pose import compose, invert, joint_frame
from ir.scopes import DELIMITER, bare, join, of_frame, of_joint, within
from ir.types import (
    WORLD,
    Block,
    Body,
    Camera,
    Capsule,
    Dof,
    DofKind,
    Extra,
    Frame,
    Geom,
    HeightField,
    Joint,
    Light,
    Mesh,
    Role,
    Scope,
    Sensor,
    Shape,
)

PITCH = "thread_pitch"
"""The element for the pitch of a screw until 1.9."""


def write_scopes(top: Element, sheet: Sheet) -> None:
    """Append every model of the scene; top is the document, or the world."""
    survey_scene(sheet)
    world = sheet.scene.body(WORLD)
    if sheet.world:
        for frame, body in sheet.frames.get(None, ()):
            attached = {"attached_to": body.name} if body.name != WORLD else {}
            element = top.add("frame", {"name": frame.name, **attached})
            write_pose(element, frame.pose, version=sheet.version)
            restore(element, frame.extras, FORMAT)
        for light in world.lights:
            write_light(top, light, _name_of_author(light, sheet), sheet.version)
        for block in sheet.blocks.get("", ()) if sheet.native or not sheet.inhabited else ():
            _write_block(top, block)
    elements: dict[str, Element] = {}
    for path in sheet.scopes:
        scope = sheet.scopes[path]
        holder = top if path in sheet.apart else elements.get(scope.parent, top)
        if path == "" and sheet.world and not sheet.inhabited:
            elements[path] = top
            for joint in sheet.joints.get(path, ()):
                _write_joint(top, joint, path, sheet)
            continue
        own = sheet.name if path == "" else scope.label or path.rpartition(DELIMITER)[2]
        elements[path] = _write_model(holder, own, scope, sheet)
    if sheet.world and (world.geoms or world.cameras):
        _write_ground(top, world, sheet)


# --------------------------------------------------------------------------------------------------------------- models


def _write_model(holder: Element, name: str, scope: Scope, sheet: Sheet) -> Element:
    element = holder.add("model", {"name": name})
    path = scope.name
    _write_settings(element, name, scope, sheet)
    for body in sheet.bodies.get(path, ()):
        _write_link(element, body, path, sheet)
    for joint in sheet.joints.get(path, ()):
        _write_joint(element, joint, path, sheet)
    for frame, body in sheet.frames.get(path, ()) if sheet.version >= FRAMES else ():
        _write_frame(element, frame, body, path, sheet)
    if not sheet.world and path == "":
        for frame, _ in sheet.frames.get(None, ()):
            inside = compose(invert(sheet.places[path]), frame.pose)
            write_pose(element.add("frame", {"name": bare(frame.name, path)}), inside, version=sheet.version)
    if path or not sheet.world or not sheet.native:
        for block in sheet.blocks.get(path, ()):
            _write_block(element, block)
    restore(element, (each for each in scope.extras if not (sheet.older and _has_no_place(each))), FORMAT)
    return element


def _write_settings(model: Element, name: str, scope: Scope, sheet: Sheet) -> None:
    """Write the properties of a model, before its contents."""
    if scope.name == "" and sheet.world:
        model.attrs[BARE] = name
    if scope.canonical is not None and sheet.version >= FRAMES:
        model.attrs["canonical_link"] = bare(scope.canonical, scope.name)
    write_pose(model, scope.pose, version=sheet.version)
    inherited = scope.name and scope.parent in sheet.scopes and sheet.scopes[scope.parent].static
    if scope.static and not (inherited and _has_content(scope.name, sheet)):
        put(model, "static", True)
    if scope.self_collide is not None:
        put(model, "self_collide", scope.self_collide)


def _has_content(path: str, sheet: Sheet) -> bool:
    """Whether a model contains links or models: one without may only be empty if it is itself declared static."""
    return bool(sheet.bodies.get(path)) or any(each.name and each.parent == path for each in sheet.scopes.values())


def _write_frame(model: Element, frame: Frame, body: Body, path: str, sheet: Sheet) -> None:
    name = bare(frame.name, of_frame(frame, body, sheet.scene, sheet.scopes))
    if path and join(path, name) != frame.name:  # it comes from an enclosing model
        beside = (*(each for each, _ in sheet.frames[path] if each is not frame), *sheet.scopes.values())
        taken = {bare(each.name, path) for each in beside}
        name = unique(name, taken.union(each.attrs.get("name", "") for each in model.elements()))
    attached = {"attached_to": bare(body.name, path)} if body.name != WORLD else {}
    element = model.add("frame", {"name": name, **attached})
    pose = frame.pose if attached else compose(invert(sheet.places[path]), frame.pose)
    write_pose(element, pose, version=sheet.version)
    restore(element, frame.extras, FORMAT)


def _write_block(owner: Element, block: Block) -> None:
    for extra in block.extras:
        if extra.format == FORMAT and not extra.path:
            owner.content.append(fragment(extra.text))


# ---------------------------------------------------------------------------------------------------------------- links


def _write_link(model: Element, body: Body, path: str, sheet: Sheet) -> None:
    element = model.add("link", {"name": bare(body.name, path)})
    joint = sheet.scene.joint_of(body.name)
    told = joint is not None and joint.parent != WORLD and not sheet.native and sheet.version >= FRAMES
    if told and joint is not None and sheet.scene.body(joint.parent).scope == path:
        write_pose(element, joint.pose, sheet.version, bare(joint.parent, path))
    else:
        write_pose(element, sheet.inner[body.name], version=sheet.version)
    write_inertial(element, body.inertial, sheet.version)
    write_motion(element, body)
    _write_geoms(element, body.geoms, sheet)
    for light in body.lights:
        write_light(element, light, _name_of_author(light, sheet), sheet.version)
    used = Spares()
    for sensor in sheet.sensors.get(body.name, ()):
        if sensor.target not in sheet.scene.joints:
            felt = [name for geom in sensor.touching for name in sheet.collisions.get(geom, ())]
            write_sensor(element, sensor, _sensor_name(sensor, used, sheet), sheet.version, felt)
    _write_cameras(element, body, used, sheet)
    for block in sheet.blocks.get(body.name, ()):
        _write_block(element, block)
    restore(element, body.extras, FORMAT)


def _sensor_name(sensor: Sensor, used: Spares, sheet: Sheet) -> str:
    """Return the sensor's name: that of the source, made unique per link or joint if that is another format."""
    name = _name_of_author(sensor, sheet)
    return name if sheet.native else used.of(name)


def _name_of_author(item: Sensor | Light | Camera, sheet: Sheet) -> str:
    """Return the source's name for it, if SDFormat accepts that."""
    return item.label if item.label and (sheet.native or spare_name(item.label) == item.label) else item.name


def write_motion(link: Element, body: Body) -> None:
    """Append the properties of a link's motion, except for its inertia."""
    if body.gravity == 0.0:
        put(link, "gravity", False)
    if body.self_collide is not None:
        put(link, "self_collide", body.self_collide)
    if body.kinematic:
        put(link, "kinematic", True)
    if body.linear_damping is not None or body.angular_damping is not None:
        decay = link.add("velocity_decay")
        for tag, value in (("linear", body.linear_damping), ("angular", body.angular_damping)):
            if value is not None:
                put(decay, tag, value)


def _write_geoms(link: Element, geoms: tuple[Geom, ...], sheet: Sheet) -> None:
    used = {tag: Spares() for tag in ROLES}
    for geom in geoms:
        if _is_written(geom, sheet):
            parts = _write_geom(link, geom, used, sheet)
            if parts != [geom.name]:
                sheet.folds[geom.name] = parts


def _is_written(geom: Geom, sheet: Sheet) -> bool:
    known = _has_shape_or_stand_in(geom.shape, sheet) or (geom.shape is None and sheet.native)
    if geom.role not in (Role.VISUAL, Role.COLLISION, Role.BOTH) or not known:
        return False
    if not isinstance(geom.shape, (Mesh, HeightField)):
        return True
    # readers of SDF fail if the file is missing, which the audit reports; without an address it is never read
    asset = sheet.scene.assets[geom.shape.asset]
    unsaid = not asset.uri and f"asset/{asset.name}" not in sheet.scene.brought
    own = sheet.native and (unsaid or bool(sheet.addresses.files.address(asset.name)))
    return own or asset.file is not None


def _write_geom(link: Element, geom: Geom, used: Mapping[str, Spares], sheet: Sheet) -> list[str]:
    """Write a geom as a visual, a collision or parts of these; return their names. used has the names of each role."""
    roles = [role for role in ROLES.values() if geom.role in (role, Role.BOTH)]
    name = geom.label if sheet.native and geom.label else geom.name
    material = sheet.scene.look_of(geom)
    parts = []
    for role in roles:  # the files are asked for in the order in which they are read
        for wanted, written, uri in _written_forms(geom, name, sheet.addresses.geom(geom, role), sheet):
            free = used[role].of(wanted)
            own = wanted if sheet.native and geom.label else free  # duplicate names of the author are kept
            parts.append(sheet.taken.of(own))
            if role == Role.COLLISION:
                sheet.collisions.setdefault(geom.name, []).append(own)
            look = None
            if role == Role.VISUAL:
                look = Look(material, sheet.addresses.texture(material), sheet.addresses.maps(material))
            element = write_geom(link, _without_hull(written, role, sheet), own, uri, look, sheet.version)
            restore(element, (extra for extra in geom.extras if not _is_of_other_role(extra, role)), FORMAT)
    return parts


def _without_hull(geom: Geom, role: str, sheet: Sheet) -> Geom:
    """Return the geom without the hull of its mesh, if it comes from another format and the version has no attribute
    for a hull, or this is the visual of a geom whose hull collides."""
    shape, seen = geom.shape, (role, geom.role) == (Role.VISUAL, Role.BOTH)
    if isinstance(shape, Mesh) and shape.hull and not sheet.native and (seen or sheet.version < HULLS):
        return replace(geom, shape=replace(shape, hull=False))
    return geom


def _has_no_place(extra: Extra) -> bool:
    """Whether it is a link that has no pose, because its model has none by the rules of its own version."""
    return extra.path.startswith("link[") and "/" not in extra.path


def _is_of_other_role(extra: Extra, role: str) -> bool:
    """Whether the extra belongs to the other role: to the visual and not the collision, or vice versa."""
    step = extra.path.partition("/")[0].partition("[")[0]
    return not knows(role, step) and any(knows(other, step) for other in ROLES)


def _has_shape_or_stand_in(shape: Shape | None, sheet: Sheet) -> bool:
    """Whether this version has the shape, or shapes to be used instead."""
    standing = isinstance(shape, Capsule) or (solid(shape) is not None and bool(sheet.addresses.files.folder))
    return writable(shape, sheet.version) or standing


def _written_forms(geom: Geom, name: str, uri: str, sheet: Sheet) -> list[tuple[str, Geom, str]]:
    """Return the geom as (name, geom to write, URI of its mesh): if the version lacks its shape, a capsule becomes
    three geoms, and a cone or ellipsoid a mesh."""
    shape = geom.shape
    if shape is None or writable(shape, sheet.version):
        return [(name, geom, uri)]
    if isinstance(shape, Capsule):
        parts = capsule_parts(name, shape, geom.pose)
        return [(part, replace(geom, shape=other, pose=pose), "") for part, other, pose in parts]
    found = solid(shape)
    assert found is not None
    return [(name, replace(geom, shape=Mesh(asset="", scale=found[1])), sheet.addresses.files.made(found[0]))]


def _write_cameras(link: Element, body: Body, used: Spares, sheet: Sheet) -> None:
    """Write cameras as sensors, with names that no other sensor of the link has (used)."""
    for camera in body.cameras:
        write_view(link, used.of(_name_of_author(camera, sheet)), camera, sheet.version)
        sheet.origins["sensor/" + camera.name,] = ((f"body/{body.name}", "cameras", camera.name),)


def _write_ground(top: Element, world: Body, sheet: Sheet) -> None:
    """Write geoms and cameras of the world itself: a static model."""
    taken = {path.partition(DELIMITER)[0] for path in sheet.scopes} | {sheet.name}
    name = unique("ground", taken)
    model = top.add("model", {"name": name, BARE: UNNAMED})
    put(model, "static", True)
    sheet.ground = unique(name, sheet.scene.bodies)
    link = model.add("link", {"name": sheet.ground})
    write_inertial(link, None, sheet.version)
    _write_geoms(link, world.geoms, sheet)
    _write_cameras(link, world, Spares(), sheet)


# --------------------------------------------------------------------------------------------------------------- joints


def _write_joint(model: Element, joint: Joint, path: str, sheet: Sheet) -> None:
    kind = type_of(joint.dofs, True, sheet.types.get(joint.name)) or "fixed"
    element = model.add("joint", {"name": bare(joint.name, path), "type": kind})
    frame = joint_frame(joint)
    write_pose(element, frame, version=sheet.version)
    put(element, "parent", bare(joint.parent, path) if joint.parent != WORLD else WORLD)
    put(element, "child", bare(joint.child, path))
    for index, dof in enumerate(joint.dofs):
        if dof.kind is DofKind.BALL:
            if dof.damping:
                put(element.add("axis").add("dynamics"), "damping", dof.damping)
            continue
        tag = "axis" if index == 0 else "axis2"
        axis = write_axis(element, tag, dof, frame, bare(joint.child, path), sheet.version)
        leader = _leader_and_axis(dof, path, sheet)
        if dof.mimic is not None and leader is not None and sheet.version >= MIMICS:
            write_mimic(axis, dof.mimic, bare(leader[0], path), leader[1])
        if dof.kind is DofKind.SCREW:
            _write_pitch(element, dof, sheet.version)
    write_armature(element, joint)
    _write_follower(element, joint, path, sheet)
    used = Spares()
    for sensor in sheet.sensors.get(joint.name, ()):
        inside = replace(sensor, pose=compose(invert(frame), sensor.pose))
        write_sensor(element, inside, _sensor_name(sensor, used, sheet), sheet.version)
    for block in sheet.blocks.get(joint.name, ()):
        _write_block(element, block)
    said = element.find(PITCH) is not None  # the newer element takes precedence over the author's older one
    restore(element, [each for each in joint.extras if not (said and each.path.startswith(PITCH))], FORMAT)


def _write_follower(element: Element, joint: Joint, path: str, sheet: Sheet) -> None:
    """Write drake:mimic of a joint: not in a requested version without <mimic>."""
    if len(joint.dofs) != 1 or (sheet.older and sheet.version < MIMICS):
        return
    leader = _leader_and_axis(joint.dofs[0], path, sheet)
    if leader is not None and len(sheet.scene.joints[leader[0]].dofs) == 1:
        write_drake(element, joint, bare(leader[0], path))


def _leader_and_axis(dof: Dof, path: str, sheet: Sheet) -> tuple[str, str] | None:
    """Return the joint that a dof follows, and its axis; None if the model's joint cannot name it: it is outside the
    model or they follow each other (JOINT_AXIS_MIMIC_INVALID)."""
    leader = sheet.leaders.get(dof.mimic.dof) if dof.mimic is not None and dof.name not in sheet.circling else None
    if leader is None or not within(of_joint(sheet.scene.joints[leader[0]], sheet.scene, sheet.scopes), path):
        return None
    return leader


def _write_pitch(element: Element, dof: Dof, version: Version) -> None:
    pitch = dof.pitch or 0.0
    if version >= PITCHES:
        put(element, "screw_thread_pitch", turn_of(pitch))
    elif pitch:
        old = inverse_text(lambda old: -2 * math.pi / old / (2 * math.pi), pitch, -1 / pitch)
        put(element, PITCH, old)
