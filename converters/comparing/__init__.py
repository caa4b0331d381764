"""Whether two models are the same robot: where they differ, and by how much."""

from converters.comparing.engines import compare_in as compare_in
from converters.comparing.models import compare as compare
from converters.comparing.unlike import Unlike as Unlike
