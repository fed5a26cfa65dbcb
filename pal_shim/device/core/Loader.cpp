//===- Loader.cpp - code objects into device memory ------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Loader.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/Launch.h"
#include "pal_shim/device/core/ProgramRegisters.h"
#include "pal_shim/device/core/Wave.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Limits against hostile sizes: memory of a program, code that is decoded.
constexpr uint64_t maxImageBytes = 256ull << 20, maxCodeBytes = 4ull << 20;
/// Instruction prefetch may read this far behind the code; PAL adds as much.
constexpr uint64_t prefetchPadding = 3 * 64;
constexpr uint32_t maxThreads = 1024;
constexpr uint64_t maxGroupScratchBytes = 1ull << 30;

class Loader {
public:
  Loader(LoadContext &context, const abi::ElfObject &elf, LoadedProgram &program)
      : context(context), elf(elf), program(program) {}

  Error run(abi::PipelineMetadata &metadata);

private:
  Error checkHeader();
  Error placeSections();
  Error relocate();
  Error relocateOne(const abi::ElfRelocation &relocation);
  Error loadStage(const abi::PipelineMetadata &metadata, abi::HardwareStage which,
                  ProgramData &data);
  Error readLaunch(const abi::PipelineMetadata &metadata, const abi::HardwareStageInfo &stage,
                   ProgramData &data);
  Error checkRoom(const WaveLaunch &launch, bool wgpMode) const;
  Error readThreads(const abi::PipelineMetadata &metadata, const abi::HardwareStageInfo &stage,
                    WaveLaunch &launch);
  Error checkUserData(const abi::HardwareStageInfo &stage, bool isCompute, WaveLaunch &launch);
  Error decodeCode(StringRef entryName, ProgramData &data);

  LoadContext &context;
  const abi::ElfObject &elf;
  LoadedProgram &program;
  std::vector<uint64_t> offsets; ///< of sections in the image; ~0: not loaded
};

Error Loader::checkHeader() {
  const abi::ElfHeader &header = elf.header();
  if (header.machine != abi::elf::machine || header.osAbi != abi::elf::osAbiPal)
    return abi::malformed("not an AMDPAL code object: machine " + abi::hex(header.machine) +
                          ", OSABI " + Twine(header.osAbi));
  unsigned mach = header.flags & abi::elf::machMask;
  if (mach == context.target.elfMach)
    return Error::success();
  const abi::GpuTarget *other = abi::findTargetByMach(mach);
  return abi::notSupported("the code is for " +
                           (other ? other->name.str() : "machine " + abi::hex(mach)) +
                           ", the device is a " + context.target.name);
}

Error Loader::placeSections() {
  uint64_t size = 0;
  offsets.assign(elf.sections().size(), ~0ull);
  for (auto [index, section] : enumerate(elf.sections())) {
    if (!section.isAlloc())
      continue;
    uint64_t alignment = std::max<uint64_t>(section.alignment, 1);
    if (!isPowerOf2_64(alignment) || alignment > 64 * 1024)
      return abi::malformed(elf.describeSection(index) + ": alignment " + Twine(alignment));
    size = alignTo(size, alignment);
    offsets[index] = size;
    if (section.size > maxImageBytes || (size += section.size) > maxImageBytes)
      return abi::tooLarge("more than " + Twine(maxImageBytes >> 20) + " MiB of sections");
  }
  AllocationInfo info;
  info.size = size + prefetchPadding;
  info.alignment = 64 * 1024;
  info.heap = Heap::DescriptorTables;
  info.name = "code of " + program.data.name;
  std::shared_ptr<const Region> region = KILN_TRY(context.memory.allocate(info));
  program.region = std::move(region);
  for (auto [index, section] : enumerate(elf.sections()))
    if (offsets[index] != ~0ull && !section.data.empty())
      std::memcpy(program.region->host + offsets[index], section.data.data(), section.data.size());
  return Error::success();
}

