//===- DecideRounding.cpp - which products and sums are rounded as one ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan leaves open whether a product is rounded before something is added to it, and how a
/// division or power is computed. Whoever generates code would decide by what it happens to see, so
/// that one shader had other results in another pipeline, part or tier (Vulkan: "Invariance", rule
/// 4). This pass decides while all of them still see the same: behind the first clean-up, before
/// stages are linked. What is open is rounded once where product and sum stand in one block;
/// nothing may be contracted behind it. Options of AMD's driver make more instructions exact than
/// shaders say (NoContraction.h).
///   before: %m = fmul contract float %a, %b
///           %s = fadd contract float %m, %c
///           %q = fdiv afn float %s, %d
///   after:  %s = call float @llvm.fma.f32(float %a, float %b, float %c)
///           %i = call float @llvm.amdgcn.rcp.f32(float %d)
///           %q = fmul afn float %s, %i
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/arithmetic/NoContraction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cmath>

using namespace llvm;

namespace lgc {
namespace {

bool isSquareRoot(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == Intrinsic::sqrt;
}

/// 1 / \p divisor, if a product with it is as exact as the precision rules ask for.
std::optional<APFloat> inverseOf(const Constant *divisor) {
  const auto *number = dyn_cast_or_null<ConstantFP>(divisor);
  if (!number)
    return std::nullopt;
  APFloat inverse(number->getValueAPF().getSemantics(), 1);
  inverse.divide(number->getValueAPF(), APFloat::rmNearestTiesToEven);
  if (!number->getValueAPF().isNormal() || !inverse.isNormal())
    return std::nullopt;
  return inverse;
}

// --- Vectors

/// Without an instruction, if it is known where \p vector has it from.
Value *elementOf(IRBuilder<> &b, Value *vector, unsigned index) {
  Value *element = findScalarElement(vector, index);
  return element ? element : b.CreateExtractElement(vector, index);
}

/// Vectors by elements, of which the optimiser sees who needs them.
template <typename Make>
Value *byElement(IRBuilder<> &b, Type *type, ArrayRef<Value *> operands, Make make) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return make(operands);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    SmallVector<Value *, 3> elements;
    for (Value *operand : operands)
      elements.push_back(elementOf(b, operand, i));
    result = b.CreateInsertElement(result, make(ArrayRef<Value *>(elements)), i);
  }
  return result;
}

// --- Quotients

/// What a number is multiplied with instead of being divided by \p divisor.
Value *inverse(IRBuilder<> &b, Value *divisor, bool mayContract) {
  if (const std::optional<APFloat> number = inverseOf(dyn_cast<Constant>(divisor)))
    return ConstantFP::get(divisor->getType(), *number);
  const auto *root = dyn_cast<IntrinsicInst>(divisor);
  if (mayContract && root && isSquareRoot(*root) && root->hasApproxFunc() &&
      root->hasAllowContract())
    return b.CreateUnaryIntrinsic(Intrinsic::amdgcn_rsq, root->getArgOperand(0));
  return b.CreateUnaryIntrinsic(Intrinsic::amdgcn_rcp, divisor);
}

Value *lowerQuotient(IRBuilder<> &b, Instruction &quotient) {
  Value *number = quotient.getOperand(0), *divisor = quotient.getOperand(1);
  const bool mayContract = quotient.hasAllowContract();
  Value *factor = nullptr;
  if (Value *same = getSplatValue(divisor); same && quotient.getType()->isVectorTy())
    factor = b.CreateVectorSplat(cast<FixedVectorType>(quotient.getType())->getNumElements(),
                                 inverse(b, same, mayContract));
  else
    factor = byElement(b, quotient.getType(), divisor, [&](ArrayRef<Value *> divisors) {
      return inverse(b, divisors[0], mayContract);
    });
  return PatternMatch::match(number, PatternMatch::m_FPOne()) ? factor
                                                              : b.CreateFMul(number, factor);
}

// --- Powers

/// \p base to the power of \p exponent by multiplication.
Value *repeatedProduct(IRBuilder<> &b, Value *base, uint32_t exponent) {
  Value *square = base, *product = nullptr;
  for (uint32_t rest = exponent; rest; rest >>= 1) {
    if (rest & 1)
      product = product ? b.CreateFMul(product, square) : square;
    if (rest > 1)
      square = b.CreateFMul(square, square);
  }
  return product;
}

/// LLVM's optimiser would turn constant exponents into products, roots and numbers to be exact
/// about, each where it sees one.
Value *power(IRBuilder<> &b, Value *base, Value *exponent) {
  constexpr uint32_t productMax = 32;
  if (const auto *constant = dyn_cast<ConstantFP>(exponent)) {
    const float number = constant->getValueAPF().convertToFloat();
    if (number == 0.5f)
      return b.CreateUnaryIntrinsic(Intrinsic::sqrt, base);
    if (number >= 1 && number <= productMax && number == std::trunc(number))
      return repeatedProduct(b, base, static_cast<uint32_t>(number));
  }
  // HW: "legacy": zero times infinity is zero.
  Value *log = b.CreateUnaryIntrinsic(Intrinsic::log2, base);
  Value *product = b.CreateIntrinsic(Intrinsic::amdgcn_fmul_legacy, {}, {exponent, log});
  return b.CreateUnaryIntrinsic(Intrinsic::exp2, product);
}

Value *lowerPower(IRBuilder<> &b, IntrinsicInst &call) {
  Value *const operands[] = {call.getArgOperand(0), call.getArgOperand(1)};
  return byElement(b, call.getType(), operands,
                   [&](ArrayRef<Value *> each) { return power(b, each[0], each[1]); });
}

