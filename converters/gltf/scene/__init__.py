"""What any document is made of, in the terms of the graph: nodes, primitives, materials, cameras and lights."""
