//===- SpirvTools.cpp - assembler, disassembler and validator -------------===//
// SPDX-License-Identifier: MIT
#include "tools/frontend/SpirvTools.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include <cstring>
#include <memory>
#include <optional>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.hpp11>

using llvm::StringRef;
using llvm::Twine;

namespace frontend {

namespace {

struct ContextDeleter {
  void operator()(spv_context_t *context) const { spvContextDestroy(context); }
};
using Context = std::unique_ptr<spv_context_t, ContextDeleter>;

struct DiagnosticDeleter {
  void operator()(spv_diagnostic_t *diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
using Diagnostic = std::unique_ptr<spv_diagnostic_t, DiagnosticDeleter>;

std::string messageOf(const Diagnostic &diagnostic, StringRef fallback) {
  StringRef text = diagnostic && diagnostic->error ? StringRef(diagnostic->error) : fallback;
  return text.rtrim().str();
}

/// The version that a disassembler wrote above the text ("; Version: 1.3"); nothing without it.
std::optional<spv_target_env> environmentOf(StringRef text) {
  static constexpr spv_target_env environments[] = {
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
      SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  while (text.consume_front(";")) {
    StringRef line = text.take_until([](char c) { return c == '\n'; });
    unsigned minor = 0;
    StringRef rest = line.trim();
    if (rest.consume_front("Version: 1.") && !rest.consumeInteger(10, minor) && minor <= 6)
      return environments[minor];
    text = text.drop_front(line.size()).ltrim();
  }
  return std::nullopt;
}

/// Text without a version is taken for 1.6, unless its entry points show that it was written for
/// 1.3 or before: from 1.4 on they must list all module-scope variables that they use, before they
/// must list inputs and outputs only.
bool isBefore14(llvm::ArrayRef<uint32_t> words) {
  constexpr size_t headerWords = 5;
  llvm::DenseSet<uint32_t> otherVariables; // neither inputs nor outputs
  llvm::SmallVector<uint32_t, 16> listed;
  for (size_t at = headerWords; at < words.size();) {
    size_t count = words[at] >> 16;
    auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    if (count == 0 || at + count > words.size())
      return false;
    llvm::ArrayRef<uint32_t> inst = words.slice(at, count);
    if (opcode == spv::Op::OpFunction)
      break;
    if (opcode == spv::Op::OpEntryPoint) {
      size_t nameEnd = 3;
      while (nameEnd < count && inst[nameEnd] >> 24) // the name's last word ends in a zero byte
        ++nameEnd;
      listed.append(inst.begin() + std::min(nameEnd + 1, count), inst.end());
    }
    if (opcode == spv::Op::OpVariable && count >= 4 &&
        static_cast<spv::StorageClass>(inst[3]) != spv::StorageClass::Input &&
        static_cast<spv::StorageClass>(inst[3]) != spv::StorageClass::Output)
      otherVariables.insert(inst[2]);
    at += count;
  }
  return !otherVariables.empty() &&
         llvm::none_of(listed, [&](uint32_t id) { return otherVariables.contains(id); });
}

spv_target_env validatorEnvironment(StringRef targetEnv) {
  if (targetEnv == "spirv")
    return SPV_ENV_UNIVERSAL_1_6;
  if (targetEnv == "vulkan1.0")
    return SPV_ENV_VULKAN_1_0;
  if (targetEnv == "vulkan1.1")
    return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  if (targetEnv == "vulkan1.2")
    return SPV_ENV_VULKAN_1_2;
  return SPV_ENV_VULKAN_1_3;
}

} // namespace

llvm::Expected<std::vector<uint8_t>> assembleSpirv(const std::string &text) {
  std::optional<spv_target_env> environment = environmentOf(StringRef(text).ltrim());
  Context context(spvContextCreate(environment.value_or(SPV_ENV_UNIVERSAL_1_6)));
  spv_binary binary = nullptr;
  spv_diagnostic rawDiagnostic = nullptr;
  spv_result_t result = spvTextToBinaryWithOptions(context.get(), text.data(), text.size(),
                                                   SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
                                                   &binary, &rawDiagnostic);
  Diagnostic diagnostic(rawDiagnostic);
  if (result != SPV_SUCCESS || !binary) {
    std::string place;
    if (diagnostic)
      place = (Twine("line ") + Twine(diagnostic->position.line + 1) + ", column " +
               Twine(diagnostic->position.column + 1) + ": ")
                  .str();
    return lgc::invalidInput(place + messageOf(diagnostic, "cannot assemble"));
  }
  constexpr uint32_t version13 = 0x00010300;
  if (!environment && isBefore14({binary->code, binary->wordCount}))
    binary->code[1] = version13;
  std::vector<uint8_t> bytes(binary->wordCount * 4);
  std::memcpy(bytes.data(), binary->code, bytes.size());
  spvBinaryDestroy(binary);
  return bytes;
}

std::string disassembleSpirv(llvm::ArrayRef<uint32_t> words) {
  Context context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6));
  spv_text text = nullptr;
  spv_diagnostic rawDiagnostic = nullptr;
  spv_result_t result =
      spvBinaryToText(context.get(), words.data(), words.size(),
                      SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                      &text, &rawDiagnostic);
  Diagnostic diagnostic(rawDiagnostic);
  if (result != SPV_SUCCESS || !text)
    return "; no disassembly: " + messageOf(diagnostic, "unknown module") + "\n";
  std::string copy(text->str, text->length);
  spvTextDestroy(text);
  return copy;
}

/// Larger modules are named by numbers in messages of the validator.
constexpr size_t maxWordsWithNames = 1 << 16;

llvm::Error validateSpirv(llvm::ArrayRef<uint32_t> words, StringRef targetEnv,
                          std::vector<std::string> &warnings) {
  Context context(spvContextCreate(validatorEnvironment(targetEnv)));
  std::unique_ptr<spv_validator_options_t, decltype(&spvValidatorOptionsDestroy)> validator(
      spvValidatorOptionsCreate(), &spvValidatorOptionsDestroy);
  // Layout rules depend on features that the application enables; no module that some device takes
  // may be refused here.
  spvValidatorOptionsSetScalarBlockLayout(validator.get(), true);
  spvValidatorOptionsSetWorkgroupScalarBlockLayout(validator.get(), true);
  spv_const_binary_t binary = {words.data(), words.size()};
  // Making names distinct takes the square of the number of equal ones. Only messages need them.
  spvValidatorOptionsSetFriendlyNames(validator.get(), false);
  if (spvValidateWithOptions(context.get(), validator.get(), &binary, nullptr) == SPV_SUCCESS)
    return llvm::Error::success();
  spvValidatorOptionsSetFriendlyNames(validator.get(), words.size() < maxWordsWithNames);
  spv_diagnostic rawDiagnostic = nullptr;
  spvValidateWithOptions(context.get(), validator.get(), &binary, &rawDiagnostic);
  Diagnostic diagnostic(rawDiagnostic);
  std::string message = messageOf(diagnostic, "not valid");
  // Our reader has accepted the module with newer grammar tables, so these only show the age.
  static constexpr StringRef unknownEnumerant =
      "^Invalid opcode|^Invalid [A-Za-z ]*operand: [0-9]+|^Invalid mask operand|"
      "^Invalid [A-Za-z]+ [0-9]+$|Found unknown";
  if (llvm::Regex(unknownEnumerant).match(message)) {
    warnings.push_back("the installed SPIR-V validator is too old for this module: " + message);
    return llvm::Error::success();
  }
  // It leaves out one level of arrays only, where interfaces by vertex and declared arrays have two
  // (Vulkan, "Component Assignment").
  if (StringRef(message).contains("StandaloneSpirv-Component-04924")) {
    warnings.push_back("not checked by the SPIR-V validator: " + message);
    return llvm::Error::success();
  }
  // LLVM writes zeros of OpConstantNull as indices, and arrays as formats of printf. Our reader
  // takes both, and no debug information of this set.
  if (targetEnv == "spirv" &&
      (StringRef(message).contains("to index into a structure must be an OpConstant") ||
       StringRef(message).starts_with("OpenCL.DebugInfo.100 ") ||
       StringRef(message).contains("printf: expected Format data type to be 8-bit int"))) {
    warnings.push_back("not checked by the SPIR-V validator: " + message);
    return llvm::Error::success();
  }
  return lgc::invalidInput("SPIR-V validation: " + StringRef(message).split('\n').first);
}

} // namespace frontend
