"""<flexcomp>, which is kept as it is written: the bodies that it creates, its file, its place among bodies."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from pathlib import Path

import mujoco
import pytest

from converters.context import Options
from converters.convert import convert, read
from converters.mjcf.writing.rendering import render
from converters.source.tree import serialise
from converters.validating import validate
from tests.oracles.in_mujoco import mujoco_model
from tests.oracles.mjcf_against_mjcf import differences
from tests.reports import explained, of_rule

CLOTH = '<flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1" radius=".01" {}/>'
HAND = '<body name="hand"><joint type="slide"/><geom size=".1"/></body>'
LATER = '<body name="later" pos="1 0 0"><joint type="slide"/><geom size=".1"/></body>'
WAYS = ["xml", "urdf", "sdf", "glb"]


def saved(tmp_path: Path, inside: str) -> Path:
    path = tmp_path / "here" / "in.xml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<mujoco>{inside}</mujoco>")
    return path


def there_and_back(source: Path, suffix: str) -> mujoco.MjModel:
    """Convert the model through another format into a folder of its own; return MuJoCo's model."""
    folder = source.parent.parent / "away"
    there, back = folder / f"there.{suffix}", folder / "back" / "model.xml"
    folder.mkdir()
    back.parent.mkdir()
    report = convert(source, there)
    explained(report)
    assert not of_rule(report, "mjcf/name")
    explained(convert(there, back))
    return mujoco_model(back)


def unlike(source: Path, found: mujoco.MjModel) -> list[str]:
    pairs = differences(mujoco_model(source), found, rollout=False)
    return [f"{criterion}: {text}" for criterion, texts in pairs for text in texts if "body_sameframe[0]" not in text]


@pytest.mark.parametrize("suffix", WAYS)
@pytest.mark.parametrize(
    "relation",
    [
        '<equality><connect body1="hand" body2="cloth_4" anchor="0 0 0"/></equality>',
        '<equality><weld body1="cloth_2" body2="later"/></equality>',
        '<contact><exclude body1="hand" body2="cloth_4"/></contact>',
        '<sensor><framepos objtype="body" objname="cloth_8"/></sensor>',
        '<sensor><subtreecom body="cloth_0"/></sensor>',
        '<actuator><adhesion body="cloth_4" ctrlrange="0 1"/></actuator>',
        '<custom><tuple name="t"><element objtype="body" objname="cloth_4"/></tuple></custom>',
        '<worldbody><camera mode="targetbody" target="cloth_4"/></worldbody>',
    ],
)
def test_bodies_that_it_makes_may_be_named(tmp_path: Path, relation: str, suffix: str):
    source = saved(tmp_path, f"<worldbody>{HAND}{CLOTH.format('')}{LATER}</worldbody>{relation}")
    assert not unlike(source, there_and_back(source, suffix))


def test_it_stands_between_the_bodies_without_notes_of_its_author(tmp_path: Path):
    scene = read(saved(tmp_path, f"<worldbody><light/>{HAND}{CLOTH.format('')}{LATER}</worldbody>"))
    (world,) = [each for each in render(scene).elements() if each.tag == "worldbody"]
    tags = [each.attrs.get("name") for each in world.elements()]
    assert tags == [None, "hand", "cloth", "later"]


@pytest.mark.parametrize("suffix", WAYS)
def test_it_stands_between_the_bodies_where_its_author_put_it(tmp_path: Path, suffix: str):
    source = saved(tmp_path, f"<worldbody>{CLOTH.format('')}{HAND}<frame pos='0 0 1'>{LATER}</frame></worldbody>")
    assert not unlike(source, there_and_back(source, suffix))


TURNED = CLOTH.format('euler="10 20 30" pos="0 0 1"')


@pytest.mark.parametrize("suffix", WAYS[:-1])
def test_bodies_that_copies_of_it_make_may_be_named(tmp_path: Path, suffix: str):
    copies = f'<replicate count="2" sep="-" offset="0 0 1"><body name="b">{CLOTH.format("")}</body></replicate>'
    relations = """<equality><connect body1="cloth_2-1" body2="hand" anchor="0 0 0"/></equality>
    <sensor><subtreecom body="cloth_1-0"/></sensor><contact><exclude body1="cloth_0-1" body2="hand"/></contact>"""
    source = saved(tmp_path, f"<worldbody>{HAND}{copies}</worldbody>{relations}")
    assert not unlike(source, there_and_back(source, suffix))


