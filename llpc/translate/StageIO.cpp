//===- StageIO.cpp - private copies of inputs and outputs -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private-like interface variables are addrspace(5) globals. Inputs are filled at the start of the
/// entry function, outputs are stored where it returns; SROA removes the memory later.
///   before: %color = OpVariable Input (location 1), OpLoad %color; %o = OpVariable Output ...
///   after:  store (lgc.input.interpolate(1, 0, 0, barycentric)), @color
///           ...
///           lgc.output.store((load @o), 0, 0, 0, absent)
#include "lgc/SampleShading.h"
#include "llpc/spirv/IdOperands.h"
#include "llpc/translate/Interface.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/TranslatorState.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace llpc {

namespace {

using lgc::ShaderStage;

/// Stages whose outputs are stored once, at the end. Geometry shaders store them at each emission;
/// outputs of control and mesh shaders are direct variables.
bool storesOutputsAtEnd(ShaderStage stage) {
  return stage == ShaderStage::Vertex || stage == ShaderStage::TessEval ||
         stage == ShaderStage::Fragment;
}

//===--- Which variables, which members -------------------------------------------------------===//

class Collector {
public:
  explicit Collector(Translator &t) : t(t), variables(t.internals().interfaceVariables) {}

  Error run(ArrayRef<const spirv::Function *> functions) {
    for (const spirv::Function *function : functions)
      for (const spirv::Block &block : function->blocks)
        for (const Inst &inst : block.insts)
          spirv::forEachIdOperand(inst, [&](Id id) { use(inst, id); });
    addByDeclaration();
    if (isKernel(t)) // addKernelEntry() fills them
      return Error::success();
    for (InterfaceVariable &variable : variables)
      KILN_TRY(findLeaves(variable));
    return Error::success();
  }

private:
  static bool isInterface(const Inst *def) {
    if (!def || def->opcode != spv::Op::OpVariable || def->size() == 0)
      return false;
    const auto storage = static_cast<spv::StorageClass>((*def)[0]);
    return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
  }

  InterfaceVariable &entryOf(const Inst &variable) {
    auto [it, isNew] =
        t.internals().interfaceIndex.try_emplace(variable.resultId, variables.size());
    if (isNew) {
      InterfaceVariable entry;
      entry.variable = &variable;
      entry.isOutput = static_cast<spv::StorageClass>(variable[0]) == spv::StorageClass::Output;
      entry.isDirect = isDirectVariable(t, variable);
      variables.push_back(std::move(entry));
    }
    return variables[it->second];
  }

  /// The structure that a variable is; null when it is something else.
  const Inst *structure(const Inst &variable) const {
    const Inst *pointer = t.spv.definition(variable.typeId);
    const Inst *type = pointer && pointer->size() > 1 ? t.spv.definition((*pointer)[1]) : nullptr;
    return type && type->opcode == spv::Op::OpTypeStruct ? type : nullptr;
  }

  void useMember(InterfaceVariable &entry, uint32_t member) {
    const Inst *type = structure(*entry.variable);
    if (!type || member >= type->size()) {
      entry.allUsed = true;
      return;
    }
    entry.usedMembers.resize(type->size());
    entry.usedMembers[member] = true;
  }

  void use(const Inst &inst, Id id) {
    const Inst *def = t.spv.definition(id);
    if (!isInterface(def))
      return;
    InterfaceVariable &entry = entryOf(*def);
    const bool chain =
        inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
    if (!chain || inst.size() < 2 || inst[0] != id || !structure(*def)) {
      entry.allUsed = true;
      return;
    }
    Expected<uint32_t> member = t.readConstant32(inst[1]);
    if (member)
      return useMember(entry, *member);
    consumeError(member.takeError());
    entry.allUsed = true;
  }

