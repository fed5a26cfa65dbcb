//===- OptionTable.cpp - every option of amdllpc, one row each ------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/StringExtras.h"

using llvm::Error;
using llvm::StringRef;

namespace amdllpc {

using cli::setFlag;
using cli::setNumber;

namespace {

Error setTargets(Options &o, StringRef v) {
  llvm::SmallVector<StringRef, 8> names;
  v.split(names, ',', -1, /*KeepEmpty=*/false);
  if (names.empty())
    return lgc::invalidInput("no target named");
  o.targetsGiven = true;
  o.targets.clear();
  for (StringRef name : names) // 11 is 11.0.0
    o.targets.push_back((llvm::all_of(name, llvm::isDigit) ? name + ".0" : name + "").str());
  return Error::success();
}

Error setFileType(Options &o, StringRef v) {
  if (v != "asm" && v != "obj")
    return lgc::invalidInput("'" + v + "' is none of asm, obj");
  o.outputKind = v == "asm" ? llpc::OutputKind::Assembly : llpc::OutputKind::Elf;
  o.outputKindGiven = true;
  return Error::success();
}

Error setEmit(Options &o, StringRef v, llpc::OutputKind kind) {
  bool on = false;
  KILN_TRY(setFlag(on, v));
  if (on) {
    o.outputKind = kind;
    o.outputKindGiven = true;
  }
  return Error::success();
}

Error setInputFormat(Options &o, StringRef v) {
  struct Row {
    llvm::StringLiteral name;
    InputFormat format;
  };
  static constexpr Row rows[] = {
      {"auto", InputFormat::Auto}, {"spv", InputFormat::Spirv}, {"spvasm", InputFormat::SpirvText},
      {"pipe", InputFormat::Pipe}, {"cl", InputFormat::OpenCl}, {"comp", InputFormat::Glsl},
      {"glsl", InputFormat::Glsl}, {"vert", InputFormat::Glsl}, {"tesc", InputFormat::Glsl},
      {"tese", InputFormat::Glsl}, {"geom", InputFormat::Glsl}, {"task", InputFormat::Glsl},
      {"mesh", InputFormat::Glsl}, {"frag", InputFormat::Glsl}};
  for (const Row &row : rows) {
    if (row.name != v)
      continue;
    o.inputFormat = row.format;
    o.inputStage = row.format != InputFormat::Glsl || v == "glsl" ? "" : v.str();
    return Error::success();
  }
  return lgc::invalidInput(
      "'" + v +
      "' is none of auto, spv, spvasm, pipe, cl, comp, vert, tesc, tese, geom, task, mesh, frag");
}

Error setTargetEnv(Options &o, StringRef v) {
  if (v != "vulkan1.0" && v != "vulkan1.1" && v != "vulkan1.2" && v != "vulkan1.3")
    return lgc::invalidInput("'" + v + "' is none of vulkan1.0, vulkan1.1, vulkan1.2, vulkan1.3");
  o.glsl.targetEnv = v.str();
  return Error::success();
}

Error setOptLevel(Options &o, StringRef v) {
  if (v == "none" || v == "0")
    o.pipeline.optLevel = lgc::OptLevel::None;
  else if (v == "quick" || v == "1")
    o.pipeline.optLevel = lgc::OptLevel::Quick;
  else if (v == "default" || v == "2")
    o.pipeline.optLevel = lgc::OptLevel::Default;
  else if (v == "fast" || v == "3")
    o.pipeline.optLevel = lgc::OptLevel::Fast;
  else
    return lgc::invalidInput("'" + v + "' is none of none, quick, default, fast");
  return Error::success();
}

Error setTier(Options &o, StringRef v) {
  if (v != "llvm" && v != "direct")
    return lgc::invalidInput("'" + v + "' is none of llvm, direct");
  o.pipeline.tier = v == "direct" ? lgc::Tier::Direct : lgc::Tier::Llvm;
  return Error::success();
}

Error setWaveSize(uint32_t &size, StringRef v) {
  if (v != "32" && v != "64" && v != "0")
    return lgc::invalidInput("'" + v + "' is none of 32, 64, 0 (the compiler chooses)");
  return setNumber(size, v);
}

Error addSpec(Options &o, StringRef v) {
  auto [id, value] = v.split('=');
  SpecArgument spec;
  if (value.empty() || id.getAsInteger(0, spec.id))
    return lgc::invalidInput("'" + v + "' is not of the form ID=VALUE");
  spec.value = value.str();
  o.specialization.push_back(spec);
  return Error::success();
}

Error addState(Options &o, StringRef v) {
  auto [key, value] = v.split('=');
  // Every key of compute pipelines is one of graphics pipelines.
  llpc::GraphicsPipelineBuildInfo any;
  llpc::RayTracingPipelineBuildInfo rays;
  auto known = llpc::setPipeKey(any, key, value);
  if (known && !*known)
    known = llpc::setPipeKey(rays, key, value);
  if (!known)
    return lgc::invalidInput(key + ": " + lgc::consumeToText(known.takeError()).message);
  if (!*known)
    return lgc::invalidInput("'" + key + "' is no key of .pipe files' state sections");
  o.state.emplace_back(key, value);
  return Error::success();
}

/// MIN or MIN,MAX. More waves than asked for are no harm, so that the second number says nothing.
Error setWavesPerEu(Options &o, StringRef v) {
  auto [least, most] = v.split(',');
  uint32_t limit = 0;
  KILN_TRY(setNumber(o.shader.wavesPerEu, least));
  if (v.contains(',') && (most.getAsInteger(0, limit) || limit < o.shader.wavesPerEu))
    return lgc::invalidInput("'" + v + "' is not of the form MIN,MAX");
  return Error::success();
}

Error setDenormalMode(Options &o, StringRef v) {
  if (v != "auto" && v != "ftz" && v != "preserve")
    return lgc::invalidInput("'" + v + "' is none of auto, ftz, preserve");
  o.shader.fp32DenormalMode = v == "auto"  ? llpc::DenormalMode::Auto
                              : v == "ftz" ? llpc::DenormalMode::FlushToZero
                                           : llpc::DenormalMode::Preserve;
  return Error::success();
}

/// What AMD's amdllpc takes for the whole table.
Error setTrimDebugInfo(Options &o, StringRef v) {
  KILN_TRY(setFlag(o.trimDebugInfo, v));
  if (!o.trimDebugInfo)
    o.glsl.debugInfo = o.pipeline.debugInfo = true;
  return Error::success();
}

Error setJobs(Options &o, StringRef v) {
  uint32_t jobs = 0;
  if (v.getAsInteger(10, jobs) || jobs > 1024)
    return lgc::invalidInput("'" + v + "' is no number of threads (0 to 1024)");
  o.jobs = jobs;
  return Error::success();
}

constexpr OptionRow generalRows[] = {
    {"h|help", "", "print this text",
     [](Options &o, StringRef v) -> Error { return setFlag(o.help, v); }},
    {"version", "", "print the versions of amdllpc and LLVM",
     [](Options &o, StringRef v) -> Error { return setFlag(o.version, v); }},
    {"quiet", "", "do not show how far a long run has come",
     [](Options &o, StringRef v) -> Error { return setFlag(o.quiet, v); }},
    {"j|num-threads", "N", "compile N inputs at a time (default: one per processor)", setJobs,
     true},
};

constexpr OptionRow targetRows[] = {
    {"gfxip|target|mcpu", "NAME",
     "GPU to compile for: gfx1100, or major.minor[.stepping] as 11.0.0 (default gfx1100); several, "
     "separated by commas, compile every input for each",
     setTargets},
};

constexpr OptionRow inputRows[] = {
    {"input-format", "auto|spv|spvasm|pipe|cl|STAGE",
     "what the inputs are; auto goes by the file name, and takes standard input for SPIR-V; STAGE "
     "is GLSL: comp, vert, tesc, tese, geom, task, mesh or frag",
     setInputFormat},
    {"separate", "", "every shader is compiled alone, also those of one pipeline",
     [](Options &o, StringRef v) -> Error { return setFlag(o.separate, v); }},
    {"target-env", "vulkan1.X",
     "environment that GLSL and SPIR-V are checked for (default vulkan1.3)", setTargetEnv},
    {"I", "DIR", "search DIR for files that GLSL and OpenCL C include",
     [](Options &o, StringRef v) -> Error {
       o.glsl.includeDirs.push_back(v.str());
       return Error::success();
     },
     true},
    {"D", "NAME[=VALUE]", "define a macro for GLSL and OpenCL C",
     [](Options &o, StringRef v) -> Error {
       o.glsl.defines.push_back(v.str());
       return Error::success();
     },
     true},
    {"g", "", "keep debug information: of GLSL in the SPIR-V, and source locations in the code",
     [](Options &o, StringRef v) -> Error {
       KILN_TRY(setFlag(o.glsl.debugInfo, v));
       return setFlag(o.pipeline.debugInfo, v);
     }},
    {"validate-spirv|val", "", "check modules with the SPIR-V validator first (default on)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.validateSpirv, v); }},
    {"trim-debug-info", "",
     "leave debug instructions out of the cache hash (default on); off: the same as -g, too",
     setTrimDebugInfo},
    {"entry-target", "NAME", "entry point of inputs that do not say one (FILE,ENTRY)",
     [](Options &o, StringRef v) -> Error {
       o.entryTarget = v.str();
       return Error::success();
     }},
    {"spec", "ID=VALUE", "value of a specialization constant; may be given several times", addSpec},
};

constexpr OptionRow outputRows[] = {
    {"o", "FILE|DIR|-",
     "write the result: to a file, into a folder (one file per input, named after it), or to "
     "standard output; without -o only the table is printed",
     [](Options &o, StringRef v) -> Error {
       o.output = v.str();
       return Error::success();
     }},
    {"filetype", "asm|obj", "result: assembly, or an ELF code object (default)", setFileType},
    {"emit-lgc", "", "result: LLVM IR with lgc operations, before lowering",
     [](Options &o, StringRef v) -> Error { return setEmit(o, v, llpc::OutputKind::LgcIr); }},
    {"emit-llvm", "", "result: LLVM IR as it goes to code generation",
     [](Options &o, StringRef v) -> Error { return setEmit(o, v, llpc::OutputKind::LlvmIr); }},
    {"emit-llvm-bc", "", "result: the same as bitcode",
     [](Options &o, StringRef v) -> Error { return setEmit(o, v, llpc::OutputKind::LlvmBitcode); }},
    {"v|enable-outs", "",
     "print SPIR-V, lgc IR, LLVM IR and assembly of every input, and AMDLLPC SUCCESS at the end",
     [](Options &o, StringRef v) -> Error { return setFlag(o.verbose, v); }},
    {"log-file-outs", "FILE", "write what -v and -relink-demo print to a file",
     [](Options &o, StringRef v) -> Error {
       o.logFile = v.str();
       return Error::success();
     }},
    {"include-llvm-ir", "", "put the LLVM IR into the code object (.AMDGPU.comment.llvmir)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.includeIr, v); }},
    {"include-disassembly", "", "put the assembly into the code object (.AMDGPU.disasm)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.includeDisassembly, v); }},
    {"relink-demo", "",
     "make the pipeline from separately compiled parts too, with layouts that are guessed from the "
     "shaders, and show both ways side by side; the result is the linked code object",
     [](Options &o, StringRef v) -> Error { return setFlag(o.relinkDemo, v); }},
    {"time|enable-timer-profile", "", "report the time of every phase",
     [](Options &o, StringRef v) -> Error { return setFlag(o.timer, v); }},
    {"verify-ir", "",
     "run the IR verifiers after every step, and check the registers of the direct tier",
     [](Options &o, StringRef v) -> Error { return setFlag(o.verifyIr, v); }},
    {"pipeline-dump-dir", "DIR", "write every pipeline to DIR as a .pipe file that reproduces it",
     [](Options &o, StringRef v) -> Error {
       o.dumpFolder = v.str();
       return Error::success();
     }},
};

constexpr OptionRow pipelineRows[] = {
    {"auto-layout-desc", "", "make up a pipeline layout from what the shader uses (default on)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.autoLayout, v); }},
    {"robust-buffer-access", "", "check the bounds of buffer accesses (robustBufferAccess)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.robustBufferAccess, v); }},
    {"robust-buffer-access2", "", "the stricter rules of VK_EXT_robustness2 for buffers",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.robustBufferAccess2, v); }},
    {"robust-image-access2", "", "the rules of VK_EXT_robustness2 for images",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.robustImageAccess2, v); }},
    {"null-descriptor", "", "descriptors may be null (VK_EXT_robustness2)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.nullDescriptor, v); }},
    {"scalar-block-layout", "", "blocks have scalar layout",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.scalarBlockLayout, v); }},
    {"enable-prim-generated-query", "",
     "count primitives of every vertex stream (VK_EXT_primitives_generated_query)",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.pipeline.primitivesGeneratedQuery, v);
     }},
    {"enable-mesh-shader-queries", "", "count invocations and primitives of mesh shaders",
     [](Options &o, StringRef v) -> Error { return setFlag(o.pipeline.meshShaderQueries, v); }},
    {"state", "KEY=VALUE",
     "state of the pipeline by the keys of the state sections of .pipe files, above all other "
     "options: topology=3, "
     "options.extendedRobustness.nullDescriptor=1; may be given several times",
     addState},
    {"llpc-opt", "none|quick|default|fast", "optimisation level; quick compiles fastest",
     setOptLevel},
    {"tier", "llvm|direct",
     "what generates the code (default llvm); direct is quicker and leaves to LLVM what it does "
     "not know",
     setTier},
};

