"""Everything in a source is counted, and places in a report exist: tested here with the command (test_urdf: for every
robot)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus.models import models
from tests.oracles import plain_urdf, recount

pytestmark = pytest.mark.corpus


def test_the_json_report_of_the_command_conserves_every_item_of_its_source(tmp_path: Path):
    source = next(model.path for model in models() if model.name.endswith("talos_data/robots/talos_left_arm.urdf"))
    command = [
        sys.executable,
        "-m",
        "converters",
        "convert",
        source,
        tmp_path / "robot.xml",
        "--no-srdf",
        "--report",
        tmp_path / "r.json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    totals = report["totals"]
    assert totals["source_items"] == recount.items(source)
    assert totals["source_items"] == totals["read"] + totals["ignored"] + totals["unread"]
    root = plain_urdf.parse(source)
    places = [place["path"] for finding in report["findings"] for place in finding["sources"]]
    assert places
    assert [problem for place in places if (problem := recount.resolve(root, place))] == []
