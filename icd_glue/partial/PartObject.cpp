//===- PartObject.cpp - a part or glue in the driver's cache --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/cache/Record.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"

namespace icd {

llvm::Expected<std::shared_ptr<const PartObject>>
PartObject::fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target) {
  llvm::Expected<Record> content = decodeRecord(record, RecordKind::Part, target);
  if (!content)
    return content.takeError();
  auto elf = unpackElf(content->elfBytes, content->stored, target);
  if (!elf)
    return elf.takeError();
  auto part = lgc::Part::create(*elf);
  if (!part)
    return part.takeError();
  return std::make_shared<const PartObject>(target, std::move(*part),
                                            std::move(content->head.warnings), 0.0);
}

std::vector<uint8_t> PartObject::record() const {
  return encodeRecord({RecordKind::Part, 0, {}, false, {}, warnings}, part->elf(), target);
}

static std::shared_ptr<const PartObject> asPart(ShaderCache::Object object) {
  return std::static_pointer_cast<const PartObject>(std::move(object));
}

static bool isGlue(lgc::PartKind kind) {
  return kind == lgc::PartKind::VertexFetch || kind == lgc::PartKind::ColorExport;
}

llvm::Expected<std::shared_ptr<const PartObject>>
obtainPart(Device &device, const llpc::Hash128 &key, BuildPart build, ShaderCache::Source *source) {
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
    const StaticsInUse inUse;
    if (!inUse)
      return processEnds();
    llvm::Expected<llpc::PartResult> built = build();
    if (!built)
      return built.takeError();
    auto part = lgc::Part::create(built->elf.bytes());
    if (!part)
      return part.takeError();
    return std::make_shared<PartObject>(device.target(), std::move(*part),
                                        std::move(built->warnings), built->times.total());
  };
  ShaderCache::Source how = ShaderCache::Source::Memory;
  auto object = device.shaderCache().obtain({CacheKey::Domain::Part, key}, make, &how);
  if (source)
    *source = how;
  if (!object)
    return object.takeError();
  std::shared_ptr<const PartObject> part = asPart(std::move(*object));
  if (how == ShaderCache::Source::Made) // each once
    ++(isGlue(part->part->info().kind) ? device.counters().glueBuilt
                                       : device.counters().partsBuilt);
  return part;
}

std::shared_ptr<const PartObject> findPart(Device &device, const llpc::Hash128 &key) {
  return asPart(device.shaderCache().find({CacheKey::Domain::Part, key}));
}

} // namespace icd
