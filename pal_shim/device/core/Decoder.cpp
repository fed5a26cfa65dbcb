//===- Decoder.cpp - machine code to RawInstr, by LLVM's disassembler ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Scratch.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

using namespace llvm;

namespace pal::device {

namespace {

/// Operand types of LLVM 22 (AMDGPU's OperandType begins at MCOI::OPERAND_FIRST_TARGET): register
/// or constant operands up to, and not including, the modifiers that precede a source.
constexpr unsigned firstSourceType = MCOI::OPERAND_FIRST_TARGET;
constexpr unsigned inputModifiersType = 45;

/// MCRegisterInfo's encoding value of an AMDGPU register.
namespace regenc {
constexpr unsigned indexMask = 0x3FF, isVgpr = 1u << 10, isAgpr = 1u << 11, isHi16 = 1u << 12;
} // namespace regenc

/// What an MC register is to us.
struct RegInfo {
  RawOperand operand;
  bool known = false;
};

struct SpecialRegister {
  StringLiteral name;
  RawOperand::Kind kind;
  uint16_t reg;
  uint64_t imm;
};

/// Registers that are not numbered SGPRs or VGPRs. M0 and NULL exist twice, with a suffix each.
constexpr SpecialRegister specialRegisters[] = {
    {"SRC_POPS_EXITING_WAVE_ID", RawOperand::Kind::Sgpr, sreg::popsExiting, 0},
    {"M0", RawOperand::Kind::Sgpr, sreg::m0, 0},
    {"SGPR_NULL", RawOperand::Kind::Null, 0, 0},
    {"SGPR_NULL64", RawOperand::Kind::Null, 0, 0},
    {"SGPR_NULL_HI", RawOperand::Kind::Null, 0, 0},
    {"SRC_SCC", RawOperand::Kind::Scc, 0, 0},
    {"SRC_VCCZ", RawOperand::Kind::VccZ, 0, 0},
    {"SRC_EXECZ", RawOperand::Kind::ExecZ, 0, 0},
    {"SRC_SHARED_BASE", RawOperand::Kind::Imm, 0, sharedApertureBase},
    {"SRC_SHARED_LIMIT", RawOperand::Kind::Imm, 0, sharedApertureBase + apertureSize - 1},
    {"SRC_PRIVATE_BASE", RawOperand::Kind::Imm, 0, privateApertureBase},
    {"SRC_PRIVATE_LIMIT", RawOperand::Kind::Imm, 0, privateApertureBase + apertureSize - 1},
};

StringRef withoutGenerationSuffix(StringRef name) {
  for (StringRef suffix : {"_gfxpre11", "_gfx11plus", "_gfx9plus", "_vi"})
    if (name.consume_back(suffix))
      break;
  return name;
}

std::vector<RegInfo> makeRegisterTable(const MCRegisterInfo &info) {
  std::vector<unsigned> bits(info.getNumRegs());
  for (const MCRegisterClass &regClass : info.regclasses())
    for (MCPhysReg reg : regClass)
      bits[reg] = std::max(bits[reg], regClass.getSizeInBits());
  std::vector<RegInfo> table(info.getNumRegs());
  for (unsigned reg = 1; reg < info.getNumRegs(); ++reg) {
    RegInfo &entry = table[reg];
    entry.operand.dwords = uint8_t(std::max(1u, bits[reg] / 32));
    StringRef name = withoutGenerationSuffix(info.getName(reg));
    if (name.consume_back("_LO") && name != "VCC" && name != "EXEC" && !name.starts_with("SRC_"))
      name = withoutGenerationSuffix(info.getName(reg));
    const SpecialRegister *special =
        find_if(specialRegisters, [&](const SpecialRegister &s) { return s.name == name; });
    unsigned encoding = info.getEncodingValue(reg);
    if (special != std::end(specialRegisters)) {
      entry.known = true;
      entry.operand.kind = special->kind;
      entry.operand.reg = special->reg;
      entry.operand.imm = special->imm;
    } else if (encoding & regenc::isVgpr) {
      entry.known = true;
      entry.operand.kind = RawOperand::Kind::Vgpr;
      entry.operand.reg = encoding & regenc::indexMask;
      entry.operand.isHalf = bits[reg] == 16;
      entry.operand.hi = encoding & regenc::isHi16;
    } else if (!(encoding & regenc::isAgpr) && (encoding & regenc::indexMask) < sreg::count) {
      entry.known = true;
      entry.operand.kind = RawOperand::Kind::Sgpr;
      entry.operand.reg = encoding & regenc::indexMask;
    }
  }
  return table;
}

/// Removes what tells encodings of one operation apart.
StringRef plainMnemonic(StringRef mnemonic) {
  // Stores to scratch without a vector address: "scratch_store_b32 off,".
  mnemonic = mnemonic.trim().take_until([](char c) { return c == ' '; });
  for (StringRef suffix : {"_e64_dpp", "_dpp", "_sdwa", "_e64", "_e32"})
    if (mnemonic.consume_back(suffix))
      break;
  return mnemonic;
}

std::string dualMnemonic(StringRef half) {
  StringRef name = half.trim().take_until([](char c) { return c == ' ' || c == '\t'; });
  return name.consume_front("v_dual_") ? ("v_" + name).str() : name.str();
}

/// SDWA selects without a meaning, which LLVM 22's printer crashes at.
bool isBadSdwa(Generation generation, const uint32_t *dwords) {
  uint32_t encoding = dwords[0] >> 25;
  if (!isGfx10(generation) || dwords[0] >> 31 || (dwords[0] & 0x1FF) != 249)
    return false;
  auto field = [&](unsigned low, unsigned mask) { return dwords[1] >> low & mask; };
  bool isVopc = encoding == 0x3E, isVop1 = encoding == 0x3F;
  return field(16, 7) == 7 || (!isVop1 && field(24, 7) == 7) ||
         (!isVopc && (field(8, 7) == 7 || field(11, 3) == 3));
}

/// LLVM 22 takes the literal of v_fmamk and its like for the encoding of a source operand: 128
/// becomes the constant 0, 242 becomes 1.0, and for halves 255 leads into nowhere. Which dword is
/// such a literal, or 0. HW(gfx10-gfx12): it is a number whatever its value.
unsigned mandatoryLiteral(Generation generation, const uint32_t *dwords) {
  const uint32_t first = dwords[0];
  auto oneOf = [](uint32_t opcode, std::initializer_list<uint32_t> list) {
    return is_contained(list, opcode);
  };
  if (first >> 31 == 0) // VOP2: fmamk, fmaak of f32 and f16, and their forerunners
    return oneOf(first >> 25, {0x2C, 0x2D, 0x37, 0x38}) ||
           (generation == Generation::Gfx101 && oneOf(first >> 25, {0x20, 0x21}));
  if (generation >= Generation::Gfx115 && first >> 30 == 2) // SOP2: s_fmaak_f32, s_fmamk_f32
    return oneOf(first >> 23 & 0xFF, {0x45, 0x46});
  if (!isGfx10(generation) && first >> 26 == 0x32) // VOPD: either half
    return oneOf(first >> 22 & 0xF, {1, 2}) || oneOf(first >> 17 & 0x1F, {1, 2}) ? 2 : 0;
  return 0;
}

constexpr uint32_t lastSourceEncoding = 511;
constexpr uint32_t literalInPlace = 0x4321; ///< no such encoding; fits halves

} // namespace

Generation generationOf(const abi::GpuTarget &target) {
  if (target.major == 10)
    return target.minor < 3 ? Generation::Gfx101 : Generation::Gfx103;
  if (target.major == 11)
    return target.minor < 5 ? Generation::Gfx11 : Generation::Gfx115;
  return Generation::Gfx12;
}

struct Decoder::Mc {
  Generation generation;
  unsigned waveSize;
  Triple triple{"amdgcn--amdpal"};
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  std::vector<RegInfo> registerTable;

