"""Documents that somebody else wrote: nodes as bodies, physics as joints, masses and colliders."""
