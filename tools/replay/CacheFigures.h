//===- CacheFigures.h - names of the figures of caches --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What `kiln-replay --caches` and `--libraries` call what they print; kiln-bench looks for these.
#pragma once

namespace replay {

namespace figure {
// Microseconds of CPU time, except for what happens only once: that is by the clock.
constexpr char sameCache[] = "hit in the same cache";
constexpr char firstHit[] = "first hit from loaded data";
constexpr char loadData[] = "loading data, a pipeline";
constexpr char compileRequired[] = "a compile is required";
constexpr char key[] = "pipeline key";
constexpr char fromBinaries[] = "pipeline from binaries";
constexpr char makeBinaries[] = "binaries from data";
constexpr char identifier[] = "module identifier";
constexpr char codeIdentifier[] = "identifier of SPIR-V";
constexpr char fastLink[] = "fast link";
constexpr char firstLink[] = "first fast link";
// Bytes of the data of a cache that holds one pipeline, of a pipeline's binaries, and of a cache
// with all of a device.
constexpr char rawSize[] = "cache of one, bytes";
constexpr char packedSize[] = "cache of one, zstd -3";
constexpr char rawBinaries[] = "pipeline binaries, bytes";
constexpr char packedBinaries[] = "pipeline binaries, zstd -3";
constexpr char rawTotal[] = "cache of all, bytes";
constexpr char packedTotal[] = "cache of all, zstd -3";
/// Hits a second of two threads against one.
constexpr char threads[] = "two threads / one";
} // namespace figure

} // namespace replay
