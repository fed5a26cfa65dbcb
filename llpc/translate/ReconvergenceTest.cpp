//===- ReconvergenceTest.cpp ----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Reconvergence.h"
#include "llpc/spirv/TestModule.h"
#include "llpc/translate/Translator.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Op;

namespace {

/// What is translated: changes in the headers' classes show here.
const std::string translated =
    "ControlBarrier CooperativeMatrixConvertNV CooperativeMatrixPerElementOpNV "
    "CooperativeMatrixReduceNV CooperativeMatrixTransposeNV FunctionCall GroupAll GroupAny "
    "GroupAsyncCopy GroupBroadcast GroupFAdd "
    "GroupFAddNonUniformAMD GroupFMax "
    "GroupFMaxNonUniformAMD GroupFMin GroupFMinNonUniformAMD GroupIAdd "
    "GroupIAddNonUniformAMD GroupNonUniformAll GroupNonUniformAllEqual "
    "GroupNonUniformAny GroupNonUniformBallot GroupNonUniformBallotBitCount "
    "GroupNonUniformBallotBitExtract GroupNonUniformBallotFindLSB "
    "GroupNonUniformBallotFindMSB GroupNonUniformBitwiseAnd GroupNonUniformBitwiseOr "
    "GroupNonUniformBitwiseXor GroupNonUniformBroadcast GroupNonUniformBroadcastFirst "
    "GroupNonUniformElect GroupNonUniformFAdd GroupNonUniformFMax GroupNonUniformFMin "
    "GroupNonUniformFMul GroupNonUniformIAdd GroupNonUniformIMul "
    "GroupNonUniformInverseBallot GroupNonUniformLogicalAnd GroupNonUniformLogicalOr "
    "GroupNonUniformLogicalXor GroupNonUniformQuadAllKHR GroupNonUniformQuadAnyKHR "
    "GroupNonUniformQuadBroadcast GroupNonUniformQuadSwap GroupNonUniformRotateKHR "
    "GroupNonUniformSMax GroupNonUniformSMin GroupNonUniformShuffle "
    "GroupNonUniformShuffleDown GroupNonUniformShuffleUp GroupNonUniformShuffleXor "
    "GroupNonUniformUMax GroupNonUniformUMin GroupSMax GroupSMaxNonUniformAMD GroupSMin "
    "GroupSMinNonUniformAMD GroupUMax GroupUMaxNonUniformAMD GroupUMin "
    "GroupUMinNonUniformAMD GroupWaitEvents SubgroupAllEqualKHR SubgroupAllKHR SubgroupAnyKHR "
    "SubgroupBallotKHR SubgroupFirstInvocationKHR SubgroupReadInvocationKHR";

bool convergent(const spirv::Module &module, Op opcode) {
  spirv::Inst inst;
  inst.opcode = opcode;
  return isConvergent(module, inst);
}

TEST(Reconvergence, ConvergentInstructions) {
  const auto module = parseOk(sample());
  ASSERT_TRUE(module);
  std::set<std::string> names;
  for (const OpEntry &entry : allOps())
    if (entry.opcode != Op::OpExtInst && convergent(*module, entry.opcode))
      names.insert(spirv::opName(entry.opcode).substr(2));
  EXPECT_EQ(llvm::join(names, " "), translated);
}

// Numbers near those of group operations, and group operations far from all others.
TEST(Reconvergence, NumbersDoNotCount) {
  const auto module = parseOk(sample());
  ASSERT_TRUE(module);
  for (Op opcode : {Op::OpSDot, Op::OpUDotAccSat, Op::OpTerminateInvocation, Op::OpReadClockKHR,
                    Op::OpDPdx, Op::OpMemoryBarrier, Op::OpIAdd})
    EXPECT_FALSE(convergent(*module, opcode)) << spirv::opName(opcode);
  EXPECT_TRUE(convergent(*module, Op::OpGroupNonUniformPartitionNV));
  EXPECT_TRUE(convergent(*module, Op::OpGroupIMulKHR));
}

TEST(Reconvergence, ExtendedInstructions) {
  const uint32_t ballot = firstFree, result = firstFree + 1;
  const auto module = parseOk(sample({.body = [&](TestModule &m) {
    m.op(Op::OpExtInst, {floatId, result, glslId, 4, float1Id}); // FAbs
  }}));
  ASSERT_TRUE(module);
  for (const spirv::Inst &inst : module->functions()[0].blocks[1].insts)
    EXPECT_FALSE(isConvergent(*module, inst));
  TestModule text = sample({.body = [&](TestModule &m) {
    m.op(Op::OpExtInst, {uintId, result, ballot, 1, uint1Id, uint1Id}); // SwizzleInvocationsAMD
  }});
  TestModule import;
  import.words.clear();
  import.op(Op::OpExtInstImport, {ballot, "SPV_AMD_shader_ballot"});
  text.words.insert(text.words.begin() + 7, import.words.begin(), import.words.end());
  const auto swizzles = parseOk(text);
  ASSERT_TRUE(swizzles);
  EXPECT_TRUE(isConvergent(*swizzles, swizzles->functions()[0].blocks[1].insts[0]));
}

} // namespace
