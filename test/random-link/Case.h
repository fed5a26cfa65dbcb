//===- Case.h - one random pipeline, in parts and whole -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Harness.h"

namespace randomlink {

class Case {
public:
  Case(RandomModule made, Compiler &compiler)
      : module(std::move(made)), expected(expectedResult(module)), compiler(compiler) {}

  /// Parts, each under a layout of its own, and glue.
  llvm::Error compileParts(Random &random);
  llvm::Expected<Bytes> link(const lgc::LinkLayout &layout) const;
  llvm::Expected<Bytes> compileMonolithic(const lgc::ResourceMapping &layout);
  /// Does any part?
  bool readsSpillTable() const;
  std::string text() const;

  const RandomModule module;
  const Result expected;

private:
  using PartPointer = std::shared_ptr<const lgc::Part>;
  lgc::PipelineState state() const;
  llvm::Error compilePart(lgc::PartKind kind, Random &random);
  llvm::Error compileGlue(const lgc::Part &part, lgc::PartKind kind);

  Compiler &compiler;
  std::array<PartPointer, lgc::partKindCount> parts;
};

/// The first difference, or empty.
std::string describeDifference(const RandomModule &module, const Result &actual,
                               const Result &expected);

} // namespace randomlink
