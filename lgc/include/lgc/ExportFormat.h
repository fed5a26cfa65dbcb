//===- ExportFormat.h - how fragment shaders hand colours to the hardware --==//
// SPDX-License-Identifier: MIT
/// \file
/// The formats of exports and which one a colour target wants.
#pragma once

#include "lgc/TexelFormat.h"
#include <cstdint>
#include <optional>

namespace lgc {

/// Numbers of SPI_SHADER_COL_FORMAT and SPI_SHADER_Z_FORMAT. The names give the components from the
/// highest down, as the hardware documents do.
enum class ExportFormat : uint8_t {
  Zero = 0, ///< nothing
  R32 = 1,
  Gr32 = 2,
  Ar32 = 3,
  Fp16 = 4, ///< four components in two dwords, likewise the next four
  Unorm16 = 5,
  Snorm16 = 6,
  Uint16 = 7,
  Sint16 = 8,
  Abgr32 = 9,
};

/// What else decides besides the target's format.
struct ExportUse {
  bool blend = false; ///< the hardware computes with the exported value
  /// The source's alpha has a use although the target may have none: alpha to coverage, or a factor
  /// of the colour's blend equation. Only when the shader writes alpha.
  bool alpha = false;
  /// HW(gfx10.3+): RB+ takes two pixels of up to 16 bits a component at a time, but not 32_R.
  bool rbPlus = false;
};

/// The cheapest format that loses nothing. Zero for a target without a format; none for a format
/// that cannot be rendered to.
std::optional<ExportFormat> chooseExportFormat(const TexelFormat &format, const ExportUse &use);

/// Components (bit 0 red .. bit 3 alpha) that an export of this format carries: CB_SHADER_MASK.
unsigned exportedComponents(ExportFormat format);
/// Two components of 16 bits to a dword?
bool isPacked(ExportFormat format);

} // namespace lgc
