//===- RelinkDemo.cpp - monolithic pipelines and linked ones, side by side ===//
// SPDX-License-Identifier: MIT
#include "RelinkDemo.h"
#include "llpc/Parts.h"
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/Try.h"
#include "llvm-c/Disassembler.h"
#include "llvm-c/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace amdllpc {

using lgc::PartKind;
using llpc::ShaderStage;
using pal::abi::HardwareStage;

namespace {

constexpr unsigned linkRuns = 64; ///< of which the median is shown

Error withPart(Error error, PartKind kind) {
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  return lgc::makeError(text.kind, lgc::partKindName(kind) + (": " + text.message));
}

/// A code object for looking at.
class Object {
public:
  static Expected<Object> read(ArrayRef<uint8_t> bytes) {
    auto elf = KILN_TRY(pal::abi::ElfObject::parse(bytes));
    const pal::abi::ElfNote *note = elf.findMetadataNote();
    if (!note)
      return lgc::internalError("code object without metadata");
    auto metadata = KILN_TRY(pal::abi::PipelineMetadata::parse(note->desc));
    return Object{std::move(elf), std::move(metadata)};
  }

  ArrayRef<uint8_t> code(HardwareStage stage) const {
    const pal::abi::ElfSymbol *symbol = elf.findSymbol(pal::abi::entryPointSymbol(stage));
    const pal::abi::ElfSection *text = elf.findSection(pal::abi::elf::textSection);
    return symbol && text ? text->data.slice(symbol->value, symbol->size) : ArrayRef<uint8_t>();
  }

  pal::abi::ElfObject elf;
  pal::abi::PipelineMetadata metadata;
};

unsigned countInstructions(ArrayRef<uint8_t> code, StringRef target, unsigned waveSize) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  LLVMDisasmContextRef context = LLVMCreateDisasmCPUFeatures(
      "amdgcn-amd-amdpal", target.str().c_str(),
      waveSize == 64 ? "+wavefrontsize64" : "+wavefrontsize32", nullptr, 0, nullptr, nullptr);
  std::vector<uint8_t> bytes(code.begin(), code.end());
  unsigned count = 0;
  char text[256];
  for (size_t at = 0; context && at < bytes.size(); ++count) {
    size_t size =
        LLVMDisasmInstruction(context, &bytes[at], bytes.size() - at, at, text, sizeof(text));
    at += size ? size : 4;
  }
  if (context)
    LLVMDisasmDispose(context);
  return count;
}

/// What a link changes in the numbers of one stage.
std::string mapText(const std::vector<uint32_t> &map) {
  std::string text;
  for (uint32_t value : map) {
    if (value == pal::abi::userdata::notMapped)
      continue;
    text += text.empty() ? "" : " ";
    text += pal::abi::userdata::isApiEntry(value) ? std::to_string(value)
                                                  : pal::abi::userdata::describe(value);
  }
  return text;
}

std::string spillText(uint32_t threshold) {
  return threshold == pal::abi::userdata::noSpill ? "none" : std::to_string(threshold);
}

/// One part or glue, compiled.
struct BuiltPart {
  PartKind kind;
  llpc::PartResult result;
  std::shared_ptr<const lgc::Part> part;
};

class Demo {
public:
  Demo(const llpc::Compiler &compiler, const llpc::PipelineBuildInfo &info,
       const lgc::LinkOptions &options = {})
      : compiler(compiler), info(info), options(options), os(out.text) {}

  /// \p real: the key that the pipeline looks for.
  Error add(PartKind kind, const char *how, Expected<llpc::PartResult> result,
            Expected<llpc::Hash128> real);
  Error addGlue(PartKind kind, const llpc::GraphicsPipelineBuildInfo &graphics);
  const lgc::Part *find(PartKind kind) const;
  Expected<RelinkDemo> finish(ArrayRef<uint8_t> monolithic, double monolithicMs);

private:
  Error link();
  Error printStages(const Object &monolithic, const Object &linked);
  Error printMaps(const Object &linked);

  const llpc::Compiler &compiler;
  const llpc::PipelineBuildInfo &info;
  const lgc::LinkOptions options;
  std::vector<BuiltPart> parts;
  double linkUs = 0;
  RelinkDemo out;
  llvm::raw_string_ostream os;
};

Error Demo::add(PartKind kind, const char *how, Expected<llpc::PartResult> result,
                Expected<llpc::Hash128> real) {
  if (!result) {
    if (!real)
      llvm::consumeError(real.takeError());
    return withPart(result.takeError(), kind);
  }
  if (!real)
    return withPart(real.takeError(), kind);
  auto part = lgc::Part::create(result->elf.bytes());
  if (!part)
    return withPart(part.takeError(), kind);
  if (!(*real == result->key))
    return lgc::unsupported("relink demo: the real layout asks for another " +
                            llvm::Twine(lgc::partKindName(kind)) +
                            " part than a layout seen "
                            "before");
  os << llvm::formatv("  {0,-18} {1,8:f2} ms {2,7} bytes   {3}\n", lgc::partKindName(kind),
                      result->times.total(), result->elf.bytes().size(), how);
  parts.push_back({kind, std::move(*result), std::move(*part)});
  return Error::success();
}

