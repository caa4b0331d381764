"""<image>: boxes extruded where a grey image is dark, for formats without such a shape.

The specification gives the image, a scale, a threshold and a height, but neither the position of the image nor which
side of the threshold is solid. As in Gazebo classic, a pixel is `scale` metres wide, pixels no brighter than the
threshold are solid, the lower left corner of the image is the origin, and the boxes stand on z = 0. `granularity` is
the allowed error of a coarser set of boxes; the set made here is exact.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from converters.format import Pass, Target
from converters.source.text import parse_number
from converters.source.tree import fragment
from ir.arrays import Floats, Ints, np
from ir.mapping import added
from ir.names import Spares, unique
from ir.pose import compose
from ir.scene import Scene
from ir.types import Asset, Box, Geom, Mesh, Pose

KIND = "image"
"""Kind of the asset of such a shape."""
PLACE = "geometry[1]/image["
"""Path of the shape among the extras of a geom: the graph has no such shape."""
MOST_BOXES = 256
"""Up to this many boxes become one geom each; more become a single mesh."""
MOST = 65_536
"""The most boxes of one image; an image with more is left as it is."""
SCALE, THRESHOLD, HEIGHT = 1.0, 200.0, 1.0


class _ImageBoxes(Struct, frozen=True):
    """Parameters of one <image>: the file, and the scale, threshold and height of the boxes."""

    uri: str
    scale: float
    threshold: float
    height: float


def _read_image(geom: Geom) -> _ImageBoxes | None:
    text = next((extra.text for extra in geom.extras if extra.path.startswith(PLACE)), None)
    if geom.shape is not None or text is None:
        return None
    try:
        said = {item.tag: item.own_text() for item in fragment(text).elements()}
        numbers = [
            parse_number(said.get(tag) or str(default))
            for tag, default in (("scale", SCALE), ("threshold", THRESHOLD), ("height", HEIGHT))
        ]
    except ValueError:  # the carried text was edited
        return None
    scale, threshold, height = numbers
    return _ImageBoxes(said.get("uri", ""), scale, threshold, height) if scale > 0 and height > 0 else None


def _with_images_as_boxes(scene: Scene, _: Target) -> Scene:
    wanted = {geom.name: raised for geom in scene.geoms() if (raised := _read_image(geom))}
    if not wanted:
        return scene
    images = {asset.uri: asset for asset in scene.assets.values() if asset.kind == KIND}
    spares = Spares(geom.name for geom in scene.geoms())
    made: dict[str, Asset] = {}
    bodies = []
    for body in scene.bodies.values():
        geoms: list[Geom] = []
        for geom in body.geoms:
            raised = wanted.get(geom.name)
            asset = images.get(raised.uri) if raised is not None else None
            found = _solid_rectangles(asset, raised.threshold) if asset is not None and raised is not None else None
            if raised is None or asset is None or found is None or not len(found):
                geoms.append(geom)
            elif len(found) <= MOST_BOXES:
                geoms += _geoms_of_boxes(geom, raised, found, spares)
            else:
                name = unique(f"{asset.name}_boxes", {*scene.assets, *made})
                content = _mesh_of_boxes(raised, found, name)
                made[name] = replace(asset, name=name, label=None, kind="mesh", uri="", made=content, extras=())
                geoms.append(replace(geom, shape=Mesh(asset=name)))
        bodies.append(replace(body, geoms=tuple(geoms)))
    return added(scene.evolve(bodies=bodies), "asset", made.values())


def _solid_rectangles(asset: Asset, threshold: float) -> Ints | None:
    """Return rectangles of solid pixels (n, 4): first column, end, first row from below, end; None if unreadable."""
    from converters.assets.heights import grey_values

    grid = grey_values(asset)
    if grid is None:
        return None
    solid = grid <= threshold
    done: list[tuple[int, int, int, int]] = []
    standing: dict[tuple[int, int], int] = {}
    for row, line in enumerate([*solid, np.zeros(solid.shape[1], bool)]):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line, [0])))).tolist()
        runs = set(zip(edges[::2], edges[1::2], strict=True))
        done += [(*run, first, row) for run, first in standing.items() if run not in runs]
        standing = {run: standing.get(run, row) for run in sorted(runs)}
        if len(done) > MOST:
            return None
    return np.array(done, dtype=np.int64).reshape(-1, 4)


def _geoms_of_boxes(geom: Geom, raised: _ImageBoxes, found: Ints, spares: Spares) -> list[Geom]:
    """Return a geom for each box; the first one keeps the name and all extras."""
    parts: list[Geom] = []
    for left, right, low, high in found.tolist():
        size = ((right - left) * raised.scale, (high - low) * raised.scale, raised.height)
        middle = ((left + right) / 2 * raised.scale, (low + high) / 2 * raised.scale, raised.height / 2)
        placed = replace(geom, shape=Box(size=size), pose=compose(geom.pose, Pose(middle)))
        if parts:
            placed = replace(placed, name=spares.of(f"{geom.name}_part"), label=None, extras=())
        parts.append(placed)
    return parts


def _mesh_of_boxes(raised: _ImageBoxes, found: Ints, name: str) -> bytes:
    from converters.assets.meshes.obj_text import obj_text
    from converters.assets.meshes.parts import MeshPart
    from converters.assets.tessellate import tessellate

    unit = tessellate(Box(size=(1.0, 1.0, 1.0)))
    sides = np.array([1.0, 1.0, 1.0])
    corners: list[Floats] = []
    for left, right, low, high in found.tolist():
        sides[:] = (right - left) * raised.scale, (high - low) * raised.scale, raised.height
        middle = np.array([(left + right) / 2 * raised.scale, (low + high) / 2 * raised.scale, raised.height / 2])
        corners.append(unit.vertices * sides + middle)
    starts = np.arange(len(found))[:, None, None] * len(unit.vertices)
    faces = (unit.faces[None] + starts).reshape(-1, 3)
    return obj_text(MeshPart(name=name, vertices=np.concatenate(corners), faces=faces))


IMAGES = Pass(
    rule="sdf/image",
    reason="the target cannot extrude boxes from an image: boxes are made where it is dark, from its corner",
    apply=_with_images_as_boxes,
)
