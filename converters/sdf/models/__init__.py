"""Models and worlds: their contents and nesting, and the poses of their frames and joints."""
