"""The whole graph inside a document, and what it means when somebody has edited the document since.

It stands twice, as one JSON string: in the extras of scene 0 and of the root node, which are what other tools keep.
With it stand the configuration that the nodes show, and what the triangles of each geom come to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ir.diff import compare, restore
from ir.plain import as_json
from ir.scene import Scene

if TYPE_CHECKING:
    from converters.gltf.layout import Values

EXTRAS = "kinegraph"
"""Member of extras that holds the graph."""
VERSION = 1


def embedded(scene: Scene, values: Values, measures: Mapping[str, list[float]]) -> str:
    """The graph as a string: the patch that makes an empty scene into this one."""
    patch = compare(scene, Scene(""))[1]
    return as_json(
        {
            "version": VERSION,
            "graph": {key: json.loads(value) for key, value in patch.items()},
            "positions": {name: list(value) for name, value in values.items()},
            "measures": measures,
        }
    )


def measure(pieces: Iterable[tuple[Any, Any]]) -> list[float]:
    """What triangles come to, whatever their order: how many, their box, their area, the first moment of that area.

    pieces: positions (n, 3) and faces (m, 3). Square metres, metres, in the frame of the geom, unscaled.
    """
    count, area, moment = 0, 0.0, np.zeros(3)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for positions, faces in pieces:
        corners = positions.astype(np.float64)[faces]
        low, high = np.minimum(low, corners.min(axis=(0, 1))), np.maximum(high, corners.max(axis=(0, 1)))
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = np.sqrt(np.einsum("ij,ij->i", across, across)) / 2
        count += len(faces)
        area += float(areas.sum())
        moment += areas @ corners.mean(axis=1)
    return [float(count), *low.tolist(), *high.tolist(), area, *moment.tolist()]


def graph_of(blob: str) -> tuple[Scene, dict[str, tuple[float, ...]], dict[str, list[float]]]:
    """The scene, the configuration and the measures of embedded; raises ValueError for what is no such string."""
    try:
        found = json.loads(blob)
        if found["version"] != VERSION:
            raise ValueError(f"it is of version {found['version']}, and only {VERSION} is known")
        scene, _ = restore(Scene(""), {key: as_json(value) for key, value in found["graph"].items()})
        values = {name: tuple(map(float, value)) for name, value in found["positions"].items()}
        measures = {name: [float(number) for number in value] for name, value in found["measures"].items()}
    except (TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__}: {error})") from error
    return scene, values, measures
