//===- KernelRun.cpp - executes a kernel on the software device -----------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/KernelRun.h"
#include "llpc/Kernels.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Device.h"
#include "tools/amdllpc/Inputs.h"
#include "tools/cl/Printf.h"
#include "tools/cl/RaceText.h"
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
  Expected<RunResult> run(const std::string &path);

private:
  const RunOptions &options;
  SimReader::Launch launch;
  std::vector<SimParameter> parameters;
  std::vector<SimArgument> arguments;
  std::vector<std::unique_ptr<pal::device::Allocation>> memory; ///< by argument; null: none
  std::vector<DeviceImage> images;                              ///< by argument
  std::unique_ptr<pal::device::Allocation> table;               ///< of descriptors
  std::unique_ptr<pal::device::Allocation> printfBuffer;        ///< null: nothing is printed
  RunResult result;

  Error load(const std::string &path, SimReader &reader, std::vector<uint8_t> &spirv);
  Error readArguments(SimReader &reader);
  Error declareParameters(const std::string &text, bool isText, llvm::ArrayRef<uint8_t> spirv);
  Expected<llpc::ShaderModule> finish(llvm::ArrayRef<uint8_t> spirv) const;
  Error execute(const llpc::ShaderModule &module);
  Expected<std::vector<uint32_t>> pushConstants(pal::device::SoftwareDevice &device,
                                                const llpc::KernelInterface &interface);
  Error makeDescriptors(pal::device::SoftwareDevice &device, const pal::abi::GpuTarget &target,
                        const llpc::KernelInterface &interface, const lgc::ResourceNode &node);
  Expected<std::vector<uint32_t>> userData(pal::device::SoftwareDevice &device,
                                           const pal::abi::GpuTarget &target,
                                           const llpc::KernelInterface &interface,
                                           const lgc::ResourceMapping &mapping);
  Error dispatch(pal::device::SoftwareDevice &device, const pal::device::DispatchInfo &info,
                 llvm::ArrayRef<uint8_t> elf);
  void readBack(const llpc::KernelInterface &interface);
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
    parameter.kind = argument.kind;
    parameter.dim = argument.dim;
    parameters.push_back(std::move(parameter));
  }
  return Error::success();
}

Error KernelRun::load(const std::string &path, SimReader &reader, std::vector<uint8_t> &spirv) {
  launch = KILN_TRY(reader.readLaunch());
  launch.program = programPath(launch.program, path);
  const StringRef program = launch.program;
  const std::string text = KILN_TRY(amdllpc::readInput(launch.program));
  frontend::OpenClOptions openCl = options.openCl;
  openCl.debugInfo |= options.dataRaces;
  if (program.ends_with(".spv"))
    spirv.assign(text.begin(), text.end());
  else if (program.ends_with(".spvasm"))
    spirv = KILN_TRY(frontend::assembleSpirv(text));
  else
    spirv = KILN_TRY(frontend::compileOpenCl(text, openCl, launch.program));
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
    if (parameters[i].kind == llpc::KernelArgumentKind::LocalPointer)
      sizes.local.push_back(static_cast<uint32_t>(arguments[i].bytes.size()));
  const std::vector<uint8_t> complete = KILN_TRY(llpc::completeKernels(spirv, sizes));
  return llpc::buildKernelModule(complete, {},
                                 KILN_TRY(options.library->forModule(complete, options.openCl)));
}

