//===- Environment.cpp - the variables that the ICD reads -----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Environment.h"
#include "icd_glue/ProcessEnvironment.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstdlib>

using namespace llvm;

namespace icd {
namespace {

Error badValue(const Twine &why) { return createStringError(inconvertibleErrorCode(), why); }

template <typename T> Error parseNumber(StringRef text, T &value) {
  if (!to_integer(text, value, 0))
    return badValue("'" + text + "' is no number");
  return Error::success();
}

Error parseBool(StringRef text, bool &value) {
  if (text != "0" && text != "1")
    return badValue("'" + text + "' is neither 0 nor 1");
  value = text == "1";
  return Error::success();
}

Error parseDevices(StringRef text, Environment &environment) {
  environment.devices.clear();
  SmallVector<StringRef, 8> names;
  text.split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(name.trim());
    if (!target)
      return badValue("'" + name.trim() + "' is no known target, such as gfx1100");
    environment.devices.push_back(target->name.str());
  }
  if (environment.devices.empty())
    return badValue("no target is named");
  return Error::success();
}

Error parseTraceInto(StringRef text, Environment &environment) {
  pal::device::TraceOptions trace = KILN_TRY(parseTrace(text));
  environment.device.trace = trace;
  return Error::success();
}

Error parseOptLevel(StringRef text, Environment &environment) {
  unsigned level = 0;
  KILN_TRY(parseNumber(text, level));
  if (level > 3)
    return badValue("'" + text + "' is not in 0..3");
  environment.optLevel = level;
  return Error::success();
}

Error parseTier(StringRef text, Environment &environment) {
  if (text != "llvm" && text != "direct" && text != "auto")
    return badValue("'" + text + "' is none of llvm, direct, auto");
  environment.directFirst = text == "auto";
  environment.tier = text == "direct" ? lgc::Tier::Direct : lgc::Tier::Llvm;
  return Error::success();
}

Error parseRegisters(StringRef text, Environment &environment) {
  constexpr unsigned leastSgprs = 16;
  const auto [vgprs, sgprs] = text.split(',');
  KILN_TRY(parseNumber(vgprs, environment.vgprLimit));
  KILN_TRY(parseNumber(sgprs, environment.sgprLimit));
  if (environment.sgprLimit && environment.sgprLimit < leastSgprs)
    return badValue("'" + sgprs + "' is less than " + Twine(leastSgprs));
  return Error::success();
}

Error parseNgg(StringRef text, Environment &environment) {
  SmallVector<StringRef, 4> words;
  text.split(words, ',');
  lgc::NggState &ngg = environment.ngg;
  for (StringRef word : words) {
    if (word == "gfx10")
      ngg.force = ngg.enableGsUse = true;
    else if (word == "culling")
      ngg.backfaceCulling = ngg.frustumCulling = ngg.smallPrimitiveFilter =
          ngg.cullDistanceCulling = true;
    else
      return badValue("'" + word + "' is neither gfx10 nor culling");
  }
  return Error::success();
}

Error parseCompileThreads(StringRef text, Environment &environment) {
  KILN_TRY(parseNumber(text, environment.compileThreads));
  if (environment.compileThreads != 1 && environment.compileThreads != 2)
    return badValue("'" + text + "' is neither 1 nor 2");
  return Error::success();
}

Error parsePartMode(StringRef text, Environment &environment) {
  if (text == "off")
    environment.parts.mode = PartMode::Off;
  else if (text == "on")
    environment.parts.mode = PartMode::On;
  else if (text == "sync")
    environment.parts.mode = PartMode::Sync;
  else
    return badValue("'" + text + "' is none of off, on, sync");
  return Error::success();
}

Error parseWorkers(StringRef text, Environment &environment) {
  constexpr unsigned most = 64;
  KILN_TRY(parseNumber(text, environment.parts.workers));
  if (environment.parts.workers > most)
    return badValue("'" + text + "' is more than " + Twine(most));
  return Error::success();
}

Error parseDiskMode(StringRef text, Environment &environment) {
  if (text == "off")
    environment.disk.mode = DiskMode::Off;
  else if (text == "on")
    environment.disk.mode = DiskMode::On;
  else if (text == "readonly")
    environment.disk.mode = DiskMode::ReadOnly;
  else
    return badValue("'" + text + "' is none of off, on, readonly");
  return Error::success();
}

Error parseRecipeMode(StringRef text, Environment &environment) {
  if (text == "off")
    environment.disk.recipes = RecipeMode::Off;
  else if (text == "on")
    environment.disk.recipes = RecipeMode::On;
  else if (text == "wait")
    environment.disk.recipes = RecipeMode::Wait;
  else
    return badValue("'" + text + "' is none of off, on, wait");
  return Error::success();
}

Error parseDiskSize(StringRef text, Environment &environment) {
  constexpr uint64_t most = uint64_t(1) << 24;
  uint64_t megabytes = 0;
  KILN_TRY(parseNumber(text, megabytes));
  if (megabytes == 0 || megabytes > most)
    return badValue("'" + text + "' is not in 1.." + Twine(most));
  environment.disk.maxBytes = megabytes << 20;
  return Error::success();
}

/// Folders of users' caches as the XDG Base Directory Specification has them.
std::string defaultDiskFolder(const Environment::Lookup &lookup) {
  const auto absolute = [&](const char *name) {
    const char *text = lookup(name);
    return StringRef(text && *text == '/' ? text : "");
  };
  if (StringRef caches = absolute("XDG_CACHE_HOME"); !caches.empty())
    return (caches + "/kiln").str();
  if (StringRef home = absolute("HOME"); !home.empty())
    return (home + "/.cache/kiln").str();
  return {};
}

/// One row per variable; docs/environment.md says what they mean.
struct Variable {
  const char *name;
  Error (*parse)(StringRef text, Environment &environment);
};

constexpr Variable variables[] = {
    {"KILN_DEVICES", parseDevices},
    {"KILN_LOG",
     [](StringRef text, Environment &environment) -> Error {
       environment.logFile = text.str();
       return Error::success();
     }},
    {"KILN_TRACE", parseTraceInto},
    {"KILN_POISON",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.device.poison);
     }},
    {"KILN_STRICT",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.device.strict);
     }},
    {"KILN_SEED",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.device.seed);
     }},
    {"KILN_ULP",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.device.perturbApproximate);
     }},
    {"KILN_INSTRUCTION_LIMIT",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.device.instructionLimit);
     }},
    {"KILN_THREADS",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.device.threads);
     }},
    {"KILN_OPCODE_COUNTS",
     [](StringRef text, Environment &environment) -> Error {
       environment.opcodeCountsFile = text.str();
       return Error::success();
     }},
    {"KILN_OPT_LEVEL", parseOptLevel},
    {"KILN_TIER", parseTier},
    {"KILN_REGISTERS", parseRegisters},
    {"KILN_NGG", parseNgg},
    {"KILN_COMPILE_THREADS", parseCompileThreads},
    {"KILN_PARTS", parsePartMode},
    {"KILN_PART_WORKERS", parseWorkers},
    {"KILN_PART_QUEUE_ENTRIES",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.parts.queueEntries);
     }},
    {"KILN_PART_QUEUE_BYTES",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.parts.queueBytes);
     }},
    {"KILN_UNIFORM_BUFFERS_DYNAMIC",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.parts.uniformBuffersDynamic);
     }},
    {"KILN_STORAGE_BUFFERS_DYNAMIC",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.parts.storageBuffersDynamic);
     }},
    {"KILN_MONOLITHIC_LATER",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.parts.monolithicLater);
     }},
    {"KILN_CACHE_BYTES",
     [](StringRef text, Environment &environment) -> Error {
       return parseNumber(text, environment.cacheBytes);
     }},
    {"KILN_CACHE", parseDiskMode},
    {"KILN_CACHE_DIR",
     [](StringRef text, Environment &environment) -> Error {
       environment.disk.folder = text.str();
       environment.disk.isFolderChosen = true;
       return Error::success();
     }},
    {"KILN_CACHE_MAX_MB", parseDiskSize},
    {"KILN_CACHE_READ_ONLY",
     [](StringRef text, Environment &environment) -> Error {
       SmallVector<StringRef, 4> files;
       text.split(files, ':', -1, /*KeepEmpty=*/false);
       environment.disk.readOnlyFiles.assign(files.begin(), files.end());
       return Error::success();
     }},
    {"KILN_CACHE_READ_ONLY_KEYS",
     [](StringRef text, Environment &environment) -> Error {
       environment.disk.readOnlyKeys = text.str();
       return Error::success();
     }},
    {"KILN_CACHE_SALT",
     [](StringRef text, Environment &environment) -> Error {
       environment.disk.salt = text.str();
       return Error::success();
     }},
    {"KILN_CACHE_SERVER",
     [](StringRef text, Environment &environment) -> Error {
       environment.disk.server = text.str();
       return Error::success();
     }},
    {"KILN_CACHE_SERVER_KEYS",
     [](StringRef text, Environment &environment) -> Error {
       environment.disk.serverKeys = text.str();
       return Error::success();
     }},
    {"KILN_RECIPES", parseRecipeMode},
    {"KILN_STATS",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.stats);
     }},
    {"KILN_READY_DRAWS",
     [](StringRef text, Environment &environment) -> Error {
       return parseBool(text, environment.readyDraws);
     }},
    {"KILN_DUMP_DIR",
     [](StringRef text, Environment &environment) -> Error {
       environment.dumpFolder = text.str();
       return Error::success();
     }},
    {"KILN_REPLACE_DIR",
     [](StringRef text, Environment &environment) -> Error {
       environment.replaceFolder = text.str();
       return Error::success();
     }},
    {"KILN_PRESENT_DIR",
     [](StringRef text, Environment &environment) -> Error {
       environment.presentFolder = text.str();
       return Error::success();
     }},
};

} // namespace

