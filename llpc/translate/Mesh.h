//===- Mesh.h - task and mesh shaders -------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/translate/Translator.h"

namespace llpc {

/// The pointer that a TaskPayloadWorkgroupEXT variable stands for in the current function. Errors:
/// InvalidInput in other stages and for a second payload, LimitExceeded, Unsupported (initializer).
llvm::Expected<llvm::Value *> taskPayloadVariable(Translator &t, const Inst &variable,
                                                  Id pointeeId);

/// Load and store of an aggregate of a payload, scalar by scalar: buffers know no others.
llvm::Value *loadPayload(Translator &t, llvm::Type *type, llvm::Value *pointer, bool isVolatile);
void storePayload(Translator &t, llvm::Value *value, llvm::Value *pointer, bool isVolatile);

} // namespace llpc