Expected<std::vector<uint32_t>> KernelRun::pushConstants(pal::device::SoftwareDevice &device,
                                                         const llpc::KernelInterface &interface) {
  std::vector<uint8_t> bytes(llvm::alignTo(interface.bytes, 4));
  memory.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const llpc::KernelArgument &place = interface.arguments[i];
    const SimArgument &argument = arguments[i];
    if (place.size == 0 || place.kind == llpc::KernelArgumentKind::LocalPointer || argument.isNull)
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
  if (interface.workDim) {
    const uint32_t dimensions = 3; // as files have them
    std::memcpy(&bytes[*interface.workDim], &dimensions, sizeof(dimensions));
  }
  if (interface.printfBuffer) {
    constexpr uint64_t recordBytes = 1 << 20; // OpenCL's least
    pal::device::AllocationInfo info;
    info.size = llpc::KernelPrintf::headerBytes + recordBytes;
    info.name = "printf's buffer";
    printfBuffer = KILN_TRY(device.allocate(info));
    std::memcpy(printfBuffer->host() + 8, &recordBytes, sizeof(recordBytes));
    const uint64_t address = printfBuffer->address();
    std::memcpy(&bytes[*interface.printfBuffer], &address, sizeof(address));
  }
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// Fills the table of descriptors \p node.
Error KernelRun::makeDescriptors(pal::device::SoftwareDevice &device,
                                 const pal::abi::GpuTarget &target,
                                 const llpc::KernelInterface &interface,
                                 const lgc::ResourceNode &node) {
  pal::device::AllocationInfo info;
  for (const lgc::ResourceNode &entry : node.table)
    info.size = std::max<uint64_t>(info.size, 4ull * (entry.offsetInDwords + entry.sizeInDwords));
  info.heap = pal::device::Heap::DescriptorTables;
  info.name = "descriptors";
  table = KILN_TRY(device.allocate(info));
  auto put = [&](uint32_t binding, llvm::ArrayRef<uint32_t> words) {
    for (const lgc::ResourceNode &entry : node.table)
      if (entry.binding == binding)
        std::memcpy(table->host() + 4ull * entry.offsetInDwords, words.data(),
                    4ull * std::min<size_t>(words.size(), entry.sizeInDwords));
  };
  images.resize(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const llpc::KernelArgument &place = interface.arguments[i];
    if (place.kind == llpc::KernelArgumentKind::Sampler)
      put(place.binding, samplerDescriptor(target, arguments[i].sampler));
    if (place.kind != llpc::KernelArgumentKind::Image)
      continue;
    images[i] =
        KILN_TRY(makeImage(device, target, arguments[i].image, place.dim, parameters[i].name));
    images[i].write(arguments[i].image, arguments[i].bytes.data());
    put(place.binding, images[i].descriptor);
  }
  for (uint32_t i = 0; i < interface.samplers.size(); ++i)
    put(interface.firstSampler + i, samplerDescriptor(target, interface.samplers[i]));
  return Error::success();
}

/// Root entries, as the layout has them.
Expected<std::vector<uint32_t>> KernelRun::userData(pal::device::SoftwareDevice &device,
                                                    const pal::abi::GpuTarget &target,
                                                    const llpc::KernelInterface &interface,
                                                    const lgc::ResourceMapping &mapping) {
  const std::vector<uint32_t> constants = KILN_TRY(pushConstants(device, interface));
  std::vector<uint32_t> words;
  for (const lgc::ResourceNode &root : mapping.roots) {
    words.resize(std::max<size_t>(words.size(), root.offsetInDwords + root.sizeInDwords));
    if (root.type == lgc::ResourceNodeType::PushConst) {
      std::copy(constants.begin(), constants.end(), words.begin() + root.offsetInDwords);
      continue;
    }
    KILN_TRY(makeDescriptors(device, target, interface, root));
    words[root.offsetInDwords] = static_cast<uint32_t>(table->address());
  }
  return words;
}

void KernelRun::readBack(const llpc::KernelInterface &interface) {
  if (printfBuffer)
    result.printed = printedRecords(
        interface.printfs, {printfBuffer->host(), static_cast<size_t>(printfBuffer->size())},
        result.isPrintfFull);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (i < images.size() && images[i].memory)
      images[i].read(arguments[i].image, arguments[i].bytes.data());
    else if (memory[i] && !arguments[i].bytes.empty())
      std::memcpy(arguments[i].bytes.data(), memory[i]->host(), arguments[i].bytes.size());
  // Before the device.
  memory.clear();
  images.clear();
  table.reset();
  printfBuffer.reset();
}

/// Runs it, and looks for data races if that is asked for.
Error KernelRun::dispatch(pal::device::SoftwareDevice &device,
                          const pal::device::DispatchInfo &info, llvm::ArrayRef<uint8_t> elf) {
  auto run = [&]() -> Error {
    if (Error fault = device.dispatch(info)) // the kernel's, not ours
      return lgc::invalidInput(llvm::toString(std::move(fault)));
    return Error::success();
  };
  if (!options.dataRaces)
    return run();
  RunNames names = KILN_TRY(RunNames::read(elf));
  for (size_t i = 0; i < memory.size(); ++i)
    if (memory[i])
      names.buffers.push_back({parameters[i].name, memory[i]->address(), memory[i]->size()});
  names.groupCount = info.groups;
  names.groupSize = launch.local;
  names.program = launch.program;
  RaceDetector detector(names.text(), info.groups);
  pal::device::attachDebugger(device, &detector);
  Error fault = run();
  pal::device::attachDebugger(device, nullptr);
  for (const Race &race : detector.found())
    result.races.push_back(names.textOf(race));
  return fault;
}

Error KernelRun::execute(const llpc::ShaderModule &module) {
  llpc::CompilerOptions compilerOptions;
  compilerOptions.target = options.target;
  const auto compiler = KILN_TRY(llpc::Compiler::create(compilerOptions));
  llpc::ComputePipelineBuildInfo build;
  build.cs.module = module;
  build.cs.entryTarget = launch.kernel;
  build.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(module, build.cs));
  if (options.dataRaces) { // accesses as the program has them
    build.options.debugInfo = true;
    build.options.optLevel = lgc::OptLevel::None;
  }
  const auto pipeline = KILN_TRY(compiler->buildComputePipeline(build));
  if (pipeline.statistics.workgroupSize != launch.local)
    return lgc::invalidInput("the kernel has another workgroup size (reqd_work_group_size)");
  pal::device::DeviceOptions deviceOptions;
  deviceOptions.target = compiler->target().str();
  deviceOptions.strict = true;
  const llpc::KernelInterface interface = KILN_TRY(llpc::kernelInterface(module, launch.kernel));
  if (interface.printfBuffer || options.dataRaces) // workgroups run one after the other
    deviceOptions.threads = 1;
  const auto device = KILN_TRY(pal::device::SoftwareDevice::create(deviceOptions));
  const auto program = KILN_TRY(device->loadProgram(pipeline.elf.bytes(), launch.kernel));
  const std::vector<uint32_t> words = KILN_TRY(
      userData(*device, *pal::abi::findTarget(deviceOptions.target),
               KILN_TRY(llpc::kernelInterface(module, launch.kernel)), build.resourceMapping));
  pal::device::DispatchInfo info;
  info.program = program.get();
  for (unsigned i = 0; i < 3; ++i)
    info.groups[i] = launch.global[i] / launch.local[i];
  info.userData = words;
  KILN_TRY(dispatch(*device, info, pipeline.elf.bytes()));
  readBack(interface);
  return Error::success();
}

Expected<RunResult> KernelRun::run(const std::string &path) {
  const std::string text = KILN_TRY(amdllpc::readInput(path));
  SimReader reader(text);
  std::vector<uint8_t> spirv;
  KILN_TRY(load(path, reader, spirv));
  KILN_TRY(readArguments(reader));
  KILN_TRY(execute(KILN_TRY(finish(spirv))));
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isDumped)
      result.dumps.push_back(
          {parameters[i].name, arguments[i].type, std::move(arguments[i].bytes)});
  return std::move(result);
}

} // namespace

Expected<RunResult> runSimFile(const std::string &path, const RunOptions &options) {
  return KernelRun(options).run(path);
}

} // namespace kiln_cl
