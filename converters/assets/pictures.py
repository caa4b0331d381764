"""Whether two files of images show the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from converters.assets.textures import decoded
from converters.context import InputError

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
KIND, END = slice(24, 26), b"IEND\xaeB`\x82"
"""Where a PNG says what its numbers are, and how a whole one ends."""
PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT")
"""Chunks of a PNG that say what its pixels are."""
ACROSS, SHADE = 8, 24
"""Points across a small copy of an image, and how far those of two such may be from each other."""


def content(picture: Path | bytes) -> bytes:
    """What is in a file. Raises OSError."""
    return picture if isinstance(picture, bytes) else picture.read_bytes()


def readable(picture: Path | bytes) -> bool:
    """Whether an image can be decoded."""
    try:
        return bool(_small(content(picture))[0])
    except (InputError, OSError):
        return False


def same(one: bytes, other: bytes) -> bool:
    """Whether two images are the same, but for how their pixels are stored, and what is said beside these. Raises
    InputError for what cannot be decoded."""
    if one == other:
        return True
    if one.startswith(PNG) and other.startswith(PNG):
        if _pixels(one) == _pixels(other):
            return True
        if one[KIND] == other[KIND] and other.endswith(END):  # nobody had to make another PNG of it
            return False
    half = len(one) // 2
    if one.startswith(JPEG) and other.startswith(JPEG):
        return one[half:] == other[half - len(one) :]
    ours, theirs = _small(one), _small(other)
    deep = ours[1] or theirs[1]
    return all(abs(a - b) <= SHADE for a, b in zip(_shades(ours[0], deep), _shades(theirs[0], deep), strict=True))


def _pixels(data: bytes) -> list[bytes]:
    found, at = [], len(PNG)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        found += [data[at:end]] if data[at + 4 : at + 8] in PIXELS else []
        at = end
    return found


def _small(data: bytes) -> tuple[list[float], bool]:
    """The greys of a small copy of an image, and whether they are other numbers than 0 to 255. Raises InputError for
    one that is cut off."""
    with decoded(data, "image") as picture:
        picture.draft("L", (ACROSS * ACROSS, ACROSS * ACROSS))  # a JPEG need not be unpacked as a whole
        deep = picture.mode[0] in "IF"
        grey = picture.convert("I").convert("F") if picture.mode.startswith("I;") else picture
        small = (grey if deep else grey.convert("L")).convert("F").resize((ACROSS, ACROSS))
        return np.asarray(small, dtype=np.float64).ravel().tolist(), deep


def _shades(greys: list[float], deep: bool) -> list[float]:
    """Greys from 0 to 255; deep ones are said between the darkest and the brightest that there is."""
    low, high = min(greys), max(greys)
    return [(grey - low) / (high - low) * 255 if high > low else 0.0 for grey in greys] if deep else greys
