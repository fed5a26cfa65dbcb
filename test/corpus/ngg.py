# SPDX-License-Identifier: MIT
"""The values of KILN_NGG, as options of amdllpc: what the driver compiles with them."""

OPTIONS = {
    "gfx10": ("-force-ngg", "-ngg-enable-gs-use"),
    "culling": ("-ngg-enable-backface-culling", "-ngg-enable-frustum-culling",
                "-ngg-enable-small-prim-filter", "-ngg-enable-cull-distance-culling")}
# The stages whose code differs most; tests of the modes look at the corpus' pipelines with these.
STAGES = ("tesc", "tese", "geom")


def modes(target):
    """Values of KILN_NGG that give a target other code: from gfx11 on everything is a primitive
    shader, and culling is the one choice."""
    return ("gfx10", "gfx10,culling") if target.startswith("gfx10") else ("culling",)


def options(mode):
    """The options of amdllpc for a value of KILN_NGG."""
    return [option for word in mode.split(",") for option in OPTIONS[word]]


def stage_of(file):
    """Stage of PATH.STAGE.spv,ENTRY or PATH.STAGE."""
    parts = file.split(",")[0].removesuffix(".spv").rsplit(".", 1)
    return parts[-1]


def has_stages(files):
    """Is there a tessellation or geometry shader among the files of a pipeline?"""
    return any(stage_of(file) in STAGES for file in files)
