"""Why MJCF cannot hold something: reasons alone, in losses.txt; the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed, unframed
from converters.mjcf import reasons
from converters.mjcf.tables import FAR
from converters.passes.keys import WORDED
from converters.report.rows import rows

LOSSES = (renamed("mjcf"), unframed("mjcf"), *rows(reasons, FAR=FAR, WORDED=WORDED))


def losses() -> tuple[Loss, ...]:
    return LOSSES
