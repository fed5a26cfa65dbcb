//===- FragmentExport.cpp - outputs of fragment shaders -> export instructions //
// SPDX-License-Identifier: MIT
/// \file
/// Order: depth, stencil and mask first (HW(gfx11+) demands it), then colours by location; the last
/// export of a wave is marked. Colours go to consecutive export targets whatever their locations
/// are: the hardware skips those whose bits in CB_SHADER_MASK are 0.
#include "lgc/lowering/fragment/FragmentExport.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

namespace key = pal::abi::key;

namespace {

/// HW: numbers of export targets.
constexpr unsigned targetColor0 = 0, targetDepth = 8;
constexpr unsigned targetDualSource0 = 21, targetDualSource1 = 22; // gfx11+
/// Bit of CompositeData that says whether the blend equation has two sources.
constexpr unsigned compositeDualSourceBit = 7;

/// Component values as other types of the same meaning; null stays null.
Value *toInt32(IRBuilder<> &b, Value *value, bool isSigned) {
  Type *type = value->getType();
  if (type->getPrimitiveSizeInBits() == 16) {
    value = b.CreateBitCast(value, b.getInt16Ty());
    return isSigned ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
  }
  return b.CreateBitCast(value, b.getInt32Ty());
}

Value *toFloat32(IRBuilder<> &b, Value *value, bool isSigned) {
  if (value->getType()->isHalfTy())
    return b.CreateFPExt(value, b.getFloatTy());
  return b.CreateBitCast(toInt32(b, value, isSigned), b.getFloatTy());
}

Value *makePair(IRBuilder<> &b, Type *element, Value *low, Value *high) {
  Value *pair = PoisonValue::get(FixedVectorType::get(element, 2));
  if (low)
    pair = b.CreateInsertElement(pair, low, uint64_t(0));
  return high ? b.CreateInsertElement(pair, high, uint64_t(1)) : pair;
}

unsigned channelMask(const TexelFormat &format) { return (1u << channelCount(format.layout)) - 1; }

} // namespace

FragmentExport::FragmentExport(Function &function, const PipelineState &state)
    : function(function), state(state) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that the checks let pass");
  major = target->major;
  rbPlus = major > 10 || target->minor >= 3;
}

/// A dword, <2 x half>, of two components; both may be null.
Value *FragmentExport::packPair(IRBuilder<> &b, ExportFormat format, Value *low, Value *high) {
  auto bothAre = [&](Type *type) {
    return (!low || low->getType() == type) && (!high || high->getType() == type);
  };
  Type *pairType = FixedVectorType::get(b.getHalfTy(), 2);
  if (format == ExportFormat::Fp16 && bothAre(b.getHalfTy()))
    return makePair(b, b.getHalfTy(), low, high);
  bool isInteger = format == ExportFormat::Uint16 || format == ExportFormat::Sint16;
  if (isInteger && bothAre(b.getInt16Ty()))
    return b.CreateBitCast(makePair(b, b.getInt16Ty(), low, high), pairType);
  Intrinsic::ID id = Intrinsic::amdgcn_cvt_pkrtz;
  if (format == ExportFormat::Unorm16)
    id = Intrinsic::amdgcn_cvt_pknorm_u16;
  else if (format == ExportFormat::Snorm16)
    id = Intrinsic::amdgcn_cvt_pknorm_i16;
  else if (format == ExportFormat::Uint16)
    id = Intrinsic::amdgcn_cvt_pk_u16;
  else if (format == ExportFormat::Sint16)
    id = Intrinsic::amdgcn_cvt_pk_i16;
  bool isSigned = format == ExportFormat::Sint16;
  auto convertOne = [&](Value *value) -> Value * {
    if (!value)
      return PoisonValue::get(isInteger ? b.getInt32Ty() : b.getFloatTy());
    return isInteger ? toInt32(b, value, isSigned) : toFloat32(b, value, isSigned);
  };
  Value *first = convertOne(low);
  Value *second = convertOne(high);
  return b.CreateBitCast(b.CreateIntrinsic(id, {first, second}), pairType);
}

