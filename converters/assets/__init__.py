"""Files that a model names: where they are (resolve), what is in them (meshes, textures) and how they travel (pack)."""
