"""Small SDF documents, and what engines read from them and from their conversions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from converters.context import Options
from converters.convert import convert
from converters.report.model import Report, Severity
from tests.files import saved
from tests.oracles import in_mujoco, in_pinocchio
from tests.oracles.in_drake import drake_reads
from tests.oracles.in_sdformat import sdformat_reads
from tests.oracles.plain_urdf import gazebo_place
from tests.reports import explained

Values = Mapping[str, float]
BOX = "<geometry><box><size>1 2 3</size></box></geometry>"


def sdf(body: str, version: str = "1.9", attrs: str = "") -> str:
    """Return a document with one model `m`, with the body on lines of its own."""
    return f'<sdf version="{version}">\n<model name="m"{attrs}>\n{body}\n</model>\n</sdf>\n'


def link(name: str, pose: str = "", inner: str = "", relative_to: str = "") -> str:
    frame = f' relative_to="{relative_to}"' if relative_to else ""
    placed = f"<pose{frame}>{pose}</pose>" if pose or frame else ""
    return f'<link name="{name}">{placed}{inner}</link>\n'


def joint(
    name: str, parent: str, child: str, inner: str = "<axis><xyz>0 0 1</xyz></axis>", kind: str = "revolute"
) -> str:
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{inner}</joint>\n'


def axis(xyz: str = "0 0 1", inner: str = "", attrs: str = "", tag: str = "axis") -> str:
    return f"<{tag}><xyz{attrs}>{xyz}</xyz>{inner}</{tag}>"


def limit(lower: float | str, upper: float | str, inner: str = "") -> str:
    return f"<limit><lower>{lower}</lower><upper>{upper}</upper>{inner}</limit>"


def put(folder: Path, text: str, name: str = "source.sdf") -> Path:
    return saved(folder / name, text)


def converted(folder: Path, source: Path | str, name: str, options: Options | None = None) -> tuple[Report, Path]:
    """Convert a text or a file into folder/name. Nothing may be unexplained."""
    path = source if isinstance(source, Path) else put(folder, source)
    report = convert(path, folder / name, options=options)
    explained(report)
    return report, folder / name


def rules(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def faults(report: Report) -> list[str]:
    """Return the rules of the errors in a report, one per occurrence."""
    return sorted(
        finding.rule for finding in report.findings if finding.severity is Severity.ERROR for _ in range(finding.count)
    )


def xml(path: Path) -> etree._Element:
    return etree.fromstring(path.read_bytes(), etree.XMLParser(recover=True))


def number(element: etree._Element | None) -> float:
    assert element is not None and element.text
    return float(element.text)


def matrix(pose: Sequence[float]) -> np.ndarray:
    """Return the 4x4 matrix of the seven numbers that libsdformat gives for a pose."""
    whole = np.eye(4)
    whole[:3, :3] = in_mujoco.matrix(np.array(pose[3:]))
    whole[:3, 3] = pose[:3]
    return whole


def in_urdf(path: Path, q: Values) -> dict[str, np.ndarray]:
    """Return the poses of the links by Pinocchio, placed where the <gazebo> block puts the root."""
    model = in_pinocchio.pinocchio_model(path)
    values = {name: (value,) for name, value in q.items() if model.existJointName(name)}
    found = in_pinocchio.link_poses(model, in_pinocchio.configuration(model, values))
    return {name: gazebo_place(path) @ pose for name, pose in found.items()}


def in_mjcf(path: Path, q: Values) -> dict[str, np.ndarray]:
    """Return the poses of the bodies and sites by MuJoCo."""
    model = in_mujoco.mujoco_model(path)
    data = mujoco.MjData(model)
    for name, value in q.items():
        data.joint(name).qpos[0] = value
    found = {model.body(index).name: pose for index, pose in enumerate(in_mujoco.poses(model, data))}
    for index in range(model.nsite):
        at = np.eye(4)
        at[:3, :3], at[:3, 3] = data.site_xmat[index].reshape(3, 3), data.site_xpos[index]
        found[model.site(index).name] = at
    return found


def seen(path: Path, *folders: Path) -> dict[str, Any]:
    """Return what libsdformat reads from a file that it accepts."""
    found = sdformat_reads(path, folders)
    assert found["errors"] == []
    return found


def codes(path: Path, *folders: Path) -> set[int]:
    """Return the numbers of the errors of libsdformat 12."""
    return {error["code"] for error in sdformat_reads(path, folders)["errors"]}


def same_motion(
    folder: Path, source: Path, joints: Sequence[str], targets: Sequence[str] = ("urdf", "xml", "sdf"), samples: int = 4
) -> None:
    """Check that links move in Drake as those of each target do in Pinocchio, MuJoCo or Drake."""
    generator = np.random.default_rng(20)
    at = [{name: float(generator.uniform(-1, 1)) for name in joints} for _ in range(samples)]
    expected = [answer["bodies"] for answer in drake_reads(source, at=at)["at"]]
    for target in targets:
        _, path = converted(folder, source, f"moving.{target}")
        found = drake_reads(path, at=at)["at"] if target == "sdf" else []
        for number, (q, bodies) in enumerate(zip(at, expected, strict=True)):
            if target == "sdf":
                poses = {name: np.array(pose).reshape(4, 4) for name, pose in found[number]["bodies"].items()}
            else:
                poses = in_urdf(path, q) if target == "urdf" else in_mjcf(path, q)
            for name, pose in bodies.items():
                assert np.allclose(poses[name], np.array(pose).reshape(4, 4), rtol=0, atol=1e-9), (target, name, q)
