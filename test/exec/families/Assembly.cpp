//===- Assembly.cpp - SPIR-V for a family ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "Family.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using llvm::StringRef;

namespace exec {

namespace {

class Writer {
public:
  Writer(const FamilySignature &signature, llvm::ArrayRef<const FamilyOp *> ops,
         const Variant &variant)
      : signature(signature), ops(ops), variant(variant), out(text) {
    types.insert(ScalarType::U32);
    types.insert(signature.result);
    types.insert(signature.arguments.begin(), signature.arguments.end());
  }

  std::string run() {
    writeHeader();
    writeDecorations();
    writeTypes();
    writeBody();
    return std::move(text);
  }

private:
  size_t resultBuffer() const { return signature.arguments.size(); }
  ScalarType bufferType(size_t buffer) const {
    return buffer == resultBuffer() ? signature.result : signature.arguments[buffer];
  }
  std::string type(ScalarType scalar) const {
    std::string name = ("%" + nameOf(scalar)).str();
    return variant.vectorWidth == 1 ? name
                                    : "%v" + std::to_string(variant.vectorWidth) + name.substr(1);
  }
  std::string resultType() const {
    if (!signature.isBoolResult)
      return type(signature.result);
    return variant.vectorWidth == 1 ? "%bool" : "%v" + std::to_string(variant.vectorWidth) + "bool";
  }

  void writeHeader() {
    out << "OpCapability Shader\n";
    bool has8 = false, has16 = false;
    for (ScalarType scalar : types) {
      has8 |= sizeOf(scalar) == 1;
      has16 |= sizeOf(scalar) == 2;
    }
    auto has = [&](ScalarType a, ScalarType b) { return types.count(a) || types.count(b); };
    if (has8)
      out << "OpCapability Int8\nOpCapability StorageBuffer8BitAccess\n";
    if (has(ScalarType::I16, ScalarType::U16))
      out << "OpCapability Int16\n";
    if (has16)
      out << "OpCapability StorageBuffer16BitAccess\n";
    if (has(ScalarType::I64, ScalarType::U64))
      out << "OpCapability Int64\n";
    if (types.count(ScalarType::F16))
      out << "OpCapability Float16\n";
    if (types.count(ScalarType::F64))
      out << "OpCapability Float64\n";
    if (signature.integerFunctions)
      out << "OpCapability IntegerFunctions2INTEL\n"
             "OpExtension \"SPV_INTEL_shader_integer_functions2\"\n";
    if (variant.strict)
      out << "OpCapability DenormPreserve\nOpCapability SignedZeroInfNanPreserve\n"
             "OpCapability RoundingModeRTE\nOpExtension \"SPV_KHR_float_controls\"\n";
    out << "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint GLCompute %main \"main\" %id";
    for (size_t i = 0; i <= resultBuffer(); ++i)
      out << " %var" << i;
    out << "\nOpExecutionMode %main LocalSize " << (variant.uniform ? 1 : familyGroupSize)
        << " 1 1\n";
    if (!variant.strict)
      return;
    std::set<uint32_t> widths;
    for (ScalarType scalar : types)
      if (isFloat(scalar))
        widths.insert(8 * sizeOf(scalar));
    for (uint32_t width : widths)
      for (StringRef mode : {"DenormPreserve", "SignedZeroInfNanPreserve", "RoundingModeRTE"})
        out << "OpExecutionMode %main " << mode << " " << width << "\n";
  }

  void writeDecorations() {
    out << "OpDecorate %id BuiltIn " << (variant.uniform ? "WorkgroupId" : "GlobalInvocationId")
        << "\n";
    for (size_t i = 0; i <= resultBuffer(); ++i) {
      out << "OpDecorate %array" << i << " ArrayStride " << sizeOf(bufferType(i)) << "\n"
          << "OpDecorate %block" << i << " Block\nOpMemberDecorate %block" << i << " 0 Offset 0\n"
          << "OpDecorate %var" << i << " DescriptorSet 0\nOpDecorate %var" << i << " Binding " << i
          << "\n";
      if (i != resultBuffer())
        out << "OpMemberDecorate %block" << i << " 0 NonWritable\nOpDecorate %var" << i
            << " Restrict\n";
    }
  }

