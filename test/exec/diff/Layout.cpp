//===- Layout.cpp - what lies where in a block ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Layout.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using llpc::spirv::Decoration;
using llpc::spirv::Id;
using llpc::spirv::Inst;
using llvm::Expected;
using llvm::Twine;

namespace exec {

namespace {
constexpr unsigned maxDepth = 32;
}

uint64_t Layout::size(uint64_t runtimeElements) const {
  switch (kind) {
  case Kind::Scalar:
    return sizeOf(type);
  case Kind::Pointer:
    return 8;
  case Kind::Array: {
    uint64_t elements = count == runtimeCount ? runtimeElements : count;
    return elements == 0 ? 0 : (elements - 1) * stride + children[0].size(runtimeElements);
  }
  case Kind::Struct:
    break;
  }
  uint64_t end = 0;
  for (auto [member, child] : llvm::zip(members, children))
    end = std::max(end, member.offset + child.size(runtimeElements));
  return end;
}

Expected<Layout> LayoutReader::readScalar(const Inst &inst) {
  Layout layout;
  uint32_t width = inst[0];
  std::string name = (inst.opcode == spv::Op::OpTypeFloat ? "f"
                      : inst[1]                           ? "i"
                                                          : "u") +
                     std::to_string(width);
  std::optional<ScalarType> type = scalarTypeOf(name);
  if (!type)
    return failure("scalar of " + Twine(width) + " bits");
  layout.type = *type;
  return layout;
}

Expected<Layout> LayoutReader::read(Id id, unsigned depth) {
  const Inst *inst = module.definition(id);
  if (!inst || depth > maxDepth)
    return failure("type nested too deeply");
  switch (inst->opcode) {
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return readScalar(*inst);
  case spv::Op::OpTypeStruct:
    return readStruct(*inst, depth);
  case spv::Op::OpTypePointer: {
    Layout layout;
    layout.kind = Layout::Kind::Pointer;
    layout.pointee = (*inst)[1];
    return layout;
  }
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray: {
    Layout element = KILN_TRY(read((*inst)[0], depth + 1));
    Layout layout;
    layout.kind = Layout::Kind::Array;
    const Decoration *stride = module.findDecoration(id, spv::Decoration::ArrayStride);
    layout.stride = stride ? stride->operands[0] : element.size(0);
    layout.count = inst->opcode == spv::Op::OpTypeVector ? (*inst)[1]
                   : inst->opcode == spv::Op::OpTypeArray
                       ? constants.evaluate((*inst)[1]).value_or(1)
                       : Layout::runtimeCount;
    layout.children.push_back(std::move(element));
    return layout;
  }
  default:
    return failure(llpc::spirv::opName(inst->opcode) + " in a buffer");
  }
}

Expected<Layout> LayoutReader::readStruct(const Inst &inst, unsigned depth) {
  Layout layout;
  layout.kind = Layout::Kind::Struct;
  for (uint32_t i = 0; i < inst.size(); ++i) {
    const Decoration *offset = module.findDecoration(inst.resultId, spv::Decoration::Offset, i);
    if (!offset)
      return failure("block member without an offset");
    Expected<Layout> member = readMember(inst.resultId, i, inst[i], depth + 1);
    if (!member)
      return member.takeError();
    std::string name = module.memberName(inst.resultId, i).str();
    layout.members.push_back(
        {name.empty() ? "member" + std::to_string(i) : name, offset->operands[0]});
    layout.children.push_back(std::move(*member));
  }
  return layout;
}

Expected<Layout> LayoutReader::readMember(Id structType, uint32_t member, Id type, unsigned depth) {
  // Matrices, also in arrays, have their strides on the struct's member.
  const Inst *inst = module.definition(type);
  if (inst && inst->opcode == spv::Op::OpTypeMatrix)
    return readMatrix(structType, member, *inst);
  if (inst && depth < maxDepth &&
      (inst->opcode == spv::Op::OpTypeArray || inst->opcode == spv::Op::OpTypeRuntimeArray)) {
    Layout element = KILN_TRY(readMember(structType, member, (*inst)[0], depth + 1));
    Layout layout;
    layout.kind = Layout::Kind::Array;
    const Decoration *stride = module.findDecoration(type, spv::Decoration::ArrayStride);
    layout.stride = stride ? stride->operands[0] : element.size(0);
    layout.count = inst->opcode == spv::Op::OpTypeArray ? constants.evaluate((*inst)[1]).value_or(1)
                                                        : Layout::runtimeCount;
    layout.children.push_back(std::move(element));
    return layout;
  }
  return read(type, depth);
}

Expected<Layout> LayoutReader::readMatrix(Id structType, uint32_t member, const Inst &inst) {
  const Inst *column = module.definition(inst[0]);
  if (!column || column->opcode != spv::Op::OpTypeVector)
    return failure("matrix without columns");
  Layout scalar = KILN_TRY(read((*column)[0]));
  const Decoration *stride =
      module.findDecoration(structType, spv::Decoration::MatrixStride, member);
  bool rowMajor = module.findDecoration(structType, spv::Decoration::RowMajor, member) != nullptr;
  Layout inner, outer;
  inner.kind = outer.kind = Layout::Kind::Array;
  outer.isMatrix = true;
  inner.stride = sizeOf(scalar.type);
  inner.count = rowMajor ? inst[1] : (*column)[1];
  outer.count = rowMajor ? (*column)[1] : inst[1];
  outer.stride = stride ? stride->operands[0] : inner.stride * inner.count;
  inner.children.push_back(std::move(scalar));
  outer.children.push_back(std::move(inner));
  return outer;
}

namespace {

uint64_t elementsOf(const Layout &layout, uint64_t offset, uint64_t bufferSize) {
  if (layout.count != Layout::runtimeCount)
    return layout.count;
  return offset < bufferSize && layout.stride ? (bufferSize - offset) / layout.stride : 0;
}

uint64_t plausible(ScalarType type, Random &random, FillKind kind) {
  if (isFloat(type) && kind == FillKind::Scene)
    return fromDouble(type, (static_cast<double>(random.below(1537)) + 512) / 2048);
  if (isFloat(type))
    return randomBits(type, random);
  if (kind == FillKind::Scene)
    return 1 + random.below(2);
  if (kind == FillKind::Sizes)
    return 1 + random.below(16);
  return sizeOf(type) == 1 ? random.below(256) : random.below(64);
}

void fillMatrix(const Layout &layout, Random &random, Bytes &bytes, uint64_t offset) {
  const Layout &column = layout.children[0];
  ScalarType type = column.children[0].type;
  for (uint64_t i = 0; i < layout.count; ++i)
    for (uint64_t j = 0; j < column.count; ++j) {
      uint64_t place = offset + i * layout.stride + j * column.stride;
      double value = matrixElement(random, i, j, layout.count, column.count);
      if (isFloat(type) && place + sizeOf(type) <= bytes.size())
        storeBits(type, fromDouble(type, value), bytes.data() + place);
    }
}

} // namespace

double matrixElement(Random &random, uint64_t column, uint64_t row, uint64_t columns,
                     uint64_t rows) {
  double off = (static_cast<double>(random.below(17)) - 8) / 128;
  bool isLast = (columns == 4 && column == 3) || (rows == 4 && row == 3);
  if (column == row)
    return isLast ? 1 : 0.875 + off;
  return isLast ? 0 : off;
}

void fill(const Layout &layout, Random &random, FillKind kind, Bytes &bytes, uint64_t offset,
          std::vector<PointerSlot> &pointers) {
  switch (layout.kind) {
  case Layout::Kind::Scalar:
    if (offset + sizeOf(layout.type) <= bytes.size())
      storeBits(layout.type, plausible(layout.type, random, kind), bytes.data() + offset);
    return;
  case Layout::Kind::Pointer:
    if (offset + 8 <= bytes.size())
      pointers.push_back({offset, layout.pointee});
    return;
  case Layout::Kind::Array:
    if (layout.isMatrix && kind == FillKind::Scene)
      return fillMatrix(layout, random, bytes, offset);
    for (uint64_t i = 0, count = elementsOf(layout, offset, bytes.size()); i < count; ++i)
      fill(layout.children[0], random, kind, bytes, offset + i * layout.stride, pointers);
    return;
  case Layout::Kind::Struct:
    for (auto [member, child] : llvm::zip(layout.members, layout.children))
      fill(child, random, kind, bytes, offset + member.offset, pointers);
    return;
  }
}

namespace {

class Comparison {
public:
  Comparison(const Bytes &actual, const Bytes &expected) : actual(actual), expected(expected) {}

