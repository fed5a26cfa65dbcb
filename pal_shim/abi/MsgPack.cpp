//===- MsgPack.cpp - guarded access to MsgPack documents ------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/MsgPack.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using msgpack::DocNode;
using msgpack::Type;

namespace pal::abi {
namespace {

/// A container whose elements are still to come.
struct OpenContainer {
  uint64_t remaining; ///< objects, a map counts keys and values
  bool isMap;
};

StringRef blobText(ArrayRef<uint8_t> blob) {
  return StringRef(reinterpret_cast<const char *>(blob.data()), blob.size());
}

} // namespace

Error checkMsgPack(ArrayRef<uint8_t> blob) {
  if (blob.size() > maxMsgPackBytes)
    return tooLarge("metadata of " + Twine(blob.size()) + " bytes, the limit is " +
                    Twine(maxMsgPackBytes));
  msgpack::Reader reader(blobText(blob));
  SmallVector<OpenContainer, maxMsgPackDepth> open;
  uint64_t objects = 0;
  while (true) {
    msgpack::Object object;
    Expected<bool> more = reader.read(object);
    if (!more) {
      std::string reason = toString(more.takeError());
      return malformed("metadata: object " + Twine(objects) + ": " + reason);
    }
    if (!*more)
      return malformed("metadata: ends after " + Twine(objects) + " objects, more are announced");
    if (++objects > maxMsgPackObjects)
      return tooLarge("metadata: more than " + Twine(maxMsgPackObjects) + " objects");
    bool isKey = !open.empty() && open.back().isMap && open.back().remaining % 2 == 0;
    if (!open.empty())
      --open.back().remaining;
    if (isKey && object.Kind != Type::String && object.Kind != Type::UInt)
      return malformed("metadata: object " + Twine(objects - 1) +
                       ": map key is neither string nor unsigned integer");
    if (object.Kind == Type::Extension)
      return malformed("metadata: object " + Twine(objects - 1) + ": extension type");
    if (object.Kind == Type::Array || object.Kind == Type::Map) {
      bool isMap = object.Kind == Type::Map;
      open.push_back({uint64_t(object.Length) * (isMap ? 2 : 1), isMap});
      if (open.size() > maxMsgPackDepth)
        return tooLarge("metadata: nested more than " + Twine(maxMsgPackDepth) + " deep");
    }
    while (!open.empty() && open.back().remaining == 0)
      open.pop_back();
    if (open.empty())
      break;
  }
  msgpack::Object trailing;
  Expected<bool> more = reader.read(trailing);
  if (!more)
    consumeError(more.takeError());
  if (!more || *more)
    return malformed("metadata: bytes after the root object");
  return Error::success();
}

Error readMsgPack(msgpack::Document &document, ArrayRef<uint8_t> blob) {
  KILN_TRY(checkMsgPack(blob));
  if (!document.readFromBlob(blobText(blob), /*Multi=*/false))
    return malformed("metadata: a map has the same key twice");
  return Error::success();
}

std::optional<uint64_t> asUInt(const DocNode &node) {
  if (node.isEmpty())
    return std::nullopt;
  if (node.getKind() == Type::UInt)
    return node.getUInt();
  if (node.getKind() == Type::Int && node.getInt() >= 0)
    return uint64_t(node.getInt());
  return std::nullopt;
}

std::optional<bool> asBool(const DocNode &node) {
  if (!node.isEmpty() && node.getKind() == Type::Boolean)
    return node.getBool();
  std::optional<uint64_t> value = asUInt(node);
  if (value && *value <= 1)
    return *value == 1;
  return std::nullopt;
}

std::optional<StringRef> asString(const DocNode &node) {
  if (node.isEmpty() || node.getKind() != Type::String)
    return std::nullopt;
  return node.getString();
}

msgpack::ArrayDocNode *asArray(DocNode &node) {
  return !node.isEmpty() && node.isArray() ? &node.getArray() : nullptr;
}

msgpack::MapDocNode *asMap(DocNode &node) {
  return !node.isEmpty() && node.isMap() ? &node.getMap() : nullptr;
}

DocNode *lookup(msgpack::MapDocNode map, StringRef key) {
  auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

StringRef kindName(const DocNode &node) {
  if (node.isEmpty())
    return "nothing";
  switch (node.getKind()) {
  case Type::Int:
    return "negative integer";
  case Type::UInt:
    return "integer";
  case Type::Nil:
    return "nil";
  case Type::Boolean:
    return "boolean";
  case Type::Float:
    return "float";
  case Type::String:
    return "string";
  case Type::Binary:
    return "binary";
  case Type::Array:
    return "array";
  case Type::Map:
    return "map";
  case Type::Extension:
  case Type::Empty:
    break;
  }
  return "nothing";
}

namespace {

/// Recursion is bounded by maxMsgPackDepth for documents from readMsgPack.
class YamlPrinter {
public:
  explicit YamlPrinter(raw_ostream &os) : os(os) {}

  void printRoot(DocNode &node) {
    if (isBlock(node))
      printBlock(node, 0, /*continued=*/true);
    else
      printInline(node);
    os << '\n';
  }

private:
  static bool isBlock(DocNode &node) {
    if (msgpack::MapDocNode *map = asMap(node))
      return !map->empty();
    msgpack::ArrayDocNode *array = asArray(node);
    if (!array)
      return false;
    for (DocNode &element : *array)
      if (asMap(element) || asArray(element))
        return true;
    return false;
  }

  /// Prints without a final line break. \p continued: the cursor already is at column \p indent.
  void printBlock(DocNode &node, unsigned indent, bool continued) {
    auto startLine = [&] {
      if (!continued) {
        os << '\n';
        os.indent(indent);
      }
      continued = false;
    };
    if (msgpack::MapDocNode *map = asMap(node)) {
      for (auto &[mapKey, value] : *map) {
        startLine();
        DocNode keyNode = mapKey;
        printInline(keyNode);
        os << ':';
        printValue(value, indent + 2);
      }
    } else if (msgpack::ArrayDocNode *array = asArray(node)) {
      for (DocNode &element : *array) {
        startLine();
        os << "- ";
        if (isBlock(element))
          printBlock(element, indent + 2, /*continued=*/true);
        else
          printInline(element);
      }
    }
  }

  void printValue(DocNode &value, unsigned indent) {
    if (isBlock(value))
      return printBlock(value, indent, /*continued=*/false);
    os << ' ';
    printInline(value);
  }

  void printInline(DocNode &node) {
    if (std::optional<uint64_t> number = asUInt(node)) {
      if (*number >= 4096)
        os << hex(*number);
      else
        os << *number;
      return;
    }
    if (msgpack::ArrayDocNode *array = asArray(node)) {
      os << '[';
      bool first = true;
      for (DocNode &element : *array) {
        os << (first ? "" : ", ");
        first = false;
        printInline(element);
      }
      os << ']';
      return;
    }
    if (asMap(node)) {
      os << "{}";
      return;
    }
    printScalar(node);
  }

  void printScalar(DocNode &node) {
    if (node.isEmpty()) {
      os << "null";
      return;
    }
    switch (node.getKind()) {
    case Type::Int:
      os << node.getInt();
      return;
    case Type::Boolean:
      os << (node.getBool() ? "true" : "false");
      return;
    case Type::Float:
      os << node.getFloat();
      return;
    case Type::String:
      printString(node.getString());
      return;
    case Type::Binary: {
      StringRef bytes = node.getBinary().getBuffer();
      os << "!!binary \"" << toHex(bytes.take_front(64)) << (bytes.size() > 64 ? "..." : "")
         << "\" # " << bytes.size() << " bytes";
      return;
    }
    default:
      os << "null";
    }
  }

  void printString(StringRef text) {
    bool plain = !text.empty();
    for (char c : text)
      plain &= isAlnum(c) || c == '_' || c == '.';
    if (plain && !isDigit(text[0])) {
      os << text;
      return;
    }
    os << '"';
    for (unsigned char c : text) {
      if (c == '"' || c == '\\')
        os << '\\' << char(c);
      else if (c < 0x20 || c >= 0x7F)
        os << "\\x" << hexdigit(c >> 4) << hexdigit(c & 15);
      else
        os << char(c);
    }
    os << '"';
  }

  raw_ostream &os;
};

} // namespace

void printYaml(raw_ostream &os, DocNode &node) { YamlPrinter(os).printRoot(node); }

} // namespace pal::abi
