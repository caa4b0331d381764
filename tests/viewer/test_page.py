"""A page's features: names as text, sliders and mimics, tree, poses, motions, comparison, keyboard, accessibility."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from converters.context import InputError, Options
from converters.convert import convert
from converters.viewer import view
from tests.files import saved
from tests.oracles.in_viewer import viewed

HOSTILE = "</script><img src=x onerror=alert(1)>"
ARM = """<robot name="arm">
 <link name="base"><visual><geometry><box size=".2 .2 .1"/></geometry></visual>
  <collision><geometry><cylinder radius=".2" length=".1"/></geometry></collision></link>
 <link name="upper"><inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".02" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0 .3"/><geometry><box size=".1 .1 .6"/></geometry></visual></link>
 <link name="finger"><visual><geometry><sphere radius=".1"/></geometry></visual></link>
 <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="2" effort="5" velocity="1"/></joint>
 <joint name="grip" type="prismatic"><parent link="upper"/><child link="finger"/><origin xyz="0 0 .7"/>
  <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="5" velocity="1"/>
  <mimic joint="turn" multiplier="0.5" offset="0.1"/></joint>
</robot>"""


def page(folder: Path, text: str, name: str = "arm.urdf", **settings: Any) -> Path:
    """Write the page of a model of this text."""
    source = saved(folder / name, text)
    return saved(folder / f"{source.stem}.html", view(source, **settings)[0])


def shown(file: Path, *steps: list[Any], **settings: Any) -> list[Any]:
    """Return the results of the steps; the page must have no errors and make no requests."""
    (answer,) = viewed([{"file": str(file), "steps": list(steps), **settings}])
    assert answer["errors"] == []
    assert answer["requests"] == []
    seen: list[Any] = answer["seen"]
    return seen


VALUES = "Object.fromEntries(kinegraph.state.standing[0].values)"


def test_sliders_mimics_and_numbers(tmp_path: Path):
    file = page(tmp_path, ARM)
    seen = shown(
        file,
        ["evaluate", "document.querySelector('[data-dof=turn]').ariaLabel"],
        ["focus", "[data-dof=turn]"],
        ["press", "ArrowRight", "ArrowRight", "PageUp"],
        ["evaluate", VALUES],
        ["evaluate", "document.querySelector('[data-dof=grip]').disabled"],
        ["evaluate", "document.querySelector('[data-number=grip]').value"],
        ["focus", "[data-number=turn]"],
        ["evaluate", "document.querySelector('[data-number=turn]').select()"],
        ["type", "45"],
        ["press", "Enter"],
        ["evaluate", VALUES],
        ["click", "#reset"],
        ["evaluate", VALUES],
        ["click", "#random"],
        ["evaluate", VALUES],
    )
    assert seen[0] == "turn, -57.2958 to 114.592 °"
    assert seen[3]["turn"] == [pytest.approx(12 * 0.03)]
    assert seen[3]["grip"] == [pytest.approx(0.5 * 12 * 0.03 + 0.1)]
    assert seen[4] is True
    assert float(seen[5]) == pytest.approx(0.28)
    assert seen[10]["turn"] == [pytest.approx(0.785398, abs=1e-6)]
    assert seen[12] == {"turn": [0], "grip": [0.1]}
    assert -1 <= seen[14]["turn"][0] <= 2 and seen[14]["turn"] != [0]


def test_a_slider_ends_where_limits_that_are_none_do_not(tmp_path: Path):
    text = ARM.replace('lower="-1" upper="2"', 'lower="-999999" upper="999999"')
    number = "document.querySelector('[data-number=turn]')"
    (label, *_, values, outside) = shown(
        page(tmp_path, text),
        ["evaluate", "document.querySelector('[data-dof=turn]').ariaLabel"],
        ["focus", "[data-number=turn]"],
        ["evaluate", f"{number}.select()"],
        ["type", "360"],
        ["press", "Enter"],
        ["evaluate", VALUES],
        ["evaluate", f"{number}.closest('li').classList.contains('outside')"],
    )
    assert label == "turn, -180 to 180 °"
    assert values["turn"] == [pytest.approx(6.283185, abs=1e-6)] and not outside


def test_the_rule_of_a_follower_is_what_it_does(tmp_path: Path):
    axis = "<axis><xyz>0 0 1</xyz><limit><lower>-4</lower><upper>4</upper></limit>{}</axis>"
    mimic = '<mimic joint="{}"><multiplier>{}</multiplier><offset>0.1</offset><reference>0.5</reference></mimic>'
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{name}_link</child>'
        f"{axis.format(rule)}</joint>"
        for name, parent, rule in (
            ("j", "a", ""),
            ("k", "j_link", mimic.format("j", 2)),
            ("l", "k_link", mimic.format("j", -3)),
            ("m", "l_link", mimic.format("j", 0.2)),
        )
    )
    links = "".join(f'<link name="{name}"/>' for name in ("a", "j_link", "k_link", "l_link", "m_link"))
    text = f'<sdf version="1.11"><model name="m">{links}{joints}</model></sdf>'
    steps = [
        each
        for name in "klm"
        for each in (
            ["evaluate", f"kinegraph.state.select('{name}_link'); document.querySelector('#details').innerText"],
            ["evaluate", f"document.querySelector('li:has([data-dof={name}]) .limits').innerText"],
        )
    ]
    seen = shown(page(tmp_path, text, "arm.sdf"), *steps, ["evaluate", VALUES])
    assert "2 × j − 0.9" in seen[0] and seen[1] == "= 2 × j − 51.5662"
    assert "-3 × j + 1.6" in seen[2] and seen[3] == "= -3 × j + 91.6732"
    assert "0.2 × j" in seen[4] and seen[5] == "= 0.2 × j"
    assert [round(seen[6][name][0], 9) for name in "jklm"] == [0, -0.9, 1.6, 0]


def test_the_tree_and_the_picture_select_the_same(tmp_path: Path):
    seen = shown(
        page(tmp_path, ARM),
        ["focus", "#links [tabindex='0']"],
        ["press", "ArrowDown", "Enter"],
        ["evaluate", "[kinegraph.state.selected, document.querySelector('#details').innerText]"],
        ["press", "Escape"],
        ["focus", "#link-search"],
        ["type", "fing"],
        ["evaluate", "[...document.querySelectorAll('#links .link')].map(each => each.textContent)"],
        ["evaluate", "(() => { const box = document.querySelector('canvas').getBoundingClientRect();"
         " for (let y = box.top; y < box.bottom; y += 6) for (let x = box.left; x < box.right; x += 6)"
         " if (kinegraph.stage.pick(x, y) === 'upper') return [x, y]; })()"],
    )  # fmt: skip
    assert seen[2][0] == "upper"
    assert "2 kg" in seen[2][1] and "turn: hinge" in seen[2][1] and "-1 … 2 rad" in seen[2][1]
    assert seen[6] == ["finger"]
    x, y = seen[7]
    picked = shown(
        tmp_path / "arm.html",
        ["point", x, y],
        ["evaluate", "[kinegraph.state.selected, document.querySelector('[aria-selected=true]').innerText]"],
    )[1]
    assert picked[0] == "upper" and picked[1].startswith("upper")


def test_what_is_shown_can_be_chosen(tmp_path: Path):
    count = "(async () => { await kinegraph.stage.drawn(); return kinegraph.stage.triangles(); })()"
    seen = shown(
        page(tmp_path, ARM),
        ["evaluate", count],
        ["select", "#role", "collision"],
        ["evaluate", count],
        ["select", "#role", "both"],
        ["evaluate", count],
        *[["click", f"#{name}"] for name in ("frames", "axes", "masses", "inertias", "grid", "theme")],
        ["evaluate", "document.documentElement.dataset.theme"],
    )
    assert 0 < seen[2] < seen[0]
    assert seen[4] == seen[0] + seen[2]
    assert seen[-1] == "dark"


def test_a_pose_is_copied_and_shared(tmp_path: Path):
    file = page(tmp_path, ARM)
    copied = "(async () => { let told; Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {"
    copied += " writeText: async text => { told = text; } } }); document.querySelector('#copy-%s').click();"
    copied += " await new Promise(done => setTimeout(done, 50)); return told; })()"
    seen = shown(
        file,
        ["evaluate", VALUES],
        ["evaluate", copied % "json"],
        ["evaluate", copied % "arguments"],
        ["evaluate", "kinegraph.state.set({turn: [1.25]})"],
        ["evaluate", copied % "link"],
        fragment="#turn=0.5",
    )
    assert seen[0] == {"turn": [0.5], "grip": [0.35]}
    assert json.loads(seen[1]) == {"turn": 0.5}
    assert seen[2] == "--pose 'turn=0.5'"
    assert seen[4].endswith("arm.html#turn=1.25")


def until_it_differs(expression: str) -> str:
    """Return JavaScript that waits until an expression changes, at most 30 s: frames are late on a busy machine."""
    return (
        f"new Promise((done) => {{ const value = () => JSON.stringify({expression}); const first = value();"
        " const look = (n) => (value() !== first || n > 600 ? done(n) : setTimeout(() => look(n + 1), 50));"
        " look(0); })"
    )


def test_poses_and_motions(tmp_path: Path):
    (tmp_path / "arm.srdf").write_text(
        '<robot name="arm"><group name="all"><joint name="turn"/></group>'
        '<group_state name="up" group="all"><joint name="turn" value="1.5"/></group_state></robot>'
    )
    motion = saved(tmp_path / "wave.csv", "time,turn\n0,0\n1,1\n2,-1\n")
    seen = shown(
        page(tmp_path, ARM, options=Options(trajectory=(str(motion),), pose=("turn=0.25",))),
        ["evaluate", VALUES],
        ["evaluate", "[...document.querySelector('#pose').options].map(each => each.text)"],
        ["select", "#pose", "0"],
        ["evaluate", VALUES],
        ["evaluate", "(() => { const bar = document.querySelector('#scrub'); bar.value = '1.5';"
         " bar.dispatchEvent(new Event('input')); })()"],
        ["evaluate", VALUES],
        ["click", "#play"],
        ["evaluate", until_it_differs(VALUES)],
        ["evaluate", "document.querySelector('#play').textContent"],
    )  # fmt: skip
    assert seen[0]["turn"] == [0.25]
    assert seen[1] == ["choose …", "up"]
    assert seen[3]["turn"] == [1.5]
    assert seen[5]["turn"] == [pytest.approx(0.0, abs=1e-6)]
    assert seen[7] <= 600, "nothing moves"
    assert seen[8] == "Pause"


def test_two_models_move_together(tmp_path: Path):
    other = saved(tmp_path / "other.urdf", ARM.replace('value="2"', 'value="3"').replace("0 0 .7", "0 0 .9"))
    seen = shown(
        page(tmp_path, ARM, other=other),
        ["worlds", [{"turn": [1.0]}], 0],
        ["worlds", [{"turn": [1.0]}], 1],
        ["evaluate", "document.querySelector('#differences').innerText"],
        ["click", "#differences .where"],
        ["evaluate", "kinegraph.state.selected"],
        ["click", "#beside"],
        ["worlds", [{}], 1],
    )
    (first,), (second,) = seen[0], seen[1]
    assert first["upper"] == pytest.approx(second["upper"])
    assert first["finger"] != pytest.approx(second["finger"])
    assert "masses" in seen[2] and "upper" in seen[2]
    assert seen[4] in ("upper", "finger")
    assert seen[6][0]["base"][13] < -0.1


def test_two_models_open_in_one_pose_and_are_reset_to_it(tmp_path: Path):
    """The other model has its own keyframe, another zero and a joint that the first one lacks."""
    text = ARM.replace(
        "</robot>",
        """<link name="hand"/><link name="tip"/>
      <joint name="wrist" type="revolute"><parent link="finger"/><child link="hand"/><axis xyz="0 0 1"/>
      <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>{}</robot>""",
    )
    more = """<joint name="extra" type="revolute"><parent link="hand"/><child link="tip"/><axis xyz="0 0 1"/>
      <limit lower="0.2" upper="1" effort="1" velocity="1"/></joint>"""
    (tmp_path / "source.urdf").write_text(text.format(more))
    other = tmp_path / "other.glb"
    convert(tmp_path / "source.urdf", other, options=Options(pose=("turn=-0.5", "wrist=0.3")))
    both = "kinegraph.state.standing.map(each => Object.fromEntries(each.values))"
    seen = shown(
        page(tmp_path, text.format("<joint name='fix' type='fixed'><parent link='hand'/><child link='tip'/></joint>"),
             other=other, options=Options(pose=("turn=0.7", "wrist=0.4"))),
        ["evaluate", both],
        ["evaluate", "kinegraph.state.set({wrist: [-0.25]})"],
        ["evaluate", both],
        ["evaluate", "kinegraph.state.reset()"],
        ["evaluate", both],
    )  # fmt: skip
    start = {"turn": [0.7], "grip": [pytest.approx(0.45)], "wrist": [0.4]}
    assert seen[0] == [start, start | {"extra": [0.2]}]
    assert seen[2] == [start | {"wrist": [-0.25]}, start | {"wrist": [-0.25], "extra": [0.2]}]
    assert seen[4] == seen[0]


@pytest.mark.parametrize("dark", [False, True])
def test_no_serious_fault_of_accessibility(tmp_path: Path, dark: bool):
    text = ARM.replace("<collision>", '<collision name="x">').replace(
        '<sphere radius=".1"/>', '<mesh filename="a.stl"/>'
    )
    motion = saved(tmp_path / "wave.csv", "time,turn\n0,0\n1,1\n")
    file = page(tmp_path, text, options=Options(trajectory=(str(motion),)), target="mjcf")
    seen = shown(file, ["evaluate", "kinegraph.state.select('upper')"], ["axe"], dark=dark)
    assert [each for each in seen[1] if each["impact"] in ("serious", "critical")] == []


def test_the_keyboard_alone(tmp_path: Path):
    """The tab key reaches every part, and keys rotate the camera."""
    eye = "(async () => { await kinegraph.stage.drawn(); return document.querySelector('canvas').toDataURL(); })()"
    seen = shown(
        page(tmp_path, ARM),
        ["evaluate", eye],
        ["focus", "#canvas"],
        ["press", "ArrowLeft", "ArrowLeft", "ArrowUp", "+"],
        ["evaluate", eye],
        ["press", "f"],
        ["focus", "#role"],
        *[["press", "Tab"], ["evaluate", "document.activeElement.id || document.activeElement.role"]] * 24,
    )
    assert seen[0] != seen[3]
    reached = {each for each in seen[6:] if each}
    assert reached >= {"opacity", "theme", "link-search", "treeitem", "canvas", "reset", "copy-json", "joint-search"}


def test_hostile_names_are_names(tmp_path: Path):
    name = HOSTILE.replace("<", "&lt;").replace(">", "&gt;")
    text = ARM.replace('"upper"', f'"{name}"').replace('"turn"', f'"{name}"').replace('"arm"', f'"{name}"')
    file = page(tmp_path, text)
    seen = shown(
        file,
        ["evaluate", f"kinegraph.state.select({json.dumps(HOSTILE)})"],
        ["evaluate", "[document.images.length, document.querySelectorAll('#links .link')[1].textContent]"],
        ["evaluate", "document.querySelector('h1').textContent"],
    )
    assert seen[1] == [0, HOSTILE]
    assert seen[2] == HOSTILE
    assert HOSTILE not in file.read_text()


def test_the_policy_allows_nothing_else(tmp_path: Path):
    file = page(tmp_path, ARM)
    text = file.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "unsafe" not in policy[1] and "default-src 'none'" in policy[1]
    file.write_text(text.replace("</body>", "<script>window.broken = 1</script></body>"))
    (answer,) = viewed([{"file": str(file), "steps": [["evaluate", "window.broken ?? 0"]]}])
    assert answer["seen"] == [0]
    assert any("Content Security Policy" in each for each in answer["errors"])


def test_a_chain_of_ten_thousand_links(tmp_path: Path):
    links = "".join(f'<link name="l{n}"/>' for n in range(10_000))
    joints = "".join(
        f'<joint name="j{n}" type="continuous"><parent link="l{n}"/><child link="l{n + 1}"/>'
        '<origin xyz="0 0 .01"/><axis xyz="0 0 1"/></joint>'
        for n in range(9_999)
    )
    seen = shown(
        page(tmp_path, f'<robot name="chain">{links}{joints}</robot>'),
        ["evaluate", "document.querySelectorAll('#links li').length"],
        ["evaluate", "kinegraph.state.set({j5000: [1]})"],
        ["evaluate", "kinegraph.state.select('l9000')"],
        ["evaluate", "document.querySelector('[aria-selected=true] .link').textContent"],
        ["evaluate", "kinegraph.worlds()['l9999'][14]"],
    )
    assert 0 < seen[0] < 1000
    assert seen[3] == "l9000"
    assert seen[4] == pytest.approx(99.99)


def test_nothing_to_show_says_so(tmp_path: Path):
    trouble = ["evaluate", "document.querySelector('#trouble').textContent"]
    alone = shown(page(tmp_path, '<robot name="alone"><link name="a"/></robot>', "alone.urdf"), trouble)
    assert "no geometry" in alone[0]
    empty = shown(page(tmp_path, '<mujoco model="empty"><worldbody/></mujoco>', "empty.xml"), trouble)
    assert "no geometry" in empty[0]
    text = ARM.replace('<sphere radius=".1"/>', '<mesh filename="gone.stl"/>')
    missing = shown(page(tmp_path, text, "missing.urdf"), trouble, ["evaluate", "kinegraph.state.select('finger')"],
                    ["evaluate", "document.querySelector('#details').innerText"])  # fmt: skip
    assert "1 mesh was not found" in missing[0]
    assert "gone.stl" in missing[2]


def test_what_cannot_be_read_is_said(tmp_path: Path):
    (tmp_path / "bad.urdf").write_text("<robot><link/></robot>")
    with pytest.raises(InputError):
        view(tmp_path / "bad.urdf")


def test_what_was_not_understood_is_listed_with_its_place(tmp_path: Path):
    text = ARM.replace('<mass value="2"/>', '<mass value="2" guess="1"/>').replace(
        "</robot>", "<vendor><deep a='1'>word</deep></vendor></robot>"
    )
    file = page(tmp_path, text)
    seen = shown(
        file,
        ["evaluate", "[...document.querySelectorAll('#unread li')].map(each => each.textContent)"],
        ["evaluate", "document.querySelector('#unread-panel').hidden"],
        ["evaluate", "document.querySelector('#report-summary').textContent"],
        ["click", "#unread .where"],
        ["evaluate", "kinegraph.state.selected"],
    )
    assert len(seen[0]) == 2
    assert any("guess" in line and "arm.urdf:4" in line for line in seen[0])
    assert any("4 items" in line and "<vendor>" in line for line in seen[0])
    assert seen[1] is False
    assert "5 are not understood" in seen[2]
    assert seen[4] == "upper"


def test_meshes_arrive_as_they_were(tmp_path: Path):
    """Triangles with their own normals are delta-encoded with 8-bit normals, and are drawn where they were."""
    edge = 300  # more than 65 535 vertices: corners of 32 bits as well
    rows = [f"v {x / edge} {y / edge} {0.1 * (x % 3)}" for y in range(edge) for x in range(edge)]
    rows += ["vn 0 0.6 0.8", "vt 0 1", "vt 1 0"]
    for y in range(edge - 1):
        for first in range(y * edge + 1, y * edge + edge):
            a, b, c, d = first, first + 1, first + edge + 1, first + edge
            rows += [f"f {a}/1/1 {b}/2/1 {c}/1/1", f"f {a}/1/1 {c}/1/1 {d}/2/1"]
    (tmp_path / "sheet.obj").write_text("\n".join([*rows, ""]))
    shape = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    (tmp_path / "small.obj").write_text("v 0 0 2\nv 1 0 2\nv 0 1 2\nvn 0 0 1\nf 1//1 2//1 3//1\n")
    text = f'<robot name="s"><link name="l">{shape.format("sheet.obj")}{shape.format("small.obj")}</link></robot>'
    read = """(() => { const found = [];
      const each = (o) => { if (o.isMesh) found.push(o); o.children.forEach(each); };
      kinegraph.stage.robots()[0].root.children.forEach(each);
      return found.map((mesh) => {
        const { index, attributes } = mesh.geometry; const n = attributes.normal;
        const point = mesh.position.clone(); let area = 0; const sum = [0, 0, 0];
        const corner = (i) => point.clone().fromBufferAttribute(attributes.position, index.getX(i))
          .applyMatrix4(mesh.matrixWorld);
        for (let i = 0; i < index.count; i += 3) {
          const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
          for (const p of [a, b, c]) ['x', 'y', 'z'].forEach((word, k) => { sum[k] += p[word]; });
          area += b.sub(a).cross(c.sub(a)).z / 2;
        }
        return { names: Object.keys(attributes).sort(), count: index.count, area, sum,
          wide: index.array.BYTES_PER_ELEMENT, normal: [n.getX(0), n.getY(0), n.getZ(0)] };
      }); })()"""
    sheet, small = sorted(shown(page(tmp_path, text, "s.urdf"), ["evaluate", read])[0], key=lambda each: -each["count"])
    assert sheet["count"] == 6 * (edge - 1) ** 2 and sheet["wide"] == 4
    assert small["count"] == 3 and small["wide"] == 2
    assert sheet["names"] == small["names"] == ["normal", "position"]
    assert sheet["area"] == pytest.approx(((edge - 1) / edge) ** 2, rel=1e-3)
    assert small["area"] == pytest.approx(0.5, rel=1e-3)
    assert small["sum"] == pytest.approx([1, 1, 6], abs=1e-3)
    assert sheet["normal"] == pytest.approx([0, 0.6, 0.8], abs=0.01)
