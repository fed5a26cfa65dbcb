//===- Link.h - parts + glue + the application's layout -> code object ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Linking makes a complete code object of parts (Part.h) in microseconds: bytes are copied and
/// patched, no IR, no code generation.
///
///     auto part = Part::create(elf);                       // once, when it is compiled or loaded
///     LinkLayout layout(mapping);                          // once per pipeline layout
///     auto linked = linkParts({.compute = part->get()}, layout, {});
///
/// All objects are immutable: any number of threads may link the same ones at once.
#pragma once

#include "lgc/Part.h"
#include <memory>

namespace lgc {

/// A part's or a glue's code object, taken apart.
class Part {
public:
  /// Checks and digests \p elf, which may come from a cache. Errors: InvalidInput.
  static llvm::Expected<std::shared_ptr<const Part>> create(llvm::ArrayRef<uint8_t> elf);
  ~Part();

  const PartInfo &info() const;
  /// The bytes that create() got.
  llvm::ArrayRef<uint8_t> elf() const;
  /// Bytes of memory that this object takes, for the budgets of caches.
  size_t memoryBytes() const;

private:
  Part();
  friend struct PartAccess;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Where the application's layout has its root entries and bindings, ready for lookups.
class LinkLayout {
public:
  explicit LinkLayout(const ResourceMapping &mapping);
  ~LinkLayout();
  LinkLayout(LinkLayout &&);
  LinkLayout &operator=(LinkLayout &&);

private:
  friend struct LinkLayoutAccess;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// What a part leaves to linking: the value of a specialization constant, which is its bytes with
/// zeros behind them, of bool 0 or 1; or the bytes of an array in workgroup memory, by the number
/// that its symbol has (workgroupSymbol()).
struct LinkConstant {
  enum class Kind : uint8_t { Value, WorkgroupBytes };
  ShaderStage stage = ShaderStage::Compute;
  uint32_t constantId = 0; ///< or the array's number
  uint32_t value = 0;
  Kind kind = Kind::Value;

  bool operator==(const LinkConstant &) const = default;
};

/// Either compute, or the others; those that are not there are null. A fragment part is needed
/// unless the rasteriser discards everything (the compiler makes one for pipelines without a
/// fragment shader); glue is needed where the part's PartInfo has a signature.
struct LinkParts {
  const Part *compute = nullptr;
  const Part *vertexFetch = nullptr;
  const Part *preRasterization = nullptr;
  const Part *fragment = nullptr;
  const Part *colorExport = nullptr;
  llvm::ArrayRef<LinkConstant> constants = {}; ///< those that the parts use, and any others
};

/// What a vertex shader that no other stage follows before rasterization makes.
enum class OutputPrimitive : uint8_t { Points, Lines, Triangles };

struct LinkOptions {
  uint64_t pipelineHash[2] = {0, 0}; ///< `.internal_pipeline_hash`
  /// None: what the pre-rasterization part was compiled for, or where other stages make primitives.
  std::optional<OutputPrimitive> outputPrimitive = {};
};

/// Errors: InvalidInput when the layout lacks something that a part uses, or has it in another
/// shape (a dynamic buffer against one in a table), or a constant has no value; LimitExceeded for
/// more root entries than fit; Unsupported for an interface between the parts that only a
/// monolithic compile can make (the message names it). After any of them, a monolithic compile is
/// the way.
llvm::Expected<std::vector<uint8_t>> linkParts(const LinkParts &parts, const LinkLayout &layout,
                                               const LinkOptions &options);

/// False when linkParts is certain to answer Unsupported, because \p fragment reads a built-in that
/// \p preRasterization has not made an attribute. Takes tens of nanoseconds: for whoever links
/// later, and wants to know now.
bool interfacesLink(const Part &preRasterization, const Part &fragment);

} // namespace lgc
