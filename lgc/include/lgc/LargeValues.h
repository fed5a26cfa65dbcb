//===- LargeValues.h - values that live in memory -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class Type;
}

namespace lgc {

/// Arrays and structures of more scalars than fit into half of a lane's registers: values of such a
/// type live in private memory (lgc-lower-large-values).
bool isLargeValue(llvm::Type *type);

} // namespace lgc
