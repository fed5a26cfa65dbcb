//===- VertexFetch.cpp - loads of vertex attributes -----------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/VertexFetch.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "lgc/lowering/vertex/FieldConversion.h"
#include "lgc/lowering/vertex/SoftwareDescriptor.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr unsigned descriptorBytes = 16;

/// The power of two that divides the number; 0 is aligned to everything.
unsigned alignmentOf(unsigned number) { return number ? number & -number : 1u << 16; }

Value *missing(Type *type, bool isOne) {
  if (type->isFloatingPointTy())
    return ConstantFP::get(type, isOne ? 1.0 : 0.0);
  return ConstantInt::get(type, isOne ? 1 : 0);
}

} // namespace

Value *fromInputDword(IRBuilder<> &b, Value *dword, bool isInteger, Type *type) {
  if (type->getScalarSizeInBits() == 32)
    return b.CreateBitCast(dword, type);
  // Shader and format of different classes exchange bits, which Vulkan leaves undefined.
  if (!isInteger && type->isHalfTy())
    return b.CreateFPTrunc(b.CreateBitCast(dword, b.getFloatTy()), type);
  Value *bits = b.CreateTrunc(b.CreateBitCast(dword, b.getInt32Ty()), b.getInt16Ty());
  return b.CreateBitCast(bits, type);
}

VertexFetch::VertexFetch(IRBuilder<> &b, const PipelineState &state, VertexFetchSource &source)
    : b(b), graphics(state.graphics), gfxMajor(pal::abi::findTarget(state.target)->major),
      source(source) {}

VertexFetch::SlotSource VertexFetch::find(uint32_t slot) const {
  for (const VertexAttribute &attribute : graphics.vertexAttributes)
    if (attribute.location == slot)
      return {&attribute, 0};
  // Three and four channels of 64 bits take two locations.
  for (const VertexAttribute &attribute : graphics.vertexAttributes)
    if (attribute.location + 1 == slot && (attribute.format.layout == TexelLayout::RGB64 ||
                                           attribute.format.layout == TexelLayout::RGBA64))
      return {&attribute, channelsPerSlot};
  return {};
}

const VertexBinding *VertexFetch::binding(uint32_t number) const {
  for (const VertexBinding &candidate : graphics.vertexBindings)
    if (candidate.binding == number)
      return &candidate;
  return nullptr;
}

/// What the address of element 0 is a multiple of: buffer and attribute offset together are aligned
/// for each attribute (VUID-vkCmdDraw-format-10389), so where the offset is, the buffer is too.
unsigned VertexFetch::bindingAlignment(uint32_t number) const {
  unsigned alignment = 1;
  for (const VertexAttribute &attribute : graphics.vertexAttributes) {
    VertexFormatInfo info = vertexFormatInfo(attribute.format);
    // Only powers of two; of packed formats the element, which is a dword.
    if (attribute.binding == number && info.channels && attribute.offset % info.alignment() == 0)
      alignment = std::max(alignment, info.alignment());
  }
  return alignment;
}

/// What the addresses of all elements are multiples of.
unsigned VertexFetch::elementAlignment(uint32_t number) const {
  unsigned alignment = bindingAlignment(number);
  const VertexBinding *from = binding(number);
  // A stride that comes at run time obeys the same rule as the buffer's address.
  if (from && !graphics.dynamicVertexStride)
    alignment = std::min(alignment, alignmentOf(from->stride));
  return alignment;
}

unsigned VertexFetch::addressAlignment(const VertexAttribute &attribute) const {
  unsigned alignment = std::min(elementAlignment(attribute.binding), alignmentOf(attribute.offset));
  return std::max(alignment, vertexFormatInfo(attribute.format).alignment());
}

/// Could LLVM join a typed load of `channels` channels with another one, and that load be
/// unaligned?
bool VertexFetch::mayBeJoined(const VertexAttribute &attribute, const VertexFormatInfo &info,
                              unsigned channels) const {
  // Joint loads have 4 channels at most.
  if (!info.channelBytes || channels == channelsPerSlot ||
      elementAlignment(attribute.binding) >= channelsPerSlot * info.channelBytes)
    return false;
  if (channels < info.channels)
    return true;
  return any_of(graphics.vertexAttributes, [&](const VertexAttribute &other) {
    return other.binding == attribute.binding &&
           (other.offset + vertexFormatInfo(other.format).elementBytes == attribute.offset ||
            attribute.offset + info.elementBytes == other.offset);
  });
}

Value *VertexFetch::tableEntry(uint32_t number) {
  Value *&value = entries[number];
  if (!value) {
    Value *table = source.vertexBufferTable();
    Value *place = offsetPointer(b, table, uint64_t(number) * descriptorBytes);
    value = createInvariantLoad(b, FixedVectorType::get(b.getInt32Ty(), 4), place, "vertex.buffer");
  }
  return value;
}

