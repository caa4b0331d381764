"""Conditions on values, used by the rows of URDF (converters.format.Loss.when)."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Set
from html import unescape
from pathlib import PurePath

from converters.facts import Facts
from converters.passes.compound import LINK
from converters.passes.contacts import both_collide
from converters.passes.keys import WORDED as WORDED
from converters.passes.welded import parents_touch
from converters.report.file_reasons import files, unused, usable_image
from converters.report.reasons import (
    after,
    dofs_of,
    foreign_to,
    geom_of,
    has_another_shape,
    joint_of,
    no_such,
    of_geom,
    of_scene,
    shaped,
)
from converters.report.value_reasons import other_than
from converters.urdf.joints import word_of
from converters.urdf.lumps import LUMP
from converters.urdf.tables import CONTACT, RATED, UNKNOWN, UNLIMITED, VERSION
from ir.diff import Difference
from ir.gathering import gathered
from ir.kinematics import velocity_size
from ir.types import (
    ORIGIN,
    SCALAR,
    WHITE,
    WORLD,
    Asset,
    Body,
    Box,
    Capsule,
    Constraint,
    ContactRule,
    Couple,
    Cylinder,
    DofKind,
    Extra,
    Geom,
    HeightField,
    Joint,
    Material,
    Mesh,
    Polyline,
    Shape,
    Sphere,
)

Words = tuple[str, ...]
OWN = (Box, Sphere, Cylinder, Mesh)
"""Shapes of URDF 1.0."""


def version_lacks_rate_limits(difference: Difference, facts: Facts) -> bool:
    """Whether the version to be written has no attribute for it; for an acceleration Drake has one."""
    version = facts.options.urdf_version or facts.fitted.notation.get(VERSION, "")
    return difference.path[-1] != "acceleration" and version != ".".join(map(str, RATED))


def crooked(joint: Joint | None) -> bool:
    """Whether a joint moves its link about another point than its origin, or is not at 0 in the drawn pose."""
    moving = [dof for dof in joint.dofs if dof.kind is not DofKind.FREE] if joint is not None else []
    return any(dof.zero != 0.0 or dof.anchor != ORIGIN for dof in moving)


def chained(difference: Difference, facts: Facts) -> bool:
    """Whether a joint is a chain of joints in URDF, also when reversed; True if the joint does not exist or is not
    written."""
    written = facts.fitted.joints.get(difference.path[1])
    native = VERSION in facts.scene.notation
    if written is None:
        return True
    split = _is_chain(joint_of(difference, facts), native) or _is_chain(written, native)
    return split and (difference.path[2:] != ("dofs",) or _floats_as_before(difference, facts))


def chain_ends_can_collide(difference: Difference, facts: Facts) -> bool:
    """Whether a chain of joints (described in words, or by the parent of its last one) has links at its ends that could
    collide but do not in the source: no single joint of the URDF connects them."""
    joint = facts.fitted.joints.get(difference.path[1])
    if joint is None or not isinstance(difference.before, str) or parents_touch(facts.scene):
        return False
    return joint.parent != WORLD and both_collide(facts.fitted, joint.pair)


def _floats_as_before(difference: Difference, facts: Facts) -> bool:
    """Whether the joint in the output, with the joints of the intermediate links, has as many degrees of freedom. A
    chain folded into one joint is described in words, and compared with that joint (audit.chains)."""
    if isinstance(difference.before, str):
        return True
    above = dict(facts.once(_joints_of_new_links))
    count, parent = sum(map(velocity_size, difference.after or ())), facts.gained.get((*difference.path[:2], "parent"))
    while (joint := above.pop(parent, None)) is not None:
        count += sum(map(velocity_size, joint.dofs))
        parent = joint.parent
    return count == sum(map(velocity_size, difference.before or ()))


def _joints_of_new_links(facts: Facts) -> Mapping[object, Joint]:
    """Return link that only the output has -> its parent joint."""
    joints = [each for each in facts.gained.values() if isinstance(each, Joint)]
    return {joint.child: joint for joint in joints if joint.child not in facts.scene.bodies}


def lacks_only_chains_or_loops(difference: Difference, facts: Facts) -> bool:
    """Whether a group has all of its joints but those that are chains in URDF, or close a loop."""
    joints = [facts.scene.joints.get(name) for name in difference.before if name not in difference.after]
    return all(
        each.closes_loop or _is_chain(each) or _is_chain(facts.fitted.joints.get(each.name))
        for each in joints
        if each is not None
    )


def ties_two_links(difference: Difference, _: Facts) -> bool:
    """Whether a constraint holds a link, or a point of it, on another link."""
    constraint = difference.before
    return isinstance(constraint, Constraint) and constraint.active and not isinstance(constraint.spec, Couple)


def _is_chain(joint: Joint | None, native: bool = False) -> bool:
    """Whether a joint is a chain; native: in a document from URDF, which may have a joint of several axes."""
    if joint is None or crooked(joint):
        return True
    several = len(joint.dofs) > 1
    unlike = any(dof.name != joint.name for dof in joint.dofs) and not several
    return unlike or (several and (not native or word_of(joint.dofs) is None))


def mimic_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether URDF cannot express how a joint follows, or the joint itself. The multiplier can always be written."""
    if difference.path[-1] == "multiplier":
        return False
    joint = joint_of(difference, facts)
    dof = next(iter(dofs_of(difference, joint)), None) if joint is not None else None
    if joint is None or dof is None or dof.mimic is None or dof.kind not in SCALAR:
        return True
    leader = facts.dofs.get(dof.mimic.dof)
    unsaid = dof.mimic.reference != 0.0 or dof.mimic.parameters
    return bool(unsaid) or dof.zero != 0.0 or leader is None or len(leader[0].dofs) > 1 or leader[1].zero != 0.0


