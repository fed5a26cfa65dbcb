//===- ShaderObject.cpp - code of shaders as a code object -- --------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderObject.h"
#include "lgc/CompileError.h"
#include "lgc/direct/DirectObject.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
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

/// What LLVM adds to the metadata of a stage. HW: LDS is given in granules of 512 bytes.
void addStageKeys(msgpack::MapDocNode node, msgpack::Document &document, const StageCode &stage,
                  const GpuTarget &target) {
  const ShaderCode &code = stage.code;
  constexpr unsigned vccRegisters = 2;
  constexpr uint32_t ldsGranule = 512;
  const StringRef symbol = pal::abi::entryPointSymbol(stage.stage);
  node[key::entryPoint] = document.getNode(symbol);
  node[key::entryPointSymbol] = document.getNode(symbol);
  node[key::vgprCount] = std::max(code.vgprs, 1u);
  node[key::sgprCount] = code.sgprs + vccRegisters;
  node[key::ldsSize] = static_cast<uint32_t>(alignTo(code.ldsBytes, ldsGranule));
  constexpr uint32_t scratchGranule = 16;
  node[key::scratchEn] = code.scratchBytes != 0;
  node[key::scratchMemorySize] = static_cast<uint32_t>(alignTo(code.scratchBytes, scratchGranule));
  node[key::wgpMode] = true;
  node[key::memOrdered] = true;
  node[key::forwardProgress] = true;
  node[key::debugMode] = false;
  if (stage.stage == HardwareStage::Cs) {
    node[key::trapPresent] = false;
    node[key::excpEn] = 0u;
  }
  // HW(gfx12): without the mode.
  if (target.major < 12)
    node[key::ieeeMode] = false;
}

/// \p node's value of \p name, if it is a map that has one.
std::optional<msgpack::DocNode> valueOf(msgpack::DocNode node, StringRef name) {
  if (!node.isMap())
    return std::nullopt;
  msgpack::MapDocNode map = node.getMap();
  auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

/// The map of hardware stages in what lowering wrote, if it is there.
std::optional<msgpack::DocNode> findStages(msgpack::Document &document) {
  std::optional<msgpack::DocNode> node = valueOf(document.getRoot(), key::pipelines);
  if (!node || !node->isArray() || node->getArray().empty())
    return std::nullopt;
  return valueOf(*node->getArray().begin(), key::hardwareStages);
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

Expected<std::vector<uint8_t>> writeShaderObject(const Module &module, ArrayRef<StageCode> stages,
                                                 const GpuTarget &target) {
  msgpack::Document document;
  const bool isRead = document.readFromBlob(loweredMetadata(module), /*Multi=*/false);
  const std::optional<msgpack::DocNode> node = isRead ? findStages(document) : std::nullopt;
  for (const StageCode &stage : stages) {
    const std::optional<msgpack::DocNode> keys =
        node ? valueOf(*node, pal::abi::hardwareStageKey(stage.stage)) : std::nullopt;
    if (!keys || !keys->isMap())
      return internalError("direct tier: the module's metadata lack a stage");
    msgpack::DocNode map = *keys;
    addStageKeys(map.getMap(), document, stage, target);
  }
  std::string blob;
  document.writeToBlob(blob);
  SmallVector<uint64_t, 4> places;
  pal::abi::ElfBuilder builder = startObject(target, joinCode(stages, target, places));
  addMetadata(builder, blob);
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
