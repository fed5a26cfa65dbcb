//===- PartialLoads.cpp - long arrays of which little is used -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// HLSL compilers load a whole uniform block, arrays of matrices among it, and then extract the few
/// members that the shader uses. A load of an aggregate that would live in memory
/// (lgc/LargeValues.h) and of which nothing is used but elements that OpCompositeExtract names
/// becomes loads of these elements, at its own place: memory may change behind it.
///   %all = OpLoad %block %pointer                  load of block.bones[3]
///   %bones = OpCompositeExtract %array %all 0
///   %bone = OpCompositeExtract %matrix %bones 3
#include "lgc/LargeValues.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {
namespace {

/// An id that stands for a part of what a load gives.
struct Part {
  Id load;
  SmallVector<uint32_t, 4> path; ///< from the load's type
};

class Finder {
public:
  Finder(Translator &t) : t(t) {}

  /// Finds loads, and extracts of their parts.
  void visit(const Inst &inst) {
    if (inst.opcode == spv::Op::OpLoad && isLargeLoad(inst)) {
      loads[inst.resultId];
      parts[inst.resultId] = {inst.resultId, {}};
      return;
    }
    if (parts.empty())
      return;
    if (inst.opcode == spv::Op::OpCompositeExtract && inst.size() > 1)
      if (auto part = parts.find(inst[0]); part != parts.end()) {
        extracts.insert(&inst);
        Part next = part->second;
        llvm::append_range(next.path, inst.operands.drop_front());
        if (isLarge(inst.typeId))
          parts[inst.resultId] = next;
        else
          loads[next.load].push_back({&inst, next.path});
      }
  }

  /// After visit() of everything: the PHI of a loop stands before what it takes.
  void visitUses(const Inst &inst) {
    if (parts.empty() || extracts.contains(&inst))
      return;
    for (uint32_t operand : inst.operands) // literals may match by chance: only pessimistic
      if (auto part = parts.find(operand); part != parts.end())
        otherwiseUsed.insert(part->second.load);
  }

  void finish() {
    auto &current = t.internals().current;
    for (auto &[load, extracts] : loads)
      if (!otherwiseUsed.contains(load))
        current.partialLoads[load] = std::move(extracts);
    for (auto &[id, part] : parts)
      if (current.partialLoads.count(part.load))
        current.partialIds.insert(id);
  }

private:
  bool isLarge(Id typeId) {
    const Inst *type = t.spv.definition(typeId);
    if (!type || (type->opcode != spv::Op::OpTypeArray && type->opcode != spv::Op::OpTypeStruct))
      return false;
    auto value = t.type(typeId);
    if (value)
      return lgc::isLargeValue(*value);
    consumeError(value.takeError()); // whoever translates the instruction says it
    return false;
  }
  bool isLargeLoad(const Inst &inst) {
    const Inst *pointer = t.spv.definition(t.typeIdOf(inst[0]));
    return pointer &&
           (pointer->opcode == spv::Op::OpTypePointer ||
            pointer->opcode == spv::Op::OpTypeUntypedPointerKHR) &&
           isExplicitLayout(t, static_cast<spv::StorageClass>((*pointer)[0])) &&
           isLarge(inst.typeId);
  }

  Translator &t;
  MapVector<Id, PartialLoad> loads;
  DenseMap<Id, Part> parts;
  DenseSet<const Inst *> extracts;
  DenseSet<Id> otherwiseUsed;
};

} // namespace

void findPartialLoads(Translator &t, const spirv::Function &function) {
  Finder finder(t);
  for (const spirv::Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      finder.visit(inst);
  for (const spirv::Block &block : function.blocks)
    for (const Inst &inst : block.insts)
      finder.visitUses(inst);
  finder.finish();
}

/// The structures and arrays that a path goes through are offsets; what is behind them is loaded.
static Expected<Value *> loadPart(Translator &t, const Inst &inst, Id typeId, Value *pointer,
                                  spv::StorageClass storage, PointerInfo info,
                                  Translator::Access access, ArrayRef<uint32_t> path) {
  uint64_t offset = 0;
  for (; !path.empty(); path = path.drop_front()) {
    const Inst *type = KILN_TRY(t.typeInst(typeId));
    const bool isStruct = type->opcode == spv::Op::OpTypeStruct;
    if (!isStruct && type->opcode != spv::Op::OpTypeArray)
      break;
    const uint64_t count = isStruct ? type->size() : KILN_TRY(t.readConstant((*type)[1]));
    if (path[0] >= count)
      return t.invalid(inst, "index " + Twine(path[0]) + " into %" + Twine(typeId) +
                                 ", expected less than " + Twine(count));
    if (isStruct) {
      offset += KILN_TRY(memberOffset(t, inst, typeId, path[0]));
      info = memberInfo(t.spv, typeId, path[0], info);
      typeId = (*type)[path[0]];
    } else {
      offset += path[0] * uint64_t(arrayStride(t.spv, typeId));
      typeId = (*type)[0];
    }
  }
  info.alignBytes = MinAlign(info.alignBytes, offset);
  if (access.alignBytes)
    access.alignBytes = MinAlign(access.alignBytes, offset);
  const bool isWide = storage == spv::StorageClass::PhysicalStorageBuffer;
  Type *indexType = isWide ? t.b.getInt64Ty() : t.b.getInt32Ty();
  Value *place = t.b.CreateGEP(t.b.getInt8Ty(), pointer, ConstantInt::get(indexType, offset));
  auto value = KILN_TRY(t.load(typeId, place, storage, info, access, inst));
  return extractElements(t, inst, value, path);
}

Error loadPartially(Translator &t, const Inst &inst, Value *pointer, spv::StorageClass storage,
                    const PointerInfo &info, const Translator::Access &access) {
  for (const auto &[extract, path] : t.internals().current.partialLoads.lookup(inst.resultId)) {
    auto value = KILN_TRY(loadPart(t, *extract, inst.typeId, pointer, storage, info, access, path));
    KILN_TRY(t.setValue(*extract, value));
    t.internals().current.partialIds.insert(extract->resultId);
  }
  return Error::success();
}

} // namespace llpc
