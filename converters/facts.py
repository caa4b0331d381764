"""What the reasons for losses look at (Facts): the scenes, the options and all that an output lost and gained."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from converters.context import Options

if TYPE_CHECKING:
    from ir.scene import Address, Scene
    from ir.types import Body, Dof, Geom, Joint

V = TypeVar("V")


class Facts:
    """What the condition of a row (Loss.when) can look at: the scene that an output is compared with, as it was read
    and as it was written, the options, and everything that the output lost and gained. Look-ups are cached."""

    def __init__(
        self,
        scene: Scene,
        fitted: Scene | None = None,
        options: Options | None = None,
        lost: Mapping[Address, object] | None = None,
        noted: Container[str] = (),
        gained: Mapping[Address, object] | None = None,
    ) -> None:
        self.scene = scene
        self.fitted = fitted or scene
        """The scene as the passes made it, which was written."""
        self.options = options or Options()
        self.lost = lost or {}
        """Address -> what the output lacks; also a shape that was replaced by another one."""
        self.gained = gained or {}
        """Address -> what the output has and the scene lacks, or has with another value."""
        self.noted = noted
        """Addresses, as in a finding, of what the reader or the writer has noted as dropped."""
        self._some: dict[tuple[str, Callable[[Geom], bool]], bool] = {}
        self._once: dict[Callable[[Facts], Any], Any] = {}

    def once(self, found: Callable[[Facts], V]) -> V:
        """The result of a function of the scenes as a whole, computed once: conditions run for each difference."""
        if found not in self._once:
            self._once[found] = found(self)
        answer: V = self._once[found]
        return answer

    def some(self, body: Body, holds: Callable[[Geom], bool]) -> bool:
        """Whether any geom of a body fulfils a condition."""
        key = body.name, holds
        if key not in self._some:
            self._some[key] = any(map(holds, body.geoms))
        return self._some[key]

    @cached_property
    def dofs(self) -> Mapping[str, tuple[Joint, Dof]]:
        """As Scene.dofs."""
        return self.scene.dofs()

    @cached_property
    def geoms(self) -> Mapping[tuple[str, str], Geom]:
        """Every geom by (its body, its own name)."""
        return _geoms(self.scene)

    @cached_property
    def written(self) -> Mapping[tuple[str, str], Geom]:
        """The same, in the scene as the passes made it."""
        return self.geoms if self.fitted is self.scene else _geoms(self.fitted)

    @cached_property
    def shown(self) -> Mapping[str, Sequence[Address]]:
        """Material -> the visible geoms that are written with it."""
        from ir.gathering import gathered

        return gathered(
            (geom.material, ("body", body, "geoms", name))
            for (body, name), geom in self.written.items()
            if geom.material is not None and geom.shape is not None and geom.seen
        )

    @cached_property
    def shaped(self) -> Mapping[str, Sequence[Address]]:
        """Mesh or height field -> the geoms that are written with the whole of it."""
        from ir.gathering import gathered
        from ir.types import HeightField, Mesh

        return gathered(
            (geom.shape.asset, ("body", body, "geoms", name))
            for (body, name), geom in self.written.items()
            if isinstance(geom.shape, (Mesh, HeightField)) and not getattr(geom.shape, "submesh", None)
        )


def _geoms(scene: Scene) -> dict[tuple[str, str], Geom]:
    return {(body.name, geom.name): geom for body in scene.bodies.values() for geom in body.geoms}
