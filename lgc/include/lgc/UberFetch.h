//===- UberFetch.h - vertex attributes that memory describes --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// GraphicsState::enableUberFetchShader: formats, bindings and rates of vertex attributes are read
/// from memory with every draw, so that a pipeline has one code for all of them. The resource
/// mapping has a node for that memory: InlineBuffer of this binding of internalSet (TaskView.h), in
/// a table whose pointer is in the root. What AMD's driver writes there (interface version 67 and
/// later): 64 bits, one for each location that has an attribute, then 16 bytes for each location:
///   dword 0  fields below
///   dword 1  offset of the attribute, bytes
///   dword 2  instances that share an element; 0: all of them
///   dword 3  word 3 of a V#: format and selectors; of one component where it is not packed
/// Attributes of 64 bits have the format of one or two dwords. A second location, of three or four
/// of them, has an offset that is 16 larger.
#pragma once

#include <cstdint>

namespace lgc {

inline constexpr uint32_t uberFetchBinding = 5;

namespace uberfetch {
inline constexpr uint32_t maskBytes = 8, attributeBytes = 16, locations = 64;
inline constexpr uint32_t bindingMask = 0xFF;
inline constexpr uint32_t perInstance = 1u << 8;
inline constexpr uint32_t isPacked = 1u << 10; ///< one load gives all components
/// Bytes of a component: bits 15:12; 0 of packed formats of one dword.
inline constexpr uint32_t sizeShift = 12, sizeMask = 0xF;
/// A bit for each component: bits 19:16; 0 where the size is.
inline constexpr uint32_t componentsShift = 16, componentsMask = 0xF;
inline constexpr uint32_t isBgra = 1u << 20; ///< components 0 and 2 change places unless packed
} // namespace uberfetch

} // namespace lgc
