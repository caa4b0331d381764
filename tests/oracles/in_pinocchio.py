"""URDF as Pinocchio reads it: forward kinematics and the joint-space mass matrix, by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pinocchio as pin

Coordinates = Mapping[str, tuple[float, ...]]
"""Joint -> (q,) of a hinge or slide, (x, y, angle) of a planar, (x, y, z, qx, qy, qz, qw) of a floating joint."""


def pinocchio_model(urdf: Path, free: str = "") -> pin.Model:
    """Return the model with its root welded, or on a free joint of that name; mimic joints are independent. Raises
    ValueError if Pinocchio refuses it."""
    if free:
        return pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer(), free)
    return pin.buildModelFromUrdf(str(urdf))


def reads(urdf: Path) -> str | None:
    """Return None, or why Pinocchio cannot read the file."""
    try:
        pinocchio_model(urdf)
    except Exception as error:  # Pinocchio has exceptions of several kinds
        return str(error).strip() or type(error).__name__
    return None


def configuration(model: pin.Model, coordinates: Coordinates) -> np.ndarray:
    q = pin.neutral(model)
    for name, values in coordinates.items():
        joint = model.joints[model.getJointId(name)]
        start = joint.idx_q
        if joint.nq == 1:
            q[start] = values[0]
        elif joint.nq == 2:
            q[start : start + 2] = math.cos(values[0]), math.sin(values[0])
        elif joint.nq == 4:
            q[start : start + 4] = values[0], values[1], math.cos(values[2]), math.sin(values[2])
        else:
            q[start : start + 7] = values
    return q


class _Last:
    """The last model, with its data, whose creation takes seconds for 600 joints."""

    model: pin.Model | None = None
    data: pin.Data | None = None


def _data(model: pin.Model) -> pin.Data:
    if _Last.model is not model:
        _Last.model, _Last.data = model, model.createData()
    return _Last.data


def link_poses(model: pin.Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """Return the 4x4 pose of every link relative to the root."""
    data = _data(model)
    pin.framesForwardKinematics(model, data, q)
    return {
        frame.name: data.oMf[index].homogeneous
        for index, frame in enumerate(model.frames)
        if frame.type == pin.FrameType.BODY and frame.name != "universe"
    }


def mass_matrix(model: pin.Model, q: np.ndarray) -> np.ndarray:
    data = _data(model)
    upper = np.triu(pin.crba(model, data, q))
    return upper + np.triu(upper, 1).T
