"""For each rule, a small document that breaks it and a similar one that does not: changes of four clean models."""

from __future__ import annotations

from tests.validating.models import BOX, INERTIAL, LIMIT, Case, gltf, mjcf, root, sdf, urdf
from tests.validating.other_cases import OTHERS


def sphere(rings: int) -> bytes:
    """Return a closed OBJ of about 4 rings^2 faces."""
    import math

    lines = []
    for i in range(rings + 1):
        for j in range(2 * rings):
            a, b = math.pi * i / rings, math.pi * j / rings
            x, y, z = math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)
            lines.append(f"v {0.1 * x:.6f} {0.1 * y:.6f} {0.1 * z:.6f}")
    for i in range(rings):
        for j in range(2 * rings):
            at, beside = i * 2 * rings + j + 1, i * 2 * rings + (j + 1) % (2 * rings) + 1
            lines.append(f"f {at} {at + 2 * rings} {beside + 2 * rings}")
            lines.append(f"f {at} {beside + 2 * rings} {beside}")
    return "\n".join(lines).encode()


def mesh(name: str, more: str = "") -> str:
    return f'<geometry><mesh filename="{name}"{more}/></geometry>'


ROUND, FINE = sphere(8), sphere(20)
FACET = b"facet normal 0 0 1 outer loop vertex %b vertex %b vertex %b endloop endfacet "
CORNERS = (b"0 0 0", b"1 0 0", b"0 1 0", b"0 0 1")
WORDS = b"solid s " + b"".join(
    FACET % tuple(CORNERS[i] for i in each) for each in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
)
WORDS += b"endsolid s"
DAE = (
    b'<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
    b'<unit name="x" meter="%s"/><up_axis>%s</up_axis></asset></COLLADA>'
)
BEND = f'<axis xyz="0 1 0"/>\n    {LIMIT}'
FOLLOWER = (
    '<link name="x"/><joint name="x" type="revolute"><parent link="tip"/><child link="x"/>'
    '<limit lower="-1" upper="1" effort="10" velocity="2"/><mimic joint="{0}"/></joint></robot>'
)
SECOND = (
    '<transmission name="other"><type>transmission_interface/SimpleTransmission</type>'
    '<joint name="bend"><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>'
    '<actuator name="{0}"><mechanicalReduction>1</mechanicalReduction></actuator></transmission>'
)
CLAIM = (
    '<joint name="turn"><command_interface name="%s"/></joint></ros2_control><ros2_control name="real" type="system">'
    '<joint name="turn"><command_interface name="%s"/></joint></ros2'
)
CAPSULE = '<geometry><capsule radius="0.1" length="0.2"/></geometry>'
OTHER = '<joint name="{0}" type="fixed"><parent link="{1}"/><child link="{2}"/></joint></robot>'
ENDS = '<parent link="lower"/><child link="tip"/>'
TENSOR = 'ixx="0.053" ixy="0" ixz="0" iyy="0.053" iyz="0" izz="0.0533"'
DIFFERENTIAL = ("SimpleTransmission", "DifferentialTransmission")
ROLES = (
    DIFFERENTIAL,
    ("</hardwareInterface></joint>", "</hardwareInterface><role>joint1</role></joint>"),
    ("<mechanicalReduction>1", "<role>actuator1</role><mechanicalReduction>1"),
)
WHEEL = (
    (BOX, '<geometry><cylinder radius="0.2" length="0.1"/></geometry>'),
    (BOX, '<geometry><cylinder radius="0.2" length="0.1"/></geometry>'),
    (BOX, '<geometry><cylinder radius="0.2" length="0.1"/></geometry>'),
    ('type="revolute"', 'type="continuous"'),
    (LIMIT, ""),
)


