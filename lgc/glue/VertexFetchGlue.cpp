//===- VertexFetchGlue.cpp - fetch of attributes in front of a part -------===//
// SPDX-License-Identifier: MIT
/// \file
/// What must hold between the hardware's start and the part's first instruction: every start
/// register keeps its value but VertexId, which becomes the vertex index; EXEC as well where it
/// means something. LLVM assumes nothing else at an entry (M0, VCC, SCC), and nothing here changes
/// MODE.
#include "lgc/glue/VertexFetchGlue.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/direct/Select.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/VertexFetch.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

CallingConv::ID callingConvention(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Hs:
    return CallingConv::AMDGPU_HS;
  case HardwareStage::Vs:
    return CallingConv::AMDGPU_VS;
  default:
    return CallingConv::AMDGPU_GS;
  }
}

/// The registers of the wave's start as the fetch wants them.
class StartRegisters : public VertexFetchSource {
public:
  StartRegisters(Function &function, const FetchSignature &signature, bool isGfx12Plus)
      : function(function), signature(signature), isGfx12Plus(isGfx12Plus) {}

  Value *vertexIndex(IRBuilder<> &b) override {
    if (!index)
      index = addBase(b, vgprBits(b, signature.vertexId), sgpr(signature.baseVertex));
    return index;
  }
  Value *instanceIndex(IRBuilder<> &b, uint32_t divisor) override {
    Value *id = vgprBits(b, signature.instanceId);
    if (divisor == 1)
      return addBase(b, id, sgpr(signature.baseInstance));
    return createInstanceIndex(b, id, sgpr(signature.baseInstance), divisor);
  }
  Value *vertexBufferTable() override;

  Argument *sgpr(uint32_t number) { return function.getArg(number); }
  Argument *vgpr(uint32_t number) { return function.getArg(signature.sgprs + number); }

private:
  Value *vgprBits(IRBuilder<> &b, uint32_t number) {
    return b.CreateBitCast(vgpr(number), b.getInt32Ty());
  }
  Value *addBase(IRBuilder<> &b, Value *id, Value *base) const;

  Function &function;
  const FetchSignature &signature;
  const bool isGfx12Plus;
  Value *index = nullptr, *table = nullptr;
};

/// HW(gfx12): an SGPR that a vector instruction has read is a hazard to the part
/// (PartBoundaryWaits.h), M0 is none. That costs an instruction, where the waits are four or eight.
Value *StartRegisters::addBase(IRBuilder<> &b, Value *id, Value *base) const {
  if (!isGfx12Plus)
    return b.CreateAdd(id, base, "index");
  Type *i32 = b.getInt32Ty();
  FunctionType *type = FunctionType::get(i32, {i32, i32}, false);
  return b.CreateCall(InlineAsm::get(type, direct::glue::addByM0Text, "=v,s,v,~{m0}",
                                     /*hasSideEffects=*/false),
                      {base, id}, "index");
}

/// PAL places code and tables in one range of 4 GiB.
Value *StartRegisters::vertexBufferTable() {
  if (!table) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> b(&entry, entry.getFirstInsertionPt());
    // Both by hand. LLVM would take the argument's register for the pair's low half and copy it
    // back at the end, and HW(gfx12) extends the sign of bit 47, which no program address has.
    Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
    Value *pc =
        b.CreateCall(InlineAsm::get(FunctionType::get(i64, false), direct::glue::getPcText, "=s",
                                    /*hasSideEffects=*/true));
    FunctionType *copy = FunctionType::get(i32, {i32}, false);
    Value *low = b.CreateCall(InlineAsm::get(copy, direct::glue::moveText, "=s,s",
                                             /*hasSideEffects=*/true),
                              {sgpr(signature.vertexBufferTable)});
    Value *pair = b.CreateBitCast(pc, FixedVectorType::get(i32, 2));
    pair = b.CreateInsertElement(pair, low, b.getInt32(0));
    table = b.CreateIntToPtr(b.CreateBitCast(pair, b.getInt64Ty()), b.getPtrTy(AddrSpace::Constant),
                             "vertex.buffers");
  }
  return table;
}

