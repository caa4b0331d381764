"""python -m tests.fuzz.guided FORMAT [--minutes N] [--seed N] [-o FOLDER]: coverage-guided fuzzing, with atheris.

The mutations are those of tests.fuzz; a document that reaches new code is kept and damaged further. The writers take
turns with what is read. A xacro is expanded in this process, so that its expansion is covered, too: there the find is
an opened file, or a started process, that the sandbox of the expansion should have prevented.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import pkgutil
import random
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import atheris

from tests.fuzz.__main__ import FINE, keep
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import FORMATS, SUFFIXES, seeds

PACKAGES = ("ir", "converters")
LONGEST = 64_000
"""Maximum size of a document in bytes."""
OWN = 0.8
"""Fraction of mutations by structure; the others are those of libFuzzer."""
LONG = 60
"""Seconds of wall time per input after which libFuzzer ends the run."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("fuzzed"), metavar="FOLDER")
    options = parser.parse_args()
    form = options.format
    names = PACKAGES if form != "xacro" else (*PACKAGES, "xacro")
    with atheris.instrument_imports(include=list(names)):
        for name in names:
            _import(name)
    run = expanded() if form == "xacro" else _through()
    options.output.mkdir(parents=True, exist_ok=True)
    known: set[str] = set()
    counts: Counter[str] = Counter()
    began = time.monotonic()

    def one(data: bytes) -> None:
        outcome = run(data, form)
        counts[outcome] += 1
        if sum(counts.values()) % 1000 == 0:
            print(f"{form} {time.monotonic() - began:.0f} s {dict(counts)}", flush=True)
        if outcome not in FINE and outcome not in known:
            known.add(outcome)
            print(f"{form}: {outcome}", flush=True)
            keep(options.output, form, outcome, data, "as found")

    def spoilt(data: bytes, most: int, seed: int) -> bytes:
        dice = random.Random(seed)
        if dice.random() > OWN:
            return bytes(atheris.Mutate(data, most))
        return mutated(data or dice.choice(seeds(form)), form, seeds(form), dice)[:most]

    with tempfile.TemporaryDirectory(prefix="kinegraph-guided-") as corpus:
        for number, data in enumerate(seeds(form)):
            (Path(corpus) / f"{number:04}").write_bytes(data)
        bounds = [f"-max_total_time={int(options.minutes * 60)}", f"-max_len={LONGEST}", f"-timeout={LONG}"]
        arguments = [sys.argv[0], corpus, *bounds, f"-seed={options.seed}", "-rss_limit_mb=6144", "-verbosity=1"]
        atheris.Setup(arguments, one, custom_mutator=spoilt)
        atheris.Fuzz()


def _import(package: str) -> None:
    """Import the package and all its modules, except those that run on import or need a missing package."""
    root = importlib.import_module(package)
    for found in pkgutil.walk_packages(root.__path__, f"{package}."):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except ImportError as error:
                print(f"{found.name} is not followed: {error}")


def _through() -> Callable[[bytes, str], str]:
    from tests.fuzz.runs import TARGETS, run

    def turn(data: bytes, form: str) -> str:
        target = sorted(TARGETS)[zlib.crc32(data) % len(TARGETS)]
        return run(data, form, targets={target: TARGETS[target]})

    return turn


def expanded() -> Callable[[bytes, str], str]:
    """Return a function that expands a xacro in this process, sandboxed as in its own, and reports what escaped."""
    import xml.dom.minidom as dom

    import xacro
    from xacro import substitution_args

    from converters.xacro import child
    from converters.xacro.roots import Roots

    logging.disable()
    folder = Path(tempfile.mkdtemp(prefix="kinegraph-guided-"))
    file = str(folder / f"model{SUFFIXES['xacro']}")
    roots = Roots({"packages": {}, "resources": [], "file": file}, b"")
    work = child.Work()
    state: dict[str, Any] = {"place": None, "unmatched": []}
    got_out: list[str] = []
    inside = False

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if inside:
            try:
                roots.watch(event, arguments)
            except PermissionError as error:
                got_out.append(f"{event} {error}")
                raise

    child._harden(xacro, substitution_args, roots, work)
    child._place_elements(xacro, dom, state, work)
    child._place_errors(xacro, state)
    sys.addaudithook(watch)

    def run(data: bytes, form: str) -> str:
        nonlocal inside
        state["place"], work.done = None, 0
        got_out.clear()
        try:
            with redirect_stderr(StringIO()):
                inside = True
                xacro.init_stacks(file)
                document = xacro.parse(data, file)
                xacro.process_doc(document, mappings={}, verbosity=0)
                document.toprettyxml(indent="  ")
        except (Exception, SystemExit) as error:
            inside = False
            child.sentence(error)
            return f"escape {got_out[0]}" if got_out else "refused"
        finally:
            inside = False
        return f"escape {got_out[0]}" if got_out else "converted"

    return run


if __name__ == "__main__":
    main()
