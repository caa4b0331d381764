"""What is accepted as a report's response to a change of its source."""

from __future__ import annotations

import pytest

from converters.report.model import Action, End, Finding, Report, Severity
from ir.types import Source
from tests.corpus.mutation import Output, bad, judge

PLACE = "/robot/joint[1]/limit[1]"


def _output(*findings: Finding) -> Output:
    end = End(path="robot.urdf", format="urdf")
    return Report(version="1", source=end, target=end, findings=findings), b"<robot/>", {}


def _finding(path: str, before: str, action: Action = Action.CARRIED, after: str = "") -> Finding:
    place = Source("robot.urdf", 1, path)
    return Finding(
        rule="r", action=action, severity=Severity.NOTE, where="joint/j", before=before, after=after, sources=(place,)
    )


def test_a_finding_that_says_the_new_value_is_an_answer():
    before, after = _output(_finding(PLACE, "1")), _output(_finding(PLACE, "2"))
    assert judge(f"{PLACE}/@effort", before, after) == "named by its element"


def test_a_place_that_was_named_for_another_reason_is_no_answer():
    same = _finding(PLACE, "1", Action.APPROXIMATED, after="3")
    outcome = judge(f"{PLACE}/@effort", _output(same), _output(same))
    assert outcome == "silent, though named for another reason"
    assert bad(outcome)


@pytest.mark.parametrize("action", [Action.CARRIED, Action.DROPPED, Action.IGNORED])
def test_all_that_is_said_in_what_is_lost_as_a_whole_is_lost_with_it(action: Action):
    whole = _finding("/robot/joint[1]", "joint j", action)
    assert judge(f"{PLACE}/@effort", _output(whole), _output(whole)) == "named by an ancestor"


def test_what_is_said_elsewhere_is_no_answer():
    elsewhere = "/robot/link[1]"
    outcome = judge(f"{PLACE}/@effort", _output(_finding(elsewhere, "1")), _output(_finding(elsewhere, "2")))
    assert outcome == "report changed"
    assert bad(outcome)
