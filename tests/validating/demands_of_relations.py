"""What MuJoCo requires of assets, custom data, actuators, tendons, sensors and keyframes: reported where it refuses."""

from __future__ import annotations

from tests.validating.test_demands import usual

BODIES = (
    '<worldbody><site name="w"/><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/>'
    '<site name="t" pos="0 0 .5"/></body><body name="f" pos="1 0 0"><joint name="k" type="ball"/>'
    '<geom name="h" size=".1"/><site name="u"/><body><joint name="l" range="-1 1"/><geom size=".1"/></body></body>'
    '<body name="m" mocap="true"><geom size=".1"/></body></worldbody>'
)
TENDONS = (
    '<tendon><spatial name="wrapped"><site site="s"/><geom geom="g"/><site site="u"/></spatial>'
    '<fixed name="sum"><joint joint="j" coef="1"/></fixed></tendon>'
)
CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1"


def model(section: str, element: str, before: str = "") -> str:
    return f"<mujoco>{before}{BODIES}{TENDONS}<{section}>{element}</{section}></mujoco>"


def acted(element: str) -> str:
    return model("actuator", element)


def measured(element: str) -> str:
    return model("sensor", element)


def asset(element: str) -> str:
    texture = '<texture name="x" type="2d" builtin="flat" width="4" height="4"/>'
    return model("asset", texture + element)


def shown(geom: str) -> str:
    return asset('<hfield name="a" nrow="2" ncol="2" size="1 1 1 1"/>').replace("<geom ", f"<geom {geom}/><geom ", 1)


def made(mesh: str) -> str:
    return asset(f'<mesh name="a" {mesh}/>')


FIELD = '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>'


def worn(mesh: str, geom: str, beside: str = "") -> str:
    return asset(f'<mesh name="a" {mesh}/>{beside}').replace("<geom ", f'<geom mesh="a" {geom}/><geom ', 1)


def painted(texture: str) -> str:
    return asset(f'<texture name="a" builtin="flat" width="4" height="4" type="2d" {texture}/>')


def custom(element: str) -> str:
    return model("custom", element)


def pulled(points: str, attrs: str = "") -> str:
    return model("tendon", f"<spatial {attrs}>{points}</spatial>")


def key(attrs: str) -> str:
    return model("keyframe", f"<key {attrs}/>", '<actuator><pid joint="j"/><intvelocity joint="j"/></actuator>')


