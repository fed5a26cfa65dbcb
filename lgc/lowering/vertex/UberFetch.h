//===- UberFetch.h - fetch of attributes that memory describes ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The loads of VertexFetch.h for attributes that only draws know (lgc/UberFetch.h). All that is
/// read there is the same for all lanes, and so are the branches:
///   mask bit of the location?   no: zeros
///   attribute = table[location]; descriptor = vertexBuffers[attribute.binding], its word 3
///   replaced element = per instance? first instance + instance / divisor : vertex index packed?
///   yes: one load of all components
///             no:  a load for each, at its own offset; a selector gives those that are not there
#pragma once

#include "lgc/lowering/vertex/VertexFetch.h"

namespace lgc {

class UberFetch {
public:
  /// Loads are made where \p b stands, which must be an instruction that all uses stand behind;
  /// blocks are split there. \p table: ptr(4) to the description. \p state and \p source must
  /// outlive the object.
  UberFetch(llvm::IRBuilder<> &b, const PipelineState &state, VertexFetchSource &source,
            llvm::Value *table);

  /// Loads the components of a slot whose bits are set. At most once a slot.
  void fetch(uint32_t slot, unsigned components);
  /// A component of a slot that was fetched, as the shader's type: of 16 or 32 bits.
  llvm::Value *component(uint32_t slot, unsigned index, llvm::Type *type);

private:
  static constexpr unsigned channelsPerSlot = VertexFetch::channelsPerSlot;
  using Channels = std::array<llvm::Value *, channelsPerSlot>;
  /// Of the attribute that is being loaded, i32 each.
  struct Attribute {
    llvm::Value *flags, *offset, *divisor, *word3;
    llvm::Value *size, *components;
    llvm::Value *buffer; ///< <4 x i32>: entry of the table of vertex buffers
    llvm::Value *index;
  };

  void begin();
  llvm::Value *isPresent(uint32_t slot);
  llvm::Value *field(llvm::Value *flags, uint32_t shift, uint32_t mask);
  llvm::Value *hasFlag(const Attribute &attribute, uint32_t flag);
  llvm::Value *elementIndex(const Attribute &attribute);
  Attribute readAttribute(uint32_t slot);
  void setByteIndex(Attribute &attribute, unsigned needed);
  llvm::Value *descriptor(const Attribute &attribute, llvm::Value *word3);
  void loadPacked(const Attribute &attribute, unsigned needed, Channels &channels);
  llvm::Value *loadComponent(const Attribute &attribute, unsigned number);
  /// Ends the block behind a branch: the block that \p condition leads to.
  llvm::BasicBlock *branch(llvm::Value *condition, llvm::BasicBlock *otherwise,
                           const llvm::Twine &name);
  Channels loadAttribute(uint32_t slot, unsigned needed);

  llvm::IRBuilder<> &b;
  const GraphicsState &graphics;
  VertexFetchSource &source;
  llvm::Value *table;
  std::array<llvm::Value *, 2> mask = {};
  llvm::Value *vertexBuffers = nullptr, *vertexIndex = nullptr, *instanceId = nullptr,
              *baseInstance = nullptr;
  std::map<uint32_t, Channels> slots; ///< i32
};

} // namespace lgc
