"""Arrays of numpy by what they hold. For types alone: numpy is imported where it is used."""

from __future__ import annotations

from numpy import float64, int64, uint8, uint64
from numpy.typing import NDArray

Floats = NDArray[float64]
Ints = NDArray[int64]
Keys = NDArray[uint64]
Bytes = NDArray[uint8]