Expected<pal::device::TraceOptions> parseTrace(StringRef text) {
  pal::device::TraceOptions trace;
  trace.enabled = true;
  SmallVector<StringRef, 4> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [key, value] = part.trim().split('=');
    if (key == "group") {
      SmallVector<StringRef, 3> ids;
      value.split(ids, ',');
      if (ids.size() != 3)
        return badValue("'" + part + "' does not have three numbers");
      for (unsigned axis = 0; axis < 3; ++axis)
        KILN_TRY(parseNumber(ids[axis].trim(), trace.workgroup[axis]));
    } else if (key == "wave") {
      KILN_TRY(parseNumber(value, trace.wave));
    } else if (key == "lane" && value == "all") {
      trace.lane = -1;
    } else if (key == "lane") {
      unsigned lane = 0;
      KILN_TRY(parseNumber(value, lane));
      if (lane > 63)
        return badValue("lane '" + value + "' is not in 0..63");
      trace.lane = static_cast<int>(lane);
    } else {
      return badValue("'" + part + "' is none of group=X,Y,Z, wave=N, lane=N, lane=all");
    }
  }
  return trace;
}

const char *processEnvironment(const char *name) { return secure_getenv(name); }

Expected<Environment> Environment::read(const Lookup &lookup) {
  Environment environment;
  environment.disk.folder = defaultDiskFolder(lookup);
  for (const Variable &variable : variables) {
    const char *text = lookup(variable.name);
    if (!text || !*text)
      continue;
    if (Error error = variable.parse(text, environment))
      return createStringError(inconvertibleErrorCode(),
                               Twine(variable.name) + ": " + toString(std::move(error)));
  }
  return environment;
}

} // namespace icd
