"""Every form of a report, from one report that is as difficult as a model can make it."""

from __future__ import annotations

import errno
import json as standard
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from converters.context import Note
from converters.convert import convert, write
from converters.report import markdown as md, page
from converters.report.document import json
from converters.report.findings import Comparison, findings, merge
from converters.report.markdown import markdown
from converters.report.model import MEANINGS, Action, End, Finding, Report, Severity, exit_code
from converters.report.page import html
from converters.report.render import FORMS, renderer
from converters.report.sarif import sarif
from converters.report.text import LINES, SCREEN, text, total
from ir.scene import Scene
from ir.types import Body, Material, Source
from tests.files import saved

EVIL = '<script>alert("QQQ")</script> | `tick` & \x1b[31m\u202e {braces} %s'


def finding(action: Action, rule: str, where: str, **values: Any) -> Finding:
    severity = {Action.UNEXPLAINED: Severity.ERROR, Action.IGNORED: Severity.NOTE}.get(action, Severity.WARNING)
    return Finding(rule=rule, action=action, severity=severity, where=where, **values)


REPORT = Report(
    version="0.1.0",
    source=End(path="robot.urdf", format="urdf", files=("robot.urdf",)),
    target=End(path="robot.xml", format="mjcf", files=("robot.xml", "robot_assets/base.stl")),
    source_items=30,
    read=25,
    ignored=2,
    unread=3,
    findings=(
        finding(
            Action.CARRIED,
            "urdf/custom-element",
            "body/torso",
            before="<collision_checking/>",
            reason="MJCF has no place for it",
            count=3,
            sources=(Source("robot.urdf", 31, "/robot/link[2]/a"), Source("robot.urdf", 40, "/robot/link[3]/a")),
        ),
        finding(
            Action.DROPPED, "mjcf/evil", EVIL, before=EVIL, after="", reason=EVIL, sources=(Source(EVIL, 3, EVIL),)
        ),
        finding(Action.APPROXIMATED, "mjcf/number", "joint/elbow", before="1", after="2", reason="rounded"),
        finding(Action.APPROXIMATED, "mjcf/number", "joint/ankle", before="3", after="4", reason="rounded"),
        finding(Action.DERIVED, "mjcf/inertia", "body/hand", after="1e-6 kg"),
        finding(Action.IGNORED, "urdf/fixed-axis", "joint/weld", before="0 0 1", after="0 0 1"),
    ),
)
EMPTY = replace(REPORT, findings=())


def test_the_json_form_has_the_keys_of_the_design() -> None:
    plain = standard.loads(json(REPORT))
    assert list(plain) == ["schema_version", "tool", "source", "target", "totals", "findings"]
    assert plain["schema_version"] == 1
    assert plain["tool"] == {"name": "kinegraph", "version": "0.1.0"}
    assert plain["source"] == {"path": "robot.urdf", "format": "urdf", "files": ["robot.urdf"]}
    assert plain["totals"] == {
        "source_items": 30,
        "read": 25,
        "ignored": 2,
        "unread": 3,
        "approximated": 2,
        "carried": 3,
        "dropped": 1,
        "derived": 1,
        "repaired": 0,
        "unexplained": 0,
    }
    custom = next(item for item in plain["findings"] if item["rule"] == "urdf/custom-element")
    assert custom == {
        "rule": "urdf/custom-element",
        "action": "carried",
        "severity": "warning",
        "where": "body/torso",
        "before": "<collision_checking/>",
        "after": "",
        "reason": "MJCF has no place for it",
        "count": 3,
        "sources": [
            {"file": "robot.urdf", "line": 31, "path": "/robot/link[2]/a"},
            {"file": "robot.urdf", "line": 40, "path": "/robot/link[3]/a"},
        ],
    }
    assert list(custom) == ["rule", "action", "severity", "where", "before", "after", "reason", "count", "sources"]


@pytest.mark.parametrize("form", [text, json, markdown, html, sarif])
def test_the_order_of_findings_changes_no_byte(form: Callable[[Report], str]) -> None:
    assert form(REPORT) == form(replace(REPORT, findings=REPORT.findings[::-1]))


