"""Images for targets that read PNG only: a PNG keeps its bytes, everything else is converted with Pillow."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from converters.context import InputError
from converters.failures import unaddressed
from converters.not_models import stand_in
from ir.arrays import Array, np

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFile import ImageFile

PIXELS = 64_000_000
"""Most pixels; a larger image is refused before it is decoded."""

SIZE_LIMIT = 256 << 20
"""Most bytes of an image file."""

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
"""First bytes of images of these kinds."""
MEDIA = {"image/png": PNG, "image/jpeg": JPEG}
"""First bytes by media type."""
_HEADER = b"\0\0\0\x0dIHDR"


def png(image: Path | bytes, name: str) -> Path | bytes:
    """Return the image as PNG: unchanged if it is a complete PNG, else 8-bit RGB or RGBA, or 16-bit grey. name is for
    messages.

    Raises InputError when it cannot be decoded or is too large.
    """
    data = content(image, name)
    if (size := pixels(data)) is not None and all(size) and _whole(data):
        width, height = size
        if width * height > PIXELS:
            raise InputError(f"{name}: {width} x {height} pixels are more than {PIXELS}")
        return image
    with decode_image(data, name) as picture:
        from PIL import Image

        see_through = picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info
        made = (
            Image.fromarray(_sixteen(picture)) if _deep(picture) else picture.convert("RGBA" if see_through else "RGB")
        )
        out = BytesIO()
        made.save(out, "PNG", compress_level=1)
    return out.getvalue()


def pixels(data: bytes) -> tuple[int, int] | None:
    """Return the width and height declared by a PNG; None for other data. 24 bytes are enough."""
    if len(data) < 24 or data[:8] != PNG:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@contextmanager
def decode_image(data: bytes, name: str) -> Iterator[ImageFile]:
    """Open an image in Pillow; name is for messages.

    Raises InputError for one that is too large, and for any error while it is open.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data)) as picture:
            if picture.width * picture.height > PIXELS:
                raise InputError(f"{name}: {picture.width} x {picture.height} pixels are more than {PIXELS}")
            yield picture
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise InputError(f"{name}: the image has more than {PIXELS} pixels") from None
    except UnidentifiedImageError:
        said = stand_in(data) or "is cut off, or no image of a known kind"
        raise InputError(f"{name}: the image cannot be read: it {said}") from None
    except Exception as error:  # Pillow's decoders raise many kinds
        raise InputError(f"{name}: the image cannot be read: {unaddressed(error)}") from None


def grey(picture: Image.Image) -> Image.Image:
    """Return the brightness of a picture at its own bit depth."""
    return picture if _deep(picture) else picture.convert("L")


def as_8_bit(picture: Image.Image, mode: str) -> Image.Image:
    """Convert a picture to a mode of 8 bits; Pillow itself clips deeper values at 255 instead of scaling them."""
    if not _deep(picture):
        return picture.convert(mode)
    from PIL import Image

    numbers, key = _sixteen(picture), picture.info.get("transparency")
    made = Image.fromarray(np.round(numbers / np.float32(257)).astype(np.uint8)).convert(mode)
    if key is not None and mode.endswith("A"):
        made.putalpha(Image.fromarray(np.where(numbers == key, 0, 255).astype(np.uint8)))
    return made


def pack_metal_roughness(rough: Path | bytes | None, metal: Path | bytes | None, name: str) -> bytes:
    """Combine images of roughness and metalness (their red channel) in one PNG, in green and blue as in glTF, as large
    as the larger one; white where one is None. Raises InputError as decode_image does, and where the result is too
    large; name is for messages about images without a file."""
    from PIL import Image

    found: list[Image.Image | None] = []
    for image in (rough, metal):
        if image is None:
            found.append(None)
        else:
            called = str(image) if isinstance(image, Path) else name
            with decode_image(content(image, called), called) as picture:
                found.append(as_8_bit(picture, "RGB").getchannel("R"))
    sizes = [each.size for each in found if each is not None]
    size = max(size[0] for size in sizes), max(size[1] for size in sizes)
    if size[0] * size[1] > PIXELS:
        raise InputError(f"{name}: as one image of {size[0]} x {size[1]} pixels, which are more than {PIXELS}")
    white = Image.new("L", size, 255)
    channels = [white, *(white if each is None else each.resize(size) for each in found)]
    data = BytesIO()
    Image.merge("RGB", channels).save(data, "PNG")
    return data.getvalue()


def channel(image: Path | bytes, band: str, name: str) -> bytes:
    """Return the channel "R", "G" or "B" of an image as a grey PNG. Raises InputError as decode_image does; name is for
    messages."""
    out = BytesIO()
    with decode_image(content(image, name), name) as picture:
        as_8_bit(picture, "RGB").getchannel(band).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _deep(picture: Image.Image) -> bool:
    """Whether a picture is grey with more than eight bits."""
    return picture.mode.startswith("I") or picture.mode == "F"


def _sixteen(picture: Image.Image) -> Array:
    """Return a deep picture in sixteen bits: integers that fit are unchanged, floats in [0, 1] are scaled to white, and
    any other range is stretched from black to white."""
    numbers = np.asarray(picture)
    white = 1.0 if numbers.dtype.kind == "f" else 65535.0
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if low >= 0 and high <= white:
        low, high = 0.0, white
    shares = np.clip((numbers - low) / ((high - low) or 1.0), 0.0, 1.0)
    return np.round(np.nan_to_num(shares) * 65535).astype(np.uint16)


def content(image: Path | bytes, name: str) -> bytes:
    """Return the bytes of an image file. Raises InputError when it is too large or cannot be read."""
    if isinstance(image, bytes):
        return image
    try:
        if image.stat().st_size > SIZE_LIMIT:
            raise InputError(f"{name}: the image is larger than {SIZE_LIMIT >> 20} MiB")
        return image.read_bytes()
    except OSError as error:
        raise InputError(f"{name}: the image cannot be read: {error.strerror or error}") from None


def _whole(data: bytes) -> bool:
    """Whether a PNG begins with its header, all chunks have valid length and checksum and the last one is there, as
    MuJoCo's decoder requires."""
    at = len(PNG)
    while data[8:16] == _HEADER and at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        end = at + 8 + length
        kind = data[at + 4 : at + 8]
        if end + 4 > len(data) or zlib.crc32(memoryview(data)[at + 4 : end]) != int.from_bytes(
            data[end : end + 4], "big"
        ):
            return False
        if kind == b"IEND":
            return True
        at = end + 4
    return False
