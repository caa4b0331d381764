"""What a value of --pose can be: JOINT=VALUE, a file, a state of an SRDF file, a keyframe of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from converters.context import Context, InputError, Options, ReaderContext
from converters.format import Target
from converters.passes.keys import INITIAL, STATED, initial_state
from converters.posing.coordinates import Asked, DofNames, note, read, turned, words
from converters.posing.documents import File, YamlNode, csv_rows, documents, numeric, open_text, unread
from converters.registry import marked_format
from converters.source.files import content, is_file
from converters.source.parsing import parse
from converters.source.xml import Node
from converters.srdf.states import FLOATING, from_origin, scalar_first, state_named
from ir.kinematics import coordinate_size
from ir.names import so_many
from ir.scene import Scene
from ir.types import WORLD, Dof, DofKind, Keyframe, Source

SUFFIXES = (".yaml", ".yml", ".json", ".csv")
_SRDF = re.compile(r"(?P<file>.+\.srdf)(?::(?P<state>.*))?", re.IGNORECASE | re.DOTALL)
_WRAPPERS = ("joint_state", "positions", "joints")
_STATE = ("name", "position")
_LEGEND = frozenset({"joint", "joints", "name", "joint_name", "value", "position", "positions"})


def state(item: str, scene: Scene, names: DofNames, context: Context) -> dict[str, Asked]:
    """Coordinates by dof name that one value of --pose asks for. Raises InputError."""
    path = Path(item)
    table = item.lower().endswith(SUFFIXES)
    srdf = _SRDF.fullmatch(item)
    if "=" in item and not (table and is_file(item)) and srdf is None:
        name, _, value = item.rpartition("=")
        asked = f"--pose {item[:200]}"
        try:
            dofs = names.find(name.strip())
        except InputError as error:
            raise InputError(f"{asked}: {error.message}", Source(context.file, 1, "/")) from error
        return read(dofs, words(value), asked)
    if srdf is not None:
        return _of_srdf(Path(srdf["file"]), srdf["state"], names, context)
    if table and (is_file(item) or not keyframe(item, scene)):
        file = open_text(path, "named by --pose")
        return _of_csv(file, names) if path.suffix.lower() == ".csv" else _of_document(file, names, context)
    key = keyframe(item, scene)
    if key is not None:
        return _of_keyframe(key, names)
    if item == INITIAL:
        raise InputError(
            "--pose initial: no ros2_control joint has an initial position (<param name='initial_value'> of its "
            f"position interface), and no keyframe of the model has this name; {_has(scene)}"
        )
    if names.knows(item):
        raise InputError(f"--pose {item[:200]}: is a joint without a position: write {item[:200]}=0.5, or 30deg, 20cm")
    raise InputError(
        f"--pose {item[:200]}: is no JOINT=VALUE, no file that ends in {', '.join(SUFFIXES)}, no FILE.srdf:STATE "
        f"and no keyframe of the model; {_has(scene)}"
    )


# ---------------------------------------------------------------------------------------------------------- keyframes


def keyframes(scene: Scene) -> list[Keyframe]:
    """The states of a model: its keyframes, states that its document expresses in other ways, and the initial state of
    ros2_control, unless a keyframe has that name."""
    form = marked_format(scene.notation)
    for each in form.passes() if form is not None else ():
        scene = each.apply(scene, Target(fits=form.fits)) if form is not None and each.rule == STATED else scene
    table: dict[str, Keyframe] = scene.tables["keyframe"]
    start = initial_state(scene)
    return [*table.values(), *([] if start is None or start.name in table else [start])]


def named_state(options: Options, scene: Scene, names: DofNames) -> dict[str, Asked]:
    """Coordinates by dof name of the state of --pose-name. Raises InputError if there is none of that name and no pose
    that could get it."""
    if options.pose_name is None:
        return {}
    key = keyframe(options.pose_name, scene)
    if key is not None:
        return _of_keyframe(key, names)
    if options.pose:
        return {}
    raise InputError(f"--pose-name {options.pose_name[:200]}: the model has no keyframe of that name; {_has(scene)}")


def _has(scene: Scene) -> str:
    known = [key.name for key in keyframes(scene)]
    return f"its keyframes are {', '.join(known[:20])}" if known else "it has none"


def keyframe(name: str, scene: Scene) -> Keyframe | None:
    """The state of this name (keyframes), or with this label in its file."""
    found = keyframes(scene)
    by_name = (key for key in found if key.name == name)
    return next(by_name, None) or next((key for key in found if key.label == name), None)


def _of_keyframe(key: Keyframe, names: DofNames) -> dict[str, Asked]:
    """Joints that a keyframe does not name are as the model is drawn; its followers are left to follow."""
    by = f"keyframe {key.name!r}"
    asked: dict[str, Asked] = {}
    for name, value in key.positions:
        _, dof = names.dofs.get(name, (None, None))
        if dof is None or dof.mimic is not None:
            continue
        if len(value) != coordinate_size(dof):
            raise InputError(f"{by}: {name!r} takes {coordinate_size(dof)} numbers, not {len(value)}", key.source)
        try:
            asked[name] = Asked(turned(dof, value), by, key.source)
        except ValueError as error:
            raise InputError(f"{by}: {error}", key.source) from None
    return asked


# -------------------------------------------------------------------------------------------------------------- files


def _of_document(file: File, names: DofNames, context: Context) -> dict[str, Asked]:
    """A mapping of joint: value, or a JointState; of several documents the later ones take precedence."""
    asked: dict[str, Asked] = {}
    for document in documents(file):
        *outer, node = _unwrapped(document)
        for name, value in _pairs(file, node):
            place = file.place(value.line)
            asked.update(read(names.find(name, place), listed(file, value), name[:200], place))
        inside = unread(node, _STATE) if _is_state(node) else ()
        for key, line in (*(each for above in outer for each in unread(above, _WRAPPERS)), *inside):
            reason = f"only positions are used in a pose, not {key[:200]}"
            before = f"{file.path.stem}: {key[:200]}"
            note(context, "pose/unused", "document", reason, file.place(line), before=before, action="ignored")
    if not asked:
        file.fail("holds no position of any joint")
    return asked


def _unwrapped(node: YamlNode) -> list[YamlNode]:
    """The mapping inside of a message that holds little else, after what it is inside of."""
    if isinstance(node.value, dict):
        for key in _WRAPPERS:
            inner = node.value.get(key)
            if inner is not None and isinstance(inner.value, dict):
                return [node, *_unwrapped(inner)]
    return [node]


def _is_state(node: YamlNode) -> bool:
    """Whether this is a JointState: lists, and no joint that is called "name"."""
    return isinstance(node.value, dict) and "name" in node.value and isinstance(node.value["name"].value, list)


def _pairs(file: File, node: YamlNode) -> Iterator[tuple[str, YamlNode]]:
    if not isinstance(node.value, dict):
        file.fail("must be a mapping of joints to positions, or a JointState with name and position", node.line)
    if not _is_state(node):
        yield from node.value.items()
        return
    listed, given = node.value["name"], node.value.get("position")
    if given is None or not isinstance(given.value, list) or len(given.value) != len(listed.value):
        found = len(given.value) if given is not None and isinstance(given.value, list) else 0
        file.fail(f"the JointState names {len(listed.value)} joints and has {found} positions", node.line)
    said: set[str] = set()
    for name, value in zip(listed.value, given.value, strict=True):
        if not isinstance(name.value, str):
            file.fail("the name of a joint must be a text", name.line)
        if name.value in said:
            file.fail(f"{name.value[:200]!r} appears twice", name.line)
        said.add(name.value)
        yield name.value, value


def listed(file: File, node: YamlNode) -> list[str]:
    """The texts of the numbers of a position."""
    if isinstance(node.value, str):
        return words(node.value)
    items = node.value
    if not isinstance(items, list) or not all(isinstance(item.value, str) for item in items):
        file.fail("a position is a number or a list of numbers", node.line)
    return [item.value for item in items]


def _of_csv(file: File, names: DofNames) -> dict[str, Asked]:
    """Rows of joint, value; or a row of names above one of values."""
    table = csv_rows(file)
    if not table:
        file.fail("holds no position of any joint")
    heads, values = table[0][1], table[1][1] if len(table) > 1 else []
    if values and all(numeric(value.replace(",", ".")) for value in values) and not any(map(numeric, heads)):
        if len(table) > 2:
            file.fail("has several rows of values: a motion is given with --trajectory", table[2][0])
        if len(heads) != len(values):
            file.fail(f"has {so_many(len(values), 'values')} below {so_many(len(heads), 'names')}", table[1][0])
        table = [(table[1][0], [head, value]) for head, value in zip(heads, values, strict=True)]
        table = [row for row in table if row[1][0].lower() != "time"]
    elif heads[0].lower() in _LEGEND and heads[-1].lower() in _LEGEND and not names.knows(heads[0]):
        table = table[1:]
    asked: dict[str, Asked] = {}
    said: set[str] = set()
    for line, (name, *cells) in table:
        if name in said:
            file.fail(f"{name[:200]!r} appears twice", line)
        said.add(name)
        place = file.place(line)
        given = [cell for cell in cells if cell]
        asked.update(read(names.find(name, place), given, name[:200], place))
    return asked


# --------------------------------------------------------------------------------------------------------------- SRDF


def _of_srdf(path: Path, wanted: str | None, names: DofNames, context: Context) -> dict[str, Asked]:
    """A group_state. Joints that URDF cannot hold are ignored, with a note if it matters."""
    data = content(path, "named by --pose")
    reading = ReaderContext(file=str(path), folder=path.parent, options=context.options)
    root = parse(data, reading, "srdf").root
    if root.tag != "robot":
        raise InputError(f"no SRDF: its root is <{root.tag[:200]}>, not <robot>", root.source)
    found = state_named(root.children("group_state"), wanted, path)
    virtual = {joint.get("name") for joint in root.children("virtual_joint")}
    asked: dict[str, Asked] = {}
    for joint in found.children("joint"):
        name, texts = joint.need("name"), (joint.get("value") or "").split()
        by = name[:200]
        if not names.knows(name) and (name in virtual or len(texts) == FLOATING):
            asked.update(_of_base(texts, by, joint, names, context))
        elif not (names.fixed(name) and all(numeric(text) and not float(text) for text in texts)):
            given = _coordinates_given(names.find(name, joint.source), texts, by, joint)
            asked.update(
                given if name in virtual else {each: _as_graph_counts(one, names, each) for each, one in given.items()}
            )
    return asked


def _as_graph_counts(asked: Asked, names: DofNames, dof: str) -> Asked:
    """Coordinates in terms of the graph: a floating joint of a URDF is relative to its <origin>."""
    joint, known = names.dofs[dof]
    return replace(asked, value=from_origin(joint, asked.value)) if known.kind is DofKind.FREE else asked


def _coordinates_given(dofs: list[Dof], texts: list[str], by: str, joint: Node) -> dict[str, Asked]:
    given = read(dofs, texts, by, joint.source)
    if dofs[0].kind is DofKind.FREE:  # MoveIt and Pinocchio use x y z and the quaternion x y z w
        return {each: replace(one, value=scalar_first(one.value)) for each, one in given.items()}
    return given


def _of_base(texts: list[str], by: str, joint: Node, names: DofNames, context: Context) -> dict[str, Asked]:
    """The joint that holds the robot in the world is only in the SRDF, under a name of its own (MoveIt's virtual_joint,
    Pinocchio's root_joint). It is the free base if the model has one."""
    base = [dof for each, dof in names.dofs.values() if dof.kind is DofKind.FREE and each.parent == WORLD]
    if len(base) == 1 and len(texts) == FLOATING:
        return _coordinates_given(base, texts, by, joint)
    reason = (
        "the pose includes the place of the robot, and the root of the source cannot move: a <virtual_joint> of type "
        "floating in its SRDF would allow it (--base takes effect later, and does in glTF and pictures)"
    )
    before = f"{joint.need('name')} {' '.join(texts)}"
    note(context, "pose/base", "document", reason, joint.source, before=before, action="ignored", severity="note")
    return {}
