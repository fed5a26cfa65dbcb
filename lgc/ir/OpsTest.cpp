//===- OpsTest.cpp - making, recognising and verifying operations ---------===//
// SPDX-License-Identifier: MIT
#include "lgc/Ops.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace llvm;

namespace {

struct OpsTest : testing::Test {
  LLVMContext context;
  Module module{"m", context};
  IRBuilder<> b{context};
  OpsTest() {
    auto *function = Function::Create(FunctionType::get(b.getVoidTy(), false),
                                      GlobalValue::ExternalLinkage, "f", module);
    b.SetInsertPoint(BasicBlock::Create(context, "", function));
  }
  std::string verify() {
    Error error = verifyOps(module);
    return error ? consumeToText(std::move(error)).message : "";
  }
};

TEST_F(OpsTest, CreateAndRecognise) {
  CallInst *call = createOp(b, OpId::ResourcePtrOp, b.getPtrTy(4),
                            {b.getInt32(1), b.getInt32(2), b.getInt32(0)});
  EXPECT_EQ(call->getCalledFunction()->getName(), "lgc.resource.ptr__p4_i32_i32_i32");
  EXPECT_TRUE(call->doesNotAccessMemory());
  EXPECT_TRUE(call->doesNotThrow());
  auto *op = dyn_cast<ResourcePtrOp>(call);
  ASSERT_TRUE(op);
  EXPECT_EQ(op->constArg(1), 2u);
  EXPECT_FALSE(isa<ResourceIndexOp>(call));

  auto *v4i32 = FixedVectorType::get(b.getInt32Ty(), 4);
  auto *ballot = createOp(b, OpId::SubgroupBallotOp, v4i32, {b.getTrue()});
  EXPECT_TRUE(ballot->isConvergent());
  auto *sparse = StructType::get(FixedVectorType::get(b.getFloatTy(), 4), b.getInt32Ty());
  auto *load = createOp(b, OpId::ImageLoadOp, sparse,
                        {PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), 8)), b.getInt32(1),
                         b.getInt32(8), b.getInt32(0), absent(context), absent(context)});
  EXPECT_EQ(load->getCalledFunction()->getName(),
            "lgc.image.load__s2v4f32i32_v8i32_i32_i32_i32_i32_i32");
  EXPECT_TRUE(load->onlyReadsMemory());
  EXPECT_EQ(verify(), "");
}

TEST_F(OpsTest, KillDoesNotReturn) {
  auto *kill = createOp(b, OpId::KillOp, b.getVoidTy(), {});
  EXPECT_TRUE(kill->doesNotReturn());
  EXPECT_FALSE(kill->hasFnAttr(Attribute::WillReturn));
  auto *demote = createOp(b, OpId::DemoteOp, b.getVoidTy(), {});
  EXPECT_FALSE(demote->doesNotReturn());
  EXPECT_TRUE(demote->hasFnAttr(Attribute::WillReturn));
}

TEST_F(OpsTest, EveryNameIsFound) {
#define LGC_OP(Class, name, args, effects, flags, summary)                                         \
  {                                                                                                \
    auto *f = Function::Create(FunctionType::get(b.getVoidTy(), false),                            \
                               GlobalValue::ExternalLinkage, "lgc." name "__void", module);        \
    EXPECT_EQ(opIdOf(*f), OpId::Class);                                                            \
    EXPECT_EQ(opName(OpId::Class), name);                                                          \
  }
#include "lgc/Ops.def"
  for (const char *name : {"lgc.", "lgc.shader.CS", "lgc.resource.pt__p4", "lg", ""}) {
    auto *f = Function::Create(FunctionType::get(b.getVoidTy(), false),
                               GlobalValue::ExternalLinkage, name, module);
    EXPECT_EQ(opIdOf(*f), OpId::None) << name;
  }
}

TEST_F(OpsTest, ForEachVisitsInOrderAndErases) {
  for (unsigned i = 0; i < 3; ++i)
    createOp(b, OpId::UserDataOp, b.getInt32Ty(), {b.getInt32(i)});
  createOp(b, OpId::UserDataOp, b.getInt64Ty(), {b.getInt32(9)});
  EXPECT_TRUE(hasOp(module, OpId::UserDataOp));
  std::vector<uint32_t> seen;
  forEachOp(module, OpId::UserDataOp, [&](CallInst &call) {
    seen.push_back(cast<UserDataOp>(call).constArg(0));
    call.eraseFromParent();
  });
  EXPECT_EQ(seen, (std::vector<uint32_t>{0, 1, 2, 9}));
  EXPECT_FALSE(hasOp(module, OpId::UserDataOp));
  EXPECT_FALSE(module.getFunction("lgc.user.data__i32_i32"));
}

TEST_F(OpsTest, VerifierRejects) {
  createOp(b, OpId::BufferPtrOp, b.getPtrTy(7), {PoisonValue::get(b.getPtrTy(4)), b.getInt32(0)});
  EXPECT_EQ(verify(), "");
  createOp(b, OpId::BufferPtrOp, b.getPtrTy(1), {PoisonValue::get(b.getPtrTy(4)), b.getInt32(0)});
  EXPECT_EQ(verify(), "lgc.buffer.ptr: result is not of type 'p7' in "
                      "'%2 = call ptr addrspace(1) @lgc.buffer.ptr__p1_p4_i32("
                      "ptr addrspace(4) poison, i32 0)'");
}

TEST_F(OpsTest, VerifierWantsConstants) {
  createOp(b, OpId::BuiltinOp, b.getInt32Ty(), {PoisonValue::get(b.getInt32Ty())});
  EXPECT_NE(verify().find("operand 0 is not 'const'"), std::string::npos);
}

TEST_F(OpsTest, VerifierRejectsUnknownNamesAndCounts) {
  auto *f = Function::Create(FunctionType::get(b.getVoidTy(), false), GlobalValue::ExternalLinkage,
                             "lgc.nothing__void", module);
  EXPECT_EQ(verify(), "unknown lgc operation 'lgc.nothing__void'");
  f->setName("lgc.control.barrier__void");
  b.CreateCall(f);
  EXPECT_NE(verify().find("expected 1 operands, found 0"), std::string::npos);
}

} // namespace
