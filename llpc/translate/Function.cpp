//===- Function.cpp - functions, parameters and calls ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Only functions that the entry point reaches are translated. Helpers become internal
/// alwaysinline LLVM functions, of which large kernels may keep some (lgc/Callable.h); SPIR-V
/// forbids recursion, which is checked here together with the size that inlining would lead to.
#include "lgc/Callable.h"
#include "lgc/Shader.h"
#include "llpc/reflect/KernelLibrary.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/OpenClLibrary.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

namespace {

/// Depth-first walk over calls: callees before callers.
class CallGraph {
public:
  explicit CallGraph(Translator &t) : t(t), size(t.internals().functionSizes) {}

  Error visit(Id root) {
    if (!size.contains(root))
      KILN_TRY(push(root, nullptr));
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.next == frame.calls.size()) {
        KILN_TRY(finish(frame));
        stack.pop_back();
        continue;
      }
      const auto [call, callee] = frame.calls[frame.next++];
      if (size.contains(callee))
        continue;
      if (active.contains(callee))
        return t.invalid(*call, "recursive call of %" + Twine(callee));
      KILN_TRY(push(callee, call));
    }
    return Error::success();
  }

  std::vector<const spirv::Function *> order; ///< callees first

private:
  struct Frame {
    const spirv::Function *function;
    std::vector<std::pair<const Inst *, Id>> calls;
    size_t next = 0;
    uint64_t ownSize = 0;
  };

  /// Tools may have taken its name away, but not what it is called for linking.
  StringRef calleeName(Id id) const {
    const StringRef name = t.spv.name(id);
    return name.empty() ? linkageName(t.spv, id, spv::LinkageType::Import) : name;
  }

  Error push(Id id, const Inst *call) {
    const spirv::Function *function = t.spv.findFunction(id);
    if (!function || function->blocks.empty()) {
      if (call)
        return t.unsupportedOp(*call, "call of '" + calleeName(id) + "' (%" + Twine(id) +
                                          "), which nothing defines,");
      return lgc::invalidInput("entry point function %" + Twine(id) + " has no body");
    }
    Frame frame{function, {}, 0, 0};
    for (const spirv::Block &block : function->blocks) {
      frame.ownSize += block.insts.size();
      for (const Inst &inst : block.insts)
        KILN_TRY(addCallee(frame, inst));
    }
    active.insert(id);
    stack.push_back(std::move(frame));
    return Error::success();
  }

  /// Functions of the library are the graph's own only when the module is the library.
  Error addCallee(Frame &frame, const Inst &inst) {
    if (asksTarget(t, inst))
      return Error::success();
    const LibraryCall call = KILN_TRY(libraryCall(t, inst));
    if (!call.function || t.internals().isLibrary) {
      if (const Id callee = call.function ? call.function : spirv::calleeOf(inst))
        frame.calls.push_back({&inst, callee});
      return Error::success();
    }
    const uint64_t added = KILN_TRY(addLibraryFunction(t, call.function));
    frame.ownSize = SaturatingAdd(frame.ownSize, added);
    return Error::success();
  }

  /// Calls of its function by an instruction: by one of matrices for each of the components that a
  /// lane has, of which accumulators have half as many, four times when rows are reduced.
  Expected<uint64_t> mostCalls(const Inst &inst) {
    switch (inst.opcode) {
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
    case spv::Op::OpCooperativeMatrixPerElementOpNV:
    case spv::Op::OpCooperativeMatrixReduceNV: {
      const bool isLoad = inst.opcode == spv::Op::OpCooperativeMatrixLoadTensorNV;
      const Inst *matrix = isLoad ? &inst : t.spv.definition(inst[0]);
      auto type = KILN_TRY(t.type(matrix ? matrix->typeId : 0));
      const uint64_t components = isa<FixedVectorType>(type) ? elementCount(type) : 1;
      // Waves may get the tiles of as many as four others, and squares are combined in each group.
      return inst.opcode == spv::Op::OpCooperativeMatrixReduceNV ? 16 * components : components;
    }
    default:
      return 1;
    }
  }

  Error finish(const Frame &frame) {
    const Id id = frame.function->definition->resultId;
    uint64_t total = frame.ownSize;
    for (const auto &[call, callee] : frame.calls) {
      const uint64_t calls = KILN_TRY(mostCalls(*call));
      total = SaturatingAdd(total, SaturatingMultiply(calls, size[callee]));
    }
    if (total > limits::maxInlinedInstructions)
      return lgc::limitExceeded(spirv::place(*frame.function->definition) + ": more than " +
                                Twine(limits::maxInlinedInstructions) +
                                " instructions after inlining");
    size[id] = total;
    active.erase(id);
    order.push_back(frame.function);
    return Error::success();
  }

  Translator &t;
  std::vector<Frame> stack;
  DenseSet<Id> active;
  DenseMap<Id, uint64_t> &size; ///< of finished functions
};

