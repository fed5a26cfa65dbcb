//===- PipelineBinary.cpp - VkPipelineBinaryKHR ---------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/pipeline/RayTracingState.h"
#include "icd_glue/state/GraphicsState.h"
#include "llpc/StateKey.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>
#include <cstring>

namespace icd {
namespace {

using Content = PipelineBinary::Content;

void write(VkPipelineBinaryKeyKHR &to, const llpc::Hash128 &key) {
  const KeyBytes bytes = bytesOf(key);
  to.keySize = bytes.size();
  std::memset(to.key, 0, sizeof(to.key));
  std::memcpy(to.key, bytes.data(), bytes.size());
}

/// The key of a pipeline.
struct NamedCode {
  llpc::Hash128 key = {};
  VkShaderStageFlags stages = 0;
  bool mustBeMonolithic = false;
};

/// What a pipeline of libraries, or a library, is made of, without shaders and parts.
LibraryPieces piecesOf(Device &device, const VkGraphicsPipelineCreateInfo &info,
                       const LibraryInfo &library) {
  LibraryPieces pieces = library.linked();
  pieces.merge(describedPieces(device, info, library.own & ~pieces.subsets()));
  return pieces;
}

/// Nothing: the layouts of the libraries do not go together, or a stage has no name.
std::optional<NamedCode> keyOfPieces(Device &device, const VkGraphicsPipelineCreateInfo &info,
                                     const LibraryInfo &library) {
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const bool isLibrary = flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
  const LibraryPieces pieces = piecesOf(device, info, library);
  std::shared_ptr<const PipelineLayoutData> layout = pieces.layout();
  if (info.layout && !isLibrary)
    layout = layoutDataOf(info.layout);
  else if (!layout && !pieces.preRasterization && !pieces.fragmentShader)
    layout = layoutDataOf(VK_NULL_HANDLE);
  if (!layout)
    return std::nullopt;
  const llpc::PipelineOptions options = monolithicOptions(
      pieces, pipelineOptionsOf(device, isLibrary ? nullptr : info.pNext, {}, flags));
  const GraphicsState state = pieces.state();
  const auto whole = pipelineKeyOf(device, pieces, state, *layout, options);
  if (!whole)
    return std::nullopt;
  if (!isLibrary && mustBeMonolithic(flags))
    return NamedCode{*whole, state.stages, true};
  llpc::Hasher key(isLibrary ? "library" : "linked", 1);
  key.hash(*whole);
  key.u32(pieces.subsets());
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader}) {
    key.boolean(piece != nullptr);
    if (piece)
      encode(key, piece->options);
  }
  return NamedCode{key.finish(), state.stages, false};
}

const VkGraphicsPipelineCreateInfo *graphicsInfoOf(const VkPipelineCreateInfoKHR &info) {
  return findInChain<VkGraphicsPipelineCreateInfo>(info.pNext,
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
}

const VkRayTracingPipelineCreateInfoKHR *raysInfoOf(const VkPipelineCreateInfoKHR &info) {
  return findInChain<VkRayTracingPipelineCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR);
}

/// Nothing: no pipeline is described, or one whose stages have neither SPIR-V nor identifiers.
std::optional<NamedCode> keyOf(Device &device, const VkPipelineCreateInfoKHR &info) {
  std::optional<llpc::Hash128> key;
  VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT;
  if (auto *compute = findInChain<VkComputePipelineCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO)) {
    key = pipelineKeyOf(device, *compute, *layoutDataOf(compute->layout));
  } else if (auto *rays = raysInfoOf(info)) {
    auto state = rayTracingStateOf(device, *rays);
    if (!state) {
      llvm::consumeError(state.takeError()); // the pipeline cannot be made either
      return std::nullopt;
    }
    stages = state->stages();
    key = pipelineKeyOf(device, *state, layoutDataOf(rays->layout)->hash);
  } else if (auto *graphics = graphicsInfoOf(info)) {
    const LibraryInfo library(*graphics, pipelineFlagsOf(graphics->flags, graphics->pNext));
    if (library.isOfLibraries())
      return keyOfPieces(device, *graphics, library);
    const GraphicsState state = graphicsStateOf(*graphics, library.own);
    stages = state.stages;
    key = pipelineKeyOf(device, *graphics, state, *layoutDataOf(graphics->layout));
  }
  return key ? std::optional(NamedCode{*key, stages, false}) : std::nullopt;
}

