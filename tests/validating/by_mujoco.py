"""A text compared with MuJoCo: `validate` and a conversion report what it refuses; what it accepts is not an error."""

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
    """Return the rules of the errors of `validate`."""
    return [breach.rule for breach in validate(path).breaches if severity(breach) == ERROR]


def refused(text: str, folder: Path) -> list[str]:
    """Return the errors of a text that MuJoCo refuses; check that a conversion reports one, at its line."""
    with pytest.raises(ValueError, match="rror"):
        mujoco.MjModel.from_xml_string(text)
    path = saved(folder / "in.xml", text)
    report = convert(path, folder / "out.xml")
    (told,) = [each for each in report.findings if "refuses the model; kept as it is" in each.reason]
    assert told.sources and told.sources[0].line == 1
    explained(report)
    return errors(path)


def taken(text: str, folder: Path) -> list[str]:
    """Return the errors of a text that MuJoCo accepts."""
    mujoco.MjModel.from_xml_string(text)
    path = saved(folder / "in.xml", text)
    return errors(path)
