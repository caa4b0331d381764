"""Runs in a Python with Blender's bpy: open a GLB, move the node of a body along z if one is given, and save.

Arguments: source, target, name of the body or "", metres in the frame that Blender gives to its parent.
"""

import sys

import bpy

source, target, name, metres = sys.argv[1:5]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
if name:
    nodes = [
        each for each in bpy.data.objects if (each.get("kinegraph_kind"), each.get("kinegraph_name")) == ("body", name)
    ]
    min(nodes, key=lambda each: each.name).location.z += float(metres)  # later scenes have .001 behind their names
bpy.ops.export_scene.gltf(filepath=target, export_extras=True, export_format="GLB", use_active_scene=False)
print("BLENDER", bpy.app.version_string)
