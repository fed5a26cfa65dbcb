//===- Resources.h - Vulkan objects of one job ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Creates and destroys what a Job describes, one file per kind of object: buffers and images
/// (Resources.cpp), acceleration structures (Acceleration.cpp), descriptors (Descriptors.cpp),
/// pipeline and commands of dispatches (Job.cpp), of draws (Graphics*.cpp), of rays
/// (RayPipeline.cpp).
#pragma once

#include "Job.h"
#include <deque>
#include <nlohmann/json_fwd.hpp>

namespace exec {

struct BufferObject {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void *mapped = nullptr;
  uint64_t size = 0;
  VkDeviceAddress address = 0;
};

struct StructureObject {
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  uint64_t size = 0;
  VkDeviceAddress address = 0;
  VkDeviceAddress scratch = 0;
  VkDeviceAddress instances = 0; ///< what a top level structure is built of
  const uint8_t *memory = nullptr;
};

struct ImageObject {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint32_t staging = 0; ///< index among the staging buffers
};

/// Specialization constants as a pipeline takes them.
class SpecializationData {
public:
  explicit SpecializationData(llvm::ArrayRef<llpc::SpecConstant> constants) {
    for (const llpc::SpecConstant &constant : constants) {
      entries.push_back({constant.constantId, static_cast<uint32_t>(data.size()), constant.size});
      const auto *bytes = reinterpret_cast<const uint8_t *>(&constant.value);
      data.insert(data.end(), bytes, bytes + constant.size);
    }
    info = {static_cast<uint32_t>(entries.size()), entries.data(), data.size(), data.data()};
  }
  SpecializationData(const SpecializationData &) = delete;
  /// Null without constants.
  const VkSpecializationInfo *pointer() const { return entries.empty() ? nullptr : &info; }

private:
  std::vector<VkSpecializationMapEntry> entries;
  Bytes data;
  VkSpecializationInfo info = {};
};

/// The groups of one library, or of the pipeline itself, with the stages that they need.
struct RayPieces {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
  std::vector<uint32_t> numbers; ///< of the groups in the job
};

/// Everything of one job; the destructor destroys it.
class JobObjects {
public:
  JobObjects(Device &device, const Job &job)
      : device(device), api(device.api()), job(job), push(job.push) {}
  ~JobObjects();
  JobObjects(const JobObjects &) = delete;
  JobObjects &operator=(const JobObjects &) = delete;

  llvm::Error create();
  llvm::Error run();
  /// Errors: what is wrong with nodes of Kiln's.
  llvm::Error checkStructures() const;
  JobResult read() const;

private:
  // Resources.cpp
  llvm::Error createBuffers();
  llvm::Error createImages();
  llvm::Error createImage(const ImageSpec &spec, ImageObject &object);
  llvm::Error createSamplers();
  llvm::Expected<BufferObject> createBuffer(uint64_t size, VkBufferUsageFlags usage);
  void patchPointers();
  /// Buffer size that the job asked for is the size of the object: robustness is exact.
  void destroy(BufferObject &buffer);

  // Acceleration.cpp
  llvm::Error createStructures();
  llvm::Error createStructure(const StructureSpec &spec);
  llvm::Expected<BufferObject> createInstances(const StructureSpec &spec);
  void recordStructures(VkCommandBuffer commands);
  void recordBuild(VkCommandBuffer commands, const StructureSpec &spec,
                   const StructureObject &object);
  void recordCopy(VkCommandBuffer commands, const StructureSpec &spec,
                  const StructureObject &object);
  void destroyStructures();

  // Descriptors.cpp
  struct SetBinding {
    uint32_t binding;
    VkDescriptorType type;
    uint32_t count;
    std::vector<VkSampler> immutable;
  };
  llvm::Error createLayouts();
  llvm::Error createSetLayout(uint32_t set);
  llvm::Error createSets();
  llvm::Error writeDescriptor(const Binding &binding);
  llvm::Expected<VkBufferView> createTexelView(const Binding &binding);
  llvm::Expected<VkImageView> createImageView(const Binding &binding);

