"""A motion as a file records it, and checking it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from converters.context import InputError
from ir.arrays import Floats, np
from ir.kinematics import COORDINATES
from ir.types import Dof, Source

LATEST = 1e12
"""Seconds, some 30 000 years; later times cannot be measured ones."""


class Recording(Struct, frozen=True, eq=False):
    """Samples as a file has them: times (n,) in seconds, coordinates (n, k) by dof name, and the line of each.

    unused: members of the file that say more than times and positions, and where each stands first.
    """

    file: str
    times: Floats
    tracks: dict[str, Floats]
    lines: Sequence[int] = ()
    unused: Mapping[str, int] = MappingProxyType({})

    def place(self, row: int) -> Source:
        return Source(self.file, self.lines[row] if row < len(self.lines) else 1, "/")


def checked_recording(found: Recording, dofs: Sequence[Dof]) -> Recording:
    """Check that times increase up to LATEST; make quaternions unit."""
    if found.times[0] < 0:
        raise InputError(f"the first time is {found.times[0]:.6g} s, before the beginning", found.place(0))
    late = np.flatnonzero(np.diff(found.times) <= 0)
    if len(late):
        row = int(late[0])
        raise InputError(
            f"the time {found.times[row + 1]:.9g} s does not come after {found.times[row]:.9g} s", found.place(row + 1)
        )
    if found.times[-1] > LATEST:
        row = int(np.argmax(found.times > LATEST))
        raise InputError(f"the time {found.times[row]:.6g} s is after {LATEST:.0e} s", found.place(row))
    for dof in dofs:
        if dof.kind in COORDINATES:
            track = found.tracks[dof.name]
            length = np.linalg.norm(track[:, -4:], axis=1)
            if not (length > 0).all() or not np.isfinite(length).all():
                raise InputError(f"a quaternion of {dof.name!r} has no direction", found.place(int(np.argmin(length))))
            track[:, -4:] /= length[:, None]
    return found
