//===- LinkBench.cpp - how long links of parts take -----------------------===//
// SPDX-License-Identifier: MIT
#include "LinkBench.h"
#include "Timing.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::Expected;

namespace bench {

using lgc::PartKind;

namespace {

constexpr unsigned repeats = 200, glueRepeats = 20;

/// CPU microseconds of one call.
template <typename Function> double timeOf(Function function, unsigned repeats = bench::repeats) {
  function();
  const double start = threadCpuMs();
  for (unsigned i = 0; i < repeats; ++i)
    function();
  return (threadCpuMs() - start) * 1000 / repeats;
}

double largest(const std::vector<double> &values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

} // namespace

LinkBench::LinkBench(const llpc::Compiler &compiler)
    : compiler(compiler), llvmGlue(llvm::cantFail(llpc::Compiler::create(
                              {.target = compiler.target().str(), .directGlue = false}))) {}

Error LinkBench::measureGlue(const lgc::Part &part, const llpc::GraphicsPipelineBuildInfo &info,
                             PartKind kind, GlueTimes &times) const {
  for (auto [by, us] : {std::pair(&compiler, &times.directUs), {&*llvmGlue, &times.llvmUs}}) {
    KILN_TRY(by->buildGlue(part, info, kind).takeError());
    us->push_back(timeOf([&] { llvm::consumeError(by->buildGlue(part, info, kind).takeError()); },
                         glueRepeats));
  }
  return Error::success();
}

Expected<LinkBench::Part> LinkBench::create(Expected<llpc::PartResult> built) {
  if (!built)
    return built.takeError();
  auto part = KILN_TRY(lgc::Part::create(built->elf.bytes()));
  createUs.push_back(
      timeOf([&] { llvm::consumeError(lgc::Part::create(built->elf.bytes()).takeError()); }));
  return part;
}

Error LinkBench::link(const lgc::LinkParts &parts, const llpc::ResourceMappingData &mapping) {
  lgc::LinkLayout layout(mapping);
  auto linked = KILN_TRY(lgc::linkParts(parts, layout, {}));
  layoutUs.push_back(timeOf([&] { lgc::LinkLayout again(mapping); }));
  linkUs.push_back(
      timeOf([&] { llvm::consumeError(lgc::linkParts(parts, layout, {}).takeError()); }));
  megabytesPerSecond.push_back(static_cast<double>(linked.size()) / linkUs.back());
  return Error::success();
}

Error LinkBench::compute(const llpc::ComputePipelineBuildInfo &info) {
  auto part = KILN_TRY(create(compiler.buildPart(info)));
  lgc::LinkParts parts;
  parts.compute = part.get();
  return link(parts, info.resourceMapping);
}

Error LinkBench::graphics(const llpc::GraphicsPipelineBuildInfo &info) {
  auto before = KILN_TRY(create(compiler.buildPart(info, PartKind::PreRasterization)));
  auto fragment = KILN_TRY(create(compiler.buildPart(info, PartKind::Fragment)));
  Part fetch, exports;
  for (auto [glue, part, kind] : {std::tuple(&fetch, &before, PartKind::VertexFetch),
                                  std::tuple(&exports, &fragment, PartKind::ColorExport)}) {
    const lgc::PartInfo &partInfo = (*part)->info();
    if (!partInfo.fetch && !partInfo.colorExport)
      continue;
    KILN_TRY(measureGlue(**part, info, kind, glue == &fetch ? this->fetch : this->exports));
    auto made = KILN_TRY(create(compiler.buildGlue(**part, info, kind)));
    *glue = std::move(made);
  }
  lgc::LinkParts parts;
  parts.vertexFetch = fetch.get();
  parts.preRasterization = before.get();
  parts.fragment = fragment.get();
  parts.colorExport = exports.get();
  return link(parts, info.resourceMapping);
}

void LinkBench::note(Error error) {
  if (error)
    ++refused[lgc::consumeToText(std::move(error)).message];
}

void LinkBench::measure(const llpc::ComputePipelineBuildInfo &info) { note(compute(info)); }

void LinkBench::measure(const llpc::GraphicsPipelineBuildInfo &info) { note(graphics(info)); }

void LinkBench::print(const char *what) const {
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::formatv("{0} pipelines linked from parts: {1}\n", what, linkUs.size());
  auto row = [&](const char *name, const std::vector<double> &values) {
    os << llvm::formatv("  {0,-24} {1,8:f2} us median, {2,8:f2} us at most\n", name, median(values),
                        largest(values));
  };
  row("link", linkUs);
  row("Part::create, once", createUs);
  row("LinkLayout, once", layoutUs);
  for (auto [name, times] : {std::pair("vertex fetch", &fetch), {"colour export", &exports}})
    if (!times->directUs.empty()) {
      row((std::string(name) + ", once").c_str(), times->directUs);
      row((std::string(name) + ", by LLVM").c_str(), times->llvmUs);
    }
  os << llvm::formatv("  {0,-24} {1,8:f0} MB/s median\n", "of the code object",
                      median(megabytesPerSecond));
  for (const auto &[reason, count] : refused)
    os << llvm::formatv("  refused: {0} x {1}\n", count, reason);
}

} // namespace bench
