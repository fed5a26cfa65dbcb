//===- PartSymbols.cpp - numbers that linking fills in --------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/PartSymbols.h"
#include "lgc/Part.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

Value *createRelocation(IRBuilderBase &b, const std::string &symbol) {
  LLVMContext &context = b.getContext();
  auto *name = MDNode::get(context, MDString::get(context, symbol));
  CallInst *offset = b.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, {},
                                       {MetadataAsValue::get(context, name)});
  // Why a range: a scalar load takes a register as its offset only where that cannot be negative.
  offset->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt::getSignedMinValue(32)));
  return offset;
}

Value *relocatedPointer(IRBuilderBase &b, Value *pointer, const std::string &symbol) {
  Value *wide = b.CreateZExt(createRelocation(b, symbol), b.getInt64Ty());
  return b.CreateInBoundsGEP(b.getInt8Ty(), pointer, wide);
}

std::optional<uint32_t> relocatedRootDword(const CallInst &call) {
  const auto *value = cast<MetadataAsValue>(call.getArgOperand(0));
  const auto *node = dyn_cast<MDNode>(value->getMetadata());
  const auto *name =
      node && node->getNumOperands() == 1 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  StringRef text = name ? name->getString() : StringRef();
  uint32_t dword = 0;
  if (!text.consume_front(pal::abi::elf::partSymbolPrefix) || !text.consume_front("root.") ||
      text.getAsInteger(10, dword))
    return std::nullopt;
  return dword;
}

const ResourceNode *findRootNode(const ResourceMapping &mapping, uint32_t dword) {
  for (const ResourceNode &node : mapping.roots)
    if (dword >= node.offsetInDwords && dword - node.offsetInDwords < node.sizeInDwords)
      return &node;
  return nullptr;
}

} // namespace lgc
