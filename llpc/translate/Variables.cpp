//===- Variables.cpp - module-scope variables -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What an OpVariable outside functions becomes:
///   Private, Input, Output internal global in addrspace(5) (lgc-lower-private-globals makes it an
///                          alloca of the entry function); see Interface.h for the latter two
///   Workgroup              internal global in addrspace(3)
///   Uniform, StorageBuffer, UniformConstant
///                          lgc.resource.ptr in the entry block of each function that uses it, for
///                          single buffer blocks followed by lgc.buffer.ptr
///   PushConstant           lgc.push.const in the entry block of each function that uses it
///   TaskPayloadWorkgroupEXT  lgc.task.payload, likewise (Mesh.cpp)
///   RayPayloadKHR, CallableDataKHR  as Private
///   IncomingRayPayloadKHR, IncomingCallableDataKHR, HitAttributeKHR, ShaderRecordBufferKHR
///                          lgc.ray.*, likewise (RayTracing.cpp)
#include "llpc/spirv/AccessChain.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/IdOperands.h"
#include "llpc/translate/DebugVariables.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/Mesh.h"
#include "llpc/translate/RayTracing.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

namespace {

PointerInfo variableInfo(Translator &t, const Inst &variable, Id pointeeId) {
  PointerInfo info;
  info.variable = &variable;
  const Id id = variable.resultId;
  info.coherent = t.hasDecoration(id, spv::Decoration::Coherent);
  info.isVolatile = t.hasDecoration(id, spv::Decoration::Volatile);
  info.restrictAlias = t.hasDecoration(id, spv::Decoration::Restrict);
  info.alignBytes = 16; // V# bases and push constants; narrowed by access chains
  (void)pointeeId;
  return info;
}

Expected<uint32_t> literalDecoration(Translator &t, const Inst &variable, spv::Decoration kind,
                                     const char *name) {
  const spirv::Decoration *d = t.spv.findDecoration(variable.resultId, kind);
  if (!d || d->operands.empty())
    return t.invalid(variable, Twine("resource variable without ") + name);
  return d->operands[0];
}

/// May loads through this storage buffer be treated as invariant? Real programs bind one buffer to
/// several bindings although nothing is decorated Aliased, so another buffer's store counts unless
/// this one is Restrict.
bool isReadOnly(Translator &t, const Inst &variable, uint32_t set, uint32_t binding) {
  Translator::State &s = t.internals();
  const Id id = variable.resultId;
  if (t.hasDecoration(id, spv::Decoration::Aliased) ||
      t.hasDecoration(id, spv::Decoration::Volatile) ||
      t.hasDecoration(id, spv::Decoration::Coherent))
    return false;
  if (!s.anyBufferWritten)
    return true;
  return t.hasDecoration(id, spv::Decoration::Restrict) &&
         !s.writtenBindings.count(static_cast<uint64_t>(set) << 32 | binding);
}

/// Of a block, or of an array of them.
bool isBlock(const spirv::Module &spv, Id typeId) {
  for (const Inst *type = spv.definition(typeId);
       type &&
       (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray);
       type = spv.definition(typeId))
    typeId = type->operands[0];
  return isBlockStruct(spv, typeId);
}

Expected<Value *> resourceVariable(Translator &t, const Inst &variable, spv::StorageClass storage,
                                   Id pointeeId) {
  Translator::State &s = t.internals();
  if (storage != spv::StorageClass::UniformConstant && !isBlock(t.spv, pointeeId))
    return t.invalid(variable, "the type of a buffer is no structure with Block or BufferBlock");
  auto set =
      KILN_TRY(literalDecoration(t, variable, spv::Decoration::DescriptorSet, "DescriptorSet"));
  auto binding = KILN_TRY(literalDecoration(t, variable, spv::Decoration::Binding, "Binding"));
  if (!s.current.allocaPoint)
    return t.invalid(variable, "resource used outside a function");
  IRBuilderBase::InsertPointGuard guard(t.b); // the source line, too
  t.b.SetInsertPoint(s.current.allocaPoint);
  Type *handleType = PointerType::get(t.context, lgc::AddrSpace::Constant);
  Value *result =
      t.op(lgc::OpId::ResourcePtrOp, handleType, {t.i32(set), t.i32(binding), t.i32(0)});
  PointerInfo info = variableInfo(t, variable, pointeeId);
  info.isHandle = isHandlePointee(t.spv, pointeeId, storage);
  const bool bufferBlock = t.hasDecoration(pointeeId, spv::Decoration::BufferBlock);
  uint32_t flags = 0;
  if (storage == spv::StorageClass::Uniform && !bufferBlock)
    flags |= lgc::ResourceFlags::UniformBlock | lgc::ResourceFlags::ReadOnly;
  else if (isReadOnly(t, variable, set, binding))
    flags |= lgc::ResourceFlags::ReadOnly;
  info.invariant |= (flags & lgc::ResourceFlags::ReadOnly) != 0;
  if (!info.isHandle)
    result = t.op(lgc::OpId::BufferPtrOp, PointerType::get(t.context, lgc::AddrSpace::Buffer),
                  {result, t.i32(flags)});
  if (!info.isHandle)
    describeBlock(t, variable, pointeeId, *cast<Instruction>(result), lgc::DebugSpace::Buffer);
  t.setPointerInfo(variable.resultId, info);
  s.current.resources[variable.resultId] = result;
  return result;
}

Expected<Value *> pushConstantVariable(Translator &t, const Inst &variable, Id pointeeId) {
  Translator::State &s = t.internals();
  if (!s.current.allocaPoint)
    return t.invalid(variable, "push constant used outside a function");
  IRBuilderBase::InsertPointGuard guard(t.b);
  t.b.SetInsertPoint(s.current.allocaPoint);
  Value *result =
      t.op(lgc::OpId::PushConstOp, PointerType::get(t.context, lgc::AddrSpace::Constant), {});
  describeBlock(t, variable, pointeeId, *cast<Instruction>(result), lgc::DebugSpace::Copy);
  PointerInfo info = variableInfo(t, variable, pointeeId);
  info.invariant = true;
  info.alignBytes = 4; // user data registers have no wider alignment
  t.setPointerInfo(variable.resultId, info);
  s.current.resources[variable.resultId] = result;
  return result;
}

Expected<Constant *> initializerOf(Translator &t, const Inst &variable, Type *memoryType) {
  if (variable.size() < 2)
    return static_cast<Constant *>(UndefValue::get(memoryType));
  auto initial = KILN_TRY(t.value(variable[1]));
  auto *constant = dyn_cast<Constant>(initial);
  if (!constant)
    return t.invalid(variable, "initializer is not a constant");
  auto pointer = KILN_TRY(t.typeInst(variable.typeId));
  auto valueType = KILN_TRY(t.type((*pointer)[1]));
  if (constant->getType() != valueType)
    return t.invalid(variable, "initializer has another type than the variable");
  Constant *converted = memoryConstant(constant, memoryType);
  if (!converted)
    return t.unsupportedOp(variable, "this initializer");
  return converted;
}

Expected<Value *> privateVariable(Translator &t, const Inst &variable, Id pointeeId) {
  Translator::State &s = t.internals();
  auto type = KILN_TRY(t.memoryType(pointeeId));
  s.privateBytes += t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (s.privateBytes > limits::maxPrivateBytes)
    return lgc::limitExceeded(spirv::place(variable) + ": private memory exceeds " +
                              Twine(limits::maxPrivateBytes) + " bytes");
  auto initial = KILN_TRY(initializerOf(t, variable, type));
  auto *global = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage, initial,
                                    t.symbolName(variable.resultId), nullptr,
                                    GlobalValue::NotThreadLocal, lgc::AddrSpace::Private);
  describeVariable(t, variable, pointeeId, *global);
  s.values[variable.resultId] = global;
  t.setPointerInfo(variable.resultId, variableInfo(t, variable, pointeeId));
  return global;
}

