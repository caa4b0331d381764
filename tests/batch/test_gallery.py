"""The index of a batch, in a browser that opens it from disk."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from tests.batch.folders import SDF, batch, robots, tree, urdf, write
from tests.oracles.in_chromium import browsed
from tests.oracles.in_viewer import viewed

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of two arms, a pendulum, a box, a broken robot, a part, and a robot whose names look like HTML."""
    folder = tmp_path_factory.mktemp("gallery")
    source = robots(folder / "src", 2)
    write(source, {"box/old.sdf": SDF, f"{EVIL}.urdf": urdf(EVIL.replace("<", "&lt;"), mesh=None)})
    write(source, {"fragment.xml": "<mujocoinclude/>"})
    broken = '<robot name="a"><link name="&lt;script>alert(2)&lt;/script>" /><link /></robot>'
    write(source, {"broken/evil.urdf": broken})
    run = batch(source, folder / "out", "--to", "mjcf", "--report", folder / "report")
    assert run.returncode == 2, run.stderr
    return folder / "report"


def test_the_index_filters_sorts_and_leads_to_reports(report: Path, tmp_path: Path):
    steps = [
        ("type", "#filter", "broken"),
        ("type", "#filter", ""),
        ("click", "input[value=failed]"),
        ("click", "input[value=failed]"),
        ("open", "details:last-of-type"),
        ("click", "tr[data-rule='mjcf/joint-velocity-limit'], tr[data-rule]"),
        ("click", "#rule"),
        ("choose", "#order", "status"),
        ("wait",),
        ("follow", "article.losses nav a:nth-child(2)"),
    ]
    found = browsed(report / "index.html", steps, tmp_path / "page.png")
    assert found["errors"] == []
    first, broken, empty, clean, _, opened, ruled, whole, ordered, waited, page = found["seen"]
    every = first["shown"]
    assert sorted(every) == sorted(
        ["arm.urdf", "arm.urdf", "pendulum.xml", "model.sdf", "old.sdf", "robot.urdf", "evil.urdf", f"{EVIL}.urdf"]
    ), "what is skipped is shown to who asks"
    assert first["title"] == "src → mjcf"
    assert "8 of 9" in first["text"]
    assert sorted(broken["shown"]) == ["evil.urdf", "robot.urdf"]
    assert empty["shown"] == every
    assert sorted(set(every) - set(clean["shown"])) == ["evil.urdf", "robot.urdf"]
    assert "arm_0" not in opened["text"][:200]
    assert set(ruled["shown"]) < set(every)
    assert "arm.urdf" in ruled["shown"]
    assert whole["shown"] == every
    assert sorted(ordered["shown"][:2]) == ["evil.urdf", "robot.urdf"]
    assert waited["pictures"] == 6
    assert page["title"].endswith(".xml")
    assert "items in the source" in page["text"]


def test_every_link_of_the_index_leads_to_a_file(report: Path):
    (seen,) = browsed(report / "index.html")["seen"]
    files = [Path(unquote(urlparse(link).path)) for link in seen["links"]]
    assert len(files) == 6 * 3 + 2 * 2 + 2
    assert [file for file in files if not file.is_file()] == []


def test_a_failure_has_a_page(report: Path):
    found = browsed(report / "models" / "broken" / "evil.urdf.html")
    assert found["errors"] == []
    assert "<link> has no attribute 'name'" in found["seen"][0]["text"]


def test_pages_are_linked_where_they_are_asked_for(tmp_path: Path):
    source = robots(tmp_path / "src", 1)
    refused = batch(source, tmp_path / "out", "--to", "mjcf", "--pages")
    assert refused.returncode == 2 and "--report" in refused.stderr
    report = tmp_path / "report"
    arguments = (source, tmp_path / "out", "--to", "mjcf", "--report", report)
    assert batch(*arguments).returncode == 2
    assert not list(report.rglob("*.view.html"))
    assert "unchanged" not in batch(*arguments, "--pages", "--resume").stdout  # reports without pages do not do
    pages = sorted(path.relative_to(report / "models").as_posix() for path in report.rglob("*.view.html"))
    assert pages == ["arm_0/arm.urdf.view.html", "box/model.sdf.view.html", "pendulum.xml.view.html"]
    assert "3 of them unchanged" in batch(*arguments, "--pages", "--resume").stdout
    first = tree(report)
    again = (
        source,
        tmp_path / "again",
        "--to",
        "mjcf",
        "--report",
        tmp_path / "again_report",
        "--pages",
        "--jobs",
        "1",
    )
    assert batch(*again).returncode == 2
    assert {name: data for name, data in tree(tmp_path / "again_report").items() if name != "index.html"} == {
        name: data for name, data in first.items() if name != "index.html"
    }
    (seen,) = browsed(report / "index.html")["seen"]
    linked = [Path(unquote(urlparse(link).path)) for link in seen["links"]]
    shown = sorted(path for path in linked if path.name.endswith(".view.html"))
    assert [path.relative_to(report / "models").as_posix() for path in shown] == pages
    summary = ["evaluate", "document.querySelector('#report-summary').textContent"]
    answers = viewed([{"file": str(path), "steps": [summary]} for path in shown])
    assert [(answer["errors"], answer["requests"]) for answer in answers] == [([], [])] * 3
    assert answers[0]["seen"][0].startswith("Conversion of arm.urdf to mjcf: ")


def test_a_model_that_only_collides_is_shown_as_it_collides(tmp_path: Path):
    """Instead of an empty floor; collisions have a colour of their own, and the page labels them."""
    import numpy as np
    from PIL import Image

    shown = urdf("seen", mesh=None)
    write(
        tmp_path / "src",
        {
            "seen.urdf": shown,
            "solid.urdf": shown.replace("visual", "collision"),
            "bare.urdf": '<robot name="b"><link name="a"/></robot>',
        },
    )
    run = batch(tmp_path / "src", tmp_path / "out", "--to", "mjcf", "--report", tmp_path / "report")
    assert run.returncode == 0, run.stderr
    models = tmp_path / "report" / "models"
    seen, solid, bare = (
        np.asarray(Image.open(models / name).convert("L"), dtype=float)
        for name in ("seen.urdf.png", "solid.urdf.collision.png", "bare.urdf.png")
    )
    assert not (models / "solid.urdf.png").exists()
    assert 0.02 < (seen != solid).mean() < 0.5  # the floor is the same, the box is not
    assert (bare != solid).mean() > 0.02
    page = (tmp_path / "report" / "index.html").read_text()
    assert page.count("<figcaption>") == 1 and "models/solid.urdf.collision.png" in page
