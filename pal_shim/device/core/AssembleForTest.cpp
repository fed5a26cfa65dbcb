//===- AssembleForTest.cpp - machine code and code objects for tests -------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

using namespace llvm;

namespace pal::device::test {

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "AssembleForTest: %s\n", message.c_str());
  std::abort();
}

template <class T> T take(Expected<T> value) {
  if (!value)
    fail(toString(value.takeError()));
  return std::move(*value);
}

SmallVector<char, 0> assembleObject(StringRef target, unsigned waveSize, StringRef text) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  Triple triple("amdgcn--amdpal");
  std::string why;
  const Target *llvmTarget = TargetRegistry::lookupTarget("amdgcn", triple, why);
  if (!llvmTarget)
    fail(why);
  std::string features = "+wavefrontsize" + std::to_string(waveSize);
  if (!target.starts_with("gfx10"))
    features += ",+real-true16";
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(llvmTarget->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> asmInfo(llvmTarget->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(llvmTarget->createMCInstrInfo());
  std::unique_ptr<MCSubtargetInfo> subtarget(
      llvmTarget->createMCSubtargetInfo(triple, target, features));
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  MCContext context(triple, asmInfo.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<MCObjectFileInfo> objectFile(
      llvmTarget->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectFile.get());
  SmallVector<char, 0> object;
  raw_svector_ostream os(object);
  std::unique_ptr<MCAsmBackend> backend(
      llvmTarget->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(os);
  std::unique_ptr<MCCodeEmitter> emitter(llvmTarget->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<MCStreamer> streamer(llvmTarget->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      llvmTarget->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    fail("wrong assembler text for " + target.str());
  return object;
}

abi::ElfBuilder startElf(StringRef target, abi::PipelineMetadata &md) {
  const abi::GpuTarget *gpu = abi::findTarget(target);
  if (!gpu)
    fail("unknown target " + target.str());
  abi::ElfBuilder builder;
  builder.header().type = ELF::ET_REL;
  builder.header().machine = abi::elf::machine;
  builder.header().osAbi = abi::elf::osAbiPal;
  builder.header().flags = gpu->elfMach;
  builder.addSection(".note", ELF::SHT_NOTE, 0, 4,
                     abi::encodeNote("AMDGPU", abi::elf::noteType, md.toBlob()));
  return builder;
}

uint16_t addCode(abi::ElfBuilder &builder, ArrayRef<uint8_t> code) {
  return uint16_t(builder.addSection(".text", ELF::SHT_PROGBITS,
                                     ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 256, code));
}

/// The node at \p path below \p node; maps and arrays are made as needed.
msgpack::DocNode &nodeAt(msgpack::DocNode &node, ArrayRef<std::string> path) {
  if (path.empty())
    return node;
  StringRef part = path.front();
  if (part.consume_front("[")) {
    unsigned index = 0;
    part.consumeInteger(10, index);
    return nodeAt(node.getArray(/*Convert=*/true)[index], path.drop_front());
  }
  msgpack::MapDocNode &map = node.getMap(/*Convert=*/true);
  return nodeAt(map[map.getDocument()->getNode(path.front(), /*Copy=*/true)], path.drop_front());
}

} // namespace

std::vector<uint8_t> assemble(StringRef target, unsigned waveSize, StringRef text) {
  SmallVector<char, 0> object = assembleObject(target, waveSize, text);
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(object.data()), object.size());
  abi::ElfObject elf = take(abi::ElfObject::parse(bytes));
  const abi::ElfSection *section = elf.findSection(".text");
  return section ? section->data.vec() : std::vector<uint8_t>();
}

std::vector<uint8_t> TestProgram::elf() const {
  std::vector<uint8_t> code = assemble(target, waveSize, text + "\ns_endpgm\n");
  abi::PipelineMetadata md;
  md.api = "Vulkan";
  md.type = abi::PipelineType::Cs;
  md.internalPipelineHash = abi::Hash128{1, 2};
  md.userDataLimit = abi::userdata::maxEntries;
  md.spillThreshold = spillThreshold;
  abi::ShaderInfo shader;
  shader.apiShaderHash = abi::Hash128{7, 8};
  shader.hardwareMapping = {abi::HardwareStage::Cs};
  md.shaders[unsigned(abi::ApiStage::Compute)] = shader;
  abi::HardwareStageInfo stage;
  stage.entryPointSymbol = "_amdgpu_cs_main";
  stage.vgprCount = 24;
  stage.sgprCount = 32;
  stage.scratchMemorySize = scratchBytes;
  stage.scratchEn = scratchBytes != 0;
  stage.ldsSize = ldsBytes;
  stage.wavefrontSize = waveSize;
  stage.floatMode = floatMode;
  stage.ieeeMode = ieeeMode;
  stage.userSgprs = uint32_t(userDataRegMap.size());
  stage.userDataRegMap = userDataRegMap;
  stage.threadgroupDimensions = threads;
  md.hardwareStage(abi::HardwareStage::Cs) = stage;
  abi::ComputeRegisters registers;
  registers.tgidXEn = groupIdX;
  registers.tgidYEn = groupIdY;
  registers.tgidZEn = groupIdZ;
  registers.tgSizeEn = groupSize;
  registers.tidigCompCnt = localIdComponents - 1;
  md.computeRegisters = registers;

  abi::ElfBuilder builder = startElf(target, md);
  uint16_t section = addCode(builder, code);
  for (const auto &[name, offset] : functions)
    builder.addSymbol(name, ELF::STT_FUNC, ELF::STB_LOCAL, section, offset, code.size() - offset);
  builder.addSymbol("_amdgpu_cs_main", ELF::STT_FUNC, ELF::STB_GLOBAL, section, 0, code.size());
  return take(builder.finish());
}

std::vector<uint8_t> TestGraphics::elf() const {
  abi::PipelineMetadata md;
  md.api = "Vulkan";
  md.type = abi::PipelineType::Ngg;
  md.internalPipelineHash = abi::Hash128{1, 2};
  md.userDataLimit = abi::userdata::maxEntries;
  md.spillThreshold = spillThreshold;
  std::vector<uint8_t> code;
  std::vector<std::array<uint64_t, 2>> ranges;
  for (const Stage &stage : stages) {
    code.resize(alignTo(code.size(), 256));
    std::vector<uint8_t> own = assemble(target, stage.waveSize, stage.text + "\ns_endpgm\n");
    ranges.push_back({code.size(), own.size()});
    code.insert(code.end(), own.begin(), own.end());
    abi::HardwareStageInfo info;
    info.entryPointSymbol = abi::entryPointSymbol(stage.stage).str();
    info.vgprCount = 24;
    info.sgprCount = 48;
    info.ldsSize = stage.ldsBytes;
    info.scratchMemorySize = stage.scratchBytes;
    info.scratchEn = stage.scratchBytes != 0;
    info.wavefrontSize = stage.waveSize;
    info.floatMode = 0xF0;
    info.userSgprs = uint32_t(stage.userDataRegMap.size());
    info.userDataRegMap = stage.userDataRegMap;
    if (!stage.threads.empty()) {
      info.threadgroupDimensions = stage.threads;
      abi::ComputeRegisters registers;
      registers.tgidXEn = registers.tgidYEn = registers.tgidZEn = true;
      md.computeRegisters = registers;
    }
    md.hardwareStage(stage.stage) = info;
  }
  msgpack::MapDocNode pipeline = md.pipelineMap();
  msgpack::DocNode &registersNode = nodeAt(pipeline, {abi::key::graphicsRegisters.str()});
  registersNode.getMap(/*Convert=*/true);
  for (const Register &reg : registers)
    nodeAt(registersNode, reg.path) = md.document().getNode(reg.value);
  abi::ElfBuilder builder = startElf(target, md);
  uint16_t section = addCode(builder, code);
  for (size_t i = 0; i < stages.size(); ++i)
    builder.addSymbol(abi::entryPointSymbol(stages[i].stage), ELF::STT_FUNC, ELF::STB_GLOBAL,
                      section, ranges[i][0], ranges[i][1]);
  return take(builder.finish());
}

} // namespace pal::device::test
