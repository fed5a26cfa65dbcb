//===- BenchShader.h - a compute shader and what was measured of it -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "tools/radv/RadvPeer.h"

namespace bench {

struct Shader {
  std::string name, spirvFile;
  std::vector<uint8_t> spirv;
  llpc::ShaderStatistics statistics;
  bool isDirect = false; ///< see llpc::PipelineResult
  std::string directRefusal;
  std::vector<double> total, read, translate, lgc, optimise, codegen, link, peerTotal;
  std::optional<radv::PeerResult> peer;
  std::string error;
};

} // namespace bench
