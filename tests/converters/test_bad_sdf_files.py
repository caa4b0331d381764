"""Files referenced by an SDF that are malicious or missing: refused or reported, never opened."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest
from lxml import etree

from tests.converters.test_bad_input import LIMIT, kinegraph, like_anybody, refused, spent
from tests.converters.test_bad_sdf import LINK, geometry, hung, included, model, sdf

SECRET = "QQQ-secret"
DEEP, ABOVE = "1/2/3/4/5/6", "../" * 6
"""A folder so deep that it must not read files at its top, and the path upwards."""


@pytest.mark.parametrize("target", ["out.xml", "out.sdf", "out.urdf"])
@pytest.mark.parametrize(
    "uri", [f"{ABOVE}secret.obj", "%s/secret.obj", "file://%s/secret.obj", "http://QQQ.invalid/m.obj"]
)
def test_meshes_elsewhere_are_not_fetched(uri: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "secret.obj").write_text(f"# {SECRET}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    folder = tmp_path / DEEP
    folder.mkdir(parents=True)
    named = uri % tmp_path if "%" in uri else uri
    (folder / "robot.sdf").write_text(geometry(f"<mesh><uri>{named}</uri></mesh>", "collision"))
    result = kinegraph("convert", "robot.sdf", target, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in folder.iterdir()) == sorted(["robot.sdf", target])
    assert SECRET not in (folder / target).read_text()


@pytest.mark.parametrize("uri", [f"{ABOVE}secret.sdf", "%s/secret.sdf", "file://%s/secret.sdf", "link.sdf", "listed"])
def test_models_elsewhere_are_not_read(uri: str, tmp_path: Path) -> None:
    (tmp_path / "secret.sdf").write_text(model(f'<link name="{SECRET}"/>'))
    folder = tmp_path / DEEP
    (folder / "listed").mkdir(parents=True)
    (folder / "link.sdf").symlink_to(tmp_path / "secret.sdf")
    config = '<model><name>m</name><sdf version="1.9">%ssecret.sdf</sdf></model>'
    (folder / "listed" / "model.config").write_text(config % f"../{ABOVE}")
    (folder / "robot.sdf").write_text(included(uri % tmp_path if "%" in uri else uri))
    result = kinegraph("convert", "robot.sdf", "out.sdf", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "sdf/uri-lookup" in result.stdout + result.stderr
    assert SECRET not in (folder / "out.sdf").read_text()


@pytest.mark.parametrize("uri", ["%s/outside/secret", "../outside/secret", "model://m/../../outside/secret"])
@pytest.mark.parametrize("what", ["sdf", "material", "obj"])
def test_what_the_resolver_refuses_is_not_opened(what: str, uri: str, tmp_path: Path) -> None:
    """The folder of the model is a project of its own: files next to that are out of bounds."""
    folder, outside = tmp_path / "project", tmp_path / "outside"
    (folder / ".git").mkdir(parents=True)
    (folder / "root" / "m").mkdir(parents=True)
    (folder / "root" / "m" / "model.config").write_text('<model><name>m</name><sdf version="1.9">m.sdf</sdf></model>')
    (folder / "root" / "m" / "m.sdf").write_text(model(LINK))
    outside.mkdir()
    (outside / "secret.sdf").write_text(model(f'<link name="{SECRET}"/>'))
    (outside / "secret.material").write_text("material M { technique { pass { diffuse 0.123 0 0 } } }")
    (outside / "secret.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    named = f"<uri>{uri % tmp_path if '%' in uri else uri}.{what}</uri>"
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    script = f'<visual name="v">{box}<material><script>{named}<name>M</name></script></material></visual>'
    mesh = f'<inertial auto="true"/><collision name="c"><geometry><mesh>{named}</mesh></geometry></collision>'
    inner = {
        "sdf": f"{LINK}<include>{named}</include>",
        "material": f'<link name="a">{script}</link>',
        "obj": f'<link name="a">{mesh}</link>',
    }[what]
    (folder / "robot.sdf").write_text(sdf(f'<model name="m">{inner}</model>', "1.11"))
    result = kinegraph("convert", "robot.sdf", "out.urdf", "--resource-path", "root", cwd=folder)
    assert result.returncode == 0, result.stderr
    written = (folder / "out.urdf").read_text()
    assert SECRET not in written and "0.123" not in written
    assert [each.get("value") for each in etree.fromstring(written.encode()).iter("mass")] == ["1"]


@pytest.mark.parametrize("place", ["script", "mesh", "include", "listed"])
def test_a_name_too_long_to_ask_for_is_not_found(place: str, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    long = "a" * 300
    listed = long if place == "listed" else "m.sdf"
    (tmp_path / "m" / "model.config").write_text(f'<model><name>m</name><sdf version="1.9">{listed}</sdf></model>')
    (tmp_path / "m" / "m.sdf").write_text(model(LINK))
    uri = f"<uri>model://m/{long}</uri>"
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    text = {
        "script": hung(f'<visual name="v">{box}<material><script>{uri}<name>M</name></script></material></visual>'),
        "mesh": hung(f'<visual name="v"><geometry><mesh>{uri}</mesh></geometry></visual>'),
        "include": model(f"{LINK}<include>{uri}</include>"),
        "listed": model(f"{LINK}<include><uri>m</uri></include>"),
    }[place]
    (tmp_path / "robot.sdf").write_text(text)
    result = kinegraph("convert", "robot.sdf", "out.urdf", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    rule = {"script": "sdf/material-script", "mesh": "assets/missing"}.get(place, "sdf/uri-lookup")
    assert rule in result.stderr + result.stdout


def chained(folder: Path, length: int, times: int, last: str) -> list[str]:
    """Write files that each include the next one that many times; return the names of all."""
    for number in range(length):
        rows = [f"<include><uri>f{number + 1}.sdf</uri><name>n{row}</name></include>\n" for row in range(times)]
        (folder / f"f{number}.sdf").write_text(model(LINK + "".join(rows)))
    (folder / f"f{length}.sdf").write_text(last)
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("length", "times", "last", "message"),
    [
        (0, 1, included("f0.sdf"), r"f0\.sdf:4: the files include each other in a circle: f0\.sdf -> f0\.sdf"),
        (1, 1, included("f0.sdf"), r"f1\.sdf:4: .* circle: f0\.sdf -> f1\.sdf -> f0\.sdf"),
        (3, 2, included("f1.sdf"), r"f3\.sdf:4: .* circle: f0\.sdf -> f1\.sdf -> f2\.sdf -> f3\.sdf -> f1\.sdf"),
        (40, 1, model(LINK), r"f32\.sdf:3: more than 32 files"),
        (30, 2, model(LINK), r"f\d+\.sdf:\d: the document includes more than 5000 files"),
        (1, 1, "<sdf", r"f1\.sdf:1: not well-formed XML"),
        (1, 1, "", r"f1\.sdf:1: "),
        (1, 1, hung("<inertial><mass>nan</mass></inertial>"), r"f1\.sdf:4: <mass>: 'nan'"),
    ],
)
def test_files_that_include_each_other(length: int, times: int, last: str, message: str, tmp_path: Path) -> None:
    names = chained(tmp_path, length, times, last)
    started = spent()
    line = refused(kinegraph("convert", "f0.sdf", "out.xml", cwd=tmp_path), tmp_path, names)
    assert spent() - started < LIMIT
    assert re.search(message, line), line


def test_an_include_that_may_not_be_read(tmp_path: Path) -> None:
    names = chained(tmp_path, 1, 1, model(LINK))
    (tmp_path / "f1.sdf").chmod(0)
    line = refused(kinegraph("convert", "f0.sdf", "out.xml", cwd=tmp_path, limits=like_anybody), tmp_path, names)
    assert re.match(r"kinegraph: f0\.sdf:3: .*Permission denied", line), line


def test_the_document_may_not_be_read_or_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "robot.sdf").write_text(model(LINK))
    (tmp_path / "robot.sdf").chmod(0)
    (tmp_path / "folder.sdf").mkdir()
    names = ["folder.sdf", "robot.sdf"]
    for name, reason in (("robot.sdf", "Permission denied"), ("folder.sdf", "is a folder")):
        assert reason in refused(
            kinegraph("convert", name, "out.xml", cwd=tmp_path, limits=like_anybody), tmp_path, names
        )


@pytest.mark.parametrize("config", ["<model", "", "<QQQ/>", '<model><sdf version="1.9"/></model>', "\0"])
def test_a_broken_model_config(config: str, tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "model.config").write_text(config)
    (tmp_path / "robot.sdf").write_text(included("part"))
    result = kinegraph("convert", "robot.sdf", "out.sdf", cwd=tmp_path)
    assert "Traceback" not in result.stderr
    if result.returncode == 2:
        assert "model.config:1: " in refused(result, tmp_path, ["part", "robot.sdf"])
    else:
        assert "sdf/uri-lookup" in result.stdout + result.stderr


def bomb(side: int) -> bytes:
    """Return a PNG of a few bytes that claims to have side x side pixels."""
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b"")]
    rows = [
        struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body)) for tag, body in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(rows)


@pytest.mark.parametrize("target", ["out.xml", "out.sdf", "out.urdf"])
def test_a_height_map_of_any_size(target: str, tmp_path: Path) -> None:
    (tmp_path / "hills.png").write_bytes(bomb(100_000))
    size = "<size>1e300 1e300 1e300</size>"
    text = geometry(f"<heightmap><uri>hills.png</uri>{size}</heightmap>", "collision")
    (tmp_path / "robot.sdf").write_text(text)
    started = spent()
    result = kinegraph("convert", "robot.sdf", target, cwd=tmp_path)
    assert spent() - started < LIMIT
    assert result.returncode == 0, result.stderr
