//===- Scratch.h - where private memory appears in the address space -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private memory of a lane is Wave::scratch, never a region of the address space. Hardware maps it
/// at apertures and, before gfx11, behind a buffer descriptor; these constants let memory
/// operations recognise both.
#pragma once

#include <cstdint>

namespace pal::device {

/// Values of src_shared_base and src_private_base: a flat address whose upper 32 bits equal the
/// upper half of one of them is LDS or scratch at the offset of its lower 32 bits. No allocation
/// lies there (allocations are below 2^47).
inline constexpr uint64_t sharedApertureBase = 0x0001'0000'0000'0000;
inline constexpr uint64_t privateApertureBase = 0x0002'0000'0000'0000;
/// src_shared_limit and src_private_limit: last byte of the 4 GiB.
inline constexpr uint64_t apertureSize = 1ull << 32;

/// Base address of the scratch V# in the global table (PalTables.h). A buffer access whose V# has
/// this base goes to private memory at
///     voffset + instruction offset + soffset / wave size
/// of the lane: hardware swizzles only what is not in soffset, which is why LLVM scales the stack
/// pointer by the wave size. The wave offset SGPR, which LLVM adds to the base, is always 0 here.
inline constexpr uint64_t scratchBufferBase = 0x0000'7FFF'0000'0000;

} // namespace pal::device
