//===- AnalyzerOptions.cpp - options of Radeon GPU Analyzer, one row each -===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/StringExtras.h"

using llvm::Error;
using llvm::StringRef;

namespace amdllpc {

using cli::setFlag;

namespace {

struct ModeRow {
  llvm::StringLiteral name;
  InputFormat format;
};
constexpr ModeRow modes[] = {{"vk-offline", InputFormat::Auto},
                             {"vk-spv-offline", InputFormat::Spirv},
                             {"vk-spv-txt-offline", InputFormat::SpirvText}};

Error setMode(Options &o, StringRef v) {
  for (const ModeRow &mode : modes)
    if (mode.name == v) {
      o.analyzer.mode = v.str();
      o.inputFormat = mode.format;
      return Error::success();
    }
  return lgc::unsupported("source kind '" + v +
                          "'; known are vk-offline, vk-spv-offline, vk-spv-txt-offline");
}

void addTarget(Options &o, std::string name) {
  if (!o.targetsGiven)
    o.targets.clear();
  o.targetsGiven = true;
  if (!llvm::is_contained(o.targets, name))
    o.targets.push_back(std::move(name));
}

Error addAsic(Options &o, StringRef v) {
  if (v != "all") {
    addTarget(o, v.lower());
    return Error::success();
  }
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
    addTarget(o, target.name.str());
  return Error::success();
}

template <AnalyzerFile kind> Error setFile(Options &o, StringRef v) {
#ifdef KILN_REPORT
  if (v.empty())
    return lgc::invalidInput("no file is named");
  o.analyzer.files[size_t(kind)] = v.str();
  return Error::success();
#else
  return lgc::unsupported("it needs a processor of the x86-64 family");
#endif
}

Error setSeparator(Options &o, StringRef v) {
  const StringRef letters = "abfnrtv", characters = "\a\b\f\n\r\t\v";
  if (v.empty() || v.size() > 2 || (v.size() == 2 && v[0] != '\\'))
    return lgc::invalidInput("'" + v + "' is not a character, nor one behind a backslash");
  const size_t found = v.size() == 2 ? letters.find(v[1]) : StringRef::npos;
  o.analyzer.separator = found != StringRef::npos ? characters[found] : v.back();
  return Error::success();
}

Error addShader(Options &o, StringRef stage, StringRef path) {
  for (const StageInput &other : o.analyzer.shaders)
    if (other.stage == stage)
      return lgc::invalidInput("a second shader of that stage");
  o.analyzer.shaders.push_back({stage.str(), path.str()});
  return Error::success();
}

Error setLevel(Options &o, StringRef v, lgc::OptLevel level) {
  bool on = false;
  KILN_TRY(setFlag(on, v));
  if (on)
    o.pipeline.optLevel = level;
  return Error::success();
}

constexpr OptionRow fileRows[] = {
    {"isa", "FILE|DIR",
     "write the code of each stage as text, to TARGET_FILE_STAGE (docs/amdllpc.md); of one "
     "pipeline, as the other files of this group",
     setFile<AnalyzerFile::Assembly>},
    {"parse-isa", "", "for -isa: also as a table of comma-separated values",
     [](Options &o, StringRef v) -> Error { return setFlag(o.analyzer.parseIsa, v); }},
    {"line-numbers", "", "for -isa: also source lines",
     [](Options &o, StringRef v) -> Error { return setFlag(o.analyzer.lineNumbers, v); }},
    {"livereg", "FILE|DIR", "write which vector registers are in use at each instruction",
     setFile<AnalyzerFile::LiveVgprs>},
    {"livereg-sgpr", "FILE|DIR", "the same of scalar registers", setFile<AnalyzerFile::LiveSgprs>},
    {"cfg", "FILE|DIR", "write the control flow as a graph in DOT, a node for each block",
     setFile<AnalyzerFile::BlockGraph>},
    {"cfg-i", "FILE|DIR", "the same with a node for each instruction",
     setFile<AnalyzerFile::InstructionGraph>},
    {"a|analysis", "FILE|DIR", "write what the stage takes of each resource, comma-separated",
     setFile<AnalyzerFile::Resources>},
    {"csv-separator", "CHARACTER", "for -analysis: instead of commas", setSeparator},
    {"il", "FILE|DIR", "write the LLVM IR that goes to code generation", setFile<AnalyzerFile::Ir>},
    {"b|binary", "FILE|DIR", "write the code object, to TARGET_FILE",
     setFile<AnalyzerFile::CodeObject>},
    {"s|source-kind", "vk-offline|vk-spv-offline|vk-spv-txt-offline",
     "the analyzer's mode: inputs are GLSL, SPIR-V or its text; without -c, for all targets",
     setMode},
    {"c|asic", "NAME", "target; may be given several times; all: every one", addAsic},
    {"l|list-asics", "", "list the targets",
     [](Options &o, StringRef v) -> Error { return setFlag(o.analyzer.listTargets, v); }},
    {"vert", "FILE", "the vertex shader, whatever the file's name ends in",
     [](Options &o, StringRef v) -> Error { return addShader(o, "vert", v); }},
    {"tesc", "FILE", "the tessellation control shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "tesc", v); }},
    {"tese", "FILE", "the tessellation evaluation shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "tese", v); }},
    {"geom", "FILE", "the geometry shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "geom", v); }},
    {"task", "FILE", "the task shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "task", v); }},
    {"mesh", "FILE", "the mesh shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "mesh", v); }},
    {"frag", "FILE", "the fragment shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "frag", v); }},
    {"comp", "FILE", "the compute shader",
     [](Options &o, StringRef v) -> Error { return addShader(o, "comp", v); }},
    {"pipe", "FILE", "a .pipe file",
     [](Options &o, StringRef v) -> Error {
       o.inputs.push_back(v.str());
       return Error::success();
     }},
    {"O0", "", "no optimisation: -llpc-opt=none",
     [](Options &o, StringRef v) -> Error { return setLevel(o, v, lgc::OptLevel::None); }},
    {"O1", "", "little optimisation: -llpc-opt=quick",
     [](Options &o, StringRef v) -> Error { return setLevel(o, v, lgc::OptLevel::Quick); }},
    {"O2", "", "-llpc-opt=default",
     [](Options &o, StringRef v) -> Error { return setLevel(o, v, lgc::OptLevel::Default); }},
    {"O3", "", "-llpc-opt=fast",
     [](Options &o, StringRef v) -> Error { return setLevel(o, v, lgc::OptLevel::Fast); }},
};

} // namespace

llvm::ArrayRef<OptionRow> analyzerRows() { return fileRows; }

} // namespace amdllpc
