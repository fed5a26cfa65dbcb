//===- ValuFields.h - bit fields of the VALU encodings ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The encodings of vector operations taken apart, before anyone asks what the operation is.
/// Private to ops/.
#pragma once

#include "pal_shim/device/core/RawInstr.h"

namespace pal::device::detail {

/// Layouts that share fields; DPP and SDWA words come on top.
enum class ValuBase : uint8_t { Vop1, Vop2, Vopc, Vop3, Vop3p, Vopd };

struct ValuFields {
  ValuBase base = ValuBase::Vop1;
  unsigned src[3] = {};      ///< 9-bit operand codes; 256 + n is VGPR n
  unsigned srcCount = 0;     ///< how many of them the operation can use
  unsigned vdst = 0;         ///< 8-bit destination
  unsigned sdst = 0;         ///< 7-bit scalar destination of VOP3B and SDWA compares
  bool hasSdst = false;      ///< SDWA compare with the SD bit
  unsigned neg = 0, abs = 0; ///< bit per source; abs is neg_hi in VOP3P
  unsigned opSel = 0;        ///< bit per source, bit 3: destination
  unsigned opSelHi = 7;
  unsigned omod = 0;
  bool clamp = false;
  unsigned literalDword = 1;          ///< where a literal constant is
  unsigned sel[2] = {6, 6}, sext = 0; ///< SDWA sources
  Dpp dpp;
  Sdwa sdwa;

  /// The compact encodings, whose 8-bit fields name halves of v0 .. v127 for 16-bit operands on
  /// gfx11 and later.
  bool isCompact() const { return base <= ValuBase::Vopc; }
};

/// False with \p why set if the encoding is cut short or has reserved values.
bool parseValuFields(const RawInstr &raw, ValuFields &fields, std::string &why);

} // namespace pal::device::detail
