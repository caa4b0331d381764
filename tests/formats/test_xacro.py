"""xacro: what is expanded, where findings point to, and what an untrusted document cannot do."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pinocchio
import pytest

import converters.xacro.reader as reader
from converters.assets.folders import workspace
from converters.context import InputError, Options, ReaderContext
from converters.convert import convert, load, read
from converters.inspection import document, totals
from converters.report.text import total
from tests.files import saved
from tests.oracles.in_mujoco import mujoco_model
from tests.reports import of_rule

HEAD = '<?xml version="1.0"?>\n<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
REFERENCE = Path(__file__).parents[1] / "oracles" / "xacro_reference.py"
MACRO = """<xacro:macro name="part" params="name mass:=1">
<link name="${name}">
<inertial>
<mass value="${mass}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
</inertial></link>
</xacro:macro>
"""
PLENTY = (
    MACRO
    + """<xacro:arg name="size" default="2"/>
<xacro:property name="table" value="${dict(a=1, b=[2, 3])}"/>
<xacro:property name="more"><link name="block"/></xacro:property>
<!-- a comment that goes -->
<xacro:part name="base" mass="${pi * $(arg size)}"/>
<xacro:part name="tip"/>
<xacro:insert_block name="more"/>
<xacro:unless value="${table['b'][1] == 4}"><joint name="j" type="fixed"><parent link="base"/><child link="tip"/>
</joint></xacro:unless>
<xacro:if value="${python.sum([x for x in table['b']]) == 5 if python.len('ab') == 2 else False}"/>
<joint name="k" type="fixed"><parent link="base"/><child link="block"/><origin xyz="$(eval size * 2) 0 0"/>
</joint>
"""
)


def written(folder: Path, body: str, name: str = "r.urdf.xacro") -> Path:
    return saved(folder / name, f"{HEAD}{body}\n</robot>\n")


def message(path: Path, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        read(path, options=Options(**options))
    return str(caught.value)


def spent() -> float:
    """Return the processor time in seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_it_expands_as_the_reference_does(tmp_path: Path):
    path = written(tmp_path, PLENTY)
    done = subprocess.run([sys.executable, str(REFERENCE), str(path)], capture_output=True, check=True, timeout=60)
    ours = reader.expand(path.read_bytes(), ReaderContext(file=str(path), folder=tmp_path)).document
    assert ET.canonicalize(ours) == ET.canonicalize(
        "\n".join(line for line in done.stdout.decode().splitlines() if not line.startswith("<!--"))
    )


def test_arguments_are_given_and_missing_ones_are_named(tmp_path: Path):
    path = written(tmp_path, PLENTY)
    assert read(path, options=Options(arguments={"size": "3"})).joints["k"].pose.pos == (6.0, 0.0, 0.0)
    path = written(tmp_path, '\n<link name="$(arg who)"/>')
    assert message(path) == f"{path}:4: the argument 'who' has no value: give it with --arg who=VALUE"
    assert "x" in read(path, options=Options(arguments={"who": "x"})).bodies


def test_places_are_those_of_the_macro_in_its_own_file(tmp_path: Path):
    macros = written(tmp_path, MACRO, "inc/parts.xacro")
    body = '<xacro:include filename="inc/parts.xacro"/>\n<xacro:part name="base" mass="{}"/>'
    path = written(tmp_path, body.format("heavy"))
    assert message(path).startswith(f"{macros}:6: <mass value>")
    path = written(tmp_path, body.format("${nothing}"))
    assert message(path).startswith(f"{path}:4: xacro: name 'nothing' is not defined")
    path = written(tmp_path, body.format("2"))
    source = read(path).bodies["base"].source
    assert source is not None
    assert (source.file, source.line) == (str(macros), 4)


