//===- EmitModule.cpp - a function as a compute kernel ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// User data: PAL's global table, where gfx10 finds scratch memory, in the first register; then the
/// entries: V# of the inputs (0 to 3), V# of the outputs (4 to 7), uniform inputs. Lane i
/// of the workgroup reads inputDwords dwords from 4 * inputDwords * i on, and writes two dwords for
/// every output.
#include "Program.h"
#include "lgc/lowering/entry/HardwareFunction.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace randomir {

namespace {

constexpr unsigned userEntries = 8 + uniformInputs;

void addMetadata(Module &module, const Machine &machine) {
  msgpack::Document document;
  auto numbers = [&](ArrayRef<uint64_t> values) {
    msgpack::ArrayDocNode array = document.getArrayNode();
    for (uint64_t value : values)
      array.push_back(document.getNode(value));
    return array;
  };
  msgpack::MapDocNode root = document.getRoot().getMap(/*Convert=*/true);
  root["amdpal.version"] = numbers({3, 0});
  msgpack::MapDocNode pipeline = document.getMapNode();
  root["amdpal.pipelines"].getArray(/*Convert=*/true).push_back(pipeline);
  pipeline[".type"] = "Cs";
  pipeline[".api"] = "Vulkan";
  pipeline[".internal_pipeline_hash"] = numbers({1, 1});
  pipeline[".user_data_limit"] = userEntries;
  pipeline[".spill_threshold"] = 0xFFFFu;
  msgpack::MapDocNode stage = pipeline[".hardware_stages"].getMap(true)[".cs"].getMap(true);
  stage[".wavefront_size"] = machine.lanes;
  stage[".float_mode"] = machine.flushF32 ? 0xC0u : 0xF0u;
  SmallVector<uint64_t, 16> map = {0x10000000};
  for (unsigned i = 0; i < userEntries; ++i)
    map.push_back(i);
  stage[".user_data_reg_map"] = numbers(map);
  stage[".user_sgprs"] = userEntries + 1;
  stage[".threadgroup_dimensions"] = numbers({groupSize, 1, 1});
  msgpack::MapDocNode registers = pipeline[".compute_registers"].getMap(true);
  for (const char *key : {".tgid_x_en", ".tgid_y_en", ".tgid_z_en", ".tg_size_en"})
    registers[key] = false;
  registers[".tidig_comp_cnt"] = 0u;
  std::string blob;
  document.writeToBlob(blob);
  LLVMContext &context = module.getContext();
  module.getOrInsertNamedMetadata("amdgpu.pal.metadata.msgpack")
      ->addOperand(MDNode::get(context, MDString::get(context, blob)));
}

class Emitter {
public:
  Emitter(Module &module, const RandomFunction &function, const Machine &machine)
      : module(module), function(function), machine(machine), b(module.getContext()),
        context{b, machine} {}
  void run();

private:
  llvm::Function *makeKernel();
  Value *pointerOf(Value *descriptor) {
    Value *bits = b.CreateBitCast(descriptor, b.getInt128Ty());
    return b.CreateIntToPtr(bits, b.getPtrTy(8));
  }
  Value *loadDword(uint64_t dword) {
    Value *offset = b.CreateAdd(inputOffset, b.getInt32(uint32_t(dword % inputDwords) * 4));
    return b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_load, {b.getInt32Ty()},
                             {input, offset, b.getInt32(0), b.getInt32(0)});
  }
  Value *emit(const Node &node);
  Value *emitInput(const Node &node);
  /// An integer of the width of \p type as a value of it.
  Value *ofType(Value *bits, Type type) {
    if (!isFloat(type))
      return bits;
    return emitCanonical(context, b.CreateBitCast(bits, irType(b.getContext(), type)));
  }
  void store(unsigned output);

  Module &module;
  const RandomFunction &function;
  const Machine &machine;
  IRBuilder<> b;
  EmitContext context;
  Value *input = nullptr, *output = nullptr, *inputOffset = nullptr, *threadId = nullptr;
  Value *uniform[uniformInputs] = {};
  std::vector<Value *> values;
  BasicBlock *before = nullptr, *inside = nullptr, *after = nullptr; ///< of the last region
};

