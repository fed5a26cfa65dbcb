//===- LowerRayTracing.cpp - a ray tracing pipeline -> one kernel ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shaders become functions of (trace, payload, record), where a trace is the memory of a ray
/// (RayTracing.c), and are called by switches over the ids that records hold. The kernel calls a
/// ray generation shader. Tracing and what it leads to is inlined, by lgc-lower-ray-queries, which
/// takes every function with the prefix "kilnRay". What is called at many places or calls itself
/// is a function of its own.
///   before: define void @lgc.shader.rays.0()            (ray generation)
///             call void @lgc.ray.trace(%as, ..., %payload)
///   after:  define void @lgc.shader.CS()
///             switch i32 %id [ 1: call void @kilnRayShader.0(null, null, %record) ]
///           define void @kilnRayShader.0(ptr %trace, ptr %payload, i64 %record)
///             call void @kilnRayDoTrace(%as, ..., %payload, i32 1)
/// After inlining of shaders' own functions, when each shader is one.
#include "lgc/Ops.h"
#include "lgc/RayLaunch.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "lgc/lowering/rays/RayQueryCode.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

#define KILN_RAYS(name, value) constexpr uint32_t name = value;
#include "lgc/lowering/rays/RayQuery.def"
#undef KILN_RAYS

/// SPIR-V "Ray Flags"
constexpr uint32_t flagSkipTriangles = 0x100, flagSkipAabbs = 0x200;
/// At so many places an operation is inlined.
constexpr unsigned inlinedCalls = 2;

struct Shader {
  Function *function;
  RayShader mark;
};

class RayTracingLowering {
public:
  RayTracingLowering(Module &module, const PipelineState &state)
      : module(module), context(module.getContext()), state(state) {
    i32 = Type::getInt32Ty(context);
    i64 = Type::getInt64Ty(context);
    f32 = Type::getFloatTy(context);
    none = Type::getVoidTy(context);
    memory = PointerType::get(context, AddrSpace::Private);
  }
  void run(ArrayRef<Function *> entries);

private:
  Function *create(StringRef name, Type *result, ArrayRef<Type *> types);
  FunctionCallee code(StringRef name, Type *result, ArrayRef<Type *> types);
  Value *callCode(IRBuilder<> &b, StringRef name, Type *result, ArrayRef<Value *> args);
  Value *launchAddress(IRBuilder<> &b);
  Value *load(IRBuilder<> &b, Value *address, uint32_t offset, Type *type);
  Value *launchWord(IRBuilder<> &b, uint32_t offset, Type *type);
  Value *launchId(IRBuilder<> &b);
  Function *makeShaderFunction(Shader &shader, unsigned number);
  void makeSwitch(StringRef name, ShaderStage stage);
  Function *makeOperation(OpId id, StringRef name, ShaderStage recursive);
  void makeTrace();
  void makeCall();
  void makeReport();
  void makeKernel();
  void lowerShader(const Shader &shader);
  void lowerEnd(RayEndOp &op);
  void lowerReport(RayReportOp &op, const Shader &shader);
  Value *value(IRBuilder<> &b, RayValueOp &op, const Shader &shader);

  Module &module;
  LLVMContext &context;
  const PipelineState &state;
  Type *i32, *i64, *f32, *none, *memory;
  SmallVector<Shader, 8> shaders;
  Function *trace = nullptr, *call = nullptr, *report = nullptr; ///< of the operations
};

Function *RayTracingLowering::create(StringRef name, Type *result, ArrayRef<Type *> types) {
  auto *function = Function::Create(FunctionType::get(result, types, false),
                                    GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::Convergent);
  BasicBlock::Create(context, "", function);
  return function;
}

/// A function of RayTracing.c.
FunctionCallee RayTracingLowering::code(StringRef name, Type *result, ArrayRef<Type *> types) {
  return module.getOrInsertFunction(name, FunctionType::get(result, types, false));
}

Value *RayTracingLowering::callCode(IRBuilder<> &b, StringRef name, Type *result,
                                    ArrayRef<Value *> args) {
  SmallVector<Type *, 16> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  return b.CreateCall(code(name, result, types), args);
}

Value *RayTracingLowering::launchAddress(IRBuilder<> &b) {
  Value *pair = createOp(b, OpId::UserDataOp, FixedVectorType::get(i32, 2),
                         {b.getInt32(state.rays.launchUserData)});
  return b.CreateBitCast(pair, i64);
}

