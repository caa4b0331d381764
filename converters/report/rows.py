"""Tables of reasons, as texts (FORMAT/losses.txt): a row is the addresses that it explains (converters.format.Loss),
and indented below its rule, what it asks, and its sentence:

    joint.dofs.lower, joint.dofs.upper
      mjcf/empty-range (note) if means_no_limit or empty_or_point_range: MuJoCo takes a range without width ...

In brackets stand the severity where it is no warning, and the action where it is not as computed. What is asked has
the name that it has in FORMAT/reasons.py or FORMAT/*_reasons.py, else in converters/report/*reasons.py; several names
stand between "or", or all between "and". {WORD} stands for what is said in the table itself (WORD = ...), or for a
constant of these modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from converters.format import Loss, renamed, unframed
from converters.report import file_reasons, reasons, value_reasons
from converters.report.model import Severity
from converters.report.reasons import Asked, all_of, any_of

_WORD = re.compile(r"^([A-Z_]+) = (.*\n(?: .*\n)*)", re.MULTILINE)
_ROW = re.compile(r"((?:^\S.*\n)+)((?: .*\n)+)", re.MULTILINE)
_SAID = re.compile(r"([\w/-]+)(?: \(([\w, ]+)\))?(?: if ([\w ]+))?: (.*)")
SEVERITIES = {severity.value for severity in Severity}


@cache
def losses(form: str) -> tuple[Loss, ...]:
    """Why a format whose joints have no frame of their own cannot hold something: reasons alone, the differences are
    computed."""
    return renamed(form), unframed(form), *rows(*conditions(form))


def conditions(form: str) -> list[ModuleType]:
    """The modules of a format with what its rows ask."""
    package = import_module(f"converters.{form}")
    places = sorted(Path(str(package.__file__)).parent.glob("*reasons.py"))
    return [import_module(f"{package.__name__}.{place.stem}") for place in places]


def rows(*asking: ModuleType) -> Iterator[Loss]:
    """The rows of losses.txt beside these modules with their conditions. Raises KeyError for a name that is in none."""
    text = Path(str(asking[0].__file__)).with_name("losses.txt").read_text("ascii")
    known = {
        name: found
        for module in (reasons, file_reasons, value_reasons, *asking)
        for name, found in vars(module).items()
    }
    words = known | {name: _flat(said) for name, said in _WORD.findall(text)}
    text = _WORD.sub("", text)
    assert not _ROW.sub("", text).strip(), "a line that is no part of a row"
    for fields, below in _ROW.findall(text):
        said = _SAID.fullmatch(_flat(below))
        assert said is not None, below
        rule, marks, asked, reason = said.groups(default="")
        severity = next((mark for mark in marks.split(", ") if mark in SEVERITIES), "warning")
        action = next((mark for mark in marks.split(", ") if mark not in SEVERITIES), "")
        when = _asked(asked, known) if asked else None
        yield Loss(_flat(fields).format(**words), rule, reason.format(**words), severity, action, when)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _asked(names: str, known: Mapping[str, Asked]) -> Asked:
    """The condition of this name, or of several names joined by "or" or "and"."""
    word, joined = (" and ", all_of) if " and " in names else (" or ", any_of)
    found = [known[name] for name in names.split(word)]
    return found[0] if len(found) == 1 else joined(*found)
