"""The seeds of fuzzing: the small models made for tests, and small files of the installed corpora."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from converters.convert import convert
from tests.formats.gltf_made import shown
from tests.formats.gltf_written import ARM
from tests.formats.test_gltf_mutated import rich
from tests.formats.test_xacro import HEAD, PLENTY

MADE = Path(__file__).parents[2] / "corpus" / "made"
FORMATS = ("urdf", "sdf", "mjcf", "gltf", "xacro")
SUFFIXES = {"urdf": ".urdf", "sdf": ".sdf", "mjcf": ".xml", "xacro": ".urdf.xacro", "gltf": ".gltf"}
LARGEST = 16_000
"""Maximum size in bytes of a corpus file: larger ones repeat the same content."""
MANY = 60
XACRO = f"""{HEAD}
<xacro:property name="width" value="0.2"/>
<xacro:property name="offsets" value="${{[0.1, 0.2, -0.3]}}"/>
<xacro:macro name="wheel" params="prefix side:=1 *origin **block">
  <link name="${{prefix}}_wheel"><visual><geometry><cylinder radius="${{width / 2}}" length="0.05"/></geometry></visual>
    <xacro:insert_block name="block"/></link>
  <joint name="${{prefix}}_joint" type="continuous"><xacro:insert_block name="origin"/>
    <parent link="base"/><child link="${{prefix}}_wheel"/><axis xyz="0 ${{side}} 0"/></joint>
</xacro:macro>
<link name="base"/>
<xacro:wheel prefix="left"><origin xyz="0 ${{offsets[0]}} 0"/><extra><collision/></extra></xacro:wheel>
<xacro:if value="${{offsets[2] &lt; 0}}"><xacro:wheel prefix="right" side="-1">
  <origin xyz="0 ${{sin(pi / 2)}} 0" rpy="0 0 ${{radians(90)}}"/><extra/></xacro:wheel></xacro:if>
</robot>
"""


@cache
def seeds(form: str, real: bool = True) -> tuple[bytes, ...]:
    """Return documents of a format; with `real`, also small files of the installed corpora."""
    if form == "gltf":
        return _gltf()
    if form == "xacro":
        return (f"{HEAD}{PLENTY}\n</robot>\n".encode(), XACRO.encode())
    made = [
        path.read_bytes()
        for path in sorted(MADE.glob(f"*{SUFFIXES[form]}"))
        if not path.name.startswith("error") and path.stat().st_size < LARGEST
    ]
    return (*made, *(_real(form) if real else ()))


def _gltf() -> tuple[bytes, ...]:
    plain = [rich().glb(), shown().glb()]
    with TemporaryDirectory() as folder:
        (Path(folder) / "arm.urdf").write_text(ARM)
        for name in ("arm.gltf", "arm.glb"):
            convert(Path(folder) / "arm.urdf", Path(folder) / name)
            plain.append((Path(folder) / name).read_bytes())
    return tuple(plain)


def _real(form: str) -> list[bytes]:
    from tests.corpus.mjcf_models import mjcf_models
    from tests.corpus.models import models
    from tests.corpus.sdf_models import sdf_models

    found = {"urdf": models, "sdf": sdf_models, "mjcf": mjcf_models}[form]()
    small = [model.path for model in found if model.path.stat().st_size < LARGEST]
    return [path.read_bytes() for path in small[:: max(1, len(small) // MANY)]]
