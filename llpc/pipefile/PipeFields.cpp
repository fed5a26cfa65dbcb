//===- PipeFields.cpp - keys of .pipe files and where their values are ----===//
// SPDX-License-Identifier: MIT
#include "llpc/pipefile/PipeFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace llpc {

namespace {

constexpr PipeStageName stageNames[] = {
    {ShaderStage::Task, "Task", "TaskShader"},
    {ShaderStage::Vertex, "Vs", "VertexShader"},
    {ShaderStage::TessControl, "Tcs", "TessControlShader"},
    {ShaderStage::TessEval, "Tes", "TessEvalShader"},
    {ShaderStage::Geometry, "Gs", "GeometryShader"},
    {ShaderStage::Mesh, "Mesh", "MeshShader"},
    {ShaderStage::Fragment, "Fs", "FragmentShader"},
    {ShaderStage::Compute, "Cs", "ComputeShader"},
};

constexpr PipeSourceName sourceNames[] = {
    {PipeSource::Glsl, "Glsl"},
    {PipeSource::Spirv, "Spirv"},
    {PipeSource::GlslFile, "GlslFile"},
    {PipeSource::SpvFile, "SpvFile"},
    {PipeSource::SpvasmFile, "SpvasmFile"},
};

#define FIELD(type, key, expression) {key, [](type &o) -> ValueRef { return expression; }}

constexpr PipeField<PipelineShaderOptions> shaderOptions[] = {
    FIELD(PipelineShaderOptions, "clientHash", HashRef{&o.clientHash}),
    FIELD(PipelineShaderOptions, "vgprLimit", &o.vgprLimit),
    FIELD(PipelineShaderOptions, "sgprLimit", &o.sgprLimit),
    FIELD(PipelineShaderOptions, "wavesPerEu", &o.wavesPerEu),
    FIELD(PipelineShaderOptions, "waveSize", &o.waveSize),
    FIELD(PipelineShaderOptions, "subgroupSize", &o.subgroupSize),
    FIELD(PipelineShaderOptions, "requireFullSubgroups", &o.requireFullSubgroups),
    FIELD(PipelineShaderOptions, "disableLoopUnroll", &o.disableLoopUnroll),
    FIELD(PipelineShaderOptions, "viewIndexFromDeviceIndex", &o.viewIndexFromDeviceIndex),
};

constexpr PipeField<PipelineBuildInfo> pipeline[] = {
    FIELD(PipelineBuildInfo, "deviceIndex", &o.deviceIndex),
    FIELD(PipelineBuildInfo, "options.robustBufferAccess", &o.options.robustBufferAccess),
    FIELD(PipelineBuildInfo, "options.extendedRobustness.robustBufferAccess",
          &o.options.robustBufferAccess2),
    FIELD(PipelineBuildInfo, "options.extendedRobustness.robustImageAccess",
          &o.options.robustImageAccess2),
    FIELD(PipelineBuildInfo, "options.extendedRobustness.nullDescriptor",
          &o.options.nullDescriptor),
    FIELD(PipelineBuildInfo, "options.scalarBlockLayout", &o.options.scalarBlockLayout),
    FIELD(PipelineBuildInfo, "options.enablePrimGeneratedQuery",
          &o.options.primitivesGeneratedQuery),
    FIELD(PipelineBuildInfo, "options.enableMeshShaderQueries", &o.options.meshShaderQueries),
    FIELD(PipelineBuildInfo, "options.includeIr", &o.options.includeIr),
    FIELD(PipelineBuildInfo, "options.includeDisassembly", &o.options.includeDisassembly),
    FIELD(PipelineBuildInfo, "options.debugInfo", &o.options.debugInfo),
    FIELD(PipelineBuildInfo, "options.optimizationLevel", &o.options.optLevel),
    FIELD(PipelineBuildInfo, "options.pipelineHash", HashRef{&o.options.pipelineHash}),
};

constexpr PipeField<GraphicsPipelineBuildInfo> graphics[] = {
    FIELD(GraphicsPipelineBuildInfo, "stageMask", &o.stageMask),
    FIELD(GraphicsPipelineBuildInfo, "topology", &o.iaState.topology),
    FIELD(GraphicsPipelineBuildInfo, "patchControlPoints", &o.iaState.patchControlPoints),
    FIELD(GraphicsPipelineBuildInfo, "disableVertexReuse", &o.iaState.disableVertexReuse),
    FIELD(GraphicsPipelineBuildInfo, "switchWinding", &o.iaState.switchWinding),
    FIELD(GraphicsPipelineBuildInfo, "enableMultiView", &o.iaState.enableMultiView),
    FIELD(GraphicsPipelineBuildInfo, "depthClipEnable", &o.vpState.depthClipEnable),
    FIELD(GraphicsPipelineBuildInfo, "rasterizerDiscardEnable", &o.rsState.rasterizerDiscardEnable),
    FIELD(GraphicsPipelineBuildInfo, "innerCoverage", &o.rsState.innerCoverage),
    FIELD(GraphicsPipelineBuildInfo, "perSampleShading", &o.rsState.perSampleShading),
    FIELD(GraphicsPipelineBuildInfo, "numSamples", &o.rsState.numSamples),
    FIELD(GraphicsPipelineBuildInfo, "pixelShaderSamples", &o.rsState.pixelShaderSamples),
    FIELD(GraphicsPipelineBuildInfo, "samplePatternIdx", &o.rsState.samplePatternIdx),
    FIELD(GraphicsPipelineBuildInfo, "dynamicSampleInfo", &o.rsState.dynamicSampleInfo),
    FIELD(GraphicsPipelineBuildInfo, "rasterStream", &o.rsState.rasterStream),
    FIELD(GraphicsPipelineBuildInfo, "provokingVertexMode", &o.rsState.provokingVertexMode),
    FIELD(GraphicsPipelineBuildInfo, "alphaToCoverageEnable", &o.cbState.alphaToCoverageEnable),
    FIELD(GraphicsPipelineBuildInfo, "dualSourceBlendEnable", &o.cbState.dualSourceBlendEnable),
    FIELD(GraphicsPipelineBuildInfo, "dualSourceBlendDynamic", &o.cbState.dualSourceBlendDynamic),
    FIELD(GraphicsPipelineBuildInfo, "dynamicVertexStride", &o.dynamicVertexStride),
    FIELD(GraphicsPipelineBuildInfo, "dynamicTopology", &o.dynamicTopology),
    FIELD(GraphicsPipelineBuildInfo, "options.enableRobustUnboundVertex",
          &o.enableRobustUnboundVertex),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableNgg", &o.nggState.enable),
    FIELD(GraphicsPipelineBuildInfo, "nggState.forceNgg", &o.nggState.force),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableGsUse", &o.nggState.enableGsUse),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableBackfaceCulling", &o.nggState.backfaceCulling),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableFrustumCulling", &o.nggState.frustumCulling),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableSmallPrimFilter",
          &o.nggState.smallPrimitiveFilter),
    FIELD(GraphicsPipelineBuildInfo, "nggState.enableCullDistanceCulling",
          &o.nggState.cullDistanceCulling),
    FIELD(GraphicsPipelineBuildInfo, "nggState.primsPerSubgroup", &o.nggState.primsPerSubgroup),
    FIELD(GraphicsPipelineBuildInfo, "nggState.vertsPerSubgroup", &o.nggState.vertsPerSubgroup),
};

