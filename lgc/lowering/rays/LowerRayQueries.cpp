//===- LowerRayQueries.cpp - operations on ray queries -> code -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each operation becomes a call of a function of RayQuery.c, which is linked to the module and
/// inlined. Nodes are tested by image_bvh64_intersect_ray on gfx10.3 and gfx11, by
/// image_bvh8_intersect_ray on gfx12, else by the same arithmetic as code.
///
/// After inlining, when a query's variable is seen; before SROA, which then makes values of what a
/// query knows. For that the stack, which is indexed, becomes a variable of its own, unless the
/// query is an element of an array.
///   before: %q = alloca [546 x i32], addrspace(5)
///           %more = call i1 @lgc.ray.query.proceed__i1_p5(ptr addrspace(5) %q)
///   after:  %q = alloca [96 x i32], addrspace(5)
///           %stack = alloca [354 x i32], addrspace(5)
///           (body of kilnRayProceed(%q, %stack))
#include "lgc/AccelerationStructure.h"
#include "lgc/Ops.h"
#include "lgc/RayQuery.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/rays/RayDebugInfo.h"
#include "lgc/lowering/rays/RayQueryCode.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace lgc {
namespace {

#define KILN_RAYS(name, value) constexpr uint32_t name = value;
#include "lgc/lowering/rays/RayQuery.def"
#undef KILN_RAYS
static_assert(stateDwords + std::max(stackDwords, wideStackDwords) == rayQueryDwords);

/// What answers a question, if one call does.
constexpr StringLiteral answers[] = {
    "kilnRayType",
    "kilnRayT",
    "kilnRayCustomIndex",
    "kilnRayInstance",
    "kilnRaySbtOffset",
    "kilnRayGeometry",
    "kilnRayPrimitive",
    "",
    "kilnRayFront",
    "kilnRayObjectDirection",
    "kilnRayObjectOrigin",
    "",
    "",
    "",
    "kilnRayOpaqueAabb",
    "kilnRayOrigin",
    "kilnRayDirection",
    "kilnRayTMin",
    "kilnRayFlags",
};
static_assert(std::size(answers) == static_cast<size_t>(RayQueryValue::Count));

/// What tests nodes.
enum class NodeTest { Code, Bvh64, Bvh8 };

class RayQueryLowering {
public:
  RayQueryLowering(Module &module, NodeTest test, uint32_t stackSize)
      : module(module), test(test), stackSize(stackSize) {}
  void run(ModuleAnalysisManager &mam);

private:
  Value *stackOf(Value *query);
  Value *call(IRBuilder<> &b, StringRef name, Type *result, ArrayRef<Value *> args);
  Value *answer(IRBuilder<> &b, RayQueryGetOp &op);
  void lower(OpId id, function_ref<Value *(IRBuilder<> &, CallInst &)> replace);
  void lowerAll();
  void link();
  void moveThoseCalledOnce(ModuleAnalysisManager &mam);
  void inlineAll();

  Module &module;
  NodeTest test;
  uint32_t stackSize;                     ///< dwords
  DenseMap<Value *, AllocaInst *> stacks; ///< of variables that have one beside them
};

/// Is the variable nothing but one query?
bool isSingleQuery(const AllocaInst &variable) {
  const auto *array = dyn_cast<ArrayType>(variable.getAllocatedType());
  return array && array->getElementType()->isIntegerTy(32) &&
         array->getNumElements() == rayQueryDwords && !variable.isArrayAllocation() &&
         all_of(variable.users(), [](const User *user) {
           const auto *call = dyn_cast<CallInst>(user);
           return call && opIdOf(*call) >= OpId::RayQueryInitializeOp &&
                  opIdOf(*call) <= OpId::RayQueryGetOp;
         });
}

Value *RayQueryLowering::stackOf(Value *query) {
  if (auto known = stacks.find(query); known != stacks.end())
    return known->second;
  return nullptr;
}

Value *RayQueryLowering::call(IRBuilder<> &b, StringRef name, Type *result,
                              ArrayRef<Value *> args) {
  SmallVector<Type *, 8> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, types, /*isVarArg=*/false));
  return b.CreateCall(callee, args);
}

