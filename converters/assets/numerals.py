"""Numbers in text, by numpy: it reads whole numbers ten times as fast as others, so points are taken out first."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from converters.assets.regular import wholes

if TYPE_CHECKING:
    from converters.assets.parts import Floats, Ints

_FEW = 1500
"""Bytes of text below which np.fromstring alone is as fast."""

_EXACT = 1 << 53
"""Whole numbers below it are doubles; over a power of ten that is one too they are rounded once, as strtod rounds."""

_POWERS = 22
"""The largest power of ten that is a double."""

_RARE = 8
"""One number in so many may need strtod itself; where more do, all are read by it."""

_LETTERS = bytes.maketrans(b"eE", b"  ")


def numbers(text: str | bytes | None) -> Floats:
    """The numbers of a text between blanks. Raises ValueError for what is none."""
    if text is not None and len(text) >= _FEW and text.isascii():
        read = _quickly(text.encode() if isinstance(text, str) else text)
        if read is not None:
            return read[0]
    values: Floats = _from(text, "f8")
    return values


def rows(data: bytes) -> tuple[Floats, Ints]:
    """The numbers of a text and how many each of its lines (that end in \\n) has. Raises ValueError."""
    read = _quickly(data)
    if read is None:
        read = _from(data, "f8"), ends(data)
        if len(read[0]) != len(read[1]):
            raise ValueError("numbers that run into each other")
    return read[0], per_line(data, read[1])


def whole(text: str | bytes | None) -> Ints:
    """The whole numbers of a text. Raises ValueError for what is none."""
    if text is not None and len(text) >= _FEW and text.isascii():
        read = wholes(text.encode() if isinstance(text, str) else text)
        if read is not None:
            return read
    values: Ints = _from(text, "i8")
    return values


def ends(data: bytes) -> Ints:
    """Where the words of a text end: the place behind each."""
    import numpy as np

    blank = np.frombuffer(data + b" ", dtype=np.uint8) <= 32
    return np.flatnonzero(_after(blank))


def per_line(data: bytes, found: Ints) -> Ints:
    """How many words each line has, from where the words end."""
    import numpy as np

    lines = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10)
    width = len(found) // len(lines) if len(lines) else 0
    if width and len(lines) * width == len(found):
        table = found.reshape(-1, width)
        if bool((table[:, -1] <= lines).all()) and bool((table[1:, 0] > lines[:-1]).all()):
            return np.full(len(lines), width, dtype=np.int64)
    return np.diff(np.searchsorted(found, lines, side="right"), prepend=0)


def _from(text: str | bytes | None, kind: str) -> Any:
    """numpy warns of text that is no number, and has announced that it will raise."""
    import numpy as np

    if not text or text.isspace():
        return np.zeros(0, dtype=kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, dtype=kind, sep=" ")
        except DeprecationWarning as error:
            raise ValueError(str(error)) from None


def _after(blank: Any) -> Any:
    """The blanks that follow something else."""
    import numpy as np

    last = np.zeros(len(blank), dtype=bool)
    np.greater(blank[1:], blank[:-1], out=last[1:])
    return last


def _quickly(data: bytes) -> tuple[Floats, Ints] | None:
    """Numbers and where they (or their mantissas) end; None for what is unusual or wrong.

    The digits are read as whole numbers, each divided by the power of ten that its point and its exponent say.
    """
    import numpy as np

    characters = np.frombuffer(data + b" ", dtype=np.uint8)
    blank = characters <= 32
    letters = None
    if b"e" in data or b"E" in data:
        letters = (characters | 32) == 101
        blank |= letters
    stops = _after(blank)
    stops |= characters == 46
    at = np.flatnonzero(stops)  # points and ends of words, in order
    point = characters[at] == 46
    if bool((point[1:] & point[:-1]).any()):
        return None
    last = np.flatnonzero(~point)
    found = at[last]
    try:
        values: Ints = _from(data.translate(_LETTERS, b"."), "i8")
    except ValueError:
        return None
    if len(values) != len(found) or not len(found):
        return None
    before = np.maximum(last - 1, 0)
    behind = np.where(point[before], found - at[before] - 1, 0)
    if letters is not None:
        mantissa = letters[found]
        powers = np.flatnonzero(mantissa) + 1
        if len(powers) != np.count_nonzero(letters) or int(powers[-1]) == len(found):
            return None
        first = characters[found[powers - 1] + 1]
        if bool((mantissa[powers] | (behind[powers] != 0) | (first < 43) | (first > 57)).any()):
            return None
        behind[powers - 1] -= values[powers]
        kept = np.ones(len(found), dtype=bool)
        kept[powers] = False
        values, behind, found = values[kept], behind[kept], found[kept]
    hard = None
    if (
        max(abs(int(values.min())), abs(int(values.max()))) >= _EXACT
        or int(behind.max()) > _POWERS
        or int(behind.min()) < -_POWERS
    ):
        hard = np.flatnonzero((values >= _EXACT) | (values <= -_EXACT) | (behind > _POWERS) | (behind < -_POWERS))
        if len(hard) * _RARE > len(values):
            return None
        behind[hard] = 0
    tens = 10.0 ** np.arange(_POWERS + 1)
    result: Floats = values / tens[np.maximum(behind, 0)]
    if int(behind.min()) < 0:
        result *= tens[np.maximum(-behind, 0)]
    if hard is not None:
        words = at[characters[at] <= 32]  # where each number ends, with its exponent
        begin = np.where(hard > 0, words[hard - 1], 0)
        result[hard] = [float(data[a:b]) for a, b in zip(begin.tolist(), words[hard].tolist(), strict=True)]
    return result, found
