//===- RayDebugInfo.cpp - source locations around the code of rays --------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/rays/RayDebugInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lgc {

static void locateCalls(Function &function) {
  DILocation *nowhere = DILocation::get(function.getContext(), 0, 0, function.getSubprogram());
  for (Instruction &inst : instructions(function))
    if (isa<CallBase>(inst) && !isa<IntrinsicInst>(inst) && !inst.getDebugLoc())
      inst.setDebugLoc(nowhere);
}

void coverWithDebugInfo(Module &module) {
  if (module.debug_compile_units().empty())
    return;
  DICompileUnit *unit = *module.debug_compile_units_begin();
  DIBuilder builder(module, /*AllowUnresolved=*/false, unit);
  DISubroutineType *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!function.getSubprogram())
      function.setSubprogram(builder.createFunction(
          unit, function.getName(), "", unit->getFile(), 0, type, 0, DINode::FlagArtificial,
          DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized));
    locateCalls(function);
  }
  builder.finalize();
}

} // namespace lgc
