"""What the rows of URDF ask of the values (converters.format.Loss.when)."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Set
from html import unescape
from pathlib import PurePath

from converters.format import Facts
from converters.passes.compound import LINK
from converters.passes.contacts import collides
from converters.passes.keys import WORDED as WORDED
from converters.passes.welded import parents_touch
from converters.report.reasons import (
    after,
    dofs_of,
    files,
    foreign_to,
    joint_of,
    no_such,
    nowhere,
    of_dof,
    of_geom,
    of_scene,
    reshaped,
    shaped,
    unused,
)
from converters.urdf.joints import word_of
from converters.urdf.lumps import LUMP
from converters.urdf.tables import CONTACT, FORMAT, RATED, UNKNOWN, UNLIMITED, VERSION
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
    ContactRule,
    Cylinder,
    Dof,
    DofKind,
    Extra,
    Geom,
    HeightField,
    Joint,
    Mesh,
    Polyline,
    Role,
    Shape,
    Sphere,
)

Words = tuple[str, ...]
OWN = (Box, Sphere, Cylinder, Mesh)
"""Shapes of URDF 1.0."""


def loose(dof: Dof) -> bool:
    """Whether it is a motion about or along more than one axis."""
    return dof.kind in (DofKind.BALL, DofKind.FREE)


def before_rates(difference: Difference, facts: Facts) -> bool:
    """Whether the version that is written has no word for it; for an acceleration Drake has one."""
    version = facts.options.urdf_version or facts.fitted.notation.get(VERSION, "")
    return difference.path[-1] != "acceleration" and version != ".".join(map(str, RATED))


def crooked(joint: Joint | None) -> bool:
    """Whether a joint moves its link about another place than the origin of that, or is not at 0 where it stands."""
    moving = [dof for dof in joint.dofs if dof.kind is not DofKind.FREE] if joint is not None else []
    return any(dof.zero != 0.0 or dof.anchor != ORIGIN for dof in moving)


def chained(difference: Difference, facts: Facts) -> bool:
    """Whether a joint is a chain of joints in URDF, also once it is turned round; True of what is none, or none that is
    written."""
    written = facts.fitted.joints.get(difference.path[1])
    native = VERSION in facts.scene.notation
    if written is None:
        return True
    split = _is_chain(joint_of(difference, facts), native) or _is_chain(written, native)
    return split and (difference.path[2:] != ("dofs",) or _floats_as_before(difference, facts))


def ends_touch(difference: Difference, facts: Facts) -> bool:
    """Whether a chain of joints (told in words, or by what its last one hangs on) has links at its ends that could
    touch and do not in the source: no joint of the URDF joins these."""
    joint = facts.fitted.joints.get(difference.path[1])
    if joint is None or not isinstance(difference.before, str) or parents_touch(facts.scene):
        return False
    return joint.parent != WORLD and all(collides(facts.fitted.body(name)) for name in (joint.parent, joint.child))


def _floats_as_before(difference: Difference, facts: Facts) -> bool:
    """Whether what the output has for a joint, with the joints of the links between, moves in as many ways. A chain
    that is one joint again is told in words, and held against that one (audit.chains)."""
    if isinstance(difference.before, str):
        return True
    above = dict(facts.once(_joints_of_new_links))
    count, parent = sum(map(velocity_size, difference.after or ())), facts.gained.get((*difference.path[:2], "parent"))
    while (joint := above.pop(parent, None)) is not None:
        count += sum(map(velocity_size, joint.dofs))
        parent = joint.parent
    return count == sum(map(velocity_size, difference.before or ()))


def _joints_of_new_links(facts: Facts) -> Mapping[object, Joint]:
    """Links that only the output has -> the joints that hold them."""
    joints = [each for each in facts.gained.values() if isinstance(each, Joint)]
    return {joint.child: joint for joint in joints if joint.child not in facts.scene.bodies}


def chained_within(difference: Difference, facts: Facts) -> bool:
    """Whether a group names all of its joints but those that are chains in URDF, or close a loop."""
    joints = [facts.scene.joints.get(name) for name in difference.before if name not in difference.after]
    return all(
        each.closes_loop or _is_chain(each) or _is_chain(facts.fitted.joints.get(each.name))
        for each in joints
        if each is not None
    )


def _is_chain(joint: Joint | None, native: bool = False) -> bool:
    """Whether a joint is a chain; native: in a document whose author may have written one of several axes."""
    if joint is None or crooked(joint):
        return True
    several = len(joint.dofs) > 1
    unlike = any(dof.name != joint.name for dof in joint.dofs) and not several
    return unlike or (several and (not native or word_of(joint.dofs) is None))


def unmimicked(difference: Difference, facts: Facts) -> bool:
    """Whether a joint follows in a way that URDF has no words for, or what is no joint of URDF. How much it turns for a
    turn of that is always said."""
    if difference.path[-1] == "multiplier":
        return False
    joint = joint_of(difference, facts)
    dof = next(iter(dofs_of(difference, joint)), None) if joint is not None else None
    if joint is None or dof is None or dof.mimic is None or dof.kind not in SCALAR:
        return True
    leader = facts.dofs.get(dof.mimic.dof)
    unsaid = dof.mimic.reference != 0.0 or dof.mimic.parameters
    return bool(unsaid) or dof.zero != 0.0 or leader is None or len(leader[0].dofs) > 1 or leader[1].zero != 0.0


def between_joints(difference: Difference, _: Facts) -> bool:
    """Whether it is a link of a chain that stands for a joint."""
    body = difference.after
    return isinstance(body, Body) and not body.geoms and body.inertial == LINK


def said_elsewhere(difference: Difference, facts: Facts) -> bool:
    """Whether a block says what it does in the source, but for names that things have here and places of files."""
    ours, theirs = facts.lost.get(difference.path), facts.gained.get(difference.path)
    if not isinstance(ours, Extra) or not isinstance(theirs, Extra):
        return False
    return _same_words(_words_of_extra(ours), _words_of_extra(theirs), facts.once(_new_names))


def said_before(difference: Difference, facts: Facts) -> bool:
    """Whether a block of the source says the same, of something of another name, and is not there besides."""
    if facts.once(_more_blocks):
        return False
    said, names = facts.once(_words_of_blocks), facts.once(_new_names)
    texts = map(_words_of_extra, difference.after.extras)
    return all(
        text in said.get(len(text), ()) or any(_same_words(ours, text, names) for ours in said.get(len(text), ()))
        for text in texts
    )


def _more_blocks(facts: Facts) -> bool:
    """Whether there are more blocks of other names than blocks that are gone."""
    lost, gained = ({name for kind, name, *_ in table if kind == "block"} for table in (facts.lost, facts.gained))
    return len(gained - facts.fitted.tables["block"].keys()) > len(lost)


def _words_of_blocks(facts: Facts) -> Mapping[int, Collection[Words]]:
    """Number of words -> the words of what blocks say, as their names are in the source and in the output."""
    names = facts.once(_new_names)
    blocks = (*facts.scene.tables["block"].values(), *facts.fitted.tables["block"].values())
    ours = [_words_of_extra(extra) for block in blocks for extra in block.extras]
    whole = dict.fromkeys((*ours, *(tuple(names.get(word, word) for word in text) for text in ours)))
    return {count: dict.fromkeys(texts) for count, texts in gathered((len(text), text) for text in whole).items()}


def _words_of_extra(extra: Extra) -> Words:
    said = _WORDS.findall(_CAPS.sub(r"\1", _FOLDERS.sub("", extra.text)))
    return tuple(unescape(word[1:-1] if word[0] in "\"'" else word) for word in said)


def _same_words(ours: Words, theirs: Words, names: Mapping[str, str]) -> bool:
    """Whether two texts say the same, but for names that are others in the output."""
    return len(ours) == len(theirs) and all(
        other in (word, names.get(word)) or _names_collision(word, other)
        for word, other in zip(ours, theirs, strict=True)
    )


def _names_collision(word: str, other: str) -> bool:
    """Whether a name is what Gazebo makes of that of a collision (urdf.lumps), with that of its link before it, and its
    role behind it where the geom is also seen (urdf.geoms)."""
    known = _COLLISION.fullmatch(other)
    return known is not None and f"_{known[1]}".endswith((f"_{word}", f"_{word}_collision"))


_FOLDERS = re.compile(r' (?:meshdir|strippath)="[^"]*"')
_WORDS = re.compile(r"""(?<=>)[^<>]+(?=<)|(?<==)(?:"[^"]*"|'[^']*')|[^\s<>="']+""")
"""Of an element as it is kept (source.tree.serialise): a tag, an attribute, a value, a text; names hold blanks."""
_CAPS = re.compile(
    r"(<collision>([^<]*?)(?:_collision(?:_\d+)?)?</collision>)"
    r"<collision>\2_cap1(?:_collision_\d+)?</collision><collision>\2_cap2(?:_collision_\d+)?</collision>"
)
"""What a sensor of contact names for a capsule, which is three collisions in URDF, or in a source that was one: it
stands for the first."""
_COLLISION = re.compile(rf"(?:.*{LUMP})?(.*)_collision(?:_\d+)?")


