//===- ImageTable.cpp - the list of image instructions ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Not here: image_bvh* (BvhOps.cpp); *_pck (raw texels), image_gather4h and image_msaa_load,
/// which LLVM only makes for explicit intrinsics and whose results no manual defines well enough;
/// coarse derivatives (*_cd), which LLVM never selects.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/image/ImageOps.h"
#include "pal_shim/device/memory/Atomics.h"

namespace pal::device {

namespace {

constexpr ImageOp loadTexel = {.kind = ImageKind::Load};
constexpr ImageOp loadTexelMip = {.kind = ImageKind::Load, .lod = true};
constexpr ImageOp storeTexel = {.kind = ImageKind::Store};
constexpr ImageOp storeTexelMip = {.kind = ImageKind::Store, .lod = true};
constexpr ImageOp getSize = {.kind = ImageKind::GetSize};
constexpr ImageOp getLod = {.kind = ImageKind::GetLod};

/// Which address components a form of sample or gather has.
struct Form {
  bool bias = false, derivatives = false, g16 = false, lod = false, zero = false, clamp = false;
};
constexpr Form plain = {}, withClamp = {.clamp = true}, withBias = {.bias = true},
               withBiasClamp = {.bias = true, .clamp = true}, withLod = {.lod = true},
               levelZero = {.zero = true}, withDerivatives = {.derivatives = true},
               withDerivativesClamp = {.derivatives = true, .clamp = true},
               withHalves = {.derivatives = true, .g16 = true},
               withHalvesClamp = {.derivatives = true, .g16 = true, .clamp = true};

template <ImageKind kind, const Form &form, bool compare, bool offset>
constexpr ImageOp samplingOp = {.kind = kind,
                                .offset = offset,
                                .bias = form.bias,
                                .compare = compare,
                                .derivatives = form.derivatives,
                                .g16 = form.g16,
                                .lod = form.lod,
                                .zero = form.zero,
                                .clamp = form.clamp};

template <const MemOp *op32, const MemOp *op64>
constexpr ImageOp atomicOpcode = {.kind = ImageKind::Atomic, .atomic32 = op32, .atomic64 = op64};

/// With and without comparison and offset; G16 forms have "_g16" at the end.
#define KILN_SAMPLE(name, kind, suffix, form, end)                                                 \
  {name suffix end, runImageSample, decodeImage, &samplingOp<kind, form, false, false>},           \
      {name suffix "_o" end, runImageSample, decodeImage, &samplingOp<kind, form, false, true>},   \
      {name "_c" suffix end, runImageSample, decodeImage, &samplingOp<kind, form, true, false>},   \
      {name "_c" suffix "_o" end, runImageSample, decodeImage,                                     \
       &samplingOp<kind, form, true, true>},
#define KILN_ALL_FORMS(name, kind)                                                                 \
  KILN_SAMPLE(name, kind, "", plain, "")                                                           \
  KILN_SAMPLE(name, kind, "_cl", withClamp, "")                                                    \
  KILN_SAMPLE(name, kind, "_b", withBias, "")                                                      \
  KILN_SAMPLE(name, kind, "_b_cl", withBiasClamp, "")                                              \
  KILN_SAMPLE(name, kind, "_l", withLod, "")                                                       \
  KILN_SAMPLE(name, kind, "_lz", levelZero, "")
#define KILN_ATOMIC_BOTH(names, op)                                                                \
  {names, runImageAtomic, decodeImage, &atomicOpcode<&atomic32<atomic::op>, &atomic64<atomic::op>>},
#define KILN_ATOMIC_ONE(names, op32, op64)                                                         \
  {names, runImageAtomic, decodeImage, &atomicOpcode<op32, op64>},

constexpr const MemOp *cmpswap32 = &atomicOp<uint32_t, atomic::cmpswap<uint32_t>, 2>;
constexpr const MemOp *cmpswap64 = &atomicOp<uint64_t, atomic::cmpswap<uint64_t>, 2>;
constexpr const MemOp *fcmpswap32 =
    &atomicOp<uint32_t, atomic::fcmpswap<uint32_t>, 2, FloatKind::F32>;
constexpr const MemOp *fcmpswap64 =
    &atomicOp<uint64_t, atomic::fcmpswap<uint64_t>, 2, FloatKind::F64F16>;
constexpr const MemOp *pkAddF16 = &atomicOp<uint32_t, atomic::pkAddF16, 1, FloatKind::F64F16>;

const OpEntry table[] = {
    {"image_load", runImageLoad, decodeImage, &loadTexel},
    {"image_load_mip", runImageLoad, decodeImage, &loadTexelMip},
    {"image_store", runImageStore, decodeImage, &storeTexel},
    {"image_store_mip", runImageStore, decodeImage, &storeTexelMip},
    {"image_get_resinfo", runImageGetSize, decodeImage, &getSize},
    {"image_get_lod", runImageGetLod, decodeImage, &getLod},
    // clang-format off
    KILN_ALL_FORMS("image_sample", ImageKind::Sample)
    KILN_SAMPLE("image_sample", ImageKind::Sample, "_d", withDerivatives, "")
    KILN_SAMPLE("image_sample", ImageKind::Sample, "_d_cl", withDerivativesClamp, "")
    KILN_SAMPLE("image_sample", ImageKind::Sample, "_d", withHalves, "_g16")
    KILN_SAMPLE("image_sample", ImageKind::Sample, "_d_cl", withHalvesClamp, "_g16")
    KILN_ALL_FORMS("image_gather4", ImageKind::Gather)
    KILN_ATOMIC_BOTH("image_atomic_swap", swap)
    KILN_ATOMIC_ONE("image_atomic_cmpswap", cmpswap32, cmpswap64)
    KILN_ATOMIC_BOTH("image_atomic_add image_atomic_add_uint", add)
    KILN_ATOMIC_BOTH("image_atomic_sub image_atomic_sub_uint", sub)
    KILN_ATOMIC_BOTH("image_atomic_smin image_atomic_min_int", smin)
    KILN_ATOMIC_BOTH("image_atomic_umin image_atomic_min_uint", umin)
    KILN_ATOMIC_BOTH("image_atomic_smax image_atomic_max_int", smax)
    KILN_ATOMIC_BOTH("image_atomic_umax image_atomic_max_uint", umax)
    KILN_ATOMIC_BOTH("image_atomic_and", bitAnd)
    KILN_ATOMIC_BOTH("image_atomic_or", bitOr)
    KILN_ATOMIC_BOTH("image_atomic_xor", bitXor)
    KILN_ATOMIC_BOTH("image_atomic_inc image_atomic_inc_uint", inc)
    KILN_ATOMIC_BOTH("image_atomic_dec image_atomic_dec_uint", dec)
    KILN_ATOMIC_ONE("image_atomic_fcmpswap", fcmpswap32, fcmpswap64)
    KILN_ATOMIC_ONE("image_atomic_fmin image_atomic_min_flt", &atomicF32<atomic::fmin>,
                    &atomicF64<atomic::fmin>)
    KILN_ATOMIC_ONE("image_atomic_fmax image_atomic_max_flt", &atomicF32<atomic::fmax>,
                    &atomicF64<atomic::fmax>)
    KILN_ATOMIC_ONE("image_atomic_add_flt", &atomicF32<atomic::fadd>, nullptr)
    KILN_ATOMIC_ONE("image_atomic_pk_add_f16", pkAddF16, nullptr)
    KILN_ATOMIC_ONE("image_atomic_pk_add_bf16", &atomic32<atomic::pkAddBf16>, nullptr)
    // clang-format on
};

} // namespace

llvm::ArrayRef<OpEntry> imageOps() { return table; }

} // namespace pal::device
