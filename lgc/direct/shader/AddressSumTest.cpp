// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/AddressSum.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc::direct;
using namespace llvm;

namespace {

/// "TERM*FACTOR ... CONSTANT" of the value named `sum`; variables begin at 64.
std::string sumOf(const std::string &body) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  const std::unique_ptr<Module> module = parseAssemblyString(
      "target datalayout = \"p3:32:32\"\n@lds = internal addrspace(3) global [64 x i32] undef\n"
      "define void @f(i32 %x, i32 %y, i16 %h, ptr addrspace(3) %p) {\n" +
          body + "ret void\n}\n",
      diagnostic, context);
  if (!module)
    return diagnostic.getMessage().str();
  const Function &function = *module->getFunction("f");
  for (const Instruction &inst : instructions(function)) {
    if (inst.getName() != "sum")
      continue;
    const AddressSum sum = addressSumOf(&inst, module->getDataLayout(), [](const Value *value) {
      return isa<GlobalVariable>(value) ? std::optional<uint32_t>(64) : std::nullopt;
    });
    std::vector<std::string> terms;
    for (const auto &[value, factor] : sum.terms)
      terms.push_back(value->getName().str() + "*" + std::to_string(factor) + " ");
    llvm::sort(terms);
    std::string text;
    for (const std::string &term : terms)
      text += term;
    return text + std::to_string(sum.constant);
  }
  return "no sum";
}

TEST(AddressSum, ConstantsArePutTogether) {
  EXPECT_EQ(sumOf("%a = add i32 %y, 4\n%b = mul i32 %a, 32\n%c = add i32 %b, %x\n"
                  "%sum = shl i32 %c, 3\n"),
            "x*8 y*256 1024");
  EXPECT_EQ(sumOf("%a = or disjoint i32 %x, 3\n%sum = sub i32 %a, 5\n"), "x*1 4294967294");
}

TEST(AddressSum, EqualValuesAreOneTerm) {
  EXPECT_EQ(sumOf("%a = mul i32 %x, 3\n%b = sub i32 %a, %x\n%sum = add i32 %b, %y\n"), "x*2 y*1 0");
  EXPECT_EQ(sumOf("%a = add i32 %x, %y\n%sum = sub i32 %a, %x\n"), "y*1 0");
}

TEST(AddressSum, WhatIsNoSumIsAValue) {
  EXPECT_EQ(sumOf("%a = or i32 %x, 3\n%sum = add i32 %a, 1\n"), "a*1 1");
  EXPECT_EQ(sumOf("%a = shl i32 %x, 32\n%sum = add i32 %a, 1\n"), "a*1 1");
  EXPECT_EQ(sumOf("%a = mul i32 %x, %y\n%sum = add i32 %a, %a\n"), "a*2 0");
  EXPECT_EQ(sumOf("%a = zext i16 %h to i32\n%sum = shl i32 %a, 2\n"), "a*4 0");
}

TEST(AddressSum, OfPointers) {
  EXPECT_EQ(sumOf("%a = add i32 %x, 2\n"
                  "%sum = getelementptr [64 x i32], ptr addrspace(3) @lds, i32 0, i32 %a\n"),
            "x*4 72");
  EXPECT_EQ(sumOf("%a = getelementptr i32, ptr addrspace(3) %p, i32 %x\n"
                  "%sum = getelementptr i8, ptr addrspace(3) %a, i32 12\n"),
            "p*1 x*4 12");
  EXPECT_EQ(sumOf("%sum = getelementptr i32, ptr addrspace(3) %p, i16 %h\n"), "sum*1 0");
}

/// However long it is, the sum is right and the time bounded.
TEST(AddressSum, LongSumsAreCut) {
  std::string body = "%a0 = add i32 %x, 1\n";
  for (int i = 1; i < 100; ++i)
    body += "%a" + std::to_string(i) + " = add i32 %a" + std::to_string(i - 1) + ", 1\n";
  const std::string text = sumOf(body + "%sum = add i32 %a99, 1\n");
  const size_t star = text.find("*1 ");
  ASSERT_NE(star, std::string::npos) << text;
  EXPECT_EQ(std::stoi(text.substr(1, star)) + std::stoi(text.substr(star + 3)), 100) << text;
}

} // namespace