  /// The largest number of the layout: sums of many terms are off by a part of their terms.
  void measure(const Layout &layout, uint64_t offset) {
    if (layout.kind == Layout::Kind::Scalar && isFloat(layout.type) &&
        offset + sizeOf(layout.type) <= expected.size()) {
      double value = std::fabs(toDouble(layout.type, loadBits(layout.type, &expected[offset])));
      if (std::isfinite(value))
        largest = std::max(largest, value);
    }
    for (uint64_t i = 0, count = layout.kind == Layout::Kind::Array
                                     ? elementsOf(layout, offset, expected.size())
                                     : 0;
         i < count; ++i)
      measure(layout.children[0], offset + i * layout.stride);
    if (layout.kind == Layout::Kind::Struct)
      for (auto [member, child] : llvm::zip(layout.members, layout.children))
        measure(child, offset + member.offset);
  }

  void visit(const Layout &layout, uint64_t offset, const std::string &path) {
    switch (layout.kind) {
    case Layout::Kind::Pointer: // addresses differ between devices
      return;
    case Layout::Kind::Scalar:
      return scalar(layout.type, offset, path);
    case Layout::Kind::Array:
      for (uint64_t i = 0, count = elementsOf(layout, offset, expected.size()); i < count; ++i) {
        // Whole elements that agree need no closer look.
        uint64_t begin = offset + i * layout.stride, end = begin + layout.stride;
        if (end <= expected.size() && end <= actual.size() &&
            std::equal(actual.begin() + begin, actual.begin() + end, expected.begin() + begin))
          continue;
        visit(layout.children[0], begin, path + "[" + std::to_string(i) + "]");
      }
      return;
    case Layout::Kind::Struct:
      for (auto [member, child] : llvm::zip(layout.members, layout.children))
        visit(child, offset + member.offset, path + (path.empty() ? "" : ".") + member.name);
      return;
    }
  }