/// Vectors and matrices are asked for number by number.
Value *RayQueryLowering::answer(IRBuilder<> &b, RayQueryGetOp &op) {
  const auto value = static_cast<RayQueryValue>(op.constArg(1));
  Value *query = op.getArgOperand(0), *committed = b.getInt1(op.constArg(2));
  Type *type = op.getType();
  Value *result = PoisonValue::get(type);
  switch (value) {
  case RayQueryValue::Barycentrics:
    for (unsigned i = 0; i < 2; ++i) {
      Value *number = call(b, "kilnRayWeight", b.getFloatTy(), {query, committed, b.getInt32(i)});
      result = b.CreateInsertElement(result, number, i);
    }
    return result;
  case RayQueryValue::ObjectToWorld:
  case RayQueryValue::WorldToObject:
  case RayQueryValue::Positions: {
    const bool isMatrix = value != RayQueryValue::Positions;
    Value *toWorld = b.getInt1(value == RayQueryValue::ObjectToWorld);
    for (unsigned column = 0; column < type->getArrayNumElements(); ++column) {
      Value *vector = PoisonValue::get(type->getArrayElementType());
      for (unsigned i = 0; i < 3; ++i) {
        Value *row = b.getInt32(i), *at = b.getInt32(column);
        Value *number =
            isMatrix
                ? call(b, "kilnRayMatrix", b.getFloatTy(), {query, committed, toWorld, row, at})
                : call(b, "kilnRayPosition", b.getFloatTy(), {query, committed, at, row});
        vector = b.CreateInsertElement(vector, number, i);
      }
      result = b.CreateInsertValue(result, vector, column);
    }
    return result;
  }
  default:
    break;
  }
  // The code's booleans are numbers.
  const bool isBool = type->isIntegerTy(1);
  SmallVector<Value *, 2> args = {query};
  if (value < RayQueryValue::CandidateOpaque)
    args.push_back(committed);
  result = call(b, answers[static_cast<size_t>(value)], isBool ? b.getInt32Ty() : type, args);
  return isBool ? b.CreateIsNotNull(result) : result;
}

void RayQueryLowering::lower(OpId id, function_ref<Value *(IRBuilder<> &, CallInst &)> replace) {
  forEachOp(module, id, [&](CallInst &op) {
    IRBuilder<> b(&op);
    Value *result = replace(b, op);
    if (!op.getType()->isVoidTy())
      op.replaceAllUsesWith(result);
    op.eraseFromParent();
  });
}

void RayQueryLowering::lowerAll() {
  Type *none = Type::getVoidTy(module.getContext());
  auto direct = [&](StringRef name) {
    return [this, name, none](IRBuilder<> &b, CallInst &op) {
      SmallVector<Value *, 8> args(op.args());
      return call(b, name, none, args);
    };
  };
  lower(OpId::RayQueryInitializeOp, direct("kilnRayInitialize"));
  lower(OpId::RayQueryTerminateOp, direct("kilnRayTerminate"));
  lower(OpId::RayQueryConfirmOp, direct("kilnRayConfirm"));
  lower(OpId::RayQueryGenerateOp, direct("kilnRayGenerate"));
  lower(OpId::RayQueryProceedOp, [&](IRBuilder<> &b, CallInst &op) {
    Value *query = op.getArgOperand(0);
    Value *stack = stackOf(query);
    if (!stack)
      stack = b.CreateConstInBoundsGEP1_32(b.getInt32Ty(), query, stateDwords);
    return call(b, "kilnRayProceed", b.getInt1Ty(), {query, stack});
  });
  lower(OpId::RayQueryGetOp,
        [&](IRBuilder<> &b, CallInst &op) { return answer(b, cast<RayQueryGetOp>(op)); });
}

IRBuilder<> beginBody(Function &function) {
  return IRBuilder<>(BasicBlock::Create(function.getContext(), "", &function));
}

