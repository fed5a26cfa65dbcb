//===- OptionRows.cpp - AMD's options, a row for each field ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Options.h"

namespace icd::amd {
namespace {

template <typename Number>
  requires std::is_unsigned_v<Number>
uint64_t number(Number value) {
  return value;
}
uint64_t number(const Vkgc::optional_bool &value) {
  return value.has_value() ? 1 + uint64_t(*value) : 0;
}
template <typename Enum>
  requires std::is_enum_v<Enum>
uint64_t number(Enum value) {
  return static_cast<uint64_t>(value);
}

using P = Vkgc::PipelineOptions;
using S = Vkgc::PipelineShaderOptions;
using N = Vkgc::NggState;
using C = Vkgc::ComputePipelineBuildInfo;
using G = Vkgc::GraphicsPipelineBuildInfo;

/// A row for the field of a name, which messages have with the prefix that .pipe files give it.
#define KILN_OPTION(T, prefix, field, effect, ...)                                                 \
  {prefix #field, Effect::effect, [](const T &options) { return number(options.field); },          \
   ##__VA_ARGS__}
#define P_ROW(field, effect, ...) KILN_OPTION(P, "options.", field, effect, ##__VA_ARGS__)
#define S_ROW(field, effect, ...) KILN_OPTION(S, "shader.", field, effect, ##__VA_ARGS__)
#define N_ROW(field, effect, ...) KILN_OPTION(N, "nggState.", field, effect, ##__VA_ARGS__)
#define C_ROW(field, effect, ...) KILN_OPTION(C, "", field, effect, ##__VA_ARGS__)
#define G_ROW(field, effect, ...) KILN_OPTION(G, "", field, effect, ##__VA_ARGS__)

constexpr OptionRow<P> pipelineRows[] = {
    P_ROW(includeDisassembly, Applied),
    P_ROW(scalarBlockLayout, Applied),
    P_ROW(reconfigWorkgroupLayout, Speed),
    P_ROW(forceCsThreadIdSwizzling, Speed),
    P_ROW(includeIr, Applied),
    P_ROW(robustBufferAccess, Applied),
    P_ROW(enableRobustUnboundVertex, Applied),
    P_ROW(enableRelocatableShaderElf, None), // whole pipelines are compiled, with the same results
    P_ROW(disableImageResourceCheck, None),  // there is no such check
    P_ROW(enableScratchAccessBoundsChecks, Results),
    P_ROW(enableImplicitInvariantExports, Applied), // rounding is the same in every pipeline
    P_ROW(shadowDescriptorTableUsage, Results, uint64_t(Vkgc::ShadowDescriptorTableUsage::Disable)),
    P_ROW(shadowDescriptorTablePtrHigh, None), // with the one before
    P_ROW(extendedRobustness.robustBufferAccess, Applied),
    P_ROW(extendedRobustness.robustImageAccess, Applied),
    P_ROW(extendedRobustness.nullDescriptor, Applied),
    P_ROW(enableRayQuery, Results),
    P_ROW(optimizeTessFactor, Speed),
    P_ROW(enableInterpModePatch, Applied), // inputs are interpolated where the samples are shaded
    P_ROW(pageMigrationEnabled, None),
    P_ROW(optimizationLevel, Applied),
    P_ROW(overrideThreadGroupSizeX, Results),
    P_ROW(overrideThreadGroupSizeY, Results),
    P_ROW(overrideThreadGroupSizeZ, Results),
    P_ROW(resourceLayoutScheme, None), // the resource mapping says where everything is
    P_ROW(threadGroupSwizzleMode, Speed),
    P_ROW(reverseThreadGroup, Speed),
    P_ROW(internalRtShaders, None),
    P_ROW(forceNonUniformResourceIndexStageMask, Results),
    P_ROW(expertSchedulingMode, Speed),
    P_ROW(glState.replaceSetWithResourceType, Results),
    P_ROW(glState.disableSampleMask, Results),
    P_ROW(glState.buildResourcesDataForShaderModule, Results),
    P_ROW(glState.disableTruncCoordForGather, Applied), // always
    P_ROW(glState.enableCombinedTexture, Results),
    P_ROW(glState.vertex64BitsAttribSingleLoc, Results),
    P_ROW(glState.enableFragColor, Results),
    P_ROW(glState.disableBaseVertex, Results),
    P_ROW(glState.bindlessTextureMode, Results),
    P_ROW(glState.bindlessImageMode, Results),
    P_ROW(glState.enablePolygonStipple, Results),
    P_ROW(glState.enableLineSmooth, Results),
    P_ROW(glState.emulateWideLineStipple, Results),
    P_ROW(glState.enablePointSmooth, Results),
    P_ROW(glState.enableRemapLocation, Results),
    P_ROW(glState.enableDepthCompareParam, Results),
    P_ROW(glState.enableDepthCompareFailValue, Results),
    P_ROW(cacheScopePolicyControl, Speed),
    P_ROW(enablePrimGeneratedQuery, Applied),
    P_ROW(disablePerCompFetch, Speed),
    P_ROW(optimizePointSizeWrite, Speed),
    {"options.compileConstInfo", Effect::Speed,
     [](const P &options) {
       return options.compileConstInfo ? number(options.compileConstInfo->numCompileTimeConstants)
                                       : 0;
     }},
    // Four bits an operation, of which the highest one says that it is overridden.
    {"options.temporalHintControl", Effect::Speed,
     [](const P &options) { return number(options.temporalHintControl & 0x88888888u); }},
    P_ROW(padBufferSizeToNextDword, None), // what the driver does with the sizes of buffers
};

constexpr OptionRow<S> shaderRows[] = {
    S_ROW(clientHash.lower, Applied),
    S_ROW(clientHash.upper, Applied),
    S_ROW(trapPresent, Tools),
    S_ROW(debugMode, Tools),
    S_ROW(enablePerformanceData, Tools),
    S_ROW(allowReZ, Applied),
    S_ROW(vgprLimit, Applied),
    S_ROW(sgprLimit, Applied),
    S_ROW(maxThreadGroupsPerComputeUnit, Speed),
    S_ROW(subgroupSize, Applied),
    S_ROW(waveSize, Applied),
    S_ROW(wgpMode, Applied),
    S_ROW(waveBreakSize, Speed),
    S_ROW(forceLoopUnrollCount, Speed, 1), // 1: as disableLoopUnroll
    S_ROW(enableLoadScalarizer, Speed),
    S_ROW(allowVaryWaveSize, Applied),
    S_ROW(useSiScheduler, Speed),
    S_ROW(disableCodeSinking, Speed),
    S_ROW(favorLatencyHiding, Speed),
    S_ROW(disableLicm, Speed),
    S_ROW(unrollThreshold, Speed),
    S_ROW(scalarThreshold, Speed),
    S_ROW(disableLoopUnroll, Applied),
    S_ROW(adjustDepthImportVrs, Results),
    S_ROW(fp32DenormalMode, Applied),
    S_ROW(disableLicmThreshold, Speed),
    S_ROW(unrollHintThreshold, Speed),
    S_ROW(dontUnrollHintThreshold, Speed),
    S_ROW(noContractOpDot, Applied),
    S_ROW(fastMathFlags, Speed),
    S_ROW(disableFastMathFlags, None), // what SPIR-V does not allow is not assumed
    S_ROW(ldsSpillLimitDwords, Speed),
    S_ROW(scalarizeWaterfallLoads, Speed),
    S_ROW(overrideForceThreadIdSwizzling, Speed),
    S_ROW(overrideShaderThreadGroupSizeX, Results),
    S_ROW(overrideShaderThreadGroupSizeY, Results),
    S_ROW(overrideShaderThreadGroupSizeZ, Results),
    S_ROW(forceLateZ, Applied),
    S_ROW(nsaThreshold, Speed),
    S_ROW(aggressiveInvariantLoads, Speed, uint64_t(Vkgc::InvariantLoads::DisableOptimization)),
    S_ROW(workaroundStorageImageFormats, None), // stores write what the shader gives
    S_ROW(disableFMA, Applied),
    S_ROW(disableReadFirstLaneWorkaround, None),
    S_ROW(backwardPropagateNoContract, Applied),
    S_ROW(forwardPropagateNoContract, Applied),
    S_ROW(workgroupRoundRobin, Speed),
    S_ROW(constantBufferBindingOffset, Results),
    S_ROW(imageSampleDrefReturnsRgba, Results),
    S_ROW(disableGlPositionOpt, None), // positions are computed as they stand
    S_ROW(viewIndexFromDeviceIndex, Applied),
    S_ROW(cachePolicyLlc.resourceCount, Speed),
    {"shader.temporalHintShaderControl", Effect::Speed,
     [](const S &options) { return number(options.temporalHintShaderControl & 0x88888888u); }},
    S_ROW(enableTransformShader, Results),
    S_ROW(forceUnderflowPrevention, Results),
    S_ROW(forceMemoryBarrierScope, Applied),
    S_ROW(scheduleStrategy, Speed),
    S_ROW(promoteAllocaRegLimit, Speed),
    S_ROW(promoteAllocaRegRatio, Speed),
};

constexpr OptionRow<N> nggRows[] = {
    N_ROW(enableNgg, Applied),
    N_ROW(enableGsUse, Applied),
    N_ROW(forceCullingMode, None), // culling is on whenever a kind of it is
    N_ROW(compactVertex, None),    // as culling needs it
    N_ROW(enableBackfaceCulling, Applied),
    N_ROW(enableFrustumCulling, Applied),
    N_ROW(enableBoxFilterCulling, Applied),
    N_ROW(enableSphereCulling, Applied),
    N_ROW(enableSmallPrimFilter, Applied),
    N_ROW(enableCullDistanceCulling, Applied),
    N_ROW(backfaceExponent, Speed),
    {"nggState.subgroupSizing", Effect::Speed,
     [](const N &options) { return number(options.subgroupSizing); },
     uint64_t(Vkgc::NggSubgroupSizingType::Explicit)},
    N_ROW(primsPerSubgroup, Applied),
    N_ROW(vertsPerSubgroup, Applied),
};

constexpr OptionRow<G> graphicsRows[] = {
    G_ROW(iaState.useVertexBufferDescArray, Results),
    {"iaState.tessLevel", Effect::Results,
     [](const G &info) { return number(info.iaState.tessLevel != nullptr); }},
    G_ROW(rsState.usrClipPlaneMask, Results),
    G_ROW(enableInitUndefZero, Results),
    G_ROW(enableEarlyCompile, None),
    {"outLocationMaps", Effect::Results,
     [](const G &info) { return number(info.outLocationMaps != nullptr); }},
    G_ROW(glState.vbAddressLowBitsKnown, Speed),
    G_ROW(glState.enableBitmap, Results),
    G_ROW(glState.enableTwoSideLighting, Results),
    G_ROW(glState.numUniformConstantMaps, Results),
    G_ROW(glState.apiXfbOutData.numXfbOutInfo, Results),
    G_ROW(glState.apiXfbOutData.forceDisableStreamOut, Results),
    G_ROW(glState.drawPixelsType, Results),
    G_ROW(glState.enableColorClampVs, Results),
    G_ROW(glState.enableColorClampFs, Results),
    G_ROW(glState.enableFlatShade, Results),
    G_ROW(glState.enableMapClipDistMask, Results),
    G_ROW(glState.disablePointCoord, Results),
    G_ROW(glState.alphaTestFunc, Results),
    G_ROW(glState.numTexPointSprite, Results),
    G_ROW(advancedBlendInfo.enableAdvancedBlend, Results),
    G_ROW(advancedBlendInfo.enableRov, Results),
    G_ROW(clientMetadataSize, Tools),
};

constexpr OptionRow<C> computeRows[] = {
    {"pUniformMap", Effect::Results,
     [](const C &info) { return number(info.pUniformMap != nullptr); }},
    C_ROW(clientMetadataSize, Tools),
};

} // namespace

llvm::ArrayRef<OptionRow<P>> pipelineOptionRows() { return pipelineRows; }
llvm::ArrayRef<OptionRow<S>> shaderOptionRows() { return shaderRows; }
llvm::ArrayRef<OptionRow<N>> nggOptionRows() { return nggRows; }
llvm::ArrayRef<OptionRow<C>> computeOptionRows() { return computeRows; }
llvm::ArrayRef<OptionRow<G>> graphicsOptionRows() { return graphicsRows; }

} // namespace icd::amd