Value *VertexFetch::descriptor(uint32_t number) {
  if (!graphics.useSoftwareVertexBufferDescriptors)
    return tableEntry(number);
  Value *&value = descriptors[number];
  if (!value)
    value = createByteDescriptor(b, tableEntry(number), b.getInt32(rawBufferWord3(gfxMajor)));
  return value;
}

Value *VertexFetch::index(const VertexAttribute &attribute) {
  const VertexBinding *from = binding(attribute.binding);
  if (from && from->inputRate == VertexInputRate::Instance) {
    Value *&value = instanceIndices[from->divisor];
    if (!value)
      value = source.instanceIndex(b, from->divisor);
    return value;
  }
  if (!vertexIndex)
    vertexIndex = source.vertexIndex(b);
  return vertexIndex;
}

/// The byte that the element begins at, as index of what createByteDescriptor() gives.
Value *VertexFetch::softwareIndex(const VertexAttribute &attribute) {
  Value *&value = softwareIndices[attribute.location];
  if (value)
    return value;
  Value *entry = tableEntry(attribute.binding);
  Value *&element = elements[attribute.binding];
  if (!element)
    element = createElementByte(b, entry, index(attribute));
  const uint32_t last = attribute.offset + vertexFormatInfo(attribute.format).elementBytes - 1;
  return value = createByteIndex(b, entry, element, b.getInt32(last));
}

/// A load at \p offset + \p scalarOffset in an element, of memory as it is, or converted from the
/// hardware's \p format.
Value *VertexFetch::load(const VertexAttribute &attribute, Type *type, uint32_t offset,
                         uint32_t scalarOffset, std::optional<unsigned> format) {
  Value *desc = descriptor(attribute.binding);
  Value *from =
      graphics.useSoftwareVertexBufferDescriptors ? softwareIndex(attribute) : index(attribute);
  SmallVector<Value *, 6> args{desc, from, b.getInt32(offset), b.getInt32(scalarOffset)};
  if (format)
    args.push_back(b.getInt32(*format));
  args.push_back(b.getInt32(0));
  return b.CreateIntrinsic(format ? Intrinsic::amdgcn_struct_tbuffer_load
                                  : Intrinsic::amdgcn_struct_buffer_load,
                           {type}, args);
}

/// Dwords as they stand in memory: `needed` has a bit per component of the slot.
void VertexFetch::loadRaw(const SlotSource &from, const VertexFormatInfo &info, unsigned needed,
                          Channels &channels) {
  unsigned dwords = info.elementBytes / 4 - from.firstDword;
  unsigned available = needed & ((1u << std::min(dwords, channelsPerSlot)) - 1);
  if (!available)
    return;
  unsigned first = countr_zero(available);
  unsigned count = 32 - countl_zero(available) - first;
  Type *type = b.getInt32Ty();
  if (count > 1)
    type = FixedVectorType::get(type, count);
  unsigned offset = from.attribute->offset + (from.firstDword + first) * 4;
  Value *data = load(*from.attribute, type, offset, 0, std::nullopt);
  for (unsigned i = 0; i < count; ++i)
    channels[first + i] = count > 1 ? b.CreateExtractElement(data, i) : data;
}

/// Channels first .. first + count - 1, as float or i32 or a vector of them.
Value *VertexFetch::loadTypedPiece(const VertexAttribute &attribute, const VertexFormatInfo &info,
                                   unsigned first, unsigned count) {
  Type *type = info.isInteger ? b.getInt32Ty() : b.getFloatTy();
  if (count > 1)
    type = FixedVectorType::get(type, count);
  unsigned format = hardwareBufferFormat(attribute.format, count, gfxMajor);
  unsigned offset = attribute.offset + first * info.channelBytes;
  // Inline constants reach 64. Loads that follow each other get different ones.
  unsigned scalarOffset = mayBeJoined(attribute, info, count) ? offset % 64 : 0;
  return load(attribute, type, offset - scalarOffset, scalarOffset, format);
}

/// `needed` has a bit per channel of the format, in the order of memory.
void VertexFetch::loadTyped(const VertexAttribute &attribute, const VertexFormatInfo &info,
                            unsigned needed, Channels &channels) {
  needed &= (1u << info.channels) - 1;
  if (info.channelBytes == 0) {
    Value *data = needed ? loadTypedPiece(attribute, info, 0, info.channels) : nullptr;
    for (unsigned i = 0; data && i < info.channels; ++i)
      channels[i] = b.CreateExtractElement(data, i);
    return;
  }
  unsigned alignment = addressAlignment(attribute);
  for (unsigned first = 0; needed >> first;) {
    if (!(needed >> first & 1)) {
      ++first;
      continue;
    }
    unsigned wanted = 32 - countl_zero(needed >> first);
    unsigned most = std::min(alignment, alignmentOf(first * info.channelBytes)) / info.channelBytes;
    unsigned count = 1;
    // HW: there are no typed loads of three channels of 8 or 16 bits.
    while (count < wanted && count * 2 <= most && first + count * 2 <= info.channels)
      count *= 2;
    Value *data = loadTypedPiece(attribute, info, first, count);
    for (unsigned i = 0; i < count; ++i)
      channels[first + i] = count > 1 ? b.CreateExtractElement(data, i) : data;
    first += count;
  }
}

