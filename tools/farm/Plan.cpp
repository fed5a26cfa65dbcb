//===- Plan.cpp - what a farm is to do ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "Plan.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/JsonText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using replay::Json;

namespace farm {

constexpr uint64_t planVersion = 1;
/// More would be no farm; and results name a target with a byte.
constexpr size_t mostTargets = 64;

std::string Plan::file(StringRef name) const {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

std::string Plan::bucketFile(uint32_t bucket) const {
  return file(llvm::formatv("buckets/{0,0+4}.bucket", bucket).str());
}

std::pair<uint32_t, uint32_t> Plan::bucketsOf(uint64_t task, uint64_t tasks) const {
  return {static_cast<uint32_t>(buckets * task / tasks),
          static_cast<uint32_t>(buckets * (task + 1) / tasks)};
}

PlanHasher::PlanHasher(const Plan &plan) {
  maker.addSized("kiln-farm plan " + std::to_string(planVersion));
  maker.addSized(plan.compiler);
  maker.addSized(plan.optLevel ? std::to_string(*plan.optLevel) : "");
  maker.addSized(std::to_string(plan.buckets));
  for (const std::string &target : plan.targets)
    maker.addSized(target);
  maker.addSized("");
}

Error Plan::save() const {
  Json json = Json::object();
  json["version"] = planVersion;
  json["compiler"] = compiler;
  json["targets"] = targets;
  json["optLevel"] = optLevel ? Json(*optLevel) : Json();
  json["items"] = items;
  json["buckets"] = buckets;
  json["hash"] = toText(hash);
  return writeFile(file("plan.json"),
                   json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

namespace {

/// Members of plan.json, each of one type.
class PlanReader {
public:
  explicit PlanReader(const replay::JsonText &text) : text(text) {}

  Expected<uint64_t> number(StringRef name, uint64_t most) const {
    const Json *value = replay::member(text.root(), name);
    const auto *number = value ? value->get_ptr<const Json::number_unsigned_t *>() : nullptr;
    if (!number || *number > most)
      return text.error(replay::Place(top, name), "no number of at most " + llvm::Twine(most));
    return *number;
  }
  Expected<std::string> string(const Json *value, StringRef name) const {
    const auto *string = value ? value->get_ptr<const std::string *>() : nullptr;
    if (!string)
      return text.error(replay::Place(top, name), "no text");
    return *string;
  }
  Expected<std::string> string(StringRef name) const {
    return string(replay::member(text.root(), name), name);
  }
  Expected<std::vector<std::string>> targets() const {
    const Json *list = replay::member(text.root(), "targets");
    if (!list || !list->is_array() || list->empty() || list->size() > mostTargets)
      return text.error(replay::Place(top, "targets"), "no list of targets");
    std::vector<std::string> names;
    for (const Json &element : *list) {
      std::string name = KILN_TRY(string(&element, "targets"));
      names.push_back(std::move(name));
    }
    return names;
  }

private:
  const replay::JsonText &text;
  const replay::Place top;
};

} // namespace

Expected<Plan> Plan::load(const std::string &folder) {
  Plan plan;
  plan.folder = folder;
  replay::JsonText text = KILN_TRY(replay::JsonText::load(plan.file("plan.json")));
  const PlanReader reader(text);
  uint64_t version = KILN_TRY(reader.number("version", UINT64_MAX));
  if (version != planVersion)
    return lgc::invalidInput(text.name() + ": a plan of another version");
  plan.compiler = KILN_TRY(reader.string("compiler"));
  plan.targets = KILN_TRY(reader.targets());
  if (const Json *level = replay::member(text.root(), "optLevel"); level && !level->is_null())
    plan.optLevel = static_cast<unsigned>(KILN_TRY(reader.number("optLevel", 3)));
  plan.items = KILN_TRY(reader.number("items", UINT32_MAX));
  plan.buckets = static_cast<uint32_t>(KILN_TRY(reader.number("buckets", 65536)));
  std::string hash = KILN_TRY(reader.string("hash"));
  const std::optional<Name> name = nameFromText(hash);
  if (!name || !plan.buckets)
    return lgc::invalidInput(text.name() + ": no hash, or no buckets");
  plan.hash = *name;
  return plan;
}

//===--- Files ------------------------------------------------------------===//

static Error fault(const std::string &path) {
  const int code = errno;
  return lgc::limitExceeded(path + ": " + std::generic_category().message(code));
}

Error writeFile(const std::string &path, StringRef bytes) {
  const std::string beside = path + ".new-" + std::to_string(getpid());
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return fault(beside);
  bool isGood = true;
  for (size_t done = 0; isGood && done < bytes.size();) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    isGood = count >= 0 || errno == EINTR;
    done += static_cast<size_t>(std::max<ssize_t>(count, 0));
  }
  isGood = isGood && fsync(file) == 0;
  Error error = isGood ? Error::success() : fault(path);
  ::close(file);
  if (!error && ::rename(beside.c_str(), path.c_str()) == 0)
    return error;
  if (!error)
    error = fault(path);
  ::unlink(beside.c_str());
  return error;
}

Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  return std::move(*file);
}

} // namespace farm
