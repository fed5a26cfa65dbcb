//===- StageInterface.cpp - locations that an entry point reads and writes ===//
// SPDX-License-Identifier: MIT
/// \file
///   before: layout(location = 0) in vec3 position; layout(location = 2) in mat2 m;
///   after:  {0, Float 32 x 3}, {2, Float 32 x 2}, {3, Float 32 x 2}
#include "llpc/reflect/StageInterface.h"
#include "llpc/reflect/ConstantEval.h"
#include "llpc/reflect/EntryCode.h"
#include "pal_shim/abi/Try.h"
#include <map>

namespace llpc {

using spirv::Id;
using spirv::Inst;

namespace {

constexpr uint32_t maxLocations = 4096;
constexpr unsigned maxNesting = 16; ///< of arrays and structures inside one variable

/// Which variables count, and how their types are read.
enum class Wanted : uint8_t { All, OfVertices, OfArraysOfVertices, OfPatches };

class Collector {
public:
  Collector(const spirv::Module &module, spv::StorageClass storage,
            llvm::ArrayRef<SpecConstant> specialization = {}, Wanted wanted = Wanted::All)
      : module(module), constants(module, specialization), storage(storage), wanted(wanted) {}

  llvm::Expected<std::vector<InterfaceSlot>> run(const spirv::EntryPoint &entry);

private:
  struct Place {
    uint32_t location, component, index;
  };
  llvm::Error addVariable(const Inst &variable);
  llvm::Error addType(const Inst &variable, Id typeId, Place &place, unsigned depth);
  llvm::Error addStruct(const Inst &variable, const Inst &type, Place &place, unsigned depth);
  llvm::Error addVector(const Inst &variable, const Inst &scalar, uint32_t count, Place &place);
  llvm::Error readLocation(const Inst &variable, const spirv::Decoration &decoration,
                           Place &place) const;
  uint32_t literal(Id id, spv::Decoration kind, uint32_t absent,
                   uint32_t member = spirv::Decoration::noMember) const;

  const spirv::Module &module;
  ConstantEval constants;
  spv::StorageClass storage;
  Wanted wanted;
  std::map<std::pair<uint32_t, uint32_t>, InterfaceSlot> slots;
  uint32_t visited = 0; ///< elements seen, which bounds the work
};

constexpr uint32_t noLocation = ~0u;

uint32_t Collector::literal(Id id, spv::Decoration kind, uint32_t absent, uint32_t member) const {
  const spirv::Decoration *decoration = module.findDecoration(id, kind, member);
  return decoration && !decoration->operands.empty() ? decoration->operands[0] : absent;
}

llvm::Error Collector::readLocation(const Inst &variable, const spirv::Decoration &decoration,
                                    Place &place) const {
  place.location = decoration.operands.empty() ? 0 : decoration.operands[0];
  if (place.location >= maxLocations)
    return lgc::invalidInput(spirv::place(variable) + ": location " + llvm::Twine(place.location) +
                             " is out of range");
  return llvm::Error::success();
}

llvm::Error Collector::addVector(const Inst &variable, const Inst &scalar, uint32_t count,
                                 Place &place) {
  const uint32_t bits = scalar.size() ? scalar[0] : 0;
  const bool isFloat = scalar.opcode == spv::Op::OpTypeFloat;
  if ((!isFloat && scalar.opcode != spv::Op::OpTypeInt) || (isFloat && scalar.size() > 1) ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64) || count == 0 || count > 4)
    return lgc::invalidInput(spirv::place(variable) + ": " + spirv::opName(scalar.opcode) +
                             " cannot have a location");
  InterfaceSlot slot;
  slot.location = place.location;
  slot.index = place.index;
  slot.base = isFloat                          ? InterfaceSlot::Base::Float
              : scalar.size() > 1 && scalar[1] ? InterfaceSlot::Base::Sint
                                               : InterfaceSlot::Base::Uint;
  slot.bits = static_cast<uint8_t>(bits);
  // Components count dwords: those of 64 bits take two each.
  const uint32_t first = bits == 64 ? place.component / 2 : place.component;
  slot.components = static_cast<uint8_t>(std::min(first + count, 4u));
  auto [it, isNew] = slots.try_emplace({slot.location, slot.index}, slot);
  if (!isNew)
    it->second.components = std::max(it->second.components, slot.components);
  place.location += bits == 64 && count > 2 ? 2 : 1;
  return llvm::Error::success();
}

llvm::Error Collector::addStruct(const Inst &variable, const Inst &type, Place &place,
                                 unsigned depth) {
  for (uint32_t member = 0; member < type.size(); ++member) {
    if (module.findDecoration(type.resultId, spv::Decoration::BuiltIn, member))
      continue;
    if (const auto *location =
            module.findDecoration(type.resultId, spv::Decoration::Location, member)) {
      KILN_TRY(readLocation(variable, *location, place));
    }
    place.component = literal(type.resultId, spv::Decoration::Component, 0, member);
    if (place.location == noLocation)
      return lgc::invalidInput(spirv::place(variable) + ": member " + llvm::Twine(member) +
                               " has no Location");
    KILN_TRY(addType(variable, type[member], place, depth));
  }
  return llvm::Error::success();
}

llvm::Error Collector::addType(const Inst &variable, Id typeId, Place &place, unsigned depth) {
  const Inst *type = module.definition(typeId);
  if (!type || depth > maxNesting)
    return lgc::invalidInput(spirv::place(variable) + ": a type that cannot have a location");
  if (++visited > maxLocations)
    return lgc::limitExceeded(spirv::place(variable) + ": more than " + llvm::Twine(maxLocations) +
                              " locations");
  if (type->opcode == spv::Op::OpTypeStruct)
    return addStruct(variable, *type, place, depth + 1);
  if (type->opcode == spv::Op::OpTypeVector && type->size() >= 2) {
    const Inst *scalar = module.definition((*type)[0]);
    if (scalar)
      return addVector(variable, *scalar, (*type)[1], place);
  }
  const bool isArray = type->opcode == spv::Op::OpTypeArray;
  if ((!isArray && type->opcode != spv::Op::OpTypeMatrix) || type->size() < 2)
    return addVector(variable, *type, 1, place);
  const uint64_t count = isArray ? constants.evaluate((*type)[1]).value_or(1) : (*type)[1];
  for (uint64_t i = 0; i < count; ++i)
    KILN_TRY(addType(variable, (*type)[0], place, depth + 1));
  return llvm::Error::success();
}

llvm::Error Collector::addVariable(const Inst &variable) {
  const Inst *pointer = module.definition(variable.typeId);
  if (!pointer || pointer->opcode != spv::Op::OpTypePointer || pointer->size() < 2)
    return lgc::invalidInput(spirv::place(variable) + ": the type is no pointer");
  const Id id = variable.resultId;
  Place place = {noLocation, literal(id, spv::Decoration::Component, 0),
                 literal(id, spv::Decoration::Index, 0)};
  if (const auto *location = module.findDecoration(id, spv::Decoration::Location))
    KILN_TRY(readLocation(variable, *location, place));
  Id typeId = (*pointer)[1];
  const Inst *type = module.definition(typeId);
  if (wanted == Wanted::OfArraysOfVertices && type && type->opcode == spv::Op::OpTypeArray &&
      type->size()) {
    typeId = (*type)[0];
    type = module.definition(typeId);
  }
  if (place.location == noLocation && !(type && type->opcode == spv::Op::OpTypeStruct))
    return lgc::invalidInput(spirv::place(variable) + ": no Location");
  return addType(variable, typeId, place, 0);
}

llvm::Expected<std::vector<InterfaceSlot>> Collector::run(const spirv::EntryPoint &entry) {
  for (Id id : entry.interfaceIds) {
    const Inst *variable = module.definition(id);
    if (!variable || variable->opcode != spv::Op::OpVariable || !variable->size() ||
        static_cast<spv::StorageClass>((*variable)[0]) != storage ||
        module.hasDecoration(id, spv::Decoration::BuiltIn))
      continue;
    if (wanted != Wanted::All &&
        module.hasDecoration(id, spv::Decoration::Patch) != (wanted == Wanted::OfPatches))
      continue;
    KILN_TRY(addVariable(*variable));
  }
  std::vector<InterfaceSlot> result;
  for (const auto &[key, slot] : slots)
    result.push_back(slot);
  return result;
}

} // namespace

