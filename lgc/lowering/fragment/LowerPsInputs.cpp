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
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace lgc {
namespace {

namespace key = pal::abi::key;

/// By bit of the registers, which is the order of the arguments.
constexpr StringLiteral inputKeys[] = {
    key::perspSampleEna,  key::perspCenterEna,  key::perspCentroidEna,  key::perspPullModelEna,
    key::linearSampleEna, key::linearCenterEna, key::linearCentroidEna, key::lineStippleTexEna,
    key::posXFloatEna,    key::posYFloatEna,    key::posZFloatEna,      key::posWFloatEna,
    key::frontFaceEna,    key::ancillaryEna,    key::sampleCoverageEna, key::posFixedPtEna};
constexpr unsigned inputCount = std::size(inputKeys);

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

void writeMetadata(Module &module, uint32_t bits) {
  NamedMDNode *node = module.getNamedMetadata("amdgpu.pal.metadata.msgpack");
  KILN_CHECK(node && node->getNumOperands() == 1, "fragment stage without PAL metadata");
  msgpack::Document document;
  bool read = document.readFromBlob(cast<MDString>(node->getOperand(0)->getOperand(0))->getString(),
                                    /*Multi=*/false);
  KILN_CHECK(read, "PAL metadata that is no MsgPack");
  msgpack::MapDocNode registers = document.getRoot()
                                      .getMap()[key::pipelines]
                                      .getArray()[0]
                                      .getMap()[key::graphicsRegisters]
                                      .getMap(/*Convert=*/true);
  for (StringRef name : {key::spiPsInputEna, key::spiPsInputAddr}) {
    msgpack::MapDocNode inputs = registers[name].getMap(/*Convert=*/true);
    for (unsigned i = 0; i < inputCount; ++i)
      inputs[inputKeys[i]] = (bits >> i & 1) != 0;
  }
  std::string blob;
  document.writeToBlob(blob);
  LLVMContext &context = module.getContext();
  node->setOperand(0, MDNode::get(context, MDString::get(context, blob)));
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
