"""The options that commands share, and messages about their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from converters.choices import CHOICES, KINDS, LARGEST_PICTURE, MOST_SEGMENTS
from converters.context import Options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])

READ, WRITTEN = "urdf, sdf, mjcf, gltf or xacro", "urdf, sdf, mjcf, gltf or png"
"""Formats, as in help texts; `kinegraph formats` lists those of other packages as well."""


class _Real(click.FloatRange):
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is no finite number", param, ctx)
        return float(number)


class Count(click.IntRange):
    """A whole number, with this name in messages."""

    name = "whole number"


EMPTY = "is empty (a variable of the shell that is not set?)"


class _PathType(click.Path):
    """A path that is checked by ourselves: our messages name the file and what to do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail(f"the name {EMPTY}", param, ctx)
        return super().convert(value, param, ctx)


class _Text(click.types.StringParamType):
    """A nonempty text: an empty one would be an option without effect."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail(f"it {EMPTY}", param, ctx)
        return super().convert(value, param, ctx)


class _Format(_Text):
    """The name of a format that can be read or written; the tab key completes it."""

    def __init__(self, able: Literal["read", "write"]) -> None:
        self.able = able

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from converters.registry import formats

        able = (name for name, form in formats().items() if getattr(form, self.able) is not None)
        return [CompletionItem(name) for name in able if name.startswith(incomplete.lower())]


USUAL = Options()
READABLE, WRITABLE = _Format("read"), _Format("write")
POSITIVE = _Real(0, min_open=True)
ANY_PATH, ANY_NAME = _PathType(readable=False, path_type=Path), _PathType(readable=False)
"""The latter (a text, not a Path) keeps a slash at the end."""

HEADINGS: Mapping[str, str] = {
    "Reading and finding files": "source packages resource_paths arguments srdf find_srdf model urdfdom_materials",
    "Losses and exit code": "fail_on strict no_audit",
    "What is written": "base missing_inertia density total_mass meshes carry",
    "Only for URDF, SDFormat or MJCF": "ros_package urdf_version sites separator sdf_version scene",
    "Pose and motion": "pose pose_name clamp trajectory",
    "Only for glTF": "compress segments physics hierarchy",
    "Only for pictures": "size view show",
}
"""Help headings of options that several commands share: heading -> names, in their order."""


class Command(click.Command):
    """A command whose help has its own options first, and then the others under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            file = next((each for each in given if each.startswith(error.option_name) and Path(each).exists()), None)
            ctx.fail(error.format_message() + (f" The file of this name is ./{file}" if file is not None else ""))
        except click.UsageError as error:  # `xacro FILE NAME:=VALUE` is the syntax of ROS users
            if not any(":=" in each and f"({each}" in error.message for each in given):
                raise
            ctx.fail(f"{error.format_message()}; arguments of a xacro are given by --arg")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        places = {name: heading for heading, names in HEADINGS.items() for name in names.split()}
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ("Options", *HEADINGS)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                rows[places.get(parameter.name or "", "Options")].append(record)
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
    """A path after `=`, where a shell does not expand `~`."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # the user has no home folder
        return Path(path)


def _arguments(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, or NAME:=VALUE as in ROS."""
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
    """Raise BadParameter for a file without one of these suffixes."""
    if path.suffix.lower() not in suffixes:
        raise click.BadParameter(f"{str(path)!r}: the file ends in {' or '.join(suffixes)}", param_hint=flag)


def option(flag: str, text: str, *names: str, **settings: Any) -> Callable[[F], F]:
    if "is_flag" not in settings:
        settings.setdefault("type", _Text())
    return click.option(flag, *names, help=text, **settings)


def choice(flag: str, text: str, *words: str, default: str | None = None) -> Callable[[F], F]:
    """An option of few words: those of the field of Options, with its default, where no others are given."""
    name = flag.removeprefix("--").replace("-", "_")
    if not words:
        words, default = CHOICES[name], default or getattr(USUAL, name)
    return click.option(flag, type=click.Choice(words), default=default, help=text)


def _with(command: F, *options: Callable[[F], F]) -> F:
    """A command with these options; help lists the last one first."""
    for each in options:
        command = each(command)
    return command


def reading(command: F) -> F:
    """The options of every command that reads a model."""
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    return _with(
        command,
        option(
            "--resource-path",
            "Also look for meshes and images in this folder.",
            "resource_paths",
            metavar="DIR",
            multiple=True,
            type=folder,
        ),
        option(
            "--package",
            "The folder that package://NAME and model://NAME mean.",
            "packages",
            metavar="NAME=DIR",
            multiple=True,
            callback=_packages,
        ),
        option(
            "--arg", "An argument of a xacro.", "arguments", metavar="NAME=VALUE", multiple=True, callback=_arguments
        ),
        option("--srdf", "The SRDF of a URDF; else one that lies beside it.", metavar="FILE", type=ANY_PATH),
        option(
            "--no-srdf",
            "Ignore SRDF files: read none beside a URDF, write none.",
            "find_srdf",
            is_flag=True,
            flag_value=False,
            default=True,
        ),
        option(
            "--from",
            f"Format of what is read, where suffix and content do not tell: {READ}.",
            "source",
            metavar="F",
            type=READABLE,
        ),
    )