def test_places_in_a_file_that_the_model_includes_are_its_own(tmp_path: Path):
    link = '<link name="{}"><inertial><mass>2</mass></inertial></link>'
    inner = saved(tmp_path / "inner.sdf", f'<sdf version="1.9"><model name="in">\n\n{link.format("l")}</model></sdf>')
    include = "<include><uri>inner.sdf</uri></include>"
    text = f'<sdf version="1.9"><model name="out">{link.format("b")}{include}</model></sdf>'
    bodies = read(saved(tmp_path / "outer.sdf.xacro", text)).bodies
    assert [(each.source.file, each.source.line) for each in bodies.values() if each.source and "l" in each.name] == [
        (str(inner), 3)
    ]
    part = saved(tmp_path / "part.xml", '<mujoco>\n\n\n<body name="p"><geom name="g" size="1"/></body></mujoco>')
    text = '<mujoco><worldbody><body name="b"/><include file="part.xml"/></worldbody></mujoco>'
    source = read(saved(tmp_path / "outer.xml.xacro", text)).bodies["p"].source
    assert source is not None
    assert (source.file, source.line) == (str(part), 4)


def test_the_report_counts_every_item_of_the_expansion(tmp_path: Path):
    found = load(written(tmp_path, PLENTY))
    items, read_, ignored, unread = found.context.documents[0].totals()
    assert items == read_ + ignored + unread > 20


def test_packages_are_found_without_ros(tmp_path: Path):
    written(tmp_path, MACRO, "ws/arm_macros/urdf/parts.xacro")
    body = '<xacro:include filename="$(find arm_macros)/urdf/parts.xacro"/><xacro:part name="base"/>'
    path = written(tmp_path, body, "ws/arm_robot/urdf/r.xacro")
    assert "base" in read(path).bodies
    far = written(tmp_path, body.replace("arm_macros", "far"), "ws/arm_robot/urdf/far.xacro")
    assert "--package far=DIR" in message(far)
    assert "base" in read(far, options=Options(packages={"far": tmp_path / "ws" / "arm_macros"})).bodies


def test_all_packages_that_are_missing_are_told_at_once(tmp_path: Path):
    written(tmp_path, '<xacro:include filename="$(find deep)/b.xacro"/>', "near/inner.xacro")
    body = """<xacro:include filename="inner.xacro"/><!-- $(find unused)/c.xacro -->
<xacro:property name="path" value="$(find far)/c.yaml"/><xacro:include filename="$(find ${path})/d.xacro"/>"""
    said = message(written(tmp_path, body, "near/r.urdf.xacro"))
    assert said.endswith("--package deep=DIR; further packages are not found: --package far=DIR"), said
    alone = message(written(tmp_path, '<xacro:include filename="$(find far)/a.xacro"/>', "near/s.urdf.xacro"))
    assert alone.endswith("say where it is with --package far=DIR")


def test_a_file_that_a_package_lacks_is_told_with_the_folder_that_was_taken_for_it(tmp_path: Path):
    path = written(tmp_path, '<xacro:include filename="$(find near)/a.xacro"/>', "near/r.urdf.xacro")
    assert message(path).endswith(
        f"{tmp_path}/near/a.xacro; {tmp_path}/near was taken for the package 'near': "
        "if another folder is, name it with --package near=DIR"
    )
    assert message(path, packages={"near": tmp_path}).endswith(f"{tmp_path}/a.xacro")
    beside = written(
        tmp_path, '<xacro:include filename="$(find near)/a.xacro" optional="true"/><link name="a"/>', "near/o.xacro"
    )
    assert "a" in read(beside).bodies


ESCAPES = {
    "a lambda": "(lambda: [c for c in ().__class__.__base__.__subclasses__()][0])()",
    "an attribute": "''.__class__",
    "a frame": "[g.gi_frame for g in [(x for x in [1])]]",
    "formatting": "'{0.__class__}'.format(1)",
    "a formatter passed on": "list(map(str.format_map, ['{a.__class__}'], [dict(a=1)]))",
    "an f-string": "f'{pi!r}'",
    "a name": "__builtins__",
    "an import": "__import__('os')",
    "a walrus": "(a := 1)",
    "a class": "python.type('X', (), dict())",
    "insides": "python.vars(python.type(1))",
    "a file": "open('/etc/passwd')",
    "a caller": "load_yaml.__globals__",
    "one inside a comprehension": "[x.__class__ for x in [1]]",
    "one in a default": "sorted([1], key=lambda x: x)",
}