constexpr OptionRow graphicsRows[] = {
    {"enable-robust-unbound-vertex", "", "unbound vertex buffers read (0, 0, 0, 1)",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.graphics.enableRobustUnboundVertex, v);
     }},
    {"enable-ngg", "", "primitive shaders where the target has a choice (default on)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.graphics.nggState.enable, v); }},
    {"force-ngg", "", "primitive shaders on gfx10.1 too",
     [](Options &o, StringRef v) -> Error { return setFlag(o.graphics.nggState.force, v); }},
    {"ngg-enable-gs-use", "", "gfx10: geometry shaders as primitive shaders",
     [](Options &o, StringRef v) -> Error { return setFlag(o.graphics.nggState.enableGsUse, v); }},
    {"ngg-enable-backface-culling", "", "primitive shaders cull back faces",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.graphics.nggState.backfaceCulling, v);
     }},
    {"ngg-enable-frustum-culling", "", "primitive shaders cull outside of the view",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.graphics.nggState.frustumCulling, v);
     }},
    {"ngg-enable-small-prim-filter", "", "primitive shaders cull what hits no sample",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.graphics.nggState.smallPrimitiveFilter, v);
     }},
    {"ngg-enable-cull-distance-culling", "", "primitive shaders cull by cull distances",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.graphics.nggState.cullDistanceCulling, v);
     }},
    {"ngg-prims-per-subgroup", "N", "most primitives of a subgroup (default: the compiler chooses)",
     [](Options &o, StringRef v) -> Error {
       return setNumber(o.graphics.nggState.primsPerSubgroup, v);
     }},
    {"ngg-verts-per-subgroup", "N", "most vertices of a subgroup (default: the compiler chooses)",
     [](Options &o, StringRef v) -> Error {
       return setNumber(o.graphics.nggState.vertsPerSubgroup, v);
     }},
};

