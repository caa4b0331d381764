"""`kinegraph inspect --kinematics`: the serial chain from the world to a link, as text and as data.

describe.py            the chain of each tip, using the other modules
sequence.py            elementary transforms in the notation of other tools and textbooks
denavit_hartenberg.py  elementary transforms, and Denavit-Hartenberg rows, standard and modified
workspace.py           pose and reach of the tip, and the dofs of the chain
"""
