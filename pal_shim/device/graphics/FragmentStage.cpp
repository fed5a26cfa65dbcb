//===- FragmentStage.cpp - quads to fragment shader waves to pixels --------===//
// SPDX-License-Identifier: MIT
/// \file
/// A quad goes through early tests when it arrives and is kept. A flush packs what was kept into
/// waves, runs these on the threads of the device, and merges their pixels in the order in which
/// the quads arrived, whichever thread was first. With primitive-ordered shading, no wave has the
/// same pixel twice, and several waves of one area run in turns of an instruction on one thread,
/// the newest first: only their critical sections bring them into order (FragmentOrder.h).
///
/// Early or late (DB_SHADER_CONTROL): "early, then late" is early unless the shader can change the
/// outcome; re-z, which tests twice for speed, gives what late tests give.
#include "pal_shim/device/graphics/FragmentStage.h"
#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/device/graphics/FragmentPacking.h"
#include "pal_shim/device/graphics/FragmentPort.h"
#include "pal_shim/device/graphics/ShadingRates.h"
#include "pal_shim/device/graphics/TileQuads.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace pal::device {

namespace {

/// Quads that are kept before they are shaded; bounds memory, not results.
constexpr size_t maxPendingQuads = 16384;

/// The hardware waits for it.
constexpr char noExportMessage[] =
    "a fragment shader with DB_SHADER_CONTROL.KILL_ENABLE ended without an export";

bool isSecondSource(BlendFactor factor) { return factor >= BlendFactor::Src1Color; }

bool hasSecondSource(const BlendState &blend) {
  const ColorTargetState &target = blend.targets[0];
  return target.blendEnable &&
         (isSecondSource(target.srcColor) || isSecondSource(target.dstColor) ||
          isSecondSource(target.srcAlpha) || isSecondSource(target.dstAlpha));
}

} // namespace

struct FragmentStage::Impl {
  Impl(DispatchContext &context, const LoadedProgram &program, const DrawInfo &draw,
       const OutputMerger &merger, std::shared_ptr<const RegionTable> memory);

  void check();
  bool testsEarly() const;
  bool hasOnlyPixels() const;
  void add(const RasterPrimitive &primitive, const RasterQuad &quad);
  void addTile();
  void addFragments(const RasterPrimitive &primitive, FragmentQuad quad);
  void keepInvocations(const FragmentQuad &quad);
  uint32_t test(const RasterPrimitive &primitive, const PixelPlace &place, uint32_t mask,
                const FragmentPixel *pixel);
  void flush();
  void shade();
  std::optional<DeviceFault> runWaves(GroupRunner &runner, FragmentPort &port, size_t first,
                                      size_t count);
  bool runAndReport(GroupRunner &runner, FragmentPort &port, size_t first, size_t count);
  void work();
  void mergeWave(size_t wave);
  void mergePixel(const FragmentQuad &quad, unsigned lane, const FragmentPixel &pixel);
  void report(DeviceFault::Kind kind, const Twine &message);

  DispatchContext &context;
  const LoadedProgram &program;
  const DrawInfo &draw;
  const OutputMerger &merger;
  std::shared_ptr<const RegionTable> memory;
  std::shared_ptr<const Region> tables;
  const GraphicsStage *stage; ///< null: no fragment shader
  const FragmentRegisters &registers;
  FragmentSetup setup;
  bool isEarly = true, isDualSource = false, usesAlphaCoverage = false;
  unsigned invocationsPerPixel = 1;
  ShadingRates rates;
  TileQuads tile; ///< waits for the rest of its primitive

  std::vector<RasterPrimitive> primitives; ///< that pending quads refer to
  std::vector<FragmentQuad> quads;         ///< pending
  FragmentPacking packing;                 ///< of them
  std::vector<WaveResult> results;
  uint64_t invocations = 0, samplesPassed = 0;

