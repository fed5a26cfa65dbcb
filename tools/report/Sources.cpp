//===- Sources.cpp - source text of a shader ------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Sources.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <spirv/unified1/spirv.hpp11>

using llvm::ArrayRef;
using llvm::StringRef;

namespace report {

namespace {

constexpr size_t headerWords = 5;

struct Op {
  spv::Op opcode;
  ArrayRef<uint32_t> operands; ///< result type and id included
};

/// The reader has checked that instructions end where the module ends; this holds for any words.
std::vector<Op> opsOf(ArrayRef<uint32_t> words) {
  std::vector<Op> ops;
  for (size_t at = headerWords; at < words.size();) {
    const size_t count = words[at] >> 16;
    if (!count || count > words.size() - at)
      break;
    ops.push_back({spv::Op(words[at] & 0xFFFF), words.slice(at + 1, count - 1)});
    at += count;
  }
  return ops;
}

StringRef literal(ArrayRef<uint32_t> words) {
  const StringRef bytes(reinterpret_cast<const char *>(words.data()), words.size() * 4);
  return bytes.take_until([](char c) { return c == '\0'; });
}

const char *languageName(uint32_t language) {
  constexpr const char *names[] = {"",     "ESSL",           "GLSL", "OpenCL C", "OpenCL C++",
                                   "HLSL", "C++ for OpenCL", "SYCL", "HERO C",   "NZSL",
                                   "WGSL", "Slang",          "Zig"};
  return language < std::size(names) ? names[language] : "";
}

/// glslang writes options in front of the text, where the module's version has no place for them.
StringRef withoutPreamble(StringRef text) {
  constexpr StringRef end = "#line 1\n";
  if (!text.starts_with("// OpModuleProcessed"))
    return text;
  const size_t at = text.find(end);
  return at == StringRef::npos ? text : text.drop_front(at + end.size());
}

void addWord(std::vector<uint32_t> &words, spv::Op opcode, ArrayRef<uint32_t> operands) {
  words.push_back(uint32_t(operands.size() + 1) << 16 | uint32_t(opcode));
  words.insert(words.end(), operands.begin(), operands.end());
}

bool isAroundFunction(spv::Op opcode) {
  return llvm::is_contained(
      {spv::Op::OpFunction, spv::Op::OpFunctionParameter, spv::Op::OpFunctionEnd, spv::Op::OpLabel},
      opcode);
}

/// Behind these comes the branch, with nothing in between.
bool isMerge(spv::Op opcode) {
  return opcode == spv::Op::OpSelectionMerge || opcode == spv::Op::OpLoopMerge;
}

/// Line of each instruction: comments are skipped, and strings may hold ends of lines.
std::vector<uint32_t> linesOf(StringRef text) {
  std::vector<uint32_t> lines;
  uint32_t line = 1;
  bool isStart = true, isComment = false, isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isStart && !isString && c != ' ' && c != '\n') {
      isComment = c == ';';
      if (!isComment)
        lines.push_back(line);
      isStart = false;
    }
    if (isString && c == '\\')
      ++i;
    else if (c == '"' && !isComment)
      isString = !isString;
    if (i < text.size() && text[i] == '\n') {
      ++line;
      if (!isString)
        isStart = true;
    }
  }
  return lines;
}

} // namespace

