//===- Main.cpp - kiln-debug: shaders line by line --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "tools/amdllpc/Options.h"
#include "tools/cli/Arguments.h"
#include "tools/debug/Choice.h"
#include "tools/debug/Dap.h"
#include "tools/debug/Session.h"
#include "tools/debug/ShaderRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::StringRef;

namespace {

constexpr const char *helpText =
    "usage: kiln-debug --break=[FILE:]LINE [OPTIONS] SHADER...\n"
    "       kiln-debug --dap\n\n"
    "Executes a compute shader, or a draw with the shaders of a graphics pipeline (GLSL, SPIR-V, "
    "its\n"
    "assembly, or a .pipe file), on the software device, with generated inputs, and prints the\n"
    "variables of the source at a line. Shaders are compiled without optimisation.\n\n"
    "  --break=[FILE:]LINE   where to stop; may be given several times\n"
    "  --invocation=X,Y,Z    global number of the only invocation of a compute shader that stops\n"
    "  --pixel=X,Y           the only pixel whose fragment shader stops, of 64 x 64\n"
    "  --sample=N            the only sample, where each has an invocation\n"
    "  --vertex=N            gl_VertexIndex of the only vertex that stops\n"
    "  --instance=N          its gl_InstanceIndex\n"
    "  --control=PATCH[,N]   gl_PrimitiveID, and gl_InvocationID, of a tessellation control "
    "shader\n"
    "  --evaluation=PATCH[,U,V]   gl_PrimitiveID, and gl_TessCoord, of an evaluation shader\n"
    "  --geometry=PRIMITIVE[,N]   gl_PrimitiveIDIn, and gl_InvocationID, of a geometry shader\n"
    "  --task=X,Y,Z[,N]      gl_WorkGroupID, and gl_LocalInvocationIndex, of a task shader\n"
    "  --mesh=X,Y,Z[,N]      the same of a mesh shader\n"
    "  --stops=N             how many stops are printed (1)\n"
    "  --steps=N             lines that are gone through behind each stop, and printed, too (0)\n"
    "  --entry=NAME          entry point\n"
    "  --target=NAME         GPU, as amdllpc -gfxip takes it (gfx1100)\n"
    "  --dap                 serve an editor: Debug Adapter Protocol on standard input and output\n"
    "  --help, --version\n\n"
    "Examples:\n"
    "  kiln-debug --break=12 blur.comp\n"
    "  kiln-debug --break=blur.comp:12 --invocation=5,3,0 --steps=4 blur.comp\n"
    "  kiln-debug --break=sky.frag:30 --pixel=20,40 sky.vert sky.frag\n"
    "  kiln-debug --break=sky.vert:9 --vertex=2 sky.pipe\n"
    "  kiln-debug --break=terrain.tese:20 --evaluation=3,0.5,0.25 terrain.pipe\n\n"
    "exit codes: 0 it stopped somewhere, 1 an input is wrong or nothing stopped, 2 the command\n"
    "line is wrong, 3 something is not implemented, 4 a limit, 5 a defect\n";

struct Options {
  debug::LaunchOptions launch;
  std::vector<std::pair<std::string, uint32_t>> breakpoints;
  debug::Selection selection;
  unsigned stops = 1, steps = 0;
  bool dap = false, help = false;
};

Error addBreakpoint(Options &options, StringRef text) {
  const auto [file, line] = text.contains(':') ? text.rsplit(':') : std::pair(StringRef(), text);
  uint32_t number = 0;
  if (line.getAsInteger(10, number) || !number)
    return lgc::invalidInput("'" + text + "' is no FILE:LINE");
  options.breakpoints.push_back({file.str(), number});
  return Error::success();
}

/// Prints stops.
class TextFrontEnd : public debug::FrontEnd {
public:
  TextFrontEnd(const debug::ShaderRun &shader, const Options &options)
      : shader(shader), options(options) {}
  debug::Resume stopped(const debug::Stop &stop) override;
  const debug::Session *session = nullptr;
  unsigned stops = 0;

private:
  const debug::ShaderRun &shader;
  const Options &options;
  unsigned stepsLeft = 0;
};

debug::Resume TextFrontEnd::stopped(const debug::Stop &stop) {
  const auto group = stop.wave.group();
  const debug::Frame &here = stop.frames.front();
  llvm::outs() << here.file << ':' << here.line << ": "
               << session->describe(stop.wave, stop.lane, here.shader);
  if (here.shader == "CS")
    llvm::outs() << ", workgroup (" << group[0] << ", " << group[1] << ", " << group[2] << ')';
  else if (here.shader != "TS") // that has said so
    llvm::outs() << ", group " << group[0];
  llvm::outs() << ", wave " << stop.wave.index() << ", lane " << stop.lane << '\n';
  for (size_t i = 0; i < stop.frames.size(); ++i) {
    const debug::Frame &frame = stop.frames[i];
    llvm::outs() << "  " << frame.function << ", line " << frame.line << '\n';
    for (const debug::Value &value : shader.info().variablesOf(stop.wave, stop.lane, i))
      llvm::outs() << "    " << (value.type.empty() ? "" : value.type + " ") << value.name << " = "
                   << value.text << '\n';
  }
  if (stop.reason == debug::Stop::Reason::Breakpoint && !stepsLeft) {
    ++stops;
    stepsLeft = options.steps;
  } else {
    --stepsLeft;
  }
  if (stepsLeft)
    return debug::Resume::StepIn;
  return stops < options.stops ? debug::Resume::Continue : debug::Resume::End;
}

llvm::Expected<unsigned> debugAsText(const Options &options) {
  auto shader = debug::ShaderRun::prepare(options.launch);
  if (!shader)
    return shader.takeError();
  for (const std::string &warning : (*shader)->warnings())
    llvm::errs() << "kiln-debug: warning: " << warning << '\n';
  TextFrontEnd frontEnd(**shader, options);
  debug::Session session((*shader)->info(), (*shader)->groupSize(), frontEnd);
  frontEnd.session = &session;
  std::map<std::string, std::vector<uint32_t>> lines;
  for (const auto &[file, line] : options.breakpoints)
    lines[file].push_back(line);
  for (const auto &[file, all] : lines)
    if (llvm::is_contained(session.setBreakpoints(file, all), 0u))
      return lgc::invalidInput("no statement at a breakpoint, or behind it");
  session.select(options.selection);
  if (Error error = (*shader)->execute(session)) {
    if (!session.hasEnded())
      return std::move(error);
    llvm::consumeError(std::move(error));
  }
  return frontEnd.stops;
}

int fail(Error error) {
  const lgc::ErrorText text = lgc::consumeToText(std::move(error));
  llvm::errs() << "kiln-debug: " << lgc::errorKindName(text.kind) << ": " << text.message << '\n';
  return static_cast<int>(amdllpc::exitCodeOf(text.kind));
}

} // namespace