  std::atomic<size_t> next = 0; ///< wave; with ordered shading run of waves
  std::mutex mutex;
  std::optional<DeviceFault> fault;
  size_t faultWave = ~size_t(0);
};

FragmentStage::Impl::Impl(DispatchContext &context, const LoadedProgram &program,
                          const DrawInfo &draw, const OutputMerger &merger,
                          std::shared_ptr<const RegionTable> memory)
    : context(context), program(program), draw(draw), merger(merger), memory(std::move(memory)),
      stage(program.graphics->stage(abi::HardwareStage::Ps)),
      registers(program.graphics->fragment) {
  setup.registers = &registers;
  setup.draw = &draw;
  if (stage) {
    setup.generation = stage->data.generation;
    setup.hasScratchOffset = stage->data.launch.scratchOffsetEnabled;
    isDualSource = hasSecondSource(draw.blend);
    usesAlphaCoverage = draw.raster.alphaToCoverage && !registers.alphaToMaskDisable;
    if (registers.perSample)
      invocationsPerPixel =
          draw.raster.shaderSamples ? draw.raster.shaderSamples : draw.raster.samples;
    isEarly = testsEarly();
    check();
    if (!fault && !hasOnlyPixels()) {
      MemoryView view(this->memory);
      handleAllErrors(rates.use(draw, program, view),
                      [this](const DeviceFault &problem) { fault = problem; });
    }
  }
}

/// Vulkan "Fragment Shading Rates": what makes every fragment one pixel. Properties of the driver
/// say so of sample masks and, on gfx10.3, of interlock and exported depth and stencil.
bool FragmentStage::Impl::hasOnlyPixels() const {
  constexpr uint32_t sampleCoverageBit = 1u << 14;
  bool readsMask = registers.inputEna & sampleCoverageBit &&
                   registers.coverageInput != CoverageInput::InnerCovered;
  bool isFirst = setup.generation == Generation::Gfx103;
  bool isUnsafe = registers.zExport || registers.stencilExport || registers.primitiveOrdered;
  return draw.raster.shadingRate.onePixel || registers.perSample || readsMask ||
         registers.maskExport || (isFirst && isUnsafe);
}

void FragmentStage::Impl::check() {
  if (std::string problem = checkFragmentInputs(registers); !problem.empty())
    return report(DeviceFault::Kind::BadLaunch, problem);
  if (draw.raster.samples == 0 || draw.raster.samples > maxSamples ||
      invocationsPerPixel > draw.raster.samples)
    return report(DeviceFault::Kind::BadLaunch, Twine(invocationsPerPixel) + " invocations for " +
                                                    Twine(draw.raster.samples) + " samples");
}

bool FragmentStage::Impl::testsEarly() const {
  if (registers.depthBeforeShader)
    return true;
  bool mayBeEarly = !draw.targets.depthIsRead && (registers.zOrder == 1 || registers.zOrder == 3);
  return mayBeEarly && !registers.killEnable && !registers.zExport && !registers.stencilExport &&
         !registers.maskExport && !usesAlphaCoverage;
}

void FragmentStage::Impl::report(DeviceFault::Kind kind, const Twine &message) {
  if (!fault)
    fault.emplace(kind, message.str());
}

//===--- Quads in ----------------------------------------------------------===//

