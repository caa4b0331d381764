"""Read and write the sections outside the body tree that reference it."""
