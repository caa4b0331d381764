"""The configuration and the motions that a user asks for: --pose, --trajectory and --clamp.

One configuration: positions.py (all values of --pose), states.py (what one value of --pose can be), keyframe.py (a pose
as a keyframe of the scene, and keyframes as clips that stand still), documents.py (YAML, JSON and CSV with their
lines), coordinates.py (dofs by name, and the numbers they may have).

Motions: clips.py (the values of --trajectory), motions.py (files of motions), arrays.py (files of numpy), recorded.py
(a motion as a file records it), sampling.py (samples between those of a file, and the sweep).
"""

from converters.posing.clips import Clip as Clip, clips as clips, moves_bodies as moves_bodies
from converters.posing.keyframe import (
    named_poses as named_poses,
    note_lost_motions as note_lost_motions,
    with_pose as with_pose,
)
from converters.posing.positions import AS_DRAWN as AS_DRAWN, positions as positions
