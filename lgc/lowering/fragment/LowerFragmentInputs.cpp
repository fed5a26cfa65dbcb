//===- LowerFragmentInputs.cpp - inputs of fragment shaders ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers input.interpolate, input.load, barycentric and the built-ins of the fragment shader to
/// the interpolation instructions of the generation and to lgc.hw.value, and notes the registers
/// that describe the inputs. Runs before the vertex stages are lowered, because it gives built-ins
/// that it reads attributes there (AttributeSlots.h), and before lgc-lower-subgroup, because
/// interpolation at an offset takes derivatives.
///   before: %ij = call <2 x float> @lgc.barycentric(i32 Center, i32 0, i32 poison)
///           %x = call float @lgc.input.interpolate(i32 2, i32 1, i32 0, <2 x float> %ij)
///   after:  %ij = call <2 x float> @lgc.hw.value(i32 PerspCenter)          ; gfx11
///           %p = call float @llvm.amdgcn.lds.param.load(i32 1, i32 0, i32 %primMask)
///           %t = call float @llvm.amdgcn.interp.inreg.p10(float %p, float %i, float %p)
///           %x = call float @llvm.amdgcn.interp.inreg.p2(float %p, float %j, float %t)
///
/// Inputs are numbered densely in the order of the attributes; `.spi_ps_input_cntl` says for each
/// which attribute it is. Only what is read is loaded; what nobody writes is 0.
#include "lgc/Ops.h"
#include "lgc/SampleShading.h"
#include "lgc/Shader.h"
#include "lgc/VertexOrder.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/fragment/FragmentValues.h"
#include "lgc/lowering/interface/AttributeSlots.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

namespace key = pal::abi::key;

/// HW: inputs that SPI can load.
constexpr unsigned maxInputs = 32;
/// HW: bit 5 of OFFSET: the input is no attribute but the default value; with FLAT_SHADE the values
/// of the vertices are passed through as they are.
constexpr unsigned offsetDefault = 32, offsetPassThrough = 32;

/// How the hardware prepares the four components of an input.
enum class Mode : uint8_t {
  None,
  Smooth,
  SmoothHalf,
  Flat,
  PerVertex,      ///< the vertices in the order of the API
  HardwareVertex, ///< in the hardware's order
  PointSprite
};
constexpr const char *modeNames[] = {
    "none",       "interpolated",         "interpolated with 16 bits", "flat",
    "per vertex", "of explicit vertices", "point coordinate"};
bool isOfVertices(Mode mode) { return mode == Mode::PerVertex || mode == Mode::HardwareVertex; }

struct Input {
  Mode mode = Mode::None;
  bool perPrimitive = false;
  unsigned attribute = 0; ///< of the last vertex stage
  unsigned index = 0;     ///< attribute operand of the interpolation instructions
};

class InputLowering {
public:
  InputLowering(Function &function, const PipelineState &state)
      : module(*function.getParent()), function(function), state(state),
        values(function, state, needsEverySample()) {}

  Error collect();
  Error lower();
  void writeRegisters();

private:
  bool needsEverySample() const;
  /// With multiview the layer is the view, whatever the shaders do, so no attribute.
  bool isView(uint32_t slot) const {
    return slot == Slot::Layer && state.graphics.iaState.enableMultiView;
  }
  Error addAccess(const CallInst &call, Mode mode);
  Error number();
  Error lowerAccess(CallInst &call);
  Error lowerBuiltin(CallInst &call);
  void replace(CallInst &call, Value *value);
  Value *readSlot(IRBuilder<> &b, CallInst &call, uint32_t slot);
  Value *readDefault(uint32_t slot, Type *type);
  Value *interpolate(IRBuilder<> &b, const Input &input, unsigned component, Value *ij);
  Value *loadVertex(IRBuilder<> &b, const Input &input, unsigned component, unsigned vertex);
  Value *loadVertex(IRBuilder<> &b, const Input &input, unsigned component, Value *vertex);
  Value *pointCoord();
  void writeInputRegisters();

  Module &module;
  Function &function;
  const PipelineState &state;
  FragmentValues values;
  std::vector<CallInst *> accesses, barycentrics, builtins;
  std::vector<Instruction *> dead;
  std::map<uint32_t, Input> inputs; ///< by slot; those that exist are numbered
  std::optional<AttributeSlots> slots;
  std::optional<Input> pointSprite;
  unsigned vertexInputs = 0, primitiveInputs = 0;
};

