//===- CooperativeMatrixAccess.cpp - tiles of matrices in memory -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Where a lane's components of a tile are in memory: contiguous ones move together.
#include "llpc/translate/Accessor.h"
#include "llpc/translate/CooperativeMatrix.h"

using namespace llvm;

namespace llpc {

/// The places of a lane's components.
struct TileMemory::Places {
  Value *first;            ///< of component 0
  Value *step = nullptr;   ///< bytes from one component to the next; null: they are contiguous
  uint64_t alignBytes = 1; ///< of `first`, and of contiguous components together
};

TileMemory::Places TileMemory::places() {
  IRBuilder<> &b = t.b;
  const lgc::MatrixLayout &layout = type.layout;
  const bool isA = type.use == lgc::MatrixUse::A;
  const auto [inner, outer] = lanePlace(t, layout);
  // `outer` runs along rows of A in memory, else along columns.
  const bool isContiguous = isA == rowMajor;
  Value *major = b.CreateZExt(isContiguous ? inner : outer, strideBytes->getType());
  Value *minor = b.CreateZExt(isContiguous ? outer : inner, strideBytes->getType());
  minor = b.CreateMul(minor, offset(componentBytes()));
  Accessor a{t, memory.storage, memory.access, inst};
  Places result;
  result.first =
      a.elementPointer(memory.pointer, b.CreateAdd(b.CreateMul(major, strideBytes), minor), 1);
  const uint64_t bytes = componentBytes() * layout.components;
  if (isContiguous && layout.step == 1)
    // The pointer and the stride are aligned to 16 bytes, or a row or column if that is less.
    result.alignBytes = std::min<uint64_t>(bytes, 16);
  else
    result.step =
        b.CreateMul(isContiguous ? offset(componentBytes()) : strideBytes, offset(layout.step));
  return result;
}

namespace {

/// Contiguous components as integers of 32 bits, at most four at a time.
FixedVectorType *chunkType(Translator &t, uint64_t alignBytes) {
  return FixedVectorType::get(t.b.getInt32Ty(), std::max<unsigned>(alignBytes / 4, 1));
}

} // namespace

Value *TileMemory::load() {
  const Places at = places();
  Accessor a{t, memory.storage, memory.access, inst};
  Type *component = type.value->getElementType();
  Value *result = PoisonValue::get(type.tileType());
  const unsigned count = type.layout.components;
  if (at.step) {
    for (unsigned i = 0; i < count; ++i) {
      Value *pointer = a.elementPointer(at.first, t.b.CreateMul(at.step, offset(i)), 1);
      result = t.b.CreateInsertElement(result, a.loadLeaf(component, pointer, componentBytes()), i);
    }
    return result;
  }
  auto *chunk = chunkType(t, at.alignBytes);
  const unsigned perChunk = at.alignBytes / componentBytes();
  auto *part = FixedVectorType::get(component, perChunk);
  for (unsigned i = 0; i < count; i += perChunk) {
    Value *pointer = a.offsetPointer(at.first, i * componentBytes());
    Value *loaded = t.b.CreateBitCast(a.loadLeaf(chunk, pointer, at.alignBytes), part);
    for (unsigned j = 0; j < perChunk; ++j) {
      Value *element = t.b.CreateExtractElement(loaded, j);
      result = t.b.CreateInsertElement(result, element, i + j);
    }
  }
  return result;
}

void TileMemory::store(Value *tile) {
  const Places at = places();
  Accessor a{t, memory.storage, memory.access, inst};
  const unsigned count = type.layout.components;
  if (at.step) {
    for (unsigned i = 0; i < count; ++i) {
      Value *pointer = a.elementPointer(at.first, t.b.CreateMul(at.step, offset(i)), 1);
      a.storeLeaf(t.b.CreateExtractElement(tile, i), pointer, componentBytes());
    }
    return;
  }
  auto *chunk = chunkType(t, at.alignBytes);
  const unsigned perChunk = at.alignBytes / componentBytes();
  for (unsigned i = 0; i < count; i += perChunk) {
    SmallVector<int, 16> mask;
    for (unsigned j = 0; j < perChunk; ++j)
      mask.push_back(static_cast<int>(i + j));
    Value *part = t.b.CreateBitCast(t.b.CreateShuffleVector(tile, mask), chunk);
    a.storeLeaf(part, a.offsetPointer(at.first, i * componentBytes()), at.alignBytes);
  }
}

} // namespace llpc
