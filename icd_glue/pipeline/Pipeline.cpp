//===- Pipeline.cpp - VkPipeline ------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "llpc/Formats.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>

namespace icd {

GraphicsPipelineData::GraphicsPipelineData(GraphicsState given) : state(std::move(given)) {
  const bool byLocation = hasAttributeDescriptors(state);
  for (const llpc::VertexAttributeInfo &attribute : state.input.attributes) {
    const uint32_t number = byLocation ? attribute.location : attribute.binding;
    if (std::max(number, attribute.binding) >= maxVertexBindings)
      continue; // not valid usage; the compiler says so
    const uint64_t end = uint64_t(attribute.offset) + llpc::vertexElementBytes(attribute.format);
    vertexEntries.resize(std::max<size_t>(vertexEntries.size(), number + 1));
    VertexEntry &entry = vertexEntries[number];
    entry.binding = attribute.binding;
    entry.elementEnd =
        std::max(entry.elementEnd, static_cast<uint32_t>(std::min<uint64_t>(end, UINT32_MAX)));
  }
}

void PipelineData::setPieces(LibraryPieces pieces, const PartSet &given) {
  libraryPieces = std::move(pieces);
  parts = given;
}

void PipelineData::setProgram(std::shared_ptr<const pal::device::Program> program) {
  std::call_once(programOnce, [&] { loadedProgram = std::move(program); });
}

void PipelineData::prepare() const {
  if (!isOfParts())
    return;
  std::call_once(prepareOnce, [&] {
    graphicsData = std::make_shared<const GraphicsPipelineData>(libraryPieces.state());
    if (!layoutData)
      layoutData = libraryPieces.layout();
    if (!layoutData) // more than the limits allow, which linking finds out
      layoutData = PipelineLayoutData::create({}, 0);
  });
}

const PipelineLayoutData &PipelineData::layout() const { return *sharedLayout(); }

const std::shared_ptr<const PipelineLayoutData> &PipelineData::sharedLayout() const {
  prepare();
  return layoutData;
}

const GraphicsPipelineData *PipelineData::graphics() const {
  prepare();
  return graphicsData.get();
}

/// With the lock held.
llvm::Error PipelineData::linkCode(Device &device) const {
  if (codeObject)
    return llvm::Error::success();
  prepare();
  codeObject =
      KILN_TRY(codeOfLinked(device, libraryPieces, parts, graphicsData->state, layoutData));
  return llvm::Error::success();
}

llvm::Error PipelineData::prepareCode(Device &device) const {
  if (!isOfParts())
    return llvm::Error::success();
  std::lock_guard lock(codeMutex);
  return linkCode(device);
}

bool PipelineData::hasCode() const {
  if (!isOfParts())
    return true;
  std::lock_guard lock(codeMutex);
  return codeObject || hasFailed;
}

bool PipelineData::isOutdated() const {
  if (!isOfParts())
    return codeObject && codeObject->isStandIn() && codeObject->better();
  return llvm::any_of(parts.standIns(), [](const PartPointer &part) { return part->better(); });
}

const CodeObject *PipelineData::code(Device &device) const {
  if (!isOfParts())
    return codeObject.get();
  std::lock_guard lock(codeMutex);
  if (hasFailed)
    return nullptr;
  if (llvm::Error error = linkCode(device)) {
    hasFailed = true;
    device.reportError("KILN-compile", "linking libraries: " + llvm::toString(std::move(error)));
  }
  return codeObject.get();
}

std::shared_ptr<const pal::device::Program> PipelineData::program(Device &device) const {
  std::call_once(programOnce, [&] {
    const CodeObject *code = this->code(device);
    if (!code)
      return;
    if (auto program = code->load(device.gpu()))
      loadedProgram = std::move(*program);
    else
      device.reportError("KILN-load", llvm::toString(program.takeError()));
  });
  return loadedProgram;
}

llvm::Expected<bool> PipelineData::addShaders(Device &device, bool mayCompile) const {
  // Those of libraries are not prepared before they draw. Their fragment shaders read no
  // PrimitiveId that depends on the provoking vertex: such parts are not linked.
  const GraphicsState &own =
      isOfParts() ? libraryPieces.preRasterization->state : graphics()->state;
  return !hasDynamicShaderState(own) || variants.addShaders(device, *this, mayCompile);
}

CompiledState PipelineData::wantedState(const DrawState &state,
                                        const VertexInputState &input) const {
  const GraphicsState &own = graphics()->state;
  CompiledState wanted = compiledStateOf(own, state, input);
  if (!variants.seesProvokingVertex())
    wanted.shaders.provokingVertexLast = own.fixed.raster.provokingVertexLast;
  return wanted;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
PipelineData::variantFor(Device &device, const DrawState &state,
                         const VertexInputState &input) const {
  const GraphicsState &own = graphics()->state;
  if (!hasVariants(own))
    return nullptr;
  const CompiledState wanted = wantedState(state, input);
  if (wanted == compiledStateOf(own, own.fixed))
    return nullptr;
  return variants.obtain(device, *this, wanted);
}

bool PipelineData::hasVariantFor(const DrawState &state, const VertexInputState &input) const {
  const GraphicsState &own = graphics()->state;
  if (!hasVariants(own))
    return true;
  const CompiledState wanted = wantedState(state, input);
  return wanted == compiledStateOf(own, own.fixed) || variants.has(wanted);
}

uint32_t PipelineData::stackBytes(uint32_t shaderId) const {
  const auto shader =
      llvm::find_if(rayState->shaders, [&](const RayShader &s) { return s.id == shaderId; });
  if (!codeObject || shader == rayState->shaders.end())
    return 0;
  auto bytes = llpc::rayTracingStackBytes(codeObject->elf(), shader->info.entryStage);
  if (bytes)
    return *bytes;
  llvm::consumeError(bytes.takeError()); // the loader has taken, or refuses, these bytes
  return 0;
}

const std::vector<ExecutableInfo> &PipelineData::executables(Device &device) const {
  std::call_once(executablesOnce, [&] {
    if (kind == Kind::Library)
      executableList = libraryPieces.executables(device);
    else if (const CodeObject *object = code(device))
      executableList = object->executables();
  });
  return executableList;
}

} // namespace icd
