//===- LowerDescriptors.cpp - descriptor handles -> loads from user data --===//
// SPDX-License-Identifier: MIT
/// \file
/// Replaces load.desc, buffer.ptr and buffer.length (of a buffer.ptr) by loads from the tables that
/// user data points to, following the resource mapping in !lgc.user.data. Runs after inlining,
/// since each handle must be traced back to its resource.ptr (through resource.index, and phi or
/// select of handles of one binding); before the LLVM optimisations, which then see plain invariant
/// loads.
///
///   before: %h = call ptr addrspace(4) @lgc.resource.ptr...(i32 0, i32 3, i32 %i)
///           %p = call ptr addrspace(7) @lgc.buffer.ptr...(ptr addrspace(4) %h, i32 0)
///   after:  %a = getelementptr i8, ptr addrspace(4) %table, i64 (%i * 16 + offset of the binding)
///           %d = load <4 x i32>, ptr addrspace(4) %a, !invariant.load !0, !lgc.uniform !0
///           %p = addrspacecast ptr addrspace(8) (inttoptr %d) to ptr addrspace(7)
///
/// Uniformity. Nothing here makes an index uniform. A load whose index need not be NonUniform gets
/// !lgc.uniform: "the same in all lanes that execute the access". lgc-lower-waterfall decides late,
/// when uniformity is known, between nothing, a readfirstlane and a loop. Metadata that LLVM drops
/// on the way costs speed only, and a descriptor that stays divergent is handled by instruction
/// selection (it loops over the lanes' distinct descriptors).
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/resources/BufferAccess.h"
#include "lgc/lowering/resources/KeptDescriptor.h"
#include "lgc/lowering/resources/PartSymbols.h"
#include "lgc/lowering/resources/UserDataAddress.h"
#include "pal_shim/abi/TargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// Chains of handle arithmetic longer than this are refused.
constexpr unsigned maxHandleDepth = 1000;

struct Handle {
  uint32_t set = 0;
  uint32_t binding = 0;
  Value *index = nullptr; ///< i32; null when the handle could not be traced
};

/// A descriptor's place for one access: an address, or root user data at a known offset.
struct Place {
  ResourceLocation location;
  Value *pointer = nullptr; ///< ptr(4) to the element; null when `rootOffset` says where it is
  uint32_t rootOffset = 0;
  bool uniform = false;
};

class DescriptorLowering {
public:
  DescriptorLowering(Module &module, const PipelineState &state, unsigned gfxMajor)
      : module(module), context(module.getContext()), state(state), gfxMajor(gfxMajor) {}
  void run();

private:
  Handle resolve(Value *value, unsigned depth = 0);
  Handle resolveMerge(Instruction &merge, unsigned depth);
  bool findBinding(Value *value, Handle &found, SmallPtrSetImpl<Value *> &visited, unsigned depth);
  Handle notTraceable(Value *value, const Twine &why);

  void lowerLoadDesc(CallInst &call);
  void lowerBufferPtr(CallInst &call);
  void lowerBufferLength(CallInst &call);
  void eraseDeadHandles();

  bool isOnlyTable(const ResourceNode &table, uint32_t set);
  Error checkRelocatable(const Handle &handle, const ResourceLocation &location);
  bool locate(IRBuilder<> &b, const Handle &handle, ResourceUse use, uint32_t flags, Place &place);
  Value *loadDwords(IRBuilder<> &b, const Place &place, uint32_t dwordOffset, uint32_t count);
  Value *loadStaticSampler(IRBuilder<> &b, const StaticDescriptor &descriptor, const Handle &handle,
                           bool uniform);
  Value *bufferDescriptor(IRBuilder<> &b, const Handle &handle, uint32_t flags);
  Value *compactDescriptor(IRBuilder<> &b, Value *address);
  Value *inlineDescriptor(IRBuilder<> &b, const Place &place);
  bool hasImageUser(Value *handle);
  UserDataAddress &addresses(IRBuilder<> &b);
  void markUniform(LoadInst *load, bool uniform);

