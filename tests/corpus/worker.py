"""The child process of the corpus checks: converts one model and compares the result with the engines."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.oracles.server import serve


def main() -> None:
    """A mesh is decoded once for all checks, as in a batch."""
    from converters.assets.meshes import kept
    from tests.corpus import (
        chains_checks,
        checks,
        compare_table,
        edits,
        glb_checks,
        gltf_checks,
        mjcf_checks,
        mutation,
        mutation_gltf,
        numbers_checks,
        sabotage_checks,
        saves_checks,
        sdf_checks,
        sdf_drake,
        srdf_checks,
        structure,
        structure_gltf,
        urdf_sdf_checks,
        validate_checks,
        via_checks,
        ways_checks,
    )
    from tests.oracles import in_pinocchio

    def reads(path: str) -> str | None:
        return in_pinocchio.reads(checks.Path(path))

    with tempfile.TemporaryDirectory(prefix="kinegraph-meshes-") as meshes:
        kept.start_cache(Path(meshes))
        serve(
            {
                "reads": reads,
                "everything": checks.everything,
                "chains": chains_checks.chains,
                "compared": compare_table.compared,
                "named": numbers_checks.named,
                "went": via_checks.went,
                "wander": ways_checks.wander,
                "edit": edits.edit,
                "mutate": mutation.mutate,
                "sabotage": sabotage_checks.sabotage,
                "restructure": structure.restructure,
                "restructure_gltf": structure_gltf.restructure_gltf,
                "mutate_gltf": mutation_gltf.mutate_gltf,
                "srdf_robot": srdf_checks.srdf_robot,
                "sdf": sdf_checks.sdf,
                "sdf_to_others": sdf_checks.sdf_to_others,
                "sdf_to_urdf": sdf_drake.sdf_to_urdf,
                "mjcf": mjcf_checks.mjcf,
                "to_glb": glb_checks.to_glb,
                "saves": saves_checks.saves,
                "read_gltf": gltf_checks.read_gltf,
                "urdf_to_sdf": urdf_sdf_checks.urdf_to_sdf,
                "validate": validate_checks.agreement,
                "repaired": validate_checks.repaired,
            }
        )


if __name__ == "__main__":
    main()
