//===- UberFetch.cpp - fetch of attributes that memory describes ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/UberFetch.h"
#include "lgc/Interface.h"
#include "lgc/UberFetch.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/SoftwareDescriptor.h"
#include "lgc/lowering/vertex/VertexInputs.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {

using namespace uberfetch;

namespace {

/// HW: selectors of a V#, three bits a component from bit 0 of word 3 on.
enum : uint32_t { selectZero = 0, selectOne = 1, selectX = 4, selectorMask = 7 };
constexpr uint32_t wideBytes = 8;

unsigned highestBit(unsigned bits) { return 31 - countl_zero(bits); }

} // namespace

UberFetch::UberFetch(IRBuilder<> &b, const PipelineState &state, VertexFetchSource &source,
                     Value *table)
    : b(b), graphics(state.graphics), source(source), table(table) {}

/// What several attributes need stands in front of all of them.
void UberFetch::begin() {
  if (vertexIndex)
    return;
  vertexBuffers = source.vertexBufferTable();
  vertexIndex = source.vertexIndex(b);
  instanceId = createHwValue(b, HwValue::InstanceId, "instance.id");
  baseInstance = createSpecialUserData(b, pal::abi::userdata::baseInstance, "base.instance");
  for (unsigned i = 0; i < mask.size(); ++i)
    mask[i] = createInvariantLoad(b, b.getInt32Ty(), offsetPointer(b, table, 4 * i), "locations");
}

Value *UberFetch::isPresent(uint32_t slot) {
  Value *bit = b.CreateAnd(mask[slot / 32], b.getInt32(1u << slot % 32));
  return b.CreateICmpNE(bit, b.getInt32(0), "is.present");
}

Value *UberFetch::field(Value *flags, uint32_t shift, uint32_t mask) {
  return b.CreateAnd(b.CreateLShr(flags, shift), b.getInt32(mask));
}

Value *UberFetch::hasFlag(const Attribute &attribute, uint32_t flag) {
  return b.CreateICmpNE(b.CreateAnd(attribute.flags, b.getInt32(flag)), b.getInt32(0));
}

BasicBlock *UberFetch::branch(Value *condition, BasicBlock *otherwise, const Twine &name) {
  BasicBlock *block = BasicBlock::Create(b.getContext(), name, otherwise->getParent(), otherwise);
  b.CreateCondBr(condition, block, otherwise);
  b.SetInsertPoint(block);
  return block;
}

/// Divisions take time, so there is a branch for them.
Value *UberFetch::elementIndex(const Attribute &attribute) {
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *behind =
      BasicBlock::Create(b.getContext(), "element", before->getParent(), before->getNextNode());
  branch(hasFlag(attribute, perInstance), behind, "per.instance");
  Value *isZero = b.CreateICmpEQ(attribute.divisor, b.getInt32(0));
  Value *divisor = b.CreateSelect(isZero, b.getInt32(1), attribute.divisor);
  Value *quotient = b.CreateUDiv(instanceId, divisor);
  Value *element = b.CreateSelect(isZero, b.getInt32(0), quotient);
  Value *instance = b.CreateAdd(element, baseInstance);
  BasicBlock *last = b.GetInsertBlock();
  b.CreateBr(behind);
  b.SetInsertPoint(behind);
  PHINode *index = b.CreatePHI(b.getInt32Ty(), 2, "index");
  index->addIncoming(vertexIndex, before);
  index->addIncoming(instance, last);
  return index;
}

UberFetch::Attribute UberFetch::readAttribute(uint32_t slot) {
  Type *words = FixedVectorType::get(b.getInt32Ty(), 4);
  Value *place = offsetPointer(b, table, maskBytes + uint64_t(attributeBytes) * slot);
  Value *entry = createInvariantLoad(b, words, place, "attribute");
  Attribute attribute = {};
  attribute.flags = b.CreateExtractElement(entry, uint64_t(0));
  attribute.offset = b.CreateExtractElement(entry, 1);
  attribute.divisor = b.CreateExtractElement(entry, 2);
  attribute.word3 = b.CreateExtractElement(entry, 3);
  attribute.size = field(attribute.flags, sizeShift, sizeMask);
  attribute.components = field(attribute.flags, componentsShift, componentsMask);
  constexpr uint32_t descriptorBytes = 16;
  Value *binding = b.CreateAnd(attribute.flags, b.getInt32(bindingMask));
  Value *bytes = b.CreateMul(binding, b.getInt32(descriptorBytes));
  Value *address = b.CreatePtrAdd(vertexBuffers, b.CreateZExt(bytes, b.getInt64Ty()));
  attribute.buffer = createInvariantLoad(b, words, address, "vertex.buffer");
  attribute.index = elementIndex(attribute);
  return attribute;
}

/// With software descriptors (VertexFetch.h). Of attributes of 64 bits what the slot reads has to
/// be inside: a second slot does not tell what is in the first.
void UberFetch::setByteIndex(Attribute &attribute, unsigned needed) {
  Value *count = b.CreateUnaryIntrinsic(Intrinsic::ctpop, attribute.components);
  Value *bytes = b.CreateMul(count, attribute.size);
  Value *isDword = b.CreateICmpEQ(bytes, b.getInt32(0));
  bytes = b.CreateSelect(isDword, b.getInt32(4), bytes);
  Value *isWide = b.CreateICmpEQ(attribute.size, b.getInt32(wideBytes));
  bytes = b.CreateSelect(isWide, b.getInt32(4 * (highestBit(needed) + 1)), bytes);
  Value *last = b.CreateAdd(b.CreateAdd(bytes, attribute.offset), b.getInt32(~0u));
  Value *element = createElementByte(b, attribute.buffer, attribute.index);
  attribute.index = createByteIndex(b, attribute.buffer, element, last);
}