  Module &module;
  LLVMContext &context;
  const PipelineState &state;
  unsigned gfxMajor;
  std::map<Function *, UserDataAddress> addressesOf;
  DenseMap<Value *, Handle> handles;
  DenseMap<Value *, Value *> descriptorOf; ///< buffer.ptr result -> <4 x i32>
  std::map<const StaticDescriptor *, GlobalVariable *> staticArrays;
};

// --- handles

Handle DescriptorLowering::notTraceable(Value *value, const Twine &why) {
  reportError(context, unsupported("descriptor handle " + why));
  return handles[value] = Handle();
}

/// Finds the one (set, binding) that all resource.ptr operations behind `value` name; `found.index`
/// serves as the "found one" mark.
bool DescriptorLowering::findBinding(Value *value, Handle &found, SmallPtrSetImpl<Value *> &visited,
                                     unsigned depth) {
  if (depth > maxHandleDepth)
    return false;
  if (!visited.insert(value).second || isa<UndefValue>(value))
    return true;
  if (auto *root = dyn_cast<ResourcePtrOp>(value)) {
    if (found.index && (found.set != root->constArg(0) || found.binding != root->constArg(1)))
      return false;
    found = {root->constArg(0), root->constArg(1), root->getArgOperand(2)};
    return true;
  }
  if (auto *index = dyn_cast<ResourceIndexOp>(value))
    return findBinding(index->getArgOperand(0), found, visited, depth + 1);
  if (auto *phi = dyn_cast<PHINode>(value))
    return all_of(phi->incoming_values(),
                  [&](Value *in) { return findBinding(in, found, visited, depth + 1); });
  if (auto *select = dyn_cast<SelectInst>(value))
    return findBinding(select->getTrueValue(), found, visited, depth + 1) &&
           findBinding(select->getFalseValue(), found, visited, depth + 1);
  if (auto *freeze = dyn_cast<FreezeInst>(value))
    return findBinding(freeze->getOperand(0), found, visited, depth + 1);
  return false;
}

/// phi, select and freeze of handles become the same of indices.
Handle DescriptorLowering::resolveMerge(Instruction &merge, unsigned depth) {
  Handle handle;
  SmallPtrSet<Value *, 8> visited;
  if (!findBinding(&merge, handle, visited, 0) || !handle.index)
    return notTraceable(&merge, "is chosen between different bindings");
  auto indexOf = [&](Value *value) -> Value * {
    if (isa<UndefValue>(value))
      return PoisonValue::get(Type::getInt32Ty(context));
    Handle in = resolve(value, depth + 1);
    return in.index ? in.index : PoisonValue::get(Type::getInt32Ty(context));
  };
  IRBuilder<> b(&merge);
  if (auto *phi = dyn_cast<PHINode>(&merge)) {
    PHINode *indexPhi = b.CreatePHI(b.getInt32Ty(), phi->getNumIncomingValues(), "index");
    handle.index = indexPhi;
    handles[&merge] = handle; // before the operands: loops come back here
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
      indexPhi->addIncoming(indexOf(value), block);
    return handle;
  }
  if (auto *select = dyn_cast<SelectInst>(&merge)) {
    Value *onTrue = indexOf(select->getTrueValue());
    Value *onFalse = indexOf(select->getFalseValue());
    handle.index = b.CreateSelect(select->getCondition(), onTrue, onFalse, "index");
  } else {
    handle.index = b.CreateFreeze(indexOf(merge.getOperand(0)));
  }
  return handles[&merge] = handle;
}

Handle DescriptorLowering::resolve(Value *value, unsigned depth) {
  if (auto known = handles.find(value); known != handles.end())
    return known->second;
  if (depth > maxHandleDepth)
    return notTraceable(value, "goes through too many indexing steps");
  if (auto *root = dyn_cast<ResourcePtrOp>(value))
    return handles[value] = {root->constArg(0), root->constArg(1), root->getArgOperand(2)};
  if (auto *indexing = dyn_cast<ResourceIndexOp>(value)) {
    Handle handle = resolve(indexing->getArgOperand(0), depth + 1);
    if (handle.index) {
      IRBuilder<> b(indexing);
      handle.index = b.CreateAdd(handle.index, indexing->getArgOperand(1), "index");
    }
    return handles[value] = handle;
  }
  if (isa<PHINode, SelectInst, FreezeInst>(value))
    return resolveMerge(*cast<Instruction>(value), depth);
  if (isa<UndefValue>(value)) // a path that never runs
    return Handle();
  return notTraceable(value, "does not come from a variable of this function");
}

