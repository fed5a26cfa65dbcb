//===- DirectGlue.cpp - code of glue without LLVM -------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/glue/DirectGlue.h"
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/direct/DirectObject.h"
#include "lgc/direct/Select.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;
using direct::encode;
using direct::Opcode;
using pal::abi::GpuTarget;
using pal::abi::HardwareStage;

namespace {

using Code = SmallVector<uint32_t, 128>;

/// HW: priorities of waves.
constexpr uint32_t normalPriority = 2, priorityBehindExports = 0;

struct Glue {
  HardwareStage stage;
  unsigned waveSize;
  direct::glue::CodeFacts facts;
  Code code;

  void add(unsigned major, Opcode opcode, ArrayRef<uint32_t> operands = {}) {
    encode(code, major, opcode, operands);
    ++facts.instructions;
  }
};

/// As lgc/machine/PartBoundaryWaits.cpp has it, from what is known of code without branches.
void addWaitsInFront(Glue &glue, const GpuTarget &target) {
  const bool isWave64 = glue.waveSize == 64;
  if (target.major == 10 && target.minor < 3) {
    glue.add(target.major, Opcode::WaitStores);
    glue.add(target.major, Opcode::WaitDepctr, partBoundaryOperandWait);
  } else if (target.major == 11 && isWave64 &&
             (glue.facts.readsMask || glue.facts.endsWithVector)) {
    glue.add(target.major, Opcode::WaitDepctr, partBoundaryResultWait);
  } else if (target.major >= 12 && glue.facts.vectorReadsScalar) {
    for (unsigned i = 0; i < (isWave64 ? 8 : 4); ++i)
      glue.add(target.major, Opcode::DsNop);
  }
}

/// Exports \p body and ends. It reads VGPRs and writes nothing but VGPRs, so that nothing has to be
/// waited for.
void addExports(Glue &glue, const GpuTarget &target, ArrayRef<uint32_t> body) {
  // HW(gfx11.5): exports of waves with low priority can block each other.
  const bool hasPriorities = target.major == 11 && target.minor >= 5 && !body.empty();
  if (hasPriorities)
    glue.add(target.major, Opcode::SSetPrio, normalPriority);
  glue.code.append(body.begin(), body.end());
  if (hasPriorities) {
    glue.add(target.major, Opcode::SSetPrio, priorityBehindExports);
    glue.add(target.major, Opcode::SNop, 0u);
    glue.add(target.major, Opcode::SNop, 0u);
  }
  glue.add(target.major, Opcode::SEndPgm);
}

/// With what a link takes from glue: notes of passes and numbers of registers.
std::string metadataOf(Module &module, const Glue &glue) {
  MetadataTree tree;
  MetadataNode &stage =
      startGlueMetadata(module, tree)[key::hardwareStages][pal::abi::hardwareStageKey(glue.stage)];
  stage[key::entryPointSymbol] = pal::abi::entryPointSymbol(glue.stage);
  stage[key::ldsSize] = 0u;
  stage[key::scratchMemorySize] = 0u;
  stage[key::sgprCount] = std::max(glue.facts.sgprs, 1u);
  stage[key::vgprCount] = std::max(glue.facts.vgprs, 1u);
  return tree.text();
}

Expected<std::vector<uint8_t>> objectOf(Module &module, const Glue &glue, const GpuTarget &target,
                                        const PartInfo &info) {
  pal::abi::ElfBuilder builder = direct::startObject(target, glue.code);
  direct::addMetadata(builder, metadataOf(module, glue));
  builder.addSection(partInfoSection, ELF::SHT_PROGBITS, 0, 1, encodePartInfo(info));
  builder.addSymbol(pal::abi::entryPointSymbol(glue.stage), ELF::STT_FUNC, ELF::STB_GLOBAL,
                    direct::codeSection, 0, glue.code.size() * 4);
  return builder.finish();
}

} // namespace

Expected<bool> generateGlue(Module &module, const PipelineState &state, const PartInfo &info,
                            CompileResult &result) {
  const GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that buildGlue let pass");
  const bool isInFront = info.kind == PartKind::VertexFetch;
  Glue glue = {isInFront ? info.fetch->stage : HardwareStage::Ps,
               isInFront ? info.fetch->waveSize : info.colorExport->waveSize,
               {},
               {}};
  const Function *function = module.getFunction(pal::abi::entryPointSymbol(glue.stage));
  KILN_CHECK(function, "glue has an entry point");
  Code body;
  const std::optional<direct::glue::CodeFacts> facts =
      direct::glue::select(*function, target->major, glue.waveSize, body);
  if (!facts || (!isInFront && facts->sgprs))
    return false;
  glue.facts = *facts;
  if (isInFront) {
    glue.code = std::move(body);
    addWaitsInFront(glue, *target);
  } else {
    addExports(glue, *target, body);
  }
  auto object = objectOf(module, glue, *target, info);
  if (!object)
    return internalError("glue: " + consumeToText(object.takeError()).message);
  result.data = std::move(*object);
  result.stats.codeBytes = static_cast<uint32_t>(glue.code.size() * 4);
  result.stats.instructions = glue.facts.instructions;
  result.isDirect = true;
  return true;
}

} // namespace lgc
