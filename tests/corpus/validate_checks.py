"""The verdict of `kinegraph validate` compared with that of an independent reader."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from converters.assets.resolve import Resolver
from converters.context import InputError, Options
from converters.validating import Verdict, validate
from converters.validating.fixing import repair
from converters.validating.rules import ERROR, INFO, SAFE
from converters.validating.run import fix, severity
from tests.files import saved
from tests.oracles import in_drake, in_pinocchio

Judge = Callable[[Path, Iterable[Path]], str]
"""Maps (model, folders with other models) to why it is refused, "" if it is accepted."""

NOBODY_LOOKS = "it opens no files"
TAKES_ANY = "it takes whatever number stands there"

BLIND: Mapping[str, Mapping[str, str]] = {
    "urdf": {
        **dict.fromkeys(("MESH-MISSING", "MESH-READ", "MESH-FACES"), NOBODY_LOOKS),
        **dict.fromkeys(
            ("INERTIA-PD", "INERTIA-TRI", "INERTIA-MASS", "INERTIA-SYM", "LIMIT-ORDER", "LIMIT-NEG", "GEOM-DIM"),
            f"{TAKES_ANY} (URDF before 1.2)",
        ),
        "JOINT-AXIS-ZERO": TAKES_ANY,
        "TREE-2PARENTS": "it keeps the last parent",
        "TREE-CYCLE": "a cycle beside a tree is not reached from its root",
        "TREE-SELF": "it does not end",
        **dict.fromkeys(("MIMIC-MISSING", "MIMIC-SELF", "MIMIC-CYCLE", "MIMIC-KIND"), "it follows no names of mimics"),
        "GEOM-COUNT": "it reads the first shape and says nothing",
        "NUM-RANGE": "it parses no sensors",
        "EXT-GZ-BLOCK": "blocks for Gazebo are nothing to it",
        "XML-ENT": "its parser leaves entities as they stand",
        "XML-SIZE": "it has no bounds",
        "XML-WF": "its parser looks at nothing behind the first element",
    },
    "sdf": {
        **dict.fromkeys(("MESH-MISSING", "MESH-READ", "MESH-FACES"), NOBODY_LOOKS),
        **dict.fromkeys(("LIMIT-ORDER", "LIMIT-NEG", "GEOM-DIM", "JOINT-DYN-NEG", "INERTIA-MASS"), TAKES_ANY),
        "INERTIA-PD": "a moment of zero is none that is negative",
        "MIMIC-MISSING": "mimics came with 1.11, it knows 1.9",
        "MIMIC-SELF": "mimics came with 1.11, it knows 1.9",
        "MIMIC-CYCLE": "mimics came with 1.11, it knows 1.9",
        "SDF-JOINT-AXIS-MIMIC-INVALID": "mimics came with 1.11, it knows 1.9",
        "SDF-JOINT-AXIS-EXPRESSED-IN-INVALID": "newer versions look at it",
        "GEOM-EMPTY": "a geometry without a shape is an empty one to it",
        "GEOM-COUNT": "it reads one of them",
        "NAME-DUP": "before 1.7 names of one kind may be the same",
        "TREE-2PARENTS": "a loop of joints is no fault of SDFormat",
        "NUM-RANGE": TAKES_ANY,
        "SDF-DUPLICATE-NAME": "in a world it warns, and gives the frame another name",
        "SDF-JOINT-CHILD-LINK-INVALID": "it does not look at joints of a world",
        "SDF-JOINT-PARENT-SAME-AS-CHILD": "it does not look at joints of a world",
    },
    "mjcf": {
        "MESH-READ": "points without faces are enough for its plugins",
        "MESH-MISSING": "it reads files outside the folders of the model, which nothing here does",
    },
    "gltf": {
        "MESH-MISSING": "a warning to it",
        "GLTF-EXTENSION": "whether a reader knows the extensions that a file requires is the reader's business",
        "GLTF-BOUNDS": "it does not decompress Draco: what is said about such arrays is taken at its word",
    },
}
"""Maps a judge to rules that it does not check, with the reason: it may accept what is an error here."""

OTHERS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "urdf": (),
    "sdf": (
        (r"Unable to read file", "SDF 1.0 to 1.2 with a <gazebo> root, or with what only older versions had"),
        (r"__model__\] specified", "the frame of a model as the end of a joint came after 12.3"),
        (r"mysim:empty_attr", "it wants a value in a foreign attribute of its own test file"),
        (
            r"must have at least one link",
            "a model that has links only through what it includes is read by newer versions",
        ),
        (r"load a Sensor", "a sensor of a type of its own: newer versions keep it"),
    ),
    "mjcf": ((r"Lengthrange computation", "found by simulating muscles until they stop, which nothing here does"),),
    "gltf": (
        (r"NO_TANGENT_SPACE|SEMANTIC_CONTINUITY", "looks that have no neutral meaning are kept and not looked into"),
        (r"TYPE_MISMATCH", "members that have no neutral meaning are kept and not looked into"),
    ),
}
"""Maps a judge to (pattern of its message, why validate accepts what it refuses)."""


def urdf(path: Path, folders: Iterable[Path]) -> str:
    from tests.oracles.in_urdfdom import check_urdf

    return check_urdf(path) or ""


def urdf_3(path: Path, folders: Iterable[Path]) -> str:
    from tests.oracles.in_urdfdom import check_urdf_3

    return check_urdf_3(path) or ""


def sdf(path: Path, folders: Iterable[Path]) -> str:
    from tests.oracles.in_sdformat import sdformat_reads

    try:
        answer = sdformat_reads(path, folders)
    except RuntimeError as error:
        return str(error)
    return "; ".join(f"{error['code']}: {error['message']}" for error in answer["errors"])


def mjcf(path: Path, folders: Iterable[Path]) -> str:
    from tests.oracles.in_mujoco import mujoco_model

    try:
        mujoco_model(path)
    except ValueError as error:
        return str(error)
    return ""


def gltf(path: Path, folders: Iterable[Path]) -> str:
    from tests.oracles.in_khronos import khronos_reads

    (answer,) = khronos_reads([path])
    errors = [f"{each['code']}: {each['message']}" for each in answer["messages"] if each["severity"] == 0]
    return "; ".join(errors)


JUDGES: Mapping[str, Judge] = {"urdf": urdf, "urdf-3": urdf_3, "sdf": sdf, "mjcf": mjcf, "gltf": gltf}


def agreement(path: str, kind: str, folders: Iterable[str] = ()) -> dict[str, Any]:
    """{"class": both accept, both refuse, we alone, judge alone; "why": rules or complaint; "reason": "" if none}."""
    model = Path(path)
    places = [Path(folder) for folder in folders]
    try:
        verdict = validate(model, source=_format(kind), options=Options(resource_paths=tuple(places)))
    except InputError as error:
        return {"class": "not judged", "why": str(error), "reason": "no model"}
    return compared(verdict, JUDGES[kind](model, places), kind)


def _format(kind: str) -> str:
    """Return the format of a judge, which may exist in several versions."""
    return kind.partition("-")[0]


def compared(verdict: Verdict, complaint: str, kind: str) -> dict[str, Any]:
    errors = sorted({breach.rule for breach in verdict.breaches if severity(breach) == ERROR})
    worth = sorted({breach.rule for breach in verdict.breaches if severity(breach) != INFO})
    if complaint:
        if worth:
            return {"class": "both refuse", "why": " ".join(worth), "reason": ""}
        reason = next((why for pattern, why in OTHERS[_format(kind)] if re.search(pattern, complaint)), "")
        return {"class": "judge alone", "why": complaint[:300], "reason": reason}
    if not errors:
        return {"class": "both accept", "why": "", "reason": ""}
    blind = BLIND[_format(kind)]
    unknown = [rule for rule in errors if rule not in blind]
    reason = "; ".join(sorted({blind[rule] for rule in errors if rule in blind})) if not unknown else ""
    return {"class": "we alone", "why": " ".join(unknown or errors), "reason": reason}


# -------------------------------------------------------------------------------------------------------------- repairs


LONG = 200.0
"""Timeout in seconds for Drake with all the meshes of a model."""
UNSEEN = {"MESH-MISSING", "MESH-READ", "MESH-FACES", "EXT-GZ-BLOCK"}
"""Rules about what engines do not read in a model without its geometry, or in URDF blocks for Gazebo."""


def repaired(path: str, drake: bool = False, meshes: bool = False) -> dict[str, Any]:
    """`--fix all` of a URDF: the second run has no safe repair left, and engines load the tree that was written.

    Returns {criterion: complaint, "" if none}. Engines find no packages and read no DAE: they get the tree without its
    geometry, and (meshes) another copy in which trimesh has converted each available mesh to an OBJ file.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.urdf"
        options = Options(missing_inertia="geometry")
        verdict = validate(Path(path), source="urdf", options=options)
        try:
            fixed = repair(verdict, out, everything=True, options=options)
        except InputError as error:
            return {"refused": str(error)}
        left = sorted({breach.rule for breach in fixed.after.breaches if fix(breach) == SAFE})
        hopeless = {breach.rule for breach in fixed.after.breaches if severity(breach) == ERROR} - UNSEEN
        if hopeless:  # only its author can repair that
            return {"second run": " ".join(left), "left to its author": " ".join(sorted(hopeless))}
        bare = saved(Path(folder) / "bare.urdf", without_geometry(out.read_bytes()))
        answer = {"second run": " ".join(left), "check_urdf": urdf(out, ()), "mujoco": mjcf(bare, ())}
        answer["pinocchio"] = in_pinocchio.reads(bare) or ""
        if drake:
            try:
                in_drake.drake_reads(bare)
                answer["drake"] = ""
            except RuntimeError as error:
                answer["drake"] = str(error)
        unread = any(breach.rule == "MESH-READ" for breach in fixed.after.breaches)
        if meshes and not unread:
            whole = saved(Path(folder) / "whole.urdf", with_meshes(out.read_bytes(), Resolver(out).find, Path(folder)))
            answer["mujoco, meshes"] = mjcf(whole, ())
            try:
                in_drake.drake_reads(whole, timeout=LONG, meshes=True)
                answer["drake, meshes"] = ""
            except (RuntimeError, TimeoutError) as error:
                answer["drake, meshes"] = str(error)
        return answer