/// The body of kilnRayTestHardware: \p testByCode, or the instruction.
void defineTest(Function &function, Function &testByCode, NodeTest test) {
  IRBuilder<> b = beginBody(function);
  SmallVector<Value *, 6> args;
  for (Argument &arg : function.args())
    args.push_back(&arg);
  if (test != NodeTest::Bvh64) {
    b.CreateRet(b.CreateCall(&testByCode, args));
    return;
  }
  // HW: BVH descriptor of all memory, sorted, with barycentrics: base 0, size 2^42 blocks.
  Constant *words[] = {b.getInt32(0), b.getInt32(0x80000000 | boxGrow << 23),
                       b.getInt32(0xFFFFFFFF), b.getInt32(0x810003FF)};
  args.push_back(ConstantVector::get(words));
  b.CreateRet(b.CreateIntrinsic(Intrinsic::amdgcn_image_bvh_intersect_ray,
                                {b.getInt64Ty(), FixedVectorType::get(b.getFloatTy(), 3)}, args));
}

/// The body of kilnRayTestWide: the words of the instruction's results in a row.
void defineWideTest(Function &function) {
  IRBuilder<> b = beginBody(function);
  Value *base = function.getArg(0), *extent = function.getArg(1);
  Value *mask = b.CreateTrunc(function.getArg(2), b.getInt8Ty());
  // HW: BVH descriptor of all memory, compressed nodes, sorted across eight children with
  // primitives first, instances, flags in pointers.
  Constant *words[] = {b.getInt32(0), b.getInt32(0x80100000 | boxGrow << 23),
                       b.getInt32(0xFFFFFFFF), b.getInt32(0x81E803FF)};
  Value *parts = b.CreateIntrinsic(Intrinsic::amdgcn_image_bvh8_intersect_ray, {},
                                   {base, extent, mask, function.getArg(3), function.getArg(4),
                                    function.getArg(5), ConstantVector::get(words)});
  Value *result = PoisonValue::get(function.getReturnType());
  uint64_t dword = 0;
  for (unsigned part = 0; part < 3; ++part) {
    Value *vector = b.CreateExtractValue(parts, part);
    for (unsigned i = 0; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i) {
      Value *element = b.CreateExtractElement(vector, i);
      result = b.CreateInsertElement(result, b.CreateBitCast(element, b.getInt32Ty()), dword++);
    }
  }
  b.CreateRet(result);
}

/// Nothing of what is inlined needs what the build's compiler says of functions.
void stripAttributes(Function &function) {
  function.setAttributes({});
  for (Instruction &inst : instructions(function))
    if (auto *callInst = dyn_cast<CallInst>(&inst);
        callInst && callInst->getCalledFunction() && !callInst->getCalledFunction()->isIntrinsic())
      callInst->setAttributes({});
}

bool isQueryCode(const Function &function) { return function.getName().starts_with("kilnRay"); }

/// Adds the functions that are called, and those that they call. No others are read.
void RayQueryLowering::link() {
  const bool isWide = test == NodeTest::Bvh8;
  Expected<std::unique_ptr<Module>> code =
      getLazyBitcodeModule(MemoryBufferRef(rayQueryCode(isWide), "rays"), module.getContext());
  if (!code)
    KILN_ICE("the code of ray queries cannot be read");
  // What the build's compiler says about target and language is not the shader's.
  (*code)->setDataLayout(module.getDataLayout());
  (*code)->setTargetTriple(module.getTargetTriple());
  for (NamedMDNode &node : make_early_inc_range((*code)->named_metadata()))
    node.eraseFromParent();
  if (isWide)
    defineWideTest(*(*code)->getFunction("kilnRayTestWide"));
  else
    defineTest(*(*code)->getFunction("kilnRayTestHardware"), *(*code)->getFunction("kilnRayTest"),
               test);
  SmallPtrSet<const Function *, 16> shaders;
  for (const Function &function : module)
    if (!function.isDeclaration())
      shaders.insert(&function);
  if (Linker::linkModules(module, std::move(*code), Linker::LinkOnlyNeeded))
    KILN_ICE("the code of ray queries cannot be linked");
  for (Function &function : module)
    if (isQueryCode(function) && !shaders.contains(&function))
      stripAttributes(function);
}

