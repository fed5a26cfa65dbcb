//===- DirectObject.cpp - code objects of code made without LLVM ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/DirectObject.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace lgc::direct {

static std::vector<uint8_t> bytesOf(ArrayRef<uint32_t> code) {
  std::vector<uint8_t> bytes(code.size() * 4);
  uint8_t *to = bytes.data();
  for (uint32_t dword : code) {
    support::endian::write32le(to, dword);
    to += 4;
  }
  return bytes;
}

pal::abi::ElfBuilder startObject(const pal::abi::GpuTarget &target, ArrayRef<uint32_t> code) {
  pal::abi::ElfBuilder builder;
  builder.header().type = ELF::ET_REL;
  builder.header().machine = pal::abi::elf::machine;
  builder.header().osAbi = pal::abi::elf::osAbiPal;
  builder.header().flags = target.elfMach;
  // As LLVM does for code that is right with XNACK and without, where a GPU has it (gfx10.1).
  if (target.major == 10 && target.minor < 3)
    builder.header().flags |= ELF::EF_AMDGPU_FEATURE_XNACK_V3;
  const unsigned text = builder.addSection(pal::abi::elf::textSection, ELF::SHT_PROGBITS,
                                           ELF::SHF_ALLOC | ELF::SHF_EXECINSTR,
                                           pal::abi::elf::codeAlignment, bytesOf(code));
  KILN_CHECK(text == codeSection, "behind the table of names");
  return builder;
}

void addMetadata(pal::abi::ElfBuilder &builder, StringRef blob) {
  builder.addSection(pal::abi::elf::noteSection, ELF::SHT_NOTE, 0, 4,
                     pal::abi::encodeNote(pal::abi::elf::noteOwner, pal::abi::elf::noteType,
                                          arrayRefFromStringRef(blob)));
}

} // namespace lgc::direct
