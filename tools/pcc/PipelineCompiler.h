//===- PipelineCompiler.h - pipelines on the driver inside of this program ===//
// SPDX-License-Identifier: MIT
#pragma once

#include "PipelineFile.h"
#include "tools/replay/Driver.h"
#include "tools/replay/Replayer.h"
#include <map>
#include <mutex>

namespace pcc {

/// What is compiled must not depend on the user's shell: sets the process's variables so that the
/// driver sees nothing but \p targets ("gfx1030,gfx1100"), what suits a compiler that stores its
/// results itself, and KILN_OPT_LEVEL as it is. \p dumps: where a .pipe file of each pipeline goes;
/// empty: nowhere.
void setDriverEnvironment(const std::string &targets, const std::string &dumps = {});

/// Threads: any number may compile at once.
class PipelineCompiler {
public:
  /// Reads no variables of the environment but KILN_OPT_LEVEL; \p dumps as above. Errors: no such
  /// target.
  static llvm::Expected<std::unique_ptr<PipelineCompiler>> create(const std::string &target,
                                                                  const std::string &dumps = {});

  /// Ids of the target's device.
  icd::sc::Header header() const;
  /// The code object. The driver's errors and warnings go
  /// to \p messages; nothing if there are errors.
  std::optional<std::vector<uint8_t>> compile(const PipelineFile &file,
                                              std::vector<Message> &messages);

private:
  PipelineCompiler() = default;
  using Code = std::optional<std::vector<uint8_t>>;
  Code compileOne(const PipelineFile &file, const replay::Device &device,
                  std::vector<Message> &messages) const;
  bool canConvertFormats(const PipelineFile &file, std::vector<Message> &messages) const;
  llvm::Expected<const replay::Device *> deviceFor(const std::vector<std::string> &features);

  std::string target;
  std::unique_ptr<replay::Driver> driver;
  std::mutex mutex;
  std::map<std::vector<std::string>, std::unique_ptr<replay::Device>> devices; ///< by features
};

} // namespace pcc
