//===- VerifyElf.cpp - rules about the ELF around code and metadata -------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/VerifyRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace pal::abi {
namespace {

void checkType(const ElfContext &c, Report report) {
  if (c.elf.header().type != ELF::ET_REL)
    report("ELF header: type " + Twine(c.elf.header().type) + ", expected 1 (relocatable)");
}

void checkMachine(const ElfContext &c, Report report) {
  if (c.elf.header().machine != elf::machine)
    report("ELF header: machine " + hex(c.elf.header().machine) + ", expected 0xe0 (AMDGPU)");
}

void checkOsAbi(const ElfContext &c, Report report) {
  if (c.elf.header().osAbi != elf::osAbiPal)
    report("ELF header: OS ABI " + Twine(unsigned(c.elf.header().osAbi)) +
           ", expected 65 (AMDGPU PAL)");
  if (c.elf.header().abiVersion != elf::abiVersion)
    report("ELF header: ABI version " + Twine(unsigned(c.elf.header().abiVersion)) +
           ", expected 0");
}

void checkTarget(const ElfContext &c, Report report) {
  uint32_t flags = c.elf.header().flags;
  const GpuTarget *target = findTargetByMach(flags & elf::machMask);
  if (!target)
    report("ELF header: unknown machine number " + hex(flags & elf::machMask) + " in e_flags");
  else if (c.expected && c.expected != target)
    report("ELF header: code for " + target->name + ", expected " + c.expected->name);
  // Beside the machine number only the xnack and sramecc settings have a meaning.
  uint32_t known =
      elf::machMask | ELF::EF_AMDGPU_FEATURE_XNACK_V4 | ELF::EF_AMDGPU_FEATURE_SRAMECC_V4;
  if (flags & ~known)
    report("ELF header: unknown bits " + hex(flags & ~known) + " in e_flags");
}

void checkNameTable(const ElfContext &c, Report report) {
  if (c.elf.header().nameSection != nameSectionIndex)
    report("ELF header: section " + Twine(c.elf.header().nameSection) +
           " is the section name table, PAL takes section " + Twine(nameSectionIndex));
}

/// PAL enters all defined symbols but those of sections into a table by name.
void checkSymbols(const ElfContext &c, Report report) {
  for (auto [index, symbol] : enumerate(c.elf.symbols()))
    if (symbol.section != ELF::SHN_UNDEF && symbol.type != ELF::STT_SECTION && symbol.name.empty())
      report("symbol " + Twine(index) + ": defined, but without a name");
}

void checkText(const ElfContext &c, Report report) {
  unsigned count = 0;
  for (const ElfSection &section : c.elf.sections()) {
    if (section.type == ELF::SHT_NULL || section.name != elf::textSection)
      continue;
    ++count;
    uint64_t needed = ELF::SHF_ALLOC | ELF::SHF_EXECINSTR;
    if (section.type != ELF::SHT_PROGBITS || (section.flags & needed) != needed)
      report("section '.text': not allocated, executable program bits");
    if (section.alignment % elf::codeAlignment != 0 || section.alignment == 0)
      report("section '.text': alignment " + Twine(section.alignment) + ", expected 256");
  }
  if (count != 1)
    report("ELF has " + Twine(count) + " sections '.text', expected 1");
}

void checkRelocations(const ElfContext &c, Report report) {
  const bool isPart = c.elf.findSection(elf::partSection) != nullptr;
  for (const ElfRelocation &relocation : c.elf.relocations()) {
    // PAL uploads and patches allocated sections only.
    if (!c.elf.sections()[relocation.target].isAlloc())
      continue;
    std::string place = "relocation at " + c.elf.describeSection(relocation.target) + " + " +
                        hex(relocation.offset);
    const ElfSymbol &symbol = c.elf.symbols()[relocation.symbol];
    const bool isLinked = isPart && symbol.section == ELF::SHN_UNDEF &&
                          symbol.name.starts_with(elf::partSymbolPrefix);
    if (relocationWidth(relocation.type) == 0 &&
        !(isLinked && relocation.type == elf::loadOffsetRelocation))
      report(place + ": type " + Twine(relocation.type) + " is not one that PAL applies");
    std::string name = symbol.name.empty() ? "symbol " + std::to_string(relocation.symbol)
                                           : "'" + symbol.name.str() + "'";
    if (isLinked)
      continue;
    if (symbol.section == ELF::SHN_UNDEF)
      report(place + ": " + name + " is undefined");
    else if (symbol.section >= ELF::SHN_LORESERVE || !c.elf.sections()[symbol.section].isAlloc())
      report(place + ": " + name + " is not in an uploaded section");
  }
}

void checkNote(const ElfContext &c, Report report) {
  const ElfNote *note = c.elf.findMetadataNote();
  if (!note)
    report("no metadata note (type 32 in a section named '.note')");
  else if (note->owner != elf::noteOwner)
    report("metadata note: owner '" + note->owner.take_front(16) + "', expected 'AMDGPU'");
}

constexpr ElfRule rules[] = {
    {"elf-type", "the ELF is relocatable", checkType},
    {"elf-machine", "the ELF's machine is AMDGPU", checkMachine},
    {"elf-os-abi", "OS ABI AMDGPU PAL, ABI version 0", checkOsAbi},
    {"elf-target", "e_flags name a known GPU, the expected one if any is", checkTarget},
    {"section-names", "section 1 is the section name table", checkNameTable},
    {"symbol-names", "defined symbols have names, unless they are those of sections", checkSymbols},
    {"text-section", "one executable section .text, aligned to 256 bytes", checkText},
    {"relocations",
     "relocations of uploaded sections are of types that PAL applies, against symbols "
     "in uploaded sections, or in a part against kiln.* symbols",
     checkRelocations},
    {"metadata-note", "a section .note has a note of type 32 and owner AMDGPU", checkNote},
};

} // namespace

ArrayRef<ElfRule> elfRules() { return rules; }

} // namespace pal::abi
