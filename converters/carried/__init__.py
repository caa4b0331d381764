"""What an output carries for the way back: what it cannot hold is put into it, and applied when it is read.

output.py     what an output cannot hold, found by reading it back and put where other programs do not look
rereading.py  an output read back by the reader of its own format
motions.py    what an output does not play of the motions that it was to play
called.py     things that a document calls otherwise than their author did
chains.py     joints that an output spells as chains of joints
meshed.py     files of meshes in an output that are not what the files of the scene are for which they stand
libraries.py  looks that an OBJ has from a library that was made beside it
painted.py    looks that a mesh file gives to its parts, and a document gives otherwise to geoms
solid.py      meshes that were made for shapes which a format lacks, and are other shapes
pieces.py     what stands in an output for one thing of the scene, and is not what was to be written for it
restore.py    carried data that is read, applied to what the document says
files.py      files of assets: which is the author's own, where it is now, what stands for it
splits.py     meshes that were written as several, and whose own file is not found
looks.py      looks of meshes that a document gives instead of their files
names.py      links and joints that have got another name
words.py      blocks for a simulator that follow edits of what was made of them
devices.py    sensors that follow edits of the device that they were made
drives.py     actuators that follow edits of what was made of them
friction.py   friction in two directions that follows edits of the one that a format has
edits.py      carried data that no longer counts, since the document was edited
asked.py      what a user chose in an earlier conversion, which goes on to other formats
addressed.py  an output as it is read back, with what lies around it; addresses in it that lead nowhere
stale.py      what no longer counts, as a person reads it
damage.py     carried data that nobody can apply
changes.py    what differs between blocks for a simulator, and how those of an author come to say it
"""