  // Job.cpp
  llvm::Error createPipeline();
  llvm::Expected<VkShaderModule> createModule(llvm::ArrayRef<uint32_t> spirv);
  VkShaderStageFlags shaderStages() const {
    if (job.rays)
      return VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
             VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
             VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    if (!job.graphics)
      return VK_SHADER_STAGE_COMPUTE_BIT;
    // VK_SHADER_STAGE_ALL_GRAPHICS does not have them, and without the extension nobody may.
    for (const StageSpec &stage : job.graphics->stages)
      if (stage.stage == VK_SHADER_STAGE_MESH_BIT_EXT)
        return VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
               VK_SHADER_STAGE_FRAGMENT_BIT;
    return VK_SHADER_STAGE_ALL_GRAPHICS;
  }
  void recordDispatches(VkCommandBuffer commands);
  void recordImageCopies(VkCommandBuffer commands, bool toImage);
  void transition(VkCommandBuffer commands, const ImageSpec &spec, VkImage image,
                  VkImageLayout from, VkImageLayout to);
  void barrier(VkCommandBuffer commands);

  // RayPipeline.cpp
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR rayProperties() const;
  llvm::Error createRayPipeline();
  llvm::Expected<Bytes> rayHandles(PFN_vkGetRayTracingShaderGroupHandlesKHR get, const char *name,
                                   uint32_t size);
  llvm::Expected<Bytes> createRayPipelineOnce(llvm::ArrayRef<uint8_t> handles);
  RayPieces rayPiecesOf(uint32_t library, llvm::ArrayRef<uint8_t> handles,
                        const VkSpecializationInfo *constants);
  llvm::Expected<VkPipeline> createRayPiece(uint32_t library, llvm::ArrayRef<VkPipeline> libraries,
                                            std::vector<uint32_t> &order,
                                            llvm::ArrayRef<uint8_t> handles);
  llvm::Error createTables(llvm::ArrayRef<uint8_t> handles,
                           const VkPhysicalDeviceRayTracingPipelinePropertiesKHR &properties);
  llvm::Error createTraceArguments();
  /// \p rayGen: number of the record, of that table only.
  VkStridedDeviceAddressRegionKHR regionOf(RayTable table, uint32_t rayGen = 0) const;
  void recordTraces(VkCommandBuffer commands);
  void destroyRayPipelines();

  // RayCapture.cpp
  /// The hash of the capture, in the job's folder for them.
  llvm::Expected<std::string> captureRays(const VkRayTracingPipelineCreateInfoKHR &info,
                                          llvm::ArrayRef<std::string> libraries) const;
  llvm::Expected<nlohmann::ordered_json> captureLayout() const;

  // GraphicsPipeline.cpp
  llvm::Error createAttachments();
  llvm::Error createGraphicsPipeline();
  llvm::Expected<VkImageView> attachmentView(const AttachmentSpec &spec, uint32_t image,
                                             VkImageAspectFlags aspects);
  VkFormat formatOf(const AttachmentSpec &spec) const;
  VkSampleCountFlagBits sampleCount() const;
  /// Points into the job.
  VkSampleLocationsInfoEXT sampleLocations() const;
  std::vector<VkFormat> colorFormats() const; ///< by location
  llvm::Error createStages(std::deque<SpecializationData> &constants,
                           std::vector<VkPipelineShaderStageCreateInfo> &stages);

  // GraphicsPass.cpp
  llvm::Error createRenderPass();
  llvm::Error createPass(const VkRenderPassCreateInfo2 &info);
  /// Input attachments of the subpass; \p addAttachment gives the index of a new one.
  std::vector<VkAttachmentReference2>
  inputReferences(llvm::ArrayRef<VkAttachmentReference2> colors, uint32_t depth,
                  llvm::function_ref<uint32_t(const AttachmentSpec &, VkImageView)> addAttachment);
  llvm::Error createFramebuffer(llvm::ArrayRef<VkImageView> views);

