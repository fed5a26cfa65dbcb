//===- StateReader.cpp - named metadata -> PipelineState ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/StateMetadata.h"
#include "lgc/ir/StateFields.h"
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
  void field(StringRef name, bool State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    uint32_t value = 0;
    check(name, readU32(*node, 1, value) && value <= 1);
    state.*member = value != 0;
  }
  void field(StringRef name, uint32_t State::*member) {
    if (const MDNode *node = take(name))
      check(name, readU32(*node, 1, state.*member));
  }
  void field(StringRef name, std::string State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    std::optional<StringRef> value = readString(*node, 1);
    check(name, value.has_value());
    state.*member = value.value_or("").str();
  }
  template <size_t N> void field(StringRef name, std::array<uint32_t, N> State::*member) {
    if (const MDNode *node = take(name))
      for (unsigned i = 0; i < N; ++i)
        check(name, readU32(*node, 1 + i, (state.*member)[i]));
  }
  void stages(StringRef name, uint32_t State::*member) {
    const MDNode *node = take(name);
    for (unsigned i = 1; node && i < node->getNumOperands(); ++i) {
      const auto *found = find(stageKeys, readString(*node, i).value_or(""));
      check(name, found != std::end(stageKeys));
      if (found != std::end(stageKeys))
        state.*member |= 1u << (found - std::begin(stageKeys));
    }
  }
  template <typename Inner> void nested(Inner State::*member) {
    FieldReader<Inner> reader{nodes, state.*member, wrong};
    visitFields(reader, static_cast<Inner *>(nullptr));
  }
  void field(StringRef name, uint64_t (State::*member)[2]) {
    if (const MDNode *node = take(name))
      for (unsigned i = 0; i < 2; ++i)
        check(name, readInt(*node, 1 + i, (state.*member)[i]));
  }
  void field(StringRef name, FloatMode State::*member) {
    const MDNode *node = take(name);
    if (!node)
      return;
    FloatMode &mode = state.*member;
    mode = FloatMode{};
    for (unsigned i = 1; i < node->getNumOperands(); ++i) {
      StringRef flag = readString(*node, i).value_or("");
      if (flag == "flushDenorms")
        mode.flushDenorms = true;
      else if (flag == "roundTowardZero")
        mode.roundTowardZero = true;
      else if (flag == "preserveSpecials")
        mode.preserveSpecials = true;
      else if (flag == "demandsDenorms")
        mode.demandsDenorms = true;
      else
        check(name, false);
    }
  }
  template <typename Enum>
  void enumField(StringRef name, Enum State::*member, ArrayRef<const char *> names) {
    const MDNode *node = take(name);
    if (!node)
      return;
    StringRef value = readString(*node, 1).value_or("");
    for (size_t i = 0; i < names.size(); ++i) {
      if (value == names[i]) {
        state.*member = static_cast<Enum>(i);
        return;
      }
    }
    check(name, false);
  }
};

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

std::optional<ResourceNodeType> parseNodeType(StringRef name) {
  for (unsigned i = 0; i < static_cast<unsigned>(ResourceNodeType::Count); ++i)
    if (name == resourceNodeTypeName(static_cast<ResourceNodeType>(i)))
      return static_cast<ResourceNodeType>(i);
  return std::nullopt;
}

Error readNode(const MDNode &md, ResourceNode &node, unsigned depth) {
  StringRef typeName = readString(md, 0).value_or("");
  std::optional<ResourceNodeType> type = parseNodeType(typeName);
  if (!type)
    return shapeError(userDataNode, "unknown resource node type '" + typeName + "'");
  node.type = *type;
  uint32_t *const fields[] = {&node.sizeInDwords, &node.offsetInDwords, &node.set, &node.binding,
                              &node.strideInDwords};
  for (unsigned i = 0; i < std::size(fields); ++i)
    if (!readU32(md, 1 + i, *fields[i]))
      return shapeError(userDataNode, typeName + ": operand " + Twine(1 + i) + " is no i32");
  for (unsigned i = 1 + std::size(fields); i < md.getNumOperands(); ++i) {
    const auto *child = dyn_cast_or_null<MDNode>(md.getOperand(i).get());
    if (!child || depth >= maxTableDepth)
      return shapeError(userDataNode, typeName + ": operand " + Twine(i) + " is no table entry");
    if (Error error = readNode(*child, node.table.emplace_back(), depth + 1))
      return error;
  }
  return Error::success();
}

