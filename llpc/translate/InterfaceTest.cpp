//===- InterfaceTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/translate/Interface.h"
#include "llpc/spirv/TestModule.h"
#include "llpc/translate/Translator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llpc;
using namespace llpc::spirv::test;
using spv::Decoration;
using spv::Op;
using spv::StorageClass;

namespace {

/// Ids that every shader of these tests has; 20 and above are free.
enum : uint32_t {
  voidType = 1,
  functionType,
  mainFunction,
  entryLabel,
  floatType,
  vec2,
  vec4,
  uintType,
  boolType,
  doubleType,
  dvec3,
  zero,
  one,
  three,
  undefVec4,
  halfType,
  byteType,
  own,
};

struct ShaderText {
  spv::ExecutionModel model = spv::ExecutionModel::Vertex;
  std::function<void(TestModule &)> annotations = [](TestModule &) {};
  std::function<void(TestModule &)> globals = [](TestModule &) {};
  std::function<void(TestModule &)> body = [](TestModule &) {};
};

std::vector<uint8_t> assemble(const ShaderText &text) {
  TestModule m(0x00010600, 4000);
  m.op(Op::OpCapability, {1});
  for (auto capability :
       {spv::Capability::Tessellation, spv::Capability::Float64, spv::Capability::Float16,
        spv::Capability::Int8, spv::Capability::ClipDistance})
    m.op(Op::OpCapability, {capability});
  m.op(Op::OpMemoryModel, {0, 1});
  m.op(Op::OpEntryPoint, {text.model, mainFunction, "main"});
  if (text.model == spv::ExecutionModel::Fragment)
    m.op(Op::OpExecutionMode, {mainFunction, spv::ExecutionMode::OriginUpperLeft});
  if (text.model == spv::ExecutionModel::TessellationControl)
    m.op(Op::OpExecutionMode, {mainFunction, spv::ExecutionMode::OutputVertices, 3});
  text.annotations(m);
  m.op(Op::OpTypeVoid, {voidType}).op(Op::OpTypeFunction, {functionType, voidType});
  m.op(Op::OpTypeFloat, {floatType, 32}).op(Op::OpTypeVector, {vec2, floatType, 2});
  m.op(Op::OpTypeVector, {vec4, floatType, 4}).op(Op::OpTypeInt, {uintType, 32, 0});
  m.op(Op::OpTypeBool, {boolType}).op(Op::OpTypeFloat, {doubleType, 64});
  m.op(Op::OpTypeVector, {dvec3, doubleType, 3}).op(Op::OpConstant, {uintType, zero, 0});
  m.op(Op::OpConstant, {uintType, one, 1}).op(Op::OpConstant, {uintType, three, 3});
  m.op(Op::OpUndef, {vec4, undefVec4}).op(Op::OpTypeFloat, {halfType, 16});
  m.op(Op::OpTypeInt, {byteType, 8, 0});
  text.globals(m);
  m.op(Op::OpFunction, {voidType, mainFunction, 0, functionType}).op(Op::OpLabel, {entryLabel});
  text.body(m);
  m.op(Op::OpReturn).op(Op::OpFunctionEnd);
  return m.bytes();
}

lgc::ShaderStage stageOf(spv::ExecutionModel model) {
  switch (model) {
  case spv::ExecutionModel::Vertex:
    return lgc::ShaderStage::Vertex;
  case spv::ExecutionModel::TessellationControl:
    return lgc::ShaderStage::TessControl;
  default:
    return lgc::ShaderStage::Fragment;
  }
}

/// The module's text, or the error's.
std::string translate(const ShaderText &text) {
  LLVMContext context;
  auto spv = spirv::Module::parse(assemble(text));
  if (!spv)
    return "reader: " + lgc::consumeToText(spv.takeError()).message;
  auto module = createShaderModule(context);
  lgc::PipelineState state;
  TranslateOptions options;
  options.stage = stageOf(text.model);
  std::vector<std::string> warnings;
  if (Error error = translateShader(**spv, *module, options, state, warnings)) {
    lgc::ErrorText found = lgc::consumeToText(std::move(error));
    return (found.kind == lgc::ErrorKind::Internal ? "internal: " : "") + found.message;
  }
  std::string result;
  raw_string_ostream(result) << *module;
  return result;
}

/// One variable %own of `type` (already declared, or declared by `globals`), loaded once.
ShaderText loadOf(
    uint32_t type, std::initializer_list<std::pair<Decoration, int>> decorations,
    std::function<void(TestModule &)> globals = [](TestModule &) {},
    StorageClass storage = StorageClass::Input) {
  std::vector<std::pair<Decoration, int>> list = decorations;
  ShaderText text;
  text.annotations = [list](TestModule &m) {
    for (auto [kind, operand] : list)
      m.op(Op::OpDecorate, {own, kind, operand});
  };
  text.globals = [=](TestModule &m) {
    globals(m);
    m.op(Op::OpTypePointer, {own + 1, storage, type});
    m.op(Op::OpVariable, {own + 1, own, storage});
  };
  text.body = [type](TestModule &m) { m.op(Op::OpLoad, {type, own + 2, own}); };
  return text;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (text)

TEST(Interface, inputOfOneLocation) {
  std::string ir = translate(loadOf(vec2, {{Decoration::Location, 5}, {Decoration::Component, 2}}));
  EXPECT_HAS(ir, "call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 5, i32 2, i32 0, "
                 "i32 poison)");
}

TEST(Interface, wideVectorRunsIntoTheNextLocation) {
  std::string ir = translate(loadOf(dvec3, {{Decoration::Location, 2}}));
  EXPECT_HAS(ir, "call <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32 2, i32 0");
  EXPECT_HAS(ir, "call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 3, i32 0");
}

TEST(Interface, elementsOfArraysTakeLocationsOfTheirOwn) {
  auto array = [](TestModule &m) { m.op(Op::OpTypeArray, {own + 10, halfType, three}); };
  std::string ir =
      translate(loadOf(own + 10, {{Decoration::Location, 1}, {Decoration::Component, 3}}, array));
  for (const char *location : {"1", "2", "3"})
    EXPECT_HAS(ir, std::string("call half @lgc.input.load__f16_i32_i32_i32_i32(i32 ") + location +
                       ", i32 3");
}

TEST(Interface, locationErrors) {
  EXPECT_HAS(translate(loadOf(vec4, {})), "a user-defined variable without Location");
  EXPECT_HAS(translate(loadOf(vec4, {{Decoration::Location, 128}})),
             "location 128 is out of range");
  EXPECT_HAS(translate(loadOf(vec4, {{Decoration::Location, -1}})),
             "location 4294967295 is out of range");
  EXPECT_HAS(translate(loadOf(dvec3, {{Decoration::Location, 127}})),
             "location 128 is out of range");
  EXPECT_HAS(translate(loadOf(vec2, {{Decoration::Location, 0}, {Decoration::Component, 3}})),
             "does not fit its location at component 3");
  EXPECT_HAS(translate(loadOf(doubleType, {{Decoration::Location, 0}, {Decoration::Component, 1}})),
             "does not fit its location at component 1");
  EXPECT_HAS(translate(loadOf(vec2, {{Decoration::Location, 0}, {Decoration::Component, 4}})),
             "Component 4 is not 0 to 3");
  EXPECT_HAS(translate(loadOf(boolType, {{Decoration::Location, 0}})),
             "bool in a user-defined interface variable");
  EXPECT_HAS(translate(loadOf(byteType, {{Decoration::Location, 0}})),
             "8-bit type in a shader interface not supported");
}

TEST(Interface, builtInErrors) {
  auto builtIn = [](uint32_t type, spv::BuiltIn kind) {
    return translate(loadOf(type, {{Decoration::BuiltIn, static_cast<int>(kind)}}));
  };
  EXPECT_HAS(builtIn(uintType, spv::BuiltIn::VertexIndex), "lgc.builtin__i32_i32(i32 16)");
  EXPECT_HAS(builtIn(vec4, spv::BuiltIn::VertexIndex), "built-in variable has the wrong type");
  EXPECT_HAS(builtIn(vec4, spv::BuiltIn::FragCoord),
             "built-in FragCoord as input of a vertex shader not supported");
  EXPECT_HAS(builtIn(uintType, spv::BuiltIn::FullyCoveredEXT),
             "built-in FullyCoveredEXT as input of a vertex shader not supported");
}

/// Two variables at places given by decorations; both are loaded.
std::string overlap(int locationA, int componentA, int locationB, int componentB) {
  ShaderText text;
  text.annotations = [=](TestModule &m) {
    m.op(Op::OpDecorate, {own, Decoration::Location, locationA});
    m.op(Op::OpDecorate, {own, Decoration::Component, componentA});
    m.op(Op::OpDecorate, {own + 1, Decoration::Location, locationB});
    m.op(Op::OpDecorate, {own + 1, Decoration::Component, componentB});
  };
  text.globals = [](TestModule &m) {
    m.op(Op::OpTypePointer, {own + 2, StorageClass::Input, vec2});
    m.op(Op::OpVariable, {own + 2, own, StorageClass::Input});
    m.op(Op::OpVariable, {own + 2, own + 1, StorageClass::Input});
  };
  text.body = [](TestModule &m) {
    m.op(Op::OpLoad, {vec2, own + 3, own}).op(Op::OpLoad, {vec2, own + 4, own + 1});
  };
  return translate(text);
}

TEST(Interface, componentsBelongToOneVariable) {
  EXPECT_HAS(overlap(0, 0, 0, 2), "define void @lgc.shader.VS");
  EXPECT_HAS(overlap(0, 0, 1, 0), "define void @lgc.shader.VS");
  EXPECT_HAS(overlap(3, 0, 3, 1),
             "location 3 component 1 is also taken by %" + std::to_string(own));
}

TEST(Interface, hostileTypes) {
  // 2^30 elements of nothing: no location, no byte, but a long walk.
  auto emptyArray = [](TestModule &m) {
    m.op(Op::OpConstant, {uintType, own + 12, 1 << 30}).op(Op::OpTypeStruct, {own + 10});
    m.op(Op::OpTypeArray, {own + 11, own + 10, own + 12});
  };
  EXPECT_HAS(translate(loadOf(own + 11, {{Decoration::Location, 0}}, emptyArray)),
             "interface variable of more than");
  // Each structure holds the one before twice: 2^40 locations in 40 types.
  auto doubling = [](TestModule &m) {
    m.op(Op::OpTypeStruct, {own + 10, floatType, floatType});
    for (uint32_t i = 11; i < 50; ++i)
      m.op(Op::OpTypeStruct, {own + i, own + i - 1, own + i - 1});
  };
  std::string error = translate(loadOf(own + 49, {{Decoration::Location, 0}}, doubling));
  EXPECT_FALSE(has(error, "define")) << error;
  EXPECT_FALSE(has(error, "internal")) << error;
  auto large = [](TestModule &m) {
    m.op(Op::OpConstant, {uintType, own + 12, 1 << 20});
    m.op(Op::OpTypeArray, {own + 11, floatType, own + 12});
  };
  EXPECT_HAS(translate(loadOf(own + 11, {{Decoration::Location, 0}}, large)),
             "location 128 is out of range");
  auto runtime = [](TestModule &m) { m.op(Op::OpTypeRuntimeArray, {own + 11, floatType}); };
  EXPECT_HAS(translate(loadOf(own + 11, {{Decoration::Location, 0}}, runtime)),
             "OpTypeRuntimeArray in a shader interface");
}

/// A control shader that stores `value` through an access chain into vec4 out[3] at location 4.
ShaderText controlStore(std::initializer_list<uint32_t> indices, uint32_t pointee, uint32_t value) {
  std::vector<uint32_t> list = indices;
  ShaderText text{spv::ExecutionModel::TessellationControl};
  text.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {own, Decoration::Location, 4});
    m.op(Op::OpDecorate, {own + 1, Decoration::BuiltIn, spv::BuiltIn::InvocationId});
  };
  text.globals = [pointee](TestModule &m) {
    m.op(Op::OpTypeArray, {own + 2, vec4, three});
    m.op(Op::OpTypePointer, {own + 3, StorageClass::Output, own + 2});
    m.op(Op::OpVariable, {own + 3, own, StorageClass::Output});
    m.op(Op::OpTypePointer, {own + 4, StorageClass::Input, uintType});
    m.op(Op::OpVariable, {own + 4, own + 1, StorageClass::Input});
    m.op(Op::OpTypePointer, {own + 5, StorageClass::Output, pointee});
    m.op(Op::OpUndef, {floatType, own + 6});
  };
  text.body = [list, value](TestModule &m) {
    m.op(Op::OpLoad, {uintType, own + 7, own + 1});
    if (list.size() == 1)
      m.op(Op::OpAccessChain, {own + 5, own + 8, own, list[0]});
    else
      m.op(Op::OpAccessChain, {own + 5, own + 8, own, list[0], list[1]});
    m.op(Op::OpStore, {own + 8, value});
  };
  return text;
}