// --- places

UserDataAddress &DescriptorLowering::addresses(IRBuilder<> &b) {
  Function *function = b.GetInsertBlock()->getParent();
  return addressesOf.try_emplace(function, *function).first->second;
}

/// Is `table` the one root node that holds nodes of this set, and does it hold no others?
bool DescriptorLowering::isOnlyTable(const ResourceNode &table, uint32_t set) {
  auto isInSet = [set](const ResourceNode &node) { return node.set == set; };
  return all_of(table.table, isInSet) &&
         none_of(state.mapping.roots, [&](const ResourceNode &root) {
           return &root != &table && any_of(root.table, isInSet);
         });
}

/// What the application's layout decides besides the place, a relocatable part cannot have.
Error DescriptorLowering::checkRelocatable(const Handle &handle, const ResourceLocation &location) {
  std::string place =
      "part: set " + std::to_string(handle.set) + " binding " + std::to_string(handle.binding);
  const ResourceNode *root =
      location.hops.empty() ? nullptr : findRootNode(state.mapping, location.hops.front());
  if (location.hops.size() > 1 || (root && root->type == ResourceNodeType::IndirectUserDataVaPtr))
    return unsupported(place + " lies behind a pointer in user data (IndirectUserDataVaPtr)");
  if (root && !isOnlyTable(*root, handle.set))
    return unsupported(place + " is in a set with several tables, or in a table with several sets");
  if (location.node->type == ResourceNodeType::DescriptorYCbCrSampler)
    return unsupported(place + " has a sampler with YCbCr conversion");
  if (countNodes(state.mapping, handle.set, handle.binding) > 1)
    return unsupported(place + " is several nodes of the resource mapping");
  return Error::success();
}

bool DescriptorLowering::locate(IRBuilder<> &b, const Handle &handle, ResourceUse use,
                                uint32_t flags, Place &place) {
  place.location = findResource(state.mapping, handle.set, handle.binding, use);
  place.uniform = !(flags & ResourceFlags::NonUniform);
  const ResourceNode *node = place.location.node;
  if (!node) {
    static constexpr const char *names[] = {"uniform buffer", "storage buffer", "image",
                                            "sampler",        "texel buffer",   "fmask"};
    reportError(context, invalidInput("the resource mapping has no " +
                                      Twine(names[static_cast<unsigned>(use)]) + " for set " +
                                      Twine(handle.set) + " binding " + Twine(handle.binding)));
    return false;
  }
  if (state.part.relocatable)
    if (Error error = checkRelocatable(handle, place.location)) {
      reportError(context, std::move(error));
      return false;
    }
  uint32_t stride = strideInDwords(*node);
  auto *constant = dyn_cast<ConstantInt>(handle.index);
  // Of one element there is no other index; and a root entry of one is in registers, see
  // EntryNeeds. The layout of a relocatable part may have more.
  if (!state.part.relocatable && stride != 0 && node->sizeInDwords <= stride)
    constant = ConstantInt::get(context, APInt(32, 0));
  if (node->type == ResourceNodeType::InlineBuffer) {
    stride = 0; // never an array
  } else if (stride == 0 && !(constant && constant->isZero())) {
    reportError(context, invalidInput("the resource mapping gives no stride for set " +
                                      Twine(handle.set) + " binding " + Twine(handle.binding)));
    return false;
  }
  uint64_t constantDwords =
      place.location.offsetInDwords + (constant ? constant->getZExtValue() * stride : 0);
  if (place.location.hops.empty() && (constant || stride == 0) && constantDwords < UINT32_MAX / 4 &&
      node->type != ResourceNodeType::InlineBuffer) {
    place.rootOffset = static_cast<uint32_t>(constantDwords);
    return true;
  }
  UserDataAddress &address = addresses(b);
  Value *base = place.location.hops.empty() ? address.spillTable()
                                            : address.tablePointer(place.location.hops);
  // The sum stays in 32 bits, unsigned: that is what scalar loads add in one instruction.
  Value *bytes = nullptr;
  if (state.part.relocatable) {
    constantDwords -= place.location.offsetInDwords;
    bytes =
        createRelocation(b, place.location.hops.empty() ? rootSymbol(place.location.offsetInDwords)
                                                        : tableSymbol(handle.set, handle.binding));
  }
  auto advance = [&] {
    if (bytes)
      base = b.CreateInBoundsGEP(b.getInt8Ty(), base, b.CreateZExt(bytes, b.getInt64Ty()));
    bytes = nullptr;
  };
  // Accesses of the same lanes' elements share a loop over them: where the binding is must not be
  // part of what differs.
  if (!place.uniform)
    advance();
  if (!constant && stride != 0) {
    Value *element = b.CreateMul(handle.index, b.getInt32(stride * 4), "", /*HasNUW=*/true);
    // Why no nuw: LLVM would add in 64 bits.
    bytes = bytes ? b.CreateAdd(element, bytes) : element;
  }
  advance();
  place.pointer = offsetPointer(b, base, constantDwords * 4);
  return true;
}

