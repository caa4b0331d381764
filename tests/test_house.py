"""The house rules: format, lint, types, layers, module length. They are tests so that one command checks everything."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import grimp
import networkx
import pytest

from converters.registry import formats
from tests.conftest import ROOT

LONGEST = 450


def unseen() -> list[str]:
    """Return the modules that call what mypy does not check (follow_imports). basedpyright checks these: of 140 faults
    put into that many modules it found 120, and mypy those and one more. For all modules it takes 97 s of processor
    time, for these 7 s."""
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    skipped = {name.split(".")[0] for each in overrides if "follow_imports" in each for name in each["module"]}
    graph = grimp.build_graph("converters", "ir", include_external_packages=True, cache_dir=None)
    calling = {module for name in skipped & graph.modules for module in graph.find_modules_that_directly_import(name)}
    assert calling
    return sorted(f"{module.replace('.', '/')}.py" for module in calling)


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["basedpyright"], ["importlinter.cli"]],
    ids=lambda command: " ".join(command),
)
def test_the_tools_agree(command: list[str]):
    name, *arguments = command
    program = (
        [sys.executable, "-m", name]
        if name != "importlinter.cli"
        else [str(Path(sys.executable).parent / "lint-imports")]
    )
    arguments += ["--pythonpath", sys.executable, *unseen()] if name == "basedpyright" else []
    done = subprocess.run([*program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_is_too_long():
    modules = [path for folder in ("ir", "converters", "tests") for path in (ROOT / folder).rglob("*.py")]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules}
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_every_text_is_read_in_a_named_encoding():
    """Windows would use its own encoding."""
    modules = [path for folder in ("ir", "converters") for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in modules if ".read_text()" in path.read_text("utf-8")] == []


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside functions and for type checking count as well."""
    graph = grimp.build_graph("converters", "ir", cache_dir=None)
    arrows = networkx.DiGraph((module, found) for module in graph.modules for found in _imported(graph, module))
    circles = [sorted(found) for found in networkx.strongly_connected_components(arrows) if len(found) > 1]
    assert circles == []


def test_no_folders_import_each_other_in_a_circle():
    """Those side by side in one folder; modules next to them may be above some and below others."""
    graph = grimp.build_graph("converters", "ir", cache_dir=None)
    folders = {module for module in graph.modules if graph.find_children(module)}
    arrows = networkx.DiGraph()
    for module in graph.modules:
        for found in graph.find_modules_directly_imported_by(module):
            ends = _apart(module, found)
            if ends and folders.issuperset(ends):
                arrows.add_edge(*ends)
    circles = [sorted(found) for found in networkx.strongly_connected_components(arrows) if len(found) > 1]
    assert circles == []


def _apart(module: str, found: str) -> tuple[str, ...]:
    """Return the two siblings that contain (or are) the two modules; nothing if one contains the other."""
    steps, others = module.split("."), found.split(".")
    same = next((at for at, pair in enumerate(zip(steps, others, strict=False)) if pair[0] != pair[1]), None)
    return () if same is None else (".".join(steps[: same + 1]), ".".join(others[: same + 1]))


def _imported(graph: grimp.ImportGraph, module: str) -> set[str]:
    """Return the imports except what a package imports from itself as an interface, or a table of its modules."""
    return {found for found in graph.find_modules_directly_imported_by(module) if not found.startswith(f"{module}.")}


TABLED = ["gltf", "mjcf", "sdf", "srdf", "urdf", "validating"]
"""Folders whose README has a table of modules; all others list theirs at the top of `__init__.py`."""


@pytest.mark.parametrize("name", TABLED)
def test_the_readme_of_a_folder_names_every_module(name: str):
    """Each in the row of its folder, which is named in the first row of the folder and applies to those below."""
    folder = ROOT / "converters" / name
    text = (folder / "README.md").read_text()
    head = next(head for head in ("| folder | module | knows |\n", "| module | knows |\n") if head in text)
    told: list[str] = []
    place = ""
    for row in text.partition(head)[2].partition("\n\n")[0].splitlines():
        *folders, modules, _ = row.strip("|").split("|")
        place = next(iter(re.findall(r"`(\w+)`", "".join(folders))), place)
        told += [f"{place}/{module}" if place else module for module in re.findall(r"`(\w+)`", modules)]
    assert sorted(told) == _modules(folder)


@pytest.mark.parametrize(
    "name", sorted({path.parent.name for path in (ROOT / "converters").glob("*/__init__.py")}.difference(TABLED))
)
def test_a_folder_without_such_a_table_names_every_module(name: str):
    folder = ROOT / "converters" / name
    assert sorted(re.findall(r"([\w/]+)\.py\b", _docstring(folder))) == _modules(folder)


def test_every_folder_says_what_it_is_about():
    folders = {path.parent for package in ("converters", "ir") for path in (ROOT / package).rglob("*.py")}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not _docstring(folder)] == []


def _modules(folder: Path) -> list[str]:
    found = (path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py"))
    return sorted(path.as_posix() for path in found if path.name != "__init__")


def _docstring(folder: Path) -> str:
    return ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""


@pytest.mark.parametrize("name", sorted(formats()))
def test_no_row_of_a_table_is_hidden_by_one_before_it(name: str):
    rows = [(pattern, loss.when) for loss in formats()[name].losses() for pattern in loss.patterns()]
    hidden = [
        (row, earlier)
        for number, (row, _) in enumerate(rows)
        for earlier in (pattern for pattern, asks in rows[:number] if asks is None)
        if fnmatchcase(row, earlier) or fnmatchcase(row.partition(" ")[0], earlier)
    ]
    assert hidden == []


def test_the_top_level_holds_what_was_agreed():
    shown = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    made = {name for name in shown if name.endswith(".egg-info") or name in ("build", "dist", "MUJOCO_LOG.TXT")}
    assert shown - made == {"LICENSE", "README.md", "converters", "corpus", "ir", "pyproject.toml", "tests"}
