"""Whether two image files show the same image."""

from __future__ import annotations

from pathlib import Path

from converters.assets.textures import JPEG, PNG, decode_image
from converters.context import InputError
from ir.arrays import Array, np

KIND, END = slice(24, 26), b"IEND\xaeB`\x82"
"""Position of the pixel format in a PNG, and the end of a complete PNG."""
PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT")
"""PNG chunks that determine the pixels."""
METADATA, SCAN = frozenset({*range(0xE0, 0xF0), 0xFE}) - {0xEE}, 0xDA
"""Markers of JPEG segments: metadata (0xEE tells which colours the numbers are), and the first scan."""
ACROSS, SHADE = 8, 24
"""Pixels along an edge of a reduced image, and the largest difference of two equal ones."""


def content(picture: Path | bytes) -> bytes:
    """Return the content of a file. Raises OSError."""
    return picture if isinstance(picture, bytes) else picture.read_bytes()


def readable(picture: Path | bytes) -> bool:
    """Whether an image can be decoded."""
    try:
        return _small(content(picture))[1].size > 0
    except (InputError, OSError):
        return False


def same(one: bytes, other: bytes) -> bool:
    """Whether two images are the same apart from pixel encoding and metadata. Raises InputError for what cannot be
    decoded."""
    if one == other:
        return True
    if one.startswith(PNG) and other.startswith(PNG):
        if _pixels(one) == _pixels(other):
            return True
        if one[KIND] == other[KIND] and other.endswith(END):  # an intact PNG of this kind is copied as it is
            return False
    if one.startswith(JPEG) and other.startswith(JPEG):
        return _decoded_parts(one) == _decoded_parts(other)
    (deep, ours), (deeper, theirs) = _small(one), _small(other)
    if deep or deeper:  # more than 8 bits: brightness is scaled from the darkest to the brightest pixel
        ours, theirs = ((each - each.min()) * (255.0 / (float(np.ptp(each)) or 1.0)) for each in (ours, theirs))
    return bool(np.abs(ours - theirs).max() <= SHADE)


def _pixels(data: bytes) -> list[bytes]:
    found, at = [], len(PNG)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        found += [data[at:end]] if data[at + 4 : at + 8] in PIXELS else []
        at = end
    return found


def _decoded_parts(data: bytes) -> list[bytes]:
    """The segments of a JPEG that determine its pixels, without profiles, comments and other metadata."""
    found, at = [], 2
    while at + 1 < len(data) and data[at] == 0xFF:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at + 1] == SCAN:
            break
        found += [data[at:end]] if data[at + 1] not in METADATA else []
        at = end
    return [*found, data[at:]]


def _small(data: bytes) -> tuple[bool, Array]:
    """Return whether an image has more than 8 bits, and a reduced copy. Raises InputError for a truncated one."""
    with decode_image(data, "image") as picture:
        picture.draft("L", (ACROSS * ACROSS, ACROSS * ACROSS))  # lets Pillow decode a JPEG at a reduced size
        deep = picture.mode[:1] in ("I", "F")
        grey = picture.convert("F" if deep else "L").resize((ACROSS, ACROSS))
        return deep, np.nan_to_num(np.asarray(grey, dtype=np.float64))
