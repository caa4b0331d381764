"""The output of validate: lines that editors can read, JSON, and SARIF with correct places."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from converters.columns import position
from converters.validating import Verdict, validate
from converters.validating.fixing import repair
from converters.validating.notes import NOTES
from converters.validating.rules import ELSEWHERE, ERROR, INFO, NONE, OPT_IN, SAFE, TABLE, WARNING
from converters.validating.show import lines, summary, text
from ir.types import Source
from tests.conftest import ROOT
from tests.files import saved
from tests.validating.cases import CASES
from tests.validating.models import URDF, Case
from tests.validating.test_rules import judged

XML_CASES = [case for case in CASES if case.format != "gltf" and not TABLE[case.rule].unreadable]

FINDING_FIELDS = (
    *("rule", "severity", "where", "message", "advice", "fix"),
    *("file", "line", "column", "path", "count"),
)
"""Members of a finding in the JSON form, in order."""


@pytest.mark.parametrize("case", XML_CASES, ids=lambda case: case.rule)
def test_places_hold_what_is_meant(case: Case, tmp_path: Path):
    """Line and column of each breach of an element or attribute point to its tag or its name."""
    for breach in judged(case, case.firing, tmp_path).breaches:
        if breach.source is None or breach.source.path == "/" or breach.rule == "XML-ENC":
            continue
        line, column = position(breach.source, breach.column)
        shown = Path(breach.source.file).read_text(encoding="latin-1").split("\n")[line - 1]
        element, at, name = breach.source.path.rpartition("/@")
        tag = re.sub(r"\[\d+\]$", "", (element if at else breach.source.path).rpartition("/")[2])
        if column is None:
            assert tag in shown or breach.source.path.endswith("text()")
        elif at:
            assert shown[column - 1 :].startswith(name) or shown[column - 1 :].startswith(f"<{tag}")
        else:
            assert shown[column - 1 :].startswith(f"<{tag}")


def test_an_attribute_on_a_later_line_is_found(tmp_path: Path):
    path = saved(tmp_path / "m.urdf", "<robot>\n  <joint\n    name='x'\n    type='y'/>\n</robot>")
    assert position(Source(str(path), 2, "/robot/joint[1]/@type")) == (4, 5)
    assert position(Source(str(path), 2, "/robot/joint[1]")) == (2, 3)
    assert position(Source(str(path), 9, "/robot/joint[1]")) == (9, None)
    path.write_text("<robot><a/><a/></robot>")
    assert position(Source(str(path), 1, "/robot/a[2]")) == (1, None)


@pytest.fixture
def verdict(tmp_path: Path) -> Verdict:
    path = tmp_path / "m.urdf"
    path.write_text(
        URDF.replace('lower="-1"', 'lower="2"').replace('name="tip"', 'name="the tip"').replace("tip", "tip")
    )
    return validate(path)


def test_lines_are_those_of_compilers(verdict: Verdict):
    found = lines(verdict)
    assert len(found) == len(verdict.breaches)
    for line in found:
        assert re.match(r"\S+m\.urdf:\d+(:\d+)?: (error|warning|info): [A-Z]+(-[A-Z0-9]+)+: ", line)
    assert re.search(r"m\.urdf: \d errors?", summary(verdict)[0])


def test_a_rule_takes_ten_lines(tmp_path: Path):
    path = tmp_path / "m.urdf"
    path.write_text(URDF.replace("</robot>", "".join(f"<link name='a {i}'/>" for i in range(30)) + "</robot>"))
    shown = [line for line in lines(validate(path)) if "NAME-CHARS" in line]
    assert len(shown) == 11
    assert "20 more" in shown[-1]


def test_json_is_stable_and_complete(verdict: Verdict, tmp_path: Path):
    document = json.loads(text("json", verdict))
    assert document["schema_version"] == 1
    assert set(document) == {
        *["schema_version", "path", "format", "complete", "more", "totals", "findings", "following"]
    }
    assert sum(document["totals"].values()) == len(document["findings"])
    for finding in document["findings"]:
        assert tuple(finding) == FINDING_FIELDS
        assert finding["rule"] in TABLE
    assert text("json", verdict) == text("json", validate(verdict.path))
    fixed = repair(verdict, tmp_path / "out.urdf", everything=True)
    document = json.loads(text("json", verdict, fixed))
    assert set(document["fix"]) == {"files", "changes", "notes", "repaired", "left"}
    assert document["fix"]["changes"]


def test_sarif_names_rules_and_places(verdict: Verdict):
    (run,) = json.loads(text("sarif", verdict))["runs"]
    rules: list[dict[str, Any]] = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(verdict.breaches)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1
    places = {
        (result["ruleId"], result["locations"][0]["physicalLocation"]["region"]["startLine"])
        for result in run["results"]
    }
    line = Path(verdict.path).read_text().split("\n").index('  <joint name="turn" type="revolute">') + 1
    assert ("LIMIT-ORDER", line) in places


def test_the_table_is_sound():
    for name, rule in TABLE.items():
        assert name == rule.id
        assert re.fullmatch(r"[A-Z0-9]+(-[A-Z0-9]+)*", name)
        assert rule.severity in (ERROR, WARNING, INFO)
        assert rule.fix in (SAFE, OPT_IN, NONE)
        assert rule.message and rule.advice and rule.formats
    assert not set(ELSEWHERE) & set(TABLE)


def test_every_note_of_a_reader_is_known():
    """Every note of a reader has a row of its own, or a reason why it has none."""
    told: set[str] = set()
    for name in ("urdf", "sdf", "mjcf", "gltf", "source"):
        for path in (ROOT / "converters" / name).rglob("*.py"):
            told |= set(re.findall(r'\bnote\(\s*"([a-z]+/[a-z-]+)"', path.read_text()))
    assert len(told) > 40
    assert told - {row.note for row in NOTES} == set()
