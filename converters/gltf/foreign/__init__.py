"""Documents from other programs: nodes become bodies; physics becomes joints, masses and colliders."""
