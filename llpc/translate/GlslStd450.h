//===- GlslStd450.h - the parts of GLSL.std.450 ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// GLSL.std.450 is split by subject over the GlslStd450*.cpp files; GlslStd450.cpp holds the table.
/// Formulas follow the "Precision of GLSL.std.450 Instructions" table of the Vulkan specification:
/// where it says "derived from", the same expression is built; where it gives bounds, polynomials
/// (fitted for this project, bounds at their definitions) and hardware instructions stay inside.
#pragma once

#include "llpc/translate/ValueHelpers.h"

namespace llpc::glsl {

/// Handlers that work on the operand types as they are.
using Handler = HandlerResult(ValueOp &op);

// GlslStd450Exp.cpp: angles, trigonometry, exponentials. Only 16- and 32-bit floats.
Handler radians, degrees, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh,
    atan2, pow, exp, log, exp2, log2;
// GlslStd450Vector.cpp
Handler determinant, matrixInverse, length, distance, cross, normalize, faceForward, reflect,
    refract;
// GlslStd450Parts.cpp: taking numbers apart, packing, bit search.
Handler modf, modfStruct, frexp, frexpStruct, ldexp, findILsb, findSMsb, findUMsb;
Handler packSnorm4x8, packUnorm4x8, packSnorm2x16, packUnorm2x16, packHalf2x16, packDouble2x32;
Handler unpackSnorm2x16, unpackUnorm2x16, unpackHalf2x16, unpackSnorm4x8, unpackUnorm4x8,
    unpackDouble2x32;

// Fragment.cpp
Handler interpolateAtCentroid, interpolateAtSample, interpolateAtOffset;

} // namespace llpc::glsl
