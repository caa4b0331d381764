"""What `import converters` offers, and what it does not load."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import converters
from converters.choices import CHOICES, KINDS
from converters.report.model import Action
from tests.conftest import ROOT
from tests.files import saved

HEAVY = {
    "networkx",
    "numpy",
    "lxml",
    "scipy",
    "trimesh",
    "collada",
    "PIL",
    "pygltflib",
    "rich",
    "json.decoder",
    "xml.etree",
}


def python(code: str, *, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {[str(path), str(ROOT)]!r}\n{code}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_public_names_are_sorted_and_there() -> None:
    assert converters.__all__ == sorted(converters.__all__)
    for name in converters.__all__:
        assert callable(getattr(converters, name))
    assert set(converters.__all__) <= set(dir(converters))
    with pytest.raises(AttributeError, match="no attribute 'QQQ'"):
        converters.QQQ  # noqa: B018


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"base": "fxed"}, "base cannot be 'fxed': it is 'keep', 'fixed', 'floating' or 'open'"),
        ({"missing_inertia": ""}, "missing_inertia cannot be '': it is 'minimal' or 'geometry'"),
        ({"meshes": None}, "meshes cannot be None"),
        ({"urdf_version": "2.0"}, "urdf_version cannot be '2.0': it is '1.0', '1.1' or '1.2', or None"),
        ({"urdf_version": 1.0}, "urdf_version cannot be 1.0: it is '1.0'"),
        ({"sdf_version": 1.9}, "sdf_version cannot be 1.9: it is a text, or None"),
        ({"model": 3}, "model cannot be 3: it is a text, or None"),
        ({"packages": ["folder"]}, "packages cannot be ['folder']: it is a mapping of names to folders"),
        ({"packages": {"p": 3}}, "packages cannot be {'p': 3}"),
        ({"arguments": {"n": 3}}, "arguments cannot be {'n': 3}: it is a mapping of names to texts"),
        ({"resource_paths": 3}, "resource_paths cannot be 3: it is a folder, or several"),
        ({"srdf": 3}, "srdf cannot be 3: it is the path of a file, or None"),
        ({"pose": 3}, "pose cannot be 3: it is a text or several, as 'elbow=30deg'"),
        ({"pose": {"elbow": 1.0}}, "pose cannot be {'elbow': 1.0}: it is a text or several"),
        ({"trajectory": [None]}, "trajectory cannot be [None]: it is a text or several"),
        ({"scene": "no"}, "scene cannot be 'no': it is True or False"),
        ({"density": 0.0}, "density cannot be 0.0: it is a number above 0"),
        ({"density": "steel"}, "density cannot be 'steel': it is a number above 0"),
        ({"total_mass": float("nan")}, "total_mass cannot be nan: it is a number above 0, or None"),
        ({"total_mass": float("inf")}, "total_mass cannot be inf"),
        ({"segments": 2}, "segments cannot be 2: it is a whole number from 3 to 1024"),
        ({"segments": 48.5}, "segments cannot be 48.5"),
        ({"size": (0, 600)}, "size cannot be (0, 600): it is two whole numbers of pixels from 1 to 4096"),
        ({"size": "800x600"}, "size cannot be '800x600'"),
        ({"to": "mjcf"}, "there is no option 'to': say target='mjcf' to convert or write"),
        ({"no_carry": True}, "there is no option 'no_carry': say carry=False"),
        ({"bas": "fixed"}, "there is no option 'bas'; did you mean base?"),
    ],
)
def test_an_option_that_means_nothing_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(converters.InputError, match=re.escape(message)):
        converters.Options(**wrong)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("robot.urdf", "out.xml"), {"options": {"base": "fixed"}}, "options are converters.Options(…), and not {"),
        (("robot.urdf", "out.xml"), {"target": 3}, "a format is named by a text, as 'urdf', and not by 3"),
        (("robot.urdf", "out.xml"), {"source": 3}, "a format is named by a text"),
        (("", "out.xml"), {}, "the name of a file is empty"),
        (("robot.urdf", ""), {}, "the name of a file is empty"),
        (("robot\0.urdf", "out.xml"), {}, "no file has a NUL in its name"),
        (("robot.urdf", "out\0.xml"), {"target": "mjcf"}, "no file has a NUL in its name"),
    ],
)
def test_what_a_conversion_cannot_be_asked_is_refused(
    arguments: tuple[str, str], named: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_text('<robot name="r"><link name="l"/></robot>')
    with pytest.raises(converters.InputError, match=re.escape(message)):
        converters.convert(*arguments, **named)
    assert [path.name for path in tmp_path.iterdir()] == ["robot.urdf"]


def test_only_a_scene_is_written(tmp_path: Path) -> None:
    name: Any = "robot.urdf"
    with pytest.raises(converters.InputError, match=re.escape("a scene, as converters.read gives it, and not 'robot")):
        converters.write(name, tmp_path / "out.xml")


def test_an_action_may_be_a_word(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text('<robot name="r"><link name="l"/></robot>')
    report = converters.convert(tmp_path / "robot.urdf", tmp_path / "out.xml")
    assert report.total("derived") == report.total(Action.DERIVED) > 0
    with pytest.raises(ValueError, match=r"'drop' is no word of a report: these are ignored, noted, .*dropped"):
        report.total("drop")


def test_options_take_texts_for_paths_and_one_for_several() -> None:
    plain: dict[str, Any] = {"packages": {"p": "d"}, "resource_paths": "r", "srdf": "s", "pose": "j=1"}
    exact = converters.Options(packages={"p": Path("d")}, resource_paths=(Path("r"),), srdf=Path("s"), pose=("j=1",))
    assert converters.Options(**plain) == exact


def test_every_option_says_what_it_takes() -> None:
    assert set(KINDS) == set(converters.Options.__struct_fields__)


def test_every_option_of_few_words_is_one_of_options() -> None:
    assert set(CHOICES) <= set(converters.Options.__struct_fields__)
    for name, words in CHOICES.items():
        assert all(getattr(converters.Options(**{name: word}), name) == word for word in words)


@pytest.mark.parametrize(
    "code",
    [
        "import converters.convert as first",
        "from converters.convert import Made",
        "import converters",
        "from converters import convert, read",
    ],
)
def test_convert_is_the_function_whatever_was_imported_first(code: str) -> None:
    result = python(f"{code}\nimport converters\nassert type(converters.convert).__name__ == 'function'")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["formats"], ["formats", "--json"], ["convert", "--help"]]
)
def test_what_needs_no_model_loads_nothing_heavy(arguments: list[str]) -> None:
    heavy = HEAVY - ({"json.decoder"} if "--json" in arguments else set())
    code = f"""