Error Demo::addGlue(PartKind kind, const llpc::GraphicsPipelineBuildInfo &graphics) {
  bool isFetch = kind == PartKind::VertexFetch;
  const lgc::Part *part = find(isFetch ? PartKind::PreRasterization : PartKind::Fragment);
  if (!part || !(isFetch ? part->info().fetch.has_value() : part->info().colorExport.has_value()))
    return Error::success();
  auto result = compiler.buildGlue(*part, graphics, kind);
  if (!result)
    return withPart(result.takeError(), kind);
  auto glue = lgc::Part::create(result->elf.bytes());
  if (!glue)
    return withPart(glue.takeError(), kind);
  os << llvm::formatv("  {0,-18} {1,8:f2} ms {2,7} bytes   glue\n", lgc::partKindName(kind),
                      result->times.total(), result->elf.bytes().size());
  parts.push_back({kind, std::move(*result), std::move(*glue)});
  return Error::success();
}

const lgc::Part *Demo::find(PartKind kind) const {
  for (const BuiltPart &part : parts)
    if (part.kind == kind)
      return part.part.get();
  return nullptr;
}

Error Demo::link() {
  lgc::LinkLayout layout(info.resourceMapping);
  lgc::LinkParts linkParts;
  linkParts.compute = find(PartKind::Compute);
  linkParts.vertexFetch = find(PartKind::VertexFetch);
  linkParts.preRasterization = find(PartKind::PreRasterization);
  linkParts.fragment = find(PartKind::Fragment);
  linkParts.colorExport = find(PartKind::ColorExport);
  std::vector<double> times;
  for (unsigned i = 0; i < linkRuns; ++i) {
    auto start = std::chrono::steady_clock::now();
    auto linked = lgc::linkParts(linkParts, layout, options);
    std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    if (!linked)
      return linked.takeError();
    out.linked = std::move(*linked);
    times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + linkRuns / 2, times.end());
  linkUs = times[linkRuns / 2];
  return Error::success();
}

Error Demo::printStages(const Object &monolithic, const Object &linked) {
  os << "  stage  what            monolithic   linked\n";
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
    auto stage = static_cast<HardwareStage>(i);
    const auto &a = monolithic.metadata.hardwareStage(stage),
               &b = linked.metadata.hardwareStage(stage);
    if (!a || !b)
      continue;
    StringRef name = pal::abi::hardwareStageKey(stage).drop_front();
    auto row = [&](StringRef what, uint64_t first, uint64_t second) {
      os << llvm::formatv("  {0,-6} {1,-15} {2,9}  {3,9}\n", name, what, first, second);
      name = "";
    };
    auto count = [&](const Object &object, uint32_t waveSize) {
      return countInstructions(object.code(stage), compiler.target(), waveSize);
    };
    row("instructions", count(monolithic, a->wavefrontSize.value_or(32)),
        count(linked, b->wavefrontSize.value_or(32)));
    row("code bytes", monolithic.code(stage).size(), linked.code(stage).size());
    row("VGPRs", a->vgprCount.value_or(0), b->vgprCount.value_or(0));
    row("SGPRs", a->sgprCount.value_or(0), b->sgprCount.value_or(0));
  }
  return Error::success();
}

Error Demo::printMaps(const Object &linked) {
  os << "  user data registers, as the part was compiled and as linked:\n";
  for (const BuiltPart &built : parts) {
    if (built.kind == PartKind::VertexFetch || built.kind == PartKind::ColorExport)
      continue;
    auto part = KILN_TRY(Object::read(built.part->elf()));
    for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i) {
      auto stage = static_cast<HardwareStage>(i);
      const auto &before = part.metadata.hardwareStage(stage),
                 &after = linked.metadata.hardwareStage(stage);
      if (!before || !after || !before->userDataRegMap || !after->userDataRegMap)
        continue;
      os << "    " << pal::abi::hardwareStageKey(stage).drop_front() << "  "
         << mapText(*before->userDataRegMap) << "\n     -> " << mapText(*after->userDataRegMap)
         << '\n';
    }
    size_t patched = llvm::count_if(part.elf.relocations(), [&](const auto &relocation) {
      return part.elf.symbols()[relocation.symbol].name.starts_with("kiln.");
    });
    os << llvm::formatv("    {0}: {1} offsets in the code patched, {2} dwords from the spill "
                        "table\n",
                        lgc::partKindName(built.kind), patched, built.part->info().spilled.size());
  }
  os << llvm::formatv("  user data limit {0}, spill threshold {1}\n",
                      linked.metadata.userDataLimit.value_or(0),
                      spillText(linked.metadata.spillThreshold.value_or(0)));
  return Error::success();
}

