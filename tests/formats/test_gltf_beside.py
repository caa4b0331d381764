"""What somebody puts into an item of a document of ours is told, also where another change of the same item counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converters.context import Context, Options
from converters.convert import convert, load, make
from converters.gltf.data.container import unpack
from converters.gltf.edits.vocabulary import ITEMS, beside
from tests.corpus.models import models
from tests.formats.gltf_arm import SHAPES, by_name, edited
from tests.formats.test_gltf_writer import ARM
from tests.oracles.plain_gltf import plain_gltf
from tests.reports import explained, of_rule

Document = dict[str, Any]
LIGHTS = "KHR_lights_punctual"


def node(name: str) -> Callable[[Document], Document]:
    return lambda document: by_name(document, name)


def item(*path: str | int) -> Callable[[Document], Document]:
    def found(document: Document) -> Document:
        value: Any = document
        for step in path:
            value = value[step]
        assert isinstance(value, dict)
        return value

    return found


MOVED = {"translation": [0.1, 0.2, 0.3]}
PUT: dict[str, tuple[Callable[[Document], Document], Document, Document, str]] = {
    "body": (node("upper"), MOVED, {"skin": 0}, "skin"),
    "geom": (node("bar"), MOVED, {"weights": [0.5]}, "weights"),
    "frame": (node("tip"), MOVED, {"scale": [2, 2, 2]}, "scale"),
    "camera": (node("eye"), MOVED, {"foo": 1}, "foo"),
    "light": (node("lamp"), MOVED, {"foo": 1}, "foo"),
    "look": (item("materials", 0), {"emissiveFactor": [1, 0, 0]}, {"extensions": {"X_y": {}}}, "X_y"),
    "lens": (item("cameras", 0, "perspective"), {"yfov": 0.5}, {"foo": 1}, "foo"),
    "lamp": (item("extensions", LIGHTS, "lights", 0), {"intensity": 9}, {"extras": {"a": 1}}, "extras"),
    "shape": (item("extensions", SHAPES, "shapes", 0, "box"), {"size": [1, 2, 3]}, {"extras": {"a": 1}}, "extras"),
}
"""An item, a change of it that counts, and what is put beside that; the member that this is."""


@pytest.mark.parametrize("kind", PUT)
def test_what_was_put_beside_a_change_that_counts_is_told(arm: Path, kind: str) -> None:
    found, counts, put, member = PUT[kind]
    alone = explained(convert(edited(arm, lambda document: found(document).update(counts)), arm.with_name("one.xml")))
    both = explained(
        convert(edited(arm, lambda document: found(document).update(counts | put)), arm.with_name("both.xml"))
    )
    told, more = of_rule(alone, "gltf/edited"), of_rule(both, "gltf/edited")
    assert told and all(each.action == "derived" for each in told)
    assert [each.where for each in more if each.action == "derived"] == [each.where for each in told]
    (left,) = [each for each in more if each.action == "dropped"]
    (source,) = left.sources
    assert source.path.rpartition("/")[2] in (member, "0")  # of a shape the whole item


@pytest.mark.parametrize("compress", ["none", "quantize", "draco"])
def test_no_document_of_ours_says_more(tmp_path: Path, compress: Any) -> None:
    (tmp_path / "arm.urdf").write_text(ARM)
    sources = [
        tmp_path / "arm.urdf",
        *(each.path for each in models() if "ur5_robot" in each.name or "romeo" in each.name),
    ]
    for source in sources:
        made = make(load(source), tmp_path / "out.glb", options=Options(compress=compress, audit=False))
        root = unpack(made.output.document, Context(file="out.glb", folder=tmp_path)).document.root
        for section in ("nodes", *ITEMS):
            *above, table = section.split("/")
            holder = root
            for name in above:
                holder = holder.child(name) or holder
            found = [pointer for each in holder.children(table) for pointer in beside(each, section)]
            assert found == []


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("target", ["out.glb", "out.sdf", "out.xml", "out.urdf"])
def test_alpha_that_became_a_mask_is_one(arm: Path, target: str, colour: bool) -> None:
    """Alone, and beside another colour; where the format has none that is told."""

    def mask(document: Document) -> None:
        look = document["materials"][0]
        look |= {"alphaMode": "MASK", "alphaCutoff": 0.25}
        if colour:
            look["pbrMetallicRoughness"]["baseColorFactor"] = [0, 1, 0, 1]

    report = explained(convert(edited(arm, mask), arm.with_name(target)))
    (told,) = of_rule(report, "gltf/edited")
    assert "0.25" in told.after and told.action == "derived"
    if target == "out.glb":
        looks = plain_gltf(arm.with_name(target)).document["materials"]
        assert [(each["alphaMode"], each["alphaCutoff"]) for each in looks if "alphaCutoff" in each] == [("MASK", 0.25)]
    else:
        assert any("MASK" in each.before and each.action in ("carried", "dropped") for each in report.findings)


def test_what_a_copy_of_the_graph_says_otherwise_is_found_by_comparison(arm: Path) -> None:
    def change(document: Document) -> None:
        extras = document["nodes"][0]["extras"]
        extras["kinegraph"] = extras["kinegraph"].replace('"damping":0.3', '"damping":0.25', 1)

    report = explained(convert(edited(arm, change), arm.with_name("out.xml")))
    assert [(each.where, each.before, each.after) for each in of_rule(report, "gltf/edited")] == [
        ("joint/turn.dofs.0.damping", "0.25", "0.3")
    ]