/// What is called at one place needs no copy. With debug information inlining says where the code
/// comes from.
void RayQueryLowering::moveThoseCalledOnce(ModuleAnalysisManager &mam) {
  if (any_of(module, [](const Function &function) { return function.getSubprogram() != nullptr; }))
    return;
  for (Function &function : module)
    if (isQueryCode(function) && !function.isDeclaration()) {
      function.setLinkage(GlobalValue::InternalLinkage);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  OptInlineOncePass().run(module, mam);
}

/// All calls of functions of RayQuery.c, also those that inlining brings; then the functions go.
void RayQueryLowering::inlineAll() {
  SmallVector<CallBase *, 16> sites;
  for (Function &function : module)
    for (User *user : function.users())
      if (auto *site = dyn_cast<CallBase>(user);
          isQueryCode(function) && site && !isQueryCode(*site->getFunction()))
        sites.push_back(site);
  while (!sites.empty()) {
    InlineFunctionInfo info;
    if (!InlineFunction(*sites.pop_back_val(), info).isSuccess())
      KILN_ICE("the code of ray queries cannot be inlined");
    for (CallBase *inner : info.InlinedCallSites)
      if (Function *callee = inner->getCalledFunction(); callee && isQueryCode(*callee))
        sites.push_back(inner);
  }
  for (Function &function : module)
    if (isQueryCode(function))
      function.deleteBody();
  for (Function &function : make_early_inc_range(module))
    if (isQueryCode(function))
      function.eraseFromParent();
}

void RayQueryLowering::run(ModuleAnalysisManager &mam) {
  for (Function &function : module) {
    SmallVector<AllocaInst *, 4> variables;
    for (Instruction &inst : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&inst); variable && isSingleQuery(*variable))
        variables.push_back(variable);
    for (AllocaInst *variable : variables) {
      IRBuilder<> b(variable);
      auto variableOf = [&](uint32_t dwords, const Twine &name) {
        return b.CreateAlloca(ArrayType::get(b.getInt32Ty(), dwords), AddrSpace::Private, nullptr,
                              name);
      };
      AllocaInst *state = variableOf(stateDwords, "");
      state->takeName(variable);
      stacks[state] = variableOf(stackSize, "stack");
      stacks[state]->setMetadata(rayStackMark, MDNode::get(module.getContext(), {}));
      variable->replaceAllUsesWith(state);
      variable->eraseFromParent();
    }
  }
  lowerAll();
  link();
  coverWithDebugInfo(module);
  moveThoseCalledOnce(mam);
  inlineAll();
}

} // namespace

PreservedAnalyses LowerRayQueriesPass::run(Module &module, ModuleAnalysisManager &mam) {
  constexpr OpId ids[] = {OpId::RayQueryInitializeOp, OpId::RayQueryProceedOp,
                          OpId::RayQueryTerminateOp,  OpId::RayQueryConfirmOp,
                          OpId::RayQueryGenerateOp,   OpId::RayQueryGetOp};
  // lgc-lower-ray-tracing has made calls of the code.
  if (none_of(ids, [&](OpId id) { return hasOp(module, id); }) && none_of(module, isQueryCode))
    return PreservedAnalyses::all();
  const auto &state = mam.getResult<StateAnalysis>(module);
  const auto *target = pal::abi::findTarget(state->target);
  const unsigned major = target ? target->major : 0;
  const bool hasBvh64 = major == 11 || (major == 10 && target->minor >= 3);
  const NodeTest test = accel::hasWideStructures(major) ? NodeTest::Bvh8
                        : hasBvh64                      ? NodeTest::Bvh64
                                                        : NodeTest::Code;
  RayQueryLowering(module, test, rayStackDwords(state->target)).run(mam);
  return PreservedAnalyses::none();
}

} // namespace lgc