/// Bytes of an element as the low ones of a dword.
Value *VertexFetch::loadBytes(const VertexAttribute &attribute, unsigned first, unsigned count) {
  Value *dword = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value *byte = load(attribute, b.getInt8Ty(), attribute.offset + first + i, 0, std::nullopt);
    byte = b.CreateZExt(byte, b.getInt32Ty());
    dword = dword ? b.CreateOr(dword, b.CreateShl(byte, 8 * i)) : byte;
  }
  return dword;
}

/// As loadTyped() and loadRaw() of channels that have less than 64 bits, from any address.
void VertexFetch::loadUnaligned(const VertexAttribute &attribute, const VertexFormatInfo &info,
                                unsigned needed, Channels &channels) {
  needed &= (1u << info.channels) - 1;
  const NumericKind kind = attribute.format.kind;
  if (info.channelBytes == 0) {
    static constexpr BitField rgb10a2[] = {{0, 10}, {10, 10}, {20, 10}, {30, 2}},
                              rg11b10[] = {{0, 11}, {11, 11}, {22, 10}};
    const BitField *fields = attribute.format.layout == TexelLayout::RG11B10 ? rg11b10 : rgb10a2;
    Value *dword = needed ? loadBytes(attribute, 0, info.elementBytes) : nullptr;
    for (unsigned i = 0; i < info.channels; ++i)
      if (needed >> i & 1)
        channels[i] = convertField(b, dword, fields[i], kind);
    return;
  }
  for (unsigned i = 0; i < info.channels; ++i)
    if (needed >> i & 1) {
      Value *dword = loadBytes(attribute, i * info.channelBytes, info.channelBytes);
      channels[i] = convertField(b, dword, {0, 8 * info.channelBytes}, kind);
    }
}

/// Loads what the shader reads of a slot.
void VertexFetch::fetch(uint32_t slot, unsigned needed) {
  SlotSource from = find(slot);
  if (!from.attribute)
    return;
  const VertexAttribute &attribute = *from.attribute;
  VertexFormatInfo info = vertexFormatInfo(attribute.format);
  if (info.channels == 0) {
    reportError(b.getContext(),
                unsupported("vertex attribute at location " + Twine(attribute.location) +
                            " with format " + toString(attribute.format)));
    return;
  }
  unsigned inMemory = 0;
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    if (needed >> i & 1)
      inMemory |= 1u << (info.channelBytes == 8 ? i : info.source[i]);
  Channels loaded = {};
  if (graphics.unalignedVertexFetch && info.channelBytes != 8)
    loadUnaligned(attribute, info, inMemory, loaded);
  else if (info.raw)
    loadRaw(from, info, inMemory, loaded);
  else
    loadTyped(attribute, info, inMemory, loaded);
  Channels &channels = slots[slot];
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    channels[i] = loaded[info.channelBytes == 8 ? i : info.source[i]];
  if (graphics.robustUnboundVertex && info.channelBytes != 8 && channels[3]) {
    // A null descriptor reads zeros; only alpha is another value.
    Value *records = b.CreateExtractElement(tableEntry(attribute.binding), 2);
    Value *isNull = b.CreateICmpEQ(records, b.getInt32(0));
    bool isOneFloat = !info.isInteger && channels[3]->getType()->isIntegerTy();
    Value *one = isOneFloat ? b.getInt32(0x3F800000) : missing(channels[3]->getType(), true);
    channels[3] = b.CreateSelect(isNull, one, channels[3]);
  }
}

Value *VertexFetch::component(uint32_t slot, unsigned index, Type *type) {
  SlotSource from = find(slot);
  // Vulkan leaves inputs without an attribute undefined; zero is the same every time.
  if (!from.attribute || index >= channelsPerSlot)
    return missing(type, false);
  auto found = slots.find(slot);
  Value *value = found == slots.end() ? nullptr : found->second[index];
  VertexFormatInfo info = vertexFormatInfo(from.attribute->format);
  if (!value)
    return missing(type, index == 3 && info.channelBytes != 8);
  return fromInputDword(b, value, info.isInteger, type);
}

} // namespace lgc