TEST(Interface, directStores) {
  EXPECT_HAS(translate(controlStore({own + 7}, vec4, undefVec4)),
             "lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 4, i32 "
             "0, i32 0, "
             "i32 %");
  EXPECT_HAS(
      translate(controlStore({one, three}, floatType, own + 6)),
      "lgc.output.store__void_f32_i32_i32_i32_i32(float 0.000000e+00, i32 4, i32 3, i32 0, i32 1)");
  // A component that is not known: one branch each.
  std::string ir = translate(controlStore({one, own + 7}, floatType, own + 6));
  EXPECT_HAS(ir, "switch i32");
  EXPECT_HAS(ir, "(float 0.000000e+00, i32 4, i32 2, i32 0, i32 1)");
  EXPECT_FALSE(has(ir, "placeholder")) << ir;
}

TEST(Interface, directErrors) {
  // Undefined only where it is executed.
  EXPECT_HAS(translate(controlStore({three}, vec4, undefVec4)), "lgc.output.store");
  EXPECT_HAS(translate(controlStore({one}, floatType, own + 6)), "the indices lead to type");
  EXPECT_HAS(translate(controlStore({one}, vec4, own + 6)),
             "stored value has another type than the pointee");
}

TEST(Interface, outputsAreStoredOnceAtTheEnd) {
  ShaderText text{spv::ExecutionModel::Fragment};
  text.annotations = [](TestModule &m) {
    m.op(Op::OpDecorate, {own, Decoration::Location, 2});
    m.op(Op::OpDecorate, {own, Decoration::Index, 1});
  };
  text.globals = [](TestModule &m) {
    m.op(Op::OpTypePointer, {own + 1, StorageClass::Output, vec4});
    m.op(Op::OpVariable, {own + 1, own, StorageClass::Output});
  };
  text.body = [](TestModule &m) {
    m.op(Op::OpLoad, {vec4, own + 2, own}); // reading back is fine
    m.op(Op::OpStore, {own, own + 2});
  };
  EXPECT_HAS(translate(text), "i32 130, i32 0, i32 0, i32 poison)");
  text.annotations = [](TestModule &m) { m.op(Op::OpDecorate, {own, Decoration::Location, 8}); };
  EXPECT_HAS(translate(text), "location 8 is out of range; there are 8");
}

