//===- RadvPeer.h - the same shaders through Mesa's RADV ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// RADV without a GPU (its null device) in a child process, so that Mesa's LLVM and ours never
/// share an address space. The child creates pipelines and reports thread CPU time and the
/// driver's own statistics.
#pragma once

#include "llpc/Compiler.h"
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace radv {

/// What the peer reports of one shader.
struct PeerStage {
  unsigned codeBytes = 0, instructions = 0, vgprs = 0, sgprs = 0;
  unsigned ldsBytes = 0, scratchBytes = 0;
};

/// Result of one pipeline creation by the peer.
struct PeerResult : PeerStage {
  double cpuMs = 0; ///< vkCreateShaderModule + vkCreateComputePipelines
};

/// One binding of a descriptor set layout.
struct PeerDescriptor {
  uint32_t set, binding, type, count; ///< type: VkDescriptorType
};
/// VkDescriptorType of a descriptor in our resource mapping.
uint32_t vulkanDescriptorType(lgc::ResourceNodeType type);

/// A graphics pipeline in Vulkan's terms; state that is not here has its plainest value. Travels to
/// the child as one line of numbers and file names (without spaces).
struct GraphicsJob {
  struct Stage {
    uint32_t vkStage; ///< VkShaderStageFlagBits
    std::string entry, file;
  };
  struct Attribute {
    uint32_t location, binding, format, offset;
  };
  struct Binding {
    uint32_t binding, stride, perInstance;
  };
  std::vector<Stage> stages;
  std::vector<Attribute> attributes;
  std::vector<Binding> bindings;
  std::vector<uint32_t> targets; ///< VkFormats
  std::vector<PeerDescriptor> descriptors;
  uint32_t topology = 0, patchControlPoints = 0, pushBytes = 0;

  std::string toLine() const;
  static std::optional<GraphicsJob> parse(const std::string &line);
};

/// Everything but the stages, which have files.
GraphicsJob jobOf(const llpc::GraphicsPipelineBuildInfo &info);

struct GraphicsPeerResult {
  struct Stage : PeerStage {
    unsigned vkStages = 0; ///< VkShaderStageFlags of the executable
  };
  double cpuMs = 0;
  double wallMs = 0;
  std::vector<Stage> stages; ///< only with statistics
};

class RadvPeer {
public:
  /// Starts the child (`program` is this executable). Empty text on success, else the reason.
  std::string start(const std::string &program, const std::string &family);
  ~RadvPeer();
  /// Creates the pipeline of a SPIR-V file's entry point. Nothing when the driver refuses.
  std::optional<PeerResult> compile(const std::string &spirvFile, bool statistics,
                                    const std::string &entry = "main");
  std::optional<GraphicsPeerResult> compileGraphics(const GraphicsJob &job, bool statistics);
  const std::string &deviceName() const { return name; }

private:
  pid_t child = -1;
  FILE *toChild = nullptr, *fromChild = nullptr;
  std::string name;
};

/// What the child's command line begins with.
inline constexpr const char *radvServerOption = "--radv-server";
/// The child's main loop: reads "F ENTRY FILE" / "S ENTRY FILE" and "G JOB" / "H JOB" lines (S and
/// H ask for statistics), answers with numbers.
int runRadvServer();

} // namespace radv
