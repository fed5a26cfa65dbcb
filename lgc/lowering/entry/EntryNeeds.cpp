//===- EntryNeeds.cpp - what the code asks of its entry registers ---------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

namespace userdata = pal::abi::userdata;

bool EntryNeeds::needsSpecial(uint32_t value) const { return is_contained(specialValues, value); }

void EntryNeeds::addSpecial(uint32_t value) {
  auto *place = lower_bound(specialValues, value);
  if (place == specialValues.end() || *place != value)
    specialValues.insert(place, value);
}

namespace {

/// Can the shader compute an index or an address into this root entry? Not into a single descriptor
/// (LowerDescriptors).
bool isIndexable(const ResourceNode &node) {
  if (node.type == ResourceNodeType::DescriptorTableVaPtr ||
      node.type == ResourceNodeType::IndirectUserDataVaPtr)
    return false;
  uint32_t element = node.strideInDwords ? node.strideInDwords : defaultStrideInDwords(node.type);
  return node.sizeInDwords > element; // push constants and inline blocks have no element size
}

/// Where a monolithic pipeline computes addresses in the spill table: push constants, arrays of
/// descriptors and inline blocks; everything when there is no such node.
void addIndexable(const ResourceMapping &mapping, BitVector &indexed) {
  uint32_t begin = userdata::maxEntries, end = 0;
  for (const ResourceNode &node : mapping.roots) {
    if (!isIndexable(node))
      continue;
    begin = std::min(begin, node.offsetInDwords);
    end = std::max(end, node.offsetInDwords + node.sizeInDwords);
  }
  if (begin < end)
    indexed.set(begin, std::min(end, userdata::maxEntries));
  else
    indexed.set();
}

/// The same in a relocatable part, whose addresses name the node that they are in.
void addRelocated(Function &function, const ResourceMapping &mapping, BitVector &indexed) {
  const Function *intrinsic =
      Intrinsic::getDeclarationIfExists(function.getParent(), Intrinsic::amdgcn_reloc_constant);
  if (!intrinsic)
    return;
  for (const User *user : intrinsic->users()) {
    const auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getFunction() != &function)
      continue;
    std::optional<uint32_t> dword = relocatedRootDword(*call);
    const ResourceNode *node = dword ? findRootNode(mapping, *dword) : nullptr;
    if (node && node->offsetInDwords < userdata::maxEntries)
      indexed.set(node->offsetInDwords,
                  std::min(node->offsetInDwords + node->sizeInDwords, userdata::maxEntries));
  }
}

unsigned dwordsOf(const CallInst &call) {
  auto *vector = dyn_cast<FixedVectorType>(call.getType());
  return vector ? vector->getNumElements() : 1;
}

void addUsedParts(const CallInst &vector, std::array<bool, 3> &parts) {
  for (const User *user : vector.users()) {
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    for (unsigned i = 0; i < 3; ++i)
      parts[i] |= !index || index->equalsInt(i);
  }
}

/// Finds the operations of all entry functions.
class Collector {
public:
  Collector(Module &module, const PipelineState &state) : module(module), state(state) {}
  Expected<MapVector<Function *, EntryNeeds>> run();

private:
  using Visit = Error (Collector::*)(CallInst &, EntryNeeds &);
  Error visitUserData(CallInst &call, EntryNeeds &needs);
  Error visitSpillTable(CallInst &call, EntryNeeds &needs);
  Error visitBuiltin(CallInst &call, EntryNeeds &needs);
  Error visitHwValue(CallInst &call, EntryNeeds &needs);
  Error visitSpecial(CallInst &call, EntryNeeds &needs);
  Error visitDriverTable(CallInst &call, EntryNeeds &needs);
  Error visitVertexInput(CallInst &call, EntryNeeds &needs);

  Module &module;
  const PipelineState &state;
};

Error Collector::visitUserData(CallInst &call, EntryNeeds &needs) {
  if (!call.getType()->getScalarType()->isIntegerTy(32))
    return internalError("lgc.user.data: result is not made of i32");
  uint64_t first = cast<UserDataOp>(call).constArg(0);
  uint64_t end = first + dwordsOf(call);
  if (end > userdata::maxEntries)
    return limitExceeded("user data dword " + Twine(end - 1) + " is read, the limit is " +
                         Twine(userdata::maxEntries));
  needs.entries.set(static_cast<unsigned>(first), static_cast<unsigned>(end));
  needs.userData.push_back(&call);
  return Error::success();
}

Error Collector::visitSpillTable(CallInst &call, EntryNeeds &needs) {
  needs.spillTable.push_back(&call);
  return Error::success();
}

Error Collector::visitBuiltin(CallInst &call, EntryNeeds &needs) {
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  bool isVec3 = type && type->getNumElements() == 3 && type->getElementType()->isIntegerTy(32);
  bool isCompute = hardwareStageOf(*call.getFunction(), state) == pal::abi::HardwareStage::Cs;
  switch (static_cast<BuiltIn>(isVec3 ? cast<BuiltinOp>(call).constArg(0) : ~0u)) {
  case BuiltIn::WorkgroupId:
    if (!isCompute)
      break;
    needs.workgroupId.push_back(&call);
    addUsedParts(call, needs.workgroupIdParts);
    return Error::success();
  case BuiltIn::NumWorkgroups:
    needs.numWorkgroups.push_back(&call);
    // The driver has no buffer with the counts of a draw; it puts them into registers.
    needs.addSpecial(state.isGraphics() ? userdata::meshTaskDispatchDims : userdata::workgroup);
    return Error::success();
  case BuiltIn::HwLocalId:
    if (!isCompute)
      break;
    needs.localId.push_back(&call);
    addUsedParts(call, needs.localIdParts);
    return Error::success();
  default:
    break;
  }
  return internalError("built-in " + Twine(cast<BuiltinOp>(call).constArg(0)) + " of '" +
                       call.getFunction()->getName() + "' was not lowered");
}

