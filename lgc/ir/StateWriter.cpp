//===- StateWriter.cpp - PipelineState -> named metadata ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/StateMetadata.h"
#include "lgc/ir/StateFields.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using namespace metadata;

namespace {

Metadata *intMd(LLVMContext &context, uint64_t value, unsigned bits = 32) {
  return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(context, bits), value));
}

/// Appends one node per field that differs from its default.
template <typename State> struct FieldWriter {
  LLVMContext &context;
  NamedMDNode &out;
  const State &state;
  const State defaults{};

  void emit(StringRef name, ArrayRef<Metadata *> values) {
    SmallVector<Metadata *, 8> operands{MDString::get(context, name)};
    operands.append(values.begin(), values.end());
    out.addOperand(MDNode::get(context, operands));
  }
  void field(StringRef name, bool State::*member) {
    if (state.*member != defaults.*member)
      emit(name, intMd(context, state.*member));
  }
  void field(StringRef name, uint32_t State::*member) {
    if (state.*member != defaults.*member)
      emit(name, intMd(context, state.*member));
  }
  void field(StringRef name, std::string State::*member) {
    if (state.*member != defaults.*member)
      emit(name, MDString::get(context, state.*member));
  }
  template <size_t N> void field(StringRef name, std::array<uint32_t, N> State::*member) {
    if (state.*member == defaults.*member)
      return;
    SmallVector<Metadata *, N> values;
    for (uint32_t value : state.*member)
      values.push_back(intMd(context, value));
    emit(name, values);
  }
  void stages(StringRef name, uint32_t State::*member) {
    SmallVector<Metadata *, 7> names;
    for (unsigned i = 0; i < std::size(stageKeys); ++i)
      if (state.*member >> i & 1)
        names.push_back(MDString::get(context, stageKeys[i]));
    if (!names.empty())
      emit(name, names);
  }
  template <typename Inner> void nested(Inner State::*member) {
    FieldWriter<Inner> writer{context, out, state.*member};
    visitFields(writer, static_cast<Inner *>(nullptr));
  }
  void field(StringRef name, uint64_t (State::*member)[2]) {
    const auto &v = state.*member;
    if (v[0] || v[1])
      emit(name, {intMd(context, v[0], 64), intMd(context, v[1], 64)});
  }
  void field(StringRef name, FloatMode State::*member) {
    const FloatMode &mode = state.*member;
    if (mode == defaults.*member)
      return;
    SmallVector<Metadata *, 4> flags;
    if (mode.flushDenorms)
      flags.push_back(MDString::get(context, "flushDenorms"));
    if (mode.roundTowardZero)
      flags.push_back(MDString::get(context, "roundTowardZero"));
    if (mode.preserveSpecials)
      flags.push_back(MDString::get(context, "preserveSpecials"));
    if (mode.demandsDenorms)
      flags.push_back(MDString::get(context, "demandsDenorms"));
    emit(name, flags);
  }
  template <typename Enum>
  void enumField(StringRef name, Enum State::*member, ArrayRef<const char *> names) {
    auto value = static_cast<size_t>(state.*member);
    if (state.*member != defaults.*member && value < names.size())
      emit(name, MDString::get(context, names[value]));
  }
};

NamedMDNode &emptyNode(Module &module, StringRef name) {
  NamedMDNode *node = module.getOrInsertNamedMetadata(name);
  node->clearOperands();
  return *node;
}

template <typename State> void writeFields(Module &module, StringRef name, const State &state) {
  NamedMDNode &node = emptyNode(module, name);
  FieldWriter<State> writer{module.getContext(), node, state};
  visitFields(writer, static_cast<State *>(nullptr));
  if (node.getNumOperands() == 0)
    node.eraseFromParent();
}

MDNode *nodeToMd(LLVMContext &context, const ResourceNode &node) {
  SmallVector<Metadata *, 12> operands{MDString::get(context, resourceNodeTypeName(node.type)),
                                       intMd(context, node.sizeInDwords),
                                       intMd(context, node.offsetInDwords),
                                       intMd(context, node.set),
                                       intMd(context, node.binding),
                                       intMd(context, node.strideInDwords)};
  for (const ResourceNode &child : node.table)
    operands.push_back(nodeToMd(context, child));
  return MDNode::get(context, operands);
}

/// One node per element of a list; erased when there is none.
template <typename Element, typename Make>
void writeList(Module &module, StringRef name, const Element &elements, Make make) {
  NamedMDNode &list = emptyNode(module, name);
  for (const auto &element : elements)
    if (MDNode *node = make(element))
      list.addOperand(node);
  if (list.getNumOperands() == 0)
    list.eraseFromParent();
}

void writeGraphics(Module &module, const GraphicsState &graphics) {
  LLVMContext &context = module.getContext();
  writeFields(module, graphicsNode, graphics);
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    writeFields(module, shaderNodes[i], graphics.shaders[i]);
  auto number = [&](uint32_t value) { return intMd(context, value); };
  writeList(module, bindingsNode, graphics.vertexBindings, [&](const VertexBinding &binding) {
    return MDNode::get(context, {number(binding.binding), number(binding.stride),
                                 number(binding.perInstance), number(binding.divisor)});
  });
  writeList(module, attributesNode, graphics.vertexAttributes, [&](const VertexAttribute &a) {
    return MDNode::get(context, {number(a.location), number(a.binding), number(a.offset),
                                 MDString::get(context, toString(a.format))});
  });
  uint32_t index = 0;
  writeList(module, targetsNode, graphics.targets, [&](const ColorTarget &target) -> MDNode * {
    uint32_t at = index++;
    if (target == ColorTarget())
      return nullptr;
    return MDNode::get(context, {number(at), MDString::get(context, toString(target.format)),
                                 number(target.writeMask), number(target.blendEnable),
                                 number(target.blendSrcAlphaToColor)});
  });
}

} // namespace

void writeState(Module &module, const PipelineState &state) {
  LLVMContext &context = module.getContext();
  SmallVector<Metadata *, 2> target{MDString::get(context, state.target)};
  if (state.deviceIndex)
    target.push_back(intMd(context, state.deviceIndex));
  emptyNode(module, targetNode).addOperand(MDNode::get(context, target));
  writeFields(module, optionsNode, state.options);
  writeFields(module, partNode, state.part);
  writeFields(module, computeNode, state.compute);
  writeGraphics(module, state.graphics);

  NamedMDNode &userData = emptyNode(module, userDataNode);
  for (const ResourceNode &node : state.mapping.roots)
    userData.addOperand(nodeToMd(context, node));
  NamedMDNode &descriptors = emptyNode(module, staticDescriptorsNode);
  for (const StaticDescriptor &descriptor : state.mapping.staticDescriptors) {
    SmallVector<Metadata *, 16> operands{
        MDString::get(context, resourceNodeTypeName(descriptor.type)),
        intMd(context, descriptor.set), intMd(context, descriptor.binding),
        intMd(context, descriptor.arraySize)};
    for (uint32_t dword : descriptor.dwords)
      operands.push_back(intMd(context, dword));
    descriptors.addOperand(MDNode::get(context, operands));
  }
  for (NamedMDNode *node : {&userData, &descriptors})
    if (node->getNumOperands() == 0)
      node->eraseFromParent();
}

} // namespace lgc
