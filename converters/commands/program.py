"""The program kinegraph. Each command is a module of this package of its name, imported on first use."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

import click

from converters.commands.ending import CONVERTED, FAILED, INTERRUPTED, failed
from converters.version import __version__

COMMANDS = ("batch", "compare", "convert", "formats", "inspect", "validate", "view")


def run(arguments: Sequence[str] | None) -> int:
    """Run a command; returns its exit code. Every failure is one message on stderr, never a traceback.

    Raises SystemExit if it is interrupted, which cli reports.
    """
    from converters.context import InputError
    from converters.failures import sentence

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file name may contain undecodable bytes
    expected = (InputError, ImportError, MemoryError, RecursionError, UnicodeDecodeError)
    try:
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        code = kinegraph.main(arguments, prog_name="kinegraph", standalone_mode=False, color=False if plain else None)
        sys.stdout.flush()
        return code if isinstance(code, int) else CONVERTED
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:
        _silence()
        return failed(sentence(error))
    except Exception as error:  # last resort before a traceback: report the defect in one line
        if sys.flags.dev_mode and not isinstance(error, expected):
            raise
        return failed(sentence(error))


def _silence() -> None:
    """Discard what is left in the buffer of a full or closed stdout, lest it fail again when the interpreter ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Commands(click.Group):
    """click asks a group for its commands by name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            ctx.fail(f"{error.format_message()} Options of a command come after it.")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from converters.faults import did_you_mean

            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"converters.commands.{cmd_name}"), cmd_name)
        command.short_help = (command.help or "").partition("\n\n")[0]  # click would cut it short
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, message="%(prog)s %(version)s")
def kinegraph() -> None:
    """Convert robot models between formats, and say what was lost on the way.

    \b
    kinegraph convert robot.urdf robot.xml          URDF to MJCF, with a report
    kinegraph view robot.urdf                       a page with joint sliders
    kinegraph validate robot.urdf                   what is wrong with it
    kinegraph batch robots/ out/ --to sdf           a whole folder
    """
