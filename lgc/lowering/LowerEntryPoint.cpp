//===- LowerEntryPoint.cpp - the hardware entry point of compute ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Replaces `void @lgc.shader.CS()` by `amdgpu_cs void @_amdgpu_cs_main(...)`, whose arguments are
/// the registers that driver and hardware fill in: user data from s0 on, workgroup ids, local ids.
/// Decides which API user-data dwords live in registers and which are loaded from the spill table,
/// and writes the PAL metadata. Runs after the middle end, when it is known which user data the
/// shader really reads, and before every pass that asks for uniformity (to LLVM a call is
/// divergent, an inreg argument is uniform).
///   before: %p = call i32 @lgc.user.data__i32_i32(i32 3)
///   after:  define amdgpu_cs void @_amdgpu_cs_main(i32 inreg %globalTable, i32 inreg %userData3,
///   ...
///
/// User SGPRs: global table, pointer to the group counts (2), API entries without gaps, spill
/// table, padding. HW(gfx10, gfx11): a gap between API entries would be filled with API entry 0, so
/// everything else stands before or behind them (docs/hw-notes.md).
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/EntryLayout.h"
#include "lgc/lowering/Passes.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

namespace userdata = pal::abi::userdata;

/// Which lgc operations the shader has that need entry registers.
struct Needs {
  SmallVector<CallInst *, 8> userData, spillTable, workgroupId, numWorkgroups, localId;
  BitVector entries = BitVector(userdata::maxEntries); ///< API dwords read by userData
  std::array<bool, 3> workgroupIdParts = {false, false, false};
  std::array<bool, 3> localIdParts = {false, false, false};
};

void addUsedParts(const CallInst &vector, std::array<bool, 3> &parts) {
  for (const User *user : vector.users()) {
    const auto *extract = dyn_cast<ExtractElementInst>(user);
    const auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    for (unsigned i = 0; i < 3; ++i)
      parts[i] |= !index || index->equalsInt(i);
  }
}

unsigned dwordsOf(const CallInst &userData) {
  auto *vector = dyn_cast<FixedVectorType>(userData.getType());
  return vector ? vector->getNumElements() : 1;
}