constexpr PipeField<ColorTargetState> targets[] = {
    FIELD(ColorTargetState, "format", FormatRef{&o.format}),
    FIELD(ColorTargetState, "channelWriteMask", &o.channelWriteMask),
    FIELD(ColorTargetState, "blendEnable", &o.blendEnable),
    FIELD(ColorTargetState, "blendSrcAlphaToColor", &o.blendSrcAlphaToColor),
};

constexpr PipeField<lgc::VertexBinding> bindings[] = {
    FIELD(lgc::VertexBinding, "binding", &o.binding),
    FIELD(lgc::VertexBinding, "stride", &o.stride),
    FIELD(lgc::VertexBinding, "inputRate", InputRateRef{&o.perInstance}),
};

constexpr PipeField<VertexAttributeInfo> attributes[] = {
    FIELD(VertexAttributeInfo, "location", &o.location),
    FIELD(VertexAttributeInfo, "binding", &o.binding),
    FIELD(VertexAttributeInfo, "format", FormatRef{&o.format}),
    FIELD(VertexAttributeInfo, "offset", &o.offset),
};

constexpr PipeField<lgc::ResourceNode> nodes[] = {
    FIELD(lgc::ResourceNode, "type", &o.type),
    FIELD(lgc::ResourceNode, "offsetInDwords", &o.offsetInDwords),
    FIELD(lgc::ResourceNode, "sizeInDwords", &o.sizeInDwords),
    FIELD(lgc::ResourceNode, "set", &o.set),
    FIELD(lgc::ResourceNode, "binding", &o.binding),
    FIELD(lgc::ResourceNode, "strideInDwords", &o.strideInDwords),
};

