"""Images that the compiler of MuJoCo generates: gradient, checker and flat, with marks (mjCTexture::Builtin2D)."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from converters.source.text import so_many_numbers
from ir.arrays import Array, Floats, Keys, np

MOST = 1 << 24
"""Maximum number of pixels of a generated image."""
COLOURS = {"rgb1": (0.8, 0.8, 0.8), "rgb2": (0.5, 0.5, 0.5), "markrgb": (0.0, 0.0, 0.0)}
SEED, WORDS, HALF = 42, 312, 156
"""Parameters of the 64-bit Mersenne Twister (Nishimura 2000): the random dots are the same in every run."""


def painted_texture(said: Mapping[str, str]) -> bytes | None:
    """Return the PNG of a texture of type 2d, from its attributes; None for a texture that cannot be generated."""
    from PIL import Image

    size = [so_many_numbers(said.get(name), 1) for name in ("height", "width")]
    height, width = (int(value[0]) if value and 0 < value[0] < MOST else 0 for value in size)
    colours = {name: so_many_numbers(said[name], 3) if name in said else usual for name, usual in COLOURS.items()}
    if not 0 < height * width <= MOST or None in colours.values():
        return None
    first, second, mark = (np.array(colours[name]) for name in COLOURS)
    match said.get("builtin"):
        case "gradient" if min(height, width) > 1:
            image = np.empty((height, width, 3), np.uint8)
            x = 2 * np.arange(width) / max(width - 1, 1) - 1
            for row in range(height):  # row by row, because a large image needs much more memory as floats
                near = 1 - 2 * np.hypot(x, 1 - 2 * np.float64(row) / max(height - 1, 1))
                share = np.clip(0.5 * (1 + near / np.sqrt(1 + near * near) * np.sqrt(2)), 0, 1)[:, None]
                image[row] = _bytes(share * first + (1 - share) * second)
        case "checker":
            other = (np.arange(height)[:, None] < height // 2) ^ (np.arange(width)[None] < width // 2)
            image = np.where(other[..., None], _bytes(second), _bytes(first))
        case "flat":
            image = np.broadcast_to(_bytes(first), (height, width, 3)).copy()
        case _:
            return None
    match said.get("mark"):
        case "edge":
            image[[0, -1]] = image[:, [0, -1]] = _bytes(mark)
        case "cross":
            image[height // 2] = image[:, width // 2] = _bytes(mark)
        case "random":
            often = so_many_numbers(said.get("random", "0.01"), 1)
            if often is None:
                return None
            image[uniform(height * width).reshape(height, width) < often[0]] = _bytes(mark)
    buffer = BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


def _bytes(colour: Floats) -> Array:
    return np.clip(255 * colour, 0, 255).astype(np.uint8)


def uniform(count: int) -> Floats:
    """Return numbers in [0, 1) as std::uniform_real_distribution<double> draws them from std::mt19937_64(42)."""
    words = [SEED]
    for index in range(1, WORDS):
        words.append((6364136223846793005 * (words[-1] ^ (words[-1] >> 62)) + index) & (1 << 64) - 1)
    state, rounds = np.array(words, np.uint64), []
    for _ in range(-(-count // WORDS)):
        state = _next_state(state)
        drawn = state ^ ((state >> np.uint64(29)) & np.uint64(0x5555555555555555))
        drawn ^= (drawn << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        drawn ^= (drawn << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        rounds.append(drawn ^ (drawn >> np.uint64(43)))
    return np.concatenate(rounds)[:count].astype(np.float64) * 2.0**-64


def _next_state(old: Keys) -> Keys:
    """Return the next state words; the second half is computed from the first."""
    new = old.copy()
    upper, lower = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
    for low in (0, HALF):
        here = slice(low, low + HALF)
        after = old[1 : HALF + 1] if low == 0 else np.append(old[HALF + 1 :], new[:1])
        mixed = (old[here] & upper) | (after & lower)
        far = old[HALF:] if low == 0 else new[:HALF]
        new[here] = (
            far ^ (mixed >> np.uint64(1)) ^ np.where(mixed & np.uint64(1), np.uint64(0xB5026F5AA96619E9), np.uint64(0))
        )
    return new