Expected<Function *> declareFunction(Translator &t, const spirv::Function &function, bool isEntry) {
  const Inst &definition = *function.definition;
  auto typeInst = KILN_TRY(t.typeInst(definition[1]));
  if (typeInst->opcode != spv::Op::OpTypeFunction)
    return t.invalid(definition, "function type is no OpTypeFunction");
  if (typeInst->size() - 1 != function.parameters.size())
    return t.invalid(definition, Twine(function.parameters.size()) +
                                     " parameters, the function type has " +
                                     Twine(typeInst->size() - 1));
  auto result = KILN_TRY(t.type(definition.typeId));
  SmallVector<Type *, 8> parameters;
  for (const Inst *parameter : function.parameters) {
    auto type = KILN_TRY(t.type(parameter->typeId));
    if (type->isVoidTy())
      return t.invalid(*parameter, "parameter of type void");
    parameters.push_back(type);
  }
  if (!isEntry && definition.resultId == t.internals().entry->function && !result->isVoidTy())
    return t.invalid(definition, "a kernel returns nothing");
  if (isEntry && (!parameters.empty() || !result->isVoidTy()))
    return t.invalid(definition, "an entry point takes no parameters and returns nothing");
  auto *type = FunctionType::get(result, parameters, false);
  auto *llvmFunction = Function::Create(
      type, isEntry ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      isEntry ? t.entryFunctionName().str() : t.symbolName(definition.resultId), *t.module);
  llvmFunction->addFnAttr(Attribute::NoUnwind);
  llvmFunction->addFnAttr(Attribute::Convergent);
  if (!isEntry)
    llvmFunction->addFnAttr(Attribute::AlwaysInline);
  if (isKernel(t) && definition.resultId != t.internals().entry->function)
    llvmFunction->addFnAttr(lgc::callableAttribute);
  return llvmFunction;
}

Error translateParameters(Translator &t, const spirv::Function &function, Function *llvmFunction) {
  for (auto [inst, argument] : zip(function.parameters, llvmFunction->args())) {
    KILN_TRY(t.setValue(*inst, &argument));
    const Inst *type = t.spv.definition(inst->typeId);
    const bool isUntyped = type->opcode == spv::Op::OpTypeUntypedPointerKHR;
    if (!isUntyped && type->opcode != spv::Op::OpTypePointer)
      continue;
    PointerInfo info;
    info.coherent = t.hasDecoration(inst->resultId, spv::Decoration::Coherent);
    info.isVolatile = t.hasDecoration(inst->resultId, spv::Decoration::Volatile);
    info.isHandle = !isUntyped &&
                    isHandlePointee(t.spv, (*type)[1], static_cast<spv::StorageClass>((*type)[0]));
    t.setPointerInfo(inst->resultId, info);
  }
  return Error::success();
}

