"""Every rule of `kinegraph validate`, as data: what is wrong, what to do about it, and whether it can be repaired
automatically.

A rule is a row here and a function that checks it (or a row of converters.validating.notes where the reader already
reports it). Severity follows the readers of the format: error = one in use refuses or truncates the model, warning =
they disagree, or the robot behaves differently than intended, info = worth knowing.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

ERROR, WARNING, INFO = "error", "warning", "info"
SAFE, OPT_IN, NONE = "safe", "opt-in", "none"
"""Repairs: those that preserve the meaning of the model (--fix OUT), those that make a choice for its author (--fix
all), and none, where only the author can repair it."""

SEE = "see the message"
"""Advice that is already in the message."""

EVERY = ("urdf", "sdf", "mjcf", "gltf")
XML = ("urdf", "sdf", "mjcf")
URDF = ("urdf",)
SDF = ("sdf",)
MJCF = ("mjcf",)
GLTF = ("gltf",)


class Rule(Struct, frozen=True):
    """unreadable: nothing of the model can be read (exit code 2)."""

    id: str
    severity: str
    message: str
    advice: str
    fix: str = NONE
    formats: tuple[str, ...] = URDF
    unreadable: bool = False


def _unreadable(name: str, message: str, advice: str, formats: tuple[str, ...] = EVERY) -> Rule:
    return Rule(name, ERROR, message, advice, NONE, formats, True)


_ENGINES = "most engines refuse it"

_RULES = (
    # ------------------------------------------------------------------------------------------------- the document
    _unreadable("FILE-READ", "the file cannot be read as a model", SEE),
    _unreadable("XML-WF", "not well-formed XML", "repair the markup at this place", XML),
    _unreadable("XML-ENT", "entities are refused", SEE, XML),
    _unreadable("XML-ROOT", "the root element belongs to no known model", "check the format (--from)", XML),
    _unreadable("XML-SIZE", "larger or nested deeper than any model", "split the document", XML),
    _unreadable("JSON-WF", "not well-formed JSON or GLB", "repair the file at this place", GLTF),
    _unreadable("XACRO-EXPAND", "the xacro cannot be expanded", SEE),
    Rule(
        "XML-PI", WARNING, "a processing instruction inside the model", "take it out: tinyxml2 stops there", SAFE, XML
    ),
    Rule("XML-DECL-POS", WARNING, "something comes before the XML declaration", "move it behind", SAFE, XML),
    Rule("XML-ENC", WARNING, "not UTF-8", "save the file as UTF-8", SAFE, XML),
    Rule("XML-DOCTYPE", WARNING, "a document type declaration", "take it out: tinyxml stumbles over it", SAFE, XML),
    Rule("XML-LENIENT", WARNING, "not well-formed, read as lenient parsers do", "repair the markup", SAFE, XML),
    Rule("XML-UNKNOWN", INFO, "no reader known here understands it", "check the spelling", NONE, ("urdf", "sdf")),
    Rule(
        "XML-MISPLACED", WARNING, "a known element in a place where no reader looks for it", "move it where it belongs"
    ),
    Rule("XML-DUP", WARNING, "appears twice where one is allowed: the first is used", "keep one", SAFE),
    Rule("XML-REQUIRED", ERROR, "a required attribute or element is missing", "add it", NONE, XML),
    Rule("XML-ONE-OF", ERROR, "two ways to express one thing", "keep one of them", NONE, XML),
    Rule("XACRO-LEFT", WARNING, "xacro that was not expanded", "run xacro, or read it with --from xacro"),
    Rule("XACRO-LEGACY", WARNING, "xacro without its prefix is not expanded any more", "write xacro: before the tag"),
    Rule("NUM-PARSE", ERROR, "not a number", "write decimal numbers with a point, and blanks between them", NONE, XML),
    Rule("NUM-COUNT", ERROR, "too few or too many numbers", "write as many as the format asks for", NONE, XML),
    Rule(
        "NUM-NONFINITE",
        ERROR,
        "inf, nan or beyond a double",
        "write a number (of a limit: or leave it out)",
        SAFE,
        EVERY,
    ),
    Rule("NUM-RANGE", ERROR, "a number out of its range", "write one that is possible", NONE, EVERY),
    Rule("NUM-SURPLUS", WARNING, "more or fewer numbers than the format has", "write three", SAFE),
    Rule("NUM-SEP", WARNING, "numbers with other white space than single spaces", "urdfdom wants one space", SAFE),
    Rule("READ-OTHER", INFO, "read in a way worth knowing", SEE, NONE, EVERY),
    Rule("CARRIED-STALE", INFO, "edited after a conversion: the edit is kept", "nothing needs to be done", NONE, EVERY),
    Rule("CARRIED-FILE", INFO, "a file of the original is not found from here", SEE, NONE, EVERY),
    # --------------------------------------------------------------------------------------------------------- names
    Rule("NAME-ROBOT", WARNING, "the model has no name", "urdfdom and Drake want one", SAFE),
    Rule("NAME-DUP-LINK", ERROR, "two links of one name", "rename one", OPT_IN),
    Rule("NAME-DUP-JOINT", ERROR, "two joints of one name", "rename one", OPT_IN),
    Rule("NAME-DUP", ERROR, "two things of one kind have one name", "rename one", OPT_IN, EVERY),
    Rule("NAME-DUP-ACTUATOR", WARNING, "two transmissions name one actuator: Drake refuses it", "rename one", OPT_IN),
    Rule("NAME-RESERVED", ERROR, "a name that the format keeps for itself", "choose another", NONE, EVERY),
    Rule("NAME-CLASH", WARNING, "a link and a joint share a name", "SDFormat refuses that: rename the joint", OPT_IN),
    Rule("NAME-CHARS", INFO, "characters that some tools refuse in names", "use letters, digits and _", OPT_IN, EVERY),
    Rule("REF-MISSING", ERROR, "names something that does not exist", "correct the name", NONE, EVERY),
    # ---------------------------------------------------------------------------------------------------------- tree
    Rule("TREE-NOLINK", ERROR, "the robot has no links", "add a link"),
    Rule("TREE-MISSING-LINK", ERROR, "a joint names a link that is not declared", "declare the link", OPT_IN),
    Rule("TREE-ROOTS", ERROR, "several roots", "connect them to one link, such as <link name='world'/>", OPT_IN),
    Rule("TREE-CYCLE", ERROR, "links form a cycle", "take a joint out", OPT_IN),
    Rule("TREE-SELF", ERROR, "a joint connects a link to itself", "correct parent or child", OPT_IN),
    Rule("TREE-2PARENTS", ERROR, "a link has two parents", "take a joint out", OPT_IN),
    Rule("TREE-ROOT-INERTIA", INFO, "the root has inertia, which KDL leaves out", "put a massless root above", OPT_IN),
    Rule(
        "TREE-ROOT-NAME",
        INFO,
        "the root is not base_link, base_footprint or world",
        "REP-105 and REP-120 want base_link, base_footprint or world",
    ),
    Rule("TREE-FREE", ERROR, "a free joint inside the tree", "only a body of the world moves freely", NONE, MJCF),
    # -------------------------------------------------------------------------------------------------------- joints
    Rule("JOINT-TYPE", ERROR, "an unknown type of joint", "use a type of the specification"),
    Rule("JOINT-TYPE-CASE", ERROR, "a type of joint in capitals, or with white space", "write it so", SAFE),
    Rule("JOINT-DIALECT", WARNING, "a joint that only some readers know", "urdfdom misses it: use others", OPT_IN),
    Rule(
        "PLANAR-DIALECT", WARNING, "a planar joint: each reader moves it in another way", "use two slides and a hinge"
    ),
    Rule("JOINT-AXIS-ZERO", ERROR, "an axis of no direction", "give a direction", NONE, XML),
    Rule(
        "JOINT-AXIS-NORM",
        WARNING,
        "an axis or a normal that is not a unit vector",
        "some readers do not normalise",
        SAFE,
        XML,
    ),
    Rule("JOINT-AXIS-EMPTY", WARNING, "an <axis> without xyz", "write 1 0 0: MuJoCo refuses it, urdfdom reads 0", SAFE),
    Rule("JOINT-AXIS-MISSING", INFO, "no <axis>: it is 1 0 0", "say it"),
    Rule("JOINT-AXIS-USELESS", INFO, "an axis on a joint that has none", "take it out", SAFE),
    Rule("JOINT-AXIS-GEOM", INFO, "a wheel turns about another axis than its cylinder has", "check both", NONE, EVERY),
    Rule("JOINT-DYN-EMPTY", ERROR, "an empty <dynamics>: urdfdom fails", "take it out", SAFE),
    Rule("JOINT-DYN-NEG", WARNING, "negative damping, friction or armature", "make it positive", OPT_IN, EVERY),
    Rule("ROT-ZERO", ERROR, "a rotation or direction of no length", "give a direction", NONE, EVERY),
    Rule("ROT-ZERO-QUAT", WARNING, "a quaternion of zeros, read as no rotation", "write 0 0 0 1", SAFE),
    Rule("ROT-NORM", WARNING, "a rotation or direction that is not of length 1", "normalise it", SAFE, EVERY),
    Rule("ROT-SNAP", INFO, "an angle near a multiple of 90 degrees, but not on it", "write more digits", OPT_IN),
    Rule("ROT-DEG", WARNING, "an angle of more than a turn: degrees?", "URDF has radians"),
    # -------------------------------------------------------------------------------------------------------- limits
    Rule("LIMIT-REQ", ERROR, "a revolute or prismatic joint without <limit>", "urdfdom refuses it: add one", SAFE),
    Rule("LIMIT-PARTIAL", WARNING, "one bound is missing: 0, -inf or unlimited, as one reads it", "say both", SAFE),
    Rule("LIMIT-EFFVEL", WARNING, "effort or velocity is missing", "URDF before 1.2 wants both", SAFE),
    Rule("LIMIT-ZERO-EFF", WARNING, "effort 0: frozen, or not known", "write the effort", OPT_IN, ("urdf", "sdf")),
    Rule("LIMIT-ZERO-VEL", WARNING, "velocity 0: frozen, or not known", "write the velocity", OPT_IN, ("urdf", "sdf")),
    Rule("LIMIT-NEG", ERROR, "a negative effort or velocity: Drake aborts", "make it positive", OPT_IN, EVERY),
    Rule("LIMIT-ORDER", ERROR, "the lower limit is above the upper one", "swap them", OPT_IN, EVERY),
    Rule("LIMIT-EMPTY", WARNING, "lower and upper limit are equal", "make the joint fixed", OPT_IN, EVERY),
    Rule(
        "LIMIT-CONT",
        WARNING,
        "a continuous joint with bounds: Drake obeys them",
        "make it revolute, or drop them",
        OPT_IN,
    ),
    Rule("LIMIT-RANGE", WARNING, "a limit that is hardly meant", "check the number and its unit", NONE, EVERY),
    Rule("LIMIT-FIXED", INFO, "none of it has an effect on a joint of this type", "take it out", SAFE),
    Rule("STATE-LIMITS", WARNING, "a state of the SRDF outside the limits: planners refuse it", "correct the value"),
    Rule("SAFETY-KVEL", ERROR, "a safety controller without k_velocity: urdfdom fails", "give it", SAFE),
    Rule("SAFETY-RANGE", WARNING, "soft limits outside the hard ones", "put them inside"),
    # --------------------------------------------------------------------------------------------------------- mimic
    Rule("MIMIC-MISSING", ERROR, "follows a joint that does not exist", "correct the name", NONE, EVERY),
    Rule("MIMIC-SELF", ERROR, "a joint follows itself", "correct the name", NONE, EVERY),
    Rule("MIMIC-CYCLE", ERROR, "joints follow each other in a circle", "let one lead", NONE, EVERY),
    Rule("MIMIC-CHAIN", WARNING, "follows a joint that follows another", "let it follow the first one", SAFE),
    Rule("MIMIC-FIXED", WARNING, "follows a joint that does not move", "take the mimic out", OPT_IN, EVERY),
    Rule("MIMIC-USELESS", WARNING, "a fixed joint follows: Drake refuses the model", "take the mimic out", SAFE),
    Rule(
        "MIMIC-TYPE", WARNING, "a rotation follows a translation, or the other way", "check the multiplier", NONE, EVERY
    ),
    Rule("MIMIC-RANGE", WARNING, "the leader drives it beyond its limits", "check limits and multiplier", NONE, EVERY),
    Rule("MIMIC-KIND", ERROR, "only joints of one coordinate can lead or follow", "use such joints", NONE, EVERY),
    # ------------------------------------------------------------------------------------------------------- inertia
    Rule("INERTIA-NONE", WARNING, "a moving link has no mass where others have", _ENGINES, OPT_IN, EVERY),
    Rule("INERTIA-MASS", ERROR, "a mass that is negative, or 0 on a moving link", _ENGINES, OPT_IN, EVERY),
    Rule("INERTIA-PARTIAL", ERROR, "an <inertial> without all its numbers: urdfdom drops the link", "add them", SAFE),
    Rule("INERTIA-PD", ERROR, "a tensor that is not positive definite", _ENGINES, OPT_IN, EVERY),
    Rule("INERTIA-TRI", ERROR, "one moment exceeds the sum of the others", "no body has this tensor", OPT_IN, EVERY),
    Rule("INERTIA-DENSITY", WARNING, "mass or inertia does not fit the geometry", "check the units", OPT_IN, EVERY),
    Rule("INERTIA-PLACEHOLDER", INFO, "a round, equal diagonal: a placeholder?", "compute it", OPT_IN, EVERY),
    Rule("INERTIA-SYM", ERROR, "a tensor that is not symmetric", "ixy = iyx, ixz = izx, iyz = izy"),
    Rule("INERTIA-SIGN", INFO, "products of inertia have the sign that CAD gives them", "check it", OPT_IN, EVERY),
    Rule("INERTIA-DEFAULT", INFO, "a link without <inertial> is 1 kg", "say the mass", NONE, SDF),
    # ------------------------------------------------------------------------------------------------------ geometry
    Rule("GEOM-EMPTY", ERROR, "no shape: urdfdom drops what follows in the link", "give a shape", OPT_IN, XML),
    Rule("GEOM-COUNT", ERROR, "several shapes in one geometry: the first is used", "keep one", SAFE, ("urdf", "sdf")),
    Rule("GEOM-DIM", ERROR, "a size that is not above zero", _ENGINES, OPT_IN, EVERY),
    Rule("GEOM-DIALECT", WARNING, "a shape that only some readers know", "urdfdom drops the link's rest", OPT_IN),
    Rule("GEOM-NOVIS", INFO, "a link with collisions and no visual", "add a visual", OPT_IN, ("urdf", "sdf")),
    Rule("GEOM-NOCOL", INFO, "a link with visuals and no collision", "add a collision", OPT_IN, ("urdf", "sdf")),
    Rule("MESH-MISSING", ERROR, "a file is not found", SEE, NONE, EVERY),
    Rule("MESH-HEUR", INFO, "found by guessing where it is", "write a path that leads there", SAFE, XML),
    Rule("MESH-CASE", WARNING, "found only without regard to case", "write the name as the file has it", SAFE, XML),
    Rule("MESH-FACES", WARNING, "a collision mesh of more than 1000 faces", "simplify it", NONE, EVERY),
    Rule("MESH-SAME", INFO, "the visual mesh collides as well", "use simple shapes for collisions", NONE, EVERY),
    Rule("MESH-FORMAT", INFO, "a format that some engines do not read", "OBJ is read by all", NONE, URDF),
    Rule("MESH-SCALE", WARNING, "mirrored, distorted, or in millimetres", "scale the file itself", NONE, EVERY),
    Rule("MESH-UP", INFO, "a mesh file with y up: robot tools differ about it", "export it with z up", NONE, XML),
    Rule("MESH-UNIT", INFO, "a DAE in another unit than metres", "some tools do not apply it", NONE, XML),
    Rule("MESH-ASCII", WARNING, "an ASCII STL: MuJoCo reads only binary ones", "export it as binary", NONE, XML),
    Rule("MESH-READ", ERROR, "a file that holds no mesh", "export it again", NONE, EVERY),
    # ----------------------------------------------------------------------------------------------------- materials
    Rule("MAT-UNDEF", WARNING, "a material that is not defined", "define it: Drake refuses the model", SAFE),
    Rule("MAT-NOVALUE", ERROR, "a material without colour and texture: urdfdom fails", "give it a colour", SAFE),
    Rule("MAT-DUP", ERROR, "a global material twice: urdfdom and Drake fail", "keep one", SAFE),
    Rule("MAT-CONFLICT", WARNING, "one name, two colours: readers take the first", "use two names", SAFE),
    Rule("MAT-RGBA", WARNING, "a colour is four numbers from 0 to 1 in <color rgba>", "write it so", SAFE),
    Rule("MAT-NONAME", ERROR, "a material without a name: urdfdom drops the link's rest", "give it a name", SAFE),
    Rule("MAT-EMPTYNAME", INFO, "a material named '': nothing shares it", "give it a name"),
    Rule("MAT-TEXTURE", INFO, "a <texture> without a file has no effect", "take it out", SAFE),
    Rule("MAT-COLLISION", INFO, "a material of a collision: ignored everywhere", "take it out", SAFE),
    # ---------------------------------------------------------------------------------------------------- extensions
    Rule(
        "EXT-GZ-BLOCK", WARNING, "a <gazebo> block for which libsdformat refuses the URDF", "write it as SDFormat does"
    ),
    Rule("EXT-GZ-REF", WARNING, "a <gazebo reference> that names nothing", "correct the name"),
    Rule("EXT-TR-JOINT", WARNING, "a transmission of a joint that does not exist: Drake aborts", "drop it", OPT_IN),
    Rule("EXT-TR-EMPTY", WARNING, "a transmission without joint or actuator: Drake refuses it", "drop it", OPT_IN),
    Rule("EXT-TR-TYPE", WARNING, "an unknown type of transmission", "check the plugin"),
    Rule(
        "EXT-TR-HWIF", WARNING, "an unknown or old hardware interface", "use hardware_interface/Effort... and the like"
    ),
    Rule("EXT-TR-CLAIM", WARNING, "two transmissions take one command of a joint: the last is used", "take one out"),
    Rule("EXT-TR-ROLE", WARNING, "a differential or four-bar transmission without roles", "say actuator1, joint1 ..."),
    Rule("EXT-NUMBER", WARNING, "no number where controllers, or Drake, want one", "write a decimal number"),
    Rule("EXT-HW-CLAIM", WARNING, "one command of a joint in two places: ros2_control refuses it", "take one out"),
    Rule("EXT-HW-JOINT", WARNING, "<ros2_control> names a joint that does not exist", "correct the name"),
    Rule("PORT-VERSION", WARNING, "this version of URDF has no such thing", "set version='1.1' (or 1.2)"),
    Rule("PORT-CAPSULE", WARNING, "a capsule in URDF 1.0: urdfdom drops the link's rest", "say version='1.1'", OPT_IN),
    Rule("PORT-VERSION-TEXT", ERROR, "no version of URDF", "1.0, 1.1 or 1.2", SAFE),
    # -------------------------------------------------------------------------------------------------------- others
    Rule("SDF-VERSION", WARNING, "no known version of SDFormat", "say 1.9 or what it is", NONE, SDF),
    Rule("SDF-SEVERAL-WORLDS", WARNING, "several models or worlds: one is read", "choose with --model", NONE, SDF),
    Rule("SDF-INCLUDE-PARAMS", WARNING, "not all that an include changes is done", SEE, NONE, SDF),
    Rule("SDF-QUATERNION", WARNING, "a quaternion that is not of length 1", "normalise it", NONE, SDF),
    Rule("SDF-MERGED-MODEL", INFO, "parts of a merged model that a world has no place for", SEE, NONE, SDF),
    Rule("SDF-GEARBOX", WARNING, "a gearbox without its joints", "name both joints", NONE, SDF),
    Rule("SDF-FRICTION", WARNING, "mu2 is above mu: Drake refuses the model", "say both, the larger as mu", NONE, SDF),
    Rule("SDF-MATERIAL-SCRIPT", WARNING, "a script of Gazebo classic that is not known", "write a colour", NONE, SDF),
    Rule("SDF-MATERIAL-BLACK", INFO, "a <material> without colours is black", "write a colour", NONE, SDF),
    Rule("MJCF-UNKNOWN-ELEMENT", ERROR, "MuJoCo has no such element here", "check the spelling", NONE, MJCF),
    Rule("MJCF-UNKNOWN-ATTRIBUTE", ERROR, "MuJoCo has no such attribute here", "check the spelling", NONE, MJCF),
    Rule("MJCF-KEYWORD", ERROR, "a word that is none of those allowed here", "use one of them", NONE, MJCF),
    Rule("MJCF-OLD", ERROR, "a spelling of an older MuJoCo", "convert the model to MJCF", SAFE, MJCF),
    Rule("MJCF-GONE", ERROR, "removed from MuJoCo, or with another meaning now", "write it anew", NONE, MJCF),
    Rule(
        "MJCF-LIMITED",
        ERROR,
        "a range without its flag (such as limited), and autolimits is false",
        "say limited",
        NONE,
        MJCF,
    ),
    Rule("MJCF-CLASS", ERROR, "a default class twice, or one that does not exist", "correct the name", NONE, MJCF),
    Rule("MJCF-INCLUDE", ERROR, "an include that is missing, or appears twice", "correct the path", NONE, MJCF),
    Rule("MJCF-ATTACH", ERROR, "a model that cannot be attached", "correct the path", NONE, MJCF),
    Rule("MJCF-KEYFRAME", ERROR, "a keyframe of more numbers than the model has", "check the joints", NONE, MJCF),
    Rule("MJCF-DOFS", ERROR, "more than six degrees of freedom, or a rotation behind a ball", "see MJCF", NONE, MJCF),
    Rule(
        "MJCF-TENDON",
        ERROR,
        "a tendon or an equation of a joint of several coordinates",
        "name a hinge or slide",
        NONE,
        MJCF,
    ),
    Rule("MJCF-MASSLESS", ERROR, "a moving body without mass: MuJoCo refuses it", "give mass or a geom", OPT_IN, MJCF),
    Rule("MJCF-INVALID", ERROR, "MuJoCo takes no such model", SEE, NONE, MJCF),
    Rule("SDF-INVALID", ERROR, "libsdformat takes no such model", SEE, NONE, SDF),
    Rule("ENGINE", ERROR, "an engine that was asked (--engine) does not take the model", SEE, NONE, XML),
    Rule("GLTF-INVALID", ERROR, "no valid glTF 2.0", SEE, NONE, GLTF),
    Rule("GLTF-EXTENSION", ERROR, "an extension that is required and not known here", "export without", NONE, GLTF),
    Rule("GLTF-BOUNDS", ERROR, "what an accessor states about its numbers is wrong", "write it again", SAFE, GLTF),
    Rule(
        "GLTF-ALIGNMENT", ERROR, "numbers that do not begin at a multiple of their size", "write it again", SAFE, GLTF
    ),
    Rule("GLTF-MATRIX", ERROR, "a matrix beside translation, rotation or scale", "keep the matrix", SAFE, GLTF),
    Rule("GLTF-NO-BOUNDS", ERROR, "positions without their least and largest values", "write them", SAFE, GLTF),
    Rule("GLTF-UNDECLARED", ERROR, "an extension that is not in extensionsUsed", "name it there", SAFE, GLTF),
    Rule("GLTF-LIGHT", ERROR, "a spot light without cone angles", "give it a `spot`", SAFE, GLTF),
    Rule("GLTF-STRICT", ERROR, "what glTF rules out and most readers get by with", SEE, SAFE, GLTF),
    Rule("GLTF-SCHEMA", ERROR, "a member of a wrong type, out of range, or missing", SEE, SAFE, GLTF),
    Rule("GLTF-VALUES", ERROR, "numbers of an array that glTF rules out", "write it again", SAFE, GLTF),
    Rule("GLTF-SLACK", WARNING, "a buffer is longer than declared, or not used to its end", "cut it", SAFE, GLTF),
    Rule("GLTF-IMAGE-TYPE", ERROR, "an image of another type than declared", "write it again", SAFE, GLTF),
    Rule("GLTF-IMAGE", WARNING, "an image that is not there, or no image", "correct it", NONE, GLTF),
    Rule("GLTF-ALPHA", INFO, "an alpha that the alpha mode does not use", "see alphaMode", NONE, GLTF),
    Rule("GLTF-SURFACE", INFO, "lines, points, loose corners: not a surface", "kept in the file alone", NONE, GLTF),
    Rule("GLTF-SKIN", INFO, "a skin or a morph: the mesh stays as it is bound", "kept in the file alone", NONE, GLTF),
    Rule("GLTF-PHYSICS", WARNING, "a joint, shape or mass that is given in part", SEE, NONE, GLTF),
    Rule(
        "GLTF-EDITED",
        INFO,
        "edited after it was written here: the messages tell what of the edit is used",
        "nothing to be done",
        NONE,
        GLTF,
    ),
)

SDF_CODES = (
    "FILE_READ",
    "DUPLICATE_NAME",
    "RESERVED_NAME",
    "ATTRIBUTE_MISSING",
    "ATTRIBUTE_INVALID",
    "ELEMENT_MISSING",
    "ELEMENT_INVALID",
    "ELEMENT_INCORRECT_TYPE",
    "URI_LOOKUP",
    "MODEL_CANONICAL_LINK_INVALID",
    "MODEL_WITHOUT_LINK",
    "LINK_INERTIA_INVALID",
    "JOINT_CHILD_LINK_INVALID",
    "JOINT_PARENT_LINK_INVALID",
    "JOINT_PARENT_SAME_AS_CHILD",
    "JOINT_AXIS_EXPRESSED_IN_INVALID",
    "JOINT_AXIS_MIMIC_INVALID",
    "FRAME_ATTACHED_TO_INVALID",
    "FRAME_ATTACHED_TO_CYCLE",
    "POSE_RELATIVE_TO_INVALID",
    "POSE_RELATIVE_TO_CYCLE",
    "MODEL_PLACEMENT_FRAME_INVALID",
    "MERGE_INCLUDE_UNSUPPORTED",
)
"""Faults by their names in libsdformat (sdf/Error.hh)."""


def of_code(code: str) -> str:
    """Return the rule of a libsdformat error, or of the note about it (sdf/duplicate-name)."""
    return f"SDF-{code.removeprefix('sdf/').replace('_', '-').upper()}"


def _coded(code: str) -> Rule:
    words = code.replace("_", " ").lower()
    advice, fix = ("rename one", OPT_IN) if code == "DUPLICATE_NAME" else (SEE, NONE)
    return Rule(of_code(code), ERROR, f"libsdformat: {words}", advice, fix, SDF)


TABLE: Mapping[str, Rule] = {rule.id: rule for rule in (*_RULES, *map(_coded, SDF_CODES))}
"""Rule by id."""

ELSEWHERE: Mapping[str, str] = {
    "NAME-DUP-MAT": "told as MAT-DUP",
    "TREE-UNREACH": "a link that the root does not reach is below a cycle (TREE-CYCLE) or is a root (TREE-ROOTS)",
    "REF": "told by what refers: TREE-MISSING-LINK, MIMIC-MISSING, MAT-UNDEF, EXT-*, REF-MISSING",
    "PORT": "what other tools refuse is told by each rule: a rule of its own would tell it twice",
    "NAME-LOWER": "no reader cares how names are capitalised",
}
"""Mistakes listed in other catalogues that have no rule here, with the reason."""
