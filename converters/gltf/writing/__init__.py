"""Parts of the writer: geometry, materials, physics and animations."""
