//===- AttributeSlots.h - slots between vertices and fragments -> attributes =//
// SPDX-License-Identifier: MIT
/// \file
/// Which attribute number (parameter export on gfx10, place in the attribute ring on gfx11+) a slot
/// has between the last vertex stage and the fragment shader. One rule for both sides:
///
///   1. Attributes of vertices are numbered from 0: Generic slots in ascending order, then built-in
///      slots in ascending order. After lgc-link-interface Generic slots have no gaps, so a Generic
///      slot is its attribute number.
///   2. Attributes of primitives follow, in the same order; Primitive slots count as generic.
///      HW(gfx11+): without an attribute of vertices number 0 is a dummy.
///   3. Which slots these are: with both sides in the module, those that the fragment shader reads
///      and the last vertex stage writes (and PrimitiveId, when the fragment shader reads it behind
///      a vertex or evaluation shader: the exporter supplies it). lgc-lower-fragment-inputs, which
///      runs first, notes them in the module (`!lgc.attributes = !{!{i32 slot, i32 slot, ...}}`).
///      With one side alone: all that it writes or reads; a link step matches them later by
///      `.preraster_output_semantic` and `.ps_input_semantic`, whose semantic is the slot.
///
///   VS writes Generic 0, 1, Layer; FS reads Generic 1, Layer: attributes Generic 1 = 0, Layer = 1
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

class AttributeSlots {
public:
  /// What the last vertex stage has to export. \p written: the slots that it stores, in any order;
  /// slots that are no attributes (Position ...) are left out.
  static AttributeSlots forExport(const llvm::Module &module, const PipelineState &state,
                                  llvm::ArrayRef<uint32_t> written);
  /// What the fragment shader finds. \p read: the slots that it loads, in any order. Notes the
  /// attributes in the module when the last vertex stage is in it too.
  static AttributeSlots forInputs(llvm::Module &module, const PipelineState &state,
                                  llvm::ArrayRef<uint32_t> read);

  /// The attribute number of a slot, none when nobody writes or nobody reads it.
  std::optional<unsigned> find(uint32_t slot) const;
  /// By attribute number.
  llvm::ArrayRef<uint32_t> vertexSlots() const { return vertex; }
  /// Element i has attribute number primitiveBase() + i.
  llvm::ArrayRef<uint32_t> primitiveSlots() const { return primitive; }
  unsigned primitiveBase() const;
  /// All numbers are below this.
  unsigned attributeCount() const;

private:
  AttributeSlots(const PipelineState &state, llvm::ArrayRef<uint32_t> slots);

  std::vector<uint32_t> vertex, primitive;
  bool needsDummy = false; ///< HW(gfx11+), rule 2
};

/// May the slot be an attribute? Position, point size and the like are not.
bool isAttributeSlot(uint32_t slot);
/// Does the slot hold a value of the primitive, not of a vertex? Built-ins such as Layer do when a
/// mesh shader writes them.
bool isPrimitiveSlot(const PipelineState &state, uint32_t slot);

/// Slots that the function's output.store operations reach, ascending, each once.
std::vector<uint32_t> storedSlots(const llvm::Function &function);

} // namespace lgc
