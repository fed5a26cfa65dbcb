//===- PackedUniforms.cpp - floats in uniform blocks of integers ----------===//
// SPDX-License-Identifier: MIT
#include "PackedUniforms.h"

using llpc::spirv::Block;
using llpc::spirv::Function;
using llpc::spirv::Id;
using llpc::spirv::Inst;
using llpc::spirv::Module;

namespace exec {

namespace {

constexpr uint64_t rowBytes = 16;

class PackedUniforms {
public:
  PackedUniforms(const Module &module, Id variable, llpc::ConstantEval &constants, Random &random,
                 Bytes &bytes)
      : module(module), variable(variable), constants(constants), random(random), bytes(bytes) {}

  void fillAll() {
    for (const Function &function : module.functions())
      for (const Block &block : function.blocks)
        for (const Inst &inst : block.insts)
          if (inst.opcode == spv::Op::OpBitcast)
            addCast(inst);
    for (const Function &function : module.functions())
      for (const Block &block : function.blocks)
        for (const Inst &inst : block.insts)
          if (inst.opcode == spv::Op::OpFunctionCall && inst.size() == 2)
            addMatrix(inst);
  }

private:
  /// The load behind shuffles and extracts, if it is of the variable; else null.
  const Inst *chainOf(const Inst &cast) const {
    const Inst *inst = module.definition(cast[0]);
    while (inst && (inst->opcode == spv::Op::OpVectorShuffle ||
                    inst->opcode == spv::Op::OpCompositeExtract))
      inst = module.definition((*inst)[0]);
    if (!inst || inst->opcode != spv::Op::OpLoad)
      return nullptr;
    inst = module.definition((*inst)[0]);
    bool isChain = inst && inst->opcode == spv::Op::OpAccessChain && (*inst)[0] == variable;
    return isChain && inst->size() >= 3 ? inst : nullptr;
  }

  void addCast(const Inst &cast) {
    const Inst *type = module.definition(cast.typeId);
    if (type && type->opcode == spv::Op::OpTypeVector)
      type = module.definition((*type)[0]);
    const Inst *chain = chainOf(cast);
    if (!type || type->opcode != spv::Op::OpTypeFloat || (*type)[0] != 32 || !chain)
      return;
    auto row = constants.evaluate((*chain)[2]);
    if (!row)
      return;
    uint64_t first = 0, count = 4;
    if (chain->size() > 3) {
      first = constants.evaluate((*chain)[3]).value_or(0);
      count = 1;
    }
    for (uint64_t i = first; i < first + count; ++i)
      store(*row * rowBytes + i * 4, (static_cast<double>(random.below(1537)) + 512) / 2048);
  }

  void addMatrix(const Inst &call) {
    const Inst *type = module.definition(call.typeId);
    const Function *loader = module.findFunction(call[0]);
    auto offset = constants.evaluate(call[1]);
    if (!type || type->opcode != spv::Op::OpTypeMatrix || !loader || !offset || !reads(*loader))
      return;
    uint64_t columns = (*type)[1], rows = (*module.definition((*type)[0]))[1];
    for (uint64_t i = 0; i < columns; ++i)
      for (uint64_t j = 0; j < rows; ++j)
        store(*offset + i * rowBytes + j * 4, matrixElement(random, i, j, columns, rows));
  }

  bool reads(const Function &function) const {
    for (const Block &block : function.blocks)
      for (const Inst &inst : block.insts)
        if (inst.opcode == spv::Op::OpAccessChain && inst[0] == variable)
          return true;
    return false;
  }

  void store(uint64_t offset, double value) {
    if (offset + 4 <= bytes.size())
      storeBits(ScalarType::F32, fromDouble(ScalarType::F32, value), bytes.data() + offset);
  }

  const Module &module;
  Id variable;
  llpc::ConstantEval &constants;
  Random &random;
  Bytes &bytes;
};

} // namespace

void fillPackedUniforms(const Module &module, Id variable, llpc::ConstantEval &constants,
                        Random &random, Bytes &bytes) {
  PackedUniforms(module, variable, constants, random, bytes).fillAll();
}

} // namespace exec
