//===- StateReader.cpp - named metadata -> PipelineState ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/StateFields.h"
#include "lgc/StateMetadata.h"
#include "lgc/ir/StateNodes.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using namespace metadata;

namespace {

Error shapeError(StringRef node, const Twine &what) {
  return invalidInput("metadata !" + node + ": " + what);
}

/// True and the value when operand `index` is an integer constant of at most 64 bits.
bool readInt(const MDNode &node, unsigned index, uint64_t &value) {
  if (index >= node.getNumOperands())
    return false;
  auto *constant = dyn_cast_or_null<ConstantAsMetadata>(node.getOperand(index).get());
  auto *number = constant ? dyn_cast<ConstantInt>(constant->getValue()) : nullptr;
  if (!number || number->getBitWidth() > 64)
    return false;
  value = number->getZExtValue();
  return true;
}

bool readU32(const MDNode &node, unsigned index, uint32_t &value) {
  uint64_t wide = 0;
  if (!readInt(node, index, wide) || wide > UINT32_MAX)
    return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

std::optional<StringRef> readString(const MDNode &node, unsigned index) {
  if (index >= node.getNumOperands())
    return std::nullopt;
  auto *string = dyn_cast_or_null<MDString>(node.getOperand(index).get());
  return string ? std::optional<StringRef>(string->getString()) : std::nullopt;
}

std::optional<ResourceNodeType> parseNodeType(StringRef name) {
  for (unsigned i = 0; i < static_cast<unsigned>(ResourceNodeType::Count); ++i)
    if (name == resourceNodeTypeName(static_cast<ResourceNodeType>(i)))
      return static_cast<ResourceNodeType>(i);
  return std::nullopt;
}

/// Reads a node's operands one after the other and remembers the first of a wrong shape.
struct ValueReader {
  const MDNode &node;
  unsigned next; ///< operand
  std::optional<unsigned> wrong = std::nullopt;

  void check(bool ok) {
    if (!ok && !wrong)
      wrong = next;
    ++next;
  }
  void operator()(uint32_t &value) { check(readU32(node, next, value)); }
  void operator()(bool &value) {
    uint32_t number = 0;
    check(readU32(node, next, number) && number <= 1);
    value = number != 0;
  }
  void operator()(std::string &value) {
    std::optional<StringRef> text = readString(node, next);
    check(text.has_value());
    value = text.value_or("").str();
  }
  void operator()(VertexInputRate &value) {
    bool perInstance = false;
    (*this)(perInstance);
    value = perInstance ? VertexInputRate::Instance : VertexInputRate::Vertex;
  }
  void operator()(ResourceNodeType &value) {
    auto type = parseNodeType(readString(node, next).value_or(""));
    check(type.has_value());
    value = type.value_or(ResourceNodeType::Unknown);
  }
  void operator()(TexelFormat &value) {
    std::optional<StringRef> text = readString(node, next);
    check(text && parseTexelFormat(text->str(), value));
  }
  template <size_t N> void operator()(std::array<uint32_t, N> &values) {
    for (uint32_t &value : values)
      (*this)(value);
  }
  void operator()(uint64_t (&hash)[2]) {
    for (uint64_t &half : hash)
      check(readInt(node, next, half));
  }
  void operator()(FloatMode &mode) {
    mode = {};
    while (next < node.getNumOperands()) {
      const StringRef flag = readString(node, next).value_or("");
      const auto *found =
          find_if(floatModeFlags, [&](const auto &row) { return flag == row.first; });
      if (found != std::end(floatModeFlags))
        mode.*found->second = true;
      check(found != std::end(floatModeFlags));
    }
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum &value) {
    const auto &names = Enumerators<Enum>::names;
    const auto *found = find(names, readString(node, next).value_or(""));
    check(found != std::end(names));
    if (found != std::end(names))
      value = static_cast<Enum>(found - std::begin(names));
  }
};

/// Reads each field whose key is present; remembers the first field of a wrong shape.
template <typename State> struct FieldReader {
  StringMap<const MDNode *> &nodes; ///< by key; consumed keys are erased
  State &state;
  std::string &wrong;

  const MDNode *take(StringRef name) {
    auto found = nodes.find(name);
    if (found == nodes.end())
      return nullptr;
    const MDNode *node = found->second;
    nodes.erase(found);
    return node;
  }
  void check(StringRef name, bool ok) {
    if (!ok && wrong.empty())
      wrong = name.str();
  }
  void field(const Field &f, auto member) {
    const MDNode *node = take(f.name);
    if (!node)
      return;
    ValueReader reader{*node, 1};
    reader(state.*member);
    check(f.name, !reader.wrong);
  }
  void stages(const Field &f, uint32_t State::*member) {
    const MDNode *node = take(f.name);
    for (unsigned i = 1; node && i < node->getNumOperands(); ++i) {
      const auto *found = find(stageKeys, readString(*node, i).value_or(""));
      check(f.name, found != std::end(stageKeys));
      if (found != std::end(stageKeys))
        state.*member |= 1u << (found - std::begin(stageKeys));
    }
  }
  template <typename Inner> void nested(const char *, Inner State::*member) {
    FieldReader<Inner> reader{nodes, state.*member, wrong};
    visitFields(reader, static_cast<Inner *>(nullptr));
  }
  template <typename Base> void base(Base *list) { visitFields(*this, list); }
  void separate(auto) {}
};

/// All fields of an element of a list, in their order.
template <typename Element> struct ElementReader {
  Element &element;
  ValueReader &read;

  void field(const Field &, auto member) { read(element.*member); }
  void separate(auto) {}
};

template <typename Element> void readElement(ValueReader &read, Element &element) {
  ElementReader<Element> reader{element, read};
  visitFields(reader, static_cast<Element *>(nullptr));
}

template <typename State> Error readFields(const Module &module, StringRef name, State &state) {
  const NamedMDNode *list = module.getNamedMetadata(name);
  if (!list)
    return Error::success();
  StringMap<const MDNode *> nodes;
  std::string wrong;
  FieldReader<State> reader{nodes, state, wrong};
  for (const MDNode *node : list->operands()) {
    std::optional<StringRef> key = readString(*node, 0);
    if (!key)
      return shapeError(name, "an entry does not begin with a key");
    if (!nodes.try_emplace(*key, node).second)
      return shapeError(name, "key '" + *key + "' occurs twice");
  }
  visitFields(reader, static_cast<State *>(nullptr));
  if (!wrong.empty())
    return shapeError(name, "value of '" + wrong + "' has a wrong shape");
  if (!nodes.empty())
    return shapeError(name, "unknown key '" + nodes.begin()->getKey() + "'");
  return Error::success();
}

Error readNode(const MDNode &md, ResourceNode &node, unsigned depth) {
  const StringRef typeName = readString(md, 0).value_or("");
  if (!parseNodeType(typeName))
    return shapeError(userDataNode, "unknown resource node type '" + typeName + "'");
  ValueReader reader{md, 0};
  readElement(reader, node);
  if (reader.wrong)
    return shapeError(userDataNode, typeName + ": operand " + Twine(*reader.wrong) + " is no i32");
  for (unsigned i = reader.next; i < md.getNumOperands(); ++i) {
    const auto *child = dyn_cast_or_null<MDNode>(md.getOperand(i).get());
    if (!child || depth >= maxTableDepth)
      return shapeError(userDataNode, typeName + ": operand " + Twine(i) + " is no table entry");
    KILN_TRY(readNode(*child, node.table.emplace_back(), depth + 1));
  }
  return Error::success();
}

Error readStaticDescriptor(const MDNode &md, StaticDescriptor &descriptor) {
  const StringRef typeName = readString(md, 0).value_or("");
  if (!parseNodeType(typeName))
    return shapeError(staticDescriptorsNode, "unknown resource node type '" + typeName + "'");
  ValueReader reader{md, 0};
  readElement(reader, descriptor);
  while (reader.next < md.getNumOperands())
    reader(descriptor.dwords.emplace_back());
  if (reader.wrong)
    return shapeError(staticDescriptorsNode, typeName + ": operands are not all i32");
  return Error::success();
}

Error readMapping(const Module &module, ResourceMapping &mapping) {
  if (const NamedMDNode *list = module.getNamedMetadata(userDataNode))
    for (const MDNode *md : list->operands())
      KILN_TRY(readNode(*md, mapping.roots.emplace_back(), 0));
  if (const NamedMDNode *list = module.getNamedMetadata(staticDescriptorsNode))
    for (const MDNode *md : list->operands())
      KILN_TRY(readStaticDescriptor(*md, mapping.staticDescriptors.emplace_back()));
  return Error::success();
}

Error readList(const Module &module, StringRef name, function_ref<bool(ValueReader)> read) {
  if (const NamedMDNode *list = module.getNamedMetadata(name))
    for (const MDNode *node : list->operands())
      if (!read({*node, 0}))
        return shapeError(name, "an entry has a wrong shape");
  return Error::success();
}

template <typename Element>
Error readElements(const Module &module, StringRef name, std::vector<Element> &elements) {
  return readList(module, name, [&](ValueReader reader) {
    readElement(reader, elements.emplace_back());
    return !reader.wrong;
  });
}

Error readGraphics(const Module &module, GraphicsState &graphics) {
  KILN_TRY(readFields(module, graphicsNode, graphics));
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    KILN_TRY(readFields(module, shaderNodes[i], graphics.shaders[i]));
  KILN_TRY(readElements(module, bindingsNode, graphics.vertexBindings));
  KILN_TRY(readElements(module, attributesNode, graphics.vertexAttributes));
  return readList(module, targetsNode, [&](ValueReader reader) {
    uint32_t index = 0;
    reader(index);
    if (reader.wrong || index >= graphics.targets.size())
      return false;
    ColorTarget &target = graphics.targets[index];
    readElement(reader, target);
    return !reader.wrong && target.writeMask <= 0xF;
  });
}

} // namespace

Expected<PipelineState> readState(const Module &module) {
  PipelineState state;
  const NamedMDNode *target = module.getNamedMetadata(targetNode);
  if (target) {
    std::optional<StringRef> name;
    if (target->getNumOperands() == 1)
      name = readString(*target->getOperand(0), 0);
    if (!name)
      return shapeError(targetNode, "expected one entry with the target's name");
    state.target = name->str();
    const MDNode &node = *target->getOperand(0);
    if (node.getNumOperands() > 1 && !readU32(node, 1, state.deviceIndex))
      return shapeError(targetNode, "the device index is no i32");
  }
  KILN_TRY(readFields(module, optionsNode, state.options));
  KILN_TRY(readFields(module, partNode, state.part));
  KILN_TRY(readFields(module, computeNode, state.compute));
  KILN_TRY(readFields(module, raysNode, state.rays));
  KILN_TRY(readGraphics(module, state.graphics));
  KILN_TRY(readMapping(module, state.mapping));
  return state;
}

} // namespace lgc
