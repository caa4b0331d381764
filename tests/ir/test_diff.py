"""compare finds every difference, and its patch reverts all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from ir.diff import compare
from ir.folds import fold
from ir.refs import rename
from ir.restore import restore
from ir.scene import Scene
from ir.types import (
    WORLD,
    Asset,
    Body,
    Box,
    Constraint,
    Couple,
    Dof,
    DofKind,
    Extra,
    Geom,
    Inertial,
    Joint,
    Material,
    Mesh,
    Mimic,
    Pose,
    Sphere,
    Tendon,
    TendonPoint,
)


def arm() -> Scene:
    scene = Scene("arm", notation={"version": "1.0"})
    visual = Geom(name="v", role="visual", shape=Box(size=(1.0, 2.0, 3.0)), material="red")
    extra = Extra(format="urdf", path="QQQ[1]", text="<QQQ/>")
    scene.add_body(Body(name="base", geoms=(visual,), extras=(extra,)))
    scene.add_body(Body(name="tip", inertial=Inertial(mass=1.0, tensor=(1.0, 2.0, 2.5, 0.1, 0.0, 0.0))))
    dof = Dof(name="j", kind=DofKind.HINGE, lower=-1.0, upper=1.0, velocity=2.0)
    scene.add_joint(Joint(name="j", parent="base", child="tip", pose=Pose((0.0, 0.0, 1.0)), dofs=(dof,)))
    scene.add("material", Material(name="red", rgba=(1.0, 0.0, 0.0, 1.0)))
    return scene


def with_dof(scene: Scene, **changes: object) -> Scene:
    joint = scene.joints["j"]
    return scene.evolve(joints=[replace(joint, dofs=(replace(joint.dofs[0], **changes),))])


def test_a_scene_does_not_differ_from_itself():
    assert compare(arm(), arm()) == ([], {})


def test_a_lost_value_is_absent_and_a_changed_one_different():
    lost = with_dof(arm(), velocity=None, lower=-2.0)
    differences, _ = compare(arm(), lost)
    assert [(each.where, each.field, each.kind) for each in differences] == [
        ("joint/j.dofs.0.lower", "joint.dofs.lower", "different"),
        ("joint/j.dofs.0.velocity", "joint.dofs.velocity", "absent"),
    ]


def test_what_only_the_output_has_is_extra():
    more = arm()
    more.add_joint(Joint(name="weld_base", parent=WORLD, child="base"))
    differences, patch = compare(arm(), more)
    assert [(each.where, each.kind) for each in differences] == [("joint/weld_base", "extra")]
    assert list(patch) == ["joint/base"]


def test_a_weld_that_lost_its_name_is_still_the_same_joint():
    renamed = arm().evolve(joints=[replace(arm().joints["j"], name="other")])
    differences, _ = compare(arm(), renamed)
    assert [each.field for each in differences] == ["joint.name"]


def test_the_sign_of_a_quaternion_is_no_difference_but_its_text_comes_back():
    turned = Pose((0.0, 0.0, 1.0), (0.6, 0.8, 0.0, 0.0), (1.8545904360032244, 0.0, 0.0))
    ours = arm().evolve(joints=[replace(arm().joints["j"], pose=turned)])
    theirs = arm().evolve(joints=[replace(arm().joints["j"], pose=Pose(turned.pos, (-0.6, -0.8, 0.0, 0.0)))])
    differences, patch = compare(ours, theirs)
    assert differences == []
    assert restore(theirs, patch)[0].joints["j"].pose.rpy == turned.rpy


def test_the_rounding_of_a_place_is_no_difference_but_its_digits_come_back():
    """A frame that a document expresses in another frame: its numbers were transformed and rounded."""

    def placed(x: float) -> Scene:
        return arm().evolve(joints=[replace(arm().joints["j"], pose=Pose((x, 2.0, 0.0)))])

    differences, patch = compare(placed(1.0), placed(1.0 + 4e-16))
    assert differences == []
    assert restore(placed(1.0 + 4e-16), patch)[0].joints["j"].pose.pos == (1.0, 2.0, 0.0)
    assert [each.field for each in compare(placed(1.0), placed(1.0 + 1e-13))[0]] == ["joint.pose.pos"]


@pytest.mark.parametrize(
    ("path", "respelt", "told"),
    [("QQQ[1]/@a", "0.10 x 2", 0), ("QQQ[1]/@a", "0.2 x 2", 2), ("QQQ[1]/@a", "0.1 y 2", 2), ("QQQ[1]", "0.10 x 2", 2)],
)
def test_other_digits_of_an_unknown_attribute_are_no_difference(path: str, respelt: str, told: int):
    scenes = [Scene("bot", extras=(Extra(format="urdf", path=path, text=text),)) for text in (".1 x 2", respelt)]
    assert len(compare(*scenes)[0]) == told


def test_the_same_inertia_in_other_axes_is_no_difference():
    half = 0.7071067811865476
    ours = Inertial(mass=1.0, tensor=(1.0, 2.0, 3.0, 0.0, 0.0, 0.0))
    theirs = Inertial(mass=1.0, tensor=(2.0, 1.0, 3.0, 0.0, 0.0, 0.0), pose=Pose(rot=(half, 0.0, 0.0, half)))
    a = arm().evolve(bodies=[Body(name="base", inertial=ours), arm().body("tip")])
    b = arm().evolve(bodies=[Body(name="base", inertial=theirs), arm().body("tip")])
    differences, patch = compare(a, b)
    assert differences == []
    assert restore(b, patch)[0].body("base").inertial == ours


def changes() -> list[Scene]:
    base = arm()
    return [
        base.evolve(bodies=[base.body("tip"), base.body("base")]),
        base.evolve(bodies=[replace(base.body("base"), geoms=(), extras=()), base.body("tip")]),
        base.evolve(bodies=[base.body("base"), replace(base.body("tip"), inertial=None)]),
        with_dof(base, velocity=None, mimic=Mimic(dof="k"), lower=None),
        base.evolve(joints=[replace(base.joints["j"], dofs=())]),
        base.evolve(tables={"material": []}, name="other", notation={}),
        base.evolve(tables={"material": [Material(name="blue"), replace(base.materials["red"], rgba=None)]}),
        base.evolve(
            bodies=[
                replace(base.body("base"), geoms=(Geom(name="w", role="visual", shape=Sphere(radius=1.0)),)),
                base.body("tip"),
            ]
        ),
    ]


@pytest.mark.parametrize("other", changes())
def test_the_patch_gives_the_scene_back(other: Scene):
    for ours, theirs in ((arm(), other), (other, arm())):
        _, patch = compare(ours, theirs)
        restored, stale = restore(theirs, patch)
        assert stale == []
        assert restored == ours
        assert compare(ours, restored) == ([], {})
        assert list(restored.bodies) == list(ours.bodies)


@pytest.mark.parametrize("other", changes())
def test_without_texts_the_keys_of_a_patch_and_the_differences_are_the_same(other: Scene):
    told, patch = compare(arm(), other)
    assert compare(arm(), other, patching=False) == (told, dict.fromkeys(patch, ""))


def test_an_edit_made_after_the_patch_wins():
    written = with_dof(arm(), lower=-0.5, velocity=None)
    _, patch = compare(arm(), written)
    edited = with_dof(written, lower=-0.25)
    restored, stale = restore(edited, patch)
    dof = restored.joints["j"].dofs[0]
    assert (dof.lower, dof.velocity) == (-0.25, 2.0)
    assert stale == [("joint/tip", "dofs", "0", "lower")]


def test_the_patch_is_plain_json():
    _, patch = compare(arm(), with_dof(arm(), velocity=None))
    said = {"dofs": {"0": {"velocity": [2.0]}}, "": "hinge"}
    assert {key: json.loads(text) for key, text in patch.items()} == {"joint/tip": said}


def meshed(names: list[str]) -> Scene:
    scene = Scene("m")
    geoms = tuple(Geom(name=name, role="visual", shape=Mesh(asset=f"a_{name}"), material=name) for name in names)
    scene.add_body(Body(name="base", geoms=geoms))
    for name in names:
        scene.add("asset", Asset(name=f"a_{name}", uri=f"{name}.obj"))
    return scene


def test_parts_become_one_again():
    folds = {"geom": {"g": ["g0", "g1"]}, "asset": {"a": ["a_g0", "a_g1"]}}
    folded = fold(meshed(["g0", "g1"]), folds)
    (geom,) = folded.body("base").geoms
    assert (geom.name, geom.shape, geom.material) == ("g", Mesh(asset="a"), None)
    assert list(folded.assets) == ["a"]


def test_parts_that_are_not_all_there_stay_parts():
    folds = {"geom": {"g": ["g0", "g1"]}, "asset": {"a": ["a_g0", "a_g1"]}}
    folded = fold(meshed(["g0"]), folds)
    assert [geom.name for geom in folded.body("base").geoms] == ["g0"]
    assert list(folded.assets) == ["a_g0"]


def test_an_edge_whose_body_is_gone_is_as_in_the_document_or_not_there():
    """The patch moves j to a body and attaches a joint to another one; an edited document lost both bodies."""
    wanted = arm()
    for name in ("shelf", "lid"):
        wanted.add_body(Body(name=name))
    wanted = wanted.evolve(
        joints=[replace(wanted.joints["j"], parent="shelf"), Joint(name="k", parent="tip", child="lid")]
    )
    _, patch = compare(wanted, arm())
    assert restore(arm(), patch) == (wanted, [])
    restored, stale = restore(arm(), {key: text for key, text in patch.items() if not key.startswith("body/")})
    assert restored.joints == arm().joints
    assert sorted(stale) == [("joint/j",), ("joint/k",)]


def of_materials(names: str) -> Scene:
    scene = Scene("s")
    for name in names:
        scene.add("material", Material(name=name))
    return scene


@pytest.mark.parametrize(
    ("written", "edited", "expected"),
    [
        ("cab", "cxaby", "xabcy"),  # x stays before a, as in the document; y was the last
        ("ba", "bay", "abcy"),  # c comes back: nobody has put y before it
    ],
)
def test_what_an_edit_brought_stays_before_what_it_stood_before(written: str, edited: str, expected: str):
    _, patch = compare(of_materials("abc"), of_materials(written))
    restored, stale = restore(of_materials(edited), patch)
    assert (stale, "".join(restored.materials)) == ([], expected)


@pytest.mark.parametrize(
    ("key", "patch", "where"),
    [
        ("joint/tip", {"": "hinge", "parent": {"name": ["x"]}}, ("joint/tip", "parent")),
        ("tendon/cord", {"points": {"1": {"value": [2.0, 1.0]}}}, ("tendon/cord", "points", "1")),
    ],
)
def test_what_is_no_longer_there_to_be_restored_is_stale(key: str, patch: dict[str, Any], where: tuple[str, ...]):
    scene = arm()
    scene.add("tendon", Tendon(name="cord", kind="spatial", points=(TendonPoint(kind="site", target="s"),)))
    restored, stale = restore(scene, {key: json.dumps(patch)})
    assert restored == scene
    assert stale == [where]


def test_an_equation_goes_with_its_joints_where_bodies_have_other_names():
    scene = arm()
    scene.add_body(Body(name="far"))
    scene.add_joint(Joint(name="k", parent="base", child="far", dofs=(Dof(name="k", kind=DofKind.HINGE),)))
    coupled = scene.evolve()
    coupled.add_constraint(Constraint(name="c", parent="tip", child="far", spec=Couple(first="j", second="k")))
    _, patch = compare(coupled, scene)
    renamed = rename(scene, "body", {"tip": "hand"})
    restored, stale = restore(renamed, patch)
    assert stale == []
    assert (restored.constraints["c"].parent, restored.constraints["c"].child) == ("hand", "far")