def with_meshes(document: bytes, find: Callable[[str], tuple[str | None, str]], folder: Path) -> bytes:
    """Return the URDF with meshes as OBJ files in the folder; geometry without a file is removed, textures white."""
    import trimesh

    root = etree.fromstring(document, etree.XMLParser(recover=True))
    made: dict[str, str | None] = {}
    for link in root.iter("link"):
        for shown in [*link.findall("visual"), *link.findall("collision")]:
            for mesh in shown.iter("mesh"):
                uri = mesh.get("filename", "")
                if uri not in made:
                    made[uri] = None
                    if file := find(uri)[0]:
                        made[uri] = str(folder / f"mesh{len(made)}.obj")
                        trimesh.load(file, force="mesh").export(made[uri])
                if made[uri] is None:
                    link.remove(shown)
                    break
                mesh.set("filename", made[uri])
    for texture in list(root.iter("texture")):
        material = texture.getparent()
        material.remove(texture)
        if material.find("color") is None:  # Drake takes no material that says nothing
            etree.SubElement(material, "color").set("rgba", "1 1 1 1")
    for own in root.findall("mujoco"):
        root.remove(own)
    settings = etree.SubElement(etree.SubElement(root, "mujoco"), "compiler")
    settings.set("strippath", "false")
    settings.set("discardvisual", "true")
    return etree.tostring(root)


def without_geometry(document: bytes) -> bytes:
    root = etree.fromstring(document, etree.XMLParser(recover=True))
    for link in root.iter("link"):
        for shown in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shown)
    for material in [each.getparent() for each in root.iter("texture")]:  # a material of nothing else is refused
        material.getparent().remove(material)
    return etree.tostring(root)
