"""Data of the page besides its meshes: bodies, joints, poses and motions as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from converters.source.text import six_digits
from ir.inertia import principal, valid
from ir.pose import compose
from ir.scene import Scene
from ir.types import Body, Dof, Geom, Inertial, Joint, Mesh, Pose, Shape

if TYPE_CHECKING:
    from converters.posing import Clip

DIGITS = 9
"""Significant digits of a sample of a motion."""


def model(scene: Scene, start: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Return the graph in the form that web/src/types.d.ts describes. SI units, radians, quaternions w x y z.

    start gives the initial coordinates of every dof.
    """
    bodies = [body for _, body in scene.walk()]
    number = {body.name: index for index, body in enumerate(bodies)}
    joints = list(scene.joints.values())
    holder = {joint.name: index for index, joint in enumerate(joints)}
    files = {name: asset.uri for name, asset in scene.assets.items() if asset.file is None and not asset.made}
    return {
        "name": scene.name,
        "bodies": [_body(body, files) for body in bodies],
        "joints": [_joint(joint, number) for joint in joints],
        "order": [[holder[joint.name] if joint is not None else -1, number[body.name]] for joint, body in scene.walk()],
        "constraints": [
            {
                "name": each.name,
                "kind": type(each.spec).__name__,
                "first": number[each.parent],
                "second": number[each.child],
            }
            for each in scene.constraints.values()
        ],
        "start": {name: list(value) for name, value in start.items()},
    }


def poses(clips: Iterable[Clip], prefix: str) -> list[dict[str, Any]]:
    """Return static clips as named configurations."""
    return [
        {
            "name": clip.name.removeprefix(prefix),
            "values": {name: track[0].tolist() for name, track in clip.positions.items()},
        }
        for clip in clips
    ]


def motions(clips: Iterable[Clip], scene: Scene) -> list[dict[str, Any]]:
    """Return clips as rows of numbers for the dofs that do not mimic others; a constant track has a single sample."""
    leading = {name for name, (_, dof) in scene.dofs().items() if dof.mimic is None}
    return [
        {
            "name": clip.name,
            "times": [_short(value) for value in clip.times.tolist()],
            "tracks": {
                name: [
                    [_short(number) for number in sample]
                    for sample in (track[:1] if (track == track[0]).all() else track).tolist()
                ]
                for name, track in clip.positions.items()
                if name in leading
            },
        }
        for clip in clips
    ]


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _body(body: Body, files: Mapping[str, str]) -> dict[str, Any]:
    said: dict[str, Any] = {"name": body.name, "geoms": [_geom(geom, files) for geom in body.geoms]}
    if body.inertial is not None:
        said["inertial"] = _inertial(body.inertial)
    if body.frames:
        said["frames"] = [{"name": frame.name, **_pose(frame.pose)} for frame in body.frames]
    return said


def _inertial(inertial: Inertial) -> dict[str, Any]:
    """Return mass, centre of mass and, if the tensor is physically valid, the box of the same mass and inertia."""
    said: dict[str, Any] = {
        "mass": _number(inertial.mass),
        "tensor": [_number(value) for value in inertial.tensor],
        **_pose(inertial.pose),
    }
    if inertial.mass > 0.0 and all(map(math.isfinite, inertial.tensor)) and valid(inertial.tensor):
        turn, (x, y, z) = principal(inertial.tensor)
        edges = [math.sqrt(max(0.0, 6.0 * each / inertial.mass)) for each in (y + z - x, x + z - y, x + y - z)]
        if all(map(math.isfinite, edges)):
            box = compose(inertial.pose, Pose((0.0, 0.0, 0.0), turn))
            said["box"] = {"size": edges, "rotation": list(box.rot)}
    return said


def _geom(geom: Geom, files: Mapping[str, str]) -> dict[str, Any]:
    said: dict[str, Any] = {"name": geom.name, "role": str(geom.role), "shape": _shape(geom.shape)}
    if geom.material is not None:
        said["material"] = geom.material
    if isinstance(geom.shape, Mesh) and geom.shape.asset in files:
        said["missing"] = files[geom.shape.asset]
    return said


def _shape(shape: Shape | None) -> str:
    """Return a description of a shape: its kind and all its values."""
    if shape is None:
        return "nothing"
    parts = []
    for name in shape.__struct_fields__:
        value = getattr(shape, name)
        if value is None or value == () or (name in ("points", "heights") and len(value) > 8):
            continue
        if isinstance(value, float):
            parts.append(f"{name} {value:.6g}")
        elif isinstance(value, tuple) and all(isinstance(each, float) for each in value):
            parts.append(f"{name} {six_digits(value)}")
        elif isinstance(value, str) and value:
            parts.append(f"{name} {value}")
    return " ".join([type(shape).__name__.lower(), ", ".join(parts)]).strip()


def _joint(joint: Joint, number: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": joint.name,
        "parent": number[joint.parent],
        "child": number[joint.child],
        **_pose(joint.pose),
        "dofs": [_dof(dof) for dof in joint.dofs],
        **({"loop": True} if joint.closes_loop else {}),
    }


def _dof(dof: Dof) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": dof.name,
        "kind": dof.kind.value,
        "axis": list(dof.axis),
        "anchor": list(dof.anchor),
        "lower": _number(dof.lower),
        "upper": _number(dof.upper),
        "zero": dof.zero,
        "pitch": dof.pitch or 0.0,
    }
    if dof.mimic is not None:
        mimic = dof.mimic
        said["mimic"] = {
            "dof": mimic.dof,
            "multiplier": mimic.multiplier,
            "offset": mimic.offset,
            "reference": mimic.reference,
        }
    more = {name: _number(getattr(dof, name)) for name in ("effort", "velocity", "damping", "friction", "armature")}
    return said | {name: value for name, value in more.items() if value}


def _pose(pose: Pose) -> dict[str, Any]:
    return {"pos": list(pose.pos), "rot": list(pose.rot)}


def _number(value: float | None) -> float | None:
    """Return None for infinity, which JSON does not have; in the graph it means no limit."""
    return value if value is not None and math.isfinite(value) else None
