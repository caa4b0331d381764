"""What an output lost: it is read back by its own reader, and held against the scene that it was made of.

output.py      the order of work: read back, compare, put what is carried into the output, read that once more
readback.py    an output as its own reader finds it, before any of it is on the disk
names.py       things that have another name in the output
chains.py      joints that are chains of joints there
parts.py       the parts of a geom that was written as several
cameras.py     sensors that stand for the cameras of bodies
addresses.py   addresses at which no file will lie
files.py       files of meshes and images that hold something else
solids.py      meshes that were made for shapes which the format lacks
hollow.py      meshes that are only seen, and lack the mark that programs need then
part_looks.py  looks that a mesh file gives to its parts, and an output to geoms
obj_looks.py   looks of an OBJ by the material library that was made for it
motions.py     motions that the output does not play

What all of these find are differences (ir.diff.Difference); converters.report.findings gives each its reason.
"""