Error collectUserData(CallInst &call, Needs &needs) {
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

Error collectBuiltin(CallInst &call, Needs &needs) {
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  bool isVec3 = type && type->getNumElements() == 3 && type->getElementType()->isIntegerTy(32);
  switch (static_cast<BuiltIn>(isVec3 ? cast<BuiltinOp>(call).constArg(0) : ~0u)) {
  case BuiltIn::WorkgroupId:
    needs.workgroupId.push_back(&call);
    addUsedParts(call, needs.workgroupIdParts);
    return Error::success();
  case BuiltIn::NumWorkgroups:
    needs.numWorkgroups.push_back(&call);
    return Error::success();
  case BuiltIn::HwLocalId:
    needs.localId.push_back(&call);
    addUsedParts(call, needs.localIdParts);
    return Error::success();
  default:
    return internalError("built-in was not lowered by lgc-lower-builtins");
  }
}

Expected<Needs> collectNeeds(Module &module) {
  Needs needs;
  Error error = Error::success();
  auto visit = [&](CallInst &call, Error (*collect)(CallInst &, Needs &)) {
    if (call.use_empty())
      call.eraseFromParent();
    else if (!error)
      error = collect(call, needs);
  };
  forEachOp(module, OpId::UserDataOp, [&](CallInst &call) { visit(call, collectUserData); });
  forEachOp(module, OpId::BuiltinOp, [&](CallInst &call) { visit(call, collectBuiltin); });
  forEachOp(module, OpId::SpillTableOp, [&](CallInst &call) {
    if (call.use_empty())
      call.eraseFromParent();
    else
      needs.spillTable.push_back(&call);
  });
  if (error)
    return error;
  return needs;
}

/// Can the shader compute an index or an address into this root entry?
bool isIndexable(const ResourceNode &node) {
  if (node.type == ResourceNodeType::DescriptorTableVaPtr ||
      node.type == ResourceNodeType::IndirectUserDataVaPtr)
    return false;
  uint32_t element = node.strideInDwords ? node.strideInDwords : defaultStrideInDwords(node.type);
  return node.sizeInDwords > element; // push constants and inline blocks have no element size
}

/// API dwords that the spill table must hold because the shader computes addresses into it: push
/// constants, arrays of descriptors and inline blocks; everything when there is no such node.
std::pair<uint32_t, uint32_t> dynamicRange(const ResourceMapping &mapping) {
  uint32_t begin = userdata::maxEntries, end = 0;
  for (const ResourceNode &node : mapping.roots) {
    if (!isIndexable(node))
      continue;
    begin = std::min(begin, node.offsetInDwords);
    end = std::max(end, node.offsetInDwords + node.sizeInDwords);
  }
  if (begin < end)
    return {begin, std::min(end, userdata::maxEntries)};
  return {0, userdata::maxEntries};
}

/// The API dwords that get registers, ascending. Pointers to tables come first when not all fit:
/// a spilled pointer would put one more load in front of each access.
SmallVector<uint32_t, 16> chooseResidents(const BitVector &entries, const ResourceMapping &mapping,
                                          size_t budget) {
  BitVector pointers(userdata::maxEntries);
  for (const ResourceNode &node : mapping.roots)
    if (node.type != ResourceNodeType::PushConst && node.offsetInDwords < userdata::maxEntries)
      pointers.set(node.offsetInDwords);
  SmallVector<uint32_t, 16> chosen;
  for (bool wantPointers : {true, false})
    for (unsigned entry : entries.set_bits())
      if (pointers.test(entry) == wantPointers && chosen.size() < budget)
        chosen.push_back(entry);
  sort(chosen);
  return chosen;
}

EntryLayout planLayout(const Needs &needs, const PipelineState &state, uint32_t waveSize) {
  EntryLayout layout;
  auto &registers = layout.registers;
  // LLVM reads the scratch descriptor through it on gfx10; PAL wants it nowhere but in s0.
  registers.push_back(userdata::globalTable);
  if (!needs.numWorkgroups.empty()) {
    registers.push_back(userdata::workgroup);
    registers.push_back(userdata::notMapped); // the pointer's high half
  }
  size_t budget = userdata::computeRegisters - registers.size();
  bool dynamic = !needs.spillTable.empty();
  bool spills = dynamic || needs.entries.count() > budget;
  SmallVector<uint32_t, 16> residents =
      chooseResidents(needs.entries, state.mapping, spills ? budget - 1 : budget);
  registers.append(residents.begin(), residents.end());
  if (spills)
    registers.push_back(userdata::spillTable);

  if (needs.entries.any())
    layout.userDataLimit = static_cast<uint32_t>(needs.entries.find_last()) + 1;
  for (unsigned entry : needs.entries.set_bits())
    if (!is_contained(residents, entry))
      layout.spillThreshold = std::min(layout.spillThreshold, entry);
  if (dynamic) {
    auto [begin, end] = dynamicRange(state.mapping);
    layout.spillThreshold = std::min(layout.spillThreshold, begin);
    layout.userDataLimit = std::max(layout.userDataLimit, end);
  }
  // HW(gfx1100, gfx1102): wave32 waves may start with wrong user SGPRs unless all 16 are loaded.
  if (waveSize == 32 && (state.target == "gfx1100" || state.target == "gfx1102"))
    registers.resize(userdata::computeRegisters, userdata::notMapped);

  layout.workgroupId = needs.workgroupIdParts;
  for (unsigned i = 0; i < 3; ++i)
    if (needs.localIdParts[i])
      layout.localIdComponents = i + 1;
  return layout;
}

std::string registerName(uint32_t value) {
  if (userdata::isApiEntry(value))
    return "userData" + std::to_string(value);
  return value == userdata::notMapped ? "unused" : userdata::describe(value);
}

/// Makes the entry function and gives its arguments out.
class EntryBuilder {
public:
  EntryBuilder(Function &old, const PipelineState &state, const EntryLayout &layout)
      : state(state), layout(layout), target(pal::abi::findTarget(state.target)),
        function(createFunction(old)),
        b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  Function &get() { return function; }
  void replace(Needs &needs);

private:
  bool isGfx11Plus() const { return target && target->major >= 11; }
  bool isGfx12Plus() const { return target && target->major >= 12; }
  Function &createFunction(Function &old);
  Argument *registerArgument(uint32_t value);
  Value *highHalf();
  Value *spillTable();
  Value *userDataDword(uint32_t entry);
  Value *userData(CallInst &call);
  Value *numWorkgroups();
  Value *workgroupId(unsigned component);
  Value *localId(unsigned component);
  void replaceVector(CallInst &call, const std::array<bool, 3> &parts,
                     Value *(EntryBuilder::*component)(unsigned));

  const PipelineState &state;
  const EntryLayout &layout;
  const pal::abi::GpuTarget *target;
  std::array<Value *, 3> localIds = {}, workgroupIds = {}; ///< filled by createFunction
  Function &function;
  IRBuilder<> b; ///< start of the entry block, behind its allocas
  Value *pcHigh = nullptr, *spill = nullptr;
};

Function &EntryBuilder::createFunction(Function &old) {
  LLVMContext &context = old.getContext();
  Type *i32 = Type::getInt32Ty(context);
  unsigned scalars = static_cast<unsigned>(layout.registers.size());
  unsigned groupIds = isGfx12Plus() ? 0 : static_cast<unsigned>(count(layout.workgroupId, true));
  unsigned vectors = isGfx11Plus() ? 1 : layout.localIdComponents;
  SmallVector<Type *, 24> types(scalars + groupIds + vectors, i32);
  auto *result = Function::Create(FunctionType::get(old.getReturnType(), types, false),
                                  GlobalValue::ExternalLinkage,
                                  pal::abi::entryPointSymbol(pal::abi::HardwareStage::Cs));
  old.getParent()->getFunctionList().insert(old.getIterator(), result);
  result->setCallingConv(CallingConv::AMDGPU_CS);
  // All at once: adding to one argument after the other makes a new list each time.
  AttributeSet vector =
      AttributeSet::get(context, AttrBuilder(context).addAttribute(Attribute::NoUndef));
  SmallVector<AttributeSet, 24> params(scalars + groupIds,
                                       vector.addAttribute(context, Attribute::InReg));
  params.append(vectors, vector);
  result->setAttributes(AttributeList::get(context, old.getAttributes().getFnAttrs(),
                                           old.getAttributes().getRetAttrs(), params));
  result->splice(result->begin(), &old);
  result->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);
  unsigned index = 0;
  for (uint32_t value : layout.registers)
    result->getArg(index++)->setName(registerName(value));
  constexpr StringLiteral axis[] = {"X", "Y", "Z"};
  for (unsigned i = 0; i < 3 && !isGfx12Plus(); ++i) {
    if (layout.workgroupId[i]) {
      workgroupIds[i] = result->getArg(index++);
      workgroupIds[i]->setName("workgroupId" + axis[i]);
    }
  }
  result->getArg(index)->setName(isGfx11Plus() ? "localId" : "localIdX");
  for (unsigned i = 0; i < 3 && !isGfx11Plus(); ++i) {
    if (i >= layout.localIdComponents)
      break;
    localIds[i] = result->getArg(index);
    localIds[i]->setName("localId" + axis[i]);
    uint32_t size = std::max(state.compute.workgroupSize[i], 1u);
    result->addParamAttr(index++, Attribute::get(context, Attribute::Range,
                                                 ConstantRange(APInt(32, 0), APInt(32, size))));
  }
  return *result;
}

