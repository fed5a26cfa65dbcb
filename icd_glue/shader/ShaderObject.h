//===- ShaderObject.h - VkShaderEXT ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A shader object is a piece of a pipeline that draws put together: a compute shader is all of a
/// compute pipeline, a vertex or fragment shader what a library of that subset holds
/// (pipeline/PipelineLibrary.h). Its part (lgc/Part.h) is compiled when the object is created;
/// shader/DrawVariants.h makes code of two of them and the state of a draw. Nothing depends on
/// whether shaders were created linked.
///
/// Command buffers share the data, so it survives the handle.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/shader/ShaderBinary.h"

namespace icd {

/// What a shader's part depends on that a draw decides, besides PrimitiveClass.
struct ShaderConditions {
  bool isMultiview = false;
  bool provokingVertexLast = false; ///< of pre-rasterization shaders

  bool operator==(const ShaderConditions &) const = default;
};

class ShaderObject;

class ShaderData {
public:
  /// Of what \p info says or, but for layouts, of \p binary. Compiles, unless the binary has code
  /// that fits.
  /// Null: the binary's code is damaged. Errors: those of the module and of the compiler.
  static llvm::Expected<std::shared_ptr<const ShaderData>>
  create(Device &device, const VkShaderCreateInfoEXT &info, const ShaderBinary *binary);

  const VkShaderStageFlagBits stage;
  const uint64_t id; ///< unique on this device

  /// Of a compute shader, else null.
  const std::shared_ptr<const PipelineData> &compute() const { return computeData; }
  /// Of a graphics shader.
  std::shared_ptr<const ShaderPiece> piece(const ShaderConditions &conditions) const;
  /// Has the background compile what draws with \p object, which is of this, may need besides its
  /// own part.
  void expectDraws(Device &device, const ShaderObject &object) const;
  /// For vkGetShaderBinaryDataEXT; made at the first call.
  llvm::ArrayRef<uint8_t> binary(Device &device) const;

private:
  ShaderData(uint64_t id, ShaderSource source)
      : stage(source.stage), id(id), source(std::move(source)) {}
  using Created = llvm::Expected<bool>; ///< false: the binary's code is damaged
  Created createCompute(Device &device, const VkPipelineShaderStageCreateInfo &stageInfo,
                        const ShaderBinary *binary);
  Created createGraphics(Device &device, const VkPipelineShaderStageCreateInfo &stageInfo,
                         const ShaderBinary *binary);

  /// What the code for a binary has depends on, with \p options.
  llpc::Hash128 codeKeyOf(Device &device, const llpc::PipelineOptions &options) const;
  /// For a binary; empty: there is no code but that of monolithic pipelines.
  std::vector<uint8_t> recordFor(Device &device, const llpc::PipelineOptions &options) const;

  const ShaderSource source;
  std::shared_ptr<const PipelineLayoutData> layout;
  std::shared_ptr<const PipelineData> computeData;
  Memo<ShaderConditions, std::shared_ptr<const ShaderPiece>> pieces; ///< the first one is there
  mutable std::once_flag binaryOnce;
  mutable std::vector<uint8_t> binaryBytes;
};

class ShaderObject : public Object {
public:
  using Handle = VkShaderEXT;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SHADER_EXT;
  explicit ShaderObject(std::shared_ptr<const ShaderData> data)
      : Object(type), data(std::move(data)) {}

  const std::shared_ptr<const ShaderData> data;
};

} // namespace icd
