//===- ReplayRun.cpp - kiln-replay in a process of its own ----------------===//
// SPDX-License-Identifier: MIT
#include "ReplayRun.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::StringRef;

namespace bench {

static std::optional<ReplayRow> parseRow(StringRef line) {
  llvm::SmallVector<StringRef, 8> columns;
  line.split(columns, '\t');
  ReplayRow row;
  if (columns.size() != 8 || !llvm::to_float(columns[1], row.moduleUs) ||
      !llvm::to_float(columns[2], row.wallUs) || !llvm::to_float(columns[3], row.us) ||
      !llvm::to_float(columns[4], row.allUs))
    return std::nullopt;
  row.name = columns[0].str();
  row.outcome = columns[5].str();
  row.origin = columns[6].str();
  llvm::SmallVector<StringRef, 4> stages;
  columns[7].split(stages, ',');
  for (StringRef stage : stages) {
    auto [flags, count] = stage.split('=');
    unsigned bits = 0, number = 0;
    if (llvm::to_integer(flags, bits) && llvm::to_integer(count, number))
      row.instructions[bits] += number;
  }
  return row;
}

[[noreturn]] static void execute(const ReplayCommand &command, int output) {
  dup2(output, STDOUT_FILENO);
  for (const auto &[name, value] : command.environment)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<char *> arguments = {const_cast<char *>(command.program.c_str())};
  for (const std::string &argument : command.arguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(command.program.c_str(), arguments.data());
  _exit(127);
}

std::optional<ReplayRun> runReplay(const ReplayCommand &command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return std::nullopt;
  pid_t child = fork();
  if (child == 0)
    execute(command, ends[1]);
  close(ends[1]);
  FILE *from = child > 0 ? fdopen(ends[0], "r") : nullptr;
  if (!from)
    return std::nullopt;
  ReplayRun run;
  char *line = nullptr;
  size_t size = 0;
  while (getline(&line, &size, from) > 0) {
    StringRef text = StringRef(line).rtrim();
    if (text.consume_front("# "))
      run.notes.push_back(text.str());
    else if (std::optional<ReplayRow> row = parseRow(text))
      run.rows.push_back(std::move(*row));
  }
  std::free(line);
  std::fclose(from);
  int status = 0;
  waitpid(child, &status, 0);
  // 1: some pipelines failed, which the rows say.
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1 || (run.rows.empty() && run.notes.empty()))
    return std::nullopt;
  return run;
}

} // namespace bench
