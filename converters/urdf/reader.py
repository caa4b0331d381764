"""URDF -> Scene: unknown content stays with its element, and what other readers accept is accepted, with a note."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from msgspec.structs import replace

from converters.context import InputError, ReaderContext
from converters.source.carried import read_carried
from converters.source.parsing import NAMESPACE, parse
from converters.source.text import closest_word
from converters.source.xml import Document, Node
from converters.srdf.beside import join
from converters.urdf.control import read_hardware, read_transmission, rotors
from converters.urdf.dialects import read_block, read_frame, read_sensor
from converters.urdf.joints import read_joint
from converters.urdf.links import read_link
from converters.urdf.loading import UrdfLoading
from converters.urdf.materials import Materials
from converters.urdf.tables import BLOCKS, FORMAT, KINDS, ORDER, SPELLING, VERSION, WORLD_LINK, version_of
from ir.names import Spares, label_of, unique
from ir.scene import Scene
from ir.types import WORLD, Frame

SEMANTIC = frozenset({"group", "group_state", "end_effector", "virtual_joint", "disable_collisions"})
"""Elements of an SRDF."""
TAGS = {
    "material": "material",
    "link": "link",
    "joint": "joint",
    "drake:joint": "joint",
    "transmission": "transmission",
    "ros2_control": "ros2_control",
    "sensor": "sensor",
    "frame": "frame",
    "fixed_frame": "frame",
}
"""Top-level element -> key of KINDS; blocks are recognised by _kind."""

NodesByKind = dict[str, list[Node]]
Ends = tuple[Node, str, str]
"""A joint, and the names of its parent and its child in the document."""


def read(data: bytes, context: ReaderContext) -> Scene:
    """Return the robot in a URDF document. Raises InputError, with the line, if it contains none."""
    document = parse(data, context, FORMAT, root="robot")
    root = document.root
    scene = Scene(_name(root, context), notation=_notation(document))
    loading = UrdfLoading(context, scene, _version(root, context))
    loading.meshdir = _meshdir(root)
    scene.notation[VERSION] = root.attrs.get("version", "")
    parts: NodesByKind = {kind: [] for kind in KINDS}
    ordered: list[tuple[str, Node]] = []
    for node in root.elements():
        kind = _kind(node.tag)
        if kind is not None:
            parts[kind].append(node)
            ordered.append((kind, node))
    materials = Materials(loading)
    for node in parts["material"]:
        materials.read_global(node)
    loading.rotors = rotors(parts["transmission"], parts["joint"], loading)
    _read_tree(root, parts, loading, materials)
    for node in parts["transmission"]:
        node.attempt(read_transmission, node, loading)
    for node in parts["ros2_control"]:
        node.attempt(read_hardware, node, loading)
    for node in parts["block"]:
        read_block(node, node.tag.partition(":")[0], loading)
    materials.finish(scene.notation)
    read_carried(root, scene, context)
    if loading.spelling:
        scene.notation[SPELLING] = json.dumps(loading.spelling, ensure_ascii=False)
    _note_order(scene, [kind for kind, node in ordered if node.visited or node.rested])
    scene.extras = root.rest()
    return join(scene, context)


def _kind(tag: str) -> str | None:
    kind = TAGS.get(tag)
    return "block" if kind is None and (tag in BLOCKS or tag.startswith("drake:")) else kind


def _name(root: Node, context: ReaderContext) -> str:
    name = root.get("name")
    if name:
        return name
    name = PurePath(context.file).stem or "robot"
    reason = "a robot needs a name: the file name is used"
    context.note("urdf/robot-name", "scene/name", reason, root.source, after=name)
    return name


def _meshdir(root: Node) -> str:
    """Return compiler/@meshdir of a <mujoco> block, without marking it as read: it stays a block."""
    compilers = (each for node in root.findall("mujoco") for each in node.findall("compiler"))
    said = (each.attrs["meshdir"] for each in compilers if "meshdir" in each.attrs)
    return next(said, "").replace("\\", "/")


def _version(root: Node, context: ReaderContext) -> tuple[int, int]:
    """Return (1, 0) if it is missing; an invalid version is kept and read as 1.0."""
    text = root.get("version")
    if text is None:
        return (1, 0)
    version = version_of(text)
    if version is not None:
        return version
    reason = "versions of URDF are 1.0, 1.1 and 1.2; read as 1.0"
    context.note("urdf/version", "scene", reason, root.place("version"), before=text, after="1.0")
    return (1, 0)


def _notation(document: Document) -> dict[str, str]:
    """Return the declared prefixes except that of carried data, which the writer declares when needed."""
    return {name: uri for name, uri in document.namespaces.items() if uri != NAMESPACE}


# ------------------------------------------------------------------------------------------------------------- the tree


def _read_tree(root: Node, parts: NodesByKind, loading: UrdfLoading, materials: Materials) -> None:
    """Read links, joints, and elements that refer to them by name."""
    ends = [ends for node in parts["joint"] if (ends := node.attempt(_ends, node)) is not None]
    links = _link_names(root, parts["link"], {child for _, _, child in ends}, bool(loading.context.places))
    ends, loops = _check_tree(root, links, ends, parts, loading)
    frames: dict[str, list[Frame]] = {}
    spares = Spares()
    for node in parts["frame"]:
        found = read_frame(node, links, spares, loading)
        if found is not None:
            frames.setdefault(found[0], []).append(found[1])
    scene = loading.scene
    for node in parts["link"]:
        authored = node.need("name")
        name = links[authored]
        label = label_of(name, authored)
        scene.add_body(read_link(node, name, label, tuple(frames.get(name, ())), loading, materials))
    for node, parent, child in ends:
        joint = read_joint(node, links.get(parent, parent), links[child], loading)
        scene.add_joint(replace(joint, closes_loop=True) if node in loops else joint)
    for node in parts["sensor"]:
        node.attempt(read_sensor, node, links, loading)
    if WORLD in links and links[WORLD] == WORLD:
        position = list(links).index(WORLD)
        hung = next(scene.child_joints(WORLD), None) is not None
        if position or not hung:
            scene.notation[WORLD_LINK] = str(position)


def _ends(node: Node) -> Ends:
    return node, _end(node, "parent"), _end(node, "child")


def _end(node: Node, tag: str) -> str:
    end = node.visit().child(tag)
    if end is None:
        raise node.fail(f"joint {node.need('name')!r} has no <{tag}>{_suggestion(node, tag)}", "XML-REQUIRED")
    return end.need("link")


def _suggestion(node: Node, tag: str) -> str:
    """Return the end of a message with the child of the element that this tag may be a misspelling of."""
    close = closest_word(tag, node.tags())
    return f", but <{close}>" if close else ""


def _link_names(root: Node, nodes: list[Node], children: set[str], expanded: bool) -> dict[str, str]:
    """Return link name -> name of its body. A root link `world` is the world itself; one inside the tree is renamed.

    expanded: the document was expanded from a xacro.
    """
    links: dict[str, str] = {}
    spares = Spares(node.attrs.get("name", "") for node in nodes)
    for node in nodes:
        name = node.visit().attempt(node.need, "name") or _free_name(node, spares)
        if name in links:
            node.refuse(f"two links are named {name!r}; names of links are unique", "NAME-DUP-LINK")
            name = _free_name(node, spares)
        links[name] = name
    if not links:
        unexpanded = any(tag.startswith("xacro:") for tag in root.tags())
        hint = ": it is xacro source; read it with --from xacro" if unexpanded else ""
        hint = ": if this xacro only defines macros, name the file that calls them" if expanded else hint
        if not unexpanded and not SEMANTIC.isdisjoint(root.tags()):
            hint = ": it is an SRDF; name the URDF that it is about, and this one with --srdf"
        raise root.fail(f"the robot has no links{hint}", "XACRO-LEFT" if unexpanded else "TREE-NOLINK")
    if WORLD in links and WORLD in children:
        links[WORLD] = unique(f"{WORLD}_1", links)
    return links


def _free_name(node: Node, spares: Spares) -> str:
    """Return a free name for an element with a duplicate name or none, and set it in the document."""
    name = node.attrs["name"] = spares.of(node.attrs.get("name") or node.tag)
    return name


def _check_tree(
    root: Node, links: dict[str, str], ends: list[Ends], parts: NodesByKind, loading: UrdfLoading
) -> tuple[list[Ends], set[Node]]:
    """Check that every joint connects two links, and that following parents ends at a root.

    If errors are being collected, return the valid joints, and those of them that can only close a loop.
    """
    names: set[str] = set()
    spares = Spares(node.attrs.get("name", "") for node, _, _ in ends)
    parents: dict[str, tuple[str, Node]] = {}
    kept: list[Ends] = []
    loops: set[Node] = set()
    for node, parent, child in ends:
        name = node.attempt(node.need, "name") or _free_name(node, spares)
        try:
            _check_ends(node, parent, child, links)
        except InputError as error:
            loading.context.refuse(error)
            if error.rule == "TREE-MISSING-LINK" and child != WORLD:
                _declare(root, (parent, child), links, parts, node)
            else:
                node.rested = True
                continue
        if name in names:
            node.refuse(f"two joints are named {name!r}; names of joints are unique", "NAME-DUP-JOINT")
            name = _free_name(node, spares)
        names.add(name)
        if parent == WORLD and parent not in links:
            reason = "the world is not declared as a link; taken as the inertial frame"
            loading.context.note("urdf/world", f"joint/{name}", reason, node.source, action="noted")
        kept.append((node, parent, child))
        if child in parents:
            other = parents[child][1].get("name")
            message = f"link {child!r} has two parents: joints {other!r} and {name!r}; URDF is a tree"
            node.refuse(message, "TREE-2PARENTS")
            loops.add(node)
        else:
            parents[child] = (parent, node)
    circles = _check_cycles(links, parents)
    roots = [link for link in links if link not in parents and link not in circles]
    if len(roots) > 1:
        reason = "urdfdom takes one root only; all are kept"
        source = ends[0][0].source if ends else root.source
        loading.context.note("urdf/several-roots", "scene", reason, source, before=", ".join(roots), action="noted")
    return kept, loops | set(circles.values())


def _check_ends(node: Node, parent: str, child: str, links: Mapping[str, str]) -> None:
    name = node.need("name")
    for tag, link in (("parent", parent), ("child", child)):
        if link not in links and link != WORLD:
            message = f"joint {name!r} has the {tag} {link!r}, but no link has this name"
            raise node.fail(message, "TREE-MISSING-LINK")
    if child == WORLD and child not in links:
        message = f"joint {name!r} has the child 'world', but no link has this name; the world can only be a parent"
        raise node.fail(message, "TREE-MISSING-LINK")
    if parent == child:
        raise node.fail(f"joint {name!r} has the link {child!r} as parent and child", "TREE-SELF")


def _declare(root: Node, names: Iterable[str], links: dict[str, str], parts: NodesByKind, joint: Node) -> None:
    """Add the undeclared links that a joint names to the document."""
    for name in names:
        if name not in links and name != WORLD:
            links[name] = name
            position = len(parts["link"]) + 1
            made = Node("link", {"name": name}, root.document, root, joint.line, position, turn=-position)
            parts["link"].append(made.visit())
            root.content.append(made)


def _check_cycles(links: Iterable[str], parents: dict[str, tuple[str, Node]]) -> dict[str, Node]:
    """Return link -> the joint to remove from a cycle; an error is noted for each."""
    loops: dict[str, Node] = {}
    done: set[str] = set()
    for link in links:
        path: dict[str, None] = {}
        while link in parents and link not in done:
            if link in path:
                members = list(path)[list(path).index(link) :]
                node = parents[link][1]
                message = f"links {', '.join(map(repr, members))} form a cycle; URDF is a tree"
                node.refuse(message, "TREE-CYCLE")
                loops[link] = node
                del parents[link]
                break
            path[link] = None
            link = parents[link][0]
        done.update(path)
    return loops


# ---------------------------------------------------------------------------------------------------- the order


def _note_order(scene: Scene, kinds: list[str]) -> None:
    """Record how the kinds of top-level elements alternate, unless it is how they are written anyway."""
    letters = "".join(KINDS[kind] for kind in kinds)
    ranks = list(map("".join(KINDS.values()).index, letters))
    if ranks == sorted(ranks):
        return
    runs: list[tuple[str, int]] = []
    for letter in letters:
        if runs and runs[-1][0] == letter:
            runs[-1] = (letter, runs[-1][1] + 1)
        else:
            runs.append((letter, 1))
    scene.notation[ORDER] = "".join(f"{letter}{count}" for letter, count in runs)
