//===- TypedBuffer.cpp - buffer loads and stores that convert --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// buffer_*_format_* take format and dst_sel from the V#; tbuffer_* take the format from the
/// instruction and do not select ("Buffer data format" tables of the ISA manuals). A store puts
/// each component where a load would take it from. Loads out of bounds convert zeros, so that
/// dst_sel 1 still gives 1. Integers narrower than the register are sign- or zero-extended, D16
/// forms keep the low 16 bits or round to half precision.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/BufferOps.h"
#include "pal_shim/device/memory/BufferResource.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/HostFloat.h"
#include "pal_shim/device/memory/Texels.h"

namespace pal::device {

namespace {

unsigned gfxMajor(Generation generation) { return isGfx10(generation) ? 10 : 11; }

enum class Width : uint8_t { Dword, D16, D16Hi };

formats::Format formatOf(const Wave &wave, const BufferResource &resource) {
  return formats::formatFromNumber(resource.format, gfxMajor(wave.generation));
}

template <unsigned components, Width width, bool select>
void loadTyped(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  formats::Format format = formatOf(wave, *lanes.resource);
  bool isInteger = formats::formatInfo(format).isInteger();
  static constexpr uint8_t identity[4] = {4, 5, 6, 7};
  const uint8_t *selectors = select ? lanes.resource->select : identity;
  HostFloatGuard guard;
  forEachLane(lanes.mask, [&](unsigned lane) {
    formats::Texel texel = {}, result;
    if (format != formats::Format::Undefined)
      formats::unpack(format, lanes.at[lane], texel);
    for (unsigned i = 0; i < components; ++i)
      result[i] = selectComponent(texel, selectors[i], isInteger);
    Row *dst = wave.v + instr.dst[0].reg;
    if constexpr (width == Width::Dword) {
      for (unsigned i = 0; i < components; ++i)
        dst[i].lane[lane] = result[i];
    } else if constexpr (width == Width::D16Hi) {
      dst->lane[lane] = (dst->lane[lane] & 0xFFFF) | uint32_t(narrow(result[0], isInteger)) << 16;
    } else {
      writeD16(dst, lane, result, components, isInteger);
    }
  });
}

template <unsigned components, Width width, bool select>
void storeTyped(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  formats::Format format = formatOf(wave, *lanes.resource);
  if (format == formats::Format::Undefined)
    return;
  bool isSigned = formats::formatInfo(format).kind == formats::NumberKind::Sint;
  bool isInteger = formats::formatInfo(format).isInteger();
  const Row *src = wave.v + instr.src[1].reg;
  auto component = [&](unsigned lane, unsigned i) {
    if constexpr (width == Width::Dword)
      return src[i].lane[lane];
    unsigned shift = width == Width::D16Hi || i % 2 ? 16 : 0;
    return widen(uint16_t(src[i / 2].lane[lane] >> shift), isInteger, isSigned);
  };
  HostFloatGuard guard;
  forEachLane(lanes.mask, [&](unsigned lane) {
    formats::Texel value = {};
    // What is missing is 0, and on gfx12 the first component, as LLVM assumes.
    if (isGfx12(wave.generation))
      value.fill(component(lane, 0));
    for (unsigned i = 0; i < components; ++i)
      value[i] = component(lane, i);
    formats::pack(format, select ? unselect(value, lanes.resource->select) : value, lanes.at[lane]);
  });
}

template <unsigned components, Width width>
constexpr uint8_t registersOf = width == Width::Dword ? components : (components + 1) / 2;

template <unsigned components, Width width = Width::Dword, bool select = true>
constexpr MemOp typedLoad = {.apply = loadTyped<components, width, select>,
                             .kind = MemKind::Load,
                             .bytes = 0,
                             .resultDwords = registersOf<components, width>,
                             .typed = true,
                             .components = components};
template <unsigned components, Width width = Width::Dword, bool select = true>
constexpr MemOp typedStore = {.apply = storeTyped<components, width, select>,
                              .kind = MemKind::Store,
                              .bytes = 0,
                              .dataDwords = registersOf<components, width>,
                              .typed = true,
                              .components = components};

#define KILN_COMPONENTS(n, xyzw)                                                                   \
  {"buffer_load_format_" xyzw, runBuffer, decodeBuffer, &typedLoad<n>},                            \
      {"buffer_store_format_" xyzw, runBuffer, decodeBuffer, &typedStore<n>},                      \
      {"buffer_load_d16_format_" xyzw " buffer_load_format_d16_" xyzw, runBuffer, decodeBuffer,    \
       &typedLoad<n, Width::D16>},                                                                 \
      {"buffer_store_d16_format_" xyzw " buffer_store_format_d16_" xyzw, runBuffer, decodeBuffer,  \
       &typedStore<n, Width::D16>},                                                                \
      {"tbuffer_load_format_" xyzw, runBuffer, decodeBuffer, &typedLoad<n, Width::Dword, false>},  \
      {"tbuffer_store_format_" xyzw, runBuffer, decodeBuffer,                                      \
       &typedStore<n, Width::Dword, false>},                                                       \
      {"tbuffer_load_d16_format_" xyzw " tbuffer_load_format_d16_" xyzw, runBuffer, decodeBuffer,  \
       &typedLoad<n, Width::D16, false>},                                                          \
      {"tbuffer_store_d16_format_" xyzw " tbuffer_store_format_d16_" xyzw, runBuffer,              \
       decodeBuffer, &typedStore<n, Width::D16, false>},

const OpEntry table[] = {
    // clang-format off
    KILN_COMPONENTS(1, "x")
    KILN_COMPONENTS(2, "xy")
    KILN_COMPONENTS(3, "xyz")
    KILN_COMPONENTS(4, "xyzw")
    // clang-format on
    {"buffer_load_d16_hi_format_x buffer_load_format_d16_hi_x", runBuffer, decodeBuffer,
     &typedLoad<1, Width::D16Hi>},
    {"buffer_store_d16_hi_format_x buffer_store_format_d16_hi_x", runBuffer, decodeBuffer,
     &typedStore<1, Width::D16Hi>},
};

} // namespace

unsigned typedBytes(Wave &wave, const BufferResource &resource) {
  formats::Format format = formatOf(wave, resource);
  const formats::FormatInfo &info = formats::formatInfo(format);
  // Number 0 is "invalid", as in a null descriptor: reads 0, writes nothing.
  if (resource.format == 0)
    return 4;
  if (format != formats::Format::Undefined && !info.isBlock())
    return info.texelBytes;
  wave.fault(DeviceFault::Kind::BadDescriptor, "V# has format number " +
                                                   llvm::Twine(unsigned(resource.format)) +
                                                   ", which buffers cannot have");
  return 0;
}

llvm::ArrayRef<OpEntry> typedBufferOps() { return table; }

} // namespace pal::device
