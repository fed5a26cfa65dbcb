//===- LinkedConstantsTest.cpp - constants that linking can fill in -------===//
// SPDX-License-Identifier: MIT
#include "llpc/reflect/LinkedConstants.h"
#include "llpc/spirv/TestModule.h"

using namespace llpc;
using namespace llpc::spirv::test;
using spv::Op;

namespace {

/// Specialization constants number 1 to 6, and what tests make of them.
enum : uint32_t {
  value1 = firstFree,
  value2,
  value3,
  flag4,
  wide5,
  made,
  made2,
  longType,
  arrayType,
  tmp,
  tmp2,
  tmp3,
  labelA,
  labelB
};

TestModule moduleWith(const Parts::Hook &globals, const Parts::Hook &body,
                      const Parts::Hook &annotations = {}) {
  Parts parts;
  parts.annotations = [&](TestModule &m) {
    for (uint32_t i = 0; i < 5; ++i)
      m.op(Op::OpDecorate, {value1 + i, spv::Decoration::SpecId, i + 1});
    if (annotations)
      annotations(m);
  };
  parts.globals = [&](TestModule &m) {
    m.op(Op::OpTypeInt, {longType, 64, 0});
    m.op(Op::OpSpecConstant, {uintId, value1, 7}).op(Op::OpSpecConstant, {uintId, value2, 8});
    m.op(Op::OpSpecConstant, {uintId, value3, 9}).op(Op::OpSpecConstantTrue, {boolId, flag4});
    m.op(Op::OpSpecConstant, {longType, wide5, 1, 0});
    if (globals)
      globals(m);
  };
  parts.body = body;
  return sample(parts);
}

LinkedConstants collect(const TestModule &m) {
  auto module = parseOk(m);
  return module ? collectLinkedConstants(*module) : LinkedConstants();
}

std::vector<uint32_t> numbers(const LinkedConstants &linked) {
  std::vector<uint32_t> result;
  for (const SpecDefault &constant : linked.constants)
    result.push_back(constant.constantId);
  return result;
}

using Ids = std::vector<uint32_t>;

TEST(LinkedConstants, ValuesAreLinked) {
  const LinkedConstants linked = collect(moduleWith({}, [](TestModule &m) {
    m.op(Op::OpIAdd, {uintId, tmp, value1, value2});
    m.op(Op::OpSelect, {uintId, tmp2, flag4, tmp, uint1Id});
    m.op(Op::OpStore, {localId, value3});
    m.op(Op::OpUConvert, {uintId, tmp3, wide5});
  }));
  EXPECT_EQ(numbers(linked), (Ids{1, 2, 3, 4})) << "64 bits are too many";
  EXPECT_EQ(linked.ids, (Ids{value1, value2, value3, flag4}));
  EXPECT_TRUE(linked.unused.empty());
  ASSERT_TRUE(linked.find(2));
  EXPECT_EQ(*linked.find(2), (SpecDefault{2, 4, 8}));
  EXPECT_EQ(*linked.find(4), (SpecDefault{4, 0, 1}));
  EXPECT_FALSE(linked.find(5));
  EXPECT_FALSE(linked.find(0));
  EXPECT_TRUE(linked.has(value1));
  EXPECT_FALSE(linked.has(wide5));
}

TEST(LinkedConstants, WhatNothingUsesIsUnused) {
  const LinkedConstants linked = collect(moduleWith(
      [](TestModule &m) {
        m.op(Op::OpSpecConstantOp, {uintId, made, Op::OpIAdd, value2, value3});
        m.op(Op::OpSpecConstantOp, {uintId, made2, Op::OpNot, value1});
      },
      [](TestModule &m) { m.op(Op::OpStore, {localId, made2}); }));
  EXPECT_EQ(numbers(linked), (Ids{1}));
  EXPECT_EQ(linked.ids, (Ids{value1, made2}));
  EXPECT_EQ(linked.unused, (Ids{2, 3, 4}));
}

TEST(LinkedConstants, ExpressionsAreComputedByCode) {
  const LinkedConstants linked = collect(moduleWith(
      [](TestModule &m) {
        m.op(Op::OpSpecConstantOp, {uintId, made, Op::OpIMul, value1, uint4Id});
        m.op(Op::OpSpecConstantOp, {uintId, made2, Op::OpISub, made, value2});
      },
      [](TestModule &m) { m.op(Op::OpStore, {localId, made2}); }));
  EXPECT_EQ(linked.ids, (Ids{value1, value2, made, made2}));
}

TEST(LinkedConstants, SizesArePinned) {
  // Of a size that is computed, everything has to be known; what else uses it follows.
  const LinkedConstants linked = collect(moduleWith(
      [](TestModule &m) {
        m.op(Op::OpSpecConstantOp, {uintId, made, Op::OpIMul, value1, value2});
        m.op(Op::OpTypeArray, {arrayType, floatId, made});
        m.op(Op::OpTypePointer, {tmp, spv::StorageClass::Private, arrayType});
        m.op(Op::OpSpecConstantOp, {uintId, made2, Op::OpIAdd, value1, value3});
      },
      [](TestModule &m) { m.op(Op::OpStore, {localId, made2}); }));
  EXPECT_EQ(numbers(linked), (Ids{3}));
  EXPECT_EQ(linked.ids, (Ids{value3, made2})) << "of a known and of a linked one";
}

/// A variable of workgroup memory whose length is made of the first constants, and what the
/// function does with it.
LinkedConstants collectArray(const Parts::Hook &body, const Parts::Hook &globals = {},
                             const Parts::Hook &annotations = {}) {
  return collect(moduleWith(
      [&](TestModule &m) {
        m.op(Op::OpSpecConstantOp, {uintId, made, Op::OpIMul, value1, value2});
        m.op(Op::OpTypeArray, {arrayType, uintId, made});
        m.op(Op::OpTypePointer, {tmp, spv::StorageClass::Workgroup, arrayType});
        m.op(Op::OpTypePointer, {tmp2, spv::StorageClass::Workgroup, uintId});
        m.op(Op::OpVariable, {tmp, made2, spv::StorageClass::Workgroup});
        if (globals)
          globals(m);
      },
      body, annotations));
}

TEST(LinkedConstants, ArraysInWorkgroupMemoryArePlacedByLinking) {
  const LinkedConstants linked =
      collectArray([](TestModule &m) { m.op(Op::OpAccessChain, {tmp2, tmp3, made2, uint1Id}); });
  EXPECT_EQ(numbers(linked), (Ids{1, 2}));
  ASSERT_EQ(linked.workgroupArrays.size(), 1u);
  EXPECT_EQ(linked.workgroupArrays[0].variable, made2);
  EXPECT_EQ(linked.workgroupArrays[0].length, made);
  EXPECT_EQ(linked.workgroupArrays[0].stride, 4u);
}

TEST(LinkedConstants, ArraysThatCodeNeedsWholeArePinned) {
  const LinkedConstants loaded =
      collectArray([](TestModule &m) { m.op(Op::OpLoad, {arrayType, tmp3, made2}); });
  EXPECT_EQ(numbers(loaded), Ids());
  EXPECT_TRUE(loaded.workgroupArrays.empty());
  const LinkedConstants inStruct =
      collectArray({}, [](TestModule &m) { m.op(Op::OpTypeStruct, {tmp3, floatId, arrayType}); });
  EXPECT_EQ(numbers(inStruct), Ids());
  EXPECT_TRUE(inStruct.workgroupArrays.empty());
}

TEST(LinkedConstants, ArraysOfAnotherLayoutArePinned) {
  const LinkedConstants linked = collectArray(
      [](TestModule &m) { m.op(Op::OpAccessChain, {tmp2, tmp3, made2, uint1Id}); }, {},
      [](TestModule &m) { m.op(Op::OpDecorate, {arrayType, spv::Decoration::ArrayStride, 16}); });
  EXPECT_EQ(numbers(linked), Ids());
  EXPECT_TRUE(linked.workgroupArrays.empty());
}

TEST(LinkedConstants, CompositesOfSuchArraysPin) {
  const LinkedConstants linked = collectArray(
      {}, [](TestModule &m) { m.op(Op::OpSpecConstantComposite, {arrayType, tmp3, value3}); });
  EXPECT_TRUE(linked.workgroupArrays.empty());
}

/// Decorations and execution modes come before what they name.
TEST(LinkedConstants, EarlyUsesPin) {
  const LinkedConstants linked = collectArray(
      [](TestModule &m) { m.op(Op::OpAccessChain, {tmp2, tmp3, made2, uint1Id}); }, {},
      [](TestModule &m) { m.op(Op::OpDecorateId, {localId, spv::Decoration::UniformId, made}); });
  EXPECT_EQ(numbers(linked), Ids());
  EXPECT_TRUE(linked.workgroupArrays.empty());
}

TEST(LinkedConstants, WorkgroupSizesArePinned) {
  const LinkedConstants linked = collect(moduleWith(
      [](TestModule &m) {
        m.op(Op::OpTypeVector, {tmp2, uintId, 3});
        m.op(Op::OpSpecConstantComposite, {tmp2, made, value1, uint1Id, uint1Id});
      },
      [](TestModule &m) { m.op(Op::OpIAdd, {uintId, tmp, value1, value2}); },
      [](TestModule &m) {
        m.op(Op::OpDecorate, {made, spv::Decoration::BuiltIn, spv::BuiltIn::WorkgroupSize});
      }));
  // Nothing in the code uses it, and it decides all the same.
  EXPECT_EQ(numbers(linked), (Ids{2}));
  EXPECT_EQ(linked.unused, (Ids{3, 4}));
}

TEST(LinkedConstants, IndicesAndOperandsBehindMasksArePinned) {
  const LinkedConstants linked = collect(moduleWith({}, [](TestModule &m) {
    m.op(Op::OpAccessChain, {bufferPointerId, tmp, bufferId, value1});
    m.op(Op::OpStore, {localId, value2, spv::MemoryAccessMask::MakePointerAvailable, value3});
    m.op(Op::OpStore, {localId, value3});
    m.op(Op::OpIAdd, {uintId, tmp2, value1, value2});
  }));
  EXPECT_EQ(numbers(linked), (Ids{2}));
}

TEST(LinkedConstants, LiteralsAreNoIds) {
  // Case labels and members with the numbers of ids.
  const LinkedConstants linked = collect(moduleWith({}, [](TestModule &m) {
    m.op(Op::OpIAdd, {uintId, tmp, value1, value2});
    m.op(Op::OpSelectionMerge, {labelB, 0});
    m.op(Op::OpSwitch, {value1, labelA, value2, labelA});
    m.op(Op::OpLabel, {labelA}).op(Op::OpBranch, {labelB}).op(Op::OpLabel, {labelB});
  }));
  EXPECT_EQ(numbers(linked), (Ids{1, 2}));
}

/// Hashes of modules leave it out: modules that differ there must have the same constants.
TEST(LinkedConstants, DebugInformationSaysNothing) {
  auto numbersOf = [](const char *set) {
    TestModule m = moduleWith({}, [](TestModule &body) {
      body.op(Op::OpIAdd, {uintId, tmp, value1, value2});
      body.op(Op::OpExtInst, {voidId, tmp2, tmp3, 29, value1});
    });
    // The import has its place in front of the memory model.
    const TestModule import = TestModule().op(Op::OpExtInstImport, {tmp3, set});
    const std::vector<uint32_t> words(import.words.begin() + 5, import.words.end());
    m.words.insert(m.words.begin() + 5 + 2, words.begin(), words.end());
    return numbers(collect(m));
  };
  EXPECT_EQ(numbersOf("NonSemantic.Shader.DebugInfo.100"), (Ids{1, 2}));
  EXPECT_EQ(numbersOf("SPV_AMD_unknown"), (Ids{2}));
}

TEST(LinkedConstants, TablesAreNotMadeByCode) {
  auto numbersOf = [](uint32_t size) {
    return numbers(collect(moduleWith(
        [size](TestModule &m) {
          m.op(Op::OpConstant, {uintId, tmp, size});
          m.op(Op::OpTypeArray, {arrayType, uintId, tmp});
          m.words.push_back((3 + size) << 16 | uint32_t(Op::OpSpecConstantComposite));
          m.words.insert(m.words.end(), {arrayType, made});
          m.words.insert(m.words.end(), size, value1);
        },
        [](TestModule &m) { m.op(Op::OpCompositeExtract, {uintId, tmp2, made, 1}); })));
  };
  EXPECT_EQ(numbersOf(64), (Ids{1}));
  EXPECT_EQ(numbersOf(65), (Ids{}));
}

TEST(LinkedConstants, NumbersThatAreSharedAreNotLinked) {
  Parts parts;
  parts.annotations = [](TestModule &m) {
    for (uint32_t id : {value1, value2})
      m.op(Op::OpDecorate, {id, spv::Decoration::SpecId, 1});
  };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, value1, 7}).op(Op::OpSpecConstant, {uintId, value2, 8});
  };
  parts.body = [](TestModule &m) { m.op(Op::OpIAdd, {uintId, tmp, value1, value2}); };
  const LinkedConstants linked = collect(sample(parts));
  EXPECT_TRUE(linked.constants.empty());
  EXPECT_TRUE(linked.unused.empty());
}

TEST(LinkedConstants, LongChainsAreLinear) {
  // Each is made of the one before twice: paths through them would be countless.
  constexpr uint32_t count = 20000;
  Parts parts;
  parts.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {value1, spv::Decoration::SpecId, 1});
  };
  parts.globals = [](TestModule &m) {
    m.op(Op::OpSpecConstant, {uintId, value1, 7});
    uint32_t last = value1;
    for (uint32_t i = 0; i < count; ++i) {
      m.op(Op::OpSpecConstantOp, {uintId, 1000 + i, Op::OpIAdd, last, last});
      last = 1000 + i;
    }
  };
  parts.body = [](TestModule &m) { m.op(Op::OpStore, {localId, 1000 + count - 1}); };
  TestModule m = sample(parts);
  m.words[3] = 1000 + count; // bound
  EXPECT_EQ(collect(m).ids.size(), count + 1);
}

} // namespace