def is_link_of_chain(difference: Difference, _: Facts) -> bool:
    """Whether it is a link of a chain that replaces a joint."""
    body = difference.after
    return isinstance(body, Body) and not body.geoms and body.inertial == LINK


def same_but_for_renaming(difference: Difference, facts: Facts) -> bool:
    """Whether a block has the same content as in the source, except for renamed entities and paths of files."""
    ours, theirs = facts.lost.get(difference.path), facts.gained.get(difference.path)
    if not isinstance(ours, Extra) or not isinstance(theirs, Extra):
        return False
    return _same_words(_words_of_extra(ours), _words_of_extra(theirs), facts.once(_new_names))


def block_of_renamed_target(difference: Difference, facts: Facts) -> bool:
    """Whether a block of the source has the same content for a renamed target, and is not in the output as well."""
    if facts.once(_more_blocks):
        return False
    said, names = facts.once(_words_of_blocks), facts.once(_new_names)
    texts = map(_words_of_extra, difference.after.extras)
    return all(
        text in said.get(len(text), ()) or any(_same_words(ours, text, names) for ours in said.get(len(text), ()))
        for text in texts
    )


def _more_blocks(facts: Facts) -> bool:
    """Whether more blocks are new than missing in the output."""
    lost, gained = ({name for kind, name, *_ in table if kind == "block"} for table in (facts.lost, facts.gained))
    return len(gained - facts.fitted.tables["block"].keys()) > len(lost)


def _words_of_blocks(facts: Facts) -> Mapping[int, Collection[Words]]:
    """Return number of words -> contents of blocks, with the names of the source and of the output."""
    names = facts.once(_new_names)
    blocks = (*facts.scene.tables["block"].values(), *facts.fitted.tables["block"].values())
    ours = [_words_of_extra(extra) for block in blocks for extra in block.extras]
    whole = dict.fromkeys((*ours, *(tuple(names.get(word, word) for word in text) for text in ours)))
    return {count: dict.fromkeys(texts) for count, texts in gathered((len(text), text) for text in whole).items()}


def _words_of_extra(extra: Extra) -> Words:
    said = _WORDS.findall(_CAPS.sub(r"\1", _FOLDERS.sub("", extra.text)))
    return tuple(unescape(word[1:-1] if word[0] in "\"'" else word) for word in said)


def _same_words(ours: Words, theirs: Words, names: Mapping[str, str]) -> bool:
    """Whether two texts are equal except for names that differ in the output."""
    return len(ours) == len(theirs) and all(
        other in (word, names.get(word)) or _names_collision(word, other)
        for word, other in zip(ours, theirs, strict=True)
    )


def _names_collision(word: str, other: str) -> bool:
    """Whether other is Gazebo's name of a collision (urdf.lumps), with the prefix of its link, and the suffix of its
    role if the geom is also a visual (urdf.geoms)."""
    known = _COLLISION.fullmatch(other)
    own = known[1].rpartition(LUMP)[2] if known is not None else None
    return own is not None and f"_{own}".endswith((f"_{word}", f"_{word}_collision"))


