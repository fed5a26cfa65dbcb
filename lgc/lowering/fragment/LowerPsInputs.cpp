//===- LowerPsInputs.cpp - which inputs the fragment stage loads ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The hardware writes the VGPR inputs of the fragment stage that SPI_PS_INPUT_ENA names, in the
/// places that SPI_PS_INPUT_ADDR gives them. Both registers are decided here, last of all, from the
/// arguments that are still used: "InitialPSInputAddr" makes LLVM lay out the registers so, and the
/// PAL metadata says the same.
///   before: define amdgpu_ps void @_amdgpu_ps_main(..., <2 x float> %PerspCenter, ...)
///   after:  the same with "InitialPSInputAddr"="2", `.spi_ps_input_ena.persp_center_ena: true`
///
/// Why not LLVM's own entries in the metadata: from the second module of a kept code generator on,
/// LLVM 22 writes them to a map that it has let go of (TargetSession keeps code generators;
/// CodegenPipeline sees to it that the first module is no exception).
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/entry/PalRegisters.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr unsigned inputCount = std::size(psInputKeys);

enum : uint32_t {
  PerspCenterBit = 1u << 1,
  PerspBits = 0xF,
  BarycentricBits = 0x7F,
  PosWBit = 1u << 11,
};

/// Bits of the inputs that the function uses, with what the hardware insists on.
uint32_t usedInputs(const Function &function) {
  uint32_t bits = 0;
  unsigned number = 0;
  for (const Argument &argument : function.args()) {
    if (argument.hasInRegAttr())
      continue;
    KILN_CHECK(number < inputCount, "fragment stage with more inputs than there are");
    bits |= uint32_t(!argument.use_empty()) << number++;
  }
  KILN_CHECK(number == inputCount, "fragment stage without all its inputs");
  // HW: hangs without any barycentric input; POS_W needs a perspective one.
  if (!(bits & BarycentricBits) || (!(bits & PerspBits) && (bits & PosWBit)))
    bits |= PerspCenterBit;
  return bits;
}

/// Sets the flags of both registers in MessagePack text, whose keys lgc-lower-entry-point has
/// written. A flag is the byte behind its key. Returns how many there were.
unsigned setFlags(std::string &metadata, uint32_t bits) {
  constexpr char no = '\xC2', yes = '\xC3';
  msgpack::Reader reader(metadata);
  unsigned set = 0;
  for (msgpack::Object object;;) {
    Expected<bool> isRead = reader.read(object);
    KILN_CHECK(bool(isRead), "PAL metadata that is no MsgPack");
    if (!*isRead)
      return set;
    if (object.Kind != msgpack::Type::String)
      continue;
    const auto *found = find(psInputKeys, object.Raw);
    const size_t place = object.Raw.end() - metadata.data();
    if (found == std::end(psInputKeys) || place >= metadata.size() ||
        (metadata[place] != no && metadata[place] != yes))
      continue;
    metadata[place] = bits >> (found - psInputKeys) & 1 ? yes : no;
    ++set;
  }
}

void writeMetadata(Module &module, uint32_t bits) {
  NamedMDNode *node = module.getNamedMetadata("amdgpu.pal.metadata.msgpack");
  KILN_CHECK(node && node->getNumOperands() == 1, "fragment stage without PAL metadata");
  std::string metadata = cast<MDString>(node->getOperand(0)->getOperand(0))->getString().str();
  constexpr unsigned registers = 2;
  KILN_CHECK(setFlags(metadata, bits) == registers * inputCount,
             "PAL metadata without the inputs of the fragment stage");
  LLVMContext &context = module.getContext();
  node->setOperand(0, MDNode::get(context, MDString::get(context, metadata)));
}

} // namespace

PreservedAnalyses LowerPsInputsPass::run(Module &module, ModuleAnalysisManager &) {
  Function *function = module.getFunction(pal::abi::entryPointSymbol(pal::abi::HardwareStage::Ps));
  if (!function || function->isDeclaration())
    return PreservedAnalyses::all();
  uint32_t bits = usedInputs(*function);
  function->addFnAttr("InitialPSInputAddr", std::to_string(bits));
  writeMetadata(module, bits);
  return PreservedAnalyses::all();
}

} // namespace lgc
