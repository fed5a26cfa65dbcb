//===- ImageData.h - texels between image instructions and registers -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/image/ImageResource.h"
#include "pal_shim/device/memory/MemOps.h"
#include "pal_shim/device/memory/Texels.h"

namespace pal::device {

/// Reads a texel that lies in the view. False after a fault.
bool readTexel(Wave &wave, const ImageResource &image, const TexelPosition &p, unsigned lane,
               formats::Texel &texel);

/// dst_sel of the T#; a null descriptor gives zeros.
formats::Texel selectTexel(const ImageResource &image, const formats::Texel &texel);
/// Writes the components that DMASK names, one after another, and the status dword of TFE and LWE.
void writeMasked(Wave &wave, const Instr &instr, unsigned lane, const formats::Texel &values,
                 bool isInteger);
inline void writeImageResult(Wave &wave, const Instr &instr, const ImageResource &image,
                             unsigned lane, const formats::Texel &values) {
  writeMasked(wave, instr, lane, values, !image.isNull && image.info->isInteger());
}
/// All four components, in order, whatever DMASK is: results of gathers.
void writeAll(Wave &wave, const Instr &instr, unsigned lane, const formats::Texel &values,
              bool isInteger);
/// Data of a store as four components, before dst_sel is undone.
formats::Texel readImageData(const Wave &wave, const Instr &instr, const ImageResource &image,
                             unsigned lane);

} // namespace pal::device
