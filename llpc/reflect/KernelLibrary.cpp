//===- KernelLibrary.cpp - reads and indexes a built-in library -----------===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/KernelLibrary.h"
#include "llvm/Support/Endian.h"

using llvm::StringRef;

namespace llpc {

using spirv::Id;

StringRef linkageName(const spirv::Module &module, Id id, spv::LinkageType type) {
  const auto *linkage = module.findDecoration(id, spv::Decoration::LinkageAttributes);
  if (!linkage || linkage->operands.size() < 2 ||
      linkage->operands.back() != static_cast<uint32_t>(type))
    return {};
  return spirv::literalString(linkage->operands);
}

void KernelLibrary::read() const {
  auto module = spirv::parseKernels(spirv);
  if (!module) {
    failure = lgc::consumeToText(module.takeError());
    return;
  }
  if (!spirv::isKernelModule(**module)) {
    failure = {lgc::ErrorKind::InvalidInput, "a module without the capability Kernel"};
    return;
  }
  for (const spirv::Function &function : (*module)->functions()) {
    const Id id = function.definition->resultId;
    const StringRef name = linkageName(**module, id, spv::LinkageType::Export);
    if (!name.empty() && !function.blocks.empty())
      exports.try_emplace(name, id);
  }
  parsed = std::move(*module);
}

llvm::Expected<const spirv::Module *> KernelLibrary::module() const {
  std::call_once(once, [&] { read(); });
  if (!parsed)
    return lgc::makeError(failure.kind, "built-in library: " + failure.message);
  return parsed.get();
}

bool isKernelSpirv(llvm::ArrayRef<uint8_t> spirv) {
  using llvm::support::endian::read32;
  if (spirv.size() < 20)
    return false;
  const auto order = read32(spirv.data(), llvm::endianness::little) == spv::MagicNumber
                         ? llvm::endianness::little
                         : llvm::endianness::big;
  constexpr uint32_t declaration = 2u << 16 | static_cast<uint32_t>(spv::Op::OpCapability);
  // Capabilities come first.
  for (llvm::ArrayRef<uint8_t> rest = spirv.drop_front(20);
       rest.size() >= 8 && read32(rest.data(), order) == declaration; rest = rest.drop_front(8))
    if (read32(&rest[4], order) == static_cast<uint32_t>(spv::Capability::Kernel))
      return true;
  return false;
}

bool mayUseLibrary(const spirv::Module &module) {
  if (!spirv::isKernelModule(module))
    return false;
  for (const spirv::Function &function : module.functions())
    if (function.blocks.empty())
      return true;
  return llvm::any_of(module.instructions(), [&](const spirv::Inst &inst) {
    return inst.opcode == spv::Op::OpExtInst && module.extInstSet(inst[0]) == "OpenCL.std";
  });
}

} // namespace llpc
