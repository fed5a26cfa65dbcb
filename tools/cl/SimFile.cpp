//===- SimFile.cpp - one run of a kernel, as Oclgrind's files say it ------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/SimFile.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <optional>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace kiln_cl {

namespace {

struct ElementRow {
  llvm::StringLiteral name;
  Element type;
  uint32_t bytes;
  bool isSigned, isFloat;
};
constexpr ElementRow rows[] = {
    {"char", Element::Char, 1, true, false},   {"uchar", Element::Uchar, 1, false, false},
    {"short", Element::Short, 2, true, false}, {"ushort", Element::Ushort, 2, false, false},
    {"int", Element::Int, 4, true, false},     {"uint", Element::Uint, 4, false, false},
    {"long", Element::Long, 8, true, false},   {"ulong", Element::Ulong, 8, false, false},
    {"float", Element::Float, 4, true, true},  {"double", Element::Double, 8, true, true},
};
const ElementRow &rowOf(Element type) { return rows[static_cast<unsigned>(type)]; }

/// Type of the elements of a parameter: "float4*" has floats.
std::optional<Element> elementOf(StringRef parameterType) {
  for (const ElementRow &row : rows)
    if (parameterType.starts_with(row.name))
      return row.type;
  if (parameterType.starts_with("void*"))
    return Element::Uchar;
  return std::nullopt;
}

constexpr uint64_t maxBytes = 1u << 30;

/// Bytes of a number's text. False: it is none, or does not fit.
bool parseNumber(StringRef text, Element type, bool hex, uint8_t *bytes) {
  const ElementRow &row = rowOf(type);
  if (row.isFloat) {
    double value = 0;
    if (text.getAsDouble(value))
      return false;
    const float single = static_cast<float>(value);
    std::memcpy(bytes, row.bytes == 4 ? static_cast<const void *>(&single) : &value, row.bytes);
    return true;
  }
  const bool isNegative = text.consume_front("-");
  if (hex)
    text.consume_front("0x");
  uint64_t value = 0;
  if (text.getAsInteger(hex ? 16 : 10, value))
    return false;
  const unsigned bits = row.bytes * 8;
  const uint64_t most = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  if (value > most || (isNegative && value > most / 2 + 1))
    return false;
  value = isNegative ? -value : value;
  std::memcpy(bytes, &value, row.bytes);
  return true;
}

} // namespace

uint32_t bytesOf(Element type) { return rowOf(type).bytes; }

std::string textOf(Element type, const uint8_t *bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const ElementRow &row = rowOf(type);
  if (row.isFloat) {
    float single = 0;
    double value = 0;
    std::memcpy(row.bytes == 4 ? static_cast<void *>(&single) : &value, bytes, row.bytes);
    os << llvm::format("%g", row.bytes == 4 ? double(single) : value);
    return text;
  }
  uint64_t value = 0;
  std::memcpy(&value, bytes, row.bytes);
  if (row.isSigned)
    os << llvm::SignExtend64(value, row.bytes * 8);
  else
    os << value;
  return text;
}

Error SimReader::wrong(const Twine &message) const {
  return lgc::invalidInput("line " + Twine(line) + ": " + message);
}

/// Blanks and comments.
void SimReader::skip() {
  while (!rest.empty()) {
    if (rest.front() == '#')
      rest = rest.drop_while([](char c) { return c != '\n'; });
    else if (llvm::isSpace(rest.front())) {
      line += rest.front() == '\n';
      rest = rest.drop_front();
    } else {
      break;
    }
  }
}

Expected<StringRef> SimReader::word(StringRef what) {
  skip();
  const StringRef text = rest.take_until([](char c) { return llvm::isSpace(c) || c == '#'; });
  if (text.empty())
    return wrong("the file ends where " + what + " should be");
  rest = rest.drop_front(text.size());
  return text;
}

Expected<uint32_t> SimReader::number(StringRef what) {
  const StringRef text = KILN_TRY(word(what));
  uint32_t value = 0;
  if (text.getAsInteger(10, value) || value == 0)
    return wrong("'" + text + "' is no " + what);
  return value;
}