void DescriptorLowering::markUniform(LoadInst *load, bool uniform) {
  if (uniform)
    load->setMetadata("lgc.uniform", MDNode::get(context, {}));
}

Value *DescriptorLowering::loadDwords(IRBuilder<> &b, const Place &place, uint32_t dwordOffset,
                                      uint32_t count) {
  if (!place.pointer)
    return addresses(b).rootDwords(place.rootOffset + dwordOffset, count);
  Value *pointer = offsetPointer(b, place.pointer, uint64_t(dwordOffset) * 4);
  LoadInst *load = createInvariantLoad(b, FixedVectorType::get(b.getInt32Ty(), count), pointer);
  markUniform(load, place.uniform);
  return load;
}

// --- image, sampler, texel buffer

Value *DescriptorLowering::loadStaticSampler(IRBuilder<> &b, const StaticDescriptor &descriptor,
                                             const Handle &handle, bool uniform) {
  uint32_t elements = std::max(descriptor.arraySize, 1u);
  size_t stride = descriptor.dwords.size() / elements;
  if (stride < 4) {
    reportError(context,
                invalidInput("immutable sampler of set " + Twine(handle.set) + " binding " +
                             Twine(handle.binding) + " has fewer than 4 dwords an element"));
    return nullptr;
  }
  SmallVector<Constant *, 8> samplers;
  for (uint32_t i = 0; i < elements; ++i)
    samplers.push_back(ConstantDataVector::get(
        context, ArrayRef<uint32_t>(descriptor.dwords).slice(i * stride, 4)));
  if (auto *constant = dyn_cast<ConstantInt>(handle.index))
    return samplers[std::min<uint64_t>(constant->getZExtValue(), elements - 1)];
  if (elements == 1)
    return samplers[0];
  auto *type = ArrayType::get(FixedVectorType::get(b.getInt32Ty(), 4), elements);
  GlobalVariable *&array = staticArrays[&descriptor];
  if (!array) {
    array = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                               ConstantArray::get(type, samplers), "immutable.samplers", nullptr,
                               GlobalValue::NotThreadLocal, AddrSpace::Constant);
    array->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    array->setAlignment(Align(16));
  }
  Value *index = b.CreateZExt(handle.index, b.getInt64Ty());
  Value *pointer = b.CreateInBoundsGEP(type, array, {b.getInt64(0), index});
  LoadInst *load = createInvariantLoad(b, type->getElementType(), pointer);
  markUniform(load, uniform);
  return load;
}

/// Does the shader load an image descriptor through this very handle? Then a sampler loaded through
/// it is the second half of a combined image sampler.
bool DescriptorLowering::hasImageUser(Value *handle) {
  return any_of(handle->users(), [](User *user) {
    auto *load = dyn_cast<LoadDescOp>(user);
    return load && load->constArg(1) == static_cast<uint32_t>(DescKind::Image);
  });
}

