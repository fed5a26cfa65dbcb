# SPDX-License-Identifier: MIT
"""Random test files by kind."""
import os

import random_compute
import random_fragment
import random_geometry
import random_matrices
import random_mesh
import random_mesh_outputs
import random_ray_damage
import random_ray_edges
import random_ray_pipelines
import random_rays
import random_tensors
import random_tessellation

KINDS = {"fragment": random_fragment, "geometry": random_geometry, "tessellation": random_tessellation,
         "mesh": random_mesh, "mesh-outputs": random_mesh_outputs, "compute": random_compute,
         "matrices": random_matrices, "tensors": random_tensors, "rays": random_rays,
         "ray-pipelines": random_ray_pipelines, "ray-edges": random_ray_edges, "ray-damage": random_ray_damage}
EXTENSIONS = {"compute": "comp", "matrices": "spvasm", "tensors": "spvasm", "rays": "comp",
              "ray-pipelines": "rays", "ray-edges": "comp", "ray-damage": "comp"}  # others: draw


def write(folder, count, kinds=tuple(KINDS), first=0):
    """Names of `count` files of each kind, from a seed on, written to the folder; the same files always."""
    os.makedirs(folder, exist_ok=True)
    files = []
    for kind in kinds:
        for seed in range(first, first + count):
            files.append(os.path.join(folder, f"{kind}-{seed}.{EXTENSIONS.get(kind, 'draw')}"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(KINDS[kind].text_of(seed))
    return files
