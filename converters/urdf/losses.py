"""Why a difference may remain when the target is URDF: reasons alone, in losses.txt; the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed, unframed
from converters.passes.compound import LINK
from converters.passes.keys import WORDED
from converters.report.rows import rows
from converters.urdf import reasons

LOSSES = (renamed("urdf"), unframed("urdf"), *rows(reasons, LINK=LINK, WORDED=WORDED))


def losses() -> tuple[Loss, ...]:
    return LOSSES
