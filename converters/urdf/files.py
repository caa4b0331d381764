"""Meshes and textures by their URIs: one asset per file."""

from __future__ import annotations

import posixpath

from converters.assets.beside import stem_of
from converters.urdf.loading import UrdfLoading
from ir.names import unique
from ir.types import Asset, Source


def asset_key(loading: UrdfLoading, uri: str, kind: str, source: Source) -> str:
    """Return the key of the asset with this URI, creating it if new; the key is the stem of the file name."""
    key = loading.assets.get((kind, uri))
    if key is None:
        table = loading.scene.tables["asset"]
        key = loading.assets[(kind, uri)] = unique(stem_of(uri, kind), table)
        file, rule = loading.context.find(uri)
        if file is None and kind == "mesh" and loading.meshdir and ":" not in uri:
            found, how = loading.context.find(posixpath.join(loading.meshdir, uri))
            if found is not None or not how:  # an empty reason means that no search takes place
                file, rule = found, how and f"meshdir-{how}"
        if file is None:
            loading.context.missing(key, uri, rule, source)
        table[key] = Asset(name=key, uri=uri, kind=kind, file=file, rule=rule, source=source)
    return key