Argument *EntryBuilder::registerArgument(uint32_t value) {
  const auto *found = find(layout.registers, value);
  if (found == layout.registers.end())
    return nullptr;
  return function.getArg(static_cast<unsigned>(found - layout.registers.begin()));
}

/// High half of the program counter: PAL places code and tables in one range of 4 GiB.
Value *EntryBuilder::highHalf() {
  if (!pcHigh) {
    Value *pc = b.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, {});
    pcHigh = b.CreateBitCast(pc, FixedVectorType::get(b.getInt32Ty(), 2), "pc");
  }
  return pcHigh;
}

Value *EntryBuilder::spillTable() {
  if (!spill) {
    Value *low = registerArgument(userdata::spillTable);
    KILN_CHECK(low, "spill table without a register");
    Value *pair = b.CreateInsertElement(highHalf(), low, uint64_t(0));
    spill = b.CreateIntToPtr(b.CreateBitCast(pair, b.getInt64Ty()), b.getPtrTy(AddrSpace::Constant),
                             "spillTable");
  }
  return spill;
}

LoadInst *loadInvariant(IRBuilder<> &b, Type *type, Value *pointer) {
  LoadInst *load = b.CreateAlignedLoad(type, pointer, Align(4));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

Value *EntryBuilder::userDataDword(uint32_t entry) {
  if (Argument *argument = registerArgument(entry))
    return argument;
  Value *table = spillTable();
  return loadInvariant(b, b.getInt32Ty(), b.CreateConstGEP1_32(b.getInt8Ty(), table, entry * 4));
}

Value *EntryBuilder::userData(CallInst &call) {
  uint32_t first = cast<UserDataOp>(call).constArg(0);
  unsigned dwords = dwordsOf(call);
  if (dwords == 1 && call.getType()->isIntegerTy())
    return userDataDword(first);
  bool anyRegister = false;
  for (unsigned i = 0; i < dwords; ++i)
    anyRegister |= registerArgument(first + i) != nullptr;
  if (!anyRegister) {
    Value *table = spillTable();
    return loadInvariant(b, call.getType(), b.CreateConstGEP1_32(b.getInt8Ty(), table, first * 4));
  }
  Value *vector = PoisonValue::get(call.getType());
  for (unsigned i = 0; i < dwords; ++i)
    vector = b.CreateInsertElement(vector, userDataDword(first + i), i);
  return vector;
}

Value *EntryBuilder::numWorkgroups() {
  Argument *low = registerArgument(userdata::workgroup);
  KILN_CHECK(low, "group counts without a register");
  Value *high = function.getArg(low->getArgNo() + 1);
  Value *pair = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), 2));
  pair = b.CreateInsertElement(pair, low, uint64_t(0));
  pair = b.CreateInsertElement(pair, high, uint64_t(1));
  Value *pointer = b.CreateIntToPtr(b.CreateBitCast(pair, b.getInt64Ty()),
                                    b.getPtrTy(AddrSpace::Constant), "numWorkgroups");
  return loadInvariant(b, FixedVectorType::get(b.getInt32Ty(), 3), pointer);
}