Value *UberFetch::descriptor(const Attribute &attribute, Value *word3) {
  if (graphics.useSoftwareVertexBufferDescriptors)
    return createByteDescriptor(b, attribute.buffer, word3);
  return b.CreateInsertElement(attribute.buffer, word3, 3);
}

void UberFetch::loadPacked(const Attribute &attribute, unsigned needed, Channels &channels) {
  const unsigned count = highestBit(needed) + 1;
  Type *type = b.getInt32Ty();
  if (count > 1)
    type = FixedVectorType::get(type, count);
  Value *desc = descriptor(attribute, attribute.word3);
  Value *data =
      b.CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_load_format, {type},
                        {desc, attribute.index, b.getInt32(0), attribute.offset, b.getInt32(0)});
  for (unsigned i = 0; i < count; ++i)
    channels[i] = count > 1 ? b.CreateExtractElement(data, i) : data;
}

/// Component \p number of a slot: a dword of an attribute of 64 bits.
Value *UberFetch::loadComponent(const Attribute &attribute, unsigned number) {
  Value *isWide = b.CreateICmpEQ(attribute.size, b.getInt32(wideBytes));
  Value *isThere =
      b.CreateICmpNE(b.CreateAnd(attribute.components, b.getInt32(1u << number)), b.getInt32(0));
  // What is not there is read where something is.
  Value *place = b.CreateSelect(isThere, b.getInt32(number), b.getInt32(0));
  if (number == 0 || number == 2) {
    Value *swapped = b.CreateSelect(isThere, b.getInt32(2 - number), b.getInt32(0));
    place = b.CreateSelect(hasFlag(attribute, isBgra), swapped, place);
  }
  place = b.CreateSelect(isWide, b.getInt32(number / 2), place);
  Value *selector = b.CreateSelect(isThere, b.getInt32(selectX),
                                   b.getInt32(number == 3 ? selectOne : selectZero));
  selector = b.CreateSelect(isWide, b.getInt32(selectX + number % 2), selector);
  Value *cleared = b.CreateAnd(attribute.word3, b.getInt32(~selectorMask));
  Value *desc = descriptor(attribute, b.CreateOr(cleared, selector));
  Value *offset = b.CreateAdd(b.CreateMul(place, attribute.size), attribute.offset);
  return b.CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_load_format, {b.getInt32Ty()},
                           {desc, attribute.index, b.getInt32(0), offset, b.getInt32(0)});
}

/// Of a location that has an attribute.
UberFetch::Channels UberFetch::loadAttribute(uint32_t slot, unsigned needed) {
  Attribute attribute = readAttribute(slot);
  if (graphics.useSoftwareVertexBufferDescriptors)
    setByteIndex(attribute, needed);
  BasicBlock *from = b.GetInsertBlock();
  Function *function = from->getParent();
  BasicBlock *apart = BasicBlock::Create(b.getContext(), "apart", function, from->getNextNode());
  BasicBlock *behind = BasicBlock::Create(b.getContext(), "loaded", function, apart->getNextNode());
  Channels whole = {}, parts = {};
  BasicBlock *packed = branch(hasFlag(attribute, isPacked), apart, "packed");
  loadPacked(attribute, needed, whole);
  b.CreateBr(behind);
  b.SetInsertPoint(apart);
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    if (needed >> i & 1)
      parts[i] = loadComponent(attribute, i);
  b.CreateBr(behind);
  b.SetInsertPoint(behind);
  Channels result = {};
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    if (needed >> i & 1) {
      PHINode *channel = b.CreatePHI(b.getInt32Ty(), 2);
      channel->addIncoming(whole[i], packed);
      channel->addIncoming(parts[i], apart);
      result[i] = channel;
    }
  return result;
}

void UberFetch::fetch(uint32_t slot, unsigned needed) {
  if (slot >= locations || !needed)
    return;
  begin();
  Value *present = isPresent(slot);
  Instruction *next = &*b.GetInsertPoint();
  BasicBlock *before = next->getParent();
  BasicBlock *behind = before->splitBasicBlock(next, "fetched");
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  branch(present, behind, "fetch");
  const Channels loaded = loadAttribute(slot, needed);
  BasicBlock *last = b.GetInsertBlock();
  b.CreateBr(behind);
  b.SetInsertPoint(next);
  Channels &channels = slots[slot];
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    if (needed >> i & 1) {
      PHINode *channel = PHINode::Create(b.getInt32Ty(), 2, "attribute", behind->begin());
      channel->addIncoming(b.getInt32(0), before);
      channel->addIncoming(loaded[i], last);
      channels[i] = channel;
    }
}

Value *UberFetch::component(uint32_t slot, unsigned index, Type *type) {
  const auto found = slots.find(slot);
  Value *value = found == slots.end() || index >= channelsPerSlot ? nullptr : found->second[index];
  return value ? fromInputDword(b, value, !type->isFloatingPointTy(), type)
               : Constant::getNullValue(type);
}

} // namespace lgc
