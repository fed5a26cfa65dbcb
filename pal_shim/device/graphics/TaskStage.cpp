//===- TaskStage.cpp - workgroups of task shaders --------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/TaskStage.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "llvm/Support/Endian.h"
#include <immintrin.h>

using namespace llvm;

namespace pal::device {

/// Index of the first workgroup. Not at the start of the ring, so that also small draws go from one
/// pass to the next.
static constexpr uint32_t firstIndex = taskRingEntries + taskRingEntries / 2;
static constexpr unsigned readyByte = 12;

uint32_t TaskStage::ringIndex(uint32_t number) { return firstIndex + number; }

static LaunchState makeState(const GeometrySetup &setup, const GraphicsStage &stage,
                             std::vector<uint32_t> userSgprs) {
  return makeLaunchState(stage.data, std::move(userSgprs), setup.tables, setup.draw.borderColors);
}

TaskStage::TaskStage(const GeometrySetup &setup, std::vector<uint32_t> userSgprs)
    : setup(setup), stage(*setup.program.graphics->stage(abi::HardwareStage::Cs)),
      memory(setup.memory, setup.tables), state(makeState(setup, stage, std::move(userSgprs))),
      runner(setup.context.takeRunner()) {
  runner->prepare(stage.data, state, setup.context, memory);
}

TaskStage::~TaskStage() {
  runner->account(setup.program.context->counters);
  setup.context.giveBack(std::move(runner));
}

Expected<std::unique_ptr<TaskStage>> TaskStage::create(const GeometrySetup &setup) {
  UserDataValues values = setup.userData;
  values.ringIndex = firstIndex;
  const GraphicsStage &stage = *setup.program.graphics->stage(abi::HardwareStage::Cs);
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(stage.data, values));
  return std::unique_ptr<TaskStage>(new TaskStage(setup, std::move(sgprs)));
}

uint8_t *TaskStage::entry(GpuAddress ring, uint32_t number, uint32_t bytes) const {
  return setup.tables->host + (ring - setup.tables->address) +
         size_t(ringIndex(number) % taskRingEntries) * bytes;
}

Expected<std::array<uint32_t, 3>> TaskStage::run(const std::array<uint32_t, 3> &id,
                                                 uint32_t number) {
  uint8_t *payload = entry(taskPayloadRingAddress(setup.userData), number, taskPayloadBytes);
  uint8_t *drawData = entry(taskDrawRingAddress(setup.userData), number, taskDrawBytes);
  const uint8_t ready = ringIndex(number) / taskRingEntries & 1;
  uint32_t undefined = setup.context.options.poison ? poisonPattern : 0;
  for (uint32_t offset = 0; offset < taskPayloadBytes; offset += 4)
    support::endian::write32le(payload + offset, undefined);
  for (unsigned i = 0; i < 3; ++i)
    support::endian::write32le(drawData + 4 * i, poisonPattern);
  drawData[readyByte] = ready ^ 1;

  unsigned hostMode = _mm_getcsr();
  bool done = runner->run(id);
  _mm_setcsr(hostMode);
  if (!done)
    return make_error<DeviceFault>(*runner->fault);
  auto fault = [&](const Twine &what) {
    return make_error<DeviceFault>(
        DeviceFault::Kind::BadInstruction,
        ("kernel '" + stage.data.name + "', task workgroup " + Twine(number) + ": " + what).str());
  };
  if ((drawData[readyByte] & 1) != ready)
    return fault("its draw data never become ready");
  std::array<uint32_t, 3> counts;
  for (unsigned i = 0; i < 3; ++i)
    counts[i] = support::endian::read32le(drawData + 4 * i);
  // HW: the command processor looks at x alone to see that there is nothing to do.
  if (counts[0] && !(counts[1] && counts[2]))
    return fault("launches " + Twine(counts[0]) + " x " + Twine(counts[1]) + " x " +
                 Twine(counts[2]) + " workgroups");
  return counts;
}

} // namespace pal::device