@pytest.mark.parametrize("suffix", WAYS)
def test_joints_that_it_makes_may_be_named(tmp_path: Path, suffix: str):
    """The joints about which a cable twists."""
    cable = '<flexcomp name="F" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1" mass="1">'
    cable += '<elasticity young="1000" poisson=".2"/></flexcomp>'
    relations = """<tendon><fixed name="t"><joint joint="j" coef="1"/>
    <joint joint="F_twist_1" coef="2"/></fixed></tendon>
    <equality><joint joint1="F_twist_0" joint2="j"/><joint joint1="j" joint2="F_twist"/>
    <weld body1="F_twist" body2="hand"/></equality><contact><exclude body1="F_twist" body2="hand"/></contact>
    <actuator><motor name="m" joint="F_twist_0"/><general jointinparent="F_twist"/></actuator>
    <sensor><jointpos joint="F_twist_1"/><framepos objtype="body" objname="F_twist_0"/></sensor>"""
    hand = HAND.replace("<joint ", '<joint name="j" ')
    source = saved(tmp_path, f"<worldbody>{hand}{cable}</worldbody>{relations}")
    assert not unlike(source, there_and_back(source, suffix))
    assert not [each for each in validate(source).breaches if each.rule == "REF-MISSING"]


@pytest.mark.parametrize("suffix", WAYS)
@pytest.mark.parametrize(
    "inside",
    [
        f"<worldbody>{HAND}{TURNED}{LATER}</worldbody>",
        f'<worldbody>{LATER}<frame name="f" pos="1 2 3" euler="0 0 90">{HAND}{TURNED}</frame></worldbody>',
        f'<compiler eulerseq="ZYX"/><worldbody>{HAND}{TURNED}<light/></worldbody>',
        f'<compiler angle="radian"/><worldbody>{TURNED}<body name="b"><geom size=".1"/></body></worldbody>',
    ],
)
def test_it_stands_where_its_author_put_it_without_notes_too(tmp_path: Path, inside: str, suffix: str):
    source = saved(tmp_path, inside)
    assert not unlike(source, there_and_back(source, suffix))
    bare = tmp_path / "here" / "bare.xml"
    bare.write_text(serialise(render(read(source))))
    assert not unlike(source, mujoco_model(bare))
    assert (tmp_path / "away" / "back" / "model.xml").read_text().count('euler="10 20 30"') == 1


def rag(tmp_path: Path, said: str = "") -> Path:
    """Write a model with a <flexcomp> whose file is in the folder of the compiler; `said`: more for <compiler>."""
    (tmp_path / "here" / "meshes").mkdir(parents=True)
    corners, sides = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4"
    (tmp_path / "here" / "meshes" / "tet.obj").write_text(f"{corners}\n{sides}\n")
    shape = '<flexcomp name="rag" type="mesh" dim="2" mass="1" radius=".01" file="tet.obj"/>'
    return saved(tmp_path, f'<compiler meshdir="meshes"{said}/><worldbody>{HAND}{shape}{LATER}</worldbody>')


@pytest.mark.parametrize("suffix", WAYS)
@pytest.mark.parametrize("said", ["", ' strippath="true"'])
def test_its_file_goes_along(tmp_path: Path, said: str, suffix: str):
    source = rag(tmp_path, said)
    assert not unlike(source, there_and_back(source, suffix))


@pytest.mark.parametrize("address", ["../far/tet.obj", "a b/t\u00e9t.obj"])
def test_a_glb_holds_its_file_wherever_it_lay(tmp_path: Path, address: str):
    source = rag(tmp_path)
    there, back = tmp_path / "there.glb", tmp_path / "back" / "deep" / "model.xml"
    file = source.parent / "meshes" / address
    file.parent.mkdir(exist_ok=True)
    (source.parent / "meshes" / "tet.obj").rename(file)
    source.write_text(source.read_text().replace("tet.obj", address))
    expected = mujoco_model(source)
    explained(convert(source, there))
    file.unlink()
    back.parent.mkdir(parents=True)
    report = explained(convert(there, back))
    assert not of_rule(report, "assets/missing")
    pairs = differences(expected, mujoco_model(back), rollout=False)
    assert not [text for _, texts in pairs for text in texts if "body_sameframe[0]" not in text]
    explained(convert(there, tmp_path / "again.glb"))  # and so does a GLB of that
    explained(convert(tmp_path / "again.glb", tmp_path / "back" / "again.xml"))
    assert mujoco_model(tmp_path / "back" / "again.xml").nflexvert == expected.nflexvert