/// Depth and stencil test of the samples in \p mask of a pixel; counts those that pass. \p pixel:
/// what the shader exported, null before it runs.
uint32_t FragmentStage::Impl::test(const RasterPrimitive &primitive, const PixelPlace &place,
                                   uint32_t mask, const FragmentPixel *pixel) {
  if (mask && merger.hasDepthStencil()) {
    std::array<float, maxSamples> depths = {};
    const RasterState &raster = draw.raster;
    for (unsigned sample = 0; sample < raster.samples; ++sample) {
      const std::array<float, 2> &at = raster.samplePositions[sample];
      double z = pixel && pixel->hasDepth
                     ? double(pixel->depth)
                     : primitive.depth.at(place.x + double(at[0]), place.y + double(at[1]));
      if (raster.depthClampEnable)
        z = std::min(std::max(z, double(std::min(primitive.minDepth, primitive.maxDepth))),
                     double(std::max(primitive.minDepth, primitive.maxDepth)));
      if (raster.depthZeroToOne)
        z = std::min(std::max(z, 0.0), 1.0);
      depths[sample] = float(z);
    }
    mask = merger.testDepthStencil(place, primitive.frontFacing, mask, depths.data(),
                                   pixel ? pixel->stencil : -1);
  }
  samplesPassed += uint64_t(llvm::popcount(mask));
  return mask;
}

static PixelPlace placeOf(const RasterPrimitive &primitive, const FragmentQuad &quad, unsigned lane,
                          unsigned pixel) {
  return {uint32_t(quad.pixelX(lane, pixel)), uint32_t(quad.pixelY(lane, pixel)), primitive.layer};
}

static uint32_t samplesOf(SampleBits bits, unsigned pixel) {
  return bits >> (pixel * bitsPerPixel) & 0xFFFF;
}

static bool isInside(const Rect &rect, int32_t x, int32_t y) {
  const int64_t column = int64_t(x) - rect.x, row = int64_t(y) - rect.y;
  return column >= 0 && column < int64_t(rect.width) && row >= 0 && row < int64_t(rect.height);
}

/// \p quad without the pixels that discard rectangles take away.
static RasterQuad visiblePart(const DiscardRectangles &discard, RasterQuad quad) {
  for (unsigned pixel = 0; pixel < 4; ++pixel) {
    const int32_t x = quad.x + int32_t(pixel & 1), y = quad.y + int32_t(pixel >> 1);
    const bool isInAny = llvm::any_of(ArrayRef(discard.rects).take_front(discard.count),
                                      [&](const Rect &rect) { return isInside(rect, x, y); });
    if (isInAny != discard.exclusive)
      continue;
    quad.coverage[pixel] = 0;
    quad.fullyCovered &= uint8_t(~(1u << pixel));
  }
  return quad;
}

void FragmentStage::Impl::add(const RasterPrimitive &primitive, const RasterQuad &covered) {
  if (fault)
    return;
  RasterQuad raster = covered;
  if (draw.raster.discardRectangles.enable && draw.raster.discardRectangles.count) {
    raster = visiblePart(draw.raster.discardRectangles, covered);
    if (raster.coverage == std::array<uint16_t, 4>())
      return;
  }
  if (rates.areOnePixel())
    return addFragments(primitive, fragmentQuadOf(raster));
  if (!tile.takes(primitive, raster))
    addTile();
  tile.add(primitive, raster);
}

void FragmentStage::Impl::addTile() {
  if (tile.isEmpty())
    return;
  std::optional<FragmentSize> size = rates.at(tile.primitive(), tile.x(), tile.y());
  if (!size)
    return report(DeviceFault::Kind::BadInstruction,
                  "shading rate " +
                      Twine(tile.primitive().vertexRate | tile.primitive().primitiveRate) +
                      " of a primitive, which has no meaning");
  tile.take(*size, [this](const RasterPrimitive &primitive, const FragmentQuad &quad) {
    addFragments(primitive, quad);
  });
}

void FragmentStage::Impl::addFragments(const RasterPrimitive &primitive, FragmentQuad quad) {
  if (isEarly) {
    SampleBits any = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      SampleBits passed = 0;
      for (unsigned pixel = 0; pixel < quad.pixels(); ++pixel)
        passed |= SampleBits(test(primitive, placeOf(primitive, quad, lane, pixel),
                                  samplesOf(quad.covered[lane], pixel), nullptr))
                  << (pixel * bitsPerPixel);
      any |= quad.samples[lane] = passed;
    }
    if (registers.preShaderDepthCoverage || registers.coverageInput == CoverageInput::DepthCovered)
      quad.visible = quad.samples;
    if (!any)
      return;
  }
  if (!stage)
    return; // tests and counting are all there is
  if (primitives.empty() || !(primitives.back() == primitive))
    primitives.push_back(primitive);
  quad.primitive = uint32_t(primitives.size() - 1);
  keepInvocations(quad);
  if (quads.size() >= maxPendingQuads)
    shade();
}