Expected<Value *> workgroupVariable(Translator &t, const Inst &variable, Id pointeeId) {
  Translator::State &s = t.internals();
  if (isLinkedArray(t, variable)) {
    auto address = KILN_TRY(linkedArray(t, variable));
    s.current.resources[variable.resultId] = address;
    t.setPointerInfo(variable.resultId, variableInfo(t, variable, pointeeId));
    return address;
  }
  // A zero initializer asks lgc to clear the memory at the start (lgc/Shader.h). Vulkan allows no
  // other initializer than OpConstantNull here.
  const bool zeroInit = variable.size() >= 2;
  auto zeroed = [](GlobalVariable *global) { return global->getInitializer()->isNullValue(); };
  auto content = [&](Type *type, bool already) -> Constant * {
    return zeroInit || already ? Constant::getNullValue(type) : UndefValue::get(type);
  };
  Type *type = nullptr;
  if (s.workgroupExplicitLayout) {
    auto extent = KILN_TRY(explicitExtent(t, pointeeId));
    type = ArrayType::get(Type::getInt8Ty(t.context), extent);
  } else {
    auto memory = KILN_TRY(t.memoryType(pointeeId));
    type = memory;
  }
  const uint64_t bytes = t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
  const bool shared =
      s.workgroupExplicitLayout && t.hasDecoration(variable.resultId, spv::Decoration::Aliased);
  GlobalVariable *global = shared ? s.workgroupBlock : nullptr;
  if (global) {
    // All Aliased blocks start at the same address; the largest decides the size.
    if (bytes > t.module->getDataLayout().getTypeAllocSize(global->getValueType())) {
      auto *larger = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                        content(type, zeroed(global)), "workgroup", nullptr,
                                        GlobalValue::NotThreadLocal, lgc::AddrSpace::Local);
      larger->setAlignment(Align(16));
      global->replaceAllUsesWith(larger);
      for (Value *&value : s.values)
        if (value == global)
          value = larger;
      global->eraseFromParent();
      global = larger;
    }
    if (zeroInit)
      global->setInitializer(Constant::getNullValue(global->getValueType()));
  } else {
    global = new GlobalVariable(*t.module, type, false, GlobalValue::InternalLinkage,
                                content(type, false), t.symbolName(variable.resultId), nullptr,
                                GlobalValue::NotThreadLocal, lgc::AddrSpace::Local);
    global->setAlignment(std::max(Align(16), declaredAlign(t, variable.resultId)));
    s.workgroupBytes += bytes;
    if (!s.workgroupExplicitLayout)
      describeVariable(t, variable, pointeeId, *global);
  }
  if (shared)
    s.workgroupBlock = global;
  if (s.workgroupBytes > limits::maxWorkgroupBytes)
    return lgc::limitExceeded(spirv::place(variable) + ": workgroup memory exceeds " +
                              Twine(limits::maxWorkgroupBytes) + " bytes");
  s.values[variable.resultId] = global;
  t.setPointerInfo(variable.resultId, variableInfo(t, variable, pointeeId));
  return global;
}

