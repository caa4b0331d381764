"""Model folders: written if DST is one, read if SRC is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from converters import convert, read
from converters.context import InputError, Options
from converters.report.model import exit_code
from converters.report.text import total
from tests.files import saved
from tests.formats.sdf_text import codes, faults, put, rules
from tests.oracles.in_sdformat import sdformat_reads
from tests.reports import complete, of_rule

LINK = '<link name="a"><visual name="v"><geometry><box><size>1 2 3</size></box></geometry></visual></link>'


def model(version: str, name: str = "m") -> str:
    return f'<sdf version="{version}"><model name="{name}">{LINK}</model></sdf>'


def test_a_folder_becomes_a_model_with_its_meshes(tmp_path: Path, made: Path) -> None:
    stl = made / "meshes" / "tetrahedron.stl"
    geometry = f'<geometry><mesh filename="file://{stl}"/></geometry>'
    urdf = saved(tmp_path / "robot.urdf", f'<robot name="r"><link name="a"><visual>{geometry}</visual></link></robot>')
    report = convert(urdf, tmp_path / "robot", target="sdf", options=Options(resource_paths=(stl.parent,)))
    folder = tmp_path / "robot"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "meshes/tetrahedron.stl",
        "model.config",
        "model.sdf",
    ]
    assert report.target.path == str(folder / "model.sdf")
    assert '<sdf version="1.9">model.sdf</sdf>' in (folder / "model.config").read_text()
    assert list(read(folder).bodies) == ["a", "world"]
    assert list(read(folder / "model.config").bodies) == ["a", "world"]


def test_the_newest_known_version_of_a_folder_counts(tmp_path: Path) -> None:
    for version in ("1.4", "1.9", "1.99"):
        (tmp_path / f"model-{version}.sdf").write_text(model(version, f"m{version}"))
    listed = "".join(f'<sdf version="{v}">model-{v}.sdf</sdf>' for v in ("1.4", "1.9", "1.99"))
    (tmp_path / "model.config").write_text(f"<model><name>m</name>{listed}</model>")
    assert read(tmp_path).name == "m1.9"


def test_a_folder_that_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, not a model file"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["", "model.config"])
def test_a_manifest_that_lists_no_file_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "model.config").write_text("<model><name>m</name><sdf version='1.9'>robot.sdf</sdf></model>")
    (tmp_path / "model.sdf").write_text(model("1.9"))
    with pytest.raises(InputError, match=r"model\.config:1: it lists no model file that is there"):
        read(tmp_path / name)


@pytest.mark.parametrize("version", ["1.6", "1.7", "1.9", "1.11", "1.12"])
def test_the_version_asked_for_is_written(version: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "a.sdf", model("1.8"))
    convert(source, tmp_path / "b.sdf", options=Options(sdf_version=version))
    assert f'version="{version}"' in (tmp_path / "b.sdf").read_text()


@pytest.mark.parametrize("version", ["1.5", "2.0", "x", "1.13"])
def test_a_version_that_is_not_written_is_refused(version: str, tmp_path: Path) -> None:
    source = saved(tmp_path / "a.sdf", model("1.8"))
    with pytest.raises(InputError, match=r"versions 1\.6 to 1\.12"):
        convert(source, tmp_path / "b.sdf", options=Options(sdf_version=version))


def test_one_model_of_a_world(tmp_path: Path) -> None:
    inside = "".join(f'<model name="{name}">{LINK}</model>' for name in ("one", "two"))
    source = saved(tmp_path / "w.sdf", f'<sdf version="1.9"><world name="w">{inside}</world></sdf>')
    report = convert(source, tmp_path / "two.urdf", options=Options(model="two"))
    assert list(read(tmp_path / "two.urdf").bodies) == ["a", "world"]
    assert "one" not in (tmp_path / "two.urdf").read_text()
    assert of_rule(report, "models/chosen")
    with pytest.raises(InputError, match="three"):
        convert(source, tmp_path / "three.urdf", options=Options(model="three"))


@pytest.mark.parametrize("order", ["link first", "model first"])
def test_a_link_and_a_model_in_a_model_do_not_share_a_name(order: str, tmp_path: Path) -> None:
    parts = ['<link name="x"/>', '<model name="x"><link name="y"/></model>']
    inside = "".join(parts if order == "link first" else parts[::-1])
    for version, expected in (("1.9", ["sdf/duplicate-name"]), ("1.6", [])):
        source = put(tmp_path, f'<sdf version="{version}"><model name="m"><link name="a"/>{inside}</model></sdf>')
        assert (codes(source) & {2} == {2}) == bool(expected)
        assert faults(convert(source, tmp_path / "out.urdf")) == expected


def test_a_frame_and_a_model_of_a_world_may_share_a_name(tmp_path: Path) -> None:
    inside = '<frame name="x"/><model name="x"><link name="y"/></model>'
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{inside}</world></sdf>')
    assert codes(source) == set()
    assert faults(convert(source, tmp_path / "out.urdf")) == []


def test_a_model_beside_a_file_that_is_named_by_a_path_with_dots(tmp_path: Path) -> None:
    put(tmp_path, model("1.9", "part"), "part/model.sdf")
    put(tmp_path, '<model><sdf version="1.9">model.sdf</sdf></model>', "part/model.config")
    put(tmp_path, '<sdf version="1.9"><model name="m"><include><uri>part</uri></include></model></sdf>')
    assert "part::a" in read(tmp_path / "part" / ".." / "source.sdf").bodies


def test_what_a_newer_file_brings_into_an_old_one_is_written(tmp_path: Path) -> None:
    cone = "<cone><radius>1</radius><length>2</length></cone>"
    part = f'<model name="part"><link name="b"><visual name="v"><geometry>{cone}</geometry></visual></link></model>'
    put(tmp_path, f'<sdf version="1.11">{part}</sdf>', "here/part.sdf")
    include = "<include><uri>part.sdf</uri></include>"
    source = put(tmp_path, f'<sdf version="1.7"><model name="m"><link name="a"/>{include}</model></sdf>', "here/m.sdf")
    there = tmp_path / "far" / "away" / "m.sdf"
    assert rules(convert(source, there)) <= {"sdf/inertial-default"}
    assert b"<cone>" in there.read_bytes()
    assert b"<include>" not in there.read_bytes()


def test_a_model_folder_stays_what_its_author_said_of_it(tmp_path: Path) -> None:
    """Name, version, author, description and other elements of a model.config; the entries of SDF files become one."""
    put(tmp_path, model("1.6"), "part/model.sdf")
    put(
        tmp_path,
        '<model><name>Shelf</name><version>2.3</version><sdf version="1.4">old.sdf</sdf>'
        '<sdf version="1.6">model.sdf</sdf>'
        "<author><name>A. Maker</name></author><description>wood</description><depend><model/></depend></model>",
        "part/model.config",
    )
    convert(tmp_path / "part", tmp_path / "made", target="sdf")
    root = etree.parse(tmp_path / "made/model.config").getroot()
    assert [each.tag for each in root] == ["name", "version", "sdf", "author", "description", "depend"]
    assert (root.findtext("version"), root.findtext("author/name")) == ("2.3", "A. Maker")
    assert (root.find("sdf").get("version"), root.findtext("sdf")) == ("1.9", "model.sdf")
    (tmp_path / "part/model.config").write_text("<model><name>other</name><sdf>other.sdf</sdf></model>")
    convert(tmp_path / "part/model.sdf", tmp_path / "alone", target="sdf")
    assert etree.parse(tmp_path / "alone/model.config").getroot().findtext("name") != "other"


def test_includes_that_are_not_found_are_counted_with_the_files(tmp_path: Path) -> None:
    include = "<include><uri>model://{}</uri></include>"
    inside = f'{include.format("sun")}{include.format("moon")}<model name="m"><link name="a"/></model>'
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{inside}</world></sdf>')
    report = complete(convert(source, tmp_path / "out.xml"))
    assert {each.action for each in of_rule(report, "sdf/uri-lookup")} == {"noted"}
    assert report.missing() == 2 and "2 files not found" in total(report)
    assert exit_code(report) == 0 and exit_code(report, "dropped") == 1


def test_a_folder_that_holds_a_world_is_told_with_what_can_be_included(tmp_path: Path) -> None:
    """Geoms in the worldbody of MJCF make the document a world."""
    text = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="cart"><freejoint/><geom size=".1"/></body>'
    source = saved(tmp_path / "in.xml", f"{text}</worldbody></mujoco>")
    report = convert(source, tmp_path / "cart", target="sdf")
    (told,) = of_rule(report, "sdf/world-folder")
    assert (told.action, told.reason.endswith("with --model: cart")) == ("noted", True)
    outer = tmp_path / "outer.sdf"
    outer.write_text('<sdf version="1.9"><world name="w"><include><uri>model://cart</uri></include></world></sdf>')
    assert sdformat_reads(outer, [tmp_path])["links"] == {}
    report = convert(source, tmp_path / "cart", target="sdf", options=Options(model="cart"))
    assert "sdf/world-folder" not in rules(report)
    assert [*sdformat_reads(outer, [tmp_path])["links"]] == ["cart::cart"]
    assert "sdf/world-folder" not in rules(convert(source, tmp_path / "cart.sdf"))


def test_settings_of_a_simulation_make_no_world_of_the_folder_of_a_robot(tmp_path: Path) -> None:
    """Most robots of the Menagerie have an <option>. Judged by libsdformat."""
    body = '<worldbody><body name="cart"><freejoint/><geom size=".1"/></body></worldbody>'
    source = saved(tmp_path / "in.xml", f'<mujoco><option timestep="0.004" integrator="implicitfast"/>{body}</mujoco>')
    report = complete(convert(source, tmp_path / "cart", target="sdf"))
    assert [each.where for each in of_rule(report, "sdf/physics")] == ["physics/physics"]
    outer = tmp_path / "outer.sdf"
    outer.write_text('<sdf version="1.9"><world name="w"><include><uri>model://cart</uri></include></world></sdf>')
    assert [*sdformat_reads(outer, [tmp_path])["links"]] == ["cart::cart"]
    for name, model in (("back", tmp_path / "cart"), ("straight", source)):
        convert(model, tmp_path / f"{name}.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "straight.xml").read_bytes()
    convert(source, tmp_path / "world.sdf")
    assert "<world" in (tmp_path / "world.sdf").read_text()


def test_a_model_that_is_named_like_a_world_is_told(tmp_path: Path) -> None:
    source = put(tmp_path, '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>')
    (told,) = of_rule(convert(source, tmp_path / "m.world"), "sdf/no-world")
    assert told.action == "noted" and "Gazebo opens only worlds" in told.reason
    assert "sdf/no-world" not in rules(convert(source, tmp_path / "out.sdf"))
    source = put(tmp_path, '<sdf version="1.9"><world name="w"><model name="m"><link name="a"/></model></world></sdf>')
    assert "sdf/no-world" not in rules(convert(source, tmp_path / "m.world"))


def test_an_include_that_could_be_several_models_says_so(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        put(tmp_path / folder / "cart", '<model><sdf version="1.9">model.sdf</sdf></model>', "model.config")
        put(tmp_path / folder / "cart", model("1.9", "cart"), "model.sdf")
    world = '<sdf version="1.9"><world name="w"><include><uri>model://cart</uri></include></world></sdf>'
    source = put(tmp_path, world)
    (told,) = of_rule(convert(source, tmp_path / "w.urdf"), "sdf/uri-lookup")
    folders = f"{tmp_path / 'one' / 'cart'}, {tmp_path / 'two' / 'cart'}"
    assert f"package 'cart' is ambiguous: {folders}; choose with --package cart=DIR" in told.reason
    with pytest.raises(InputError, match="there is w; what the file includes of model://cart was not found"):
        read(source, options=Options(model="cart"))
    chosen = Options(model="cart", packages={"cart": tmp_path / "one" / "cart"})
    assert list(read(source, options=chosen).bodies) == ["a", "world"]


def test_where_a_model_stands_leaves_no_digits_in_it(tmp_path: Path) -> None:
    """World to URDF and back: 0.4 stays 0.4, however the model is rotated in the world."""
    axis = "<axis><xyz>0 1 0</xyz></axis>"
    inside = f"""<model name="cart"><pose>1 2 0.2 0 0 1.57</pose><link name="a"/>
    <link name="b"><pose>0.4 0 0 0 0 0</pose></link><link name="c"><pose relative_to="k"/></link>
    <joint name="j" type="revolute"><parent>a</parent><child>b</child>{axis}</joint>
    <joint name="k" type="revolute"><pose relative_to="a">0.4 0 -0.1 0 0 0</pose><parent>a</parent><child>c</child>
    {axis}</joint></model><model name="o"><link name="l"/></model>"""
    source = put(tmp_path, f'<sdf version="1.9"><world name="w">{inside}</world></sdf>')
    convert(source, tmp_path / "cart.urdf", options=Options(model="cart"))
    joints = etree.parse(tmp_path / "cart.urdf").getroot().iterfind("joint")
    origins = {joint.get("name"): joint.find("origin").get("xyz") for joint in joints}
    assert (origins["j"], origins["k"]) == ("0.4 0 0", "0.4 0 -0.1")
    text = (tmp_path / "cart.urdf").read_text()
    (tmp_path / "cart.urdf").write_text(text.replace("0.4 0 -0.1", "0.45 0 -0.1"))
    convert(tmp_path / "cart.urdf", tmp_path / "back.sdf")
    links = etree.parse(tmp_path / "back.sdf").iterfind("model/link")
    poses = {link.get("name"): link.findtext("pose") for link in links}
    assert (poses["a"], poses["c"]) == (None, "0.45 0 -0.1 0 0 0")
