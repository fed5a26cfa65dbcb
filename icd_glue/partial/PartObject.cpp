//===- PartObject.cpp - a part or glue in the driver's cache --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/cache/Record.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "llpc/Hasher.h"
#include "pal_shim/abi/Try.h"

namespace icd {

/// What glue depends on of a part.
static llpc::Hash128 signatureOf(const lgc::PartInfo &part) {
  lgc::PartInfo signature;
  signature.kind = part.kind;
  signature.fetch = part.fetch;
  signature.colorExport = part.colorExport;
  if (!signature.fetch && !signature.colorExport)
    return {};
  return llpc::hashBytes(lgc::encodePartInfo(signature));
}

PartObject::PartObject(const pal::abi::GpuTarget &target, std::shared_ptr<const lgc::Part> given,
                       std::vector<std::string> warnings, double buildMs, bool isStandIn)
    : StandIn(isStandIn), part(std::move(given)), warnings(std::move(warnings)), buildMs(buildMs),
      hash(llpc::hashBytes(part->elf())), glueSignature(signatureOf(part->info())), target(target) {
}

llvm::Expected<std::shared_ptr<const PartObject>>
PartObject::fromRecord(llvm::ArrayRef<uint8_t> record, const pal::abi::GpuTarget &target) {
  Record content = KILN_TRY(decodeRecord(record, RecordKind::Part, target));
  auto elf = KILN_TRY(unpackElf(content.elfBytes, content.stored, target));
  auto part = KILN_TRY(lgc::Part::create(elf));
  return std::make_shared<const PartObject>(target, std::move(part),
                                            std::move(content.head.warnings), 0.0,
                                            content.head.origin.isStandIn);
}

std::vector<uint8_t> PartObject::record() const {
  const CodeOrigin origin = {.isStandIn = isStandIn()};
  return encodeRecord({RecordKind::Part, 0, {}, origin, {}, warnings}, part->elf(), target);
}

static PartPointer asPart(ShaderCache::Object object) {
  return std::static_pointer_cast<const PartObject>(std::move(object));
}

bool isGlue(lgc::PartKind kind) {
  return kind == lgc::PartKind::VertexFetch || kind == lgc::PartKind::ColorExport;
}

llvm::Expected<PartPointer> makePart(Device &device, const llpc::Hash128 &key, BuildPart build) {
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  llpc::PartResult built = KILN_TRY(build());
  auto part = KILN_TRY(lgc::Part::create(built.elf.bytes()));
  device.counters().direct += built.isDirect;
  if (!built.directRefusal.empty())
    device.counters().directRefusals.add(built.directRefusal);
  const bool isStandIn = built.isDirect && built.key != key;
  return std::make_shared<PartObject>(device.target(), std::move(part), std::move(built.warnings),
                                      built.times.total(), isStandIn);
}

llvm::Expected<PartPointer> obtainPart(Device &device, const llpc::Hash128 &key, BuildPart build,
                                       ShaderCache::Source *source) {
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> { return makePart(device, key, build); };
  ShaderCache::Source how = ShaderCache::Source::Memory;
  auto object = device.shaderCache().obtain({CacheKey::Domain::Part, key}, make, &how);
  if (source)
    *source = how;
  if (!object)
    return object.takeError();
  PartPointer part = asPart(std::move(*object));
  if (how == ShaderCache::Source::Made) // each once
    ++(isGlue(part->part->info().kind) ? device.counters().glueBuilt
                                       : device.counters().partsBuilt);
  return part;
}

PartPointer findPart(Device &device, const llpc::Hash128 &key) {
  return asPart(device.shaderCache().find({CacheKey::Domain::Part, key}));
}

PartPointer findOrLoadPart(Device &device, const llpc::Hash128 &key) {
  return asPart(device.shaderCache().findOrLoad({CacheKey::Domain::Part, key}));
}

} // namespace icd