constexpr OptionRow tuningRows[] = {
    {"native-wave-size", "32|64", "lanes per wave",
     [](Options &o, StringRef v) -> Error { return setWaveSize(o.shader.waveSize, v); }},
    {"subgroup-size", "32|64", "subgroup size that the shader sees",
     [](Options &o, StringRef v) -> Error { return setWaveSize(o.shader.subgroupSize, v); }},
    {"full-subgroups", "", "subgroups are full (REQUIRE_FULL_SUBGROUPS)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.requireFullSubgroups, v); }},
    {"vgpr-limit", "N", "use at most N vector registers",
     [](Options &o, StringRef v) -> Error { return setNumber(o.shader.vgprLimit, v); }},
    {"sgpr-limit", "N", "use at most N scalar registers",
     [](Options &o, StringRef v) -> Error { return setNumber(o.shader.sgprLimit, v); }},
    {"waves-per-eu", "N[,MAX]", "compile for at least N waves per SIMD", setWavesPerEu},
    {"disable-loop-unroll", "", "do not unroll loops",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.disableLoopUnroll, v); }},
    {"wgp-mode", "", "workgroups may have two compute units (default); false: one",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.wgpMode, v); }},
    {"force-late-z", "", "depth tests stand behind the fragment shader",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.forceLateZ, v); }},
    {"allow-re-z", "", "early depth tests may be repeated late (gfx10, gfx11)",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.allowReZ, v); }},
    {"fp32-denormal-mode", "auto|ftz|preserve", "denormals of 32 bits, whatever shaders declare",
     setDenormalMode},
    {"disable-fma", "", "fma rounds twice, as a product and a sum",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.disableFMA, v); }},
    {"no-contract-op-dot", "", "sums of OpDot are rounded as they stand",
     [](Options &o, StringRef v) -> Error { return setFlag(o.shader.noContractOpDot, v); }},
    {"forward-propagate-no-contract", "", "what exact values are added to is exact",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.shader.forwardPropagateNoContract, v);
     }},
    {"backward-propagate-no-contract", "", "what exact values are computed of is exact",
     [](Options &o, StringRef v) -> Error {
       return setFlag(o.shader.backwardPropagateNoContract, v);
     }},
    {"force-memory-barrier-scope", "N", "memory scope of all barriers, as SPIR-V numbers it",
     [](Options &o, StringRef v) -> Error {
       return setNumber(o.shader.forceMemoryBarrierScope, v);
     }},
};

