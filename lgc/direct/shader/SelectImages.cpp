//===- SelectImages.cpp - samples, image loads, stores and atomics --------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/BufferAddress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc::direct {

namespace {

struct ImageRow {
  StringLiteral intrinsic, dimension;
  Opcode opcode;
  unsigned addresses;
};
constexpr ImageRow imageRows[] = {
#define DIRECT_INSTRUCTION(...)
#define DIRECT_IMAGE(NAME, CLASS, INTRINSIC, DIMENSION, ADDRESSES)                                 \
  {INTRINSIC, DIMENSION, Opcode::NAME, ADDRESSES},
#include "lgc/direct/ImageInstructions.def"
#undef DIRECT_INSTRUCTION
};

constexpr StringLiteral prefix = "llvm.amdgcn.";
constexpr unsigned descriptorDwords = 8;

const ImageRow *findImage(const CallInst &call) {
  StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  if (!name.consume_front(prefix) || !name.starts_with("image."))
    return nullptr;
  const auto [intrinsic, dimension] = name.rsplit('.');
  const ImageRow *row = find_if(imageRows, [&](const ImageRow &r) {
    return r.dimension == dimension && r.intrinsic == intrinsic;
  });
  return row == std::end(imageRows) ? nullptr : row;
}

bool is32Bits(const Type *type) { return type->isIntegerTy(32) || type->isFloatTy(); }

} // namespace

/// Arguments: (data,) (mask,) addresses, descriptor, (sampler, whether coordinates are texels,)
/// failure mode, cache policy.
struct ShaderSelector::ImageCall {
  const CallInst &call;
  unsigned descriptor = 0; ///< its argument
  bool hasSampler = false, isAtomic = false, isStore = false;
  unsigned firstAddress = 0;
  uint32_t mask = 1;
  MemoryPolicy policy = {};

  MemoryAccess access() const {
    return isAtomic ? MemoryAccess::Atomic : isStore ? MemoryAccess::Store : MemoryAccess::Load;
  }
  const Value *argument(unsigned index) const { return call.getArgOperand(index); }
};

bool ShaderSelector::readImageCall(StringRef intrinsic, ImageCall &image) {
  const CallInst &call = image.call;
  while (image.descriptor < call.arg_size() &&
         dwordsOf(call.getArgOperand(image.descriptor)->getType()) != descriptorDwords)
    ++image.descriptor;
  if (image.descriptor == call.arg_size())
    return false;
  image.isAtomic = intrinsic.starts_with("image.atomic");
  image.isStore = intrinsic.starts_with("image.store");
  image.hasSampler = image.descriptor + 1 < call.arg_size() &&
                     image.argument(image.descriptor + 1)->getType()->isVectorTy();
  unsigned next = image.descriptor + 1;
  if (image.hasSampler) {
    const auto *texels = dyn_cast<ConstantInt>(image.argument(next + 1));
    if (!texels || !texels->isZero())
      return false;
    next += 2;
  }
  const auto *failure = dyn_cast<ConstantInt>(image.argument(next));
  const auto *policy = dyn_cast<ConstantInt>(image.argument(next + 1));
  if (!failure || !failure->isZero() || !policy ||
      !readPolicy(policy->getZExtValue(), image.access(), image.policy))
    return false;
  image.firstAddress = image.isAtomic ? 1 + intrinsic.ends_with("cmpswap") : image.isStore ? 2 : 1;
  if (!image.isAtomic)
    image.mask = static_cast<uint32_t>(
        cast<ConstantInt>(image.argument(image.firstAddress - 1))->getZExtValue());
  for (unsigned i = image.firstAddress; i < image.descriptor; ++i)
    if (!is32Bits(image.argument(i)->getType()))
      return false;
  return image.mask && image.mask < 16;
}

/// What is stored, or room for what is loaded.
bool ShaderSelector::imageData(const ImageCall &image, bool isGather, Operand &data) {
  const auto count = isGather ? 4u : static_cast<unsigned>(popcount(image.mask));
  if (image.isAtomic) {
    const unsigned values = image.firstAddress;
    data = newVgprs(values);
    for (unsigned i = 0; i < values; ++i) {
      Word word;
      if (!image.argument(i)->getType()->isIntegerTy(32))
        return refuse("an atomic of another kind");
      if (!readWord(image.argument(i), word))
        return false;
      emit(Opcode::VMov,
           {part(data, i), word.isUndefined() ? Operand::constant(0) : plain(word).operand});
    }
    return true;
  }
  if (!image.isStore) {
    data = newVgprs(count).withRegisters(count);
    return image.call.getType()->getScalarSizeInBits() == 32 || refuse("an image of halves");
  }
  Words words;
  if (image.argument(0)->getType()->getScalarSizeInBits() != 32)
    return refuse("an image of halves");
  if (!read(image.argument(0), words))
    return false;
  if (words.size() < count)
    return refuse("an image store of another size");
  words.truncate(count);
  data = tuple(words, Bank::Vector).withRegisters(count);
  return true;
}

bool ShaderSelector::selectImage(const CallInst &call) {
  const ImageRow *row = findImage(call);
  ImageCall image = {call};
  if (!row || !hasInstruction(program.target->major, row->opcode) ||
      !readImageCall(row->intrinsic, image) ||
      image.descriptor - image.firstAddress != row->addresses)
    return refuse(call);
  Words descriptor, sampler, addresses;
  if (!read(image.argument(image.descriptor), descriptor) ||
      (image.hasSampler && !read(image.argument(image.descriptor + 1), sampler)))
    return false;
  auto differs = [&](const Word &word) { return isVgpr(word.operand); };
  if (any_of(descriptor, differs) || any_of(sampler, differs))
    return refuse("descriptors that differ");
  for (unsigned i = image.firstAddress; i < image.descriptor; ++i) {
    Word word;
    if (!readWord(image.argument(i), word))
      return false;
    addresses.push_back(word);
  }
  Operand data;
  if (!imageData(image, row->intrinsic.starts_with("image.gather4"), data))
    return false;
  SmallVector<Operand, maxOperands> operands = {data, tuple(addresses, Bank::Vector),
                                                tuple(descriptor, Bank::Scalar)};
  if (image.hasSampler)
    operands.push_back(tuple(sampler, Bank::Scalar));
  if (!image.isAtomic)
    operands.push_back(Operand::number(image.mask));
  operands.push_back(Operand::number(image.policy.bits));
  if (image.isStore || image.isAtomic)
    beginStore(image.policy);
  emit(row->opcode, operands);
  endAccess(image.access(), image.policy);
  if (call.getType()->isVoidTy())
    return true;
  // Components without a bit in the mask do not count.
  const unsigned count = image.isAtomic ? 1 : data.registers;
  Words result = wordsOf(data, count);
  result.resize(dwordsOf(call.getType()));
  return define(call, result);
}

} // namespace lgc::direct