@pytest.mark.parametrize("expression", ESCAPES.values(), ids=ESCAPES)
def test_expressions_do_not_get_out(tmp_path: Path, expression: str):
    quoted = expression.replace("<", "&lt;")
    path = written(tmp_path, f'\n\n<link name="${{{quoted}}}"/>' if "}" not in expression else "")
    if "}" in expression:  # ${...} ends at the first brace: it is smuggled in through an argument of $(eval)
        path = written(tmp_path, f'\n\n<link name="$(eval {quoted.replace("(", "[").replace(")", "]")})"/>')
    assert message(path).startswith(f"{path}:5: ")


@pytest.mark.parametrize(
    "call", ["open('/etc/passwd').read", "getattr[1]", "env('HOME')", "''.__class__", "env", "find.a"]
)
def test_eval_of_ros_has_no_more_than_that(tmp_path: Path, call: str):
    text = "$(env HOME)" if call == "env" else f"$(eval {call.split(')')[0]})"
    path = written(tmp_path, f'\n<link name="{text}"/>')
    assert message(path).startswith(f"{path}:4: ")


@pytest.mark.parametrize(
    "body",
    [
        '<xacro:include filename="/etc/passwd"/>',
        '<xacro:include filename="../../../../../../../../../etc/passwd"/>',
        '<xacro:property name="a" value="${xacro.load_yaml(\'/etc/hostname\')}"/><link name="${a}"/>',
        "<xacro:include filename=\"${xacro.abs_filename('link')}\"/>",
        '<xacro:property name="a" value="${xacro.load_yaml(\'/dev/zero\')}"/><link name="${a}"/>',
    ],
)
def test_files_outside_are_not_opened(tmp_path: Path, body: str):
    path = written(tmp_path, body, "a/b/r.xacro")
    (path.parent / "link").symlink_to("/etc/passwd")
    said = message(path)
    assert "outside the folders of the model" in said and ("/link leads to /etc/passwd," in said or "lies" in said)


@pytest.mark.parametrize("sourced", [True, False])
def test_what_colcon_installs_as_links_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sourced: bool):
    """--symlink-install: each package has its own prefix, and each file in it is a link to the sources."""
    source = {
        "cell/urdf/cell.urdf.xacro": HEAD + '<xacro:include filename="$(find arm)/urdf/arm.xacro"/></robot>',
        "arm/urdf/arm.xacro": HEAD
        + '<link name="l"><visual><geometry><mesh filename="package://arm/meshes/a.obj"/></geometry></visual></link>'
        + "</robot>",
        "arm/meshes/a.obj": "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n",
        "arm/meshes/a.mtl": "newmtl m\nKd 1 0 0\n",
    }
    for name, text in source.items():
        place = written(tmp_path, "", f"ws/src/{name}")
        place.write_text(text)
        package = name.partition("/")[0]
        link = tmp_path / "ws" / "install" / package / "share" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(place)
    install = tmp_path / "ws" / "install"
    path = install / "cell" / "share" / "cell" / "urdf" / "cell.urdf.xacro"
    assert "outside the folders of the model" in message(path)  # any folder may hold a link to anything
    (install / ".colcon_install_layout").touch()
    workspace.cache_clear()
    if sourced:
        monkeypatch.setenv("AMENT_PREFIX_PATH", f"{install / 'cell'}:{install / 'arm'}")
        path = written(tmp_path, '<xacro:include filename="$(find arm)/urdf/arm.xacro"/>', "else/where/cell.urdf.xacro")
    report = convert(path, tmp_path / "out" / "cell.xml")
    assert not [finding for finding in report.findings if finding.rule in ("assets/missing", "assets/mesh-content")]
    assert (mujoco_model(tmp_path / "out" / "cell.xml").mat_rgba == [1, 0, 0, 1]).all()


