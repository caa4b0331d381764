"""Storage of a glTF document: containers, buffers, accessors, extensions, colours."""
