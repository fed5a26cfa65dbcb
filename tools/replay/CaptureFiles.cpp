//===- CaptureFiles.cpp - the files around a captured pipeline ------------===//
// SPDX-License-Identifier: MIT
#include "Capture.h"
#include "JsonText.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace replay {

std::vector<std::string> findCaptures(const std::string &place) {
  if (!fs::is_directory(place))
    return {place};
  std::vector<std::string> found;
  std::error_code code;
  for (fs::recursive_directory_iterator at(place, code), end; at != end && !code;
       at.increment(code)) {
    StringRef folder = path::filename(path::parent_path(at->path()));
    if (path::extension(at->path()) == ".json" &&
        llvm::any_of(pipelineKinds, [&](const PipelineKindRow &row) { return folder == row.name; }))
      found.push_back(at->path());
  }
  llvm::sort(found);
  return found;
}

/// FOLDER/graphics/HASH.json -> FOLDER/NAME
static SmallString<256> besideFolder(const Capture &capture, const llvm::Twine &name) {
  SmallString<256> file(path::parent_path(path::parent_path(capture.name)));
  path::append(file, name);
  return file;
}

Expected<std::shared_ptr<const Capture>> loadLibrary(const Capture &capture, StringRef hash) {
  if (capture.source)
    return capture.source->library(capture.kind, hash);
  SmallString<256> file(path::parent_path(capture.name));
  path::append(file, hash + ".json");
  return Capture::load(file.str().str());
}

static bool isModule(llvm::ArrayRef<uint32_t> words) {
  return words.size() >= 5 && words[0] == 0x07230203;
}

Expected<std::vector<uint32_t>> loadModule(const Capture &capture, StringRef hash) {
  if (capture.source) {
    auto words = capture.source->module(hash);
    if (words && !isModule(*words))
      return lgc::invalidInput(capture.name + ": module " + hash + " is no SPIR-V module");
    return words;
  }
  SmallString<256> file = besideFolder(capture, "modules/" + hash + ".spv");
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return lgc::invalidInput(file + ": " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty())
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
  if (bytes.size() % 4 || !isModule(words))
    return lgc::invalidInput(file + ": no SPIR-V module");
  return words;
}

llvm::ArrayRef<const char *> codeFeatures() {
  static constexpr const char *names[] = {"robustBufferAccess",  "robustImageAccess",
                                          "robustBufferAccess2", "robustImageAccess2",
                                          "nullDescriptor",      "primitivesGeneratedQuery"};
  return names;
}

/// Names of members that are true, also in pNext.
static void collectTrue(const Json &json, std::vector<std::string> &names, unsigned depth) {
  if (depth > 8)
    return;
  for (auto item = json.begin(); item != json.end(); ++item) {
    if (item->is_boolean() && *item->get_ptr<const bool *>() && json.is_object())
      names.push_back(item.key());
    else if (item->is_structured())
      collectTrue(*item, names, depth + 1);
  }
}

Expected<std::vector<std::string>> loadFeatures(const Capture &capture) {
  if (capture.source)
    return capture.source->features();
  std::vector<std::string> names;
  SmallString<256> file = besideFolder(capture, "application.json");
  if (!fs::exists(file))
    return names;
  JsonText text = KILN_TRY(JsonText::load(file.str().str()));
  if (!text.root().is_array())
    return text.error({}, "no array of devices");
  for (const Json &device : text.root())
    if (const Json *features = member(device, "physicalDeviceFeatures"))
      if (features->is_structured())
        collectTrue(*features, names, 0);
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

} // namespace replay