constexpr PipeField<lgc::StaticDescriptor> descriptors[] = {
    FIELD(lgc::StaticDescriptor, "type", &o.type),
    FIELD(lgc::StaticDescriptor, "set", &o.set),
    FIELD(lgc::StaticDescriptor, "binding", &o.binding),
    FIELD(lgc::StaticDescriptor, "arraySize", &o.arraySize),
};

#undef FIELD

/// Keys of AMD's files without a meaning here, blank-separated.
struct IgnoredKeys {
  llvm::StringLiteral section, keys;
};
constexpr IgnoredKeys ignoredKeys[] = {
    {"Info",
     "options.trapPresent options.debugMode options.enablePerformanceData options.allowReZ "
     "options.forceLateZ options.maxThreadGroupsPerComputeUnit options.wgpMode "
     "options.waveBreakSize options.allowVaryWaveSize options.forceLoopUnrollCount "
     "options.unrollThreshold options.unrollHintThreshold options.dontUnrollHintThreshold "
     "options.enableLoadScalarizer options.scalarThreshold options.useSiScheduler "
     "options.disableCodeSinking options.favorLatencyHiding options.disableLicm "
     "options.disableLicmThreshold options.updateDescInElf options.adjustDepthImportVrs "
     "options.fp32DenormalMode options.noContractOpDot options.fastMathFlags "
     "options.disableFastMathFlags options.disableFMA options.ldsSpillLimitDwords "
     "options.scalarizeWaterfallLoads options.overrideForceThreadIdSwizzling "
     "options.overrideShaderThreadGroupSizeX options.overrideShaderThreadGroupSizeY "
     "options.overrideShaderThreadGroupSizeZ options.nsaThreshold "
     "options.aggressiveInvariantLoads options.workaroundStorageImageFormats "
     "options.workaroundInitializeOutputsToZero options.disableReadFirstLaneWorkaround "
     "options.backwardPropagateNoContract options.forwardPropagateNoContract "
     "options.disableGlPositionOpt "
     "options.forceUnderflowPrevention options.scheduleStrategy "
     "options.constantBufferBindingOffset options.imageSampleDrefReturnsRgba "
     "options.workgroupRoundRobin options.promoteAllocaRegLimit options.promoteAllocaRegRatio "
     "options.forceMemoryBarrierScope options.enableTransformShader"},
    {"GraphicsPipelineState",
     "unlinked usrClipPlaneMask tessLevel enableUberFetchShader enableColorExportShader "
     "enableEarlyCompile useSoftwareVertexBufferDescriptors enableInitUndefZero "
     "useVertexBufferDescArray includeDisassembly includeIr scalarBlockLayout "
     "depthTestEnable depthWriteEnable "
     "dsState.depthTestEnable dsState.depthWriteEnable dsState.stencilTestEnable "
     "advancedBlendInfo.enableAdvancedBlend advancedBlendInfo.enableRov "
     "advancedBlendInfo.binding nggState.forceCullingMode nggState.alwaysUsePrimShaderTable "
     "nggState.compactMode nggState.compactVertex nggState.enableFastLaunch "
     "nggState.enableVertexReuse nggState.enableBoxFilterCulling nggState.enableSphereCulling "
     "nggState.backfaceExponent nggState.subgroupSizing "
     "options.reconfigWorkgroupLayout options.forceCsThreadIdSwizzling "
     "options.enableRelocatableShaderElf options.disableImageResourceCheck "
     "options.enableScratchAccessBoundsChecks options.enableImplicitInvariantExports "
     "options.shadowDescriptorTableUsage options.shadowDescriptorTablePtrHigh "
     "options.enableRayQuery options.optimizeTessFactor options.enableInterpModePatch "
     "options.pageMigrationEnabled options.overrideThreadGroupSizeX "
     "options.overrideThreadGroupSizeY options.overrideThreadGroupSizeZ "
     "options.resourceLayoutScheme options.threadGroupSwizzleMode options.reverseThreadGroup "
     "options.internalRtShaders options.forceNonUniformResourceIndexStageMask "
     "options.expertSchedulingMode options.cacheScopePolicyControl "
     "options.enablePrimGeneratedQuery options.disablePerCompFetch "
     "options.optimizePointSizeWrite options.padBufferSizeToNextDword"},
    {"ComputePipelineState",
     "unlinked includeDisassembly includeIr "
     "options.reconfigWorkgroupLayout options.forceCsThreadIdSwizzling "
     "options.enableRelocatableShaderElf options.disableImageResourceCheck "
     "options.enableScratchAccessBoundsChecks options.enableImplicitInvariantExports "
     "options.shadowDescriptorTableUsage options.shadowDescriptorTablePtrHigh "
     "options.enableRayQuery options.pageMigrationEnabled options.overrideThreadGroupSizeX "
     "options.overrideThreadGroupSizeY options.overrideThreadGroupSizeZ "
     "options.resourceLayoutScheme options.threadGroupSwizzleMode options.reverseThreadGroup "
     "options.internalRtShaders options.forceNonUniformResourceIndexStageMask "
     "options.expertSchedulingMode options.cacheScopePolicyControl "
     "options.optimizeTessFactor options.enableInterpModePatch "
     "options.padBufferSizeToNextDword"},
};

} // namespace

