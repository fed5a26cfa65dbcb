//===- Kernel.cpp - entry and opcodes of OpenCL kernels -------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Kernel.h"
#include "lgc/Shader.h"
#include "llpc/reflect/KernelArguments.h"
#include "llpc/reflect/KernelLibrary.h"
#include "llpc/reflect/KernelPrintf.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/translate/OpenClLibrary.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace llpc {

bool isKernel(const Translator &t) { return spirv::isKernelModule(t.spv); }

Expected<const KernelInterface *> kernelInterfaceOf(Translator &t) {
  Translator::State &s = t.internals();
  if (!s.entry)
    return lgc::unsupported("samplers and printf in the built-in library not supported");
  if (!s.kernelInterface) {
    s.kernelInterface =
        std::make_shared<const KernelInterface>(KILN_TRY(kernelInterfaceOf(t.spv, *s.entry)));
    s.printfCalls = printfCalls(t.spv);
  }
  return s.kernelInterface.get();
}

namespace {

Value *pushConstants(Translator &t) {
  return t.op(lgc::OpId::PushConstOp, PointerType::get(t.context, lgc::AddrSpace::Constant), {});
}

/// The alignment of an argument: user data registers have no wider one.
Align argumentAlign(uint32_t align) { return Align(std::min<uint32_t>(align, 4)); }

} // namespace

Value *loadArgument(Translator &t, Type *type, uint32_t offset, uint32_t align) {
  Value *place = t.b.CreateConstGEP1_32(t.b.getInt8Ty(), pushConstants(t), offset);
  LoadInst *load = t.b.CreateAlignedLoad(type, place, argumentAlign(align));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(t.context, {}));
  return load;
}

