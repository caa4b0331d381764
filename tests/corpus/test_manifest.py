"""Every made model has an entry in the manifest, obeys the rules of corpus/README.md, and does what it promises."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import converters
from converters.context import InputError

CORPUS = Path(__file__).parents[2] / "corpus"
MANIFEST: dict[str, list[dict[str, Any]]] = tomllib.loads((CORPUS / "manifest.toml").read_text())
MADE = MANIFEST["made"]
MODELS = (".urdf", ".xml", ".sdf", ".gltf", ".xacro", ".srdf")


def entries(outcome: str) -> list[Any]:
    return [pytest.param(entry, id=entry["id"]) for entry in MADE if entry["outcome"] == outcome]


def test_every_file_has_an_entry_and_every_entry_a_file() -> None:
    files = {path.relative_to(CORPUS).as_posix() for path in (CORPUS / "made").glob("*.*")}
    assert {entry["file"] for entry in MADE} == {file for file in files if file.endswith(MODELS)}
    assert files == {entry["file"] for entry in MADE}
    assert [entry["id"] for entry in MADE] == sorted({entry["id"] for entry in MADE})


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["id"]) for entry in MADE])
def test_a_made_model_keeps_the_rules(entry: dict[str, Any]) -> None:
    data = (CORPUS / entry["file"]).read_bytes()
    assert data.count(b"\n") < 60
    assert Path(entry["file"]).stem == entry["id"]
    assert entry["features"]
    kind = entry["id"].partition("_")[0]
    assert {"feature": "converts", "warning": "converts", "error": "error"}[kind] == entry["outcome"]


@pytest.mark.parametrize("entry", entries("error"))
def test_an_error_names_its_cause_and_its_line(entry: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        converters.read(CORPUS / entry["file"])
    error = caught.value
    assert error.source is not None, error
    assert entry["line"] in (0, error.source.line), error
    assert entry["message"] in error.message


@pytest.mark.parametrize("target", ["mjcf", "sdf", "urdf"])
@pytest.mark.parametrize("entry", entries("converts"))
def test_what_converts_reports_its_findings(entry: dict[str, Any], target: str, tmp_path: Path) -> None:
    report = converters.convert(CORPUS / entry["file"], tmp_path / f"out.{target}")
    assert report.source_items == report.read + report.ignored + report.unread
    assert [finding for finding in report.findings if finding.action == "unexplained"] == []
    rules = {finding.rule for finding in report.findings}
    assert set(entry.get("findings", {}).get(target, ())) <= rules


def test_a_warning_has_something_to_report() -> None:
    silent = [entry["id"] for entry in MADE if entry["id"].startswith("warning_") and not entry.get("findings")]
    assert silent == []


def test_packages_are_fixed_to_a_version() -> None:
    assert all(set(package) == {"name", "version", "licence", "models", "holds"} for package in MANIFEST["package"])
