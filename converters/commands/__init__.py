"""Parts of the command line.

program.py   the program, and how a failure is told
options.py   the options that commands share
ending.py    exit codes, and the one line that tells why nothing was made
convert.py   `kinegraph convert`
batch.py     `kinegraph batch`
validate.py  `kinegraph validate`
inspect.py   `kinegraph inspect`
compare.py   `kinegraph compare`
view.py      `kinegraph view`
formats.py   `kinegraph formats`
"""
