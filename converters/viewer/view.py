"""From a model file to the text of its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.comparing.models import differences
from converters.comparing.show import brief, titles
from converters.context import Options, Output, WriterContext
from converters.convert import Made, make, report
from converters.posing import clips, named_poses, positions
from converters.posing.keyframe import PREFIX
from converters.reading import Reading, interpreted, load, with_files, writer_context
from converters.registry import format_named
from converters.report.document import document
from converters.report.findings import Comparison, findings
from converters.report.model import INCLUDED, UNASKED, Report
from converters.report.safe import printable
from converters.report.values import show
from converters.viewer.meshes import meshes
from converters.viewer.model import model, motions, poses
from converters.viewer.page import page
from ir.kinematics import configuration, followers
from ir.names import so_many
from ir.refs import extras
from ir.scene import Scene
from ir.types import Source

Positions = Mapping[str, tuple[float, ...]]

LARGE = 50 * 10**6
"""Page size in bytes above which browsers are slow."""
PACKAGES = 5
"""Most packages listed among those whose files were not found."""
ADVICE = "; browsers open so large a page slowly: try --quality low"
EDGES = {"low": 512, "medium": 1024, "high": 2048, "full": 0}
"""Value of --quality -> most pixels along an image edge (0: unchanged)."""
MOST = 2000
"""Most findings and differences that a page lists."""


def view(
    src: Path,
    *,
    source: str | None = None,
    options: Options | None = None,
    other: Path | None = None,
    target: str | None = None,
    quality: str = "medium",
) -> tuple[str, str]:
    """Return the text of the page of a model, and remarks on it: files not found, unused arguments, its size ("":
    none).

    other is a model to compare it with; target names a format whose losses are reported. Raises InputError.
    """
    reading = load(src, source=source, options=options or Options())
    text = _paged(reading, None, options or Options(), other, target, quality)
    absent = [asset.uri for asset in with_files(reading).scene.assets.values() if asset.uri and asset.file is None]
    absent += [note.before for note in reading.context.notes if note.rule == INCLUDED]
    packages = dict.fromkeys(uri.split("/")[2] for uri in absent if uri.startswith(("package://", "model://")))
    named = " ".join(f"--package {name}=DIR" for name in [*packages][:PACKAGES])
    where = f"say where with {f'{named} or ' if named else ''}--resource-path DIR"
    missing = f"; {so_many(len(absent), 'files')} not found: {where}" if absent else ""
    idle = "".join(f"; --arg {note.before}: {note.reason}" for note in reading.context.notes if note.rule == UNASKED)
    return text, printable(missing + idle) + (ADVICE if len(text.encode()) > LARGE else "")


def shown(reading: Reading, report: Report) -> str:
    """Return the text of the page of a model that was read, with the report of its conversion. Raises InputError."""
    return _paged(reading, report, reading.context.options, None, None, "medium")


def _paged(
    reading: Reading, told: Report | None, asked: Options, other: Path | None, target: str | None, quality: str
) -> str:
    src = Path(reading.context.file)
    scene = interpreted(with_files(reading))
    context = writer_context(reading, asked)
    start = positions(scene, context)
    names = titles(src, other or src)
    said, glb = _shown(scene, context, names[0], quality, start)
    said["motions"] = motions(clips(scene, context), scene)
    said["poses"] = poses(named_poses(scene, context), PREFIX)
    said["format"] = reading.format.name
    data: dict[str, Any] = {"models": [said], "differences": [], "report": None}
    glbs = [glb]
    if other is not None:
        theirs = _found(load(other, options=replace(asked, pose=(), pose_name=None, trajectory=())), scene)
        second = interpreted(theirs)
        beside = writer_context(theirs, theirs.context.options)
        more, glb = _shown(second, beside, names[1], quality, _alike(second, positions(second, beside), scene, start))
        data["models"].append(more | {"format": theirs.format.name, "motions": [], "poses": []})
        data["differences"] = _differences(scene, second)
        glbs.append(glb)
    told = told or _report_for(reading, context, scene, src, target, asked)
    data["report"] = _report(told, reading)
    return page(f"{scene.name or src.name} · kinegraph", data, glbs)


def _found(reading: Reading, first: Scene) -> Reading:
    """Replace assets that this model does not find by those that the first model finds at the same address."""
    there = {asset.uri: asset for asset in first.assets.values() if asset.file is not None}
    assets = [
        replace(there[asset.uri], name=asset.name) if asset.file is None and asset.uri in there else asset
        for asset in reading.scene.assets.values()
    ]
    return replace(reading, scene=reading.scene.evolve(tables={"asset": assets}))


def _alike(scene: Scene, own: Positions, first: Scene, start: Positions) -> Positions:
    """Return a configuration in which dofs with names common to both scenes have the first one's values: one set of
    sliders moves both.

    Mimics follow their leaders, and other dofs keep their own values.
    """
    there, led = first.dofs(), followers(scene)
    chosen = {
        name: start[name] if name in there and there[name][1].kind is dof.kind else own[name]
        for name, (_, dof) in scene.dofs().items()
        if name not in led
    }
    return configuration(scene, chosen)


def _shown(
    scene: Scene, context: WriterContext, name: str, quality: str, start: Positions
) -> tuple[dict[str, Any], bytes]:
    said = model(scene, start) | {"file": name}
    return said, meshes(scene, context, EDGES[quality])


def _report_for(
    reading: Reading, context: WriterContext, scene: Scene, src: Path, target: str | None, options: Options
) -> Report:
    """Return the report of a conversion to the target; without a target, that of reading and drawing the model."""
    if target is not None:
        to = format_named(target, "write")
        path = src.with_name(f"{src.stem}{to.suffixes[0] if to.suffixes else ''}")
        return report(make(reading, path, target=target, options=replace(options, trajectory=())), ())
    notes = [*reading.context.notes, *context.notes]
    return report(
        Made(
            reading=reading,
            output=Output(document=b""),
            path=src.with_suffix(".html"),
            format=format_named("gltf"),
            options=replace(options, audit=False),
            findings=findings(scene, Comparison(), notes=notes),
        ),
        (),
    )


def _report(made: Report, reading: Reading) -> dict[str, Any]:
    said = document(made)
    listed = said["findings"]
    unread = list(_unread(reading.scene))
    return {
        "source": Path(made.source.path).name,
        "target": made.target.format if made.audited else "",
        "totals": said["totals"],
        "findings": [each | {"sources": each["sources"][:3]} for each in listed[:MOST]],
        "more": max(0, len(listed) - MOST),
        "unread": unread[:MOST],
        "moreUnread": max(0, len(unread) - MOST),
    }


def _unread(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield every place of the source that the reader did not interpret, once; `unread` counts their items."""
    seen: set[tuple[str, int, str, str]] = set()
    for path, _, extra in extras(scene):
        where = "/".join(path[:2]) if path[0] != "scene" else "scene"
        place = extra.source or Source("", 0, "")
        key = (place.file, place.line, place.path, extra.path)
        if extra.rule or key in seen:
            continue
        seen.add(key)
        yield {
            "where": where,
            "text": show(extra),
            "items": extra.items,
            "source": f"{Path(place.file).name}:{place.line} {extra.path}",
        }


def _differences(first: Scene, second: Scene) -> list[dict[str, Any]]:
    return [
        {
            "what": each.what,
            "where": each.where,
            "first": brief(each.first),
            "second": brief(each.second),
            "by": None if each.by is None else f"{each.by:.3g}",
        }
        for each in islice(differences(first, second), MOST)
    ]