// Scripts for AMD's amdllpc and for Radeon GPU Analyzer have them. None is needed for right code.
constexpr OptionRow ignoredRows[] = {
    {"enable-errs|fatal-llvm-errors|enable-pipeline-dump|dump-duplicate-pipelines|"
     "ignore-color-attachment-formats|disable-licm|disable-lower-opt|"
     "disable-gl-position-opt|enable-load-scalarizer|enable-shadow-desc|enable-row-export|"
     "enable-tess-offchip|disable-gs-onchip|enable-per-stage-cache|cache-full-pipelines|"
     "enable-part-pipeline|enable-relocatable-shader-elf|use-relocatable-shader-elf|"
     "enable-implicit-invariant-exports|enable-scratch-bounds-checks|"
     "pad-buffer-size-to-next-dword|enable-color-export-shader|reverse-thread-group|"
     "ngg-compact-vertex|ngg-enable-box-filter-culling|ngg-enable-sphere-culling|"
     "w|warnings|offline|retain|no-suffix-bin|no-prefix-device-bin|no-rename-il",
     "", "flags", nullptr, false, true},
    {"log-file-dbgs|shader-cache-mode|shader-cache-file-dir|shader-cache-filename|"
     "executable-name|context-reuse-limit|filter-pipeline-dump-by-type|"
     "filter-pipeline-dump-by-hash|relocatable-shader-elf-limit|resource-layout-scheme|"
     "force-loop-unroll-count|scalar-threshold|thread-group-swizzle-mode|ngg-backface-exponent|"
     "ngg-subgroup-sizing|ngg-force-culling-mode|log|session-metadata|compiler-bin",
     "VALUE", "with a value", nullptr, false, true},
};

const OptionGroup groups[] = {
    {"General", generalRows},
    {"Target", targetRows},
    {"Input", inputRows},
    {"Output", outputRows},
    {"Reports", reportRows()},
    {"Pipeline", pipelineRows},
    {"Graphics", graphicsRows},
    {"Tuning", tuningRows},
    {"OpenCL kernels", kernelRows()},
    {"As Radeon GPU Analyzer has them", analyzerRows()},
    {"Of others, without effect", ignoredRows},
};

} // namespace

llvm::ArrayRef<OptionGroup> optionGroups() { return groups; }

} // namespace amdllpc