std::string slotText(uint32_t slot) {
  if (slot < Slot::GenericEnd)
    return "location " + std::to_string(slot);
  if (slot >= Slot::Primitive && slot < Slot::PrimitiveEnd)
    return "location " + std::to_string(slot - Slot::Primitive) + " (per primitive)";
  return "built-in slot " + std::to_string(slot);
}

uint32_t constantArg(const CallInst &call, unsigned index) {
  return static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue());
}

/// Does the shader ask for sample shading by what it declares or reads?
bool InputLowering::needsEverySample() const {
  if (function.hasFnAttribute(everySampleAttribute))
    return true;
  for (const Instruction &instruction : instructions(function)) {
    if (isa<BarycentricOp>(instruction) || isa<BaryCoordOp>(instruction))
      if (constantArg(cast<CallInst>(instruction), 0) == static_cast<uint32_t>(BaryMode::Sample))
        return true;
    if (const auto *builtin = dyn_cast<BuiltinOp>(&instruction)) {
      auto id = static_cast<BuiltIn>(builtin->constArg(0));
      if (id == BuiltIn::SampleId || id == BuiltIn::SamplePosition)
        return true;
    }
  }
  return false;
}

Mode modeOf(const CallInst &call) {
  if (isa<InputInterpolateOp>(call))
    return call.getType()->getScalarType()->isHalfTy() ? Mode::SmoothHalf : Mode::Smooth;
  if (isAbsent(call.getArgOperand(3)))
    return Mode::Flat;
  const auto *number = dyn_cast<ConstantInt>(call.getArgOperand(3));
  return number && (number->getZExtValue() & hardwareOrderBit) ? Mode::HardwareVertex
                                                               : Mode::PerVertex;
}

unsigned componentsOf(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// --- What there is

Error InputLowering::addAccess(const CallInst &call, Mode mode) {
  if (call.getType()->getScalarType()->isIntegerTy() &&
      (mode == Mode::Smooth || mode == Mode::SmoothHalf))
    return internalError("lgc.input.interpolate of integers");
  if (constantArg(call, 1) + componentsOf(call.getType()) > 4)
    return internalError("fragment shader input: components beyond the end of a slot");
  uint32_t operand = constantArg(call, 0);
  uint32_t first = slotNumber(operand), count = slotsReached(operand);
  if (auto *element = dyn_cast<ConstantInt>(call.getArgOperand(2))) {
    first += static_cast<uint32_t>(element->getZExtValue());
    count = 1;
  }
  for (uint32_t slot = first; slot < first + count; ++slot) {
    if (isView(slot))
      continue;
    Input &input = inputs[slot];
    input.perPrimitive = slot >= Slot::Primitive && slot < Slot::PrimitiveEnd;
    if (input.mode != Mode::None && input.mode != mode)
      return unsupported("fragment shader input at " + slotText(slot) + " that is both " +
                         modeNames[static_cast<size_t>(input.mode)] + " and " +
                         modeNames[static_cast<size_t>(mode)]);
    if (isOfVertices(mode) && values.gpu().major == 10 && values.gpu().minor < 3)
      return unsupported("PerVertexKHR on " + state.target);
    input.mode = mode;
  }
  return Error::success();
}

Error InputLowering::collect() {
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    OpId id = opIdOf(*call);
    if (id == OpId::InputLoadOp || id == OpId::InputInterpolateOp) {
      accesses.push_back(call);
      KILN_TRY(addAccess(*call, modeOf(*call)));
    } else if (id == OpId::BarycentricOp || id == OpId::BaryCoordOp) {
      barycentrics.push_back(call);
    } else if (id == OpId::BuiltinOp) {
      auto builtin = static_cast<BuiltIn>(constantArg(*call, 0));
      if (builtin < BuiltIn::VertexIndex)
        continue; // lgc-lower-builtins
      builtins.push_back(call);
      if (builtin == BuiltIn::PointCoord)
        pointSprite = Input{Mode::PointSprite, false, 0, 0};
    }
  }
  return number();
}

/// Attributes of vertices, the point coordinate, attributes of primitives. HW(gfx10.3): those of
/// primitives stand last.
Error InputLowering::number() {
  std::vector<uint32_t> read;
  for (const auto &[slot, input] : inputs)
    read.push_back(slot);
  slots.emplace(module, state, read);
  unsigned next = 0;
  auto numberAll = [&](bool perPrimitive) {
    for (auto &[slot, input] : inputs) {
      std::optional<unsigned> attribute = slots->find(slot);
      if (input.perPrimitive != perPrimitive || !attribute)
        continue;
      input.attribute = *attribute;
      input.index = next++;
    }
  };
  numberAll(false);
  if (pointSprite)
    pointSprite->index = next++;
  vertexInputs = next;
  numberAll(true);
  primitiveInputs = next - vertexInputs;
  if (next > maxInputs)
    return limitExceeded("fragment shader: " + Twine(next) + " inputs, the limit is " +
                         Twine(maxInputs));
  return Error::success();
}

