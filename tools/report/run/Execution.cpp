//===- Execution.cpp - runs a shader with generated inputs ----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/run/Execution.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Debug.h"
#include "test/exec/diff/Sample.h"
#include "tools/report/run/Inputs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

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
  result.inputs = describeInputs(sample);
  if (llvm::Error fault = device->dispatch(info))
    result.fault = llvm::toString(std::move(fault));
  result.profile = program->profile(pal::abi::HardwareStage::Cs);
  return result;
}

} // namespace report
