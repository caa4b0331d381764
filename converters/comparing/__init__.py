"""Whether two models are the same robot: where they differ, and by how much."""

from converters.comparing.engines import (
    compare_in as compare_in,
    looked_at as looked_at,
    passed_over as passed_over,
    refusal as refusal,
)
from converters.comparing.models import compare as compare
from converters.comparing.unlike import ASPECTS as ASPECTS, NOT_COMPARED as NOT_COMPARED, Unlike as Unlike
