"""Documents with random changes are read or refused; each change appears in the output or in the report."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from converters.context import InputError, ReaderContext
from converters.convert import load, make
from converters.gltf.data.container import pack
from converters.gltf.reader import read
from ir.check import problems
from tests.formats.gltf_bodies import BODIES, HINGE, pendulum
from tests.formats.gltf_made import CORNERS, Made
from tests.formats.test_gltf_reader import TURN
from tests.formats.test_gltf_reader_looks import image, textured
from tests.formats.test_gltf_reader_meshes import draco

Path_ = tuple[Any, ...]
VALUES: list[Any] = [
    None,
    -1,
    0,
    1,
    99,
    2**31,
    2**63,
    1.5,
    1e308,
    1e-320,
    True,
    False,
    "",
    "x",
    "BLEND",
    [],
    {},
    [0],
    [[]],
]
VALUES += [[{}], {"a": 1}, [1, 2, 3], [0, 0, 0, 0], [1e200] * 3, [0] * 16, "../../etc/passwd", "data:;base64,AAAA"]
SHARE = 400
"""Number of mutations per document."""
FAULTS = frozenset({"model/limits-reversed", "model/impossible-inertia", "model/negative-mass"})
"""Faults that a document may contain, and that the graph then contains as well."""


def rich() -> Made:
    """Materials, an embedded image, a camera, a light, sparse and shared values, uneven scales, a second scene."""
    made = textured(image(), "image/png", extensions={"KHR_texture_transform": {"offset": [0.5, 0]}})
    made.root["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {"outerConeAngle": 0.5}}]}}
    made.root["cameras"] = [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]
    lamp = made.node(name="lamp", extensions={"KHR_lights_punctual": {"light": 0}})
    eye = made.node(name="eye", camera=0, translation=[0, 1, 0], children=[lamp])
    made.root["nodes"][0] |= {"rotation": TURN, "scale": [1, 2, 3], "children": [eye], "extras": {"a": [1]}}
    made.root["accessors"][0] |= {"min": [0.1, 0.2142857], "max": [0.7857143, 0.9]}
    made.scene(made.node(name="spare"))
    return made


def swinging() -> Made:
    drive = {"type": "angular", "mode": "force", "axis": 0, "stiffness": 3, "positionTarget": 0.5, "maxForce": 9}
    made = pendulum({"limits": [*HINGE, {"angularAxes": [0], "min": -1, "max": 2}], "drives": [drive]})
    made.root["extensions"][BODIES]["physicsMaterials"] = [{"dynamicFriction": 0.5, "staticFriction": 0.5}]
    collider = made.root["nodes"][1]["extensions"][BODIES]["collider"]
    collider["physicsMaterial"] = 0
    made.root["nodes"][1]["mesh"] = made.mesh(made.primitive(CORNERS, name="no member of glTF"))
    return made


MADE = {"rich": rich, "swinging": swinging, "compressed": lambda: draco(True)}


def paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of every value in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from paths(item, (*path, key))


def at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def mutated(root: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    """Return the document with up to three members removed, copied elsewhere, or changed."""
    root = copy.deepcopy(root)
    for _ in range(generator.choice((1, 1, 2, 3))):
        places = list(paths(root))
        path = generator.choice(places)
        owner = at(root, path[:-1])
        chance = generator.random()
        if chance < 0.2:
            del owner[path[-1]]
        elif chance < 0.4:
            owner[path[-1]] = copy.deepcopy(at(root, generator.choice(places)))
        else:
            owner[path[-1]] = copy.deepcopy(generator.choice(VALUES))
    return root


@pytest.mark.parametrize("name", MADE)
def test_a_mutilated_document_is_read_or_refused(name: str):
    made = MADE[name]()
    made.glb()
    generator = random.Random(name)
    outcomes = {"read": 0, "refused": 0}
    for _ in range(SHARE):
        root = mutated(made.root, generator)
        context = ReaderContext(file="model.glb", folder=Path("/nowhere"))
        try:
            scene = read(pack(json.dumps(root).encode(), [made.binary]), context)
        except InputError as error:
            assert error.source is not None, error
            outcomes["refused"] += 1
            continue
        outcomes["read"] += 1
        for document in context.documents:
            document.totals()
        errors = [each for each in problems(scene) if each.severity == "error" and each.rule not in FAULTS]
        assert errors == [], root
    assert min(outcomes.values()) > SHARE / 20, outcomes


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value * 0.75 + 0.01 if isinstance(value, float) else f"{value}x"


@pytest.mark.parametrize("name", MADE)
def test_what_is_changed_shows_in_the_output_or_in_the_report(name: str, tmp_path: Path):
    made = MADE[name]()
    made.glb()
    source = tmp_path / "model.glb"

    def outcome(root: dict[str, Any]) -> tuple[object, set[str]]:
        source.write_bytes(pack(json.dumps(root).encode(), [made.binary]))
        result = make(load(source), tmp_path / "out" / "model.urdf")
        places = {place.path for finding in result.findings for place in finding.sources}
        return (result.output.document, dict(result.output.files)), places

    base, _ = outcome(made.root)
    silent = []
    leaves = [path for path in paths(made.root) if not isinstance(at(made.root, path), (dict, list, type(None)))]
    for path in leaves:
        root = copy.deepcopy(made.root)
        at(root, path[:-1])[path[-1]] = changed(at(root, path))
        try:
            output, places = outcome(root)
        except InputError:
            continue
        above = {"/" + "/".join(map(str, path[:length])) for length in range(1, len(path) + 1)}
        if output == base and not above & places:
            silent.append((path, at(made.root, path)))
    assert silent == []
