"""Change one attribute or text of a real model: the output must change, or the report must name the place.

Otherwise it was lost silently.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from lxml import etree
from msgspec.structs import replace

from converters.context import InputError, Options
from converters.convert import convert
from converters.report.model import Finding, Report
from tests.corpus.values import different
from tests.files import saved
from tests.oracles import plain_urdf
from tests.oracles.plain_urdf import elements, written_attributes, written_name

SUFFIXES = {"mjcf": ".xml", "urdf": ".urdf", "sdf": ".sdf", "gltf": ".gltf"}
SILENT = "silent"
UNTOLD = "only carried data changed, and the report says nothing"
"""Not lost, because it comes back, but invisible to other tools and unreported."""


Output = tuple[Report, bytes, dict[str, bytes]]


@dataclass(frozen=True)
class Place:
    element: etree._Element
    path: str
    name: str | None
    """Key of an attribute in lxml; None for the text."""

    @property
    def value(self) -> str:
        return str(self.element.get(self.name) if self.name is not None else self.element.text)

    def put(self, value: str) -> None:
        if self.name is not None:
            self.element.set(self.name, value)
        else:
            self.element.text = value


def mutate(
    path: str,
    target: str = "mjcf",
    limit: int | None = None,
    seed: int = 0,
    folders: Sequence[str] = (),
    srdf: str | None = None,
) -> dict[str, Any]:
    """Return counts of outcomes, and each silent loss and crash. limit: number of places, of all kinds (sampled); None:
    all.

    folders: where models that an SDF file includes are searched. srdf: the SRDF of the URDF, which is changed instead.
    """
    outcomes: Counter[str] = Counter()
    silent: list[str] = []
    with converting(path, target, folders, srdf) as (root, converted):
        baseline = converted()
        if isinstance(baseline, str):
            return {"outcomes": {"not converted": 1}, "silent": [baseline], "places": 0}
        every = [*places(root)]
        others: dict[str, set[str]] = {}
        for place in every:
            others.setdefault(thing_of(place), set()).add(place.value)
        chosen = sampled(every, limit, seed)
        for number, place in enumerate(chosen):
            value = place.value
            name = place.name or written_name(place.element)
            changed = different(value, name, random.Random(seed * 1_000_003 + number), others[thing_of(place)])
            place.put(changed)
            outcome = judge(place.path, baseline, converted())
            place.put(value)
            outcomes[outcome.partition(":")[0]] += 1
            if bad(outcome):
                silent.append(f"{outcome}: {place.path} {value.strip()[:60]!r} -> {changed.strip()[:60]!r}")
    return {"outcomes": dict(outcomes), "silent": silent, "places": len(chosen)}


@contextmanager
def converting(
    path: str, target: str, folders: Sequence[str] = (), srdf: str | None = None
) -> Iterator[tuple[etree._Element, Callable[[], Output | str]]]:
    """Yield a document to change, and a function that converts its state (convert_bytes); arguments as in mutate."""
    with tempfile.TemporaryDirectory(prefix="kinegraph-mutation-") as folder:
        root = plain_urdf.parse(Path(path))
        source = Path(folder) / "source" / Path(path).resolve().relative_to("/")
        _stand_ins(Path(path), root, source)
        options = _models(Path(path), root, source, [Path(name) for name in folders])
        source.parent.mkdir(parents=True, exist_ok=True)
        written = Path(folder) / "out" / f"robot{SUFFIXES[target]}"
        changing = source
        if srdf is not None:
            source.write_bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))
            root, changing = plain_urdf.parse(Path(srdf)), Path(folder) / "robot.srdf"
            options = replace(options, srdf=changing)

        def converted() -> Output | str:
            data = etree.tostring(root, xml_declaration=True, encoding="utf-8")
            return convert_bytes(data, changing, source, written, options)

        yield root, converted


def places(root: etree._Element) -> Iterator[Place]:
    """Yield every attribute and every text of a document."""
    stack = [(root, f"/{written_name(root)}")]
    while stack:
        element, path = stack.pop()
        for key, name in zip(element.attrib, written_attributes(element), strict=True):
            if name == "class" and element.tag == "default":
                continue  # another name for a class is no other robot
            if ":" not in str(key) or str(key).startswith("{"):  # lxml cannot change one with an undeclared prefix
                yield Place(element, f"{path}/@{name}", str(key))
        if element.text and element.text.strip():
            yield Place(element, f"{path}/text()", None)
        taken: Counter[str] = Counter()
        for child in elements(element):
            name = written_name(child)
            taken[name] += 1
            stack.append((child, f"{path}/{name}[{taken[name]}]"))


class Pathed(Protocol):
    """A place in a document."""

    @property
    def path(self) -> str: ...


P = TypeVar("P", bound=Pathed)


def thing_of(place: Place) -> str:
    """Return the last element of a path, and its attribute."""
    return "/".join(kind_of(place).split("/")[-2:])


def kind_of(place: Pathed) -> str:
    """Return the path without indices."""
    return re.sub(r"\[\d+\]|/\d+", "", place.path)


def sampled(found: Iterable[P], limit: int | None, seed: int) -> list[P]:
    """Return that many places, drawn by seed: one of each kind, then a second one, and so on. None: all."""
    every = list(found)
    if limit is None or len(every) <= limit:
        return every
    turns: Counter[str] = Counter()
    ranked: list[tuple[int, P]] = []
    for place in random.Random(seed).sample(every, len(every)):
        ranked.append((turns[kind_of(place)], place))
        turns[kind_of(place)] += 1
    ranked.sort(key=lambda each: each[0])
    return sorted((place for _, place in ranked[:limit]), key=lambda place: place.path)


@dataclass(frozen=True)
class Edit:
    """One edit of a document: path is the place, do makes the edit and returns a function that reverts it."""

    path: str
    how: str
    do: Callable[[], Callable[[], None]]

    @property
    def name(self) -> str:
        return f"{self.path} {self.how}"


def convert_bytes(data: bytes, changing: Path, source: Path, written: Path, options: Options) -> Output | str:
    """Return the report and all output, or how it was refused. changing: the file that gets the data."""
    changing.write_bytes(data)
    try:
        report = convert(source, written, options=options)
    except InputError as error:
        return f"refused: {error}"
    except Exception as error:  # a crash is what is looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"crashed: {type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    files = {name: b"" if Path(name) == written else Path(name).read_bytes() for name in report.target.files}
    return report, written.read_bytes(), files


def bad(outcome: str) -> bool:
    return outcome.startswith((UNTOLD, "crashed")) or unheard(outcome)


def unheard(outcome: str) -> bool:
    return outcome.startswith((SILENT, "report changed"))


def judge(path: str, baseline: Output, now: Output | str, root: int = 1) -> str:
    """Return the outcome of a change at a place. root: number of path steps that are the document itself."""
    if isinstance(now, str):
        return now
    native = _native(now[1]) != _native(baseline[1]) or now[2] != baseline[2]
    if native:
        return "output changed"
    how = how_named(path, baseline, now, root)
    if now[1] == baseline[1]:
        return how
    return UNTOLD if how.startswith(SILENT) else f"carried data changed, {how}"


@lru_cache(maxsize=2)  # the first output is held against each of the others
def _native(document: bytes) -> bytes:
    """Return what other tools read."""
    if document[:1] == b"{":
        return json.dumps(without_extras(json.loads(document), ours=True)).encode()
    root = etree.fromstring(document, etree.XMLParser(huge_tree=True, recover=True))  # prefixes may stay undeclared
    for element in list(root):
        if isinstance(element.tag, str) and element.prefix == "kinegraph":
            root.remove(element)
    for text in root.iterfind("custom/text"):
        if text.get("name", "").startswith("kinegraph:"):
            text.getparent().remove(text)
    return etree.tostring(root)


def without_extras(plain: Any, ours: bool = False) -> Any:
    """Return a glTF without extras, where Kinegraph's data is; ours: without Kinegraph's extras only."""
    if isinstance(plain, list):
        return [without_extras(value, ours) for value in plain]
    if not isinstance(plain, dict):
        return plain
    whole = {key: without_extras(value, ours) for key, value in plain.items() if key != "extras" or ours}
    if isinstance(extras := whole.get("extras"), dict):
        whole["extras"] = {key: value for key, value in extras.items() if not key.startswith("kinegraph")}
    return whole


TAKERS = {"tendon": ("spatial", "fixed"), "joint": ("joint", "body")}
"""Elements to which default classes of MJCF apply, if named differently: a joint of several axes is reported at its
body."""


def how_named(path: str, baseline: Output, now: Output, root: int = 1) -> str:
    """Return how the report names a change at a place: a finding about the place, what is below it, or else what
    contains it, differs from before, or says that all of it is lost. Unchanged findings do not suffice."""
    steps = path.split("/")
    above = ["/".join(steps[:length]) for length in range(len(steps), root + 1, -1)]
    before, after = _told(baseline[0]), _told(now[0])
    other = {*after} ^ {*before}
    heard = [each for each in (*now[0].findings, *baseline[0].findings) if _said(each) in other]
    heard += [each for each in now[0].findings if _whole(each)]
    named = {source.path for finding in heard for source in finding.sources}
    if path in named or any(place.startswith(f"{path}/") for place in named):
        return "named"
    if any(place in named for place in above):
        return "named by its element" if above[1] in named else "named by an ancestor"
    *_, classes, element, _ = ["", "", *(step.partition("[")[0] for step in steps)]
    takers = TAKERS.get(element, (element,)) if classes == "default" else ()
    if any(place.rpartition("/")[2].partition("[")[0] in takers for place in named):
        return "named with what takes it"
    if other:
        return "report changed"
    places = {source.path for finding in now[0].findings for source in finding.sources}
    return f"{SILENT}, though named for another reason" if places & {*above} else SILENT


def _whole(finding: Finding) -> bool:
    """Whether a finding says that a whole item is missing in the output, replaced or ignored: that includes its
    content."""
    if finding.action not in ("dropped", "carried", "derived", "ignored"):
        return False
    named = bool(NAMED.fullmatch(finding.before)) and finding.where.endswith(finding.before.rpartition(" ")[2])
    return not finding.after and named


NAMED = re.compile("[a-z ]+ .+")
"""How a report shows a named item: its kind and its name."""


def _told(report: Report) -> list[tuple[object, ...]]:
    """Return the content of findings: the objects refer to nodes of documents, which equal only themselves."""
    return [_said(each) for each in report.findings]


def _said(finding: Finding) -> tuple[object, ...]:
    places = (source.path for source in finding.sources)
    return finding.rule, finding.action, finding.where, finding.before, finding.after, finding.count, *places


def lightened(path: Path, folder: Path) -> Path:
    """Copy a URDF below the folder, with small meshes and textures in place of the original ones."""
    root = plain_urdf.parse(path)
    source = folder / path.resolve().relative_to("/")
    source.parent.mkdir(parents=True, exist_ok=True)
    _stand_ins(path, root, source)
    return saved(source, path.read_bytes())


def _stand_ins(original: Path, root: etree._Element, copy: Path) -> None:
    """Write small files of the same types instead of meshes and textures, so that a conversion takes milliseconds."""
    top = copy
    for _ in original.resolve().parents:
        top = top.parent
    uris = {
        str(value) for element in root.iter(etree.Element) for key, value in element.attrib.items() if key == "filename"
    } | {str(element.text).strip() for element in root.iter("uri", "{*}uri") if element.text}
    for number, uri in enumerate(sorted(uris), 1):
        found = plain_urdf.find(uri, original)
        if found is None:
            continue
        place = top / found.resolve().relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        _stand_in(found, place, number)


def _stand_in(original: Path, place: Path, number: int) -> None:
    writer = {".stl": _stl, ".obj": _obj, ".dae": _dae, ".png": _png}.get(original.suffix.lower())
    place.write_bytes(writer(float(number)) if writer else original.read_bytes())


TEXTS = (".sdf", ".world", ".config", ".material", ".xml")


def _models(original: Path, root: etree._Element, copy: Path, folders: list[Path]) -> Options:
    """Copy the models that an SDF file references, with small meshes; return the options by which they are found."""
    top = copy
    for _ in original.resolve().parents:
        top = top.parent
    names = {str(element.text).strip() for element in root.iter("uri") if element.text}
    names = {name.partition("://")[2] or name for name in names}
    models = {folder / name.split("/")[0] for folder in folders for name in names if name}
    for model in sorted(models | ({original.parent} if folders else set())):
        if not (model / "model.config").is_file():
            continue
        for number, file in enumerate(sorted(model.rglob("*"))[:500], 100):
            place = top / file.resolve().relative_to("/")
            if file.is_file() and file.suffix.lower() in (*TEXTS, ".stl", ".obj", ".dae", ".png") and file != original:
                place.parent.mkdir(parents=True, exist_ok=True)
                _stand_in(file, place, number)
    return Options(resource_paths=tuple(top / folder.resolve().relative_to("/") for folder in folders))


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def _stl(size: float) -> bytes:
    record = np.zeros(len(FACES), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    record["corners"] = [CORNERS[list(face)] * size for face in FACES]
    return b"\0" * 80 + len(FACES).to_bytes(4, "little") + record.tobytes()


def _obj(size: float) -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS * size] + [
        "f " + " ".join(str(i + 1) for i in face) for face in FACES
    ]
    return ("\n".join(lines) + "\n").encode()


def _dae(size: float) -> bytes:
    positions = " ".join(str(value) for value in (CORNERS * size).ravel())
    indices = " ".join(str(index) for face in FACES for index in face)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit meter="1" name="meter"/><up_axis>Z_UP</up_axis></asset>
 <library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array id="a" count="12">{positions}</float_array><technique_common>
   <accessor source="#a" count="4" stride="3">
    <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
   </accessor></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
 </mesh></geometry></library_geometries>
 <library_visual_scenes>
  <visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
 </library_visual_scenes>
 <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>""".encode()


def _png(size: float) -> bytes:
    from io import BytesIO

    from PIL import Image

    buffer = BytesIO()
    Image.new("RGB", (2, 2), (int(size) % 256, 90, 30)).save(buffer, "PNG")
    return buffer.getvalue()