def _new_names(facts: Facts) -> Mapping[str, str]:
    """What has another name in the output, or is in a file that lies elsewhere -> how it is called there."""
    said = [(path, each) for path, each in facts.gained.items() if isinstance(each, str)]
    files = {facts.fitted.assets[path[1]].uri: each for path, each in said if path[::2] == ("asset", "uri")}
    return files | {path[-2]: each for path, each in said if path[-1] == "name"}


def base_said(difference: Difference, facts: Facts) -> bool:
    """Whether a state says of a base that floats only now where it stands, as words of its author do that were about
    no joint until then, and of all else the same."""
    bases = facts.once(_new_bases)
    key = facts.scene.tables["keyframe"][difference.path[1]]
    if not bases or not any(extra.format == "srdf" and extra.path.startswith("joint[") for extra in key.extras):
        return False
    if isinstance(difference.before, Extra):
        return difference.after is None
    ours, theirs = {*difference.before}, {*difference.after}
    return ours <= theirs and {each if isinstance(each, str) else each[0] for each in theirs - ours} <= bases


def _new_bases(facts: Facts) -> Set[str]:
    """Dofs by which roots float in the world that had none in the source."""
    floating = {joint.dofs[0].name for joint in facts.fitted.joints.values() if joint.parent == WORLD and joint.free}
    return floating - facts.scene.dofs().keys()


