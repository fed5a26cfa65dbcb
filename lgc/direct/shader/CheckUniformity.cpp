//===- CheckUniformity.cpp - scalars against LLVM's analysis --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/CheckUniformity.h"
#include "lgc/direct/shader/Locations.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace lgc::direct {

std::string checkUniformity(const Function &function, const UniformityInfo &uniformity) {
  std::string finding;
  Flow flow;
  if (!flow.build(function, finding))
    return "";
  const Locations locations(function, flow);
  raw_string_ostream os(finding);
  for (const Instruction &inst : instructions(function)) {
    if (inst.getType()->isVoidTy() || !flow.isReached(inst.getParent()) ||
        locations.isVector(&inst))
      continue;
    if (uniformity.isDivergent(&inst)) {
      os << "scalar, and divergent to LLVM:" << inst;
      break;
    }
    for (const Use &use : inst.uses())
      if (flow.isReached(cast<Instruction>(use.getUser())->getParent()) &&
          uniformity.isDivergentUse(use)) {
        os << "scalar, and divergent to LLVM in" << *use.getUser() << ":" << inst;
        return finding;
      }
  }
  return finding;
}

} // namespace lgc::direct