namespace {

//===--- Built-in variables -------------------------------------------------------------------===//

Type *threeWords(Translator &t) { return FixedVectorType::get(t.b.getInt32Ty(), 3); }

Value *builtIn(Translator &t, lgc::BuiltIn number, Type *type) {
  return t.op(lgc::OpId::BuiltinOp, type, {t.i32(static_cast<uint32_t>(number))});
}

Value *groupSize(Translator &t) {
  Constant *size[3];
  for (unsigned i = 0; i < 3; ++i)
    size[i] = t.i32(t.shader->workgroupSize[i]);
  return ConstantVector::get(size);
}

Value *globalSize(Translator &t) {
  Value *groups = builtIn(t, lgc::BuiltIn::NumWorkgroups, threeWords(t));
  return t.b.CreateMul(groups, groupSize(t));
}

Value *noOffset(Translator &t) { return Constant::getNullValue(threeWords(t)); }

/// (z * size of y + y) * size of x + x
Value *globalLinearId(Translator &t) {
  Type *wide = FixedVectorType::get(t.b.getInt64Ty(), 3);
  Value *id = t.b.CreateZExt(builtIn(t, lgc::BuiltIn::GlobalInvocationId, threeWords(t)), wide);
  Value *size = t.b.CreateZExt(globalSize(t), wide);
  Value *linear = t.b.CreateExtractElement(id, uint64_t(2));
  for (uint64_t i : {1, 0}) {
    Value *width = t.b.CreateExtractElement(size, i);
    linear = t.b.CreateMul(linear, width);
    Value *place = t.b.CreateExtractElement(id, i);
    linear = t.b.CreateAdd(linear, place);
  }
  return linear;
}

template <lgc::BuiltIn Number> Value *vectorOf(Translator &t) {
  return builtIn(t, Number, threeWords(t));
}
template <lgc::BuiltIn Number> Value *wordOf(Translator &t) {
  return builtIn(t, Number, t.b.getInt32Ty());
}

struct KernelBuiltIn {
  spv::BuiltIn spirv;
  Value *(*value)(Translator &t);
};

/// "OpenCL SPIR-V Environment Specification", built-in variables. Enqueued sizes are the actual
/// ones: all workgroups are of one size.
constexpr KernelBuiltIn builtIns[] = {
    {spv::BuiltIn::GlobalInvocationId, vectorOf<lgc::BuiltIn::GlobalInvocationId>},
    {spv::BuiltIn::LocalInvocationId, vectorOf<lgc::BuiltIn::LocalInvocationId>},
    {spv::BuiltIn::WorkgroupId, vectorOf<lgc::BuiltIn::WorkgroupId>},
    {spv::BuiltIn::NumWorkgroups, vectorOf<lgc::BuiltIn::NumWorkgroups>},
    {spv::BuiltIn::WorkgroupSize, groupSize},
    {spv::BuiltIn::EnqueuedWorkgroupSize, groupSize},
    {spv::BuiltIn::GlobalSize, globalSize},
    {spv::BuiltIn::GlobalOffset, noOffset},
    {spv::BuiltIn::GlobalLinearId, globalLinearId},
    {spv::BuiltIn::LocalInvocationIndex, wordOf<lgc::BuiltIn::LocalInvocationIndex>},
    {spv::BuiltIn::SubgroupSize, wordOf<lgc::BuiltIn::SubgroupSize>},
    {spv::BuiltIn::SubgroupMaxSize, wordOf<lgc::BuiltIn::SubgroupSize>},
    {spv::BuiltIn::SubgroupId, wordOf<lgc::BuiltIn::SubgroupId>},
    {spv::BuiltIn::NumSubgroups, wordOf<lgc::BuiltIn::NumSubgroups>},
    {spv::BuiltIn::NumEnqueuedSubgroups, wordOf<lgc::BuiltIn::NumSubgroups>},
    {spv::BuiltIn::SubgroupLocalInvocationId, wordOf<lgc::BuiltIn::SubgroupLocalInvocationId>},
};

/// Fills the variable \p input, whose components are 32 or 64 bits wide.
Error storeBuiltIn(Translator &t, const Inst &input, const KernelInterface &interface) {
  const auto *decoration = t.spv.findDecoration(input.resultId, spv::Decoration::BuiltIn);
  if (!decoration)
    return t.invalid(input, "Input variable of a kernel is not a built-in");
  const uint32_t number = decoration->operands[0];
  const KernelBuiltIn *row = find_if(builtIns, [&](const KernelBuiltIn &row) {
    return static_cast<uint32_t>(row.spirv) == number;
  });
  const bool isWorkDim = number == static_cast<uint32_t>(spv::BuiltIn::WorkDim);
  if (row == std::end(builtIns) && !isWorkDim)
    return t.unsupportedOp(
        input, "built-in " + spirv::enumName(spirv::OperandKind::BuiltIn, number) + " of a kernel");
  const TypedPointer pointer = KILN_TRY(pointerTypeOf(t, input, input.resultId));
  auto type = KILN_TRY(t.type(pointer.pointeeId));
  Value *value =
      isWorkDim ? loadArgument(t, t.b.getInt32Ty(), *interface.workDim, 4) : row->value(t);
  if (!isIntShape(type) || !sameShape(type, value->getType()))
    return t.invalid(input, "the built-in has another type");
  t.b.CreateStore(t.b.CreateZExtOrTrunc(value, type), t.internals().values[input.resultId]);
  return Error::success();
}

//===--- Arguments ----------------------------------------------------------------------------===//

/// The memory that a __local argument points to.
Expected<Value *> localMemory(Translator &t, const Inst &parameter,
                              const KernelArgument &argument) {
  uint64_t &bytes = t.internals().workgroupBytes;
  bytes += argument.size;
  if (bytes > limits::maxWorkgroupBytes)
    return lgc::limitExceeded(spirv::place(parameter) + ": workgroup memory exceeds " +
                              Twine(limits::maxWorkgroupBytes) + " bytes");
  auto *type = ArrayType::get(t.b.getInt8Ty(), std::max(argument.size, 1u));
  auto *memory = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                    UndefValue::get(type), "local", nullptr,
                                    GlobalValue::NotThreadLocal, lgc::AddrSpace::Local);
  // The largest that OpenCL C aligns anything to: double16.
  memory->setAlignment(Align(128));
  return memory;
}