// --- Products and sums

/// A product that is an operand of a sum, itself or by an element of it.
struct Product {
  Instruction *inst = nullptr;
  std::optional<unsigned> element;
  bool isNegated = false;
  bool isOnlyHere = true; ///< nobody else reads it

  Value *factor(IRBuilder<> &b, unsigned number) const {
    Value *value = inst->getOperand(number);
    return element ? elementOf(b, value, *element) : value;
  }
};

std::optional<Product> productOf(Value *operand, const BasicBlock *block) {
  Product product;
  constexpr unsigned stepsMax = 8; // blocks that nobody reaches may have circles
  for (unsigned step = 0; step < stepsMax; ++step) {
    auto *inst = dyn_cast<Instruction>(operand);
    if (!inst || inst->getParent() != block)
      return std::nullopt;
    product.isOnlyHere &= inst->hasOneUse();
    switch (inst->getOpcode()) {
    case Instruction::FNeg:
      product.isNegated = !product.isNegated;
      break;
    case Instruction::ExtractElement: {
      const auto *index = dyn_cast<ConstantInt>(inst->getOperand(1));
      if (!index)
        return std::nullopt;
      product.element = static_cast<unsigned>(index->getZExtValue());
      break;
    }
    case Instruction::Call: {
      // Flushes what is rounded, which the product is not any more.
      const auto *call = dyn_cast<IntrinsicInst>(inst);
      if (!call || call->getIntrinsicID() != Intrinsic::canonicalize)
        return std::nullopt;
      break;
    }
    case Instruction::FMul:
      if (!inst->hasAllowContract())
        return std::nullopt;
      product.inst = inst;
      return product;
    default:
      return std::nullopt;
    }
    operand = inst->getOperand(0);
  }
  return std::nullopt;
}

/// Null: no product is added.
Value *fuse(IRBuilder<> &b, Instruction &sum) {
  const bool isDifference = sum.getOpcode() == Instruction::FSub;
  std::optional<Product> products[2];
  for (unsigned i = 0; i < 2; ++i)
    products[i] = productOf(sum.getOperand(i), sum.getParent());
  // Of two, rather the one that is not needed by itself.
  const bool isSecond =
      !products[0] || (products[1] && !products[0]->isOnlyHere && products[1]->isOnlyHere);
  const std::optional<Product> &product = products[isSecond];
  if (!product)
    return nullptr;
  b.setFastMathFlags(sum.getFastMathFlags() & product->inst->getFastMathFlags());
  const bool isLeftNegated = product->isNegated != (isDifference && isSecond);
  auto make = [&](ArrayRef<Value *> operands) -> Value * {
    Value *left = isLeftNegated ? b.CreateFNeg(operands[0]) : operands[0];
    Value *other = isDifference && !isSecond ? b.CreateFNeg(operands[2]) : operands[2];
    return b.CreateIntrinsic(Intrinsic::fma, {left->getType()}, {left, operands[1], other});
  };
  Value *const operands[] = {product->factor(b, 0), product->factor(b, 1),
                             sum.getOperand(!isSecond)};
  // What goes round a loop stays a vector: LLVM would see a chain of operations for each element,
  // and have all loads of an unrolled loop in registers for the later ones.
  const bool isWhole = sum.getType()->getScalarType()->isHalfTy() || isa<PHINode>(operands[2]);
  return isWhole ? make(operands) : byElement(b, sum.getType(), operands, make);
}

bool hasKnownSize(const Type *type) {
  const Type *element = type->getScalarType();
  return element->isHalfTy() || element->isFloatTy() || element->isDoubleTy();
}

/// What \p inst becomes; null: it stays.
Value *decide(Instruction &inst) {
  if (!hasKnownSize(inst.getType()))
    return nullptr;
  IRBuilder<> b(&inst);
  b.setFastMathFlags(inst.getFastMathFlags());
  const bool isSum = inst.getOpcode() == Instruction::FAdd || inst.getOpcode() == Instruction::FSub;
  if (isSum && inst.hasAllowContract())
    return fuse(b, inst);
  if (inst.getOpcode() == Instruction::FDiv && inst.hasApproxFunc())
    return lowerQuotient(b, inst);
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (call && call->getIntrinsicID() == Intrinsic::pow && inst.hasApproxFunc() &&
      inst.getType()->getScalarType()->isFloatTy())
    return lowerPower(b, *call);
  return nullptr;
}

} // namespace

PreservedAnalyses DecideRoundingPass::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = propagateNoContraction(function);
  SmallVector<WeakTrackingVH> maybeDead;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isa<FPMathOperator>(inst))
      continue;
    isChanged = true;
    if (Value *decided = decide(inst)) {
      inst.replaceAllUsesWith(decided);
      maybeDead.push_back(&inst);
      maybeDead.push_back(decided); // a vector of which elements were taken
    }
  }
  for (Instruction &inst : instructions(function))
    // The pair of a division that is exact to some ULP and a root is one for code generation.
    if (isa<FPMathOperator>(inst) && inst.getOpcode() != Instruction::FDiv && !isSquareRoot(inst))
      inst.setHasAllowContract(false);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(maybeDead);
  PreservedAnalyses preserved = PreservedAnalyses::none();
  preserved.preserveSet<CFGAnalyses>();
  return isChanged ? preserved : PreservedAnalyses::all();
}

} // namespace lgc
