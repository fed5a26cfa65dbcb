//===- Listing.cpp - code of a stage in the forms of Radeon GPU Analyzer ---===//
// SPDX-License-Identifier: MIT
#include "tools/report/Listing.h"
#include "pal_shim/abi/Try.h"
#include "tools/report/CycleModel.h"
#include "tools/report/LiveRegisters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;
using llvm::StringRef;

namespace report {

using pal::device::strict::Unit;

struct StageListing::Impl {
  Impl(const pal::abi::GpuTarget &target, const StageCode &stage, const SourceMap &map,
       MachineCode machineCode)
      : target(target), stage(stage), map(map), code(std::move(machineCode)),
        flow(findControlFlow(code)) {}

  std::string assembly(const ListingOptions &options) const;
  std::string assemblyTable() const;
  std::string live(bool isVgpr) const;
  std::string blockGraph() const;
  std::string instructionGraph() const;
  std::string resources(char separator) const;

  bool isTarget(uint32_t instruction) const;
  std::string encoding(const Instruction &instr) const;
  SourcePlace placeOf(const Instruction &instr) const;
  std::string labelled(uint32_t instruction) const;
  std::string nodeOf(uint32_t instruction) const;
  char useOf(const Instruction &instr, RegRange reg) const;
  std::string liveSummary(bool isVgpr, unsigned most) const;

