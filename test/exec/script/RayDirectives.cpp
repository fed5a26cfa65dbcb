//===- RayDirectives.cpp - ray tracing pipelines of tests -----------------===//
// SPDX-License-Identifier: MIT
#include "RayDirectives.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace exec {

namespace {

Expected<uint32_t> numberOf(const std::map<std::string, uint32_t> &names, StringRef name,
                            const char *what) {
  auto found = names.find(name.str());
  if (found == names.end())
    return failure(llvm::Twine("no ") + what + " '" + name + "'");
  return found->second;
}

/// The shader of an option; none where it is not given.
Expected<uint32_t> shaderOf(const RayScope &scope, StringRef name) {
  if (name.empty())
    return VK_SHADER_UNUSED_KHR;
  return numberOf(scope.shaders, name, "shader");
}

constexpr std::pair<StringRef, VkRayTracingShaderGroupTypeKHR> groupTypes[] = {
    {"general", VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR},
    {"triangles", VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR},
    {"procedural", VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR}};

/// group NAME general|triangles|procedural [shader=] [closest=] [any=] [intersection=] [library=N]
Error group(RayScope &scope, StringRef rest) {
  const Words words(rest);
  const auto *type = llvm::find_if(groupTypes, [&](auto &row) { return row.first == words.at(1); });
  if (type == std::end(groupTypes))
    return failure("group: '" + words.at(1) + "' is no type");
  RayGroupSpec spec;
  spec.type = type->second;
  for (auto [key, member] : {std::pair(StringRef("shader"), &RayGroupSpec::general),
                             std::pair(StringRef("closest"), &RayGroupSpec::closestHit),
                             std::pair(StringRef("any"), &RayGroupSpec::anyHit),
                             std::pair(StringRef("intersection"), &RayGroupSpec::intersection)}) {
    uint32_t shader = KILN_TRY(shaderOf(scope, words.text(key)));
    spec.*member = shader;
  }
  spec.library = words.number("library", 0);
  scope.groups[words.at(0).str()] = scope.job.rays->groups.size();
  scope.job.rays->groups.push_back(spec);
  return Error::success();
}

/// shader SHADER library=N
Error shader(RayScope &scope, StringRef rest) {
  const Words words(rest);
  uint32_t number = KILN_TRY(numberOf(scope.shaders, words.at(0), "shader"));
  scope.job.rays->shaders[number].library = words.number("library", 0);
  return Error::success();
}

constexpr StringRef tableNames[rayTableCount] = {"raygen", "miss", "hit", "callable"};

/// record raygen|miss|hit|callable GROUP|null [: TYPE VALUES]
Error record(RayScope &scope, StringRef rest) {
  auto [head, text] = rest.split(" :");
  const Words words(head);
  const auto *table = llvm::find(tableNames, words.at(0));
  if (table == std::end(tableNames))
    return failure("record: '" + words.at(0) + "' is no table");
  RayRecordSpec spec;
  if (words.at(1) != "null") {
    uint32_t number = KILN_TRY(numberOf(scope.groups, words.at(1), "group"));
    spec.group = number;
  }
  if (auto [typeName, values] = text.trim().split(' '); !typeName.empty()) {
    std::optional<ScalarType> type = scalarTypeOf(typeName);
    if (!type)
      return failure("record: '" + typeName + "' is no type");
    KILN_TRY(parseValues(*type, values, scope.values, spec.data));
  }
  scope.job.rays->records[table - tableNames].push_back(std::move(spec));
  return Error::success();
}

/// trace X [Y [Z]] [from=command|indirect|indirect2] [raygen=RECORD]
Error trace(RayScope &scope, StringRef rest) {
  const Words words(rest);
  TraceSpec spec;
  for (size_t i = 0; i < words.plain.size() && i < 3; ++i)
    if (words.at(i).getAsInteger(10, spec.size[i]))
      return failure("trace: '" + words.at(i) + "' is no size");
  const StringRef from = words.text("from", "command");
  spec.from = from == "indirect"    ? TraceSpec::From::Indirect
              : from == "indirect2" ? TraceSpec::From::Indirect2
                                    : TraceSpec::From::Command;
  spec.rayGen = words.number("raygen", 0);
  scope.job.rays->traces.push_back(spec);
  return Error::success();
}

constexpr std::pair<StringRef, VkPipelineCreateFlagBits> pipelineFlags[] = {
    {"skip-triangles", VK_PIPELINE_CREATE_RAY_TRACING_SKIP_TRIANGLES_BIT_KHR},
    {"skip-aabbs", VK_PIPELINE_CREATE_RAY_TRACING_SKIP_AABBS_BIT_KHR},
    {"no-null-any", VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_ANY_HIT_SHADERS_BIT_KHR},
    {"no-null-closest", VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_CLOSEST_HIT_SHADERS_BIT_KHR},
    {"no-null-miss", VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_MISS_SHADERS_BIT_KHR},
    {"no-null-intersection", VK_PIPELINE_CREATE_RAY_TRACING_NO_NULL_INTERSECTION_SHADERS_BIT_KHR}};

/// pipeline [depth=N] [stack=BYTES] [flags=FLAG,...] [replay=1]
Error pipeline(RayScope &scope, StringRef rest) {
  const Words words(rest);
  RaysSpec &spec = *scope.job.rays;
  spec.depth = words.number("depth", spec.depth);
  if (words.options.count("stack"))
    spec.stackBytes = words.number("stack", 0);
  spec.replays = words.number("replay", 0) != 0;
  llvm::SmallVector<StringRef, 4> flags;
  words.text("flags").split(flags, ',', -1, /*KeepEmpty=*/false);
  for (StringRef flag : flags) {
    const auto *row = llvm::find_if(pipelineFlags, [&](auto &r) { return r.first == flag; });
    if (row == std::end(pipelineFlags))
      return failure("pipeline: '" + flag + "' is no flag");
    spec.flags |= row->second;
  }
  return Error::success();
}

/// A group of its own, and a record, for a shader that no line names.
void addAlone(RaysSpec &spec, uint32_t shader) {
  RayGroupSpec group;
  RayTable table = RayTable::Hit;
  switch (spec.shaders[shader].stage) {
  case VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR:
    group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
    group.closestHit = shader;
    break;
  case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
    group.general = shader;
    table = RayTable::RayGen;
    break;
  case VK_SHADER_STAGE_MISS_BIT_KHR:
    group.general = shader;
    table = RayTable::Miss;
    break;
  default:
    group.general = shader;
    table = RayTable::Callable;
  }
  spec.records[static_cast<unsigned>(table)].push_back(
      {static_cast<uint32_t>(spec.groups.size()), {}});
  spec.groups.push_back(group);
}

} // namespace

Expected<bool> applyRayDirective(RayScope &scope, StringRef keyword, StringRef rest) {
  using Apply = Error (*)(RayScope &, StringRef);
  static constexpr std::pair<StringRef, Apply> table[] = {{"group", group},
                                                          {"shader", shader},
                                                          {"record", record},
                                                          {"trace", trace},
                                                          {"pipeline", pipeline}};
  if (!scope.job.rays)
    return false;
  for (const auto &[name, apply] : table)
    if (name == keyword) {
      KILN_TRY(apply(scope, rest));
      return true;
    }
  return false;
}

void finishRays(RayScope &scope) {
  RaysSpec &spec = *scope.job.rays;
  // A test says all groups and records, or none.
  if (spec.groups.empty())
    for (uint32_t shader = 0; shader < spec.shaders.size(); ++shader)
      addAlone(spec, shader);
  if (spec.traces.empty())
    spec.traces.emplace_back();
}

} // namespace exec