  /// \p size: of the instruction, in bytes.
  bool disassemble(ArrayRef<uint8_t> code, uint64_t pc, MCInst &inst, uint64_t &size) const {
    if (pc >= code.size())
      return false;
    // The last bytes with zeros behind them, more than the longest instruction has: LLVM 22 crashes
    // when a literal constant is missing.
    std::array<uint32_t, 8> padded = {};
    ArrayRef<uint8_t> rest = code.drop_front(pc);
    std::memcpy(padded.data(), rest.data(), std::min(rest.size(), sizeof padded));
    if (isBadSdwa(generation, padded.data()))
      return false;
    uint32_t &literal = padded[mandatoryLiteral(generation, padded.data())];
    const uint32_t value = literal;
    const bool replaced = &literal != padded.data() && value <= lastSourceEncoding;
    if (replaced)
      literal = literalInPlace;
    ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(padded.data()), sizeof padded);
    if (disassembler->getInstruction(inst, size, bytes, pc, nulls()) != MCDisassembler::Success)
      return false;
    for (MCOperand &operand : inst)
      if (replaced && operand.isImm() && operand.getImm() == literalInPlace)
        operand.setImm(value);
    return size <= rest.size();
  }
  std::string print(const MCInst &inst, uint64_t pc) {
    std::string text;
    raw_string_ostream os(text);
    printer->printInst(&inst, pc, "", *subtarget, os);
    return StringRef(text).trim().str();
  }
  Error fillOperands(const MCInst &inst, const MCInstrDesc &desc, uint64_t pc, MachineInstr &out);
  void splitDual(const MCInst &inst, const MCInstrDesc &desc, uint64_t pc, MachineInstr &out);
  void fillImplicits(const MCInstrDesc &desc, RawInstr &raw) const;
};

