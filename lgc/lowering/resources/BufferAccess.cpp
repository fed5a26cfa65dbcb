//===- BufferAccess.cpp - typed accesses as buffer instructions -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/CompileError.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

/// How one access is cut: `elementBits` is the common unit of all pieces (8, 16 or 32).
struct Split {
  unsigned elementBits;
  SmallVector<unsigned, 4> pieceBytes;
};

uint64_t byteSize(const DataLayout &layout, Type *type) {
  return layout.getTypeStoreSize(type).getFixedValue();
}

unsigned unitBytes(uint64_t bytes, Align align) {
  if (bytes % 4 == 0 && align >= 4)
    return 4;
  return bytes % 2 == 0 && align >= 2 ? 2 : 1;
}

/// HW: multi-dword accesses need dword alignment only.
Split splitAccess(uint64_t bytes, Align align) {
  Split split;
  split.elementBits = unitBytes(bytes, align) * 8;
  uint64_t done = 0;
  while (done < bytes) {
    uint64_t left = bytes - done;
    Align here = commonAlignment(align, done);
    unsigned piece = here >= 2 && left >= 2 ? 2 : 1;
    if (here >= 4 && left >= 4)
      piece = left >= 16 ? 16 : static_cast<unsigned>(left / 4 * 4);
    split.pieceBytes.push_back(piece);
    done += piece;
  }
  return split;
}

/// i8, i16, i32 or a vector of i32: what the intrinsics take.
Type *pieceType(LLVMContext &context, unsigned bytes) {
  if (bytes <= 4)
    return IntegerType::get(context, bytes * 8);
  return FixedVectorType::get(IntegerType::get(context, 32), bytes / 4);
}

void copyAccessMetadata(Instruction *to, const Instruction *from) {
  if (!from)
    return;
  static constexpr unsigned kinds[] = {LLVMContext::MD_invariant_load, LLVMContext::MD_alias_scope,
                                       LLVMContext::MD_noalias, LLVMContext::MD_tbaa};
  to->copyMetadata(*from, kinds);
}

BufferAddress advanced(const BufferAddress &address, uint32_t bytes) {
  BufferAddress next = address;
  next.constant += bytes;
  return next;
}

/// The integer or integer vector type with a pointer type's bits.
Type *integerTwin(Type *type) {
  LLVMContext &context = type->getContext();
  // Fixed by LLVM's AMDGPU data layout.
  unsigned bits = type->getPointerAddressSpace() == 3 || type->getPointerAddressSpace() == 5 ||
                          type->getPointerAddressSpace() == 2 || type->getPointerAddressSpace() == 6
                      ? 32
                      : 64;
  Type *scalar = IntegerType::get(context, bits);
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

} // namespace

bool isBufferType(const DataLayout &layout, Type *type) {
  Type *scalar = type->getScalarType();
  if (scalar->isPointerTy()) {
    if (scalar->getPointerAddressSpace() >= 7)
      return false;
  } else if (!scalar->isIntegerTy() && !scalar->isFloatingPointTy()) {
    return false;
  }
  if (isa<ScalableVectorType>(type))
    return false;
  uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return bits != 0 && bits % 8 == 0 && bits <= (uint64_t(1) << 20);
}

Value *fromBits(IRBuilderBase &b, Value *bits, Type *type) {
  if (bits->getType() == type)
    return bits;
  if (type->isPtrOrPtrVectorTy())
    return b.CreateIntToPtr(b.CreateBitCast(bits, integerTwin(type)), type);
  return b.CreateBitCast(bits, type);
}

Value *toBits(IRBuilderBase &b, Value *value, Type *bitsType) {
  if (value->getType()->isPtrOrPtrVectorTy())
    value = b.CreatePtrToInt(value, integerTwin(value->getType()));
  return b.CreateBitCast(value, bitsType);
}