/// AMDGPUUsage, "Relocation Records".
Error Loader::relocateOne(const abi::ElfRelocation &relocation) {
  std::string place =
      elf.describeSection(relocation.target) + ", relocation at " + abi::hex(relocation.offset);
  const abi::ElfSymbol &symbol = elf.symbols()[relocation.symbol];
  if (symbol.section >= offsets.size() || offsets[symbol.section] == ~0ull)
    return abi::malformed(place + ": symbol '" + symbol.name + "' is not in a loaded section");
  unsigned width = abi::relocationWidth(relocation.type);
  if (!width)
    return abi::notSupported(place + ": type " + Twine(relocation.type));
  uint64_t placeOffset = offsets[relocation.target] + relocation.offset;
  uint8_t *host = program.region->host + placeOffset;
  uint64_t pc = program.region->address + placeOffset;
  int64_t addend = relocation.addend;
  if (!relocation.hasAddend)
    addend = width == 8   ? int64_t(support::endian::read64le(host))
             : width == 4 ? int64_t(int32_t(support::endian::read32le(host)))
                          : int64_t(int16_t(support::endian::read16le(host)));
  uint64_t absolute = program.region->address + offsets[symbol.section] + symbol.value + addend;
  uint64_t value = absolute;
  switch (relocation.type) {
  case ELF::R_AMDGPU_ABS32_HI:
    value = absolute >> 32;
    break;
  case ELF::R_AMDGPU_REL32:
  case ELF::R_AMDGPU_REL32_LO:
  case ELF::R_AMDGPU_REL64:
    value = absolute - pc;
    break;
  case ELF::R_AMDGPU_REL32_HI:
    value = (absolute - pc) >> 32;
    break;
  case ELF::R_AMDGPU_REL16: // branches count dwords from the next instruction
    value = (absolute - pc - 4) / 4;
    break;
  default:
    break;
  }
  if (width == 8)
    support::endian::write64le(host, value);
  else if (width == 4)
    support::endian::write32le(host, uint32_t(value));
  else
    support::endian::write16le(host, uint16_t(value));
  return Error::success();
}

Error Loader::relocate() {
  for (const abi::ElfRelocation &relocation : elf.relocations())
    if (offsets[relocation.target] != ~0ull)
      KILN_TRY(relocateOne(relocation));
  return Error::success();
}

Error Loader::checkUserData(const abi::HardwareStageInfo &stage, bool isCompute,
                            WaveLaunch &launch) {
  using namespace abi::userdata;
  launch.userDataRegMap = stage.userDataRegMap.value_or(std::vector<uint32_t>());
  uint32_t userSgprs = stage.userSgprs.value_or(0);
  unsigned limit = isCompute ? computeRegisters : graphicsRegisters;
  if (userSgprs > limit)
    return abi::malformed(".user_sgprs: " + Twine(userSgprs) + ", a " +
                          (isCompute ? "compute shader" : "graphics stage") + " has " +
                          Twine(limit));
  launch.userDataRegMap.resize(userSgprs, notMapped);
  for (auto [index, value] : enumerate(launch.userDataRegMap)) {
    bool known = isApiEntry(value) || value == notMapped;
    if (!program.graphics)
      known |= value == globalTable || value == spillTable || value == workgroup;
    else
      known |= isSpecial(value); // a draw says whether it has the value
    if (!known)
      return abi::notSupported("user data register " + Twine(index) + ": " + describe(value) +
                               " in a " + (isCompute ? "compute shader" : "graphics stage"));
    unsigned count = registerCount(value);
    if (index + count > userSgprs)
      return abi::malformed("user data register " + Twine(index) + ": " + describe(value) +
                            " needs " + Twine(count) + " registers");
  }
  return Error::success();
}

/// What only compute stages have.
Error Loader::readThreads(const abi::PipelineMetadata &metadata,
                          const abi::HardwareStageInfo &stage, WaveLaunch &launch) {
  if (!stage.threadgroupDimensions || stage.threadgroupDimensions->size() != 3)
    return abi::malformed(".threadgroup_dimensions: three numbers are needed");
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; ++i) {
    launch.threads[i] = (*stage.threadgroupDimensions)[i];
    threads = std::min<uint64_t>(threads * launch.threads[i], maxThreads + 1);
  }
  if (!threads || threads > maxThreads)
    return abi::malformed(".threadgroup_dimensions: " + Twine(launch.threads[0]) + " x " +
                          Twine(launch.threads[1]) + " x " + Twine(launch.threads[2]) + ", 1 to " +
                          Twine(maxThreads) + " threads are possible");
  abi::ComputeRegisters registers = metadata.computeRegisters.value_or(abi::ComputeRegisters());
  launch.groupIdEnabled = {registers.tgidXEn.value_or(false), registers.tgidYEn.value_or(false),
                           registers.tgidZEn.value_or(false)};
  launch.groupSizeEnabled = registers.tgSizeEn.value_or(false);
  launch.localIdComponents = std::min(registers.tidigCompCnt.value_or(0), 2u) + 1;
  return Error::success();
}

/// HW: a workgroup for which there is no room is never started.
Error Loader::checkRoom(const WaveLaunch &launch, bool wgpMode) const {
  const unsigned threads = launch.threads[0] * launch.threads[1] * launch.threads[2];
  if (abi::wavesPerSimd(context.target, launch.waveSize, launch.vgprs, launch.ldsBytes, threads,
                        wgpMode))
    return Error::success();
  return abi::malformed("no room for a workgroup of " + Twine(threads) + " threads with " +
                        Twine(launch.vgprs) + " vector registers on " +
                        (wgpMode ? "two compute units" : "a compute unit"));
}

