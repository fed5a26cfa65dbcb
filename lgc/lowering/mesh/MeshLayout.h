//===- MeshLayout.h - where a mesh shader's outputs wait for export -------===//
// SPDX-License-Identifier: MIT
/// \file
/// A mesh shader writes any vertex and primitive from any invocation, in any order; exports need
/// one lane per vertex or primitive. So outputs wait in LDS: one record per vertex and one per
/// primitive, in arrays as long as the shader declares. What does not fit goes to the driver's mesh
/// scratch ring, with records of its own.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <vector>

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace lgc {

/// Per primitive, not per vertex?
bool isPerPrimitive(uint32_t slot);

/// Place of one slot in a record.
struct MeshPlace {
  uint32_t mask = 0;   ///< components that the shader stores; 0: it only loads some
  uint32_t first = 0;  ///< component at `offset`
  uint32_t dwords = 0; ///< 1, 2 or 4; also what the place is aligned to, and the distance to the
                       ///< next element of an array
  uint32_t offset = 0; ///< bytes from the start of the record
  bool inScratch = false;
};

/// An array of records.
struct MeshRegion {
  uint32_t base = 0;   ///< bytes from the start of the LDS block or of the ring's entry
  uint32_t stride = 0; ///< bytes a record; 0: no slot is here
};

class MeshLayout {
public:
  /// Lays out what \p shader stores and loads, beside its own variables in LDS. Errors:
  /// LimitExceeded when LDS is too small for these, InvalidInput for accesses out of bounds of a
  /// slot.
  static llvm::Expected<MeshLayout> create(const llvm::Function &shader,
                                           const PipelineState &state);

  const MeshPlace *find(uint32_t slot) const {
    auto found = places.find(slot);
    return found == places.end() ? nullptr : &found->second;
  }
  const MeshRegion &region(uint32_t slot, bool inScratch) const {
    return regions[inScratch][isPerPrimitive(slot)];
  }

  /// Ascending by slot.
  std::map<uint32_t, MeshPlace> places;
  /// PrimitiveIndices are stored as whole vectors and never loaded: one dword as the hardware
  /// wants it.
  bool packedIndices = true;
  uint32_t ldsBytes = 0;     ///< of the block, with the words below
  uint32_t scratchBytes = 0; ///< of one entry of the mesh scratch ring

  /// Bytes in the LDS block: counts as GS_ALLOC_REQ takes them, barriers that waves have passed,
  /// and the number of the workgroup (gfx10.3).
  enum : uint32_t { countsAt = 0, barriersAt = 4, workgroupAt = 8, recordsAt = 16 };

private:
  struct Group;
  llvm::Error collect(const llvm::Function &shader);
  llvm::Error collectAccess(const llvm::CallInst &call);
  void collectIndices(llvm::ArrayRef<const llvm::CallInst *> accesses);
  std::vector<Group> makeGroups() const;
  uint64_t assign(std::vector<Group> &groups, const MeshModes &modes, bool padded);

  struct Components {
    uint32_t stored = 0, accessed = 0; ///< masks
  };
  std::map<uint32_t, Components> slots;
  std::vector<std::pair<uint32_t, uint32_t>> arrays; ///< first slot, slots: indexed dynamically
  std::array<std::array<MeshRegion, 2>, 2> regions;  ///< [in scratch][primitives]
};

} // namespace lgc
