//===- EntryBuilder.cpp - the entry function and its arguments ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Makes `_amdgpu_XX_main` from a layout: moves the code over, and replaces the operations that ask
/// for registers by arguments or by loads through them.
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <map>

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;
namespace userdata = pal::abi::userdata;

namespace {

std::string registerName(uint32_t value) {
  if (userdata::isApiEntry(value))
    return "userData" + std::to_string(value);
  return value == userdata::notMapped ? "unused" : userdata::describe(value);
}

std::string hardwareName(HwValue value) {
  std::string name = hwValueName(value);
  if (name.empty())
    return "unused";
  name[0] = toLower(name[0]);
  return name;
}

CallingConv::ID callingConvention(HardwareStage stage) {
  constexpr CallingConv::ID conventions[] = {CallingConv::AMDGPU_HS, CallingConv::AMDGPU_GS,
                                             CallingConv::AMDGPU_VS, CallingConv::AMDGPU_PS,
                                             CallingConv::AMDGPU_CS};
  return conventions[static_cast<size_t>(stage)];
}

LoadInst *loadInvariant(IRBuilder<> &b, Type *type, Value *pointer, Align align = Align(4)) {
  LoadInst *load = b.CreateAlignedLoad(type, pointer, align);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

/// The arguments of an entry function while it is made: types, names, registers.
struct ArgumentList {
  SmallVector<Type *, 40> types;
  SmallVector<std::string, 40> names;
  unsigned scalars = 0; ///< the first ones are SGPRs

  unsigned add(Type *type, std::string name) {
    types.push_back(type);
    names.push_back(std::move(name));
    return static_cast<unsigned>(types.size() - 1);
  }
};

class EntryBuilder {
public:
  EntryBuilder(Function &old, const PipelineState &state, const StageLayout &layout)
      : state(state), layout(layout), target(pal::abi::findTarget(state.target)),
        function(createFunction(old)),
        b(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  void replace(EntryNeeds &needs);

private:
  bool isCompute() const { return layout.stage == HardwareStage::Cs; }
  bool isGfx11Plus() const { return target && target->major >= 11; }
  bool isGfx12Plus() const { return target && target->major >= 12; }
  ArgumentList makeArguments(LLVMContext &context);
  void addVertexInputs(ArgumentList &arguments, LLVMContext &context);
  Function &createFunction(Function &old);
  Argument *registerArgument(uint32_t value);
  Value *highHalf();
  Value *tablePointer(uint32_t value, const Twine &name);
  Value *spillTable();
  Value *spilledDword(uint32_t entry);
  Value *userDataDword(uint32_t entry);
  Value *userData(CallInst &call);
  Value *numWorkgroups();
  Value *workgroupId(unsigned component);
  Value *localId(unsigned component);
  Value *hwValue(HwValue value);
  void replaceVertexId(CallInst &call);
  Value *special(uint32_t value);
  Value *driverTable(uint32_t offset);
  Value *vertexInput(VertexInputOp &call);
  void replaceVector(CallInst &call, const std::array<bool, 3> &parts,
                     Value *(EntryBuilder::*component)(unsigned));

  const PipelineState &state;
  const StageLayout &layout;
  const pal::abi::GpuTarget *target;
  // Numbers of arguments, filled by createFunction; -1: none.
  int firstUserData = -1, packedLocalId = -1;
  std::array<int, 3> localIdArguments = {-1, -1, -1}, workgroupIdArguments = {-1, -1, -1};
  std::map<HwValue, unsigned> hwArguments;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> vertexInputArguments; ///< slot, component
  std::array<Value *, 3> localIds = {}, workgroupIds = {};
  Function &function;
  IRBuilder<> b; ///< start of the entry block, behind its allocas
  Value *pcHigh = nullptr, *spill = nullptr, *global = nullptr;
  std::map<uint32_t, Value *> specials, driverTables;
  BitVector spillable;                      ///< API dwords that are read
  std::map<uint32_t, Value *> spilledNodes; ///< relocatable: address, by a node's first dword there
};

ArgumentList EntryBuilder::makeArguments(LLVMContext &context) {
  Type *i32 = Type::getInt32Ty(context);
  ArgumentList arguments;
  auto addHardware = [&](ArrayRef<HwValue> values) {
    for (HwValue value : values) {
      Type *type = value == HwValue::Count ? i32 : hwValueType(context, value);
      unsigned index = arguments.add(type, hardwareName(value));
      if (value != HwValue::Count)
        hwArguments[value] = index;
    }
  };
  addHardware(layout.hardware.before);
  firstUserData = static_cast<int>(arguments.types.size());
  for (uint32_t value : layout.registers)
    arguments.add(i32, registerName(value));
  addHardware(layout.hardware.after);
  constexpr StringLiteral axis[] = {"X", "Y", "Z"};
  for (unsigned i = 0; i < 3 && isCompute() && !isGfx12Plus(); ++i)
    if (layout.workgroupId[i])
      workgroupIdArguments[i] =
          static_cast<int>(arguments.add(i32, ("workgroupId" + axis[i]).str()));
  arguments.scalars = static_cast<unsigned>(arguments.types.size());
  addHardware(layout.hardware.vectors);
  if (isCompute() && isGfx11Plus())
    packedLocalId = static_cast<int>(arguments.add(i32, "localId"));
  for (unsigned i = 0; i < layout.localIdComponents && isCompute() && !isGfx11Plus(); ++i)
    localIdArguments[i] = static_cast<int>(arguments.add(i32, ("localId" + axis[i]).str()));
  if (layout.fetch)
    addVertexInputs(arguments, context);
  return arguments;
}

void EntryBuilder::addVertexInputs(ArgumentList &arguments, LLVMContext &context) {
  for (const FetchSignature::Input &input : layout.fetch->inputs) {
    Type *type = input.type == FetchSignature::Input::Type::Float ? Type::getFloatTy(context)
                                                                  : Type::getInt32Ty(context);
    for (uint32_t i = 0; i < 4; ++i)
      if (input.mask >> i & 1)
        vertexInputArguments[{input.location, i}] =
            arguments.add(type, "input" + std::to_string(input.location) + "." + std::to_string(i));
  }
}

Function &EntryBuilder::createFunction(Function &old) {
  LLVMContext &context = old.getContext();
  ArgumentList arguments = makeArguments(context);
  auto *result =
      Function::Create(FunctionType::get(old.getReturnType(), arguments.types, false),
                       GlobalValue::ExternalLinkage, pal::abi::entryPointSymbol(layout.stage));
  old.getParent()->getFunctionList().insert(old.getIterator(), result);
  result->setCallingConv(callingConvention(layout.stage));
  // All at once: adding to one argument after the other makes a new list each time.
  AttributeSet vector =
      AttributeSet::get(context, AttrBuilder(context).addAttribute(Attribute::NoUndef));
  SmallVector<AttributeSet, 40> params(arguments.scalars,
                                       vector.addAttribute(context, Attribute::InReg));
  params.resize(arguments.types.size(), vector);
  for (unsigned i = 0; i < 3; ++i) {
    if (localIdArguments[i] < 0)
      continue;
    ShaderStage stage = state.isGraphics() ? ShaderStage::Task : ShaderStage::Compute;
    uint32_t size = std::max(state.shader(stage).workgroupSize[i], 1u);
    AttributeSet &set = params[static_cast<unsigned>(localIdArguments[i])];
    set = set.addAttributes(
        context, AttributeSet::get(context, AttrBuilder(context).addAttribute(Attribute::get(
                                                context, Attribute::Range,
                                                ConstantRange(APInt(32, 0), APInt(32, size))))));
  }
  result->setAttributes(AttributeList::get(context, old.getAttributes().getFnAttrs(),
                                           old.getAttributes().getRetAttrs(), params));
  result->splice(result->begin(), &old);
  result->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);
  for (unsigned i = 0; i < arguments.names.size(); ++i)
    result->getArg(i)->setName(arguments.names[i]);
  for (unsigned i = 0; i < 3; ++i) {
    if (workgroupIdArguments[i] >= 0)
      workgroupIds[i] = result->getArg(static_cast<unsigned>(workgroupIdArguments[i]));
    if (localIdArguments[i] >= 0)
      localIds[i] = result->getArg(static_cast<unsigned>(localIdArguments[i]));
  }
  return *result;
}

Argument *EntryBuilder::registerArgument(uint32_t value) {
  const auto *found = find(layout.registers, value);
  if (found == layout.registers.end())
    return nullptr;
  return function.getArg(static_cast<unsigned>(firstUserData + (found - layout.registers.begin())));
}

/// High half of the program counter: PAL places code and tables in one range of 4 GiB.
Value *EntryBuilder::highHalf() {
  if (!pcHigh) {
    Value *pc = b.CreateIntrinsic(Intrinsic::amdgcn_s_getpc, {});
    pcHigh = b.CreateBitCast(pc, FixedVectorType::get(b.getInt32Ty(), 2), "pc");
  }
  return pcHigh;
}

/// The table whose address, low half, is the special value `value`.
Value *EntryBuilder::tablePointer(uint32_t value, const Twine &name) {
  Value *low = registerArgument(value);
  KILN_CHECK(low, "table without a register");
  Value *pair = b.CreateInsertElement(highHalf(), low, uint64_t(0));
  return b.CreateIntToPtr(b.CreateBitCast(pair, b.getInt64Ty()), b.getPtrTy(AddrSpace::Constant),
                          name);
}

Value *EntryBuilder::spillTable() {
  if (!spill)
    spill = tablePointer(userdata::spillTable, "spillTable");
  return spill;
}

/// The address of an API dword in the spill table.
Value *EntryBuilder::spilledDword(uint32_t entry) {
  Value *base = spillTable();
  if (const ResourceNode *node =
          state.part.relocatable ? findRootNode(state.mapping, entry) : nullptr) {
    // The first dword that is spilled stands for the node: linking knows no place of the others.
    uint32_t first = node->offsetInDwords;
    while (first < entry && (!spillable.test(first) || registerArgument(first)))
      ++first;
    Value *&start = spilledNodes[first];
    if (!start)
      start = relocatedPointer(b, base, rootSymbol(first));
    base = start;
    entry -= first;
  }
  return b.CreateConstGEP1_32(b.getInt8Ty(), base, entry * 4);
}

Value *EntryBuilder::userDataDword(uint32_t entry) {
  if (Argument *argument = registerArgument(entry))
    return argument;
  return loadInvariant(b, b.getInt32Ty(), spilledDword(entry));
}

Value *EntryBuilder::userData(CallInst &call) {
  uint32_t first = cast<UserDataOp>(call).constArg(0);
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  if (!type)
    return userDataDword(first);
  unsigned dwords = type->getNumElements();
  bool anyRegister = false;
  for (unsigned i = 0; i < dwords; ++i)
    anyRegister |= registerArgument(first + i) != nullptr;
  if (!anyRegister)
    return loadInvariant(b, type, spilledDword(first));
  Value *vector = PoisonValue::get(type);
  for (unsigned i = 0; i < dwords; ++i)
    vector = b.CreateInsertElement(vector, userDataDword(first + i), i);
  return vector;
}

Value *EntryBuilder::numWorkgroups() {
  if (state.isGraphics())
    return special(userdata::meshTaskDispatchDims);
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
    Value *packed = function.getArg(static_cast<unsigned>(packedLocalId));
    value = component ? b.CreateLShr(packed, 10 * component) : packed;
    if (layout.localIdComponents > 1)
      value = b.CreateAnd(value, 0x3FF);
  }
  return value;
}

Value *EntryBuilder::hwValue(HwValue value) {
  HwField field = locateHwValue(value, state);
  auto found = hwArguments.find(field.container);
  KILN_CHECK(found != hwArguments.end(), "hardware value without a register");
  Value *argument = function.getArg(found->second);
  return field.shift ? b.CreateLShr(argument, field.shift) : argument;
}

/// Glue puts the vertex index into the register (FetchSignature::vertexId): it computes it anyway.
void EntryBuilder::replaceVertexId(CallInst &call) {
  Value *index = hwValue(HwValue::VertexId);
  for (User *user : make_early_inc_range(call.users())) {
    auto *sum = dyn_cast<BinaryOperator>(user);
    if (!sum || sum->getOpcode() != Instruction::Add)
      continue;
    const Value *other = sum->getOperand(sum->getOperand(0) == &call ? 1 : 0);
    const auto *base = dyn_cast<SpecialUserDataOp>(other);
    if (!base || base->constArg(0) != userdata::baseVertex)
      continue;
    sum->replaceAllUsesWith(index);
    if (&*b.GetInsertPoint() == sum)
      b.SetInsertPoint(sum->getNextNode());
    sum->eraseFromParent();
  }
  if (!call.use_empty())
    call.replaceAllUsesWith(b.CreateSub(index, special(userdata::baseVertex), "vertex.id"));
}

Value *EntryBuilder::special(uint32_t number) {
  Value *&value = specials[number];
  if (value)
    return value;
  Argument *first = registerArgument(number);
  KILN_CHECK(first, "special value without a register");
  unsigned count = userdata::registerCount(number);
  if (count == 1)
    return value = first;
  value = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), count));
  for (unsigned i = 0; i < count; ++i)
    value = b.CreateInsertElement(value, function.getArg(first->getArgNo() + i), i);
  return value;
}