Function &createFunction(Module &module, const FetchSignature &signature,
                         const PipelineState &state) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *f32 = Type::getFloatTy(context);
  SmallVector<Type *, 64> arguments(signature.sgprs, i32);
  arguments.append(signature.vgprs, f32);
  // LLVM returns integers in SGPRs and floats in VGPRs, both from number 0 on.
  SmallVector<Type *, 64> results(signature.sgprs, i32);
  results.append(signature.vgprCount(), f32);
  auto *function = Function::Create(
      FunctionType::get(StructType::get(context, results), arguments, false),
      GlobalValue::ExternalLinkage, pal::abi::entryPointSymbol(signature.stage), module);
  function->setCallingConv(callingConvention(signature.stage));
  for (unsigned i = 0; i < signature.sgprs; ++i)
    function->addParamAttr(i, Attribute::InReg);
  function->addFnAttr("target-cpu", state.target);
  function->addFnAttr(partBoundaryAttribute, boundaryInFrontOfPart);
  function->addFnAttr("target-features", targetFeatures(signature.waveSize));
  return *function;
}

} // namespace

Error checkFetchSignature(const FetchSignature &signature) {
  const bool isVertexStage = signature.stage == HardwareStage::Hs ||
                             signature.stage == HardwareStage::Gs ||
                             signature.stage == HardwareStage::Vs;
  bool ok = isVertexStage && (signature.waveSize == 32 || signature.waveSize == 64);
  ok &= signature.sgprs <= maxGlueSgprs && signature.vgprs <= maxGlueVgprs &&
        signature.inputs.size() <= maxGlueVgprs && signature.vgprCount() <= maxGlueVgprs;
  for (uint32_t sgpr : {signature.vertexBufferTable, signature.baseVertex, signature.baseInstance})
    ok &= sgpr < signature.sgprs;
  for (uint32_t vgpr : {signature.vertexId, signature.instanceId})
    ok &= vgpr < signature.vgprs;
  uint32_t next = 0;
  for (const FetchSignature::Input &input : signature.inputs) {
    ok &= input.location >= next && input.location < Slot::GenericEnd && input.mask != 0 &&
          input.mask <= 0xF;
    next = input.location + 1;
  }
  if (!ok)
    return invalidInput("glue: impossible signature of vertex inputs");
  return Error::success();
}

void buildVertexFetchGlue(Module &module, const FetchSignature &signature,
                          const PipelineState &state) {
  Function &function = createFunction(module, signature, state);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", &function));
  // HW: merged stages start with EXEC of no meaning, and set it themselves. Lanes without a vertex
  // may load: what they find outside of a buffer reads as zero.
  if (signature.stage != HardwareStage::Vs)
    b.CreateIntrinsic(Intrinsic::amdgcn_init_exec, {}, {b.getInt64(~0ull)});
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  StartRegisters registers(function, signature, target && target->major >= 12);
  VertexFetch fetch(b, state, registers);
  for (const FetchSignature::Input &input : signature.inputs)
    fetch.fetch(input.location, input.mask);

  SmallVector<Value *, 64> results;
  for (const FetchSignature::Input &input : signature.inputs) {
    Type *type = input.type == FetchSignature::Input::Type::Float ? b.getFloatTy() : b.getInt32Ty();
    for (unsigned i = 0; i < VertexFetch::channelsPerSlot; ++i)
      if (input.mask >> i & 1) {
        Value *value = fetch.component(input.location, i, type);
        results.push_back(b.CreateBitCast(value, b.getFloatTy()));
      }
  }
  Value *result = PoisonValue::get(function.getReturnType());
  unsigned next = 0;
  auto add = [&](Value *value) { result = b.CreateInsertValue(result, value, next++); };
  for (uint32_t i = 0; i < signature.sgprs; ++i)
    add(registers.sgpr(i));
  for (uint32_t i = 0; i < signature.vgprs; ++i)
    add(i == signature.vertexId ? b.CreateBitCast(registers.vertexIndex(b), b.getFloatTy())
                                : registers.vgpr(i));
  for (Value *value : results)
    add(value);
  b.CreateRet(result);
  setHardwareStage(module, signature.stage, pal::abi::key::wavefrontSize, signature.waveSize);
}

} // namespace lgc
