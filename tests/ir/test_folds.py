"""Materials that come back under other names are recognised by the geoms that show them."""

from __future__ import annotations

import pytest

from ir.folds import fold, material_folds, noise_deviation
from ir.scene import Scene
from ir.seals import rate
from ir.types import Body, Geom, Material, Role, Sensor, Vec4

RED: Vec4 = (1.0, 0.0, 0.0, 1.0)
BLUE: Vec4 = (0.0, 0.0, 1.0, 1.0)


def model(shown: dict[str, str], **colours: Vec4) -> Scene:
    """Return one body with a geom for each name, with the material given for it."""
    scene = Scene("robot")
    for name, rgba in colours.items():
        scene.add("material", Material(name=name, rgba=rgba))
    geoms = [Geom(name=name, role=Role.VISUAL, shape=None, material=material) for name, material in shown.items()]
    scene.add_body(Body(name="base", geoms=tuple(geoms)))
    return scene


def test_a_material_keeps_its_name_where_all_who_show_it_look_alike() -> None:
    scene = model({"left": "paint", "right": "paint"}, paint=RED)
    again = model({"left": "left_1", "right": "right_1"}, left_1=RED, right_1=RED)
    groups = material_folds(scene, again)
    assert groups == {"paint": ["left", "right"]}
    named = fold(again, {"material": groups})
    assert [geom.material for geom in named.body("base").geoms] == ["paint", "paint"]
    assert dict(named.materials) == dict(scene.materials)


def test_one_that_is_shown_in_two_colours_is_left_alone() -> None:
    scene = model({"left": "paint", "right": "paint"}, paint=RED)
    again = model({"left": "left_1", "right": "right_1"}, left_1=RED, right_1=BLUE)
    named = fold(again, {"material": material_folds(scene, again)})
    assert list(named.materials) == ["left_1", "right_1"]


def test_two_that_look_alike_are_two_again() -> None:
    scene = model({"left": "paint", "right": "varnish"}, paint=RED, varnish=RED)
    again = model({"left": "red", "right": "red"}, red=RED)
    named = fold(again, {"material": material_folds(scene, again)})
    assert [geom.material for geom in named.body("base").geoms] == ["paint", "varnish"]
    assert list(named.materials) == ["paint", "varnish"]


def test_a_geom_that_is_gone_and_a_material_with_a_name_say_nothing() -> None:
    scene = model({"left": "paint", "right": "varnish"}, paint=RED, varnish=BLUE)
    again = model({"right": "varnish"}, varnish=BLUE)
    assert material_folds(scene, again) == {}
    assert fold(again, {"material": {"paint": ["left"]}}).materials == again.materials


def test_a_name_that_another_material_keeps_is_not_given_twice() -> None:
    again = model({"left": "red", "right": "paint"}, red=RED, paint=BLUE)
    named = fold(again, {"material": {"paint": ["left"]}})
    assert [geom.material for geom in named.body("base").geoms] == ["red", "paint"]
    assert dict(named.materials) == dict(again.materials)


def test_sensors_at_a_frame_that_is_gone_stay_as_they_are() -> None:
    scene = Scene("robot")
    scene.add_body(Body(name="base"))
    scene.add("sensor", Sensor(name="gyro", kind="gyro", body="base", target="site"))
    assert fold(scene, {"sensor imu": {"imu": ["gyro"]}}) == scene


@pytest.mark.parametrize(("said", "found"), [("0.5", 0.5), ("-1", 0.0), ("inf", 0.0), ("loud", 0.0)])
def test_a_deviation_that_is_none_is_no_noise(said: str, found: float) -> None:
    assert noise_deviation(Sensor(name="gyro", kind="gyro", parameters=(("noise", said),))) == found


def test_an_interval_that_is_none_is_no_rate() -> None:
    assert rate(Sensor(name="gyro", kind="gyro", parameters=(("interval", "often"),))) is None