DOCUMENTS = (
    urdf("XML-WF", (("</robot>", ""),), root("<!-- fine -->")),
    urdf("XML-ENT", (("<robot", '<!DOCTYPE robot [<!ENTITY x "y">]>\n<robot'),), (("arm", "a&amp;m"),)),
    urdf("XML-ROOT", (("", "<sdf><robot/></sdf>"),)),
    urdf("XML-SIZE", (("</robot>", "<a>" * 20_001 + "</a>" * 20_001 + "</robot>"),), root("<a><b/></a>")),
    gltf("JSON-WF", (('"scene": 0,', '"scene": 0'),)),
    Case("XACRO-EXPAND", (("</robot>", "<a b='${nothing}'/></robot>"),), (), "xacro"),
    urdf("XML-PI", root("<?tool x?>"), (("<robot", "<?tool x?>\n<robot"),)),
    urdf("XML-DECL-POS", (("<?xml", "\n<?xml"),)),
    urdf("XML-ENC", (("arm", "ärm"),), (("arm", "agm"),)),
    urdf("XML-DOCTYPE", (("<robot", "<!DOCTYPE robot>\n<robot"),)),
    urdf("XML-LENIENT", root("<!-- a -- b -->"), root("<!-- a - b -->")),
    urdf("XML-UNKNOWN", root("<strange/>"), root("<drake:strange/>")),
    sdf(
        "XML-UNKNOWN",
        (("<effort>10", "<efort>3</efort><effort>10"),),
        (("</collision>", "<laser_retro>1</laser_retro></collision>"),),
    ),
    urdf("XML-MISPLACED", root("<inertial/>")),
    urdf("XML-DUP", ((LIMIT, LIMIT + "<limit lower='0'/>"),)),
    urdf("XML-REQUIRED", (('<parent link="lower"/>', ""),)),
    urdf(
        "XML-ONE-OF", (('name="arm"', 'name="arm" version="1.1"'), ('rpy="0.1 0 0"', 'rpy="0 0 0" quat_xyzw="0 0 0 1"'))
    ),
    urdf("XACRO-LEFT", root("<xacro:wheel/>"), root("<wheel/>")),
    urdf("XACRO-LEGACY", root("<property name='a' value='1'/>"), root("<properties/>")),
    urdf("NUM-PARSE", (('lower="-1"', 'lower="1,5"'),), (('lower="-1"', 'lower="-.1e1"'),)),
    urdf("NUM-COUNT", (('xyz="0 0 1"', 'xyz="0 0"'),)),
    urdf("NUM-NONFINITE", (('upper="1"', 'upper="inf"'),), (('upper="1"', 'upper="1e3"'),)),
    mjcf("NUM-RANGE", (("</worldbody>", '<replicate count="0" euler="0 0 1"/></worldbody>'),)),
    urdf("NUM-SURPLUS", (('rpy="0 0 0"', 'rpy="0 0 0 0"'),)),
    urdf("NUM-SEP", (('size="0.2 0.2 0.2"', 'size="0.2\t0.2 0.2"'),), (('size="0.2 0.2 0.2"', 'size="0.2  0.2 0.2"'),)),
    sdf("READ-OTHER", (("<inertial><mass>", '<inertial><pose relative_to="base"/><mass>'),)),
)
NAMES = (
    urdf("NAME-ROBOT", ((' name="arm"', ""),)),
    urdf("NAME-DUP-LINK", root('<link name="tip"/>'), root('<link name="tip2"/>')),
    urdf("NAME-DUP-JOINT", (('name="end"', 'name="bend"'),), (('name="end"', 'name="end2"'),)),
    mjcf("NAME-DUP", (('name="lower"', 'name="upper"'),)),
    mjcf("NAME-RESERVED", (('name="lower"', 'name="world"'),), (('name="lower"', 'name="worlds"'),)),
    urdf("NAME-CLASH", (('name="end"', 'name="tip"'),)),
    urdf("NAME-CHARS", (('name="end"', 'name="the end"'),), (('name="end"', 'name="the_end-1.x"'),)),
    urdf("NAME-CHARS", (('name="end"', 'name="arm::end"'),), (('name="end"', 'name="arm.end"'),)),
    mjcf("REF-MISSING", (('motor name="a" joint="turn"', 'general name="a" body="none"'),)),
    urdf("NAME-DUP-ACTUATOR", root(SECOND.format("motor")), root(SECOND.format("motor2"))),
    urdf("TREE-NOLINK", (("", '<robot name="r"/>'),)),
    urdf("TREE-MISSING-LINK", (('child link="tip"', 'child link="top"'),)),
    urdf("TREE-ROOTS", root('<link name="alone"/>')),
    urdf("TREE-CYCLE", (('parent link="base_link"', 'parent link="tip"'),)),
    urdf("TREE-SELF", ((ENDS, '<parent link="tip"/><child link="tip"/>'),)),
    urdf("TREE-2PARENTS", (("</robot>", OTHER.format("again", "upper", "tip")),)),
    urdf("TREE-ROOT-INERTIA", (('<link name="base_link">', f'<link name="base_link">{INERTIAL}'),)),
    urdf(
        "TREE-ROOT-NAME",
        (('name="base_link"', 'name="foot"'), ('link="base_link"', 'link="foot"')),
        (('name="base_link"', 'name="world"'), ('link="base_link"', 'link="world"')),
    ),
    mjcf("TREE-FREE", (('<joint name="bend" type="hinge" axis="0 1 0" range="-60 60"/>', "<freejoint/>"),)),
)
JOINTS = (
    urdf("JOINT-TYPE", (('type="fixed"', 'type="glued"'),)),
    urdf("JOINT-TYPE-CASE", (('type="fixed"', 'type="Fixed"'),)),
    urdf(
        "PLANAR-DIALECT",
        (('name="end" type="fixed"', 'name="end" type="planar"'),),
        (('name="end" type="fixed"', 'name="end" type="floating"'),),
    ),
    urdf("JOINT-DIALECT", (('name="end" type="fixed"', 'name="end" type="ball"'),)),
    urdf("JOINT-AXIS-ZERO", (('axis xyz="0 0 1"', 'axis xyz="0 0 0"'),)),
    urdf(
        "JOINT-AXIS-NORM", (('axis xyz="0 0 1"', 'axis xyz="0 0 2"'),), (('axis xyz="0 0 1"', 'axis xyz="0 0.6 0.8"'),)
    ),
    urdf(
        "JOINT-AXIS-NORM",
        (('<box size="0.2 0.2 0.2"/>', '<plane normal="0 0 2"/>'),),
        (('<box size="0.2 0.2 0.2"/>', '<plane normal="0 0 1"/>'),),
    ),
    sdf("JOINT-AXIS-NORM", (("<xyz>0 0 1</xyz>", "<xyz>0 0 2</xyz>"),)),
    urdf("JOINT-AXIS-EMPTY", (('axis xyz="0 0 1"', "axis"),)),
    urdf("JOINT-AXIS-MISSING", (('<axis xyz="0 0 1"/>', ""),)),
    urdf("JOINT-AXIS-USELESS", ((ENDS, f'{ENDS}<axis xyz="1 0 0"/>'),)),
    urdf("JOINT-AXIS-GEOM", (*WHEEL, ('axis xyz="0 0 1"', 'axis xyz="1 0 0"')), WHEEL),
    urdf("JOINT-DYN-EMPTY", ((LIMIT, LIMIT + "<dynamics/>"),), ((LIMIT, LIMIT + '<dynamics damping="1"/>'),)),
    urdf(
        "JOINT-DYN-NEG", ((LIMIT, LIMIT + '<dynamics damping="-1"/>'),), ((LIMIT, LIMIT + '<dynamics damping="1"/>'),)
    ),
    mjcf("ROT-ZERO", (('axis="0 1 0"', 'axis="0 0 0"'),)),
    urdf(
        "ROT-ZERO-QUAT",
        (('name="arm"', 'name="arm" version="1.1"'), ('rpy="0.1 0 0"', 'quat_xyzw="0 0 0 0"')),
        (('name="arm"', 'name="arm" version="1.1"'), ('rpy="0.1 0 0"', 'quat_xyzw="0 0 0 1"')),
    ),
    gltf("ROT-NORM", (("[0, 0, 0, 1]", "[0, 0, 0, 2]"),)),
    urdf("ROT-SNAP", (('rpy="0.1 0 0"', 'rpy="1.57 0 0"'),), (('rpy="0.1 0 0"', 'rpy="1.5707963267948966 0.001 0"'),)),
    urdf("ROT-DEG", (('rpy="0.1 0 0"', 'rpy="90 0 0"'),), (('rpy="0.1 0 0"', 'rpy="6 0 0"'),)),
    urdf("LIMIT-REQ", ((LIMIT, ""),), (('type="revolute"', 'type="continuous"'), (LIMIT, ""))),
    urdf("LIMIT-PARTIAL", (('lower="-1" ', ""),)),
    urdf("LIMIT-EFFVEL", (('effort="10" ', ""),), (('name="arm"', 'name="arm" version="1.2"'), ('effort="10" ', ""))),
    urdf("LIMIT-ZERO-EFF", (('effort="10"', 'effort="0"'),), (('effort="10"', 'effort="0.1"'),)),
    urdf("LIMIT-ZERO-VEL", (('velocity="2"', 'velocity="0"'),)),
    urdf("LIMIT-NEG", (('effort="10"', 'effort="-10"'),)),
    urdf("LIMIT-ORDER", (('lower="-1"', 'lower="2"'),)),
    urdf("LIMIT-EMPTY", ((BEND, BEND.replace('lower="-1" upper="1"', 'lower="0" upper="0"')),)),
    urdf("LIMIT-CONT", (('type="revolute"', 'type="continuous"'),)),
    urdf("LIMIT-RANGE", (('lower="-1" upper="1"', 'lower="-180" upper="180"'),), (('upper="1"', 'upper="6.28"'),)),
    urdf("LIMIT-FIXED", ((ENDS, ENDS + LIMIT),)),
    urdf(
        "SAFETY-KVEL",
        ((LIMIT, LIMIT + '<safety_controller k_position="1"/>'),),
        ((LIMIT, LIMIT + '<safety_controller k_velocity="1"/>'),),
    ),
    urdf(
        "SAFETY-RANGE",
        ((LIMIT, LIMIT + '<safety_controller k_velocity="1" soft_lower_limit="-2" soft_upper_limit="1"/>'),),
        ((LIMIT, LIMIT + '<safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="0.9"/>'),),
    ),
    urdf("MIMIC-MISSING", (('mimic joint="turn"', 'mimic joint="twist"'),)),
    urdf("MIMIC-SELF", (('mimic joint="turn"', 'mimic joint="bend"'),)),
    urdf("MIMIC-CYCLE", ((LIMIT, LIMIT + '<mimic joint="bend"/>'),)),
    urdf("MIMIC-CHAIN", (("</robot>", FOLLOWER.format("bend")),), (("</robot>", FOLLOWER.format("turn")),)),
    urdf("MIMIC-FIXED", (('mimic joint="turn"', 'mimic joint="end"'),)),
    urdf("MIMIC-USELESS", ((ENDS, f'{ENDS}<mimic joint="turn"/>'),)),
    urdf("MIMIC-TYPE", (('type="revolute"', 'type="prismatic"'),)),
    urdf(
        "MIMIC-RANGE",
        (('mimic joint="turn"', 'mimic joint="turn" multiplier="3"'),),
        (('mimic joint="turn"', 'mimic joint="turn" multiplier="-1"'),),
    ),
    urdf("MIMIC-KIND", (('type="revolute"', 'type="floating"'),)),
)
LINKS = (
    urdf("INERTIA-NONE", ((INERTIAL, ""),)),
    urdf("INERTIA-MASS", (('mass value="8"', 'mass value="-8"'),)),
    urdf("INERTIA-PARTIAL", ((' izz="0.0533"', ""),)),
    urdf("INERTIA-PD", (('ixx="0.053"', 'ixx="-0.053"'),)),
    urdf("INERTIA-TRI", (('izz="0.0533"', 'izz="0.2"'),), (('izz="0.0533"', 'izz="0.106"'),)),
    urdf("INERTIA-DENSITY", (('mass value="8"', 'mass value="0.01"'),), (('mass value="8"', 'mass value="4"'),)),
    urdf("INERTIA-PLACEHOLDER", ((TENSOR, 'ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"'),)),
    urdf("INERTIA-SYM", (('ixy="0"', 'ixy="0" iyx="0.01"'),), (('ixy="0"', 'ixy="0" iyx="0"'),)),
    urdf(
        "INERTIA-SIGN",
        (
            (f"{INERTIAL}\n    <visual>", f"{INERTIAL}\n    <visual>"),
            (TENSOR, 'ixx="0.1833" ixy="0.1167" ixz="0" iyy="0.1833" iyz="0" izz="0.2467"'),
            (BOX, BOX),
            *(
                (
                    f"<collision>{BOX}",
                    '<collision><origin rpy="0 0 0.7854"/><geometry><box size="0.6 0.1 0.3"/></geometry>',
                ),
            )
            * 2,
        ),
        (
            (TENSOR, 'ixx="0.1833" ixy="-0.1167" ixz="0" iyy="0.1833" iyz="0" izz="0.2467"'),
            *(
                (
                    f"<collision>{BOX}",
                    '<collision><origin rpy="0 0 0.7854"/><geometry><box size="0.6 0.1 0.3"/></geometry>',
                ),
            )
            * 2,
        ),
    ),
    sdf(
        "INERTIA-DEFAULT",
        (
            (
                "<inertial><mass>8</mass><inertia><ixx>0.053</ixx><iyy>0.053</iyy><izz>0.0533</izz></inertia></inertial>",
                "",
            ),
        ),
    ),
    urdf("GEOM-EMPTY", ((BOX, "<geometry/>"),)),
    urdf("GEOM-COUNT", (("</geometry>", '<sphere radius="1"/></geometry>'),)),
    urdf("GEOM-DIM", (('size="0.2 0.2 0.2"', 'size="0.2 0 0.2"'),), (('size="0.2 0.2 0.2"', 'size="0.2 1e-9 0.2"'),)),
    urdf("GEOM-DIALECT", ((BOX, '<geometry><cone radius="0.1" length="0.2"/></geometry>'),)),
    urdf("GEOM-NOVIS", ((f'<visual>{BOX}<material name="grey"/></visual>', ""),)),
    urdf("GEOM-NOCOL", ((f"<collision>{BOX}</collision>", ""),)),
    urdf("MESH-MISSING", ((BOX, mesh("a.obj")),), ((BOX, mesh("b.obj")),), b__obj=ROUND),
    urdf("MESH-HEUR", ((BOX, mesh("package://p/b.obj")),), ((BOX, mesh("b.obj")),), b__obj=ROUND),
    urdf("MESH-CASE", ((BOX, mesh("B.obj")),), ((BOX, mesh("b.obj")),), b__obj=ROUND),
    urdf("MESH-FACES", ((f"<collision>{BOX}", f"<collision>{mesh('b.obj')}"),), ((BOX, mesh("b.obj")),), b__obj=FINE),
    urdf("MESH-SAME", ((BOX, mesh("b.obj")), (BOX, mesh("b.obj"))), ((BOX, mesh("b.obj")),), b__obj=ROUND),
    urdf("MESH-FORMAT", ((BOX, mesh("b.dae")),), ((BOX, mesh("b.obj")),), b__dae=DAE % (b"1", b"Z_UP"), b__obj=ROUND),
    urdf(
        "MESH-SCALE",
        ((BOX, mesh("b.obj", ' scale="1 -1 1"')),),
        ((BOX, mesh("b.obj", ' scale="2 2 2"')),),
        b__obj=ROUND,
    ),
    urdf(
        "MESH-UP",
        ((BOX, mesh("b.dae")),),
        ((BOX, mesh("c.dae")),),
        b__dae=DAE % (b"1", b"Y_UP"),
        c__dae=DAE % (b"1", b"Z_UP"),
    ),
    urdf(
        "MESH-UNIT",
        ((BOX, mesh("b.dae")),),
        ((BOX, mesh("c.dae")),),
        b__dae=DAE % (b"0.01", b"Z_UP"),
        c__dae=DAE % (b"1", b"Z_UP"),
    ),
    urdf("MESH-ASCII", ((BOX, mesh("b.stl")),), ((BOX, mesh("b.obj")),), b__stl=WORDS, b__obj=ROUND),
    urdf("MESH-READ", ((BOX, mesh("b.obj")),), ((BOX, mesh("c.obj")),), b__obj=b"no mesh", c__obj=ROUND),
    urdf("MAT-UNDEF", (('<material name="grey"/>', '<material name="gray"/>'),)),
    urdf("MAT-NOVALUE", root('<material name="none"><color/></material>')),
    urdf("MAT-DUP", root('<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>')),
    urdf("MAT-CONFLICT", (('<material name="grey"/>', '<material name="grey"><color rgba="1 0 0 1"/></material>'),)),
    urdf("MAT-RGBA", (('rgba="0.5 0.5 0.5 1"', 'rgba="255 0 0 255"'),), (('rgba="0.5 0.5 0.5 1"', 'rgba="1 0 0 1"'),)),
    urdf("MAT-NONAME", (('<material name="grey"/>', '<material><color rgba="1 0 0 1"/></material>'),)),
    urdf("MAT-EMPTYNAME", (('<material name="grey"/>', '<material name=""><color rgba="1 0 0 1"/></material>'),)),
    urdf("MAT-EMPTYNAME", (('<material name="grey"/>', '<material name=""/>'),)),
    urdf("MAT-TEXTURE", (('<color rgba="0.5 0.5 0.5 1"/>', '<color rgba="0.5 0.5 0.5 1"/><texture filename=""/>'),)),
    urdf("MAT-COLLISION", ((f"<collision>{BOX}", f'<collision>{BOX}<material name="grey"/>'),)),
)
COMMAND = '<command_interface name="effort"><param name="max">%s</param></command_interface>'
EXTENSIONS = (
    urdf("EXT-GZ-BLOCK", (("<mu1>0.5<", "<mu1>half<"),), (("<mu1>0.5<", "<mu1>.5<"),)),
    urdf("EXT-GZ-BLOCK", (("<mu1>0.5<", "<mu1>0,5<"),)),
    urdf("EXT-GZ-REF", (('reference="upper"', 'reference="uper"'),)),
    urdf("EXT-TR-JOINT", (('<joint name="turn"><hardware', '<joint name="turns"><hardware'),)),
    urdf(
        "EXT-TR-EMPTY",
        root('<transmission name="t"><type>transmission_interface/SimpleTransmission</type></transmission>'),
    ),
    urdf("EXT-TR-TYPE", (("SimpleTransmission", "SimplestTransmission"),)),
    urdf("EXT-TR-HWIF", (("/EffortJointInterface", "/EffortJoinInterface"),)),
    urdf("EXT-TR-ROLE", (DIFFERENTIAL,), ROLES),
    urdf(
        "EXT-NUMBER",
        (('<joint name="turn"/></ros2', '<joint name="turn">%s</joint></ros2' % (COMMAND % "1,5")),),
        (('<joint name="turn"/></ros2', '<joint name="turn">%s</joint></ros2' % (COMMAND % " 1.5 ")),),
    ),
    urdf(
        "EXT-TR-CLAIM",
        root(SECOND.format("motor2").replace("bend", "turn")),
        root(SECOND.format("motor2").replace("bend", "turn").replace("Effort", "Velocity")),
    ),
    urdf(
        "EXT-HW-CLAIM",
        (('<joint name="turn"/></ros2', CLAIM % ("effort", "effort")),),
        (('<joint name="turn"/></ros2', CLAIM % ("effort", "velocity")),),
    ),
    urdf("EXT-HW-JOINT", (('type="system"><joint name="turn"/>', 'type="system"><joint name="turns"/>'),)),
    urdf("PORT-CAPSULE", ((BOX, CAPSULE),), (('name="arm"', 'name="arm" version="1.1"'), (BOX, CAPSULE))),
    urdf(
        "PORT-VERSION",
        (('rpy="0.1 0 0"', 'quat_xyzw="0 0 0 1"'),),
        (('name="arm"', 'name="arm" version="1.1"'), ('rpy="0.1 0 0"', 'quat_xyzw="0 0 0 1"')),
    ),
    urdf(
        "PORT-VERSION",
        (('effort="10"', 'effort="10" jerk="2"'),),
        (('name="arm"', 'name="arm" version="1.2"'), ('effort="10"', 'effort="10" jerk="2"')),
    ),
    urdf(
        "PORT-VERSION-TEXT", (('name="arm"', 'name="arm" version="1"'),), (('name="arm"', 'name="arm" version="1.0"'),)
    ),
)
CASES = (*DOCUMENTS, *NAMES, *JOINTS, *LINKS, *EXTENSIONS, *OTHERS)
