"""What MuJoCo's compiler makes of a document, said in the terms of the graph for other formats."""
