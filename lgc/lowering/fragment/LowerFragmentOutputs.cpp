//===- LowerFragmentOutputs.cpp - outputs of fragment shaders -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers the output.stores of the fragment shader to exports in the formats that the colour
/// targets want (ExportFormat.h, FragmentExport.h), and notes the registers that follow from what
/// the shader does: exports, depth test order, memory accesses. Runs before lgc-lower-descriptors,
/// which removes what tells storage from other resources.
///   before: call void @lgc.output.store(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
///   after:  %lo = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %r, float %g)     ; RGBA8.unorm,
///   gfx10
///           %hi = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %b, float %a)
///           call void @llvm.amdgcn.exp.compr(i32 0, i32 15, %lo, %hi, i1 true, i1 true)
///
/// Of a part that is compiled without colour formats (PartState::separateColorExport) the shader
/// returns the values, and glue exports them:
///   after:  define { float, float, float, float } @lgc.shader.FS()
///
/// The stores need not stand together: the last value of each component reaches the one place where
/// all returns of the shader come together, because a wave exports once.
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/fragment/FragmentControl.h"
#include "lgc/lowering/fragment/FragmentExport.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>

using namespace llvm;

namespace lgc {
namespace {

namespace key = pal::abi::key;
using pal::abi::HardwareStage;

/// HW: values of `.z_order` and `.conservative_z_export`.
enum : unsigned { lateZ = 0, earlyZThenLateZ = 1, earlyZThenReZ = 3 };
enum : unsigned { exportAnyZ = 0, exportLessZ = 1, exportGreaterZ = 2 };

/// What the registers have to know of the shader's code.
struct ShaderTraits {
  bool kills = false;       ///< kill or demote
  bool readsMemory = false; ///< storage buffers and images
  bool writesMemory = false;
};

/// EarlyAndLateFragmentTestsAMD is EarlyFragmentTests for shaders that declare neither export.
bool testsOnlyEarly(const FragmentModes &modes) {
  return modes.earlyTests ||
         (modes.earlyAndLateTests && !modes.depthReplacing && !modes.stencilReplacing);
}

bool isMemory(unsigned addressSpace) {
  return addressSpace == AddrSpace::Buffer || addressSpace == AddrSpace::Global ||
         addressSpace == AddrSpace::Flat;
}

void addOp(ShaderTraits &traits, const CallInst &call) {
  switch (opIdOf(call)) {
  case OpId::ImageStoreOp:
  case OpId::ImageAtomicOp:
    traits.writesMemory = true;
    break;
  case OpId::LoadDescOp:
    traits.readsMemory |= (cast<LoadDescOp>(call).constArg(2) & ResourceFlags::StorageImage) != 0;
    break;
  case OpId::BufferPtrOp:
    traits.readsMemory |= !(cast<BufferPtrOp>(call).constArg(1) & ResourceFlags::UniformBlock);
    break;
  default:
    break;
  }
}

ShaderTraits findTraits(const Function &function) {
  ShaderTraits traits;
  for (const Instruction &instruction : instructions(function)) {
    if (const auto *store = dyn_cast<StoreInst>(&instruction))
      traits.writesMemory |= isMemory(store->getPointerAddressSpace());
    else if (const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      traits.writesMemory |= isMemory(atomic->getPointerAddressSpace());
    else if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      traits.writesMemory |= isMemory(exchange->getPointerAddressSpace());
    else if (const auto *call = dyn_cast<CallInst>(&instruction)) {
      addOp(traits, *call);
      Intrinsic::ID id = call->getIntrinsicID();
      traits.kills |= id == Intrinsic::amdgcn_kill || id == Intrinsic::amdgcn_wqm_demote;
      // Copies of memory write their first operand.
      if (const auto *intrinsic = dyn_cast<MemIntrinsic>(call))
        traits.writesMemory |= isMemory(intrinsic->getDestAddressSpace());
    } else if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
      unsigned space = load->getPointerAddressSpace();
      traits.readsMemory |= space == AddrSpace::Global || space == AddrSpace::Flat;
    }
  }
  return traits;
}

class OutputLowering {
  using Needs = FragmentExport::Needs;

public:
  OutputLowering(Function &function, const PipelineState &state)
      : module(*function.getParent()), function(function), state(state),
        traits(findTraits(function)), exporter(function, state) {}
  Error run();

private:
  /// One component of an output on its way to the end of the shader.
  struct Place {
    Type *type = nullptr;
    AllocaInst *variable = nullptr;
    Value *value = nullptr; ///< when all stores stand in the returning block
  };
  Error collectStore(OutputStoreOp &store);
  void carryValues(ReturnInst &end);
  FragmentOutputs gather(IRBuilder<> &b);
  void writeDepthRegisters(const FragmentOutputs &outputs);
  Error collectResults(IRBuilder<> &b, const FragmentOutputs &outputs, ExportSignature &signature,
                       SmallVectorImpl<Value *> &results);
  Error leaveToGlue(ReturnInst &end, const FragmentOutputs &outputs);
  void note(ExportSignature signature);
  void changeReturnType(Type *type);
  bool needsExport() const { return traits.kills || interlocks(); }
  bool interlocks() const {
    return state.graphics.fragment.interlock != FragmentModes::Interlock::None;
  }
  bool writes(uint32_t slot) const { return places.count({slot, 0}) != 0; }