/// Binaries of a library. Errors: those of compiling them.
llvm::Expected<std::vector<Content>> contentsOf(Device &device, const LibraryPieces &pieces,
                                                bool mayCompile) {
  std::vector<Content> contents;
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader}) {
    if (!piece)
      continue;
    auto binary = KILN_TRY(LibraryBinary::create(device, *piece, pieces.primitives(), mayCompile));
    contents.push_back({nullptr, std::move(binary)});
  }
  return contents;
}

/// What the driver's cache has of a library. None: something is missing.
llvm::Expected<std::optional<std::vector<Content>>>
findLibrary(Device &device, const VkGraphicsPipelineCreateInfo &info, const LibraryInfo &library) {
  PipelineFeedback feedback(nullptr);
  const PipelineCreation creation{
      device, nullptr, VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT_KHR, feedback};
  LibraryPieces pieces = library.linked();
  auto found = KILN_TRY(addPieces(creation, pieces, info, library.own & ~pieces.subsets()));
  // Without SPIR-V the binary would not be good for everything that its library is.
  if (!found || !pieces.canCompile())
    return std::nullopt;
  auto contents = KILN_TRY(contentsOf(device, pieces, /*mayCompile=*/false));
  return contents;
}

VkResult makeBinary(Device &device, const VkAllocationCallbacks *allocator, Content content,
                    const llpc::Hash128 &key, std::vector<uint8_t> packed,
                    VkPipelineBinaryKHR &binary) {
  auto *made = device.create<PipelineBinary>(allocator, std::move(content), key, std::move(packed));
  binary = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/// Binaries of code that is there.
VkResult makeAll(Device &device, const VkAllocationCallbacks *allocator,
                 llvm::ArrayRef<Content> contents, VkPipelineBinaryHandlesInfoKHR &binaries) {
  const auto count = static_cast<uint32_t>(contents.size());
  if (!binaries.pPipelineBinaries) {
    binaries.pipelineBinaryCount = count;
    return VK_SUCCESS;
  }
  VkResult result = binaries.pipelineBinaryCount < count ? VK_INCOMPLETE : VK_SUCCESS;
  binaries.pipelineBinaryCount = std::min(binaries.pipelineBinaryCount, count);
  for (uint32_t i = 0; i < binaries.pipelineBinaryCount; ++i) {
    std::vector<uint8_t> record = contents[i].record();
    const llpc::Hash128 key = contentHash(record);
    if (VkResult one = makeBinary(device, allocator, contents[i], key, std::move(record),
                                  binaries.pPipelineBinaries[i]);
        one < 0)
      result = one;
  }
  return result;
}

/// Content of data that must be what the key says.
llvm::Expected<Content> contentOfData(Device &device, const VkPipelineBinaryKeyKHR &key,
                                      const VkPipelineBinaryDataKHR &data) {
  auto *bytes = static_cast<const uint8_t *>(data.pData);
  const llvm::ArrayRef<uint8_t> record(bytes, bytes ? data.dataSize : 0);
  if (key.keySize != sizeof(KeyBytes) || hashOf(key.key) != contentHash(record))
    return lgc::invalidInput("the data is not what its key says");
  return PipelineBinary::Content::fromRecord(record, device.target());
}

VkResult makeFromData(Device &device, const VkAllocationCallbacks *allocator,
                      const VkPipelineBinaryKeysAndDataKHR &from,
                      VkPipelineBinaryHandlesInfoKHR &binaries) {
  if (!binaries.pPipelineBinaries) {
    binaries.pipelineBinaryCount = from.binaryCount;
    return VK_SUCCESS;
  }
  VkResult result = binaries.pipelineBinaryCount < from.binaryCount ? VK_INCOMPLETE : VK_SUCCESS;
  binaries.pipelineBinaryCount = std::min(binaries.pipelineBinaryCount, from.binaryCount);
  for (uint32_t i = 0; i < binaries.pipelineBinaryCount; ++i) {
    VkResult one = VK_ERROR_INITIALIZATION_FAILED;
    auto content = contentOfData(device, from.pPipelineBinaryKeys[i], from.pPipelineBinaryData[i]);
    if (content)
      one = makeBinary(device, allocator, std::move(*content),
                       hashOf(from.pPipelineBinaryKeys[i].key), {}, binaries.pPipelineBinaries[i]);
    else
      device.reportError("KILN-pipeline-binary",
                         "vkCreatePipelineBinariesKHR: " + llvm::toString(content.takeError()));
    if (one < 0 && result >= 0)
      result = one; // the first one
  }
  return result;
}

/// Behind the code of a pipeline with variants: what these are compiled of, or linked.
llvm::Expected<std::vector<Content>>
withShaders(Device &device, std::shared_ptr<const CodeObject> code, const LibraryPieces &pieces) {
  std::vector<Content> contents = {{std::move(code), nullptr}};
  const bool needsParts = hasDynamicInput(pieces.state());
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader}) {
    if (!piece)
      continue;
    auto library = needsParts ? KILN_TRY(LibraryBinary::create(device, *piece, pieces.primitives(),
                                                               /*mayCompile=*/true))
                              : LibraryBinary::ofShaders(device, *piece);
    contents.push_back({nullptr, std::move(library)});
  }
  return contents;
}

