//===- Capabilities.cpp - what of SPIR-V is implemented -------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/spirv/Capabilities.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace llpc::spirv {

namespace {

/// Capabilities whose whole meaning is there. What is not listed is refused: a capability may
/// change what instructions mean that look like any others.
constexpr spv::Capability table[] = {
    spv::Capability::ArithmeticFenceEXT,
    spv::Capability::AtomicFloat16AddEXT,
    spv::Capability::AtomicFloat16MinMaxEXT,
    spv::Capability::AtomicFloat32AddEXT,
    spv::Capability::AtomicFloat32MinMaxEXT,
    spv::Capability::AtomicFloat64AddEXT,
    spv::Capability::AtomicFloat64MinMaxEXT,
    newer::BFloat16CooperativeMatrixKHR,
    newer::BFloat16DotProductKHR,
    newer::BFloat16TypeKHR,
    spv::Capability::BitInstructions,
    spv::Capability::ClipDistance,
    spv::Capability::ComputeDerivativeGroupLinearKHR,
    spv::Capability::ComputeDerivativeGroupQuadsKHR,
    spv::Capability::CooperativeMatrixBlockLoadsNV,
    spv::Capability::CooperativeMatrixConversionsNV,
    spv::Capability::CooperativeMatrixKHR,
    spv::Capability::CooperativeMatrixPerElementOperationsNV,
    spv::Capability::CooperativeMatrixReductionsNV,
    spv::Capability::CooperativeMatrixTensorAddressingNV,
    spv::Capability::CullDistance,
    spv::Capability::DemoteToHelperInvocation,
    spv::Capability::DenormFlushToZero,
    spv::Capability::DenormPreserve,
    spv::Capability::DerivativeControl,
    spv::Capability::DeviceGroup,
    spv::Capability::DotProduct,
    spv::Capability::DotProductInput4x8Bit,
    spv::Capability::DotProductInput4x8BitPacked,
    spv::Capability::DotProductInputAll,
    spv::Capability::DrawParameters,
    spv::Capability::ExpectAssumeKHR,
    spv::Capability::Float16,
    spv::Capability::Float16ImageAMD,
    spv::Capability::Float64,
    newer::Float8CooperativeMatrixEXT,
    newer::Float8EXT,
    spv::Capability::FloatControls2,
    newer::FMAKHR,
    spv::Capability::FragmentBarycentricKHR,
    spv::Capability::FragmentFullyCoveredEXT,
    spv::Capability::FragmentMaskAMD,
    spv::Capability::FragmentShaderPixelInterlockEXT,
    spv::Capability::FragmentShaderSampleInterlockEXT,
    spv::Capability::FragmentShaderShadingRateInterlockEXT,
    spv::Capability::FragmentShadingRateKHR,
    spv::Capability::Geometry,
    spv::Capability::GeometryPointSize,
    spv::Capability::GeometryStreams,
    spv::Capability::GroupNonUniform,
    spv::Capability::GroupNonUniformArithmetic,
    spv::Capability::GroupNonUniformBallot,
    spv::Capability::GroupNonUniformClustered,
    spv::Capability::GroupNonUniformQuad,
    spv::Capability::GroupNonUniformRotateKHR,
    spv::Capability::GroupNonUniformShuffle,
    spv::Capability::GroupNonUniformShuffleRelative,
    spv::Capability::GroupNonUniformVote,
    spv::Capability::Groups,
    spv::Capability::Image1D,
    spv::Capability::ImageBuffer,
    spv::Capability::ImageCubeArray,
    spv::Capability::ImageGatherBiasLodAMD,
    spv::Capability::ImageGatherExtended,
    spv::Capability::ImageMSArray,
    spv::Capability::ImageQuery,
    spv::Capability::ImageReadWriteLodAMD,
    spv::Capability::InputAttachment,
    spv::Capability::InputAttachmentArrayDynamicIndexing,
    spv::Capability::InputAttachmentArrayNonUniformIndexing,
    spv::Capability::Int16,
    spv::Capability::Int64,
    spv::Capability::Int64Atomics,
    spv::Capability::Int64ImageEXT,
    spv::Capability::IntegerFunctions2INTEL,
    spv::Capability::Int8,
    spv::Capability::InterpolationFunction,
    spv::Capability::Linkage,
    spv::Capability::Matrix,
    spv::Capability::MeshShadingEXT,
    spv::Capability::MinLod,
    spv::Capability::MultiView,
    spv::Capability::MultiViewport,
    spv::Capability::OptNoneEXT,
    spv::Capability::PhysicalStorageBufferAddresses,
    spv::Capability::QuadControlKHR,
    spv::Capability::RayCullMaskKHR,
    spv::Capability::RayQueryKHR,
    spv::Capability::RayQueryPositionFetchKHR,
    spv::Capability::RayTracingKHR,
    spv::Capability::RayTracingPositionFetchKHR,
    spv::Capability::RayTraversalPrimitiveCullingKHR,
    spv::Capability::ReplicatedCompositesEXT,
    spv::Capability::RoundingModeRTE,
    spv::Capability::RoundingModeRTZ,
    spv::Capability::RuntimeDescriptorArray,
    spv::Capability::SampleMaskPostDepthCoverage,
    spv::Capability::SampleRateShading,
    spv::Capability::Sampled1D,
    spv::Capability::SampledBuffer,
    spv::Capability::SampledCubeArray,
    spv::Capability::SampledImageArrayDynamicIndexing,
    spv::Capability::SampledImageArrayNonUniformIndexing,
    spv::Capability::Shader,
    spv::Capability::ShaderClockKHR,
    spv::Capability::ShaderLayer,
    spv::Capability::ShaderNonUniform,
    spv::Capability::ShaderViewportIndex,
    spv::Capability::ShaderViewportIndexLayerEXT,
    spv::Capability::SignedZeroInfNanPreserve,
    spv::Capability::SparseResidency,
    spv::Capability::StencilExportEXT,
    spv::Capability::StorageBuffer16BitAccess,
    spv::Capability::StorageBuffer8BitAccess,
    spv::Capability::StorageBufferArrayDynamicIndexing,
    spv::Capability::StorageBufferArrayNonUniformIndexing,
    spv::Capability::StorageImageArrayDynamicIndexing,
    spv::Capability::StorageImageArrayNonUniformIndexing,
    spv::Capability::StorageImageExtendedFormats,
    spv::Capability::StorageImageMultisample,
    spv::Capability::StorageImageReadWithoutFormat,
    spv::Capability::StorageImageWriteWithoutFormat,
    spv::Capability::StorageInputOutput16,
    spv::Capability::StoragePushConstant16,
    spv::Capability::StoragePushConstant8,
    spv::Capability::StorageTexelBufferArrayDynamicIndexing,
    spv::Capability::StorageTexelBufferArrayNonUniformIndexing,
    spv::Capability::SubgroupBallotKHR,
    spv::Capability::SubgroupVoteKHR,
    spv::Capability::TensorAddressingNV,
    spv::Capability::Tessellation,
    spv::Capability::TessellationPointSize,
    spv::Capability::TransformFeedback,
    spv::Capability::UniformAndStorageBuffer16BitAccess,
    spv::Capability::UniformAndStorageBuffer8BitAccess,
    spv::Capability::UniformBufferArrayDynamicIndexing,
    spv::Capability::UniformBufferArrayNonUniformIndexing,
    spv::Capability::UniformDecoration,
    spv::Capability::UniformTexelBufferArrayDynamicIndexing,
    spv::Capability::UniformTexelBufferArrayNonUniformIndexing,
    spv::Capability::UntypedPointersKHR,
    spv::Capability::VariablePointers,
    spv::Capability::VariablePointersStorageBuffer,
    spv::Capability::VulkanMemoryModel,
    spv::Capability::VulkanMemoryModelDeviceScope,
    spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
    spv::Capability::WorkgroupMemoryExplicitLayoutKHR,
};

/// Those of the Kernel dialect (KernelDialect.h).
constexpr spv::Capability kernelTable[] = {
    spv::Capability::Addresses,      spv::Capability::Float16Buffer,
    spv::Capability::GenericPointer, spv::Capability::ImageBasic,
    spv::Capability::ImageReadWrite, spv::Capability::Kernel,
    spv::Capability::LiteralSampler, spv::Capability::Vector16,
};

/// Larger than every number in the table.
constexpr uint32_t bitCount = 8192;

/// One bit for each number: the reader asks at every enumerant that needs a capability.
constexpr auto bits = [] {
  std::array<uint64_t, bitCount / 64> result = {};
  for (spv::Capability capability : table) {
    const auto number = static_cast<uint32_t>(capability);
    result[number / 64] |= uint64_t(1) << number % 64;
  }
  return result;
}();

constexpr bool has(uint32_t number) {
  return number < bitCount && (bits[number / 64] >> number % 64 & 1) != 0;
}

} // namespace

llvm::ArrayRef<spv::Capability> supportedCapabilities() { return table; }

llvm::ArrayRef<spv::Capability> kernelCapabilities() { return kernelTable; }

bool isSupported(spv::Capability capability) { return has(static_cast<uint32_t>(capability)); }

bool isSupported(const EnumInfo &info) {
  return info.capabilityCount == 0 || llvm::any_of(capabilitiesOf(info), has);
}

} // namespace llpc::spirv
