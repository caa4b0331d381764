"""A page as a browser shows it when opened from disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.oracles.in_three import chromium
from tests.oracles.node import asked, installed


def browsed(page: Path, steps: Sequence[Sequence[str]] = (), out: Path | None = None) -> dict[str, Any]:
    """Return what a page shows at first and after each step, and all errors; out gets a picture of the final state.

    A step is (kind, selector, text): type, click, open (a <details>), choose (an option), follow (a link), wait.
    {"seen": [{"title", "text", "shown", "pictures", "links"}], "errors"}; shown are the headings of visible articles.
    """
    program = installed(Path(__file__).parent / "pages") / "judge.js"
    request = {"url": page.absolute().as_uri(), "steps": [list(step) for step in steps], "out": out and str(out)}
    (answer,) = asked(program, [json.dumps(request)], [chromium()])
    return answer