SUMMED = '<joint joint="{}" coef="1"/>'
SITES = '<site site="s"/><site site="u"/>'
ROUND = '<spatial><site site="s"/><geom geom="h"/><site site="u"/></spatial>'
REFUSED = [
    ("XML-REQUIRED", acted('<motor joint="j" delay=".1"/>')),
    ("XML-REQUIRED", acted('<motor cranksite="s" cranklength=".1"/>')),
    ("XML-REQUIRED", acted('<motor cranksite="s" slidersite="t"/>')),
    ("MJCF-INVALID", acted('<motor joint="j" cranklength=".1"/>')),
    ("MJCF-INVALID", acted('<motor joint="j" refsite="s"/>')),
    ("REF-MISSING", acted('<motor cranksite="s" slidersite="none" cranklength=".1"/>')),
    ("REF-MISSING", acted('<motor site="s" refsite="none"/>')),
    *(
        ("MJCF-INVALID", model("tendon", ROUND).replace('"h" size=".1"', f'"h" type="{shape}" size=".1 .1 .1"'))
        for shape in ("box", "capsule", "ellipsoid")
    ),
    ("MJCF-INVALID", acted('<motor site="s" armature=".1"/>')),
    ("MJCF-INVALID", acted('<motor site="s" damping="0 1"/>')),
    ("MJCF-INVALID", acted('<motor tendon="wrapped" armature=".1"/>')),
    ("LIMIT-ORDER", acted('<position joint="j" inheritrange="1"/>')),
    ("LIMIT-ORDER", acted('<intvelocity tendon="sum" inheritrange="1"/>')),
    ("MJCF-INVALID", acted('<position joint="k" inheritrange="1"/>')),
    ("MJCF-INVALID", acted('<position site="s" inheritrange="1"/>')),
    ("XML-ONE-OF", acted('<position joint="l" inheritrange="1" ctrlrange="0 1"/>')),
    ("XML-ONE-OF", acted('<pid joint="l" inheritrange="1" posrange="0 1"/>')),
    ("XML-ONE-OF", acted('<intvelocity joint="l" inheritrange="1" actrange="0 1"/>')),
    ("MJCF-INVALID", acted('<general joint="j" actdim="2"/>')),
    ("MJCF-INVALID", acted('<general joint="j" actdim="1"/>')),
    ("MJCF-INVALID", acted('<general joint="j" actdim="0" dyntype="filter"/>')),
    ("LIMIT-ORDER", acted('<damper joint="j"/>')),
    ("LIMIT-ORDER", acted('<damper joint="j" ctrlrange="-1 1"/>')),
    ("LIMIT-ORDER", acted('<adhesion body="b" ctrlrange="1 1"/>')),
    ("XML-REQUIRED", acted('<muscle joint="j"/>')),
    ("XML-REQUIRED", acted('<muscle joint="k" lengthrange="1 1"/>')),
    ("XML-REQUIRED", acted('<general joint="j" biastype="muscle" biasprm="0 1 1 1 .5 2 1 1 1"/>')),
    ("LIMIT-ORDER", acted('<muscle joint="j" lengthrange="0 1" range="1 1"/>')),
    ("LIMIT-ORDER", acted('<muscle joint="j" lengthrange="0 1" lmax="1"/>')),
    ("MJCF-INVALID", acted('<muscle joint="j" lengthrange="0 1" vmax="0"/>')),
    ("LIMIT-ORDER", acted('<general joint="j" lengthrange="0 1" gaintype="muscle" gainprm="1 1 1 1 .5 2 1 1 1"/>')),
    ("LIMIT-ORDER", acted('<general joint="j" lengthrange="0 1" biastype="muscle" biasprm="0 1 1 1 1.5 2 1 1 1"/>')),
    ("MJCF-INVALID", acted('<general joint="j" lengthrange="0 1" gaintype="muscle" gainprm="0 1 1 1 .5 2 0 1 1"/>')),
    ("MJCF-INVALID", acted('<general joint="j" lengthrange="0 1" gaintype="muscle" gainprm="0 1 1 -1 .5 2 1 1 1"/>')),
    ("MJCF-INVALID", made(f'vertex="{CORNERS}" refquat="0 0 0 0"')),
    ("MJCF-INVALID", acted('<muscle joint="j" lengthrange="0 1" tausmooth="-1"/>')),
    ("XML-REQUIRED", acted('<dcmotor joint="j" motorconst=".1"/>')),
    ("XML-REQUIRED", acted('<dcmotor joint="j" resistance="1"/>')),
    ("MJCF-INVALID", acted('<dcmotor joint="j" motorconst=".1 -1" resistance="1"/>')),
    ("XML-REQUIRED", acted('<dcmotor joint="j" motorconst=".1" resistance="1" thermal="1"/>')),
    ("XML-REQUIRED", acted('<dcmotor joint="j" motorconst=".1" resistance="1" controller="1"/>')),
    ("XML-REQUIRED", acted('<dcmotor joint="j" motorconst=".1" resistance="1" controller="0 1" input="vel"/>')),
    ("XML-REQUIRED", acted('<pid joint="j" ki="1" input="vel"/>')),
    ("MJCF-INVALID", acted('<pid joint="j" ki="-1"/>')),
    ("MJCF-INVALID", acted('<orientation joint="j"/>')),
    ("XML-REQUIRED", acted('<orientation site="s"/>')),
    ("LIMIT-ORDER", acted('<orientation joint="k" forcerange="-1 1"/>')),
    ("XML-REQUIRED", asset(f'<mesh vertex="{CORNERS}"/>')),
    ("XML-REQUIRED", asset('<hfield nrow="2" ncol="2" size="1 1 1 1"/>')),
    ("XML-REQUIRED", asset('<hfield name="a" nrow="2" ncol="2"/>')),
    ("XML-REQUIRED", asset('<hfield name="a" nrow="1" ncol="2" size="1 1 1 1"/>')),
    ("MJCF-INVALID", shown('type="box" size="1 1 1" hfield="a"')),
    ("MJCF-INVALID", worn('builtin="sphere" params="1"', 'type="hfield" hfield="h"', FIELD)),
    ("XML-REQUIRED", made("")),
    ("XML-REQUIRED", made('vertex="0 0 0 1 0 0 0 1 0"')),
    ("MJCF-INVALID", made(f'vertex="{CORNERS}" face="0 1 9"')),
    ("NUM-COUNT", made(f'vertex="{CORNERS}" texcoord="0 0"')),
    ("XML-REQUIRED", made('builtin="sphere"')),
    ("NUM-COUNT", made('builtin="sphere" params="1 2"')),
    ("MJCF-INVALID", made('builtin="sphere" params="5"')),
    *(
        ("MJCF-INVALID", made(f'builtin="{name}"'))
        for name in (
            'cone" params="2 .5',
            'cone" params="5 1.5',
            'hemisphere" params="11',
            'supersphere" params="2.9 1 1',
            'supersphere" params="5 1 -1',
            'supertorus" params="2 .5 1 1',
            'supertorus" params="5 0 1 1',
            'supertorus" params="5 .5 0 1',
            'supertorus" params="5 .5 1 0',
            'wedge" params="0 5 30 30 0',
            'wedge" params="5 5 181 30 0',
            'wedge" params="5 5 30 91 0',
            'wedge" params="5 5 30 30 1.1',
            'plate" params="5 0.9',
        )
    ),
    ("NUM-COUNT", made('builtin="box" params="3 3 3"')),
    ("XML-REQUIRED", asset('<texture name="a" type="2d"/>')),
    ("NUM-COUNT", painted('gridlayout=".."')),
    ("MJCF-INVALID", painted('nchannel="4"')),
    ("MJCF-INVALID", painted('embed="false"')),
    ("XML-ONE-OF", asset('<material name="a" texture="x"><layer texture="x" role="rgb"/></material>')),
    ("XML-REQUIRED", asset('<material name="a"><layer texture="x"/></material>')),
    ("REF-MISSING", asset('<material name="a"><layer texture="no" role="rgb"/></material>')),
    ("XML-REQUIRED", custom('<numeric data="1"/>')),
    ("XML-REQUIRED", custom('<numeric name="a"/>')),
    ("MJCF-INVALID", custom('<numeric name="a" data="one"/>')),
    ("MJCF-INVALID", custom('<numeric name="a" size="0" data="1"/>')),
    ("NUM-COUNT", custom('<numeric name="a" size="1" data="1 2"/>')),
    ("MJCF-INVALID", custom('<text name="a"/>')),
    ("XML-REQUIRED", custom('<tuple name="a"/>')),
    ("XML-REQUIRED", custom('<tuple name="a"><element objtype="body"/></tuple>')),
    ("MJCF-INVALID", custom('<tuple name="a"><element objtype="no" objname="b"/></tuple>')),
    ("MJCF-INVALID", model("tendon", f"<fixed>{''.join(map(SUMMED.format, 'jlj'))}</fixed>")),
    ("XML-REQUIRED", pulled(f"{SITES}<pulley/>{SITES}")),
    ("XML-REQUIRED", pulled('<site site="s"/>')),
    ("XML-REQUIRED", pulled(f'{SITES}<pulley divisor="2"/>')),
    ("XML-REQUIRED", pulled(f'<pulley divisor="2"/><pulley divisor="2"/>{SITES}')),
    ("XML-REQUIRED", pulled('<site site="s"/><geom geom="g"/>')),
    ("MJCF-INVALID", pulled('<site site="s"/><site site="s"/>')),
    ("REF-MISSING", pulled('<site site="s"/><geom geom="g" sidesite="no"/><site site="u"/>')),
    ("MJCF-INVALID", pulled('<site site="s"/><geom geom="g"/><site site="u"/>', 'armature="1"')),
    ("XML-REQUIRED", model("tendon", "<fixed/>")),
    ("MJCF-INVALID", measured('<gyro site="s" noise="-1"/>')),
    ("MJCF-INVALID", measured('<gyro site="s" cutoff="-1"/>')),
    ("MJCF-INVALID", measured('<gyro site="s" interval="1 1"/>')),
    ("XML-REQUIRED", measured('<gyro site="s" delay="1"/>')),
    ("MJCF-INVALID", measured('<framequat objtype="body" objname="b" cutoff="1"/>')),
    ("XML-REQUIRED", measured('<framepos objname="b"/>')),
    ("XML-REQUIRED", measured('<framepos objtype="body" objname="b" reftype="body"/>')),
    ("XML-REQUIRED", measured('<user dim="1" objtype="body"/>')),
    ("XML-REQUIRED", measured("<user/>")),
    ("MJCF-INVALID", measured('<user dim="-1"/>')),
    ("XML-REQUIRED", measured("<rangefinder/>")),
    ("XML-REQUIRED", measured('<distance geom1="g"/>')),
    ("XML-ONE-OF", measured('<distance geom1="g" geom2="h" body1="b"/>')),
    ("MJCF-INVALID", measured('<normal body1="b" body2="b"/>')),
    ("XML-ONE-OF", measured('<contact geom1="g" site="s"/>')),
    ("MJCF-INVALID", measured('<contact geom1="g" num="0"/>')),
    ("XML-REQUIRED", measured('<insidesite objtype="body" objname="b"/>')),
    ("MJCF-INVALID", measured('<insidesite site="s" objtype="body" objname="b" enclosed="1"/>')),
    ("MJCF-INVALID", measured('<jointvel joint="k"/>')),
    ("MJCF-INVALID", measured('<ballquat joint="j"/>')),
    ("LIMIT-ORDER", measured('<jointlimitfrc joint="j"/>')),
    ("LIMIT-ORDER", measured('<tendonlimitpos tendon="sum"/>')),
    ("NUM-COUNT", key('qvel="1 2 3 4 5 6"')),
    ("NUM-COUNT", key('ctrl="1 2 3 4"')),
    ("NUM-COUNT", key('mpos="1 2 3 4"')),
]
TAKEN = [
    acted('<muscle joint="l"/>'),
    model("actuator", '<muscle joint="j"/>', '<compiler><lengthrange mode="none"/></compiler>'),
    worn('builtin="sphere" params="1"', 'type="box"'),
    acted('<motor joint="j" delay=".1" nsample="2"/><motor joint="j" delay="-1"/><motor tendon="sum" armature="1"/>'),
    acted('<motor cranksite="s" slidersite="t" cranklength=".1"/><motor site="s" refsite="w" armature="0"/>'),
    acted('<motor site="s" refsite=""/>'),
    model("tendon", f"<fixed>{''.join(map(SUMMED.format, 'jl'))}</fixed>"),
    acted('<position joint="l" inheritrange="1"/><position joint="j" inheritrange="0" ctrlrange="0 1"/>'),
    acted('<general joint="j" actdim="2" dyntype="user"/><general joint="j" actdim="0"/>'),
    acted('<damper joint="j" ctrlrange="0 1"/><muscle joint="j" lengthrange="0 1" vmax="-1"/>'),
    acted('<general joint="j" lengthrange="0 1" gaintype="muscle" gainprm="0 1 -1 1 .5 2 1 1 1"/>'),
    acted('<dcmotor joint="j" resistance="1" input="none"/><dcmotor joint="j" nominal="12 2 30"/>'),
    acted('<dcmotor joint="j" motorconst=".1" resistance="1" thermal="1 0 2" controller="1" input="vel"/>'),
    acted('<pid joint="j" ki="1"/><orientation joint="k" forcerange="0 1"/><orientation site="s" refsite="w"/>'),
    model(
        "actuator",
        '<motor class="c" joint="j"/><damper class="d" joint="j"/>',
        usual(
            '<default class="c"><motor cranklength="1" nsample="2" delay="1"/></default>'
            '<default class="d"><motor ctrlrange="0 1" ctrllimited="false"/></default>'
        ),
    ),
    asset('<texture type="skybox" builtin="flat" width="4" height="4"/>'),
    asset('<hfield name="a" nrow="2" ncol="2" size="1 1 1 1"/>'),
    made('builtin="sphere" params="4"'),
    made('builtin="grid" params="3 3 1 1 1 1 2"'),
    made(f'vertex="{CORNERS}" texcoord="0 0 0 1 1 0 1 1"'),
    painted('gridsize="2 2" gridlayout="...."'),
    asset('<material name="a"><layer texture="x" role="rgb"/></material>'),
    custom('<numeric name="a" size="3"/><numeric name="b" size="3" data="1 2"/><numeric name="" data="1"/>'),
    custom(
        '<tuple name="a"><element objtype="body" objname="b" prm="1"/><element objtype="joint" objname="j"/></tuple>'
    ),
    pulled('<site site="s"/><geom geom="g" sidesite="t"/><site site="s"/>'),
    pulled(f'<pulley divisor="2"/>{SITES}'),
    pulled(f'{SITES}<pulley divisor="2"/><site site="u"/><site site="s"/>', 'armature="1"'),
    measured('<gyro site="s" interval="1 -.5" delay="1" nsample="2" cutoff="1" noise="1"/>'),
    measured('<framepos objtype="body" objname="b" reftype="site" refname="s"/><user dim="2"/><contact/>'),
    measured('<distance geom1="g" body2="f"/><jointpos joint="j"/><ballquat joint="k"/><jointlimitpos joint="l"/>'),
    measured('<insidesite site="s" objtype="body" objname="b" enclosed="true"/><rangefinder site="s"/>'),
    key('qpos="1 2 3 4 5 6" qvel="1 2 3 4 5" ctrl="1 2 3" act="1" mpos="1 2 3" mquat="1 0 0 0"'),
    key('qpos="1 2 3" ctrl="1"'),
]
