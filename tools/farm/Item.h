//===- Item.h - something to compile --------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The canonical form of an input: a JSON document of one line, without what code does not depend
/// on, so that equal inputs have one name wherever they come from. Files are named by content.
///
///     {"kind":"capture","features":[...],"names":true,"pipeline":{...}}   tools/replay
///     {"kind":"sc","text":HASH,"files":{"a.spv":HASH}}                    tools/pcc
///     {"kind":"pipe","text":HASH,"files":{...}}                           llpc/PipeFile.h
#pragma once

#include "Pack.h"
#include "tools/replay/Capture.h"
#include "tools/replay/JsonText.h"
#include <map>

namespace farm {

enum class ItemKind : uint8_t { Capture, Sc, Pipe };

struct Item {
  ItemKind kind = ItemKind::Capture;
  std::vector<std::string> features; ///< of captures
  bool writesNames = true;           ///< of captures: not as a database has them
  std::string pipeline;              ///< of captures: JSON
  Name text = {};                    ///< of the others
  std::map<std::string, Name> files; ///< of the others

  /// Errors: InvalidInput.
  static llvm::Expected<Item> parse(const std::string &name, llvm::StringRef body);
  std::string body() const;
};

/// \p capture with the names that its modules have in a pack, and without hashes that only name.
/// \p json: the text it was read from. Errors: InvalidInput.
llvm::Expected<std::string> canonicalPipeline(const replay::Capture &capture,
                                              const std::string &json,
                                              llvm::ArrayRef<Name> modules);

/// The capture of an item, its modules in \p pack, which must live as long. Errors: InvalidInput.
llvm::Expected<std::shared_ptr<const replay::Capture>>
captureOf(const Item &item, const std::string &name, const Pack &pack);

/// Words of a module. Errors: InvalidInput for what is no SPIR-V.
llvm::Expected<std::vector<uint32_t>> wordsOf(const Pack &pack, const Name &module);

} // namespace farm