@pytest.mark.parametrize(
    ("was", "now", "left"),
    [
        ('"tet.obj"', '"../../../../b.obj"', ["b.obj"]),
        ('"tet.obj"', '"/etc/b.obj"', ["etc/b.obj"]),
        ('"tet.obj"', '"a/../../b.obj"', ["b.obj"]),
        *(('"tet.obj"', f'"{name}"', []) for name in (".", "..", "x" * 300 + ".obj", "a\\u0000.obj")),
        (r'"files":{"tet":"[^"]*"', '"files":{"tet":"no!"', []),
        (r'"files":{"tet":"[^"]*"', '"files":{"tet":"é"', []),
        (r'"files":{"tet":"[^"]*"', f'"files":{{"tet":"{b64encode(zlib.compress(bytes(1 << 27))).decode()}"', []),
    ],
)
def test_a_file_inside_a_glb_stays_in_the_folder_whatever_its_address(tmp_path: Path, was: str, now: str, left: list):
    there, back = tmp_path / "there.gltf", tmp_path / "out" / "model.xml"
    convert(rag(tmp_path), there)
    (tmp_path / "here" / "meshes" / "tet.obj").unlink()
    document = json.loads(there.read_text())
    scene = document["scenes"][0]
    for holder in (scene, document["nodes"][scene["nodes"][0]]):
        text = holder["extras"]["kinegraph"].replace("meshes/tet.obj", "tet.obj")
        holder["extras"]["kinegraph"], count = re.subn(was, lambda _: now, text)
        assert count
    there.write_text(json.dumps(document))
    report = convert(there, back)
    folder = tmp_path / "out" / "model_assets"
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()] == left
    assert {path.name for path in (tmp_path / "out").iterdir()} <= {"model.xml", "model_assets"}
    assert bool(of_rule(report, "assets/unreadable")) is not bool(left)


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "png"])
def test_a_glb_with_its_file_goes_on_to_every_format(tmp_path: Path, suffix: str):
    source = rag(tmp_path)
    shown = '<asset><mesh name="m" file="tet.obj"/></asset><worldbody><geom type="mesh" mesh="m"/>'
    source.write_text(source.read_text().replace("<worldbody>", shown))
    convert(source, tmp_path / "there.glb")
    (tmp_path / "here" / "meshes" / "tet.obj").unlink()
    explained(convert(tmp_path / "there.glb", tmp_path / "on" / f"on.{suffix}"))
    if suffix == "png":
        return
    explained(convert(tmp_path / "on" / f"on.{suffix}", tmp_path / "back" / "model.xml"))
    model = mujoco_model(tmp_path / "back" / "model.xml")  # the GLB is at hand
    assert (model.nflexvert, model.nmeshvert) == (4, 4)
    options = Options(meshes="reference")
    explained(convert(tmp_path / "there.glb", tmp_path / "refers" / f"on.{suffix}", options=options))
    (tmp_path / "there.glb").unlink()
    report = explained(convert(tmp_path / "on" / f"on.{suffix}", tmp_path / "kept" / "model.xml"))
    assert not of_rule(report, "assets/missing")  # the file was put beside it
    assert mujoco_model(tmp_path / "kept" / "model.xml").nflexvert == 4
    report = explained(convert(tmp_path / "refers" / f"on.{suffix}", tmp_path / "lost" / "model.xml"))
    assert [each.where for each in of_rule(report, "assets/missing")] == ["asset/tet"]
    text = (tmp_path / "lost" / "model.xml").read_text()
    assert '<mesh name="m" file="model_assets/m.obj"/>' in text
    assert 'type="mesh" dim="2" mass="1" radius=".01" file="meshes/tet.obj"' in text


