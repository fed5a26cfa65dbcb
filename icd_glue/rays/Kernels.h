//===- Kernels.h - what works on acceleration structures ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Acceleration structures are built, updated and copied by compute shaders of the driver's own
/// (kernels/, in GLSL), which are compiled as any pipeline is, when the first command needs them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

namespace pal::device {
class Program;
}

namespace icd {

class Device;
class PipelineData;

enum class Kernel : uint8_t {
#define KILN_KERNEL(name) name,
#include "icd_glue/rays/Kernels.def"
#undef KILN_KERNEL
  count
};

/// The two UUIDs at the start of serialized structures: of the driver, and of the layout.
using Identity = std::array<uint32_t, 8>;

/// The push constants of all kernels.
struct KernelArguments {
#define KILN_ARGUMENT(type, name) type name = {};
#include "icd_glue/rays/Arguments.def"
#undef KILN_ARGUMENT
};

/// Where kernels have what in scratch memory.
namespace scratch {
#define KILN_SCRATCH(name, value) inline constexpr uint32_t name = value;
#include "icd_glue/rays/Scratch.def"
#undef KILN_SCRATCH
} // namespace scratch

/// The kernels of one device. Thread safe.
class Kernels {
public:
  explicit Kernels(Device &device);
  ~Kernels();
  Kernels(const Kernels &) = delete;

  /// Null: it cannot be compiled or executed, which has been reported.
  std::shared_ptr<const pal::device::Program> program(Kernel kernel);

private:
  Device &device;
  std::mutex mutex;
  std::array<std::shared_ptr<const PipelineData>, size_t(Kernel::count)> pipelines;
};

} // namespace icd
