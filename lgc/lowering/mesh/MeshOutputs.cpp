//===- MeshOutputs.cpp - accesses to the outputs of a mesh shader ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// An output's byte is at base of the region + index x stride of its records + offset of the slot
/// + element x size of a slot. Constants are added last: instructions have a place for them.
#include "lgc/lowering/mesh/MeshOutputs.h"
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/lowering/resources/CachePolicy.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

/// 16-bit values take a dword each, in its low half.
Value *toDwords(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  if (type->getScalarSizeInBits() == 32)
    return value;
  Value *bits = b.CreateBitCast(value, type->getWithNewType(b.getInt16Ty()));
  return b.CreateZExt(bits, type->getWithNewType(b.getInt32Ty()));
}

Type *vectorOf(Type *element, unsigned count) {
  return count == 1 ? element : FixedVectorType::get(element, count);
}

} // namespace

MeshOutputs::MeshOutputs(Module &module, const PipelineState &state, const MeshLayout &layout)
    : layout(layout) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that the checks let pass");
  gfxMajor = target->major;
  Type *type = ArrayType::get(Type::getInt32Ty(module.getContext()), layout.ldsBytes / 4);
  block = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                             PoisonValue::get(type), "lgc.mesh.outputs", nullptr,
                             GlobalValue::NotThreadLocal, AddrSpace::Local);
  block->setAlignment(Align(16));
}

Value *MeshOutputs::word(IRBuilder<> &b, uint32_t at) {
  return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), block, at);
}

MeshOutputs::Address MeshOutputs::addressOf(uint32_t slotOperand, uint32_t component,
                                            Value *element, Value *index) {
  Address address;
  address.slot = slotNumber(slotOperand);
  address.component = component;
  address.index = index;
  if (auto *constant = dyn_cast_or_null<ConstantInt>(element))
    address.slot += static_cast<uint32_t>(constant->getZExtValue());
  else
    address.element = element;
  address.place = layout.find(address.slot);
  return address;
}

/// The part that is no constant; the constant is added to `constant`.
Value *MeshOutputs::byteOffset(IRBuilder<> &b, const Address &address, uint32_t &constant) {
  const MeshPlace &place = *address.place;
  const MeshRegion &region = layout.region(address.slot, place.inScratch);
  constant += region.base + place.offset + (address.component - place.first) * 4;
  Value *offset = b.CreateMul(address.index, b.getInt32(region.stride));
  if (address.element)
    offset = b.CreateAdd(offset, b.CreateMul(address.element, b.getInt32(place.dwords * 4)));
  return offset;
}

Align MeshOutputs::alignOf(const Address &address) const {
  return commonAlignment(Align(address.place->dwords * 4),
                         (address.component - address.place->first) * 4);
}

/// The scratch ring and the place of this workgroup's entry in it. Why at the entry: the offset is
/// a scalar operand, and what lanes compute in a loop that they leave in different rounds is no
/// scalar behind it.
void MeshOutputs::findRing(IRBuilder<> &b) {
  if (ring)
    return;
  IRBuilder<>::InsertPointGuard guard(b);
  BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  // The driver's words: address, bytes of all, bytes of an entry, which belongs to one workgroup.
  Value *words = createOp(b, OpId::DriverTableOp, FixedVectorType::get(b.getInt32Ty(), 4),
                          {b.getInt32(DriverTable::MeshScratch)}, "mesh.scratch");
  ring = b.CreateInsertElement(words, b.getInt32(rawBufferWord3(gfxMajor)), 3);
  // HW: ordered id of the subgroup, bits 11:0; unique among those that run.
  Value *info = createOp(b, OpId::HwValueOp, b.getInt32Ty(),
                         {b.getInt32(static_cast<uint32_t>(HwValue::MergedGroupInfo))});
  // Not this pipeline's own size: the entries are for the pipeline that needs most.
  Value *entryBytes = b.CreateExtractElement(words, 3);
  ringOffset = b.CreateMul(b.CreateAnd(info, 0xFFF), entryBytes);
}

void MeshOutputs::storeDwords(IRBuilder<> &b, const Address &address, Value *dwords) {
  uint32_t constant = 0;
  Value *offset = byteOffset(b, address, constant);
  if (address.place->inScratch) {
    findRing(b);
    AccessPolicy policy{CoherenceScope::Workgroup, false, false};
    Value *full = b.CreateAdd(offset, b.getInt32(constant));
    b.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {dwords->getType()},
                      {dwords, ring, full, ringOffset,
                       b.getInt32(cachePolicyBits(gfxMajor, AccessKind::Store, policy))});
    return;
  }
  Value *record = b.CreateGEP(b.getInt8Ty(), block, offset);
  b.CreateAlignedStore(dwords, b.CreateConstGEP1_32(b.getInt8Ty(), record, constant),
                       alignOf(address));
}

