"""Random robots as text of one format, with many of its features at once: nested frames and classes, nested and
included models, joints of several axes, joints that follow others. A seed defines a robot.

Each is fixed to the world and valid for the engine of its format.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path

Files = dict[str, str]
"""Maps the name of a file to its text; the first one is the model."""


class _Dice(random.Random):
    def number(self, low: float = -1.0, high: float = 1.0) -> str:
        return f"{self.uniform(low, high):.6g}"

    def numbers(self, count: int, low: float = -1.0, high: float = 1.0) -> str:
        return " ".join(self.number(low, high) for _ in range(count))

    def maybe(self, text: str, chance: float = 0.5) -> str:
        return text if self.random() < chance else ""

    def axis(self) -> str:
        return self.choice(["1 0 0", "0 1 0", "0 0 1", "0 0 -1", "0.6 0 0.8", self.numbers(3, 0.1, 1.0)])

    def moments(self) -> tuple[str, ...]:
        """Return ixx iyy izz ixy ixz iyz of a physically valid body."""
        a, b, c = (self.uniform(0.1, 0.3) for _ in range(3))
        return (*(f"{x + 0.2:.6g}" for x in (b + c, a + c, a + b)), *(self.number(-0.03, 0.03) for _ in range(3)))


# --------------------------------------------------------------------------------------------------------------- URDF


def urdf(seed: int) -> Files:
    dice = _Dice(seed)
    links = [_urdf_link(dice, "l0", True)]
    joints: list[str] = []
    movers: list[str] = []
    for number in range(1, dice.randint(3, 9)):
        kind = dice.choice(
            ["revolute", "continuous", "prismatic", "fixed", "revolute", "prismatic", "planar", "floating"]
        )
        links.append(_urdf_link(dice, f"l{number}", kind == "fixed"))
        inside = f'<parent link="l{dice.randrange(number)}"/><child link="l{number}"/>'
        inside += dice.maybe(f'<origin xyz="{dice.numbers(3)}" rpy="{dice.numbers(3, -3, 3)}"/>', 0.9)
        if kind != "fixed":
            inside += dice.maybe(f'<axis xyz="{dice.axis()}"/>', 0.9)
            inside += dice.maybe(f'<dynamics damping="{dice.number(0, 1)}" friction="{dice.number(0, 1)}"/>')
            if kind != "continuous":
                inside += f'<limit lower="-1.5" upper="{dice.number(0, 2)}" effort="9" velocity="3"/>'
            if movers and kind not in ("planar", "floating") and dice.random() < 0.3:
                text = f'multiplier="{dice.number()}" offset="{dice.number(-0.1, 0.1)}"'
                inside += f'<mimic joint="{dice.choice(movers)}" {text}/>'
            movers += [f"j{number}"] * (kind not in ("planar", "floating"))
        joints.append(f'<joint name="j{number}" type="{kind}">{inside}</joint>')
    dice.shuffle(joints)
    blocks = "".join(_urdf_block(dice, number) for number in range(len(links)) if dice.random() < 0.3)
    return {
        "robot.urdf": f'<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>{"".join(links)}'
        f"{''.join(joints)}{blocks}</robot>"
    }


def _urdf_block(dice: _Dice, number: int) -> str:
    inside = dice.choice(
        [f"<mu1>{dice.number(0, 1)}</mu1>", "<gravity>false</gravity>", "<selfCollide>true</selfCollide>"]
    )
    return f'<gazebo reference="l{number}">{inside}</gazebo>'


def _urdf_link(dice: _Dice, name: str, light: bool) -> str:
    inside = ""
    if not light or dice.random() < 0.6:
        moments = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), dice.moments(), strict=True)
        tensor = " ".join(f'{key}="{value}"' for key, value in moments)
        origin = dice.maybe(f'<origin xyz="{dice.numbers(3, -0.2, 0.2)}" rpy="{dice.numbers(3, -3, 3)}"/>', 0.7)
        inside = f'<inertial>{origin}<mass value="{dice.number(0.5, 5)}"/><inertia {tensor}/></inertial>'
    for tag in ("visual", "collision"):
        for _ in range(dice.randint(0, 2)):
            shape = dice.choice(['<box size="1 2 3"/>', '<sphere radius=".2"/>', '<cylinder radius=".1" length=".4"/>'])
            origin = dice.maybe(f'<origin xyz="{dice.numbers(3)}" rpy="{dice.numbers(3, -3, 3)}"/>')
            inside += f"<{tag}>{origin}<geometry>{shape}</geometry>"
            inside += (dice.maybe('<material name="m"/>') if tag == "visual" else "") + f"</{tag}>"
    return f'<link name="{name}">{inside}</link>'


# ---------------------------------------------------------------------------------------------------------------- SDF

SDF_KINDS = ("revolute", "prismatic", "continuous", "fixed", "universal", "ball", "revolute2", "screw")
BOTH = ("axis", "axis2")
HEAD = '<sdf version="1.11">{}</sdf>'


def sdf(seed: int) -> Files:
    dice = _Dice(seed)
    files: Files = {"robot.sdf": ""}
    files["robot.sdf"] = HEAD.format(_sdf_model(dice, "robot", 2, files, ""))
    return files


def _sdf_pose(dice: _Dice, frames: list[str], chance: float = 0.8) -> str:
    attributes = dice.maybe(f' relative_to="{dice.choice(frames)}"') if frames else ""
    attributes += dice.maybe(' degrees="true"', 0.2)
    high = 170 if "degrees" in attributes else 3
    return dice.maybe(f"<pose{attributes}>{dice.numbers(3)} {dice.numbers(3, -high, high)}</pose>", chance)


def _sdf_model(dice: _Dice, name: str, depth: int, files: Files, place: str) -> str:
    """The first link of the outermost model is fixed to the world, that of a nested one to its parent by the caller."""
    links = [f"{name}_l{number}" for number in range(dice.randint(2, 4))]
    body, frames = "", ["__model__"]
    for number in range(dice.randint(0, 3)):
        frame, attached = f"{name}_f{number}", dice.choice([*links, *frames[1:]])
        body += f'<frame name="{frame}" attached_to="{attached}">{_sdf_pose(dice, [])}</frame>'
        frames.append(frame)
    done: list[str] = []
    for link in links:
        body += f'<link name="{link}">{_sdf_pose(dice, ["__model__", *done])}{_sdf_inside(dice, link)}</link>'
        done.append(link)
    if depth == 2:
        body += f'<joint name="{name}_base" type="fixed"><parent>world</parent><child>{links[0]}</child></joint>'
    joints = []
    for number in range(1, len(links)):
        joints.append(
            _sdf_joint(dice, f"{name}_j{number}", dice.choice(links[:number]), links[number], [*frames, *done])
        )
    for number in range(dice.randint(0, 2) if depth else 0):
        inner = f"{name}_m{number}"
        way, where = dice.choice(["nested", "included", "merged"]), _sdf_pose(dice, [*frames, *done])
        if way == "nested":
            body += _sdf_model(dice, inner, depth - 1, files, where)
        else:
            file = f"{inner}.sdf"
            files[file] = HEAD.format(_sdf_model(dice, inner, 0, files, ""))
            said = 'merge="true"' if way == "merged" else ""
            where += dice.maybe(f"<placement_frame>{inner}_l1</placement_frame>", 0.4 * bool(where))
            body += f"<include {said}><uri>{file}</uri><name>{inner}</name>{where}</include>"
        child = f"{inner}_l0" if way == "merged" else f"{inner}::{inner}_l0"
        joints.append(_sdf_joint(dice, f"{inner}_join", dice.choice(links), child, [*frames, *done]))
    dice.shuffle(joints)
    return f'<model name="{name}">{place}{body}{"".join(joints)}</model>'


def _sdf_inside(dice: _Dice, link: str) -> str:
    tags = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    tensor = "".join(f"<{key}>{value}</{key}>" for key, value in zip(tags, dice.moments(), strict=True))
    pose = dice.maybe(f"<pose>{dice.numbers(3, -0.2, 0.2)} {dice.numbers(3, -3, 3)}</pose>")
    inside = f"<inertial>{pose}<mass>{dice.number(0.5, 5)}</mass><inertia>{tensor}</inertia></inertial>"
    for tag in ("visual", "collision"):
        for number in range(dice.randint(0, 2)):
            shape = dice.choice(["<box><size>1 2 3</size></box>", "<sphere><radius>.2</radius></sphere>"])
            inside += f'<{tag} name="{link}_{tag}{number}">{_sdf_pose(dice, [])}<geometry>{shape}</geometry></{tag}>'
    return inside


def _sdf_joint(dice: _Dice, name: str, parent: str, child: str, frames: list[str]) -> str:
    kind = dice.choice([*SDF_KINDS, "revolute", "prismatic"])
    inside = f"<parent>{parent}</parent><child>{child}</child>{_sdf_pose(dice, frames, 0.5)}"
    inside += f"<screw_thread_pitch>{dice.number(0.1, 1)}</screw_thread_pitch>" if kind == "screw" else ""
    for tag in {"fixed": (), "ball": (), "universal": BOTH, "revolute2": BOTH}.get(kind, ("axis",)):
        expressed = dice.maybe(f' expressed_in="{dice.choice(frames)}"', 0.4) if kind != "universal" else ""
        xyz = {"axis": "1 0 0", "axis2": "0 1 0"}[tag] if kind == "universal" else dice.axis()
        limit = "<limit><lower>-1.5</lower><upper>1.5</upper></limit>" if kind != "continuous" else ""
        dynamics = dice.maybe(f"<dynamics><damping>{dice.number(0, 1)}</damping></dynamics>")
        inside += f"<{tag}><xyz{expressed}>{xyz}</xyz>{limit}{dynamics}</{tag}>"
    return f'<joint name="{name}" type="{kind}">{inside}</joint>'


# --------------------------------------------------------------------------------------------------------------- MJCF


REPEATED = '<body name="again" pos="0 1 0"><joint name="turn" axis="0 1 0"/><geom name="ball" size=".1"/></body>'


def mjcf(seed: int) -> Files:
    dice = _Dice(seed)
    degrees = dice.random() < 0.5
    order = dice.choice(["xyz", "XYZ", "zyx", "ZXZ"])
    compiler = f'<compiler angle="{"degree" if degrees else "radian"}" eulerseq="{order}" autolimits="true"/>'
    reach = 90 if degrees else 1.5
    classes = f'<default><joint damping="{dice.number(0, 1)}"/><geom density="{dice.number(300, 2000)}"/>'
    classes += f'<default class="a"><joint type="hinge" axis="{dice.axis()}"/><geom size=".1 .2 .3"/>'
    classes += f'<default class="b"><joint type="slide" axis="{dice.axis()}" range="-1 1"/><geom type="box"/></default>'
    classes += '</default><default class="c"><geom type="capsule" size=".05 .2"/></default></default>'
    counter = [0]
    tree = "".join(_mjcf_body(dice, 3, reach, counter) for _ in range(dice.randint(1, 2)))
    names = [f"j{number}" for number in range(counter[0])]
    movers = [name for name in names if f'name="{name}"' in tree and f'name="{name}" type="ball"' not in tree]
    rest = ""
    if len(movers) > 2:
        follower, leader = dice.sample(movers, 2)
        rest += (
            f'<equality><joint joint1="{follower}" joint2="{leader}" polycoef="0 {dice.number()} 0 0 0"/></equality>'
        )
    rest += _mjcf_relations(dice, tree)
    if movers:
        rest += f'<actuator><motor joint="{movers[0]}" gear="{dice.number(1, 5)}"/></actuator>'
    files = {"robot.xml": f'<mujoco model="r">{compiler}{classes}<worldbody>{tree}</worldbody>{rest}</mujoco>'}
    if dice.random() < 0.4:
        arm = _mjcf_body(dice, 1, reach, counter)
        files["arm.xml"] = f'<mujoco model="arm">{compiler}{classes}<worldbody>{arm}</worldbody></mujoco>'
        (root,) = re.findall(r'^<body name="([^"]+)"', arm)
        for number in range(2):
            held = f'<attach model="arm" body="{root}" prefix="p{number}_"/>'
            tree += f'<frame pos="{dice.numbers(3)}" {_mjcf_turn(dice, reach)}>{held}</frame>'
        tree += f'<replicate count="2" offset="{dice.numbers(3)}" sep="_">{REPEATED}</replicate>'
        head = f'{compiler}{classes}<asset><model name="arm" file="arm.xml"/></asset>'
        files["robot.xml"] = f'<mujoco model="r">{head}<worldbody>{tree}</worldbody>{rest}</mujoco>'
    if dice.random() < 0.3:
        files["tree.xml"] = f"<mujocoinclude>{tree}</mujocoinclude>"
        files["robot.xml"] = files["robot.xml"].replace(tree, '<include file="tree.xml"/>')
    return files


def _mjcf_relations(dice: _Dice, tree: str) -> str:
    """Return relations between bodies, and states and sensors."""
    bodies = re.findall(r'<body name="([^"]+)"', tree)
    joints = re.findall(r'<joint name="([^"]+)" type="(?:hinge|slide)"', tree)
    sites = re.findall(r'<site name="([^"]+)"', tree)
    found = ""
    if len(bodies) > 1:
        one, other = dice.sample(bodies, 2)
        found += dice.maybe(f'<contact><exclude body1="{one}" body2="{other}"/></contact>')
        found += dice.maybe(
            f'<equality><connect body1="{one}" body2="{other}" anchor="{dice.numbers(3)}"/></equality>', 0.2
        )
        found += dice.maybe(f'<equality><weld body1="{one}" body2="{other}"/></equality>', 0.2)
    if len(joints) > 1:
        ends = "".join(f'<joint joint="{joint}" coef="{dice.number()}"/>' for joint in dice.sample(joints, 2))
        found += dice.maybe(f'<tendon><fixed name="t">{ends}</fixed></tendon>', 0.4)
    if sites:
        found += dice.maybe(f'<sensor><gyro site="{sites[0]}"/><accelerometer site="{sites[0]}"/></sensor>')
    return found


def _mjcf_turn(dice: _Dice, reach: float) -> str:
    return dice.choice(
        [
            "",
            f'quat="{dice.numbers(4, 0.1, 1)}"',
            f'euler="{dice.numbers(3, -reach, reach)}"',
            f'axisangle="{dice.numbers(3, 0.1, 1)} {dice.number(-reach, reach)}"',
            f'zaxis="{dice.numbers(3, 0.1, 1)}"',
            'xyaxes="0 1 0 -1 0 0"',
        ]
    )


def _mjcf_body(dice: _Dice, depth: int, reach: float, counter: list[int]) -> str:
    name = f"b{counter[0]}_{dice.randrange(10**6)}"
    inside = ""
    kinds = dice.choice(
        [["hinge"], ["slide"], ["ball"], ["hinge", "hinge"], ["slide", "hinge"], [], ["", ""], ["hinge"]]
    )
    for kind in kinds:
        said = f'type="{kind}"' if kind else f'class="{dice.choice("ab")}"'
        axis = dice.maybe(f'axis="{dice.axis()}"', 0.8) if kind != "ball" else ""
        more = dice.maybe(f'ref="{dice.number(-reach / 3, reach / 3)}"', 0.3) if kind == "hinge" else ""
        more += dice.maybe(f' stiffness="{dice.number(0, 1)}"', 0.2)
        more += dice.maybe(f' pos="{dice.numbers(3)}"')
        inside += f'<joint name="j{counter[0]}" {said} {axis} {more}/>'
        counter[0] += 1
    if dice.random() < 0.4:
        weight = f'mass="{dice.number(0.5, 3)}" diaginertia="0.3 0.25 0.2" {_mjcf_turn(dice, reach)}'
        inside += f'<inertial pos="{dice.numbers(3, -0.2, 0.2)}" {weight}/>'
    for number in range(dice.randint(1, 2)):
        shape = dice.choice(
            [
                'type="sphere" size=".2"',
                'class="b"',
                'class="c"',
                'type="box" size=".1 .2 .3"',
                'class="c" fromto="0 0 0 .1 .2 .3"',
            ]
        )
        place = "" if "fromto" in shape else f'pos="{dice.numbers(3)}" {_mjcf_turn(dice, reach)}'
        group = dice.maybe('group="2"', 0.2)
        geom = f'<geom name="{name}_g{number}" {shape} {place} {group}/>'
        inside += dice.maybe(f'<site name="{name}_s{number}" pos="{dice.numbers(3)}"/>', 0.3)
        inside += (
            f'<frame pos="{dice.numbers(3)}" {_mjcf_turn(dice, reach)}>{geom}</frame>' if dice.random() < 0.3 else geom
        )
    for _ in range(dice.randint(0, 2) if depth else 0):
        inner = _mjcf_body(dice, depth - 1, reach, counter)
        if dice.random() < 0.3:
            inner = f'<frame pos="{dice.numbers(3)}" {_mjcf_turn(dice, reach)}>{inner}</frame>'
        inside += inner
    childclass = dice.maybe('childclass="a"', 0.3)
    said = f'pos="{dice.numbers(3)}" {_mjcf_turn(dice, reach)} {childclass}'
    return f'<body name="{name}" {said}>{inside}</body>'


ROBOTS: Mapping[str, Callable[[int], Files]] = {"urdf": urdf, "sdf": sdf, "mjcf": mjcf}


def written(kind: str, seed: int, folder: Path) -> Path:
    """Write the files of a robot into a folder, and return that of its model."""
    files = ROBOTS[kind](seed)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder / next(iter(files))
