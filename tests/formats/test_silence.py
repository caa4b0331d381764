"""A default of the source format is written out where the target has a different default.

Judged by MuJoCo's compiled model, libsdformat and lxml.
"""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from converters.convert import convert, read
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import of_rule

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
SDF = '<sdf version="1.9"><world name="w">{}<model name="m"><link name="b">{}</link></model></world></sdf>'
MJCF = """<mujoco model="m">{}<asset><material name="r" rgba="1 0 0 1"/><material name="s" specular=".25" shininess="1"
/></asset><worldbody><body name="b"><geom name="g" size="1" material="r"/><geom name="h" size="1" material="s"/>
<site name="at"/></body></worldbody>{}</mujoco>"""
MEASURED = '<sensor name="s" type="magnetometer"/>'
EARTH = (5.5645e-6, 22.8758e-6, -42.3884e-6)
"""In tesla, from world.sdf of libsdformat."""


BOUNDS = {"min": [0, 0, 0], "max": [1, 1, 0]}


def without_extras(value: Any) -> Any:
    """Return a glTF as saved by programs that do not keep Kinegraph's data."""
    if isinstance(value, list):
        return [without_extras(each) for each in value]
    return {k: without_extras(v) for k, v in value.items() if k != "extras"} if isinstance(value, dict) else value


def visual(name: str, material: str) -> str:
    return f'<visual name="{name}">{BOX}<material>{material}</material></visual>'


def same(one: Path, other: Path) -> bool:
    """Whether two documents have the same elements, with numbers compared as written."""
    ours, theirs = (list(etree.parse(str(path)).getroot().iter()) for path in (one, other))
    told = [[(each.tag, dict(each.attrib), (each.text or "").strip()) for each in side] for side in (ours, theirs)]
    return told[0] == told[1]


def test_a_material_of_sdf_has_no_highlight_unless_it_says_so(tmp_path: Path):
    looks = {"dif": "<diffuse>1 0 0 1</diffuse>", "all": "<diffuse>1 0 0 1</diffuse><specular>0.2 0.2 0.2 1</specular>"}
    source = saved(tmp_path / "w.sdf", SDF.format("", "".join(visual(*each) for each in looks.items())))
    report = convert(source, tmp_path / "w.xml")
    compiled = mujoco_model(tmp_path / "w.xml")
    shine = {name: float(compiled.mat_specular[compiled.geom(name).matid[0]]) for name in looks}
    assert shine == {"dif": 0.0, "all": pytest.approx(0.2)}
    assert [each.action for each in of_rule(report, "sdf/default-gloss")] == ["derived"]
    convert(tmp_path / "w.xml", tmp_path / "back" / "w.sdf")
    assert same(tmp_path / "back" / "w.sdf", source)


def test_a_material_of_mujoco_shines_by_half(tmp_path: Path):
    source = saved(tmp_path / "m.xml", MJCF.format("", ""))
    compiled = mujoco_model(source)
    assert compiled.mat("r").specular == compiled.mat("r").shininess == 0.5
    convert(source, tmp_path / "m.sdf")
    assert sdformat_reads(tmp_path / "m.sdf")["errors"] == []
    found = {
        each.getparent().get("name"): (each.findtext("specular"), each.findtext("shininess"))
        for each in etree.parse(str(tmp_path / "m.sdf")).iter("material")
    }
    assert found == {"g": ("0.5 0.5 0.5 1", "64"), "h": ("0.25 0.25 0.25 1", "128")}
    convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(source)


def test_what_says_no_diffuse_is_black(tmp_path: Path):
    """Material of libsdformat: the default diffuse is 0 0 0 1, whatever the ambient or specular colour is."""
    looks = {"amb": "<ambient>1 0 0 1</ambient>", "spec": "<specular>1 0 0 1</specular>", "none": ""}
    source = saved(tmp_path / "w.sdf", SDF.format("", "".join(visual(*each) for each in looks.items())))
    report = convert(source, tmp_path / "w.xml")
    compiled = mujoco_model(tmp_path / "w.xml")
    for name in looks:
        assert compiled.mat_rgba[compiled.geom(name).matid[0]].tolist() == [0, 0, 0, 1], name
    (told,) = of_rule(report, "sdf/material-black")
    assert told.count == 3
    convert(tmp_path / "w.xml", tmp_path / "back" / "w.sdf")
    assert same(tmp_path / "back" / "w.sdf", source)


def test_a_magnetometer_measures_the_field_of_its_world(tmp_path: Path):
    source = saved(tmp_path / "w.sdf", SDF.format("", MEASURED))
    report = convert(source, tmp_path / "w.xml")
    assert mujoco_model(tmp_path / "w.xml").opt.magnetic.tolist() == pytest.approx(list(EARTH))
    assert [each.where for each in of_rule(report, "sdf/default-field")] == ["physics/physics.magnetic"]
    convert(tmp_path / "w.xml", tmp_path / "back" / "w.sdf")
    assert same(tmp_path / "back" / "w.sdf", source)
    model = saved(tmp_path / "m.xml", MJCF.format("", '<sensor><magnetometer name="m" site="at"/></sensor>'))
    convert(model, tmp_path / "m.sdf")
    assert etree.parse(str(tmp_path / "m.sdf")).findtext("world/magnetic_field") == "0 -0.5 0"
    assert mujoco_model(model).opt.magnetic.tolist() == [0, -0.5, 0]
    convert(tmp_path / "m.sdf", tmp_path / "back.xml")
    assert read(tmp_path / "back.xml") == read(model)


def test_a_field_that_is_said_or_that_nobody_measures_stays(tmp_path: Path):
    said = saved(tmp_path / "w.sdf", SDF.format("<magnetic_field>1 2 3</magnetic_field>", MEASURED))
    convert(said, tmp_path / "w.xml")
    assert mujoco_model(tmp_path / "w.xml").opt.magnetic.tolist() == [1, 2, 3]
    convert(saved(tmp_path / "m.xml", MJCF.format('<option timestep=".01"/>', "")), tmp_path / "m.sdf")
    assert etree.parse(str(tmp_path / "m.sdf")).find("world/magnetic_field") is None


def test_what_has_no_material_in_a_gltf_is_called_alike_by_any_way(tmp_path: Path):
    data = b"".join(struct.pack("<3f", *corner) for corner in ((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "n", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"} | BOUNDS],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [
            {"byteLength": len(data), "uri": f"data:application/octet-stream;base64,{b64encode(data).decode()}"}
        ],
    }
    source = saved(tmp_path / "bare.gltf", json.dumps(document))
    convert(source, tmp_path / "ours.gltf")
    ours = json.loads((tmp_path / "ours.gltf").read_text())
    stranger = saved(tmp_path / "stranger.gltf", json.dumps(without_extras(ours)))
    names = []
    for each in (source, tmp_path / "ours.gltf", stranger):
        convert(each, each.with_suffix(".urdf"))
        names.append(set(etree.parse(str(each.with_suffix(".urdf"))).xpath("//visual/material/@name")))
    assert names == [{"white"}] * 3
