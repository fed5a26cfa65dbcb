//===- MsgPack.h - guarded access to MsgPack documents --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's msgpack::Document trusts its input: it takes any number of objects and any depth, and in
/// a release build an accessor of the wrong kind reads the wrong union member. So hostile bytes
/// are walked once by checkMsgPack() before the document is built, and nodes are read through the
/// functions here, which test kinds. Nothing recurses deeper than maxMsgPackDepth.
#pragma once

#include "pal_shim/abi/AbiError.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace pal::abi {

/// Limits far above what metadata needs; a blob beyond them is TooLarge.
inline constexpr unsigned maxMsgPackDepth = 16;
inline constexpr uint64_t maxMsgPackBytes = 16 << 20;
inline constexpr uint64_t maxMsgPackObjects = 1 << 18;

/// Checks that \p blob is exactly one MsgPack object: every length inside the blob, map keys
/// strings or unsigned integers, no extension types, within the limits.
llvm::Error checkMsgPack(llvm::ArrayRef<uint8_t> blob);

/// checkMsgPack, then reads into the (empty) document, which refers to \p blob from then on.
llvm::Error readMsgPack(llvm::msgpack::Document &document, llvm::ArrayRef<uint8_t> blob);

/// The value of an unsigned integer node, also when it was encoded as a non-negative signed one.
std::optional<uint64_t> asUInt(const llvm::msgpack::DocNode &node);
/// Boolean, or the integers 0 and 1, as PAL takes them.
std::optional<bool> asBool(const llvm::msgpack::DocNode &node);
std::optional<llvm::StringRef> asString(const llvm::msgpack::DocNode &node);
/// Null when the node is no array / no map.
llvm::msgpack::ArrayDocNode *asArray(llvm::msgpack::DocNode &node);
llvm::msgpack::MapDocNode *asMap(llvm::msgpack::DocNode &node);
/// The node under \p key, or null.
llvm::msgpack::DocNode *lookup(llvm::msgpack::MapDocNode map, llvm::StringRef key);
/// "string", "map", ... for messages.
llvm::StringRef kindName(const llvm::msgpack::DocNode &node);

/// Prints for people: YAML, maps in key order, numbers of 4096 and more in hexadecimal, strings
/// escaped. Why not Document::toYAML: it cannot print binary nodes.
void printYaml(llvm::raw_ostream &os, llvm::msgpack::DocNode &node);

} // namespace pal::abi
