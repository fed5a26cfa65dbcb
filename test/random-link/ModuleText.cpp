//===- ModuleText.cpp - LLVM IR of random modules -------------------------===//
// SPDX-License-Identifier: MIT
#include "RandomPart.h"

namespace randomlink {

namespace {

/// Writes functions, one access after the other.
class TextWriter {
public:
  explicit TextWriter(const RandomModule &module) : module(module) {}

  std::string compute() {
    begin("CS", "call i32 @lgc.builtin__i32_i32(i32 3)");
    handle("out", module.output, "0");
    text += "  %outp = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %out, "
            "i32 0)\n  %row = mul i32 %lane, " +
            std::to_string(module.accesses.size()) + "\n";
    for (size_t i = 0; i < module.accesses.size(); ++i) {
      const std::string id = std::to_string(i);
      const std::string value = write(module.accesses[i], id);
      text += "  %at" + id + " = add i32 %row, " + id + "\n";
      store("%at" + id, value);
    }
    return text + "  ret void\n}\n" + declarations;
  }

  std::string draw(bool vertex, bool fragment) {
    if (vertex)
      vertexShader(*module.draw);
    if (fragment)
      fragmentShader(*module.draw);
    return text + declarations + drawDeclarations;
  }

private:
  static constexpr const char *declarations =
      "declare i32 @lgc.builtin__i32_i32(i32) memory(none)\n"
      "declare ptr addrspace(4) @lgc.push.const__p4() memory(none)\n"
      "declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)\n"
      "declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)\n"
      "declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) "
      "memory(none)\n"
      "declare <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4), i32, i32) "
      "memory(none)\n";

  static constexpr const char *drawDeclarations =
      "declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)\n"
      "declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)\n"
      "declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)\n"
      "declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)\n"
      "declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)\n"
      "declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, "
      "i32)\n"
      "declare void @lgc.kill__void()\n"
      "declare void @lgc.demote__void()\n";

  const RandomModule &module;
  std::string text, block;
  uint32_t stores = 0, folds = 0;

  void begin(const std::string &stage, const std::string &lane) {
    text += "define void @lgc.shader." + stage + "() {\nentry:\n  %lane = " + lane +
            "\n  %first = icmp ult i32 %lane, " + std::to_string(conditionalLanes) +
            "\n  %push = call ptr addrspace(4) @lgc.push.const__p4()\n";
    block = "entry";
    stores = folds = 0;
  }

  static std::string inputLoad(uint32_t location, uint32_t component) {
    return "call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 " + std::to_string(location) +
           ", i32 " + std::to_string(component) + ", i32 0, i32 poison)";
  }
  void outputStore(const std::string &type, const std::string &value, uint32_t location,
                   uint32_t component) {
    text += "  call void @lgc.output.store__void_" + std::string(type == "float" ? "f32" : "i32") +
            "_i32_i32_i32_i32(" + type + " " + value + ", i32 " + std::to_string(location) +
            ", i32 " + std::to_string(component) + ", i32 0, i32 poison)\n";
  }

  /// fold() of the host.
  void fold(const std::string &value) {
    const std::string id = std::to_string(folds), next = std::to_string(folds + 1);
    text += "  %m" + id + " = mul i32 " + (folds ? "%f" + id : "1") + ", " +
            std::to_string(foldFactor) + "\n  %f" + next + " = xor i32 %m" + id + ", " + value +
            "\n";
    ++folds;
  }
  std::string folded() const { return folds ? "%f" + std::to_string(folds) : "1"; }

  /// Both shaders of a draw store a dword for each lane.
  void storeFolded(uint32_t offset) {
    handle("out", module.output, "0");
    text += "  %outp = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %out, "
            "i32 0)\n  %row = mul i32 %lane, 2\n  %place = add i32 %row, " +
            std::to_string(offset) + "\n";
    store("%place", folded());
  }

