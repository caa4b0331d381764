"""Visuals and collisions of a URDF, compared with the geoms of an MJCF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from tests.oracles import in_mujoco, mesh_files
from tests.oracles.plain_urdf import Robot, Shape
from tests.oracles.verdict import Naming, Verdicts

EXACT = 1e-9
FLOAT32 = 2e-6
"""MuJoCo stores the vertices of meshes and colours in single precision."""


@dataclass
class Shapes:
    """The shapes of the links of a robot."""

    robot: Robot
    model: mujoco.MjModel
    bodies: Mapping[str, int | None]
    """Maps a link to its body."""
    verdicts: Verdicts
    named: Naming

    def compare(self, what: str, group: int) -> None:
        self.verdicts.good(what)
        if what == "visuals":
            self.verdicts.good("triangles")
        for name, link in self.robot.links.items():
            body = self.bodies[name]
            if body is None:
                continue
            wanted = link.visuals if what == "visuals" else link.collisions
            present = [shape for shape in wanted if _has_shape(shape)]
            for shape in wanted:
                if not any(shape is other for other in present):
                    self._absent(what, shape)
            geoms = in_mujoco.geoms(self.model, body, group)
            if len(geoms) < len(present):
                text = f"link {name!r} has {len(present)} {what} with a shape"
                self.verdicts.fail(what, f"{text}, its body {len(geoms)} geoms of group {group}")
                continue
            self._primitives(what, name, present, geoms)
            self._meshes(what, name, present, geoms)

    def _absent(self, what: str, shape: Shape) -> None:
        cause = f"{shape.kind} {shape.size}"
        if shape.kind == "mesh":
            cause = f"{shape.uri} {'holds no face' if shape.exists else 'is not there'}"
        if self.named(shape.place):
            self.verdicts.excuse(what, f"{shape.place}: {cause}")
        else:
            self.verdicts.fail(what, f"{shape.place}: {cause}, and the report says nothing of it")

    def _primitives(self, what: str, name: str, shapes: list[Shape], geoms: list[in_mujoco.Geom]) -> None:
        left = list(geoms)
        for shape in shapes:
            if shape.kind == "mesh":
                continue
            fitting = [geom for geom in left if geom.kind == shape.kind and _same_primitive(shape, geom)]
            if not fitting:
                self.verdicts.fail(what, f"{shape.place}: no {shape.kind} of that size and pose in body {name!r}")
                continue
            coloured = [geom for geom in fitting if _right_colour(shape.colours, shape.textured, geom)]
            left.remove((coloured or fitting)[0])
            if what == "visuals" and not coloured:
                text = f"{shape.place}: expected the colour {_told(shape)}, got {_short(fitting[0].rgba)}"
                self.verdicts.fail(what, text)

    def _meshes(self, what: str, name: str, shapes: list[Shape], geoms: list[in_mujoco.Geom]) -> None:
        """Parts of split meshes cannot be distinguished by name: all meshes of a body are compared together."""
        meshes = [shape for shape in shapes if shape.kind == "mesh"]
        found = [geom for geom in geoms if geom.kind == "mesh"]
        if not meshes:
            return
        files = {shape.place: mesh_files.read(shape.file) for shape in meshes if shape.file}
        unknown = [f"{shape.place}: {files[shape.place].problem}" for shape in meshes if files[shape.place].problem]
        if unknown:
            self.verdicts.excuse(what, unknown[0])
            return
        count = "triangles" if what == "visuals" else what
        told = what == "collisions" and any(self.named(shape.place, exact=True) for shape in meshes)
        say = self.verdicts.excuse if told else self.verdicts.fail
        expected, got = sum(file.triangles for file in files.values()), sum(geom.triangles for geom in found)
        if expected != got:
            say(count, f"{meshes[0].place} ({meshes[0].uri}): expected {expected} triangles, got {got}")
        clouds = [
            (files[shape.place].points * np.array(shape.size)) @ shape.pose[:3, :3].T + shape.pose[:3, 3]
            for shape in meshes
        ]
        off = extent_off(np.vstack(clouds), np.vstack([np.zeros((0, 3)), *(geom.points for geom in found)]))
        if off:
            say(what, f"{meshes[0].place} ({meshes[0].uri}): the extent in body {name!r} is off by {off}")
        if what == "visuals":
            for shape in meshes:
                self._mesh_colour(shape, files[shape.place], found)

    def _mesh_colour(self, shape: Shape, file: mesh_files.MeshFile, geoms: list[in_mujoco.Geom]) -> None:
        if file.colours or file.textured:
            for colour in file.colours:
                if not any(np.abs(np.array(geom.rgba[:3]) - np.clip(colour, 0, 1)).max() < 1e-3 for geom in geoms):
                    got = sorted({_short(geom.rgba) for geom in geoms})
                    self.verdicts.fail(
                        "visuals", f"{shape.place}: {shape.uri} has the colour {_short(colour)}, got {', '.join(got)}"
                    )
                    return
            if file.textured and not any(geom.textured for geom in geoms):
                self.verdicts.fail("visuals", f"{shape.place}: {shape.uri} has a texture, no geom has")
        elif not any(_right_colour(shape.colours, shape.textured, geom) for geom in geoms):
            got = sorted({_short(geom.rgba) for geom in geoms})
            self.verdicts.fail("visuals", f"{shape.place}: expected the colour {_told(shape)}, got {', '.join(got)}")


def extent_off(ours: np.ndarray, theirs: np.ndarray, share: float = 10 * FLOAT32) -> str | None:
    """Return how far the bounds of two point clouds (n, 3), in metres, differ; None within a share of their size."""
    if not len(ours) or not len(theirs) or not np.isfinite(ours).all():
        return None
    extent = float(np.ptp(ours, axis=0).max()) + float(np.abs(ours).max())
    error = max(np.abs(ours.min(0) - theirs.min(0)).max(), np.abs(ours.max(0) - theirs.max(0)).max())
    return None if error <= share * extent else f"{error:.1e} m of {extent:.2g} m"


def close(a: float, b: float, relative: float = EXACT) -> bool:
    return a == b or abs(a - b) <= relative * max(abs(a), abs(b))


def _has_shape(shape: Shape) -> bool:
    """Whether there is something visible: a mesh that cannot be read here is assumed to be."""
    if shape.kind != "mesh" or shape.file is None:
        return shape.exists
    file = mesh_files.read(shape.file)
    return bool(file.triangles or file.problem)


def _told(shape: Shape) -> str:
    return " or ".join([_short(colour) for colour in shape.colours] + (["a texture"] if shape.textured else []))


def _short(values: tuple[float, ...]) -> str:
    return "(" + " ".join(f"{value:.4g}" for value in values) + ")"


def _right_colour(colours: tuple[tuple[float, ...], ...], textured: bool, geom: in_mujoco.Geom) -> bool:
    if textured and geom.textured:
        return True
    if not colours:
        return not textured
    return any(np.abs(np.array(geom.rgba) - np.array(colour)).max() < FLOAT32 for colour in colours)


def _same_primitive(shape: Shape, geom: in_mujoco.Geom) -> bool:
    if shape.kind == "box":
        size = tuple(value / 2 for value in shape.size)
    elif shape.kind == "sphere":
        size = shape.size
    else:
        size = (shape.size[0], shape.size[1] / 2)
    if not all(close(a, b) for a, b in zip(size, geom.size, strict=False)):
        return False
    if not np.isfinite(shape.pose).all():  # nobody can say where it belongs
        return True
    error = np.abs(shape.pose - geom.pose)
    return bool(error[:3, 3].max() <= EXACT and (shape.kind == "sphere" or error[:3, :3].max() <= EXACT))
