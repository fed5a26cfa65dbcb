//===- ImageOps.h - image instructions: operations, addresses, fields ------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpEntry::kernel of every image instruction is an ImageOp. Operands of a decoded instruction:
///   dst[0]    VGPRs of the result
///   src[1]    VGPRs of the data of stores and atomics
///   src[3]    SGPRs of the T#
///   src[4]    SGPRs of the S#
///   mem.addr  VGPR of each address dword
///
/// Order of the address components (RDNA ISA manuals, "Image addressing"): offset, bias, compare
/// value, derivatives in x, derivatives in y, coordinates with layer or face, then lod, lod clamp,
/// mip level or sample. A16 makes coordinates, bias and what follows 16 bits wide, G16 the
/// derivatives: two to a dword, where each direction of derivatives starts a dword and the bias has
/// one of its own.
#pragma once

#include "pal_shim/device/memory/MemOps.h"

namespace pal::device {

enum class ImageKind : uint8_t { Load, Store, Atomic, Sample, Gather, GetLod, GetSize };

struct ImageOp {
  ImageKind kind;
  bool offset = false, bias = false, compare = false, derivatives = false, g16 = false;
  bool lod = false;   ///< last component: lod, or the mip level of loads and stores
  bool zero = false;  ///< level 0 (_lz)
  bool clamp = false; ///< last component: lowest lod
  /// Atomics of 32 and 64 bits; null: does not exist.
  const MemOp *atomic32 = nullptr, *atomic64 = nullptr;
};

inline const ImageOp &imageOp(const Instr &instr) {
  return *static_cast<const ImageOp *>(instr.kernel);
}

/// DIM field of the instruction.
enum class ImageDim : uint8_t { D1, D2, D3, Cube, D1Array, D2Array, D2Msaa, D2MsaaArray };
unsigned coordCount(ImageDim dim);      ///< with layer, face, sample
unsigned derivativeCount(ImageDim dim); ///< in one direction

/// Where an address component is.
struct AddressSlot {
  enum class Part : uint8_t { None, Whole, Low, High };
  uint8_t dword = 0; ///< index in MemFields::addr
  Part part = Part::None;
};
struct AddressMap {
  AddressSlot offset, bias, compare, derivatives[6], coords[4], last;
  unsigned dwords = 0;
};
AddressMap makeAddressMap(const ImageOp &op, const MemFields &fields);

/// Reads address components of lanes.
class AddressReader {
public:
  AddressReader(const Wave &wave, const Instr &instr)
      : map(makeAddressMap(imageOp(instr), instr.mem)), wave(wave), fields(instr.mem) {}
  /// 32 bits, or 16 bits zero-extended.
  uint32_t bits(AddressSlot slot, unsigned lane) const;
  float number(AddressSlot slot, unsigned lane) const;
  const AddressMap map;

private:
  const Wave &wave;
  const MemFields &fields;
};

/// MIMG, VIMAGE, VSAMPLE. ImageFields.cpp.
bool decodeImage(const RawInstr &raw, Instr &instr, std::string &why);

void runImageLoad(Wave &wave, const Instr &instr);
void runImageStore(Wave &wave, const Instr &instr);
void runImageAtomic(Wave &wave, const Instr &instr);
void runImageGetSize(Wave &wave, const Instr &instr);
void runImageSample(Wave &wave, const Instr &instr); ///< and gather
void runImageGetLod(Wave &wave, const Instr &instr);

} // namespace pal::device
