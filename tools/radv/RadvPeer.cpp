//===- RadvPeer.cpp - child process management ----------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/radv/RadvPeer.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace radv {

std::string RadvPeer::start(const std::string &program, const std::string &family) {
  int down[2], up[2];
  if (pipe(down) || pipe(up))
    return "pipe() failed";
  child = fork();
  if (child < 0)
    return "fork() failed";
  if (child == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (int fd : {down[0], down[1], up[0], up[1]})
      close(fd);
    // The driver says of each device that it is none; what is wrong comes by standard output.
    if (const int nothing = open("/dev/null", O_WRONLY); nothing >= 0)
      dup2(nothing, STDERR_FILENO);
    setenv("RADV_FORCE_FAMILY", family.c_str(), 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    // Our primitive shaders do not cull by default; culling code would make the peer look worse.
    setenv("RADV_DEBUG", "nonggc", 1);
    for (const char *manifest : {"/usr/share/vulkan/icd.d/radeon_icd.json",
                                 "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"}) {
      if (access(manifest, R_OK) != 0)
        continue;
      setenv("VK_DRIVER_FILES", manifest, 1);
      setenv("VK_ICD_FILENAMES", manifest, 1); // loaders before 1.3.207
      break;
    }
    execl(program.c_str(), program.c_str(), radvServerOption, static_cast<char *>(nullptr));
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  toChild = fdopen(down[1], "w");
  fromChild = fdopen(up[0], "r");
  char line[512];
  if (!std::fgets(line, sizeof line, fromChild))
    return "the driver's process ended at once";
  line[std::strcspn(line, "\n")] = 0;
  if (std::strncmp(line, "ready ", 6) != 0)
    return line;
  name = line + 6;
  return "";
}

RadvPeer::~RadvPeer() {
  if (toChild)
    std::fclose(toChild);
  if (fromChild)
    std::fclose(fromChild);
  if (child > 0)
    waitpid(child, nullptr, 0);
}

/// As RadvServer.cpp writes them.
static bool readStage(std::istream &words, PeerStage &s) {
  return bool(words >> s.codeBytes >> s.instructions >> s.vgprs >> s.sgprs >> s.ldsBytes >>
              s.scratchBytes);
}

std::optional<PeerResult> RadvPeer::compile(const std::string &spirvFile, bool statistics,
                                            const std::string &entry) {
  if (!toChild)
    return std::nullopt;
  std::fprintf(toChild, "%c %s %s\n", statistics ? 'S' : 'F', entry.c_str(), spirvFile.c_str());
  std::fflush(toChild);
  char line[512];
  if (!std::fgets(line, sizeof line, fromChild))
    return std::nullopt;
  std::istringstream words(line);
  PeerResult result;
  std::string status;
  if (!(words >> status >> result.cpuMs) || status != "ok" || !readStage(words, result))
    return std::nullopt;
  return result;
}

std::optional<GraphicsPeerResult> RadvPeer::compileGraphics(const GraphicsJob &job,
                                                            bool statistics) {
  if (!toChild)
    return std::nullopt;
  std::fprintf(toChild, "%c %s\n", statistics ? 'H' : 'G', job.toLine().c_str());
  std::fflush(toChild);
  char line[1024];
  if (!std::fgets(line, sizeof line, fromChild))
    return std::nullopt;
  std::istringstream words(line);
  GraphicsPeerResult result;
  std::string status;
  size_t count = 0;
  if (!(words >> status >> result.cpuMs >> result.wallMs >> count) || status != "ok" || count > 16)
    return std::nullopt;
  result.stages.resize(count);
  for (GraphicsPeerResult::Stage &s : result.stages)
    if (!(words >> s.vkStages) || !readStage(words, s))
      return std::nullopt;
  return result;
}

} // namespace radv
