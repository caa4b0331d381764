"""Equal files of a batch are one file on the disk: names for the same content are hard links.

Why links, and not a folder _shared/ that documents refer to: each output stays exactly what `kinegraph convert` writes,
so every loader that reads that one reads this (no `..` in an address, which MuJoCo's VFS, Drake's package maps and our
own resolver would have to be told about); one robot, or the whole tree, can be moved, copied or deleted by itself; and
an output does not change its bytes with what else is in the batch, which keeps results independent of order and number
of jobs. `du` counts a shared mesh once, tar and rsync -H keep it so. The price: whoever edits a mesh in place edits it
for all (writing anew and renaming, as editors and this program do, does not). Where the file system has no links, or
takes no more of them, the file is copied. While a batch runs, stage/objects/ keeps one name for each content; it goes
at the end, and outputs of an earlier run come back into it as they are checked. XML is never linked: people edit it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import uuid
from pathlib import Path

from converters.deliver import write_file

DOCUMENTS = frozenset({".xml", ".mjcf", ".urdf", ".sdf", ".world", ".config", ".xacro", ".gltf", ".glb"})
UNLINKABLE = (errno.EXDEV, errno.EMLINK, errno.EPERM, errno.EOPNOTSUPP, errno.EACCES)

Signature = tuple[int, int, int, int]


class Store:
    """Contents by their digest, below a folder that all processes of a batch share."""

    def __init__(self, stage: Path) -> None:
        self.stage = stage
        self.objects = stage / "objects"
        self._known: dict[str, tuple[Signature, str]] = {}
        self.written: list[str] = []
        """Digests of the files that write has made since this was last emptied."""

    def digest(self, path: str) -> str:
        """sha256 of a file, computed once as long as it does not change. Raises OSError."""
        info = os.stat(path)
        signature = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_dev)
        known = self._known.get(path)
        if known is None or known[0] != signature:
            with open(path, "rb", buffering=0) as file:
                known = self._known[path] = (signature, hashlib.file_digest(file, "sha256").hexdigest())
        return known[1]

    def write(self, new: str, content: bytes | Path) -> None:
        """Make a file of that content: a link where there is one already. Raises OSError."""
        digest = hashlib.sha256(content).hexdigest() if isinstance(content, bytes) else self.digest(str(content))
        self.written.append(digest)
        if _edited(content):
            write_file(new, content)
        elif not _link(str(self.objects / digest), new):
            write_file(new, content)
            if isinstance(content, Path) and self.digest(str(content)) != digest:
                raise OSError(errno.EIO, "changed while it was copied", str(content))
            self.adopt(new, digest)

    def adopt(self, path: str, digest: str) -> None:
        """Let others link to a file that has this content."""
        _link(path, str(self.objects / digest))

    def replace(self, path: Path, data: bytes) -> str:
        """Write a file whole or not at all, by way of the stage. The digest comes back. Raises OSError."""
        work = self.stage / uuid.uuid4().hex
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            work.write_bytes(data)
            work.replace(path)
        finally:
            work.unlink(missing_ok=True)
        return hashlib.sha256(data).hexdigest()


def _edited(content: bytes | Path) -> bool:
    return content[:1] == b"<" if isinstance(content, bytes) else content.suffix.lower() in DOCUMENTS


def _link(old: str, new: str) -> bool:
    """Whether new is a name of the file old now, or was there already."""
    try:
        os.link(old, new)
    except FileExistsError:
        return True
    except OSError as error:
        if error.errno in UNLINKABLE or error.errno == errno.ENOENT:
            return False
        raise
    return True