  const pal::abi::GpuTarget &target;
  const StageCode &stage;
  const SourceMap &map;
  MachineCode code;
  ControlFlow flow;
};

namespace {

std::string labelOf(const Instruction &instr) { return formatv("label_{0:X-4}", instr.pc); }

/// Registers that the table of SGPRs shows.
constexpr unsigned namedSgprs = 106;

StringRef functionalUnit(const Instruction &instr) {
  if (instr.isBranch())
    return "Branch";
  if (instr.effects.isSopp)
    return "Flow Control";
  switch (instr.effects.unit) {
  case Unit::Salu:
    return "Scalar ALU";
  case Unit::Valu:
    return "Vector ALU";
  case Unit::Smem:
    return "Scalar Memory";
  case Unit::Vmem:
  case Unit::Flat:
    return StringRef(instr.mnemonic).contains("atomic") ? "Atomics" : "Vector Memory";
  case Unit::Lds:
  case Unit::LdsDirect:
    return "LDS";
  case Unit::Export:
    return "GDS/Export";
  case Unit::Other:
    break;
  }
  return "Unknown";
}

/// As the analyzer has it: a number, "not taken|taken", or no number for memory.
std::string cyclesOf(const Instruction &instr, const InstructionCost &cost) {
  if (instr.isBranch())
    return "1|" + llvm::utostr(1 + CycleParameters().branch);
  switch (instr.effects.unit) {
  case Unit::Smem:
  case Unit::Vmem:
  case Unit::Flat:
  case Unit::Lds:
  case Unit::LdsDirect:
  case Unit::Export:
    return "Varies";
  default:
    return llvm::utostr(cost.busy);
  }
}

bool overlaps(llvm::ArrayRef<RegRange> ranges, RegRange reg) {
  for (const RegRange &range : ranges)
    if (range.first < reg.first + reg.count && reg.first < range.first + range.count)
      return true;
  return false;
}

constexpr StringRef legend =
    "Legend:\n"
    "  ':' means that the register is kept alive, while it is not actively being used by the "
    "current instruction\n"
    "  '^' means that the current instruction writes to the register\n"
    "  'v' means that the current instruction reads from the register\n"
    "  'x' means that the current instruction both reads from the register and writes to it\n"
    " 'Rn': Number of live registers\n\n";

constexpr StringRef graphStart = "digraph {\nnode [shape=box]\n"
                                 "\"n_entry\" [ label= \"entry\n\" style=rounded]\n";
constexpr StringRef graphExit = "\"n_exit\" [ label= \"exit\n\" style=rounded]\n";

std::string edge(StringRef from, StringRef to) {
  return formatv("\"{0}\":s -> \"{1}\";\n", from, to);
}

} // namespace

bool StageListing::Impl::isTarget(uint32_t instruction) const {
  const Block &block = flow.blocks[flow.blockOf[instruction]];
  return block.begin == instruction && llvm::any_of(block.predecessors, [&](uint32_t from) {
           return code.code[flow.blocks[from].end - 1].target == instruction;
         });
}

/// Dwords from the first to the last.
std::string StageListing::Impl::encoding(const Instruction &instr) const {
  std::string text;
  for (unsigned at = 0; at + 4 <= instr.size; at += 4)
    text += (at ? " " : "") +
            formatv("{0:X-8}", llvm::support::endian::read32le(&stage.bytes[instr.pc + at])).str();
  return text;
}

/// Of the shader's text, not of a function that calls it.
SourcePlace StageListing::Impl::placeOf(const Instruction &instr) const {
  const std::vector<SourcePlace> places = map.at(stage.address + instr.pc);
  return places.empty() ? SourcePlace() : places.front();
}

std::string StageListing::Impl::labelled(uint32_t instruction) const {
  const Instruction &instr = code.code[instruction];
  return (isTarget(instruction) ? labelOf(instr) + ": " : "") + instr.text;
}

std::string StageListing::Impl::nodeOf(uint32_t instruction) const {
  return formatv("n_{0:X-4}", code.code[instruction].pc);
}

std::string StageListing::Impl::assembly(const ListingOptions &options) const {
  constexpr size_t column = 60; // of the comment; tabs are 8 wide
  // Compiler Explorer takes what stands behind the first empty line for the instructions.
  std::string text = pal::abi::entryPointSymbol(stage.stage).str() + ":\n\n";
  SourcePlace last;
  for (uint32_t i = 0; i < code.code.size(); ++i) {
    const Instruction &instr = code.code[i];
    if (isTarget(i))
      text += labelOf(instr) + ":\n";
    if (options.withSourceLines) {
      SourcePlace place = placeOf(instr);
      if (place.line && (place.line != last.line || place.file != last.file)) {
        text += formatv("; {0}:{1}\n", place.file, place.line);
        last = std::move(place);
      }
    }
    const size_t width = 8 + instr.text.size();
    text +=
        formatv("\t{0}{1}// {2:X-12}: {3}\n", instr.text,
                std::string(width < column ? column - width : 1, ' '), instr.pc, encoding(instr));
  }
  return text;
}

std::string StageListing::Impl::assemblyTable() const {
  const std::vector<InstructionCost> costs = estimateCycles(code, flow, {});
  std::string text =
      "Address, Source Line Number, Opcode, Operands, Functional Unit, Cycles, Binary Encoding\n";
  for (uint32_t i = 0; i < code.code.size(); ++i) {
    const Instruction &instr = code.code[i];
    if (isTarget(i))
      text += labelOf(instr) + ":\n";
    const auto [opcode, operands] = StringRef(instr.text).split(' ');
    text +=
        formatv("0x{0:X-6},{1},{2},\"{3}\",{4},{5},{6},\n", instr.pc, placeOf(instr).line, opcode,
                operands, functionalUnit(instr), cyclesOf(instr, costs[i]), encoding(instr));
  }
  return text;
}

char StageListing::Impl::useOf(const Instruction &instr, RegRange reg) const {
  const bool isRead = overlaps(instr.effects.reads, reg);
  const bool isWritten = overlaps(instr.effects.writes, reg);
  return isRead ? (isWritten ? 'x' : 'v') : isWritten ? '^' : ':';
}

std::string StageListing::Impl::liveSummary(bool isVgpr, unsigned most) const {
  if (!isVgpr)
    return formatv("\nMaximum # SGPR used {0,3}, SGPRs allocated : {1,3}\n\nArchitecture info:\n"
                   "  SGPRs total: {2}\n",
                   most, stage.sgprs, namedSgprs);
  const unsigned granule = vgprGranule(target, stage.waveSize);
  return formatv("\nMaximum # VGPR used {0,3}, VGPRs allocated by HW: {1,3} ({2} requested)\n\n"
                 "Architecture info:\n  VGPRs total: {3}\n  VGPR allocation granularity: {4}\n",
                 most, llvm::alignTo(stage.vgprs, granule), stage.vgprs, pal::abi::maxVgprsPerWave,
                 granule);
}

std::string StageListing::Impl::live(bool isVgpr) const {
  ExecMasks masks(code, flow);
  const LiveRegisters live = findLiveRegisters(code, flow, masks, stage.vgprsAtStart);
  auto rangeOf = [&](unsigned number) { return isVgpr ? vgprRange(number) : sgprRange(number); };
  const unsigned total = isVgpr ? pal::abi::maxVgprsPerWave : namedSgprs;
  auto isInUse = [&](uint32_t instruction, unsigned number) {
    const RegRange range = rangeOf(number);
    const RegisterSet &set = live.inUse[instruction];
    return set[range.first] || (range.count > 1 && set[range.first + 1]);
  };
  unsigned columns = 0;
  for (uint32_t i = 0; i < code.code.size(); ++i)
    for (unsigned number = total; number-- > columns;)
      if (isInUse(i, number))
        columns = number + 1;
  std::string text = legend.str() + "  Line | Rn  | " + std::string(columns, ' ') +
                     " | Instruction\n" + std::string(80, '-') + "\n";
  unsigned most = 0;
  for (uint32_t i = 0; i < code.code.size(); ++i) {
    std::string row(columns, ' ');
    unsigned count = 0;
    for (unsigned number = 0; number < columns; ++number)
      if (isInUse(i, number)) {
        row[number] = useOf(code.code[i], rangeOf(number));
        ++count;
      }
    most = std::max(most, count);
    text += formatv("{0,6} | {1,3} | {2} | {3}\n", i + 1, count, row, labelled(i));
  }
  return text + liveSummary(isVgpr, most);
}

std::string StageListing::Impl::blockGraph() const {
  std::string text = graphStart.str(), edges;
  for (const Block &block : flow.blocks) {
    const Instruction &first = code.code[block.begin];
    text += formatv("\"{0}\" [ label= \"{1}\n", nodeOf(block.begin),
                    block.begin ? labelOf(first) : pal::abi::entryPointSymbol(stage.stage).str());
    for (uint32_t i = block.begin; i < block.end; ++i)
      text += code.code[i].text + "\\l";
    text += "\" ]\n";
    for (const uint32_t to : block.successors)
      edges += edge(nodeOf(block.begin), nodeOf(flow.blocks[to].begin));
    if (block.successors.empty())
      edges += edge(nodeOf(block.begin), "n_exit");
  }
  if (!flow.blocks.empty())
    edges = edge("n_entry", nodeOf(0)) + edges;
  return text + graphExit.str() + edges + "}\n";
}

std::string StageListing::Impl::instructionGraph() const {
  std::string text = graphStart.str(), edges;
  for (const Block &block : flow.blocks) {
    for (uint32_t i = block.begin; i < block.end; ++i) {
      text += formatv("\"{0}\" [label=\"{1}\"]\n", nodeOf(i), labelled(i));
      if (i + 1 < block.end)
        edges += edge(nodeOf(i), nodeOf(i + 1));
    }
    for (const uint32_t to : block.successors)
      edges += edge(nodeOf(block.end - 1), nodeOf(flow.blocks[to].begin));
    if (block.successors.empty())
      edges += edge(nodeOf(block.end - 1), "n_exit");
  }
  if (!flow.blocks.empty())
    edges = edge("n_entry", nodeOf(0)) + edges;
  return text + graphExit.str() + edges + "}\n";
}

std::string StageListing::Impl::resources(char separator) const {
  struct Column {
    StringRef title;
    std::string value;
  };
  const std::string unknown = "N/A";
  auto known = [&](unsigned value) { return value ? llvm::utostr(value) : unknown; };
  const Column columns[] = {
      {"DEVICE", target.name.str()},
      {"SCRATCH_MEM", llvm::utostr(stage.scratchBytes)},
      {"THREADS_PER_WORKGROUP", known(stage.workgroupThreads)},
      {"WAVEFRONT_SIZE", llvm::utostr(stage.waveSize)},
      {"AVAILABLE_LDS_BYTES", llvm::utostr(pal::abi::maxLdsBytesPerWorkgroup)},
      {"USED_LDS_BYTES", llvm::utostr(stage.ldsBytes)},
      {"AVAILABLE_SGPRs", llvm::utostr(namedSgprs)},
      {"USED_SGPRs", llvm::utostr(stage.sgprs)},
      {"SGPR_SPILLS", unknown},
      {"AVAILABLE_VGPRs", llvm::utostr(pal::abi::maxVgprsPerWave)},
      {"USED_VGPRs", llvm::utostr(stage.vgprs)},
      {"VGPR_SPILLS", unknown},
      {"CL_WORKGROUP_X_DIMENSION", known(stage.workgroupSize[0])},
      {"CL_WORKGROUP_Y_DIMENSION", known(stage.workgroupSize[1])},
      {"CL_WORKGROUP_Z_DIMENSION", known(stage.workgroupSize[2])},
      {"ISA_SIZE", llvm::utostr(stage.bytes.size())},
  };
  std::string titles, values;
  for (const Column &column : columns) {
    const std::string before(titles.empty() ? 0 : 1, separator);
    titles += before + column.title.str();
    values += before + column.value;
  }
  return titles + "\n" + values + "\n";
}

StageListing::StageListing() = default;
StageListing::~StageListing() = default;

llvm::Expected<std::unique_ptr<StageListing>> StageListing::read(const pal::abi::GpuTarget &target,
                                                                 const StageCode &stage,
                                                                 const SourceMap &map) {
  MachineCode code = KILN_TRY(readMachineCode(target, stage.waveSize, stage.bytes));
  std::unique_ptr<StageListing> listing(new StageListing);
  listing->impl = std::make_unique<Impl>(target, stage, map, std::move(code));
  return listing;
}

std::string StageListing::text(ListingKind kind, const ListingOptions &options) const {
  switch (kind) {
  case ListingKind::Assembly:
    return impl->assembly(options);
  case ListingKind::AssemblyTable:
    return impl->assemblyTable();
  case ListingKind::LiveVgprs:
    return impl->live(/*isVgpr=*/true);
  case ListingKind::LiveSgprs:
    return impl->live(/*isVgpr=*/false);
  case ListingKind::BlockGraph:
    return impl->blockGraph();
  case ListingKind::InstructionGraph:
    return impl->instructionGraph();
  case ListingKind::Resources:
    break;
  }
  return impl->resources(options.separator);
}

} // namespace report