Error readStaticDescriptor(const MDNode &md, StaticDescriptor &descriptor) {
  StringRef typeName = readString(md, 0).value_or("");
  std::optional<ResourceNodeType> type = parseNodeType(typeName);
  if (!type)
    return shapeError(staticDescriptorsNode, "unknown resource node type '" + typeName + "'");
  descriptor.type = *type;
  bool ok = readU32(md, 1, descriptor.set) && readU32(md, 2, descriptor.binding) &&
            readU32(md, 3, descriptor.arraySize);
  for (unsigned i = 4; ok && i < md.getNumOperands(); ++i)
    ok = readU32(md, i, descriptor.dwords.emplace_back());
  if (!ok)
    return shapeError(staticDescriptorsNode, typeName + ": operands are not all i32");
  return Error::success();
}

Error readMapping(const Module &module, ResourceMapping &mapping) {
  if (const NamedMDNode *list = module.getNamedMetadata(userDataNode))
    for (const MDNode *md : list->operands())
      if (Error error = readNode(*md, mapping.roots.emplace_back(), 0))
        return error;
  if (const NamedMDNode *list = module.getNamedMetadata(staticDescriptorsNode))
    for (const MDNode *md : list->operands())
      if (Error error = readStaticDescriptor(*md, mapping.staticDescriptors.emplace_back()))
        return error;
  return Error::success();
}

bool readFormat(const MDNode &node, unsigned index, TexelFormat &format) {
  std::optional<StringRef> text = readString(node, index);
  return text && parseTexelFormat(text->str(), format);
}

bool readFlag(const MDNode &node, unsigned index, bool &value) {
  uint32_t number = 0;
  bool ok = readU32(node, index, number) && number <= 1;
  value = number != 0;
  return ok;
}

Error readList(const Module &module, StringRef name, function_ref<bool(const MDNode &)> read) {
  if (const NamedMDNode *list = module.getNamedMetadata(name))
    for (const MDNode *node : list->operands())
      if (!read(*node))
        return shapeError(name, "an entry has a wrong shape");
  return Error::success();
}

Error readGraphics(const Module &module, GraphicsState &graphics) {
  if (Error error = readFields(module, graphicsNode, graphics))
    return error;
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    if (Error error = readFields(module, shaderNodes[i], graphics.shaders[i]))
      return error;
  if (Error error = readList(module, bindingsNode, [&](const MDNode &node) {
        VertexBinding &b = graphics.vertexBindings.emplace_back();
        return readU32(node, 0, b.binding) && readU32(node, 1, b.stride) &&
               readFlag(node, 2, b.perInstance) && readU32(node, 3, b.divisor);
      }))
    return error;
  if (Error error = readList(module, attributesNode, [&](const MDNode &node) {
        VertexAttribute &a = graphics.vertexAttributes.emplace_back();
        return readU32(node, 0, a.location) && readU32(node, 1, a.binding) &&
               readU32(node, 2, a.offset) && readFormat(node, 3, a.format);
      }))
    return error;
  return readList(module, targetsNode, [&](const MDNode &node) {
    uint32_t index = 0;
    if (!readU32(node, 0, index) || index >= graphics.targets.size())
      return false;
    ColorTarget &target = graphics.targets[index];
    return readFormat(node, 1, target.format) && readU32(node, 2, target.writeMask) &&
           target.writeMask <= 0xF && readFlag(node, 3, target.blendEnable) &&
           readFlag(node, 4, target.blendSrcAlphaToColor);
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
  if (Error error = readFields(module, optionsNode, state.options))
    return error;
  if (Error error = readFields(module, partNode, state.part))
    return error;
  if (Error error = readFields(module, computeNode, state.compute))
    return error;
  if (Error error = readGraphics(module, state.graphics))
    return error;
  if (Error error = readMapping(module, state.mapping))
    return error;
  return state;
}

} // namespace lgc
