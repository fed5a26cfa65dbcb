//===- KernelRun.cpp - executes a kernel on the software device -----------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/KernelRun.h"
#include "llpc/Kernels.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Device.h"
#include "tools/amdllpc/Inputs.h"
#include "tools/frontend/SpirvTools.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace kiln_cl {

namespace {

class KernelRun {
public:
  explicit KernelRun(const RunOptions &options) : options(options) {}
  Expected<std::vector<Dump>> run(const std::string &path);

private:
  const RunOptions &options;
  SimReader::Launch launch;
  std::vector<SimParameter> parameters;
  std::vector<SimArgument> arguments;
  std::vector<std::unique_ptr<pal::device::Allocation>> memory; ///< by argument; null: none

  Error load(const std::string &path, SimReader &reader, std::vector<uint8_t> &spirv);
  Error readArguments(SimReader &reader);
  Error declareParameters(const std::string &text, bool isText, llvm::ArrayRef<uint8_t> spirv);
  Expected<llpc::ShaderModule> finish(llvm::ArrayRef<uint8_t> spirv) const;
  Error execute(const llpc::ShaderModule &module);
  Expected<std::vector<uint32_t>> userData(pal::device::SoftwareDevice &device,
                                           const llpc::KernelInterface &interface);
};

/// The program's path: as it is, or beside the file that names it.
std::string programPath(const std::string &program, const std::string &simFile) {
  if (llvm::sys::fs::exists(program) || llvm::sys::path::is_absolute(program))
    return program;
  llvm::SmallString<256> path(llvm::sys::path::parent_path(simFile));
  llvm::sys::path::append(path, program);
  return path.str().str();
}

/// An interface of a module whose sizes are not known yet: any will do.
Expected<llpc::KernelInterface> interfaceWithoutSizes(llvm::ArrayRef<uint8_t> spirv,
                                                      const std::string &kernel) {
  llpc::KernelSizes sizes;
  sizes.workgroup = {1, 1, 1};
  sizes.local.assign(256, 0); // more than parameters that kernels have
  const auto complete = KILN_TRY(llpc::completeKernels(spirv, sizes));
  const auto module = KILN_TRY(llpc::buildKernelModule(complete));
  return llpc::kernelInterface(module, kernel);
}

Error KernelRun::declareParameters(const std::string &text, bool isText,
                                   llvm::ArrayRef<uint8_t> spirv) {
  const llpc::KernelInterface interface = KILN_TRY(interfaceWithoutSizes(spirv, launch.kernel));
  std::vector<frontend::KernelParameter> declared;
  if (isText)
    declared =
        KILN_TRY(frontend::kernelParameters(text, options.openCl, launch.program, launch.kernel));
  for (size_t i = 0; i < interface.arguments.size(); ++i) {
    const llpc::KernelArgument &argument = interface.arguments[i];
    SimParameter parameter;
    parameter.name = i < declared.size()     ? declared[i].name
                     : argument.name.empty() ? std::to_string(i)
                                             : argument.name;
    parameter.type = i < declared.size() ? declared[i].type : "";
    parameter.isLocal = argument.kind == llpc::KernelArgumentKind::LocalPointer;
    parameter.isPointer = argument.kind == llpc::KernelArgumentKind::GlobalPointer ||
                          argument.kind == llpc::KernelArgumentKind::ConstantPointer;
    parameters.push_back(std::move(parameter));
  }
  return Error::success();
}

Error KernelRun::load(const std::string &path, SimReader &reader, std::vector<uint8_t> &spirv) {
  launch = KILN_TRY(reader.readLaunch());
  launch.program = programPath(launch.program, path);
  const StringRef program = launch.program;
  const std::string text = KILN_TRY(amdllpc::readInput(launch.program));
  if (program.ends_with(".spv"))
    spirv.assign(text.begin(), text.end());
  else if (program.ends_with(".spvasm"))
    spirv = KILN_TRY(frontend::assembleSpirv(text));
  else
    spirv = KILN_TRY(frontend::compileOpenCl(text, options.openCl, launch.program));
  const bool isText = !program.ends_with(".spv") && !program.ends_with(".spvasm");
  return declareParameters(text, isText, spirv);
}

Error KernelRun::readArguments(SimReader &reader) {
  for (const SimParameter &parameter : parameters)
    arguments.push_back(KILN_TRY(reader.readArgument(parameter)));
  return reader.readEnd();
}

Expected<llpc::ShaderModule> KernelRun::finish(llvm::ArrayRef<uint8_t> spirv) const {
  llpc::KernelSizes sizes;
  sizes.workgroup = launch.local;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].isLocal)
      sizes.local.push_back(static_cast<uint32_t>(arguments[i].bytes.size()));
  return llpc::buildKernelModule(KILN_TRY(llpc::completeKernels(spirv, sizes)));
}

