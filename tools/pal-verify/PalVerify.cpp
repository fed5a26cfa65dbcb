//===- PalVerify.cpp - check PAL code objects -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// pal-verify [--target gfxNNNN] [--dump] FILE...|-
///   pipeline.elf: ok (gfx1100)
///   other.elf: wavefront-size: .hardware_stages.cs.wavefront_size: missing
/// Exit code: 0 all clean, 1 violations or unreadable files, 2 wrong command line.
#include "lgc/CompileError.h"
#include "pal_shim/abi/ElfWriter.h"
#include "pal_shim/abi/Metadata.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/abi/Verify.h"
#include "tools/cli/Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pal::abi;

namespace {

struct Options {
  const GpuTarget *target = nullptr;
  bool dump = false;
  std::string rewriteTo;
  std::vector<std::string> files;
};

constexpr StringLiteral usage =
    R"(usage: pal-verify [--target gfxNNNN] [--dump] FILE...|-
Checks AMDGPU code objects against the PAL pipeline ABI.
  --target NAME  the GPU that the code is meant for (gfx1100 or 11.0.0)
  --dump         also print sections, symbols, relocations and metadata
  --rewrite OUT  write the code object again through our metadata and ELF writers
  --list-rules   print all rules and exit
  -              read standard input

Examples:
  pal-verify blur.elf
  pal-verify --target gfx1100 --dump blur.elf
  amdllpc -o - blur.comp | pal-verify -
)";

/// A table cell from the input, on one line and without control characters.
std::string printable(StringRef text) {
  std::string shown;
  raw_string_ostream os(shown);
  os.write_escaped(text.take_front(256));
  return shown;
}

void dumpElf(raw_ostream &os, const ElfObject &elf) {
  const ElfHeader &header = elf.header();
  const GpuTarget *target = findTargetByMach(header.flags & 0xFF);
  os << "target: " << (target ? target->name : "unknown") << ", e_flags " << hex(header.flags)
     << "\n\nsections:\n  idx type        flags       size align name\n";
  for (unsigned i = 1; i < elf.sections().size(); ++i) {
    const ElfSection &s = elf.sections()[i];
    os << format("  %3u %10x %6x %10llu %5llu ", i, s.type, unsigned(s.flags),
                 static_cast<unsigned long long>(s.size),
                 static_cast<unsigned long long>(s.alignment))
       << printable(s.name) << '\n';
  }
  os << "\nsymbols:\n  idx type bind section      value       size name\n";
  for (unsigned i = 1; i < elf.symbols().size(); ++i) {
    const ElfSymbol &s = elf.symbols()[i];
    os << format("  %3u %4u %4u %7u %10llx %10llu ", i, s.type, s.binding, s.section,
                 static_cast<unsigned long long>(s.value), static_cast<unsigned long long>(s.size))
       << printable(s.name) << '\n';
  }
  if (!elf.relocations().empty())
    os << "\nrelocations:\n  section     offset type symbol\n";
  for (const ElfRelocation &r : elf.relocations())
    os << format("  %7u %10llx %4u %6u\n", r.target, static_cast<unsigned long long>(r.offset),
                 r.type, r.symbol);
}

/// Prints what can be read; verification reports what cannot.
void dump(raw_ostream &os, ArrayRef<uint8_t> bytes) {
  Expected<ElfObject> elf = ElfObject::parse(bytes);
  if (!elf) {
    consumeError(elf.takeError());
    return;
  }
  dumpElf(os, *elf);
  const ElfNote *note = elf->findMetadataNote();
  if (!note)
    return;
  // Not PipelineMetadata: metadata of a wrong shape is what one wants to look at most.
  msgpack::Document document;
  if (Error error = readMsgPack(document, note->desc)) {
    consumeError(std::move(error));
    return;
  }
  os << "\nmetadata:\n";
  printYaml(os, document.getRoot());
}

/// What a relinker does, without a change: LLVM's own objects come out byte for byte.
Error rewrite(ArrayRef<uint8_t> bytes, StringRef path) {
  ElfObject elf = KILN_TRY(ElfObject::parse(bytes));
  const ElfNote *note = elf.findMetadataNote();
  PipelineMetadata md = KILN_TRY(PipelineMetadata::parse(note ? note->desc : ArrayRef<uint8_t>()));
  std::vector<uint8_t> written = KILN_TRY(replaceMetadata(elf, md.toBlob()));
  std::error_code code;
  raw_fd_ostream out(path, code);
  if (code)
    return createStringError(code, "cannot write");
  out.write(reinterpret_cast<const char *>(written.data()), written.size());
  return Error::success();
}

bool verifyFile(const Options &options, const std::string &file) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  StringRef shown = file == "-" ? "<stdin>" : StringRef(file);
  if (!buffer) {
    errs() << "pal-verify: " << shown << ": " << buffer.getError().message() << '\n';
    return false;
  }
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>((*buffer)->getBufferStart()),
                          (*buffer)->getBufferSize());
  if (options.dump)
    dump(outs(), bytes);
  std::vector<Violation> violations = verifyCodeObject(bytes, options.target);
  for (const Violation &violation : violations)
    outs() << shown << ": " << violation.rule << ": " << printable(violation.message) << '\n';
  if (!options.rewriteTo.empty())
    if (Error error = rewrite(bytes, options.rewriteTo)) {
      errs() << "pal-verify: " << options.rewriteTo << ": " << printable(toString(std::move(error)))
             << '\n';
      return false;
    }
  if (violations.empty())
    outs() << shown << ": ok\n";
  return violations.empty();
}

int listRules() {
  for (const RuleInfo &rule : allRules())
    outs() << left_justify(rule.id, 24) << rule.description << '\n';
  return 0;
}

int fail(const Twine &message) {
  errs() << "pal-verify: " << message << '\n' << usage;
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  if (cli::printVersion("pal-verify", cli::argumentsOf(argc, argv)))
    return 0;
  Options options;
  bool help = false, rules = false;
  auto setTarget = [&](StringRef name) {
    options.target = findTarget(name);
    return options.target ? Error::success() : lgc::invalidInput("unknown target '" + name + "'");
  };
  const cli::Option table[] = {{"h|help", &help},
                               {"list-rules", &rules},
                               {"dump", &options.dump},
                               {"target", setTarget, "NAME"},
                               {"rewrite", &options.rewriteTo}};
  if (Error error = cli::parse(cli::argumentsOf(argc, argv), table, &options.files))
    return fail(lgc::consumeToText(std::move(error)).message);
  if (help) {
    outs() << usage;
    return 0;
  }
  if (rules)
    return listRules();
  if (options.files.empty())
    return fail("no input file");
  if (!options.rewriteTo.empty() && options.files.size() != 1)
    return fail("--rewrite takes one input file");
  bool clean = true;
  for (const std::string &file : options.files)
    clean &= verifyFile(options, file);
  return clean ? 0 : 1;
}
