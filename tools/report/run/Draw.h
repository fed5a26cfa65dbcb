//===- Draw.h - a draw with generated inputs ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "pal_shim/device/Draw.h"
#include "tools/report/run/Inputs.h"

namespace report {

/// Puts a pipeline's vertex input into a scene. Errors: formats that this does not know.
llvm::Error setVertexInput(exec::Job &scene, const llpc::VertexInputInfo &input);

/// The first draw of a scene, to surfaces of its own, with a pipeline's state.
class Draw {
public:
  Draw(pal::device::SoftwareDevice &device, const Inputs &inputs, const exec::Job &job)
      : device(device), inputs(inputs), scene(*job.graphics), job(job) {}
  /// Errors: state that this does not know how to make.
  llvm::Error prepare(const llpc::GraphicsPipelineBuildInfo &info);
  /// Errors: DeviceFault.
  llvm::Error run(const pal::device::Program &program);
  /// Names and short texts: what is drawn, and to what.
  std::vector<std::pair<std::string, std::string>> describe() const;
  const std::array<uint32_t, 3> &groups() const { return draw.groups; }

private:
  llvm::Error checkState(const llpc::GraphicsPipelineBuildInfo &info) const;
  llvm::Error setVertices(const llpc::GraphicsPipelineBuildInfo &info);
  llvm::Error setTargets(const llpc::GraphicsPipelineBuildInfo &info);
  llvm::Expected<pal::device::Surface> createSurface(pal::formats::Format format, bool isDepth);
  void setRaster(const llpc::GraphicsPipelineBuildInfo &info);

  pal::device::SoftwareDevice &device;
  const Inputs &inputs;
  const exec::GraphicsSpec &scene;
  const exec::Job &job;
  pal::device::DrawInfo draw;
  std::vector<std::unique_ptr<pal::device::Allocation>> memory;
  uint32_t samples = 1;
};

} // namespace report