/// Of a pipeline that has captured its data. Errors: what the application is told.
llvm::Expected<std::vector<Content>> contentsOf(Device &device, const Pipeline &pipeline) {
  if (!pipeline.hasCapturedData)
    return lgc::invalidInput("the pipeline has captured no data, or has released it");
  if (pipeline.data->kind == PipelineData::Kind::Library)
    return contentsOf(device, pipeline.data->pieces(), /*mayCompile=*/true);
  auto code = pipeline.data->sharedCode(device);
  if (!code && pipeline.data->rays())
    return lgc::unsupported("binaries of a library of ray tracing pipelines");
  if (!code)
    return lgc::invalidInput("the pipeline has no code");
  const GraphicsPipelineData *graphics = pipeline.data->graphics();
  const LibraryPieces &pieces = pipeline.data->pieces(); // none of a cache compiled offline
  if (graphics && hasVariants(graphics->state) && pieces.preRasterization &&
      (pieces.canCompile() || hasDynamicInput(graphics->state)))
    return withShaders(device, std::move(code), pieces);
  return std::vector<Content>{{std::move(code), nullptr}};
}

/// What the driver's cache has. None: it is not there.
llvm::Expected<std::optional<std::vector<Content>>>
findContents(Device &device, const VkPipelineCreateInfoKHR &info) {
  if (auto *graphics = graphicsInfoOf(info)) {
    const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(graphics->flags, graphics->pNext);
    if (flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR)
      return findLibrary(device, *graphics, LibraryInfo(*graphics, flags));
  }
  const std::optional<NamedCode> key = keyOf(device, info);
  if (!key)
    return std::nullopt;
  FoundCode found = findCode(device, {key->key, nullptr, key->stages, key->mustBeMonolithic});
  if (!found.code)
    return std::nullopt;
  auto *graphics = graphicsInfoOf(info);
  if (!graphics)
    return std::vector<Content>{{std::move(found.code), nullptr}};
  const LibraryInfo library(*graphics, pipelineFlagsOf(graphics->flags, graphics->pNext));
  if (!hasVariants(piecesOf(device, *graphics, library).state()))
    return std::vector<Content>{{std::move(found.code), nullptr}};
  LibraryPieces pieces = library.linked();
  auto own =
      KILN_TRY(describedPiecesWithShaders(device, *graphics, library.own & ~pieces.subsets()));
  pieces.merge(own);
  if (!pieces.canCompile())
    return std::nullopt;
  return withShaders(device, std::move(found.code), pieces);
}

} // namespace

