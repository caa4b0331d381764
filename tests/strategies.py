"""Random valid scenes for Hypothesis: trees of one to eight bodies with every kind of dof, shape and table.

Numbers have six decimals: they shrink to round ones, and no engine gets a denormal.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ir.pose import from_rpy, normalise_exactly, pose_from_rpy
from ir.scene import Scene
from ir.types import (
    WORLD,
    Actuator,
    Approximation,
    Asset,
    Ball,
    Body,
    Box,
    Camera,
    Capsule,
    Cone,
    Connect,
    Constraint,
    ContactRule,
    Couple,
    Cylinder,
    Dof,
    DofKind,
    Ellipsoid,
    EndEffector,
    Extra,
    Frame,
    Geom,
    Group,
    Inertial,
    Joint,
    Keyframe,
    Light,
    Material,
    Mesh,
    Mimic,
    Plane,
    Polyline,
    Pose,
    Quat,
    Role,
    Scope,
    Sensor,
    Shape,
    SoftLimits,
    Sphere,
    Tendon,
    TendonPoint,
    Transmission,
    TransmissionEnd,
    Vec3,
    WeldTo,
)

ALL_KINDS = tuple(DofKind)


def between(low: float, high: float) -> SearchStrategy[float]:
    """Return numbers with six decimals, both ends included."""
    return st.integers(round(low * 1_000_000), round(high * 1_000_000)).map(lambda number: number / 1_000_000)


NUMBER = between(-2.0, 2.0)
LENGTH = between(0.01, 2.0)
SHARE = between(0.0, 1.0)


def vectors(number: SearchStrategy[float] = NUMBER) -> SearchStrategy[Vec3]:
    return st.tuples(number, number, number)


RPY = vectors(between(-3.2, 3.2))
RGBA = st.tuples(SHARE, SHARE, SHARE, SHARE)


@st.composite
def quaternions(draw: DrawFn) -> Quat:
    """Return unit quaternions, of either sign."""
    q = draw(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER).filter(lambda q: sum(c * c for c in q) > 0.01))
    return normalise_exactly(q)


@st.composite
def axes(draw: DrawFn) -> Vec3:
    """Return unit vectors: along an axis of the frame, or in any direction."""
    if draw(st.booleans()):
        return draw(st.sampled_from([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]))
    v = draw(vectors().filter(lambda v: sum(c * c for c in v) > 0.01))
    length = sum(c * c for c in v) ** 0.5
    return (v[0] / length, v[1] / length, v[2] / length)


@st.composite
def poses(draw: DrawFn) -> Pose:
    """Return poses, half of them with the author's angles, half with only a quaternion."""
    pos = draw(vectors())
    return pose_from_rpy(pos, draw(RPY)) if draw(st.booleans()) else Pose(pos, draw(quaternions()))


@st.composite
def inertials(draw: DrawFn) -> Inertial:
    """Return the inertia of a box anywhere in the frame of the body, which is always valid. Half have products of
    inertia."""
    from ir.pose import rotate_tensor

    mass = draw(between(0.1, 10.0))
    x, y, z = draw(vectors(between(0.1, 1.0)))
    tensor = (mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12, 0.0, 0.0, 0.0)
    if draw(st.booleans()):
        tensor = rotate_tensor(from_rpy(draw(RPY)), tensor)
    return Inertial(mass=mass, tensor=tensor, pose=draw(poses()))


@st.composite
def solids(draw: DrawFn) -> Shape:
    """Return every shape that encloses a volume."""
    a, b, c = draw(vectors(LENGTH))
    star = ((0.0, 0.0), (a, -b), (2 * a, 0.0), (a, c))
    makers: list[Shape] = [
        Box(size=(a, b, c)),
        Sphere(radius=a),
        Cylinder(radius=a, length=b),
        Capsule(radius=a, length=b),
        Ellipsoid(radii=(a, b, c)),
        Cone(radius=a, length=b),
        Polyline(points=star, height=b),
    ]
    return draw(st.sampled_from(makers))


@st.composite
def geoms(draw: DrawFn, name: str, materials: Sequence[str], meshes: Sequence[str]) -> Geom:
    shape: Shape = draw(solids())
    choice = draw(st.integers(0, 9))
    if choice == 0:
        shape = Plane(normal=draw(axes()))
    elif choice == 1 and meshes:
        shape = Mesh(asset=draw(st.sampled_from(meshes)), scale=draw(vectors(LENGTH)))
    role = draw(st.sampled_from([Role.VISUAL, Role.COLLISION, Role.BOTH, "collision_checking"]))
    material = draw(st.sampled_from([None, *materials])) if role != Role.COLLISION else None
    return Geom(name=name, role=role, shape=shape, pose=draw(poses()), material=material)