Error Loader::readLaunch(const abi::PipelineMetadata &metadata, const abi::HardwareStageInfo &stage,
                         ProgramData &data) {
  WaveLaunch &launch = data.launch;
  bool isCompute = data.stage == abi::HardwareStage::Cs;
  launch.waveSize = stage.wavefrontSize.value_or(0);
  if (launch.waveSize != 32 && launch.waveSize != 64)
    return abi::malformed(".wavefront_size: " + (stage.wavefrontSize
                                                     ? std::to_string(*stage.wavefrontSize)
                                                     : std::string("missing")));
  if (isCompute)
    KILN_TRY(readThreads(metadata, stage, launch));
  launch.ldsBytes = stage.ldsSize.value_or(0);
  if (launch.ldsBytes > abi::maxLdsBytesPerWorkgroup)
    return abi::malformed(".lds_size: " + Twine(launch.ldsBytes));
  launch.scratchBytes = stage.scratchMemorySize.value_or(0);
  const uint64_t threads = isCompute ? threadCount(launch) : 1;
  if (launch.scratchBytes > alignTo(abi::maxScratchBytes(context.target, launch.waveSize), 16) ||
      threads * launch.scratchBytes > maxGroupScratchBytes)
    return abi::tooLarge(".scratch_memory_size: " + Twine(launch.scratchBytes));
  // PAL enables scratch, and with it the offset register, as the metadata says.
  launch.scratchOffsetEnabled =
      isGfx10(data.generation) && stage.scratchEn.value_or(launch.scratchBytes != 0);
  launch.vgprs = std::min(stage.vgprCount.value_or(0), abi::maxVgprsPerWave);
  if (isCompute)
    KILN_TRY(checkRoom(launch, stage.wgpMode.value_or(false)));
  // DX10_CLAMP has no key: PAL sets it for every shader, gfx12 has it always on.
  launch.modeBits = (stage.floatMode.value_or(0) & 0xFF) | mode::dx10Clamp |
                    (stage.ieeeMode.value_or(false) ? mode::ieee : 0);
  launch.spillThreshold = metadata.spillThreshold.value_or(abi::userdata::noSpill);
  return checkUserData(stage, isCompute, launch);
}

Error Loader::decodeCode(StringRef entryName, ProgramData &data) {
  const abi::ElfSymbol *entry = elf.findSymbol(entryName);
  if (!entry)
    return abi::malformed("no symbol '" + entryName + "'");
  if (entry->section >= offsets.size() || offsets[entry->section] == ~0ull ||
      !(elf.sections()[entry->section].flags & ELF::SHF_EXECINSTR))
    return abi::malformed("the entry point '" + entryName + "' is not in a code section");
  const abi::ElfSection &section = elf.sections()[entry->section];
  if (section.size > maxCodeBytes)
    return abi::tooLarge(elf.describeSection(entry->section) + ": " + Twine(section.size) +
                         " bytes of code");
  std::vector<CodeRange> functions;
  for (const abi::ElfSymbol &symbol : elf.symbols())
    if (symbol.section == entry->section && symbol.type == ELF::STT_FUNC)
      functions.push_back({symbol.value, symbol.value + symbol.size});
  data.codeBase = program.region->address + offsets[entry->section];
  ArrayRef<uint8_t> code(program.region->host + offsets[entry->section], section.size);
  if (data.codeBase % 4)
    return abi::malformed(elf.describeSection(entry->section) + ": code is not aligned");
  // The text is only asked for while the program lives, and with it the region.
  data.textOf = [context = &context, code, waveSize = data.launch.waveSize](uint32_t pc) {
    std::string text;
    Error error = context->decoders.with(waveSize, [&](Decoder &decoder) {
      text = decoder.text(code, pc);
      return Error::success();
    });
    consumeError(std::move(error)); // the decoder was there when the program was loaded
    return text;
  };
  return context.decoders.with(data.launch.waveSize, [&](Decoder &decoder) -> Error {
    KILN_TRY(
        decodeProgram(decoder, context.ops, context.counters, code, entry->value, functions, data));
    if (context.isProfiled)
      data.profile = std::make_shared<ProgramProfile>();
    if (context.makeWatch)
      data.watch = KILN_TRY(context.makeWatch(decoder, code, data));
    return Error::success();
  });
}

