//===- Corpus.cpp - shaders of a corpus as modules ------------------------===//
// SPDX-License-Identifier: MIT
#include "Corpus.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace bench {

/// The module of a source, which is compiled with \p command unless it is there from another run.
static bool makeModule(const CorpusOptions &options, StringRef name, StringRef command,
                       std::string &out) {
  std::string file = name.str();
  std::replace(file.begin(), file.end(), '/', '_');
  out = options.work + "/" + file + ".spv";
  if (sys::fs::exists(out))
    return true;
  SmallVector<StringRef, 16> words;
  command.split(words, ' ', -1, false);
  auto program = sys::findProgramByName(words.empty() ? "" : words.front());
  if (!program)
    return false;
  // What Ctrl-C leaves half written must not be there the next time.
  const std::string unfinished = out + ".part", source = options.corpus + "/" + name.str();
  SmallVector<StringRef, 16> arguments(words.begin(), words.end());
  arguments.append({"-o", unfinished, source});
  const std::optional<StringRef> redirects[] = {std::nullopt, StringRef("/dev/null"),
                                                StringRef("/dev/null")};
  return sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects) == 0 &&
         !sys::fs::rename(unfinished, out);
}

std::vector<CorpusShader> loadCorpus(const CorpusOptions &options,
                                     function_ref<bool(ArrayRef<StringRef> columns)> isWanted) {
  std::vector<CorpusShader> shaders;
  auto manifest = MemoryBuffer::getFile(options.corpus + "/MANIFEST.tsv");
  if (!manifest)
    return shaders;
  sys::fs::create_directories(options.work);
  SmallVector<StringRef, 0> lines;
  (*manifest)->getBuffer().split(lines, '\n', -1, false);
  cli::Progress progress("kiln-bench", "sources", lines.size(), options.quiet);
  for (StringRef line : ArrayRef(lines).drop_front()) { // the first one names the columns
    progress.step();
    if (cli::isInterrupted())
      break;
    SmallVector<StringRef, 12> columns;
    line.split(columns, '\t');
    if (columns.size() < 4 || !isWanted(columns))
      continue;
    CorpusShader &shader = shaders.emplace_back();
    shader.columns.assign(columns.begin(), columns.end());
    if (!makeModule(options, columns[0], columns[2], shader.spirvFile))
      continue;
    if (auto module = MemoryBuffer::getFile(shader.spirvFile)) {
      const StringRef bytes = (*module)->getBuffer();
      shader.spirv.assign(bytes.bytes_begin(), bytes.bytes_end());
    }
  }
  return shaders;
}

} // namespace bench
