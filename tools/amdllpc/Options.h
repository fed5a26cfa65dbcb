//===- Options.h - amdllpc's command line ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One table row per option; see OptionTable.cpp. tools/cli parses.
#pragma once

#include "KernelLibraryFile.h"
#include "llpc/Kernels.h"
#include "tools/frontend/Glsl.h"
#include "tools/frontend/OpenCl.h"
#include "tools/report/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <string>
#include <vector>

namespace amdllpc {

/// What the process returns. With several inputs, the largest code of any of them.
enum class ExitCode : int {
  Ok = 0,
  InvalidInput = 1, ///< an input is malformed, or cannot be read or written
  Usage = 2,        ///< the command line is wrong
  Unsupported = 3,  ///< an input is valid but uses what is not implemented
  LimitExceeded = 4,
  Internal = 5, ///< a defect of the compiler
  Worse = 6,    ///< -compare: a figure is worse than -limit allows
  Interrupted = 130,
};
ExitCode exitCodeOf(lgc::ErrorKind kind);

enum class InputFormat : uint8_t { Auto, Spirv, SpirvText, Glsl, OpenCl, Pipe };
enum class ReportFormat : uint8_t { Table, Json, Markdown, Html };

/// `-spec ID=VALUE`; the text is converted when the constant's type is known.
struct SpecArgument {
  uint32_t id = 0;
  std::string value;
};

/// Files as Radeon GPU Analyzer writes them; see Analyzer.h.
enum class AnalyzerFile : uint8_t {
  Assembly,
  LiveVgprs,
  LiveSgprs,
  BlockGraph,
  InstructionGraph,
  Resources,
  Ir,
  CodeObject,
  Count
};

/// A shader that is given with its stage: "frag".
struct StageInput {
  std::string stage, path;
};

/// What the analyzer's command line says.
struct AnalyzerOptions {
  std::string mode; ///< -s; empty: none of its command lines
  std::vector<StageInput> shaders;
  std::array<std::string, size_t(AnalyzerFile::Count)> files; ///< empty: not wanted
  bool parseIsa = false;
  bool lineNumbers = false;
  bool listTargets = false;
  char separator = ',';
};

class RadvSide;

struct Options {
  bool help = false;
  bool version = false;

  std::vector<std::string> inputs; ///< as written: FILE, FILE,ENTRY, DIR or -
  InputFormat inputFormat = InputFormat::Auto;
  std::string inputStage;         ///< of GLSL, when inputFormat says so: "comp", "frag" ...
  bool separate = false;          ///< each file is a pipeline, or a part of one, of its own
  frontend::GlslOptions glsl;     ///< targetEnv is the validator's, too
  frontend::OpenClOptions openCl; ///< with macros and folders of the above
  llpc::KernelSizes kernels;
  std::shared_ptr<KernelLibraryFile> kernelLibrary = std::make_shared<KernelLibraryFile>();
  bool validateSpirv = true;
  bool trimDebugInfo = true;
  std::vector<SpecArgument> specialization;
  std::string entryTarget; ///< of inputs that name no entry point; empty: find out

  std::vector<std::string> targets = {"gfx1100"};
  bool targetsGiven = false;

  std::string output;     ///< empty: none; "-": standard output; a folder; or a file
  std::string dumpFolder; ///< empty: pipelines are not written as .pipe files
  bool outputKindGiven = false;
  llpc::OutputKind outputKind = llpc::OutputKind::Elf;
  bool verbose = false;
  std::string report;  ///< .html or .json: facts about the code; empty: none
  bool run = false;    ///< execute what the report is about
  std::string compare; ///< what to compare with, see Comparing.h; empty: nothing
  /// Of what is compared with; one of them is enough to compare.
  std::vector<std::string> compareOptions;
  RadvSide *radv = nullptr; ///< -compare=radv: what compiles the other side
  std::vector<report::ComparisonLimit> limits;
  AnalyzerOptions analyzer;
  std::string logFile;              ///< where -v writes; empty: standard output
  std::vector<std::string> ignored; ///< names of options that have no effect
  bool verifyIr = false;
  bool timer = false;
  bool relinkDemo = false; ///< also from parts; the result is the linked code object
  ReportFormat format = ReportFormat::Table;
  bool quiet = false;
  unsigned jobs = 0; ///< 0: as many as the machine has processors

  bool autoLayout = true;
  llpc::PipelineOptions pipeline;
  llpc::PipelineShaderOptions shader;
  llpc::GraphicsPipelineState graphics;
  std::vector<std::pair<std::string, std::string>> state; ///< keys and values of .pipe files
};

/// Does the command line ask for results (and not only for the report)?
inline bool wantsOutput(const Options &options) {
  return options.outputKindGiven || !options.output.empty();
}

inline bool wantsComparison(const Options &options) {
  return !options.compare.empty() || !options.compareOptions.empty();
}
/// Is there a report, to write or to compare?
inline bool wantsReport(const Options &options) {
  return !options.report.empty() || wantsComparison(options);
}
inline bool wantsAnalyzerFiles(const Options &options) {
  return llvm::any_of(options.analyzer.files,
                      [](const std::string &file) { return !file.empty(); });
}
/// Is anything to be known of the code besides the figures?
inline bool wantsFacts(const Options &options) {
  return wantsReport(options) || wantsAnalyzerFiles(options);
}

/// One option of the table.
struct OptionRow {
  llvm::StringLiteral names; ///< "-o" or "-v|-enable-outs"; without dashes, '|' between aliases
  llvm::StringLiteral value; ///< name of the value in --help; empty: a flag
  llvm::StringLiteral help;
  llvm::Error (*apply)(Options &, llvm::StringRef value);
  bool joined = false;  ///< the value may follow at once: -j4, -DNAME
  bool ignored = false; ///< a warning says that it has no effect
};
struct OptionGroup {
  llvm::StringLiteral title;
  llvm::ArrayRef<OptionRow> rows;
};
llvm::ArrayRef<OptionGroup> optionGroups();
llvm::ArrayRef<OptionRow> reportRows();
/// Those of Radeon GPU Analyzer.
llvm::ArrayRef<OptionRow> analyzerRows();
/// KernelOptions.cpp
llvm::ArrayRef<OptionRow> kernelRows();

/// Errors: one line that says what is wrong and, for an unknown option, which one is near.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> arguments);
/// \p options with those of -compare-options on top, and without what is about both sides. Errors:
/// as above.
llvm::Expected<Options> optionsBefore(const Options &options);
std::string helpText();

} // namespace amdllpc
