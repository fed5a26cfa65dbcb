//===- RayTracing.h - shaders of ray tracing pipelines -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

/// What a variable stands for whose memory whoever calls the shader has. Errors: InvalidInput for
/// a storage class that the stage has not, LimitExceeded.
llvm::Expected<llvm::Value *> rayVariable(Translator &t, const Inst &variable,
                                          spv::StorageClass storage, Id pointeeId);

} // namespace llpc
