//===- Bucket.cpp - results of a range of items ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Bucket.h"
#include "Plan.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <unistd.h>

using llvm::Expected;
using llvm::StringRef;
namespace endian = llvm::support::endian;

namespace farm {
namespace {

constexpr char magic[8] = {'K', 'I', 'L', 'N', 'B', 'K', 'T', 1};
constexpr size_t headBytes = sizeof magic + sizeof(Name) + 8, rowBytes = sizeof(Name) + 8;

void append(std::string &bytes, const Name &name) {
  bytes.append(textOf(llvm::ArrayRef<uint8_t>(name)));
}
void append(std::string &bytes, uint32_t number) {
  char little[4];
  endian::write32le(little, number);
  bytes.append(little, sizeof little);
}
Name nameAt(StringRef bytes) {
  Name name;
  std::memcpy(name.data(), bytes.data(), name.size());
  return name;
}

} // namespace

const char *nameOf(Status status) {
  static constexpr const char *names[statusCount] = {"none", "good", "failed", "skipped", "poison"};
  return names[static_cast<size_t>(status)];
}

std::string encodeBucket(const Name &plan, uint32_t bucket, std::vector<Result> &results) {
  std::sort(results.begin(), results.end(), [](const Result &a, const Result &b) {
    return std::tie(a.item, a.target) < std::tie(b.item, b.target);
  });
  std::string bytes(magic, sizeof magic);
  append(bytes, plan);
  append(bytes, bucket);
  append(bytes, static_cast<uint32_t>(results.size()));
  for (const Result &result : results) {
    append(bytes, result.item);
    bytes.push_back(static_cast<char>(result.target));
    bytes.push_back(static_cast<char>(result.status));
    bytes.append(2, '\0');
    append(bytes, static_cast<uint32_t>(result.payload.size()));
    bytes += result.payload;
  }
  append(bytes, nameOf(bytesOf(bytes)));
  return bytes;
}

Expected<BucketView> BucketView::create(StringRef bytes, const Name &plan, uint32_t bucket) {
  auto fault = [&](const char *what) {
    return lgc::invalidInput("bucket " + llvm::Twine(bucket) + ": " + what);
  };
  if (bytes.size() < headBytes + sizeof(Name) ||
      std::memcmp(bytes.data(), magic, sizeof magic) != 0)
    return fault("no bucket, or a part of one");
  BucketView view;
  view.sum = nameOf(bytesOf(bytes.drop_back(sizeof(Name))));
  if (nameAt(bytes.take_back(sizeof(Name))) != view.sum)
    return fault("damaged");
  if (nameAt(bytes.substr(sizeof magic)) != plan ||
      endian::read32le(bytes.data() + headBytes - 8) != bucket)
    return fault("of another plan, or another bucket");
  const uint32_t count = endian::read32le(bytes.data() + headBytes - 4);
  uint64_t at = headBytes;
  const uint64_t end = bytes.size() - sizeof(Name);
  for (uint32_t i = 0; i < count; ++i) {
    if (end - at < rowBytes)
      return fault("shorter than its results");
    const StringRef head = bytes.substr(at, rowBytes);
    at += rowBytes;
    const uint32_t size = endian::read32le(head.data() + rowBytes - 4);
    const auto status = static_cast<uint8_t>(head[sizeof(Name) + 1]);
    if (end - at < size || !status || status >= statusCount)
      return fault("a result that cannot be");
    view.list.push_back({nameAt(head), static_cast<uint8_t>(head[sizeof(Name)]),
                         static_cast<Status>(status), bytes.substr(at, size), at});
    at += size;
  }
  if (at != end)
    return fault("longer than its results");
  return view;
}

/// What there is is somebody else's: the same, or an alarm.
static Expected<Stored> compare(const std::string &path, StringRef bytes) {
  auto there = readFile(path);
  if (there && (*there)->getBuffer() == bytes)
    return Stored::Same;
  llvm::consumeError(there.takeError());
  const std::string hash = toText(nameOf(bytesOf(bytes))).substr(0, 16);
  KILN_TRY(writeFile(path + ".differs-" + hash, bytes));
  return Stored::Differs;
}

Expected<Stored> storeBucket(const std::string &path, StringRef bytes, bool replaces) {
  char host[64] = {};
  gethostname(host, sizeof host - 1);
  const std::string beside = path + ".new-" + host + "-" + std::to_string(getpid());
  KILN_TRY(writeFile(beside, bytes));
  // A link never takes another's place; not all file systems have them.
  const bool isLinked = !replaces && ::link(beside.c_str(), path.c_str()) == 0;
  const bool exists =
      !replaces && !isLinked && (errno == EEXIST || access(path.c_str(), F_OK) == 0);
  if (isLinked || exists) {
    ::unlink(beside.c_str());
    return exists ? compare(path, bytes) : Stored::New;
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const int code = errno;
    ::unlink(beside.c_str());
    return lgc::limitExceeded(path + ": " + std::generic_category().message(code));
  }
  return Stored::New;
}

} // namespace farm
