//===- GlslStd450Vector.cpp - GLSL.std.450 geometry and matrices ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lengths, directions, determinant and inverse, for every float width. Where the operand may be a
/// scalar it counts as a vector of one component.
#include "llpc/translate/GlslStd450.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc::glsl {
namespace {

Error checkLength(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isFloatShape(type))
    return wrongOperand(op, 0, "float scalar or vector");
  for (unsigned i = 1; i < op.args.size(); ++i)
    KILN_TRY(expectOperand(op, i, type));
  return expectResult(op, type->getScalarType());
}

Value *lengthOf(ValueOp &op, Value *x) {
  return x->getType()->isVectorTy() ? squareRoot(op, dotFloat(op, x, x))
                                    : unaryIntrinsic(op, Intrinsic::fabs, x);
}

/// A square matrix in elements, [column][row].
struct Matrix {
  unsigned size;
  Value *at[4][4];
};

Expected<Matrix> squareMatrix(ValueOp &op) {
  auto shape = matrixShape(op.args[0]->getType());
  if (!shape || shape->columns != shape->rows)
    return wrongOperand(op, 0, "square float matrix");
  Matrix matrix{shape->columns, {}};
  for (unsigned c = 0; c < shape->columns; ++c) {
    Value *column = op.b.CreateExtractValue(op.args[0], c);
    for (unsigned r = 0; r < shape->rows; ++r)
      matrix.at[c][r] = op.b.CreateExtractElement(column, r);
  }
  return matrix;
}

/// a * d - b * c
Value *crossTerm(ValueOp &op, Value *a, Value *d, Value *b, Value *c) {
  Value *first = op.b.CreateFMul(a, d), *second = op.b.CreateFMul(b, c);
  return op.b.CreateFSub(first, second);
}

/// a * x - b * y + c * z
Value *alternatingSum(ValueOp &op, Value *const (&factors)[3], Value *const (&minors)[3]) {
  Value *first = crossTerm(op, factors[0], minors[0], factors[1], minors[1]);
  return op.b.CreateFAdd(op.b.CreateFMul(factors[2], minors[2]), first);
}

/// Minors of a 4x4 matrix's column pairs (0, 1) and (2, 3); index = row pair 01 02 03 12 13 23.
/// All cofactors are made of these twelve 2x2 determinants.
struct PairMinors {
  Value *low[6];
  Value *high[6];
};

constexpr unsigned rowPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

PairMinors pairMinors(ValueOp &op, const Matrix &m) {
  PairMinors minors;
  for (unsigned i = 0; i < 6; ++i) {
    unsigned r = rowPairs[i][0], s = rowPairs[i][1];
    minors.low[i] = crossTerm(op, m.at[0][r], m.at[1][s], m.at[1][r], m.at[0][s]);
    minors.high[i] = crossTerm(op, m.at[2][r], m.at[3][s], m.at[3][r], m.at[2][s]);
  }
  return minors;
}

/// Laplace expansion by the first two columns.
Value *determinant4(ValueOp &op, const PairMinors &p) {
  IRBuilder<> &b = op.b;
  Value *sum = crossTerm(op, p.low[0], p.high[5], p.low[1], p.high[4]);
  sum = b.CreateFAdd(b.CreateFMul(p.low[2], p.high[3]), sum);
  sum = b.CreateFAdd(b.CreateFMul(p.low[3], p.high[2]), sum);
  sum = b.CreateFSub(sum, b.CreateFMul(p.low[4], p.high[1]));
  return b.CreateFAdd(b.CreateFMul(p.low[5], p.high[0]), sum);
}

/// 3x3 cofactor of element (column, row), sign included: the cyclic form has none.
Value *cofactor3(ValueOp &op, const Matrix &m, unsigned c, unsigned r) {
  unsigned c1 = (c + 1) % 3, c2 = (c + 2) % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
  return crossTerm(op, m.at[c1][r1], m.at[c2][r2], m.at[c2][r1], m.at[c1][r2]);
}

/// Cofactor of a 4x4 matrix: the 2x2 minors of the column pair without c, weighted with the other
/// column of c's pair.
Value *cofactor4(ValueOp &op, const Matrix &m, const PairMinors &p, unsigned c, unsigned r) {
  Value *const *minors = c < 2 ? p.high : p.low;
  unsigned partner = c ^ 1;
  Value *factors[3], *parts[3];
  for (unsigned i = 0, row = 0; row < 4; ++row) {
    if (row == r)
      continue;
    unsigned pair = 0; // the two rows besides r and row
    while (rowPairs[pair][0] == r || rowPairs[pair][1] == r || rowPairs[pair][0] == row ||
           rowPairs[pair][1] == row)
      ++pair;
    factors[i] = m.at[partner][row];
    parts[i++] = minors[pair];
  }
  Value *sum = alternatingSum(op, factors, parts);
  return (c + r) % 2 ? op.b.CreateFNeg(sum) : sum;
}

/// Cofactors, [column][row], and the determinant.
Matrix cofactors(ValueOp &op, const Matrix &m, Value *&determinantOut) {
  Matrix result{m.size, {}};
  if (m.size == 2) {
    determinantOut = crossTerm(op, m.at[0][0], m.at[1][1], m.at[1][0], m.at[0][1]);
    result.at[0][0] = m.at[1][1];
    result.at[0][1] = op.b.CreateFNeg(m.at[1][0]);
    result.at[1][0] = op.b.CreateFNeg(m.at[0][1]);
    result.at[1][1] = m.at[0][0];
    return result;
  }
  PairMinors minors{};
  if (m.size == 4)
    minors = pairMinors(op, m);
  for (unsigned c = 0; c < m.size; ++c)
    for (unsigned r = 0; r < m.size; ++r)
      result.at[c][r] = m.size == 3 ? cofactor3(op, m, c, r) : cofactor4(op, m, minors, c, r);
  determinantOut = op.b.CreateFMul(m.at[0][0], result.at[0][0]);
  for (unsigned r = 1; r < m.size; ++r)
    determinantOut = op.b.CreateFAdd(op.b.CreateFMul(m.at[0][r], result.at[0][r]), determinantOut);
  return result;
}

} // namespace

