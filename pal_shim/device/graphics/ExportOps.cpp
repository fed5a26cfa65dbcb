//===- ExportOps.cpp - exports and messages of graphics stages -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// EXP and S_SENDMSG: what a wave says to the hardware around the shader core, passed on to the
/// group's port. Sources: RDNA ISA manuals, "Exporting" and "S_SENDMSG messages"; encodings:
/// "Microcode formats", EXP.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/graphics/PortAccess.h"

namespace pal::device {

StagePort *portFor(Wave &wave, const char *what) {
  if (!wave.group->port) {
    wave.fault(DeviceFault::Kind::BadInstruction,
               llvm::Twine(what) + " in a stage without hardware that takes it");
    return nullptr;
  }
  wave.useHostDefaultFloat();
  return wave.group->port;
}

uint32_t StagePort::addToCounter(Wave &wave, const CounterAccess &) {
  wave.fault(DeviceFault::Kind::BadInstruction,
             "counters of transform feedback in a stage that has none");
  return 0;
}

namespace {

// The first dword of the encoding is kept as it is.
constexpr unsigned enableBits = 4, targetShift = 4, targetBits = 6;
constexpr unsigned compressedBit = 10, doneBit = 11, validMaskBit = 12, rowBit = 13;

void runExport(Wave &wave, const Instr &instr) {
  StagePort *port = portFor(wave, "export");
  if (!port)
    return;
  auto word = uint32_t(instr.simm);
  auto bit = [&](unsigned number) { return (word >> number & 1) != 0; };
  ExportData data;
  data.target = word >> targetShift & ((1u << targetBits) - 1);
  data.enable = word & ((1u << enableBits) - 1);
  data.done = bit(doneBit);
  if (isGfx10(wave.generation)) {
    data.compressed = bit(compressedBit);
    data.validMask = bit(validMaskBit);
  } else if (bit(rowBit)) {
    data.hasRow = true;
    data.row = wave.s[sreg::m0];
  }
  for (unsigned i = 0; i < 4; ++i) {
    bool enabled = data.compressed ? i < 2 && (data.enable >> (2 * i) & 3) : data.enable >> i & 1;
    if (enabled)
      data.data[i] = &wave.v[instr.mem.addr[i]];
  }
  data.exec = wave.exec();
  port->exportData(wave, data);
}

bool decodeExport(const RawInstr &raw, Instr &instr, std::string &why) {
  if (raw.encoding != Encoding::Exp || raw.dwords.size() < 2) {
    why = "encoding";
    return false;
  }
  instr.simm = int32_t(raw.dwords[0]);
  for (unsigned i = 0; i < 4; ++i)
    instr.mem.addr[i] = uint8_t(raw.bits(32 + 8 * i, 8));
  return true;
}

/// Message ids, the low four bits of the message (gfx11 and later: eight).
constexpr unsigned messageInterrupt = 1, messageGs = 2, messageGsDone = 3, messageOrderedDone = 7,
                   messageGsAllocReq = 9, messageHsTessFactor = 2, messageDeallocVgprs = 3;

bool isHint(Generation generation, unsigned message) {
  return message == messageInterrupt || (message == messageDeallocVgprs && !isGfx10(generation));
}

/// Interrupts for the host and early returns of VGPRs have no effect.
void sendMessage(Wave &wave, const Instr &instr) {
  if (isHint(wave.generation, unsigned(instr.simm)))
    return;
  if (StagePort *port = portFor(wave, "message"))
    port->message(wave, unsigned(instr.simm), wave.s[sreg::m0]);
}

bool decodeMessage(const RawInstr &raw, Instr &instr, std::string &why) {
  uint32_t message = raw.bits(0, 16);
  instr.simm = int32_t(message);
  bool known = isHint(raw.generation, message) || message == messageGsAllocReq;
  if (isGfx10(raw.generation))
    // The operation and the stream of GS messages stand above the id.
    known |= (message & 0xF) == messageGs || (message & 0xF) == messageGsDone ||
             message == messageOrderedDone;
  else
    known |= message == messageHsTessFactor;
  if (known)
    return true;
  why = "message " + std::to_string(message);
  return false;
}

constexpr OpEntry ops[] = {
    {"exp export", runExport, decodeExport},
    {"s_sendmsg", sendMessage, decodeMessage},
};

} // namespace

llvm::ArrayRef<OpEntry> exportOps() { return ops; }

} // namespace pal::device
