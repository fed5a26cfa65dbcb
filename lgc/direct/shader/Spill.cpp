//===- Spill.cpp - registers where there are not enough -------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Spill.h"
#include "lgc/CompileError.h"
#include "lgc/direct/shader/Allocate.h"
#include "lgc/direct/shader/CheckAllocation.h"
#include "lgc/direct/shader/CheckSpills.h"
#include "lgc/direct/shader/SpillMemory.h"
#include "lgc/direct/shader/SpillRewrite.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace lgc::direct {

namespace {

/// How one of the banks is spilled.
struct BankPlan {
  bool isSpilled = false;
  unsigned reserve; ///< registers for copies
  unsigned slack;   ///< registers that are lost between rows of registers
};

/// The first tries; each that fails asks for more.
constexpr BankPlan firstScalar = {false, 16, 2}, firstVector = {false, 8, 2};

class SpillingAllocator {
public:
  SpillingAllocator(Program &program, bool isVerified, std::string &refusal)
      : program(program), isVerified(isVerified), refusal(refusal) {}
  bool run();

private:
  enum class Try : uint8_t { Done, Again, Refused };
  Try tryOnce(Program attempt);
  Try spill(Program &attempt, Bank bank);
  bool allocate(Program &attempt, Bank &lacking) const;
  BankPlan &planOf(Bank bank) { return bank == Bank::Scalar ? scalar : vector; }
  bool addScratch(Program &attempt);

  Program &program;
  const bool isVerified;
  std::string &refusal;
  BankPlan scalar = firstScalar, vector = firstVector;
};

bool SpillingAllocator::allocate(Program &attempt, Bank &lacking) const {
  std::optional<Program> unallocated;
  if (isVerified)
    unallocated = attempt;
  if (!allocateRegisters(attempt, &lacking))
    return false;
  if (unallocated)
    if (const std::string finding = checkAllocation(*unallocated, attempt.units); !finding.empty())
      KILN_ICE(("direct: " + finding).c_str());
  return true;
}

/// HW(gfx10): scratch needs a descriptor.
bool SpillingAllocator::addScratch(Program &attempt) {
  if (attempt.target->major >= 11 || attempt.scratchBase.descriptor != noUnit)
    return true;
  if (!attempt.scratchBase.isKnown()) {
    refusal = "scratch without a global table";
    return false;
  }
  std::vector<MachineOp> ops;
  makeScratchDescriptor(attempt, ops);
  std::vector<MachineOp> &first = attempt.blocks.front().ops;
  first.insert(first.begin(), ops.begin(), ops.end());
  return true;
}

SpillingAllocator::Try SpillingAllocator::spill(Program &attempt, Bank bank) {
  BankPlan &plan = planOf(bank);
  const unsigned all = bank == Bank::Scalar ? attempt.sgprLimit : attempt.vgprLimit;
  if (plan.reserve + plan.slack >= all) {
    refusal = "too many registers";
    return Try::Refused;
  }
  std::optional<Program> before;
  if (isVerified)
    before = attempt;
  LiveIntervals live(attempt);
  const unsigned limit = all - plan.slack;
  const SpillChoice choice = chooseSpills(attempt, live, bank, limit - plan.reserve);
  SpillTrace trace;
  const unsigned lacking =
      rewriteSpills(attempt, live, choice, bank, limit, isVerified ? &trace : nullptr);
  if (lacking) {
    plan.reserve += lacking;
    return Try::Again;
  }
  if (before)
    if (const std::string finding = checkSpills(*before, attempt, choice, trace); !finding.empty())
      KILN_ICE(("direct: " + finding).c_str());
  return Try::Done;
}

/// SGPRs first: they take VGPRs.
SpillingAllocator::Try SpillingAllocator::tryOnce(Program attempt) {
  if (vector.isSpilled && !addScratch(attempt))
    return Try::Refused;
  for (const Bank bank : {Bank::Scalar, Bank::Vector})
    if (planOf(bank).isSpilled)
      if (const Try result = spill(attempt, bank); result != Try::Done)
        return result;
  Bank lacking;
  if (!allocate(attempt, lacking)) {
    BankPlan &plan = planOf(lacking);
    if (plan.isSpilled)
      plan.slack += plan.slack;
    plan.isSpilled = true;
    return Try::Again;
  }
  program = std::move(attempt);
  return Try::Done;
}

bool SpillingAllocator::run() {
  constexpr unsigned triesMax = 16;
  Bank lacking;
  if (allocate(program, lacking))
    return true;
  planOf(lacking).isSpilled = true;
  for (unsigned tries = 0; tries < triesMax; ++tries)
    if (const Try result = tryOnce(program); result != Try::Again)
      return result == Try::Done;
  refusal = "too many registers";
  return false;
}

} // namespace

bool allocateAll(Program &program, bool isVerified, std::string &refusal) {
  return SpillingAllocator(program, isVerified, refusal).run();
}

} // namespace lgc::direct
