"""The child process of the fuzzer."""

from __future__ import annotations

import base64

from tests.fuzz.runs import bound, run
from tests.oracles.server import serve


def _run(data: str, form: str) -> str:
    return run(base64.b64decode(data), form)


if __name__ == "__main__":
    bound()
    serve({"run": _run})