Value *EntryBuilder::driverTable(uint32_t offset) {
  Value *&value = driverTables[offset];
  if (value)
    return value;
  if (!global)
    global = tablePointer(userdata::globalTable, "globalTable");
  Value *pointer = b.CreateConstGEP1_32(b.getInt8Ty(), global, offset * 4);
  return value = loadInvariant(b, FixedVectorType::get(b.getInt32Ty(), 4), pointer, Align(16));
}

Value *EntryBuilder::vertexInput(VertexInputOp &call) {
  auto found = vertexInputArguments.find({call.constArg(0), call.constArg(1)});
  KILN_CHECK(found != vertexInputArguments.end(), "vertex input without a register");
  return b.CreateBitCast(function.getArg(found->second), call.getType());
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

void EntryBuilder::replace(EntryNeeds &needs) {
  spillable = needs.entries;
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
  if (layout.fetch && layout.stage != HardwareStage::Vs)
    function.addFnAttr(allLanesAttribute);
  for (CallInst *call : needs.hwValues) {
    const auto value = static_cast<HwValue>(cast<HwValueOp>(call)->constArg(0));
    if (layout.fetch && value == HwValue::VertexId)
      replaceVertexId(*call);
    else
      call->replaceAllUsesWith(hwValue(value));
  }
  for (CallInst *call : needs.specials)
    call->replaceAllUsesWith(special(cast<SpecialUserDataOp>(call)->constArg(0)));
  for (CallInst *call : needs.driverTables)
    call->replaceAllUsesWith(driverTable(cast<DriverTableOp>(call)->constArg(0)));
  for (CallInst *call : needs.vertexInputs)
    call->replaceAllUsesWith(vertexInput(*cast<VertexInputOp>(call)));
}

} // namespace

void buildEntryPoint(Function &old, EntryNeeds &needs, const PipelineState &state,
                     const StageLayout &layout) {
  EntryBuilder(old, state, layout).replace(needs);
}

} // namespace lgc
