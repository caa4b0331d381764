"""python -m converters: the same as the command kinegraph."""

from converters.cli import entry

entry()
