"""What only SDFormat can express, converted to the terms of the graph or of other formats."""