Expected<Value *> interfaceVariableValue(Translator &t, const Inst &variable, Id pointeeId) {
  Translator::State &s = t.internals();
  auto known = s.interfaceIndex.find(variable.resultId);
  if (known == s.interfaceIndex.end()) // nothing would load or store it
    return t.invalid(variable, "used where no pointer can be");
  if (s.interfaceVariables[known->second].isDirect)
    return directPlaceholder(t, variable);
  return privateVariable(t, variable, pointeeId);
}

/// The variable at the root of a pointer, or null when it is not a plain chain of accesses.
const Inst *rootVariable(const spirv::Module &spv, Id id) {
  for (unsigned depth = 0; depth < 1024; ++depth) {
    const Inst *inst = spv.definition(id);
    if (!inst)
      return nullptr;
    if (const auto chain = spirv::accessChainOf(*inst)) {
      id = chain->baseId;
      continue;
    }
    switch (inst->opcode) {
    case spv::Op::OpVariable:
      return inst;
    case spv::Op::OpCopyObject:
    case spv::Op::OpImageTexelPointer:
      id = inst->operands[0];
      break;
    default:
      return nullptr;
    }
  }
  return nullptr;
}

/// Operand indices through which an instruction may write or let a pointer escape; -1 = all.
int writtenOperand(spv::Op opcode) {
  switch (opcode) {
  case spv::Op::OpCopyMemory:
  case spv::Op::OpCopyMemorySized:
  case spv::Op::OpImageTexelPointer:
  case spv::Op::OpCooperativeMatrixStoreKHR:
  case spv::Op::OpCooperativeMatrixStoreTensorNV:
    return 0;
  case spv::Op::OpVariable: // a function's, whose initializer may be a buffer
    return 1;
  case spv::Op::OpStore: // with variable pointers, what is stored may be a pointer
  case spv::Op::OpFunctionCall:
  case spv::Op::OpTraceRayKHR:
  case spv::Op::OpExecuteCallableKHR:
  case spv::Op::OpSelect:
  case spv::Op::OpPhi:
  case spv::Op::OpReturnValue:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpExtInst:
  case spv::Op::OpBitcast:
    return -1;
  default:
    return opcode >= spv::Op::OpAtomicLoad && opcode <= spv::Op::OpAtomicXor ? 0 : -2;
  }
}

