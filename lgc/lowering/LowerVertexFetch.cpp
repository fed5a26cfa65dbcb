//===- LowerVertexFetch.cpp - vertex inputs -> loads of vertex buffers ----===//
// SPDX-License-Identifier: MIT
/// \file
/// The attributes that a vertex shader reads come from buffers, whose descriptors the driver keeps
/// in a table by binding. 32- and 64-bit channels are loaded as they are; all others by typed
/// loads, which convert. Runs before vertex shaders merge with other stages, and before the middle
/// end, which merges equal index arithmetic.
///   before: %x = call float @lgc.input.load__f32_...(i32 0, i32 0, i32 0, i32 poison)
///   after:  %d = load <4 x i32>, ptr addrspace(4) %table + 16 x binding
///           %v = struct.tbuffer.load(%d, %vertex.index, attribute's offset, 0, 8_8_8_8 unorm, 0)
///           %x = extractelement %v, 0
///
/// Alignment. HW(gfx10+): a typed load must be aligned to its whole size, while Vulkan promises
/// alignment to one channel only. What the buffer's address is aligned to follows from the largest
/// channel of any attribute in the binding; an attribute that may lie unaligned is read in pieces.
/// LLVM joins typed loads that follow each other, pieces as well as attributes, and looks at their
/// constant offsets only. It leaves loads alone whose scalar offsets differ, so those do that must
/// not be joined.
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/UserDataAddress.h"
#include "lgc/lowering/VertexFormats.h"
#include "lgc/lowering/VertexInputs.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr unsigned descriptorBytes = 16;
constexpr unsigned channelsPerSlot = 4;
using Channels = std::array<Value *, channelsPerSlot>;

/// The power of two that divides the number; 0 is aligned to everything.
unsigned alignmentOf(unsigned number) { return number ? number & -number : 1u << 16; }

/// A slot of the shader that an attribute fills.
struct SlotSource {
  const VertexAttribute *attribute = nullptr;
  unsigned firstDword = 0; ///< 4 in the second slot of a 64-bit attribute
};

class VertexFetch {
public:
  VertexFetch(Function &shader, const PipelineState &state)
      : shader(shader), graphics(state.graphics),
        gfxMajor(pal::abi::findTarget(state.target)->major), address(shader),
        b(shader.getContext()) {}
  void run();

private:
  void fetch(uint32_t slot, unsigned needed);
  Value *component(uint32_t slot, unsigned index, Type *type);
  void replace(InputLoadOp &load);

  SlotSource find(uint32_t slot) const;
  const VertexBinding *binding(uint32_t number) const;
  unsigned bindingAlignment(uint32_t number) const;
  unsigned elementAlignment(uint32_t number) const;
  unsigned addressAlignment(const VertexAttribute &attribute) const;
  bool mayBeJoined(const VertexAttribute &attribute, const VertexFormatInfo &info,
                   unsigned channels) const;
  Value *descriptor(uint32_t number);
  Value *index(const VertexAttribute &attribute);
  void loadRaw(const SlotSource &source, const VertexFormatInfo &info, unsigned needed,
               Channels &channels);
  void loadTyped(const VertexAttribute &attribute, const VertexFormatInfo &info, unsigned needed,
                 Channels &channels);
  Value *loadTypedPiece(const VertexAttribute &attribute, const VertexFormatInfo &info,
                        unsigned first, unsigned count);
  Value *convert(Value *value, const VertexFormatInfo &info, Type *type);
  static Value *missing(Type *type, bool isOne);

  Function &shader;
  const GraphicsState &graphics;
  unsigned gfxMajor;
  UserDataAddress address;
  IRBuilder<> b;
  std::map<uint32_t, Channels> slots; ///< as dwords of the format's class, in order r, g, b, a
  std::map<uint32_t, Value *> descriptors;
  std::map<uint32_t, Value *> instanceIndices;
  Value *vertexIndex = nullptr;
};

