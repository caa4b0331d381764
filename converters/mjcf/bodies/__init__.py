"""The elements of the body tree: bodies, joints, geoms, cameras and lights, and their containers."""
