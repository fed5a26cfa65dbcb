//===- Manifest.cpp - by which build systems find kiln-pcc ----------------===//
// SPDX-License-Identifier: MIT
#include "Manifest.h"
#include "icd_glue/context/DeviceIds.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace pcc {
namespace {

std::string hexText(uint32_t id) { return "0x" + llvm::utohexstr(id, /*LowerCase=*/true); }

/// What is the same for targets and devices. \p ids: the devices that take the caches.
void writeCommon(llvm::json::OStream &json, StringRef compiler, StringRef ids) {
  json.attribute("pipeline_cache_compiler", compiler);
  json.attribute("pipeline_cache_debug_flag", "--debug");
  json.attribute("vendor_id_filter", "0x1002"); // AMD
  // No VkDriverId is registered for Kiln. Why not "0": CMake takes that for no filter at all.
  json.attribute("driver_id_filter", "0x0");
  json.attribute("device_id_filter", ids);
}

void writeDevices(llvm::json::OStream &json, StringRef compiler) {
  std::string ids;
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
    if (const uint32_t id = icd::deviceIdOf(target.name))
      ids += (ids.empty() ? "" : ",") + hexText(id);
  json.object([&] {
    writeCommon(json, compiler, ids);
    // The document's table has the one name, its example the other.
    json.attribute("pipeline_cache_device_flag", "--device");
    json.attribute("pipeline_cache_device_flags", "--device");
  });
}

} // namespace

std::string manifestOf(StringRef compiler) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, /*IndentSize=*/4);
  json.object([&] {
    json.attribute("file_format_version", "1.0.0");
    json.attribute("name", "Kiln"); // letters and digits only, or else no target can be chosen
    json.attributeObject("architectures", [&] {
      for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
        json.attributeObject(target.name, [&] {
          writeCommon(json, compiler, hexText(icd::deviceIdOf(target.name)));
          json.attribute("pipeline_cache_flags", ("--chip " + target.name).str());
        });
    });
    json.attributeArray("devices", [&] { writeDevices(json, compiler); });
  });
  stream << '\n';
  return text;
}

} // namespace pcc
