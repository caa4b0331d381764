"""File addresses as RViz, MoveIt and `ros2 launch` require them: package://NAME/…, relative to the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from converters.assets import inside
from converters.assets.folders import ancestors, package_name
from converters.assets.resolve import Resolver
from converters.context import WriterContext
from converters.paths import absolute, way_to
from ir.types import Asset

SCHEME = "package://"


class Package(NamedTuple):
    """The ROS package that contains an output; both folders are absolute."""

    name: str
    folder: Path
    output: Path
    find: Callable[[str], tuple[str | None, str]]
    """Resolves an address from the folder of the output."""

    def address(self, uri: str) -> str:
        """Return the package address of a file given by a uri relative to the output; uri itself if outside."""
        path = way_to(os.path.join(self.output, uri), self.folder)
        return uri if path.startswith("../") else f"{SCHEME}{self.name}/{path}"

    def says(self, uri: str) -> bool:
        """Whether an address already names a package and resolves to a file from the output; for this package only the
        direct path is tried."""
        own = uri.removeprefix(f"{SCHEME}{self.name}/")
        if own != uri:
            return (self.folder / unquote(own)).is_file()
        return uri.startswith(SCHEME) and self.find(uri)[0] is not None

    def holds(self, file: str) -> bool:
        """Whether a file lies in the folder of the package."""
        return absolute(file).is_relative_to(self.folder)

    def held(self, assets: Iterable[Asset]) -> dict[str, str]:
        """Return asset -> path from the output for files in the package whose address is not a package address yet."""
        return {
            asset.name: way_to(asset.file, self.output)
            for asset in assets
            if asset.file and not inside.part_of(asset) and not self.says(asset.uri) and self.holds(asset.file)
        }


def package(context: WriterContext) -> Package | None:
    """Return the package of --ros-package: the folder given by --package, if it contains the output; the nearest
    ancestor of the output whose package.xml has the name, or that is called so; else the folder of the output, with a
    note."""
    name, target = context.options.ros_package, context.target
    if name is None or target is None:
        return None
    output = absolute(target.parent)
    above = ancestors(output)
    given = [absolute(folder) for key, folder in context.options.packages.items() if key == name]
    places = [
        *(folder for folder in given if output.is_relative_to(folder)),
        *(folder for folder in above if package_name(folder) == name),
        *(folder for folder in above if folder.name == name),
    ]
    if not places:
        context.note(
            "urdf/ros-package",
            "document",
            f"no folder above the output is called {name!r} or has a package.xml of that name: the folder of the "
            "output is taken as the package (addresses are relative to it)",
            before=f"--ros-package {name}",
            action="noted",
            severity="note",
        )
    find = Resolver(target, context.options).find
    return Package(name, places[0] if places else output, output, find)
