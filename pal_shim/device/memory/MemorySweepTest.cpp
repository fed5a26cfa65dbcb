//===- MemorySweepTest.cpp - registers of random memory instructions -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Random encodings of every memory and image format: the registers that our decode functions find
/// must be the ones that LLVM's disassembler finds, with all dwords of data and addresses. A fixed
/// seed makes every run the same.
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/memory/MemOps.h"
#include "pal_shim/device/memory/Smem.h"
#include "pal_shim/device/memory/TestbedForTest.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace pal::device;
using namespace pal::device::test;

namespace {

/// VGPRs as 0 .. 259, SGPRs from 1000 on.
using Registers = std::set<unsigned>;

void add(Registers &set, unsigned first, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    set.insert(first + i);
}

void addScalar(Registers &set, const Src &src, unsigned count) {
  if (src.kind == Src::Kind::Sgpr)
    add(set, 1000 + src.reg, count);
}

void addImage(Registers &set, const Instr &instr, const ImageOp &op) {
  for (unsigned i = 0; i < instr.mem.addrCount; ++i)
    set.insert(instr.mem.addr[i]);
  unsigned count =
      op.kind == ImageKind::Gather ? 4 : std::max(1u, unsigned(std::popcount(instr.mem.dmask)));
  unsigned dwords = instr.mem.d16 && op.kind != ImageKind::Atomic ? (count + 1) / 2 : count;
  // LLVM's disassembler gives TFE its dword, LWE alone none.
  add(set, instr.src[1].reg, dwords + (instr.mem.tfe));
  // LLVM names eight dwords with R128, too.
  addScalar(set, instr.src[3], 8);
  if (op.kind == ImageKind::Sample || op.kind == ImageKind::Gather || op.kind == ImageKind::GetLod)
    addScalar(set, instr.src[4], 4);
}

void addMemory(Registers &set, const Instr &instr, const MemOp &op, llvm::StringRef mnemonic) {
  bool isDs = mnemonic.starts_with("ds_");
  bool isBuffer = mnemonic.contains("buffer_");
  if (isBuffer)
    add(set, instr.src[0].reg, instr.mem.idxen + instr.mem.offen);
  else if (!isDs && instr.mem.offen && !mnemonic.contains("addtid"))
    add(set, instr.src[0].reg,
        mnemonic.starts_with("scratch") || instr.src[3].kind == Src::Kind::Sgpr ? 1 : 2);
  else if (isDs && !mnemonic.contains("addtid") && mnemonic != "ds_append" &&
           mnemonic != "ds_consume")
    add(set, instr.src[0].reg, 1);
  if (op.dataDwords && mnemonic != "ds_swizzle_b32") {
    add(set, instr.src[1].reg, op.dataDwords + (instr.mem.tfe && op.kind == MemKind::Store));
    if (op.operands == 2 || (op.pairStride && op.kind != MemKind::Load))
      add(set, instr.src[2].reg, op.dataDwords);
  }
  if (instr.dst[0].kind == Dst::Kind::Vgpr)
    add(set, instr.dst[0].reg, op.resultDwords + instr.mem.tfe);
  if (isBuffer) {
    addScalar(set, instr.src[3], 4);
    addScalar(set, instr.src[4], 1);
  } else {
    addScalar(set, instr.src[3], mnemonic.starts_with("scratch") ? 1 : 2);
  }
}

void addStack(Registers &set, const Instr &instr, llvm::StringRef mnemonic) {
  add(set, instr.src[0].reg, 1);
  add(set, instr.src[1].reg, 1);
  add(set, instr.src[2].reg, mnemonic.contains("push8") ? 8 : 4);
  add(set, instr.dst[0].reg, mnemonic.ends_with("b64") ? 2 : 1);
}

Registers ours(const Instr &instr, const RawInstr &raw) {
  Registers set;
  if (raw.encoding == Encoding::Smem) {
    const auto &op = *static_cast<const SmemOp *>(instr.kernel);
    if (instr.dst[0].kind == Dst::Kind::Sgpr)
      add(set, 1000 + instr.dst[0].reg, op.resultDwords);
    addScalar(set, instr.src[3], op.baseDwords);
    addScalar(set, instr.src[4], op.baseDwords != 0);
  } else if (raw.mnemonic.starts_with("ds_bvh_stack")) {
    addStack(set, instr, raw.mnemonic);
  } else if (raw.mnemonic.starts_with("image_")) {
    addImage(set, instr, imageOp(instr));
  } else {
    addMemory(set, instr, memOp(instr), raw.mnemonic);
  }
  return set;
}

Registers theirs(const RawInstr &raw) {
  Registers set;
  for (const RawOperand &operand : raw.operands) {
    if (operand.kind == RawOperand::Kind::Vgpr)
      add(set, operand.reg, operand.dwords);
    else if (operand.kind == RawOperand::Kind::Sgpr)
      add(set, 1000 + operand.reg, operand.dwords);
  }
  return set;
}

std::string shown(const Registers &set) {
  std::string text;
  for (unsigned reg : set)
    text += (reg >= 1000 ? " s" : " v") + std::to_string(reg >= 1000 ? reg - 1000 : reg);
  return text;
}

/// The bits that tell the encoding, in the first dword.
struct Format {
  uint32_t value;
  Encoding encoding;
};
std::vector<Format> formatsOf(llvm::StringRef target) {
  if (isGfx12(target))
    return {{0xF4000000, Encoding::Smem},   {0xC4000000, Encoding::Vbuffer},
            {0xEC000000, Encoding::Flat},   {0xD8000000, Encoding::Ds},
            {0xD0000000, Encoding::Vimage}, {0xE4000000, Encoding::Vsample}};
  return {{0xF4000000, Encoding::Smem},  {0xE0000000, Encoding::Mubuf},
          {0xE8000000, Encoding::Mtbuf}, {0xDC000000, Encoding::Flat},
          {0xD8000000, Encoding::Ds},    {0xF0000000, Encoding::Mimg}};
}

/// Combinations that do not exist, or for which LLVM's disassembler gives up on operand sizes.
bool isOdd(const Instr &instr, const RawInstr &raw) {
  if (!raw.mnemonic.starts_with("image_"))
    return false;
  const ImageOp &op = imageOp(instr);
  bool samples =
      op.kind == ImageKind::Sample || op.kind == ImageKind::Gather || op.kind == ImageKind::GetLod;
  bool isMultisampled = instr.mem.dim >= unsigned(ImageDim::D2Msaa);
  // Several address registers for one address.
  if (instr.mem.addrCount == 1 && raw.dwords.size() > 2 && !pal::device::isGfx12(raw.generation))
    return true;
  return ((samples || op.lod) && isMultisampled) || (op.kind == ImageKind::Gather && instr.mem.tfe);
}

TEST(MemorySweep, RegistersAreThoseOfLlvm) {
  for (const char *target : allTargets) {
    const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
    auto decoder = llvm::cantFail(Decoder::create(*gpu, 32));
    OpIndex index(generationOf(*gpu));
    std::mt19937 random(12345);
    for (const Format &format : formatsOf(target)) {
      std::set<std::string> seen;
      unsigned mismatches = 0;
      for (unsigned i = 0; i < 8000 && mismatches < 5; ++i) {
        uint32_t words[5];
        for (uint32_t &word : words)
          word = uint32_t(random());
        words[0] = (words[0] & 0x03FFFFFF) | format.value;
        // Registers that any tuple can begin at; the rest of the bits is free.
        if (format.encoding == Encoding::Smem)
          words[0] &= ~0x1FFFu, words[0] |= (random() % 24 * 4) << 6 | random() % 25 * 2;
        // Reserved bits, and addresses that are not there.
        if (format.encoding == Encoding::Vimage)
          words[0] &= ~0x3F88u, words[1] &= 0x00FFFEFF,
              words[2] &= 0xFFFFFFFFu >> (random() % 4 * 8);
        std::vector<uint8_t> code(sizeof(words));
        std::memcpy(code.data(), words, sizeof(words));
        MachineInstr machine;
        if (llvm::Error error = decoder->decode(code, 0, machine)) {
          llvm::consumeError(std::move(error));
          continue;
        }
        const RawInstr &raw = machine.first;
        const OpEntry *op = index.find(raw.mnemonic);
        if (!op || !op->kernel)
          continue;
        Instr instr;
        instr.kernel = op->kernel;
        std::string why;
        if (!op->decode(raw, instr, why) || isOdd(instr, raw))
          continue;
        seen.insert(raw.mnemonic.str());
        Registers mine = ours(instr, raw), wanted = theirs(raw);
        if (mine.lower_bound(256) != mine.lower_bound(1000))
          continue; // beyond the last VGPR
        if (*wanted.rbegin() >= 1000 + sreg::vccLo || *mine.rbegin() >= 1000 + sreg::vccLo)
          continue; // trap registers are no tuples here, and no shader has them
        if (mine != wanted) {
          ++mismatches;
          ADD_FAILURE() << target << ": " << decoder->text(code, 0) << "\n  ours:" << shown(mine)
                        << "\n  LLVM:" << shown(wanted);
        }
      }
      EXPECT_GT(seen.size(), format.encoding == Encoding::Smem ? 8u : 10u)
          << target << " " << encodingName(format.encoding).str();
    }
  }
}

} // namespace