bool isLateAtomic(spv::Op opcode) {
  switch (opcode) {
  case spv::Op::OpAtomicFAddEXT:
  case spv::Op::OpAtomicFMinEXT:
  case spv::Op::OpAtomicFMaxEXT:
  case spv::Op::OpAtomicFlagTestAndSet:
  case spv::Op::OpAtomicFlagClear:
    return true;
  default:
    return false;
  }
}

} // namespace

Expected<uint64_t> explicitExtent(Translator &t, Id typeId, const MatrixLayout &matrix) {
  auto inst = KILN_TRY(t.typeInst(typeId));
  switch (inst->opcode) {
  case spv::Op::OpTypeStruct: {
    uint64_t extent = 0;
    for (uint32_t i = 0; i < inst->size(); ++i) {
      const auto *offset = t.spv.findDecoration(typeId, spv::Decoration::Offset, i);
      const auto *stride = t.spv.findDecoration(typeId, spv::Decoration::MatrixStride, i);
      const MatrixLayout inner{stride ? stride->operands[0] : 0,
                               t.spv.findDecoration(typeId, spv::Decoration::RowMajor, i) !=
                                   nullptr};
      auto member = KILN_TRY(explicitExtent(t, (*inst)[i], inner));
      extent = std::max(extent, SaturatingAdd<uint64_t>(member, offset ? offset->operands[0] : 0));
    }
    return extent;
  }
  case spv::Op::OpTypeArray: {
    auto count = KILN_TRY(t.readConstant((*inst)[1]));
    auto element = KILN_TRY(explicitExtent(t, (*inst)[0], matrix));
    return SaturatingAdd(SaturatingMultiply<uint64_t>(count - 1, arrayStride(t.spv, typeId)),
                         element);
  }
  case spv::Op::OpTypeMatrix: {
    auto type = KILN_TRY(t.memoryType(typeId));
    const auto *column = cast<FixedVectorType>(type->getArrayElementType());
    const uint64_t vectors =
        matrix.rowMajor ? column->getNumElements() : type->getArrayNumElements();
    return vectors * uint64_t(matrix.stride);
  }
  default: {
    auto type = KILN_TRY(t.memoryType(typeId));
    return t.module->getDataLayout().getTypeStoreSize(type).getFixedValue();
  }
  }
}

Error addInitializedBlocks(Translator &t) {
  Translator::State &s = t.internals();
  if (!s.workgroupBlock) // no Aliased block is named
    return Error::success();
  for (Id id : s.entry->interfaceIds) {
    const Inst *def = t.spv.definition(id);
    if (def && def->opcode == spv::Op::OpVariable && def->size() >= 2 &&
        static_cast<spv::StorageClass>((*def)[0]) == spv::StorageClass::Workgroup &&
        t.hasDecoration(id, spv::Decoration::Aliased)) {
      auto block = KILN_TRY(t.value(id));
      (void)block;
    }
  }
  return Error::success();
}

