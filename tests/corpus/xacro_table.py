"""Every xacro below the folders given: the results of the reference and of Kinegraph (python -m ... FOLDER ...)."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from converters.assets.resolve import Resolver
from converters.context import InputError, ReaderContext
from converters.xacro.reader import expand

REFERENCE = Path(__file__).parents[1] / "oracles" / "xacro_reference.py"


def verdict(path: Path) -> tuple[str, str]:
    """Return (same, differs, both refuse, only ours refuses or only the reference refuses; our message)."""
    done = subprocess.run([sys.executable, str(REFERENCE), str(path)], capture_output=True, timeout=120, check=False)
    message = ""
    try:
        context = ReaderContext(file=str(path), folder=path.parent, find=Resolver(path).find)
        ours = expand(path.read_bytes(), context).document
    except InputError as error:
        ours, message = b"", str(error)
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return ("only the reference refuses" if ours else "both refuse"), message or " ".join(last)
    if not ours:
        return "only ours refuses", message
    same = ET.canonicalize(ours, strip_text=True) == ET.canonicalize(done.stdout.decode(), strip_text=True)
    return ("same" if same else "differs"), ""


def main(*folders: str) -> None:
    counts: Counter[str] = Counter()
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.xacro")):
            outcome, message = verdict(path)
            counts[outcome] += 1
            if outcome != "same":
                print(f"{outcome}: {path.relative_to(folder)}: {message}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
