"""python -m tests.formats.gltf_hostile FOLDER: read every file of a folder within limits, and report the result.

Prints one line of JSON per file: name, verdict (read, refused, or the name of an exception), message, seconds, the
growth of the process in bytes since the first file, every path that was opened and every socket that was created. It
runs in a child process, so that memory limits apply and nothing can be hidden.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

MEMORY = 2 << 30
"""Limit of the address space in bytes: numpy and its threads need most of it."""


def main() -> None:
    from converters.context import InputError
    from converters.convert import load, make

    folder = Path(sys.argv[1])
    seen: list[str] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            seen.append(arguments[0] if isinstance(arguments[0], str) else arguments[0].decode("utf-8", "replace"))
        elif event.startswith("socket."):
            seen.append(event)

    for warm in sorted((folder / "warm").iterdir()):  # whatever is imported late is imported now
        make(load(warm), folder / "warm.urdf")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.addaudithook(hook)
    for path in sorted(path for path in (folder / "bad").iterdir() if path.suffix in (".glb", ".gltf")):
        seen.clear()
        start = time.process_time()
        message = ""
        try:
            make(load(path), folder / "out.urdf")
            verdict = "read"
        except InputError as error:
            verdict, message = "refused", str(error)
        except BaseException as error:
            verdict, message = type(error).__name__, str(error)
        seconds = time.process_time() - start
        opened = [name for name in seen if not name.endswith((".py", ".pyc", ".so"))]
        found = {"name": path.name, "verdict": verdict, "message": message, "seconds": seconds, "opened": opened}
        found["grown"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) - before
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
