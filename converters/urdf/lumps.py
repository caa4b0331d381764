"""Gazebo's names for collisions of a URDF, used by contact sensors: libsdformat merges links on fixed joints into their
parents, and names collisions after the links (parser_urdf.cc, ReduceFixedJoints, CreateCollision)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from converters.source.gazebo import KEPT, TRUE, text_of
from converters.source.tree import Element, fragment, is_element
from ir.gathering import gathered
from ir.scene import Scene
from ir.types import WORLD, Block

LUMP = "_fixed_joint_lump__"
CONTACT = "contact"


def contact_of(sensor: Element) -> Element | None:
    """Return the <contact> of a contact sensor, which names collisions; None for other elements."""
    return sensor.find(CONTACT) if sensor.tag == "sensor" and sensor.attrs.get("type") == CONTACT else None


def rename_collisions(contact: Element, names: Mapping[str, Sequence[str]]) -> None:
    """Replace the names of collisions in <contact> that are in names; one may become several."""
    content = contact.content
    contact.content = []
    for item in content:
        others = names.get(item.own_text()) if is_element(item, "collision") else None
        for name in others or ():
            contact.add("collision").content.append(name)
        if others is None:
            contact.content.append(item)


def of_scene(scene: Scene) -> Mapping[str, Mapping[str, list[str]]]:
    """Return link -> Gazebo's name of each of its collisions -> the name of the geom."""
    parts = {name: [geom for geom in body.geoms if geom.collides] for name, body in scene.bodies.items()}
    links = {name: [geom.name if geom.label is None else geom.label for geom in geoms] for name, geoms in parts.items()}
    joints = (joint for joint in scene.joints.values() if not joint.dofs and not joint.closes_loop)
    fixed = [(joint.name, joint.parent, joint.child) for joint in joints]
    blocks: Iterable[Block] = scene.tables["block"].values()
    texts = [(block.target, block.extras[0].text) for block in blocks if block.dialect == "gazebo" and block.extras]
    kept = _named_by_blocks((about, fragment(text)) for about, text in texts)
    found: dict[str, dict[str, list[str]]] = {}
    for own in (_with_names_of_links(links), links):  # the first as a block that is heard has them
        for link, names in _names_for_gazebo(own, fixed, kept).items():
            found.setdefault(link, {}).update(zip(names, ([geom.name] for geom in parts[link]), strict=True))
    return found


def _with_names_of_links(links: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Prefix names that do not begin with the name of their link with it (geoms.Shapes.heard)."""
    return {
        link: [own if not own or own.startswith(link) else f"{link}_{own}" for own in names]
        for link, names in links.items()
    }


def name_as_gazebo(
    parts: Mapping[str, Sequence[Element]], collisions: Mapping[str, Mapping[str, Sequence[int]]]
) -> None:
    """Rename collisions in the contact sensors of a document's <gazebo> blocks as Gazebo does; they are given by their
    names in the document (parts: its elements by kind) or in the source (collisions: geoms.Shapes)."""
    blocks = [(block.attrs.get("reference", ""), block) for block in parts["block"] if block.tag == "gazebo"]
    contacts = [
        (link, contact)
        for link, block in blocks
        for sensor in block.findall("sensor")
        if (contact := contact_of(sensor)) is not None
    ]
    if not contacts:
        return
    links = {
        link.attrs["name"]: [part.attrs.get("name", "") for part in link.findall("collision")] for link in parts["link"]
    }
    fixed = [
        (joint.attrs["name"], parent.attrs["link"], child.attrs["link"])
        for joint in parts["joint"]
        if joint.attrs.get("type") == "fixed"
        and (parent := joint.find("parent")) is not None
        and (child := joint.find("child")) is not None
    ]
    names = _names_for_gazebo(links, fixed, _named_by_blocks(blocks))
    for link, contact in contacts:
        called = names.get(link, ())
        own = {name: [other] for name, other in zip(links.get(link, ()), called, strict=False)}
        written = {name: [called[index] for index in of] for name, of in collisions.get(link, {}).items()}
        rename_collisions(contact, own | written)


def _names_for_gazebo(
    links: Mapping[str, Sequence[str]], fixed: Iterable[tuple[str, str, str]], kept: set[str]
) -> dict[str, list[str]]:
    """Return link -> Gazebo's names of its collisions, in order. links: their own names, "" for none; fixed: joints as
    (name, parent, child); kept: those of them that are not lumped."""
    ordered = sorted(fixed)  # urdfdom sorts them by name
    held = gathered((parent, child) for name, parent, child in ordered if name not in kept and parent != WORLD)
    lumped = {name for names in held.values() for name in names}
    found: dict[str, list[str]] = {}
    for root in links:
        stack, count = [] if root in lumped else [root], 0
        while stack:
            link = stack.pop()
            stack += reversed(held.get(link, ()))
            found[link] = [_name_of_collision(own or link, root, count + n) for n, own in enumerate(links[link])]
            count += len(links[link])
    return found


def _name_of_collision(own: str, root: str, index: int) -> str:
    """Return Gazebo's name of a collision; one without the prefix of the root's name counts as part of another link."""
    return f"{'' if own.startswith(root) else root + LUMP}{own}_collision{f'_{index}' if index else ''}"


def _named_by_blocks(blocks: Iterable[tuple[str, Element]]) -> set[str]:
    """Return the targets of blocks that preserve a fixed joint."""
    return {
        about
        for about, block in blocks
        if any(item.tag in KEPT and text_of(item).lower() in TRUE for item in block.elements())
    }
