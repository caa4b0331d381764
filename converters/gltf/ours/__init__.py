"""Documents written by Kinegraph: the embedded graph, and the marks on their nodes."""
