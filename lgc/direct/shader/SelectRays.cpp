//===- SelectRays.cpp - tests of rays against nodes -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the traversal of acceleration structures has instructions for (LowerRayQueries.cpp).
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc::direct {

/// Arguments: node, length of the ray, origin, direction, its inverse, descriptor.
bool ShaderSelector::selectRayTest(const CallInst &call) {
  constexpr unsigned addressDwords = 12;
  // HW: with 64 bits of a node's address, and directions as floats.
  const unsigned last = call.arg_size() - 1;
  const bool isKnown = hasInstruction(program.target->major, Opcode::ImageBvh64) &&
                       (program.target->major > 10 || program.target->minor >= 3);
  Words address, descriptor;
  if (!isKnown)
    return refuse(call);
  for (unsigned i = 0; i < last; ++i) {
    Words words;
    if (!read(call.getArgOperand(i), words))
      return false;
    address.append(words);
  }
  if (address.size() != addressDwords)
    return refuse(call);
  if (!read(call.getArgOperand(last), descriptor))
    return false;
  if (any_of(descriptor, [&](const Word &word) { return isVgpr(word.operand); }))
    return refuse("descriptors that differ");
  const Operand result = newVgprs(4);
  emit(Opcode::ImageBvh64, {result, tuple(address, Bank::Vector), tuple(descriptor, Bank::Scalar)});
  return define(call, wordsOf(result, 4));
}

/// Arguments: base, length of the ray, mask, origin, direction, node, descriptor. The result has
/// the ray in an instance behind its words. HW(gfx12): it replaces the one that went in.
bool ShaderSelector::selectWideRayTest(const CallInst &call) {
  constexpr unsigned resultDwords = 10, rayDwords = 3;
  Words base, length, mask, rays[2], node, descriptor;
  if (!hasInstruction(program.target->major, Opcode::ImageBvh8))
    return refuse(call);
  if (!read(call.getArgOperand(0), base) || !read(call.getArgOperand(1), length) ||
      !readExtended(call.getArgOperand(2), /*isSigned=*/false, mask) ||
      !read(call.getArgOperand(3), rays[0]) || !read(call.getArgOperand(4), rays[1]) ||
      !read(call.getArgOperand(5), node) || !read(call.getArgOperand(6), descriptor))
    return false;
  if (any_of(descriptor, [&](const Word &word) { return isVgpr(word.operand); }))
    return refuse("descriptors that differ");
  Operand both[2];
  for (unsigned i = 0; i < 2; ++i) {
    both[i] = newVgprs(rayDwords);
    for (unsigned k = 0; k < rayDwords; ++k)
      emit(Opcode::VMov, {part(both[i], k), rays[i][k].isUndefined() ? Operand::constant(0)
                                                                     : plain(rays[i][k]).operand});
  }
  length.append(mask);
  const Operand result = newVgprs(resultDwords);
  emit(Opcode::ImageBvh8, {result, tuple(base, Bank::Vector), tuple(length, Bank::Vector), both[0],
                           both[1], tuple(node, Bank::Vector), tuple(descriptor, Bank::Scalar)});
  Words words = wordsOf(result, resultDwords);
  for (const Operand &ray : both)
    words.append(wordsOf(ray, rayDwords));
  return define(call, words);
}

} // namespace lgc::direct
