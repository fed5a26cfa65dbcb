//===- Child.cpp - a process that compiles --------------------------------===//
// SPDX-License-Identifier: MIT
#include "Child.h"
#include "lgc/CompileError.h"
#include "tools/cli/Clocks.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::Expected;
using llvm::StringRef;
namespace endian = llvm::support::endian;

namespace farm {
namespace {

/// A unit is its two numbers. An answer: u8 status, u32 bytes, f64 milliseconds, payload; that it
/// is ready an answer of status 0.
constexpr size_t unitBytes = 8, answerBytes = 13;
constexpr size_t lastBytes = 4096;
/// More is no output of a compiler.
constexpr uint32_t mostPayload = 256 << 20;
/// Messages and dumps.
constexpr uint64_t mostWritten = uint64_t(1) << 30;
/// What a child exits with whose compiler does not start.
constexpr int startFailed = 3;

bool writeAll(int to, const char *bytes, size_t size) {
  while (size) {
    const ssize_t count = ::send(to, bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool readAll(int from, char *bytes, size_t size) {
  while (size) {
    const ssize_t count = ::read(from, bytes, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool answer(int to, uint8_t status, StringRef payload, double cpuMs) {
  std::string bytes(answerBytes, '\0');
  bytes[0] = static_cast<char>(status);
  endian::write32le(bytes.data() + 1, static_cast<uint32_t>(payload.size()));
  std::memcpy(bytes.data() + 5, &cpuMs, sizeof cpuMs);
  bytes += payload;
  return writeAll(to, bytes.data(), bytes.size());
}

void limit(__rlimit_resource what, uint64_t most) {
  const rlimit both = {most, most};
  setrlimit(what, &both);
}

} // namespace

double seconds() { return cli::wallMs() / 1000; }

//===--- In the child -----------------------------------------------------===//

void Child::runChild(int channel, int errors, const StartCompiler &start, const Limits &limits,
                     const std::string &dumpFolder) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Who wants the farm to end asks the parent.
  for (int number : {SIGINT, SIGTERM})
    signal(number, SIG_IGN);
  signal(SIGPIPE, SIG_DFL);
  dup2(errors, STDERR_FILENO);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(errors, STDOUT_FILENO);
  // Inputs may come from anywhere: no network, where the system allows to go without.
  [[maybe_unused]] const int alone = unshare(CLONE_NEWUSER | CLONE_NEWNET);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, mostWritten);
#if !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD // those take all addresses
  limit(RLIMIT_AS, limits.memory);
#endif
  // Nothing may leave this function, also not by an exception, into what the parent was doing.
  llvm::install_out_of_memory_new_handler();
  Expected<Compile> compile = start(dumpFolder);
  if (!compile) {
    const std::string text = lgc::consumeToText(compile.takeError()).message + "\n";
    [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    _exit(startFailed);
  }
  char bytes[unitBytes];
  bool goesOn = answer(channel, 0, "", 0);
  while (goesOn && readAll(channel, bytes, unitBytes)) {
    const Outcome outcome = (*compile)({endian::read32le(bytes), endian::read32le(bytes + 4)});
    goesOn = answer(channel, static_cast<uint8_t>(outcome.status), outcome.payload, outcome.cpuMs);
  }
  _exit(0); // nothing of the parent is ended here
}

//===--- In the parent ----------------------------------------------------===//

Expected<std::unique_ptr<Child>> Child::start(const StartCompiler &start, const Limits &limits,
                                              const std::string &dumpFolder) {
  auto fault = [] {
    const int code = errno;
    return lgc::limitExceeded("no process: " + std::generic_category().message(code));
  };
  std::unique_ptr<Child> child(new Child());
  child->limits = limits;
  int ends[2] = {-1, -1};
  child->errors = memfd_create("kiln-farm", MFD_CLOEXEC);
  if (child->errors < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fault();
  fcntl(child->errors, F_SETFL, O_APPEND);
  child->channel = ends[0];
  llvm::errs().flush();
  llvm::outs().flush(); // or the child would write it again
  child->process = fork();
  if (child->process == 0) {
    ::close(ends[0]);
    runChild(ends[1], child->errors, start, limits, dumpFolder);
  }
  ::close(ends[1]);
  if (child->process < 0)
    return fault();
  fcntl(child->channel, F_SETFL, O_NONBLOCK);
  child->since = seconds();
  return child;
}

Child::~Child() {
  if (process > 0)
    end("not needed any more");
  for (int file : {channel, errors})
    if (file >= 0)
      ::close(file);
}

void Child::give(const Unit &unit) {
  char bytes[unitBytes];
  endian::write32le(bytes, unit.item);
  endian::write32le(bytes + 4, unit.target);
  [[maybe_unused]] const int cut = ftruncate(errors, 0);
  current = unit;
  busy = true;
  since = seconds();
  writeAll(channel, bytes, unitBytes); // where it is dead, receive() says so
}

Child::Event Child::receive(Outcome &outcome) {
  char bytes[65536];
  bool isDead = false;
  while (true) {
    const ssize_t count = ::read(channel, bytes, sizeof bytes);
    if (count > 0)
      received.append(bytes, static_cast<size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
      isDead = true;
    if (count == 0 || (count < 0 && errno != EINTR))
      break;
  }
  const Event otherwise = isDead ? Event::Dead : Event::Nothing;
  if (received.size() < answerBytes)
    return otherwise;
  const uint32_t size = endian::read32le(received.data() + 1);
  const auto status = static_cast<uint8_t>(received[0]);
  // What was inside a compiler that went wild may have written anything.
  if (size > mostPayload || status >= statusCount || (ready && !(status && busy)))
    return Event::Dead;
  if (received.size() - answerBytes < size)
    return otherwise;
  outcome.status = static_cast<Status>(status);
  std::memcpy(&outcome.cpuMs, received.data() + 5, sizeof outcome.cpuMs);
  outcome.payload = received.substr(answerBytes, size);
  received.erase(0, answerBytes + size);
  const bool wasReady = std::exchange(ready, true);
  busy = false;
  return wasReady ? Event::Done : Event::Ready;
}

std::string Child::end(const std::string &why) {
  int status = 0;
  pid_t ended = 0;
  // What has closed its channel ends by itself, or else it is helped.
  constexpr unsigned tries = 200, tryUs = 10000;
  for (unsigned i = 0; why.empty() && i < tries && !ended; ++i) {
    ended = waitpid(process, &status, WNOHANG);
    if (!ended)
      usleep(tryUs);
  }
  const pid_t it = std::exchange(process, -1);
  if (!ended) {
    kill(it, SIGKILL);
    waitpid(it, &status, 0);
    return why.empty() ? "did not answer any more" : why;
  }
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

std::string Child::lastLines() const {
  const off_t size = lseek(errors, 0, SEEK_END);
  std::string text(std::min<size_t>(static_cast<size_t>(std::max<off_t>(size, 0)), lastBytes),
                   '\0');
  const ssize_t count =
      pread(errors, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

} // namespace farm
