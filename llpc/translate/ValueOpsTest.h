//===- ValueOpsTest.h - runs handlers of value instructions (tests) -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/ir/TestInterpreter.h"
#include "llpc/translate/ValueHelpers.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <functional>

namespace llpc::test {

using namespace lgc::test;
using namespace llvm;

inline constexpr unsigned lanes = 32; ///< operand sets per run

/// An empty shader module: handlers ask it for decorations only.
inline std::unique_ptr<spirv::Module> emptyModule() {
  const uint32_t words[] = {0x07230203, 0x00010500, 0, 16, 0, 0x00020011, 1, 0x0003000E, 0, 1};
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words), sizeof(words));
  auto module = spirv::Module::parse(bytes);
  return module ? std::move(*module) : nullptr;
}

struct ValueOpsTest : testing::Test {
  LLVMContext context;
  std::unique_ptr<spirv::Module> spv = emptyModule();
  TranslateOptions options;
  std::unique_ptr<llvm::Module> module = createShaderModule(context);
  std::unique_ptr<Translator> t = std::make_unique<Translator>(*spv, *module, options);
  Type *f16 = Type::getHalfTy(context), *f32 = Type::getFloatTy(context);
  Type *f64 = Type::getDoubleTy(context), *i32 = Type::getInt32Ty(context);

  static WaveValue broadcast(const LaneValue &value) { return WaveValue(lanes, value); }

  /// Result of a handler on operand sets; the error's text in `error`.
  std::string error;
  WaveValue call(ValueHandler handler, Sig signature, Type *resultType, ArrayRef<Type *> types,
                 ArrayRef<WaveValue> operands) {
    auto *function =
        Function::Create(FunctionType::get(resultType, SmallVector<Type *>(types), false),
                         GlobalValue::ExternalLinkage, "f", *t->module);
    t->b.SetInsertPoint(BasicBlock::Create(context, "", function));
    SmallVector<Value *> args;
    for (Argument &argument : function->args())
      args.push_back(&argument);
    SmallVector<Id> ids(args.size(), 1);
    Inst inst;
    inst.opcode = spv::Op::OpExtInst;
    inst.resultId = 1;
    ValueOp op{*t, inst, t->b, resultType, args, ids};
    error.clear();
    if (Error problem = checkSignature(op, signature)) {
      error = lgc::consumeToText(std::move(problem)).message;
      return broadcast(LaneValue(64));
    }
    FastMathFlags flags;
    flags.setNoSignedZeros();
    flags.setAllowContract();
    t->b.setFastMathFlags(flags);
    Expected<Value *> result = handler(op);
    if (!result) {
      error = lgc::consumeToText(result.takeError()).message;
      return broadcast(LaneValue(64));
    }
    t->b.CreateRet(*result);
    std::string problems;
    raw_string_ostream os(problems);
    EXPECT_FALSE(verifyFunction(*function, &os)) << problems;
    WaveInterpreter interpreter(lanes, 0xFFFFFFFF);
    for (unsigned i = 0; i < operands.size(); ++i)
      interpreter.setArgument(*function->getArg(i), operands[i]);
    WaveValue out = interpreter.run(*function);
    EXPECT_EQ(interpreter.unknown, "");
    function->eraseFromParent();
    return out;
  }

  WaveValue glsl(uint32_t number, Type *resultType, ArrayRef<Type *> types,
                 ArrayRef<WaveValue> operands) {
    for (const ExtEntry &entry : glslStd450Ops())
      if (entry.number == number)
        return call(entry.handler, entry.signature, resultType, types, operands);
    ADD_FAILURE() << "GLSL.std.450 instruction " << number << " is missing";
    return broadcast(LaneValue(64));
  }

  WaveValue core(spv::Op opcode, Type *resultType, ArrayRef<Type *> types,
                 ArrayRef<WaveValue> operands) {
    const OpEntry *entry = findOp(opcode);
    if (!entry || !entry->valueHandler) {
      ADD_FAILURE() << "no handler";
      return broadcast(LaneValue(64));
    }
    return call(entry->valueHandler, entry->signature, resultType, types, operands);
  }

  /// One scalar per lane.
  static WaveValue wave(Type *type, const std::function<double(unsigned)> &value) {
    WaveValue out;
    for (unsigned lane = 0; lane < lanes; ++lane)
      out.push_back({{fromDouble(value(lane), type), true}});
    return out;
  }
  static WaveValue waveBits(const std::function<uint64_t(unsigned)> &value) {
    WaveValue out;
    for (unsigned lane = 0; lane < lanes; ++lane)
      out.push_back({{value(lane), true}});
    return out;
  }
  LaneValue floats(std::initializer_list<double> values) {
    LaneValue out;
    for (double value : values)
      out.push_back({fromDouble(value, f32), true});
    return out;
  }

  void expectNear(const Scalar &got, Type *type, double want, double absolute, double relative,
                  const std::string &what) {
    double value = toDouble(got.bits, type);
    ASSERT_TRUE(got.defined) << what;
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(value)) << what << " = " << value;
      return;
    }
    if (value != want) {
      EXPECT_LE(std::fabs(value - want), absolute + relative * std::fabs(want))
          << what << " = " << value << ", want " << want;
    }
  }
};

} // namespace llpc::test
