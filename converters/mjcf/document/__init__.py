"""The document before it is read into the graph: includes, spellings, compiler settings, default classes, files."""
