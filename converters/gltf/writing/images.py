"""Images in the formats of glTF: PNG or JPEG of 8 bits, without colour profiles; pixels are kept wherever possible."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from converters.assets.textures import JPEG, PNG, as_8_bit, content, decode_image, png

PROFILES = frozenset({b"iCCP", b"gAMA", b"cHRM", b"acTL", b"fcTL", b"fdAT"})
"""PNG chunks that define a colour space other than sRGB, or an animation (3.8.3: readers ignore them)."""


def image(source: Path | bytes, name: str) -> tuple[bytes, str]:
    """Return the bytes and the media type of an image; name is for messages.

    Raises InputError when it cannot be decoded or is too large.
    """
    data = content(source, name)
    if data.startswith(JPEG):
        stripped = _jpeg_without_profile(data)
        if stripped is not None:
            return stripped, "image/jpeg"
    whole = png(data, name)
    data = whole if isinstance(whole, bytes) else whole.read_bytes()
    return (_as_eight_bits(data, name) if data[24] == 16 else _without_profiles(data)), "image/png"


def see_through(data: bytes, name: str) -> bool:
    """Whether any pixel of the image is transparent. Raises InputError when it cannot be decoded."""
    if not data.startswith(PNG) or (data[25] not in (4, 6) and all(kind != b"tRNS" for kind, _ in _chunks(data))):
        return False
    with decode_image(data, name) as picture:
        return any(picture.convert("RGBA").getchannel("A").histogram()[:255])


def _chunks(data: bytes) -> Iterator[tuple[bytes, slice]]:
    """Yield the type of each chunk of a PNG, and its position."""
    at = len(PNG)
    while at < len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        yield data[at + 4 : at + 8], slice(at, end)
        at = end


def _without_profiles(data: bytes) -> bytes:
    return b"".join([PNG, *(data[place] for kind, place in _chunks(data) if kind not in PROFILES)])


def _as_eight_bits(data: bytes, name: str) -> bytes:
    with decode_image(data, name) as picture:
        mode = "RGBA" if picture.mode in ("RGBA", "LA") or "transparency" in picture.info else "RGB"
        out = BytesIO()
        as_8_bit(picture, mode).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _jpeg_without_profile(data: bytes) -> bytes | None:
    """Return the image without its colour profile; None unless it has 8 bits and one or three channels."""
    parts, at = [data[:2]], 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        end = at + 2 + length
        frame = marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC)
        if end > len(data) or (frame and (length < 8 or data[at + 4] != 8 or data[at + 9] == 4)):
            return None
        if marker != 0xE2:
            parts.append(data[at:end])
        if marker == 0xDA:
            return b"".join([*parts, data[end:]])
        at = end
    return None