/// The values of an export; \p needed: components that matter. The target is left to the caller.
FragmentExport::Export FragmentExport::convert(IRBuilder<> &b, ExportFormat format,
                                               const FragmentOutputs::Color &color, unsigned needed,
                                               bool isSigned) {
  FragmentOutputs::Color used = {};
  for (unsigned i = 0; i < 4; ++i) {
    if (!(needed >> i & exportedComponents(format) >> i & 1))
      continue;
    used[i] = color[i];
    // Undefined in Vulkan; zero in monolithic pipelines and in linked ones.
    if (!used[i] && isPacked(format) && color[i ^ 1])
      used[i] = Constant::getNullValue(color[i ^ 1]->getType());
  }
  Export result;
  result.packed = isPacked(format);
  if (result.packed) {
    for (unsigned i = 0; i < 2; ++i) {
      if (!used[2 * i] && !used[2 * i + 1])
        continue;
      result.values[i] = packPair(b, format, used[2 * i], used[2 * i + 1]);
      result.enable |= 1u << i;
    }
    return result;
  }
  // HW(gfx10+): 32_AR takes alpha from the second value.
  if (format == ExportFormat::Ar32)
    used = {used[0], used[3], nullptr, nullptr};
  for (unsigned i = 0; i < 4; ++i) {
    if (!used[i])
      continue;
    result.values[i] = toFloat32(b, used[i], isSigned);
    result.enable |= 1u << i;
  }
  return result;
}

// --- Depth

void FragmentExport::addDepth(IRBuilder<> &b, const FragmentOutputs &outputs, Exports &exports) {
  writesDepth = outputs.depth != nullptr;
  writesStencil = outputs.stencil != nullptr;
  writesMask = outputs.mask != nullptr;
  if (!writesDepth && !writesStencil && !writesMask)
    return;
  Export depth;
  depth.target = targetDepth;
  auto add = [&](unsigned index, Value *value) {
    if (!value)
      return;
    depth.values[index] = toFloat32(b, value, false);
    depth.enable |= 1u << index;
  };
  add(0, outputs.depth);
  add(1, outputs.stencil);
  add(2, outputs.mask);
  // HW(gfx11+): alpha to coverage takes alpha from this export when there is one.
  bool hasAlpha = major >= 11 && alphaForCoverage;
  if (hasAlpha) {
    add(3, outputs.colors[0][3]);
    alphaForCoverage = false;
  }
  if (outputs.mask || (hasAlpha && outputs.stencil))
    depthFormat = ExportFormat::Abgr32;
  else if (outputs.stencil)
    depthFormat = ExportFormat::Gr32;
  else
    depthFormat = hasAlpha ? ExportFormat::Ar32 : ExportFormat::R32;
  if (depthFormat == ExportFormat::Ar32) {
    // As for colours: the second value is alpha.
    std::swap(depth.values[1], depth.values[3]);
    depth.enable = 3;
  }
  exports.push_back(depth);
}

// --- Colours

Error FragmentExport::addColor(IRBuilder<> &b, const FragmentOutputs &outputs, unsigned location,
                               Exports &exports) {
  const FragmentOutputs::Color &color = outputs.colors[location];
  const ColorTarget &target = state.graphics.targets[location];
  bool forCoverage = location == 0 && alphaForCoverage;
  if (!FragmentOutputs::isWritten(color) || (!forCoverage && (!target.format || !target.writeMask)))
    return Error::success();
  bool usesAlpha = color[3] && (forCoverage || target.blendSrcAlphaToColor);
  std::optional<ExportFormat> format =
      chooseExportFormat(target.format, {target.blendEnable, usesAlpha, rbPlus});
  if (!format)
    return unsupported("colour target " + Twine(location) + ": format " + toString(target.format) +
                       " cannot be rendered to");
  // Nothing but the coverage takes part.
  if (*format == ExportFormat::Zero)
    format = ExportFormat::Ar32;
  unsigned needed = (channelMask(target.format) & target.writeMask) | (usesAlpha ? 0x8 : 0);
  Export result = convert(b, *format, color, needed, target.format.kind == NumericKind::Sint);
  if (!result.enable)
    return Error::success();
  result.target = targetColor0 + static_cast<unsigned>(colorFormats.size());
  exports.push_back(result);
  colorFormats.push_back(*format);
  shaderMask[location] = exportedComponents(*format);
  return Error::success();
}

