//===- Layout.h - what lies where in a block ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The memory layout of a SPIR-V block type as a tree, from its decorations: enough to fill a
/// buffer with plausible data and to compare two buffers with the right types and names.
#pragma once

#include "../script/Values.h"
#include "llpc/reflect/ConstantEval.h"
#include "llpc/spirv/Module.h"

namespace exec {

struct Layout {
  enum class Kind : uint8_t { Scalar, Array, Struct, Pointer };
  Kind kind = Kind::Scalar;
  ScalarType type = ScalarType::U32; ///< Scalar
  uint64_t stride = 0;               ///< Array: bytes from element to element
  uint64_t count = 0;                ///< Array: elements; runtimeCount when the buffer decides
  static constexpr uint64_t runtimeCount = ~uint64_t(0);
  struct Member {
    std::string name;
    uint64_t offset;
  };
  std::vector<Member> members;  ///< Struct
  std::vector<Layout> children; ///< Array: one; Struct: as many as members; Pointer: none
  bool isMatrix = false;        ///< Array: of the columns or rows of a matrix
  llpc::spirv::Id pointee = 0;  ///< Pointer: type behind it

  /// Bytes; a runtime array counts as \p runtimeElements.
  uint64_t size(uint64_t runtimeElements) const;
};

/// Builds layouts of types of one module.
class LayoutReader {
public:
  LayoutReader(const llpc::spirv::Module &module, llpc::ConstantEval &constants)
      : module(module), constants(constants) {}
  /// Errors: a type that cannot lie in a buffer.
  llvm::Expected<Layout> read(llpc::spirv::Id type, unsigned depth = 0);

private:
  llvm::Expected<Layout> readScalar(const llpc::spirv::Inst &inst);
  llvm::Expected<Layout> readStruct(const llpc::spirv::Inst &inst, unsigned depth);
  llvm::Expected<Layout> readMatrix(llpc::spirv::Id structType, uint32_t member,
                                    const llpc::spirv::Inst &inst);
  llvm::Expected<Layout> readMember(llpc::spirv::Id structType, uint32_t member,
                                    llpc::spirv::Id type, unsigned depth);

  const llpc::spirv::Module &module;
  llpc::ConstantEval &constants;
};

/// A place of a pointer that the filled data must hold.
struct PointerSlot {
  uint64_t offset;
  llpc::spirv::Id pointee;
};

enum class FillKind : uint8_t {
  Data,
  Sizes, ///< integers are sizes and indices rather than data
  Scene, ///< also: floats from 0.25 to 1, matrices close to the identity
};

/// Element of a matrix that is close to the identity, and affine whichever way it is multiplied: w
/// stays near 1.
double matrixElement(Random &random, uint64_t column, uint64_t row, uint64_t columns,
                     uint64_t rows);

/// Fills \p bytes with data of the layout's types. Pointers are left zero and listed.
void fill(const Layout &layout, Random &random, FillKind kind, Bytes &bytes, uint64_t offset,
          std::vector<PointerSlot> &pointers);

/// First place where the buffers differ, as "member[3].x (byte 20) is 5, expected 6", and the
/// number of such places; empty when there is none. Floats may be off by rounding, and where the
/// expected one is no number anything goes.
std::string compareLayout(const Layout &layout, const Bytes &actual, const Bytes &expected);

} // namespace exec
