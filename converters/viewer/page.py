"""The page as text: a template, one style, one script, and data that no browser interprets as either."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from converters.report.safe import printable

WEB = Path(__file__).parent / "web"


def page(title: str, data: Mapping[str, Any], glbs: Sequence[bytes]) -> str:
    """Return the whole page. data is passed to the script (web/src/types.d.ts), glbs are the meshes of its models.

    The policy allows only this script and this style, by their hashes, and no address except what the page itself makes
    of its data: nothing in a model can become markup, a script or a request.
    """
    script, style = _asset("bundle.js"), _asset("style.css")
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src blob: data:; connect-src blob: data:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "title": escape(printable(title)),
        "style": style,
        "script": script,
        "data": _json(data),
        "meshes": "\n".join(
            f'<script type="application/octet-stream" class="meshes">{_packed(glb)}</script>' for glb in glbs
        ),
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], _asset("page.html"))


@cache
def _asset(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return the hash by which a page's policy allows a script or a style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(data: Mapping[str, Any]) -> str:
    """Return JSON in which no markup can begin, because a name may be </script>."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _packed(glb: bytes) -> str:
    return base64.b64encode(gzip.compress(glb, 6, mtime=0)).decode()