/// One quad of invocations for each that the pixels need.
void FragmentStage::Impl::keepInvocations(const FragmentQuad &quad) {
  for (unsigned number = 0; number < invocationsPerPixel; ++number) {
    SampleBits own = 0;
    for (unsigned sample = number; sample < draw.raster.samples; sample += invocationsPerPixel)
      own |= inAllPixels << sample;
    FragmentQuad invocation = quad;
    invocation.sample = uint8_t(number);
    SampleBits any = 0;
    for (SampleBits &samples : invocation.samples) {
      any |= samples &= own;
      invocations += samples != 0;
    }
    if (any)
      quads.push_back(invocation);
  }
}

//===--- Waves -------------------------------------------------------------===//

/// Runs \p count waves from \p first on at the same time.
std::optional<DeviceFault> FragmentStage::Impl::runWaves(GroupRunner &runner, FragmentPort &port,
                                                         size_t first, size_t count) {
  std::vector<ArrayRef<FragmentQuad>> own;
  std::vector<uint32_t> overlapped;
  for (size_t wave = first; wave < first + count; ++wave)
    own.push_back(packing.quadsOf(quads, wave));
  if (registers.primitiveOrdered)
    overlapped = overlapsOf(own);
  port.begin(std::move(own), overlapped);
  StageLaunch launch;
  launch.waves = unsigned(count);
  launch.port = &port;
  launch.number = uint32_t(first);
  auto fill = [&](Wave &wave, unsigned) { port.fill(wave); };
  launch.fill = fill;
  auto describe = [&](unsigned wave, unsigned lane) { return port.describe(wave, lane); };
  launch.describe = describe;
  if (registers.primitiveOrdered) {
    // The newest first, by single instructions: what does not wait comes too early.
    launch.newestFirst = true;
    launch.turn = 1 + context.options.seed % 16;
  }
  if (!runner.runStage(launch))
    return runner.fault;
  for (size_t i = 0; i < count; ++i) {
    if (registers.killEnable && !port.isDone(i))
      return DeviceFault(DeviceFault::Kind::BadLaunch, noExportMessage);
    results[first + i] = port.result(i);
  }
  return std::nullopt;
}

/// False: a fault, of these or of earlier waves.
bool FragmentStage::Impl::runAndReport(GroupRunner &runner, FragmentPort &port, size_t first,
                                       size_t count) {
  {
    std::lock_guard lock(mutex);
    if (first > faultWave)
      return false;
  }
  std::optional<DeviceFault> problem = runWaves(runner, port, first, count);
  if (!problem)
    return true;
  std::lock_guard lock(mutex);
  if (first < faultWave) {
    faultWave = first;
    fault = std::move(problem);
  }
  return false;
}

void FragmentStage::Impl::work() {
  MemoryView view(memory, tables);
  std::unique_ptr<GroupRunner> runner = context.takeRunner();
  runner->prepareStage(stage->data, context, view, draw.borderColors);
  auto port = std::make_unique<FragmentPort>(setup, isDualSource);
  const ArrayRef<FragmentPacking::Run> runs = packing.runs();
  bool isGood = true;
  if (registers.primitiveOrdered) {
    // Waves of one area one after another on one thread, some at the same time.
    for (size_t number; isGood && (number = next.fetch_add(1)) < runs.size();) {
      const size_t end = runs[number].first + runs[number].count;
      for (size_t wave = runs[number].first; isGood && wave < end; wave += FragmentOrder::maxWaves)
        isGood = runAndReport(*runner, *port, wave,
                              std::min<size_t>(FragmentOrder::maxWaves, end - wave));
    }
  } else {
    for (size_t wave; isGood && (wave = next.fetch_add(1)) < packing.waves();)
      isGood = runAndReport(*runner, *port, wave, 1);
  }
  runner->account(program.context->counters);
  context.giveBack(std::move(runner));
}

