"""MuJoCo's requirements for bodies, their masses, settings and classes: reported where it refuses a model."""

from __future__ import annotations

from tests.validating.test_demands import body, tied, usual, world

ROUND = '<geom size=".1"/>'
TURNING = f"<joint/>{ROUND}"
PLANE = '<geom type="plane" size="1 1 1"/>'
CLOTH = '<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2"/>'
CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1"
MESH = f'<asset><mesh name="m" vertex="{CORNERS}"/></asset>'
HUNG = '<body mocap="true"><geom size=".1"/></body>'
SHELL = f'<mesh name="m" inertia="shell" face="0 2 1 0 1 3 0 3 2 1 2 3" vertex="{CORNERS}" scale'


def heavy(moments: str) -> str:
    return f'<inertial pos="0 0 0" mass="1" {moments}/>'


def named(before: str = "", after: str = "") -> str:
    return body('<joint name="j"/><geom name="g" size=".1"/><site name="s"/>', before=before, after=after)


def custom(objects: str) -> str:
    return named(after=f'<custom><tuple name="t">{objects}</tuple></custom>')


def skinned(bone: str) -> str:
    bones = f'<bone body="{bone}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'
    return named(after=f'<deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">{bones}</skin></deformable>')


def soft(integrator: str, inner: str, dim: int = 2, said: str = "") -> str:
    """Return a model with a flexible body; said: its own attributes."""
    count = ("3 1 1", "3 3 1", "3 3 3")[dim - 1]
    start = f'<flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" radius=".01" dim="{dim}" {said}>'
    return world(f"{start}{inner}</flexcomp>", before=f'<option integrator="{integrator}"/>')


YOUNG, BENT = '<elasticity young="1e4"/>', '<elasticity young="1e4" thickness=".01" elastic2d="bend"/>'