def foreign_frame(_: Difference, facts: Facts) -> bool:
    """Whether a frame is none that a document of URDF names (drake:frame)."""
    return VERSION not in facts.scene.notation


def odd_shape(geom: Geom) -> bool:
    """Whether URDF has no such shape in any version."""
    return not of_shape(geom, (*OWN, Capsule))


def of_shape(geom: Geom, kinds: tuple[type[Shape], ...]) -> bool:
    """Whether a geom is one of these shapes, and none that is fitted to a mesh."""
    return isinstance(geom.shape, kinds) and not getattr(geom.shape, "fit", None)


@of_scene
def some_odd(facts: Facts) -> bool:
    """Whether a mesh stands for a shape that URDF does not have."""
    return any(facts.some(body, odd_shape) for body in facts.scene.bodies.values())


def in_parts(difference: Difference, facts: Facts) -> bool:
    """Whether a geom has another shape in the output, and what the passes made of it is no shape that is one there."""
    geom = facts.written.get((difference.path[1], difference.path[3]))
    return reshaped(difference, facts) and not (geom is not None and isinstance(geom.shape, (Box, Sphere, Cylinder)))


def placeless(difference: Difference, facts: Facts) -> bool:
    """Whether a material has neither a colour nor a texture, or no visual to stand at: none of its own is there, where
    the author has not defined it by itself in a URDF."""
    material = difference.before
    plain = material.rgba is None and not image(material.texture, facts)
    shown = facts.shown.get(material.name, ())
    defined = not shown and VERSION in facts.scene.notation
    return plain or (not defined and all(place in facts.lost for place in shown))