// --- Reading

Value *InputLowering::interpolate(IRBuilder<> &b, const Input &input, unsigned component,
                                  Value *ij) {
  Value *i = b.CreateExtractElement(ij, uint64_t(0));
  Value *j = b.CreateExtractElement(ij, uint64_t(1));
  Value *m0 = values.hw(HwValue::PrimMask);
  Value *channel = b.getInt32(component), *attribute = b.getInt32(input.index);
  bool isHalf = input.mode == Mode::SmoothHalf;
  Value *low = b.getFalse(); // which half of the attribute's dwords
  if (values.gpu().major >= 11) {
    Value *p = b.CreateIntrinsic(Intrinsic::amdgcn_lds_param_load, {channel, attribute, m0});
    if (!isHalf) {
      Value *partial = b.CreateIntrinsic(Intrinsic::amdgcn_interp_inreg_p10, {p, i, p});
      return b.CreateIntrinsic(Intrinsic::amdgcn_interp_inreg_p2, {p, j, partial});
    }
    Value *partial = b.CreateIntrinsic(Intrinsic::amdgcn_interp_inreg_p10_f16, {p, i, p, low});
    return b.CreateIntrinsic(Intrinsic::amdgcn_interp_inreg_p2_f16, {p, j, partial, low});
  }
  if (!isHalf) {
    Value *partial = b.CreateIntrinsic(Intrinsic::amdgcn_interp_p1, {i, channel, attribute, m0});
    return b.CreateIntrinsic(Intrinsic::amdgcn_interp_p2, {partial, j, channel, attribute, m0});
  }
  Value *partial =
      b.CreateIntrinsic(Intrinsic::amdgcn_interp_p1_f16, {i, channel, attribute, low, m0});
  return b.CreateIntrinsic(Intrinsic::amdgcn_interp_p2_f16,
                           {partial, j, channel, attribute, low, m0});
}

/// One vertex's dword, i32.
Value *InputLowering::loadVertex(IRBuilder<> &b, const Input &input, unsigned component,
                                 unsigned vertex) {
  Value *m0 = values.hw(HwValue::PrimMask);
  Value *channel = b.getInt32(component), *attribute = b.getInt32(input.index);
  if (values.gpu().major < 11) {
    // HW: vertex 0 is parameter P0, number 2; then P10 and P20, numbers 0 and 1.
    Value *parameter = b.getInt32((vertex + 2) % 3);
    Value *value =
        b.CreateIntrinsic(Intrinsic::amdgcn_interp_mov, {parameter, channel, attribute, m0});
    return b.CreateBitCast(value, b.getInt32Ty());
  }
  // HW(gfx11+): the vertices' values are in the first three lanes of each quad.
  Value *p = b.CreateIntrinsic(Intrinsic::amdgcn_lds_param_load, {channel, attribute, m0});
  p = b.CreateBitCast(p, b.getInt32Ty());
  unsigned control = vertex | vertex << 2 | vertex << 4 | vertex << 6; // quad permutation
  p = b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {b.getInt32Ty()},
                        {PoisonValue::get(b.getInt32Ty()), p, b.getInt32(control), b.getInt32(0xF),
                         b.getInt32(0xF), b.getTrue()});
  // In a branch the lane with the value may be off; at entry only helpers have to be woken.
  bool atEntry = b.GetInsertBlock() == &function.getEntryBlock();
  return b.CreateIntrinsic(atEntry ? Intrinsic::amdgcn_wqm : Intrinsic::amdgcn_strict_wqm,
                           {b.getInt32Ty()}, {p});
}

Value *InputLowering::loadVertex(IRBuilder<> &b, const Input &input, unsigned component,
                                 Value *vertex) {
  if (isAbsent(vertex))
    return loadVertex(b, input, component, 0u);
  if (auto *constant = dyn_cast<ConstantInt>(vertex)) {
    const uint64_t number = constant->getZExtValue() & ~uint64_t(hardwareOrderBit);
    return loadVertex(b, input, component, static_cast<unsigned>(std::min<uint64_t>(number, 2)));
  }
  Value *value = loadVertex(b, input, component, 0u);
  for (unsigned i = 1; i < 3; ++i) {
    Value *other = loadVertex(b, input, component, i);
    value = b.CreateSelect(b.CreateICmpEQ(vertex, b.getInt32(i)), other, value);
  }
  return value;
}

