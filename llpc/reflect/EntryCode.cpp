//===- EntryCode.cpp - what the code of an entry point names --------------===//
// SPDX-License-Identifier: MIT
/// \file
///   before: %main stores to member 0 of %gl_PerVertex and calls %f; %f loads %ubo and ballots
///   after:  variables {%gl_PerVertex, members 0b1}, {%ubo, all}; UsesSubgroupSize
#include "llpc/reflect/EntryCode.h"
#include "llpc/spirv/IdOperands.h"
#include "llvm/ADT/DenseSet.h"
#include <spirv/unified1/GLSL.std.450.h>

namespace llpc {

using spirv::Id;
using spirv::Inst;
using spv::Op;

namespace {

struct OpTraitRow {
  Op opcode;
  EntryTrait trait;
};
constexpr OpTraitRow opTraits[] = {
    {Op::OpKill, EntryTrait::Discards},
    {Op::OpTerminateInvocation, EntryTrait::Discards},
    {Op::OpDemoteToHelperInvocation, EntryTrait::Discards},
    {Op::OpIsHelperInvocationEXT, EntryTrait::ReadsHelperInvocation},
    {Op::OpBeginInvocationInterlockEXT, EntryTrait::UsesInterlock},
    {Op::OpEndInvocationInterlockEXT, EntryTrait::UsesInterlock},
};

struct ExtTraitRow {
  llvm::StringLiteral set;
  uint32_t number; ///< anyNumber: all of the set
  EntryTrait trait;
};
constexpr uint32_t anyNumber = ~0u;
constexpr ExtTraitRow extTraits[] = {
    {"GLSL.std.450", GLSLstd450InterpolateAtCentroid, EntryTrait::InterpolatesAtCentroid},
    {"GLSL.std.450", GLSLstd450InterpolateAtSample, EntryTrait::InterpolatesAtSample},
    {"GLSL.std.450", GLSLstd450InterpolateAtOffset, EntryTrait::InterpolatesAtOffset},
    {"SPV_AMD_shader_ballot", anyNumber, EntryTrait::UsesSubgroupSize},
};

class Walk {
public:
  explicit Walk(const spirv::Module &module) : module(module) {}
  EntryCode run(const spirv::EntryPoint &entry);

private:
  void visit(const Inst &inst, uint32_t functionOffset);
  void use(const Inst *def, uint64_t members);
  uint64_t chainMembers(const Inst &chain, const Inst &variable) const;
  void addExtInstTraits(const Inst &inst);
  void addInitialized(const spirv::EntryPoint &entry);

  const spirv::Module &module;
  EntryCode code;
  llvm::SmallDenseMap<Id, uint32_t, 32> indices; ///< variable -> place in code.variables
  llvm::DenseSet<Id> seenFunctions;
  llvm::SmallVector<Id, 16> pending; ///< functions
};

void Walk::use(const Inst *def, uint64_t members) {
  while (true) {
    auto [it, isNew] = indices.try_emplace(def->resultId, code.variables.size());
    if (!isNew) {
      code.variables[it->second].members |= members;
      return;
    }
    code.variables.push_back({def, members});
    // A pointer variable may begin with the address of another variable.
    const Inst *initializer = def->size() >= 2 ? module.definition((*def)[1]) : nullptr;
    if (!initializer || initializer->opcode != Op::OpVariable || !initializer->size() ||
        initializer->wordOffset >= def->wordOffset)
      return;
    def = initializer;
    members = UsedVariable::everyMember;
  }
}

/// The members of a block that an access chain into \p variable selects.
uint64_t Walk::chainMembers(const Inst &chain, const Inst &variable) const {
  const auto storage = static_cast<spv::StorageClass>(variable[0]);
  if (storage != spv::StorageClass::Input && storage != spv::StorageClass::Output)
    return UsedVariable::everyMember;
  const Inst *pointer = module.definition(variable.typeId);
  const Inst *type = pointer && pointer->size() >= 2 ? module.definition((*pointer)[1]) : nullptr;
  size_t at = 1;
  for (; type && type->opcode == Op::OpTypeArray && type->size(); ++at)
    type = module.definition((*type)[0]);
  if (!type || type->opcode != Op::OpTypeStruct || at >= chain.size())
    return UsedVariable::everyMember;
  const Inst *index = module.definition(chain[at]);
  if (!index || index->opcode != Op::OpConstant || !index->size())
    return UsedVariable::everyMember;
  return 1ull << std::min((*index)[0], 63u);
}

void Walk::addExtInstTraits(const Inst &inst) {
  if (inst.size() < 2)
    return;
  const llvm::StringRef set = module.extInstSet(inst[0]);
  for (const ExtTraitRow &row : extTraits)
    if ((row.number == inst[1] || row.number == anyNumber) && set == row.set)
      code.instructionTraits.set(row.trait);
}

void Walk::visit(const Inst &inst, uint32_t functionOffset) {
  const spirv::OpInfo *info = spirv::findOp(static_cast<uint32_t>(inst.opcode));
  if (!info)
    return;
  if (const Id callee = spirv::calleeOf(inst); callee && seenFunctions.insert(callee).second)
    pending.push_back(callee);
  if (info->opClass == spirv::OpClass::NonUniform || info->opClass == spirv::OpClass::Group)
    code.instructionTraits.set(EntryTrait::UsesSubgroupSize);
  if (info->opClass == spirv::OpClass::ControlFlow || info->opClass == spirv::OpClass::Reserved)
    for (const OpTraitRow &row : opTraits)
      if (row.opcode == inst.opcode)
        code.instructionTraits.set(row.trait);
  if (inst.opcode == Op::OpExtInst)
    addExtInstTraits(inst);
  const bool isChain = inst.opcode == Op::OpAccessChain || inst.opcode == Op::OpInBoundsAccessChain;
  spirv::forEachIdOperand(inst, *info, [&](Id id) {
    const Inst *def = module.definition(id);
    if (!def || def->opcode != Op::OpVariable || !def->size() || def->wordOffset >= functionOffset)
      return;
    use(def, isChain && id == inst[0] ? chainMembers(inst, *def) : UsedVariable::everyMember);
  });
}

/// Outputs that are written although no instruction names them.
void Walk::addInitialized(const spirv::EntryPoint &entry) {
  for (Id id : entry.interfaceIds) {
    const Inst *def = module.definition(id);
    if (def && def->opcode == Op::OpVariable && def->size() >= 2 &&
        static_cast<spv::StorageClass>((*def)[0]) == spv::StorageClass::Output)
      use(def, UsedVariable::everyMember);
  }
}

EntryCode Walk::run(const spirv::EntryPoint &entry) {
  seenFunctions.insert(entry.function);
  pending.push_back(entry.function);
  while (!pending.empty()) {
    const spirv::Function *function = module.findFunction(pending.pop_back_val());
    if (!function)
      continue;
    for (const spirv::Block &block : function->blocks) {
      code.visitedInstructions += block.insts.size();
      for (const Inst &inst : block.insts)
        visit(inst, function->definition->wordOffset);
    }
  }
  addInitialized(entry);
  return std::move(code);
}

} // namespace

EntryCode walkEntry(const spirv::Module &module, const spirv::EntryPoint &entry) {
  return Walk(module).run(entry);
}

} // namespace llpc
