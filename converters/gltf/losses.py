"""Why glTF cannot hold something: reasons alone, in losses.txt; the differences are computed."""

from __future__ import annotations

from converters.format import Loss, renamed, unframed
from converters.gltf import reasons
from converters.report.rows import rows

LOSSES = (renamed("gltf"), unframed("gltf"), *rows(reasons))


def losses() -> tuple[Loss, ...]:
    return LOSSES