/// Of memory that no launch writes.
Value *RayTracingLowering::load(IRBuilder<> &b, Value *address, uint32_t offset, Type *type) {
  Value *base = b.CreateIntToPtr(address, b.getPtrTy(AddrSpace::Constant));
  LoadInst *result =
      b.CreateAlignedLoad(type, b.CreateConstGEP1_32(b.getInt8Ty(), base, offset), Align(4));
  result->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return result;
}

/// What the block of the launch holds.
Value *RayTracingLowering::launchWord(IRBuilder<> &b, uint32_t offset, Type *type) {
  return load(b, launchAddress(b), offset, type);
}

/// From the numbers of the workgroup and of the invocation in it.
Value *RayTracingLowering::launchId(IRBuilder<> &b) {
  auto builtin = [&](BuiltIn id) {
    Value *vector = createOp(b, OpId::BuiltinOp, FixedVectorType::get(i32, 3),
                             {b.getInt32(static_cast<uint32_t>(id))});
    return b.CreateExtractElement(vector, uint64_t(0));
  };
  auto word = [&](uint32_t offset) { return launchWord(b, offset, i32); };
  // Quotient and remainder.
  auto divide = [&](Value *number, uint32_t by, uint32_t factor, uint32_t shift) {
    Value *wide = b.CreateZExt(number, i64);
    Value *product = b.CreateMul(wide, b.CreateZExt(word(factor), i64));
    Value *quotient = b.CreateTrunc(b.CreateLShr(product, b.CreateZExt(word(shift), i64)), i32);
    return std::pair(quotient, b.CreateSub(number, b.CreateMul(quotient, word(by))));
  };
  auto [row, column] = divide(builtin(BuiltIn::WorkgroupId), launch::launchRow,
                              launch::launchRowFactor, launch::launchRowShift);
  auto [layer, rowOfLayer] =
      divide(row, launch::launchLayerRows, launch::launchLayerFactor, launch::launchLayerShift);
  Value *local = builtin(BuiltIn::LocalInvocationId);
  Value *widthShift = word(launch::launchBlockShift);
  Value *heightShift = b.CreateSub(b.getInt32(launch::launchGroupShift), widthShift);
  Value *y = b.CreateLShr(local, widthShift);
  Value *x = b.CreateSub(local, b.CreateShl(y, widthShift));
  Value *id = PoisonValue::get(FixedVectorType::get(i32, 3));
  id = b.CreateInsertElement(id, b.CreateAdd(b.CreateShl(column, widthShift), x), uint64_t(0));
  id = b.CreateInsertElement(id, b.CreateAdd(b.CreateShl(rowOfLayer, heightShift), y), 1);
  return b.CreateInsertElement(id, layer, 2);
}

/// The body with its parameters. Any-hit shaders return an lgc::RayEnd.
Function *RayTracingLowering::makeShaderFunction(Shader &shader, unsigned number) {
  Function &old = *shader.function;
  const bool isAnyHit = shader.mark.stage == ShaderStage::AnyHit;
  auto *function =
      Function::Create(FunctionType::get(isAnyHit ? i32 : none, {memory, memory, i64}, false),
                       GlobalValue::InternalLinkage, "kilnRayShader." + Twine(number), module);
  function->setAttributes(old.getAttributes());
  function->splice(function->begin(), &old);
  if (isAnyHit)
    for (BasicBlock &block : *function)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
        ReturnInst::Create(context, ConstantInt::get(i32, 0), ret->getIterator());
        ret->eraseFromParent();
      }
  function->copyMetadata(&old, 0);
  old.eraseFromParent();
  shader.function = function;
  return function;
}

/// Defines what RayTracing.c calls shaders of a stage by.
void RayTracingLowering::makeSwitch(StringRef name, ShaderStage stage) {
  Type *result = stage == ShaderStage::AnyHit ? i32 : none;
  Function *function = create(name, result, {i32, memory, memory, i64});
  function->setLinkage(GlobalValue::ExternalLinkage); // the code is linked to it
  IRBuilder<> b(&function->getEntryBlock());
  BasicBlock *done = BasicBlock::Create(context, "", function);
  SwitchInst *choice = b.CreateSwitch(function->getArg(0), done);
  IRBuilder<> end(done);
  PHINode *ending = result == i32 ? end.CreatePHI(i32, 2) : nullptr;
  if (ending)
    ending->addIncoming(b.getInt32(0), &function->getEntryBlock());
  for (const Shader &shader : shaders) {
    if (shader.mark.stage != stage)
      continue;
    BasicBlock *block = BasicBlock::Create(context, "", function, done);
    choice->addCase(b.getInt32(shader.mark.id), block);
    b.SetInsertPoint(block);
    Value *value = b.CreateCall(shader.function,
                                {function->getArg(1), function->getArg(2), function->getArg(3)});
    if (ending)
      ending->addIncoming(value, block);
    b.CreateBr(done);
  }
  if (ending)
    end.CreateRet(ending);
  else
    end.CreateRetVoid();
}

