//===- DeviceBench.cpp - speed of the software device ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Compiles examples/saxpy.comp as it comes and dispatches it over a million elements; results are
/// checked, so that the figure is that of a device which computes.
#include "DeviceBench.h"
#include "Timing.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Device.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>

using namespace llvm;
using namespace pal::device;

namespace bench {

namespace {

constexpr uint32_t elements = 1 << 20, workgroup = 64;
constexpr float factor = 2.0f;

struct Saxpy {
  std::unique_ptr<SoftwareDevice> device;
  std::shared_ptr<const Program> program;
  std::unique_ptr<Allocation> x, y, set;
};

Expected<llpc::PipelineBinary> compile(StringRef target, ArrayRef<uint8_t> spirv) {
  auto compiler = KILN_TRY(llpc::Compiler::create({.target = target.str()}));
  auto module = KILN_TRY(compiler->buildShaderModule(spirv));
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = module;
  info.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(module, info.cs));
  auto result = KILN_TRY(compiler->buildComputePipeline(info));
  return std::move(result.elf);
}

/// Raw buffer descriptor: dst_sel xyzw, 32-bit float, bounds check in bytes.
void putDescriptor(uint8_t *place, const Allocation &buffer, bool isGfx12) {
  const uint32_t words[4] = {uint32_t(buffer.address()), uint32_t(buffer.address() >> 32),
                             uint32_t(buffer.size()), isGfx12 ? 0x33014FACu : 0x31014FACu};
  std::memcpy(place, words, sizeof words);
}

Error prepare(Saxpy &saxpy, StringRef target, ArrayRef<uint8_t> elf, unsigned threads) {
  DeviceOptions options;
  options.target = target.str();
  options.threads = threads;
  auto device = KILN_TRY(SoftwareDevice::create(options));
  saxpy.device = std::move(device);
  saxpy.program = KILN_TRY(saxpy.device->loadProgram(elf, "saxpy"));
  for (auto [place, size, heap] :
       {std::tuple(&saxpy.x, uint64_t(elements) * 4, Heap::General),
        std::tuple(&saxpy.y, uint64_t(elements) * 4, Heap::General),
        std::tuple(&saxpy.set, uint64_t(4096), Heap::DescriptorTables)}) {
    auto allocation =
        KILN_TRY(saxpy.device->allocate({.size = size, .heap = heap, .name = "bench"}));
    *place = std::move(allocation);
  }
  bool isGfx12 = target.starts_with("gfx12");
  putDescriptor(saxpy.set->host(), *saxpy.x, isGfx12);
  putDescriptor(saxpy.set->host() + 16, *saxpy.y, isGfx12);
  return Error::success();
}

/// Seconds since some moment: of this thread's CPU time if it does all the work, else of the wall.
double now(bool isSingleThread) {
  using namespace std::chrono;
  return isSingleThread ? threadCpuMs() * 1e-3
                        : duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Millions of wave-instructions per second of one dispatch.
Expected<double> dispatchOnce(Saxpy &saxpy, bool isSingleThread) {
  auto *x = reinterpret_cast<float *>(saxpy.x->host());
  auto *y = reinterpret_cast<float *>(saxpy.y->host());
  for (uint32_t i = 0; i < elements; ++i) {
    x[i] = float(i);
    y[i] = 1;
  }
  uint32_t userData[2] = {uint32_t(saxpy.set->address())};
  std::memcpy(&userData[1], &factor, 4);
  uint64_t before = saxpy.device->instructionsExecuted();
  const double start = now(isSingleThread);
  KILN_TRY(saxpy.device->dispatch({.program = saxpy.program.get(),
                                   .groups = {elements / workgroup, 1, 1},
                                   .userData = userData}));
  const double seconds = now(isSingleThread) - start;
  for (uint32_t i = 0; i < elements; ++i)
    if (y[i] != factor * float(i) + 1)
      return createStringError("element %u is %f", i, double(y[i]));
  return double(saxpy.device->instructionsExecuted() - before) / seconds * 1e-6;
}

Expected<double> measure(StringRef target, ArrayRef<uint8_t> elf, unsigned threads,
                         unsigned rounds) {
  Saxpy saxpy;
  KILN_TRY(prepare(saxpy, target, elf, threads));
  std::vector<double> rates;
  for (unsigned round = 0; round <= rounds; ++round) {
    double rate = KILN_TRY(dispatchOnce(saxpy, threads == 1));
    if (round) // the first round touches pages
      rates.push_back(rate);
  }
  return median(rates);
}

} // namespace

int runDeviceBench(const std::string &root, const std::string &work, unsigned rounds,
                   bool isQuiet) {
  sys::fs::create_directories(work);
  const std::string source = root + "/examples/saxpy.comp", module = work + "/saxpy.spv";
  auto glslang = sys::findProgramByName("glslangValidator");
  const std::optional<StringRef> redirects[] = {std::nullopt, StringRef("/dev/null"),
                                                StringRef("/dev/null")};
  if (!glslang || sys::ExecuteAndWait(*glslang, {*glslang, "-V", source, "-o", module},
                                      std::nullopt, redirects) != 0) {
    errs() << "kiln-bench: cannot make SPIR-V of " << source << "\n";
    return 1;
  }
  auto spirv = MemoryBuffer::getFile(module);
  if (!spirv)
    return 1;
  ArrayRef<uint8_t> bytes((*spirv)->getBuffer().bytes_begin(), (*spirv)->getBufferSize());
  outs() << "software device, examples/saxpy.comp: million wave-instructions per second\n";
  outs() << formatv("{0,-10} {1,10} {2,10}\n", "target", "one core", "all cores");
  constexpr StringLiteral targets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
  cli::Progress progress("kiln-bench", "targets", std::size(targets), isQuiet);
  for (StringRef target : targets) {
    if (cli::isInterrupted())
      break;
    auto elf = compile(target, bytes);
    Expected<double> one = elf ? measure(target, elf->bytes(), 1, rounds) : elf.takeError();
    Expected<double> all = one ? measure(target, elf->bytes(), 0, rounds) : one.takeError();
    progress.step();
    progress.clear();
    if (!all) {
      errs() << "kiln-bench: " << target << ": " << toString(all.takeError()) << "\n";
      return 1;
    }
    outs() << formatv("{0,-10} {1,10:f1} {2,10:f1}\n", target, *one, *all);
  }
  return 0;
}

} // namespace bench
