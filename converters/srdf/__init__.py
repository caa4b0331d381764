"""SRDF, the document beside a URDF: groups, named states, collision rules, and how the robot is fixed to the world."""
