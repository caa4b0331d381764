"""What SDF and MJCF both have words for, with the numbers that mean the same; the other says so in the report."""

from __future__ import annotations

from pathlib import Path

import mujoco

from converters.report.model import Report
from tests.formats.sdf_text import converted, link, put, sdf
from tests.oracles import in_mujoco, sdf_elements


def there(folder: Path, text: str) -> tuple[Report, mujoco.MjModel]:
    """What SDF -> MJCF tells, and what MuJoCo takes; SDF comes back element for element."""
    source = put(folder, text)
    report, path = converted(folder, source, "there.xml")
    _, back = converted(folder, path, "back.sdf")
    assert list(sdf_elements.differences(source, back)) == []
    return report, in_mujoco.mujoco_model(path)


def told(report: Report, *rules: str) -> set[tuple[str, str, str]]:
    """Rule, action and reason of the findings of some rules."""
    return {(each.rule, each.action, each.reason) for each in report.findings if each.rule in rules}


def actions(report: Report, rule: str) -> set[str]:
    return {action for _, action, _ in told(report, rule)}


def surface(inner: str, name: str = "c") -> str:
    shape = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    return f'<collision name="{name}">{shape}<surface>{inner}</surface></collision>'


SENSING = "<contact><collide_without_contact>true</collide_without_contact></contact>"


def test_what_collides_without_contact_stops_nothing_in_mujoco(tmp_path: Path) -> None:
    links = link("a", "0 0 1 0 0 0", surface(SENSING)) + link("b", "0 0 1.1 0 0 0", surface("", "d"))
    report, model = there(tmp_path, sdf(f"{links}<self_collide>true</self_collide>"))
    assert (model.geom("c").contype, model.geom("c").conaffinity) == (0, 0)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    assert actions(report, "mjcf/no-contact") == {"approximated", "derived"}
    assert "unless it says otherwise" not in {reason for _, _, reason in told(report, "mjcf/surface")}
