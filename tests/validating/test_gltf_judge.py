"""A glTF with most of the specification, damaged at several hundred places: what the Khronos validator calls an error
is an error here."""

from __future__ import annotations

import base64
import copy
import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from converters.validating import validate
from converters.validating.rules import ERROR
from converters.validating.run import severity
from tests.oracles.in_khronos import khronos_reads
from tests.validating.gltf_rich import Document, N, rich

SAMPLE = 600
Step = str | int


def places(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key), inner
        yield from places(inner, (*path, key))


def others(value: Any) -> list[Any]:
    """Return possible replacements of a value."""
    match value:
        case bool():
            return ["yes", 1]
        case int():
            return [value + 1, value - 1, 0, -1, 0.5, "a", None, 1000000, [value]]
        case float():
            return [value + 0.7, -value - 0.3, 0.0, "a", None, 1e30, [value]]
        case str():
            return [f"{value}_x", "", 5, None, [value]]
        case list():
            return [[], value[:-1], value + value[-1:], value[::-1], {}, None, [*value, "a"]]
        case _:
            return [{}, [], None, "a", 5]


def damages(document: Document) -> Iterator[tuple[str, Document]]:
    """Yield the document with each member deleted, and changed in every way."""
    for path, value in places(document):
        if path[-1] == "uri":
            continue
        for other in (..., *others(value)):
            damaged = copy.deepcopy(document)
            holder: Any = damaged
            for step in path[:-1]:
                holder = holder[step]
            if other is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = copy.deepcopy(other)
            yield f"{'/'.join(map(str, path))} {other if other is not ... else 'deleted'}", damaged


def errors(path: Path) -> list[str]:
    return [breach.message for breach in validate(path).breaches if severity(breach) == ERROR]


def written(folder: Path, documents: list[Document]) -> list[Path]:
    files = [folder / f"{number}.gltf" for number in range(len(documents))]
    for file, document in zip(files, documents, strict=True):
        file.write_text(json.dumps(document))
    return files


def test_a_rich_document_is_valid(tmp_path: Path) -> None:
    file = written(tmp_path, [rich()])[0]
    assert (khronos_reads([file])[0]["errors"], errors(file)) == (0, [])


def test_what_khronos_calls_an_error_is_one(tmp_path: Path) -> None:
    chosen = random.Random(5).sample([*damages(rich())], SAMPLE)
    files = written(tmp_path, [document for _, document in chosen])
    answers = khronos_reads(files)
    assert sum(answer["errors"] > 0 for answer in answers) > SAMPLE // 2
    missed = [
        name
        for (name, _), file, answer in zip(chosen, files, answers, strict=True)
        if answer["errors"] and not errors(file)
    ]
    assert missed == []


VALUES: dict[str, tuple[str, int, str, tuple[float, ...], str]] = {
    "a normal of no length": ("normals", 0, "3f", (0, 0, 0), "ACCESSOR_VECTOR3_NON_UNIT"),
    "a long normal": ("normals", 0, "3f", (0, 0, 1.01), "ACCESSOR_VECTOR3_NON_UNIT"),
    "a tangent of no side": ("tangents", 12, "f", (0.5,), "ACCESSOR_INVALID_SIGN"),
    "weights of less than one": ("weights", 0, "2f", (0.5, 0.4), "ACCESSOR_WEIGHTS_NON_NORMALIZED"),
    "a weight below zero": ("weights", 0, "2f", (-0.5, 1.5), "ACCESSOR_WEIGHTS_NEGATIVE"),
    "a joint twice": ("joints", 0, "4B", (1, 1, 0, 0), "ACCESSOR_JOINTS_INDEX_DUPLICATE"),
    "a joint that is not there": ("joints", 0, "4B", (0, 2, 0, 0), "ACCESSOR_JOINTS_INDEX_OOB"),
    "an index beyond the corners": ("indices", 0, "3H", (0, 1, 3), "ACCESSOR_INDEX_OOB"),
    "an index that begins anew": ("indices", 0, "3H", (0, 1, 65535), "ACCESSOR_INDEX_PRIMITIVE_RESTART"),
    "times that stand still": ("times", 0, "2f", (0, 0), "ACCESSOR_ANIMATION_INPUT_NON_INCREASING"),
    "a time before zero": ("times", 0, "2f", (-1, 1), "ACCESSOR_ANIMATION_INPUT_NEGATIVE"),
    "a long quaternion": (
        "turns",
        0,
        "4f",
        (0, 0, 0, 1.1),
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
    ),
    "a bone that is no motion": ("bones", 12, "f", (0.5,), "ACCESSOR_INVALID_IBM"),
    "a number that is none": ("places", 0, "f", (float("nan"),), "ACCESSOR_INVALID_FLOAT"),
    "bounds of lines": ("lines", 0, "f", (-5,), "ACCESSOR_MIN_MISMATCH"),
}


@pytest.mark.parametrize("what", VALUES)
def test_numbers_in_arrays_are_looked_at(tmp_path: Path, what: str) -> None:
    name, offset, form, numbers, code = VALUES[what]
    document = rich()
    head, _, body = document["buffers"][0]["uri"].partition(",")
    data = bytearray(base64.b64decode(body))
    struct.pack_into(f"<{form}", data, document["bufferViews"][N[name]]["byteOffset"] + offset, *numbers)
    document["buffers"][0]["uri"] = f"{head},{base64.b64encode(data).decode()}"
    file = written(tmp_path, [document])[0]
    assert code in {each["code"] for each in khronos_reads([file])[0]["messages"] if each["severity"] == 0}
    assert errors(file)


def test_a_glb_holds_nothing_else(tmp_path: Path) -> None:
    """4.4: neither a second chunk of a type nor zeros after the text; and no byte order mark in a .gltf."""
    text = json.dumps(rich()).encode()
    padded, zeros = text + b" " * (-len(text) % 4), text + b" " * (-len(text) % 4) + b"\0" * 4
    twice = struct.pack("<II", len(padded), 0x4E4F534A) + padded

    def glb(body: bytes, behind: bytes = b"") -> bytes:
        chunk = struct.pack("<II", len(body), 0x4E4F534A) + body + behind
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunk)) + chunk

    wrong = {"twice.glb": glb(padded, twice), "zeros.glb": glb(zeros), "mark.gltf": b"\xef\xbb\xbf" + text}
    for name, data in ({"good.glb": glb(padded)} | wrong).items():
        (tmp_path / name).write_bytes(data)
        answer = khronos_reads([tmp_path / name])[0]
        assert (answer["errors"] > 0, bool(errors(tmp_path / name))) == (name in wrong, name in wrong), name