Decoder::Decoder(std::unique_ptr<Mc> mc) : mc(std::move(mc)) {}
Decoder::~Decoder() = default;

Expected<std::unique_ptr<Decoder>> Decoder::create(const abi::GpuTarget &target,
                                                   unsigned waveSize) {
  static std::once_flag once; // LLVM's registry of targets is global
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  auto mc = std::make_unique<Mc>();
  mc->generation = generationOf(target);
  mc->waveSize = waveSize;
  std::string why;
  const Target *llvmTarget = TargetRegistry::lookupTarget("amdgcn", mc->triple, why);
  if (!llvmTarget)
    return abi::notSupported("no disassembler: " + why);
  std::string features = "+wavefrontsize" + std::to_string(waveSize);
  // Halves of VGPRs as operands of their own, whatever the target's default is.
  if (!isGfx10(mc->generation))
    features += ",+real-true16";
  mc->registers.reset(llvmTarget->createMCRegInfo(mc->triple));
  mc->asmInfo.reset(llvmTarget->createMCAsmInfo(*mc->registers, mc->triple, mc->options));
  mc->instructions.reset(llvmTarget->createMCInstrInfo());
  mc->subtarget.reset(llvmTarget->createMCSubtargetInfo(mc->triple, target.name, features));
  if (!mc->subtarget || !mc->subtarget->isCPUStringValid(target.name))
    return abi::notSupported("LLVM does not know the target " + target.name);
  mc->context = std::make_unique<MCContext>(mc->triple, mc->asmInfo.get(), mc->registers.get(),
                                            mc->subtarget.get());
  mc->disassembler.reset(llvmTarget->createMCDisassembler(*mc->subtarget, *mc->context));
  mc->printer.reset(llvmTarget->createMCInstPrinter(mc->triple, 0, *mc->asmInfo, *mc->instructions,
                                                    *mc->registers));
  mc->registerTable = makeRegisterTable(*mc->registers);
  return std::unique_ptr<Decoder>(new Decoder(std::move(mc)));
}

Error Decoder::Mc::fillOperands(const MCInst &inst, const MCInstrDesc &desc, uint64_t pc,
                                MachineInstr &out) {
  RawInstr &raw = out.first;
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const MCOperand &operand = inst.getOperand(i);
    unsigned type = i < desc.getNumOperands() ? desc.operands()[i].OperandType : 0;
    if (operand.isReg()) {
      if (!operand.getReg())
        continue;
      const RegInfo &info = registerTable[operand.getReg()];
      if (!info.known)
        return abi::notSupported("register " + Twine(registers->getName(operand.getReg())) +
                                 " in '" + print(inst, pc) + "' at pc " + abi::hex(pc));
      RawOperand &added = raw.operands.emplace_back(info.operand);
      added.isDef = i < desc.getNumDefs();
      added.isTied = i < desc.getNumOperands() && desc.getOperandConstraint(i, MCOI::TIED_TO) != -1;
      continue;
    }
    int64_t value = 0;
    // A literal that could have been an inline constant is an expression, "lit(1)".
    if (operand.isImm())
      value = operand.getImm();
    else if (!operand.isExpr() || !operand.getExpr()->evaluateAsAbsolute(value))
      return abi::malformed("operand " + Twine(i) + " of '" + print(inst, pc) + "' at pc " +
                            abi::hex(pc) + " is neither register nor constant");
    if (type >= firstSourceType && type < inputModifiersType) {
      RawOperand constant;
      constant.imm = uint64_t(value);
      raw.operands.push_back(constant);
    } else {
      raw.immediates.push_back(value);
      if (type == MCOI::OPERAND_PCREL) {
        out.isBranch = true;
        // The offset counts dwords from the next instruction.
        out.branchTarget = pc + out.sizeBytes + int64_t(int16_t(value)) * 4;
      }
    }
  }
  return Error::success();
}

