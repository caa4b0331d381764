"""A text held against MuJoCo: what it refuses is told by `validate` and by a conversion, what it takes is no error."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from converters.convert import convert
from converters.validating import validate
from converters.validating.rules import ERROR
from converters.validating.run import severity
from tests.files import saved
from tests.reports import explained


def errors(path: Path) -> list[str]:
    """The rules of the errors that `validate` tells."""
    return [breach.rule for breach in validate(path).breaches if severity(breach) == ERROR]


def refused(text: str, folder: Path) -> list[str]:
    """The errors of a text that MuJoCo refuses; a conversion tells one finding of that, at its line."""
    with pytest.raises(ValueError, match="rror"):
        mujoco.MjModel.from_xml_string(text)
    path = saved(folder / "in.xml", text)
    report = convert(path, folder / "out.xml")
    (told,) = [each for each in report.findings if each.reason.endswith("refuses the model; kept as it is")]
    assert told.sources and told.sources[0].line == 1
    explained(report)
    return errors(path)


def taken(text: str, folder: Path) -> list[str]:
    """The errors of a text that MuJoCo takes."""
    mujoco.MjModel.from_xml_string(text)
    path = saved(folder / "in.xml", text)
    return errors(path)
