"""Parts of a patch (ir.diff.compare): their places, which of them belong together, and a patch without some of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ir.addresses import value_at
from ir.diff import Patch
from ir.gathering import gathered
from ir.plain import Plain, as_json, fingerprint
from ir.scene import Address, Scene

PlaceGroup = Sequence[Address]
"""Places of a patch that are applied together or not at all."""
Subject = tuple[str, str]
"""The subject of something: ("body", name), ("joint", name of its child body), or ("", both bodies of an edge)."""


def grouped(places: Iterable[Address], scenes: Sequence[Scene]) -> list[PlaceGroup]:
    """Group places by the body that they are about, the joint that holds it, or the two bodies that something connects.

    A body and its joint are one subject if something is about both: a block of a name that both have, a sensor of a
    joint without a known origin.
    """
    places = [*places]
    subjects: list[Subject] = []
    same: dict[Subject, Subject] = {}
    for place in places:
        first, *others = _about(place, scenes)
        subjects.append(first)
        for other in others:
            if _first(first, same) != _first(other, same):
                same[_first(other, same)] = _first(first, same)
    firsts = (_first(subject, same) for subject in subjects)
    return list(gathered(zip(firsts, places, strict=True)).values())


def _about(place: Address, scenes: Sequence[Scene]) -> list[Subject]:
    """The subjects of a place: those of what it was made of, if that is known."""
    made_of = [end for scene in scenes for end in scene.origins.get(place, ())]
    for each in (*made_of, place):
        kind, _, name = each[0].partition("/")
        found = next((found for scene in scenes if (found := _subjects(scene, kind, name))), [])
        if found:
            return found
    return [("", "")]


def _first(subject: Subject, same: Mapping[Subject, Subject]) -> Subject:
    """The representative of all subjects that are the same; same: subject -> the next one on the way to it."""
    while subject in same:
        subject = same[subject]
    return subject


def of_geoms(places: Iterable[Address]) -> list[PlaceGroup]:
    """Places about geoms, grouped by geom."""
    return list(gathered((place[:3], place) for place in places if place[1:2] == ("geoms",)).values())


def _subjects(scene: Scene, kind: str, name: str) -> list[Subject]:
    """The bodies that an entity is about, or the joint that holds one, or both; none if it is about nothing."""
    if kind in ("body", "joint"):
        return [(kind, name)]
    edge = scene.joints.get(name) if kind == "loop" else scene.constraints.get(name) if kind == "constraint" else None
    if edge is not None:
        return [("", " ".join(sorted((edge.parent, edge.child))))]
    row = scene.tables[kind].get(name) if kind in ("sensor", "block", "contact") else None
    if row is None or kind == "contact":
        return [("body", row.first), ("body", row.second)] if row is not None else []
    body, about = getattr(row, "body", None), row.target or ""
    joint = scene.joints.get(about)
    found: list[Subject] = [("body", body or about)] if body or about in scene.bodies or joint is None else []
    return [each for each in found if each[1]] + ([("joint", joint.child)] if joint is not None else [])


def linked_places(carried: Mapping[str, str]) -> list[PlaceGroup]:
    """Places that only make sense together: the pose of a joint with the zeros, anchors and axes of its dofs; a mimic
    with extras about it."""
    found: list[PlaceGroup] = []
    for key, text in carried.items():
        if key.startswith(("joint/", "loop/")) and '"dofs"' in text:
            found += _placed(key, json.loads(text)) if '"pose"' in text else ()
            found += _following(key, json.loads(text)) if f'"path":"{MIMIC}[' in text else ()
    return found


MIMIC = "mimic"
"""Field of a dof, and the beginning of the path of extras about it."""


def _following(key: str, patch: Patch) -> Iterator[PlaceGroup]:
    dofs = patch_at(patch, ["dofs"])
    if isinstance(dofs, dict):
        places: list[Address] = [(key, "dofs", index, MIMIC) for index, dof in dofs.items() if index and MIMIC in dof]
    else:  # the target has no such joint: all of its dofs are one value
        places = [(key, "dofs")] if dofs and any(MIMIC in dof for dof in dofs[0] or ()) else []
    if places and "extras" in patch:
        paths = [str(extra["path"]) for extra in patch["extras"][0]]
        yield *places, *((key, "extras", path) for path in paths if path.startswith(f"{MIMIC}["))


def _placed(key: str, patch: Patch) -> Iterator[PlaceGroup]:
    if "pose" in patch:
        said = [(index, name) for index, dof in patch_items(patch, "dofs") if index for name in PLACED if name in dof]
        if any(name != "axis" for _, name in said):
            yield (key, "pose"), *((key, "dofs", index, name) for index, name in said)


PLACED = ("anchor", "axis", "zero")


BESIDE = {"material": "material[", "shape": "geometry["}
"""Field of a geom -> the beginning of the path of extras about it."""


Companion = tuple[Address, Address, Plain]
"""A place of a patch, the place that must exist beside it, and the fingerprint of that (None: any value)."""


def companions(carried: Mapping[str, str], written: Scene) -> list[Companion]:
    """Places of a patch with what must exist beside them: extras of the material or the shape of a geom, and that
    material or shape; extras of a mimic, and the mimic; a missing limit, and the limits; a missing inertia of a body,
    and its geoms; masses of geoms, and the inertia in their place; friction across, and friction along."""
    found: list[Companion] = []
    for key, text in carried.items():
        if key.startswith("joint/") and f'"path":"{MIMIC}[' in text:
            found += _followed(key, json.loads(text), written)
        if key.startswith("joint/") and f'"{LIMITED}"' in text:
            found += _unlimited(key, json.loads(text), written)
        if key.startswith("body/") and REMOVED_INERTIA in text:
            found += _weighed(key, json.loads(text), written)
        if key.startswith("body/") and f'"{ACROSS}"' in text:
            found += _across(key, json.loads(text), written)
        if not key.startswith("body/") or not any(f'"{start}' in text for start in BESIDE.values()):
            continue
        patch = json.loads(text)
        for name, geom in patch_items(patch, "geoms"):
            extras = geom["extras"][0] if isinstance(geom, dict) and "extras" in geom else ()
            for field, start in BESIDE.items():
                place = key, "geoms", name, field
                paths = [path for extra in extras if (path := str(extra["path"])).startswith(start)]
                check: Plain = {EITHER: [fingerprint(each) for each in beneath(written, place)]}
                found += [((*place[:3], "extras", path), place, check) for path in paths]
    return found


EITHER = "either"
"""Key of alternative fingerprints, one of which must match."""


def beneath(scene: Scene, address: Sequence[str]) -> tuple[Any, ...]:
    """The value at an address; for a material also its look without its name."""
    found = value_at(scene, address)
    material = scene.materials.get(found) if address[-1] == "material" and isinstance(found, str) else None
    return (found,) if material is None else (found, replace(material, name="", label=None, extras=(), source=None))


def _followed(key: str, patch: Patch, written: Scene) -> Iterator[Companion]:
    extras = patch_at(patch, ["extras"])
    paths = [str(extra["path"]) for extra in extras[0]] if isinstance(extras, list) else []
    joint = value_at(written, (key,))
    follows = ((key, "dofs", str(index), MIMIC) for index, dof in enumerate(joint.dofs) if dof.mimic) if joint else ()
    for place in follows:
        yield from (((key, "extras", path), place, None) for path in paths if path.startswith(f"{MIMIC}["))


LIMITED = "limited"


def _unlimited(key: str, patch: Patch, written: Scene) -> Iterator[Companion]:
    for index, dof in patch_items(patch, "dofs"):
        said = dof["parameters"][0] if isinstance(dof, dict) and "parameters" in dof else ()
        if any(name == LIMITED for name, _ in said):
            for limit in ("lower", "upper"):
                place = key, "dofs", index, limit
                yield (key, "dofs", index, "parameters", LIMITED), place, fingerprint(value_at(written, place))


ACROSS = "mu2"
"""Field of a surface: friction in the direction across that of mu."""


def _across(key: str, patch: Patch, written: Scene) -> Iterator[Companion]:
    for name, geom in patch_items(patch, "geoms"):
        said, place = patch_at(geom, ["surface", ACROSS]), (key, "geoms", name, "surface", "mu")
        along = value_at(written, place)
        if isinstance(said, list) and (len(said) == 1 or removes(said)) and along is not None:
            yield (*place[:-1], ACROSS), place, fingerprint(along)


INERTIAL = "inertial"
REMOVED_INERTIA = '"inertial":[null,'
"""How a patch says that a body has no inertial: its mass is that of its geoms."""
WEIGHTS = (("density",), ("mass",))


def _weighed(key: str, patch: Patch, written: Scene) -> Iterator[Companion]:
    name, inertial = key.removeprefix("body/"), (key, "inertial")
    if name not in written.bodies or not removes(patch_at(patch, [INERTIAL])):
        return
    weights = [each for each in leaves({key: as_json({"geoms": patch.get("geoms", {})})}) if each[3:] in WEIGHTS]
    said = {place[2] for place in weights}
    for geom in written.body(name).geoms:
        if geom.name in said or geom.density is not None or geom.mass is not None:
            for field in ("shape", "pose"):
                yield inertial, (key, "geoms", geom.name, field), fingerprint(getattr(geom, field))
    for place in weights:
        yield place, inertial, None


def patch_at(patch: Patch, path: Iterable[str]) -> Patch | None:
    """The part of a patch at a path below its key; None if there is none, or it is in a whole that is replaced."""
    for name in path:
        patch = patch.get(name) if isinstance(patch, dict) else None
    return patch


def patch_items(patch: Patch, field: str) -> Collection[tuple[str, Patch]]:
    """Names and patches of the items in a field; nothing if the patch replaces the whole field."""
    found = patch_at(patch, [field])
    return found.items() if isinstance(found, dict) else ()


def removes(patch: Patch) -> bool:
    """Whether a patch removes the present thing, which the conversion added."""
    return isinstance(patch, list) and patch[0] is None


def removal(text: str) -> bool:
    """The same, of a patch as text."""
    return text.startswith("[null")


def leaves(carried: Mapping[str, str]) -> Iterator[Address]:
    """The places of everything that a patch of compare replaces: its key, and the names that lead there."""
    below: list[tuple[Address, Patch]] = [((key,), json.loads(text)) for key, text in carried.items()]
    while below:
        path, patch = below.pop()
        if isinstance(patch, dict):
            below += [((*path, name), part) for name, part in patch.items() if name]
        else:
            yield path


def without_places(
    carried: Mapping[str, str], places: Iterable[Sequence[str]], *, within: bool = False
) -> dict[str, str]:
    """The patch without these replacements. One that contains such a place goes whole, or (within) loses that part."""
    by_key = gathered((key, path) for key, *path in places if key in carried)
    left = dict(carried)
    for key, paths in by_key.items():
        patch: Patch = json.loads(left.pop(key))
        whole = not isinstance(patch, dict) and not within
        if not whole and all(_cut(patch, path, within) for path in paths) and patch:
            left[key] = as_json(patch)
    return left


def _cut(patch: Patch, path: Sequence[str], within: bool) -> bool:
    """Remove the replacement there from a patch; False if nothing else is in it. A removal has no parts."""
    if not path or removes(patch):
        return False
    if not isinstance(patch, dict):
        _prune(patch[0], path)
        return True
    part = patch.get(path[0])
    if part is not None and not ((within or isinstance(part, dict)) and _cut(part, path[1:], within) and part):
        del patch[path[0]]
    return True


def _prune(plain: Any, path: Sequence[str]) -> None:
    """Remove a part from a plain value (ir.plain)."""
    for name in path[:-1]:
        plain = _part(plain, name)
    if isinstance(plain, dict):
        plain.pop(path[-1], None)
    elif isinstance(plain, list) and (part := _part(plain, path[-1])) is not None:
        plain.remove(part)


def _part(plain: Any, name: str) -> Any:
    """The item with this name in a plain value; extras are named by their paths, unnamed items by their index."""
    if isinstance(plain, dict):
        return plain.get(name)
    if not isinstance(plain, list):
        return None
    if plain and not isinstance(plain[0], dict):  # pairs, such as parameters, are identified by their first item
        return next((item for item in plain if isinstance(item, list) and item and item[0] == name), None)
    if name.isdigit() and not any("name" in item or "path" in item for item in plain):
        return plain[int(name)] if int(name) < len(plain) else None
    return next((item for item in plain if name in (item.get("name"), item.get("path"))), None)


def brings(patch: Patch, path: Sequence[str]) -> bool:
    """Whether a patch restores something there."""
    for place, name in enumerate(path):
        if isinstance(patch, list):
            plain = patch[0]
            for step in path[place:]:
                plain = _part(plain, step)
            return plain is not None
        patch = patch.get(name)
        if patch is None:
            return False
    return isinstance(patch, dict) or patch[0] is not None
