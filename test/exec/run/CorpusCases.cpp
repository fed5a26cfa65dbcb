//===- CorpusCases.cpp - runs the ready cases of the shader corpus --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads case.json (the corpus's README says what it holds): buffers with contents, pipelines with
/// bindings, and commands. Each `run` is a job that begins with the contents the one before left.
#include "Runners.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

namespace exec {

namespace {

Expected<Bytes> readFile(const Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return failure(path + ": " + file.getError().message());
  StringRef text = (*file)->getBuffer();
  return Bytes(text.bytes_begin(), text.bytes_end());
}

Expected<Bytes> bytesOfHex(StringRef text) {
  std::string bytes;
  if (!llvm::tryGetFromHex(text, bytes))
    return failure("'" + text + "' are no hexadecimal digits");
  return Bytes(bytes.begin(), bytes.end());
}

/// A check's value, which JSON holds as a number or, where it cannot, as text.
std::optional<double> numberOf(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return number;
  double number = 0;
  std::optional<StringRef> text = value.getAsString();
  if (!text || text->getAsDouble(number))
    return std::nullopt;
  return number;
}

class CorpusCase {
public:
  CorpusCase(Session &session, std::string folder) : session(session), folder(std::move(folder)) {}

  Error run() {
    Bytes text = KILN_TRY(readFile(folder + "/case.json"));
    Expected<json::Value> value =
        json::parse(StringRef(reinterpret_cast<const char *>(text.data()), text.size()));
    if (!value)
      return value.takeError();
    root = value->getAsObject();
    if (!root || !root->getObject("buffers") || !root->getObject("pipelines") ||
        !root->getArray("commands"))
      return failure("case.json lacks buffers, pipelines or commands");
    KILN_TRY(readBuffers());
    Error error = runCommands(*root->getArray("commands"));
    if (!error && checks == 0 && root->getArray("commands")->size() > 1)
      return failure("nothing was checked");
    return error;
  }

private:
  Error readBuffers() {
    for (const auto &[key, value] : *root->getObject("buffers")) {
      const json::Object &buffer = *value.getAsObject();
      const json::Object &init = *buffer.getObject("init");
      StringRef kind = init.getString("kind").value_or("");
      Expected<Bytes> bytes = Bytes(buffer.getInteger("bytes").value_or(0));
      if (kind == "hex") {
        bytes = bytesOfHex(init.getString("hex").value_or(""));
      } else if (kind == "file") {
        bytes = readFile(folder + "/" + init.getString("file").value_or(""));
      } else if (kind == "fill") {
        Bytes one = KILN_TRY(bytesOfHex(init.getString("hex").value_or("")));
        for (size_t i = 0; i < bytes->size() && !one.empty(); ++i)
          (*bytes)[i] = one[i % one.size()];
      } else if (kind != "zero") {
        return failure("initialisation '" + kind + "' is not known");
      }
      if (!bytes)
        return bytes.takeError();
      names[key.str()] = contents.size();
      contents.push_back(std::move(*bytes));
    }
    return Error::success();
  }

  Error runCommands(const json::Array &commands) {
    for (const json::Value &value : commands) {
      const json::Object &command = *value.getAsObject();
      StringRef op = command.getString("op").value_or("");
      using Apply = Error (CorpusCase::*)(const json::Object &);
      static const std::map<StringRef, Apply> table = {{"run", &CorpusCase::dispatch},
                                                       {"write", &CorpusCase::write},
                                                       {"expect", &CorpusCase::expect},
                                                       {"repeat", &CorpusCase::repeat}};
      auto found = table.find(op);
      if (found == table.end())
        return failure("command '" + op + "' is not known");
      KILN_TRY((this->*found->second)(command));
    }
    return Error::success();
  }

  Error repeat(const json::Object &command) {
    for (int64_t i = command.getInteger("count").value_or(0); i > 0; --i)
      KILN_TRY(runCommands(*command.getArray("commands")));
    return Error::success();
  }

