//===- Mapping.h - AMD's resource mapping data ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Node types have the same numbers and meaning on both sides. What differs: AMD's drivers say of
/// root nodes which stages see them, which changes nothing here; tables of vertex buffers and of
/// transform feedback are root nodes, which the compiler reaches by PAL's special user data, so
/// that they only reserve dwords; elements of immutable samplers with YCbCr conversion have six
/// dwords of AMD's behind the sampler, where lgc/Ycbcr.h wants two.
#pragma once

#include "icd_glue/amd/Interface.h"
#include "lgc/Ycbcr.h"

namespace icd::amd {

/// Errors: InvalidInput for null arrays with elements, unknown types and nested tables.
llvm::Expected<lgc::ResourceMapping> mappingOf(const Vkgc::ResourceMappingData &data);

/// \p value must have a value.
lgc::StaticDescriptor staticDescriptorOf(const Vkgc::StaticDescriptorValue &value);

/// What AMD's words say. Planes hold components where colours have them (YcbcrInfo::inPlace).
lgc::YcbcrInfo ycbcrInfoOf(const Vkgc::SamplerYCbCrConversionMetaData &words);

} // namespace icd::amd
