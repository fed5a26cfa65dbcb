//===- PalMetadata.cpp - the metadata that a front end supplies -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's AMDGPU back end starts from !amdgpu.pal.metadata.msgpack and adds what it knows (register
/// counts, scratch, LDS, inputs of fragment shaders). All other keys are written here, as metadata
/// version 3 with abstract registers, the same form for every target. Registers of the fixed
/// function that follow from a shader's code were noted by the pass that knows it (PalRegisters.h);
/// those that follow from the pipeline alone are made here.
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace lgc {

using pal::abi::ApiStage;
using pal::abi::HardwareStage;
using pal::abi::PipelineType;
namespace key = pal::abi::key;

namespace {

constexpr ApiStage apiStages[] = {ApiStage::Task,   ApiStage::Vertex,   ApiStage::Hull,
                                  ApiStage::Domain, ApiStage::Geometry, ApiStage::Mesh,
                                  ApiStage::Pixel,  ApiStage::Compute};
static_assert(std::size(apiStages) == shaderStageCount);

/// `.float_mode`: round modes in [3:0] (0 nearest, 3 toward zero), denormals in [7:4] (0 flush,
/// 3 keep); fp32 in the lower half of each, fp16 and fp64 share the upper half.
uint32_t floatMode(const ShaderState &shader) {
  bool narrowFlush = shader.fp16.flushDenorms || shader.fp64.flushDenorms;
  bool narrowRound = shader.fp16.roundTowardZero || shader.fp64.roundTowardZero;
  return (shader.fp32.roundTowardZero ? 3u : 0u) | (narrowRound ? 3u << 2 : 0u) |
         (shader.fp32.flushDenorms ? 0u : 3u << 4) | (narrowFlush ? 0u : 3u << 6);
}

/// A hash of two words that is not zero: PAL raises an alert for zero, and ignores shaders whose
/// hash is zero. Text modules of tests have none; they get one of their entry name.
std::array<uint64_t, 2> nonZeroHash(const uint64_t (&hash)[2], const ShaderState &shader) {
  if (hash[0] || hash[1])
    return {hash[0], hash[1]};
  uint64_t fallback = xxh3_64bits(StringRef(shader.entryName)) | 1;
  return {fallback, fallback};
}

PipelineType pipelineType(const PipelineState &state, const StagePlan &plan) {
  if (!state.isGraphics())
    return PipelineType::Cs;
  if (plan.hasMesh)
    return state.graphics.has(ShaderStage::Task) ? PipelineType::TaskMesh : PipelineType::Mesh;
  if (plan.ngg)
    return plan.hasTess ? PipelineType::NggTess : PipelineType::Ngg;
  if (plan.hasGs)
    return plan.hasTess ? PipelineType::GsTess : PipelineType::Gs;
  return plan.hasTess ? PipelineType::Tess : PipelineType::VsPs;
}

/// Puts the parts of the metadata together.
class Writer {
public:
  Writer(Module &module, const PipelineState &state, const PipelineLayout &layout)
      : module(module), state(state), layout(layout), plan(planStages(state)),
        pipeline(tree.root()[key::pipelines].at(0)) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
    major = target ? target->major : 11;
  }
  void run();

private:
  bool has(HardwareStage stage) const {
    return any_of(layout.stages,
                  [stage](const StageLayout &other) { return other.stage == stage; });
  }
  void writeShader(ShaderStage stage);
  void writeStage(const StageLayout &stage);
  void writeComputeRegisters(const StageLayout &stage);
  void writeGraphicsRegisters();
  void writeShaderStagesEn(MetadataNode &registers);

  Module &module;
  const PipelineState &state;
  const PipelineLayout &layout;
  const StagePlan plan;
  unsigned major;
  MetadataTree tree;
  MetadataNode &pipeline; ///< amdpal.pipelines[0]
};

void Writer::writeShader(ShaderStage stage) {
  const ShaderState &shader = state.shader(stage);
  MetadataNode *node = nullptr;
  for (const StageLayout &hardware : layout.stages)
    if (is_contained(shadersIn(hardware.stage, state), stage)) {
      node = &pipeline[key::shaders][pal::abi::apiStageKey(apiStages[static_cast<size_t>(stage)])];
      (*node)[key::hardwareMapping].add() = pal::abi::hardwareStageKey(hardware.stage);
    }
  if (node) // else not in this part of the pipeline
    (*node)[key::apiShaderHash] = ArrayRef<uint64_t>(nonZeroHash(shader.shaderHash, shader));
}

void Writer::writeStage(const StageLayout &stage) {
  MetadataNode &node = pipeline[key::hardwareStages][pal::abi::hardwareStageKey(stage.stage)];
  const ShaderState main = hardwareShaderState(stage.stage, state);
  node[key::wavefrontSize] = stage.waveSize;
  node[key::floatMode] = floatMode(main);
  node[key::userSgprs] = static_cast<uint32_t>(stage.registers.size());
  SmallVector<uint64_t, 32> map(stage.registers.begin(), stage.registers.end());
  node[key::userDataRegMap] = ArrayRef<uint64_t>(map);
  if (stage.stage == HardwareStage::Cs) {
    const auto &size = main.workgroupSize;
    for (uint32_t threads : size)
      node[key::threadgroupDimensions].add() = threads;
  }
  if (main.vgprLimit)
    node[key::vgprLimit] = main.vgprLimit;
  if (main.sgprLimit)
    node[key::sgprLimit] = main.sgprLimit;
  for (auto [name, value] : stage.hardware.stageKeys)
    setHardwareStage(module, stage.stage, name, value);
  for (const HardwareInputs::Setting &setting : stage.hardware.graphicsRegisters) {
    if (setting.field.empty())
      setGraphics(module, setting.key, setting.value);
    else
      setGraphics(module, setting.key, setting.field, setting.value);
  }
}

void Writer::writeComputeRegisters(const StageLayout &stage) {
  MetadataNode &registers = pipeline[key::computeRegisters].asMap();
  registers[key::tgidXEn] = stage.workgroupId[0];
  registers[key::tgidYEn] = stage.workgroupId[1];
  registers[key::tgidZEn] = stage.workgroupId[2];
  registers[key::tgSizeEn] = false;
  registers[key::tidigCompCnt] = stage.localIdComponents - 1;
}

/// Which stages the geometry engine runs. Facts: docs/hw-notes.md#geometry-registers.
void Writer::writeShaderStagesEn(MetadataNode &registers) {
  MetadataNode &stages = registers[key::vgtShaderStagesEn];
  stages[key::maxPrimgroupInWave] = 2u;
  if (plan.hasTess) {
    stages[key::hsStageEn] = true;
    if (major < 12)
      stages[key::lsStageEn] = true;
    if (!plan.ngg)
      stages[key::dynamicHs] = true;
  }
  const bool hasGsStage = plan.ngg || plan.hasGs;
  if (plan.hasGs || plan.hasMesh)
    stages[key::gsStageEn] = true;
  if (hasGsStage && major < 12)
    stages[key::esStageEn] = plan.hasTess ? 1u : 2u; // evaluation shader : the first stage
  if (plan.ngg)
    stages[key::primgenEn] = true;
  if (plan.legacyGs)
    stages[key::vsStageEn] = 2u; // copy shader
  else if (!hasGsStage)
    stages[key::vsStageEn] = plan.hasTess ? 1u : 0u; // evaluation shader : the first stage
}

/// Registers that follow from the pipeline alone and belong to no other pass.
void Writer::writeGraphicsRegisters() {
  MetadataNode &registers = pipeline[key::graphicsRegisters].asMap();
  // Which inputs there are is known last of all: lgc-lower-ps-inputs sets the flags.
  if (has(HardwareStage::Ps))
    for (StringRef name : {key::spiPsInputEna, key::spiPsInputAddr})
      for (StringRef input : psInputKeys)
        registers[name][input] = false;
  // A part without vertex processing says nothing about it.
  if (!has(HardwareStage::Gs) && !has(HardwareStage::Vs) && !has(HardwareStage::Hs))
    return;
  writeShaderStagesEn(registers);
  // Tessellation chooses its own groups of patches. HW: the field holds the number minus one.
  if (!plan.hasTess)
    registers[key::iaMultiVgtParam][key::primgroupSize] = 127u;
}

void Writer::run() {
  for (unsigned number : {pal::abi::metadataMajorVersion, pal::abi::metadataMinorVersion})
    tree.root()[key::version].add() = number;

  pipeline[key::type] = pal::abi::pipelineTypeName(pipelineType(state, plan));
  pipeline[key::api] = "Vulkan";
  const ShaderState &namesake =
      state.isGraphics() ? state.shader(plan.lastVertexStage) : state.compute;
  pipeline[key::internalPipelineHash] =
      ArrayRef<uint64_t>(nonZeroHash(state.options.pipelineHash, namesake));
  pipeline[key::userDataLimit] = layout.userDataLimit;
  pipeline[key::spillThreshold] = layout.spillThreshold;
  for (unsigned i = 0; i < shaderStageCount; ++i)
    writeShader(static_cast<ShaderStage>(i));
  for (const StageLayout &stage : layout.stages) {
    writeStage(stage);
    if (stage.stage == HardwareStage::Cs)
      writeComputeRegisters(stage);
  }
  if (state.isGraphics())
    writeGraphicsRegisters();
  takeRegisters(module, pipeline);

  LLVMContext &context = module.getContext();
  NamedMDNode *node = module.getOrInsertNamedMetadata("amdgpu.pal.metadata.msgpack");
  node->clearOperands();
  node->addOperand(MDNode::get(context, MDString::get(context, tree.text())));
}

} // namespace

void writePalMetadata(Module &module, const PipelineState &state, const PipelineLayout &layout) {
  Writer(module, state, layout).run();
}

} // namespace lgc
