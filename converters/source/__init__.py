"""Reading source documents so that nothing in them can be lost unnoticed, and writing them back.

files.py       the bytes of files that a user names, and how many a document may have
lenient.py     documents that are no well-formed XML, and are read by parsers in use
parsing.py     XML text as a document of nodes
xml.py         the tracked cursor over XML: what nobody asked for is left over, counted, and kept
bits.py        sets of names in the least memory
json.py        the same over JSON
json_parsing.py JSON text as a document of objects
pointers.py    the values of a JSON text by their pointers: their lines, and the numbers
shadow.py      copies of source elements, which are not counted
tree.py        elements as writers build them, and how extras go back to their place
carried.py     carried data in URDF and SDFormat
text.py        numbers to and from text, exactly
spelling.py    how an author spelled what a writer would spell otherwise
respelling.py  the same applied to what is written later, where that does not change the meaning
spelling_notes.py the notes on that, and how they are stored
located.py     where the elements are of which that is noted
lidars.py      rays of a lidar, for URDF and SDFormat
drake.py       words of Drake that URDF and SDFormat share
rotors.py      rotors and gears in those words, and armatures that were edited
controllers.py systems of Gazebo that drive joints, as actuators
gazebo.py      words of <gazebo> in URDF, and what they are in SDFormat
"""
