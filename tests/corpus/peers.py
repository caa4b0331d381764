"""python -m tests.corpus.peers [--absolute] [--corpus DIR]... [--only TEXT] [-o FILE.md] COMMAND

The MJCF that another program makes of every URDF that Pinocchio reads, judged by the same engines as Kinegraph's.
COMMAND is one text in which {source} and {target} are replaced by files: 'otherprogram convert {source} -o {target}'.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from lxml import etree

from tests.corpus.models import Model, models, readable
from tests.corpus.table import MEANING, finish, shared_options
from tests.oracles import plain_urdf
from tests.oracles.urdf_against_mjcf import compare
from tests.oracles.verdict import Verdicts

SECONDS = 60
"""Timeout of a program in seconds."""
PROMISES = ("converts", "loads", "links", "poses", "limits", "mass", "matrix")
"""Criteria that need no convention about which group of geoms is visual."""


def absolute(source: Path, target: Path) -> None:
    """Write a copy in which every mesh that is found has its absolute path: the most favourable input."""
    root = plain_urdf.parse(source)
    for mesh in root.iter("mesh"):
        found = plain_urdf.find(mesh.get("filename", ""), source)
        if found is not None:
            mesh.set("filename", str(found))
    target.write_bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8"))


def made(model: Model, command: str, prepared: bool) -> dict[str, Any]:
    """Return the verdicts on the output of the command for a model."""
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory(prefix="kinegraph-peers-") as text:
        source, target = model.path, Path(text) / "out" / "robot.xml"
        target.parent.mkdir()
        if prepared:
            source = Path(text) / source.name
            absolute(model.path, source)
        words = [word.format(source=source, target=target) for word in shlex.split(command)]
        start = time.perf_counter()
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, cwd=text, errors="replace")
            failure = f"ends with {done.returncode}: {(done.stderr or done.stdout).strip()[-200:]}"
        except subprocess.TimeoutExpired:
            failure = f"does not end within {SECONDS} s"
        seconds = time.perf_counter() - start
        if target.is_dir():  # of a program that makes a folder
            target = next(target.glob("*.xml"), target)
        if not target.is_file():
            verdicts.fail("converts", failure)
        else:
            verdicts.good("converts")
            compare(model.path, target, verdicts, lambda place, exact=False: False)
    kept = {name: verdict for name, verdict in verdicts.criteria.items() if name in PROMISES}
    return {"criteria": kept, "seconds": {"converts": seconds}}


def main() -> None:
    parser = shared_options("peers", __doc__, "--criterion", "--excuses")
    parser.add_argument("--absolute", action="store_true", help="give every mesh by its whole path")
    parser.add_argument("command", metavar="COMMAND")
    options = parser.parse_args()
    reads, _ = readable([model for model in models(options.corpus) if options.only in model.name])
    results = {model.name: made(model, options.command, options.absolute) for model in reads}
    promises = {name: MEANING[name] for name in PROMISES}
    title = f"{len(reads)} URDFs: `{options.command}`"
    finish(options, title, results, promises)


if __name__ == "__main__":
    main()
