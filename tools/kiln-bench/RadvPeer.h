//===- RadvPeer.h - the same shaders through Mesa's RADV ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// RADV without a GPU (its null device) in a child process, so that Mesa's LLVM and ours never
/// share an address space. The child creates compute pipelines and reports thread CPU time and
/// the driver's own statistics.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace bench {

/// Result of one pipeline creation by the peer.
struct PeerResult {
  double cpuMs = 0; ///< vkCreateShaderModule + vkCreateComputePipelines
  unsigned codeBytes = 0, instructions = 0, vgprs = 0, sgprs = 0;
};

class RadvPeer {
public:
  /// Starts the child (`program` is this executable). Empty text on success, else the reason.
  std::string start(const std::string &program, const std::string &family);
  ~RadvPeer();
  /// Creates the pipeline of a SPIR-V file's entry point "main". Nothing when the driver refuses.
  std::optional<PeerResult> compile(const std::string &spirvFile, bool statistics);
  const std::string &deviceName() const { return name; }

private:
  pid_t child = -1;
  FILE *toChild = nullptr, *fromChild = nullptr;
  std::string name;
};

/// The child's main loop: reads "F FILE" / "S FILE" lines, answers with numbers.
int runRadvServer();

} // namespace bench
