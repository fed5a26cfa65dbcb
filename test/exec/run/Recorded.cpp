//===- Recorded.cpp - results of another vendor's GPU ---------------------===//
// SPDX-License-Identifier: MIT
#include "Recorded.h"
#include "Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

static constexpr size_t maxWords = size_t(1) << 20; ///< of one result
static constexpr unsigned wordsInLine = 12;

Expected<Recorded> Recorded::load(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return failure(path + ": " + file.getError().message());
  Recorded recorded;
  Entry *entry = nullptr;
  unsigned number = 0;
  for (StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    ++number;
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    if (Error error = recorded.readLine(line, entry))
      return failure(path + ":" + Twine(number) + ": " + llvm::toString(std::move(error)));
  }
  return recorded;
}

/// Appends the words of " W W*N ...".
static Error readWords(StringRef line, Bytes &bytes) {
  llvm::SmallVector<StringRef, 16> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef text : words) {
    auto [digits, times] = text.split('*');
    uint32_t word = 0, count = 1;
    if (digits.getAsInteger(16, word) || (text.contains('*') && times.getAsInteger(10, count)) ||
        count > maxWords || bytes.size() / 4 + count > maxWords)
      return failure("'" + text + "' is no word, nor words");
    const size_t begin = bytes.size();
    bytes.resize(begin + 4 * size_t(count));
    for (size_t at = begin; at < bytes.size(); at += 4)
      llvm::support::endian::write32le(bytes.data() + at, word);
  }
  return Error::success();
}

Error Recorded::readLine(StringRef line, Entry *&entry) {
  if (line.starts_with("device ")) {
    origin = line.str();
    return Error::success();
  }
  if (line.consume_front("case ")) {
    entry = &entries[line.str()];
    return Error::success();
  }
  if (line.consume_front("differs ")) {
    auto [name, why] = line.split(": ");
    entries[name.str()].difference = why.str();
    entry = nullptr;
    return Error::success();
  }
  if (entry && line.consume_front("result ")) {
    entry->results.push_back({line.str(), {}});
    return Error::success();
  }
  if (entry && !entry->results.empty() && line.starts_with(" "))
    return readWords(line, entry->results.back().bytes);
  return failure("neither device, case, differs, nor a result of a case");
}

Recorded Recorded::begin(const PhysicalDevice &device) {
  Recorded recorded;
  const uint32_t version = device.properties.apiVersion;
  const std::time_t now = std::time(nullptr);
  char date[16] = "";
  std::tm parts = {};
  if (gmtime_r(&now, &parts))
    std::strftime(date, sizeof date, "%Y-%m-%d", &parts);
  recorded.origin = ("device " + device.name() + ", driver " + Twine(device.v12.driverName) + " " +
                     device.v12.driverInfo + ", vulkan " + Twine(VK_API_VERSION_MAJOR(version)) +
                     "." + Twine(VK_API_VERSION_MINOR(version)) + "." +
                     Twine(VK_API_VERSION_PATCH(version)) + ", date " + date)
                        .str();
  return recorded;
}

std::string Recorded::nameOf(const Case &test) {
  auto [path, variant] = StringRef(test.name).split(' ');
  StringRef file = llvm::sys::path::filename(path);
  return variant.empty() ? file.str() : (file + " " + variant).str();
}

void Recorded::add(const Case &test, llvm::ArrayRef<Bytes> results) {
  Entry &entry = entries[nameOf(test)];
  for (auto [expected, bytes] : llvm::zip_equal(test.expectations, results)) {
    Bytes words = bytes;
    words.resize(llvm::alignTo(words.size(), 4));
    entry.results.push_back({expected.resourceName, std::move(words)});
  }
}

void Recorded::addDifference(const Case &test, StringRef why) {
  entries[nameOf(test)].difference = why.str();
}

static void writeWords(llvm::raw_ostream &out, const Bytes &bytes) {
  unsigned column = 0;
  for (size_t at = 0; at + 4 <= bytes.size();) {
    const uint32_t word = llvm::support::endian::read32le(bytes.data() + at);
    uint32_t count = 0;
    for (; at + 4 <= bytes.size() && llvm::support::endian::read32le(bytes.data() + at) == word;
         at += 4)
      ++count;
    out << " " << llvm::utohexstr(word, /*LowerCase=*/true);
    if (count > 1)
      out << "*" << count;
    if (++column % wordsInLine == 0)
      out << "\n";
  }
  if (column % wordsInLine)
    out << "\n";
}

Error Recorded::write(const std::string &path) const {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  if (code)
    return failure(path + ": " + code.message());
  out << "# What test files wrote there; kiln-exec scripts --recorded compares with it.\n"
      << origin << "\n";
  for (const auto &[name, entry] : entries) {
    if (!entry.difference.empty()) {
      out << "differs " << name << ": " << entry.difference << "\n";
      continue;
    }
    out << "case " << name << "\n";
    for (const Result &result : entry.results) {
      out << "result " << result.resource << "\n";
      writeWords(out, result.bytes);
    }
  }
  return Error::success();
}

std::string Recorded::compare(const Case &test, llvm::ArrayRef<Bytes> results) {
  auto found = entries.find(nameOf(test));
  if (found == entries.end())
    return "";
  Entry &entry = found->second;
  entry.isSeen = true;
  if (!entry.difference.empty())
    return "";
  if (entry.results.size() != results.size())
    return "other results are recorded: " + origin;
  for (auto [expected, bytes, result] :
       llvm::zip_equal(test.expectations, results, entry.results)) {
    // Recorded are whole words.
    if (expected.resourceName != result.resource ||
        llvm::alignTo(bytes.size(), 4) != result.bytes.size())
      return "another result is recorded: " + result.resource;
    Bytes wanted = result.bytes;
    wanted.resize(bytes.size());
    std::string difference = compareBytes(expected.type, bytes, wanted, expected.tolerance);
    if (!difference.empty())
      return expected.resourceName + ": " + difference + " as recorded: " + origin;
  }
  return "";
}

std::vector<std::string> Recorded::unseen() const {
  std::vector<std::string> names;
  for (const auto &[name, entry] : entries)
    if (!entry.isSeen)
      names.push_back(name);
  return names;
}

} // namespace exec