  std::string text() const {
    return differences > 1 ? first + " (and " + std::to_string(differences - 1) + " more)" : first;
  }

private:
  void scalar(ScalarType type, uint64_t offset, const std::string &path) {
    if (offset + sizeOf(type) > std::min(actual.size(), expected.size()))
      return;
    uint64_t is = loadBits(type, actual.data() + offset);
    uint64_t should = loadBits(type, expected.data() + offset);
    if (is == should)
      return;
    if (isFloat(type)) {
      // Sums in another order and approximations add up; what a miscompile does is larger.
      bool isHalf = type == ScalarType::F16;
      double share = std::min(largest, 1000.0) * 1e-4;
      Tolerance tolerance = {0, std::max(isHalf ? 2e-2 : 1e-3, share), isHalf ? 2e-2 : 1e-3};
      if (!std::isfinite(toDouble(type, should)) || agree(type, is, should, tolerance))
        return;
    }
    if (differences++ == 0)
      first = path + " (byte " + std::to_string(offset) + ") is " + toText(type, is) +
              ", lavapipe has " + toText(type, should);
  }

  const Bytes &actual, &expected;
  std::string first;
  double largest = 0;
  unsigned differences = 0;
};

} // namespace

std::string compareLayout(const Layout &layout, const Bytes &actual, const Bytes &expected) {
  if (actual.size() != expected.size())
    return "sizes differ";
  Comparison comparison(actual, expected);
  comparison.measure(layout, 0);
  comparison.visit(layout, 0, "");
  return comparison.text();
}

} // namespace exec