def test_yaml_is_data_and_has_units(tmp_path: Path):
    body = '<xacro:property name="a" value="${xacro.load_yaml(\'a.yaml\')}"/>\n<link name="l${a.x.y}"/>'
    path = written(tmp_path, body)
    (tmp_path / "a.yaml").write_text("x: {y: !degrees 180}")
    assert [name for name in read(path).bodies if name.startswith("l3.14159")]
    (tmp_path / "a.yaml").write_text("x: !!python/object/apply:os.system ['touch gone']")
    assert "could not determine a constructor" in message(path)
    (tmp_path / "a.yaml").write_text("x: {y: !degrees \"''.__class__\"}")
    assert "must not use the name '__class__'" in message(path)


def test_cycles_and_bombs_end(tmp_path: Path):
    path = written(tmp_path, '<xacro:include filename="r.urdf.xacro"/>')
    assert "deep" in message(path)
    endless = '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>'
    assert "nested too deep" in message(written(tmp_path, endless))
    path.write_text('<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n<robot name="&b;"/>')
    assert "document type" in message(path)
    assert message(written(tmp_path, "<link name=\"${len('a' * 10**11)}\"/>"))


def test_broken_documents_are_told_where(tmp_path: Path):
    path = written(tmp_path, "\n<link>")
    assert message(path).startswith(f"{path}:5: not well-formed XML: an element is not closed by its own end tag")
    path = written(tmp_path, "\n<xacro:nothing/>")
    assert message(path).startswith(f"{path}:4: xacro: unknown macro name")
    path = written(tmp_path, '\n\n<xacro:if value="maybe"><link name="l"/></xacro:if>')
    assert message(path).startswith(f"{path}:5: xacro: Xacro conditional")


@pytest.mark.parametrize(
    "expression", ["${9**9**9**9}", "${1 &lt;&lt; 10**9}", "$(eval 9**9**9)", "${[x**x**x for x in [9]]}"]
)
def test_a_number_without_bounds_is_refused_at_once_and_where_it_stands(tmp_path: Path, expression: str):
    path = written(tmp_path, f'\n\n<link name="a{expression}"/>')
    begin = spent()
    assert message(path) == f"{path}:5: a power or a shift makes a number of more than 65536 bits"
    assert spent() - begin < 20


def test_an_expression_that_is_none_is_told_without_words_of_the_machinery(tmp_path: Path):
    path = written(tmp_path, '<link name="$(eval 1+)"/>')
    assert message(path) == f"{path}:3: an expression is not valid Python: invalid syntax: 1+"
    (tmp_path / "a.yaml").write_text("l: [1]")
    said = '<xacro:property name="d" value="${xacro.load_yaml(\'a.yaml\')}"/><link name="${%s}"/>'
    for expression, why in (("d.l.x", "'list' object has no attribute 'x'"), ("dict(a=1)['k']", "there is no key 'k'")):
        path = written(tmp_path, said % expression)
        assert message(path) == f"{path}:3: xacro: {why} when evaluating expression '{expression}'"


def test_powers_are_those_of_python(tmp_path: Path):
    """The result is compared with the xacro package itself."""
    text = "_${2**10}_${2.5**2}_${(-1)**3}_${2**-1}_${1 &lt;&lt; 4}_$(eval 2**3)"
    path = written(tmp_path, f'\n<link name="a{text}"/>')
    done = subprocess.run([sys.executable, str(REFERENCE), str(path)], capture_output=True, check=True, timeout=60)
    wanted = ET.fromstring(done.stdout).find("link").get("name")
    assert next(iter(read(path).bodies)) == wanted == "a_1024_6.25_-1_0.5_16_8"