TEST(Interface, stagesShareAModule) {
  LLVMContext context;
  auto module = createShaderModule(context);
  lgc::PipelineState state;
  std::vector<std::string> warnings;
  std::vector<std::unique_ptr<spirv::Module>> keep;
  auto add = [&](spv::ExecutionModel model) {
    ShaderText text = loadOf(vec4, {{Decoration::Location, 0}});
    text.model = model;
    auto annotations = text.annotations;
    text.annotations = [annotations](TestModule &m) {
      m.op(Op::OpName, {own, "lgc.shader.FS"}).op(Op::OpName, {mainFunction, "llvm.trap"});
      annotations(m);
    };
    keep.push_back(cantFail(spirv::Module::parse(assemble(text))));
    TranslateOptions options;
    options.stage = stageOf(model);
    Error error = translateShader(*keep.back(), *module, options, state, warnings);
    return lgc::consumeToText(std::move(error)).message;
  };
  EXPECT_EQ(add(spv::ExecutionModel::Vertex), "");
  EXPECT_EQ(add(spv::ExecutionModel::Fragment), "");
  EXPECT_EQ(add(spv::ExecutionModel::Fragment), "the module already has a fragment shader");
  EXPECT_TRUE(module->getFunction("lgc.shader.VS"));
  EXPECT_TRUE(module->getFunction("lgc.shader.FS"));
  EXPECT_EQ(state.graphics.stageMask,
            1u << unsigned(lgc::ShaderStage::Vertex) | 1u << unsigned(lgc::ShaderStage::Fragment));
}

} // namespace