import importlib.metadata
own = set(sys.modules)  # from Python 3.13 on with json
from converters.cli import main
try:
    main({arguments!r})
except SystemExit as ended:
    assert not ended.code, ended.code
print(sorted((set(sys.modules) - own) & {heavy!r}), file=sys.stderr)
"""
    result = python(code)
    assert result.returncode == 0 and result.stdout, result.stderr
    assert result.stderr.strip() == "[]"


@pytest.mark.parametrize("target", ["urdf", "sdf", "mjcf", "gltf"])
def test_a_conversion_loads_nothing_that_it_does_not_need(target: str, tmp_path: Path) -> None:
    idle = {"networkx", "ssl", "http.client", "urllib.request", "xml.sax", "trimesh", "pygltflib", "PIL", "pandas"}
    idle |= {"importlib.metadata", "email", "socket", "hashlib", "numpy"}
    if (
        target == "gltf"
    ):  # it is written by the types of pygltflib, with what these load, and its arrays are those of numpy
        idle -= {"pygltflib", "importlib.metadata", "email", "socket", "numpy"}
    source = tmp_path / "robot.urdf"
    joint = '<joint name="j" type="planar"><parent link="a"/><child link="b"/><strange/></joint>'
    source.write_text(f'<robot name="r"><link name="a"><collision_checking/></link><link name="b"/>{joint}</robot>')
    arguments = ["convert", str(source), f"{tmp_path}/out/", "--to", target, "-q"]
    code = f"""
from converters.cli import main
try:
    main({arguments!r})
except SystemExit as ended:
    assert not ended.code, ended.code
print(sorted(set(sys.modules) & {idle!r}))
"""
    result = python(code)
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr


SMALL = {
    "urdf": '<robot name="r"><link name="a"/></robot>',
    "xml": '<mujoco><asset><material name="m"/></asset><worldbody><body><joint/><geom size="1" material="m"/></body>'
    "</worldbody></mujoco>",
}


@pytest.mark.parametrize("words", [["validate"], ["inspect"], ["convert", "out.sdf"]])
@pytest.mark.parametrize("suffix", SMALL)
def test_a_model_without_meshes_is_read_without_numpy(words: list[str], suffix: str, tmp_path: Path) -> None:
    source = saved(tmp_path / f"robot.{suffix}", SMALL[suffix])
    command, *target = words
    arguments = [command, str(source), *(str(tmp_path / name) for name in target)]
    result = python(f"""
import sys
from converters.cli import main
try:
    main({arguments!r})
except SystemExit as ended:
    assert not ended.code, ended.code
print("numpy" in sys.modules)
""")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "False"), result.stderr


def test_a_stranger_named_ir_is_one_clear_error(tmp_path: Path) -> None:
    """PyPI has a project of that name; another package may also be installed over ours."""
    (tmp_path / "ir").mkdir()
    (tmp_path / "ir" / "__init__.py").write_text("graph = 'QQQ'\n")
    (tmp_path / "robot.urdf").write_text("<robot/>")
    result = python("import converters\nconverters.read('robot.urdf')", path=tmp_path)
    assert result.stderr.splitlines()[-1].startswith("ImportError: kinegraph needs its own 'ir' package")
    robot = str(tmp_path / "robot.urdf")
    code = f"from converters.cli import main\nmain(['convert', {robot!r}, {str(tmp_path / 'out.xml')!r}])"
    result = python(code, path=tmp_path)
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("kinegraph: kinegraph needs its own 'ir' package")
