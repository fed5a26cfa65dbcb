//===- ShaderObject.cpp - code of shaders as a code object -- --------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderObject.h"
#include "lgc/CompileError.h"
#include "lgc/direct/DirectObject.h"
#include "lgc/direct/shader/LineTable.h"
#include "lgc/direct/shader/StageKeys.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace key = pal::abi::key;
using pal::abi::GpuTarget;
using pal::abi::HardwareStage;

namespace {

/// HW: the processor reads ahead of what it executes, up to three lines of the instruction cache.
/// s_code_end there keeps it from anything else, and shows tools where code ends. As LLVM does.
void addPadding(SmallVectorImpl<uint32_t> &code, const GpuTarget &target) {
  constexpr uint32_t sCodeEnd = 0xBF9F0000;
  const size_t lineDwords = (target.major >= 11 ? 128 : 64) / 4;
  code.resize(alignTo(code.size(), lineDwords) + 3 * lineDwords, sCodeEnd);
}

/// Code of all stages, each at an address that the hardware can start at. \p places: in bytes.
SmallVector<uint32_t, 0> joinCode(ArrayRef<StageCode> stages, const GpuTarget &target,
                                  SmallVectorImpl<uint64_t> &places) {
  constexpr uint32_t sNop = 0xBF800000;
  SmallVector<uint32_t, 0> text;
  for (const StageCode &stage : stages) {
    text.resize(alignTo(text.size(), pal::abi::elf::codeAlignment / 4), sNop);
    places.push_back(text.size() * 4);
    text.append(stage.code.dwords);
  }
  addPadding(text, target);
  return text;
}

/// What LLVM adds to the metadata of a stage.
StageKeys keysOf(const StageCode &stage, const GpuTarget &target) {
  const Statistics stats = statisticsOf(stage.code);
  const StringRef symbol = pal::abi::entryPointSymbol(stage.stage);
  StageKeys result = {stage.stage, {}};
  auto add = [&](StringRef name, KeyValue value) { result.keys.emplace_back(name, value); };
  add(key::entryPoint, symbol);
  add(key::entryPointSymbol, symbol);
  add(key::vgprCount, uint64_t(stats.vgprs));
  add(key::sgprCount, uint64_t(stats.sgprs));
  add(key::ldsSize, uint64_t(stats.ldsBytes));
  add(key::scratchEn, stats.scratchBytes != 0);
  add(key::scratchMemorySize, uint64_t(stats.scratchBytes));
  add(key::wgpMode, stage.code.wgpMode);
  add(key::memOrdered, true);
  add(key::forwardProgress, true);
  add(key::debugMode, false);
  if (stage.stage == HardwareStage::Cs) {
    add(key::trapPresent, false);
    add(key::excpEn, uint64_t(0));
  }
  // HW(gfx12): without the mode.
  if (target.major < 12)
    add(key::ieeeMode, false);
  sort(result.keys, less_first());
  return result;
}

/// The text that lowering wrote (lgc/lowering/entry/PalMetadata.cpp); empty: none.
StringRef loweredMetadata(const Module &module) {
  const NamedMDNode *node = module.getNamedMetadata("amdgpu.pal.metadata.msgpack");
  if (!node || node->getNumOperands() != 1 || node->getOperand(0)->getNumOperands() != 1)
    return {};
  const auto *text = dyn_cast<MDString>(node->getOperand(0)->getOperand(0));
  return text ? text->getString() : StringRef();
}

} // namespace

/// HW: LDS is given in granules of 512 bytes.
Statistics statisticsOf(const ShaderCode &code) {
  constexpr unsigned vccRegisters = 2;
  constexpr uint32_t ldsGranule = 512, scratchGranule = 16;
  Statistics stats;
  stats.vgprs = std::max(code.vgprs, 1u);
  stats.sgprs = code.sgprs + vccRegisters;
  stats.ldsBytes = static_cast<uint32_t>(alignTo(code.ldsBytes, ldsGranule));
  stats.scratchBytes = static_cast<uint32_t>(alignTo(code.scratchBytes, scratchGranule));
  stats.codeBytes = static_cast<uint32_t>(code.dwords.size() * 4);
  stats.instructions = code.instructions;
  return stats;
}

Expected<std::vector<uint8_t>> writeShaderObject(const Module &module, ArrayRef<StageCode> stages,
                                                 const GpuTarget &target) {
  SmallVector<StageKeys, 2> keys;
  for (const StageCode &stage : stages)
    keys.push_back(keysOf(stage, target));
  const std::optional<std::string> blob = addStageKeys(loweredMetadata(module), keys);
  if (!blob)
    return internalError("direct tier: the module's metadata lack a stage");
  SmallVector<uint64_t, 4> places;
  pal::abi::ElfBuilder builder = startObject(target, joinCode(stages, target, places));
  addMetadata(builder, *blob);
  SmallVector<PlacedCode, 4> placed;
  for (unsigned i = 0; i < stages.size(); ++i)
    placed.push_back({&stages[i].code, places[i]});
  addLineTable(builder, codeSection, placed);
  for (unsigned i = 0; i < stages.size(); ++i)
    builder.addSymbol(pal::abi::entryPointSymbol(stages[i].stage), ELF::STT_FUNC, ELF::STB_GLOBAL,
                      codeSection, places[i], stages[i].code.dwords.size() * 4);
  for (unsigned i = 0; i < stages.size(); ++i)
    for (const CodeSymbol &symbol : stages[i].code.symbols) {
      const uint32_t number =
          builder.addSymbol(symbol.name, ELF::STT_NOTYPE, ELF::STB_GLOBAL, ELF::SHN_UNDEF, 0, 0);
      builder.addRelocation({.target = codeSection,
                             .offset = places[i] + symbol.dword * 4,
                             .type = ELF::R_AMDGPU_ABS32_LO,
                             .symbol = number});
    }
  auto object = builder.finish();
  if (!object)
    return internalError("direct tier: " + consumeToText(object.takeError()).message);
  return std::move(*object);
}

} // namespace lgc::direct