llvm::ArrayRef<PipeField<PipelineShaderOptions>> shaderOptionFields() { return shaderOptions; }
llvm::ArrayRef<PipeField<PipelineBuildInfo>> pipelineFields() { return pipeline; }
llvm::ArrayRef<PipeField<GraphicsPipelineBuildInfo>> graphicsFields() { return graphics; }
llvm::ArrayRef<PipeField<ColorTargetState>> targetFields() { return targets; }
llvm::ArrayRef<PipeField<lgc::VertexBinding>> bindingFields() { return bindings; }
llvm::ArrayRef<PipeField<VertexAttributeInfo>> attributeFields() { return attributes; }
llvm::ArrayRef<PipeField<lgc::ResourceNode>> nodeFields() { return nodes; }
llvm::ArrayRef<PipeField<lgc::StaticDescriptor>> descriptorFields() { return descriptors; }
llvm::ArrayRef<PipeStageName> pipeStageNames() { return stageNames; }
llvm::ArrayRef<PipeSourceName> pipeSourceNames() { return sourceNames; }

bool isIgnoredKey(llvm::StringRef section, llvm::StringRef key) {
  for (const IgnoredKeys &row : ignoredKeys) {
    if (row.section != section)
      continue;
    llvm::StringRef rest = row.keys;
    while (!rest.empty()) {
      auto [word, tail] = rest.split(' ');
      if (word == key)
        return true;
      rest = tail;
    }
  }
  return false;
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
