//===- Run.cpp - from a random function to what the device stores ------------===//
// SPDX-License-Identifier: MIT
#include "Run.h"
#include "lgc/direct/shader/ShaderObject.h"
#include "lgc/pipeline/BuildPasses.h"
#include "lgc/target/CodegenPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

using namespace llvm;
using namespace pal::device;

namespace randomir {

TargetMachine &Runner::targetMachine(const Machine &machine) {
  std::unique_ptr<TargetMachine> &made = machines[machine.target];
  if (!made)
    made = cantFail(lgc::createTargetMachine(machine.target, CodeGenOptLevel::Default));
  return *made;
}

namespace {

/// What the project's middle end does last. Why not more of it: the optimiser removes selections of
/// the canonical NaN (Program.h).
void finish(Module &module, TargetMachine &target) {
  PassBuilder builder(&target);
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  FunctionPassManager passes;
  passes.addPass(InstSimplifyPass());
  lgc::addLlvmRepairs(passes);
  passes.addPass(ADCEPass());
  ModulePassManager all;
  all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, mam);
}

std::string generateAsLlvmDoes(Module &module, TargetMachine &target, bool assembly) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, os, nullptr,
                                 assembly ? CodeGenFileType::AssemblyFile
                                          : CodeGenFileType::ObjectFile))
    report_fatal_error("the target cannot emit this");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

} // namespace

/// Nothing: it is left to LLVM.
std::optional<std::string> Runner::compileDirectly(Module &module, const Machine &machine) {
  const pal::abi::GpuTarget &target = *pal::abi::findTarget(machine.target);
  const auto stage = pal::abi::HardwareStage::Cs;
  Function *entry = nullptr; // there is one
  for (Function &function : module)
    if (!function.isDeclaration())
      entry = &function;
  // Not for LLVM, which may need more.
  constexpr StringRef vgprs = "amdgpu-num-vgpr", sgprs = "amdgpu-num-sgpr";
  if (machine.vgprLimit)
    entry->addFnAttr(vgprs, std::to_string(machine.vgprLimit));
  if (machine.sgprLimit)
    entry->addFnAttr(sgprs, std::to_string(machine.sgprLimit));
  std::string refusal;
  std::optional<lgc::direct::ShaderCode> code =
      lgc::direct::generateShader(*entry, target, machine.lanes, refusal, /*isVerified=*/true);
  entry->removeFnAttr(vgprs);
  entry->removeFnAttr(sgprs);
  if (!code) {
    ++directRefusals[refusal];
    return std::nullopt;
  }
  const std::vector<uint8_t> object =
      cantFail(lgc::direct::writeShaderObject(module, {{stage, std::move(*code)}}, target));
  return std::string(object.begin(), object.end());
}

std::string Runner::compile(const RandomFunction &function, const Machine &machine, bool assembly) {
  LLVMContext context;
  std::unique_ptr<Module> module = emitModule(context, function, machine);
  TargetMachine &target = targetMachine(machine);
  module->setDataLayout(target.createDataLayout());
  if (verifyModule(*module, &errs()))
    report_fatal_error("the generated IR is not valid");
  finish(*module, target);
  if (machine.direct && !assembly)
    if (std::optional<std::string> object = compileDirectly(*module, machine))
      return std::move(*object);
  if (machine.realTrue16)
    return generateAsLlvmDoes(*module, target, assembly);
  lgc::CodegenTraits traits;
  traits.level = machine.level;
  traits.assembly = assembly;
  traits.lds = true;
  traits.graphics = machine.graphics;
  return lgc::CodegenPipeline(target, traits).run(*module).str();
}

std::string Runner::irText(const RandomFunction &function, const Machine &machine) {
  LLVMContext context;
  std::string text;
  raw_string_ostream os(text);
  os << *emitModule(context, function, machine);
  return text;
}

std::string Runner::assembly(const RandomFunction &function, const Machine &machine) {
  return compile(function, machine, /*assembly=*/true);
}

Expected<SoftwareDevice *> Runner::device(const Machine &machine) {
  std::unique_ptr<SoftwareDevice> &made = devices[machine.target];
  if (!made) {
    DeviceOptions options;
    options.target = machine.target;
    options.threads = 1;
    options.instructionLimit = 1'000'000;
    options.poison = true;
    options.strict = true;
    options.perturbApproximate = perturbs;
    options.trace.enabled = traces;
    Expected<std::unique_ptr<SoftwareDevice>> created = SoftwareDevice::create(options);
    if (!created)
      return created.takeError();
    made = std::move(*created);
  }
  return made.get();
}

Error Runner::run(const RandomFunction &function, const Inputs &inputs, const Machine &machine,
                  std::vector<Lanes> &outputs) {
  Expected<SoftwareDevice *> made = device(machine);
  if (!made)
    return made.takeError();
  SoftwareDevice &device = **made;
  std::string elf = compile(function, machine, /*assembly=*/false);
  Expected<std::shared_ptr<const Program>> program = device.loadProgram(
      ArrayRef(reinterpret_cast<const uint8_t *>(elf.data()), elf.size()), "random");
  if (!program)
    return program.takeError();
  size_t outputBytes = std::max<size_t>(function.outputs.size() * groupSize * 8, 8);
  Expected<std::unique_ptr<Allocation>> in =
      device.allocate({.size = inputs.lanes.size() * 4, .alignment = 256, .name = "inputs"});
  if (!in)
    return in.takeError();
  Expected<std::unique_ptr<Allocation>> out =
      device.allocate({.size = outputBytes, .alignment = 256, .name = "outputs"});
  if (!out)
    return out.takeError();
  std::memcpy((*in)->host(), inputs.lanes.data(), inputs.lanes.size() * 4);

  uint32_t userData[8 + uniformInputs] = {};
  const pal::abi::GpuTarget &target = *pal::abi::findTarget(machine.target);
  pal::srd::buildBufferSrd(target, {.address = (*in)->address(), .sizeBytes = (*in)->size()},
                           userData);
  pal::srd::buildBufferSrd(target, {.address = (*out)->address(), .sizeBytes = outputBytes},
                           userData + 4);
  std::copy(inputs.uniform.begin(), inputs.uniform.end(), userData + 8);
  DispatchInfo info;
  info.program = program->get();
  info.userData = userData;
  if (Error fault = device.dispatch(info))
    return fault;

  outputs.assign(function.outputs.size(), Lanes());
  const uint8_t *bytes = (*out)->host();
  for (unsigned lane = 0; lane < groupSize; ++lane)
    for (Lanes &values : outputs) {
      std::memcpy(&values[lane], bytes, 8);
      bytes += 8;
    }
  return Error::success();
}

std::map<OpcodeKey, uint64_t> Runner::opcodeCounts() const {
  std::map<OpcodeKey, uint64_t> counts;
  for (auto &[name, device] : devices)
    for (auto &[key, count] : device->opcodeCounts())
      counts[key] += count;
  return counts;
}

} // namespace randomir
