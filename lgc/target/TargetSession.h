//===- TargetSession.h - kept LLVM state of one thread's compilations -----===//
// SPDX-License-Identifier: MIT
/// \file
/// A TargetSession owns what is expensive to make and can be used by one compilation at a time: a
/// target machine (its subtargets included) and code generation pipelines. A new target machine and
/// pass manager cost about 3 ms, a kept pair nothing; but a kept pass manager leaks about 2 KiB per
/// compilation inside LLVM, so sessions say when they are worn out.
#pragma once

#include "lgc/Pipeline.h"
#include "lgc/machine/MachineStep.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace lgc {

class CodegenPipeline;

/// Machine instructions by the name of the function.
using InstructionCounts = std::map<std::string, uint32_t, std::less<>>;

/// What decides which passes a code generation pipeline has, besides the target.
struct CodegenTraits {
  OptLevel level = OptLevel::Default;
  bool assembly = false;    ///< text instead of an object file
  bool fatPointers = false; ///< the module has pointers of addrspace 7 or 9
  bool lds = false;         ///< the module has variables in LDS
  bool debugInfo = false;
  bool atomics = true;   ///< the module has atomic instructions or intrinsics
  bool calls = false;    ///< the module has functions besides its entry points
  bool graphics = false; ///< the module has a stage of a graphics pipeline

  auto operator<=>(const CodegenTraits &) const = default;
};

class TargetSession {
public:
  /// \p lookAt, for tests, gets each function directly before its instructions become bytes.
  /// Errors: InvalidInput for an unknown target.
  static llvm::Expected<std::unique_ptr<TargetSession>>
  create(llvm::StringRef target, OptLevel level, MachineStep lookAt = {});
  ~TargetSession();

  llvm::StringRef target() const { return targetName; }
  OptLevel level() const { return optLevel; }
  llvm::TargetMachine &machine() { return *targetMachine; }

  /// Generates code for `module` into `output`, replacing its content. `instructions` gets the
  /// numbers of machine instructions. Problems are reported to the context's diagnostic handler.
  void generate(llvm::Module &module, bool assembly, llvm::SmallVectorImpl<char> &output,
                InstructionCounts &instructions);

  /// True when the session has been used so often that it should be thrown away.
  bool isWornOut() const { return uses >= usesMax; }

private:
  TargetSession() = default;
  static constexpr unsigned usesMax = 1000;

  std::string targetName;
  OptLevel optLevel = OptLevel::Default;
  MachineStep lookAt;
  std::unique_ptr<llvm::TargetMachine> targetMachine;
  std::map<CodegenTraits, std::unique_ptr<CodegenPipeline>> pipelines;
  unsigned uses = 0;
};

} // namespace lgc
