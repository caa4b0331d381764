"""numpy, imported when it is first used, and the types of its arrays.

A conversion without meshes needs no numpy, and importing it takes as long as the rest of such a conversion: modules
that are also imported by such conversions take np from here. The array types are for the type checker and for readers;
at run time each of them is Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["Array", "Bytes", "Flags", "Floats", "Indices", "Ints", "Keys", "Singles", "Wide", "column_bounds", "np"]

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
        """Stand-in for numpy, imported on first use: a requested attribute becomes one of this object."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            found = getattr(numpy, name)
            setattr(self, name, found)
            return found

    np = _Numpy()
    Floats = Singles = Wide = Ints = Indices = Keys = Bytes = Flags = Array = Any


def column_bounds(table: Array) -> tuple[Array, Array]:
    """Return the minimum and the maximum (k,) of the columns of a table (n, k), which must have a row. numpy needs 20
    times as long along the first axis of a table of short rows."""
    columns = np.ascontiguousarray(table.T)
    return columns.min(axis=1), columns.max(axis=1)
