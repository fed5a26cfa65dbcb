//===- MeshScratch.h - the mesh scratch ring -------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/GeometryStage.h"
#include <optional>

namespace pal::device {

/// The part of the ring that belongs to the workgroup which runs, and proof that nothing else of it
/// was written: parts are as far apart as the table says (UserData.h), not as the program's size.
class MeshScratch {
public:
  explicit MeshScratch(const GeometrySetup &setup);

  /// Before workgroup \p number: its part is what nobody has written.
  void begin(uint32_t number);
  /// Behind it. Byte of the ring that it wrote outside its part; nothing: none.
  std::optional<size_t> strayByte(uint32_t number) const;

private:
  llvm::MutableArrayRef<uint32_t> part(uint32_t number) const;

  llvm::MutableArrayRef<uint32_t> ring; ///< empty: the program has none
  size_t stepDwords = 0, ownDwords = 0;
  uint32_t undefined = 0;
};

} // namespace pal::device
