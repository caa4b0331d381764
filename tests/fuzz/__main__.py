"""python -m tests.fuzz [--minutes N] [--format F]... [--seed N] [-o FOLDER]

Damages documents and passes them through the reader and every writer. Whatever gives neither a result nor an InputError
is saved: as it was, and minimised. A find that is turned into a small document of our own goes to tests/fuzz/found.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import random
import re
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.minimise import smaller
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import FORMATS, SUFFIXES, seeds
from tests.oracles.server import DiedError, Server

FINE = ("converted", "refused")
WALL = 200.0
"""Seconds of wall time after which a child is killed that was not stopped by its own limit."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--format", action="append", choices=FORMATS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=Path("fuzzed"), metavar="FOLDER")
    options = parser.parse_args()
    forms = options.format or FORMATS
    options.output.mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    known: set[str] = set()
    until = time.monotonic() + options.minutes * 60
    with Server("tests.fuzz.worker") as server:
        number = 0
        while time.monotonic() < until:
            form = forms[number % len(forms)]
            dice = random.Random(f"{options.seed}/{form}/{number}")
            data = mutated(dice.choice(seeds(form)), form, seeds(form), dice)
            outcome = asked(server, data, form)
            counts[form, outcome] += 1
            number += 1
            if outcome in FINE or outcome in known:
                continue
            known.add(outcome)
            print(f"{form} {options.seed}/{form}/{number - 1}: {outcome}", flush=True)
            keep(options.output, form, outcome, data, "as found")
            small = smaller(data, form, lambda each: asked(server, each, form) == outcome, seconds=60)  # noqa: B023
            keep(options.output, form, outcome, small, "smaller")
    for form in forms:
        outcomes = {outcome: count for (each, outcome), count in counts.items() if each == form}
        print(form, sum(outcomes.values()), outcomes)


def asked(server: Server, data: bytes, form: str) -> str:
    try:
        return str(server.ask("run", timeout=WALL, data=base64.b64encode(data).decode(), form=form))
    except (DiedError, RuntimeError) as error:
        return f"died {str(error).splitlines()[-1][:100]}"


def keep(folder: Path, form: str, outcome: str, data: bytes, which: str) -> None:
    name = re.sub(r"\W+", "-", outcome)[:60]
    mark = hashlib.sha1(outcome.encode()).hexdigest()[:6]
    suffix = ".glb" if data[:4] == b"glTF" else SUFFIXES[form]
    place = folder / which
    place.mkdir(exist_ok=True)
    (place / f"{form}-{name}-{mark}{suffix}").write_bytes(data)


if __name__ == "__main__":
    main()
