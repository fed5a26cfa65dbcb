//===- PipeFields.h - keys of .pipe files and where their values are ------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reader and writer both go through the lists of StateFields.h, so that what is written can be
/// read and the other way round.
#pragma once

#include "llpc/PipeFile.h"
#include "llpc/StageNames.h"
#include "llpc/StateFields.h"
#include "llpc/pipefile/PipeValues.h"
#include "pal_shim/abi/Try.h"

namespace llpc {

using PipeFieldUse = llvm::function_ref<void(llvm::StringRef key, ValueRef value)>;

/// Goes through the fields of an object that .pipe files have as keys, each with \p prefix.
template <typename S> void forPipeFields(S &object, llvm::StringRef prefix, PipeFieldUse use);

template <typename S> class PipeFieldVisitor {
public:
  PipeFieldVisitor(S &object, llvm::StringRef prefix, PipeFieldUse use)
      : object(object), prefix(prefix), use(use) {}

  void field(const lgc::Field &f, auto member) { report(f, refTo(object.*member)); }
  void vkFormat(const lgc::Field &f, uint32_t S::*member) {
    report(f, FormatRef{&(object.*member)});
  }
  void nested(const char *inner, auto member) {
    forPipeFields(object.*member, (prefix + llvm::Twine(inner)).str(), use);
  }
  template <typename Base> void base(Base *) { forPipeFields<Base>(object, prefix, use); }
  void separate(auto) {}

private:
  void report(const lgc::Field &f, ValueRef value) {
    const llvm::StringRef key = f.pipeKey ? f.pipeKey : f.name;
    if (key.empty())
      return;
    prefix.empty() ? use(key, value) : use((prefix + key).str(), value);
  }
  static ValueRef refTo(uint64_t (&hash)[2]) { return HashRef{&hash}; }
  template <typename T> static ValueRef refTo(T &value) { return &value; }

  S &object;
  const llvm::StringRef prefix;
  const PipeFieldUse use;
};

template <typename S> void forPipeFields(S &object, llvm::StringRef prefix, PipeFieldUse use) {
  PipeFieldVisitor<S> visitor(object, prefix, use);
  visitFields(visitor, static_cast<S *>(nullptr));
}

/// Sets the field of \p object with this key; false when there is none. Errors: as parseValue().
template <typename S>
llvm::Expected<bool> setPipeField(S &object, llvm::StringRef key, llvm::StringRef value) {
  std::optional<ValueRef> found;
  forPipeFields(object, "", [&](llvm::StringRef name, ValueRef field) {
    if (name == key)
      found = field;
  });
  if (!found)
    return false;
  KILN_TRY(parseValue(value, *found));
  return true;
}

/// Looks for the key that an unknown one was meant to be.
class NearestKey {
public:
  explicit NearestKey(llvm::StringRef key)
      : key(key), most(key.size() < 6    ? 1
                       : key.size() < 12 ? 2
                                         : 3) {}

  NearestKey &names(std::initializer_list<llvm::StringRef> known) {
    for (llvm::StringRef name : known)
      offer(name);
    return *this;
  }
  /// The fields of a structure, each with \p prefix.
  template <typename S> NearestKey &fields(llvm::StringRef prefix = "") {
    S object;
    forPipeFields(object, prefix, [&](llvm::StringRef name, ValueRef) { offer(name); });
    return *this;
  }
  /// Those of ignoredKey().
  NearestKey &ignored(llvm::StringRef section);

  const llvm::StringRef key;
  /// That is like it but for some letters; empty when there is none. The first of several.
  std::string found;

private:
  void offer(llvm::StringRef name);
  unsigned most; ///< letters that may differ
};

/// Keys that AMD's files carry and that change nothing here.
enum class IgnoredKey : uint8_t {
  None,        ///< it is none
  Meaningless, ///< whatever its value
  NotHonoured, ///< to be reported when it is not 0
};
/// `section` is "Info", the name of a state section, or "ColorBuffer", "ResourceNode" for the parts
/// of a target or of a node.
IgnoredKey ignoredKey(llvm::StringRef section, llvm::StringRef key);

/// Is this line the beginning of a section?
bool isSectionHeader(llvm::StringRef line);
/// The text of a line of keys without a comment and without blanks around it.
llvm::StringRef withoutComment(llvm::StringRef line);

/// Sections of shaders: StageNames::pipe + this, "Vs" + "Glsl".
struct PipeSourceName {
  PipeSource source;
  llvm::StringLiteral name;
};
llvm::ArrayRef<PipeSourceName> pipeSourceNames();

} // namespace llpc