  Error write(const json::Object &command) {
    Bytes &buffer = contents[names[command.getString("buffer")->str()]];
    Bytes bytes = KILN_TRY(bytesOfHex(command.getString("hex").value_or("")));
    uint64_t offset = command.getInteger("offset").value_or(0);
    buffer.resize(std::max<size_t>(buffer.size(), offset + bytes.size()));
    llvm::copy(bytes, buffer.begin() + offset);
    return Error::success();
  }

  Error dispatch(const json::Object &command) {
    const json::Object *pipeline =
        root->getObject("pipelines")->getObject(command.getString("pipeline").value_or(""));
    if (!pipeline)
      return failure("run: no such pipeline");
    Job job;
    job.name = folder;
    job.buffers = contents;
    KILN_TRY(readShader(*(*pipeline->getArray("shaders"))[0].getAsObject(), job));
    for (const json::Value &binding : *pipeline->getArray("bindings"))
      KILN_TRY(bind(*binding.getAsObject(), job));
    if (std::optional<StringRef> push = pipeline->getString("push_constant"))
      job.push = contents[names[push->str()]];
    const json::Array &groups = *command.getArray("groups");
    Dispatch &dispatch = job.dispatches.emplace_back();
    for (size_t i = 0; i < 3; ++i)
      dispatch.groups[i] = groups[i].getAsInteger().value_or(1);
    JobResult result = KILN_TRY(session.run(job));
    contents = std::move(result.buffers);
    return Error::success();
  }

  Error readShader(const json::Object &stage, Job &job) {
    const json::Object *shader =
        root->getObject("shaders")->getObject(stage.getString("shader").value_or(""));
    if (!shader)
      return failure("no such shader");
    job.entry = stage.getString("entry").value_or("main").str();
    for (const json::Value &value : *stage.getArray("specialize")) {
      const json::Object &constant = *value.getAsObject();
      Bytes bytes = KILN_TRY(bytesOfHex(constant.getString("hex").value_or("")));
      llpc::SpecConstant &spec = job.specialization.emplace_back();
      spec.constantId = constant.getInteger("id").value_or(0);
      spec.size = bytes.size();
      std::memcpy(&spec.value, bytes.data(), std::min<size_t>(8, bytes.size()));
    }
    std::string path = folder + "/" + shader->getString("text").value_or("").str();
    Bytes text = KILN_TRY(readFile(path));
    // SPIR-V 1.0 is what the corpus was built for; modules with 1.4 say so in their text.
    Expected<std::vector<uint32_t>> words =
        compileShader(shader->getString("format") == "SPIRV-ASM" ? "x.spvasm" : "x.comp",
                      std::string(text.begin(), text.end()), {}, "vulkan1.0");
    if (!words)
      return words.takeError();
    job.spirv = std::move(*words);
    return Error::success();
  }

