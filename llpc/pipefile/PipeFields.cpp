//===- PipeFields.cpp - keys of .pipe files and where their values are ----===//
// SPDX-License-Identifier: MIT
#include "llpc/pipefile/PipeFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace llpc {

namespace {

constexpr PipeSourceName sourceNames[] = {
    {PipeSource::Glsl, "Glsl"},
    {PipeSource::Spirv, "Spirv"},
    {PipeSource::GlslFile, "GlslFile"},
    {PipeSource::SpvFile, "SpvFile"},
    {PipeSource::SpvasmFile, "SpvasmFile"},
};

/// Keys of AMD's files without a meaning here, blank-separated; one that ends in * is the beginning
/// of several.
struct IgnoredKeys {
  llvm::StringLiteral section; ///< "State": those of all kinds of pipelines
  bool isQuiet;                ///< describe what is so in any case, or parts of AMD's own driver
  llvm::StringLiteral keys;
};
constexpr IgnoredKeys ignoredKeys[] = {
    {"Info", true, "options.workaroundStorageImageFormats options.imageSampleDrefReturnsRgba"},
    {"Info", false,
     "options.trapPresent options.debugMode options.enablePerformanceData "
     "options.maxThreadGroupsPerComputeUnit options.waveBreakSize "
     "options.allowVaryWaveSize options.forceLoopUnrollCount options.unrollThreshold "
     "options.unrollHintThreshold options.dontUnrollHintThreshold "
     "options.enableLoadScalarizer options.scalarThreshold options.useSiScheduler "
     "options.disableCodeSinking options.favorLatencyHiding options.disableLicm "
     "options.disableLicmThreshold options.updateDescInElf "
     "options.adjustDepthImportVrs options.fastMathFlags options.disableFastMathFlags "
     "options.ldsSpillLimitDwords options.scalarizeWaterfallLoads "
     "options.overrideForceThreadIdSwizzling options.overrideShaderThreadGroupSizeX "
     "options.overrideShaderThreadGroupSizeY options.overrideShaderThreadGroupSizeZ "
     "options.nsaThreshold options.aggressiveInvariantLoads "
     "options.workaroundInitializeOutputsToZero options.disableReadFirstLaneWorkaround "
     "options.disableGlPositionOpt options.forceUnderflowPrevention "
     "options.scheduleStrategy options.constantBufferBindingOffset "
     "options.workgroupRoundRobin options.promoteAllocaRegLimit "
     "options.promoteAllocaRegRatio options.enableTransformShader "
     "options.temporalHintShaderControl options.cachePolicyLlc* options.resourceCount "
     "trapPresent debugMode enablePerformanceData maxThreadGroupsPerComputeUnit "
     "vgprLimit sgprLimit forceDisableStreamOut forceEnablePrimStats"},
    {"State", true,
     "rtState.* options.glState.disableTruncCoordForGather "
     "options.disableTruncCoordForGather"},
    {"State", false,
     "unlinked includeDisassembly includeIr options.reconfigWorkgroupLayout "
     "options.forceCsThreadIdSwizzling options.enableRelocatableShaderElf "
     "options.disableImageResourceCheck options.enableScratchAccessBoundsChecks "
     "options.enableImplicitInvariantExports options.shadowDescriptorTableUsage "
     "options.shadowDescriptorTablePtrHigh options.enableRayQuery "
     "options.pageMigrationEnabled options.overrideThreadGroupSizeX "
     "options.overrideThreadGroupSizeY options.overrideThreadGroupSizeZ "
     "options.resourceLayoutScheme options.threadGroupSwizzleMode "
     "options.reverseThreadGroup options.internalRtShaders "
     "options.forceNonUniformResourceIndexStageMask options.expertSchedulingMode "
     "options.cacheScopePolicyControl options.optimizeTessFactor "
     "options.enableInterpModePatch options.padBufferSizeToNextDword "
     "options.disablePerCompFetch options.optimizePointSizeWrite "
     "options.temporalHintControl options.compileTimeConstants* options.glState.* "
     "clientMetadata* shaderLibrary uniformConstantMap* "
     "options.buildResourcesDataForShaderModule options.disableBaseVertex "
     "options.disableSampleMask options.enableCombinedTexture options.enableFragColor "
     "options.replaceSetWithResourceType options.vertex64BitsAttribSingleLoc"},
    {"GraphicsPipelineState", false,
     "usrClipPlaneMask tessLevel enableColorExportShader enableEarlyCompile "
     "enableInitUndefZero useVertexBufferDescArray scalarBlockLayout depthTestEnable "
     "depthWriteEnable dsState.depthTestEnable dsState.depthWriteEnable "
     "dsState.stencilTestEnable advancedBlendInfo.enableAdvancedBlend "
     "advancedBlendInfo.enableRov advancedBlendInfo.binding nggState.forceCullingMode "
     "nggState.alwaysUsePrimShaderTable nggState.compactMode nggState.compactVertex "
     "nggState.enableFastLaunch nggState.enableVertexReuse "
     "nggState.enableBoxFilterCulling nggState.enableSphereCulling "
     "nggState.backfaceExponent nggState.subgroupSizing tessLevelInner* "
     "tessLevelOuter* outLocationMaps* xfbOutInfo* forceDisableStreamOut "
     "originUpperLeft vbAddressLowBitsKnown enableColorClampVs enableColorClampFs "
     "enableFlatShade enableMapClipDistMask disablePointCoord alphaTestFunc "
     "numTexPointSprite texPointSpriteLocs enableInitialUndefVar "
     "nggState.forceNonPassthrough cullMode frontFace polygonMode depthBiasEnable "
     "shaderTraceMask"},
    {"RayTracingPipelineState", true,
     "groups* shaderTraceRay indirectStageMask mode deviceCount payloadSizeMaxInLib "
     "attributeSizeMaxInLib gpurtFeatureFlags"},
    {"RayTracingPipelineState", false,
     "libraryMode hasPipelineLibrary pipelineLibStageMask isReplay"},
    {"ColorBuffer", false, "palFormat"},
    {"VertexInputState", false, "dynamicVertexStride shaderTraceMask vbAddressLowBits"},
    {"ResourceNode", true, "visibility indirectUserDataCount"},
};

} // namespace

