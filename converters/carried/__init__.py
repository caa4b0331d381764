"""What an output carries for the way back: what it cannot hold (converters.audit) is put into it, and
applied when it is read.

pieces.py     the pieces that are no entries of the patch, and how each is decoded
patch.py      what counts together of the patch that is put into an output, and by what edits are known
output_files.py  where the files of assets lie beside an output, and their stamps
restore.py    carried data that is read, applied to what the document says
files.py      files of assets: which is the author's own, where it is now, what stands for it
splits.py     meshes that were written as several, and whose own file is not found
looks.py      looks of meshes that a document gives instead of their files
names.py      links and joints that have got another name
blocks.py     blocks for a simulator that follow edits of what was made of them
devices.py    sensors that follow edits of the device that they were made
drives.py     actuators that follow edits of what was made of them
friction.py   friction in two directions that follows edits of the one that a format has
edits.py      carried data that no longer counts, since the document was edited
earlier_choices.py  what a user chose in an earlier conversion, which goes on to other formats
stale.py      what no longer counts, as a person reads it
damage.py     carried data that nobody can apply
block_words.py  what differs between blocks for a simulator, and how those of an author come to say it
"""
