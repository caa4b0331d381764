"""Files that SDFormat references and the graph does not know: copied to another folder, or reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from converters.convert import convert
from converters.report.model import exit_code
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import of_rule

MAPS = ("normal", "roughness", "metalness", "emissive", "ambient_occlusion", "environment", "light")
FLOWS = {
    "metal": "".join(f"<{name}_map>tex/{name}.png</{name}_map>" for name in MAPS),
    "specular": "<specular_map>tex/specular.png</specular_map><glossiness_map>tex/glossiness.png</glossiness_map>",
}
BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
VISUALS = "".join(
    f'<visual name="{flow}">{BOX}<material><diffuse>1 1 1 1</diffuse><pbr><{flow}>'
    f"<albedo_map>tex/{flow}.png</albedo_map>{maps}</{flow}></pbr></material></visual>"
    for flow, maps in FLOWS.items()
)
LINK = (
    f'{VISUALS}<visual name="s">{BOX}<material><diffuse>1 1 1 1</diffuse><shader type="normal_map_tangent_space">'
    "<normal_map>tex/shader.png</normal_map></shader></material></visual>"
    '<particle_emitter name="p" type="box"><color_range_image>tex/range.png</color_range_image></particle_emitter>'
    '<projector name="j"><texture>tex/thrown.png</texture></projector>'
    "<audio_source><uri>tex/sound.wav</uri></audio_source>"
)
SKY = "<scene><sky><cubemap_uri>tex/sky.dds</cubemap_uri></sky></scene>"
ACTOR = (
    '<actor name="a"><skin><filename>tex/walk.dae</filename></skin>'
    '<animation name="w"><filename>tex/move.dae</filename></animation></actor>'
)
MODEL = f'<model name="m"><link name="l">{LINK}</link></model>'
TEXT = f'<sdf version="1.11"><world name="w">{SKY}{MODEL}{ACTOR}</world></sdf>'


def named(document: Path) -> set[str]:
    root = etree.parse(str(document)).getroot()
    return {text for each in root.iter(etree.Element) if (text := (each.text or "").strip()).startswith("tex/")}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "src" / "m.sdf"
    (path.parent / "tex").mkdir(parents=True)
    path.write_text(TEXT)
    for place in named(path):
        Image.new("RGB", (2, 2), (9, 9, 9)).save(path.parent / place, "PNG")
    return path


def test_all_that_is_named_is_there(source: Path, tmp_path: Path):
    report = convert(source, tmp_path / "out" / "m.sdf")
    assert sdformat_reads(tmp_path / "out" / "m.sdf")["errors"] == []
    assert len(named(tmp_path / "out" / "m.sdf")) == len(named(source)) - 6  # those of the metal are of the graph
    for place in named(tmp_path / "out" / "m.sdf"):
        assert (tmp_path / "out" / place).read_bytes() == (source.parent / place).read_bytes(), place
    assert exit_code(report) == 0
    assert "assets/missing" not in {each.rule for each in report.findings}


def test_nothing_is_copied_onto_itself(source: Path):
    before = {path: path.stat().st_mtime_ns for path in source.parent.rglob("*.png")}
    convert(source, source.with_name("again.sdf"))
    assert {path: path.stat().st_mtime_ns for path in source.parent.rglob("*.png") if path in before} == before


def test_what_did_not_come_along_is_told(source: Path, tmp_path: Path):
    convert(source, tmp_path / "out" / "m.xml")
    report = convert(tmp_path / "out" / "m.xml", tmp_path / "out" / "m.sdf")
    told = {each.before for each in of_rule(report, "assets/missing")}
    there = {place for place in named(tmp_path / "out" / "m.sdf") if (tmp_path / "out" / place).exists()}
    assert named(tmp_path / "out" / "m.sdf") - there <= told


@pytest.mark.parametrize("place", ["../secret.png", "/etc/passwd", "file:///etc/passwd", "model://m/t.png", ""])
def test_nothing_else_is_taken(tmp_path: Path, place: str):
    (tmp_path / "src").mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    material = f"<material><pbr><metal><environment_map>{place}</environment_map></metal></pbr></material>"
    visual = f'<visual name="v">{BOX}{material}</visual>'
    (tmp_path / "src" / "m.sdf").write_text(
        f'<sdf version="1.9"><model name="m"><link name="l">{visual}</link></model></sdf>'
    )
    convert(tmp_path / "src" / "m.sdf", tmp_path / "out" / "deep" / "m.sdf")
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["m.sdf"]
