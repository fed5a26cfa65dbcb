//===- VerifyMetadata.cpp - rules about pipeline and hardware stages ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/VerifyRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace pal::abi {
namespace {

// ---- pipeline level ----------------------------------------------------------------------------

/// Version 2 means raw registers, which PAL's gfx12 layer ignores.
void checkVersion(const MetadataContext &c, Report report) {
  if (c.md.versionMajor != metadataMajorVersion)
    report("amdpal.version: major version " + Twine(c.md.versionMajor) + ", expected 3");
}

void checkApi(const MetadataContext &c, Report report) {
  if (!c.md.api || c.md.api->empty())
    report(".api: missing");
}

void checkPipelineType(const MetadataContext &c, Report report) {
  if (!c.md.type)
    report(".type: missing");
}

void checkPipelineHash(const MetadataContext &c, Report report) {
  if (!c.md.internalPipelineHash)
    report(".internal_pipeline_hash: missing");
  else if ((*c.md.internalPipelineHash)[0] == 0 || (*c.md.internalPipelineHash)[1] == 0)
    report(".internal_pipeline_hash: stable and unique hash must not be zero");
}

void checkShaderHashes(const MetadataContext &c, Report report) {
  if (c.isCompute() && !c.md.shader(ApiStage::Compute))
    report(".shaders.compute: missing");
  for (unsigned i = 0; i < apiStageCount; ++i) {
    const std::optional<ShaderInfo> &shader = c.md.shaders[i];
    if (!shader)
      continue;
    std::string place = ".shaders" + apiStageKey(ApiStage(i)).str();
    // PAL takes a stage with hash zero for absent.
    Hash128 hash = shader->apiShaderHash.value_or(Hash128{});
    if (hash[0] == 0 && hash[1] == 0)
      report(place + ".api_shader_hash: missing or zero");
    if (shader->hardwareMapping.empty())
      report(place + ".hardware_mapping: missing or empty");
    for (HardwareStage stage : shader->hardwareMapping)
      if (!c.md.hardwareStage(stage))
        report(place + ".hardware_mapping: names " + hardwareStageKey(stage) +
               ", which is not in .hardware_stages");
  }
}

void checkStagePresence(const MetadataContext &c, Report report) {
  bool hasCs = c.md.hardwareStage(HardwareStage::Cs).has_value();
  if (c.isCompute() && !hasCs)
    report(".hardware_stages.cs: missing in a pipeline of type Cs");
  for (unsigned i = 0; i < hardwareStageCount; ++i)
    if (c.isCompute() && HardwareStage(i) != HardwareStage::Cs && c.md.hardwareStages[i])
      report(".hardware_stages" + hardwareStageKey(HardwareStage(i)) +
             ": not possible in a pipeline of type Cs");
}

void checkComputeRegisters(const MetadataContext &c, Report report) {
  if (!c.isCompute())
    return;
  if (!c.md.computeRegisters) {
    report(".compute_registers: missing");
    return;
  }
  const std::optional<uint32_t> &count = c.md.computeRegisters->tidigCompCnt;
  if (!count)
    report(".compute_registers.tidig_comp_cnt: missing");
  else if (*count > 2)
    report(".compute_registers.tidig_comp_cnt: value " + Twine(*count) + ", the limit is 2");
}

/// True when any stage maps the value.
bool isMapped(const MetadataContext &c, uint32_t value) {
  for (const std::optional<HardwareStageInfo> &stage : c.md.hardwareStages)
    if (stage && stage->userDataRegMap && is_contained(*stage->userDataRegMap, value))
      return true;
  return false;
}

void checkUserDataLimit(const MetadataContext &c, Report report) {
  if (!c.md.userDataLimit) {
    report(".user_data_limit: missing");
    return;
  }
  uint32_t limit = *c.md.userDataLimit;
  if (limit > userdata::maxEntries)
    report(".user_data_limit: value " + Twine(limit) + ", PAL has 160 entries");
}

/// The spill table holds entries [threshold, limit): both ends and the table pointer must agree.
void checkSpill(const MetadataContext &c, Report report) {
  if (!c.md.spillThreshold) {
    report(".spill_threshold: missing");
    return;
  }
  uint32_t threshold = *c.md.spillThreshold;
  bool mapped = isMapped(c, userdata::spillTable);
  if (threshold == userdata::noSpill) {
    if (mapped)
      report(".spill_threshold: 65535 (none), but a stage maps SpillTable");
    return;
  }
  uint32_t limit = c.md.userDataLimit.value_or(0);
  if (threshold >= limit)
    report(".spill_threshold: value " + Twine(threshold) + ", .user_data_limit is " + Twine(limit));
  if (!mapped)
    report(".spill_threshold: value " + Twine(threshold) + ", but no stage maps SpillTable");
}

// ---- hardware stages ---------------------------------------------------------------------------

/// Before version 3.6 PAL looks for the default name only, and loads without code if it is absent.
void checkEntryPoint(const StageContext &c, Report report) {
  std::string defaultName = entryPointSymbol(c.id).str();
  std::string name = c.stage.entryPointSymbol.value_or(defaultName);
  if (name != defaultName && !c.pipeline.md.isAtLeast(3, 6)) {
    report(".entry_point_symbol: needs metadata version 3.6 to differ from '" + defaultName + "'");
    name = defaultName;
  }
  const ElfSymbol *symbol = c.pipeline.elf.findSymbol(name);
  if (!symbol) {
    report(": no symbol '" + name + "'");
    return;
  }
  unsigned count = count_if(c.pipeline.elf.symbols(), [&](const ElfSymbol &other) {
    return other.section != ELF::SHN_UNDEF && other.name == name;
  });
  if (count != 1)
    report(": symbol '" + name + "' is defined " + Twine(count) + " times");
  if (symbol->type != ELF::STT_FUNC)
    report(": symbol '" + name + "' is no function");
  // The parser made sure that value and size stay inside the section.
  if (symbol->section >= ELF::SHN_LORESERVE ||
      c.pipeline.elf.sections()[symbol->section].name != elf::textSection)
    report(": symbol '" + name + "' is not in '.text'");
  else if (symbol->value % elf::codeAlignment != 0)
    report(": symbol '" + name + "' at offset " + hex(symbol->value) +
           " is not aligned to 256 bytes");
  // A part may have nothing to do before it falls through to what is linked behind it.
  if (symbol->size == 0 && !c.pipeline.elf.findSection(elf::partSection))
    report(": symbol '" + name + "' has size 0");
}

/// Missing means 64 on gfx10 and gfx11, and a division by zero inside PAL on gfx12.
void checkWavefrontSize(const StageContext &c, Report report) {
  if (!c.stage.wavefrontSize)
    report(".wavefront_size: missing");
  else if (*c.stage.wavefrontSize != 32 && *c.stage.wavefrontSize != 64)
    report(".wavefront_size: value " + Twine(*c.stage.wavefrontSize) + ", expected 32 or 64");
}

void checkFloatMode(const StageContext &c, Report report) {
  if (!c.stage.floatMode)
    report(".float_mode: missing");
  else if (*c.stage.floatMode > 0xFF)
    report(".float_mode: value " + hex(*c.stage.floatMode) + ", the register has 8 bits");
}

void checkThreadgroup(const StageContext &c, Report report) {
  if (!c.isCompute())
    return;
  if (!c.stage.threadgroupDimensions) {
    report(".threadgroup_dimensions: missing");
    return;
  }
  const std::vector<uint32_t> &dims = *c.stage.threadgroupDimensions;
  if (dims.size() != 3) {
    report(".threadgroup_dimensions: " + Twine(dims.size()) + " numbers, expected 3");
    return;
  }
  uint64_t threads = 1;
  for (uint32_t dim : dims)
    threads *= std::min<uint64_t>(dim, 1 << 16); // cannot overflow, nor get small again
  if (threads < 1 || threads > 1024)
    report(".threadgroup_dimensions: " + Twine(dims[0]) + " x " + Twine(dims[1]) + " x " +
           Twine(dims[2]) + " threads, expected 1 to 1024");
}

void checkLds(const StageContext &c, Report report) {
  uint32_t bytes = c.stage.ldsSize.value_or(0);
  // PAL truncates a compute shader's size to the hardware's unit.
  if (bytes % 512 != 0)
    report(".lds_size: value " + Twine(bytes) + " is no multiple of 512");
  if (bytes > maxLdsBytesPerWorkgroup)
    report(".lds_size: value " + Twine(bytes) + ", the limit is 65536");
}

void checkScratch(const StageContext &c, Report report) {
  uint32_t bytes = c.stage.scratchMemorySize.value_or(0);
  if (bytes % 16 != 0)
    report(".scratch_memory_size: value " + Twine(bytes) + " is no multiple of 16");
}

void checkVgprs(const StageContext &c, Report report) {
  if (!c.stage.vgprCount)
    report(".vgpr_count: missing");
  else if (*c.stage.vgprCount > maxVgprsPerWave)
    report(".vgpr_count: value " + Twine(*c.stage.vgprCount) + ", the limit is 256");
}

/// 106 can be named; a compiler may count VCC and trap registers up to the 128 of the allocation.
void checkSgprs(const StageContext &c, Report report) {
  if (!c.stage.sgprCount)
    report(".sgpr_count: missing");
  else if (*c.stage.sgprCount > 128)
    report(".sgpr_count: value " + Twine(*c.stage.sgprCount) + ", the limit is 128");
}

constexpr MetadataRule pipelineRules[] = {
    {"version", "metadata version 3", checkVersion},
    {"api", "the client API is named", checkApi},
    {"pipeline-type", "the pipeline type is given", checkPipelineType},
    {"pipeline-hash", "stable and unique pipeline hash are not zero", checkPipelineHash},
    {"shader-hash", "each API shader has a hash and existing hardware stages", checkShaderHashes},
    {"hardware-stages", "the hardware stages fit the pipeline type", checkStagePresence},
    {"compute-registers", "a compute pipeline says which ids its shader takes",
     checkComputeRegisters},
    {"user-data-limit", "the user data limit is given and at most 160", checkUserDataLimit},
    {"spill-table", "spill threshold, user data limit and spill table agree", checkSpill},
};

constexpr StageRule hardwareStageRules[] = {
    {"entry-point", "the entry point is a 256-byte aligned function in .text", checkEntryPoint},
    {"wavefront-size", "the wavefront size is 32 or 64", checkWavefrontSize},
    {"float-mode", "the float mode is given", checkFloatMode},
    {"threadgroup-dimensions", "a compute stage has 1 to 1024 threads", checkThreadgroup},
    {"lds-size", "LDS is a multiple of 512 bytes and at most 64 KiB", checkLds},
    {"scratch-size", "scratch is a multiple of 16 bytes", checkScratch},
    {"vgpr-count", "the VGPR count is given and at most 256", checkVgprs},
    {"sgpr-count", "the SGPR count is given and at most 128", checkSgprs},
};

} // namespace

ArrayRef<MetadataRule> metadataRules() { return pipelineRules; }
ArrayRef<StageRule> stageRules() { return hardwareStageRules; }

} // namespace pal::abi