  /// Outputs that matter although no instruction names them: those with an initializer, and those
  /// that transform feedback captures (its counters advance all the same).
  void addByDeclaration() {
    for (Id id : t.internals().entry->interfaceIds) {
      const Inst *def = t.spv.definition(id);
      if (!isInterface(def) ||
          static_cast<spv::StorageClass>((*def)[0]) != spv::StorageClass::Output)
        continue;
      if (def->size() >= 2)
        entryOf(*def).allUsed = true;
      if (!t.internals().xfbMode || isDirectVariable(t, *def))
        continue;
      if (t.hasDecoration(id, spv::Decoration::Offset))
        entryOf(*def).allUsed = true;
      if (const Inst *type = structure(*def))
        for (uint32_t i = 0; i < type->size(); ++i)
          if (t.spv.findDecoration(type->resultId, spv::Decoration::Offset, i))
            useMember(entryOf(*def), i);
    }
  }

  Error findLeaves(InterfaceVariable &entry) {
    const Inst &variable = *entry.variable;
    if (t.options.stage >= ShaderStage::Compute && !entry.isOutput &&
        !t.hasDecoration(variable.resultId, spv::Decoration::BuiltIn))
      return t.invalid(variable, Twine("Input variable of a ") +
                                     lgc::shaderStageName(t.options.stage) +
                                     " shader is not a built-in");
    auto root = KILN_TRY(interfaceRoot(t, variable));
    auto visit = [&](const InterfaceLeaf &leaf) { return addLeaf(entry, leaf); };
    const Inst *type = structure(variable);
    if (!type || entry.allUsed)
      return visitLeaves(t, root, {}, visit);
    for (uint32_t i = 0; i < entry.usedMembers.size(); ++i) {
      if (!entry.usedMembers[i])
        continue;
      auto member = KILN_TRY(interfaceChild(t, root, i));
      KILN_TRY(visitLeaves(t, member, {i}, visit));
    }
    return Error::success();
  }

  Error addLeaf(InterfaceVariable &entry, const InterfaceLeaf &leaf) {
    const InterfaceCursor &at = leaf.at;
    t.internals().invariantOutputs |= entry.isOutput && at.decorations.invariant;
    if (!at.builtin || at.builtin->source == BuiltInRow::Source::Slot) {
      auto pieces = KILN_TRY(interfacePieces(t, at, leaf.type));
      for (const InterfacePiece &piece : pieces)
        KILN_TRY(claim(entry, at, piece));
    }
    if (!entry.isDirect)
      entry.leaves.push_back(leaf);
    return Error::success();
  }

  /// No two variables of one direction may share a component of a location.
  Error claim(const InterfaceVariable &entry, const InterfaceCursor &at,
              const InterfacePiece &piece) {
    if (at.builtin && !entry.isOutput)
      return Error::success(); // read twice: harmless
    auto *vector = dyn_cast<FixedVectorType>(piece.type);
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
      // Each stream of a geometry shader has locations of its own.
      const uint32_t space = entry.isOutput ? 1 + at.decorations.stream : 0;
      const uint32_t key = (piece.slot * 4 + piece.component + i) * 8 + space;
      auto [it, isNew] = taken.try_emplace(key, entry.variable->resultId);
      if (isNew)
        continue;
      const std::string what =
          at.builtin ? "built-in " + spirv::enumName(spirv::OperandKind::BuiltIn,
                                                     static_cast<uint32_t>(at.builtin->spirv))
                     : ("location " + Twine(at.location.value_or(0)) + " component " +
                        Twine(piece.component + i))
                           .str();
      return t.invalid(*entry.variable, what + " is also taken by %" + Twine(it->second));
    }
    return Error::success();
  }

  Translator &t;
  std::vector<InterfaceVariable> &variables;
  DenseMap<uint32_t, Id> taken;
};

//===--- Inputs ------------------------------------------------------------------------------===//

/// Address of a leaf in the private copy of its variable.
Value *leafAddress(Translator &t, GlobalVariable *global, ArrayRef<uint32_t> path) {
  if (path.empty())
    return global;
  SmallVector<Value *, 8> indices = {t.i32(0)};
  for (uint32_t index : path)
    indices.push_back(t.i32(index));
  return t.b.CreateInBoundsGEP(global->getValueType(), global, indices);
}

/// Weights of a kind (BaryMode * 2 + linear); one operation per kind and shader.
Value *barycentrics(Translator &t, uint32_t kind) {
  Value *&known = t.internals().barycentrics[kind];
  if (!known)
    known = t.op(lgc::OpId::BarycentricOp, FixedVectorType::get(t.b.getFloatTy(), 2),
                 {t.i32(kind / 2), t.i32(kind % 2), t.absent()});
  return known;
}

