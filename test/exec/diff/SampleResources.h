//===- SampleResources.h - resources of generated inputs ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Descriptors, buffers, images and push constants for what one shader uses, of the types that it
/// declares. Of a pipeline the stages come one after another; what two of them use is made once.
#pragma once

#include "../script/Formats.h"
#include "Sample.h"
#include "llpc/reflect/ResourceUsage.h"

namespace exec {

/// Of the attachments of a scene.
constexpr VkExtent3D pictureExtent = {64, 64, 1};

class SampleResources {
public:
  /// \p isScene: numbers that make a picture (FillKind::Scene, smooth textures) and the resources
  /// of draws; else noise and small sizes.
  SampleResources(const llpc::spirv::Module &module,
                  llvm::ArrayRef<llpc::SpecConstant> specialization, Sample &sample, Random &random,
                  bool isScene)
      : module(module), specialization(specialization), sample(sample), job(sample.job),
        random(random), constants(module, specialization), layouts(module, constants),
        isScene(isScene) {}

  /// Adds what \p entry uses to the sample, and the features that its module needs.
  /// Errors: a resource that this does not know how to make.
  llvm::Error add(const llpc::spirv::EntryPoint &entry);

private:
  using Inst = llpc::spirv::Inst;
  using Variables = llvm::ArrayRef<const Inst *>;

  /// Variables of a binding; several may share one.
  std::vector<const Inst *> variablesOf(const llpc::ResourceNodeData &node) const;
  /// The type of one descriptor, behind the pointer and arrays.
  const Inst *descriptorType(const Inst &variable) const;
  llvm::Error addNode(const llpc::ResourceNodeData &node);
  /// True when another stage has made the binding; a uniform block is filled to its end.
  bool addToExisting(const llpc::ResourceNodeData &node, Variables variables);
  void addInputAttachment(const Inst &variable, uint32_t element, uint32_t image);
  llvm::Error addDescriptor(const llpc::ResourceNodeData &node, Variables variables,
                            Binding &binding, const std::string &name);
  /// A buffer of the block \p type, with everything that it points to.
  llvm::Expected<uint32_t> addBuffer(llpc::spirv::Id type, const std::string &name, bool isUniform,
                                     unsigned depth);
  llvm::Error addPointers(llvm::ArrayRef<PointerSlot> pointers, uint32_t buffer,
                          const std::string &name, unsigned depth);
  llvm::Error addPushConstants(uint32_t size);
  /// Does an instruction compare depth through one of these variables of samplers or of images?
  bool comparesDepth(Variables variables, bool isSampler) const;
  uint32_t sampler(Variables variables);
  llvm::Expected<VkFormat> imageFormat(const Inst &type, const std::string &name);
  Bytes pattern(const FormatRow &format, uint64_t bytes);
  /// Waves that are the same in all mip levels: small errors of coordinates make small differences.
  Bytes smoothPattern(const ImageSpec &spec, ScalarType type);
  llvm::Error addTexelBuffer(const Inst &type, VkDescriptorType kind, Binding &binding,
                             const std::string &name);
  llvm::Error addImage(const Inst &type, Variables variables, VkDescriptorType kind,
                       Binding &binding, const std::string &name);
  FillKind fillKind(bool isUniform) const {
    return isScene ? FillKind::Scene : isUniform ? FillKind::Sizes : FillKind::Data;
  }

  const llpc::spirv::Module &module;
  llvm::ArrayRef<llpc::SpecConstant> specialization;
  Sample &sample;
  Job &job;
  Random &random;
  llpc::ConstantEval constants;
  LayoutReader layouts;
  bool isScene;
};

} // namespace exec