/// HW(gfx11+): the two sources are exported interleaved: of a pair of lanes, the first export holds
/// both sources of the even pixel, the second those of the odd one.
///   lane           0          1
///   before   a: a(0)  b: b(0)     a: a(1)  b: b(1)
///   after    first: a(0)          first: b(0)
///            second: a(1)         second: b(1)
void FragmentExport::swizzle(IRBuilder<> &b, const Export &first, const Export &second,
                             Exports &exports) {
  Value *lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {b.getInt32(~0u), b.getInt32(0)});
  if (waveSizeOf(function, state) == 64)
    lane = b.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {b.getInt32(~0u), lane});
  Value *isOdd = b.CreateTrunc(lane, b.getInt1Ty());
  constexpr unsigned swapPairs = 1 | 0 << 2 | 3 << 4 | 2 << 6; // quad permutation
  Type *i32 = b.getInt32Ty();
  auto fromNeighbour = [&](Value *value) {
    return b.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {i32},
                             {PoisonValue::get(i32), value, b.getInt32(swapPairs), b.getInt32(0xF),
                              b.getInt32(0xF), b.getTrue()});
  };
  // A lane that is off still carries a source of its neighbour, so helpers have to take part.
  auto inWholeQuads = [&](Value *value) {
    value = b.CreateIntrinsic(Intrinsic::amdgcn_wqm, {i32}, {value});
    return b.CreateBitCast(value, b.getFloatTy());
  };
  auto word = [&](const Export &source, unsigned i) -> Value * {
    return source.values[i] ? b.CreateBitCast(source.values[i], i32) : PoisonValue::get(i32);
  };
  Export even, odd;
  even.target = targetDualSource0;
  odd.target = targetDualSource1;
  even.enable = odd.enable = first.enable | second.enable;
  for (unsigned i = 0; i < 4; ++i) {
    if (!(even.enable >> i & 1))
      continue;
    Value *a = word(first, i), *other = word(second, i);
    Value *aSwapped = fromNeighbour(a);
    Value *otherSwapped = fromNeighbour(other);
    even.values[i] = inWholeQuads(b.CreateSelect(isOdd, otherSwapped, a));
    odd.values[i] = inWholeQuads(b.CreateSelect(isOdd, other, aSwapped));
  }
  exports.push_back(even);
  exports.push_back(odd);
}