llvm::Expected<bool> setPipeKey(ComputePipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value) {
  return setPipeField<PipelineBuildInfo>(info, key, value);
}

llvm::Expected<bool> setPipeKey(GraphicsPipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value) {
  auto known = setPipeField<PipelineBuildInfo>(info, key, value);
  if (!known || *known)
    return known;
  return setPipeField<GraphicsPipelineState>(info, key, value);
}

llvm::Expected<bool> setPipeKey(RayTracingPipelineBuildInfo &info, llvm::StringRef key,
                                llvm::StringRef value) {
  auto known = setPipeField<PipelineBuildInfo>(info, key, value);
  if (!known || *known)
    return known;
  return setPipeField<lgc::RayTracingState>(info, key, value);
}

llvm::ArrayRef<PipeSourceName> pipeSourceNames() { return sourceNames; }

/// Calls back until it says that it has found what it looks for.
static void forIgnoredKeys(llvm::StringRef section,
                           llvm::function_ref<bool(llvm::StringRef, bool isQuiet)> isFound) {
  const bool isState = section.ends_with("PipelineState");
  for (const IgnoredKeys &row : ignoredKeys) {
    if (row.section != section && !(isState && row.section == "State"))
      continue;
    for (llvm::StringRef rest = row.keys; !rest.empty();) {
      auto [word, tail] = rest.split(' ');
      if (isFound(word, row.isQuiet))
        return;
      rest = tail;
    }
  }
}

IgnoredKey ignoredKey(llvm::StringRef section, llvm::StringRef key) {
  IgnoredKey result = IgnoredKey::None;
  forIgnoredKeys(section, [&](llvm::StringRef name, bool isQuiet) {
    const bool isPrefix = name.consume_back("*");
    if (isPrefix ? !key.starts_with(name) : name != key)
      return false;
    result = isQuiet ? IgnoredKey::Meaningless : IgnoredKey::NotHonoured;
    return true;
  });
  return result;
}

NearestKey &NearestKey::ignored(llvm::StringRef section) {
  forIgnoredKeys(section, [this](llvm::StringRef name, bool) {
    if (!name.ends_with("*"))
      offer(name);
    return false;
  });
  return *this;
}

void NearestKey::offer(llvm::StringRef name) {
  const unsigned distance = key.edit_distance_insensitive(name, /*AllowReplacements=*/true, most);
  if (distance > most || (distance == most && !found.empty()))
    return;
  found = name.str();
  most = distance;
}

bool isSectionHeader(llvm::StringRef line) {
  line = line.trim();
  if (!line.consume_front("[") || !line.consume_back("]") || line.empty())
    return false;
  return llvm::isAlpha(line.front()) &&
         llvm::all_of(line, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

llvm::StringRef withoutComment(llvm::StringRef line) {
  line = line.trim();
  if (line.starts_with(";") || line.starts_with("//"))
    return {};
  for (llvm::StringRef mark : {" ;", "\t;"})
    line = line.take_front(line.find(mark)).rtrim();
  return line;
}

} // namespace llpc