Expected<RelinkDemo> Demo::finish(ArrayRef<uint8_t> monolithicBytes, double monolithicMs) {
  KILN_TRY(link());
  auto monolithic = Object::read(monolithicBytes);
  if (!monolithic)
    return monolithic.takeError();
  auto linked = KILN_TRY(Object::read(out.linked));
  os << llvm::formatv("  {0,-18} {1,8:f2} us {2,7} bytes   {3:f0} MB/s\n", "link", linkUs,
                      out.linked.size(), static_cast<double>(out.linked.size()) / linkUs);
  os << llvm::formatv("  {0,-18} {1,8:f2} ms {2,7} bytes\n", "monolithic", monolithicMs,
                      monolithicBytes.size());
  KILN_TRY(printStages(*monolithic, linked));
  KILN_TRY(printMaps(linked));
  return std::move(out);
}

/// What a part is made of before the pipeline is known.
template <typename Info> struct Guess {
  Info info;
  const char *how = "hit: made for a layout that was guessed from the shader";
};

/// A layout that the shader gives by itself; if the real one finds another part, or there are
/// several shaders, the one that the application has, as if it had made it before the modules.
template <typename Info, typename KeyOf>
Expected<Guess<Info>> guessed(const Info &info, ArrayRef<const llpc::PipelineShaderInfo *> shaders,
                              KeyOf keyOf, llpc::LayoutGuess assumed = {}) {
  Guess<Info> guess = {info};
  if (shaders.empty())
    return guess;
  auto fits = [&] {
    auto guessedKey = keyOf(guess.info), realKey = keyOf(info);
    bool equal = guessedKey && realKey && *guessedKey == *realKey;
    llvm::consumeError(guessedKey.takeError());
    llvm::consumeError(realKey.takeError());
    return equal;
  };
  if (shaders.size() == 1) {
    auto mapping = llpc::Compiler::guessLayout(shaders[0]->module, *shaders[0], assumed);
    if (!mapping)
      return mapping.takeError();
    guess.info.resourceMapping = std::move(*mapping);
    if (fits())
      return guess;
    const llpc::ResourceMappingData *known[] = {&info.resourceMapping};
    assumed.known = known;
    mapping = llpc::Compiler::guessLayout(shaders[0]->module, *shaders[0], assumed);
    if (!mapping)
      return mapping.takeError();
    guess.info.resourceMapping = std::move(*mapping);
  }
  guess.how = "hit: made for a layout that was seen before";
  return guess;
}

} // namespace

Expected<RelinkDemo> relinkDemo(const llpc::Compiler &compiler,
                                const llpc::ComputePipelineBuildInfo &info,
                                ArrayRef<uint8_t> monolithic, double monolithicMs) {
  Demo demo(compiler, info);
  auto keyOf = [&](const llpc::ComputePipelineBuildInfo &other) { return compiler.partKey(other); };
  auto guess = KILN_TRY(guessed(info, &info.cs, keyOf));
  auto part = compiler.buildPart(guess.info);
  KILN_TRY(demo.add(PartKind::Compute, guess.how, std::move(part), keyOf(info)));
  return demo.finish(monolithic, monolithicMs);
}

Expected<RelinkDemo> relinkDemo(const llpc::Compiler &compiler,
                                const llpc::GraphicsPipelineBuildInfo &info,
                                ArrayRef<uint8_t> monolithic, double monolithicMs) {
  Demo demo(compiler, info, {.outputPrimitive = llpc::outputPrimitiveOf(info)});
  llpc::LayoutGuess assumed;
  assumed.describesVertexInput =
      info.enableUberFetchShader && info.vertexInput == llpc::VertexInputInfo();
  llvm::SmallVector<const llpc::PipelineShaderInfo *, 8> before, fragment;
  for (ShaderStage stage :
       {ShaderStage::Task, ShaderStage::Vertex, ShaderStage::TessControl, ShaderStage::TessEval,
        ShaderStage::Geometry, ShaderStage::Mesh, ShaderStage::Fragment})
    if (info.shader(stage).module)
      (stage == ShaderStage::Fragment ? fragment : before).push_back(&info.shader(stage));
  for (auto [kind, shaders] : {std::pair(PartKind::PreRasterization, ArrayRef(before)),
                               std::pair(PartKind::Fragment, ArrayRef(fragment))}) {
    auto keyOf = [&, kind = kind](const llpc::GraphicsPipelineBuildInfo &other) {
      return compiler.partKey(other, kind);
    };
    auto guess = KILN_TRY(guessed(info, shaders, keyOf, assumed));
    auto part = compiler.buildPart(guess.info, kind);
    KILN_TRY(demo.add(kind, guess.how, std::move(part), keyOf(info)));
  }
  for (PartKind kind : {PartKind::VertexFetch, PartKind::ColorExport})
    KILN_TRY(demo.addGlue(kind, info));
  return demo.finish(monolithic, monolithicMs);
}

} // namespace amdllpc