void DescriptorLowering::lowerLoadDesc(CallInst &call) {
  auto kind = static_cast<DescKind>(cast<LoadDescOp>(call).constArg(1));
  uint32_t flags = cast<LoadDescOp>(call).constArg(2);
  static constexpr ResourceUse uses[] = {ResourceUse::Image, ResourceUse::Sampler,
                                         ResourceUse::TexelBuffer, ResourceUse::UniformBuffer};
  Value *result = nullptr;
  Handle handle = resolve(call.getArgOperand(0));
  if (handle.index && static_cast<size_t>(kind) < std::size(uses)) {
    IRBuilder<> b(&call);
    const StaticDescriptor *fixed =
        kind == DescKind::Sampler ? findStaticSampler(state.mapping, handle.set, handle.binding)
                                  : nullptr;
    Place place;
    if (fixed && state.part.relocatable &&
        fixed->type == ResourceNodeType::DescriptorYCbCrSampler) {
      reportError(context,
                  unsupported("part: set " + Twine(handle.set) + " binding " +
                              Twine(handle.binding) + " has a sampler with YCbCr conversion"));
    } else if (fixed) {
      result = loadStaticSampler(b, *fixed, handle, !(flags & ResourceFlags::NonUniform));
    } else if (locate(b, handle, uses[static_cast<size_t>(kind)], flags, place)) {
      bool second = kind == DescKind::Sampler &&
                    (place.location.node->type == ResourceNodeType::DescriptorCombinedTexture ||
                     (place.location.node->type == ResourceNodeType::DescriptorMutable &&
                      hasImageUser(call.getArgOperand(0))));
      uint32_t count = kind == DescKind::Image ? 8 : 4;
      const uint32_t plane = (flags & ResourceFlags::PlaneMask) >> ResourceFlags::PlaneShift;
      result = loadDwords(b, place, second ? 8 : plane * 8, count);
    }
  }
  if (!result || result->getType() != call.getType())
    result = PoisonValue::get(call.getType());
  result->takeName(&call);
  call.replaceAllUsesWith(result);
  descriptorOf.erase(&call);
}

// --- buffers

/// Buffer V# from a 64-bit address in <2 x i32>: raw, never out of range.
Value *DescriptorLowering::compactDescriptor(IRBuilder<> &b, Value *address) {
  // HW: dword 1 has the address bits 47:32 and the stride (0) above them; out-of-range select 2
  // checks for num_records == 0 only.
  const uint32_t word3 = gfxMajor >= 12 ? 0x22014FAC : gfxMajor == 11 ? 0x20014FAC : 0x21014FAC;
  Value *high = b.CreateAnd(b.CreateExtractElement(address, 1), b.getInt32(0xFFFF));
  Constant *words[] = {b.getInt32(0), b.getInt32(0), b.getInt32(UINT32_MAX), b.getInt32(word3)};
  Value *desc = ConstantVector::get(words);
  desc = b.CreateInsertElement(desc, b.CreateExtractElement(address, uint64_t(0)), uint64_t(0));
  return b.CreateInsertElement(desc, high, uint64_t(1));
}

/// Buffer V# over the bytes of an inline uniform block, with range checking at its end.
Value *DescriptorLowering::inlineDescriptor(IRBuilder<> &b, const Place &place) {
  Value *address = b.CreateBitCast(b.CreatePtrToInt(place.pointer, b.getInt64Ty()),
                                   FixedVectorType::get(b.getInt32Ty(), 2));
  Value *high = b.CreateAnd(b.CreateExtractElement(address, 1), b.getInt32(0xFFFF));
  Constant *words[] = {b.getInt32(0), b.getInt32(0),
                       b.getInt32(place.location.node->sizeInDwords * 4),
                       b.getInt32(rawBufferWord3(gfxMajor))};
  Value *desc = ConstantVector::get(words);
  desc = b.CreateInsertElement(desc, b.CreateExtractElement(address, uint64_t(0)), uint64_t(0));
  return b.CreateInsertElement(desc, high, uint64_t(1));
}

