"""Every rule of the search for a URI on its own folder layout, and everything it must refuse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from converters.assets.folders import packages, workspace, workspaces
from converters.assets.resolve import SIZE_LIMIT, Resolver
from converters.context import Options
from tests.converters.meshes import write


def manifest(folder: Path, name: str) -> Path:
    write(folder / "package.xml", f"<package><!-- <name>no</name> --><name> {name} </name></package>")
    return folder


def found(source: Path, uri: str, environ: dict[str, str] | None = None, **options: Any) -> tuple[str | None, str]:
    return Resolver(source, Options(**options), environ or {}).find(uri)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A version-control root, above which nothing is searched."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    return tmp_path / "repo"


def test_a_package_given_by_the_user_wins_over_every_other_rule(repository: Path) -> None:
    mesh = write(repository / "given" / "meshes" / "a.stl")
    write(repository / "arm" / "meshes" / "a.stl")
    robot = write(manifest(repository / "arm", "arm") / "urdf" / "arm.urdf")
    uri = "package://arm/meshes/a.stl"
    assert found(robot, uri, packages={"arm": repository / "given"}) == (str(mesh), "package-option")


def test_a_package_given_by_the_user_that_lacks_the_file_is_not_replaced_by_a_guess(repository: Path) -> None:
    write(repository / "arm" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    (repository / "given").mkdir()
    path, reason = found(robot, "package://arm/meshes/a.stl", packages={"arm": repository / "given"})
    assert path is None
    assert f"in {repository / 'given'}" in reason


@pytest.mark.parametrize("given", ["", "arm/meshes", "share"])
def test_the_folder_that_was_meant_is_offered_where_one_beside_it_is_given(repository: Path, given: str) -> None:
    write(repository / "share" / "arm" / "meshes" / "a.stl")
    base = repository / "share" / given if given != "share" else repository
    robot = write(repository / "deep" / "er" / "urdf" / "arm.urdf")
    path, reason = found(robot, "package://arm/meshes/a.stl", packages={"arm": base})
    right = repository / "share" / "arm"
    assert path is None and f"{right} has it: --package arm={right}" in reason


def test_a_package_that_nobody_finds_is_told_by_what_lies_in_it(repository: Path) -> None:
    robot = write(repository / "robot.urdf")
    assert "--package arm=DIR (the folder with meshes/ in it)" in found(robot, "package://arm/meshes/a.stl")[1]
    assert found(robot, "package://arm/a.stl")[1].endswith("--package arm=DIR")
    assert "QQQ, which is no folder" in found(robot, "package://arm/a.stl", packages={"arm": repository / "QQQ"})[1]


def test_the_name_in_package_xml_decides_not_the_name_of_the_folder(repository: Path) -> None:
    mesh = write(repository / "renamed" / "meshes" / "a.stl")
    robot = write(manifest(repository / "renamed", "arm") / "urdf" / "arm.urdf")
    assert found(robot, "package://arm/meshes/a.stl") == (str(mesh), "package-xml")


def test_a_package_beside_the_own_one_is_found_by_its_package_xml(repository: Path) -> None:
    robot = write(manifest(repository / "src" / "arm", "arm") / "urdf" / "arm.urdf")
    mesh = write(manifest(repository / "src" / "hand-1.2", "hand") / "meshes" / "a.stl")
    assert found(robot, "package://hand/meshes/a.stl") == (str(mesh), "package-xml")


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("ROS_PACKAGE_PATH", "arm"),
        ("ROS_PACKAGE_PATH", "stack/arm"),
        ("AMENT_PREFIX_PATH", "share/arm"),
        ("CMAKE_PREFIX_PATH", "share/arm"),
        ("COLCON_PREFIX_PATH", "arm/share/arm"),
        ("GZ_SIM_RESOURCE_PATH", "arm"),
        ("IGN_GAZEBO_RESOURCE_PATH", "arm"),
        ("SDF_PATH", "arm"),
        ("GAZEBO_MODEL_PATH", "arm"),
    ],
)
def test_each_search_variable_is_read_by_its_own_layout(
    repository: Path, tmp_path: Path, variable: str, place: str
) -> None:
    mesh = write(tmp_path / "installed" / place / "meshes" / "a.stl")
    robot = write(repository / "models" / "robot.urdf")
    environ = {variable: f"{tmp_path / 'nowhere'}{os.pathsep}{tmp_path / 'installed'}"}
    for scheme in ("package", "model"):
        assert found(robot, f"{scheme}://arm/meshes/a.stl", environ) == (str(mesh), f"environment-{variable}")


@pytest.mark.parametrize("given", [True, False])
def test_a_model_of_fuel_is_found_where_gz_has_put_it(repository: Path, tmp_path: Path, given: bool) -> None:
    """SERVER/OWNER/models/NAME/VERSION in lower case, as gz-fuel-tools stores them."""
    cache = tmp_path / "cache" if given else tmp_path / ".gz" / "fuel"
    models = cache / "fuel.gazebosim.org" / "openrobotics" / "models"
    kept = [write(models / "big rover" / version / "meshes" / "a.stl") for version in ("9", "10")]
    write(models / "secret.stl")
    (models / "big rover" / "10" / "b.stl").symlink_to(models / "secret.stl")
    robot = write(repository / "world.sdf")
    environ = {"GZ_FUEL_CACHE_PATH": str(cache)} if given else {"HOME": str(tmp_path)}
    for start in ("https://fuel.gazebosim.org/1.0/OpenRobotics", "fuel://fuel.gazebosim.org/OpenRobotics"):
        model = f"{start}/models/Big%20Rover"
        for address, file in (
            (f"{model}/meshes/a.stl", kept[1]),
            (f"{model}/tip/files/meshes/a.stl", kept[1]),
            (f"{model}/9/files/meshes/a.stl", kept[0]),
        ):
            assert found(robot, address, environ) == (str(file), "fuel-cache")
        for address in (f"{model}/8/files/meshes/a.stl", f"{model}/10/files/../../secret.stl", f"{model}/b.stl"):
            path, reason = found(robot, address, environ)
            assert path is None and ("gz fuel download" in reason or start.startswith("fuel")), reason
        assert found(robot, f"{model}/meshes/a.stl")[0] is None


def test_a_resource_path_holds_packages_and_plain_files(repository: Path, tmp_path: Path) -> None:
    packaged = write(tmp_path / "extra" / "arm" / "meshes" / "a.stl")
    plain = write(tmp_path / "extra" / "b.stl")
    robot = write(repository / "robot.urdf")
    paths = (tmp_path / "extra",)
    assert found(robot, "package://arm/meshes/a.stl", resource_paths=paths) == (str(packaged), "resource-path")
    assert found(robot, "b.stl", resource_paths=paths) == (str(plain), "resource-path")
    assert found(robot, str(plain), resource_paths=paths) == (str(plain), "absolute")


def test_a_plain_path_is_relative_to_the_model(repository: Path) -> None:
    beside, above = write(repository / "arm" / "urdf" / "a.stl"), write(repository / "arm" / "meshes" / "b.stl")
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    assert found(robot, "a.stl") == (str(beside), "relative")
    assert found(robot, "./../meshes//b.stl") == (str(above), "relative")
    assert found(robot, "file:a.stl") == (str(beside), "relative")


def test_an_ancestor_with_the_name_of_the_package_is_the_package(repository: Path) -> None:
    mesh = write(repository / "arm" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "robots" / "urdf" / "arm.urdf")
    assert found(robot, "package://arm/meshes/a.stl") == (str(mesh), "ancestor-name")
    assert found(robot, "$(find arm)/meshes/a.stl") == (str(mesh), "ancestor-name")
    assert found(robot, "file://$(find arm)/meshes/a.stl") == (str(mesh), "ancestor-name")


def test_a_folder_beside_an_ancestor_may_be_the_package(repository: Path) -> None:
    mesh = write(repository / "hand" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    assert found(robot, "package://hand/meshes/a.stl") == (str(mesh), "ancestor-sibling")


def test_a_prefix_beside_that_of_the_model_may_hold_the_package(repository: Path) -> None:
    mesh = write(repository / "install" / "hand" / "share" / "hand" / "meshes" / "a.stl")
    robot = write(repository / "install" / "arm" / "share" / "arm" / "urdf" / "arm.urdf")
    assert found(robot, "package://hand/meshes/a.stl") == (str(mesh), "ancestor-sibling")
    assert Resolver(robot, Options(), {}).package("hand") == (mesh.parent.parent, "ancestor-sibling")


def test_a_link_of_colcon_leads_into_its_workspace_alone(repository: Path, tmp_path: Path) -> None:
    share = manifest(repository / "install" / "share" / "arm", "arm")
    robot = write(share / "arm.urdf")
    meshes = [write(repository / name / "a.stl") for name in ("src/arm", "build/arm", "other")]
    for number, mesh in enumerate((*meshes, write(tmp_path / "far" / "a.stl"))):
        (share / f"{number}.stl").symlink_to(mesh)
    assert [found(robot, f"{number}.stl")[0] for number in range(4)] == [None] * 4
    write(repository / "install" / ".colcon_install_layout", "merged")
    workspace.cache_clear()
    assert [found(robot, f"{number}.stl")[0] is not None for number in range(4)] == [True, True, False, False]
    (repository / "src").rename(tmp_path / "src")
    (repository / "src").symlink_to(tmp_path / "src")
    workspace.cache_clear()
    assert found(robot, "0.stl")[0] is None


def test_a_folder_of_sources_at_the_root_of_the_file_system_is_no_workspace() -> None:
    assert workspaces(Path("/home/ann/ws/src/robot/urdf")) == [Path("/home/ann/ws/src")]
    assert workspaces(Path("/src/robot/urdf")) == []


@pytest.mark.parametrize("cloned", [True, False])
def test_a_package_of_another_clone_in_the_workspace_is_found(cloned: bool, tmp_path: Path) -> None:
    sources = tmp_path / "ws" / "src"
    robot = write(manifest(sources / "robots" / "arm", "arm") / "urdf" / "arm.urdf")
    mesh = write(manifest(sources / "vendor" / "deep" / "renamed", "hand") / "meshes" / "a.stl")
    write(robot.parent.parent / "meshes" / "a.stl")  # no other package is that one
    for clone in ("robots", "vendor") if cloned else ():
        (sources / clone / ".git").mkdir()
    packages.cache_clear()
    assert found(robot, "package://hand/meshes/a.stl") == (str(mesh), "workspace")
    assert Resolver(robot, Options(), {}).package("hand") == (mesh.parent.parent, "workspace")
    assert found(robot, "package://hand/../../../../secret.stl")[0] is None


def test_a_package_of_the_workspace_that_is_there_twice_is_chosen_by_the_user(tmp_path: Path) -> None:
    sources = tmp_path / "ws" / "src"
    robot = write(manifest(sources / "robots" / "arm", "arm") / "urdf" / "arm.urdf")
    folders = [manifest(sources / clone / "hand", "hand") for clone in ("one", "two")]
    for folder in folders:
        write(folder / "a.stl")
    for clone in ("robots", "one", "two"):
        (sources / clone / ".git").mkdir()
    packages.cache_clear()
    path, why = found(robot, "package://hand/a.stl")
    assert path is None
    assert f"ambiguous: {folders[0]}, {folders[1]}; choose with --package hand=DIR" in why
    write(folders[1] / "COLCON_IGNORE", "")
    packages.cache_clear()
    assert found(robot, "package://hand/a.stl") == (str(folders[0] / "a.stl"), "workspace")


def test_a_renamed_package_is_found_by_dropping_its_name(repository: Path) -> None:
    mesh = write(repository / "qarm_description" / "meshes" / "a.stl")
    robot = write(repository / "qarm_description" / "urdf" / "arm.urdf")
    assert found(robot, "package://QARM/meshes/a.stl") == (str(mesh), "package-dropped")


def test_leading_folders_are_trimmed_while_two_components_remain(repository: Path) -> None:
    mesh = write(repository / "iiwa" / "meshes" / "a.stl")
    write(repository / "iiwa" / "lone.stl")
    robot = write(repository / "iiwa" / "urdf" / "arm.urdf")
    assert found(robot, "package://drake/models/iiwa/meshes/a.stl") == (str(mesh), "trimmed")
    assert found(robot, "package://drake/models/iiwa/far/lone.stl")[0] is None


def test_a_resource_path_may_be_the_folder_that_holds_the_files(repository: Path) -> None:
    meshes = repository / "assets"
    mesh, whole = write(meshes / "a.stl"), write(meshes / "visual" / "a.stl")
    robot = write(repository / "deep" / "arm" / "urdf" / "arm.urdf")
    for uri in ("meshes/a.stl", "../meshes/a.stl", "../../arm/meshes/a.stl", "package://arm/meshes/a.stl"):
        assert found(robot, uri, resource_paths=(meshes,)) == (str(mesh), "resource-path-trimmed"), uri
    assert found(robot, "arm/visual/a.stl", resource_paths=(meshes,)) == (str(whole), "resource-path-trimmed")
    assert found(robot, "meshes/A.STL", resource_paths=(meshes,))[1] == "resource-path-trimmed-ignoring-case"
    assert found(robot, "meshes/a.stl")[0] is None
    assert "a.stl" in found(robot, "meshes/a.obj", resource_paths=(meshes,))[1]


def test_a_folder_below_with_the_name_of_the_package_is_found(repository: Path) -> None:
    mesh = write(repository / "arm" / "meshes" / "one" / "visual" / "a.stl")
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    assert found(robot, "package://visual/a.stl") == (str(mesh), "descendant")


def test_two_folders_below_at_equal_depth_are_ambiguous_and_both_are_named(repository: Path) -> None:
    first = write(repository / "arm" / "meshes" / "one" / "visual" / "a.stl").parent
    second = write(repository / "arm" / "meshes" / "two" / "visual" / "a.stl").parent
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    path, reason = found(robot, "package://visual/a.stl")
    assert path is None
    assert "ambiguous" in reason and str(first) in reason and str(second) in reason


def test_a_name_in_other_letter_case_is_found_last_and_the_rule_says_so(repository: Path) -> None:
    mesh = write(repository / "Arm" / "Meshes" / "A.STL")
    robot = write(repository / "Arm" / "urdf" / "arm.urdf")
    assert found(robot, "../meshes/a.stl") == (str(mesh), "relative-ignoring-case")
    write(repository.parent / "Beside" / "a.stl")
    assert found(robot, "../../../beside/a.stl")[0] is None, "folders outside those of the model are not looked into"
    assert found(robot, "package://arm/meshes/a.stl") == (str(mesh), "ancestor-name-ignoring-case")
    exact = write(repository / "Arm" / "meshes" / "a.stl")
    assert found(robot, "package://Arm/meshes/a.stl") == (str(exact), "ancestor-name")


@pytest.mark.parametrize("uri", ["$(arg folder)/a.stl", "${folder}/a.stl"])
def test_a_name_that_nobody_has_expanded_is_told_as_one(repository: Path, uri: str) -> None:
    path, reason = found(write(repository / "arm" / "arm.urdf"), uri)
    assert path is None and "--from xacro" in reason


def test_two_files_that_differ_in_case_alone_are_ambiguous(repository: Path) -> None:
    write(repository / "arm" / "A.stl"), write(repository / "arm" / "a.STL")
    path, reason = found(write(repository / "arm" / "arm.urdf"), "a.stl")
    assert path is None and "differ from the name only in case" in reason


def test_a_learnt_package_is_preferred_for_its_other_files(repository: Path) -> None:
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    write(repository / "arm" / "parts" / "one" / "visual" / "a.stl")
    second = write(repository / "arm" / "parts" / "one" / "visual" / "b.stl")
    write(repository / "arm" / "parts" / "two" / "visual" / "b.stl")
    resolver = Resolver(robot, Options(), {})
    assert resolver.find("package://visual/a.stl")[1] == "descendant"
    assert resolver.find("package://visual/b.stl") == (str(second), "descendant")


def test_percent_escapes_are_decoded_after_the_scheme_and_literal_names_still_work(repository: Path) -> None:
    spaced, literal = write(repository / "my arm" / "a b.stl"), write(repository / "my arm" / "c%20d.stl")
    robot = write(repository / "my arm" / "arm.urdf")
    assert found(robot, "package://my%20arm/a%20b.stl") == (str(spaced), "ancestor-name")
    assert found(robot, "c%20d.stl") == (str(literal), "relative")
    assert found(robot, f"file://{repository}/my%20arm/a%20b.stl") == (str(spaced), "absolute")


def test_backslashes_are_read_as_separators_and_the_rule_says_so(repository: Path) -> None:
    mesh = write(repository / "arm" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "arm.urdf")
    assert found(robot, "meshes\\a.stl") == (str(mesh), "relative-with-backslashes")
    assert found(robot, "package://arm\\meshes\\a.stl") == (str(mesh), "ancestor-name-with-backslashes")


@pytest.mark.parametrize("prefix", ["C:/work", "file:///C:/work", "C:\\work", "file:///c|/work".replace("|", ":")])
def test_a_windows_path_is_found_by_its_name_near_the_model_only(repository: Path, prefix: str) -> None:
    mesh = write(repository / "arm" / "meshes" / "a.stl")
    write(repository / "elsewhere" / "b.stl")
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    separator = "\\" if "\\" in prefix else "/"
    assert found(robot, f"{prefix}{separator}a.stl") == (str(mesh), "basename")
    assert found(robot, f"{prefix}{separator}b.stl")[0] is None


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("http://example.com/a.stl", "never fetched"),
        ("HTTPS://example.com/a.stl", "never fetched"),
        ("data:model/stl;base64,AAAA", "not the name of a file"),
        ("fuel://owner/model/a.stl", "scheme fuel: "),
        ("", "empty"),
        ("   ", "empty"),
        ("a\0b.stl", "NUL"),
        ("package://", "names no package"),
        ("package://../a.stl", "leaves the package"),
        ("x" * 5000 + ".stl", "cannot be looked up|was not found"),
        ("missing.stl", "was not found around"),
        ("package://arm/missing.stl", "--package arm=DIR"),
    ],
)
def test_what_cannot_be_a_file_is_refused_with_a_reason(repository: Path, uri: str, words: str) -> None:
    path, reason = found(write(repository / "robot.urdf"), uri)
    assert path is None
    assert any(word in reason for word in words.split("|")), reason


def test_a_file_that_its_package_has_not_is_told_from_a_package_that_nobody_has(repository: Path) -> None:
    robot = write(manifest(repository / "here", "arm") / "urdf" / "arm.urdf")
    write(repository / "hand" / "hand.urdf")
    for package, folder, rule in (("arm", "here", "package-xml"), ("hand", "hand", "ancestor-sibling")):
        path, reason = found(robot, f"package://{package}/meshes/a.stl")
        start = f"the file was not found in {repository / folder}, which is package {package!r} by the rule {rule}, nor"
        assert path is None and reason.startswith(start) and f"--package {package}=DIR" in reason
    path, reason = found(robot, "package://leg/meshes/a.stl")
    assert path is None and reason.startswith("the file was not found and no package 'leg' either, by package.xml")
    assert Resolver(robot, Options(), {}).package("leg")[1].startswith("package 'leg' was not found by package.xml")


def test_dots_that_leave_the_package_are_refused(tmp_path: Path, repository: Path) -> None:
    secret = write(tmp_path / "secret.stl")
    robot = write(manifest(repository / "arm", "arm") / "urdf" / "arm.urdf")
    write(repository / "other" / "a.stl")
    assert found(robot, "../../../secret.stl") == (
        None,
        f"it leads to {secret}, outside the folders of the model ({repository / 'arm'}); "
        f"allow it with --resource-path {tmp_path}",
    )
    assert found(robot, "../../other/a.stl")[0] is None
    assert found(robot, "package://arm/../../../secret.stl")[0] is None
    assert found(robot, "package://arm/%2e%2e/%2e%2e/%2e%2e/secret.stl")[0] is None
    assert found(robot, "../../../secret.stl", resource_paths=(tmp_path,))[0] == str(secret)


@pytest.mark.parametrize("mark", [".git", "pyproject.toml", "setup.py", "__init__.py", "arms/__init__.py"])
def test_what_is_not_a_ros_package_reaches_as_far_as_its_project(tmp_path: Path, mark: str) -> None:
    project = tmp_path / "project"
    mesh, secret = write(project / "hands" / "meshes" / "a.stl"), write(tmp_path / "secret.stl")
    robot = write(project / "arms" / "left" / "urdf" / "robot.urdf")
    uri = "../../../hands/meshes/a.stl"
    assert found(robot, uri)[0] is None
    assert f"--resource-path {project}" in found(robot, uri)[1]
    write(project / mark)
    inside = mark != "arms/__init__.py"
    assert found(robot, uri)[0] == (str(mesh) if inside else None)
    assert found(robot, "../../../../secret.stl")[0] is None
    assert secret.exists()


def test_an_absolute_path_outside_the_roots_is_refused(tmp_path: Path, repository: Path) -> None:
    write(tmp_path / "secret.stl")
    robot = write(repository / "robot.urdf")
    for uri in (f"{tmp_path}/secret.stl", f"file://{tmp_path}/secret.stl", "/etc/passwd", "file:///etc/passwd"):
        path, reason = found(robot, uri)
        assert path is None and "outside the folders of the model" in reason


def test_a_link_that_leaves_the_package_is_refused_and_one_that_stays_is_followed(
    tmp_path: Path, repository: Path
) -> None:
    write(tmp_path / "secret.stl")
    inside = write(repository / "arm" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "arm.urdf")
    (repository / "arm" / "out.stl").symlink_to(tmp_path / "secret.stl")
    (repository / "arm" / "in.stl").symlink_to(inside)
    path, reason = found(robot, "out.stl")
    assert path is None and f"leads to {tmp_path / 'secret.stl'}" in reason
    assert found(robot, "in.stl") == (str(repository / "arm" / "in.stl"), "relative")


def test_folders_pipes_and_giant_files_are_not_meshes(repository: Path) -> None:
    robot = write(repository / "robot.urdf")
    (repository / "folder.stl").mkdir()
    os.mkfifo(repository / "pipe.stl")
    with (repository / "giant.stl").open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)
    (repository / "lost.stl").symlink_to("nowhere")
    for name, what in (("folder", "a folder"), ("pipe", "no regular file"), ("lost", "a link that leads nowhere")):
        path, reason = found(robot, f"{name}.stl")
        assert path is None and reason.endswith(f"; {repository / name}.stl is {what}")
    assert found(robot, "giant.stl") == (None, f"{repository / 'giant.stl'} is larger than 1 GiB")


def test_nothing_above_a_version_control_root_is_looked_at(tmp_path: Path, repository: Path) -> None:
    write(tmp_path / "hand" / "meshes" / "a.stl")
    robot = write(repository / "arm" / "arm.urdf")
    assert found(robot, "package://hand/meshes/a.stl")[0] is None


def test_the_same_stem_with_another_suffix_of_its_kind_is_suggested_and_not_taken(repository: Path) -> None:
    for name in ("a.json", "a.png", "a.stl"):
        write(repository / "arm" / "meshes" / name)
    robot = write(repository / "arm" / "urdf" / "arm.urdf")
    path, reason = found(robot, "package://arm/meshes/a.obj")
    assert path is None and reason.endswith("meshes has a.stl")
    path, reason = found(robot, "package://arm/meshes/a.jpg")
    assert path is None and reason.endswith("meshes has a.png")


def test_the_environment_is_read_only_where_it_is_given(
    monkeypatch: pytest.MonkeyPatch, repository: Path, tmp_path: Path
) -> None:
    mesh = write(tmp_path / "installed" / "arm" / "a.stl")
    robot = write(repository / "robot.urdf")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "installed"))
    assert Resolver(robot, Options(), {}).find("package://arm/a.stl")[0] is None
    assert Resolver(robot, Options()).find("package://arm/a.stl")[0] == str(mesh)


def test_a_model_config_counts_only_in_a_folder_of_the_name_asked_for(tmp_path: Path) -> None:
    for name in ("mine", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.config").write_text("<model/>")
    resolver = Resolver(tmp_path / "mine" / "model.sdf", Options(resource_paths=(tmp_path / "other",)), {})
    assert resolver.find("model://QQQ/model.config")[0] is None
    assert resolver.find("model://other/model.config")[0] == str(tmp_path / "other" / "model.config")
