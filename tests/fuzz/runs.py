"""Pass one document through its reader and every writer, within limits; and what counts as a fault of Kinegraph."""

from __future__ import annotations

import resource
import signal
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from converters.chains.denavit_hartenberg import NoChainError, chain, elementary, standard
from converters.chains.workspace import chain_to
from converters.comparing.models import differences
from converters.context import InputError
from converters.convert import load, make, report
from converters.deliver import deliver
from converters.reading import interpreted
from converters.report.document import json
from converters.report.model import Action
from converters.validating.run import validate
from ir.types import WORLD
from tests.files import saved
from tests.fuzz.seeds import MADE, SUFFIXES

SECONDS = 10
"""Limit of processor time in seconds for everything done with one document."""
MEMORY = 4 << 30
TARGETS = {"urdf": ".urdf", "sdf": ".sdf", "mjcf": ".xml", "gltf": ".glb"}


class TooLongError(BaseException):
    """Not an Exception, so that it is not handled as an error of a file."""


def run(data: bytes, form: str, bounded: bool = True, targets: Mapping[str, str] = TARGETS) -> str:
    """Return converted or refused; otherwise the fault: an exception with its place, a hang, an unexplained loss."""
    try:
        return _within(data, form, targets) if bounded else _through(data, form, targets)
    except InputError:
        return "refused"
    except TooLongError as error:
        return f"hang {_place(error)}"
    except Exception as error:  # any other than an error of the file is what is looked for
        return f"{type(error).__name__} {_place(error)}"


def _within(data: bytes, form: str, targets: Mapping[str, str]) -> str:
    def over(number: int, frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return _through(data, form, targets)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _through(data: bytes, form: str, targets: Mapping[str, str]) -> str:
    with tempfile.TemporaryDirectory(prefix="kinegraph-fuzz-") as name:
        folder = Path(name)
        (folder / "meshes").symlink_to(MADE / "meshes")
        suffix = ".glb" if data[:4] == b"glTF" else SUFFIXES[form]
        source = saved(folder / f"model{suffix}", data)
        validate(source)
        reading = load(source, source=None if form in ("xacro", "gltf") else form)
        lost = ""
        for target, ending in targets.items():
            made = make(reading, folder / f"out{ending}", target=target)
            told = report(made, deliver(made.output, made.path))
            json(told)
            for finding in told.findings:
                if finding.action is Action.UNEXPLAINED:
                    lost = lost or f"unexplained {target} {finding.where.split('/')[0]} {finding.rule}"
        _shown(reading)
        return lost or "converted"


def _shown(reading: Any) -> None:
    """Do what `inspect --kinematics` and `compare` do."""
    scene = interpreted(reading)
    for tip in [name for name in scene.bodies if name != WORLD][-3:]:
        try:
            steps = chain(chain_to(scene, tip)[1])
            elementary(steps)
            standard(steps)
        except NoChainError:
            continue
    found = next(differences(scene, scene, samples=1), None)
    if found is not None:
        raise AssertionError(f"a model differs from itself: {found}")


def _place(error: BaseException) -> str:
    """Return the file and function of the innermost frame in Kinegraph's code."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "/converters/" in frame.filename or "/ir/" in frame.filename
    ]
    last = ours[-1] if ours else traceback.extract_tb(error.__traceback__)[-1]
    return f"{'/'.join(Path(last.filename).parts[-2:])}:{last.name}"


def bound() -> None:
    """Limit the memory of this process from here on."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
