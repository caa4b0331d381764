"""Files that a model references: finding them (resolve), reading them (meshes, textures), writing them (pack).

resolve.py               resolving a uri to a file; every result names its rule
uris.py                  parsing of uris: scheme, package, path
folders.py               file system lookups of the resolver: package names, bounded descent
fuel.py                  models of Gazebo Fuel in the local cache
inside.py                assets embedded in another file
painted.py               an embedded mesh with its own materials, as OBJ with library and images
stamps.py                stamps (size and checksum) that identify files
meshes/files.py          loading a mesh file of any kind
meshes/parts.py          the content of a mesh file as arrays
meshes/sampled.py        samples of each opened mesh file, by which it is recognised in outputs
meshes/kept.py           cache of decoded meshes for the duration of a batch
meshes/collada.py        COLLADA: geometry and node transforms
meshes/collada_looks.py  COLLADA: materials
meshes/collada_steps.py  COLLADA: transforms of nodes
meshes/wavefront.py      OBJ
meshes/mtl.py            the material libraries of OBJ
meshes/stl.py            STL
meshes/stl_head.py       detecting binary STL by its first bytes and its size
meshes/msh.py            MSH, MuJoCo's legacy mesh format
meshes/ply.py            PLY
meshes/foreign.py        OFF, with trimesh
meshes/rows.py           lines of numbers, traversed simultaneously
meshes/obj_text.py       writing a mesh part as OBJ
meshes/regular.py        fast reader of tables of numbers in text with a regular layout
meshes/numerals.py       numbers in a text as arrays
meshes/distinct.py       equal rows of numbers, found by hashing
meshes/extent.py         dimension and area of a set of vertices
shown.py                 which materials are shown: those of the model or those of a mesh file
traits.py                properties of mesh file materials besides colour and image
textures.py              images for targets that read PNG only
surfaces.py              whether points are on the surface of a shape
pictures.py              whether two image files show the same image
heights.py               images as heights
tessellate.py            shapes of the graph as triangles
solids.py                replacements for shapes that a target lacks
copies.py                whether a mesh file can be copied unchanged
pack.py                  files beside the output, converted for the target
beside.py                the uri to write for each file, and files beside the output, unchanged
beside_notes.py          notes on these: whose looks are shown, addresses that lead nowhere
alien.py                 mesh files that only MuJoCo reads, as OBJ
damaged.py               unreadable mesh files, detected from their first bytes
arranged.py              relative placement of files that are copied
packaged.py              addresses of files by the name of a ROS package
"""
