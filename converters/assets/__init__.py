"""Files that a model names: where they are (resolve), what is in them (meshes, textures) and how they travel (pack).

resolve.py               the file that a uri means; every answer names its rule
uris.py                  a uri taken apart: its scheme, its package, its path
folders.py               how the resolver looks at folders: package names, bounded descent
fuel.py                  models of Gazebo Fuel that are on this machine
inside.py                assets that are a part of another file
painted.py               such a mesh with looks of its own, as OBJ with its library and images
stamps.py                what tells the file that was converted from another one of its name
meshes/files.py          a mesh file of any kind, opened
meshes/parts.py          what a mesh file holds, as arrays
meshes/sampled.py        some triangles of each mesh file that is opened, by which it is known again
meshes/kept.py           decoded meshes, kept for as long as a batch runs
meshes/collada.py        COLLADA: its geometry, and where nodes stand
meshes/collada_looks.py  COLLADA: its materials
meshes/wavefront.py      OBJ
meshes/mtl.py            the material libraries of OBJ
meshes/stl.py            STL
meshes/stl_head.py       what the first bytes of a binary STL and its size tell
meshes/msh.py            MSH of old MuJoCo
meshes/ply.py            PLY
meshes/foreign.py        OFF, by trimesh
meshes/rows.py           lines of numbers, walked along together
meshes/obj_text.py       a part of a mesh as OBJ
meshes/regular.py        tables of numbers in text, read fast where lines are as exporters write them
meshes/numerals.py       many numbers in a text as arrays
meshes/distinct.py       equal rows of numbers, found by hashing
meshes/extent.py         how many dimensions a cloud of vertices has
shown.py                 whose looks show: those of the model or those of a mesh file
traits.py                what the looks of mesh files say beside a colour and an image
textures.py              images for targets that read PNG only
surfaces.py              whether points lie on the surface of a shape
pictures.py              whether two files of images show the same
heights.py               images as heights
tessellate.py            shapes of the graph as triangles
solids.py                shapes or meshes that stand for a shape that a target lacks
copies.py                whether a mesh file can travel as it is
pack.py                  files placed beside the output, as a target reads them
beside.py                the uri to write for each file, and the files beside the output, as they are
damaged.py               mesh files of which the first bytes tell that nobody can read them
arranged.py              where files that are copied stand to each other
packaged.py              the same by the name of a ROS package
"""