llvm::Function *Emitter::makeKernel() {
  llvm::Type *descriptor = FixedVectorType::get(b.getInt32Ty(), 4);
  SmallVector<llvm::Type *, 8> params = {b.getInt32Ty(), descriptor, descriptor};
  params.append(uniformInputs + 1, b.getInt32Ty());
  auto *kernel = llvm::Function::Create(FunctionType::get(b.getVoidTy(), params, false),
                                        GlobalValue::ExternalLinkage, "_amdgpu_cs_main", module);
  kernel->setCallingConv(CallingConv::AMDGPU_CS);
  for (unsigned i = 0; i + 1 < params.size(); ++i)
    kernel->addParamAttr(i, Attribute::InReg);
  kernel->addFnAttr("target-cpu", machine.target);
  std::string features = lgc::targetFeatures(machine.lanes).str();
  if (machine.realTrue16)
    features += ",+real-true16";
  kernel->addFnAttr("target-features", features);
  kernel->addFnAttr("amdgpu-flat-work-group-size",
                    std::to_string(groupSize) + "," + std::to_string(groupSize));
  kernel->addFnAttr("uniform-work-group-size", "true");
  if (machine.flushF32)
    kernel->addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  b.SetInsertPoint(BasicBlock::Create(b.getContext(), "entry", kernel));
  input = pointerOf(kernel->getArg(1));
  output = pointerOf(kernel->getArg(2));
  for (unsigned i = 0; i < uniformInputs; ++i)
    uniform[i] = kernel->getArg(3 + i);
  threadId = kernel->getArg(3 + uniformInputs);
  // Packed local ids: y and z are 0 in a row of threads.
  inputOffset = b.CreateMul(threadId, b.getInt32(inputDwords * 4));
  context.laneId = b.CreateAnd(threadId, machine.lanes - 1);
  return kernel;
}

Value *Emitter::emitInput(const Node &node) {
  auto dword = [&](uint64_t index) {
    return node.kind == Node::Kind::Input ? loadDword(index) : uniform[index % uniformInputs];
  };
  Value *bits = dword(node.imm);
  unsigned width = widthOf(node.type);
  if (width == 64) {
    Value *high = b.CreateShl(b.CreateZExt(dword(node.imm + 1), b.getInt64Ty()), 32);
    bits = b.CreateOr(b.CreateZExt(bits, b.getInt64Ty()), high);
  } else {
    bits = b.CreateTrunc(bits, b.getIntNTy(width));
  }
  return ofType(bits, node.type);
}

Value *Emitter::emit(const Node &node) {
  switch (node.kind) {
  case Node::Kind::Input:
  case Node::Kind::Uniform:
    return emitInput(node);
  case Node::Kind::Constant: {
    Constant *bits = ConstantInt::get(b.getIntNTy(widthOf(node.type)), node.imm);
    return isFloat(node.type) ? b.CreateBitCast(bits, irType(b.getContext(), node.type)) : bits;
  }
  case Node::Kind::Apply: {
    SmallVector<Value *, 4> args;
    for (unsigned arg : node.args)
      args.push_back(values[arg]);
    return allOps()[node.op].emit(context, args, node.imm);
  }
  case Node::Kind::Begin:
    before = b.GetInsertBlock();
    inside = BasicBlock::Create(b.getContext(), "inside", before->getParent());
    after = BasicBlock::Create(b.getContext(), "after", before->getParent());
    b.CreateCondBr(values[node.args[0]], inside, after);
    b.SetInsertPoint(inside);
    return nullptr;
  case Node::Kind::End:
    inside = b.GetInsertBlock();
    b.CreateBr(after);
    b.SetInsertPoint(after);
    return nullptr;
  case Node::Kind::Phi: {
    PHINode *phi = b.CreatePHI(irType(b.getContext(), node.type), 2);
    phi->addIncoming(values[node.args[0]], inside);
    phi->addIncoming(values[node.args[1]], before);
    return phi;
  }
  }
  return nullptr;
}

void Emitter::store(unsigned index) {
  unsigned id = function.outputs[index];
  Type type = function.nodes[id].type;
  Value *bits = b.CreateBitCast(values[id], b.getIntNTy(widthOf(type)));
  bits = b.CreateZExt(bits, b.getInt64Ty());
  Value *pair = b.CreateBitCast(bits, FixedVectorType::get(b.getInt32Ty(), 2));
  unsigned stride = unsigned(function.outputs.size()) * 8;
  Value *offset = b.CreateAdd(b.CreateMul(threadId, b.getInt32(stride)), b.getInt32(index * 8));
  b.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_store, {pair->getType()},
                    {pair, output, offset, b.getInt32(0), b.getInt32(0)});
}

void Emitter::run() {
  makeKernel();
  std::set<unsigned> needed = neededNodes(function);
  for (unsigned id = 0; id < function.nodes.size(); ++id)
    values.push_back(needed.count(id) ? emit(function.nodes[id]) : nullptr);
  for (unsigned i = 0; i < function.outputs.size(); ++i)
    store(i);
  b.CreateRetVoid();
}

} // namespace

std::unique_ptr<Module> emitModule(LLVMContext &context, const RandomFunction &function,
                                   const Machine &machine) {
  auto module = std::make_unique<Module>("random", context);
  module->setTargetTriple(Triple("amdgcn-amd-amdpal"));
  addMetadata(*module, machine);
  Emitter(*module, function, machine).run();
  return module;
}

} // namespace randomir
