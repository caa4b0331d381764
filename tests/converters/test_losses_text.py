"""Tables of reasons as texts (converters.report.rows)."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from converters.format import Loss
from converters.report import file_reasons, reasons, value_reasons
from converters.report.rows import conditions, rows

TABLE = """NOTHING = no format
  says it
joint.dofs.lower,
joint.dofs.upper
  toy/range (note, derived) if heard or unset_in_source: a bound {MOST} is none: {NOTHING}
geom*
  toy/geom: gone
"""


def heard(*_: object) -> bool:
    return True


@pytest.fixture
def table(tmp_path: Path):
    def read(text: str) -> list[Loss]:
        module = ModuleType("toy")
        module.__file__, module.heard, module.MOST = str(tmp_path / "reasons.py"), heard, "above 7"
        (tmp_path / "losses.txt").write_text(text)
        return list(rows(module))

    return read


def test_a_row_is_addresses_a_rule_and_a_sentence(table):
    joint, geom = table(TABLE)
    assert joint.patterns() == ["joint.dofs.lower", "joint.dofs.upper"]
    assert (joint.rule, joint.severity, joint.action) == ("toy/range", "note", "derived")
    assert joint.reason == "a bound above 7 is none: no format says it"
    assert geom == Loss("geom*", "toy/geom", "gone")


@pytest.mark.parametrize(
    ("asked", "found"), [("heard", True), ("heard or unset_in_source", True), ("heard and unset_in_source", False)]
)
def test_what_a_row_asks_is_found_by_name(table, asked: str, found: bool):
    (row,) = table(f"geom*\n  toy/geom if {asked}: gone\n")
    difference = type("", (), {"before": "something"})()
    assert row.when(difference, None) is found
    assert not reasons.unset_in_source(difference, None)


@pytest.mark.parametrize("asked", ["herd", "heard and unset_in_source or heard"])
def test_a_name_that_no_module_has_is_an_error(table, asked: str):
    with pytest.raises(KeyError, match=asked.rpartition(" and ")[2]):
        table(f"geom*\n  toy/geom if {asked}: gone\n")


@pytest.mark.parametrize("text", ["geom*\n", "  toy/geom: gone\n", "geom*\n  toy/geom gone\n"])
def test_a_line_that_is_no_part_of_a_row_is_an_error(table, text: str):
    with pytest.raises(AssertionError):
        table(text)


@pytest.mark.parametrize("name", ["gltf", "mjcf", "sdf", "urdf"])
def test_what_rows_ask_has_one_meaning_by_name(name: str):
    """Functions of one format are looked up by name: a later module would hide those of an earlier one."""
    modules = [*conditions(name), reasons, file_reasons, value_reasons]
    text = Path(str(modules[0].__file__)).with_name("losses.txt").read_text()
    for asked in {word for words in re.findall(r" if ([\w ]+):", text) for word in words.split()} - {"and", "or"}:
        assert len({id(vars(module)[asked]) for module in modules if asked in vars(module)}) == 1, asked
