"""What an OBJ, its material library or a DAE spells wrongly is told, and nothing is guessed in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from converters.assets.meshes.files import load
from converters.context import InputError
from tests.converters.meshes import INSTANCE, dae, write

OBJ = """mtllib a.mtl
usemtl wood
v 0 0 0
v 1 0 0
v 0 1 0
vt 0 0
vt 1 0
vn 0 0 1
f 1/1/1 2/2/1 3/2/1
"""
MTL = "newmtl wood\nKd 0.5 0.6 0.7\nKs 0.1 0.2 0.3\nNs 20\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("v 0 1 0", "v 0 1", "1 lines 'v' of fewer than 3 numbers; taken as 0"),
        ("vn 0 0 1", "vn 0 0", "1 lines 'vn' of fewer than 3 numbers; taken as 0"),
        ("v 0 1 0", "v 0 1 0 junk", "1 words in lines 'v' that are no numbers"),
        ("vt 1 0", "vt 1 0 1,5", "1 words in lines 'vt' that are no numbers"),
        ("vt 1 0", "vt nan 0", "the texture coordinates of 'a', which are not all finite numbers"),
        ("vn 0 0 1", "vn 0 0 1e400", "the normals of 'a', which are not all finite numbers"),
        ("3/2/1", "3//1", "the texture coordinates of 'a', which only some of its corners have"),
        ("3/2/1", "3/2", "the normals of 'a', which only some of its corners have"),
        ("v 0 0 0", "usemtl\nv 0 0 0", "usemtl without a name"),
        ("v 0 0 0", "mtllib\nv 0 0 0", "mtllib without a name"),
        ("v 0 0 0", "unheard\nv 0 0 0", "unheard statements"),
        ("vt 1 0", "vt 1", ""),
        ("v 1 0 0", "v 1 0 0 1", ""),
        ("v 0 0 0", "g\no\nv 0 0 0", ""),
    ],
)
def test_lines_of_an_obj(old: str, new: str, told: str, tmp_path: Path) -> None:
    write(tmp_path / "a.mtl", MTL)
    content = load(write(tmp_path / "a.obj", OBJ.replace(old, new, 1)))
    assert [each.reason.rpartition("mesh file: ")[2] for each in content.untold(False)] == ([told] if told else [])


@pytest.mark.parametrize("word", ["1_0", "1,0", "0x10"])
def test_a_word_of_an_obj_that_is_no_number_is_named(word: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"a.obj:4: .*'{word}' is no number"):
        load(write(tmp_path / "a.obj", OBJ.replace("v 1 0 0", f"v {word} 0 0")))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Kd 0.5 0.6 0.7", "Kd 0.5 0.6", "kd 0.5 0.6 of material 'wood', which is not a colour of three numbers"),
        ("Kd 0.5 0.6 0.7", "Kd 0_5 0 0", "kd 0_5 0 0 of material 'wood', which is not a colour of three numbers"),
        (
            "Ks 0.1 0.2 0.3",
            "Ks 0.1 0.2 0.3 x",
            "ks 0.1 0.2 0.3 x of material 'wood', which is more than a colour; taken as the first three numbers",
        ),
        ("Ns 20", "Ns 2_0", "ns 2_0 of material 'wood', which is not a number"),
        ("Kd 0.5 0.6 0.7", "Kd 0.5", ""),
    ],
)
def test_lines_of_a_material_library(old: str, new: str, told: str, tmp_path: Path) -> None:
    write(tmp_path / "a.mtl", MTL.replace(old, new))
    content = load(write(tmp_path / "a.obj", OBJ))
    assert content.lost == ((told,) if told else ())


@pytest.mark.parametrize(
    ("indices", "numbers", "told"),
    [
        ("0 1 1", "0 0 1 1 0 0", ()),
        ("0 1 1", "0 0 1 nan 0 0", ("the normals '#nor', which are not all finite numbers",)),
        ("0 1 2", "0 0 1 1 0 0", ("the normals '#nor', which have fewer rows than the faces name",)),
    ],
)
def test_normals_of_a_dae(indices: str, numbers: str, told: tuple[str, ...], tmp_path: Path) -> None:
    normals = f'<input semantic="NORMAL" source="#nor" offset="1"/><p>0 {indices[0]} 1 {indices[2]} 2 {indices[4]}</p>'
    triangles = f'<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>{normals}</triangles>'
    text = dae(f"<node>{INSTANCE}</node>", primitives=triangles).replace("0 0 1 1 0 0<", f"{numbers}<")
    content = load(write(tmp_path / "a.dae", text))
    assert content.lost == told and (content.parts[0].normals is None) == bool(told)