/// Weights for the place that the decorations ask for.
Value *barycentrics(Translator &t, const InterfaceDecorations &d) {
  const auto mode = d.sample     ? lgc::BaryMode::Sample
                    : d.centroid ? lgc::BaryMode::Centroid
                                 : lgc::BaryMode::Center;
  return barycentrics(t, static_cast<uint32_t>(mode) * 2 + d.noPerspective);
}

Expected<Value *> loadBuiltIn(Translator &t, const InterfaceCursor &at, Type *type) {
  const BuiltInRow &row = *at.builtin;
  const InterfaceDecorations &d = at.decorations;
  switch (row.source) {
  case BuiltInRow::Source::GroupSize: {
    Constant *size[3];
    for (unsigned i = 0; i < 3; ++i)
      size[i] = t.i32(t.shader->workgroupSize[i]);
    return ConstantVector::get(size);
  }
  case BuiltInRow::Source::Weights:
    return barycentrics(t, row.number);
  case BuiltInRow::Source::Hardware:
    return t.op(lgc::OpId::HwValueOp, type, {t.i32(row.number)});
  case BuiltInRow::Source::Ray:
    if (at.location.value_or(0) >= row.vectors)
      return t.invalid(*at.variable,
                       "built-in of more than " + Twine(unsigned(row.vectors)) + " vectors");
    return t.op(lgc::OpId::RayValueOp, type, {t.i32(row.number), t.i32(at.location.value_or(0))});
  default:
    break;
  }
  if (isBaryCoord(row) && (d.centroid || d.sample))
    return loadBaryCoord(t, row, d.sample ? lgc::BaryMode::Sample : lgc::BaryMode::Centroid,
                         t.absent());
  return t.op(lgc::OpId::BuiltinOp, type, {t.i32(row.number)});
}

bool isInterpolated(Translator &t, const InterfaceCursor &at, Type *type) {
  // Integers and 64-bit values are flat whatever they are decorated with (Vulkan demands Flat).
  return t.isStage(ShaderStage::Fragment) && !at.vertex && !at.decorations.flat &&
         !at.decorations.perPrimitive && type->isFPOrFPVectorTy() &&
         type->getScalarSizeInBits() <= 32;
}

//===--- Outputs -----------------------------------------------------------------------------===//

struct OutputWriter {
  Translator &t;
  const Inst *variable = nullptr; ///< of the last leaf
  uint32_t block = 0;             ///< of an array of them
  std::optional<uint32_t> xfbStart = std::nullopt;
  uint64_t xfbBytes = 0; ///< behind the last leaf

  Error write(const InterfaceVariable &entry, const InterfaceLeaf &leaf) {
    const InterfaceCursor &at = leaf.at;
    auto *global = cast<GlobalVariable>(t.internals().values[entry.variable->resultId]);
    Value *value = t.b.CreateLoad(leaf.type, leafAddress(t, global, leaf.path));
    auto pieces = KILN_TRY(interfacePieces(t, at, leaf.type));
    for (const InterfacePiece &piece : pieces)
      t.op(lgc::OpId::OutputStoreOp, t.b.getVoidTy(),
           {extractPiece(t, value, piece), t.i32(piece.slot), t.i32(piece.component), t.i32(0),
            t.isStage(ShaderStage::Geometry) ? t.i32(at.decorations.stream) : t.absent()});
    if (t.internals().xfbMode && at.decorations.xfbBuffer && at.decorations.xfbOffset)
      return capture(leaf, value, pieces);
    return Error::success();
  }

