# SPDX-License-Identifier: MIT
"""lit configuration: where tests, tools and the shader corpus are.

Tools come from the build's bin folder, then LLVM 22's (FileCheck, not, split-file), then the system
(spirv-as, spirv-val). `%corpus` is the shader corpus that may lie beside the checkout; tests that
use it say `REQUIRES: corpus` and are unsupported without it.
"""
import os

import lit.formats

config.name = "Kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".spvasm", ".comp", ".geom", ".tesc", ".tese", ".mesh", ".test"]
config.excludes = ["Inputs", "fuzz"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.kiln_exec_root

config.environment["PATH"] = os.pathsep.join(
    [config.kiln_bin_dir, config.llvm_tools_dir, config.environment["PATH"]])
# Why: the options of the person who runs the tests must not change what the tests see.
for name in list(config.environment):
    if name.startswith("KILN_"):
        del config.environment[name]
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%root", config.kiln_source_dir))
config.substitutions.append(
    ("%icd", os.path.join(os.path.dirname(config.kiln_bin_dir), "icd", "libkiln_icd.so")))
# AddressSanitizer reserves terabytes of address space, so its builds cannot run under a limit.
config.substitutions.append(
    ("%memory_limit", "unlimited" if config.kiln_sanitize else str(2 << 30)))
corpus = os.path.join(os.path.dirname(config.kiln_source_dir), "shared", "corpus")
if os.path.isdir(corpus):
    config.available_features.add("corpus")
    config.substitutions.append(("%corpus", corpus))
