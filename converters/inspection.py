"""The contents of a model: one plain document, and a tree of it for the terminal."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from converters.carried.earlier_choices import with_choices
from converters.context import InputError, Options
from converters.reading import interpreted, load, loaded
from converters.report.model import INCLUDED, UNASKED
from converters.report.safe import printable
from ir.names import so_many
from ir.refs import extras
from ir.scene import Scene
from ir.types import WORLD, Body, Dof, Group, Inertial, Joint, Mesh, Role

if TYPE_CHECKING:
    from rich.tree import Tree

SCHEMA_VERSION = 1
DEEPEST = 40
"""Largest indentation level of the tree; chains of thousands of links go on at this one, to keep lines readable."""
UNCOUNTABLE = ("physics", "hardware")


def document(src: Path, *, source: str | None = None, options: Options | None = None) -> dict[str, Any]:
    """Everything `inspect --json` prints: names, counts, masses in kg, limits in m and rad. Raises InputError.

    Masses of bodies are those that the engine of the format computes; a body whose mass is that of its shapes has none
    if one of its meshes cannot be read.
    """
    reading = load(src, source=source, options=options)
    scene, split = with_choices(reading.scene, reading.restored.asked), reading.restored.split
    found_extras = Counter(path[:2] for path, _, _ in extras(scene))
    materials = [{"name": item.name, "rgba": item.rgba, "texture": item.texture} for item in scene.materials.values()]
    assets = [
        {
            "name": item.name,
            "kind": item.kind,
            "uri": item.uri,
            "resolved": item.file is not None,
            "rule": item.rule,
            "parts": [part.uri for part in split.get(item.name, ())],
        }
        for item in scene.assets.values()
    ]
    weighed = interpreted(replace(reading, scene=scene))
    bodies = [_body(scene, body, found_extras, _inertial(body, weighed)) for body in _real(scene)]
    try:
        total = math.fsum(body["mass"] or 0.0 for body in bodies)
    except OverflowError:
        raise InputError(f"{src}: its bodies weigh more together than a number can be") from None
    return {
        "schema_version": SCHEMA_VERSION,
        "name": scene.name,
        "path": str(src),
        "format": reading.format.name,
        "roots": scene.roots(),
        "total_mass": total,
        "counts": _counts(scene, bodies, assets) | {"extras": found_extras.total()},
        "bodies": bodies,
        "joints": [_joint(joint, found_extras) for joint in scene.joints.values()],
        "models": [path for path in scene.tables["scope"] if path],
        "groups": [_group(group) for group in scene.tables["group"].values()],
        "states": [
            {"name": key.label or key.name, "group": key.group, "dofs": list(key.dofs)}
            for key in scene.tables["keyframe"].values()
        ],
        "materials": materials,
        "assets": assets,
        "missing_includes": [note.before for note in reading.context.notes if note.rule == INCLUDED],
        "unknown_arguments": [
            {"name": note.before, "why": note.reason} for note in reading.context.notes if note.rule == UNASKED
        ],
    }


def kind(joint: Joint) -> str:
    """weld, hinge, slide, screw, ball, free; several degrees of freedom are joined by +."""
    return "+".join(dof.kind.value for dof in joint.dofs) or "weld"


def _real(scene: Scene) -> list[Body]:
    """The bodies of a scene, parents first; the world only if something is fixed to it."""
    world = scene.body(WORLD)
    shown = bool(world.geoms or world.frames or world.cameras or world.lights)
    return [body for _, body in scene.walk() if shown or body.name != WORLD]


def _shaped(body: Body) -> bool:
    """Whether the mass of a body is that of its shapes."""
    return body.name != WORLD and not body.inertial and any(geom.mass or geom.density for geom in body.geoms)


def _whole(scene: Scene, body: Body) -> bool:
    """Whether the files of all meshes of a body exist and can be read."""
    named = {geom.shape.asset for geom in body.geoms if isinstance(geom.shape, Mesh)}
    return all(any(True for _ in loaded(asset)) for name in named if (asset := scene.assets[name]).uri)


def _inertial(body: Body, weighed: Scene) -> Inertial | None:
    """The inertial of a body. weighed: the scene with masses as the engine of the format computes them."""
    found = weighed.bodies.get(body.name)
    if found is None or (_shaped(body) and not _whole(weighed, found)):
        return body.inertial
    return found.inertial


def _body(
    scene: Scene, body: Body, counted: Mapping[tuple[str, ...], int], inertial: Inertial | None
) -> dict[str, Any]:
    joint = scene.joint_of(body.name)
    roles = [geom.role for geom in body.geoms]
    return {
        "name": body.name,
        "parent": joint.parent if joint else None,
        "joint": joint.name if joint else None,
        "mass": inertial.mass if inertial else None,
        "mass_from_shapes": _shaped(body),
        "centre": inertial.pose.pos if inertial else None,
        "inertia": inertial.tensor if inertial else None,
        "visuals": sum(role in Role.SEEN for role in roles),
        "collisions": sum(role in Role.COLLIDING for role in roles),
        "other_geometries": sum(role not in (*Role.SEEN, Role.COLLISION) for role in roles),
        "extras": counted.get(("body", body.name), 0),
    }


def _joint(joint: Joint, counted: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": kind(joint),
        "parent": joint.parent,
        "child": joint.child,
        "closes_loop": joint.closes_loop,
        "dofs": [_dof(dof) for dof in joint.dofs],
        "extras": counted.get(("joint", joint.name), 0),
    }


def _group(group: Group) -> dict[str, Any]:
    return {part: getattr(group, part) for part in ("name", "bodies", "joints", "chains", "groups")}


def _dof(dof: Dof) -> dict[str, Any]:
    mimic = dof.mimic
    plain = {part: getattr(dof, part) for part in ("name", "kind", "axis", "lower", "upper", "effort", "velocity")}
    return plain | {
        "mimic": {"dof": mimic.dof, "multiplier": mimic.multiplier, "offset": mimic.constant} if mimic else None
    }


def _counts(scene: Scene, bodies: list[dict[str, Any]], assets: list[dict[str, Any]]) -> dict[str, int]:
    """The number of entities of each kind; empty tables are listed too, so that the keys never change."""
    joints = scene.joints.values()
    counts = {
        "bodies": len(bodies),
        "joints": len(scene.joints),
        "moving_joints": sum(bool(joint.dofs) for joint in joints),
        "dofs": sum({"free": 6, "ball": 3}.get(dof.kind.value, 1) for joint in joints for dof in joint.dofs),
        "constraints": len(scene.constraints),
        "visuals": sum(body["visuals"] for body in bodies),
        "collisions": sum(body["collisions"] for body in bodies),
        "other_geometries": sum(body["other_geometries"] for body in bodies),
        "missing_assets": sum(_is_missing(asset) for asset in assets),
    }
    counts |= {kind if kind in UNCOUNTABLE else f"{kind}s": len(table) for kind, table in scene.tables.items()}
    return counts


def _is_missing(asset: dict[str, Any]) -> bool:
    """Whether the file of an asset is missing, and so are the parts into which an earlier conversion split it."""
    return bool(asset["uri"]) and not asset["resolved"] and not asset["parts"]


# ------------------------------------------------------------------------------------------------------- for people


def show(found: dict[str, Any]) -> None:
    """Print the document as a tree, in colour if stdout is a terminal; lines are not cut at its edge."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, soft_wrap=True, width=10_000)
    console.print(tree(found))
    for line in totals(found):
        console.print(line, markup=False)