  /// Which element of an array of blocks the leaf is in; 0 for everything else. Elements share
  /// their members' Offsets and go to buffers of their own, one after the other.
  Expected<uint32_t> blockOf(const InterfaceLeaf &leaf) {
    if (t.hasDecoration(leaf.at.variable->resultId, spv::Decoration::Offset))
      return 0;
    const Inst *pointer = t.spv.definition(leaf.at.variable->typeId);
    const Inst *type = t.spv.definition((*pointer)[1]);
    uint64_t number = 0;
    for (unsigned i = 0; type->opcode == spv::Op::OpTypeArray && i < leaf.path.size(); ++i) {
      auto length = KILN_TRY(t.readConstant32((*type)[1]));
      number = SaturatingMultiplyAdd<uint64_t>(number, length, leaf.path[i]);
      type = t.spv.definition((*type)[0]);
    }
    return static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX));
  }

  /// Components are packed one after the other from the Offset on; 64-bit ones are aligned.
  Error capture(const InterfaceLeaf &leaf, Value *value, ArrayRef<InterfacePiece> pieces) {
    const InterfaceCursor &at = leaf.at;
    Type *type = leaf.type;
    auto element = KILN_TRY(blockOf(leaf));
    const uint32_t buffer = SaturatingAdd(*at.decorations.xfbBuffer, element);
    const uint32_t offset = *at.decorations.xfbOffset;
    if (variable != at.variable || block != element || xfbStart != offset)
      xfbBytes = offset;
    variable = at.variable;
    block = element;
    xfbStart = offset;
    const uint64_t unit = type->getScalarSizeInBits() / 8;
    const uint64_t start = alignTo(xfbBytes, unit);
    xfbBytes = start + type->getPrimitiveSizeInBits().getFixedValue() / 8;
    KILN_TRY(declareBuffer(at, buffer));
    for (const InterfacePiece &piece : pieces)
      t.op(lgc::OpId::XfbStoreOp, t.b.getVoidTy(),
           {extractPiece(t, value, piece), t.i32(buffer),
            t.i32(static_cast<uint32_t>(start + piece.first * std::min<uint64_t>(unit, 4))),
            t.i32(at.decorations.stream)});
    return Error::success();
  }

  Error declareBuffer(const InterfaceCursor &at, uint32_t buffer) {
    const Inst &place = *at.variable;
    lgc::XfbModes &xfb = t.graphics->xfb;
    if (buffer >= xfb.strides.size())
      return t.invalid(place, "XfbBuffer " + Twine(buffer) + " is not 0 to 3");
    const uint32_t stride = at.decorations.xfbStride.value_or(0);
    if (stride == 0 || stride % 4 || xfbBytes > stride || stride > 2048)
      return t.invalid(place, "XfbStride " + Twine(stride) + " is no multiple of 4 up to 2048 " +
                                  "that holds the captured " + Twine(xfbBytes) + " bytes");
    const uint32_t stream = at.decorations.stream;
    bool &known = t.internals().xfbDeclared[buffer];
    if (known && (xfb.strides[buffer] != stride || xfb.streamOfBuffer[buffer] != stream))
      return t.invalid(place,
                       "two strides or streams of transform feedback buffer " + Twine(buffer));
    known = true;
    xfb.enabled = true;
    xfb.strides[buffer] = stride;
    xfb.streamOfBuffer[buffer] = stream;
    return Error::success();
  }
};

/// The block in which the entry function returns, made of all that do; null when none does.
BasicBlock *singleReturn(Translator &t) {
  Function *function = t.internals().entryFunction;
  SmallVector<ReturnInst *, 4> returns;
  for (BasicBlock &block : *function)
    if (auto *ret = dyn_cast_or_null<ReturnInst>(block.getTerminator()))
      returns.push_back(ret);
  if (returns.size() <= 1)
    return returns.empty() ? nullptr : returns.front()->getParent();
  BasicBlock *end = BasicBlock::Create(t.context, "", function);
  ReturnInst::Create(t.context, end);
  for (ReturnInst *ret : returns) {
    auto *branch = BranchInst::Create(end, ret->getIterator());
    branch->setDebugLoc(ret->getDebugLoc());
    ret->eraseFromParent();
  }
  return end;
}

} // namespace

bool isBaryCoord(const BuiltInRow &row) {
  return row.spirv == spv::BuiltIn::BaryCoordKHR || row.spirv == spv::BuiltIn::BaryCoordNoPerspKHR;
}

Value *loadBaryCoord(Translator &t, const BuiltInRow &row, lgc::BaryMode mode, Value *argument) {
  const bool linear = row.spirv == spv::BuiltIn::BaryCoordNoPerspKHR;
  return t.op(lgc::OpId::BaryCoordOp, FixedVectorType::get(t.b.getFloatTy(), 3),
              {t.i32(static_cast<uint32_t>(mode)), t.i32(linear), argument});
}

