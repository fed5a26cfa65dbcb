//===- Ops.cpp - declaring, recognising and visiting lgc operations -------===//
// SPDX-License-Identifier: MIT
/// \file
/// The code behind Ops.h. An operation is a call of "lgc.<name>__<result>_<arg>_<arg>...", where
/// the types are spelled as in LLVM IR, shortened:
///   void, i32, f16, f32, f64, bf16, p7 (ptr addrspace(7)), v4i32 (<4 x i32>), a4v2i32 ([4 x ...]),
///   s2v4f32i32 ({<4 x float>, i32}: "s", the number of members, the members).
/// The part before "__" identifies the operation, the rest only keeps overloads apart.
#include "lgc/Ops.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <array>
#include <string_view>

using namespace llvm;

namespace lgc {
namespace {

constexpr uint8_t Convergent = 1;
enum class Effects : uint8_t { None, Read, Write, ReadWrite, Hidden };

struct OpInfo {
  std::string_view name;
  OpId id;
  uint8_t argCount;
  Effects effects;
  uint8_t flags;
};

constexpr OpInfo opInfos[] = {
#define LGC_OP(Class, name, args, effects, flags, summary)                                         \
  {name, OpId::Class, args, Effects::effects, flags},
#include "lgc/Ops.def"
};
constexpr size_t opCount = std::size(opInfos);

constexpr uint32_t nextHash(uint32_t hash, char c) {
  return (hash ^ static_cast<uint8_t>(c)) * 16777619u; // FNV-1a
}
constexpr uint32_t firstHash = 2166136261u;

/// Indices into opInfos by the hash of the name, linear probing. Passes ask for the operation of
/// every call and every declaration, some thousand times in a compile.
constexpr size_t slotCount = 512;
constexpr uint8_t noOp = 255;
static_assert(opCount < noOp && opCount < slotCount / 2);
constexpr std::array<uint8_t, slotCount> makeOpSlots() {
  std::array<uint8_t, slotCount> slots{};
  for (uint8_t &slot : slots)
    slot = noOp;
  for (size_t i = 0; i < opCount; ++i) {
    uint32_t hash = firstHash;
    for (char c : opInfos[i].name)
      hash = nextHash(hash, c);
    while (slots[hash % slotCount] != noOp)
      ++hash;
    slots[hash % slotCount] = static_cast<uint8_t>(i);
  }
  return slots;
}
constexpr std::array<uint8_t, slotCount> opSlots = makeOpSlots();

constexpr StringLiteral prefix = "lgc.";

void mangleType(raw_ostream &os, Type *type) {
  switch (type->getTypeID()) {
  case Type::VoidTyID:
    os << "void";
    return;
  case Type::HalfTyID:
    os << "f16";
    return;
  case Type::BFloatTyID:
    os << "bf16";
    return;
  case Type::FloatTyID:
    os << "f32";
    return;
  case Type::DoubleTyID:
    os << "f64";
    return;
  case Type::IntegerTyID:
    os << 'i' << type->getIntegerBitWidth();
    return;
  case Type::PointerTyID:
    os << 'p' << type->getPointerAddressSpace();
    return;
  case Type::FixedVectorTyID:
    os << 'v' << cast<FixedVectorType>(type)->getNumElements();
    mangleType(os, cast<FixedVectorType>(type)->getElementType());
    return;
  case Type::ArrayTyID:
    os << 'a' << type->getArrayNumElements();
    mangleType(os, type->getArrayElementType());
    return;
  case Type::StructTyID:
    os << 's' << type->getStructNumElements();
    for (Type *member : cast<StructType>(type)->elements())
      mangleType(os, member);
    return;
  default:
    KILN_ICE("type cannot be part of an lgc operation");
  }
}

AttributeList declarationAttributes(LLVMContext &context, const OpInfo &info) {
  AttrBuilder attrs(context);
  attrs.addAttribute(Attribute::NoUnwind);
  // Why: LLVM removes what returns into `unreachable`, with the branch that leads there.
  attrs.addAttribute(info.id == OpId::KillOp ? Attribute::NoReturn : Attribute::WillReturn);
  attrs.addAttribute(Attribute::NoCallback);
  if (info.flags & Convergent)
    attrs.addAttribute(Attribute::Convergent);
  switch (info.effects) {
  case Effects::None:
    attrs.addMemoryAttr(MemoryEffects::none());
    break;
  case Effects::Read:
    attrs.addMemoryAttr(MemoryEffects::readOnly());
    break;
  case Effects::Write:
    attrs.addMemoryAttr(MemoryEffects::writeOnly());
    break;
  case Effects::ReadWrite:
    break;
  case Effects::Hidden:
    attrs.addMemoryAttr(MemoryEffects::inaccessibleMemOnly());
    break;
  }
  return AttributeList::get(context, AttributeList::FunctionIndex, attrs);
}

/// The same as comparing opIdOf(), without looking for others: every pass asks every declaration.
bool isOp(const Function &function, OpId id) {
  StringRef name = function.getName();
  if (id == OpId::None || !name.consume_front(prefix) ||
      !name.consume_front(opInfos[static_cast<size_t>(id)].name))
    return false;
  return name.empty() || name.starts_with("__");
}

} // namespace

OpId opIdOf(const Function &function) {
  StringRef name = function.getName();
  if (!name.starts_with(prefix))
    return OpId::None;
  name = name.drop_front(prefix.size());
  uint32_t hash = firstHash;
  size_t size = 0;
  for (; size < name.size() && !(name[size] == '_' && name.substr(size).starts_with("__")); ++size)
    hash = nextHash(hash, name[size]);
  const std::string_view key(name.data(), size);
  for (; opSlots[hash % slotCount] != noOp; ++hash)
    if (const OpInfo &info = opInfos[opSlots[hash % slotCount]]; info.name == key)
      return info.id;
  return OpId::None;
}

OpId opIdOf(const CallBase &call) {
  const auto *callee = dyn_cast<Function>(call.getCalledOperand());
  return callee ? opIdOf(*callee) : OpId::None;
}

StringRef opName(OpId id) {
  if (id == OpId::None)
    return "";
  return opInfos[static_cast<size_t>(id)].name;
}

unsigned opArgCount(OpId id) {
  return id == OpId::None ? 0 : opInfos[static_cast<size_t>(id)].argCount;
}

Value *absent(LLVMContext &context) { return PoisonValue::get(Type::getInt32Ty(context)); }

bool isAbsent(const Value *operand) {
  return isa<PoisonValue>(operand) && operand->getType()->isIntegerTy(32);
}

CallInst *createOp(IRBuilderBase &builder, OpId id, Type *resultType, ArrayRef<Value *> args,
                   const Twine &name) {
  KILN_CHECK(id != OpId::None, "createOp without an operation");
  const OpInfo &info = opInfos[static_cast<size_t>(id)];
  KILN_CHECK(args.size() == info.argCount, "wrong number of operands for an lgc operation");
  SmallString<128> mangled;
  SmallVector<Type *, 12> argTypes;
  {
    raw_svector_ostream os(mangled);
    os << prefix << info.name << "__";
    mangleType(os, resultType);
    for (Value *arg : args) {
      os << '_';
      mangleType(os, arg->getType());
      argTypes.push_back(arg->getType());
    }
  }
  Module &module = *builder.GetInsertBlock()->getModule();
  Function *callee = module.getFunction(mangled);
  if (!callee) {
    callee = Function::Create(FunctionType::get(resultType, argTypes, false),
                              GlobalValue::ExternalLinkage, mangled, module);
    callee->setAttributes(declarationAttributes(module.getContext(), info));
  }
  return builder.CreateCall(callee, args, resultType->isVoidTy() ? Twine() : name);
}

void forEachOp(Module &module, OpId id, function_ref<void(CallInst &)> visit) {
  // Visitors may declare new operations, so the declarations are collected first.
  SmallVector<Function *, 8> declarations;
  for (Function &function : module)
    if (function.isDeclaration() && isOp(function, id))
      declarations.push_back(&function);
  for (Function *function : declarations) {
    SmallVector<CallInst *, 16> calls;
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == function)
        calls.push_back(call);
    // Why reversed: use lists grow at their front; this visits in the order of creation.
    for (CallInst *call : reverse(calls))
      visit(*call);
    if (function->use_empty())
      function->eraseFromParent();
  }
}

bool hasOp(const Module &module, OpId id) {
  for (const Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && isOp(function, id))
      return true;
  return false;
}

} // namespace lgc