@st.composite
def dofs(draw: DrawFn, name: str, kind: DofKind) -> Dof:
    if kind in (DofKind.BALL, DofKind.FREE):
        anchor = draw(vectors()) if kind is DofKind.BALL else (0.0, 0.0, 0.0)
        return Dof(name=name, kind=kind, anchor=anchor, armature=draw(SHARE))
    lower, upper = sorted(draw(st.tuples(NUMBER, NUMBER)))
    limited = draw(st.booleans())
    return Dof(
        name=name,
        kind=kind,
        axis=draw(axes()),
        anchor=draw(st.one_of(st.just((0.0, 0.0, 0.0)), vectors())),
        lower=lower if limited else None,
        upper=upper if limited else None,
        zero=draw(st.one_of(st.just(0.0), NUMBER)),
        effort=draw(st.one_of(st.none(), LENGTH)),
        velocity=draw(st.one_of(st.none(), LENGTH)),
        damping=draw(SHARE),
        friction=draw(SHARE),
        armature=draw(SHARE),
        pitch=draw(NUMBER) if kind is DofKind.SCREW else None,
        soft=SoftLimits(k_velocity=1.0, lower=lower, upper=upper) if draw(st.booleans()) else None,
    )


@st.composite
def kinds_of_a_joint(draw: DrawFn, allowed: Sequence[DofKind]) -> list[DofKind]:
    """Return a weld, one dof, or several: a ball is the only rotation of its joint, a free dof is the only one
    (MuJoCo's rules)."""
    kinds = draw(st.lists(st.sampled_from(allowed), max_size=3))
    if DofKind.FREE in kinds:
        return [DofKind.FREE]
    if DofKind.BALL in kinds:
        slides = [kind for kind in kinds if kind is DofKind.SLIDE]
        return [*slides, DofKind.BALL]
    return kinds


@st.composite
def trees(
    draw: DrawFn, kinds: Sequence[DofKind] = ALL_KINDS, *, free_inside: bool = True, massless: bool = True
) -> Scene:
    """Return up to eight bodies, with only tree joints, with inertia; roots are fixed, floating or unspecified.

    kinds: allowed kinds of dofs. free_inside: free dofs also below other bodies. massless: some bodies have no inertia.
    """
    scene = Scene(draw(st.sampled_from(["robot", "two words", "ärm"])))
    names = [f"b{index}" for index in range(draw(st.integers(1, 8)))]
    scalar: list[str] = []
    for index, name in enumerate(names):
        inertial = None if massless and draw(st.integers(0, 4)) == 0 else draw(inertials())
        scene.add_body(Body(name=name, inertial=inertial))
        parent = draw(st.sampled_from([None, WORLD, *names[:index]]))
        if parent is None:
            continue
        allowed = [kind for kind in kinds if kind is not DofKind.FREE or free_inside or parent == WORLD]
        chosen = draw(kinds_of_a_joint(allowed)) if allowed else []
        found = [draw(dofs(f"q{index}_{number}", kind)) for number, kind in enumerate(chosen)]
        scene.add_joint(Joint(name=f"j{index}", parent=parent, child=name, pose=draw(poses()), dofs=tuple(found)))
        scalar += [dof.name for dof in found if dof.kind not in (DofKind.BALL, DofKind.FREE)]
    return draw(mimicking(scene, scalar))


@st.composite
def mimicking(draw: DrawFn, scene: Scene, scalar: Sequence[str]) -> Scene:
    """Make some scalar dofs follow another one, in chains that may run against the order of the tree."""
    from msgspec.structs import replace

    order = draw(st.permutations(scalar))
    leaders = {name: order[index + 1] for index, name in enumerate(order[:-1]) if draw(st.integers(0, 3)) == 0}
    if not leaders:
        return scene

    def follow(dof: Dof) -> Dof:
        if dof.name not in leaders:
            return dof
        mimic = Mimic(dof=leaders[dof.name], multiplier=draw(NUMBER), offset=draw(NUMBER), reference=draw(NUMBER))
        return replace(dof, mimic=mimic)

    joints = [replace(joint, dofs=tuple(map(follow, joint.dofs))) for joint in scene.joints.values()]
    return scene.evolve(joints=joints)


