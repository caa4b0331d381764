"""The configuration and the motions that a user asks for: --pose, --trajectory and --clamp, for whoever shows them.

positions.py  one configuration: all words of --pose   clips.py      motions: the words of --trajectory
states.py     what one word of --pose can be           motions.py    files of motions; arrays.py: those of numpy
keyframe.py   a pose as a keyframe of the scene, and   recorded.py   a motion as a file records it
              keyframes as clips that stand still      sampling.py   samples between those of a file, and the sweep
documents.py  YAML, JSON and CSV with their lines      coordinates.py  dofs by name, and the numbers they may have
"""

from converters.posing.clips import Clip as Clip, clips as clips, moves_bodies as moves_bodies
from converters.posing.keyframe import (
    named_poses as named_poses,
    note_lost_motions as note_lost_motions,
    with_pose as with_pose,
)
from converters.posing.positions import AS_DRAWN as AS_DRAWN, positions as positions
