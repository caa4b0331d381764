"""Material libraries of OBJ (MTL), and the file names in them."""

from __future__ import annotations

from pathlib import Path

from converters.assets.meshes.parts import (
    ABSENT,
    MENDED,
    Finder,
    PartMaterial,
    as_number,
    bounded,
    opaque,
    share,
    side_content,
    side_files,
    surrounding,
)
from ir.types import Vec3

_OPTIONS: dict[str, tuple[str, ...]] = {
    "-o": ("0", "0", "0"),
    "-s": ("1", "1", "1"),
    "-t": ("0", "0", "0"),
    "-mm": ("0", "1"),
    "-clamp": ("off",),
    "-cc": ("off",),
    "-blendu": ("on",),
    "-blendv": ("on",),
    "-imfchan": ("",),
}
"""Options of an image map, each with its default arguments; all others have one argument."""
_MANY = 16
"""Most words on a line for which every combination is tried as a file name."""
_COLOURS = frozenset({"ka", "kd", "ks", "ke"})
_NUMBERS = frozenset({"d", "tr", "ns", "pm", "pr"})
_OF_RAYS = frozenset({"illum", "ni", "sharpness"})
"""Illumination model, refraction and sharpness of reflections: they control ray tracing, not the surface."""
_IDLE = {"tf": 1.0, "ps": 0.0, "pc": 0.0, "pcr": 0.0, "aniso": 0.0, "anisor": 0.0}
"""Values of transmission, sheen, clearcoat and anisotropy that have no effect."""


def lines_of(data: bytes) -> list[bytes]:
    """Return the lines, with continuations joined and any line ending removed."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\\" in data:
        data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    return data.splitlines()


def of_libraries(libraries: list[str], path: Path, lost: list[str]) -> tuple[dict[str, PartMaterial], bool]:
    """Return the materials by name, and whether all the library files were found."""
    found: dict[str, PartMaterial] = {}
    complete = True
    find = side_files(path.parent)
    for library in libraries:
        names = file_names(library, find)
        for name in names:
            file = find(name)
            if file is None:
                lost.append(f"material file {name!r}{ABSENT}")
                complete = False
            else:
                beside = find if file.parent == path.parent else side_files(file.parent)
                found = materials(side_content(path.parent, name, file), beside, lost) | found
    return found, complete


def file_names(text: str, find: Finder) -> list[str]:
    """Return the file names on a line: each is the longest run of consecutive words that names an existing file."""
    words = text.split()
    if find(text) is not None or len(words) > _MANY:
        return [text] if find(text) is not None else words
    names = []
    while words:
        size = next((size for size in range(len(words), 1, -1) if find(" ".join(words[:size])) is not None), 1)
        names.append(" ".join(words[:size]))
        words = words[size:]
    return names


def materials(data: bytes, find: Finder, lost: list[str]) -> dict[str, PartMaterial]:
    """Return the materials of an MTL file by name; textures are looked up with find."""
    found: dict[str, PartMaterial] = {}
    name: str | None = None
    fields: dict[str, str] = {}
    for line in [*lines_of(data), b"newmtl"]:
        words = line.decode("utf-8", "replace").split(None, 1)
        if not words:
            continue
        word, rest = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        if word == "newmtl":
            if name is None:
                lost += [f"{word} before the first material" for word in fields]
            elif name not in found:
                found[name] = _material(name, fields, find, lost)
            elif fields:
                lost.append(f"a second material {name!r}")
            name, fields = rest, {}
        elif not word.startswith("#"):
            fields[word] = rest if word.startswith("map_") else rest.partition("#")[0].strip()
    return found


def _material(name: str, fields: dict[str, str], find: Finder, lost: list[str]) -> PartMaterial:
    colour = _colour("kd", name, fields, lost) or (0.8, 0.8, 0.8)
    alpha = as_number(fields.get("d", "").removeprefix("-halo"))
    if alpha is None:
        clear = as_number(fields.get("tr"))
        alpha = 1.0 if clear is None else 1.0 - clear
    texture = None
    if fields.get("map_kd"):
        options = list[str]()
        image = image_name(fields["map_kd"], options)
        lost += [f"the texture's option {option} of material {name!r}" for option in options]
        texture = find(image) if image else None
        if texture is None:
            lost.append(f"texture {image!r} of material {name!r}{ABSENT}")
        elif colour == (0.0, 0.0, 0.0):
            colour = (1.0, 1.0, 1.0)
    for word, said in fields.items():
        if word in _NUMBERS and as_number(said.removeprefix("-halo")) is None:
            lost.append(f"{word} {said} of material {name!r}, which is not a number")
        elif word not in _COLOURS | _NUMBERS | _OF_RAYS | {"map_kd"} and not _idle(word, said):
            lost.append(f"{word} of material {name!r}")
    metallic, roughness = (as_number(fields.get(word)) for word in ("pm", "pr"))
    return PartMaterial(
        name=name,
        rgba=(*colour, opaque(alpha, name, lost)),
        texture=texture,
        ambient=surrounding(_colour("ka", name, fields, lost), colour),
        emissive=_colour("ke", name, fields, lost),
        specular=_colour("ks", name, fields, lost),
        shininess=as_number(fields.get("ns")),
        metallic=None if metallic is None else share(metallic, "pm", name, lost),
        roughness=None if roughness is None else share(roughness, "pr", name, lost),
    )


def _idle(word: str, said: str) -> bool:
    return word in _IDLE and all(as_number(each) == _IDLE[word] for each in said.split())


def _colour(word: str, name: str, fields: dict[str, str], lost: list[str]) -> Vec3 | None:
    """Return three numbers clamped to [0, 1], or one repeated three times; spectral and xyz colours are not read."""
    text = fields.get(word, "")
    said = text.split()
    numbers = [value for each in said[:3] if (value := as_number(each)) is not None]
    if len(numbers) not in (1, 3) or len(numbers) != len(said[:3]):
        if text:
            lost.append(f"{word} {text} of material {name!r}, which is not a colour of three numbers")
        return None
    if len(said) > len(numbers):
        lost.append(f"{word} {text} of material {name!r}, which is more than a colour{MENDED} the first three numbers")
    return bounded(*(numbers * 3)[:3], name=name, lost=lost)


def _alike(said: list[str], plain: tuple[str, ...]) -> bool:
    """Whether the arguments of an option equal its defaults, as words or as numbers."""
    return all(
        a == b or (as_number(a) is not None and as_number(a) == as_number(b)) for a, b in zip(said, plain, strict=False)
    )


def image_name(text: str, options: list[str] | None = None) -> str:
    """Return the file name after a map's options; it may contain blanks. options: collects non-default ones."""
    words = text.split(" ")
    while words and (words[0] == "" or words[0].startswith("-")):
        option = words.pop(0)
        if not option:
            continue
        plain = _OPTIONS.get(option, ("",))
        said: list[str] = []
        while (
            words and len(said) < len(plain) and len(words) > 1 and (len(plain) == 1 or as_number(words[0]) is not None)
        ):
            said.append(words.pop(0))
        if options is not None and plain != ("",) and not _alike(said, plain):
            options.append(option)
    return " ".join(words).strip()