def pathless(difference: Difference, facts: Facts) -> bool:
    """Whether an image is in no file that was found."""
    return not image(difference.before, facts)


def image(texture: str | None, facts: Facts) -> bool:
    """Whether a texture is one image in a file that was found, or in one that was made of it."""
    asset = facts.fitted.assets.get(texture or "")
    return asset is not None and not nowhere(asset, facts) and not asset.parameters


def filed(asset: Asset | None) -> bool:
    """Whether an asset has the name of its file."""
    return asset is not None and asset.name == PurePath(asset.uri).stem


def unlisted(difference: Difference, facts: Facts) -> bool:
    """Whether no mesh of the output is in the file of an asset, or one that goes by the name of another asset."""
    asset = difference.before
    shared = facts.once(files)[asset.file] > 1
    return asset.kind != "mesh" or not filed(asset) or unused(difference, facts) or shared


def wordless_contact(difference: Difference, _: Facts) -> bool:
    """Whether it is a surface of the world, or Bullet's <contact> has no word for what it says."""
    body, name = difference.path[1], difference.path[-1]
    worded = [each for each in CONTACT.values() if name in (each, "surface")]
    if name == "surface":
        worded = [each for each in worded if getattr(difference.before, each) is not None]
    return body == WORLD or not worded


def by_file(difference: Difference, facts: Facts) -> bool:
    """Whether the asset of a mesh has another name than its file."""
    return not filed(facts.scene.assets.get(str(difference.before)))


def placeless_sensor(difference: Difference, facts: Facts) -> bool:
    """Whether a sensor is on no link."""
    sensor = facts.fitted.tables["sensor"].get(difference.path[1])
    return sensor is None or sensor.body is None


def imageless(difference: Difference, _: Facts) -> bool:
    """Whether a camera does not say how large its image is."""
    return not (difference.before.width and difference.before.height)


def unpaired(difference: Difference, facts: Facts) -> bool:
    """Whether a rule is about two geoms, one link or the world, or there is no SRDF (--no-srdf)."""
    rule = difference.before
    alone = rule.first == rule.second or WORLD in (rule.first, rule.second)
    return rule.include or alone or not facts.options.find_srdf


def paired(difference: Difference, facts: Facts) -> bool:
    """Whether a rule is there under another name: what is lost and what is gained, or another that stays, are about the
    same."""
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


def alone_in_rule(difference: Difference, facts: Facts) -> bool:
    """Whether a rule is about a body and all others."""
    rule = facts.scene.tables["contact"].get(difference.path[1])
    return rule is None or not rule.second


def bare(_: Difference, facts: Facts) -> bool:
    """Whether nothing tells the bits that are made of pairs (passes.bitmasks) from those that the source has."""
    return not facts.options.carry


endless = after(UNLIMITED, -UNLIMITED, UNKNOWN)
"""Whether the output says a number that stands for none."""
of_loose = of_dof(loose)
"""Whether the dof is a motion about or along more than one axis."""
unseen = of_geom(lambda geom: geom.role not in Role.SEEN)
no_shape = no_such(*OWN)
"""Whether URDF 1.0 has no such shape."""
of_mesh = shaped(Mesh)
unsayable = of_geom(
    lambda geom: (
        isinstance(geom.shape, (HeightField, Polyline))
        or (geom.shape is None and all(extra.format != FORMAT for extra in geom.extras))
    )
)
"""Whether the geom is of no shape that is known, also not as a word of its author, or one for which nothing stands."""
white = after(WHITE)
foreign = foreign_to("urdf")
"""Whether a block is in the words of another format."""


def no_lamp(difference: Difference, _: Facts) -> bool:
    """Whether a light shines in a way that <gazebo> blocks do not have."""
    return difference.before not in ("point", "spot", "directional")