  Module &module;
  Function &function;
  const PipelineState &state;
  const ShaderTraits traits;
  FragmentExport exporter;
  std::vector<OutputStoreOp *> stores;
  std::map<std::pair<uint32_t, unsigned>, Place> places; ///< by slot and component
};

Error OutputLowering::collectStore(OutputStoreOp &store) {
  auto *element = dyn_cast<ConstantInt>(store.getArgOperand(3));
  if (!element)
    return internalError("fragment shader output with a dynamic index");
  uint32_t slot = slotNumber(store.constArg(1)) + static_cast<uint32_t>(element->getZExtValue());
  bool known = slot < 8 || slot == Slot::ColorIndex1 || slot == Slot::FragDepth ||
               slot == Slot::FragStencilRef || slot == Slot::SampleMask;
  // Colours that no target can have are not exported.
  if (!known && slot >= Slot::Primitive)
    return internalError("fragment shader output at slot " + Twine(slot));
  Type *type = store.getArgOperand(0)->getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  unsigned first = store.constArg(2), count = vector ? vector->getNumElements() : 1;
  if (first + count > 4)
    return internalError("fragment shader output: components beyond the end of a slot");
  stores.push_back(&store);
  for (unsigned i = 0; known && i < count; ++i) {
    Place &place = places[{slot, first + i}];
    if (place.type && place.type != type->getScalarType())
      return internalError("fragment shader output at slot " + Twine(slot) + " with two types");
    place.type = type->getScalarType();
  }
  return Error::success();
}

/// Replaces the stores: their values become those of `places` at the end.
void OutputLowering::carryValues(ReturnInst &end) {
  bool allAtEnd = all_of(
      stores, [&](const OutputStoreOp *store) { return store->getParent() == end.getParent(); });
  IRBuilder<> b(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  SmallVector<AllocaInst *, 8> variables;
  if (!allAtEnd)
    for (auto &[where, place] : places)
      variables.push_back(place.variable = b.CreateAlloca(place.type, AddrSpace::Private));
  for (OutputStoreOp *store : stores) {
    uint32_t slot =
        slotNumber(store->constArg(1)) +
        static_cast<uint32_t>(cast<ConstantInt>(store->getArgOperand(3))->getZExtValue());
    Value *value = store->getArgOperand(0);
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    b.SetInsertPoint(store);
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
      auto found = places.find({slot, store->constArg(2) + i});
      if (found == places.end())
        continue;
      // What nobody has written is to be seen as such.
      Value *component = vector ? findScalarElement(value, i) : value;
      if (!component)
        component = b.CreateExtractElement(value, i);
      if (found->second.variable)
        b.CreateStore(component, found->second.variable);
      else
        found->second.value = component;
    }
    store->eraseFromParent();
  }
  if (variables.empty())
    return;
  b.SetInsertPoint(&end);
  for (auto &[where, place] : places)
    place.value = b.CreateLoad(place.type, place.variable);
  // The loads are replaced while `places` points to them.
  SmallVector<WeakTrackingVH, 8> values;
  for (auto &[where, place] : places)
    values.emplace_back(place.value);
  DominatorTree tree(function);
  PromoteMemToReg(variables, tree);
  unsigned i = 0;
  for (auto &[where, place] : places)
    place.value = values[i++];
}

/// A value that nobody has given the component is none.
FragmentOutputs OutputLowering::gather(IRBuilder<> &b) {
  FragmentOutputs outputs;
  auto get = [&](uint32_t slot, unsigned component) -> Value * {
    auto found = places.find({slot, component});
    if (found == places.end() || !found->second.value || isa<UndefValue>(found->second.value))
      return nullptr;
    return found->second.value;
  };
  for (unsigned component = 0; component < 4; ++component) {
    for (unsigned location = 0; location < outputs.colors.size(); ++location)
      outputs.colors[location][component] = get(location, component);
    outputs.second[component] = get(Slot::ColorIndex1, component);
  }
  // Written is written, whatever the value: the depth test depends on it.
  auto builtin = [&](uint32_t slot) -> Value * {
    if (!writes(slot))
      return nullptr;
    Value *value = get(slot, 0);
    return value ? value : Constant::getNullValue(b.getInt32Ty());
  };
  // Vulkan: what was tested before the shader is not tested again.
  if (!testsOnlyEarly(state.graphics.fragment)) {
    outputs.depth = builtin(Slot::FragDepth);
    outputs.stencil = builtin(Slot::FragStencilRef);
  }
  outputs.mask = builtin(Slot::SampleMask);
  return outputs;
}

Error OutputLowering::run() {
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<OutputStoreOp>(&instruction))
      KILN_TRY(collectStore(*store));
  FragmentOutputs outputs;
  if (ReturnInst *end = uniteReturns(function)) {
    carryValues(*end);
    IRBuilder<> b(end);
    outputs = gather(b);
    Error error = state.part.separateColorExport
                      ? leaveToGlue(*end, outputs)
                      : exporter.emit(b, outputs, needsExport() ? Needs::Export : Needs::Nothing);
    if (error)
      return error;
  } else if (state.part.separateColorExport) {
    note(ExportSignature());
  }
  if (!state.part.separateColorExport)
    exporter.writeRegisters(module);
  writeDepthRegisters(outputs);
  return Error::success();
}

// --- Glue

/// True for 1, false for 0: what shaders write most, without which glue could not choose the
/// cheaper instructions of a monolithic pipeline. Every other number would be glue of its own.
static std::optional<bool> constantOf(const Value *value) {
  if (const auto *number = dyn_cast<ConstantFP>(value))
    return number->isZero() && !number->isNegative() ? std::optional(false)
           : number->isExactlyValue(1.0)             ? std::optional(true)
                                                     : std::nullopt;
  if (const auto *number = dyn_cast<ConstantInt>(value))
    return number->isZero()  ? std::optional(false)
           : number->isOne() ? std::optional(true)
                             : std::nullopt;
  return std::nullopt;
}

/// The values in the order of ExportSignature, as dwords; the signature says what they are.
Error OutputLowering::collectResults(IRBuilder<> &b, const FragmentOutputs &outputs,
                                     ExportSignature &signature,
                                     SmallVectorImpl<Value *> &results) {
  auto add = [&](Value *value) {
    if (value->getType()->getPrimitiveSizeInBits() == 16)
      value = b.CreateZExt(b.CreateBitCast(value, b.getInt16Ty()), b.getInt32Ty());
    results.push_back(b.CreateBitCast(value, b.getFloatTy()));
  };
  auto addColor = [&](uint32_t location, uint32_t index,
                      const FragmentOutputs::Color &color) -> Error {
    const Type *type = nullptr;
    ExportSignature::Color entry = {location, index};
    for (unsigned i = 0; i < color.size(); ++i) {
      if (!color[i])
        continue;
      if (type && type != color[i]->getType())
        return unsupported("part: components of different types at output location " +
                           Twine(location));
      type = color[i]->getType();
      const std::optional<bool> constant = constantOf(color[i]);
      (constant ? *constant ? entry.ones : entry.zeros : entry.mask) |= 1u << i;
      if (!constant)
        add(color[i]);
    }
    if (!type)
      return Error::success();
    using Kind = ExportSignature::Color::Type;
    entry.type = type->isFloatingPointTy() ? Kind::Float : Kind::Uint;
    entry.bits = static_cast<uint32_t>(type->getPrimitiveSizeInBits());
    signature.colors.push_back(entry);
    return Error::success();
  };
  for (uint32_t location = 0; location < outputs.colors.size(); ++location) {
    KILN_TRY(addColor(location, 0, outputs.colors[location]));
    KILN_TRY(location == 0 ? addColor(0, 1, outputs.second) : Error::success());
  }
  for (Value *value : {outputs.depth, outputs.stencil, outputs.mask})
    if (value)
      add(value);
  signature.depth = outputs.depth != nullptr;
  signature.stencil = outputs.stencil != nullptr;
  signature.sampleMask = outputs.mask != nullptr;
  return Error::success();
}

/// Makes the shader return its outputs. LLVM has the floats of a fragment shader's result in VGPRs,
/// ends its code by falling through, in EXEC of the living invocations, and waits for all loads
/// before. Integers would be in SGPRs.
Error OutputLowering::leaveToGlue(ReturnInst &end, const FragmentOutputs &outputs) {
  IRBuilder<> b(&end);
  ExportSignature signature;
  SmallVector<Value *, 16> results;
  KILN_TRY(collectResults(b, outputs, signature, results));
  // A function without a result ends the program.
  if (results.empty())
    results.push_back(PoisonValue::get(b.getFloatTy()));
  // HW(gfx11+): the glue takes sources of dead neighbours, see FragmentExport::swizzle.
  if (FragmentOutputs::isWritten(outputs.second))
    function.addFnAttr("amdgpu-ps-wqm-outputs");
  const bool colors = !signature.colors.empty();
  const bool depth = signature.depth || signature.stencil || signature.sampleMask;
  function.addFnAttr("amdgpu-color-export", colors || !depth ? "1" : "0");
  function.addFnAttr("amdgpu-depth-export", depth ? "1" : "0");

  SmallVector<Type *, 16> types(results.size(), b.getFloatTy());
  StructType *type = StructType::get(b.getContext(), types);
  Value *result = PoisonValue::get(type);
  for (auto [index, value] : enumerate(results))
    result = b.CreateInsertValue(result, value, static_cast<unsigned>(index));
  b.CreateRet(result);
  end.eraseFromParent();
  note(std::move(signature));
  changeReturnType(type);
  return Error::success();
}

void OutputLowering::note(ExportSignature signature) {
  signature.waveSize = waveSizeOf(function, state);
  signature.needsExport = needsExport();
  PartInfo info = partInfoOf(module);
  info.colorExport = std::move(signature);
  setPartInfo(module, info);
}

/// Moves the shader to a function of another type. Nobody calls it.
void OutputLowering::changeReturnType(Type *type) {
  Function *changed = Function::Create(FunctionType::get(type, false), function.getLinkage());
  module.getFunctionList().insert(function.getIterator(), changed);
  changed->takeName(&function);
  changed->copyAttributesFrom(&function);
  changed->splice(changed->begin(), &function);
  changed->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  function.eraseFromParent();
}

// --- Registers

void OutputLowering::writeDepthRegisters(const FragmentOutputs &outputs) {
  const FragmentModes &modes = state.graphics.fragment;
  auto set = [&](StringRef field, uint64_t value) {
    setGraphics(module, key::dbShaderControl, field, value);
  };
  // Pixels that fail the depth test must run as well when they write memory, unless the shader asks
  // for early tests. HW: "early, then late" is late for shaders that kill or export depth.
  bool early = modes.earlyTests || modes.earlyAndLateTests;
  bool late = traits.writesMemory && !early;
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  const ShaderOptions &options = state.graphics.shader(ShaderStage::Fragment);
  unsigned order = late || (options.forceLateZ && !early) ? lateZ : earlyZThenLateZ;
  // HW(gfx12): cannot repeat early tests.
  if (options.allowReZ && order != lateZ && !early && !outputs.depth && target &&
      target->major < 12)
    order = earlyZThenReZ;
  set(key::zOrder, order);
  set(key::execOnHierFail, late);
  set(key::execOnNoop, traits.writesMemory);
  set(key::depthBeforeShader, testsOnlyEarly(modes));
  set(key::killEnable, traits.kills);
  unsigned conservative = exportAnyZ;
  if (outputs.depth && modes.depth == FragmentModes::Conservative::Less)
    conservative = exportLessZ;
  else if (outputs.depth && modes.depth == FragmentModes::Conservative::Greater)
    conservative = exportGreaterZ;
  set(key::conservativeZExport, conservative);
  set(key::primitiveOrderedPixelShader, interlocks());
  set(key::preShaderDepthCoverageEnable, modes.postDepthCoverage);
  if (target && target->major == 10) // no limit on how many regions of the screen a wave may touch
    setGraphics(module, key::paScShaderControl, key::waveBreakRegionSize, uint64_t(0));
  if (outputs.mask)
    setRegister(module, {key::psSampleMask}, uint64_t(1));
  setHardwareStage(module, HardwareStage::Ps, key::usesUavs,
                   traits.readsMemory || traits.writesMemory);
  setHardwareStage(module, HardwareStage::Ps, key::writesUavs, traits.writesMemory);
  setHardwareStage(module, HardwareStage::Ps, key::writesDepth, outputs.depth != nullptr);
}

} // namespace

PreservedAnalyses LowerFragmentOutputsPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *shader = findShader(module, ShaderStage::Fragment);
  if (!shader)
    return PreservedAnalyses::all();
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (Error error = OutputLowering(*shader, state).run())
    reportError(module.getContext(), std::move(error));
  return PreservedAnalyses::none();
}

} // namespace lgc
