"""The neutral graph that every conversion goes through. It knows no format, no disk and no user.

SI units, radians, z up, right-handed, quaternions w x y z: field names do not repeat the unit. README.md tells what
each module answers.
"""

from ir.scene import TABLES as TABLES, Scene as Scene
