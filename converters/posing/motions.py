"""Files of motions: CSV, JSON, ROS JointTrajectory in YAML or JSON, and tables of numpy."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from converters.context import InputError
from converters.posing.arrays import of_archive, of_array
from converters.posing.coordinates import DofNames, amount, words
from converters.posing.documents import File, YamlNode, csv_rows, documents, numeric, open_text, unread
from converters.posing.recorded import Recording, checked_recording
from converters.posing.sampling import MOST_NUMBERS, MOST_SAMPLES
from converters.source.text import parse_number
from ir.arrays import Floats, np
from ir.kinematics import coordinate_size
from ir.names import so_many
from ir.types import Dof

SUFFIXES = (".csv", ".json", ".yaml", ".yml", ".npy", ".npz")
_PART = re.compile(r"(?P<name>.+)\[(?P<part>\d)\]", re.DOTALL)
_WRAPPERS = ("trajectory", "joint_trajectory", "goal")
_TIMES = ("time", "time_from_start", "t")
_FRAMES = ("frames", "times")
_USED = frozenset([*_WRAPPERS, *_TIMES, *_FRAMES, "joint_names", "joints", "points", "positions", "name", "position"])


def table(word: str, names: DofNames) -> Recording:
    """The motion in a file. Raises InputError, with the line if there is one."""
    path = Path(word)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = f"a motion is a file that ends in {', '.join(SUFFIXES)}, or the word sweep"
        raise InputError(f"--trajectory {word[:200]}: {known}")
    if suffix in (".npy", ".npz"):
        return checked_recording(*(of_array if suffix == ".npy" else of_archive)(path, names))
    file = open_text(path, "named by --trajectory")
    return _of_csv(file, names) if suffix == ".csv" else _of_document(file, names)


# --------------------------------------------------------------------------------------------------------------- CSV


def _of_csv(file: File, names: DofNames) -> Recording:
    found = csv_rows(file)
    if not found:
        file.fail("holds no motion: the first row names time and joints")
    first, heads = found[0]
    if heads[0].lower() not in _TIMES:
        file.fail(
            f"the first line names the columns, time,JOINT,JOINT...: the first must be time, not {heads[0][:200]!r}",
            first,
        )
    joints = heads[1:]
    while joints and not joints[-1]:
        joints.pop()
    if "" in joints:
        file.fail(f"column {joints.index('') + 2} has no name", first)
    cells = []
    for line, row in found[1:]:
        named = len(joints) + 1
        stray = next(filter(None, row[named:]), None)
        if stray is not None:
            file.fail(f"{stray[:200]!r} is in no column: the first row names {named}", line)
        if len(row) < named:
            file.fail(f"has {so_many(len(row), 'columns')}, not the {named} of the first row", line)
        cells.append(row[:named])
    return _made(file, names, joints, first, cells, [line for line, _ in found[1:]])


def _made(
    file: File, names: DofNames, heads: Sequence[str], line: int, cells: Sequence[Sequence[str]], lines: Sequence[int]
) -> Recording:
    """Texts, the time first, as a table with checked columns and times."""
    if not cells:
        file.fail("holds no sample", line)
    if not heads:
        file.fail("names no joint", line)
    if len(cells) > MOST_SAMPLES or len(cells) * len(heads) > MOST_NUMBERS:
        file.fail(f"holds more than {MOST_SAMPLES} samples or {MOST_NUMBERS} numbers")
    columns = _columns(file, names, heads, line)
    data = np.empty((len(cells), len(heads) + 1))
    plain = file.text.isascii() and "_" not in file.text  # float() also accepts 1_0 and non-ASCII digits
    for row, texts in enumerate(cells):
        try:
            if not plain:
                raise ValueError
            data[row] = [float(text) for text in texts]
        except ValueError:
            data[row] = _slowly(file, texts, [None, *[dof for dof, _ in columns]], lines[row])
    whole = np.isfinite(data).all(axis=1)
    if not whole.all():
        row = int(np.argmin(whole))
        column = int(np.argmin(np.isfinite(data[row])))
        file.fail(f"{cells[row][column][:200]!r} is not a finite number", lines[row])
    tracks: dict[str, Floats] = {}
    for number, (dof, part) in enumerate(columns):
        tracks.setdefault(dof.name, np.empty((len(cells), coordinate_size(dof))))[:, part] = data[:, number + 1]
    found = Recording(str(file.path), data[:, 0].copy(), tracks, lines)
    return checked_recording(found, [dof for dof, _ in columns])


def _slowly(file: File, texts: Sequence[str], dofs: Sequence[Dof | None], line: int) -> list[float]:
    """Numbers of which some have units, or are invalid."""
    try:
        return [parse_number(text) if dof is None else amount(text, dof) for text, dof in zip(texts, dofs, strict=True)]
    except ValueError as error:
        file.fail(str(error), line)


def _columns(file: File, names: DofNames, heads: Sequence[str], line: int) -> list[tuple[Dof, int]]:
    """The dof of each column, and which of its coordinates it is: ball[0], ball[1] ..."""
    columns: list[tuple[Dof, int]] = []
    for head in heads:
        matched = None if names.knows(head) else _PART.fullmatch(head)
        dofs = names.find(matched["name"] if matched else head, file.place(line))
        part = int(matched["part"]) if matched else 0
        own = _parts(dofs)
        parts = [*own.values()]
        if matched is None and len(parts) > 1:
            file.fail(f"{head!r} has {len(parts)} coordinates; their columns are {', '.join(own)}", line)
        if part >= len(parts):
            file.fail(f"{head[:200]!r}: it has only {so_many(len(parts), 'coordinates')}", line)
        if parts[part] in columns:
            file.fail(f"{head[:200]!r} appears twice", line)
        columns.append(parts[part])
    for dof in {dof.name: dof for dof, _ in columns}.values():
        there = sum(other.name == dof.name for other, _ in columns)
        if there != coordinate_size(dof):
            file.fail(f"{dof.name!r} has {coordinate_size(dof)} coordinates, and {there} columns", line)
    return columns


def _parts(dofs: Iterable[Dof]) -> dict[str, tuple[Dof, int]]:
    """The name of a column for each coordinate of dofs, the dof, and which of its coordinates it is."""
    parts = [(dof, part) for dof in dofs for part in range(coordinate_size(dof))]
    return {dof.name if coordinate_size(dof) == 1 else f"{dof.name}[{part}]": (dof, part) for dof, part in parts}


# ---------------------------------------------------------------------------------------------------- YAML and JSON


def _of_document(file: File, names: DofNames) -> Recording:
    """{joint_names, points} or {joint_names, times, frames}, a list of {time, positions: {joint: value}}, or the log of
    JointState messages: a list of them, or one a document."""
    nodes = documents(file)
    if not nodes:
        file.fail("holds no motion")
    *outer, node = _unwrapped(file, nodes[0])
    listed = node.value if isinstance(node.value, list) else nodes
    if listed and all(_is_state(each) for each in listed):
        return _of_states(file, names, listed)
    if len(nodes) > 1:
        file.fail("a second document begins: give each motion a file of its own", nodes[1].line)
    unused = _unused([*outer, node])
    if isinstance(node.value, list):
        return replace(_of_samples(file, names, node), unused=unused | _unused(node.value))
    if not isinstance(node.value, dict) or not ("points" in node.value or all(key in node.value for key in _FRAMES)):
        file.fail(
            "must be a list of {time, positions}, a trajectory with joint_names and points or times and frames, or "
            "messages with name, position and header",
            node.line,
        )
    found = _of_trajectory(file, names, node)
    points = _unused(node.value["points"].value) if "points" in node.value else {}
    return replace(found, unused=unused | points)


def _of_trajectory(file: File, names: DofNames, node: YamlNode) -> Recording:
    """A JointTrajectory (ROS): joint_names once, and a row of positions for each time."""
    assert isinstance(node.value, dict)
    heads = node.value.get("joint_names", node.value.get("joints"))
    if heads is None or not isinstance(heads.value, list) or not all(isinstance(h.value, str) for h in heads.value):
        file.fail("joint_names must be a list of names", node.line)
    joints = [head.value for head in heads.value]
    cells: list[list[str]] = []
    lines: list[int] = []
    for time, positions in _points(file, node.value):
        values = [_text(file, item) for item in _list(file, positions, "positions")]
        if len(values) != len(joints):
            file.fail(f"has {so_many(len(values), 'positions')} for {so_many(len(joints), 'joints')}", positions.line)
        cells.append([time, *values])
        lines.append(positions.line)
    return _made(file, names, joints, heads.line, cells, lines)


def _points(file: File, members: Mapping[str, YamlNode]) -> Iterator[tuple[str, YamlNode]]:
    """The time of each sample as text, and its positions."""
    if "points" in members:
        for point in _list(file, members["points"], "points"):
            positions = _member(file, point, "positions")
            yield _time(file, point), positions
        return
    frames, times = (_list(file, members[key], key) for key in _FRAMES)
    if len(frames) != len(times):
        file.fail(f"has {so_many(len(frames), 'frames')} and {so_many(len(times), 'times')}", members["frames"].line)
    for frame, time in zip(frames, times, strict=True):
        yield _text(file, time), frame


def _unused(nodes: Iterable[YamlNode], known: Container[str] = _USED) -> dict[str, int]:
    """What they say besides times and positions: the members, and where they stand first."""
    found: dict[str, int] = {}
    for node in nodes:
        for key, line in unread(node, known):
            found.setdefault(key, line)
    return found


def _unwrapped(file: File, node: YamlNode) -> list[YamlNode]:
    """The trajectory inside of a goal or of a state of several messages, after its enclosing mappings."""
    found = [node]
    while isinstance(node.value, dict) and "points" not in node.value:
        inner = next((node.value[key] for key in _WRAPPERS if key in node.value), None)
        if inner is None:
            break
        if isinstance(inner.value, list) and all("joint_trajectory" in each.value for each in inner.value):
            if len(inner.value) != 1:
                file.fail(f"holds {len(inner.value)} trajectories: give each a file of its own", inner.line)
            inner = inner.value[0]
        node = inner
        found.append(node)
    return found


def _is_state(node: YamlNode) -> bool:
    return isinstance(node.value, dict) and {"name", "position", "header"} <= node.value.keys()


def _of_states(file: File, names: DofNames, states: Sequence[YamlNode]) -> Recording:
    """Messages in their order: a joint that a message does not name keeps its position, and has its first known
    position before.

    Times are relative to the first stamp.
    """
    told: list[dict[str, str]] = []
    stamps: list[int] = []
    for state in states:
        heads, values = (_list(file, _member(file, state, key), key) for key in ("name", "position"))
        if len(heads) != len(values):
            file.fail(
                f"the JointState names {so_many(len(heads), 'joints')} and has {so_many(len(values), 'positions')}",
                state.line,
            )
        told.append({_text(file, head): _text(file, value) for head, value in zip(heads, values, strict=True)})
        if len(told[-1]) < len(heads):
            file.fail("the JointState names a joint twice", state.line)
        stamp = _member(file, _member(file, state, "header"), "stamp")
        stamps.append(_nanoseconds(file, stamp))
    now: dict[str, str] = {}
    for each in reversed(told):
        now.update(each)
    heads_ = list(dict.fromkeys(name for each in told for name in each))
    cells = []
    for stamp_, each in zip(stamps, told, strict=True):
        now.update(each)
        cells.append([repr((stamp_ - stamps[0]) / 1e9), *[now[name] for name in heads_]])
    found = _made(file, names, heads_, states[0].line, cells, [state.line for state in states])
    return replace(found, unused=_unused(states, {*_USED, "header"}))


def _of_samples(file: File, names: DofNames, node: YamlNode) -> Recording:
    heads: list[str] = []
    cells: list[list[str]] = []
    lines: list[int] = []
    for point in _list(file, node, "the motion"):
        positions = _member(file, point, "positions")
        if not isinstance(positions.value, dict):
            file.fail("positions must be a mapping of joints to numbers", positions.line)
        values: dict[str, str] = {}
        for name, item in positions.value.items():
            values.update(_spread(file, name, item, names))
        if not lines:
            heads = list(values)
        elif values.keys() != set(heads):
            odd = sorted(values.keys() ^ set(heads))[0]
            file.fail(f"every sample must name the same joints; {odd[:200]!r} is not in all of them", positions.line)
        cells.append([_time(file, point), *[values[head] for head in heads]])
        lines.append(point.line)
    return _made(file, names, heads, node.line, cells, lines)


def _spread(file: File, name: str, item: YamlNode, names: DofNames) -> dict[str, str]:
    """Columns of one position: that of the joint, or one for each of its coordinates."""
    if isinstance(item.value, str):
        values = words(item.value)
    else:
        values = [_text(file, each) for each in _list(file, item, name)]
    if len(values) == 1:
        return {name: values[0]}
    parts = _parts(names.find(name, file.place(item.line)))
    if len(values) != len(parts):
        file.fail(f"{name[:200]!r} takes {so_many(len(parts), 'numbers')}, not {len(values)}", item.line)
    return dict(zip(parts, values, strict=True))


def _time(file: File, point: YamlNode) -> str:
    """Seconds as text: a number, or whole seconds and nanoseconds (ROS 1 secs nsecs, ROS 2 sec nanosec)."""
    assert isinstance(point.value, dict)
    found: YamlNode | None = next((point.value[key] for key in _TIMES if key in point.value), None)
    if found is None:
        file.fail("a sample has no time", point.line)
    if isinstance(found.value, str):
        return found.value
    return repr(_nanoseconds(file, found) / 1e9)


def _nanoseconds(file: File, node: YamlNode) -> int:
    """Whole seconds and nanoseconds (ROS 1 secs nsecs, ROS 2 sec nanosec), or a number of seconds."""
    if isinstance(node.value, str) and numeric(node.value) and math.isfinite(float(node.value) * 1e9):
        return round(float(node.value) * 1e9)
    if not isinstance(node.value, dict):
        file.fail("a time is a number or seconds and nanoseconds", node.line)
    try:
        return _whole(node.value, "secs", "sec") * 10**9 + _whole(node.value, "nsecs", "nanosec")
    except ValueError:
        file.fail("a time is a number or whole seconds and nanoseconds", node.line)


def _whole(members: dict[str, Any], *keys: str) -> int:
    text = next((members[key].value for key in keys if key in members), "0")
    if not isinstance(text, str) or len(text) > 20:
        raise ValueError
    return int(text)


def _member(file: File, point: YamlNode, key: str) -> YamlNode:
    found = point.value.get(key) if isinstance(point.value, dict) else None
    if not isinstance(found, YamlNode):
        file.fail(f"a sample must have {key}", point.line)
    return found


def _list(file: File, node: YamlNode, what: str) -> list[YamlNode]:
    if not isinstance(node.value, list):
        file.fail(f"{what} must be a list", node.line)
    return node.value


def _text(file: File, node: YamlNode) -> str:
    if not isinstance(node.value, str):
        file.fail("a position must be a number", node.line)
    return node.value
