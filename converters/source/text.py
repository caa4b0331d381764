"""Numbers to and from text, exactly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

from ir.types import NotFiniteError

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
"""The syntax of a number in a file. float() alone would also accept 1_0, nan, infinity and Arabic digits."""

INFINITE = frozenset({float("inf"), float("-inf")})

BLANK = " \t\n\r"
"""White space of XML (1.0, production 3), which separates and surrounds numbers in every format; str.split and
str.strip also take no-break spaces and the like for white space."""
_BLANKS = re.compile(f"[{BLANK}]+")


def words(text: str) -> list[str]:
    """The words of a text, separated by white space."""
    return text.split() if text.isascii() else [word for word in _BLANKS.split(text) if word]


def closest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word of which another one may be a misspelling, ignoring case."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(known), n=1, cutoff=0.75)
    return close[0] if close else None


_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]{1,32}\Z")
_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_OTHER = re.compile(r"[^0-9eE.+\- \t\n\r]")


def plain_numbers(text: str) -> tuple[float, ...] | None:
    """The numbers of a text that contains only numbers and white space; None if parse_number has to decide."""
    if _OTHER.search(text):
        return None
    try:
        values = tuple(map(float, text.split()))
    except ValueError:
        return None
    return values if INFINITE.isdisjoint(values) else None


def counted(text: str | None) -> tuple[float, ...]:
    """The same of an attribute; none if it is no list of numbers, which is reported elsewhere."""
    return plain_numbers(text or "") or ()


def first(text: str | None, usual: float = 0.0) -> float:
    """The first number of an attribute; the default if it has none."""
    return (counted(text) or (usual,))[0]


def so_many_numbers(text: str | None, count: int) -> tuple[float, ...] | None:
    """The numbers of a text as in plain_numbers, if there are exactly `count`; else None."""
    values = plain_numbers(text) if text is not None else None
    return values if values is not None and len(values) == count else None


def parse_numbers(text: str) -> tuple[float, ...]:
    """The numbers of a text, separated by white space. Raises ValueError as parse_number."""
    values = plain_numbers(text)
    if values is not None:
        return values
    said = words(text)
    for word in said:
        if word.endswith(",") and NUMBER.match(word[:-1]):
            raise ValueError(f"{word!r} is not a number: blanks separate numbers, no commas")
    return tuple(map(parse_number, said))


def number(value: float) -> str:
    """The shortest text that reads back to the same double; -0.0 as 0.

    Raises NotFiniteError for inf and nan: no format accepts them.
    """
    if value == 0:
        return "0"
    text = repr(float(value))
    if text[-1] in "fn":  # inf, nan
        raise NotFiniteError(f"{text} cannot be written to a file")
    return text[:-2] if text.endswith(".0") else text


def inverse_text(read: Callable[[float], float], value: float, near: float) -> float:
    """The shortest number close to `near` that reads as this value to the last bit; `near` if there is none.

    If a format has another unit than the graph, what an author wrote comes back unchanged.
    """
    beside = (math.nextafter(near, to) for to in (math.inf, -math.inf))
    around = (float(f"{near:.15g}"), float(f"{near:.16g}"), near, *beside)
    return next((each for each in around if read(each) == value), near)


def turn_of(pitch: float) -> float:
    """The metres per turn of a screw that read back as this pitch in metres per radian."""
    return inverse_text(lambda turn: turn / (2 * math.pi), pitch, pitch * 2 * math.pi)


def numbers(values: Iterable[float]) -> str:
    """Numbers separated by single spaces: the only separator that every reader accepts."""
    return " ".join(map(number, values))


def six_digits(values: Iterable[float]) -> str:
    """Numbers for a report: six digits."""
    return " ".join(f"{value:g}" for value in values)


def number_fault(text: str) -> str:
    """The rule that a text breaks which is not a number: inf, nan and overflowing numbers break another one."""
    return "NUM-NONFINITE" if any(map(_endless, words(text))) else "NUM-PARSE"


def _endless(word: str) -> bool:
    if NUMBER.match(word):
        return float(word) in INFINITE
    return word.lstrip("+-").lower() in ("inf", "infinity", "nan")


def parse_number(text: str) -> float:
    """Raises ValueError with a message for the user when text is no finite decimal number."""
    if not NUMBER.match(text):
        hint = ": it is left for xacro to work out; expand the file first" if "$" in text else ""
        if _HEXADECIMAL.match(text):
            hint = f": write {float.fromhex(text)!r} instead"
        if _COMMA.fullmatch(text):
            hint = f": decimals have a point, {text.replace(',', '.')}"
        raise ValueError(f"{text!r} is not a number{hint}")
    value = float(text)
    if value in INFINITE:
        raise ValueError(f"{text!r} is beyond the range of a double")
    return value