/// The value of parameter \p inst, of \p type.
Expected<Value *> argumentValue(Translator &t, const Inst &inst, const KernelArgument &argument,
                                Type *type) {
  if (argument.kind == KernelArgumentKind::LocalPointer)
    return localMemory(t, inst, argument);
  if (argument.kind == KernelArgumentKind::Image || argument.kind == KernelArgumentKind::Sampler)
    return descriptorArgument(t, argument);
  auto loadAs = [&](Type *loaded) {
    return loadArgument(t, loaded, argument.offset, argument.align);
  };
  if (argument.kind != KernelArgumentKind::Value)
    return t.b.CreateIntToPtr(loadAs(t.b.getInt64Ty()), type);
  if (!type->isPointerTy())
    return loadAs(type);
  Value *place = t.b.CreateConstGEP1_32(t.b.getInt8Ty(), pushConstants(t), argument.offset);
  const Align align = argumentAlign(argument.align);
  const TypedPointer pointer = KILN_TRY(pointerTypeOf(t, inst, inst.resultId));
  auto memory = KILN_TRY(t.memoryType(pointer.pointeeId));
  AllocaInst *copy = t.createTemporary(memory, argument.name);
  // All bytes, as in passByValue().
  for (uint32_t at = 0; at < argument.size;) {
    Type *part = argument.size - at >= 4 ? t.b.getInt32Ty() : t.b.getInt8Ty();
    Value *from = t.b.CreateConstGEP1_32(t.b.getInt8Ty(), place, at);
    const Align known = commonAlignment(align, at);
    Value *bytes = t.b.CreateAlignedLoad(part, from, std::min(known, Align(4)));
    Value *to = t.b.CreateConstGEP1_32(t.b.getInt8Ty(), copy, at);
    t.b.CreateAlignedStore(bytes, to, commonAlignment(copy->getAlign(), at));
    at += part->getIntegerBitWidth() / 8;
  }
  return copy;
}

//===--- Opcodes ------------------------------------------------------------------------------===//

/// OpPtrCastToGeneric, OpGenericCastToPtr.
HandlerResult translatePointerCast(ValueOp &op) {
  if (!op.args[0]->getType()->isPointerTy() || !op.type->isPointerTy())
    return op.t.invalid(op.inst, "operand or result is no pointer");
  return op.b.CreateAddrSpaceCast(op.args[0], op.type);
}

/// OpGenericCastToPtrExplicit: null if what the pointer points to is in another storage class.
/// Workgroup and private memory have apertures among generic addresses; all else is __global.
HandlerResult translateExplicitCast(ValueOp &op) {
  Value *pointer = op.args[0];
  if (!pointer->getType()->isPointerTy() || !op.type->isPointerTy() ||
      pointer->getType()->getPointerAddressSpace() != lgc::AddrSpace::Flat)
    return op.t.invalid(op.inst, "operand is no generic pointer, or the result no pointer");
  auto isIn = [&](Intrinsic::ID test) { return op.b.CreateIntrinsic(test, {}, {pointer}); };
  Value *takes = nullptr;
  switch (op.type->getPointerAddressSpace()) {
  case lgc::AddrSpace::Local:
    takes = isIn(Intrinsic::amdgcn_is_shared);
    break;
  case lgc::AddrSpace::Private:
    takes = isIn(Intrinsic::amdgcn_is_private);
    break;
  default: {
    Value *isLocal = isIn(Intrinsic::amdgcn_is_shared);
    takes = op.b.CreateNot(op.b.CreateOr(isLocal, isIn(Intrinsic::amdgcn_is_private)));
  }
  }
  // Null is not the address 0 in workgroup and private memory.
  Value *null = op.b.CreateAddrSpaceCast(Constant::getNullValue(pointer->getType()), op.type);
  return op.b.CreateSelect(takes, op.b.CreateAddrSpaceCast(pointer, op.type), null);
}

HandlerResult floatClass(ValueOp &op, FPClassTest test) {
  return op.b.createIsFPClass(op.args[0], test);
}
HandlerResult translateIsFinite(ValueOp &op) { return floatClass(op, fcFinite); }
HandlerResult translateIsNormal(ValueOp &op) { return floatClass(op, fcNormal); }