@pytest.mark.parametrize("suffix", ["urdf", "sdf", "xml"])
@pytest.mark.parametrize("kind", ["flexcomp", "texture"])
def test_a_damaged_file_inside_a_glb_refuses_no_format(tmp_path: Path, suffix: str, kind: str):
    source, there = rag(tmp_path), tmp_path / "there.gltf"
    if kind == "texture":
        look = '<material name="m"><color rgba="1 0 0 1"/><texture filename="tet.png"/></material>'
        shape = '<visual><geometry><box size="1 1 1"/></geometry>'
        source = tmp_path / "r.urdf"
        source.write_text(f'<robot name="r"><link name="l">{shape}{look}</visual></link></robot>')
        (tmp_path / "tet.png").write_bytes(b"no image")
    convert(source, there)
    for file in tmp_path.rglob("tet.*"):
        file.unlink()
    text, count = re.subn(r'("files\\":{\\"tet\\":\\")[^"]*', r"\g<1>no!\\", there.read_text())
    assert count
    there.write_text(text)
    report = explained(convert(there, tmp_path / "out" / f"model.{suffix}"))
    assert of_rule(report, "assets/unreadable")
    assert not [*tmp_path.rglob("tet.*")]


def test_its_file_goes_along_twice(tmp_path: Path):
    once, twice = tmp_path / "once" / "model.xml", tmp_path / "twice" / "model.xml"
    for a, b in ((rag(tmp_path), once), (once, twice)):
        b.parent.mkdir()
        explained(convert(a, b))
    assert twice.read_bytes() == once.read_bytes()
    assert mujoco_model(twice).nflexvert == 4


@pytest.mark.parametrize("kind", ["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle"])
def test_every_form_of_it_is_taken(tmp_path: Path, kind: str):
    count = "4 1 1" if kind == "circle" else "3 3 1" if kind in ("grid", "square", "disc") else "3 3 3"
    said = f'count="{count}" spacing=".1 .1 .1" mass="1" radius=".01" dim="{1 if kind == "circle" else 2}"'
    source = saved(tmp_path, f'<worldbody><flexcomp name="f" type="{kind}" {said}/></worldbody>')
    mujoco_model(source)
    assert not of_rule(convert(source, tmp_path / "out.xml"), "mjcf/keyword")


PART = """<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body></worldbody>
<keyframe><key name="up" qpos=".5"/></keyframe></mujoco>"""


@pytest.mark.parametrize("suffix", WAYS)
@pytest.mark.parametrize("before", [True, False])
def test_a_keyframe_says_nothing_of_joints_behind_it(tmp_path: Path, before: bool, suffix: str):
    """Only MuJoCo knows how many coordinates precede theirs."""
    attached = '<attach model="part" prefix="x_"/>'
    order = attached + CLOTH.format("") if before else CLOTH.format("") + attached
    part = tmp_path / "part.xml" if suffix == "glb" else Path("part.xml")  # a GLB holds none of an absolute address
    source = saved(tmp_path, f'<asset><model name="part" file="{part}"/></asset><worldbody>{HAND}{order}</worldbody>')
    (source.parent / part).write_text(PART)
    there, back = tmp_path / f"there.{suffix}", tmp_path / "back" / "model.xml"
    explained(convert(source, there))
    if suffix == "glb":
        part.unlink()
    report = explained(convert(there, back))
    model = mujoco_model(back)
    said = [*model.key_qpos[0].nonzero()[0]]
    if before or suffix != "glb":  # elsewhere it is attached again
        assert said == [model.joint("x_j").qposadr[0]]
    else:
        assert not said
        assert [each.where for each in of_rule(report, "mjcf/keyframe-whole")] == ["keyframe/x_up.positions"]


@pytest.mark.parametrize("vector", ["qpos", "qvel"])
def test_a_keyframe_may_say_how_it_moves(tmp_path: Path, vector: str):
    numbers = " ".join(map(str, range(28)))
    key = f'<keyframe><key {vector}="{numbers}"/></keyframe>'
    source = saved(tmp_path, f"<worldbody>{HAND}{CLOTH.format('')}</worldbody>{key}")
    assert mujoco_model(source).nv == 28
    assert not [each for each in validate(source).breaches if each.rule in ("NUM-COUNT", "MJCF-KEYFRAME")]
    assert not unlike(source, there_and_back(source, "urdf"))
