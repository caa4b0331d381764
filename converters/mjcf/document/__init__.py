"""The document before anything is read of it: includes, spellings, settings of the compiler, default classes, files."""
