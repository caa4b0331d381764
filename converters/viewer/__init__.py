"""A model as one page that opens from disk: it shows the model, moves it and says what was lost.

view.py    from a source to the page
model.py   the graph as plain data (web/src/types.d.ts)
meshes.py  what is shown of it, as GLB
page.py    both put into web/page.html
"""

from converters.viewer.view import view as view