Value *joinPieces(IRBuilderBase &b, ArrayRef<Value *> pieces, unsigned elementBits, Type *type) {
  if (pieces.size() == 1)
    return fromBits(b, pieces[0], type);
  SmallVector<Value *, 16> elements;
  Type *element = b.getIntNTy(elementBits);
  for (Value *piece : pieces) {
    unsigned count =
        static_cast<unsigned>(piece->getType()->getPrimitiveSizeInBits()) / elementBits;
    if (count == 1) {
      elements.push_back(b.CreateBitCast(piece, element));
      continue;
    }
    Value *vector = b.CreateBitCast(piece, FixedVectorType::get(element, count));
    for (unsigned i = 0; i < count; ++i)
      elements.push_back(b.CreateExtractElement(vector, i));
  }
  Value *joined =
      PoisonValue::get(FixedVectorType::get(element, static_cast<unsigned>(elements.size())));
  for (auto [i, value] : enumerate(elements))
    joined = b.CreateInsertElement(joined, value, static_cast<uint64_t>(i));
  return fromBits(b, joined, type);
}

Value *fullOffset(IRBuilderBase &b, const BufferAddress &address) {
  if (!address.offset)
    return b.getInt32(address.constant);
  return address.constant ? b.CreateAdd(address.offset, b.getInt32(address.constant))
                          : address.offset;
}

uint32_t rawBufferWord3(unsigned gfxMajor) {
  return gfxMajor >= 12 ? 0x32014FAC : gfxMajor == 11 ? 0x30014FAC : 0x31014FAC;
}

Value *descriptorOfResource(IRBuilderBase &b, Value *resource) {
  auto *type = FixedVectorType::get(b.getInt32Ty(), 4);
  if (auto *cast = dyn_cast<IntToPtrInst>(resource)) {
    Value *source = cast->getOperand(0);
    if (auto *bits = dyn_cast<BitCastInst>(source); bits && bits->getSrcTy() == type)
      return bits->getOperand(0);
    if (source->getType()->isIntegerTy(128))
      return b.CreateBitCast(source, type);
  }
  return b.CreateBitCast(b.CreatePtrToInt(resource, b.getInt128Ty()), type);
}

Value *emitBufferLoad(IRBuilderBase &b, const BufferAddress &address, Type *type, Align align,
                      uint32_t bits, bool ordered, const Instruction *source) {
  const DataLayout &layout = b.GetInsertBlock()->getModule()->getDataLayout();
  Split split = splitAccess(byteSize(layout, type), align);
  // The atomic form is declared with side effects.
  Intrinsic::ID intrinsic = ordered ? Intrinsic::amdgcn_raw_ptr_atomic_buffer_load
                                    : Intrinsic::amdgcn_raw_ptr_buffer_load;
  SmallVector<Value *, 4> pieces;
  uint32_t done = 0;
  for (unsigned bytes : split.pieceBytes) {
    CallInst *load = b.CreateIntrinsic(pieceType(b.getContext(), bytes), intrinsic,
                                       {address.resource, fullOffset(b, advanced(address, done)),
                                        b.getInt32(0), b.getInt32(bits)});
    copyAccessMetadata(load, source);
    pieces.push_back(load);
    done += bytes;
  }
  return joinPieces(b, pieces, split.elementBits, type);
}

void emitBufferStore(IRBuilderBase &b, const BufferAddress &address, Value *value, Align align,
                     uint32_t bits, const Instruction *source) {
  const DataLayout &layout = b.GetInsertBlock()->getModule()->getDataLayout();
  uint64_t size = byteSize(layout, value->getType());
  Split split = splitAccess(size, align);
  Type *element = b.getIntNTy(split.elementBits);
  auto count = static_cast<unsigned>(size * 8 / split.elementBits);
  Value *whole = toBits(b, value, count == 1 ? element : FixedVectorType::get(element, count));
  uint32_t done = 0;
  for (unsigned bytes : split.pieceBytes) {
    Value *piece = whole;
    if (bytes != size) {
      unsigned first = done * 8 / split.elementBits;
      unsigned length = bytes * 8 / split.elementBits;
      SmallVector<int, 16> lanes;
      for (unsigned i = 0; i < length; ++i)
        lanes.push_back(static_cast<int>(first + i));
      piece =
          length == 1 ? b.CreateExtractElement(whole, first) : b.CreateShuffleVector(whole, lanes);
    }
    piece = b.CreateBitCast(piece, pieceType(b.getContext(), bytes));
    CallInst *store =
        b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {piece->getType()},
                          {piece, address.resource, fullOffset(b, advanced(address, done)),
                           b.getInt32(0), b.getInt32(bits)});
    copyAccessMetadata(store, source);
    done += bytes;
  }
}