Error Collector::visitHwValue(CallInst &call, EntryNeeds &needs) {
  uint32_t number = cast<HwValueOp>(call).constArg(0);
  if (number >= static_cast<uint32_t>(HwValue::Count))
    return internalError("lgc.hw.value " + Twine(number) + ": unknown number");
  auto value = static_cast<HwValue>(number);
  if (call.getType() != hwValueType(call.getContext(), value))
    return internalError(Twine("lgc.hw.value ") + hwValueName(value) + ": wrong type");
  needs.hardware.set(number);
  needs.hwValues.push_back(&call);
  return Error::success();
}

Error Collector::visitSpecial(CallInst &call, EntryNeeds &needs) {
  uint32_t value = cast<SpecialUserDataOp>(call).constArg(0);
  if (!userdata::isSpecial(value) || value == userdata::globalTable ||
      value == userdata::spillTable)
    return internalError("lgc.special.user.data: " + userdata::describe(value) +
                         " cannot be asked for");
  if (!call.getType()->getScalarType()->isIntegerTy(32) ||
      dwordsOf(call) != userdata::registerCount(value))
    return internalError("lgc.special.user.data: " + userdata::describe(value) + " takes " +
                         Twine(userdata::registerCount(value)) + " registers, the type does not");
  needs.addSpecial(value);
  needs.specials.push_back(&call);
  return Error::success();
}

Error Collector::visitDriverTable(CallInst &call, EntryNeeds &needs) {
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  if (!type || type->getNumElements() != 4 || !type->getElementType()->isIntegerTy(32))
    return internalError("lgc.driver.table: wrong type");
  needs.driverTables.push_back(&call);
  return Error::success();
}

Error Collector::visitVertexInput(CallInst &call, EntryNeeds &needs) {
  if (!call.getType()->isIntegerTy(32) && !call.getType()->isFloatTy())
    return internalError("lgc.vertex.input: wrong type");
  if (cast<VertexInputOp>(call).constArg(0) >= Slot::GenericEnd ||
      cast<VertexInputOp>(call).constArg(1) >= 4)
    return internalError("lgc.vertex.input: no component of a location");
  needs.vertexInputs.push_back(&call);
  // What the glue reads must be there even when the part itself does without.
  for (HwValue value : {HwValue::VertexId, HwValue::InstanceId})
    needs.hardware.set(static_cast<size_t>(value));
  for (uint32_t special :
       {userdata::vertexBufferTable, userdata::baseVertex, userdata::baseInstance})
    needs.addSpecial(special);
  return Error::success();
}

Expected<MapVector<Function *, EntryNeeds>> Collector::run() {
  constexpr std::pair<OpId, Visit> visits[] = {
      {OpId::UserDataOp, &Collector::visitUserData},
      {OpId::BuiltinOp, &Collector::visitBuiltin},
      {OpId::SpillTableOp, &Collector::visitSpillTable},
      {OpId::HwValueOp, &Collector::visitHwValue},
      {OpId::SpecialUserDataOp, &Collector::visitSpecial},
      {OpId::DriverTableOp, &Collector::visitDriverTable},
      {OpId::VertexInputOp, &Collector::visitVertexInput},
  };
  MapVector<Function *, EntryNeeds> needs;
  for (Function *function : entryFunctions(module))
    needs.insert({function, EntryNeeds()});
  Error error = Error::success();
  for (auto [id, visit] : visits) {
    forEachOp(module, id, [&, visit = visit](CallInst &call) {
      auto *found = needs.find(call.getFunction());
      if (call.use_empty())
        call.eraseFromParent();
      else if (!error)
        error = found == needs.end()
                    ? internalError("operation of an entry in '" + call.getFunction()->getName() +
                                    "', which is none")
                    : (this->*visit)(call, found->second);
    });
  }
  if (error)
    return error;
  for (auto &[function, functionNeeds] : needs) {
    // The driver's packet for a mesh shader behind a task shader names this register, whether the
    // shader reads it or not.
    if (state.graphics.has(ShaderStage::Task) &&
        hardwareStageOf(*function, state) == pal::abi::HardwareStage::Gs)
      functionNeeds.addSpecial(userdata::meshTaskRingIndex);
    if (functionNeeds.spillTable.empty())
      continue;
    if (state.part.relocatable)
      addRelocated(*function, state.mapping, functionNeeds.indexed);
    else
      addIndexable(state.mapping, functionNeeds.indexed);
  }
  return needs;
}

} // namespace

Expected<MapVector<Function *, EntryNeeds>> collectEntryNeeds(Module &module,
                                                              const PipelineState &state) {
  return Collector(module, state).run();
}

} // namespace lgc