HandlerResult translateSignBitSet(ValueOp &op) {
  Type *bits = withShapeOf(op.b.getIntNTy(op.args[0]->getType()->getScalarSizeInBits()),
                           op.args[0]->getType());
  return op.b.CreateICmpSLT(op.b.CreateBitCast(op.args[0], bits), Constant::getNullValue(bits));
}

template <CmpInst::Predicate Predicate> HandlerResult translateCompare(ValueOp &op) {
  return op.b.CreateFCmp(Predicate, op.args[0], op.args[1]);
}

/// To the other signedness, with what is out of range as the nearest number.
template <bool FromSigned> HandlerResult translateSaturating(ValueOp &op) {
  Value *x = op.args[0];
  Type *type = x->getType();
  const unsigned from = type->getScalarSizeInBits(), to = op.type->getScalarSizeInBits();
  if (FromSigned)
    x = binaryIntrinsic(op, Intrinsic::smax, x, Constant::getNullValue(type));
  // The largest number of the result, if the operand's are larger.
  const unsigned bits = FromSigned ? to : to - 1;
  if (from > bits)
    x = binaryIntrinsic(op, Intrinsic::umin, x,
                        ConstantInt::get(type, APInt::getLowBitsSet(from, bits)));
  return op.b.CreateZExtOrTrunc(x, op.type);
}

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpSatConvertSToU, translateSaturating<true>, Sig::IntToInt, 1),
    valueOp(spv::Op::OpSatConvertUToS, translateSaturating<false>, Sig::IntToInt, 1),
    valueOp(spv::Op::OpPtrCastToGeneric, translatePointerCast, Sig::Any, 1),
    valueOp(spv::Op::OpGenericCastToPtr, translatePointerCast, Sig::Any, 1),
    valueOp(spv::Op::OpGenericCastToPtrExplicit, translateExplicitCast, Sig::Any, 1),
    valueOp(spv::Op::OpIsFinite, translateIsFinite, Sig::FloatTest, 1),
    valueOp(spv::Op::OpIsNormal, translateIsNormal, Sig::FloatTest, 1),
    valueOp(spv::Op::OpSignBitSet, translateSignBitSet, Sig::FloatTest, 1),
    valueOp(spv::Op::OpLessOrGreater, translateCompare<CmpInst::FCMP_ONE>, Sig::FloatCompare, 2),
    valueOp(spv::Op::OpOrdered, translateCompare<CmpInst::FCMP_ORD>, Sig::FloatCompare, 2),
    valueOp(spv::Op::OpUnordered, translateCompare<CmpInst::FCMP_UNO>, Sig::FloatCompare, 2),
};

} // namespace

ArrayRef<OpEntry> kernelOps() { return table; }

void setKernelModes(Translator &t) {
  Translator::State &s = t.internals();
  for (lgc::FloatMode *mode : {&t.shader->fp16, &t.shader->fp32, &t.shader->fp64}) {
    mode->flushDenorms = false;
    mode->demandsDenorms = mode->preserveSpecials = true;
  }
  const bool contracts = none_of(s.entry->modes, [](const spirv::ExecutionMode &mode) {
    return mode.mode == spv::ExecutionMode::ContractionOff;
  });
  s.hasFastMathDefaults = true;
  for (uint32_t &flags : s.fastMathDefaults)
    flags = contracts ? static_cast<uint32_t>(spv::FPFastMathModeMask::AllowContract) : 0;
}

Align declaredAlign(const Translator &t, Id variableId) {
  constexpr uint32_t most = 4096;
  const auto *align = t.spv.findDecoration(variableId, spv::Decoration::Alignment);
  return isKernel(t) && align && isPowerOf2_32(align->operands[0]) && align->operands[0] <= most
             ? Align(align->operands[0])
             : Align(1);
}

