//===- SoftwareDevice.cpp - a software AMD GPU -----------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/device/strict/StrictCheck.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace pal::device {

char DeviceFault::ID;
void DeviceFault::log(raw_ostream &os) const { os << message; }
std::error_code DeviceFault::convertToErrorCode() const {
  return std::make_error_code(std::errc::io_error);
}

Allocation::~Allocation() = default;
SoftwareDevice::~SoftwareDevice() = default;

namespace {

class DeviceAllocation : public Allocation {
public:
  DeviceAllocation(std::shared_ptr<LoadContext> context, const Region &region)
      : context(std::move(context)) {
    gpuAddress = region.address;
    bytes = region.size;
    hostPointer = region.host;
  }
  ~DeviceAllocation() override { context->memory.free(gpuAddress); }

private:
  std::shared_ptr<LoadContext> context; ///< an allocation may outlive the device
};

class Device : public SoftwareDevice {
public:
  Device(const DeviceOptions &options, const abi::GpuTarget &target)
      : deviceOptions(options), context(std::make_shared<LoadContext>(target)),
        dispatches(deviceOptions) {
    if (options.strict)
      context->makeWatch = strict::makeStrictWatch;
    context->isProfiled = options.profile;
  }

  const DeviceOptions &options() const override { return deviceOptions; }
  Expected<std::unique_ptr<Allocation>> allocate(const AllocationInfo &info) override;
  Expected<std::shared_ptr<const Program>> loadProgram(ArrayRef<uint8_t> elf,
                                                       StringRef name) override;
  Error dispatch(const DispatchInfo &info) override;
  Error dispatchIndirect(const DispatchInfo &info, GpuAddress arguments) override;
  Error draw(const DrawInfo &info) override;
  uint8_t *translate(GpuAddress address, uint64_t size) override;
  std::map<OpcodeKey, uint64_t> opcodeCounts() const override {
    return context->counters.snapshot();
  }
  uint64_t instructionsExecuted() const override { return dispatches.instructions; }
  void attach(Debugger *debugger) { dispatches.debugger = debugger; }

private:
  DeviceOptions deviceOptions;
  std::shared_ptr<LoadContext> context;
  DispatchContext dispatches;
};

Error badLaunch(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

} // namespace

void attachDebugger(SoftwareDevice &device, Debugger *debugger) {
  static_cast<Device &>(device).attach(debugger); // there is no other kind
}

Expected<std::unique_ptr<SoftwareDevice>> SoftwareDevice::create(const DeviceOptions &options) {
  const abi::GpuTarget *target = abi::findTarget(options.target);
  if (!target)
    return abi::notSupported("unknown target '" + options.target + "'");
  // The handlers are compiled for x86-64-v3.
  for (bool has : {__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("fma") != 0,
                   __builtin_cpu_supports("bmi2") != 0})
    if (!has)
      return abi::notSupported("the software device needs a CPU with AVX2, FMA and BMI2");
  return std::unique_ptr<SoftwareDevice>(new Device(options, *target));
}

Expected<std::unique_ptr<Allocation>> Device::allocate(const AllocationInfo &info) {
  std::shared_ptr<const Region> region = KILN_TRY(context->memory.allocate(info));
  return std::unique_ptr<Allocation>(new DeviceAllocation(context, *region));
}

Expected<std::shared_ptr<const Program>> Device::loadProgram(ArrayRef<uint8_t> elf,
                                                             StringRef name) {
  return loadElf(context, elf, name);
}

Error Device::dispatch(const DispatchInfo &info) {
  if (!info.program)
    return badLaunch("no program");
  if (info.userData.size() > abi::userdata::maxEntries)
    return badLaunch(Twine(info.userData.size()) + " user-data entries, the limit is " +
                     Twine(abi::userdata::maxEntries));
  // Programs of a device are all LoadedProgram; those of another device have other addresses.
  const auto &program = static_cast<const LoadedProgram &>(*info.program);
  if (program.context != context)
    return badLaunch("program '" + program.name() + "' belongs to another device");
  if (program.graphics)
    return badLaunch("program '" + program.name() + "' is a graphics program");
  return runDispatch(dispatches, program, info, context->memory.snapshot());
}

Error Device::dispatchIndirect(const DispatchInfo &info, GpuAddress arguments) {
  // The view keeps the arguments alive while they are read.
  MemoryView view(context->memory.snapshot());
  const uint8_t *counts = arguments % 4 ? nullptr : view.find(arguments, 12);
  if (!counts)
    return make_error<DeviceFault>(DeviceFault::Kind::MemoryAccess,
                                   "indirect dispatch arguments: 12 bytes at " +
                                       view.describe(arguments));
  DispatchInfo direct = info;
  for (unsigned i = 0; i < 3; ++i)
    direct.groups[i] = support::endian::read32le(counts + 4 * i);
  return dispatch(direct);
}

Error Device::draw(const DrawInfo &info) {
  if (!info.program)
    return badLaunch("no program");
  const auto &program = static_cast<const LoadedProgram &>(*info.program);
  if (program.context != context)
    return badLaunch("program '" + program.name() + "' belongs to another device");
  if (!program.graphics)
    return badLaunch("program '" + program.name() + "' is a compute program");
  return runDraw(dispatches, program, info, context->memory.snapshot());
}

uint8_t *Device::translate(GpuAddress address, uint64_t size) {
  return MemoryView(context->memory.snapshot()).find(address, size);
}

} // namespace pal::device