def many(action: Action, rule: str, count: int) -> list[Finding]:
    return [finding(action, rule, f"body/{rule}_{number}", reason=f"why {rule}") for number in range(count)]


def test_the_report_of_a_large_robot_fits_a_screen_and_says_how_many_places_it_leaves_out() -> None:
    rules = [f"mjcf/rule_{number:02}" for number in range(18)]
    found = [each for rule in rules for each in many(Action.CARRIED, rule, 30)]
    found += many(Action.APPROXIMATED, "mjcf/number", 5)
    *lines, last = text(replace(REPORT, findings=tuple(found))).splitlines()
    assert len(lines) == SCREEN
    assert [line for line in lines if not line.startswith("  ")] == [
        "approximated: mjcf/number (5): why mjcf/number",
        *(f"carried: {rule} (30): why {rule}" for rule in rules),
    ]
    assert sum("mjcf/number_" in line for line in lines) == 5
    shown = [re.match(r"  body/\S+(?:, and (\d+) more)?$", line) for line in lines[6:] if line.startswith("  ")]
    assert {place[1] for place in shown if place} == {"29"} and all(shown)
    assert "540 carried" in last and "--report loss.html" in last


def test_every_rule_is_told_even_where_rules_alone_are_more_than_a_screen() -> None:
    rules = [f"mjcf/rule_{number:02}" for number in range(SCREEN + 5)]
    lines = text(replace(REPORT, findings=tuple(each for rule in rules for each in many(Action.DROPPED, rule, 1))))
    assert lines.splitlines()[:-1] == [f"dropped: {rule}: why {rule} (body/{rule}_0)" for rule in rules]


def test_files_that_are_not_found_come_before_the_losses_that_follow_from_them() -> None:
    found = [*many(Action.DROPPED, "mjcf/geom", 2), *many(Action.NOTED, "assets/missing", 2)]
    heads = [line for line in text(replace(REPORT, findings=tuple(found))).splitlines() if not line.startswith("  ")]
    assert heads[:2] == ["noted: assets/missing (2): why assets/missing", "dropped: mjcf/geom (2): why mjcf/geom"]
    defect = finding(Action.UNEXPLAINED, "unexplained", "body/x", reason="no rule")
    assert text(replace(REPORT, findings=(*found, defect))).startswith("unexplained: ")


def test_a_report_that_was_not_audited_says_so_in_every_form() -> None:
    report = replace(REPORT, audited=False)
    assert standard.loads(json(report))["audited"] is False
    for form in (text, markdown, html):
        assert "not audited" in form(report)
    assert standard.loads(sarif(report))["runs"][0]["properties"]["audited"] is False


def test_the_text_form_ends_with_one_line_of_totals() -> None:
    last = "robot.urdf -> robot.xml: 1 dropped, 2 approximated, 3 carried, 1 derived; details: add --report loss.html"
    assert text(REPORT).splitlines()[-1] == last
    assert text(REPORT, "loss.md").endswith("; details: loss.md\n")
    assert text(EMPTY) == "robot.urdf -> robot.xml: nothing lost\n"


def test_the_text_form_names_the_first_place_and_puts_the_worst_first() -> None:
    lines = text(REPORT).splitlines()
    assert lines[0].startswith("dropped: mjcf/evil")
    assert "carried: urdf/custom-element (3): MJCF has no place for it" in lines
    assert "  robot.urdf:31: body/torso (and 2 like it): <collision_checking/>" in lines
    assert "  joint/elbow: 1 -> 2" in lines
    assert "  body/hand: nothing -> 1e-6 kg" in lines


def test_a_rule_takes_at_most_ten_lines() -> None:
    many = tuple(finding(Action.DROPPED, "mjcf/x", f"joint/j{n:03}", count=2, reason="gone") for n in range(50))
    lines = text(replace(REPORT, findings=many)).splitlines()
    assert len(lines) == LINES + 1
    assert lines[0] == "dropped: mjcf/x (100): gone"
    assert lines[-2] == "  … and 84 more"


