"""What an output format cannot contain is refused with its place in the source."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from converters import convert, formats, read
from converters.context import InputError
from tests.conftest import MADE
from tests.files import saved

URDF = """<robot name="r">
  <link name="a">
    <inertial>
      <origin xyz="1e-17 0 0"/>
      <mass value="MASS"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <geometry>
        <sphere radius="RADIUS"/>
      </geometry>
    </visual>
  </link>
  <link name="b"/>
  <link name="c"/>
  <joint name="j" type="revolute">
    <parent link="a"/>
    <child link="b"/>
    <origin xyz="FIRST 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <dynamics damping="DAMPING"/>
  </joint>
  <joint name="k" type="fixed">
    <parent link="b"/>
    <child link="c"/>
    <origin xyz="SECOND 0 0"/>
  </joint>
</robot>"""
SDF = """<sdf version="1.9">
  <model name="m">
    <link name="a">
      <inertial><mass>2</mass></inertial>
      <collision name="c">
        <geometry><box><size>1 SIZE 1</size></box></geometry>
      </collision>
    </link>
    <model name="n">
      <link name="a">
        <inertial>
          <mass>1</mass>
        </inertial>
      </link>
    </model>
  </model>
</sdf>"""
GLTF = json.dumps(
    {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
        "extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "sphere", "sphere": {"radius": "RADIUS"}}]}},
        "nodes": [
            {
                "name": "a",
                "extensions": {
                    "KHR_physics_rigid_bodies": {"motion": {"mass": "MASS"}, "collider": {"geometry": {"shape": 0}}}
                },
            }
        ],
    },
    indent=1,
).replace('"RADIUS"', "RADIUS")
GLTF = GLTF.replace('"MASS"', "MASS")
SOURCES = {"urdf": URDF, "sdf": SDF, "gltf": GLTF}
PLAIN = ("MASS", "RADIUS", "FIRST", "SECOND", "DAMPING", "SIZE")


@pytest.mark.parametrize(
    ("source", "values", "target"),
    [
        ("urdf", {"RADIUS": "1e300"}, "xml"),
        ("urdf", {"RADIUS": "1e300", "DAMPING": "1e305"}, "xml"),
        ("urdf", {"DAMPING": "1e300"}, "xml"),
        ("urdf", {"FIRST": "1e300"}, "xml"),
        ("urdf", {"FIRST": "1e100", "MASS": "1e300"}, "xml"),
        ("urdf", {"DAMPING": "1e100", "MASS": "1e300"}, "xml"),
        ("urdf", {"FIRST": "1e300"}, "sdf"),
        ("urdf", {"SECOND": "1e200", "FIRST": "1e100"}, "sdf"),
        ("urdf", {"FIRST": "1.7e308", "SECOND": "1.6e308"}, "sdf"),
        ("sdf", {"SIZE": "1e300"}, "xml"),
        ("gltf", {"RADIUS": "1e300"}, "xml"),
        ("gltf", {"RADIUS": "1e300"}, "urdf"),
        ("gltf", {"MASS": "1e300"}, "xml"),
        ("gltf", {"MASS": "1.7e308", "RADIUS": "100"}, "sdf"),
    ],
)
def test_a_number_that_the_output_cannot_hold_is_named_by_its_line(
    source: str, values: dict[str, str], target: str, tmp_path: Path
) -> None:
    text = SOURCES[source]
    line = text[: text.index(next(iter(values)))].count("\n") + 1
    for name in PLAIN:
        text = text.replace(name, values.get(name, "1"))
    path = saved(tmp_path / f"m.{source}", text)
    with pytest.raises(InputError, match="cannot hold this model") as caught:
        convert(path, tmp_path / f"out.{target}")
    assert caught.value.source is not None
    assert (caught.value.source.file, caught.value.source.line) == (str(path), line)
    assert not (tmp_path / f"out.{target}").exists()


@pytest.mark.parametrize("target", ["sdf", "gltf"])
def test_a_model_that_is_too_large_is_refused_before_it_is_written(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = formats()[target]
    assert form.size_limit is not None
    small = replace(form, size_limit=replace(form.size_limit, most=20))
    module = sys.modules[convert.__module__]
    monkeypatch.setattr(module, "format_named", lambda name, verb: small)
    monkeypatch.setattr(module, "_writer", lambda to, options: None)  # nobody gets as far as to call it
    path = saved(tmp_path / "m.urdf", re.sub("|".join(PLAIN), "1", URDF))
    with pytest.raises(InputError, match=r"m\.urdf:1: .* takes more than 20 .*the most that is read"):
        convert(path, tmp_path / "out", target=target)


@pytest.mark.parametrize("robot", [*MADE.glob("feature_*.urdf")], ids=lambda path: path.stem)
def test_what_a_model_takes_at_the_least_is_never_more_than_it_takes(robot: Path, tmp_path: Path) -> None:
    scene = read(robot)
    for target, size in (("sdf", lambda data: data.count(b"<") - data.count(b"</")), ("gltf", len)):
        least = formats()[target].size_limit
        assert least is not None
        path = tmp_path / f"out.{target}"
        convert(robot, path, target=target)
        assert least.lower_bound(scene) <= size(path.read_bytes())