/// A temporary with what a pointer into a direct interface variable points to.
Expected<AllocaInst *> copyIn(Translator &t, const Inst &inst, Id pointerId) {
  auto type = KILN_TRY(pointerTypeOf(t, inst, pointerId));
  auto memory = KILN_TRY(t.memoryType(type.pointeeId));
  AllocaInst *copy = t.createTemporary(memory, "");
  auto value = KILN_TRY(loadDirect(t, inst, pointerId));
  KILN_TRY(
      t.store(type.pointeeId, value, copy, spv::StorageClass::Function, PointerInfo(), {}, inst));
  return copy;
}

Error copyOut(Translator &t, const Inst &inst, Id pointerId, AllocaInst *copy) {
  auto type = KILN_TRY(pointerTypeOf(t, inst, pointerId));
  if (type.storage != spv::StorageClass::Output)
    return Error::success();
  auto value =
      KILN_TRY(t.load(type.pointeeId, copy, spv::StorageClass::Function, PointerInfo(), {}, inst));
  return storeDirect(t, inst, pointerId, value);
}

Error translateCall(Translator &t, const Inst &inst) {
  if (Value *answer = KILN_TRY(targetAnswer(t, inst)))
    return t.setValue(inst, answer);
  Function *callee = t.internals().functions.lookup(inst[0]);
  if (!callee)
    callee = libraryFunction(t, KILN_TRY(libraryCall(t, inst)).function);
  if (!callee)
    return t.invalid(inst, "callee %" + Twine(inst[0]) + " is not a function");
  const ArrayRef<Id> argIds = inst.operands.drop_front();
  if (argIds.size() != callee->arg_size())
    return t.invalid(inst, Twine(argIds.size()) + " arguments, the function takes " +
                               Twine(callee->arg_size()));
  SmallVector<Value *, 8> args;
  SmallVector<std::pair<Id, AllocaInst *>, 2> copies; // direct interface variables: in and out
  for (auto [id, parameter] : zip(argIds, callee->args())) {
    auto arg = KILN_TRY(t.value(id));
    if (arg->getType() != parameter.getType())
      return t.invalid(inst, "argument %" + Twine(id) + " has another type than the parameter");
    if (arg->getType()->isPointerTy() && t.pointerInfo(id).matrixStride)
      return t.unsupportedOp(inst, "passing a pointer into a matrix of a buffer");
    if (directVariable(t, id)) {
      auto copy = KILN_TRY(copyIn(t, inst, id));
      copies.push_back({id, copy});
      arg = copy;
    }
    if (isKernel(t))
      arg = KILN_TRY(passByValue(t, inst, parameter.getArgNo(), arg));
    args.push_back(arg);
  }
  CallInst *call = t.b.CreateCall(callee, args);
  for (auto [id, copy] : copies)
    KILN_TRY(copyOut(t, inst, id, copy));
  if (call->getType()->isVoidTy())
    return Error::success();
  return t.setValue(inst, call);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpFunctionCall, translateCall),
};

} // namespace

ArrayRef<OpEntry> functionOps() { return table; }

Expected<uint64_t> translateReached(Translator &t, Id root) {
  Translator::State &s = t.internals();
  CallGraph graph(t);
  KILN_TRY(graph.visit(root));
  KILN_TRY(collectInterface(t, graph.order));
  for (const spirv::Function *function : graph.order) {
    const bool isEntry = function->definition->resultId == s.entry->function && !isKernel(t);
    auto llvmFunction = KILN_TRY(declareFunction(t, *function, isEntry));
    s.functions[function->definition->resultId] = llvmFunction;
    if (isEntry)
      s.entryFunction = llvmFunction;
    s.current = Translator::State::Current();
    s.current.spv = function;
    s.current.function = llvmFunction;
    KILN_TRY(translateParameters(t, *function, llvmFunction));
    beginDebugFunction(t, *function, llvmFunction);
    KILN_TRY(translateBody(t, *function));
    t.b.SetCurrentDebugLocation(DebugLoc());
  }
  return s.functionSizes[root];
}

Error translateFunctions(Translator &t) {
  KILN_TRY(translateReached(t, t.internals().entry->function));
  if (isKernel(t))
    KILN_TRY(addKernelEntry(t));
  return addInitializedBlocks(t);
}

} // namespace llpc