def test_an_include_named_by_an_argument_is_told_which(tmp_path: Path):
    body = '<xacro:arg name="dir" default="none"/>\n<xacro:include filename="$(arg dir)/a.xacro"/>'
    said = message(written(tmp_path, body))
    assert said.endswith("none/a.xacro: its name is made of dir: give it with --arg dir=VALUE")
    assert ":4: No such file" in said


def test_an_include_by_package_is_told_how_a_xacro_does_it(tmp_path: Path):
    path = written(tmp_path, '<xacro:include filename="package://arm/a.xacro"/>')
    assert "by $(find NAME)/..., not by package://: " in message(path)


def test_an_argument_that_the_xacro_does_not_know_is_told(tmp_path: Path):
    path = written(tmp_path, PLENTY)
    given = Options(arguments={"size": "3", "typo": "true"})
    (found,) = [each for each in convert(path, tmp_path / "o.urdf", options=given).findings if "argument" in each.rule]
    assert (found.rule, found.before, found.severity.value) == ("xacro/argument", "typo", "warning")
    assert (found.action, "size" in found.reason) == ("noted", True)
    assert total(convert(path, tmp_path / "o.urdf", options=given)).split("; ")[1] == "1 option without effect"
    (line,) = [each for each in totals(document(path, options=given)) if "typo" in each]
    assert line == f"--arg typo: {found.reason}"
    asked = Options(arguments={"size": "3"})
    assert not [each for each in convert(path, tmp_path / "o.urdf", options=asked).findings if "argument" in each.rule]


def test_a_urdf_with_macros_is_expanded(tmp_path: Path):
    written(tmp_path, MACRO, "parts.urdf")
    body = '<xacro:include filename="parts.urdf"/><link name="base"/><xacro:part name="tip"/>'
    joint = '<joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint>'
    path = written(tmp_path, body + joint, "r.urdf")
    done = subprocess.run([sys.executable, str(REFERENCE), str(path)], capture_output=True, check=True, timeout=60)
    (tmp_path / "plain.urdf").write_bytes(done.stdout)
    assert pinocchio.buildModelFromUrdf(str(tmp_path / "plain.urdf")).existBodyName("tip")
    report = convert(path, tmp_path / "out" / "r.xml")
    assert mujoco_model(tmp_path / "out" / "r.xml").body("tip").id
    (told,) = of_rule(report, "xacro/found")
    assert (told.action, "--from urdf" in told.reason) == ("noted", True)
    assert document(path)["format"] == "xacro"
    with pytest.raises(InputError, match="child 'tip'"):
        read(path, source="urdf")


@pytest.mark.parametrize(
    "left", ['<xacro:make_pelvis name="p"/>', "<!-- <xacro:include filename='none.xacro'/> -->", ""]
)
def test_what_an_expansion_leaves_behind_makes_no_xacro(tmp_path: Path, left: str):
    path = written(tmp_path, f'{left}<link name="base"/>', "r.urdf")
    report = convert(path, tmp_path / "r.xml")
    assert report.source.format == "urdf"
    assert not of_rule(report, "xacro/found")


def test_a_file_of_macros_alone_is_told_as_one(tmp_path: Path):
    said = "the robot has no links: if this xacro only defines macros, name the file that calls them"
    assert said in message(written(tmp_path, MACRO))


def test_half_a_character_is_no_document(tmp_path: Path):
    assert "half a character" in message(written(tmp_path, """<link name="${'\\ud800'}"/>"""))


def test_a_yaml_file_is_utf_8_wherever_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, value in (("LC_ALL", "C"), ("PYTHONCOERCECLOCALE", "0"), ("PYTHONUTF8", "0")):
        monkeypatch.setenv(name, value)
    (tmp_path / "names.yaml").write_text("link: Fuß", encoding="utf-8")
    xacro = tmp_path / "a.urdf.xacro"
    link = "${xacro.load_yaml('names.yaml')['link']}"
    xacro.write_text(f'<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><link name="{link}"/></robot>')
    assert "Fuß" in read(xacro).bodies


