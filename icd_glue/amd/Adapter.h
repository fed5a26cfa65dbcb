//===- Adapter.h - AMD's ICompiler on this compiler -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One object for each GPU of a driver. Every function may be called by any number of threads at
/// once, except Destroy(), which is the last one.
#pragma once

#include "icd_glue/amd/BuildInfos.h"
#include "icd_glue/amd/CodeStore.h"

namespace icd::amd {

void checkIdentity(Log &log, llvm::StringRef identity);

class Adapter final : public Llpc::ICompiler {
public:
  /// Errors: InvalidInput for options of ours (Settings.h), Unsupported for an unknown GPU.
  static llvm::Expected<Adapter *> create(Vkgc::GfxIpVersion gfxIp,
                                          llvm::ArrayRef<const char *> options);

  /// Says that the driver was linked with another build of this library, if it was: its caches on
  /// disk are named after the driver alone. \p identity: the build ID that the driver has noted.
  void checkLinkedWith(llvm::StringRef identity) { checkIdentity(log, identity); }

  void Destroy() override;
  unsigned ConvertColorBufferFormatToExportFormat(const Llpc::ColorTarget *target,
                                                  const bool alphaToCoverage) const override;
  Vkgc::Result BuildShaderModule(const Llpc::ShaderModuleBuildInfo *info,
                                 Llpc::ShaderModuleBuildOut *out) override;
  Vkgc::Result buildGraphicsShaderStage(const Vkgc::GraphicsPipelineBuildInfo *info,
                                        Llpc::GraphicsPipelineBuildOut *out,
                                        Vkgc::UnlinkedShaderStage stage, void *dumpFile) override;
  Vkgc::Result buildGraphicsPipelineWithElf(const Vkgc::GraphicsPipelineBuildInfo *info,
                                            Llpc::GraphicsPipelineBuildOut *out,
                                            const Vkgc::BinaryData *elfs) override;
  Vkgc::Result BuildColorExportShader(const Vkgc::GraphicsPipelineBuildInfo *info,
                                      const void *fsOutputMetaData,
                                      Llpc::GraphicsPipelineBuildOut *out, void *dumpFile) override;
  Vkgc::Result BuildGraphicsPipeline(const Vkgc::GraphicsPipelineBuildInfo *info,
                                     Llpc::GraphicsPipelineBuildOut *out, void *dumpFile) override;
  Vkgc::Result BuildComputePipeline(const Vkgc::ComputePipelineBuildInfo *info,
                                    Llpc::ComputePipelineBuildOut *out, void *dumpFile) override;
  Vkgc::Result BuildRayTracingPipeline(const Vkgc::RayTracingPipelineBuildInfo *info,
                                       Llpc::RayTracingPipelineBuildOut *out, void *dumpFile,
                                       Llpc::IHelperThreadProvider *helpers) override;

private:
  Adapter(std::unique_ptr<llpc::Compiler> compiler, Settings settings, unsigned gfxMajor);
  /// Writes a .pipe file and what it needs. Its path, or nothing where none is wanted.
  template <typename Info> std::string dump(const Info &info);
  /// Writes the .elf file beside it.
  void dumpCode(llvm::StringRef pipePath, const Code &code);
  /// Says why, and what number that is.
  Vkgc::Result fail(llvm::StringRef what, llvm::Error error);
  template <typename From, typename Out, typename Convert>
  Vkgc::Result build(const From *from, Out *out, llvm::StringRef what, Convert convert);

  const Settings settings;
  Log log;
  const std::unique_ptr<llpc::Compiler> compiler;
  const unsigned gfxMajor;
  ModuleCache modules;
  CodeStore store; ///< last: its threads use the rest
};

} // namespace icd::amd
