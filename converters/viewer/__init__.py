"""A model as a single HTML page usable from disk: it shows the model, moves it and lists what was lost.

view.py    from a source to the page
model.py   the graph as plain data (web/src/types.d.ts)
meshes.py  its meshes as GLB
page.py    both inserted into web/page.html
"""

from converters.viewer.view import view as view
