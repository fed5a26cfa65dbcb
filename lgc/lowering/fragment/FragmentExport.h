//===- FragmentExport.h - outputs of fragment shaders -> export instructions =//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/ExportFormat.h"
#include "lgc/Pipeline.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace lgc {

/// What a fragment shader has written when it ends; null: nothing. Scalars of 16 or 32 bits.
struct FragmentOutputs {
  using Color = std::array<llvm::Value *, 4>;
  std::array<Color, 8> colors = {};
  Color second = {};              ///< location 0, index 1: the other source of the blend equation
  llvm::Value *depth = nullptr;   ///< float
  llvm::Value *stencil = nullptr; ///< i32
  llvm::Value *mask = nullptr;    ///< i32

  static bool isWritten(const Color &color) { return color[0] || color[1] || color[2] || color[3]; }
};

/// Makes the export instructions at the end of a fragment shader, and tells what the registers have
/// to say about them.
class FragmentExport {
public:
  FragmentExport(llvm::Function &function, const PipelineState &state);

  enum class Needs : uint8_t {
    Nothing,
    Export, ///< the hardware waits for one even when nothing is written (kill, interlock)
    /// One of colours: code that is compiled already ends waves without pixels by such a one.
    Color,
  };

  /// Emits at \p b, which stands before the only `ret`. Errors: Unsupported (formats).
  llvm::Error emit(llvm::IRBuilder<> &b, const FragmentOutputs &outputs, Needs needs);

  /// Notes the registers that follow from what emit() made, and tells LLVM what to export in place
  /// of a wave whose pixels are all killed.
  void writeRegisters(llvm::Module &module);

  /// Without holes: element i describes the i-th colour export.
  llvm::SmallVector<ExportFormat, 8> colorFormats;
  std::array<unsigned, 8> shaderMask = {}; ///< by colour target
  ExportFormat depthFormat = ExportFormat::Zero;
  bool dummy = false; ///< the only export is there for the hardware

private:
  /// One instruction. Packed: the first two values are dwords of two components.
  struct Export {
    unsigned target = 0;
    unsigned enable = 0; ///< a bit for each value
    std::array<llvm::Value *, 4> values = {};
    bool packed = false;
  };
  using Exports = llvm::SmallVector<Export, 9>;

  Export convert(llvm::IRBuilder<> &b, ExportFormat format, const FragmentOutputs::Color &color,
                 unsigned needed, bool isSigned);
  llvm::Value *packPair(llvm::IRBuilder<> &b, ExportFormat format, llvm::Value *low,
                        llvm::Value *high);
  void addDepth(llvm::IRBuilder<> &b, const FragmentOutputs &outputs, Exports &exports);
  llvm::Error addColors(llvm::IRBuilder<> &b, const FragmentOutputs &outputs, Exports &exports);
  llvm::Error addColor(llvm::IRBuilder<> &b, const FragmentOutputs &outputs, unsigned location,
                       Exports &exports);
  llvm::Error addDualSource(llvm::IRBuilder<> &b, const FragmentOutputs &outputs, Exports &exports,
                            Exports &swizzled);
  void swizzle(llvm::IRBuilder<> &b, const Export &first, const Export &second, Exports &exports);
  void addNeeded(llvm::IRBuilder<> &b, Needs needs, Exports &exports);
  void emitAll(llvm::IRBuilder<> &b, const Exports &exports);

  llvm::Function &function;
  const PipelineState &state;
  unsigned major;
  bool rbPlus;
  bool writesDepth = false, writesStencil = false, writesMask = false;
  bool alphaForCoverage = false; ///< alpha to coverage takes the alpha of the first colour export
};

} // namespace lgc
