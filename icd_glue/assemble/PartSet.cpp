//===- PartSet.cpp - the parts of one pipeline ----------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PartSet.h"
#include "icd_glue/context/Device.h"
#include "llpc/Hasher.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

void PartSet::encodeTo(llpc::Hasher &key) const {
  for (const PartObject *part : parts)
    key.hash(part ? part->hash : llpc::Hash128());
  key.u32(static_cast<uint32_t>(constants.size()));
  for (const lgc::LinkConstant &constant : constants) {
    key.enumeration(constant.stage);
    key.u32(constant.constantId);
    key.u32(constant.value);
    key.enumeration(constant.kind);
  }
}

std::vector<std::string> PartSet::warnings() const {
  std::vector<std::string> all;
  for (const PartObject *part : parts)
    if (part)
      llvm::append_range(all, part->warnings);
  return all;
}

std::vector<PartPointer> PartSet::standIns() const {
  std::vector<PartPointer> all;
  for (const PartObject *part : parts)
    if (part && part->isStandIn())
      all.push_back(part->shared_from_this());
  return all;
}

lgc::LinkParts PartSet::linkParts() const {
  using Kind = lgc::PartKind;
  auto at = [&](Kind kind) { return (*this)[kind] ? (*this)[kind]->part.get() : nullptr; };
  return {.compute = at(Kind::Compute),
          .vertexFetch = at(Kind::VertexFetch),
          .preRasterization = at(Kind::PreRasterization),
          .fragment = at(Kind::Fragment),
          .colorExport = at(Kind::ColorExport),
          .constants = constants};
}

llvm::Expected<std::shared_ptr<const CodeObject>> linkCode(Device &device, const PartSet &parts,
                                                           const lgc::LinkLayout &layout,
                                                           const lgc::LinkOptions &options,
                                                           CodeObject::Description description) {
  auto linked = KILN_TRY(lgc::linkParts(parts.linkParts(), layout, options));
  description.isLinked = true;
  const std::vector<PartPointer> standIns = parts.standIns();
  // Nothing of the constants is folded.
  description.isStandIn = !parts.constants.empty() || !standIns.empty();
  auto code = std::make_shared<const CodeObject>(
      device.target(), llpc::PipelineBinary::own(std::move(linked)), std::move(description));
  // The pieces of the pipeline hold what improves them.
  if (!standIns.empty())
    code->improveInAnyCase(std::make_shared<Improvement>([standIns] {
      bool haveAllBegun = true;
      for (const PartPointer &part : standIns)
        haveAllBegun &= part->use();
      return haveAllBegun;
    }));
  return code;
}

} // namespace icd