  void vertexShader(const RandomDraw &draw) {
    begin("VS", "call i32 @lgc.builtin__i32_i32(i32 16)");
    for (size_t i = 0; i < module.accesses.size(); ++i)
      fold(write(module.accesses[i], std::to_string(i)));
    for (const RandomDraw::Input &input : draw.inputs)
      for (uint32_t c = 0; c < 4; ++c)
        if (input.mask >> c & 1) {
          const std::string name = "%in" + std::to_string(input.location * 4 + c);
          text += "  " + name + " = " + inputLoad(input.location, c) + "\n";
          fold(name);
        }
    if (draw.vertexStores)
      storeFolded(0);
    // One pixel of an image of 8 by 8 for each lane.
    text += R"(  %px = and i32 %lane, 7
  %py = lshr i32 %lane, 3
  %fx = uitofp i32 %px to float
  %fy = uitofp i32 %py to float
  %qx = fmul float %fx, 0.25
  %qy = fmul float %fy, 0.25
  %x = fadd float %qx, -0.875
  %y = fadd float %qy, -0.875
  %pos0 = insertelement <4 x float> <float 0.0, float 0.0, float 0.5, float 1.0>, float %x, i32 0
  %pos1 = insertelement <4 x float> %pos0, float %y, i32 1
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %pos1, i32 512, i32 0, i32 0, i32 poison)
)";
    for (const RandomDraw::Varying &varying : draw.varyings)
      for (uint32_t c = 0; c < varying.components; ++c)
        storeVarying(varying, c);
    outputStore("i32", "%lane", draw.laneLocation, 0);
    text += "  ret void\n}\n";
  }

  void storeVarying(const RandomDraw::Varying &varying, uint32_t c) {
    const std::string id = std::to_string(varying.location * 4 + c);
    if (varying.flat) {
      text += "  %vary" + id + "v = add i32 " + folded() + ", " + id + "\n";
      return outputStore("i32", "%vary" + id + "v", varying.location, c);
    }
    text += "  %vary" + id + "i = add i32 %lane, " + id + "\n  %vary" + id +
            "v = uitofp i32 %vary" + id + "i to float\n";
    outputStore("float", "%vary" + id + "v", varying.location, c);
  }

  void fragmentShader(const RandomDraw &draw) {
    begin("FS", inputLoad(draw.laneLocation, 0));
    text += "  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 "
            "poison)\n";
    for (size_t i = 0; i < module.fragmentAccesses.size(); ++i)
      fold(write(module.fragmentAccesses[i], std::to_string(i)));
    for (const RandomDraw::Varying &varying : draw.varyings)
      for (uint32_t c = 0; c < varying.components; ++c)
        if (varying.readMask >> c & 1)
          foldVarying(varying, c);
    if (draw.ending != RandomDraw::Ending::None) {
      const bool kills = draw.ending == RandomDraw::Ending::Kill;
      text += "  %quarter = and i32 %lane, 3\n  %ends = icmp eq i32 %quarter, 1\n"
              "  br i1 %ends, label %gone, label %rest\ngone:\n  call void @lgc." +
              std::string(kills ? "kill__void()\n  unreachable\n"
                                : "demote__void()\n  br label %rest\n") +
              "rest:\n";
    }
    if (draw.fragmentStores)
      storeFolded(1);
    for (const RandomDraw::Output &output : draw.outputs)
      for (uint32_t c = 0; c < output.components; ++c) {
        const std::string id = std::to_string(output.location * 4 + c);
        text += "  %c" + id + "s = lshr i32 " + folded() + ", " + std::to_string(c) + "\n  %c" +
                id + " = and i32 %c" + id + "s, " + std::to_string(output.mask()) + "\n";
        outputStore("i32", "%c" + id, output.location, c);
      }
    text += "  ret void\n}\n";
  }

  void foldVarying(const RandomDraw::Varying &varying, uint32_t c) {
    const std::string id = std::to_string(varying.location * 4 + c);
    if (varying.flat) {
      text += "  %vary" + id + " = " + inputLoad(varying.location, c) + "\n";
    } else {
      text += "  %vary" + id + "f = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 " +
              std::to_string(varying.location) + ", i32 " + std::to_string(c) +
              ", i32 0, <2 x float> %ij)\n  %vary" + id + " = fptosi float %vary" + id +
              "f to i32\n";
    }
    fold("%vary" + id);
  }