Value *DescriptorLowering::bufferDescriptor(IRBuilder<> &b, const Handle &handle, uint32_t flags) {
  ResourceUse use =
      flags & ResourceFlags::UniformBlock ? ResourceUse::UniformBuffer : ResourceUse::StorageBuffer;
  Place place;
  if (!handle.index || !locate(b, handle, use, flags, place))
    return PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), 4));
  switch (place.location.node->type) {
  case ResourceNodeType::InlineBuffer:
    return inlineDescriptor(b, place);
  case ResourceNodeType::DescriptorBufferCompact:
  case ResourceNodeType::DescriptorConstBufferCompact:
    return compactDescriptor(b, loadDwords(b, place, 0, 2));
  default:
    return loadDwords(b, place, 0, 4);
  }
}

void DescriptorLowering::lowerBufferPtr(CallInst &call) {
  IRBuilder<> b(&call);
  Value *desc =
      bufferDescriptor(b, resolve(call.getArgOperand(0)), cast<BufferPtrOp>(call).constArg(1));
  keepForDebuggers(call, *desc);
  Value *resource = b.CreateIntToPtr(b.CreateBitCast(desc, b.getInt128Ty()), b.getPtrTy(8));
  Value *pointer = b.CreateAddrSpaceCast(resource, b.getPtrTy(AddrSpace::Buffer));
  pointer->takeName(&call);
  descriptorOf[pointer] = desc;
  call.replaceAllUsesWith(pointer);
}

void DescriptorLowering::lowerBufferLength(CallInst &call) {
  auto known = descriptorOf.find(call.getArgOperand(0));
  if (known == descriptorOf.end())
    return; // behind a phi or select: lgc-lower-buffers finds the descriptor
  IRBuilder<> b(&call);
  call.replaceAllUsesWith(createBufferLength(b, known->second));
  call.eraseFromParent();
}

// --- driver

void DescriptorLowering::eraseDeadHandles() {
  // Handles may form dead cycles of phis: cut them loose first.
  for (auto &[value, handle] : handles)
    if (auto *phi = dyn_cast<PHINode>(value);
        phi && all_of(phi->users(), [&](User *user) { return handles.count(user) != 0; }))
      phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
  bool changed = true;
  SmallVector<Instruction *, 16> left;
  for (auto &[value, handle] : handles)
    if (auto *inst = dyn_cast<Instruction>(value))
      left.push_back(inst);
  while (changed) {
    changed = false;
    for (Instruction *&inst : left)
      if (inst && inst->use_empty()) {
        inst->eraseFromParent();
        inst = nullptr;
        changed = true;
      }
  }
}

void DescriptorLowering::run() {
  SmallVector<CallInst *, 16> done;
  forEachOp(module, OpId::LoadDescOp, [&](CallInst &call) {
    lowerLoadDesc(call);
    done.push_back(&call);
  });
  // Why erased only now: hasImageUser looks at the calls.
  for (CallInst *call : done)
    call->eraseFromParent();
  forEachOp(module, OpId::BufferPtrOp, [&](CallInst &call) {
    lowerBufferPtr(call);
    call.eraseFromParent();
  });
  forEachOp(module, OpId::BufferLengthOp, [&](CallInst &call) { lowerBufferLength(call); });
  eraseDeadHandles();
  for (OpId id : {OpId::LoadDescOp, OpId::ResourcePtrOp, OpId::ResourceIndexOp})
    forEachOp(module, id, [](CallInst &call) {
      if (call.use_empty())
        call.eraseFromParent();
    });
}

} // namespace

PreservedAnalyses LowerDescriptorsPass::run(Module &module, ModuleAnalysisManager &mam) {
  if (!hasOp(module, OpId::ResourcePtrOp))
    return PreservedAnalyses::all();
  const StateAnalysis::Result &state = mam.getResult<StateAnalysis>(module);
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state->target);
  DescriptorLowering(module, state.state, target ? target->major : 10).run();
  return PreservedAnalyses::none();
}

} // namespace lgc