std::vector<Source> sourcesOf(ArrayRef<uint32_t> words) {
  std::map<uint32_t, StringRef> strings;
  std::vector<Source> result;
  constexpr uint32_t debugSource = 35, debugSourceContinued = 102;
  for (const Op &op : opsOf(words)) {
    const ArrayRef<uint32_t> o = op.operands;
    auto string = [&](size_t i) {
      const auto found = i < o.size() ? strings.find(o[i]) : strings.end();
      return found == strings.end() ? StringRef() : found->second;
    };
    const bool isExtension = op.opcode == spv::Op::OpExtInst && o.size() > 4;
    if (op.opcode == spv::Op::OpString && o.size() > 1)
      strings[o[0]] = literal(o.drop_front());
    else if (op.opcode == spv::Op::OpSource && o.size() > 3)
      result.push_back({string(2).str(), languageName(o[0]), literal(o.drop_front(3)).str()});
    else if (op.opcode == spv::Op::OpSourceContinued && !result.empty())
      result.back().text += literal(o);
    else if (isExtension && o[3] == debugSource && o.size() > 5 && !string(5).empty())
      result.push_back({string(4).str(), "", string(5).str()});
    else if (isExtension && o[3] == debugSourceContinued && !result.empty())
      result.back().text += string(4);
  }
  for (Source &source : result)
    source.text = withoutPreamble(source.text).str();
  llvm::erase_if(result, [](const Source &source) { return source.text.empty(); });
  return result;
}

/// Of each line that which is not blank; none if two are different.
static std::optional<std::string> mergedLines(StringRef a, StringRef b) {
  std::string merged;
  while (!a.empty() || !b.empty()) {
    auto [lineOfA, restOfA] = a.split('\n');
    auto [lineOfB, restOfB] = b.split('\n');
    const bool isBlank = lineOfA.trim().empty();
    if (!isBlank && !lineOfB.trim().empty() && lineOfA != lineOfB)
      return std::nullopt;
    merged += isBlank ? lineOfB : lineOfA;
    a = restOfA;
    b = restOfB;
    if (!a.empty() || !b.empty())
      merged += '\n';
  }
  return merged;
}

void addSource(std::vector<Source> &sources, Source added) {
  for (Source &known : sources) {
    if (known.name != added.name || known.language != added.language)
      continue;
    if (std::optional<std::string> text = mergedLines(known.text, added.text)) {
      known.text = std::move(*text);
      return;
    }
  }
  sources.push_back(std::move(added));
}

bool hasLines(ArrayRef<uint32_t> words) {
  constexpr uint32_t debugLine = 103;
  return llvm::any_of(opsOf(words), [&](const Op &op) {
    return op.opcode == spv::Op::OpLine || (op.opcode == spv::Op::OpExtInst &&
                                            op.operands.size() > 8 && op.operands[3] == debugLine);
  });
}

std::optional<DisassemblyLines> addDisassemblyLines(ArrayRef<uint32_t> words, StringRef text,
                                                    StringRef name) {
  DisassemblyLines result{{name.str(), "SPIR-V", text.str()}, {}};
  const std::vector<Op> ops = opsOf(words);
  const std::vector<uint32_t> lines = linesOf(text);
  if (words.size() < headerWords || lines.size() != ops.size())
    return std::nullopt;
  result.words.assign(words.begin(), words.begin() + headerWords);
  const uint32_t file = result.words[3]++; // the bound
  std::vector<uint32_t> string = {file};
  string.resize(1 + name.size() / 4 + 1);
  llvm::copy(name, reinterpret_cast<char *>(string.data() + 1));
  size_t lastOfModes = 0;
  for (size_t i = 0; i < ops.size(); ++i)
    if (llvm::is_contained(
            {spv::Op::OpEntryPoint, spv::Op::OpExecutionMode, spv::Op::OpExecutionModeId},
            ops[i].opcode))
      lastOfModes = i;
  bool isInFunction = false;
  for (size_t i = 0; i < ops.size(); ++i) {
    const Op &op = ops[i];
    isInFunction |= op.opcode == spv::Op::OpFunction;
    if (isInFunction && !isAroundFunction(op.opcode) && !isMerge(ops[i - 1].opcode))
      addWord(result.words, spv::Op::OpLine, {file, lines[i], 0});
    addWord(result.words, op.opcode, op.operands);
    if (i == lastOfModes)
      addWord(result.words, spv::Op::OpString, string);
    isInFunction &= op.opcode != spv::Op::OpFunctionEnd;
  }
  return result;
}

} // namespace report
