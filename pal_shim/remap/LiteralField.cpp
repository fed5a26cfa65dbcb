//===- LiteralField.cpp - a number in code that a link gives --------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/remap/LiteralField.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace pal::remap {

Expected<LiteralField> LiteralField::of(const abi::ElfRelocation &relocation,
                                        const abi::ElfSection &section,
                                        const abi::GpuTarget *target) {
  bool isLoad = relocation.type == abi::elf::loadOffsetRelocation && target;
  bool isLiteral =
      relocation.type == ELF::R_AMDGPU_ABS32_LO || relocation.type == ELF::R_AMDGPU_ABS32;
  if (!isLoad && !isLiteral)
    return abi::notSupported("relocation of type " + Twine(relocation.type) +
                             " against a symbol that linking defines");
  // Why: a number in the notes or in the data of a damaged file would not be a number for long.
  if (section.type != ELF::SHT_PROGBITS || !(section.flags & ELF::SHF_EXECINSTR))
    return abi::malformed("relocation at " + abi::hex(relocation.offset) + " of section '" +
                          section.name.take_front(64) + "': linking defines numbers in code only");
  // The parser has looked at the width of types that PAL knows only.
  if (section.data.size() < 4 || relocation.offset > section.data.size() - 4)
    return abi::malformed("relocation at " + abi::hex(relocation.offset) + " exceeds its section");
  uint32_t word = support::endian::read32le(section.data.data() + relocation.offset);
  LiteralField field;
  // HW: the offset of a scalar load is 21 bits with sign in the low bits of the second dword,
  // HW(gfx12): 24 bits.
  if (isLoad)
    field.mask = target->major >= 12 ? 0xFFFFFF : 0x1FFFFF;
  field.rest = word & ~field.mask;
  field.addend =
      relocation.hasAddend ? static_cast<uint32_t>(relocation.addend) : word & field.mask;
  return field;
}

} // namespace pal::remap
