"""`kinegraph inspect --kinematics`: the serial chain from the world to a link, as text and as data.

describe.py            the chain of each tip, put together from the others
sequence.py            elementary transforms as other tools and texts spell them
denavit_hartenberg.py  elementary transforms, and Denavit-Hartenberg rows, standard and modified
workspace.py           where the tip is, how far it gets, and what moves it on the way
"""
