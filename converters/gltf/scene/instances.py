"""One mesh at many places: EXT_mesh_gpu_instancing (its README, "Extending nodes with instance attributes")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converters.context import Context
from converters.gltf.data.accessors import Accessors
from converters.gltf.data.extensions import INSTANCES, extension
from converters.gltf.scene.nodes import PLAIN, Linear, LocalTransform, unit
from converters.source.json import JsonObject
from ir.arrays import Floats

WIDTHS = {"TRANSLATION": 3, "ROTATION": 4, "SCALE": 3}
MOST = 100_000
"""Instances of one node: each is a geom of its own here."""


def instances(node: JsonObject, accessors: Accessors, context: Context) -> Iterable[LocalTransform]:
    """Where the mesh of a node stands, in the coordinates of the node: once, right there, unless the node says more.

    Raises InputError for transforms that are none, and for more of them than anybody needs.
    """
    attributes = extension(node, INSTANCES, "attributes")
    if attributes is None:
        return [LocalTransform()]
    size = len(accessors.nodes)
    numbers = {key: index for key in WIDTHS if (index := attributes.index(key, size)) is not None}
    columns = {}
    for key, index in numbers.items():
        values = accessors.array(index)
        if values.shape[1] != WIDTHS[key]:
            raise attributes.fail(key, f"must have {WIDTHS[key]} numbers for each instance")
        columns[key] = values
    counts = {len(values) for values in columns.values()}
    if len(counts) > 1:
        raise attributes.fail(None, f"says {' and '.join(map(str, sorted(counts)))} instances at once")
    if not counts:
        return [LocalTransform()]
    (count,) = counts
    if count > MOST:
        raise attributes.fail(None, f"asks for {count} instances; at most {MOST} are read")
    return _placed(node, columns, count, context)


def _placed(node: JsonObject, columns: dict[str, Floats], count: int, context: Context) -> Iterator[LocalTransform]:
    for number in range(count):
        row: dict[str, list[float]] = {key: values[number].tolist() for key, values in columns.items()}
        x, y, z = row.get("TRANSLATION", (0.0, 0.0, 0.0))
        scale = row.get("SCALE", ())
        turn = unit(node, row["ROTATION"], f"instance/{number}", context) if "ROTATION" in row else None
        linear = Linear((scale[0], scale[1], scale[2])) if scale and scale != [1.0, 1.0, 1.0] else PLAIN
        yield LocalTransform((x, y, z), turn or (1.0, 0.0, 0.0, 0.0), linear)
