"""Scene -> SDF: explicit inertials, exact frames, no lumping; the author's own words where they still hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from converters.context import Context, InputError, Options, Output
from converters.passes.chains import unchained
from converters.sdf.files import Addresses
from converters.sdf.joints import type_of
from converters.sdf.package import CONFIG, Version, describe
from converters.sdf.shapes import SINCE
from converters.sdf.tables import (
    CARRIED,
    DEFAULT_VERSION,
    FORMAT,
    MIMICS,
    NAMESPACE,
    NEWEST,
    OLDEST,
    PREFIX,
    ROOT,
    SPELLING,
    TOP,
    VERSION,
)
from converters.sdf.versions import fit
from converters.sdf.world import write_world
from converters.sdf.write_models import Sheet, write_scopes
from converters.source.spelling import settled, spell
from converters.source.tree import Element, attribute, document, restore
from converters.source.xml import Node
from ir.scene import Scene
from ir.types import WORLD


def write(scene: Scene, context: Context) -> Output:
    """The document and the files beside it. Raises InputError for a version that is not written."""
    native = VERSION in scene.notation
    version = written_version(context.options.sdf_version, scene)
    addresses = Addresses(scene, context, native)
    same = native and same_version(context.options.sdf_version, scene)
    root, sheet = render(scene, addresses, version, context, not same)
    notes = scene.notation.get(SPELLING, "")
    if not same:
        fit(root, version)
    if notes and same:
        root = settled(root, notes, _Faithful(root, addresses, context))
        if root.attrs.get("version") == scene.notation[VERSION]:
            root.tag = scene.notation.get(ROOT, root.tag)
    root.attrs |= {name: uri for name, uri in scene.notation.items() if name.startswith("xmlns:")}
    if not native and root.find("world") is not None:
        root.attrs[PREFIX] = NAMESPACE
    described = {CONFIG: describe(scene, context, version)} if context.packaged else {}
    return Output(
        document=document(root),
        files={**addresses.copies, **described},
        folds={kind: found for kind, found in _folds(sheet, native).items() if found},
        origins=sheet.origins,
        notes=tuple(addresses.notes),
    )


def spelling(scene: Scene, source: Node, context: Context) -> str:
    """Notes on where the document of the author says otherwise what would be written of its scene."""
    plain = replace(context, target=None)
    root, _ = render(scene, Addresses(scene, plain, True), written_version(None, scene), plain)
    own = Element(source.tag, source.attrs)
    own.content = [item for item in source.content if not (isinstance(item, Element) and item.tag == CARRIED)]
    return spell(own, root)


def render(
    scene: Scene, addresses: Addresses, version: Version, context: Context, older: bool = False
) -> tuple[Element, Sheet]:
    """The document in plain spelling, and what is known of it.

    older: the version is not that of the source, which may hold what is newer.
    """
    native = VERSION in scene.notation
    scene = unchained(scene, lambda dofs: type_of(dofs) is not None, anchors=True, shared=True)
    root = Element("sdf", {"version": f"{version[0]}.{version[1]}"})
    whole = scene.notation.get(TOP) != "model" if native else _needs_world(scene)
    name = scene.name or (context.target.stem if context.target is not None else "model")
    top = root
    if whole and scene.notation.get(TOP) != FORMAT:
        top = root.add("world", {"name": name if name != WORLD else f"{name}_1"})
        write_world(top, dict(scene.tables["physics"]))
    sheet = Sheet(scene, addresses, version, native, whole, name, older)
    write_scopes(top, sheet)
    restore(root, scene.extras, FORMAT)
    return root, sheet


def _folds(sheet: Sheet, native: bool) -> dict[str, Mapping[str, list[str]]]:
    """The folds of what SDFormat cannot hold as one."""
    return {
        "geom": sheet.folds,
        WORLD: {WORLD: [sheet.ground]} if sheet.ground else {},
        "asset": {} if native and not sheet.stand_ins else sheet.addresses.files.folds(),
    }


def _needs_world(scene: Scene) -> bool:
    """Whether the scene is not just one model: it has settings, lights, things in the world itself, or no link."""
    world = scene.body(WORLD)
    there = scene.tables["physics"] or world.geoms or world.lights or world.cameras or world.frames
    return bool(there) or len(scene.bodies) == 1


def written_version(wanted: str | None, scene: Scene) -> Version:
    """The version asked for, else that of the source from 1.7 on, else 1.9. Raises InputError.

    What an old file includes may be newer: then the version is the one that knows its shapes.
    """
    text = wanted or scene.notation.get(VERSION, "")
    match = re.fullmatch(r"\s*(\d+)\.(\d+)\s*", text)
    found = (int(match[1]), int(match[2])) if match else DEFAULT_VERSION
    if wanted is None:
        found = found if (1, 7) <= found <= NEWEST else DEFAULT_VERSION
        native = scene.bodies.values() if VERSION in scene.notation else ()
        return max((found, *(SINCE.get(type(geom.shape), found) for body in native for geom in body.geoms)))
    if match is None or not OLDEST <= found <= NEWEST:
        raise InputError(
            f"--sdf-version {wanted}: versions {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]} are written"
        )
    return found


def mimics(options: Options) -> bool:
    """Whether <mimic> is known to the version in which a scene of another format is written. Raises InputError."""
    return written_version(options.sdf_version, Scene("")) >= MIMICS


def same_version(wanted: str | None, scene: Scene) -> bool:
    """Whether a scene of SDF is written in the version that it was read in."""
    return wanted is None or wanted.strip() == scene.notation.get(VERSION, "").strip()


class _Faithful(Struct):
    """Whether a document reads as the scene, at least as well as the plain spelling of it does."""

    plain: Element
    addresses: Addresses
    context: Context
    known: frozenset[tuple[str, ...]] | None = None
    """What the plain spelling does not say; read where a document is not faithful without reserve."""

    def __call__(self, changed: Element) -> bool:
        unlike = _unlike(changed, self.addresses, self.context)
        if unlike and self.known is None:
            self.known = _unlike(self.plain, self.addresses, self.context)
        return not unlike or unlike <= (self.known or frozenset())


def _unlike(root: Element, addresses: Addresses, context: Context) -> frozenset[tuple[str, ...]]:
    """Where a document does not say what the scene does."""
    from converters.sdf.reader import parse_scene
    from ir.diff import compare

    scene = addresses.scene
    target = context.target
    folder = target.parent if target is not None else context.folder
    known = {addresses.files.address(name): asset.file for name, asset in scene.assets.items()}
    reading = replace(
        context,
        documents=[],
        notes=[],
        file=str(target or context.file),
        folder=folder,
        find=lambda uri: (known.get(uri), ""),
        find_model=lambda uri: _found_from(folder, uri, context),
    )
    try:
        found, _ = parse_scene(document(root), reading)
    except InputError:
        return frozenset({("unreadable",)})
    return frozenset(difference.path for difference in compare(scene, found)[0] if difference.field != "asset.uri")


def _found_from(folder: Path, uri: str, context: Context) -> tuple[str | None, str]:
    """A model as it is found from another folder: not one beside the source, unless a path leads there."""
    found, rule = context.find_model(uri)
    if found is None or folder == context.folder or not Path(found).is_relative_to(context.folder):
        return found, rule
    led = (*context.options.resource_paths, *context.options.packages.values())
    return (found, rule) if any(Path(found).is_relative_to(path) for path in led) else (None, "beside the source alone")


def carry(output: Output, carried: Mapping[str, str]) -> Output:
    """Append carried data at the end of the document, as elements that other tools pass over."""
    text = output.document.decode()
    lines = [f"  <{CARRIED} key={attribute(key)} value={attribute(value)}/>\n" for key, value in carried.items()]
    found = _ROOT.search(text)
    assert found is not None
    declared = "" if f" {PREFIX}=" in text[found.end() : text.index(">", found.end())] else f' {PREFIX}="{NAMESPACE}"'
    head, tag, tail = text[: found.start()], found[0], text[found.end() :]
    body, end, rest = tail.rpartition(f"</{found[1]}>")
    if not end:  # the root is empty
        body, _, rest = tail.rpartition("/>")
        body, end = f"{body}>\n", f"</{found[1]}>"
    return replace(output, document=f"{head}{tag}{declared}{body}{''.join(lines)}{end}{rest}".encode())


_ROOT = re.compile("<(sdf|gazebo)")