Value *MeshOutputs::loadDwords(IRBuilder<> &b, const Address &address, Type *type) {
  uint32_t constant = 0;
  Value *offset = byteOffset(b, address, constant);
  if (address.place->inScratch) {
    findRing(b);
    AccessPolicy policy{CoherenceScope::Workgroup, false, false};
    Value *full = b.CreateAdd(offset, b.getInt32(constant));
    return b.CreateIntrinsic(
        Intrinsic::amdgcn_raw_buffer_load, {type},
        {ring, full, ringOffset, b.getInt32(cachePolicyBits(gfxMajor, AccessKind::Load, policy))});
  }
  Value *record = b.CreateGEP(b.getInt8Ty(), block, offset);
  return b.CreateAlignedLoad(type, b.CreateConstGEP1_32(b.getInt8Ty(), record, constant),
                             alignOf(address));
}

/// HW: 10 bits for each index, with an edge flag in the last; gfx12: 9.
Value *MeshOutputs::packIndices(IRBuilder<> &b, ArrayRef<Value *> indices) {
  unsigned bits = gfxMajor >= 12 ? 9 : 10;
  Value *word = indices.back();
  for (Value *index : reverse(indices.drop_back()))
    word = b.CreateOr(b.CreateShl(word, bits), index);
  return word;
}

void MeshOutputs::store(IRBuilder<> &b, const CallInst &call) {
  const auto &op = cast<OutputStoreOp>(call);
  Address address =
      addressOf(op.constArg(1), op.constArg(2), op.getArgOperand(3), op.getArgOperand(4));
  KILN_CHECK(address.place, "a store that the layout does not know");
  Value *value = toDwords(b, op.getArgOperand(0));
  if (address.slot == Slot::PrimitiveIndices && layout.packedIndices) {
    if (auto *vector = dyn_cast<FixedVectorType>(value->getType())) {
      SmallVector<Value *, 3> indices;
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        indices.push_back(b.CreateExtractElement(value, i));
      value = packIndices(b, indices);
    }
  }
  storeDwords(b, address, value);
}

Value *MeshOutputs::load(IRBuilder<> &b, const CallInst &call) {
  const auto &op = cast<OutputLoadOp>(call);
  Address address =
      addressOf(op.constArg(0), op.constArg(1), op.getArgOperand(2), op.getArgOperand(3));
  KILN_CHECK(address.place, "a load that the layout does not know");
  Type *type = call.getType();
  if (type->getScalarSizeInBits() == 32)
    return loadDwords(b, address, type);
  Value *dwords = loadDwords(b, address, type->getWithNewType(b.getInt32Ty()));
  return b.CreateBitCast(b.CreateTrunc(dwords, type->getWithNewType(b.getInt16Ty())), type);
}

void MeshOutputs::clearCull(IRBuilder<> &b, Value *primitive) {
  storeDwords(b, addressOf(Slot::CullPrimitive, 0, nullptr, primitive), b.getInt32(0));
}

std::vector<OutputSlot> MeshOutputs::exportedSlots() const {
  std::vector<OutputSlot> slots;
  for (const auto &[slot, place] : layout.places)
    if (place.mask && slot != Slot::CullPrimitive && slot != Slot::PrimitiveIndices)
      slots.push_back({slot, place.mask});
  return slots;
}

OutputSet MeshOutputs::loadAll(IRBuilder<> &b, Value *index, bool primitives) {
  OutputSet outputs;
  for (const OutputSlot &output : exportedSlots()) {
    if (isPerPrimitive(output.slot) != primitives)
      continue;
    auto first = static_cast<uint32_t>(countr_zero(output.mask));
    unsigned width = 32 - static_cast<uint32_t>(countl_zero(output.mask)) - first;
    Value *values = loadDwords(b, addressOf(output.slot, first, nullptr, index),
                               vectorOf(b.getFloatTy(), width));
    for (unsigned i = 0; i < width; ++i)
      if (output.mask >> (first + i) & 1)
        outputs.set(output.slot, first + i,
                    width == 1 ? values : b.CreateExtractElement(values, i));
  }
  return outputs;
}

Value *MeshOutputs::culled(IRBuilder<> &b, Value *primitive) {
  if (!layout.find(Slot::CullPrimitive))
    return nullptr;
  return loadDwords(b, addressOf(Slot::CullPrimitive, 0, nullptr, primitive), b.getInt32Ty());
}

Value *MeshOutputs::connectivity(IRBuilder<> &b, Value *primitive) {
  Value *word = b.getInt32(0);
  const MeshPlace *place = layout.find(Slot::PrimitiveIndices);
  if (place && place->mask) {
    unsigned width = 32 - static_cast<unsigned>(countl_zero(place->mask));
    Value *loaded = loadDwords(b, addressOf(Slot::PrimitiveIndices, 0, nullptr, primitive),
                               vectorOf(b.getInt32Ty(), width));
    SmallVector<Value *, 3> indices;
    for (unsigned i = 0; i < width; ++i)
      indices.push_back(width == 1 ? loaded : b.CreateExtractElement(loaded, i));
    word = packIndices(b, indices);
  }
  // HW: bit 31 marks a primitive that is not there.
  if (Value *cull = culled(b, primitive))
    word = b.CreateOr(word, b.CreateShl(cull, 31));
  return word;
}

} // namespace lgc