void FragmentStage::Impl::flush() {
  if (!fault)
    addTile();
  shade();
}

void FragmentStage::Impl::shade() {
  if (quads.empty() || fault)
    return;
  setup.primitives = primitives;
  packing.pack(quads, primitives, stage->data.launch.waveSize / 4, registers.primitiveOrdered);
  results.clear();
  results.resize(packing.waves());
  next = 0;
  const size_t tasks = registers.primitiveOrdered ? packing.runs().size() : packing.waves();
  if (context.pool && tasks > 1) {
    ThreadPoolTaskGroup group(*context.pool);
    size_t helpers = std::min<size_t>(context.threads, tasks) - 1;
    for (size_t i = 0; i < helpers; ++i)
      group.async([this] { work(); });
    work();
    group.wait();
  } else {
    work();
  }
  if (!fault)
    for (size_t wave = 0; wave < results.size(); ++wave)
      mergeWave(wave);
  results.clear();
  quads.clear();
  primitives.clear();
}

//===--- Pixels out --------------------------------------------------------===//

void FragmentStage::Impl::mergeWave(size_t wave) {
  const WaveResult &result = results[wave];
  size_t pixel = 0;
  for (uint64_t rest = result.live; rest; rest &= rest - 1) {
    unsigned lane = unsigned(llvm::countr_zero(rest));
    mergePixel(quads[packing.firstQuad(wave) + lane / 4], lane % 4, result.pixels[pixel++]);
  }
}

void FragmentStage::Impl::mergePixel(const FragmentQuad &quad, unsigned lane,
                                     const FragmentPixel &pixel) {
  const RasterPrimitive &primitive = primitives[quad.primitive];
  for (unsigned number = 0; number < quad.pixels(); ++number) {
    uint32_t mask = samplesOf(quad.samples[lane], number) & pixel.mask;
    PixelPlace place = placeOf(primitive, quad, lane, number);
    if (usesAlphaCoverage && pixel.hasAlpha)
      mask &= OutputMerger::coverageOfAlpha(pixel.alpha, draw.raster.samples, place);
    if (!isEarly)
      mask = test(primitive, place, mask, &pixel);
    if (mask && pixel.colors.written)
      merger.writeColors(place, mask, pixel.colors);
  }
}

//===--- Interface ---------------------------------------------------------===//

FragmentStage::FragmentStage(DispatchContext &context, const LoadedProgram &program,
                             const DrawInfo &draw, const OutputMerger &merger,
                             std::shared_ptr<const RegionTable> memory)
    : impl(std::make_unique<Impl>(context, program, draw, merger, std::move(memory))) {}

FragmentStage::~FragmentStage() = default;

void FragmentStage::setGeometry(const GeometryOutput &geometry) {
  impl->setup.geometry = &geometry;
}

void FragmentStage::setUserData(std::vector<uint32_t> sgprs, std::shared_ptr<const Region> tables) {
  impl->setup.userSgprs = std::move(sgprs);
  impl->tables = std::move(tables);
}

void FragmentStage::add(const RasterPrimitive &primitive, const RasterQuad &quad) {
  impl->add(primitive, quad);
}

Error FragmentStage::flush() {
  impl->flush();
  if (impl->fault)
    return make_error<DeviceFault>(*impl->fault);
  return Error::success();
}

void FragmentStage::addCounts(DrawStatistics &statistics) const {
  statistics.fragmentInvocations += impl->invocations;
  statistics.samplesPassed += impl->samplesPassed;
}

} // namespace pal::device