_FOLDERS = re.compile(r' (?:meshdir|strippath)="[^"]*"')
_WORDS = re.compile(r"""(?<=>)[^<>]+(?=<)|(?<==)(?:"[^"]*"|'[^']*')|[^\s<>="']+""")
"""Words of an element (source.tree.serialise): a tag, an attribute, a value, a text; names may contain blanks."""
_CAPS = re.compile(
    r"(<collision>([^<]*?)(?:_collision(?:_\d+)?)?</collision>)"
    r"<collision>\2_cap1(?:_collision_\d+)?</collision><collision>\2_cap2(?:_collision_\d+)?</collision>"
)
"""Names in a contact sensor for a capsule that became three collisions in URDF, or was converted from them: the first
one is used for all."""
_COLLISION = re.compile(r"(.*)_collision(?:_\d+)?")


def _new_names(facts: Facts) -> Mapping[str, str]:
    """Return renamed entity, or moved file -> its name in the output."""
    said = [(path, each) for path, each in facts.gained.items() if isinstance(each, str)]
    files = {facts.fitted.assets[path[1]].uri: each for path, each in said if path[::2] == ("asset", "uri")}
    return files | {path[-2]: each for path, each in said if path[-1] == "name"}


def state_gained_base_pose(difference: Difference, facts: Facts) -> bool:
    """Whether a state gained the position of a base that floats only in the output, from extras that named no joint
    before, and is otherwise the same."""
    bases = facts.once(_new_bases)
    key = facts.scene.tables["keyframe"][difference.path[1]]
    if not bases or not any(extra.format == "srdf" and extra.path.startswith("joint[") for extra in key.extras):
        return False
    if isinstance(difference.before, Extra):
        return difference.after is None
    ours, theirs = {*difference.before}, {*difference.after}
    return ours <= theirs and {each if isinstance(each, str) else each[0] for each in theirs - ours} <= bases


def _new_bases(facts: Facts) -> Set[str]:
    """Return the dofs by which roots float in the world that had none in the source."""
    floating = {joint.dofs[0].name for joint in facts.fitted.joints.values() if joint.parent == WORLD and joint.free}
    return floating - facts.scene.dofs().keys()


def frame_not_from_urdf(_: Difference, facts: Facts) -> bool:
    """Whether the frame does not come from a URDF document (drake:frame)."""
    return VERSION not in facts.scene.notation


def odd_shape(geom: Geom) -> bool:
    """Whether URDF has no such shape in any version."""
    return not of_shape(geom, (*OWN, Capsule))


def of_shape(geom: Geom, kinds: tuple[type[Shape], ...]) -> bool:
    """Whether a geom is one of these shapes, and not fitted to a mesh."""
    return isinstance(geom.shape, kinds) and not getattr(geom.shape, "fit", None)


@of_scene
def mesh_replaces_some_shape(facts: Facts) -> bool:
    """Whether a mesh is used instead of a shape that URDF does not have."""
    return any(facts.some(body, odd_shape) for body in facts.scene.bodies.values())


def replaced_by_non_primitive(difference: Difference, facts: Facts) -> bool:
    """Whether a geom has another shape in the output, and not one that the passes chose as a URDF shape."""
    geom = facts.written.get((difference.path[1], difference.path[3]))
    return has_another_shape(difference, facts) and not (
        geom is not None and isinstance(geom.shape, (Box, Sphere, Cylinder))
    )


def has_no_look_or_no_visual(difference: Difference, facts: Facts) -> bool:
    """Whether a material has neither a colour nor a texture, or no visual to be written in: none of its own is in the
    output, and a URDF source does not define it separately."""
    material = difference.before
    plain = _is_plain(material, facts)
    shown = facts.shown.get(material.name, ())
    defined = not shown and VERSION in facts.scene.notation
    return plain or (not defined and all(place in facts.lost for place in shown))


def material_has_no_look(difference: Difference, facts: Facts) -> bool:
    """Whether the material has neither a colour nor a texture."""
    material = facts.fitted.materials.get(difference.path[1])
    return material is None or _is_plain(material, facts)


def _is_plain(material: Material, facts: Facts) -> bool:
    return material.rgba is None and not usable_image(material.texture, facts)


def filed(asset: Asset | None) -> bool:
    """Whether an asset is named after its file."""
    return asset is not None and asset.name == PurePath(asset.uri).stem


