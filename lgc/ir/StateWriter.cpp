//===- StateWriter.cpp - PipelineState -> named metadata ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/StateFields.h"
#include "lgc/StateMetadata.h"
#include "lgc/ir/StateNodes.h"
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

MDString *stringMd(LLVMContext &context, StringRef text) { return MDString::get(context, text); }

/// Appends the operands that a value is written as.
struct ValueWriter {
  LLVMContext &context;
  SmallVectorImpl<Metadata *> &out;

  void operator()(bool value) { out.push_back(intMd(context, value)); }
  void operator()(uint32_t value) { out.push_back(intMd(context, value)); }
  void operator()(const std::string &value) { out.push_back(stringMd(context, value)); }
  void operator()(VertexInputRate value) { (*this)(value == VertexInputRate::Instance); }
  void operator()(ResourceNodeType value) {
    out.push_back(stringMd(context, resourceNodeTypeName(value)));
  }
  void operator()(const TexelFormat &value) { out.push_back(stringMd(context, toString(value))); }
  template <size_t N> void operator()(const std::array<uint32_t, N> &values) {
    for (uint32_t value : values)
      (*this)(value);
  }
  void operator()(const uint64_t (&hash)[2]) {
    for (uint64_t half : hash)
      out.push_back(intMd(context, half, 64));
  }
  void operator()(const FloatMode &mode) {
    for (const auto &[name, member] : floatModeFlags)
      if (mode.*member)
        out.push_back(stringMd(context, name));
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum value) {
    const auto number = static_cast<size_t>(value);
    KILN_CHECK(number < std::size(Enumerators<Enum>::names), "no such enumerator");
    out.push_back(stringMd(context, Enumerators<Enum>::names[number]));
  }
};

template <typename T> bool isSame(const T &a, const T &b) { return a == b; }
bool isSame(const uint64_t (&a)[2], const uint64_t (&b)[2]) { return equal(a, b); }

/// Appends one node per field that differs from its default.
template <typename State> struct FieldWriter {
  LLVMContext &context;
  SmallVectorImpl<MDNode *> &out;
  const State &state;
  const State defaults{};

  void emit(StringRef name, function_ref<void(ValueWriter)> write) {
    SmallVector<Metadata *, 8> operands{stringMd(context, name)};
    write({context, operands});
    out.push_back(MDNode::get(context, operands));
  }
  void field(const Field &f, auto member) {
    if (!isSame(state.*member, defaults.*member))
      emit(f.name, [&](ValueWriter write) { write(state.*member); });
  }
  void stages(const Field &f, uint32_t State::*member) {
    if (state.*member == 0)
      return;
    emit(f.name, [&](ValueWriter write) {
      for (unsigned i = 0; i < std::size(stageKeys); ++i)
        if (state.*member >> i & 1)
          write.out.push_back(stringMd(context, stageKeys[i]));
    });
  }
  template <typename Inner> void nested(const char *, Inner State::*member) {
    FieldWriter<Inner> writer{context, out, state.*member};
    visitFields(writer, static_cast<Inner *>(nullptr));
  }
  template <typename Base> void base(Base *list) { visitFields(*this, list); }
  void separate(auto) {}
};

/// All fields of an element of a list, in their order.
template <typename Element> struct ElementWriter {
  const Element &element;
  ValueWriter write;

  void field(const Field &, auto member) { write(element.*member); }
  void separate(auto) {}
};

template <typename Element> void writeElement(ValueWriter write, const Element &element) {
  ElementWriter<Element> writer{element, write};
  visitFields(writer, static_cast<Element *>(nullptr));
}

using Nodes = SmallVector<MDNode *, 8>;

/// Named metadata with these operands; none, if there are none.
void setNode(Module &module, StringRef name, ArrayRef<MDNode *> operands) {
  NamedMDNode *node = module.getNamedMetadata(name);
  if (operands.empty()) {
    if (node)
      node->eraseFromParent();
    return;
  }
  if (!node)
    node = module.getOrInsertNamedMetadata(name);
  node->clearOperands();
  for (MDNode *operand : operands)
    node->addOperand(operand);
}

template <typename State> void writeFields(Module &module, StringRef name, const State &state) {
  Nodes nodes;
  FieldWriter<State> writer{module.getContext(), nodes, state};
  visitFields(writer, static_cast<State *>(nullptr));
  setNode(module, name, nodes);
}

MDNode *nodeToMd(LLVMContext &context, const ResourceNode &node) {
  SmallVector<Metadata *, 12> operands;
  writeElement({context, operands}, node);
  for (const ResourceNode &child : node.table)
    operands.push_back(nodeToMd(context, child));
  return MDNode::get(context, operands);
}

/// One node per element of a list that \p write has operands for.
template <typename List>
void writeList(Module &module, StringRef name, const List &list,
               function_ref<void(ValueWriter, const typename List::value_type &)> write) {
  LLVMContext &context = module.getContext();
  Nodes nodes;
  for (const auto &element : list) {
    SmallVector<Metadata *, 16> operands;
    write({context, operands}, element);
    if (!operands.empty())
      nodes.push_back(MDNode::get(context, operands));
  }
  setNode(module, name, nodes);
}

void writeGraphics(Module &module, const GraphicsState &graphics) {
  writeFields(module, graphicsNode, graphics);
  for (unsigned i = 0; i < std::size(shaderNodes); ++i)
    writeFields(module, shaderNodes[i], graphics.shaders[i]);
  writeList(module, bindingsNode, graphics.vertexBindings, writeElement<VertexBinding>);
  writeList(module, attributesNode, graphics.vertexAttributes, writeElement<VertexAttribute>);
  uint32_t index = 0;
  writeList(module, targetsNode, graphics.targets,
            [&](ValueWriter write, const ColorTarget &target) {
              const uint32_t at = index++;
              if (target == ColorTarget())
                return;
              write(at);
              writeElement(write, target);
            });
}

void writeMapping(Module &module, const ResourceMapping &mapping) {
  LLVMContext &context = module.getContext();
  Nodes userData;
  for (const ResourceNode &node : mapping.roots)
    userData.push_back(nodeToMd(context, node));
  setNode(module, userDataNode, userData);
  writeList(module, staticDescriptorsNode, mapping.staticDescriptors,
            [](ValueWriter write, const StaticDescriptor &descriptor) {
              writeElement(write, descriptor);
              for (uint32_t dword : descriptor.dwords)
                write(dword);
            });
}

} // namespace

void writeState(Module &module, const PipelineState &state) {
  LLVMContext &context = module.getContext();
  SmallVector<Metadata *, 2> target{MDString::get(context, state.target)};
  if (state.deviceIndex)
    target.push_back(intMd(context, state.deviceIndex));
  setNode(module, targetNode, MDNode::get(context, target));
  writeFields(module, optionsNode, state.options);
  writeFields(module, partNode, state.part);
  writeFields(module, computeNode, state.compute);
  if (state.rays != RayTracingState())
    writeFields(module, raysNode, state.rays);
  writeGraphics(module, state.graphics);
  writeMapping(module, state.mapping);
}

} // namespace lgc
