//===- FloatGuards.h - guards of float modes that are not needed ----------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class Function;
}

namespace lgc {

/// The front end guards the float modes of a shader against LLVM's optimiser, which does not know
/// them. Behind it most guards have done their work and go, because code generation cannot fold
/// anything either:
/// - llvm.canonicalize, where denormals must be flushed, of an operation that flushes by itself, or
///   of what only operations use that flush their operands. It would keep products and sums from
///   becoming one instruction.
///     before: %p = fmul float %x, %y ; %r = call float @llvm.canonicalize.f32(float %p)
///     after:  %r = fmul float %x, %y
/// - llvm.arithmetic.fence, where results round toward zero, of what did not become a constant.
///   Code generation of LLVM 22 puts it into scalar registers even where its operand is in others.
/// For use behind all passes that could simplify the operation. True when something changed.
bool removeFloatGuards(llvm::Function &function);

} // namespace lgc
