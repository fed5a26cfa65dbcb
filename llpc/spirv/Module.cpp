//===- Module.cpp - queries on a parsed module ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Look-ups only. The tables are filled by the Reader and never change afterwards, so any number of
/// threads may ask one Module.
#include "llpc/spirv/Module.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <tuple>

namespace llpc::spirv {

std::string place(const Inst &inst) {
  std::string text = opName(inst.opcode);
  if (inst.resultId)
    text += " %" + std::to_string(inst.resultId);
  return text + " (word " + std::to_string(inst.wordOffset) + ")";
}

llvm::StringRef literalString(llvm::ArrayRef<uint32_t> operands, size_t first) {
  if (first >= operands.size())
    return {};
  const char *data = reinterpret_cast<const char *>(operands.data() + first);
  size_t bytesMax = (operands.size() - first) * sizeof(uint32_t);
  return llvm::StringRef(data, strnlen(data, bytesMax));
}

bool Module::isUntypedPointer(Id id) const {
  const Inst *pointer = definition(id);
  const Inst *type = pointer ? definition(pointer->typeId) : nullptr;
  return type &&
         (type->opcode == spv::Op::OpTypeUntypedPointerKHR || type->resultId >= declaredBound);
}

llvm::StringRef Module::name(Id id) const {
  const IdInfo *info = ids.find(id);
  return info && info->nameInst ? literalString(insts[info->nameInst - 1].operands, 1)
                                : llvm::StringRef();
}

llvm::StringRef Module::memberName(Id structId, uint32_t member) const {
  auto found =
      std::lower_bound(memberNames.begin(), memberNames.end(), std::make_tuple(structId, member),
                       [](const MemberName &entry, std::tuple<Id, uint32_t> wanted) {
                         return std::make_tuple(entry.structId, entry.member) < wanted;
                       });
  if (found == memberNames.end() || found->structId != structId || found->member != member)
    return {};
  return found->text;
}

llvm::ArrayRef<Decoration> Module::decorations(Id id) const {
  const IdInfo *info = ids.find(id);
  if (!info || info->decorationBegin == 0)
    return {};
  return llvm::ArrayRef(decorationPool).slice(info->decorationBegin - 1, info->decorationCount);
}

llvm::ArrayRef<Decoration> Module::decorations(Id id, uint32_t member) const {
  llvm::ArrayRef<Decoration> all = decorations(id);
  auto first = std::lower_bound(
      all.begin(), all.end(), member,
      [](const Decoration &entry, uint32_t wanted) { return entry.member < wanted; });
  auto last =
      std::upper_bound(first, all.end(), member, [](uint32_t wanted, const Decoration &entry) {
        return wanted < entry.member;
      });
  return {first, last};
}

bool Module::hasDecoration(Id id, spv::Decoration kind) const {
  return findDecoration(id, kind) != nullptr;
}

const Decoration *Module::findDecoration(Id id, spv::Decoration kind, uint32_t member) const {
  for (const Decoration &decoration : decorations(id, member))
    if (decoration.kind == kind)
      return &decoration;
  return nullptr;
}

bool Module::hasCapability(spv::Capability capability) const {
  return llvm::is_contained(allCapabilities, capability);
}

bool Module::hasExtension(llvm::StringRef extension) const {
  return llvm::is_contained(declaredExtensions, extension);
}

llvm::StringRef Module::extInstSet(Id importId) const {
  const Inst *inst = definition(importId);
  return inst && inst->opcode == spv::Op::OpExtInstImport ? literalString(inst->operands)
                                                          : llvm::StringRef();
}

llvm::StringRef Module::stringOf(Id id) const {
  const Inst *inst = definition(id);
  return inst && inst->opcode == spv::Op::OpString ? literalString(inst->operands)
                                                   : llvm::StringRef();
}

const EntryPoint *Module::findEntryPoint(spv::ExecutionModel model,
                                         llvm::StringRef entryName) const {
  for (const EntryPoint &entry : entries)
    if (entry.model == model && entry.name == entryName)
      return &entry;
  return nullptr;
}

const Function *Module::findFunction(Id id) const {
  auto found = functionIndex.find(id);
  return found == functionIndex.end() ? nullptr : &funcs[found->second];
}

} // namespace llpc::spirv