int main(int argc, char **argv) {
  const llvm::ArrayRef<const char *> arguments = cli::argumentsOf(argc, argv);
  if (cli::printVersion("kiln-debug", arguments))
    return 0;
  Options options;
  std::vector<cli::Option> table = {
      {"break", [&](StringRef value) { return addBreakpoint(options, value); }, "[FILE:]LINE"},
      {"stops", &options.stops},
      {"steps", &options.steps},
      {"entry", &options.launch.entry},
      {"target|gfxip", &options.launch.target},
      {"dap", &options.dap},
      {"h|help", &options.help}};
  for (const debug::Choice &choice : debug::choices())
    table.push_back(
        {choice.name,
         [&](StringRef value) { return debug::choose(options.selection, choice, value); },
         choice.form});
  Error error = cli::parse(arguments, table, &options.launch.files);
  if (options.help) {
    llvm::consumeError(std::move(error));
    llvm::outs() << helpText;
    return 0;
  }
  if (!error && options.dap && options.launch.files.empty())
    return debug::serveDap();
  if (!error && (options.launch.files.empty() || options.breakpoints.empty() || options.dap))
    error = lgc::invalidInput("shaders and --break=LINE, or --dap alone (see --help)");
  if (error) {
    llvm::errs() << "kiln-debug: error: " << lgc::consumeToText(std::move(error)).message << '\n';
    return static_cast<int>(amdllpc::ExitCode::Usage);
  }
  auto stops = debugAsText(options);
  if (!stops)
    return fail(stops.takeError());
  if (!*stops)
    llvm::errs() << "kiln-debug: no invocation came to a breakpoint\n";
  return *stops ? 0 : 1;
}
