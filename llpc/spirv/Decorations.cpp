//===- Decorations.cpp - names, decorations, decoration groups ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Collects what annotations and names say while the module is read (their targets are defined
/// later), then checks the targets, expands groups and lays the decorations out in one pool,
/// grouped by id, so that a look-up is an index.
///   before: OpDecorate %g NonWritable; %g = OpDecorationGroup; OpGroupDecorate %g %a %b
///   after:  decorations(%a) = decorations(%b) = {NonWritable}
#include "llpc/spirv/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

namespace llpc::spirv {

using lgc::ErrorKind;
using llvm::Twine;
using spv::Op;

bool Reader::addName(const Inst &inst) {
  if (inst.opcode == Op::OpMemberName) {
    module.memberNames.push_back({inst[0], inst[1], literalString(inst.operands, 2)});
    return true;
  }
  IdInfo &info = module.ids.get(inst[0]);
  if (!info.nameInst)
    info.nameInst = indexOf(inst) + 1;
  return true;
}

bool Reader::addDecoration(const Inst &inst, bool isMember) {
  size_t kindPos = isMember ? 2 : 1;
  uint32_t kind = inst[kindPos];
  llvm::ArrayRef<uint32_t> operands = inst.operands.drop_front(kindPos + 1);
  // The grammar gives each decoration one list of operands: ids need OpDecorateId.
  const EnumInfo *info = findEnumerant(OperandKind::Decoration, kind);
  bool takesIds = false;
  for (OperandSpec spec : operandsOf(*info))
    takesIds |= kindInfo(spec.kind).category == KindCategory::Id;
  if (takesIds != (inst.opcode == Op::OpDecorateId) && (takesIds || info->paramCount))
    return invalid(inst, "decoration " + nameOf(*info) + (takesIds ? " needs" : " does not allow") +
                             " OpDecorateId");
  uint32_t member = isMember ? inst[1] : Decoration::noMember;
  rawDecorations.push_back(
      {inst[0], {static_cast<spv::Decoration>(kind), member, operands}, &inst});
  return true;
}

bool Reader::checkAnnotation(const Inst &inst) {
  switch (inst.opcode) {
  case Op::OpDecorate:
  case Op::OpDecorateId:
  case Op::OpDecorateString:
    return addDecoration(inst, false);
  case Op::OpMemberDecorate:
  case Op::OpMemberDecorateString:
    return addDecoration(inst, true);
  case Op::OpGroupDecorate:
  case Op::OpGroupMemberDecorate:
    if (module.definition(inst[0])->opcode != Op::OpDecorationGroup)
      return invalid(inst, "%" + Twine(inst[0]) + " is no OpDecorationGroup");
    groupUses.push_back(&inst);
    return true;
  default:
    return true;
  }
}

bool Reader::checkMember(const Inst &inst, Id structId, uint32_t member) {
  const Inst *type = module.definition(structId);
  if (type->opcode != Op::OpTypeStruct)
    return invalid(inst, "target %" + Twine(structId) + " is no OpTypeStruct");
  if (member >= type->size())
    return invalid(inst, "member " + Twine(member) + " of %" + Twine(structId) +
                             " does not exist, the struct has " + Twine(type->size()) + " members");
  return true;
}

/// Appends the decorations of each group to its targets.
bool Reader::expandGroups() {
  if (groupUses.empty())
    return true;
  auto byTarget = [](const RawDecoration &a, const RawDecoration &b) {
    return a.target < b.target;
  };
  std::vector<RawDecoration> ofGroups;
  for (const RawDecoration &raw : rawDecorations)
    if (module.definition(raw.target)->opcode == Op::OpDecorationGroup)
      ofGroups.push_back(raw);
  llvm::sort(ofGroups, [](const RawDecoration &a, const RawDecoration &b) {
    return std::pair(a.target, a.inst) < std::pair(b.target, b.inst);
  });
  // Why a limit: groups times targets can be quadratic in the size of the module.
  size_t countMax = rawDecorations.size() + 4 * module.moduleWords.size();
  for (const Inst *use : groupUses) {
    bool isMember = use->opcode == Op::OpGroupMemberDecorate;
    auto [first, last] = std::equal_range(ofGroups.begin(), ofGroups.end(),
                                          RawDecoration{(*use)[0], {}, nullptr}, byTarget);
    for (size_t i = 1; i < use->size(); i += isMember ? 2 : 1) {
      Id target = (*use)[i];
      if (isMember && !checkMember(*use, target, (*use)[i + 1]))
        return false;
      if (!isMember && module.definition(target)->opcode == Op::OpDecorationGroup)
        return invalid(*use, "target %" + Twine(target) + " is an OpDecorationGroup itself");
      for (auto it = first; it != last; ++it) {
        RawDecoration copy = *it;
        copy.target = target;
        if (isMember)
          copy.decoration.member = (*use)[i + 1];
        rawDecorations.push_back(copy);
      }
      if (rawDecorations.size() > countMax)
        return fail(ErrorKind::LimitExceeded, place(*use) +
                                                  ": decoration groups expand to more than " +
                                                  std::to_string(countMax) + " decorations");
    }
  }
  return true;
}

bool Reader::finishDecorations() {
  for (const RawDecoration &raw : rawDecorations)
    if (raw.decoration.member != Decoration::noMember &&
        !checkMember(*raw.inst, raw.target, raw.decoration.member))
      return false;
  if (!expandGroups())
    return false;

  // One run per id: count, give each id its place at first sight, fill.
  for (const RawDecoration &raw : rawDecorations)
    ++module.ids.get(raw.target).decorationCount;
  module.decorationPool.resize(rawDecorations.size());
  uint32_t next = 1; // 0: no place yet
  for (const RawDecoration &raw : rawDecorations) {
    IdInfo &info = module.ids.get(raw.target);
    if (info.decorationBegin == 0) {
      info.decorationBegin = next;
      next += info.decorationCount;
      info.decorationCount = 0;
    }
    module.decorationPool[info.decorationBegin - 1 + info.decorationCount++] = raw.decoration;
  }
  // Within a member by place in the module; the operands of all decorations lie in its words.
  auto byMember = [](const Decoration &a, const Decoration &b) {
    return std::pair(a.member, a.operands.data()) < std::pair(b.member, b.operands.data());
  };
  for (const RawDecoration &raw : rawDecorations) {
    IdInfo &info = module.ids.get(raw.target);
    auto first = module.decorationPool.begin() + info.decorationBegin - 1;
    auto last = first + info.decorationCount;
    if (!info.decorationsSorted && !std::is_sorted(first, last, byMember))
      std::sort(first, last, byMember);
    info.decorationsSorted = true;
  }
  llvm::sort(module.memberNames, [](const Module::MemberName &a, const Module::MemberName &b) {
    return std::tuple(a.structId, a.member, a.text.data()) <
           std::tuple(b.structId, b.member, b.text.data());
  });
  return true;
}

} // namespace llpc::spirv