/// The function that an operation calls, with what it takes and one number more; null: there is no
/// such operation. \p recursive: a stage that makes calls of itself with it, besides Miss for
/// ClosestHit.
Function *RayTracingLowering::makeOperation(OpId id, StringRef name, ShaderStage recursive) {
  unsigned count = 0;
  bool isReal = false;
  SmallVector<Type *, 12> types;
  for (const Shader &shader : shaders)
    for (Instruction &inst : instructions(*shader.function)) {
      const auto *op = dyn_cast<CallInst>(&inst);
      if (!op || opIdOf(*op) != id)
        continue;
      isReal |= ++count > inlinedCalls || shader.mark.stage == recursive ||
                (recursive == ShaderStage::ClosestHit && shader.mark.stage == ShaderStage::Miss);
      types.assign(op->getFunctionType()->param_begin(), op->getFunctionType()->param_end());
    }
  if (count == 0)
    return nullptr;
  if (id == OpId::RayReportOp)
    types.append({memory, memory}); // trace, payload
  else if (id == OpId::RayTraceOp)
    types.push_back(i32); // depth
  Function *function = create(((isReal ? "rays." : "kilnRayDo.") + name).str(),
                              id == OpId::RayReportOp ? i32 : none, types);
  if (isReal) {
    function->addFnAttrs(hardwareAttributes(context, state, pal::abi::HardwareStage::Cs));
    function->addFnAttr(Attribute::NoInline);
    function->setCallingConv(CallingConv::AMDGPU_Gfx);
  }
  return function;
}