/// Blending with two sources. \p exports: as separate exports (gfx10; later generations when a
/// dynamic state turns it off); \p swizzled: as gfx11+ takes them.
Error FragmentExport::addDualSource(IRBuilder<> &b, const FragmentOutputs &outputs,
                                    Exports &exports, Exports &swizzled) {
  const ColorTarget &target = state.graphics.targets[0];
  FragmentOutputs::Color first = outputs.colors[0], second = outputs.second;
  bool written = FragmentOutputs::isWritten(first) || FragmentOutputs::isWritten(second);
  if (!written || !target.format || (!target.writeMask && !alphaForCoverage))
    return Error::success();
  // HW: both sources take up what else describes targets 0 and 1. The blend equation may turn out
  // to have one source only when the driver draws, and then the other targets would count.
  for (unsigned location = 1; location < outputs.colors.size(); ++location) {
    const ColorTarget &other = state.graphics.targets[location];
    if (FragmentOutputs::isWritten(outputs.colors[location]) && other.format && other.writeMask)
      return unsupported("two blend sources beside colour target " + Twine(location));
  }
  // Blending takes both, also one that the shader leaves undefined and that a factor of zero takes
  // out again: it must be there, and no NaN.
  for (FragmentOutputs::Color *source : {&first, &second})
    if (!FragmentOutputs::isWritten(*source))
      source->fill(ConstantFP::get(b.getFloatTy(), 0.0));
  bool hasAlpha = first[3] || second[3];
  std::optional<ExportFormat> format =
      chooseExportFormat(target.format, {/*blend=*/true, hasAlpha, rbPlus});
  if (!format)
    return unsupported("colour target 0: format " + toString(target.format) +
                       " cannot be rendered to");
  bool isSigned = target.format.kind == NumericKind::Sint;
  Export a = convert(b, *format, first, 0xF, isSigned);
  Export other = convert(b, *format, second, 0xF, isSigned);
  if (major >= 11)
    swizzle(b, a, other, swizzled);
  a.target = targetColor0;
  exports.push_back(a);
  other.target = targetColor0 + 1;
  exports.push_back(other);
  colorFormats.assign({*format, *format});
  shaderMask[0] = shaderMask[1] = exportedComponents(*format);
  return Error::success();
}

Error FragmentExport::addColors(IRBuilder<> &b, const FragmentOutputs &outputs, Exports &exports) {
  for (unsigned location = 0; location < outputs.colors.size(); ++location)
    KILN_TRY(addColor(b, outputs, location, exports));
  return Error::success();
}

// --- Instructions

void FragmentExport::emitAll(IRBuilder<> &b, const Exports &exports) {
  for (const Export &e : exports) {
    Value *done = b.getInt1(&e == &exports.back());
    if (e.packed && major < 11) {
      Type *pair = FixedVectorType::get(b.getHalfTy(), 2);
      auto dword = [&](unsigned i) { return e.values[i] ? e.values[i] : PoisonValue::get(pair); };
      // Each bit of the mask is one of the four components here.
      unsigned enable = (e.enable & 1 ? 0x3 : 0) | (e.enable & 2 ? 0xC : 0);
      b.CreateIntrinsic(Intrinsic::amdgcn_exp_compr, {pair},
                        {b.getInt32(e.target), b.getInt32(enable), dword(0), dword(1), done, done});
      continue;
    }
    auto value = [&](unsigned i) -> Value * {
      return e.values[i] ? b.CreateBitCast(e.values[i], b.getFloatTy())
                         : PoisonValue::get(b.getFloatTy());
    };
    std::array<Value *, 4> values;
    for (unsigned i = 0; i < 4; ++i)
      values[i] = value(i);
    b.CreateIntrinsic(Intrinsic::amdgcn_exp, {b.getFloatTy()},
                      {b.getInt32(e.target), b.getInt32(e.enable), values[0], values[1], values[2],
                       values[3], done, done});
  }
}

/// HW: a wave that kills pixels reports the rest with an export; its value reaches no target.
void FragmentExport::addNeeded(IRBuilder<> &b, Needs needs, Exports &exports) {
  const bool lacksColor = needs == Needs::Color && colorFormats.empty();
  if (needs == Needs::Nothing || (!exports.empty() && !lacksColor))
    return;
  dummy = exports.empty();
  Export nothing;
  nothing.target = targetColor0;
  nothing.enable = 1;
  nothing.values[0] = ConstantFP::get(b.getFloatTy(), 0.0);
  exports.push_back(nothing);
  colorFormats.push_back(ExportFormat::R32);
  // Every export belongs to a target: beside others to one that nothing can be written to, if any.
  size_t location = 0;
  while (!dummy && location + 1 < shaderMask.size() && state.graphics.targets[location].format &&
         state.graphics.targets[location].writeMask)
    ++location;
  shaderMask[location] = 1;
}