void collectWrittenVariables(Translator &t) {
  Translator::State &s = t.internals();
  auto mark = [&](Id pointer) {
    const Inst *type = t.spv.definition(t.typeIdOf(pointer));
    if (type && (type->opcode == spv::Op::OpTypePointer ||
                 type->opcode == spv::Op::OpTypeUntypedPointerKHR)) {
      const auto storage = static_cast<spv::StorageClass>((*type)[0]);
      // Uniform holds BufferBlock storage buffers too; stores to anything else in it are invalid.
      s.anyBufferWritten |= storage == spv::StorageClass::StorageBuffer ||
                            storage == spv::StorageClass::Uniform ||
                            storage == spv::StorageClass::PhysicalStorageBuffer;
    }
    const Inst *variable = rootVariable(t.spv, pointer);
    if (!variable)
      return;
    const spirv::Decoration *set =
        t.spv.findDecoration(variable->resultId, spv::Decoration::DescriptorSet);
    const spirv::Decoration *binding =
        t.spv.findDecoration(variable->resultId, spv::Decoration::Binding);
    if (set && binding && !set->operands.empty() && !binding->operands.empty())
      s.writtenBindings[static_cast<uint64_t>(set->operands[0]) << 32 | binding->operands[0]] =
          true;
    s.writtenVariables.insert(variable->resultId);
  };
  for (const spirv::Function &function : t.spv.functions())
    for (const spirv::Block &block : function.blocks)
      for (const Inst &inst : block.insts) {
        const int operand = isLateAtomic(inst.opcode) ? 0 : writtenOperand(inst.opcode);
        if (operand >= 0 && inst.size() > static_cast<size_t>(operand))
          mark(inst[operand]);
        else if (operand == -1)
          spirv::forEachIdOperand(inst, mark); // the pointer escapes: a store may follow
      }
}

Expected<Value *> globalVariableValue(Translator &t, const Inst &variable) {
  Translator::State &s = t.internals();
  auto known = s.current.resources.find(variable.resultId);
  if (known != s.current.resources.end())
    return known->second;
  auto pointer = KILN_TRY(t.typeInst(variable.typeId));
  if (pointer->opcode != spv::Op::OpTypePointer)
    return t.invalid(variable, "result type is not a pointer");
  const auto storage = static_cast<spv::StorageClass>(variable[0]);
  if (storage != static_cast<spv::StorageClass>((*pointer)[0]))
    return t.invalid(variable, "storage class differs from the pointer type's");
  const Id pointeeId = (*pointer)[1];
  switch (storage) {
  case spv::StorageClass::Private:
  case spv::StorageClass::RayPayloadKHR:
  case spv::StorageClass::CallableDataKHR:
    return privateVariable(t, variable, pointeeId);
  case spv::StorageClass::IncomingRayPayloadKHR:
  case spv::StorageClass::IncomingCallableDataKHR:
  case spv::StorageClass::HitAttributeKHR:
  case spv::StorageClass::ShaderRecordBufferKHR:
    return rayVariable(t, variable, storage, pointeeId);
  case spv::StorageClass::Input:
  case spv::StorageClass::Output:
    return interfaceVariableValue(t, variable, pointeeId);
  case spv::StorageClass::Workgroup:
    return workgroupVariable(t, variable, pointeeId);
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::UniformConstant:
    if (isKernel(t))
      return programVariable(t, variable, pointeeId);
    return resourceVariable(t, variable, storage, pointeeId);
  case spv::StorageClass::CrossWorkgroup:
    return programVariable(t, variable, pointeeId);
  case spv::StorageClass::PushConstant:
    return pushConstantVariable(t, variable, pointeeId);
  case spv::StorageClass::TaskPayloadWorkgroupEXT:
    return taskPayloadVariable(t, variable, pointeeId);
  case spv::StorageClass::Function:
    return t.invalid(variable, "used before it is defined");
  default:
    return t.unsupportedOp(variable,
                           "storage class " +
                               spirv::enumName(spirv::OperandKind::StorageClass, variable[0]));
  }
}

} // namespace llpc
