"""Copies of SDF files with only what moves: Drake refuses many files for a sensor, a mesh or an unknown element."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from lxml import etree

from tests.corpus.sdf_models import SUFFIXES

NAMESAKE = "__joint"
CONFIG = "model.config"
BONES = {
    **dict.fromkeys(("world", "model"), "world model include joint frame link pose static"),
    "sdf": "world model",
    "include": "uri name pose static placement_frame",
    "link": "pose inertial",
    "frame": "pose",
    "inertial": "pose mass inertia",
    "inertia": "ixx iyy izz ixy ixz iyz",
    "joint": "parent child pose axis axis2 thread_pitch screw_thread_pitch",
    "axis": "xyz use_parent_model_frame",
    "axis2": "xyz use_parent_model_frame",
}
"""Maps an element to its children that affect poses or masses. For all others only the text is kept."""


def bones(path: Path, folders: Iterable[Path], to: Path, without: Collection[str] = ()) -> tuple[Path, list[Path]]:
    """Copy a file below a folder, with those of all models that it may include; return the copy and where the models
    are.

    Models keep their relative places, so that relative paths still work. without: paths of joints that the copy omits.
    Joints that couple others (gearbox) are omitted, too. Before SDF 1.7 a joint may have the name of a link: it gets
    the suffix NAMESAKE here.
    """
    places = {folder.resolve(): to / f"models_{number}" for number, folder in enumerate(folders)}
    for folder, place in places.items():
        for file in folder.glob("*/*"):
            if file.suffix in SUFFIXES or file.name == CONFIG:
                _copy(file, place / file.relative_to(folder), list(places))
    path = path.resolve()
    inside = next((folder for folder in places if path.is_relative_to(folder)), None)
    own = places[inside] / path.relative_to(inside) if inside is not None else to / path.parent.name / path.name
    beside = [file for file in path.parent.rglob("*") if file.suffix in SUFFIXES or file.name == CONFIG]
    for file in beside if inside is None else [path]:
        _copy(file, own.parent / file.relative_to(path.parent), list(places), without if file == path else ())
    return own, list(places.values())


def _copy(file: Path, to: Path, folders: list[Path], without: Collection[str] = ()) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if file.name == CONFIG:
        to.write_bytes(file.read_bytes())
        return
    try:
        root = etree.parse(str(file), etree.XMLParser(recover=True, remove_comments=True)).getroot()
    except etree.XMLSyntaxError:
        return
    if root is None:
        return
    top = root.find("world") is None
    stack = [(root, "", top)]
    while stack:
        element, scope, outermost = stack.pop()
        kept = BONES.get(str(element.tag), "").split()
        links = {link.get("name") for link in element.iterfind("link")}
        for child in list(element):
            name = f"{scope}{child.get('name')}"
            if child.tag not in kept or (child.tag == "joint" and (child.get("type") == "gearbox" or name in without)):
                element.remove(child)
            elif child.tag == "model":
                stack.append((child, "" if outermost else f"{name}::", False))
            else:
                if child.tag == "joint" and child.get("name") in links:
                    child.set("name", f"{child.get('name')}{NAMESAKE}")
                stack.append((child, scope, outermost and child.tag == "world"))
    for uri in root.iter("uri"):
        uri.text = _whole((uri.text or "").strip(), folders)
    etree.ElementTree(root).write(str(to))


def _whole(uri: str, folders: list[Path]) -> str:
    """Return the uri of the file of a model that is named by its folder: the newest one in its model.config."""
    name = uri.removeprefix("model://")
    config = next((path / name / CONFIG for path in folders if (path / name / CONFIG).is_file()), None)
    if not name or "/" in name or config is None:
        return uri
    files = etree.parse(str(config), etree.XMLParser(recover=True)).getroot().findall("sdf")
    newest = max(files, key=lambda file: [int(part) for part in file.get("version", "0").split(".")])
    return f"model://{name}/{(newest.text or '').strip()}"
