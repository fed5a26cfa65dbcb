//===- AttributeSlots.h - slots between vertices and fragments -> attributes =//
// SPDX-License-Identifier: MIT
/// \file
/// Which attribute number (parameter export on gfx10, place in the attribute ring on gfx11+) a slot
/// has between the last vertex stage and the fragment shader. VertexExporter, which writes them,
/// follows the same rule:
///
///   1. Slot::Generic + n is attribute n of the vertices.
///   2. Slot::Primitive + n is attribute b + n, where b = max(1, 1 + highest Generic slot that the
///      last vertex stage stores).
///   3. A built-in that a fragment shader reads (Layer, a distance, PrimitiveId ...) gets a Generic
///      slot of its own (behind a mesh shader that stores it per primitive a Primitive slot), and
///      the last vertex stage stores the value there as well: linkBuiltInSlots, after which no
///      built-in slot is left. lgc-link-interface may do so before.
///
/// With one side alone in the module, all that it writes or reads are attributes, and a link step
/// matches them by `.preraster_output_semantic` and `.ps_input_semantic`: the semantic is the slot.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lgc {

/// Gives built-in slots that the fragment shader of the module reads Generic or Primitive ones, on
/// both sides; in ascending order of the slots, behind those that are in use. Needs both sides.
///   before: VS: output.store(%l, Layer)               FS: input.load(Layer)
///   after:  VS: output.store(%l, Layer), (%l, 3)      FS: input.load(3)
void linkBuiltInSlots(llvm::Module &module, const PipelineState &state);

/// Where a fragment shader finds its inputs.
class AttributeSlots {
public:
  /// \p read: the slots that the fragment shader loads, in any order.
  AttributeSlots(llvm::Module &module, const PipelineState &state, llvm::ArrayRef<uint32_t> read);

  /// The attribute number of a slot; none when the last vertex stage is known and does not write
  /// it.
  std::optional<unsigned> find(uint32_t slot) const;
  /// Is the last vertex stage in the module?
  bool isLinked() const { return linked; }

private:
  bool linked = false;
  std::vector<uint32_t> available; ///< ascending
  unsigned primitiveBase = 1;
  unsigned builtInBase = 0; ///< fragment shader alone: built-ins behind its Generic slots
};

/// Slots that the function's output.store operations reach, ascending, each once.
std::vector<uint32_t> storedSlots(const llvm::Function &function);
/// Likewise for input.load and input.interpolate.
std::vector<uint32_t> loadedSlots(const llvm::Function &function);

} // namespace lgc
