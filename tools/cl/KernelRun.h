//===- KernelRun.h - executes a kernel on the software device -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/amdllpc/KernelLibraryFile.h"
#include "tools/cl/SimFile.h"
#include "tools/frontend/OpenCl.h"

namespace kiln_cl {

struct RunOptions {
  std::string target = "gfx1100";
  frontend::OpenClOptions openCl;
  std::shared_ptr<amdllpc::KernelLibraryFile> library =
      std::make_shared<amdllpc::KernelLibraryFile>();
  bool dataRaces = false; ///< look for them; the kernel is not optimised then
};

/// What a run leaves behind of one argument with `dump`.
struct Dump {
  std::string name;
  Element type = Element::Uchar;
  std::vector<uint8_t> bytes;
};

struct RunResult {
  std::string printed; ///< by printf
  std::vector<Dump> dumps;
  std::vector<std::string> races; ///< data races, in words of several lines
  bool isPrintfFull = false;      ///< there is more that the buffer had no room for
};

/// Runs the file's kernel. Its program is looked for beside the file if it is not where its name
/// says. Errors: of reading, compiling and of the device, which names an access outside of buffers
/// with its instruction.
llvm::Expected<RunResult> runSimFile(const std::string &path, const RunOptions &options);

} // namespace kiln_cl