Expected<SimReader::Launch> SimReader::readLaunch() {
  Launch launch;
  launch.program = KILN_TRY(word("the program")).str();
  launch.kernel = KILN_TRY(word("the kernel")).str();
  for (uint32_t &size : launch.global)
    size = KILN_TRY(number("global size"));
  for (uint32_t &size : launch.local)
    size = KILN_TRY(number("workgroup size"));
  for (unsigned i = 0; i < 3; ++i)
    if (launch.global[i] % launch.local[i])
      return wrong("the global size " + Twine(launch.global[i]) +
                   " is no multiple of the workgroup size " + Twine(launch.local[i]));
  return launch;
}

/// Between '<' and '>'.
Expected<StringRef> SimReader::header() {
  skip();
  if (!rest.consume_front("<"))
    return wrong("expected a header <...>");
  const StringRef text = rest.take_until([](char c) { return c == '>' || c == '\n'; });
  rest = rest.drop_front(text.size());
  if (!rest.consume_front(">"))
    return wrong("the header has no '>'");
  return text;
}

Error SimReader::readNumbers(SimArgument &argument, bool hex) {
  const uint32_t step = bytesOf(argument.type);
  for (size_t at = 0; at < argument.bytes.size(); at += step) {
    const StringRef text = KILN_TRY(word("a number"));
    if (!parseNumber(text, argument.type, hex, &argument.bytes[at]))
      return wrong("'" + text + "' is no " + rowOf(argument.type).name);
  }
  return Error::success();
}

/// All elements the same.
static bool fill(SimArgument &argument, StringRef text, bool hex) {
  const uint32_t step = bytesOf(argument.type);
  uint8_t element[8] = {};
  if (!parseNumber(text, argument.type, hex, element))
    return false;
  for (size_t at = 0; at < argument.bytes.size(); at += step)
    std::memcpy(&argument.bytes[at], element, step);
  return true;
}

/// FIRST:STEP:LAST, where LAST must be the last element.
static bool fillRange(SimArgument &argument, StringRef text, bool hex) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  const ElementRow &row = rowOf(argument.type);
  if (parts.size() != 3 || argument.bytes.empty())
    return false;
  uint8_t values[3][8] = {};
  for (size_t i = 0; i < 3; ++i)
    if (!parseNumber(parts[i], argument.type, hex, values[i]))
      return false;
  uint8_t current[8];
  std::memcpy(current, values[0], sizeof(current));
  for (size_t at = 0; at < argument.bytes.size(); at += row.bytes) {
    std::memcpy(&argument.bytes[at], current, row.bytes);
    if (at + row.bytes == argument.bytes.size())
      break;
    auto add = [&](auto zero) {
      decltype(zero) sum, step;
      std::memcpy(&sum, current, sizeof(sum));
      std::memcpy(&step, values[1], sizeof(step));
      sum = static_cast<decltype(zero)>(sum + step);
      std::memcpy(current, &sum, sizeof(sum));
    };
    if (row.isFloat)
      row.bytes == 4 ? add(0.0f) : add(0.0);
    else
      add(uint64_t(0)); // the low bytes are what counts
  }
  if (!row.isFloat)
    return std::memcmp(current, values[2], row.bytes) == 0;
  // Steps that no float has exactly add up to something near.
  double last = 0, end = 0, step = 0;
  return !parts[2].getAsDouble(end) && !parts[1].getAsDouble(step) &&
         !StringRef(textOf(argument.type, current)).getAsDouble(last) &&
         std::abs(last - end) * 2 < std::abs(step);
}

struct SimReader::Header {
  std::string prefix; ///< of messages
  std::optional<Element> type;
  std::optional<uint64_t> size;
  std::optional<StringRef> filled, range;
  bool hex = false, isUnset = false, hasSampler = false;
};

