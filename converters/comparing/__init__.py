"""Whether two models are the same robot: where they differ, and by how much.

models.py     two models, compared in the terms of the graph
difference.py  one thing that they do not have in common
looks.py      shapes and colours, geom by geom
contacts.py   which bodies can touch
relations.py  constraints, loops, and pairs that may touch
engines.py    the same as engines read them (--engine)
readings.py   what each engine reads of a file
notes.py      what both readings tell that is no difference
show.py       what was found, for people and for programs
"""

from converters.comparing.difference import ASPECTS as ASPECTS, NOT_COMPARED as NOT_COMPARED, Unlike as Unlike
from converters.comparing.engines import (
    compare_in as compare_in,
    looked_at as looked_at,
    passed_over as passed_over,
    refusal as refusal,
)
from converters.comparing.models import compare as compare
from converters.comparing.notes import notes_of_readings as notes_of_readings