def test_names_of_a_model_cannot_steer_a_terminal() -> None:
    assert "\x1b" not in text(REPORT) and "\u202e" not in text(REPORT)
    assert "\\x1b[31m" in text(REPORT)


def test_an_unexplained_difference_is_called_a_defect() -> None:
    report = replace(REPORT, findings=(finding(Action.UNEXPLAINED, "unexplained/body.mass", "body/a"),))
    assert "1 unexplained; unexplained is a defect of kinegraph: please report it" in total(report)
    assert exit_code(report) == exit_code(report, "dropped") == 3


@pytest.mark.parametrize(
    ("actions", "fail_on", "code"),
    [
        ((), "carried", 0),
        ((Action.DERIVED, Action.REPAIRED, Action.IGNORED), "carried", 0),
        ((Action.CARRIED,), "carried", 1),
        ((Action.CARRIED,), "approximated", 0),
        ((Action.APPROXIMATED,), "carried", 1),
        ((Action.APPROXIMATED,), "dropped", 0),
        ((Action.DROPPED,), "carried", 1),
        ((Action.DROPPED,), None, 0),
        ((Action.DROPPED, Action.UNEXPLAINED), "carried", 3),
    ],
)
def test_the_exit_code_is_a_threshold(actions: tuple[Action, ...], fail_on: str | None, code: int) -> None:
    found = tuple(finding(action, "a/b", "body/a") for action in actions)
    assert exit_code(replace(REPORT, findings=found), fail_on) == code


@pytest.mark.parametrize("rule", ["assets/missing", "carried/original-file"])
def test_a_file_that_is_not_there_is_a_loss_at_every_level(rule: str) -> None:
    report = replace(REPORT, findings=(finding(Action.IGNORED, rule, "asset/a"),))
    assert [exit_code(report, level) for level in (None, "carried", "approximated", "dropped")] == [0, 1, 1, 1]
    assert "1 file not found" in total(report)


@pytest.mark.parametrize(
    ("source", "file", "page", "terminal"),
    [
        ("/far/bot/urdf/r.urdf", "/far/bot/urdf/r.urdf", "r.urdf", "/far/bot/urdf/r.urdf"),
        ("/far/bot/urdf/r.urdf", "/far/bot/macros/m.xacro", "../macros/m.xacro", "/far/bot/macros/m.xacro"),
        ("/far/bot/urdf/r.urdf", "/opt/m.xacro", "/opt/m.xacro", "/opt/m.xacro"),
        ("robot/urdf/r.urdf", "robot/urdf/r.urdf", "r.urdf", "robot/urdf/r.urdf"),
        (
            "robot/urdf/r.urdf",
            str(Path.cwd() / "robot/urdf/parts/m.xacro"),
            "parts/m.xacro",
            "robot/urdf/parts/m.xacro",
        ),
        ("r.urdf", "r.urdf", "r.urdf", "r.urdf"),
        (f"/far/{'deep/' * 12}r.urdf", f"/far/{'deep/' * 12}r.urdf", "r.urdf", "r.urdf"),
    ],
)
def test_places_in_pages_terminals_and_forms_for_programs(source: str, file: str, page: str, terminal: str) -> None:
    told = finding(Action.DROPPED, "a/b", "body/a", sources=(Source(file, 3, "/robot"),))
    report = replace(REPORT, source=End(path=source, format="urdf", files=(source,)), findings=(told,))
    assert f"  {terminal}:3: body/a" in text(report) and f"{source} -> " in text(report)
    assert f"<code>{page}:3</code>" in html(report) and f"`{page}:3 /robot`" in markdown(report)
    assert standard.loads(json(report))["findings"][0]["sources"][0]["file"] == file
    assert file.lstrip("/") in sarif(report)