  void handle(const std::string &name, uint32_t binding, const std::string &element) {
    const Binding &target = module.bindings[binding];
    text += "  %" + name + " = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 " +
            std::to_string(target.set) + ", i32 " + std::to_string(target.binding) + ", i32 " +
            element + ")\n";
  }

  /// An operand below `count`: a number, or a computed value.
  std::string index(const std::string &name, Access::Index kind, uint32_t number, uint32_t count) {
    if (kind == Access::Index::Constant)
      return std::to_string(number);
    std::string value = "%lane";
    if (kind == Access::Index::Push) {
      value = "%" + name + ".v";
      text += "  %" + name + ".p = getelementptr i32, ptr addrspace(4) %push, i32 " +
              std::to_string(number) + "\n  " + value + " = load i32, ptr addrspace(4) %" + name +
              ".p\n";
    }
    text +=
        "  %" + name + " = and i32 " + value + ", " + std::to_string(powerOfTwo(count) - 1) + "\n";
    return "%" + name;
  }

  /// The name of the access's value.
  std::string write(const Access &access, const std::string &id) {
    if (access.conditional)
      text += "  br i1 %first, label %then" + id + ", label %join" + id + "\nthen" + id + ":\n";
    load(access, id);
    if (!access.conditional)
      return "%v" + id;
    text += "  br label %join" + id + "\njoin" + id + ":\n  %j" + id + " = phi i32 [ %v" + id +
            ", %then" + id + " ], [ 0, %" + block + " ]\n";
    block = "join" + id;
    return "%j" + id;
  }

  void store(const std::string &dword, const std::string &value) {
    const std::string id = std::to_string(stores++);
    text += "  %o" + id + " = getelementptr i32, ptr addrspace(7) %outp, i32 " + dword +
            "\n  store i32 " + value + ", ptr addrspace(7) %o" + id + "\n";
  }

  void load(const Access &access, const std::string &id) {
    if (access.binding == Access::pushConstants) {
      std::string at = index("d" + id, access.dword, access.dwordNumber, module.pushDwords);
      text += "  %p" + id + " = getelementptr i32, ptr addrspace(4) %push, i32 " + at + "\n  %v" +
              id + " = load i32, ptr addrspace(4) %p" + id + "\n";
      return;
    }
    const Binding &binding = module.bindings[access.binding];
    std::string element = index("e" + id, access.element, access.elementNumber, binding.elements);
    handle("h" + id, access.binding, element);
    const uint32_t nonUniform = access.element == Access::Index::Lane;
    if (!binding.isBuffer()) {
      const char *type = access.sampler ? "v4i32" : "v8i32";
      text += std::string("  %w") + id + " = call " + (access.sampler ? "<4 x i32>" : "<8 x i32>") +
              " @lgc.load.desc__" + type + "_p4_i32_i32(ptr addrspace(4) %h" + id + ", i32 " +
              (access.sampler ? "1" : "0") + ", i32 " + std::to_string(nonUniform) + ")\n  %v" +
              id + " = extractelement " + (access.sampler ? "<4 x i32>" : "<8 x i32>") + " %w" +
              id + ", i32 " + std::to_string(access.dwordNumber) + "\n";
      return;
    }
    const uint32_t flags = nonUniform | (binding.isUniform() ? 2u : 0u);
    std::string at = index("d" + id, access.dword, access.dwordNumber, dwordsOf(module, access));
    text += "  %b" + id +
            " = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h" + id +
            ", i32 " + std::to_string(flags) + ")\n  %p" + id +
            " = getelementptr i32, ptr addrspace(7) %b" + id + ", i32 " + at + "\n  %v" + id +
            " = load i32, ptr addrspace(7) %p" + id + "\n";
  }
};

} // namespace

std::string moduleText(const RandomModule &module) { return TextWriter(module).compute(); }

std::string drawText(const RandomModule &module, bool vertex, bool fragment) {
  return TextWriter(module).draw(vertex, fragment);
}

} // namespace randomlink
