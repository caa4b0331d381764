"""The configuration and the motions that a user asks for: --pose, --trajectory and --clamp, for whoever shows them."""

from converters.posing.clips import Clip as Clip, clips as clips
from converters.posing.keyframe import posed as posed, unmoved as unmoved
from converters.posing.named import named_poses as named_poses
from converters.posing.positions import AS_DRAWN as AS_DRAWN, positions as positions
