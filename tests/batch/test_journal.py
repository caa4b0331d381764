"""The journal: incomplete lines are ignored, and the lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.batch.journal import Journal, line, locked, parsed
from converters.context import InputError
from converters.discovery import HIDDEN
from tests.batch.folders import batch, robots


def entry(model: str, **more: object) -> dict[str, object]:
    return {"model": model, "status": "converted"} | more


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / HIDDEN).mkdir()
    return tmp_path


def test_an_entry_comes_back(folder: Path):
    names = ["a.urdf", "line\nbreak.urdf", "caf\udce9.urdf", '","entry":{.urdf']
    journal = Journal(folder)
    journal.append([entry(name, number=number) for number, name in enumerate(names)])
    journal.append([entry("a.urdf", number=9)])
    journal.close()
    with Journal(folder) as again:
        assert [again.get(name)["number"] for name in names] == [9, 1, 2, 3]
        assert again.get("b.urdf") is None
        assert [each["model"] for each in again.entries()] == sorted(names)


def test_every_torn_end_is_passed_over_and_does_not_spoil_what_follows(folder: Path):
    journal = Journal(folder)
    journal.append([entry("a"), entry("b")])
    journal.close()
    whole = journal.path.read_bytes()
    first = len(line(entry("a")))
    for cut in range(len(whole) - 1):
        journal.path.write_bytes(whole[:cut])
        torn = Journal(folder)
        assert sorted(torn.places) == ([] if cut < first - 1 else ["a"])
        torn.append([entry("c")])
        torn.close()
        with Journal(folder) as again:
            assert sorted(again.places) == ([] if cut < first - 1 else ["a"]) + ["c"]
            assert again.get("c") == entry("c")


def test_a_changed_line_does_not_count(folder: Path):
    text = line(entry("a", number=1))
    assert parsed(text) == entry("a", number=1)
    assert parsed(text.replace(b'"number":1', b'"number":2')) is None
    assert parsed(b"{}") is None
    assert parsed(b"\xff\n") is None


def test_the_end_of_a_batch_leaves_sorted_lines_of_what_counts(folder: Path):
    with Journal(folder) as journal:
        journal.append([entry("b"), entry("a", number=1), entry("a", number=2)])
        journal.compact()
        assert journal.path.read_bytes() == line(entry("a", number=2)) + line(entry("b"))
        assert journal.get("a") == entry("a", number=2)
        journal.append([entry("c")])
        assert journal.get("c") == entry("c")


def test_two_batches_into_one_folder_are_refused(tmp_path: Path):
    robots(tmp_path / "src", 1)
    with locked(tmp_path / "out"):
        with pytest.raises(InputError, match="another batch is writing there"), locked(tmp_path / "out"):
            raise AssertionError("the lock was given twice")
        done = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf")
        assert done.returncode == 2
        assert "another batch is writing there" in done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [HIDDEN]
    assert batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf").returncode == 2  # for the broken robot
    assert (tmp_path / "out" / "pendulum.xml").is_file()
