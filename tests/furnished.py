"""Random scenes with everything that a scene can contain: those of tests.strategies, with any field of any payload
changed.

FIELDS gives the possible values of each field; a scene gets some of them. References use existing names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from ir.mapping import map_bodies, map_joints, map_table
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Asset,
    Block,
    Body,
    Calibration,
    Camera,
    Channel,
    Constraint,
    ContactRule,
    Couple,
    Dof,
    DofKind,
    Extra,
    Frame,
    Geom,
    Hardware,
    HeightField,
    Interface,
    Joint,
    Keyframe,
    Light,
    Map,
    Material,
    Mesh,
    Physics,
    Role,
    Scan,
    Scope,
    Sensor,
    Stop,
    Surface,
    Tendon,
    TendonPoint,
    Transmission,
    TransmissionEnd,
)
from tests.strategies import LENGTH, NUMBER, RGBA, SHARE, between, geoms, poses, quaternions, scenes, vectors

TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
PIXELS = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000200000002080000000057dd52f80000000e49444154789c6360086058f01f"
    "00038501f0d9b5aa280000000049454e44ae426082"
)


def maybe(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(st.none(), values)


FLAG = st.booleans()
BITS = st.integers(0, 0xFFFF)
SURFACE = st.builds(
    Surface,
    mu=maybe(SHARE),
    mu2=maybe(SHARE),
    torsional=maybe(SHARE),
    rolling=maybe(SHARE),
    combine=st.sampled_from([None, "average", "minimum", "maximum", "multiply", "harmonic"]),
    fdir1=maybe(st.just((1.0, 0.0, 0.0))),
    slip1=maybe(SHARE),
    slip2=maybe(SHARE),
    restitution=maybe(SHARE),
    stiffness=maybe(between(100.0, 1e6)),
    damping=maybe(SHARE),
    max_velocity=maybe(SHARE),
    min_depth=maybe(SHARE),
    category=maybe(BITS),
    collide=maybe(BITS),
    contactless=FLAG,
)
FIELDS: Mapping[type, Mapping[str, SearchStrategy[Any]]] = {
    Body: {
        "gravity": st.sampled_from([0.0, 0.5, 1.0]),
        "kinematic": FLAG,
        "self_collide": maybe(FLAG),
        "surface": maybe(SURFACE),
        "linear_damping": maybe(SHARE),
        "angular_damping": maybe(SHARE),
    },
    Geom: {
        "surface": maybe(SURFACE),
        "mass": maybe(LENGTH),
        "density": maybe(between(1.0, 2000.0)),
        "transparency": SHARE,
        "inline": FLAG,
    },
    Camera: {
        "fov_y": between(0.2, 2.0),
        "width": maybe(st.integers(1, 640)),
        "height": maybe(st.integers(1, 480)),
        "near": maybe(between(0.01, 0.1)),
        "far": maybe(between(1.0, 100.0)),
        "pixel_format": st.sampled_from([None, "R8G8B8", "L8"]),
        "aspect": maybe(LENGTH),
        "principal": st.tuples(between(-0.2, 0.2), between(-0.2, 0.2)),
        "sensor_size": maybe(st.tuples(LENGTH, LENGTH)),
    },
    Light: {
        "kind": st.sampled_from(["point", "spot", "directional", "area"]),
        "pose": poses(),
        "diffuse": vectors(SHARE),
        "specular": vectors(SHARE),
        "intensity": maybe(LENGTH),
        "power": maybe(LENGTH),
        "range": maybe(LENGTH),
        "attenuation": maybe(vectors(SHARE)),
        "inner": maybe(between(0.1, 0.4)),
        "outer": maybe(between(0.5, 1.0)),
        "cast_shadows": FLAG,
    },
    Frame: {"role": st.sampled_from(["frame", "site"])},
    Material: {
        "ambient": maybe(RGBA),
        "specular": maybe(RGBA),
        "emissive": maybe(RGBA),
        "metallic": maybe(SHARE),
        "roughness": maybe(SHARE),
        "shininess": maybe(between(0.0, 200.0)),
        "reflectance": maybe(SHARE),
        "double_sided": FLAG,
        "repeat": st.tuples(LENGTH, LENGTH),
    },
    Joint: {
        "frame": maybe(st.just("odom")),
        "passive": FLAG,
        "properties": maybe(st.just((("kind", "wheel"),))).map(lambda value: value or ()),
        "mount": maybe(poses()),
    },
    Dof: {
        "acceleration": maybe(LENGTH),
        "deceleration": maybe(LENGTH),
        "jerk": maybe(LENGTH),
        "stiffness": SHARE,
        "spring_reference": NUMBER,
        "stop": maybe(st.builds(Stop, stiffness=LENGTH, damping=SHARE, dissipation=SHARE)),
        "calibration": maybe(
            st.builds(Calibration, rising=maybe(NUMBER), falling=maybe(NUMBER), reference=maybe(NUMBER))
        ),
    },
    Constraint: {"active": FLAG},
    Scope: {"pose": poses(), "static": FLAG, "self_collide": maybe(FLAG)},
    Actuator: {
        "kp": maybe(LENGTH),
        "kv": maybe(SHARE),
        "control_range": maybe(st.just((-1.0, 2.0))),
        "force_range": maybe(st.just((-3.0, 3.0))),
    },
    Sensor: {"rate": maybe(between(1.0, 100.0))},
    Tendon: {
        "stiffness": SHARE,
        "damping": SHARE,
        "friction": SHARE,
        "armature": SHARE,
        "rest": st.sampled_from([(), (0.5,), (0.2, 0.5)]),
        "lower": maybe(st.just(-1.0)),
        "upper": maybe(st.just(2.0)),
    },
    ContactRule: {"reason": maybe(st.just("Adjacent"))},
    Transmission: {"reduction": maybe(LENGTH)},
    TransmissionEnd: {"role": maybe(st.just("actuator1")), "reduction": maybe(LENGTH), "offset": maybe(NUMBER)},
    Keyframe: {"time": SHARE},
}
LIDARS = ("lidar", "gpu_lidar")
SITED = ("accelerometer", "touch", "gyro")
KINDS = (
    *(
        "camera",
        "lidar",
        "gpu_lidar",
        "imu",
        "force_torque",
        "contact",
        "magnetometer",
        "altimeter",
        "navsat",
        "depth_camera",
    ),
    *(*SITED, "custom", "strange"),
)


@st.composite
def altered(draw: DrawFn, value: Any) -> Any:
    """Return the payload with some of its fields changed; in half of the cases unchanged."""
    fields = FIELDS.get(type(value), {})
    if not fields or draw(FLAG):
        return value
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True))
    return replace(value, **{name: draw(fields[name]) for name in chosen})


@st.composite
def furnished(draw: DrawFn) -> Scene:
    """Return a scene of tests.strategies with additional content, and any of its fields changed."""
    scene = draw(scenes())

    def body(each: Body) -> Body:
        own: dict[str, Any] = {}
        for field in ("geoms", "frames", "cameras", "lights"):
            own[field] = tuple(draw(altered(item)) for item in getattr(each, field))
        return replace(each, **own) if each.name == WORLD else draw(altered(replace(each, **own)))

    def joint(each: Joint) -> Joint:
        free = any(dof.kind is DofKind.FREE for dof in each.dofs)
        dofs = each.dofs if free else tuple(draw(altered(dof)) for dof in each.dofs)
        return draw(altered(replace(each, dofs=dofs)))

    draw(more(scene))
    scene = map_joints(map_bodies(scene, body), joint)
    for kind in scene.tables:
        scene = map_table(scene, kind, lambda each: draw(altered(each)))
    return scene.evolve(constraints=[draw(altered(each)) for each in scene.constraints.values()])


@st.composite
def more(draw: DrawFn, scene: Scene) -> None:
    """Add to the scene what tests.strategies does not have."""
    names = [name for name in scene.bodies if name != WORLD]
    if draw(FLAG):
        draw(looks(scene))
    if draw(FLAG):
        draw(world(scene))
    if draw(FLAG):
        draw(devices(scene, names))
    if draw(FLAG):
        draw(drives(scene))
    if draw(FLAG):
        draw(cords(scene))
    if draw(FLAG):
        draw(states(scene))


def put(scene: Scene, bodies: Mapping[str, Body]) -> None:
    scene.bodies = {**scene.bodies, **bodies}


@st.composite
def looks(draw: DrawFn, scene: Scene) -> None:
    """Add images, available meshes, and a height field."""
    scene.add("asset", Asset(name="picture", uri="", kind="texture", made=PIXELS))
    scene.add("asset", Asset(name="solid", uri="", made=TETRAHEDRON))
    scene.add("asset", Asset(name="heights", uri="", kind="heightmap", made=PIXELS))
    role = draw(st.sampled_from(["normal", "occlusion", "emissive", "roughness", "orm"]))
    maps = (Map(role=role, texture="picture"),) if draw(FLAG) else ()
    texture = "picture" if draw(FLAG) else None
    scene.add("material", Material(name="paper", rgba=draw(maybe(RGBA)), texture=texture, maps=maps))
    name = draw(st.sampled_from(sorted(scene.bodies)))
    shape: Any = Mesh(asset="solid", scale=draw(vectors(LENGTH)), hull=draw(FLAG), centred=draw(FLAG))
    if draw(FLAG):
        shape = HeightField(asset="heights", size=(2.0, 2.0, draw(LENGTH)), base=draw(SHARE))
    role = draw(st.sampled_from([Role.VISUAL, Role.COLLISION, Role.BOTH]))
    geom = Geom(
        name="solid_g", role=role, shape=shape, pose=draw(poses()), material=draw(st.sampled_from([None, "paper"]))
    )
    put(scene, {name: replace(scene.bodies[name], geoms=(*scene.bodies[name].geoms, geom))})


@st.composite
def world(draw: DrawFn, scene: Scene) -> None:
    """Add the content of the world, and its settings."""
    own = scene.bodies[WORLD]
    floor = draw(geoms("floor", [], []))
    frame = Frame(name="origin", pose=draw(poses()))
    light, camera = Light(name="sun", kind="directional"), Camera(name="eye", pose=draw(poses()))
    put(
        scene,
        {
            WORLD: replace(
                own,
                geoms=(floor,) if draw(FLAG) else (),
                frames=(frame,) if draw(FLAG) else (),
                lights=(light,) if draw(FLAG) else (),
                cameras=(camera,) if draw(FLAG) else (),
            )
        },
    )
    if draw(FLAG):
        settings = Physics(
            name="physics",
            gravity=draw(vectors()),
            timestep=draw(maybe(between(0.0001, 0.01))),
            magnetic=draw(maybe(vectors())),
            wind=draw(maybe(vectors())),
        )
        scene.add("physics", settings)
    if draw(FLAG):
        extra = Extra(format="sdf", path="", text='<plugin name="p" filename="p.so"/>')
        target = draw(st.sampled_from(["", *(name for name in scene.bodies if name != WORLD)]))
        scene.add("block", Block(name="p", dialect="sdf", target=target, extras=(extra,)))


@st.composite
def scans(draw: DrawFn) -> Scan:
    """Return scans of lidars, including those that no rangefinders can express."""
    first, low = draw(st.sampled_from([-math.pi, -1.0, 0.0, 2.0])), draw(st.sampled_from([-0.4, 0.0, 0.3]))
    return Scan(
        count=draw(st.sampled_from([1, 2, 5, 3000])),
        angles=(first, first + draw(st.sampled_from([0.0, 1.5, 2 * math.pi]))),
        rows=draw(st.sampled_from([1, 1, 3])),
        tilts=(low, low + draw(st.sampled_from([0.0, 0.2, -0.1]))),
        near=draw(st.sampled_from([0.0, 0.1])),
        far=draw(st.sampled_from([0.1, 30.0])),
    )


@st.composite
def devices(draw: DrawFn, scene: Scene, names: list[str]) -> None:
    """Add sensors on links and at joints, and those of MuJoCo at sites and dofs."""
    joints, sites = [joint for joint in scene.joints.values() if joint.parent != WORLD], [*scene.frames()]
    for number in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(KINDS))
        own = Sensor(name=f"s{number}", kind=kind, body=draw(st.sampled_from(names)), pose=draw(poses()))
        if kind.endswith("camera"):
            own = replace(own, camera=draw(altered(Camera(name=f"s{number}_camera"))))
        elif kind == "force_torque" and joints:
            joint = draw(st.sampled_from(joints))
            frame, reaction = draw(st.sampled_from(["", "parent", "child"])), draw(FLAG)
            own = replace(own, body=joint.child, target=joint.name, frame=frame, reaction=reaction)
        elif kind in SITED and sites:
            own = Sensor(name=f"s{number}", kind=kind, target=draw(st.sampled_from(sites)))
        elif kind == "contact":
            geoms = [geom.name for geom in scene.body(own.body or "").geoms]
            touching = draw(st.lists(st.sampled_from(geoms), unique=True)) if geoms else []
            own = replace(own, touching=tuple(touching))
        elif kind in LIDARS and draw(FLAG):
            own = replace(own, scan=draw(scans()), noise=draw(st.sampled_from([(), (0.1,)])))
        if kind in ("force_torque", "imu"):
            own = replace(own, noise=draw(st.sampled_from([(), (0.1,), (0.1, 0.2)])))
        scene.add("sensor", draw(altered(own)) if own.body else own)


@st.composite
def drives(draw: DrawFn, scene: Scene) -> None:
    """Add actuators of joints, links and sites, transmissions and hardware."""
    dofs = [name for name, (_, dof) in scene.dofs().items() if dof.kind in (DofKind.HINGE, DofKind.SLIDE)]
    for number, name in enumerate(dofs[: draw(st.integers(0, 3))]):
        kind = draw(st.sampled_from(["motor", "position", "velocity", "general", "strange"]))
        gear = draw(st.sampled_from([(1.0,), (2.5,), (-1.0,), (0.0,)]))
        scene.add("actuator", draw(altered(Actuator(name=f"a{number}", kind=kind, dof=name, gear=gear))))
        if draw(FLAG):
            ends = tuple(draw(altered(TransmissionEnd(name=end, interfaces=("position",)))) for end in dofs[:2])
            motors = (draw(altered(TransmissionEnd(name=f"a{number}"))),)
            kind = draw(st.sampled_from(["transmission_interface/SimpleTransmission", "differential"]))
            scene.add("transmission", Transmission(name=f"t{number}", kind=kind, joints=ends, actuators=motors))
    if scene.frames() and draw(FLAG):
        site = next(iter(scene.frames()))
        scene.add("actuator", Actuator(name="thrust", kind="general", transmission="site", target=site))
    if dofs and draw(FLAG):
        bounds = Interface(name="position", minimum=draw(maybe(NUMBER)), initial=draw(maybe(NUMBER)))
        channels = (Channel(name=dofs[0], commands=(bounds,), states=(Interface(name="velocity"),)),)
        scene.add("hardware", Hardware(name="hw", kind="system", plugin="p/P", channels=channels))


@st.composite
def cords(draw: DrawFn, scene: Scene) -> None:
    """Add tendons along sites, and couplings of joints and tendons."""
    sites = [*scene.frames()]
    scalar = [name for name, (_, dof) in scene.dofs().items() if dof.kind in (DofKind.HINGE, DofKind.SLIDE)]
    if len(sites) > 1:
        points = tuple(TendonPoint(kind="site", target=name) for name in sites[:2])
        scene.add("tendon", draw(altered(Tendon(name="cord", kind="spatial", points=points))))
        if draw(FLAG):
            scene.add("actuator", Actuator(name="winch", kind="motor", transmission="tendon", target="cord"))
        if draw(FLAG):
            spec = Couple(first="cord", of="tendon", coefficients=(0.1, 0.0, 0.0, 0.0, 0.0))
            scene.add_constraint(Constraint(name="taut", parent=WORLD, child=WORLD, spec=spec))
    if len(scalar) > 1:
        ends = [scene.dofs()[name][0].child for name in scalar[:2]]
        coefficients = (draw(NUMBER), draw(NUMBER), draw(st.sampled_from([0.0, 0.5])), 0.0, 0.0)
        spec = Couple(first=scalar[0], second=scalar[1], coefficients=coefficients)
        scene.add_constraint(Constraint(name="geared", parent=ends[0], child=ends[1], spec=spec))
    geoms = [geom.name for geom in scene.geoms() if geom.role in Role.COLLIDING]
    if len(geoms) > 1:
        rule = ContactRule(name="pair", first=geoms[0], second=geoms[1], include=True, surface=draw(maybe(SURFACE)))
        scene.add("contact", rule)


@st.composite
def states(draw: DrawFn, scene: Scene) -> None:
    """Add a keyframe with positions and velocities of the dofs."""
    positions, velocities = [], []
    for name, (_, dof) in scene.dofs().items():
        if draw(FLAG):
            continue
        turn = draw(quaternions())
        value = {DofKind.FREE: (*draw(vectors()), *turn), DofKind.BALL: turn}.get(dof.kind, (draw(NUMBER),))
        positions.append((name, value))
        if dof.kind in (DofKind.HINGE, DofKind.SLIDE) and draw(FLAG):
            velocities.append((name, (draw(NUMBER),)))
    own = Keyframe(name="there", positions=tuple(positions), velocities=tuple(velocities))
    scene.add("keyframe", draw(altered(own)))