def tree(found: dict[str, Any]) -> Tree:
    """Bodies below their parents. Iterative: a chain of ten thousand links is a real input."""
    from rich.text import Text
    from rich.tree import Tree

    joints = {joint["name"]: joint for joint in found["joints"]}
    name = found["name"] or Path(found["path"]).name
    top = Tree(Text(printable(f"{name} ({found['format']})"), style="bold"))
    nodes: dict[str | None, tuple[Tree, int]] = {None: (top, 0)}
    for body in found["bodies"]:
        above, depth = nodes.get(body["parent"], (top, 0))
        label = Text(printable(body["name"]), style="bold cyan")
        label.append(f"  {_weight(body)}", style="default not bold")
        if body["joint"]:
            label.append(f"  {printable(_hold(joints[body['joint']]))}", style="dim not bold")
        node = above.add(label)
        nodes[body["name"]] = (node, depth + 1) if depth < DEEPEST else (above, depth)
    return top


def totals(found: dict[str, Any]) -> list[str]:
    """The part below the tree: problems, and one line of totals."""
    counts = found["counts"]
    lost = [asset for asset in found["assets"] if _is_missing(asset)]
    absent = [f"missing {asset['kind']}: {asset['uri']}" for asset in lost]
    absent += [f"missing model: {uri} (--resource-path DIR, or --package)" for uri in found["missing_includes"]]
    missing = [printable(f"{each} ({n} times)" if n > 1 else each) for each, n in Counter(absent).items()]
    split = sum(not asset["resolved"] for asset in found["assets"] if asset["parts"])
    parts = [f"shown by the parts made of them: {so_many(split, 'meshes')} not found from here (--package)"]
    models = [printable(f"models, for --model: {', '.join(found['models'])}")] if found["models"] else []
    loops = [
        printable(f"closes a loop: {joint['name']} ({joint['kind']}) from {joint['parent']} to {joint['child']}")
        for joint in found["joints"]
        if joint["closes_loop"]
    ]
    groups = [printable(f"group {group['name']}: {_members(group)}") for group in found["groups"]]
    always = ("bodies", "joints", "dofs", "visuals", "collisions")
    words = {"dofs": "degrees of freedom", "other_geometries": "other geometries", "missing_assets": "missing assets"}
    kept = [name for name in counts if name in always or (counts[name] and name != "moving_joints")]
    counted = [so_many(counts[name], words.get(name, name)) for name in kept]
    unasked = [printable(f"--arg {each['name']}: {each['why']}") for each in found["unknown_arguments"]]
    return [
        *unasked,
        *missing,
        *(parts if split else []),
        *loops,
        *models,
        *groups,
        f"{', '.join(counted)}; {_total(found)}",
    ]


