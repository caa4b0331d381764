"""SRDF, the document beside a URDF: groups, named states, who may touch whom, and how the robot stands in the world."""