@st.composite
def scenes(
    draw: DrawFn, kinds: Sequence[DofKind] = ALL_KINDS, *, free_inside: bool = True, massless: bool = True
) -> Scene:
    """Return a tree with everything else that a scene can contain; all its references are valid."""
    from msgspec.structs import replace

    tree = draw(trees(kinds, free_inside=free_inside, massless=massless))
    materials = [f"m{index}" for index in range(draw(st.integers(0, 2)))]
    meshes = [f"mesh{index}" for index in range(draw(st.integers(0, 2)))]
    scopes = ["", *["arm", "arm::gripper"][: draw(st.integers(0, 2))]]
    bodies = []
    for body in tree.bodies.values():
        if body.name == WORLD:
            bodies.append(body)
            continue
        shapes = [draw(geoms(f"{body.name}_g{number}", materials, meshes)) for number in range(draw(st.integers(0, 2)))]
        frames = [Frame(name=f"{body.name}_f", pose=draw(poses()))] if draw(st.booleans()) else []
        cameras = [Camera(name=f"{body.name}_c", pose=draw(poses()))] if draw(st.integers(0, 3)) == 0 else []
        lights = [Light(name=f"{body.name}_l", kind="spot", outer=0.5)] if draw(st.integers(0, 3)) == 0 else []
        extras = draw(st.one_of(st.just(()), st.just((Extra(format="urdf", path="QQQ[1]", text="<QQQ a='1'/>"),))))
        scope = draw(st.sampled_from(scopes))
        bodies.append(
            replace(
                body,
                geoms=tuple(shapes),
                frames=tuple(frames),
                cameras=tuple(cameras),
                lights=tuple(lights),
                extras=extras,
                scope=scope,
            )
        )
    scene = tree.evolve(bodies=bodies)
    for name in materials:
        scene.add("material", Material(name=name, rgba=draw(st.one_of(st.none(), RGBA))))
    for name in meshes:
        scene.add("asset", Asset(name=name, uri=f"meshes/{name}.stl"))
    for name in scopes[1:]:
        scene.add("scope", Scope(name=name, parent="arm" if "::" in name else ""))
    draw(loops(scene))
    draw(tables(scene))
    return scene


@st.composite
def loops(draw: DrawFn, scene: Scene) -> None:
    """Add joints that close a loop, and constraints."""
    names = [name for name in scene.bodies if name != WORLD]
    for index in range(draw(st.integers(0, 2)) if len(names) > 1 else 0):
        first, second = draw(st.permutations(names))[:2]
        if draw(st.booleans()):
            dof = draw(dofs(f"loop_q{index}", DofKind.HINGE))
            joint = Joint(
                name=f"loop{index}", parent=first, child=second, dofs=(dof,), pose=draw(poses()), closes_loop=True
            )
            scene.add_joint(joint)
            continue
        specs = [Connect(anchor=draw(vectors())), WeldTo(pose=draw(poses()))]
        scene.add_constraint(
            Constraint(name=f"c{index}", parent=first, child=second, spec=draw(st.sampled_from(specs)))
        )


@st.composite
def tables(draw: DrawFn, scene: Scene) -> None:
    """Add actuators, transmissions, sensors, tendons, contact rules and keyframes for the content of the scene."""
    scalar = [name for name, (joint, dof) in scene.dofs().items() if dof.kind in (DofKind.HINGE, DofKind.SLIDE)]
    names = [name for name in scene.bodies if name != WORLD]
    if scalar and draw(st.booleans()):
        dof = draw(st.sampled_from(scalar))
        ends = (TransmissionEnd(name=dof, interfaces=("effort",)),)
        scene.add("actuator", Actuator(name="motor", kind="motor", dof=dof, gear=(draw(LENGTH),)))
        scene.add("transmission", Transmission(name="drive", kind="simple", joints=ends))
        positions = ((dof, (draw(NUMBER),)),)
        scene.add("keyframe", Keyframe(name="home", positions=positions, controls=(("motor", (draw(NUMBER),)),)))
        scene.add("sensor", Sensor(name="encoder", kind="joint_position", target=dof))
        joint = scene.dofs()[dof][0]
        couple = Couple(first=dof, coefficients=(draw(NUMBER), 0.0, 0.0, 0.0, 0.0))
        scene.add_constraint(Constraint(name="couple", parent=joint.child, child=joint.child, spec=couple))
        points = tuple(TendonPoint(kind="joint", target=name, value=draw(NUMBER)) for name in scalar[:2])
        scene.add("tendon", Tendon(name="cable", kind="fixed", points=points))
    if names and draw(st.booleans()):
        scene.add("sensor", Sensor(name="imu", kind="imu", body=draw(st.sampled_from(names)), pose=draw(poses())))
    if len(names) > 1 and draw(st.booleans()):
        first, second = draw(st.permutations(names))[:2]
        scene.add("contact", ContactRule(name="apart", first=first, second=second))
    if names and draw(st.booleans()):
        scene.add("contact", ContactRule(name="alone", first=names[-1]))
        joints = tuple(joint.name for joint in scene.joints.values())
        scene.add("group", Group(name="arm", bodies=(names[0],), joints=joints[:2], chains=((names[0], names[-1]),)))
        scene.add("group", Group(name="all", groups=("arm",)))
        scene.add("end_effector", EndEffector(name="hand", group="arm", parent=names[-1], parent_group="all"))
        balls = (Ball(centre=draw(vectors()), radius=draw(LENGTH)),)
        scene.add("approximation", Approximation(name=names[0], body=names[0], balls=balls))
        about = tuple((name, (draw(NUMBER),)) for name in scalar[:1])
        scene.add("keyframe", Keyframe(name="part", positions=about, dofs=tuple(scalar[:2]), group="arm"))