Error SimReader::readWord(StringRef word, const SimParameter &parameter, Header &header,
                          SimArgument &argument) {
  const auto *row = llvm::find_if(rows, [&](const ElementRow &row) { return row.name == word; });
  const bool isImage = parameter.kind == llpc::KernelArgumentKind::Image;
  uint64_t bytes = 0;
  if (row != std::end(rows)) {
    if (header.type)
      return wrong(header.prefix + "two types");
    header.type = row->type;
  } else if (word == "dump" || word == "null") {
    if (!parameter.isPointer() && !(isImage && word == "dump"))
      return wrong(header.prefix + word + " is for buffers");
    (word == "dump" ? argument.isDumped : argument.isNull) = true;
  } else if (word == "hex") {
    header.hex = true;
  } else if (word == "noinit") {
    header.isUnset = true;
  } else if (word == "ro" || word == "wo") {
    // What the kernel may do with the buffer: ours is not checked for it.
  } else if (word.consume_front("size=") && !word.getAsInteger(10, bytes)) {
    header.size = bytes;
  } else if (word.consume_front("fill=")) {
    header.filled = word;
  } else if (word.consume_front("range=")) {
    header.range = word;
  } else if (word.consume_front("sampler=") &&
             parameter.kind == llpc::KernelArgumentKind::Sampler) {
    const auto sampler = readSampler(word);
    if (!sampler)
      return wrong(header.prefix + "'" + word + "' is no sampler");
    argument.sampler = *sampler;
    header.hasSampler = true;
  } else if (!isImage || !readImageWord(word, argument.image)) {
    return wrong(header.prefix + "'" + word + "' is no word of headers");
  }
  return Error::success();
}

/// Resizes the content; its type is known then, except of __local memory.
Error SimReader::readSize(const SimParameter &parameter, const Header &header,
                          SimArgument &argument) {
  std::optional<uint64_t> size = header.size;
  std::optional<Element> type = header.type;
  if (parameter.kind == llpc::KernelArgumentKind::Image) {
    const ImageWords &image = argument.image;
    if (size || type || !image.channels || !image.bits)
      return wrong(header.prefix + "an image has image=, order=, channel=, no size and no type");
    const unsigned dimensions = dimensionsOf(parameter.dim);
    if (image.dimensions != dimensions)
      return wrong(header.prefix + "image= has " + Twine(image.dimensions) + " numbers, expected " +
                   Twine(dimensions));
    size = image.rowBytes() * image.rows();
    type = image.element;
  }
  if (!size)
    return wrong(header.prefix + "size=BYTES is missing");
  if (*size > maxBytes)
    return lgc::limitExceeded("line " + Twine(line) + ": " + header.prefix + "more than " +
                              Twine(maxBytes) + " bytes");
  argument.bytes.resize(*size);
  if (parameter.kind == llpc::KernelArgumentKind::LocalPointer)
    return Error::success();
  if (!type)
    type = elementOf(parameter.type);
  if (!type)
    return wrong(header.prefix + "the header must say the type of the numbers");
  argument.type = *type;
  if (*size % bytesOf(*type))
    return wrong(header.prefix + "the size is no multiple of the type's");
  return Error::success();
}

Error SimReader::readContent(const Header &header, SimArgument &argument) {
  if (header.isUnset) // no numbers
    return Error::success();
  if (header.filled ? fill(argument, *header.filled, header.hex)
                    : header.range && fillRange(argument, *header.range, header.hex))
    return Error::success();
  if (header.filled || header.range)
    return wrong(header.prefix + "'" + header.filled.value_or(header.range.value_or("")) +
                 "' does not fit");
  return readNumbers(argument, header.hex);
}

Expected<SimArgument> SimReader::readArgument(const SimParameter &parameter) {
  Header header;
  header.prefix = "argument " + parameter.name + ": ";
  const StringRef text = KILN_TRY(this->header());
  SimArgument argument;
  llvm::SmallVector<StringRef, 6> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    KILN_TRY(readWord(word, parameter, header, argument));
  if (argument.isNull && (header.size || header.filled || header.range || argument.isDumped))
    return wrong(header.prefix + "null goes with nothing else");
  if (argument.isNull)
    return argument;
  if (parameter.kind == llpc::KernelArgumentKind::Sampler) {
    if (!header.hasSampler || words.size() != 1)
      return wrong(header.prefix + "a sampler has sampler= and nothing else");
    return argument;
  }
  KILN_TRY(readSize(parameter, header, argument));
  if (parameter.kind != llpc::KernelArgumentKind::LocalPointer)
    KILN_TRY(readContent(header, argument));
  return argument;
}

Error SimReader::readEnd() {
  skip();
  if (rest.empty())
    return Error::success();
  return wrong("'" + rest.take_until([](char c) { return llvm::isSpace(c); }) +
               "' behind the last argument");
}

} // namespace kiln_cl
