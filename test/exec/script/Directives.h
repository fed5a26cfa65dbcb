//===- Directives.h - parts of the test language --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Script.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace exec {

/// The word that says what an image or a view is: "2d", "cube-array".
struct ImageKind {
  llvm::StringLiteral name;
  VkImageType type;
  VkImageViewType view;
};
/// Null: no such word.
const ImageKind *findImageKind(llvm::StringRef name);

/// `KEY=VALUE` words of a directive, and the words without '='.
struct Words {
  std::vector<llvm::StringRef> plain;
  std::map<llvm::StringRef, llvm::StringRef> options;

  explicit Words(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef, 8> parts;
    llvm::SplitString(text, parts);
    for (llvm::StringRef part : parts) {
      auto [key, value] = part.split('=');
      if (value.empty())
        plain.push_back(part);
      else
        options[key] = value;
    }
  }
  llvm::StringRef at(size_t i) const { return i < plain.size() ? plain[i] : llvm::StringRef(); }
  uint64_t number(llvm::StringRef key, uint64_t fallback) const {
    auto found = options.find(key);
    uint64_t value = 0;
    return found == options.end() || found->second.getAsInteger(0, value) ? fallback : value;
  }
  llvm::StringRef text(llvm::StringRef key, llvm::StringRef fallback = "") const {
    auto found = options.find(key);
    return found == options.end() ? fallback : found->second;
  }
};

/// The image that the words of an `image` directive describe, without contents; \p view gets the
/// view type of its kind. Errors: an unknown format or kind, a bad extent.
llvm::Expected<ImageSpec> parseImage(const Words &words, VkImageViewType &view);

/// Errors: an option that is not understood.
llvm::Expected<SamplerSpec> parseSampler(const Words &words);

} // namespace exec