def file_has_another_name(difference: Difference, facts: Facts) -> bool:
    """Whether the file of a mesh is in the output, under the name of another asset that is the same file."""
    asset = difference.before
    shared = asset.file is not None and facts.once(files)[asset.file] > 1
    return shared and asset.kind == "mesh" and not unused(difference, facts)


def file_unused_or_renamed(difference: Difference, facts: Facts) -> bool:
    """Whether no mesh of the output uses the file of an asset, or only under the name of another asset."""
    asset = difference.before
    shared = facts.once(files)[asset.file] > 1
    return asset.kind != "mesh" or not filed(asset) or unused(difference, facts) or shared


def world_or_no_contact_element(difference: Difference, _: Facts) -> bool:
    """Whether it is a surface of the world, or Bullet's <contact> has no element for it."""
    body, name = difference.path[1], difference.path[-1]
    worded = [each for each in CONTACT.values() if name in (each, "surface")]
    if name == "surface":
        worded = [each for each in worded if getattr(difference.before, each) is not None]
    return body == WORLD or not worded


def not_named_after_file(difference: Difference, facts: Facts) -> bool:
    """Whether the asset of a mesh has another name than its file."""
    return not filed(facts.scene.assets.get(str(difference.before)))


def sensor_on_no_link(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor is on no link."""
    sensor = facts.fitted.tables["sensor"].get(difference.path[1])
    return sensor is None or sensor.body is None


def image_size_missing(difference: Difference, _: Facts) -> bool:
    """Whether a camera does not give the size of its image."""
    return not (difference.before.width and difference.before.height)


def no_link_pair_or_no_srdf(difference: Difference, facts: Facts) -> bool:
    """Whether a rule is not about two different links, or no SRDF is written (--no-srdf)."""
    rule = difference.before
    alone = rule.first == rule.second or WORLD in (rule.first, rule.second)
    return rule.include or alone or not facts.options.find_srdf


def rule_has_another_name(difference: Difference, facts: Facts) -> bool:
    """Whether a rule exists under another name: a lost rule and a gained or remaining one have the same content."""
    if difference.before is not None:
        about = _what_rule_says(difference.before)
        return about in facts.once(_gained_rules) or about in facts.once(_kept_rules)
    return _what_rule_says(difference.after) in facts.once(_lost_rules)


def _gained_rules(facts: Facts) -> Container[object]:
    return {_what_rule_says(each) for each in facts.gained.values() if isinstance(each, ContactRule)}


def _kept_rules(facts: Facts) -> Container[object]:
    lost = {each.name for each in facts.lost.values() if isinstance(each, ContactRule)}
    return {_what_rule_says(each) for name, each in facts.scene.tables["contact"].items() if name not in lost}


def _lost_rules(facts: Facts) -> Container[object]:
    return {_what_rule_says(each) for each in facts.lost.values() if isinstance(each, ContactRule)}


def _what_rule_says(rule: ContactRule) -> object:
    return rule.pair, rule.include, rule.allow


def rule_about_all_others(difference: Difference, facts: Facts) -> bool:
    """Whether a rule is about a body and all others."""
    rule = facts.scene.tables["contact"].get(difference.path[1])
    return rule is None or not rule.second


def carry_is_off(_: Difference, facts: Facts) -> bool:
    """Whether bit masks made from pairs (passes.bitmasks) cannot be told from those of the source."""
    return not facts.options.carry


means_unlimited_or_unknown = after(UNLIMITED, -UNLIMITED, UNKNOWN)
"""Whether the output has a number that means unlimited or unknown."""
not_a_visual = of_geom(lambda geom: not geom.seen)
shape_not_in_urdf_1_0 = no_such(*OWN)
"""Whether URDF 1.0 has no such shape."""
is_mesh = shaped(Mesh)
white = after(WHITE)
light_kind_unsupported = other_than("point", "spot", "directional")
"""Whether <gazebo> blocks have no light of that kind."""
block_of_other_format = foreign_to("urdf")
"""Whether a block is for another format."""


def shape_unknown_or_unsupported(difference: Difference, facts: Facts) -> bool:
    """Whether the geom has a shape without a substitute, or no known shape, and is not one that a URDF source gives
    like that."""
    geom = geom_of(difference, facts)
    own = VERSION in facts.scene.notation and geom is not None and f"geom/{geom.name}" not in facts.scene.brought
    return geom is None or isinstance(geom.shape, (HeightField, Polyline)) or (geom.shape is None and not own)
