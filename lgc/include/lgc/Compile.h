//===- Compile.h - module in, code object out -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The back end as a front end sees it. A Backend takes modules as Shader.h describes them (with
/// prepareModule done), lowers, optimises and generates code. It keeps LLVM target machines and
/// pass managers between compilations, because making them costs about 3 ms, and throws them away
/// every thousand compilations, because LLVM's leak a little.
/// No LLVM IR headers.
#pragma once

#include "lgc/Pipeline.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace lgc {

struct PartInfo;

enum class OutputKind : uint8_t {
  Object,   ///< PAL code object (ELF)
  Assembly, ///< assembly text
  Bitcode,  ///< LLVM bitcode after all lowering, before code generation
  Ir,       ///< the same as text
};

/// What the generated code needs. For Object from the code object, for Assembly only
/// `instructions`.
struct Statistics {
  uint32_t vgprs = 0;
  uint32_t sgprs = 0;
  uint32_t ldsBytes = 0;     ///< per workgroup
  uint32_t scratchBytes = 0; ///< per lane
  uint32_t codeBytes = 0;    ///< of the entry function, without padding
  uint32_t instructions = 0; ///< machine instructions
  uint32_t waveSize = 0;     ///< 32 or 64
  uint32_t wavesPerSimd = 0; ///< occupancy
};

/// One hardware stage of a graphics pipeline, or the one of a compute pipeline.
struct StageStatistics {
  pal::abi::HardwareStage stage = pal::abi::HardwareStage::Cs;
  Statistics stats;
};

/// CPU time of the compiling thread per phase, in milliseconds: unlike wall time it does not depend
/// on what else the machine does.
struct PhaseTimes {
  double lower = 0;    ///< our lowering before and after the optimiser, including verification
  double optimize = 0; ///< middle end
  double codegen = 0;
};

struct CompileResult {
  std::vector<uint8_t> data; ///< as OutputKind says
  /// Of the compute shader. Of a graphics pipeline: code bytes and instructions of all stages, the
  /// rest is zero.
  Statistics stats;
  std::vector<StageStatistics> stages; ///< in the order of HardwareStage
  PhaseTimes times;
};

struct BackendOptions {
  /// Verify IR and operations after each of our passes and before code generation.
  bool verifyEach = false;
  /// Verify the input's operations; off only where the front end is trusted.
  bool verifyInput = true;
  /// When set: called with the name of each step ("lgc", passes, "llvm") that changed the module,
  /// and the module as text.
  std::function<void(llvm::StringRef step, llvm::StringRef ir)> dumpIr;
};

/// Thread-safe: any number of threads may compile at once, each with modules of its own
/// LLVMContext.
class Backend {
public:
  explicit Backend(BackendOptions options = {});
  ~Backend();
  Backend(const Backend &) = delete;
  Backend &operator=(const Backend &) = delete;

  /// Compiles `module`, which is consumed. All that depends on the pipeline is in the module's
  /// state metadata. Nothing is printed; LLVM's diagnostics become the error. Errors: InvalidInput
  /// (state), Unsupported (operation or target feature), LimitExceeded (LDS, user data),
  /// Internal.
  llvm::Expected<CompileResult> compile(std::unique_ptr<llvm::Module> module, OutputKind kind);

  /// Compiles glue (Part.h): of `glue`, the kind and its signature count, of `state` the target and
  /// what the application says about vertex input or colours. Object: a code object with the entry
  /// point of the part's hardware stage, whose code stands directly in front of the part's or
  /// behind it, with `.kiln.part`, and metadata of only what the glue decides. Of the statistics,
  /// code bytes and instructions are set. Errors: InvalidInput (no glue, no or an impossible
  /// signature, target), Unsupported (formats), Internal.
  llvm::Expected<CompileResult> compileGlue(const PipelineState &state, const PartInfo &glue,
                                            OutputKind kind = OutputKind::Object);

  /// Releases kept target machines and pass managers that no compilation uses at the moment.
  void trim();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Registers LLVM's AMDGPU target once per process. Thread-safe.
void initializeTarget();

} // namespace lgc