def _total(found: dict[str, Any]) -> str:
    """The mass of all bodies, as far as the document gives it as numbers of bodies."""
    shaped = sum(body["mass"] is None and body["mass_from_shapes"] for body in found["bodies"])
    said = f"{_short(found['total_mass'])} kg"
    return f"{said} and the mass of the shapes of {so_many(shaped, 'bodies')}" if shaped else said


def _members(group: dict[str, Any]) -> str:
    """The contents of a group: chains by their ends, the rest by number."""
    parts = [f"{base} to {tip}" for base, tip in group["chains"]]
    parts += [so_many(len(group[kind]), kind) for kind in ("bodies", "joints", "groups") if group[kind]]
    return ", ".join(parts) or "nothing"


def _weight(body: dict[str, Any]) -> str:
    shaped = body["mass_from_shapes"]
    if body["mass"] is None:
        parts = ["mass of its shapes" if shaped else "no mass"]
    else:
        parts = [f"{_short(body['mass'])} kg{' of its shapes' if shaped else ''}"]
    counted = ("visuals", "collisions", "other_geometries", "extras")
    parts += [so_many(body[name], name.replace("_", " ")) for name in counted if body[name]]
    return ", ".join(parts)


def _hold(joint: dict[str, Any]) -> str:
    """The joint that holds a body: its name, kind and limits."""
    dofs = [_bounds(dof, named=len(joint["dofs"]) > 1) for dof in joint["dofs"]]
    return " ".join(part for part in (f"by {joint['name']}: {joint['kind']}", ", ".join(filter(None, dofs))) if part)


def _bounds(dof: dict[str, Any], named: bool) -> str:
    """Limits and leader of a degree of freedom, "" if it has neither; its name if a joint has several."""
    parts = [part for part in (_limits(dof), _mimic(dof["mimic"]) if dof["mimic"] else "") if part]
    return " ".join([dof["name"], *parts] if named and parts else parts)


def _limits(dof: dict[str, Any]) -> str:
    if dof["lower"] is None and dof["upper"] is None:
        return ""
    low = "-inf" if dof["lower"] is None else _short(dof["lower"])
    high = "inf" if dof["upper"] is None else _short(dof["upper"])
    return f"[{low}, {high}]{' m' if dof['kind'] == 'slide' else ' rad'}"


def _mimic(mimic: dict[str, Any]) -> str:
    offset = f" + {_short(mimic['offset'])}" if mimic["offset"] else ""
    return f"= {_short(mimic['multiplier'])} * {mimic['dof']}{offset}"


def _short(value: float) -> str:
    """Six digits for reading; the exact value is in the JSON form."""
    return f"{value:.6g}"
