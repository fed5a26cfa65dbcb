//===- MetadataEncoder.h - metadata as bytes with places to patch ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Encodes metadata so that numbers which a link changes can be replaced without moving anything:
/// they are written as 32- or 64-bit MsgPack integers whatever their value, and their places are
/// kept. Everything else gets the smallest encoding, maps in the order of their keys.
///
///     .user_data_reg_map: [0x10000000, 0, 1]
///       smallest  93 CE 10 00 00 00 00 01
///       here      93 CE 10 00 00 00 CE 00 00 00 00 CE 00 00 00 01      places: 8, 13
#pragma once

#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/MsgPack.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace pal::remap {

/// Offset of a number's bytes (behind its tag, big-endian) in what was encoded; 0: it has none.
using Place = uint32_t;

/// Appends MsgPack objects to bytes. Lengths and depths are those of a document that
/// abi::readMsgPack() has let through.
class MsgPackEncoder {
public:
  std::vector<uint8_t> bytes;

  void mapHeader(uint32_t pairs);
  void arrayHeader(uint32_t elements);
  void string(llvm::StringRef text);
  void unsignedInt(uint64_t value);
  void boolean(bool value) { bytes.push_back(value ? trueByte : falseByte); }
  void node(llvm::msgpack::DocNode node);
  /// Fixed width: five and nine bytes.
  Place number32(uint32_t value);
  Place number64(uint64_t value);
  /// Fixed width: three bytes; for the map that a caller completes later.
  Place mapHeader16(uint16_t pairs);

  static constexpr uint8_t falseByte = 0xC2, trueByte = 0xC3;

private:
  void tagged(uint8_t tag, uint64_t value, unsigned width);
  void length(size_t size, uint8_t shortTag, uint32_t shortLimit, uint8_t tag8, uint8_t tag16);
};

/// Writes a number at its place.
void patch16(uint8_t *bytes, Place place, uint16_t value);
void patch32(uint8_t *bytes, Place place, uint32_t value);
void patch64(uint8_t *bytes, Place place, uint64_t value);

/// What a link changes in one `.hardware_stages.*`.
struct StagePlaces {
  abi::HardwareStage stage = abi::HardwareStage::Cs;
  /// Entries of `.user_data_reg_map` that are API user data.
  struct Entry {
    Place place = 0;
    uint32_t dword = 0; ///< number in the layout that the code was compiled with
  };
  std::vector<Entry> apiEntries;
  bool mapsSpillTable = false;
  Place vgprCount = 0, sgprCount = 0, scratchMemorySize = 0, ldsSize = 0;
  Place scratchEn = 0; ///< one byte, falseByte or trueByte
  /// As they were.
  uint32_t vgprs = 0, sgprs = 0, scratchBytes = 0, ldsBytes = 0;
  bool scratchEnabled = false;
};

/// Encodes one map of `.hardware_stages`. \p complete adds the keys whose places are above where
/// they are missing, with what their absence means.
StagePlaces encodeHardwareStage(MsgPackEncoder &encoder, abi::HardwareStage stage,
                                llvm::msgpack::MapDocNode map, bool complete);

/// What a link changes on the level of the pipeline; 0 where a key is missing.
struct PipelinePlaces {
  Place userDataLimit = 0, spillThreshold = 0;
  Place pipelineHash[2] = {0, 0};
  std::vector<StagePlaces> stages;
};

/// Encodes a whole document. Errors: Malformed when it is no PAL metadata.
llvm::Expected<PipelinePlaces> encodeMetadata(MsgPackEncoder &encoder,
                                              llvm::msgpack::Document &document);

} // namespace pal::remap
