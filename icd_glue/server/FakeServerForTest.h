//===- FakeServerForTest.h - a server that lies ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace icd {

enum class Mood : uint8_t {
  Honest,
  Silent,
  Full,
  Denying,
  FlipsBits,
  SwapsValues,
  Garbage,
  Endless,
  Cut,
  Closing,  ///< after each answer, as to who is idle
  Slow,     ///< but in time
  Flood,    ///< a value that is longer than anybody wants
  LongLists ///< more values than were asked for
};

/// As much of a server as a client of ours sees, in a process of its own.
class FakeServer {
public:
  FakeServer(const std::string &path, Mood mood) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener, 8), 0);
    process = fork();
    if (process == 0)
      serveAll(listener, mood);
    close(listener);
  }
  ~FakeServer() {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  FakeServer(const FakeServer &) = delete;

private:
  [[noreturn]] static void serveAll(int listener, Mood mood) {
    std::map<std::string, std::string> values;
    for (int channel; (channel = accept(listener, nullptr, nullptr)) >= 0; close(channel)) {
      FILE *in = fdopen(dup(channel), "rb");
      for (std::vector<std::string> words; read(in, words);) {
        const std::string reply = answer(mood, words, values);
        if (mood != Mood::Silent)
          (void)!send(channel, reply.data(), reply.size(), MSG_NOSIGNAL);
        if (mood == Mood::Cut || mood == Mood::Closing)
          break;
      }
      fclose(in);
    }
    _exit(0);
  }
  static bool read(FILE *in, std::vector<std::string> &words) {
    unsigned count = 0, size = 0;
    words.clear();
    if (fscanf(in, "*%u\r\n", &count) != 1)
      return false;
    for (unsigned i = 0; i < count; ++i) {
      if (fscanf(in, "$%u", &size) != 1)
        return false;
      std::string word(size + 4, '\0');
      if (fread(word.data(), 1, size + 4, in) != size + 4)
        return false;
      words.push_back(word.substr(2, size));
    }
    return true;
  }
  static std::string bulk(const std::string &text) {
    return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
  }
  static std::string answer(Mood mood, const std::vector<std::string> &words,
                            std::map<std::string, std::string> &values) {
    if (mood == Mood::Garbage)
      return "HTTP/1.1 400 Bad Request\r\n\r\n";
    if (mood == Mood::LongLists)
      return "*1000000\r\n";
    if (mood == Mood::Slow)
      usleep(100000);
    if (mood == Mood::Flood)
      return "*4\r\n$1000000\r\n" + std::string(8 << 20, 'x');
    if (mood == Mood::Endless)
      return "$99999999999\r\n";
    if (mood == Mood::Denying)
      return "-NOPERM this user has no permissions\r\n";
    if (words[0] == "SET") {
      if (mood == Mood::Full)
        return "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
      values[words[1]] = words[2];
      return "+OK\r\n";
    }
    if (words[0] != "MGET")
      return "+OK\r\n";
    std::string reply = "*" + std::to_string(words.size() - 1) + "\r\n";
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t which = mood == Mood::SwapsValues ? words.size() - i : i;
      auto found = values.find(words[which]);
      if (found == values.end()) {
        reply += "$-1\r\n";
        continue;
      }
      std::string value = found->second;
      if (mood == Mood::FlipsBits)
        value[value.size() * i / words.size()] ^= 4;
      reply += bulk(value);
    }
    return mood == Mood::Cut ? reply.substr(0, reply.size() / 2) : reply;
  }

  pid_t process = -1;
};

} // namespace icd