class Page(HTMLParser):
    """Checks that tags are balanced; collects links, sources and the displayed text."""

    VOID = {"meta", "input", "br"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0
        self.references: list[str] = []
        self.shown = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.shown += data


def test_the_html_form_shows_paths_with_blanks_whole() -> None:
    places = tuple(Source("sp ace/r.urdf", line, "/robot") for line in (1, 2, 3))
    finding = replace(REPORT.findings[0], sources=places)
    assert "<summary><code>sp ace/r.urdf:1</code> and 2 more</summary>" in html(replace(REPORT, findings=(finding,)))


def test_the_html_form_is_one_balanced_page_without_external_resources() -> None:
    page = Page()
    page.feed(html(REPORT))
    assert page.open == []
    assert page.scripts == 1  # the filter box; the one in the model is text
    assert page.references and all(reference.startswith("#") for reference in page.references)
    assert '<script>alert("QQQ")</script>' in page.shown
    assert "url(" not in html(REPORT) and "@import" not in html(REPORT)
    assert "30 items in the source: 25 read, 2 ignored by the format itself, 3 not understood." in page.shown
    assert "/robot/link[3]/a" in page.shown


def test_the_html_form_of_nothing_lost_says_so() -> None:
    assert "Nothing was lost" in html(EMPTY)


@pytest.mark.parametrize("form", [markdown, html])
def test_pages_say_what_their_words_mean(form: Callable[[Report], str]) -> None:
    shown = form(REPORT)
    for finding in REPORT.findings:
        assert MEANINGS[finding.action] in shown


def test_a_model_cannot_break_out_of_a_markdown_table() -> None:
    lines = markdown(REPORT).splitlines()
    shown = MarkdownIt("commonmark").enable("table").render(markdown(REPORT))
    (row,) = (row for row in shown.split("<tr>") if "QQQ" in row.partition("</tr>")[0])
    cells = re.findall("<td.*?>(.*?)</td>", row.partition("</tr>")[0])
    assert len(cells) == 5
    assert cells[0].startswith("<code>&lt;script&gt;alert(&quot;QQQ&quot;)&lt;/script&gt; | `tick` &amp;")
    assert "<script" not in shown
    assert "# robot.urdf → robot.xml" in lines
    assert "| carried | 3 |" in lines


def test_the_sarif_form_has_what_its_schema_requires() -> None:
    log = standard.loads(sarif(REPORT))
    assert log["version"] == "2.1.0" and "sarif" in log["$schema"]
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "kinegraph"
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert len(run["results"]) == len(REPORT.findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        expected = "warning" if result["properties"]["action"] in ("dropped", "approximated") else "note"
        assert result["level"] == expected
        for location in result["locations"] + result["relatedLocations"]:
            assert location["physicalLocation"]["region"]["startLine"] >= 1
            assert location["logicalLocations"][0]["fullyQualifiedName"]
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert not set(uri) & set(' <>"{}|\\^`\x1b')
    custom = next(result for result in run["results"] if result["ruleId"] == "urdf/custom-element")
    assert custom["locations"][0]["physicalLocation"]["region"]["startLine"] == 31
    assert custom["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 40


def test_an_unexplained_difference_is_an_error_in_sarif() -> None:
    log = standard.loads(sarif(replace(REPORT, findings=(finding(Action.UNEXPLAINED, "unexplained/x", "body/a"),))))
    assert log["runs"][0]["results"][0]["level"] == "error"


def test_in_sarif_a_colon_in_the_name_of_a_file_begins_no_path_behind_a_scheme() -> None:
    lost = replace(finding(Action.DROPPED, "x/y", "body/a"), sources=(Source("a:b.urdf", 3, "/robot"),))
    (result,) = standard.loads(sarif(replace(REPORT, findings=(lost,))))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "./a:b.urdf"


def test_the_suffix_picks_the_form() -> None:
    assert {suffix: renderer(f"a/loss{suffix}") for suffix in FORMS} == {
        ".json": json,
        ".md": markdown,
        ".html": html,
        ".sarif": sarif,
    }
    assert renderer("LOSS.JSON") is json
    with pytest.raises(ValueError, match=r"a report file ends in \.json"):
        renderer("loss.txt")


def test_of_a_group_the_first_place_is_that_of_the_address() -> None:
    """Two states at lines 7 and 8: the displayed line belongs to the named state."""
    places = {"keyframe/open": 7, "keyframe/bad": 8}
    found = [
        finding(Action.CARRIED, "srdf/group", where, sources=(Source("bot.srdf", line, "/"),))
        for where, line in places.items()
    ]
    (merged,) = merge(reversed(found))
    assert (merged.where, merged.sources[0].line, merged.count) == ("keyframe/open", 7, 2)


@pytest.mark.parametrize("size", [1_000, 100_000])
def test_losses_that_differ_in_the_last_character_give_different_reports(tmp_path: Path, size: int) -> None:
    told = []
    for last in "ab":
        text = f'<robot name="r"><link name="a"/><memo>{"x" * size}{last}</memo></robot>'
        report = convert(saved(tmp_path / "r.urdf", text), tmp_path / "r.xml")
        (finding,) = (each for each in report.findings if "memo" in each.where)
        assert len(finding.before) < min(size + 100, 4200)
        told.append(finding.before)
    assert told[0] != told[1]


@pytest.mark.parametrize(("form", "most"), [(html, page.PLACES), (markdown, md.PLACES)])
def test_of_very_many_places_the_rest_is_counted(form: Callable[[Report], str], most: int):
    places = tuple(Source("robot.urdf", line, f"/robot/link[{line}]") for line in range(1, most + 4))
    many = finding(Action.CARRIED, "urdf/a", "body/a", count=len(places), sources=places)
    told = form(replace(REPORT, findings=(many,))).replace("\\", "")
    assert f"/robot/link[{most}]" in told
    assert f"/robot/link[{most + 1}]" not in told
    assert "… and 3 more" in told


def places(*lines: int) -> tuple[Source, ...]:
    return tuple(Source("robot.urdf", line, f"/robot/link[{line}]") for line in lines)


def test_what_is_said_alike_is_one_finding_with_every_place_once():
    """First the place of each, then further sources; named after the first."""
    found = [
        finding(Action.DROPPED, "urdf/a", "body/late", sources=places(7, 3), count=2),
        finding(Action.DROPPED, "urdf/a", "body/early", sources=places(2, 7)),
        finding(Action.DROPPED, "urdf/a", "body/nowhere"),
    ]
    (one,) = merge(found)
    assert (one.where, one.count, one.sources) == ("body/early", 4, places(2, 7, 3))


@pytest.mark.parametrize(
    "other", [{"reason": "b"}, {"before": "1"}, {"after": "1"}, {"severity": Severity.NOTE}, {"aspect": "b"}]
)
def test_what_is_said_otherwise_is_another_finding(other: dict[str, Any]):
    one = finding(Action.DROPPED, "urdf/a", "body/a", reason="a")
    assert len(merge([one, replace(one, **other)])) == 2


def test_a_note_of_what_a_writer_knows_by_name_stands_where_the_source_has_it():
    scene = Scene("s")
    scene.add("material", Material(name="red", source=places(4)[0]))
    notes = [Note(rule="mjcf/a", where=where, before=where) for where in ("material/red", "material/blue")]
    found = {each.where: each.sources for each in findings(scene, Comparison(), notes=notes)}
    assert found == {"material/red": places(4), "material/blue": ()}


def test_no_form_names_a_file_for_a_scene_that_came_from_none(tmp_path: Path):
    scene = Scene("made")
    scene.add_body(Body(name="alone"))
    report = write(scene, tmp_path / "out.xml")
    assert markdown(report).startswith("# a scene → ")
    assert "\n\n1 derived\n" in markdown(report)
    assert "<title>a scene → " in html(report)
    (run,) = standard.loads(sarif(report))["runs"]
    assert [place.keys() for each in run["results"] for place in each["locations"]] == [{"logicalLocations"}]


def test_a_report_that_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = REPORT
    report.save(tmp_path / "r.json")
    before = (tmp_path / "r.json").read_bytes()
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        report.save(tmp_path / "r.json")
    assert (tmp_path / "r.json").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["r.json"]


def full(path: Path, data: bytes) -> int:
    with path.open("wb") as file:
        file.write(data[:10])
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_report_makes_the_folder_that_it_is_saved_in(tmp_path: Path) -> None:
    REPORT.save(tmp_path / "a" / "b" / "r.md")
    assert (tmp_path / "a" / "b" / "r.md").is_file()