  Error bind(const json::Object &binding, Job &job) {
    static const std::map<StringRef, VkDescriptorType> types = {
        {"storage", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        {"uniform", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
        {"storage_dynamic", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
        {"uniform_dynamic", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC}};
    auto type = types.find(binding.getString("type").value_or(""));
    if (type == types.end())
      return failure("binding type '" + binding.getString("type").value_or("") + "' is not known");
    auto at = [&](StringRef key, size_t i, int64_t fallback) {
      const json::Array *array = binding.getArray(key);
      return array && i < array->size() ? (*array)[i].getAsInteger().value_or(fallback) : fallback;
    };
    for (auto [i, name] : llvm::enumerate(*binding.getArray("buffers"))) {
      Binding &result = job.bindings.emplace_back();
      result.set = binding.getInteger("set").value_or(0);
      result.binding = binding.getInteger("binding").value_or(0);
      result.element = i;
      result.type = type->second;
      result.resource = names[name.getAsString()->str()];
      result.offset = at("descriptor_offsets", i, 0);
      int64_t range = at("descriptor_ranges", i, -1);
      result.dynamicOffset = at("dynamic_offsets", i, 0);
      // A range to the end of the buffer and a dynamic offset exclude each other.
      uint64_t rest = job.buffers[result.resource].size() - result.offset - result.dynamicOffset;
      result.range = range >= 0 ? range : isDynamic(result.type) ? rest : VK_WHOLE_SIZE;
    }
    return Error::success();
  }

  static bool isDynamic(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  }

  Error expect(const json::Object &command) {
    const Bytes &buffer = contents[names[command.getString("buffer")->str()]];
    if (command.getString("cmp") == "EQ_BUFFER") {
      ++checks;
      return buffer == contents[names[command.getString("other")->str()]]
                 ? Error::success()
                 : failure("buffers '" + *command.getString("buffer") + "' and '" +
                           *command.getString("other") + "' differ");
    }
    double tolerance = 0;
    bool isPercent = false;
    if (const json::Array *list = command.getArray("tolerance"); list && !list->empty()) {
      const json::Array &first = *(*list)[0].getAsArray();
      tolerance = first[0].getAsNumber().value_or(0);
      isPercent = first[1].getAsBoolean().value_or(false);
    }
    for (const json::Value &value : *command.getArray("checks")) {
      ++checks;
      KILN_TRY(check(buffer, *value.getAsArray(), tolerance, isPercent,
                     command.getString("cmp").value_or("")));
    }
    return Error::success();
  }

  static Error check(const Bytes &buffer, const json::Array &row, double tolerance, bool isPercent,
                     StringRef compare) {
    uint64_t offset = row[0].getAsInteger().value_or(0);
    std::optional<ScalarType> type = scalarTypeOf(row[1].getAsString().value_or(""));
    std::optional<double> wanted = numberOf(row[2]);
    if (!type || !wanted || offset + sizeOf(*type) > buffer.size())
      return failure("a check is not understood");
    uint64_t bits = loadBits(*type, buffer.data() + offset);
    double actual = isFloat(*type) ? toDouble(*type, bits) : double(toInteger(*type, bits));
    double allowed = isPercent ? std::fabs(*wanted) * tolerance / 100 : tolerance;
    if (tolerance == 0 && isFloat(*type))
      allowed = 1e-8 * std::max(std::fabs(*wanted), std::fabs(actual));
    bool equal = actual == *wanted || std::fabs(actual - *wanted) <= allowed ||
                 (std::isnan(actual) && std::isnan(*wanted));
    const std::pair<StringRef, bool> results[] = {{"EQ", equal},
                                                  {"NE", !equal},
                                                  {"LT", actual < *wanted},
                                                  {"LE", actual <= *wanted},
                                                  {"GT", actual > *wanted},
                                                  {"GE", actual >= *wanted}};
    for (const auto &[name, holds] : results)
      if (name == compare)
        return holds ? Error::success()
                     : failure("byte " + Twine(offset) + " is " + toText(*type, bits) +
                               ", expected " + compare + " " + Twine(std::to_string(*wanted)));
    return failure("comparison '" + compare + "' is not known");
  }

  Session &session;
  std::string folder;
  const json::Object *root = nullptr;
  std::map<std::string, uint32_t> names;
  std::vector<Bytes> contents;
  unsigned checks = 0;
};

} // namespace

void runCorpusCases(Session &session, Report &report, const RunOptions &options) {
  for (const std::string &path : findFiles(options.inputs, {"/case.json"})) {
    std::string folder = llvm::sys::path::parent_path(path).str();
    std::string name = llvm::sys::path::filename(folder).str();
    if (name.find(options.filter) == std::string::npos)
      continue;
    Error error = CorpusCase(session, folder).run();
    if (error)
      report.fail(name, llvm::toString(std::move(error)));
    else
      report.pass(name);
  }
}

} // namespace exec
