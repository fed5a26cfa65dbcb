//===- EntryReflection.cpp - all that reflection knows of an entry point --===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/EntryReflection.h"
#include "llpc/reflect/EntryCode.h"

namespace llpc {

EntryReflection reflectEntry(const spirv::Module &module, const spirv::EntryPoint &entry) {
  EntryReflection result;
  const EntryCode code = walkEntry(module, entry);
  result.traits = traitsOf(module, entry, code);
  result.visitedInstructions = code.visitedInstructions;

  auto take = [&](auto &into, auto expected) {
    if (expected)
      into = std::move(*expected);
    else if (lgc::ErrorText error = lgc::consumeToText(expected.takeError()); !result.error)
      result.error = std::move(error);
  };
  take(result.usage, entry.model == spv::ExecutionModel::Kernel ? usageOfKernel(module, entry)
                                                                : usageOf(module, code, {}));
  auto note = [&](spv::StorageClass storage) {
    result.usage.isSpecialized |= interfaceIsSpecialized(module, entry, storage);
  };
  if (entry.model == spv::ExecutionModel::Vertex) {
    take(result.inputs, collectInputs(module, entry));
    note(spv::StorageClass::Input);
  }
  if (entry.model == spv::ExecutionModel::Fragment) {
    take(result.outputs, collectOutputs(module, entry));
    note(spv::StorageClass::Output);
  }
  if (result.error) {
    result.usage = {};
    result.inputs.clear();
    result.outputs.clear();
  }
  return result;
}

} // namespace llpc
