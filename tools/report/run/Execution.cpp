//===- Execution.cpp - runs a shader with generated inputs ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/run/Execution.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Debug.h"
#include "test/exec/diff/SceneSample.h"
#include "tools/report/run/Draw.h"
#include "tools/report/run/Inputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using pal::abi::HardwareStage;
using pal::device::SoftwareDevice;

namespace report {

/// Of one wave, so that a shader that never ends does.
static constexpr uint64_t instructionLimit = 20'000'000;
static constexpr uint64_t seed = 1; ///< of the inputs

/// "16 7 0x3f800000": dwords, those that are no small numbers as they are in memory.
static std::string dwordsOf(const exec::Bytes &bytes) {
  constexpr size_t mostDwords = 16;
  constexpr uint32_t small = 1u << 20;
  std::string text;
  for (size_t i = 0; i + 4 <= bytes.size() && i < 4 * mostDwords; i += 4) {
    const uint32_t dword = llvm::support::endian::read32le(&bytes[i]);
    text += (i ? " " : "") + (dword < small ? llvm::utostr(dword)
                                            : "0x" + llvm::utohexstr(dword, /*LowerCase=*/true));
  }
  return text + (bytes.size() > 4 * mostDwords ? " ..." : "");
}

static std::vector<std::pair<std::string, std::string>> describeInputs(const exec::Sample &sample) {
  std::vector<std::pair<std::string, std::string>> inputs;
  const exec::Job &job = sample.job;
  for (const exec::SampleResource &resource : sample.resources) {
    std::string size;
    if (resource.isImage) {
      const exec::ImageSpec &image = job.images[resource.index];
      size = (llvm::Twine(image.extent.width) + " x " + llvm::Twine(image.extent.height) + " x " +
              llvm::Twine(std::max(image.extent.depth, image.layers)) + " texels")
                 .str();
    } else {
      size = llvm::utostr(job.buffers[resource.index].size()) + " bytes";
    }
    llvm::StringRef name = resource.name;
    name.consume_back(" ()"); // blocks without a name of their own
    inputs.push_back({name.str(), std::move(size)});
  }
  if (!job.push.empty())
    inputs.push_back({"push constants, by dword", dwordsOf(job.push)});
  for (const llpc::SpecConstant &constant : job.specialization)
    inputs.push_back({"specialization constant " + llvm::utostr(constant.constantId),
                      llvm::utostr(constant.value)});
  return inputs;
}

/// The module and the entry point of a shader.
static llvm::Expected<exec::SampleModule> sampleModuleOf(const llpc::PipelineShaderInfo &shader,
                                                         spv::ExecutionModel model) {
  const llvm::ArrayRef<uint32_t> words = shader.module.spirvModule().words();
  exec::SampleModule loaded;
  loaded.module = KILN_TRY(llpc::spirv::Module::parse(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4)));
  loaded.words = words.vec();
  loaded.entry = loaded.module->findEntryPoint(model, shader.entryTarget);
  if (!loaded.entry)
    return exec::failure("no entry point " + llvm::Twine(shader.entryTarget));
  loaded.specialization = shader.specialization;
  return loaded;
}

static llvm::Expected<std::unique_ptr<SoftwareDevice>>
createDevice(const ExecutionRequest &request) {
  pal::device::DeviceOptions options;
  options.target = request.target;
  options.profile = !request.debugger;
  options.threads = request.debugger ? 1 : 0;
  options.instructionLimit = instructionLimit;
  auto device = KILN_TRY(SoftwareDevice::create(options));
  if (request.debugger)
    pal::device::attachDebugger(*device, request.debugger);
  return device;
}

llvm::Expected<RunFacts> execute(const ExecutionRequest &request,
                                 const llpc::ComputePipelineBuildInfo &info) {
  const exec::SampleModule module =
      KILN_TRY(sampleModuleOf(info.cs, spv::ExecutionModel::GLCompute));
  const exec::Sample sample = KILN_TRY(exec::makeSample(module, "shader", seed));
  auto device = KILN_TRY(createDevice(request));
  auto program = KILN_TRY(device->loadProgram(request.elf, "shader"));
  Inputs inputs(*device, sample.job);
  KILN_TRY(inputs.create(info.resourceMapping));
  RunFacts result;
  const exec::Dispatch &dispatch = sample.job.dispatches.front();
  pal::device::DispatchInfo dispatchInfo;
  dispatchInfo.program = program.get();
  std::copy(std::begin(dispatch.groups), std::end(dispatch.groups), dispatchInfo.groups.begin());
  dispatchInfo.userData = inputs.userData();
  result.groups = dispatchInfo.groups;
  result.inputs = describeInputs(sample);
  if (llvm::Error fault = device->dispatch(dispatchInfo))
    result.fault = llvm::toString(std::move(fault));
  result.profiles = {{HardwareStage::Cs, program->profile(HardwareStage::Cs)}};
  return result;
}

static llvm::Expected<exec::Sample> makeScene(const llpc::GraphicsPipelineBuildInfo &info) {
  if (info.stageMask)
    return exec::failure("the pipeline lacks its other stages");
  exec::SceneModules modules;
  struct Stage {
    const llpc::PipelineShaderInfo &shader;
    spv::ExecutionModel model;
    std::optional<exec::SampleModule> &module;
  };
  using Model = spv::ExecutionModel;
  const Stage stages[] = {{info.vs, Model::Vertex, modules.vertex},
                          {info.tcs, Model::TessellationControl, modules.control},
                          {info.tes, Model::TessellationEvaluation, modules.evaluation},
                          {info.gs, Model::Geometry, modules.geometry},
                          {info.task, Model::TaskEXT, modules.task},
                          {info.mesh, Model::MeshEXT, modules.mesh},
                          {info.fs, Model::Fragment, modules.fragment}};
  for (const Stage &stage : stages)
    if (stage.shader.module)
      stage.module = KILN_TRY(sampleModuleOf(stage.shader, stage.model));
  exec::Sample scene =
      KILN_TRY(exec::makeSceneSample(modules, "pipeline", /*isMultisampled=*/false, seed));
  KILN_TRY(setVertexInput(scene.job, info.vertexInput));
  return scene;
}

llvm::Expected<RunFacts> execute(const ExecutionRequest &request,
                                 const llpc::GraphicsPipelineBuildInfo &info) {
  const exec::Sample scene = KILN_TRY(makeScene(info));
  auto device = KILN_TRY(createDevice(request));
  auto program = KILN_TRY(device->loadProgram(request.elf, "pipeline"));
  Inputs inputs(*device, scene.job);
  KILN_TRY(inputs.create(info.resourceMapping));
  Draw draw(*device, inputs, scene.job);
  KILN_TRY(draw.prepare(info));
  RunFacts result;
  result.inputs = draw.describe();
  for (auto &input : describeInputs(scene))
    result.inputs.push_back(std::move(input));
  if (llvm::Error fault = draw.run(*program))
    result.fault = llvm::toString(std::move(fault));
  if (info.mesh.module)
    result.groups = draw.groups();
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i)
    if (const auto stage = static_cast<HardwareStage>(i); program->instructionCount(stage))
      result.profiles.push_back({stage, program->profile(stage)});
  return result;
}

} // namespace report