const VkPipelineBinaryInfoKHR *pipelineBinariesOf(const void *next) {
  auto *info =
      findInChain<VkPipelineBinaryInfoKHR>(next, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
  return info && info->binaryCount ? info : nullptr;
}

std::vector<uint8_t> PipelineBinary::Content::record() const {
  return code ? code->record() : library->record();
}

llvm::Expected<Content> PipelineBinary::Content::fromRecord(llvm::ArrayRef<uint8_t> record,
                                                            const pal::abi::GpuTarget &target) {
  Content content;
  if (LibraryBinary::isRecord(record)) {
    content.library = KILN_TRY(LibraryBinary::fromRecord(record, target));
    return content;
  }
  // The key has vouched for every byte. Code is unpacked when it is needed; what somebody has
  // forged together with its key may be found out only then.
  content.code = KILN_TRY(CodeObject::fromRecord(record.vec(), target));
  return content;
}

llvm::Expected<PipelineCode> codeOf(const VkPipelineBinaryInfoKHR &binaries,
                                    VkShaderStageFlags stages, bool hasVariants) {
  if (binaries.binaryCount != 1 && !hasVariants)
    return lgc::invalidInput("a pipeline has one binary, not " + llvm::Twine(binaries.binaryCount));
  const auto &code = fromHandle<PipelineBinary>(binaries.pPipelineBinaries[0])->content.code;
  if (!code)
    return lgc::invalidInput("the binary is one of a library");
  if (code->stages() != stages)
    return lgc::invalidInput("the binary is one of a pipeline with other stages");
  return code;
}

llvm::Expected<std::shared_ptr<const LibraryBinary>>
libraryBinaryOf(const VkPipelineBinaryInfoKHR &binaries, const LibraryPieces &pieces,
                const ShaderPiece &piece, uint32_t first) {
  const uint32_t count =
      first + (pieces.preRasterization ? 1 : 0) + (pieces.fragmentShader ? 1 : 0);
  if (binaries.binaryCount != count)
    return lgc::invalidInput("there are " + llvm::Twine(count) + " binaries, not " +
                             llvm::Twine(binaries.binaryCount));
  const uint32_t index = &piece == pieces.preRasterization.get() ? first : count - 1;
  const auto &library =
      fromHandle<PipelineBinary>(binaries.pPipelineBinaries[index])->content.library;
  if (!library)
    return lgc::invalidInput("the binary is one of a pipeline that is no library");
  return library;
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelineBinariesKHR(VkDevice deviceHandle,
                                                         const VkPipelineBinaryCreateInfoKHR *info,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkPipelineBinaryHandlesInfoKHR *binaries) {
  auto *device = fromHandle<Device>(deviceHandle);
  if (binaries->pPipelineBinaries)
    std::fill_n(binaries->pPipelineBinaries, binaries->pipelineBinaryCount,
                VkPipelineBinaryKHR(VK_NULL_HANDLE));
  if (info->pKeysAndDataInfo)
    return makeFromData(*device, allocator, *info->pKeysAndDataInfo, *binaries);
  auto fail = [&](llvm::Error error, const Object *object) {
    device->reportError("KILN-pipeline-binary",
                        "vkCreatePipelineBinariesKHR: " + llvm::toString(std::move(error)), object);
    return VK_ERROR_INITIALIZATION_FAILED;
  };
  if (auto *pipeline = fromHandle<Pipeline>(info->pipeline)) {
    auto contents = contentsOf(*device, *pipeline);
    if (!contents)
      return fail(contents.takeError(), pipeline);
    return makeAll(*device, allocator, *contents, *binaries);
  }
  if (info->pPipelineCreateInfo) {
    auto contents = findContents(*device, *info->pPipelineCreateInfo);
    if (!contents)
      return fail(contents.takeError(), nullptr);
    if (*contents)
      return makeAll(*device, allocator, **contents, *binaries);
  }
  binaries->pipelineBinaryCount = 0;
  return VK_PIPELINE_BINARY_MISSING_KHR;
}

VKAPI_ATTR void VKAPI_CALL DestroyPipelineBinaryKHR(VkDevice device, VkPipelineBinaryKHR binary,
                                                    const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<PipelineBinary>(binary), allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineKeyKHR(VkDevice deviceHandle,
                                                 const VkPipelineCreateInfoKHR *info,
                                                 VkPipelineBinaryKeyKHR *pipelineKey) {
  auto *device = fromHandle<Device>(deviceHandle);
  const auto key = info ? keyOf(*device, *info) : NamedCode{device->globalKey()};
  pipelineKey->keySize = 0;
  if (!key)
    return VK_ERROR_UNKNOWN; // the only one of the command's errors that says nothing of memory
  write(*pipelineKey, key->key);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL GetPipelineBinaryDataKHR(VkDevice,
                                                        const VkPipelineBinaryDataInfoKHR *info,
                                                        VkPipelineBinaryKeyKHR *key, size_t *size,
                                                        void *data) {
  auto *binary = fromHandle<PipelineBinary>(info->pipelineBinary);
  write(*key, binary->key);
  const std::vector<uint8_t> record = binary->record();
  const size_t capacity = *size;
  *size = record.size();
  if (!data)
    return VK_SUCCESS;
  if (capacity < record.size())
    return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
  std::memcpy(data, record.data(), record.size());
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL ReleaseCapturedPipelineDataKHR(
    VkDevice, const VkReleaseCapturedPipelineDataInfoKHR *info, const VkAllocationCallbacks *) {
  // The code is the pipeline's own, and stays.
  fromHandle<Pipeline>(info->pipeline)->hasCapturedData = false;
  return VK_SUCCESS;
}

} // namespace icd
