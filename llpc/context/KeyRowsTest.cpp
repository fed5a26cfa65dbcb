//===- KeyRowsTest.cpp - every field has a row in the table of keys -------===//
// SPDX-License-Identifier: MIT
#include "llpc/StateFields.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llpc;

namespace {

constexpr llvm::StringLiteral commonRows[] = {
#define KEY_COMMON(title, ...) title,
#include "llpc/context/KeyFields.def"
};
constexpr llvm::StringLiteral shaderRows[] = {
#define KEY_SHADER(title, ...) title,
#include "llpc/context/KeyFields.def"
};
constexpr llvm::StringLiteral graphicsRows[] = {
#define KEY_GRAPHICS(title, ...) title,
#include "llpc/context/KeyFields.def"
};

/// Looks for a row of each field: its name, perhaps behind the member that its structure is.
template <typename S> struct RowFinder {
  llvm::ArrayRef<llvm::StringLiteral> rows;
  std::string prefix;

  void field(const lgc::Field &f, auto) {
    const std::string name = prefix + f.name;
    EXPECT_TRUE(llvm::any_of(rows,
                             [&](llvm::StringRef row) {
                               const llvm::StringRef title = row.split(',').first;
                               return title == name || title.ends_with("." + name);
                             }))
        << "KeyFields.def has no row for " << name;
  }
  void vkFormat(const lgc::Field &f, auto member) { field(f, member); }
  template <typename Inner, typename Outer> void nested(const char *inner, Inner Outer::*) {
    visitAs<Inner>(prefix + inner);
  }
  template <typename Base> void base(Base *) { visitAs<Base>(prefix); }
  void separate(auto) {}

  template <typename Other> void visitAs(std::string otherPrefix) {
    RowFinder<Other> other{rows, std::move(otherPrefix)};
    visitFields(other, static_cast<Other *>(nullptr));
  }
};

template <typename S>
void expectRows(llvm::ArrayRef<llvm::StringLiteral> rows, const char *prefix = "") {
  RowFinder<S>{rows, ""}.template visitAs<S>(prefix);
}

TEST(KeyRows, EveryFieldHasARow) {
  expectRows<PipelineBuildInfo>(commonRows);
  expectRows<lgc::ResourceNode>(commonRows, "table[].");
  expectRows<lgc::StaticDescriptor>(commonRows, "staticDescriptors[].");
  expectRows<SpecConstant>(shaderRows, "specialization[].");
  expectRows<PipelineShaderOptions>(shaderRows, "options.");
  expectRows<GraphicsPipelineState>(graphicsRows);
  expectRows<ColorTargetState>(graphicsRows, "target[].");
  expectRows<lgc::VertexBinding>(graphicsRows, "bindings[].");
  expectRows<VertexAttributeInfo>(graphicsRows, "attributes[].");
}

} // namespace
