"""The package xacro as it is, except that $(find) uses Kinegraph's resolver; a program: FILE [NAME=VALUE ...] -> XML.

Only the packages come from Kinegraph, because without ROS there is no other source for them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import xacro
from xacro import substitution_args

from converters.assets.resolve import Resolver


def main(file: str, *arguments: str) -> None:
    resolver = Resolver(Path(file))

    def find(name: str) -> str:
        folder, why = resolver.package(name)
        if folder is None:
            raise ValueError(why)
        return str(folder)

    substitution_args._eval_find = find
    substitution_args._eval_dict["find"] = find
    mappings = dict(argument.split("=", 1) for argument in arguments)
    sys.stdout.write(xacro.process_file(file, mappings=mappings).toprettyxml(indent="  "))


if __name__ == "__main__":
    main(*sys.argv[1:])