def posing(command: F) -> F:
    """The positions of joints."""
    return _with(
        command,
        option("--clamp", "Move positions outside the limits to the nearest limit.", is_flag=True),
        option(
            "--pose",
            "JOINT=VALUE (30deg, 20cm), FILE (.yaml .json .csv), FILE.srdf:STATE, or a keyframe; the last one wins.",
            metavar="POSE",
            multiple=True,
        ),
        option(
            "--pose-name",
            "A keyframe, or a state of the SRDF, as the basis of --pose; else a name for the pose of --pose.",
            metavar="NAME",
        ),
    )


def inertia(default: str | None = None) -> tuple[Callable[[F], F], ...]:
    """The inertia of bodies without one."""
    return (
        option(
            "--total-mass",
            "Mass of the whole model: --missing-inertia geometry shares it out by volume.",
            metavar="KG",
            type=POSITIVE,
        ),
        option("--density", "Density for --missing-inertia geometry (default: 1000).", metavar="KG/M3", type=POSITIVE),
        choice(
            "--missing-inertia", "What a moving body without it gets: the least, or from its shapes.", default=default
        ),
    )


def converting(command: F) -> F:
    """The options of every command that converts."""
    command = _with(
        command,
        choice("--show", "Which geometry is shown."),
        choice("--view", "The direction of the view."),
        option("--size", "Its size in pixels (default: 800x600).", metavar="WxH", default="800x600", callback=_size),
        option(
            "--trajectory",
            "A motion: FILE, NAME=FILE (.csv .json .yaml .npy .npz) or sweep.",
            metavar="MOTION",
            multiple=True,
        ),
        option("--model", "Only this one of several models.", metavar="NAME"),
        option(
            "--separator",
            "URDF: separates the names of nested models.",
            show_default=True,
            metavar="TEXT",
            default=USUAL.separator,
        ),
        option("--sdf-version", "SDFormat: the version to write, 1.6 to 1.12.", metavar="V"),
        choice("--compress", "How meshes are stored."),
        choice("--hierarchy", "Nodes of links are children of their parents' nodes, or all siblings."),
        choice(
            "--physics",
            "Physics extension: KHR_physics_rigid_bodies as of January 2026, as before, OMI_physics_body "
            "(Godot), or none.",
        ),
        option(
            "--segments",
            "Corners of a circle.",
            show_default=True,
            metavar="N",
            type=Count(3, MOST_SEGMENTS),
            default=USUAL.segments,
        ),
        option(
            "--ros-package",
            "URDF: name meshes and images package://NAME/…, as RViz, MoveIt and ros2 launch want them.",
            metavar="NAME",
            callback=_ros_package,
        ),
        choice("--urdf-version", "URDF: the version to write."),
        option(
            "--no-carry",
            "Leave out what only Kinegraph reads: what the target has no place for is dropped, not carried.",
            "carry",
            is_flag=True,
            flag_value=False,
            default=True,
        ),
        option(
            "--urdfdom-materials", "Of two URDF materials of one name the first is used, as in urdfdom.", is_flag=True
        ),
        choice("--meshes", "Copy meshes beside DST, refer to them where they lie, or (.gltf) put them inside."),
        *inertia(),
        option("--scene", "MJCF: also NAME_scene.xml, with a floor, a light and a sky.", is_flag=True),
        choice("--sites", "URDF: sites are kept for the way back, or become links."),
        choice(
            "--base",
            "How the root is connected to the world: as the source says, fixed, or free; URDF: open, without a joint.",
        ),
        option(
            "--no-audit",
            "Skip the checks that only find defects of this program: of the files and looks of the output, and, by a "
            "second reading, that what is carried comes back.",
            is_flag=True,
        ),
        option("--strict", "The same as --fail-on approximated.", is_flag=True),
        choice(
            "--fail-on",
            "Exit with 1 for this kind of loss, a worse one, or a missing file.",
            "carried",
            "approximated",
            "dropped",
        ),
    )
    return posing(reading(command))


def validating(command: F) -> F:
    """The options of validate beside its own."""
    return reading(_with(command, *inertia(default="geometry")))


def settled(settings: dict[str, Any]) -> Options:
    """The Options of a command. Raises UsageError for those that would have no effect."""
    weights = [name for name in ("density", "total_mass") if settings.get(name) is not None]
    flags = [f"--{name.replace('_', '-')}" for name in weights]
    if weights and settings["missing_inertia"] != "geometry":
        raise click.UsageError(f"{flags[0]} only acts with --missing-inertia geometry: add that")
    if len(weights) > 1:
        raise click.UsageError("--density and --total-mass both determine how heavy geometry is: leave one out")
    return Options(**{name: value for name, value in settings.items() if name != "density" or value is not None})


def level(fail_on: str | None, strict: bool) -> str | None:
    """The mildest kind of loss for which a conversion counts as failed."""
    return "approximated" if strict and fail_on != "carried" else fail_on