Expected<Value *> programVariable(Translator &t, const Inst &variable, Id pointeeId) {
  const bool isConstant =
      static_cast<spv::StorageClass>(variable[0]) != spv::StorageClass::CrossWorkgroup;
  if (!linkageName(t.spv, variable.resultId, spv::LinkageType::Import).empty() ||
      (variable.size() < 2 && isConstant))
    return t.unsupportedOp(variable, "variable that another module defines");
  auto type = KILN_TRY(t.memoryType(pointeeId));
  Constant *content = Constant::getNullValue(type);
  if (variable.size() >= 2) {
    auto initial = KILN_TRY(t.value(variable[1]));
    auto *given = dyn_cast<Constant>(initial);
    content = given ? memoryConstant(given, type) : nullptr;
  }
  if (!content)
    return t.unsupportedOp(variable, "this initializer");
  constexpr uint64_t most = 1 << 26; // all are in the code object
  if (t.module->getDataLayout().getTypeAllocSize(type).getFixedValue() > most)
    return lgc::limitExceeded(spirv::place(variable) + ": variable of the program exceeds " +
                              Twine(most) + " bytes");
  auto *global =
      new GlobalVariable(*t.module, type, isConstant, GlobalValue::InternalLinkage, content,
                         t.symbolName(variable.resultId), nullptr, GlobalValue::NotThreadLocal,
                         isConstant ? lgc::AddrSpace::Constant : lgc::AddrSpace::Global);
  if (!isConstant)
    global->setSection(".data"); // zeros, too
  const Align natural = t.module->getDataLayout().getABITypeAlign(type);
  global->setAlignment(std::max(natural, declaredAlign(t, variable.resultId)));
  t.internals().values[variable.resultId] = global;
  return global;
}

Expected<Value *> passByValue(Translator &t, const Inst &call, unsigned number, Value *argument) {
  const spirv::Function *function = t.spv.findFunction(call[0]);
  const Inst &parameter = *function->parameters[number];
  if (!argument->getType()->isPointerTy() || !isByValue(t.spv, parameter))
    return argument;
  const TypedPointer pointer = KILN_TRY(pointerTypeOf(t, parameter, parameter.resultId));
  auto memory = KILN_TRY(t.memoryType(pointer.pointeeId));
  AllocaInst *copy = t.createTemporary(memory, "");
  // All bytes: what a structure does not name may be what another member of a union does.
  t.b.CreateMemCpy(copy, copy->getAlign(), argument, Align(1),
                   t.module->getDataLayout().getTypeAllocSize(memory).getFixedValue());
  return copy;
}

Error addKernelEntry(Translator &t) {
  Translator::State &s = t.internals();
  const KernelInterface &interface = *KILN_TRY(kernelInterfaceOf(t));
  Function *kernel = s.functions[s.entry->function];
  auto *type = FunctionType::get(t.b.getVoidTy(), false);
  Function *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                     lgc::entryFunctionName(t.options.stage), *t.module);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->addFnAttr(Attribute::Convergent);
  setDenormalModes(t, *entry);
  s.entryFunction = entry;
  const spirv::Function *definition = t.spv.findFunction(s.entry->function);
  s.current = Translator::State::Current();
  s.current.spv = definition;
  s.current.function = entry;
  ReturnInst *end = ReturnInst::Create(t.context, BasicBlock::Create(t.context, "", entry));
  s.current.allocaPoint = end;
  t.b.SetInsertPoint(end);
  // Where a function without debug information calls others, theirs is lost.
  beginDebugFunction(t, *definition, entry);
  for (const InterfaceVariable &variable : s.interfaceVariables)
    KILN_TRY(storeBuiltIn(t, *variable.variable, interface));
  if (s.library) {
    Translator &library = s.library->own();
    library.b.SetInsertPoint(end);
    for (const InterfaceVariable &variable : library.internals().interfaceVariables)
      KILN_TRY(storeBuiltIn(library, *variable.variable, interface));
  }
  SmallVector<Value *, 8> args;
  for (size_t i = 0; i < interface.arguments.size(); ++i)
    args.push_back(KILN_TRY(argumentValue(t, *definition->parameters[i], interface.arguments[i],
                                          kernel->getArg(i)->getType())));
  t.b.CreateCall(kernel, args);
  t.b.SetCurrentDebugLocation(DebugLoc());
  return Error::success();
}

} // namespace llpc
