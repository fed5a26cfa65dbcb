//===- OpenClStd.h - the parts of OpenCL.std ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpenClStd.cpp holds the table of the instructions that LLVM or a formula has; those of floats
/// that are more than one operation are in OpenClFloats.cpp, those that access memory in
/// KernelAccess.cpp, and what the built-in library has in OpenClLibrary.cpp.
#pragma once

#include "llpc/translate/ValueHelpers.h"

namespace llpc::opencl {

// OpenClFloats.cpp
HandlerResult maxMagnitude(ValueOp &op);
HandlerResult minMagnitude(ValueOp &op);
HandlerResult nan(ValueOp &op);
HandlerResult nextAfter(ValueOp &op);
HandlerResult nativePower(ValueOp &op);
HandlerResult nativeTangent(ValueOp &op);
HandlerResult fastDistance(ValueOp &op);

} // namespace llpc::opencl