SlotSource VertexFetch::find(uint32_t slot) const {
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

Value *VertexFetch::descriptor(uint32_t number) {
  Value *&value = descriptors[number];
  if (!value) {
    Value *table = address.specialTable(pal::abi::userdata::vertexBufferTable);
    Value *place = offsetPointer(b, table, uint64_t(number) * descriptorBytes);
    value = createInvariantLoad(b, FixedVectorType::get(b.getInt32Ty(), 4), place, "vertex.buffer");
  }
  return value;
}

Value *VertexFetch::index(const VertexAttribute &attribute) {
  const VertexBinding *from = binding(attribute.binding);
  if (from && from->perInstance) {
    Value *&value = instanceIndices[from->divisor];
    if (!value)
      value = createInstanceIndex(b, from->divisor);
    return value;
  }
  if (!vertexIndex)
    vertexIndex = createVertexIndex(b);
  return vertexIndex;
}

/// Dwords as they stand in memory: `needed` has a bit per component of the slot.
void VertexFetch::loadRaw(const SlotSource &source, const VertexFormatInfo &info, unsigned needed,
                          Channels &channels) {
  unsigned dwords = info.elementBytes / 4 - source.firstDword;
  unsigned available = needed & ((1u << std::min(dwords, channelsPerSlot)) - 1);
  if (!available)
    return;
  unsigned first = countr_zero(available);
  unsigned count = 32 - countl_zero(available) - first;
  Type *type = b.getInt32Ty();
  if (count > 1)
    type = FixedVectorType::get(type, count);
  unsigned offset = source.attribute->offset + (source.firstDword + first) * 4;
  Value *data = b.CreateIntrinsic(Intrinsic::amdgcn_struct_buffer_load, {type},
                                  {descriptor(source.attribute->binding), index(*source.attribute),
                                   b.getInt32(offset), b.getInt32(0), b.getInt32(0)});
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
  return b.CreateIntrinsic(Intrinsic::amdgcn_struct_tbuffer_load, {type},
                           {descriptor(attribute.binding), index(attribute),
                            b.getInt32(offset - scalarOffset), b.getInt32(scalarOffset),
                            b.getInt32(format), b.getInt32(0)});
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

/// Loads what the shader reads of a slot.
void VertexFetch::fetch(uint32_t slot, unsigned needed) {
  SlotSource source = find(slot);
  if (!source.attribute)
    return;
  const VertexAttribute &attribute = *source.attribute;
  VertexFormatInfo info = vertexFormatInfo(attribute.format);
  if (info.channels == 0) {
    reportError(shader.getContext(),
                unsupported("vertex attribute at location " + Twine(attribute.location) +
                            " with format " + toString(attribute.format)));
    return;
  }
  unsigned inMemory = 0;
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    if (needed >> i & 1)
      inMemory |= 1u << (info.channelBytes == 8 ? i : info.source[i]);
  Channels loaded = {};
  if (info.raw)
    loadRaw(source, info, inMemory, loaded);
  else
    loadTyped(attribute, info, inMemory, loaded);
  Channels &channels = slots[slot];
  for (unsigned i = 0; i < channelsPerSlot; ++i)
    channels[i] = loaded[info.channelBytes == 8 ? i : info.source[i]];
  if (graphics.robustUnboundVertex && info.channelBytes != 8 && channels[3]) {
    // A null descriptor reads zeros; only alpha is another value.
    Value *records = b.CreateExtractElement(descriptor(attribute.binding), 2);
    Value *isNull = b.CreateICmpEQ(records, b.getInt32(0));
    bool isOneFloat = !info.isInteger && channels[3]->getType()->isIntegerTy();
    Value *one = isOneFloat ? b.getInt32(0x3F800000) : missing(channels[3]->getType(), true);
    channels[3] = b.CreateSelect(isNull, one, channels[3]);
  }
}

Value *VertexFetch::missing(Type *type, bool isOne) {
  if (type->isFloatingPointTy())
    return ConstantFP::get(type, isOne ? 1.0 : 0.0);
  return ConstantInt::get(type, isOne ? 1 : 0);
}

/// A dword of the format's class as the shader's type. Shader and format of different classes
/// exchange bits, which Vulkan leaves undefined.
Value *VertexFetch::convert(Value *value, const VertexFormatInfo &info, Type *type) {
  if (type->getScalarSizeInBits() == 32)
    return b.CreateBitCast(value, type);
  if (!info.isInteger && type->isHalfTy())
    return b.CreateFPTrunc(b.CreateBitCast(value, b.getFloatTy()), type);
  Value *bits = b.CreateTrunc(b.CreateBitCast(value, b.getInt32Ty()), b.getInt16Ty());
  return b.CreateBitCast(bits, type);
}

Value *VertexFetch::component(uint32_t slot, unsigned index, Type *type) {
  SlotSource source = find(slot);
  // Vulkan leaves inputs without an attribute undefined; zero is the same every time.
  if (!source.attribute || index >= channelsPerSlot)
    return missing(type, false);
  auto found = slots.find(slot);
  Value *value = found == slots.end() ? nullptr : found->second[index];
  VertexFormatInfo info = vertexFormatInfo(source.attribute->format);
  if (!value)
    return missing(type, index == 3 && info.channelBytes != 8);
  return convert(value, info, type);
}

uint32_t slotOf(const InputLoadOp &load) {
  uint32_t slot = slotNumber(load.constArg(0));
  if (const auto *element = dyn_cast<ConstantInt>(load.getArgOperand(2)))
    slot += static_cast<uint32_t>(element->getZExtValue());
  return slot;
}

unsigned componentsOf(const InputLoadOp &load) {
  const auto *vector = dyn_cast<FixedVectorType>(load.getType());
  return vector ? vector->getNumElements() : 1;
}

void VertexFetch::replace(InputLoadOp &load) {
  b.SetInsertPoint(&load);
  uint32_t slot = slotOf(load);
  unsigned first = load.constArg(1);
  Type *type = load.getType();
  Value *result;
  if (!type->isVectorTy()) {
    result = component(slot, first, type);
  } else {
    result = PoisonValue::get(type);
    for (unsigned i = 0; i < componentsOf(load); ++i)
      result = b.CreateInsertElement(result, component(slot, first + i, type->getScalarType()), i);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

void VertexFetch::run() {
  std::vector<InputLoadOp *> loads;
  std::map<uint32_t, unsigned> needed;
  for (BasicBlock &block : shader) {
    for (Instruction &instruction : block) {
      auto *load = dyn_cast<InputLoadOp>(&instruction);
      if (!load)
        continue;
      loads.push_back(load);
      if (!isa<ConstantInt>(load->getArgOperand(2)))
        reportError(shader.getContext(),
                    internalError("input.load of a vertex shader with a dynamic element"));
      if (!load->use_empty())
        needed[slotOf(*load)] |= ((1u << componentsOf(*load)) - 1) << load->constArg(1);
    }
  }
  if (loads.empty())
    return;
  BasicBlock &entry = shader.getEntryBlock();
  Instruction *first = loads.front();
  b.SetInsertPoint(first->getParent() == &entry ? first : entry.getTerminator());
  for (const auto &[slot, mask] : needed)
    fetch(slot, mask & 0xF);
  for (InputLoadOp *load : loads)
    replace(*load);
}

} // namespace

PreservedAnalyses LowerVertexFetchPass::run(Module &module, ModuleAnalysisManager &mam) {
  const PipelineState &state = mam.getResult<StateAnalysis>(module).state;
  if (!state.isGraphics() || !pal::abi::findTarget(state.target))
    return PreservedAnalyses::all();
  Function *shader = findShader(module, ShaderStage::Vertex);
  if (!shader)
    return PreservedAnalyses::all();
  VertexFetch(*shader, state).run();
  return PreservedAnalyses::none();
}

} // namespace lgc
