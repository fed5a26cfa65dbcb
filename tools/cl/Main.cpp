//===- Main.cpp - kiln-cl: OpenCL kernels on the software device ----------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "tools/amdllpc/Options.h"
#include "tools/cl/KernelRun.h"
#include "tools/cli/Arguments.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::StringRef;

namespace {

constexpr const char *helpText =
    "usage: kiln-cl [OPTIONS] FILE.sim...\n\n"
    "Runs OpenCL kernels on the software device. A file names program, kernel, sizes and\n"
    "arguments, in the form of Oclgrind's oclgrind-kernel; what it wants printed is printed in "
    "the\n"
    "same form.\n\n"
    "  --target=NAME              GPU, as amdllpc -gfxip takes it (gfx1100)\n"
    "  -D NAME[=VALUE]            define a macro for OpenCL C\n"
    "  -I DIR                     search DIR for files that OpenCL C includes\n"
    "  --cl-std=STANDARD          OpenCL C that programs are written in (CL1.2)\n"
    "  --spirv-translator=FILE    llvm-spirv, which writes SPIR-V of what clang makes; off: clang\n"
    "                             writes it (default: the one that fits clang, if there is one)\n"
    "  --opencl-library=FILE      SPIR-V with OpenCL C's functions, as libclc has them; off: none\n"
    "                             (default: its file, if it is installed)\n"
    "  --data-races               look for data races of work-items; found ones are exit code 1\n"
    "  --help, --version\n\n"
    "Examples:\n"
    "  kiln-cl saxpy.sim\n"
    "  kiln-cl --target=gfx1201 -D N=64 reduce.sim\n\n"
    "exit codes: 0 done, 1 a file is wrong or its kernel fails, 2 the command line is wrong,\n"
    "3 something is not implemented, 4 a limit, 5 a defect\n";

struct Options {
  kiln_cl::RunOptions run;
  std::vector<std::string> files;
  bool help = false;
};

Error parseOptions(llvm::ArrayRef<const char *> arguments, Options &options) {
  auto addTo = [](std::vector<std::string> &list) {
    return [&list](StringRef value) -> Error {
      list.push_back(value.str());
      return Error::success();
    };
  };
  frontend::OpenClOptions &openCl = options.run.openCl;
  const cli::Option table[] = {
      {"target|gfxip", &options.run.target},
      {"D", cli::Set(addTo(openCl.defines)), "NAME[=VALUE]", true},
      {"I", cli::Set(addTo(openCl.includeDirs)), "DIR", true},
      {"cl-std", &openCl.standard},
      {"spirv-translator", &openCl.translator},
      {"opencl-library", &openCl.library},
      {"data-races", &options.run.dataRaces},
      {"help|h", &options.help},
  };
  if (Error error = cli::parse(arguments, table, &options.files))
    return error;
  if (options.files.empty() && !options.help)
    return lgc::invalidInput("no file; kiln-cl --help says more");
  return Error::success();
}

void print(const kiln_cl::Dump &dump) {
  const uint32_t step = kiln_cl::bytesOf(dump.type);
  llvm::outs() << "\nArgument '" << dump.name << "': " << dump.bytes.size() << " bytes\n";
  for (size_t i = 0; i * step < dump.bytes.size(); ++i)
    llvm::outs() << "  " << dump.name << '[' << i
                 << "] = " << kiln_cl::textOf(dump.type, &dump.bytes[i * step]) << '\n';
  llvm::outs() << '\n';
}

} // namespace

int main(int argc, char **argv) {
  const auto arguments = cli::argumentsOf(argc, argv);
  if (cli::printVersion("kiln-cl", arguments))
    return 0;
  Options options;
  if (Error error = parseOptions(arguments, options)) {
    llvm::errs() << "kiln-cl: " << lgc::consumeToText(std::move(error)).message << '\n';
    return int(amdllpc::ExitCode::Usage);
  }
  if (options.help) {
    llvm::outs() << helpText;
    return 0;
  }
  int worst = 0;
  for (const std::string &file : options.files) {
    auto result = kiln_cl::runSimFile(file, options.run);
    if (!result) {
      const lgc::ErrorText error = lgc::consumeToText(result.takeError());
      llvm::errs() << "kiln-cl: " << file << ": " << error.message << '\n';
      worst = std::max(worst, int(amdllpc::exitCodeOf(error.kind)));
      continue;
    }
    llvm::outs() << result->printed;
    if (result->isPrintfFull)
      llvm::errs() << "kiln-cl: " << file << ": printf's buffer was full, some is missing\n";
    for (const std::string &race : result->races) {
      llvm::errs() << "kiln-cl: " << file << ": " << race << '\n';
      worst = std::max(worst, int(amdllpc::ExitCode::InvalidInput));
    }
    for (const kiln_cl::Dump &dump : result->dumps)
      print(dump);
  }
  return worst;
}
