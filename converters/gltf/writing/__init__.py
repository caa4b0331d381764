"""What the writer makes: geometry, materials, physics and animations."""