REFUSED = [
    *(("MJCF-INVALID", soft(how, YOUNG, 3)) for how in ("implicit", "implicitfast")),
    ("MJCF-INVALID", soft("implicitfast", f'{YOUNG}<pin id="0 1"/>', 1)),
    ("MJCF-INVALID", soft("implicitfast", BENT)),
    ("MJCF-INVALID", soft("implicitfast", YOUNG, 3, 'dof="trilinear"')),
    *(("MJCF-INVALID", soft("discrete", f'<edge {name}="1"/>', 1)) for name in ("stiffness", "damping")),
    ("REF-MISSING", custom('<element objtype="body" objname="none"/>')),
    ("REF-MISSING", custom('<element objtype="site" objname="j"/>')),
    ("REF-MISSING", skinned("none")),
    ("NUM-COUNT", named(after='<keyframe><key plastic="1 2 3"/></keyframe>')),
    ("NUM-COUNT", world('<geom size=".1" user="1 2"/>', before='<size nuser_geom="1"/>')),
    ("NUM-COUNT", named('<size nuser_actuator="0"/>', '<actuator><motor joint="j" user="1"/></actuator>')),
    ("MJCF-INVALID", body('<freejoint group=""/>', ROUND)),
    ("MJCF-INVALID", named('<visual><headlight active="7"/></visual>')),
    ("MJCF-INVALID", named('<visual><headlight active="-1"/></visual>')),
    ("MJCF-INVALID", named('<size memory="0"/>')),
    ("MJCF-INVALID", named('<size nuser_cam="-2"/>')),
    ("MJCF-INVALID", named('<size njmax="-2"/>')),
    ("MJCF-INVALID", named('<size nuserdata="-1"/>')),
    ("MJCF-INVALID", named(f'<asset><mesh name="m" scale="0 1 1" vertex="{CORNERS}"/></asset>')),
    ("MJCF-INVALID", named(f'<asset>{SHELL}="0 0 1"/></asset>')),
    ("MJCF-INVALID", body("<joint/>", '<geom type="mesh" mesh="m" mass="-1"/>', before=MESH)),
    ("MJCF-INVALID", body(ROUND, '<geom type="mesh" mesh="m" density="-1"/>', before=MESH)),
    ("MJCF-INVALID", body("<joint/>", '<geom size=".1" mass="-1" density="5"/>')),
    ("MJCF-INVALID", body("<joint/>", heavy('diaginertia="0 0 0"'))),
    ("MJCF-INVALID", body('<joint type="slide"/>', heavy('diaginertia="1 1 0"'))),
    ("MJCF-INVALID", body("<freejoint/>", heavy(""))),
    ("MJCF-DOFS", body('<joint type="ball"/><joint/>', ROUND)),
    ("MJCF-DOFS", body('<joint type="ball"/><joint type="ball"/>', ROUND)),
    ("MJCF-DOFS", body("".join(f'<joint type="slide" axis="{each} 1 0"/>' for each in range(7)), ROUND)),
    ("MJCF-DOFS", body("<freejoint/><joint/>", ROUND)),
    ("MJCF-DOFS", body("<joint/><freejoint/>", ROUND)),
    ("TREE-FREE", body(TURNING, f"<body><freejoint/>{ROUND}</body>")),
    ("MJCF-INVALID", body(TURNING, PLANE)),
    ("MJCF-INVALID", body(TURNING, f"<body>{PLANE}</body>")),
    ("MJCF-INVALID", world('<body mocap="true"><joint/><geom size=".1"/></body>')),
    ("MJCF-INVALID", body(ROUND, HUNG)),
    ("MJCF-INVALID", body(ROUND, f"<frame>{HUNG}</frame>")),
    ("MJCF-INVALID", tied('<weld body1="b" body2="b"/>')),
    ("MJCF-INVALID", tied('<joint joint1="j" joint2="j"/>')),
    ("MJCF-INVALID", tied('<connect site1="s" site2="s"/>')),
    ("MJCF-INVALID", body(TURNING, '<geom type="capsule" fromto="0 0 0 0 0 1e-7" size=".1"/>')),
    ("MJCF-INVALID", body(TURNING, '<site type="capsule" fromto="1 0 0 1 0 0" size=".1"/>')),
    ("MJCF-INVALID", body('<replicate count="2"><joint/></replicate>', ROUND)),
    ("MJCF-INVALID", body('<frame><replicate count="1"><frame><freejoint/></frame></replicate></frame>', ROUND)),
    ("MJCF-INVALID", world(f'<replicate count="2">{CLOTH}</replicate>')),
    ("MJCF-INVALID", world(f"<body>{ROUND}<frame>{CLOTH}</frame></body>")),
    ("MJCF-INVALID", world('<frame name="f"/><body><frame name="f"/></body>')),
    ("LIMIT-ORDER", named(usual('<damper kv="1" ctrlrange="-1 1"/>'))),
    ("LIMIT-ORDER", named(usual('<adhesion gain="1" ctrlrange="-1 1"/>'))),
    ("XML-REQUIRED", named(usual('<dcmotor resistance="1"/>'))),
    ("XML-REQUIRED", named(usual('<default class="c"><dcmotor motorconst="1"/></default>'))),
    (
        "XML-REQUIRED",
        named(usual('<dcmotor motorconst="1" resistance="1"/><default class="c"><dcmotor resistance="0"/></default>')),
    ),
]
TAKEN = [
    *(soft(how, YOUNG, 3) for how in ("Euler", "RK4", "discrete")),
    soft("implicitfast", YOUNG),
    soft("implicitfast", YOUNG, 3, 'rigid="true"'),
    soft("implicitfast", f'{YOUNG}<pin gridrange="0 0 0 2 2 2"/>', 3),
    soft("implicit", '<edge stiffness="1"/>', 1),
    soft("discrete", '<edge damping="1"/>', 1, 'rigid="true"'),
    custom('<element objtype="body" objname="b"/><element objtype="xbody" objname="world"/>'),
    skinned("b"),
    named('<size nuser_geom="0"/><size nuser_geom="1"/><visual><headlight active="0"/></visual>'),
    world('<geom size=".1" user="1 2"/>', before='<size nuser_geom="-1" memory="1M"/>'),
    named(f'<asset>{SHELL}="0 1 1"/></asset>'),
    body("<joint/>", heavy('diaginertia="1 1 1"'), '<geom type="mesh" mesh="m" mass="-1"/>', before=MESH),
    world('<geom type="mesh" mesh="m" mass="-1"/>', before=MESH),
    body("<joint/>", ROUND, '<geom size=".1" mass="1" density="-5"/>'),
    body(TURNING, '<geom size=".1" mass="-1" group="1"/>', before='<compiler inertiagrouprange="0 0"/>'),
    body("<joint/>", heavy('diaginertia="0 0 0"'), f"<body>{ROUND}</body>"),
    body("<joint/>", heavy('diaginertia="0 0 0"'), before='<compiler boundinertia=".1"/>'),
    body('<joint/><joint type="ball"/>', ROUND),
    body('<joint type="ball"/><joint type="slide"/>', ROUND),
    body(ROUND, PLANE),
    world(f'<replicate count="2"><body><frame>{TURNING}</frame></body></replicate>'),
    body(ROUND, f"<frame>{CLOTH}</frame>"),
    world(f'<frame name="b"/><frame/><frame/><body name="b">{ROUND}</body>', CLOTH),
    world(f'<frame>{HUNG}</frame><body mocap="true"><geom size=".1"/><body>{TURNING}</body></body>'),
    tied('<weld body1="b" body2="world"/>'),
    body(TURNING, '<geom type="capsule" fromto="0 0 0 0 0 1.1e-7" size=".1"/>'),
    body(TURNING, '<geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/>', before=usual('<geom pos="0 0 0"/>')),
    body(TURNING, '<site type="capsule" fromto="0 0 0 0 0 1" size=".1" pos="0 0 0" euler="1 0 0"/>'),
    named(usual('<dcmotor motorconst="1" resistance="1"/><default class="c"><dcmotor controller="0"/></default>')),
    named(usual('<dcmotor resistance="1" input="none"/>')),
]
