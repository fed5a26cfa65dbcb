//===- PartObject.cpp - a part or glue in the driver's cache --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/device/Device.h"

namespace icd {

static std::shared_ptr<const PartObject> asPart(ShaderCache::Object object) {
  return std::static_pointer_cast<const PartObject>(std::move(object));
}

static bool isGlue(lgc::PartKind kind) {
  return kind == lgc::PartKind::VertexFetch || kind == lgc::PartKind::ColorExport;
}

llvm::Expected<std::shared_ptr<const PartObject>>
obtainPart(Device &device, const llpc::Hash128 &key, BuildPart build, ShaderCache::Source *source) {
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
    llvm::Expected<llpc::PartResult> built = build();
    if (!built)
      return built.takeError();
    auto part = lgc::Part::create(built->elf.bytes());
    if (!part)
      return part.takeError();
    ++(isGlue((*part)->info().kind) ? device.counters().glueBuilt : device.counters().partsBuilt);
    return std::make_shared<PartObject>(std::move(*part), std::move(built->warnings),
                                        built->times.total());
  };
  auto object = device.shaderCache().obtain({CacheKey::Domain::Part, key}, make, source);
  if (!object)
    return object.takeError();
  return asPart(std::move(*object));
}

std::shared_ptr<const PartObject> findPart(Device &device, const llpc::Hash128 &key) {
  return asPart(device.shaderCache().find({CacheKey::Domain::Part, key}));
}

} // namespace icd
