//===- PalRegisters.cpp - PAL metadata that passes collect ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/entry/PalRegisters.h"
#include "lgc/CompileError.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral registersNode = "lgc.registers";

/// Keys whose values are booleans: the same number means `true` there.
bool isBoolKey(StringRef key) {
  static constexpr StringLiteral boolKeys[] = {
#define KILN_LGC_IS_Bool(text) text,
#define KILN_LGC_IS_UInt(text)
#define KILN_LGC_IS_Str(text)
#define KILN_LGC_IS_Bin(text)
#define KILN_LGC_IS_UIntArray(text)
#define KILN_LGC_IS_MapArray(text)
#define KILN_LGC_IS_Map(text)
#define KILN_LGC_IS_StrArray(text)
#define KILN_LGC_IS_Any(text)
#define KILN_LGC_IS_PipelineTypeStr(text)
#define KILN_LGC_IS_ShaderSubtypeStr(text)
#define KILN_LGC_IS_CoverageToShaderStr(text)
#define KILN_LGC_IS_GsOutPrimTypeStr(text)
#define KILN_LGC_IS_PointSpriteSelectStr(text)
#define KILN_PAL_KEY(scope, id, key, kind, limit) KILN_LGC_IS_##kind(key)
#include "pal_shim/abi/Abi.def"
  };
  return is_contained(boolKeys, key);
}

void note(Module &module, ArrayRef<StringRef> path, Metadata *value) {
  KILN_CHECK(!path.empty(), "register note without a path");
  LLVMContext &context = module.getContext();
  SmallVector<Metadata *, 5> operands;
  for (StringRef part : path)
    operands.push_back(MDString::get(context, part));
  NamedMDNode *list = module.getOrInsertNamedMetadata(registersNode);
  auto samePath = [&](const MDNode &node) {
    return node.getNumOperands() == operands.size() + 1 &&
           node.getOperand(operands.size() - 1) == operands.back() && // most paths differ there
           std::equal(operands.begin(), operands.end(), node.op_begin(),
                      [](const Metadata *part, const MDOperand &other) { return part == other; });
  };
  operands.push_back(value);
  MDNode *node = MDNode::get(context, operands);
  operands.pop_back();
  for (unsigned i = 0; i < list->getNumOperands(); ++i) {
    if (samePath(*list->getOperand(i))) {
      list->setOperand(i, node);
      return;
    }
  }
  list->addOperand(node);
}

/// The element `part` of `parent`: "[3]" of an array, else a key of a map.
MetadataNode &descend(MetadataNode &parent, StringRef part) {
  if (!part.consume_front("["))
    return parent[part];
  unsigned index = 0;
  KILN_CHECK(!part.consumeInteger(10, index) && part == "]", "bad array index in a register path");
  return parent.at(index);
}

} // namespace

void setRegister(Module &module, ArrayRef<StringRef> path, uint64_t value) {
  note(module, path,
       ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(module.getContext()), value)));
}

void setRegister(Module &module, ArrayRef<StringRef> path, StringRef value) {
  note(module, path, MDString::get(module.getContext(), value));
}

void setHardwareStage(Module &module, pal::abi::HardwareStage stage, StringRef key,
                      uint64_t value) {
  setRegister(module, {pal::abi::key::hardwareStages, pal::abi::hardwareStageKey(stage), key},
              value);
}

void takeRegisters(Module &module, MetadataNode &pipeline) {
  NamedMDNode *list = module.getNamedMetadata(registersNode);
  if (!list)
    return;
  for (const MDNode *entry : list->operands()) {
    MetadataNode *at = &pipeline;
    unsigned last = entry->getNumOperands() - 1;
    StringRef key;
    for (unsigned i = 0; i < last; ++i) {
      key = cast<MDString>(entry->getOperand(i))->getString();
      at = &descend(*at, key);
    }
    if (const auto *name = dyn_cast<MDString>(entry->getOperand(last))) {
      *at = name->getString();
      continue;
    }
    uint64_t number = mdconst::extract<ConstantInt>(entry->getOperand(last))->getZExtValue();
    if (isBoolKey(key))
      *at = number != 0;
    else
      *at = number;
  }
  list->eraseFromParent();
}

} // namespace lgc
