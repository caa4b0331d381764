"""Cases in SDFormat, MJCF and glTF."""

from __future__ import annotations

from tests.validating.models import TRIANGLE, Case, gltf, mjcf, sdf

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
ROTATION = '"rotation": [0, 0, 0, 1]'
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
LAMPS = '"extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}'
TWICE = "<experimental:params/>" * 2
TEXTURED = '"textures": [{}], "materials": [{"name": "m", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, '
LINK = "<link name='x'><inertial><mass>1</mass></inertial></link>"
ROUGH = "<friction><ode>{}</ode></friction>"
BRINGING = '<sdf version="1.9"><world name="w"><include{}><uri>part.sdf</uri></include></world></sdf>'
OTHERS = (
    sdf("SDF-VERSION", (('version="1.9"', 'version="1.99"'),)),
    sdf("SDF-SEVERAL-WORLDS", (("", '<sdf version="1.9"><world name="a"/><world name="b"/></sdf>'),)),
    sdf(
        "SDF-INCLUDE-PARAMS",
        (("</model>", f"<include><uri>part.sdf</uri>{TWICE}</include></model>"),),
        (("</model>", "<include><uri>part.sdf</uri></include></model>"),),
    ),
    Case(
        "SDF-QUATERNION",
        (("</model>", '<frame name="q"><pose rotation_format="quat_xyzw">0 0 0 0 0 1 1</pose></frame></model>'),),
        (("</model>", '<frame name="q"><pose rotation_format="quat_xyzw">0 0 0 0 0 .6 .8</pose></frame></model>'),),
        "sdf",
    ),
    Case(
        "SDF-MERGED-MODEL",
        (("</model>", '<include merge="true"><uri>still.sdf</uri></include></model>'),),
        (("</model>", '<include merge="true"><uri>part.sdf</uri></include></model>'),),
        "sdf",
        {"still.sdf": b"<sdf version='1.9'><model name='p'><static>1</static><link name='x'/></model></sdf>"},
    ),
    sdf("SDF-GEARBOX", (('type="revolute"', 'type="gearbox"'),)),
    sdf(
        "SDF-FRICTION",
        (("</collision>", f"<surface>{ROUGH.format('<mu>0.5</mu>')}</surface></collision>"),),
        (("</collision>", f"<surface>{ROUGH.format('<mu>0.5</mu><mu2>0.5</mu2>')}</surface></collision>"),),
    ),
    sdf(
        "SDF-MATERIAL-SCRIPT",
        (("</visual>", "<material><script><uri>a</uri><name>None/Such</name></script></material></visual>"),),
    ),
    sdf(
        "SDF-MATERIAL-BLACK",
        (("</visual>", "<material/></visual>"),),
        (("</visual>", "<material><diffuse>1 0 0 1</diffuse></material></visual>"),),
    ),
    sdf("SDF-INVALID", (("</model>", "<include><uri>m.sdf</uri></include></model>"),)),
    sdf("SDF-FILE-READ", ((' version="1.9"', ""),)),
    sdf("SDF-DUPLICATE-NAME", (('link name="upper"', 'link name="base"'),)),
    sdf("SDF-RESERVED-NAME", (('link name="upper"', 'link name="__upper__"'),)),
    sdf("SDF-ATTRIBUTE-MISSING", (('link name="upper"', "link"),)),
    sdf("SDF-ATTRIBUTE-INVALID", (('type="revolute"', 'type="glued"'),)),
    sdf("SDF-ELEMENT-MISSING", (("<parent>base</parent>", ""),)),
    sdf("SDF-ELEMENT-INVALID", (("<xyz>0 0 1</xyz>", "<xyz>0 0 0</xyz>"),)),
    sdf("SDF-ELEMENT-INCORRECT-TYPE", (("</sdf>", f"<model name='b'>{LINK}</model></sdf>"),)),
    sdf("SDF-URI-LOOKUP", (("</model>", "<include><uri>model://nowhere</uri></include></model>"),)),
    sdf(
        "SDF-MODEL-CANONICAL-LINK-INVALID",
        (('model name="arm"', 'model name="arm" canonical_link="x"'),),
        (('model name="arm"', 'model name="arm" canonical_link="upper"'),),
    ),
    sdf("SDF-MODEL-WITHOUT-LINK", (("", '<sdf version="1.9"><model name="m"/></sdf>'),)),
    sdf("SDF-LINK-INERTIA-INVALID", (("<izz>0.0533</izz>", "<izz>5</izz>"),)),
    sdf("SDF-JOINT-CHILD-LINK-INVALID", (("<child>upper</child>", "<child>x</child>"),)),
    sdf("SDF-JOINT-PARENT-LINK-INVALID", (("<parent>base</parent>", "<parent>x</parent>"),)),
    sdf("SDF-JOINT-PARENT-SAME-AS-CHILD", (("<parent>base</parent>", "<parent>upper</parent>"),)),
    sdf(
        "SDF-JOINT-AXIS-EXPRESSED-IN-INVALID",
        (("<xyz>0", '<xyz expressed_in="x">0'),),
        (("<xyz>0", '<xyz expressed_in="base">0'),),
    ),
    sdf("SDF-JOINT-AXIS-MIMIC-INVALID", (("</xyz>", "</xyz><mimic joint='x'><multiplier>1</multiplier></mimic>"),)),
    sdf("SDF-FRAME-ATTACHED-TO-INVALID", (('attached_to="upper"', 'attached_to="x"'),)),
    sdf("SDF-FRAME-ATTACHED-TO-CYCLE", (('attached_to="upper"', 'attached_to="mark"'),)),
    sdf("SDF-POSE-RELATIVE-TO-INVALID", (('relative_to="base"', 'relative_to="x"'),)),
    sdf("SDF-POSE-RELATIVE-TO-CYCLE", (('relative_to="base"', 'relative_to="mark"'),)),
    sdf(
        "SDF-MODEL-PLACEMENT-FRAME-INVALID",
        (('model name="arm"', 'model name="arm" placement_frame="x"'),),
        (('model name="arm"', 'model name="arm" placement_frame="mark"'),),
    ),
    sdf("SDF-MERGE-INCLUDE-UNSUPPORTED", (("", BRINGING.format(' merge="true"')),), (("", BRINGING.format("")),)),
    mjcf("MJCF-UNKNOWN-ELEMENT", (("</worldbody>", "<thing/></worldbody>"),)),
    mjcf("MJCF-UNKNOWN-ATTRIBUTE", (('joint name="turn"', 'joint colour="red" name="turn"'),)),
    mjcf("MJCF-KEYWORD", (('type="hinge"', 'type="Hinge"'),)),
    mjcf(
        "MJCF-OLD",
        (("<worldbody>", '<option mpr_iterations="30"/><worldbody>'),),
        (("<worldbody>", '<option ccd_iterations="30"/><worldbody>'),),
    ),
    mjcf(
        "MJCF-GONE",
        (("<worldbody>", '<option collision="dynamic"/><worldbody>'),),
        (("<worldbody>", '<option cone="elliptic"/><worldbody>'),),
    ),
    mjcf(
        "MJCF-LIMITED",
        (("<worldbody>", '<compiler autolimits="false"/><worldbody>'),),
        (("<worldbody>", '<compiler autolimits="true"/><worldbody>'),),
    ),
    mjcf(
        "MJCF-CLASS",
        (('body name="upper"', 'body childclass="large" name="upper"'),),
        (('body name="upper"', 'body childclass="small" name="upper"'),),
    ),
    mjcf("MJCF-INCLUDE", (("<asset>", '<include file="none.xml"/><asset>'),)),
    mjcf(
        "MJCF-ATTACH",
        (
            ("</body>\n  </worldbody>", '<attach model="none" body="b" prefix="p"/></body>\n  </worldbody>'),
            ("<asset>", '<asset><model name="none" file="none.xml"/>'),
        ),
    ),
    mjcf(
        "MJCF-KEYFRAME",
        (("</mujoco>", '<keyframe><key qpos="0 0 0"/></keyframe></mujoco>'),),
        (("</mujoco>", '<keyframe><key qpos="0 0"/></keyframe></mujoco>'),),
    ),
    mjcf(
        "MJCF-DOFS",
        (('type="hinge" axis="0 0 1" range="-60 60"/>', 'type="ball"/><joint name="z" type="hinge" axis="0 0 1"/>'),),
    ),
    mjcf(
        "MJCF-TENDON",
        (
            ('type="hinge" axis="0 0 1" range="-60 60"/>', 'type="ball"/>'),
            ("</mujoco>", '<tendon><fixed><joint joint="turn" coef="1"/></fixed></tendon></mujoco>'),
        ),
        (("</mujoco>", '<tendon><fixed><joint joint="turn" coef="1"/></fixed></tendon></mujoco>'),),
    ),
    mjcf(
        "MJCF-TENDON",
        (
            ('type="hinge" axis="0 0 1" range="-60 60"/>', 'type="ball"/>'),
            ("</mujoco>", '<equality><joint joint1="turn"/></equality></mujoco>'),
        ),
        (("</mujoco>", '<equality><joint joint1="turn"/></equality></mujoco>'),),
    ),
    mjcf("MJCF-MASSLESS", (('<geom name="h" type="box" size="0.1 0.1 0.1"/>', ""),)),
    mjcf("MJCF-INVALID", (("<worldbody>", '<compiler coordinate="global"/><worldbody>'),)),
    gltf("GLTF-INVALID", (('"nodes": [0]', '"nodes": [5]'),)),
    gltf(
        "GLTF-EXTENSION",
        (('"scene": 0,', '"scene": 0, "extensionsUsed": ["ACME_x"], "extensionsRequired": ["ACME_x"],'),),
        (('"scene": 0,', '"scene": 0, "extensionsUsed": ["ACME_x"],'),),
    ),
    gltf("GLTF-BOUNDS", (('"max": [1, 1, 0]', '"max": [2, 1, 0]'),)),
    gltf(
        "GLTF-ALIGNMENT",
        (
            ('"bufferView": 0,', '"bufferView": 0, "byteOffset": 2,'),
            (f'36, "uri": "{TRIANGLE}"', f'40, "uri": "{TRIANGLE}AAAAAA=="'),
            ('"byteLength": 36}', '"byteLength": 40}'),
        ),
    ),
    gltf(
        "GLTF-MATRIX",
        (('"rotation": [', f'"matrix": {IDENTITY}, "rotation": ['),),
        ((ROTATION, f'"matrix": {IDENTITY}'),),
    ),
    gltf("GLTF-NO-BOUNDS", ((', "max": [1, 1, 0]', ""),)),
    gltf(
        "GLTF-UNDECLARED",
        (('"scene": 0,', f'"scene": 0, {LAMPS},'),),
        (('"scene": 0,', f'"scene": 0, {LAMPS}, "extensionsUsed": ["KHR_lights_punctual"],'),),
    ),
    gltf(
        "GLTF-STRICT",
        (('"scene": 0,', '"scene": 0, "cameras": [],'),),
        (('"scene": 0,', '"scene": 0, "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}],'),),
    ),
    gltf("GLTF-SCHEMA", (('"scene": 0,', '"scene": 0, "skins": [{"joints": [99]}],'),)),
    gltf(
        "GLTF-LIGHT",
        (('"scene": 0,', f'"scene": 0, {LAMPS}, "extensionsUsed": ["KHR_lights_punctual"],'), ('"point"', '"spot"')),
        (
            ('"scene": 0,', f'"scene": 0, {LAMPS}, "extensionsUsed": ["KHR_lights_punctual"],'),
            ('"point"', '"spot", "spot": {}'),
        ),
    ),
    gltf("GLTF-VALUES", (('{"POSITION": 0}', '{"POSITION": 0, "NORMAL": 0}'),)),
    gltf(
        "GLTF-IMAGE-TYPE",
        (('"scene": 0,', f'"scene": 0, "images": [{{"uri": "{PIXEL}", "mimeType": "image/jpeg"}}],'),),
        (('"scene": 0,', f'"scene": 0, "images": [{{"uri": "{PIXEL}", "mimeType": "image/png"}}],'),),
    ),
    gltf("GLTF-ALPHA", (("[1, 0, 0, 1]", "[1, 0, 0, 0.5]"),)),
    gltf("GLTF-IMAGE", (('"materials": [{"name": "m", "pbrMetallicRoughness": {', TEXTURED),)),
    gltf("GLTF-SURFACE", (('"material": 0}', '"material": 0, "mode": 1}'),)),
)
