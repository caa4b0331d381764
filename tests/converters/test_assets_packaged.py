"""--ros-package: files of a URDF are named relative to the package it is in. Judged by Pinocchio and urdfdom."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from converters.context import InputError, Options
from converters.convert import convert, read
from tests.conftest import MADE
from tests.files import saved
from tests.oracles.in_urdfdom import check_urdf
from tests.reports import explained, of_rule

OPTIONS = Options(ros_package="bot")
MODELS = ("feature_sdf_mesh.sdf", "feature_texture.urdf", "feature_mesh_parts.urdf", "feature_sdf_shapes.sdf")
SUFFIXES = (".urdf", ".sdf", ".xml", ".glb")


def addresses(document: Path) -> set[str]:
    return set(map(str, etree.parse(document).xpath("//mesh/@filename | //texture/@filename")))


def put(folder: Path, *, manifest: bool = True) -> Path:
    """Make a package named bot."""
    folder.mkdir(parents=True)
    if manifest:
        (folder / "package.xml").write_text("<package format='3'><name>bot</name></package>")
    return folder


def taken(output: Path, share: Path, names: set[str]) -> None:
    """Check that Pinocchio opens each mesh, given the packages, that urdfdom accepts the URDF, and that files exist."""
    import pinocchio

    assert check_urdf(output) is None
    assert all((share / name.removeprefix("package://")).is_file() for name in names), names
    model = pinocchio.buildModelFromUrdf(str(output))
    pinocchio.buildGeomFromUrdf(model, str(output), pinocchio.GeometryType.VISUAL, package_dirs=[str(share)])
    assert all(asset.file is not None for asset in read(output).assets.values())


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("model", MODELS)
def test_files_are_named_by_the_package_from_every_format(model: str, suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"there{suffix}"
    shutil.copytree(MADE / "meshes", tmp_path / "meshes")
    Image.new("RGB", (2, 2), "red").save(tmp_path / "wood.png")
    (tmp_path / model).write_text((MADE / model).read_text().replace("package://QQQ_nowhere/", ""))
    convert(tmp_path / model, source)
    bot = put(tmp_path / "share" / "bot")
    report = explained(convert(source, bot / "urdf" / "robot.urdf", options=OPTIONS))
    names = addresses(bot / "urdf" / "robot.urdf")
    assert names and all(name.startswith("package://bot/urdf/robot_assets/") for name in names)
    assert not of_rule(report, "urdf/ros-package") and not of_rule(report, "assets/far")
    taken(bot / "urdf" / "robot.urdf", tmp_path / "share", names)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_way_back_is_as_without_it(suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"there{suffix}"
    convert(MADE / "feature_sdf_mesh.sdf", source)
    for name, options in (("plain", Options()), ("bot", OPTIONS)):
        convert(source, tmp_path / name / f"{name}.urdf", options=options)
        explained(convert(tmp_path / name / f"{name}.urdf", tmp_path / name / f"back{suffix}"))
    if suffix != ".urdf":
        assert read(tmp_path / "bot" / f"back{suffix}") == read(tmp_path / "plain" / f"back{suffix}")


def robot(folder: Path) -> Path:
    """Write a URDF with various forms of the path of its mesh."""
    (folder / "meshes").mkdir(parents=True)
    shutil.copy(next((MADE / "meshes").glob("*.stl")), folder / "meshes" / "a.stl")
    visual = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    ways = ("meshes/a.stl", f"file://{folder}/meshes/a.stl", "package://other/meshes/b.stl", "meshes/gone.stl")
    source = folder / "robot.urdf"
    return saved(source, f'<robot name="r"><link name="l">{"".join(map(visual.format, ways))}</link></robot>')


def test_what_lies_in_the_package_is_named_where_it_lies(tmp_path: Path) -> None:
    source = robot(put(tmp_path / "bot", manifest=False))
    explained(convert(source, tmp_path / "bot" / "out.urdf", options=OPTIONS))
    gone = {"package://other/meshes/b.stl", "meshes/gone.stl"}
    assert addresses(tmp_path / "bot" / "out.urdf") == {"package://bot/meshes/a.stl", *gone}
    assert not (tmp_path / "bot" / "out_assets").exists()
    explained(convert(source, tmp_path / "bot" / "urdf" / "deep.urdf", options=OPTIONS))
    assert addresses(tmp_path / "bot" / "urdf" / "deep.urdf") == {"package://bot/meshes/a.stl", *gone}


def test_what_lies_elsewhere_is_copied_into_it_or_referred_to(tmp_path: Path) -> None:
    source, bot = robot(tmp_path / "from"), put(tmp_path / "share" / "here")
    explained(convert(source, bot / "urdf" / "out.urdf", options=OPTIONS))
    assert "package://bot/urdf/out_assets/a.stl" in addresses(bot / "urdf" / "out.urdf")
    copied = Options(ros_package="bot", meshes="copy")
    explained(convert(source, bot / "urdf" / "all.urdf", options=copied))
    assert "package://bot/urdf/all_assets/a.stl" in addresses(bot / "urdf" / "all.urdf")
    referring = Options(ros_package="bot", meshes="reference")
    explained(convert(source, bot / "urdf" / "far.urdf", options=referring))
    assert "../../../from/meshes/a.stl" in addresses(bot / "urdf" / "far.urdf")


@pytest.mark.parametrize("options", [OPTIONS, Options(meshes="copy")], ids=["package", "copy"])
def test_the_way_back_on_a_machine_without_the_originals_has_all_meshes(options: Options, tmp_path: Path) -> None:
    there = tmp_path / "there"
    shutil.copytree(MADE / "meshes", there / "meshes")
    (there / "r.urdf").write_text((MADE / "feature_mesh_parts.urdf").read_text())
    convert(there / "r.urdf", tmp_path / "bot" / "r.xml")
    shutil.rmtree(there)
    output = tmp_path / "bot" / "back.urdf"
    report = explained(convert(tmp_path / "bot" / "r.xml", output, options=options))
    assert {each.action for each in of_rule(report, "carried/original-file")} == {"approximated"}
    assert addresses(output) and all(asset.file is not None for asset in read(output).assets.values())
    prefix = "package://bot/r_assets/" if options is OPTIONS else "back_assets/"
    assert all(name.startswith(prefix) for name in addresses(output)), addresses(output)


def test_what_is_made_of_such_a_urdf_beside_it_finds_the_files(tmp_path: Path) -> None:
    source, bot = robot(tmp_path / "from"), put(tmp_path / "share" / "bot")
    convert(source, bot / "urdf" / "out.urdf", options=OPTIONS)
    convert(bot / "urdf" / "out.urdf", bot / "urdf" / "again.urdf")
    assert (bot / "urdf" / "again_assets" / "a.stl").is_file()
    assert "again_assets/a.stl" in addresses(bot / "urdf" / "again.urdf")


def test_the_folder_of_the_package_is_that_of_the_option_or_of_the_output(tmp_path: Path) -> None:
    source, place = robot(tmp_path / "from"), tmp_path / "work" / "urdf" / "out.urdf"
    report = explained(convert(source, place, options=OPTIONS))
    (told,) = of_rule(report, "urdf/ros-package")
    assert told.action == "noted" and "the folder of the output is taken" in told.reason
    assert "package://bot/out_assets/a.stl" in addresses(place)
    assert read(place).assets["a"].file == str(place.parent / "out_assets" / "a.stl")
    said = Options(ros_package="bot", packages={"bot": tmp_path / "work"})
    assert not of_rule(convert(source, place, options=said), "urdf/ros-package")
    assert "package://bot/urdf/out_assets/a.stl" in addresses(place)


def test_other_targets_tell_that_it_does_nothing(tmp_path: Path) -> None:
    report = convert(robot(tmp_path / "from"), tmp_path / "out.xml", options=OPTIONS)
    assert [each.before for each in of_rule(report, "options/idle")] == ["--ros-package bot"]


@pytest.mark.parametrize("name", ["", "a/b", "..", "package://bot", "3bot", 3])
def test_a_name_that_no_package_has_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="it is the name of a ROS package"):
        Options(ros_package=name)


@pytest.mark.parametrize("target", ["urdf", "sdf", "xml", "glb", "png"])
@pytest.mark.parametrize("part", ["meshes/7", "meshes/0/primitives/9", "nodes/0", "meshes/0/sides/1", "images/5"])
def test_what_another_file_does_not_hold_is_told_and_costs_nothing_else(part: str, target: str, tmp_path: Path) -> None:
    """A mesh with a number that does not exist, a part that is not a mesh, and an image."""
    box = '<visual><geometry><box size="1 1 1"/></geometry>{}</visual>'
    (tmp_path / "box.urdf").write_text(f'<robot name="r"><link name="a">{box.format("")}</link></robot>')
    convert(tmp_path / "box.urdf", tmp_path / "m.glb")
    wrong = f'<visual><geometry><mesh filename="m.glb#/{part}"/></geometry></visual>'
    if part.startswith("images"):
        wrong = box.format(f'<material name="m"><texture filename="m.glb#/{part}"/></material>')
    source = saved(tmp_path / "r.urdf", f'<robot name="r"><link name="a">{box.format("")}{wrong}</link></robot>')
    report = convert(source, tmp_path / "out" / f"r.{target}")
    if target != "png":
        (told,) = of_rule(explained(report), "assets/unreadable")
        assert (told.action.value, "m.glb" in told.reason) == ("dropped", True)
    if target in ("sdf", "xml", "glb"):
        convert(tmp_path / "out" / f"r.{target}", tmp_path / "out" / "back.urdf")
        assert addresses(tmp_path / "out" / "back.urdf") == {f"m.glb#/{part}"}


def test_a_file_that_a_looser_reading_of_its_address_finds_is_put_into_the_package(tmp_path: Path) -> None:
    """In a package a file has one path; --resource-path finds a file without the folders of its address."""
    (tmp_path / "far").mkdir()
    Image.new("RGB", (2, 2), "red").save(tmp_path / "far" / "wood.png")
    source = saved(
        tmp_path / "here" / "r.urdf",
        '<robot name="r"><material name="m"><texture filename="package://bot/looks/wood.png"/></material>'
        '<link name="a"><visual><geometry><box size="1 1 1"/></geometry><material name="m"/></visual></link></robot>',
    )
    bot = put(tmp_path / "share" / "bot")
    explained(convert(source, bot / "r.urdf", options=Options(ros_package="bot", resource_paths=(tmp_path / "far",))))
    taken(bot / "r.urdf", tmp_path / "share", addresses(bot / "r.urdf"))
