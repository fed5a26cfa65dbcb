//===- ColorExportGlue.cpp - exports behind a fragment part ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The part's code falls through to this code with the values in v0 and up and EXEC as a fragment
/// shader has it at its exports: living invocations. Nothing else is known, and nothing else is
/// used. LLVM waits for all loads at the end of the part; lgc/machine/PartBoundaryWaits.h
/// for what else there is.
#include "lgc/glue/ColorExportGlue.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/fragment/FragmentExport.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

/// What the helpers of the lowering ask a state for: a pipeline with a fragment shader of this wave
/// size.
PipelineState fragmentState(const PipelineState &state, const ExportSignature &signature) {
  PipelineState result;
  result.target = state.target;
  result.graphics.stageMask = 1u << static_cast<unsigned>(ShaderStage::Fragment);
  result.graphics.shader(ShaderStage::Fragment).waveSize = signature.waveSize;
  result.graphics.targets = state.graphics.targets;
  result.graphics.cbState.alphaToCoverageEnable = state.graphics.cbState.alphaToCoverageEnable;
  result.graphics.cbState.dualSourceBlendEnable = state.graphics.cbState.dualSourceBlendEnable;
  result.graphics.cbState.dualSourceBlendDynamic = state.graphics.cbState.dualSourceBlendDynamic;
  return result;
}

bool isGfx11Plus(const PipelineState &state) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  return target && target->major >= 11;
}

Function &createFunction(Module &module, const ExportSignature &signature,
                         const PipelineState &state) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 40> arguments(signature.vgprCount(), Type::getFloatTy(context));
  auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), arguments, false),
                                    GlobalValue::ExternalLinkage,
                                    pal::abi::entryPointSymbol(HardwareStage::Ps), module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  function->addFnAttrs(hardwareAttributes(context, state, HardwareStage::Ps));
  function->addFnAttr(partBoundaryAttribute, boundaryBehindPart);
  // No argument is an input of the hardware that could be left out.
  function->addFnAttr("InitialPSInputAddr", std::to_string(0xFFFF));
  return *function;
}

/// The values as the shader had them.
class ArgumentReader {
public:
  ArgumentReader(Function &function, IRBuilder<> &b) : function(function), b(b) {}

  Value *color(const ExportSignature::Color &color) {
    const bool isFloat = color.type == ExportSignature::Color::Type::Float;
    Value *value = next();
    if (color.bits == 16) {
      value = b.CreateTrunc(b.CreateBitCast(value, b.getInt32Ty()), b.getInt16Ty());
      return isFloat ? b.CreateBitCast(value, b.getHalfTy()) : value;
    }
    return isFloat ? value : b.CreateBitCast(value, b.getInt32Ty());
  }
  Value *constant(const ExportSignature::Color &color, unsigned value) {
    if (color.type != ExportSignature::Color::Type::Float)
      return b.getIntN(color.bits, value);
    return ConstantFP::get(color.bits == 16 ? b.getHalfTy() : b.getFloatTy(), value);
  }
  Value *number() { return b.CreateBitCast(next(), b.getInt32Ty()); }
  Value *next() { return function.getArg(index++); }

private:
  Function &function;
  IRBuilder<> &b;
  unsigned index = 0;
};

FragmentOutputs readOutputs(Function &function, IRBuilder<> &b, const ExportSignature &signature) {
  FragmentOutputs outputs;
  ArgumentReader reader(function, b);
  for (const ExportSignature::Color &color : signature.colors) {
    FragmentOutputs::Color &place = color.index ? outputs.second : outputs.colors[color.location];
    for (unsigned i = 0; i < 4; ++i)
      if (color.mask >> i & 1)
        place[i] = reader.color(color);
      else if (color.written() >> i & 1)
        place[i] = reader.constant(color, color.ones >> i & 1);
  }
  if (signature.depth)
    outputs.depth = reader.next();
  if (signature.stencil)
    outputs.stencil = reader.number();
  if (signature.sampleMask)
    outputs.mask = reader.number();
  return outputs;
}

} // namespace

void buildColorExportGlue(Module &module, const ExportSignature &signature,
                          const PipelineState &state) {
  const PipelineState fragment = fragmentState(state, signature);
  Function &function = createFunction(module, signature, fragment);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", &function));
  IRBuilder<> end(b.CreateRetVoid());
  const FragmentOutputs outputs = readOutputs(function, end, signature);
  if (fragment.graphics.cbState.dualSourceBlendDynamic &&
      FragmentOutputs::isWritten(outputs.second))
    // The driver's word for it is in a register that the part has not kept.
    return reportError(module.getContext(),
                       unsupported("part: two blend sources as a dynamic state"));
  FragmentExport exporter(function, fragment);
  using Needs = FragmentExport::Needs;
  Needs needs = signature.needsExport ? Needs::Export : Needs::Nothing;
  // HW(gfx11+): there is no target for nothing, so the part's killed waves export a colour, if the
  // shader has any.
  if (signature.needsExport && !signature.colors.empty() && isGfx11Plus(state))
    needs = Needs::Color;
  if (Error error = exporter.emit(end, outputs, needs))
    return reportError(module.getContext(), std::move(error));
  exporter.writeRegisters(module);
}

} // namespace lgc
