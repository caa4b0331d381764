"""numpy, which is opened when something of it is first asked for, and its arrays by what they hold.

A conversion without meshes needs no numpy, and to open it takes as long as the rest of such a conversion: a module
that a conversion opens for other things has np from here. What arrays hold is for the checker of types and for people:
at run time each of these is anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["Array", "Bytes", "Flags", "Floats", "Indices", "Ints", "Keys", "Singles", "Wide", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy import bool_, dtype, float32, float64, int64, longdouble, ndarray, uint8, uint32, uint64

    _Shape = tuple[Any, ...]
    Floats = ndarray[_Shape, dtype[float64]]
    Singles = ndarray[_Shape, dtype[float32]]
    Wide = ndarray[_Shape, dtype[longdouble]]
    Ints = ndarray[_Shape, dtype[int64]]
    Indices = ndarray[_Shape, dtype[uint32]]
    Keys = ndarray[_Shape, dtype[uint64]]
    Bytes = ndarray[_Shape, dtype[uint8]]
    Flags = ndarray[_Shape, dtype[bool_]]
    Array = ndarray[_Shape, dtype[Any]]
else:

    class _Numpy:
        """What was asked for once is an attribute from there on."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np = _Numpy()
    Floats = Singles = Wide = Ints = Indices = Keys = Bytes = Flags = Array = Any