Error collectInterface(Translator &t, ArrayRef<const spirv::Function *> functions) {
  return Collector(t).run(functions);
}

Expected<Value *> loadInputLeaf(Translator &t, const InterfaceCursor &at, Type *type,
                                Value *weights) {
  if (at.builtin && at.builtin->source != BuiltInRow::Source::Slot) {
    // Of arrays like SampleMask the hardware has one element; there are no others.
    if (at.component > 0 && isa<IntegerType>(type))
      return Constant::getNullValue(type);
    return loadBuiltIn(t, at, type);
  }
  auto pieces = KILN_TRY(interfacePieces(t, at, type));
  const bool dynamic = at.element && !isa<ConstantInt>(at.element);
  Value *element = at.element ? at.element : t.i32(0);
  auto slotOf = [&](const InterfacePiece &piece) {
    return t.i32(dynamic ? lgc::slotOperand(piece.slot, at.elementRange + 1) : piece.slot);
  };
  if (isInterpolated(t, at, type)) {
    if (!weights)
      weights = barycentrics(t, at.decorations);
    const InterfacePiece &piece = pieces.front();
    return t.op(lgc::OpId::InputInterpolateOp, type,
                {slotOf(piece), t.i32(piece.component), element, weights});
  }
  Value *vertex = at.vertex ? at.vertex : t.absent();
  return joinPieces(t, type, pieces, [&](const InterfacePiece &piece) {
    return t.op(lgc::OpId::InputLoadOp, piece.type,
                {slotOf(piece), t.i32(piece.component), element, vertex});
  });
}

/// What the interface lists counts, whether code reads it or not.
static bool listsSample(Translator &t) {
  return any_of(t.internals().entry->interfaceIds, [&](Id id) {
    const auto *d = t.spv.findDecoration(id, spv::Decoration::BuiltIn);
    return d && !d->operands.empty() &&
           (d->operands[0] == static_cast<uint32_t>(spv::BuiltIn::SampleId) ||
            d->operands[0] == static_cast<uint32_t>(spv::BuiltIn::SamplePosition));
  });
}

Error loadInputs(Translator &t) {
  Translator::State &s = t.internals();
  BasicBlock &entry = s.entryFunction->getEntryBlock();
  t.b.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  s.barycentrics.clear();
  if (t.isStage(ShaderStage::Fragment) && listsSample(t))
    s.entryFunction->addFnAttr(lgc::everySampleAttribute);
  for (const InterfaceVariable &variable : s.interfaceVariables) {
    if (variable.isOutput || variable.isDirect)
      continue;
    auto *global = cast_or_null<GlobalVariable>(s.values[variable.variable->resultId]);
    if (!global)
      continue;
    for (const InterfaceLeaf &leaf : variable.leaves) {
      if (leaf.at.decorations.explicitInterp)
        continue;
      auto value = KILN_TRY(loadInputLeaf(t, leaf.at, leaf.type));
      if (value->getType()->isIntegerTy(1))
        value = t.b.CreateZExt(value, t.b.getInt32Ty()); // bool in memory
      t.b.CreateStore(value, leafAddress(t, global, leaf.path));
    }
  }
  return Error::success();
}

Error storeOutputs(Translator &t, std::optional<uint32_t> stream) {
  OutputWriter writer{t};
  for (const InterfaceVariable &variable : t.internals().interfaceVariables) {
    if (!variable.isOutput || variable.isDirect)
      continue;
    auto global = KILN_TRY(t.value(variable.variable->resultId));
    (void)global; // made here when only its declaration says that it is needed
    for (const InterfaceLeaf &leaf : variable.leaves)
      if (!stream || leaf.at.decorations.stream == *stream)
        KILN_TRY(writer.write(variable, leaf));
  }
  return Error::success();
}

Error finishOutputs(Translator &t) {
  if (!storesOutputsAtEnd(t.options.stage))
    return Error::success();
  BasicBlock *end = singleReturn(t);
  if (!end)
    return Error::success();
  t.b.SetInsertPoint(end->getTerminator());
  return storeOutputs(t);
}

} // namespace llpc
