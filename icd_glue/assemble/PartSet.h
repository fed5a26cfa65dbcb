//===- PartSet.h - the parts of one pipeline ------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/code/CodeObject.h"
#include "icd_glue/partial/PartObject.h"
#include "lgc/Link.h"

namespace llpc {
class Hasher;
}

namespace icd {

class Device;

/// Parts and glue that a pipeline is linked of, as far as it has them. Others own them.
class PartSet {
public:
  const PartObject *&operator[](lgc::PartKind kind) { return parts[static_cast<unsigned>(kind)]; }
  const PartObject *operator[](lgc::PartKind kind) const {
    return parts[static_cast<unsigned>(kind)];
  }
  /// Values of the specialization constants that parts leave to linking.
  std::vector<lgc::LinkConstant> constants;

  /// Names the bytes that linking makes of all, but for the layout.
  void encodeTo(llpc::Hasher &key) const;
  std::vector<std::string> warnings() const;
  std::vector<PartPointer> standIns() const;
  lgc::LinkParts linkParts() const;

private:
  std::array<const PartObject *, lgc::partKindCount> parts = {};
};

/// Code of \p parts for a pipeline with the user data of \p layout. Errors: those of
/// lgc::linkParts().
llvm::Expected<std::shared_ptr<const CodeObject>> linkCode(Device &device, const PartSet &parts,
                                                           const lgc::LinkLayout &layout,
                                                           const lgc::LinkOptions &options,
                                                           CodeObject::Description description);

} // namespace icd
