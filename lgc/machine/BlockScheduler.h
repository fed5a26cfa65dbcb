//===- BlockScheduler.h - an order of instructions that hides latency -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Takes the place of LLVM's machine scheduler. That one weighs the pressure on all kinds of
/// registers for each instruction that it could place next, which is an eighth of the time of a
/// compile. This one does two things in linear time: loads are issued early, next to other loads
/// (in clauses, waited for once), with a bound on the registers that their results occupy
/// meanwhile; and other instructions get between two of which one reads the other's result.
///
///   before: a = load; b = a * a; c = b + b; d = load; e = d * d
///   after:  a = load; d = load; b = a * a; e = d * d; c = b + b
#pragma once

#include <memory>

namespace llvm {
class MachineFunction;
class MachineFunctionPass;
} // namespace llvm

namespace lgc {

/// Instructions without a place that nothing can be moved across. Where more stand together,
/// registers may run out, which this scheduler does not look at.
constexpr unsigned scheduledRegionMax = 1000;

/// Reorders instructions within blocks; false, and nothing changed, when the function has a region
/// larger than scheduledRegionMax. Before PHI elimination: each register has one definition. Kill
/// flags are wrong afterwards.
bool scheduleBlocks(llvm::MachineFunction &function);

/// A pass that does so and stores the result.
llvm::MachineFunctionPass *createBlockSchedulerPass(std::shared_ptr<bool> isScheduled);

} // namespace lgc
