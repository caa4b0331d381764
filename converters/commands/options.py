"""The options that commands share, and how their values are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from converters.choices import CHOICES, KINDS, LARGEST_PICTURE, MOST_SEGMENTS

if TYPE_CHECKING:
    from converters.context import Options

F = TypeVar("F", bound=Callable[..., Any])

READ, WRITTEN = "urdf, sdf, mjcf, gltf or xacro", "urdf, sdf, mjcf, gltf or png"
"""Formats, as help names them; `kinegraph formats` lists those of other packages as well."""


class _Real(click.FloatRange):
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is no finite number", param, ctx)
        return float(number)


class Count(click.IntRange):
    """A whole number, called so where a word is none."""

    name = "whole number"


EMPTY = "is empty (a variable of the shell that is not set?)"


class _PathType(click.Path):
    """A path that we look at ourselves: our messages name the file and say what to do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail(f"the name {EMPTY}", param, ctx)
        return super().convert(value, param, ctx)


class _Text(click.types.StringParamType):
    """A text that says something: an empty one would be an option without effect."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail(f"it {EMPTY}", param, ctx)
        return super().convert(value, param, ctx)


POSITIVE = _Real(0, min_open=True)
ANY_PATH, ANY_NAME = _PathType(readable=False, path_type=Path), _PathType(readable=False)
"""The latter keeps a slash at the end."""


class Command(click.Command):
    """A command whose help has its own options first, and then the others under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            file = next((each for each in given if each.startswith(error.option_name) and Path(each).exists()), None)
            ctx.fail(error.format_message() + (f" The file of this name is ./{file}" if file is not None else ""))
        except click.UsageError as error:  # `xacro FILE NAME:=VALUE` is what people of ROS are used to
            if not any(":=" in each and f"({each}" in error.message for each in given):
                raise
            ctx.fail(f"{error.format_message()}; arguments of a xacro stand behind --arg")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shared = {row.name: row.heading for row in table()}
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ("Options", *shared.values())}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                rows[shared.get(parameter.name or "", "Options")].append(record)
        for heading, records in rows.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _packages(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for value in values:
        name, equals, folder = value.partition("=")
        if not (name and equals and folder):
            raise click.BadParameter(f"{value!r} is not NAME=DIR", context, parameter)
        path = at_home(folder)
        if not path.is_dir():
            raise click.BadParameter(f"{folder!r} is not a folder", context, parameter)
        if not found.setdefault(name, path).samefile(path):
            raise click.BadParameter(
                f"{name!r} is two folders, {str(found[name])!r} and {folder!r}", context, parameter
            )
    return found


def at_home(path: str) -> Path:
    """A path behind `=`, where a shell leaves `~` as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # somebody who has no home here
        return Path(path)


def _arguments(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, or NAME:=VALUE as ROS has it."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.removesuffix(":"):
            raise click.BadParameter(f"{value!r} is not NAME=VALUE", context, parameter)
        name = name.removesuffix(":")
        if found.setdefault(name, text) != text:
            raise click.BadParameter(f"{name!r} has two values, {found[name]!r} and {text!r}", context, parameter)
    return found


def _ros_package(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    what, fits = KINDS["ros_package"]
    if not fits(value):
        raise click.BadParameter(f"{value!r} is not {what.removesuffix(', or None')}", context, parameter)
    return value


def _size(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    width, times, height = value.lower().partition("x")
    numbers = [int(part) if part.isascii() and part.isdigit() and len(part) < 6 else 0 for part in (width, height)]
    if not times or not 0 < min(numbers) <= max(numbers) <= LARGEST_PICTURE:
        message = f"{value!r} is not WxH, such as 800x600, of at most {LARGEST_PICTURE} each"
        raise click.BadParameter(message, context, parameter)
    return numbers[0], numbers[1]


def in_bytes(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    number, unit = value[:-1], "KMGT".find(value[-1:].upper()) + 1
    if not unit or not number.isdecimal() or not int(number):
        raise click.BadParameter(f"{value!r} is not a size such as 512M or 4G", context, parameter)
    return int(number) << 10 * unit


def ends(path: Path, flag: str, *suffixes: str) -> None:
    """Raise BadParameter for a file that is named like one of another kind."""
    if path.suffix.lower() not in suffixes:
        raise click.BadParameter(f"{str(path)!r}: the file ends in {' or '.join(suffixes)}", param_hint=flag)


def option(flag: str, text: str, *names: str, **settings: Any) -> Callable[[F], F]:
    if "is_flag" not in settings:
        settings.setdefault("type", _Text())
    return click.option(flag, *names, help=text, **settings)


def choice(flag: str, text: str, default: str | None, *values: str) -> Callable[[F], F]:
    """An option of few words."""
    return click.option(flag, type=click.Choice(values), default=default, help=text)


# -------------------------------------------------------------------------------- the options of several commands

READING = "source find_srdf srdf arguments packages resource_paths"
POSING = "pose_name pose clamp"
INERTIA = "missing_inertia density total_mass"
"""Names of options: those of every command that reads a model; where the joints stand; what a body without inertia
gets. Commands that convert have all that are in the table."""

_TAKES: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "texts": {"multiple": True},
    "file": {"type": ANY_PATH},
    "folders": {"multiple": True, "type": click.Path(exists=True, file_okay=False, path_type=Path)},
    "packages": {"multiple": True, "callback": _packages},
    "arguments": {"multiple": True, "callback": _arguments},
    "package": {"callback": _ros_package},
    "positive": {"type": POSITIVE},
    "losses": {"type": click.Choice(("carried", "approximated", "dropped"))},
    "corners": {"type": Count(3, MOST_SEGMENTS)},
    "size": {"callback": _size, "default": "800x600"},
}
"""Word in options.txt -> what the option takes; without one it is a text, a word of choices.CHOICES, or a flag."""
_ROW = re.compile(r"(--\S+)(?: ([A-Z]\S*))?(?: as (not )?(\w+))?(?: \((\w+)\))?(?: = (\S+))?\n  (.+)")


class Row(NamedTuple):
    """An option of several commands: its name among the settings, where help lists it, and how click makes it."""

    name: str
    heading: str
    flag: str
    text: str
    settings: dict[str, Any]


@cache
def table() -> tuple[Row, ...]:
    """options.txt: under each heading of the help `--flag VALUE as NAME (word of _TAKES) = default`, and the help. A
    flag that says `as not NAME` is one that takes NAME away."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    found = []
    for part in text.split("\n\n"):
        heading, _, rows = part.partition("\n")
        for flag, value, off, named, takes, default, said in _ROW.findall(rows):
            name = named or flag.removeprefix("--").replace("-", "_")
            settings = dict(_TAKES[takes])
            if value:
                settings["metavar"] = value
            elif name in CHOICES:
                settings["type"] = click.Choice(CHOICES[name])
            elif not settings:
                settings["is_flag"] = True
            settings |= {"flag_value": False, "default": True} if off else {}
            settings |= {"default": default} if default else {}
            settings |= {"show_default": True} if default and value else {}
            found.append(Row(name, heading, flag, said.format(READ=READ), settings))
    return tuple(found)


def shared(names: str = "", **defaults: str) -> Callable[[F], F]:
    """The options of these names in the table, or all of them, with other defaults than it says."""
    wanted = names.split() or [row.name for row in table()]

    def add(command: F) -> F:
        for row in reversed(table()):
            if row.name in wanted:
                default = {"default": defaults[row.name]} if row.name in defaults else {}
                command = option(row.flag, row.text, row.name, **row.settings | default)(command)
        return command

    return add


def settled(settings: dict[str, Any]) -> Options:
    """What the options of a command come to. Raises UsageError for those that would do nothing."""
    from converters.context import Options

    weights = [name for name in ("density", "total_mass") if settings.get(name) is not None]
    flags = [f"--{name.replace('_', '-')}" for name in weights]
    if weights and settings["missing_inertia"] != "geometry":
        raise click.UsageError(f"{flags[0]} is of use with --missing-inertia geometry alone: say that too")
    if len(weights) > 1:
        raise click.UsageError("--density and --total-mass both say how heavy geometry is: leave one out")
    return Options(**{name: value for name, value in settings.items() if name != "density" or value is not None})


def level(fail_on: str | None, strict: bool) -> str | None:
    """The kind of loss from which on a conversion counts as failed."""
    return "approximated" if strict and fail_on != "carried" else fail_on
