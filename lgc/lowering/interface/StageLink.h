//===- StageLink.h - outputs of one stage, inputs of the next ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// What LinkInterface.cpp knows about two neighbouring stages: who writes and who reads each
/// component of each slot, and what it does with that.
#pragma once

#include "lgc/Interface.h"
#include "lgc/Pipeline.h"
#include "lgc/lowering/tessellation/TessLayout.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <map>

namespace llvm {
class CallInst;
class Constant;
class Function;
class Type;
} // namespace llvm

namespace lgc {

/// One lgc.input.load, input.interpolate, output.load or output.store.
struct InterfaceAccess {
  explicit InterfaceAccess(llvm::CallInst &call);
  llvm::CallInst *call;
  SlotAccess at;
  unsigned components;
  llvm::Type *scalar; ///< type of a component
  /// Components whose value matters: of loads those that somebody uses. Bit 0 is at.component.
  unsigned demanded;

  bool isDynamic() const { return at.element != nullptr; }
};

/// How a fragment shader takes an attribute. HW: an attribute has one mode for all components.
enum class AttributeMode : uint8_t { None, Smooth, SmoothHalf, Flat, PerVertex };

/// One component of one slot.
struct InterfaceComponent {
  bool isWritten = false;
  bool isVarying = false;             ///< not always `constant`
  llvm::Constant *constant = nullptr; ///< what is stored; null when only undefined values are
  bool isRead = false;
  unsigned writtenBits = 0, readBits = 0;
  AttributeMode mode = AttributeMode::None; ///< read by fragment shaders
};

class StageLink {
public:
  /// \p consumer is null behind the last stage of a pipeline.
  StageLink(const PipelineState &state, ShaderStage producerStage, llvm::Function &producer,
            ShaderStage consumerStage, llvm::Function *consumer);

  /// Replaces inputs that are constant or that nobody writes, and removes outputs that nobody
  /// reads. Errors: InvalidInput when both sides disagree about a component's width.
  llvm::Error simplify();
  /// Only of the last vertex stage and the fragment shader: gives every component that is left a
  /// new place, so that as few attributes as possible are used.
  void pack();

private:
  struct Place {
    uint32_t slot;
    unsigned component;
  };
  using PlaceMap = std::map<std::pair<uint32_t, unsigned>, Place>;
  /// Slots that stay together, because somebody indexes them: [begin, end) goes to `place`.
  struct Block {
    uint32_t begin, end, place;
  };

  void collect();
  void addStore(llvm::CallInst &call);
  void addLoad(llvm::CallInst &call, bool isReadBack);
  void addRead(const InterfaceAccess &load, AttributeMode mode);
  llvm::Error checkWidths() const;
  void replaceLoads();
  llvm::Constant *knownValue(uint32_t slot, unsigned component, llvm::Type *type) const;
  void removeStores();
  bool isNeeded(uint32_t slot) const;

  std::vector<Block> findBlocks() const;
  static const Block *blockOf(llvm::ArrayRef<Block> blocks, uint32_t slot);
  PlaceMap choosePlaces(std::vector<Block> &blocks) const;
  void moveAccess(const InterfaceAccess &access, llvm::ArrayRef<Block> blocks,
                  const PlaceMap &places) const;

  const PipelineState &state;
  const ShaderStage producerStage, consumerStage;
  llvm::Function &producer;
  llvm::Function *const consumer;
  std::vector<InterfaceAccess> stores, loads; ///< of producer and consumer
  std::vector<InterfaceAccess> readBacks;     ///< loads of its outputs by the producer
  std::map<std::pair<uint32_t, unsigned>, InterfaceComponent> components;
};

} // namespace lgc
