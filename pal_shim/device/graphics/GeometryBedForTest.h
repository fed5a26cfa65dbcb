//===- GeometryBedForTest.h - programs between indices and the rasteriser --===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/graphics/DrawRunner.h"
#include "pal_shim/device/graphics/GeometryStage.h"
#include "gtest/gtest.h"

namespace pal::device::test {

/// Runs the geometry part of a draw of one API entry, 0xABCD.
struct GeometryBed {
  explicit GeometryBed(const TestGraphics &graphics, bool poison = false)
      : options{.poison = poison}, dispatches(options),
        context(std::make_shared<LoadContext>(*pal::abi::findTarget(graphics.target))) {
    auto loaded = loadElf(context, graphics.elf(), "test");
    EXPECT_TRUE(bool(loaded));
    if (!loaded) {
      llvm::errs() << llvm::toString(loaded.takeError()) << '\n';
      std::abort();
    }
    program = *loaded;
    draw.program = program.get();
    draw.userData = entries;
    draw.raster.samplePositions = {};
  }
  /// The fault's message, or nothing; `output` has all primitives.
  std::string run() {
    MemoryView view(context->memory.snapshot());
    auto input =
        InputAssembler::create(draw.input, draw.range, draw.raster.provokingVertexLast, view);
    if (!input)
      return llvm::toString(input.takeError());
    UserDataValues values = drawUserData(*program, draw, 0);
    auto tables = makeTables(context->target, values);
    StreamOutUnit streamOut(*program, draw, *tables);
    auto stage = GeometryStage::create({dispatches, *program, draw, context->memory.snapshot(),
                                        tables, *input, values, &streamOut});
    if (!stage)
      return llvm::toString(stage.takeError());
    uint64_t total = input->primitives() * draw.range.instanceCount;
    // In two parts, as batches of a draw are.
    uint64_t half = total / 2;
    for (auto [first, last] : {std::pair(uint64_t(0), half), std::pair(half, total)})
      if (llvm::Error error = (*stage)->run(first, last, output))
        return llvm::toString(std::move(error));
    streamOut.finish(counts);
    invocations = (*stage)->vertexInvocations;
    geometryInvocations = (*stage)->geometryInvocations;
    evaluationInvocations = (*stage)->evaluationInvocations;
    return "";
  }

  DeviceOptions options;
  DispatchContext dispatches;
  std::shared_ptr<LoadContext> context;
  std::shared_ptr<const LoadedProgram> program;
  std::vector<uint32_t> entries = {0xABCD};
  DrawInfo draw;
  GeometryOutput output;
  DrawStatistics counts; ///< of transform feedback
  uint64_t invocations = 0, geometryInvocations = 0, evaluationInvocations = 0;
};

} // namespace pal::device::test
