//===- TestObjects.h - small code objects for tests -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A compute code object that fulfils every rule, made from parts that a test may change first.
#pragma once

#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace pal::abi::test {

using Bytes = std::vector<uint8_t>;

/// The value, or the test binary ends with the message.
template <class T> T take(llvm::Expected<T> value) {
  if (!value) {
    std::fprintf(stderr, "unexpected error: %s\n", llvm::toString(value.takeError()).c_str());
    std::abort();
  }
  return std::move(*value);
}

/// The message, or "success".
template <class T> std::string messageOf(llvm::Expected<T> value) {
  return value ? "success" : llvm::toString(value.takeError());
}

inline PipelineMetadata sampleMetadata() {
  PipelineMetadata md;
  md.api = "Vulkan";
  md.type = PipelineType::Cs;
  md.internalPipelineHash = Hash128{0x1122334455667788, 0x99AABBCCDDEEFF00};
  md.userDataLimit = 12;
  md.spillThreshold = 6;
  ShaderInfo shader;
  shader.apiShaderHash = Hash128{7, 8};
  shader.hardwareMapping = {HardwareStage::Cs};
  md.shaders[unsigned(ApiStage::Compute)] = shader;
  HardwareStageInfo stage;
  stage.entryPointSymbol = "_amdgpu_cs_main";
  stage.vgprCount = 24;
  stage.sgprCount = 20;
  stage.scratchMemorySize = 32;
  stage.scratchEn = true;
  stage.ldsSize = 1024;
  stage.wavefrontSize = 64;
  stage.floatMode = 192;
  stage.userSgprs = 9;
  stage.userDataRegMap = {userdata::globalTable, 3, 4, 5, 0, 1, userdata::spillTable,
                          userdata::workgroup};
  stage.threadgroupDimensions = {8, 8, 1};
  md.hardwareStage(HardwareStage::Cs) = stage;
  ComputeRegisters registers;
  registers.tgidXEn = registers.tgidYEn = true;
  registers.tgidZEn = registers.tgSizeEn = false;
  registers.tidigCompCnt = 1;
  md.computeRegisters = registers;
  return md;
}

/// Parts of the sample's ELF that tests change.
struct SampleElf {
  uint16_t type = llvm::ELF::ET_REL;
  uint16_t machine = elf::machine;
  uint8_t osAbi = elf::osAbiPal;
  uint8_t abiVersion = elf::abiVersion;
  uint32_t flags = 0x41;
  std::string textName = ".text";
  uint64_t textAlignment = 256;
  uint64_t textFlags = llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_EXECINSTR;
  uint64_t rodataFlags = llvm::ELF::SHF_ALLOC;
  std::string entryName = "_amdgpu_cs_main";
  uint8_t entryType = llvm::ELF::STT_FUNC;
  uint64_t entryOffset = 256;
  uint64_t entrySize = 64;
  bool entryInText = true;
  bool entryTwice = false;
  uint32_t relocationType = llvm::ELF::R_AMDGPU_ABS32_LO;
  bool relocateUndefined = false;
  std::string relocatedName = "table";
  uint8_t relocatedType = llvm::ELF::STT_OBJECT;
  bool isPart = false;
  std::string noteSection = ".note";
  std::string noteOwner = "AMDGPU";
  uint32_t noteType = 32;

  Bytes build(const Bytes &metadata) const {
    using namespace llvm;
    ElfBuilder builder;
    ElfHeader &header = builder.header();
    header.type = type;
    header.machine = machine;
    header.osAbi = osAbi;
    header.abiVersion = abiVersion;
    header.flags = flags;
    uint16_t text = uint16_t(builder.addSection(textName, ELF::SHT_PROGBITS, textFlags,
                                                textAlignment, Bytes(512, 0xBF)));
    uint16_t rodata =
        uint16_t(builder.addSection(".rodata", ELF::SHT_PROGBITS, rodataFlags, 4, Bytes(64, 0x5A)));
    Bytes notes = encodeNote("AMD", 11, Bytes{'i', 's', 'a'});
    Bytes note = encodeNote(noteOwner, noteType, metadata);
    notes.insert(notes.end(), note.begin(), note.end());
    builder.addSection(noteSection, ELF::SHT_NOTE, 0, 4, notes);
    if (isPart)
      builder.addSection(elf::partSection, ELF::SHT_PROGBITS, 0, 1, Bytes(8, 0));
    uint32_t table = builder.addSymbol(relocatedName, relocatedType, ELF::STB_LOCAL,
                                       relocateUndefined ? uint16_t(ELF::SHN_UNDEF) : rodata, 0, 0);
    for (unsigned i = 0; i < (entryTwice ? 2 : 1); ++i)
      builder.addSymbol(entryName, entryType, ELF::STB_GLOBAL, entryInText ? text : rodata,
                        entryInText ? entryOffset : 0, entrySize);
    ElfRelocation relocation;
    relocation.target = text;
    relocation.offset = 260;
    relocation.type = relocationType;
    relocation.symbol = table;
    builder.addRelocation(relocation);
    return take(builder.finish());
  }
};

inline Bytes sampleElf() { return SampleElf().build(sampleMetadata().toBlob()); }

} // namespace pal::abi::test
