//===- PipelineBinary.h - VkPipelineBinaryKHR -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A pipeline binary is compiled code that an application keeps: a code object as a record
/// (cache/Record.h), or a library's shaders (LibraryBinary.h). Its key is the hash of these bytes,
/// so that equal binaries have equal keys, and data that is not what the key says is found out. A
/// pipeline has one binary, a library one for each side of the rasteriser that it has shaders of.
///
/// Binaries come from a pipeline that captured its data, from keys and data, or from the driver's
/// own cache by the pipeline key (pipeline/PipelineKey.h).
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/pipeline/LibraryBinary.h"

namespace icd {

class PipelineBinary : public Object {
public:
  using Handle = VkPipelineBinaryKHR;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_PIPELINE_BINARY_KHR;
  /// One of the two.
  struct Content {
    std::shared_ptr<const CodeObject> code;
    std::shared_ptr<const LibraryBinary> library;

    /// Of what record() gave. Errors: InvalidInput.
    static llvm::Expected<Content> fromRecord(llvm::ArrayRef<uint8_t> record,
                                              const pal::abi::GpuTarget &target);
    std::vector<uint8_t> record() const;
  };
  /// \p packed: the record, if the content would have to make one.
  PipelineBinary(Content content, const llpc::Hash128 &key, std::vector<uint8_t> packed = {})
      : Object(type), content(std::move(content)), key(key), packed(std::move(packed)) {}

  const Content content;
  const llpc::Hash128 key;
  std::vector<uint8_t> record() const { return packed.empty() ? content.record() : packed; }

private:
  /// Compressing takes longer than all else of a binary.
  const std::vector<uint8_t> packed;
};

/// The binaries that a pipeline is to be made of; null: none are given.
const VkPipelineBinaryInfoKHR *pipelineBinariesOf(const void *next);
/// Their code. \p hasVariants: others with shaders may stand behind it (PipelineVariants.h).
/// Errors: InvalidInput when they are not those of one pipeline with \p stages.
llvm::Expected<PipelineCode> codeOf(const VkPipelineBinaryInfoKHR &binaries,
                                    VkShaderStageFlags stages, bool hasVariants = false);
/// That of \p piece, when they are from number \p first on those of \p pieces. Errors:
/// InvalidInput.
llvm::Expected<std::shared_ptr<const LibraryBinary>>
libraryBinaryOf(const VkPipelineBinaryInfoKHR &binaries, const LibraryPieces &pieces,
                const ShaderPiece &piece, uint32_t first = 0);

} // namespace icd