Error Loader::loadStage(const abi::PipelineMetadata &metadata, abi::HardwareStage which,
                        ProgramData &data) {
  data.name = program.data.name;
  data.stage = which;
  data.generation = generationOf(context.target);
  const abi::HardwareStageInfo &stage = *metadata.hardwareStage(which);
  // PAL honours another entry point's name only from version 3.6 on.
  StringRef entryName = abi::entryPointSymbol(which);
  if (stage.entryPointSymbol && metadata.isAtLeast(3, 6))
    entryName = *stage.entryPointSymbol;
  KILN_TRY(readLaunch(metadata, stage, data));
  return decodeCode(entryName, data);
}

Error Loader::run(abi::PipelineMetadata &metadata) {
  bool hasGraphics = false;
  for (unsigned i = 0; i < unsigned(abi::HardwareStage::Cs); ++i)
    hasGraphics |= metadata.hardwareStages[i].has_value();
  if (!hasGraphics && !metadata.hardwareStage(abi::HardwareStage::Cs))
    return abi::malformed("a program without hardware stages");
  KILN_TRY(checkHeader());
  KILN_TRY(placeSections());
  KILN_TRY(relocate());
  if (!hasGraphics)
    return loadStage(metadata, abi::HardwareStage::Cs, program.data);
  program.graphics = std::make_unique<GraphicsProgram>();
  GraphicsProgram &graphics = *program.graphics;
  for (unsigned i = 0; i < abi::hardwareStageCount; ++i) {
    if (!metadata.hardwareStages[i])
      continue;
    graphics.stages[i] = std::make_unique<GraphicsStage>();
    graphics.stages[i]->info = *metadata.hardwareStages[i];
    KILN_TRY(loadStage(metadata, abi::HardwareStage(i), graphics.stages[i]->data));
  }
  graphics.vertex = decodeVertexRegisters(metadata);
  graphics.hull = decodeHullRegisters(metadata);
  graphics.streamOut = decodeStreamOutRegisters(metadata);
  graphics.geometry = decodeGeometryRegisters(metadata);
  graphics.mesh = decodeMeshRegisters(metadata);
  graphics.fragment = decodeFragmentRegisters(metadata);
  graphics.metadata = std::move(metadata);
  return Error::success();
}

} // namespace

Error DecoderPool::with(unsigned waveSize, function_ref<Error(Decoder &)> use) {
  std::lock_guard lock(mutex);
  std::unique_ptr<Decoder> &decoder = decoders[waveSize == 64];
  if (!decoder)
    decoder = KILN_TRY(Decoder::create(target, waveSize));
  return use(*decoder);
}

Program::~Program() = default;

LoadedProgram::LoadedProgram() = default;

LoadedProgram::~LoadedProgram() {
  if (region)
    context->memory.free(region->address);
}

std::map<OpcodeKey, uint64_t> LoadedProgram::opcodes() const {
  std::map<OpcodeKey, uint64_t> counts;
  auto add = [&](const ProgramData &stage) {
    for (const std::vector<Instr> *list : {&stage.code, &stage.dualHalves})
      for (const Instr &instr : *list)
        ++counts[{firstName(*instr.op).str(), encodingName(Encoding(instr.variant)).str()}];
  };
  add(data);
  if (graphics)
    for (const std::unique_ptr<GraphicsStage> &stage : graphics->stages)
      if (stage)
        add(stage->data);
  return counts;
}

uint64_t LoadedProgram::instructionCount(abi::HardwareStage stage) const {
  if (!graphics)
    return stage == abi::HardwareStage::Cs ? data.code.size() : 0;
  const std::unique_ptr<GraphicsStage> &part = graphics->stages[static_cast<unsigned>(stage)];
  return part ? part->data.code.size() : 0;
}

std::vector<InstructionProfile> LoadedProgram::profile(abi::HardwareStage stage) const {
  const ProgramData *code = stage == abi::HardwareStage::Cs ? &data : nullptr;
  if (graphics)
    code = graphics->stage(stage) ? &graphics->stage(stage)->data : nullptr;
  return code && code->profile ? code->profile->snapshot() : std::vector<InstructionProfile>();
}

Expected<std::shared_ptr<const LoadedProgram>> loadElf(std::shared_ptr<LoadContext> context,
                                                       ArrayRef<uint8_t> bytes, StringRef name) {
  abi::ElfObject elf = KILN_TRY(abi::ElfObject::parse(bytes));
  const abi::ElfNote *note = elf.findMetadataNote();
  if (!note)
    return abi::malformed("no PAL metadata note");
  abi::PipelineMetadata metadata = KILN_TRY(abi::PipelineMetadata::parse(note->desc));
  auto program = std::make_shared<LoadedProgram>();
  program->context = context;
  program->data.name = name.str();
  KILN_TRY(Loader(*context, elf, *program).run(metadata));
  return program;
}

} // namespace pal::device