/// LLVM gives one instruction for a VOPD pair, its operands in the order: both destinations, the
/// first half's sources, the second half's. How many sources the first half has shows in its text;
/// sources tied to a destination are not printed.
void Decoder::Mc::splitDual(const MCInst &inst, const MCInstrDesc &desc, uint64_t pc,
                            MachineInstr &out) {
  std::string text = print(inst, pc);
  auto [x, y] = StringRef(text).split("::");
  out.isDual = true;
  out.names[0] = dualMnemonic(x);
  out.names[1] = dualMnemonic(y);
  SmallVector<RawOperand, 16> all = std::move(out.first.operands);
  out.second = out.first;
  out.second.vopdHalf = 1;
  out.first.operands.clear();
  out.second.operands.clear();
  out.first.mnemonic = out.names[0];
  out.second.mnemonic = out.names[1];
  unsigned sourcesLeft = unsigned(x.count(','));
  for (unsigned i = 0; i < all.size(); ++i) {
    bool toFirst = i == 0;
    if (i >= 2) {
      // Every operand of a pair is listed, so `all` is indexed like the MC operands.
      int tied = i < desc.getNumOperands() ? desc.getOperandConstraint(i, MCOI::TIED_TO) : -1;
      toFirst = tied >= 0 ? tied == 0 : sourcesLeft != 0;
      if (tied < 0 && sourcesLeft)
        --sourcesLeft;
    }
    RawOperand operand = all[i];
    if (operand.isTied) {
      // LLVM 22's disassembler lists the first half's source for a tie of the second half.
      operand = all[toFirst ? 0 : 1];
      operand.isDef = false;
      operand.isTied = true;
    }
    (toFirst ? out.first : out.second).operands.push_back(operand);
  }
}

void Decoder::Mc::fillImplicits(const MCInstrDesc &desc, RawInstr &raw) const {
  auto add = [&](MCPhysReg reg, bool isDef) {
    const RegInfo &info = registerTable[reg];
    // SCC, MODE and their like have numbers of their own, which mean other registers here.
    if (info.operand.kind != RawOperand::Kind::Sgpr || info.operand.reg < sreg::vccLo)
      return;
    RawOperand &added = raw.implicits.emplace_back(info.operand);
    added.isDef = isDef;
    // Lane masks: the tables name both halves for both wave sizes.
    added.dwords = std::min<uint8_t>(added.dwords, uint8_t(waveSize / 32));
  };
  for (MCPhysReg reg : desc.implicit_uses())
    add(reg, false);
  for (MCPhysReg reg : desc.implicit_defs())
    add(reg, true);
}

Error Decoder::decode(ArrayRef<uint8_t> code, uint64_t pc, MachineInstr &result) {
  result = MachineInstr();
  MCInst inst;
  uint64_t size = 0;
  if (!mc->disassemble(code, pc, inst, size) || size < 4 || size > sizeof result.dwords)
    return abi::malformed("no instruction at pc " + abi::hex(pc));
  result.sizeBytes = unsigned(size);
  std::memcpy(result.dwords, code.data() + pc, size);
  const MCInstrDesc &desc = mc->instructions->get(inst.getOpcode());
  RawInstr &raw = result.first;
  raw.mcName = mc->instructions->getName(inst.getOpcode());
  result.names[0] = plainMnemonic(mc->printer->getMnemonic(inst).first).str();
  raw.mnemonic = result.names[0];
  raw.generation = mc->generation;
  raw.waveSize = mc->waveSize;
  raw.pc = pc;
  raw.dwords = ArrayRef(result.dwords, size / 4);
  raw.encoding = classifyEncoding(mc->generation, ArrayRef(result.dwords, 2));
  result.endsFlow = desc.isBarrier();
  result.isIndirect = raw.mnemonic == "s_setpc_b64" || raw.mnemonic == "s_swappc_b64";
  KILN_TRY(mc->fillOperands(inst, desc, pc, result));
  mc->fillImplicits(desc, raw);
  if (raw.encoding == Encoding::Vopd)
    mc->splitDual(inst, desc, pc, result);
  return Error::success();
}

std::string Decoder::text(ArrayRef<uint8_t> code, uint64_t pc) {
  MCInst inst;
  uint64_t size = 0;
  if (!mc->disassemble(code, pc, inst, size))
    return "<invalid>";
  std::string text = mc->print(inst, pc);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

} // namespace pal::device
