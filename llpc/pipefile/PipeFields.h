//===- PipeFields.h - keys of .pipe files and where their values are ------===//
// SPDX-License-Identifier: MIT
/// \file
/// One table per structure; reader and writer both go through it, so that what is written can be
/// read and the other way round.
#pragma once

#include "llpc/PipeFile.h"
#include "llpc/pipefile/PipeValues.h"

namespace llpc {

template <typename T> struct PipeField {
  llvm::StringLiteral key;
  ValueRef (*at)(T &);
};

llvm::ArrayRef<PipeField<PipelineShaderOptions>> shaderOptionFields(); ///< "options." in <S>Info
llvm::ArrayRef<PipeField<PipelineBuildInfo>> pipelineFields(); ///< of both kinds of pipelines
llvm::ArrayRef<PipeField<GraphicsPipelineBuildInfo>> graphicsFields();
llvm::ArrayRef<PipeField<ColorTargetState>> targetFields();
llvm::ArrayRef<PipeField<lgc::VertexBinding>> bindingFields();
llvm::ArrayRef<PipeField<VertexAttributeInfo>> attributeFields();
llvm::ArrayRef<PipeField<lgc::ResourceNode>> nodeFields();
llvm::ArrayRef<PipeField<lgc::StaticDescriptor>> descriptorFields();

/// A key that AMD's files carry and that changes nothing here: `section` is "Info" or the name of a
/// state section. Its value is only reported when it is not 0.
bool isIgnoredKey(llvm::StringRef section, llvm::StringRef key);

/// Is this line the beginning of a section?
bool isSectionHeader(llvm::StringRef line);
/// The text of a line of keys without a comment and without blanks around it.
llvm::StringRef withoutComment(llvm::StringRef line);

/// Sections of shaders: "Vs" + "Glsl".
struct PipeStageName {
  ShaderStage stage;
  llvm::StringLiteral name, longName;
};
llvm::ArrayRef<PipeStageName> pipeStageNames();
struct PipeSourceName {
  PipeSource source;
  llvm::StringLiteral name;
};
llvm::ArrayRef<PipeSourceName> pipeSourceNames();

} // namespace llpc