  void writeTypes() {
    out << "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n";
    for (ScalarType scalar : types) {
      out << "%" << nameOf(scalar) << " = ";
      if (isFloat(scalar))
        out << "OpTypeFloat " << 8 * sizeOf(scalar) << "\n";
      else
        out << "OpTypeInt " << 8 * sizeOf(scalar) << " " << int(isSigned(scalar)) << "\n";
    }
    out << "%v3u32 = OpTypeVector %u32 3\n";
    if (unsigned width = variant.vectorWidth; width > 1) {
      for (ScalarType scalar : types)
        if (width != 3 || scalar != ScalarType::U32)
          out << type(scalar) << " = OpTypeVector %" << nameOf(scalar) << " " << width << "\n";
      out << "%v" << width << "bool = OpTypeVector %bool " << width << "\n";
    }
    out << "%pair = OpTypeStruct " << type(signature.result) << " " << type(signature.result)
        << "\n%idptr = OpTypePointer Input %v3u32\n%id = OpVariable %idptr Input\n";
    unsigned constants = std::max<size_t>(ops.size() * variant.vectorWidth, 2) + 1;
    for (unsigned i = 0; i < constants; ++i)
      out << "%c" << i << " = OpConstant %u32 " << i << "\n";
    for (size_t i = 0; i <= resultBuffer(); ++i) {
      StringRef name = nameOf(bufferType(i));
      out << "%array" << i << " = OpTypeRuntimeArray %" << name << "\n%block" << i
          << " = OpTypeStruct %array" << i << "\n%bptr" << i
          << " = OpTypePointer StorageBuffer %block" << i << "\n%var" << i << " = OpVariable %bptr"
          << i << " StorageBuffer\n";
    }
    std::set<ScalarType> done;
    for (size_t i = 0; i <= resultBuffer(); ++i)
      if (done.insert(bufferType(i)).second)
        out << "%ptr" << nameOf(bufferType(i)) << " = OpTypePointer StorageBuffer %"
            << nameOf(bufferType(i)) << "\n";
    if (variant.vectorWidth > 1 && signature.isBoolResult) {
      for (unsigned value : {0, 1}) {
        out << "%bool" << value << " = OpConstantComposite " << type(ScalarType::U32);
        for (unsigned i = 0; i < variant.vectorWidth; ++i)
          out << " %c" << value;
        out << "\n";
      }
    }
  }

  void writeBody() {
    out << "%main = OpFunction %void None %fn\n%entry = OpLabel\n%idv = OpLoad %v3u32 %id\n"
           "%gid = OpCompositeExtract %u32 %idv 0\n%element = OpIMul %u32 %gid %c"
        << variant.vectorWidth << "\n";
    for (size_t i = 0; i < resultBuffer(); ++i)
      writeLoad(i);
    out << "%base = OpIMul %u32 %gid %c" << ops.size() * variant.vectorWidth << "\n";
    for (size_t i = 0; i < ops.size(); ++i)
      writeOp(i);
    out << "OpReturn\nOpFunctionEnd\n";
  }

  void writeLoad(size_t i) {
    StringRef name = nameOf(signature.arguments[i]);
    for (unsigned c = 0; c < variant.vectorWidth; ++c) {
      std::string tag = std::to_string(i) + "_" + std::to_string(c);
      out << "%at" << tag << " = OpIAdd %u32 %element %c" << c << "\n%p" << tag
          << " = OpAccessChain %ptr" << name << " %var" << i << " %c0 %at" << tag << "\n%"
          << (variant.vectorWidth == 1 ? "a" + std::to_string(i) : "x" + tag) << " = OpLoad %"
          << name << " %p" << tag << "\n";
    }
    if (variant.vectorWidth == 1)
      return;
    out << "%a" << i << " = OpCompositeConstruct " << type(signature.arguments[i]);
    for (unsigned c = 0; c < variant.vectorWidth; ++c)
      out << " %x" << i << "_" << c;
    out << "\n";
  }

  void writeOp(size_t i) {
    auto [name, member] = StringRef(ops[i]->name).split('.');
    std::string operands;
    for (size_t a = 0; a < resultBuffer(); ++a)
      operands += " %a" + std::to_string(a);
    bool isPair = !member.empty();
    out << "%r" << i << " = ";
    std::string result = isPair ? "%pair" : resultType();
    if (name.consume_front("ext:"))
      out << "OpExtInst " << result << " %glsl " << name << operands << "\n";
    else
      out << name << " " << result << operands << "\n";
    std::string value = "%r" + std::to_string(i);
    if (isPair) {
      out << "%m" << i << " = OpCompositeExtract " << type(signature.result) << " " << value << " "
          << member << "\n";
      value = "%m" + std::to_string(i);
    }
    if (signature.isBoolResult) {
      bool isVector = variant.vectorWidth > 1;
      out << "%s" << i << " = OpSelect " << type(ScalarType::U32) << " " << value
          << (isVector ? " %bool1 %bool0\n" : " %c1 %c0\n");
      value = "%s" + std::to_string(i);
    }
    for (unsigned c = 0; c < variant.vectorWidth; ++c)
      writeStore(i, c, value);
  }

  /// Element e of op o lies at (e * ops + o): the components of a vector are elements that follow.
  void writeStore(size_t op, unsigned c, const std::string &value) {
    std::string tag = std::to_string(op) + "_" + std::to_string(c), scalar = value;
    if (variant.vectorWidth > 1) {
      scalar = "%e" + tag;
      out << scalar << " = OpCompositeExtract %" << nameOf(signature.result) << " " << value << " "
          << c << "\n";
    }
    out << "%to" << tag << " = OpIAdd %u32 %base %c" << c * ops.size() + op << "\n%q" << tag
        << " = OpAccessChain %ptr" << nameOf(signature.result) << " %var" << resultBuffer()
        << " %c0 %to" << tag << "\nOpStore %q" << tag << " " << scalar << "\n";
  }

  const FamilySignature &signature;
  llvm::ArrayRef<const FamilyOp *> ops;
  const Variant &variant;
  std::set<ScalarType> types;
  std::string text;
  llvm::raw_string_ostream out;
};

} // namespace

std::string assemblyFor(const FamilySignature &signature, llvm::ArrayRef<const FamilyOp *> ops,
                        const Variant &variant) {
  return Writer(signature, ops, variant).run();
}

} // namespace exec
