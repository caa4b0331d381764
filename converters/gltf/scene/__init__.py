"""Building blocks of any document in terms of the graph: nodes, primitives, materials, cameras and lights."""
