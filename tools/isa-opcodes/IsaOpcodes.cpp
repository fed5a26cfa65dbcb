//===- IsaOpcodes.cpp - which instructions code objects consist of --------===//
// SPDX-License-Identifier: MIT
/// \file
/// isa-opcodes FILE.elf...
///   gfx1100 v_add_f32 vop2 17
/// One line for each target and (mnemonic, variant) of all files together, in the form in which the
/// driver writes execution counts (KILN_OPCODE_COUNTS), so that the two can be compared. A file
/// that the software device cannot load is reported, with what it lacks; so is one whose code uses
/// registers before their loads have come back, or has another hazard of its target. Exit code: 0
/// all loaded, 1 some not, 2 wrong command line.
#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/Device.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pal;

namespace {

class Counter {
public:
  Error add(StringRef file);
  void print(raw_ostream &os) const;

private:
  std::map<std::string, std::unique_ptr<device::SoftwareDevice>> devices;
  std::map<std::string, std::map<device::OpcodeKey, uint64_t>> counts;
};

Error Counter::add(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(), "cannot read");
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*buffer)->getBuffer());
  abi::ElfObject elf = KILN_TRY(abi::ElfObject::parse(bytes));
  const abi::GpuTarget *target = abi::findTargetByMach(elf.header().flags & 0xFF);
  if (!target)
    return abi::notSupported("machine " + abi::hex(elf.header().flags & 0xFF));
  std::unique_ptr<device::SoftwareDevice> &gpu = devices[target->name.str()];
  if (!gpu) {
    device::DeviceOptions options;
    options.target = target->name.str();
    options.strict = true;
    gpu = KILN_TRY(device::SoftwareDevice::create(options));
  }
  auto program = KILN_TRY(gpu->loadProgram(bytes, file));
  for (const auto &[key, count] : program->opcodes())
    counts[target->name.str()][key] += count;
  return Error::success();
}

void Counter::print(raw_ostream &os) const {
  for (const auto &[target, opcodes] : counts)
    for (const auto &[key, count] : opcodes)
      os << target << ' ' << key.first << ' ' << key.second << ' ' << count << '\n';
}

} // namespace

constexpr StringLiteral usage = R"(usage: isa-opcodes FILE.elf...
Counts the instructions of code objects: a line "TARGET MNEMONIC ENCODING COUNT" for each.
  --version  print the version

Examples:
  isa-opcodes blur.elf
  isa-opcodes out/*.elf | sort -k4 -n
)";

int main(int argc, char **argv) {
  if (cli::printInformation("isa-opcodes", usage, cli::argumentsOf(argc, argv)))
    return 0;
  if (argc < 2 || argv[1][0] == '-') {
    errs() << usage;
    return 2;
  }
  Counter counter;
  bool ok = true;
  for (int i = 1; i < argc; ++i)
    if (Error error = counter.add(argv[i])) {
      errs() << "isa-opcodes: " << argv[i] << ": " << toString(std::move(error)) << '\n';
      ok = false;
    }
  counter.print(outs());
  return ok ? 0 : 1;
}
