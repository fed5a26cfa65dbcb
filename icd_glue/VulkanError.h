//===- VulkanError.h - an error with the result that Vulkan has for it ----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Support/Error.h"
#include <string>
#include <vulkan/vulkan_core.h>

namespace icd {

/// For errors that the command has a result for; the others are VK_ERROR_UNKNOWN.
class VulkanError : public llvm::ErrorInfo<VulkanError> {
public:
  static char ID;
  VulkanError(VkResult result, std::string message) : result(result), text(std::move(message)) {}

  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override;

  const VkResult result;

private:
  const std::string text;
};

/// What a command returns and reports.
struct Failure {
  VkResult result = VK_ERROR_UNKNOWN;
  std::string message;
};
Failure failureOf(llvm::Error error);

} // namespace icd