Expected<std::vector<uint32_t>> KernelRun::userData(pal::device::SoftwareDevice &device,
                                                    const llpc::KernelInterface &interface) {
  std::vector<uint8_t> bytes(llvm::alignTo(interface.bytes, 4));
  memory.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const llpc::KernelArgument &place = interface.arguments[i];
    const SimArgument &argument = arguments[i];
    if (place.kind == llpc::KernelArgumentKind::LocalPointer || argument.isNull)
      continue;
    if (place.kind == llpc::KernelArgumentKind::Value) {
      if (argument.bytes.size() != place.size)
        return lgc::invalidInput("argument " + parameters[i].name + ": " +
                                 llvm::Twine(argument.bytes.size()) + " bytes, the kernel takes " +
                                 llvm::Twine(place.size));
      std::memcpy(&bytes[place.offset], argument.bytes.data(), place.size);
      continue;
    }
    pal::device::AllocationInfo info;
    info.size = std::max<uint64_t>(argument.bytes.size(), 1);
    info.name = parameters[i].name;
    memory[i] = KILN_TRY(device.allocate(info));
    std::copy(argument.bytes.begin(), argument.bytes.end(), memory[i]->host());
    const uint64_t address = memory[i]->address();
    std::memcpy(&bytes[place.offset], &address, sizeof(address));
  }
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

Error KernelRun::execute(const llpc::ShaderModule &module) {
  llpc::CompilerOptions compilerOptions;
  compilerOptions.target = options.target;
  const auto compiler = KILN_TRY(llpc::Compiler::create(compilerOptions));
  llpc::ComputePipelineBuildInfo build;
  build.cs.module = module;
  build.cs.entryTarget = launch.kernel;
  build.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(module, build.cs));
  const auto pipeline = KILN_TRY(compiler->buildComputePipeline(build));
  if (pipeline.statistics.workgroupSize != launch.local)
    return lgc::invalidInput("the kernel has another workgroup size (reqd_work_group_size)");
  pal::device::DeviceOptions deviceOptions;
  deviceOptions.target = compiler->target().str();
  deviceOptions.strict = true;
  const auto device = KILN_TRY(pal::device::SoftwareDevice::create(deviceOptions));
  const auto program = KILN_TRY(device->loadProgram(pipeline.elf.bytes(), launch.kernel));
  const std::vector<uint32_t> words =
      KILN_TRY(userData(*device, KILN_TRY(llpc::kernelInterface(module, launch.kernel))));
  pal::device::DispatchInfo info;
  info.program = program.get();
  for (unsigned i = 0; i < 3; ++i)
    info.groups[i] = launch.global[i] / launch.local[i];
  info.userData = words;
  if (Error fault = device->dispatch(info)) // the kernel's, not ours
    return lgc::invalidInput(llvm::toString(std::move(fault)));
  for (size_t i = 0; i < arguments.size(); ++i)
    if (memory[i] && !arguments[i].bytes.empty())
      std::memcpy(arguments[i].bytes.data(), memory[i]->host(), arguments[i].bytes.size());
  memory.clear(); // before the device
  return Error::success();
}

Expected<std::vector<Dump>> KernelRun::run(const std::string &path) {
  const std::string text = KILN_TRY(amdllpc::readInput(path));
  SimReader reader(text);
  std::vector<uint8_t> spirv;
  KILN_TRY(load(path, reader, spirv));
  KILN_TRY(readArguments(reader));
  KILN_TRY(execute(KILN_TRY(finish(spirv))));
  std::vector<Dump> dumps;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isDumped)
      dumps.push_back({parameters[i].name, arguments[i].type, std::move(arguments[i].bytes)});
  return dumps;
}

} // namespace

Expected<std::vector<Dump>> runSimFile(const std::string &path, const RunOptions &options) {
  return KernelRun(options).run(path);
}

} // namespace kiln_cl
