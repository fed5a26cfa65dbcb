//===- DebugSpace.h - where debuggers find what has no private memory ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace lgc {

/// DWARF address space of a pointer that stands in private memory for a variable elsewhere.
enum class DebugSpace : uint32_t {
  Copy = 0,   ///< no pointer: the variable's value itself
  Lds = 3,    ///< a dword: byte offset in the memory of the workgroup
  Buffer = 7, ///< four dwords: the buffer's descriptor
};

} // namespace lgc
