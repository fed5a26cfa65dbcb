//===- VulkanError.cpp - an error with the result that Vulkan has for it --===//
// SPDX-License-Identifier: MIT
#include "icd_glue/VulkanError.h"
#include "llvm/Support/raw_ostream.h"

namespace icd {

char VulkanError::ID = 0; // its address is what matters

void VulkanError::log(llvm::raw_ostream &stream) const { stream << text; }

std::error_code VulkanError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

Failure failureOf(llvm::Error error) {
  Failure failure;
  if (error.isA<VulkanError>())
    llvm::handleAllErrors(std::move(error), [&](const VulkanError &known) {
      failure = {known.result, known.message()};
    });
  else
    failure.message = llvm::toString(std::move(error));
  return failure;
}

} // namespace icd