/// A dword as a value of 16 or 32 bits.
Value *fromDword(IRBuilder<> &b, Value *dword, Type *type) {
  if (type->getPrimitiveSizeInBits() == 16)
    dword = b.CreateTrunc(dword, b.getInt16Ty());
  return b.CreateBitCast(dword, type);
}

/// What a slot holds that the last vertex stage does not write.
Value *InputLowering::readDefault(uint32_t slot, Type *type) {
  if (isView(slot) && type->isIntegerTy(32))
    return values.specialUserData(pal::abi::userdata::viewId);
  return Constant::getNullValue(type);
}

Value *InputLowering::readSlot(IRBuilder<> &b, CallInst &call, uint32_t slot) {
  Type *type = call.getType(), *scalar = type->getScalarType();
  auto found = inputs.find(slot);
  if (found == inputs.end() || !slots->find(slot))
    return readDefault(slot, type);
  const Input &input = found->second;
  unsigned first = constantArg(call, 1), count = componentsOf(type);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    Value *value =
        isa<InputInterpolateOp>(call)
            ? interpolate(b, input, first + i, call.getArgOperand(3))
            : fromDword(b, loadVertex(b, input, first + i, call.getArgOperand(3)), scalar);
    result = type->isVectorTy() ? b.CreateInsertElement(result, value, i) : value;
  }
  return result;
}

Error InputLowering::lowerAccess(CallInst &call) {
  IRBuilder<> b(&call);
  uint32_t operand = constantArg(call, 0), slot = slotNumber(operand);
  Value *element = call.getArgOperand(2);
  if (auto *constant = dyn_cast<ConstantInt>(element)) {
    replace(call, readSlot(b, call, slot + static_cast<uint32_t>(constant->getZExtValue())));
    return Error::success();
  }
  Value *value = readSlot(b, call, slot);
  for (uint32_t i = 1; i < slotsReached(operand); ++i) {
    Value *other = readSlot(b, call, slot + i);
    value = b.CreateSelect(b.CreateICmpEQ(element, b.getInt32(i)), other, value);
  }
  replace(call, value);
  return Error::success();
}

Value *InputLowering::pointCoord() {
  IRBuilder<> &b = values.entry();
  Value *ij = values.barycentric(b, BaryMode::Center, /*linear=*/false, nullptr);
  Value *point = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), 2));
  for (unsigned i = 0; i < 2; ++i)
    point = b.CreateInsertElement(point, interpolate(b, *pointSprite, i, ij), i);
  return point;
}

Error InputLowering::lowerBuiltin(CallInst &call) {
  auto id = static_cast<BuiltIn>(constantArg(call, 0));
  Expected<Value *> value =
      id == BuiltIn::PointCoord ? Expected<Value *>(pointCoord()) : values.builtin(id);
  if (!value)
    return value.takeError();
  if (!*value || (*value)->getType() != call.getType())
    return internalError("lgc.builtin " + Twine(static_cast<uint32_t>(id)) +
                         " in a fragment shader: unknown or of a wrong type");
  replace(call, *value);
  return Error::success();
}

void InputLowering::replace(CallInst &call, Value *value) {
  call.replaceAllUsesWith(value);
  dead.push_back(&call);
}

Error InputLowering::lower() {
  for (CallInst *call : barycentrics) {
    IRBuilder<> b(call);
    Value *argument = call->getArgOperand(2);
    auto mode = static_cast<BaryMode>(constantArg(*call, 0));
    bool fits = mode == BaryMode::AtOffset
                    ? argument->getType() == FixedVectorType::get(b.getFloatTy(), 2)
                    : argument->getType()->isIntegerTy(32);
    if (mode > BaryMode::AtSample || !fits)
      return internalError("lgc.barycentric: unknown mode or wrong argument");
    const bool linear = constantArg(*call, 1) != 0;
    if (isa<BarycentricOp>(call)) {
      replace(*call, values.barycentric(b, mode, linear, argument));
      continue;
    }
    Value *coords = KILN_TRY(values.baryCoord(b, mode, linear, argument));
    replace(*call, coords);
  }
  for (CallInst *call : accesses)
    KILN_TRY(lowerAccess(*call));
  for (CallInst *call : builtins)
    KILN_TRY(lowerBuiltin(*call));
  // Why only now: the place where values are made may be one of these calls.
  for (Instruction *call : dead)
    call->eraseFromParent();
  if (values.readsSampleMask && values.readsFullyCovered)
    return unsupported("SampleMaskIn together with FullyCoveredEXT");
  return Error::success();
}

