"""Equal files of a batch are stored once: names for the same content are hard links.

Why links, and not a folder _shared/ that documents refer to: each output remains exactly what `kinegraph convert`
writes, so every loader that reads that one reads this (no `..` in an address, for which MuJoCo's VFS, Drake's package
maps and our own resolver would need special handling); one robot, or the whole tree, can be moved, copied or deleted
independently; and an output's bytes do not depend on what else is in the batch, which keeps results independent of
order and number of jobs. `du` counts a shared mesh once, tar and rsync -H preserve this. The drawback: editing a mesh
in place edits all its copies (writing a new file and renaming it, as editors and this program do, does not). Where the
file system does not support links, or has reached their limit, the file is copied. While a batch runs, stage/objects/
has one name for each content; it is removed at the end, and outputs of an earlier run are linked into it again as they
are checked. XML is never linked because people edit it.
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
    """Contents by digest, below a folder shared by all processes of a batch."""

    def __init__(self, stage: Path) -> None:
        self.stage = stage
        self.objects = stage / "objects"
        self._known: dict[str, tuple[Signature, str]] = {}
        self.written: list[str] = []
        """Digests of the files made by write since this list was last cleared."""

    def digest(self, path: str) -> str:
        """Return the sha256 of a file, computed once as long as it does not change. Raises OSError."""
        info = os.stat(path)
        signature = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_dev)
        known = self._known.get(path)
        if known is None or known[0] != signature:
            with open(path, "rb", buffering=0) as file:
                known = self._known[path] = (signature, hashlib.file_digest(file, "sha256").hexdigest())
        return known[1]

    def write(self, new: str, content: bytes | Path) -> None:
        """Make a file with that content: a link if the content is already stored. Raises OSError."""
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
        """Make a file with this content available for linking."""
        _link(path, str(self.objects / digest))

    def replace(self, path: Path, data: bytes) -> str:
        """Write a file atomically, by way of the stage, and return its digest. Raises OSError."""
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
    """Make new a hard link to old; return whether it is one now or existed already."""
    try:
        os.link(old, new)
    except FileExistsError:
        return True
    except OSError as error:
        if error.errno in UNLINKABLE or error.errno == errno.ENOENT:
            return False
        raise
    return True
