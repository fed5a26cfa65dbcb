//===- PipelineBinary.h - VkPipelineBinaryKHR -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline binary is compiled code that an application keeps, as a record (cache/Record.h). Its
/// key is the hash of the record, so that equal binaries have equal keys, and data that is not what
/// the key says is found out. A pipeline has one binary.
///
/// Binaries come from a pipeline that captured its data, from keys and data, or from the driver's
/// own cache by the pipeline key (key/PipelineKey.h).
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/pipeline/PipelineCode.h"

namespace icd {

class PipelineBinary : public Object {
public:
  using Handle = VkPipelineBinaryKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_BINARY_KHR;
  PipelineBinary(std::shared_ptr<const CodeObject> code, const llpc::Hash128 &key)
      : Object(type), code(std::move(code)), key(key) {}

  const std::shared_ptr<const CodeObject> code;
  const llpc::Hash128 key;
};

/// The binaries that a pipeline is to be made of; null: none are given.
const VkPipelineBinaryInfoKHR *pipelineBinariesOf(const void *next);
/// Their code. Errors: InvalidInput when they are not those of one pipeline with \p stages.
llvm::Expected<PipelineCode> codeOf(const VkPipelineBinaryInfoKHR &binaries,
                                    VkShaderStageFlags stages);

} // namespace icd