llvm::Expected<std::vector<InterfaceSlot>> collectInputs(const spirv::Module &module,
                                                         const spirv::EntryPoint &entry) {
  return inputsOf(module, entry, {});
}

llvm::Expected<std::vector<InterfaceSlot>> inputsOf(const spirv::Module &module,
                                                    const spirv::EntryPoint &entry,
                                                    llvm::ArrayRef<SpecConstant> specialization) {
  return Collector(module, spv::StorageClass::Input, specialization).run(entry);
}

llvm::Expected<std::vector<InterfaceSlot>> collectOutputs(const spirv::Module &module,
                                                          const spirv::EntryPoint &entry) {
  return Collector(module, spv::StorageClass::Output).run(entry);
}

bool interfaceIsSpecialized(const spirv::Module &module, const spirv::EntryPoint &entry,
                            spv::StorageClass storage) {
  llvm::SmallVector<Id, 16> pending;
  for (Id id : entry.interfaceIds) {
    const Inst *variable = module.definition(id);
    const Inst *pointer = variable && variable->opcode == spv::Op::OpVariable && variable->size() &&
                                  static_cast<spv::StorageClass>((*variable)[0]) == storage
                              ? module.definition(variable->typeId)
                              : nullptr;
    if (pointer && pointer->opcode == spv::Op::OpTypePointer && pointer->size() >= 2)
      pending.push_back((*pointer)[1]);
  }
  // Types are older than what is made of them, so this ends; that many is more than any has.
  for (unsigned visited = 0; !pending.empty() && visited < maxLocations; ++visited) {
    const Inst *type = module.definition(pending.pop_back_val());
    if (type && type->opcode == spv::Op::OpTypeStruct) {
      pending.append(type->operands.begin(), type->operands.end());
    } else if (type && type->opcode == spv::Op::OpTypeArray && type->size() >= 2) {
      const Inst *length = module.definition((*type)[1]);
      if (!length || length->opcode != spv::Op::OpConstant)
        return true;
      pending.push_back((*type)[0]);
    }
  }
  return !pending.empty();
}

llvm::Expected<HandedSlots> collectHanded(const spirv::Module &module,
                                          const spirv::EntryPoint &entry,
                                          spv::StorageClass storage) {
  using Model = spv::ExecutionModel;
  const bool isInput = storage == spv::StorageClass::Input;
  const bool hasArrays =
      entry.model == Model::TessellationControl ||
      (isInput ? entry.model == Model::TessellationEvaluation || entry.model == Model::Geometry
               : entry.model == Model::MeshEXT);
  auto collect = [&](Wanted wanted) { return Collector(module, storage, {}, wanted).run(entry); };
  HandedSlots handed;
  handed.ofVertices =
      KILN_TRY(collect(hasArrays ? Wanted::OfArraysOfVertices : Wanted::OfVertices));
  handed.ofPatches = KILN_TRY(collect(Wanted::OfPatches));
  return handed;
}

} // namespace llpc