  // GraphicsCommands.cpp
  llvm::Error recordDraws(VkCommandBuffer commands);
  llvm::Error createQueries();
  void beginPass(VkCommandBuffer commands);
  void endPass(VkCommandBuffer commands);
  void beginRendering(VkCommandBuffer commands);
  void bindDrawState(VkCommandBuffer commands);
  /// What the job lets commands set, as far as the device can.
  std::vector<VkDynamicState> dynamicStates() const;
  /// What the pipeline says: wrong values where commands say the right ones, so that they matter.
  GraphicsSpec pipelineState() const;
  void setDynamicState(VkCommandBuffer commands) const;
  void setVertexInput(VkCommandBuffer commands) const;
  void setExtendedState(VkCommandBuffer commands) const;
  void bindFeedback(VkCommandBuffer commands);
  /// Begins or ends transform feedback.
  void toggleFeedback(VkCommandBuffer commands, bool usesCounters);
  void drawAll(VkCommandBuffer commands);
  void drawMeshes(VkCommandBuffer commands, const DrawCall &draw);
  void drawMulti(VkCommandBuffer commands, const DrawCall &draw);
  VkQueryControlFlags occlusionFlags() const;
  void beginQueries(VkCommandBuffer commands);
  void endQueries(VkCommandBuffer commands);
  void waitForDraws(VkCommandBuffer commands);
  llvm::Expected<VkCommandBuffer> recordSecondary();

  Device &device;
  const DeviceApi &api;
  const Job &job;
  Bytes push; ///< with addresses
  std::vector<BufferObject> buffers, staging;
  std::vector<StructureObject> structures;
  std::vector<ImageObject> images;
  std::vector<VkSampler> samplers;
  std::vector<VkBufferView> bufferViews;
  std::vector<VkImageView> imageViews;
  std::vector<std::vector<SetBinding>> setBindings;
  std::vector<VkDescriptorSetLayout> setLayouts;
  std::vector<VkDescriptorSet> sets;
  std::vector<uint32_t> dynamicOffsets;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkShaderModule> modules;
  // Draws. Views of attachments in the order colours, their resolves, depth/stencil, its resolve.
  struct AttachmentViews {
    VkImageView view = VK_NULL_HANDLE, resolve = VK_NULL_HANDLE;
  };
  std::vector<AttachmentViews> colorViews;
  AttachmentViews depthStencilViews;
  VkImageView ratesView = VK_NULL_HANDLE;
  std::vector<AttachmentViews> inputViews;
  VkRect2D area = {};
  std::vector<VkViewport> viewports;
  std::vector<VkRect2D> scissors;
  VkRenderPass renderPass = VK_NULL_HANDLE;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  std::vector<VkClearValue> clears; ///< by attachment of the render pass
  std::vector<VkQueryPool> queryPools;
  bool feedbackActive = false; ///< transform feedback, where commands are recorded
  VkPipeline pipeline = VK_NULL_HANDLE;
  // Rays.
  struct RayRegion {
    uint64_t offset = 0, address = 0, stride = 0, size = 0;
  };
  std::array<RayRegion, rayTableCount> rayRegions;
  std::vector<VkShaderModule> rayModules; ///< by shader; `modules` owns them
  std::vector<VkPipeline> rayLibraries;
  std::vector<std::string> rayLibraryHashes; ///< of captures
  std::vector<uint32_t> rayLibraryPlaces;    ///< by shader: among the stages of all libraries
  uint32_t rayLibraryStages = 0;
  std::vector<uint32_t> rayOrder; ///< by group of the pipeline: its number in the job
  uint32_t rayHandleSize = 0, rayCaptureSize = 0;
  VkDeviceAddress traceArguments = 0;
};

/// What draws write to attachments.
inline constexpr VkPipelineStageFlags writingStages =
    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
inline constexpr VkAccessFlags writingAccesses =
    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

/// Is it VK_DESCRIPTOR_TYPE_{UNIFORM,STORAGE}_BUFFER[_DYNAMIC]?
bool isBufferType(VkDescriptorType type);
bool isDynamicType(VkDescriptorType type);
bool isTexelType(VkDescriptorType type);

} // namespace exec