void RayTracingLowering::makeTrace() {
  trace = makeOperation(OpId::RayTraceOp, "trace", ShaderStage::ClosestHit);
  if (!trace)
    return;
  IRBuilder<> b(&trace->getEntryBlock());
  auto variable = [&](uint32_t dwords, const Twine &name) {
    AllocaInst *result =
        b.CreateAlloca(ArrayType::get(i32, dwords), AddrSpace::Private, nullptr, name);
    result->setAlignment(Align(16));
    return result;
  };
  Value *ray = variable(traceDwords, "ray"),
        *stack = variable(rayStackDwords(state.target), "stack");
  cast<AllocaInst>(stack)->setMetadata(rayStackMark, MDNode::get(context, {}));
  BasicBlock *body = BasicBlock::Create(context, "", trace);
  BasicBlock *done = BasicBlock::Create(context, "", trace);
  Value *depth = trace->getArg(11);
  b.CreateCondBr(b.CreateICmpUGT(depth, b.getInt32(state.rays.maxRecursionDepth)), done, body);
  b.SetInsertPoint(body);
  const uint32_t flags = (state.rays.skipTriangles ? flagSkipTriangles : 0) |
                         (state.rays.skipAabbs ? flagSkipAabbs : 0);
  SmallVector<Value *, 16> args = {ray, stack, launchAddress(b), b.getInt32(flags), depth};
  for (unsigned i = 0; i < 11; ++i)
    args.push_back(trace->getArg(i));
  callCode(b, "kilnRayTrace", none, args);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

void RayTracingLowering::makeCall() {
  call = makeOperation(OpId::RayCallOp, "call", ShaderStage::Callable);
  if (!call)
    return;
  IRBuilder<> b(&call->getEntryBlock());
  callCode(b, "kilnRayExecute", none, {launchAddress(b), call->getArg(0), call->getArg(1)});
  b.CreateRetVoid();
}

void RayTracingLowering::makeReport() {
  report = makeOperation(OpId::RayReportOp, "report", ShaderStage::Count);
  if (!report)
    return;
  IRBuilder<> b(&report->getEntryBlock());
  b.CreateRet(
      callCode(b, "kilnRayReport", i32,
               {report->getArg(2), report->getArg(3), report->getArg(0), report->getArg(1)}));
}

/// `void @lgc.shader.CS()`: invocations outside of the launch do nothing.
void RayTracingLowering::makeKernel() {
  Function &kernel = createHardwareFunction(module, state, pal::abi::HardwareStage::Cs);
  IRBuilder<> b(BasicBlock::Create(context, "", &kernel));
  Value *id = launchId(b);
  Value *size = launchWord(b, launch::launchSize, FixedVectorType::get(i32, 3));
  Value *inside = b.getTrue();
  for (uint64_t i = 0; i < 3; ++i) {
    Value *place = b.CreateExtractElement(id, i);
    Value *isBelow = b.CreateICmpULT(place, b.CreateExtractElement(size, i));
    inside = b.CreateAnd(inside, isBelow);
  }
  BasicBlock *body = BasicBlock::Create(context, "", &kernel);
  BasicBlock *done = BasicBlock::Create(context, "", &kernel);
  b.CreateCondBr(inside, body, done);
  b.SetInsertPoint(body);
  Value *record = launchWord(b, launch::launchRayGen, i64);
  SwitchInst *choice = b.CreateSwitch(load(b, record, launch::recordGeneral, i32), done);
  for (const Shader &shader : shaders) {
    if (shader.mark.stage != ShaderStage::RayGen)
      continue;
    BasicBlock *block = BasicBlock::Create(context, "", &kernel, done);
    choice->addCase(b.getInt32(shader.mark.id), block);
    b.SetInsertPoint(block);
    Constant *nothing = ConstantPointerNull::get(cast<PointerType>(memory));
    b.CreateCall(shader.function, {nothing, nothing, record});
    b.CreateBr(done);
  }
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

Value *RayTracingLowering::value(IRBuilder<> &b, RayValueOp &op, const Shader &shader) {
  const auto what = static_cast<RayValue>(op.constArg(0));
  const auto element = static_cast<uint32_t>(op.constArg(1));
  Value *ray = shader.function->getArg(0);
  const bool isCommitted = shader.mark.stage == ShaderStage::ClosestHit;
  Value *committed = b.getInt1(isCommitted);
  Type *type = op.getType();
  auto ofRay = [&](StringRef name) { return callCode(b, name, type, {ray}); };
  auto ofHit = [&](StringRef name) { return callCode(b, name, type, {ray, committed}); };
  auto vector = [&](function_ref<Value *(uint32_t)> number) {
    Value *result = PoisonValue::get(type);
    for (uint32_t i = 0; i < 3; ++i)
      result = b.CreateInsertElement(result, number(i), i);
    return result;
  };
  auto matrix = [&](bool toWorld) {
    return vector([&](uint32_t row) {
      return callCode(b, "kilnRayMatrix", f32,
                      {ray, committed, b.getInt1(toWorld), b.getInt32(row), b.getInt32(element)});
    });
  };
  switch (what) {
  case RayValue::LaunchId:
    return launchId(b);
  case RayValue::LaunchSize:
    return launchWord(b, launch::launchSize, type);
  case RayValue::Origin:
    return ofRay("kilnRayOrigin");
  case RayValue::Direction:
    return ofRay("kilnRayDirection");
  case RayValue::ObjectOrigin:
    return ofHit("kilnRayObjectOrigin");
  case RayValue::ObjectDirection:
    return ofHit("kilnRayObjectDirection");
  case RayValue::TMin:
    return ofRay("kilnRayTMin");
  case RayValue::TMax: // that of a candidate is known to any-hit shaders only
    return callCode(b, "kilnRayT", type,
                    {ray, b.getInt1(shader.mark.stage != ShaderStage::AnyHit)});
  case RayValue::CustomIndex:
    return ofHit("kilnRayCustomIndex");
  case RayValue::Instance:
    return ofHit("kilnRayInstance");
  case RayValue::Primitive:
    return ofHit("kilnRayPrimitive");
  case RayValue::Geometry:
    return ofHit("kilnRayGeometry");
  case RayValue::ObjectToWorld:
    return matrix(/*toWorld=*/true);
  case RayValue::WorldToObject:
    return matrix(/*toWorld=*/false);
  case RayValue::HitKind:
    return ofRay("kilnRayHitKind");
  case RayValue::Positions:
    return vector([&](uint32_t i) {
      return callCode(b, "kilnRayPosition", f32,
                      {ray, committed, b.getInt32(element), b.getInt32(i)});
    });
  case RayValue::Flags:
    return ofRay("kilnRayGivenFlags");
  case RayValue::CullMask:
    return ofRay("kilnRayMask");
  case RayValue::Count:
    break;
  }
  reportError(context, internalError("lgc.ray.value: unknown number"));
  return PoisonValue::get(type);
}

/// call lgc.ray.end(n); unreachable -> ret n
void RayTracingLowering::lowerEnd(RayEndOp &op) {
  IRBuilder<> b(&op);
  Instruction *end = b.CreateRet(b.getInt32(static_cast<uint32_t>(op.constArg(0))));
  BasicBlock &block = *op.getParent();
  while (&block.back() != end)
    block.back().eraseFromParent();
}

/// A shader ends where its report ends the ray.
void RayTracingLowering::lowerReport(RayReportOp &op, const Shader &shader) {
  IRBuilder<> b(&op);
  CallInst *answer = b.CreateCall(report, {op.getArgOperand(0), op.getArgOperand(1),
                                           shader.function->getArg(0), shader.function->getArg(1)});
  answer->setCallingConv(report->getCallingConv());
  op.replaceAllUsesWith(b.CreateIsNotNull(answer));
  Value *isEnd = b.CreateICmpEQ(answer, b.getInt32(2));
  Instruction *end = SplitBlockAndInsertIfThen(isEnd, &op, /*Unreachable=*/true);
  ReturnInst::Create(context, nullptr, end->getIterator());
  end->eraseFromParent();
  op.eraseFromParent();
}

void RayTracingLowering::lowerShader(const Shader &shader) {
  SmallVector<CallInst *, 16> ops;
  for (Instruction &inst : instructions(*shader.function))
    if (auto *op = dyn_cast<CallInst>(&inst);
        op && opIdOf(*op) >= OpId::RayValueOp && opIdOf(*op) <= OpId::RayEndOp)
      ops.push_back(op);
  for (CallInst *op : ops) {
    IRBuilder<> b(op);
    Value *result = nullptr;
    switch (opIdOf(*op)) {
    case OpId::RayValueOp:
      result = value(b, *cast<RayValueOp>(op), shader);
      break;
    case OpId::RayPayloadOp:
      result = shader.function->getArg(1);
      break;
    case OpId::RayAttributesOp: {
      const bool isCommitted = shader.mark.stage == ShaderStage::ClosestHit;
      result = b.CreateConstGEP1_32(b.getInt8Ty(), shader.function->getArg(0),
                                    isCommitted ? traceCommittedAttributes : traceAttributes);
      break;
    }
    case OpId::RayRecordOp:
      result = b.CreateIntToPtr(
          b.CreateAdd(shader.function->getArg(2), b.getInt64(launch::recordData)), op->getType());
      break;
    case OpId::RayReportOp:
      lowerReport(*cast<RayReportOp>(op), shader);
      continue;
    case OpId::RayEndOp:
      lowerEnd(*cast<RayEndOp>(op));
      continue;
    default: { // RayTraceOp, RayCallOp
      SmallVector<Value *, 12> args(op->args());
      const bool isTrace = opIdOf(*op) == OpId::RayTraceOp;
      if (isTrace && shader.mark.stage == ShaderStage::RayGen)
        args.push_back(b.getInt32(1));
      else if (isTrace)
        args.push_back(b.CreateAdd(callCode(b, "kilnRayDepth", i32, {shader.function->getArg(0)}),
                                   b.getInt32(1)));
      Function *callee = isTrace ? trace : call;
      b.CreateCall(callee, args)->setCallingConv(callee->getCallingConv());
      break;
    }
    }
    if (result)
      op->replaceAllUsesWith(result);
    op->eraseFromParent();
  }
}

void RayTracingLowering::run(ArrayRef<Function *> entries) {
  for (Function *entry : entries)
    shaders.push_back({entry, *rayShaderOf(*entry)});
  unsigned number = 0;
  for (Shader &shader : shaders)
    makeShaderFunction(shader, number++);
  makeTrace();
  makeCall();
  makeReport();
  for (const Shader &shader : shaders)
    lowerShader(shader);
  makeSwitch("kilnRayCallIntersection", ShaderStage::Intersect);
  makeSwitch("kilnRayCallAnyHit", ShaderStage::AnyHit);
  makeSwitch("kilnRayCallClosestHit", ShaderStage::ClosestHit);
  makeSwitch("kilnRayCallMiss", ShaderStage::Miss);
  makeSwitch("kilnRayCallCallable", ShaderStage::Callable);
  makeKernel();
}

} // namespace

PreservedAnalyses LowerRayTracingPass::run(Module &module, ModuleAnalysisManager &mam) {
  SmallVector<Function *, 8> shaders;
  for (Function *entry : entryFunctions(module))
    if (rayShaderOf(*entry))
      shaders.push_back(entry);
  if (shaders.empty())
    return PreservedAnalyses::all();
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  RayTracingLowering(module, state).run(shaders);
  return PreservedAnalyses::none();
}

} // namespace lgc