Error FragmentExport::emit(IRBuilder<> &b, const FragmentOutputs &outputs, Needs needs) {
  const GraphicsState &graphics = state.graphics;
  alphaForCoverage = graphics.cbState.alphaToCoverageEnable && outputs.colors[0][3];
  Exports exports;
  addDepth(b, outputs, exports);
  // A shader without the second source has nothing to choose from.
  bool isDynamic =
      graphics.cbState.dualSourceBlendDynamic && FragmentOutputs::isWritten(outputs.second);
  Exports swizzled = exports;
  if (graphics.cbState.dualSourceBlendEnable || isDynamic) {
    KILN_TRY(addDualSource(b, outputs, exports, swizzled));
  } else if (Error error = addColors(b, outputs, exports)) {
    return error;
  }
  addNeeded(b, needs, exports);
  bool hasSwizzled = swizzled.size() >= 2;
  if (!hasSwizzled || !isDynamic) {
    emitAll(b, hasSwizzled ? swizzled : exports);
    return Error::success();
  }
  // The driver says before each draw which equation there is.
  Value *composite = createOp(b, OpId::SpecialUserDataOp, b.getInt32Ty(),
                              {b.getInt32(pal::abi::userdata::compositeData)});
  Value *isDual = b.CreateTrunc(b.CreateLShr(composite, compositeDualSourceBit), b.getInt1Ty());
  BasicBlock *start = b.GetInsertBlock();
  BasicBlock *end = start->splitBasicBlock(b.GetInsertPoint(), "exported");
  BasicBlock *dual = BasicBlock::Create(b.getContext(), "export.dual", &function, end);
  BasicBlock *plain = BasicBlock::Create(b.getContext(), "export.plain", &function, end);
  start->getTerminator()->eraseFromParent();
  b.SetInsertPoint(start);
  b.CreateCondBr(isDual, dual, plain);
  for (BasicBlock *block : {dual, plain}) {
    b.SetInsertPoint(block);
    emitAll(b, block == dual ? swizzled : exports);
    b.CreateBr(end);
  }
  b.SetInsertPoint(end->getTerminator());
  return Error::success();
}

// --- Registers

void FragmentExport::writeRegisters(Module &module) {
  constexpr StringLiteral formats[] = {
      key::col0ExportFormat, key::col1ExportFormat, key::col2ExportFormat, key::col3ExportFormat,
      key::col4ExportFormat, key::col5ExportFormat, key::col6ExportFormat, key::col7ExportFormat};
  constexpr StringLiteral masks[] = {key::output0Enable, key::output1Enable, key::output2Enable,
                                     key::output3Enable, key::output4Enable, key::output5Enable,
                                     key::output6Enable, key::output7Enable};
  for (unsigned i = 0; i < std::size(formats); ++i) {
    bool used = i < colorFormats.size();
    setGraphics(module, key::spiShaderColFormat, formats[i],
                uint64_t(used ? static_cast<unsigned>(colorFormats[i]) : 0));
    setGraphics(module, key::cbShaderMask, masks[i], uint64_t(shaderMask[i]));
  }
  setGraphics(module, key::spiShaderZFormat, uint64_t(static_cast<unsigned>(depthFormat)));
  auto setDepth = [&](StringRef field, bool value) {
    setGraphics(module, key::dbShaderControl, field, uint64_t(value));
  };
  setDepth(key::zExportEnable, writesDepth);
  setDepth(key::stencilTestValExportEnable, writesStencil);
  setDepth(key::maskExportEnable, writesMask);
  setDepth(key::alphaToMaskDisable, !state.graphics.cbState.alphaToCoverageEnable);
  if (dummy)
    setRegister(module, {key::psDummyExport}, uint64_t(1));
  function.addFnAttr("amdgpu-color-export", colorFormats.empty() ? "0" : "1");
  function.addFnAttr("amdgpu-depth-export", depthFormat == ExportFormat::Zero ? "0" : "1");
}

} // namespace lgc