HandlerResult length(ValueOp &op) {
  KILN_TRY(checkLength(op));
  return lengthOf(op, op.args[0]);
}

HandlerResult distance(ValueOp &op) {
  KILN_TRY(checkLength(op));
  return lengthOf(op, op.b.CreateFSub(op.args[0], op.args[1]));
}

HandlerResult cross(ValueOp &op) {
  if (!op.type->isVectorTy() || elementCount(op.type) != 3)
    return wrongResult(op, "float vector of 3 components");
  Value *result = PoisonValue::get(op.type);
  auto x = [&](unsigned i) { return op.b.CreateExtractElement(op.args[0], i % 3); };
  auto y = [&](unsigned i) { return op.b.CreateExtractElement(op.args[1], i % 3); };
  for (unsigned i = 0; i < 3; ++i) {
    Value *x1 = x(i + 1), *y2 = y(i + 2), *y1 = y(i + 1), *x2 = x(i + 2);
    result = op.b.CreateInsertElement(result, crossTerm(op, x1, y2, y1, x2), i);
  }
  return result;
}

HandlerResult normalize(ValueOp &op) {
  Value *factor = inverseSquareRoot(op, dotFloat(op, op.args[0], op.args[0]));
  return op.b.CreateFMul(op.args[0], splatTo(op, factor, op.type));
}

HandlerResult faceForward(ValueOp &op) {
  Value *n = op.args[0];
  Value *product = dotFloat(op, op.args[2], op.args[1]);
  Value *faces = op.b.CreateFCmpOLT(product, floatConstant(product->getType(), 0.0));
  return op.b.CreateSelect(faces, n, op.b.CreateFNeg(n));
}

HandlerResult reflect(ValueOp &op) {
  Value *i = op.args[0], *n = op.args[1];
  Value *product = dotFloat(op, n, i);
  Value *twice = op.b.CreateFMul(product, floatConstant(product->getType(), 2.0));
  return op.b.CreateFSub(i, op.b.CreateFMul(n, splatTo(op, twice, op.type)));
}

HandlerResult refract(ValueOp &op) {
  if (!isFloatShape(op.type))
    return wrongResult(op, "float scalar or vector");
  KILN_TRY(expectOperand(op, 0, op.type));
  KILN_TRY(expectOperand(op, 1, op.type));
  Type *scalar = op.type->getScalarType();
  Value *i = op.args[0], *n = op.args[1], *eta = op.args[2];
  if (!isFloatShape(eta->getType()) || eta->getType()->isVectorTy())
    return wrongOperand(op, 2, "float scalar");
  IRBuilder<> &b = op.b;
  eta = b.CreateFPCast(eta, scalar); // eta may be narrower or wider than the vectors
  Value *one = floatConstant(scalar, 1.0), *zero = floatConstant(scalar, 0.0);
  Value *d = dotFloat(op, n, i);
  Value *rest = b.CreateFSub(one, b.CreateFMul(d, d));
  Value *k = b.CreateFSub(one, b.CreateFMul(b.CreateFMul(eta, eta), rest));
  Value *alongN = b.CreateFMul(eta, d);
  alongN = b.CreateFAdd(alongN, squareRoot(op, k));
  Value *along = b.CreateFMul(i, splatTo(op, eta, op.type));
  Value *result = b.CreateFSub(along, b.CreateFMul(n, splatTo(op, alongN, op.type)));
  return b.CreateSelect(b.CreateFCmpOLT(k, zero), floatConstant(op.type, 0.0), result);
}

HandlerResult determinant(ValueOp &op) {
  auto m = KILN_TRY(squareMatrix(op));
  KILN_TRY(expectResult(op, m.at[0][0]->getType()));
  if (m.size == 4)
    return determinant4(op, pairMinors(op, m));
  if (m.size == 2)
    return crossTerm(op, m.at[0][0], m.at[1][1], m.at[1][0], m.at[0][1]);
  Value *sum = op.b.CreateFMul(m.at[0][0], cofactor3(op, m, 0, 0));
  for (unsigned r = 1; r < 3; ++r)
    sum = op.b.CreateFAdd(op.b.CreateFMul(m.at[0][r], cofactor3(op, m, 0, r)), sum);
  return sum;
}

/// Transposed cofactors times the determinant's reciprocal.
HandlerResult matrixInverse(ValueOp &op) {
  auto m = KILN_TRY(squareMatrix(op));
  KILN_TRY(expectResult(op, op.args[0]->getType()));
  Value *determinantValue = nullptr;
  Matrix cofactor = cofactors(op, m, determinantValue);
  Type *scalar = determinantValue->getType();
  Value *factor = divideFloat(op, floatConstant(scalar, 1.0), determinantValue);
  Value *result = PoisonValue::get(op.type);
  for (unsigned c = 0; c < m.size; ++c) {
    Value *column = PoisonValue::get(op.type->getArrayElementType());
    for (unsigned r = 0; r < m.size; ++r)
      column = op.b.CreateInsertElement(column, op.b.CreateFMul(cofactor.at[r][c], factor), r);
    result = op.b.CreateInsertValue(result, column, c);
  }
  return result;
}

} // namespace llpc::glsl
