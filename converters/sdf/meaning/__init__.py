"""What SDFormat alone knows, said in the terms of the graph or of other formats."""