// --- Registers

void InputLowering::writeInputRegisters() {
  auto set = [&](const Input &input, StringRef field, uint64_t value) {
    std::string element = "[" + std::to_string(input.index) + "]";
    setRegister(module, {key::graphicsRegisters, key::spiPsInputCntl, element, field}, value);
  };
  for (const auto &[slot, input] : inputs) {
    if (!slots->find(slot))
      continue;
    bool passThrough = isOfVertices(input.mode);
    set(input, key::offset, input.attribute | (passThrough ? offsetPassThrough : 0));
    set(input, key::flatShade, !input.perPrimitive && (input.mode == Mode::Flat || passThrough));
    if (input.mode == Mode::PerVertex) // else the provoking vertex comes first
      set(input, key::rotatePcPtr, 1);
    if (input.mode == Mode::SmoothHalf) {
      set(input, key::fp16InterpMode, 1);
      set(input, key::attr0Valid, 1);
    }
    if (input.perPrimitive && values.gpu().major >= 11)
      set(input, key::primAttr, 1);
    if (!slots->isLinked()) {
      std::string element = "[" + std::to_string(input.index) + "]";
      setRegister(module, {key::psInputSemantic, element, key::semantic}, slot);
    }
  }
  if (pointSprite) {
    set(*pointSprite, key::offset, offsetDefault);
    set(*pointSprite, key::flatShade, 0);
    set(*pointSprite, key::ptSpriteTex, 1);
    if (!slots->isLinked()) // a semantic that no output has
      setRegister(
          module,
          {key::psInputSemantic, "[" + std::to_string(pointSprite->index) + "]", key::semantic},
          uint64_t(Slot::End));
  }
  // PAL programs at least one of these registers.
  if (vertexInputs + primitiveInputs == 0)
    set(Input(), key::offset, 0);
}

void InputLowering::writeRegisters() {
  writeInputRegisters();
  unsigned all = vertexInputs + primitiveInputs;
  bool isGfx10 = values.gpu().major == 10;
  setRegister(module, {key::numInterpolants}, std::max(all, 1u));
  // HW(gfx11+): both kinds are counted together.
  setGraphics(module, key::spiPsInControl, key::numInterps, uint64_t(isGfx10 ? vertexInputs : all));
  if (isGfx10 && primitiveInputs)
    setGraphics(module, key::spiPsInControl, key::numPrimInterp, uint64_t(primitiveInputs));
  if (pointSprite) {
    setGraphics(module, key::spiInterpControl, key::pointSpriteEna, uint64_t(1));
    setGraphics(module, key::spiInterpControl, key::pointSpriteOverrideX, StringRef("S"));
    setGraphics(module, key::spiInterpControl, key::pointSpriteOverrideY, StringRef("T"));
    setGraphics(module, key::spiInterpControl, key::pointSpriteOverrideZ, StringRef("Zero"));
    setGraphics(module, key::spiInterpControl, key::pointSpriteOverrideW, StringRef("One"));
  }
  setGraphics(module, key::spiBarycCntl, key::frontFaceAllBits, uint64_t(1));
  // 2: at the sample that the invocation shades, 0: at the centre of the pixel.
  setGraphics(module, key::spiBarycCntl, key::posFloatLocation, uint64_t(values.perSample ? 2 : 0));
  setGraphics(module, key::psIterSample, uint64_t(values.perSample));
  if (values.readsSampleMask)
    setRegister(module, {key::psSampleMask}, uint64_t(1));
  if (values.readsFullyCovered || state.graphics.rsState.innerCoverage)
    setGraphics(module, key::aaCoverageToShaderSelect, StringRef("InputInnerCoverage"));
}

} // namespace

PreservedAnalyses LowerFragmentInputsPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *shader = findShader(module, ShaderStage::Fragment);
  if (!shader)
    return PreservedAnalyses::all();
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  linkBuiltInSlots(module, state);
  InputLowering lowering(*shader, state);
  Error error = lowering.collect();
  if (!error)
    error = lowering.lower();
  if (error)
    reportError(module.getContext(), std::move(error));
  else
    lowering.writeRegisters();
  return PreservedAnalyses::none();
}

} // namespace lgc
