//===- ImageFields.cpp - decoding of image encodings -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// MIMG of gfx10 and gfx11, VIMAGE and VSAMPLE of gfx12: field tables (ISA manuals, "Microcode
/// formats"), address components and their registers.
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/formats/Formats.h"

namespace pal::device {

namespace {

struct ImageLayout {
  BitField dmask, dim, unorm, r128, a16, d16, tfe, lwe, returns, vdata, srsrc, ssamp;
  unsigned tupleShift; ///< SGPR number = field << shift
  unsigned dwords;
};
constexpr ImageLayout gfx10Layout = {{8, 4},  {3, 3},  {12, 1}, {15, 1}, {62, 1}, {63, 1}, {16, 1},
                                     {17, 1}, {13, 1}, {40, 8}, {48, 5}, {53, 5}, 2,       2};
constexpr ImageLayout gfx11Layout = {{8, 4},  {2, 3},  {7, 1},  {15, 1}, {16, 1}, {17, 1}, {53, 1},
                                     {54, 1}, {14, 1}, {40, 8}, {48, 5}, {58, 5}, 2,       2};
constexpr ImageLayout vimageLayout = {{22, 4}, {0, 3},  {},      {4, 1},  {6, 1}, {5, 1}, {55, 1},
                                      {},      {52, 1}, {32, 8}, {41, 9}, {},     0,      3};
constexpr ImageLayout vsampleLayout = {{22, 4}, {0, 3}, {13, 1}, {4, 1},  {6, 1},  {5, 1}, {3, 1},
                                       {40, 1}, {},     {32, 8}, {41, 9}, {55, 9}, 0,      3};

const ImageLayout &layoutOf(const RawInstr &raw) {
  if (isGfx10(raw.generation))
    return gfx10Layout;
  if (isGfx11(raw.generation))
    return gfx11Layout;
  return raw.encoding == Encoding::Vsample ? vsampleLayout : vimageLayout;
}

/// Address registers that the encoding names one by one; what follows the last one is consecutive.
llvm::SmallVector<uint8_t, 16> namedAddresses(const RawInstr &raw) {
  llvm::SmallVector<uint8_t, 16> result;
  auto byte = [&](unsigned bit) { result.push_back(uint8_t(raw.bits(bit, 8))); };
  if (isGfx12(raw.generation)) {
    for (unsigned i = 0; i < 4; ++i)
      byte(64 + 8 * i);
    if (raw.encoding == Encoding::Vimage)
      byte(56);
    return result;
  }
  byte(32);
  unsigned extra = isGfx10(raw.generation) ? raw.bits(1, 2) : raw.bits(0, 1);
  for (unsigned i = 0; i < 4 * extra && 64 + 8 * i + 8 <= 32 * raw.dwords.size(); ++i)
    byte(64 + 8 * i);
  return result;
}

/// Adds components one after another, two 16-bit ones to a dword.
class SlotAllocator {
public:
  AddressSlot whole() {
    finishPair();
    return {uint8_t(count++), AddressSlot::Part::Whole};
  }
  AddressSlot half() {
    if (open) {
      open = false;
      return {uint8_t(count - 1), AddressSlot::Part::High};
    }
    open = true;
    return {uint8_t(count++), AddressSlot::Part::Low};
  }
  AddressSlot next(bool is16) { return is16 ? half() : whole(); }
  void finishPair() { open = false; }
  unsigned dwords() const { return count; }

private:
  unsigned count = 0;
  bool open = false;
};

unsigned dataDwords(const ImageOp &op, const MemFields &fields) {
  if (op.kind == ImageKind::Gather)
    return fields.d16 ? 2 : 4;
  unsigned components = unsigned(std::popcount(fields.dmask));
  return fields.d16 ? (components + 1) / 2 : components;
}

bool checkAtomic(const ImageOp &op, const MemFields &fields, std::string &why) {
  const MemOp *atomic = op.atomic32 ? op.atomic32 : op.atomic64;
  unsigned dwords = unsigned(std::popcount(fields.dmask)) / atomic->operands;
  if ((dwords == 1 && op.atomic32) || (dwords == 2 && op.atomic64))
    return true;
  why = "image atomic with this DMASK";
  return false;
}

} // namespace

unsigned coordCount(ImageDim dim) {
  constexpr uint8_t counts[] = {1, 2, 3, 3, 2, 3, 3, 4};
  return counts[unsigned(dim)];
}

unsigned derivativeCount(ImageDim dim) {
  constexpr uint8_t counts[] = {1, 2, 3, 2, 1, 2, 2, 2};
  return counts[unsigned(dim)];
}

AddressMap makeAddressMap(const ImageOp &op, const MemFields &fields) {
  AddressMap map;
  SlotAllocator slots;
  auto dim = static_cast<ImageDim>(fields.dim);
  if (op.kind == ImageKind::GetSize) {
    map.last = slots.next(fields.a16);
    map.dwords = slots.dwords();
    return map;
  }
  if (op.offset)
    map.offset = slots.whole();
  if (op.bias) {
    map.bias = slots.next(fields.a16);
    slots.finishPair();
  }
  if (op.compare)
    map.compare = slots.whole();
  if (op.derivatives)
    for (unsigned direction = 0, i = 0; direction < 2; ++direction) {
      for (unsigned c = 0; c < derivativeCount(dim); ++c)
        map.derivatives[i++] = slots.next(op.g16);
      slots.finishPair();
    }
  for (unsigned c = 0; c < coordCount(dim); ++c)
    map.coords[c] = slots.next(fields.a16);
  if (op.lod || op.clamp)
    map.last = slots.next(fields.a16);
  map.dwords = slots.dwords();
  return map;
}

uint32_t AddressReader::bits(AddressSlot slot, unsigned lane) const {
  if (slot.part == AddressSlot::Part::None)
    return 0;
  uint32_t value = wave.v[fields.addr[slot.dword]].lane[lane];
  return slot.part == AddressSlot::Part::Whole  ? value
         : slot.part == AddressSlot::Part::High ? value >> 16
                                                : value & 0xFFFF;
}

float AddressReader::number(AddressSlot slot, unsigned lane) const {
  uint32_t value = bits(slot, lane);
  if (slot.part == AddressSlot::Part::Low || slot.part == AddressSlot::Part::High)
    return formats::halfToFloat(uint16_t(value));
  return std::bit_cast<float>(value);
}

bool decodeImage(const RawInstr &raw, Instr &instr, std::string &why) {
  const ImageLayout &layout = layoutOf(raw);
  const ImageOp &op = imageOp(instr);
  if (raw.dwords.size() < layout.dwords) {
    why = "truncated encoding";
    return false;
  }
  MemFields &mem = instr.mem;
  mem.dmask = uint8_t(layout.dmask.of(raw));
  mem.dim = uint8_t(layout.dim.of(raw));
  mem.unorm = layout.unorm.of(raw);
  mem.r128 = layout.r128.of(raw);
  mem.a16 = layout.a16.of(raw);
  mem.g16 = op.g16;
  mem.d16 = layout.d16.of(raw);
  mem.tfe = layout.tfe.of(raw);
  mem.lwe = layout.lwe.of(raw);
  mem.returnsValue = op.kind == ImageKind::Atomic && layout.returns.of(raw);

  AddressMap map = makeAddressMap(op, mem);
  auto named = namedAddresses(raw);
  mem.addrCount = uint8_t(map.dwords);
  // Only gfx11 and later continue after the last one that is named.
  if (isGfx10(raw.generation) && named.size() > 1 && map.dwords > named.size()) {
    why = "image address with too few registers";
    return false;
  }
  for (unsigned i = 0; i < map.dwords; ++i) {
    unsigned reg = i < named.size() ? named[i] : named.back() + i - unsigned(named.size()) + 1;
    if (reg > 255 || i >= std::size(mem.addr)) {
      why = "image address beyond the last register";
      return false;
    }
    mem.addr[i] = uint8_t(reg);
  }
  unsigned vdata = layout.vdata.of(raw);
  if (op.kind == ImageKind::Atomic) {
    if (!checkAtomic(op, mem, why))
      return false;
    unsigned operands = (op.atomic32 ? op.atomic32 : op.atomic64)->operands;
    instr.src[2] = vgprSource(vdata + unsigned(std::popcount(mem.dmask)) / operands);
  }
  if (vdata + dataDwords(op, mem) + 1 > 256 + 4) {
    why = "image data beyond the last register";
    return false;
  }
  instr.src[1] = vgprSource(vdata);
  if (op.kind != ImageKind::Store && (op.kind != ImageKind::Atomic || mem.returnsValue))
    instr.dst[0] = {.kind = Dst::Kind::Vgpr, .reg = uint16_t(vdata)};
  instr.src[3].kind = instr.src[4].kind = Src::Kind::Sgpr;
  bool samples =
      op.kind == ImageKind::Sample || op.kind == ImageKind::Gather || op.kind == ImageKind::GetLod;
  if (!decodeScalarTuple(raw, layout.srsrc.of(raw) << layout.tupleShift, mem.r128 ? 4 : 8,
                         instr.src[3].reg) ||
      (samples &&
       !decodeScalarTuple(raw, layout.ssamp.of(raw) << layout.tupleShift, 4, instr.src[4].reg))) {
    why = "image descriptor that is not in registers";
    return false;
  }
  return true;
}

} // namespace pal::device