Value *EntryBuilder::workgroupId(unsigned component) {
  Value *&value = workgroupIds[component];
  if (!value) {
    constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workgroup_id_x,
                                     Intrinsic::amdgcn_workgroup_id_y,
                                     Intrinsic::amdgcn_workgroup_id_z};
    value = b.CreateIntrinsic(ids[component], {});
  }
  return value;
}

Value *EntryBuilder::localId(unsigned component) {
  Value *&value = localIds[component];
  if (!value) {
    // HW(gfx11+): 10 bits each in v0; fields that are not asked for are zero.
    Value *packed = function.getArg(function.arg_size() - 1);
    value = component ? b.CreateLShr(packed, 10 * component) : packed;
    if (layout.localIdComponents > 1)
      value = b.CreateAnd(value, 0x3FF);
  }
  return value;
}

void EntryBuilder::replaceVector(CallInst &call, const std::array<bool, 3> &parts,
                                 Value *(EntryBuilder::*component)(unsigned)) {
  for (User *user : make_early_inc_range(call.users())) {
    auto *extract = dyn_cast<ExtractElementInst>(user);
    auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
    if (!index || index->uge(3))
      continue;
    extract->replaceAllUsesWith((this->*component)(static_cast<unsigned>(index->getZExtValue())));
    extract->eraseFromParent();
  }
  if (call.use_empty())
    return;
  Value *vector = PoisonValue::get(call.getType());
  for (unsigned i = 0; i < 3; ++i)
    if (parts[i])
      vector = b.CreateInsertElement(vector, (this->*component)(i), i);
  call.replaceAllUsesWith(vector);
}

void EntryBuilder::replace(Needs &needs) {
  for (CallInst *call : needs.userData)
    call->replaceAllUsesWith(userData(*call));
  for (CallInst *call : needs.spillTable)
    call->replaceAllUsesWith(spillTable());
  if (!needs.numWorkgroups.empty()) {
    Value *counts = numWorkgroups();
    for (CallInst *call : needs.numWorkgroups)
      call->replaceAllUsesWith(counts);
  }
  for (CallInst *call : needs.workgroupId)
    replaceVector(*call, needs.workgroupIdParts, &EntryBuilder::workgroupId);
  for (CallInst *call : needs.localId)
    replaceVector(*call, needs.localIdParts, &EntryBuilder::localId);
}

/// Erases calls and declarations that have been replaced.
void eraseOps(Module &module) {
  for (OpId id : {OpId::UserDataOp, OpId::SpillTableOp, OpId::BuiltinOp})
    forEachOp(module, id, [](CallInst &call) { call.eraseFromParent(); });
}

} // namespace

PreservedAnalyses LowerEntryPointPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *old = findShader(module, ShaderStage::Compute);
  if (!old || old->isDeclaration())
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  Expected<Needs> needs = collectNeeds(module);
  if (!needs) {
    reportError(module.getContext(), needs.takeError());
    return PreservedAnalyses::all();
  }
  EntryLayout layout = planLayout(*needs, state.state, state.waveSize);
  EntryBuilder builder(*old, state.state, layout);
  builder.replace(*needs);
  eraseOps(module);
  old->eraseFromParent();
  writePalMetadata(module, state.state, state.waveSize, layout);
  return PreservedAnalyses::none();
}

} // namespace lgc
