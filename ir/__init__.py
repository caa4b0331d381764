"""The neutral graph that every conversion goes through. It knows no format, no disk and no user.

SI, radians, z up, right-handed, quaternions w x y z: no field says its unit. README.md tells what each module answers.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir.scene import TABLES as TABLES, Scene as Scene


def __getattr__(name: str) -> Any:
    """Scene and TABLES, when somebody asks for them: who needs types alone does not wait for networkx."""
    if name not in ("TABLES", "Scene"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ir import scene

    return getattr(scene, name)
