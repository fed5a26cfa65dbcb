//===- PartNotes.cpp - what linking must know of a part's user data -------===//
// SPDX-License-Identifier: MIT
#include "lgc/CompileError.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/lowering/entry/EntryLayout.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

namespace {

Expected<PartKind> kindOf(const PipelineState &state, const PipelineLayout &layout) {
  if (!state.isGraphics())
    return PartKind::Compute;
  auto isFragment = [](const StageLayout &stage) { return stage.stage == HardwareStage::Ps; };
  if (none_of(layout.stages, isFragment))
    return PartKind::PreRasterization;
  if (layout.stages.size() == 1)
    return PartKind::Fragment;
  return unsupported("part: fragment shader together with stages before rasterization");
}

} // namespace

Error notePart(Module &module, const PipelineState &state, const PipelineLayout &layout) {
  PartKind kind = KILN_TRY(kindOf(state, layout));
  PartInfo info = partInfoOf(module);
  info.kind = kind;
  for (unsigned dword : layout.used.set_bits()) {
    const ResourceNode *node = findRootNode(state.mapping, dword);
    if (!node && state.part.relocatable)
      return invalidInput("part: root dword " + Twine(dword) + " belongs to no node");
    if (!node)
      continue; // of a spill table of which it is not known what the code reads
    PartRoot root = {node->type, node->set, node->binding, node->offsetInDwords,
                     node->sizeInDwords};
    if (node->type == ResourceNodeType::DescriptorTableVaPtr)
      root.set = setOfTable(*node);
    if (info.roots.empty() || info.roots.back() != root)
      info.roots.push_back(root);
    if (layout.spilled.test(dword))
      info.spilled.push_back(dword);
  }
  setPartInfo(module, info);
  return Error::success();
}

} // namespace lgc
