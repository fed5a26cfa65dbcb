//===- Reader.cpp - words, header, instruction split ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The outer loop of the reader: brings the words into host order, checks the header, counts the
/// instructions (so that their array never moves), then splits and checks one after the other.
#include "llpc/spirv/Reader.h"
#include "llpc/spirv/KernelDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SwapByteOrder.h"
#include <bit>
#include <cstring>
#include <utility>

namespace llpc::spirv {

using lgc::ErrorKind;
using llvm::Twine;

// Literal strings are read in place: SPIR-V packs them little-endian within each word.
static_assert(std::endian::native == std::endian::little, "big-endian hosts are not supported");

static constexpr uint32_t headerWords = 5;

bool Reader::fail(ErrorKind kind, const Twine &message) {
  failure = {kind, message.str()};
  return false;
}

bool Reader::invalid(const Inst &inst, const Twine &message) {
  return fail(ErrorKind::InvalidInput, place(inst) + ": " + message);
}

bool Reader::unsupportedInst(const Inst &inst, const Twine &message) {
  return fail(ErrorKind::Unsupported, place(inst) + ": " + message);
}

bool Reader::readWords(llvm::ArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return invalid("SPIR-V module is empty");
  if (bytes.size() < headerWords * sizeof(uint32_t))
    return invalid("SPIR-V module has " + Twine(bytes.size()) +
                   " bytes; the header alone needs 20");
  uint32_t magic;
  std::memcpy(&magic, bytes.data(), sizeof(magic));
  bool swapped = magic == llvm::byteswap(spv::MagicNumber);
  if (!swapped && magic != spv::MagicNumber)
    return invalid("magic number is 0x" + llvm::utohexstr(magic, true, 8) +
                   ", no SPIR-V module (0x07230203)");
  if (bytes.size() % sizeof(uint32_t))
    return invalid("SPIR-V module has " + Twine(bytes.size()) +
                   " bytes, which is no multiple of 4");
  size_t count = bytes.size() / sizeof(uint32_t);
  if (count > limits.maxWords)
    return fail(ErrorKind::LimitExceeded, "SPIR-V module has " + Twine(count) +
                                              " words; the limit is " + Twine(limits.maxWords));
  module.moduleWords.resize(count);
  std::memcpy(module.moduleWords.data(), bytes.data(), bytes.size());
  if (swapped)
    for (uint32_t &word : module.moduleWords)
      word = llvm::byteswap(word);
  return true;
}

bool Reader::readHeader() {
  llvm::ArrayRef<uint32_t> words = module.moduleWords;
  uint32_t version = words[1], bound = words[3];
  uint32_t major = version >> 16 & 0xff, minor = version >> 8 & 0xff;
  if (version & 0xff0000ff || major == 0)
    return invalid("header (word 1): version word 0x" + llvm::utohexstr(version, true, 8) +
                   " is malformed");
  if (major != 1 || minor > 6)
    return fail(ErrorKind::Unsupported, "header (word 1): SPIR-V version " + Twine(major) + "." +
                                            Twine(minor) + " not supported, only 1.0 to 1.6");
  if (bound == 0)
    return invalid("header (word 3): the id bound is 0");
  if (bound > limits.maxBound)
    return fail(ErrorKind::LimitExceeded, "header (word 3): the id bound " + Twine(bound) +
                                              " is above the limit " + Twine(limits.maxBound));
  if (words[4] != 0)
    return invalid("header (word 4): the instruction schema is " + Twine(words[4]) + ", must be 0");
  module.versionWord = version;
  module.idBound = bound;
  module.ids.setBound(bound);
  return true;
}

static bool isUntypedVariable(uint32_t firstWord) {
  return (firstWord & 0xffff) == static_cast<uint32_t>(spv::Op::OpUntypedVariableKHR);
}

bool Reader::countInstructions(uint32_t &count, uint32_t &untypedVariables) {
  const std::vector<uint32_t> &words = module.moduleWords;
  count = untypedVariables = 0;
  for (size_t pos = headerWords; pos < words.size(); ++count) {
    uint32_t wordCount = words[pos] >> 16;
    // Why stop quietly: the reading loop reports it, after any violation that comes before.
    if (wordCount == 0 || wordCount > words.size() - pos)
      break;
    untypedVariables += isUntypedVariable(words[pos]);
    pos += wordCount;
  }
  return true;
}

bool Reader::splitInstruction(uint32_t wordOffset, Inst &inst, const OpInfo *&info) {
  llvm::ArrayRef<uint32_t> words = module.moduleWords;
  uint32_t wordCount = words[wordOffset] >> 16, opcode = words[wordOffset] & 0xffff;
  inst.opcode = static_cast<spv::Op>(opcode);
  inst.wordOffset = wordOffset;
  info = findOp(opcode);
  if (!info)
    return invalid("word " + Twine(wordOffset) + ": unknown opcode " + Twine(opcode));
  if (wordCount == 0)
    return invalid(inst, "the word count is 0");
  if (wordCount > words.size() - wordOffset)
    return invalid(inst, "the word count " + Twine(wordCount) +
                             " is beyond the end of the module (" +
                             Twine(words.size() - wordOffset) + " words left)");
  uint32_t first = 1 + info->hasType + info->hasResult;
  if (wordCount < first)
    return invalid(inst, "the word count " + Twine(wordCount) + " is too small, at least " +
                             Twine(first) + " expected");
  if (info->hasType)
    inst.typeId = words[wordOffset + 1];
  if (info->hasResult)
    inst.resultId = words[wordOffset + first - 1];
  inst.operands = words.slice(wordOffset + first, wordCount - first);
  return true;
}

/// Calls the rules of the instruction's kind. Only dispatch; instructions without a case need no
/// more than the grammar.
bool Reader::checkInstruction(const Inst &inst, const OpInfo &info) {
  if (info.isType)
    return checkType(inst);
  if (info.isConstant)
    return checkConstant(inst) && noteMatrix(inst);
  switch (inst.opcode) {
  case spv::Op::OpCapability:
    return checkCapability(inst);
  case spv::Op::OpExtension:
    return checkExtension(inst);
  case spv::Op::OpExtInstImport:
    return addExtInstImport(inst);
  case spv::Op::OpMemoryModel:
    return checkMemoryModel(inst);
  case spv::Op::OpEntryPoint:
    return addEntryPoint(inst);
  case spv::Op::OpExecutionMode:
  case spv::Op::OpExecutionModeId:
    return addExecutionMode(inst);
  case spv::Op::OpName:
  case spv::Op::OpMemberName:
    return addName(inst);
  case spv::Op::OpVariable:
    return checkVariable(inst);
  case spv::Op::OpUndef:
    return checkUndef(inst);
  default:
    if (calleeOperand(inst))
      calls.push_back(&inst);
    return info.opClass == OpClass::Annotation ? checkAnnotation(inst) : true;
  }
}

bool Reader::readInstruction(Inst &inst, const OpInfo &info) {
  if (!checkLayout(inst, info) || (info.hasType && !checkResultType(inst)) ||
      !checkOperands(inst, info) || (info.hasResult && !defineResult(inst)))
    return false;
  if (section == Section::Function && !checkFunctionState(inst))
    return false;
  return checkInstruction(inst, info);
}

bool Reader::checkModuleEnd() {
  if (!sawMemoryModel)
    return invalid("module has no OpMemoryModel");
  if (functionState != FunctionState::Outside)
    return invalid(*module.funcs.back().definition,
                   "no OpFunctionEnd before the end of the module");
  return true;
}

bool Reader::run(llvm::ArrayRef<uint8_t> bytes) {
  uint32_t count, untypedVariables;
  if (!readWords(bytes) || !readHeader() || !countInstructions(count, untypedVariables))
    return false;
  // One more than counted: the instruction that ends the count is reported from its slot, which may
  // be behind that of another type.
  module.insts.reserve(count + untypedVariables + 2);
  nextTypeId = module.idBound;
  module.ids.setBound(module.idBound + untypedVariables);
  forwardUses.reserve(64);
  size_t end = module.moduleWords.size();
  for (size_t pos = headerWords; pos < end;) {
    const OpInfo *info;
    if (isUntypedVariable(module.moduleWords[pos]))
      module.insts.emplace_back(); // of typeVariable()
    Inst &inst = module.insts.emplace_back();
    if (!splitInstruction(pos, inst, info) || !readInstruction(inst, *info))
      return false;
    pos += module.moduleWords[pos] >> 16;
    if (inst.opcode == spv::Op::OpUntypedVariableKHR &&
        (!typeVariable(inst) || !checkVariable(inst)))
      return false;
  }
  module.declaredBound = std::exchange(module.idBound, nextTypeId);
  return checkModuleEnd() && checkForwardReferences() && finishDecorations() && checkCalls() &&
         finishEntryPoints();
}

static llvm::Expected<std::unique_ptr<Module>> read(llvm::ArrayRef<uint8_t> bytes,
                                                    const Limits &limits, bool kernels) {
  auto module = std::make_unique<Module>();
  Reader reader(*module, limits, kernels);
  if (!reader.run(bytes))
    return reader.takeError();
  return module;
}

llvm::Expected<std::unique_ptr<Module>> Module::parse(llvm::ArrayRef<uint8_t> bytes,
                                                      const Limits &limits) {
  return read(bytes, limits, /*kernels=*/false);
}

llvm::Expected<std::unique_ptr<Module>> parseKernels(llvm::ArrayRef<uint8_t> bytes,
                                                     const Limits &limits) {
  return read(bytes, limits, /*kernels=*/true);
}

} // namespace llpc::spirv
