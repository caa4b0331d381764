"""Small folders of models, running the command in a process, and the content of a folder afterwards."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from converters.registry import formats
from tests.command import forked

FAULTY = Path(__file__).parent / "faulty"
"""A distribution with a format whose reader does what the file says: crash, hang, exhaust memory."""
DROP_CAPABILITY = 24
"""PR_CAPBSET_DROP of prctl: without these two capabilities, file permissions also apply to root."""
OVERRIDES = (1, 2)

TETRAHEDRON = """solid t
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 {size} 0
vertex {size} 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex {size} 0 0
vertex 0 0 {size}
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 {size}
vertex 0 {size} 0
endloop
endfacet
facet normal 1 1 1
outer loop
vertex {size} 0 0
vertex 0 {size} 0
vertex 0 0 {size}
endloop
endfacet
endsolid t
"""


def stl(size: float = 0.1) -> str:
    """Return a tetrahedron as ASCII STL, which MuJoCo does not read, so that it is transcoded."""
    return TETRAHEDRON.format(size=size)


def urdf(name: str = "arm", mesh: str | None = "meshes/link.stl", length: float = 0.5) -> str:
    """Return two links and a hinge; the visual of the second link is the mesh."""
    shape = f'<mesh filename="{mesh}"/>' if mesh else '<box size="0.1 0.1 0.1"/>'
    return f"""<robot name="{name}">
  <link name="base">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <link name="tip">
    <inertial><mass value="0.5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual><geometry>{shape}</geometry></visual>
  </link>
  <joint name="turn" type="revolute"><origin xyz="0 0 {length}"/><parent link="base"/><child link="tip"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="2"/></joint>
</robot>
"""


MJCF = """<mujoco model="pendulum"><worldbody><body name="bob"><joint name="swing" type="hinge" axis="0 1 0"/>
<geom name="ball" type="sphere" size="0.1"/></body></worldbody></mujoco>
"""
SDF = """<sdf version="1.9"><model name="box"><link name="body"><visual name="v"><geometry><box><size>1 1 1</size></box>
</geometry></visual></link></model></sdf>
"""
CONFIG = "<model><name>box</name><sdf version='1.9'>model.sdf</sdf></model>"


def robots(folder: Path, count: int = 8) -> Path:
    """Write `count` arms that share a mesh by content, a failing file, a pendulum and a model folder."""
    for number in range(count):
        place = folder / f"arm_{number}"
        (place / "meshes").mkdir(parents=True)
        (place / "arm.urdf").write_text(urdf(f"arm_{number}", length=0.5 + number))
        (place / "meshes" / "link.stl").write_text(stl())
    write(folder, {"broken/robot.urdf": "<robot name='x'><link", "pendulum.xml": MJCF})
    write(folder, {"box/model.sdf": SDF, "box/model.config": CONFIG})
    return folder


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write text files by their relative paths, and return the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "converters", "batch", *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    """Return an environment with the faulty format, and this checkout, on the path."""
    paths = [str(FAULTY), str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))} | more


def batch(*arguments: str | Path, bound: bool = False, anew: bool = False) -> subprocess.CompletedProcess[str]:
    """Run `kinegraph batch` to its end, in one process unless --jobs is given: each process takes longer to start than
    all the models of most tests. bound: file permissions apply, even to root. anew: as a newly started program, and not
    as a copy of this process, which is faster but has as much memory as this one."""
    one = () if {"--jobs", "--scheduler"}.intersection(arguments) else ("--jobs", "1")
    if bound or anew:
        return subprocess.run(
            command(*arguments, *one),
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=60,
            env=environment(),
            preexec_fn=_bind if bound else None,
        )

    def prepare() -> None:
        os.environ.update(environment())
        sys.path.insert(0, str(FAULTY))
        formats.cache_clear()

    return forked("batch", *map(str, arguments), *one, cwd=Path.cwd(), before=prepare)


def _bind() -> None:
    if os.geteuid() == 0:
        for capability in OVERRIDES:
            ctypes.CDLL(None).prctl(DROP_CAPABILITY, capability, 0, 0, 0)


def tree(folder: Path, without: Sequence[str] = (".kinegraph/lock",)) -> dict[str, bytes]:
    """Return the content of every file below a folder, including hidden ones, by relative path."""
    files = [Path(root, name) for root, _, names in os.walk(folder) for name in names]
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files)}
    return {name: data for name, data in found.items() if name not in without}


def outputs(folder: Path) -> dict[str, bytes]:
    """Return the tree without the files that a batch keeps for itself."""
    return {name: data for name, data in tree(folder).items() if not name.startswith(".kinegraph/")}


def documents(folder: Path) -> int:
    """Return the number of outputs at present, in a folder whose content changes."""
    names = [name for root, _, names in os.walk(folder) if ".kinegraph" not in root for name in names]
    return sum(name.endswith(".xml") for name in names)


def counts(table: str) -> dict[str, int]:
    """Return the numbers of the final table, by their labels."""
    found = {}
    for line in table.splitlines():
        words = line.strip().split()
        name = " ".join(line[:18].split())
        if name and len(words) > len(name.split()):
            found[name] = int(words[len(name.split())])
    return found


def told(table: str) -> str:
    """Return the table without its last line, which gives the place of the report."""
    assert table.splitlines()[-1].startswith("report: ")
    return table.partition("report: ")[0]


def stored(url: str) -> dict[str, bytes]:
    """Return all objects below a URL except those that a batch keeps for itself."""
    from fsspec.core import url_to_fs

    fs, root = url_to_fs(url)
    fs.invalidate_cache()
    names = {name: str(name)[len(root) :].lstrip("/") for name in fs.find(root)}
    return {short: fs.cat_file(name) for name, short in names.items() if not short.startswith(".kinegraph/")}


def put(folder: Path, url: str) -> None:
    from fsspec.core import url_to_fs

    fs, root = url_to_fs(url)
    for name, data in outputs(folder).items():
        fs.makedirs(f"{root}/{name}".rpartition("/")[0], exist_ok=True)
        fs.pipe_file(f"{root}/{name}", data)
