"""Nodes of a document of Kinegraph that an edit has hidden (KHR_node_visibility)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from converters.convert import convert, read
from tests.files import saved
from tests.formats.gltf_arm import ARM, as_gltf, back, by_name, edited, told
from tests.formats.gltf_made import Made, left, scene_of
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import explained

VISIBILITY = "KHR_node_visibility"


@pytest.mark.parametrize(
    ("node", "hidden"), [("bar", {"bar"}), ("upper", {"bar"}), ("base", {"plate", "bar"}), ("arm", {"plate", "bar"})]
)
def test_what_was_hidden_is_seen_through(tmp_path: Path, node: str, hidden: set[str]):
    """A node hides all nodes below it."""

    def change(document: dict[str, Any]) -> None:
        by_name(document, node).setdefault("extensions", {})[VISIBILITY] = {"visible": False}
        document["extensionsUsed"].append(VISIBILITY)

    changed = edited(as_gltf(ARM, tmp_path / "arm.gltf"), change)
    found = told(changed, tmp_path / "back.xml")
    (note,) = found.values()  # equal ones are one
    assert (note.where.removeprefix("geom/") in hidden, note.count, note.action) == (True, len(hidden), "derived")
    assert back(tmp_path / "back.xml").nmat >= 1
    scene = read(changed)
    assert {geom.name for geom in scene.geoms() if geom.transparency == 1.0} == hidden
    told(changed, tmp_path / "again.gltf")
    assert {geom.name for geom in read(tmp_path / "again.gltf").geoms() if geom.transparency == 1.0} == hidden


@pytest.mark.parametrize(
    ("shows", "expected"), [(False, {"top:extensions/KHR_node_visibility/visible"}), (True, set())]
)
def test_that_nothing_is_hidden_is_left_over(shows: bool, expected: set[str]):
    """Whether a node without content is visible affects no output."""
    made = Made(extensionsUsed=[VISIBILITY])
    leaf = made.node(name="leaf", **({"mesh": made.mesh()} if shows else {}))
    made.scene(made.node(name="top", children=[leaf], extensions={VISIBILITY: {"visible": False}}))
    assert left(scene_of(made)).keys() == expected


def test_what_is_visible_by_its_own_words_is_no_edit_of_a_geom(tmp_path: Path):
    def change(document: dict[str, Any]) -> None:
        by_name(document, "bar").setdefault("extensions", {})[VISIBILITY] = {"visible": True}
        document["extensionsUsed"].append(VISIBILITY)

    changed = edited(as_gltf(ARM, tmp_path / "arm.gltf"), change)
    assert all(where.startswith("scene") for where in told(changed, tmp_path / "back.xml"))
    assert all(geom.transparency == 0.0 for geom in read(changed).geoms())


def test_a_geom_with_a_colour_of_its_own_is_hidden_alone_in_mujoco(tmp_path: Path):
    """Colours of geoms have no names in MJCF: a reader numbers them."""
    half, whole = (f'type="box" size="1 1 1" rgba=".5 .7 .5 {alpha}"' for alpha in (0.25, 1))
    geoms = f'<geom name="g" {half}/><geom name="h" {half}/><geom name="k" {whole}/>'
    source = saved(tmp_path / "m.xml", f'<mujoco><worldbody><body name="b">{geoms}</body></worldbody></mujoco>')

    def change(document: dict[str, Any]) -> None:
        by_name(document, "g").setdefault("extensions", {})[VISIBILITY] = {"visible": False}
        document["extensionsUsed"].append(VISIBILITY)

    convert(source, tmp_path / "m.gltf")
    explained(convert(edited(tmp_path / "m.gltf", change), tmp_path / "back.xml"))
    model = mujoco_model(tmp_path / "back.xml")
    looks = [
        model.mat_rgba[own] if own >= 0 else rgba for own, rgba in zip(model.geom_matid, model.geom_rgba, strict=True)
    ]
    assert [look[3] for look in looks] == [0.0, 0.25, 1.0]