def test_limits_that_a_user_has_already_stay():
    code = (
        "import resource; from converters.xacro.child import limit\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "limit(60)\n"
        "assert resource.getrlimit(resource.RLIMIT_AS) == (1 << 30, 1 << 30)\n"
        "assert resource.getrlimit(resource.RLIMIT_CPU) == (60, 60)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


DOUBLING = {
    "aliases": "<link name=\"${xacro.load_yaml('a.yaml')}\"/>",
    "macros": "".join(f'<xacro:macro name="m{n}"><xacro:m{n + 1}/><xacro:m{n + 1}/></xacro:macro>\n' for n in range(40))
    + '<xacro:macro name="m40"/><xacro:m0/>',
    "blocks": "".join(
        f'<xacro:property name="b{n + 1}"><xacro:insert_block name="b{n}"/><xacro:insert_block name="b{n}"/>'
        "</xacro:property>\n"
        for n in range(40)
    )
    + '<xacro:property name="b0"><a/></xacro:property><xacro:insert_block name="b40"/>',
    "properties": "".join(f'<xacro:property name="p{n + 1}" value="${{p{n}}}${{p{n}}}"/>\n' for n in range(40))
    + '<xacro:property name="p0" value="ab"/><link name="${p40}"/>',
    "arguments": '<xacro:arg name="a0" default="ab"/>'
    + "".join(f'<xacro:arg name="a{n + 1}" default="$(arg a{n})$(arg a{n})"/>\n' for n in range(40)),
}


@pytest.mark.parametrize("what", DOUBLING)
def test_what_doubles_is_counted_and_refused_where_it_stands(tmp_path: Path, what: str):
    path = written(tmp_path, DOUBLING[what])
    rows = (f"k{n + 1}: &k{n + 1} [*k{n}, *k{n}]\n" for n in range(40))
    (tmp_path / "a.yaml").write_text("k0: &k0 [1]\n" + "".join(rows))
    before = spent()
    assert re.match(rf"{path}:\d+: it expands to more than any robot needs", message(path))
    assert spent() - before < 4  # the child alone ends what is not counted after 30


def test_files_that_each_include_the_next_one_twice_are_refused(tmp_path: Path):
    for number in range(40):
        include = f'<xacro:include filename="{number + 1}.xacro"/>'
        written(tmp_path, include * 2, f"{number}.xacro")
    written(tmp_path, "", "40.xacro")
    assert "it expands to more than any robot needs" in message(tmp_path / "0.xacro")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("[1 for a in range(10**5) for b in range(10**5) if a == -1]", r":4: an expression takes longer than 1 s$"),
        ("max(range(10**10))", r":1: the expansion, or an expression in it, needs more time or memory"),
        ("[0] * 10**9", r":4: the expansion needs more than 1 GiB$"),
    ],
)
def test_an_expression_that_takes_for_ever_is_ended_soon(tmp_path: Path, expression: str, said: str):
    path = written(tmp_path, f'\n<link name="${{{expression}}}"/>')
    before = spent()
    assert re.search(said, message(path))
    assert spent() - before < 6


def test_what_an_expression_tells_is_not_kept(tmp_path: Path):
    telling = "xacro.warning('x' * 10**6)"
    path = written(tmp_path, f'<link name="a${{[{telling} for i in range(300)][0]}}"/>')
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "a" in read(path).bodies
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_an_include_that_matches_no_file_is_told_where_it_stands(tmp_path: Path):
    """xacro only warns."""
    path = written(tmp_path, '\n<xacro:include filename="*.part"/><link name="l"/>')
    report = convert(path, tmp_path / "out.urdf")
    (told,) = of_rule(report, "xacro/include")
    assert told.before.endswith("*.part") and told.sources[0].line == 4
    (tmp_path / "a.part").write_text('<robot><link name="m"/></robot>')
    assert of_rule(convert(path, tmp_path / "out.urdf"), "xacro/include") == []
