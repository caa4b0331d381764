"""What MuJoCo's compiler makes of a document, expressed in the graph for other formats."""
