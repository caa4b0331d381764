"""Settings that have no field in the graph but affect MuJoCo's compiler: extras of entities and of <compiler>."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress

from converters.mjcf.tables import COMPILERS, FORMAT
from ir.scene import Scene
from ir.types import Body, Extra


def said_by(extras: Iterable[Extra], owner: str = "") -> dict[str, str]:
    """Return the attributes among the extras of an entity itself, or of its child elements with the tag `owner`."""
    found: dict[str, str] = {}
    for extra in extras:
        above, _, name = extra.path.rpartition("/")
        if extra.format == FORMAT and name.startswith("@") and above.partition("[")[0] == owner:
            found[name[1:]] = extra.text
    return found


class Rules:
    """The <compiler> attributes for each body: those of the model, or of the attached model that contains it."""

    def __init__(self, scene: Scene) -> None:
        self.own = said_by(scene.extras, "compiler")
        self.attached: dict[str, dict[str, str]] = {}
        with suppress(ValueError, AttributeError):  # the carried text was edited
            noted = json.loads(scene.notation.get(COMPILERS, "{}"))
            self.attached = {name: {key: str(text) for key, text in said.items()} for name, said in noted.items()}

    def of(self, body: Body) -> dict[str, str]:
        return self.attached.get(body.name, self.own)
