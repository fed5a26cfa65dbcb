//===- UniformFlow.cpp - functions that need no structure -----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/UniformFlow.h"
#include "llvm/Analysis/RegionPass.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/LegacyPassManagers.h"

using namespace llvm;

namespace lgc {
namespace {

class FindDivergencePass : public FunctionPass {
public:
  static char ID;
  explicit FindDivergencePass(std::shared_ptr<bool> diverges)
      : FunctionPass(ID), diverges(std::move(diverges)) {}

  bool runOnFunction(Function &function) override {
    UniformityInfo &uniformity = getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo();
    *diverges = any_of(function, [&](const BasicBlock &block) {
      return uniformity.hasDivergentTerminator(block);
    });
    return false;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<UniformityInfoWrapperPass>();
    usage.setPreservesAll();
  }
  StringRef getPassName() const override { return "find divergent branches"; }

private:
  std::shared_ptr<bool> diverges;
};
char FindDivergencePass::ID = 0;

class DivergentRegionPass : public RegionPass {
public:
  static char ID;
  DivergentRegionPass(std::unique_ptr<RegionPass> inner, std::shared_ptr<bool> diverges)
      : RegionPass(ID), inner(std::move(inner)), diverges(std::move(diverges)) {}

  bool doInitialization(Region *region, RGPassManager &manager) override {
    return inner->doInitialization(region, manager);
  }
  bool doFinalization() override { return inner->doFinalization(); }
  bool runOnRegion(Region *region, RGPassManager &manager) override {
    if (!*diverges)
      return false;
    // What a pass manager does before it runs a pass. The resolver belongs to the inner pass.
    PMDataManager &data = getResolver()->getPMDataManager();
    if (!inner->getResolver())
      inner->setResolver(new AnalysisResolver(data));
    inner->getResolver()->clearAnalysisImpls();
    data.initializeAnalysisImpl(inner.get());
    return inner->runOnRegion(region, manager);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override { inner->getAnalysisUsage(usage); }
  void releaseMemory() override { inner->releaseMemory(); }
  StringRef getPassName() const override { return inner->getPassName(); }

private:
  std::unique_ptr<RegionPass> inner;
  std::shared_ptr<bool> diverges;
};
char DivergentRegionPass::ID = 0;

} // namespace

FunctionPass *createFindDivergencePass(std::shared_ptr<bool> diverges) {
  return new FindDivergencePass(std::move(diverges));
}

Pass *createDivergentRegionPass(std::unique_ptr<RegionPass> inner, std::shared_ptr<bool> diverges) {
  return new DivergentRegionPass(std::move(inner), std::move(diverges));
}

} // namespace lgc
