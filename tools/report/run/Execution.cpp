//===- Execution.cpp - runs a shader with generated inputs ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/run/Execution.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Debug.h"
#include "test/exec/diff/Sample.h"
#include "tools/report/run/Inputs.h"

namespace report {

/// Of one wave, so that a shader that never ends does.
static constexpr uint64_t instructionLimit = 20'000'000;
static constexpr uint64_t seed = 1; ///< of the inputs

llvm::Expected<Execution> executeCompute(const ExecutionRequest &request) {
  exec::SampleModule loaded;
  loaded.module = KILN_TRY(llpc::spirv::Module::parse(request.spirv));
  loaded.words = loaded.module->words().vec();
  loaded.entry = loaded.module->findEntryPoint(spv::ExecutionModel::GLCompute, request.entry);
  if (!loaded.entry)
    return exec::failure("no compute entry point " + llvm::Twine(request.entry));
  loaded.specialization = request.specialization;
  const exec::Sample sample = KILN_TRY(exec::makeSample(loaded, "shader", seed));
  pal::device::DeviceOptions options;
  options.target = request.target;
  options.profile = !request.debugger;
  options.threads = request.debugger ? 1 : 0;
  options.instructionLimit = instructionLimit;
  auto device = KILN_TRY(pal::device::SoftwareDevice::create(options));
  if (request.debugger)
    pal::device::attachDebugger(*device, request.debugger);
  auto program = KILN_TRY(device->loadProgram(request.elf, "shader"));
  Inputs inputs(*device, sample.job);
  KILN_TRY(inputs.create(*request.mapping));
  Execution result;
  const exec::Dispatch &dispatch = sample.job.dispatches.front();
  pal::device::DispatchInfo info;
  info.program = program.get();
  std::copy(std::begin(dispatch.groups), std::end(dispatch.groups), info.groups.begin());
  info.userData = inputs.userData();
  result.groups = info.groups;
  if (llvm::Error fault = device->dispatch(info))
    result.fault = llvm::toString(std::move(fault));
  result.profile = program->profile(pal::abi::HardwareStage::Cs);
  return result;
}

} // namespace report
