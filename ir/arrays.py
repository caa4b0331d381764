"""Arrays of numpy by what they hold."""

from __future__ import annotations

from typing import Any

from numpy import bool_, dtype, float64, int64, longdouble, ndarray, uint8, uint64

_Shape = tuple[Any, ...]
Floats = ndarray[_Shape, dtype[float64]]
Wide = ndarray[_Shape, dtype[longdouble]]
Ints = ndarray[_Shape, dtype[int64]]
Keys = ndarray[_Shape, dtype[uint64]]
Bytes = ndarray[_Shape, dtype[uint8]]
Flags = ndarray[_Shape, dtype[bool_]]
Array = ndarray[_Shape, dtype[Any]]