bool canUseScalarLoad(const DataLayout &layout, Type *type, Align align) {
  uint64_t bytes = byteSize(layout, type);
  if (bytes <= 2)
    return align >= bytes; // one aligned byte or halfword lies in one dword
  return bytes % 4 == 0 && align >= 4 && bytes <= 256;
}

namespace {

Value *scalarLoad(IRBuilderBase &b, Value *descriptor, Type *type, Value *offset) {
  return b.CreateIntrinsic(type, Intrinsic::amdgcn_s_buffer_load,
                           {descriptor, offset, b.getInt32(0)});
}

/// Bytes and halfwords. gfx12 has scalar loads of them; before, the dword around is loaded.
Value *subDwordScalarLoad(IRBuilderBase &b, Value *descriptor, const BufferAddress &address,
                          unsigned bytes, unsigned gfxMajor) {
  Type *type = b.getIntNTy(bytes * 8);
  if (gfxMajor >= 12)
    return scalarLoad(b, descriptor, type, fullOffset(b, address));
  if (!address.offset) {
    Value *dword = scalarLoad(b, descriptor, b.getInt32Ty(), b.getInt32(address.constant & ~3u));
    return b.CreateTrunc(b.CreateLShr(dword, (address.constant & 3) * 8), type);
  }
  Value *offset = fullOffset(b, address);
  Value *dword = scalarLoad(b, descriptor, b.getInt32Ty(), b.CreateAnd(offset, b.getInt32(~3u)));
  Value *shift = b.CreateShl(b.CreateAnd(offset, b.getInt32(3)), 3);
  return b.CreateTrunc(b.CreateLShr(dword, shift), type);
}

} // namespace

Value *emitScalarBufferLoad(IRBuilderBase &b, const BufferAddress &address, Type *type, Align align,
                            unsigned gfxMajor) {
  const DataLayout &layout = b.GetInsertBlock()->getModule()->getDataLayout();
  uint64_t bytes = byteSize(layout, type);
  Value *descriptor = descriptorOfResource(b, address.resource);
  if (bytes < 4)
    return fromBits(
        b, subDwordScalarLoad(b, descriptor, address, static_cast<unsigned>(bytes), gfxMajor),
        type);
  SmallVector<Value *, 4> pieces;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t dwords = (bytes - done) / 4;
    // Why whole widths only: the load merger of code generation joins neighbours as it likes.
    unsigned width = dwords >= 16 ? 16 : dwords >= 8 ? 8 : dwords >= 4 ? 4 : unsigned(dwords);
    Value *offset = fullOffset(b, advanced(address, static_cast<uint32_t>(done)));
    pieces.push_back(scalarLoad(b, descriptor, pieceType(b.getContext(), width * 4), offset));
    done += uint64_t(width) * 4;
  }
  return joinPieces(b, pieces, 32, type);
}

Value *createBufferBase(IRBuilderBase &b, Value *words) {
  Value *low = b.CreateZExt(b.CreateExtractElement(words, uint64_t(0)), b.getInt64Ty());
  Value *high = b.CreateAnd(b.CreateExtractElement(words, uint64_t(1)), 0xFFFF);
  return b.CreateOr(low, b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
}

Value *createBufferLength(IRBuilderBase &b, Value *words) {
  Value *records = b.CreateExtractElement(words, uint64_t(2));
  Value *rounded = b.CreateAnd(b.CreateLShr(b.CreateExtractElement(words, uint64_t(3)), 21), 3);
  return b.CreateSub(records, rounded);
}

} // namespace lgc
