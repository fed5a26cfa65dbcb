//===- UniformFlow.h - functions that need no structure -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// structurizecfg of LLVM gives every function a shape that masks of lanes can follow, uniform
/// branches included: each side of a branch gets a block that asks once more which way was taken.
/// A function whose lanes never part needs none of that: its branches stay as they are. That saves
/// three instructions a branch, and the time that a large uniform switch takes behind it.
///
/// Only whole functions are left alone: of one region of a function LLVM cannot promise that its
/// branches are still uniform when all around has been given structure. fix-irreducible runs for
/// all: lane masks of conditions count on natural loops.
#pragma once

#include <memory>

namespace llvm {
class FunctionPass;
class Pass;
class RegionPass;
} // namespace llvm

namespace lgc {

/// Says in `diverges` whether lanes of the function that comes by may take different ways. Changes
/// nothing.
llvm::FunctionPass *createFindDivergencePass(std::shared_ptr<bool> diverges);

/// Runs `inner` in functions for which `*diverges` holds then.
llvm::Pass *createDivergentRegionPass(std::unique_ptr<llvm::RegionPass> inner,
                                      std::shared_ptr<bool> diverges);

} // namespace lgc
