//===- VertexFetch.h - loads of vertex attributes -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The attributes that a vertex shader reads come from buffers, whose descriptors the driver keeps
/// in a table by binding. 32- and 64-bit channels are loaded as they are; all others by typed
/// loads, which convert. Used by lgc-lower-vertex-fetch in monolithic pipelines and by the glue in
/// front of parts (lgc/glue), which have different registers.
///
/// Alignment. HW(gfx10+): a typed load must be aligned to its whole size, while Vulkan promises
/// alignment to one channel only. What the buffer's address is aligned to follows from the largest
/// channel of any attribute in the binding; an attribute that may lie unaligned is read in pieces.
/// LLVM joins typed loads that follow each other, pieces as well as attributes, and looks at their
/// constant offsets only. It leaves loads alone whose scalar offsets differ, so those do that must
/// not be joined. With unalignedVertexFetch there is no promise: all but 64-bit channels are read
/// byte by byte, and converted by arithmetic.
///
/// With useSoftwareVertexBufferDescriptors entries of the table are {address, upper half, bytes,
/// stride}: what AMD's driver writes for robustBufferAccess2, where a buffer ends at a byte, not at
/// an element. The descriptor that is made of it has elements of one byte, and an attribute that is
/// not wholly inside of the buffer an index beyond all buffers, which reads zeros:
///   %at = index x stride, or ~0 if that has more than 32 bits
///   %inside = %at + attribute's offset + its size <= bytes
///   %v = struct.tbuffer.load({address, stride 1, bytes}, %inside ? %at : ~0, attribute's offset,
///   ..)
#pragma once

#include "lgc/Pipeline.h"
#include "lgc/VertexFormats.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <optional>

namespace lgc {

/// Where a fetch finds what the driver and the hardware provide.
class VertexFetchSource {
public:
  virtual ~VertexFetchSource() = default;
  /// Vulkan's VertexIndex.
  virtual llvm::Value *vertexIndex(llvm::IRBuilder<> &b) = 0;
  /// The element that an instance reads of a buffer with this divisor (createInstanceIndex).
  virtual llvm::Value *instanceIndex(llvm::IRBuilder<> &b, uint32_t divisor) = 0;
  /// ptr(4) to the table of vertex buffers.
  virtual llvm::Value *vertexBufferTable() = 0;
};

class VertexFetch {
public:
  static constexpr unsigned channelsPerSlot = 4;

  /// Loads are made where \p b stands. \p state and \p source must outlive the object. The target
  /// must be known.
  VertexFetch(llvm::IRBuilder<> &b, const PipelineState &state, VertexFetchSource &source);

  /// Loads the components of a slot whose bits are set. Reports Unsupported for formats that
  /// vertex buffers cannot have. At most once a slot.
  void fetch(uint32_t slot, unsigned components);
  /// A component of a slot that was fetched, as the shader's type: of 16 or 32 bits.
  llvm::Value *component(uint32_t slot, unsigned index, llvm::Type *type);

private:
  using Channels = std::array<llvm::Value *, channelsPerSlot>;
  /// A slot of the shader that an attribute fills.
  struct SlotSource {
    const VertexAttribute *attribute = nullptr;
    unsigned firstDword = 0; ///< 4 in the second slot of a 64-bit attribute
  };

  SlotSource find(uint32_t slot) const;
  const VertexBinding *binding(uint32_t number) const;
  unsigned bindingAlignment(uint32_t number) const;
  unsigned elementAlignment(uint32_t number) const;
  unsigned addressAlignment(const VertexAttribute &attribute) const;
  bool mayBeJoined(const VertexAttribute &attribute, const VertexFormatInfo &info,
                   unsigned channels) const;
  llvm::Value *tableEntry(uint32_t number);
  llvm::Value *descriptor(uint32_t number);
  llvm::Value *index(const VertexAttribute &attribute);
  llvm::Value *softwareIndex(const VertexAttribute &attribute);
  llvm::Value *load(const VertexAttribute &attribute, llvm::Type *type, uint32_t offset,
                    uint32_t scalarOffset, std::optional<unsigned> format);
  void loadRaw(const SlotSource &source, const VertexFormatInfo &info, unsigned needed,
               Channels &channels);
  void loadTyped(const VertexAttribute &attribute, const VertexFormatInfo &info, unsigned needed,
                 Channels &channels);
  llvm::Value *loadBytes(const VertexAttribute &attribute, unsigned first, unsigned count);
  void loadUnaligned(const VertexAttribute &attribute, const VertexFormatInfo &info,
                     unsigned needed, Channels &channels);
  llvm::Value *loadTypedPiece(const VertexAttribute &attribute, const VertexFormatInfo &info,
                              unsigned first, unsigned count);

  llvm::IRBuilder<> &b;
  const GraphicsState &graphics;
  unsigned gfxMajor;
  VertexFetchSource &source;
  std::map<uint32_t, Channels> slots; ///< as dwords of the format's class, in order r, g, b, a
  std::map<uint32_t, llvm::Value *> entries, descriptors;
  std::map<uint32_t, llvm::Value *> elements;        ///< first bytes, by binding
  std::map<uint32_t, llvm::Value *> softwareIndices; ///< by location
  std::map<uint32_t, llvm::Value *> instanceIndices;
  llvm::Value *vertexIndex = nullptr;
};

/// A dword as glue delivers it, float or i32, as the shader's type of 16 or 32 bits.
llvm::Value *fromInputDword(llvm::IRBuilder<> &b, llvm::Value *dword, bool isInteger,
                            llvm::Type *type);

} // namespace lgc
