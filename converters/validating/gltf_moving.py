"""What glTF forbids in skins and animations. Clauses are those of the specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from converters.gltf.data.raw import Members, listed, members
from converters.validating.gltf_strict import Fault, morphs, object_at, objects, whole

SPLINE = "CUBICSPLINE"


def faults(document: Members) -> Iterator[Fault]:
    """Yield the faults of this kind; any part of the document may have the wrong type. Linear in the document."""
    parents: dict[int, int] = {}
    for place, node in objects(document, "nodes"):
        parents |= dict.fromkeys(_numbers(node.get("children")), int(place.rpartition("/")[2]))
    for place, skin in objects(document, "skins"):
        yield from _skin(place, skin, document, parents)
    yield from _scenes(document, parents)
    for place, animation in objects(document, "animations"):
        yield from _animation(place, animation, document)


def _numbers(value: object) -> list[int]:
    return [each for each in listed(value) if type(each) is int]


def _skin(place: str, skin: Members, document: Members, parents: Mapping[int, int]) -> Iterator[Fault]:
    """3.7.3.1."""
    joints = _numbers(skin.get("joints"))
    matrices = object_at(document, "accessors", skin.get("inverseBindMatrices"))
    if len({*joints}) < len(joints):
        yield Fault(place, "joints", "names a node twice")
    if matrices and whole(matrices.get("count")) < len(joints):
        yield Fault(place, "inverseBindMatrices", f"are {matrices.get('count')}, and there are {len(joints)} joints")
    roots = _common(joints, parents)
    if joints and not roots:
        yield Fault(place, "joints", "have no common node that they are, or are below")
    elif joints and "skeleton" in skin and skin["skeleton"] not in roots:
        yield Fault(place, "skeleton", "is no node that all joints are, or are below")


def _common(numbers: Sequence[int], parents: Mapping[int, int]) -> list[int]:
    """Return the common ancestors of these nodes (a node is its own ancestor), from the deepest to the root."""
    chain = _chain(numbers[0], parents, {}) if numbers else []
    places = {number: place for place, number in enumerate(chain)}
    least = 0
    for number in numbers:
        way = _chain(number, parents, places)
        met = places.get(way[-1], len(chain))
        places |= dict.fromkeys(way, met)
        least = max(least, met)
    return chain[least:]


def _chain(number: int, parents: Mapping[int, int], known: Mapping[int, int]) -> list[int]:
    """Return a node and its ancestors, up to a known one or to a root."""
    chain, seen = [number], {number}
    while chain[-1] not in known and (above := parents.get(chain[-1])) is not None and above not in seen:
        chain.append(above)
        seen.add(above)
    return chain


def _scenes(document: Members, parents: Mapping[int, int]) -> Iterator[Fault]:
    """3.7.3.2: the joints are in the scene of the skinned node."""
    roots: dict[int, int] = {}

    def root(number: int) -> int:
        way = _chain(number, parents, roots)
        roots.update(dict.fromkeys(way, roots.get(way[-1], way[-1])))
        return roots[number]

    scenes = [{*_numbers(scene.get("nodes"))} for _, scene in objects(document, "scenes")]
    for place, node in objects(document, "nodes"):
        joints = _numbers(object_at(document, "skins", node.get("skin")).get("joints"))
        own = root(int(place.rpartition("/")[2])) if joints else None
        there = {root(joint) for joint in joints}
        if any(own in tops and not there <= tops for tops in scenes):
            yield Fault(place, "skin", "has joints that are not in the scene of the node")


def _animation(place: str, animation: Members, document: Members) -> Iterator[Fault]:
    """3.11."""
    seen: set[tuple[int, str]] = set()
    samplers = {"samplers": animation.get("samplers")}
    for where, channel in objects(animation, "channels", place):
        target, sampler = members(channel.get("target")), object_at(samplers, "samplers", channel.get("sampler"))
        if not sampler:
            yield Fault(where, "sampler", "refers to none of the animation")
        node, path = target.get("node"), target.get("path")
        if not isinstance(node, int) or not isinstance(path, str):
            continue
        if (node, path) in seen:
            yield Fault(f"{where}/target", "path", "is that of another channel, too")
        seen.add((node, path))
        moved = object_at(document, "nodes", node)
        if "matrix" in moved and path != "weights":
            yield Fault(f"{where}/target", "node", "has a matrix, and nothing else of it can move")
        each = morphs(object_at(document, "meshes", moved.get("mesh"))) if path == "weights" else 1
        if not each:
            yield Fault(f"{where}/target", "path", "is weights, and the mesh of the node has no morph targets")
        yield from _count(where, sampler, each, document)
    for where, sampler in objects(animation, "samplers", place):
        times = object_at(document, "accessors", sampler.get("input"))
        missing = [key for key in ("min", "max") if key not in times]
        if times and missing:
            yield Fault(where, "input", f"has no {' and no '.join(missing)}: times tell how long it is")


def _count(place: str, sampler: Members, each: int, document: Members) -> Iterator[Fault]:
    """3.11: one value per time, three for a spline, which needs two times or more."""
    times, values = (object_at(document, "accessors", sampler.get(key)) for key in ("input", "output"))
    spline = sampler.get("interpolation") == SPLINE
    wanted = whole(times.get("count")) * each * (3 if spline else 1)
    if times and values and each and whole(values.get("count")) != wanted:
        yield Fault(place, "sampler", f"gives {values.get('count')} values, and its times ask for {wanted}")
    if spline and whole(times.get("count")) == 1:
        yield Fault(place, "sampler", "is a spline, and has one time")
